/* SPDX-License-Identifier: Apache-2.0
 *
 * Output files that appear whole or not at all: written under another name in the same folder, then
 * renamed. Pipes and devices are written to directly.
 */
#ifndef GB_IO_OUTPUT_H
#define GB_IO_OUTPUT_H

#include "io.h"

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
void gb_output_discard(gb_Output *output);

/* A block of bytes: bytes[size] in use, bytes[capacity] allocated. */
typedef struct {
    char *bytes;
    size_t size, capacity;
} gb_Block;

/* Compresses in to a gzip member in out, whose capacity grows as needed. */
bool gb_output_compress(gb_Block *out, const gb_Block *in);

#endif
