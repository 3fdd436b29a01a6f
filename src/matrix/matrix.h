/* SPDX-License-Identifier: Apache-2.0
 *
 * The object behind gbl_Matrix and gbl_Vector: a set of representations of the same content. Only
 * this level sees it; kernels get views.
 *
 * Integrity (gb_matrix_check verifies all of it):
 *   - `has` is the set of representations that are valid (GBL_HAS_ bits). All valid ones hold the
 *     same nvals entries. has == 0 means: no assembled entries, and no arrays. (An empty matrix may
 *     get an array of zero pointers when a reader needs one.)
 *   - cs[GB_CSR] has nmajor = nrows, cs[GB_CSC] has nmajor = ncols. A vector is an n x 1 matrix:
 * its list of entries is cs[GB_CSC], its bitmap or full array is `dense`; matrices have no `dense`.
 *   - tiles[GB_CSR] are the tiles of A, tiles[GB_CSC] those of A' (matrices only).
 *   - GBL_HAS_DEVICE: the product in device[GB_CSR] is all that there is of a matrix; no other bit
 * is set then. When the host needs the content it becomes cs[GB_CSR], and what is on the device is
 *     a copy like others, which may be dropped there at any time.
 *   - iso: every valid representation holds one value for all entries (all of them or none).
 *   - `pending` holds setElement and removeElement calls since the last assembly, in order. They
 *     come after the assembled content: the later call wins.
 *   - Readers may add representations, assemble, sort and drop empty tiles, under `lock`, and
 * publish by a release store to `has`; they never change arrays that another reader may be looking
 * at: what they replace goes to `retired` and is freed by the next writer. A writer owns the
 * object.
 */
#ifndef GB_MATRIX_MATRIX_H
#define GB_MATRIX_MATRIX_H

#include <pthread.h>

#include "backend/device.h"
#include "core/arrays.h"
#include "core/memory.h"
#include "core/status.h"
#include "core/tiles.h"
#include "core/view.h"
#include "semiring/algebra.h"

#define GB_MAGIC_MATRIX 0x67626d6174720001u
#define GB_MAGIC_VECTOR 0x6762766563740001u
#define GB_MAGIC_SCALAR 0x676273636c720001u
#define GB_MAGIC_DESCRIPTOR 0x6762646573630001u

typedef enum { GB_CSR = 0, GB_CSC = 1 } gb_Format;

typedef struct gb_Pending gb_Pending; /* matrix/pending.c */
typedef struct gb_Retired gb_Retired; /* matrix/matrix.c */

enum { GB_SKETCH_SIZES = 3 }; /* 32, 64 and 128 registers */

/* What a descriptor asks of a product; 0 everywhere leaves the choice to the planner. */
typedef struct {
    gbl_Desc_Value method, workflow, row_order;
    int32_t accumulators, registers, bin_bytes, bin_lines;
    bool on_host; /* whatever GBL_PLACE says */
} gb_Choices;

/* Of the rows of a representation; see facts.h. */
typedef struct {
    bool known;
    uint64_t rows_used, longest; /* rows with entries; entries of the longest */
    double squares;              /* sum of the squares of the rows' lengths */
    double fill;                 /* entries per tile of 16 x 16, from a sample */
    bool runs;                   /* columns come in runs (GB_RUN_SHARE) */
} gb_Facts;

typedef struct gb_Matrix {
    uint64_t magic; /* GB_MAGIC_MATRIX or GB_MAGIC_VECTOR */
    gb_Type *type;
    uint64_t nrows, ncols;
    uint64_t nvals; /* of the assembled content */
    unsigned has;   /* atomic, GBL_HAS_ bits */
    bool iso;
    gb_Cs cs[2];
    gb_Tiles tiles[2];
    gb_Dense dense;
    gb_Pending *pending;
    gb_Retired *retired;
    uint64_t conversions;
    uint64_t wish[2];     /* atomic; ns that products would have saved by having cs[format] */
    gbl_Explanation *why; /* how the product that last wrote this was computed, or NULL */
    uint8_t *sketch[2][GB_SKETCH_SIZES]; /* atomic; of the rows of cs[format], see sketch.c */
    gb_Facts facts[2];                   /* under the lock; of the rows of cs[format] */
    gb_DeviceCs *device[2]; /* under the lock; rows of cs[format] on the device, or NULL */
    gb_Error error;         /* of the last call with this as output; written under the lock */
    pthread_mutex_t lock;
} gb_Matrix;

struct gbl_Matrix_opaque {
    gb_Matrix m;
};
struct gbl_Vector_opaque {
    gb_Matrix m;
};
struct gbl_Scalar_opaque {
    uint64_t magic;
    gb_Type *type;
    bool present;
    void *value; /* [type->size] */
    gb_Error error;
};
struct gbl_Descriptor_opaque {
    uint64_t magic;
    bool predefined;
    bool replace, complement, structure, transpose0, transpose1;
    gb_Choices choices;
    gb_Error error; /* of the user's descriptors */
};

/* -- matrix.c: life and content */
gbl_Info gb_matrix_new(gb_Matrix **A, uint64_t magic, gb_Type *type, uint64_t nrows,
                       uint64_t ncols);
void gb_matrix_free(gb_Matrix *A); /* NULL is fine */
gbl_Info gb_matrix_dup(gb_Matrix **C, gb_Matrix *A);
void gb_matrix_clear(gb_Matrix *A); /* no entries, no arrays, no pending */
gbl_Info gb_matrix_resize(gb_Matrix *A, uint64_t nrows, uint64_t ncols);
/* Writers commit here; cannot fail. The arrays (values of A's type) become A's whole content. */
void gb_matrix_set_cs(gb_Matrix *A, gb_Format format, gb_Cs *arrays);
void gb_matrix_set_tiles(gb_Matrix *A, gb_Tiles *arrays);
void gb_matrix_set_dense(gb_Matrix *v, gb_Dense *arrays);
void gb_matrix_set_device(gb_Matrix *A, gb_DeviceCs *arrays, uint64_t nvals); /* nvals > 0 */
gbl_Info gb_matrix_nvals(gb_Matrix *A, uint64_t *nvals);                      /* assembles */
/* Invalidate every representation but those of `which`, before a writer changes one in place. */
void gb_matrix_keep_only(gb_Matrix *A, unsigned which);
/* Put arrays that a reader has replaced aside until the next writer; under the lock. */
gbl_Info gb_matrix_retire(gb_Matrix *A, gb_Cs *arrays);
gbl_Info gb_matrix_retire_tiles(gb_Matrix *A, gb_Tiles *arrays);
/* The valid representations of an object that other threads may be reading too. */
static inline unsigned gb_has(const gb_Matrix *A) {
    return __atomic_load_n(&A->has, __ATOMIC_ACQUIRE);
}
static inline unsigned gb_has_bit(gb_Format format) {
    return format == GB_CSR ? GBL_HAS_CSR : GBL_HAS_CSC;
}
/* GBL_HAS_TILE16 for tiles of A; tiles of A' are an internal matter. */
enum { GB_HAS_TILES_OF_COLUMNS = 1 << 16, GB_HAS_LISTS = GBL_HAS_CSR | GBL_HAS_CSC };
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
static inline uint64_t gb_nmajor(const gb_Matrix *A, gb_Format format) {
    return format == GB_CSR ? A->nrows : A->ncols;
}
static inline uint64_t gb_nminor(const gb_Matrix *A, gb_Format format) {
    return format == GB_CSR ? A->ncols : A->nrows;
}
static inline bool gb_is_vector(const gb_Matrix *A) {
    return A->magic == GB_MAGIC_VECTOR;
}

/* -- need.c: the one way to get at content. Assembles pending updates, converts once under the
 * lock, caches, counts. Views stay valid until the object is next written. */
gbl_Info gb_assemble(gb_Matrix *A);
gbl_Info gb_need(gb_Matrix *A, gb_Format format,
                 gb_CsView *view); /* entries of a row in any order */
gbl_Info gb_need_sorted(gb_Matrix *A, gb_Format format, gb_CsView *view);
gbl_Info gb_need_tiles(gb_Matrix *A, gb_Format format, gb_TileView *view); /* matrices only */
gbl_Info gb_drop_empty_tiles(gb_Matrix *A, gb_Format format);              /* of tiles that exist */
gbl_Info gb_need_dense(gb_Matrix *v, gb_DenseView *view);                  /* vectors only */
/* The representation that exists (assembling first): the preferred format if both or none do. */
gbl_Info gb_any_format(gb_Matrix *A, gb_Format preferred, gb_Format *format);

/* -- operand.c */
/* *z: n values of `from` cast to `to`, in a fresh block of *bytes. */
gbl_Info gb_cast_copy(void **z, size_t *bytes, const gb_Type *to, const gb_Type *from,
                      const void *x, uint64_t n);
/* Operands: a view whose values are of the given type (cast into workspace when A's type differs);
 * type NULL: only the pattern is wanted, view.x is NULL. */
typedef struct {
    gb_CsView view;
    void *owned;
    size_t owned_bytes;
} gb_Operand;
gbl_Info gb_operand_get(gb_Operand *operand, gb_Matrix *A, gb_Format format, const gb_Type *type);
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

/* -- sketch.c: HyperLogLog sketches (core/hll.h) of the rows of a representation, `registers` bytes
 * a row. Made once under the lock, cached until the object is written. */
gbl_Info gb_sketch_get(const uint8_t **sketch, gb_Matrix *A, gb_Format format, unsigned registers);
/* The cached sketches, or NULL. */
const uint8_t *gb_sketch_at_hand(gb_Matrix *A, gb_Format format, unsigned registers);
void gb_sketch_drop(gb_Matrix *A); /* writers only */

/* -- device.c: copies in the memory of the device, sorted. Made once under the lock, cached until
 * the object is written or their room is wanted; with values when they are asked for, also later
 * on. The copy is pinned: unpin it after use. */
gbl_Info gb_need_device(gb_Matrix *A, gb_Format format, bool values, gb_DeviceCs **copy);
bool gb_on_device(gb_Matrix *A, gb_Format format);
void gb_device_drop(gb_Matrix *A); /* writers only */

/* -- mask.c: a mask as kernels want it: structural, only the true entries, sorted. */
typedef struct {
    gb_Matrix *M; /* NULL: every position is allowed, or none when complement */
    bool structural, complement, replace;
} gb_Mask;
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

/* -- pending.c: setElement and removeElement */
gbl_Info gb_pending_add(gb_Matrix *A, uint64_t row, uint64_t col, const void *x); /* NULL: remove */
uint64_t gb_pending_count(const gb_Matrix *A);
void gb_pending_clear(gb_Matrix *A);
gbl_Info gb_pending_assemble(gb_Matrix *A); /* called under the lock by need.c */

/* -- build.c: tuples to CSR or CSC. Rows and columns already checked. dup NULL: duplicates fail
 * with GBL_INVALID_VALUE naming the position. x has stride sx (0: one value for all). The result's
 * values have type `type`. */
typedef struct {
    const gbl_Index *major, *minor;
    const void *x;
    int sx;
    uint64_t n;
    uint64_t nmajor, nminor;
} gb_Tuples;
gbl_Info gb_tuples_to_cs(gb_Cs *cs, const gb_Tuples *tuples, const gb_Type *type,
                         const gb_BinaryOp *dup, const void *object);

/* -- check.c: verifies the integrity above; GBL_INVALID_OBJECT with a text. For tests. */
gbl_Info gb_matrix_check(gb_Matrix *A);

#endif
