/* SPDX-License-Identifier: Apache-2.0
 *
 * Graphs of numbered edges, made in parts.
 */
#include "test_io.h"

TestSuite(generate_parts, .init = start, .fini = finish);

/* Parts of the edges, put together, are the graph. */
static void expect_parts(const char *spec, gbl_Type type) {
    gbl_Index n = 0, edges = 0, used = 0;
    expect_ok(gbl_generate_shape(&n, &edges, spec), spec);
    gbl_Index *I = malloc(2 * (edges + 1) * sizeof *I), *J = malloc(2 * (edges + 1) * sizeof *J);
    double *X = malloc(2 * (edges + 1) * sizeof *X);
    cr_assert(I && J && X && edges > 3);
    for (gbl_Index first = 0; first < edges;) {
        const gbl_Index count = edges / 3 < edges - first ? edges / 3 : edges - first;
        gbl_EdgePart part = {spec, type, first, count, I + used, J + used, X + used, 0};
        expect_ok(gbl_generate_edges(&part), spec);
        used += part.n;
        first += count;
    }
    gbl_Matrix A = NULL;
    expect_ok(gbl_Matrix_new(&A, GBL_FP64, n, n), spec);
    expect_ok(gbl_Matrix_build_FP64(A, I, J, X, used, GBL_SECOND_FP64), spec);
    gb_Tuples got = tuples_of(A);
    gbl_Matrix_free(&A);
    expect_ok(gbl_generate(&A, NULL, spec), spec);
    gb_Tuples wanted = tuples_of(A);
    cr_assert(got.n == wanted.n, "%s", spec);
    for (gbl_Index k = 0; k < got.n; k++)
        cr_assert(got.I[k] == wanted.I[k] && got.J[k] == wanted.J[k] && got.X[k] == wanted.X[k],
                  "%s: entry %llu", spec, (unsigned long long)k);
    free_tuples(&got);
    free_tuples(&wanted);
    gbl_Matrix_free(&A);
    free(I);
    free(J);
    free(X);
}

Test(generate_parts, edges_come_in_parts) {
    expect_parts("er:8:7", NULL);
    expect_parts("rmat:9:6:3", GBL_FP64);
    expect_parts("rmats:8:5", GBL_FP64);
    expect_parts("planted:7:30:8:2", NULL);
}

Test(generate_parts, edges_of_what_has_none) {
    gbl_Index n = 7, edges = 7, place[4];
    cr_assert(gbl_generate_shape(&n, &edges, "file.mtx") == GBL_NO_VALUE && n == 7 && edges == 7);
    expect_ok(gbl_generate_shape(&n, &edges, "grid:3:4"), "grid");
    cr_assert(n == 0 && edges == 0);
    cr_assert(gbl_generate_shape(&n, &edges, "er:99:1") == GBL_INVALID_VALUE);
    cr_assert(gbl_generate_shape(NULL, &edges, "er:3:1") == GBL_NULL_POINTER);
    gbl_EdgePart part = {"grid:3:4", NULL, 0, 1, place, place, NULL, 0};
    cr_assert(gbl_generate_edges(&part) == GBL_INVALID_VALUE);
    part.spec = "er:3:2";
    part.first = 16;
    cr_assert(gbl_generate_edges(&part) == GBL_INVALID_INDEX);
    part.type = GBL_FP64;
    part.I = NULL;
    cr_assert(gbl_generate_edges(&part) == GBL_NULL_POINTER);
}
