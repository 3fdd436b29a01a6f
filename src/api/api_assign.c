/* SPDX-License-Identifier: Apache-2.0
 *
 * gbl_Matrix_assign, gbl_Vector_assign, and the same with one value of every type; gbl_Row_assign
 * and gbl_Col_assign.
 */
#include "api/map_call.h"
#include "api/passed.h"
#include "hyper/hyper.h"

/* Domains and dimensions of a call whose handles are valid. */
static gbl_Info check(gb_Assign *call, const gb_Settings *settings) {
    call->mask = &settings->mask;
    gbl_Info info = gb_indices_check(&call->I, call->C->nrows, "I");
    if (info == GBL_SUCCESS) info = gb_indices_check(&call->J, call->C->ncols, "J");
    return info == GBL_SUCCESS ? gb_assign_check(call) : info;
}

gbl_Info gbl_Matrix_assign(gbl_Matrix C, gbl_Matrix M, gbl_BinaryOp accum, gbl_Matrix A,
                           const gbl_Index *I, gbl_Index ni, const gbl_Index *J, gbl_Index nj,
                           gbl_Descriptor desc) {
    /* handles */
    gb_Settings settings;
    gbl_Info info = gb_begin_matrix_deferred(&settings, C, M, accum, desc);
    if (info == GBL_SUCCESS) info = gb_check_handle(A, "A");
    if (info != GBL_SUCCESS) return gb_end(C, info);
    /* domains and dimensions */
    gb_Assign call = {.C = &C->m,
                      .accum = accum,
                      .A = &A->m,
                      .atransposed = settings.transpose0,
                      .I = gb_indices_of(I, ni, C->m.nrows),
                      .J = gb_indices_of(J, nj, C->m.ncols)};
    info = check(&call, &settings);
    if (info != GBL_SUCCESS) return gb_end(C, info);
    /* do */
    return gb_end(C, gb_lifted_assign_later(&call));
}

gbl_Info gbl_Vector_assign(gbl_Vector w, gbl_Vector m, gbl_BinaryOp accum, gbl_Vector u,
                           const gbl_Index *I, gbl_Index ni, gbl_Descriptor desc) {
    /* handles */
    gb_Settings settings;
    gbl_Info info = gb_begin_vector_deferred(&settings, w, m, accum, desc);
    if (info == GBL_SUCCESS) info = gb_check_vector_handle(u, "u");
    if (info != GBL_SUCCESS) return gb_end(w, info);
    /* domains and dimensions */
    gb_Assign call = {.C = &w->m,
                      .accum = accum,
                      .A = &u->m,
                      .I = gb_indices_of(I, ni, w->m.nrows),
                      .J = {.n = 1, .all = true}};
    info = check(&call, &settings);
    if (info != GBL_SUCCESS) return gb_end(w, info);
    /* do */
    return gb_end(w, gb_lifted_assign_later(&call));
}

/* -- rows and columns */

/* Row or column number `line` of C; the handles are valid, and the indices those of the line. */
static gbl_Info assign_line(gbl_Matrix C, const gb_Settings *settings, gb_LineAssign *call) {
    /* domains and dimensions */
    const uint64_t lines = call->is_row ? C->m.nrows : C->m.ncols;
    const uint64_t length = call->is_row ? C->m.ncols : C->m.nrows;
    const char *what = call->is_row ? "row index" : "column index";
    gbl_Info info = gb_check_index_below(call->line, lines, what);
    gb_Matrix *vector = NULL;
    if (info == GBL_SUCCESS) info = gb_matrix_new(&vector, GB_MAGIC_VECTOR, C->m.type, length, 1);
    if (info != GBL_SUCCESS) return info;
    call->assign.C = vector;
    call->assign.mask = &settings->mask;
    call->assign.J = (gb_Indices){.n = 1, .all = true};
    info = gb_indices_check(&call->assign.I, length, call->is_row ? "J" : "I");
    if (info == GBL_SUCCESS) info = gb_assign_check(&call->assign);
    /* do */
    if (info == GBL_SUCCESS) info = gb_lifted_assign_line(&C->m, call);
    gb_matrix_free(vector);
    return info;
}

/* IS_ROW: whether line i is a row, whose length is LENGTH; the list is I, ni */
#define GB_DEFINE(NAME, IS_ROW, LENGTH, ...)                                                       \
    gbl_Info gbl_##NAME##_assign(gbl_Matrix C, gbl_Vector m, gbl_BinaryOp accum, gbl_Vector u,     \
                                 __VA_ARGS__, gbl_Descriptor desc) {                               \
        /* handles */                                                                              \
        gb_Settings settings;                                                                      \
        gbl_Info info = gb_begin_value(&settings, accum, desc);                                    \
        if (info == GBL_SUCCESS) info = gb_check_matrix(C, "C");                                   \
        if (info == GBL_SUCCESS && m != NULL) info = gb_check_vector(m, "the mask m");             \
        if (info == GBL_SUCCESS) info = gb_check_vector(u, "u");                                   \
        if (info != GBL_SUCCESS) return gb_end(C, info);                                           \
        settings.mask.M = gb_of_vector(m);                                                         \
        gb_LineAssign call = {.line = line, .is_row = IS_ROW};                                     \
        call.assign =                                                                              \
            (gb_Assign){.accum = accum, .A = &u->m, .I = gb_indices_of(list, n, C->m.LENGTH)};     \
        return gb_end(C, assign_line(C, &settings, &call));                                        \
    }
GB_DEFINE(Row, true, ncols, gbl_Index line, const gbl_Index *list, gbl_Index n)
GB_DEFINE(Col, false, nrows, const gbl_Index *list, gbl_Index n, gbl_Index line)
#undef GB_DEFINE

/* -- values */

/* Sets the value of the call; an empty Scalar means no entry. */
static gbl_Info set_value(gb_Assign *call, const gb_Value *value) {
    const gb_Type *ctype = call->C->type;
    gbl_Info info = value->is_scalar ? gb_check_scalar(value->scalar, "the scalar")
                                     : gb_check_pointer(value->x, "x");
    if (info != GBL_SUCCESS) return info;
    if (value->is_scalar) {
        call->xtype = value->scalar->type;
        call->x = value->scalar->present ? value->scalar->value : NULL;
        return GBL_SUCCESS;
    }
    if (value->type == NULL && ctype->code != GBL_UDT_CODE)
        return gb_fail(GBL_DOMAIN_MISMATCH,
                       "the value is of a user type, but the output has a built-in type; use the "
                       "assign of that type");
    call->xtype = value->type != NULL ? value->type : ctype;
    call->x = value->x;
    return GBL_SUCCESS;
}

static gbl_Info assign_value(gb_Assign *call, const gb_Settings *settings, gb_Value value) {
    /* domains and dimensions */
    gbl_Info info = set_value(call, &value);
    if (info == GBL_SUCCESS) info = check(call, settings);
    if (info != GBL_SUCCESS) return info;
    /* do */
    return gb_lifted_assign_later(call);
}

static gbl_Info begin_vector(gb_Assign *call, gb_Settings *settings, gbl_Vector w, gbl_Vector m,
                             gbl_BinaryOp accum, gbl_Descriptor desc) {
    const gbl_Info info = gb_begin_vector_deferred(settings, w, m, accum, desc);
    *call = (gb_Assign){.C = gb_of_vector(w), .accum = accum, .J = {.n = 1, .all = true}};
    return info;
}

static gbl_Info begin_matrix(gb_Assign *call, gb_Settings *settings, gbl_Matrix C, gbl_Matrix M,
                             gbl_BinaryOp accum, gbl_Descriptor desc) {
    const gbl_Info info = gb_begin_matrix(settings, C, M, accum, desc);
    *call = (gb_Assign){.C = gb_of_matrix(C), .accum = accum};
    return info;
}

/* N, T: name and C type of the value x; VALUE: x as a gb_Value */
#define GB_DEFINE_FOR(N, T, VALUE)                                                                 \
    gbl_Info gbl_Vector_assign_##N(gbl_Vector w, gbl_Vector m, gbl_BinaryOp accum, T x,            \
                                   const gbl_Index *I, gbl_Index ni, gbl_Descriptor desc) {        \
        /* handles */                                                                              \
        gb_Assign call;                                                                            \
        gb_Settings settings;                                                                      \
        const gbl_Info info = begin_vector(&call, &settings, w, m, accum, desc);                   \
        if (info != GBL_SUCCESS) return gb_end(w, info);                                           \
        call.I = gb_indices_of(I, ni, w->m.nrows);                                                 \
        return gb_end(w, assign_value(&call, &settings, VALUE));                                   \
    }                                                                                              \
    gbl_Info gbl_Matrix_assign_##N(gbl_Matrix C, gbl_Matrix M, gbl_BinaryOp accum, T x,            \
                                   const gbl_Index *I, gbl_Index ni, const gbl_Index *J,           \
                                   gbl_Index nj, gbl_Descriptor desc) {                            \
        /* handles */                                                                              \
        gb_Assign call;                                                                            \
        gb_Settings settings;                                                                      \
        const gbl_Info info = begin_matrix(&call, &settings, C, M, accum, desc);                   \
        if (info != GBL_SUCCESS) return gb_end(C, info);                                           \
        call.I = gb_indices_of(I, ni, C->m.nrows);                                                 \
        call.J = gb_indices_of(J, nj, C->m.ncols);                                                 \
        return gb_end(C, assign_value(&call, &settings, VALUE));                                   \
    }
#define GB_DEFINE(N, T) GB_DEFINE_FOR(N, T, gb_value_at(&x, GBL_##N##_CODE))
GBL_FOREACH_TYPE(GB_DEFINE)
#undef GB_DEFINE
GB_DEFINE_FOR(UDT, const void *, gb_value_at(x, GBL_UDT_CODE))
GB_DEFINE_FOR(Scalar, gbl_Scalar, gb_value_in(x))
