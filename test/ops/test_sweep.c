/* SPDX-License-Identifier: Apache-2.0
 *
 * What a call asks for and passes over follows its entries: operands of 500 and 1000 entries are
 * n x n for n from 10^3 to 10^8, and no call asks for twice the memory, or passes over twice the
 * items, that it does at 10^4, where pointers to all rows are short. Items are those of loops that
 * threads may share, whose functions this program has in the place of the library's. Objects have a
 * pointer for each row up to 64 times their entries, hence not 1000 everywhere.
 */
#include "ops/counted_loops.h"

#include <stdlib.h>

enum { ENTRIES = 1000, FEW = 25, SIZES = 6, SMALL = 2 /* so many of the sizes */ };

/* -- objects */

typedef struct {
    gbl_Index n, I[ENTRIES], J[ENTRIES];
    double X[ENTRIES];
    gbl_Matrix A, B, M, C;
    gbl_Vector u, v, m, w;
    gbl_Scalar s;
} World;

/* Entries at rows and columns that lie apart. */
static gbl_Matrix matrix(World *o, uint64_t seed, int entries) {
    t_Random r = t_random(seed);
    gbl_Matrix A = t_new_matrix(GBL_FP64, o->n, o->n);
    for (int k = 0; k < entries; k++) {
        o->I[k] = t_below(&r, o->n);
        o->J[k] = t_below(&r, o->n);
        o->X[k] = k % 7 + 1;
    }
    OK(gbl_Matrix_build_FP64(A, o->I, o->J, o->X, (gbl_Index)entries, GBL_PLUS_FP64));
    OK(gbl_Matrix_wait(A, GBL_MATERIALIZE));
    return A;
}

static gbl_Vector vector(World *o, uint64_t seed) {
    t_Random r = t_random(seed);
    gbl_Vector u;
    OK(gbl_Vector_new(&u, GBL_FP64, o->n));
    for (int k = 0; k < FEW; k++) OK(gbl_Vector_setElement_FP64(u, k, t_below(&r, o->n)));
    OK(gbl_Vector_wait(u, GBL_MATERIALIZE));
    return u;
}

static World world_new(gbl_Index n) {
    World o = {.n = n};
    o.B = matrix(&o, 2, ENTRIES / 2);
    o.M = matrix(&o, 3, ENTRIES / 2);
    o.C = matrix(&o, 4, ENTRIES / 2);
    o.A = matrix(&o, 1, ENTRIES); /* whose tuples stay */
    o.u = vector(&o, 5);
    o.v = vector(&o, 6);
    o.m = vector(&o, 7);
    o.w = vector(&o, 8);
    OK(gbl_Scalar_new(&o.s, GBL_FP64));
    return o;
}

static void world_free(World *o) {
    FREE(o->A, o->B, o->M, o->C, o->u, o->v, o->m, o->w);
    OK(gbl_Scalar_free(&o->s));
}

/* -- calls */

typedef void Run(World *o);
typedef struct {
    const char *name;
    Run *run;
} Call;

#define CALL(NAME, ...)                                                                            \
    static void NAME(World *o) {                                                                   \
        __VA_ARGS__;                                                                               \
        if (o->C != NULL) OK(gbl_Matrix_wait(o->C, GBL_MATERIALIZE));                              \
        OK(gbl_Vector_wait(o->w, GBL_MATERIALIZE));                                                \
    }
#define RING GBL_PLUS_TIMES_SEMIRING_FP64

CALL(mxm, OK(gbl_mxm(o->C, NULL, NULL, RING, o->A, o->B, NULL)))
CALL(mxm_masked, OK(gbl_mxm(o->C, o->M, NULL, RING, o->A, o->B, GBL_DESC_RS)))
CALL(mxm_complement, OK(gbl_mxm(o->C, o->M, NULL, RING, o->A, o->B, GBL_DESC_RSC)))
CALL(mxm_accum, OK(gbl_mxm(o->C, NULL, GBL_PLUS_FP64, RING, o->A, o->B, NULL)))
CALL(mxm_transposed, OK(gbl_mxm(o->C, NULL, NULL, RING, o->A, o->B, GBL_DESC_T0T1)))
CALL(mxv, OK(gbl_mxv(o->w, NULL, NULL, RING, o->A, o->u, NULL)))
CALL(mxv_masked, OK(gbl_mxv(o->w, o->m, NULL, RING, o->A, o->u, GBL_DESC_RS)))
CALL(mxv_transposed, OK(gbl_mxv(o->w, NULL, NULL, RING, o->A, o->u, GBL_DESC_T0)))
CALL(vxm, OK(gbl_vxm(o->w, NULL, NULL, RING, o->u, o->A, NULL)))
CALL(vxm_accum, OK(gbl_vxm(o->w, NULL, GBL_MIN_FP64, GBL_MIN_PLUS_SEMIRING_FP64, o->u, o->A, NULL)))
CALL(add, OK(gbl_Matrix_eWiseAdd_BinaryOp(o->C, NULL, NULL, GBL_PLUS_FP64, o->A, o->B, NULL)))
CALL(add_masked,
     OK(gbl_Matrix_eWiseAdd_BinaryOp(o->C, o->M, NULL, GBL_PLUS_FP64, o->A, o->B, NULL)))
CALL(mult, OK(gbl_Matrix_eWiseMult_BinaryOp(o->C, NULL, NULL, GBL_TIMES_FP64, o->A, o->B, NULL)))
CALL(add_vectors,
     OK(gbl_Vector_eWiseAdd_BinaryOp(o->w, NULL, NULL, GBL_PLUS_FP64, o->u, o->v, NULL)))
CALL(mult_vectors,
     OK(gbl_Vector_eWiseMult_BinaryOp(o->w, o->m, NULL, GBL_TIMES_FP64, o->u, o->v, NULL)))
CALL(apply, OK(gbl_Matrix_apply(o->C, NULL, NULL, GBL_AINV_FP64, o->A, NULL)))
CALL(apply_bound,
     OK(gbl_Matrix_apply_BinaryOp2nd_FP64(o->C, NULL, NULL, GBL_TIMES_FP64, o->A, 2, NULL)))
CALL(apply_index,
     OK(gbl_Matrix_apply_IndexOp_INT64(o->C, NULL, NULL, GBL_ROWINDEX_INT64, o->A, 1, NULL)))
CALL(apply_vector, OK(gbl_Vector_apply(o->w, o->m, NULL, GBL_AINV_FP64, o->u, NULL)))
CALL(select_entries, OK(gbl_Matrix_select_INT64(o->C, NULL, NULL, GBL_TRIL, o->A, 0, NULL)))
CALL(select_vector, OK(gbl_Vector_select_FP64(o->w, NULL, NULL, GBL_VALUEGT_FP64, o->u, 3, NULL)))
CALL(reduce_rows, OK(gbl_Matrix_reduce_Monoid(o->w, NULL, NULL, GBL_PLUS_MONOID_FP64, o->A, NULL)))
CALL(reduce_columns,
     OK(gbl_Matrix_reduce_Monoid(o->w, NULL, NULL, GBL_PLUS_MONOID_FP64, o->A, GBL_DESC_T0)))
CALL(reduce_all, double x; OK(gbl_Matrix_reduce_FP64(&x, NULL, GBL_PLUS_MONOID_FP64, o->A, NULL)))
CALL(transpose, OK(gbl_transpose(o->C, NULL, NULL, o->A, NULL)))
CALL(transpose_masked, OK(gbl_transpose(o->C, o->M, NULL, o->A, GBL_DESC_S)))
CALL(extract_row, OK(gbl_Col_extract(o->w, NULL, NULL, o->A, GBL_ALL, o->n, o->I[3], GBL_DESC_T0)))
CALL(extract_column, OK(gbl_Col_extract(o->w, NULL, NULL, o->A, GBL_ALL, o->n, o->J[3], NULL)))
CALL(extract_few, gbl_Matrix P = t_new_matrix(GBL_FP64, FEW, FEW);
     OK(gbl_Matrix_extract(P, NULL, NULL, o->A, o->I, FEW, o->J, FEW, NULL)); FREE(P))
CALL(extract_elements, gbl_Vector p; OK(gbl_Vector_new(&p, GBL_FP64, FEW));
     OK(gbl_Vector_extract(p, NULL, NULL, o->u, o->I, FEW, NULL)); FREE(p))
CALL(assign_few, gbl_Matrix P = t_new_matrix(GBL_FP64, FEW, FEW);
     OK(gbl_Matrix_setElement_FP64(P, 1, 2, 3));
     OK(gbl_Matrix_assign(o->C, NULL, GBL_PLUS_FP64, P, o->I, FEW, o->J, FEW, NULL)); FREE(P))
CALL(assign_masked,
     OK(gbl_Matrix_assign(o->C, o->M, NULL, o->A, GBL_ALL, o->n, GBL_ALL, o->n, NULL)))
CALL(assign_value, OK(gbl_Matrix_assign_FP64(o->C, NULL, NULL, 2, o->I, FEW, o->J, FEW, NULL)))
CALL(assign_value_masked,
     OK(gbl_Matrix_assign_FP64(o->C, o->M, NULL, 2, GBL_ALL, o->n, GBL_ALL, o->n, NULL)))
CALL(assign_vector, OK(gbl_Vector_assign(o->w, o->m, NULL, o->u, GBL_ALL, o->n, GBL_DESC_RS)))
CALL(assign_elements, OK(gbl_Vector_assign_FP64(o->w, NULL, NULL, 2, o->I, FEW, NULL)))
CALL(row_assign, OK(gbl_Row_assign(o->C, NULL, NULL, o->u, o->I[1], GBL_ALL, o->n, NULL)))
CALL(column_assign, OK(gbl_Col_assign(o->C, NULL, NULL, o->u, GBL_ALL, o->n, o->J[1], NULL)))
CALL(kronecker, gbl_Matrix P = t_new_matrix(GBL_FP64, 2, 2); gbl_Matrix K;
     OK(gbl_Matrix_setElement_FP64(P, 1, 1, 0));
     OK(gbl_Matrix_new(&K, GBL_FP64, 2 * o->n, 2 * o->n));
     OK(gbl_Matrix_kronecker_BinaryOp(K, NULL, NULL, GBL_TIMES_FP64, o->A, P, NULL)); FREE(P, K))
CALL(create, gbl_Matrix N = t_new_matrix(GBL_FP64, o->n, o->n);
     OK(gbl_Matrix_setElement_FP64(N, 1, o->n - 1, 0)); OK(gbl_Matrix_wait(N, GBL_MATERIALIZE));
     FREE(N))
CALL(build, gbl_Matrix N = t_new_matrix(GBL_FP64, o->n, o->n);
     OK(gbl_Matrix_build_FP64(N, o->I, o->J, o->X, ENTRIES, GBL_PLUS_FP64)); FREE(N))
CALL(duplicate, gbl_Matrix N; OK(gbl_Matrix_dup(&N, o->A));
     OK(gbl_Matrix_setElement_FP64(N, 1, o->n - 1, 0)); OK(gbl_Matrix_wait(N, GBL_MATERIALIZE));
     FREE(N))
CALL(update,
     for (int k = 0; k < FEW; k++) OK(gbl_Matrix_setElement_FP64(o->C, k, o->J[k], o->I[k]));
     OK(gbl_Matrix_removeElement(o->C, o->J[2], o->I[2])))
CALL(update_vector, for (int k = 0; k < FEW; k++) OK(gbl_Vector_setElement_FP64(o->w, k, o->J[k])))
CALL(grow, OK(gbl_Matrix_resize(o->C, o->n + 1, o->n + 1));
     OK(gbl_Matrix_setElement_FP64(o->C, 1, o->n, o->n)); OK(gbl_Matrix_resize(o->C, o->n, o->n)))
CALL(tuples, gbl_Index n = ENTRIES; OK(gbl_Matrix_extractTuples_FP64(o->I, o->J, o->X, &n, o->A)))
CALL(serialize, gbl_Index size; gbl_Matrix N; OK(gbl_Matrix_serializeSize(&size, o->A));
     void *block = malloc(size); OK(gbl_Matrix_serialize(block, &size, o->A));
     OK(gbl_Matrix_deserialize(&N, GBL_FP64, block, size)); free(block); FREE(N))
CALL(clear, OK(gbl_Matrix_clear(o->C)); OK(gbl_Matrix_setElement_FP64(o->C, 1, 0, o->n - 1)))

CALL(eadd_union, gbl_Scalar zero; OK(gbl_Scalar_new(&zero, GBL_FP64));
     OK(gbl_Scalar_setElement_FP64(zero, 0));
     OK(gbl_Matrix_eWiseUnion(o->C, NULL, NULL, GBL_MINUS_FP64, o->A, zero, o->B, zero, NULL));
     OK(gbl_Vector_eWiseUnion(o->w, NULL, NULL, GBL_MINUS_FP64, o->u, zero, o->v, zero, NULL));
     FREE(zero))
CALL(mxm_filtered, gbl_RowFilter keep = GBL_ROW_FILTER_INIT; keep.most = 5;
     OK(gbl_mxm_select(o->C, NULL, NULL, RING, &keep, o->A, o->B, NULL)))
CALL(mxm_summed, double x;
     OK(gbl_mxm_reduce_FP64(&x, o->M, NULL, GBL_PLUS_MONOID_FP64, RING, o->A, o->B, NULL)))
CALL(chain, const gbl_Matrix factors[] = {o->A, o->B, o->M};
     OK(gbl_mxm_chain(o->C, NULL, NULL, RING, factors, 3, NULL)))
CALL(ones_by_matrix, gbl_Matrix F = t_new_matrix(GBL_FP64, 2, o->n); gbl_Matrix K;
     OK(gbl_Matrix_assign_FP64(F, NULL, NULL, 2, GBL_ALL, 2, GBL_ALL, o->n, NULL));
     OK(gbl_Matrix_new(&K, GBL_FP64, 2, o->n)); OK(gbl_mxm(K, NULL, NULL, RING, F, o->A, NULL));
     FREE(F, K))
CALL(ones_masked, gbl_Matrix F = t_new_matrix(GBL_FP64, o->n, o->n);
     OK(gbl_Matrix_assign_FP64(F, NULL, NULL, 2, GBL_ALL, o->n, GBL_ALL, o->n, NULL));
     OK(gbl_mxm(o->C, o->M, NULL, RING, F, o->A, GBL_DESC_RS)); FREE(F))
CALL(matrix_by_ones, gbl_Vector f; OK(gbl_Vector_new(&f, GBL_FP64, o->n));
     OK(gbl_Vector_assign_FP64(f, NULL, NULL, 2, GBL_ALL, o->n, NULL));
     OK(gbl_mxv(o->w, NULL, NULL, RING, o->A, f, NULL)); FREE(f))
CALL(tiles_of_grid, gbl_Matrix P[4]; const gbl_Index half[] = {o->n / 2, o->n - o->n / 2};
     OK(gbl_Matrix_split(P, 2, 2, half, half, o->A, NULL));
     OK(gbl_Matrix_concat(o->C, P, 2, 2, NULL)); FREE(P[0], P[1], P[2], P[3]))
CALL(reshape, OK(gbl_Matrix_reshape(o->C, false, o->n / 2, 2 * o->n, NULL));
     OK(gbl_Matrix_reshape(o->C, true, o->n, o->n, NULL)))
CALL(sort_rows, OK(gbl_Matrix_sort(o->C, NULL, GBL_LT_FP64, o->A, NULL)))
CALL(sort_vector, OK(gbl_Vector_sort(o->w, NULL, GBL_LT_FP64, o->u, NULL)))
CALL(diagonals, gbl_Matrix D; OK(gbl_Matrix_diag(&D, o->u, 0));
     OK(gbl_Vector_diag(o->w, D, 0, NULL)); FREE(D))
CALL(subassign, gbl_Matrix P = t_new_matrix(GBL_FP64, FEW, FEW);
     OK(gbl_Matrix_setElement_FP64(P, 1, 2, 3));
     OK(gbl_Matrix_subassign(o->C, P, NULL, P, o->I, FEW, o->J, FEW, NULL)); FREE(P))
CALL(degrees, OK(gbl_Matrix_degrees(o->w, o->m, NULL, o->A, GBL_DESC_S)))
CALL(
    look_up, for (int k = 0; k < FEW; k++) {
        double x;
        OK(gbl_Matrix_isStoredElement(o->A, o->I[k], o->J[k]));
        OK(gbl_Matrix_extractElement_FP64(&x, o->A, o->I[k], o->J[k]));
    })
CALL(reduce_vector, double x;
     OK(gbl_Vector_reduce_FP64(&x, NULL, GBL_PLUS_MONOID_FP64, o->u, NULL)))
CALL(coordinates, gbl_Matrix N = NULL; gbl_Index n[] = {ENTRIES, ENTRIES, ENTRIES};
     OK(gbl_Matrix_export_FP64(o->I, o->J, o->X, &n[0], &n[1], &n[2], GBL_COO_FORMAT, o->A));
     OK(gbl_Matrix_import_FP64(&N, GBL_FP64, o->n, o->n, o->I, o->J, o->X, n[0], n[1], n[2],
                               GBL_COO_FORMAT));
     FREE(N))
CALL(build_doubly, gbl_Matrix N = t_new_matrix(GBL_FP64, o->n, o->n);
     for (int k = 0; k < ENTRIES; k++) o->I[k] = o->J[k] = o->n - 1 - (gbl_Index)(k % 7);
     OK(gbl_Matrix_build_FP64(N, o->I, o->J, o->X, ENTRIES, GBL_PLUS_FP64)); FREE(N))

#define NAMED(NAME)                                                                                \
    { #NAME, NAME }
static const Call calls[] = {NAMED(mxm),
                             NAMED(mxm_masked),
                             NAMED(mxm_complement),
                             NAMED(mxm_accum),
                             NAMED(mxm_transposed),
                             NAMED(mxv),
                             NAMED(mxv_masked),
                             NAMED(mxv_transposed),
                             NAMED(vxm),
                             NAMED(vxm_accum),
                             NAMED(add),
                             NAMED(add_masked),
                             NAMED(mult),
                             NAMED(add_vectors),
                             NAMED(mult_vectors),
                             NAMED(apply),
                             NAMED(apply_bound),
                             NAMED(apply_index),
                             NAMED(apply_vector),
                             NAMED(select_entries),
                             NAMED(select_vector),
                             NAMED(reduce_rows),
                             NAMED(reduce_columns),
                             NAMED(reduce_all),
                             NAMED(transpose),
                             NAMED(transpose_masked),
                             NAMED(extract_row),
                             NAMED(extract_column),
                             NAMED(extract_few),
                             NAMED(extract_elements),
                             NAMED(assign_few),
                             NAMED(assign_masked),
                             NAMED(assign_value),
                             NAMED(assign_value_masked),
                             NAMED(assign_vector),
                             NAMED(assign_elements),
                             NAMED(row_assign),
                             NAMED(column_assign),
                             NAMED(kronecker),
                             NAMED(create),
                             NAMED(build),
                             NAMED(duplicate),
                             NAMED(update),
                             NAMED(update_vector),
                             NAMED(grow),
                             NAMED(tuples),
                             NAMED(serialize),
                             NAMED(clear),
                             NAMED(eadd_union),
                             NAMED(mxm_filtered),
                             NAMED(mxm_summed),
                             NAMED(chain),
                             NAMED(ones_by_matrix),
                             NAMED(ones_masked),
                             NAMED(matrix_by_ones),
                             NAMED(tiles_of_grid),
                             NAMED(reshape),
                             NAMED(sort_rows),
                             NAMED(sort_vector),
                             NAMED(diagonals),
                             NAMED(subassign),
                             NAMED(degrees),
                             NAMED(look_up),
                             NAMED(reduce_vector),
                             NAMED(coordinates),
                             NAMED(build_doubly)};

/* With all that making its operands ready took apart. */
static Cost cost_of(const Call *call, gbl_Index n) {
    World o = world_new(n);
    const Cost before = {t_requested(), passed};
    call->run(&o);
    const Cost cost = {t_requested() - before.bytes, passed - before.items};
    world_free(&o);
    return cost;
}

/* Row lists take some memory, and so does reading them; both do not count. */
static const Cost aside = {16384, 4 * ENTRIES};

Test(sweep, cost_follows_entries, .init = t_brutal_setup, .fini = t_brutal_teardown) {
    int64_t all = 0;
    for (size_t c = 0; c < T_COUNT(calls); c++) {
        Cost small = aside;
        gbl_Index n = 1000;
        for (int k = 0; k < SIZES; k++, n *= 10) {
            t_case("%s, n = %llu", calls[c].name, (unsigned long long)n);
            const Cost cost = cost_of(&calls[c], n);
            if (k < SMALL && cost.bytes > small.bytes) small.bytes = cost.bytes;
            if (k < SMALL && cost.items > small.items) small.items = cost.items;
            CHECK(cost.bytes <= 2 * small.bytes);
            CHECK(cost.items <= 2 * small.items);
            all += cost.items;
        }
    }
    CHECK(all > 0); /* the functions above are called */
}

/* -- few places of vectors with many entries */

enum { PLACES = 5, ROUNDS = 60, SETTLED = 40 /* by then forms are those of the calls */ };

static gbl_Vector every(gbl_Index n, gbl_Index step) {
    gbl_Vector v;
    gbl_Index *I = malloc(n * sizeof *I), count = 0;
    double *X = malloc(n * sizeof *X);
    for (gbl_Index k = 0; k < n; k += step) {
        I[count] = k;
        X[count++] = (double)(k % 7 + 1);
    }
    OK(gbl_Vector_new(&v, GBL_FP64, n));
    OK(gbl_Vector_build_FP64(v, I, X, count, NULL));
    free(I);
    free(X);
    return v;
}

/* An update that waits is read as part of the whole, an element goes that is not there, and w has
 * entries of its own. */
static Cost cost_of_places(gbl_Index n) {
    gbl_Vector full = every(n, 1), third = every(n, 3), w = every(n, n / 2), m = every(n, n / 4), p;
    gbl_Index I[PLACES];
    Cost before = {0};
    OK(gbl_Vector_new(&p, GBL_FP64, PLACES));
    for (gbl_Index k = 0; k < ROUNDS; k++) {
        if (k == SETTLED) before = (Cost){t_requested(), passed};
        for (gbl_Index q = 0; q < PLACES; q++) I[q] = 3 * (k + q) + 1;
        OK(gbl_Vector_setElement_FP64(third, 2, I[0]));
        OK(gbl_Vector_extract(p, NULL, NULL, third, I, PLACES, NULL));
        OK(gbl_Vector_removeElement(third, n - n % 3 - 2 - 3 * k));
        OK(gbl_Vector_apply(w, m, NULL, GBL_AINV_FP64, full, GBL_DESC_S));
        OK(gbl_Vector_select_FP64(w, m, NULL, GBL_VALUEGT_FP64, full, 3, NULL));
        OK(gbl_Vector_eWiseAdd_BinaryOp(w, m, NULL, GBL_PLUS_FP64, full, third, GBL_DESC_S));
        OK(gbl_Vector_assign_FP64(full, m, NULL, 2, GBL_ALL, n, NULL));
        CHECK(t_nvals_vector(w) >= 1);
    }
    const Cost cost = {t_requested() - before.bytes, passed - before.items};
    FREE(full, third, w, m, p);
    return cost;
}

Test(sweep, few_places_of_filled_vectors, .init = t_brutal_setup, .fini = t_brutal_teardown) {
    const Cost small = cost_of_places(100000), large = cost_of_places(1000000);
    CHECK(large.bytes <= 2 * small.bytes + aside.bytes);
    CHECK(large.items <= 2 * small.items + aside.items);
}

/* Without entries to remove, no update waits. */
Test(sweep, removals_of_nothing, .init = t_brutal_setup, .fini = t_brutal_teardown) {
    World o = world_new(100000);
    gbl_Index nvals;
    OK(gbl_Matrix_setElement_FP64(o.A, 1, 0, 0));
    OK(gbl_Matrix_nvals(&nvals, o.A));
    const int64_t before = t_requested();
    for (gbl_Index k = 0; k < 20000; k++) {
        OK(gbl_Matrix_removeElement(o.A, k + 1, o.n - 1));
        if (k % 100 == 0) OK(gbl_Matrix_nvals(&nvals, o.A));
    }
    CHECK(t_requested() - before <= aside.bytes);
    world_free(&o);
}

/* Few rows, and few columns. */
static void use_strip(gbl_Index rows, gbl_Index columns) {
    gbl_Matrix A = t_new_matrix(GBL_FP64, rows, columns), C = t_new_matrix(GBL_FP64, rows, columns);
    gbl_Matrix S =
        t_new_matrix(GBL_FP64, columns < rows ? columns : rows, columns < rows ? columns : rows);
    gbl_Vector w;
    double x;
    OK(gbl_Vector_new(&w, GBL_FP64, rows));
    for (gbl_Index k = 0; k < FEW; k++)
        OK(gbl_Matrix_setElement_FP64(A, 1, 7919 * k % rows, 104729 * k % columns));
    OK(gbl_Matrix_setElement_FP64(S, 1, 0, 1));
    if (columns < rows)
        OK(gbl_mxm(C, NULL, NULL, RING, A, S, NULL));
    else
        OK(gbl_mxm(C, NULL, NULL, RING, S, A, NULL));
    OK(gbl_Matrix_eWiseAdd_BinaryOp(C, NULL, NULL, GBL_PLUS_FP64, A, C, NULL));
    OK(gbl_Matrix_apply(C, NULL, NULL, GBL_AINV_FP64, A, NULL));
    OK(gbl_Matrix_select_FP64(C, NULL, NULL, GBL_VALUEGT_FP64, A, 0, NULL));
    OK(gbl_Matrix_reduce_FP64(&x, NULL, GBL_PLUS_MONOID_FP64, C, NULL));
    OK(gbl_Matrix_reduce_Monoid(w, NULL, NULL, GBL_PLUS_MONOID_FP64, A, NULL));
    FREE(A, C, S, w);
}

Test(sweep, strips_cost_what_they_hold, .init = t_brutal_setup, .fini = t_brutal_teardown) {
    const gbl_Index shapes[][2] = {{30000000, 4}, {4, 30000000}, {1000000, 2}, {100000000, 3}};
    for (size_t k = 0; k < T_COUNT(shapes); k++) {
        t_case("%llu x %llu", (unsigned long long)shapes[k][0], (unsigned long long)shapes[k][1]);
        const Cost before = {t_requested(), passed};
        use_strip(shapes[k][0], shapes[k][1]);
        CHECK(t_requested() - before.bytes < 100000);
        CHECK(passed - before.items < 10 * ENTRIES);
    }
}
