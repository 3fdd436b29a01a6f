/* SPDX-License-Identifier: Apache-2.0
 *
 * What the levels above use of this one; its own files include what they need.
 */
#ifndef GB_MATRIX_MATRIX_H
#define GB_MATRIX_MATRIX_H

#include "core/arrays.h"
#include "core/memory.h"
#include "core/tiles.h"
#include "matrix/tuples.h"
#include "matrix/dense.h"
#include "matrix/object.h"
#include "matrix/copy.h"
#include "matrix/derived.h"
#include "matrix/device.h"
#include "matrix/facts.h"
#include "matrix/operand.h"
#include "matrix/acquire.h"
#include "matrix/norms.h"
#include "matrix/scratch.h"

#endif
