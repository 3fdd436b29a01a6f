/* SPDX-License-Identifier: Apache-2.0
 *
 * test_dist [die | grid]: all tests; or what ends the program: a process that dies while the others
 * wait for it, and a number of processes that makes no grid.
 */
#include "dist_test.h"

#include <math.h>
#include <signal.h>
#include <string.h>

gbl_Grid t_grid;
int t_rank, t_processes;

gbl_Matrix t_make(gbl_Type type, const char *spec) {
    gbl_Matrix A;
    OK(gbl_generate(&A, type, spec));
    return A;
}

gbl_Matrix t_empty(gbl_Type type, gbl_Index nrows, gbl_Index ncols) {
    gbl_Matrix A;
    OK(gbl_Matrix_new(&A, type, nrows, ncols));
    return A;
}

gbl_Vector t_vector(gbl_Type type, gbl_Index size, gbl_Index step, uint64_t seed) {
    gbl_Vector v;
    OK(gbl_Vector_new(&v, type, size));
    for (gbl_Index i = seed % step; i < size; i += step) {
        seed = seed * 6364136223846793005u + 1442695040888963407u;
        OK(gbl_Vector_setElement_INT64(v, 1 + (int64_t)(seed >> 60), i));
    }
    return v;
}

gbl_Scalar t_scalar_INT64(int64_t x) {
    gbl_Scalar s;
    OK(gbl_Scalar_new(&s, GBL_INT64));
    OK(gbl_Scalar_setElement_INT64(s, x));
    return s;
}

gbl_DistMatrix t_spread(gbl_Matrix A) {
    gbl_DistMatrix D;
    const int root = t_processes - 1;
    OK(gbl_DistMatrix_scatter(&D, t_rank == root ? A : NULL, root, t_grid));
    return D;
}

gbl_DistVector t_spread_vector(gbl_Vector v) {
    gbl_DistVector d;
    OK(gbl_DistVector_scatter(&d, t_rank == 0 ? v : NULL, 0, t_grid));
    return d;
}

typedef struct {
    gbl_Index n, *i, *j;
    double *x;
} List;

static List new_list(gbl_Index n) {
    List l = {n, malloc((n + 1) * 8), malloc((n + 1) * 8), malloc((n + 1) * 8)};
    CHECK(l.i && l.j && l.x);
    return l;
}

static void compare_lists(List a, List b, double tolerance, const char *what) {
    for (gbl_Index k = 0; k < a.n; k++) {
        const bool near = a.x[k] == b.x[k] ||
                          fabs(a.x[k] - b.x[k]) <= tolerance * fmax(fabs(a.x[k]), fabs(b.x[k]));
        if (a.i[k] == b.i[k] && a.j[k] == b.j[k] && near) continue;
        fprintf(stderr, "%s: entry %llu is (%llu, %llu) %.17g, wanted (%llu, %llu) %.17g\n", what,
                (unsigned long long)k, (unsigned long long)a.i[k], (unsigned long long)a.j[k],
                a.x[k], (unsigned long long)b.i[k], (unsigned long long)b.j[k], b.x[k]);
        CHECK(!"entries are equal");
    }
    free(a.i), free(a.j), free(a.x);
    free(b.i), free(b.j), free(b.x);
}

void t_compare(gbl_DistMatrix got, gbl_Matrix wanted, double tolerance, const char *what) {
    gbl_Matrix all;
    gbl_Index n, m, nrows, ncols, rows, cols;
    OK(gbl_DistMatrix_gather(&all, got, 0));
    OK(gbl_DistMatrix_nvals(&m, got));
    OK(gbl_DistMatrix_shape(&nrows, &ncols, NULL, got));
    OK(gbl_Matrix_nrows(&rows, wanted));
    OK(gbl_Matrix_ncols(&cols, wanted));
    OK(gbl_Matrix_nvals(&n, wanted));
    if (m != n)
        fprintf(stderr, "%s: %llu entries, wanted %llu\n", what, (unsigned long long)m,
                (unsigned long long)n);
    CHECK(m == n && nrows == rows && ncols == cols);
    CHECK((all != NULL) == (t_rank == 0));
    if (!all) return;
    List a = new_list(n), b = new_list(n);
    OK(gbl_Matrix_extractTuples_FP64(a.i, a.j, a.x, &a.n, all));
    OK(gbl_Matrix_extractTuples_FP64(b.i, b.j, b.x, &b.n, wanted));
    CHECK(a.n == b.n);
    compare_lists(a, b, tolerance, what);
    OK(gbl_Matrix_free(&all));
}

void t_compare_vector(gbl_DistVector got, gbl_Vector wanted, double tolerance, const char *what) {
    gbl_Vector all;
    gbl_Index n, m;
    OK(gbl_DistVector_gather(&all, got, t_processes - 1));
    OK(gbl_DistVector_nvals(&m, got));
    OK(gbl_Vector_nvals(&n, wanted));
    if (m != n)
        fprintf(stderr, "%s: %llu entries, wanted %llu\n", what, (unsigned long long)m,
                (unsigned long long)n);
    CHECK(m == n);
    if (!all) return;
    List a = new_list(n), b = new_list(n);
    memset(a.j, 0, n * 8);
    memset(b.j, 0, n * 8);
    OK(gbl_Vector_extractTuples_FP64(a.i, a.x, &a.n, all));
    OK(gbl_Vector_extractTuples_FP64(b.i, b.x, &b.n, wanted));
    CHECK(a.n == b.n);
    compare_lists(a, b, tolerance, what);
    OK(gbl_Vector_free(&all));
}

static int end(int code) {
    OK(gbl_Grid_free(&t_grid));
    OK(gbl_finalize());
    MPI_Finalize();
    return code;
}

int main(int argc, char **argv) {
    int level;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &level);
    MPI_Comm_rank(MPI_COMM_WORLD, &t_rank);
    MPI_Comm_size(MPI_COMM_WORLD, &t_processes);
    OK(gbl_init(GBL_NONBLOCKING));
    OK(gbl_Global_set_INT32(GBL_GLOBAL, 1, GBL_NTHREADS));
    if (argc > 1 && strcmp(argv[1], "grid") == 0) {
        CHECK(gbl_Grid_new(&t_grid, MPI_COMM_WORLD) == GBL_INVALID_VALUE && !t_grid);
        CHECK(strstr(gbl_last_error(), "1, 4, 9, 16") != NULL);
        return end(0);
    }
    OK(gbl_Grid_new(&t_grid, MPI_COMM_WORLD));
    if (argc > 1 && strcmp(argv[1], "die") == 0) {
        gbl_Matrix A = t_make(GBL_FP64, "er:6:4");
        if (t_rank == t_processes - 1) raise(SIGKILL);
        gbl_DistMatrix D = t_spread(A); /* never comes back */
        return end(D == NULL);
    }
    test_objects();
    test_products();
    test_entrywise();
    test_files();
    test_failures();
    if (t_rank == 0) printf("all tests passed on %d processes\n", t_processes);
    return end(0);
}
