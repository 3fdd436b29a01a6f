/* SPDX-License-Identifier: Apache-2.0
 *
 * See on_device.h.
 */
#include "ops/run_device.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "kernel_api/backend.h"
#include "kernel_api/device.h"
#include "core/clock.h"
#include "core/context.h"

static void tell(void *explanation, const void *block) {
    gbl_Explanation *why = explanation;
    const gb_PlacedNote *note = block;
    *why = (gbl_Explanation){.operation = note->operation,
                             .method = note->operation,
                             .workflow = "none",
                             .isa = note->there ? "cuda" : gb_backend()->name,
                             .place = note->there ? "gpu" : "cpu",
                             .reason = "it has one method at a place",
                             .chosen = -1,
                             .nvals = note->nvals,
                             .seconds_kernel = note->seconds,
                             .bytes_to_device = note->bytes_up,
                             .bytes_from_device = note->bytes_down,
                             .seconds_transfer = note->seconds_moving};
    memcpy(why->place_reason, note->reason, sizeof note->reason);
}

/* One line to stderr, and one write, so that threads do not mix theirs. */
static void trace(const gb_PlacedNote *note) {
    const char *place = note->there ? "gpu" : "cpu";
    char line[512], reason[sizeof note->reason];
    memcpy(reason, note->reason, sizeof reason);
    for (char *c = reason; *c != '\0'; c++)
        if (*c == '"' || *c == '\\' || (unsigned char)*c < ' ') *c = '\'';
    if (gb_tracing() == GB_TRACE_JSON)
        snprintf(line, sizeof line,
                 "{\"operation\":\"%s\",\"place\":\"%s\",\"place_reason\":\"%s\",\"nvals\":%" PRIu64
                 ",\"bytes_to_device\":%" PRIu64 ",\"bytes_from_device\":%" PRIu64
                 ",\"seconds\":%.9g}\n",
                 note->operation, place, reason, note->nvals, note->bytes_up, note->bytes_down,
                 note->seconds);
    else
        snprintf(line, sizeof line,
                 "%s on the %s: %s; %" PRIu64 " entries, %" PRIu64 " bytes there, %" PRIu64
                 " bytes back, %.3g s\n",
                 note->operation, place, reason, note->nvals, note->bytes_up, note->bytes_down,
                 note->seconds);
    fputs(line, stderr);
}

static bool is_only_there(const gb_Placed *o) {
    for (int k = 0; k < GB_PLACED_MOST; k++)
        if (o->in[k] != NULL && gb_has(o->in[k]) == GBL_HAS_DEVICE) return true;
    return false;
}

static bool has_entries(const gb_Placed *o) {
    for (int k = 0; k < GB_PLACED_MOST; k++)
        if (o->in[k] != NULL && o->in[k]->nvals > 0) return true;
    return false;
}

/* Why the GPU is wanted, or NULL. A wrong GBLITE_PLACE is for products to tell. */
static const char *why_there(const gb_Placed *o) {
    int place;
    bool asked;
    if (gb_blocking() || !has_entries(o)) return NULL;
    if (is_only_there(o)) return "the content is on the GPU and nowhere else";
    if (gb_place_wanted(&place, &asked) != GBL_SUCCESS) {
        gb_error_begin();
        return NULL;
    }
    return place == GBL_PLACE_GPU ? "the GPU was asked for" : NULL;
}

/* Why not, where it was asked for all the same; else NULL. */
static const char *why_not_there(const gb_Placed *o) {
    int place;
    bool asked;
    if (!gb_blocking() && has_entries(o)) return NULL;
    if (gb_place_wanted(&place, &asked) != GBL_SUCCESS) {
        gb_error_begin();
        return NULL;
    }
    if (place != GBL_PLACE_GPU) return NULL;
    return gb_blocking() ? "blocking calls leave nothing on the GPU" : "no operand has entries";
}

static gbl_Info assemble_all(const gb_Placed *o) {
    gbl_Info info = GBL_SUCCESS;
    for (int k = 0; k < GB_PLACED_MOST && info == GBL_SUCCESS; k++)
        if (o->in[k] != NULL) info = gb_assemble(o->in[k]);
    return info;
}

static bool is_hyper(const gb_Placed *o) {
    bool any = gb_is_hyper(o->C);
    for (int k = 0; k < GB_PLACED_MOST; k++)
        any = any || (o->in[k] != NULL && gb_is_hyper(o->in[k]));
    return any;
}

/* Whether the device can do it; else note->reason says why not. */
static bool can_run(const gb_Placed *o, gb_PlacedNote *note) {
    const char *refusal = NULL;
    if (is_hyper(o))
        refusal = "hypersparse objects have no kernels";
    else if (gb_device()->open() != GBL_SUCCESS)
        refusal = gbl_last_error();
    else
        refusal = o->refuse(o->call);
    if (refusal != NULL) snprintf(note->reason, sizeof note->reason, "%.90s", refusal);
    return refusal == NULL;
}

/* The host does what the device has no room for, or no kernel. Other errors are the call's. */
static gbl_Info run_wanted(const gb_Placed *o, gb_PlacedNote *note) {
    note->there = can_run(o, note);
    if (note->there) {
        const gbl_Info info = o->there(o->call);
        if (info != GBL_OUT_OF_MEMORY) return info;
        note->there = false;
        snprintf(note->reason, sizeof note->reason, "%.90s", gbl_last_error());
    }
    gb_error_begin(); /* what failed there is not this call's error */
    return o->here(o->call);
}

static void measure(gb_PlacedNote *note, const gb_DeviceFacts *before,
                    const gb_DeviceFacts *after) {
    note->bytes_up = after->bytes_up - before->bytes_up;
    note->bytes_down = after->bytes_down - before->bytes_down;
    note->seconds_moving = after->seconds_moving - before->seconds_moving;
}

gbl_Info gb_run_placed(const gb_Placed *o) {
    gb_DeviceFacts before, after;
    gbl_Info info = assemble_all(o);
    const char *wanted = info == GBL_SUCCESS ? why_there(o) : NULL;
    if (info != GBL_SUCCESS) return info;
    if (wanted == NULL) {
        const char *why_not = o->told != NULL ? why_not_there(o) : NULL;
        if (why_not != NULL) snprintf(o->told->reason, sizeof o->told->reason, "%s", why_not);
        return o->here(o->call);
    }
    gb_PlacedNote *note = gb_malloc(sizeof *note);
    if (note == NULL) return gb_fail_memory(sizeof *note);
    *note = (gb_PlacedNote){.operation = o->name};
    snprintf(note->reason, sizeof note->reason, "%s", wanted);
    gb_device()->facts(&before);
    const double start = gb_seconds();
    info = run_wanted(o, note);
    note->seconds = gb_seconds() - start;
    gb_device()->facts(&after);
    measure(note, &before, &after);
    note->nvals = o->C->nvals;
    if (o->told != NULL)
        *o->told = *note;
    else if (info == GBL_SUCCESS && gb_tracing() != GB_TRACE_OFF)
        trace(note);
    if (info == GBL_SUCCESS && o->told == NULL)
        gb_matrix_set_note(o->C, (gb_Note){note, sizeof *note, tell});
    else
        gb_free(note, sizeof *note);
    return info;
}

/* -- operands */

/* Values that are there, or can be, are cast there. */
static gbl_Info cast_there(gb_DeviceOperand *operand, gb_Matrix *A, gb_Format format,
                           const gb_Type *type) {
    const gb_Device *device = gb_device();
    gb_DeviceCs *own;
    gbl_Info info = gb_acquire_device_operand(A, format, &own);
    if (info != GBL_SUCCESS) return info;
    info = device->cast_copy(own, A->type->code, type->code, &operand->copy);
    device->unpin(own);
    operand->owned = info == GBL_SUCCESS;
    return info;
}

/* Of matrices alone. */
static gbl_Info cast_here(gb_DeviceOperand *operand, gb_Matrix *A, gb_Format format,
                          const gb_Type *type) {
    gb_Operand host;
    gb_CsView sorted;
    gbl_Info info = gb_acquire_sorted(A, format, &sorted);
    if (info == GBL_SUCCESS) info = gb_operand_get(&host, A, format, type);
    if (info != GBL_SUCCESS) return info;
    info = gb_device()->upload(&host.view, &operand->copy);
    operand->owned = info == GBL_SUCCESS;
    gb_operand_release(&host);
    return info;
}

gbl_Info gb_device_operand(gb_DeviceOperand *operand, gb_Matrix *A, gb_Format format,
                           const gb_Type *type) {
    const bool casts = type != NULL && type->code != A->type->code;
    *operand = (gb_DeviceOperand){0};
    if (type == NULL) return gb_acquire_device(A, format, false, &operand->copy);
    if (!casts) return gb_acquire_device_operand(A, format, &operand->copy);
    if (gb_device()->casts(A->type->code, type->code)) {
        const gbl_Info info = cast_there(operand, A, format, type);
        if (info != GBL_OUT_OF_MEMORY || gb_is_vector(A)) return info;
        gb_error_begin(); /* there is no room for A's own values beside the others */
    }
    return cast_here(operand, A, format, type);
}

void gb_device_operand_release(const gb_DeviceOperand *operand) {
    if (operand->owned)
        gb_device()->release(operand->copy);
    else if (operand->copy != NULL)
        gb_device()->unpin(operand->copy);
}

/* -- results */

void gb_result_adopt(gb_Result *T, const gb_Matrix *C, gb_DeviceCs *made) {
    const bool is_vector = gb_is_vector(C);
    T->format = is_vector ? GB_CSC : GB_CSR;
    T->device_nvals = gb_device()->nvals(made);
    if (T->device_nvals > 0) {
        T->device = made;
    } else {
        gb_device()->release(made);
        T->cs = (gb_Cs){.nmajor = is_vector ? 1 : C->nrows, .sorted = true};
    }
}

const char *gb_refuse_operand(const gb_Matrix *A) {
    if (A->nvals == 0) return "an operand has no entries";
    return A->type->code == GBL_UDT_CODE ? "types of the user have no kernels" : NULL;
}

const char *gb_refuse_cast(const gb_Matrix *A, const gb_Type *type) {
    if (!gb_is_vector(A) || A->type->code == type->code) return NULL;
    return gb_device()->casts(A->type->code, type->code)
               ? NULL
               : "values of the vector's type are not cast there";
}

const char *gb_refuse_operator(int op, const gb_Type *type) {
    if (op == GB_USER) return "operators of the user have no kernel";
    if (gb_device()->has_operator != NULL && gb_device()->has_operator(op, type->code)) return NULL;
    return "the operator has no kernel for this type";
}
