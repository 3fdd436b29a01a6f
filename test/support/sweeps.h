/* SPDX-License-Identifier: Apache-2.0
 *
 * What the tests of every method of mxm try against the oracle: a function of the test makes each
 * case, with its method and one of its shapes, and a sweep fills in the rest.
 */
#pragma once

#include "support/product.h"

/* A case of a method: `shape` is any number, f flags as t_mxm_case takes them. */
typedef t_ProductCase (*t_Make)(const char *name, const o_Ring *ring, size_t shape, unsigned f);

/* Every step-th semiring from the first on, each with every mask twice; a factor, the other one or
 * all arguments in one value now and then. */
void t_sweep_semirings(t_Make make, size_t first, size_t step);
/* All flags over some semirings, each time every stride-th of them; a mask also full or empty. */
void t_sweep_flags(t_Make make, const t_Ring *const *rings, size_t n, size_t stride);
/* Types that have to be cast, arguments that are one object, in `square` where they must fit. */
void t_sweep_casts(t_Make make, uint64_t seeds, t_Shape square);
/* Semirings of the user's, with every step-th flags. */
void t_sweep_user_types(t_Make make, unsigned step);

/* One semiring of each length of values, specialised and generic, by position, that stop early. */
enum { T_SAMPLE_RINGS = 12 };
void t_sample_rings(const t_Ring *rings[T_SAMPLE_RINGS]);
