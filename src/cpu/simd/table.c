/* SPDX-License-Identifier: Apache-2.0
 *
 * The kernels of one instruction set.
 */
#include "cpu/cpu.h"
#include "cpu/simd/isa.h"

gbl_Info GB_ISA_NAME(gb_mxm_rowwise)(const gb_MxmArgs *g, gb_Cs *T, gb_MxmStats *stats);
gbl_Info GB_ISA_NAME(gb_mxm_dot)(const gb_MxmArgs *g, gb_Cs *T, gb_MxmStats *stats);
gbl_Info GB_ISA_NAME(gb_mxm_outer)(const gb_MxmArgs *g, gb_Cs *T, gb_MxmStats *stats);
gbl_Info GB_ISA_NAME(gb_mxm_spmm)(const gb_MxmArgs *g, gb_Cs *T, gb_MxmStats *stats);
gbl_Info GB_ISA_NAME(gb_count_triangles)(const gb_TriangleArgs *g, uint64_t *triangles);
gbl_Info GB_ISA_NAME(gb_mxm_vector)(const gb_MxmArgs *g, gb_Cs *T, gb_MxmStats *stats);
gbl_Info GB_ISA_NAME(gb_mxm_panel)(const gb_MxmArgs *g, gb_Cs *T, gb_MxmStats *stats);
gbl_Info GB_ISA_NAME(gb_mxm_tiled)(const gb_TiledArgs *g, gb_Tiles *T, gb_TiledStats *stats);
gbl_Info GB_ISA_NAME(gb_mxm_spamm)(const gb_SpammArgs *g, gb_Cs *cs, gb_Tiles *tiles,
                                   gb_SpammStats *stats);
gbl_Info GB_ISA_NAME(gb_count_tiles)(const gb_CsView *A, uint64_t *tiles, int nthreads);
gbl_Info GB_ISA_NAME(gb_tiles_from_cs)(const gb_CsView *A, gb_Tiles *T, int nthreads);
gbl_Info GB_ISA_NAME(gb_cs_from_tiles)(const gb_TileView *A, gb_Cs *C, int nthreads);
void GB_ISA_NAME(gb_sketch_rows)(const gb_CsView *B, unsigned registers, uint8_t *S, int nthreads);
void GB_ISA_NAME(gb_sketch_sizes)(const gb_SketchArgs *s);
void GB_ISA_NAME(gb_sketch_unite)(const gb_UniteArgs *u);
void GB_ISA_NAME(gb_sketch_columns)(const gb_CsView *A, unsigned registers, uint8_t *S,
                                    int nthreads);
gbl_Info GB_ISA_NAME(gb_group_rows)(const gb_CsView *A, gb_Idx *order, int nthreads);
bool GB_ISA_NAME(gb_keep_panels)(const gb_MxmArgs *g, void *block, gb_PanelView *view);

#define TEXT2(x) #x
#define TEXT(x) TEXT2(x)
extern const gb_IsaKernels GB_ISA_NAME(gb_kernels);
const gb_IsaKernels GB_ISA_NAME(gb_kernels) = {
    .name = TEXT(GB_ISA),
    .mxm_rowwise = GB_ISA_NAME(gb_mxm_rowwise),
    .mxm_dot = GB_ISA_NAME(gb_mxm_dot),
    .mxm_outer = GB_ISA_NAME(gb_mxm_outer),
    .mxm_spmm = GB_ISA_NAME(gb_mxm_spmm),
    .count_triangles = GB_ISA_NAME(gb_count_triangles),
    .mxm_vector = GB_ISA_NAME(gb_mxm_vector),
    .mxm_panel = GB_ISA_NAME(gb_mxm_panel),
    .mxm_tiled = GB_ISA_NAME(gb_mxm_tiled),
    .mxm_spamm = GB_ISA_NAME(gb_mxm_spamm),
    .count_tiles = GB_ISA_NAME(gb_count_tiles),
    .tiles_from_cs = GB_ISA_NAME(gb_tiles_from_cs),
    .cs_from_tiles = GB_ISA_NAME(gb_cs_from_tiles),
    .sketch_rows = GB_ISA_NAME(gb_sketch_rows),
    .sketch_sizes = GB_ISA_NAME(gb_sketch_sizes),
    .sketch_unite = GB_ISA_NAME(gb_sketch_unite),
    .sketch_columns = GB_ISA_NAME(gb_sketch_columns),
    .group_rows = GB_ISA_NAME(gb_group_rows),
    .keep_panels = GB_ISA_NAME(gb_keep_panels),
};
