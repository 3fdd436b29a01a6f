/* SPDX-License-Identifier: Apache-2.0
 *
 * An allocator that counts the bytes asked for, to be given to the libraries that are measured.
 * Blocks may be passed on to free(), which it does not see, so only the difference of two numbers
 * taken around one product says something. Thread safe.
 */
#pragma once

#include <stddef.h>

void *counted_malloc(size_t size);
void *counted_calloc(size_t count, size_t size);
void *counted_realloc(void *block, size_t size);
void counted_free(void *block);

/* Starts to look for a peak. */
void counted_begin(void);
/* The most bytes held since, beyond those held at that time. */
double counted_peak(void);

/* What is still held of what was asked for since; negative when more was freed. */
double counted_held(void);
