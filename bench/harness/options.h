/* SPDX-License-Identifier: Apache-2.0
 *
 * The command line of the programs of bench/: the options that most of them have, and those of
 * one program beside them. A wrong command line ends the program with status 64.
 */
#ifndef HARNESS_OPTIONS_H
#define HARNESS_OPTIONS_H

#include <argp.h>

enum { BENCH_MOST_INPUTS = 64, BENCH_MOST_NUMBER = 10000 };

/* What a program takes beside --repeats, --suite where it has one, and its own options. */
enum { BENCH_THREADS = 1, BENCH_DATA = 2, BENCH_INPUTS = 4 };

typedef struct {
    const char *about; /* for --help */
    const char *lines; /* what a line of the suite is; NULL: there is no suite */
    unsigned takes;    /* of the three above */
    struct argp own; /* options and parser of this program alone; the parser may change defaults */
} bench_command;

typedef struct {
    int rounds;        /* in: the default */
    const char *suite; /* in: the default */
    int threads;       /* all processors unless given */
    const char *data;  /* folder of the suite's files; NULL unless given */
    const char *inputs[BENCH_MOST_INPUTS];
    int input_count;
} bench_options;

/* own: the input of the program's parser. */
void bench_parse(int argc, char **argv, const bench_command *command, bench_options *options,
                 void *own);

/* A number from 1 to BENCH_MOST_NUMBER; else the program ends with what is wrong. */
int bench_positive(const char *text, const char *what, struct argp_state *state);

#endif
