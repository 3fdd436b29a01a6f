/* SPDX-License-Identifier: Apache-2.0
 *
 * HyperLogLog sketches of the rows of a matrix, and the sizes of rows of a product from them
 * (Ocean, ICS '26, section 3.1, "construct and merge"). The encoding is in core/hll.h; results are
 * the same for every instruction set, since lanes are summed in one fixed order.
 *
 * Cost: making sketches hashes every entry once, and merging reads one sketch per entry of A, which
 * is one cache line for 64 registers.
 */
#include "core/hll.h"
#include "cpu/cpu.h"
#include "cpu/simd/lanes.h"

enum { HASH_BATCH = 512, PARTS = 16 };

typedef uint8_t gb_Bytes16 __attribute__((vector_size(16)));
typedef float gb_Floats __attribute__((vector_size(64)));

/* The register and the code of each column; a plain loop for the compiler to vectorise. */
static void hash_columns(const gb_Idx *restrict Bi, uint64_t n, uint32_t *restrict out,
                         uint32_t mask) {
    for (uint64_t q = 0; q < n; q++) {
        const uint32_t hash = gb_hll_hash(Bi[q]);
        out[q] = gb_hll_code(hash) << 8 | (hash & mask);
    }
}

static void add_columns(uint8_t *restrict row, const uint32_t *restrict hashed, uint64_t n) {
    for (uint64_t q = 0; q < n; q++) {
        const uint8_t code = (uint8_t)(hashed[q] >> 8);
        uint8_t *at = row + (hashed[q] & 255u);
        *at = *at > code ? *at : code;
    }
}

/* Rows [from, to): the columns of all rows are hashed in batches, wherever rows begin and end. */
static void sketch_range(const gb_CsView *B, unsigned registers, uint8_t *S, uint64_t from,
                         uint64_t to) {
    uint32_t hashed[HASH_BATCH];
    memset(S + from * registers, 0, (to - from) * registers);
    uint64_t row = from;
    for (gb_Off q = B->p[from]; q < B->p[to];) {
        const uint64_t n = B->p[to] - q < HASH_BATCH ? B->p[to] - q : HASH_BATCH;
        hash_columns(B->i + q, n, hashed, registers - 1);
        for (uint64_t k = 0; k < n;) {
            while (B->p[row + 1] <= q + k) row++;
            const uint64_t left = B->p[row + 1] - (q + k);
            const uint64_t here = left < n - k ? left : n - k;
            add_columns(S + row * registers, hashed + k, here);
            k += here;
        }
        q += n;
    }
}

typedef struct {
    const gb_CsView *A;
    unsigned registers;
    uint8_t *S;
} gb_Sketching;

static void run_rows(void *context, uint64_t from, uint64_t to) {
    const gb_Sketching *s = context;
    sketch_range(s->A, s->registers, s->S, from, to);
}

void GB_ISA_NAME(gb_sketch_rows)(const gb_CsView *B, unsigned registers, uint8_t *S, int nthreads) {
    gb_parallel_ranges(nthreads, B->nmajor, run_rows, &(gb_Sketching){B, registers, S});
}

/* The larger bytes of acc and of a sketch; `blocks` of 32 registers. */
static inline void merge(gb_Bytes32 *acc, const uint8_t *sketch, unsigned blocks) {
    for (unsigned b = 0; b < blocks; b++) {
        gb_Bytes32 more;
        __builtin_memcpy(&more, sketch + 32 * b, sizeof more);
        gb_max8(&acc[b], &more);
    }
}

/* The same for a row of B that has no sketch. */
static void merge_columns(gb_Bytes32 *acc, const gb_Idx *Bi, uint64_t n, uint32_t mask) {
    uint32_t hashed[HASH_BATCH];
    uint8_t row[GB_HLL_MOST];
    __builtin_memcpy(row, acc, sizeof row);
    for (uint64_t q = 0; q < n; q += HASH_BATCH) {
        const uint64_t here = n - q < HASH_BATCH ? n - q : HASH_BATCH;
        hash_columns(Bi + q, here, hashed, mask);
        add_columns(row, hashed, here);
    }
    __builtin_memcpy(acc, row, sizeof row);
}

/* The estimate of a merged sketch. */
GB_PER_ROW double sketch_size(const gb_Bytes32 *acc, unsigned blocks) {
    gb_Floats sum = {0};
    gb_Lanes32 unused = {0};
    GB_ROLLED for (unsigned h = 0; h < 2 * blocks; h++) {
        gb_Bytes16 half;
        __builtin_memcpy(&half, (const char *)acc + 16 * h, sizeof half);
        const gb_Lanes32 code = __builtin_convertvector(half, gb_Lanes32);
        const gb_Lanes32 bits = (GB_HLL_TOP << 20) + (1u << 19) - (code << 20);
        gb_Floats u;
        __builtin_memcpy(&u, &bits, sizeof u);
        sum += u;
        unused -= (gb_Lanes32)(code == 0);
    }
    double total = 0.0;
    unsigned zeros = 0;
    for (int l = 0; l < 16; l++) {
        total += (double)sum[l];
        zeros += unused[l];
    }
    return gb_hll_size(total, zeros, 32 * blocks);
}

/* Expected entries of row i, and the union of what it meets. Clamped to what is certain (between
 * the longest row of B that it contains and its products) only where asked: a clamped estimate is
 * better for its row, but the sum of clamped estimates is biased. */
static inline float row_size(const gb_SketchArgs *s, uint64_t i, uint8_t *united, unsigned blocks) {
    gb_Bytes32 acc[GB_HLL_MOST / 32] = {{0}};
    const gb_Off to = s->A.p[i + 1];
    double longest = 0.0, products = 0.0;
    for (gb_Off p = s->A.p[i]; p < to; p++) {
        const uint64_t k = s->A.i[p];
        const double length =
            s->length != NULL ? (double)s->length[k] : (double)(s->Bp[k + 1] - s->Bp[k]);
        if (s->sketch == NULL) {
            merge_columns(acc, s->Bi + s->Bp[k], s->Bp[k + 1] - s->Bp[k], 32 * blocks - 1);
        } else {
            if (p + GB_PREFETCH < s->A.nvals)
                __builtin_prefetch(s->sketch + (uint64_t)s->A.i[p + GB_PREFETCH] * 32 * blocks);
            merge(acc, s->sketch + k * 32 * blocks, blocks);
        }
        longest = length > longest ? length : longest;
        products += length;
    }
    if (united != NULL) __builtin_memcpy(united, acc, 32 * (size_t)blocks);
    if (products == longest) return (float)products;
    const double most = products < (double)s->ncols ? products : (double)s->ncols;
    double size = sketch_size(acc, blocks);
    if (!s->clamp) return (float)size;
    size = size < longest ? longest : size;
    return (float)(size > most ? most : size);
}

static void sizes_of(const gb_SketchArgs *s, uint64_t from, uint64_t to, unsigned blocks) {
    for (uint64_t r = from; r < to; r++)
        s->size[r] = row_size(s, s->rows != NULL ? s->rows[r] : r,
                              s->united != NULL ? s->united + r * 32 * blocks : NULL, blocks);
}

/* Part t of PARTS for each thread, since rows differ in length. The number of blocks is a constant
 * of each call, so that registers stay in registers. */
static void run_sizes(void *context, uint64_t t) {
    const gb_SketchArgs *s = context;
    const uint64_t parts = (uint64_t)s->nthreads * PARTS;
    const uint64_t from = gb_part(s->count, t, parts), to = gb_part(s->count, t + 1, parts);
    if (s->registers == 32)
        sizes_of(s, from, to, 1);
    else if (s->registers == 64)
        sizes_of(s, from, to, 2);
    else
        sizes_of(s, from, to, 4);
}

void GB_ISA_NAME(gb_sketch_sizes)(const gb_SketchArgs *s) {
    gb_parallel_for(s->nthreads, (uint64_t)s->nthreads * PARTS, run_sizes, (void *)s);
}

/* Columns [from, to) of all rows. */
static void sketch_columns(const gb_CsView *A, unsigned registers, uint8_t *S, uint64_t from,
                           uint64_t to) {
    if (from == to) return; /* S is NULL where there are no columns */
    memset(S + from * registers, 0, (to - from) * registers);
    for (uint64_t r = 0; r < A->nmajor; r++) {
        const uint32_t hash = gb_hll_hash((uint32_t)r), place = hash & (registers - 1);
        const uint8_t code = (uint8_t)gb_hll_code(hash);
        for (gb_Off p = A->p[r]; p < A->p[r + 1]; p++) {
            if (A->i[p] < from || A->i[p] >= to) continue;
            uint8_t *at = S + (uint64_t)A->i[p] * registers + place;
            *at = *at > code ? *at : code;
        }
    }
}

typedef struct {
    gb_Sketching of;
    uint64_t parts;
} gb_ColumnSketching;

static void run_columns(void *context, uint64_t t) {
    const gb_ColumnSketching *s = context;
    const uint64_t n = s->of.A->nminor;
    sketch_columns(s->of.A, s->of.registers, s->of.S, gb_part(n, t, s->parts),
                   gb_part(n, t + 1, s->parts));
}

/* Every part reads all entries and keeps those of its own columns: one for each thread. */
void GB_ISA_NAME(gb_sketch_columns)(const gb_CsView *A, unsigned registers, uint8_t *S,
                                    int nthreads) {
    const uint64_t parts = (uint64_t)nthreads;
    gb_parallel_for(nthreads, parts, run_columns, &(gb_ColumnSketching){{A, registers, S}, parts});
}
