/* SPDX-License-Identifier: Apache-2.0
 *
 * Products: C = A*A, or A*A' where A is not square; C = A*A of patterns; w = A*u of a full u; w =
 * u*A of a sparse u; triangles as the sum of C<L> = L*L' over plus-pair; and products by a variant
 * of gblite's, of which each gets a fresh copy of its factor.
 *
 * gblite chooses between push and pull; SuiteSparse multiplies from the left, which is a push: A is
 * in CSR on both sides. Of triangles SuiteSparse gets the fastest of three forms with the same sum.
 */
#include "jobs/both/both.h"

#include "harness/values.h"

/* -- mxm, boolean */

static int renew_matrix(side_work *w) {
    return GrB_Matrix_free(&w->C);
}

static int call_mxm(side_work *w) {
    const peer_input *in = w->task->in;
    const GrB_Descriptor desc = in->nrows == in->ncols ? NULL : GrB_DESC_T1;
    TRY(BOTH(new_sparse)(&w->C, GrB_FP64, in->nrows, in->nrows));
    TRY(GrB_mxm(w->C, NULL, NULL, GrB_PLUS_TIMES_SEMIRING_FP64, w->in, w->in, desc));
    return BOTH(finish)(w->C);
}

static int call_boolean(side_work *w) {
    const GrB_Semiring semiring = w->row->of[0] ? GxB_ANY_PAIR_BOOL : GrB_LOR_LAND_SEMIRING_BOOL;
    const GrB_Index n = w->task->in->nrows;
    TRY(BOTH(new_sparse)(&w->C, GrB_BOOL, n, n));
    TRY(GrB_mxm(w->C, NULL, NULL, semiring, w->in, w->in, NULL));
    return BOTH(finish)(w->C);
}

static const side_row MXM[] = {ROW("mxm", NULL, renew_matrix, call_mxm, side_close, 0)};
static const side_row BOOLEAN[] = {ROW("or-and", NULL, renew_matrix, call_boolean, side_same, 0),
                                   ROW("any-pair", NULL, renew_matrix, call_boolean, side_same, 1)};
ROWS(mxm, MXM);
ROWS(boolean, BOOLEAN);

/* -- a product by a variant: in is A, or L when masked */

#ifdef BOTH_GBLITE
static int load_variant(side_work *w) {
    const side_task *t = w->task;
    const bool masked = t->masked;
    TRY(gbl_Descriptor_new(&w->desc));
    TRY(gbl_Descriptor_set(w->desc, GBL_METHOD, t->variant->method));
    TRY(gbl_Descriptor_set(w->desc, GBL_WORKFLOW, t->variant->workflow));
    if (t->variant->vector != 0)
        TRY(gbl_Descriptor_set(w->desc, GBL_VECTOR_VARIANT, t->variant->vector));
    if (masked) TRY(gbl_Descriptor_set(w->desc, GBL_MASK, GBL_STRUCTURE));
    if (masked || t->in->nrows != t->in->ncols)
        TRY(gbl_Descriptor_set(w->desc, GBL_INP1, GBL_TRAN));
    return GrB_SUCCESS;
}

/* The explanation of the last product is kept. */
static int renew_variant(side_work *w) {
    if (w->C != NULL) TRY(gbl_Matrix_explain(&w->how, w->C));
    TRY(GrB_Matrix_free(&w->C));
    if (w->task->variant->warm && w->A != NULL) return GrB_SUCCESS;
    TRY(GrB_Matrix_free(&w->A));
    return GrB_Matrix_dup(&w->A, w->in);
}
#else
#define load_variant NULL
#define renew_variant renew_matrix
#endif

static int call_variant(side_work *w) {
    const side_task *t = w->task;
    const GrB_Index n = t->in->nrows;
    const GrB_Semiring semiring = t->masked ? GxB_PLUS_PAIR_INT64 : GrB_PLUS_TIMES_SEMIRING_FP64;
    GrB_Matrix A = w->in;
    GrB_Descriptor desc = t->masked ? GrB_DESC_ST1 : n == t->in->ncols ? NULL : GrB_DESC_T1;
#ifdef BOTH_GBLITE
    A = w->A;
    desc = w->desc;
#endif
    TRY(BOTH(new_sparse)(&w->C, t->masked ? GrB_INT64 : GrB_FP64, n, n));
    TRY(GrB_mxm(w->C, t->masked ? A : NULL, NULL, semiring, A, A, desc));
    if (t->variant != NULL && t->variant->in_tiles) return GrB_Matrix_wait(w->C, GrB_MATERIALIZE);
    return BOTH(finish)(w->C);
}

static const side_row VARIANT[] = {
    ROW("product", load_variant, renew_variant, call_variant, side_close, 0)};
ROWS(variant, VARIANT);

/* -- mxv, push */

static int renew_vector(side_work *w) {
    return GrB_Vector_free(&w->w);
}

static int load_full(side_work *w) {
    const GrB_Index n = w->task->in->ncols;
    return BOTH(spread)(&w->u, n, n, 12345);
}

static int call_mxv(side_work *w) {
    TRY(GrB_Vector_new(&w->w, GrB_FP64, w->task->in->nrows));
    TRY(GrB_mxv(w->w, NULL, NULL, GrB_PLUS_TIMES_SEMIRING_FP64, w->in, w->u, NULL));
    return BOTH(finish_vector)(w->w);
}

enum { PLUS, MIN, ANY, ONE = 0, HUNDRED = -100 };

/* A random position of each of so many equal parts: 1, 100, or one of `share` positions. */
static int load_sparse(side_work *w) {
    const GrB_Index n = w->task->in->nrows;
    const int share = w->row->of[1];
    GrB_Index count = share == ONE ? 1 : share == HUNDRED ? 100 : n / (GrB_Index)share + 1;
    if (count > n) count = n;
    uint64_t state = 12345 + count;
    TRY(GrB_Vector_new(&w->u, GrB_FP64, n));
    for (GrB_Index k = 0; k < count; k++) {
        const GrB_Index from = k * n / count, to = (k + 1) * n / count;
        const GrB_Index at = from + bench_random(&state) % (to - from);
        TRY(GrB_Vector_setElement_FP64(w->u, bench_unit(&state), at));
    }
    return BOTH(finish_vector)(w->u);
}

static int call_push(side_work *w) {
    const GrB_Semiring semirings[] = {GrB_PLUS_TIMES_SEMIRING_FP64, GrB_MIN_PLUS_SEMIRING_FP64,
                                      GxB_ANY_SECONDI_INT64};
    const int kind = w->row->of[0];
    TRY(GrB_Vector_new(&w->w, kind == ANY ? GrB_INT64 : GrB_FP64, w->task->in->ncols));
    TRY(GrB_vxm(w->w, NULL, NULL, semirings[kind], w->u, w->in, NULL));
    return BOTH(finish_vector)(w->w);
}

static const side_row MXV[] = {ROW("mxv", load_full, renew_vector, call_mxv, side_close, 0)};
#define PUSH(text, kind, share, agree)                                                             \
    ROW(text, load_sparse, renew_vector, call_push, agree, kind, share)
static const side_row PUSHES[] = {
    PUSH("plus, 1", PLUS, ONE, side_close),   PUSH("plus, 100", PLUS, HUNDRED, side_close),
    PUSH("plus, 1%", PLUS, 100, side_close),  PUSH("plus, 10%", PLUS, 10, side_close),
    PUSH("min, 1", MIN, ONE, side_same),      PUSH("min, 100", MIN, HUNDRED, side_same),
    PUSH("min, 1%", MIN, 100, side_same),     PUSH("min, 10%", MIN, 10, side_same),
    PUSH("any, 1", ANY, ONE, side_any_edge),  PUSH("any, 100", ANY, HUNDRED, side_any_edge),
    PUSH("any, 1%", ANY, 100, side_any_edge), PUSH("any, 10%", ANY, 10, side_any_edge)};
ROWS(mxv, MXV);
ROWS(push, PUSHES);

/* -- triangles; in is the lower triangle */

enum { DOT_LOWER, DOT_UPPER, SAXPY };
static const char *const FORMS[] = {"dot L*L'", "dot L*U'", "saxpy L*L", NULL};

static int load_lower(side_work *w) {
    if (w->task->form != DOT_UPPER) return GrB_SUCCESS;
    const GrB_Index n = w->task->in->nrows;
    TRY(GrB_Matrix_new(&w->B, GrB_BOOL, n, n));
    TRY(GrB_transpose(w->B, NULL, NULL, w->in, NULL));
    return GrB_Matrix_wait(w->B, GrB_MATERIALIZE);
}

static int call_triangles(side_work *w) {
    const GrB_Index n = w->task->in->nrows;
    const GrB_Matrix L = w->in, right = w->task->form == DOT_UPPER ? w->B : L;
    const GrB_Descriptor desc = w->task->form == SAXPY ? GrB_DESC_S : GrB_DESC_ST1;
    TRY(GrB_Matrix_new(&w->C, GrB_INT64, n, n));
    TRY(GrB_mxm(w->C, L, NULL, GxB_PLUS_PAIR_INT64, L, right, desc));
    return GrB_Matrix_reduce_INT64(&w->count, NULL, GrB_PLUS_MONOID_INT64, w->C, NULL);
}

/* One call that does not store the product; SuiteSparse has two. */
static int call_fused(side_work *w) {
#ifdef BOTH_GBLITE
    return gbl_mxm_reduce_INT64(&w->count, w->in, NULL, GBL_PLUS_MONOID_INT64,
                                GBL_PLUS_PAIR_SEMIRING_INT64, w->in, w->in, GBL_DESC_ST1);
#else
    return call_triangles(w);
#endif
}

/* Of vertices as they come, and by falling degree: jobs/compare.c makes both inputs. */
static const side_row TRIANGLES[] = {
    {"triangles", load_lower, renew_matrix, call_triangles, side_same_count, {0}, FORMS},
    {"tri. fused", load_lower, renew_matrix, call_fused, side_same_count, {0}, FORMS}};
static const side_row SORTED[] = {
    {"tri. sorted", load_lower, renew_matrix, call_triangles, side_same_count, {0}, FORMS},
    {"sorted fused", load_lower, renew_matrix, call_fused, side_same_count, {0}, FORMS}};
ROWS(triangles, TRIANGLES);
ROWS(sorted_triangles, SORTED);
