/* SPDX-License-Identifier: Apache-2.0
 *
 * gbl_Explanation_{text,json}, gbl_mxm_method.
 */
#include "api/check.h"
#include "mxm/explain/explain.h"
#include "mxm/methods/methods.h"

/* Whether the library can have filled it: what is used as an index must be one. */
static gbl_Info check_explanation(const gbl_Explanation *how) {
    if (how->ncandidates < 0 || how->ncandidates > GBL_CANDIDATES_MOST || how->chosen < -1 ||
        (how->ncandidates > 0 && how->chosen >= how->ncandidates))
        return gb_fail(GBL_INVALID_VALUE,
                       "explanation has %d candidates of which number %d was chosen; pass one that "
                       "gbl_Matrix_explain, gbl_Vector_explain or gbl_mxm_plan filled",
                       (int)how->ncandidates, (int)how->chosen);
    return GBL_SUCCESS;
}

static gbl_Info write_form(char *buffer, size_t *size, const gbl_Explanation *explanation,
                           gb_ExplainForm form) {
    gbl_Info info = gb_check_init();
    if (info == GBL_SUCCESS) info = gb_check_pointer(size, "size");
    if (info == GBL_SUCCESS)
        info = gb_check_sized(explanation, "explanation", "GBL_EXPLANATION_INIT");
    if (info != GBL_SUCCESS) return info;
    gbl_Explanation how;
    gb_take_sized(&how, sizeof how, explanation);
    info = check_explanation(&how);
    if (info != GBL_SUCCESS) return info;

    gb_Text text = {0};
    form(&text, &how);
    const size_t capacity = *size, needed = text.length + 1;
    *size = needed;
    if (buffer == NULL) return GBL_SUCCESS;
    if (capacity < needed)
        return gb_fail(GBL_INSUFFICIENT_SPACE, "buffer has %llu bytes, but needs %llu",
                       (unsigned long long)capacity, (unsigned long long)needed);
    text = (gb_Text){.to = buffer, .capacity = capacity};
    form(&text, &how);
    return GBL_SUCCESS;
}

gbl_Info gbl_Explanation_text(char *buffer, size_t *size, const gbl_Explanation *explanation) {
    return write_form(buffer, size, explanation, gb_explain_text);
}

gbl_Info gbl_Explanation_json(char *buffer, size_t *size, const gbl_Explanation *explanation) {
    return write_form(buffer, size, explanation, gb_explain_json);
}

gbl_Info gbl_mxm_method(const char **name, gbl_Desc_Value *value, int32_t k) {
    const char *found = k < 0 ? NULL : gb_method_name(k);
    if (found == NULL) return GBL_NO_VALUE;
    if (name != NULL) *name = found;
    if (value != NULL) (void)gb_method_find(value, found);
    return GBL_SUCCESS;
}
