/* SPDX-License-Identifier: Apache-2.0
 *
 * Graphs in the form of METIS: what is read of them on any number of threads, which line is wrong,
 * and what happens to texts that were cut or changed, or without memory.
 */
#include "test_io.h"

#include "io/text.h"
#include "support/gb_test.h"

static gbl_Info read_text(gbl_Matrix *A, const char *text) {
    return gbl_metis_read(A, NULL, "a graph", text, strlen(text));
}

/* -- many lines ---------------------------------------------------------------------------------
 */

enum { N = 300, ALONE = 40, HUB = 100, LAST = 60 };

typedef struct {
    int format, weights; /* of the header */
    const char *end;     /* of lines */
    size_t hub;          /* bytes of the longest line, at least */
} Form;

typedef struct {
    char *text;
    uint64_t sum[N][N]; /* of weights */
    uint64_t lines, neighbours;
} Graph;

static char *write_row(char *p, Graph *g, const Form *form, int v, uint64_t most) {
    const char *const first = p;
    const int skip = form->format / 100 + (form->format / 10 % 10 ? form->weights : 0);
    for (int k = 0; k < skip; k++) p += sprintf(p, " %d", v + k);
    for (uint64_t n = random_bits() % most; n > 0 || (v == HUB && p < first + form->hub);
         n -= n > 0) {
        const int to = (int)(random_bits() % N), weight = (int)(random_bits() % 12);
        p += sprintf(p, n % 3 ? " %d" : "\t %d", to + 1);
        if (form->format % 10) p += sprintf(p, "  %d", weight);
        g->sum[v][to] += form->format % 10 ? (uint64_t)weight : 1;
        g->neighbours++;
    }
    return p;
}

/* Rows of few neighbours, then ALONE vertices without any, comments among them, and a long one. */
static Graph *write_graph(const Form *form) {
    Graph *const g = calloc(1, sizeof *g);
    char *p = g->text = malloc(2 * form->hub + (1 << 18));
    cr_assert(g && p);
    p += sprintf(p, "%% of the test%s%63s%s", form->end, "", form->end);
    char *const header = p - strlen(form->end) - 63;
    g->lines = 2;
    for (int v = 0; v < N; v++) {
        for (uint64_t k = random_bits() % 8; v % 3 == 0 && k > 0 && k < 4; k--, g->lines++)
            p += sprintf(p, "%%%d %d x%s", v, (int)k, form->end);
        if (v == N - 1 || v / ALONE % 3 != 1 || form->format >= 10)
            p = write_row(p, g, form, v, v / ALONE % 3 == 1 ? 1 : 24);
        if (v == N - 1 && g->neighbours % 2) {
            p += sprintf(p, form->format % 10 ? " 7 1" : " 7");
            g->sum[v][6]++;
            g->neighbours++;
        }
        p += sprintf(p, "%s", form->end);
        g->lines++;
    }
    char sizes[64];
    const int n =
        sprintf(sizes, "%d %d %03d %d", N, (int)g->neighbours / 2, form->format, form->weights);
    memcpy(header, sizes, (size_t)n);
    return g;
}

static void check_graph(gbl_Matrix A, const Graph *g, bool weights) {
    gb_Tuples t = tuples_of(A);
    gbl_Index k = 0;
    cr_assert(t.nrows == N && t.ncols == N);
    cr_assert_eq(code_of(A), weights ? GBL_INT64_CODE : GBL_BOOL_CODE);
    uint64_t edges = 0, weight = 0, expected = 0;
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++) {
            expected += g->sum[i][j];
            if (k == t.n || t.I[k] != (gbl_Index)i || t.J[k] != (gbl_Index)j) {
                cr_assert(g->sum[i][j] == 0, "%d %d is missing", i, j);
                continue;
            }
            cr_assert(t.X[k] == (weights ? (double)g->sum[i][j] : 1), "%d %d: %g", i, j, t.X[k]);
            cr_assert(weights || g->sum[i][j] > 0, "%d %d", i, j);
            weight += (uint64_t)t.X[k++];
            edges++;
        }
    cr_assert(edges == t.n && k == t.n && (!weights || weight == expected));
    free_tuples(&t);
}

static void check_form(const Form *form) {
    Graph *const g = write_graph(form);
    char *const end = g->text + strlen(g->text), line[64], what[64];
    snprintf(what, sizeof what, "format %d, %d", form->format, (int)form->end[0]);
    for (int32_t threads = 1; threads < 5; threads++) {
        gbl_Matrix A;
        gbl_Global_set_INT32(GBL_GLOBAL, threads, GBL_NTHREADS);
        expect_ok(read_text(&A, g->text), what);
        check_graph(A, g, form->format % 10);
        gbl_Matrix_free(&A);
        sprintf(end, "lines behind%s 0 %%", form->end);
        expect_ok(read_text(&A, g->text), what);
        check_graph(A, g, form->format % 10);
        gbl_Matrix_free(&A);
        sprintf(end - strlen(form->end), " 17 x 0%s", form->end);
        snprintf(line, sizeof line, "line %d: ", (int)g->lines);
        expect_error(read_text(&A, g->text), GBL_INVALID_VALUE, line, what);
        cr_assert_null(A);
        strcpy(end - strlen(form->end), form->end);
    }
    free(g->text);
    free(g);
}

Test(metis, many_lines, .init = start, .fini = finish) {
    static const Form forms[] = {
        {0, 1, "\n", 0},     {1, 1, "\n", 9000},  {11, 2, "\n", 0},
        {110, 3, "\r\n", 0}, {1, 1, "\r\n", 300}, {101, 0, "\r", 0},
    };
    for (size_t k = 0; k < sizeof forms / sizeof *forms; k++) check_form(&forms[k]);
}

/* A line that is longer than a slab, among short ones. */
Test(metis, long_line, .init = start, .fini = finish) {
    check_form(&(Form){0, 1, "\n", GB_TEXT_SLAB + 100});
}

Test(metis, from_files, .init = start, .fini = finish) {
    const Form form = {1, 1, "\n", 70000};
    const char *const path = in_folder("a.graph");
    Graph *const g = write_graph(&form);
    gbl_Matrix A;
    put_file(path, g->text, strlen(g->text));
    expect_ok(gbl_metis_read(&A, NULL, path, NULL, 0), path);
    check_graph(A, g, true);
    gbl_Matrix_free(&A);
    expect_ok(gbl_metis_read(&A, GBL_FP32, path, NULL, 0), path);
    cr_assert_eq(code_of(A), GBL_FP32_CODE);
    gbl_Matrix_free(&A);
    expect_error(gbl_metis_read(&A, NULL, in_folder("none"), NULL, 0), GBL_IO_ERROR, "none",
                 "none");
    cr_assert_eq(gbl_metis_read(NULL, NULL, path, NULL, 0), GBL_NULL_POINTER);
    cr_assert_eq(gbl_metis_read(&A, NULL, NULL, "0 0\n", 4), GBL_NULL_POINTER);
    free(g->text);
    free(g);
}

/* -- few lines ----------------------------------------------------------------------------------
 */

static const struct {
    const char *text;
    gbl_Index vertices, edges;
} right[] = {
    {"2 1\n2\n1", 2, 2},
    {"3 1\n2\n1", 3, 2},
    {"%\n%x\n2 1 001\n2 5\n1 5\n", 2, 2},
    {"3 0\n\n \t\n", 3, 0},
    {"0 0\n", 0, 0},
    {"% x\r2 1\r2\r1\r", 2, 2},
    {"1 0", 1, 0},
    {"2 1\n2\n1\nx 9\n", 2, 2},
    {"3 3 11 0\n2 1 3 1\n1 1 3 4\n2 4 1 1", 3, 6},
    {"2 2\n2 2\n1 1\n", 2, 2},
    {"2 1 1\n 2 0 \n%\n1 01\n", 2, 2},
    {"2 1 110 2\n9 9 9 2\n0 0 0 1\n", 2, 2},
};
static const char *const wrong[][2] = {
    {"", "line 1: the first line must have the numbers"},
    {"%\n%\n", "line 3: the first line must have"},
    {"3\n", "line 1: the first line must have"},
    {"2 1 2\n2\n1\n", "line 1: the format must have"},
    {"2 1 0 1 1\n2\n1\n", "line 1: here must be a whole number"},
    {"4294967296 1\n2\n1\n", "line 1: there are more than 4294967295 vertices"},
    {"99999999999999999999 1\n2\n1\n", "line 1: there are more than"},
    {"3 1\n2\n4\n\n", "line 3: a neighbour is not from 1 to the vertices; found '4' in column 1"},
    {"3 1\n2 0\n1\n\n", "line 2: a neighbour is not from 1 to the vertices; found '0' in column 3"},
    {"%c\n3 1\n%\n2\n%%\n1 x\n\n", "line 6: here must be a whole number; found 'x' in column 3"},
    {"2 1\n2\n1-\n", "line 3: here must be"},
    {"2 1\n %\n2\n1\n", "line 2: here must be"},
    {"2 1 1\n2 5\n1\n", "line 3: the weight of the edge to the last neighbour is missing"},
    {"2 1 1\n2 9223372036854775808\n1 1\n", "line 2: the weight of an edge is above 2^63 - 1"},
    {"2 1 10 2\n7 7 2\n7\n", "line 3: a size or weight of the vertex is missing"},
    {"2 1 100\n1 2\n1 1 1 1 1",
     "announces 1 edges, each in the lines of both ends; the lines have 5"},
    {"3 1\n2\n", "line 3: the file has fewer lines than vertices"},
    {"4294967295 1\n2\n1\n", "line 4: the file has fewer lines than vertices"},
    {"2 2 1\n2 9223372036854775807 2 1\n1 1 1 1\n", "the entry (1, 2) is given more than once"},
};

Test(metis, few_lines, .init = start, .fini = finish) {
    gbl_Matrix A;
    for (size_t k = 0; k < sizeof right / sizeof *right; k++) {
        gbl_Index n, nvals;
        expect_ok(read_text(&A, right[k].text), right[k].text);
        gbl_Matrix_nrows(&n, A);
        gbl_Matrix_nvals(&nvals, A);
        cr_assert(n == right[k].vertices && nvals == right[k].edges, "%s: %d vertices, %d edges",
                  right[k].text, (int)n, (int)nvals);
        gbl_Matrix_free(&A);
    }
    for (size_t k = 0; k < 2 * sizeof wrong / sizeof *wrong; k++) {
        gbl_Global_set_INT32(GBL_GLOBAL, k % 2 ? 4 : 1, GBL_NTHREADS);
        expect_error(read_text(&A, wrong[k / 2][0]), GBL_INVALID_VALUE, wrong[k / 2][1],
                     wrong[k / 2][0]);
        cr_assert_null(A);
    }
}

/* Any text gives a graph or an error, and neither reads nor writes outside its blocks. */
Test(metis, any_bytes, .init = start, .fini = finish) {
    static const char bytes[] = "0129%. \t\n\r-x\xFF";
    t_Random r = t_random(5);
    for (int round = 0; round < 3000; round++) {
        char text[128];
        const char *const like = right[t_below(&r, sizeof right / sizeof *right)].text;
        const size_t n = t_below(&r, strlen(like) + 1);
        memcpy(text, like, n);
        text[n] = '\0';
        for (uint64_t k = t_below(&r, 4); k > 0 && n > 0; k--)
            text[t_below(&r, n)] = bytes[t_below(&r, sizeof bytes - 1)];
        gbl_Matrix A;
        const gbl_Info info = read_text(&A, text);
        cr_assert(info == GBL_SUCCESS || (A == NULL && strlen(gbl_last_error()) > 0), "%s", text);
        gbl_Matrix_free(&A);
    }
}

Test(metis, without_memory, .init = t_brutal_setup, .fini = t_brutal_teardown) {
    for (size_t k = 0; k < sizeof right / sizeof *right; k++) {
        bool failed = right[k].edges > 0;
        for (int64_t n = 1; failed; n++) {
            gbl_Matrix A;
            t_fail_at(n);
            const gbl_Info info = read_text(&A, right[k].text);
            failed = t_failed();
            t_fail_at(0);
            cr_assert(info == GBL_SUCCESS || (failed && info == GBL_OUT_OF_MEMORY), "%s",
                      gbl_last_error());
            gbl_Matrix_free(&A);
        }
    }
}
