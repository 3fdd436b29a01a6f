/* SPDX-License-Identifier: Apache-2.0
 *
 * A graph that changes while it is searched: changing_graph [GRAPH [CHANGES]]
 * One thread inserts and deletes edges. Others take snapshots with gbl_Matrix_dup and search these.
 * A snapshot shares the graph's content and the updates that wait, so it costs O(1), and no later
 * change is seen in it. The lock is held as long as it takes to change an edge or take a snapshot.
 */
#include <inttypes.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

#include "bfs.h"
#include "gblite.h"
#include "gblite_io.h"

enum { READERS = 2, SEARCHES = 5 };

typedef struct {
    gbl_Matrix A;
    pthread_mutex_t lock; /* of A */
    gbl_Index n;
    uint64_t changes;
} Graph;

static uint64_t random_number(uint64_t *state) {
    *state ^= *state << 13;
    *state ^= *state >> 7;
    return *state ^= *state << 17;
}

/* Half of the changes insert a random edge, the others delete the last one but some. */
static void *write_edges(void *graph) {
    enum { KEPT = 64 };
    Graph *g = graph;
    gbl_Index edge[KEPT][2];
    uint64_t state = 88172645463325252u;
    gbl_Info info = GBL_SUCCESS;
    for (uint64_t k = 0; k < g->changes && info == GBL_SUCCESS; k++) {
        gbl_Index *e = edge[k / 2 % KEPT];
        const bool inserts = k % 2 == 1 || k < 2 * KEPT;
        if (inserts) {
            e[0] = random_number(&state) % g->n;
            e[1] = random_number(&state) % g->n;
        }
        pthread_mutex_lock(&g->lock);
        info = inserts ? gbl_Matrix_setElement_BOOL(g->A, true, e[0], e[1])
                       : gbl_Matrix_removeElement(g->A, e[0], e[1]);
        pthread_mutex_unlock(&g->lock);
    }
    if (info) fprintf(stderr, "writer: %s\n", gbl_last_error());
    return NULL;
}

static void *search_snapshots(void *graph) {
    Graph *g = graph;
    for (int k = 0; k < SEARCHES; k++) {
        gbl_Matrix snapshot = NULL;
        gbl_Vector level = NULL;
        gbl_Index edges = 0, reached = 0;
        pthread_mutex_lock(&g->lock);
        gbl_Info info = gbl_Matrix_dup(&snapshot, g->A);
        pthread_mutex_unlock(&g->lock);
        if (info || (info = gbl_Matrix_nvals(&edges, snapshot)) ||
            (info = bfs(&level, NULL, snapshot, 0, NULL, NULL)) ||
            (info = gbl_Vector_nvals(&reached, level)))
            fprintf(stderr, "reader: %s\n", gbl_last_error());
        else
            printf("of %" PRIu64 " edges, vertex 1 reaches %" PRIu64 " vertices\n", edges, reached);
        gbl_Vector_free(&level);
        gbl_Matrix_free(&snapshot);
    }
    return NULL;
}

int main(int argc, char **argv) {
    Graph g = {.lock = PTHREAD_MUTEX_INITIALIZER,
               .changes = argc > 2 ? strtoull(argv[2], NULL, 10) : 100000};
    pthread_t writer, reader[READERS];
    gbl_Info info;
    if ((info = gbl_init(GBL_NONBLOCKING)) ||
        (info = gbl_load(&g.A, GBL_BOOL, argc > 1 ? argv[1] : "rmats:12:8")) ||
        (info = gbl_Matrix_nrows(&g.n, g.A))) {
        fprintf(stderr, "changing_graph: %s\n", gbl_last_error());
        return EXIT_FAILURE;
    }
    pthread_create(&writer, NULL, write_edges, &g);
    for (int k = 0; k < READERS; k++) pthread_create(&reader[k], NULL, search_snapshots, &g);
    pthread_join(writer, NULL);
    for (int k = 0; k < READERS; k++) pthread_join(reader[k], NULL);
    gbl_Matrix_free(&g.A);
    gbl_finalize();
    return EXIT_SUCCESS;
}
