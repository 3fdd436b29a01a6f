/* SPDX-License-Identifier: Apache-2.0
 *
 * See map_there.h. What selects is not cast: its entries keep the values that they have.
 */
#include "ops/map_device.h"

#include <string.h>

#include "ops/finish_device.h"
#include "ops/run_device.h"

static const char *index_map(gb_DeviceMap *there, const gb_Map *map) {
    const gb_IndexUnaryOp *op = map->index;
    there->op = (int)op->code;
    there->to = op->ztype->code;
    if (op->code == GB_USER) return gb_refuse_operator(GB_USER, op->ztype);
    if (gb_is_by_position(op->code)) {
        there->type = GBL_INT64_CODE;
        gb_cast(gb_type_of(GBL_INT64_CODE), there->bound, op->ytype, map->bound, 1, 1);
        return NULL;
    }
    there->type = op->xtype->code;
    const char *refusal = gb_refuse_operator((int)op->code, op->xtype);
    if (refusal == NULL) memcpy(there->bound, map->bound, op->xtype->size);
    return refusal;
}

/* Built-in binary operators have one type for both arguments. */
static const char *value_map(gb_DeviceMap *there, const gb_Map *map) {
    const gb_UnaryOp *unary = map->unary;
    const gb_BinaryOp *binary = map->binary;
    const gb_Opcode op = unary != NULL ? unary->code : binary->code;
    there->op = (int)op;
    there->is_unary = unary != NULL;
    there->bound_first = map->bound_first;
    there->to = unary != NULL ? unary->ztype->code : binary->ztype->code;
    const gb_Type *type = unary != NULL ? unary->xtype : binary->xtype;
    const char *refusal = gb_refuse_operator((int)op, type);
    there->type = type->code;
    if (refusal == NULL && binary != NULL) memcpy(there->bound, map->bound, type->size);
    return refusal;
}

const char *gb_device_map(gb_DeviceMap *there, const gb_Map *map) {
    *there = (gb_DeviceMap){0};
    return map->index != NULL ? index_map(there, map) : value_map(there, map);
}

const char *gb_device_test(gb_DeviceMap *there, const gb_Map *map, const gb_Type *type) {
    const char *refusal = gb_device_map(there, map);
    if (refusal != NULL) return refusal;
    if (map->index->xtype != NULL && map->index->xtype->code != type->code)
        return "the operator is of another type than the values, which are not cast";
    return there->to == GBL_BOOL_CODE ? NULL
                                      : "the operator is not one of those that are true or false";
}

static const char *refuse_apply(const void *call) {
    const gb_MapJob *job = call;
    gb_DeviceMap map;
    const char *refusal = gb_refuse_operand(job->A);
    if (refusal == NULL) refusal = gb_device_map(&map, job->map);
    if (refusal != NULL || gb_is_by_position(map.op)) return refusal;
    return gb_refuse_cast(job->A, gb_type_of(map.type));
}

static const char *refuse_select(const void *call) {
    const gb_MapJob *job = call;
    gb_DeviceMap map;
    const char *refusal = gb_refuse_operand(job->A);
    return refusal != NULL ? refusal : gb_device_test(&map, job->map, job->A->type);
}

/* T by a kernel of the map, which takes values of this type. */
static gbl_Info run(const gb_MapJob *job, gb_Result *T, const gb_DeviceMap *map, bool selects) {
    const gb_Device *device = gb_device();
    const bool by_position = gb_is_by_position(map->op);
    const gb_Type *type = selects || by_position ? job->A->type : gb_type_of(map->type);
    gb_DeviceOperand A;
    gb_DeviceCs *made = NULL;
    gbl_Info info = gb_device_operand(&A, job->A, job->transpose ? GB_CSC : GB_CSR, type);
    if (info != GBL_SUCCESS) return info;
    info = selects ? device->select(map, A.copy, &made) : device->apply(map, A.copy, &made);
    gb_device_operand_release(&A);
    if (info != GBL_SUCCESS) return info;
    gb_result_adopt(T, job->C, made);
    return gb_finish(job->C, job->mask, job->accum, T);
}

static gbl_Info apply_there(const void *call) {
    const gb_MapJob *job = call;
    gb_DeviceMap map;
    (void)gb_device_map(&map, job->map); /* it was not refused */
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
