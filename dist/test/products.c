/* SPDX-License-Identifier: Apache-2.0
 *
 * Products over many processes against those of one.
 */
#include "dist_test.h"

typedef struct {
    const char *name;
    gbl_Semiring ring;
    gbl_Type type;
} Ring;

typedef struct {
    const char *a, *b, *mask; /* A * B and the mask's shape agree */
} Operands;

static const Operands operands[] = {
    {"er:7:6", "rmat:7:5", "er:7:20:3"},
    {"rect:50:70:9", "rect:70:31:5", "rect:50:31:8"},
    {"rect:2:2:1", "rect:2:2:2", "rect:2:2:1"}, /* more processes than rows */
    {"band:12:0", "rect:12:300:3", "rect:12:300:20"},
};
enum { OPERANDS = sizeof operands / sizeof *operands };

static void product(const Ring *ring, const Operands *o, const char *mask, gbl_BinaryOp accum,
                    gbl_Descriptor desc) {
    gbl_Matrix A = t_make(ring->type, o->a), B = t_make(ring->type, o->b), M = NULL, C;
    gbl_Index nrows, ncols;
    OK(gbl_Matrix_nrows(&nrows, A));
    OK(gbl_Matrix_ncols(&ncols, B));
    if (accum || mask)
        C = t_make(ring->type, o->mask);
    else
        C = t_empty(ring->type, nrows, ncols);
    gbl_DistMatrix a = t_spread(A), b = t_spread(B), c = t_spread(C), m = NULL;
    if (mask) {
        M = t_make(GBL_BOOL, mask);
        m = t_spread(M);
    }
    OK(gbl_mxm(C, M, accum, ring->ring, A, B, desc));
    OK(gbl_dist_mxm(c, m, accum, ring->ring, a, b, desc));
    t_compare(c, C, 1e-12, ring->name);
    OK(gbl_DistMatrix_free(&a));
    OK(gbl_DistMatrix_free(&b));
    OK(gbl_DistMatrix_free(&c));
    OK(gbl_DistMatrix_free(&m));
    OK(gbl_Matrix_free(&A));
    OK(gbl_Matrix_free(&B));
    OK(gbl_Matrix_free(&C));
    OK(gbl_Matrix_free(&M));
}

static void all_products(void) {
    const Ring rings[] = {{"plus_times", GBL_PLUS_TIMES_SEMIRING_FP64, GBL_FP64},
                          {"plus_times_int64", GBL_PLUS_TIMES_SEMIRING_INT64, GBL_INT64},
                          {"lor_land", GBL_LOR_LAND_SEMIRING_BOOL, GBL_BOOL},
                          {"min_plus", GBL_MIN_PLUS_SEMIRING_FP64, GBL_FP64},
                          {"plus_pair", GBL_PLUS_PAIR_SEMIRING_INT64, GBL_INT64},
                          {"min_first", GBL_MIN_FIRST_SEMIRING_FP32, GBL_FP32}};
    for (int k = 0; k < OPERANDS; k++) {
        const Operands *o = &operands[k];
        for (int r = 0; r < 6; r++) {
            product(&rings[r], o, NULL, NULL, NULL);
            product(&rings[r], o, o->mask, NULL, GBL_DESC_S);
        }
        product(&rings[1], o, o->mask, NULL, GBL_DESC_RSC);
        product(&rings[1], o, o->mask, GBL_PLUS_INT64, NULL);
        product(&rings[1], o, NULL, GBL_MAX_INT64, NULL);
        product(&rings[0], o, o->mask, NULL, GBL_DESC_C);
    }
    product(&rings[0], &operands[0], NULL, NULL, GBL_DESC_T0);
    product(&rings[4], &operands[0], operands[0].mask, NULL, GBL_DESC_ST1);
    product(&rings[1], &operands[0], NULL, NULL, GBL_DESC_T0T1);
}

/* CombBLAS's kernels give what gblite's do. */
static void kernels(void) {
    const Ring rings[] = {{"CombBLAS plus_times", GBL_PLUS_TIMES_SEMIRING_FP64, GBL_FP64},
                          {"CombBLAS lor_land", GBL_LOR_LAND_SEMIRING_BOOL, GBL_BOOL},
                          {"CombBLAS min_plus", GBL_MIN_PLUS_SEMIRING_FP64, GBL_FP64},
                          {"CombBLAS plus_pair", GBL_PLUS_PAIR_SEMIRING_INT64, GBL_INT64}};
    for (int which = GBL_DIST_COMBBLAS; which <= GBL_DIST_COMBBLAS_SUMMA; which++) {
        OK(gbl_Grid_set_kernels(t_grid, (gbl_DistKernels)which));
        for (int r = 0; r < 4; r++) {
            product(&rings[r], &operands[0], NULL, NULL, NULL);
            product(&rings[r], &operands[1], NULL, NULL, NULL);
        }
    }
    OK(gbl_Grid_set_kernels(t_grid, GBL_DIST_COMBBLAS));
    gbl_Matrix A = t_make(GBL_INT64, "er:5:3");
    gbl_DistMatrix a = t_spread(A);
    CHECK(gbl_dist_mxm(a, NULL, NULL, GBL_PLUS_TIMES_SEMIRING_INT64, a, a, NULL) ==
          GBL_NOT_IMPLEMENTED);
    OK(gbl_Grid_set_kernels(t_grid, GBL_DIST_GBLITE));
    t_compare(a, A, 0, "operand of a refused product");
    OK(gbl_DistMatrix_free(&a));
    OK(gbl_Matrix_free(&A));
}

static void vector_product(gbl_Semiring ring, const char *spec, bool first, gbl_Descriptor desc,
                           bool masked, gbl_BinaryOp accum) {
    gbl_Matrix A = t_make(GBL_INT64, spec);
    gbl_Index nrows, ncols;
    int32_t tran = GBL_DEFAULT;
    if (desc) OK(gbl_Descriptor_get_INT32(desc, &tran, first ? GBL_INP1 : GBL_INP0));
    OK(gbl_Matrix_nrows(&nrows, A));
    OK(gbl_Matrix_ncols(&ncols, A));
    const bool rows = first != (tran == GBL_TRAN);
    gbl_Vector u = t_vector(GBL_INT64, rows ? nrows : ncols, 2, 3);
    gbl_Vector w = t_vector(GBL_INT64, rows ? ncols : nrows, 3, 4);
    gbl_Vector m = t_vector(GBL_BOOL, rows ? ncols : nrows, 2, 9);
    gbl_DistMatrix a = t_spread(A);
    gbl_DistVector du = t_spread_vector(u), dw = t_spread_vector(w), dm = t_spread_vector(m);
    if (first) {
        OK(gbl_vxm(w, masked ? m : NULL, accum, ring, u, A, desc));
        OK(gbl_dist_vxm(dw, masked ? dm : NULL, accum, ring, du, a, desc));
    } else {
        OK(gbl_mxv(w, masked ? m : NULL, accum, ring, A, u, desc));
        OK(gbl_dist_mxv(dw, masked ? dm : NULL, accum, ring, a, du, desc));
    }
    t_compare_vector(dw, w, 0, "product with a vector");
    OK(gbl_DistMatrix_free(&a));
    OK(gbl_DistVector_free(&du));
    OK(gbl_DistVector_free(&dw));
    OK(gbl_DistVector_free(&dm));
    OK(gbl_Matrix_free(&A));
    OK(gbl_Vector_free(&u));
    OK(gbl_Vector_free(&w));
    OK(gbl_Vector_free(&m));
}

static void vector_products(void) {
    static const char *const specs[] = {"er:7:5", "rect:50:71:4", "rect:2:5:2"};
    for (int k = 0; k < 3; k++)
        for (int first = 0; first < 2; first++) {
            vector_product(GBL_PLUS_TIMES_SEMIRING_INT64, specs[k], first, NULL, false, NULL);
            vector_product(GBL_PLUS_TIMES_SEMIRING_INT64, specs[k], first,
                           first ? GBL_DESC_T1 : GBL_DESC_T0, false, NULL);
            vector_product(GBL_MIN_PLUS_SEMIRING_INT64, specs[k], first, GBL_DESC_RSC, true, NULL);
            vector_product(GBL_MIN_FIRST_SEMIRING_INT64, specs[k], first, NULL, true,
                           GBL_PLUS_INT64);
        }
}

static void refused(void) {
    gbl_Matrix A = t_make(GBL_INT64, "rect:5:7:2");
    gbl_DistMatrix a = t_spread(A), c;
    gbl_Semiring mine;
    OK(gbl_DistMatrix_new(&c, GBL_INT64, 5, 5, t_grid));
    CHECK(gbl_dist_mxm(c, NULL, NULL, GBL_PLUS_TIMES_SEMIRING_INT64, a, a, NULL) ==
          GBL_DIMENSION_MISMATCH);
    CHECK(gbl_dist_mxm(c, NULL, NULL, GBL_ANY_SECONDI_SEMIRING_INT64, a, a, GBL_DESC_T1) ==
          GBL_NOT_IMPLEMENTED);
    OK(gbl_Semiring_new(&mine, GBL_MIN_MONOID_INT64, GBL_SECONDJ_INT64));
    CHECK(gbl_dist_mxm(c, NULL, NULL, mine, a, a, GBL_DESC_T1) == GBL_NOT_IMPLEMENTED);
    OK(gbl_Semiring_free(&mine));
    OK(gbl_DistMatrix_free(&a));
    OK(gbl_DistMatrix_free(&c));
    OK(gbl_Matrix_free(&A));
}

/* With a limit there are phases, which change nothing. */
static void limited(void) {
    gbl_Matrix A = t_make(GBL_INT64, "rmat:9:8"), M = t_make(GBL_BOOL, "er:9:60");
    gbl_Matrix C = t_empty(GBL_INT64, 512, 512), D = t_empty(GBL_INT64, 512, 512);
    gbl_DistMatrix a = t_spread(A), m = t_spread(M), c = t_spread(C), d = t_spread(D);
    gbl_DistCounters counters;
    OK(gbl_mxm(C, NULL, NULL, GBL_PLUS_TIMES_SEMIRING_INT64, A, A, NULL));
    OK(gbl_mxm(D, M, NULL, GBL_PLUS_TIMES_SEMIRING_INT64, A, A, GBL_DESC_S));
    const int64_t limit = t_processes > 1 ? 800000 / t_processes : 600000;
    OK(gbl_Global_set_INT64(GBL_GLOBAL, limit, GBL_MEMORY_LIMIT));
    OK(gbl_Grid_clear_counters(t_grid));
    OK(gbl_dist_mxm(c, NULL, NULL, GBL_PLUS_TIMES_SEMIRING_INT64, a, a, NULL));
    OK(gbl_Grid_counters(&counters, t_grid));
    CHECK(counters.phases > 1 && (int64_t)counters.panels_peak < limit);
    OK(gbl_dist_mxm(d, m, NULL, GBL_PLUS_TIMES_SEMIRING_INT64, a, a, GBL_DESC_S));
    OK(gbl_Global_set_INT64(GBL_GLOBAL, 1000, GBL_MEMORY_LIMIT));
    CHECK(gbl_dist_mxm(c, NULL, NULL, GBL_PLUS_TIMES_SEMIRING_INT64, a, a, NULL) ==
          GBL_OUT_OF_MEMORY);
    OK(gbl_Global_set_INT64(GBL_GLOBAL, 0, GBL_MEMORY_LIMIT));
    t_compare(c, C, 0, "product in phases");
    t_compare(d, D, 0, "masked product in phases");
    OK(gbl_DistMatrix_free(&a));
    OK(gbl_DistMatrix_free(&m));
    OK(gbl_DistMatrix_free(&c));
    OK(gbl_DistMatrix_free(&d));
    OK(gbl_Matrix_free(&A));
    OK(gbl_Matrix_free(&M));
    OK(gbl_Matrix_free(&C));
    OK(gbl_Matrix_free(&D));
}

static void filtered(int64_t limit) {
    gbl_Matrix A = t_make(GBL_INT64, "rmat:8:8"), C = t_empty(GBL_INT64, 256, 256);
    gbl_DistMatrix a = t_spread(A), c = t_spread(C);
    gbl_RowFilter keep = GBL_ROW_FILTER_INIT;
    keep.op = GBL_VALUEGE_INT64;
    keep.y = t_scalar_INT64(30);
    keep.most = 20;
    keep.recover = 25;
    keep.share = 0.7;
    OK(gbl_mxm_select(C, NULL, NULL, GBL_PLUS_TIMES_SEMIRING_INT64, &keep, A, A, NULL));
    OK(gbl_Global_set_INT64(GBL_GLOBAL, limit, GBL_MEMORY_LIMIT));
    OK(gbl_dist_mxm_select(c, GBL_PLUS_TIMES_SEMIRING_INT64, &keep, a, a));
    OK(gbl_Global_set_INT64(GBL_GLOBAL, 0, GBL_MEMORY_LIMIT));
    t_compare(c, C, 0, "filtered product");
    keep.op = GBL_TRIL;
    CHECK(gbl_dist_mxm_select(c, GBL_PLUS_TIMES_SEMIRING_INT64, &keep, a, a) ==
          GBL_NOT_IMPLEMENTED);
    OK(gbl_Scalar_free(&keep.y));
    OK(gbl_DistMatrix_free(&a));
    OK(gbl_DistMatrix_free(&c));
    OK(gbl_Matrix_free(&A));
    OK(gbl_Matrix_free(&C));
}

static void counted(void) {
    gbl_Matrix A = t_make(GBL_BOOL, "rmats:8:6");
    gbl_DistMatrix a = t_spread(A);
    int64_t wanted = 0, got = -1;
    OK(gbl_mxm_reduce_INT64(&wanted, A, NULL, GBL_PLUS_MONOID_INT64, GBL_PLUS_PAIR_SEMIRING_INT64,
                            A, A, GBL_DESC_S));
    OK(gbl_dist_mxm_count(&got, a, a, a));
    CHECK(got == wanted && got > 0);
    OK(gbl_DistMatrix_free(&a));
    OK(gbl_Matrix_free(&A));
}

void test_products(void) {
    all_products();
    kernels();
    vector_products();
    refused();
    limited();
    filtered(0);
    filtered(t_processes > 1 ? 150000 : 300000);
    counted();
}
