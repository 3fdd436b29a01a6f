/* SPDX-License-Identifier: Apache-2.0
 *
 * Numbers as text: fast reading and printing of floating point numbers, both exact.
 *
 * Reading rounds correctly (to nearest, ties to even). Printing gives the shortest of 15, 16 and 17
 * digits (FP32: 6 to 9) that reads back as the same number; subnormal doubles always get 17. Whole
 * numbers below 2^53 are printed as such. Neither looks at the locale.
 */
#ifndef GB_IO_NUMBER_H
#define GB_IO_NUMBER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "gblite.h"

/* Longest text that the print functions make, for any number. */
enum { GB_NUMBER_MAX = 32 };

/* Fills the tables; to be called before the other functions, by any thread, any number of times. */
gbl_Info gb_number_init(void);

/* Reads a number at *p: digits with an optional sign, point and exponent, or inf, infinity, nan in
 * any case. Moves *p behind it. The text must end in a byte that no number contains. */
bool gb_number_read(const char **p, double *value);

/* Reads a word that has an exponent of Fortran from `letter` on: 1.5D+3, 1.5+3, 1.5Q3. */
bool gb_number_read_fortran(const char *begin, const char *letter, const char *end, double *value);

/* Print without a terminating zero and return the length, at most GB_NUMBER_MAX. */
size_t gb_number_print_fp64(char *out, double value);
size_t gb_number_print_fp32(char *out, float value);
size_t gb_number_print_uint(char *out, uint64_t value);
size_t gb_number_print_int(char *out, int64_t value);

#endif
