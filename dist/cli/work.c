/* SPDX-License-Identifier: Apache-2.0
 *
 * Start and end of the work of one command.
 */
#define _GNU_SOURCE
#include <sched.h>
#include <stdlib.h>
#include <sys/resource.h>

#include "dist_cli.h"

/* Processes of one machine share its processors, unless somebody says otherwise. */
static int32_t usual_threads(void) {
    MPI_Comm here;
    cpu_set_t set;
    int neighbours;
    MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &here); /* by all */
    MPI_Comm_size(here, &neighbours);
    MPI_Comm_free(&here);
    if (getenv("OMP_NUM_THREADS") || sched_getaffinity(0, sizeof set, &set) != 0) return 0;
    const int threads = CPU_COUNT(&set) / neighbours;
    return threads > 0 ? threads : 1;
}

/* The environment of one machine may be wrong alone: before there is a grid, all hear of it. */
static gbl_Info begin_library(void) {
    const gbl_Info info = gbl_init(GBL_NONBLOCKING);
    const int bad = info != GBL_SUCCESS;
    int any;
    MPI_Allreduce(&bad, &any, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
    if (info || !any) return info;
    return gbl_fail(GBL_PANIC, NULL, "gbl_init failed in another process");
}

gbl_Info dc_begin(dc_Work *work, const cli_Common *common) {
    const int32_t usual = usual_threads();
    const int32_t threads = common->threads > 0 ? common->threads : usual;
    gbl_Info info;
    if ((info = begin_library()) || (info = gbl_Grid_new(&work->grid, MPI_COMM_WORLD)) ||
        (info = gbl_Grid_place(&work->rank, NULL, NULL, &work->processes, work->grid)))
        return info;
    work->processes *= work->processes;
    info = cli_report_new(&work->report, common->json);
    if (!info && common->output && work->rank == 0) info = cli_check_output(common->output);
    if (!info && threads > 0) info = gbl_Global_set_INT32(GBL_GLOBAL, threads, GBL_NTHREADS);
    if ((info = gbl_Grid_agree(work->grid, info))) return info;
    if (work->rank == 0) cli_progress_start();
    return GBL_SUCCESS;
}

int dc_end(dc_Work *work, gbl_Info info, bool quiet) {
    if (work->rank == 0) cli_progress_stop();
    if (!info && !quiet) info = cli_report_print(work->report, stdout);
    cli_report_free(&work->report);
    if (!info && (fflush(stdout) || ferror(stdout)))
        info = gbl_fail(GBL_IO_ERROR, NULL, "cannot write standard output");
    if (work->grid) info = gbl_Grid_agree(work->grid, info);
    if (info) fprintf(stderr, "gblite-dist: %s\n", gbl_last_error());
    gbl_Grid_free(&work->grid);
    gbl_finalize();
    return info ? CLI_FAILED : CLI_OK;
}

gbl_Info dc_report_counters(dc_Work *work) {
    gbl_DistCounters here;
    uint64_t most[3], sum[2];
    double seconds[3];
    const gbl_Info info = gbl_Grid_agree(work->grid, gbl_Grid_counters(&here, work->grid));
    if (info) return info;
    const uint64_t all[] = {here.bytes_received, here.entries};
    MPI_Allreduce(all, sum, 2, MPI_UINT64_T, MPI_SUM, MPI_COMM_WORLD);
    const uint64_t own[] = {here.bytes_received, here.panels_peak, here.phases};
    MPI_Allreduce(own, most, 3, MPI_UINT64_T, MPI_MAX, MPI_COMM_WORLD);
    const double spent[] = {here.seconds_multiply, here.seconds_merge, here.seconds_move};
    MPI_Allreduce(spent, seconds, 3, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
    struct rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    const uint64_t resident = (uint64_t)usage.ru_maxrss * 1024; /* Linux counts in KB */
    uint64_t peak;
    MPI_Allreduce(&resident, &peak, 1, MPI_UINT64_T, MPI_MAX, MPI_COMM_WORLD);
    cli_report_count(work->report, "processes", (uint64_t)work->processes);
    cli_report_count(work->report, "phases", most[2]);
    cli_report_count(work->report, "bytes_received", sum[0]);
    cli_report_count(work->report, "entries_added", sum[1]);
    cli_report_count(work->report, "bytes_by_one", most[0]);
    cli_report_count(work->report, "bytes_blocks", most[1]);
    cli_report_count(work->report, "bytes_resident", peak);
    cli_report_number(work->report, "seconds_multiply", seconds[0]);
    cli_report_number(work->report, "seconds_merge", seconds[1]);
    cli_report_number(work->report, "seconds_move", seconds[2]);
    return GBL_SUCCESS;
}
