/* SPDX-License-Identifier: Apache-2.0
 *
 * What a backend offers: functions on views. NULL means "not offered". A kernel allocates its
 * result with gb_malloc, returns a gbl_Info, leaves nothing behind on failure, and never sees an
 * object. Every result has sorted rows unless its description says otherwise.
 */
#pragma once

#include "core/bits.h"
#include "core/forms.h"
#include "core/context.h"
#include "semiring/compiled.h"
#include "semiring/ids.h"

typedef enum { GB_MASK_NONE, GB_MASK_INSIDE, GB_MASK_OUTSIDE } gb_MaskKind;

/* How a row-wise product gets capacity for its rows (Ocean, ICS '26, table 1). */
typedef enum { GB_UPPER_BOUND, GB_ESTIMATE, GB_SYMBOLIC } gb_Workflow;

#define GB_ACCUMULATE_ALL                                                                          \
    (GBL_ACCUMULATE_SORT | GBL_ACCUMULATE_HASH | GBL_ACCUMULATE_DENSE | GBL_ACCUMULATE_ASSIST)

/* Memory that a product may take, in bytes, and how finely it is cut for that (mxm/model/price.c).
 * A slice of C's rows is computed into buffers, which are put together when all of it is known. */
typedef struct {
    uint64_t capacity;        /* bytes of C's arrays, before C's size is known */
    uint64_t work;            /* of the buffers of a slice, or those of one chunk */
    uint64_t packets;         /* outer: of the packets of a slice, or those of one bin */
    uint64_t result;          /* of C; more is GBL_OUT_OF_MEMORY */
    double limit, per_result; /* the whole of it, and what more a byte of C takes: for messages */
    uint64_t chunk;           /* flops (dot: entries of the mask) of a chunk */
} gb_Allowance;

/* GBL_OUT_OF_MEMORY where C may not take so many bytes, which are so large a share of all. */
static inline gbl_Info gb_allow_result(const gb_Allowance *allow, double bytes, double share) {
    if (bytes <= (double)allow->result) return GBL_SUCCESS;
    const double more = bytes / share - (double)allow->result;
    return gb_fail_limit(allow->limit + more * allow->per_result + 1.0, allow->limit);
}

/* What of a finished row is kept; gbl_RowFilter, checked, says what it means. Values have the type
 * of the semiring's monoid; that is a built-in one where entries are compared. */
typedef struct {
    const gb_IndexUnaryOp *op; /* NULL: passes all */
    const void *y;             /* of the operator's type */
    uint64_t most;             /* UINT64_MAX: any number */
    uint64_t recover;          /* 0: nothing is recovered */
    double share;
    double power; /* of what is kept, > 0; this and scale: values are FP32 or FP64 */
    bool scale;   /* what is kept is divided by its sum */
} gb_RowFilter;
/* A result that is folded as it is made, and not stored. The values have the monoid's type. */
typedef struct {
    const gb_Monoid *monoid;
    void *z;        /* out, where nvals > 0 */
    uint64_t nvals; /* out: entries folded; perhaps not all, where z is known without the rest */
    bool done;      /* out: the product was folded; nobody has stored it */
} gb_Folding;

/* How the method VECTOR sums rows (cpu/vector/vector.c). */
typedef struct {
    const char *name;
    uint64_t
        below; /* rows of at least so many products are summed alone; 0: all, UINT64_MAX: none */
    unsigned block_least, block_most; /* rows of a block, 1 to 256 */
} gb_VectorWay;

/* Rows of a panel of the method PANEL for values of so many bytes that its kernels know. */
static inline unsigned gb_panel_rows(size_t zsize) {
    return zsize == 4 || zsize == 1 ? 16 : 8;
}

/* Slots of a window of columns of the method PANEL whose sums take so many bytes a slot: as many
 * bytes as those of GB_PANEL_WINDOW take with 64, and never fewer than 64. */
static inline uint64_t gb_panel_slots(uint64_t stride) {
    if (stride <= 64) return GB_PANEL_WINDOW;
    return GB_PANEL_WINDOW > stride ? (uint64_t)GB_PANEL_WINDOW * 64 / stride : 64;
}

/* C = A * B over a semiring, rows of A times rows of B; the result inside (or outside) mask. */
typedef struct {
    gb_CsView A; /* m x k by rows; for outer: by columns, sorted, that is k x m */
    gb_CsView B; /* k x n by rows; for dot: by columns, that is n x k; both are sorted then; for
                  * spmm: full, p and i are not read */
    gb_CsView M; /* m x n by rows, pattern only, sorted; when mask_kind is not NONE */
    const int8_t *Mb; /* rowwise: [m * n] instead of M's rows, row upon row: 1 where it has an
                       * entry; then M has no arrays. NULL: M has them */
    gb_MaskKind mask_kind;
    int ring;         /* gb_Ring */
    gb_RingArgs args; /* values and functions */
    gb_Allowance allow;
    gb_BitRows bits;   /* of B, as rowwise and dot read it; used where no value is looked at */
    gb_HeavyRows hubs; /* of B, as dot reads it; instead of bits, where products are counted */
    gb_Folding *fold;  /* dot only. NULL: C is wanted; else T stays empty */
    /* rowwise, outer, vector and panel */
    const uint64_t *flops; /* [m + 1] running sum of flops per row of A */
    /* panel only */
    const gb_Idx *order; /* [m] rows of A by their places in panels; NULL: as they are */
    gb_PanelView kept;   /* A in that order, of as many lanes; where values are read, with them */
    /* outer only */
    size_t bin_bytes;   /* flops of a bin; 0: by the second cache */
    unsigned bin_lines; /* of a local bin flushed at once; 0: GB_LOCAL_LINES */
    gb_VectorWay way;   /* vector only */
    gb_Dense *full;     /* spmm only: where C goes, and T stays empty, when it is full and has no
                         * mask; NULL: always to T */
    /* rowwise only */
    gb_Workflow workflow;
    const float *size;     /* [m] expected entries per row before masking; NULL: not estimated */
    double size_sum;       /* of size */
    double size_factor;    /* capacity of a row, relative to size or flops / compression */
    double compression;    /* flops per entry of C as sampled; 0: not known */
    unsigned accumulators; /* GBL_ACCUMULATE_ bits that may be used */
    bool any_order; /* vector too: rows of T need not be sorted; not where they are filtered */
    const gb_RowFilter *filter; /* panel and dot too: of rows that are masked already; NULL: they
                                 * stay whole */
    int nthreads;
    gb_Meter *meter;
} gb_MxmArgs;
typedef struct {
    uint64_t copied, sorted, hashed, dense; /* rows by accumulator */
    uint64_t overflowed;  /* rows that had more entries than capacity and were done again */
    const char *workflow; /* of a device, which chooses it itself */
    double seconds_symbolic, seconds_compact, seconds_sort; /* the latter two per thread */
    uint64_t slices;
    uint64_t by_bits;   /* rowwise: rows read off bits */
    uint64_t hubs_bits; /* rows of B that are held as bits; columns for dot */
    /* outer */
    uint64_t bins, bytes_expanded;
    double seconds_expand; /* then seconds_sort is everything behind it, seconds_compact a part */
} gb_MxmStats;

/* C = A * B, rows of tiles of A times rows of tiles of B; the result inside (or outside) mask. A
 * and M may be some rows of tiles of larger matrices: p[0] need not be 0. */
typedef struct {
    gb_TileView A, B;
    gb_TileView M; /* pattern only; when mask_kind is not NONE */
    gb_MaskKind mask_kind;
    uint64_t first_row; /* of tiles: A's first one in the larger matrix */
    int ring;
    gb_RingArgs args;
    int nthreads;
    gb_Meter *meter;
} gb_TiledArgs;
typedef struct {
    double seconds_layout, seconds_masks, seconds_values; /* the paper's steps 1 to 3 */
} gb_TiledStats;

/* Sizes of rows of A * B from sketches of B's rows (core/hll.h). B may itself be a product that was
 * not computed: with the unions of its rows as sketches and their expected entries. */
typedef struct {
    gb_CsView A;
    const gb_Off *Bp;      /* entries of B's rows, or ... */
    const float *length;   /* [rows of B] expected ones */
    const gb_Idx *Bi;      /* where there are no sketches */
    const uint8_t *sketch; /* [rows of B * registers], or NULL: the rows met are hashed, which is
                              less work for few rows of A and gives the same sizes */
    unsigned registers;    /* 32, 64 or 128 */
    uint64_t ncols;        /* of B */
    const uint64_t *rows;  /* [count] rows of A, or NULL: the first count */
    uint64_t count;
    float *size;     /* [count] out */
    uint8_t *united; /* [count * registers] out: unions of the sketches met; or NULL */
    bool clamp;      /* keep each size within its certain bounds */
    int nthreads;
} gb_SketchArgs;

/* The semiring of a product with a vector, and the values of both factors. */
typedef struct {
    int id;           /* gb_Ring */
    gb_RingArgs args; /* a SELL product reads the matrix's values in the order of its slices */
    bool u_is_left;   /* the vector is the left operand of the multiplication, which is SR_SIDED */
} gb_MxvRing;

/* The positions of w that may be computed, and where sums go that are found in a set. */
typedef struct {
    /* [length of w] position j may be computed where allowed[j] != refused; NULL: all may */
    const int8_t *allowed;
    int8_t refused;
    gb_BitSet found; /* positions with a sum: empty, and left empty */
    void *val;       /* [length of w] sums, not initialised */
    /* Fused assign: positions with a sum are marked in `mark`, which `allowed` is, and x there
     * becomes *value, as large as a sum, or is the sum, being `val`: value NULL. mark NULL: not so
     */
    int8_t *mark;
    void *x;
    const void *value;
} gb_MxvSink;

/* w = A * u by rows of A, which are sorted. The order of sums: cpu/mxv/mxv.h. */
typedef struct {
    gb_CsView A; /* with SELL slices its shape alone */
    gb_MxvRing ring;
    gb_DenseView u;       /* values at their positions, and b where `bits` stay out of it */
    const uint64_t *bits; /* masked, few rows: bit k says that u(k) is there; NULL: all are */
    gb_MxvSink to;        /* masked */
    gb_CsView rows;       /* few rows: the positions to compute; i NULL: not so */
    /* few rows: a dense vector to which sums are added instead, by the addition of the semiring; w
     * gets their number alone. b: a byte for each position, NULL: all have a value. x NULL: not so
     */
    struct {
        void *x;
        int8_t *b;
        uint64_t *gained; /* atomic, out: values that are new */
    } into;
    gb_SellView sell; /* A as slices, where u is full, not iso, and there is no mask */
    /* SELL: added to the product; full, of the type of w, or NULL. Positions are masked by
     * base_mask: 0, it is iso */
    const void *base;
    uint64_t base_mask;
    uint64_t work; /* masked, few rows: entries expected to be looked at */
    int nthreads;
} gb_PullArgs;

/* w = u * A by the rows of A that the entries of u, sorted, stand for. */
typedef struct {
    gb_CsView A, u; /* u: nmajor = 1 */
    gb_MxvRing ring;
    gb_MxvSink to;
    bool sorted; /* products are listed and sorted, not summed in a set: `to` is not read */
    /* fused assign of up to GB_FUSED_MOST products: positions are listed here and sorted, [2 *
     * work], work being exact; NULL: not so. Only for semirings that mxv_has_fused */
    uint64_t *room;
    /* minimum or maximum with a kernel: products that do not improve on the value at their position
     * are left out. Of the type of w; b NULL: there is one everywhere. x NULL: none is left out */
    struct {
        const void *x;
        const int8_t *b;
    } best;
    uint64_t work; /* products, counted or guessed */
    int nthreads;
} gb_PushArgs;

/* x of X and y of Y, same shape, sorted rows. Where both have an entry the result is op(x, y), cast
 * to ztype; where one has, its value cast to ztype (union only). op NULL in a union: Y wins. */
typedef struct {
    gb_CsView X, Y;
    const gb_Type *xtype, *ytype, *ztype;
    const gb_BinaryOp *op;
    int nthreads;
} gb_MergeArgs;

/* What apply does to a value: exactly one operator is not NULL. `bound` has the type of the
 * argument it stands for; all three operators see values cast to the type of their free argument.
 */
typedef struct {
    const gb_UnaryOp *unary;
    const gb_BinaryOp *binary;
    const gb_IndexUnaryOp *index;
    const void *bound; /* binary: the bound argument; index: the operator's y */
    bool bound_first;  /* binary: bound is x, the values are y */
} gb_Map;
typedef struct {
    gb_Map map;
    const gb_Type *xtype; /* of the values */
    bool major_is_row;    /* index operators: (i, j) = (major, minor), else (minor, major) */
    uint64_t width;       /* dense: cells of a row; 0 or 1: element k of a vector is at (k, 0) */
    int nthreads;
} gb_MapArgs;

/* A(p,p) for a square A: row i of the result is row order[i] of A, and place is the inverse of
 * order; rows of A may be unsorted. Of the result only entries with low <= column - row <= high are
 * made. */
typedef struct {
    const gb_Idx *order, *place; /* [n] */
    int64_t low, high;
    int nthreads;
} gb_PermuteArgs;

/* A(I, J): the rows and columns that are listed, in the order of the lists; an index may be listed
 * repeatedly. */
typedef struct {
    const gb_IndexMap *rows, *columns; /* major and minor indices of A */
    int nthreads;
} gb_ExtractArgs;

/* C with A at the rows and columns that are listed and nothing else there, where the mask allows
 * it; where an index is listed repeatedly its last place counts. A and C have values of one type;
 * they and M have sorted rows, perhaps no entries (then p is not read). */
typedef struct {
    gb_CsView C;
    gb_CsView A;                       /* a row and a column for each that is listed */
    gb_CsView M;                       /* of C's shape, when masked */
    bool fills;                        /* A's first value at every place, and A has no entries */
    bool masked, outside;              /* outside: allowed is what M does not have */
    const gb_IndexMap *rows, *columns; /* major and minor indices of C */
    const gb_Type *type;
    /* combines C's value and A's where both have an entry, and C keeps what A does not have; NULL:
     * A alone counts */
    const gb_BinaryOp *accum;
    int nthreads;
} gb_AssignArgs;

/* The Kronecker product of A and B, values of these types. */
typedef struct {
    gb_CsView A, B; /* sorted, with entries */
    const gb_Type *xtype, *ytype;
    const gb_BinaryOp *op;
    int nthreads;
} gb_KroneckerArgs;

/* One operator of a sequence on values of one built-in type, value by value: unary of x, or binary
 * of x and y. NULL stands for what the step before gave; for the first step, for the values. */
typedef struct {
    const gb_UnaryOp *unary;
    const gb_BinaryOp *binary;
    const void *x, *y;
    int sx, sy; /* 0: one value in all places */
} gb_Step;
/* n values become what the last step gives. Operands are no part of them. */
typedef struct {
    const gb_Step *step;
    int steps;
    size_t size; /* of a value */
    void *values;
    uint64_t n;
    int nthreads;
} gb_StepArgs;

/* A monoid, or (monoid NULL) an operator T x T -> T that folds values in order from the first on.
 */
typedef struct {
    const gb_Monoid *monoid;
    const gb_BinaryOp *op;
    const gb_Type *xtype; /* of the values */
    int nthreads;
    const gb_StepArgs *steps; /* NULL, or what makes the values, block by block as they are folded:
                                 all of them are folded then, and the operator is not ANY */
} gb_FoldArgs;

/* An undirected graph whose triangles are counted. */
typedef struct {
    gb_CsView A; /* a pattern, symmetric or below the main diagonal, sorted; loops do not matter */
    gb_DegreeLower graph; /* the same; where it has no arrays, A is taken, best of short rows */
    int nthreads;
    gb_Meter *meter;
} gb_TriangleArgs;

/* -- approximate products (SpAMM) -------------------------------------------------------------- */

/* A factor of an approximate product, cut into sub-matrices of side x side, a multiple of 16. */
typedef struct {
    uint64_t nmajor, nminor; /* of the factor */
    bool full;               /* x has a value for every place, row after row; else tiles has all */
    bool iso;                /* full: one value for all */
    const void *x;
    gb_TileView tiles;
    uint64_t n;      /* sub-matrices that may have entries, by rows of sub-matrices; below 2^32 */
    const gb_Off *p; /* [rows of sub-matrices + 1] */
    const gb_Idx *i; /* [n] their columns, ascending within a row */
    const double *norm; /* [n] Frobenius norms; infinite where an entry is not finite */
} gb_SpammFactor;
/* A sub-matrix of B: number `at` of its factor. */
typedef struct {
    double norm;
    gb_Idx column;
    uint32_t at;
} gb_SpammRank;
/* Whether the product of sub-matrices of such norms is left out. Never where a norm is infinite. */
static inline bool gb_spamm_skips(double a, double b, double tau) {
    return a * b < tau;
}

/* C = A * B over + and * of FP64 or FP32, without the products of sub-matrices that are skipped.
 * Both factors are full, and C is rows, or both are tiles, and C is tiles. */
typedef struct {
    gb_SpammFactor A, B;
    const gb_SpammRank *rank; /* [B.n] rows of B's sub-matrices by falling norm, see B.p */
    const double *most;       /* [rows of B's sub-matrices] largest norm in that column of A */
    double tau;
    unsigned side; /* 16, 32 or 64 */
    bool single;   /* FP32 */
    double valid;  /* products of sub-matrices that are not skipped */
    /* Bytes: what may be held, and what is already; a byte that is allocated counts for `margin`,
     * one of C for `of_result` of those. Where nobody has set a limit it is for the copies alone */
    bool limited;
    double limit, held, margin, of_result;
    int nthreads;
    gb_Meter *meter; /* not begun */
} gb_SpammArgs;
typedef struct {
    double seconds_layout, seconds_values;
} gb_SpammStats;

/* Values of factors as they are stored: summed in FP64, all others in FP32. */
typedef enum {
    GB_SPAMM_FP64,
    GB_SPAMM_FP32,
    GB_SPAMM_TF32, /* FP32 whose last 13 bits are 0 */
    GB_SPAMM_FP16,
    GB_SPAMM_BF16
} gb_SpammValues;

/* What a bound is raised by, relative to it. Norms err by less than 2^-42 of themselves (FP16 on a
 * device is rounded up); the norm of up to 2^31 of them, which is rounded at each, and a sum of as
 * many squares by less than 2^-20 in the worst case. */
#define GB_SPAMM_ROUNDING 0x1p-19

/* What a tau leaves, and what that leaves out. */
typedef struct {
    double valid; /* products of sub-matrices that are computed */
    double bound; /* of the error in the Frobenius norm, rounding of C's sums apart */
} gb_SpammOutcome;
/* Whoever has the norms tells it to the one who looks for a tau. */
typedef struct {
    gb_SpammOutcome (*outcome)(void *context, double tau);
    void *context;
    double triples; /* products of sub-matrices if all had entries */
} gb_SpammAsk;

/* -- the table --------------------------------------------------------------------------------- */

/* The kernels of a backend; kernels.def says what each does. */
typedef struct {
    const char *name; /* "portable", "avx2", "avx512" */
#define GB_KERNEL(result, name, parameters) result(*name) parameters;
#define GB_SET_KERNEL GB_KERNEL
#include "kernel_api/kernels.def"
} gb_Backend;

/* Chooses the host's kernels: the best the processor offers, or what the environment variable
 * GBLITE_ISA (portable, avx2, avx512) asks for; GBL_INVALID_VALUE when machine or build lack it.
 * Called by gbl_init. */
gbl_Info gb_backend_init(void);
/* What kernels compiled for that set call; NULL where build or processor lack it. */
const gb_KernelHelpers *gb_helpers_of(const char *set);
/* The backend for the host, ready after gb_backend_init. */
const gb_Backend *gb_backend(void);
