/* SPDX-License-Identifier: Apache-2.0
 *
 * Sizes of the products of a chain, without multiplying. The columns of row r of i..j are the union
 * of those of the rows of i+1..j that row r of factor i selects, so sketches of rows go from right
 * to left, one pass over factor i for each j; columns in the same way from left to right.
 *
 * Where the sketches themselves are not needed any more (rows of 1..j, columns of i..n-2), a sample
 * of rows is enough: they are taken in proportion to what they weigh in the product with the factor
 * before them, so that a few long rows cannot spoil the sum. Three factors need nothing else, and
 * read the middle one only for its counts.
 */
#include "mxm/chain/chain.h"

#include "mxm/machine/cost_table.h"

enum { REGISTERS = GB_CHAIN_REGISTERS };

/* Rows of a view that stand for all of them. */
typedef struct {
    uint64_t count;
    uint64_t *rows; /* [count] ascending */
    float *share;   /* [count] how many rows each stands for */
    float *size;    /* [count] out */
} gb_Sample;

typedef struct {
    const gb_ChainCall *call;
    gb_ChainSizes *sizes;
    gb_CsView rows[GB_CHAIN_MOST]; /* of the factors */
    gb_Sample first, last;         /* rows of factor 1, columns of factor n - 2 */
    gb_Cs picked;                  /* the columns of `last` as rows */
} gb_Measure;

static int threads(uint64_t work) {
    return gb_threads_for(work, GB_GRAIN, gb_nthreads());
}

static gb_Format format_of(const gb_ChainCall *call, int f, bool by_columns) {
    return gb_chain_transposed(call, f) == by_columns ? GB_CSR : GB_CSC;
}

/* *x: n of them, which is NULL where n is 0. false: no memory. */
static bool new_floats(float **x, uint64_t n) {
    size_t bytes;
    *x = gb_size_mul(&bytes, n, sizeof **x) ? gb_malloc(bytes) : NULL;
    return *x != NULL || n == 0;
}

/* -- counts of the factors themselves */

static void count_majors(float *count, const gb_CsView *A) {
    for (uint64_t r = 0; r < A->nmajor; r++) count[r] = (float)(A->p[r + 1] - A->p[r]);
}

static gbl_Info count_columns(float *count, const gb_CsView *A) {
    size_t bytes;
    uint32_t *exact = gb_size_mul(&bytes, A->nminor, sizeof *exact) ? gb_calloc(bytes) : NULL;
    if (A->nminor == 0) return GBL_SUCCESS;
    if (exact == NULL) return gb_fail_memory(A->nminor * sizeof *exact);
    for (uint64_t p = 0; p < A->nvals; p++) exact[A->i[p]]++;
    for (uint64_t c = 0; c < A->nminor; c++) count[c] = (float)exact[c];
    gb_free(exact, bytes);
    return GBL_SUCCESS;
}

static gbl_Info measure_factor(gb_Measure *m, int f) {
    gb_ChainSizes *s = m->sizes;
    gb_Matrix *A = m->call->A[f];
    const gb_Format columns = format_of(m->call, f, true);
    gbl_Info info = gb_acquire(A, format_of(m->call, f, false), &m->rows[f]);
    if (info != GBL_SUCCESS) return info;
    s->entries[f][f] = (double)m->rows[f].nvals;
    if (!new_floats(&s->rows[f][f], s->shape[f]) ||
        (f < s->n - 1 && !new_floats(&s->columns[f][f], s->shape[f + 1])))
        return gb_fail_memory((s->shape[f] + s->shape[f + 1]) * sizeof(float));
    count_majors(s->rows[f][f], &m->rows[f]);
    if (f == s->n - 1) return GBL_SUCCESS;
    if ((gb_has(A) & gb_has_bit(columns)) == 0) return count_columns(s->columns[f][f], &m->rows[f]);
    gb_CsView view;
    info = gb_acquire(A, columns, &view);
    if (info == GBL_SUCCESS) count_majors(s->columns[f][f], &view);
    return info;
}

/* -- samples */

static void free_sample(gb_Sample *s, uint64_t n) {
    const uint64_t most = n < 2 * GB_CHAIN_SAMPLES ? n : GB_CHAIN_SAMPLES;
    gb_free(s->rows, most * sizeof *s->rows);
    gb_free(s->share, most * sizeof *s->share);
    gb_free(s->size, most * sizeof *s->size);
}

/* Samples n rows: all when few; else at equal distances of weight, the row's length times (uses +
 * 1), so that unused rows count in the size of the product. */
static gbl_Info choose_sample(gb_Sample *s, uint64_t n, const float *length, const float *uses) {
    const uint64_t most = n < 2 * GB_CHAIN_SAMPLES ? n : GB_CHAIN_SAMPLES;
    double total = 0.0, passed = 0.0;
    uint64_t next = 0;
    if (n == 0) return GBL_SUCCESS;
    s->rows = gb_malloc(most * sizeof *s->rows);
    s->share = gb_malloc(most * sizeof *s->share);
    s->size = gb_malloc(most * sizeof *s->size);
    if (s->rows == NULL || s->share == NULL || s->size == NULL)
        return gb_fail_memory(most * (sizeof *s->rows + 2 * sizeof *s->share));
    for (uint64_t r = 0; r < n; r++) total += (double)length[r] * ((double)uses[r] + 1.0);
    const double distance = total / (double)most;
    for (uint64_t r = 0; r < n; r++) {
        const double weight = (double)length[r] * ((double)uses[r] + 1.0);
        uint64_t times = most == n;
        passed += weight;
        for (; most < n && next < most && ((double)next + 0.5) * distance < passed; next++) times++;
        if (times == 0) continue;
        s->rows[s->count] = r;
        s->share[s->count++] = most == n ? 1.0F : (float)((double)times * distance / weight);
    }
    return GBL_SUCCESS;
}

/* The expected entries of all rows, and products when each is used so many times. */
static void weigh_sample(const gb_Sample *s, const float *uses, double *entries, double *flops) {
    *entries = *flops = 0.0;
    for (uint64_t k = 0; k < s->count; k++) {
        const double stands_for = (double)s->share[k] * (double)s->size[k];
        *entries += stands_for;
        *flops += stands_for * (double)uses[s->rows[k]];
    }
}

/* Picks entries of A by their columns; place[c]: 1 + the row of `picked` that column c becomes, 0:
 * none. Counted anew, since floats round the counts of long columns. */
static gbl_Info pick_entries(gb_Cs *picked, const gb_CsView *A, const uint32_t *place,
                             const gb_Sample *s) {
    uint64_t at[2 * GB_CHAIN_SAMPLES + 1] = {0}; /* entries of row k - 1, then its end */
    for (uint64_t q = 0; q < A->nvals; q++) at[place[A->i[q]]]++;
    at[0] = 0;
    for (uint64_t k = 0; k < s->count; k++) at[k + 1] += at[k];
    const gbl_Info info = gb_cs_alloc(picked, s->count, at[s->count], 0);
    if (info != GBL_SUCCESS) return info;
    memcpy(picked->p, at, (s->count + 1) * sizeof *at);
    for (uint64_t r = 0; r < A->nmajor; r++)
        for (gb_Off q = A->p[r]; q < A->p[r + 1]; q++) {
            const uint32_t k = place[A->i[q]];
            if (k > 0) picked->i[at[k - 1]++] = (gb_Idx)r;
        }
    return GBL_SUCCESS;
}

/* The sampled columns of factor f as rows. */
static gbl_Info pick_columns(gb_Measure *m, int f) {
    const gb_CsView *A = &m->rows[f];
    const gb_Sample *s = &m->last;
    const size_t bytes = A->nminor * sizeof(uint32_t);
    uint32_t *place = gb_calloc(bytes);
    if (place == NULL && bytes > 0) return gb_fail_memory(bytes);
    for (uint64_t k = 0; k < s->count; k++) place[s->rows[k]] = (uint32_t)k + 1;
    const gbl_Info info = pick_entries(&m->picked, A, place, s);
    gb_free(place, bytes);
    return info;
}

/* -- unions from one end of the chain to the other */

/* Two alternating buffers of sketches. */
typedef struct {
    uint8_t *of[2];
    size_t bytes;
} gb_Sketches;

static gbl_Info alloc_sketches(gb_Sketches *b, const gb_ChainSizes *s, int buffers) {
    uint64_t most = 0;
    for (int f = 0; f <= s->n; f++) most = s->shape[f] > most ? s->shape[f] : most;
    if (!gb_size_mul(&b->bytes, most, REGISTERS)) return gb_fail_memory(SIZE_MAX);
    for (int k = 0; k < buffers; k++) {
        b->of[k] = gb_malloc(b->bytes);
        if (b->of[k] == NULL && b->bytes > 0) return gb_fail_memory(b->bytes);
    }
    return GBL_SUCCESS;
}

/* All rows of A times what sketch and length describe; *size is made, *entries its sum. */
static gbl_Info unite_all(gb_SketchArgs *u, float **size, double *entries) {
    if (!new_floats(size, u->A.nmajor)) return gb_fail_memory(u->A.nmajor * sizeof **size);
    u->rows = NULL;
    u->count = u->A.nmajor;
    u->size = *size;
    u->nthreads = threads(u->A.nvals);
    gb_backend()->sketch_sizes(u);
    *entries = 0.0;
    for (uint64_t r = 0; r < u->count; r++) *entries += (double)(*size)[r];
    return GBL_SUCCESS;
}

static void unite_sample(gb_SketchArgs *u, const gb_Sample *s, const uint64_t *rows) {
    u->rows = rows;
    u->count = s->count;
    u->size = s->size;
    u->united = NULL;
    u->nthreads = threads(s->count * (1 + u->A.nvals / (u->A.nmajor + 1)));
    gb_backend()->sketch_sizes(u);
}

/* Rows of i..j for i from j - 1 down to 1; j >= 2. */
static gbl_Info measure_rows(gb_Measure *m, gb_Sketches *buffers, int j) {
    gb_ChainSizes *s = m->sizes;
    gb_SketchArgs u = {
        .length = s->rows[j][j], .registers = REGISTERS, .ncols = s->shape[j + 1], .clamp = true};
    gbl_Info info =
        gb_sketch_get(&u.sketch, m->call->A[j], format_of(m->call, j, false), REGISTERS);
    for (int i = j - 1; i >= 2 && info == GBL_SUCCESS; i--) {
        u.A = m->rows[i];
        u.united = buffers->of[i % 2];
        info = unite_all(&u, &s->rows[i][j], &s->entries[i][j]);
        u.sketch = u.united;
        u.length = s->rows[i][j];
    }
    if (info != GBL_SUCCESS) return info;
    u.A = m->rows[1];
    unite_sample(&u, &m->first, m->first.rows);
    weigh_sample(&m->first, s->columns[0][0], &s->entries[1][j], &s->flops_first[j]);
    return GBL_SUCCESS;
}

/* Sketches of the columns of factor f: of its representation by columns if there is one. */
static gbl_Info columns_of_factor(const uint8_t **sketch, gb_Measure *m, int f, uint8_t *buffer) {
    gb_Matrix *A = m->call->A[f];
    const gb_Format columns = format_of(m->call, f, true);
    if (gb_has(A) & gb_has_bit(columns)) return gb_sketch_get(sketch, A, columns, REGISTERS);
    gb_backend()->sketch_columns(&m->rows[f], REGISTERS, buffer, threads(m->rows[f].nvals));
    *sketch = buffer;
    return GBL_SUCCESS;
}

/* Columns of i..j for j from i + 1 up to n - 2; i <= n - 3. */
static gbl_Info measure_columns(gb_Measure *m, gb_Sketches *buffers, int i) {
    gb_ChainSizes *s = m->sizes;
    const int last = s->n - 2;
    double entries = 0.0;
    gb_SketchArgs u = {
        .length = s->columns[i][i], .registers = REGISTERS, .ncols = s->shape[i], .clamp = true};
    gbl_Info info = columns_of_factor(&u.sketch, m, i, buffers->of[i % 2]);
    for (int j = i + 1; j < last && info == GBL_SUCCESS; j++) {
        info = gb_acquire(m->call->A[j], format_of(m->call, j, true), &u.A);
        if (info != GBL_SUCCESS) return info;
        u.united = buffers->of[j % 2];
        info = unite_all(&u, &s->columns[i][j], &entries);
        if (i == 0) s->entries[0][j] = entries;
        u.sketch = u.united;
        u.length = s->columns[i][j];
    }
    if (info != GBL_SUCCESS) return info;
    u.A = gb_cs_view(&m->picked, s->shape[last], 0);
    unite_sample(&u, &m->last, NULL);
    weigh_sample(&m->last, s->rows[last + 1][last + 1], &entries, &s->flops_last[i]);
    if (i == 0) s->entries[0][last] = entries;
    return GBL_SUCCESS;
}

static gbl_Info measure_products(gb_Measure *m) {
    gb_ChainSizes *s = m->sizes;
    gb_Sketches buffers = {{NULL, NULL}, 0};
    const int n = s->n;
    gbl_Info info = choose_sample(&m->first, s->shape[1], s->rows[1][1], s->columns[0][0]);
    if (info == GBL_SUCCESS)
        info = choose_sample(&m->last, s->shape[n - 1], s->columns[n - 2][n - 2],
                             s->rows[n - 1][n - 1]);
    if (info == GBL_SUCCESS) info = pick_columns(m, n - 2);
    if (info == GBL_SUCCESS) info = alloc_sketches(&buffers, s, n > 3 ? 2 : 1);
    for (int j = 2; j < n && info == GBL_SUCCESS; j++) info = measure_rows(m, &buffers, j);
    for (int i = 0; i < n - 2 && info == GBL_SUCCESS; i++) info = measure_columns(m, &buffers, i);
    for (int k = 0; k < 2; k++) gb_free(buffers.of[k], buffers.bytes);
    return info;
}

gbl_Info gb_chain_measure(gb_ChainSizes *s, const gb_ChainCall *call) {
    gb_Measure m = {.call = call, .sizes = s};
    gbl_Info info = GBL_SUCCESS;
    s->n = call->count;
    for (int f = 0; f < s->n; f++) {
        const gb_Format rows = format_of(call, f, false);
        s->shape[f] = gb_nmajor(call->A[f], rows);
        s->shape[f + 1] = gb_nminor(call->A[f], rows);
    }
    for (int f = 0; f < s->n && info == GBL_SUCCESS; f++) info = measure_factor(&m, f);
    if (info == GBL_SUCCESS && s->n > 2) info = measure_products(&m);
    free_sample(&m.first, s->shape[1]);
    free_sample(&m.last, s->shape[s->n - 1]);
    gb_cs_free(&m.picked);
    return info;
}

void gb_chain_release(gb_ChainSizes *s) {
    for (int i = 0; i < s->n; i++)
        for (int j = i; j < s->n; j++) {
            gb_free(s->rows[i][j], s->shape[i] * sizeof(float));
            gb_free(s->columns[i][j], s->shape[j + 1] * sizeof(float));
        }
}

double gb_chain_flops(const gb_ChainSizes *s, int i, int m, int j) {
    if (m == 0 && j > 1) return s->flops_first[j];
    if (m == s->n - 2 && i < m) return s->flops_last[i];
    const float *left = s->columns[i][m], *right = s->rows[m + 1][j];
    double flops = 0.0;
    for (uint64_t k = 0; k < s->shape[m + 1]; k++) flops += (double)left[k] * (double)right[k];
    return flops;
}
