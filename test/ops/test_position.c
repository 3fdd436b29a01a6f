/* SPDX-License-Identifier: Apache-2.0
 *
 * Operators that see positions, of the user and predefined, in every operation that takes them, on
 * ordinary and on hypersparse objects, and eWiseUnion; against a grid that is computed cell by
 * cell. Cell (i, j) of the grid stands at (i * step, j * step) of the object.
 */
#include <math.h>

#include "support/gb_test.h"

enum { N = 9 };
#define FAR ((gbl_Index)1 << 33)

typedef struct {
    bool has[N][N];
    int64_t x[N][N];
    gbl_Index step;
} Grid;

static gbl_Index side(gbl_Index step) {
    return (N - 1) * step + 1;
}

static Grid random_grid(uint64_t seed, gbl_Index step, int columns) {
    t_Random r = t_random(seed);
    Grid g = {.step = step};
    for (int i = 0; i < N; i++)
        for (int j = 0; j < columns; j++) {
            g.has[i][j] = t_chance(&r, 0.35);
            g.x[i][j] = (int64_t)t_below(&r, 20) - 9;
        }
    return g;
}

static gbl_Matrix matrix_of(const Grid *g) {
    gbl_Matrix A;
    OK(gbl_Matrix_new(&A, GBL_INT64, side(g->step), side(g->step)));
    for (gbl_Index i = 0; i < N; i++)
        for (gbl_Index j = 0; j < N; j++)
            if (g->has[i][j])
                OK(gbl_Matrix_setElement_INT64(A, g->x[i][j], i * g->step, j * g->step));
    return A;
}

static gbl_Vector vector_of(const Grid *g) {
    gbl_Vector v;
    OK(gbl_Vector_new(&v, GBL_INT64, side(g->step)));
    for (gbl_Index i = 0; i < N; i++)
        if (g->has[i][0]) OK(gbl_Vector_setElement_INT64(v, g->x[i][0], i * g->step));
    return v;
}

static Grid transposed(const Grid *g) {
    Grid t = {.step = g->step};
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++) {
            t.has[i][j] = g->has[j][i];
            t.x[i][j] = g->x[j][i];
        }
    return t;
}

static void expect(const char *what, const Grid *g, gbl_Matrix C) {
    gbl_Index wanted = 0, found;
    t_case("%s, step %llu", what, (unsigned long long)g->step);
    for (gbl_Index i = 0; i < N; i++)
        for (gbl_Index j = 0; j < N; j++) {
            int64_t x = 0;
            const gbl_Info info = gbl_Matrix_extractElement_INT64(&x, C, i * g->step, j * g->step);
            wanted += g->has[i][j];
            CHECK_EQ(info, g->has[i][j] ? GBL_SUCCESS : GBL_NO_VALUE);
            if (g->has[i][j]) CHECK_EQ(x, g->x[i][j]);
        }
    OK(gbl_Matrix_nvals(&found, C));
    CHECK_EQ(found, wanted);
}

static void expect_vector(const char *what, const Grid *g, gbl_Vector w) {
    gbl_Index wanted = 0, found;
    t_case("%s, step %llu", what, (unsigned long long)g->step);
    for (gbl_Index i = 0; i < N; i++) {
        int64_t x = 0;
        const gbl_Info info = gbl_Vector_extractElement_INT64(&x, w, i * g->step);
        wanted += g->has[i][0];
        CHECK_EQ(info, g->has[i][0] ? GBL_SUCCESS : GBL_NO_VALUE);
        if (g->has[i][0]) CHECK_EQ(x, g->x[i][0]);
    }
    OK(gbl_Vector_nvals(&found, w));
    CHECK_EQ(found, wanted);
}

/* -- the operators */

static void mix(void *z, const void *x, gbl_Index ix, gbl_Index jx, const void *y, gbl_Index iy,
                gbl_Index jy, const void *theta) {
    *(int64_t *)z = (int64_t)(*(const uint64_t *)x * 3 + *(const uint64_t *)y * 5 + ix * 7 +
                              jx * 11 + iy * 13 + jy * 17 + *(const uint64_t *)theta);
}

typedef struct {
    const char *name;
    gbl_BinaryOp op;
    int which; /* of FIRSTI, FIRSTJ, SECONDI, SECONDJ; 4: mix */
    int64_t from;
} Op;

static int64_t compute(const Op *op, int64_t x, gbl_Index ix, gbl_Index jx, int64_t y, gbl_Index iy,
                       gbl_Index jy) {
    const uint64_t theta = 1000;
    int64_t z;
    const gbl_Index index[] = {ix, jx, iy, jy};
    if (op->which < 4) return (int64_t)index[op->which] + op->from;
    mix(&z, &x, ix, jx, &y, iy, jy, &theta);
    return z;
}

static gbl_BinaryOp new_mix(void) {
    gbl_Scalar theta;
    gbl_BinaryOp op;
    OK(gbl_Scalar_new(&theta, GBL_UINT64));
    OK(gbl_Scalar_setElement_UINT64(theta, 1000));
    OK(gbl_BinaryOp_new_index(&op, mix, GBL_INT64, GBL_INT64, GBL_INT64, theta));
    FREE(theta);
    return op;
}

static size_t operators(Op ops[9]) {
    const Op all[] = {{"mix", new_mix(), 4, 0},
                      {"FIRSTI", GBL_FIRSTI_INT64, 0, 0},
                      {"FIRSTJ", GBL_FIRSTJ_INT64, 1, 0},
                      {"SECONDI", GBL_SECONDI_INT64, 2, 0},
                      {"SECONDJ", GBL_SECONDJ_INT64, 3, 0},
                      {"FIRSTI1", GBL_FIRSTI1_INT64, 0, 1},
                      {"FIRSTJ1", GBL_FIRSTJ1_INT64, 1, 1},
                      {"SECONDI1", GBL_SECONDI1_INT64, 2, 1},
                      {"SECONDJ1", GBL_SECONDJ1_INT64, 3, 1}};
    memcpy(ops, all, sizeof all);
    return T_COUNT(all);
}

/* -- entry by entry */

static Grid pairs(const Op *op, const Grid *a, const Grid *b, bool unite, const int64_t *values) {
    Grid c = {.step = a->step};
    for (gbl_Index i = 0; i < N; i++)
        for (gbl_Index j = 0; j < N; j++) {
            const bool hasa = a->has[i][j], hasb = b->has[i][j], both = hasa && hasb;
            const gbl_Index I = i * a->step, J = j * a->step;
            const int64_t x = hasa || values == NULL ? a->x[i][j] : values[0];
            const int64_t y = hasb || values == NULL ? b->x[i][j] : values[1];
            c.has[i][j] = unite ? hasa || hasb : both;
            c.x[i][j] = both || values != NULL ? compute(op, x, I, J, y, I, J) : hasa ? x : y;
        }
    return c;
}

static void entry_by_entry(gbl_Index step) {
    Op ops[9];
    const size_t count = operators(ops);
    const Grid a = random_grid(1, step, N), b = random_grid(2, step, N), at = transposed(&a);
    gbl_Matrix A = matrix_of(&a), B = matrix_of(&b), C;
    const int64_t values[2] = {40, -50};
    gbl_Scalar alpha, beta;
    OK(gbl_Scalar_new(&alpha, GBL_INT32));
    OK(gbl_Scalar_new(&beta, GBL_FP64));
    OK(gbl_Scalar_setElement_INT64(alpha, values[0]));
    OK(gbl_Scalar_setElement_INT64(beta, values[1]));
    OK(gbl_Matrix_new(&C, GBL_INT64, side(step), side(step)));
    for (size_t k = 0; k < count; k++) {
        const Op *op = &ops[k];
        Grid c = pairs(op, &a, &b, false, NULL);
        OK(gbl_Matrix_eWiseMult_BinaryOp(C, NULL, NULL, op->op, A, B, NULL));
        expect("eWiseMult", &c, C);
        c = pairs(op, &at, &b, true, NULL);
        OK(gbl_Matrix_eWiseAdd_BinaryOp(C, NULL, NULL, op->op, A, B, GBL_DESC_T0));
        expect("eWiseAdd", &c, C);
        c = pairs(op, &at, &b, true, values);
        OK(gbl_Matrix_eWiseUnion(C, NULL, NULL, op->op, A, alpha, B, beta, GBL_DESC_T0));
        expect("eWiseUnion", &c, C);
        Grid one = a;
        for (gbl_Index i = 0; i < N; i++)
            for (gbl_Index j = 0; j < N; j++)
                one.x[i][j] = compute(op, 5, i * step, j * step, a.x[i][j], i * step, j * step);
        OK(gbl_Matrix_apply_BinaryOp1st_INT64(C, NULL, NULL, op->op, 5, A, NULL));
        expect("apply, first bound", &one, C);
        one = at;
        for (gbl_Index i = 0; i < N; i++)
            for (gbl_Index j = 0; j < N; j++)
                one.x[i][j] = compute(op, at.x[i][j], i * step, j * step, 5, i * step, j * step);
        OK(gbl_Matrix_apply_BinaryOp2nd_INT64(C, NULL, NULL, op->op, A, 5, GBL_DESC_T0));
        expect("apply, second bound", &one, C);
    }
    FREE(A, B, C, alpha, beta, ops[0].op);
}

GB_TEST(position, entry_by_entry) {
    entry_by_entry(1);
    entry_by_entry(FAR);
}

/* -- products; the right one is by columns of its vector, or by all */

static Grid product(const Op *op, const Grid *a, const Grid *b, int rows, int columns) {
    Grid c = {.step = a->step};
    for (gbl_Index i = 0; i < (gbl_Index)rows; i++)
        for (gbl_Index j = 0; j < (gbl_Index)columns; j++)
            for (gbl_Index k = 0; k < N; k++) {
                if (!a->has[i][k] || !b->has[k][j]) continue;
                const gbl_Index I = i * a->step, K = k * a->step, J = j * a->step;
                c.has[i][j] = true;
                c.x[i][j] += compute(op, a->x[i][k], I, K, b->x[k][j], K, J);
            }
    return c;
}

static void products(gbl_Index step) {
    Op ops[9];
    const size_t count = operators(ops);
    const Grid a = random_grid(3, step, N), b = random_grid(4, step, N),
               u = random_grid(5, step, 1);
    const Grid at = transposed(&a), ut = transposed(&u);
    gbl_Matrix A = matrix_of(&a), B = matrix_of(&b), C;
    gbl_Vector v = vector_of(&u), w;
    OK(gbl_Matrix_new(&C, GBL_INT64, side(step), side(step)));
    OK(gbl_Vector_new(&w, GBL_INT64, side(step)));
    for (size_t k = 0; k < count; k++) {
        gbl_Semiring ring;
        OK(gbl_Semiring_new(&ring, GBL_PLUS_MONOID_INT64, ops[k].op));
        Grid c = product(&ops[k], &a, &b, N, N);
        OK(gbl_mxm(C, NULL, NULL, ring, A, B, NULL));
        expect("mxm", &c, C);
        c = product(&ops[k], &at, &b, N, N);
        OK(gbl_mxm(C, NULL, NULL, ring, A, B, GBL_DESC_T0));
        expect("mxm of a transpose", &c, C);
        c = product(&ops[k], &a, &u, N, 1);
        OK(gbl_mxv(w, NULL, NULL, ring, A, v, NULL));
        expect_vector("mxv", &c, w);
        c = product(&ops[k], &ut, &a, 1, N);
        c = transposed(&c);
        OK(gbl_vxm(w, NULL, NULL, ring, v, A, NULL));
        expect_vector("vxm", &c, w);
        FREE(ring);
    }
    FREE(A, B, C, v, w, ops[0].op);
}

GB_TEST(position, products) {
    products(1);
    products(FAR);
}

GB_TEST(position, kronecker) {
    Op ops[9];
    const size_t count = operators(ops);
    Grid a = {.step = 1}, b = {.step = 1};
    gbl_Matrix A, B, C;
    OK(gbl_Matrix_new(&A, GBL_INT64, 3, 3));
    OK(gbl_Matrix_new(&B, GBL_INT64, 3, 3));
    OK(gbl_Matrix_new(&C, GBL_INT64, N, N));
    for (gbl_Index k = 0; k < 3; k++) {
        a.has[k][(k + 1) % 3] = b.has[k][2 - k] = true;
        OK(gbl_Matrix_setElement_INT64(A, a.x[k][(k + 1) % 3] = (int64_t)k + 2, k, (k + 1) % 3));
        OK(gbl_Matrix_setElement_INT64(B, b.x[k][2 - k] = (int64_t)k - 5, k, 2 - k));
    }
    for (size_t k = 0; k < count; k++) {
        Grid c = {.step = 1};
        for (gbl_Index i = 0; i < N; i++)
            for (gbl_Index j = 0; j < N; j++) {
                c.has[i][j] = a.has[i / 3][j / 3] && b.has[i % 3][j % 3];
                c.x[i][j] = compute(&ops[k], a.x[i / 3][j / 3], i / 3, j / 3, b.x[i % 3][j % 3],
                                    i % 3, j % 3);
            }
        OK(gbl_Matrix_kronecker_BinaryOp(C, NULL, NULL, ops[k].op, A, B, NULL));
        expect("kronecker", &c, C);
    }
    FREE(A, B, C, ops[0].op);
}

GB_TEST(position, unary) {
    const gbl_UnaryOp ops[] = {GBL_POSITIONI_INT64, GBL_POSITIONJ_INT64, GBL_POSITIONI1_INT32,
                               GBL_POSITIONJ1_INT32};
    for (int far = 0; far < 2; far++) {
        Grid a = random_grid(6, far ? (gbl_Index)1 << 28 : 1, N);
        gbl_Matrix A = matrix_of(&a), C;
        OK(gbl_Matrix_new(&C, GBL_INT64, side(a.step), side(a.step)));
        for (int k = 0; k < 4; k++) {
            for (gbl_Index i = 0; i < N; i++)
                for (gbl_Index j = 0; j < N; j++) {
                    const uint64_t at = (k % 2 == 0 ? i : j) * a.step + (k >= 2);
                    a.x[i][j] = k >= 2 ? (int64_t)(int32_t)(uint32_t)at : (int64_t)at;
                }
            OK(gbl_Matrix_apply(C, NULL, NULL, ops[k], A, NULL));
            expect("POSITION", &a, C);
        }
        FREE(A, C);
    }
}

/* -- union with plain operators, mask, accumulator */

GB_TEST(position, plain_union) {
    const Grid a = random_grid(7, 1, N), b = random_grid(8, 1, N), m = random_grid(9, 1, N);
    gbl_Matrix A = matrix_of(&a), B = matrix_of(&b), M = matrix_of(&m), C = matrix_of(&a);
    gbl_Scalar alpha, beta, none;
    OK(gbl_Scalar_new(&alpha, GBL_INT64));
    OK(gbl_Scalar_new(&beta, GBL_INT64));
    OK(gbl_Scalar_new(&none, GBL_INT64));
    OK(gbl_Scalar_setElement_INT64(alpha, 100));
    OK(gbl_Scalar_setElement_INT64(beta, 7));
    Grid c = a;
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++) {
            if (!m.has[i][j] || !(a.has[i][j] || b.has[i][j])) continue;
            const int64_t x = a.has[i][j] ? a.x[i][j] : 100, y = b.has[i][j] ? b.x[i][j] : 7;
            c.x[i][j] = x - y + (a.has[i][j] ? a.x[i][j] : 0);
            c.has[i][j] = true;
        }
    OK(gbl_Matrix_eWiseUnion(C, M, GBL_PLUS_INT64, GBL_MINUS_INT64, A, alpha, B, beta, GBL_DESC_S));
    expect("eWiseUnion", &c, C);
    FAILS(GBL_EMPTY_OBJECT,
          gbl_Matrix_eWiseUnion(C, NULL, NULL, GBL_PLUS_INT64, A, none, B, beta, NULL));
    FAILS(GBL_NULL_POINTER,
          gbl_Matrix_eWiseUnion(C, NULL, NULL, GBL_PLUS_INT64, A, NULL, B, beta, NULL));
    FAILS(GBL_DOMAIN_MISMATCH,
          gbl_Matrix_eWiseAdd_BinaryOp(C, NULL, GBL_FIRSTI_INT64, GBL_PLUS_INT64, A, B, NULL));
    expect("afterwards", &c, C);
    FREE(A, B, C, M, alpha, beta, none);
}

/* -- operators of values */

static double apply2(gbl_BinaryOp op, gbl_Type type, double x, double y) {
    gbl_Vector u, v;
    double z = NAN;
    OK(gbl_Vector_new(&u, type, 1));
    OK(gbl_Vector_new(&v, type, 1));
    OK(gbl_Vector_setElement_FP64(u, x, 0));
    OK(gbl_Vector_setElement_FP64(v, y, 0));
    OK(gbl_Vector_eWiseMult_BinaryOp(u, NULL, NULL, op, u, v, NULL));
    OK(gbl_Vector_extractElement_FP64(&z, u, 0));
    FREE(u, v);
    return z;
}

GB_TEST(position, operators_of_values) {
#define TRY(N, T)                                                                                  \
    for (int x = 0; x < 3; x++)                                                                    \
        for (int y = 0; y < 3; y++) {                                                              \
            const double a = (T)x, b = (T)y;                                                       \
            t_case(#N " of %d and %d", x, y);                                                      \
            CHECK(apply2(GBL_ISEQ_##N, GBL_##N, a, b) == (a == b));                                \
            CHECK(apply2(GBL_ISNE_##N, GBL_##N, a, b) == (a != b));                                \
            CHECK(apply2(GBL_ISGT_##N, GBL_##N, a, b) == (a > b));                                 \
            CHECK(apply2(GBL_ISLT_##N, GBL_##N, a, b) == (a < b));                                 \
            CHECK(apply2(GBL_ISGE_##N, GBL_##N, a, b) == (a >= b));                                \
            CHECK(apply2(GBL_ISLE_##N, GBL_##N, a, b) == (a <= b));                                \
            CHECK(apply2(GBL_RMINUS_##N, GBL_##N, a, b) == apply2(GBL_MINUS_##N, GBL_##N, b, a));  \
            CHECK(apply2(GBL_RDIV_##N, GBL_##N, a, b) == apply2(GBL_DIV_##N, GBL_##N, b, a) ||     \
                  (a == 0 && b == 0));                                                             \
        }
    GBL_FOREACH_TYPE(TRY)
#undef TRY
#define TRY(N, T)                                                                                  \
    for (int x = 0; x < 3; x++)                                                                    \
        for (int y = 0; y < 3; y++) {                                                              \
            CHECK(apply2(GBL_LOR_##N, GBL_##N, x, y) == (x || y));                                 \
            CHECK(apply2(GBL_LAND_##N, GBL_##N, x, y) == (x && y));                                \
            CHECK(apply2(GBL_LXOR_##N, GBL_##N, x, y) == (!x != !y));                              \
        }
    GBL_FOREACH_NUMERIC(TRY)
#undef TRY
#define TRY(N, T)                                                                                  \
    CHECK(apply2(GBL_BGET_##N, GBL_##N, 5, 3) == 1 && apply2(GBL_BGET_##N, GBL_##N, 5, 2) == 0);   \
    CHECK(apply2(GBL_BGET_##N, GBL_##N, 5, 0) == 0 && apply2(GBL_BGET_##N, GBL_##N, 5, 65) == 0);  \
    CHECK(apply2(GBL_BSET_##N, GBL_##N, 5, 2) == 7 && apply2(GBL_BSET_##N, GBL_##N, 5, 66) == 5);  \
    CHECK(apply2(GBL_BCLR_##N, GBL_##N, 5, 1) == 4 && apply2(GBL_BCLR_##N, GBL_##N, 5, 2) == 5);   \
    CHECK(apply2(GBL_BSHIFT_##N, GBL_##N, 20, 2) == 80 &&                                          \
          apply2(GBL_BSHIFT_##N, GBL_##N, 20, 64) == 0);
    GBL_FOREACH_INTEGER(TRY)
#undef TRY
#define TRY(N, T) CHECK(apply2(GBL_BSHIFT_##N, GBL_##N, -20, -2) == -5);
    GBL_FOREACH_SIGNED(TRY)
#undef TRY
}

/* A terminal value ends sums: the operator is never called on what follows it. */
static int calls;
static void least(void *z, const void *x, const void *y) {
    const int32_t a = *(const int32_t *)x, b = *(const int32_t *)y;
    calls++;
    *(int32_t *)z = a < b ? a : b;
}

GB_TEST(position, terminal) {
    gbl_BinaryOp op;
    gbl_Monoid monoid;
    gbl_Semiring ring;
    gbl_Matrix A;
    gbl_Vector u, w;
    int32_t x;
    enum { LONG = 200 };
    OK(gbl_BinaryOp_new(&op, least, GBL_INT32, GBL_INT32, GBL_INT32));
    OK(gbl_Monoid_new_terminal_INT32(&monoid, op, INT32_MAX, 0));
    OK(gbl_Semiring_new(&ring, monoid, GBL_FIRST_INT32));
    OK(gbl_Matrix_new(&A, GBL_INT32, 1, LONG));
    OK(gbl_Vector_new(&u, GBL_INT32, LONG));
    OK(gbl_Vector_new(&w, GBL_INT32, 1));
    for (gbl_Index k = 0; k < LONG; k++) {
        OK(gbl_Matrix_setElement_INT32(A, k == 3 ? 0 : 5, 0, k));
        OK(gbl_Vector_setElement_INT32(u, 1, k));
    }
    gbl_Descriptor desc;
    OK(gbl_Descriptor_new(&desc));
    OK(gbl_Descriptor_set(desc, GBL_METHOD, GBL_METHOD_PULL));
    OK(gbl_mxv(w, NULL, NULL, ring, A, u, desc));
    OK(gbl_Vector_extractElement_INT32(&x, w, 0));
    CHECK_EQ(x, 0);
    CHECK(calls < 10);
    gbl_Monoid wrong;
    FAILS(GBL_DOMAIN_MISMATCH, gbl_Monoid_new_terminal_FP64(&wrong, op, 1, 0));
    CHECK(wrong == NULL);
    FREE(op, monoid, ring, A, u, w, desc);
}
