/* SPDX-License-Identifier: Apache-2.0
 *
 * Frobenius norms of the tiles of 16 x 16 of a matrix (cuSpAMM, section 3.2), cached with it until
 * it is written: 8 bytes a tile. They are those of the values in exact arithmetic but for rounding
 * (at most 256 units in the last place), also where squares would overflow or vanish; infinite
 * where a tile has an entry that is not finite, or where the norm itself is too large. They depend
 * on the content alone: not on its form, on threads, or on the instruction set.
 */
#ifndef GB_MATRIX_NORMS_H
#define GB_MATRIX_NORMS_H

#include "matrix/object.h"

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

#endif
