/* SPDX-License-Identifier: Apache-2.0
 *
 * kronecker by operators, monoids and semirings against dense loops: masks, accumulators,
 * transposes, types, forms and aliases; errors; shapes that no object has.
 */
#include "support/frame.h"

/* A is as the frame has it; B is here, and C has their dimensions multiplied. */
typedef struct {
    t_Frame x;
    o_Matrix A, B;
    gbl_Matrix gA, gB;
} frame;

static void begin(frame *f, t_FrameCase *of) {
    t_Random r = t_random(of->seed + 808);
    const gbl_Index ma = t_below(&r, 6), na = t_below(&r, 6), mb = t_below(&r, 6);
    const gbl_Index nb = t_below(&r, 6);
    const bool ta = of->flags.tran0, tb = of->flags.tran1;
    of->nrows = ma * mb;
    of->ncols = na * nb;
    t_begin(&f->x, of);
    f->A = t_generate(
        &r, &(t_Content){of->a, ta ? na : ma, ta ? ma : na, T_RANDOM, 0.5, of->wild, of->iso});
    f->B = t_generate(&r, &(t_Content){of->b, tb ? nb : mb, tb ? mb : nb, T_RANDOM, 0.5, of->wild,
                                       of->seed % 7 == 2});
    f->gA = of->iso ? t_iso_matrix(&f->A) : t_matrix(&f->A);
    f->gB = of->seed % 7 == 2 ? t_iso_matrix(&f->B) : t_matrix(&f->B);
    if (of->seed % 3 == 1) { /* held by columns: transposed twice, once in name only */
        o_Matrix turned = o_new(f->A.type, f->A.ncols, f->A.nrows);
        o_transpose(&turned, &(o_Rule){0}, &f->A);
        gbl_Matrix t = t_matrix(&turned);
        OK(gbl_transpose(f->gA, NULL, NULL, t, NULL));
        FREE(t, turned);
    }
}

static void end(frame *f, const o_Binary *op) {
    o_kronecker(&f->x.C, &f->x.rule, op, &(o_Pair){&f->A, &f->B, true});
    t_expect("first factor", &f->A, f->gA, 0);
    t_expect("second factor", &f->B, f->gB, 0);
    FREE(f->gA, f->gB, f->A, f->B);
    t_end(&f->x);
}

static void run(t_FrameCase *of, const o_Binary *op) {
    frame f;
    if (t_left_out()) return;
    begin(&f, of);
    OK(gbl_Matrix_kronecker_BinaryOp(f.x.gC, f.x.gM, f.x.accum, op->handle, f.gA, f.gB, f.x.desc));
    end(&f, op);
}

GB_TEST(kronecker, every_operator) {
    for (size_t k = 0; k < t_binary_count; k++) {
        const o_Binary op = t_binary(&t_binaries[k]);
        for (unsigned f = 0; f < 24; f++) {
            t_FrameCase of =
                t_frame_case(t_binaries[k].name, op.z, (unsigned)(7 * f + k) % T_FLAGS_ALL, false);
            of.a = op.x;
            of.b = op.y;
            of.seed = 100 * k + f;
            of.iso = f % 5 == 3;
            run(&of, &op);
        }
    }
}

GB_TEST(kronecker, every_rule) {
    const o_Binary op = t_find_binary(O_MINUS, GBL_INT16_CODE);
    for (unsigned f = 0; f < 4 * T_FLAGS_ALL; f++) {
        t_FrameCase of = t_frame_case("kronecker", o_type(t_types[f % T_COUNT(t_types)]),
                                      f % T_FLAGS_ALL, false);
        of.seed = f;
        of.a = o_type(t_types[f / T_COUNT(t_types) % T_COUNT(t_types)]);
        of.b = o_type(t_types[f / 169 % T_COUNT(t_types)]);
        run(&of, &op);
    }
}

GB_TEST(kronecker, monoids_and_semirings) {
    for (unsigned f = 0; f < T_FLAGS_ALL; f++) {
        t_FrameCase of = t_frame_case("kronecker", o_type(GBL_FP64_CODE), f, false);
        const o_Binary plus = t_find_binary(O_PLUS, GBL_FP64_CODE);
        const o_Binary times = t_find_binary(O_TIMES, GBL_FP64_CODE);
        frame x;
        of.seed = f;
        begin(&x, &of);
        OK(gbl_Matrix_kronecker_Monoid(x.x.gC, x.x.gM, x.x.accum, GBL_PLUS_MONOID_FP64, x.gA, x.gB,
                                       x.x.desc));
        end(&x, &plus);
        begin(&x, &of);
        OK(gbl_Matrix_kronecker_Semiring(x.x.gC, x.x.gM, x.x.accum, GBL_PLUS_TIMES_SEMIRING_FP64,
                                         x.gA, x.gB, x.x.desc));
        end(&x, &times);
    }
}

GB_TEST(kronecker, user_types) {
    t_User users[] = {t_user_path(), t_user_colour()};
    for (size_t u = 0; u < T_COUNT(users); u++) {
        for (unsigned f = 0; f < T_FLAGS_ALL; f++) {
            t_FrameCase of = t_frame_case("kronecker user", users[u].type, f, false);
            of.seed = f;
            of.accum = users[u].minus;
            run(&of, &users[u].minus);
        }
    }
    t_user_free(&users[0]);
    t_user_free(&users[1]);
}

/* Only factors of one row and column leave C the shape of A. */
GB_TEST(kronecker, output_is_input) {
    const o_Binary minus = t_find_binary(O_MINUS, GBL_INT32_CODE);
    t_Random r = t_random(3);
    for (unsigned k = 0; k < 12; k++) {
        const gbl_Index n = k % 2 ? 1 : 5;
        o_Matrix C = t_generate(&r, &(t_Content){minus.z, n, n, T_RANDOM, 0.6, false, false});
        o_Matrix B = t_generate(&r, &(t_Content){minus.z, 1, 1, T_FULL, 1, false, false});
        gbl_Matrix g = t_matrix(&C), b = t_matrix(&B);
        OK(gbl_Matrix_kronecker_BinaryOp(g, NULL, NULL, GBL_MINUS_INT32, g, n == 1 ? g : b, NULL));
        o_kronecker(&C, &(o_Rule){0}, &minus, &(o_Pair){&C, n == 1 ? &C : &B, true});
        t_expect("C", &C, g, 0);
        FREE(g, b, C, B);
    }
}

/* The parts of several threads join. */
GB_TEST(kronecker, large) {
    const o_Binary op = t_find_binary(O_TIMES, GBL_INT64_CODE);
    t_Random r = t_random(9);
    o_Matrix A = t_generate(&r, &(t_Content){op.z, 40, 30, T_FULL_ROW, 0.2, false, false});
    o_Matrix B = t_generate(&r, &(t_Content){op.z, 30, 45, T_RANDOM, 0.4, false, false});
    o_Matrix C = o_new(op.z, 1200, 1350);
    gbl_Matrix a = t_matrix(&A), b = t_matrix(&B);
    o_kronecker(&C, &(o_Rule){0}, &op, &(o_Pair){&A, &B, true});
    for (int32_t threads = 1; threads < 4; threads += 2) {
        OK(gbl_Global_set_INT32(GBL_GLOBAL, threads, GBL_NTHREADS));
        gbl_Matrix c = t_new_matrix(GBL_INT64, 1200, 1350);
        OK(gbl_Matrix_kronecker_BinaryOp(c, NULL, NULL, GBL_TIMES_INT64, a, b, NULL));
        t_expect("C", &C, c, 0);
        OK(gbl_Matrix_free(&c));
    }
    FREE(a, b, A, B, C);
}

GB_TEST(kronecker, errors) {
    const gbl_Index n = (gbl_Index)1 << 31;
    gbl_Matrix A = t_new_matrix(GBL_INT32, 2, 3);
    OK(gbl_Matrix_setElement_INT32(A, 1, 0, 0));
    gbl_Matrix B = t_new_matrix(GBL_INT32, 3, 2), C = t_new_matrix(GBL_INT32, 6, 6);
    OK(gbl_Matrix_setElement_INT32(C, 1, 0, 0));
    gbl_Matrix M = t_new_matrix(GBL_BOOL, 6, 5), long_one = t_new_matrix(GBL_INT32, n, n);
    const gbl_BinaryOp op = GBL_PLUS_INT32;
    FAILS(GBL_NULL_POINTER, gbl_Matrix_kronecker_BinaryOp(NULL, NULL, NULL, op, A, B, NULL));
    FAILS(GBL_NULL_POINTER, gbl_Matrix_kronecker_BinaryOp(C, NULL, NULL, NULL, A, B, NULL));
    FAILS(GBL_NULL_POINTER, gbl_Matrix_kronecker_BinaryOp(C, NULL, NULL, op, NULL, B, NULL));
    FAILS(GBL_NULL_POINTER, gbl_Matrix_kronecker_BinaryOp(C, NULL, NULL, op, A, NULL, NULL));
    FAILS(GBL_NULL_POINTER, gbl_Matrix_kronecker_Monoid(C, NULL, NULL, NULL, A, B, NULL));
    FAILS(GBL_NULL_POINTER, gbl_Matrix_kronecker_Semiring(C, NULL, NULL, NULL, A, B, NULL));
    FAILS(GBL_DIMENSION_MISMATCH, gbl_Matrix_kronecker_BinaryOp(C, NULL, NULL, op, A, A, NULL));
    FAILS(GBL_DIMENSION_MISMATCH, gbl_Matrix_kronecker_BinaryOp(C, M, NULL, op, A, B, NULL));
    FAILS(GBL_DIMENSION_MISMATCH,
          gbl_Matrix_kronecker_BinaryOp(C, NULL, NULL, op, long_one, long_one, NULL));
    t_User user = t_user_colour();
    FAILS(GBL_DOMAIN_MISMATCH,
          gbl_Matrix_kronecker_BinaryOp(C, NULL, NULL, user.minus.handle, A, B, NULL));
    t_user_free(&user);
    CHECK_EQ(t_nvals(C), 1);
    FREE(A, B, C, M, long_one);
}
