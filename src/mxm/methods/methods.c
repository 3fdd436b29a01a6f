/* SPDX-License-Identifier: Apache-2.0
 *
 * The table of methods: one line for each variant of each method on each device.
 */
#include "mxm/model/method.h"

/* Rows that a program adds to its own copy of the table; the library has none (test/toy). */
#ifndef GB_MORE_METHODS
#define GB_MORE_METHODS(METHOD)
#define METHOD_OF_FEW (&gb_method_rowwise_upper_bound)
#else
#define METHOD_OF_FEW NULL
#endif

#define GB_FOREACH_METHOD(METHOD)                                                                  \
    METHOD(rowwise_upper_bound) /* Gustavson 1978; workflows of Ocean (ICS '26) */                 \
    METHOD(rowwise_estimate)                                                                       \
    METHOD(rowwise_symbolic)                                                                       \
    METHOD(outer) /* PB-SpGEMM (IPDPS '20) */                                                      \
    METHOD(tiled) /* TileSpGEMM (PPoPP '22) */                                                     \
    METHOD(dot)                                                                                    \
    METHOD(spmm)                                                                                   \
    METHOD(spmm_left)                                                                              \
    METHOD(vector) /* long-vector SpGEMM */                                                        \
    METHOD(panel)  /* ours */                                                                      \
    METHOD(panel_grouped)                                                                          \
    METHOD(spamm_tiles) /* SpAMM, cuSpAMM (2021) */                                                \
    METHOD(spamm_full)                                                                             \
    METHOD(rowwise_gpu) /* Ocean (ICS '26) */                                                      \
    METHOD(tiled_gpu)   /* TileSpGEMM (PPoPP '22) */                                               \
    METHOD(dot_gpu)                                                                                \
    METHOD(spamm_gpu)                                                                              \
    GB_MORE_METHODS(METHOD)

#define DECLARE(name) extern const gb_Method gb_method_##name;
GB_FOREACH_METHOD(DECLARE)
#undef DECLARE

#define ENTRY(name) &gb_method_##name,
const gb_Method *const gb_methods[] = {GB_FOREACH_METHOD(ENTRY)};
#undef ENTRY
const gb_Method *const gb_method_of_small = METHOD_OF_FEW;
const int gb_nmethods = sizeof gb_methods / sizeof gb_methods[0];
_Static_assert(sizeof gb_methods / sizeof gb_methods[0] <= GBL_CANDIDATES_MOST,
               "explanations list every method");

bool gb_method_find(gbl_Desc_Value *value, const char *name) {
    for (int k = 0; k < gb_nmethods; k++) {
        if (strcmp(gb_methods[k]->name, name) != 0) continue;
        *value = gb_methods[k]->method;
        return true;
    }
    return false;
}

static bool is_first_of_its_name(int k) {
    for (int j = 0; j < k; j++)
        if (strcmp(gb_methods[j]->name, gb_methods[k]->name) == 0) return false;
    return true;
}

const char *gb_method_name(int k) {
    for (int j = 0; j < gb_nmethods; j++)
        if (is_first_of_its_name(j) && k-- == 0) return gb_methods[j]->name;
    return NULL;
}

bool gb_method_exists(int value) {
    for (int k = 0; k < gb_nmethods; k++)
        if ((int)gb_methods[k]->method == value) return true;
    return false;
}
