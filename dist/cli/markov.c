/* SPDX-License-Identifier: Apache-2.0
 *
 * Markov clustering over many processes: the steps of examples/markov_cluster.h, on distributed
 * objects.
 */
#include "dist_cli.h"

typedef struct {
    gbl_Grid grid;
    gbl_Index n;
    gbl_DistMatrix F, G; /* the flow; workspace */
    gbl_DistVector rows, squares;
    gbl_Monoid largest, sum;
    gbl_BinaryOp times;
    gbl_Semiring ring;
    gbl_Type type;
    gbl_RowFilter scale, keep;
    gbl_Scalar dust, zero, chaos;
} Flow;

static void free_flow(Flow *f) {
    gbl_DistMatrix_free(&f->F);
    gbl_DistMatrix_free(&f->G);
    gbl_DistVector_free(&f->rows);
    gbl_DistVector_free(&f->squares);
    gbl_Scalar_free(&f->keep.y);
    gbl_Scalar_free(&f->dust);
    gbl_Scalar_free(&f->zero);
    gbl_Scalar_free(&f->chaos);
}

static Flow new_flow(gbl_Index n, gbl_Grid grid, const markov_options *o) {
    Flow f = {.grid = grid,
              .n = n,
              .type = o->single ? GBL_FP32 : GBL_FP64,
              .largest = o->single ? GBL_MAX_MONOID_FP32 : GBL_MAX_MONOID_FP64,
              .sum = o->single ? GBL_PLUS_MONOID_FP32 : GBL_PLUS_MONOID_FP64,
              .times = o->single ? GBL_TIMES_FP32 : GBL_TIMES_FP64,
              .ring = o->single ? GBL_PLUS_TIMES_SEMIRING_FP32 : GBL_PLUS_TIMES_SEMIRING_FP64,
              .scale = {.size = sizeof(gbl_RowFilter), .scale = true},
              .keep = o->keep};
    f.keep.op = o->single ? GBL_VALUEGE_FP32 : GBL_VALUEGE_FP64;
    return f;
}

/* Rows of weights, in FP64, become the first flow: *W is scaled in place and cast. */
static gbl_Info scale_rows(Flow *f, gbl_DistMatrix W) {
    gbl_DistMatrix E = NULL;
    gbl_Scalar one = NULL;
    gbl_Info info;
    if ((info = dc_new_scalar(&one, GBL_FP64, 1, f->grid)) ||
        (info = gbl_DistVector_assign_Scalar(f->rows, NULL, NULL, one, NULL)) ||
        (info = gbl_DistMatrix_diag(&E, f->rows)) ||
        (info = gbl_dist_mxm_select(W, GBL_PLUS_TIMES_SEMIRING_FP64, &f->scale, E, W)))
        goto done;
    info = gbl_DistMatrix_assign(f->F, NULL, NULL, W, NULL);
done:
    gbl_Scalar_free(&one);
    gbl_DistMatrix_free(&E);
    return info;
}

static gbl_Info start(Flow *f, gbl_DistMatrix *A, const markov_options *o) {
    gbl_DistMatrix W = NULL, loops = NULL;
    gbl_DistVector heaviest = NULL;
    gbl_Info info;
    if ((info = dc_new_scalar(&f->keep.y, GBL_FP64, o->prune, f->grid)) ||
        (info = dc_new_scalar(&f->dust, GBL_FP64, o->dust, f->grid)) ||
        (info = dc_new_scalar(&f->zero, GBL_INT64, 0, f->grid)) ||
        (info = gbl_DistMatrix_new(&f->F, f->type, f->n, f->n, f->grid)) ||
        (info = gbl_DistMatrix_new(&f->G, f->type, f->n, f->n, f->grid)) ||
        (info = gbl_DistMatrix_new(&W, GBL_FP64, f->n, f->n, f->grid)) ||
        (info = gbl_DistVector_new(&f->rows, GBL_FP64, f->n, f->grid)) ||
        (info = gbl_DistVector_new(&f->squares, GBL_FP64, f->n, f->grid)) ||
        (info = gbl_DistVector_new(&heaviest, GBL_FP64, f->n, f->grid)) ||
        (info = dc_new_scalar(&f->chaos, GBL_FP64, 1, f->grid)))
        goto done;
    if ((info = gbl_DistVector_assign_Scalar(heaviest, NULL, NULL, f->chaos, NULL)) ||
        (info = gbl_DistMatrix_eWiseAdd(W, NULL, NULL, GBL_MAX_FP64, *A, *A, GBL_DESC_T1)) ||
        (info = gbl_DistMatrix_select(W, NULL, NULL, GBL_OFFDIAG, W, f->zero, NULL)) ||
        (info = gbl_DistMatrix_reduce_rows(heaviest, NULL, GBL_SECOND_FP64, GBL_MAX_MONOID_FP64, W,
                                           NULL)) ||
        (info = gbl_DistMatrix_diag(&loops, heaviest)) ||
        (info = gbl_DistMatrix_eWiseAdd(W, NULL, NULL, GBL_PLUS_FP64, W, loops, NULL)))
        goto done;
    gbl_DistMatrix_free(A);
    info = scale_rows(f, W);
done:
    gbl_DistMatrix_free(&W);
    gbl_DistMatrix_free(&loops);
    gbl_DistVector_free(&heaviest);
    return info;
}

/* Expands, prunes and inflates once. */
static gbl_Info step(Flow *f, const markov_options *o, double *chaos) {
    gbl_Info info;
    if ((info = gbl_dist_mxm_select(f->F, f->ring, &f->keep, f->F, f->F)) ||
        (o->dust > 0 &&
         (info = gbl_DistMatrix_select(f->F, NULL, NULL, f->keep.op, f->F, f->dust, NULL))) ||
        (info = gbl_DistMatrix_eWiseMult(f->G, NULL, NULL, f->times, f->F, f->F, NULL)) ||
        (info = gbl_DistMatrix_reduce_rows(f->squares, NULL, NULL, f->sum, f->G, NULL)) ||
        (info = gbl_DistMatrix_reduce_rows(f->rows, NULL, NULL, f->largest, f->F, NULL)) ||
        (info = gbl_DistVector_eWiseMult(f->rows, NULL, NULL, GBL_MINUS_FP64, f->rows, f->squares,
                                         NULL)) ||
        (info = gbl_DistVector_reduce(f->chaos, NULL, GBL_MAX_MONOID_FP64, f->rows)))
        return info;
    *chaos = -INFINITY; /* of no vertices */
    info = gbl_Scalar_extractElement_FP64(chaos, f->chaos);
    return info == GBL_NO_VALUE ? GBL_SUCCESS : info;
}

/* Attractors, joined where flow goes between them; labels only fall. */
static gbl_Info join(Flow *f, gbl_DistVector a) {
    int64_t sum = -1, before;
    gbl_Info info;
    do {
        before = sum;
        if ((info = gbl_dist_mxv(a, a, GBL_MIN_INT64, GBL_MIN_SECOND_SEMIRING_INT64, f->F, a,
                                 GBL_DESC_S)) ||
            (info = gbl_dist_vxm(a, a, GBL_MIN_INT64, GBL_MIN_FIRST_SEMIRING_INT64, a, f->F,
                                 GBL_DESC_S)) ||
            (info = dc_sum(&sum, GBL_PLUS_MONOID_INT64, a, f->grid)))
            return info;
    } while (sum != before);
    return GBL_SUCCESS;
}

static gbl_Info interpret(dc_Clusters *c, Flow *f) {
    gbl_DistVector a = c->attractors, first = c->cluster, last = c->overlap;
    gbl_Scalar settled = NULL;
    gbl_Info info;
    if ((info = dc_new_scalar(&settled, GBL_FP64, MARKOV_SETTLED, f->grid)) ||
        (info = gbl_DistMatrix_select(f->F, NULL, NULL, f->keep.op, f->F, settled, NULL)) ||
        (info = gbl_DistMatrix_select(f->G, NULL, NULL, GBL_DIAG, f->F, f->zero, NULL)) ||
        (info = gbl_DistMatrix_reduce_rows(a, NULL, NULL, f->largest, f->G, NULL)) ||
        (info =
             gbl_DistVector_apply_IndexOp(a, NULL, NULL, GBL_ROWINDEX_INT64, a, f->zero, NULL)) ||
        (info = join(f, a)) ||
        (info = gbl_dist_mxv(first, NULL, NULL, GBL_MIN_SECOND_SEMIRING_INT64, f->F, a, NULL)) ||
        (info = gbl_dist_mxv(last, NULL, NULL, GBL_MAX_SECOND_SEMIRING_INT64, f->F, a, NULL)) ||
        (info = gbl_DistVector_eWiseMult(last, NULL, NULL, GBL_NE_INT64, last, first, NULL)))
        goto done;
    info = gbl_DistVector_select(last, NULL, NULL, GBL_VALUENE_INT64, last, f->zero, NULL);
done:
    gbl_Scalar_free(&settled);
    return info;
}

static gbl_Info check(const dc_Clusters *c, const Flow *f, int64_t steps, double chaos,
                      const markov_options *o) {
    gbl_Index clustered;
    const gbl_Info info = gbl_DistVector_nvals(&clustered, c->cluster);
    if (info) return info;
    if (chaos > MARKOV_SETTLED)
        return gbl_fail(GBL_INVALID_VALUE, NULL,
                        "the flow has not settled after %lld steps (chaos %g, want %g): allow more "
                        "steps or change the inflation, now %g",
                        (long long)steps, chaos, MARKOV_SETTLED, o->keep.power);
    if (clustered < f->n)
        return gbl_fail(GBL_INVALID_VALUE, NULL,
                        "%llu of %llu vertices have lost all their flow by step %lld: drop less "
                        "dust, now flow below %g, and give edges weights that are positive numbers",
                        (unsigned long long)(f->n - clustered), (unsigned long long)f->n,
                        (long long)steps, o->dust);
    return GBL_SUCCESS;
}

void dc_clusters_free(dc_Clusters *c) {
    gbl_DistVector_free(&c->cluster);
    gbl_DistVector_free(&c->attractors);
    gbl_DistVector_free(&c->overlap);
}

gbl_Info dc_markov(dc_Clusters *found, gbl_DistMatrix *A, gbl_Grid grid, const markov_options *o) {
    dc_Clusters c = {0};
    gbl_Explanation how = GBL_EXPLANATION_INIT;
    gbl_Index n;
    double chaos = INFINITY;
    int64_t steps = 0;
    gbl_Info info = gbl_DistMatrix_shape(&n, NULL, NULL, *A);
    if (info) return info;
    Flow f = new_flow(n, grid, o);
    how.method = "summa";
    if ((info = start(&f, A, o)) || (info = gbl_DistVector_new(&c.cluster, GBL_INT64, n, grid)) ||
        (info = gbl_DistVector_new(&c.attractors, GBL_INT64, n, grid)) ||
        (info = gbl_DistVector_new(&c.overlap, GBL_INT64, n, grid)))
        goto done;
    while (steps < o->steps && chaos > MARKOV_SETTLED) {
        steps++;
        if ((info = step(&f, o, &chaos)) || (info = gbl_DistMatrix_nvals(&how.nvals, f.F)))
            goto done;
        if (o->report) o->report(o->context, steps, chaos, &how);
    }
    if ((info = interpret(&c, &f)) || (info = check(&c, &f, steps, chaos, o))) goto done;
    *found = c;
    c = (dc_Clusters){0};
done:
    dc_clusters_free(&c);
    free_flow(&f);
    return info;
}
