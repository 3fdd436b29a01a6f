/* SPDX-License-Identifier: Apache-2.0
 *
 * Plain views of arrays: all that a kernel ever sees of a matrix. A view owns nothing.
 *
 * Integrity of a compressed view (CSR when major = row, CSC when major = column):
 *   p[0] = 0, p is non-decreasing, p[nmajor] = nvals;
 *   i[p[k] .. p[k+1]) are distinct and < nminor, ascending when `sorted`;
 *   x holds nvals values of xsize bytes, or one value when `iso`, or is NULL where values are
 * unused. Integrity of a dense view (vectors only): b[k] is 0 or 1 and counts nvals ones; b is NULL
 * when all n entries are present; x holds n values (those where b is 0 are unspecified), or one
 * when `iso`.
 */
#ifndef GB_CORE_VIEW_H
#define GB_CORE_VIEW_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef uint32_t gb_Idx; /* an index; the only place that fixes its width */
typedef uint64_t gb_Off; /* an offset into the entries */

typedef struct {
    uint64_t nmajor, nminor, nvals;
    const gb_Off *p; /* [nmajor + 1] */
    const gb_Idx *i; /* [nvals] */
    const void *x;   /* [nvals], or [1] when iso */
    size_t xsize;    /* bytes of one value */
    bool iso, sorted;
} gb_CsView;

typedef struct {
    uint64_t n, nvals;
    const int8_t *b; /* [n], or NULL: full */
    const void *x;   /* [n], or [1] when iso */
    size_t xsize;
    bool iso;
} gb_DenseView;

/* Arrays that belong to somebody; what kernels fill and matrices keep. Capacities are what was
 * asked of gb_malloc, so that gb_free gets the same number back. `foreign` arrays came from the
 * caller of moveIn and must not enter the pool. */
typedef struct {
    gb_Off *p; /* [nmajor + 1] */
    gb_Idx *i; /* [icap] of which the first nvals are used */
    void *x;   /* [xcap bytes] */
    uint64_t nmajor, nvals;
    size_t icap, xcap; /* entries, bytes */
    bool iso, sorted, foreign;
} gb_Cs;

typedef struct {
    int8_t *b; /* [n], or NULL: full */
    void *x;   /* [xcap bytes] */
    uint64_t n, nvals;
    size_t xcap;
    bool iso;
} gb_Dense;

#endif
