/* SPDX-License-Identifier: Apache-2.0
 *
 * What the rows of one library work on. Everything in this folder is compiled twice: with
 * BOTH_GBLITE and the <GraphBLAS.h> of gblite, and without and with that of SuiteSparse.
 */
#pragma once

#include <GraphBLAS.h>
#include "jobs/sides.h"

#ifdef BOTH_GBLITE
#define BOTH(name) gblite_##name
#else
#define BOTH(name) suitesparse_##name
#endif

/* A call that failed ends the function with its code. */
#define TRY(call)                                                                                  \
    do {                                                                                           \
        const GrB_Info info_ = (call);                                                             \
        if (info_ != GrB_SUCCESS) return info_;                                                    \
    } while (0)

/* Objects are freed with the work, except `in`, which is the input's. C, w and f are results. */
struct side_work {
    const side_row *row;
    const side_task *task;
    GrB_Matrix in;
    GrB_Matrix A, B, M, C;
    GrB_Vector u, m, w, f;
    gbl_Index *I, *J, ni, nj; /* lists of indices; NULL for all */
    double *X;
    GrB_Descriptor desc;
    int64_t count;
    bool exported; /* I, J, X [nj] are the result instead */
    bool counted;  /* how many entries C or w has is the result instead */
    /* own semirings */
    GrB_Type type;
    GrB_BinaryOp plus, times, add;
    GrB_Monoid monoid, of_ring;
    GrB_Semiring made, ring; /* ring: made or predefined */
#ifdef BOTH_GBLITE
    gbl_Explanation how; /* where a call records it */
#endif
};

/* Final forms: nothing deferred, rows sorted. */
GrB_Info BOTH(finish)(GrB_Matrix C);
GrB_Info BOTH(finish_vector)(GrB_Vector w);
/* *v = random values at so many of n positions, evenly apart. */
GrB_Info BOTH(spread)(GrB_Vector *v, GrB_Index n, GrB_Index entries, uint64_t seed);
/* A new result that is wanted in CSR: spares SuiteSparse a detour through its bitmap. */
GrB_Info BOTH(new_sparse)(GrB_Matrix *C, GrB_Type type, GrB_Index nrows, GrB_Index ncols);

/* A call that is one operation: whose matrix or vector is waited for, whose C is wanted in its
 * final form, or that leaves nothing to wait for. */
#define MATRIX_CALL(name, result, ...)                                                             \
    static int name(side_work *w) {                                                                \
        TRY(__VA_ARGS__);                                                                          \
        return GrB_Matrix_wait(w->result, GrB_MATERIALIZE);                                        \
    }
#define VECTOR_CALL(name, result, ...)                                                             \
    static int name(side_work *w) {                                                                \
        TRY(__VA_ARGS__);                                                                          \
        return GrB_Vector_wait(w->result, GrB_MATERIALIZE);                                        \
    }
#define SORTED_CALL(name, ...)                                                                     \
    static int name(side_work *w) {                                                                \
        TRY(__VA_ARGS__);                                                                          \
        return BOTH(finish)(w->C);                                                                 \
    }
#define PLAIN_CALL(name, ...)                                                                      \
    static int name(side_work *w) {                                                                \
        return __VA_ARGS__;                                                                        \
    }

/* A row without forms; what follows are its numbers. */
#define ROW(text, load, renew, call, agree, ...)                                                   \
    { text, load, renew, call, agree, {__VA_ARGS__}, NULL }
#define ROWS(name, rows) const side_rows BOTH(name) = {rows, sizeof(rows) / sizeof *(rows)}
