/* SPDX-License-Identifier: Apache-2.0
 *
 * A(p,p), the rows and columns of a square matrix in another order.
 *
 * Each row is taken once: its columns get their new names, those outside the band are left out, and
 * the rest is sorted while it is in the cache: short rows by counting how many are less than each,
 * rows that are long for the dimension by setting bits and reading them off, others digit by digit.
 * (Scattering the entries by column instead, which
 * needs no sort, takes 8 times as long where the rows are long, as every write then misses.) Parts
 * of the rows are written where they would stand if nothing were left out, and move together in the
 * end. Cost: a lookup for each entry of A and a sort of each row of the result; workspace: room for
 * the longest row in each thread.
 */
#include "cpu/common/chunks.h"
#include "cpu/ops/map.h"
#include "cpu/common/sort.h"

typedef struct {
    const gb_PermuteArgs *args;
    const gb_CsView *A;
    gb_Cs *T;
    gb_RowParts parts;
    uint64_t *scratch; /* [threads * words] 2 * longest keys, then a set, if any row wants one */
    uint64_t longest, words;
    int bits; /* of an index */
} Job;

/* A set of columns, empty between rows: bit c % 64 of word[c / 64], and for each word that is not
 * 0 a bit of `block`. */
typedef struct {
    uint64_t *word, *block;
} Set;

static inline bool inside(const gb_PermuteArgs *args, uint64_t i, uint64_t j) {
    const int64_t offset = (int64_t)j - (int64_t)i;
    return offset >= args->low && offset <= args->high;
}

/* -- sorting numbers that are all different ---------------------------------------------------- */

/* out = n <= GB_RANKED of them, ascending. The place of each is how many are less: no branch
 * depends on them. Reads up to three numbers behind the last. */
static void sort_by_rank(const gb_Idx *in, uint64_t n, gb_Idx *out) {
    typedef int32_t Four __attribute__((vector_size(16)));
    int32_t x[GB_RANKED + 4];
    for (uint64_t k = 0; k < n; k++) x[k] = (int32_t)(in[k] ^ UINT32_C(0x80000000));
    for (uint64_t k = n; k < n + 3; k++) x[k] = 0;
    for (uint64_t k = 0; k < n; k += 4) {
        Four mine, rank = {0};
        memcpy(&mine, x + k, sizeof mine);
        for (uint64_t e = 0; e < n; e++) rank -= (Four)(mine > (Four){0} + x[e]);
        for (uint64_t l = 0; l < 4 && k + l < n; l++) out[rank[l]] = in[k + l];
    }
}

static void sort_by_bits(Set set, const gb_Idx *in, uint64_t n, gb_Idx *out) {
    gb_Idx last = 0;
    for (uint64_t k = 0; k < n; k++) {
        const gb_Idx c = in[k];
        set.word[c / 64] |= (uint64_t)1 << c % 64;
        set.block[c / GB_BLOCK_SPAN] |= (uint64_t)1 << c / 64 % 64;
        last = c > last ? c : last;
    }
    for (uint64_t b = 0; b <= last / GB_BLOCK_SPAN; b++) {
        for (uint64_t block = set.block[b]; block != 0; block &= block - 1) {
            const uint64_t w = 64 * b + (uint64_t)__builtin_ctzll(block);
            for (uint64_t word = set.word[w]; word != 0; word &= word - 1)
                *out++ = (gb_Idx)(64 * w + (uint64_t)__builtin_ctzll(word));
            set.word[w] = 0;
        }
        set.block[b] = 0;
    }
}

/* Whether a row of so many entries is sorted by bits: its blocks are passed over in no time. */
static bool is_by_bits(uint64_t columns, uint64_t entries) {
    return entries > GB_RANKED && columns / GB_BLOCK_SPAN <= entries;
}

/* in becomes something else. */
static void sort_different(const Job *job, Set set, gb_Idx *in, uint64_t n, gb_Idx *out) {
    if (n <= GB_RANKED) {
        sort_by_rank(in, n, out);
    } else if (is_by_bits(job->A->nminor, n)) {
        sort_by_bits(set, in, n, out);
    } else {
        gb_sort32(in, in + job->longest + 1, n, 0, job->bits);
        memcpy(out, in, n * sizeof *out);
    }
}

/* -- rows -------------------------------------------------------------------------------------- */

/* The new columns of row i that are kept, in no order, to out; how many. Writes one more. */
static uint64_t name_columns(const Job *job, uint64_t i, gb_Idx *out) {
    const gb_CsView *A = job->A;
    const uint64_t row = job->args->order[i], length = A->p[row + 1] - A->p[row];
    const gb_Idx *columns = A->i + A->p[row];
    uint64_t kept = 0;
    for (uint64_t e = 0; e < length; e++) {
        const gb_Idx j = job->args->place[columns[e]];
        out[kept] = j;
        kept += inside(job->args, i, j);
    }
    return kept;
}

/* Rows are far apart in A: asks for those that come next. */
static inline void ask_for_rows(const Job *job, uint64_t i) {
    const uint64_t n = job->A->nmajor;
    const gb_Idx *order = job->args->order;
    if (i + 2 * GB_PERMUTE_AHEAD >= n) return;
    __builtin_prefetch(&job->A->p[order[i + 2 * GB_PERMUTE_AHEAD]]);
    __builtin_prefetch(&job->A->i[job->A->p[order[i + GB_PERMUTE_AHEAD]]]);
}

/* The same with values: keys are column << 32 | number of the entry in its row. */
static uint64_t take_entries(const Job *job, uint64_t i, uint64_t q, uint64_t *key) {
    const gb_CsView *A = job->A;
    const uint64_t row = job->args->order[i], length = A->p[row + 1] - A->p[row];
    uint64_t kept = 0;
    for (uint64_t e = 0; e < length; e++) {
        const uint64_t j = job->args->place[A->i[A->p[row] + e]];
        if (inside(job->args, i, j)) key[kept++] = j << 32 | e;
    }
    if (kept > 1) gb_sort64(key, key + job->longest, kept, 32, 32 + job->bits);
    const size_t size = A->xsize;
    const char *x = (const char *)A->x + A->p[row] * size;
    for (uint64_t k = 0; k < kept; k++) {
        job->T->i[q + k] = (gb_Idx)(key[k] >> 32);
        gb_copy_value((char *)job->T->x + (q + k) * size, x + (key[k] & UINT32_MAX) * size, size);
    }
    return kept;
}

static void fill_part(void *context, uint64_t t) {
    const Job *job = context;
    gb_RowPart *part = &job->parts.part[t];
    uint64_t *scratch = job->scratch + (uint64_t)gb_thread_id() * job->words;
    gb_Idx *columns = (gb_Idx *)(void *)scratch;
    uint64_t *words = scratch + 2 * job->longest;
    const Set set = {words, words + job->A->nminor / 64 + 1};
    uint64_t q = part->first;
    for (uint64_t i = part->from; i < part->to; i++) {
        job->T->p[i] = q;
        ask_for_rows(job, i);
        if (!job->A->iso) {
            q += take_entries(job, i, q, scratch);
        } else {
            const uint64_t n = name_columns(job, i, columns);
            sort_different(job, set, columns, n, job->T->i + q);
            q += n;
        }
    }
    part->end = q;
}

static gbl_Info permute(Job *job) {
    const gb_CsView *A = job->A;
    gb_Cs *T = job->T;
    size_t bytes = 0;
    gbl_Info info = gb_row_parts_alloc(T, A->xsize);
    if (info != GBL_SUCCESS) return info;
    job->words = 2 * job->longest;
    if (A->iso && is_by_bits(A->nminor, job->longest))
        job->words += A->nminor / 64 + A->nminor / GB_BLOCK_SPAN + 2;
    if (gb_size_mul(&bytes, job->words, (size_t)job->parts.threads * sizeof *job->scratch))
        job->scratch = gb_calloc(bytes);
    if (job->scratch == NULL && job->words > 0) return gb_fail_memory(bytes);
    if (A->iso && A->nvals > 0) memcpy(T->x, A->x, A->xsize);
    info = gb_parallel_try(job->parts.threads, job->parts.n, fill_part, job);
    if (info == GBL_SUCCESS) gb_row_parts_close(&job->parts, T, A->xsize);
    gb_free(job->scratch, bytes);
    return info;
}

gbl_Info gb_cpu_permute(const gb_PermuteArgs *args, const gb_CsView *A, gb_Cs *T) {
    Job job = {.args = args, .A = A, .T = T, .bits = gb_key_bits(A->nminor)};
    gbl_Info info = gb_cs_alloc(T, A->nmajor, 0, 0);
    if (info != GBL_SUCCESS) return info;
    T->iso = A->iso;
    for (uint64_t i = 0; i < A->nmajor; i++)
        T->p[i + 1] = A->p[args->order[i] + 1] - A->p[args->order[i]];
    job.longest = gb_sum_rows(T);
    info = gb_row_parts_make(&job.parts, T, args->nthreads);
    if (info == GBL_SUCCESS) info = permute(&job);
    gb_row_parts_free(&job.parts);
    if (info != GBL_SUCCESS) gb_cs_free(T);
    return info;
}
