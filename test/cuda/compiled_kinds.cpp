// SPDX-License-Identifier: Apache-2.0
//
// Kernels of a program's own semirings for the stand-in: NAME_cuda of each.
#include "mxm/compiled_kinds.h"
