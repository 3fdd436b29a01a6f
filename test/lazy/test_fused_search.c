/* SPDX-License-Identifier: Apache-2.0
 *
 * Products with vectors that are put off, and assigns that are made in their pass: random calls
 * give to the bit what they give in blocking mode, whatever is read, written or freed between, for
 * all types, by push and by pull, on one thread and on several; what is put off, what explanations
 * say, and that a lack of memory leaves everything as it was. Threads: plain_deferred.c.
 */
#include "support/gb_test.h"

#include "gblite_io.h"
#include "matrix/object.h"
#include "lazy/operations.h"

#include <string.h>

enum { N = 2048, QS = 2, STEPS = 80 };

/* Products of few vertices are listed, those of many found in a set. */
static const char *const specs[] = {"er:11:3", "er:11:9", "rmats:11:6"};

/* Held as a bitmap alone, as what is written again and again becomes. */
static void make_bitmap(gbl_Vector v) {
    gb_DenseView view;
    OK(gb_acquire_dense(&v->m, &view));
    gb_matrix_keep_only(&v->m, GBL_HAS_BITMAP);
}

static gbl_Vector some_vector(t_Random *r, o_Type type, double density) {
    o_Matrix d = t_generate(r, &(t_Content){type, N, 1, T_RANDOM, density, false, false});
    const gbl_Vector v = t_vector(&d);
    o_free(&d);
    return v;
}

static gbl_Vector some_bitmap(t_Random *r, o_Type type) {
    const gbl_Vector v = some_vector(r, type, 0.2);
    make_bitmap(v);
    return v;
}

/* -- random calls, twice ----------------------------------------------------------------------- */

typedef struct {
    t_Random r;
    o_Type type;
    gbl_Semiring ring;
    gbl_Vector q[QS], p, l, narrow;
    gbl_Matrix A;
    gbl_Descriptor desc;
    gbl_Info info[STEPS];
    double value[STEPS];
    o_Matrix content[QS + 2];
    int deferred, fused;
} World;

/* ANY with a multiplication of the type, by position where there is one. */
static gbl_Semiring some_ring(World *w) {
    const gbl_Semiring narrow[] = {GBL_ANY_SECONDI_SEMIRING_INT32, GBL_ANY_FIRSTJ_SEMIRING_INT32},
                       wide[] = {GBL_ANY_SECONDI_SEMIRING_INT64, GBL_ANY_FIRSTI_SEMIRING_INT64};
    const o_Opcode multiply[] = {O_ONEB, O_FIRST, O_SECOND};
    const gbl_Type_Code code = w->type.code;
    const bool by_position = t_chance(&w->r, 0.6);
    if (by_position && code == GBL_INT32_CODE) return narrow[t_below(&w->r, 2)];
    if (by_position && code == GBL_INT64_CODE) return wide[t_below(&w->r, 2)];
    return *t_find_ring(O_ANY, multiply[t_below(&w->r, 3)], code)->handle;
}

static gbl_Info product(World *w, gbl_Vector q) {
    const gbl_Desc_Value methods[] = {GBL_DEFAULT, GBL_DEFAULT, GBL_METHOD_PUSH, GBL_METHOD_PULL};
    const gbl_Vector u = t_chance(&w->r, 0.8) ? q : w->q[0];
    const gbl_Vector m = t_chance(&w->r, 0.95) ? w->p : w->q[1];
    OK(gbl_Descriptor_set(w->desc, GBL_METHOD, methods[t_below(&w->r, T_COUNT(methods))]));
    w->ring = some_ring(w);
    if (t_chance(&w->r, 0.02)) return gbl_vxm(w->narrow, m, NULL, w->ring, u, w->A, w->desc);
    if (t_chance(&w->r, 0.3)) return gbl_mxv(q, m, NULL, w->ring, w->A, u, w->desc);
    return gbl_vxm(q, m, NULL, w->ring, u, w->A, w->desc);
}

static gbl_Info assign(World *w, gbl_Vector q) {
    const gbl_Vector to = t_chance(&w->r, 0.6) ? w->p : w->l;
    const gbl_Vector of = t_chance(&w->r, 0.95) ? q : w->q[0];
    if (t_chance(&w->r, 0.05)) return gbl_Vector_assign(to, q, NULL, of, GBL_ALL, N, GBL_DESC_RS);
    if (t_chance(&w->r, 0.02))
        return gbl_Vector_assign(to, q, NULL, w->narrow, GBL_ALL, N, GBL_DESC_S);
    if (t_chance(&w->r, 0.4))
        return gbl_Vector_assign_INT32(to, q, NULL, (int32_t)t_below(&w->r, 100), GBL_ALL, N,
                                       GBL_DESC_S);
    return gbl_Vector_assign(to, q, NULL, of, GBL_ALL, N, GBL_DESC_S);
}

static gbl_Info renew(World *w) {
    gbl_Vector *v = t_chance(&w->r, 0.5) ? &w->p : t_chance(&w->r, 0.5) ? &w->l : &w->q[0];
    const gbl_Info info = gbl_Vector_free(v);
    *v = v == &w->q[0] ? some_vector(&w->r, w->type, 0.01) : some_bitmap(&w->r, w->type);
    return info;
}

static gbl_Info other(World *w, double *value) {
    const gbl_Vector all[] = {w->q[0], w->q[1], w->p, w->l};
    const gbl_Vector v = all[t_below(&w->r, T_COUNT(all))];
    gbl_Explanation how = GBL_EXPLANATION_INIT;
    gbl_Vector copy = NULL;
    gbl_Info info;
    switch (t_below(&w->r, 10)) {
    case 0:
        return gbl_Vector_setElement_INT32(v, 3, t_below(&w->r, N));
    case 1:
        return gbl_Vector_removeElement(v, t_below(&w->r, N));
    case 2:
        return gbl_Vector_extractElement_FP64(value, v, t_below(&w->r, N));
    case 3:
        info = gbl_Vector_dup(&copy, v);
        if (info == GBL_SUCCESS)
            info = gbl_Vector_reduce_FP64(value, NULL, GBL_MAX_MONOID_FP64, copy, NULL);
        OK(gbl_Vector_free(&copy));
        return info;
    case 4:
        return gbl_Matrix_setElement_INT32(w->A, 1, t_below(&w->r, N), t_below(&w->r, N));
    case 5:
        return renew(w);
    case 6:
        return gbl_Vector_assign(w->q[1], NULL, NULL, w->q[0], GBL_ALL, N, NULL);
    case 7:
        return gbl_Vector_reduce_FP64(value, NULL, GBL_PLUS_MONOID_FP64, v, NULL);
    case 8:
        return gbl_Vector_eWiseAdd_BinaryOp(w->l, w->p, NULL, GBL_PLUS_FP64, v, w->l, NULL);
    default:
        w->fused += gbl_Vector_explain(&how, w->q[0]) == GBL_SUCCESS && how.fused > 1;
        return GBL_SUCCESS;
    }
}

static gbl_Info count(const World *w, gbl_Vector q, double *value) {
    gbl_Index nvals = 0;
    const gbl_Info info = gbl_Vector_nvals(&nvals, q);
    *value = (double)nvals;
    (void)w;
    return info;
}

static gbl_Info step(World *w, int k, double *value) {
    const gbl_Vector q = w->q[t_chance(&w->r, 0.8) ? 0 : 1];
    *value = 1;
    switch (k % 4) {
    case 0:
        return t_chance(&w->r, 0.9) ? product(w, q) : other(w, value);
    case 3:
        return t_chance(&w->r, 0.5) ? count(w, q, value) : other(w, value);
    default:
        return t_chance(&w->r, 0.85) ? assign(w, q) : other(w, value);
    }
}

static World play(gbl_Mode mode, uint64_t seed, int threads) {
    World w = {.r = t_random(seed)};
    OK(gbl_init(mode));
    OK(gbl_Global_set_INT32(GBL_GLOBAL, threads, GBL_NTHREADS));
    w.type = o_type(t_types[t_below(&w.r, T_COUNT(t_types))]);
    if (t_chance(&w.r, 0.5)) w.type = o_type(t_chance(&w.r, 0.5) ? GBL_INT32_CODE : GBL_INT64_CODE);
    OK(gbl_load(&w.A, w.type.handle, specs[t_below(&w.r, T_COUNT(specs))]));
    for (int k = 0; k < QS; k++) w.q[k] = some_vector(&w.r, w.type, k == 0 ? 0.02 : 0.4);
    w.p = some_bitmap(&w.r, w.type);
    w.l = some_bitmap(&w.r, t_chance(&w.r, 0.7) ? w.type : o_type(GBL_FP32_CODE));
    OK(gbl_Vector_new(&w.narrow, GBL_INT64, N - 1));
    OK(gbl_Descriptor_new(&w.desc));
    OK(gbl_Descriptor_set(w.desc, GBL_MASK, GBL_COMP_STRUCTURE));
    OK(gbl_Descriptor_set(w.desc, GBL_OUTP, GBL_REPLACE));
    for (int k = 0; k < STEPS; k++) {
        w.info[k] = step(&w, k, &w.value[k]);
        w.deferred += gb_is_deferred(&w.q[0]->m);
    }
    const gbl_Vector all[] = {w.q[0], w.q[1], w.p, w.l};
    for (size_t k = 0; k < T_COUNT(all); k++) w.content[k] = t_dense_vector(all[k]);
    for (int k = 0; k < QS; k++) OK(gbl_Vector_free(&w.q[k]));
    FREE(w.p, w.l, w.narrow, w.A, w.desc);
    CHECK_EQ(t_blocks(), 0);
    OK(gbl_finalize());
    return w;
}

Test(fused_search, calls_give_what_they_do_in_blocking_mode) {
    int deferred = 0, fused = 0;
    for (uint64_t seed = 1; seed <= 150; seed++) {
        if (t_left_out()) continue;
        World now = play(GBL_BLOCKING, seed, 1), later = play(GBL_NONBLOCKING, seed, 1 + seed % 3);
        for (int k = 0; k < STEPS; k++) {
            t_case("seed %llu, step %d", (unsigned long long)seed, k);
            CHECK_EQ(later.info[k], now.info[k]);
            CHECK(memcmp(&later.value[k], &now.value[k], sizeof now.value[k]) == 0);
        }
        for (int k = 0; k < QS + 2; k++) {
            t_case("seed %llu, object %d", (unsigned long long)seed, k);
            t_expect_dense("the object", &now.content[k], &later.content[k], 0);
            FREE(now.content[k], later.content[k]);
        }
        CHECK_EQ(now.deferred + now.fused, 0);
        deferred += later.deferred;
        fused += later.fused;
    }
    CHECK(deferred > 0);
    CHECK(fused > 0 || t_samples());
}

/* -- what is put off --------------------------------------------------------------------------- */

/* A level of a search: what the product finds in q goes to p, and a number to l. */
typedef struct {
    gbl_Vector q, p, l;
    gbl_Matrix A;
    gbl_Descriptor desc;
    o_Matrix of_q, of_p, of_l; /* after the level */
} Level;

static void multiply(const Level *s) {
    OK(gbl_vxm(s->q, s->p, NULL, GBL_ANY_SECONDI_SEMIRING_INT32, s->q, s->A, s->desc));
}

static void follow(const Level *s) {
    OK(gbl_Vector_assign(s->p, s->q, NULL, s->q, GBL_ALL, N, GBL_DESC_S));
    OK(gbl_Vector_assign_FP64(s->l, s->q, NULL, 7, GBL_ALL, N, GBL_DESC_S));
}

static Level begin(gbl_Desc_Value method, double density) {
    t_Random r = t_random(5);
    Level s = {.q = some_vector(&r, o_type(GBL_INT32_CODE), density),
               .p = some_bitmap(&r, o_type(GBL_INT32_CODE)),
               .l = some_bitmap(&r, o_type(GBL_FP64_CODE))};
    OK(gbl_load(&s.A, GBL_BOOL, specs[1]));
    OK(gbl_Descriptor_new(&s.desc));
    OK(gbl_Descriptor_set(s.desc, GBL_MASK, GBL_COMP_STRUCTURE));
    OK(gbl_Descriptor_set(s.desc, GBL_OUTP, GBL_REPLACE));
    OK(gbl_Descriptor_set(s.desc, GBL_METHOD, method));
    return s;
}

static void end(Level *s) {
    FREE(s->q, s->p, s->l, s->A, s->desc);
}

/* Call by call, each read before the next one. */
static Level expected(gbl_Desc_Value method, double density) {
    Level s = begin(method, density);
    multiply(&s);
    OK(gbl_Vector_wait(s.q, GBL_MATERIALIZE));
    CHECK(!gb_is_deferred(&s.p->m));
    follow(&s);
    s.of_q = t_dense_vector(s.q);
    s.of_p = t_dense_vector(s.p);
    s.of_l = t_dense_vector(s.l);
    end(&s);
    return s;
}

static void free_expected(Level *s) {
    FREE(s->of_q, s->of_p, s->of_l);
}

static void check_level(const Level *is, const Level *want) {
    t_expect_vector("q", &want->of_q, is->q, 0);
    t_expect_vector("p", &want->of_p, is->p, 0);
    t_expect_vector("l", &want->of_l, is->l, 0);
}

/* Few vertices and many, which are found in other ways. */
static const struct {
    gbl_Desc_Value method;
    double density;
} kinds[] = {{GBL_METHOD_PUSH, 0.01}, {GBL_METHOD_PUSH, 0.6}, {GBL_METHOD_PULL, 0.1}};

/* A gets the set that sums are found in, without which few products are sorted. */
static void make_set(const Level *s) {
    OK(gbl_Descriptor_set(s->desc, GBL_METHOD, GBL_METHOD_PUSH));
    gbl_Vector all = t_new_vector(GBL_INT32, N);
    OK(gbl_Vector_assign_INT32(all, NULL, NULL, 1, GBL_ALL, N, NULL));
    OK(gbl_vxm(all, s->p, NULL, GBL_ANY_SECONDI_SEMIRING_INT32, all, s->A, s->desc));
    OK(gbl_Vector_wait(all, GBL_MATERIALIZE));
    OK(gbl_Vector_free(&all));
}

GB_TEST(fused_search, a_level_is_made_in_one_pass) {
    for (size_t k = 0; k < T_COUNT(kinds); k++) {
        t_case("kind %zu", k);
        Level want = expected(kinds[k].method, kinds[k].density);
        Level s = begin(kinds[k].method, kinds[k].density);
        make_set(&s);
        OK(gbl_Descriptor_set(s.desc, GBL_METHOD, kinds[k].method));
        gbl_Explanation how = GBL_EXPLANATION_INIT;
        char text[20000];
        size_t size = sizeof text;
        multiply(&s);
        CHECK(gb_is_deferred(&s.q->m) && gb_is_deferred(&s.p->m) && gb_is_deferred(&s.A->m));
        follow(&s);
        CHECK(gb_is_deferred(&s.q->m) && gb_is_deferred(&s.l->m));
        OK(gbl_Vector_explain(&how, s.q));
        CHECK(!gb_is_deferred(&s.q->m) && !gb_is_deferred(&s.p->m) && !gb_is_deferred(&s.l->m));
        CHECK(strcmp(how.operation, "vxm") == 0);
        CHECK_EQ(how.fused, 3);
        OK(gbl_Explanation_text(text, &size, &how));
        CHECK(strstr(text, "3, deferred and made together") != NULL);
        CHECK(strstr(how.workflow, "with the assign") != NULL);
        check_level(&s, &want);
        end(&s);
        free_expected(&want);
    }
}

typedef enum {
    READ_Q,
    READ_P,
    READ_L,
    EXPLAIN_Q,
    WRITE_P,
    WRITE_A,
    FREE_Q,
    FREE_P,
    FREE_L,
    FREE_A,
    TOUCHES
} Touch;

static gbl_Info touch_one(Level *s, Touch touch) {
    const gbl_Vector read[] = {s->q, s->p, s->l};
    gbl_Index nvals = 0;
    gbl_Explanation how = GBL_EXPLANATION_INIT;
    switch (touch) {
    case READ_Q:
    case READ_P:
    case READ_L:
        return gbl_Vector_nvals(&nvals, read[touch]);
    case EXPLAIN_Q:
        return gbl_Vector_explain(&how, s->q);
    case WRITE_P:
        return gbl_Vector_setElement_INT32(s->p, 5, 0);
    case WRITE_A:
        return gbl_Matrix_clear(s->A);
    case FREE_Q:
        return gbl_Vector_free(&s->q);
    case FREE_P:
        return gbl_Vector_free(&s->p);
    case FREE_L:
        return gbl_Vector_free(&s->l);
    default:
        return gbl_Matrix_free(&s->A);
    }
}

static void check_rest(const Level *s, Touch touch, const Level *want) {
    if (s->q != NULL) t_expect_vector("q", &want->of_q, s->q, 0);
    if (s->p != NULL && touch != WRITE_P) t_expect_vector("p", &want->of_p, s->p, 0);
    if (s->l != NULL) t_expect_vector("l", &want->of_l, s->l, 0);
}

/* What touches any of them makes all of it first. */
GB_TEST(fused_search, operands_may_be_read_and_change_and_go) {
    Level want = expected(GBL_DEFAULT, 0.01);
    for (Touch touch = READ_Q; touch < TOUCHES; touch++) {
        Level s = begin(GBL_DEFAULT, 0.01);
        t_case("touch %d", (int)touch);
        multiply(&s);
        follow(&s);
        OK(touch_one(&s, touch));
        if (s.q != NULL) CHECK(!gb_is_deferred(&s.q->m));
        if (s.p != NULL) CHECK(!gb_is_deferred(&s.p->m));
        check_rest(&s, touch, &want);
        end(&s);
    }
    free_expected(&want);
}

/* A product that nothing follows is not made where its result goes, and masks of such products
 * are left alone after a while. */
GB_TEST(fused_search, products_that_nothing_follows) {
    Level s = begin(GBL_DEFAULT, 0.01);
    multiply(&s);
    OK(gbl_Vector_free(&s.q));
    CHECK(!gb_is_deferred(&s.p->m) && !gb_is_deferred(&s.A->m));
    OK(gbl_Vector_new(&s.q, GBL_INT32, N));
    for (unsigned k = 0; k <= GB_FUSED_IN_VAIN; k++) {
        OK(gbl_Vector_setElement_INT32(s.q, 1, k));
        multiply(&s);
        CHECK_EQ(gb_is_deferred(&s.q->m), k < GB_FUSED_IN_VAIN);
        OK(gbl_Vector_wait(s.q, GBL_MATERIALIZE));
    }
    end(&s);
}

static void first(void *z, const void *x, const void *y) {
    (void)y;
    *(int32_t *)z = *(const int32_t *)x;
}

/* Other masks, other monoids, functions of the user's; a mask that is the output. */
GB_TEST(fused_search, others_are_made_at_once) {
    Level s = begin(GBL_DEFAULT, 0.01);
    gbl_BinaryOp op = NULL;
    gbl_Semiring own = NULL;
    OK(gbl_BinaryOp_new(&op, first, GBL_INT32, GBL_INT32, GBL_INT32));
    OK(gbl_Semiring_new(&own, GBL_ANY_MONOID_INT32, op));
    const gbl_Semiring ring = GBL_ANY_SECONDI_SEMIRING_INT32;
    OK(gbl_vxm(s.q, s.p, NULL, ring, s.q, s.A, GBL_DESC_RC));
    OK(gbl_vxm(s.q, s.p, NULL, ring, s.q, s.A, GBL_DESC_SC));
    CHECK(!gb_is_deferred(&s.q->m));
    OK(gbl_vxm(s.q, s.p, NULL, GBL_MIN_SECONDI_SEMIRING_INT32, s.q, s.A, GBL_DESC_RSC));
    CHECK(!gb_is_deferred(&s.q->m));
    OK(gbl_vxm(s.q, s.p, NULL, own, s.q, s.A, GBL_DESC_RSC));
    CHECK(!gb_is_deferred(&s.q->m));
    OK(gbl_vxm(s.p, s.p, NULL, ring, s.q, s.A, GBL_DESC_RSC));
    CHECK(!gb_is_deferred(&s.p->m));
    FREE(own, op);
    end(&s);
}

GB_TEST(fused_search, errors_belong_to_the_call) {
    Level want = expected(GBL_DEFAULT, 0.01), s = begin(GBL_DEFAULT, 0.01);
    gbl_Vector narrow = t_new_vector(GBL_INT32, N - 1);
    const gbl_Semiring ring = GBL_ANY_SECONDI_SEMIRING_INT32;
    FAILS(GBL_DIMENSION_MISMATCH, gbl_vxm(s.q, s.p, NULL, ring, narrow, s.A, GBL_DESC_RSC));
    FAILS(GBL_DIMENSION_MISMATCH, gbl_vxm(narrow, s.p, NULL, ring, s.q, s.A, GBL_DESC_RSC));
    OK(gbl_Descriptor_set(s.desc, GBL_METHOD, GBL_METHOD_DOT));
    FAILS(GBL_INVALID_VALUE, gbl_vxm(s.q, s.p, NULL, ring, s.q, s.A, s.desc));
    OK(gbl_Descriptor_set(s.desc, GBL_METHOD, GBL_DEFAULT));
    multiply(&s);
    FAILS(GBL_DIMENSION_MISMATCH,
          gbl_Vector_assign(s.p, s.q, NULL, narrow, GBL_ALL, N, GBL_DESC_S));
    FAILS(GBL_DIMENSION_MISMATCH,
          gbl_Vector_assign_INT32(narrow, s.q, NULL, 3, GBL_ALL, N - 1, GBL_DESC_S));
    CHECK(gb_is_deferred(&s.q->m));
    follow(&s);
    check_level(&s, &want);
    OK(gbl_Vector_free(&narrow));
    end(&s);
    free_expected(&want);
}

/* -- no memory --------------------------------------------------------------------------------- */

/* False: fewer than n allocations. The call that asks for the level fails, and the next one makes
 * it; what is freed stays until then. */
static bool fail(int64_t n, size_t kind, Touch touch, const Level *want) {
    Level s = begin(kinds[kind].method, kinds[kind].density);
    multiply(&s);
    follow(&s);
    bool failed;
    const gbl_Info info = FAIL_AT(n, touch_one(&s, touch), &failed);
    if (s.p != NULL && gb_is_deferred(&s.p->m)) { /* its bytes are as they were */
        gbl_Index there = 0;
        for (gbl_Index k = 0; k < N; k++) there += s.p->m.dense.b[k] != 0;
        CHECK_EQ(there, s.p->m.nvals);
    }
    if (info != GBL_SUCCESS) OK(touch_one(&s, touch));
    check_rest(&s, touch, want);
    end(&s);
    return failed;
}

BRUTAL(levels_of_a_search) {
    for (size_t k = 0; k < T_COUNT(kinds); k++)
        for (Touch touch = READ_Q; touch < TOUCHES; touch++) {
            if (t_left_out()) continue;
            Level want = expected(kinds[k].method, kinds[k].density);
            int64_t n = 1;
            do t_case("kind %zu, touch %d, allocation %lld fails", k, (int)touch, (long long)n);
            while (fail(n++, k, touch, &want));
            CHECK(n > 2);
            free_expected(&want);
        }
}
