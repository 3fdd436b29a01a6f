/* SPDX-License-Identifier: Apache-2.0
 *
 * What load.c and read.c share.
 */
#pragma once

#include "dist.h"
#include "gblite_io.h"

/* Fills A, which is new, with the tuples of all processes; dup as in build. Tuples are used up.
 * Collective; agreed on. */
gbl_Info gb_take_tuples(gbl_DistMatrix A, gb_Tuples *tuples, gbl_BinaryOp dup);

/* A Matrix Market file by all processes; *cut is false, and nothing made, if it is to be read by
 * one. */
gbl_Info gb_read(gbl_DistMatrix *A, bool *cut, gbl_Type type, const char *path, gbl_Grid grid);
