/* SPDX-License-Identifier: Apache-2.0
 *
 * What the matrix-vector products share: pull (pull.tmpl.h), push (push.tmpl.h) and pull by SELL
 * slices (sell.tmpl.h).
 *
 * One order of summation for all of them: an entry of w is the sum of its products from the left,
 * in the order of k, beginning with the first product (not with an identity, which would turn a sum
 * of nothing but -0 into 0). ANY keeps the product of the smallest k. So pull and push, by any
 * number of threads, give the same bits.
 *
 * Compiled once and not per instruction set: they wait for single values from anywhere. For
 * AVX-512, with gathers, products of nine semirings (er:16:16, rmat:14:16, band:20000:20, one
 * thread of a Zen 5) took 1.09 (full vectors), 1.00 (gaps) and 0.98 (push) of the time in the
 * geometric mean.
 */
#ifndef GB_CPU_MXV_MXV_H
#define GB_CPU_MXV_MXV_H

#include <string.h>

#include "kernel_api/backend.h"
#include "core/arrays.h"
#include "core/cat.h"
#include "core/parallel.h"
#include "core/search.h"
#include "cpu/cpu.h"
#include "cpu/simd/simd.h"
#include "semiring/ids.h"

/* A body for this semiring, whether the vector is the left factor being a constant: for most it
 * never is, and bodies are compiled for the matrix on the left alone. */
#define GB_MXV_SIDED(body, ...)                                                                    \
    (SR_SIDED && g->ring.u_is_left ? NAME(body)(g, R, true, __VA_ARGS__)                           \
                                   : NAME(body)(g, R, false, __VA_ARGS__))

/* c = matrix entry p (x) vector entry q at inner index k and position i of the result, in the order
 * of the factors: the vector is the left one when `left`, which must be in scope. op is SR_SET or
 * SR_FMA of semiring/entry.h. */
#define GB_MXV_PRODUCT(op, c, p, q, k, i)                                                          \
    do {                                                                                           \
        if (left)                                                                                  \
            op(c, SR_A(q), SR_B(p), (uint64_t)0, (uint64_t)(k), (uint64_t)(i));                    \
        else                                                                                       \
            op(c, SR_A(p), SR_B(q), (uint64_t)(i), (uint64_t)(k), (uint64_t)0);                    \
    } while (0)

/* Rows, or entries of a row, [from, to). */
typedef struct {
    uint64_t from, to;
} gb_RowSpan;

enum { GB_MXV_PARTS = 512 }; /* most parts of w */

/* A product whose result is a sparse vector: each part counts its entries, then stores them. */
typedef struct {
    const gb_MxvRing *ring;
    const gb_MxvSink *to;
    gb_Cs *out;
    gb_Off *start; /* [parts + 1] counts behind [0] at first; then entries before each part */
    char *scratch; /* of the generic entry: two values of each thread */
} gb_MxvOutput;

/* push.c. The arguments of the semiring for a thread. */
gb_RingArgs gb_mxv_thread_args(const gb_MxvOutput *of, int thread);
gbl_Info gb_mxv_alloc_scratch(gb_MxvOutput *of, int threads);
void gb_mxv_free_scratch(const gb_MxvOutput *of, int threads);
/* Counts become starts, and w gets its arrays. */
gbl_Info gb_mxv_alloc_output(gb_MxvOutput *of, uint64_t parts);
/* The members of found.words[w], with their sums, go to w from `at` on, and to a fused assign; the
 * word is cleared. Returns where the next ones go. */
gb_Off gb_mxv_emit_word(const gb_MxvOutput *of, uint64_t w, gb_Off at);
/* The pull by SELL slices (sell.c). */
gbl_Info gb_mxv_pull_sell(const gb_PullArgs *g, gb_Dense *w);

#endif
