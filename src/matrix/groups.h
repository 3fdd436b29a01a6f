/* SPDX-License-Identifier: Apache-2.0
 *
 * An order of the rows of a representation in which each eight have many columns in common, cached
 * with the matrix until it is written: 4 bytes a row. Products by panels take rows in it
 * (docs/panel.md). It depends on the pattern alone. Beside it the matrix remembers what products
 * would have been spared by it, and whether it is known that no rows are alike.
 */
#ifndef GB_MATRIX_GROUPS_H
#define GB_MATRIX_GROUPS_H

#include "matrix/object.h"

/* What is known of the groups of the rows of cs[format]; order: NULL where it was not made. */
gb_GroupCache gb_groups_at_hand(gb_Matrix *A, gb_Format format);
/* Their order, made under the lock when it is wanted. O(entries) and sorting rows; 190 bytes a row
 * meanwhile. */
gbl_Info gb_groups_get(const gb_Idx **order, gb_Matrix *A, gb_Format format);
/* A product would have been spared so many seconds; or was found not to have rows that are alike.
 * Without memory it is forgotten. */
void gb_groups_credit(gb_Matrix *A, gb_Format format, double seconds);
void gb_groups_give_up(gb_Matrix *A, gb_Format format);

#endif
