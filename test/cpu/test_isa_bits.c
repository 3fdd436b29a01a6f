/* SPDX-License-Identifier: Apache-2.0
 *
 * Floats that round come out the same to the bit on every architecture, by every instruction set,
 * method, accumulator and number of threads: check sums of results, noted once.
 */
#include "support/product.h"
#include "support/spec.h"
#include "support/tuples.h"

#include <string.h>

typedef struct {
    const char *what, *spec;
    uint64_t sum;
} noted;

static uint64_t digest(uint64_t sum, const void *bytes, size_t n) {
    for (const unsigned char *p = bytes; n > 0; n--, p++)
        sum = (sum ^ *p) * UINT64_C(0x100000001B3);
    return sum;
}

#define BEGIN UINT64_C(0xCBF29CE484222325)

static uint64_t digest_of(gbl_Matrix A) {
    t_Tuples t = t_tuples_of(A);
    uint64_t sum = digest(BEGIN, t.I, t.n * sizeof *t.I);
    sum = digest(sum, t.J, t.n * sizeof *t.J);
    sum = digest(sum, t.X, t.n * sizeof *t.X);
    CHECK(t.n > 0);
    t_tuples_free(&t);
    return sum;
}

static void expect(const noted *n, uint64_t sum) {
    cr_assert(sum == n->sum, "%s of %s is UINT64_C(0x%016llX), not 0x%016llX\n  case: %s", n->what,
              n->spec, (unsigned long long)sum, (unsigned long long)n->sum, t_case_text());
}

static uint64_t square(gbl_Semiring ring, gbl_Matrix A, const t_Flags *flags) {
    gbl_Type_Code code = GBL_FP64_CODE;
    OK(gbl_Matrix_get_INT32(A, (int32_t *)&code, GBL_EL_TYPE_CODE));
    gbl_Matrix C = t_mxm(ring, code == GBL_FP64_CODE ? GBL_FP64 : GBL_FP32, A, A, A, flags);
    const uint64_t sum = digest_of(C);
    OK(gbl_Matrix_free(&C));
    return sum;
}

/* By every method and accumulator; where there is a mask by inner products too. */
static void every_way(const noted *n, gbl_Semiring ring, gbl_Matrix A, t_Mask mask) {
    static const gbl_Desc_Value methods[] = {GBL_METHOD_ROWWISE, GBL_METHOD_OUTER, GBL_METHOD_TILED,
                                             GBL_METHOD_VECTOR, GBL_METHOD_DOT};
    for (size_t m = 0; m < T_COUNT(methods); m++) {
        if (methods[m] == GBL_METHOD_DOT && mask != T_STRUCTURAL) continue;
        for (size_t a = 0; a < (m == 0 ? T_COUNT(t_accumulators) : 1); a++)
            for (int32_t threads = 1; threads <= 3; threads += 2) {
                if (t_left_out()) continue;
                t_Flags flags = {.mask = mask, .method = methods[m]};
                flags.accumulators = t_accumulators[a];
                OK(gbl_Global_set_INT32(GBL_GLOBAL, threads, GBL_NTHREADS));
                t_case("%d threads, %s", (int)threads, t_flags_text(&flags));
                expect(n, square(ring, A, &flags));
            }
    }
}

GB_TEST(isa_bits, products) {
    static const struct {
        noted plain, masked;
        bool single, least;
    } table[] = {
        {{"A * A", "rmat:9:8", UINT64_C(0x43F24122C16DD1DA)},
         {"A * A inside A", "rmat:9:8", UINT64_C(0x8C87FFE3AF57CE63)},
         false,
         false},
        {{"A * A, FP32", "er:9:9", UINT64_C(0xEE25631E533FCDDD)},
         {"A * A inside A, FP32", "er:9:9", UINT64_C(0xFAC05DEBB8D6DAE1)},
         true,
         false},
        {{"least sums", "band:400:9", UINT64_C(0xA748A0417BC2A9F9)},
         {"least sums inside A", "band:400:9", UINT64_C(0xA5A12C55F515D4F9)},
         false,
         true},
        {{"A * A, FP32", "fem:5:2", UINT64_C(0xB79CBAE43F8047A5)},
         {"A * A inside A, FP32", "fem:5:2", UINT64_C(0x4AC49A98797499C9)},
         true,
         false},
    };
    for (size_t k = 0; k < T_COUNT(table); k++) {
        gbl_Matrix A = t_from_spec(table[k].single ? GBL_FP32 : GBL_FP64, table[k].plain.spec);
        const gbl_Semiring ring = table[k].single  ? GBL_PLUS_TIMES_SEMIRING_FP32
                                  : table[k].least ? GBL_MIN_PLUS_SEMIRING_FP64
                                                   : GBL_PLUS_TIMES_SEMIRING_FP64;
        every_way(&table[k].plain, ring, A, T_NO_MASK);
        every_way(&table[k].masked, ring, A, T_STRUCTURAL);
        OK(gbl_Matrix_free(&A));
    }
}

/* w = A u, one entry of u in `step`. */
static gbl_Matrix times_vector(gbl_Matrix A, gbl_Index step, gbl_Desc_Value method) {
    gbl_Index n = 0;
    const t_Flags flags = {.method = method};
    OK(gbl_Matrix_nrows(&n, A));
    gbl_Vector u = t_new_vector(GBL_FP64, n), w = t_new_vector(GBL_FP64, n);
    gbl_Matrix column = t_new_matrix(GBL_FP64, n, 1);
    for (gbl_Index k = 0; k < n; k += step)
        OK(gbl_Vector_setElement_FP64(u, 1.0 / (double)(k + 3), k));
    gbl_Descriptor desc = t_descriptor(&flags);
    OK(gbl_mxv(w, NULL, NULL, GBL_PLUS_TIMES_SEMIRING_FP64, A, u, desc));
    OK(gbl_Descriptor_free(&desc));
    OK(gbl_Col_assign(column, NULL, NULL, w, GBL_ALL, n, 0, NULL));
    FREE(u, w);
    return column;
}

GB_TEST(isa_bits, vectors) {
    static const noted table[] = {
        {"A times few entries", "rmat:10:8", UINT64_C(0x3F1085CEF04B2F3F)},
        {"A times a full vector", "rmat:10:8", UINT64_C(0x64983B5CAE4DA79C)}};
    gbl_Matrix A = t_from_spec(GBL_FP64, table[0].spec);
    for (size_t k = 0; k < T_COUNT(table); k++)
        for (unsigned pull = 0; pull < 2; pull++) {
            gbl_Matrix w =
                times_vector(A, k == 0 ? 29 : 1, pull ? GBL_METHOD_PULL : GBL_METHOD_PUSH);
            t_case("%s", pull ? "pull" : "push");
            expect(&table[k], digest_of(w));
            OK(gbl_Matrix_free(&w));
        }
    OK(gbl_Matrix_free(&A));
}

#ifndef GB_TINY /* whose blocks are shorter (GB_REDUCE_BLOCK) */
GB_TEST(isa_bits, sums) {
    static const noted all = {"the sum", "er:12:20", UINT64_C(0x80201EDD827BF346)};
    gbl_Matrix A = t_from_spec(GBL_FP64, all.spec);
    for (int32_t threads = 1; threads <= 3; threads += 2) {
        double sum = 0;
        OK(gbl_Global_set_INT32(GBL_GLOBAL, threads, GBL_NTHREADS));
        OK(gbl_Matrix_reduce_FP64(&sum, NULL, GBL_PLUS_MONOID_FP64, A, NULL));
        expect(&all, digest(BEGIN, &sum, sizeof sum));
    }
    OK(gbl_Matrix_free(&A));
}
#endif
