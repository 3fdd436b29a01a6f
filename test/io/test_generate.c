/* SPDX-License-Identifier: Apache-2.0
 *
 * Generators: sizes and places against their definitions, the same matrix for every number of
 * threads and on every machine (a check sum of each is fixed here), values in their ranges, errors.
 */
#include "test_io.h"

#include <float.h>
#include <math.h>

TestSuite(generate, .init = start, .fini = finish);

static gbl_Matrix generate(gbl_Type type, const char *spec) {
    gbl_Matrix A = NULL;
    expect_ok(gbl_generate(&A, type, spec), spec);
    return A;
}

static gb_Tuples entries_of(gbl_Type type, const char *spec) {
    gbl_Matrix A = generate(type, spec);
    const gb_Tuples t = tuples_of(A);
    gbl_Matrix_free(&A);
    return t;
}

/* Sorted by row, then column, without repetition, square and in range. */
static void expect_proper(const gb_Tuples *t, gbl_Index n, const char *spec) {
    cr_assert(t->nrows == n && t->ncols == n, "%s", spec);
    for (gbl_Index k = 0; k < t->n; k++) {
        cr_assert(t->I[k] < n && t->J[k] < n, "%s", spec);
        cr_assert(k == 0 || t->I[k - 1] < t->I[k] ||
                      (t->I[k - 1] == t->I[k] && t->J[k - 1] < t->J[k]),
                  "%s: entries %llu", spec, (unsigned long long)k);
    }
}

static uint64_t check_sum(const gb_Tuples *t) {
    uint64_t sum = t->n;
    for (gbl_Index k = 0; k < t->n; k++) {
        uint64_t bits;
        memcpy(&bits, &t->X[k], sizeof bits);
        sum = (sum ^ t->I[k]) * UINT64_C(0x100000001B3);
        sum = (sum ^ t->J[k]) * UINT64_C(0x100000001B3);
        sum = (sum ^ bits) * UINT64_C(0x100000001B3);
        sum ^= sum >> 29;
    }
    return sum;
}

Test(generate, is_the_same_everywhere) {
    static const struct {
        const char *spec;
        uint64_t sum;
    } fixed[] = {{"er:10:9", UINT64_C(0xB9E126EB2A5E3F8D)},
                 {"er:0:3", UINT64_C(0x7FDB930F71E8D37D)},
                 {"er:13:8:5", UINT64_C(0xA54A44523116B33F)},
                 {"rmat:11:12", UINT64_C(0xEDAEBC62266CECB8)},
                 {"rmat:1:1", UINT64_C(0xF9FFBB144C720D8D)},
                 {"rmats:10:8", UINT64_C(0x7C3C3B68DF10C36A)},
                 {"rmats:12:7:2", UINT64_C(0xA03E78FD1E644635)},
                 {"web:11:9", UINT64_C(0xB8A54FA2E72591E7)},
                 {"grid:30:40", UINT64_C(0x3428146C91C4D383)},
                 {"road:40:30:5", UINT64_C(0x7D8E537B9D833916)},
                 {"fem:5:2", UINT64_C(0xF605D7736D62A6F1)},
                 {"fem:1:3:9", UINT64_C(0x70F3D85308D81C73)},
                 {"band:1000:7", UINT64_C(0xAEA3816F7D4AA5FB)},
                 {"band:9:100", UINT64_C(0xE4C5BF9788725CC4)},
                 {"band:1:0", UINT64_C(0x7FDB930F71E8D37D)},
                 {"rect:300:70:5", UINT64_C(0xE9C3515C5845A0BE)},
                 {"rect:3:100000:40:2", UINT64_C(0xF7EAC6720B1C74B6)},
                 {"tiles:9:4:33", UINT64_C(0xC6E5A5138DE37E5C)},
                 {"tiles:3:3:256:4", UINT64_C(0x3476F2D4104FF88A)}};
    static const int threads[] = {1, 2, 7};
    for (size_t s = 0; s < sizeof fixed / sizeof *fixed; s++) {
        for (size_t k = 0; k < sizeof threads / sizeof *threads; k++) {
            expect_ok(gbl_Global_set_INT32(GBL_GLOBAL, threads[k], GBL_NTHREADS), "threads");
            gb_Tuples t = entries_of(NULL, fixed[s].spec);
            cr_expect_eq(check_sum(&t), fixed[s].sum, "%s, %d threads: UINT64_C(0x%016llX)",
                         fixed[s].spec, threads[k], (unsigned long long)check_sum(&t));
            free_tuples(&t);
        }
    }
}

Test(generate, graphs_have_the_documented_size) {
    static const struct {
        const char *spec;
        gbl_Index n, least, most;
    } table[] = {{"er:10:8", 1024, 8000, 8192},
                 {"er:3:1000", 8, 64, 64},
                 {"er:0:1", 1, 1, 1},
                 {"rmat:10:8", 1024, 5000, 8191},
                 {"rmat:12:1", 4096, 3500, 4096},
                 {"rmats:10:8", 1024, 8000, 16384},
                 {"rmats:0:5", 1, 0, 0},
                 {"web:10:8", 1024, 5000, 8191},
                 {"web:0:3", 1, 0, 0},
                 {"grid:3:4", 12, 34, 34},
                 {"grid:1:1", 1, 0, 0},
                 {"cross:3:4:5", 60, 326, 326},
                 {"cross:1:7:1", 7, 19, 19},
                 {"cross:3:1:4", 12, 46, 46},
                 {"cross:1:1:1", 1, 1, 1},
                 {"road:1:1", 1, 0, 0},
                 {"rmats:1:100", 2, 2, 2}};
    for (size_t k = 0; k < sizeof table / sizeof *table; k++) {
        gb_Tuples t = entries_of(NULL, table[k].spec);
        expect_proper(&t, table[k].n, table[k].spec);
        cr_assert(t.n >= table[k].least && t.n <= table[k].most, "%s: %llu entries", table[k].spec,
                  (unsigned long long)t.n);
        free_tuples(&t);
    }
}

static gbl_Index longest_row(const gb_Tuples *t) {
    gbl_Index longest = 0, length = 0;
    for (gbl_Index k = 0; k < t->n; k++) {
        length = k > 0 && t->I[k] == t->I[k - 1] ? length + 1 : 1;
        if (length > longest) longest = length;
    }
    return longest;
}

/* Streets: an edge has two directions; crossings have up to 4 streets, bends 2; few ends. */
Test(generate, roads_are_long_and_thin) {
    gb_Tuples t = entries_of(GBL_INT32, "road:40:50");
    cr_assert(t.nrows > 5000 && t.nrows < 8000 && t.nrows == t.ncols);
    cr_assert(t.n > 2 * t.nrows && t.n < 5 * t.nrows / 2);
    cr_assert_leq(longest_row(&t), 4);
    gbl_Index *degree = calloc(t.nrows, sizeof *degree);
    for (gbl_Index k = 0; k < t.n; k++) degree[t.I[k]]++;
    for (gbl_Index v = 2000; v < t.nrows; v++) cr_assert_eq(degree[v], 2);
    free(degree);
    free_tuples(&t);
}

/* Rows look like those before them, and some columns are very long. */
Test(generate, web_pages_copy_links) {
    gbl_Matrix A = generate(GBL_BOOL, "web:12:8");
    expect_ok(gbl_transpose(A, NULL, NULL, A, NULL), "transpose");
    gb_Tuples t = tuples_of(A);
    cr_assert_gt(longest_row(&t), 400);
    gbl_Matrix_free(&A);
    free_tuples(&t);
}

Test(generate, er_is_even_and_rmat_is_not) {
    gb_Tuples er = entries_of(NULL, "er:12:16"), rmat = entries_of(NULL, "rmat:12:16");
    gbl_Index low = 0, far = 0;
    for (gbl_Index k = 0; k < er.n; k++) low += er.J[k] < 2048;
    cr_assert(low > er.n * 48 / 100 && low < er.n * 52 / 100);
    cr_assert_lt(longest_row(&er), 50);
    cr_assert_gt(longest_row(&rmat), 160);
    /* the names are shuffled: the long rows are not the first ones */
    for (gbl_Index k = 0; k < rmat.n; k++) far += rmat.I[k] >= 2048;
    cr_assert(far > rmat.n * 35 / 100 && far < rmat.n * 65 / 100);
    free_tuples(&er);
    free_tuples(&rmat);
}

Test(generate, rmats_is_symmetric_without_loops) {
    const gbl_Type types[] = {GBL_FP64, GBL_INT32, GBL_BOOL};
    for (int k = 0; k < 3; k++) {
        gb_Tuples t = entries_of(types[k], "rmats:8:8");
        double *const dense = calloc(256 * 256, sizeof *dense);
        cr_assert_not_null(dense);
        for (gbl_Index e = 0; e < t.n; e++) dense[t.I[e] * 256 + t.J[e]] = t.X[e];
        for (int i = 0; i < 256; i++) {
            cr_assert_eq(dense[i * 257], 0);
            for (int j = 0; j < i; j++) cr_assert_eq(dense[i * 256 + j], dense[j * 256 + i]);
        }
        free(dense);
        free_tuples(&t);
    }
}

static bool near(gbl_Index a, gbl_Index b, gbl_Index distance) {
    return a < b ? b - a <= distance : a - b <= distance;
}

static void expect_fem(gbl_Index grid, gbl_Index block) {
    char spec[40];
    snprintf(spec, sizeof spec, "fem:%d:%d", (int)grid, (int)block);
    gb_Tuples t = entries_of(GBL_FP32, spec);
    const gbl_Index n = grid * grid * grid * block, all = 3 * grid - 2;
    expect_proper(&t, n, spec);
    cr_assert_eq(t.n, all * all * all * block * block, "%s", spec);
    for (gbl_Index k = 0; k < t.n; k++) {
        const gbl_Index a = t.I[k] / block, b = t.J[k] / block, plane = grid * grid;
        cr_assert(near(a % grid, b % grid, 1) && near(a / grid % grid, b / grid % grid, 1) &&
                      near(a / plane, b / plane, 1),
                  "%s: (%d, %d)", spec, (int)t.I[k], (int)t.J[k]);
    }
    free_tuples(&t);
}

Test(generate, fem_couples_neighbours) {
    for (gbl_Index grid = 1; grid <= 6; grid++) {
        for (gbl_Index block = 1; block <= 3; block++) expect_fem(grid, block);
    }
}

Test(generate, band_is_complete) {
    for (gbl_Index n = 1; n <= 12; n++) {
        for (gbl_Index w = 0; w <= 14; w++) {
            char spec[40];
            snprintf(spec, sizeof spec, "band:%d:%d", (int)n, (int)w);
            gb_Tuples t = entries_of(NULL, spec);
            expect_proper(&t, n, spec);
            gbl_Index count = 0;
            for (gbl_Index i = 0; i < n; i++) {
                for (gbl_Index j = 0; j < n; j++) count += near(i, j, w);
            }
            cr_assert_eq(t.n, count, "%s", spec);
            for (gbl_Index k = 0; k < t.n; k++) cr_assert(near(t.I[k], t.J[k], w), "%s", spec);
            free_tuples(&t);
        }
    }
}

Test(generate, rect_has_its_shape) {
    gb_Tuples wide = entries_of(NULL, "rect:40:100000:25"),
              tall = entries_of(NULL, "rect:999:7:30");
    cr_assert(wide.nrows == 40 && wide.ncols == 100000 && wide.n >= 990 && wide.n <= 1000);
    cr_assert(tall.nrows == 999 && tall.ncols == 7 && tall.n > 6800 && tall.n <= 999 * 7);
    for (gbl_Index k = 0; k < wide.n; k++) cr_assert(wide.I[k] < 40 && wide.J[k] < 100000);
    for (gbl_Index k = 0; k < tall.n; k++) cr_assert(tall.I[k] < 999 && tall.J[k] < 7);
    free_tuples(&wide);
    free_tuples(&tall);
}

/* Every cluster has about the edges it should, and the rest goes anywhere. */
Test(generate, planted_clusters_are_there) {
    gb_Tuples t = entries_of(NULL, "planted:50:40:20:4");
    gbl_Index inside = 0;
    cr_assert(t.nrows == 2000 && t.ncols == 2000);
    for (gbl_Index k = 0; k < t.n; k++) {
        inside += t.I[k] % 50 == t.J[k] % 50;
        cr_assert(t.I[k] != t.J[k]);
    }
    cr_assert(inside > 2000 * 14 && inside < 2000 * 18, "%d", (int)inside);
    cr_assert(t.n - inside > 2000 * 3 && t.n - inside < 2000 * 5, "%d", (int)(t.n - inside));
    free_tuples(&t);
}

Test(generate, tiles_have_the_fill_asked_for) {
    static const int fills[] = {1, 2, 31, 255, 256};
    for (size_t f = 0; f < sizeof fills / sizeof *fills; f++) {
        char spec[40];
        gbl_TileFacts facts;
        snprintf(spec, sizeof spec, "tiles:11:4:%d", fills[f]);
        gb_Tuples t = entries_of(NULL, spec);
        expect_proper(&t, 11 * 16, spec);
        cr_assert_eq(t.n, (gbl_Index)(11 * 4 * fills[f]), "%s", spec);
        free_tuples(&t);
        gbl_Matrix A = generate(NULL, spec);
        expect_ok(gbl_Matrix_tiles(&facts, A), "tiles");
        cr_assert(facts.tiles == 44 && facts.fill == fills[f], "%s", spec);
        gbl_Matrix_free(&A);
    }
}

Test(generate, values_are_in_their_range) {
#define GBL_DECLARE(N, T) GBL_##N,
    const gbl_Type types[] = {GBL_FOREACH_TYPE(GBL_DECLARE)};
#undef GBL_DECLARE
    for (size_t s = 0; s < sizeof types / sizeof *types; s++) {
        gbl_Matrix A = generate(types[s], "er:10:20");
        const gbl_Type_Code code = code_of(A);
        gbl_Formats formats;
        expect_ok(gbl_Matrix_formats(&formats, A), "formats");
        cr_assert_eq(formats.iso, code == GBL_BOOL_CODE);
        gb_Tuples t = tuples_of(A);
        double sum = 0;
        for (gbl_Index k = 0; k < t.n; k++) {
            const double x = t.X[k];
            if (code == GBL_BOOL_CODE)
                cr_assert_eq(x, 1);
            else if (code >= GBL_FP32_CODE)
                cr_assert(x > 0 && x <= 1);
            else
                cr_assert(x >= 1 && x <= 9 && x == (int)x);
            sum += x;
        }
        const double mean = code == GBL_BOOL_CODE ? 1 : code >= GBL_FP32_CODE ? 0.5 : 5;
        cr_assert_float_eq(sum / (double)t.n, mean, 0.02 * mean);
        free_tuples(&t);
        gbl_Matrix_free(&A);
    }
}

Test(generate, seeds_matter) {
    static const char *const pairs[][2] = {
        {"er:9:4", "er:9:4:2"}, {"rmat:9:4", "rmat:9:4:2"}, {"band:50:3", "band:50:3:2"}};
    for (size_t k = 0; k < sizeof pairs / sizeof *pairs; k++) {
        char first[40];
        snprintf(first, sizeof first, "%s:1", pairs[k][0]);
        gb_Tuples a = entries_of(NULL, pairs[k][0]), b = entries_of(NULL, pairs[k][1]);
        gb_Tuples c = entries_of(NULL, first);
        cr_assert(!same_tuples(&a, &b), "%s", pairs[k][1]);
        cr_assert(same_tuples(&a, &c), "%s", first);
        free_tuples(&a);
        free_tuples(&b);
        free_tuples(&c);
    }
}

Test(generate, wrong_specifications_say_what_is_right) {
    static const char *const wrong[] = {"",
                                        "er",
                                        "er:",
                                        "er:5",
                                        "er:5:",
                                        "er:5:4:",
                                        "er:5:4:1:",
                                        "er:5:4:1:1",
                                        "er:x:4",
                                        "er:5:4x",
                                        "er: 5:4",
                                        "er:-5:4",
                                        "er:+5:4",
                                        "er:32:1",
                                        "er:5:0",
                                        "er:5:1e3",
                                        "ER:5:4",
                                        "er:18446744073709551621:4",
                                        "rmat:32:4",
                                        "rmat:5:0",
                                        "rmats:32:1",
                                        "rmatz:5:4",
                                        "web:32:1",
                                        "grid:0:4",
                                        "road:7",
                                        "fem:0:1",
                                        "fem:1:0",
                                        "fem:2000:1",
                                        "fem:1625:2",
                                        "cross:4:4",
                                        "cross:4:0:4",
                                        "cross:65536:65536:1",
                                        "band:0:1",
                                        "band:4294967296:0",
                                        "rect:5:4",
                                        "rect:0:4:1",
                                        "rect:5:4:0",
                                        "rect:5:4:1:1:1",
                                        "tiles:4:5:1",
                                        "planted:4:5:1",
                                        "planted:0:5:1:1",
                                        "planted:4:5:1:1:1:1",
                                        "planted:65536:65536:1:1",
                                        "tiles:4:4:257",
                                        "er:5:4:18446744073709551616"};
    for (size_t k = 0; k < sizeof wrong / sizeof *wrong; k++) {
        gbl_Matrix A = (gbl_Matrix)folder;
        const gbl_Info info = gbl_generate(&A, NULL, wrong[k]);
        cr_assert_eq(info, GBL_INVALID_VALUE, "%s: %d", wrong[k], info);
        cr_assert_null(A);
        const char *const text = gbl_last_error();
        char form[32];
        snprintf(form, sizeof form, "should be %.*s:", (int)strcspn(wrong[k], ":"), wrong[k]);
        cr_assert(strstr(text, form) || strstr(text, "band:N:W") || strstr(text, "rows: D * G^3") ||
                      strstr(text, "at most N") || strstr(text, "at most 2^31") ||
                      strstr(text, "more than 4294967295 points"),
                  "%s", text);
    }
}

Test(generate, wrong_arguments_are_errors) {
    gbl_Matrix A = NULL;
    gbl_Type mine = NULL;
    expect_ok(gbl_Type_new(&mine, 3), "new type");
    expect_error(gbl_generate(&A, mine, "er:3:2"), GBL_DOMAIN_MISMATCH, "user-defined", "type");
    expect_error(gbl_generate(NULL, NULL, "er:3:2"), GBL_NULL_POINTER, "A is NULL", "A");
    expect_error(gbl_generate(&A, NULL, NULL), GBL_NULL_POINTER, "spec is NULL", "spec");
    expect_error(gbl_load(&A, NULL, NULL), GBL_NULL_POINTER, "path or text is NULL", "operand");
    gbl_Type_free(&mine);
}

Test(generate, respects_the_memory_limit) {
    static const char *const large[] = {"er:20:8",
                                        "rmats:20:8",
                                        "fem:60:3",
                                        "band:1000000:9",
                                        "rect:1000000:9:9",
                                        "tiles:10000:10:99",
                                        "planted:1000:1000:9:9"};
    gbl_Matrix A = NULL;
    expect_ok(gbl_Global_set_INT64(GBL_GLOBAL, 10 << 20, GBL_MEMORY_LIMIT), "limit");
    for (size_t k = 0; k < sizeof large / sizeof *large; k++) {
        expect_error(gbl_generate(&A, NULL, large[k]), GBL_INSUFFICIENT_SPACE,
                     "GBLITE_MEMORY_LIMIT", large[k]);
    }
    expect_ok(gbl_Global_set_INT64(GBL_GLOBAL, 0, GBL_MEMORY_LIMIT), "limit");
    gbl_Info info = gbl_generate(&A, NULL, "band:4294967295:4294967295");
    expect_error(info, GBL_OUT_OF_MEMORY, "not enough memory", "huge");
    info = gbl_generate(&A, NULL, "er:31:100000"); /* 2^31 x 100000 indices of four bytes */
    expect_error(info, GBL_OUT_OF_MEMORY, "no block of 858993459200000 bytes", "huge");
}

Test(generate, load_tells_generators_from_files) {
    gbl_Matrix A = NULL;
    expect_ok(gbl_load(&A, GBL_INT32, "band:5:1"), "generator");
    gb_Tuples t = tuples_of(A);
    cr_assert(t.n == 13 && code_of(A) == GBL_INT32_CODE);
    expect_ok(gbl_mm_write(A, in_folder("er:5:4")), "odd name");
    gbl_Matrix_free(&A);
    expect_ok(gbl_load(&A, GBL_INT32, in_folder("er:5:4")), "file");
    gb_Tuples u = tuples_of(A);
    cr_assert(same_tuples(&t, &u));
    gbl_Matrix_free(&A);
    free_tuples(&t);
    free_tuples(&u);
    expect_error(gbl_load(&A, NULL, "er:x"), GBL_INVALID_VALUE, "er:S:F", "wrong numbers");
    expect_error(gbl_load(&A, NULL, "rmatt:5:4"), GBL_IO_ERROR, "rmat:S:F", "wrong name");
    expect_error(gbl_load(&A, NULL, in_folder("none.mtx")), GBL_IO_ERROR, "No such file",
                 "no file");
}

/* Full matrices whose values follow from the distance to the diagonal alone, or from a seed too. */
Test(generate, decay) {
    static const struct {
        const char *spec;
        double at3;
    } fixed[] = {{"decay:20:exp:0.5", 0.125}, {"decay:20:alg:2", 0.1}, {"decay:20:alg:1", 0.25}};
    for (size_t s = 0; s < sizeof fixed / sizeof *fixed; s++) {
        gb_Tuples t = entries_of(GBL_FP64, fixed[s].spec);
        expect_proper(&t, 20, fixed[s].spec);
        cr_assert(t.n == 400, "%s", fixed[s].spec);
        for (gbl_Index k = 0; k < t.n; k++)
            if (t.I[k] + 3 == t.J[k] || t.J[k] + 3 == t.I[k])
                cr_assert(fabs(t.X[k] - fixed[s].at3) < 1e-15, "%s", fixed[s].spec);
        free_tuples(&t);
    }
    gb_Tuples plain = entries_of(GBL_FP32, "decay:30:paper");
    gb_Tuples random = entries_of(GBL_FP32, "decay:30:paper:7");
    gbl_Index negative = 0;
    for (gbl_Index k = 0; k < 900; k++) {
        cr_assert(fabs(random.X[k]) <= plain.X[k]);
        negative += random.X[k] < 0;
    }
    cr_assert(negative > 300 && negative < 600);
    free_tuples(&plain);
    free_tuples(&random);
    static const char *const wrong[] = {"decay:0:paper",    "decay:5",
                                        "decay:5:exp",      "decay:5:exp:1.5",
                                        "decay:5:exp:0",    "decay:5:alg:x",
                                        "decay:5:paper:",   "decay:5:paper:1x",
                                        "decay:5:half:1",   "decay:5:exp:nan",
                                        "decay:-1:paper",   "decay:2000000:paper",
                                        "decay:5:exp: 0.5", "decay:5:exp:0x1p-1",
                                        "decay:5:exp:0,5",  "decay:5:paper:18446744073709551616"};
    gbl_Matrix A = NULL;
    for (size_t k = 0; k < sizeof wrong / sizeof *wrong; k++)
        cr_assert(gbl_generate(&A, GBL_FP64, wrong[k]) == GBL_INVALID_VALUE, "%s", wrong[k]);
    cr_assert(gbl_generate(&A, GBL_INT32, "decay:5:paper") == GBL_DOMAIN_MISMATCH);
    gb_Tuples seed0 = entries_of(GBL_FP64, "decay:5:paper:0");
    cr_assert(seed0.n == 25);
    free_tuples(&seed0);
}

/* What a factor would make subnormal is 0. */
Test(generate, decay_without_subnormals) {
    gb_Tuples t = entries_of(GBL_FP32, "decay:200:exp:0.5:3");
    gbl_Index zeros = 0;
    for (gbl_Index k = 0; k < t.n; k++) {
        cr_assert(t.X[k] == 0.0 || fabs(t.X[k]) >= (double)FLT_MIN);
        zeros += t.X[k] == 0.0;
    }
    cr_assert(zeros > 0 && zeros < t.n);
    free_tuples(&t);
}
