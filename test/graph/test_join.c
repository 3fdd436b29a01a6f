/* SPDX-License-Identifier: Apache-2.0
 *
 * gbl_Vector_join against trees joined one edge after the other: forests of every form and type,
 * masks, parts of rows, few edges of many vertices, transposes, threads; wrong arguments, and what
 * is left as it was.
 */
#include "support/gb_test.h"

#include <stdlib.h>
#include <string.h>

/* -- the oracle: parents, the lower root stays; roots are their own */

typedef struct {
    gbl_Index n, *parent;
    bool *has; /* entries */
} forest;

static forest forest_new(gbl_Index n) {
    forest f = {n, malloc((n + 1) * sizeof *f.parent), calloc(n + 1, 1)};
    for (gbl_Index k = 0; k < n; k++) f.parent[k] = k;
    return f;
}

static void forest_free(forest *f) {
    free(f->parent);
    free(f->has);
}

/* Chains lead down, or to places before in a random order. */
static forest forest_random(t_Random *r, gbl_Index n, double density, bool down) {
    forest f = forest_new(n);
    gbl_Index *order = malloc((n + 1) * sizeof *order);
    for (gbl_Index k = 0; k < n; k++) order[k] = k;
    for (gbl_Index k = 0; k < n && !down; k++) {
        const gbl_Index other = t_below(r, n), kept = order[k];
        order[k] = order[other];
        order[other] = kept;
    }
    for (gbl_Index k = 0; k < n; k++) {
        if (!t_chance(r, density)) continue;
        f.has[order[k]] = true;
        f.parent[order[k]] = order[k - t_below(r, k < 3 ? k + 1 : 3)];
    }
    free(order);
    return f;
}

static gbl_Index root_of(const forest *f, gbl_Index k) {
    while (f->parent[k] != k) k = f->parent[k];
    return k;
}

static void join_edge(forest *f, gbl_Index i, gbl_Index j) {
    const gbl_Index a = root_of(f, i), b = root_of(f, j);
    f->parent[a < b ? b : a] = a < b ? a : b;
    f->has[i] = f->has[j] = true;
}

typedef struct {
    gbl_Index first, count;
    bool masked, structural, complement, transpose;
} part;

static bool allows(const part *of, const int *mask, gbl_Index row) {
    if (!of->masked) return !of->complement;
    return (of->structural ? mask[row] >= 0 : mask[row] > 0) != of->complement;
}

/* mask[i]: -1 where it has no entry, else its value. */
static void join_all(forest *f, gbl_Matrix A, const int *mask, const part *of) {
    gbl_Index nvals, *I, *J;
    gbl_Matrix B = A;
    if (of->transpose) {
        OK(gbl_Matrix_new(&B, GBL_FP64, f->n, f->n));
        OK(gbl_transpose(B, NULL, NULL, A, NULL));
    }
    OK(gbl_Matrix_nvals(&nvals, B));
    I = malloc((nvals + 1) * sizeof *I);
    J = malloc((nvals + 1) * sizeof *J);
    OK(gbl_Matrix_extractTuples_FP64(I, J, NULL, &nvals, B));
    for (gbl_Index e = 0, begin = 0; e < nvals; e++) {
        if (I[e] != I[begin]) begin = e;
        if (e - begin >= of->first && e - begin - of->first < of->count && allows(of, mask, I[e]))
            join_edge(f, I[e], J[e]);
    }
    free(I);
    free(J);
    if (of->transpose) OK(gbl_Matrix_free(&B));
}

/* -- the library's objects */

static gbl_Vector vector_of(const forest *f, gbl_Type type) {
    gbl_Vector w = t_new_vector(type, f->n);
    for (gbl_Index k = 0; k < f->n; k++)
        if (f->has[k]) OK(gbl_Vector_setElement_UINT64(w, f->parent[k], k));
    return w;
}

static gbl_Matrix random_matrix(t_Random *r, gbl_Index n, gbl_Index edges) {
    gbl_Matrix A = t_new_matrix(GBL_FP64, n, n);
    if (n == 17) /* all cells */
        OK(gbl_Matrix_assign_FP64(A, NULL, NULL, 2, GBL_ALL, n, GBL_ALL, n, NULL));
    for (gbl_Index e = 0; e < edges && n > 0; e++)
        OK(gbl_Matrix_setElement_FP64(A, (double)t_below(r, 3), t_below(r, n), t_below(r, n)));
    return A;
}

/* Where the values of a mask are few it is a list. */
static gbl_Vector random_mask(t_Random *r, gbl_Index n, double density, int *value) {
    gbl_Vector m = t_new_vector(GBL_INT32, n);
    for (gbl_Index k = 0; k < n; k++) {
        value[k] = t_chance(r, density) ? (int)t_below(r, 2) : -1;
        if (value[k] >= 0) OK(gbl_Vector_setElement_INT32(m, value[k], k));
    }
    return m;
}

static void expect(const forest *f, gbl_Vector w) {
    for (gbl_Index k = 0; k < f->n; k++) {
        uint64_t x = 0;
        const gbl_Info info = gbl_Vector_extractElement_UINT64(&x, w, k);
        CHECK(info == (f->has[k] ? GBL_SUCCESS : GBL_NO_VALUE));
        if (f->has[k]) CHECK_EQ(x, root_of(f, k));
    }
}

static gbl_Descriptor descriptor_of(const part *of) {
    gbl_Descriptor desc = NULL;
    OK(gbl_Descriptor_new(&desc));
    const int32_t mask = (of->structural ? GBL_STRUCTURE : 0) | (of->complement ? GBL_COMP : 0);
    if (mask != 0) OK(gbl_Descriptor_set_INT32(desc, mask, GBL_MASK));
    if (of->transpose) OK(gbl_Descriptor_set_INT32(desc, GBL_TRAN, GBL_INP0));
    return desc;
}

static void run(uint64_t seed, gbl_Index n, gbl_Type type) {
    static const gbl_Index counts[] = {1, 2, GBL_INDEX_MAX, 0, 7};
    static const double densities[] = {1, 0.6, 0};
    t_Random r = t_random(seed);
    const part of = {.first = seed % 2 ? 0 : t_below(&r, 4),
                     .count = counts[seed / 2 % 5],
                     .masked = seed % 3 > 0,
                     .structural = seed / 3 % 2,
                     .complement = seed / 6 % 4 == 1,
                     .transpose = seed / 5 % 3 == 1};
    t_case("seed %llu, %llu vertices", (unsigned long long)seed, (unsigned long long)n);
    forest f = forest_random(&r, n, densities[seed / 4 % 3], seed % 2);
    int *value = malloc((n + 1) * sizeof *value);
    gbl_Vector w = vector_of(&f, type), m = random_mask(&r, n, seed % 7 ? 0.5 : 0.01, value);
    gbl_Matrix A = random_matrix(&r, n, seed % 4 == 3 ? n / 500 : n * (seed % 4));
    gbl_Descriptor desc = descriptor_of(&of);
    join_all(&f, A, value, &of);
    OK(gbl_Vector_join(w, of.masked ? m : NULL, A, of.first, of.count, desc));
    expect(&f, w);
    join_all(&f, A, value, &of); /* nothing is left to join */
    OK(gbl_Vector_join(w, of.masked ? m : NULL, A, of.first, of.count, desc));
    expect(&f, w);
    gbl_Descriptor_free(&desc);
    gbl_Matrix_free(&A);
    gbl_Vector_free(&w);
    gbl_Vector_free(&m);
    forest_free(&f);
    free(value);
}

GB_TEST(join, forests_and_masks) {
    const gbl_Type types[] = {GBL_UINT32, GBL_INT64, GBL_UINT64, GBL_INT32, GBL_UINT16, GBL_INT16};
    static const gbl_Index sizes[] = {30, 3000, 1, 17, 90, 0, 2};
    for (uint64_t seed = 0; seed < 420; seed++) {
        if (t_left_out()) continue;
        run(seed, sizes[seed / 3 % 7], types[seed % 6]);
    }
}

/* Under masks, then all rows. */
GB_TEST(join, any_number_of_threads) {
    static const uint64_t seeds[] = {5, 10, 18, 21, 42, 45};
    for (int32_t threads = 1; threads < 5; threads++) {
        OK(gbl_Global_set_INT32(GBL_GLOBAL, threads, GBL_NTHREADS));
        for (size_t k = 0; k < T_COUNT(seeds); k++) run(seeds[k], 20000, GBL_UINT32);
    }
}

/* One value for all, and w as its own mask, which hides row 0. */
GB_TEST(join, a_star) {
    enum { N = 12 };
    uint32_t x;
    gbl_Vector w = t_new_vector(GBL_UINT32, N);
    gbl_Matrix A = t_new_matrix(GBL_BOOL, N, N);
    OK(gbl_Vector_assign_UINT32(w, NULL, NULL, 3, GBL_ALL, N, NULL));
    OK(gbl_Matrix_setElement_BOOL(A, true, 3, 11));
    OK(gbl_Vector_join(w, w, A, 0, N, NULL));
    for (gbl_Index k = 0; k < N; k++) {
        OK(gbl_Vector_extractElement_UINT32(&x, w, k));
        CHECK_EQ(x, 3);
    }
    OK(gbl_Vector_setElement_UINT32(w, 0, 0)); /* 0 is false: its row is not looked at */
    OK(gbl_Matrix_setElement_BOOL(A, true, 0, 11));
    OK(gbl_Vector_join(w, w, A, 0, N, NULL));
    OK(gbl_Vector_extractElement_UINT32(&x, w, 11));
    CHECK_EQ(x, 3);
    OK(gbl_Vector_join(w, w, A, 0, N, GBL_DESC_S));
    OK(gbl_Vector_extractElement_UINT32(&x, w, 11));
    CHECK_EQ(x, 0);
    FREE(w, A);
}

/* Of rows that are asked for ahead, from their last entries and from beyond them. */
GB_TEST(join, the_end_of_rows) {
    enum { N = 40 };
    static const gbl_Index first[] = {N, GBL_INDEX_MAX, UINT64_MAX, N - 1};
    gbl_Vector w = t_new_vector(GBL_UINT8, N);
    gbl_Matrix A = t_new_matrix(GBL_BOOL, N, N);
    for (gbl_Index k = 0; k < N; k++) OK(gbl_Vector_setElement_UINT8(w, (uint8_t)k, k));
    OK(gbl_Matrix_assign_BOOL(A, NULL, NULL, true, GBL_ALL, N, GBL_ALL, N, NULL));
    for (size_t k = 0; k < T_COUNT(first); k++) {
        OK(gbl_Vector_join(w, NULL, A, first[k], UINT64_MAX, NULL));
        for (gbl_Index i = 0; i < N; i++) {
            uint64_t x = 0;
            OK(gbl_Vector_extractElement_UINT64(&x, w, i));
            CHECK_EQ(x, first[k] < N ? 0 : i);
        }
    }
    FREE(w, A);
}

/* Types that hold the last index, and those that do not. */
GB_TEST(join, types_that_are_too_small) {
    const struct {
        gbl_Type type;
        gbl_Index most;
    } limits[] = {{GBL_INT8, 1U << 7}, {GBL_UINT8, 1U << 8}, {GBL_INT16, 1U << 15}};
    for (size_t k = 0; k < T_COUNT(limits); k++)
        for (gbl_Index n = limits[k].most; n <= limits[k].most + 1; n++) {
            uint64_t x = 0;
            gbl_Vector w = t_new_vector(limits[k].type, n);
            gbl_Matrix A = t_new_matrix(GBL_BOOL, n, n);
            OK(gbl_Matrix_setElement_BOOL(A, true, n - 1, n - 1));
            const gbl_Info info = gbl_Vector_join(w, NULL, A, 0, 1, NULL);
            CHECK(info == (n > limits[k].most ? GBL_DOMAIN_MISMATCH : GBL_SUCCESS));
            const gbl_Info there = gbl_Vector_extractElement_UINT64(&x, w, n - 1);
            CHECK(there == (n > limits[k].most ? GBL_NO_VALUE : GBL_SUCCESS));
            if (there == GBL_SUCCESS) CHECK_EQ(x, n - 1);
            FREE(w, A);
        }
}

static void expect_refused(gbl_Vector w, gbl_Matrix A, gbl_Info info, const char *word) {
    FAILS(info, gbl_Vector_join(w, NULL, A, 0, 9, NULL));
    CHECK(strstr(gbl_last_error(), word) != NULL);
}

GB_TEST(join, errors) {
    enum { N = 20000 };
    gbl_Vector w = t_new_vector(GBL_UINT32, N), f = t_new_vector(GBL_FP32, N);
    gbl_Vector m = t_new_vector(GBL_BOOL, N - 1);
    gbl_Matrix A = t_new_matrix(GBL_BOOL, N, N), wide = t_new_matrix(GBL_BOOL, N, N + 1);
    OK(gbl_Matrix_setElement_BOOL(A, true, 4, 3));
    for (gbl_Index k = 0; k < N; k++) OK(gbl_Vector_setElement_UINT32(w, (uint32_t)k, k));
    FAILS(GBL_NULL_POINTER, gbl_Vector_join(NULL, NULL, A, 0, 1, NULL));
    FAILS(GBL_NULL_POINTER, gbl_Vector_join(w, NULL, NULL, 0, 1, NULL));
    FAILS(GBL_DIMENSION_MISMATCH, gbl_Vector_join(w, m, A, 0, 1, NULL));
    expect_refused(f, A, GBL_DOMAIN_MISMATCH, "integer");
    expect_refused(w, wide, GBL_DIMENSION_MISMATCH, "20001");
    for (int32_t threads = 1; threads < 4; threads++) {
        OK(gbl_Global_set_INT32(GBL_GLOBAL, threads, GBL_NTHREADS));
        OK(gbl_Vector_setElement_UINT32(w, N, N - 5));
        OK(gbl_Vector_setElement_UINT32(w, N + 7, 12));
        expect_refused(w, A, GBL_INDEX_OUT_OF_BOUNDS, "w(12) is 20007");
        OK(gbl_Vector_setElement_UINT32(w, N - 6, N - 5));
        OK(gbl_Vector_setElement_UINT32(w, 19, 12));
        OK(gbl_Vector_setElement_UINT32(w, 12, 19));
        expect_refused(w, A, GBL_INVALID_VALUE, "goes round");
    }
    uint32_t x = 0;
    OK(gbl_Vector_extractElement_UINT32(&x, w, 4)); /* as it was */
    CHECK_EQ(x, 4);
    FREE(w, f, m, A, wide);
}

/* Ends of chains in a type that does not hold them: casts, as those of ROWINDEX. */
GB_TEST(join, roots_in_a_narrow_type) {
    int64_t x;
    gbl_Vector u = t_new_vector(GBL_INT64, 300), w = t_new_vector(GBL_UINT8, 300);
    OK(gbl_Vector_setElement_INT64(u, 290, 299));
    OK(gbl_Vector_roots(w, NULL, NULL, u, NULL));
    OK(gbl_Vector_extractElement_INT64(&x, w, 299));
    CHECK_EQ(x, 290 - 256);
    FREE(u, w);
}
