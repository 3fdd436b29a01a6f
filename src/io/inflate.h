/* SPDX-License-Identifier: Apache-2.0
 *
 * The text in an input compressed by gzip: one or more members one after the other, as gzip and
 * parallel compressors write them.
 */
#ifndef GB_IO_INFLATE_H
#define GB_IO_INFLATE_H

#include "input.h"

typedef struct gb_Inflater gb_Inflater;

/* Whether the first bytes of an input have the mark of gzip. */
bool gb_is_compressed(const char *bytes, size_t size);

enum { GB_INFLATER_FIRST = 1 << 16 };

/* first[size], at most GB_INFLATER_FIRST bytes, are what has already been read of the input. */
gbl_Info gb_inflater_new(gb_Inflater **inflater, gb_Input *input, const char *first, size_t size);
void gb_inflater_free(gb_Inflater *inflater); /* NULL is fine */

/* Like gb_input_read. Check sums and lengths are verified. */
gbl_Info gb_inflater_read(gb_Inflater *inflater, char *out, size_t size, size_t *got);

#endif
