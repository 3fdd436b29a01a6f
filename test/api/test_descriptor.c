/* SPDX-License-Identifier: Apache-2.0
 *
 * Descriptors: fields, combinations, the predefined ones.
 */
#include "support/gb_test.h"

#include <string.h>

static int32_t field(gbl_Descriptor desc, gbl_Desc_Field which) {
    int32_t value = -1;
    OK(gbl_Descriptor_get_INT32(desc, &value, which));
    return value;
}

GB_TEST(descriptor, fields) {
    gbl_Descriptor d = NULL;
    OK(gbl_Descriptor_new(&d));
    static const gbl_Desc_Field all[] = {
        GBL_OUTP,      GBL_MASK,           GBL_INP0,        GBL_INP1,       GBL_METHOD,
        GBL_WORKFLOW,  GBL_ACCUMULATORS,   GBL_REGISTERS,   GBL_ROW_ORDER,  GBL_BIN_BYTES,
        GBL_BIN_LINES, GBL_VECTOR_VARIANT, GBL_BLOCK_LEAST, GBL_BLOCK_MOST, GBL_BLOCK_BELOW};
    for (size_t k = 0; k < T_COUNT(all); k++) CHECK_EQ(field(d, all[k]), GBL_DEFAULT);
    OK(gbl_Descriptor_set(d, GBL_OUTP, GBL_REPLACE));
    OK(gbl_Descriptor_set(d, GBL_INP1, GBL_TRAN));
    CHECK_EQ(field(d, GBL_OUTP), GBL_REPLACE);
    CHECK_EQ(field(d, GBL_INP0), GBL_DEFAULT);
    CHECK_EQ(field(d, GBL_INP1), GBL_TRAN);
    OK(gbl_Descriptor_set_INT32(d, GBL_TRAN, GBL_INP0));
    CHECK_EQ(field(d, GBL_INP0), GBL_TRAN);
    OK(gbl_Descriptor_set(d, GBL_INP1, GBL_DEFAULT));
    CHECK_EQ(field(d, GBL_INP1), GBL_DEFAULT);
    OK(gbl_Descriptor_set(d, GBL_METHOD, GBL_METHOD_ROWWISE));
    CHECK_EQ(field(d, GBL_METHOD), GBL_METHOD_ROWWISE);
    OK(gbl_Descriptor_wait(d, GBL_MATERIALIZE));
    OK(gbl_Descriptor_free(&d));
    CHECK(d == NULL);
    OK(gbl_Descriptor_free(&d));
}

/* Every value that a field of the row-wise product may have is kept, beside those of the others. */
GB_TEST(descriptor, rowwise_fields) {
    gbl_Descriptor d = NULL;
    OK(gbl_Descriptor_new(&d));
    t_Flags flags = {.mask = T_NO_MASK};
    for (uint64_t n = 0; n < T_WAYS; n++) {
        t_case("way %llu", (unsigned long long)n);
        t_set_way(&flags, n);
        OK(gbl_Descriptor_set(d, GBL_WORKFLOW, flags.workflow));
        OK(gbl_Descriptor_set_INT32(d, flags.accumulators, GBL_ACCUMULATORS));
        OK(gbl_Descriptor_set_INT32(d, flags.registers, GBL_REGISTERS));
        OK(gbl_Descriptor_set(d, GBL_ROW_ORDER, flags.any_order ? GBL_ANY_ORDER : GBL_DEFAULT));
        CHECK_EQ(field(d, GBL_WORKFLOW), flags.workflow);
        CHECK_EQ(field(d, GBL_ACCUMULATORS), flags.accumulators);
        CHECK_EQ(field(d, GBL_REGISTERS), flags.registers);
        CHECK_EQ(field(d, GBL_ROW_ORDER), flags.any_order ? GBL_ANY_ORDER : GBL_DEFAULT);
        CHECK_EQ(field(d, GBL_METHOD), GBL_DEFAULT);
    }
    OK(gbl_Descriptor_free(&d));
}

/* Sets of accumulators: those that can sum every row, with or without the others. */
GB_TEST(descriptor, accumulators) {
    gbl_Descriptor d = NULL;
    OK(gbl_Descriptor_new(&d));
    OK(gbl_Descriptor_set_INT32(d, GBL_ACCUMULATE_HASH, GBL_ACCUMULATORS));
    for (int32_t set = -1; set <= 33; set++) {
        t_case("accumulators %d", (int)set);
        const bool any_row = (set & (GBL_ACCUMULATE_HASH | GBL_ACCUMULATE_DENSE)) != 0;
        if (set == GBL_DEFAULT || (set > 0 && set < 16 && any_row)) {
            OK(gbl_Descriptor_set_INT32(d, set, GBL_ACCUMULATORS));
            CHECK_EQ(field(d, GBL_ACCUMULATORS), set);
        } else {
            const int32_t before = field(d, GBL_ACCUMULATORS);
            FAILS(GBL_INVALID_VALUE, gbl_Descriptor_set_INT32(d, set, GBL_ACCUMULATORS));
            CHECK_EQ(field(d, GBL_ACCUMULATORS), before);
        }
    }
    OK(gbl_Descriptor_free(&d));
}

/* the bits of the mask add up: complement and structure in any order, or both at once */
GB_TEST(descriptor, mask) {
    gbl_Descriptor d = NULL;
    OK(gbl_Descriptor_new(&d));
    OK(gbl_Descriptor_set(d, GBL_MASK, GBL_COMP));
    CHECK_EQ(field(d, GBL_MASK), GBL_COMP);
    OK(gbl_Descriptor_set(d, GBL_MASK, GBL_STRUCTURE));
    CHECK_EQ(field(d, GBL_MASK), GBL_COMP_STRUCTURE);
    OK(gbl_Descriptor_set(d, GBL_MASK, GBL_DEFAULT));
    CHECK_EQ(field(d, GBL_MASK), GBL_DEFAULT);
    OK(gbl_Descriptor_set(d, GBL_MASK, GBL_COMP_STRUCTURE));
    CHECK_EQ(field(d, GBL_MASK), GBL_COMP_STRUCTURE);
    OK(gbl_Descriptor_free(&d));
}

GB_TEST(descriptor, values_that_do_not_fit) {
    gbl_Descriptor d = NULL;
    OK(gbl_Descriptor_new(&d));
    static const struct {
        gbl_Desc_Field field;
        gbl_Desc_Value value;
    } wrong[] = {{GBL_OUTP, GBL_TRAN},
                 {GBL_OUTP, GBL_COMP},
                 {GBL_MASK, GBL_REPLACE},
                 {GBL_MASK, GBL_TRAN},
                 {GBL_INP0, GBL_REPLACE},
                 {GBL_INP1, GBL_STRUCTURE},
                 {GBL_METHOD, GBL_TRAN},
                 {GBL_METHOD, (gbl_Desc_Value)7999},
                 {GBL_INP0, GBL_METHOD_DOT},
                 {(gbl_Desc_Field)55, GBL_TRAN},
                 {GBL_OUTP, (gbl_Desc_Value)99},
                 {GBL_WORKFLOW, GBL_METHOD_DOT},
                 {GBL_WORKFLOW, (gbl_Desc_Value)7010},
                 {GBL_WORKFLOW, (gbl_Desc_Value)7016},
                 {GBL_WORKFLOW, GBL_ANY_ORDER},
                 {GBL_REGISTERS, (gbl_Desc_Value)16},
                 {GBL_REGISTERS, (gbl_Desc_Value)33},
                 {GBL_REGISTERS, (gbl_Desc_Value)256},
                 {GBL_REGISTERS, (gbl_Desc_Value)-64},
                 {GBL_BIN_BYTES, (gbl_Desc_Value)1023},
                 {GBL_BIN_LINES, (gbl_Desc_Value)65},
                 {GBL_BIN_LINES, (gbl_Desc_Value)-1},
                 {GBL_ROW_ORDER, GBL_TRAN},
                 {GBL_ROW_ORDER, (gbl_Desc_Value)7042},
                 {GBL_METHOD, GBL_WORKFLOW_SYMBOLIC},
                 {GBL_INP0, GBL_ANY_ORDER}};
    for (size_t k = 0; k < T_COUNT(wrong); k++) {
        t_case("case %zu", k);
        FAILS(GBL_INVALID_VALUE, gbl_Descriptor_set(d, wrong[k].field, wrong[k].value));
        FAILS(GBL_INVALID_VALUE,
              gbl_Descriptor_set_INT32(d, (int32_t)wrong[k].value, wrong[k].field));
    }
    int32_t value = 5;
    FAILS(GBL_INVALID_VALUE, gbl_Descriptor_get_INT32(d, &value, (gbl_Desc_Field)55));
    CHECK_EQ(value, 5);
    CHECK_EQ(field(d, GBL_WORKFLOW), GBL_DEFAULT);
    CHECK_EQ(field(d, GBL_REGISTERS), GBL_DEFAULT);
    CHECK_EQ(field(d, GBL_ROW_ORDER), GBL_DEFAULT);
    CHECK_EQ(field(d, GBL_OUTP), GBL_DEFAULT);
    CHECK_EQ(field(d, GBL_MASK), GBL_DEFAULT);
    OK(gbl_Descriptor_free(&d));
}

#define ROW(F, replace, mask)                                                                      \
    {&GBL_DESC_##F, replace, mask, false, false}, {&GBL_DESC_##F##T1, replace, mask, false, true}, \
        {&GBL_DESC_##F##T0, replace, mask, true, false}, {                                         \
        &GBL_DESC_##F##T0T1, replace, mask, true, true                                             \
    }
static const struct {
    const gbl_Descriptor *desc;
    bool replace;
    gbl_Desc_Value mask;
    bool tran0, tran1;
} predefined[] = {
    {&GBL_DESC_T1, false, GBL_DEFAULT, false, true},
    {&GBL_DESC_T0, false, GBL_DEFAULT, true, false},
    {&GBL_DESC_T0T1, false, GBL_DEFAULT, true, true},
    ROW(C, false, GBL_COMP),
    ROW(S, false, GBL_STRUCTURE),
    ROW(SC, false, GBL_COMP_STRUCTURE),
    ROW(R, true, GBL_DEFAULT),
    ROW(RC, true, GBL_COMP),
    ROW(RS, true, GBL_STRUCTURE),
    ROW(RSC, true, GBL_COMP_STRUCTURE),
};

GB_TEST(descriptor, predefined) {
    for (size_t k = 0; k < T_COUNT(predefined); k++) {
        t_case("predefined descriptor %zu", k);
        const gbl_Descriptor d = *predefined[k].desc;
        CHECK_EQ(field(d, GBL_OUTP), predefined[k].replace ? GBL_REPLACE : GBL_DEFAULT);
        CHECK_EQ(field(d, GBL_MASK), predefined[k].mask);
        CHECK_EQ(field(d, GBL_INP0), predefined[k].tran0 ? GBL_TRAN : GBL_DEFAULT);
        CHECK_EQ(field(d, GBL_INP1), predefined[k].tran1 ? GBL_TRAN : GBL_DEFAULT);
        CHECK_EQ(field(d, GBL_METHOD), GBL_DEFAULT);
    }
}

/* predefined objects cannot be changed, and freeing them only clears the handle */
GB_TEST(descriptor, predefined_stay) {
    FAILS(GBL_ALREADY_SET, gbl_Descriptor_set(GBL_DESC_R, GBL_INP0, GBL_TRAN));
    CHECK_EQ(field(GBL_DESC_R, GBL_INP0), GBL_DEFAULT);
    gbl_Descriptor d = GBL_DESC_R;
    OK(gbl_Descriptor_free(&d));
    CHECK(d == NULL);
    CHECK_EQ(field(GBL_DESC_R, GBL_OUTP), GBL_REPLACE);
}
