/* SPDX-License-Identifier: Apache-2.0
 *
 * The only file that names the host's kernels. Their table is filled once: kernels for the best
 * instruction set that the processor has, or the one that GBLITE_ISA asks for. The device's table
 * comes from a library of its own (loader.c).
 */
#include "kernel_api/backend.h"

#include <stdlib.h>
#include <string.h>

#include "kernel_api/processor.h"
#include "core/status.h"
#include "core/text.h"
#include "cpu/cpu.h"
#include "cpu/ops/map.h"
#include "cpu/ops/merge.h"
#include "cpu/common/tiles.h"

static gb_Backend host = {
    .transpose = gb_cpu_transpose,
    .sort_rows = gb_cpu_sort_rows,
    .permute = gb_cpu_permute,
    .extract = gb_cpu_extract,
    .assign = gb_cpu_assign,
    .kronecker = gb_cpu_kronecker,
    .mxv_pull = gb_cpu_mxv_pull,
    .mxv_pull_masked = gb_cpu_mxv_pull_masked,
    .make_sell = gb_cpu_make_sell,
    .mxv_has_sell = gb_cpu_mxv_has_sell,
    .mxv_push = gb_cpu_mxv_push,
    .mxv_has_fused = gb_cpu_mxv_has_fused,
    .drop_empty_tiles = gb_cpu_drop_empty_tiles,
    .unite = gb_cpu_unite,
    .intersect = gb_cpu_intersect,
    .filter = gb_cpu_filter,
    .copy_cs = gb_cpu_copy_cs,
    .copy_dense = gb_cpu_copy_dense,
    .turn_dense = gb_cpu_transpose_dense,
    .apply_cs = gb_cpu_apply_cs,
    .apply_dense = gb_cpu_apply_dense,
    .run_steps = gb_cpu_run_steps,
    .select_cs = gb_cpu_select_cs,
    .select_dense = gb_cpu_select_dense,
    .reduce_cs = gb_cpu_reduce_cs,
    .reduce_dense = gb_cpu_reduce_dense,
    .reduce_rows = gb_cpu_reduce_rows,
};

#define DECLARE(name, needs) extern const gb_IsaKernels gb_kernels_##name;
GB_FOREACH_ISA(DECLARE)
#undef DECLARE

#define ENTRY(name, needs) &gb_kernels_##name,
static const gb_IsaKernels *const sets[] = {GB_FOREACH_ISA(ENTRY)};
#undef ENTRY
enum { NSETS = sizeof sets / sizeof *sets };

/* The kernels of the set called name; NULL when the machine or the build lacks it. */
static const gb_IsaKernels *find_kernels(const char *name, unsigned features) {
    for (int k = 0; k < NSETS; k++)
        if (strcmp(name, sets[k]->name) == 0)
            return gb_kernels_run_on(name, features) ? sets[k] : NULL;
    return NULL;
}

/* "portable, avx2 or avx512" */
static void list_sets(char *to, size_t capacity) {
    gb_Text text = {.to = to, .capacity = capacity};
    for (int k = NSETS - 1; k >= 0; k--)
        gb_text_add(&text, "%s%s", k == NSETS - 1 ? "" : k > 0 ? ", " : " or ", sets[k]->name);
}

static gbl_Info no_kernels(void) {
    char names[128];
    list_sets(names, sizeof names);
    return gb_fail(GBL_INVALID_VALUE,
                   "this build has kernels for %s alone, which this processor lacks; configure it "
                   "without GBLITE_ISAS",
                   names);
}

static void use(const gb_IsaKernels *kernels) {
    host.mxm_rowwise = kernels->mxm_rowwise;
    host.mxm_dot = kernels->mxm_dot;
    host.mxm_outer = kernels->mxm_outer;
    host.mxm_spmm = kernels->mxm_spmm;
    host.count_triangles = kernels->count_triangles;
    host.mxm_vector = kernels->mxm_vector;
    host.mxm_panel = kernels->mxm_panel;
    host.mxm_tiled = kernels->mxm_tiled;
    host.mxm_spamm = kernels->mxm_spamm;
    host.count_tiles = kernels->count_tiles;
    host.tiles_from_cs = kernels->tiles_from_cs;
    host.cs_from_tiles = kernels->cs_from_tiles;
    host.sketch_rows = kernels->sketch_rows;
    host.sketch_sizes = kernels->sketch_sizes;
    host.sketch_unite = kernels->sketch_unite;
    host.sketch_columns = kernels->sketch_columns;
    host.group_rows = kernels->group_rows;
    host.keep_panels = kernels->keep_panels;
    host.name = kernels->name;
}

gbl_Info gb_backend_init(void) {
    const unsigned features = gb_processor_features();
    const char *best = gb_best_kernels(features);
    const char *wanted = getenv("GBLITE_ISA");
    if (best == NULL) return no_kernels();
    if (wanted == NULL || *wanted == '\0') wanted = best;
    const gb_IsaKernels *kernels = find_kernels(wanted, features);
    char names[128];
    if (kernels != NULL) {
        use(kernels);
        return GBL_SUCCESS;
    }
    list_sets(names, sizeof names);
    return gb_fail(GBL_INVALID_VALUE,
                   "GBLITE_ISA is '%.20s', which this machine or build lacks; use %s (best here: "
                   "%s)",
                   wanted, names, best);
}

const gb_Backend *gb_backend(void) {
    return &host;
}
