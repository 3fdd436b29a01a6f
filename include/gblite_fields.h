/* SPDX-License-Identifier: Apache-2.0
 *
 * Tier 3, utilities: fields of objects and of the library, read and set. Included by gblite.h,
 * whose common rules hold here.
 *
 * Which object has which field; numbers are read as INT32, strings as String, sizes as SIZE:
 *
 *   collections   GBL_NAME, GBL_STORAGE_ORIENTATION_HINT, GBL_EL_TYPE_CODE, GBL_EL_TYPE_STRING;
 *                 matrices GBL_SYMMETRIC too
 *   types         GBL_NAME, GBL_EL_TYPE_CODE, GBL_EL_TYPE_STRING, GBL_SIZE
 *   operators, monoids, semirings
 *                 GBL_NAME, GBL_INP0_TYPE_, GBL_INP1_TYPE_ and GBL_OUTP_TYPE_ CODE and STRING;
 *                 GBL_BY_POSITION
 *   descriptors   GBL_NAME, and the fields of gbl_Desc_Field; GBL_TAU, GBL_VALID_RATIO,
 *                 GBL_ERROR_BOUND and GBL_DEADLINE are read as FP64
 *   GBL_GLOBAL    GBL_NAME (of the library), GBL_STORAGE_ORIENTATION_HINT, and gbl_Field's
 *
 * Names. Predefined objects have the standard's, "GrB_PLUS_FP64"; gblite additions their own,
 * "GBL_ANY_FP64". Those of others are "" until they are set: of collections
 * and descriptors at any time, of types, operators, monoids and semirings once, by any thread; a
 * caller that reads the size of a name and then the name must synchronise with threads that set it.
 * A copy that gbl_O_dup makes has none.
 *
 * Types. An input that an operator does not have, or does not look at, gives GBL_NO_VALUE, and the
 * value stays as it was: the second of unary operators, the first of index-unary operators by
 * position (ROWINDEX, TRIL ...), and both of semirings.
 *
 * GBL_BY_POSITION, a gblite addition: 1 where results may depend on the indices of entries: of
 * operators that see them, and semirings that multiply by one; else 0.
 *
 * Hints. The orientation of an object is what was set, or else that of the library, which begins as
 * GBL_ROWMAJOR. It is recorded and changes nothing: forms are made as calls need them.
 *
 * GBL_SYMMETRIC, a gblite addition: whether A has an entry (j, i) for each entry (i, j), whatever
 * their values. 1: it is known, from a caller, a reader of symmetric files or a generator of
 * undirected graphs (gblite_io.h), or because a call had to know; 0: it is not, which says nothing.
 * Set to 1, the caller states it, O(1): triangles are counted and searches pull without finding it
 * out, and where all values are one, columns are the arrays of rows. A false statement gives wrong
 * results, but no access outside of arrays; a library built without NDEBUG checks it. Set to 2, the
 * library finds out, O(rows + entries); reading then tells. Set to 0, it is forgotten. It is
 * forgotten too when A is written, a copy by gbl_Matrix_dup keeps it, and hypersparse matrices
 * (docs/hypersparse.md) never have it. Other threads must not use A meanwhile. Errors of setting:
 * GBL_INVALID_VALUE for other values, and for 1 where A is known not to be symmetric;
 * GBL_OUT_OF_MEMORY.
 */
#ifndef GBLITE_FIELDS_H
#define GBLITE_FIELDS_H

#include "gblite_context.h"
#include "gblite_objects.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ------------------------------------------------------------------------------- get and set -- */

/* gbl_O_get_INT32: The value of a field that is a number.
 * gbl_O_get_SIZE: The value of a field that is a size, or the room that a string needs.
 * gbl_O_get_String: The value of a field that is a string, its final zero included.
 * gbl_O_get_Scalar: The value of a field that is a number or size, as the value of a scalar.
 * gbl_O_get_VOID: No field is a block of bytes: always an error.
 * field is a gbl_Field, or of a descriptor a gbl_Desc_Field. Errors: GBL_INVALID_VALUE for a field
 * that the object does not have or that is not read so, and a number that needs more than the 32
 * bits; GBL_INVALID_OBJECT unless a gbl_Global is GBL_GLOBAL; GBL_DOMAIN_MISMATCH for a scalar of a
 * user-defined type.
 *
 * gbl_O_set_INT32: Sets a field that is a number.
 * gbl_O_set_Scalar: Sets a field that is a number to the value of a scalar.
 * gbl_O_set_String: Sets GBL_NAME to a copy of a string.
 * gbl_O_set_VOID: No field is a block of bytes: always an error.
 * Errors: GBL_INVALID_VALUE for a field that the object does not have, that is only read or that is
 * not set so, and a value out of range; GBL_ALREADY_SET for the second name of a type, operator,
 * monoid or semiring, and for fields of a predefined descriptor; GBL_EMPTY_OBJECT for a scalar
 * without a value. */
#define GBL_DECLARE(O)                                                                             \
    gbl_Info gbl_##O##_get_INT32(gbl_##O object, int32_t *value, int field);                       \
    gbl_Info gbl_##O##_get_SIZE(gbl_##O object, size_t *value, int field);                         \
    gbl_Info gbl_##O##_get_String(gbl_##O object, char *value, int field);                         \
    gbl_Info gbl_##O##_get_Scalar(gbl_##O object, gbl_Scalar value, int field);                    \
    gbl_Info gbl_##O##_get_VOID(gbl_##O object, void *value, int field);                           \
    gbl_Info gbl_##O##_set_INT32(gbl_##O object, int32_t value, int field);                        \
    gbl_Info gbl_##O##_set_Scalar(gbl_##O object, gbl_Scalar value, int field);                    \
    gbl_Info gbl_##O##_set_String(gbl_##O object, const char *value, int field);                   \
    gbl_Info gbl_##O##_set_VOID(gbl_##O object, const void *value, int field, size_t size);
GBL_FOREACH_OBJECT(GBL_DECLARE)
GBL_DECLARE(Global)
#undef GBL_DECLARE

/* gbl_Descriptor_set_FP64: Sets a field that is a real number: GBL_TAU, GBL_VALID_RATIO,
 * GBL_ERROR_BOUND or GBL_DEADLINE.
 * At most one of the three is set: a later call replaces an earlier one, and
 * gbl_Descriptor_set(desc, field, GBL_DEFAULT) takes it back. gblite addition. Errors:
 * GBL_INVALID_VALUE for another field, a negative value or NaN, and a ratio above 1;
 * GBL_ALREADY_SET for a predefined descriptor.
 * gbl_Descriptor_get_FP64: The value of such a field.
 * GBL_NO_VALUE, and the value as it was, where it is not set. gblite addition. */
gbl_Info gbl_Descriptor_set_FP64(gbl_Descriptor desc, double value, int field);
gbl_Info gbl_Descriptor_get_FP64(gbl_Descriptor desc, double *value, int field);

#ifdef __cplusplus
}
#endif

#endif
