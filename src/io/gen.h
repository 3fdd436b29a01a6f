/* SPDX-License-Identifier: Apache-2.0
 *
 * Generators: the structure of a matrix from two numbers and a seed; values are added by
 * generate.c.
 *
 * Every random number is a function of the seed and of what it is for (the number of the edge, the
 * place of the entry), so the result depends neither on threads nor on the order of work.
 */
#ifndef GB_IO_GEN_H
#define GB_IO_GEN_H

#include "io.h"

typedef struct {
    uint64_t a, b, seed; /* er:a:b:seed */
} gb_Spec;

/* Make n and the p and i of arrays, with columns ascending in every row; x stays NULL. On failure
 * arrays may be filled in part. */
gbl_Info gb_gen_er(const gb_Spec *spec, gbl_Index *n, gbl_Arrays *arrays);
gbl_Info gb_gen_rmat(const gb_Spec *spec, gbl_Index *n, gbl_Arrays *arrays);
gbl_Info gb_gen_rmats(const gb_Spec *spec, gbl_Index *n, gbl_Arrays *arrays);
gbl_Info gb_gen_fem(const gb_Spec *spec, gbl_Index *n, gbl_Arrays *arrays);
gbl_Info gb_gen_band(const gb_Spec *spec, gbl_Index *n, gbl_Arrays *arrays);

/* A bijection of 64-bit numbers whose values look random (the finisher of splitmix64). */
static inline uint64_t gb_gen_mix(uint64_t x) {
    x = (x ^ x >> 30) * UINT64_C(0xBF58476D1CE4E5B9);
    x = (x ^ x >> 27) * UINT64_C(0x94D049BB133111EB);
    return x ^ x >> 31;
}

/* The step of splitmix64: mix(s + k * step), k = 1, 2, ... are random numbers. */
#define GB_GEN_STEP UINT64_C(0x9E3779B97F4A7C15)

#endif
