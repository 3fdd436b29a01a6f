/* SPDX-License-Identifier: Apache-2.0
 *
 * Lists of huge indices: extract and assign against their small twins.
 */
#include "support/huge.h"

#include "matrix/check.h"

#define TOP GBL_INDEX_MAX

static void check(gbl_Matrix A) {
    OK(gb_matrix_check((gb_Matrix *)(void *)A));
}

enum { SIDE = 18 };

/* A list of small indices, ascending or not, with repetitions or not; and of their places. */
static gbl_Index some_list(t_Random *r, gbl_Index *small, gbl_Index *huge, const t_Scatter *s,
                           bool repeats) {
    gbl_Index n = 0;
    for (gbl_Index k = 0; k < s->small; k++)
        if (t_chance(r, 0.6)) small[n++] = k;
    if (t_chance(r, 0.6))
        for (gbl_Index k = n; k > 1; k--) {
            const gbl_Index other = t_below(r, k), kept = small[k - 1];
            small[k - 1] = small[other];
            small[other] = kept;
        }
    if (repeats && n > 2) small[n - 1] = small[0];
    for (gbl_Index k = 0; k < n; k++) huge[k] = s->at[small[k]];
    return n;
}

GB_TEST(hyper_lists, extract) {
    for (uint64_t seed = 0; seed < 400; seed++) {
        if (t_left_out()) continue;
        t_Random r = t_random(seed);
        const t_Scatter rows = t_scatter(&r, SIDE, TOP);
        const t_Scatter cols =
            seed % 3 ? t_scatter(&r, SIDE, (gbl_Index)1 << 50) : t_same_places(SIDE);
        t_Twins p = t_twins(&r, &rows, &cols, 0.3);
        gbl_Index I[SIDE], J[SIDE], hI[SIDE], hJ[SIDE];
        gbl_Index ni = some_list(&r, I, hI, &rows, seed % 2),
                  nj = some_list(&r, J, hJ, &cols, true);
        const t_Flags flags = t_flags((unsigned)t_below(&r, T_FLAGS_ALL));
        const bool all_rows = seed % 5 == 4 && !flags.tran0;
        gbl_Descriptor desc = t_descriptor(&flags);
        const t_Scatter out_rows = all_rows      ? rows
                                   : flags.tran0 ? t_same_places(nj)
                                                 : t_same_places(ni);
        const t_Scatter out_cols = flags.tran0 ? t_same_places(ni) : t_same_places(nj);
        t_Twins c = t_twins(&r, &out_rows, &out_cols, 0.4),
                m = t_twins(&r, &out_rows, &out_cols, 0.4);
        const bool masked = t_has_mask(flags.mask);
        const gbl_BinaryOp accum = flags.accum ? GBL_PLUS_INT64 : NULL;
        t_case("seed %llu %s", (unsigned long long)seed, t_flags_text(&flags));
        if (flags.tran0) {
            OK(gbl_Matrix_extract(c.A, masked ? m.A : NULL, accum, p.A, J, nj, I, ni, desc));
            OK(gbl_Matrix_extract(c.H, masked ? m.H : NULL, accum, p.H, hJ, nj, hI, ni, desc));
        } else {
            OK(gbl_Matrix_extract(c.A, masked ? m.A : NULL, accum, p.A, all_rows ? GBL_ALL : I, ni,
                                  J, nj, desc));
            OK(gbl_Matrix_extract(c.H, masked ? m.H : NULL, accum, p.H, all_rows ? GBL_ALL : hI, ni,
                                  hJ, nj, desc));
        }
        t_expect_twin(c.A, c.H, &out_rows, &out_cols);
        check(c.H);
        /* one column, and elements of it */
        gbl_Vector w, hw, u, hu;
        const gbl_Index j = t_below(&r, SIDE);
        OK(gbl_Vector_new(&w, GBL_INT64, SIDE));
        OK(gbl_Vector_new(&hw, GBL_INT64, rows.n));
        OK(gbl_Col_extract(w, NULL, NULL, p.A, GBL_ALL, 0, j, NULL));
        OK(gbl_Col_extract(hw, NULL, NULL, p.H, GBL_ALL, 0, cols.at[j], NULL));
        t_expect_twin_vector(w, hw, &rows);
        const t_Scatter few = t_same_places(ni);
        OK(gbl_Vector_new(&u, GBL_INT64, ni));
        OK(gbl_Vector_new(&hu, GBL_INT64, ni));
        OK(gbl_Vector_extract(u, NULL, NULL, w, I, ni, NULL));
        OK(gbl_Vector_extract(hu, NULL, NULL, hw, hI, ni, NULL));
        t_expect_twin_vector(u, hu, &few);
        gbl_Vector_free(&w);
        gbl_Vector_free(&hw);
        gbl_Vector_free(&u);
        gbl_Vector_free(&hu);
        gbl_Descriptor_free(&desc);
        t_twins_free(&p);
        t_twins_free(&c);
        t_twins_free(&m);
    }
}

GB_TEST(hyper_lists, assign) {
    for (uint64_t seed = 0; seed < 800; seed++) {
        if (t_left_out()) continue;
        t_Random r = t_random(seed);
        const t_Scatter rows = t_scatter(&r, SIDE, TOP);
        const t_Scatter cols =
            seed % 3 ? t_scatter(&r, SIDE, (gbl_Index)1 << 50) : t_same_places(SIDE);
        gbl_Index I[SIDE], J[SIDE], hI[SIDE], hJ[SIDE];
        gbl_Index ni = some_list(&r, I, hI, &rows, false), nj = some_list(&r, J, hJ, &cols, false);
        const t_Flags flags = t_flags((unsigned)t_below(&r, T_FLAGS_ALL));
        gbl_Descriptor desc = t_descriptor(&flags);
        t_Twins c = t_twins(&r, &rows, &cols, 0.3), m = t_twins(&r, &rows, &cols, 0.4);
        const t_Scatter ir = t_same_places(ni), jc = t_same_places(nj);
        const t_Scatter *shape[2] = {&ir, seed % 7 == 1 ? &cols : &jc};
        t_Twins a = t_twins(&r, shape[flags.tran0], shape[!flags.tran0], 0.4);
        const gbl_Index *list = seed % 7 == 1 ? GBL_ALL : J, *hlist = seed % 7 == 1 ? GBL_ALL : hJ;
        const bool masked = t_has_mask(flags.mask);
        const gbl_BinaryOp accum = flags.accum ? GBL_PLUS_INT64 : NULL;
        t_case("seed %llu %s", (unsigned long long)seed, t_flags_text(&flags));
        if (seed % 4 == 3) {
            OK(gbl_Matrix_assign_INT64(c.A, masked ? m.A : NULL, accum, 9, I, ni, J, nj, desc));
            OK(gbl_Matrix_assign_INT64(c.H, masked ? m.H : NULL, accum, 9, hI, ni, hJ, nj, desc));
        } else {
            OK(gbl_Matrix_assign(c.A, masked ? m.A : NULL, accum, a.A, I, ni, list, nj, desc));
            OK(gbl_Matrix_assign(c.H, masked ? m.H : NULL, accum, a.H, hI, ni, hlist, nj, desc));
        }
        t_expect_twin(c.A, c.H, &rows, &cols);
        check(c.H);
        gbl_Descriptor_free(&desc);
        t_twins_free(&a);
        t_twins_free(&c);
        t_twins_free(&m);
    }
}

GB_TEST(hyper_lists, assign_lines_and_values) {
    for (uint64_t seed = 0; seed < 200; seed++) {
        if (t_left_out()) continue;
        t_Random r = t_random(seed);
        const t_Scatter rows = t_scatter(&r, SIDE, TOP), cols = t_scatter(&r, SIDE, TOP / 3);
        t_Twins c = t_twins(&r, &rows, &cols, 0.3), m = t_twins(&r, &rows, &cols, 0.4);
        gbl_Vector u, hu;
        const gbl_Index i = t_below(&r, SIDE), j = t_below(&r, SIDE);
        const gbl_BinaryOp accum = seed % 2 ? GBL_PLUS_INT64 : NULL;
        OK(gbl_Vector_new(&u, GBL_INT64, SIDE));
        OK(gbl_Col_extract(u, NULL, NULL, c.A, GBL_ALL, 0, j, NULL));
        hu = t_twin_vector(u, &cols);
        OK(gbl_Row_assign(c.A, NULL, accum, u, i, GBL_ALL, 0, NULL));
        OK(gbl_Row_assign(c.H, NULL, accum, hu, rows.at[i], GBL_ALL, 0, NULL));
        t_expect_twin(c.A, c.H, &rows, &cols);
        gbl_Vector_free(&hu);
        hu = t_twin_vector(u, &rows);
        OK(gbl_Col_assign(c.A, NULL, accum, u, GBL_ALL, 0, i, NULL));
        OK(gbl_Col_assign(c.H, NULL, accum, hu, GBL_ALL, 0, cols.at[i], NULL));
        t_expect_twin(c.A, c.H, &rows, &cols);
        OK(gbl_Matrix_assign_INT64(c.A, m.A, accum, 3, GBL_ALL, 0, GBL_ALL, 0, GBL_DESC_S));
        OK(gbl_Matrix_assign_INT64(c.H, m.H, accum, 3, GBL_ALL, 0, GBL_ALL, 0, GBL_DESC_S));
        t_expect_twin(c.A, c.H, &rows, &cols);
        check(c.H);
        gbl_Vector_free(&u);
        gbl_Vector_free(&hu);
        t_twins_free(&c);
        t_twins_free(&m);
    }
}

/* A value for all of the few columns of a matrix of very many rows. */
GB_TEST(hyper_lists, value_for_all_columns) {
    const gbl_Index rows[] = {3, (gbl_Index)1 << 39};
    for (gbl_Index ncols = 0; ncols < 6; ncols += 5) {
        gbl_Matrix C = NULL;
        gbl_Index nvals = 77;
        OK(gbl_Matrix_new(&C, GBL_INT64, (gbl_Index)1 << 40, ncols));
        OK(gbl_Matrix_assign_INT64(C, NULL, NULL, 7, rows, 2, GBL_ALL, ncols, NULL));
        OK(gbl_Matrix_nvals(&nvals, C));
        CHECK_EQ(nvals, 2 * ncols);
        for (gbl_Index j = 0; j < ncols; j++) {
            int64_t x = 0;
            OK(gbl_Matrix_extractElement_INT64(&x, C, rows[1], j));
            CHECK_EQ(x, 7);
        }
        OK(gbl_Matrix_free(&C));
    }
}
