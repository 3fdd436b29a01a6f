/* SPDX-License-Identifier: Apache-2.0
 *
 * Values of tiles over FP32.
 */
#include "cuda/tiled/values.cuh"

#define GB_RINGS_OF_FP64(text)
#define GB_RINGS_OF_FP32(text) text
#define GB_RINGS_OF_INT64(text)
#define GB_RINGS_OF_INT32(text)
#define GB_RINGS_OF_BOOL(text)

gb_TilesRun gb_tile_fp32(int ring) {
    switch (ring) {
        GB_FOREACH_RING(GB_TILE_CASE_OF)
    default:
        return NULL;
    }
}
