/* SPDX-License-Identifier: Apache-2.0
 *
 * See op.h. Small calls take a few hundred nanoseconds, so gb_run allocates no memory and reads
 * each operand once before the operation does.
 */
#include "ops/op.h"

#include <inttypes.h>
#include <stdio.h>

#include "core/clock.h"
#include "ops/deferred.h"
#include "ops/entry_list.h"

/* -- operands */

void gb_read_operands(gb_Matrix *X[GB_OPERANDS], const gb_Op *op, const void *call) {
    const char *bytes = call;
    X[GB_OF_C] = *(gb_Matrix *const *)call;
    X[GB_OF_M] = op->mask != 0 ? ((const gb_Mask *)(const void *)(bytes + op->mask))->M : NULL;
    X[GB_OF_A] = op->A.at != 0 ? *(gb_Matrix *const *)(const void *)(bytes + op->A.at) : NULL;
    X[GB_OF_B] = op->B.at != 0 ? *(gb_Matrix *const *)(const void *)(bytes + op->B.at) : NULL;
}

bool gb_may_defer_values(const gb_Matrix *C, const gb_Mask *mask) {
    return mask->M == NULL && !mask->complement &&
           (C->nvals >= GB_VALUES_LEAST || gb_is_deferred(C)) && !gb_blocking();
}

bool gb_is_few(gb_Matrix *X) {
    uint64_t nvals;
    if (X != NULL && gb_is_full_iso_only(X)) return false;
    if (X == NULL || (gb_is_hyper(X) && gb_assemble(X) != GBL_SUCCESS)) return true;
    if (gb_is_hyper(X) || gb_matrix_count(X, &nvals) != GBL_SUCCESS) return true;
    return nvals <= GB_HYPER_LEAST / GB_HYPER_FEW || nvals <= X->nrows / GB_HYPER_FEW ||
           nvals <= X->ncols / GB_HYPER_FEW;
}

bool gb_any_hyper(gb_Matrix *C, gb_Matrix *M, gb_Matrix *A, gb_Matrix *B) {
    gb_Matrix *const X[GB_OPERANDS] = {C, M, A, B};
    const uint64_t longest = GB_HYPER_LEAST;
    bool hyper = false, few = true;
    for (int k = 0; k < GB_OPERANDS; k++) {
        if (X[k] == NULL) continue;
        if (gb_is_huge(X[k])) return true;
        hyper = hyper || gb_is_hyper(X[k]);
    }
    if (C != NULL && C->nrows <= longest && C->ncols <= longest && !hyper) return false;
    for (int k = 0; k < GB_OPERANDS && few; k++) few = gb_is_few(X[k]);
    if (!few || hyper) return few;
    return C != NULL && C->nvals == 0 && gb_begins_hyper(C, A, B);
}

bool gb_wants_gpu(void) {
    int place;
    bool asked;
    if (gb_place_wanted(&place, &asked) == GBL_SUCCESS) return place == GBL_PLACE_GPU;
    gb_error_begin();
    return false;
}

/* Whether a matrix has far more entries than are gathered of it where the mask M has some: of lists
 * about M's, of dense arrays all elements of M's rows and columns. */
static bool outweighs(const gb_Matrix *X, const gb_Matrix *M) {
    const uint64_t n = M->nvals;
    return X != NULL && !gb_is_vector(X) &&
           X->nvals / GB_FEW_EDITS > (gb_only_dense(X) ? n * n : n) + M->nrows;
}

/* Of a product with a vector: updates wait of a matrix that is read by rows. */
static bool rows_wait(const gb_Op *op, const char *call, gb_Matrix *const X[GB_OPERANDS]) {
    const bool left = X[GB_OF_A] != NULL && !gb_is_vector(X[GB_OF_A]);
    const gb_OpInput *const in = left ? &op->A : &op->B;
    const gb_Matrix *const A = X[left ? GB_OF_A : GB_OF_B];
    return A != NULL && !gb_is_assembled(A) && *(const bool *)(call + in->transposed) == !left;
}

/* The mask leaves so little that the rest of large operands need not be read. Products with vectors
 * read what a mask of few entries leaves without row lists, unless updates of its rows wait. */
static bool mask_limits(const gb_Op *op, const void *call, gb_Matrix *const X[GB_OPERANDS]) {
    gb_Matrix *const M = X[GB_OF_M], *const A = X[GB_OF_A], *const B = X[GB_OF_B];
    const bool folds = (op->meets & GB_MEETS(INNER)) == 0;
    if (M == NULL || gb_is_hyper(M)) return M != NULL;
    if (!gb_is_vector(M) && op->meets != 0) return false;
    if (gb_wants_gpu() || !gb_is_few(M)) return false;
    if (!gb_is_vector(M)) /* an intersection of dense ones has kernels for that */
        return !gb_is_dense(M) && (outweighs(A, M) || outweighs(B, M));
    const bool rows = A != NULL && !gb_is_vector(A);
    return (folds || rows_wait(op, call, X)) &&
           M->nvals <= M->nrows / (rows ? GB_FEW_EDITS : GB_HYPER_FEW) &&
           (M->nrows >= GB_HYPER_LEAST || (A != NULL && A->nvals >= GB_HYPER_LEAST));
}

gbl_Info gb_run(const gb_Op *op, const void *call) {
    bool deferred = false;
    gbl_Info info = op->check != NULL ? op->check(call) : GBL_SUCCESS;
    if (info == GBL_SUCCESS && gb_call_stops()) info = gb_call_end();
    if (info == GBL_SUCCESS && op->defer != NULL) info = op->defer(call, &deferred);
    return info != GBL_SUCCESS || deferred ? info : gb_run_now(op, call);
}

/* C may be written once it is complete, and the others read. */
gbl_Info gb_run_now(const gb_Op *op, const void *call) {
    gb_Matrix *X[GB_OPERANDS];
    gbl_Info info = GBL_SUCCESS;
    bool full_iso = false;
    gb_read_operands(X, op, call);
    for (int k = 0; k < GB_OPERANDS; k++) {
        if (X[k] == NULL) continue;
        info = gb_complete(X[k], k == GB_OF_C ? GB_WANTS_OUTPUT : GB_WANTS_INPUT);
        if (info != GBL_SUCCESS) return info;
        full_iso = full_iso || gb_is_full_iso(X[k]);
    }
    gb_Matrix *const C = X[GB_OF_C]; /* NULL: a scalar */
    const gb_Lock before = C != NULL ? gb_begin_writing(C) : (gb_Lock){0};
    info = full_iso ? gb_run_full_iso(op, call) : gb_run_complete(op, call);
    if (C != NULL) gb_end_writing(C, before);
    return info;
}

gbl_Info gb_run_complete(const gb_Op *op, const void *call) {
    gb_Matrix *X[GB_OPERANDS];
    bool done = false;
    gbl_Info info = op->few != NULL ? op->few(op, call, &done) : GBL_SUCCESS;
    if (info != GBL_SUCCESS || done) return info;
    gb_read_operands(X, op, call);
    if (gb_any_hyper(X[GB_OF_C], X[GB_OF_M], X[GB_OF_A], X[GB_OF_B]))
        return op->hyper != NULL ? op->hyper(call) : gb_run_compact(op, call);
    bool stays;
    const bool by_mask = op->follows && mask_limits(op, call, X);
    const bool limited = by_mask || (X[GB_OF_A] != NULL && gb_is_hyper(X[GB_OF_A])) ||
                         (X[GB_OF_B] != NULL && gb_is_hyper(X[GB_OF_B]));
    if (op->follows && limited && gb_follows_few(op, call, by_mask, &stays)) {
        if (!stays) return op->hyper != NULL ? op->hyper(call) : gb_run_compact(op, call);
        info = gb_run_beside(op, call, &done);
        if (info != GBL_SUCCESS || done) return info;
    }
    return gb_execute(op, call, NULL);
}

/* -- the device */

static void explain(void *explanation, const void *block) {
    gbl_Explanation *why = explanation;
    const gb_DeviceReport *report = block;
    *why = (gbl_Explanation){.operation = report->operation,
                             .method = report->operation,
                             .workflow = "none",
                             .isa = report->on_device ? "cuda" : gb_backend()->name,
                             .place = report->on_device ? "gpu" : "cpu",
                             .reason = "it has one method at a place",
                             .chosen = -1,
                             .nvals = report->nvals,
                             .seconds_kernel = report->seconds,
                             .bytes_to_device = report->bytes_up,
                             .bytes_from_device = report->bytes_down,
                             .seconds_transfer = report->seconds_moving};
    memcpy(why->place_reason, report->reason, sizeof report->reason);
}

void gb_explain_operation(gb_Matrix *C, const gb_Op *op) {
    gb_DeviceReport *report = gb_malloc(sizeof *report);
    if (report == NULL) return; /* the call was made all the same */
    *report = (gb_DeviceReport){.operation = op->name, .nvals = C->nvals};
    gb_matrix_set_note(C, (gb_Note){report, sizeof *report, explain});
}

/* One line to stderr, and one write, so that threads do not mix theirs. */
static void trace(const gb_DeviceReport *report) {
    const char *place = report->on_device ? "gpu" : "cpu";
    char line[512], reason[sizeof report->reason];
    memcpy(reason, report->reason, sizeof reason);
    for (char *c = reason; *c != '\0'; c++)
        if (*c == '"' || *c == '\\' || (unsigned char)*c < ' ') *c = '\'';
    if (gb_tracing() == GB_TRACE_JSON)
        snprintf(line, sizeof line,
                 "{\"operation\":\"%s\",\"place\":\"%s\",\"place_reason\":\"%s\",\"nvals\":%" PRIu64
                 ",\"bytes_to_device\":%" PRIu64 ",\"bytes_from_device\":%" PRIu64
                 ",\"seconds\":%.9g}\n",
                 report->operation, place, reason, report->nvals, report->bytes_up,
                 report->bytes_down, report->seconds);
    else
        snprintf(line, sizeof line,
                 "%s on the %s: %s; %" PRIu64 " entries, %" PRIu64 " bytes there, %" PRIu64
                 " bytes back, %.3g s\n",
                 report->operation, place, reason, report->nvals, report->bytes_up,
                 report->bytes_down, report->seconds);
    fputs(line, stderr);
}

/* Why the call wants the GPU, or NULL; *refused, unless refused is NULL, then says why it cannot,
 * despite a request. The content of operands from `first` on decides. Products report a wrong
 * GBLITE_PLACE. */
static const char *why_device(gb_OperandOf first, gb_Matrix *const X[GB_OPERANDS],
                              const char **refused) {
    int place;
    bool asked, entries = false, only_device = false;
    const bool blocking = gb_blocking();
    for (gb_OperandOf k = first; k < GB_OPERANDS; k++) {
        if (X[k] == NULL) continue;
        entries = entries || X[k]->nvals > 0;
        only_device = only_device || gb_has(X[k]) == GBL_HAS_DEVICE;
    }
    const bool may_run = !blocking && entries;
    if (may_run && only_device) return "the content is on the GPU and nowhere else";
    if (!may_run && refused == NULL) return NULL;
    if (gb_place_wanted(&place, &asked) != GBL_SUCCESS) {
        gb_error_begin();
        return NULL;
    }
    if (place != GBL_PLACE_GPU) return NULL;
    if (may_run) return "the GPU was asked for";
    *refused = blocking ? "blocking calls leave nothing on the GPU" : "no operand has entries";
    return NULL;
}

/* Whether the device can do it; else report->reason says why not. */
static bool can_run(const gb_Op *op, const void *call, gb_Matrix *const X[GB_OPERANDS],
                    gb_DeviceReport *report) {
    const char *refusal = NULL;
    bool hyper = false;
    for (int k = 0; k < GB_OPERANDS; k++) hyper = hyper || (X[k] != NULL && gb_is_hyper(X[k]));
    if (hyper)
        refusal = "hypersparse objects have no kernels";
    else if (gb_device()->open() != GBL_SUCCESS)
        refusal = gbl_last_error();
    else
        refusal = op->refuse(call);
    if (refusal != NULL) snprintf(report->reason, sizeof report->reason, "%.90s", refusal);
    return refusal == NULL;
}

/* The host does what the device has no memory for, or no kernel. Other errors are the call's. */
static gbl_Info run_wanted(const gb_Op *op, const void *call, gb_Matrix *const X[GB_OPERANDS],
                           gb_DeviceReport *report) {
    report->on_device = can_run(op, call, X, report);
    if (report->on_device) {
        const gbl_Info info = op->device(call);
        if (info != GBL_OUT_OF_MEMORY) return info;
        report->on_device = false;
        snprintf(report->reason, sizeof report->reason, "%.90s", gbl_last_error());
    }
    gb_error_begin(); /* what failed on the device is not this call's error */
    return op->host(call);
}

static gbl_Info run_measured(const gb_Op *op, const void *call, gb_Matrix *const X[GB_OPERANDS],
                             gb_DeviceReport *report) {
    gb_DeviceFacts before, after;
    gb_device()->facts(&before);
    const double start = gb_seconds();
    const gbl_Info info = run_wanted(op, call, X, report);
    report->seconds = gb_seconds() - start;
    gb_device()->facts(&after);
    report->bytes_up = after.bytes_up - before.bytes_up;
    report->bytes_down = after.bytes_down - before.bytes_down;
    report->seconds_moving = after.seconds_moving - before.seconds_moving;
    report->nvals = X[GB_OF_C]->nvals;
    return info;
}

/* The report becomes C's explanation. */
static gbl_Info run_reported(const gb_Op *op, const void *call, gb_Matrix *const X[GB_OPERANDS],
                             const char *wanted) {
    gb_DeviceReport *report = gb_malloc(sizeof *report);
    if (report == NULL) return gb_fail_memory(sizeof *report);
    *report = (gb_DeviceReport){.operation = op->name};
    snprintf(report->reason, sizeof report->reason, "%s", wanted);
    const gbl_Info info = run_measured(op, call, X, report);
    if (info == GBL_SUCCESS && gb_tracing() != GB_TRACE_OFF) trace(report);
    if (info == GBL_SUCCESS)
        gb_matrix_set_note(X[GB_OF_C], (gb_Note){report, sizeof *report, explain});
    else
        gb_free(report, sizeof *report);
    return info;
}

gbl_Info gb_execute(const gb_Op *op, const void *call, gb_DeviceReport *report) {
    gb_Matrix *X[GB_OPERANDS];
    const char *refused = NULL;
    gb_read_operands(X, op, call);
    const gbl_Info owned = X[GB_OF_C] != NULL ? gb_matrix_own_dense(X[GB_OF_C]) : GBL_SUCCESS;
    if (owned != GBL_SUCCESS) return owned;
    if (op->device == NULL) return op->host(call);
    const gb_OperandOf first = op->output_counts ? GB_OF_C : GB_OF_M;
    for (gb_OperandOf k = first; k < GB_OPERANDS; k++) {
        const gbl_Info info = X[k] != NULL ? gb_assemble(X[k]) : GBL_SUCCESS;
        if (info != GBL_SUCCESS) return info;
    }
    const char *wanted = why_device(first, X, report != NULL ? &refused : NULL);
    if (report == NULL) return wanted != NULL ? run_reported(op, call, X, wanted) : op->host(call);
    const char *reason = wanted != NULL ? wanted : refused;
    *report = (gb_DeviceReport){.operation = op->name};
    if (reason != NULL) snprintf(report->reason, sizeof report->reason, "%s", reason);
    return wanted != NULL ? run_measured(op, call, X, report) : op->host(call);
}

/* -- checks */

gbl_Info gb_check_shape(const gb_Matrix *A, bool transposed, uint64_t nrows, uint64_t ncols,
                        const char *name) {
    const uint64_t m = transposed ? A->ncols : A->nrows;
    const uint64_t n = transposed ? A->nrows : A->ncols;
    if (m == nrows && n == ncols) return GBL_SUCCESS;
    if (gb_is_vector(A))
        return gb_fail(GBL_DIMENSION_MISMATCH, "%s has %llu elements, but must have %llu", name,
                       (unsigned long long)m, (unsigned long long)nrows);
    return gb_fail(GBL_DIMENSION_MISMATCH, "%s%s is %llu x %llu, but must be %llu x %llu", name,
                   transposed ? " (transposed)" : "", (unsigned long long)m, (unsigned long long)n,
                   (unsigned long long)nrows, (unsigned long long)ncols);
}

gbl_Info gb_check_per_row(const gb_Matrix *w, const gb_Matrix *A, bool transposed) {
    return transposed ? gb_check_length("w", w->nrows, A->ncols, "one per column of A")
                      : gb_check_length("w", w->nrows, A->nrows, "one per row of A");
}

const char *gb_type_text(const gb_Type *type, char *space) {
    static const char *const names[] = {"",       "BOOL",  "INT8",   "UINT8", "INT16",
                                        "UINT16", "INT32", "UINT32", "INT64", "UINT64",
                                        "FP32",   "FP64",  "FC32",   "FC64"};
    if (type->code == GBL_UDT_CODE) {
        snprintf(space, GB_TYPE_TEXT, "a user type of %zu bytes", type->size);
        return space;
    }
    return names[type->code];
}

gbl_Info gb_check_cast(const gb_Type *to, const gb_Type *from, const char *what) {
    if (to == from || gb_type_castable(to, from)) return GBL_SUCCESS;
    char space[2][GB_TYPE_TEXT];
    return gb_fail(GBL_DOMAIN_MISMATCH,
                   "cannot cast %s: the value is %s, wanted is %s; user types fit only themselves",
                   what, gb_type_text(from, space[0]), gb_type_text(to, space[1]));
}

static gbl_Info check_mask(const gb_Matrix *C, const gb_Mask *mask) {
    const gbl_Info info = gb_check_shape(mask->M, false, C->nrows, C->ncols, "the mask");
    if (info != GBL_SUCCESS || mask->structural || mask->M->type->code != GBL_UDT_CODE) return info;
    return gb_fail(GBL_DOMAIN_MISMATCH,
                   "the mask has a user type, whose values are neither true nor false; use a "
                   "structural mask (GBL_STRUCTURE)");
}

gbl_Info gb_check_output(const gb_Matrix *C, const gb_Mask *mask, const gb_BinaryOp *accum,
                         const gb_Type *type) {
    gbl_Info info = mask->M != NULL ? check_mask(C, mask) : GBL_SUCCESS;
    if (info == GBL_SUCCESS) info = gb_check_cast(C->type, type, "the result into the output");
    if (info != GBL_SUCCESS || accum == NULL) return info;
    if (gb_binary_is_positional(accum))
        return gb_fail(GBL_DOMAIN_MISMATCH,
                       "accum is an operator by position; those are for semirings only");
    info = gb_check_cast(accum->xtype, C->type, "the output into accum's first argument");
    if (info == GBL_SUCCESS)
        info = gb_check_cast(accum->ytype, type, "the result into accum's second argument");
    if (info == GBL_SUCCESS)
        info = gb_check_cast(C->type, accum->ztype, "accum's result into the output");
    return info;
}

gbl_Info gb_check_indices(const gb_Matrix *v, const char *name) {
    const gbl_Type_Code code = v->type->code;
    char space[GB_TYPE_TEXT];
    if (code >= GBL_INT8_CODE && code <= GBL_UINT64_CODE) return GBL_SUCCESS;
    return gb_fail(GBL_DOMAIN_MISMATCH,
                   "%s has values of type %s, but they are indices: an integer type is needed",
                   name, gb_type_text(v->type, space));
}

gbl_Info gb_check_holds(const gb_Matrix *v, const char *name, const gb_Type *fit) {
    const bool is_signed = (v->type->code - GBL_INT8_CODE) % 2 == 0; /* INT8, UINT8, INT16 ... */
    const size_t bits = 8 * v->type->size - is_signed;
    const uint64_t last = v->nrows > 0 ? v->nrows - 1 : 0;
    char space[2][GB_TYPE_TEXT];
    if (bits >= 63 || last >> bits == 0) return GBL_SUCCESS;
    return gb_fail(GBL_DOMAIN_MISMATCH,
                   "%s gets indices up to %llu, which its type %s does not hold: take %s", name,
                   (unsigned long long)last, gb_type_text(v->type, space[0]),
                   gb_type_text(fit, space[1]));
}

gbl_Info gb_fail_index(const char *name, uint64_t k, uint64_t index, uint64_t limit) {
    return gb_fail(GBL_INDEX_OUT_OF_BOUNDS,
                   "%s(%llu) is %lld, but must be at least 0 and below %llu", name,
                   (unsigned long long)k, (long long)index, (unsigned long long)limit);
}

gbl_Info gb_indices_check(const gb_Indices *indices, uint64_t dimension, const char *name) {
    if (indices->all || indices->n == 0) return GBL_SUCCESS;
    if (indices->i == NULL)
        return gb_fail(GBL_NULL_POINTER,
                       "%s is NULL; pass GBL_ALL for all indices, or a list of them", name);
    for (uint64_t k = 0; k < indices->n; k++)
        if (indices->i[k] >= dimension)
            return gb_fail(GBL_INDEX_OUT_OF_BOUNDS,
                           "%s[%llu] is %llu, but must be below the dimension, %llu", name,
                           (unsigned long long)k, (unsigned long long)indices->i[k],
                           (unsigned long long)dimension);
    return GBL_SUCCESS;
}

gbl_Info gb_check_length(const char *name, uint64_t length, uint64_t wanted, const char *reason) {
    if (length == wanted) return GBL_SUCCESS;
    return gb_fail(GBL_DIMENSION_MISMATCH, "%s has %llu elements, but must have %llu, %s", name,
                   (unsigned long long)length, (unsigned long long)wanted, reason);
}
