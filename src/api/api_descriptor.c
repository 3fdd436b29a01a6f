/* SPDX-License-Identifier: Apache-2.0
 *
 * Descriptors: the predefined ones and the user's.
 */
#include "core/call.h"
#include "api/check.h"
#include "mxm/plan/plan.h"

#include <string.h>

/* X(name, replace, structure, complement, transpose first, transpose second) */
#define FOREACH_DESCRIPTOR(X)                                                                      \
    X(T1, 0, 0, 0, 0, 1)                                                                           \
    X(T0, 0, 0, 0, 1, 0)                                                                           \
    X(T0T1, 0, 0, 0, 1, 1)                                                                         \
    X(C, 0, 0, 1, 0, 0)                                                                            \
    X(CT1, 0, 0, 1, 0, 1)                                                                          \
    X(CT0, 0, 0, 1, 1, 0)                                                                          \
    X(CT0T1, 0, 0, 1, 1, 1)                                                                        \
    X(S, 0, 1, 0, 0, 0)                                                                            \
    X(ST1, 0, 1, 0, 0, 1)                                                                          \
    X(ST0, 0, 1, 0, 1, 0)                                                                          \
    X(ST0T1, 0, 1, 0, 1, 1)                                                                        \
    X(SC, 0, 1, 1, 0, 0)                                                                           \
    X(SCT1, 0, 1, 1, 0, 1)                                                                         \
    X(SCT0, 0, 1, 1, 1, 0)                                                                         \
    X(SCT0T1, 0, 1, 1, 1, 1)                                                                       \
    X(R, 1, 0, 0, 0, 0)                                                                            \
    X(RT1, 1, 0, 0, 0, 1)                                                                          \
    X(RT0, 1, 0, 0, 1, 0)                                                                          \
    X(RT0T1, 1, 0, 0, 1, 1)                                                                        \
    X(RC, 1, 0, 1, 0, 0)                                                                           \
    X(RCT1, 1, 0, 1, 0, 1)                                                                         \
    X(RCT0, 1, 0, 1, 1, 0)                                                                         \
    X(RCT0T1, 1, 0, 1, 1, 1)                                                                       \
    X(RS, 1, 1, 0, 0, 0)                                                                           \
    X(RST1, 1, 1, 0, 0, 1)                                                                         \
    X(RST0, 1, 1, 0, 1, 0)                                                                         \
    X(RST0T1, 1, 1, 0, 1, 1)                                                                       \
    X(RSC, 1, 1, 1, 0, 0)                                                                          \
    X(RSCT1, 1, 1, 1, 0, 1)                                                                        \
    X(RSCT0, 1, 1, 1, 1, 0)                                                                        \
    X(RSCT0T1, 1, 1, 1, 1, 1)

#define DEFINE(N, R, S, C, T0, T1)                                                                 \
    static struct gbl_Descriptor_opaque desc_##N = {.magic = GB_MAGIC_DESCRIPTOR,                  \
                                                    .predefined = true,                            \
                                                    .replace = R,                                  \
                                                    .structure = S,                                \
                                                    .complement = C,                               \
                                                    .transpose0 = T0,                              \
                                                    .transpose1 = T1,                              \
                                                    .name = (char *)"GrB_DESC_" #N};               \
    gbl_Descriptor const GBL_DESC_##N = &desc_##N;
FOREACH_DESCRIPTOR(DEFINE)
#undef DEFINE

gbl_Info gbl_Descriptor_new(gbl_Descriptor *desc) {
    gbl_Info info = gb_check_pointer(desc, "desc");
    if (info != GBL_SUCCESS) return info;
    *desc = NULL;
    info = gb_check_init();
    if (info != GBL_SUCCESS) return info;

    *desc = gb_malloc(sizeof **desc);
    if (*desc == NULL) return gb_fail_memory(sizeof **desc);
    **desc = (struct gbl_Descriptor_opaque){.magic = GB_MAGIC_DESCRIPTOR};
    return GBL_SUCCESS;
}

static gbl_Info bad_value(int field, int value) {
    return gb_fail(GBL_INVALID_VALUE,
                   "value %d does not belong to descriptor field %d; see gbl_Desc_Value", value,
                   field);
}

static gbl_Info set_mask(gbl_Descriptor desc, int value) {
    if (value != GBL_DEFAULT && value != GBL_COMP && value != GBL_STRUCTURE &&
        value != GBL_COMP_STRUCTURE)
        return bad_value(GBL_MASK, value);
    if (value == GBL_DEFAULT) desc->complement = desc->structure = false;
    if (value == GBL_COMP || value == GBL_COMP_STRUCTURE) desc->complement = true;
    if (value == GBL_STRUCTURE || value == GBL_COMP_STRUCTURE) desc->structure = true;
    return GBL_SUCCESS;
}

/* A field that is default or one of [least, most]. */
static gbl_Info set_choice(gbl_Desc_Value *choice, int field, int value, gbl_Desc_Value least,
                           gbl_Desc_Value most) {
    if (value != GBL_DEFAULT && (value < (int)least || value > (int)most))
        return bad_value(field, value);
    *choice = (gbl_Desc_Value)value;
    return GBL_SUCCESS;
}

static gbl_Info set_accumulators(gbl_Descriptor desc, int value) {
    const int ways = GBL_ACCUMULATE_HASH | GBL_ACCUMULATE_DENSE;
    const int all = ways | GBL_ACCUMULATE_SORT | GBL_ACCUMULATE_ASSIST;
    if (value != GBL_DEFAULT && ((value & ~all) != 0 || (value & ways) == 0))
        return gb_fail(GBL_INVALID_VALUE,
                       "%d is not a set of accumulators; add GBL_ACCUMULATE_ values, at least "
                       "GBL_ACCUMULATE_HASH or GBL_ACCUMULATE_DENSE",
                       value);
    desc->choices.accumulators = value;
    return GBL_SUCCESS;
}

static gbl_Info set_registers(gbl_Descriptor desc, int value) {
    if (value != 0 && value != 32 && value != 64 && value != 128)
        return gb_fail(GBL_INVALID_VALUE, "%d registers; a sketch has 32, 64 or 128", value);
    desc->choices.registers = value;
    return GBL_SUCCESS;
}

/* A field that is default or a number from least to most. */
static gbl_Info set_size(int32_t *size, const char *what, int value, int32_t least, int32_t most) {
    if (value != GBL_DEFAULT && (value < least || value > most))
        return gb_fail(GBL_INVALID_VALUE, "%d %s; it must be from %d to %d", value, what,
                       (int)least, (int)most);
    *size = value;
    return GBL_SUCCESS;
}

/* A field that is either default or one other value. */
static gbl_Info set_flag(bool *flag, int field, int value, int other) {
    if (value != GBL_DEFAULT && value != other) return bad_value(field, value);
    *flag = value == other;
    return GBL_SUCCESS;
}

static gbl_Info set_submatrix(gbl_Descriptor desc, int value) {
    if (value != GBL_DEFAULT && value != 16 && value != 32 && value != 64)
        return gb_fail(GBL_INVALID_VALUE, "sub-matrices of side %d; it must be 16, 32 or 64",
                       value);
    desc->choices.submatrix = value;
    return GBL_SUCCESS;
}

/* A field that is real: as a whole number it can only be left to the planner. */
static gbl_Info unset_real(gbl_Descriptor desc, int value, int field) {
    if (value != GBL_DEFAULT)
        return gb_fail(GBL_INVALID_VALUE,
                       "descriptor field %d is a real number; set it by gbl_Descriptor_set_FP64",
                       field);
    if (field == GBL_DEADLINE) desc->deadline = 0.0;
    if (desc->choices.approximates == field) desc->choices.approximates = 0;
    return GBL_SUCCESS;
}

static gbl_Info check_changeable(gbl_Descriptor desc) {
    if (!desc->predefined) return GBL_SUCCESS;
    return gb_fail(GBL_ALREADY_SET,
                   "predefined descriptors cannot be changed; make one by gbl_Descriptor_new");
}

bool gb_descriptor_is_real(int field) {
    return field == GBL_TAU || field == GBL_VALID_RATIO || field == GBL_ERROR_BOUND ||
           field == GBL_DEADLINE;
}

gbl_Info gb_descriptor_set_real(gbl_Descriptor desc, double value, int field) {
    const gbl_Info info = check_changeable(desc);
    if (info != GBL_SUCCESS) return info;
    if (!gb_descriptor_is_real(field))
        return gb_fail(GBL_INVALID_VALUE,
                       "descriptor field %d is no real number; set it by gbl_Descriptor_set_INT32",
                       field);
    if (!(value >= 0.0) || (field == GBL_VALID_RATIO && value > 1.0))
        return gb_fail(GBL_INVALID_VALUE, "%s is %g; it must be %s",
                       field == GBL_DEADLINE      ? "GBL_DEADLINE"
                       : field == GBL_TAU         ? "GBL_TAU"
                       : field == GBL_VALID_RATIO ? "GBL_VALID_RATIO"
                                                  : "GBL_ERROR_BOUND",
                       value, field == GBL_VALID_RATIO ? "from 0 to 1" : "0 or more");
    if (field == GBL_DEADLINE) {
        desc->deadline = value;
        if (value > 0.0) gb_call_watch();
        return GBL_SUCCESS;
    }
    desc->choices.approximates = field;
    desc->choices.approximate = value;
    return GBL_SUCCESS;
}

gbl_Info gb_descriptor_get_real(gbl_Descriptor desc, double *value, int field) {
    if (!gb_descriptor_is_real(field))
        return gb_fail(GBL_INVALID_VALUE,
                       "descriptor field %d is no real number; read it by gbl_Descriptor_get_INT32",
                       field);
    if (field == GBL_DEADLINE) {
        *value = desc->deadline;
        return GBL_SUCCESS;
    }
    if (desc->choices.approximates != field) return GBL_NO_VALUE;
    *value = desc->choices.approximate;
    return GBL_SUCCESS;
}

gbl_Info gbl_Descriptor_set_FP64(gbl_Descriptor desc, double value, int field) {
    gbl_Info info = gb_check_descriptor(desc, "desc");
    if (info == GBL_SUCCESS) info = gb_descriptor_set_real(desc, value, field);
    return gb_end(desc, info);
}

gbl_Info gbl_Descriptor_get_FP64(gbl_Descriptor desc, double *value, int field) {
    gbl_Info info = gb_check_descriptor(desc, "desc");
    if (info == GBL_SUCCESS) info = gb_check_pointer(value, "value");
    return info == GBL_SUCCESS ? gb_descriptor_get_real(desc, value, field) : info;
}

gbl_Info gb_descriptor_set(gbl_Descriptor desc, int32_t value, int field) {
    const gbl_Info info = check_changeable(desc);
    if (info != GBL_SUCCESS) return info;

    switch (field) { /* those of gblite_tuning.h are not in the enum */
    case GBL_OUTP:
        return set_flag(&desc->replace, field, value, GBL_REPLACE);
    case GBL_MASK:
        return set_mask(desc, value);
    case GBL_INP0:
        return set_flag(&desc->transpose0, field, value, GBL_TRAN);
    case GBL_INP1:
        return set_flag(&desc->transpose1, field, value, GBL_TRAN);
    case GBL_METHOD:
        if (value != GBL_DEFAULT && !gb_is_method(value)) return bad_value(field, value);
        desc->choices.method = (gbl_Desc_Value)value;
        return GBL_SUCCESS;
    case GBL_WORKFLOW:
        return set_choice(&desc->choices.workflow, field, value, GBL_WORKFLOW_UPPER_BOUND,
                          GBL_WORKFLOW_GROUPED);
    case GBL_ROW_ORDER:
        return set_choice(&desc->choices.row_order, field, value, GBL_ANY_ORDER, GBL_ANY_ORDER);
    case GBL_ACCUMULATORS:
        return set_accumulators(desc, value);
    case GBL_REGISTERS:
        return set_registers(desc, value);
    case GBL_BIN_BYTES:
        return set_size(&desc->choices.bin_bytes, "bytes of a bin", value, 1024, INT32_MAX);
    case GBL_BIN_LINES:
        return set_size(&desc->choices.bin_lines, "lines of a local bin", value, 1, 64);
    case GBL_VECTOR_VARIANT:
        return set_choice(&desc->choices.vector.variant, field, value, GBL_VECTOR_SPA,
                          GBL_VECTOR_ESC);
    case GBL_BLOCK_LEAST:
        return set_size(&desc->choices.vector.block_least, "rows of a block", value, 1, 256);
    case GBL_BLOCK_MOST:
        return set_size(&desc->choices.vector.block_most, "rows of a block", value, 1, 256);
    case GBL_BLOCK_BELOW:
        return set_size(&desc->choices.vector.block_below, "flops of a row", value, 1, INT32_MAX);
    case GBL_SUBMATRIX:
        return set_submatrix(desc, value);
    case GBL_ROUND_FACTORS:
        return set_choice(&desc->choices.rounding, field, value, GBL_ROUND_FP16, GBL_ROUND_TF32);
    case GBL_TAU:
    case GBL_VALID_RATIO:
    case GBL_ERROR_BOUND:
    case GBL_DEADLINE:
        return unset_real(desc, value, field);
    }
    return gb_fail(GBL_INVALID_VALUE, "%d is not a descriptor field", field);
}

gbl_Info gbl_Descriptor_set(gbl_Descriptor desc, gbl_Desc_Field field, gbl_Desc_Value value) {
    return gbl_Descriptor_set_INT32(desc, (int32_t)value, field);
}

gbl_Info gb_descriptor_get(gbl_Descriptor desc, int32_t *value, int field) {
    switch (field) { /* those of gblite_tuning.h are not in the enum */
    case GBL_OUTP:
        *value = desc->replace ? GBL_REPLACE : GBL_DEFAULT;
        return GBL_SUCCESS;
    case GBL_MASK:
        *value = (desc->complement ? GBL_COMP : 0) + (desc->structure ? GBL_STRUCTURE : 0);
        if (desc->complement && desc->structure) *value = GBL_COMP_STRUCTURE;
        return GBL_SUCCESS;
    case GBL_INP0:
        *value = desc->transpose0 ? GBL_TRAN : GBL_DEFAULT;
        return GBL_SUCCESS;
    case GBL_INP1:
        *value = desc->transpose1 ? GBL_TRAN : GBL_DEFAULT;
        return GBL_SUCCESS;
    case GBL_METHOD:
        *value = desc->choices.method;
        return GBL_SUCCESS;
    case GBL_WORKFLOW:
        *value = desc->choices.workflow;
        return GBL_SUCCESS;
    case GBL_ROW_ORDER:
        *value = desc->choices.row_order;
        return GBL_SUCCESS;
    case GBL_ACCUMULATORS:
        *value = desc->choices.accumulators;
        return GBL_SUCCESS;
    case GBL_REGISTERS:
        *value = desc->choices.registers;
        return GBL_SUCCESS;
    case GBL_BIN_BYTES:
        *value = desc->choices.bin_bytes;
        return GBL_SUCCESS;
    case GBL_BIN_LINES:
        *value = desc->choices.bin_lines;
        return GBL_SUCCESS;
    case GBL_VECTOR_VARIANT:
        *value = desc->choices.vector.variant;
        return GBL_SUCCESS;
    case GBL_BLOCK_LEAST:
        *value = desc->choices.vector.block_least;
        return GBL_SUCCESS;
    case GBL_BLOCK_MOST:
        *value = desc->choices.vector.block_most;
        return GBL_SUCCESS;
    case GBL_BLOCK_BELOW:
        *value = desc->choices.vector.block_below;
        return GBL_SUCCESS;
    case GBL_SUBMATRIX:
        *value = desc->choices.submatrix;
        return GBL_SUCCESS;
    case GBL_ROUND_FACTORS:
        *value = desc->choices.rounding;
        return GBL_SUCCESS;
    }
    return gb_fail(GBL_INVALID_VALUE, "%d is not a descriptor field", field);
}

gbl_Info gbl_Descriptor_free(gbl_Descriptor *desc) {
    gbl_Info info = gb_check_pointer(desc, "desc");
    if (info == GBL_SUCCESS && *desc != NULL) info = gb_check_descriptor(*desc, "*desc");
    if (info != GBL_SUCCESS) return info;

    if (*desc != NULL && !(*desc)->predefined) {
        gb_name_free((*desc)->name);
        (*desc)->magic = GB_MAGIC_FREED;
        gb_free(*desc, sizeof **desc);
    }
    *desc = NULL;
    return GBL_SUCCESS;
}

gbl_Info gbl_Descriptor_wait(gbl_Descriptor desc, gbl_WaitMode mode) {
    const gbl_Info info = gb_check_descriptor(desc, "desc");
    return gb_end(desc, info == GBL_SUCCESS ? gb_check_mode(mode) : info);
}
