/* SPDX-License-Identifier: Apache-2.0
 *
 * See place.h.
 */
#include "kernel_api/place.h"

#include <stdlib.h>
#include <string.h>

#include "core/context.h"
#include "core/status.h"
#include "core/tune_cuda.h"

gbl_Info gb_place_wanted(int *place, bool *asked) {
    static const struct {
        const char *name;
        int value;
    } names[] = {{"cpu", GBL_PLACE_CPU}, {"gpu", GBL_PLACE_GPU}, {"auto", GBL_PLACE_AUTO}};
    *place = gb_place();
    *asked = *place != GBL_PLACE_DEFAULT;
    if (*asked) return GBL_SUCCESS;
    *place = GB_PLACE_UNASKED;
    const char *wanted = getenv("GBLITE_PLACE");
    if (wanted == NULL || *wanted == '\0') return GBL_SUCCESS;
    for (size_t k = 0; k < sizeof names / sizeof names[0]; k++) {
        if (strcmp(wanted, names[k].name) != 0) continue;
        *place = names[k].value;
        *asked = true;
        return GBL_SUCCESS;
    }
    return gb_fail(GBL_INVALID_VALUE, "GBLITE_PLACE is '%.20s'; it must be cpu, gpu or auto",
                   wanted);
}
