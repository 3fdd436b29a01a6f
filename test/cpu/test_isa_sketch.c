/* SPDX-License-Identifier: Apache-2.0
 *
 * The kernels that make sketches of rows and sizes of rows of products from them: to the bit
 * against sketch_reference.h, and what they estimate against what is true.
 */
#include "support/gb_test.h"

#include <gblite_io.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "kernel_api/backend.h"
#include "matrix/matrix.h"
#include "cpu/sketch_reference.h"

static const unsigned sizes[] = {32, 64, 128};
enum { GUARD = 64, GUARD_BYTE = 0xA5 };

/* ------------------------------------------------------------------------------------ inputs -- */

/* Rows as plain arrays, so that columns may be anywhere and no row need be sorted. */
typedef struct {
    gb_CsView view;
    gb_Off *p;
    gb_Idx *i;
} rows;

static rows rows_new(uint64_t nmajor, uint64_t nminor, uint64_t nvals) {
    rows r = {.p = calloc(nmajor + 1, sizeof *r.p), .i = malloc((nvals + 1) * sizeof *r.i)};
    cr_assert(r.p != NULL && r.i != NULL);
    r.view = (gb_CsView){.nmajor = nmajor, .nminor = nminor, .nvals = nvals, .p = r.p, .i = r.i};
    return r;
}

static void rows_free(rows *r) {
    free(r->p);
    free(r->i);
}

/* Every third row is empty, the others have 0 to 2 * degree entries, or many (row 1): as far as
 * there are columns. nminor must not divide by 7. */
static rows random_rows(uint64_t seed, uint64_t nmajor, uint64_t nminor, uint64_t degree) {
    t_Random random = t_random(seed);
    uint64_t *length = malloc((nmajor + 1) * sizeof *length), nvals = 0;
    cr_assert(length != NULL);
    for (uint64_t k = 0; k < nmajor; k++) {
        length[k] = k % 3 == 2 ? 0 : k == 1 ? 40 * degree : t_below(&random, 2 * degree + 1);
        if (length[k] > nminor) length[k] = nminor;
        nvals += length[k];
    }
    rows r = rows_new(nmajor, nminor, nvals);
    for (uint64_t k = 0; k < nmajor; k++) r.p[k + 1] = r.p[k] + length[k];
    for (uint64_t k = 0; k < nmajor; k++) {
        const uint64_t start = t_next(&random) >> 20;
        for (gb_Off q = r.p[k]; q < r.p[k + 1]; q++)
            r.i[q] = (gb_Idx)((start + (q - r.p[k]) * 823543) % nminor); /* 7^7 */
    }
    free(length);
    return r;
}

static gb_CsView view_of(gbl_Matrix A) {
    gb_CsView view;
    OK(gb_acquire(&A->m, GB_CSR, &view));
    return view;
}

/* --------------------------------------------------------------------------------- reference -- */

static void expect_sketches(const char *what, const gb_CsView *B) {
    for (size_t k = 0; k < T_COUNT(sizes); k++) {
        const size_t bytes = B->nmajor * sizes[k];
        uint8_t *expected = malloc(bytes + 1), *found = malloc(bytes + 2 * GUARD);
        cr_assert(expected != NULL && found != NULL);
        t_sketch_rows(B, sizes[k], expected);
        for (int threads = 1; threads <= 5; threads += 2) {
            t_case("%s, %u registers, %d threads", what, sizes[k], threads);
            memset(found, GUARD_BYTE, bytes + 2 * GUARD);
            gb_backend()->sketch_rows(B, sizes[k], found + GUARD, threads);
            CHECK(memcmp(found + GUARD, expected, bytes) == 0);
            for (size_t g = 0; g < GUARD; g++)
                CHECK(found[g] == GUARD_BYTE && found[GUARD + bytes + g] == GUARD_BYTE);
        }
        free(expected);
        free(found);
    }
}

/* Sizes of the rows listed (NULL: the first count). */
static void expect_sizes(const gb_SketchArgs *args, const gb_CsView *B, const uint8_t *S) {
    float *found = malloc((args->count + 1) * sizeof *found);
    gb_SketchArgs s = *args;
    cr_assert(found != NULL);
    s.size = found;
    found[s.count] = -7.0f;
    gb_backend()->sketch_sizes(&s);
    CHECK(found[s.count] == -7.0f);
    for (uint64_t r = 0; r < s.count; r++) {
        const uint64_t i = s.rows != NULL ? s.rows[r] : r;
        const t_RowSize row = t_row_size(&s.A, B, S, s.registers, i);
        const double clamped = fmin(fmax(row.size, row.least), row.most);
        const float expected = (float)(s.clamp ? clamped : row.size);
        cr_assert(found[r] == expected, "row %llu is %.9g, not %.9g\n  case: %s",
                  (unsigned long long)i, (double)found[r], (double)expected, t_case_text());
        if (s.clamp) CHECK(found[r] >= (float)row.least && found[r] <= (float)row.most);
    }
    free(found);
}

/* All rows, and a list of rows in no order with repetitions, both clamped and not. */
static void expect_all_sizes(const char *what, const gb_CsView *A, const gb_CsView *B) {
    t_Random random = t_random(A->nvals);
    uint64_t list[257];
    for (size_t r = 0; r < T_COUNT(list); r++) list[r] = t_below(&random, A->nmajor);
    for (size_t k = 0; k < T_COUNT(sizes); k++) {
        uint8_t *S = malloc(B->nmajor * sizes[k] + 1);
        cr_assert(S != NULL);
        t_sketch_rows(B, sizes[k], S);
        gb_SketchArgs args = {.A = *A,
                              .Bp = B->p,
                              .sketch = S,
                              .registers = sizes[k],
                              .ncols = B->nminor,
                              .nthreads = (int)k + 1};
        for (int n = 0; n < 4; n++) {
            t_case("%s, %u registers%s%s", what, sizes[k], n % 2 ? ", clamped" : "",
                   n / 2 ? ", listed rows" : "");
            args.clamp = n % 2;
            args.rows = n / 2 ? list : NULL;
            args.count = n / 2 ? T_COUNT(list) : A->nmajor;
            expect_sizes(&args, B, S);
        }
        free(S);
    }
}

GB_TEST(isa_sketch, generated_matrices) {
    static const char *const specs[] = {"er:9:6", "rmat:9:12", "fem:5:2", "band:300:9"};
    for (size_t k = 0; k < T_COUNT(specs); k++) {
        gbl_Matrix A = NULL;
        OK(gbl_generate(&A, GBL_BOOL, specs[k]));
        const gb_CsView view = view_of(A);
        expect_sketches(specs[k], &view);
        expect_all_sizes(specs[k], &view, &view);
        OK(gbl_Matrix_free(&A));
    }
}

/* Unsorted rows whose columns are anywhere, up to the largest that there can be; rows that cross
 * the batches in which columns are hashed. */
GB_TEST(isa_sketch, random_rows) {
    static const struct {
        uint64_t nmajor, nminor, degree;
    } shapes[] = {{1, 50, 3},
                  {2, 1, 1},
                  {40, 20, 4},
                  {300, 5000, 30},
                  {97, 0xFFFFFFFFu, 60},
                  {500, (uint64_t)1 << 31, 7}};
    for (size_t k = 0; k < T_COUNT(shapes); k++) {
        rows B = random_rows(k, shapes[k].nmajor, shapes[k].nminor, shapes[k].degree);
        rows A = random_rows(100 + k, 211, shapes[k].nmajor, 4);
        char what[64];
        snprintf(what, sizeof what, "shape %zu", k);
        expect_sketches(what, &B.view);
        expect_all_sizes(what, &A.view, &B.view);
        rows_free(&A);
        rows_free(&B);
    }
}

GB_TEST(isa_sketch, the_largest_columns) {
    rows B = rows_new(3, 0xFFFFFFFFu, 3);
    const gb_Idx columns[] = {0, 0xFFFFFFFEu, 0x80000000u};
    for (int k = 0; k < 3; k++) {
        B.p[k + 1] = (gb_Off)k + 1;
        B.i[k] = columns[k];
    }
    expect_sketches("one column a row", &B.view);
    rows A = random_rows(4, 60, 3, 2);
    expect_all_sizes("one column a row", &A.view, &B.view);
    rows_free(&A);
    rows_free(&B);
}

GB_TEST(isa_sketch, nothing) {
    rows none = rows_new(0, 9, 0), empty = rows_new(50, 50, 0);
    expect_sketches("no rows", &none.view);
    expect_sketches("empty rows", &empty.view);
    expect_all_sizes("empty times empty", &empty.view, &empty.view);
    rows A = random_rows(5, 90, 50, 3);
    expect_all_sizes("times empty", &A.view, &empty.view);
    float untouched = -3.0f;
    gb_backend()->sketch_sizes(&(gb_SketchArgs){
        .A = none.view, .Bp = none.p, .registers = 64, .size = &untouched, .nthreads = 3});
    CHECK(untouched == -3.0f);
    rows_free(&none);
    rows_free(&empty);
    rows_free(&A);
}

/* -------------------------------------------------------------------------------- properties -- */

/* The upper half of a sketch's registers laid over its lower half is the sketch of half the size.
 */
GB_TEST(isa_sketch, folding) {
    rows B = random_rows(77, 200, 1 << 20, 40);
    uint8_t *S = malloc(200 * 128), *half = malloc(200 * 64);
    cr_assert(S != NULL && half != NULL);
    for (unsigned registers = 128; registers > 32; registers /= 2) {
        t_case("%u registers", registers);
        gb_backend()->sketch_rows(&B.view, registers, S, 2);
        gb_backend()->sketch_rows(&B.view, registers / 2, half, 2);
        for (uint64_t k = 0; k < 200; k++) {
            const uint8_t *row = S + k * registers;
            for (unsigned r = 0; r < registers / 2; r++) {
                const uint8_t upper = row[r + registers / 2];
                CHECK_EQ(half[k * registers / 2 + r], row[r] > upper ? row[r] : upper);
            }
        }
    }
    free(S);
    free(half);
    rows_free(&B);
}

/* Row k of B holds columns number k * step to k * step + length, scattered by a bijection, so that
 * the union of `span` rows has (span - 1) * step + length columns. */
typedef struct {
    uint64_t rows, length, step, span;
} overlap;

static rows overlapping(const overlap *o) {
    rows B = rows_new(o->rows * o->span, 0xFFFFFFFFu, o->rows * o->span * o->length);
    uint64_t q = 0;
    for (uint64_t k = 0; k < B.view.nmajor; k++) {
        for (uint64_t e = 0; e < o->length; e++)
            B.i[q++] = (gb_Idx)((k * o->step + e + 1) * 2654435761u);
        B.p[k + 1] = q;
    }
    return B;
}

static rows spanning(const overlap *o) {
    rows A = rows_new(o->rows, o->rows * o->span, o->rows * o->span);
    for (uint64_t i = 0; i < o->rows; i++) A.p[i + 1] = (i + 1) * o->span;
    for (uint64_t p = 0; p < A.view.nvals; p++) A.i[p] = (gb_Idx)p;
    return A;
}

/* Sizes of all rows of the product: mean of the estimate and of the absolute error, relative. */
static void errors(const overlap *o, unsigned registers, double *mean, double *absolute) {
    rows B = overlapping(o), A = spanning(o);
    const double truth = (double)((o->span - 1) * o->step + o->length);
    uint8_t *S = malloc(B.view.nmajor * registers);
    float *size = malloc(o->rows * sizeof *size);
    cr_assert(S != NULL && size != NULL);
    gb_backend()->sketch_rows(&B.view, registers, S, 2);
    gb_backend()->sketch_sizes(&(gb_SketchArgs){.A = A.view,
                                                .Bp = B.p,
                                                .sketch = S,
                                                .registers = registers,
                                                .ncols = B.view.nminor,
                                                .count = o->rows,
                                                .size = size,
                                                .nthreads = 2});
    *mean = *absolute = 0.0;
    for (uint64_t i = 0; i < o->rows; i++) {
        *mean += ((double)size[i] / truth - 1.0) / (double)o->rows;
        *absolute += fabs((double)size[i] / truth - 1.0) / (double)o->rows;
    }
    free(S);
    free(size);
    rows_free(&A);
    rows_free(&B);
}

GB_TEST(isa_sketch, errors_are_as_small_as_promised) {
    static const overlap shapes[] = {{1500, 100, 50, 10}, {1500, 50, 50, 20}, {1500, 600, 200, 6}};
    static const double most[] = {0.15, 0.105, 0.075};
    for (size_t s = 0; s < T_COUNT(shapes); s++) {
        for (size_t k = 0; k < T_COUNT(sizes); k++) {
            double mean, absolute;
            errors(&shapes[s], sizes[k], &mean, &absolute);
            t_case("shape %zu, %u registers: error %g, bias %g", s, sizes[k], absolute, mean);
            CHECK(absolute <= most[k]);
            CHECK(absolute > most[k] / 4); /* else it is not an estimate that was measured */
            CHECK(fabs(mean) < 0.03);
        }
    }
}

/* No bias for few entries either: 2 to 40 in all. */
GB_TEST(isa_sketch, short_rows_have_no_bias) {
    static const overlap shapes[] = {
        {4000, 1, 1, 2}, {4000, 2, 1, 3}, {4000, 5, 2, 4}, {2000, 10, 10, 4}};
    for (size_t s = 0; s < T_COUNT(shapes); s++) {
        for (size_t k = 0; k < T_COUNT(sizes); k++) {
            double mean, absolute;
            errors(&shapes[s], sizes[k], &mean, &absolute);
            t_case("shape %zu, %u registers: error %g, bias %g", s, sizes[k], absolute, mean);
            CHECK(fabs(mean) < 0.03);
            CHECK(absolute < 0.15);
        }
    }
}

/* A row that meets one row of B, or several of which one is not empty, is as long as that row. */
GB_TEST(isa_sketch, copied_rows_are_exact) {
    rows B = random_rows(9, 90, 1 << 16, 25), A = rows_new(90, 90, 180);
    for (uint64_t k = 0; k < 90; k++) {
        A.p[k + 1] = 2 * (k + 1);
        A.i[2 * k] = (gb_Idx)k;
        A.i[2 * k + 1] = 5; /* one of the empty rows */
    }
    CHECK_EQ(B.p[6] - B.p[5], 0);
    for (int clamp = 0; clamp < 2; clamp++) {
        uint8_t S[90 * 64];
        float size[90];
        gb_backend()->sketch_rows(&B.view, 64, S, 1);
        gb_backend()->sketch_sizes(&(gb_SketchArgs){.A = A.view,
                                                    .Bp = B.p,
                                                    .sketch = S,
                                                    .registers = 64,
                                                    .ncols = B.view.nminor,
                                                    .count = 90,
                                                    .size = size,
                                                    .clamp = clamp,
                                                    .nthreads = 1});
        for (uint64_t k = 0; k < 90; k++) CHECK(size[k] == (float)(B.p[k + 1] - B.p[k]));
    }
    rows_free(&A);
    rows_free(&B);
}

/* ----------------------------------------------------------------------------------- chains -- */

/* Unions of sketches, and what they say, for all rows and for chosen ones. */
static void expect_unions(const gb_SketchArgs *args) {
    const unsigned registers = args->registers;
    uint8_t *united = malloc(args->count * registers + GUARD), merged[GB_HLL_MOST];
    float *size = malloc((args->count + 1) * sizeof *size);
    gb_SketchArgs u = *args;
    cr_assert(united != NULL && size != NULL);
    memset(united + args->count * registers, GUARD_BYTE, GUARD);
    size[args->count] = -7.0f;
    u.united = united;
    u.size = size;
    gb_backend()->sketch_sizes(&u);
    CHECK(size[args->count] == -7.0f && united[args->count * registers] == GUARD_BYTE);
    for (uint64_t r = 0; r < args->count; r++) {
        const uint64_t i = args->rows != NULL ? args->rows[r] : r;
        float longest = 0, products = 0;
        memset(merged, 0, sizeof merged);
        for (gb_Off p = args->A.p[i]; p < args->A.p[i + 1]; p++) {
            const uint8_t *sketch = args->sketch + (uint64_t)args->A.i[p] * registers;
            const float length = args->length[args->A.i[p]];
            for (unsigned k = 0; k < registers; k++)
                merged[k] = merged[k] > sketch[k] ? merged[k] : sketch[k];
            longest = length > longest ? length : longest;
            products += length;
        }
        CHECK(memcmp(united + r * registers, merged, registers) == 0);
        const double most = fmin((double)products, (double)args->ncols);
        const double wanted = fmin(fmax(t_sketch_size(merged, registers), (double)longest), most);
        CHECK(size[r] == (products == longest ? products : (float)wanted));
    }
    free(united);
    free(size);
}

GB_TEST(isa_sketch, unions_of_sketches) {
    rows A = random_rows(31, 700, 500, 9), B = random_rows(32, 500, 9001, 20);
    uint64_t chosen[] = {699, 1, 2, 2, 350};
    float length[500];
    for (int k = 0; k < 500; k++) length[k] = (float)(B.p[k + 1] - B.p[k]);
    for (size_t k = 0; k < T_COUNT(sizes); k++) {
        uint8_t *S = malloc(500 * sizes[k]);
        cr_assert(S != NULL);
        t_sketch_rows(&B.view, sizes[k], S);
        for (int threads = 1; threads <= 5; threads += 2) {
            t_case("%u registers, %d threads", sizes[k], threads);
            gb_SketchArgs u = {.A = A.view,
                               .sketch = S,
                               .length = length,
                               .registers = sizes[k],
                               .ncols = 9001,
                               .clamp = true,
                               .count = 700,
                               .nthreads = threads};
            expect_unions(&u);
            u.rows = chosen;
            u.count = T_COUNT(chosen);
            expect_unions(&u);
        }
        free(S);
    }
    rows_free(&A);
    rows_free(&B);
}

/* The sketches of columns are those of the rows of the transpose. */
GB_TEST(isa_sketch, sketches_of_columns) {
    gbl_Matrix A = NULL;
    OK(gbl_generate(&A, GBL_BOOL, "rect:900:301:12"));
    gbl_Matrix T = t_new_matrix(GBL_BOOL, 301, 900);
    OK(gbl_transpose(T, NULL, NULL, A, NULL));
    const gb_CsView rows_of_A = view_of(A), rows_of_T = view_of(T);
    for (size_t k = 0; k < T_COUNT(sizes); k++)
        for (int threads = 1; threads <= 5; threads += 2) {
            uint8_t *found = malloc(301 * sizes[k] + 1), *expected = malloc(301 * sizes[k]);
            cr_assert(found != NULL && expected != NULL);
            t_case("%u registers, %d threads", sizes[k], threads);
            found[301 * sizes[k]] = GUARD_BYTE;
            t_sketch_rows(&rows_of_T, sizes[k], expected);
            gb_backend()->sketch_columns(&rows_of_A, sizes[k], found, threads);
            CHECK(memcmp(found, expected, 301 * sizes[k]) == 0);
            CHECK(found[301 * sizes[k]] == GUARD_BYTE);
            free(found);
            free(expected);
        }
    FREE(A, T);
}
