/* SPDX-License-Identifier: Apache-2.0
 *
 * What the files of gblite_io share: threads, memory, types and values.
 *
 * Errors are reported once, where they are found, through gbl_fail; callers pass the code on.
 * Results never depend on the number of threads: work is cut into pieces by its size only, or every
 * piece writes to places that are known beforehand.
 * All memory comes from the library's allocator, so that any array may move into a matrix.
 */
#pragma once

#include "gblite.h"

/* The largest dimension that files and generators can have: their lists have 32-bit indices. */
#define GB_IO_DIMENSION_MAX ((gbl_Index)UINT32_MAX)

/* Threads that one call may use, at least 1; gbl_parallel runs loops on them. */
int gb_io_threads(void);

/* Checks `bytes` against GBL_MEMORY_LIMIT; to be called before memory in proportion to a file or a
 * specification is allocated. `what` names the use in the error text. */
gbl_Info gb_io_claim(uint64_t bytes, const char *what);

double gb_io_seconds(void); /* of a clock that only goes on */

/* count * size bytes, at least one; NULL when there is no such memory. */
void *gb_io_alloc(uint64_t count, size_t size);
/* The block with a capacity of `to` elements instead of `from`, perhaps elsewhere; its contents
 * stay, as far as they fit. NULL leaves the block as it is. */
void *gb_io_resize(void *block, uint64_t from, uint64_t to, size_t size);
/* Elements [from, to) are not read again before they are written, or lie in a file: their pages go
 * back to the system. */
void gb_io_discard(void *block, uint64_t from, uint64_t to, size_t size);
/* A block in a temporary file without a name, in $TMPDIR or else /tmp, mapped: the system writes
 * its pages there when memory is wanted, and nothing is left of it however the process ends. Makes
 * the block, or makes it longer. The disk has space for it then, or this is GBL_IO_ERROR. */
gbl_Info gb_io_map(void *block, uint64_t count, size_t size);
void gb_io_unmap(void *block); /* NULL is fine */
gbl_Info gb_io_no_memory(const char *what);
gbl_Info gb_io_fail_errno(const char *path, const char *verb, int error);

bool gb_io_ends_with(const char *path, const char *end);

/* A built-in type with what the loops need of it. */
typedef struct {
    gbl_Type type;
    gbl_Type_Code code;
    size_t size; /* bytes of a value: 1, 2, 4, 8 or 16 */
} gb_Kind;

/* Fills kind from the type; an error for a user-defined type. */
gbl_Info gb_io_kind(gb_Kind *kind, gbl_Type type);

typedef struct {
    bool negative;
    uint64_t magnitude;
} gb_Integer;

/* x[k] = value, cast as gblite_io.h says. */
void gb_io_store_real(void *x, uint64_t k, gbl_Type_Code code, double value);
void gb_io_store_complex(void *x, uint64_t k, gbl_Type_Code code, double re, double im);
void gb_io_store_integer(void *x, uint64_t k, gbl_Type_Code code, gb_Integer value);

/* to[k] = from[l] for values of `size` bytes, those of built-in types; nothing when size is 0. */
static inline void gb_io_copy_value(void *to, uint64_t k, const void *from, uint64_t l,
                                    size_t size) {
#define GB_COPY(T) (void)(((T *)to)[k] = ((const T *)from)[l])
    if (size == 8) GB_COPY(uint64_t);
    if (size == 4) GB_COPY(uint32_t);
    if (size == 1) GB_COPY(uint8_t);
    if (size == 2) GB_COPY(uint16_t);
    if (size == 16) GB_COPY(gbl_FC64);
#undef GB_COPY
}

typedef struct {
    gbl_Index nrows, ncols;
} gb_Shape;

/* Makes A from arrays by rows or by columns, and frees them, whether it succeeds or not. */
gbl_Info gb_io_move_in(gbl_Matrix *A, const gb_Kind *kind, gb_Shape shape, gbl_Format format,
                       gbl_Arrays *arrays);
void gb_io_free_arrays(gbl_Arrays *arrays);
/* States that the new matrix is symmetric; frees it on failure. */
gbl_Info gb_io_set_symmetric(gbl_Matrix *A);
