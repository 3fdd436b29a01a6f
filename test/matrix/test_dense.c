/* SPDX-License-Identifier: Apache-2.0
 *
 * Matrices held as bitmaps or full arrays and nothing else (matrix/matrix.h): every operation on
 * some of them, against the oracle (products, and parts by lists: test_dense_parts.c); when a
 * matrix becomes dense, and when CSR again; single elements; the n-th allocation fails.
 */
#include "matrix/check.h"
#include "matrix/matrix.h"
#include "hold_dense.h"
#include "support/frame.h"

/* Every other matrix, in no regular order. */
static void hold_some(gbl_Matrix A) {
    static uint64_t turn;
    if ((++turn * UINT64_C(0x9E3779B97F4A7C15) >> 60) % 2 == 0) return;
    hold_dense(A);
    OK(gb_matrix_check(&A->m));
}

enum { ROWS = 4, COLUMNS = 400 };

static gbl_Matrix some_rows(uint64_t seed, double density) {
    return t_seeded_matrix(seed, GBL_FP64_CODE, ROWS, COLUMNS, density);
}

static t_FrameCase some_case(const char *name, uint64_t seed) {
    t_Random r = t_random(seed + 977);
    const unsigned f = (unsigned)t_below(&r, T_FLAGS_ALL);
    t_FrameCase of = t_frame_case(name, o_type(t_types[t_below(&r, T_COUNT(t_types))]), f, false);
    of.seed = seed;
    of.hold = hold_some;
    of.iso = t_chance(&r, 0.1);
    of.density = t_chance(&r, 0.2) ? 1.0 : t_chance(&r, 0.3) ? 0.05 : 0.5;
    if (t_chance(&r, 0.5)) of.nrows = 4;
    if (t_chance(&r, 0.3)) of.ncols = 40;
    return of;
}

static void finish(t_Frame *x) {
    if (x->gC != NULL) OK(gb_matrix_check(&x->gC->m));
    t_end(x);
}

/* -- operations ------------------------------------------------------------------------------- */

GB_TEST(dense, ewise) {
    for (uint64_t seed = 0; seed < 6000; seed++) {
        if (t_left_out()) continue;
        t_Random r = t_random(seed);
        const t_Binary *entry = &t_binaries[t_below(&r, t_binary_count)];
        const o_Binary op = t_binary(entry);
        t_FrameCase of = some_case(entry->name, seed);
        t_Frame x;
        of.a = of.b = op.x;
        of.c = op.z;
        of.accum = t_some_accum(op.z.code, seed);
        of.alias = (t_Alias)t_below(&r, T_ALIASES);
        if (of.alias != T_DISTINCT) of.ncols = of.nrows;
        if (of.alias != T_DISTINCT && op.x.code != op.z.code) of.alias = T_DISTINCT;
        const bool mult = t_chance(&r, 0.6);
        t_begin(&x, &of);
        OK(mult ? gbl_Matrix_eWiseMult_BinaryOp(x.gC, x.gM, x.accum, op.handle, x.gA, x.gB, x.desc)
                : gbl_Matrix_eWiseAdd_BinaryOp(x.gC, x.gM, x.accum, op.handle, x.gA, x.gB, x.desc));
        o_ewise(&x.C, &x.rule, &op, &(o_Pair){x.a, x.b, mult});
        finish(&x);
    }
}

GB_TEST(dense, assign) {
    for (uint64_t seed = 0; seed < 6000; seed++) {
        if (t_left_out()) continue;
        t_Random r = t_random(seed);
        t_FrameCase of = some_case("assign", seed);
        t_Frame x;
        of.alias = (t_Alias)t_below(&r, T_ALIASES);
        if (of.alias != T_DISTINCT) of.ncols = of.nrows;
        of.flags.tran1 = false;
        t_begin(&x, &of);
        OK(gbl_Matrix_assign(x.gC, x.gM, x.accum, x.gA, GBL_ALL, of.nrows, GBL_ALL, of.ncols,
                             x.desc));
        o_assign(&x.C, &x.rule, x.a);
        finish(&x);
    }
}

GB_TEST(dense, assign_value) {
    for (uint64_t seed = 0; seed < 4000; seed++) {
        if (t_left_out()) continue;
        t_FrameCase of = some_case("assign value", seed);
        t_Frame x;
        if (of.c.code == GBL_UDT_CODE) continue;
        of.flags.tran0 = of.flags.tran1 = false;
        t_begin(&x, &of);
        OK(gbl_Matrix_assign_INT32(x.gC, x.gM, x.accum, 3, GBL_ALL, of.nrows, GBL_ALL, of.ncols,
                                   x.desc));
        o_assign_value(&x.C, &x.rule, o_type(GBL_INT32_CODE), (o_Value){.i32 = 3});
        finish(&x);
    }
}

GB_TEST(dense, apply_and_transpose) {
    for (uint64_t seed = 0; seed < 3000; seed++) {
        if (t_left_out()) continue;
        t_FrameCase of = some_case("apply or transpose", seed);
        t_Frame x;
        const bool apply = seed % 2 == 0;
        o_Unary op = t_unary(&t_unaries[seed / 2 % t_unary_count]);
        if (apply) of.a = op.x, of.c = op.z, of.accum = t_some_accum(op.z.code, seed);
        if (seed % 3 == 0 && of.a.code == of.c.code) {
            of.alias = T_C_IS_A;
            of.ncols = of.nrows;
        }
        t_begin(&x, &of);
        if (apply) {
            OK(gbl_Matrix_apply(x.gC, x.gM, x.accum, op.handle, x.gA, x.desc));
            o_apply(&x.C, &x.rule, &op, x.a);
        } else {
            const bool turned = !of.flags.tran0; /* A was stored as op(A) must be for apply */
            OK(gbl_Descriptor_set(x.desc, GBL_INP0, turned ? GBL_TRAN : GBL_DEFAULT));
            x.rule.tran0 = turned;
            OK(gbl_transpose(x.gC, x.gM, x.accum, x.gA, x.desc));
            o_transpose(&x.C, &x.rule, x.a);
        }
        finish(&x);
    }
}

/* Sides around those of blocks and stripes, and values of all sizes. */
GB_TEST(dense, transposes_of_all_shapes) {
    static const gbl_Index sides[] = {1, 3, 7, 8, 9, 16, 63, 64, 65, 130};
    for (size_t k = 0; k < T_COUNT(sides) * T_COUNT(sides) * T_COUNT(t_types); k++) {
        if (t_left_out()) continue;
        const size_t shape = k / T_COUNT(t_types);
        const o_Type type = o_type(t_types[k % T_COUNT(t_types)]);
        t_FrameCase of = t_frame_case("transpose", type, 0, false);
        t_Frame x;
        of.seed = k;
        of.hold = hold_dense;
        of.iso = k % 5 == 4;
        of.density = k % 3 == 0 ? 1.0 : 0.5;
        of.nrows = sides[shape % T_COUNT(sides)];
        of.ncols = sides[shape / T_COUNT(sides)];
        of.flags.tran0 = true; /* A is stored as the transpose of C */
        t_begin(&x, &of);
        OK(gbl_Descriptor_set(x.desc, GBL_INP0, GBL_DEFAULT));
        x.rule.tran0 = false;
        OK(gbl_transpose(x.gC, x.gM, x.accum, x.gA, x.desc));
        o_transpose(&x.C, &x.rule, x.a);
        finish(&x);
    }
}

/* Operators that look at values, at positions, and of the user's; A may be C, or the mask. */
GB_TEST(dense, apply_and_select_by_index) {
    t_User user = t_user_path();
    for (uint64_t seed = 0; seed < 6000; seed++) {
        if (t_left_out()) continue;
        t_Random r = t_random(seed + 5);
        const bool own = seed % 16 == 7, apply = seed % 2;
        const t_Index *entry = &t_indexes[t_below(&r, t_index_count)];
        const o_Index op = own ? (apply ? user.place : user.keep) : t_index(entry);
        const o_Value y = own ? (o_Value){.i64 = 3} : t_value(&r, op.y);
        const o_Indexed by = {&op, op.y, y};
        t_FrameCase of = some_case(entry->name, seed);
        t_Frame x;
        of.a = op.x.code == GBL_UDT_CODE || op.op >= O_VALUEEQ ? op.x : of.a;
        of.c = apply ? op.z : of.a;
        if (!own) of.accum = t_some_accum(of.c.code, seed);
        if (own) of.flags.accum = false;
        if (seed % 3 == 0 && of.a.code == of.c.code && !own) {
            of.alias = T_C_IS_A;
            of.ncols = of.nrows;
        }
        t_begin(&x, &of);
        gbl_Scalar s = t_scalar(op.y, &y);
        if (apply) {
            OK(gbl_Matrix_apply_IndexOp_Scalar(x.gC, x.gM, x.accum, op.handle, x.gA, s, x.desc));
            o_apply_index(&x.C, &x.rule, &by, x.a);
        } else {
            OK(gbl_Matrix_select_Scalar(x.gC, x.gM, x.accum, op.handle, x.gA, s, x.desc));
            o_select(&x.C, &x.rule, &by, x.a);
        }
        OK(gbl_Scalar_free(&s));
        finish(&x);
    }
    t_user_free(&user);
}

/* What is made of dense matrices is dense, and they are not converted. */
GB_TEST(dense, stay_dense) {
    const gbl_Index I[] = {3, 1}, J[] = {7, 8, 9, 10};
    gbl_Matrix A = some_rows(5, 0.7), C = NULL, P = NULL;
    gbl_Index before, after;
    OK(gbl_Matrix_new(&C, GBL_FP64, ROWS, COLUMNS));
    OK(gbl_Matrix_new(&P, GBL_FP64, 2, 4));
    hold_dense(A);
    gbl_Formats formats;
    OK(gbl_Matrix_formats(&formats, A));
    before = formats.conversions;
    OK(gbl_Matrix_apply(C, NULL, NULL, GBL_AINV_FP64, A, NULL));
    CHECK_EQ(t_formats(C).present, (unsigned)GBL_HAS_BITMAP);
    OK(gbl_Matrix_select_INT64(C, NULL, NULL, GBL_TRIU, A, 100, NULL));
    CHECK_EQ(t_formats(C).present, (unsigned)GBL_HAS_BITMAP);
    OK(gbl_Matrix_select_INT64(C, NULL, NULL, GBL_TRIU, A, COLUMNS - 2, NULL));
    CHECK_EQ(t_formats(C).present, (unsigned)GBL_HAS_CSR);
    OK(gbl_Matrix_extract(P, NULL, NULL, A, I, 2, J, 4, NULL));
    CHECK(t_formats(P).present & (GBL_HAS_BITMAP | GBL_HAS_FULL));
    OK(gbl_Matrix_extract(C, NULL, NULL, A, GBL_ALL, ROWS, GBL_ALL, COLUMNS, NULL));
    CHECK_EQ(t_formats(C).present, (unsigned)GBL_HAS_BITMAP);
    CHECK_EQ(t_formats(A).present, (unsigned)GBL_HAS_BITMAP);
    OK(gbl_Matrix_formats(&formats, A));
    after = formats.conversions;
    CHECK_EQ(after, before);
    FREE(A, C, P);
}

/* A transposed dense matrix is dense, and no CSR is made of it. */
GB_TEST(dense, stay_dense_transposed) {
    gbl_Matrix A = some_rows(5, 0.7), C = NULL, S = t_seeded_matrix(6, GBL_FP64_CODE, 70, 70, 0.7);
    gbl_Formats before, after;
    OK(gbl_Matrix_new(&C, GBL_FP64, COLUMNS, ROWS));
    hold_dense(A);
    OK(gbl_Matrix_formats(&before, A));
    OK(gbl_transpose(C, NULL, NULL, A, NULL));
    CHECK_EQ(t_formats(C).present, (unsigned)GBL_HAS_BITMAP);
    OK(gbl_Matrix_apply(C, NULL, NULL, GBL_AINV_FP64, A, GBL_DESC_T0));
    CHECK_EQ(t_formats(C).present, (unsigned)GBL_HAS_BITMAP);
    OK(gbl_Matrix_select_INT64(C, NULL, NULL, GBL_ROWLE, A, COLUMNS / 2, GBL_DESC_T0));
    CHECK_EQ(t_formats(C).present, (unsigned)GBL_HAS_BITMAP);
    CHECK_EQ(t_formats(A).present, (unsigned)GBL_HAS_BITMAP);
    OK(gbl_Matrix_formats(&after, A));
    CHECK_EQ(after.conversions, before.conversions);
    o_Matrix D = t_dense(S), T = o_new(D.type, 70, 70);
    for (gbl_Index i = 0; i < 70; i++)
        for (gbl_Index j = 0; j < 70; j++) T.x[j * 70 + i] = D.x[i * 70 + j];
    hold_dense(S);
    OK(gbl_transpose(S, NULL, NULL, S, NULL));
    CHECK_EQ(t_formats(S).present, (unsigned)GBL_HAS_BITMAP);
    OK(gb_matrix_check(&S->m));
    t_expect("S", &T, S, 0);
    FREE(D, T, A, C, S);
}

GB_TEST(dense, reduce) {
    for (uint64_t seed = 0; seed < 4000; seed++) {
        if (t_left_out()) continue;
        t_Random r = t_random(seed);
        const o_Monoid monoid = t_monoid(&t_monoids[t_below(&r, t_monoid_count)]);
        t_FrameCase of = some_case("reduce", seed);
        t_Frame x;
        if (monoid.op.op == O_ANY) continue;
        of.c = of.a = monoid.op.z;
        of.accum = t_some_accum(of.c.code, seed);
        of.output_vector = true;
        of.tolerance = monoid.op.op == O_TIMES && t_is_float(of.c.code) ? 1e-5 : 0;
        if (seed % 4 == 0) of.a = o_type(GBL_INT8_CODE);
        t_begin(&x, &of);
        OK(gbl_Matrix_reduce_Monoid(x.w, x.v, x.accum, monoid.handle, x.gA, x.desc));
        o_reduce_rows(&x.C, &x.rule, &monoid.op, x.a);
        t_end(&x);
    }
}

/* Zeros of both signs, in columns that are longer than a loop folds from left to right. */
GB_TEST(dense, reduce_gives_the_bits_of_csr) {
    static const gbl_Index rows[] = {5, 17, 33, 100, 1000};
    const gbl_Index n = 60;
    const gbl_Monoid monoids[] = {GBL_MIN_MONOID_FP64, GBL_MAX_MONOID_FP64, GBL_PLUS_MONOID_FP64};
    t_Random r = t_random(3);
    for (size_t k = 0; k < T_COUNT(rows); k++) {
        gbl_Matrix dense = NULL;
        gbl_Matrix csr = t_new_matrix(GBL_FP64, rows[k], n);
        for (gbl_Index i = 0; i < rows[k] * n; i++)
            OK(gbl_Matrix_setElement_FP64(csr, t_chance(&r, 0.5) ? 0.0 : -0.0, i / n, i % n));
        OK(gbl_Matrix_wait(csr, GBL_MATERIALIZE));
        OK(gbl_Matrix_dup(&dense, csr));
        hold_dense(dense);
        for (size_t m = 0; m < T_COUNT(monoids); m++) {
            double x[60], y[60];
            gbl_Index nx = n, ny = n;
            gbl_Vector v = t_new_vector(GBL_FP64, n), w = t_new_vector(GBL_FP64, n);
            OK(gbl_Matrix_reduce_Monoid(v, NULL, NULL, monoids[m], dense, GBL_DESC_T0));
            OK(gbl_Matrix_reduce_Monoid(w, NULL, NULL, monoids[m], csr, GBL_DESC_T0));
            OK(gbl_Vector_extractTuples_FP64(NULL, x, &nx, v));
            OK(gbl_Vector_extractTuples_FP64(NULL, y, &ny, w));
            CHECK(nx == n && ny == n && memcmp(x, y, sizeof x) == 0);
            FREE(v, w);
        }
        FREE(dense, csr);
    }
}

/* -- life ------------------------------------------------------------------------------------- */

/* A matrix that results are added to becomes a bitmap when it is filled, and is a list again when
 * few entries are left and it was read as one. */
GB_TEST(dense, come_and_go) {
    gbl_Matrix C = t_new_matrix(GBL_FP64, ROWS, COLUMNS);
    for (uint64_t k = 0; k < 40; k++) {
        gbl_Matrix A = some_rows(k, 0.02);
        OK(gbl_Matrix_assign(C, NULL, GBL_PLUS_FP64, A, GBL_ALL, ROWS, GBL_ALL, COLUMNS, NULL));
        OK(gbl_Matrix_free(&A));
    }
#ifndef GB_TINY /* where nearly all writes are few and become updates of a list */
    CHECK_EQ(t_formats(C).present, (unsigned)GBL_HAS_BITMAP);
#endif
    OK(gbl_Matrix_assign_FP64(C, NULL, NULL, 1, GBL_ALL, ROWS, GBL_ALL, COLUMNS, NULL));
    CHECK_EQ(t_formats(C).present, (unsigned)GBL_HAS_FULL);
    CHECK_EQ(t_nvals(C), (gbl_Index)ROWS * COLUMNS);
    gbl_Matrix A = some_rows(7, 0.002);
    OK(gbl_Matrix_assign(C, A, GBL_SECOND_FP64, A, GBL_ALL, ROWS, GBL_ALL, COLUMNS, GBL_DESC_RS));
    CHECK_EQ(t_formats(C).present, (unsigned)GBL_HAS_CSR);
    o_Matrix expected = t_dense(A);
    t_expect("C", &expected, C, 0);
    FREE(expected, A, C);
}

/* So does one that few entries are added to in call after call, as path counts to a search's. */
GB_TEST(dense, few_come_often) {
    enum { M = 40, N = 2000, CALLS = 40 };
    gbl_Matrix C = t_seeded_matrix(1, GBL_FP64_CODE, M, N, 0.1);
    o_Matrix expected = t_dense(C);
    for (uint64_t k = 0; k < CALLS; k++) {
        gbl_Matrix A = t_seeded_matrix(k + 2, GBL_FP64_CODE, M, N, 0.0005);
        o_Matrix a = t_dense(A);
        for (size_t e = 0; e < (size_t)M * N; e++) {
            if (!a.x[e].has) continue;
            if (expected.x[e].has) a.x[e].v.f64 += expected.x[e].v.f64;
            expected.x[e] = a.x[e];
        }
        OK(gbl_Matrix_assign(C, NULL, GBL_PLUS_FP64, A, GBL_ALL, M, GBL_ALL, N, NULL));
        OK(gbl_Matrix_wait(C, GBL_COMPLETE));
        OK(gb_matrix_check(&C->m));
        FREE(a, A);
    }
    CHECK_EQ(t_formats(C).present, (unsigned)GBL_HAS_BITMAP);
    t_expect("C", &expected, C, 0);
    FREE(expected, C);
}

/* A filled matrix keeps the bitmap that its merge with a dense one reads. */
GB_TEST(dense, merges_keep_the_bitmap) {
    gbl_Matrix A = some_rows(5, 0.5), B = some_rows(6, 1.0),
               C = t_new_matrix(GBL_FP64, ROWS, COLUMNS);
    hold_dense(B);
    for (int k = 0; k < 2; k++) {
        OK(gbl_Matrix_eWiseMult_BinaryOp(C, NULL, NULL, GBL_TIMES_FP64, A, B, NULL));
        CHECK_EQ(t_formats(A).present, (unsigned)(GBL_HAS_CSR | GBL_HAS_BITMAP));
        CHECK_EQ(t_formats(A).conversions, 1);
    }
    FREE(A, B, C);
}

GB_TEST(dense, elements) {
    for (int full = 0; full < 2; full++) {
        gbl_Matrix A = some_rows(3, full ? 1.0 : 0.3), B = NULL, C = NULL;
        o_Matrix D = t_dense(A);
        t_Random r = t_random(11);
        hold_dense(A);
        for (int k = 0; k < 300; k++) {
            const gbl_Index i = t_below(&r, ROWS), j = t_below(&r, COLUMNS);
            o_Cell *cell = &D.x[i * COLUMNS + j];
            double x = -1;
            CHECK_EQ(gbl_Matrix_extractElement_FP64(&x, A, i, j),
                     cell->has ? GBL_SUCCESS : GBL_NO_VALUE);
            if (cell->has) CHECK_EQ(x, cell->v.f64);
            cell->has = k % 3 != 0;
            cell->v.f64 = k;
            if (cell->has)
                OK(gbl_Matrix_setElement_FP64(A, k, i, j));
            else
                OK(gbl_Matrix_removeElement(A, i, j));
            OK(gb_matrix_check(&A->m));
            if (k % 50 == 7) t_expect("A", &D, A, 0);
        }
        t_expect("A", &D, A, 0);
        hold_dense(A);
        OK(gbl_Matrix_dup(&B, A));
        CHECK_EQ(t_formats(B).present, (unsigned)GBL_HAS_BITMAP);
        OK(gbl_Matrix_dup(&C, A));
        OK(gbl_Matrix_resize(C, ROWS + 1, COLUMNS + 3));
        OK(gbl_Matrix_resize(C, ROWS, COLUMNS));
        t_expect("the copy", &D, B, 0);
        t_expect("the copy resized", &D, C, 0);
        FREE(D, A, B, C);
    }
}

/* -- memory ----------------------------------------------------------------------------------- */

typedef struct {
    gbl_Matrix C, A, B, M, S; /* S is square */
} world;

typedef gbl_Info (*step)(const world *o);
#define STEP(name, call)                                                                           \
    static gbl_Info name(const world *o) {                                                         \
        return call;                                                                               \
    }
/* All columns, as a list that is read. */
static gbl_Index listed[COLUMNS];
STEP(add, gbl_Matrix_assign(o->C, NULL, GBL_PLUS_FP64, o->M, GBL_ALL, ROWS, GBL_ALL, COLUMNS, NULL))
STEP(add_inside, gbl_Matrix_assign(o->C, o->M, GBL_PLUS_FP64, o->A, GBL_ALL, ROWS, GBL_ALL, COLUMNS,
                                   GBL_DESC_S))
STEP(fill_outside,
     gbl_Matrix_assign_FP64(o->C, o->M, NULL, 3, GBL_ALL, ROWS, GBL_ALL, COLUMNS, GBL_DESC_C))
STEP(meet, gbl_Matrix_eWiseMult_BinaryOp(o->C, o->M, NULL, GBL_TIMES_FP64, o->A, o->B, GBL_DESC_RS))
STEP(meet_list,
     gbl_Matrix_eWiseMult_BinaryOp(o->C, NULL, GBL_PLUS_FP64, GBL_TIMES_FP64, o->M, o->A, NULL))
STEP(map, gbl_Matrix_apply(o->C, o->M, NULL, GBL_AINV_FP64, o->A, NULL))
STEP(keep, gbl_Matrix_select_FP64(o->C, NULL, NULL, GBL_VALUEGT_FP64, o->B, 1, NULL))
STEP(part,
     gbl_Matrix_extract(o->C, NULL, GBL_PLUS_FP64, o->B, GBL_ALL, ROWS, listed, COLUMNS, NULL))
STEP(turn, gbl_transpose(o->C, NULL, GBL_PLUS_FP64, o->A, NULL))
STEP(turn_and_map, gbl_Matrix_apply(o->C, o->M, NULL, GBL_AINV_FP64, o->B, GBL_DESC_T0))
STEP(turn_and_keep,
     gbl_Matrix_select_FP64(o->C, NULL, NULL, GBL_VALUEGT_FP64, o->A, 1, GBL_DESC_T0))
STEP(multiply, gbl_mxm(o->C, o->M, NULL, GBL_PLUS_TIMES_SEMIRING_FP64, o->S, o->C, NULL))
STEP(unite, gbl_Matrix_eWiseAdd_BinaryOp(o->C, o->M, NULL, GBL_PLUS_FP64, o->A, o->M, NULL))

/* turned: A and B have the shape of C's transpose. */
static void run_brutally(step run, bool turned) {
    const gbl_Index rows = turned ? COLUMNS : ROWS, columns = turned ? ROWS : COLUMNS;
    for (int64_t n = 1;; n++) {
        world o = {some_rows(1, 0.5), t_seeded_matrix(2, GBL_FP64_CODE, rows, columns, 1.0),
                   t_seeded_matrix(3, GBL_FP64_CODE, rows, columns, 0.6), some_rows(4, 0.05),
                   t_seeded_matrix(5, GBL_FP64_CODE, ROWS, ROWS, 0.8)};
        hold_dense(o.S);
        hold_dense(o.C);
        hold_dense(o.A);
        hold_dense(o.B);
        o_Matrix before = t_dense(o.C);
        hold_dense(o.C);
        t_fail_at(n);
        const gbl_Info info = run(&o);
        t_fail_at(0);
        OK(gb_matrix_check(&o.C->m));
        if (info != GBL_SUCCESS) {
            CHECK_EQ(info, GBL_OUT_OF_MEMORY);
            t_expect("C", &before, o.C, 0);
            OK(run(&o));
        }
        FREE(before, o.C, o.A, o.B, o.M, o.S);
        if (info == GBL_SUCCESS) return;
    }
}

BRUTAL(dense) {
    for (gbl_Index k = 0; k < COLUMNS; k++) listed[k] = (k * 7) % COLUMNS;
    static const step steps[] = {add, add_inside, fill_outside, meet,  meet_list,
                                 map, keep,       part,         unite, multiply};
    static const step turned[] = {turn, turn_and_map, turn_and_keep};
    for (size_t k = 0; k < T_COUNT(steps); k++) run_brutally(steps[k], false);
    for (size_t k = 0; k < T_COUNT(turned); k++) run_brutally(turned[k], true);
}
