/* SPDX-License-Identifier: Apache-2.0
 *
 * What the subcommands of the program gblite share: common options, the report that is printed as
 * text or as one JSON object, progress on the terminal, and names of semirings and methods.
 *
 * Exit codes: 0 done, 1 failed (a line on stderr that starts with "gblite: "), 2 bad usage, 3 done
 * but the results have not converged.
 * A command parses its arguments, which ends the program on bad usage, calls cli_begin, works, adds
 * what it found to the report, and returns cli_end. Only results go to stdout; vertices are
 * numbered from 1 on the command line, in files and in output, and from 0 inside.
 */
#pragma once

#include <argp.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/stat.h>

#include "gblite.h"
#include "gblite_io.h"

enum { CLI_OK = 0, CLI_FAILED = 1, CLI_BAD_USAGE = 2, CLI_NOT_CONVERGED = 3 };

/* -- commands: one file cmd_<name>.c each */
int cmd_info(int argc, char **argv);
int cmd_gen(int argc, char **argv);
int cmd_convert(int argc, char **argv);
int cmd_mxm(int argc, char **argv);
int cmd_chain(int argc, char **argv);
int cmd_tc(int argc, char **argv);
int cmd_bfs(int argc, char **argv);
int cmd_sssp(int argc, char **argv);
int cmd_cc(int argc, char **argv);
int cmd_scc(int argc, char **argv);
int cmd_pagerank(int argc, char **argv);
int cmd_bc(int argc, char **argv);
int cmd_kcore(int argc, char **argv);
int cmd_closeness(int argc, char **argv);
int cmd_jaccard(int argc, char **argv);
int cmd_cosine(int argc, char **argv);
int cmd_louvain(int argc, char **argv);
int cmd_cdlp(int argc, char **argv);
int cmd_compare(int argc, char **argv);
int cmd_truss(int argc, char **argv);
int cmd_lcc(int argc, char **argv);
int cmd_mcl(int argc, char **argv);
int cmd_spy(int argc, char **argv);
int cmd_calibrate(int argc, char **argv);

/* -- mcl_program.c: the program mcl, where gblite is called by that name or gblite-mcl */
bool cli_is_mcl(const char *program);
int cli_mcl_program(int argc, char **argv);

/* -- reading.c: how files are read, and the options of it */
typedef struct {
    bool edges, strict;
    bool weights; /* the command wants weights: no negative, infinite or NaN values */
    bool abc;     /* edges as mcl reads them: a line may begin with %; the largest weight counts */
    gbl_Duplicates duplicates;
    char separator;       /* of edges; 0: guess */
    int from, to, weight; /* columns of edges; 0: guess, weight -1: none */
    const char *tab;      /* file of names for a matrix in the form of mcl */
    const char *output;   /* a .gbl file that edges and Matrix Market go to; A is NULL then */
    gbl_Labels labels;    /* of the vertices of the graph that was read */
} cli_Reading;
extern const struct argp cli_reading_argp; /* its input is a cli_Reading */
/* A matrix from a file, a generator, or, for -, stdin; what was mended is told on stderr. */
gbl_Info cli_load(gbl_Matrix *A, gbl_Type type, const char *operand, cli_Reading *reading);

/* -- options.c: the command line: what a command takes, and what most of them share */
typedef struct {
    bool json;
    int32_t threads;     /* 0: the library's choice */
    const char *operand; /* the one positional argument, where a command has one */
    const char *output;  /* of --output, NULL unless given */
    bool undirected;     /* of --undirected */
    gbl_Index vertices;  /* of a graph that cli_compact has made smaller; 0: none has been */
    cli_Reading reading; /* labels are freed by cli_end */
} cli_Common;

typedef struct {
    const char *args, *about; /* positional arguments, and what the command does, for --help */
    const char *operand;      /* what its one positional argument is; NULL: there is not just one */
    const char *output;       /* what --output does; NULL: there is no such option */
    bool needs_output;
    bool undirected; /* there is --undirected, for a graph that cli_load_undirected reads */
    bool reads;      /* files of matrices, by cli_load */
    const struct argp_option *options; /* further ones; may be NULL */
    argp_parser_t parse;               /* reads them; its input is `own` */
} cli_Usage;
/* What an operand may be, for messages. */
extern const char *const cli_operand_hint;
/* Fills *common and what `own` is; bad usage ends the program. */
void cli_parse(int argc, char **argv, const cli_Usage *usage, cli_Common *common, void *own);
/* The number in text, at least low and at most high; else bad usage that names the option. */
uint64_t cli_parse_count(struct argp_state *state, const char *option, const char *text,
                         uint64_t low, uint64_t high);
int64_t cli_parse_size(struct argp_state *state, const char *text); /* of --memory */
gbl_Info cli_set_memory(int64_t bytes);                             /* 0: no limit */
double cli_parse_real(struct argp_state *state, const char *option, const char *text, double low,
                      double high);

/* -- table.c: the tables of options, for scripts */
bool cli_wants_table(int argc, char **argv);
/* name: "gblite COMMAND"; shared: the options that cli_parse adds to those of the command. */
void cli_print_table(const char *name, const cli_Usage *usage, const struct argp_option *shared);
void cli_print_lines(const char *word, const char *text); /* the word before each line */

/* -- session.c: start and end of the work of one command; uses clock.c, output.c, progress.c */
typedef struct cli_Report cli_Report;
gbl_Info cli_begin(const cli_Common *common, cli_Report **report); /* with a new report */
/* Prints it, or the error, and frees labels; the exit code. */
int cli_end(gbl_Info info, cli_Report **report, cli_Common *common);

/* -- clock.c: only differences mean something */
double cli_seconds(void);

/* -- output.c */
/* Whether the file can be written or created, so that a long work does not end in vain. */
gbl_Info cli_check_output(const char *path);
/* A file, or stdout when path is NULL. Closing reports what could not be written. */
gbl_Info cli_open(FILE **file, const char *path);
gbl_Info cli_close(FILE **file, const char *path);
/* A line on stderr where a large matrix is full: the file will be some 25 bytes a place. */
void cli_warn_full(gbl_Index nrows, gbl_Index ncols, gbl_Index nvals, const char *path);

/* -- mcl_matrix.c: a matrix in the form of mcl; vertices are called by their numbers from 0 */
gbl_Info cli_mcl_read(gbl_Matrix *A, gbl_Labels *labels, gbl_Type type, const char *path,
                      const char *bytes); /* of the file, ending in a 0; NULL: to be read */
gbl_Info cli_mcl_write(gbl_Matrix A, const char *path);
/* The names that a file has for the numbers in labels, which stay where it has none. */
gbl_Info cli_tab_read(gbl_Labels *labels, const char *path);
gbl_Info cli_tab_write(const gbl_Labels *labels, gbl_Index n, const char *path);

/* -- files.c: kinds of files */
typedef enum {
    CLI_UNKNOWN,
    CLI_MATRIX_MARKET,
    CLI_GBL,
    CLI_BINSPARSE,
    CLI_EDGES,
    CLI_MCL,
    CLI_RUTHERFORD,
    CLI_METIS,
    CLI_NPZ
} cli_Kind;
/* By the end of the name, before .gz, .zst or .bz2. */
cli_Kind cli_kind_of(const char *path);
bool cli_ends_in(const char *path, const char *suffix); /* before these */
extern const char *const cli_suffixes;                  /* that are known */
gbl_Info cli_read_file(gbl_Matrix *A, gbl_Type type, const char *path, cli_Reading *reading);
/* format: that of a binsparse file, NULL: the one that suits the matrix. Labels may be NULL. */
gbl_Info cli_save(gbl_Matrix A, const char *path, const char *format, const gbl_Labels *labels);
/* Lines of edges, with weights unless there is one value, and the gap between columns. */
gbl_Info cli_write_edges(gbl_Matrix A, const char *path, char gap, const gbl_Labels *labels);

/* -- tuples.c: the entries of a matrix, for those that write files; freed also after a failure */
typedef struct {
    gbl_Index nrows, ncols, n;
    bool values, whole; /* the matrix has values other than true; they are whole numbers */
    gbl_Index *I, *J;   /* [n] by row, then column */
    double *x;          /* [n] */
    int64_t *whole_x;   /* [n] where whole */
    uint64_t *large;    /* [n] of UINT64, whose x are rounded; else NULL */
} cli_Tuples;
gbl_Info cli_tuples_read(cli_Tuples *tuples, gbl_Matrix A);
void cli_tuples_free(cli_Tuples *tuples);
void cli_tuples_print(FILE *file, const cli_Tuples *tuples, gbl_Index k); /* the value */

/* -- graph.c */
gbl_Info cli_load_square(gbl_Matrix *A, gbl_Index *n, gbl_Type type, cli_Common *common);
/* Weights, of FP64, that are negative, NaN or infinite in sum are errors. */
gbl_Info cli_check_weights(gbl_Matrix A, const cli_Common *common);
/* The vertex that an option names, by its label or its number from 1. */
gbl_Info cli_find_vertex(gbl_Index *vertex, const char *option, const char *text, gbl_Index n,
                         const cli_Common *common);
/* What the vertex is called; room: as of gbl_label. */
const char *cli_vertex(const cli_Common *common, gbl_Index vertex, char *room);
void cli_report_vertex(cli_Report *report, const char *name, const cli_Common *common,
                       gbl_Index vertex);
/* *degree is a new INT64 vector: the entries of each row, or column, that has any. */
gbl_Info cli_degrees(gbl_Vector *degree, gbl_Matrix A, bool of_columns);
gbl_Info cli_is_symmetric(bool *symmetric, gbl_Matrix A); /* by its pattern; A is square */
gbl_Info cli_symmetrize(gbl_Matrix A);                    /* edges both ways; BOOL */
/* The operand as a BOOL matrix with a symmetric pattern; a directed graph is refused, or with
 * --undirected its edges are taken in both directions. */
gbl_Info cli_load_undirected(gbl_Matrix *A, gbl_Index *n, cli_Common *common);

/* The entries of a vector of vertices; freed also after a failure. */
typedef struct {
    gbl_Index n, *vertex; /* [n] from 0 */
    double *x;            /* [n] */
} cli_Values;
gbl_Info cli_values_read(cli_Values *values, gbl_Vector v);
void cli_values_free(cli_Values *values);
/* Lines "vertex value"; values that are vertices are written as such. */
gbl_Info cli_values_write(const cli_Values *values, bool vertices, const cli_Common *common);
gbl_Index cli_values_largest(const cli_Values *values); /* the number of the first largest; n > 0 */

/* -- huge.c: few of very many rows and columns have entries */
bool cli_is_huge(gbl_Index dimension, gbl_Index nvals);
/* Rows and columns of the n entries of A, of any type, to be freed also after a failure. */
gbl_Info cli_entries_of(gbl_Index **I, gbl_Index **J, gbl_Index *n, gbl_Matrix A);
gbl_Info cli_huge_degrees(gbl_Vector degree, gbl_Matrix A, bool of_columns);
/* Leaves the vertices of a huge graph that have edges, which keep their numbers as labels. */
gbl_Info cli_compact(gbl_Matrix *A, gbl_Index *n, cli_Common *common);
gbl_Info cli_expand(gbl_Matrix *A, cli_Common *common); /* the reverse */

/* -- clustering.c: who is in which cluster, as a file says; freed also after a failure */
typedef struct {
    const char *name;
    gbl_Index cluster;
} cli_Member;
typedef struct {
    char *text;         /* that names lie in */
    cli_Member *member; /* [n] by name, each once */
    gbl_Index n, room, clusters;
} cli_Clustering;
/* pairs: lines of a member and its cluster, else a line for each cluster, or a matrix of mcl. */
gbl_Info cli_clustering_read(cli_Clustering *c, const char *path, bool pairs);
void cli_clustering_free(cli_Clustering *c);

/* -- report.c: facts in the order they are added, as lines "name  value" or as one JSON object */
gbl_Info cli_report_new(cli_Report **report, bool json);
void cli_report_count(cli_Report *report, const char *name, uint64_t value);
void cli_report_number(cli_Report *report, const char *name, double value);
void cli_report_text(cli_Report *report, const char *name, const char *value);
void cli_report_flag(cli_Report *report, const char *name, bool value);
void cli_report_counts(cli_Report *report, const char *name, const uint64_t *values, size_t n);
/* How a product was computed, in the library's own words. */
gbl_Info cli_report_explanation(cli_Report *report, const gbl_Explanation *how);
/* Fails if any fact was lost. */
gbl_Info cli_report_print(const cli_Report *report, FILE *file);
void cli_report_free(cli_Report **report);

/* -- slices.c: products that are written as they are computed */
enum { CLI_OPERANDS = 3 };
typedef struct {
    gbl_Semiring ring;
    gbl_Matrix A, B;
    const char *names[CLI_OPERANDS]; /* of operands; NULL: none */
    const char *output;
    uint64_t key; /* which product it is */
    gbl_FileProduct how;
    struct stat facts[CLI_OPERANDS]; /* of operands that are files, when they were opened */
    const char *changed;             /* an operand that is not what it was */
    char note[96];
} cli_Slices;
uint64_t cli_mix_text(uint64_t key, const char *text); /* NULL: no text */
bool cli_takes_slices(const char *path);               /* NULL: no */
void cli_slices_begin(cli_Slices *slices);             /* before operands are opened */
gbl_Info cli_write_slices(cli_Report *report, cli_Slices *slices);
/* Folds rows or columns, and writes the vector where there is an output. */
gbl_Info cli_fold_slices(cli_Report *report, cli_Slices *slices, bool columns, const char *monoid);

/* -- progress.c: a bar on stderr when that is a terminal and the work lasts more than 0.5 s */
void cli_progress_start(void);
/* The part done of what the command itself counts, in place of what the library reports. */
void cli_progress_part(const char *what, double done);
/* Of a file, line or entry k of n comes now; nothing where it goes to stdout, "-". */
void cli_progress_written(const char *path, uint64_t k, uint64_t n);
void cli_progress_note(const char *note); /* shown with the bar, kept by pointer; NULL: none */
/* What the calls that follow do, kept by pointer; NULL: nobody says. */
void cli_progress_call(const char *name);
/* Of operations inside operations one is shown: parts of the others say nothing of the whole. */
void cli_progress_only(const char *what);
void cli_progress_stop(void);

/* -- names.c */
typedef struct {
    gbl_Semiring ring;
    gbl_Type type;    /* of the product */
    const char *name; /* without a type */
    bool usual;       /* the type is FP64 since the name has none */
} cli_Ring;
/* What the name in text means; else bad usage that lists the names. */
cli_Ring cli_parse_ring(struct argp_state *state, const char *text);
gbl_Desc_Value cli_parse_method(struct argp_state *state, const char *text);
gbl_Desc_Value cli_parse_workflow(struct argp_state *state, const char *text);
gbl_Desc_Value cli_parse_variant(struct argp_state *state, const char *text);  /* of VECTOR */
gbl_Desc_Value cli_parse_rounding(struct argp_state *state, const char *text); /* of factors */
cli_Ring cli_default_ring(void);                                               /* plus_times */
void cli_ring_typed(cli_Ring *ring, const char *type_name); /* stays where there is no such type */
/* Lines "value NAME VALUE" of table.c, where these functions read the argument of this option. */
void cli_print_values(const char *option);

/* -- integers.c */
/* The type of values of operands that suits the ring; NULL: their own. */
gbl_Type cli_ring_operand(const cli_Ring *ring);
/* Products of n operands: their own type where all are integers, or one is complex. */
gbl_Info cli_ring_choose(cli_Ring *ring, const gbl_Matrix *operands, int n);
/* Whether entries of the product are certain to fit into 64 bits, where they are integers. Bit k
 * of transposed: of operand k. */
gbl_Info cli_ring_bound(bool *fits, const cli_Ring *ring, const gbl_Matrix *operands, int n,
                        unsigned transposed);
/* Where they are not: an error, or a note if the type was asked for. */
gbl_Info cli_ring_told(const cli_Ring *ring);
/* An error where C is not what the same product of floats is. */
gbl_Info cli_ring_compare(gbl_Matrix C, gbl_Matrix floats, const cli_Ring *ring);
