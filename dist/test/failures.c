/* SPDX-License-Identifier: Apache-2.0
 *
 * A process that has no memory, and one that is told to stop: all fail alike, nothing changes,
 * nothing leaks, and the next call works.
 */
#include "dist_test.h"

/* The library's allocator here: allocation `fails_at`, counted from 1, has no memory. */
static int64_t allocations, fails_at;
static int64_t blocks;

static void *counted_malloc(size_t size) {
    if (__atomic_add_fetch(&allocations, 1, __ATOMIC_RELAXED) == fails_at) return NULL;
    void *block = malloc(size);
    if (block) __atomic_add_fetch(&blocks, 1, __ATOMIC_RELAXED);
    return block;
}

static void counted_free(void *block) {
    if (block) __atomic_sub_fetch(&blocks, 1, __ATOMIC_RELAXED);
    free(block);
}

typedef struct {
    gbl_Matrix A, C;
    gbl_Vector u;
    gbl_DistMatrix a, c;
    gbl_DistVector v;
    gbl_Scalar y;
    gbl_RowFilter keep;
} World;

static gbl_Info multiply(World *w) {
    return gbl_dist_mxm(w->c, w->a, GBL_PLUS_INT64, GBL_PLUS_TIMES_SEMIRING_INT64, w->a, w->a,
                        GBL_DESC_ST1);
}
static gbl_Info times_vector(World *w) {
    return gbl_dist_vxm(w->v, NULL, GBL_PLUS_INT64, GBL_MIN_PLUS_SEMIRING_INT64, w->v, w->a, NULL);
}
static gbl_Info transpose(World *w) {
    return gbl_DistMatrix_transpose(w->c, w->a, NULL, w->a, GBL_DESC_S);
}
static gbl_Info lower(World *w) {
    return gbl_DistMatrix_select(w->c, NULL, NULL, GBL_TRIL, w->a, w->y, NULL);
}
static gbl_Info filtered(World *w) {
    return gbl_dist_mxm_select(w->c, GBL_PLUS_TIMES_SEMIRING_INT64, &w->keep, w->a, w->a);
}
static gbl_Info load(World *w) {
    gbl_DistMatrix made;
    const gbl_Info info = gbl_DistMatrix_load(&made, GBL_INT64, "rmats:5:3", t_grid);
    CHECK((made != NULL) == (info == GBL_SUCCESS));
    (void)w;
    return gbl_DistMatrix_free(&made) == GBL_SUCCESS ? info : GBL_PANIC;
}
static gbl_Info gather(World *w) {
    gbl_Matrix all;
    const gbl_Info info = gbl_DistMatrix_gather(&all, w->a, 0);
    return gbl_Matrix_free(&all) == GBL_SUCCESS ? info : GBL_PANIC;
}
static gbl_Info reduce(World *w) {
    return gbl_DistMatrix_reduce_rows(w->v, NULL, NULL, GBL_PLUS_MONOID_INT64, w->a, NULL);
}

/* Restarts the library with the allocator above. */
static void restart(bool counted) {
    OK(gbl_Grid_free(&t_grid));
    OK(gbl_finalize());
    if (counted)
        OK(gbl_init_with_allocator(GBL_NONBLOCKING, counted_malloc, NULL, counted_free));
    else
        OK(gbl_init(GBL_NONBLOCKING));
    OK(gbl_Global_set_INT32(GBL_GLOBAL, 1, GBL_NTHREADS));
    OK(gbl_Global_set_INT64(GBL_GLOBAL, 0, GBL_POOL_LIMIT));
    OK(gbl_Grid_new(&t_grid, MPI_COMM_WORLD));
}

static World new_world(void) {
    World w = {.A = t_make(GBL_INT64, "rmat:5:4"), .C = t_make(GBL_INT64, "er:5:3")};
    w.a = t_spread(w.A);
    w.c = t_spread(w.C);
    w.u = t_vector(GBL_INT64, 32, 2, 1);
    w.v = t_spread_vector(w.u);
    w.y = t_scalar_INT64(0);
    w.keep = (gbl_RowFilter){.size = sizeof w.keep, .most = 3};
    return w;
}

static void free_world(World *w) {
    OK(gbl_Matrix_free(&w->A));
    OK(gbl_Matrix_free(&w->C));
    OK(gbl_Vector_free(&w->u));
    OK(gbl_DistMatrix_free(&w->a));
    OK(gbl_DistMatrix_free(&w->c));
    OK(gbl_DistVector_free(&w->v));
    OK(gbl_Scalar_free(&w->y));
}

/* Every `step`-th allocation of the last process fails, until the call works. */
static void without_memory(gbl_Info (*call)(World *), const char *name, int64_t step) {
    World first = new_world(); /* what stays from a first call */
    OK(call(&first));
    free_world(&first);
    const int64_t before = blocks;
    for (int64_t n = 1;; n += step) {
        World w = new_world();
        fails_at = t_rank == t_processes - 1 ? allocations + n : 0;
        const gbl_Info info = call(&w);
        int64_t reached = allocations >= fails_at;
        fails_at = 0;
        MPI_Bcast(&reached, 1, MPI_INT64_T, t_processes - 1, MPI_COMM_WORLD);
        int32_t mine = info, least, most;
        MPI_Allreduce(&mine, &least, 1, MPI_INT32_T, MPI_MIN, MPI_COMM_WORLD);
        MPI_Allreduce(&mine, &most, 1, MPI_INT32_T, MPI_MAX, MPI_COMM_WORLD);
        CHECK(least == most);
        CHECK(info == GBL_SUCCESS || info == GBL_OUT_OF_MEMORY);
        if (info == GBL_OUT_OF_MEMORY) {
            t_compare(w.a, w.A, 0, name);
            t_compare(w.c, w.C, 0, name);
            t_compare_vector(w.v, w.u, 0, name);
            OK(call(&w)); /* works now */
        }
        free_world(&w);
        if (!reached) break; /* the call ended before the allocation that would fail */
    }
    CHECK(blocks == before);
}

static bool stop(void *context, const char *what, double done) {
    (void)context;
    (void)what;
    (void)done;
    return false;
}

static void cancelled(void) {
    gbl_Matrix A = t_make(GBL_FP64, "rmat:11:16"), C = t_make(GBL_FP64, "er:11:1");
    gbl_DistMatrix a = t_spread(A), c = t_spread(C);
    if (t_rank == 0) OK(gbl_set_progress(stop, NULL));
    CHECK(gbl_dist_mxm(c, NULL, NULL, GBL_PLUS_TIMES_SEMIRING_FP64, a, a, NULL) == GBL_CANCELLED);
    OK(gbl_set_progress(NULL, NULL));
    t_compare(c, C, 0, "a cancelled product");
    OK(gbl_DistMatrix_free(&a));
    OK(gbl_DistMatrix_free(&c));
    OK(gbl_Matrix_free(&A));
    OK(gbl_Matrix_free(&C));
}

void test_failures(void) {
    const int64_t step = t_processes > 4 ? 11 : t_processes > 1 ? 3 : 1;
    cancelled();
    restart(true);
    without_memory(multiply, "mxm", step);
    without_memory(times_vector, "vxm", step);
    without_memory(transpose, "transpose", step);
    without_memory(lower, "select", step);
    without_memory(filtered, "mxm_select", step);
    without_memory(load, "load", step);
    without_memory(gather, "gather", step);
    without_memory(reduce, "reduce_rows", step);
    restart(false);
}
