/* SPDX-License-Identifier: Apache-2.0
 *
 * What may be done with a matrix that exists as tiles, alone or beside lists: every use gives what
 * it gives for the same matrix as rows, and leaves a sound object behind.
 */
#include "support/product.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "matrix/check.h"
#include "matrix/matrix.h"

enum { SIDE = 50 };
#define PLUS GBL_PLUS_TIMES_SEMIRING_INT64

static gbl_Matrix random_matrix(uint64_t seed, double density) {
    return t_seeded_matrix(seed, GBL_INT64_CODE, SIDE, SIDE, density);
}

static void multiply(gbl_Matrix C, gbl_Matrix A, gbl_Matrix B, gbl_Desc_Value method) {
    const t_Flags flags = {.mask = T_NO_MASK, .method = method};
    gbl_Descriptor desc = t_descriptor(&flags);
    OK(gbl_mxm(C, NULL, NULL, PLUS, A, B, desc));
    OK(gbl_Descriptor_free(&desc));
}

static gbl_Matrix product(gbl_Desc_Value method) {
    gbl_Matrix A = random_matrix(1, 0.08);
    gbl_Matrix C = t_mxm(PLUS, GBL_INT64, A, A, NULL, &(t_Flags){.method = method});
    OK(gbl_Matrix_free(&A));
    return C;
}

/* ---------------------------------------------------------------------- ways to be as tiles -- */

static void as_made(gbl_Matrix C) {
    CHECK_EQ(t_formats(C).present, GBL_HAS_TILE16);
    CHECK_EQ(t_formats(C).conversions, 0);
}

static void with(gbl_Matrix C, bool tiles, gb_Format format) {
    gb_TileView t;
    gb_CsView v;
    OK(tiles ? gb_acquire_tiles(&C->m, format, &t) : gb_acquire(&C->m, format, &v));
}

static void and_rows(gbl_Matrix C) {
    with(C, false, GB_CSR);
}

static void and_columns(gbl_Matrix C) {
    with(C, false, GB_CSC);
    gb_matrix_keep_only(&C->m, GBL_HAS_CSC | GBL_HAS_TILE16);
}

static void of_columns(gbl_Matrix C) {
    with(C, true, GB_CSC);
    gb_matrix_keep_only(&C->m, gb_tiles_bit(GB_CSC));
    CHECK_EQ(t_formats(C).present, 0);
}

static void all_there_is(gbl_Matrix C) {
    with(C, true, GB_CSC);
    CHECK_EQ(t_formats(C).present, GBL_HAS_TILE16 | GBL_HAS_CSR | GBL_HAS_CSC);
}

static void with_updates(gbl_Matrix C) {
    OK(gbl_Matrix_setElement_INT64(C, 1000, 3, 4));
    OK(gbl_Matrix_setElement_INT64(C, 7, 20, 20)); /* comes, or is changed at once ... */
    OK(gbl_Matrix_removeElement(C, 20, 20));       /* ... and goes */
    CHECK(t_formats(C).pending >= 1);              /* entries of rows change at once */
}

static void as_rows(gbl_Matrix C) {
    CHECK_EQ(t_formats(C).present, GBL_HAS_CSR);
}

static const struct {
    const char *name;
    void (*prepare)(gbl_Matrix C), (*prepare_rows)(gbl_Matrix C);
} states[] = {
    {"tiles", as_made, as_rows},
    {"tiles and rows", and_rows, as_rows},
    {"tiles and columns", and_columns, as_rows},
    {"tiles of columns", of_columns, as_rows},
    {"everything", all_there_is, as_rows},
    {"tiles with updates", with_updates, with_updates},
};

/* -------------------------------------------------------------------------------------- uses -- */

/* Each changes C, or makes D from C, or both; D is an empty matrix of C's shape at first. */
typedef struct {
    const char *name;
    void (*run)(gbl_Matrix C, gbl_Matrix D);
} use;

#define USE(name, call)                                                                            \
    static void name(gbl_Matrix C, gbl_Matrix D) {                                                 \
        (void)C, (void)D;                                                                          \
        OK(call);                                                                                  \
    }
USE(clear, gbl_Matrix_clear(C))
USE(set_new, gbl_Matrix_setElement_INT64(C, 77, 49, 0))
USE(remove_one, gbl_Matrix_removeElement(C, 0, 17))
USE(shrink, gbl_Matrix_resize(C, 33, 15))
USE(grow, gbl_Matrix_resize(C, 64, 81))
USE(shrink_to_nothing, gbl_Matrix_resize(C, 0, 3))
USE(turn, gbl_transpose(C, NULL, NULL, C, NULL))
USE(turn_twice, gbl_transpose(C, NULL, NULL, C, GBL_DESC_T0))
USE(turned, gbl_transpose(D, NULL, NULL, C, NULL))
USE(turned_inside, gbl_transpose(D, C, NULL, C, GBL_DESC_S))
USE(negate, gbl_Matrix_apply(C, NULL, NULL, GBL_AINV_INT64, C, NULL))
USE(negated, gbl_Matrix_apply(D, NULL, NULL, GBL_AINV_INT64, C, NULL))
USE(negated_turned, gbl_Matrix_apply(D, NULL, NULL, GBL_AINV_INT64, C, GBL_DESC_T0))
USE(numbered, gbl_Matrix_apply_IndexOp_INT64(C, NULL, NULL, GBL_ROWINDEX_INT64, C, 3, NULL))
USE(accumulate, gbl_Matrix_apply(C, NULL, GBL_PLUS_INT64, GBL_ABS_INT64, C, NULL))
USE(lower, gbl_Matrix_select_INT64(C, NULL, NULL, GBL_TRIL, C, -3, NULL))
USE(selected, gbl_Matrix_select_INT64(D, NULL, NULL, GBL_VALUEGT_INT64, C, 0, NULL))
USE(added, gbl_Matrix_eWiseAdd_BinaryOp(D, NULL, NULL, GBL_MINUS_INT64, C, C, GBL_DESC_T1))
USE(add, gbl_Matrix_eWiseAdd_BinaryOp(C, NULL, NULL, GBL_MINUS_INT64, C, C, GBL_DESC_T0))
USE(common, gbl_Matrix_eWiseMult_BinaryOp(D, NULL, NULL, GBL_MINUS_INT64, C, C, GBL_DESC_T1))
USE(fill, gbl_Matrix_assign_INT64(C, NULL, NULL, 5, GBL_ALL, SIDE, GBL_ALL, SIDE, NULL))
USE(fill_outside, gbl_Matrix_assign_INT64(C, C, NULL, 5, GBL_ALL, SIDE, GBL_ALL, SIDE, GBL_DESC_SC))
USE(copy_by_assign, gbl_Matrix_assign(D, C, NULL, C, GBL_ALL, SIDE, GBL_ALL, SIDE, GBL_DESC_T0))
USE(square, gbl_mxm(C, NULL, NULL, PLUS, C, C, NULL))
USE(square_accum, gbl_mxm(C, NULL, GBL_MINUS_INT64, PLUS, C, C, GBL_DESC_T0))
USE(square_masked, gbl_mxm(D, C, NULL, PLUS, C, C, NULL))
USE(square_outside, gbl_mxm(C, C, NULL, PLUS, C, C, GBL_DESC_RSC))
USE(square_turned, gbl_mxm(D, NULL, NULL, PLUS, C, C, GBL_DESC_T0T1))
USE(wait_done, gbl_Matrix_wait(C, GBL_COMPLETE))
USE(wait_all, gbl_Matrix_wait(C, GBL_MATERIALIZE))

static void square_tiled(gbl_Matrix C, gbl_Matrix D) {
    multiply(D, C, C, GBL_METHOD_TILED);
    multiply(C, C, D, GBL_METHOD_TILED);
}

static void change_entries(gbl_Matrix C, gbl_Matrix D) {
    gbl_Index I[SIDE * SIDE], J[SIDE * SIDE], n = SIDE * SIDE;
    (void)D;
    OK(gbl_Matrix_extractTuples_INT64(I, J, NULL, &n, C));
    for (gbl_Index k = 0; k < n; k += 3) OK(gbl_Matrix_setElement_INT64(C, (int64_t)k, I[k], J[k]));
    for (gbl_Index k = 1; k < n; k += 5) OK(gbl_Matrix_removeElement(C, I[k], J[k]));
}

static void remove_all(gbl_Matrix C, gbl_Matrix D) {
    (void)D;
    for (gbl_Index k = 0; k < SIDE * SIDE; k++) OK(gbl_Matrix_removeElement(C, k / SIDE, k % SIDE));
    CHECK_EQ(t_nvals(C), 0);
}

static void copy(gbl_Matrix C, gbl_Matrix D) {
    gbl_Matrix E = NULL;
    OK(gbl_Matrix_dup(&E, C));
    OK(gb_matrix_check(&E->m));
    OK(gbl_Matrix_setElement_INT64(E, 5, 0, 0)); /* C's own entries stay */
    OK(gbl_Matrix_apply(D, NULL, NULL, GBL_IDENTITY_INT64, E, NULL));
    OK(gbl_Matrix_free(&E));
}

static void look_up(gbl_Matrix C, gbl_Matrix D) {
    for (gbl_Index k = 0; k < SIDE * SIDE; k++) {
        int64_t x = 0;
        const gbl_Info info = gbl_Matrix_extractElement_INT64(&x, C, k / SIDE, k % SIDE);
        CHECK(info == GBL_SUCCESS || info == GBL_NO_VALUE);
        if (info == GBL_SUCCESS) OK(gbl_Matrix_setElement_INT64(D, x, k / SIDE, k % SIDE));
    }
}

static void export_as(gbl_Matrix C, gbl_Matrix D, gbl_Format format) {
    gbl_Index p[SIDE * SIDE], i[SIDE * SIDE], np = 0, ni = 0, nx = 0;
    int64_t x[SIDE * SIDE];
    gbl_Matrix E = NULL;
    gbl_Format hint;
    OK(gbl_Matrix_exportHint(&hint, C));
    OK(gbl_Matrix_exportSize(&np, &ni, &nx, format, C));
    OK(gbl_Matrix_export_INT64(p, i, x, &np, &ni, &nx, format, C));
    OK(gbl_Matrix_import_INT64(&E, GBL_INT64, SIDE, SIDE, p, i, x, np, ni, nx, format));
    OK(gbl_Matrix_apply(D, NULL, NULL, GBL_IDENTITY_INT64, E, NULL));
    OK(gbl_Matrix_free(&E));
}

static void export_rows(gbl_Matrix C, gbl_Matrix D) {
    export_as(C, D, GBL_CSR_FORMAT);
}

static void export_columns(gbl_Matrix C, gbl_Matrix D) {
    export_as(C, D, GBL_CSC_FORMAT);
}

static void export_tuples(gbl_Matrix C, gbl_Matrix D) {
    export_as(C, D, GBL_COO_FORMAT);
}

static void move(gbl_Matrix C, gbl_Matrix D, gbl_Format format) {
    gbl_Arrays arrays = {NULL, NULL, NULL, false};
    gbl_Matrix E = NULL;
    OK(gbl_Matrix_moveOut(C, format, &arrays));
    OK(gbl_Matrix_moveIn(&E, GBL_INT64, SIDE, SIDE, format, &arrays));
    OK(gbl_Matrix_apply(D, NULL, NULL, GBL_IDENTITY_INT64, E, NULL));
    OK(gbl_Matrix_free(&E));
}

static void move_rows(gbl_Matrix C, gbl_Matrix D) {
    move(C, D, GBL_CSR_FORMAT);
}

static void move_columns(gbl_Matrix C, gbl_Matrix D) {
    move(C, D, GBL_CSC_FORMAT);
}

/* C u, u C and the sums of rows and columns, as columns of D */
static void vectors(gbl_Matrix C, gbl_Matrix D) {
    gbl_Vector u = NULL, w[4] = {NULL};
    int64_t sum = 0;
    OK(gbl_Vector_new(&u, GBL_INT64, SIDE));
    for (gbl_Index k = 0; k < SIDE; k += 2) OK(gbl_Vector_setElement_INT64(u, (int64_t)k - 9, k));
    for (int k = 0; k < 4; k++) OK(gbl_Vector_new(&w[k], GBL_INT64, SIDE));
    OK(gbl_mxv(w[0], NULL, NULL, PLUS, C, u, NULL));
    OK(gbl_vxm(w[1], NULL, NULL, PLUS, u, C, NULL));
    OK(gbl_Matrix_reduce_Monoid(w[2], NULL, NULL, GBL_PLUS_MONOID_INT64, C, NULL));
    OK(gbl_Matrix_reduce_Monoid(w[3], NULL, NULL, GBL_PLUS_MONOID_INT64, C, GBL_DESC_T0));
    OK(gbl_Matrix_reduce_INT64(&sum, NULL, GBL_PLUS_MONOID_INT64, C, NULL));
    OK(gbl_Matrix_setElement_INT64(D, sum, 0, 10));
    for (gbl_Index k = 0; k < 4; k++) {
        for (gbl_Index i = 0; i < SIDE; i++) {
            int64_t x = 0;
            if (gbl_Vector_extractElement_INT64(&x, w[k], i) == GBL_SUCCESS)
                OK(gbl_Matrix_setElement_INT64(D, x, i, k));
        }
        OK(gbl_Vector_free(&w[k]));
    }
    OK(gbl_Vector_free(&u));
}

static void estimate(gbl_Matrix C, gbl_Matrix D) {
    gbl_MxmEstimate e = GBL_MXM_ESTIMATE_INIT;
    OK(gbl_mxm_estimate(&e, PLUS, C, C, GBL_DESC_T1));
    OK(gbl_Matrix_setElement_INT64(D, (int64_t)e.flops, 1, 2));
    OK(gbl_Matrix_setElement_INT64(D, (int64_t)e.nvals, 2, 2));
}

static void build_anew(gbl_Matrix C, gbl_Matrix D) {
    const gbl_Index I[] = {1, 49, 17}, J[] = {16, 3, 48};
    const int64_t X[] = {1, -2, 3};
    (void)D;
    FAILS(GBL_OUTPUT_NOT_EMPTY, gbl_Matrix_build_INT64(C, I, J, X, 3, NULL));
    OK(gbl_Matrix_clear(C));
    OK(gbl_Matrix_build_INT64(C, I, J, X, 3, NULL));
}

#define ENTRY(name)                                                                                \
    { #name, name }
static const use uses[] = {
    ENTRY(clear),
    ENTRY(set_new),
    ENTRY(remove_one),
    ENTRY(shrink),
    ENTRY(grow),
    ENTRY(turn),
    ENTRY(turn_twice),
    ENTRY(turned),
    ENTRY(turned_inside),
    ENTRY(negate),
    ENTRY(negated),
    ENTRY(negated_turned),
    ENTRY(numbered),
    ENTRY(accumulate),
    ENTRY(lower),
    ENTRY(selected),
    ENTRY(added),
    ENTRY(add),
    ENTRY(common),
    ENTRY(fill),
    ENTRY(fill_outside),
    ENTRY(copy_by_assign),
    ENTRY(square),
    ENTRY(square_accum),
    ENTRY(square_masked),
    ENTRY(square_outside),
    ENTRY(square_turned),
    ENTRY(wait_done),
    ENTRY(wait_all),
    ENTRY(square_tiled),
    ENTRY(change_entries),
    ENTRY(remove_all),
    ENTRY(copy),
    ENTRY(look_up),
    ENTRY(export_rows),
    ENTRY(export_columns),
    ENTRY(export_tuples),
    ENTRY(move_rows),
    ENTRY(move_columns),
    ENTRY(vectors),
    ENTRY(estimate),
    ENTRY(build_anew),
    ENTRY(shrink_to_nothing),
};

typedef struct {
    gbl_Matrix C, D;
} pair;

static pair run(const use *of, gbl_Desc_Value method, void (*prepare)(gbl_Matrix)) {
    pair p = {product(method), NULL};
    OK(gbl_Matrix_new(&p.D, GBL_INT64, SIDE, SIDE));
    prepare(p.C);
    OK(gb_matrix_check(&p.C->m));
    of->run(p.C, p.D);
    OK(gb_matrix_check(&p.C->m));
    OK(gb_matrix_check(&p.D->m));
    return p;
}

static void pair_free(pair *p) {
    FREE(p->C, p->D);
}

GB_TEST(tiles_uses, as_for_rows) {
    for (size_t s = 0; s < T_COUNT(states); s++)
        for (size_t u = 0; u < T_COUNT(uses); u++) {
            t_case("%s of rows", uses[u].name);
            pair rows = run(&uses[u], GBL_METHOD_ROWWISE, states[s].prepare_rows);
            o_Matrix C = t_dense(rows.C), D = t_dense(rows.D);
            pair_free(&rows);
            t_case("%s of %s", uses[u].name, states[s].name);
            pair tiles = run(&uses[u], GBL_METHOD_TILED, states[s].prepare);
            t_expect("C", &C, tiles.C, 0);
            t_expect("D", &D, tiles.D, 0);
            OK(gb_matrix_check(&tiles.C->m));
            pair_free(&tiles);
            FREE(C, D);
            CHECK_EQ(t_blocks(), 0);
        }
}

/* ------------------------------------------------------------------------------------ facts -- */

GB_TEST(tiles_uses, formats_tell) {
    gbl_Matrix C = product(GBL_METHOD_TILED);
    const gbl_Explanation why = t_explain(C);
    CHECK(strcmp(why.method, "tiled") == 0);
    const gbl_Index n = t_nvals(C);
    CHECK_EQ(why.nvals, n);
    const gbl_Formats tiles = t_formats(C);
    as_made(C);
    CHECK(tiles.bytes >= n * (sizeof(int64_t) + 1) && !tiles.iso && tiles.sorted);
    and_rows(C);
    const gbl_Formats both = t_formats(C);
    CHECK_EQ(both.present, GBL_HAS_TILE16 | GBL_HAS_CSR);
    CHECK_EQ(both.conversions, 1);
    CHECK(both.bytes > tiles.bytes);
    OK(gbl_Matrix_free(&C));
}

/* Tiles go from product to product as they are. */
GB_TEST(tiles_uses, chains_convert_nothing) {
    gbl_Matrix F = random_matrix(9, 0.05), F2 = NULL, F3 = NULL, F5 = NULL, E = NULL;
    gbl_Matrix *all[] = {&F2, &F3, &F5, &E};
    for (size_t k = 0; k < T_COUNT(all); k++) OK(gbl_Matrix_new(all[k], GBL_INT64, SIDE, SIDE));
    multiply(F2, F, F, GBL_METHOD_TILED);
    const uint64_t before = t_formats(F).conversions;
    multiply(F3, F2, F, GBL_METHOD_TILED);
    multiply(F5, F2, F3, GBL_METHOD_TILED);
    CHECK_EQ(t_formats(F).conversions, before);
    as_made(F2);
    as_made(F3);
    as_made(F5);
    multiply(E, F, F, GBL_METHOD_ROWWISE);
    multiply(F2, E, F, GBL_METHOD_ROWWISE);
    multiply(F3, E, F2, GBL_METHOD_ROWWISE);
    o_Matrix expected = t_dense(F3);
    t_expect("F5", &expected, F5, 0);
    FREE(expected, F);
    for (size_t k = 0; k < T_COUNT(all); k++) OK(gbl_Matrix_free(all[k]));
}

/* -------------------------------------------------------------------------- several readers -- */

typedef struct {
    gbl_Matrix C, D;
    pthread_barrier_t *start;
    unsigned way;
} reader;

static gbl_Info read_once(reader *r) {
    gb_CsView view;
    gb_TileView tiles;
    int64_t x;
    gbl_Matrix E = NULL;
    gbl_Info info;
    switch (r->way % 7) {
    case 0:
        return gb_acquire(&r->C->m, GB_CSR, &view);
    case 1:
        return gb_acquire(&r->C->m, GB_CSC, &view);
    case 2:
        return gb_acquire_tiles(&r->C->m, GB_CSC, &tiles);
    case 3:
        return gb_acquire_tiles(&r->C->m, GB_CSR, &tiles);
    case 4:
        return gbl_Matrix_reduce_INT64(&x, NULL, GBL_PLUS_MONOID_INT64, r->C, NULL);
    case 5:
        return gbl_Matrix_wait(r->C, GBL_MATERIALIZE);
    default:
        info = gbl_Matrix_dup(&E, r->C);
        return info == GBL_SUCCESS ? gbl_Matrix_free(&E) : info;
    }
}

static void *read_tiles(void *argument) {
    reader *r = argument;
    pthread_barrier_wait(r->start);
    gbl_Info info = read_once(r);
    if (info == GBL_SUCCESS)
        info = gbl_mxm(r->D, NULL, NULL, PLUS, r->C, r->C, r->way % 2 ? GBL_DESC_T0T1 : NULL);
    return info == GBL_SUCCESS ? NULL : r;
}

GB_TEST(tiles_uses, several_readers) {
    enum { READERS = 7, ROUNDS = 30 };
    o_Matrix square[2];
    pthread_barrier_t start;
    cr_assert(pthread_barrier_init(&start, NULL, READERS) == 0);
    for (unsigned k = 0; k < 2; k++) {
        gbl_Matrix C = product(GBL_METHOD_ROWWISE), D = NULL;
        OK(gbl_Matrix_new(&D, GBL_INT64, SIDE, SIDE));
        OK(gbl_mxm(D, NULL, NULL, PLUS, C, C, k ? GBL_DESC_T0T1 : NULL));
        square[k] = t_dense(D);
        FREE(C, D);
    }
    for (unsigned round = 0; round < ROUNDS; round++) {
        gbl_Matrix C = product(GBL_METHOD_TILED);
        pthread_t threads[READERS];
        reader readers[READERS];
        t_case("round %u", round);
        for (unsigned t = 0; t < READERS; t++) {
            readers[t] = (reader){C, NULL, &start, t + round / 3};
            OK(gbl_Matrix_new(&readers[t].D, GBL_INT64, SIDE, SIDE));
        }
        for (unsigned t = 0; t < READERS; t++)
            cr_assert(pthread_create(&threads[t], NULL, read_tiles, &readers[t]) == 0);
        for (unsigned t = 0; t < READERS; t++) {
            void *failed = NULL;
            cr_assert(pthread_join(threads[t], &failed) == 0);
            CHECK(failed == NULL);
        }
        for (unsigned t = 0; t < READERS; t++) {
            t_expect("D", &square[readers[t].way % 2], readers[t].D, 0);
            OK(gbl_Matrix_free(&readers[t].D));
        }
        OK(gb_matrix_check(&C->m));
        OK(gbl_Matrix_free(&C));
    }
    for (unsigned k = 0; k < 2; k++) o_free(&square[k]);
    cr_assert(pthread_barrier_destroy(&start) == 0);
}
