/* SPDX-License-Identifier: Apache-2.0
 *
 * Rows of products over BOOL.
 */
#include "cuda/rowwise/kernels.cuh"

#define GB_RINGS_OF_FP64(text)
#define GB_RINGS_OF_FP32(text)
#define GB_RINGS_OF_INT64(text)
#define GB_RINGS_OF_INT32(text)
#define GB_RINGS_OF_BOOL(text) text

gb_RowsRun gb_numeric_bool(int ring) {
    switch (ring) {
        GB_FOREACH_RING(GB_CASE_OF)
    default:
        return NULL;
    }
}
