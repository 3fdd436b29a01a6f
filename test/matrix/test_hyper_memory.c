/* SPDX-License-Identifier: Apache-2.0
 *
 * The n-th allocation fails, for every n, in every operation on huge objects: the call says
 * GBL_OUT_OF_MEMORY and leaves its outputs as they were, or does without that block and is right;
 * called again it succeeds, and nothing is left behind.
 */
#include "support/huge.h"

#include "matrix/check.h"

#include <stdlib.h>

#define TOP (GBL_INDEX_MAX + 1)

enum { SIDE = 14, MOST = 4000 };

typedef struct {
    t_Scatter rows, cols;
    gbl_Matrix A, B, C, M; /* A has pending updates */
    gbl_Vector u, w;
} World;

static gbl_Matrix matrix(t_Random *r, const t_Scatter *rows, const t_Scatter *cols) {
    t_Twins p = t_twins(r, rows, cols, 0.3);
    gbl_Matrix_free(&p.A);
    return p.H;
}

static World world_new(void) {
    t_Random r = t_random(5);
    World o = {.rows = t_scatter(&r, SIDE, TOP), .cols = t_scatter(&r, SIDE, TOP)};
    o.A = matrix(&r, &o.rows, &o.cols);
    o.B = matrix(&r, &o.cols, &o.rows);
    o.C = matrix(&r, &o.rows, &o.rows);
    o.M = matrix(&r, &o.rows, &o.rows);
    OK(gbl_Vector_new(&o.u, GBL_INT64, TOP));
    OK(gbl_Vector_new(&o.w, GBL_INT64, TOP));
    for (int k = 0; k < SIDE; k += 2) {
        OK(gbl_Vector_setElement_INT64(o.u, k, o.cols.at[k]));
        OK(gbl_Vector_setElement_INT64(o.w, k, o.rows.at[k]));
        OK(gbl_Matrix_setElement_INT64(o.A, k, o.rows.at[k] / 2, o.cols.at[k] / 2));
    }
    OK(gbl_Matrix_removeElement(o.A, o.rows.at[1], o.cols.at[1]));
    return o;
}

static void world_free(World *o) {
    gbl_Matrix *matrices[] = {&o->A, &o->B, &o->C, &o->M};
    for (size_t k = 0; k < T_COUNT(matrices); k++) gbl_Matrix_free(matrices[k]);
    gbl_Vector_free(&o->u);
    gbl_Vector_free(&o->w);
}

/* Entries of C, w and A: how many, and a hash of where they are and what. */
typedef struct {
    gbl_Index n[3];
    uint64_t hash[3];
} State;

static uint64_t hash_of(gbl_Index n, const gbl_Index *I, const gbl_Index *J, const int64_t *X) {
    uint64_t h = 7;
    for (gbl_Index k = 0; k < n; k++)
        h = (((h * 31 + I[k]) * 31 + (J != NULL ? J[k] : 0)) * 31) + (uint64_t)X[k];
    return h;
}

static State state_of(const World *o) {
    enum { ROOM = 4096 };
    static gbl_Index I[ROOM], J[ROOM];
    static int64_t X[ROOM];
    State s;
    const gbl_Matrix matrices[] = {o->C, o->A};
    for (int k = 0; k < 2; k++) {
        s.n[k] = ROOM;
        OK(gbl_Matrix_extractTuples_INT64(I, J, X, &s.n[k], matrices[k]));
        s.hash[k] = hash_of(s.n[k], I, J, X);
        OK(gb_matrix_check((gb_Matrix *)(void *)matrices[k]));
    }
    s.n[2] = ROOM;
    OK(gbl_Vector_extractTuples_INT64(I, X, &s.n[2], o->w));
    s.hash[2] = hash_of(s.n[2], I, NULL, X);
    OK(gb_matrix_check((gb_Matrix *)(void *)o->w));
    return s;
}

static void expect_state(const State *expected, const World *o) {
    const State s = state_of(o);
    for (int k = 0; k < 3; k++) {
        CHECK_EQ(s.n[k], expected->n[k]);
        CHECK_EQ(s.hash[k], expected->hash[k]);
    }
}

/* -- the operations */

#define STEP(name, call)                                                                           \
    static gbl_Info name(World *o) {                                                               \
        return call;                                                                               \
    }
#define RING GBL_PLUS_TIMES_SEMIRING_INT64
STEP(mxm, gbl_mxm(o->C, NULL, NULL, RING, o->A, o->B, NULL))
STEP(mxm_masked, gbl_mxm(o->C, o->M, GBL_PLUS_INT64, RING, o->A, o->B, NULL))
STEP(mxm_outside, gbl_mxm(o->C, o->M, NULL, RING, o->A, o->B, GBL_DESC_C))
STEP(mxm_places, gbl_mxm(o->C, NULL, NULL, GBL_MIN_FIRSTJ_SEMIRING_INT64, o->A, o->B, NULL))
STEP(mxv, gbl_mxv(o->w, NULL, GBL_PLUS_INT64, RING, o->A, o->u, NULL))
STEP(vxm, gbl_vxm(o->w, NULL, NULL, RING, o->u, o->B, NULL))
STEP(unite, gbl_Matrix_eWiseAdd_BinaryOp(o->C, NULL, NULL, GBL_PLUS_INT64, o->A, o->B, GBL_DESC_T1))
STEP(apply, gbl_Matrix_apply(o->C, o->M, NULL, GBL_AINV_INT64, o->A, NULL))
STEP(places, gbl_Matrix_apply_IndexOp_INT64(o->C, NULL, NULL, GBL_ROWINDEX_INT64, o->A, 1, NULL))
STEP(lower, gbl_Matrix_select_INT64(o->C, o->M, GBL_PLUS_INT64, GBL_TRIL, o->A, 0, GBL_DESC_T0))
STEP(transpose, gbl_transpose(o->C, o->M, NULL, o->A, GBL_DESC_R))
STEP(reduce, gbl_Matrix_reduce_Monoid(o->w, NULL, NULL, GBL_PLUS_MONOID_INT64, o->A, NULL))
STEP(extract, gbl_Matrix_extract(o->C, NULL, NULL, o->A, GBL_ALL, 0, GBL_ALL, 0, NULL))
STEP(column, gbl_Col_extract(o->w, NULL, NULL, o->A, GBL_ALL, 0, o->cols.at[3], NULL))
STEP(assign, gbl_Matrix_assign(o->C, NULL, GBL_PLUS_INT64, o->A, GBL_ALL, 0, GBL_ALL, 0, NULL))
STEP(value, gbl_Matrix_assign_INT64(o->C, NULL, NULL, 4, o->rows.at, 3, o->cols.at, 4, NULL))
STEP(row, gbl_Row_assign(o->C, NULL, NULL, o->u, o->rows.at[2], GBL_ALL, 0, NULL))
STEP(sort, gbl_Vector_sort(o->w, o->u, GBL_GT_INT64, o->u, NULL))
STEP(degrees, gbl_Matrix_degrees(o->w, o->u, GBL_PLUS_INT64, o->A, NULL))
STEP(gather, gbl_Vector_extract_Vector(o->w, NULL, NULL, o->w, o->u, NULL))
STEP(scatter, gbl_Vector_scatter(o->w, NULL, NULL, GBL_PLUS_INT64, o->w, o->u, NULL))
STEP(chain, gbl_mxm_chain(o->C, o->M, NULL, RING, (gbl_Matrix[]){o->A, o->B, o->C}, 3, NULL))
STEP(roots, gbl_Vector_roots(o->w, NULL, GBL_PLUS_INT64, o->u, NULL))
STEP(join, gbl_Vector_join(o->w, o->u, o->A, 1, 3, GBL_DESC_C))
STEP(update, gbl_Vector_update(o->w, o->u, GBL_PLUS_INT64, o->u, NULL))
STEP(search, gbl_vxm_update(o->w, o->u, GBL_MIN_PLUS_SEMIRING_INT64, o->u, o->B, NULL))
STEP(closure, gbl_vxm_closure(o->w, GBL_MIN_PLUS_SEMIRING_INT64, o->A, 1, NULL))
STEP(resize, gbl_Matrix_resize(o->C, o->rows.at[5], TOP / 2))
STEP(shrink, gbl_Matrix_resize(o->C, 100, 100))

static gbl_Info sub_list(World *o) {
    gbl_Matrix part = NULL;
    gbl_Info info = gbl_Matrix_new(&part, GBL_INT64, 5, 6);
    if (info == GBL_SUCCESS)
        info = gbl_Matrix_extract(part, NULL, NULL, o->A, o->rows.at + 2, 5, o->cols.at, 6, NULL);
    if (info == GBL_SUCCESS)
        info = gbl_Matrix_assign(o->C, NULL, NULL, part, o->rows.at, 5, o->rows.at + 6, 6, NULL);
    gbl_Matrix_free(&part);
    return info;
}

static gbl_Info permute(World *o) {
    gbl_Vector p = NULL;
    gbl_Info info = gbl_Vector_new(&p, GBL_UINT64, TOP);
    for (int k = 0; k < 3 && info == GBL_SUCCESS; k++)
        info = gbl_Vector_setElement_UINT64(p, o->rows.at[(k + 1) % 3], o->rows.at[k]);
    if (info == GBL_SUCCESS) info = gbl_Matrix_permute(o->C, o->M, NULL, NULL, o->C, p, 0, NULL);
    gbl_Vector_free(&p);
    return info;
}

/* Rows with pointers, of very many columns. */
static gbl_Info compressed(World *o) {
    gbl_Index p[5], i[SIDE * 4], np = 5, ni = SIDE * 4, nx = SIDE * 4;
    int64_t x[SIDE * 4];
    gbl_Matrix part = NULL, back = NULL;
    gbl_Info info = gbl_Matrix_new(&part, GBL_INT64, 4, TOP);
    if (info == GBL_SUCCESS)
        info = gbl_Matrix_extract(part, NULL, NULL, o->B, o->cols.at, 4, GBL_ALL, 0, NULL);
    if (info == GBL_SUCCESS)
        info = gbl_Matrix_export_INT64(p, i, x, &np, &ni, &nx, GBL_CSR_FORMAT, part);
    if (info == GBL_SUCCESS)
        info =
            gbl_Matrix_import_INT64(&back, GBL_INT64, 4, TOP, p, i, x, np, ni, nx, GBL_CSR_FORMAT);
    gbl_Matrix_free(&part);
    gbl_Matrix_free(&back);
    return info;
}

static gbl_Info kronecker(World *o) {
    (void)o;
    gbl_Matrix K = NULL, S = NULL;
    gbl_Info info = gbl_Matrix_new(&K, GBL_INT64, TOP / 5 * 5, 7 * 5);
    if (info == GBL_SUCCESS) info = gbl_Matrix_new(&S, GBL_INT64, TOP / 5, 7);
    if (info == GBL_SUCCESS) info = gbl_Matrix_setElement_INT64(S, 4, TOP / 5 - 1, 3);
    gbl_Matrix B = NULL;
    if (info == GBL_SUCCESS) info = gbl_Matrix_new(&B, GBL_INT64, 5, 5);
    if (info == GBL_SUCCESS) info = gbl_Matrix_setElement_INT64(B, 4, 3, 3);
    if (info == GBL_SUCCESS)
        info = gbl_Matrix_kronecker_BinaryOp(K, NULL, NULL, GBL_TIMES_INT64, S, B, NULL);
    gbl_Matrix_free(&K);
    gbl_Matrix_free(&S);
    gbl_Matrix_free(&B);
    return info;
}

/* One entry is added to a duplicate, and folded. */
static gbl_Info unite_few(World *o) {
    gbl_Matrix one = NULL;
    gbl_Info info = gbl_Matrix_new(&one, GBL_INT64, TOP, TOP);
    if (info == GBL_SUCCESS) info = gbl_Matrix_setElement_INT64(one, 4, 3, TOP / 3);
    if (info == GBL_SUCCESS) info = gbl_Matrix_wait(o->A, GBL_MATERIALIZE);
    if (info == GBL_SUCCESS)
        info = gbl_Matrix_eWiseAdd_BinaryOp(o->C, NULL, NULL, GBL_MINUS_INT64, o->A, one, NULL);
    gbl_Matrix_free(&one);
    return info;
}

static gbl_Info build(World *o) {
    const int64_t X[] = {1, 2, 3};
    gbl_Matrix made = NULL, copy = NULL;
    gbl_Info info = gbl_Matrix_new(&made, GBL_INT64, TOP, TOP);
    if (info == GBL_SUCCESS)
        info = gbl_Matrix_build_INT64(made, o->rows.at, o->cols.at, X, 3, NULL);
    if (info == GBL_SUCCESS) info = gbl_Matrix_dup(&copy, made);
    gbl_Matrix_free(&made);
    gbl_Matrix_free(&copy);
    return info;
}

static const struct {
    const char *name;
    gbl_Info (*run)(World *o);
} steps[] = {{"mxm", mxm},
             {"mxm masked", mxm_masked},
             {"mxm outside", mxm_outside},
             {"mxv", mxv},
             {"mxm by place", mxm_places},
             {"vxm", vxm},
             {"eWiseAdd", unite},
             {"eWiseAdd of few", unite_few},
             {"apply", apply},
             {"ROWINDEX", places},
             {"TRIL", lower},
             {"transpose", transpose},
             {"reduce", reduce},
             {"extract", extract},
             {"column", column},
             {"assign", assign},
             {"value", value},
             {"row", row},
             {"resize", resize},
             {"shrink", shrink},
             {"lists", sub_list},
             {"kronecker", kronecker},
             {"sort", sort},
             {"degrees", degrees},
             {"gather", gather},
             {"scatter", scatter},
             {"chain", chain},
             {"roots", roots},
             {"join", join},
             {"update", update},
             {"vxm_update", search},
             {"closure", closure},
             {"permute", permute},
             {"compressed", compressed},
             {"build", build}};

/* One failure at the n-th allocation; false when the call needs fewer. */
static bool attempt(size_t step, int64_t n, const State *before, const State *after) {
    World o = world_new();
    t_case("%s: allocation %lld fails", steps[step].name, (long long)n);
    bool failed;
    const gbl_Info info = FAIL_AT(n, steps[step].run(&o), &failed);
    if (info == GBL_OUT_OF_MEMORY) {
        expect_state(before, &o);
        OK(steps[step].run(&o));
    }
    expect_state(after, &o);
    world_free(&o);
    CHECK_EQ(t_blocks(), 0);
    CHECK_EQ(t_live(), 0);
    return failed;
}

BRUTAL(hyper) {
    for (size_t k = 0; k < T_COUNT(steps); k++) {
        t_case("%s", steps[k].name);
        World o = world_new();
        const State before = state_of(&o);
        world_free(&o);
        o = world_new();
        OK(steps[k].run(&o));
        const State after = state_of(&o);
        world_free(&o);
        int64_t n = 1;
        while (n < MOST && attempt(k, n, &before, &after)) n++;
        cr_assert(n > 1 && n < MOST);
    }
}
