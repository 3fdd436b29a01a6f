/* SPDX-License-Identifier: Apache-2.0
 *
 * Tables in text files: a key and a value per line, # begins a comment. Numbers have a point
 * whatever the program's language is.
 */
#ifndef GB_MXM_TEXT_TABLE_H
#define GB_MXM_TEXT_TABLE_H

#include <stdbool.h>
#include <stdio.h>

#include "gblite.h"

enum { GB_TABLE_WHY = 160 };

typedef struct {
    char *why; /* [GB_TABLE_WHY] */
    int line;
} gb_TextReader;

/* Says in `why` what is wrong; false, for a reader to return. */
bool gb_text_refuse(gb_TextReader *r, const char *what, const char *value);
/* *x = a number of [least, most]. */
bool gb_text_number(gb_TextReader *r, const char *value, const double limits[2], double *x);

/* Calls take(to, r, name, value) for every line. GBL_NO_VALUE: there is no such file. Else a
 * failure says in `why` what is wrong. */
typedef bool (*gb_TextTake)(void *to, gb_TextReader *r, const char *name, const char *value);
gbl_Info gb_text_read(const char *path, char why[GB_TABLE_WHY], gb_TextTake take, void *to);
/* Makes the folder, if it is missing, and replaces the file as a whole. */
gbl_Info gb_text_write(const char *path, void (*print)(FILE *file, const void *what),
                       const void *what);

#endif
