/* SPDX-License-Identifier: Apache-2.0
 *
 * The only file that names the backends. The host's table is filled once: kernels for the best
 * instruction set that the processor has, or the one that GBLITE_ISA asks for.
 */
#include "backend/device.h"

#include <stdlib.h>
#include <string.h>

#include "core/status.h"
#include "cpu/cpu.h"
#include "cpu/map.h"
#include "cpu/merge.h"
#include "cpu/tiles.h"
#include "cuda/cuda.h"

static gb_Backend host = {
    .transpose = gb_cpu_transpose,
    .sort_rows = gb_cpu_sort_rows,
    .drop_empty_tiles = gb_cpu_drop_empty_tiles,
    .unite = gb_cpu_unite,
    .intersect = gb_cpu_intersect,
    .filter = gb_cpu_filter,
    .copy_cs = gb_cpu_copy_cs,
    .copy_dense = gb_cpu_copy_dense,
    .apply_cs = gb_cpu_apply_cs,
    .apply_dense = gb_cpu_apply_dense,
    .select_cs = gb_cpu_select_cs,
    .select_dense = gb_cpu_select_dense,
    .reduce_cs = gb_cpu_reduce_cs,
    .reduce_dense = gb_cpu_reduce_dense,
    .reduce_rows = gb_cpu_reduce_rows,
};

static bool has_avx2(void) {
#if defined(__x86_64__)
    return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") &&
           __builtin_cpu_supports("bmi") && __builtin_cpu_supports("bmi2") &&
           __builtin_cpu_supports("popcnt");
#else
    return false;
#endif
}

static bool has_avx512(void) {
#if defined(__x86_64__)
    return has_avx2() && __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
           __builtin_cpu_supports("avx512cd") && __builtin_cpu_supports("avx512dq") &&
           __builtin_cpu_supports("avx512vl");
#else
    return false;
#endif
}

/* The kernels of the set called name; NULL when the machine or the build lacks it. */
static const gb_IsaKernels *find_kernels(const char *name) {
#if defined(__x86_64__)
    if (strcmp(name, "avx512") == 0 && has_avx512()) return &gb_kernels_avx512;
    if (strcmp(name, "avx2") == 0 && has_avx2()) return &gb_kernels_avx2;
#endif
    return strcmp(name, "portable") == 0 ? &gb_kernels_portable : NULL;
}

static void use(const gb_IsaKernels *kernels) {
    host.mxm_rowwise = kernels->mxm_rowwise;
    host.mxm_dot = kernels->mxm_dot;
    host.mxm_outer = kernels->mxm_outer;
    host.mxm_tiled = kernels->mxm_tiled;
    host.count_tiles = kernels->count_tiles;
    host.tiles_from_cs = kernels->tiles_from_cs;
    host.cs_from_tiles = kernels->cs_from_tiles;
    host.sketch_rows = kernels->sketch_rows;
    host.sketch_sizes = kernels->sketch_sizes;
    host.sketch_unite = kernels->sketch_unite;
    host.sketch_columns = kernels->sketch_columns;
    host.mxv_pull = kernels->mxv_pull;
    host.mxv_push = kernels->mxv_push;
    host.mxv_push_sorted = kernels->mxv_push_sorted;
    host.mxv_pull_tiles = kernels->mxv_pull_tiles;
    host.mxv_push_tiles = kernels->mxv_push_tiles;
    host.name = kernels->name;
}

gbl_Info gb_backend_init(void) {
    const char *best = has_avx512() ? "avx512" : has_avx2() ? "avx2" : "portable";
    const char *wanted = getenv("GBLITE_ISA");
    if (wanted == NULL || *wanted == '\0') wanted = best;
    const gb_IsaKernels *kernels = find_kernels(wanted);
    if (kernels == NULL)
        return gb_fail(GBL_INVALID_VALUE, NULL,
                       "GBLITE_ISA is '%.20s', which this machine or build lacks; use portable, "
                       "avx2 or avx512 (best here: %s)",
                       wanted, best);
    use(kernels);
    return GBL_SUCCESS;
}

const gb_Backend *gb_backend(void) {
    return &host;
}

const gb_Device *gb_device(void) {
    return &gb_cuda_device;
}
