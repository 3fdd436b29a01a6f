/* SPDX-License-Identifier: Apache-2.0
 *
 * gbl_Explanation_{text,json}, gbl_mxm_method, gbl_machine, gbl_calibrate, gbl_calibrate_device.
 */
#include "api/check.h"
#include "mxm/calibrate/calibrate.h"
#include "mxm/explain/explain.h"

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

/* -- the machine */

gbl_Info gbl_machine(gbl_MachineFacts *facts) {
    gbl_MachineFacts found;
    gbl_Info info = gb_check_init();
    if (info == GBL_SUCCESS) info = gb_check_sized(facts, "facts", "GBL_MACHINE_FACTS_INIT");
    if (info != GBL_SUCCESS) return info;
    gb_machine_facts(&found);
    gb_give_sized(facts, &found, sizeof found);
    return GBL_SUCCESS;
}

static gbl_Info check_path(char usual[GB_PATH_MOST], const char *path) {
    if (path == NULL && !gb_machine_path(usual))
        return gb_fail(GBL_INVALID_VALUE,
                       "there is no folder for the calibration: give a path, or set HOME, "
                       "XDG_CONFIG_HOME or GBLITE_CONFIG");
    if (path != NULL && *path == '\0')
        return gb_fail(GBL_INVALID_VALUE,
                       "path is empty; name a file, or give NULL for the usual one");
    return GBL_SUCCESS;
}

gbl_Info gbl_calibrate(const char *path) {
    char usual[GB_PATH_MOST];
    gb_MachineTable measured;
    gbl_Info info = gb_check_init();
    if (info == GBL_SUCCESS) info = check_path(usual, path);
    if (info == GBL_SUCCESS) info = gb_calibrate(&measured);
    if (info == GBL_SUCCESS) info = gb_machine_write(&measured, path != NULL ? path : usual);
    if (info == GBL_SUCCESS) gb_machine_use(&measured);
    return info;
}

/* Known rates of GPUs; none without a file. A file that cannot be read is not replaced: its rates
 * of other GPUs would be lost. */
static gbl_Info read_known(gb_DevicesKnown *known, const char *file) {
    char why[GB_MACHINE_TEXT];
    known->n = 0;
    const gbl_Info info = gb_devices_read(known, file, why);
    if (info == GBL_SUCCESS || info == GBL_NO_VALUE) return GBL_SUCCESS;
    return gb_fail(info,
                   "%.200s: %.150s; make it right, move it away, or calibrate to another file",
                   file, why);
}

gbl_Info gbl_calibrate_device(const char *path) {
    char usual[GB_PATH_MOST], file[GB_PATH_MOST];
    gb_DeviceRates measured;
    gb_DevicesKnown known;
    gbl_Info info = gb_check_init();
    if (info == GBL_SUCCESS) info = check_path(usual, path);
    if (info != GBL_SUCCESS) return info;
    if (!gb_devices_path(file, path != NULL ? path : usual))
        return gb_fail(GBL_INVALID_VALUE, "the path of the calibration is too long");
    info = read_known(&known, file);
    if (info == GBL_SUCCESS) info = gb_calibrate_device(&measured, GB_MEASURE_DEVICE);
    if (info != GBL_SUCCESS) return info;
    gb_devices_add(&known, &measured);
    info = gb_devices_write(&known, file);
    if (info == GBL_SUCCESS) gb_machine_use_devices(&known);
    return info;
}
