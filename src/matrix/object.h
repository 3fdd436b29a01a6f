/* SPDX-License-Identifier: Apache-2.0
 *
 * The object behind gbl_Matrix and gbl_Vector: a set of representations of the same content. Only
 * this level sees it; kernels get views.
 *
 * Invariants (test/matrix/check.c verifies them):
 *   - `has` is the set of representations that are valid (GBL_HAS_ bits). All valid ones hold the
 *     same nvals entries. has == 0 means: no assembled entries, and no arrays. (An empty matrix may
 *     get an array of zero pointers when a reader needs one.)
 *   - cs[GB_CSR] has nmajor = nrows, cs[GB_CSC] has nmajor = ncols. A vector is an n x 1 matrix:
 *     its list of entries is cs[GB_CSC].
 *   - `dense` is the bitmap or full array, row after row: (i, j) is at i * ncols + j. A matrix has
 *     it where gb_may_be_dense; see matrix.h.
 *   - Full iso: GBL_HAS_FULL and iso. Every position holds the one value of `dense`; so may objects
 *     of any dimension, whose dense.n and nvals are GB_NVALS_MOST where there are more positions.
 *   - tiles[GB_CSR] are the tiles of A, tiles[GB_CSC] those of A' (matrices only).
 *   - GBL_HAS_DEVICE: the result in device[GB_CSR] (vectors: device[GB_CSC]) is all that there is;
 *     no other bit is set then. When the host needs the content it becomes cs[GB_CSR] (vectors:
 *     `dense`), and what is on the device is a copy like others, which may be dropped there at any
 *     time.
 *   - iso: every valid representation holds one value for all entries (all of them or none).
 *   - `hyper`: the content as a compact matrix with row lists (hyper.h). Objects of a dimension
 *     above GB_COMPACT_MAX have no other form, so has == 0, unless they are full iso; others may
 *     get forms beside it, for operations with operands that are not hypersparse.
 *   - `pending` holds setElement and removeElement calls since the last assembly, in order. They
 *     come after the assembled content: the later call wins. Blocking calls leave none.
 *   - Readers may add representations, assemble, sort and drop empty tiles, one at a time: whoever
 *     does holds `making`. `lock` is held for the few instructions that change the object (longer
 *     where updates are assembled), so a reader who finds what it wants waits for nobody. Both are
 *     taken in this order. Readers never change arrays that another may be looking at: what they
 *     replace goes to `retired` and is freed by the next writer. A writer owns the object.
 *   - In a child of fork(), a stale `making` is taken over: the object is whole. One whose `lock`
 *     is held by a thread that is gone, and that did not only read, or that such a thread was
 *     `writing`, is lost (gb_find_lost): it may only be freed.
 *   - `ready` names lists that are valid and sorted: no reader replaces them, so while nothing is
 *     pending they are read without the lock, like `dense`. gb_matrix_keep_only clears it.
 *   - Facts, credits, derived forms (derived.h), copies on the device, scratch and the note of how
 *     the content was computed belong to the content: gb_matrix_keep_only drops all of them.
 */
#pragma once

#include "core/arrays.h"
#include "core/text.h"
#include "core/call.h"
#include "core/lock.h"
#include "core/memory.h"
#include "matrix/row_list.h"
#include "semiring/algebra.h"

#define GB_MAGIC_MATRIX 0x67626d6174720001u
#define GB_MAGIC_VECTOR 0x6762766563740001u
#define GB_MAGIC_LOST_MATRIX 0x67626d6174720002u
#define GB_MAGIC_LOST_VECTOR 0x6762766563740002u

typedef enum { GB_CSR = 0, GB_CSC = 1 } gb_Format;

typedef struct gb_Pending gb_Pending;   /* updates.h */
typedef struct gb_Retired gb_Retired;   /* lifetime.c */
typedef struct gb_DeviceCs gb_DeviceCs; /* kernel_api/device.h */
typedef struct gb_Derived gb_Derived;   /* derived.h */
typedef struct gb_Scratch gb_Scratch;   /* matrix.h */
typedef struct gb_Deferred gb_Deferred; /* ops/deferred.h */

/* Of the rows of a representation; see matrix.h. */
typedef struct {
    bool known;
    bool runs, adjacent; /* how columns come; see core/view.h */
    uint32_t longest;    /* entries of the longest row */
    uint64_t rows_used;  /* rows with entries */
    double squares;      /* sum of the squares of the rows' lengths */
    double fill;         /* entries per tile of 16 x 16, from a sample */
} gb_Facts;

/* What the level that wrote the content attached to it; this level only frees it. `tell` makes a
 * gbl_Explanation of the block on request; NULL: it is one. */
typedef struct {
    void *block;
    size_t bytes;
    void (*tell)(void *explanation, const void *block);
} gb_Note;

/* Whether the pattern of a matrix is that of its transpose, or lies on one side of the main
 * diagonal: below it or above, without it. */
typedef enum { GB_SYMMETRY_UNKNOWN, GB_SYMMETRIC, GB_LOWER, GB_UPPER, GB_UNSYMMETRIC } gb_Symmetry;

/* Whether a matrix has entries on its main diagonal; those that have are not remembered. */
typedef enum { GB_DIAGONAL_UNKNOWN, GB_DIAGONAL_EMPTY } gb_Diagonal;

/* Whether all values of a matrix of booleans are true. */
typedef enum { GB_TRUTH_UNKNOWN, GB_ALL_TRUE, GB_NOT_ALL_TRUE } gb_Truth;

/* The content of a hypersparse object; see hyper.h. */
typedef struct {
    gb_RowList *rows, *cols; /* cols: NULL for vectors */
    struct gb_Matrix *core;
} gb_Hyper;

/* Copies of the content from the device to the host. */
typedef struct {
    uint64_t bytes;
    double seconds;
} gb_Transfer;

typedef struct gb_Matrix {
    uint64_t magic; /* GB_MAGIC_MATRIX or GB_MAGIC_VECTOR */
    gb_Type *type;
    uint64_t nrows, ncols;
    uint64_t nvals; /* of the assembled content */
    uint16_t has;   /* atomic, GBL_HAS_ bits */
    bool iso;
    uint8_t symmetry; /* atomic; a gb_Symmetry */
    uint8_t truth;    /* atomic; a gb_Truth */
    uint8_t diagonal; /* atomic; a gb_Diagonal */
    uint8_t ready;    /* atomic, GBL_HAS_ bits of lists; see above */
    uint8_t unjoined; /* atomic; products deferred in vain with this as mask; lazy/fused_assign.c */
    gb_Cs cs[2];
    gb_Tiles tiles[2];
    gb_Dense dense;
    gb_Hyper *hyper; /* atomic: readers assemble */
    gb_Pending *pending;
    gb_Retired *retired;
    uint64_t conversions;
    uint64_t demand[2];     /* atomic; ns that calls would have saved by having cs[format] */
    uint64_t pushed;        /* atomic; products that calls sorted for want of scratch */
    uint64_t merged;        /* entries merged while this was a list; see matrix.h */
    uint64_t sought;        /* atomic; positions looked up in this list as a mask; see matrix.h */
    gb_Scratch *scratch[2]; /* atomic; along rows, along columns */
    gb_Note note;           /* under the lock */
    gb_Transfer fetched;    /* under the lock; since the content was written */
    gb_Facts facts[2];      /* under the lock; of the rows of cs[format] */
    gb_Derived *derived;    /* under the lock; see derived.h */
    gb_DeviceCs *device[2]; /* under the lock; on the device: rows of cs[format], or NULL */
    gb_Deferred *deferred;  /* atomic: a deferred product, of which this is a part */
    gb_Label label;
    gb_Error error; /* of the last call with this as output; written under the lock */
    gb_Lock lock, making;
    gb_Lock writing; /* nobody waits for it: a thread of this or an earlier process writes this */
} gb_Matrix;

_Static_assert(sizeof(gb_Matrix) <= 1032, "malloc keeps no larger blocks at hand");

struct gbl_Matrix_opaque {
    gb_Matrix m;
};
struct gbl_Vector_opaque {
    gb_Matrix m;
};

/* The valid representations of an object that other threads may be reading too. */
static inline unsigned gb_has(const gb_Matrix *A) {
    return __atomic_load_n(&A->has, __ATOMIC_ACQUIRE);
}
static inline unsigned gb_has_bit(gb_Format format) {
    return format == GB_CSR ? GBL_HAS_CSR : GBL_HAS_CSC;
}
static inline gb_Format gb_other(gb_Format format) {
    return format == GB_CSR ? GB_CSC : GB_CSR;
}
/* The form of A that is op(A) in this one. */
static inline gb_Format gb_turned(gb_Format format, bool transposed) {
    return transposed ? gb_other(format) : format;
}
/* GBL_HAS_TILE16 for tiles of A; tiles of A' are an internal matter, the last bit of `has`. */
enum { GB_HAS_TILES_OF_COLUMNS = 1 << 15, GB_HAS_LISTS = GBL_HAS_CSR | GBL_HAS_CSC };
static inline unsigned gb_tiles_bit(gb_Format format) {
    return format == GB_CSR ? (unsigned)GBL_HAS_TILE16 : (unsigned)GB_HAS_TILES_OF_COLUMNS;
}
/* The content exists as tiles and in no other form. */
static inline bool gb_only_tiles(const gb_Matrix *A) {
    const unsigned has = gb_has(A);
    return (has & (GBL_HAS_TILE16 | GB_HAS_TILES_OF_COLUMNS)) != 0 && (has & GB_HAS_LISTS) == 0;
}
/* It exists, but not as the lists that some operations work on. */
static inline bool gb_has_no_list(const gb_Matrix *A) {
    return gb_only_tiles(A) || gb_has(A) == GBL_HAS_DEVICE;
}
/* Which of `device` content that is nowhere else is. */
static inline gb_Format gb_device_format(const gb_Matrix *A) {
    return A->magic == GB_MAGIC_VECTOR ? GB_CSC : GB_CSR;
}
static inline uint64_t gb_nmajor(const gb_Matrix *A, gb_Format format) {
    return format == GB_CSR ? A->nrows : A->ncols;
}
static inline uint64_t gb_nminor(const gb_Matrix *A, gb_Format format) {
    return format == GB_CSR ? A->ncols : A->nrows;
}
/* A dimension is beyond the numbers of kernels. */
static inline bool gb_is_huge(const gb_Matrix *A) {
    return A->nrows > GB_COMPACT_MAX || A->ncols > GB_COMPACT_MAX;
}
static inline bool gb_is_hyper(const gb_Matrix *A) {
    return gb_is_huge(A) || __atomic_load_n(&A->hyper, __ATOMIC_RELAXED) != NULL;
}
static inline bool gb_is_vector(const gb_Matrix *A) {
    return A->magic == GB_MAGIC_VECTOR;
}
static inline bool gb_is_dense(const gb_Matrix *v) {
    return (gb_has(v) & (GBL_HAS_BITMAP | GBL_HAS_FULL)) != 0;
}
/* Whether 32-bit indices reach every position. */
static inline bool gb_may_be_dense(const gb_Matrix *A) {
    return A->ncols == 0 || A->nrows <= GB_COMPACT_MAX / A->ncols;
}
static inline uint64_t gb_flat_size(const gb_Matrix *A) {
    return A->nrows * A->ncols;
}
#define GB_NVALS_MOST UINT64_MAX
/* Positions of an object of any dimension, at most GB_NVALS_MOST. */
static inline uint64_t gb_positions(const gb_Matrix *A) {
    uint64_t n;
    return __builtin_mul_overflow(A->nrows, A->ncols, &n) ? GB_NVALS_MOST : n;
}
static inline uint64_t gb_flat_index(const gb_Matrix *A, uint64_t row, uint64_t column) {
    return row * A->ncols + column;
}
/* Arrays that were lent by the user are among A's. */
static inline bool gb_reads_the_users(const gb_Matrix *A) {
    return gb_is_the_users(A->cs[GB_CSR].lender) || gb_is_the_users(A->cs[GB_CSC].lender) ||
           gb_is_the_users(A->dense.lender);
}
/* A matrix that is held dense and not as lists, which most operations read. */
static inline bool gb_only_dense(const gb_Matrix *A) {
    return A->magic == GB_MAGIC_MATRIX && gb_is_dense(A) && (gb_has(A) & GB_HAS_LISTS) == 0;
}

/* `making` is taken and given back; meanwhile the progress callback, which may read A, is not
 * called. */
static inline void gb_begin_making(gb_Matrix *A) {
    gb_lock(&A->making);
    gb_call_hold();
}
static inline void gb_end_making(gb_Matrix *A) {
    gb_call_let_go();
    gb_unlock(&A->making);
}

/* Of what a writer does between the two, a child of fork() sees that it is not done. */
static inline gb_Lock gb_begin_writing(gb_Matrix *A) {
    const gb_Lock before = A->writing;
    const uint32_t generation = __atomic_load_n(&gb_lock_generation, __ATOMIC_RELAXED);
    __atomic_store_n(&A->writing.word, generation | GB_LOCK_HELD, __ATOMIC_RELAXED);
    __atomic_signal_fence(__ATOMIC_SEQ_CST);
    return before;
}
static inline void gb_end_writing(gb_Matrix *A, gb_Lock before) {
    __atomic_signal_fence(__ATOMIC_SEQ_CST);
    __atomic_store_n(&A->writing.word, before.word, __ATOMIC_RELAXED);
}

/* Whether nothing waits to be assembled. Asked before what else is read without the lock. */
static inline bool gb_is_assembled(const gb_Matrix *A) {
    return __atomic_load_n(&A->pending, __ATOMIC_ACQUIRE) == NULL;
}
/* Whether every position holds the one value at dense.x, which stays until the next writer. */
static inline bool gb_is_full_iso(const gb_Matrix *A) {
    return gb_is_assembled(A) && (gb_has(A) & GBL_HAS_FULL) != 0 && A->iso;
}
/* And its positions are so many that it has no other dense form. */
static inline bool gb_is_full_iso_only(const gb_Matrix *A) {
    return gb_is_full_iso(A) && !gb_may_be_dense(A);
}
/* Whether the list is there, sorted, and stays until the next writer: read without the lock. */
static inline bool gb_list_is_ready(const gb_Matrix *A, gb_Format format) {
    return gb_is_assembled(A) &&
           (__atomic_load_n(&A->ready, __ATOMIC_ACQUIRE) & gb_has_bit(format)) != 0;
}
/* The first of v[lo .. hi) that is not below x, of a long list from where evenly spread entries
 * would stand; element.c. */
gb_Off gb_first_near(const gb_Idx *v, gb_Off lo, gb_Off hi, uint64_t x);
/* *x: the value at (row, col) of dense arrays or of a ready list, by rows of a matrix, by the
 * column of a vector, or NULL where there is no entry. False: neither is there. */
static inline bool gb_element_at_hand(const gb_Matrix *A, gb_Format usual, uint64_t row,
                                      uint64_t col, const void **x) {
    if (!gb_is_assembled(A)) return false;
    const size_t size = A->iso ? 0 : A->type->size;
    if (gb_is_dense(A)) {
        const uint64_t k = gb_flat_index(A, row, col);
        const bool exists = A->dense.b == NULL || A->dense.b[k];
        *x = exists ? (const char *)A->dense.x + k * size : NULL;
        return true;
    }
    if (!gb_list_is_ready(A, usual)) return false;
    const gb_Cs *cs = &A->cs[usual];
    const uint64_t k = usual == GB_CSR ? row : col, minor = usual == GB_CSR ? col : row;
    const gb_Off end = cs->p[k + 1], at = gb_first_near(cs->i, cs->p[k], end, minor);
    const bool exists = at < end && cs->i[at] == minor;
    *x = exists ? (const char *)cs->x + at * size : NULL;
    return true;
}
/* There is nothing to wait for: only lists are there, and they are sorted. */
static inline bool gb_is_settled(const gb_Matrix *A) {
    const unsigned has = gb_has(A);
    return has != 0 && gb_is_assembled(A) && A->hyper == NULL &&
           (has & ~(unsigned)__atomic_load_n(&A->ready, __ATOMIC_ACQUIRE)) == 0;
}

/* -- an object is made, freed, written (lifetime.c) -------------------------------------------- */

gbl_Info gb_matrix_new(gb_Matrix **A, uint64_t magic, gb_Type *type, uint64_t nrows,
                       uint64_t ncols);
void gb_matrix_free(gb_Matrix *A); /* NULL is fine */
/* The end of making an object, of which info tells: it becomes *A, or is freed. */
gbl_Info gb_matrix_give(gb_Matrix **A, gb_Matrix *made, gbl_Info info);
/* In a child of fork(): a thread that is gone was changing A, whose content is unknown. A magic
 * number of its own says so, and gb_matrix_free leaves its arrays alone. */
void gb_matrix_lose(gb_Matrix *A);
/* The same where a lock of A says so; cheap in a process that is no child. */
void gb_find_lost_slowly(gb_Matrix *A);
static inline void gb_find_lost(gb_Matrix *A) {
    if (__atomic_load_n(&gb_lock_generation, __ATOMIC_RELAXED) != 0) gb_find_lost_slowly(A);
}
static inline bool gb_is_lost(const gb_Matrix *A) {
    const uint64_t magic = __atomic_load_n(&A->magic, __ATOMIC_RELAXED);
    return magic == GB_MAGIC_LOST_MATRIX || magic == GB_MAGIC_LOST_VECTOR;
}
/* The error of calls on it; name: the argument. */
gbl_Info gb_fail_lost(const gb_Matrix *A, const char *name);
/* A has no content, and what it had is not freed: a thread that is gone was writing it. */
void gb_matrix_forget(gb_Matrix *A);
void gb_matrix_clear(gb_Matrix *A); /* no entries, no arrays, no pending */
/* The same handle becomes a new object; A is unchanged after an error. */
gbl_Info gb_matrix_renew(gb_Matrix *A, gb_Type *type, uint64_t nrows, uint64_t ncols);

/* Writers commit here; cannot fail. The arrays (values of A's type) become A's whole content. */
void gb_matrix_set_cs(gb_Matrix *A, gb_Format format, gb_Cs *arrays);
/* The hypersparse content of A, a block of gb_malloc or NULL, in place of the one that it has; its
 * pending updates stay. */
void gb_matrix_swap_hyper(gb_Matrix *A, gb_Hyper *hyper);
/* The content of an object of the same shape and type, which loses it; no tiles, none on a device.
 */
void gb_matrix_move(gb_Matrix *A, gb_Matrix *from);
void gb_matrix_set_tiles(gb_Matrix *A, gb_Tiles *arrays);
void gb_matrix_set_dense(gb_Matrix *v, gb_Dense *arrays);
/* A writer has put other arrays into v->dense, which are its content from now on. */
void gb_dense_changed(gb_Matrix *v);
/* A becomes full iso, with *x as a value of its type. After a failure it is as it was. */
gbl_Info gb_matrix_fill(gb_Matrix *A, const gb_Type *type, const void *x);
void gb_matrix_set_device(gb_Matrix *A, gb_DeviceCs *arrays, uint64_t nvals); /* nvals > 0 */
/* Invalidate every representation but those of `which`, before a writer changes one in place. The
 * hypersparse content goes where one of `which` is there, and stays with 0. */
void gb_matrix_keep_only(gb_Matrix *A, unsigned which);
/* The list is valid and sorted: it may be read without the lock. By a writer, or under the lock. */
void gb_matrix_set_ready(gb_Matrix *A, gb_Format format);
/* Attach a block of gb_malloc; it is freed with the content. Writers only. */
void gb_matrix_set_note(gb_Matrix *A, gb_Note note);
void gb_matrix_move_note(gb_Matrix *to, gb_Matrix *from);

/* The refusal of what does not work on hypersparse objects. */
gbl_Info gb_fail_hyper(const gb_Matrix *A);
/* That of what would need the positions of a full iso object one by one. */
gbl_Info gb_fail_positions(const gb_Matrix *A);
/* That of arrays of pointers, of which there would be one per row or column. */
gbl_Info gb_fail_pointers(const gb_Matrix *A);

/* Keeps arrays that a reader replaces, a list or tiles, until the next writer; under the lock. */
gbl_Info gb_matrix_retire(gb_Matrix *A, const gb_Cs *cs, const gb_Tiles *tiles);

/* -- content as it is read (acquire.c) */

/* The one way to get at content: assembles pending updates, converts once under the lock, caches,
 * counts.
 *
 * Invariants: views stay valid until the object is next written. Objects of huge dimensions have no
 * views: they are refused here, and callers read their compact matrices (hyper.h). Hypersparse ones
 * of ordinary dimensions get any view. */
gbl_Info gb_assemble(gb_Matrix *A);
gbl_Info gb_matrix_nvals(gb_Matrix *A, uint64_t *nvals); /* assembles */
/* Locks A, whose content is then the assembled one with the updates of A->pending, which have an
 * index (updates.h); NULL: they were too many, and are folded. Not after a failure. */
gbl_Info gb_delta_open(gb_Matrix *A);
void gb_delta_close(gb_Matrix *A);
/* Dense arrays that others have too become copies of A's own. Writers only. */
static inline gbl_Info gb_matrix_own_dense(gb_Matrix *A) {
    const bool lent = gb_is_lent(A->dense.lender);
    return lent ? gb_dense_copy(&A->dense, &A->dense, A->type->size) : GBL_SUCCESS;
}
/* How many entries there are, in O(1) where updates are few; gb_delta_count: where some wait. */
gbl_Info gb_delta_count(gb_Matrix *A, uint64_t *nvals);
static inline gbl_Info gb_matrix_count(gb_Matrix *A, uint64_t *nvals) {
    if (!gb_is_assembled(A)) return gb_delta_count(A, nvals);
    *nvals = A->nvals;
    return GBL_SUCCESS;
}
/* Entries of a row come in any order, or ascending. */
gbl_Info gb_acquire(gb_Matrix *A, gb_Format format, gb_CsView *view);
gbl_Info gb_acquire_sorted(gb_Matrix *A, gb_Format format, gb_CsView *view);
gbl_Info gb_acquire_tiles(gb_Matrix *A, gb_Format format, gb_TileView *view); /* matrices only */
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
