/* SPDX-License-Identifier: Apache-2.0
 *
 * Operations on objects of huge dimensions, against the same operations on their small twins: all
 * masks, accumulators and transposes, with both dimensions huge, or one.
 */
#include "support/huge.h"

#include "matrix/check.h"

#include <string.h>

#define TOP (GBL_INDEX_MAX + 1)
#define BILLION ((gbl_Index)1000000000)

/* -- a case: C (m x n), a mask, A and B, and their twins */

typedef struct {
    gbl_Type_Code type;
    gbl_Index m, k, n; /* C and mask m x n; A m x k and B k x n, or, for `square`, all m x n */
    bool product;
    t_Flags flags;
    uint64_t seed;
    double density;
} Case;

typedef struct {
    const Case *of;
    t_Scatter rows, inner, cols;
    t_Scatter a[2], b[2]; /* of A as it is passed: transposed where asked */
    gbl_Matrix C, M, A, B, hC, hM, hA, hB;
    gbl_BinaryOp accum;
    gbl_Descriptor desc;
} World;

static gbl_Matrix content(t_Random *r, gbl_Type_Code code, const t_Scatter shape[2],
                          double density) {
    o_Matrix D = t_generate(r, &(t_Content){o_type(code), shape[0].small, shape[1].small, T_RANDOM,
                                            density, false, false});
    gbl_Matrix A = t_matrix(&D);
    o_free(&D);
    return A;
}

/* Huge; or 2000, the dimension that a tiny build holds hypersparse, where some operands are and
 * others are not. */
static t_Scatter dimension(t_Random *r, gbl_Index small, bool huge) {
    if (!huge) return t_same_places(small);
    const gbl_Index sizes[] = {TOP, (gbl_Index)1 << 50, (gbl_Index)1 << 33, 2000};
    return t_scatter(r, small, sizes[t_below(r, T_COUNT(sizes))]);
}

static void begin(World *w, const Case *of) {
    t_Random r = t_random(of->seed);
    const unsigned shape = (unsigned)t_below(&r, 4);
    memset(w, 0, sizeof *w);
    w->of = of;
    w->rows = dimension(&r, of->m, shape != 1);
    w->cols = dimension(&r, of->n, shape != 2);
    w->inner = dimension(&r, of->k, shape != 3);
    if (shape == 0 && of->seed % 5 == 3) { /* ordinary, but far longer than there are entries */
        w->rows = t_scatter(&r, of->m, BILLION);
        w->cols = t_scatter(&r, of->n, BILLION);
        w->inner = t_scatter(&r, of->k, BILLION);
    }
    if (of->m == of->n && of->m == of->k && shape == 0) w->cols = w->inner = w->rows;
    const t_Scatter inner_a = of->product ? w->inner : w->cols;
    const t_Scatter inner_b = of->product ? w->inner : w->rows;
    w->a[of->flags.tran0] = w->rows;
    w->a[!of->flags.tran0] = inner_a;
    w->b[of->flags.tran1] = inner_b;
    w->b[!of->flags.tran1] = w->cols;
    const t_Scatter c[2] = {w->rows, w->cols};
    w->A = content(&r, of->type, w->a, of->density);
    w->B = content(&r, of->type, w->b, of->seed % 5 == 0 ? 0.9 : of->density);
    w->C = content(&r, of->type, c, of->density);
    w->hA = t_twin(w->A, &w->a[0], &w->a[1]);
    w->hB = t_twin(w->B, &w->b[0], &w->b[1]);
    w->hC = t_twin(w->C, &w->rows, &w->cols);
    if (t_has_mask(of->flags.mask)) {
        w->M = content(&r, GBL_INT8_CODE, c, 0.4);
        w->hM = t_twin(w->M, &w->rows, &w->cols);
    }
    if (of->flags.accum) w->accum = of->type == GBL_INT64_CODE ? GBL_MINUS_INT64 : GBL_MINUS_FP64;
    w->desc = t_descriptor(&of->flags);
    t_case("seed %llu shape %u %s", (unsigned long long)of->seed, shape, t_flags_text(&of->flags));
}

static void end(World *w) {
    t_expect_twin(w->C, w->hC, &w->rows, &w->cols);
    OK(gb_matrix_check((gb_Matrix *)(void *)w->hC));
    OK(gb_matrix_check((gb_Matrix *)(void *)w->hA));
    gbl_Matrix *all[] = {&w->C, &w->M, &w->A, &w->B, &w->hC, &w->hM, &w->hA, &w->hB};
    for (size_t k = 0; k < T_COUNT(all); k++) gbl_Matrix_free(all[k]);
    gbl_Descriptor_free(&w->desc);
}

/* Every flag, with several seeds. */
#define FOR_ALL(case_, w, seeds)                                                                   \
    for (uint64_t s_ = 0; s_ < (seeds); s_++)                                                      \
        for (unsigned f_ = 0; f_ < T_FLAGS_ALL; f_++)                                              \
            if (!t_left_out() && ((case_).seed = 1000 * s_ + f_, (case_).flags = t_flags(f_),      \
                                  begin(&(w), &(case_)), true))

GB_TEST(hyper, mxm) {
    const gbl_Semiring rings[] = {GBL_PLUS_TIMES_SEMIRING_INT64, GBL_MIN_PLUS_SEMIRING_INT64};
    Case of = {GBL_INT64_CODE, 17, 13, 19, true, .density = 0.2};
    World w;
    FOR_ALL(of, w, 4) {
        const gbl_Semiring ring = rings[of.seed % 2];
        gbl_MxmEstimate small = GBL_MXM_ESTIMATE_INIT, huge = GBL_MXM_ESTIMATE_INIT;
        OK(gbl_mxm_estimate(&small, ring, w.A, w.B, w.desc));
        OK(gbl_mxm_estimate(&huge, ring, w.hA, w.hB, w.desc));
        CHECK(huge.flops == small.flops);
        OK(gbl_mxm(w.C, w.M, w.accum, ring, w.A, w.B, w.desc));
        OK(gbl_mxm(w.hC, w.hM, w.accum, ring, w.hA, w.hB, w.desc));
        end(&w);
    }
    of.m = of.n = of.k = 20;
    FOR_ALL(of, w, 2) {
        OK(gbl_mxm(w.C, w.M, w.accum, rings[0], w.A, w.B, w.desc));
        OK(gbl_mxm(w.hC, w.hM, w.accum, rings[0], w.hA, w.hB, w.desc));
        end(&w);
    }
}

GB_TEST(hyper, mxm_reduce) {
    Case of = {GBL_INT64_CODE, 17, 13, 19, true, .density = 0.3};
    World w;
    FOR_ALL(of, w, 1) {
        int64_t x = 3, y = 3;
        OK(gbl_mxm_reduce_INT64(&x, w.M, w.accum, GBL_PLUS_MONOID_INT64,
                                GBL_PLUS_TIMES_SEMIRING_INT64, w.A, w.B, w.desc));
        OK(gbl_mxm_reduce_INT64(&y, w.hM, w.accum, GBL_PLUS_MONOID_INT64,
                                GBL_PLUS_TIMES_SEMIRING_INT64, w.hA, w.hB, w.desc));
        CHECK_EQ(y, x);
        end(&w);
    }
}

GB_TEST(hyper, ewise) {
    Case of = {GBL_INT64_CODE, 15, 1, 15, false, .density = 0.3};
    World w;
    FOR_ALL(of, w, 4) {
        if (of.seed % 2) {
            OK(gbl_Matrix_eWiseAdd_BinaryOp(w.C, w.M, w.accum, GBL_MINUS_INT64, w.A, w.B, w.desc));
            OK(gbl_Matrix_eWiseAdd_BinaryOp(w.hC, w.hM, w.accum, GBL_MINUS_INT64, w.hA, w.hB,
                                            w.desc));
        } else {
            OK(gbl_Matrix_eWiseMult_BinaryOp(w.C, w.M, w.accum, GBL_TIMES_INT64, w.A, w.B, w.desc));
            OK(gbl_Matrix_eWiseMult_BinaryOp(w.hC, w.hM, w.accum, GBL_TIMES_INT64, w.hA, w.hB,
                                             w.desc));
        }
        end(&w);
    }
}

/* C and A, or C and the mask, are one object. */
GB_TEST(hyper, aliases) {
    Case of = {GBL_INT64_CODE, 15, 15, 15, true, .density = 0.2};
    World w;
    FOR_ALL(of, w, 2) {
        const gbl_Semiring ring = GBL_PLUS_TIMES_SEMIRING_INT64;
        if (memcmp(&w.rows, &w.cols, sizeof w.rows) || memcmp(&w.rows, &w.inner, sizeof w.rows)) {
            end(&w);
            continue;
        }
        OK(gbl_mxm(w.C, w.M, w.accum, ring, w.C, w.C, w.desc));
        OK(gbl_mxm(w.hC, w.hM, w.accum, ring, w.hC, w.hC, w.desc));
        t_expect_twin(w.C, w.hC, &w.rows, &w.cols);
        OK(gbl_transpose(w.C, w.C, w.accum, w.C, w.desc));
        OK(gbl_transpose(w.hC, w.hC, w.accum, w.hC, w.desc));
        t_expect_twin(w.C, w.hC, &w.rows, &w.cols);
        OK(gbl_Matrix_apply(w.C, NULL, NULL, GBL_AINV_INT64, w.C, NULL));
        OK(gbl_Matrix_apply(w.hC, NULL, NULL, GBL_AINV_INT64, w.hC, NULL));
        end(&w);
    }
}

GB_TEST(hyper, apply_select_transpose) {
    Case of = {GBL_INT64_CODE, 15, 1, 18, false, .density = 0.3};
    World w;
    FOR_ALL(of, w, 3) {
        const gbl_Matrix C[] = {w.C, w.hC}, M[] = {w.M, w.hM}, A[] = {w.A, w.hA};
        for (int k = 0; k < 2; k++) {
            if (of.seed % 4 == 0)
                OK(gbl_Matrix_apply(C[k], M[k], w.accum, GBL_AINV_INT64, A[k], w.desc));
            else if (of.seed % 4 == 1)
                OK(gbl_Matrix_apply_BinaryOp2nd_INT64(C[k], M[k], w.accum, GBL_PLUS_INT64, A[k], 5,
                                                      w.desc));
            else if (of.seed % 4 == 2)
                OK(gbl_Matrix_select_INT64(C[k], M[k], w.accum, GBL_VALUEGT_INT64, A[k], 2,
                                           w.desc));
            else if (w.of->flags.tran0)
                continue;
            else
                OK(gbl_Matrix_assign(C[k], M[k], w.accum, A[k], GBL_ALL, 0, GBL_ALL, 0, w.desc));
        }
        end(&w);
    }
    FOR_ALL(of, w, 1) {
        gbl_Descriptor desc;
        t_Flags flags = of.flags; /* gbl_transpose transposes by itself */
        flags.tran0 = !flags.tran0;
        desc = t_descriptor(&flags);
        OK(gbl_transpose(w.C, w.M, w.accum, w.A, desc));
        OK(gbl_transpose(w.hC, w.hM, w.accum, w.hA, desc));
        gbl_Descriptor_free(&desc);
        end(&w);
    }
}

/* -- vectors: of the rows of A */

typedef struct {
    gbl_Vector w, m, u, hw, hm, hu;
} Vectors;

static gbl_Vector vector(t_Random *r, gbl_Type_Code code, const t_Scatter *places, double density) {
    o_Matrix D = t_generate(
        r, &(t_Content){o_type(code), places->small, 1, T_RANDOM, density, false, false});
    gbl_Vector v = t_vector(&D);
    o_free(&D);
    return v;
}

/* w along `rows`, u along `inner`. */
static Vectors vectors(const World *w, const t_Scatter *rows, const t_Scatter *inner) {
    t_Random r = t_random(w->of->seed + 77);
    Vectors v = {.w = vector(&r, w->of->type, rows, 0.4), .u = vector(&r, w->of->type, inner, 0.3)};
    v.hw = t_twin_vector(v.w, rows);
    v.hu = t_twin_vector(v.u, inner);
    if (w->M == NULL) return v;
    v.m = vector(&r, GBL_BOOL_CODE, rows, 0.5);
    v.hm = t_twin_vector(v.m, rows);
    return v;
}

static void end_vectors(World *w, Vectors *v, const t_Scatter *rows) {
    t_expect_twin_vector(v->w, v->hw, rows);
    OK(gb_matrix_check((gb_Matrix *)(void *)v->hw));
    gbl_Vector *all[] = {&v->w, &v->m, &v->u, &v->hw, &v->hm, &v->hu};
    for (size_t k = 0; k < T_COUNT(all); k++) gbl_Vector_free(all[k]);
    end(w);
}

GB_TEST(hyper, mxv) {
    Case of = {GBL_INT64_CODE, 21, 17, 5, true, .density = 0.2};
    World w;
    const gbl_Semiring ring = GBL_PLUS_TIMES_SEMIRING_INT64;
    FOR_ALL(of, w, 3) {
        Vectors v = vectors(&w, &w.rows, &w.inner);
        OK(gbl_mxv(v.w, v.m, w.accum, ring, w.A, v.u, w.desc));
        OK(gbl_mxv(v.hw, v.hm, w.accum, ring, w.hA, v.hu, w.desc));
        end_vectors(&w, &v, &w.rows);
    }
    FOR_ALL(of, w, 3) { /* u' B */
        Vectors v = vectors(&w, &w.cols, &w.inner);
        OK(gbl_vxm(v.w, v.m, w.accum, ring, v.u, w.B, w.desc));
        OK(gbl_vxm(v.hw, v.hm, w.accum, ring, v.hu, w.hB, w.desc));
        end_vectors(&w, &v, &w.cols);
    }
}

GB_TEST(hyper, reduce) {
    Case of = {GBL_INT64_CODE, 21, 17, 5, true, .density = 0.2};
    World w;
    FOR_ALL(of, w, 3) {
        Vectors v = vectors(&w, &w.rows, &w.rows);
        int64_t x, y;
        OK(gbl_Matrix_reduce_Monoid(v.w, v.m, w.accum, GBL_PLUS_MONOID_INT64, w.A, w.desc));
        OK(gbl_Matrix_reduce_Monoid(v.hw, v.hm, w.accum, GBL_PLUS_MONOID_INT64, w.hA, w.desc));
        OK(gbl_Matrix_reduce_INT64(&x, NULL, GBL_MIN_MONOID_INT64, w.A, NULL));
        OK(gbl_Matrix_reduce_INT64(&y, NULL, GBL_MIN_MONOID_INT64, w.hA, NULL));
        CHECK_EQ(y, x);
        OK(gbl_Vector_reduce_INT64(&x, NULL, GBL_PLUS_MONOID_INT64, v.w, NULL));
        OK(gbl_Vector_reduce_INT64(&y, NULL, GBL_PLUS_MONOID_INT64, v.hw, NULL));
        CHECK_EQ(y, x);
        end_vectors(&w, &v, &w.rows);
    }
}

GB_TEST(hyper, vectors) {
    Case of = {GBL_INT64_CODE, 40, 1, 4, false, .density = 0.2};
    World w;
    FOR_ALL(of, w, 4) {
        Vectors v = vectors(&w, &w.rows, &w.rows);
        const gbl_Vector W[] = {v.w, v.hw}, M[] = {v.m, v.hm}, U[] = {v.u, v.hu};
        for (int k = 0; k < 2; k++) {
            OK(gbl_Vector_eWiseAdd_BinaryOp(W[k], M[k], w.accum, GBL_MINUS_INT64, W[k], U[k],
                                            w.desc));
            if (of.seed % 2)
                OK(gbl_Vector_eWiseMult_BinaryOp(W[k], M[k], w.accum, GBL_TIMES_INT64, W[k], U[k],
                                                 w.desc));
            OK(gbl_Vector_apply(W[k], M[k], w.accum, GBL_AINV_INT64, U[k], w.desc));
            OK(gbl_Vector_select_INT64(W[k], M[k], w.accum, GBL_VALUELE_INT64, U[k], 3, w.desc));
            OK(gbl_Vector_assign(W[k], M[k], w.accum, U[k], GBL_ALL, 0, w.desc));
            OK(gbl_Vector_assign_INT64(W[k], U[k], w.accum, 7, GBL_ALL, 0, NULL));
        }
        end_vectors(&w, &v, &w.rows);
    }
}

GB_TEST(hyper, kronecker) {
    World w;
    for (uint64_t seed = 0; seed < 60; seed++) {
        if (t_left_out()) continue;
        t_Random r = t_random(seed);
        const gbl_Index nb = (gbl_Index)1 << 29;
        const t_Scatter a = t_scatter(&r, 5, (gbl_Index)1 << 30), b = t_scatter(&r, 4, nb);
        t_Scatter rows = {.small = 20, .n = a.n * b.n};
        for (gbl_Index k = 0; k < 20; k++) rows.at[k] = a.at[k / 4] * nb + b.at[k % 4];
        const t_Scatter as[2] = {a, a}, bs[2] = {b, b}, cs[2] = {rows, rows};
        const Case of = {.seed = seed, .flags = t_flags((unsigned)(seed * 7 % T_FLAGS_ALL))};
        memset(&w, 0, sizeof w);
        w.of = &of;
        w.rows = w.cols = rows;
        w.A = content(&r, GBL_INT64_CODE, as, 0.4);
        w.B = content(&r, GBL_INT64_CODE, bs, 0.4);
        w.C = content(&r, GBL_INT64_CODE, cs, 0.1);
        w.hA = t_twin(w.A, &a, &a);
        w.hB = t_twin(w.B, &b, &b);
        w.hC = t_twin(w.C, &rows, &rows);
        if (t_has_mask(of.flags.mask)) {
            w.M = content(&r, GBL_INT8_CODE, cs, 0.3);
            w.hM = t_twin(w.M, &rows, &rows);
        }
        w.desc = t_descriptor(&of.flags);
        if (of.flags.accum) w.accum = GBL_PLUS_INT64;
        t_case("seed %llu", (unsigned long long)seed);
        OK(gbl_Matrix_kronecker_BinaryOp(w.C, w.M, w.accum, GBL_TIMES_INT64, w.A, w.B, w.desc));
        OK(gbl_Matrix_kronecker_BinaryOp(w.hC, w.hM, w.accum, GBL_TIMES_INT64, w.hA, w.hB, w.desc));
        end(&w);
    }
}
