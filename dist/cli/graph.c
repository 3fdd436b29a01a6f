/* SPDX-License-Identifier: Apache-2.0
 *
 * Matrices of graphs, and values of vectors.
 */
#include "dist_cli.h"

gbl_Info dc_load_square(gbl_DistMatrix *A, gbl_Index *n, gbl_Type type, const char *operand,
                        gbl_Grid grid) {
    gbl_Index ncols;
    gbl_Info info;
    if ((info = gbl_DistMatrix_load(A, type, operand, grid)) ||
        (info = gbl_DistMatrix_shape(n, &ncols, NULL, *A)))
        return info;
    if (*n != ncols)
        return gbl_fail(GBL_DIMENSION_MISMATCH, NULL,
                        "%s is %llu x %llu: the matrix of a graph must be square", operand,
                        (unsigned long long)*n, (unsigned long long)ncols);
    return GBL_SUCCESS;
}

gbl_Info dc_is_symmetric(bool *symmetric, gbl_DistMatrix A) {
    gbl_DistMatrix both = NULL;
    gbl_Index in_a, in_both;
    gbl_Info info;
    if ((info = gbl_DistMatrix_dup(&both, A)) ||
        (info = gbl_DistMatrix_eWiseMult(both, NULL, NULL, GBL_ONEB_BOOL, A, A, GBL_DESC_T1)) ||
        (info = gbl_DistMatrix_nvals(&in_a, A)) || (info = gbl_DistMatrix_nvals(&in_both, both)))
        goto done;
    *symmetric = in_a == in_both;
done:
    gbl_DistMatrix_free(&both);
    return info;
}

gbl_Info dc_load_undirected(gbl_DistMatrix *A, gbl_Index *n, const cli_Common *common,
                            gbl_Grid grid) {
    bool symmetric = false;
    gbl_Info info;
    if ((info = dc_load_square(A, n, GBL_BOOL, common->operand, grid))) return info;
    if (common->undirected)
        return gbl_DistMatrix_eWiseAdd(*A, NULL, NULL, GBL_LOR, *A, *A, GBL_DESC_T1);
    if ((info = dc_is_symmetric(&symmetric, *A)) || symmetric) return info;
    return gbl_fail(GBL_INVALID_VALUE, NULL,
                    "%s is a directed graph; add --undirected to take its edges in both directions",
                    common->operand);
}

gbl_Info dc_sum(int64_t *sum, gbl_Monoid op, gbl_DistVector v, gbl_Grid grid) {
    gbl_Scalar s = NULL;
    gbl_Info info;
    *sum = 0;
    if ((info = gbl_Grid_agree(grid, gbl_Scalar_new(&s, GBL_INT64))) ||
        (info = gbl_DistVector_reduce(s, NULL, op, v)))
        goto done;
    info = gbl_Scalar_extractElement_INT64(sum, s);
    if (info == GBL_NO_VALUE) info = GBL_SUCCESS;
done:
    gbl_Scalar_free(&s);
    return info;
}

gbl_Info dc_new_scalar(gbl_Scalar *s, gbl_Type type, double value, gbl_Grid grid) {
    gbl_Info info = gbl_Scalar_new(s, type);
    if (!info) info = gbl_Scalar_setElement_FP64(*s, value);
    return gbl_Grid_agree(grid, info);
}
