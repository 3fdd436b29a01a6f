/* SPDX-License-Identifier: Apache-2.0
 *
 * Most reliable paths, each with the vertex before its last: a semiring of one's own, with kernels
 * compiled by gblite_semiring.h.
 *
 *   a value is (p, from): a path works with probability p, and its last edge leaves `from`
 *   x + y = the more reliable path; of equal ones the one that leaves the lower vertex
 *   x * y = the path x followed by the edge y
 *   d += q * A and q = what has changed, until nothing has: d(j) is the best path to j then
 *
 * reliable_paths GRAPH [SOURCE]; GRAPH is a Matrix Market file of probabilities (A(i,j): that the
 * edge from i to j works) or a generator, SOURCE a vertex from 1.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "gblite.h"
#include "gblite_io.h"

typedef struct {
    double p;
    int64_t from;
} path;

static inline path better(path x, path y) {
    return x.p > y.p || (x.p == y.p && x.from < y.from) ? x : y;
}

static inline path follow(path x, path edge) {
    return (path){x.p * edge.p, edge.from};
}

#define GBL_SEMIRING reliable
#define GBL_SEMIRING_TYPE path
#define GBL_SEMIRING_ADD(x, y) better(x, y)
#define GBL_SEMIRING_MULTIPLY(x, edge) follow(x, edge)
#define GBL_SEMIRING_IDENTITY ((path){0, INT64_MAX})
#include "gblite_semiring.h"

/* An edge that leaves row i. */
static void make_edge(void *z, const void *x, gbl_Index i, gbl_Index j, const void *unused) {
    (void)j, (void)unused;
    *(path *)z = (path){*(const double *)x, (int64_t)i};
}

static gbl_Info find_paths(gbl_Vector d, gbl_Matrix edges, gbl_Semiring ring) {
    gbl_Vector q = NULL;
    gbl_Index changed = 1;
    gbl_Info info = gbl_Vector_dup(&q, d);
    while (!info && changed > 0) {
        info = gbl_vxm_update(d, q, ring, q, edges, NULL);
        if (!info) info = gbl_Vector_nvals(&changed, q);
    }
    gbl_Vector_free(&q);
    return info;
}

static gbl_Info print_paths(gbl_Vector d) {
    gbl_Index n;
    path x;
    gbl_Info info = gbl_Vector_size(&n, d);
    printf("  vertex  reliability    from\n");
    for (gbl_Index v = 0; v < n && info >= 0; v++)
        if ((info = gbl_Vector_extractElement_UDT(&x, d, v)) == GBL_SUCCESS)
            printf("%8" PRIu64 "%13.6g%8" PRId64 "\n", v + 1, x.p, x.from + 1);
    return info < 0 ? info : GBL_SUCCESS;
}

int main(int argc, char **argv) {
    const gbl_Index source = argc > 2 ? strtoull(argv[2], NULL, 10) : 1;
    const path start = {1, -1};
    gbl_Type type = NULL;
    gbl_IndexUnaryOp to_edge = NULL;
    gbl_Semiring ring = NULL;
    gbl_Matrix A = NULL, edges = NULL;
    gbl_Vector d = NULL;
    gbl_Index n;
    gbl_Info info;

    if ((info = gbl_init(GBL_NONBLOCKING)) ||
        (info = gbl_load(&A, GBL_FP64, argc > 1 ? argv[1] : "road:3:3")) ||
        (info = gbl_Matrix_nrows(&n, A)) || (info = gbl_Type_new(&type, sizeof(path))) ||
        (info = gbl_Semiring_compiled(&ring, type, &reliable)) ||
        (info = gbl_IndexUnaryOp_new(&to_edge, make_edge, type, GBL_FP64, GBL_INT64)) ||
        (info = gbl_Matrix_new(&edges, type, n, n)) ||
        (info = gbl_Matrix_apply_IndexOp_INT64(edges, NULL, NULL, to_edge, A, 0, NULL)) ||
        (info = gbl_Vector_new(&d, type, n)) ||
        (info = gbl_Vector_setElement_UDT(d, &start, source - 1)) ||
        (info = find_paths(d, edges, ring)) || (info = print_paths(d)))
        fprintf(stderr, "reliable_paths: %s\n", gbl_last_error());

    gbl_Vector_free(&d);
    gbl_Matrix_free(&edges);
    gbl_Matrix_free(&A);
    gbl_Semiring_free(&ring);
    gbl_IndexUnaryOp_free(&to_edge);
    gbl_Type_free(&type);
    gbl_finalize();
    return info ? EXIT_FAILURE : EXIT_SUCCESS;
}
