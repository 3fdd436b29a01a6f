/* SPDX-License-Identifier: Apache-2.0
 *
 * Outer products over INT32.
 */
#include "cuda/outer_values.cuh"

#define GB_RINGS_OF_FP64(text)
#define GB_RINGS_OF_FP32(text)
#define GB_RINGS_OF_INT64(text)
#define GB_RINGS_OF_INT32(text) text
#define GB_RINGS_OF_BOOL(text)

gb_OuterRun gb_outer_int32(int ring) {
    switch (ring) {
        GB_FOREACH_RING(GB_OUTER_CASE_OF)
    default:
        return gb_OuterRun{NULL, NULL};
    }
}
