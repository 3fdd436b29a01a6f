/* SPDX-License-Identifier: Apache-2.0
 *
 * Powers of a matrix that decays, each with an error that is known: decay_powers [MATRIX [POWER
 * [ERROR]]], by default decay:512:exp:0.5:1, 6 and 1e-6.
 *
 * The matrix is scaled to the norm 1, so that no power is larger. P(k) = A * P(k-1) is multiplied
 * with a bound e(k) of what leaving out does; the error of P(k) is then at most ||A|| E(k-1) +
 * e(k). As programs of electronic structure do, every product gets an equal part of the error
 * allowed.
 */
#include <stdio.h>
#include <stdlib.h>
#include <math.h>

#include "gblite.h"
#include "gblite_io.h"

/* *x = ||A||_F, which bounds the 2-norm; S becomes the squares. */
static gbl_Info norm_of(double *x, gbl_Matrix S, gbl_Matrix A) {
    gbl_Info info;
    if ((info = gbl_Matrix_eWiseMult_BinaryOp(S, NULL, NULL, GBL_TIMES_FP64, A, A, NULL)) ||
        (info = gbl_Matrix_reduce_FP64(x, NULL, GBL_PLUS_MONOID_FP64, S, NULL)))
        return info;
    *x = sqrt(*x);
    return GBL_SUCCESS;
}

/* What is known of a power; the part of its norm that the next product may miss. */
typedef struct {
    double norm, error, allowed;
} Power;

/* P = A * P; *of becomes that of the new P, S the squares of its entries. */
static gbl_Info raise(gbl_Matrix P, gbl_Matrix A, gbl_Matrix S, gbl_Descriptor desc, Power *of) {
    gbl_Explanation how = GBL_EXPLANATION_INIT;
    gbl_Info info;
    if ((info = gbl_Descriptor_set_FP64(desc, of->allowed * of->norm, GBL_ERROR_BOUND)) ||
        (info = gbl_mxm(P, NULL, NULL, GBL_PLUS_TIMES_SEMIRING_FP64, A, P, desc)) ||
        (info = gbl_Matrix_explain(&how, P)) || (info = norm_of(&of->norm, S, P)))
        return info;
    of->error += how.error_bound;
    printf("norm %.6g, error at most %.3g, %.1f %% of the products by tau %.3g\n", of->norm,
           of->error, 100.0 * how.valid_ratio, how.tau);
    return GBL_SUCCESS;
}

int main(int argc, char **argv) {
    const char *operand = argc > 1 ? argv[1] : "decay:512:exp:0.5:1";
    const int power = argc > 2 ? atoi(argv[2]) : 6;
    const double allowed = argc > 3 ? strtod(argv[3], NULL) : 1e-6;
    gbl_Matrix A = NULL, P = NULL, S = NULL;
    gbl_Descriptor desc = NULL;
    Power of = {.norm = 1.0};
    double norm = 0.0;
    gbl_Info info;

    if (power < 2 || !(allowed >= 0.0)) {
        fprintf(stderr, "usage: decay_powers [MATRIX [POWER [ERROR]]], POWER at least 2\n");
        return 2;
    }
    of.allowed = allowed / (power - 1);
    if ((info = gbl_init(GBL_NONBLOCKING)) || (info = gbl_load(&A, GBL_FP64, operand)) ||
        (info = gbl_Matrix_dup(&S, A)) || (info = norm_of(&norm, S, A)) ||
        (info = gbl_Matrix_apply_BinaryOp2nd_FP64(A, NULL, NULL, GBL_DIV_FP64, A, norm, NULL)) ||
        (info = gbl_Matrix_dup(&P, A)) || (info = gbl_Descriptor_new(&desc)))
        goto done;
    for (int k = 2; k <= power && !info; k++) {
        printf("A^%d: ", k);
        info = raise(P, A, S, desc, &of);
    }
done:
    if (info) fprintf(stderr, "decay_powers: %s\n", gbl_last_error());
    gbl_Matrix_free(&A);
    gbl_Matrix_free(&P);
    gbl_Matrix_free(&S);
    gbl_Descriptor_free(&desc);
    gbl_finalize();
    return info ? 1 : 0;
}
