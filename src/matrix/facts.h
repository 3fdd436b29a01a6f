/* SPDX-License-Identifier: Apache-2.0
 *
 * Facts about the rows of a representation, cached with the matrix until it is written. They depend
 * on the content alone. O(rows) and a sample of the entries, once.
 */
#ifndef GB_MATRIX_FACTS_H
#define GB_MATRIX_FACTS_H

#include "matrix/object.h"

/* Of cs[format]; made when wanted, under the object's lock. */
gbl_Info gb_facts_get(gb_Facts *facts, gb_Matrix *A, gb_Format format);
/* Entries per tile of tiles[format], exact; 0 where there are none. */
gbl_Info gb_facts_of_tiles(double *fill, gb_Matrix *A, gb_Format format);
/* A->symmetry becomes known, from cs[format], which exists, of a square A. O(rows + entries), less
 * where it is not symmetric; two threads at most, 8 bytes a row for each (symmetry.c). */
gbl_Info gb_find_symmetry(gb_Matrix *A, gb_Format format);
static inline gb_Symmetry gb_symmetry_of(const gb_Matrix *A) {
    return (gb_Symmetry)__atomic_load_n(&A->symmetry, __ATOMIC_ACQUIRE);
}
/* Whether every value of A, which is assembled, is true; false where A is empty, not of
 * booleans, or has no list. O(entries) once, up to the first that is
 * not. */
bool gb_is_all_true(gb_Matrix *A);

#endif
