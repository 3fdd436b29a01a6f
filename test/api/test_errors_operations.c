/* SPDX-License-Identifier: Apache-2.0
 *
 * Errors of operations. All functions of one shape (output, mask, accum, one input that varies,
 * descriptor) stand in a table, wrapped; every wrong argument is tried with each. The output must
 * be as it was, and no memory may be held.
 */
#include "support/errors.h"

/* What every case starts from: all 3 x 3 or 3 long, INT32, with a few entries. */
static struct {
    gbl_Matrix C, A, small, user, unit; /* unit is 1 x 1 */
    gbl_Vector w, u, tiny, strange;     /* strange has the user type */
    gbl_Type type;
    gbl_BinaryOp op; /* type x type -> type */
    gbl_IndexUnaryOp index;
    gbl_Scalar one, empty, odd; /* odd has the user type */
    o_Matrix dense, column;     /* what C and w hold */
} f;

static void five_bytes(void *z, const void *x, const void *y) {
    (void)y;
    for (int k = 0; k < 5; k++) ((char *)z)[k] = ((const char *)x)[k];
}

static void keep_five(void *z, const void *x, gbl_Index i, gbl_Index j, const void *y) {
    (void)i;
    (void)j;
    five_bytes(z, x, y);
}

static void setup(void) {
    t_errors_setup();
    t_Random r = t_random(3);
    const o_Type int32 = o_type(GBL_INT32_CODE);
    f.dense = t_generate(&r, &(t_Content){int32, 3, 3, T_RANDOM, 0.6, false, false});
    f.column = t_generate(&r, &(t_Content){int32, 3, 1, T_FULL, 1, false, false});
    f.C = t_matrix(&f.dense);
    f.A = t_matrix(&f.dense);
    f.w = t_vector(&f.column);
    f.u = t_vector(&f.column);
    OK(gbl_Type_new(&f.type, 5));
    OK(gbl_BinaryOp_new(&f.op, five_bytes, f.type, f.type, f.type));
    OK(gbl_IndexUnaryOp_new(&f.index, keep_five, f.type, f.type, f.type));
    OK(gbl_Matrix_new(&f.small, GBL_INT32, 2, 5));
    OK(gbl_Matrix_new(&f.user, f.type, 3, 3));
    OK(gbl_Matrix_new(&f.unit, GBL_INT32, 1, 1));
    OK(gbl_Matrix_setElement_UDT(f.user, "abcde", 1, 1));
    OK(gbl_Vector_new(&f.tiny, GBL_INT32, 2));
    OK(gbl_Vector_new(&f.strange, f.type, 3));
    OK(gbl_Scalar_new(&f.one, GBL_INT32));
    OK(gbl_Scalar_setElement_INT32(f.one, 1));
    OK(gbl_Scalar_new(&f.empty, GBL_INT32));
    OK(gbl_Scalar_new(&f.odd, f.type));
    OK(gbl_Scalar_setElement_UDT(f.odd, "vwxyz"));
}

static void teardown(void) {
    FREE(f.C, f.A, f.small, f.user, f.unit, f.w, f.u, f.tiny);
    FREE(f.strange, f.one, f.empty, f.odd, f.op, f.index, f.type);
    FREE(f.dense, f.column);
    t_errors_teardown();
}

#define OPERATION_ERRORS(name) Test(errors_operations, name, .init = setup, .fini = teardown)

/* The outputs are as they were, and the workspace of the failed calls is free again. */
static int64_t blocks_before;

static void begin(void) {
    OK(gbl_Matrix_wait(f.C, GBL_MATERIALIZE));
    OK(gbl_Vector_wait(f.w, GBL_MATERIALIZE));
    t_expect("C", &f.dense, f.C, 0);
    t_expect_vector("w", &f.column, f.w, 0);
    blocks_before = t_blocks();
}

static void expect_unchanged(void) {
    CHECK_EQ(t_blocks(), blocks_before);
    t_expect("C", &f.dense, f.C, 0);
    t_expect_vector("w", &f.column, f.w, 0);
}

/* ---------------------------------------------------------------------------------- matrices -- */

typedef gbl_Info (*matrix_call)(gbl_Matrix C, gbl_Matrix M, gbl_BinaryOp accum, gbl_Matrix A,
                                gbl_Descriptor desc);
typedef struct {
    const char *name;
    matrix_call call;
    bool no_input; /* A is not used */
} matrix_entry;

#define M_CALL(name, expression)                                                                   \
    static gbl_Info name(gbl_Matrix C, gbl_Matrix M, gbl_BinaryOp a, gbl_Matrix A,                 \
                         gbl_Descriptor d) {                                                       \
        (void)A;                                                                                   \
        return expression;                                                                         \
    }
#define INT_RING GBL_PLUS_TIMES_SEMIRING_INT32
static const gbl_Index turned[] = {2, 1, 0};
M_CALL(mxm_1, gbl_mxm(C, M, a, INT_RING, A, f.A, d))
M_CALL(mxm_2, gbl_mxm(C, M, a, INT_RING, f.A, A, d))
M_CALL(transpose, gbl_transpose(C, M, a, A, d))
M_CALL(add_op_1, gbl_Matrix_eWiseAdd_BinaryOp(C, M, a, GBL_PLUS_INT32, A, f.A, d))
M_CALL(add_op_2, gbl_Matrix_eWiseAdd_BinaryOp(C, M, a, GBL_PLUS_INT32, f.A, A, d))
M_CALL(add_monoid, gbl_Matrix_eWiseAdd_Monoid(C, M, a, GBL_PLUS_MONOID_INT32, A, f.A, d))
M_CALL(add_ring, gbl_Matrix_eWiseAdd_Semiring(C, M, a, INT_RING, f.A, A, d))
M_CALL(mult_op_1, gbl_Matrix_eWiseMult_BinaryOp(C, M, a, GBL_PLUS_INT32, A, f.A, d))
M_CALL(mult_op_2, gbl_Matrix_eWiseMult_BinaryOp(C, M, a, GBL_PLUS_INT32, f.A, A, d))
M_CALL(mult_monoid, gbl_Matrix_eWiseMult_Monoid(C, M, a, GBL_PLUS_MONOID_INT32, f.A, A, d))
M_CALL(mult_ring, gbl_Matrix_eWiseMult_Semiring(C, M, a, INT_RING, A, f.A, d))
M_CALL(apply, gbl_Matrix_apply(C, M, a, GBL_AINV_INT32, A, d))
M_CALL(apply_1_scalar, gbl_Matrix_apply_BinaryOp1st_Scalar(C, M, a, GBL_PLUS_INT32, f.one, A, d))
M_CALL(apply_2_scalar, gbl_Matrix_apply_BinaryOp2nd_Scalar(C, M, a, GBL_PLUS_INT32, A, f.one, d))
M_CALL(apply_i_scalar, gbl_Matrix_apply_IndexOp_Scalar(C, M, a, GBL_VALUEGT_INT32, A, f.one, d))
M_CALL(select_scalar, gbl_Matrix_select_Scalar(C, M, a, GBL_VALUEGT_INT32, A, f.one, d))
M_CALL(permute, gbl_Matrix_permute(C, M, a, NULL, A, f.u, 0, d))
M_CALL(extract, gbl_Matrix_extract(C, M, a, A, turned, 3, GBL_ALL, 3, d))
M_CALL(kron_1, gbl_Matrix_kronecker_BinaryOp(C, M, a, GBL_PLUS_INT32, A, f.unit, d))
M_CALL(kron_2, gbl_Matrix_kronecker_Monoid(C, M, a, GBL_PLUS_MONOID_INT32, f.unit, A, d))
M_CALL(kron_ring, gbl_Matrix_kronecker_Semiring(C, M, a, INT_RING, A, f.unit, d))
M_CALL(assign_lists, gbl_Matrix_assign_INT32(C, M, a, 1, turned, 3, turned, 3, d))
M_CALL(assign, gbl_Matrix_assign(C, M, a, A, GBL_ALL, 3, GBL_ALL, 3, d))
M_CALL(assign_scalar, gbl_Matrix_assign_Scalar(C, M, a, f.one, GBL_ALL, 3, GBL_ALL, 3, d))
#define CASE(N, T)                                                                                 \
    M_CALL(apply_1_##N, gbl_Matrix_apply_BinaryOp1st_##N(C, M, a, GBL_PLUS_INT32, (T)1, A, d))     \
    M_CALL(apply_2_##N, gbl_Matrix_apply_BinaryOp2nd_##N(C, M, a, GBL_PLUS_INT32, A, (T)1, d))     \
    M_CALL(apply_i_##N, gbl_Matrix_apply_IndexOp_##N(C, M, a, GBL_VALUEGT_INT32, A, (T)1, d))      \
    M_CALL(select_##N, gbl_Matrix_select_##N(C, M, a, GBL_VALUEGT_INT32, A, (T)1, d))              \
    M_CALL(assign_##N, gbl_Matrix_assign_##N(C, M, a, (T)1, GBL_ALL, 3, GBL_ALL, 3, d))
GBL_FOREACH_TYPE(CASE)
#undef CASE

static const matrix_entry matrix_entries[] = {
#define ENTRY(name) {#name, name, false},
    ENTRY(mxm_1) ENTRY(mxm_2) ENTRY(transpose) ENTRY(add_op_1) ENTRY(add_op_2) ENTRY(add_monoid)
        ENTRY(add_ring) ENTRY(mult_op_1) ENTRY(mult_op_2) ENTRY(mult_monoid) ENTRY(mult_ring)
            ENTRY(apply) ENTRY(apply_1_scalar) ENTRY(apply_2_scalar) ENTRY(apply_i_scalar)
                ENTRY(select_scalar) ENTRY(permute) ENTRY(extract) ENTRY(kron_1) ENTRY(kron_2)
                    ENTRY(kron_ring){"assign_lists", assign_lists, true},
    ENTRY(assign){"assign_scalar", assign_scalar, true},
#define CASE(N, T)                                                                                 \
    ENTRY(apply_1_##N)                                                                             \
    ENTRY(apply_2_##N) ENTRY(apply_i_##N) ENTRY(select_##N){"assign " #N, assign_##N, true},
    GBL_FOREACH_TYPE(CASE)
#undef CASE
};

OPERATION_ERRORS(matrix_arguments) {
    begin();
    for (size_t k = 0; k < T_COUNT(matrix_entries); k++) {
        const matrix_entry *e = &matrix_entries[k];
        const matrix_call call = e->call;
        t_case("%s", e->name);
        FAILS(GBL_NULL_POINTER, call(NULL, NULL, NULL, f.A, NULL));
        FAILS(GBL_UNINITIALIZED_OBJECT, call(WRONG(Matrix), NULL, NULL, f.A, NULL));
        FAILS(GBL_UNINITIALIZED_OBJECT, call(f.C, WRONG(Matrix), NULL, f.A, NULL));
        FAILS(GBL_UNINITIALIZED_OBJECT, call(f.C, NULL, WRONG(BinaryOp), f.A, NULL));
        FAILS(GBL_UNINITIALIZED_OBJECT, call(f.C, NULL, NULL, f.A, WRONG(Descriptor)));
        FAILS(GBL_DIMENSION_MISMATCH, call(f.C, f.small, NULL, f.A, NULL));
        FAILS(GBL_DOMAIN_MISMATCH, call(f.C, f.user, NULL, f.A, NULL));
        FAILS(GBL_DOMAIN_MISMATCH, call(f.user, NULL, NULL, f.A, NULL));
        FAILS(GBL_DOMAIN_MISMATCH, call(f.C, NULL, f.op, f.A, NULL));
        FAILS(GBL_DOMAIN_MISMATCH, call(f.C, NULL, GBL_FIRSTI_INT32, f.A, NULL));
        if (!e->no_input) {
            FAILS(GBL_NULL_POINTER, call(f.C, NULL, NULL, NULL, NULL));
            FAILS(GBL_UNINITIALIZED_OBJECT, call(f.C, NULL, NULL, WRONG(Matrix), NULL));
            FAILS(GBL_DIMENSION_MISMATCH, call(f.C, NULL, NULL, f.small, NULL));
            FAILS(GBL_DIMENSION_MISMATCH, call(f.small, NULL, NULL, f.A, NULL));
            FAILS(GBL_DOMAIN_MISMATCH, call(f.C, NULL, NULL, f.user, NULL));
        }
        expect_unchanged();
    }
}

/* ----------------------------------------------------------------------------------- vectors -- */

typedef gbl_Info (*vector_call)(gbl_Vector w, gbl_Vector m, gbl_BinaryOp accum, gbl_Vector u,
                                gbl_Descriptor desc);
typedef struct {
    const char *name;
    vector_call call;
    bool no_input;
} vector_entry;

#define V_CALL(name, expression)                                                                   \
    static gbl_Info name(gbl_Vector w, gbl_Vector m, gbl_BinaryOp a, gbl_Vector u,                 \
                         gbl_Descriptor d) {                                                       \
        (void)u;                                                                                   \
        return expression;                                                                         \
    }
V_CALL(v_mxv, gbl_mxv(w, m, a, INT_RING, f.A, u, d))
V_CALL(v_vxm, gbl_vxm(w, m, a, INT_RING, u, f.A, d))
V_CALL(v_add_1, gbl_Vector_eWiseAdd_BinaryOp(w, m, a, GBL_PLUS_INT32, u, f.u, d))
V_CALL(v_add_2, gbl_Vector_eWiseAdd_BinaryOp(w, m, a, GBL_PLUS_INT32, f.u, u, d))
V_CALL(v_add_monoid, gbl_Vector_eWiseAdd_Monoid(w, m, a, GBL_PLUS_MONOID_INT32, u, f.u, d))
V_CALL(v_add_ring, gbl_Vector_eWiseAdd_Semiring(w, m, a, INT_RING, f.u, u, d))
V_CALL(v_mult_1, gbl_Vector_eWiseMult_BinaryOp(w, m, a, GBL_PLUS_INT32, u, f.u, d))
V_CALL(v_mult_2, gbl_Vector_eWiseMult_BinaryOp(w, m, a, GBL_PLUS_INT32, f.u, u, d))
V_CALL(v_mult_monoid, gbl_Vector_eWiseMult_Monoid(w, m, a, GBL_PLUS_MONOID_INT32, f.u, u, d))
V_CALL(v_mult_ring, gbl_Vector_eWiseMult_Semiring(w, m, a, INT_RING, u, f.u, d))
V_CALL(v_apply, gbl_Vector_apply(w, m, a, GBL_AINV_INT32, u, d))
V_CALL(v_apply_1_scalar, gbl_Vector_apply_BinaryOp1st_Scalar(w, m, a, GBL_PLUS_INT32, f.one, u, d))
V_CALL(v_apply_2_scalar, gbl_Vector_apply_BinaryOp2nd_Scalar(w, m, a, GBL_PLUS_INT32, u, f.one, d))
V_CALL(v_apply_i_scalar, gbl_Vector_apply_IndexOp_Scalar(w, m, a, GBL_VALUEGT_INT32, u, f.one, d))
V_CALL(v_select_scalar, gbl_Vector_select_Scalar(w, m, a, GBL_VALUEGT_INT32, u, f.one, d))
V_CALL(v_assign, gbl_Vector_assign(w, m, a, u, GBL_ALL, 3, d))
V_CALL(v_assign_scalar, gbl_Vector_assign_Scalar(w, m, a, f.one, GBL_ALL, 3, d))
V_CALL(v_reduce, gbl_Matrix_reduce_Monoid(w, m, a, GBL_PLUS_MONOID_INT32, f.A, d))
V_CALL(v_reduce_op, gbl_Matrix_reduce_BinaryOp(w, m, a, GBL_PLUS_INT32, f.A, d))
V_CALL(v_degrees, gbl_Matrix_degrees(w, m, a, f.A, d))
V_CALL(v_column, gbl_Col_extract(w, m, a, f.A, turned, 3, 1, d))
V_CALL(v_assign_list, gbl_Vector_assign_INT32(w, m, a, 1, turned, 3, d))
V_CALL(v_extract, gbl_Vector_extract(w, m, a, u, GBL_ALL, 3, d))
#define CASE(N, T)                                                                                 \
    V_CALL(v_apply_1_##N, gbl_Vector_apply_BinaryOp1st_##N(w, m, a, GBL_PLUS_INT32, (T)1, u, d))   \
    V_CALL(v_apply_2_##N, gbl_Vector_apply_BinaryOp2nd_##N(w, m, a, GBL_PLUS_INT32, u, (T)1, d))   \
    V_CALL(v_apply_i_##N, gbl_Vector_apply_IndexOp_##N(w, m, a, GBL_VALUEGT_INT32, u, (T)1, d))    \
    V_CALL(v_select_##N, gbl_Vector_select_##N(w, m, a, GBL_VALUEGT_INT32, u, (T)1, d))            \
    V_CALL(v_assign_##N, gbl_Vector_assign_##N(w, m, a, (T)1, GBL_ALL, 3, d))
GBL_FOREACH_TYPE(CASE)
#undef CASE

static const vector_entry vector_entries[] = {
#undef ENTRY
#define ENTRY(name) {#name, name, false},
#define NO_INPUT(name) {#name, name, true},
    ENTRY(v_mxv) ENTRY(v_vxm) ENTRY(v_add_1) ENTRY(v_add_2) ENTRY(v_add_monoid) ENTRY(v_add_ring)
        ENTRY(v_mult_1) ENTRY(v_mult_2) ENTRY(v_mult_monoid) ENTRY(v_mult_ring) ENTRY(v_apply)
            ENTRY(v_apply_1_scalar) ENTRY(v_apply_2_scalar) ENTRY(v_apply_i_scalar)
                ENTRY(v_select_scalar) ENTRY(v_assign) NO_INPUT(v_assign_scalar) NO_INPUT(v_reduce)
                    NO_INPUT(v_reduce_op) NO_INPUT(v_degrees) ENTRY(v_extract) NO_INPUT(v_column)
                        NO_INPUT(v_assign_list)
#define CASE(N, T)                                                                                 \
    ENTRY(v_apply_1_##N)                                                                           \
    ENTRY(v_apply_2_##N) ENTRY(v_apply_i_##N) ENTRY(v_select_##N) NO_INPUT(v_assign_##N)
                            GBL_FOREACH_TYPE(CASE)
#undef CASE
};

OPERATION_ERRORS(vector_arguments) {
    begin();
    for (size_t k = 0; k < T_COUNT(vector_entries); k++) {
        const vector_entry *e = &vector_entries[k];
        const vector_call call = e->call;
        t_case("%s", e->name);
        FAILS(GBL_NULL_POINTER, call(NULL, NULL, NULL, f.u, NULL));
        FAILS(GBL_UNINITIALIZED_OBJECT, call(WRONG(Vector), NULL, NULL, f.u, NULL));
        FAILS(GBL_UNINITIALIZED_OBJECT, call(f.w, WRONG(Vector), NULL, f.u, NULL));
        FAILS(GBL_UNINITIALIZED_OBJECT, call(f.w, NULL, WRONG(BinaryOp), f.u, NULL));
        FAILS(GBL_UNINITIALIZED_OBJECT, call(f.w, NULL, NULL, f.u, WRONG(Descriptor)));
        FAILS(GBL_DIMENSION_MISMATCH, call(f.w, f.tiny, NULL, f.u, NULL));
        FAILS(GBL_DOMAIN_MISMATCH, call(f.w, f.strange, NULL, f.u, NULL));
        FAILS(GBL_DOMAIN_MISMATCH, call(f.strange, NULL, NULL, f.u, NULL));
        FAILS(GBL_DOMAIN_MISMATCH, call(f.w, NULL, f.op, f.u, NULL));
        if (!e->no_input) {
            FAILS(GBL_NULL_POINTER, call(f.w, NULL, NULL, NULL, NULL));
            FAILS(GBL_UNINITIALIZED_OBJECT, call(f.w, NULL, NULL, WRONG(Vector), NULL));
            FAILS(GBL_DIMENSION_MISMATCH, call(f.w, NULL, NULL, f.tiny, NULL));
            FAILS(GBL_DIMENSION_MISMATCH, call(f.tiny, NULL, NULL, f.u, NULL));
            FAILS(GBL_DOMAIN_MISMATCH, call(f.w, NULL, NULL, f.strange, NULL));
        }
        expect_unchanged();
    }
}

/* -------------------------------------------------------------------- rows and columns of C -- */

typedef gbl_Info (*line_call)(gbl_Matrix C, gbl_Vector m, gbl_BinaryOp accum, gbl_Vector u,
                              gbl_Descriptor desc);

static gbl_Info row(gbl_Matrix C, gbl_Vector m, gbl_BinaryOp accum, gbl_Vector u,
                    gbl_Descriptor desc) {
    return gbl_Row_assign(C, m, accum, u, 1, turned, 3, desc);
}

static gbl_Info column(gbl_Matrix C, gbl_Vector m, gbl_BinaryOp accum, gbl_Vector u,
                       gbl_Descriptor desc) {
    return gbl_Col_assign(C, m, accum, u, GBL_ALL, 3, 1, desc);
}

OPERATION_ERRORS(line_arguments) {
    static const line_call calls[] = {row, column};
    begin();
    for (size_t k = 0; k < T_COUNT(calls); k++) {
        const line_call call = calls[k];
        FAILS(GBL_NULL_POINTER, call(NULL, NULL, NULL, f.u, NULL));
        FAILS(GBL_NULL_POINTER, call(f.C, NULL, NULL, NULL, NULL));
        FAILS(GBL_UNINITIALIZED_OBJECT, call(WRONG(Matrix), NULL, NULL, f.u, NULL));
        FAILS(GBL_UNINITIALIZED_OBJECT, call(f.C, WRONG(Vector), NULL, f.u, NULL));
        FAILS(GBL_UNINITIALIZED_OBJECT, call(f.C, NULL, WRONG(BinaryOp), f.u, NULL));
        FAILS(GBL_UNINITIALIZED_OBJECT, call(f.C, NULL, NULL, WRONG(Vector), NULL));
        FAILS(GBL_UNINITIALIZED_OBJECT, call(f.C, NULL, NULL, f.u, WRONG(Descriptor)));
        FAILS(GBL_DIMENSION_MISMATCH, call(f.C, f.tiny, NULL, f.u, NULL));
        FAILS(GBL_DIMENSION_MISMATCH, call(f.C, NULL, NULL, f.tiny, NULL));
        FAILS(GBL_DOMAIN_MISMATCH, call(f.C, f.strange, NULL, f.u, NULL));
        FAILS(GBL_DOMAIN_MISMATCH, call(f.C, NULL, NULL, f.strange, NULL));
        FAILS(GBL_DOMAIN_MISMATCH, call(f.user, NULL, NULL, f.u, NULL));
        FAILS(GBL_DOMAIN_MISMATCH, call(f.C, NULL, f.op, f.u, NULL));
        FAILS(GBL_DOMAIN_MISMATCH, call(f.C, NULL, GBL_FIRSTI_INT32, f.u, NULL));
        expect_unchanged();
    }
}
