/* SPDX-License-Identifier: Apache-2.0
 *
 * A program for the GraphBLAS C API against an installed gblite: knows neither its headers nor its
 * names. Exit status 0 when 2 * 3 + 4 * 5 is 26.
 */
#include <GraphBLAS.h>

int main(void) {
    GrB_Vector u = NULL, v = NULL;
    double x = 0;
    if (GrB_init(GrB_NONBLOCKING) != GrB_SUCCESS) return 1;
    GrB_Vector_new(&u, GrB_FP64, 2);
    GrB_Vector_new(&v, GrB_FP64, 2);
    GrB_Vector_setElement(u, 2, 0);
    GrB_Vector_setElement(u, 4, 1);
    GrB_Vector_setElement(v, 3, 0);
    GrB_Vector_setElement(v, 5, 1);
    GrB_eWiseMult(u, NULL, NULL, GrB_TIMES_FP64, u, v, NULL);
    GrB_reduce(&x, NULL, GrB_PLUS_MONOID_FP64, u, NULL);
    GrB_free(&u);
    GrB_free(&v);
    GrB_finalize();
    return x == 26 ? 0 : 1;
}
