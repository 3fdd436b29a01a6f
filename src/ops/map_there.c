/* SPDX-License-Identifier: Apache-2.0
 *
 * See map_there.h. Values are not cast: operators of another type than A's have no kernel.
 */
#include "ops/map_there.h"

#include <string.h>

#include "ops/finish_there.h"
#include "ops/on_device.h"

static bool is_by_position(gb_Opcode op) {
    return op >= GB_ROWINDEX && op <= GB_ROWGT;
}

static const char casts[] = "the operator is of another type than the values, which are not cast";

static const char *index_map(gb_DeviceMap *there, const gb_Map *map, const gb_Type *type) {
    const gb_IndexUnaryOp *op = map->index;
    there->op = (int)op->code;
    there->to = op->ztype->code;
    if (op->code == GB_USER) return gb_refuse_operator(GB_USER, type);
    if (is_by_position(op->code)) {
        there->type = GBL_INT64_CODE;
        gb_cast(gb_type_of(GBL_INT64_CODE), there->bound, op->ytype, map->bound, 1, 1);
        return NULL;
    }
    if (op->xtype->code != type->code) return casts;
    memcpy(there->bound, map->bound, type->size);
    return gb_refuse_operator((int)op->code, type);
}

static const char *value_map(gb_DeviceMap *there, const gb_Map *map, const gb_Type *type) {
    const gb_UnaryOp *unary = map->unary;
    const gb_BinaryOp *binary = map->binary;
    const gb_Opcode op = unary != NULL ? unary->code : binary->code;
    there->op = (int)op;
    there->is_unary = unary != NULL;
    there->bound_first = map->bound_first;
    there->to = unary != NULL ? unary->ztype->code : binary->ztype->code;
    const char *refusal = gb_refuse_operator((int)op, type);
    if (refusal != NULL) return refusal;
    if (unary != NULL) return unary->xtype->code != type->code ? casts : NULL;
    if (binary->xtype->code != type->code || binary->ytype->code != type->code) return casts;
    memcpy(there->bound, map->bound, type->size);
    return NULL;
}

const char *gb_device_map(gb_DeviceMap *there, const gb_Map *map, const gb_Type *type) {
    *there = (gb_DeviceMap){.type = type->code};
    return map->index != NULL ? index_map(there, map, type) : value_map(there, map, type);
}

const char *gb_device_test(gb_DeviceMap *there, const gb_Map *map, const gb_Type *type) {
    const char *refusal = gb_device_map(there, map, type);
    if (refusal != NULL || there->to == GBL_BOOL_CODE) return refusal;
    return "the operator is not one of those that are true or false";
}

static const char *refuse_apply(const void *call) {
    const gb_MapJob *job = call;
    gb_DeviceMap map;
    const char *refusal = gb_refuse_operand(job->A);
    return refusal != NULL ? refusal : gb_device_map(&map, job->map, job->A->type);
}

static const char *refuse_select(const void *call) {
    const gb_MapJob *job = call;
    gb_DeviceMap map;
    const char *refusal = gb_refuse_operand(job->A);
    return refusal != NULL ? refusal : gb_device_test(&map, job->map, job->A->type);
}

/* T by a kernel of the map. */
static gbl_Info run(const gb_MapJob *job, gb_Result *T, const gb_DeviceMap *map, bool selects) {
    const gb_Device *device = gb_device();
    gb_DeviceCs *A, *made = NULL;
    gbl_Info info = gb_need_device_operand(job->A, job->transpose ? GB_CSC : GB_CSR, &A);
    if (info != GBL_SUCCESS) return info;
    info = selects ? device->select(map, A, &made) : device->apply(map, A, &made);
    device->unpin(A);
    if (info == GBL_SUCCESS) info = gb_take_result(T, job->C, made);
    return info == GBL_SUCCESS ? gb_finish(job->C, job->mask, job->accum, T) : info;
}

static gbl_Info apply_there(const void *call) {
    const gb_MapJob *job = call;
    gb_DeviceMap map;
    (void)gb_device_map(&map, job->map, job->A->type); /* it was not refused */
    gb_Result T = {.type = gb_type_of(map.to)};
    return run(job, &T, &map, false);
}

static gbl_Info select_there(const void *call) {
    const gb_MapJob *job = call;
    gb_DeviceMap map;
    (void)gb_device_test(&map, job->map, job->A->type);
    gb_Result T = {.type = job->A->type};
    return run(job, &T, &map, true);
}

gbl_Info gb_apply_placed(const gb_MapJob *job, gbl_Info (*here)(const void *job)) {
    const gb_Placed operation = {.name = "apply",
                                 .C = job->C,
                                 .in = {job->A, job->mask->M},
                                 .call = job,
                                 .here = here,
                                 .there = apply_there,
                                 .refuse = refuse_apply};
    return gb_run_placed(&operation);
}

gbl_Info gb_select_placed(const gb_MapJob *job, gbl_Info (*here)(const void *job)) {
    const gb_Placed operation = {.name = "select",
                                 .C = job->C,
                                 .in = {job->A, job->mask->M},
                                 .call = job,
                                 .here = here,
                                 .there = select_there,
                                 .refuse = refuse_select};
    return gb_run_placed(&operation);
}
