/* SPDX-License-Identifier: Apache-2.0
 *
 * assign to the rows I and columns J. With accum T is A scattered to C's shape, and C accum= T is
 * the whole call. Without, entries of C in the region I x J are deleted: T is the entries of C
 * outside the region and A scattered, and C = T under the mask.
 *
 * Matrices are handled by rows, or by columns where they have only these; vectors as one column.
 */
#include "ops/operations.h"

/* The index lists of a call as C's major and minor indices. */
typedef struct {
    gb_IndexMap major, minor;
} Lists;

static gbl_Info make_lists(Lists *lists, const gb_Assign *call, gb_Format format,
                           const gb_AssignArgs *args) {
    const gb_Matrix *C = call->C;
    const bool by_rows = format == GB_CSR;
    const uint64_t nmajor = gb_nmajor(C, format), nminor = gb_nminor(C, format);
    const uint64_t entries =
        args->C.nvals + args->M.nvals + (call->A != NULL ? call->A->nvals : 0); /* looked up */
    const gb_Indices *major = by_rows ? &call->I : &call->J, *minor = by_rows ? &call->J : &call->I;
    gbl_Info info = gb_index_map_make(&lists->major, major, nmajor, nmajor);
    if (info == GBL_SUCCESS) info = gb_index_map_make(&lists->minor, minor, nminor, entries);
    return info;
}

/* A as values of `type`; without entries only what kernels want to know of that. */
static gbl_Info open_object(gb_Operand *operand, const gb_Assign *call, gb_Format format,
                            const gb_Type *type) {
    const gb_Format other = gb_other(format);
    const gb_Format held = call->atransposed ? other : format;
    operand->view = (gb_CsView){.xsize = type->size};
    if (call->A->nvals == 0) return GBL_SUCCESS;
    const gbl_Info info = gb_acquire_sorted(call->A, held, &operand->view);
    return info == GBL_SUCCESS ? gb_operand_get(operand, call->A, held, type) : info;
}

/* T = base with A, or the value, in the region. args has the base, and mask and accumulator if they
 * are to act at once. */
static gbl_Info spread(gb_Result *T, const gb_Assign *call, gb_AssignArgs *args) {
    Lists lists = {0};
    gb_Operand A = {0};
    gb_Builtin value;
    gbl_Info info = make_lists(&lists, call, T->format, args);
    args->rows = &lists.major;
    args->columns = &lists.minor;
    args->type = T->type;
    args->nthreads = gb_nthreads();
    if (info == GBL_SUCCESS && call->A != NULL) {
        info = open_object(&A, call, T->format, T->type);
        args->A = A.view;
    } else if (info == GBL_SUCCESS) {
        args->fills = call->x != NULL;
        args->A = (gb_CsView){.xsize = T->type->size, .x = call->x, .iso = true};
        if (args->fills && T->type->code != call->xtype->code) {
            gb_cast(T->type, &value, call->xtype, call->x, 1, 1);
            args->A.x = &value;
        }
    }
    if (info == GBL_SUCCESS) info = gb_backend()->assign(args, &T->cs);
    gb_operand_release(&A);
    gb_index_map_free(&lists.major);
    gb_index_map_free(&lists.minor);
    return info;
}

/* How C is written: by columns where it has nothing else, or where rows would be far more than
 * columns. */
static gbl_Info choose_format(gb_Format *format, gb_Matrix *C) {
    *format = GB_CSC;
    if (gb_is_vector(C)) return GBL_SUCCESS;
    const bool tall = C->nvals == 0 && C->nrows / GB_FEW > C->ncols;
    return gb_any_format(C, tall ? GB_CSC : GB_CSR, format);
}

/* What T begins with where nothing of C takes part. */
static gb_CsView no_entries(const gb_Matrix *C, const gb_Result *T) {
    return (gb_CsView){.nmajor = gb_nmajor(C, T->format), .xsize = T->type->size};
}

/* -- dense vectors: the region is a mask of its own */

static bool suits_region(const gb_Assign *call) {
    const gb_Matrix *C = call->C;
    const gb_Mask *mask = &call->mask;
    return gb_is_vector(C) && gb_is_dense(C) && C->nvals > 0 && call->I.n > 0 && mask->M == NULL &&
           !mask->complement && call->accum == NULL;
}

/* An element for every index, which ascend: they are written where they stand. */
static bool suits_elements(const gb_Assign *call) {
    const gb_Matrix *C = call->C, *A = call->A;
    const gb_Type *type = A != NULL ? A->type : call->xtype;
    if (A == C || C->iso || !gb_type_is_real(C->type) || !gb_type_is_real(type)) return false;
    if (A != NULL ? A->nvals < call->I.n : call->x == NULL) return false;
    return gb_indices_ascend(&call->I);
}

static gbl_Info write_object(const gb_Assign *call, const gb_CsView *at) {
    gb_DenseOperand dense = {0};
    gb_Operand list = {0};
    const gb_Type *type = call->C->type;
    const bool is_dense = gb_is_dense(call->A);
    gbl_Info info = is_dense ? gb_dense_operand_get(&dense, call->A, type)
                             : open_object(&list, call, GB_CSC, type);
    if (info == GBL_SUCCESS && is_dense)
        gb_dense_write_list(call->C, at, dense.view.x, dense.view.iso);
    else if (info == GBL_SUCCESS)
        gb_dense_write_list(call->C, at, list.view.x, list.view.iso);
    gb_dense_operand_release(&dense);
    gb_operand_release(&list);
    return info;
}

static gbl_Info write_elements(const gb_Assign *call) {
    const gb_Matrix *C = call->C;
    const uint64_t n = call->I.n;
    const size_t bytes = n * sizeof(gb_Idx); /* n is at most a dimension */
    gb_Idx *i = gb_malloc(bytes);
    gbl_Info info = GBL_SUCCESS;
    if (i == NULL) return gb_fail_memory(bytes);
    for (uint64_t k = 0; k < n; k++) i[k] = (gb_Idx)call->I.i[k];
    const gb_CsView at = {.nmajor = 1, .nminor = C->nrows, .nvals = n, .i = i};
    if (call->A != NULL) {
        info = write_object(call, &at);
    } else {
        uint64_t value; /* real types fit */
        gb_cast(C->type, &value, call->xtype, call->x, 1, 1);
        gb_dense_write_list(call->C, &at, &value, true);
    }
    gb_free(i, bytes);
    return info;
}

/* *region = a vector with an entry at each index of I. */
static gbl_Info make_region(gb_Matrix **region, const gb_Assign *call) {
    static const bool yes = true;
    gb_Type *type = gb_type_of(GBL_BOOL_CODE);
    gb_Assign filled = *call;
    gb_Result T = {.type = type, .format = GB_CSC};
    gb_AssignArgs args = {.C = no_entries(call->C, &T)};
    filled.A = NULL;
    filled.x = &yes;
    filled.xtype = type;
    gbl_Info info = spread(&T, &filled, &args);
    if (info == GBL_SUCCESS) info = gb_matrix_new(region, GB_MAGIC_VECTOR, type, call->C->nrows, 1);
    if (info == GBL_SUCCESS) gb_matrix_set_cs(*region, GB_CSC, &T.cs);
    gb_result_free(&T);
    return info;
}

/* C<I> = A spread out, or the value, which costs nothing as long as C. */
static gbl_Info assign_region(const gb_Assign *call, gb_Result *T) {
    gb_AssignArgs args = {.C = no_entries(call->C, T)};
    gb_Mask mask = {.structural = true};
    const bool gives = call->A != NULL ? call->A->nvals > 0 : call->x != NULL;
    gbl_Info info = GBL_SUCCESS;
    if (gives) info = spread(T, call, &args);
    if (info == GBL_SUCCESS) info = make_region(&mask.M, call);
    T->masked = true;
    info = gb_finish_if(info, call->C, &mask, NULL, T);
    gb_matrix_free(mask.M);
    return info;
}

/* -- the whole */

/* Mask and accumulator can act while A is scattered: then T is all of C. Not with replace, which
 * deletes outside T; not with values of another type, which are not C's before they are combined;
 * not for vectors, to which finish adds in place. */
static bool acts_at_once(const gb_Assign *call) {
    const gb_Mask *mask = &call->mask;
    const gb_Type *ctype = call->C->type, *type = call->A != NULL ? call->A->type : call->xtype;
    const bool same = type == ctype || (type->code == ctype->code && type->code != GBL_UDT_CODE);
    if (mask->M == NULL ? mask->complement : mask->replace) return false;
    return call->C->nvals > 0 && (call->accum == NULL || (same && !gb_is_vector(call->C)));
}

static gbl_Info assign_at_once(const gb_Assign *call, gb_Result *T) {
    const gb_Mask none = {0}, *mask = &call->mask;
    gb_MaskView M = {0};
    gb_AssignArgs args = {.accum = call->accum};
    T->type = call->C->type;
    gbl_Info info = gb_acquire_sorted(call->C, T->format, &args.C);
    if (info == GBL_SUCCESS && mask->M != NULL) info = gb_mask_get(&M, mask, T->format);
    args.M = M.view;
    args.masked = mask->M != NULL;
    args.outside = mask->complement;
    if (info == GBL_SUCCESS) info = spread(T, call, &args);
    gb_mask_release(&M);
    return gb_finish_if(info, call->C, &none, NULL, T);
}

/* T first, then mask and accumulator. A value is put only where the mask allows one, so that no
 * region is too large for it. */
static gbl_Info assign_in_turn(const gb_Assign *call, gb_Result *T, bool gives) {
    const gb_Mask *mask = &call->mask;
    const bool keeps = call->accum == NULL && call->C->nvals > 0;
    const bool by_mask = call->A == NULL && gives && mask->M != NULL && !mask->complement;
    gb_MaskView M = {0};
    gbl_Info info = GBL_SUCCESS;
    if (keeps) T->type = call->C->type;
    gb_AssignArgs args = {.C = no_entries(call->C, T), .masked = by_mask};
    if (keeps) info = gb_acquire_sorted(call->C, T->format, &args.C);
    if (info == GBL_SUCCESS && by_mask) info = gb_mask_get(&M, mask, T->format);
    args.M = M.view;
    T->masked = by_mask && !keeps; /* nothing of T lies outside of the mask */
    if (info == GBL_SUCCESS && (keeps || gives)) info = spread(T, call, &args);
    gb_mask_release(&M);
    return gb_finish_if(info, call->C, mask, call->accum, T);
}

gbl_Info gb_assign_at(const gb_Assign *call) {
    gb_Matrix *C = call->C;
    gb_Result T = {.type = call->A != NULL ? call->A->type : call->xtype};
    gbl_Info info = gb_assemble(C);
    if (info == GBL_SUCCESS && call->A != NULL) info = gb_assemble(call->A);
    if (info == GBL_SUCCESS && call->mask.M != NULL) info = gb_assemble(call->mask.M);
    if (info == GBL_SUCCESS) info = choose_format(&T.format, C);
    if (info != GBL_SUCCESS) return info;
    if (suits_region(call))
        return suits_elements(call) ? write_elements(call) : assign_region(call, &T);
    const bool gives = call->A != NULL ? call->A->nvals > 0 : call->x != NULL;
    if (acts_at_once(call) && (gives || call->accum == NULL)) return assign_at_once(call, &T);
    return assign_in_turn(call, &T, gives);
}
