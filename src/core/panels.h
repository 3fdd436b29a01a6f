/* SPDX-License-Identifier: Apache-2.0
 *
 * Rows of a sorted list united by panels, some rows each, as products by panels read them
 * (docs/panel.md): the inner indices that the rows of a panel have together, who has them, and the
 * values, all in the order in which they are read.
 *
 * Encoding: panel q is rows q * lanes to q * lanes + lanes - 1 of the list, or of an order of its
 * rows. Its inner indices k[at[q]] < k[at[q] + 1] < ... are count[q]; bit l of holders[...] says
 * that row l has this one. Of each, the values of the rows that have it follow each other, those of
 * a panel from x + at[q] * size on. A panel has as many places as entries, of which k and holders
 * leave some unused.
 */
#ifndef GB_CORE_PANELS_H
#define GB_CORE_PANELS_H

#include "core/view.h"

typedef struct {
    unsigned lanes;          /* rows of a panel, 8 or 16; 0: there are no panels */
    size_t size;             /* bytes of a value; 0: without values */
    const gb_Off *at;        /* [panels + 1] */
    const gb_Idx *k;         /* [entries] */
    const uint32_t *count;   /* [panels] */
    const uint16_t *holders; /* [entries] */
    const char *x;           /* [entries * size] */
} gb_PanelView;

#endif
