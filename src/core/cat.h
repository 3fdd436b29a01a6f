/* SPDX-License-Identifier: Apache-2.0
 *
 * Names made of two parts, a_b, that may be macros: those of templates.
 */
#pragma once

#define GB_CAT2(a, b) a##_##b
#define GB_CAT(a, b) GB_CAT2(a, b)
