/* SPDX-License-Identifier: Apache-2.0
 *
 * Where a product runs: on the host, or on the device when that is asked for or predicted to be
 * faster, what must be moved there and back included. A place that is asked for and not possible is
 * an error that says why.
 */
#include "mxm/mxm.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/context.h"
#include "mxm/machine/cost_table.h"
#include "semiring/ids.h"

/* GBL_PLACE_DEFAULT: nobody says. */
static gbl_Info find_setting(int *setting, const gb_MxmCall *call) {
    static const struct {
        const char *name;
        int value;
    } names[] = {{"cpu", GBL_PLACE_CPU}, {"gpu", GBL_PLACE_GPU}, {"auto", GBL_PLACE_AUTO}};
    *setting = gb_place();
    if (*setting != GBL_PLACE_DEFAULT) return GBL_SUCCESS;
    const char *wanted = getenv("GBLITE_PLACE");
    if (wanted == NULL || *wanted == '\0') return GBL_SUCCESS;
    for (size_t k = 0; k < sizeof names / sizeof names[0]; k++) {
        if (strcmp(wanted, names[k].name) != 0) continue;
        *setting = names[k].value;
        return GBL_SUCCESS;
    }
    return gb_fail(GBL_INVALID_VALUE, call->C,
                   "GBLITE_PLACE is '%.20s'; it must be cpu, gpu or auto", wanted);
}

/* Why the device has no kernel for this call; NULL when it has. */
static const char *no_kernel(const gb_MxmCall *call) {
    if (call->ring->kernel == GB_RING_GENERIC)
        return "the GPU has no kernel for this semiring, only for those of semiring/foreach.h";
    if (call->choices.method != GBL_DEFAULT && call->choices.method != GBL_METHOD_ROWWISE)
        return "the GPU has no kernel for the method asked for, only for rowwise";
    return NULL;
}

static double bytes_of(const gb_Matrix *A, gb_Format format) {
    return (double)A->nvals * (double)(A->type->size + sizeof(gb_Idx)) +
           (double)gb_nmajor(A, format) * sizeof(gb_Off);
}

/* For the host: factors that are nowhere but on the device. */
static double bytes_to_fetch(const gb_MxmCall *call) {
    double bytes = 0.0;
    if (gb_has(call->A) == GBL_HAS_DEVICE) bytes += bytes_of(call->A, GB_CSR);
    if (gb_has(call->B) == GBL_HAS_DEVICE && call->B != call->A) bytes += bytes_of(call->B, GB_CSR);
    return bytes;
}

/* For the device: factors that are not there yet, and the result. */
static double bytes_to_move(const gb_MxmCall *call, double products) {
    gb_Matrix *factor[] = {call->A, call->B};
    const double out = (double)(call->ring->add->op->ztype->size + sizeof(gb_Idx));
    const double cells = (double)call->C->nrows * (double)call->C->ncols;
    double bytes = out * (products < cells ? products : cells);
    for (int f = 0; f < 2; f++) {
        const bool turned = f == 0 ? call->transpose_a : call->transpose_b;
        const gb_Format format = turned ? GB_CSC : GB_CSR;
        if (!gb_on_device(factor[f], format)) bytes += bytes_of(factor[f], format);
    }
    return bytes;
}

/* By the mean lengths of rows, since counting would take as long as a small product. */
static bool device_is_faster(gb_Place *place, const gb_MxmCall *call) {
    const double inner = (double)(call->transpose_a ? call->A->nrows : call->A->ncols);
    const double products = (double)call->A->nvals * (double)call->B->nvals / (inner + 1.0);
    const double host = 1e-9 * (products * GB_NS_HOST_PRODUCT / (double)gb_nthreads() +
                                bytes_to_fetch(call) * GB_NS_DEVICE_BYTE);
    const double device = 1e-9 * (GB_NS_DEVICE_CALL + products * GB_NS_DEVICE_PRODUCT +
                                  bytes_to_move(call, products) * GB_NS_DEVICE_BYTE);
    snprintf(place->reason, sizeof place->reason, "predicted %.3g s on the GPU, %.3g s on the CPU",
             device, host);
    return device < host;
}

gbl_Info gb_place_choose(gb_Place *place, const gb_MxmCall *call) {
    int setting;
    *place = (gb_Place){.reason = "the CPU is asked for"};
    if (call->choices.on_host) return GBL_SUCCESS;
    gbl_Info info = find_setting(&setting, call);
    if (info == GBL_SUCCESS && setting == GBL_PLACE_DEFAULT) {
        setting = GB_PLACE_UNASKED;
        snprintf(place->reason, sizeof place->reason, "no place is asked for");
    }
    if (info != GBL_SUCCESS || setting == GBL_PLACE_CPU) return info;
    const char *why_not = no_kernel(call);
    place->forced = setting == GBL_PLACE_GPU;
    if (why_not != NULL && place->forced)
        return gb_fail(GBL_INVALID_VALUE, call->C, "%s; let it run on the CPU (GBL_PLACE)",
                       why_not);
    if (why_not != NULL) {
        snprintf(place->reason, sizeof place->reason, "%s", why_not);
        return GBL_SUCCESS;
    }
    if (place->forced) {
        snprintf(place->reason, sizeof place->reason, "the GPU is asked for");
        place->on_device = true;
        return gb_device()->open();
    }
    if (!device_is_faster(place, call)) return GBL_SUCCESS;
    place->on_device = gb_device()->open() == GBL_SUCCESS;
    if (!place->on_device) snprintf(place->reason, sizeof place->reason, "%.90s", gbl_last_error());
    return GBL_SUCCESS;
}
