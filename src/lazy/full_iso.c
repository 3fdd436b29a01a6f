/* SPDX-License-Identifier: Apache-2.0
 *
 * Products with a full iso matrix F, at whose every position the value f is: all rows of F * B are
 * the same one, all columns of A * F, and all values of F * u. That line is a product with a vector
 * of f, O(entries of the other factor), and C gets copies of it. It is summed in the order of other
 * products, so the bits are theirs. What requests a method is left to that.
 */
#include "lazy/operations.h"
#include "ops/operations.h"
#include "semiring/cast.h"

static bool is_plain(const gb_Choices *c, const gb_Semiring *ring) {
    return c->method == GBL_DEFAULT && c->workflow == GBL_DEFAULT && c->place == GBL_DEFAULT &&
           !gb_is_approximate(c) && !gb_binary_is_positional(ring->multiply) && !gb_wants_gpu();
}

/* -- F * u and u * F --------------------------------------------------------------------------- */

enum { MEMBERS = 5, ALIGNED = 16 }; /* of the space below, which gb_fold_repeat needs two of */

/* z, the first member of the space, = the sum of f times each entry, one after the other. */
static gbl_Info sum_products(char *space, size_t member, const gb_MxvCall *call,
                             const gb_CsView *u) {
    const gb_BinaryOp *op = call->ring->multiply, *add = call->ring->add->op;
    char *z = space, *f = z + member, *product = f + member, *sum = product + member;
    const bool left = call->u_is_left;
    gb_cast(left ? op->ytype : op->xtype, f, call->A->type, call->A->dense.x, 1, 1);
    op->scalar(z, left ? u->x : f, left ? f : u->x);
    if (u->iso && add->code != GB_ANY) {
        memcpy(product, z, add->ztype->size);
        gb_fold_repeat(add, z, product, u->nvals - 1, sum);
    }
    if (u->iso || add->code == GB_ANY) return GBL_SUCCESS;
    for (gb_Off k = 1; k < u->nvals; k++) {
        const void *x = (const char *)u->x + k * u->xsize;
        op->scalar(product, left ? x : f, left ? f : x);
        add->scalar(sum, z, product);
        memcpy(z, sum, add->ztype->size);
        if (k % GB_GRAIN == 0 && gb_call_stops()) break;
    }
    return gb_call_end();
}

static gbl_Info multiply_by(const gb_MxvCall *call) {
    const gb_BinaryOp *op = call->ring->multiply;
    const gb_Type *utype = call->u_is_left ? op->xtype : op->ytype;
    gb_Matrix *const u = call->u->hyper != NULL ? call->u->hyper->core : call->u;
    const size_t all = op->ztype->size + op->xtype->size + op->ytype->size; /* bounds each */
    const size_t member = (all + ALIGNED - 1) / ALIGNED * ALIGNED, bytes = MEMBERS * member;
    gb_Operand values = {0};
    gb_Array z = {.type = op->ztype, .n = 1};
    if (u->nvals == 0) return gb_write_value(call->w, &call->mask, call->accum, &z);
    char *space = gb_malloc(bytes);
    gbl_Info info = space != NULL ? GBL_SUCCESS : gb_fail_memory(bytes);
    if (info == GBL_SUCCESS && gb_is_full_iso(u)) { /* of any length */
        values.view = (gb_CsView){.nvals = u->nvals, .x = space + 4 * member, .iso = true};
        gb_cast(utype, space + 4 * member, u->type, u->dense.x, 1, 1);
    } else if (info == GBL_SUCCESS) {
        info = gb_operand_get_sorted(&values, u, GB_CSC, utype);
    }
    if (info == GBL_SUCCESS) info = sum_products(space, member, call, &values.view);
    gb_operand_release(&values);
    z.x = space;
    if (info == GBL_SUCCESS) info = gb_write_value(call->w, &call->mask, call->accum, &z);
    gb_free(space, bytes);
    return info;
}

gbl_Info gb_mxv_full_iso(const gb_Op *op, const void *asked, bool *done) {
    const gb_MxvCall *call = asked;
    if (!gb_is_full_iso(call->A) || gb_positions(call->A) < GB_FULL_ISO_LEAST ||
        call->fused != NULL || call->best != NULL || !is_plain(&call->choices, call->ring))
        return GBL_SUCCESS;
    gbl_Info info = gb_mxv_check(call);
    if (info == GBL_SUCCESS) info = gb_assemble(call->u);
    *done = info == GBL_SUCCESS;
    if (info == GBL_SUCCESS) info = multiply_by(call);
    if (info == GBL_SUCCESS) gb_explain_operation(call->w, op);
    return info;
}

/* -- F * B and A * F --------------------------------------------------------------------------- */

/* The row of f's times B, or A times their column. */
static gbl_Info make_line(gb_Matrix **line, const gb_MxmCall *call, bool left) {
    gb_Matrix *const F = left ? call->A : call->B, *const other = left ? call->B : call->A;
    const bool turned = left ? call->transpose_b : call->transpose_a;
    gb_MxvCall product = {.ring = call->ring, .A = other, .transpose = turned, .u_is_left = left};
    const gb_Format along = left != turned ? GB_CSC : GB_CSR;
    gbl_Info info = gb_matrix_new(&product.w, GB_MAGIC_VECTOR, call->ring->add->op->ztype,
                                  gb_nmajor(other, along), 1);
    if (info == GBL_SUCCESS)
        info = gb_matrix_new(&product.u, GB_MAGIC_VECTOR, F->type, gb_nminor(other, along), 1);
    if (info == GBL_SUCCESS) info = gb_matrix_fill(product.u, F->type, F->dense.x);
    if (info == GBL_SUCCESS) info = gb_run_now(left ? &gb_op_vxm : &gb_op_mxv, &product);
    if (info == GBL_SUCCESS) info = gb_assemble(product.w);
    gb_matrix_free(product.u);
    *line = product.w;
    return info;
}

typedef struct {
    gb_CsView line; /* of all positions, where there is no i */
    bool rows;      /* the line is a row of C */
    uint64_t copies;
    gb_Off *p;
    gb_Idx *i;
    char *x;
} Copying;

/* Lines of lists and rows of dense arrays are copied; where these have columns, values are. */
static void copy_range(void *context, uint64_t from, uint64_t to) {
    const Copying *c = context;
    const uint64_t n = c->line.nvals;
    const size_t size = c->line.xsize;
    const char *const x = c->line.x;
    for (uint64_t k = from; k < to; k++) {
        if (c->i == NULL && !c->rows) {
            gb_fill(c->x + k * c->copies * size, x + k * size, size, c->copies);
            continue;
        }
        if (c->i != NULL) c->p[k] = k * n;
        if (c->i != NULL) memcpy(c->i + k * n, c->line.i, n * sizeof *c->i);
        if (!c->line.iso) memcpy(c->x + k * n * size, x, n * size);
    }
}

/* C<M> accum= copies of the line. */
static gbl_Info write_copies(const gb_MxmCall *call, bool left, const gb_CsView *line,
                             const gb_Type *type) {
    gb_Matrix *const C = call->C;
    Copying c = {.line = *line, .rows = left, .copies = left ? C->nrows : C->ncols};
    gb_Result T = {.type = type, .format = left ? GB_CSR : GB_CSC};
    uint64_t total;
    size_t bytes;
    if (__builtin_mul_overflow(line->nvals, c.copies, &total) ||
        !gb_size_mul(&bytes, line->iso ? 1 : total, type->size))
        return gb_fail_memory(SIZE_MAX);
    T.is_dense = total == gb_positions(C) && gb_may_be_dense(C);
    gbl_Info info = T.is_dense ? gb_dense_alloc(&T.dense, total, bytes, false)
                               : gb_cs_alloc(&T.cs, c.copies, total, bytes);
    if (info != GBL_SUCCESS) return info;
    c.p = T.cs.p;
    c.i = T.cs.i;
    c.x = T.is_dense ? T.dense.x : T.cs.x;
    T.dense.nvals = total;
    T.cs.sorted = true;
    T.cs.iso = line->iso;
    if (line->iso) memcpy(c.x, line->x, type->size);
    if (!T.is_dense) c.p[c.copies] = T.cs.nvals = total;
    info = gb_parallel_try_ranges(gb_threads_for(total, GB_GRAIN, gb_nthreads()),
                                  T.is_dense && !left ? line->nvals : c.copies, copy_range, &c);
    return gb_finish_if(info, C, &call->mask, call->accum, &T);
}

static gb_BinaryOp *pick_side(const gb_Type *type, bool first) {
#define GB_CASE(N, T)                                                                              \
    case GBL_##N##_CODE:                                                                           \
        return first ? GB_BINARY(FIRST, N) : GB_BINARY(SECOND, N);
    switch (type->code) {
        GBL_FOREACH_TYPE(GB_CASE)
        GBL_FOREACH_COMPLEX(GB_CASE)
    default:
        return NULL;
    }
#undef GB_CASE
}

/* The mask allows few positions: its pattern times the line as a diagonal. */
static gbl_Info multiply_mask(const gb_MxmCall *call, bool left, gb_Matrix *line) {
    gb_Matrix *D = NULL;
    gb_Semiring *ring = gb_semiring_make(call->ring->add, pick_side(line->type, !left));
    if (ring == NULL) return GBL_OUT_OF_MEMORY;
    gbl_Info info = gb_matrix_diag(&D, line, 0);
    if (info == GBL_SUCCESS)
        info = gb_run_now(&gb_op_mxm, &(gb_MxmCall){.C = call->C,
                                                    .mask = call->mask,
                                                    .accum = call->accum,
                                                    .ring = ring,
                                                    .A = left ? call->mask.M : D,
                                                    .B = left ? D : call->mask.M});
    gb_matrix_free(D);
    gb_release(ring);
    return info;
}

/* Whether the mask allows so few positions, and its values are numbers. */
static gbl_Info is_narrow(bool *narrow, const gb_MxmCall *call) {
    const gbl_Info info = gb_mask_is_narrow(narrow, &call->mask, call->C);
    *narrow = *narrow && call->mask.M->type->code != GBL_UDT_CODE &&
              call->ring->add->op->ztype->code != GBL_UDT_CODE;
    return info;
}

gbl_Info gb_mxm_full_iso(const gb_Op *op, const void *asked, bool *done) {
    const gb_MxmCall *call = asked;
    const bool left = gb_is_full_iso(call->A);
    gb_Matrix *const F = left ? call->A : call->B, *line = NULL;
    gb_CsView view = {0};
    bool narrow;
    if (!gb_is_full_iso(F) || gb_positions(F) < GB_FULL_ISO_LEAST || call->filter != NULL ||
        call->fold != NULL || !is_plain(&call->choices, call->ring))
        return GBL_SUCCESS;
    gbl_Info info = gb_mxm_check(call);
    if (info == GBL_SUCCESS) info = is_narrow(&narrow, call);
    if (info != GBL_SUCCESS || (gb_is_huge(call->C) && !narrow)) return info;
    *done = true;
    info = make_line(&line, call, left);
    if (info == GBL_SUCCESS && (line->nvals == 0 || gb_is_full_iso(line))) {
        const gb_Array one = {.type = line->type, .x = line->nvals > 0 ? line->dense.x : NULL};
        info = gb_write_value(call->C, &call->mask, call->accum, &one);
    } else if (info == GBL_SUCCESS && narrow) {
        info = multiply_mask(call, left, line);
    } else if (info == GBL_SUCCESS) {
        info = gb_acquire_sorted(line, GB_CSC, &view);
        if (info == GBL_SUCCESS) info = write_copies(call, left, &view, line->type);
    }
    gb_matrix_free(line);
    if (info == GBL_SUCCESS) gb_explain_operation(call->C, op);
    return info;
}
