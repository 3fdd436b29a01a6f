/* SPDX-License-Identifier: Apache-2.0
 *
 * Products with vectors over FP32.
 */
#include "cuda/vectors/mxv.cuh"

#define GB_RINGS_OF_FP64(text)
#define GB_RINGS_OF_FP32(text) text
#define GB_RINGS_OF_INT64(text)
#define GB_RINGS_OF_INT32(text)
#define GB_RINGS_OF_BOOL(text)

gb_MxvRun gb_mxv_fp32(int ring) {
    switch (ring) {
        GB_FOREACH_RING(GB_MXV_CASE_OF)
    default:
        return gb_MxvRun{NULL, NULL};
    }
}
