/* SPDX-License-Identifier: Apache-2.0
 *
 * Vectors and Scalars as containers: life, elements of every type, tuples, build, resize.
 */
#include "support/gb_test.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static o_Matrix random_vector(t_Random *r, o_Type type, gbl_Index n, double density) {
    return t_generate(r, &(t_Content){type, n, 1, T_RANDOM, density, true, false});
}

GB_TEST(vector, life) {
    gbl_Vector w = NULL;
    gbl_Vector v = t_new_vector(GBL_FP32, 10);
    gbl_Index n = 0;
    OK(gbl_Vector_size(&n, v));
    CHECK_EQ(n, 10);
    CHECK_EQ(t_nvals_vector(v), 0);
    gbl_Type type = NULL;
    OK(gbl_Vector_type(&type, v));
    CHECK(type == GBL_FP32);
    OK(gbl_Vector_setElement_FP32(v, 1.5f, 9));
    OK(gbl_Vector_setElement_FP32(v, 2.5f, 0));
    OK(gbl_Vector_dup(&w, v));
    OK(gbl_Vector_setElement_FP32(v, 3.5f, 0)); /* the later call wins */
    float x = 0;
    OK(gbl_Vector_extractElement_FP32(&x, v, 0));
    CHECK(x == 3.5f);
    OK(gbl_Vector_extractElement_FP32(&x, w, 0));
    CHECK(x == 2.5f);
    CHECK_EQ(gbl_Vector_extractElement_FP32(&x, w, 5), GBL_NO_VALUE);
    OK(gbl_Vector_removeElement(w, 9));
    OK(gbl_Vector_removeElement(w, 5)); /* nothing there: nothing happens */
    CHECK_EQ(t_nvals_vector(w), 1);
    OK(gbl_Vector_clear(v));
    CHECK_EQ(t_nvals_vector(v), 0);
    OK(gbl_Vector_size(&n, v));
    CHECK_EQ(n, 10);
    FREE(v, w);
    CHECK(v == NULL);
    OK(gbl_Vector_free(&v));
}

GB_TEST(vector, build_and_tuples_of_every_type) {
    for (size_t k = 0; k < 11; k++) {
        for (uint64_t seed = 0; seed < 20; seed++) {
            t_Random r = t_random(100 * k + seed);
            t_case("type %d seed %llu", (int)t_types[k], (unsigned long long)seed);
            const gbl_Index n = t_below(&r, 200);
            o_Matrix v = random_vector(&r, o_type(t_types[k]), n, 0.4);
            gbl_Vector g = t_vector(&v);
            t_expect_vector("v", &v, g, 0);
            for (gbl_Index i = 0; i < n; i++) {
                o_Value x;
                memset(&x, 0, sizeof x);
                const gbl_Info info = t_get_vector(&x, v.type, g, i);
                CHECK_EQ(info, v.x[i].has ? GBL_SUCCESS : GBL_NO_VALUE);
                if (v.x[i].has) CHECK(o_same(v.type, &x, &v.x[i].v));
            }
            FREE(g, v);
        }
    }
}

/* setElement, removeElement, reads and waits in any order: the library's pending list against a
 * plain array. */
GB_TEST(vector, random_updates) {
    for (uint64_t seed = 0; seed < 60; seed++) {
        t_Random r = t_random(seed + 500);
        t_case("seed %llu", (unsigned long long)seed);
        const o_Type type = o_type(t_types[seed % T_COUNT(t_types)]);
        const gbl_Index n = 1 + t_below(&r, 60);
        o_Matrix v = random_vector(&r, type, n, seed % 3 == 0 ? 1.0 : 0.3);
        gbl_Vector g = t_vector(&v);
        for (int step = 0; step < 300; step++) {
            const gbl_Index i = t_below(&r, n);
            const uint64_t what = t_below(&r, 20);
            if (what < 11) {
                v.x[i] = (o_Cell){true, t_value(&r, type)};
                OK(t_set_vector(g, type, &v.x[i].v, i));
            } else if (what < 16) {
                v.x[i].has = false;
                OK(gbl_Vector_removeElement(g, i));
            } else if (what == 16) {
                OK(gbl_Vector_wait(g, t_chance(&r, 0.5) ? GBL_COMPLETE : GBL_MATERIALIZE));
            } else if (what == 17) {
                t_expect_vector("v", &v, g, 0);
            } else {
                o_Value x;
                memset(&x, 0, sizeof x);
                CHECK_EQ(t_get_vector(&x, type, g, i), v.x[i].has ? GBL_SUCCESS : GBL_NO_VALUE);
                if (v.x[i].has) CHECK(o_same(type, &x, &v.x[i].v));
            }
        }
        t_expect_vector("v", &v, g, 0);
        FREE(g, v);
    }
}

GB_TEST(vector, build_with_duplicates) {
    const gbl_Index I[] = {5, 2, 5, 0, 5, 2};
    const int64_t X[] = {100, 7, 30, 1, 4, 2};
    gbl_Vector v = t_new_vector(GBL_INT64, 6);
    /* in the order given: (100 - 30) - 4 */
    OK(gbl_Vector_build_INT64(v, I, X, 6, GBL_MINUS_INT64));
    int64_t x = 0;
    OK(gbl_Vector_extractElement_INT64(&x, v, 5));
    CHECK_EQ(x, 66);
    OK(gbl_Vector_extractElement_INT64(&x, v, 2));
    CHECK_EQ(x, 5);
    CHECK_EQ(t_nvals_vector(v), 3);
    FAILS(GBL_OUTPUT_NOT_EMPTY, gbl_Vector_build_INT64(v, I, X, 2, NULL));
    OK(gbl_Vector_clear(v));
    FAILS(GBL_INVALID_VALUE, gbl_Vector_build_INT64(v, I, X, 6, NULL));
    CHECK_EQ(t_nvals_vector(v), 0);
    const gbl_Index beyond[] = {1, 6};
    FAILS(GBL_INDEX_OUT_OF_BOUNDS, gbl_Vector_build_INT64(v, beyond, X, 2, GBL_PLUS_INT64));
    const gbl_Index far[] = {1, UINT64_MAX};
    FAILS(GBL_INDEX_OUT_OF_BOUNDS, gbl_Vector_build_INT64(v, far, X, 2, GBL_PLUS_INT64));
    CHECK_EQ(t_nvals_vector(v), 0);
    OK(gbl_Vector_build_INT64(v, NULL, NULL, 0, GBL_PLUS_INT64));
    OK(gbl_Vector_free(&v));
}

GB_TEST(vector, build_from_scalar) {
    const gbl_Index I[] = {5, 2, 5, 0};
    gbl_Scalar s = NULL;
    gbl_Vector v = t_new_vector(GBL_INT16, 6);
    OK(gbl_Scalar_new(&s, GBL_FP64));
    FAILS(GBL_EMPTY_OBJECT, gbl_Vector_build_Scalar(v, I, s, 4));
    OK(gbl_Scalar_setElement_FP64(s, 3.75));
    OK(gbl_Vector_build_Scalar(v, I, s, 4));
    CHECK_EQ(t_nvals_vector(v), 3);
    int16_t x = 0;
    OK(gbl_Vector_extractElement_INT16(&x, v, 5));
    CHECK_EQ(x, 3);
    FREE(s, v);
}

GB_TEST(vector, elements_through_scalars) {
    gbl_Scalar s = NULL;
    gbl_Vector v = t_new_vector(GBL_INT32, 4);
    OK(gbl_Scalar_new(&s, GBL_INT32));
    OK(gbl_Scalar_setElement_INT32(s, 12));
    OK(gbl_Vector_setElement_Scalar(v, s, 1));
    OK(gbl_Scalar_setElement_INT32(s, 99));
    OK(gbl_Vector_extractElement_Scalar(s, v, 1));
    int32_t x = 0;
    OK(gbl_Scalar_extractElement_INT32(&x, s));
    CHECK_EQ(x, 12);
    /* no entry: the scalar becomes empty, and that is success */
    OK(gbl_Vector_extractElement_Scalar(s, v, 2));
    gbl_Index n = 9;
    OK(gbl_Scalar_nvals(&n, s));
    CHECK_EQ(n, 0);
    /* an empty scalar removes the entry */
    OK(gbl_Vector_setElement_Scalar(v, s, 1));
    CHECK_EQ(t_nvals_vector(v), 0);
    FREE(s, v);
}

GB_TEST(vector, resize) {
    for (uint64_t seed = 0; seed < 40; seed++) {
        t_Random r = t_random(seed + 900);
        t_case("seed %llu", (unsigned long long)seed);
        o_Matrix v = random_vector(&r, o_type(GBL_UINT16_CODE), 1 + t_below(&r, 80),
                                   seed % 4 == 0 ? 1 : 0.5);
        gbl_Vector g = t_vector(&v);
        for (int step = 0; step < 6; step++) {
            if (t_chance(&r, 0.5)) { /* with an update that is still pending */
                const gbl_Index i = t_below(&r, v.nrows);
                v.x[i] = (o_Cell){true, {.u16 = (uint16_t)(step + 3)}};
                OK(gbl_Vector_setElement_UINT16(g, v.x[i].v.u16, i));
            }
            o_Matrix w = o_new(v.type, 1 + t_below(&r, 90), 1);
            for (gbl_Index i = 0; i < w.nrows && i < v.nrows; i++) w.x[i] = v.x[i];
            OK(gbl_Vector_resize(g, w.nrows));
            o_free(&v);
            v = w;
            t_expect_vector("v", &v, g, 0);
        }
        OK(gbl_Vector_resize(g, 0));
        CHECK_EQ(t_nvals_vector(g), 0);
        FREE(g, v);
    }
}

GB_TEST(vector, tuples_in_part) {
    gbl_Vector v = t_new_vector(GBL_INT8, 300);
    OK(gbl_Vector_setElement_INT8(v, 5, 299));
    OK(gbl_Vector_setElement_INT8(v, 3, 20));
    gbl_Index I[4] = {7, 7, 7, 7}, n = 4;
    OK(gbl_Vector_extractTuples_INT8(I, NULL, &n, v));
    CHECK(n == 2 && I[0] == 20 && I[1] == 299 && I[2] == 7);
    double X[2] = {0, 0};
    n = 2;
    OK(gbl_Vector_extractTuples_FP64(NULL, X, &n, v));
    CHECK(X[0] == 3 && X[1] == 5);
    n = 1;
    FAILS(GBL_INSUFFICIENT_SPACE, gbl_Vector_extractTuples_FP64(I, X, &n, v));
    OK(gbl_Vector_free(&v));
}

GB_TEST(vector, user_types) {
    t_User users[] = {t_user_path(), t_user_colour()};
    for (size_t u = 0; u < 2; u++) {
        t_Random r = t_random(u + 40);
        o_Matrix v = random_vector(&r, users[u].type, 150, 0.3);
        gbl_Vector g = t_vector(&v), h = NULL;
        for (int k = 0; k < 50; k++) {
            const gbl_Index i = t_below(&r, v.nrows);
            v.x[i] = (o_Cell){true, t_value(&r, v.type)};
            OK(gbl_Vector_setElement_UDT(g, &v.x[i].v, i));
        }
        OK(gbl_Vector_dup(&h, g));
        t_expect_vector("v", &v, h, 0);
        FAILS(GBL_DOMAIN_MISMATCH, gbl_Vector_setElement_FP64(g, 1, 0));
        t_expect_vector("v", &v, g, 0);
        FREE(g, h, v);
    }
    t_user_free(&users[0]);
    t_user_free(&users[1]);
}

/* The largest size costs no memory while there are few entries. */
GB_TEST(vector, largest_size) {
    const gbl_Index n = T_COMPACT_MAX;
    gbl_Vector u = t_new_vector(GBL_INT64, n), v = t_new_vector(GBL_INT64, n);
    gbl_Vector w = t_new_vector(GBL_INT64, n);
    for (gbl_Index k = 0; k < 100; k++) {
        OK(gbl_Vector_setElement_INT64(u, (int64_t)k, n - 1 - 3 * k));
        OK(gbl_Vector_setElement_INT64(v, (int64_t)(k + 5), n - 1 - 2 * k));
    }
    OK(gbl_Vector_eWiseAdd_BinaryOp(w, NULL, NULL, GBL_MINUS_INT64, u, v, NULL));
    int64_t x = 0;
    OK(gbl_Vector_extractElement_INT64(&x, w, n - 1 - 6));
    CHECK_EQ(x, 2 - (3 + 5));
    OK(gbl_Vector_eWiseMult_BinaryOp(w, NULL, NULL, GBL_PLUS_INT64, u, v, NULL));
    CHECK_EQ(t_nvals_vector(w), 34);
    OK(gbl_Vector_select_INT64(w, NULL, NULL, GBL_ROWLE, u, (int64_t)(n - 100), NULL));
    CHECK_EQ(t_nvals_vector(w), 67);
    OK(gbl_Vector_reduce_INT64(&x, NULL, GBL_PLUS_MONOID_INT64, u, NULL));
    CHECK_EQ(x, 99 * 100 / 2);
    FAILS(GBL_INVALID_INDEX, gbl_Vector_setElement_INT64(u, 1, n));
    FREE(u, v, w);
}

/* ---------------------------------------------------------------------------------- Scalars -- */

static gbl_Info set_scalar(gbl_Scalar s, o_Type type, const o_Value *x) {
#define CASE(N, T)                                                                                 \
    case GBL_##N##_CODE:                                                                           \
        return gbl_Scalar_setElement_##N(s, *(const T *)(const void *)x);
    switch (type.code) {
        GBL_FOREACH_TYPE(CASE)
        GBL_FOREACH_COMPLEX(CASE)
    default:
        return gbl_Scalar_setElement_UDT(s, x);
    }
#undef CASE
}

static gbl_Info get_scalar(o_Value *x, o_Type type, gbl_Scalar s) {
#define CASE(N, T)                                                                                 \
    case GBL_##N##_CODE:                                                                           \
        return gbl_Scalar_extractElement_##N((T *)(void *)x, s);
    switch (type.code) {
        GBL_FOREACH_TYPE(CASE)
        GBL_FOREACH_COMPLEX(CASE)
    default:
        return gbl_Scalar_extractElement_UDT(x, s);
    }
#undef CASE
}

static gbl_Index count(gbl_Scalar s) {
    gbl_Index n = 99;
    OK(gbl_Scalar_nvals(&n, s));
    return n;
}

/* set_scalar in one type, kept in a second, read in a third */
GB_TEST(scalar, casts) {
    t_Random r = t_random(1);
    for (size_t a = 0; a < 11; a++) {
        for (size_t b = 0; b < 11; b++) {
            for (size_t c = 0; c < 11; c++) {
                const o_Type from = o_type(t_types[a]), kept = o_type(t_types[b]);
                const o_Type to = o_type(t_types[c]);
                t_case("%d kept as %d read as %d", (int)from.code, (int)kept.code, (int)to.code);
                const o_Value x = t_wild(&r, from);
                gbl_Scalar s = NULL;
                OK(gbl_Scalar_new(&s, kept.handle));
                OK(set_scalar(s, from, &x));
                o_Value y;
                memset(&y, 0, sizeof y);
                OK(get_scalar(&y, to, s));
                const o_Value e = o_cast(to, kept, o_cast(kept, from, x));
                CHECK(o_same(to, &e, &y));
                OK(gbl_Scalar_free(&s));
            }
        }
    }
}

/* floats to integers: NaN is 0, what does not fit saturates */
GB_TEST(scalar, casts_of_extreme_floats) {
    static const double extremes[] = {
        NAN,    INFINITY, -INFINITY, 1e300,  -1e300,  127.9,        128.0,         -128.9,
        -129.0, 255.5,    256.0,     -0.5,   65535.9, 2147483647.5, -2147483648.5, 4294967295.5,
        0x1p62, 0x1p63,   -0x1p63,   0x1p64, 0.0,     -0.0,         1e-300};
    const o_Type fp64 = o_type(GBL_FP64_CODE);
    for (size_t k = 0; k < T_COUNT(extremes); k++) {
        for (size_t c = 0; c < 11; c++) {
            const o_Type to = o_type(t_types[c]);
            t_case("%g to %d", extremes[k], (int)to.code);
            gbl_Scalar s = NULL;
            OK(gbl_Scalar_new(&s, GBL_FP64));
            OK(gbl_Scalar_setElement_FP64(s, extremes[k]));
            o_Value y;
            memset(&y, 0, sizeof y);
            OK(get_scalar(&y, to, s));
            const o_Value e = o_cast(to, fp64, (o_Value){.f64 = extremes[k]});
            CHECK(o_same(to, &e, &y));
            OK(gbl_Scalar_free(&s));
        }
    }
}

GB_TEST(scalar, life) {
    gbl_Scalar s = NULL, t = NULL;
    OK(gbl_Scalar_new(&s, GBL_INT32));
    CHECK_EQ(count(s), 0);
    int32_t x = 41;
    CHECK_EQ(gbl_Scalar_extractElement_INT32(&x, s), GBL_NO_VALUE);
    CHECK_EQ(x, 41);
    OK(gbl_Scalar_dup(&t, s));
    CHECK_EQ(count(t), 0);
    OK(gbl_Scalar_free(&t));
    OK(gbl_Scalar_setElement_INT32(s, -7));
    OK(gbl_Scalar_dup(&t, s));
    OK(gbl_Scalar_setElement_INT32(s, 8));
    OK(gbl_Scalar_extractElement_INT32(&x, t));
    CHECK_EQ(x, -7);
    OK(gbl_Scalar_extractElement_INT32(&x, s));
    CHECK_EQ(x, 8);
    gbl_Type type = NULL;
    OK(gbl_Scalar_type(&type, t));
    CHECK(type == GBL_INT32);
    OK(gbl_Scalar_clear(s));
    CHECK_EQ(count(s), 0);
    CHECK_EQ(count(t), 1);
    OK(gbl_Scalar_wait(s, GBL_COMPLETE));
    OK(gbl_Scalar_wait(t, GBL_MATERIALIZE));
    FREE(s, t);
    CHECK(s == NULL && t == NULL);
    OK(gbl_Scalar_free(&s)); /* freeing nothing is no error */
}

GB_TEST(scalar, user_types) {
    t_User user = t_user_path();
    gbl_Scalar s = NULL, t = NULL;
    OK(gbl_Scalar_new(&s, user.type.handle));
    const t_Path in = {-5, 77, 0xABCDEF01u};
    t_Path out = {0, 0, 0};
    OK(gbl_Scalar_setElement_UDT(s, &in));
    OK(gbl_Scalar_dup(&t, s));
    OK(gbl_Scalar_extractElement_UDT(&out, t));
    CHECK(memcmp(&in, &out, sizeof in) == 0);
    /* built-in values do not fit, in either direction */
    FAILS(GBL_DOMAIN_MISMATCH, gbl_Scalar_setElement_INT32(s, 1));
    int32_t x = 0;
    FAILS(GBL_DOMAIN_MISMATCH, gbl_Scalar_extractElement_INT32(&x, s));
    FREE(s, t);
    t_user_free(&user);
}
