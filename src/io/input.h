/* SPDX-License-Identifier: Apache-2.0
 *
 * The bytes of a file, a pipe or a block of memory, from front to back.
 */
#ifndef GB_IO_INPUT_H
#define GB_IO_INPUT_H

#include "io.h"

typedef struct {
    const char *name; /* for error texts */
    int file;         /* -1: none; a regular file is read by several threads at once */
    bool regular;
    const char *bytes; /* of memory */
    uint64_t size;     /* of memory or of a regular file when it was opened */
    uint64_t at;       /* bytes read so far */
} gb_Input;

gbl_Info gb_input_open(gb_Input *input, const char *path);
void gb_input_open_memory(gb_Input *input, const char *bytes, size_t size, const char *name);
void gb_input_close(gb_Input *input);

/* Reads `size` bytes, fewer only at the end; *got says how many. */
gbl_Info gb_input_read(gb_Input *input, char *out, size_t size, size_t *got);

/* The part that has been read, above 0; 1 also for a pipe, of which it is not known. */
double gb_input_part(const gb_Input *input);

/* Starts again at the front; false for a pipe, which cannot. */
bool gb_input_rewind(gb_Input *input);

/* -- compressed input ----------------------------------------------------------------------- */

/* The text in an input compressed by gzip: one or more members one after the other, as gzip and
 * parallel compressors write them.
 */

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
