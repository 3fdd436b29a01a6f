/* SPDX-License-Identifier: Apache-2.0
 *
 * Arguments of the kernels of approximate products (SpAMM), as backend.h has those of all others.
 */
#ifndef GB_KERNEL_API_SPAMM_ARGS_H
#define GB_KERNEL_API_SPAMM_ARGS_H

#include "core/context.h"
#include "core/status.h"
#include "core/view.h"
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

#endif
