/* SPDX-License-Identifier: Apache-2.0
 *
 * Descriptors: the predefined ones and the user's.
 */
#include "api/check.h"
#include "mxm/plan/plan.h"

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
#define DEFINE_TURNED(N, R, S, C)                                                                  \
    DEFINE(N##T1, R, S, C, 0, 1)                                                                   \
    DEFINE(N##T0, R, S, C, 1, 0)                                                                   \
    DEFINE(N##T0T1, R, S, C, 1, 1)
#define DEFINE_ALL(N, R, S, C) DEFINE(N, R, S, C, 0, 0) DEFINE_TURNED(N, R, S, C)
DEFINE_TURNED(, 0, 0, 0)
DEFINE_ALL(C, 0, 0, 1)
DEFINE_ALL(S, 0, 1, 0)
DEFINE_ALL(SC, 0, 1, 1)
DEFINE_ALL(R, 1, 0, 0)
DEFINE_ALL(RC, 1, 0, 1)
DEFINE_ALL(RS, 1, 1, 0)
DEFINE_ALL(RSC, 1, 1, 1)

gbl_Info gbl_Descriptor_new(gbl_Descriptor *desc) {
    const gbl_Info info = gb_begin_new(desc, "desc");
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

/* -- fields that are default or one other value */

/* The flag of the field, and the value that sets it; NULL: it has none. */
static bool *flag_of(gbl_Descriptor desc, int field, int *other) {
    *other = field == GBL_OUTP ? GBL_REPLACE : GBL_TRAN;
    if (field == GBL_OUTP) return &desc->replace;
    if (field == GBL_INP0) return &desc->transpose0;
    return field == GBL_INP1 ? &desc->transpose1 : NULL;
}

/* -- fields that are default or a number from least to most */

typedef struct {
    int field;
    size_t at; /* an int32_t, or an enum of its size */
    int32_t least, most;
    const char *must; /* of an error text, behind the number; NULL: it is a gbl_Desc_Value */
} Number;
#define AT(FIELD) offsetof(struct gbl_Descriptor_opaque, choices.FIELD)
_Static_assert(sizeof(gbl_Desc_Value) == sizeof(int32_t), "fields are read and set as numbers");

static const Number numbers[] = {
    {GBL_METHOD, AT(method), 0, 0, NULL},
    {GBL_WORKFLOW, AT(workflow), GBL_WORKFLOW_UPPER_BOUND, GBL_WORKFLOW_GROUPED, NULL},
    {GBL_ROW_ORDER, AT(row_order), GBL_ANY_ORDER, GBL_ANY_ORDER, NULL},
    {GBL_ACCUMULATORS, AT(accumulators), 0, 0,
     "is not a set of accumulators; add GBL_ACCUMULATE_ values, at least GBL_ACCUMULATE_HASH or "
     "GBL_ACCUMULATE_DENSE"},
    {GBL_REGISTERS, AT(registers), 32, 128, "registers; a sketch has 32, 64 or 128"},
    {GBL_BIN_BYTES, AT(bin_bytes), 1024, INT32_MAX, "bytes of a bin; it must be 1024 or more"},
    {GBL_BIN_LINES, AT(bin_lines), 1, 64, "lines of a local bin; it must be from 1 to 64"},
    {GBL_VECTOR_VARIANT, AT(vector.variant), GBL_VECTOR_SPA, GBL_VECTOR_H_HASH_256_256, NULL},
    {GBL_BLOCK_LEAST, AT(vector.block_least), 1, 256, "rows of a block; it must be from 1 to 256"},
    {GBL_BLOCK_MOST, AT(vector.block_most), 1, 256, "rows of a block; it must be from 1 to 256"},
    {GBL_BLOCK_BELOW, AT(vector.block_below), 1, INT32_MAX, "flops of a row; it must be positive"},
    {GBL_SUBMATRIX, AT(submatrix), 16, 64, "as the side of sub-matrices; it must be 16, 32 or 64"},
    {GBL_ROUND_FACTORS, AT(rounding), GBL_ROUND_FP16, GBL_ROUND_TF32, NULL},
};

static const Number *number_of(int field) {
    for (size_t k = 0; k < sizeof numbers / sizeof *numbers; k++)
        if (numbers[k].field == field) return &numbers[k];
    return NULL;
}

static bool fits(const Number *number, int32_t value) {
    const int ways = GBL_ACCUMULATE_HASH | GBL_ACCUMULATE_DENSE;
    const int all = ways | GBL_ACCUMULATE_SORT | GBL_ACCUMULATE_ASSIST;
    const bool is_power = number->field == GBL_REGISTERS || number->field == GBL_SUBMATRIX;
    if (value == GBL_DEFAULT) return true;
    if (number->field == GBL_METHOD) return gb_is_method(value);
    if (number->field == GBL_ACCUMULATORS) return (value & ~all) == 0 && (value & ways) != 0;
    return value >= number->least && value <= number->most &&
           !(is_power && (value & (value - 1)) != 0);
}

static gbl_Info set_number(gbl_Descriptor desc, int field, int32_t value) {
    const Number *number = number_of(field);
    if (number == NULL) return gb_fail(GBL_INVALID_VALUE, "%d is not a descriptor field", field);
    if (!fits(number, value) && number->must == NULL) return bad_value(field, value);
    if (!fits(number, value)) return gb_fail(GBL_INVALID_VALUE, "%d %s", (int)value, number->must);
    memcpy((char *)desc + number->at, &value, sizeof value);
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
    int other;
    bool *const flag = flag_of(desc, field, &other);
    const gbl_Info info = check_changeable(desc);
    if (info != GBL_SUCCESS) return info;
    if (gb_descriptor_is_real(field)) return unset_real(desc, value, field);
    if (field == GBL_MASK) return set_mask(desc, value);
    if (flag == NULL) return set_number(desc, field, value);
    if (value != GBL_DEFAULT && value != other) return bad_value(field, value);
    *flag = value == other;
    return GBL_SUCCESS;
}

gbl_Info gbl_Descriptor_set(gbl_Descriptor desc, gbl_Desc_Field field, gbl_Desc_Value value) {
    return gbl_Descriptor_set_INT32(desc, (int32_t)value, field);
}

gbl_Info gb_descriptor_get(gbl_Descriptor desc, int32_t *value, int field) {
    int other;
    const bool *flag = flag_of(desc, field, &other);
    const Number *number = number_of(field);
    if (flag != NULL) {
        *value = *flag ? other : GBL_DEFAULT;
    } else if (field == GBL_MASK) {
        *value = (desc->complement ? GBL_COMP : 0) + (desc->structure ? GBL_STRUCTURE : 0);
        if (desc->complement && desc->structure) *value = GBL_COMP_STRUCTURE;
    } else if (number != NULL) {
        memcpy(value, (const char *)desc + number->at, sizeof *value);
    } else {
        return gb_fail(GBL_INVALID_VALUE, "%d is not a descriptor field", field);
    }
    return GBL_SUCCESS;
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
