/* SPDX-License-Identifier: Apache-2.0
 *
 * What Matrix Market texts become: numbers compared with strtod, casts compared with the documented
 * rules, and entries in random order compared with a function of their place.
 */
#include "test_io.h"

TestSuite(io_values, .init = start, .fini = finish);

/* Reads the texts as one column of values of the type. */
static gb_Tuples read_column(gbl_Type type, const char *field, const char *text, size_t count) {
    const size_t capacity = strlen(text) + 100;
    char *const file = malloc(capacity);
    cr_assert_not_null(file);
    const int n = snprintf(file, capacity, "%s%s general\n%zu 1\n%s",
                           "%%MatrixMarket matrix array ", field, count, text);
    gbl_Matrix A = NULL;
    expect_ok(gbl_mm_read_memory(&A, type, file, (size_t)n), "column");
    const gb_Tuples t = tuples_of(A);
    cr_assert_eq(t.n, count);
    gbl_Matrix_free(&A);
    free(file);
    return t;
}

static void print_random_number(char *out, size_t capacity) {
    const unsigned long long a = random_bits() >> random_bits() % 64, b = random_bits();
    const int e = (int)(random_bits() % 660) - 330, zeros = (int)(random_bits() % 30);
    switch (random_bits() % 6) {
    case 0:
        snprintf(out, capacity, "%llue%d", a, e);
        break;
    case 1:
        snprintf(out, capacity, "-%llu.%0*llue%+d", a, zeros + 1, b, e);
        break;
    case 2:
        snprintf(out, capacity, ".%0*llu", zeros + 1, b);
        break;
    case 3:
        snprintf(out, capacity, "%llu.5", (a >> 12) | 1ULL << 52);
        break; /* halfway cases */
    case 4:
        snprintf(out, capacity, "%.17g", (double)a / (double)(b | 1));
        break;
    default:
        snprintf(out, capacity, "%llu.%llu%llu%llu", a, b, a, b);
        break;
    }
}

Test(io_values, rounds_like_strtod) {
    static const char *const special[] = {"0",
                                          "-0",
                                          "-0.0e5",
                                          "inf",
                                          "-INF",
                                          "Infinity",
                                          "+1",
                                          "5.",
                                          ".5",
                                          "1e-400",
                                          "-1e400",
                                          "1e99999999999999999999",
                                          "0e99999999999999999999",
                                          "1e-99999999999999999999",
                                          "4.9406564584124654e-324",
                                          "2.4703282292062327e-324",
                                          "2.4703282292062328e-324",
                                          "2.2250738585072011e-308",
                                          "2.2250738585072014e-308",
                                          "1.7976931348623158e308",
                                          "1.7976931348623159e308",
                                          "9007199254740993",
                                          "9007199254740992.99999999999999999999",
                                          "0.0000000000000000000000000000000012345678901234567890",
                                          "00000000000000000000000005"};
    enum { SPECIAL = sizeof special / sizeof *special, COUNT = 60000, CAPACITY = 120 };
    char *const text = calloc(COUNT, CAPACITY);
    double *const want = malloc(COUNT * sizeof *want);
    cr_assert(text && want);
    char *p = text;
    for (size_t k = 0; k < COUNT; k++) {
        char number[CAPACITY];
        print_random_number(number, CAPACITY);
        if (k < SPECIAL) snprintf(number, CAPACITY, "%s", special[k]);
        want[k] = strtod(number, NULL);
        p += sprintf(p, "%s\n", number);
    }
    gb_Tuples got = read_column(GBL_FP64, "real", text, COUNT);
    for (size_t k = 0; k < COUNT; k++) {
        cr_assert_eq(memcmp(&got.X[k], &want[k], sizeof *want), 0, "value %zu: %.17g for %.17g", k,
                     got.X[k], want[k]);
    }
    free_tuples(&got);
    got = read_column(GBL_FP64, "real", "NaN\nnan\n-NAN\n", 3);
    for (int k = 0; k < 3; k++) cr_assert(got.X[k] != got.X[k]);
    free_tuples(&got);
    free(text);
    free(want);
}

Test(io_values, casts_as_documented) {
    static const char reals[] = "-2.75\n300.9\n1e30\nnan\n-inf\n0.25\n";
    static const char integers[] = "-3\n300\n4294967297\n0\n9223372036854775807\n";
    const struct {
        gbl_Type type;
        const char *field, *text;
        double want[6];
    } table[] = {
        {GBL_INT8, "real", reals, {-2, 127, 127, 0, -128, 0}},
        {GBL_UINT8, "real", reals, {0, 255, 255, 0, 0, 0}},
        {GBL_INT64, "real", reals, {-2, 300, 0x1p63, 0, -0x1p63, 0}},
        {GBL_UINT64, "real", reals, {0, 300, 0x1p64, 0, 0, 0}},
        {GBL_BOOL, "real", reals, {1, 1, 1, 1, 1, 1}},
        {GBL_INT8, "integer", integers, {-3, 44, 1, 0, -1}},
        {GBL_UINT16, "integer", integers, {65533, 300, 1, 0, 65535}},
        {GBL_INT32, "integer", integers, {-3, 300, 1, 0, -1}},
        {GBL_BOOL, "integer", integers, {1, 1, 1, 0, 1}},
        {GBL_FP32, "integer", integers, {-3, 300, 0x1p32, 0, 0x1p63}},
        {GBL_UINT64, "integer", "18446744073709551615\n1\n2\n3\n4\n", {0x1p64, 1, 2, 3, 4}},
        {GBL_FP64, "integer", "18446744073709551615\n1\n2\n3\n4\n", {0x1p64, 1, 2, 3, 4}}};
    for (size_t k = 0; k < sizeof table / sizeof *table; k++) {
        const size_t count = table[k].text == reals ? 6 : 5;
        gb_Tuples got = read_column(table[k].type, table[k].field, table[k].text, count);
        for (size_t i = 0; i < count; i++) {
            cr_assert_eq(got.X[i], table[k].want[i], "row %zu of the table, value %zu: %g", k, i,
                         got.X[i]);
        }
        free_tuples(&got);
    }
}

/* The value of a place, 1..100; -value stands on the other side of the diagonal when mirrored. */
static int value_at(uint64_t i, uint64_t j) {
    return (int)((i * 31 + j * 17) % 100) + 1;
}

/* A text whose entries are in random order: row i has the columns j that are
 * multiples of `stride`; of a skew-symmetric one, only those with j < i. */
static char *shuffled_text(uint64_t rows, uint64_t columns, uint64_t stride, bool skew) {
    const uint64_t capacity = rows * (columns / stride + 1);
    uint64_t *const place = malloc(capacity * sizeof *place), n = 0;
    char *const text = malloc(capacity * 24 + 100);
    cr_assert(place && text);
    for (uint64_t i = 0; i < rows; i++) {
        for (uint64_t j = 0; j < (skew ? i : columns); j += stride) place[n++] = i << 32 | j;
    }
    for (uint64_t k = n; k > 1; k--) {
        const uint64_t other = random_bits() % k, swap = place[k - 1];
        place[k - 1] = place[other];
        place[other] = swap;
    }
    char *p = text;
    p += sprintf(p, "%sreal %s\n%d %d %d\n", "%%MatrixMarket matrix coordinate ",
                 skew ? "skew-symmetric" : "general", (int)rows, (int)columns, (int)n);
    for (uint64_t k = 0; k < n; k++) {
        const uint64_t i = place[k] >> 32, j = place[k] & UINT32_MAX;
        p += sprintf(p, "%d %d %d\n", (int)i + 1, (int)j + 1, value_at(i, j));
    }
    free(place);
    return text;
}

static void expect_sorted(gbl_Type type, const char *text, uint64_t count, bool skew) {
    static const int threads[] = {1, 2, 7};
    for (int k = 0; k < 3; k++) {
        gbl_Matrix A = NULL;
        expect_ok(gbl_Global_set_INT32(GBL_GLOBAL, threads[k], GBL_NTHREADS), "threads");
        expect_ok(gbl_mm_read_memory(&A, type, text, strlen(text)), "shuffled");
        gb_Tuples t = tuples_of(A);
        cr_assert_eq(t.n, count);
        for (uint64_t e = 0; e < t.n; e++) {
            const uint64_t i = t.I[e], j = t.J[e];
            const bool mirrored = skew && i < j;
            cr_assert_eq(t.X[e], mirrored ? -value_at(j, i) : value_at(i, j));
            cr_assert(e == 0 || t.I[e - 1] < i || (t.I[e - 1] == i && t.J[e - 1] < j));
        }
        free_tuples(&t);
        gbl_Matrix_free(&A);
    }
}

Test(io_values, sorts_shuffled_entries) {
    /* column indices of one, two and three bytes; rows of 10 to 1000 entries */
    static const struct {
        uint64_t rows, columns, stride;
    } shapes[] = {{90, 200, 1}, {3000, 100, 10}, {20, 50000, 50}, {7, 300000, 1000}};
    const gbl_Type types[] = {GBL_INT8, GBL_UINT16, GBL_FP32, GBL_FP64};
    for (int s = 0; s < 4; s++) {
        char *const text =
            shuffled_text(shapes[s].rows, shapes[s].columns, shapes[s].stride, false);
        const uint64_t count = shapes[s].rows * (shapes[s].columns / shapes[s].stride);
        for (int t = 0; t < 4; t++) expect_sorted(types[t], text, count, false);
        free(text);
    }
    char *const text = shuffled_text(150, 150, 1, true);
    expect_sorted(GBL_INT32, text, (uint64_t)150 * 149, true);
    free(text);
}

/* The type that a text becomes with type NULL. */
static gbl_Type type_read(const char *text, gbl_Type wanted) {
    gbl_Matrix A = NULL;
    gbl_Type type = NULL;
    expect_ok(gbl_mm_read_memory(&A, wanted, text, strlen(text)), text);
    cr_assert_eq(gbl_Matrix_type(&type, A), GBL_SUCCESS);
    gbl_Matrix_free(&A);
    return type;
}

Test(io_values, type_named_by_a_comment) {
    char text[300];
#define BANNER "%%%%MatrixMarket matrix coordinate integer general\n"
#define CHECK_NAMED(N, T)                                                                          \
    snprintf(text, sizeof text, BANNER "%% x\n%%%%GraphBLAS type %s\r\n%%%%\n2 2 1\n1 2 1\n", #T); \
    cr_expect_eq(type_read(text, NULL), GBL_##N, "%s", text);                                      \
    cr_expect_eq(type_read(text, GBL_FP32), GBL_FP32, "%s", text);
    CHECK_NAMED(INT8, int8_t)
    CHECK_NAMED(INT16, int16_t)
    CHECK_NAMED(INT32, int32_t)
    CHECK_NAMED(INT64, int64_t)
    CHECK_NAMED(UINT8, uint8_t)
    CHECK_NAMED(UINT16, uint16_t)
    CHECK_NAMED(UINT32, uint32_t)
    CHECK_NAMED(UINT64, uint64_t)
    CHECK_NAMED(FP32, float)
    CHECK_NAMED(FP64, double)
    CHECK_NAMED(FC32, float complex)
    CHECK_NAMED(FC64, double complex)
    snprintf(text, sizeof text, BANNER "%%%%graphblas  TYPE  Bool\n2 2 1\n1 2 1\n");
    cr_expect_eq(type_read(text, NULL), GBL_BOOL, "%s", text);
    /* what says nothing: an unknown type, another word, a comment below the sizes */
    static const char *const others[] = {"%%GraphBLAS type long double\n2 2 1\n1 2 1\n",
                                         "%%GraphBLAS iso float\n2 2 1\n1 2 1\n",
                                         "%%GraphBLAS type\n2 2 1\n1 2 1\n",
                                         "%%GraphBLAS\n\n2 2 1\n1 2 1\n",
                                         "2 2 1\n%%GraphBLAS type float\n1 2 1\n",
                                         "% %%GraphBLAS type float\n2 2 1\n1 2 1\n"};
    for (size_t k = 0; k < sizeof others / sizeof *others; k++) {
        snprintf(text, sizeof text, BANNER "%s", others[k]);
        cr_expect_eq(type_read(text, NULL), GBL_INT64, "%s", text);
    }
}

/* Sums of entries that are given twice: where an integer type does not hold one, the first is
 * named, whatever becomes of the list and with any number of threads; what comes back into its
 * range is no error. */
Test(io_values, sums_of_duplicates) {
    static const struct {
        const char *sizes, *body, *given; /* NULL: no error, and the entry (1, 2) is 5 */
        const gbl_Type *type;
    } cases[] = {
        {"3 3", "1 2 9223372036854775807\n1 2 1\n2 2 1\n", "entry (1, 2) is", NULL},
        {"3 3", "3 2 -9223372036854775808\n2 1 9223372036854775807\n2 1 1\n3 2 -1\n",
         "entry (2, 1) is", NULL},
        {"90000 2", "9 1 9223372036854775807\n9 1 2\n1 1 1\n", "entry (9, 1) is", NULL},
        {"3000000000 3000000000", "2999999999 7 9223372036854775807\n2999999999 7 1\n1 1 1\n",
         "entry (2999999999, 7) is", NULL},
        {"3000000000 3000000000", "2 1 9223372036854775807\n2 1 1\n1 1 1\n", "entry (2, 1) is",
         NULL},
        {"3 3", "2 2 100\n2 2 28\n", "entry (2, 2) is", &GBL_INT8},
        {"3 3", "2 2 18446744073709551615\n2 2 1\n", "entry (2, 2) is", &GBL_UINT64},
        {"3 3", "1 2 9223372036854775807\n1 2 9\n1 2 -9223372036854775807\n1 2 -4\n", NULL, NULL},
        {"3000000000 3000000000",
         "1 2 9223372036854775807\n1 2 9\n1 2 -9223372036854775807\n1 2 -4\n", NULL, NULL},
        {"3 3", "1 2 127\n1 2 -122\n", NULL, &GBL_INT8},
        {"3 3", "1 2 9223372036854775807\n1 2 -9223372036854775807\n1 2 5\n", NULL, &GBL_FC64},
    };
    for (size_t k = 0; k < 2 * sizeof cases / sizeof *cases; k++) {
        char bytes[256];
        gbl_Matrix A = NULL;
        const char *const given = cases[k / 2].given;
        const gbl_Type *const type = cases[k / 2].type;
        int entries = 0;
        for (const char *p = cases[k / 2].body; *p; p++) entries += *p == '\n';
        snprintf(bytes, sizeof bytes,
                 "%%%%MatrixMarket matrix coordinate integer general\n%s %d\n%s",
                 cases[k / 2].sizes, entries, cases[k / 2].body);
        expect_ok(gbl_Global_set_INT32(GBL_GLOBAL, k % 2 ? 4 : 1, GBL_NTHREADS), "threads");
        gbl_MmText text = {.path = "text", .bytes = bytes, .size = strlen(bytes)};
        const gbl_Info info = gbl_mm_read_mended(&A, type ? *type : NULL, &text);
        if (given) {
            expect_error(info, GBL_INVALID_VALUE, given, bytes);
            expect_error(info, GBL_INVALID_VALUE, "does not hold the sum; take", bytes);
            cr_assert_null(A);
            text.duplicates = GBL_DUPLICATES_FIRST;
            expect_ok(gbl_mm_read_mended(&A, type ? *type : NULL, &text), bytes);
        } else {
            double x = 0;
            expect_ok(info, bytes);
            expect_ok(gbl_Matrix_extractElement_FP64(&x, A, 0, 1), bytes);
            cr_assert_eq(x, 5, "%s: %g", bytes, x);
        }
        gbl_Matrix_free(&A);
    }
}
