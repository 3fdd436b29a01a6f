/* SPDX-License-Identifier: Apache-2.0
 *
 * assign; to all rows and columns in this file, the general case in assign_indices.c. The result of
 * a vector is a copy of it. The result of a value has the pattern of the mask, or every position,
 * and one value for all entries; finish does the rest.
 */
#include "ops/operations.h"

#include "ops/deferred.h"
#include "ops/device.h"

static gbl_Info check(const void *asked) {
    const gb_Assign *call = asked;
    const gb_Type *type = call->A != NULL ? call->A->type : call->xtype;
    const char *name = gb_is_vector(call->C) ? "u" : "A";
    gbl_Info info = gb_indices_check(&call->I, call->C->nrows, "I");
    if (info == GBL_SUCCESS) info = gb_indices_check(&call->J, call->C->ncols, "J");
    if (info == GBL_SUCCESS) info = gb_check_output(call->C, &call->mask, call->accum, type);
    if (info == GBL_SUCCESS && call->A != NULL)
        info = gb_check_shape(call->A, call->atransposed, call->I.n, call->J.n, name);
    return info;
}

/* -- in place */

/* The mask is sparse and every position in it is written: with the value, or with the values of A,
 * which is the mask itself. So `visited<frontier> = level` costs O(nvals(frontier)). */
static bool fits_in_place(const gb_Assign *call) {
    const gb_Matrix *C = call->C, *M = call->mask.M;
    const gb_Type *type = call->A != NULL ? call->A->type : call->xtype;
    if (M == NULL || call->mask.complement || call->mask.replace) return false;
    if (call->accum != NULL || C == M || !gb_is_vector(C) || !gb_is_dense(C)) return false;
    if (C->nvals == 0 || C->iso || !gb_type_is_real(C->type) || !gb_type_is_real(type))
        return false;
    if (!(gb_has(M) & GBL_HAS_CSC)) return false;
    if (call->A == NULL) return call->x != NULL;
    return call->mask.structural && call->A == M && C->type->code == type->code;
}

static gbl_Info write_in_place(const gb_Assign *call) {
    const gb_Mask *mask = &call->mask;
    gb_MaskView at = {0};
    uint64_t value; /* real types fit */
    const gbl_Info info =
        mask->structural ? gb_acquire(mask->M, GB_CSC, &at.view) : gb_mask_get(&at, mask, GB_CSC);
    if (info == GBL_SUCCESS && call->A == NULL)
        gb_cast(call->C->type, &value, call->xtype, call->x, 1, 1);
    if (info == GBL_SUCCESS)
        gb_dense_write_list(call->C, &at.view, call->A != NULL ? at.view.x : &value,
                            call->A == NULL || at.view.iso);
    gb_mask_release(&at);
    return info;
}

/* -- an object */
/* Whether a mask says where few entries are, of a vector that is dense. */
static bool is_listed(const gb_Assign *call, const gb_MapSource *source) {
    const gb_Mask *mask = &call->mask;
    if (mask->M == NULL || mask->complement || !source->is_dense || mask->M == call->A)
        return false;
    return mask->M->nvals < mask->M->nrows / GB_LISTED_BELOW;
}

/* x = the values at n indices, where the vector has them. */
static void take_values(void *x, const gb_DenseView *u, const gb_Idx *i, uint64_t n) {
    uint64_t at[GB_BATCH];
    for (uint64_t k = 0; k < n; k += GB_BATCH) {
        const size_t count = n - k < GB_BATCH ? n - k : GB_BATCH;
        for (size_t j = 0; j < count; j++) at[j] = i[k + j];
        gb_gather((char *)x + k * u->xsize, u->x, at, u->xsize, count);
    }
}

/* T = what the vector has inside the mask. */
static gbl_Info take_listed(const gb_Assign *call, const gb_DenseView *u, gb_Result *T) {
    gb_MaskView M;
    gb_Cs *cs = &T->cs;
    const size_t size = u->iso ? 0 : u->xsize;
    gbl_Info info = gb_mask_get(&M, &call->mask, GB_CSC);
    if (info != GBL_SUCCESS) return info;
    const uint64_t n = M.view.nvals;
    info = gb_cs_alloc(cs, 1, n, u->iso ? u->xsize : n * size); /* at most as many as u has */
    uint64_t kept = 0;
    for (uint64_t k = 0; info == GBL_SUCCESS && k < n; k++) {
        cs->i[kept] = M.view.i[k];
        kept += u->b == NULL || u->b[M.view.i[k]];
    }
    gb_mask_release(&M);
    if (info != GBL_SUCCESS) return info;
    cs->p[0] = 0;
    cs->p[1] = cs->nvals = kept;
    cs->iso = u->iso;
    if (u->iso)
        memcpy(cs->x, u->x, u->xsize);
    else
        take_values(cs->x, u, cs->i, kept);
    T->format = GB_CSC;
    T->masked = true;
    return GBL_SUCCESS;
}

/* w<w> = u, w sparse: where u has all its indices, only values of w change. is_listed holds, so the
 * mask is not complemented, and u is another vector, which writing w does not change. */
static bool keeps_pattern(const gb_Assign *call, const gb_DenseView *u) {
    const gb_Matrix *w = call->C;
    const gb_Cs *list = &w->cs[GB_CSC];
    if (call->mask.M != w || !call->mask.structural || call->accum != NULL) return false;
    if (!(gb_has(w) & GBL_HAS_CSC) || gb_is_lent(list->lender) || list->foreign) return false;
    if (w->iso || u->iso || w->type != call->A->type) return false;
    for (uint64_t k = 0; u->b != NULL && k < list->nvals; k++)
        if (!u->b[list->i[k]]) return false;
    return true;
}

static void write_values(const gb_Assign *call, const gb_DenseView *u) {
    gb_Matrix *w = call->C;
    const gb_Cs *list = &w->cs[GB_CSC];
    gb_matrix_keep_only(w, GBL_HAS_CSC);
    take_values(list->x, u, list->i, list->nvals);
    if (list->sorted) gb_matrix_set_ready(w, GB_CSC);
}

static gbl_Info copy_vector(const gb_Assign *call) {
    gb_Result T = {.type = call->A->type};
    gb_MapSource source;
    gbl_Info info = gb_map_source(&source, call->A, false);
    if (info != GBL_SUCCESS) return info;
    if (is_listed(call, &source)) {
        if (keeps_pattern(call, &source.dense)) {
            write_values(call, &source.dense);
            return GBL_SUCCESS;
        }
        info = take_listed(call, &source.dense, &T);
        return info == GBL_SUCCESS ? gb_finish(call->C, &call->mask, call->accum, &T) : info;
    }
    T.format = source.format;
    T.is_dense = source.is_dense;
    T.masked = call->A == call->mask.M && call->mask.structural && !call->mask.complement;
    if (source.is_dense) {
        info = gb_backend()->copy_dense(&source.dense, &T.dense, gb_nthreads());
    } else if (!source.is_empty) {
        info = gb_backend()->copy_cs(&source.cs, &T.cs, gb_nthreads());
    }
    return gb_finish_if(info, call->C, &call->mask, call->accum, &T);
}

/* C accum= A between full vectors: no copy of A is needed. */
static bool is_full_update(const gb_Assign *call) {
    const gb_Mask *mask = &call->mask;
    if (mask->M != NULL || mask->complement || call->accum == NULL) return false;
    return (gb_has(call->C) & gb_has(call->A) & GBL_HAS_FULL) != 0;
}

static gbl_Info assign_object(const gb_Assign *call) {
    const gb_Mask *mask = &call->mask;
    if (is_full_update(call)) {
        const gb_Ewise update = {.C = call->C,
                                 .mask = *mask,
                                 .op = call->accum,
                                 .A = call->C,
                                 .B = call->A,
                                 .unite = true};
        return gb_ewise_host(&update);
    }
    const bool plain = mask->M == NULL && !mask->complement && call->accum == NULL;
    if (plain && call->C == call->A) return gb_assemble(call->A);
    return copy_vector(call);
}

/* -- a value */
static gbl_Info new_value(void **x, size_t *bytes, const gb_Assign *call) {
    *bytes = call->xtype->size;
    *x = gb_malloc(*bytes);
    if (*x == NULL) return gb_fail_memory(*bytes);
    memcpy(*x, call->x, *bytes);
    return GBL_SUCCESS;
}

/* The pattern of a mask that is not complemented. */
static gbl_Info fill_mask(const gb_Assign *call, gb_Result *T) {
    const gb_Matrix *C = call->C;
    gb_MaskView M;
    const bool prefers_csc =
        gb_is_vector(C) || (gb_has(C) & GBL_HAS_CSC && !(gb_has(C) & GBL_HAS_CSR));
    gbl_Info info = gb_any_format(call->mask.M, prefers_csc ? GB_CSC : GB_CSR, &T->format);
    if (info != GBL_SUCCESS) return info;
    info = gb_mask_get(&M, &call->mask, T->format);
    if (info == GBL_SUCCESS) info = gb_backend()->copy_cs(&M.view, &T->cs, gb_nthreads());
    gb_mask_release(&M);
    if (info == GBL_SUCCESS) info = new_value(&T->cs.x, &T->cs.xcap, call);
    T->cs.iso = info == GBL_SUCCESS;
    T->masked = true;
    return info;
}

/* Every position of a vector, or those that the mask allows. */
static gbl_Info fill_vector(const gb_Assign *call, gb_Result *T) {
    gb_Dense *dense = &T->dense;
    const uint64_t n = call->C->nrows;
    gbl_Info info = GBL_SUCCESS;
    T->is_dense = true;
    T->masked = true;
    *dense = (gb_Dense){.n = n, .nvals = n, .iso = true};
    if (call->mask.M != NULL) {
        info = gb_mask_bytes(&dense->b, &call->mask, n);
        if (info != GBL_SUCCESS) return info;
        dense->nvals = 0;
        for (uint64_t k = 0; k < n; k++) dense->nvals += (uint64_t)dense->b[k];
    }
    return new_value(&dense->x, &dense->xcap, call);
}

/* Every position of a matrix; those that a complemented mask forbids are cut from them. */
static gbl_Info fill_matrix(const gb_Assign *call, gb_Result *T) {
    const uint64_t m = call->C->nrows, n = call->C->ncols;
    if (m == 0 || n == 0) return GBL_SUCCESS;
    if (!gb_may_be_dense(call->C)) return gb_fail_positions(call->C);
    T->is_dense = true;
    T->dense = (gb_Dense){.n = m * n, .nvals = m * n, .iso = true};
    return new_value(&T->dense.x, &T->dense.xcap, call);
}

static gbl_Info assign_value(const void *asked) {
    const gb_Assign *call = asked;
    const gb_Mask *mask = &call->mask;
    gb_Matrix *M = mask->M;
    gb_Result T = {.type = call->xtype, .format = gb_is_vector(call->C) ? GB_CSC : GB_CSR};
    gbl_Info info = GBL_SUCCESS;
    if (gb_assign_fills(call)) return gb_matrix_fill(call->C, call->xtype, call->x);
    if (call->x == NULL || gb_mask_allows_none(mask))
        return gb_finish(call->C, mask, call->accum, &T);
    const bool inside = M != NULL && !mask->complement;
    const bool has_list = M != NULL && (gb_has(M) & (GBL_HAS_CSR | GBL_HAS_CSC));
    if (inside && (has_list || !gb_is_vector(call->C)))
        info = fill_mask(call, &T);
    else if (gb_is_vector(call->C))
        info = fill_vector(call, &T);
    else
        info = fill_matrix(call, &T);
    return gb_finish_if(info, call->C, mask, call->accum, &T);
}

/* On the device a value goes where a mask has entries. */
static const char *refuse_value(const void *asked) {
    const gb_Assign *call = asked;
    const gb_Mask *mask = &call->mask;
    if (call->x == NULL) return "nothing is assigned";
    if (mask->M == NULL || mask->complement) return "a value goes to all positions but few";
    if (mask->M->nvals == 0) return "an operand has no entries";
    return gb_refuse_operator(GB_SECOND, call->xtype);
}

static gbl_Info value_device(const void *asked) {
    const gb_Assign *call = asked;
    const gb_Device *device = gb_device();
    const gb_Mask *mask = &call->mask;
    gb_Result T = {.type = call->xtype, .masked = true};
    gb_DeviceMap second = {.op = GB_SECOND, .type = call->xtype->code, .to = call->xtype->code};
    gb_DeviceCs *M, *entries = NULL, *made = NULL;
    gbl_Info info = gb_acquire_device(mask->M, GB_CSR, !mask->structural, &M);
    if (info != GBL_SUCCESS) return info;
    const gb_DeviceRowMask truths = {M, mask->M->type->code, mask->structural, true};
    memcpy(&second.bound, call->x, call->xtype->size);
    if (!mask->structural) info = device->filter(M, &truths, &entries);
    if (info == GBL_SUCCESS) info = device->apply(&second, mask->structural ? M : entries, &made);
    device->release(entries);
    device->unpin(M);
    if (info != GBL_SUCCESS) return info;
    gb_result_adopt(&T, call->C, made);
    return gb_finish(call->C, mask, call->accum, &T);
}

static gbl_Info assign_all(const void *context) {
    const gb_Assign *call = context;
    if (fits_in_place(call)) return write_in_place(call);
    return call->A != NULL ? assign_object(call) : assign_value(call);
}

/* -- vectors on the device */

static const char *refuse_vector(const void *context) {
    const gb_Assign *call = context;
    const gb_Mask *mask = &call->mask;
    if (gb_mask_allows_none(mask) || (call->A == NULL && call->x == NULL))
        return "nothing is written";
    if (call->A == NULL && !gb_type_is_real(call->xtype))
        return "values of this type have no kernels";
    const gb_Type *type =
        call->A != NULL ? call->A->type : call->C->type; /* the host casts a value */
    return gb_refuse_write(call->C, mask, call->accum, type);
}

static gbl_Info vector_device(const void *context) {
    const gb_Assign *call = context;
    uint64_t value; /* real types fit */
    gb_DeviceStore write = {
        .w = call->C, .mask = &call->mask, .accum = call->accum, .value = &value};
    if (call->A == NULL) {
        gb_cast(call->C->type, &value, call->xtype, call->x, 1, 1);
        return gb_write_device(&write);
    }
    const gbl_Info info = gb_acquire_device_vector(call->A, &write.T);
    return info == GBL_SUCCESS ? gb_write_device(&write) : info;
}

/* -- the descriptors */

#define GB_OP_OF_ASSIGN                                                                            \
    GB_OP("assign", gb_Assign), .A = GB_INPUT_TRANSPOSED(gb_Assign, A, atransposed, ROWS, COLS)

/* To all rows and columns: what may run on the device. */
static const gb_Op assign_vector = {GB_OP_OF_ASSIGN, .output_counts = true, .host = assign_all,
                                    .device = vector_device, .refuse = refuse_vector};
static const gb_Op assign_to_matrix = {GB_OP_OF_ASSIGN, .output_counts = true, .host = assign_all,
                                       .device = value_device, .refuse = refuse_value};

static gbl_Info assign_host(const void *asked) {
    const gb_Assign *call = asked;
    const bool vector = gb_is_vector(call->C);
    if (!call->I.all || !call->J.all) return gb_assign_at(call);
    return gb_execute(vector ? &assign_vector : &assign_to_matrix, call, NULL);
}

/* Through a mask that is to become the product of a note, or C accum= A. */
static gbl_Info defer(const void *asked, bool *deferred) {
    const gb_Assign *call = asked;
    gb_Matrix *const M = call->mask.M;
    if (M != NULL) {
        *deferred = gb_is_deferred(M) && gb_deferred_join(M, GB_FOLLOWS_ASSIGN, call);
        return GBL_SUCCESS;
    }
    const gb_ValueCall values = {.w = call->C, .x = call->C, .y = call->A, .binary = call->accum};
    *deferred = gb_may_defer_values(call->C, &call->mask) && call->A != NULL &&
                call->accum != NULL && !call->atransposed && call->I.all && call->J.all &&
                gb_values_defer(&values);
    return GBL_SUCCESS;
}

/* All of a matrix is a copy, which reads of A what the mask allows; see gb_op_transpose. */
static gbl_Info copy_matrix(const gb_Assign *call) {
    return gb_run_complete(&gb_op_assign_all, &(gb_Transpose){.C = call->C,
                                                              .mask = call->mask,
                                                              .accum = call->accum,
                                                              .A = call->A,
                                                              .transpose = call->atransposed});
}

static gbl_Info few(const gb_Op *op, const void *asked, bool *done) {
    const gb_Assign *call = asked;
    (void)op;
    *done = call->A != NULL && call->I.all && call->J.all && !gb_is_vector(call->C);
    return *done ? copy_matrix(call) : gb_assign_few(call, done);
}

const gb_Op gb_op_assign = {
    GB_OP_OF_ASSIGN, .check = check,           .defer = defer,     .full_iso = gb_assign_full_iso,
    .few = few,      .hyper = gb_assign_hyper, .host = assign_host};

gb_Assign gb_assign_to_all(gb_Matrix *C, const gb_Mask *mask, const gb_BinaryOp *accum) {
    return (gb_Assign){.C = C,
                       .mask = *mask,
                       .accum = accum,
                       .I = {.n = C->nrows, .all = true},
                       .J = {.n = C->ncols, .all = true}};
}

gbl_Info gb_write_value(gb_Matrix *C, const gb_Mask *mask, const gb_BinaryOp *accum,
                        const gb_Array *value) {
    gb_Assign call = gb_assign_to_all(C, mask, accum);
    call.xtype = value->type;
    call.x = value->x;
    return gb_run_now(&gb_op_assign, &call);
}

gbl_Info gb_write(gb_Matrix *C, const gb_Mask *mask, const gb_BinaryOp *accum, gb_Matrix *T) {
    gb_Assign call = gb_assign_to_all(C, mask, accum);
    call.A = T;
    if (gb_is_vector(C)) return gb_run_now(&gb_op_assign, &call);
    return gb_run_now(&gb_op_transpose,
                      &(gb_Transpose){.C = C, .mask = *mask, .accum = accum, .A = T});
}

gbl_Info gb_write_and_free(gb_Matrix *C, const gb_Mask *mask, const gb_BinaryOp *accum,
                           gb_Matrix *T, gbl_Info info) {
    const bool whole = mask->M == NULL && !mask->complement && accum == NULL;
    if (info == GBL_SUCCESS) info = gb_assemble(T);
    if (info == GBL_SUCCESS && whole && C->type == T->type && !gb_has_no_list(T) &&
        (!gb_is_vector(T) || gb_is_dense(T))) /* lists of vectors may have to become dense */
        gb_matrix_move(C, T);
    else if (info == GBL_SUCCESS)
        info = gb_write(C, mask, accum, T);
    gb_matrix_free(T);
    return info;
}
