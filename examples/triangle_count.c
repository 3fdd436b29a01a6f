/* SPDX-License-Identifier: Apache-2.0
 *
 * Counts the triangles of an undirected graph: triangle_count [GRAPH]
 * GRAPH is a Matrix Market file with a symmetric matrix or a generator such as rmats:14:16.
 * The algorithm is in triangle_count.h.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "gblite.h"
#include "gblite_io.h"
#include "triangle_count.h"

int main(int argc, char **argv) {
    const char *graph = argc > 1 ? argv[1] : "rmats:12:8";
    gbl_Matrix A = NULL;
    uint64_t triangles = 0;
    gbl_Info info;

    if ((info = gbl_init(GBL_NONBLOCKING)) || (info = gbl_load(&A, GBL_BOOL, graph)) ||
        (info = triangle_count(&triangles, A)))
        fprintf(stderr, "triangle_count: %s\n", gbl_last_error());
    else
        printf("%s has %" PRIu64 " triangles\n", graph, triangles);

    gbl_Matrix_free(&A);
    gbl_finalize();
    return info ? EXIT_FAILURE : EXIT_SUCCESS;
}
