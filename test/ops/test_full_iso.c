/* SPDX-License-Identifier: Apache-2.0
 *
 * Full iso operands. At small sizes every call gives what it gives on a twin that holds the same
 * entries as rows; at large ones it takes no memory for positions.
 */
#include "support/gb_test.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { N = 6, CALLS = 13, DESCS = 16 };

static void same(gbl_Matrix A, gbl_Matrix B) {
    gbl_Index n, m, I[2][N * N], J[2][N * N];
    double X[2][N * N];
    memset(X, 0, sizeof X);
    OK(gbl_Matrix_nvals(&n, A));
    OK(gbl_Matrix_nvals(&m, B));
    CHECK_EQ(n, m);
    OK(gbl_Matrix_extractTuples_FP64(I[0], J[0], X[0], &n, A));
    OK(gbl_Matrix_extractTuples_FP64(I[1], J[1], X[1], &m, B));
    for (gbl_Index k = 0; k < n; k++)
        CHECK(I[0][k] == I[1][k] && J[0][k] == J[1][k] && X[0][k] == X[1][k]);
}

static gbl_Matrix sparse(uint64_t seed, double fill) {
    t_Random r = t_random(seed);
    gbl_Matrix A;
    OK(gbl_Matrix_new(&A, GBL_FP64, N, N));
    for (gbl_Index i = 0; i < N; i++)
        for (gbl_Index j = 0; j < N; j++)
            if (t_below(&r, 100) < fill * 100)
                OK(gbl_Matrix_setElement_FP64(A, (double)t_below(&r, 3) - 0.5, i, j));
    OK(gbl_Matrix_wait(A, GBL_MATERIALIZE));
    return A;
}

/* As one value, or as entries. */
static gbl_Matrix full(double x, bool one) {
    gbl_Index I[N * N], J[N * N];
    double X[N * N];
    gbl_Matrix F;
    OK(gbl_Matrix_new(&F, GBL_FP64, N, N));
    for (gbl_Index k = 0; k < N * N; k++) {
        I[k] = k / N;
        J[k] = k % N;
        X[k] = x;
    }
    if (one)
        OK(gbl_Matrix_assign_FP64(F, NULL, NULL, x, GBL_ALL, N, GBL_ALL, N, NULL));
    else
        OK(gbl_Matrix_build_FP64(F, I, J, X, N * N, GBL_PLUS_FP64));
    return F;
}

/* `role`: which of C, M, A, B is F (bits). */
typedef struct {
    gbl_Matrix C, M, A, B;
    gbl_Descriptor desc;
    gbl_BinaryOp accum;
} Case;

static void call(const Case *c, int which) {
    static const gbl_Index list[] = {1, 4, 5, 2, 0, 3};
    gbl_Vector w;
    OK(gbl_Vector_new(&w, GBL_FP64, N));
    const int64_t y = which - 9;
    switch (which) {
    case 0:
        OK(gbl_Matrix_eWiseMult_BinaryOp(c->C, c->M, c->accum, GBL_MINUS_FP64, c->A, c->B,
                                         c->desc));
        break;
    case 1:
        OK(gbl_Matrix_eWiseAdd_BinaryOp(c->C, c->M, c->accum, GBL_MINUS_FP64, c->A, c->B, c->desc));
        break;
    case 2:
        OK(gbl_Matrix_apply(c->C, c->M, c->accum, GBL_AINV_FP64, c->A, c->desc));
        break;
    case 3:
        OK(gbl_Matrix_apply_BinaryOp1st_FP64(c->C, c->M, c->accum, GBL_DIV_FP64, 3, c->A, c->desc));
        break;
    case 4:
        OK(gbl_transpose(c->C, c->M, c->accum, c->A, c->desc));
        break;
    case 5:
        OK(gbl_Matrix_extract(c->C, c->M, c->accum, c->A, list, N, list, N, c->desc));
        break;
    case 6:
        OK(gbl_Matrix_assign(c->C, c->M, c->accum, c->A, list, N, list, N, c->desc));
        break;
    case 7:
        OK(gbl_Matrix_assign_FP64(c->C, c->M, c->accum, 0.5, GBL_ALL, N, GBL_ALL, N, c->desc));
        break;
    case 8:
    case 9:
        OK(gbl_Matrix_select_INT64(c->C, c->M, c->accum, GBL_TRIL, c->A, y, c->desc));
        break;
    case 10:
        OK(gbl_Matrix_select_FP64(c->C, c->M, c->accum, GBL_VALUEGT_FP64, c->A, 0.7, c->desc));
        break;
    case 11:
        OK(gbl_Matrix_reduce_Monoid(w, NULL, NULL, GBL_PLUS_MONOID_FP64, c->A, c->desc));
        OK(gbl_Col_assign(c->C, NULL, c->accum, w, GBL_ALL, N, 2, NULL));
        OK(gbl_Row_assign(c->C, NULL, c->accum, w, 3, list, N, NULL));
        break;
    default:
        OK(gbl_mxm(c->C, c->M, c->accum, GBL_PLUS_TIMES_SEMIRING_FP64, c->A, c->B, c->desc));
        break;
    }
    FREE(w);
}

static Case make(unsigned roles, double f, bool one, gbl_Descriptor desc, bool accum, bool masked) {
    Case c = {.desc = desc, .accum = accum ? GBL_PLUS_FP64 : NULL};
    c.C = roles & 1 ? full(f, one) : sparse(roles + 3, 0.4);
    c.M = !masked ? NULL : roles & 2 ? full(f, one) : sparse(7, 0.2);
    c.A = roles & 4 ? full(f, one) : sparse(11, roles & 1 ? 0 : 0.3);
    c.B = roles & 8 ? full(2 * f, one) : sparse(12, 0.5);
    return c;
}

static void release(Case *c) {
    if (c->M != NULL) OK(gbl_Matrix_free(&c->M));
    FREE(c->C, c->A, c->B);
}

GB_TEST(full_iso, calls_as_on_entries) {
    for (unsigned k = 0; k < CALLS * DESCS * 16 * 2; k++) {
        const unsigned which = k % CALLS, flags = k / CALLS % DESCS,
                       roles = k / (CALLS * DESCS) % 16;
        gbl_Descriptor desc;
        OK(gbl_Descriptor_new(&desc));
        if (flags & 1) OK(gbl_Descriptor_set(desc, GBL_OUTP, GBL_REPLACE));
        if (flags & 2) OK(gbl_Descriptor_set(desc, GBL_MASK, GBL_COMP));
        if (flags & 4) OK(gbl_Descriptor_set(desc, GBL_MASK, GBL_STRUCTURE));
        if (flags & 8) OK(gbl_Descriptor_set(desc, GBL_INP0, GBL_TRAN));
        const bool accum = k % 3 == 0, masked = k % 5 != 0;
        const double f = k % 7 == 0 ? 0 : 0.75;
        t_case("call %u flags %u roles %u k %u", which, flags, roles, k);
        Case x = make(roles, f, true, desc, accum, masked);
        Case y = make(roles, f, false, desc, accum, masked);
        call(&x, (int)which);
        call(&y, (int)which);
        same(x.C, y.C);
        release(&x);
        release(&y);
        FREE(desc);
    }
}

/* n entries x, as one value, folded as they are if they are not. */
static void fold_both(gbl_Type type, gbl_Monoid monoid, double x, gbl_Index n) {
    gbl_Vector u = t_new_vector(type, n), w;
    gbl_Scalar s[2];
    double sum[2] = {0, 0};
    OK(gbl_Vector_assign_FP64(u, NULL, NULL, x, GBL_ALL, n, NULL));
    OK(gbl_Vector_dup(&w, u));
    OK(gbl_Vector_setElement_FP64(w, x == 7 ? 8 : 7, 0));
    OK(gbl_Vector_wait(w, GBL_MATERIALIZE));
    OK(gbl_Vector_setElement_FP64(w, x, 0));
    for (int k = 0; k < 2; k++) {
        OK(gbl_Scalar_new(&s[k], type));
        OK(gbl_Vector_reduce_Monoid_Scalar(s[k], NULL, monoid, k == 0 ? u : w, NULL));
        OK(gbl_Scalar_extractElement_FP64(&sum[k], s[k]));
    }
    CHECK(memcmp(&sum[0], &sum[1], sizeof sum[0]) == 0);
    FREE(u, w, s[0], s[1]);
}

/* Folds of one value are those of as many entries, to the bit: of floats at the lengths about which
 * the fold changes its steps. */
GB_TEST(full_iso, sums_have_the_bits_of_entries) {
    const double values[] = {1, 0.1,  -1e-3,    3.3e300, 1.0 / 3, 5e-324, 0x1.8p-30,
                             0, -0.0, INFINITY, NAN,     1.0009,  -1.0001};
    const gbl_Index lengths[] = {2,    9,    15,   16,   17,   33,   1023,  1024,   1025,
                                 1026, 1040, 2049, 8191, 8192, 8193, 17000, 100000, 3000007};
    gbl_Monoid const monoids[][4] = {
        {GBL_PLUS_MONOID_FP64, GBL_TIMES_MONOID_FP64, GBL_MIN_MONOID_FP64, GBL_MAX_MONOID_FP64},
        {GBL_PLUS_MONOID_FP32, GBL_TIMES_MONOID_FP32, GBL_MIN_MONOID_FP32, GBL_MAX_MONOID_FP32}};
    for (size_t v = 0; v < T_COUNT(values); v++) {
        for (size_t k = 0; k < T_COUNT(lengths) * 8; k++) {
            const size_t n = k / 8, m = k % 4, f = k / 4 % 2;
            if (lengths[n] > 100000 && (k % 8 != 0 || v > 6)) continue;
            t_case("value %zu length %zu monoid %zu type %zu", v, n, m, f);
            fold_both(f ? GBL_FP32 : GBL_FP64, monoids[f][m], values[v], lengths[n]);
        }
    }
}

/* The same where no order is seen, of each monoid. */
GB_TEST(full_iso, whole_numbers_fold_as_entries) {
    for (size_t k = 0; k < t_monoid_count; k++) {
        const o_Monoid monoid = t_monoid(&t_monoids[k]);
        if (monoid.op.op == O_ANY || t_is_float(monoid.op.z.code)) continue;
        for (int x = 0; x < 5; x++) {
            t_case("%s of %d", t_monoids[k].name, x);
            fold_both(monoid.op.z.handle, monoid.handle, x, 2);
            fold_both(monoid.op.z.handle, monoid.handle, x, 9001);
            fold_both(monoid.op.z.handle, monoid.handle, x, 9002);
        }
    }
}

GB_TEST(full_iso, any_dimension) {
    const gbl_Index n = (gbl_Index)1 << 40, m = 70000;
    gbl_Index nvals;
    gbl_Vector ones, u, w;
    gbl_Matrix F, A, C;
    double x;
    OK(gbl_Vector_new(&ones, GBL_FP64, n));
    OK(gbl_Vector_new(&u, GBL_FP64, n));
    OK(gbl_Vector_assign_FP64(ones, NULL, NULL, 2, GBL_ALL, n, NULL));
    OK(gbl_Vector_nvals(&nvals, ones));
    CHECK(nvals == n);
    OK(gbl_Vector_reduce_FP64(&x, NULL, GBL_PLUS_MONOID_FP64, ones, NULL));
    CHECK(x == 2 * (double)n);
    OK(gbl_Vector_extractElement_FP64(&x, ones, n - 1));
    CHECK(x == 2);
    OK(gbl_Vector_setElement_FP64(u, 5, n / 3));
    OK(gbl_Vector_eWiseMult_BinaryOp(u, ones, GBL_PLUS_FP64, GBL_TIMES_FP64, u, ones, GBL_DESC_S));
    OK(gbl_Vector_extractElement_FP64(&x, u, n / 3));
    CHECK(x == 15);
    OK(gbl_Vector_setElement_FP64(ones, 2, 17));
    FAILS(GBL_OUT_OF_MEMORY, gbl_Vector_setElement_FP64(ones, 3, 17));
    FAILS(GBL_OUT_OF_MEMORY,
          gbl_Vector_eWiseAdd_BinaryOp(u, NULL, NULL, GBL_TIMES_FP64, u, ones, NULL));
    OK(gbl_Vector_eWiseAdd_BinaryOp(u, u, NULL, GBL_TIMES_FP64, u, ones, GBL_DESC_S));
    OK(gbl_Vector_extractElement_FP64(&x, u, n / 3));
    CHECK(x == 30);
    OK(gbl_Vector_dup(&w, ones));
    OK(gbl_Vector_apply(w, NULL, GBL_PLUS_FP64, GBL_AINV_FP64, ones, NULL));
    OK(gbl_Vector_extractElement_FP64(&x, w, 3));
    CHECK(x == 0);
    OK(gbl_Vector_resize(w, n / 2));
    OK(gbl_Vector_nvals(&nvals, w));
    CHECK(nvals == n / 2);
    OK(gbl_Vector_assign_FP64(ones, ones, NULL, 1, GBL_ALL, n, GBL_DESC_RSC));
    OK(gbl_Vector_nvals(&nvals, ones));
    CHECK(nvals == 0);
    OK(gbl_Matrix_new(&F, GBL_FP64, m, m));
    OK(gbl_Matrix_new(&A, GBL_FP64, m, m));
    OK(gbl_Matrix_new(&C, GBL_FP64, m, m));
    OK(gbl_Matrix_assign_FP64(F, NULL, NULL, 3, GBL_ALL, m, GBL_ALL, m, NULL));
    OK(gbl_Matrix_setElement_FP64(A, 5, 3, 4));
    OK(gbl_Matrix_eWiseMult_BinaryOp(C, F, NULL, GBL_TIMES_FP64, A, F, NULL));
    OK(gbl_mxm(C, F, GBL_PLUS_FP64, GBL_PLUS_TIMES_SEMIRING_FP64, A, A, NULL));
    OK(gbl_Matrix_extractElement_FP64(&x, C, 3, 4));
    CHECK(x == 15);
    OK(gbl_Matrix_select_INT64(C, NULL, NULL, GBL_DIAG, A, 1, NULL));
    OK(gbl_Matrix_assign_FP64(A, F, NULL, 2, GBL_ALL, m, GBL_ALL, m, GBL_DESC_RSC));
    OK(gbl_Matrix_nvals(&nvals, A));
    CHECK(nvals == 0);
    FREE(ones, u, w, F, A, C);
}

/* -- products, of matrices that are large enough for lines of F to be made alone */

enum { WIDE = 300, TALL = 260, SIDE = 40 };

/* Values that round, at about that share of all positions. */
static gbl_Matrix rounding(uint64_t seed, gbl_Index m, gbl_Index n, double fill) {
    t_Random r = t_random(seed);
    gbl_Matrix A = t_new_matrix(GBL_FP64, m, n);
    for (gbl_Index k = 0; k < m * n; k++)
        if (t_chance(&r, fill))
            OK(gbl_Matrix_setElement_FP64(A, ((double)t_below(&r, 9) - 3) / 7, k / n, k % n));
    OK(gbl_Matrix_wait(A, GBL_MATERIALIZE));
    return A;
}

/* m x n of one value: full iso, or with entries of their own. */
static gbl_Matrix ones(double x, gbl_Index m, gbl_Index n, bool one) {
    gbl_Matrix F = t_new_matrix(GBL_FP64, m, n);
    OK(gbl_Matrix_assign_FP64(F, NULL, NULL, x, GBL_ALL, m, GBL_ALL, n, NULL));
    if (one) return F;
    OK(gbl_Matrix_setElement_FP64(F, 0, 0, 0)); /* no longer iso */
    OK(gbl_Matrix_wait(F, GBL_MATERIALIZE));
    OK(gbl_Matrix_setElement_FP64(F, x, 0, 0));
    return F;
}

static void same_bits(gbl_Matrix A, gbl_Matrix B) {
    gbl_Index n, m;
    OK(gbl_Matrix_nvals(&n, A));
    OK(gbl_Matrix_nvals(&m, B));
    CHECK_EQ(n, m);
    gbl_Index *at = calloc(4 * n + 1, sizeof *at);
    double *x = calloc(2 * n + 1, sizeof *x);
    OK(gbl_Matrix_extractTuples_FP64(at, at + n, x, &n, A));
    OK(gbl_Matrix_extractTuples_FP64(at + 2 * n, at + 3 * n, x + n, &m, B));
    CHECK(memcmp(at, at + 2 * n, 2 * n * sizeof *at) == 0);
    CHECK(memcmp(x, x + n, n * sizeof *x) == 0);
    free(at);
    free(x);
}

typedef struct {
    gbl_Semiring ring;
    gbl_Descriptor desc;
    gbl_BinaryOp accum;
    double mask, other; /* shares of positions; mask 0: none */
    int product;        /* of PRODUCTS */
} Product;
enum { F_BY_A, A_BY_F, F_BY_F, F_BY_U, U_BY_F, PRODUCTS };

static gbl_Matrix multiply(const Product *p, bool one) {
    const bool left = p->product == F_BY_A;
    gbl_Matrix F = ones(0.1, TALL, WIDE, one), M = NULL, C, A;
    gbl_Vector u, w = NULL;
    if (p->product >= F_BY_U) {
        const gbl_Index in = p->product == F_BY_U ? WIDE : TALL, out = TALL + WIDE - in;
        A = rounding(3, in, 1, p->other);
        OK(gbl_Vector_new(&u, GBL_FP64, in));
        OK(gbl_Vector_new(&w, GBL_FP64, out));
        OK(gbl_Col_extract(u, NULL, NULL, A, GBL_ALL, in, 0, NULL));
        OK(gbl_Vector_setElement_FP64(w, 5, 7));
        if (p->product == F_BY_U)
            OK(gbl_mxv(w, NULL, p->accum, p->ring, F, u, NULL));
        else
            OK(gbl_vxm(w, NULL, p->accum, p->ring, u, F, NULL));
        C = t_new_matrix(GBL_FP64, out, 1);
        OK(gbl_Col_assign(C, NULL, NULL, w, GBL_ALL, out, 0, NULL));
        FREE(A, F, u, w);
        return C;
    }
    if (p->product == F_BY_F)
        A = ones(0.3, WIDE, SIDE, one);
    else
        A = left ? rounding(3, WIDE, SIDE, p->other) : rounding(3, SIDE, TALL, p->other);
    C = left || p->product == F_BY_F ? rounding(4, TALL, SIDE, 0.3) : rounding(4, SIDE, WIDE, 0.3);
    if (p->mask > 0)
        M = left || p->product == F_BY_F ? rounding(5, TALL, SIDE, p->mask)
                                         : rounding(5, SIDE, WIDE, p->mask);
    if (p->product == A_BY_F)
        OK(gbl_mxm(C, M, p->accum, p->ring, A, F, p->desc));
    else
        OK(gbl_mxm(C, M, p->accum, p->ring, F, A, p->desc));
    if (M != NULL) OK(gbl_Matrix_free(&M));
    FREE(F, A);
    return C;
}

GB_TEST(full_iso, products_have_the_bits_of_entries) {
    const gbl_Semiring rings[] = {GBL_PLUS_TIMES_SEMIRING_FP64, GBL_MIN_PLUS_SEMIRING_FP64,
                                  GBL_MAX_FIRST_SEMIRING_FP64, GBL_LOR_LAND_SEMIRING_BOOL,
                                  GBL_PLUS_TIMES_SEMIRING_FP32};
    const gbl_Descriptor descs[] = {NULL, GBL_DESC_RS, GBL_DESC_RC, GBL_DESC_S};
    const double shares[] = {0, 0.05, 0.6}, others[] = {0.004, 0.1, 1};
    unsigned k = 0;
    for (size_t r = 0; r < T_COUNT(rings); r++)
        for (int product = 0; product < PRODUCTS; product++)
            for (size_t m = 0; m < 9; m++, k++) {
                if (t_left_out()) continue;
                const Product p = {.ring = rings[r],
                                   .desc = descs[k % T_COUNT(descs)],
                                   .accum = k % 3 == 0 ? GBL_PLUS_FP64 : NULL,
                                   .mask = shares[m % 3],
                                   .other = others[m / 3],
                                   .product = product};
                t_case("ring %zu, product %d, mask %g, other %g, k %u", r, product, p.mask, p.other,
                       k);
                gbl_Matrix found = multiply(&p, true), expected = multiply(&p, false);
                same_bits(found, expected);
                FREE(found, expected);
            }
}

/* -- unions with few entries */

typedef struct {
    gbl_BinaryOp op, accum;
    gbl_Descriptor desc;                    /* of a call with or without a mask */
    gbl_Type type;                          /* of C */
    bool masked, first, updated, iso, same; /* same: C is the other side */
} Union;

/* The other side is transposed where that is the first. */
static gbl_Matrix unite(const Union *p, bool one) {
    const bool turned = p->first && p->desc == GBL_DESC_T1;
    gbl_Matrix F = ones(0.3, TALL, WIDE, one), M = p->masked ? rounding(5, TALL, WIDE, 0.6) : NULL;
    gbl_Matrix few = turned ? rounding(6, WIDE, TALL, 0.01) : rounding(6, TALL, WIDE, 0.01);
    gbl_Matrix C = t_new_matrix(p->type, TALL, WIDE);
    if (p->iso) OK(gbl_Matrix_assign_FP64(few, few, NULL, 0.7, GBL_ALL, 0, GBL_ALL, 0, GBL_DESC_S));
    if (p->same && !turned) {
        OK(gbl_Matrix_free(&C));
        C = few;
    } else {
        OK(gbl_Matrix_setElement_FP64(C, 3, 1, 2));
    }
    if (p->updated) OK(gbl_Matrix_setElement_FP64(few, 0.1, 7, 8));
    OK(gbl_Matrix_eWiseAdd_BinaryOp(C, M, p->accum, p->op, p->first ? F : few, p->first ? few : F,
                                    p->desc));
    if (M != NULL) OK(gbl_Matrix_free(&M));
    if (C != few) OK(gbl_Matrix_free(&few));
    FREE(F);
    return C;
}

GB_TEST(full_iso, unions_have_the_bits_of_entries) {
    const gbl_BinaryOp ops[] = {GBL_MINUS_FP64, GBL_DIV_FP32, GBL_LT_FP64, GBL_SECOND_FP64};
    const gbl_Type types[] = {GBL_FP64, GBL_INT32, GBL_FP64, GBL_BOOL};
    const gbl_Descriptor descs[] = {NULL, GBL_DESC_RC, GBL_DESC_T1, GBL_DESC_S, GBL_DESC_RSC};
    for (unsigned k = 0; k < 5 * 4 * 2 * 2 * 3; k++) {
        if (t_left_out()) continue;
        const Union p = {.op = ops[k / 5 % 4],
                         .accum = k / 7 % 3 == 0 ? GBL_PLUS_FP64 : NULL,
                         .desc = k % 5 == 2 && k / 40 % 2 == 0 ? NULL : descs[k % 5],
                         .type = types[(k / 5 + k / 20) % 4],
                         .masked = k / 20 % 2 == 1,
                         .first = k / 40 % 2 == 1,
                         .updated = k % 2 == 1,
                         .iso = k % 3 == 1,
                         .same = k % 7 == 3};
        t_case("k %u", k);
        gbl_Matrix found = unite(&p, true), expected = unite(&p, false);
        same_bits(found, expected);
        FREE(found, expected);
    }
}

/* C is as it was where an allocation fails. */
BRUTAL(unions_over_one_value) {
    gbl_Matrix F = ones(0.3, TALL, WIDE, true), few = rounding(6, TALL, WIDE, 0.01);
    gbl_Matrix C = rounding(7, TALL, WIDE, 0.01), before = rounding(7, TALL, WIDE, 0.01);
    bool failed = true;
    for (int64_t n = 1; failed; n++) {
        const gbl_Info info = FAIL_AT(
            n, gbl_Matrix_eWiseAdd_BinaryOp(C, NULL, NULL, GBL_MINUS_FP64, F, few, NULL), &failed);
        if (info != GBL_SUCCESS) same_bits(C, before);
    }
    OK(gbl_Matrix_free(&F));
    F = ones(0.3, TALL, WIDE, false);
    OK(gbl_Matrix_eWiseAdd_BinaryOp(before, NULL, NULL, GBL_MINUS_FP64, F, few, NULL));
    same_bits(C, before);
    FREE(F, few, C, before);
}

/* O(entries of the other factor) at dimensions whose positions cannot be listed. */
GB_TEST(full_iso, products_of_any_dimension) {
    const gbl_Index n = (gbl_Index)1 << 40, m = (gbl_Index)1 << 20;
    gbl_Vector u, w;
    gbl_Matrix F, A, B, C, L;
    gbl_Index nvals;
    gbl_Explanation how = GBL_EXPLANATION_INIT;
    double x;
    OK(gbl_Vector_new(&u, GBL_FP64, n));
    OK(gbl_Vector_new(&w, GBL_FP64, n));
    A = t_new_matrix(GBL_FP64, n, n);
    F = t_new_matrix(GBL_FP64, n, n);
    OK(gbl_Vector_assign_FP64(u, NULL, NULL, 3, GBL_ALL, n, NULL));
    OK(gbl_Matrix_assign_FP64(F, NULL, NULL, 2, GBL_ALL, n, GBL_ALL, n, NULL));
    OK(gbl_Matrix_setElement_FP64(A, 5, n - 1, 4));
    OK(gbl_Matrix_setElement_FP64(A, 7, n - 1, n / 2));
    OK(gbl_mxv(w, NULL, NULL, GBL_PLUS_TIMES_SEMIRING_FP64, A, u, NULL));
    OK(gbl_Vector_extractElement_FP64(&x, w, n - 1));
    CHECK(x == 36);
    OK(gbl_vxm(w, NULL, NULL, GBL_PLUS_TIMES_SEMIRING_FP64, u, A, NULL));
    OK(gbl_Vector_extractElement_FP64(&x, w, n / 2));
    CHECK(x == 21);
    OK(gbl_mxv(u, NULL, NULL, GBL_MIN_PLUS_SEMIRING_FP64, F, w, NULL));
    OK(gbl_Vector_extractElement_FP64(&x, u, 9));
    CHECK(x == 17);
    OK(gbl_mxv(w, NULL, NULL, GBL_PLUS_TIMES_SEMIRING_FP64, F, u, NULL));
    OK(gbl_Vector_extractElement_FP64(&x, w, 9));
    CHECK(x == 34.0 * (double)n);
    OK(gbl_mxm(A, A, NULL, GBL_PLUS_TIMES_SEMIRING_FP64, F, A, GBL_DESC_S));
    OK(gbl_Matrix_extractElement_FP64(&x, A, n - 1, 4));
    CHECK(x == 10);
    FREE(u, w, A, F);
    F = t_new_matrix(GBL_FP64, 3, m);
    B = t_new_matrix(GBL_FP64, m, m);
    L = t_new_matrix(GBL_FP64, m, m);
    C = t_new_matrix(GBL_FP64, 3, m);
    OK(gbl_Matrix_assign_FP64(F, NULL, NULL, 2, GBL_ALL, 3, GBL_ALL, m, NULL));
    OK(gbl_Matrix_setElement_FP64(B, 5, 7, m - 4));
    OK(gbl_mxm(C, NULL, NULL, GBL_PLUS_TIMES_SEMIRING_FP64, F, B, NULL));
    OK(gbl_Matrix_nvals(&nvals, C));
    CHECK_EQ(nvals, 3);
    OK(gbl_Matrix_explain(&how, C));
    CHECK(strcmp(how.operation, "mxm") == 0);
    OK(gbl_Matrix_free(&F));
    F = t_new_matrix(GBL_FP64, m, m);
    OK(gbl_Matrix_assign_FP64(F, NULL, NULL, 2, GBL_ALL, m, GBL_ALL, m, NULL));
    OK(gbl_Matrix_setElement_FP64(L, 1, 9, m - 4));
    OK(gbl_Matrix_setElement_FP64(L, 1, 9, m - 5));
    OK(gbl_mxm(L, L, NULL, GBL_PLUS_TIMES_SEMIRING_FP64, F, B, NULL));
    OK(gbl_Matrix_extractElement_FP64(&x, L, 9, m - 4));
    CHECK(x == 10);
    OK(gbl_Matrix_nvals(&nvals, L));
    CHECK_EQ(nvals, 1);
    FREE(F, B, C, L);
}
