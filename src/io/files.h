/* SPDX-License-Identifier: Apache-2.0
 *
 * The bytes of a file, a pipe or a block of memory, from front to back; and output files that
 * appear whole or not at all: written under another name in the same folder, then renamed. Pipes
 * and devices are written to directly.
 */
#ifndef GB_IO_FILES_H
#define GB_IO_FILES_H

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

/* -- compressed input: the text in one or more members of gzip one after the other, as gzip and
 * parallel compressors write them */

typedef struct gb_Inflater gb_Inflater;

/* Whether the first bytes of an input have the mark of gzip. */
bool gb_is_compressed(const char *bytes, size_t size);

enum { GB_INFLATER_FIRST = 1 << 16 };

/* first[size], at most GB_INFLATER_FIRST bytes, are what has already been read of the input. */
gbl_Info gb_inflater_new(gb_Inflater **inflater, gb_Input *input, const char *first, size_t size);
void gb_inflater_free(gb_Inflater *inflater); /* NULL is fine */

/* Like gb_input_read. Check sums and lengths are verified. */
gbl_Info gb_inflater_read(gb_Inflater *inflater, char *out, size_t size, size_t *got);

/* -- output */

typedef struct {
    const char *path; /* as the caller gave it, for error texts */
    char *target;     /* the path with symbolic links followed */
    char *temporary;  /* NULL when writing directly */
    int file;
} gb_Output;

gbl_Info gb_output_open(gb_Output *output, const char *path);
gbl_Info gb_output_write(gb_Output *output, const char *bytes, size_t size);
/* At a place of a file, or, where that is negative, behind what was written last. */
gbl_Info gb_output_write_at(gb_Output *output, const void *bytes, size_t size, int64_t at);

/* Ends the output and gives it its name; on failure it is discarded. */
gbl_Info gb_output_commit(gb_Output *output);
gbl_Info gb_output_end(gb_Output *output, gbl_Info info); /* so, or discards it after a failure */
void gb_output_discard(gb_Output *output);
void gb_output_leave(gb_Output *output); /* under the name that it has */

/* Writes the .gbl file of a matrix by rows or columns whose arrays are blocks of gb_io_map. */
gbl_Info gb_file_arrays(const char *path, const gb_Kind *kind, gb_Shape shape, gbl_Format format,
                        const gbl_Arrays *arrays);

/* A block of bytes: bytes[size] in use, bytes[capacity] allocated. */
typedef struct {
    char *bytes;
    size_t size, capacity;
} gb_Block;

/* Compresses in to a gzip member in out, whose capacity grows as needed. */
bool gb_output_compress(gb_Block *out, const gb_Block *in);

#endif
