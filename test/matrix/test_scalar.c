/* SPDX-License-Identifier: Apache-2.0
 *
 * Scalars: zero or one value, set and read in every type.
 */
#include "support/gb_test.h"

#include <math.h>
#include <string.h>

static gbl_Info set(gbl_Scalar s, o_Type type, const o_Value *x) {
#define CASE(N, T)                                                                                 \
    case GBL_##N##_CODE:                                                                           \
        return gbl_Scalar_setElement_##N(s, *(const T *)(const void *)x);
    switch (type.code) {
        GBL_FOREACH_TYPE(CASE)
    default:
        return gbl_Scalar_setElement_UDT(s, x);
    }
#undef CASE
}

static gbl_Info get(o_Value *x, o_Type type, gbl_Scalar s) {
#define CASE(N, T)                                                                                 \
    case GBL_##N##_CODE:                                                                           \
        return gbl_Scalar_extractElement_##N((T *)(void *)x, s);
    switch (type.code) {
        GBL_FOREACH_TYPE(CASE)
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

/* set in one type, kept in a second, read in a third */
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
                OK(set(s, from, &x));
                o_Value y;
                memset(&y, 0, sizeof y);
                OK(get(&y, to, s));
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
            OK(get(&y, to, s));
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
    OK(gbl_Scalar_free(&s));
    OK(gbl_Scalar_free(&t));
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
    OK(gbl_Scalar_free(&s));
    OK(gbl_Scalar_free(&t));
    t_user_free(&user);
}
