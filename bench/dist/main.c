/* SPDX-License-Identifier: Apache-2.0
 *
 * mpirun -n N dist [--repeats R] MATRIX...: A * A over N processes with gblite's local products,
 * with CombBLAS's in the same stages, and with all of CombBLAS's function, in turns; results are
 * compared. One JSON object a line on stdout: medians of R repeats in seconds, of the slowest
 * process each time, and bytes received.
 *
 * Each process runs one thread, whoever multiplies.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "gblite_dist.h"
#include "gblite_io.h"
#include "harness/timing.h"

enum { REPEATS_MOST = 101, KERNELS = 3 };
static const char *const names[KERNELS] = {"gblite", "combblas", "combblas_summa"};

typedef struct {
    double whole[REPEATS_MOST], multiply[REPEATS_MOST], merge[REPEATS_MOST], move[REPEATS_MOST];
    uint64_t received, panels;
    gbl_Index entries;
} Times;

static void must(gbl_Info info) {
    if (info == GBL_SUCCESS) return;
    fprintf(stderr, "dist: %s\n", gbl_last_error());
    MPI_Abort(MPI_COMM_WORLD, 1);
}

static double slowest(double seconds) {
    double most;
    MPI_Allreduce(&seconds, &most, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
    return most;
}

static void run(Times *t, int k, gbl_DistMatrix C, gbl_DistMatrix A, gbl_Grid grid) {
    gbl_DistCounters counters;
    must(gbl_Grid_clear_counters(grid));
    MPI_Barrier(MPI_COMM_WORLD);
    const double start = MPI_Wtime();
    must(gbl_dist_mxm(C, NULL, NULL, GBL_PLUS_TIMES_SEMIRING_FP64, A, A, NULL));
    t->whole[k] = slowest(MPI_Wtime() - start);
    must(gbl_Grid_counters(&counters, grid));
    t->multiply[k] = slowest(counters.seconds_multiply);
    t->merge[k] = slowest(counters.seconds_merge);
    t->move[k] = slowest(counters.seconds_move);
    t->received = counters.bytes_received;
    t->panels = counters.panels_peak;
    must(gbl_DistMatrix_nvals(&t->entries, C));
}

static void report(const char *spec, Times *times, int repeats, int processes, gbl_Index entries) {
    printf("{\"matrix\":\"%s\",\"processes\":%d,\"entries\":%llu,\"product\":%llu,\"repeats\":%d",
           spec, processes, (unsigned long long)entries, (unsigned long long)times[0].entries,
           repeats);
    for (int k = 0; k < KERNELS; k++) {
        Times *t = &times[k];
        printf(",\"%s\":{\"whole\":%.4f", names[k], bench_median(t->whole, repeats));
        if (k < 2)
            printf(",\"multiply\":%.4f,\"merge\":%.4f,\"move\":%.4f,\"received\":%llu,"
                   "\"blocks\":%llu",
                   bench_median(t->multiply, repeats), bench_median(t->merge, repeats),
                   bench_median(t->move, repeats), (unsigned long long)t->received,
                   (unsigned long long)t->panels);
        printf("}");
    }
    printf("}\n");
    fflush(stdout);
}

static void measure(const char *spec, int repeats, gbl_Grid grid, int rank, int processes) {
    static Times times[KERNELS];
    gbl_DistMatrix A, C;
    gbl_Index nrows, ncols, entries;
    must(gbl_DistMatrix_load(&A, GBL_FP64, spec, grid));
    must(gbl_DistMatrix_shape(&nrows, &ncols, NULL, A));
    must(gbl_DistMatrix_nvals(&entries, A));
    for (int k = 0; k < repeats; k++)
        for (int who = 0; who < KERNELS; who++) {
            must(gbl_Grid_set_kernels(grid, (gbl_DistKernels)who));
            must(gbl_DistMatrix_new(&C, GBL_FP64, nrows, ncols, grid));
            run(&times[who], k, C, A, grid);
            must(gbl_DistMatrix_free(&C));
            if (times[who].entries != times[0].entries)
                must(gbl_fail(GBL_PANIC, NULL, "%s: %s has another result", spec, names[who]));
        }
    if (rank == 0) report(spec, times, repeats, processes, entries);
    must(gbl_DistMatrix_free(&A));
}

int main(int argc, char **argv) {
    int level, rank, processes, repeats = 5, first = 1;
    gbl_Grid grid;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &level);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &processes);
    if (argc > 2 && strcmp(argv[1], "--repeats") == 0) {
        repeats = atoi(argv[2]);
        first = 3;
    }
    if (first >= argc || repeats < 1 || repeats > REPEATS_MOST) {
        if (rank == 0) fprintf(stderr, "usage: dist [--repeats 1..%d] MATRIX...\n", REPEATS_MOST);
        MPI_Finalize();
        return 2;
    }
    must(gbl_init(GBL_NONBLOCKING));
    must(gbl_Global_set_INT32(GBL_GLOBAL, 1, GBL_NTHREADS));
    must(gbl_Grid_new(&grid, MPI_COMM_WORLD));
    for (int k = first; k < argc; k++) measure(argv[k], repeats, grid, rank, processes);
    must(gbl_Grid_free(&grid));
    must(gbl_finalize());
    MPI_Finalize();
    return 0;
}
