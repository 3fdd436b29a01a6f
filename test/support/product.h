/* SPDX-License-Identifier: Apache-2.0
 *
 * One case of mxm, mxv or vxm: made from a seed, run by the library and by the oracle, compared.
 */
#pragma once

#include "support/gb_test.h"

typedef enum { T_MXM, T_MXV, T_VXM } t_Kind;

/* which arguments are one object; the shapes must allow it */
typedef enum {
    T_DISTINCT,
    T_C_IS_A,
    T_C_IS_B,
    T_C_IS_MASK,
    T_A_IS_B,
    T_A_IS_MASK,
    T_ALL_ONE,
    T_ALIASES
} t_Alias;

/* A is rows x inner, B is inner x columns, both as the operation sees them: a transposed input is
 * stored the other way round. mxv has columns = 1, vxm has rows = 1. */
typedef struct {
    gbl_Index rows, inner, columns;
    t_Pattern a, b;
    double da, db; /* densities */
    double dc;     /* of C and of the mask */
} t_Shape;

typedef struct {
    uint64_t seed;
    t_Kind kind;
    t_Alias alias;
    const char *name; /* of the semiring */
    const o_Ring *ring;
    o_Binary accum;
    o_Type c, a, b, mask;
    bool wild, iso;
    bool a_iso, b_iso; /* held with one value for all entries; not for an alias */
    t_Shape shape;
    t_Flags flags;
    void (*hold)(gbl_Matrix A); /* puts each matrix into some form; NULL: as it is */
} t_ProductCase;

/* Unless it is left out (t_left_out). */
void t_product(const t_ProductCase *of);

/* A semiring by its name, and the type of its sums. */
typedef struct {
    const char *name;
    gbl_Semiring semiring;
    gbl_Type type;
} t_NamedRing;
t_NamedRing t_plus_times(void); /* of FP64 */

/* A new matrix of this type: A * B by the flags, in M where they have a mask. Without accumulator.
 */
gbl_Matrix t_mxm(gbl_Semiring ring, gbl_Type type, gbl_Matrix A, gbl_Matrix B, gbl_Matrix M,
                 const t_Flags *flags);

/* An accumulator T x T -> T, by number: commutative and not, both sides and one. */
o_Binary t_some_accum(gbl_Type_Code type, uint64_t n);

/* mxm over a semiring in its own types, of no shape yet. The flags, the type of the mask and, where
 * types are not the user's, the accumulator follow from f. */
t_ProductCase t_mxm_case(const char *name, const o_Ring *ring, unsigned f);
/* Other types for C and the factors; for even seeds several arguments that are one object instead,
 * in a shape that allows it. Then some accumulator. */
void t_mix_types(t_ProductCase *of, t_Random *r, const t_Ring *entry, t_Shape square);
