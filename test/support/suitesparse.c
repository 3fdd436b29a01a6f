/* SPDX-License-Identifier: Apache-2.0
 *
 * See suitesparse.h. SuiteSparse has the very names of lists.h, with GrB_ or GxB_ in front.
 */
#ifdef HAVE_SUITESPARSE

#include "support/suitesparse.h"

#include <GraphBLAS.h>
#include <stdlib.h>
#include <string.h>

#include "support/lists.h"

#define S_OK(call)                                                                                 \
    do {                                                                                           \
        const GrB_Info s_info = (call);                                                            \
        cr_assert(s_info == GrB_SUCCESS, "%s gave %d in SuiteSparse\n  case: %s", #call,           \
                  (int)s_info, t_case_text());                                                     \
    } while (0)

/* ------------------------------------------------------------------------------------ tables -- */

/* the one name that SuiteSparse lacks */
#define GxB_LXNOR_LOR_BOOL GrB_LXNOR_LOR_SEMIRING_BOOL
#define RING(T, ADD, MUL) &GxB_##ADD##_##MUL##_##T,
#define PAIR_RING(T, ADD) &GxB_##ADD##_PAIR_##T,
static GrB_Semiring *const rings[] = {T_RING_LIST(RING, PAIR_RING)};

#define BINARY(T, OP) &GrB_##OP##_##T,
#define LOGICAL(OP) &GrB_##OP,
static GrB_BinaryOp *const binaries[] = {T_BINARY_LIST(BINARY, LOGICAL)};

#define GrB_ONE_BOOL GxB_ONE_BOOL
#define GrB_ONE_INT8 GxB_ONE_INT8
#define GrB_ONE_INT16 GxB_ONE_INT16
#define GrB_ONE_INT32 GxB_ONE_INT32
#define GrB_ONE_INT64 GxB_ONE_INT64
#define GrB_ONE_UINT8 GxB_ONE_UINT8
#define GrB_ONE_UINT16 GxB_ONE_UINT16
#define GrB_ONE_UINT32 GxB_ONE_UINT32
#define GrB_ONE_UINT64 GxB_ONE_UINT64
#define GrB_ONE_FP32 GxB_ONE_FP32
#define GrB_ONE_FP64 GxB_ONE_FP64
static GrB_UnaryOp *const unaries[] = {T_UNARY_LIST(BINARY, LOGICAL)};

static GrB_IndexUnaryOp *const indexes[] = {T_INDEX_LIST(BINARY, LOGICAL)};

#define MONOID(T, OP) &GxB_##OP##_##T##_MONOID,
static GrB_Monoid *const monoids[] = {T_MONOID_LIST(MONOID)};

static GrB_Type type_of(o_Type type) {
    switch (type.code) {
#define CASE(N, T)                                                                                 \
    case GBL_##N##_CODE:                                                                           \
        return GrB_##N;
        GBL_FOREACH_TYPE(CASE)
#undef CASE
    case GBL_FC32_CODE:
        return GxB_FC32;
    case GBL_FC64_CODE:
        return GxB_FC64;
    default:
        return NULL;
    }
}

/* -------------------------------------------------------------------------------- conversion -- */

static GrB_Info build(GrB_Matrix A, const GrB_Index *I, const GrB_Index *J, const void *X,
                      GrB_Index n, o_Type type) {
    switch (type.code) {
#define CASE(N, T)                                                                                 \
    case GBL_##N##_CODE:                                                                           \
        return GrB_Matrix_build_##N(A, I, J, (const T *)X, n, GrB_SECOND_##N);
        GBL_FOREACH_TYPE(CASE)
#undef CASE
    case GBL_FC32_CODE:
        return GxB_Matrix_build_FC32(A, I, J, X, n, GxB_SECOND_FC32);
    case GBL_FC64_CODE:
        return GxB_Matrix_build_FC64(A, I, J, X, n, GxB_SECOND_FC64);
    default:
        return GrB_PANIC;
    }
}

static GrB_Info tuples(GrB_Index *I, GrB_Index *J, void *X, GrB_Index *n, GrB_Matrix A,
                       o_Type type) {
    switch (type.code) {
#define CASE(N, T)                                                                                 \
    case GBL_##N##_CODE:                                                                           \
        return GrB_Matrix_extractTuples_##N(I, J, (T *)X, n, A);
        GBL_FOREACH_TYPE(CASE)
#undef CASE
    case GBL_FC32_CODE:
        return GxB_Matrix_extractTuples_FC32(I, J, X, n, A);
    case GBL_FC64_CODE:
        return GxB_Matrix_extractTuples_FC64(I, J, X, n, A);
    default:
        return GrB_PANIC;
    }
}

static GrB_Scalar scalar(o_Type type, const o_Value *x) {
    GrB_Scalar s = NULL;
    S_OK(GrB_Scalar_new(&s, type_of(type)));
    switch (type.code) {
#define CASE(N, T)                                                                                 \
    case GBL_##N##_CODE:                                                                           \
        S_OK(GrB_Scalar_setElement_##N(s, *(const T *)(const void *)x));                           \
        break;
        GBL_FOREACH_TYPE(CASE)
#undef CASE
    default:
        break;
    }
    return s;
}

/* NULL stays NULL */
static GrB_Matrix to_suitesparse(const o_Matrix *D) {
    if (D == NULL) return NULL;
    const gbl_Index cells = D->nrows * D->ncols;
    GrB_Matrix A = NULL;
    GrB_Index *I = malloc((cells + 1) * sizeof *I), *J = malloc((cells + 1) * sizeof *J), n = 0;
    unsigned char *X = malloc((cells + 1) * D->type.size);
    for (gbl_Index p = 0; p < cells; p++) {
        if (!D->x[p].has) continue;
        I[n] = p / D->ncols;
        J[n] = p % D->ncols;
        memcpy(X + n * D->type.size, &D->x[p].v, D->type.size);
        n++;
    }
    S_OK(GrB_Matrix_new(&A, type_of(D->type), D->nrows, D->ncols));
    S_OK(build(A, I, J, X, n, D->type));
    free(I);
    free(J);
    free(X);
    return A;
}

static void from_suitesparse(o_Matrix *D, GrB_Matrix A) {
    const gbl_Index cells = D->nrows * D->ncols;
    GrB_Index *I = malloc((cells + 1) * sizeof *I), *J = malloc((cells + 1) * sizeof *J);
    GrB_Index n = cells;
    unsigned char *X = malloc((cells + 1) * D->type.size);
    S_OK(tuples(I, J, X, &n, A, D->type));
    memset(D->x, 0, cells * sizeof *D->x);
    for (GrB_Index k = 0; k < n; k++) {
        o_Cell *cell = &D->x[I[k] * D->ncols + J[k]];
        cell->has = true;
        memcpy(&cell->v, X + k * D->type.size, D->type.size);
    }
    free(I);
    free(J);
    free(X);
}

/* the first column of A; NULL stays NULL */
static GrB_Vector column(GrB_Matrix A) {
    if (A == NULL) return NULL;
    GrB_Vector v = NULL;
    GrB_Type type = NULL;
    GrB_Index n = 0;
    S_OK(GrB_Matrix_nrows(&n, A));
    S_OK(GxB_Matrix_type(&type, A));
    S_OK(GrB_Vector_new(&v, type, n));
    S_OK(GrB_Col_extract(v, NULL, NULL, A, GrB_ALL, n, 0, NULL));
    return v;
}

/* -------------------------------------------------------------------------------- operations -- */

typedef struct {
    const s_Call *call;
    GrB_Matrix C, M, A, B;
    GrB_Vector w, m, u; /* the columns of C, M and the vector input */
    GrB_BinaryOp accum;
    GrB_Descriptor desc;
    GrB_Scalar x;
} objects;

static objects begin(const s_Call *call) {
    objects o = {.call = call};
    const t_Mask mask = call->flags.mask;
    o.C = to_suitesparse(call->C);
    if (t_has_mask(mask)) o.M = to_suitesparse(call->M);
    o.A = to_suitesparse(call->A);
    o.B = to_suitesparse(call->B);
    if (call->flags.accum) o.accum = *binaries[call->accum];
    if (call->type.size > 0) o.x = scalar(call->type, &call->x);
    S_OK(GrB_Descriptor_new(&o.desc));
    if (call->flags.replace) S_OK(GrB_Descriptor_set(o.desc, GrB_OUTP, GrB_REPLACE));
    if (call->flags.tran0) S_OK(GrB_Descriptor_set(o.desc, GrB_INP0, GrB_TRAN));
    if (call->flags.tran1) S_OK(GrB_Descriptor_set(o.desc, GrB_INP1, GrB_TRAN));
    if (mask == T_COMP || mask == T_COMP_STRUCTURAL || mask == T_COMP_NO_MASK)
        S_OK(GrB_Descriptor_set(o.desc, GrB_MASK, GrB_COMP));
    if (mask == T_STRUCTURAL || mask == T_COMP_STRUCTURAL)
        S_OK(GrB_Descriptor_set(o.desc, GrB_MASK, GrB_STRUCTURE));
    return o;
}

static void end(objects *o) {
    from_suitesparse(o->call->C, o->C);
    GrB_Matrix_free(&o->C);
    GrB_Matrix_free(&o->M);
    GrB_Matrix_free(&o->A);
    GrB_Matrix_free(&o->B);
    GrB_Scalar_free(&o->x);
    GrB_Descriptor_free(&o->desc);
}

#define OPERATION(name, expression)                                                                \
    void name(const s_Call *call) {                                                                \
        objects o = begin(call);                                                                   \
        S_OK(expression);                                                                          \
        end(&o);                                                                                   \
    }
OPERATION(s_mxm, GrB_mxm(o.C, o.M, o.accum, *rings[call->op], o.A, o.B, o.desc))
OPERATION(s_add,
          GrB_Matrix_eWiseAdd_BinaryOp(o.C, o.M, o.accum, *binaries[call->op], o.A, o.B, o.desc))
OPERATION(s_mult,
          GrB_Matrix_eWiseMult_BinaryOp(o.C, o.M, o.accum, *binaries[call->op], o.A, o.B, o.desc))
OPERATION(s_apply, GrB_Matrix_apply(o.C, o.M, o.accum, *unaries[call->op], o.A, o.desc))
OPERATION(s_apply_first, GrB_Matrix_apply_BinaryOp1st_Scalar(o.C, o.M, o.accum, *binaries[call->op],
                                                             o.x, o.A, o.desc))
OPERATION(s_apply_second,
          GrB_Matrix_apply_BinaryOp2nd_Scalar(o.C, o.M, o.accum, *binaries[call->op], o.A, o.x,
                                              o.desc))
OPERATION(s_apply_index,
          GrB_Matrix_apply_IndexOp_Scalar(o.C, o.M, o.accum, *indexes[call->op], o.A, o.x, o.desc))
OPERATION(s_select,
          GrB_Matrix_select_Scalar(o.C, o.M, o.accum, *indexes[call->op], o.A, o.x, o.desc))
OPERATION(s_transpose, GrB_transpose(o.C, o.M, o.accum, o.A, o.desc))
OPERATION(s_assign, GrB_Matrix_assign(o.C, o.M, o.accum, o.A, GrB_ALL, call->C->nrows, GrB_ALL,
                                      call->C->ncols, o.desc))
OPERATION(s_assign_value, GrB_Matrix_assign_Scalar(o.C, o.M, o.accum, o.x, GrB_ALL, call->C->nrows,
                                                   GrB_ALL, call->C->ncols, o.desc))

/* The same with a vector for output: the columns stand in for the matrices. */
static objects begin_vectors(const s_Call *call, bool vector_is_b) {
    objects o = begin(call);
    o.w = column(o.C);
    o.m = column(o.M);
    o.u = column(vector_is_b ? o.B : o.A);
    return o;
}

static void end_vectors(objects *o) {
    S_OK(GrB_Matrix_clear(o->C));
    S_OK(GrB_Col_assign(o->C, NULL, NULL, o->w, GrB_ALL, o->call->C->nrows, 0, NULL));
    GrB_Vector_free(&o->w);
    GrB_Vector_free(&o->m);
    GrB_Vector_free(&o->u);
    end(o);
}

#define VECTOR_OPERATION(name, vector_is_b, expression)                                            \
    void name(const s_Call *call) {                                                                \
        objects o = begin_vectors(call, vector_is_b);                                              \
        S_OK(expression);                                                                          \
        end_vectors(&o);                                                                           \
    }
VECTOR_OPERATION(s_mxv, true, GrB_mxv(o.w, o.m, o.accum, *rings[call->op], o.A, o.u, o.desc))
VECTOR_OPERATION(s_vxm, false, GrB_vxm(o.w, o.m, o.accum, *rings[call->op], o.u, o.B, o.desc))
VECTOR_OPERATION(s_reduce_rows, false,
                 GrB_Matrix_reduce_Monoid(o.w, o.m, o.accum, *monoids[call->op], o.A, o.desc))

OPERATION(s_kronecker,
          GrB_Matrix_kronecker_BinaryOp(o.C, o.M, o.accum, *binaries[call->op], o.A, o.B, o.desc))

/* --------------------------------------------------------------------------------- by lists -- */

#define ROWS (l->I == NULL ? GrB_ALL : l->I), l->ni
#define COLUMNS (l->J == NULL ? GrB_ALL : l->J), l->nj
#define LIST_OPERATION(name, begin, end, expression)                                               \
    void name(const s_Lists *l) {                                                                  \
        objects o = begin;                                                                         \
        S_OK(expression);                                                                          \
        end(&o);                                                                                   \
    }
LIST_OPERATION(s_extract, begin(&l->call), end,
               GrB_Matrix_extract(o.C, o.M, o.accum, o.A, ROWS, COLUMNS, o.desc))
LIST_OPERATION(s_extract_column, begin_vectors(&l->call, false), end_vectors,
               GrB_Col_extract(o.w, o.m, o.accum, o.A, ROWS, l->line, o.desc))
LIST_OPERATION(s_assign_at, begin(&l->call), end,
               GrB_Matrix_assign(o.C, o.M, o.accum, o.A, ROWS, COLUMNS, o.desc))
LIST_OPERATION(s_assign_value_at, begin(&l->call), end,
               GrB_Matrix_assign_Scalar(o.C, o.M, o.accum, o.x, ROWS, COLUMNS, o.desc))

/* M is a vector, and so is B. */
static objects begin_line(const s_Call *call) {
    objects o = begin(call);
    o.m = column(o.M);
    o.u = column(o.B);
    return o;
}

static void end_line(objects *o) {
    GrB_Vector_free(&o->m);
    GrB_Vector_free(&o->u);
    end(o);
}
LIST_OPERATION(s_assign_row, begin_line(&l->call), end_line,
               GrB_Row_assign(o.C, o.m, o.accum, o.u, l->line, COLUMNS, o.desc))
LIST_OPERATION(s_assign_column, begin_line(&l->call), end_line,
               GrB_Col_assign(o.C, o.m, o.accum, o.u, ROWS, l->line, o.desc))

o_Value s_reduce(const s_Call *call) {
    GrB_Matrix A = to_suitesparse(call->A);
    o_Value x;
    memset(&x, 0, sizeof x);
    switch (t_monoids[call->op].type) {
#define CASE(N, T)                                                                                 \
    case GBL_##N##_CODE:                                                                           \
        S_OK(GrB_Matrix_reduce_##N((T *)(void *)&x, NULL, *monoids[call->op], A, NULL));           \
        break;
        GBL_FOREACH_TYPE(CASE)
#undef CASE
    default:
        break;
    }
    GrB_Matrix_free(&A);
    return x;
}

/* One thread on either side: the inputs are small, and two runtimes that wait busily for their
 * threads slow each other down. */
void s_setup(void) {
    t_setup();
    OK(gbl_Global_set_INT32(GBL_GLOBAL, 1, GBL_NTHREADS));
    S_OK(GrB_init(GrB_NONBLOCKING));
    S_OK(GxB_Global_Option_set(GxB_GLOBAL_NTHREADS, 1));
    S_OK(GxB_Global_Option_set(GxB_FORMAT, GxB_BY_ROW));
}

void s_teardown(void) {
    S_OK(GrB_finalize());
    t_teardown();
}

#endif
