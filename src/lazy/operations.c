/* SPDX-License-Identifier: Apache-2.0
 *
 * See operations.h. A hypersparse product whose multiplication works by position runs with FIRST or
 * SECOND instead, of a factor whose values are its true indices: compact matrices do not know them.
 */
#include "lazy/operations.h"

#include "ops/operations.h"

/* -- multiplication by position */

typedef struct {
    gb_Matrix *factor; /* stands for the left factor, or the right one */
    bool is_left;
    gb_Matrix *located; /* the other one, where a function sees positions and values */
    gb_Semiring *ring;
} IndexFactor;

static void release_factor(IndexFactor *by) {
    gb_matrix_free(by->factor);
    gb_matrix_free(by->located);
    if (by->ring != NULL) gb_release(by->ring);
}

/* The factor is a matrix of INT32 or INT64 with the pattern of X and, as values, indices of its
 * rows (or columns). To be released also after a failure. */
static gbl_Info new_factor(IndexFactor *by, const gb_Semiring *ring, gb_Matrix *X, bool of_rows) {
    gb_Type *const type = ring->multiply->ztype;
    const bool is_long = type->code == GBL_INT64_CODE;
    const int64_t from = ring->multiply->code >= GB_FIRSTI1;
    const int32_t narrow = (int32_t)from;
    const void *const bound = is_long ? (const void *)&from : &narrow;
    gb_BinaryOp *const first = is_long ? GB_BINARY(FIRST, INT64) : GB_BINARY(FIRST, INT32);
    gb_BinaryOp *const second = is_long ? GB_BINARY(SECOND, INT64) : GB_BINARY(SECOND, INT32);
    const gb_IndexUnaryOp *index = is_long   ? of_rows ? GBL_ROWINDEX_INT64 : GBL_COLINDEX_INT64
                                   : of_rows ? GBL_ROWINDEX_INT32
                                             : GBL_COLINDEX_INT32;
    gbl_Info info = gb_matrix_new(&by->factor, X->magic, type, X->nrows, X->ncols);
    if (info != GBL_SUCCESS) return info;
    info =
        gb_run_now(&gb_op_apply,
                   &(gb_Apply){.C = by->factor, .A = X, .map = {.index = index, .bound = bound}});
    if (info != GBL_SUCCESS) return info;
    by->ring = gb_semiring_make(ring->add, by->is_left ? first : second);
    return by->ring != NULL ? GBL_SUCCESS : GBL_OUT_OF_MEMORY;
}

/* Of the user's function: both factors get values that bring their positions. */
static gbl_Info locate_factors(IndexFactor *by, const gb_Semiring **ring, gb_Matrix **A,
                               bool *a_turned, gb_Matrix **B, bool *b_turned) {
    const gbl_Info info = gb_locate_factors(&by->ring, *ring, A, a_turned, B, b_turned);
    if (info != GBL_SUCCESS) return info;
    by->factor = *A;
    by->located = *B;
    *ring = by->ring;
    return GBL_SUCCESS;
}

static gb_Opcode code_from_0(gb_Opcode code) {
    return code >= GB_FIRSTI1 && code <= GB_SECONDJ1 ? code - GB_FROM_1 : code;
}
static gbl_Info replace_factor(IndexFactor *by, gb_MxmCall *call) {
    if (!gb_binary_is_index(call->ring->multiply))
        return locate_factors(by, &call->ring, &call->A, &call->transpose_a, &call->B,
                              &call->transpose_b);
    const gb_Opcode code = code_from_0(call->ring->multiply->code);
    by->is_left = code == GB_FIRSTI || code == GB_FIRSTJ;
    const bool of_rows = code == GB_FIRSTI || code == GB_SECONDI;
    gb_Matrix **const factor = by->is_left ? &call->A : &call->B;
    const gbl_Info info = new_factor(
        by, call->ring, *factor, of_rows != (by->is_left ? call->transpose_a : call->transpose_b));
    *factor = by->factor;
    call->ring = by->ring;
    return info;
}

/* The vector's position is the inner index, which the matrix has too. */
static gbl_Info replace_matrix(IndexFactor *by, gb_MxvCall *call) {
    bool in_row = call->u_is_left;
    if (!gb_binary_is_index(call->ring->multiply))
        return in_row
                   ? locate_factors(by, &call->ring, &call->u, &in_row, &call->A, &call->transpose)
                   : locate_factors(by, &call->ring, &call->A, &call->transpose, &call->u, &in_row);
    const gb_Opcode code = code_from_0(call->ring->multiply->code);
    const bool inner = code == GB_FIRSTJ || code == GB_SECONDI;
    by->is_left = !call->u_is_left;
    const bool of_rows = inner == call->u_is_left;
    const gbl_Info info = new_factor(by, call->ring, call->A, of_rows != call->transpose);
    call->A = by->factor;
    call->ring = by->ring;
    return info;
}

/* -- products of matrices */

static gb_ReportedShape shape_of(const gb_MxmCall *call) {
    return (gb_ReportedShape){gb_nmajor(call->A, gb_rows_of_a(call)),
                              gb_nminor(call->A, gb_rows_of_a(call)),
                              gb_nminor(call->B, gb_rows_of_b(call))};
}

/* On compact matrices a filter sees true indices, and explanations report true shapes. */
static gbl_Info run_core(const gb_HyperCall *hyper, void *core) {
    gb_MxmCall *call = core;
    const gb_ReportedShape shape = shape_of(hyper->call);
    const gb_RowFilter *filter = call->filter;
    gb_PositionOp op;
    gb_RowFilter own;
    call->told = &shape;
    if (filter != NULL && filter->op != NULL && gb_sees_positions(filter->op)) {
        op = gb_position_op(filter->op, hyper->list[GB_DIM_ROWS], hyper->list[GB_DIM_COLS]);
        own = *filter;
        own.op = &op.op;
        call->filter = &own;
    }
    return hyper->op->host(core);
}

/* Of a call that begins with a gb_MxmCall; what follows it is the descriptor's. */
static gbl_Info multiply_compact(const gb_Op *op, gb_MxmCall *call) {
    IndexFactor by = {0};
    gbl_Info info = GBL_SUCCESS;
    if (gb_binary_is_positional(call->ring->multiply)) info = replace_factor(&by, call);
    if (info == GBL_SUCCESS) info = gb_run_compact(op, call);
    release_factor(&by);
    return info;
}

static gbl_Info host_mxm(const void *call) {
    return gb_mxm(call);
}

static gbl_Info hyper_mxm(const void *asked) {
    gb_MxmCall call = *(const gb_MxmCall *)asked;
    const gbl_Info info = gb_mxm_check(&call);
    return info == GBL_SUCCESS ? multiply_compact(&gb_op_mxm, &call) : info;
}

/* Whether deferring the product may pay; cheap, and false for small products. */
static bool may_pay(const gb_MxmCall *call) {
    const gb_Matrix *M = call->mask.M;
    return M != NULL && !call->mask.complement && call->accum == NULL && !gb_blocking() &&
           gb_is_assembled(M) && M->nvals >= GB_DEFER_LEAST && !gb_is_full_iso(M) &&
           !gb_is_full_iso(call->A) && !gb_is_full_iso(call->B);
}

static gbl_Info defer_mxm(const void *asked, bool *deferred) {
    const gb_MxmCall *call = asked;
    gb_Matrix *const M = call->mask.M, *const A = call->A, *const B = call->B;
    if (M == NULL || gb_blocking()) return GBL_SUCCESS;
    gbl_Info info = gb_complete(M, GB_WANTS_INPUT);
    if (info == GBL_SUCCESS) info = gb_complete(A, GB_WANTS_INPUT);
    if (info == GBL_SUCCESS) info = gb_complete(B, GB_WANTS_INPUT);
    if (info != GBL_SUCCESS || !may_pay(call) || gb_any_hyper(call->C, M, A, B)) return info;
    return gb_mxm_defer(call, deferred);
}

/* A method that was requested may work inside masks only. */
static bool needs_mask(const void *asked) {
    return ((const gb_MxmCall *)asked)->choices.method != GBL_DEFAULT;
}

#define GB_OP_OF_MXM(CALL)                                                                         \
    .bytes = sizeof(CALL), .mask = offsetof(gb_MxmCall, mask),                                     \
    .accum = offsetof(gb_MxmCall, accum),                                                          \
    .A = GB_INPUT_TRANSPOSED(gb_MxmCall, A, transpose_a, ROWS, INNER),                             \
    .B = GB_INPUT_TRANSPOSED(gb_MxmCall, B, transpose_b, INNER, COLS), .compact = run_core

const gb_Op gb_op_mxm = {.name = "mxm",
                         GB_OP_OF_MXM(gb_MxmCall),
                         .follows = true,
                         .meets = GB_MEETS(INNER),
                         .defer = defer_mxm,
                         .full_iso = gb_mxm_full_iso,
                         .needs_mask = needs_mask,
                         .hyper = hyper_mxm,
                         .host = host_mxm};

static gbl_Info hyper_reduce(const void *asked) {
    gb_MxmReduceCall call = *(const gb_MxmReduceCall *)asked;
    gb_MxmCall whole = call.mxm; /* for the checks: the product as if it were stored */
    const gb_ReportedShape shape = shape_of(&whole);
    gbl_Info info = gb_matrix_new(&whole.C, GB_MAGIC_MATRIX, whole.ring->add->op->ztype,
                                  shape.nrows, shape.ncols);
    if (info == GBL_SUCCESS) info = gb_mxm_check(&whole);
    gb_matrix_free(whole.C);
    return info == GBL_SUCCESS ? multiply_compact(&gb_op_mxm_reduce, &call.mxm) : info;
}

const gb_Op gb_op_mxm_reduce = {.name = "mxm_reduce",
                                GB_OP_OF_MXM(gb_MxmReduceCall),
                                .hyper = hyper_reduce,
                                .host = gb_mxm_reduce};

static gbl_Info hyper_plan(const void *asked) {
    const gb_MxmPlanCall *call = asked;
    gb_HyperCall hyper;
    gbl_Info info = gb_mxm_check(&call->mxm);
    if (info != GBL_SUCCESS) return info;
    _Alignas(max_align_t) char core[sizeof *call];
    gb_hyper_begin(&hyper, &gb_op_mxm_plan, call);
    info = gb_hyper_open(&hyper);
    gb_hyper_core_call(&hyper, core);
    if (info == GBL_SUCCESS) info = run_core(&hyper, core);
    hyper.operand[GB_OF_C].object = NULL; /* nothing was written */
    return gb_hyper_close(&hyper, info);
}

const gb_Op gb_op_mxm_plan = {
    .name = "mxm_plan", GB_OP_OF_MXM(gb_MxmPlanCall), .hyper = hyper_plan, .host = gb_mxm_plan};

static gbl_Info hyper_estimate(const void *asked) {
    const gb_MxmEstimateCall *call = asked;
    const gb_ReportedShape shape = shape_of(&call->mxm);
    gbl_Info info = gb_check_inner(&call->mxm);
    if (info == GBL_SUCCESS) info = gb_run_compact(&gb_op_mxm_estimate, call);
    call->estimate->nrows = shape.nrows;
    call->estimate->ncols = shape.ncols;
    return info;
}

const gb_Op gb_op_mxm_estimate = {.name = "mxm_estimate",
                                  GB_OP_OF_MXM(gb_MxmEstimateCall),
                                  .hyper = hyper_estimate,
                                  .host = gb_mxm_estimate};

/* -- products with vectors */

static gbl_Info run_core_of_vector(const gb_HyperCall *hyper, void *core) {
    gb_MxvCall *call = core;
    const gb_MxvCall *whole = hyper->call;
    const uint64_t n = whole->w->nrows, inner = whole->u->nrows;
    const gb_ReportedShape shape = {whole->u_is_left ? 1 : n, inner, whole->u_is_left ? n : 1};
    call->told = &shape;
    return gb_mxv(call);
}

/* `best` is the output of the dispatch, and `changed`, which is w, is built separately. */
static gbl_Info update_compact(const gb_MxvCall *call, const gb_Op *op) {
    gb_Matrix *fresh = NULL;
    gb_HyperCall hyper;
    gb_MxvCall core;
    gb_hyper_begin(&hyper, op, call);
    gb_hyper_operand(&hyper, GB_OF_C, call->best, GB_DIM_ROWS, GB_DIM_COLS);
    hyper.keeps = true;
    gbl_Info info = gb_hyper_open(&hyper);
    if (info == GBL_SUCCESS) info = gb_changes_new(&fresh, call->w, &hyper);
    if (info == GBL_SUCCESS) {
        gb_hyper_core_call(&hyper, &core);
        core.best = core.w;
        core.w = fresh->hyper->core;
        info = run_core_of_vector(&hyper, &core);
    }
    return gb_changes_end(&hyper, call->w, fresh, info);
}

/* The multiplication looks at indices; that of the vector's one row or column is 0, as in its
 * compact form. */
static bool sees_indices(const gb_MxvCall *call) {
    const gb_BinaryOp *multiply = call->ring->multiply;
    return gb_binary_is_positional(multiply) &&
           code_from_0(multiply->code) != (call->u_is_left ? GB_FIRSTI : GB_SECONDJ);
}

static gbl_Info hyper_mxv(const void *asked) {
    gb_MxvCall call = *(const gb_MxvCall *)asked;
    const gb_Op *op = call.u_is_left ? &gb_op_vxm : &gb_op_mxv;
    if (!gb_any_huge(call.w, call.mask.M, call.A, call.u)) {
        const gbl_Info assembled = gb_assemble(call.u);
        if (assembled != GBL_SUCCESS) return assembled;
        if (call.best != NULL || (gb_is_filled(call.u) && sees_indices(&call)))
            return gb_mxv(&call);
    }
    IndexFactor by = {0};
    gbl_Info info = gb_mxv_check(&call);
    if (info == GBL_SUCCESS && sees_indices(&call)) info = replace_matrix(&by, &call);
    if (info == GBL_SUCCESS)
        info = call.best != NULL ? update_compact(&call, op) : gb_run_compact(op, &call);
    release_factor(&by);
    return info;
}

/* An array over u would be far longer than A, which is ordinary. */
static gbl_Info host_mxv(const void *asked) {
    const gb_MxvCall *call = asked;
    gb_Matrix *const A = call->A, *const u = call->u;
    const uint64_t shorter = A->nrows < A->ncols ? A->nrows : A->ncols, most = u->nrows / GB_FEW;
    uint64_t n = 0;
    const bool thin = most > shorter && !call->best && !call->fused && !gb_is_dense(u);
    const gbl_Info info = thin ? gb_matrix_nvals(A, &n) : GBL_SUCCESS;
    if (info != GBL_SUCCESS) return info;
    return thin && most > n + shorter ? hyper_mxv(call) : gb_mxv(call);
}

/* Whether deferring a product with a vector may pay; cheap. */
static bool may_fuse(const gb_MxvCall *call) {
    const gb_Mask *mask = &call->mask;
    return mask->replace && mask->complement && mask->structural && mask->M != NULL &&
           call->accum == NULL && !gb_blocking() && gb_has(mask->M) == GBL_HAS_BITMAP &&
           __atomic_load_n(&mask->M->unjoined, __ATOMIC_RELAXED) < GB_FUSED_IN_VAIN;
}

/* u is complete, and so is what reads it, else the product could not be part of a record. */
static gbl_Info defer_mxv(const void *asked, bool *deferred) {
    const gb_MxvCall *call = asked;
    gb_Matrix *const m = call->mask.M;
    gbl_Info info = gb_complete(call->w, GB_WANTS_OUTPUT);
    if (info == GBL_SUCCESS && m != NULL) info = gb_complete(m, GB_WANTS_INPUT);
    if (info == GBL_SUCCESS) info = gb_complete(call->A, GB_WANTS_INPUT);
    if (info == GBL_SUCCESS) info = gb_complete(call->u, GB_WANTS_IDLE);
    if (info != GBL_SUCCESS || !may_fuse(call)) return info;
    return gb_any_hyper(call->w, m, call->A, call->u) ? info : gb_fused_defer(call, deferred);
}

#define GB_OP_OF_MXV                                                                               \
    .bytes = sizeof(gb_MxvCall), .mask = offsetof(gb_MxvCall, mask),                               \
    .accum = offsetof(gb_MxvCall, accum), .full_iso = gb_mxv_full_iso, .hyper = hyper_mxv,         \
    .compact = run_core_of_vector, .host = host_mxv, .follows = true, .meets = GB_MEETS(INNER)
#define GB_LEFT_VECTOR                                                                             \
    .A = GB_INPUT(gb_MxvCall, u, INNER, ONE),                                                      \
    .B = GB_INPUT_TRANSPOSED(gb_MxvCall, A, transpose, INNER, ROWS)

const gb_Op gb_op_mxv = {.name = "mxv",
                         GB_OP_OF_MXV,
                         .A = GB_INPUT_TRANSPOSED(gb_MxvCall, A, transpose, ROWS, INNER),
                         .B = GB_INPUT(gb_MxvCall, u, INNER, ONE),
                         .defer = defer_mxv};
const gb_Op gb_op_vxm = {.name = "vxm", GB_OP_OF_MXV, GB_LEFT_VECTOR, .defer = defer_mxv};
const gb_Op gb_op_vxm_update = {.name = "vxm_update", GB_OP_OF_MXV, GB_LEFT_VECTOR};

/* -- products of many factors: the dimensions of a chain are the rows of the first factor, the
 * inner dimension of each factor and the next one, and the columns of the last. Along each the row
 * lists of its two factors are united, and the ordinary chain runs on compact factors. */

/* Factor f lies on list[f] and list[f + 1]. */
typedef struct {
    gb_RowList *list[GB_CHAIN_MOST + 1];
    gb_Compact A[GB_CHAIN_MOST];
    uint64_t shape[GB_CHAIN_MOST + 1]; /* factor f is shape[f] x shape[f + 1] */
    gb_ChainCall core;                 /* the call on compact matrices */
} Factors;

static bool is_hyper_chain(const gb_ChainCall *call, bool huge_only) {
    gb_Matrix *const M = call->mask.M;
    if (huge_only ? gb_any_huge(call->C, M, NULL, NULL)
                  : gb_any_hyper(call->C, M, call->A[0], call->A[call->count - 1]))
        return true;
    for (int f = 0; f < call->count; f++)
        if (huge_only ? gb_is_huge(call->A[f]) : gb_is_hyper(call->A[f])) return true;
    return false;
}

static void release_factors(Factors *factors) {
    for (int f = 0; f < GB_CHAIN_MOST; f++) gb_compact_release(&factors->A[f]);
    for (int f = 0; f <= GB_CHAIN_MOST; f++) gb_row_list_release(factors->list[f]);
    gb_free(factors, sizeof *factors);
}

static gbl_Info unite_lists(Factors *factors, const gb_ChainCall *call) {
    gb_RowList *before = NULL; /* that of the factor before, along the dimension */
    gbl_Info info = GBL_SUCCESS;
    for (int f = 0; f <= call->count && info == GBL_SUCCESS; f++) {
        gb_RowLists held = {0};
        if (f < call->count) info = gb_assemble(call->A[f]);
        if (f < call->count && info == GBL_SUCCESS) info = gb_row_lists_of(&held, call->A[f]);
        const bool turned = f < call->count && gb_chain_transposed(call, f);
        gb_RowList *const mine = turned ? held.cols : held.rows;
        if (f < call->count) {
            factors->shape[f] = gb_nmajor(call->A[f], turned ? GB_CSC : GB_CSR);
            factors->shape[f + 1] = gb_nminor(call->A[f], turned ? GB_CSC : GB_CSR);
        }
        if (info == GBL_SUCCESS)
            info = gb_row_list_unite(&factors->list[f], (gb_RowList *[]){before, mine}, 2);
        gb_row_list_release(before);
        before = gb_row_list_retain(turned ? held.rows : held.cols);
        gb_row_lists_release(&held);
    }
    gb_row_list_release(before);
    return info;
}

static gbl_Info compact_factors(Factors *factors, const gb_ChainCall *call) {
    gbl_Info info = GBL_SUCCESS;
    for (int f = 0; f < call->count && info == GBL_SUCCESS; f++) {
        const bool turned = gb_chain_transposed(call, f);
        const gb_RowLists lists = {factors->list[turned ? f + 1 : f],
                                   factors->list[turned ? f : f + 1]};
        info = gb_compact_get(&factors->A[f], call->A[f], &lists, false);
        factors->core.A[f] = factors->A[f].m;
    }
    return info;
}

/* Makes the row lists; release them also after a failure, unless it is NULL. */
static gbl_Info open_factors(Factors **opened, const gb_ChainCall *call) {
    Factors *factors = gb_calloc(sizeof *factors);
    *opened = factors;
    if (factors == NULL) return gb_fail_memory(sizeof *factors);
    factors->core = *call;
    factors->core.told = factors->shape;
    return unite_lists(factors, call);
}

static void replace_list(gb_RowList **list, gb_RowList *with) {
    gb_row_list_release(*list);
    *list = gb_row_list_retain(with);
}

/* Unites the outer row lists with those of C and its mask. */
static gbl_Info multiply_factors(Factors *factors, const gb_ChainCall *call) {
    gb_HyperCall hyper;
    gb_hyper_begin(&hyper, &gb_op_chain, call);
    hyper.more[GB_DIM_ROWS] = factors->list[0];
    hyper.more[GB_DIM_COLS] = factors->list[call->count];
    gbl_Info info = gb_hyper_open(&hyper);
    if (info == GBL_SUCCESS) {
        replace_list(&factors->list[0], hyper.list[GB_DIM_ROWS]);
        replace_list(&factors->list[call->count], hyper.list[GB_DIM_COLS]);
        factors->core.C = gb_core(&hyper, GB_OF_C);
        factors->core.mask.M = gb_core(&hyper, GB_OF_M);
        info = compact_factors(factors, call);
    }
    if (info == GBL_SUCCESS) info = gb_mxm_chain(&factors->core);
    return gb_hyper_close(&hyper, info);
}

/* Multiplications by position see true indices: product by product, from left to right. */
static gbl_Info multiply_by_position(const gb_ChainCall *call) {
    gb_Matrix *left = NULL;
    gbl_Info info = GBL_SUCCESS;
    for (int f = 1; f < call->count && info == GBL_SUCCESS; f++) {
        const bool last = f == call->count - 1, first = f == 1;
        gb_Matrix *C = call->C;
        if (!last)
            info = gb_matrix_new(&C, GB_MAGIC_MATRIX, call->ring->add->op->ztype, call->C->nrows,
                                 call->A[f]->ncols);
        if (info == GBL_SUCCESS)
            info = gb_run_now(&gb_op_mxm,
                              &(gb_MxmCall){.C = C,
                                            .mask = last ? call->mask : (gb_Mask){.M = NULL},
                                            .accum = last ? call->accum : NULL,
                                            .ring = call->ring,
                                            .A = first ? call->A[0] : left,
                                            .B = call->A[f],
                                            .transpose_a = first && call->transpose_first,
                                            .transpose_b = last && call->transpose_last,
                                            .choices = call->choices});
        gb_matrix_free(left);
        left = last ? NULL : C;
    }
    gb_matrix_free(left);
    return info;
}

static gbl_Info run_chain(const void *asked) {
    const gb_ChainCall *call = asked;
    Factors *factors;
    if (!is_hyper_chain(call, false)) return gb_mxm_chain(call);
    gbl_Info info = gb_chain_check(call);
    if (info != GBL_SUCCESS) return info;
    if (gb_binary_is_positional(call->ring->multiply))
        return is_hyper_chain(call, true) ? multiply_by_position(call) : gb_mxm_chain(call);
    info = open_factors(&factors, call);
    if (info == GBL_SUCCESS) info = multiply_factors(factors, call);
    if (factors != NULL) release_factors(factors);
    return info;
}

const gb_Op gb_op_chain = {GB_OP("mxm_chain", gb_ChainCall), .hyper = run_chain, .host = run_chain};

gbl_Info gb_chain_plan(gbl_ChainPlan *plan, const gb_ChainCall *call) {
    Factors *factors;
    if (!is_hyper_chain(call, false)) return gb_mxm_chain_plan(plan, call);
    gbl_Info info = gb_chain_check(call);
    if (info != GBL_SUCCESS) return info;
    info = open_factors(&factors, call);
    if (info == GBL_SUCCESS) info = compact_factors(factors, call);
    if (info == GBL_SUCCESS) info = gb_mxm_chain_plan(plan, &factors->core);
    if (factors != NULL) release_factors(factors);
    return info;
}
