/* SPDX-License-Identifier: Apache-2.0
 *
 * What the levels above use of this one, and what of it has no header of its own.
 */
#ifndef GB_MATRIX_MATRIX_H
#define GB_MATRIX_MATRIX_H

#include "core/arrays.h"
#include "kernel_api/device.h"
#include "matrix/acquire.h"
#include "matrix/dense.h"
#include "matrix/derived.h"
#include "matrix/norms.h"
#include "matrix/operand.h"
#include "matrix/scratch.h"
#include "matrix/tuples.h"

/* -- copy.c: an object made of another: a copy, what of it is inside another shape, a diagonal
 * matrix */

/* *C shares lists, dense arrays, the compact matrix's likewise, and pending updates with A: O(1).
 * Whoever writes first gets arrays of its own. Tiles are not shared, and the user's arrays are
 * copied. */
gbl_Info gb_matrix_dup(gb_Matrix **C, gb_Matrix *A);
/* *C has one of the representations of A, in arrays of its own. */
gbl_Info gb_matrix_copy(gb_Matrix **C, gb_Matrix *A);
/* Arrays that others have too become copies of A's own; dense ones of objects that have them.
 * Writers only. */
gbl_Info gb_matrix_own(gb_Matrix *A, gb_Format format);
gbl_Info gb_matrix_own_dense(gb_Matrix *A);
/* Entries outside the new shape go. A larger shape keeps forms and pending updates, in amortised
 * O(rows or elements that are new), but for tiles, and dense arrays that get columns. */
gbl_Info gb_matrix_resize(gb_Matrix *A, uint64_t nrows, uint64_t ncols);
/* Entry i of v becomes (i, i + k), or (i - k, i) when k is negative. */
gbl_Info gb_matrix_diag(gb_Matrix **C, gb_Matrix *v, int64_t k);

/* -- facts.c: facts about an object and about the rows of a representation, which depend on the
 * content alone and are kept until the object is written */

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

/* -- serial.c: a matrix as a block of bytes, and back; the layout is docs/serial_format.md. Handles
 * and NULL pointers were checked by the caller; what the bytes say is checked here */

gbl_Info gb_matrix_serial_size(gb_Matrix *A, gbl_Index *size);
/* *size: in the capacity, out the bytes written. After a failure nothing is written. */
gbl_Info gb_matrix_serialize(gb_Matrix *A, void *data, gbl_Index *size);
/* type: NULL, or what the block must hold. After a failure there is no matrix. */
gbl_Info gb_matrix_deserialize(gb_Matrix **A, gb_Type *type, const void *data, uint64_t size);

/* A block that stays where it lies; see gbl_Matrix_map. */
typedef struct {
    const void *data;
    uint64_t size;
    bool check;
    const gbl_Lender *lender;
} gb_MappedBlock;
gbl_Info gb_matrix_map(gb_Matrix **A, gb_Type *type, const gb_MappedBlock *block);

/* -- device.c: copies of a matrix in the memory of the device, by sorted rows, or of a vector,
 * cached beside the representations of the host: repeated products by the same matrix move it once.
 * A copy is dropped when the object is written on the host, or when the device wants its memory */

/* Made once under the lock; with values when they are requested, also later on. The copy is pinned:
 * unpin it after use. */
gbl_Info gb_acquire_device(gb_Matrix *A, gb_Format format, bool values, gb_DeviceCs **copy);
bool gb_on_device(gb_Matrix *A, gb_Format format);
/* The same of a vector, which is made of whichever form it has, and may be empty. */
gbl_Info gb_acquire_device_vector(gb_Matrix *v, gb_DeviceCs **there);
/* With values: a matrix by rows of the format, or a vector. */
gbl_Info gb_acquire_device_operand(gb_Matrix *A, gb_Format format, gb_DeviceCs **copy);
/* What is there, pinned, rows or a vector, is A's content from now on, and nowhere else: its own
 * copy that was written, or a new one, which is A's then. Unpins it; cannot fail. */
void gb_device_becomes(gb_Matrix *A, gb_DeviceCs *there);

#endif
