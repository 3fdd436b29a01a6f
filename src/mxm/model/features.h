/* SPDX-License-Identifier: Apache-2.0
 *
 * Facts about a product: plain numbers, so that the cost model is a pure function of them. None
 * needs a conversion, except of dense factors to rows (mxm/model/operands.h). A fact that was not
 * sampled is 0 and documented so.
 */
#pragma once

#include "mxm/machine/machine.h"
#include "mxm/model/operands.h"

/* Memory that GBL_MEMORY_LIMIT leaves; all zero without a limit. */
typedef struct {
    bool limited;
    double held;        /* bytes: counts of products, copies of the mask and of values; of features
                         * the rows made of dense factors too */
    uint64_t mask_most; /* entries of the mask's longest row */
    bool result_waits;  /* the product is not C yet: it is cast or merged into C at the end */
    bool result_merges; /* the latter */
} gb_MemoryFacts;

/* Samples and other arrays whose size does not depend on the operands. */
#define GB_SMALL_BYTES 49152.0
/* Large blocks are rounded up to a class of the pool, by 1 / 8 at most. */
#define GB_BLOCK_SHARE (8.0 / 9.0)

/* Rows of C by their flops f: class 0 has f = 0, class c has 2^(c-1) <= f < 2^c, the last class all
 * above. Rows with one entry in A, which are scaled copies, are counted apart. */
enum { GB_CLASSES = 34 };
typedef struct {
    uint64_t rows[GB_CLASSES], flops[GB_CLASSES]; /* without the copied ones */
    uint64_t rows_copied, flops_copied;
    uint64_t most;        /* flops of a row */
    uint64_t upper_bound; /* entries of C: sum of min(flops, columns) over the rows */
    double squares;       /* sum of flops^2 over the rows */
} gb_RowCounts;

/* What values the semiring's products have. */
typedef enum { GB_VALUES_TYPED, GB_VALUES_COUNTED, GB_VALUES_NONE, GB_VALUES_GENERIC } gb_ValueKind;

/* One factor. */
typedef struct {
    uint64_t nvals;
    bool has[GB_FORMS];  /* representations of op(X) that exist */
    bool unsorted;       /* of the rows, where they exist */
    bool iso;            /* one value for all entries, or values that are not used */
    double fill;         /* entries per tile of 16 x 16; 0: not looked at */
    double bytes;        /* of op(X) by rows, with the values it has */
    bool only_on_device; /* no representation in the host's memory */
    double saved;        /* seconds that its columns would have saved calls so far */
    /* of rows; 0: not looked at */
    uint64_t rows_used, longest; /* with entries; entries of the longest */
    double squares;              /* sum of the squares of their lengths */
    bool runs, adjacent;         /* how columns come; see core/view.h */
} gb_FactorFacts;

/* Sampled panels of neighbouring rows of A (plan/panels.c); sampled is 0 when there is no
 * sample. */
typedef struct {
    uint64_t sampled;
    double share, error; /* entries of B read for a panel, per product; its relative deviation */
    double hashed;       /* of these entries: in panels whose columns are far apart */
    double merged;       /* of the panels: those whose inner indices are far apart */
    bool kept;           /* the product may read these united panels of A */
    double slots;        /* capacity of a panel in columns, at most */
    /* the same if similar rows were brought together; 0: not looked at */
    double grouped, grouped_hashed, grouped_merged, grouped_slots;
    bool is_grouped, grouped_kept; /* A has such an order of its rows; and their panels */
    double saved;                  /* seconds that it would have saved products so far */
} gb_PanelFacts;

/* Whether a factor of that shape has an entry at every position. */
bool gb_is_full(const gb_FactorFacts *X, uint64_t rows, uint64_t columns);

typedef struct {
    uint64_t m, k, n; /* op(A) is m x k, op(B) is k x n */
    gb_FactorFacts A, B;
    gb_MaskKind mask;
    uint64_t nnz_m;
    bool filtered;        /* rows of C lose entries before they are stored: how many is not known */
    uint64_t flops;       /* multiplications before masking; expected from means until counted */
    bool counted;         /* flops and rows are exact */
    gb_RowCounts rows;    /* valid when counted */
    double seconds_count; /* of counting, where long enough to be measured */
    uint64_t dot_work;    /* entries that masked inner products would scan; UINT64_MAX: no mask */
    uint64_t dot_spared;  /* in addition, since columns are held as bits, or will be */
    double dot_found;     /* products inside the mask as sampled; 0: not looked at */
    bool by_bits;         /* no value is looked at, so that bits of columns will do */
    bool wide;            /* its values are no lanes (gb_lane_ring) */
    bool compiled;        /* the user compiled the semiring's kernels, and for the GPU: */
    bool compiled_for_device;
    bool lanes;        /* kernels of the semiring work on lanes of vectors, or through functions */
    bool by_norms;     /* + and * of floats: norms bound what a product adds */
    bool by_pattern;   /* nor a number of products: all values of C are true */
    double bits_share; /* of the flops, that rows of B held as bits would save */
    /* from sampled rows; sampled is 0 when none was looked at */
    uint64_t sampled;
    double compression;       /* flops per entry of C; 0: not known */
    double compression_error; /* relative; exceeded in at most 1 of 20 cases (Chebyshev) */
    double tiles_per_flop;    /* tiles of C per flop; 0: not looked at */
    bool by_runs;             /* dense rows are summed several columns at a time */
    gb_PanelFacts panels;
    /* of the call */
    gb_ValueKind values;
    size_t zsize;                 /* bytes of a value of C */
    unsigned accumulators;        /* GBL_ACCUMULATE_ bits that may be used */
    unsigned registers;           /* of sketches */
    gb_Choices choices;           /* as requested */
    bool accumulated;             /* into C, by an operator */
    bool filter_optional;         /* rows may stay whole */
    const char *no_device_filter; /* why a device cannot filter rows; NULL: it can, or need not */
    bool no_device_columns;       /* columns of B would have to be made on the host */
    bool sketched;                /* B's sketches exist */
    bool stays_tiled;   /* C may stay as tiles: the factors are held as tiles and nothing else */
    double budget;      /* bytes that workspace may take: the limit, or a share of the memory */
    double warm;        /* bytes that can be had without touching fresh pages */
    double fresh_share; /* of the price of fresh pages that this product is charged */
    double made_bytes;  /* of rows made of dense factors, which stay */
    gb_MemoryFacts memory;
    int threads; /* that may be used */
    int place;   /* where it may run, a gbl_Place that is not DEFAULT */
    bool place_is_asked;
    double device_slower; /* than the GPU of the rates, so many times; 0: as fast, or not known */
    bool device_tensors;  /* it has tensor cores for this product */
    const gb_MachineTable *machine; /* what the call goes by */
} gb_Features;
