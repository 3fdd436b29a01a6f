/* SPDX-License-Identifier: Apache-2.0
 *
 * Job: w = u * A with a list u of 1, 100, a hundredth and a tenth of all positions, over plus-times
 * and min-plus on FP64, and any-secondi. Sums must be equal, minima exactly; of any, every value
 * must be a position of u with an edge.
 *
 * gblite decides by itself between push and pull. SuiteSparse multiplies from the left, which is a
 * push: A is held by rows on both sides.
 */
#include "compare/compare.h"

#include <stdlib.h>

#include "harness/values.h"

enum { RINGS = 3, SIZES = 4 };
typedef enum { PLUS, MIN, ANY } push_ring;

typedef struct {
    const peer_input *in;
    push_ring ring;
    gbl_Index count; /* of u */
    gbl_Index *I;    /* [count], ascending */
    double *X;       /* [count] */
    gbl_Vector u, w;
    GrB_Vector v, z;
} push_context;

static gbl_Type type_of(push_ring ring) {
    return ring == ANY ? GBL_INT64 : GBL_FP64;
}

static int run_push(void *context) {
    push_context *c = context;
    const gbl_Semiring rings[RINGS] = {GBL_PLUS_TIMES_SEMIRING_FP64, GBL_MIN_PLUS_SEMIRING_FP64,
                                       GBL_ANY_SECONDI_SEMIRING_INT64};
    gbl_Info info = gbl_Vector_new(&c->w, type_of(c->ring), c->in->ncols);
    if (info == GBL_SUCCESS) info = gbl_vxm(c->w, NULL, NULL, rings[c->ring], c->u, c->in->A, NULL);
    if (info == GBL_SUCCESS) info = gbl_Vector_wait(c->w, GBL_MATERIALIZE);
    return bench_failed(info, "vxm") ? -1 : 0;
}

static void reset_push(void *context) {
    push_context *c = context;
    gbl_Vector_free(&c->w);
}

static int run_push_other(void *context) {
    push_context *c = context;
    const GrB_Semiring rings[RINGS] = {GrB_PLUS_TIMES_SEMIRING_FP64, GrB_MIN_PLUS_SEMIRING_FP64,
                                       GxB_ANY_SECONDI_INT64};
    GrB_Info info = GrB_Vector_new(&c->z, c->ring == ANY ? GrB_INT64 : GrB_FP64, c->in->ncols);
    if (info == GrB_SUCCESS) info = GrB_vxm(c->z, NULL, NULL, rings[c->ring], c->v, c->in->S, NULL);
    if (info == GrB_SUCCESS) info = GrB_Vector_wait(c->z, GrB_MATERIALIZE);
    return peer_failed(info, "vxm") ? -1 : 0;
}

static void reset_push_other(void *context) {
    push_context *c = context;
    GrB_Vector_free(&c->z);
}

/* `count` of n positions, one of each part, the same on both sides. */
static int fill_vectors(push_context *c, gbl_Index n) {
    uint64_t state = 12345 + c->count;
    c->I = malloc(c->count * sizeof *c->I);
    c->X = malloc(c->count * sizeof *c->X);
    if (c->I == NULL || c->X == NULL) return -1;
    for (gbl_Index k = 0; k < c->count; k++) {
        const gbl_Index from = k * n / c->count, to = (k + 1) * n / c->count;
        c->I[k] = from + bench_random(&state) % (to - from);
        c->X[k] = (double)(1 + (bench_random(&state) >> 11)) * 0x1p-53;
    }
    if (bench_failed(gbl_Vector_new(&c->u, GBL_FP64, n), "new")) return -1;
    if (bench_failed(gbl_Vector_build_FP64(c->u, c->I, c->X, c->count, NULL), "build")) return -1;
    if (peer_failed(GrB_Vector_new(&c->v, GrB_FP64, n), "new")) return -1;
    if (peer_failed(GrB_Vector_build_FP64(c->v, c->I, c->X, c->count, GrB_PLUS_FP64), "build"))
        return -1;
    return peer_failed(GrB_Vector_wait(c->v, GrB_MATERIALIZE), "wait") ? -1 : 0;
}

static int by_index(const void *a, const void *b) {
    const gbl_Index x = *(const gbl_Index *)a, y = *(const gbl_Index *)b;
    return (x > y) - (x < y);
}

static bool meets(const push_context *c, double from, gbl_Index to) {
    const gbl_Index k = (gbl_Index)from, *Ap = c->in->Ap;
    return bsearch(&k, c->I, c->count, sizeof k, by_index) != NULL &&
           bsearch(&to, c->in->Ai + Ap[k], Ap[k + 1] - Ap[k], sizeof to, by_index) != NULL;
}

static bool is_equal(const void *context, gbl_Index j, double x, double z) {
    const push_context *c = context;
    return c->ring == PLUS  ? peer_close(x, z)
           : c->ring == MIN ? x == z
                            : meets(c, x, j) && meets(c, z, j);
}

static int push(push_context *c, int rounds, compare_row *row) {
    int status = -1;
    bench_contender list[2] = {{"SuiteSparse", run_push_other, reset_push_other, c, 0},
                               {"gblite", run_push, reset_push, c, 0}};
    if (fill_vectors(c, c->in->nrows) != 0) goto done;
    if (bench_take_turns(list, 2, rounds) != 0) goto done;
    row->other = list[0].median;
    row->gblite = list[1].median;
    if (bench_failed(gbl_Vector_explain(&row->how, c->w), "explain")) goto done;
    const compare_pair pair = {
        .w = c->w, .z = c->z, .size = c->in->ncols, .equal = is_equal, .context = c};
    row->equal = compare_vectors(&pair, &row->result);
    status = 0;
done:
    reset_push(c);
    reset_push_other(c);
    gbl_Vector_free(&c->u);
    GrB_Vector_free(&c->v);
    free(c->I);
    free(c->X);
    return status;
}

int compare_push(const peer_input *in, int rounds, compare_row *rows) {
    static const char *const NAMES[RINGS][SIZES] = {
        {"plus, 1", "plus, 100", "plus, 1%", "plus, 10%"},
        {"min, 1", "min, 100", "min, 1%", "min, 10%"},
        {"any, 1", "any, 100", "any, 1%", "any, 10%"}};
    const gbl_Index n = in->nrows, most[SIZES] = {1, 100, n / 100 + 1, n / 10 + 1};
    int count = 0;
    for (int k = 0; k < RINGS; k++)
        for (int s = 0; s < SIZES; s++) {
            push_context c = {.in = in, .ring = (push_ring)k, .count = most[s] < n ? most[s] : n};
            rows[count] = (compare_row){.operation = NAMES[k][s],
                                        .input = in->name,
                                        .other_form = "",
                                        .result_unit = "entries",
                                        .how = GBL_EXPLANATION_INIT};
            if (push(&c, rounds, &rows[count++]) != 0) return -1;
        }
    return count;
}
