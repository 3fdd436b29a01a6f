/* SPDX-License-Identifier: Apache-2.0
 *
 * GraphBLAS.h of gblite: programs written for the GraphBLAS C API 2.1 compile unchanged with the
 * folder of this header in their include path (pkg-config gblite_graphblas, CMake target
 * gblite::graphblas).
 *
 * Every name GrB_X of the standard becomes gblite's: types by typedef, everything else by #define,
 * so what is linked are gblite's symbols alone, and another GraphBLAS library may live in the same
 * program. What a method does, its errors beyond the standard's and its cost stand in gblite's
 * headers under its own name (GrB_mxm: gbl_mxm in gblite_operations.h). docs/conformance.md lists
 * methods and differences.
 *
 * Names without a type (GrB_apply, GrB_Matrix_build, GrB_set) need C11. C++ and older C have the
 * typed ones (GrB_Matrix_apply, GrB_Matrix_build_FP64, GrB_Matrix_set_INT32).
 * What begins with GxB_ is no part of the standard; see grb_extensions.h.
 */
#ifndef GRAPHBLAS_H
#define GRAPHBLAS_H

/* Not all of them are needed here; programs count on what other GraphBLAS.h include. */
#include <float.h>
#include <inttypes.h>
#include <limits.h>
#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../gblite.h"

#define GRB_VERSION GBL_VERSION
#define GRB_SUBVERSION GBL_SUBVERSION

typedef gbl_Index GrB_Index;
typedef gbl_Info GrB_Info;
typedef gbl_Mode GrB_Mode;
typedef gbl_WaitMode GrB_WaitMode;
typedef gbl_Format GrB_Format;
typedef gbl_Desc_Field GrB_Desc_Field;
typedef gbl_Desc_Value GrB_Desc_Value;
typedef gbl_Field GrB_Field;
typedef gbl_Orientation GrB_Orientation;
typedef gbl_Type_Code GrB_Type_Code;

typedef gbl_Type GrB_Type;
typedef gbl_UnaryOp GrB_UnaryOp;
typedef gbl_BinaryOp GrB_BinaryOp;
typedef gbl_IndexUnaryOp GrB_IndexUnaryOp;
typedef gbl_Monoid GrB_Monoid;
typedef gbl_Semiring GrB_Semiring;
typedef gbl_Scalar GrB_Scalar;
typedef gbl_Vector GrB_Vector;
typedef gbl_Matrix GrB_Matrix;
typedef gbl_Descriptor GrB_Descriptor;
typedef gbl_Global GrB_Global;

#define GrB_NULL NULL
#define GrB_INVALID_HANDLE NULL

#include "grb_constants.h"
#include "grb_operators.h"
#include "grb_algebra.h"
#include "grb_methods.h"
#include "grb_operations.h"
#ifdef GBL_HAS_GENERIC
#include "grb_polymorphic.h"
#endif
#include "grb_extensions.h"

#endif
