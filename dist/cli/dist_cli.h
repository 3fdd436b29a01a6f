/* SPDX-License-Identifier: Apache-2.0
 *
 * What the commands of gblite-dist share; options, reports and progress are those of the program
 * gblite (cli/cli.h). All processes run a command; stdout and stderr of all but process 0 are
 * silent, so that they may print what it prints.
 *
 * A command parses its arguments, calls dc_begin, works, and returns dc_end.
 */
#pragma once

#include "gblite_dist.h"
#include "markov.h"

typedef struct {
    gbl_Grid grid;
    cli_Report *report;
    int rank, processes;
} dc_Work;

int dc_info(int argc, char **argv);
int dc_mxm(int argc, char **argv);
int dc_tc(int argc, char **argv);
int dc_bfs(int argc, char **argv);
int dc_mcl(int argc, char **argv);

/* -- work.c */
gbl_Info dc_begin(dc_Work *work, const cli_Common *common);
/* Prints the report, unless `quiet`, or the error; the exit code. */
int dc_end(dc_Work *work, gbl_Info info, bool quiet);
/* Adds processes, bytes that moved, and the most that a process took. */
gbl_Info dc_report_counters(dc_Work *work);

/* -- graph.c */
gbl_Info dc_load_square(gbl_DistMatrix *A, gbl_Index *n, gbl_Type type, const char *operand,
                        gbl_Grid grid);
gbl_Info dc_is_symmetric(bool *symmetric, gbl_DistMatrix A); /* by its pattern; A is square */
/* As cli_load_undirected. */
gbl_Info dc_load_undirected(gbl_DistMatrix *A, gbl_Index *n, const cli_Common *common,
                            gbl_Grid grid);
/* *sum = all entries, as INT64, and 0 without any. */
gbl_Info dc_sum(int64_t *sum, gbl_Monoid op, gbl_DistVector v, gbl_Grid grid);
/* One of each process, agreed on. */
gbl_Info dc_new_scalar(gbl_Scalar *s, gbl_Type type, double value, gbl_Grid grid);

/* -- markov.c */
typedef struct {
    gbl_DistVector cluster, attractors, overlap; /* as found by markov_cluster */
} dc_Clusters;
/* Markov clustering as in examples/markov_cluster.h. *A is freed once its weights are read. report
 * of the options is called in every process; its explanation tells entries of the flow alone. */
gbl_Info dc_markov(dc_Clusters *found, gbl_DistMatrix *A, gbl_Grid grid,
                   const markov_options *options);
void dc_clusters_free(dc_Clusters *found);
