/* SPDX-License-Identifier: Apache-2.0
 *
 * Rows by Intel MKL: A*A, or A*A' where A is not square (mkl_sparse_sp2m, then mkl_sparse_order);
 * and sparse times full (mkl_sparse_d_mm), to an array that is there, as its interface wants it.
 *
 * The library is loaded when the program runs, so that nobody needs it to build or to run the rest.
 * Declarations follow the reference of the inspector-executor sparse BLAS; the interface is LP64
 * (32-bit indices). Its threads are those of the GNU OpenMP runtime, as SuiteSparse's: a second
 * runtime's threads would spin while the others are timed.
 */
#include "jobs/sides.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/values.h"

typedef int32_t mkl_index;
typedef struct mkl_matrix *mkl_handle;
typedef struct {
    int type, mode, diag;
} mkl_descr;

enum { ZERO_BASED = 0, AS_IT_IS = 10, TRANSPOSED = 11, LOWER = 40, NON_UNIT = 50 };
enum { FULL_PRODUCT = 90, BY_ROWS = 101, BY_COLUMNS = 102, INTERFACE_LP64 = 0, THREADING_GNU = 3 };
enum { PEAK_ENABLE = 1, PEAK_RESET = -1, PEAK_READ = 2 };
static const mkl_descr GENERAL = {20, LOWER, NON_UNIT};

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

void bench_load_mkl(const char *folder, int threads) {
    static const bench_function FUNCTIONS[] = {{"mkl_sparse_d_create_csr", &mkl.create},
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
                                               {"MKL_Peak_Mem_Usage", &mkl.peak},
                                               {0}};
    char path[1024];
    snprintf(path, sizeof path, "%s/libmkl_rt.so", folder);
    const char *why = bench_load_library(path, FUNCTIONS);
    if (why != NULL) {
        fprintf(stderr, "bench: without MKL: %s\n", why);
        return;
    }
    mkl.set_interface(INTERFACE_LP64);
    mkl.set_threading(THREADING_GNU);
    mkl.set_threads(threads);
    mkl.loaded = true;
}

bool bench_has_mkl(void) {
    return mkl.loaded;
}

void bench_mkl_version(char *text, size_t size) {
    text[0] = '\0';
    if (mkl.loaded) mkl.version(text, (int)size);
}

struct side_work {
    const side_task *task;
    mkl_index *Ap, *Ai;
    double *Ax;
    mkl_handle A, C;
    double bytes;
    /* times full; C = B * A by rows is C' = A' * B' by columns */
    gbl_Index rows, columns; /* of C */
    double *B, *full;        /* by rows, at a cache line, as MKL advises; full: C */
};

static int renew(side_work *w) {
    if (w->C != NULL) mkl.destroy(w->C);
    w->C = NULL;
    return 0;
}

static void close(side_work *w) {
    renew(w);
    if (w->A != NULL) mkl.destroy(w->A);
    void *arrays[] = {w->Ap, w->Ai, w->Ax, w->B, w->full};
    for (int k = 0; k < 5; k++) free(arrays[k]);
    free(w);
}

static bool make_operand(side_work *w) {
    const peer_input *in = w->task->in;
    gbl_Arrays arrays = {0};
    if (in->nvals > INT32_MAX || in->nrows > INT32_MAX || in->ncols > INT32_MAX) return false;
    w->Ap = malloc((in->nrows + 1) * sizeof *w->Ap);
    w->Ai = malloc((in->nvals + 1) * sizeof *w->Ai);
    w->Ax = malloc((in->nvals + 1) * sizeof *w->Ax);
    if (w->Ap == NULL || w->Ai == NULL || w->Ax == NULL) return false;
    const gbl_Info info = gbl_Matrix_view(&arrays, in->A, GBL_CSR_FORMAT);
    if (bench_failed(info, "operand of MKL")) return false;
    for (gbl_Index i = 0; i <= in->nrows; i++) w->Ap[i] = (mkl_index)arrays.p[i];
    for (gbl_Index k = 0; k < in->nvals; k++) {
        w->Ai[k] = (mkl_index)arrays.i[k];
        w->Ax[k] = ((double *)arrays.x)[arrays.iso ? 0 : k];
    }
    return mkl.create(&w->A, ZERO_BASED, (mkl_index)in->nrows, (mkl_index)in->ncols, w->Ap,
                      w->Ap + 1, w->Ai, w->Ax) == 0;
}

static double *new_array(gbl_Index n) {
    const size_t line = 64, bytes = n * sizeof(double);
    double *x = aligned_alloc(line, (bytes + line - 1) / line * line);
    if (x != NULL) memset(x, 0, bytes);
    return x;
}

/* of[0]: calls that MKL may prepare for, 0: it is not asked to. */
static bool make_full(side_work *w, const side_row *row) {
    const side_task *t = w->task;
    const gbl_Index rows = t->left ? t->count : t->in->ncols;
    const gbl_Index columns = t->left ? t->in->nrows : t->count;
    uint64_t state = rows + columns;
    w->rows = t->left ? t->count : t->in->nrows;
    w->columns = t->left ? t->in->ncols : t->count;
    w->B = new_array(rows * columns);
    w->full = new_array(w->rows * w->columns);
    if (w->B == NULL || w->full == NULL) return false;
    for (gbl_Index k = 0; k < rows * columns; k++) w->B[k] = bench_unit(&state);
    return row->of[0] == 0 ||
           (mkl.expect(w->A, t->left ? TRANSPOSED : AS_IT_IS, GENERAL,
                       t->left ? BY_COLUMNS : BY_ROWS, (mkl_index)t->count, row->of[0]) == 0 &&
            mkl.optimize(w->A) == 0);
}

static side_work *open(const side_row *row, const side_task *task) {
    side_work *w = calloc(1, sizeof *w);
    if (w == NULL) return NULL;
    w->task = task;
    if (make_operand(w) && (task->count == 0 || make_full(w, row))) return w;
    fprintf(stderr, "bench: MKL cannot take %s\n", task->in->name);
    close(w);
    return NULL;
}

/* MKL's status, 0 when all went well. */
static int multiply(side_work *w) {
    const side_task *t = w->task;
    const mkl_index n = (mkl_index)t->count;
    if (n > 0 && t->left)
        return mkl.times_full(TRANSPOSED, 1.0, w->A, GENERAL, BY_COLUMNS, w->B, n,
                              (mkl_index)t->in->nrows, 0.0, w->full, (mkl_index)w->columns);
    if (n > 0)
        return mkl.times_full(AS_IT_IS, 1.0, w->A, GENERAL, BY_ROWS, w->B, n, n, 0.0, w->full, n);
    const int op_b = t->in->nrows == t->in->ncols ? AS_IT_IS : TRANSPOSED;
    const int status =
        mkl.multiply(AS_IT_IS, GENERAL, w->A, op_b, GENERAL, w->A, FULL_PRODUCT, &w->C);
    return status != 0 ? status : mkl.order(w->C);
}

static int run(side_work *w) {
    const int status = multiply(w);
    if (status != 0) fprintf(stderr, "bench: MKL failed with status %d\n", status);
    return status == 0 ? 0 : -1;
}

static int attempt(side_work *w, char *why_not, size_t size) {
    const bool counts = mkl.peak(PEAK_ENABLE) >= 0;
    mkl.peak(PEAK_RESET);
    const int status = multiply(w);
    w->bytes = counts ? (double)mkl.peak(PEAK_READ) : -1;
    if (status != 0) snprintf(why_not, size, "MKL failed with status %d", status);
    return status == 0 ? 1 : 0;
}

static double peak(side_work *w) {
    return w->bytes;
}

typedef struct {
    mkl_index rows, *start, *stop, *columns;
    double *values;
} csr;

static bool view(csr *C, const side_work *w) {
    int base;
    mkl_index columns;
    return mkl.export(w->C, &base, &C->rows, &columns, &C->start, &C->stop, &C->columns,
                      &C->values) == 0 &&
           base == ZERO_BASED;
}

static int64_t entries(side_work *w) {
    csr C;
    int64_t sum = 0;
    if (!view(&C, w)) return -1;
    for (mkl_index i = 0; i < C.rows; i++) sum += C.stop[i] - C.start[i];
    return sum;
}

static int take(side_work *w, side_part part, side_result *r) {
    csr C;
    side_tuples *t = &r->part[SIDE_C];
    (void)part; /* it is the whole */
    *r = (side_result){.count = 0};
    if (!view(&C, w) || !side_tuples_new(t, (gbl_Index)entries(w))) return -1;
    t->n = 0;
    for (mkl_index i = 0; i < C.rows; i++)
        for (mkl_index k = C.start[i]; k < C.stop[i]; k++) {
            t->I[t->n] = (gbl_Index)i;
            t->J[t->n] = (gbl_Index)C.columns[k];
            t->X[t->n++] = C.values[k];
        }
    return 0;
}

static int take_full(side_work *w, side_part part, side_result *r) {
    const gbl_Index n = w->rows * w->columns;
    side_tuples *t = &r->part[SIDE_C];
    (void)part;
    *r = (side_result){.count = 0};
    if (!side_tuples_new(t, n)) return -1;
    t->n = 0;
    for (gbl_Index k = 0; k < n; k++) {
        if (w->full[k] == 0) continue; /* no product: all values are positive */
        t->I[t->n] = k / w->columns;
        t->J[t->n] = k % w->columns;
        t->X[t->n++] = w->full[k];
    }
    return 0;
}

const side_library MKL_SIDE = {"mkl", open, renew, run, attempt, entries, take, NULL, peak, close},
                   MKL_FULL_SIDE = {"mkl", open,      renew, run,  attempt,
                                    NULL,  take_full, NULL,  peak, close};
