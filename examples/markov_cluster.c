/* SPDX-License-Identifier: Apache-2.0
 *
 * Clusters of a graph: markov_cluster [GRAPH [INFLATION]]
 * GRAPH is a Matrix Market file of positive edge weights or a generator such as rmats:10:8. Prints
 * one line per step and the number of clusters. The algorithm is in markov_cluster.h.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "gblite.h"
#include "gblite_io.h"
#include "markov_cluster.h"

static void print_step(void *context, int64_t step, double chaos, const gbl_Explanation *how) {
    (void)context;
    printf("%4" PRId64 "%12.6f%14" PRIu64 "   %s\n", step, chaos, how->nvals, how->method);
}

/* Each is named after one of its own vertices. */
static gbl_Info count_clusters(int64_t *count, gbl_Vector cluster) {
    gbl_Vector own = NULL;
    gbl_Info info;
    if ((info = gbl_Vector_dup(&own, cluster)) ||
        (info =
             gbl_Vector_apply_IndexOp_INT64(own, NULL, NULL, GBL_ROWINDEX_INT64, own, 0, NULL)) ||
        (info = gbl_Vector_eWiseMult_BinaryOp(own, NULL, NULL, GBL_EQ_INT64, own, cluster, NULL)))
        goto done;
    info = gbl_Vector_reduce_INT64(count, NULL, GBL_PLUS_MONOID_INT64, own, NULL);
done:
    gbl_Vector_free(&own);
    return info;
}

int main(int argc, char **argv) {
    const char *graph = argc > 1 ? argv[1] : "rmats:10:8";
    markov_options options = MARKOV_USUAL;
    gbl_Matrix A = NULL;
    gbl_Vector found[MARKOV_FOUND] = {NULL};
    gbl_Index n;
    int64_t count = 0;
    gbl_Info info;

    options.report = print_step;
    if (argc > 2) options.keep.power = strtod(argv[2], NULL);
    printf("step       chaos       entries   method\n");
    if ((info = gbl_init(GBL_NONBLOCKING)) || (info = gbl_load(&A, GBL_FP64, graph)) ||
        (info = gbl_Matrix_nrows(&n, A)) || (info = markov_cluster(found, A, &options)) ||
        (info = count_clusters(&count, found[MARKOV_CLUSTER])))
        fprintf(stderr, "markov_cluster: %s\n", gbl_last_error());
    else
        printf("%s: %" PRId64 " clusters of %" PRIu64 " vertices\n", graph, count, n);

    for (int k = 0; k < MARKOV_FOUND; k++) gbl_Vector_free(&found[k]);
    gbl_Matrix_free(&A);
    gbl_finalize();
    return info ? EXIT_FAILURE : EXIT_SUCCESS;
}
