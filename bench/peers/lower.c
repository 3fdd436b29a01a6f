/* SPDX-License-Identifier: Apache-2.0
 *
 * The lower triangle of an undirected graph.
 */
#include "peers/input.h"

#include <stdlib.h>

typedef struct {
    gbl_Index degree, vertex;
} ranked;

static int by_falling_degree(const void *a, const void *b) {
    const ranked *x = a, *y = b;
    if (x->degree != y->degree) return x->degree < y->degree ? 1 : -1;
    return (x->vertex > y->vertex) - (x->vertex < y->vertex);
}

/* label[v]: the place of v by falling degree; NULL when memory is short */
static gbl_Index *labels_by_degree(const peer_input *in) {
    gbl_Index *label = malloc((in->nrows + 1) * sizeof *label);
    ranked *order = malloc((in->nrows + 1) * sizeof *order);
    if (label != NULL && order != NULL) {
        for (gbl_Index v = 0; v < in->nrows; v++) order[v] = (ranked){in->Ap[v + 1] - in->Ap[v], v};
        qsort(order, in->nrows, sizeof *order, by_falling_degree);
        for (gbl_Index k = 0; k < in->nrows; k++) label[order[k].vertex] = k;
    } else {
        free(label);
        label = NULL;
    }
    free(order);
    return label;
}

int peer_lower(peer_input *L, const peer_input *in, bool by_degree) {
    gbl_Index edges = 0, *label = by_degree ? labels_by_degree(in) : NULL;
    gbl_Index *I = malloc((in->nvals + 1) * sizeof *I), *J = malloc((in->nvals + 1) * sizeof *J);
    int status = -1;
    if (I == NULL || J == NULL || (by_degree && label == NULL)) goto done;
    for (gbl_Index v = 0; v < in->nrows; v++)
        for (gbl_Index p = in->Ap[v]; p < in->Ap[v + 1]; p++) {
            gbl_Index i = label ? label[v] : v, j = label ? label[in->Ai[p]] : in->Ai[p];
            if (j >= i) continue;
            I[edges] = i;
            J[edges++] = j;
        }
    status = peer_pattern(L, in->nrows, I, J, edges);
done:
    free(I);
    free(J);
    free(label);
    return status;
}
