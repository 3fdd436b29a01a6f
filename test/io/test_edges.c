/* SPDX-License-Identifier: Apache-2.0
 *
 * Lists of edges: what is guessed of them, which vertices and weights come of it, what is refused,
 * and what happens to texts that were cut or changed, or without memory.
 */
#include <inttypes.h>

#include "test_io.h"

#include "support/gb_test.h"

static gbl_Info read_text(gbl_Matrix *A, gbl_Labels *labels, const char *text,
                          gbl_Duplicates duplicates) {
    gbl_EdgeText how = {
        .path = "a list", .bytes = text, .size = strlen(text), .duplicates = duplicates};
    return gbl_edges_read(A, labels, NULL, &how);
}

/* The value of the edge between two labels; -1: none. */
static double edge(gbl_Matrix A, const gbl_Labels *labels, const char *from, const char *to) {
    gbl_Index i, j;
    double x = -1;
    expect_ok(gbl_label_find(&i, labels, from), from);
    expect_ok(gbl_label_find(&j, labels, to), to);
    const gbl_Info info = gbl_Matrix_extractElement_FP64(&x, A, i, j);
    cr_assert(info == GBL_SUCCESS || info == GBL_NO_VALUE);
    return x;
}

static const struct {
    const char *text, *from, *to;
    gbl_Index vertices, edges;
    double weight;
    gbl_Type_Code code;
} lists[] = {
    {"# SNAP\n1 2\n2 3\n", "2", "3", 3, 2, 1, GBL_BOOL_CODE},
    {"5000000000\t7\n7\t9\n", "5000000000", "7", 3, 2, 1, GBL_BOOL_CODE},
    {"18446744073709551615 7\n7 9\n", "18446744073709551615", "7", 3, 2, 1, GBL_BOOL_CODE},
    {"7 9\n18446744073709551616 7\n", "18446744073709551616", "7", 3, 2, 1, GBL_BOOL_CODE},
    {"a,b,2\nb,c,3\na,b,4\n", "a", "b", 3, 2, 6, GBL_INT64_CODE},
    {"source;target;weight\nx;y;0.5\n", "x", "y", 2, 1, 0.5, GBL_FP64_CODE},
    {"\"New York\",Rome,1.5\n", "New York", "Rome", 2, 1, 1.5, GBL_FP64_CODE},
    {"0 1 3\r\n1 0 4", "1", "0", 2, 2, 4, GBL_INT64_CODE},
};

Test(edges, are_guessed, .init = start, .fini = finish) {
    for (size_t k = 0; k < sizeof lists / sizeof *lists; k++) {
        const char *const text = lists[k].text;
        gbl_Matrix A;
        gbl_Labels labels;
        gbl_Index n, nvals;
        char room[24];
        expect_ok(read_text(&A, &labels, text, GBL_DUPLICATES_USUAL), text);
        gbl_Matrix_nrows(&n, A);
        gbl_Matrix_nvals(&nvals, A);
        cr_assert(n == lists[k].vertices && nvals == lists[k].edges, "%s: %d vertices, %d edges",
                  text, (int)n, (int)nvals);
        cr_assert_eq(code_of(A), lists[k].code, "%s", text);
        cr_assert_float_eq(edge(A, &labels, lists[k].from, lists[k].to), lists[k].weight, 0);
        for (gbl_Index v = 0; v < n; v++) {
            gbl_Index same;
            expect_ok(gbl_label_find(&same, &labels, gbl_label(&labels, v, room)), text);
            cr_assert_eq(same, v, "%s", text);
        }
        gbl_labels_free(&labels);
        gbl_Matrix_free(&A);
    }
}

/* Lists whose first line may be sizes: the edges that there are, with the line or without. */
Test(edges, sizes, .init = start, .fini = finish) {
    static const struct {
        const char *text, *found;
        gbl_Index vertices, edges;
        double first; /* the value of the entry (0, 1) */
    } cases[] = {
        {"9 9 3\n1 2 5\n3 4 6\n1 2 0.5\n", "the first line gives sizes", 4, 2, 5.5},
        {"# of\n\n9 5 2\n1 2\n\n9 5\n", "the first line gives sizes", 4, 2, 1},
        {"9000000000,9000000000,2\n1,5000000000,5\n3,4,6", "gives sizes", 4, 2, -1},
        {"2 3\n1 2 7\n1 2 8\n2 1 8", "the first line gives sizes", 2, 2, 15},
        {"3 3\n1 2\n2 3\n3 1", "read as an edge, but may give sizes", 3, 4, 1},
        {"1 2 3\n1 2 4\n2 1 1\n1 2 2\n", "read as an edge, but may give sizes", 2, 2, 9},
        {"1 2 3\n1 2 4\n", "weights in column 3; merged", 2, 1, 7},
        {"9 9 2 1\n1 2 3 1\n1 2 4 1\n", "other columns are not used; merged", 3, 2, 7},
        {"4 4 2\nc d 1\nd c 3\n", "read blanks between columns; names in columns", 3, 3, -1},
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        const char *const text = cases[k].text;
        gbl_EdgeText how = {.path = "a list", .bytes = text, .size = strlen(text)};
        gbl_Matrix A;
        gbl_Labels labels;
        gbl_Index n, nvals;
        double x = -1;
        expect_ok(gbl_edges_read(&A, &labels, NULL, &how), text);
        gbl_Matrix_nrows(&n, A);
        gbl_Matrix_nvals(&nvals, A);
        cr_assert(gbl_Matrix_extractElement_FP64(&x, A, 0, 1) >= GBL_SUCCESS);
        cr_assert(n == cases[k].vertices && nvals == cases[k].edges, "%s: %d vertices, %d edges",
                  text, (int)n, (int)nvals);
        cr_assert_float_eq(x, cases[k].first, 0, "%s: %g", text, x);
        cr_assert(strstr(how.found, cases[k].found), "%s: %s", text, how.found);
        gbl_labels_free(&labels);
        gbl_Matrix_free(&A);
    }
}

/* Among many edges a number of them is no coincidence: vertices may have any numbers. But two
 * numbers may be an edge of a circle that is listed from its end. */
Test(edges, sizes_of_many, .init = start, .fini = finish) {
    enum { EDGES = 120 };
    char text[EDGES * 16 + 64];
    for (int circle = 0; circle < 2; circle++) {
        int at = circle ? snprintf(text, sizeof text, "%d %d\n", EDGES + 1, EDGES)
                        : snprintf(text, sizeof text, "7 7 %d\n", EDGES);
        for (int k = EDGES; k > 0; k--) {
            const size_t room = sizeof text - (size_t)at;
            at += circle ? snprintf(text + at, room, "%d %d\n", k, k > 1 ? k - 1 : EDGES + 1)
                         : snprintf(text + at, room, "%d 1000 2\n", k + 1000);
        }
        gbl_EdgeText how = {.path = "a list", .bytes = text, .size = (size_t)at};
        gbl_Matrix A;
        gbl_Labels labels;
        gbl_Index nvals;
        expect_ok(gbl_edges_read(&A, &labels, NULL, &how), text);
        gbl_Matrix_nvals(&nvals, A);
        cr_assert_eq((int)nvals, EDGES + circle, "%d", (int)nvals);
        cr_assert(strstr(how.found, circle ? "but may give sizes" : "first line gives sizes"), "%s",
                  how.found);
        gbl_labels_free(&labels);
        gbl_Matrix_free(&A);
    }
}

Test(edges, given_twice, .init = start, .fini = finish) {
    static const double expected[] = {9, 9, 9, 4, 3, 2};
    static const char text[] = "1 2 3\n1 2 4\n2 1 1\n1 2 2\n";
    for (int rule = GBL_DUPLICATES_USUAL; rule <= GBL_DUPLICATES_MIN; rule++) {
        gbl_Matrix A;
        gbl_Labels labels;
        const gbl_Info info = read_text(&A, &labels, text, (gbl_Duplicates)rule);
        if (rule == GBL_DUPLICATES_ERROR) {
            expect_error(info, GBL_INVALID_VALUE, "from 1 to 2 is given twice", "an edge");
            gbl_labels_free(&labels);
            continue;
        }
        expect_ok(info, "");
        cr_assert_float_eq(edge(A, &labels, "1", "2"), expected[rule], 0);
        cr_assert_float_eq(edge(A, &labels, "2", "1"), 1, 0);
        gbl_labels_free(&labels);
        gbl_Matrix_free(&A);
    }
}

/* Whole weights of equal edges whose sum has more than 64 bits. */
Test(edges, sums, .init = start, .fini = finish) {
    static const char *const texts[][2] = {
        {"b c 1\na b 9223372036854775807\na b 1\n", "the edge from a to b is given more than once"},
        {"7 8 1\n5 9 -9223372036854775807\n5 9 -2\n", "the edge from 5 to 9 is given more"},
        {"5000000000 6 18446744073709551615\n5000000000 6 1\n", "from 5000000000 to 6 is given"},
    };
    gbl_Matrix A;
    gbl_Labels labels;
    for (size_t k = 0; k < 2 * sizeof texts / sizeof *texts; k++) {
        expect_ok(gbl_Global_set_INT32(GBL_GLOBAL, k % 2 ? 4 : 1, GBL_NTHREADS), "threads");
        expect_error(read_text(&A, &labels, texts[k / 2][0], GBL_DUPLICATES_USUAL),
                     GBL_INVALID_VALUE, texts[k / 2][1], texts[k / 2][0]);
        cr_assert_null(A);
        gbl_labels_free(&labels);
    }
    expect_ok(read_text(&A, &labels, "a b 9223372036854775807\na b 9\na b -9\n", 0), "back");
    gbl_labels_free(&labels);
    gbl_Matrix_free(&A);
}

/* The weight of the edge from a to b in words, behind its type. */
static const char *weight_of(gbl_Matrix A) {
    static char text[64];
    int64_t i;
    uint64_t u;
    double x;
    if (code_of(A) == GBL_INT64_CODE) {
        expect_ok(gbl_Matrix_extractElement_INT64(&i, A, 0, 1), "a b");
        snprintf(text, sizeof text, "INT64 %" PRId64, i);
    } else if (code_of(A) == GBL_UINT64_CODE) {
        expect_ok(gbl_Matrix_extractElement_UINT64(&u, A, 0, 1), "a b");
        snprintf(text, sizeof text, "UINT64 %" PRIu64, u);
    } else {
        expect_ok(gbl_Matrix_extractElement_FP64(&x, A, 0, 1), "a b");
        snprintf(text, sizeof text, "FP64 %.17g", x);
    }
    return text;
}

/* Whole weights stay as they are where one type holds all of them; else a word says so. */
Test(edges, whole_weights, .init = start, .fini = finish) {
    static const struct {
        const char *first, *last, *weight;
        bool rounded;
    } cases[] = {
        {"9007199254740993", "1", "INT64 9007199254740993", false},
        {"-9007199254740993", "+9007199254740993", "INT64 -9007199254740993", false},
        {"9007199254740993", "18446744073709551615", "UINT64 9007199254740993", false},
        {"18446744073709551615", "2.0", "UINT64 18446744073709551615", false},
        {"18446744073709551615", "-1", "FP64 1.8446744073709552e+19", true},
        {"-1", "18446744073709551615", "FP64 -1", true},
        {"9007199254740993", "0.5", "FP64 9007199254740992", true},
        {"5", "0.5", "FP64 5", false},
        {"3", "123456789012345678901", "FP64 3", true},
        {"3", "1e300", "FP64 3", false},
    };
    enum { LINES_BETWEEN = 20000 }; /* the weights are in different slabs */
    char *const text = malloc(LINES_BETWEEN * 8 + 128);
    for (size_t k = 0; k < 2 * sizeof cases / sizeof *cases; k++) {
        const size_t at = k / 2;
        char *p = text + sprintf(text, "a b %s\n", cases[at].first);
        for (int line = 0; k % 2 && line < LINES_BETWEEN; line++) p += sprintf(p, "b c 1\n");
        sprintf(p, "c a %s\n", cases[at].last);
        gbl_Matrix A;
        gbl_Labels labels;
        gbl_EdgeText how = {.path = "a list", .bytes = text, .size = strlen(text)};
        expect_ok(gbl_edges_read(&A, &labels, NULL, &how), cases[at].weight);
        cr_assert_str_eq(weight_of(A), cases[at].weight);
        cr_assert_eq(strstr(how.found, "rounded") != NULL, cases[at].rounded, "%s", how.found);
        gbl_labels_free(&labels);
        gbl_Matrix_free(&A);
    }
    free(text);
}

enum { VERTICES = 200, LINES = 60000, FIRST = 5, LINE_MOST = 32 };

/* Lines of weighted edges between VERTICES vertices, called `prefix` and a number from FIRST, with
 * comments and blank lines among them; sum[][]: what the weights of an edge add up to. */
static char *write_lines(int64_t (*sum)[VERTICES], const char *prefix) {
    char *const text = malloc(LINES * LINE_MOST), *p = text;
    uint64_t state = 7;
    for (int k = 0; k < LINES; k++) {
        state = state * UINT64_C(6364136223846793005) + 1442695040888963407;
        const int i = (int)(state >> 33) % VERTICES, j = (int)(state >> 12 & 0xFFFF) % VERTICES;
        const int x = (int)(state >> 56) + 1;
        if (k > LINES / 2 && k % 1000 == 0) p += sprintf(p, k % 2000 ? "# %d\n" : " \n", k);
        p += sprintf(p, "%s%d\t%s%d\t%d\n", prefix, i + FIRST, prefix, j + FIRST, x);
        sum[i][j] += x;
    }
    return text;
}

/* Names are numbered in the order of the text. */
static void check_order(const gbl_Labels *labels, const char *text) {
    bool *const seen = calloc(VERTICES + FIRST, sizeof *seen);
    gbl_Index next = 0;
    char room[24];
    for (const char *p = text; next < labels->n && (p = strpbrk(p, "p#")); p++) {
        if (*p == '#') continue;
        const int number = atoi(p + 1);
        if (seen[number]) continue;
        seen[number] = true;
        cr_assert_eq(atoi(gbl_label(labels, next++, room) + 1), number);
    }
    cr_assert_eq(next, labels->n);
    free(seen);
}

static void check_sums(gbl_Matrix A, const gbl_Labels *labels, int64_t (*sum)[VERTICES],
                       const char *prefix) {
    gbl_Index at[VERTICES], n;
    expect_ok(gbl_Matrix_nrows(&n, A), "nrows");
    cr_assert_eq(n, VERTICES);
    for (int v = 0; v < VERTICES; v++) {
        char name[LINE_MOST];
        sprintf(name, "%s%d", prefix, v + FIRST);
        expect_ok(gbl_label_find(&at[v], labels, name), name);
    }
    for (int i = 0; i < VERTICES; i++)
        for (int j = 0; j < VERTICES; j++) {
            int64_t x = 0;
            gbl_Matrix_extractElement_INT64(&x, A, at[i], at[j]);
            cr_assert_eq(x, sum[i][j], "%s: %d %d", prefix, i, j);
        }
}

Test(edges, many, .init = start, .fini = finish) {
    static const char *const prefixes[] = {"", "p"};
    for (int k = 0; k < 2; k++) {
        int64_t(*const sum)[VERTICES] = calloc(VERTICES, sizeof *sum);
        char *const text = write_lines(sum, prefixes[k]), *const end = text + strlen(text);
        for (int32_t threads = 1; threads < 4; threads++) {
            gbl_Matrix A;
            gbl_Labels labels;
            gbl_Global_set_INT32(GBL_GLOBAL, threads, GBL_NTHREADS);
            expect_ok(read_text(&A, &labels, text, GBL_DUPLICATES_SUM), "many lines");
            check_sums(A, &labels, sum, prefixes[k]);
            if (*prefixes[k]) check_order(&labels, text);
            gbl_labels_free(&labels);
            gbl_Matrix_free(&A);
            strcpy(end, "1 2 no\n"); /* behind LINES and 29 others */
            expect_error(read_text(&A, &labels, text, GBL_DUPLICATES_SUM), GBL_INVALID_VALUE,
                         "line 60030", "not a number");
            *end = '\0';
            gbl_labels_free(&labels);
        }
        free(text);
        free(sum);
    }
}

Test(edges, that_are_none, .init = start, .fini = finish) {
    static const char *const wrong[][2] = {{"1 2\n3\n", "line 2"}, {"# nothing\n", "no edges"}};
    for (size_t k = 0; k < sizeof wrong / sizeof *wrong; k++) {
        gbl_Matrix A;
        gbl_Labels labels;
        expect_error(read_text(&A, &labels, wrong[k][0], GBL_DUPLICATES_USUAL), GBL_INVALID_VALUE,
                     wrong[k][1], wrong[k][0]);
        cr_assert_null(A);
        gbl_labels_free(&labels);
    }
    gbl_Matrix A;
    gbl_Labels labels;
    gbl_Index vertex;
    expect_ok(read_text(&A, &labels, "a b\n", GBL_DUPLICATES_USUAL), "");
    cr_assert_eq(gbl_label_find(&vertex, &labels, "c"), GBL_NO_VALUE);
    gbl_labels_free(&labels);
    gbl_Matrix_free(&A);
    cr_assert_eq(gbl_edges_read(&A, &labels, NULL, NULL), GBL_NULL_POINTER);
}

/* Any text gives a graph or an error, and neither reads nor writes outside its blocks. */
Test(edges, of_any_bytes, .init = start, .fini = finish) {
    static const char bytes[] = "0129ab.,;\t \n\r\"#%-+e\xFF";
    t_Random r = t_random(5);
    for (int round = 0; round < 3000; round++) {
        char text[128];
        const char *const like = lists[t_below(&r, sizeof lists / sizeof *lists)].text;
        const size_t n = t_below(&r, strlen(like) + 1);
        memcpy(text, like, n);
        text[n] = '\0';
        for (uint64_t k = t_below(&r, 4); k > 0 && n > 0; k--)
            text[t_below(&r, n)] = bytes[t_below(&r, sizeof bytes - 1)];
        char *const own = strdup(text);
        gbl_Matrix A;
        gbl_Labels labels;
        const gbl_Info info = read_text(&A, &labels, own, GBL_DUPLICATES_USUAL);
        cr_assert(info == GBL_SUCCESS || (A == NULL && strlen(gbl_last_error()) > 0), "%s", text);
        gbl_labels_free(&labels);
        gbl_Matrix_free(&A);
        free(own);
    }
}

Test(edges, without_memory, .init = t_brutal_setup, .fini = t_brutal_teardown) {
    for (size_t k = 0; k < sizeof lists / sizeof *lists; k++) {
        bool failed = true;
        for (int64_t n = 1; failed; n++) {
            gbl_Matrix A;
            gbl_Labels labels;
            t_fail_at(n);
            const gbl_Info info = read_text(&A, &labels, lists[k].text, GBL_DUPLICATES_USUAL);
            failed = t_failed();
            t_fail_at(0);
            cr_assert(info == GBL_SUCCESS || (failed && info == GBL_OUT_OF_MEMORY), "%s",
                      gbl_last_error());
            gbl_labels_free(&labels);
            gbl_Matrix_free(&A);
        }
    }
}
