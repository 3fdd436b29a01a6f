/* SPDX-License-Identifier: Apache-2.0
 *
 * What the kernels compiled once per instruction set share: names with the suffix of the set, and
 * its vectors (simd.h), the only place where the sets differ. Everything else is plain C that the
 * compiler vectorises with the flags of the set. GB_ISA is portable, avx2 or avx512.
 */
#pragma once

#include "core/cat.h"
#include "core/view.h"
#include "cpu/simd/simd.h"

#define GB_ISA_NAME(f) GB_CAT(f, GB_ISA)

/* A function of a header that is called once per row and not per entry: templates share one copy of
 * it in each file, where inlining would make one per semiring. */
#define GB_PER_ROW __attribute__((noinline, unused)) static
