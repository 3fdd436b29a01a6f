/* SPDX-License-Identifier: Apache-2.0
 *
 * Lists of huge indices: extract and assign against their small twins. Operators by position on
 * objects of huge dimensions see the true indices.
 */
#include "support/huge.h"

#include "matrix/check.h"

#define TOP (GBL_INDEX_MAX + 1)

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
        const gbl_Index j = t_below(&r, SIDE);
        gbl_Vector w = t_new_vector(GBL_INT64, SIDE), hw = t_new_vector(GBL_INT64, rows.n);
        OK(gbl_Col_extract(w, NULL, NULL, p.A, GBL_ALL, 0, j, NULL));
        OK(gbl_Col_extract(hw, NULL, NULL, p.H, GBL_ALL, 0, cols.at[j], NULL));
        t_expect_twin_vector(w, hw, &rows);
        const t_Scatter few = t_same_places(ni);
        gbl_Vector u = t_new_vector(GBL_INT64, ni), hu = t_new_vector(GBL_INT64, ni);
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
        gbl_Vector hu;
        const gbl_Index i = t_below(&r, SIDE), j = t_below(&r, SIDE);
        const gbl_BinaryOp accum = seed % 2 ? GBL_PLUS_INT64 : NULL;
        gbl_Vector u = t_new_vector(GBL_INT64, SIDE);
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

/* A column without entries becomes that of u by updates alone, and again once these wait. */
GB_TEST(hyper_lists, assign_column_without_entries) {
    enum { MANY = 3000 };
    const gbl_Index n = (gbl_Index)1 << 40, step = n / (MANY + 1), column = 12345;
    gbl_Matrix A = t_new_matrix(GBL_FP64, n, n);
    gbl_Vector u;
    gbl_Formats formats;
    gbl_Index nvals;
    double x;
    OK(gbl_Vector_new(&u, GBL_FP64, n));
    for (gbl_Index k = 1; k <= MANY; k++) OK(gbl_Matrix_setElement_FP64(A, 1, k * step, k));
    OK(gbl_Matrix_wait(A, GBL_MATERIALIZE));
    for (int round = 0; round < 3; round++) { /* u has entries 0, 1; 0, 2; 0, 3 */
        OK(gbl_Vector_clear(u));
        OK(gbl_Vector_setElement_FP64(u, round, 0));
        OK(gbl_Vector_setElement_FP64(u, round + 10, (gbl_Index)round + 1));
        OK(gbl_Col_assign(A, NULL, NULL, u, GBL_ALL, n, column, NULL));
        OK(gbl_Matrix_formats(&formats, A));
        CHECK(formats.pending >= 2);
        OK(gbl_Matrix_nvals(&nvals, A));
        CHECK_EQ(nvals, MANY + 2);
        for (gbl_Index i = 0; i < 4; i++) {
            const bool has = i == 0 || i == (gbl_Index)round + 1;
            CHECK_EQ(gbl_Matrix_extractElement_FP64(&x, A, i, column),
                     has ? GBL_SUCCESS : GBL_NO_VALUE);
            if (has) CHECK_EQ(x, i == 0 ? round : round + 10);
        }
    }
    OK(gbl_Matrix_wait(A, GBL_MATERIALIZE));
    check(A);
    FREE(A, u);
}

/* Columns of A and rows of B are many, of which two are the same: C has two entries. */
GB_TEST(hyper_lists, product_of_lists_that_hardly_meet) {
    enum { MANY = 3000 };
    const gbl_Index n = (gbl_Index)1 << 45, step = n / (MANY + 1);
    for (int vector = 0; vector < 2; vector++) {
        const gbl_Index columns = vector ? 1 : n;
        gbl_Matrix A = t_new_matrix(GBL_FP64, n, n), B = t_new_matrix(GBL_FP64, n, columns);
        gbl_Matrix C = t_new_matrix(GBL_FP64, n, columns);
        gbl_Index nvals;
        double x;
        for (gbl_Index k = 1; k <= MANY; k++) {
            const gbl_Index row = k == 77 || k == 2001 ? k * step : k * step + 1;
            OK(gbl_Matrix_setElement_FP64(A, 2, k, k * step));
            OK(gbl_Matrix_setElement_FP64(B, (double)k, row, vector ? 0 : 3 * k));
        }
        OK(gbl_mxm(C, NULL, NULL, GBL_PLUS_TIMES_SEMIRING_FP64, A, B, NULL));
        OK(gbl_Matrix_nvals(&nvals, C));
        CHECK_EQ(nvals, 2);
        OK(gbl_Matrix_extractElement_FP64(&x, C, 77, vector ? 0 : 3 * 77));
        CHECK_EQ(x, 2 * 77);
        OK(gbl_Matrix_extractElement_FP64(&x, C, 2001, vector ? 0 : 3 * 2001));
        CHECK_EQ(x, 2 * 2001);
        check(C);
        OK(gbl_mxm(C, NULL, GBL_PLUS_FP64, GBL_PLUS_TIMES_SEMIRING_FP64, A, B, NULL));
        OK(gbl_Matrix_extractElement_FP64(&x, C, 77, vector ? 0 : 3 * 77));
        CHECK_EQ(x, 4 * 77);
        FREE(A, B, C);
    }
}

/* A value for all of the few columns of a matrix of very many rows. */
GB_TEST(hyper_lists, value_for_all_columns) {
    const gbl_Index rows[] = {3, (gbl_Index)1 << 39};
    for (gbl_Index ncols = 0; ncols < 6; ncols += 5) {
        gbl_Matrix C = t_new_matrix(GBL_INT64, (gbl_Index)1 << 40, ncols);
        OK(gbl_Matrix_assign_INT64(C, NULL, NULL, 7, rows, 2, GBL_ALL, ncols, NULL));
        CHECK_EQ(t_nvals(C), 2 * ncols);
        for (gbl_Index j = 0; j < ncols; j++) {
            int64_t x = 0;
            OK(gbl_Matrix_extractElement_INT64(&x, C, rows[1], j));
            CHECK_EQ(x, 7);
        }
        OK(gbl_Matrix_free(&C));
    }
}

/* -------------------------------------------------------------------- operators by position -- */

static gbl_Index nvals_of(gbl_Matrix A) {
    const gbl_Index n = t_nvals(A);
    OK(gb_matrix_check((gb_Matrix *)(void *)A));
    return n;
}

static int64_t at_place(const char *op, gbl_Index i, gbl_Index j, int64_t y) {
    const int64_t r = (int64_t)i, c = (int64_t)j;
    switch (op[0]) {
    case 'r':
        return r + y;
    case 'c':
        return c + y;
    case 'd':
        return c - r + y;
    case 'l':
        return c <= r + y;
    case 'u':
        return c >= r + y;
    case 'D':
        return c == r + y;
    case 'O':
        return c != r + y;
    case 'R':
        return r <= y;
    case 'T':
        return r > y;
    case 'C':
        return c <= y;
    default:
        return c > y;
    }
}

static void user_place(void *z, const void *x, gbl_Index i, gbl_Index j, const void *y) {
    *(int64_t *)z = *(const int64_t *)x * 3 + (int64_t)(i ^ j) + *(const int64_t *)y;
}

GB_TEST(hyper_positions, positions) {
    const struct {
        const char *name;
        gbl_IndexUnaryOp op;
        bool selects;
    } ops[] = {{"row", GBL_ROWINDEX_INT64, false},
               {"col", GBL_COLINDEX_INT64, false},
               {"diag", GBL_DIAGINDEX_INT64, false},
               {"lower", GBL_TRIL, true},
               {"upper", GBL_TRIU, true},
               {"Diag", GBL_DIAG, true},
               {"Off", GBL_OFFDIAG, true},
               {"Rowle", GBL_ROWLE, true},
               {"Tall", GBL_ROWGT, true},
               {"Colle", GBL_COLLE, true},
               {"Xolgt", GBL_COLGT, true}};
    for (uint64_t seed = 0; seed < 8 * T_COUNT(ops); seed++) {
        t_Random r = t_random(seed);
        const t_Scatter rows = t_scatter(&r, SIDE, TOP);
        const t_Scatter cols = seed % 2 ? rows : t_scatter(&r, SIDE, TOP);
        t_Twins p = t_twins(&r, &rows, &cols, 0.4);
        const size_t k = seed % T_COUNT(ops);
        const bool turned = seed % 3 == 0;
        const int64_t y = seed % 4 == 0 ? 0 : (int64_t)rows.at[SIDE / 2];
        gbl_Matrix C = t_new_matrix(GBL_INT64, TOP, TOP);
        const gbl_Descriptor desc = turned ? GBL_DESC_T0 : NULL;
        if (ops[k].selects)
            OK(gbl_Matrix_select_INT64(C, NULL, NULL, ops[k].op, p.H, y, desc));
        else
            OK(gbl_Matrix_apply_IndexOp_INT64(C, NULL, NULL, ops[k].op, p.H, y, desc));
        gbl_Index n = SIDE * SIDE, I[SIDE * SIDE], J[SIDE * SIDE], kept = 0;
        int64_t X[SIDE * SIDE], found;
        OK(gbl_Matrix_extractTuples_INT64(I, J, X, &n, p.H));
        t_case("%s seed %llu", ops[k].name, (unsigned long long)seed);
        for (gbl_Index e = 0; e < n; e++) {
            const gbl_Index i = turned ? J[e] : I[e], j = turned ? I[e] : J[e];
            const int64_t z = at_place(ops[k].name, i, j, y);
            const gbl_Info info = gbl_Matrix_extractElement_INT64(&found, C, i, j);
            if (ops[k].selects && !z) {
                CHECK_EQ(info, GBL_NO_VALUE);
                continue;
            }
            CHECK_EQ(info, GBL_SUCCESS);
            CHECK_EQ(found, ops[k].selects ? X[e] : z);
            kept++;
        }
        CHECK_EQ(nvals_of(C), kept);
        gbl_Matrix_free(&C);
        t_twins_free(&p);
    }
}

GB_TEST(hyper_positions, user_positions) {
    t_Random r = t_random(4);
    const t_Scatter rows = t_scatter(&r, SIDE, TOP);
    t_Twins p = t_twins(&r, &rows, &rows, 0.4);
    gbl_IndexUnaryOp op;
    gbl_Index n = SIDE * SIDE, I[SIDE * SIDE], J[SIDE * SIDE];
    int64_t X[SIDE * SIDE], z;
    OK(gbl_IndexUnaryOp_new(&op, user_place, GBL_INT64, GBL_INT64, GBL_INT64));
    gbl_Matrix C = t_new_matrix(GBL_INT64, TOP, TOP);
    OK(gbl_Matrix_apply_IndexOp_INT64(C, NULL, NULL, op, p.H, 11, NULL));
    OK(gbl_Matrix_extractTuples_INT64(I, J, X, &n, p.H));
    for (gbl_Index e = 0; e < n; e++) {
        OK(gbl_Matrix_extractElement_INT64(&z, C, I[e], J[e]));
        CHECK_EQ(z, X[e] * 3 + (int64_t)(I[e] ^ J[e]) + 11);
    }
    gbl_IndexUnaryOp_free(&op);
    gbl_Matrix_free(&C);
    t_twins_free(&p);
}

/* Products by position: the least inner index, or row, or column, of the products of an entry. */
GB_TEST(hyper_positions, products_by_position) {
    const struct {
        gbl_Semiring ring;
        char what;
    } rings[] = {{GBL_MIN_FIRSTI_SEMIRING_INT64, 'i'},
                 {GBL_MIN_FIRSTJ_SEMIRING_INT64, 'k'},
                 {GBL_MIN_SECONDI_SEMIRING_INT64, 'k'},
                 {GBL_MIN_SECONDJ_SEMIRING_INT64, 'j'}};
    for (uint64_t seed = 0; seed < 24; seed++) {
        t_Random r = t_random(seed);
        const t_Scatter rows = t_scatter(&r, SIDE, TOP), cols = t_scatter(&r, SIDE, TOP / 5);
        const t_Scatter inner = t_scatter(&r, SIDE, TOP / 2);
        const bool turned = seed % 3 == 2;
        t_Twins a = t_twins(&r, turned ? &inner : &rows, turned ? &rows : &inner, 0.3);
        t_Twins b = t_twins(&r, &inner, &cols, 0.3);
        gbl_Matrix C = t_new_matrix(GBL_INT64, SIDE, SIDE);
        gbl_Matrix H = t_new_matrix(GBL_INT64, rows.n, cols.n);
        const gbl_Descriptor desc = turned ? GBL_DESC_T0 : NULL;
        OK(gbl_mxm(C, NULL, NULL, rings[seed % 4].ring, a.A, b.A, desc));
        OK(gbl_mxm(H, NULL, NULL, rings[seed % 4].ring, a.H, b.H, desc));
        gbl_Index n = SIDE * SIDE, I[SIDE * SIDE], J[SIDE * SIDE];
        int64_t X[SIDE * SIDE], z;
        OK(gbl_Matrix_extractTuples_INT64(I, J, X, &n, C));
        CHECK_EQ(nvals_of(H), n);
        const t_Scatter *of = rings[seed % 4].what == 'i'   ? &rows
                              : rings[seed % 4].what == 'j' ? &cols
                                                            : &inner;
        for (gbl_Index e = 0; e < n; e++) {
            OK(gbl_Matrix_extractElement_INT64(&z, H, rows.at[I[e]], cols.at[J[e]]));
            CHECK_EQ(z, of->at[X[e]]);
        }
        gbl_Matrix_free(&C);
        gbl_Matrix_free(&H);
        t_twins_free(&a);
        t_twins_free(&b);
    }
}

/* The same with a vector, whose one row or column no index of the matrix is. */
GB_TEST(hyper_positions, vectors_by_position) {
    const struct {
        gbl_Semiring ring;
        char mxv,
            vxm; /* what it gives: a row, an inner index; '0' of the vector's one row or column */
    } rings[] = {{GBL_MIN_FIRSTI_SEMIRING_INT64, 'i', '0'},
                 {GBL_MIN_FIRSTJ_SEMIRING_INT64, 'k', 'k'},
                 {GBL_MIN_SECONDI_SEMIRING_INT64, 'k', 'k'},
                 {GBL_MIN_SECONDJ_SEMIRING_INT64, '0', 'i'}};
    for (uint64_t seed = 0; seed < 32; seed++) {
        t_Random r = t_random(seed);
        const t_Scatter rows = t_scatter(&r, SIDE, TOP), inner = t_scatter(&r, SIDE, TOP / 3);
        const bool left = seed % 2, turned = seed / 8 % 2; /* vxm; the matrix is transposed */
        const bool stored = left == turned;                /* as rows x inner */
        t_Twins a = t_twins(&r, stored ? &rows : &inner, stored ? &inner : &rows, 0.3);
        const gbl_Descriptor desc = !turned ? NULL : left ? GBL_DESC_T1 : GBL_DESC_T0;
        const gbl_Semiring ring = rings[seed / 2 % 4].ring;
        const char what = left ? rings[seed / 2 % 4].vxm : rings[seed / 2 % 4].mxv;
        gbl_Vector hu;
        gbl_Vector u = t_new_vector(GBL_INT64, SIDE), w = t_new_vector(GBL_INT64, SIDE);
        gbl_Vector hw = t_new_vector(GBL_INT64, rows.n);
        for (gbl_Index k = 0; k < SIDE; k += 2) OK(gbl_Vector_setElement_INT64(u, 1, k));
        hu = t_twin_vector(u, &inner);
        if (left) {
            OK(gbl_vxm(w, NULL, NULL, ring, u, a.A, desc));
            OK(gbl_vxm(hw, NULL, NULL, ring, hu, a.H, desc));
        } else {
            OK(gbl_mxv(w, NULL, NULL, ring, a.A, u, desc));
            OK(gbl_mxv(hw, NULL, NULL, ring, a.H, hu, desc));
        }
        for (gbl_Index i = 0; i < SIDE; i++) {
            int64_t x, z;
            const gbl_Info info = gbl_Vector_extractElement_INT64(&x, w, i);
            CHECK_EQ(gbl_Vector_extractElement_INT64(&z, hw, rows.at[i]), info);
            if (info == GBL_SUCCESS)
                CHECK_EQ(z, what == '0' ? 0 : what == 'i' ? rows.at[x] : inner.at[x]);
        }
        gbl_Vector_free(&u);
        gbl_Vector_free(&w);
        gbl_Vector_free(&hu);
        gbl_Vector_free(&hw);
        t_twins_free(&a);
    }
}

/* A plan of a product that is not made, of the dimensions that it has. */
GB_TEST(hyper_positions, planned) {
    t_Random r = t_random(8);
    const t_Scatter rows = t_scatter(&r, SIDE, TOP), inner = t_scatter(&r, SIDE, TOP / 3);
    t_Twins a = t_twins(&r, &rows, &inner, 0.3), b = t_twins(&r, &inner, &rows, 0.3);
    gbl_Explanation why = GBL_EXPLANATION_INIT;
    gbl_Matrix C = t_new_matrix(GBL_INT64, rows.n, rows.n);
    OK(gbl_mxm_plan(&why, C, NULL, NULL, GBL_PLUS_TIMES_SEMIRING_INT64, a.H, b.H, NULL));
    CHECK(why.nrows == rows.n && why.inner == inner.n && why.ncols == rows.n);
    CHECK_EQ(nvals_of(C), 0);
    FAILS(GBL_DIMENSION_MISMATCH,
          gbl_mxm_plan(&why, C, NULL, NULL, GBL_PLUS_TIMES_SEMIRING_INT64, a.H, a.H, NULL));
    gbl_Matrix_free(&C);
    t_twins_free(&a);
    t_twins_free(&b);
}

/* Rows of a product filtered by position: of one scattering for rows and columns, so that what lies
 * on, above and below the diagonal does so in the twin. */
GB_TEST(hyper_positions, filtered_products) {
    const gbl_IndexUnaryOp ops[] = {GBL_TRIL, GBL_TRIU, GBL_DIAG, GBL_OFFDIAG};
    for (uint64_t seed = 0; seed < 2 * T_FLAGS_ALL; seed++) {
        if (t_left_out()) continue;
        t_Random r = t_random(seed);
        const t_Flags flags = t_flags((unsigned)(seed % T_FLAGS_ALL));
        const t_Scatter places = t_scatter(&r, SIDE, seed % 5 == 1 ? 2000 : TOP);
        t_Twins a = t_twins(&r, &places, &places, 0.2), b = t_twins(&r, &places, &places, 0.2);
        t_Twins c = t_twins(&r, &places, &places, 0.3), m = t_twins(&r, &places, &places, 0.5);
        gbl_RowFilter keep = GBL_ROW_FILTER_INIT;
        gbl_Descriptor desc = t_descriptor(&flags);
        const bool masked = t_has_mask(flags.mask);
        const gbl_BinaryOp accum = flags.accum ? GBL_MINUS_INT64 : NULL;
        const gbl_Semiring ring = GBL_PLUS_TIMES_SEMIRING_INT64;
        OK(gbl_Scalar_new(&keep.y, GBL_INT64));
        OK(gbl_Scalar_setElement_INT64(keep.y, 0));
        keep.op = ops[seed / 3 % 4];
        keep.most = seed % 2 ? 2 : GBL_INDEX_MAX;
        t_case("seed %llu %s", (unsigned long long)seed, t_flags_text(&flags));
        OK(gbl_mxm_select(c.A, masked ? m.A : NULL, accum, ring, &keep, a.A, b.A, desc));
        OK(gbl_mxm_select(c.H, masked ? m.H : NULL, accum, ring, &keep, a.H, b.H, desc));
        t_expect_twin(c.A, c.H, &places, &places);
        FREE(keep.y, desc);
        t_twins_free(&a);
        t_twins_free(&b);
        t_twins_free(&c);
        t_twins_free(&m);
    }
}
