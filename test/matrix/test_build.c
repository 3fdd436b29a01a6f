/* SPDX-License-Identifier: Apache-2.0
 *
 * The sort behind build, and build itself where sizes cross the borders between one bucket, many
 * buckets and buckets that are split again. A stable merge sort is the judge.
 */
#include "support/gb_test.h"

#include "core/arrays.h"
#include "matrix/check.h"
#include "matrix/matrix.h"
#include "matrix/radix.h"

#include <stdlib.h>
#include <string.h>

static int by_key_then_load(const void *a, const void *b) {
    const gb_Record *x = a, *y = b;
    if (x->key != y->key) return x->key < y->key ? -1 : 1;
    return x->load < y->load ? -1 : x->load > y->load;
}

/* How keys are spread over [0, 2^bits). */
typedef enum { EVEN, SKEWED, FEW, ONE, ONE_BUT_LAST, ASCENDING, DESCENDING, SPREADS } Spread;

static uint64_t key_at(t_Random *r, Spread spread, int bits, uint64_t k, uint64_t n) {
    const uint64_t mask = bits == 64 ? UINT64_MAX : ((uint64_t)1 << bits) - 1;
    switch (spread) {
    case EVEN:
        return t_next(r) & mask;
    case SKEWED:
        return (t_next(r) & mask) >> t_below(r, (uint64_t)bits + 1) % 64;
    case FEW:
        return (t_below(r, 3) * (mask / 3)) & mask;
    case ONE:
        return mask / 2;
    case ONE_BUT_LAST:
        return k + 1 < n ? mask : 0;
    case ASCENDING:
        return mask / n * k;
    default:
        return mask - mask / n * k;
    }
}

GB_TEST(build, records_sort) {
    static const uint64_t sizes[] = {1, 2, 24, 25, 100, 4000, 32768, 32769, 70000, 300000};
    static const int widths[] = {1, 7, 20, 40, 64};
    for (size_t s = 0; s < T_COUNT(sizes); s++) {
        for (size_t w = 0; w < T_COUNT(widths); w++) {
            for (Spread spread = EVEN; spread < SPREADS; spread++) {
                const uint64_t n = sizes[s];
                if (t_left_out()) continue;
                t_Random r = t_random(1000 * s + 10 * w + spread);
                t_case("%llu records of %d bits, spread %d", (unsigned long long)n, widths[w],
                       (int)spread);
                gb_Record *in = malloc(n * sizeof *in), *out = malloc(n * sizeof *out);
                for (uint64_t k = 0; k < n; k++)
                    in[k] = (gb_Record){key_at(&r, spread, widths[w], k, n), k};
                const gb_RecordInput input = {gb_record_read, in, n, widths[w]};
                OK(gb_records_sort(out, &input, 1 + (int)(s + w) % 4));
                qsort(in, n, sizeof *in, by_key_then_load); /* loads ascend: this is stable */
                CHECK(memcmp(in, out, n * sizeof *in) == 0);
                free(in);
                free(out);
            }
        }
    }
}

/* ------------------------------------------------------------------------------- the arrays -- */

/* Not commutative, not associative, for values of `size` bytes. */
static void mix_bytes(unsigned char *z, const unsigned char *x, const unsigned char *y,
                      size_t size) {
    for (size_t k = 0; k < size; k++) z[k] = (unsigned char)(3 * x[k] + y[(k + 1) % size] + 7);
}
#define DEFINE_MIX(size)                                                                           \
    static void mix_##size(void *z, const void *x, const void *y) {                                \
        mix_bytes(z, x, y, size);                                                                  \
    }
DEFINE_MIX(1)
DEFINE_MIX(2)
DEFINE_MIX(4)
DEFINE_MIX(7)
DEFINE_MIX(8)
DEFINE_MIX(24)
static const struct {
    size_t size;
    gbl_binary_function mix;
} kinds[] = {{1, mix_1}, {2, mix_2}, {4, mix_4}, {7, mix_7}, {8, mix_8}, {24, mix_24}};

typedef struct {
    gb_Tuples t;
    gb_Record *order; /* key: position, load: tuple */
    size_t size;
} Input;

static Input make_input(t_Random *r, uint64_t n, uint64_t nmajor, uint64_t nminor, Spread spread,
                        size_t size) {
    Input in = {.size = size, .order = malloc(n * sizeof *in.order)};
    gbl_Index *major = malloc(n * sizeof *major), *minor = malloc(n * sizeof *minor);
    unsigned char *x = malloc(n * size);
    for (uint64_t k = 0; k < n; k++) {
        major[k] = key_at(r, spread, 40, k, n) % nmajor;
        minor[k] = (spread == ASCENDING ? k / 3 : key_at(r, spread, 40, k, n)) % nminor;
        if (spread == ASCENDING) major[k] = k * nmajor / n / 2;
        in.order[k] = (gb_Record){major[k] << 32 | minor[k], k};
    }
    for (size_t k = 0; k < n * size; k++) x[k] = (unsigned char)t_next(r);
    in.t = (gb_Tuples){.major = nmajor == 1 ? NULL : major,
                       .minor = minor,
                       .x = x,
                       .sx = 1,
                       .n = n,
                       .nmajor = nmajor,
                       .nminor = nminor};
    if (nmajor == 1) free(major);
    qsort(in.order, n, sizeof *in.order, by_key_then_load);
    return in;
}

static void free_input(Input *in) {
    free((void *)in->t.major);
    free((void *)in->t.minor);
    free((void *)in->t.x);
    free(in->order);
}

/* cs holds the tuples of `in`, folded from the left in the order given. */
static void expect_cs(const Input *in, const gb_Cs *cs, gbl_binary_function mix) {
    uint64_t q = 0, row = 0;
    CHECK(cs->sorted && cs->p[0] == 0 && cs->nmajor == in->t.nmajor);
    for (uint64_t k = 0; k < in->t.n; q++) {
        const uint64_t key = in->order[k].key;
        unsigned char z[24], next[24];
        memcpy(z, (const char *)in->t.x + in->order[k].load * in->size, in->size);
        for (k++; k < in->t.n && in->order[k].key == key; k++) {
            mix(next, z, (const char *)in->t.x + in->order[k].load * in->size);
            memcpy(z, next, in->size);
        }
        while (row < key >> 32) CHECK_EQ(cs->p[++row], q);
        CHECK_EQ(cs->i[q], (uint32_t)key);
        CHECK(memcmp((const char *)cs->x + q * in->size, z, in->size) == 0);
    }
    while (row < in->t.nmajor) CHECK_EQ(cs->p[++row], q);
    CHECK_EQ(cs->nvals, q);
}

GB_TEST(build, tuples_to_cs) {
    static const uint64_t shapes[][2] = {{1, 5000000}, {300, 300}, {70000, 3}, {40, 4294967295u}};
    static const uint64_t sizes[] = {1, 20, 20000, 90000};
    uint64_t seed = 0;
    for (size_t kind = 0; kind < T_COUNT(kinds); kind++) {
        gbl_Type type = NULL;
        gbl_BinaryOp dup = NULL;
        OK(gbl_Type_new(&type, kinds[kind].size));
        OK(gbl_BinaryOp_new(&dup, kinds[kind].mix, type, type, type));
        for (size_t s = 0; s < T_COUNT(shapes) * T_COUNT(sizes); s++) {
            const uint64_t *shape = shapes[s % T_COUNT(shapes)], n = sizes[s / T_COUNT(shapes)];
            for (Spread spread = EVEN; spread < DESCENDING; spread++, seed++) {
                if (t_left_out()) continue;
                t_Random r = t_random(seed);
                t_case("%llu tuples of %zu bytes in %llu x %llu, spread %d", (unsigned long long)n,
                       kinds[kind].size, (unsigned long long)shape[0], (unsigned long long)shape[1],
                       (int)spread);
                Input in = make_input(&r, n, shape[0], shape[1], spread, kinds[kind].size);
                OK(gbl_Global_set_INT32(GBL_GLOBAL, 1 + (int32_t)(seed % 3), GBL_NTHREADS));
                gb_Cs cs;
                OK(gb_tuples_to_cs(&cs, &in.t, type, dup));
                expect_cs(&in, &cs, kinds[kind].mix);
                gb_cs_free(&cs);
                free_input(&in);
            }
        }
        FREE(dup, type);
    }
}

/* ---------------------------------------------------------------------------------- objects -- */

/* what is wrong is named: the tuple, its index, the position that repeats */
GB_TEST(build, messages) {
    const gbl_Index I[] = {2, 0, 1, 2}, J[] = {3, 1, 1, 3}, far[] = {0, 1, 9, 11};
    const int32_t X[] = {10, 20, 30, 40};
    const char *text = NULL;
    gbl_Matrix A = t_new_matrix(GBL_INT32, 3, 4);
    gbl_Vector v = t_new_vector(GBL_INT32, 5);
    FAILS(GBL_INVALID_VALUE, gbl_Matrix_build_INT32(A, I, J, X, 4, NULL));
    OK(gbl_Matrix_error(&text, A));
    CHECK(strstr(text, "row 2") != NULL && strstr(text, "column 3") != NULL);
    FAILS(GBL_INDEX_OUT_OF_BOUNDS, gbl_Matrix_build_INT32(A, I, far, X, 4, NULL));
    OK(gbl_Matrix_error(&text, A));
    CHECK(strstr(text, "tuple 2") != NULL && strstr(text, "column index 9") != NULL);
    FAILS(GBL_INVALID_VALUE, gbl_Vector_build_INT32(v, I, X, 4, NULL));
    OK(gbl_Vector_error(&text, v));
    CHECK(strstr(text, "index 2") != NULL);
    FAILS(GBL_INDEX_OUT_OF_BOUNDS, gbl_Vector_build_INT32(v, far, X, 4, NULL));
    OK(gbl_Vector_error(&text, v));
    CHECK(strstr(text, "tuple 2") != NULL && strstr(text, "index 9") != NULL);
    FREE(A, v);
}

/* values are cast into dup's type, combined there, and cast into the object's */
GB_TEST(build, casts_through_dup) {
    const gbl_Index I[] = {1, 0, 1, 1};
    const double X[] = {1.75, 2.5, 300.75, -1.5};
    gbl_Vector v = t_new_vector(GBL_UINT8, 2);
    OK(gbl_Vector_build_FP64(v, I, X, 4, GBL_PLUS_FP64)); /* 301 saturates at the end */
    uint8_t x = 0;
    OK(gbl_Vector_extractElement_UINT8(&x, v, 1));
    CHECK_EQ(x, 255);
    OK(gbl_Vector_clear(v));
    OK(gbl_Vector_build_FP64(v, I, X, 4, GBL_PLUS_INT16)); /* 1 + 300 - 1 wraps */
    OK(gbl_Vector_extractElement_UINT8(&x, v, 1));
    CHECK_EQ(x, 300 - 256);
    OK(gbl_Vector_extractElement_UINT8(&x, v, 0));
    CHECK_EQ(x, 2);
    OK(gbl_Vector_clear(v));
    OK(gbl_Vector_build_FP64(v, I, X, 4, GBL_PLUS_UINT8)); /* 1 + 255 + 0, which wraps */
    OK(gbl_Vector_extractElement_UINT8(&x, v, 1));
    CHECK_EQ(x, 0);
    OK(gb_matrix_check(&v->m));
    OK(gbl_Vector_clear(v));
    FAILS(GBL_DOMAIN_MISMATCH, gbl_Vector_build_FP64(v, I, X, 4, GBL_LT_FP64));
    OK(gbl_Vector_free(&v));
}

/* one value for all makes an iso object, with duplicates merged */
GB_TEST(build, scalar_is_iso) {
    const gbl_Index I[] = {2, 0, 2, 1, 2}, J[] = {1, 1, 0, 3, 1};
    gbl_Scalar s = NULL;
    gbl_Matrix A = t_new_matrix(GBL_INT8, 3, 4);
    OK(gbl_Scalar_new(&s, GBL_FP32));
    OK(gbl_Scalar_setElement_FP32(s, 41.5f));
    OK(gbl_Matrix_build_Scalar(A, I, J, s, 5));
    OK(gb_matrix_check(&A->m));
    gbl_Formats formats;
    OK(gbl_Matrix_formats(&formats, A));
    CHECK(formats.iso && formats.sorted && formats.present == GBL_HAS_CSR);
    gbl_Index n = 4, i[4], j[4];
    int32_t x[4];
    OK(gbl_Matrix_extractTuples_INT32(i, j, x, &n, A));
    CHECK_EQ(n, 4);
    CHECK(memcmp(i, (gbl_Index[]){0, 1, 2, 2}, sizeof i) == 0);
    CHECK(memcmp(j, (gbl_Index[]){1, 3, 0, 1}, sizeof j) == 0);
    for (int k = 0; k < 4; k++) CHECK_EQ(x[k], 41);
    FREE(A, s);
}
