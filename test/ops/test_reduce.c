/* SPDX-License-Identifier: Apache-2.0
 *
 * reduce: rows to a vector, everything to a Scalar or to a C value. Sums are exact except where a
 * test says otherwise; there the result must still be the same for every number of threads and
 * every representation. More entries than are folded to one partial result, of one value or many.
 */
#include "support/frame.h"
#include "support/gb_test.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static double tolerance_of(const o_Binary *op) {
    if (op->op != O_TIMES || !t_is_float(op->z.code)) return 0;
    return op->z.code == GBL_FP32_CODE ? 1e-5 : 1e-13;
}

/* ------------------------------------------------------------------------------- to a vector -- */

static void run_rows(const t_FrameCase *of, const o_Monoid *monoid, bool by_operator) {
    if (t_left_out()) return;
    t_Frame x;
    t_begin(&x, of);
    if (by_operator)
        OK(gbl_Matrix_reduce_BinaryOp(x.w, x.v, x.accum, monoid->op.handle, x.gA, x.desc));
    else
        OK(gbl_Matrix_reduce_Monoid(x.w, x.v, x.accum, monoid->handle, x.gA, x.desc));
    o_reduce_rows(&x.C, &x.rule, &monoid->op, x.a);
    t_end(&x);
}

static t_FrameCase rows_case(const char *name, o_Type type, unsigned f) {
    t_FrameCase of = t_frame_case(name, type, f, false);
    of.output_vector = true;
    return of;
}

GB_TEST(reduce, rows) {
    for (size_t k = 0; k < t_monoid_count; k++) {
        o_Monoid monoid = t_monoid(&t_monoids[k]);
        if (monoid.op.op == O_ANY) continue;
        monoid.op.handle = t_find_binary(monoid.op.op, t_monoids[k].type).handle;
        for (unsigned f = 0; f < T_FLAGS_ALL; f++) {
            t_FrameCase of = rows_case(t_monoids[k].name, monoid.op.z, f);
            of.seed = 1000 * k + f;
            of.wild = !t_is_float(monoid.op.z.code);
            of.iso = f % 7 == 2;
            of.tolerance = tolerance_of(&monoid.op);
            run_rows(&of, &monoid, f & 1);
        }
    }
}

GB_TEST(reduce, rows_typecasts) {
    for (uint64_t seed = 0; seed < 3000; seed++) {
        t_Random r = t_random(seed + 3);
        const t_Monoid *entry = &t_monoids[t_below(&r, t_monoid_count)];
        const o_Monoid monoid = t_monoid(entry);
        if (monoid.op.op == O_ANY || (monoid.op.op == O_TIMES && t_is_float(entry->type))) continue;
        t_FrameCase of = rows_case(entry->name, monoid.op.z, (unsigned)t_below(&r, T_FLAGS_ALL));
        of.seed = seed;
        t_frame_cast(&of, &r);
        of.wild = !t_is_float(entry->type);
        run_rows(&of, &monoid, false);
    }
}

/* The columns of a few long rows have the same bits as the rows of the transpose. */
static void run_few_rows(gbl_Index m, gbl_Monoid monoid, gbl_Type type, uint64_t seed) {
    const gbl_Index n = 4000;
    t_Random r = t_random(seed);
    gbl_Matrix A = t_new_matrix(type, m, n), B = t_new_matrix(type, n, m);
    gbl_Vector w = t_new_vector(type, n), v = t_new_vector(type, n);
    for (int k = 0; k < 200; k++) { /* many in the same columns */
        const double x = 1.0 / (double)(1 + t_below(&r, 1000));
        const gbl_Index i = t_below(&r, m), j = t_below(&r, 60) * 60;
        OK(gbl_Matrix_setElement_FP64(A, x, i, j));
        OK(gbl_Matrix_setElement_FP64(B, x, j, i));
    }
    OK(gbl_Matrix_reduce_Monoid(w, NULL, NULL, monoid, A, GBL_DESC_T0));
    OK(gbl_Matrix_reduce_Monoid(v, NULL, NULL, monoid, B, NULL));
    for (gbl_Index j = 0; j < n; j++) {
        double x = -1, y = -1;
        CHECK_EQ(gbl_Vector_extractElement_FP64(&x, w, j),
                 gbl_Vector_extractElement_FP64(&y, v, j));
        CHECK(x == y);
    }
    FREE(A, B, w, v);
}

GB_TEST(reduce, columns_of_few_rows) {
    for (uint64_t seed = 0; seed < 6; seed++) {
        for (gbl_Index m = 1; m < 40; m += seed % 2 ? 3 : 7) {
            run_few_rows(m, GBL_PLUS_MONOID_FP64, GBL_FP64, seed);
            run_few_rows(m, GBL_TIMES_MONOID_FP32, GBL_FP32, seed);
            run_few_rows(m, GBL_MIN_MONOID_FP64, GBL_FP64, seed);
            run_few_rows(m, GBL_PLUS_MONOID_INT64, GBL_INT64, seed);
        }
    }
}

GB_TEST(reduce, rows_shapes) {
    const o_Type int64 = o_type(GBL_INT64_CODE);
    const o_Monoid sum = {
        {O_PLUS, int64, int64, int64, NULL, GBL_PLUS_INT64}, {.i64 = 0}, GBL_PLUS_MONOID_INT64};
    for (unsigned s = 0; s < T_FRAME_SHAPES; s++) {
        for (unsigned k = 0; k < 32; k++) {
            t_FrameCase of = rows_case("PLUS_INT64", int64, (17 * k + s) % T_FLAGS_ALL);
            if (!t_frame_shape(&of, s, k)) continue;
            run_rows(&of, &sum, k & 2);
        }
    }
}

/* -------------------------------------------------------------------------------- to a value -- */

typedef struct {
    const t_FrameCase *of;
    const o_Monoid *monoid;
    o_Cell before, after; /* of a scalar of type of->c */
} single;

static void read_scalar(o_Cell *cell, o_Type type, gbl_Scalar s) {
    gbl_Index n = 0;
    OK(gbl_Scalar_nvals(&n, s));
    cell->has = n > 0;
    gbl_Info info = GBL_NO_VALUE;
#define CASE(N, T)                                                                                 \
    case GBL_##N##_CODE:                                                                           \
        info = gbl_Scalar_extractElement_##N((T *)(void *)&cell->v, s);                            \
        break;
    switch (type.code) {
        GBL_FOREACH_TYPE(CASE)
        GBL_FOREACH_COMPLEX(CASE)
    default:
        info = gbl_Scalar_extractElement_UDT(&cell->v, s);
    }
#undef CASE
    CHECK_EQ(info, n > 0 ? GBL_SUCCESS : GBL_NO_VALUE);
}

static gbl_Info to_scalar(const t_Frame *x, const single *s, gbl_Scalar out, bool by_operator) {
    if (x->of->vector)
        return by_operator ? gbl_Vector_reduce_BinaryOp_Scalar(out, x->accum, s->monoid->op.handle,
                                                               x->u, x->desc)
                           : gbl_Vector_reduce_Monoid_Scalar(out, x->accum, s->monoid->handle, x->u,
                                                             x->desc);
    return by_operator
               ? gbl_Matrix_reduce_BinaryOp_Scalar(out, x->accum, s->monoid->op.handle, x->gA,
                                                   x->desc)
               : gbl_Matrix_reduce_Monoid_Scalar(out, x->accum, s->monoid->handle, x->gA, x->desc);
}

static gbl_Info to_value(const t_Frame *x, const single *s, o_Value *out) {
#define CASE(N, T)                                                                                 \
    case GBL_##N##_CODE:                                                                           \
        return x->of->vector ? gbl_Vector_reduce_##N((T *)(void *)out, x->accum,                   \
                                                     s->monoid->handle, x->u, x->desc)             \
                             : gbl_Matrix_reduce_##N((T *)(void *)out, x->accum,                   \
                                                     s->monoid->handle, x->gA, x->desc);
    switch (x->of->c.code) {
        GBL_FOREACH_TYPE(CASE)
        GBL_FOREACH_COMPLEX(CASE)
    default:
        return x->of->vector
                   ? gbl_Vector_reduce_UDT(out, x->accum, s->monoid->handle, x->u, x->desc)
                   : gbl_Matrix_reduce_UDT(out, x->accum, s->monoid->handle, x->gA, x->desc);
    }
#undef CASE
}

/* The same rule as for matrices, for one cell without a mask. */
static o_Cell expected(const t_FrameCase *of, o_Cell before, o_Cell sum, o_Type sum_type) {
    o_Matrix C = {of->c, 1, 1, &before}, T = {sum_type, 1, 1, &sum};
    const o_Rule rule = {.accum = of->flags.accum ? &of->accum : NULL};
    o_assign(&C, &rule, &T);
    return before;
}

static void expect_cell(const char *what, o_Type type, o_Cell e, o_Cell a, double tolerance) {
    o_Matrix E = {type, 1, 1, &e}, A = {type, 1, 1, &a};
    t_expect_dense(what, &E, &A, tolerance);
}

static void run_single(const t_FrameCase *of, const o_Monoid *monoid, bool by_operator) {
    if (t_left_out()) return;
    t_Frame x;
    t_begin(&x, of);
    t_Random r = t_random(of->seed + 8);
    single s = {of, monoid, {t_chance(&r, 0.7), t_value(&r, of->c)}, {false, {.u64 = 0}}};
    o_Cell sum = o_reduce(&monoid->op, x.a);
    gbl_Scalar out = t_scalar(of->c, s.before.has ? &s.before.v : NULL);
    OK(to_scalar(&x, &s, out, by_operator));
    read_scalar(&s.after, of->c, out);
    expect_cell("scalar", of->c, expected(of, s.before, sum, monoid->op.z), s.after, of->tolerance);
    OK(gbl_Scalar_free(&out));
    if (!sum.has) sum = (o_Cell){true, monoid->identity};
    s.before.has = true;
    s.after = s.before;
    OK(to_value(&x, &s, &s.after.v));
    expect_cell("value", of->c, expected(of, s.before, sum, monoid->op.z), s.after, of->tolerance);
    t_end(&x);
}

GB_TEST(reduce, single) {
    for (size_t k = 0; k < t_monoid_count; k++) {
        o_Monoid monoid = t_monoid(&t_monoids[k]);
        if (monoid.op.op == O_ANY) continue;
        monoid.op.handle = t_find_binary(monoid.op.op, t_monoids[k].type).handle;
        for (unsigned f = 0; f < 60; f++) {
            t_FrameCase of = t_frame_case(t_monoids[k].name, monoid.op.z, f, f % 3 == 0);
            of.seed = 1000 * k + f;
            of.flags.mask = T_NO_MASK;
            of.pattern = f % 5 == 4 ? T_EMPTY : T_RANDOM;
            of.density = monoid.op.op == O_TIMES ? 0.05 : 0.5;
            of.wild = !t_is_float(monoid.op.z.code);
            of.iso = f % 7 == 2;
            of.tolerance = tolerance_of(&monoid.op);
            run_single(&of, &monoid, f & 1);
        }
    }
}

GB_TEST(reduce, single_typecasts) {
    for (uint64_t seed = 0; seed < 3000; seed++) {
        t_Random r = t_random(seed + 33);
        const t_Monoid *entry = &t_monoids[t_below(&r, t_monoid_count)];
        const o_Monoid monoid = t_monoid(entry);
        if (monoid.op.op == O_ANY || (monoid.op.op == O_TIMES && t_is_float(entry->type))) continue;
        t_FrameCase of = t_frame_case(entry->name, monoid.op.z, (unsigned)t_below(&r, T_FLAGS_ALL),
                                      t_chance(&r, 0.5));
        of.seed = seed;
        of.flags.mask = T_NO_MASK;
        t_frame_cast(&of, &r);
        of.wild = !t_is_float(entry->type);
        run_single(&of, &monoid, false);
    }
}

GB_TEST(reduce, user_types) {
    t_User users[] = {t_user_path(), t_user_colour()};
    for (size_t u = 0; u < T_COUNT(users); u++) {
        for (unsigned f = 0; f < T_FLAGS_ALL; f++) {
            t_FrameCase of = rows_case("user", users[u].type, f);
            of.seed = 1000 * u + f;
            of.accum = users[u].minus;
            run_rows(&of, &users[u].monoid, f & 1);
            of = t_frame_case("user", users[u].type, f, f % 4 == 0);
            of.seed = 1000 * u + f;
            of.accum = users[u].minus;
            of.flags.mask = T_NO_MASK;
            run_single(&of, &users[u].monoid, f & 1);
        }
    }
    t_user_free(&users[0]);
    t_user_free(&users[1]);
}

GB_TEST(reduce, any) {
    for (uint64_t seed = 0; seed < 60; seed++) {
        t_FrameCase of = t_frame_case("ANY_INT32", o_type(GBL_INT32_CODE), 0, false);
        of.seed = seed;
        t_Frame x;
        t_begin(&x, &of);
        int32_t found = 0;
        OK(gbl_Matrix_reduce_INT32(&found, NULL, GBL_ANY_MONOID_INT32, x.gA, NULL));
        bool is_there = false;
        for (gbl_Index p = 0; p < x.a->nrows * x.a->ncols; p++)
            is_there = is_there || (x.a->x[p].has && x.a->x[p].v.i32 == found);
        CHECK(is_there);
        t_end(&x);
    }
}

/* ------------------------------------------------------------------------------ inexact sums -- */

enum { SIDE = 320 }; /* 102400 entries: more than one block of the reduction */

static gbl_Matrix from_csr_or_csc(const double *x, gbl_Format format) {
    gbl_Index *p = malloc((SIDE + 1) * sizeof *p), *i = malloc(SIDE * SIDE * sizeof *i);
    double *v = malloc(SIDE * SIDE * sizeof *v);
    for (gbl_Index k = 0; k <= SIDE; k++) p[k] = k * SIDE;
    for (gbl_Index k = 0; k < SIDE * SIDE; k++) {
        i[k] = k % SIDE;
        v[k] = format == GBL_CSR_FORMAT ? x[k] : x[(k % SIDE) * SIDE + k / SIDE];
    }
    gbl_Matrix A = NULL;
    OK(gbl_Matrix_import_FP64(&A, GBL_FP64, SIDE, SIDE, p, i, v, SIDE + 1, SIDE * SIDE, SIDE * SIDE,
                              format));
    free(p);
    free(i);
    free(v);
    return A;
}

GB_TEST(reduce, same_for_all_threads_and_formats) {
    double *x = malloc(SIDE * SIDE * sizeof *x);
    long double exact = 0, magnitude = 0;
    t_Random r = t_random(77);
    for (int k = 0; k < SIDE * SIDE; k++) {
        x[k] = (double)(int64_t)t_next(&r) * 0x1p-40 / 3;
        exact += x[k];
        magnitude += fabsl(x[k]);
    }
    static const int threads[] = {1, 2, 3, 8};
    double first = 0;
    for (int k = 0; k < 8; k++) {
        OK(gbl_Global_set_INT32(GBL_GLOBAL, threads[k / 2], GBL_NTHREADS));
        gbl_Matrix A = from_csr_or_csc(x, k % 2 ? GBL_CSC_FORMAT : GBL_CSR_FORMAT);
        t_case("%d threads, %s", threads[k / 2], k % 2 ? "CSC" : "CSR");
        double sum = 0;
        OK(gbl_Matrix_reduce_FP64(&sum, NULL, GBL_PLUS_MONOID_FP64, A, NULL));
        CHECK(fabsl(sum - exact) <= 1e-14L * magnitude);
        if (k == 0) first = sum;
        cr_assert(sum == first, "the sum is %.17g, not %.17g\n  case: %s", sum, first,
                  t_case_text());
        OK(gbl_Matrix_free(&A));
    }
    free(x);
}

/* ------------------------------------------------------------------------------- long folds -- */

enum { LONG = 200000, SHORT = 3, MIDDLE = 70000 };
static const gbl_Index lengths[] = {LONG, SHORT, MIDDLE};

static int32_t value(gbl_Index i, gbl_Index j) {
    return (int32_t)(i * 7 + j * 13) % 29 - 11;
}

static gbl_Matrix rows(gbl_Type type, bool iso) {
    gbl_Matrix A = t_new_matrix(type, T_COUNT(lengths), LONG);
    for (gbl_Index i = 0; i < T_COUNT(lengths); i++)
        for (gbl_Index j = 0; j < lengths[i]; j++)
            OK(gbl_Matrix_setElement_INT32(A, iso ? 3 : value(i, j), i, LONG - 1 - j));
    if (iso) /* now as one value */
        OK(gbl_Matrix_assign_INT32(A, A, NULL, 3, GBL_ALL, 0, GBL_ALL, 0, GBL_DESC_S));
    return A;
}

static int64_t sum_of(gbl_Index i, bool iso) {
    int64_t sum = 0;
    for (gbl_Index j = 0; j < lengths[i]; j++) sum += iso ? 3 : value(i, j);
    return sum;
}

GB_TEST(long_folds, rows) {
    const gbl_Type types[] = {GBL_FP64, GBL_INT64, GBL_INT32};
    for (size_t k = 0; k < 2 * T_COUNT(types); k++) {
        const bool iso = k % 2 == 1;
        gbl_Matrix A = rows(types[k / 2], iso);
        double total = 0, x;
        int64_t all = 0;
        gbl_Vector w = t_new_vector(GBL_FP64, T_COUNT(lengths));
        OK(gbl_Matrix_reduce_Monoid(w, NULL, NULL, GBL_PLUS_MONOID_FP64, A, NULL));
        for (gbl_Index i = 0; i < T_COUNT(lengths); i++) {
            OK(gbl_Vector_extractElement_FP64(&x, w, i));
            CHECK(x == (double)sum_of(i, iso));
            all += sum_of(i, iso);
        }
        OK(gbl_Matrix_reduce_FP64(&total, NULL, GBL_PLUS_MONOID_FP64, A, NULL));
        CHECK(total == (double)all);
        FREE(w, A);
    }
}

/* One value for all entries has the sum of as many values, to the bit. */
GB_TEST(long_folds, equal_floats) {
    const double values[] = {1,   3,    1.5,         0.1,     -0.0,
                             0,   -7,   0x1.8p-1030, 0.3,     1e20,
                             3e8, 1e38, 1e308,       1.0 / 3, 16777215.0 / 8};
    const gbl_Index lengths_of_v[] = {1, 2, 9, 4097, LONG};
    double *X = malloc(LONG * sizeof *X);
    gbl_Index *I = malloc(LONG * sizeof *I);
    CHECK(X != NULL && I != NULL);
    for (size_t k = 0; k < 2 * T_COUNT(values) * T_COUNT(lengths_of_v); k++) {
        const double x = values[k / 2 % T_COUNT(values)];
        const gbl_Index n = lengths_of_v[k / 2 / T_COUNT(values)];
        const gbl_Type type = k % 2 ? GBL_FP32 : GBL_FP64;
        gbl_Vector one = t_new_vector(type, n), many = t_new_vector(type, n);
        double sum[2] = {0};
        float narrow[2] = {0};
        for (gbl_Index i = 0; i < n; i++) {
            I[i] = i;
            X[i] = x;
        }
        OK(gbl_Vector_assign_FP64(one, NULL, NULL, x, GBL_ALL, n, NULL));
        OK(gbl_Vector_build_FP64(many, I, X, n, GBL_PLUS_FP64));
        OK(gbl_Vector_reduce_FP64(&sum[0], NULL, GBL_PLUS_MONOID_FP64, one, NULL));
        OK(gbl_Vector_reduce_FP64(&sum[1], NULL, GBL_PLUS_MONOID_FP64, many, NULL));
        OK(gbl_Vector_reduce_FP32(&narrow[0], NULL, GBL_PLUS_MONOID_FP32, one, NULL));
        OK(gbl_Vector_reduce_FP32(&narrow[1], NULL, GBL_PLUS_MONOID_FP32, many, NULL));
        t_case("%g %llu times, %s", x, (unsigned long long)n, k % 2 ? "FP32" : "FP64");
        CHECK(memcmp(&sum[0], &sum[1], sizeof sum[0]) == 0);
        CHECK(memcmp(&narrow[0], &narrow[1], sizeof narrow[0]) == 0);
        FREE(one, many);
    }
    free(X);
    free(I);
}

/* An operator of the user's, which runs through its function. */
static void add(void *z, const void *x, const void *y) {
    *(double *)z = *(const double *)x + *(const double *)y;
}

GB_TEST(long_folds, of_the_user) {
    gbl_BinaryOp op = NULL;
    gbl_Monoid sum = NULL;
    OK(gbl_BinaryOp_new(&op, add, GBL_FP64, GBL_FP64, GBL_FP64));
    OK(gbl_Monoid_new_FP64(&sum, op, 0));
    for (int iso = 0; iso < 2; iso++) {
        gbl_Matrix A = rows(GBL_FP64, iso);
        double x, total = 0;
        gbl_Vector w = t_new_vector(GBL_FP64, T_COUNT(lengths));
        OK(gbl_Matrix_reduce_Monoid(w, NULL, NULL, sum, A, NULL));
        OK(gbl_Vector_extractElement_FP64(&x, w, 0));
        CHECK(x == (double)sum_of(0, iso));
        OK(gbl_Matrix_reduce_FP64(&total, NULL, sum, A, NULL));
        CHECK(total == (double)(sum_of(0, iso) + sum_of(1, iso) + sum_of(2, iso)));
        FREE(w, A);
    }
    FREE(sum, op);
}

/* Two elements of three, so that the vector is a bitmap. */
GB_TEST(long_folds, vectors) {
    double expected = 0, found = 0;
    gbl_Vector v = t_new_vector(GBL_FP64, LONG);
    OK(gbl_Vector_assign_FP64(v, NULL, NULL, 1, GBL_ALL, LONG, NULL));
    for (gbl_Index i = 0; i < LONG; i++) {
        if (i % 3 == 0)
            OK(gbl_Vector_removeElement(v, i));
        else
            OK(gbl_Vector_setElement_FP64(v, value(i, i), i));
        expected += i % 3 == 0 ? 0 : value(i, i);
    }
    OK(gbl_Vector_reduce_FP64(&found, NULL, GBL_PLUS_MONOID_FP64, v, NULL));
    CHECK(found == expected);
    OK(gbl_Vector_free(&v));
}

/* Every cell of a matrix that has more of them than any memory; the sum is exact in any order. */
GB_TEST(long_folds, of_one_value_at_all_positions) {
    const gbl_Index n = (gbl_Index)1 << 25;
    double sum = 0;
    gbl_Matrix A = t_new_matrix(GBL_FP64, n, n);
    OK(gbl_Matrix_assign_FP64(A, NULL, NULL, 3, GBL_ALL, n, GBL_ALL, n, NULL));
    CHECK_EQ(t_nvals(A), (gbl_Index)1 << 50);
    OK(gbl_Matrix_reduce_FP64(&sum, NULL, GBL_PLUS_MONOID_FP64, A, NULL));
    CHECK(sum == 3 * (double)n * (double)n);
    OK(gbl_Matrix_free(&A));
}
