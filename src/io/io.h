/* SPDX-License-Identifier: Apache-2.0
 *
 * What the files of gblite_io share: threads, memory, types, and texts in memory.
 *
 * Errors are reported once, where they are found, through gbl_fail; callers pass the code on.
 * Results never depend on the number of threads: work is cut into pieces by its size only, or every
 * piece writes to places that are known beforehand.
 */
#ifndef GB_IO_IO_H
#define GB_IO_IO_H

#include "gblite.h"

/* Threads that one call may use, at least 1. */
int gb_io_threads(void);

/* Checks `bytes` against GBL_MEMORY_LIMIT; to be called before memory in proportion to a file or a
 * specification is allocated. `what` names the use in the error text. */
gbl_Info gb_io_claim(uint64_t bytes, const char *what);

/* malloc of count * size bytes, at least one; NULL when there is no such memory. */
void *gb_io_alloc(uint64_t count, size_t size);
void *gb_io_alloc_zero(uint64_t count, size_t size);
gbl_Info gb_io_no_memory(const char *what);

/* A built-in type with what the loops need of it. */
typedef struct {
    gbl_Type type;
    gbl_Type_Code code;
    size_t size; /* bytes of a value: 1, 2, 4 or 8 */
} gb_Kind;

/* Fills kind from the type; an error for a user-defined type. */
gbl_Info gb_io_kind(gb_Kind *kind, gbl_Type type);

typedef struct {
    bool negative;
    uint64_t magnitude;
} gb_Integer;

/* x[k] = value, cast as gblite_io.h says. */
void gb_io_store_real(void *x, uint64_t k, gbl_Type_Code code, double value);
void gb_io_store_integer(void *x, uint64_t k, gbl_Type_Code code, gb_Integer value);

/* Makes A from row arrays and frees them, whether it succeeds or not. */
gbl_Info gb_io_move_in(gbl_Matrix *A, const gb_Kind *kind, gbl_Index nrows, gbl_Index ncols,
                       gbl_Arrays *arrays);
void gb_io_free_arrays(gbl_Arrays *arrays);

/* A text in memory: bytes[size], the last of which is a line end that need not be in the file. */
typedef struct {
    const char *name; /* for error texts */
    char *bytes;
    size_t size;
} gb_Text;

/* Read or copy, and decompress what starts with the mark of gzip. On failure nothing is kept. */
gbl_Info gb_text_load(gb_Text *text, const char *path);
gbl_Info gb_text_copy(gb_Text *text, const char *bytes, size_t size);
void gb_text_free(gb_Text *text);

/* src/io/inflate.c: replaces a compressed text by what is in it. */
bool gb_text_is_compressed(const gb_Text *text);
gbl_Info gb_text_inflate(gb_Text *text);

#endif
