/* SPDX-License-Identifier: Apache-2.0
 *
 * Breadth-first search: bfs [GRAPH [SOURCE]]
 * GRAPH is a Matrix Market file or a generator such as rmats:14:16, SOURCE a vertex from 1. Prints
 * how many vertices each step finds and whether it pushed or pulled. The algorithm is in bfs.h.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "gblite.h"
#include "gblite_io.h"
#include "bfs.h"

static void print_step(void *context, int64_t depth, gbl_Index found, const gbl_Explanation *how) {
    (void)context;
    if (found) printf("%5" PRId64 "%12" PRIu64 "   %s\n", depth, found, how->method);
}

int main(int argc, char **argv) {
    const char *graph = argc > 1 ? argv[1] : "rmats:12:8";
    gbl_Index source = argc > 2 ? strtoull(argv[2], NULL, 10) : 1, reached = 0;
    gbl_Matrix A = NULL;
    gbl_Vector level = NULL, parent = NULL;
    gbl_Info info;

    printf("level    vertices   method\n");
    if ((info = gbl_init(GBL_NONBLOCKING)) || (info = gbl_load(&A, GBL_BOOL, graph)) ||
        (info = bfs(&level, &parent, A, source - 1, print_step, NULL)) ||
        (info = gbl_Vector_nvals(&reached, level)))
        fprintf(stderr, "bfs: %s\n", gbl_last_error());
    else
        printf("%s: vertex %" PRIu64 " reaches %" PRIu64 " vertices, itself included\n", graph,
               source, reached);

    gbl_Vector_free(&level);
    gbl_Vector_free(&parent);
    gbl_Matrix_free(&A);
    gbl_finalize();
    return info ? EXIT_FAILURE : EXIT_SUCCESS;
}
