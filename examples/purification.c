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

/* Neighbours are coupled by 1 and 0.3 in turns: bands from -1.3 to -0.7 and from 0.7 to 1.3. */
static gbl_Info make_start(gbl_Matrix *X, gbl_Index n) {
    const double bound = 1.3;
    gbl_Info info = gbl_Matrix_new(X, GBL_FP64, n, n);
    for (gbl_Index k = 0; k < n && !info; k++) {
        const double coupling = -0.5 * (k % 2 == 0 ? 1.0 : 0.3) / bound;
        info = gbl_Matrix_setElement_FP64(*X, 0.5, k, k);
        if (!info && k + 1 < n) info = gbl_Matrix_setElement_FP64(*X, coupling, k, k + 1);
        if (!info && k + 1 < n) info = gbl_Matrix_setElement_FP64(*X, coupling, k + 1, k);
    }
    return info;
}

/* X; workspace; and what is known: a bound of X's error, ||X^2 - X|| of the X before, which is 0
 * for a projector, and the part of the products that the last one made. */
typedef struct {
    gbl_Matrix X, S, T;
    gbl_Descriptor desc;
    double error, idle, ratio;
} State;

/* C = A * B, without what the descriptor leaves out; its bound counts `times`. */
static gbl_Info multiply(State *s, gbl_Matrix C, gbl_Matrix A, gbl_Matrix B, double times) {
    gbl_Explanation how = GBL_EXPLANATION_INIT;
    gbl_Info info;
    if ((info = gbl_mxm(C, NULL, NULL, GBL_PLUS_TIMES_SEMIRING_FP64, A, B, s->desc)) ||
        (info = gbl_Matrix_explain(&how, C)))
        return info;
    s->error += times * how.error_bound;
    s->ratio = how.valid_ratio;
    return GBL_SUCCESS;
}

/* X <- 3 X^2 - 2 X^3. An entry that X alone has keeps its sign in T, which squares forget. */
static gbl_Info step(State *s) {
    gbl_Matrix X = s->X, S = s->S, T = s->T;
    gbl_Info info;
    s->error *= 1.5;
    if ((info = multiply(s, S, X, X, 5.0)) ||
        (info = gbl_Matrix_eWiseAdd_BinaryOp(T, NULL, NULL, GBL_MINUS_FP64, S, X, NULL)) ||
        (info = gbl_Matrix_eWiseMult_BinaryOp(T, NULL, NULL, GBL_TIMES_FP64, T, T, NULL)) ||
        (info = gbl_Matrix_reduce_FP64(&s->idle, NULL, GBL_PLUS_MONOID_FP64, T, NULL)) ||
        (info = multiply(s, T, X, S, 2.0)) ||
        (info = gbl_Matrix_apply_BinaryOp2nd_FP64(X, NULL, NULL, GBL_TIMES_FP64, S, 3.0, NULL)))
        return info;
    s->idle = sqrt(s->idle);
    return gbl_Matrix_apply_BinaryOp2nd_FP64(X, NULL, GBL_PLUS_FP64, GBL_TIMES_FP64, T, -2.0, NULL);
}

int main(int argc, char **argv) {
    enum { STEPS_MOST = 60 };
    const gbl_Index n = argc > 1 ? strtoull(argv[1], NULL, 10) : 400;
    const double allowed = argc > 2 ? strtod(argv[2], NULL) : 1e-8;
    State s = {.idle = 1.0};
    double trace = 0.0;
    gbl_Info info;

    if (n < 2 || !(allowed >= 0.0)) {
        fprintf(stderr, "usage: purification [N [ERROR]], N at least 2\n");
        return 2;
    }
    if ((info = gbl_init(GBL_NONBLOCKING)) || (info = make_start(&s.X, n)) ||
        (info = gbl_Matrix_new(&s.S, GBL_FP64, n, n)) ||
        (info = gbl_Matrix_new(&s.T, GBL_FP64, n, n)) || (info = gbl_Descriptor_new(&s.desc)) ||
        (info = gbl_Descriptor_set_FP64(s.desc, allowed, GBL_ERROR_BOUND)))
        goto done;
    for (int k = 1; k <= STEPS_MOST && s.idle > 1e-6 + 10.0 * allowed; k++) {
        if ((info = step(&s))) goto done;
        printf(
            "step %d: ||X^2 - X|| was %.3g, error so far at most %.3g, %.1f %% of the products\n",
            k, s.idle, s.error, 100.0 * s.ratio);
    }
    if ((info = gbl_Matrix_select_INT64(s.T, NULL, NULL, GBL_DIAG, s.X, 0, NULL)) ||
        (info = gbl_Matrix_reduce_FP64(&trace, NULL, GBL_PLUS_MONOID_FP64, s.T, NULL)))
        goto done;
    printf("trace %.6f: %llu eigenvalues below the level\n", trace,
           (unsigned long long)llround(trace));
done:
    if (info) fprintf(stderr, "purification: %s\n", gbl_last_error());
    gbl_Matrix_free(&s.X);
    gbl_Matrix_free(&s.S);
    gbl_Matrix_free(&s.T);
    gbl_Descriptor_free(&s.desc);
    gbl_finalize();
    return info ? 1 : 0;
}
