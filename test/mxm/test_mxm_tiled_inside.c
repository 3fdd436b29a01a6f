/* SPDX-License-Identifier: Apache-2.0
 *
 * What only larger products by tiles reach: masks inside the kernel, values that masks alone decide
 * over many tiles, tiles of C summed in cells and packed, slices under a memory limit, and when the
 * planner takes tiles by itself. Everything is compared with the row-wise product to the bit.
 */
#include "support/tuples.h"

#include <gblite_io.h>
#include <string.h>

#include "matrix/check.h"
#include "matrix/matrix.h"
#include "mxm/machine/machine.h"

static const t_Mask masks[] = {T_NO_MASK,         T_STRUCTURAL, T_VALUED,
                               T_COMP_STRUCTURAL, T_COMP,       T_COMP_NO_MASK};

typedef struct {
    const char *name;
    const gbl_Semiring *ring;
    const gbl_Type *type; /* of C */
} ring;

/* Values, positions, counts, truth, one value for all, functions of no specialised kernel. */
static const ring rings[] = {
    {"plus times FP64", &GBL_PLUS_TIMES_SEMIRING_FP64, &GBL_FP64},
    {"plus times FP32", &GBL_PLUS_TIMES_SEMIRING_FP32, &GBL_FP32},
    {"min plus FP64", &GBL_MIN_PLUS_SEMIRING_FP64, &GBL_FP64},
    {"min plus INT32", &GBL_MIN_PLUS_SEMIRING_INT32, &GBL_INT32},
    {"max times FP64", &GBL_MAX_TIMES_SEMIRING_FP64, &GBL_FP64},
    {"plus first FP64", &GBL_PLUS_FIRST_SEMIRING_FP64, &GBL_FP64},
    {"min secondi INT64", &GBL_MIN_SECONDI_SEMIRING_INT64, &GBL_INT64},
    {"plus pair INT32", &GBL_PLUS_PAIR_SEMIRING_INT32, &GBL_INT32},
    {"lor land", &GBL_LOR_LAND_SEMIRING_BOOL, &GBL_BOOL},
    {"plus pair FP64", &GBL_PLUS_PAIR_SEMIRING_FP64, &GBL_FP64},
    {"any pair", &GBL_ANY_PAIR_SEMIRING_BOOL, &GBL_BOOL},
    {"lxor land", &GBL_LXOR_LAND_SEMIRING_BOOL, &GBL_BOOL},
    {"max plus INT16", &GBL_MAX_PLUS_SEMIRING_INT16, &GBL_INT16},
};

static const char *const inputs[] = {"rmat:8:12", "fem:4:6", "fem:6:2", "band:200:40", "er:8:4"};

/* The generated pattern with values of all signs, and, when they `fail`, every seventh false. A sum
 * of nothing but products -0 may come out as 0, so there are no zeros among numbers. */
static gbl_Matrix valued(const char *spec, bool fail) {
    gbl_Matrix A = NULL;
    OK(gbl_generate(&A, GBL_FP64, spec));
    const gbl_Index n = t_nrows(A);
    t_Tuples t = t_tuples_of(A);
    t_Random r = t_random(t.n);
    for (gbl_Index k = 0; k < t.n; k++)
        t.X[k] = fail && t_below(&r, 7) == 0 ? 0 : (double)t_below(&r, 50) - 50;
    gbl_Matrix B = t_new_matrix(GBL_FP64, n, n);
    OK(gbl_Matrix_build_FP64(B, t.I, t.J, t.X, t.n, NULL));
    t_tuples_free(&t);
    OK(gbl_Matrix_free(&A));
    return B;
}

static gbl_Matrix numbered(const char *spec) {
    return valued(spec, false);
}

/* Some full rows and columns of tiles, and a sprinkling: full, partly full and absent tiles. */
static gbl_Matrix some_mask(gbl_Index n) {
    t_Random r = t_random(n);
    gbl_Matrix M = t_new_matrix(GBL_FP64, n, n);
    for (gbl_Index i = 0; i < n; i++)
        for (gbl_Index j = 0; j < n; j++)
            if (i / 16 % 3 == 0 ? j / 16 % 2 == 0 : t_below(&r, 40) == 0)
                OK(gbl_Matrix_setElement_FP64(M, (double)t_below(&r, 3), i, j));
    return M;
}

typedef struct {
    const ring *of;
    gbl_Matrix C, A, M;
    gbl_Descriptor desc;
} square_call;

static gbl_Info run(void *context) {
    const square_call *call = context;
    return gbl_mxm(call->C, call->M, NULL, *call->of->ring, call->A, call->A, call->desc);
}

static gbl_Matrix square_within(const ring *of, gbl_Matrix A, gbl_Matrix M, const t_Flags *flags,
                                int64_t times, gbl_Explanation *why) {
    square_call call = {of, NULL, A, t_has_mask(flags->mask) ? M : NULL, t_descriptor(flags)};
    const gbl_Index n = t_nrows(A);
    OK(gbl_Matrix_new(&call.C, *of->type, n, n));
    if (times > 0) {
        const int64_t least = t_with_least_memory(run, &call);
        OK(gbl_Matrix_clear(call.C));
        OK(gbl_Global_set_INT64(GBL_GLOBAL, times * least, GBL_MEMORY_LIMIT));
    }
    OK(run(&call));
    OK(gbl_Global_set_INT64(GBL_GLOBAL, 0, GBL_MEMORY_LIMIT));
    OK(gbl_Matrix_explain(why, call.C));
    OK(gbl_Descriptor_free(&call.desc));
    return call.C;
}

static gbl_Matrix square(const ring *of, gbl_Matrix A, gbl_Matrix M, const t_Flags *flags,
                         gbl_Explanation *why) {
    return square_within(of, A, M, flags, 0, why);
}

static t_Tuples by_rows(const ring *of, gbl_Matrix A, gbl_Matrix M, t_Flags flags) {
    gbl_Explanation why = GBL_EXPLANATION_INIT;
    flags.method = GBL_METHOD_ROWWISE;
    gbl_Matrix C = square(of, A, M, &flags, &why);
    t_Tuples t = t_tuples_of(C);
    OK(gbl_Matrix_free(&C));
    return t;
}

/* Every ring and mask on every input, with so many times the least memory; 0: unlimited, else only
 * every other ring and mask. */
static void every_case(int64_t times) {
    const size_t step = times > 0 ? 2 : 1;
    for (size_t i = 0; i < T_COUNT(inputs); i++) {
        gbl_Matrix numbers = numbered(inputs[i]), truths = valued(inputs[i], true);
        const gbl_Index n = t_nrows(numbers);
        gbl_Matrix M = some_mask(n);
        for (size_t k = 0; k < T_COUNT(rings); k += step) {
            if (t_left_out()) continue;
            for (size_t m = 0; m < T_COUNT(masks); m += step) {
                const t_Flags flags = {.mask = masks[m], .method = GBL_METHOD_TILED};
                gbl_Matrix A = *rings[k].type == GBL_BOOL ? truths : numbers;
                gbl_Explanation why = GBL_EXPLANATION_INIT;
                t_case("%s, %s, %s, %lld times the least memory", inputs[i], rings[k].name,
                       t_mask_names[masks[m]], (long long)times);
                t_Tuples expected = by_rows(&rings[k], A, M, flags);
                gbl_Matrix C = square_within(&rings[k], A, M, &flags, times, &why);
                if (masks[m] != T_COMP_NO_MASK) CHECK(strcmp(why.method, "tiled") == 0);
                if (masks[m] != T_COMP_NO_MASK)
                    CHECK(times == 1 ? why.slices > 1 : why.slices >= 1);
                OK(gb_matrix_check(&C->m));
                t_expect_tuples(&expected, C);
                t_tuples_free(&expected);
                OK(gbl_Matrix_free(&C));
            }
        }
        FREE(numbers, truths, M);
    }
}

GB_TEST(mxm_tiled_inside, every_mask) {
    every_case(0);
}

/* One row of tiles at a time, and a few at a time. */
GB_TEST(mxm_tiled_inside, slices_of_one_row_of_tiles) {
    every_case(1);
}

GB_TEST(mxm_tiled_inside, slices_of_some_rows_of_tiles) {
    every_case(2);
}

typedef struct {
    double last, stop; /* what was told last; where to stop, above 1: never */
    int ends;          /* times that all was said to be done */
} watched;

static bool watch(void *context, const char *what, double done) {
    watched *w = context;
    CHECK(strcmp(what, "mxm") == 0 && done >= w->last && done <= 1.0);
    w->last = done;
    w->ends += done == 1.0;
    return done < w->stop;
}

/* Progress is that of all slices, and ends once; who stops it at the end gets nothing. */
GB_TEST(mxm_tiled_inside, progress_of_slices) {
    gbl_Matrix A = numbered("band:2000:8");
    const t_Flags flags = {.method = GBL_METHOD_TILED};
    gbl_Explanation how = GBL_EXPLANATION_INIT;
    square_call first = {&rings[0], square(&rings[0], A, NULL, &flags, &how), A, NULL, NULL};
    first.desc = t_descriptor(&flags);
    const int64_t least = t_with_least_memory(run, &first);
    for (int64_t limit = 0; limit <= least; limit += least) {
        gbl_Explanation why = GBL_EXPLANATION_INIT;
        watched w = {.stop = 2.0};
        OK(gbl_Global_set_INT64(GBL_GLOBAL, limit, GBL_MEMORY_LIMIT));
        OK(gbl_set_progress(watch, &w));
        gbl_Matrix C = square(&rings[0], A, NULL, &flags, &why);
        CHECK(limit > 0 ? why.slices > 1 : why.slices == 1);
        CHECK(w.last == 1.0 && w.ends == 1);
        gbl_Descriptor desc = t_descriptor(&flags);
        t_Tuples before = t_tuples_of(C);
        w = (watched){.stop = 1.0};
        FAILS(GBL_CANCELLED, gbl_mxm(C, NULL, NULL, *rings[0].ring, A, A, desc));
        CHECK(w.ends == 1);
        t_expect_tuples(&before, C);
        t_tuples_free(&before);
        OK(gbl_set_progress(NULL, NULL));
        FREE(desc, C);
    }
    OK(gbl_Global_set_INT64(GBL_GLOBAL, 0, GBL_MEMORY_LIMIT));
    FREE(first.desc, first.C, A);
}

/* A masked product into an empty matrix stays as tiles; nothing is converted but what it needs. */
GB_TEST(mxm_tiled_inside, masked_products_stay_tiles) {
    gbl_Matrix A = numbered("fem:4:6");
    gbl_Formats formats;
    gbl_Explanation why = GBL_EXPLANATION_INIT;
    for (size_t m = 0; m < T_COUNT(masks) - 1; m++) {
        const t_Flags flags = {.mask = masks[m], .method = GBL_METHOD_TILED};
        t_case("%s", t_mask_names[masks[m]]);
        gbl_Matrix C = square(&rings[0], A, A, &flags, &why);
        OK(gbl_Matrix_formats(&formats, C));
        CHECK_EQ(formats.present, GBL_HAS_TILE16);
        CHECK_EQ(formats.conversions, 0);
        OK(gbl_Matrix_free(&C));
    }
    OK(gbl_Matrix_formats(&formats, A));
    CHECK_EQ(formats.conversions, 1);
    OK(gbl_Matrix_free(&A));
}

/* Galerkin product R A P, R = P': tiles of R are tiles of P's columns. */
GB_TEST(mxm_tiled_inside, galerkin_products_convert_operands_only) {
    gbl_Matrix A = numbered("fem:4:6"), P = NULL, RA = NULL, C = NULL;
    gbl_Formats formats;
    const gbl_Index n = t_nrows(A);
    OK(gbl_Matrix_new(&P, GBL_FP64, n, n / 6));
    for (gbl_Index i = 0; i < n; i++)
        OK(gbl_Matrix_setElement_FP64(P, (double)(i % 5) + 1, i, i / 6 % (n / 6)));
    OK(gbl_Matrix_new(&RA, GBL_FP64, n / 6, n));
    OK(gbl_Matrix_new(&C, GBL_FP64, n / 6, n / 6));
    t_Flags flags = {.mask = T_NO_MASK, .method = GBL_METHOD_TILED, .tran0 = true};
    gbl_Descriptor left = t_descriptor(&flags);
    flags.tran0 = false;
    gbl_Descriptor right = t_descriptor(&flags);
    OK(gbl_mxm(RA, NULL, NULL, GBL_PLUS_TIMES_SEMIRING_FP64, P, A, left));
    OK(gbl_mxm(C, NULL, NULL, GBL_PLUS_TIMES_SEMIRING_FP64, RA, P, right));
    OK(gbl_Matrix_formats(&formats, RA));
    CHECK_EQ(formats.present, GBL_HAS_TILE16);
    CHECK_EQ(formats.conversions, 0);
    OK(gbl_Matrix_formats(&formats, C));
    CHECK_EQ(formats.conversions, 0);
    OK(gbl_Descriptor_set_INT32(left, GBL_METHOD_ROWWISE, GBL_METHOD));
    OK(gbl_Descriptor_set_INT32(right, GBL_METHOD_ROWWISE, GBL_METHOD));
    OK(gbl_mxm(RA, NULL, NULL, GBL_PLUS_TIMES_SEMIRING_FP64, P, A, left));
    gbl_Matrix rows = t_new_matrix(GBL_FP64, n / 6, n / 6);
    OK(gbl_mxm(rows, NULL, NULL, GBL_PLUS_TIMES_SEMIRING_FP64, RA, P, right));
    t_Tuples expected = t_tuples_of(rows);
    t_expect_tuples(&expected, C);
    t_tuples_free(&expected);
    FREE(left, right);
    gbl_Matrix *all[] = {&A, &P, &RA, &C, &rows};
    for (size_t k = 0; k < T_COUNT(all); k++) OK(gbl_Matrix_free(all[k]));
}

/* As after many products: what the pool lacks is no matter any more. */
static void pay_for_fresh_pages(void) {
    for (int k = 0; k < 1000; k++) gb_machine_count_product(UINT64_MAX);
}

static const char *chosen(const char *spec, const ring *of, const t_Flags *flags) {
    gbl_Explanation why = GBL_EXPLANATION_INIT;
    gbl_Matrix A = numbered(spec), C = square(of, A, A, flags, &why);
    FREE(A, C);
    return why.method;
}

/* Methods that need neighbouring rows to be alike. */
static bool takes_blocks(const char *spec, const t_Flags *flags) {
    const char *method = chosen(spec, &rings[0], flags);
    return strcmp(method, "tiled") == 0 || strcmp(method, "panel") == 0;
}

/* Full tiles and enough of them, or panels; not for those who ask for a workflow or an accumulator.
 */
GB_TEST(mxm_tiled_inside, planner_takes_blocks) {
    t_Flags flags = {.mask = T_NO_MASK};
    pay_for_fresh_pages();
    CHECK(takes_blocks("fem:4:24", &flags));
    CHECK(takes_blocks("fem:12:2", &flags));
    CHECK(strcmp(chosen("er:12:16", &rings[0], &flags), "rowwise") == 0);
    CHECK(strcmp(chosen("rmat:12:8", &rings[0], &flags), "rowwise") == 0);
    flags.workflow = GBL_WORKFLOW_UPPER_BOUND;
    CHECK(strcmp(chosen("fem:6:6", &rings[0], &flags), "rowwise") == 0);
    flags = (t_Flags){.mask = T_NO_MASK, .accumulators = GBL_ACCUMULATE_HASH};
    CHECK(strcmp(chosen("fem:6:6", &rings[0], &flags), "rowwise") == 0);
}

/* What is held as full tiles alone stays so, although nobody asks for a method. */
GB_TEST(mxm_tiled_inside, chains_stay_tiled_by_default) {
    const t_Flags flags = {.mask = T_NO_MASK};
    gbl_Explanation why = GBL_EXPLANATION_INIT;
    gbl_Formats formats;
    pay_for_fresh_pages();
    const t_Flags tiled = {.mask = T_NO_MASK, .method = GBL_METHOD_TILED};
    gbl_Matrix A = numbered("fem:6:6"), C = square(&rings[0], A, A, &tiled, &why);
    gbl_Matrix D = square(&rings[0], C, C, &flags, &why);
    CHECK(strcmp(why.method, "tiled") == 0);
    OK(gbl_Matrix_formats(&formats, C));
    CHECK_EQ(formats.present, GBL_HAS_TILE16);
    CHECK_EQ(formats.conversions, 0);
    OK(gbl_Matrix_formats(&formats, D));
    CHECK_EQ(formats.present, GBL_HAS_TILE16);
    FREE(A, C, D);
}
