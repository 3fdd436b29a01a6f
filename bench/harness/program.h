/* SPDX-License-Identifier: Apache-2.0
 *
 * What the programs of bench/ share beside timing and options: suites of inputs, failures,
 * and the facts about a run that every document states.
 */
#pragma once

#include <cjson/cJSON.h>
#include "gblite_io.h"
#include "harness/timing.h"
#include "harness/options.h"

/* True when a call failed, after printing what and why. */
bool bench_failed(gbl_Info info, const char *what);

/* Calls visit for the lines "[KEYWORD] INPUT [held-out]" of the suite; # starts a comment, a
 * keyword left out is "". ?FILE is a file of the folder --data and passed as its path; lines whose
 * file is missing are left out, and their number is printed. 0, or -1 after saying why. */
typedef struct {
    const char *keyword, *operand;
    bool held_out; /* nothing may be fitted to this input */
} bench_line;
typedef void (*bench_visit)(void *context, const bench_line *line);
int bench_read_suite(const bench_options *options, bench_visit visit, void *context);
/* The inputs of the command line, whose keyword is "", or the lines of the suite without any. */
int bench_read_inputs(const bench_options *options, bench_visit visit, void *context);

/* An operand for people: without folder and .mtx. */
void bench_operand_name(char *name, size_t size, const char *operand);

/* A without direction and self loops. Fails unless it is square. */
gbl_Info bench_make_undirected(gbl_Matrix A);

/* A library that is loaded when the program runs, and its functions; the last one has no name. NULL
 * when all are there, else why not. */
typedef struct {
    const char *name;
    void *to; /* address of a pointer to a function */
} bench_function;
const char *bench_load_library(const char *path, const bench_function *functions);

/* Freed memory is kept, and gblite ready with so many threads; 0, or -1 after saying why. */
int bench_start(int threads);
/* Adds machine, threads, version and rounds. */
void bench_describe(cJSON *document, int threads, int rounds);
/* 0, or -1 when it cannot be printed. */
int bench_print(const cJSON *document);
/* Writes a file that is whole at any time; 0, or -1 after saying why. */
int bench_write(const cJSON *document, const char *path);
/* Instead of what the object has by that name. */
void bench_set_number(cJSON *object, const char *name, double number);

/* Fresh pages cost more than the arithmetic of many products, most of all on virtual machines.
 * gblite keeps freed blocks; malloc is told to keep them too, so that other libraries do not pay
 * for new pages in every round. */
void bench_keep_freed_memory(void);
