/* SPDX-License-Identifier: Apache-2.0
 *
 * Sequences of calls on vectors as graph searches make them: long vectors of few entries become
 * lists and bitmaps, scratch is used again and again, masks are looked at in place. All is done on
 * plain arrays too, and compared. What calls cost is asked of the allocator, never of a clock.
 */
#include "support/gb_test.h"

#include <stdlib.h>
#include <string.h>

/* -- a graph and vectors, twice */

typedef struct {
    gbl_Index n, count;
    gbl_Index *from, *to; /* [count] edges */
    gbl_Matrix A;
} graph;

typedef struct {
    bool *has;
    int64_t *x;
    gbl_Vector v;
} both;

/* `degree` edges from every vertex, or from every tenth; both ways where symmetric. */
static graph new_graph(t_Random *r, gbl_Index n, gbl_Index degree, bool symmetric) {
    graph g = {.n = n};
    const gbl_Index most = 2 * n * degree;
    g.from = malloc((most + 1) * sizeof *g.from);
    g.to = malloc((most + 1) * sizeof *g.to);
    CHECK(g.from != NULL && g.to != NULL);
    for (gbl_Index v = 0; v < n; v++)
        for (gbl_Index k = 0; k < (v % 10 == 0 ? degree : 1); k++) {
            const gbl_Index u = t_below(r, n);
            g.from[g.count] = v;
            g.to[g.count++] = u;
            if (!symmetric) continue;
            g.from[g.count] = u;
            g.to[g.count++] = v;
        }
    OK(gbl_Matrix_new(&g.A, GBL_BOOL, n, n));
    bool *X = malloc(g.count + 1);
    CHECK(X != NULL);
    memset(X, 1, g.count);
    OK(gbl_Matrix_build_BOOL(g.A, g.from, g.to, X, g.count, GBL_LOR)); /* duplicates are one edge */
    free(X);
    return g;
}

static void free_graph(graph *g) {
    free(g->from);
    free(g->to);
    OK(gbl_Matrix_free(&g->A));
}

static both new_both(gbl_Index n) {
    both b = {.has = calloc(n, 1), .x = calloc(n, sizeof *b.x)};
    CHECK(b.has != NULL && b.x != NULL);
    OK(gbl_Vector_new(&b.v, GBL_INT64, n));
    return b;
}

static void free_both(both *b) {
    free(b->has);
    free(b->x);
    OK(gbl_Vector_free(&b->v));
}

static void expect_same(const char *name, const both *b, gbl_Index n) {
    gbl_Index count = n, found = 0;
    gbl_Index *I = malloc((n + 1) * sizeof *I);
    int64_t *X = malloc((n + 1) * sizeof *X);
    CHECK(I != NULL && X != NULL);
    const gbl_Index nvals = t_nvals_vector(b->v);
    OK(gbl_Vector_extractTuples_INT64(I, X, &count, b->v));
    CHECK_EQ(count, nvals);
    for (gbl_Index v = 0; v < n; v++) found += b->has[v];
    cr_assert(found == count, "%s has %llu entries instead of %llu\n  case: %s", name,
              (unsigned long long)count, (unsigned long long)found, t_case_text());
    for (gbl_Index k = 0; k < count; k++)
        cr_assert(b->has[I[k]] && b->x[I[k]] == X[k], "%s differs at %llu\n  case: %s", name,
                  (unsigned long long)I[k], t_case_text());
    free(I);
    free(X);
}

/* -- calls */

typedef struct {
    graph *g;
    both q, p, l;
    t_Random *r;
    gbl_Descriptor desc; /* structural masks, a method of products */
} world;

/* q<!p, replace> = q * A, or A' * q: the smallest vertex of q with an edge to j. ANY is the
 * smallest here too, whatever the method. */
static void step(world *o) {
    const graph *g = o->g;
    const gbl_Semiring ring =
        t_chance(o->r, 0.5) ? GBL_ANY_SECONDI_SEMIRING_INT64 : GBL_MIN_SECONDI_SEMIRING_INT64;
    const gbl_Desc_Value methods[] = {GBL_DEFAULT, GBL_DEFAULT, GBL_DEFAULT, GBL_METHOD_PUSH,
                                      GBL_METHOD_PULL};
    OK(gbl_Descriptor_set(o->desc, GBL_METHOD, methods[t_below(o->r, T_COUNT(methods))]));
    bool *has = calloc(g->n, 1);
    int64_t *x = calloc(g->n, sizeof *x);
    CHECK(has != NULL && x != NULL);
    for (gbl_Index e = 0; e < g->count; e++) {
        const gbl_Index k = g->from[e], j = g->to[e];
        if (!o->q.has[k] || o->p.has[j] || (has[j] && x[j] <= (int64_t)k)) continue;
        has[j] = true;
        x[j] = (int64_t)k;
    }
    memcpy(o->q.has, has, g->n);
    memcpy(o->q.x, x, g->n * sizeof *x);
    free(has);
    free(x);
    OK(gbl_vxm(o->q.v, o->p.v, NULL, ring, o->q.v, g->A, o->desc));
}

/* p<m> = q, or p<m> = x. Entries of p inside m go where q has none. */
static void assign(world *o, both *to, const both *mask, const both *of, int64_t x) {
    const gbl_Index n = o->g->n;
    for (gbl_Index v = 0; v < n; v++) {
        if (!mask->has[v]) continue;
        to->has[v] = of == NULL || of->has[v];
        if (to->has[v]) to->x[v] = of == NULL ? x : of->x[v];
    }
    if (of != NULL)
        OK(gbl_Vector_assign(to->v, mask->v, NULL, of->v, GBL_ALL, n, GBL_DESC_S));
    else
        OK(gbl_Vector_assign_INT64(to->v, mask->v, NULL, x, GBL_ALL, n, GBL_DESC_S));
}

/* l<q> += x */
static void add(world *o, int64_t x) {
    const gbl_Index n = o->g->n;
    for (gbl_Index v = 0; v < n; v++) {
        if (!o->q.has[v]) continue;
        o->l.x[v] = o->l.has[v] ? o->l.x[v] + x : x;
        o->l.has[v] = true;
    }
    OK(gbl_Vector_assign_INT64(o->l.v, o->q.v, GBL_PLUS_INT64, x, GBL_ALL, n, GBL_DESC_S));
}

static void set(both *b, gbl_Index v, int64_t x) {
    b->has[v] = true;
    b->x[v] = x;
    OK(gbl_Vector_setElement_INT64(b->v, x, v));
}

static void drop(both *b, gbl_Index v) {
    b->has[v] = false;
    OK(gbl_Vector_removeElement(b->v, v));
}

static void clear(both *b, gbl_Index n) {
    memset(b->has, 0, n);
    OK(gbl_Vector_clear(b->v));
}

/* l<q> min= p * A, the least value of p with an edge to j. */
static void improve(world *o) {
    for (gbl_Index e = 0; e < o->g->count; e++) {
        const gbl_Index k = o->g->from[e], j = o->g->to[e];
        if (!o->q.has[j] || !o->p.has[k] || (o->l.has[j] && o->l.x[j] <= o->p.x[k])) continue;
        o->l.has[j] = true;
        o->l.x[j] = o->p.x[k];
    }
    const gbl_Semiring ring = GBL_MIN_FIRST_SEMIRING_INT64;
    OK(gbl_vxm(o->l.v, o->q.v, GBL_MIN_INT64, ring, o->p.v, o->g->A, GBL_DESC_S));
}

static void one_call(world *o) {
    const gbl_Index n = o->g->n;
    const int64_t x = (int64_t)t_below(o->r, 9) + 1;
    switch (t_below(o->r, 13)) {
    case 0:
        assign(o, &o->p, &o->q, NULL, x);
        break;
    case 1:
        assign(o, &o->l, &o->p, &o->q, 0);
        break;
    case 2:
        add(o, x);
        break;
    case 3:
        set(&o->p, t_below(o->r, n), x);
        break;
    case 4:
        drop(&o->p, t_below(o->r, n));
        break;
    case 5:
        if (t_chance(o->r, 0.2)) clear(t_chance(o->r, 0.5) ? &o->l : &o->p, n);
        break;
    case 6:
        improve(o);
        assign(o, &o->q, &o->q, t_chance(o->r, 0.7) ? &o->l : &o->p, 0);
        break;
    default: /* a level of a search */
        assign(o, &o->l, &o->q, NULL, x);
        assign(o, &o->p, &o->q, &o->q, 0);
        step(o);
        if (t_chance(o->r, 0.3)) set(&o->q, t_below(o->r, n), x);
    }
}

static void sequence(uint64_t seed, gbl_Index n, gbl_Index degree, bool symmetric, int calls) {
    t_Random r = t_random(seed);
    graph g = new_graph(&r, n, degree, symmetric);
    world o = {.g = &g, .q = new_both(n), .p = new_both(n), .l = new_both(n), .r = &r};
    OK(gbl_Descriptor_new(&o.desc));
    OK(gbl_Descriptor_set(o.desc, GBL_OUTP, GBL_REPLACE));
    OK(gbl_Descriptor_set(o.desc, GBL_MASK, GBL_COMP_STRUCTURE));
    set(&o.q, t_below(&r, n), 1);
    for (int k = 0; k < calls; k++) {
        t_case("seed %llu, n %llu, degree %llu, symmetric %d, call %d", (unsigned long long)seed,
               (unsigned long long)n, (unsigned long long)degree, symmetric, k);
        one_call(&o);
        expect_same("q", &o.q, n);
        expect_same("p", &o.p, n);
        expect_same("l", &o.l, n);
    }
    OK(gbl_Descriptor_free(&o.desc));
    free_both(&o.q);
    free_both(&o.p);
    free_both(&o.l);
    free_graph(&g);
}

GB_TEST(frontier, sequences_of_short_vectors) {
    for (uint64_t seed = 0; seed < 60; seed++)
        sequence(seed, 1 + seed * 7 % 300, 1 + seed % 5, seed % 2, 40);
}

GB_TEST(frontier, sequences_of_long_vectors) {
    for (uint64_t seed = 100; seed < 106; seed++)
        sequence(seed, 9000 + 3000 * (seed % 3), 2 + seed % 3 * 6, seed % 2, 60);
}

/* ------------------------------------------------------------------- symmetric patterns -- */

/* q with every second vertex, p with all but every hundredth, as a bitmap. */
static void make_vectors(gbl_Vector *q, gbl_Vector *p, gbl_Index n) {
    OK(gbl_Vector_new(q, GBL_INT64, n));
    OK(gbl_Vector_new(p, GBL_INT64, n));
    for (gbl_Index v = 0; v < n; v++) {
        if (v % 2 == 0) OK(gbl_Vector_setElement_INT64(*q, (int64_t)v, v));
        if (v % 100 != 0) OK(gbl_Vector_setElement_INT64(*p, 1, v));
    }
    OK(gbl_Vector_wait(*q, GBL_MATERIALIZE));
    OK(gbl_Vector_eWiseAdd_BinaryOp(*p, NULL, NULL, GBL_MIN_INT64, *p, *p, NULL));
}

/* The representations of A once products have come to pull. */
static unsigned formats_after_pulls(bool symmetric) {
    enum { N = 3000, MOST_CALLS = 5000 };
    t_Random r = t_random(5);
    graph g = new_graph(&r, N, 30, symmetric);
    gbl_Vector q = NULL, p = NULL;
    gbl_Explanation how = GBL_EXPLANATION_INIT;
    gbl_Formats formats;
    make_vectors(&q, &p, N);
    gbl_Vector w = t_new_vector(GBL_INT64, N);
    int calls = 0;
    do {
        OK(gbl_vxm(w, p, NULL, GBL_ANY_SECONDI_SEMIRING_INT64, q, g.A, GBL_DESC_RSC));
        OK(gbl_Vector_explain(&how, w));
    } while (strcmp(how.method, "pull") != 0 && ++calls < MOST_CALLS);
    CHECK(strcmp(how.method, "pull") == 0);
    OK(gbl_Matrix_formats(&formats, g.A));
    FREE(q, p, w);
    free_graph(&g);
    return formats.present;
}

GB_TEST(frontier, symmetric_graphs_get_no_transpose) {
    CHECK_EQ(formats_after_pulls(true), GBL_HAS_CSR);
    CHECK_EQ(formats_after_pulls(false), GBL_HAS_CSR | GBL_HAS_CSC);
}

/* ------------------------------------------------------------- the n-th allocation fails -- */

static void expect_vectors_equal(gbl_Vector v, gbl_Vector w, gbl_Index n) {
    for (gbl_Index k = 0; k < n; k++) {
        int64_t x = 0, y = 0;
        const gbl_Info has = gbl_Vector_extractElement_INT64(&x, v, k);
        CHECK_EQ(gbl_Vector_extractElement_INT64(&y, w, k), has);
        CHECK_EQ(x, y);
    }
}

/* m = a list of a few positions. */
static gbl_Vector few_positions(gbl_Index n) {
    gbl_Vector m = t_new_vector(GBL_BOOL, n);
    for (gbl_Index k = 0; k < n / 70; k++) OK(gbl_Vector_setElement_BOOL(m, false, 69 * k + 1));
    return m;
}

/* w<!p, replace> = q * A: by push or pull, with scratch that is there or is not; or inside a few
 * positions. */
static void product_fails(gbl_Desc_Value method, bool warm, bool inside, gbl_Semiring ring) {
    enum { N = 500 };
    gbl_Descriptor desc = NULL;
    bool failed = true;
    OK(gbl_Descriptor_new(&desc));
    OK(gbl_Descriptor_set(desc, GBL_OUTP, GBL_REPLACE));
    OK(gbl_Descriptor_set(desc, GBL_MASK, inside ? GBL_STRUCTURE : GBL_COMP_STRUCTURE));
    OK(gbl_Descriptor_set(desc, GBL_METHOD, method));
    for (int64_t n = 1; failed; n++) {
        t_Random r = t_random(7);
        graph g = new_graph(&r, N, 6, true);
        gbl_Vector q = NULL, p = NULL, w = NULL, before = NULL;
        make_vectors(&q, &p, N);
        OK(gbl_Vector_dup(&w, q));
        if (inside) {
            OK(gbl_Vector_free(&p));
            p = few_positions(N);
            OK(gbl_Vector_select_INT64(q, NULL, NULL, GBL_ROWLE, q, 10, NULL));
        }
        OK(gbl_Vector_dup(&before, w));
        gbl_Vector after = t_new_vector(GBL_INT64, N);
        if (warm) OK(gbl_vxm(after, p, NULL, ring, q, g.A, desc));
        t_case("method %d, warm %d, allocation %lld fails", (int)method, warm, (long long)n);
        const gbl_Info info = FAIL_AT(n, gbl_vxm(w, p, NULL, ring, q, g.A, desc), &failed);
        if (info != GBL_SUCCESS) {
            CHECK_EQ(info, GBL_OUT_OF_MEMORY);
            expect_vectors_equal(w, before, N);
            OK(gbl_vxm(w, p, NULL, ring, q, g.A, desc));
        }
        OK(gbl_vxm(after, p, NULL, ring, q, g.A, desc));
        expect_vectors_equal(w, after, N);
        gbl_Vector *all[] = {&q, &p, &w, &before, &after};
        for (size_t k = 0; k < T_COUNT(all); k++) OK(gbl_Vector_free(all[k]));
        free_graph(&g);
    }
    OK(gbl_Descriptor_free(&desc));
}

Test(frontier_memory, products, .init = t_brutal_setup, .fini = t_brutal_teardown) {
    const gbl_Semiring rings[] = {GBL_ANY_SECONDI_SEMIRING_INT64, GBL_MIN_SECOND_SEMIRING_INT64,
                                  GBL_MAX_SECONDI_SEMIRING_INT64};
    for (size_t k = 0; k < T_COUNT(rings); k++)
        for (int warm = 0; warm < 2; warm++) {
            product_fails(GBL_METHOD_PUSH, warm, false, rings[k]);
            product_fails(GBL_METHOD_PULL, warm, false, rings[k]);
            product_fails(GBL_METHOD_PULL, warm, true, rings[k]);
        }
}

/* d += few; w = d * A, again and again: d, which merges make a bitmap now and then, is a list again
 * once it has been read as one, so that products find one. */
GB_TEST(frontier, a_short_sum_that_is_multiplied) {
    enum { N = 1000000, ROUNDS = 2000 };
    int bitmaps = 0;
    gbl_Matrix A = t_new_matrix(GBL_INT64, N, N);
    for (gbl_Index k = 0; k < 40; k++) OK(gbl_Matrix_setElement_INT64(A, 1, k, k + 1));
    gbl_Vector d = t_new_vector(GBL_INT64, N), few = t_new_vector(GBL_INT64, N);
    gbl_Vector w = t_new_vector(GBL_INT64, N);
    for (gbl_Index k = 0; k < 10; k++) OK(gbl_Vector_setElement_INT64(d, 1, 4 * k));
    OK(gbl_Vector_setElement_INT64(few, 1, 8));
    OK(gbl_Vector_setElement_INT64(few, 1, 12));
    for (int round = 0; round < ROUNDS; round++) {
        gbl_Formats formats;
        OK(gbl_Vector_assign(d, NULL, GBL_PLUS_INT64, few, GBL_ALL, N, NULL));
        OK(gbl_Vector_formats(&formats, d));
        bitmaps += (formats.present & GBL_HAS_BITMAP) != 0;
        OK(gbl_vxm(w, NULL, NULL, GBL_PLUS_TIMES_SEMIRING_INT64, d, A, NULL));
    }
    t_case("%d bitmaps", bitmaps);
#ifndef GB_TINY /* where all writes are few and become updates of a list */
    CHECK(bitmaps > 0 && bitmaps < ROUNDS / 50);
#endif
    int64_t x = 0;
    OK(gbl_Vector_extractElement_INT64(&x, w, 9));
    CHECK_EQ(x, ROUNDS + 1);
    FREE(A, d, few, w);
}
