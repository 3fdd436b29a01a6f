/* SPDX-License-Identifier: Apache-2.0
 *
 * What a device with memory of its own offers. The host sees a representation of a matrix there
 * only as a gb_DeviceCs, which the device makes, reads and releases; kernels see views whose arrays
 * lie in device memory. Calls may come from any thread; the device takes them one after the other.
 *
 * Every function leaves nothing behind on failure. Codes: GBL_INVALID_VALUE when there is no such
 * device or no such kernel, GBL_OUT_OF_MEMORY when the device's memory does not suffice (or the
 * host's), GBL_PANIC when the device failed; the text says what the driver said.
 */
#pragma once

#include "kernel_api/backend.h"

typedef struct gb_DeviceCs gb_DeviceCs;
typedef struct gb_DeviceSemiring gb_DeviceSemiring; /* kernels that the program compiled */

/* When a row-wise product takes which workflow, and how much capacity its rows get (Ocean, ICS '26,
 * table 1 and section 4.3). The planner fills it; see mxm/machine/cost_table.h. */
typedef struct {
    double bound_products;       /* fewer products a row: upper bound */
    double estimate_expansion;   /* products per entry of A, and ... */
    double estimate_compression; /* ... products per entry of C, from which rows are estimated */
    double registers_expansion;  /* 64 registers from this expansion on, else 32 */
    double capacity_factor_32, capacity_factor; /* capacity of a row relative to its estimate */
    double sample_share;                        /* of A's rows, and its limits */
    uint64_t sample_least, sample_most;
} gb_DeviceRules;

/* A product folded by the addition of its semiring. */
typedef struct {
    unsigned char value[8]; /* of the semiring's type; of no use where nvals is 0 */
    uint64_t nvals;
} gb_DeviceFold;

/* A unary operator; a binary one with a bound argument; or an index-unary one with its y. */
typedef struct {
    int op;             /* gb_Opcode */
    gbl_Type_Code type; /* of the values and of the bound one; by position: of the latter alone */
    bool is_unary;
    bool bound_first; /* binary: bound is x, the values are y */
    uint64_t bound;   /* the bytes of one of `type`; by position: of an int64_t */
    gbl_Type_Code to; /* of the results */
} gb_DeviceMap;

/* An index-unary operator that looks at no value. */
static inline bool gb_is_by_position(int op) {
    return op >= GB_ROWINDEX && op <= GB_ROWGT;
}

/* A gb_RowFilter. */
typedef struct {
    gbl_Type_Code type; /* of the values */
    bool has_test;
    gb_DeviceMap test; /* passes where true: VALUE.. of that type, or TRIL and so on */
    uint64_t most, recover;
    double share, power;
    bool scale;
} gb_DeviceFilter;

typedef struct {
    const gb_DeviceCs *A, *B; /* by rows, sorted; with values where the semiring uses them */
    const gb_DeviceCs *M;     /* by rows, sorted, pattern only; NULL: no mask */
    gb_MaskKind mask_kind;
    int ring;                     /* gb_Ring, not the generic one */
    const gb_DeviceSemiring *own; /* in its place; not by tiles, nor folded */
    unsigned accumulators;        /* GBL_ACCUMULATE_ bits that may be used */
    unsigned registers;           /* of sketches; 0: by the rules */
    bool forced;                  /* to this workflow */
    gb_Workflow workflow;
    gb_DeviceRules rules;
    const gb_DeviceFilter *filter; /* NULL: rows stay whole; not by dot */
    gb_DeviceFold *fold; /* dot only. NULL: the product is wanted; else it is not stored */
} gb_DeviceMxmArgs;

typedef struct {
    gb_MxmStats rows;                  /* by accumulator, and seconds by stage */
    uint64_t products, sampled, nvals; /* nvals: of the result */
    double products_mean, expansion, compression, size_sum;
    unsigned registers;
    double seconds_analysis, seconds_sketch, seconds_estimate, seconds_numeric;
    double seconds_layout, seconds_masks, seconds_values; /* tiled: the paper's steps 1 to 3 */
    bool tensor_cores; /* tiled: pairs of filled tiles, if there were any, went through them */
    bool no_room;      /* it failed for want of the device's memory */
    uint64_t slices;   /* of a sliced product */
} gb_DeviceMxmStats;

/* How a product is made there. */
typedef enum { GB_DEVICE_ROWWISE, GB_DEVICE_TILED, GB_DEVICE_DOT } gb_DeviceWay;

/* Gets a product's rows, slice by slice in order; must not call the device. */
typedef struct {
    gbl_Info (*take)(void *to, const gb_CsView *rows);
    void *to;
} gb_DeviceSink;

typedef struct {
    char name[64];
    int multiprocessors;
    uint64_t memory, memory_limit; /* bytes; of the card, and that may be taken */
    double bandwidth;  /* of its memory, bytes per ns, by clock and width; 0: not known yet */
    bool tensor_cores; /* products of FP64 may go through them; false: not, or not known yet */
    uint64_t bytes_in_use, bytes_peak;
    uint64_t bytes_up, bytes_down; /* moved so far */
    double seconds_moving;
} gb_DeviceFacts;

/* What the program gives the device. */
typedef struct {
    uint64_t memory_limit;      /* bytes; 0: what the card has */
    void *stream;               /* cudaStream_t of its device; NULL: the library's own */
    gbl_cuda_allocate allocate; /* NULL: memory of its own pool */
    gbl_cuda_release release;
    void *state;
} gb_DeviceSettings;
typedef enum { GB_DEVICE_LIMIT, GB_DEVICE_STREAM, GB_DEVICE_ALLOCATOR } gb_DeviceSetting;
static inline void gb_device_settings_take(gb_DeviceSettings *to, gb_DeviceSetting which,
                                           const gb_DeviceSettings *from) {
    const gb_DeviceSettings old = *to;
    if (which == GB_DEVICE_ALLOCATOR) *to = *from;
    to->memory_limit = which == GB_DEVICE_LIMIT ? from->memory_limit : old.memory_limit;
    to->stream = which == GB_DEVICE_STREAM ? from->stream : old.stream;
}

/* -- operations other than products. Matrices are pinned and by rows, results are pinned, rows stay
 * sorted; gb_Opcode numbers are those of built-in operators that has_operator knows. */

/* C = A op B where both have an entry; when `unite` also what is alone, as it is or, where the
 * operator compares, whether it is true. */
typedef struct {
    int op;
    gbl_Type_Code type; /* of both */
    bool unite;
    const gb_DeviceCs *A, *B; /* with values */
} gb_DeviceMerge;

typedef struct {
    const gb_DeviceCs *M; /* with values unless structural */
    gbl_Type_Code type;   /* of M */
    bool structural, inside;
} gb_DeviceRowMask;

/* -- vectors: a gb_DeviceCs with a place for each entry that there may be. Those that calls take
 * are pinned, and so are those that they make. */

/* Which entries of w may be written. */
typedef struct {
    const gb_DeviceCs *M; /* a vector, with values where not structural; NULL: all */
    gbl_Type_Code type;   /* of M's values */
    bool structural, complement;
} gb_DeviceMask;

/* T = R u, inside the mask. */
typedef struct {
    const gb_DeviceCs *by_rows, *by_columns; /* R, with values where the semiring uses them; one of
                                              * them may be NULL, but not that of the way taken */
    gb_DeviceCs *u;
    gb_DeviceMask mask;
    uint64_t rows;                /* of R */
    int ring;                     /* gb_Ring, not the generic one */
    const gb_DeviceSemiring *own; /* in its place; pull alone */
    bool push;
    bool u_is_left; /* factor of each product */
} gb_DeviceMxvArgs;

typedef struct {
    uint64_t products; /* of push */
    uint64_t open;     /* entries of the rows that may be written */
} gb_DeviceMxvFacts;

/* w<mask, replace> accum= T, or one value. */
typedef struct {
    gb_DeviceCs *w;
    gb_DeviceMask mask;
    bool replace;
    const gb_DeviceCs *T;   /* of w's type; NULL: */
    unsigned char value[8]; /* everywhere, of that type */
    gbl_Type_Code type;     /* where there is an accum */
    int accum;              /* gb_Opcode that has_operator knows; GB_USER: none */
} gb_DeviceWrite;

/* -- the approximate product (docs/spamm.md) */

/* A factor on the host with an entry at every place: x[nmajor * nminor], or one value where iso. */
typedef struct {
    uint64_t nmajor, nminor;
    bool iso;
    const void *x;
} gb_DeviceFull;

typedef struct {
    gb_DeviceFull A, B;
    gb_SpammValues values;
    unsigned side; /* 16, 32 or 64 */
    /* Asked once norms are there; `ask` is of use within the call alone. */
    double (*find_tau)(const void *context, const gb_SpammAsk *ask);
    const void *context;
} gb_DeviceSpammArgs;

typedef struct {
    double tau, valid, bound, triples;
    int devices; /* that C's rows were divided over */
    double seconds_search;
    double seconds_norms, seconds_products; /* of kernels alone, on the first device */
} gb_DeviceSpammStats;

typedef struct {
    /* Starts the device when that has not been tried; the answer stays the same afterwards. */
    gbl_Info (*open)(void);
    void (*facts)(gb_DeviceFacts *facts);
    void (*forget_peak)(void);
    /* Gives everything back, and forgets stream and allocator; nothing may be on it. */
    void (*close)(void);
    /* Takes one of the settings; an allocator only while nothing is on the device. */
    gbl_Info (*set)(gb_DeviceSetting which, const gb_DeviceSettings *from);
    /* A copy of the host's arrays there, pinned; without values when host->x is NULL. */
    gbl_Info (*upload)(const gb_CsView *host, gb_DeviceCs **made);
    gbl_Info (*upload_values)(const gb_CsView *host, gb_DeviceCs *cs); /* to one that is pinned */
    bool (*has_values)(const gb_DeviceCs *cs);
    uint64_t (*nvals)(const gb_DeviceCs *cs);
    /* A copy that is not pinned is dropped when its room is wanted, the one used longest ago first;
     * content that is nowhere else, a product's, goes to the host's memory then. Pins are counted.
     * pin: GBL_NO_VALUE when the copy was dropped and must be made anew. */
    gbl_Info (*pin)(gb_DeviceCs *cs);
    void (*unpin)(gb_DeviceCs *cs);
    /* The host has the content from now on. */
    gbl_Info (*download)(gb_DeviceCs *cs, gb_Cs *host);
    void (*release)(gb_DeviceCs *cs); /* pinned or not; NULL is fine */
    /* A vector's: from a list of its entries, of n that there may be; from cells; to cells. */
    gbl_Info (*upload_list)(const gb_CsView *host, gb_DeviceCs **made);
    gbl_Info (*upload_cells)(const gb_DenseView *host, gb_DeviceCs **made);
    gbl_Info (*download_cells)(gb_DeviceCs *v, gb_Dense *host);
    /* T pinned. Factors and mask are pinned, too. By tiles of 16 x 16, which stay with the copies
     * of the factors and the mask, workflow and accumulators are its own. Inner products are inside
     * a mask, B by its columns; *T NULL where the product is folded. */
    gbl_Info (*mxm)(gb_DeviceWay way, const gb_DeviceMxmArgs *args, gb_DeviceCs **T,
                    gb_DeviceMxmStats *stats);
    /* A product that does not fit there, in slices of rows that go to the host: beside factors and
     * mask there are two of them at a time, and the workspace of one. */
    gbl_Info (*mxm_sliced)(gb_DeviceWay way, const gb_DeviceMxmArgs *args,
                           const gb_DeviceSink *sink, gb_DeviceMxmStats *stats);
    /* Facts that push and pull are chosen by; 0 where R is not there in that form. */
    gbl_Info (*mxv_facts)(const gb_DeviceMxvArgs *args, gb_DeviceMxvFacts *facts);
    gbl_Info (*mxv)(const gb_DeviceMxvArgs *args, gb_DeviceCs **T);
    /* In place; what w had is lost once kernels have begun, which may yet fail with GBL_PANIC. */
    gbl_Info (*write)(const gb_DeviceWrite *args);
    /* Whether there is a kernel that folds values of the type by the monoid of this gb_Opcode. */
    bool (*reduces)(gbl_Type_Code type, int op);
    /* *z = all values of A, which is pinned and has some. */
    gbl_Info (*reduce)(const gb_DeviceCs *A, gbl_Type_Code type, int op, void *z);
    /* w = the rows of A, likewise; those without entries give none. */
    gbl_Info (*reduce_rows)(const gb_DeviceCs *A, gbl_Type_Code type, int op, gb_DeviceCs **w);
    /* Whether kernels have the operator for values of the type: it gives that type, a comparison
     * BOOL. Those by position need no values. */
    bool (*has_operator)(int op, gbl_Type_Code type);
    /* T = A with the map of each value; A has the values that the operator looks at. */
    gbl_Info (*apply)(const gb_DeviceMap *map, const gb_DeviceCs *A, gb_DeviceCs **T);
    /* What is true by VALUE.., TRIL and so on, with values of 1, 2, 4 or 8 bytes, as below. */
    gbl_Info (*select)(const gb_DeviceMap *map, const gb_DeviceCs *A, gb_DeviceCs **T);
    gbl_Info (*merge)(const gb_DeviceMerge *args, gb_DeviceCs **T);
    /* A inside the true entries of a mask, or outside them. */
    gbl_Info (*filter)(const gb_DeviceCs *A, const gb_DeviceRowMask *mask, gb_DeviceCs **T);
    /* `derived`: A stays, and T may be dropped. */
    gbl_Info (*transpose)(const gb_DeviceCs *A, bool derived, gb_DeviceCs **T);
    /* With a value for each entry. */
    gbl_Info (*copy)(const gb_DeviceCs *A, gb_DeviceCs **T);
    /* The values of a matrix or vector become those of another type, where there is a kernel. */
    bool (*casts)(gbl_Type_Code from, gbl_Type_Code to);
    gbl_Info (*cast)(gb_DeviceCs *A, gbl_Type_Code from, gbl_Type_Code to);
    /* The same to a copy, for the time of a call: one value of all entries stays one. */
    gbl_Info (*cast_copy)(const gb_DeviceCs *A, gbl_Type_Code from, gbl_Type_Code to,
                          gb_DeviceCs **T);
    /* C = A * B without the products of sub-matrices of norms below tau, from the host to the host:
     * FP64 and FP32 as they are, other values in 16 bits or as floats that are rounded already. C
     * is FP64 or FP32, rows whose sub-matrices stand side by side. */
    gbl_Info (*mxm_spamm)(const gb_DeviceSpammArgs *args, gb_Cs *C, gb_DeviceSpammStats *stats);
} gb_Device;

/* The device. Until its library is loaded, by the first open that succeeds, this is a table with
 * nothing but open, facts, forget_peak, close, set and release (of NULL); so ask again
 * after open. Without a library open fails and says what to install. */
const gb_Device *gb_device(void);

/* -- the library of the device ----------------------------------------------------------------- */

/* Between libgblite and libgblite_cuda.so, a library of its own, so that a machine without a GPU
 * carries nothing of CUDA. libgblite loads it when something first wants the device
 * (kernel_api/loader.c). The device's library exports one symbol, a gb_DeviceLibrary, and takes
 * what it needs of libgblite from a gb_DeviceHost: neither sees the other's names.
 *
 * Both must come from the same sources, since views and tables cross the border as they are. The
 * loader compares version and sizes before it calls anything. `size` and `version` stay the first
 * members of gb_DeviceLibrary for ever, so that they can be read from a library of any version. */

/* The functions of these names, of core/memory.h, core/arrays.h and core/call.h. */
typedef struct {
    void *(*malloc)(size_t bytes);
    void (*free)(void *block, size_t bytes);
    bool (*size_mul)(size_t *bytes, uint64_t count, size_t size);
    gbl_Info (*cs_alloc)(gb_Cs *cs, uint64_t nmajor, uint64_t nvals, size_t xbytes);
    void (*cs_free)(gb_Cs *cs);
    gbl_Info (*dense_alloc)(gb_Dense *dense, uint64_t n, size_t xbytes, bool bitmap);
    void (*dense_free)(gb_Dense *dense);
    gb_CsView (*cs_view)(const gb_Cs *cs, uint64_t nminor, size_t xsize);
    gbl_Info (*fail)(gbl_Info code, const char *format, ...);
    gbl_Info (*fail_memory)(size_t bytes);
    const char *(*last_error)(void);
} gb_DeviceHost;

typedef struct {
    size_t size;         /* of this struct, in the build that made it */
    const char *version; /* GB_DEVICE_VERSION */
    uint32_t sizes[17];  /* GB_DEVICE_SIZES */
    /* The device's table; called once, before anything else of the library. `host` stays. */
    const gb_Device *(*attach)(const gb_DeviceHost *host);
} gb_DeviceLibrary;

#define GB_DEVICE_SYMBOL gblite_cuda_library
#define GB_DEVICE_QUOTE(text) #text
#define GB_DEVICE_NUMBERS(major, minor, patch)                                                     \
    GB_DEVICE_QUOTE(major) "." GB_DEVICE_QUOTE(minor) "." GB_DEVICE_QUOTE(patch)
#define GB_DEVICE_VERSION                                                                          \
    GB_DEVICE_NUMBERS(GBLITE_VERSION_MAJOR, GBLITE_VERSION_MINOR, GBLITE_VERSION_PATCH)

/* Sizes of whatever crosses the border, and the number of semirings. */
#define GB_DEVICE_OTHER_SIZES                                                                      \
    sizeof(gb_DeviceHost), sizeof(gb_DeviceMxmArgs), sizeof(gb_DeviceMxmStats),                    \
        sizeof(gb_DeviceFacts), sizeof(gb_CsView), sizeof(gb_Cs), GB_RING_COUNT,                   \
        sizeof(gb_DeviceSpammArgs), sizeof(gb_DeviceSpammStats), sizeof(gb_Dense),                 \
        sizeof(gb_DeviceMxvArgs), sizeof(gb_DeviceWrite), sizeof(gb_DeviceMap),                    \
        sizeof(gb_DeviceMerge), sizeof(gb_DeviceRowMask), sizeof(gb_DeviceFilter)
#define GB_DEVICE_SIZES                                                                            \
    { sizeof(gb_Device), GB_DEVICE_OTHER_SIZES }
