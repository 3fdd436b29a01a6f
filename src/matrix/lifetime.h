/* SPDX-License-Identifier: Apache-2.0
 *
 * Life and content of an object: made, freed, written.
 */
#ifndef GB_MATRIX_LIFETIME_H
#define GB_MATRIX_LIFETIME_H

#include "matrix/object.h"

gbl_Info gb_matrix_new(gb_Matrix **A, uint64_t magic, gb_Type *type, uint64_t nrows,
                       uint64_t ncols);
void gb_matrix_free(gb_Matrix *A);  /* NULL is fine */
void gb_matrix_clear(gb_Matrix *A); /* no entries, no arrays, no pending */

/* Writers commit here; cannot fail. The arrays (values of A's type) become A's whole content. */
void gb_matrix_set_cs(gb_Matrix *A, gb_Format format, gb_Cs *arrays);
/* The hypersparse content of A, a block of gb_malloc or NULL, in place of the one that it has; its
 * pending updates stay. */
void gb_matrix_swap_hyper(gb_Matrix *A, gb_Hyper *hyper);
/* The content of an object of the same shape and type, as lists or hypersparse, which loses it. */
void gb_matrix_move(gb_Matrix *A, gb_Matrix *from);
void gb_matrix_set_tiles(gb_Matrix *A, gb_Tiles *arrays);
void gb_matrix_set_dense(gb_Matrix *v, gb_Dense *arrays);
void gb_matrix_set_device(gb_Matrix *A, gb_DeviceCs *arrays, uint64_t nvals); /* nvals > 0 */
/* Invalidate every representation but those of `which`, before a writer changes one in place. */
void gb_matrix_keep_only(gb_Matrix *A, unsigned which);
/* The list is valid and sorted, and may be read without the lock. By a writer, or under the lock.
 */
void gb_matrix_set_ready(gb_Matrix *A, gb_Format format);
/* Attach a block of gb_malloc; it is freed with the content. Writers only. */
void gb_matrix_set_note(gb_Matrix *A, gb_Note note);

/* The refusal of what does not work on hypersparse objects. */
gbl_Info gb_fail_hyper(const gb_Matrix *A);
/* That of arrays of pointers, of which there would be one per row or column. */
gbl_Info gb_fail_pointers(const gb_Matrix *A);

/* Put arrays that a reader has replaced aside until the next writer; under the lock. */
gbl_Info gb_matrix_retire(gb_Matrix *A, gb_Cs *arrays);
gbl_Info gb_matrix_retire_tiles(gb_Matrix *A, gb_Tiles *arrays);

#endif
