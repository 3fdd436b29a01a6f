/* SPDX-License-Identifier: Apache-2.0
 *
 * gbl_mxm_reduce: the value of a product and a reduction, for all monoids, masks and methods. The
 * oracle multiplies and folds; where ANY leaves a choice, gbl_mxm and gbl_Matrix_reduce do. Sums
 * are exact but in one test, where they must be the same for all numbers of threads.
 */
#include "support/gb_test.h"

#include <math.h>
#include <string.h>

enum { SIDE = 14 };

/* -- a case ------------------------------------------------------------------------------------ */

typedef struct {
    const char *name;
    const o_Ring *ring;
    const o_Monoid *monoid;
    o_Type x;
    o_Binary accum;
    t_Flags flags;
    uint64_t seed;
    double density;
} fold_case;

typedef struct {
    o_Matrix A, B, M;
    gbl_Matrix gA, gB, gM;
    gbl_BinaryOp accum;
    gbl_Descriptor desc;
} operands;

static operands begin(const fold_case *of) {
    t_Random r = t_random(of->seed);
    operands o = {.accum = of->flags.accum ? of->accum.handle : NULL,
                  .desc = t_descriptor(&of->flags)};
    t_Content c = {of->ring->multiply.x, SIDE, SIDE, T_RANDOM, of->density, false, false};
    o.A = t_generate(&r, &c);
    c.type = of->ring->multiply.y;
    o.B = t_generate(&r, &c);
    c.type = o_type(GBL_INT8_CODE);
    o.M = t_generate(&r, &c);
    o.gA = t_matrix(&o.A);
    o.gB = t_matrix(&o.B);
    if (t_has_mask(of->flags.mask)) o.gM = t_matrix(&o.M);
    return o;
}

static void end(operands *o) {
    FREE(o->gA, o->gB);
    if (o->gM != NULL) OK(gbl_Matrix_free(&o->gM));
    FREE(o->desc, o->A, o->B, o->M);
}

static gbl_Info fold(o_Value *x, const fold_case *of, const operands *o) {
    const gbl_Monoid monoid = of->monoid->handle;
    const gbl_Semiring ring = of->ring->handle;
#define CASE(N, T)                                                                                 \
    case GBL_##N##_CODE:                                                                           \
        return gbl_mxm_reduce_##N((T *)(void *)x, o->gM, o->accum, monoid, ring, o->gA, o->gB,     \
                                  o->desc);
    switch (of->x.code) {
        GBL_FOREACH_TYPE(CASE)
        GBL_FOREACH_COMPLEX(CASE)
    default:
        return gbl_mxm_reduce_UDT(x, o->gM, o->accum, monoid, ring, o->gA, o->gB, o->desc);
    }
#undef CASE
}

/* x accum= the fold of the product; the product by the oracle, or by the library where ANY does not
 * say which entries it has. */
static o_Value expected(const fold_case *of, const operands *o, o_Value before) {
    o_Matrix T = o_new(of->ring->add.z, SIDE, SIDE);
    o_Rule rule = t_rule(&of->flags, &o->M, NULL);
    gbl_Matrix C = t_new_matrix(T.type.handle, SIDE, SIDE);
    OK(gbl_mxm(C, o->gM, NULL, of->ring->handle, o->gA, o->gB, o->desc));
    o_Matrix found = t_dense(C);
    OK(gbl_Matrix_free(&C));
    o_mxm(&T, &rule, &(o_Product){of->ring, &o->A, &o->B, &found});
    t_expect_dense("the product", &T, &found, 0);
    o_Cell sum = o_reduce(&of->monoid->op, &T), cell = {true, before};
    if (!sum.has) sum = (o_Cell){true, of->monoid->identity};
    o_Matrix X = {of->x, 1, 1, &cell}, S = {of->monoid->op.z, 1, 1, &sum};
    rule = (o_Rule){.accum = of->flags.accum ? &of->accum : NULL};
    o_assign(&X, &rule, &S);
    FREE(T, found);
    return cell.v;
}

static void run(const fold_case *of) {
    t_case("%s seed %llu, type %d, accum %d, %s", of->name, (unsigned long long)of->seed,
           (int)of->x.code, (int)of->accum.op, t_flags_text(&of->flags));
    operands o = begin(of);
    t_Random r = t_random(of->seed + 5);
    const o_Value before = t_value(&r, of->x);
    o_Cell e = {true, expected(of, &o, before)}, f = {true, before};
    OK(fold(&f.v, of, &o));
    o_Matrix E = {of->x, 1, 1, &e}, F = {of->x, 1, 1, &f};
    t_expect_dense("x", &E, &F, 0);
    end(&o);
}

/* -- monoids, semirings, masks, methods -------------------------------------------------------- */

static const gbl_Desc_Value methods[] = {GBL_METHOD_DOT, GBL_DEFAULT, GBL_METHOD_ROWWISE,
                                         GBL_METHOD_TILED, GBL_METHOD_OUTER};

static void choose(fold_case *of, size_t n) {
    const bool inside = of->flags.mask == T_VALUED || of->flags.mask == T_STRUCTURAL;
    of->flags.method = methods[n % (inside ? 2 : T_COUNT(methods))];
    if (!inside && of->flags.method == GBL_METHOD_DOT) of->flags.method = GBL_DEFAULT;
}

static bool has_quotients(const o_Ring *ring) {
    return (ring->multiply.op == O_DIV || ring->multiply.op == O_RDIV) &&
           (ring->add.z.code == GBL_FC32_CODE || ring->add.z.code == GBL_FC64_CODE);
}

/* Sums that are exact: products of many values are not, and ANY is another test. */
static bool is_exact(const o_Monoid *monoid) {
    return monoid->op.op != O_ANY && !(monoid->op.op == O_TIMES && t_is_float(monoid->op.z.code));
}

GB_TEST(mxm_reduce, monoids) {
    for (size_t m = 0; m < t_monoid_count; m++) {
        const o_Monoid monoid = t_monoid(&t_monoids[m]);
        if (!is_exact(&monoid)) continue;
        for (unsigned f = 0; f < T_FLAGS_ALL; f += 5) {
            const t_Ring *entry = &t_rings[(m * 31 + f * 7) % t_ring_count];
            const o_Ring ring = t_ring(entry);
            if (ring.add.op == O_ANY) continue; /* keeps a value that depends on the method */
            fold_case of = {.name = t_monoids[m].name, .ring = &ring, .monoid = &monoid};
            of.flags = t_flags((f + (unsigned)m) % T_FLAGS_ALL);
            of.seed = 1000 * m + f;
            of.x = f % 3 == 0 ? o_type(t_types[f % T_COUNT(t_types)]) : monoid.op.z;
            of.accum = t_find_binary(f % 2 ? O_PLUS : O_FIRST, of.x.code);
            of.density = f % 11 == 10 ? 0.0 : 0.3;
            choose(&of, f);
            run(&of);
        }
    }
}

/* The semiring's own monoid: what DOT folds without storing it. */
GB_TEST(mxm_reduce, semirings) {
    for (size_t k = 0; k < t_ring_count; k++) {
        const o_Ring ring = t_ring(&t_rings[k]);
        for (size_t m = 0; m < t_monoid_count; m++) {
            const o_Monoid monoid = t_monoid(&t_monoids[m]);
            if (monoid.op.z.code != ring.add.z.code || !is_exact(&monoid)) continue;
            if (has_quotients(&ring)) continue; /* their sums round by order */
            for (unsigned f = 0; f < 3; f++) {
                fold_case of = {.name = t_rings[k].name, .ring = &ring, .monoid = &monoid};
                of.flags = t_flags((unsigned)(k + 37 * m + 50 * f) % T_FLAGS_ALL);
                of.flags.mask = f == 0 ? T_VALUED : T_STRUCTURAL;
                of.flags.method = GBL_METHOD_DOT;
                of.seed = 10000 * k + 100 * m + f;
                of.x = monoid.op.z;
                of.accum = t_find_binary(O_SECOND, of.x.code);
                of.density = 0.3;
                run(&of);
            }
        }
    }
}

GB_TEST(mxm_reduce, user_types) {
    t_User users[] = {t_user_path(), t_user_colour()};
    for (size_t u = 0; u < T_COUNT(users); u++) {
        for (unsigned f = 0; f < T_FLAGS_ALL; f++) {
            fold_case of = {.name = "user", .ring = &users[u].ring, .monoid = &users[u].monoid};
            of.flags = t_flags(f);
            of.seed = 77 * u + f;
            of.x = users[u].type;
            of.accum = users[u].minus;
            of.density = 0.2;
            choose(&of, f);
            run(&of);
        }
    }
    t_user_free(&users[0]);
    t_user_free(&users[1]);
}

/* -- large products: many chunks --------------------------------------------------------------- */

enum { LARGE = 3000, PER_ROW = 24 };

static gbl_Matrix large(uint64_t seed, bool whole) {
    t_Random r = t_random(seed);
    gbl_Matrix A = t_new_matrix(GBL_FP64, LARGE, LARGE);
    for (gbl_Index e = 0; e < LARGE * PER_ROW; e++) {
        const double x = (double)(1 + t_below(&r, 9)) / (whole ? 1 : 7);
        const gbl_Index i = t_below(&r, LARGE), j = t_below(&r, LARGE) * t_below(&r, LARGE) / LARGE;
        OK(gbl_Matrix_setElement_FP64(A, x, i, j));
    }
    return A;
}

/* Floats are summed in one order, whatever the threads; close to that of reduce. */
GB_TEST(mxm_reduce, same_for_all_threads) {
    gbl_Matrix A = large(1, false), C = NULL;
    double first = 0, apart = 0;
    OK(gbl_Matrix_new(&C, GBL_FP64, LARGE, LARGE));
    OK(gbl_mxm(C, A, NULL, GBL_PLUS_TIMES_SEMIRING_FP64, A, A, GBL_DESC_ST1));
    OK(gbl_Matrix_reduce_FP64(&apart, NULL, GBL_PLUS_MONOID_FP64, C, NULL));
    for (int32_t threads = 1; threads <= 4; threads++) {
        for (int limited = 0; limited < 2; limited++) {
            gbl_Descriptor desc = t_descriptor(
                &(t_Flags){.mask = T_STRUCTURAL, .tran1 = true, .method = GBL_METHOD_DOT});
            double sum = 0;
            t_case("%d threads%s", (int)threads, limited ? ", limited" : "");
            OK(gbl_Global_set_INT32(GBL_GLOBAL, threads, GBL_NTHREADS));
            OK(gbl_Global_set_INT64(GBL_GLOBAL, limited ? 4 << 20 : 0, GBL_MEMORY_LIMIT));
            OK(gbl_mxm_reduce_FP64(&sum, A, NULL, GBL_PLUS_MONOID_FP64,
                                   GBL_PLUS_TIMES_SEMIRING_FP64, A, A, desc));
            if (threads == 1 && !limited) first = sum;
            CHECK(sum == first);
            CHECK(fabs(sum - apart) <= 1e-12 * fabs(apart));
            OK(gbl_Descriptor_free(&desc));
        }
    }
    OK(gbl_Global_set_INT64(GBL_GLOBAL, 0, GBL_MEMORY_LIMIT));
    FREE(A, C);
}

/* ANY takes the first entry of the product, and a terminal value is the result, for all threads. */
GB_TEST(mxm_reduce, early_stops) {
    gbl_Matrix A = large(2, true), C = NULL;
    double entries[1] = {0}, any = 0, least = 0, right = 0;
    OK(gbl_Matrix_setElement_FP64(A, -INFINITY, 1500, 3));
    OK(gbl_Matrix_setElement_FP64(A, 1, 1501, 3));
    OK(gbl_Matrix_setElement_FP64(A, 1, 1500, 1501));
    OK(gbl_Matrix_new(&C, GBL_FP64, LARGE, LARGE));
    OK(gbl_mxm(C, A, NULL, GBL_MIN_PLUS_SEMIRING_FP64, A, A, GBL_DESC_ST1));
    OK(gbl_Matrix_reduce_FP64(&right, NULL, GBL_MIN_MONOID_FP64, C, NULL));
    CHECK(right == -INFINITY);
    OK(gbl_Matrix_reduce_FP64(entries, NULL, GBL_ANY_MONOID_FP64, C, NULL));
    for (int32_t threads = 1; threads <= 4; threads++) {
        gbl_Descriptor desc =
            t_descriptor(&(t_Flags){.mask = T_STRUCTURAL, .tran1 = true, .method = GBL_METHOD_DOT});
        t_case("%d threads", (int)threads);
        OK(gbl_Global_set_INT32(GBL_GLOBAL, threads, GBL_NTHREADS));
        OK(gbl_mxm_reduce_FP64(&any, A, NULL, GBL_ANY_MONOID_FP64, GBL_MIN_PLUS_SEMIRING_FP64, A, A,
                               desc));
        CHECK(any == entries[0]);
        OK(gbl_mxm_reduce_FP64(&least, A, NULL, GBL_MIN_MONOID_FP64, GBL_MIN_PLUS_SEMIRING_FP64, A,
                               A, desc));
        CHECK(least == right);
        OK(gbl_Descriptor_free(&desc));
    }
    FREE(A, C);
}

/* -- a matrix times itself inside itself ------------------------------------------------------- */

/* n vertices with about `mean` edges each, no vertex with more than its place in n allows; loops at
 * every fifth vertex; one edge without its other direction. */
static gbl_Matrix network(uint64_t seed, gbl_Index n, gbl_Index mean, bool loops, bool one_way) {
    t_Random r = t_random(seed);
    gbl_Matrix A = t_new_matrix(GBL_BOOL, n, n);
    for (gbl_Index e = 0; e < n * mean / 2; e++) {
        const gbl_Index i = t_below(&r, n), j = (i + 1 + t_below(&r, n / 2)) % n;
        if (i == j) continue;
        OK(gbl_Matrix_setElement_BOOL(A, true, i, j));
        OK(gbl_Matrix_setElement_BOOL(A, true, j, i));
    }
    for (gbl_Index i = 0; loops && i < n; i += 5) OK(gbl_Matrix_setElement_BOOL(A, true, i, i));
    if (one_way) OK(gbl_Matrix_removeElement(A, 0, 1));
    if (one_way) OK(gbl_Matrix_setElement_BOOL(A, true, 1, 0));
    return A;
}

/* x = 10 + what C<A> = A * A' sums to: stored and reduced, and as one call. */
static void sum_closed(gbl_Matrix A, gbl_Semiring ring, gbl_Monoid monoid, gbl_Type type) {
    gbl_Descriptor desc =
        t_descriptor(&(t_Flags){.mask = T_STRUCTURAL, .tran1 = true, .method = GBL_METHOD_DOT});
    int64_t apart = 0, x = 10;
    const gbl_Index n = t_nrows(A);
    gbl_Matrix C = t_new_matrix(type, n, n);
    OK(gbl_mxm(C, A, NULL, ring, A, A, desc));
    OK(gbl_Matrix_reduce_INT64(&apart, NULL, monoid, C, NULL));
    OK(gbl_mxm_reduce_INT64(&x, A, GBL_PLUS_INT64, monoid, ring, A, A, desc));
    CHECK_EQ(x, 10 + apart);
    OK(gbl_mxm_reduce_INT64(&x, A, GBL_PLUS_INT64, monoid, ring, A, A, GBL_DESC_ST1));
    CHECK_EQ(x, 10 + 2 * apart);
    FREE(C, desc);
}

GB_TEST(mxm_reduce, closed_walks) {
    static const gbl_Index sizes[] = {2, 3, 7, 40, 150, 700};
    for (size_t s = 0; s < T_COUNT(sizes); s++) {
        for (unsigned f = 0; f < 32; f++) {
            const gbl_Index n = sizes[s], mean = (gbl_Index[]){1, 3, 9, 60}[f / 4 % 4];
            gbl_Matrix A = network(100 * s + f, n, mean, f & 1, f & 2);
            t_case("%d vertices, %d edges each, %u", (int)n, (int)mean, f);
            OK(gbl_Global_set_INT64(GBL_GLOBAL, f < 16 ? 0 : 32 << 20, GBL_MEMORY_LIMIT));
            sum_closed(A, GBL_PLUS_PAIR_SEMIRING_INT64, GBL_PLUS_MONOID_INT64, GBL_INT64);
            sum_closed(A, GBL_PLUS_PAIR_SEMIRING_INT32, GBL_PLUS_MONOID_INT32, GBL_INT32);
            sum_closed(A, GBL_PLUS_PAIR_SEMIRING_FP64, GBL_PLUS_MONOID_FP64, GBL_FP64);
            sum_closed(A, GBL_PLUS_PAIR_SEMIRING_INT64, GBL_MAX_MONOID_INT64, GBL_INT64);
            /* what was known of A no longer holds */
            OK(gbl_Matrix_setElement_BOOL(A, true, n - 1, 0));
            OK(gbl_Matrix_removeElement(A, 0, n - 1));
            sum_closed(A, GBL_PLUS_PAIR_SEMIRING_INT64, GBL_PLUS_MONOID_INT64, GBL_INT64);
            OK(gbl_Matrix_free(&A));
        }
    }
    OK(gbl_Global_set_INT64(GBL_GLOBAL, 0, GBL_MEMORY_LIMIT));
}

/* Lists may share the pointers and not the indices: on a circle those two steps apart have one
 * neighbour in common, and there is no triangle. */
GB_TEST(mxm_reduce, lent_pointers_are_shared) {
    enum { N = 8 };
    static uint64_t p[N + 1];
    static uint32_t near[2 * N], far[2 * N];
    bool one = true;
    gbl_Matrix A = NULL, M = NULL;
    int64_t sum = -1;
    for (uint32_t i = 0; i < N; i++) {
        const uint32_t wide[] = {(i + 2) % N, (i + N - 2) % N},
                       next[] = {(i + 1) % N, (i + N - 1) % N};
        p[i + 1] = 2 * i + 2;
        for (int k = 0; k < 2; k++) {
            near[2 * i + (uint32_t)k] = next[k ^ (next[0] > next[1])];
            far[2 * i + (uint32_t)k] = wide[k ^ (wide[0] > wide[1])];
        }
    }
    const gbl_Arrays a = {p, near, &one, true}, m = {p, far, &one, true};
    OK(gbl_Matrix_lend(&A, GBL_BOOL, N, N, GBL_CSR_FORMAT, &a, NULL));
    OK(gbl_Matrix_lend(&M, GBL_BOOL, N, N, GBL_CSR_FORMAT, &m, NULL));
    OK(gbl_mxm_reduce_INT64(&sum, M, NULL, GBL_PLUS_MONOID_INT64, GBL_PLUS_PAIR_SEMIRING_INT64, A,
                            A, GBL_DESC_ST1));
    CHECK_EQ(sum, 2 * N);
    FREE(A, M);
}

/* -- errors ------------------------------------------------------------------------------------ */

GB_TEST(mxm_reduce, errors) {
    gbl_Matrix none = NULL;
    int64_t x = 3;
    const gbl_Monoid plus = GBL_PLUS_MONOID_INT64;
    const gbl_Semiring ring = GBL_PLUS_TIMES_SEMIRING_INT64;
    t_User user = t_user_path();
    gbl_Matrix A = t_new_matrix(GBL_INT64, 4, 5), B = t_new_matrix(GBL_INT64, 5, 4);
    FAILS(GBL_NULL_POINTER, gbl_mxm_reduce_INT64(NULL, NULL, NULL, plus, ring, A, B, NULL));
    FAILS(GBL_NULL_POINTER, gbl_mxm_reduce_INT64(&x, NULL, NULL, NULL, ring, A, B, NULL));
    FAILS(GBL_NULL_POINTER, gbl_mxm_reduce_INT64(&x, NULL, NULL, plus, NULL, A, B, NULL));
    FAILS(GBL_NULL_POINTER, gbl_mxm_reduce_INT64(&x, NULL, NULL, plus, ring, none, B, NULL));
    FAILS(GBL_NULL_POINTER, gbl_mxm_reduce_INT64(&x, NULL, NULL, plus, ring, A, none, NULL));
    FAILS(GBL_DIMENSION_MISMATCH, gbl_mxm_reduce_INT64(&x, NULL, NULL, plus, ring, A, A, NULL));
    FAILS(GBL_DIMENSION_MISMATCH, gbl_mxm_reduce_INT64(&x, A, NULL, plus, ring, A, B, NULL));
    FAILS(GBL_DOMAIN_MISMATCH,
          gbl_mxm_reduce_INT64(&x, NULL, NULL, user.monoid.handle, ring, A, B, NULL));
    FAILS(GBL_DOMAIN_MISMATCH,
          gbl_mxm_reduce_INT64(&x, NULL, user.minus.handle, plus, ring, A, B, NULL));
    FAILS(GBL_DOMAIN_MISMATCH,
          gbl_mxm_reduce_INT64(&x, NULL, NULL, plus, user.ring.handle, A, B, NULL));
    CHECK_EQ(x, 3);
    OK(gbl_mxm_reduce_INT64(&x, NULL, NULL, plus, ring, A, B, NULL));
    CHECK_EQ(x, 0);
    FREE(A, B);
    t_user_free(&user);
}
