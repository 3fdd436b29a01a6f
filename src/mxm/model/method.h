/* SPDX-License-Identifier: Apache-2.0
 *
 * What the planner, the memory limit, the calibration and the explanations know of a method: one
 * descriptor for each variant, on each device. How to add one: docs/how_to_add.md.
 *
 * A descriptor is constant, and its functions are pure except `run`. They get the descriptor
 * itself, so that variants can share them.
 */
#pragma once

#include "mxm/model/cost.h"
#include "ops/finish.h"

/* Workspace, in bytes; the method that allocates it is the only one to say how much.
 *
 * With a memory limit these are bounds: the call holds `fixed` bytes throughout, for the given
 * threads and granularity, and a slice of C's rows needs `unit` bytes at least. Without a limit
 * they are expectations of what is touched: `beside` C's arrays, for `slices` parts of C. */
typedef struct {
    double fixed, unit;
    double size;     /* granularity of the work; as requested, or the coarsest */
    double waiting;  /* buffers of all of C, when C waits for its size; sliced to fit */
    double capacity; /* of C's arrays, where they are made before C's size is known; else 0 */
    double beside;
    double cold; /* of C, in arrays too large for the pool to have them: always fresh pages */
    double slices;
} gb_Workspace;

/* How the work of a method is cut; size: flops or entries of the mask per chunk, bytes of a bin;
 * 0: the coarsest. */
typedef struct {
    int threads;
    double size;
    unsigned accumulators; /* GBL_ACCUMULATE_ bits */
} gb_Cut;

/* What the memory limit allows a product; see gb_budget. */
typedef struct {
    gb_Allowance allow;
    gb_Cut cut;
    gb_Workspace w; /* of that cut */
    bool limited;
    double wanted; /* bytes without which the method cannot work at all; 0: no limit */
} gb_Budget;

/* A product on its way through a method. */
typedef struct {
    const gb_MxmCall *call;
    const gb_Features *f;
    const gb_Budget *budget;
    gb_Operands *in;      /* the forms that the method wants are taken */
    gbl_Explanation *why; /* out: what was done, and how long it took */
} gb_MxmRun;

/* What the calibration multiplies to learn a method's rates; see calibrate/calibrate.c. */
enum {
    GB_LEARN_PLAIN = 1,   /* + and * of FP64 */
    GB_LEARN_HASHED = 2,  /* the same with hash tables alone */
    GB_LEARN_COUNTED = 4, /* values that are counts */
    GB_LEARN_GENERIC = 8, /* operators called by pointers */
    GB_LEARN_MASKED = 16, /* inside a mask */
    GB_LEARN_FULL = 32,   /* with a full right factor */
    GB_LEARN_DEVICE = 64  /* on a GPU, + and * of FP64 */
};

/* Conditions on a product. The planner knows whether they hold, and why not, without a look at the
 * method; of several that do not hold it reports the first of these. */
enum {
    GB_IF_INSIDE_MASK = 1,       /* the mask exists and is not complemented */
    GB_IF_NO_MASK = 2,           /* no mask */
    GB_IF_NOT_INSIDE_MASK = 4,   /* none, or it is complemented */
    GB_IF_NORMS = 8,             /* norms bound what a product adds: + and * of floats */
    GB_IF_A_FULL = 16,           /* A has an entry at every position */
    GB_IF_B_FULL = 32,           /* and so has B */
    GB_IF_LISTED_RING = 64,      /* the semiring is one of semiring/foreach.h */
    GB_IF_OVERWRITTEN = 128,     /* C is not accumulated into */
    GB_IF_BUILT_IN_RING = 256,   /* as GB_IF_LISTED_RING, for methods that gain nothing else */
    GB_IF_UNLIMITED = 512,       /* memory is not limited */
    GB_IF_SIMILAR_ROWS = 1024,   /* neighbouring rows of A have columns in common */
    GB_IF_GROUPED_ROWS = 2048,   /* rows of A far apart have more in common */
    GB_IF_DEVICE_COLUMNS = 4096, /* columns of B need not be made on the host */
    GB_IF_LANES = 8192,          /* ... or these work on lanes of vectors */
    GB_IF_NOT_COMPILED = 16384,  /* the semiring is not one of kernels that the user compiled */
    GB_IF_ASKED = 32768,         /* the call requests the method */
    GB_IF_LANE_RING = 65536,     /* values of a listed semiring are lanes of vectors */
    GB_IF_DEVICE_RING = 131072   /* the semiring is listed, or has kernels for the GPU */
};

typedef struct gb_Method gb_Method;
struct gb_Method {
    const char *name, *variant; /* as explanations call them: "rowwise", "upper bound" */
    gbl_Place place;            /* CPU or GPU */
    const char *about;          /* one line for those who want to learn what it does */
    gbl_Desc_Value method;      /* the value of GBL_METHOD that requests it */
    gbl_Desc_Value workflow;    /* that of GBL_WORKFLOW; GBL_DEFAULT: it has none */
    bool any_workflow;          /* it obeys any GBL_WORKFLOW */
    bool by_method_alone;       /* it has a workflow, but GBL_METHOD alone requests it */
    int kind;                   /* the method's own number of the variant */
    gb_Form a, b;               /* the forms of the factors that it reads */
    bool sorted_a, sorted_b;    /* whose indices it wants in order */
    bool reads_flops;           /* and the flops of every row of C */
    bool reads_mask;            /* and the mask by rows, ... */
    bool probes_mask;           /* ... or where it is a bitmap, its bytes */
    bool filters_rows;          /* it can drop entries of a row before the row is stored */
    bool groups_rows;           /* it reads A's rows in an order that A keeps (matrix/derived.h) */
    bool repays_columns;        /* B's columns are made once they would have paid for it */
    bool makes_tiles;           /* C is tiles; else rows */
    bool has_accumulators;      /* obeys GBL_ACCUMULATORS */
    bool suits_small;           /* the one to take for products of few flops */
    bool may_fail;              /* on a device that can fail: another method then takes over */
    unsigned learn;             /* GB_LEARN_ bits */
    /* Seconds cannot be less than these rates give: the lesser of the two a flop, and one a pair of
     * tiles where values are made. GB_RATE_NONE: no bound. */
    gb_Rate per_flop[2], per_pair;
    unsigned needs; /* GB_IF_ bits without which it cannot compute the product at all */
    unsigned suits; /* GB_IF_ bits without which it must be requested */
    /* Reasons of its own, beside these; NULL when there is none. */
    const char *(*refuse)(const gb_Method *m, const gb_Features *f);
    const char *(*avoid)(const gb_Method *m, const gb_Features *f);
    gb_Workspace (*workspace)(const gb_Method *m, const gb_CostCase *s, const gb_Cut *cut);
    /* Counts of the kernel; conversions are counted by model/price.c from the forms. */
    void (*count)(const gb_Method *m, gb_Counts *counts, const gb_CostCase *s);
    /* T = op(A) * op(B), masked. */
    gbl_Info (*run)(const gb_Method *m, gb_MxmRun *run, gb_Result *T);
};

/* -- budget: what GBL_MEMORY_LIMIT makes of a product ------------------------------------------
 *
 * Threads, granularity of chunks and bins, size of slices: bounds, not expectations. A call never
 * exceeds the limit, apart from what it leaves behind (C, and forms added to its operands). The
 * limit less the fixed bytes is for slices. Without a limit there is one slice: the budget is then
 * a share of the machine's memory, and only the choice among methods respects it. Pure. */

gb_Budget gb_budget(const gb_Method *m, const gb_CostCase *s);
/* Whatever the kernel wants, in chunks of so much work. */
gb_Allowance gb_allow_all(uint64_t chunk);
/* Slices that the budget makes of C. */
double gb_budget_slices(const gb_Budget *budget);
/* The limit that the method needs when a slice takes so many bytes. */
double gb_budget_wanted(const gb_Method *m, const gb_CostCase *s, double slice);

/* -- price: kernel, conversions, transfers, fresh pages. Pure --------------------------------- */

typedef struct {
    double seconds; /* all of it; of that ... */
    double plan;    /* ... features and choice */
    double size;    /* ... that determines how long rows of C are, before they are computed */
    double convert; /* ... conversions and transfers */
    double pages;   /* ... pages that are touched for the first time */
    double bytes;   /* workspace and C at the peak, conversions that stay included */
    double slices;
} gb_Cost;

/* Seconds that the left factor takes to be in the form that the method reads. */
double gb_price_left(const gb_Method *m, const gb_Features *f, const gb_MachineTable *machine);
/* Within its budget. */
gb_Cost gb_price(const gb_Budget *budget, const gb_Method *m, const gb_CostCase *s);
/* What the seconds are made of: the kernel apart from conversions and transfers. */
void gb_price_counts(gb_Counts *kernel, gb_Counts *convert, const gb_Method *m,
                     const gb_CostCase *s);

/* -- what methods share (method.c) ----------------------------------------------------------- */

/* Arguments and statistics of kernels that read CSR and CSC, and C by rows, put together from
 * slices of rows that come in order. */
/* The values of X as a method has taken them. */
typedef struct {
    gb_Matrix *X;
    const void *x;
    bool iso;
} gb_TakenValues;

/* The kernel for factors as stored: an OR of ANDs whose values are all true is ANY_PAIR. */
int gb_kernel_for(const gb_Semiring *ring, gb_TakenValues A, gb_TakenValues B);

/* Factors and mask as they were taken, the semiring, and threads for `work` flops or entries
 * scanned; without a meter. */
gb_MxmArgs gb_sparse_args(const gb_MxmRun *run, uint64_t work);

/* How VECTOR sums rows, as requested (vector.c). */
gb_VectorWay gb_vector_way(const gb_VectorChoices *c);

/* Runs the kernel, with progress of so much work; the explanation gets what it counted. */
typedef gbl_Info gb_MxmKernel(const gb_MxmArgs *args, gb_Cs *T, gb_MxmStats *stats);
gbl_Info gb_run_kernel(gb_MxmKernel *kernel, gb_MxmArgs *args, const gb_MxmRun *run, uint64_t work,
                       gb_Cs *T);
/* What the kernel counted and took, for the explanation; what it did not is 0. */
void gb_report_stats(gbl_Explanation *why, const gb_MxmStats *stats);
/* On a device: what was moved to and from it since (gpu.c). */
void gb_report_moves(gbl_Explanation *why, const gb_DeviceFacts *before);

typedef struct {
    gb_Cs *C;
    size_t size;               /* of a value */
    bool exact;                /* allocate arrays for actual entries, not for expected ones */
    const gb_Allowance *allow; /* what they may take */
    uint64_t rows;             /* actual entries so far */
} gb_SlicedRows;

gbl_Info gb_slices_begin(gb_SlicedRows *s, uint64_t nmajor);
/* The next rows; share: of all work, that is done with them. */
gbl_Info gb_slices_add(gb_SlicedRows *s, const gb_CsView *part, double share);
/* Gives back what C's arrays are too long; frees C after an error, which it returns. */
gbl_Info gb_slices_end(gb_SlicedRows *s, gbl_Info info);

/* -- the table (methods/methods.c) ------------------------------------------------------------- */

extern const gb_Method *const gb_methods[]; /* in the order in which explanations list them */
extern const int gb_nmethods;               /* at most GBL_CANDIDATES_MOST */

/* The method of small products, used without a comparison (mxm/small_product.c). NULL: a program
 * has registered methods of its own, which must be compared with it. */
extern const gb_Method *const gb_method_of_small;

/* Why a device cannot filter rows as the call requests; NULL: it can, or need not. Loads its
 * library. */
const char *gb_device_refuses_filter(const gb_MxmCall *call);

/* The value of GBL_METHOD for a name; false: no such name. */
bool gb_method_find(gbl_Desc_Value *value, const char *name);
/* The k-th name of a method, each once; NULL behind the last. */
const char *gb_method_name(int k);
/* Whether a value of GBL_METHOD is one of a method. */
bool gb_method_exists(int value);
