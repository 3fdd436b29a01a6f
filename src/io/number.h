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

/* Print without a terminating zero and return the length, at most GB_NUMBER_MAX. */
size_t gb_number_print_fp64(char *out, double value);
size_t gb_number_print_fp32(char *out, float value);
size_t gb_number_print_uint(char *out, uint64_t value);
size_t gb_number_print_int(char *out, int64_t value);

/* Shared by number.c and number.c. */

/* 10^q lies in [t, t + 1) * 2^exponent with t = hi * 2^64 + lo, the top bit of hi set. */
typedef struct {
    uint64_t hi, lo;
    int exponent;
} gb_Power;

enum { GB_POWER_MIN = -326, GB_POWER_MAX = 341 };
const gb_Power *gb_number_power(int q); /* q in GB_POWER_MIN..GB_POWER_MAX */

/* The upper 128 bits of w * t(q): the product lies in [top, top + 2) * 2^64. */
unsigned __int128 gb_number_times(uint64_t w, const gb_Power *power);

/* w * 10^q correctly rounded; false when the fast way cannot tell and strtod has to. */
bool gb_number_from_decimal(uint64_t w, int64_t q, double *value);

#endif
