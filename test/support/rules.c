/* SPDX-License-Identifier: Apache-2.0
 *
 * The flags of one case: as a descriptor for the library and as a rule for the oracle.
 */
#include "support/gb_test.h"

#include <stdio.h>

const char *const t_mask_names[T_MASKS] = {
    "none", "valued", "structural", "complement", "complement structural", "complement of none",
};

const gbl_Desc_Value t_workflows[4] = {GBL_DEFAULT, GBL_WORKFLOW_UPPER_BOUND, GBL_WORKFLOW_ESTIMATE,
                                       GBL_WORKFLOW_SYMBOLIC};
const int32_t t_accumulators[8] = {
    GBL_DEFAULT,
    GBL_ACCUMULATE_HASH,
    GBL_ACCUMULATE_DENSE,
    GBL_ACCUMULATE_HASH | GBL_ACCUMULATE_DENSE,
    GBL_ACCUMULATE_SORT | GBL_ACCUMULATE_HASH,
    GBL_ACCUMULATE_SORT | GBL_ACCUMULATE_DENSE,
    GBL_ACCUMULATE_HASH | GBL_ACCUMULATE_ASSIST,
    GBL_ACCUMULATE_SORT | GBL_ACCUMULATE_HASH | GBL_ACCUMULATE_DENSE | GBL_ACCUMULATE_ASSIST,
};

t_Flags t_flags(unsigned n) {
    t_Flags flags = {.mask = (t_Mask)(n % T_MASKS)};
    n /= T_MASKS;
    flags.accum = n & 1;
    flags.replace = n & 2;
    flags.tran0 = n & 4;
    flags.tran1 = n & 8;
    return flags;
}

void t_set_way(t_Flags *flags, uint64_t n) {
    static const int32_t registers[4] = {0, 32, 64, 128};
    flags->workflow = t_workflows[n % 4];
    flags->accumulators = t_accumulators[n / 4 % 8];
    flags->registers = registers[n / 32 % 4];
    flags->any_order = n / 128 % 2 == 1;
}

const char *t_flags_text(const t_Flags *flags) {
    static char text[192];
    snprintf(text, sizeof text,
             "mask %s%s%s%s%s method %d workflow %d accumulators %d registers %d%s",
             t_mask_names[flags->mask], flags->accum ? " accum" : "",
             flags->replace ? " replace" : "", flags->tran0 ? " A'" : "", flags->tran1 ? " B'" : "",
             (int)flags->method, (int)flags->workflow, (int)flags->accumulators,
             (int)flags->registers, flags->any_order ? " any order" : "");
    return text;
}

bool t_has_mask(t_Mask mask) {
    return mask != T_NO_MASK && mask != T_COMP_NO_MASK;
}

static bool is_comp(t_Mask mask) {
    return mask == T_COMP || mask == T_COMP_STRUCTURAL || mask == T_COMP_NO_MASK;
}

static bool is_structural(t_Mask mask) {
    return mask == T_STRUCTURAL || mask == T_COMP_STRUCTURAL;
}

gbl_Descriptor t_descriptor(const t_Flags *flags) {
    gbl_Descriptor desc = NULL;
    OK(gbl_Descriptor_new(&desc));
    if (flags->replace) OK(gbl_Descriptor_set(desc, GBL_OUTP, GBL_REPLACE));
    if (is_comp(flags->mask)) OK(gbl_Descriptor_set(desc, GBL_MASK, GBL_COMP));
    if (is_structural(flags->mask)) OK(gbl_Descriptor_set(desc, GBL_MASK, GBL_STRUCTURE));
    if (flags->tran0) OK(gbl_Descriptor_set(desc, GBL_INP0, GBL_TRAN));
    if (flags->tran1) OK(gbl_Descriptor_set(desc, GBL_INP1, GBL_TRAN));
    if (flags->method != GBL_DEFAULT) OK(gbl_Descriptor_set(desc, GBL_METHOD, flags->method));
    if (flags->method == GBL_METHOD_PANEL && flags->workflow >= GBL_WORKFLOW_AS_THEY_ARE)
        OK(gbl_Descriptor_set(desc, GBL_WORKFLOW, flags->workflow));
    if (flags->method == GBL_DEFAULT || flags->method == GBL_METHOD_ROWWISE) {
        OK(gbl_Descriptor_set(desc, GBL_WORKFLOW, flags->workflow)); /* others refuse them */
        OK(gbl_Descriptor_set_INT32(desc, flags->accumulators, GBL_ACCUMULATORS));
    }
    OK(gbl_Descriptor_set_INT32(desc, flags->registers, GBL_REGISTERS));
    OK(gbl_Descriptor_set(desc, GBL_VECTOR_VARIANT, flags->variant));
    if (flags->any_order) OK(gbl_Descriptor_set(desc, GBL_ROW_ORDER, GBL_ANY_ORDER));
    return desc;
}

o_Rule t_rule(const t_Flags *flags, const o_Matrix *mask, const o_Binary *accum) {
    return (o_Rule){t_has_mask(flags->mask) ? mask : NULL,
                    is_comp(flags->mask),
                    is_structural(flags->mask),
                    flags->replace,
                    flags->accum ? accum : NULL,
                    flags->tran0,
                    flags->tran1};
}
