/* SPDX-License-Identifier: Apache-2.0
 *
 * What programs for Markov clustering share: options of the process, and clusters as text.
 */
#pragma once

#include "../examples/markov_cluster.h"
#include "cli.h"

enum { CLI_DUST = 256, CLI_PERCENT, CLI_FLOAT64, CLI_MARKOV_END };

/* Rows of a table of options, which cli_parse_markov reads. */
#define CLI_MARKOV_OPTIONS                                                                         \
    {"inflation", 'I', "R", 0, "Inflation, above 1; more gives smaller clusters (2)", 0},          \
        {"prune", 'p', "X", 0, "Drop flow below X (1e-4)", 0},                                     \
        {"precision", 'P', "N", 0, "The same as --prune 1/N (10000)", 0},                          \
        {"select", 'S', "N", 0, "Keep the N largest flows of a vertex (1100); 0: all", 0},         \
        {"recover", 'R', "N", 0, "Keep N where else too little would be left (1400)", 0},          \
        {"pct", CLI_PERCENT, "X", 0, "Too little is less than X percent (90)", 0},                 \
        {"dust", CLI_DUST, "X", 0, "After inflation drop flow below X (0: none)", 0},              \
        {"float64", CLI_FLOAT64, NULL, 0, "Flow in double precision, twice the memory", 0}, {      \
        "steps", 'n', "N", 0, "Give up after N steps (1000)", 0                                    \
    }
error_t cli_parse_markov(int key, char *text, struct argp_state *state, markov_options *markov);

/* -- transform.c: A, of FP64, becomes what a list of mcl's functions makes of it. */
gbl_Info cli_transform(gbl_Matrix A, const char *spec);
bool cli_transform_falls(const char *spec); /* larger weights become smaller */

/* How far the process went. */
typedef struct {
    int64_t steps;
    double chaos;
    gbl_Index attractors, overlap; /* vertices that are one, or in several clusters */
    char method[32];               /* of the last product */
} cli_MarkovFacts;

typedef struct {
    uint64_t first, size; /* vertices[first .. first + size) */
    uint64_t smallest;    /* its smallest vertex */
} cli_Cluster;
typedef struct {
    gbl_Index n, count;
    uint64_t *vertices;    /* [n] by cluster, ascending inside */
    cli_Cluster *clusters; /* [count] largest first, equally large ones by their smallest vertex */
} cli_Clusters;
/* By the label of each of n vertices, labels being vertices. To be freed, also after a failure. */
gbl_Info cli_clusters_of(cli_Clusters *clusters, gbl_Vector label, gbl_Index n);
void cli_clusters_free(cli_Clusters *clusters);
/* A line for each cluster, by labels where there are any, else by numbers. */
gbl_Info cli_clusters_write(const cli_Clusters *c, const gbl_Labels *labels, const char *path);
/* A matrix in the form of mcl, whose columns are the clusters; indices are numbers in labels. */
gbl_Info cli_clusters_write_native(const cli_Clusters *c, const gbl_Labels *labels,
                                   const char *path);
gbl_Info cli_clusters_report(cli_Report *report, const cli_Clusters *c,
                             const cli_MarkovFacts *facts);
