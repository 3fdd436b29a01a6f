/* SPDX-License-Identifier: Apache-2.0
 *
 * The kernels of the host, by name; src/kernel_api/registry.c puts them into the table. Kernels
 * that are compiled once per instruction set are in folders of their method and come as a
 * gb_IsaKernels.
 */
#ifndef GB_CPU_CPU_H
#define GB_CPU_CPU_H

#include "kernel_api/backend.h"

gbl_Info gb_cpu_transpose(const gb_CsView *A, gb_Cs *T, int nthreads);
gbl_Info gb_cpu_transpose_dense(const gb_DenseView *u, uint64_t columns, gb_Dense *z, int nthreads);
gbl_Info gb_cpu_sort_rows(const gb_CsView *A, gb_Cs *T, int nthreads);
gbl_Info gb_cpu_permute(const gb_PermuteArgs *args, const gb_CsView *A, gb_Cs *T);
gbl_Info gb_cpu_extract(const gb_ExtractArgs *args, const gb_CsView *A, gb_Cs *T);
gbl_Info gb_cpu_assign(const gb_AssignArgs *args, gb_Cs *Z);
gbl_Info gb_cpu_kronecker(const gb_KroneckerArgs *args, gb_Cs *T);
gbl_Info gb_cpu_mxv_pull(const gb_PullArgs *g, gb_Dense *w);
gbl_Info gb_cpu_mxv_pull_masked(const gb_PullArgs *g, gb_Cs *w);
bool gb_cpu_make_sell(const gb_CsView *A, void *block, void *values, size_t size, gb_SellView *view,
                      int nthreads);
bool gb_cpu_mxv_has_sell(int ring);
gbl_Info gb_cpu_mxv_push(const gb_PushArgs *g, gb_Cs *w);
bool gb_cpu_mxv_has_fused(int ring);

typedef struct {
    const char *name;
    gbl_Info (*mxm_rowwise)(const gb_MxmArgs *args, gb_Cs *T, gb_MxmStats *stats);
    gbl_Info (*mxm_dot)(const gb_MxmArgs *args, gb_Cs *T, gb_MxmStats *stats);
    gbl_Info (*mxm_outer)(const gb_MxmArgs *args, gb_Cs *T, gb_MxmStats *stats);
    gbl_Info (*mxm_spmm)(const gb_MxmArgs *args, gb_Cs *T, gb_MxmStats *stats);
    gbl_Info (*count_triangles)(const gb_TriangleArgs *args, uint64_t *triangles);
    gbl_Info (*mxm_vector)(const gb_MxmArgs *args, gb_Cs *T, gb_MxmStats *stats);
    gbl_Info (*mxm_panel)(const gb_MxmArgs *args, gb_Cs *T, gb_MxmStats *stats);
    gbl_Info (*mxm_tiled)(const gb_TiledArgs *args, gb_Tiles *T, gb_TiledStats *stats);
    gbl_Info (*mxm_spamm)(const gb_SpammArgs *args, gb_Cs *cs, gb_Tiles *tiles,
                          gb_SpammStats *stats);
    gbl_Info (*count_tiles)(const gb_CsView *A, uint64_t *tiles, int nthreads);
    gbl_Info (*tiles_from_cs)(const gb_CsView *A, gb_Tiles *T, int nthreads);
    gbl_Info (*cs_from_tiles)(const gb_TileView *A, gb_Cs *C, int nthreads);
    void (*sketch_rows)(const gb_CsView *B, unsigned registers, uint8_t *S, int nthreads);
    void (*sketch_sizes)(const gb_SketchArgs *args);
    void (*sketch_unite)(const gb_UniteArgs *args);
    void (*sketch_columns)(const gb_CsView *A, unsigned registers, uint8_t *S, int nthreads);
    gbl_Info (*group_rows)(const gb_CsView *A, gb_Idx *order, int nthreads);
    bool (*keep_panels)(const gb_MxmArgs *g, void *block, gb_PanelView *view);
} gb_IsaKernels; /* gb_kernels_portable and so on, made by isa/table.c */

#endif
