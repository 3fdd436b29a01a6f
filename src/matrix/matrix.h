/* SPDX-License-Identifier: Apache-2.0
 *
 * What the levels above use of this one, and what of it has no header of its own.
 */
#pragma once

#include "core/arrays.h"
#include "kernel_api/device.h"
#include "matrix/derived.h"
#include "matrix/tuples.h"

/* -- copy.c: an object made of another: a copy, what of it is inside another shape, a diagonal
 * matrix */

/* *C shares lists, dense arrays, the compact matrix's likewise, and pending updates with A: O(1).
 * Whoever writes first gets arrays of its own. Tiles are not shared, and the user's arrays are
 * copied. */
gbl_Info gb_matrix_dup(gb_Matrix **C, gb_Matrix *A);
/* *C has one of the representations of A, in arrays of its own. */
gbl_Info gb_matrix_copy(gb_Matrix **C, gb_Matrix *A);
/* Arrays that others have too become copies of A's own. Writers only. */
gbl_Info gb_matrix_own(gb_Matrix *A, gb_Format format);
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
/* Sets GBL_SYMMETRIC (gblite_fields.h). */
gbl_Info gb_matrix_set_symmetric(gb_Matrix *A, int64_t value);
static inline bool gb_is_known_symmetric(const gb_Matrix *A) {
    return gb_is_assembled(A) && gb_symmetry_of(A) == GB_SYMMETRIC;
}
/* Whether the list that A has, by rows or by columns, is both and may be shared: the pattern is
 * known to be symmetric, there is one value, and the arrays are not the user's. */
bool gb_lists_coincide(gb_Matrix *A);
/* Whether every value of A, which is assembled, is true; false where A is empty, not of booleans,
 * or has no list. O(entries) once, up to the first that is not. */
bool gb_is_all_true(gb_Matrix *A);

void gb_matrix_formats(gb_Matrix *A, gbl_Formats *formats);
/* A writer on the host says how it has made A, in one way; without memory nothing does. */
void gb_matrix_explain(gb_Matrix *A, const gbl_Explanation *how);
/* What A would be, or is, in tiles. */
gbl_Info gb_matrix_tiles(gb_Matrix *A, gbl_TileFacts *facts);

/* -- serial.c: a matrix as a block of bytes, and back; the layout is docs/serial_format.md. Handles
 * and NULL pointers were checked by the caller; what the bytes say is checked here */

gbl_Info gb_matrix_serial_size(gb_Matrix *A, gbl_Index *size);
/* *size: in the capacity, out the bytes written. A call that is cancelled may have written some. */
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

/* Whether so many entries of n positions are better held dense, of values of `size` bytes: below,
 * passing over all positions could cost more than sparse forms. Large ones only where they take
 * little more memory. acquire.c */
bool gb_fills_dense(uint64_t nvals, uint64_t n, size_t size);
/* A merge into the list C passes over so many entries: whether such merges have by now cost about
 * what dense arrays will. filled: only where gb_fills_dense. For C's writer, or whoever makes. */
bool gb_merges_repay_dense(gb_Matrix *C, uint64_t entries, bool filled);
/* So many entries of a matrix come or go, by a fold soon: whether C is dense from now on. */
bool gb_edits_make_dense(gb_Matrix *C, uint64_t edits);

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

/* A, which has entries, by flat index: dense where A is, or filled enough that merges make it so
 * (GB_DENSE_ABOVE), else a list. A is not written meanwhile. */
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

/* -- operand.c */

/* Content as kernels read it.
 *
 * Operands are views whose values have the given type, cast into workspace when A's type differs;
 * type NULL: the pattern alone, view.x is NULL. A cast copy belongs to the call and is not cached:
 * a caller that multiplies often should hold the matrix in the right type. Masks are sorted
 * patterns of the true entries. */
typedef struct {
    gb_CsView view;
    void *owned;
    size_t owned_bytes;
} gb_Operand;
gbl_Info gb_operand_get(gb_Operand *operand, gb_Matrix *A, gb_Format format, const gb_Type *type);
/* Entries of a row ascend. */
gbl_Info gb_operand_get_sorted(gb_Operand *operand, gb_Matrix *A, gb_Format format,
                               const gb_Type *type);
/* Only rows that a list names are read (i NULL: all): others have undefined values where those had
 * to be cast. */
gbl_Info gb_operand_get_rows(gb_Operand *operand, gb_Matrix *A, gb_Format format,
                             const gb_Type *type, const gb_CsView *of);
void gb_operand_release(gb_Operand *operand);
typedef struct {
    gb_TileView view;
    gb_Tiles owned; /* values cast, or for a filtered mask all of it */
} gb_TileOperand;
gbl_Info gb_tile_operand_get(gb_TileOperand *operand, gb_Matrix *A, gb_Format format,
                             const gb_Type *type);
void gb_tile_operand_release(gb_TileOperand *operand);
typedef struct {
    gb_DenseView view;
    void *owned;
    size_t owned_bytes;
} gb_DenseOperand;
gbl_Info gb_dense_operand_get(gb_DenseOperand *operand, gb_Matrix *v, const gb_Type *type);
void gb_dense_operand_release(gb_DenseOperand *operand);

/* -- masks */

typedef struct {
    gb_Matrix *M; /* NULL: every position is allowed, or none when complement */
    bool structural, complement, replace;
} gb_Mask;
bool gb_is_true(const gb_Type *type, const void *x); /* as a value of a mask; not of UDTs */
/* Nothing may be written, whatever the values of M, which is assembled. */
bool gb_mask_allows_none(const gb_Mask *mask);
typedef struct {
    gb_CsView view; /* x is NULL */
    gb_Cs owned;    /* filtered copy when the mask is valued and not all true */
} gb_MaskView;
gbl_Info gb_mask_get(gb_MaskView *mask, const gb_Mask *spec, gb_Format format);
void gb_mask_release(gb_MaskView *mask);
gbl_Info gb_tile_mask_get(gb_TileOperand *mask, const gb_Mask *spec); /* as tiles of rows */
/* The same for vectors as bytes: allowed[k] is 1 where the mask (complement applied) lets w(k) be
 * written. */
gbl_Info gb_mask_bytes(int8_t **allowed, const gb_Mask *spec, uint64_t n);

/* So many positions of a vector M, which is assembled, will be looked up. A list in which that was
 * done often becomes a bitmap too, if it has enough entries (GB_SOUGHT_FULL); not having the
 * memory leaves the list. */
void gb_mask_seek(gb_Matrix *M, uint64_t positions);

/* -- sources of maps */

/* A or A' as it exists: the dense form of a vector or matrix, or rows in `format`, which counts the
 * transposition: the CSR arrays of A are the CSC arrays of A'. Nothing is made for an empty A,
 * since row pointers may be larger than memory. */
typedef struct {
    bool is_empty, is_dense;
    gb_Format format;
    gb_CsView cs;
    gb_DenseView dense;
    uint64_t width;  /* columns of `dense` */
    gb_Dense turned; /* what `dense` views where A had to be transposed */
} gb_MapSource;
gbl_Info gb_map_source(gb_MapSource *source, gb_Matrix *A, bool transpose);
/* The same, or the array of a matrix that has only the dense form. Under a mask of few entries A
 * becomes rows, cut to the mask. After a success they release the source, or keep `turned`. */
gbl_Info gb_map_source_or_cells(gb_MapSource *source, gb_Matrix *A, const gb_Mask *mask,
                                bool transpose);

/* -- scratch (lifetime.c) */

/* Workspace of products with vectors that stays with the matrix between calls: a set of positions
 * along a dimension, empty between calls, and values for them, which are not initialised. Clearing
 * an array as long as a dimension would cost more than a small product.
 *
 * A call takes it and gives it back; while it is taken, calls of other threads make their own, of
 * which as many stay as the library has threads. They go when the matrix is written. */
struct gb_Scratch {
    gb_BitSet set;
    uint64_t *memory; /* of the set */
    void *val;
    size_t bytes, val_bytes;
    struct gb_Scratch *next; /* another that waits with the matrix, and how many there are then */
    int behind;
};

/* Along the rows (GB_CSR) or the columns (GB_CSC) of A, with so many bytes of values. */
gbl_Info gb_scratch_take(gb_Scratch **scratch, gb_Matrix *A, gb_Format axis, size_t val_bytes);
/* The set is empty again; NULL is fine. */
void gb_scratch_give(gb_Matrix *A, gb_Format axis, gb_Scratch *scratch);

/* The set of one that was taken gets the entries of a vector, a list (nmajor = 1; of any order
 * where it has no pointers) or a bitmap ... */
void gb_scratch_mark(gb_Scratch *scratch, const gb_CsView *list);
void gb_scratch_mark_bytes(gb_Scratch *scratch, const gb_DenseView *bitmap);
/* ... and is empty again; list->i NULL: it was no list. */
void gb_scratch_unmark(gb_Scratch *scratch, const gb_CsView *list);
/* The values of a list, of so many bytes each, at their positions; the others hold anything. */
void gb_scratch_spread(gb_Scratch *scratch, const gb_CsView *list, size_t size);

/* -- norms.c */

/* Frobenius norms of the tiles of 16 x 16 of a matrix (cuSpAMM, section 3.2), cached with it until
 * it is written: 8 bytes a tile. They are those of the values in exact arithmetic but for rounding
 * (at most 256 units in the last place), also where squares would overflow or vanish; infinite
 * where a tile has an entry that is not finite, or where the norm itself is too large. They depend
 * on the content alone: not on its form, on threads, or on the instruction set. */
/* Content to take norms of, FP64 or FP32: full rows, or tiles. */
typedef struct {
    uint64_t nmajor, nminor;
    bool full, iso, single; /* single: FP32 */
    const void *x;          /* full: [nmajor * nminor], or one where iso */
    gb_TileView tiles;      /* where it is not full */
} gb_NormSource;

/* Tiles whose norms there are: all where it is full. */
uint64_t gb_norms_count(const gb_NormSource *source);
/* norm[gb_norms_count], row of tiles by row of tiles. O(entries). */
void gb_norms_compute(double *norm, const gb_NormSource *source);
/* The same of a source that is the content of A in a format, its values as A holds them: from the
 * cache, or computed under the lock and cached where memory allows it. */
void gb_norms_get(double *norm, gb_Matrix *A, gb_Format format, const gb_NormSource *source);
/* Sums of squares in this range have lost nothing to underflow that counts, and did not overflow.
 */
#define GB_SQUARES_LEAST 1e-270
#define GB_SQUARES_MOST 1e270
static inline bool gb_squares_are_plain(double squares) {
    return squares >= GB_SQUARES_LEAST && squares <= GB_SQUARES_MOST;
}

/* The norm of what is made of parts with these norms. */
double gb_norms_join(const double *norm, uint64_t n);

/* -- index_map.c */

/* Making the map of a list of indices (core/view.h). */
/* Rows or columns that a call names. */
typedef struct {
    const gbl_Index *i; /* [n], each < the dimension; unused when all */
    uint64_t n;         /* when all: the dimension */
    bool all;
} gb_Indices;

/* What a call says by I and ni. */
static inline gb_Indices gb_indices_of(const gbl_Index *i, gbl_Index n, uint64_t dimension) {
    if (i == GBL_ALL) return (gb_Indices){.n = dimension, .all = true};
    return (gb_Indices){.i = i, .n = n};
}
/* Whether each index is larger than the one before it. */
bool gb_indices_ascend(const gb_Indices *indices);

/* The map keeps reading the list. Lists that ascend by one are ranges. `lookups`: how many indices
 * will be looked up; the map then has an array as long as the span where that pays. */
gbl_Info gb_index_map_make(gb_IndexMap *map, const gb_Indices *indices, uint64_t dimension,
                           uint64_t lookups);
/* Only the list: nothing can be looked up, and nothing needs to be freed. */
static inline gb_IndexMap gb_index_list(const gb_Indices *indices, uint64_t dimension) {
    return (gb_IndexMap){.list = indices->all ? NULL : indices->i,
                         .n = indices->n,
                         .span = indices->n,
                         .dimension = dimension,
                         .distinct = indices->n};
}
void gb_index_map_free(gb_IndexMap *map);
