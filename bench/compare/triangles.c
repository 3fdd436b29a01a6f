/* SPDX-License-Identifier: Apache-2.0
 *
 * Job: triangles of an undirected graph, as the sum of C<L> = L*L' over plus-pair, L the lower
 * triangle; once with the vertices as they come and once relabelled by falling degree, which makes
 * the rows of L short. Building L is not timed; the product and its sum are. "fused" is the same
 * against one call that does not store the product.
 *
 * gblite does the one call and plans for itself. SuiteSparse gets the best of three forms with the
 * same sum: dot products of L with itself, dot products with the upper triangle, and saxpy.
 */
#include "compare/compare.h"

#include <stdio.h>

typedef enum { DOT_LOWER, DOT_UPPER, SAXPY, FORMS } other_form;
static const char *const FORM_NAMES[FORMS] = {"dot L*L'", "dot L*U'", "saxpy L*L"};

typedef struct {
    const peer_input *L;
    GrB_Matrix U; /* only for DOT_UPPER */
    other_form form;
    gbl_Matrix C;
    GrB_Matrix D;
    int64_t count;
} triangle_context;

static int run_count(void *context) {
    triangle_context *c = context;
    gbl_Matrix L = c->L->A;
    if (bench_failed(gbl_Matrix_new(&c->C, GBL_INT64, c->L->nrows, c->L->nrows), "new")) return -1;
    if (bench_failed(gbl_mxm(c->C, L, NULL, GBL_PLUS_PAIR_SEMIRING_INT64, L, L, GBL_DESC_ST1),
                     "mxm"))
        return -1;
    gbl_Info info = gbl_Matrix_reduce_INT64(&c->count, NULL, GBL_PLUS_MONOID_INT64, c->C, NULL);
    return bench_failed(info, "reduce") ? -1 : 0;
}

static int run_fused(void *context) {
    triangle_context *c = context;
    gbl_Matrix L = c->L->A;
    gbl_Info info = gbl_mxm_reduce_INT64(&c->count, L, NULL, GBL_PLUS_MONOID_INT64,
                                         GBL_PLUS_PAIR_SEMIRING_INT64, L, L, GBL_DESC_ST1);
    return bench_failed(info, "fused") ? -1 : 0;
}

static void reset_count(void *context) {
    triangle_context *c = context;
    gbl_Matrix_free(&c->C);
}

static int run_count_other(void *context) {
    triangle_context *c = context;
    GrB_Matrix L = c->L->S, right = c->form == DOT_UPPER ? c->U : L;
    GrB_Descriptor desc = c->form == SAXPY ? GrB_DESC_S : GrB_DESC_ST1;
    if (peer_failed(GrB_Matrix_new(&c->D, GrB_INT64, c->L->nrows, c->L->nrows), "new")) return -1;
    if (peer_failed(GrB_mxm(c->D, L, NULL, GxB_PLUS_PAIR_INT64, L, right, desc), "mxm")) return -1;
    GrB_Info info = GrB_Matrix_reduce_INT64(&c->count, NULL, GrB_PLUS_MONOID_INT64, c->D, NULL);
    return peer_failed(info, "reduce") ? -1 : 0;
}

static void reset_count_other(void *context) {
    triangle_context *c = context;
    GrB_Matrix_free(&c->D);
}

static GrB_Info make_upper(GrB_Matrix *U, GrB_Matrix L, GrB_Index n) {
    GrB_Info info = GrB_Matrix_new(U, GrB_BOOL, n, n);
    if (info == GrB_SUCCESS) info = GrB_transpose(*U, NULL, NULL, L, NULL);
    if (info == GrB_SUCCESS) info = GrB_Matrix_wait(*U, GrB_MATERIALIZE);
    return info;
}

static bool counts_equal(triangle_context *mine, triangle_context *others) {
    bool equal = true;
    peer_csr csr = {0};
    uint64_t nvals;
    for (int f = 0; f < FORMS; f++)
        if (others[f].count != mine->count) {
            fprintf(stderr, "compare: %lld triangles here, %lld by SuiteSparse's %s\n",
                    (long long)mine->count, (long long)others[f].count, FORM_NAMES[f]);
            equal = false;
        }
    if (peer_failed(peer_finish(others[DOT_LOWER].D, &csr), "sort")) return false;
    equal = peer_equal(mine->C, &csr, PEER_INT64, &nvals) && equal;
    peer_drop(&csr);
    return equal;
}

/* rows[0]: two calls; rows[1]: one */
static int count_lower(const peer_input *L, int rounds, compare_row *rows) {
    int status = -1;
    triangle_context mine = {.L = L}, fused = {.L = L}, others[FORMS] = {{.L = L}};
    bench_contender list[FORMS + 2];
    GrB_Matrix U = NULL;
    if (peer_failed(make_upper(&U, L->S, L->nrows), "upper triangle")) goto done;
    for (int f = 0; f < FORMS; f++) {
        others[f] = (triangle_context){.L = L, .U = U, .form = (other_form)f};
        list[f] =
            (bench_contender){FORM_NAMES[f], run_count_other, reset_count_other, &others[f], 0};
    }
    list[FORMS] = (bench_contender){"gblite", run_count, reset_count, &mine, 0};
    list[FORMS + 1] = (bench_contender){"fused", run_fused, reset_count, &fused, 0};
    if (bench_take_turns(list, FORMS + 2, rounds) != 0) goto done;
    int best = 0;
    for (int f = 1; f < FORMS; f++)
        if (list[f].median < list[best].median) best = f;
    gbl_Explanation how = GBL_EXPLANATION_INIT;
    if (bench_failed(gbl_Matrix_explain(&how, mine.C), "explain")) goto done;
    const bool equal = counts_equal(&mine, others) && fused.count == mine.count;
    for (int k = 0; k < 2; k++) {
        rows[k].other_form = list[best].name;
        rows[k].other = list[best].median;
        rows[k].gblite = list[FORMS + k].median;
        rows[k].result = (uint64_t)mine.count;
        rows[k].result_unit = "triangles";
        rows[k].how = how;
        rows[k].equal = equal;
    }
    status = 0;
done:
    reset_count(&mine);
    for (int f = 0; f < FORMS; f++) reset_count_other(&others[f]);
    GrB_Matrix_free(&U);
    return status;
}

int compare_triangles(const peer_input *in, int rounds, compare_row *rows) {
    static const char *const NAMES[4] = {"triangles", "tri. fused", "tri. sorted", "sorted fused"};
    int count = -1;
    peer_input L = {.name = in->name};
    for (int k = 0; k < 2; k++) {
        peer_unload(&L);
        if (peer_lower(&L, in, k == 1) != 0) goto done;
        for (int r = 2 * k; r < 2 * k + 2; r++)
            rows[r] = (compare_row){.operation = NAMES[r], .input = in->name};
        if (count_lower(&L, rounds, &rows[2 * k]) != 0) goto done;
    }
    count = 4;
done:
    peer_unload(&L);
    return count;
}
