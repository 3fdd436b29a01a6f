/* SPDX-License-Identifier: Apache-2.0
 *
 * What the levels above use of this one, and what of it has no header of its own.
 */
#ifndef GB_MATRIX_MATRIX_H
#define GB_MATRIX_MATRIX_H

#include "core/arrays.h"
#include "kernel_api/device.h"
#include "matrix/acquire.h"
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

/* -- dense.c: dense forms, a bitmap or a full array: updates in place, and a matrix as the vector
 * of its flat indices.
 *
 * Invariants: (i, j) has flat index i * ncols + j, the order of the dense form. A gb_FlatVector
 * lives as long as a call, on the stack, and nobody else sees its vector: that of a dense matrix
 * borrows its arrays, that of rows has indices of its own and borrows the values. */

/* -- updates ----------------------------------------------------------------------------------- */

/* Element k becomes *x, or goes when x is NULL, in place. False, and nothing has happened, where
 * the object is not held as dense arrays alone or they cannot take it. For the writer of v, who has
 * no pending updates. O(1). */
bool gb_dense_write(gb_Matrix *v, uint64_t k, const void *x);

/* The entries of the list (nmajor = 1) become v's, their values x of v's type: one for all, or one
 * each. v is dense and not iso, and has no pending updates; the list is not v's own. Other
 * representations go. O(entries of the list); cannot fail. */
void gb_dense_write_list(gb_Matrix *v, const gb_CsView *list, const void *x, bool one);

/* A writer has set values of the dense v, and bytes of its bitmap, of so many elements that were
 * not there. Other representations go. */
void gb_dense_gained(gb_Matrix *v, uint64_t added);

/* Under the lock: the dense arrays take the updates in the order of the calls. */
gbl_Info gb_dense_assemble(gb_Matrix *v, const gb_Pending *list);

/* -- a matrix as a vector ---------------------------------------------------------------------- */

typedef struct {
    gb_Matrix v;
    bool lends_dense, lends_x; /* v's dense arrays, or the values of its list, are the matrix's */
} gb_FlatVector;

/* A, which has entries, by flat index: dense where A is, else a list. A is not written meanwhile.
 */
gbl_Info gb_flat_open(gb_FlatVector *cells, gb_Matrix *A);
/* A structural mask: the pattern of sorted rows. */
gbl_Info gb_flat_of_pattern(gb_FlatVector *cells, const gb_CsView *rows);
/* Frees what was made beside borrowed arrays; does nothing where all is zero. */
void gb_flat_close(gb_FlatVector *cells);

/* Writing: the vector takes the dense arrays of A and gives them back; `written`: A gets what the
 * vector has become. Neither can fail. */
void gb_flat_take(gb_FlatVector *cells, const gb_Matrix *A);
void gb_flat_give(gb_FlatVector *cells, gb_Matrix *A, bool written);

/* Sorted rows become one list of flat indices, and the other way round. On failure they stay. */
gbl_Info gb_flat_from_rows(gb_Cs *cs, uint64_t ncols);
gbl_Info gb_flat_to_rows(gb_Cs *cs, uint64_t nrows, uint64_t ncols);

#endif
