/* SPDX-License-Identifier: Apache-2.0
 *
 * GBL_NAME of types, operators, monoids and semirings. That of a predefined object is put together
 * in `room`, as the standard's identifier ("GrB_MIN_PLUS_SEMIRING_FP64"), or gblite's where the
 * standard has none ("GBL_ANY_FP64"); that of another one is what the user has set, or "".
 */
#ifndef GB_SEMIRING_NAMES_H
#define GB_SEMIRING_NAMES_H

#include "semiring/algebra.h"

enum { GB_NAME_ROOM = 64 };

const char *gb_name_of_type(const gb_Type *type, char *room);
const char *gb_name_of_unary(const gb_UnaryOp *op, char *room);
const char *gb_name_of_binary(const gb_BinaryOp *op, char *room);
const char *gb_name_of_index(const gb_IndexUnaryOp *op, char *room);
const char *gb_name_of_monoid(const gb_Monoid *monoid, char *room);
const char *gb_name_of_semiring(const gb_Semiring *ring, char *room);

#endif
