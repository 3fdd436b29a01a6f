/* SPDX-License-Identifier: Apache-2.0
 *
 * What the kernels of the Python package share. Rows are cut into parts of about PART entries,
 * which threads take as they come; a row belongs to one part.
 */
#pragma once

#include <stdlib.h>
#include <string.h>

#include "interface.h"

typedef gblite_python_Csr Csr;
typedef gblite_python_Tuples Tuples;

enum {
    PART = 1 << 14,     /* entries: 10 us of work, twice what waking a thread costs */
    ROWS_PER_ENTRY = 8, /* pointers to more rows are not made: 4 bytes each, an entry has 12 */
    FEW_ROWS = 1000
};

static inline bool has_many_rows(gbl_Index rows, gbl_Index entries) {
    return rows > ROWS_PER_ENTRY * entries + FEW_ROWS;
}

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

/* All types. */
#define FOREACH_VALUE(X)                                                                           \
    FOREACH_NUMBER(X)                                                                              \
    X(BOOL, bool, bool)                                                                            \
    X(FC32, float _Complex, float _Complex)                                                        \
    X(FC64, double _Complex, double _Complex)

static inline size_t size_of(gbl_Type_Code type) {
    switch (type) {
#define CASE(N, T, U)                                                                              \
    case GBL_##N##_CODE:                                                                           \
        return sizeof(T);
        FOREACH_VALUE(CASE)
#undef CASE
    default:
        return 0;
    }
}

/* What becomes a matrix: arrays of the library's memory; rows are columns in GBL_CSC_FORMAT. */
typedef struct {
    gbl_Index rows, columns;
    gbl_Format format;
    gbl_Arrays arrays;
} Made;

static inline gbl_Info fail_memory(size_t entries) {
    return gbl_fail(GBL_OUT_OF_MEMORY, NULL, "no memory for %zu entries", entries);
}

/* Room for so many entries and one more. */
static inline gbl_Info allocate(Made *to, size_t entries, size_t bytes) {
    to->arrays = (gbl_Arrays){.p = gbl_Memory_malloc((to->rows + 1) * sizeof(uint64_t)),
                              .i = gbl_Memory_malloc((entries + 1) * sizeof(uint32_t)),
                              .x = gbl_Memory_malloc((entries + 1) * bytes)};
    return to->arrays.p && to->arrays.i && to->arrays.x ? GBL_SUCCESS : fail_memory(entries);
}

/* Gives back what was allocated for more entries than there are. */
static inline void shrink(Made *to, size_t bytes) {
    const uint64_t n = to->arrays.p[to->rows];
    void *i = gbl_Memory_realloc(to->arrays.i, (n + 1) * sizeof *to->arrays.i);
    void *x = gbl_Memory_realloc(to->arrays.x, (n + 1) * bytes);
    to->arrays.i = i ? i : to->arrays.i;
    to->arrays.x = x ? x : to->arrays.x;
}

/* A matrix of what moves in, unless info says that something failed. */
static inline gbl_Info finish(gbl_Matrix *made, gbl_Type type, Made *from, gbl_Info info) {
    const bool by_rows = from->format == GBL_CSR_FORMAT;
    if (info == GBL_SUCCESS)
        info = gbl_Matrix_moveIn(made, type, by_rows ? from->rows : from->columns,
                                 by_rows ? from->columns : from->rows, from->format, &from->arrays);
    if (info == GBL_SUCCESS) return info;
    gbl_Memory_free(from->arrays.p);
    gbl_Memory_free(from->arrays.i);
    gbl_Memory_free(from->arrays.x);
    return info;
}

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
