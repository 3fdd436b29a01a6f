/* SPDX-License-Identifier: Apache-2.0
 *
 * A semiring of one's own: shortest paths that, among equally short ones, use the fewest edges.
 *
 *   a value is a path (length, hops);
 *   x + y = the better path: the shorter one, with equal lengths the one with fewer hops
 *   x * y = the path x followed by the path y: lengths and hops add up
 *   d += q * E and q = what has changed, until nothing has: d(j) is the best path to j then
 *
 * own_semiring [GRAPH [SOURCE]]; GRAPH is a Matrix Market file of lengths (E(i,j): from i to j) or
 * a generator, SOURCE a vertex from 1. Without arguments, a small map of roads.
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
    const path *a = x, *b = y;
    *(path *)z = (path){a->length + b->length, a->hops + b->hops};
}

static void edge(void *z, const void *x) {
    *(path *)z = (path){*(const double *)x, 1};
}

typedef struct {
    gbl_Type type;
    gbl_UnaryOp edge;
    gbl_BinaryOp better, follow;
    gbl_Monoid best;
    gbl_Semiring ring;
} path_algebra;

static gbl_Info algebra_new(path_algebra *g) {
    path none = {INFINITY, INT64_MAX};
    gbl_Info info;
    if ((info = gbl_Type_new(&g->type, sizeof(path))) ||
        (info = gbl_UnaryOp_new(&g->edge, edge, g->type, GBL_FP64)) ||
        (info = gbl_BinaryOp_new(&g->better, better, g->type, g->type, g->type)) ||
        (info = gbl_BinaryOp_new(&g->follow, follow, g->type, g->type, g->type)) ||
        (info = gbl_Monoid_new_UDT(&g->best, g->better, &none)))
        return info;
    return gbl_Semiring_new(&g->ring, g->best, g->follow);
}

static void algebra_free(path_algebra *g) {
    gbl_Semiring_free(&g->ring);
    gbl_Monoid_free(&g->best);
    gbl_BinaryOp_free(&g->follow);
    gbl_BinaryOp_free(&g->better);
    gbl_UnaryOp_free(&g->edge);
    gbl_Type_free(&g->type);
}

/* *paths(j) = the best path from source to j, for every j that can be reached. Lengths may be
 * negative, but a cycle may not be: n rounds suffice unless one is, and then the call fails. */
static gbl_Info best_paths(gbl_Vector *paths, gbl_Matrix A, gbl_Index source,
                           const path_algebra *g) {
    gbl_Matrix E = NULL;
    gbl_Vector d = NULL, q = NULL;
    gbl_Index n, changed = 1;
    gbl_Info info;

    if ((info = gbl_Matrix_nrows(&n, A)) || (info = gbl_Matrix_new(&E, g->type, n, n)) ||
        (info = gbl_Matrix_apply(E, NULL, NULL, g->edge, A, NULL)) ||
        (info = gbl_Vector_new(&d, g->type, n)) ||
        (info = gbl_Vector_setElement_UDT(d, &(path){0, 0}, source)) ||
        (info = gbl_Vector_dup(&q, d)))
        goto done;
    for (gbl_Index round = 0; changed > 0 && !info; round++) {
        if (round > n)
            info = gbl_fail(GBL_INVALID_VALUE, NULL, "a cycle has a negative length");
        else if (!(info = gbl_vxm_update(d, q, g->ring, q, E, NULL)))
            info = gbl_Vector_nvals(&changed, q);
    }
    if (info) goto done;
    *paths = d;
    d = NULL;
done:
    gbl_Matrix_free(&E);
    gbl_Vector_free(&d);
    gbl_Vector_free(&q);
    return info;
}

/* Six towns. The road 1 - 2 - 4 - 6 and the road 1 - 3 - 6 are equally long. */
static gbl_Info road_map(gbl_Matrix *A) {
    const gbl_Index from[] = {0, 0, 1, 1, 2, 2, 3, 4};
    const gbl_Index to[] = {1, 2, 3, 4, 4, 5, 5, 5};
    const double length[] = {2, 4, 3, 6, 2, 3, 2, 4};
    gbl_Info info = gbl_Matrix_new(A, GBL_FP64, 6, 6);
    return info ? info : gbl_Matrix_build_FP64(*A, from, to, length, 8, NULL);
}

static gbl_Info print_paths(gbl_Vector paths) {
    gbl_Index n;
    path p;
    gbl_Info info = gbl_Vector_size(&n, paths);
    for (gbl_Index v = 0; v < n && info >= 0; v++)
        if ((info = gbl_Vector_extractElement_UDT(&p, paths, v)) == GBL_SUCCESS)
            printf("%8" PRIu64 "%12g%8" PRId64 "\n", v + 1, p.length, p.hops);
    return info < 0 ? info : GBL_SUCCESS;
}

int main(int argc, char **argv) {
    gbl_Index source = argc > 2 ? strtoull(argv[2], NULL, 10) : 1;
    path_algebra algebra = {0};
    gbl_Matrix A = NULL;
    gbl_Vector paths = NULL;
    gbl_Info info;

    printf("  vertex      length    hops\n");
    if ((info = gbl_init(GBL_NONBLOCKING)) ||
        (info = argc > 1 ? gbl_load(&A, GBL_FP64, argv[1]) : road_map(&A)) ||
        (info = algebra_new(&algebra)) || (info = best_paths(&paths, A, source - 1, &algebra)) ||
        (info = print_paths(paths)))
        fprintf(stderr, "own_semiring: %s\n", gbl_last_error());

    gbl_Vector_free(&paths);
    gbl_Matrix_free(&A);
    algebra_free(&algebra);
    gbl_finalize();
    return info ? EXIT_FAILURE : EXIT_SUCCESS;
}
