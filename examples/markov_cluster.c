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

/* Each cluster is named after one of its own vertices. */
static gbl_Info count_clusters(gbl_Index *count, gbl_Vector cluster, gbl_Index n) {
    gbl_Index *vertex = malloc((n + 1) * sizeof *vertex), entries = n;
    int64_t *name = malloc((n + 1) * sizeof *name);
    gbl_Info info =
        vertex && name ? GBL_SUCCESS : gbl_fail(GBL_OUT_OF_MEMORY, NULL, "out of memory");
    if (info || (info = gbl_Vector_extractTuples_INT64(vertex, name, &entries, cluster))) goto done;
    for (gbl_Index k = 0; k < entries; k++) *count += (gbl_Index)name[k] == vertex[k];
done:
    free(vertex);
    free(name);
    return info;
}

int main(int argc, char **argv) {
    const char *graph = argc > 1 ? argv[1] : "rmats:10:8";
    markov_options options = MARKOV_USUAL;
    gbl_Matrix A = NULL;
    markov_clusters clusters = {0};
    gbl_Index n, count = 0;
    gbl_Info info;

    options.report = print_step;
    if (argc > 2) options.inflation = strtod(argv[2], NULL);
    printf("step       chaos       entries   method\n");
    if ((info = gbl_init(GBL_NONBLOCKING)) || (info = gbl_load(&A, GBL_FP64, graph)) ||
        (info = gbl_Matrix_nrows(&n, A)) || (info = markov_cluster(&clusters, A, &options)) ||
        (info = count_clusters(&count, clusters.cluster, n)))
        fprintf(stderr, "markov_cluster: %s\n", gbl_last_error());
    else
        printf("%s: %" PRIu64 " clusters of %" PRIu64 " vertices\n", graph, count, n);

    markov_clusters_free(&clusters);
    gbl_Matrix_free(&A);
    gbl_finalize();
    return info ? EXIT_FAILURE : EXIT_SUCCESS;
}
