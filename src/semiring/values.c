/* SPDX-License-Identifier: Apache-2.0
 *
 * Moving values of any type: fill, gather.
 *
 * Arrays of user-defined types are aligned as the user's C type is, which may be less than its size
 * suggests; so values move by memcpy of a constant size, which compilers turn into plain moves.
 */
#include <string.h>

#include "semiring/objects.h"

/* -- fill and gather, by size */

#define GB_DEFINE_MOVES(bytes)                                                                     \
    static void gb_fill_##bytes(char *restrict z, const void *x, size_t n) {                       \
        char value[bytes];                                                                         \
        memcpy(value, x, bytes);                                                                   \
        for (size_t k = 0; k < n; k++) memcpy(z + k * bytes, value, bytes);                        \
    }                                                                                              \
    static void gb_gather_##bytes(char *restrict z, const char *restrict x, const uint64_t *at,    \
                                  size_t n) {                                                      \
        for (size_t k = 0; k < n; k++)                                                             \
            if (at[k] != UINT64_MAX) memcpy(z + k * bytes, x + at[k] * bytes, bytes);              \
    }
GB_DEFINE_MOVES(1)
GB_DEFINE_MOVES(2)
GB_DEFINE_MOVES(4)
GB_DEFINE_MOVES(8)
GB_DEFINE_MOVES(16)

void gb_fill(void *z, const void *x, size_t size, size_t n) {
    switch (size) {
    case 1:
        gb_fill_1(z, x, n);
        break;
    case 2:
        gb_fill_2(z, x, n);
        break;
    case 4:
        gb_fill_4(z, x, n);
        break;
    case 8:
        gb_fill_8(z, x, n);
        break;
    case 16:
        gb_fill_16(z, x, n);
        break;
    default:
        for (size_t k = 0; k < n; k++) memcpy((char *)z + k * size, x, size);
    }
}

void gb_gather(void *z, const void *x, const uint64_t *at, size_t size, size_t n) {
    switch (size) {
    case 1:
        gb_gather_1(z, x, at, n);
        break;
    case 2:
        gb_gather_2(z, x, at, n);
        break;
    case 4:
        gb_gather_4(z, x, at, n);
        break;
    case 8:
        gb_gather_8(z, x, at, n);
        break;
    case 16:
        gb_gather_16(z, x, at, n);
        break;
    default:
        for (size_t k = 0; k < n; k++)
            if (at[k] != UINT64_MAX)
                memcpy((char *)z + k * size, (const char *)x + at[k] * size, size);
    }
}
