/* SPDX-License-Identifier: Apache-2.0
 *
 * The bytes of a file, a pipe or a block of memory, from front to back; and output files that
 * appear whole or not at all: written under another name in the same folder, then renamed. Pipes
 * and devices are written to directly.
 */
#pragma once

#include "io.h"

typedef struct {
    const char *name; /* for error texts */
    int file;         /* -1: none; a regular file is read by several threads at once */
    bool regular;
    const char *bytes; /* of memory */
    uint64_t size;     /* of memory or of a regular file when it was opened */
    uint64_t at;       /* bytes read so far */
} gb_Input;

/* The part that has been read, above 0; 1 also for a pipe, of which it is not known. */
double gb_input_part(const gb_Input *input);

/* -- compressed input: the text in one or more members of gzip one after the other, as gzip and
 * parallel compressors write them */

typedef struct gb_Inflater gb_Inflater;

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
