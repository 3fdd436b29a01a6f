/* SPDX-License-Identifier: Apache-2.0
 *
 * The command line of the programs and jobs of bench/: the options that most of them have, and
 * those of one alone beside them. A wrong command line ends the program with status 64.
 */
#pragma once

#include <argp.h>
#include <stdbool.h>

enum { BENCH_MOST_INPUTS = 64, BENCH_MOST_ONLY = 32, BENCH_MOST_NUMBER = 10000 };

/* What is taken beside --repeats, --suite where there is one, and its own options. */
enum { BENCH_THREADS = 1, BENCH_DATA = 2, BENCH_INPUTS = 4, BENCH_ONLY = 8, BENCH_JSON = 16 };

/* An option of one program or job alone. take: one of those below, which write to `to`, or its own
 * function; it ends the program when something is wrong with the text. */
typedef struct bench_option bench_option;
struct bench_option {
    const char *name;
    int letter;           /* or 0 */
    const char *argument; /* for --help; NULL: it has none */
    const char *help;     /* NULL: it is not shown */
    void (*take)(const bench_option *option, const char *text, struct argp_state *state);
    void *to;
    int most;   /* of a number; how many of a list */
    int *count; /* of a list */
};
void bench_take_flag(const bench_option *option, const char *text, struct argp_state *state);
void bench_take_text(const bench_option *option, const char *text, struct argp_state *state);
/* From 1 to BENCH_MOST_NUMBER, or to `most` unless that is 0. */
void bench_take_number(const bench_option *option, const char *text, struct argp_state *state);
/* Appends to a list of numbers. */
void bench_take_numbers(const bench_option *option, const char *text, struct argp_state *state);
/* Where the next one of a list goes to; ends the program when there are too many. */
int bench_take_next(const bench_option *option, const struct argp_state *state);
/* Ends the program, after `what`, when the name is none of these. */
void bench_check_name(const char *what, const char *name, const char *const *names,
                      const struct argp_state *state);

typedef struct {
    const char *about;        /* for --help */
    const char *lines;        /* what a line of the suite is; NULL: there is no suite */
    unsigned takes;           /* of those above */
    const bench_option *own;  /* the last one has no name; NULL: none */
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

/* Whether --only names it or its first words, or nothing. */
bool bench_is_chosen(const bench_options *options, const char *name);

void bench_parse(int argc, char **argv, const bench_command *command, bench_options *options);
