/* SPDX-License-Identifier: Apache-2.0
 *
 * The command line of the programs and jobs of bench/: the options that most of them have, and
 * those of one alone beside them. A wrong command line ends the program with status 64.
 */
#ifndef HARNESS_OPTIONS_H
#define HARNESS_OPTIONS_H

#include <argp.h>
#include <stdbool.h>

enum { BENCH_MOST_INPUTS = 64, BENCH_MOST_ONLY = 32, BENCH_MOST_NUMBER = 10000 };

/* What is taken beside --repeats, --suite where there is one, and its own options. */
enum { BENCH_THREADS = 1, BENCH_DATA = 2, BENCH_INPUTS = 4, BENCH_ONLY = 8, BENCH_JSON = 16 };

typedef struct {
    const char *about; /* for --help */
    const char *lines; /* what a line of the suite is; NULL: there is no suite */
    unsigned takes;    /* of those above */
    struct argp own;   /* options and parser of this one alone; the parser may change defaults */
    const char *const *names; /* that --only may give; NULL: any */
} bench_command;

typedef struct {
    int rounds;        /* in: the default */
    const char *suite; /* in: the default */
    int threads;       /* all processors unless given */
    const char *data;  /* folder of the suite's files; NULL unless given */
    const char *inputs[BENCH_MOST_INPUTS];
    int input_count;
    const char *only[BENCH_MOST_ONLY];
    int only_count;
    bool json;    /* instead of a table */
    char **words; /* the whole command line */
} bench_options;

/* own: the input of the program's parser. */
void bench_parse(int argc, char **argv, const bench_command *command, bench_options *options,
                 void *own);

/* A number from 1 to BENCH_MOST_NUMBER; else the program ends with what is wrong. */
int bench_positive(const char *text, const char *what, struct argp_state *state);

#endif
