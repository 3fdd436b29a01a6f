/* SPDX-License-Identifier: Apache-2.0
 *
 * Values of tiles over FP64.
 */
#include "cuda/tiled/tensor.cuh"

#define GB_RINGS_OF_FP64(text) text
#define GB_RINGS_OF_FP32(text)
#define GB_RINGS_OF_INT64(text)
#define GB_RINGS_OF_INT32(text)
#define GB_RINGS_OF_BOOL(text)

gb_TilesRun gb_tile_fp64(int ring) {
    if (ring == GB_RING_PLUS_TIMES_FP64) return gb_run_tensor_tiles<gb_ring_PLUS_TIMES_FP64>;
    switch (ring) {
        GB_FOREACH_RING(GB_TILE_CASE_OF)
    default:
        return NULL;
    }
}
