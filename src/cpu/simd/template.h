/* SPDX-License-Identifier: Apache-2.0
 *
 * What a template (*.tmpl.h) may rely on, and what it must leave behind.
 *
 * A driver, the file named as its folder or mxv's sell.c, defines SR_TEMPLATE and includes
 * semiring/foreach.h, which includes the template once per semiring. Then these are given, and
 * nothing else:
 *   SR_...   the semiring; semiring/entry.h lists them. SR_GENERIC is defined, without a value, for
 *            the one entry that goes through functions
 *   NAME(f)  the name of this semiring's function f; from here
 *   GB_ISA   the instruction set, see isa.h
 * A template includes what it uses of the library, from headers with guards; a workspace that it
 * shares with its driver is such a header (rowwise/rowwork.h, work.h of the method). It defines
 * static functions only, and undefines its macros. The template that the driver names undefines
 * NAME; one that is a part of others says so, includes this header too, and leaves NAME to them.
 *
 * This header has no guard, since NAME comes and goes.
 */
#ifndef SR_NAME
#error "templates are included by semiring/foreach.h, see cpu/simd/template.h"
#endif
#include "cpu/simd/isa.h"
#ifndef NAME
#define NAME(f) GB_CAT(f, SR_NAME)
#endif
