/* SPDX-License-Identifier: Apache-2.0
 *
 * transpose: with INP0 transposed as well it is a masked, accumulated copy.
 */
#include "support/frame.h"

static void run(const t_FrameCase *of) {
    t_FrameCase seen = *of;
    seen.flags.tran0 = !of->flags.tran0; /* C has the shape of A', so A is stored transposed */
    if (t_left_out()) return;
    t_Frame x;
    t_begin(&x, &seen);
    OK(gbl_Descriptor_set(x.desc, GBL_INP0, of->flags.tran0 ? GBL_TRAN : GBL_DEFAULT));
    OK(gbl_transpose(x.gC, x.gM, x.accum, x.gA, x.desc));
    x.rule.tran0 = of->flags.tran0;
    o_transpose(&x.C, &x.rule, x.a);
    t_end(&x);
}

GB_TEST(transpose, every_type) {
    for (size_t k = 0; k < T_COUNT(t_types); k++) {
        for (unsigned f = 0; f < T_FLAGS_ALL; f++) {
            t_FrameCase of = t_frame_case("transpose", o_type(t_types[k]), f, false);
            of.seed = 1000 * k + f;
            of.wild = true;
            of.iso = f % 5 == 3;
            run(&of);
        }
    }
}

GB_TEST(transpose, typecasts_and_aliases) {
    for (uint64_t seed = 0; seed < 3000; seed++) {
        t_Random r = t_random(seed + 21);
        t_FrameCase of = t_frame_case("transpose", o_type(GBL_INT8_CODE),
                                      (unsigned)t_below(&r, T_FLAGS_ALL), false);
        of.seed = seed;
        t_frame_cast(&of, &r);
        of.alias = (t_Alias)t_below(&r, T_ALIASES);
        of.wild = true;
        if (of.alias != T_DISTINCT) of.ncols = of.nrows;
        run(&of);
    }
}

GB_TEST(transpose, shapes) {
    for (unsigned s = 0; s < T_FRAME_SHAPES; s++) {
        for (unsigned k = 0; k < 32; k++) {
            t_FrameCase of = t_frame_case("transpose", o_type(t_types[k % T_COUNT(t_types)]),
                                          (17 * k + s) % T_FLAGS_ALL, false);
            if (!t_frame_shape(&of, s, k)) continue;
            run(&of);
        }
    }
}

GB_TEST(transpose, user_types) {
    t_User users[] = {t_user_path(), t_user_colour()};
    for (size_t u = 0; u < T_COUNT(users); u++) {
        for (unsigned f = 0; f < T_FLAGS_ALL; f++) {
            t_FrameCase of = t_frame_case("transpose of user", users[u].type, f, false);
            of.seed = 1000 * u + f;
            of.accum = users[u].minus;
            run(&of);
        }
    }
    t_user_free(&users[0]);
    t_user_free(&users[1]);
}

/* A' is only another way to look at the same arrays: twice transposed is A again, however often. */
GB_TEST(transpose, there_and_back) {
    t_FrameCase of = t_frame_case("there and back", o_type(GBL_FP64_CODE), 0, false);
    for (uint64_t seed = 0; seed < 20; seed++) {
        of.seed = seed;
        t_Frame x;
        t_begin(&x, &of);
        gbl_Matrix T = t_new_matrix(GBL_FP64, of.ncols, of.nrows);
        for (int k = 0; k < 3; k++) {
            OK(gbl_transpose(T, NULL, NULL, x.gA, NULL));
            OK(gbl_transpose(x.gA, NULL, NULL, T, NULL));
        }
        t_expect("A", x.a, x.gA, 0);
        OK(gbl_Matrix_free(&T));
        t_end(&x);
    }
}
