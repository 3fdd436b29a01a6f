/* SPDX-License-Identifier: Apache-2.0
 *
 * Memory limits as tight as can be. A call says how much it needs when it knows: first to count its
 * products, then for the way that it has chosen, then for tiles; so it may be asked a few times.
 */
#include "support/gb_test.h"

#include <stdlib.h>
#include <string.h>

enum { ROUNDS = 6 };

static int64_t wanted_bytes(void) {
    const char *text = strstr(gbl_last_error(), "needs ");
    cr_assert(text != NULL, "'%s' does not say what is needed", gbl_last_error());
    return atoll(text + strlen("needs "));
}

int64_t t_with_least_memory(gbl_Info (*call)(void *context), void *context) {
    int64_t limit = 1;
    for (int round = 0; round < ROUNDS; round++) {
        OK(gbl_Global_set_INT64(GBL_GLOBAL, limit, GBL_MEMORY_LIMIT));
        const gbl_Info info = call(context);
        OK(gbl_Global_set_INT64(GBL_GLOBAL, 0, GBL_MEMORY_LIMIT));
        if (info == GBL_SUCCESS) return limit;
        cr_assert(info == GBL_OUT_OF_MEMORY, "%d: %s", (int)info, gbl_last_error());
        const int64_t wanted = wanted_bytes();
        cr_assert(wanted > limit, "'%s' with a limit of %lld", gbl_last_error(), (long long)limit);
        limit = wanted;
    }
    cr_assert_fail("the limits that messages ask for do not suffice: %s", gbl_last_error());
    return 0;
}
