/* SPDX-License-Identifier: Apache-2.0
 *
 * The operands of a product on their way from plan to kernel. A plan looks at the representations
 * that exist; the method that was chosen takes those it wants, which converts, sorts and casts
 * where needed. Each representation is asked for once and handed on. Of cells alone most methods
 * want rows, or what is made of rows, and flops are counted by them: so the plan begins with rows.
 * A full B that a sparse A meets without a mask is left as it is: its values may be all that is
 * read, and flops are known.
 */
#ifndef GB_MXM_MODEL_OPERANDS_H
#define GB_MXM_MODEL_OPERANDS_H

#include "mxm/model/call.h"

/* Representations of op(X); the first two are lists of entries. Full: a list, or cells, with an
 * entry at every place, in order, so that the values alone say all. Cells: the product found X held
 * as its cells alone, and has made rows of X of them, which every method begins with. */
typedef enum {
    GB_BY_ROWS,
    GB_BY_COLUMNS,
    GB_AS_TILES,
    GB_FULL_BY_ROWS,
    GB_FULL_BY_COLUMNS,
    GB_AS_CELLS,
    GB_ON_DEVICE,
    GB_FORMS
} gb_Form;
/* The list that a full form is. */
static inline gb_Form gb_list_of(gb_Form form) {
    return form == GB_FULL_BY_ROWS ? GB_BY_ROWS : form == GB_FULL_BY_COLUMNS ? GB_BY_COLUMNS : form;
}

/* One factor op(X). */
typedef struct {
    gb_Matrix *X;
    gb_Format rows;      /* the format of X that is op(X) by rows */
    const gb_Type *type; /* that values are wanted in; NULL: they are not used */
    bool has[GB_FORMS];  /* what existed when it was last looked at */
    gb_CsView list[2];   /* GB_BY_ROWS, GB_BY_COLUMNS where they existed, values as held */
    /* what was taken, values cast */
    gb_Operand taken;
    gb_TileOperand tiles;
    gb_DenseOperand cells; /* of a full factor; `taken` has their values and no indices */
} gb_Factor;

typedef struct {
    gb_Factor A, B;
    const gb_Mask *spec;
    bool mask_is_listed; /* the mask exists by rows */
    gb_MaskView mask;    /* by rows; pattern {} without one */
    bool mask_taken;
    const int8_t *mask_cells; /* [m * n] instead of the mask's rows: 1 where it has an entry */
    uint64_t *flops;          /* [m + 1] running sum of the flops of C's rows, or NULL */
    size_t flops_bytes;
    /* of factors that were held as cells: bytes of the rows made, and what making them took */
    double listed_bytes, listed_seconds;
} gb_Operands;

/* Bytes of the rows that a product makes of X; 0 where it is not held as its cells alone. */
double gb_bytes_of_cells(const gb_Matrix *X);
/* Takes note of what exists in the host's memory. Cells become rows, whose bytes and seconds are
 * added up; nothing else is converted. The operands are assembled. */
gbl_Info gb_operands_look(gb_Operands *in, const gb_MxmCall *call);
void gb_operands_release(gb_Operands *in);

/* Both factors exist by rows or by columns, so that flops can be counted. */
bool gb_operands_are_listed(const gb_Operands *in);

/* The list of a factor in in->X.taken, its values cast; `sorted`: within rows (or columns). */
gbl_Info gb_take_list(gb_Factor *F, gb_Form form, bool sorted);
gbl_Info gb_take_tiles(gb_Factor *F);
/* The values of a factor that is full by rows, as a list without pointers and indices if need be.
 */
gbl_Info gb_take_full(gb_Factor *F);
/* The mask by rows, its true entries, in in->mask; nothing where there is none. */
gbl_Info gb_take_mask(gb_Operands *in);
/* The same, or for a structural mask that is a bitmap and not a list: in->mask_cells. */
gbl_Info gb_take_mask_cells(gb_Operands *in);

#endif
