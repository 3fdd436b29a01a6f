/* SPDX-License-Identifier: Apache-2.0
 *
 * Matrices that are held as their cells (matrix/cells.h): every operation on matrices of which some
 * are bitmaps or full arrays and nothing else, against the oracle (products: test_cells_products);
 * when a matrix becomes one, and when it is a list again; single elements; the n-th allocation
 * fails.
 */
#include "matrix/check.h"
#include "matrix/matrix.h"
#include "support/frame.h"

/* Every other matrix, in no regular order, becomes its cells alone. */
static void hold_some(gbl_Matrix A) {
    static uint64_t turn;
    gb_DenseView cells;
    if ((++turn * UINT64_C(0x9E3779B97F4A7C15) >> 60) % 2 == 0) return;
    OK(gb_acquire_dense(&A->m, &cells));
    gb_matrix_keep_only(&A->m, GBL_HAS_BITMAP | GBL_HAS_FULL);
    OK(gb_matrix_check(&A->m));
}

static void hold_all(gbl_Matrix A) {
    gb_DenseView cells;
    OK(gb_acquire_dense(&A->m, &cells));
    gb_matrix_keep_only(&A->m, GBL_HAS_BITMAP | GBL_HAS_FULL);
}

enum { ROWS = 4, COLUMNS = 400 };

static unsigned present(gbl_Matrix A) {
    gbl_Formats formats;
    OK(gbl_Matrix_formats(&formats, A));
    return formats.present;
}

/* A matrix with entries at random places, as rows. */
static gbl_Matrix some_matrix(uint64_t seed, double density, gbl_Index rows, gbl_Index columns) {
    t_Random r = t_random(seed);
    const t_Content c = {o_type(GBL_FP64_CODE), rows, columns, T_RANDOM, density, false, false};
    o_Matrix D = t_generate(&r, &c);
    gbl_Matrix A = t_matrix(&D);
    o_free(&D);
    return A;
}

static gbl_Matrix some_rows(uint64_t seed, double density) {
    return some_matrix(seed, density, ROWS, COLUMNS);
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

GB_TEST(cells, ewise) {
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

GB_TEST(cells, assign) {
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

GB_TEST(cells, assign_value) {
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

GB_TEST(cells, apply_and_transpose) {
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
GB_TEST(cells, transposes_of_all_shapes) {
    static const gbl_Index sides[] = {1, 3, 7, 8, 9, 16, 63, 64, 65, 130};
    for (size_t k = 0; k < T_COUNT(sides) * T_COUNT(sides) * T_COUNT(t_types); k++) {
        if (t_left_out()) continue;
        const size_t shape = k / T_COUNT(t_types);
        const o_Type type = o_type(t_types[k % T_COUNT(t_types)]);
        t_FrameCase of = t_frame_case("transpose", type, 0, false);
        t_Frame x;
        of.seed = k;
        of.hold = hold_all;
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
GB_TEST(cells, apply_and_select_by_index) {
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

/* What is made of cells is held as cells, and nothing else is made of them. */
GB_TEST(cells, stay_cells) {
    const gbl_Index I[] = {3, 1}, J[] = {7, 8, 9, 10};
    gbl_Matrix A = some_rows(5, 0.7), C = NULL, P = NULL;
    gbl_Index before, after;
    OK(gbl_Matrix_new(&C, GBL_FP64, ROWS, COLUMNS));
    OK(gbl_Matrix_new(&P, GBL_FP64, 2, 4));
    hold_all(A);
    gbl_Formats formats;
    OK(gbl_Matrix_formats(&formats, A));
    before = formats.conversions;
    OK(gbl_Matrix_apply(C, NULL, NULL, GBL_AINV_FP64, A, NULL));
    CHECK_EQ(present(C), (unsigned)GBL_HAS_BITMAP);
    OK(gbl_Matrix_select_INT64(C, NULL, NULL, GBL_TRIU, A, 100, NULL));
    CHECK_EQ(present(C), (unsigned)GBL_HAS_BITMAP);
    OK(gbl_Matrix_select_INT64(C, NULL, NULL, GBL_TRIU, A, COLUMNS - 2, NULL));
    CHECK_EQ(present(C), (unsigned)GBL_HAS_CSR);
    OK(gbl_Matrix_extract(P, NULL, NULL, A, I, 2, J, 4, NULL));
    CHECK(present(P) & (GBL_HAS_BITMAP | GBL_HAS_FULL));
    OK(gbl_Matrix_extract(C, NULL, NULL, A, GBL_ALL, ROWS, GBL_ALL, COLUMNS, NULL));
    CHECK_EQ(present(C), (unsigned)GBL_HAS_BITMAP);
    CHECK_EQ(present(A), (unsigned)GBL_HAS_BITMAP);
    OK(gbl_Matrix_formats(&formats, A));
    after = formats.conversions;
    CHECK_EQ(after, before);
    OK(gbl_Matrix_free(&A));
    OK(gbl_Matrix_free(&C));
    OK(gbl_Matrix_free(&P));
}

/* Transposed cells are cells, and no rows are made of them. */
GB_TEST(cells, stay_cells_transposed) {
    gbl_Matrix A = some_rows(5, 0.7), C = NULL, S = some_matrix(6, 0.7, 70, 70);
    gbl_Formats before, after;
    OK(gbl_Matrix_new(&C, GBL_FP64, COLUMNS, ROWS));
    hold_all(A);
    OK(gbl_Matrix_formats(&before, A));
    OK(gbl_transpose(C, NULL, NULL, A, NULL));
    CHECK_EQ(present(C), (unsigned)GBL_HAS_BITMAP);
    OK(gbl_Matrix_apply(C, NULL, NULL, GBL_AINV_FP64, A, GBL_DESC_T0));
    CHECK_EQ(present(C), (unsigned)GBL_HAS_BITMAP);
    OK(gbl_Matrix_select_INT64(C, NULL, NULL, GBL_ROWLE, A, COLUMNS / 2, GBL_DESC_T0));
    CHECK_EQ(present(C), (unsigned)GBL_HAS_BITMAP);
    CHECK_EQ(present(A), (unsigned)GBL_HAS_BITMAP);
    OK(gbl_Matrix_formats(&after, A));
    CHECK_EQ(after.conversions, before.conversions);
    o_Matrix D = t_dense(S), T = o_new(D.type, 70, 70);
    for (gbl_Index i = 0; i < 70; i++)
        for (gbl_Index j = 0; j < 70; j++) T.x[j * 70 + i] = D.x[i * 70 + j];
    hold_all(S);
    OK(gbl_transpose(S, NULL, NULL, S, NULL));
    CHECK_EQ(present(S), (unsigned)GBL_HAS_BITMAP);
    OK(gb_matrix_check(&S->m));
    t_expect("S", &T, S, 0);
    o_free(&D);
    o_free(&T);
    OK(gbl_Matrix_free(&A));
    OK(gbl_Matrix_free(&C));
    OK(gbl_Matrix_free(&S));
}

GB_TEST(cells, reduce) {
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
GB_TEST(cells, reduce_gives_the_bits_of_lists) {
    static const gbl_Index rows[] = {5, 17, 33, 100, 1000};
    const gbl_Index n = 60;
    const gbl_Monoid monoids[] = {GBL_MIN_MONOID_FP64, GBL_MAX_MONOID_FP64, GBL_PLUS_MONOID_FP64};
    t_Random r = t_random(3);
    for (size_t k = 0; k < T_COUNT(rows); k++) {
        gbl_Matrix cells = NULL, list = NULL;
        OK(gbl_Matrix_new(&list, GBL_FP64, rows[k], n));
        for (gbl_Index i = 0; i < rows[k] * n; i++)
            OK(gbl_Matrix_setElement_FP64(list, t_chance(&r, 0.5) ? 0.0 : -0.0, i / n, i % n));
        OK(gbl_Matrix_wait(list, GBL_MATERIALIZE));
        OK(gbl_Matrix_dup(&cells, list));
        hold_all(cells);
        for (size_t m = 0; m < T_COUNT(monoids); m++) {
            gbl_Vector v = NULL, w = NULL;
            double x[60], y[60];
            gbl_Index nx = n, ny = n;
            OK(gbl_Vector_new(&v, GBL_FP64, n));
            OK(gbl_Vector_new(&w, GBL_FP64, n));
            OK(gbl_Matrix_reduce_Monoid(v, NULL, NULL, monoids[m], cells, GBL_DESC_T0));
            OK(gbl_Matrix_reduce_Monoid(w, NULL, NULL, monoids[m], list, GBL_DESC_T0));
            OK(gbl_Vector_extractTuples_FP64(NULL, x, &nx, v));
            OK(gbl_Vector_extractTuples_FP64(NULL, y, &ny, w));
            CHECK(nx == n && ny == n && memcmp(x, y, sizeof x) == 0);
            OK(gbl_Vector_free(&v));
            OK(gbl_Vector_free(&w));
        }
        OK(gbl_Matrix_free(&cells));
        OK(gbl_Matrix_free(&list));
    }
}

/* -- life ------------------------------------------------------------------------------------- */

/* A matrix that results are added to becomes a bitmap when it is filled, and is a list again when
 * few entries are left and it was read as one. */
GB_TEST(cells, come_and_go) {
    gbl_Matrix C = NULL;
    gbl_Index nvals;
    OK(gbl_Matrix_new(&C, GBL_FP64, ROWS, COLUMNS));
    for (uint64_t k = 0; k < 40; k++) {
        gbl_Matrix A = some_rows(k, 0.02);
        OK(gbl_Matrix_assign(C, NULL, GBL_PLUS_FP64, A, GBL_ALL, ROWS, GBL_ALL, COLUMNS, NULL));
        OK(gbl_Matrix_free(&A));
    }
    CHECK_EQ(present(C), (unsigned)GBL_HAS_BITMAP);
    OK(gbl_Matrix_assign_FP64(C, NULL, NULL, 1, GBL_ALL, ROWS, GBL_ALL, COLUMNS, NULL));
    CHECK_EQ(present(C), (unsigned)GBL_HAS_FULL);
    OK(gbl_Matrix_nvals(&nvals, C));
    CHECK_EQ(nvals, (gbl_Index)ROWS * COLUMNS);
    gbl_Matrix A = some_rows(7, 0.002);
    OK(gbl_Matrix_assign(C, A, GBL_SECOND_FP64, A, GBL_ALL, ROWS, GBL_ALL, COLUMNS, GBL_DESC_RS));
    CHECK_EQ(present(C), (unsigned)GBL_HAS_CSR);
    o_Matrix expected = t_dense(A);
    t_expect("C", &expected, C, 0);
    o_free(&expected);
    OK(gbl_Matrix_free(&A));
    OK(gbl_Matrix_free(&C));
}

GB_TEST(cells, elements) {
    for (int full = 0; full < 2; full++) {
        gbl_Matrix A = some_rows(3, full ? 1.0 : 0.3), B = NULL, C = NULL;
        o_Matrix D = t_dense(A);
        t_Random r = t_random(11);
        hold_all(A);
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
        hold_all(A);
        OK(gbl_Matrix_dup(&B, A));
        CHECK_EQ(present(B), (unsigned)GBL_HAS_BITMAP);
        OK(gbl_Matrix_dup(&C, A));
        OK(gbl_Matrix_resize(C, ROWS + 1, COLUMNS + 3));
        OK(gbl_Matrix_resize(C, ROWS, COLUMNS));
        t_expect("the copy", &D, B, 0);
        t_expect("the copy resized", &D, C, 0);
        o_free(&D);
        OK(gbl_Matrix_free(&A));
        OK(gbl_Matrix_free(&B));
        OK(gbl_Matrix_free(&C));
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
        world o = {some_rows(1, 0.5), some_matrix(2, 1.0, rows, columns),
                   some_matrix(3, 0.6, rows, columns), some_rows(4, 0.05),
                   some_matrix(5, 0.8, ROWS, ROWS)};
        hold_all(o.S);
        hold_all(o.C);
        hold_all(o.A);
        hold_all(o.B);
        o_Matrix before = t_dense(o.C);
        hold_all(o.C);
        t_fail_at(n);
        const gbl_Info info = run(&o);
        t_fail_at(0);
        OK(gb_matrix_check(&o.C->m));
        if (info != GBL_SUCCESS) {
            CHECK_EQ(info, GBL_OUT_OF_MEMORY);
            t_expect("C", &before, o.C, 0);
            OK(run(&o));
        }
        o_free(&before);
        OK(gbl_Matrix_free(&o.C));
        OK(gbl_Matrix_free(&o.A));
        OK(gbl_Matrix_free(&o.B));
        OK(gbl_Matrix_free(&o.M));
        OK(gbl_Matrix_free(&o.S));
        if (info == GBL_SUCCESS) return;
    }
}

BRUTAL(cells) {
    for (gbl_Index k = 0; k < COLUMNS; k++) listed[k] = (k * 7) % COLUMNS;
    static const step steps[] = {add, add_inside, fill_outside, meet,  meet_list,
                                 map, keep,       part,         unite, multiply};
    static const step turned[] = {turn, turn_and_map, turn_and_keep};
    for (size_t k = 0; k < T_COUNT(steps); k++) run_brutally(steps[k], false);
    for (size_t k = 0; k < T_COUNT(turned); k++) run_brutally(turned[k], true);
}
