/* SPDX-License-Identifier: Apache-2.0
 *
 * assign to the rows I and columns J. With accum T is A spread out to C's shape, and C accum= T is
 * all there is to do. Without, entries of C in the region I x J go: T is what C has outside of the
 * region, together with A spread out, and C = T under the mask.
 *
 * Matrices are handled by rows, or by columns where they have only these; vectors as the one column
 * they are. Rows and columns of a matrix are vectors with a mask of their own: the line is taken
 * out, written as a vector is, and put back.
 */
#include "backend/backend.h"
#include "core/tune.h"
#include "ops/assign.h"
#include "ops/submatrix.h"

/* The lists of a call as C's major and minor indices. */
typedef struct {
    gb_IndexMap major, minor;
} Lists;

static gbl_Info make_lists(Lists *lists, const gb_Assign *call, gb_Format format) {
    const gb_Matrix *C = call->C;
    const bool by_rows = format == GB_CSR;
    const uint64_t nmajor = gb_nmajor(C, format), nminor = gb_nminor(C, format);
    const uint64_t entries = C->nvals + (call->A != NULL ? call->A->nvals : 0);
    const gb_Indices *major = by_rows ? &call->I : &call->J, *minor = by_rows ? &call->J : &call->I;
    gbl_Info info = gb_index_map_make(&lists->major, major, nmajor, nmajor);
    if (info == GBL_SUCCESS) info = gb_index_map_make(&lists->minor, minor, nminor, entries);
    return info;
}

static void free_lists(Lists *lists) {
    gb_index_map_free(&lists->major);
    gb_index_map_free(&lists->minor);
}

/* A as values of `type`; without entries only what kernels want to know of that. */
static gbl_Info open_object(gb_Operand *operand, const gb_Assign *call, gb_Format format,
                            const gb_Type *type) {
    const gb_Format other = format == GB_CSR ? GB_CSC : GB_CSR;
    const gb_Format held = call->atransposed ? other : format;
    operand->view = (gb_CsView){.xsize = type->size};
    if (call->A->nvals == 0) return GBL_SUCCESS;
    const gbl_Info info = gb_need_sorted(call->A, held, &operand->view);
    return info == GBL_SUCCESS ? gb_operand_get(operand, call->A, held, type) : info;
}

/* T = base with A, or the value, in the region. */
static gbl_Info spread(gb_Result *T, const gb_Assign *call, const gb_CsView *base) {
    Lists lists = {0};
    gb_Operand A = {0};
    uint64_t value;
    gb_AssignArgs args = {
        .C = *base, .rows = &lists.major, .columns = &lists.minor, .nthreads = gb_nthreads()};
    gbl_Info info = make_lists(&lists, call, T->format);
    if (info == GBL_SUCCESS && call->A != NULL) {
        info = open_object(&A, call, T->format, T->type);
        args.A = A.view;
    } else if (info == GBL_SUCCESS) {
        args.fills = call->x != NULL;
        args.A = (gb_CsView){.xsize = T->type->size, .x = call->x, .iso = true};
        if (args.fills && T->type->code != call->xtype->code) {
            gb_cast(T->type, &value, call->xtype, call->x, 1, 1); /* built-in types fit */
            args.A.x = &value;
        }
    }
    if (info == GBL_SUCCESS) info = gb_backend()->assign(&args, &T->cs);
    gb_operand_release(&A);
    free_lists(&lists);
    return info;
}

/* By columns where C has nothing else, or where rows would be far more than columns. */
static gbl_Info choose_format(gb_Format *format, gb_Matrix *C) {
    *format = GB_CSC;
    if (gb_is_vector(C)) return GBL_SUCCESS;
    const bool tall = C->nvals == 0 && C->nrows / GB_FEW > C->ncols;
    return gb_any_format(C, tall ? GB_CSC : GB_CSR, format);
}

gbl_Info gb_assign_at(const gb_Assign *call) {
    gb_Matrix *C = call->C;
    gb_Result T = {.type = call->A != NULL ? call->A->type : call->xtype};
    gbl_Info info = gb_assemble(C);
    if (info == GBL_SUCCESS && call->A != NULL) info = gb_assemble(call->A);
    if (info == GBL_SUCCESS) info = choose_format(&T.format, C);
    if (info != GBL_SUCCESS) return info;
    const bool keeps = call->accum == NULL && C->nvals > 0;
    const bool gives = call->A != NULL ? call->A->nvals > 0 : call->x != NULL;
    if (keeps) T.type = C->type;
    gb_CsView base = {.nmajor = gb_nmajor(C, T.format), .xsize = T.type->size};
    if (keeps) info = gb_need_sorted(C, T.format, &base);
    if (info == GBL_SUCCESS && (keeps || gives)) info = spread(&T, call, &base);
    if (info == GBL_SUCCESS) return gb_finish(C, call->mask, call->accum, &T);
    gb_result_free(&T);
    return info;
}

/* -- rows and columns of a matrix */

/* The line as rows or columns of C see it: one row with all columns, or all rows with one. */
static gbl_Info put_line(gb_Matrix *C, const gb_LineAssign *call, gb_Matrix *line) {
    const gb_Mask none = {0};
    const gb_Indices all = {.n = line->nrows, .all = true}, one = {.i = &call->line, .n = 1};
    gb_Result T = {.type = C->type};
    gb_CsView base, list = {.xsize = C->type->size};
    gb_Cs turned = {0};
    gbl_Info info = choose_format(&T.format, C);
    const bool in_one_piece = call->is_row == (T.format == GB_CSR);
    base = (gb_CsView){.nmajor = gb_nmajor(C, T.format), .xsize = C->type->size};
    if (info == GBL_SUCCESS && C->nvals > 0) info = gb_need_sorted(C, T.format, &base);
    if (info == GBL_SUCCESS && line->nvals > 0) info = gb_need_sorted(line, GB_CSC, &list);
    if (info == GBL_SUCCESS && line->nvals > 0 && !in_one_piece) {
        info = gb_backend()->transpose(&list, &turned, gb_nthreads());
        list = gb_cs_view(&turned, 1, C->type->size);
    }
    gb_IndexMap rows = {0}, columns = {0};
    const uint64_t nminor = gb_nminor(C, T.format);
    if (info == GBL_SUCCESS)
        info = gb_index_map_make(&rows, in_one_piece ? &one : &all, base.nmajor, base.nmajor);
    if (info == GBL_SUCCESS)
        info = gb_index_map_make(&columns, in_one_piece ? &all : &one, nminor, C->nvals);
    const gb_AssignArgs args = {
        .C = base, .A = list, .rows = &rows, .columns = &columns, .nthreads = gb_nthreads()};
    if (info == GBL_SUCCESS) info = gb_backend()->assign(&args, &T.cs);
    gb_index_map_free(&rows);
    gb_index_map_free(&columns);
    gb_cs_free(&turned);
    return info == GBL_SUCCESS ? gb_finish(C, &none, NULL, &T) : info;
}

gbl_Info gb_assign_line(gb_Matrix *C, const gb_LineAssign *call) {
    const gb_Mask none = {0};
    gb_Matrix *line = call->assign.C;
    const gb_Column taken = {
        .A = C, .transpose = call->is_row, .I = {.n = line->nrows, .all = true}, .j = call->line};
    gbl_Info info = gb_extract_column(line, &none, NULL, &taken);
    if (info == GBL_SUCCESS) info = gb_assign(&call->assign);
    if (info == GBL_SUCCESS) info = gb_assemble(line);
    return info == GBL_SUCCESS ? put_line(C, call, line) : info;
}
