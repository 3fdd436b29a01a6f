/* SPDX-License-Identifier: Apache-2.0
 *
 * The least fixpoint of w = w (+) w * A, of any semiring and any dimension: multiplies the latest
 * changes until nothing changes (Bellman-Ford with sparse vectors). Shortest paths have a kernel of
 * their own. Hypersparse operands get one common row list, of the indices of w
 * and both dimensions of A.
 *
 * A path without a cycle has at most nvals(A) edges, and fewer than there are vertices, so changes
 * after as many rounds never end.
 */
#include "graph/graph.h"

#include <float.h>

#include "core/cat.h"
#include "lazy/operations.h"
#include "ops/finish.h"
#include "ops/operations.h"

/* -- shortest paths ---------------------------------------------------------------------------- */

/* By delta-stepping (U. Meyer, P. Sanders, 2003): vertices whose distance has fallen wait in
 * buckets of distances of the requested width; the nearest bucket is relaxed until it stays empty,
 * then the next one. Vertices that go on to a nearer bucket stay in theirs, which skips them, and
 * skip those that are final by then. While a bucket is short, the caller alone relaxes it, in plain
 * loads and stores and without a call; a long one is shared out, each thread with buckets of its
 * own (as in the GAP suite, S. Beamer, K. Asanovic, D. Patterson, 2015).
 *
 * A distance d is in bucket floor(d / width). BUCKETS of them from `base` on are open; farther ones
 * wait together, are split when all open ones are empty, and make buckets wider where few of them
 * would be in the open ones: a width that is too small costs time once.
 *
 * Distances are kept as the bits of values from 0 on, infinity among them, which order as unsigned
 * integers; FAR, all ones, is no value. Integer sums that the type does not hold are between both:
 * they are kept but lead nowhere, and if one is still there in the end, it is an error, whatever
 * the order in which edges were relaxed. The result is, of all paths, the least sum from the left.
 *
 * Cost: O(n + entries) and, of each bucket, its entries as often as distances in it fall. */

enum { BUCKETS = GB_CLOSURE_BUCKETS }; /* open ones */
#define LATER BUCKETS                  /* the one of those that are farther */
#define LAST ((uint64_t)1 << 62)       /* bucket of all distances that are not below it */

typedef struct {
    gb_Idx *v;
    uint64_t n, capacity; /* vertices */
} Bucket;

typedef struct {
    Bucket at[BUCKETS + 1];
} Buckets;

typedef struct {
    gb_CsView A; /* its rows are edges; values of the type of distances */
    void *distance;
    uint64_t n;
    Buckets *buckets; /* [nthreads] */
    int nthreads;
    double inverse;   /* 1 / width, or 0 */
    uint64_t base;    /* first open bucket */
    uint64_t present; /* distances of earlier buckets are final */
    Bucket shared;    /* what the team relaxes */
    uint64_t parts;
    uint64_t reached, unreported;     /* vertices; relaxed since the last report */
    bool no_memory, unfit, overflows; /* atomic: or to end; a value that this is not for; a sum */
} Paths;

static void set_flag(bool *flag) {
    __atomic_store_n(flag, true, __ATOMIC_RELAXED);
}

static bool grow(Paths *s, Bucket *b, uint64_t more) {
    const uint64_t capacity = b->n + more > 2 * b->capacity ? b->n + more : 2 * b->capacity;
    gb_Idx *const v = gb_resize(b->v, b->capacity * sizeof *v, gb_size_of(capacity + 16, sizeof *v),
                                b->n * sizeof *v);
    if (v == NULL) {
        set_flag(&s->no_memory);
        return false;
    }
    b->v = v;
    b->capacity = capacity + 16;
    return true;
}

static inline void push(Paths *s, Bucket *b, gb_Idx v) {
    if (b->n == b->capacity && !grow(s, b, 1)) return;
    b->v[b->n++] = v;
}

/* What threads have in bucket `at` becomes the caller's. */
static Bucket *gather(Paths *s, uint64_t at) {
    Bucket *const all = &s->buckets[0].at[at];
    for (int t = 1; t < s->nthreads; t++) {
        Bucket *const b = &s->buckets[t].at[at];
        if (b->n == 0 || (all->capacity - all->n < b->n && !grow(s, all, b->n))) continue;
        memcpy(all->v + all->n, b->v, b->n * sizeof *b->v);
        all->n += b->n;
        b->n = 0;
    }
    return all;
}

/* The bucket of a distance, which grows with it. */
static inline uint64_t bucket_of(const Paths *s, double distance) {
    const double at = distance * s->inverse;
    return at < (double)LAST ? (uint64_t)(int64_t)at : LAST; /* also of infinity * 0 */
}

static inline Bucket *open_bucket(const Paths *s, Buckets *own, double distance) {
    const uint64_t at = bucket_of(s, distance) - s->base;
    return &own->at[at < BUCKETS ? at : LATER];
}

static int threads_for(const Paths *s, uint64_t vertices) {
    const uint64_t edges = vertices * (s->A.nvals / (s->n + 1) + 1);
    return gb_threads_for(edges, GB_CLOSURE_GRAIN, s->nthreads);
}

/* The last pass: b[k] = whether k was reached. */
typedef struct {
    Paths *s;
    int8_t *b;
} Marking;

#define PATHS_NAME INT32
#define PATHS_T int32_t
#define PATHS_U uint32_t
#define PATHS_MOST INT32_MAX
#include "graph/shortest_paths.tmpl.h"
#define PATHS_NAME INT64
#define PATHS_T int64_t
#define PATHS_U uint64_t
#define PATHS_MOST INT64_MAX
#include "graph/shortest_paths.tmpl.h"
#define PATHS_IS_FLOAT
#define PATHS_NAME FP32
#define PATHS_T float
#define PATHS_U uint32_t
#define PATHS_MOST UINT32_C(0x7f800000) /* infinity */
#include "graph/shortest_paths.tmpl.h"
#define PATHS_NAME FP64
#define PATHS_T double
#define PATHS_U uint64_t
#define PATHS_MOST UINT64_C(0x7ff0000000000000)
#include "graph/shortest_paths.tmpl.h"
#undef PATHS_IS_FLOAT

typedef struct {
    void (*check)(void *paths, uint64_t from, uint64_t to);  /* values of A */
    void (*start)(Paths *s, const gb_CsView *w);             /* from the entries of w */
    void (*settle)(Paths *s);                                /* all distances */
    void (*mark)(void *marking, uint64_t from, uint64_t to); /* which were reached */
} Kernel;

#define KERNEL(N)                                                                                  \
    { check_##N, start_##N, settle_##N, mark_##N }
static const Kernel *kernel_of(int ring) {
    static const Kernel kernels[] = {KERNEL(INT32), KERNEL(INT64), KERNEL(FP32), KERNEL(FP64)};
    switch (ring) {
    case GB_RING_MIN_PLUS_INT32:
        return &kernels[0];
    case GB_RING_MIN_PLUS_INT64:
        return &kernels[1];
    case GB_RING_MIN_PLUS_FP32:
        return &kernels[2];
    case GB_RING_MIN_PLUS_FP64:
        return &kernels[3];
    default:
        return NULL;
    }
}

static void release(Paths *s) {
    const size_t bytes = (size_t)s->nthreads * sizeof *s->buckets;
    for (int t = 0; s->buckets != NULL && t < s->nthreads; t++)
        for (int k = 0; k <= LATER; k++) {
            const Bucket *b = &s->buckets[t].at[k];
            gb_free(b->v, b->capacity * sizeof *b->v);
        }
    gb_free(s->shared.v, s->shared.capacity * sizeof *s->shared.v);
    gb_free(s->buckets, bytes);
}

/* T->dense.x = the distances. */
static gbl_Info find_paths(Paths *s, const Kernel *kernel, const gb_CsView *w, gb_Result *T) {
    s->buckets = gb_calloc((size_t)s->nthreads * sizeof *s->buckets);
    if (s->buckets == NULL) return gb_fail_memory((size_t)s->nthreads * sizeof *s->buckets);
    if (s->n > 0) memset(s->distance, 0xff, s->n * T->type->size);
    kernel->start(s, w);
    if (s->unfit) return GBL_SUCCESS;
    kernel->settle(s);
    if (s->no_memory) return gb_fail_memory(s->n * sizeof(gb_Idx));
    gb_parallel_items(s->nthreads, s->n, kernel->mark, &(Marking){s, T->dense.b});
    if (s->overflows)
        return gb_fail(GBL_INVALID_VALUE,
                       "a path is longer than %s holds; w should have a wider type",
                       gb_type_name(T->type));
    T->dense.nvals = s->reached;
    if (s->reached < s->n) return GBL_SUCCESS;
    gb_free(T->dense.b, s->n);
    T->dense.b = NULL;
    return GBL_SUCCESS;
}

/* For (min, plus) of INT32, INT64, FP32 and FP64, w of that type, where neither w nor A has values
 * below 0 or NaN; *done = whether that holds. Precondition: nothing is hypersparse. */
static gbl_Info run_paths(const gb_Closure *call, bool *done) {
    gb_Matrix *const w = call->w;
    const gb_Type *type = call->ring->add->op->ztype;
    const Kernel *kernel = kernel_of(call->ring->kernel);
    const double inverse = call->width > 0 ? 1 / call->width : 0;
    Paths s = {.n = w->nrows, .nthreads = gb_nthreads()};
    gb_Operand A = {0};
    gb_CsView list;
    gb_Result T = {.type = type, .format = GB_CSC, .is_dense = true};
    *done = false;
    if (kernel == NULL || w->type->code != type->code) return GBL_SUCCESS;
    s.inverse = inverse < INFINITY ? inverse : DBL_MAX;
    gbl_Info info = gb_operand_get(&A, call->A, call->transpose ? GB_CSC : GB_CSR, type);
    if (info == GBL_SUCCESS) info = gb_acquire_sorted(w, GB_CSC, &list);
    if (info == GBL_SUCCESS)
        info = gb_dense_alloc(&T.dense, s.n, gb_size_of(s.n, type->size), true);
    if (info == GBL_SUCCESS) {
        const uint64_t values = A.view.iso && A.view.nvals > 0 ? 1 : A.view.nvals;
        s.A = A.view;
        s.distance = T.dense.x;
        gb_parallel_items(s.nthreads, values, kernel->check, &s);
        if (!s.unfit) info = find_paths(&s, kernel, &list, &T);
        release(&s);
    }
    gb_operand_release(&A);
    *done = info != GBL_SUCCESS || !s.unfit;
    if (info == GBL_SUCCESS && *done) return gb_finish(w, &(gb_Mask){0}, NULL, &T);
    gb_result_free(&T);
    return info;
}

/* -- any semiring ------------------------------------------------------------------------------ */

static gbl_Info repeat(gb_Matrix *best, gb_Matrix *changed, const gb_Closure *call) {
    const gb_MxvCall round = {.w = changed,
                              .best = best,
                              .ring = call->ring,
                              .A = call->A,
                              .u = changed,
                              .transpose = call->transpose,
                              .u_is_left = true,
                              .choices = call->choices};
    uint64_t edges, now = 0;
    gbl_Info info = gb_matrix_nvals(call->A, &edges);
    const uint64_t most = edges < best->nrows ? edges + 1 : best->nrows;
    for (uint64_t k = 0; info == GBL_SUCCESS; k++) {
        info = gb_matrix_nvals(changed, &now);
        if (info != GBL_SUCCESS || now == 0) return info;
        if (k == most)
            return gb_fail(GBL_INVALID_VALUE,
                           "w still changes after %llu rounds: A has a circle that improves what "
                           "goes round, such as one of negative length",
                           (unsigned long long)k);
        info = gb_run_now(&gb_op_vxm_update, &round);
    }
    return info;
}

static void report(gb_Matrix *w, bool paths) {
    gb_matrix_explain(
        w, &(gbl_Explanation){.operation = "closure",
                              .method = paths ? "buckets" : "rounds",
                              .workflow = paths ? "delta-stepping" : "push or pull",
                              .reason = "shortest paths have a kernel; GBL_METHOD is for rounds"});
}

static gbl_Info closure_host(const void *asked) {
    const gb_Closure *call = asked;
    gb_Matrix *const w = call->w, *best = NULL, *changed = NULL;
    bool paths = false;
    gbl_Info info = gb_assemble(w);
    if (info == GBL_SUCCESS) info = gb_assemble(call->A);
    if (info == GBL_SUCCESS) info = run_paths(call, &paths);
    if (info == GBL_SUCCESS && !paths) {
        info = gb_matrix_copy(&best, w);
        if (info == GBL_SUCCESS) info = gb_matrix_copy(&changed, w);
        if (info == GBL_SUCCESS) info = repeat(best, changed, call);
        if (info == GBL_SUCCESS) info = gb_write(w, &(gb_Mask){0}, NULL, best);
        gb_matrix_free(best);
        gb_matrix_free(changed);
    }
    if (info == GBL_SUCCESS) report(w, paths);
    return info;
}

static gbl_Info closure_hyper(const void *asked) {
    const gb_Closure *call = asked;
    gb_Matrix *const w = call->w;
    gb_HyperCall hyper;
    const gbl_Info info = gb_assemble(w);
    if (info != GBL_SUCCESS) return info;
    if (gb_is_filled(w) && !gb_any_huge(w, NULL, call->A, NULL)) return closure_host(call);
    gb_hyper_begin(&hyper, &gb_op_closure, call);
    hyper.keeps = true;
    return gb_hyper_run(&hyper);
}

static gbl_Info check(const void *asked) {
    const gb_Closure *call = asked;
    gb_Matrix *const w = call->w;
    const gb_Opcode add = call->ring->add->op->code;
    if (add != GB_MIN && add != GB_MAX)
        return gb_fail(GBL_DOMAIN_MISMATCH, "the addition of the semiring must be MIN or MAX");
    const gbl_Info info = gb_check_shape(call->A, false, w->nrows, w->nrows, "A");
    return info == GBL_SUCCESS ? gb_mxv_check(&(gb_MxvCall){.w = w,
                                                            .ring = call->ring,
                                                            .A = call->A,
                                                            .u = w,
                                                            .transpose = call->transpose,
                                                            .u_is_left = true})
                               : info;
}

const gb_Op gb_op_closure = {.name = "closure",
                             .bytes = sizeof(gb_Closure),
                             .B = GB_INPUT_TRANSPOSED(gb_Closure, A, transpose, ROWS, ROWS),
                             .check = check,
                             .hyper = closure_hyper,
                             .host = closure_host};
