/* SPDX-License-Identifier: Apache-2.0
 *
 * Operators by position on objects of huge dimensions: they see the true indices.
 */
#include "support/huge.h"

#include "matrix/check.h"

#define TOP GBL_INDEX_MAX

static gbl_Index nvals_of(gbl_Matrix A) {
    gbl_Index n;
    OK(gbl_Matrix_nvals(&n, A));
    OK(gb_matrix_check((gb_Matrix *)(void *)A));
    return n;
}

enum { SIDE = 18 };

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
        gbl_Matrix C;
        OK(gbl_Matrix_new(&C, GBL_INT64, TOP, TOP));
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
    gbl_Matrix C;
    gbl_Index n = SIDE * SIDE, I[SIDE * SIDE], J[SIDE * SIDE];
    int64_t X[SIDE * SIDE], z;
    OK(gbl_IndexUnaryOp_new(&op, user_place, GBL_INT64, GBL_INT64, GBL_INT64));
    OK(gbl_Matrix_new(&C, GBL_INT64, TOP, TOP));
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
        gbl_Matrix C, H;
        OK(gbl_Matrix_new(&C, GBL_INT64, SIDE, SIDE));
        OK(gbl_Matrix_new(&H, GBL_INT64, rows.n, cols.n));
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
        gbl_Vector u, w, hu, hw;
        OK(gbl_Vector_new(&u, GBL_INT64, SIDE));
        OK(gbl_Vector_new(&w, GBL_INT64, SIDE));
        OK(gbl_Vector_new(&hw, GBL_INT64, rows.n));
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
    gbl_Matrix C;
    OK(gbl_Matrix_new(&C, GBL_INT64, rows.n, rows.n));
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
        OK(gbl_Scalar_free(&keep.y));
        OK(gbl_Descriptor_free(&desc));
        t_twins_free(&a);
        t_twins_free(&b);
        t_twins_free(&c);
        t_twins_free(&m);
    }
}
