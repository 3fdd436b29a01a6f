/* SPDX-License-Identifier: Apache-2.0
 *
 * Intel MKL: mkl_sparse_sp2m followed by mkl_sparse_order, and mkl_sparse_d_mm for full
 * factors. The library is loaded when the program runs, so that nobody needs it to build or to run
 * the rest. Declarations follow the reference of the inspector-executor sparse BLAS; the interface
 * is LP64 (32-bit indices). Its threads are those of the GNU OpenMP runtime, as SuiteSparse's: a
 * second runtime's threads would spin while the others are timed.
 */
#include "peers/mkl.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef int32_t mkl_index;
typedef struct mkl_matrix *mkl_handle;
typedef struct {
    int type, mode, diag;
} mkl_descr;

enum { ZERO_BASED = 0, AS_IT_IS = 10, TRANSPOSED = 11, GENERAL = 20, LOWER = 40, NON_UNIT = 50 };
enum { FULL_PRODUCT = 90, BY_ROWS = 101, BY_COLUMNS = 102, INTERFACE_LP64 = 0, THREADING_GNU = 3 };
enum { PEAK_ENABLE = 1, PEAK_RESET = -1, PEAK_READ = 2 };

static struct {
    bool loaded;
    int (*create)(mkl_handle *A, int base, mkl_index rows, mkl_index cols, mkl_index *row_start,
                  mkl_index *row_end, mkl_index *columns, double *values);
    int (*multiply)(int op_a, mkl_descr, mkl_handle A, int op_b, mkl_descr, mkl_handle B, int stage,
                    mkl_handle *C);
    int (*order)(mkl_handle C);
    int (*export)(mkl_handle C, int *base, mkl_index *rows, mkl_index *cols, mkl_index **row_start,
                  mkl_index **row_end, mkl_index **columns, double **values);
    int (*times_full)(int op, double alpha, mkl_handle A, mkl_descr, int layout, const double *B,
                      mkl_index columns, mkl_index ldb, double beta, double *C, mkl_index ldc);
    int (*expect)(mkl_handle A, int op, mkl_descr, int layout, mkl_index columns, mkl_index calls);
    int (*optimize)(mkl_handle A);
    int (*destroy)(mkl_handle A);
    int (*set_interface)(int);
    int (*set_threading)(int);
    void (*set_threads)(int);
    void (*version)(char *text, int size);
    int64_t (*peak)(int mode);
} mkl;

struct peer_mkl_product {
    const peer_input *in;
    mkl_index *Ap, *Ai;
    double *Ax;
    mkl_handle A, C;
};

bool peer_mkl_load(const char *folder, int threads, char *why, size_t size) {
    const struct {
        const char *name;
        void *function; /* address of a pointer to a function */
    } wanted[] = {{"mkl_sparse_d_create_csr", &mkl.create},
                  {"mkl_sparse_sp2m", &mkl.multiply},
                  {"mkl_sparse_order", &mkl.order},
                  {"mkl_sparse_d_export_csr", &mkl.export},
                  {"mkl_sparse_d_mm", &mkl.times_full},
                  {"mkl_sparse_set_mm_hint", &mkl.expect},
                  {"mkl_sparse_optimize", &mkl.optimize},
                  {"mkl_sparse_destroy", &mkl.destroy},
                  {"MKL_Set_Interface_Layer", &mkl.set_interface},
                  {"MKL_Set_Threading_Layer", &mkl.set_threading},
                  {"MKL_Set_Num_Threads", &mkl.set_threads},
                  {"MKL_Get_Version_String", &mkl.version},
                  {"MKL_Peak_Mem_Usage", &mkl.peak}};
    char path[1024];
    snprintf(path, sizeof path, "%s%slibmkl_rt.so", folder != NULL ? folder : "",
             folder != NULL ? "/" : "");
    void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    if (library == NULL) {
        snprintf(why, size, "%s", dlerror());
        return false;
    }
    for (size_t k = 0; k < sizeof wanted / sizeof *wanted; k++) {
        void *found = dlsym(library, wanted[k].name);
        memcpy(wanted[k].function, &found, sizeof found);
        if (found != NULL) continue;
        snprintf(why, size, "%s has no %s", path, wanted[k].name);
        return false;
    }
    mkl.set_interface(INTERFACE_LP64);
    mkl.set_threading(THREADING_GNU);
    mkl.set_threads(threads);
    mkl.loaded = true;
    return true;
}

bool peer_mkl_is_loaded(void) {
    return mkl.loaded;
}

void peer_mkl_version(char *text, size_t size) {
    text[0] = '\0';
    if (mkl.loaded) mkl.version(text, (int)size);
}

int peer_mkl_multiply(peer_mkl_product *p) {
    const mkl_descr general = {GENERAL, LOWER, NON_UNIT};
    const int op_b = p->in->nrows == p->in->ncols ? AS_IT_IS : TRANSPOSED;
    const int status =
        mkl.multiply(AS_IT_IS, general, p->A, op_b, general, p->A, FULL_PRODUCT, &p->C);
    return status != 0 ? status : mkl.order(p->C);
}

/* C = B * A by rows is C' = A' * B' by columns. */
int peer_mkl_optimize(peer_mkl_product *p, peer_mkl_full full, int calls) {
    const mkl_descr general = {GENERAL, LOWER, NON_UNIT};
    const int status = mkl.expect(p->A, full.left ? TRANSPOSED : AS_IT_IS, general,
                                  full.left ? BY_COLUMNS : BY_ROWS, (mkl_index)full.count, calls);
    return status != 0 ? status : mkl.optimize(p->A);
}

int peer_mkl_times_full(peer_mkl_product *p, peer_mkl_full full, const double *B, double *C) {
    const mkl_descr general = {GENERAL, LOWER, NON_UNIT};
    const mkl_index n = (mkl_index)full.count, rows = (mkl_index)p->in->nrows,
                    columns = (mkl_index)p->in->ncols;
    if (full.left)
        return mkl.times_full(TRANSPOSED, 1.0, p->A, general, BY_COLUMNS, B, n, rows, 0.0, C,
                              columns);
    return mkl.times_full(AS_IT_IS, 1.0, p->A, general, BY_ROWS, B, n, n, 0.0, C, n);
}

bool peer_mkl_count(void) {
    const int64_t before = mkl.peak(PEAK_ENABLE);
    mkl.peak(PEAK_RESET);
    return before >= 0;
}

double peer_mkl_peak(void) {
    return (double)mkl.peak(PEAK_READ);
}

void peer_mkl_drop(peer_mkl_product *p) {
    if (p->C != NULL) mkl.destroy(p->C);
    p->C = NULL;
}

double peer_mkl_entries(const peer_mkl_product *p) {
    int base;
    mkl_index rows, cols, *start, *stop, *columns;
    double *values, sum = 0;
    if (mkl.export(p->C, &base, &rows, &cols, &start, &stop, &columns, &values) != 0) return -1;
    for (mkl_index i = 0; i < rows; i++) sum += stop[i] - start[i];
    return sum;
}

int peer_mkl_tuples(const peer_mkl_product *p, gbl_Index *I, gbl_Index *J, double *X) {
    int base;
    mkl_index rows, cols, *start, *stop, *columns;
    double *values;
    gbl_Index n = 0;
    if (mkl.export(p->C, &base, &rows, &cols, &start, &stop, &columns, &values) != 0) return -1;
    for (mkl_index i = 0; i < rows; i++)
        for (mkl_index k = start[i]; k < stop[i]; k++, n++) {
            I[n] = (gbl_Index)i;
            J[n] = (gbl_Index)columns[k];
            X[n] = values[k];
        }
    return base == ZERO_BASED ? 0 : -1;
}

void peer_mkl_free(peer_mkl_product *p) {
    if (p == NULL) return;
    peer_mkl_drop(p);
    if (p->A != NULL) mkl.destroy(p->A);
    free(p->Ap);
    free(p->Ai);
    free(p->Ax);
    free(p);
}

static int make_operand(peer_mkl_product *p) {
    const peer_input *in = p->in;
    gbl_Arrays arrays = {0};
    if (in->nvals > INT32_MAX || in->nrows > INT32_MAX || in->ncols > INT32_MAX) return -1;
    p->Ap = malloc((in->nrows + 1) * sizeof *p->Ap);
    p->Ai = malloc((in->nvals + 1) * sizeof *p->Ai);
    p->Ax = malloc((in->nvals + 1) * sizeof *p->Ax);
    if (p->Ap == NULL || p->Ai == NULL || p->Ax == NULL) return -1;
    const gbl_Info info = gbl_Matrix_view(&arrays, in->A, GBL_CSR_FORMAT);
    if (bench_failed(info, "operand of MKL")) return -1;
    for (gbl_Index i = 0; i <= in->nrows; i++) p->Ap[i] = (mkl_index)arrays.p[i];
    for (gbl_Index k = 0; k < in->nvals; k++) {
        p->Ai[k] = (mkl_index)arrays.i[k];
        p->Ax[k] = ((double *)arrays.x)[arrays.iso ? 0 : k];
    }
    return mkl.create(&p->A, ZERO_BASED, (mkl_index)in->nrows, (mkl_index)in->ncols, p->Ap,
                      p->Ap + 1, p->Ai, p->Ax) == 0
               ? 0
               : -1;
}

peer_mkl_product *peer_mkl_new(const peer_input *in) {
    peer_mkl_product *p = calloc(1, sizeof *p);
    if (p == NULL) return NULL;
    p->in = in;
    if (make_operand(p) == 0) return p;
    fprintf(stderr, "MKL cannot take %s\n", in->name);
    peer_mkl_free(p);
    return NULL;
}
