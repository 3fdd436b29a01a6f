/* SPDX-License-Identifier: Apache-2.0
 *
 * Rows of a representation united by panels (core/panels.h), cached with the matrix until it is
 * written: for panels of 8 and of 16 rows, of neighbours and in the order of groups (groups.h), as
 * products ask for them. 6 bytes and a value an entry, 12 bytes a panel. The second product that
 * could have used them makes them, under the lock, so that a matrix that is multiplied once is not
 * charged; where memory is short there are none. They have values where that product read them;
 * such serve products that read none as well, and are made beside those without, which others may
 * read.
 */
#ifndef GB_MATRIX_PANELS_H
#define GB_MATRIX_PANELS_H

#include "kernel_api/backend.h"
#include "matrix/object.h"

/* Panels of so many rows, of neighbours or grouped, with A's values if these are wanted. */
typedef struct {
    unsigned lanes;
    bool grouped, values;
} gb_PanelKind;

/* Whether there are panels that serve. */
bool gb_panels_at_hand(gb_Matrix *A, gb_Format format, gb_PanelKind kind);
/* The panels of cs[format] that the product reads, in g->order; g->A and g->args are its own
 * arrays. `values`: they are wanted with A's values, and have been cast to no other type. */
gb_PanelView gb_panels_get(gb_Matrix *A, gb_Format format, const gb_MxmArgs *g, bool values);

#endif
