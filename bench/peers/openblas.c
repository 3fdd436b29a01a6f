/* SPDX-License-Identifier: Apache-2.0
 *
 * OpenBLAS, loaded when the program runs: Debian's libopenblas0, or what the loader finds by that
 * name. Only functions of the standard interface of BLAS for C, and of OpenBLAS for its threads.
 */
#include <dlfcn.h>
#include <stdio.h>

#include "peers/openblas.h"

enum { ROWS = 101, PLAIN = 111 }; /* CblasRowMajor, CblasNoTrans */

static struct {
    void (*dgemm)(int, int, int, int, int, int, double, const double *, int, const double *, int,
                  double, double *, int);
    void (*sgemm)(int, int, int, int, int, int, float, const float *, int, const float *, int,
                  float, float *, int);
    void (*set_threads)(int);
    const char *(*config)(void);
} blas;

bool blas_load(int threads, char *why, size_t size) {
    void *library = dlopen("libopenblas.so.0", RTLD_NOW | RTLD_LOCAL);
    if (library != NULL) {
        *(void **)&blas.dgemm = dlsym(library, "cblas_dgemm");
        *(void **)&blas.sgemm = dlsym(library, "cblas_sgemm");
        *(void **)&blas.set_threads = dlsym(library, "openblas_set_num_threads");
        *(void **)&blas.config = dlsym(library, "openblas_get_config");
    }
    if (blas.dgemm == NULL || blas.sgemm == NULL || blas.set_threads == NULL) {
        snprintf(why, size, "%s", library == NULL ? dlerror() : "it lacks a function");
        return false;
    }
    blas.set_threads(threads);
    return true;
}

const char *blas_version(void) {
    return blas.config != NULL ? blas.config() : "";
}

void blas_multiply(bool single, int n, const void *A, const void *B, void *C) {
    if (single)
        blas.sgemm(ROWS, PLAIN, PLAIN, n, n, n, 1.0F, A, n, B, n, 0.0F, C, n);
    else
        blas.dgemm(ROWS, PLAIN, PLAIN, n, n, n, 1.0, A, n, B, n, 0.0, C, n);
}
