/* SPDX-License-Identifier: Apache-2.0
 *
 * Products against SuiteSparse:GraphBLAS: all semirings that both have, larger and less regular
 * than the oracle could afford, floats that are not exact.
 */
#include "support/suitesparse.h"

#ifdef HAVE_SUITESPARSE

#include "matrix/matrix.h"
#include "support/product.h"

typedef enum { MXM, MXV, VXM } operation;

typedef struct {
    uint64_t seed;
    operation kind;
    size_t ring;
    gbl_Index rows, inner, columns;
    double da, db, dc;
    t_Flags flags;
    bool cast; /* operands of other types than the semiring's */
} ss_case;

/* Values in (-1, 1) for floats, so that sums round. */
static void roughen(t_Random *r, o_Matrix *D) {
    for (gbl_Index p = 0; p < D->nrows * D->ncols && t_is_float(D->type.code); p++) {
        const double x = (double)(int64_t)t_next(r) * 0x1p-63;
        if (D->type.code == GBL_FP32_CODE)
            D->x[p].v.f32 = (float)x;
        else
            D->x[p].v.f64 = x;
    }
}

static o_Matrix operand(t_Random *r, o_Type type, gbl_Index n, gbl_Index m, double density) {
    o_Matrix D = t_generate(r, &(t_Content){type, n, m, T_RANDOM, density, false, false});
    roughen(r, &D);
    return D;
}

static double tolerance_of(const ss_case *of, o_Type c) {
    const gbl_Type_Code ring = t_rings[of->ring].type;
    if (ring == GBL_FP32_CODE || c.code == GBL_FP32_CODE) return 1e-5;
    return ring == GBL_FP64_CODE ? 1e-12 : 0;
}

/* ANY may give any of the products, unless they are all the same. */
static bool values_are_fixed(const t_Ring *ring) {
    return ring->add != O_ANY || ring->multiply == O_ONEB || ring->multiply == O_FIRSTI ||
           ring->multiply == O_SECONDJ;
}

static void forget_values(o_Matrix *D) {
    for (gbl_Index p = 0; p < D->nrows * D->ncols; p++) D->x[p].v.u64 = 0;
}

/* Every second matrix of mxv and vxm exists as tiles only. */
static void hold(gbl_Matrix A, uint64_t seed) {
    const gb_Format format = seed % 4 == 1 ? GB_CSR : GB_CSC;
    gb_TileView tiles;
    const gbl_Index nvals = t_nvals(A);
    if (seed % 2 == 0 || nvals == 0) return;
    OK(gb_acquire_tiles(&A->m, format, &tiles));
    gb_matrix_keep_only(&A->m, gb_tiles_bit(format));
}

static void run_gblite(const ss_case *of, const s_Call *call, o_Matrix *found) {
    gbl_BinaryOp accum = of->flags.accum ? *t_binaries[call->accum].handle : NULL;
    const gbl_Semiring ring = *t_rings[of->ring].handle;
    gbl_Descriptor desc = t_descriptor(&of->flags);
    const bool masked = t_has_mask(of->flags.mask);
    gbl_Matrix A = NULL, B = NULL, C = NULL, M = NULL;
    gbl_Vector w = NULL, m = NULL, u = NULL;
    if (of->kind == MXM) {
        C = t_matrix(call->C);
        A = t_matrix(call->A);
        B = t_matrix(call->B);
        if (masked) M = t_matrix(call->M);
        OK(gbl_mxm(C, M, accum, ring, A, B, desc));
        *found = t_dense(C);
    } else {
        w = t_vector(call->C);
        A = t_matrix(of->kind == MXV ? call->A : call->B);
        u = t_vector(of->kind == MXV ? call->B : call->A);
        hold(A, of->seed);
        if (masked) m = t_vector(call->M);
        OK(of->kind == MXV ? gbl_mxv(w, m, accum, ring, A, u, desc)
                           : gbl_vxm(w, m, accum, ring, u, A, desc));
        *found = t_dense_vector(w);
    }
    FREE(A, B, C, M, w, m, u, desc);
}

static size_t accum_of(gbl_Type_Code type, uint64_t n) {
    static const o_Opcode ops[] = {O_PLUS, O_MIN, O_SECOND, O_MINUS};
    size_t k = 0;
    while (t_binaries[k].op != ops[n % T_COUNT(ops)] || t_binaries[k].type != type) k++;
    return k;
}

static void run(ss_case *of) {
    static const char *const kinds[] = {"mxm", "mxv", "vxm"};
    if (t_left_out()) return;
    if (of->kind == MXM && of->seed % 4 != 0) t_set_way(&of->flags, of->seed % T_WAYS);
    if (of->kind == MXM && of->seed % 3 == 0) of->flags.method = GBL_METHOD_TILED;
    if (of->kind == MXM && of->seed % 3 == 1) of->flags.method = GBL_METHOD_OUTER;
    if (of->kind == MXM && of->seed % 6 == 2) of->flags.method = GBL_METHOD_VECTOR;
    const t_Ring *ring = &t_rings[of->ring];
    t_Random r = t_random(of->seed);
    o_Type type = o_type(ring->type), ta = type, tb = type, tc = type;
    if (of->cast) {
        ta = o_type(t_types[t_below(&r, 11)]);
        tb = o_type(t_types[t_below(&r, 11)]);
        /* a rounded sum may fall to either side of an integer */
        tc = t_is_float(type.code) ? o_type(GBL_FP64_CODE) : o_type(t_types[t_below(&r, 11)]);
    }
    t_case("%s %s seed %llu: %llu x %llu x %llu, types C %d A %d B %d, %s", kinds[of->kind],
           ring->name, (unsigned long long)of->seed, (unsigned long long)of->rows,
           (unsigned long long)of->inner, (unsigned long long)of->columns, (int)tc.code,
           (int)ta.code, (int)tb.code, t_flags_text(&of->flags));
    const bool t0 = of->flags.tran0, t1 = of->flags.tran1;
    o_Matrix A, B;
    if (of->kind == VXM)
        A = operand(&r, ta, of->inner, 1, of->da);
    else
        A = operand(&r, ta, t0 ? of->inner : of->rows, t0 ? of->rows : of->inner, of->da);
    if (of->kind == MXV)
        B = operand(&r, tb, of->inner, 1, of->db);
    else
        B = operand(&r, tb, t1 ? of->columns : of->inner, t1 ? of->inner : of->columns, of->db);
    o_Matrix C = of->kind == VXM ? operand(&r, tc, of->columns, 1, of->dc)
                                 : operand(&r, tc, of->rows, of->columns, of->dc);
    o_Matrix M = t_generate(&r, &(t_Content){o_type(t_types[of->seed % 11]), C.nrows, C.ncols,
                                             T_RANDOM, of->dc, false, false});
    s_Call call = {&C,        &M,
                   &A,        &B,
                   of->flags, accum_of(tc.code, of->seed),
                   of->ring,  {GBL_UDT_CODE, 0, NULL},
                   {.u64 = 0}};
    o_Matrix found;
    run_gblite(of, &call, &found);
    if (of->kind == MXM) s_mxm(&call);
    if (of->kind == MXV) s_mxv(&call);
    if (of->kind == VXM) s_vxm(&call);
    if (!values_are_fixed(ring)) {
        forget_values(&C);
        forget_values(&found);
    }
    t_expect_dense("C", &C, &found, tolerance_of(of, tc));
    FREE(A, B, C, M, found);
}

static void every_semiring(operation kind, bool cast) {
    for (size_t k = 0; k < t_ring_count && t_rings[k].type <= GBL_FP64_CODE; k++) {
        for (unsigned n = 0; n < 6; n++) {
            const unsigned f = (unsigned)(31 * n + 7 * k) % T_FLAGS_ALL;
            ss_case of = {.seed = 100 * k + n, .kind = kind, .ring = k, .flags = t_flags(f)};
            of.cast = cast;
            of.rows = kind == VXM ? 1 : 70;
            of.inner = 60;
            of.columns = kind == MXV ? 1 : 80;
            of.da = n % 2 ? 0.05 : 0.3;
            of.db = n % 3 ? 0.1 : 0.6;
            of.dc = 0.2;
            if (kind == MXV) of.flags.tran1 = false;
            if (kind == VXM) of.flags.tran0 = false;
            run(&of);
        }
    }
}

SS_TEST(mxm_suitesparse, every_semiring) {
    every_semiring(MXM, false);
}

SS_TEST(mxm_suitesparse, typecasts) {
    every_semiring(MXM, true);
}

SS_TEST(mxm_suitesparse, mxv) {
    every_semiring(MXV, false);
    every_semiring(MXV, true);
}

SS_TEST(mxm_suitesparse, vxm) {
    every_semiring(VXM, false);
    every_semiring(VXM, true);
}

/* larger: rows of hundreds and thousands of products, from sparse to full results */
SS_TEST(mxm_suitesparse, larger) {
    static const struct {
        gbl_Index rows, inner, columns;
        double da, db, dc;
    } sizes[] = {
        {600, 600, 600, 0.003, 0.004, 0.01}, {600, 500, 400, 0.02, 0.03, 0.05},
        {300, 700, 500, 0.1, 0.05, 0.1},     {200, 300, 250, 0.5, 0.4, 0.5},
        {40, 1500, 1200, 0.3, 0.01, 0.02},   {1500, 40, 300, 0.05, 0.3, 0.01},
        {5, 2000, 900, 0.9, 0.05, 0.5},      {20, 300, 5000, 0.3, 0.02, 0.02},
    };
    static const o_Opcode adds[] = {O_PLUS, O_MIN, O_PLUS, O_LOR, O_ANY, O_MIN};
    static const o_Opcode muls[] = {O_TIMES, O_PLUS, O_ONEB, O_LAND, O_ONEB, O_SECONDI};
    static const gbl_Type_Code types[] = {GBL_FP64_CODE, GBL_INT32_CODE, GBL_INT64_CODE,
                                          GBL_BOOL_CODE, GBL_BOOL_CODE,  GBL_INT64_CODE};
    OK(gbl_Global_set_INT32(GBL_GLOBAL, 3, GBL_NTHREADS));
    for (size_t s = 0; s < T_COUNT(sizes); s++) {
        for (size_t k = 0; k < T_COUNT(adds); k++) {
            ss_case of = {.seed = 900000 + 100 * s + k, .kind = MXM};
            while (t_rings[of.ring].add != adds[k] || t_rings[of.ring].multiply != muls[k] ||
                   t_rings[of.ring].type != types[k])
                of.ring++;
            of.flags = t_flags((unsigned)(37 * s + 11 * k) % T_FLAGS_ALL);
            if (k % 2 == 0) of.flags.mask = T_NO_MASK;
            of.rows = sizes[s].rows;
            of.inner = sizes[s].inner;
            of.columns = sizes[s].columns;
            of.da = sizes[s].da;
            of.db = sizes[s].db;
            of.dc = sizes[s].dc;
            run(&of);
        }
    }
}

#endif
