/* SPDX-License-Identifier: Apache-2.0
 *
 * Forms of files that the program reads and writes, and the library does not: Rutherford-Boeing and
 * Harwell-Boeing, graphs of METIS (which the library reads), sparse matrices of scipy (.npz), and
 * text compressed by zstd or bzip2. Readers get the bytes of a file, with a 0 behind, and its name;
 * everything in them may be wrong.
 */
#pragma once

#include "cli.h"

/* -- entries.c: the entries of a matrix, as they are read */
typedef union {
    double real;
    int64_t whole;
} format_Value;
typedef struct {
    gbl_Index nrows, ncols, n, room;
    gbl_Index *I, *J; /* [n] from 0 */
    format_Value *x;  /* [n], complex [2 n]; not of a pattern */
    enum { FORMAT_PATTERN, FORMAT_WHOLE, FORMAT_REAL, FORMAT_COMPLEX } field;
} format_Entries;
/* Makes room for one more entry; x is its value, or both parts of it. */
gbl_Info format_add(format_Entries *e, gbl_Index i, gbl_Index j, const format_Value *x);
/* Fails where the sum of real entries given for one place is below low, or high or above. A was
 * made of them. */
gbl_Info format_check_sums(gbl_Matrix A, const format_Entries *e, double low, double high,
                           const char *path);
/* type NULL: that of the field. Entries given twice are added. */
gbl_Info format_build(gbl_Matrix *A, gbl_Type type, const format_Entries *e, const char *path);
void format_free(format_Entries *e);

gbl_Info format_read_rutherford(gbl_Matrix *A, gbl_Type type, const char *bytes, const char *path);
gbl_Info format_write_rutherford(gbl_Matrix A, const char *path);
gbl_Info format_write_metis(gbl_Matrix A, const char *path);
gbl_Info format_read_npz(gbl_Matrix *A, gbl_Type type, const char *bytes, size_t size,
                         const char *path);
gbl_Info format_write_npz(gbl_Matrix A, const char *path);

/* -- compressed.c */
/* The length of the name before .gz, .zst or .bz2. */
size_t format_stem(const char *path);
/* What zstd or bzip2 has compressed into a file, or, unless NULL, into packed[packed_size],
 * decompressed, or as UTF-8 what is UTF-16 there, in a new block with a 0 behind; *bytes NULL: it
 * is neither. */
gbl_Info format_decompress(char **bytes, size_t *size, const char *path, const char *packed,
                           size_t packed_size);
/* Compresses what is written to the path of *pipe into `path`, as its name says. */
typedef struct format_Pipe format_Pipe;
gbl_Info format_pipe_open(format_Pipe **pipe, const char *path);
const char *format_pipe_path(const format_Pipe *pipe);
/* Waits for the end; info is how the writing went: after a failure the file goes. */
gbl_Info format_pipe_close(format_Pipe **pipe, gbl_Info info);
