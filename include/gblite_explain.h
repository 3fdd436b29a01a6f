/* SPDX-License-Identifier: Apache-2.0
 *
 * Tier 3, utilities: what the library reports of a product, before and after, and of a matrix in
 * tiles. All are gblite additions. Included by gblite.h, whose common rules hold here: nothing that
 * is filled changes when a call fails, and reading is thread safe.
 */
#ifndef GBLITE_EXPLAIN_H
#define GBLITE_EXPLAIN_H

#include "gblite_types.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ------------------------------------------------------------------------ structs that grow -- */

/* gbl_Explanation, gbl_MachineFacts, gbl_MxmEstimate, gbl_ChainPlan (in gblite_chain.h) and
 * gbl_RowFilter (in gblite_operations.h) begin with their size, and later versions of the library
 * may add fields at their end; existing fields keep their offset, type and meaning. The caller sets
 * the size by initialising the struct:
 *
 *     gbl_Explanation how = GBL_EXPLANATION_INIT;
 *     info = gbl_Matrix_explain(&how, C);
 *
 * A function that fills such a struct writes no more than `size` bytes, so a program compiled
 * against an older header gets what it knows of. Afterwards `size` is what was filled: less than
 * before where the program is newer than the library, and fields beyond are as they were. A struct
 * that was filled may be passed again. A size that no such struct can have, 0 among them, is
 * GBL_INVALID_VALUE. */
#ifdef __cplusplus
#define GBL_SIZED(T)                                                                               \
    ([]() -> T {                                                                                   \
        T sized = T();                                                                             \
        sized.size = sizeof sized;                                                                 \
        return sized;                                                                              \
    }())
#else
#define GBL_SIZED(T)                                                                               \
    { .size = sizeof(T) }
#endif
#define GBL_EXPLANATION_INIT GBL_SIZED(gbl_Explanation)
#define GBL_MACHINE_FACTS_INIT GBL_SIZED(gbl_MachineFacts)
#define GBL_MXM_ESTIMATE_INIT GBL_SIZED(gbl_MxmEstimate)

/* ----------------------------------------------------------------------------- explanations -- */

/* One method to compute a product, as the planner prices it. Predicted seconds are those of the
 * call from its start until C has sorted rows. Neither this struct nor GBL_CANDIDATES_MOST grows:
 * later facts of candidates become parallel arrays at the end of gbl_Explanation. */
typedef struct {
    const char *method, *workflow; /* as in gbl_Explanation */
    const char *place;             /* "cpu" or "gpu" */
    bool legal;
    const char *why_not;    /* if it is not legal, else NULL */
    double seconds;         /* predicted: the sum of those that follow */
    double seconds_plan;    /* facts and choice */
    double seconds_size;    /* sizes of C's rows: sketches and estimates, or the symbolic pass */
    double seconds_convert; /* forms that operands lack, less what earlier products would have
                               repaid of them; rows of C, transfers to and from a GPU */
    double seconds_pages;   /* pages touched for the first time: what the pool cannot serve */
    double seconds_kernel;  /* all else */
    uint64_t bytes;  /* predicted: workspace and C at the peak, conversions that stay included */
    uint64_t slices; /* parts of C that the memory limit makes of the product */
} gbl_Candidate;
enum { GBL_CANDIDATES_MOST = 24 };

/* How a product was or would be computed. The workflow of mxv and vxm is the variant of the kernel:
 * "one pass", "one pass, pruned", "sorted" or "strips" (see gbl_mxv). */
typedef struct {
    size_t size; /* bytes of this struct; see above */
    /* "mxm", "mxv", "vxm", "values"; "apply" and so on where a GPU was wanted */
    const char *operation;
    const char *method;   /* as gbl_mxm_method names them, or "push", "pull" */
    const char *workflow; /* how the size of the result was found: "upper bound", "symbolic", ... */
    const char *isa;      /* "portable", "avx2", "avx512", ...; "cuda" or "cuda, tensor cores" */
    char reason[192];     /* why this method */
    uint64_t flops;       /* partial products, before masking; expected ones where not counted */
    uint64_t nvals;       /* entries of the product; 0 where its sum was found without them */
    uint64_t rows_copied, rows_sorted, rows_hashed, rows_dense; /* rows by accumulator */
    uint64_t rows_overflowed; /* rows that overflowed their estimated capacity: computed twice */
    /* what the analysis found; 0 where it was not needed */
    double flops_mean;        /* per row of C ... */
    double flops_spread;      /* ... and their standard deviation, relative to the mean */
    double expansion_ratio;   /* flops per entry of A */
    double compression_ratio; /* flops per entry of the product, from sampled rows */
    double compression_error; /* relative, exceeded in at most 1 of 20 cases */
    double nvals_estimated;   /* sum of the estimates of all rows */
    int32_t registers;        /* of the sketches */
    /* 0 for a push of few products; of operations other than products kernel is the whole call */
    double seconds_prepare, seconds_kernel, seconds_finish;
    /* parts of prepare: flops per row and samples; sketches; estimates of all rows */
    double seconds_analysis, seconds_sketch, seconds_estimate;
    /* parts of kernel: the symbolic pass; compaction of rows; sorting columns */
    double seconds_symbolic, seconds_compact, seconds_sort;
    double seconds_expand;  /* outer; seconds_sort is then all that comes after it */
    double seconds_convert; /* conversions of operands */
    double seconds_layout, seconds_masks, seconds_values; /* tiled: which tiles, masks, values */
    uint64_t slices; /* tiled, outer: parts of C, one after the other, within the memory limit */
    uint64_t bins, bytes_expanded; /* outer: bins, and the partial products in them */
    /* what the choice was made of; the facts are 0 where they were not needed */
    gbl_Candidate candidates[GBL_CANDIDATES_MOST]; /* in a fixed order */
    int32_t ncandidates, chosen; /* chosen: index into candidates; -1 when there are none */
    bool forced;                 /* by the descriptor or GBLITE_METHOD, not by the least seconds */
    double seconds_predicted;    /* of the one chosen */
    double seconds_plan;         /* part of prepare that facts and choice took */
    gbl_Index nrows, inner, ncols; /* op(A) is nrows x inner, op(B) is inner x ncols */
    uint64_t nnz_a, nnz_b, nnz_mask;
    double mask_density;     /* allowed positions of C: 1 without a mask */
    uint64_t flops_most;     /* of one row */
    double entries_expected; /* of the product, from the compression ratio */
    uint64_t rows_sampled;   /* rows of A behind the compression ratio */
    double fill_a, fill_b;   /* entries per tile of 16 x 16; 0 where not looked at */
    /* rows of op(A) and op(B): those with entries, the longest, and the standard deviation of all
     * rows' lengths relative to their mean; 0 where not looked at */
    uint64_t rows_used_a, rows_used_b, longest_a, longest_b;
    double spread_a, spread_b;
    double tile_pairs;             /* expected pairs of tiles that are multiplied */
    unsigned formats_a, formats_b; /* GBL_HAS_ bits when the call began, of A and B as they are */
    bool iso_a, iso_b;             /* one value for all entries, or values that are not used */
    uint64_t bytes_limit;          /* what workspace and C may take */
    const char *machine;           /* whose rates: "built in", "calibrated" (docs/cost_model.md) */
    const char *place;             /* "cpu" or "gpu" */
    char place_reason[96];         /* why on that device */
    /* gpu: bytes uploaded and downloaded, by all threads meanwhile, and seconds of transfers; a
     * product left on the device counts when it is downloaded */
    uint64_t bytes_to_device, bytes_from_device;
    double seconds_transfer;
    uint64_t hubs_bits; /* rows of op(B), for dot columns, that were held as bits, used or not */
    uint64_t rows_bits; /* rows of C that were read off bits: products without values */
    /* part of plan that counting the flops of C's rows took, which rowwise and outer products read
     * whatever the plan; 0 for few entries, which take no longer than asking the clock */
    double seconds_count;
    /* spamm: the least product of norms that counted; of the products of sub-matrices those that
     * were computed, relative to all; what ||error of A * B||_F does not exceed, rounding apart,
     * before mask, accumulator and cast, absent entries counting 0; side of the sub-matrices;
     * seconds for norms, and to find tau */
    double tau, valid_ratio, error_bound;
    int32_t submatrix;
    double seconds_norms, seconds_search;
    /* the product was deferred, and folded to a value as it was computed: it is not stored */
    bool folded;
    const char *rounding;  /* of factors: "fp16", "bf16", "tf32", or NULL; ... */
    double rounding_error; /* ... and its part of error_bound */
    int32_t devices;       /* gpu, spamm: that C's rows were divided over */
    /* entries of B that a panel of rows of A reads, per product: of neighbouring rows, and of
     * similar rows, wherever they are; 0 where not sampled. Rows that were grouped so */
    double panel_share, panel_share_grouped;
    uint64_t rows_grouped;
    bool panels_kept; /* panels of A that an earlier product or this one made were read */
    /* calls that were deferred and then executed together; 0: only this one. Operation "values":
     * operators on the values of one object, and their sum, in one pass. A product counts with
     * select and apply in place that follow it; one with a vector, workflow "one pass with the
     * assign", with assigns through its result, of which the one into its mask was fused */
    int32_t fused;
    bool filtered; /* rows lost entries before they were stored: gbl_mxm_select, or such a select */
    /* "compiled semiring: NAME", "through pointers: NAME" of operators that are called; "" where
     * the library has kernels. NAME is GBL_NAME, or of compiled ones GBL_SEMIRING */
    char semiring[64];
} gbl_Explanation;
/* gbl_K_explain: How the product that last wrote C was computed, or calls made in one pass.
 * GBL_NO_VALUE if none did: C was written otherwise since, or never. */
gbl_Info gbl_Matrix_explain(gbl_Explanation *explanation, gbl_Matrix C);
gbl_Info gbl_Vector_explain(gbl_Explanation *explanation, gbl_Vector w);
/* gbl_Explanation_text: An explanation as text for people, lines that end in a newline.
 * gbl_Explanation_json: An explanation as one JSON object on one line, in UTF-8.
 * Keys are the names of the fields above but size: formats are lists of the names
 * "rows", "columns", "tiles", "bitmap", "full", and a candidate has "chosen" besides. All of the
 * struct is in the JSON; the text leaves out what is not known. *size is the capacity of buffer
 * before, and the size of the text, with its final zero, after; with buffer NULL only *size is set.
 * GBL_INVALID_VALUE for a struct that the library cannot have filled; GBL_INSUFFICIENT_SPACE when
 * the capacity is too small: buffer is then unchanged, and *size is the capacity needed. No memory
 * is allocated. */
gbl_Info gbl_Explanation_text(char *buffer, size_t *size, const gbl_Explanation *explanation);
gbl_Info gbl_Explanation_json(char *buffer, size_t *size, const gbl_Explanation *explanation);
/* gbl_mxm_plan: How gbl_mxm would compute C<M> accum= A * B, without multiplying.
 * Facts, candidates and choice; measured fields are 0. C is not changed. Errors: those of gbl_mxm.
 * Cost: O(entries of A + m) and a sample; a few percent of the product. */
gbl_Info gbl_mxm_plan(gbl_Explanation *plan, gbl_Matrix C, gbl_Matrix M, gbl_BinaryOp accum,
                      gbl_Semiring ring, gbl_Matrix A, gbl_Matrix B, gbl_Descriptor desc);

/* gbl_mxm_method: The k-th method of gbl_mxm, counted from 0, for those who offer a choice.
 * *name is its name in explanations and GBLITE_METHOD, *value requests it by GBL_METHOD; either may
 * be NULL. GBL_NO_VALUE, and nothing set, if there are at most k methods. At any time, also before
 * gbl_init. */
gbl_Info gbl_mxm_method(const char **name, gbl_Desc_Value *value, int32_t k);

/* ------------------------------------------------------------------------------ the machine -- */

/* gbl_machine: The machine table that predictions rest on.
 * Where the file at `path` holds a table that was measured on this processor for these kernels, it
 * is used; GBLITE_CONFIG names another file, or "off" for none. */
typedef struct {
    size_t size;         /* bytes of this struct; see above */
    const char *source;  /* "built in" or "calibrated" */
    const char *isa;     /* instruction set of the kernels */
    const char *path;    /* where gbl_init looked for a calibration; NULL: nowhere */
    const char *refused; /* why the file at `path` is not used; NULL: it is, or none exists */
    double cache[3];     /* bytes of the caches */
    double latency;      /* ns of a load from memory */
    double bandwidth;    /* bytes per ns that one thread reads */
    double error;        /* median |log2(predicted / measured)| when calibrated, else 0 */
    int32_t devices;     /* GPUs that were calibrated */
    const char *devices_refused; /* why not the file of GPUs; NULL: used, or none exists */
} gbl_MachineFacts;
gbl_Info gbl_machine(gbl_MachineFacts *facts);

/* gbl_calibrate: Measures this machine, uses the result from now on, and writes it to a file.
 * The file is `path`, or where gbl_init looks for it if path is NULL. Takes about a minute; the
 * progress callback is called. No other call of the library may run meanwhile. Errors:
 * GBL_CANCELLED, GBL_IO_ERROR, GBL_OUT_OF_MEMORY; GBL_INVALID_VALUE when path is NULL and there is
 * no default path, or path is empty. The table in use is then as it was. */
gbl_Info gbl_calibrate(const char *path);

/* gbl_calibrate_device: Measures the GPU, and uses what was found for GPUs of its name from now on.
 * It is kept with what is known of other GPUs in the file that gbl_calibrate writes for the path,
 * with ".devices" added. Takes some seconds. No other call may run meanwhile. Errors:
 * GBL_INVALID_VALUE when there is no GPU, no default path where path is NULL, path is empty or too
 * long, or that file holds something else; GBL_IO_ERROR when it cannot be read or written;
 * GBL_CANCELLED, GBL_OUT_OF_MEMORY, GBL_PANIC. File and rates in use are then as they were. */
gbl_Info gbl_calibrate_device(const char *path);

/* ------------------------------------------------------------------------ sizes and tiles -- */

/* gbl_mxm_estimate: The size of C = A * B and the memory it would take, without multiplying.
 * GBL_INP0, GBL_INP1 and GBL_REGISTERS of desc count. The result has the type of ring. Errors:
 * GBL_DIMENSION_MISMATCH, GBL_DOMAIN_MISMATCH. Cost: O(entries of A + m), and the entries of B that
 * sampled rows of A select; at most all of B is sketched, and sketches stay with B until it is
 * written. Source: HyperLogLog (Flajolet et al. 2007) of unions of rows, Ocean, ICS '26. */
typedef struct {
    size_t size;              /* bytes of this struct; see above */
    gbl_Index nrows, ncols;   /* of C */
    uint64_t flops;           /* partial products A(i,k) * B(k,j) */
    double nvals;             /* expected entries of C */
    double nvals_error;       /* relative, exceeded in at most 1 of 20 cases (Chebyshev) */
    double nvals_least;       /* certain bounds: C has no fewer ... */
    double nvals_most;        /* ... and no more entries */
    double expansion_ratio;   /* flops per entry of A */
    double compression_ratio; /* flops per entry of C */
    double bytes;             /* of C by rows, expected */
    double bytes_workspace;   /* in addition to C while multiplying, expected */
    int32_t registers;        /* of each sketch */
    uint64_t rows_sampled;    /* rows of A whose sketches were merged */
} gbl_MxmEstimate;
gbl_Info gbl_mxm_estimate(gbl_MxmEstimate *estimate, gbl_Semiring ring, gbl_Matrix A, gbl_Matrix B,
                          gbl_Descriptor desc);

/* gbl_Matrix_tiles: What A is, or would be, in tiles of 16 x 16.
 * Counted exactly, and nothing is kept. Cost: O(n + m) and 20 bytes of workspace a thread per 16
 * columns (rows, where A is held by columns); less where A is held in tiles. The struct does not
 * grow. */
typedef struct {
    uint64_t tiles;      /* with at least one entry */
    double fill;         /* entries per tile; 0 without tiles */
    uint64_t bytes;      /* of A in tiles ... */
    uint64_t bytes_rows; /* ... and by rows (CSR) */
} gbl_TileFacts;
gbl_Info gbl_Matrix_tiles(gbl_TileFacts *facts, gbl_Matrix A);

#ifdef __cplusplus
}
#endif

#endif
