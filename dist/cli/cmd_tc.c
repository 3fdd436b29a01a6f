/* SPDX-License-Identifier: Apache-2.0
 *
 * gblite-dist tc: triangles of an undirected graph.
 *
 * Vertices are ordered by degree, equal ones by number: key(v) = degree(v) * n + v. L keeps the
 * edges that ascend, so that no row is long, and C<L> = L * L over (plus, pair) counts for each of
 * them the vertices between its ends: each triangle once. Nothing of C is stored.
 */
#include "dist_cli.h"

/* key(v), an entry for each vertex; degree + 1, so that all have one. */
static gbl_Info keys(gbl_DistVector *key, gbl_DistMatrix A, gbl_Index n, gbl_Grid grid) {
    gbl_Scalar one = NULL, zero = NULL, size = NULL;
    gbl_DistVector index = NULL, factor = NULL;
    gbl_Info info;
    if ((info = dc_new_scalar(&one, GBL_INT64, 1, grid)) ||
        (info = dc_new_scalar(&zero, GBL_INT64, 0, grid)) ||
        (info = dc_new_scalar(&size, GBL_INT64, (double)n, grid)) ||
        (info = gbl_DistVector_new(key, GBL_INT64, n, grid)) ||
        (info = gbl_DistVector_new(&index, GBL_INT64, n, grid)) ||
        (info = gbl_DistVector_new(&factor, GBL_INT64, n, grid)) ||
        (info = gbl_DistVector_assign_Scalar(*key, NULL, NULL, one, NULL)) ||
        (info = gbl_DistMatrix_reduce_rows(*key, NULL, GBL_PLUS_INT64, GBL_PLUS_MONOID_INT64, A,
                                           NULL)) ||
        (info = gbl_DistVector_apply_IndexOp(index, NULL, NULL, GBL_ROWINDEX_INT64, *key, zero,
                                             NULL)) ||
        (info = gbl_DistVector_assign_Scalar(factor, NULL, NULL, size, NULL)) ||
        (info = gbl_DistVector_eWiseMult(*key, NULL, NULL, GBL_TIMES_INT64, *key, factor, NULL)))
        goto done;
    info = gbl_DistVector_eWiseMult(*key, NULL, NULL, GBL_PLUS_INT64, *key, index, NULL);
done:
    gbl_Scalar_free(&one);
    gbl_Scalar_free(&zero);
    gbl_Scalar_free(&size);
    gbl_DistVector_free(&index);
    gbl_DistVector_free(&factor);
    return info;
}

/* The edges of A from the lower key to the higher. */
static gbl_Info ascending(gbl_DistMatrix *L, gbl_DistMatrix A, gbl_Index n, gbl_Grid grid) {
    gbl_DistVector key = NULL;
    gbl_DistMatrix K = NULL, from = NULL, to = NULL;
    gbl_Scalar none = NULL;
    gbl_Info info;
    if ((info = keys(&key, A, n, grid)) || (info = gbl_DistMatrix_diag(&K, key)) ||
        (info = gbl_DistMatrix_new(&from, GBL_INT64, n, n, grid)) ||
        (info = gbl_DistMatrix_new(&to, GBL_INT64, n, n, grid)) ||
        (info = gbl_DistMatrix_new(L, GBL_BOOL, n, n, grid)) ||
        (info = dc_new_scalar(&none, GBL_BOOL, 0, grid)) ||
        (info = gbl_dist_mxm(from, NULL, NULL, GBL_MIN_FIRST_SEMIRING_INT64, K, A, NULL)) ||
        (info = gbl_dist_mxm(to, NULL, NULL, GBL_MIN_SECOND_SEMIRING_INT64, A, K, NULL)) ||
        (info = gbl_DistMatrix_eWiseMult(*L, NULL, NULL, GBL_LT_INT64, from, to, NULL)))
        goto done;
    info = gbl_DistMatrix_select(*L, NULL, NULL, GBL_VALUENE_BOOL, *L, none, NULL);
done:
    gbl_DistVector_free(&key);
    gbl_DistMatrix_free(&K);
    gbl_DistMatrix_free(&from);
    gbl_DistMatrix_free(&to);
    gbl_Scalar_free(&none);
    return info;
}

int dc_tc(int argc, char **argv) {
    const cli_Usage usage = {.args = "GRAPH",
                             .about = "Count the triangles of GRAPH, a file or a generator. Loops "
                                      "do not matter.",
                             .operand = "graph",
                             .undirected = true};
    cli_Common common = {0};
    dc_Work work = {0};
    gbl_DistMatrix A = NULL, L = NULL;
    gbl_Index n;
    int64_t triangles = 0;
    gbl_Info info;

    cli_parse(argc, argv, &usage, &common, NULL);
    if ((info = dc_begin(&work, &common)) ||
        (info = dc_load_undirected(&A, &n, &common, work.grid)))
        goto done;
    const double start = cli_seconds();
    if ((info = ascending(&L, A, n, work.grid)) || (info = gbl_dist_mxm_count(&triangles, L, L, L)))
        goto done;
    const double seconds = cli_seconds() - start;
    cli_report_count(work.report, "triangles", (uint64_t)triangles);
    cli_report_text(work.report, "method", "summa");
    cli_report_number(work.report, "seconds", seconds);
    info = dc_report_counters(&work);
done:
    gbl_DistMatrix_free(&A);
    gbl_DistMatrix_free(&L);
    return dc_end(&work, info, false);
}
