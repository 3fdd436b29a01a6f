/* SPDX-License-Identifier: Apache-2.0
 *
 * The one way to get at content: assembles pending updates, converts once under the lock, caches,
 * counts.
 *
 * Invariants: views stay valid until the object is next written. Objects of huge dimensions have no
 * views: they are refused here, and callers read their compact matrices (hyper.h). Hypersparse ones
 * of ordinary dimensions get any view.
 */
#ifndef GB_MATRIX_ACQUIRE_H
#define GB_MATRIX_ACQUIRE_H

#include "matrix/object.h"

gbl_Info gb_assemble(gb_Matrix *A);
gbl_Info gb_matrix_nvals(gb_Matrix *A, uint64_t *nvals); /* assembles */
/* Locks A, whose content is then the assembled one with the updates of A->pending, which have an
 * index (updates.h); NULL: they were too many, and are folded. Not after a failure. */
gbl_Info gb_delta_open(gb_Matrix *A);
void gb_delta_close(gb_Matrix *A);
/* How many entries there are, in O(1) where updates are few. */
gbl_Info gb_matrix_count(gb_Matrix *A, uint64_t *nvals);
/* Entries of a row come in any order, or ascending. */
gbl_Info gb_acquire(gb_Matrix *A, gb_Format format, gb_CsView *view);
gbl_Info gb_acquire_sorted(gb_Matrix *A, gb_Format format, gb_CsView *view);
gbl_Info gb_acquire_tiles(gb_Matrix *A, gb_Format format, gb_TileView *view); /* matrices only */
gbl_Info gb_drop_empty_tiles(gb_Matrix *A, gb_Format format); /* of tiles that exist */
/* Vectors, and matrices where gb_may_be_dense. */
gbl_Info gb_acquire_dense(gb_Matrix *v, gb_DenseView *view);
/* A matrix that is held dense alone is held by rows too. */
gbl_Info gb_acquire_rows(gb_Matrix *A);
/* The representation that exists (assembling first): the preferred format if both or none do. */
gbl_Info gb_any_format(gb_Matrix *A, gb_Format preferred, gb_Format *format);
/* Whether A has the format, or it is worth making: all calls so far, and this one with so many
 * nanoseconds, would have saved the conversion. A is assembled. */
bool gb_repays(gb_Matrix *A, gb_Format format, double saving);
/* The representation that suits the density of a vector just written as a whole: a list becomes a
 * bitmap where it takes more than twice the memory, or a full array, since masks, updates and
 * frontiers mostly read entry after entry; a bitmap of few entries becomes a list. Without memory
 * for that the content stays as it is. */
void gb_choose_format(gb_Matrix *w);

/* Assembles; GBL_MATERIALIZE also sorts what exists, drops its empty tiles, and copies to the host
 * what is on the device alone. Adds no other representation. */
gbl_Info gb_matrix_wait(gb_Matrix *A, gbl_WaitMode mode);

#endif
