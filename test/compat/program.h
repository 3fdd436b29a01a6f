/* SPDX-License-Identifier: Apache-2.0
 *
 * What the parts of compat_program share: calls by name, and memory that is counted.
 */
#pragma once

#include <dlfcn.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

extern int failures, major; /* of the library */
extern size_t blocks;       /* that the library or the program has */
void *look_up(const char *name);
void *counted_malloc(size_t size);
void counted_free(void *block);

/* A function of that name, and the value of a predefined object. */
#define CALL(name) ((int (*)())look_up(#name))
#define OBJECT(name) (*(void **)look_up(#name))

#define CHECK(condition)                                                                           \
    do {                                                                                           \
        if (!(condition)) {                                                                        \
            fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, #condition);                        \
            __atomic_add_fetch(&failures, 1, __ATOMIC_RELAXED);                                    \
        }                                                                                          \
    } while (0)

void *new_matrix(void); /* 3 x 3: (0,0) = 1, (0,1) = 2, (1,2) = 3, (2,0) = 4 */
double element(void *A, uint64_t i, uint64_t j);
void check_same(void *A, void *B);

void check_arrays(void); /* arrays.c */
