/* SPDX-License-Identifier: Apache-2.0
 *
 * An undirected graph, each edge held once: its vertices are numbered by falling degree, and each
 * lists its neighbours of lower numbers. No list is long then, those of hubs least of all (N.
 * Chiba, T. Nishizeki, Arboricity and subgraph listing algorithms, 1985). Most edges lead to the
 * first vertices, whose lists are held as bits too.
 *
 * Integrity: lists.i[lists.p[v] .. lists.p[v + 1]) are distinct and < v, in no order; vertices
 * without edges have no number. Vertices below 512 * blocks have bits, in panels: panel b is for
 * the neighbours [512 b, 512 b + 512), a line of eight words for each vertex from 512 b on, panel
 * after panel. `bits` begins at a line of the cache.
 */
#ifndef GB_CORE_DEGREE_LOWER_H
#define GB_CORE_DEGREE_LOWER_H

#include "core/bitrows.h"

enum { GB_DEGREE_LOWER_BLOCKS = 32 }; /* at most */

typedef struct {
    gb_CsView lists;  /* a pattern; without arrays there is no such graph */
    uint64_t longest; /* of the lists */
    uint32_t blocks;
    const uint64_t *bits;
} gb_DegreeLower;

/* What a thread that counts triangles takes: a mark for each vertex, and a list. */
static inline uint64_t gb_triangle_bytes(const gb_DegreeLower *graph) {
    return graph->lists.nmajor + graph->longest * sizeof(gb_Idx) + 256;
}

/* Lines before panel b of so many blocks. */
static inline uint64_t gb_panel_lines(uint64_t blocks, uint64_t b) {
    return (blocks * b - b * (b - 1) / 2) * GB_BITS_BLOCK;
}

/* Panel b as if it had a line for vertex 0 too; blocks > b. */
static inline uint64_t gb_panel_start(uint64_t blocks, uint64_t b) {
    return gb_panel_lines(blocks, b) - b * GB_BITS_BLOCK;
}

#endif
