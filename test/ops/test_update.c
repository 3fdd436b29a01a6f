/* SPDX-License-Identifier: Apache-2.0
 *
 * update and roots against loops over dense arrays, vxm_update against vxm and update: types,
 * lists, bitmaps and full vectors, one value for all, casts, threads; wrong arguments, and what is
 * left as it was.
 */
#include "support/gb_test.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* -- update */

static const double densities[] = {0, 0.02, 0.4, 1};

typedef struct {
    uint64_t seed;
    gbl_Index n;
    unsigned w, u; /* densities */
    bool iso_w, iso_u;
    o_Type type, utype;
    o_Binary op;
} update_case;

static gbl_Vector vector_of(const o_Matrix *A, bool iso) {
    return iso ? t_iso_vector(A) : t_vector(A);
}

/* w becomes what it is after; returns what has changed. */
static o_Matrix expected(const update_case *of, o_Matrix *w, const o_Matrix *u) {
    o_Matrix changed = o_new(of->type, of->n, 1);
    for (gbl_Index k = 0; k < of->n; k++) {
        o_Cell *cell = &w->x[k];
        if (!u->x[k].has) continue;
        const o_Value v =
            cell->has ? o_cast(of->type, of->op.z,
                               o_binary_cast(&of->op, of->type, cell->v, of->utype, u->x[k].v))
                      : o_cast(of->type, of->utype, u->x[k].v);
        if (!cell->has || memcmp(&cell->v, &v, of->type.size) != 0)
            changed.x[k] = (o_Cell){true, v};
        *cell = (o_Cell){true, v};
    }
    return changed;
}

static void run_update(const update_case *of) {
    t_Random r = t_random(of->seed);
    o_Matrix w = t_generate(&r, &(t_Content){.type = of->type,
                                             .nrows = of->n,
                                             .ncols = 1,
                                             .density = densities[of->w],
                                             .iso = of->iso_w});
    o_Matrix u = t_generate(&r, &(t_Content){.type = of->utype,
                                             .nrows = of->n,
                                             .ncols = 1,
                                             .density = densities[of->u],
                                             .iso = of->iso_u});
    gbl_Vector gw = vector_of(&w, of->iso_w), gu = vector_of(&u, of->iso_u), changed = NULL;
    OK(gbl_Vector_new(&changed, of->type.handle, of->n));
    if (of->n > 0) OK(t_set_vector(changed, of->type, &(o_Value){0}, of->n - 1));
    t_case("update, seed %llu", (unsigned long long)of->seed);
    for (int turn = 0; turn < 2; turn++) { /* the second one finds w dense */
        o_Matrix difference = expected(of, &w, &u);
        OK(gbl_Vector_update(gw, changed, of->op.handle, gu, NULL));
        t_expect_vector("w", &w, gw, 0);
        t_expect_vector("changed", &difference, changed, 0);
        t_expect_vector("u", &u, gu, 0);
        o_free(&difference);
    }
    if (of->type.handle == of->utype.handle) {
        o_Matrix difference = expected(of, &w, &u);
        OK(gbl_Vector_update(gw, gu, of->op.handle, gu, NULL));
        t_expect_vector("w", &w, gw, 0);
        t_expect_vector("u, which gets the changes", &difference, gu, 0);
        o_free(&difference);
    }
    FREE(gw, gu, changed, w, u);
}

GB_TEST(update, types_and_forms) {
    static const o_Opcode ops[] = {O_MIN, O_PLUS, O_SECOND, O_FIRST, O_MINUS};
    for (uint64_t seed = 0; seed < 1760; seed++) {
        if (t_left_out()) continue;
        const gbl_Type_Code code = t_types[1 + seed % 10];
        const update_case of = {.seed = seed,
                                .n = seed % 3 == 0   ? 40
                                     : seed % 3 == 1 ? 700
                                                     : seed % 7,
                                .w = (unsigned)(seed / 2 % 4),
                                .u = (unsigned)(seed / 8 % 4),
                                .iso_w = seed % 11 == 3,
                                .iso_u = seed % 13 == 5,
                                .type = o_type(code),
                                .utype =
                                    o_type(seed % 4 ? code : t_types[seed / 4 % T_COUNT(t_types)]),
                                .op = t_find_binary(ops[seed / 3 % 5], code)};
        run_update(&of);
    }
}

GB_TEST(update, user_types) {
    t_User users[] = {t_user_path(), t_user_colour()};
    for (uint64_t seed = 0; seed < 64; seed++) {
        const t_User *user = &users[seed % 2];
        const update_case of = {.seed = seed,
                                .n = seed % 3 ? 600 : 31,
                                .w = (unsigned)(seed / 2 % 4),
                                .u = (unsigned)(seed / 8 % 4),
                                .iso_w = seed % 5 == 3,
                                .type = user->type,
                                .utype = user->type,
                                .op = user->minus};
        run_update(&of);
    }
    t_user_free(&users[0]);
    t_user_free(&users[1]);
}

GB_TEST(update, any_number_of_threads) {
    for (int32_t threads = 1; threads < 5; threads++) {
        OK(gbl_Global_set_INT32(GBL_GLOBAL, threads, GBL_NTHREADS));
        for (unsigned k = 0; k < 4; k++) {
            const update_case of = {.seed = k,
                                    .n = 60000,
                                    .w = k,
                                    .u = k < 2 ? 3 : 2,
                                    .type = o_type(GBL_FP64_CODE),
                                    .utype = o_type(GBL_INT32_CODE),
                                    .op = t_find_binary(O_MIN, GBL_FP64_CODE)};
            run_update(&of);
        }
    }
}

GB_TEST(update, errors) {
    gbl_Vector w = t_new_vector(GBL_INT64, 10), changed = t_new_vector(GBL_INT64, 10);
    gbl_Vector u = t_new_vector(GBL_INT64, 10), longer = t_new_vector(GBL_INT64, 11);
    gbl_Vector narrow = t_new_vector(GBL_INT32, 10);
    OK(gbl_Vector_setElement_INT64(w, 5, 3));
    OK(gbl_Vector_setElement_INT64(u, 4, 3));
    OK(gbl_Vector_setElement_INT64(changed, 9, 1));
    t_User user = t_user_path();
    const gbl_BinaryOp min = GBL_MIN_INT64;
    FAILS(GBL_NULL_POINTER, gbl_Vector_update(w, NULL, min, u, NULL));
    FAILS(GBL_NULL_POINTER, gbl_Vector_update(NULL, changed, min, u, NULL));
    FAILS(GBL_NULL_POINTER, gbl_Vector_update(w, changed, NULL, u, NULL));
    FAILS(GBL_NULL_POINTER, gbl_Vector_update(w, changed, min, NULL, NULL));
    FAILS(GBL_INVALID_VALUE, gbl_Vector_update(w, w, min, u, NULL));
    FAILS(GBL_INVALID_VALUE, gbl_Vector_update(w, changed, min, w, NULL));
    FAILS(GBL_DOMAIN_MISMATCH, gbl_Vector_update(w, narrow, min, u, NULL));
    FAILS(GBL_DOMAIN_MISMATCH, gbl_Vector_update(w, changed, user.minus.handle, u, NULL));
    FAILS(GBL_DOMAIN_MISMATCH, gbl_Vector_update(w, changed, GBL_FIRSTI_INT64, u, NULL));
    FAILS(GBL_DIMENSION_MISMATCH, gbl_Vector_update(w, longer, min, u, NULL));
    FAILS(GBL_DIMENSION_MISMATCH, gbl_Vector_update(w, changed, min, longer, NULL));
    int64_t x = 0;
    OK(gbl_Vector_extractElement_INT64(&x, w, 3));
    CHECK_EQ(x, 5);
    OK(gbl_Vector_extractElement_INT64(&x, changed, 1));
    CHECK_EQ(x, 9);
    OK(gbl_Vector_update(w, changed, min, narrow, NULL)); /* empty */
    CHECK_EQ(t_nvals_vector(changed), 0);
    t_user_free(&user);
    gbl_Vector *all[] = {&w, &changed, &u, &longer, &narrow};
    for (size_t k = 0; k < T_COUNT(all); k++) OK(gbl_Vector_free(all[k]));
}

/* -- vxm_update: the same as the product and its update, to the bit but for the sign of NaN */

typedef struct {
    uint64_t seed;
    gbl_Index n;
    gbl_Semiring ring;
    gbl_BinaryOp add;
    gbl_Type of_ring, type, utype; /* of the product, of w, of u */
    bool low;                      /* w is full of -1, in unsigned types the greatest value */
    double dense_u, dense_w;
    gbl_Desc_Value method;
    bool transpose;
} step_case;

/* Values that products and sums of few are exact in, two zeros and NaN among them. */
static double step_value(t_Random *r) {
    const double special[] = {0.0, -0.0, -1.0, 1.0, 0.5, (double)NAN, 2.0, 3.0};
    return special[t_below(r, T_COUNT(special))];
}

static gbl_Vector step_vector(t_Random *r, gbl_Type type, gbl_Index n, double density) {
    gbl_Vector v = t_new_vector(type, n);
    for (gbl_Index k = 0; k < n; k++)
        if (t_chance(r, density)) OK(gbl_Vector_setElement_FP64(v, step_value(r), k));
    return v;
}

static gbl_Matrix step_matrix(t_Random *r, gbl_Index n) {
    gbl_Matrix A = t_new_matrix(GBL_FP64, n, n);
    for (gbl_Index k = 0; k < 3 * n; k++)
        OK(gbl_Matrix_setElement_FP64(A, step_value(r), t_below(r, n), t_below(r, n)));
    return A;
}

static gbl_Vector lowest_vector(gbl_Type type, gbl_Index n) {
    gbl_Vector v = t_new_vector(type, n);
    for (gbl_Index k = 0; k < n; k++) OK(gbl_Vector_setElement_INT64(v, -1, k));
    return v;
}

/* The same entries with the same bits; any NaN is like another. */
static void expect_bits(gbl_Vector a, gbl_Vector b, gbl_Index n) {
    gbl_Index *I = malloc(2 * (n + 1) * sizeof *I), na = n, nb = n;
    double *X = calloc(2 * (n + 1), sizeof *X);
    OK(gbl_Vector_extractTuples_FP64(I, X, &na, a));
    OK(gbl_Vector_extractTuples_FP64(I + n + 1, X + n + 1, &nb, b));
    CHECK_EQ(na, nb);
    CHECK(memcmp(I, I + n + 1, na * sizeof *I) == 0);
    for (gbl_Index k = 0; k < na; k++)
        CHECK((isnan(X[k]) && isnan(X[n + 1 + k])) || memcmp(X + k, X + n + 1 + k, 8) == 0);
    free(I);
    free(X);
}

static void run_step(const step_case *of) {
    t_Random r = t_random(of->seed);
    gbl_Matrix A = step_matrix(&r, of->n);
    gbl_Vector u = step_vector(&r, of->utype, of->n, of->dense_u), w, T, changed, kept;
    gbl_Vector best =
        of->low ? lowest_vector(of->type, of->n) : step_vector(&r, of->type, of->n, of->dense_w);
    gbl_Descriptor desc = NULL;
    t_case("vxm_update, seed %llu", (unsigned long long)of->seed);
    OK(gbl_Descriptor_new(&desc));
    if (of->transpose) OK(gbl_Descriptor_set(desc, GBL_INP1, GBL_TRAN));
    if (of->method != GBL_DEFAULT)
        OK(gbl_Descriptor_set_INT32(desc, (int32_t)of->method, GBL_METHOD));
    OK(gbl_Vector_dup(&w, best));
    OK(gbl_Vector_new(&T, of->of_ring, of->n));
    OK(gbl_Vector_new(&kept, of->type, of->n));
    OK(gbl_Vector_new(&changed, of->type, of->n));
    for (int turn = 0; turn < 3; turn++) { /* the first pushes may sort, later ones have scratch */
        const gbl_Vector out = turn == 1 && of->utype == of->type ? u : changed;
        OK(gbl_vxm(T, NULL, NULL, of->ring, u, A, desc));
        OK(gbl_Vector_update(w, kept, of->add, T, NULL));
        OK(gbl_vxm_update(best, out, of->ring, u, A, desc));
        expect_bits(w, best, of->n);
        expect_bits(kept, out, of->n);
    }
    FREE(desc, A);
    gbl_Vector *all[] = {&u, &w, &T, &changed, &kept, &best};
    for (size_t k = 0; k < T_COUNT(all); k++) OK(gbl_Vector_free(all[k]));
}

GB_TEST(vxm_update, is_product_and_update) {
    const struct {
        gbl_Semiring ring;
        gbl_BinaryOp add;
        gbl_Type of_ring, type, utype;
        bool low;
    } rings[] = {
#define ALL(T) GBL_##T, GBL_##T, GBL_##T, false /* of one type */
        {GBL_MIN_PLUS_SEMIRING_FP64, GBL_MIN_FP64, ALL(FP64)},
        {GBL_MAX_PLUS_SEMIRING_FP64, GBL_MAX_FP64, ALL(FP64)},
        {GBL_MIN_PLUS_SEMIRING_FP32, GBL_MIN_FP32, ALL(FP32)},
        {GBL_MIN_PLUS_SEMIRING_INT32, GBL_MIN_INT32, ALL(INT32)},
        {GBL_MIN_FIRST_SEMIRING_INT64, GBL_MIN_INT64, ALL(INT64)},
        {GBL_MIN_SECOND_SEMIRING_INT32, GBL_MIN_INT32, ALL(INT32)},
        {GBL_MIN_PLUS_SEMIRING_INT16, GBL_MIN_INT16, ALL(INT16)}, /* generic */
        {GBL_ANY_SECONDI_SEMIRING_INT32, GBL_ANY_INT32, ALL(INT32)},
        {GBL_ANY_FIRST_SEMIRING_FP64, GBL_ANY_FP64, ALL(FP64)},
        {GBL_LOR_LAND_SEMIRING_BOOL, GBL_LOR, ALL(BOOL)},
        {GBL_PLUS_TIMES_SEMIRING_FP64, GBL_PLUS_FP64, ALL(FP64)},
#undef ALL
        {GBL_MIN_FIRST_SEMIRING_INT16, GBL_MIN_INT16, GBL_INT16, GBL_INT16, GBL_INT16, true},
        {GBL_MIN_FIRST_SEMIRING_UINT64, GBL_MIN_UINT64, GBL_UINT64, GBL_UINT64, GBL_UINT64, true},
        {GBL_MIN_FIRST_SEMIRING_UINT8, GBL_MIN_UINT8, GBL_UINT8, GBL_INT64, GBL_UINT8, true},
        {GBL_MIN_PLUS_SEMIRING_INT64, GBL_MIN_INT64, GBL_INT64, GBL_FP64, GBL_FP64, false},
        {GBL_PLUS_TIMES_SEMIRING_FP64, GBL_PLUS_FP64, GBL_FP64, GBL_INT32, GBL_FP64, false}};
    static const gbl_Desc_Value methods[] = {GBL_DEFAULT, GBL_METHOD_PUSH, GBL_METHOD_PULL};
    static const double density[] = {0.003, 0.3, 1, 0};
    static const gbl_Index sizes[] = {2000, 9, 200, 200, 200};
    enum { N = T_COUNT(rings) };
    for (uint64_t seed = 0; seed < 144 * N; seed++) {
        if (t_left_out()) continue;
        const size_t k = seed % N;
        const step_case of = {.seed = seed,
                              .n = sizes[(seed + seed / N) % 5],
                              .ring = rings[k].ring,
                              .add = rings[k].add,
                              .of_ring = rings[k].of_ring,
                              .type = rings[k].type,
                              .utype = rings[k].utype,
                              .low = rings[k].low,
                              .dense_u = density[seed / N % 3],
                              .dense_w = density[seed / (3 * N) % 4],
                              .method = methods[seed / (12 * N) % 3],
                              .transpose = seed / (36 * N) % 2};
        run_step(&of);
    }
}

GB_TEST(vxm_update, any_number_of_threads) {
    for (int32_t threads = 1; threads < 4; threads++) {
        OK(gbl_Global_set_INT32(GBL_GLOBAL, threads, GBL_NTHREADS));
        const step_case of = {.seed = 7,
                              .n = 30000,
                              .ring = GBL_MIN_PLUS_SEMIRING_FP64,
                              .add = GBL_MIN_FP64,
                              .of_ring = GBL_FP64,
                              .type = GBL_FP64,
                              .utype = GBL_FP64,
                              .dense_u = 0.5,
                              .dense_w = 0.5,
                              .method = GBL_METHOD_PUSH};
        run_step(&of);
    }
}

GB_TEST(vxm_update, errors_and_explanation) {
    gbl_Matrix A = NULL;
    gbl_Explanation how = GBL_EXPLANATION_INIT;
    const gbl_Semiring ring = GBL_MIN_PLUS_SEMIRING_FP64;
    t_Random r = t_random(3);
    A = step_matrix(&r, 50);
    gbl_Matrix small = t_new_matrix(GBL_FP64, 49, 50);
    gbl_Vector w = t_new_vector(GBL_FP64, 50), q = t_new_vector(GBL_FP64, 50);
    gbl_Vector narrow = t_new_vector(GBL_FP32, 50);
    for (gbl_Index k = 0; k < 50; k++) OK(gbl_Vector_setElement_FP64(q, 1, k));
    OK(gbl_Vector_setElement_FP64(w, 100, 4));
    FAILS(GBL_NULL_POINTER, gbl_vxm_update(w, NULL, ring, q, A, NULL));
    FAILS(GBL_NULL_POINTER, gbl_vxm_update(w, q, NULL, q, A, NULL));
    FAILS(GBL_NULL_POINTER, gbl_vxm_update(w, q, ring, NULL, A, NULL));
    FAILS(GBL_NULL_POINTER, gbl_vxm_update(w, q, ring, q, NULL, NULL));
    FAILS(GBL_INVALID_VALUE, gbl_vxm_update(w, w, ring, q, A, NULL));
    FAILS(GBL_INVALID_VALUE, gbl_vxm_update(w, q, ring, w, A, NULL));
    FAILS(GBL_DOMAIN_MISMATCH, gbl_vxm_update(w, narrow, ring, q, A, NULL));
    FAILS(GBL_DIMENSION_MISMATCH, gbl_vxm_update(w, q, ring, q, small, NULL));
    CHECK_EQ(t_nvals_vector(w), 1);
    gbl_Descriptor push = NULL;
    OK(gbl_Descriptor_new(&push));
    OK(gbl_Descriptor_set_INT32(push, (int32_t)GBL_METHOD_PUSH, GBL_METHOD));
    OK(gbl_vxm_update(w, q, ring, q, A, push));
    OK(gbl_Vector_explain(&how, q));
    CHECK(strcmp(how.operation, "vxm") == 0 && strcmp(how.workflow, "one pass, pruned") == 0);
    FREE(push, A, small, w, q, narrow);
}

/* -- roots */

/* A forest: the link of a place leads to one with a lower rank in a random order. */
typedef struct {
    gbl_Index n;
    gbl_Index *link;
    bool *has;
} forest;

static forest random_forest(uint64_t seed, gbl_Index n, double density, uint64_t near) {
    t_Random r = t_random(seed);
    forest f = {n, malloc((n + 1) * sizeof *f.link), malloc(n + 1)};
    gbl_Index *order = malloc((n + 1) * sizeof *order);
    for (gbl_Index k = 0; k < n; k++) order[k] = k;
    for (gbl_Index k = 0; k < n && seed % 3 > 0; k++) { /* else chains lead down */
        const gbl_Index other = t_below(&r, n), kept = order[k];
        order[k] = order[other];
        order[other] = kept;
    }
    for (gbl_Index k = 0; k < n; k++) {
        const gbl_Index back = t_below(&r, near);
        f.link[order[k]] = order[back < k ? k - back : 0];
        f.has[order[k]] = t_chance(&r, density);
    }
    free(order);
    return f;
}

static gbl_Index root_of(const forest *f, gbl_Index k) {
    while (f->has[k] && f->link[k] != k) k = f->link[k];
    return k;
}

static void run_roots(uint64_t seed, gbl_Index n, gbl_Type_Code code) {
    forest f = random_forest(seed, n, seed % 4 ? 1 : 0.6, seed % 5 ? 3 : n + 1);
    t_case("roots, seed %llu", (unsigned long long)seed);
    gbl_Vector u = t_new_vector(o_type(code).handle, n), w = t_new_vector(GBL_FP64, n);
    for (gbl_Index k = 0; k < n; k++)
        if (f.has[k]) OK(gbl_Vector_setElement_UINT64(u, f.link[k], k));
    OK(gbl_Vector_roots(w, NULL, NULL, u, NULL));
    OK(gbl_Vector_roots(w, NULL, GBL_PLUS_FP64, u, NULL));
    OK(gbl_Vector_roots(u, NULL, NULL, u, NULL));
    for (gbl_Index k = 0; k < n; k++) {
        double twice = -1;
        uint64_t once = 0;
        const gbl_Info info = gbl_Vector_extractElement_FP64(&twice, w, k);
        CHECK(info == (f.has[k] ? GBL_SUCCESS : GBL_NO_VALUE));
        CHECK(gbl_Vector_extractElement_UINT64(&once, u, k) == info);
        if (!f.has[k]) continue;
        CHECK_EQ(once, root_of(&f, k));
        CHECK(twice == 2.0 * (double)once);
    }
    FREE(u, w);
    free(f.link);
    free(f.has);
}

GB_TEST(roots, forests) {
    for (uint64_t seed = 0; seed < 200; seed++) {
        const gbl_Type_Code wide[] = {GBL_INT64_CODE, GBL_UINT32_CODE, GBL_INT32_CODE,
                                      GBL_UINT64_CODE, GBL_UINT16_CODE};
        run_roots(seed, seed % 2 ? 3000 : seed % 100, wide[seed % 5]);
        run_roots(seed, seed % 100, GBL_INT8_CODE);
    }
}

GB_TEST(roots, any_number_of_threads) {
    for (int32_t threads = 1; threads < 5; threads++) {
        OK(gbl_Global_set_INT32(GBL_GLOBAL, threads, GBL_NTHREADS));
        for (uint64_t seed = 0; seed < 6; seed++) run_roots(seed, 50000, GBL_INT64_CODE);
    }
}

GB_TEST(roots, errors) {
    enum { N = 20000 };
    gbl_Vector u = t_new_vector(GBL_INT64, N), w = t_new_vector(GBL_INT64, N);
    gbl_Vector f = t_new_vector(GBL_FP32, N), shorter = t_new_vector(GBL_INT64, N - 1);
    OK(gbl_Vector_roots(w, NULL, NULL, u, NULL)); /* empty */
    for (gbl_Index k = 0; k < N; k++) OK(gbl_Vector_setElement_INT64(u, k ? (int64_t)k - 1 : 0, k));
    OK(gbl_Vector_setElement_INT64(w, 7, 7));
    FAILS(GBL_DOMAIN_MISMATCH, gbl_Vector_roots(w, NULL, NULL, f, NULL));
    FAILS(GBL_DIMENSION_MISMATCH, gbl_Vector_roots(shorter, NULL, NULL, u, NULL));
    FAILS(GBL_NULL_POINTER, gbl_Vector_roots(w, NULL, NULL, NULL, NULL));
    for (int32_t threads = 1; threads < 4; threads++) {
        OK(gbl_Global_set_INT32(GBL_GLOBAL, threads, GBL_NTHREADS));
        OK(gbl_Vector_setElement_INT64(u, N, N - 5));
        OK(gbl_Vector_setElement_INT64(u, -3, 12));
        FAILS(GBL_INDEX_OUT_OF_BOUNDS, gbl_Vector_roots(w, NULL, NULL, u, NULL));
        CHECK(strstr(gbl_last_error(), "u(12) is -3") != NULL);
        OK(gbl_Vector_setElement_INT64(u, N - 6, N - 5));
        OK(gbl_Vector_setElement_INT64(u, 19, 12)); /* 12 to 19 go round */
        FAILS(GBL_INVALID_VALUE, gbl_Vector_roots(w, NULL, NULL, u, NULL));
        CHECK(strstr(gbl_last_error(), "begins at 12 goes round") != NULL);
    }
    CHECK_EQ(t_nvals_vector(w), 1);
    FREE(u, w, f, shorter);
}
