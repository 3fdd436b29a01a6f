/* SPDX-License-Identifier: Apache-2.0
 *
 * How much rows of A have in common, from a few panels of them: of neighbouring rows, and of rows
 * that are alike wherever they are.
 */
#ifndef GB_MXM_PLAN_PANELS_H
#define GB_MXM_PLAN_PANELS_H

#include "core/tune.h"
#include "mxm/machine/cost_table.h"
#include "mxm/plan/features.h"

/* Rows of a panel of the product: 16 for values of 1 or 4 bytes, else 8. */
double gb_panel_lanes(const gb_Features *f);
/* Whether the product may read and make panels that A keeps (matrix/derived.h): A's values, if it
 * reads any, serve as they are, and memory is not limited. */
bool gb_may_keep_panels(const gb_Features *f, const gb_Factor *A);
/* Whether it wants them with values. */
bool gb_panels_have_values(const gb_Factor *A);
/* f->panels, from sorted rows of A and B; flops are counted, flops[m] > 0. At most some ten
 * thousand entries of A are looked at, some 3 ns each, and where rows that are alike are looked for
 * in a product of many flops an entry of A, once all of A's. */
void gb_sample_panels(gb_Features *f, const gb_Operands *in);

/* -- what is shared with alike.c --------------------------------------------------------------- */

enum { GB_MET_BITS = 11, GB_LANES_MOST = 16 }; /* at most half full */
_Static_assert(4 * GB_PANEL_ENTRIES <= 1 << GB_MET_BITS, "a panel's inner indices have places");

/* Inner indices of the panel that is looked at: an index and the panel's number, from 1 on, in one
 * word, so that a table of another panel is an empty one. Open addressing. */
typedef struct {
    uint64_t key[1 << GB_MET_BITS];
} gb_InnerIndices;

/* Where the index is, or would be put. */
static inline unsigned gb_inner_place(const gb_InnerIndices *met, gb_Idx k, uint32_t panel) {
    const uint64_t key = (uint64_t)panel << 32 | k;
    unsigned at = (k * 0x9E3779B9u) >> (32 - GB_MET_BITS);
    while (met->key[at] >> 32 == panel && met->key[at] != key) at = (at + 1) % (1u << GB_MET_BITS);
    return at;
}
static inline bool gb_inner_is_new(gb_InnerIndices *met, gb_Idx k, uint32_t panel) {
    const uint64_t key = (uint64_t)panel << 32 | k;
    const unsigned at = gb_inner_place(met, k, panel);
    if (met->key[at] == key) return false;
    met->key[at] = key;
    return true;
}

/* Some rows of A, those of a panel. */
typedef struct {
    unsigned n;
    gb_Idx row[GB_LANES_MOST];
} gb_PanelRows;

/* Means over panels that were looked at. */
typedef struct {
    const gb_CsView *A, *B;
    gb_InnerIndices *met;
    uint64_t window; /* slots of a window of columns */
    double n, sum, squares, steps, products, hashed, merged, slots;
    double entries,
        inner; /* of A that were looked at; of them, distinct inner indices of a panel */
} gb_PanelMeans;

/* Looks at the panel with that number, from 1 on and another one each time; returns entries of A
 * that were looked at. */
uint64_t gb_look_at_panel(gb_PanelMeans *means, const gb_PanelRows *rows, uint32_t panel);

/* Whether A has the panels united that the product may read. */
bool gb_finds_panels(const gb_Features *f, const gb_Factor *A, bool grouped);

/* alike.c: what f->panels says of grouped rows, from panels of rows that are alike: those of
 * in->A's order where it has one, else such as would be grouped with a few rows. */
void gb_sample_similarity(gb_Features *f, const gb_Operands *in, gb_InnerIndices *met);

#endif
