/* SPDX-License-Identifier: Apache-2.0
 *
 * Facts about an object and about the rows of a representation. They depend on the content alone
 * and are kept until the object is written.
 */
#ifndef GB_MATRIX_FACTS_H
#define GB_MATRIX_FACTS_H

#include "matrix/object.h"

/* Of the rows of cs[format]. O(rows) and a sample of the entries, once. */
gbl_Info gb_facts_get(gb_Facts *facts, gb_Matrix *A, gb_Format format);
/* Entries per tile of tiles[format], exact; 0 where there are none. */
gbl_Info gb_facts_of_tiles(double *fill, gb_Matrix *A, gb_Format format);
/* A->symmetry becomes known, from cs[format], which exists, of a square A. O(rows + entries), less
 * where it is not symmetric; two threads at most, 8 bytes a row for each. */
gbl_Info gb_find_symmetry(gb_Matrix *A, gb_Format format);
static inline gb_Symmetry gb_symmetry_of(const gb_Matrix *A) {
    return (gb_Symmetry)__atomic_load_n(&A->symmetry, __ATOMIC_ACQUIRE);
}
/* Whether every value of A, which is assembled, is true; false where A is empty, not of booleans,
 * or has no list. O(entries) once, up to the first that is not. */
bool gb_is_all_true(gb_Matrix *A);

void gb_matrix_formats(gb_Matrix *A, gbl_Formats *formats);
/* What A would be, or is, in tiles. */
gbl_Info gb_matrix_tiles(gb_Matrix *A, gbl_TileFacts *facts);

#endif
