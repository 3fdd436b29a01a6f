/* SPDX-License-Identifier: Apache-2.0
 *
 * See label.h.
 */
#include "core/label.h"

#include <string.h>

#include "core/memory.h"
#include "core/status.h"

void gb_name_free(char *name) {
    if (name != NULL) gb_free(name, strlen(name) + 1);
}

static gbl_Info copy(char **made, const char *text) {
    const size_t bytes = strlen(text) + 1;
    *made = gb_malloc(bytes);
    if (*made == NULL) return gb_fail_memory(bytes);
    memcpy(*made, text, bytes);
    return GBL_SUCCESS;
}

gbl_Info gb_name_set(char **name, const char *text) {
    char *made;
    const gbl_Info info = copy(&made, text);
    if (info != GBL_SUCCESS) return info;
    gb_name_free(*name);
    *name = made;
    return GBL_SUCCESS;
}

gbl_Info gb_name_set_once(char **name, const char *text) {
    char *made, *none = NULL;
    const gbl_Info info = copy(&made, text);
    if (info != GBL_SUCCESS) return info;
    if (__atomic_compare_exchange_n(name, &none, made, false, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE))
        return GBL_SUCCESS;
    gb_name_free(made);
    return gb_fail(GBL_ALREADY_SET, "the name is '%.60s' already; it can be set once", none);
}
