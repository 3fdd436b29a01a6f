/* SPDX-License-Identifier: Apache-2.0
 *
 * Sums of triangles (mxm/triangle_sum.c): of C<A> = A * A over (plus, pair), against a count on
 * bits of its own. Graphs whose rows are short, longer, and heavy, with so many vertices that they
 * have bits in two panels and more; symmetric with loops and without, on one side of the main
 * diagonal, and neither.
 */
#include "support/gb_test.h"

#include <stdlib.h>
#include <string.h>

#include "core/tune.h"
#include "matrix/check.h"
#include "matrix/matrix.h"
#include "mxm/machine/cost_table.h"

enum { MOST = 1300, WORDS = (MOST + 63) / 64 };

typedef struct {
    gbl_Index n;
    uint64_t bit[MOST][WORDS];
} Graph;

static bool has(const Graph *g, gbl_Index i, gbl_Index j) {
    return g->bit[i][j / 64] >> j % 64 & 1;
}

static void put(Graph *g, gbl_Index i, gbl_Index j) {
    g->bit[i][j / 64] |= (uint64_t)1 << j % 64;
}

/* Pairs of vertices at random, the more often the lower their numbers times `stride` are: each in
 * both directions. */
static Graph *network(uint64_t seed, gbl_Index n, gbl_Index edges, unsigned skew, bool loops) {
    t_Random r = t_random(seed);
    Graph *g = calloc(1, sizeof *g);
    CHECK(g != NULL);
    g->n = n;
    for (gbl_Index e = 0; e < edges; e++) {
        gbl_Index end[2];
        for (int k = 0; k < 2; k++) {
            end[k] = t_below(&r, n);
            for (unsigned s = 0; s < skew; s++) end[k] = t_below(&r, end[k] + 1);
            end[k] = end[k] * 7 % n; /* hubs are not the first rows */
        }
        if (end[0] == end[1]) continue;
        put(g, end[0], end[1]);
        put(g, end[1], end[0]);
    }
    for (gbl_Index i = 0; loops && i < n; i += 5) put(g, i, i);
    return g;
}

typedef enum { WHOLE, LOWER, UPPER, LOWER_AND_LOOP, ONE_WAY, FORMS } Form;
static const char *const form_names[FORMS] = {"symmetric", "lower", "upper", "lower with a loop",
                                              "not symmetric"};

static bool is_kept(Form form, gbl_Index i, gbl_Index j) {
    if (form == LOWER) return i > j;
    if (form == UPPER) return i < j;
    if (form == LOWER_AND_LOOP) return i > j || (i == j && i == 0);
    return form == WHOLE || i != 1 || j == 0;
}

static gbl_Matrix matrix_of(Graph *g, Form form) {
    if (form == LOWER_AND_LOOP) put(g, 0, 0);
    gbl_Matrix A = t_new_matrix(GBL_FP32, g->n, g->n);
    for (gbl_Index i = 0; i < g->n; i++)
        for (gbl_Index j = 0; j < g->n; j++) {
            if (!has(g, i, j)) continue;
            if (is_kept(form, i, j))
                OK(gbl_Matrix_setElement_FP32(A, 0.0f, i, j)); /* structural masks take it */
            else
                g->bit[i][j / 64] &= ~((uint64_t)1 << j % 64);
        }
    return A;
}

static Graph *turn(const Graph *g) {
    Graph *turned = calloc(1, sizeof *turned);
    CHECK(turned != NULL);
    for (gbl_Index i = 0; i < g->n; i++)
        for (unsigned w = 0; w < WORDS; w++)
            for (uint64_t rest = g->bit[i][w]; rest != 0; rest &= rest - 1)
                put(turned, 64 * w + (unsigned)__builtin_ctzll(rest), i);
    return turned;
}

/* Walks i, k, j with (i,j) in A: a step forwards, or backwards, where transposed. */
static int64_t walks_of(const Graph *g, bool tran0, bool tran1) {
    Graph *turned = turn(g);
    const Graph *left = tran0 ? turned : g, *right = tran1 ? g : turned;
    int64_t walks = 0;
    for (gbl_Index i = 0; i < g->n; i++)
        for (gbl_Index j = 0; j < g->n; j++)
            for (unsigned w = 0; has(g, i, j) && w < WORDS; w++)
                walks += __builtin_popcountll(left->bit[i][w] & right->bit[j][w]);
    free(turned);
    return walks;
}

static void check_sums(const Graph *g, gbl_Matrix A, int calls) {
    static const gbl_Semiring *const rings[] = {&GBL_PLUS_PAIR_SEMIRING_INT64,
                                                &GBL_PLUS_PAIR_SEMIRING_INT32};
    const gbl_Monoid monoids[] = {GBL_PLUS_MONOID_INT64, GBL_PLUS_MONOID_INT32};
    for (int tran = 0; tran < 4; tran++) {
        const gbl_Descriptor descs[] = {GBL_DESC_S, GBL_DESC_ST0, GBL_DESC_ST1, GBL_DESC_ST0T1};
        const int64_t right = walks_of(g, tran & 1, tran & 2);
        for (int call = 0; call < calls; call++) {
            int64_t sum = 10;
            OK(gbl_mxm_reduce_INT64(&sum, A, GBL_PLUS_INT64, monoids[call % 2], *rings[call % 2], A,
                                    A, descs[tran]));
            CHECK_EQ(sum, 10 + right);
        }
    }
}

static uint32_t blocks_of(gbl_Matrix A) {
    const gb_Hyper *hyper = A->m.hyper; /* with tiny sizes */
    const gb_DerivedKey key = {GB_DERIVED_DEGREE_LOWER, GB_CSR, 0};
    return gb_derived_at_hand(hyper != NULL ? hyper->core : &A->m, key).view.degree_lower.blocks;
}

static const struct {
    gbl_Index n, edges;
    unsigned skew;
} shapes[] = {{2, 1, 0},      {3, 9, 0},     {40, 60, 0},    {700, 800, 0},
              {150, 4000, 0}, {500, 900, 2}, {700, 9000, 0}, {MOST, 60000, 1}};

GB_TEST(triangle_sum, sums) {
    for (size_t s = 0; s < T_COUNT(shapes); s++)
        for (int f = 0; f < 2 * FORMS; f++) {
            const int32_t threads = 1 + (int32_t)(s + (size_t)f) % 3;
            const bool loops = f % 2, may_loop = f / 2 == WHOLE || f / 2 == ONE_WAY;
            if ((loops && !may_loop) || t_left_out()) continue;
            Graph *g = network(10 * s + 1, shapes[s].n, shapes[s].edges, shapes[s].skew, loops);
            gbl_Matrix A = matrix_of(g, (Form)(f / 2));
            t_case("%d vertices, %d edges, %s, loops %d, %d threads", (int)shapes[s].n,
                   (int)shapes[s].edges, form_names[f / 2], loops, (int)threads);
            OK(gbl_Global_set_INT32(GBL_GLOBAL, threads, GBL_NTHREADS));
            check_sums(g, A, 2);
            /* what was known of A no longer holds */
            const bool was = has(g, 0, g->n - 1);
            if (was)
                OK(gbl_Matrix_removeElement(A, 0, g->n - 1));
            else
                OK(gbl_Matrix_setElement_FP32(A, 1.0f, 0, g->n - 1));
            g->bit[0][(g->n - 1) / 64] ^= (uint64_t)1 << (g->n - 1) % 64;
            check_sums(g, A, 1);
            OK(gbl_Matrix_free(&A));
            free(g);
        }
}

/* Other ways to compute the sum, with tiny sizes, take more than the graph. */
#ifdef GB_TINY
enum { NEEDS_MORE = 1 };
#else
enum { NEEDS_MORE = 0 };
#endif

/* The graph is made, with bits, at the first sum of a symmetric pattern or of a triangle of skewed
 * rows, and at the second of another triangle; and not where memory is limited to less. */
GB_TEST(triangle_sum, made_once_worth_while) {
    static const uint32_t after[3] = {1, 2, 1};
    for (int f = 0; f < 3; f++) {
        Graph *g = network(3, MOST, 60000, f < 2 ? 1 : 3, false);
        gbl_Matrix A = matrix_of(g, f == 0 ? WHOLE : LOWER), B = NULL;
        int64_t sum = 0, limited = 0;
        gbl_Info info = GBL_SUCCESS;
        OK(gbl_Matrix_dup(&B, A));
        OK(gbl_Global_set_INT64(GBL_GLOBAL, 256 << 10, GBL_MEMORY_LIMIT));
        for (int call = 0; call < 3; call++)
            info = gbl_mxm_reduce_INT64(&limited, B, NULL, GBL_PLUS_MONOID_INT64,
                                        GBL_PLUS_PAIR_SEMIRING_INT64, B, B, GBL_DESC_ST1);
        CHECK_EQ(blocks_of(B), 0);
        CHECK(info == GBL_SUCCESS || (NEEDS_MORE && info == GBL_OUT_OF_MEMORY));
        OK(gbl_Global_set_INT64(GBL_GLOBAL, 0, GBL_MEMORY_LIMIT));
        for (uint32_t call = 1; call <= 3; call++) {
            OK(gbl_mxm_reduce_INT64(&sum, A, NULL, GBL_PLUS_MONOID_INT64,
                                    GBL_PLUS_PAIR_SEMIRING_INT64, A, A, GBL_DESC_ST1));
            CHECK(info != GBL_SUCCESS || sum == limited);
            CHECK_EQ(blocks_of(A) >= 2, call >= after[f]);
        }
        CHECK_EQ(gb_matrix_check(&A->m), GBL_SUCCESS);
        FREE(A, B);
        free(g);
    }
}

/* The product is put off, and its sum does not make it; what is told of it is complete. */
GB_TEST(triangle_sum, explained) {
    Graph *g = network(7, 900, 20000, 1, false);
    gbl_Matrix A = matrix_of(g, WHOLE), C = NULL;
    int64_t sum = 0;
    OK(gbl_Matrix_new(&C, GBL_INT64, g->n, g->n));
    OK(gbl_Matrix_wait(A, GBL_MATERIALIZE));
    OK(gbl_mxm(C, A, NULL, GBL_PLUS_PAIR_SEMIRING_INT64, A, A, GBL_DESC_ST1));
    OK(gbl_Matrix_reduce_INT64(&sum, NULL, GBL_PLUS_MONOID_INT64, C, NULL));
    CHECK_EQ(sum, walks_of(g, false, true));
    const gbl_Explanation how = t_explain(C);
    CHECK(how.folded && strcmp(how.method, "dot") == 0 && strcmp(how.workflow, "triangles") == 0);
    CHECK(how.nvals == 0 && how.nrows == g->n && how.nnz_a == how.nnz_mask && how.nnz_a > 0);
    CHECK(strcmp(how.place, "cpu") == 0 && how.isa != NULL && how.reason[0] != '\0');
    FREE(A, C);
    free(g);
}

/* The n-th block is not to be had: the sum fails and leaves the value, or is right. */
BRUTAL(triangle_sum) {
    Graph *g = network(5, 600, 6000, 1, false);
    const int64_t right = walks_of(g, false, true);
    gbl_Matrix A = matrix_of(g, WHOLE);
    OK(gbl_Matrix_wait(A, GBL_MATERIALIZE));
    bool failed = true;
    for (int64_t n = 1; failed; n++) {
        gbl_Matrix B = NULL;
        int64_t sum = 7;
        if (t_left_out() && n > 1) continue;
        t_case("allocation %lld fails", (long long)n);
        OK(gbl_Matrix_dup(&B, A));
        const gbl_Info info =
            FAIL_AT(n,
                    gbl_mxm_reduce_INT64(&sum, B, NULL, GBL_PLUS_MONOID_INT64,
                                         GBL_PLUS_PAIR_SEMIRING_INT64, B, B, GBL_DESC_ST1),
                    &failed);
        CHECK_EQ(sum, info == GBL_SUCCESS ? right : 7);
        OK(gbl_Matrix_free(&B));
    }
    OK(gbl_Matrix_free(&A));
    free(g);
}
