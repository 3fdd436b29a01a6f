/* SPDX-License-Identifier: Apache-2.0
 *
 * A semiring of one's own: shortest paths that, among equally short ones, use the fewest edges.
 *
 *   a value is a path (length, hops); a matrix has the lengths of edges
 *   x + y = the better path: the shorter one, with equal lengths the one with fewer hops
 *   x * y = the path x followed by an edge of length y
 *   d += q * A and q = what has changed, until nothing has: d(j) is the best path to j then
 *
 * own_semiring GRAPH [SOURCE]; GRAPH is a Matrix Market file of lengths (A(i,j): from i to j) or a
 * generator, SOURCE a vertex from 1.
 */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "gblite.h"
#include "gblite_io.h"

typedef struct {
    double length;
    int64_t hops;
} path;

static void better(void *z, const void *x, const void *y) {
    const path *a = x, *b = y;
    const bool first = a->length < b->length || (a->length == b->length && a->hops < b->hops);
    *(path *)z = first ? *a : *b;
}

static void follow(void *z, const void *x, const void *y) {
    const path *a = x;
    *(path *)z = (path){a->length + *(const double *)y, a->hops + 1};
}

/* d(j) = the best path from where d has one, for every j that can be reached. Lengths may be
 * negative, but a cycle may not be: n rounds suffice unless one is, and then the call fails. */
static gbl_Info best_paths(gbl_Vector d, gbl_Matrix A, gbl_Semiring ring) {
    gbl_Vector q = NULL;
    gbl_Index n, changed = 1;
    gbl_Info info = gbl_Vector_size(&n, d);
    if (!info) info = gbl_Vector_dup(&q, d);
    for (gbl_Index round = 0; !info && changed > 0; round++) {
        info = gbl_vxm_update(d, q, ring, q, A, NULL);
        if (!info) info = gbl_Vector_nvals(&changed, q);
        if (!info && round > n)
            info = gbl_fail(GBL_INVALID_VALUE, A, "a cycle has a negative length");
    }
    gbl_Vector_free(&q);
    return info;
}

static gbl_Info print_paths(gbl_Vector d) {
    gbl_Index n;
    path p;
    gbl_Info info = gbl_Vector_size(&n, d);
    printf("  vertex      length    hops\n");
    for (gbl_Index v = 0; v < n && info >= 0; v++)
        if ((info = gbl_Vector_extractElement_UDT(&p, d, v)) == GBL_SUCCESS)
            printf("%8" PRIu64 "%12g%8" PRId64 "\n", v + 1, p.length, p.hops);
    return info < 0 ? info : GBL_SUCCESS;
}

int main(int argc, char **argv) {
    const gbl_Index source = argc > 2 ? strtoull(argv[2], NULL, 10) : 1;
    const path none = {INFINITY, INT64_MAX}, start = {0, 0};
    gbl_Type type = NULL;
    gbl_BinaryOp plus = NULL, times = NULL;
    gbl_Monoid best = NULL;
    gbl_Semiring ring = NULL;
    gbl_Matrix A = NULL;
    gbl_Vector d = NULL;
    gbl_Index n;
    gbl_Info info;

    if ((info = gbl_init(GBL_NONBLOCKING)) ||
        (info = gbl_load(&A, GBL_FP64, argc > 1 ? argv[1] : "road:3:3")) ||
        (info = gbl_Type_new(&type, sizeof(path))) ||
        (info = gbl_BinaryOp_new(&plus, better, type, type, type)) ||
        (info = gbl_BinaryOp_new(&times, follow, type, type, GBL_FP64)) ||
        (info = gbl_Monoid_new_UDT(&best, plus, &none)) ||
        (info = gbl_Semiring_new(&ring, best, times)) || (info = gbl_Matrix_nrows(&n, A)) ||
        (info = gbl_Vector_new(&d, type, n)) ||
        (info = gbl_Vector_setElement_UDT(d, &start, source - 1)) ||
        (info = best_paths(d, A, ring)) || (info = print_paths(d)))
        fprintf(stderr, "own_semiring: %s\n", gbl_last_error());

    gbl_Vector_free(&d);
    gbl_Matrix_free(&A);
    gbl_Semiring_free(&ring);
    gbl_Monoid_free(&best);
    gbl_BinaryOp_free(&times);
    gbl_BinaryOp_free(&plus);
    gbl_Type_free(&type);
    gbl_finalize();
    return info ? EXIT_FAILURE : EXIT_SUCCESS;
}
