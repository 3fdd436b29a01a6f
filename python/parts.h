/* SPDX-License-Identifier: Apache-2.0
 *
 * What the kernels of the Python package share. Rows are cut into parts of about PART entries,
 * which threads take as they come; a row belongs to one part.
 */
#ifndef GBLITE_PYTHON_PARTS_H
#define GBLITE_PYTHON_PARTS_H

#include <stdlib.h>
#include <string.h>

#include "interface.h"

typedef gblite_python_Csr Csr;

enum { PART = 1 << 14 }; /* entries: 10 us of work, twice what waking a thread costs */

typedef struct {
    void (*run)(void *call, int64_t begin, int64_t end);
    void *call;
    const Csr *A;
    int64_t parts;
} Split;

static inline int64_t first_row(const Split *s, int64_t part) {
    const int64_t all = s->A->p[s->A->rows];
    const int64_t goal = all / s->parts * part;
    int64_t low = 0, high = s->A->rows;
    if (part == s->parts) return high;
    while (low < high) {
        const int64_t middle = low + (high - low) / 2;
        if (s->A->p[middle] < goal)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static inline void run_part(void *of, gbl_Index k) {
    const Split *s = of;
    s->run(s->call, first_row(s, (int64_t)k), first_row(s, (int64_t)k + 1));
}

/* run(call, begin, end) for all rows, about PART entries at a time. */
static inline void each_part(void (*run)(void *, int64_t, int64_t), void *call, const Csr *A) {
    Split s = {run, call, A, 1 + A->p[A->rows] / PART};
    gbl_parallel((gbl_Index)s.parts, run_part, &s);
}

/* Types and what their arithmetic is done in, where whole numbers wrap. */
#define FOREACH_NUMBER(X)                                                                          \
    X(INT8, int8_t, uint32_t)                                                                      \
    X(INT16, int16_t, uint32_t)                                                                    \
    X(INT32, int32_t, uint32_t)                                                                    \
    X(INT64, int64_t, uint64_t)                                                                    \
    X(UINT8, uint8_t, uint32_t)                                                                    \
    X(UINT16, uint16_t, uint32_t)                                                                  \
    X(UINT32, uint32_t, uint32_t)                                                                  \
    X(UINT64, uint64_t, uint64_t)                                                                  \
    X(FP32, float, float)                                                                          \
    X(FP64, double, double)

static inline void copy_value(void *to, int64_t at, const void *from, int64_t of, size_t bytes) {
    memcpy((char *)to + (size_t)at * bytes, (const char *)from + (size_t)of * bytes, bytes);
}

/* Calls function(..., bytes) with a constant, so that copies become one move. */
#define WITH_BYTES(bytes, call)                                                                    \
    switch (bytes) {                                                                               \
    case 1:                                                                                        \
        call(1);                                                                                   \
        break;                                                                                     \
    case 2:                                                                                        \
        call(2);                                                                                   \
        break;                                                                                     \
    case 4:                                                                                        \
        call(4);                                                                                   \
        break;                                                                                     \
    case 8:                                                                                        \
        call(8);                                                                                   \
        break;                                                                                     \
    default:                                                                                       \
        call(bytes);                                                                               \
        break;                                                                                     \
    }

#endif
