/* SPDX-License-Identifier: Apache-2.0
 *
 * try_wheel LIBRARY: loads the library of a wheel and squares a matrix with it.
 */
#include <dlfcn.h>
#include <gblite.h>
#include <stdio.h>

#define TAKE(name) __typeof__(&name) const f_##name = (__typeof__(&name))dlsym(library, #name)

int main(int argc, char **argv) {
    void *library = argc > 1 ? dlopen(argv[1], RTLD_NOW) : NULL;
    if (library == NULL) {
        printf("%s\n", argc > 1 ? dlerror() : "usage: try_wheel LIBRARY");
        return 1;
    }
    TAKE(gbl_init);
    TAKE(gbl_Matrix_new);
    TAKE(gbl_Matrix_setElement_FP64);
    TAKE(gbl_Matrix_extractElement_FP64);
    TAKE(gbl_mxm);
    const gbl_Type *type = dlsym(library, "GBL_FP64");
    const gbl_Semiring *ring = dlsym(library, "GBL_PLUS_TIMES_SEMIRING_FP64");
    gbl_Matrix A, C;
    double x = 0.0;
    f_gbl_init(GBL_NONBLOCKING);
    f_gbl_Matrix_new(&A, *type, 1000, 1000);
    f_gbl_Matrix_new(&C, *type, 1000, 1000);
    for (gbl_Index k = 0; k < 999; k++) f_gbl_Matrix_setElement_FP64(A, 2.0, k, k + 1);
    f_gbl_mxm(C, NULL, NULL, *ring, A, A, NULL);
    f_gbl_Matrix_extractElement_FP64(&x, C, 7, 9);
    printf("%s: C(7, 9) is %g\n", argv[1], x);
    return x == 4.0 ? 0 : 1;
}
