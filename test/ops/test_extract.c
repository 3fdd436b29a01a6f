/* SPDX-License-Identifier: Apache-2.0
 *
 * extract by an array and by a vector of indices, and scatter, against dense loops: types, masks,
 * accumulators, lists and dense vectors, repeated and missing places.
 */
#include "support/frame.h"

#include <stdlib.h>

/* n places below `limit`; has tells where there is one. */
typedef struct {
    gbl_Index *I, n;
    bool *has;
} places;

static places random_places(uint64_t seed, gbl_Index n, gbl_Index limit, double density) {
    t_Random r = t_random(seed + 77);
    places p = {malloc((n + 1) * sizeof *p.I), n, malloc(n + 1)};
    for (gbl_Index k = 0; k < n; k++) {
        p.I[k] = limit > 0 ? t_below(&r, limit) : 0;
        p.has[k] = limit > 0 && t_chance(&r, density);
    }
    return p;
}

static void free_places(places *p) {
    free(p->I);
    free(p->has);
}

static gbl_Vector vector_of(const places *p, gbl_Type type) {
    gbl_Vector v = t_new_vector(type, p->n);
    for (gbl_Index k = 0; k < p->n; k++)
        if (p->has[k]) OK(gbl_Vector_setElement_UINT64(v, p->I[k], k));
    return v;
}

/* A case whose output and mask have `n` elements; u is apart, as its length is another. */
typedef struct {
    t_Frame x;
    o_Matrix u;
    gbl_Vector gu;
} frame;

static void begin(frame *f, const t_FrameCase *of, gbl_Index length, double density) {
    t_begin(&f->x, of);
    t_Random r = t_random(of->seed + 99);
    f->u = t_generate(&r, &(t_Content){of->a, length, 1, T_RANDOM, density, of->wild, of->iso});
    f->gu = of->iso ? t_iso_vector(&f->u) : t_vector(&f->u);
}

static void end(frame *f, o_Matrix *T) {
    o_assign(&f->x.C, &f->x.rule, T);
    t_expect_vector("source", &f->u, f->gu, 0);
    FREE(f->gu, f->u);
    o_free(T);
    t_end(&f->x);
}

static const double densities[] = {1, 0.6, 0.03};

static gbl_Type index_type(uint64_t seed, gbl_Index limit) {
    if (limit > 100) return seed % 2 ? GBL_INT32 : GBL_UINT64;
    switch (seed % 4) {
    case 0:
        return GBL_INT8;
    case 1:
        return GBL_UINT32;
    case 2:
        return GBL_INT64;
    default:
        return GBL_UINT16;
    }
}

static void run_extract(const t_FrameCase *of, bool by_vector) {
    const gbl_Index length = of->seed % 3 == 0 ? 90 : of->seed % 3 == 1 ? 700 : 5;
    frame f;
    begin(&f, of, length, densities[of->seed % 7 % 3]);
    places p = random_places(of->seed, of->nrows, length, by_vector ? densities[of->seed % 3] : 1);
    o_Matrix T = o_new(of->a, of->nrows, 1);
    for (gbl_Index k = 0; k < p.n; k++)
        if (p.has[k]) T.x[k] = f.u.x[p.I[k]];
    if (by_vector) {
        gbl_Vector I = vector_of(&p, index_type(of->seed, length));
        OK(gbl_Vector_extract_Vector(f.x.w, f.x.v, f.x.accum, f.gu, I, f.x.desc));
        OK(gbl_Vector_free(&I));
    } else {
        OK(gbl_Vector_extract(f.x.w, f.x.v, f.x.accum, f.gu, p.I, p.n, f.x.desc));
    }
    free_places(&p);
    end(&f, &T);
}

GB_TEST(extract, places) {
    for (unsigned f = 0; f < T_FLAGS_ALL; f++) {
        for (unsigned k = 0; k < 14; k++) {
            t_FrameCase of =
                t_frame_case("extract", o_type(t_types[k % T_COUNT(t_types)]), f, true);
            of.seed = 14 * f + k;
            of.iso = of.seed % 9 == 4;
            of.density = k % 2 ? 0.04 : 0.5;
            run_extract(&of, k % 2);
        }
    }
}

GB_TEST(extract, typecasts_and_user_types) {
    t_User user = t_user_path();
    for (uint64_t seed = 0; seed < 600; seed++) {
        t_FrameCase of = t_frame_case("extract", o_type(t_types[seed % T_COUNT(t_types)]),
                                      (unsigned)(seed % T_FLAGS_ALL), true);
        of.seed = seed;
        of.a = o_type(t_types[seed / T_COUNT(t_types) % T_COUNT(t_types)]);
        run_extract(&of, seed % 2);
        of = t_frame_case("extract", user.type, (unsigned)(seed % T_FLAGS_ALL), true);
        of.seed = seed;
        of.accum = user.minus;
        run_extract(&of, seed % 2);
    }
    t_user_free(&user);
}

GB_TEST(extract, all_of_it) {
    for (unsigned f = 0; f < T_FLAGS_ALL; f++) {
        t_FrameCase of = t_frame_case("extract all", o_type(GBL_INT32_CODE), f, true);
        t_Frame x;
        of.seed = f;
        t_begin(&x, &of);
        OK(gbl_Vector_extract(x.w, x.v, x.accum, x.u, GBL_ALL, 0, x.desc));
        o_assign(&x.C, &x.rule, x.a);
        t_end(&x);
    }
}

/* -- scatter */

static void run_scatter(const t_FrameCase *of, const o_Binary *dup) {
    const gbl_Index length = of->seed % 3 == 0 ? 90 : of->seed % 3 == 1 ? 700 : 5;
    const o_Place here = {0, 0, 0};
    frame f;
    begin(&f, of, length, densities[of->seed % 7 % 3]);
    places p = random_places(of->seed, length, of->nrows, densities[of->seed / 3 % 3]);
    o_Matrix T = o_new(dup->z, of->nrows, 1);
    for (gbl_Index k = 0; k < p.n; k++) {
        if (!p.has[k] || !f.u.x[k].has) continue;
        o_Cell *z = &T.x[p.I[k]];
        const o_Value v = o_cast(dup->z, of->a, f.u.x[k].v);
        *z = (o_Cell){true, z->has ? o_binary(dup, z->v, v, here) : v};
    }
    gbl_Vector I = vector_of(&p, index_type(of->seed, of->nrows));
    OK(gbl_Vector_scatter(f.x.w, f.x.v, f.x.accum, dup->handle, f.gu, I, f.x.desc));
    OK(gbl_Vector_free(&I));
    free_places(&p);
    end(&f, &T);
}

GB_TEST(scatter, places) {
    static const o_Opcode ops[] = {O_MIN, O_PLUS, O_MINUS, O_FIRST, O_SECOND};
    for (unsigned f = 0; f < T_FLAGS_ALL; f++) {
        for (unsigned k = 0; k < 12; k++) {
            const gbl_Type_Code code = t_types[1 + (f + k) % 10];
            t_FrameCase of = t_frame_case("scatter", o_type(code), f, true);
            of.seed = 12 * f + k;
            of.iso = of.seed % 9 == 4;
            of.nrows = k % 3 == 0 ? 60000 : k % 3 == 1 ? 47 : 900;
            if (k % 3 == 0 && f % 24 != 7) continue; /* large ones: not all */
            of.density = k % 2 ? 0.002 : 0.5;
            if (k % 4 == 3) of.a = o_type(t_types[(f + 3 * k) % T_COUNT(t_types)]);
            const o_Binary dup = t_find_binary(ops[(f + k) % 5], code);
            run_scatter(&of, &dup);
        }
    }
}

/* Every operator T x T -> T: those of predefined monoids have a loop each (semiring/fold.c). */
GB_TEST(scatter, every_operator) {
    for (size_t k = 0; k < t_binary_count; k++) {
        const o_Binary dup = t_binary(&t_binaries[k]);
        if (dup.x.code != dup.z.code || dup.y.code != dup.z.code || dup.op == O_ANY) continue;
        for (unsigned n = 0; n < 6; n++) {
            if (t_left_out()) continue;
            t_FrameCase of = t_frame_case(t_binaries[k].name, dup.z, 0, true);
            of.seed = 6 * k + n;
            of.wild = !t_is_float(dup.z.code);
            of.density = n % 2 ? 0.5 : 1.0;
            run_scatter(&of, &dup);
        }
    }
}

GB_TEST(scatter, user_types) {
    t_User user = t_user_path();
    for (unsigned f = 0; f < T_FLAGS_ALL; f++) {
        t_FrameCase of = t_frame_case("scatter", user.type, f, true);
        of.seed = f;
        of.accum = user.minus;
        of.nrows = f % 2 ? 47 : 2000;
        of.density = 0.02;
        run_scatter(&of, &user.minus);
    }
    t_user_free(&user);
}

/* The order of the fold does not depend on threads. */
GB_TEST(scatter, any_number_of_threads) {
    const gbl_Index n = 50000;
    gbl_Vector u = t_new_vector(GBL_FP64, n), I = t_new_vector(GBL_UINT32, n);
    t_Random r = t_random(4);
    for (gbl_Index k = 0; k < n; k++) {
        OK(gbl_Vector_setElement_FP64(u, 1.0 / (double)(1 + t_below(&r, 1000)), k));
        OK(gbl_Vector_setElement_UINT32(I, (uint32_t)t_below(&r, 100), k));
    }
    gbl_Vector w = t_new_vector(GBL_FP64, 100);
    double first[100];
    for (int32_t threads = 1; threads < 5; threads++) {
        OK(gbl_Global_set_INT32(GBL_GLOBAL, threads, GBL_NTHREADS));
        OK(gbl_Vector_scatter(w, NULL, NULL, GBL_PLUS_FP64, u, I, NULL));
        for (gbl_Index k = 0; k < 100; k++) {
            double x;
            OK(gbl_Vector_extractElement_FP64(&x, w, k));
            if (threads == 1) first[k] = x;
            CHECK(x == first[k]);
        }
    }
    FREE(u, I, w);
}

/* Entry k of u and I, each there or not. */
typedef struct {
    gbl_Index n, m; /* length of u and I; of the output */
    int64_t *x, *to;
    bool *has_x, *has_to;
} flow;

static flow random_flow(uint64_t seed, gbl_Index n, gbl_Index m, double dense_x, double dense_to) {
    t_Random r = t_random(seed);
    flow f = {n, m, calloc(n, 8), calloc(n, 8), calloc(n, 1), calloc(n, 1)};
    for (gbl_Index k = 0; k < n; k++) {
        f.x[k] = (int64_t)t_below(&r, 1000) - 500;
        f.to[k] = (int64_t)t_below(&r, m);
        f.has_x[k] = t_chance(&r, dense_x);
        f.has_to[k] = t_chance(&r, dense_to);
    }
    return f;
}

static gbl_Vector flow_vector(gbl_Type type, const int64_t *x, const bool *has, gbl_Index n) {
    gbl_Vector v = t_new_vector(type, n);
    for (gbl_Index k = 0; k < n; k++)
        if (has == NULL || has[k]) OK(gbl_Vector_setElement_INT64(v, x[k], k));
    return v;
}

static int64_t folded(gbl_BinaryOp op, int64_t a, int64_t b) {
    if (op == GBL_PLUS_INT64) return a + b;
    return op == GBL_MIN_INT64 || op == GBL_MIN_FP64 ? (a < b ? a : b) : (a > b ? a : b);
}

/* An accumulator that is the fold itself, into a full output: values go straight to their places.
 * A place outside is found before anything is written. */
static void run_flow(const flow *f, gbl_BinaryOp op, gbl_Type type, int32_t threads) {
    int64_t *want = calloc(f->m, 8);
    for (gbl_Index j = 0; j < f->m; j++) want[j] = (int64_t)(j % 7) * 100 - 300;
    gbl_Vector w = flow_vector(type, want, NULL, f->m);
    gbl_Vector u = flow_vector(type, f->x, f->has_x, f->n);
    gbl_Vector I = flow_vector(GBL_INT32, f->to, f->has_to, f->n);
    gbl_Vector wrong = flow_vector(GBL_INT64, f->to, f->has_x, f->n);
    for (gbl_Index k = 0; k < f->n; k++)
        if (f->has_x[k] && f->has_to[k]) want[f->to[k]] = folded(op, want[f->to[k]], f->x[k]);
    OK(gbl_Global_set_INT32(GBL_GLOBAL, threads, GBL_NTHREADS));
    OK(gbl_Vector_scatter(w, NULL, op, op, u, I, NULL));
    for (gbl_Index k = f->n; k-- > 0;) {
        if (!f->has_x[k]) continue;
        OK(gbl_Vector_setElement_INT64(wrong, (int64_t)f->m, k));
        FAILS(GBL_INDEX_OUT_OF_BOUNDS, gbl_Vector_scatter(w, NULL, op, op, u, wrong, NULL));
        break;
    }
    for (gbl_Index j = 0; j < f->m; j++) {
        double x;
        OK(gbl_Vector_extractElement_FP64(&x, w, j));
        CHECK(x == (double)want[j]);
    }
    FREE(w, u, I, wrong);
    free(want);
}

GB_TEST(scatter, into_a_full_output) {
    static const double density[] = {1, 0.5, 0.01};
    for (unsigned k = 0; k < 27; k++) {
        const gbl_Index m = k % 3 == 0 ? 40 : 3000;
        flow f = random_flow(k, 5000, m, density[k / 3 % 3], density[k / 9]);
        run_flow(&f, GBL_MIN_INT64, GBL_INT64, 1);
        run_flow(&f, GBL_PLUS_INT64, GBL_INT64, 2);
        run_flow(&f, GBL_MAX_FP64, GBL_FP64, 1);
        run_flow(&f, GBL_MIN_FP64, GBL_FP64, 2);
        free(f.x);
        free(f.to);
        free(f.has_x);
        free(f.has_to);
    }
    flow f = random_flow(99, 60000, 5000, 1, 0.7); /* each thread has a range of places */
    for (int32_t threads = 1; threads < 6; threads++)
        run_flow(&f, GBL_MIN_INT64, GBL_INT64, threads);
    free(f.x);
    free(f.to);
    free(f.has_x);
    free(f.has_to);
}

/* -- errors */

GB_TEST(extract, errors) {
    const gbl_Index bad[] = {0, 9, 10};
    gbl_Vector u = t_new_vector(GBL_INT64, 10);
    OK(gbl_Vector_setElement_INT64(u, 5, 2));
    gbl_Vector w = t_new_vector(GBL_INT64, 3), I = t_new_vector(GBL_INT32, 3);
    gbl_Vector f = t_new_vector(GBL_FP32, 3);
    FAILS(GBL_INDEX_OUT_OF_BOUNDS, gbl_Vector_extract(w, NULL, NULL, u, bad, 3, NULL));
    FAILS(GBL_NULL_POINTER, gbl_Vector_extract(w, NULL, NULL, u, NULL, 3, NULL));
    FAILS(GBL_DIMENSION_MISMATCH, gbl_Vector_extract(w, NULL, NULL, u, bad, 2, NULL));
    FAILS(GBL_DIMENSION_MISMATCH, gbl_Vector_extract(w, NULL, NULL, u, GBL_ALL, 3, NULL));
    FAILS(GBL_NULL_POINTER, gbl_Vector_extract_Vector(w, NULL, NULL, u, NULL, NULL));
    FAILS(GBL_DOMAIN_MISMATCH, gbl_Vector_extract_Vector(w, NULL, NULL, u, f, NULL));
    FAILS(GBL_DIMENSION_MISMATCH, gbl_Vector_extract_Vector(w, NULL, NULL, u, u, NULL));
    for (int dense = 0; dense < 2; dense++) { /* I a list, then full */
        OK(gbl_Vector_setElement_INT32(I, dense ? -1 : 10, 1));
        FAILS(GBL_INDEX_OUT_OF_BOUNDS, gbl_Vector_extract_Vector(w, NULL, NULL, u, I, NULL));
        CHECK(dense || strstr(gbl_last_error(), "I(1) is 10") != NULL);
        FAILS(GBL_INDEX_OUT_OF_BOUNDS,
              gbl_Vector_scatter(u, NULL, NULL, GBL_MIN_INT64, I, I, NULL));
        CHECK(dense || strstr(gbl_last_error(), "I(1) is 10") != NULL);
        for (gbl_Index k = 0; k < 3; k++) OK(gbl_Vector_setElement_INT32(I, 1, k));
    }
    FAILS(GBL_NULL_POINTER, gbl_Vector_scatter(u, NULL, NULL, NULL, w, I, NULL));
    FAILS(GBL_DOMAIN_MISMATCH, gbl_Vector_scatter(u, NULL, NULL, GBL_MIN_INT64, w, f, NULL));
    FAILS(GBL_DOMAIN_MISMATCH, gbl_Vector_scatter(u, NULL, NULL, GBL_EQ_INT64, w, I, NULL));
    FAILS(GBL_DIMENSION_MISMATCH, gbl_Vector_scatter(w, NULL, NULL, GBL_MIN_INT64, u, I, NULL));
    FREE(u, w, I, f);
}

/* Nothing costs memory by the length of a vector with few entries. */
GB_TEST(extract, long_vectors) {
    const gbl_Index n = (gbl_Index)1 << 31;
    int64_t x;
    gbl_Vector u = t_new_vector(GBL_INT64, n), w = t_new_vector(GBL_INT64, n);
    gbl_Vector I = t_new_vector(GBL_UINT32, n);
    for (gbl_Index k = 0; k < 9; k++) {
        OK(gbl_Vector_setElement_INT64(u, (int64_t)k, n / 9 * k));
        OK(gbl_Vector_setElement_UINT32(I, (uint32_t)(n / 9 * (k / 2)), n / 9 * k));
    }
    OK(gbl_Vector_extract_Vector(w, NULL, NULL, u, I, NULL));
    OK(gbl_Vector_extractElement_INT64(&x, w, n / 9 * 7));
    CHECK_EQ(x, 3);
    OK(gbl_Vector_scatter(w, NULL, NULL, GBL_PLUS_INT64, u, I, NULL));
    OK(gbl_Vector_extractElement_INT64(&x, w, n / 9 * 3));
    CHECK_EQ(x, 13);
    OK(gbl_Vector_sort(w, I, GBL_GT_INT64, u, NULL));
    OK(gbl_Vector_extractElement_INT64(&x, I, 0));
    CHECK_EQ(x, n / 9 * 8);
    FREE(u, w, I);
}
