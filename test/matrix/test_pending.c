/* SPDX-License-Identifier: Apache-2.0
 *
 * setElement and removeElement: what is assembled, in which format, and what a failure leaves.
 * (Random updates against the oracle are also in test_matrix.c and test_vector.c.)
 */
#include "support/gb_test.h"

#include "kernel_api/backend.h"
#include "matrix/check.h"
#include "matrix/matrix.h"
#include "matrix/updates.h"

#include <stdlib.h>
#include <string.h>

typedef struct {
    gbl_Matrix g;
    o_Matrix d;
} Pair;

static Pair make_pair(t_Random *r, o_Type type, gbl_Index n, gbl_Index m, double density,
                      bool iso) {
    Pair p = {NULL, t_generate(r, &(t_Content){type, n, m, T_RANDOM, density, false, iso})};
    p.g = t_matrix(&p.d);
    return p;
}

static void free_pair(Pair *p) {
    OK(gbl_Matrix_free(&p->g));
    o_free(&p->d);
}

static void update(Pair *p, t_Random *r, uint64_t count, double removals) {
    for (uint64_t k = 0; k < count; k++) {
        const gbl_Index i = t_below(r, p->d.nrows), j = t_below(r, p->d.ncols);
        o_Cell *cell = &p->d.x[i * p->d.ncols + j];
        if (t_chance(r, removals)) {
            cell->has = false;
            OK(gbl_Matrix_removeElement(p->g, i, j));
        } else {
            *cell = (o_Cell){true, t_value(r, p->d.type)};
            OK(t_set_matrix(p->g, p->d.type, &cell->v, i, j));
        }
    }
}

static gbl_Formats formats_of(gbl_Matrix A) {
    gbl_Formats formats;
    OK(gbl_Matrix_formats(&formats, A));
    return formats;
}

/* Leaves only one format. */
static void keep_format(gbl_Matrix A, gb_Format format) {
    gb_CsView view;
    OK(gb_acquire(&A->m, format, &view));
    gb_matrix_keep_only(&A->m, gb_has_bit(format));
}

/* Old content and updates of any number, on any number of threads, in either format. */
GB_TEST(pending, merge) {
    static const uint64_t updates[] = {1, 10, 3000, 60000};
    static const double densities[] = {0, 0.01, 0.6};
    uint64_t seed = 0;
    for (size_t u = 0; u < T_COUNT(updates); u++) {
        for (size_t d = 0; d < T_COUNT(densities); d++) {
            for (int variant = 0; variant < 12; variant++, seed++) {
                t_Random r = t_random(seed);
                const gb_Format format = variant % 2 ? GB_CSC : GB_CSR;
                const double removals = (variant / 2) % 3 * 0.45;
                t_case("seed %llu: %llu updates, density %g, format %d, removals %g",
                       (unsigned long long)seed, (unsigned long long)updates[u], densities[d],
                       (int)format, removals);
                OK(gbl_Global_set_INT32(GBL_GLOBAL, 1 + variant % 4, GBL_NTHREADS));
                Pair p =
                    make_pair(&r, o_type(t_types[seed % T_COUNT(t_types)]), 1 + t_below(&r, 300),
                              1 + t_below(&r, 300), densities[d], variant >= 10);
                keep_format(p.g, format);
                const gbl_Formats before = formats_of(p.g);
                update(&p, &r, updates[u], removals);
                CHECK(formats_of(p.g).pending <=
                      updates[u]); /* fewer where values changed in place */
                OK(gb_matrix_check(&p.g->m));
                OK(gbl_Matrix_wait(p.g, GBL_COMPLETE));
                OK(gb_matrix_check(&p.g->m));
                const gbl_Formats after = formats_of(p.g);
                CHECK_EQ(after.conversions, before.conversions);
                CHECK_EQ(after.pending, 0);
                CHECK(after.present == gb_has_bit(format) || after.present == 0);
                t_expect("A", &p.d, p.g, 0);
                free_pair(&p);
            }
        }
    }
}

/* Changes an entry that exists, and looks at what is left. */
static void expect_in_place(gbl_Matrix A, unsigned present, double x, gbl_Index i, gbl_Index j) {
    double found = 0.0;
    gbl_Index before = 0, after = 0;
    OK(gbl_Matrix_nvals(&before, A));
    OK(gbl_Matrix_setElement_FP64(A, x, i, j));
    const gbl_Formats formats = formats_of(A);
    CHECK_EQ(formats.pending, 0);
    CHECK_EQ(formats.present, present);
    OK(gbl_Matrix_extractElement_FP64(&found, A, i, j));
    CHECK(found == x);
    OK(gbl_Matrix_nvals(&after, A));
    CHECK_EQ(before, after);
    OK(gb_matrix_check(&A->m));
}

/* Values of entries that exist change where they stand; all else goes to the list. */
GB_TEST(pending, values_in_place) {
    gbl_Matrix A = NULL;
    gb_CsView view;
    double x = 0.0;
    OK(gbl_Matrix_new(&A, GBL_FP64, 8, 9));
    for (gbl_Index k = 0; k < 8; k++) OK(gbl_Matrix_setElement_FP64(A, 1.0 + (double)k, k, 8 - k));
    OK(gbl_Matrix_wait(A, GBL_MATERIALIZE));
    expect_in_place(A, GBL_HAS_CSR, 20.0, 3, 5);
    OK(gb_acquire(&A->m, GB_CSC, &view));
    expect_in_place(A, GBL_HAS_CSR, 21.0, 3, 5); /* columns would be stale */
    keep_format(A, GB_CSC);
    expect_in_place(A, GBL_HAS_CSC, 22.0, 3, 5);
    OK(gbl_Matrix_removeElement(A, 0, 8));
    CHECK_EQ(formats_of(A).pending, 1);
    OK(gbl_Matrix_setElement_FP64(A, 23.0, 3, 5)); /* in the order of the calls */
    OK(gbl_Matrix_setElement_FP64(A, 24.0, 0, 0));
    CHECK_EQ(formats_of(A).pending, 3);
    CHECK_EQ(gbl_Matrix_extractElement_FP64(&x, A, 0, 8), GBL_NO_VALUE);
    OK(gbl_Matrix_extractElement_FP64(&x, A, 3, 5));
    CHECK(x == 23.0);
    OK(gbl_Matrix_extractElement_FP64(&x, A, 0, 0));
    CHECK(x == 24.0);
    OK(gbl_Matrix_free(&A));
}

/* One value for all: the same one changes nothing, another one makes a value for each. */
GB_TEST(pending, iso_values_in_place) {
    const gbl_Index at[] = {1, 4, 6};
    gbl_Matrix A = NULL;
    gbl_Scalar s = NULL;
    double x = 0.0;
    OK(gbl_Scalar_new(&s, GBL_FP64));
    OK(gbl_Scalar_setElement_FP64(s, 2.5));
    OK(gbl_Matrix_new(&A, GBL_FP64, 7, 7));
    OK(gbl_Matrix_build_Scalar(A, at, at, s, 3));
    CHECK(formats_of(A).iso);
    expect_in_place(A, GBL_HAS_CSR, 2.5, 4, 4);
    CHECK(formats_of(A).iso);
    OK(gbl_Matrix_setElement_FP64(A, 3.5, 4, 4));
    CHECK_EQ(formats_of(A).pending, 1);
    OK(gbl_Matrix_extractElement_FP64(&x, A, 4, 4));
    CHECK(x == 3.5);
    OK(gbl_Matrix_extractElement_FP64(&x, A, 6, 6));
    CHECK(x == 2.5);
    OK(gbl_Scalar_free(&s));
    OK(gbl_Matrix_free(&A));
}

/* of two formats the rows stay */
GB_TEST(pending, drops_the_other_format) {
    t_Random r = t_random(7);
    Pair p = make_pair(&r, o_type(GBL_FP32_CODE), 20, 30, 0.3, false);
    gb_CsView view;
    OK(gb_acquire(&p.g->m, GB_CSC, &view));
    OK(gb_acquire(&p.g->m, GB_CSR, &view));
    update(&p, &r, 5, 0);
    OK(gbl_Matrix_wait(p.g, GBL_COMPLETE));
    CHECK_EQ(formats_of(p.g).present, GBL_HAS_CSR);
    t_expect("A", &p.d, p.g, 0);
    free_pair(&p);
}

/* rows that are not sorted are sorted on the way */
GB_TEST(pending, unsorted_rows) {
    gbl_Arrays a = {malloc(4 * sizeof(uint64_t)), malloc(6 * sizeof(uint32_t)),
                    malloc(6 * sizeof(int64_t)), false};
    memcpy(a.p, (uint64_t[]){0, 3, 3, 6}, 4 * sizeof(uint64_t));
    memcpy(a.i, (uint32_t[]){4, 0, 2, 3, 1, 0}, 6 * sizeof(uint32_t));
    memcpy(a.x, (int64_t[]){14, 10, 12, 33, 31, 30}, 6 * sizeof(int64_t));
    gbl_Matrix A = NULL;
    OK(gbl_Matrix_moveIn(&A, GBL_INT64, 3, 5, GBL_CSR_FORMAT, &a));
    CHECK(!formats_of(A).sorted);
    OK(gbl_Matrix_setElement_INT64(A, 99, 0, 2));
    OK(gbl_Matrix_setElement_INT64(A, 77, 1, 4));
    OK(gbl_Matrix_removeElement(A, 2, 1));
    OK(gb_matrix_check(&A->m));
    gbl_Index I[6], J[6], n = 6;
    int64_t X[6];
    OK(gbl_Matrix_extractTuples_INT64(I, J, X, &n, A));
    OK(gb_matrix_check(&A->m));
    CHECK_EQ(n, 6);
    CHECK(memcmp(J, (gbl_Index[]){0, 2, 4, 4, 0, 3}, sizeof J) == 0);
    CHECK(memcmp(X, (int64_t[]){10, 99, 14, 77, 30, 33}, sizeof X) == 0);
    OK(gbl_Matrix_free(&A));
}

/* new values of old entries change nothing else: the arrays stay */
GB_TEST(pending, only_values) {
    for (int format = 0; format < 2; format++) {
        t_Random r = t_random(8 + (uint64_t)format);
        Pair p = make_pair(&r, o_type(GBL_INT64_CODE), 25, 30, 0.4, false);
        keep_format(p.g, (gb_Format)format);
        const gb_Idx *indices = p.g->m.cs[format].i;
        for (gbl_Index k = 0; k < 750; k++) {
            if (!p.d.x[k].has || t_chance(&r, 0.5)) continue;
            p.d.x[k].v.i64 = (int64_t)t_below(&r, 1000) - 3000;
            OK(gbl_Matrix_setElement_INT64(p.g, p.d.x[k].v.i64, k / 30, k % 30));
        }
        OK(gbl_Matrix_wait(p.g, GBL_COMPLETE));
        OK(gb_matrix_check(&p.g->m));
        CHECK(p.g->m.cs[format].i == indices);
        t_expect("A", &p.d, p.g, 0);
        free_pair(&p);
    }
}

/* one value for all stays so while the updates have that value */
GB_TEST(pending, iso) {
    const gbl_Index I[] = {0, 1, 2}, J[] = {2, 0, 1};
    gbl_Scalar s = NULL;
    gbl_Matrix A = NULL;
    OK(gbl_Scalar_new(&s, GBL_INT16));
    OK(gbl_Scalar_setElement_INT16(s, 6));
    OK(gbl_Matrix_new(&A, GBL_INT16, 3, 3));
    OK(gbl_Matrix_build_Scalar(A, I, J, s, 3));
    OK(gbl_Matrix_setElement_INT16(A, 6, 2, 2));
    OK(gbl_Matrix_removeElement(A, 1, 0));
    OK(gbl_Matrix_wait(A, GBL_COMPLETE));
    OK(gb_matrix_check(&A->m));
    CHECK(formats_of(A).iso);
    OK(gbl_Matrix_setElement_INT16(A, 8, 2, 2));
    OK(gbl_Matrix_wait(A, GBL_COMPLETE));
    OK(gb_matrix_check(&A->m));
    CHECK(!formats_of(A).iso);
    gbl_Index i[3], j[3], n = 3;
    int16_t x[3];
    OK(gbl_Matrix_extractTuples_INT16(i, j, x, &n, A));
    CHECK(n == 3 && x[0] == 6 && x[1] == 6 && x[2] == 8 && j[2] == 2);
    for (int k = 0; k < 3; k++) OK(gbl_Matrix_removeElement(A, i[k], j[k]));
    OK(gbl_Matrix_wait(A, GBL_COMPLETE));
    CHECK_EQ(formats_of(A).present, 0);
    CHECK(!formats_of(A).iso);
    OK(gb_matrix_check(&A->m));
    OK(gbl_Matrix_free(&A));
    OK(gbl_Scalar_free(&s));
}

/* ------------------------------------------------------------------------------------- dense -- */

static gbl_Formats vector_formats(gbl_Vector v) {
    gbl_Formats formats;
    OK(gbl_Vector_formats(&formats, v));
    return formats;
}

/* A vector that exists only as a bitmap or full array is written in place where that is possible,
 * and never becomes a list. */
static void dense_updates(uint64_t seed, double density, bool iso) {
    t_Random r = t_random(seed);
    t_case("seed %llu density %g iso %d", (unsigned long long)seed, density, iso);
    const o_Type type = o_type(t_types[seed % T_COUNT(t_types)]);
    o_Matrix d =
        t_generate(&r, &(t_Content){type, 2 + t_below(&r, 50), 1, T_RANDOM, density, false, iso});
    d.x[0] = (o_Cell){true, t_value(&r, type)};
    gbl_Vector v = t_vector(&d);
    gb_DenseView view;
    OK(gb_acquire_dense(&v->m, &view));
    gb_matrix_keep_only(&v->m, GBL_HAS_BITMAP | GBL_HAS_FULL);
    for (int step = 0; step < 200; step++) {
        const gbl_Index i = t_below(&r, d.nrows);
        const uint64_t what = t_below(&r, 12);
        if (what < 6) {
            d.x[i] = (o_Cell){true, t_value(&r, type)};
            OK(t_set_vector(v, type, &d.x[i].v, i));
        } else if (what < 10) {
            d.x[i].has = false;
            OK(gbl_Vector_removeElement(v, i));
        } else if (what == 10) {
            o_Value x;
            CHECK_EQ(t_get_vector(&x, type, v, i), d.x[i].has ? GBL_SUCCESS : GBL_NO_VALUE);
        } else {
            OK(gbl_Vector_wait(v, GBL_MATERIALIZE));
        }
        OK(gb_matrix_check(&v->m));
        CHECK(vector_formats(v).present == GBL_HAS_BITMAP ||
              vector_formats(v).present == GBL_HAS_FULL);
    }
    t_expect_vector("v", &d, v, 0);
    OK(gbl_Vector_free(&v));
    o_free(&d);
}

GB_TEST(pending, dense_vectors) {
    for (uint64_t seed = 0; seed < 88; seed++)
        dense_updates(seed, seed % 4 == 0 ? 1.0 : 0.4, seed % 3 == 0);
}

GB_TEST(pending, in_place) {
    gbl_Vector v = NULL;
    OK(gbl_Vector_new(&v, GBL_INT32, 100));
    OK(gbl_Vector_setElement_INT32(v, 4, 50));
    gb_DenseView view;
    OK(gb_acquire_dense(&v->m, &view));
    gb_matrix_keep_only(&v->m, GBL_HAS_BITMAP);
    for (gbl_Index k = 0; k < 100; k++) {
        OK(gbl_Vector_setElement_INT32(v, (int32_t)k, k));
        CHECK_EQ(vector_formats(v).pending, 0);
    }
    CHECK_EQ(vector_formats(v).present, GBL_HAS_FULL); /* a bitmap of ones says nothing */
    OK(gbl_Vector_setElement_INT32(v, -1, 3));
    CHECK_EQ(vector_formats(v).pending, 0);
    OK(gbl_Vector_removeElement(v, 3)); /* a full array has no room for that */
    CHECK_EQ(vector_formats(v).pending, 1);
    gbl_Index n = 0;
    OK(gbl_Vector_nvals(&n, v));
    CHECK_EQ(n, 99); /* counted with the update, wherever it is */
    OK(gbl_Vector_wait(v, GBL_MATERIALIZE));
    CHECK_EQ(vector_formats(v).pending, 0);
    CHECK_EQ(vector_formats(v).present, GBL_HAS_BITMAP);
    OK(gb_matrix_check(&v->m));
    OK(gbl_Vector_free(&v));
}

/* ---------------------------------------------------------------------------------- failures -- */

/* The n-th allocation fails, for every n: each call either does all it should or nothing. */
static void update_brutally(int64_t n, bool vector) {
    t_Random r = t_random(3);
    const o_Type type = o_type(GBL_INT32_CODE);
    o_Matrix d =
        t_generate(&r, &(t_Content){type, 40, vector ? 1 : 20, T_RANDOM, 0.5, false, true});
    gbl_Matrix g = vector ? (gbl_Matrix)(void *)t_vector(&d) : t_matrix(&d);
    gb_DenseView view;
    if (vector) {
        OK(gb_acquire_dense(&g->m, &view));
        gb_matrix_keep_only(&g->m, GBL_HAS_BITMAP | GBL_HAS_FULL);
    }
    t_fail_at(n);
    for (int step = 0; step < 400; step++) {
        const gbl_Index i = t_below(&r, 40), j = vector ? 0 : t_below(&r, 20);
        o_Cell *cell = &d.x[i * d.ncols + j];
        const bool removes = t_chance(&r, 0.3);
        const o_Value x = t_value(&r, type);
        gbl_Info info = gb_update(&g->m, i, j, removes ? NULL : &x);
        CHECK(info == GBL_SUCCESS || info == GBL_OUT_OF_MEMORY);
        if (info == GBL_SUCCESS) *cell = (o_Cell){!removes, x};
        if (step % 150 == 149) {
            info = gb_assemble(&g->m);
            CHECK(info == GBL_SUCCESS || info == GBL_OUT_OF_MEMORY);
        }
        OK(gb_matrix_check(&g->m));
    }
    t_fail_at(0);
    if (vector) {
        gbl_Vector v = (gbl_Vector)(void *)g;
        t_expect_vector("v", &d, v, 0);
        OK(gbl_Vector_free(&v));
    } else {
        t_expect("A", &d, g, 0);
        OK(gbl_Matrix_free(&g));
    }
    o_free(&d);
}

Test(pending, no_memory) {
    OK(gbl_init_with_allocator(GBL_NONBLOCKING, t_malloc, t_realloc, t_free));
    OK(gbl_Global_set_INT32(GBL_GLOBAL, 1, GBL_NTHREADS));
    for (int vector = 0; vector < 2; vector++) {
        for (int64_t n = 1; n == 1 || t_failed(); n++) {
            t_case("allocation %lld, vector %d", (long long)n, vector);
            update_brutally(n, vector);
            CHECK_EQ(t_blocks(), 0);
        }
    }
    OK(gbl_finalize());
    CHECK_EQ(t_live(), 0);
}
