/* SPDX-License-Identifier: Apache-2.0
 *
 * The frame of a case of any operation that is not a product: t_begin makes C, mask, A and B in the
 * library and in the oracle, the test runs the operation in both, t_end compares and frees.
 *
 *     t_Frame x;
 *     t_begin(&x, &of);
 *     OK(gbl_Matrix_apply(x.gC, x.gM, x.accum, op.handle, x.gA, x.desc));
 *     o_apply(&x.C, &x.rule, &op, x.a);
 *     t_end(&x);
 */
#pragma once

#include "support/product.h"

typedef struct {
    const char *name; /* of the operation and its operator */
    uint64_t seed;
    bool vector;            /* all operands are vectors of nrows */
    bool output_vector;     /* C and mask are vectors, A is a matrix */
    gbl_Index nrows, ncols; /* of A as the operation sees it, and of C unless output_vector */
    o_Type c, a, b, mask;
    o_Binary accum;
    t_Flags flags;
    t_Alias alias;
    t_Pattern pattern; /* of A */
    double density;    /* of all; 0 means 0.35 */
    bool wild, iso;
    double tolerance;           /* of the comparison */
    void (*hold)(gbl_Matrix A); /* puts each matrix into some form; NULL: as it is */
} t_FrameCase;

typedef struct {
    const t_FrameCase *of;
    o_Matrix C, M, A, B;
    o_Matrix *m, *a, *b; /* what is used; aliases point at another's cells */
    o_Rule rule;
    gbl_Descriptor desc;
    gbl_BinaryOp accum;
    gbl_Matrix gC, gM, gA, gB;
    gbl_Vector w, v, u, t; /* output, mask, first and second input */
} t_Frame;

/* x must stay where it is until t_end: it points into itself */
void t_begin(t_Frame *x, const t_FrameCase *of);
void t_end(t_Frame *x);

/* a case with everything of one type and the n-th flags; vectors have no transposes */
t_FrameCase t_frame_case(const char *name, o_Type type, unsigned n, bool vector);
/* other types of C and A, and some accumulator */
void t_frame_cast(t_FrameCase *of, t_Random *r);
/* The k-th case of the s-th shape, with a seed, pattern and density: without cells, a row, a
 * column, squares, long and wide ones. False where it is passed over: of large ones one in 8 is
 * tried. */
enum { T_FRAME_SHAPES = 10 };
extern const gbl_Index t_frame_sizes[T_FRAME_SHAPES][2];
bool t_frame_shape(t_FrameCase *of, unsigned s, unsigned k);
