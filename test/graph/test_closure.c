/* SPDX-License-Identifier: Apache-2.0
 *
 * gbl_vxm_closure against rounds over all edges until nothing changes: the types that have a kernel
 * and others, semirings, widths, threads, transposes, one value for all, weights below 0 and
 * infinite ones; sums that do not fit, circles without an end, wrong arguments, and what is left as
 * it was.
 */
#include "support/gb_test.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* -- the oracle */

typedef double (*operation)(double x, double y);

static double plus(double x, double y) {
    return x + y;
}
static double plus_rounded(double x, double y) {
    return (float)(x + y);
}
static double least(double x, double y) {
    return x < y ? x : y;
}
static double greatest(double x, double y) {
    return x > y ? x : y;
}

typedef struct {
    const char *name;
    gbl_Type type;
    gbl_Semiring ring;
    operation add, multiply;
    double scale; /* of values; of integers 1 */
} algebra;

/* Semirings are no constants. */
static algebra algebra_of(unsigned k) {
    const algebra all[] = {
        {"min plus INT32", GBL_INT32, GBL_MIN_PLUS_SEMIRING_INT32, least, plus, 1},
        {"min plus INT64", GBL_INT64, GBL_MIN_PLUS_SEMIRING_INT64, least, plus, 1},
        {"min plus FP32", GBL_FP32, GBL_MIN_PLUS_SEMIRING_FP32, least, plus_rounded, 0.1},
        {"min plus FP64", GBL_FP64, GBL_MIN_PLUS_SEMIRING_FP64, least, plus, 0.1},
        {"min plus INT16", GBL_INT16, GBL_MIN_PLUS_SEMIRING_INT16, least, plus, 1},
        {"min plus of FP64 in FP32", GBL_FP32, GBL_MIN_PLUS_SEMIRING_FP64, least, plus, 1},
        {"min max FP64", GBL_FP64, GBL_MIN_MAX_SEMIRING_FP64, least, greatest, 0.1},
        {"max min INT32", GBL_INT32, GBL_MAX_MIN_SEMIRING_INT32, greatest, least, 1},
    };
    return all[k % T_COUNT(all)];
}
enum { ALGEBRAS = 8, KERNELS = 4 };

typedef struct {
    gbl_Index from, to;
    double weight;
} edge;

typedef struct {
    gbl_Index n, edges;
    edge *e;
    double *w;
    bool *has;
} graph;

static graph graph_new(gbl_Index n, gbl_Index edges) {
    return (graph){n, edges, calloc(edges + 1, sizeof(edge)), calloc(n + 1, sizeof(double)),
                   calloc(n + 1, 1)};
}

static void graph_free(graph *g) {
    free(g->e);
    free(g->w);
    free(g->has);
}

static int by_place(const void *a, const void *b) {
    const edge *x = a, *y = b;
    if (x->from != y->from) return x->from < y->from ? -1 : 1;
    return x->to < y->to ? -1 : x->to > y->to;
}

/* Weights low .. 20 times the scale, in the type; no edge twice. Edges lead to near vertices, up to
 * 3 on, in a narrow graph. */
static graph graph_random(t_Random *r, const algebra *a, gbl_Index n, gbl_Index edges, bool narrow,
                          int low) {
    graph g = graph_new(n, edges);
    gbl_Index kept = 0;
    for (gbl_Index k = 0; k < edges; k++) {
        double weight = (low + (double)t_below(r, (uint64_t)(21 - low))) * a->scale;
        if (a->type == GBL_FP32) weight = (float)weight;
        const gbl_Index from = t_below(r, n);
        g.e[k] = (edge){from, narrow ? (from + 1 + t_below(r, 3)) % n : t_below(r, n), weight};
    }
    qsort(g.e, edges, sizeof *g.e, by_place);
    for (gbl_Index k = 0; k < edges; k++)
        if (kept == 0 || by_place(&g.e[kept - 1], &g.e[k]) != 0) g.e[kept++] = g.e[k];
    g.edges = kept;
    return g;
}

static void start_at(graph *g, gbl_Index v, double x) {
    g->has[v] = true;
    g->w[v] = x;
}

static void close_graph(graph *g, const algebra *a) {
    for (bool changed = true; changed;) {
        changed = false;
        for (gbl_Index k = 0; k < g->edges; k++) {
            const edge e = g->e[k];
            if (!g->has[e.from]) continue;
            double x = a->multiply(g->w[e.from], e.weight);
            if (a->type == GBL_FP32) x = (float)x;
            if (g->has[e.to] && a->add(g->w[e.to], x) == g->w[e.to]) continue;
            start_at(g, e.to, x);
            changed = true;
        }
    }
}

/* -- the library's objects */

static gbl_Matrix matrix_of(const graph *g, gbl_Type type, bool transpose) {
    gbl_Matrix A = t_new_matrix(type, g->n, g->n);
    for (gbl_Index k = 0; k < g->edges; k++) {
        const edge e = g->e[k];
        OK(gbl_Matrix_setElement_FP64(A, e.weight, transpose ? e.to : e.from,
                                      transpose ? e.from : e.to));
    }
    return A;
}

static gbl_Vector vector_of(const graph *g, gbl_Type type) {
    gbl_Vector w = t_new_vector(type, g->n);
    for (gbl_Index k = 0; k < g->n; k++)
        if (g->has[k]) OK(gbl_Vector_setElement_FP64(w, g->w[k], k));
    return w;
}

static void expect(const graph *g, gbl_Vector w) {
    gbl_Index *I = malloc((g->n + 1) * sizeof *I), nvals = g->n, k = 0;
    double *X = malloc((g->n + 1) * sizeof *X);
    OK(gbl_Vector_extractTuples_FP64(I, X, &nvals, w));
    for (gbl_Index v = 0; v < g->n; v++) {
        if (!g->has[v]) continue;
        CHECK(k < nvals && I[k] == v && X[k] == g->w[v]);
        k++;
    }
    CHECK_EQ(k, nvals);
    free(I);
    free(X);
}

static const double widths[] = {0, 3, 0.07, 1e-7, 1e-300, 1e9, -1, (double)INFINITY, (double)NAN};

/* What is closed is closed again by nothing. */
static void check_closure(graph *g, const algebra *a, gbl_Type atype, double width,
                          bool transpose) {
    gbl_Matrix A = matrix_of(g, atype, transpose);
    gbl_Vector w = vector_of(g, a->type);
    gbl_Descriptor desc = NULL;
    OK(gbl_Descriptor_new(&desc));
    if (transpose) OK(gbl_Descriptor_set(desc, GBL_INP1, GBL_TRAN));
    close_graph(g, a);
    for (int turn = 0; turn < 2; turn++) {
        OK(gbl_vxm_closure(w, a->ring, A, width, desc));
        expect(g, w);
    }
    FREE(desc, A, w);
}

GB_TEST(closure, is_the_fixpoint) {
    for (uint64_t seed = 0; seed < 360; seed++) {
        if (t_left_out()) continue;
        t_Random r = t_random(seed);
        const algebra a = algebra_of((unsigned)seed);
        const gbl_Index n = seed % 5 == 0 ? 1 + t_below(&r, 4) : 150;
        const bool narrow = seed % 3 == 0;
        graph g = graph_random(&r, &a, n, seed % 11 == 0 ? 0 : 3 * n, narrow, 0);
        for (uint64_t k = 0; k < (seed % 7 == 0 ? n : seed % 4); k++)
            start_at(&g, t_below(&r, n), (double)t_below(&r, 9));
        t_case("%s, seed %llu", a.name, (unsigned long long)seed);
        check_closure(&g, &a, seed % 13 ? a.type : GBL_FP64, widths[seed % T_COUNT(widths)],
                      seed % 6 < 2);
        graph_free(&g);
    }
}

/* Buckets that a team shares, and those of one vertex after the other. */
GB_TEST(closure, any_number_of_threads) {
    for (int32_t threads = 1; threads < 4; threads++) {
        OK(gbl_Global_set_INT32(GBL_GLOBAL, threads, GBL_NTHREADS));
        for (unsigned k = 0; k < 2 * KERNELS; k++) {
            t_Random r = t_random(k);
            const algebra a = algebra_of(k % KERNELS);
            graph g = graph_random(&r, &a, 6000, 40000, false, 0);
            for (int s = 0; s < 3; s++) start_at(&g, t_below(&r, 6000), s);
            t_case("%s, %d threads", a.name, threads);
            check_closure(&g, &a, a.type, k < KERNELS ? 2 : 0, false);
            graph_free(&g);
        }
    }
}

/* Every edge as long; the values of a pattern are 1. */
GB_TEST(closure, one_value) {
    for (unsigned k = 0; k < KERNELS; k++) {
        t_Random r = t_random(k);
        const algebra a = algebra_of(k);
        graph g = graph_random(&r, &a, 300, 900, true, 0);
        gbl_Matrix A = matrix_of(&g, GBL_BOOL, false);
        for (gbl_Index e = 0; e < g.edges; e++) g.e[e].weight = 1;
        OK(gbl_Matrix_assign_BOOL(A, A, NULL, true, GBL_ALL, 300, GBL_ALL, 300, GBL_DESC_S));
        start_at(&g, 7, 2);
        gbl_Vector w = vector_of(&g, a.type);
        close_graph(&g, &a);
        OK(gbl_vxm_closure(w, a.ring, A, 5, NULL));
        expect(&g, w);
        FREE(w, A);
        graph_free(&g);
    }
}

/* Edges lead to higher vertices alone, so that weights below 0 go round no circle. */
GB_TEST(closure, weights_below_0) {
    for (unsigned k = 0; k < 3 * KERNELS; k++) {
        t_Random r = t_random(k);
        const algebra a = algebra_of(k % KERNELS);
        graph g = graph_random(&r, &a, 90, 400, false, k < 2 * KERNELS ? -20 : 0);
        for (gbl_Index e = 0; e < g.edges; e++) {
            const edge was = g.e[e];
            g.e[e].from = was.from < was.to ? was.from : was.to;
            g.e[e].to = (was.from < was.to ? was.to : was.from) + (was.from == was.to);
            if (g.e[e].to == 90) g.e[e].from = 88, g.e[e].to = 89;
        }
        qsort(g.e, g.edges, sizeof *g.e, by_place);
        gbl_Index kept = 0;
        for (gbl_Index e = 0; e < g.edges; e++)
            if (kept == 0 || by_place(&g.e[kept - 1], &g.e[e]) != 0) g.e[kept++] = g.e[e];
        g.edges = kept;
        start_at(&g, 0, k < KERNELS ? 0 : -3);
        check_closure(&g, &a, a.type, 4, false);
        graph_free(&g);
    }
}

/* An infinite distance is an entry, nothing is none, and NaN and -0 are as the operators say. */
GB_TEST(closure, special_floats) {
    static const double special[] = {(double)INFINITY, (double)NAN, -0.0, 0.0, 1e30};
    for (unsigned k = 0; k < 2 * T_COUNT(special); k++) {
        const gbl_Type type = k % 2 ? GBL_FP32 : GBL_FP64;
        const gbl_Semiring ring = k % 2 ? GBL_MIN_PLUS_SEMIRING_FP32 : GBL_MIN_PLUS_SEMIRING_FP64;
        gbl_Vector v = NULL, changed = NULL;
        gbl_Vector w = t_new_vector(type, 5);
        gbl_Matrix A = t_new_matrix(type, 5, 5);
        OK(gbl_Vector_setElement_FP64(w, k % 3 ? 0 : special[k / 2], 0));
        OK(gbl_Matrix_setElement_FP64(A, special[k / 2], 0, 1));
        OK(gbl_Matrix_setElement_FP64(A, 2, 1, 2));
        OK(gbl_Matrix_setElement_FP64(A, 1, 3, 4));
        OK(gbl_Vector_dup(&v, w));
        OK(gbl_Vector_dup(&changed, w));
        for (int round = 0; round < 4; round++)
            OK(gbl_vxm_update(v, changed, ring, changed, A, NULL));
        OK(gbl_vxm_closure(w, ring, A, 0.5, NULL));
        for (gbl_Index i = 0; i < 5; i++) {
            double x = -7, y = -7;
            const gbl_Info info = gbl_Vector_extractElement_FP64(&x, v, i);
            CHECK(gbl_Vector_extractElement_FP64(&y, w, i) == info);
            CHECK(memcmp(&x, &y, sizeof x) == 0 || (isnan(x) && isnan(y)));
        }
        FREE(w, v, changed, A);
    }
}

/* A sum that does not fit is an error only where no other path leads there, whatever the width. */
GB_TEST(closure, sums_that_do_not_fit) {
    const struct {
        gbl_Type type;
        gbl_Semiring ring;
        int64_t most;
    } types[] = {{GBL_INT32, GBL_MIN_PLUS_SEMIRING_INT32, INT32_MAX},
                 {GBL_INT64, GBL_MIN_PLUS_SEMIRING_INT64, INT64_MAX}};
    for (unsigned k = 0; k < 2 * T_COUNT(widths); k++) {
        const gbl_Semiring ring = types[k % 2].ring;
        const int64_t most = types[k % 2].most;
        const double width = widths[k / 2];
        int64_t x = 0;
        gbl_Vector w = t_new_vector(types[k % 2].type, 4);
        gbl_Matrix A = t_new_matrix(types[k % 2].type, 4, 4);
        OK(gbl_Vector_setElement_INT64(w, 1, 0));
        OK(gbl_Matrix_setElement_INT64(A, most - 2, 0, 1));
        OK(gbl_Matrix_setElement_INT64(A, most, 1, 2));
        FAILS(GBL_INVALID_VALUE, gbl_vxm_closure(w, ring, A, width, NULL));
        CHECK(strstr(gbl_last_error(), "wider") != NULL);
        CHECK_EQ(t_nvals_vector(w), 1);
        OK(gbl_Matrix_setElement_INT64(A, 3, 0, 3));
        OK(gbl_Matrix_setElement_INT64(A, most - 4, 3, 2)); /* just fits */
        OK(gbl_vxm_closure(w, ring, A, width, NULL));
        OK(gbl_Vector_extractElement_INT64(&x, w, 2));
        CHECK_EQ(x, most);
        OK(gbl_Vector_extractElement_INT64(&x, w, 1));
        CHECK_EQ(x, most - 1);
        FREE(w, A);
    }
}

GB_TEST(closure, circles_without_an_end) {
    for (unsigned k = 0; k < ALGEBRAS - 2; k++) {
        const algebra a = algebra_of(k);
        double x = 0;
        gbl_Vector w = t_new_vector(a.type, 50);
        gbl_Matrix A = t_new_matrix(a.type, 50, 50);
        OK(gbl_Vector_setElement_FP64(w, 5, 0));
        OK(gbl_Matrix_setElement_FP64(A, 3, 0, 1));
        OK(gbl_Matrix_setElement_FP64(A, -3, 1, 0)); /* of length 0 */
        OK(gbl_vxm_closure(w, a.ring, A, 1, NULL));
        OK(gbl_Matrix_setElement_FP64(A, -4, 1, 0));
        FAILS(GBL_INVALID_VALUE, gbl_vxm_closure(w, a.ring, A, 1, NULL));
        OK(gbl_Vector_extractElement_FP64(&x, w, 0));
        CHECK(x == 5);
        OK(gbl_Vector_extractElement_FP64(&x, w, 1));
        CHECK(x == 8);
        FREE(w, A);
    }
}

/* Of 2^40 places few are entries. */
GB_TEST(closure, of_huge_dimensions) {
    const gbl_Index n = (gbl_Index)1 << 40, at[] = {0, n - 1, 77, n / 2};
    gbl_Vector w = t_new_vector(GBL_INT64, n);
    gbl_Matrix A = t_new_matrix(GBL_INT64, n, n);
    OK(gbl_vxm_closure(w, GBL_MIN_PLUS_SEMIRING_INT64, A, 1, NULL)); /* nothing at all */
    for (int k = 0; k < 3; k++) OK(gbl_Matrix_setElement_INT64(A, 4, at[k], at[k + 1]));
    OK(gbl_Matrix_setElement_INT64(A, 99, at[0], at[3]));
    OK(gbl_Vector_setElement_INT64(w, 1, at[0]));
    OK(gbl_vxm_closure(w, GBL_MIN_PLUS_SEMIRING_INT64, A, 1, NULL));
    for (int k = 0; k < 4; k++) {
        int64_t x = 0;
        OK(gbl_Vector_extractElement_INT64(&x, w, at[k]));
        CHECK_EQ(x, 1 + 4 * k);
    }
    OK(gbl_Matrix_setElement_INT64(A, -5, at[2], at[1]));
    FAILS(GBL_INVALID_VALUE, gbl_vxm_closure(w, GBL_MIN_PLUS_SEMIRING_INT64, A, 1, NULL));
    FREE(w, A);
}

/* Shortest paths have a kernel, whatever GBL_METHOD says; other fixpoints are made of products. */
GB_TEST(closure, is_explained) {
    const gbl_Semiring rings[] = {GBL_MIN_PLUS_SEMIRING_INT64, GBL_MIN_MAX_SEMIRING_INT64};
    const char *const methods[] = {"buckets", "rounds"};
    for (int k = 0; k < 2; k++) {
        gbl_Explanation how = GBL_EXPLANATION_INIT;
        char text[4000];
        size_t size = sizeof text;
        gbl_Vector w = t_new_vector(GBL_INT64, 4);
        gbl_Matrix A = t_new_matrix(GBL_INT64, 4, 4);
        OK(gbl_Matrix_setElement_INT64(A, 4, 1, 2));
        OK(gbl_Vector_setElement_INT64(w, 1, 1));
        OK(gbl_vxm_closure(w, rings[k], A, 1, NULL));
        OK(gbl_Vector_explain(&how, w));
        CHECK(strcmp(how.operation, "closure") == 0 && strcmp(how.method, methods[k]) == 0);
        OK(gbl_Explanation_text(text, &size, &how));
        CHECK(strstr(text, methods[k]) != NULL);
        FREE(w, A);
    }
}

GB_TEST(closure, errors) {
    const gbl_Semiring ring = GBL_MIN_PLUS_SEMIRING_FP64;
    t_User user = t_user_path();
    gbl_Vector w = t_new_vector(GBL_FP64, 10);
    gbl_Matrix A = t_new_matrix(GBL_FP64, 10, 10), wide = t_new_matrix(GBL_FP64, 10, 11);
    OK(gbl_Vector_setElement_FP64(w, 5, 3));
    FAILS(GBL_NULL_POINTER, gbl_vxm_closure(NULL, ring, A, 1, NULL));
    FAILS(GBL_NULL_POINTER, gbl_vxm_closure(w, NULL, A, 1, NULL));
    FAILS(GBL_NULL_POINTER, gbl_vxm_closure(w, ring, NULL, 1, NULL));
    FAILS(GBL_DIMENSION_MISMATCH, gbl_vxm_closure(w, ring, wide, 1, NULL));
    FAILS(GBL_DOMAIN_MISMATCH, gbl_vxm_closure(w, GBL_PLUS_TIMES_SEMIRING_FP64, A, 1, NULL));
    FAILS(GBL_DOMAIN_MISMATCH, gbl_vxm_closure(w, GBL_LOR_LAND_SEMIRING_BOOL, A, 1, NULL));
    gbl_Vector other = t_new_vector(user.type.handle, 10);
    FAILS(GBL_DOMAIN_MISMATCH, gbl_vxm_closure(other, ring, A, 1, NULL));
    double x = 0;
    OK(gbl_Vector_extractElement_FP64(&x, w, 3));
    CHECK(x == 5);
    OK(gbl_Vector_free(&other));
    t_user_free(&user);
    FREE(w, A, wide);
}
