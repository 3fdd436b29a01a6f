/* SPDX-License-Identifier: Apache-2.0
 *
 * gblite: sparse linear algebra over semirings, after the GraphBLAS C API 2.1.
 *
 * Names follow the standard one to one: GrB_X is gbl_X for functions and types, GBL_X for constants
 * and predefined objects. What the standard lacks is marked "gblite addition"; what of the standard
 * is missing stands in README.md. This header includes all of the following but the last:
 *
 *   tier 1, objects     gblite_types.h       codes, enums, handles, lists of types
 *                       gblite_builtin.h     predefined types, operators, monoids, semirings
 *                       gblite_objects.h     make, fill, read, import, export, free
 *   tier 2, operations  gblite_operations.h  C<M> accum= f(A, B)
 *                       gblite_extended.h    unions, parts, grids, shapes, order
 *                       gblite_chain.h       products of many factors
 *   tier 3, utilities   gblite_context.h     init, settings, progress, errors
 *                       gblite_fields.h      get and set: names, types, hints
 *                       gblite_memory.h      the allocator in use
 *                       gblite_explain.h     how a product was or would be computed
 *                       gblite_tuning.h      descriptor fields that only tune
 *                       gblite_generic.h     names without a type suffix, for C11
 *   a library apart     gblite_io.h          files and generators
 *
 * Programs written for the standard include graphblas/GraphBLAS.h, which has all of it under the
 * standard's names.
 *
 * docs/api.md has every function on one line. It is made of these headers: the comment on a
 * function begins with its name, a colon and one sentence. There and in the texts K stands for
 * Matrix or Vector, O for a kind of object, and T for the name of a type: BOOL, INT8 ... FC64, or
 * UDT for user-defined types, whose values are passed by address.
 *
 * COMMON RULES. They hold for every function unless its text says otherwise.
 *
 * Result. A gbl_Info: GBL_SUCCESS is 0, GBL_NO_VALUE is 1, errors are negative. After an error all
 * arguments are as they were, nothing is leaked, and gbl_last_error() says what was wrong and what
 * would be right. A handle that a call should have made is then NULL, or as it was if an argument
 * before it was wrong.
 *
 * Errors. Only those beyond the following are listed with a function:
 *   GBL_PANIC                 gbl_init was not called; free, error, and what only looks at types,
 *                             operators and descriptors may not notice
 *   GBL_NULL_POINTER          a handle or pointer is NULL that may not be
 *   GBL_UNINITIALIZED_OBJECT  a handle was freed, never made, or is another kind of object
 *   GBL_INVALID_OBJECT        in a child of fork(): another thread was changing the object then
 *   GBL_CANCELLED             GBL_DEADLINE has passed, or the progress callback said so
 *   GBL_OUT_OF_MEMORY         no memory; also from every function that reads a matrix or vector,
 *                             since it may have to assemble pending updates or convert; and where
 *                             all large blocks together would exceed the memory of the machine or
 *                             of the control group, but with an allocator of the user's
 *
 * Threads. Inputs may be read by any number of user threads at once; conversions that reading makes
 * necessary happen once, under the object's lock. An object that is written belongs to one thread.
 * gbl_init, gbl_finalize, gbl_calibrate and settings are for one thread while no other call runs.
 * Results depend neither on the number of threads nor on the instruction set: sums of floats are
 * rounded in a fixed order, but for products on a GPU (docs/architecture.md, docs/cuda.md).
 *
 * Aliasing. The output of an operation may also be an input or the mask of the same call. Arrays of
 * the caller's that a call writes may not overlap those that it reads.
 *
 * Shapes. Dimensions go up to GBL_INDEX_MAX + 1 = 2^60, and sizes beyond are GBL_INVALID_VALUE.
 * Where shapes must agree, GBL_DIMENSION_MISMATCH tells which do not. A matrix has one array of
 * 8 bytes per row (or column) for each form it is held in, unless it has no entries. Objects with a
 * dimension above 2^32 - 1, and matrices with far more rows than entries, are
 * hypersparse: their memory follows the entries, n and m below count entries and rows (columns)
 * with entries, and what does not work on dimensions above 2^32 - 1 says GBL_NOT_IMPLEMENTED
 * (docs/hypersparse.md lists it).
 *
 * Domains. Built-in types cast into each other: as in C, except that floats beyond the range of an
 * integer type become its nearest value, NaN becomes 0, and BOOL means "not zero". A user-defined
 * type fits only itself. What does not fit is GBL_DOMAIN_MISMATCH.
 *
 * Cost. n counts entries of the operands, m rows and columns of the forms that are read. Reading an
 * object may first assemble its pending updates (sorting p of them: O(p log p + n)) and make a form
 * that it lacks, which costs O(n + m) and stays with the object. Where no cost is given it is O(1).
 */
#ifndef GBLITE_H
#define GBLITE_H

#define GBL_VERSION 2 /* of the C API that the names follow */
#define GBL_SUBVERSION 1
#define GBLITE_VERSION_MAJOR 0 /* of this library */
#define GBLITE_VERSION_MINOR 1
#define GBLITE_VERSION_PATCH 0

#include "gblite_types.h"
#include "gblite_builtin.h"
#include "gblite_objects.h"

#include "gblite_operations.h"
#include "gblite_extended.h"

#include "gblite_context.h"
#include "gblite_explain.h"
#include "gblite_fields.h"
#include "gblite_memory.h"
#include "gblite_tuning.h"

#include "gblite_chain.h"
#ifndef __cplusplus
#include "gblite_generic.h"
#endif

#endif
