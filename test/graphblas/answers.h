/* SPDX-License-Identifier: Apache-2.0
 *
 * answers.c as compiled for each library: writes at most `length` answers, returns how many there
 * are.
 */
#pragma once

#include <stddef.h>

size_t answers_of_gblite(double *out, size_t length);
size_t answers_of_suitesparse(double *out, size_t length);
