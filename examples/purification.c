/* SPDX-License-Identifier: Apache-2.0
 *
 * The projector on the eigenvectors of a symmetric matrix whose eigenvalues are below a level, as
 * density matrices are made: purification [N [ERROR]], by default 400 and 1e-8.
 *
 * H is a chain: its eigenvalues lie in two bands with a gap around 0. X = (1 - H / bound) / 2 has
 * them in [0, 1], and X <- 3 X^2 - 2 X^3 (McWeeny 1960) moves those above 1/2 to 1 and the others
 * to 0. Both products of a step leave out what adds no more than ERROR. With X and X^2 of 2-norm at
 * most 1, errors e1 of X^2 and e2 of X * X^2 add at most 3 e1 + 2 (e1 + e2); what was there before
 * grows by 3/2 at most, the largest slope of 3 x^2 - 2 x^3 in [0, 1] (all to the first order). The
 * trace counts the eigenvalues below 0.
 */
#include <stdio.h>
#include <stdlib.h>
#include <math.h>

#include "gblite.h"

/* X. Neighbours are coupled by 1 and 0.3 in turns: bands from -1.3 to -0.7 and from 0.7 to 1.3. */
static gbl_Info make_start(gbl_Matrix *X, gbl_Index n) {
    gbl_Info info = gbl_Matrix_new(X, GBL_FP64, n, n);
    for (gbl_Index k = 0; k < n && !info; k++) {
        const double coupling = -0.5 * (k % 2 == 0 ? 1.0 : 0.3) / 1.3;
        info = gbl_Matrix_setElement_FP64(*X, 0.5, k, k);
        if (!info && k + 1 < n) info = gbl_Matrix_setElement_FP64(*X, coupling, k, k + 1);
        if (!info && k + 1 < n) info = gbl_Matrix_setElement_FP64(*X, coupling, k + 1, k);
    }
    return info;
}

/* X <- 3 X^2 - 2 X^3, with the workspace S and T. *error: the bound of X's error; *idle = the norm
 * of X^2 - X, of the X before: 0 for a projector. */
static gbl_Info step(gbl_Matrix X, gbl_Matrix S, gbl_Matrix T, gbl_Descriptor desc, double *error,
                     double *idle) {
    const gbl_Semiring ring = GBL_PLUS_TIMES_SEMIRING_FP64;
    gbl_Explanation square = GBL_EXPLANATION_INIT, cube = GBL_EXPLANATION_INIT;
    gbl_Info info;
    if ((info = gbl_mxm(S, NULL, NULL, ring, X, X, desc)) ||
        (info = gbl_Matrix_explain(&square, S)) ||
        (info = gbl_Matrix_eWiseAdd_BinaryOp(T, NULL, NULL, GBL_ABSDIFF_FP64, S, X, NULL)) ||
        (info = gbl_Matrix_eWiseMult_BinaryOp(T, NULL, NULL, GBL_TIMES_FP64, T, T, NULL)) ||
        (info = gbl_Matrix_reduce_FP64(idle, NULL, GBL_PLUS_MONOID_FP64, T, NULL)) ||
        (info = gbl_mxm(T, NULL, NULL, ring, X, S, desc)) ||
        (info = gbl_Matrix_explain(&cube, T)) ||
        (info = gbl_Matrix_apply_BinaryOp2nd_FP64(X, NULL, NULL, GBL_TIMES_FP64, S, 3.0, NULL)) ||
        (info = gbl_Matrix_apply_BinaryOp2nd_FP64(X, NULL, GBL_PLUS_FP64, GBL_TIMES_FP64, T, -2.0,
                                                  NULL)))
        return info;
    *idle = sqrt(*idle);
    *error = 1.5 * *error + 5.0 * square.error_bound + 2.0 * cube.error_bound;
    printf("||X^2 - X|| was %.3g, error so far at most %.3g, %.1f %% of the products\n", *idle,
           *error, 100.0 * cube.valid_ratio);
    return GBL_SUCCESS;
}

int main(int argc, char **argv) {
    const gbl_Index n = argc > 1 ? strtoull(argv[1], NULL, 10) : 400;
    const double allowed = argc > 2 ? strtod(argv[2], NULL) : 1e-8;
    gbl_Matrix X = NULL, S = NULL, T = NULL;
    gbl_Descriptor desc = NULL;
    double error = 0.0, idle = 1.0, trace = 0.0;
    gbl_Info info;

    if (n < 2 || !(allowed >= 0.0)) {
        fprintf(stderr, "usage: purification [N [ERROR]], N at least 2\n");
        return 2;
    }
    if ((info = gbl_init(GBL_NONBLOCKING)) || (info = make_start(&X, n)) ||
        (info = gbl_Matrix_new(&S, GBL_FP64, n, n)) ||
        (info = gbl_Matrix_new(&T, GBL_FP64, n, n)) || (info = gbl_Descriptor_new(&desc)) ||
        (info = gbl_Descriptor_set_FP64(desc, allowed, GBL_ERROR_BOUND)))
        goto done;
    for (int k = 0; k < 60 && idle > 1e-6 + 10.0 * allowed; k++)
        if ((info = step(X, S, T, desc, &error, &idle))) goto done;
    if ((info = gbl_Matrix_select_INT64(T, NULL, NULL, GBL_DIAG, X, 0, NULL)) ||
        (info = gbl_Matrix_reduce_FP64(&trace, NULL, GBL_PLUS_MONOID_FP64, T, NULL)))
        goto done;
    printf("trace %.6f: %.0f eigenvalues below the level\n", trace, trace);
done:
    if (info) fprintf(stderr, "purification: %s\n", gbl_last_error());
    gbl_Matrix_free(&X);
    gbl_Matrix_free(&S);
    gbl_Matrix_free(&T);
    gbl_Descriptor_free(&desc);
    gbl_finalize();
    return info ? 1 : 0;
}
