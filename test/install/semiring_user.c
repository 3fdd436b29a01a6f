/* SPDX-License-Identifier: Apache-2.0
 *
 * Multiplies over the semiring of semiring.c. From vertex 0 to 3 there are two ways of two edges,
 * which work with probabilities 0.5 * 0.5 and 0.75 * 0.5. Exit status 0 when the better one is
 * found.
 */
#include <gblite.h>
#include <stdio.h>

extern const gbl_CompiledSemiring reliable;

int main(void) {
    static const gbl_Index from[] = {0, 1, 0, 2}, to[] = {1, 3, 2, 3};
    static const double p[] = {0.5, 0.5, 0.75, 0.5};
    gbl_Semiring ring = NULL;
    gbl_Matrix A = NULL, C = NULL;
    double x = 0;
    gbl_Info info;
    if ((info = gbl_init(GBL_NONBLOCKING)) ||
        (info = gbl_Semiring_compiled(&ring, GBL_FP64, &reliable)) ||
        (info = gbl_Matrix_new(&A, GBL_FP64, 4, 4)) ||
        (info = gbl_Matrix_new(&C, GBL_FP64, 4, 4)) ||
        (info = gbl_Matrix_build_FP64(A, from, to, p, 4, GBL_PLUS_FP64)) ||
        (info = gbl_mxm(C, NULL, NULL, ring, A, A, NULL)) ||
        (info = gbl_Matrix_extractElement_FP64(&x, C, 0, 3)))
        fprintf(stderr, "semiring_user: %s\n", gbl_last_error());
    gbl_Matrix_free(&A);
    gbl_Matrix_free(&C);
    gbl_Semiring_free(&ring);
    gbl_finalize();
    return info || x != 0.375;
}
