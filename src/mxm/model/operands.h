/* SPDX-License-Identifier: Apache-2.0
 *
 * The operands of a product between plan and kernel. A plan reads the representations that exist;
 * the chosen method acquires those it needs, which converts, sorts and casts where needed. Each
 * representation is acquired once and handed on. Most methods need rows of a dense factor, and
 * flops are counted from rows: so the plan begins by making them. A full B times a sparse A without
 * a mask stays full: its values may be all that is read, and flops are known.
 */
#pragma once

#include "mxm/model/call.h"

/* Representations of op(X); the first two are CSR and CSC. Full: sparse or dense, with an entry at
 * every position, in order, so that the values alone say all. Dense: the product found X held as a
 * bitmap or full array alone, and has made rows of it, which every method begins with. */
typedef enum {
    GB_BY_ROWS,
    GB_BY_COLUMNS,
    GB_AS_TILES,
    GB_FULL_BY_ROWS,
    GB_FULL_BY_COLUMNS,
    GB_AS_DENSE,
    GB_ON_DEVICE,
    GB_FORMS
} gb_Form;
/* The sparse form that a full one is. */
gb_Form gb_sparse_form(gb_Form form);

/* One factor op(X). */
typedef struct {
    gb_Matrix *X;
    gb_Format rows;      /* the format of X that is op(X) by rows */
    const gb_Type *type; /* that values are wanted in; NULL: they are not used */
    bool has[GB_FORMS];  /* what existed when it was last looked at */
    gb_CsView cs[2];     /* GB_BY_ROWS, GB_BY_COLUMNS where they existed, values as held */
    /* what was taken, values cast */
    gb_Operand taken;
    gb_TileOperand tiles;
    gb_DenseOperand dense; /* of a full factor; `taken` has their values and no indices */
} gb_Factor;

typedef struct {
    gb_Factor A, B;
    const gb_Mask *spec;
    bool mask_has_rows; /* the mask exists by rows */
    gb_MaskView mask;   /* by rows; pattern {} without one */
    bool mask_taken;
    const int8_t *mask_bitmap; /* [m * n] instead of the mask's rows: 1 where it has an entry */
    uint64_t *flops;           /* [m + 1] running sum of the flops of C's rows, or NULL */
    size_t flops_bytes;
    /* of dense factors: bytes of the rows made, and what making them took */
    double made_bytes, made_seconds;
} gb_Operands;

/* Bytes of the rows that a product makes of X; 0 where it is not dense alone. */
double gb_dense_row_bytes(const gb_Matrix *X);
/* Records what exists in the host's memory. Dense factors become rows, whose bytes and seconds are
 * added up; nothing else is converted. The operands are assembled. */
gbl_Info gb_operands_look(gb_Operands *in, const gb_MxmCall *call);
void gb_operands_release(gb_Operands *in);

/* Both factors exist by rows or by columns, so that flops can be counted. */
bool gb_operands_are_sparse(const gb_Operands *in);

/* The factor in this form, its values cast. CSR or CSC comes in F->taken; `sorted`: within rows (or
 * columns). Of a factor that is full by rows and has none these are values without pointers and
 * indices. Tiles come in F->tiles; what is wanted on the device the method brings there. */
gbl_Info gb_take_factor(gb_Factor *F, gb_Form form, bool sorted);
/* The mask by rows, its true entries, in in->mask; nothing where there is none. bitmap_serves: for
 * a structural mask that is a bitmap and not rows in->mask_bitmap instead. */
gbl_Info gb_take_mask(gb_Operands *in, bool bitmap_serves);
