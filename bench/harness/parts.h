/* SPDX-License-Identifier: Apache-2.0
 *
 * Programs that measure in parts: options, the suite, the document.
 */
#ifndef HARNESS_PARTS_H
#define HARNESS_PARTS_H

#include "harness/program.h"

/* A part makes one JSON object of an input: 0, or -1 after saying why. */
typedef struct {
    const char *name;
    const char *keyword; /* of the lines of the suite that it runs on */
    int (*measure)(cJSON *object, const char *operand, const bench_setup *setup);
    gbl_Info (*start)(void); /* of the library; NULL: with freed memory kept */
} bench_part;

typedef struct {
    const char *about, *suite;
    const bench_part *parts;
    int count;
    int (*start_peer)(int threads); /* 0, or -1 after saying why */
    void (*stop_peer)(void);
} bench_program;

/* main() of a program that measures the chosen parts and prints one document with a member for
 * each. Exit status 0 when every part of every input was measured and every result was right, 1
 * when one was not, 64 for a wrong command line. */
int bench_measure_parts(int argc, char **argv, const bench_program *program);

#endif
