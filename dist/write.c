/* SPDX-License-Identifier: Apache-2.0
 *
 * C<M> accum= T in every block, and what descriptors ask.
 */
#include "dist.h"

bool gb_asks(gbl_Descriptor desc, gbl_Desc_Field field, gbl_Desc_Value value) {
    int32_t found = GBL_DEFAULT;
    return desc && gbl_Descriptor_get_INT32(desc, &found, field) == GBL_SUCCESS &&
           found == (int32_t)value;
}

gbl_Info gb_descriptor(gbl_Descriptor *made, gbl_Descriptor desc, const gbl_Desc_Field *fields,
                       int n) {
    gbl_Info info = gbl_Descriptor_new(made);
    for (int k = 0; k < n && !info && desc; k++) {
        int32_t value = GBL_DEFAULT;
        if (!(info = gbl_Descriptor_get_INT32(desc, &value, fields[k])) && value != GBL_DEFAULT)
            info = gbl_Descriptor_set(*made, fields[k], (gbl_Desc_Value)value);
    }
    if (info) gbl_Descriptor_free(made);
    return info;
}

static const gbl_Desc_Field writing[] = {GBL_OUTP, GBL_MASK};
enum { WRITING = sizeof writing / sizeof *writing };

/* Without a mask all is written, unless its complement is asked for. */
static bool writes_all(const void *mask, gbl_BinaryOp accum, gbl_Descriptor desc) {
    return !mask && !accum && (!desc || gb_asks(desc, GBL_MASK, GBL_DEFAULT));
}

gbl_Info gb_write(gbl_DistMatrix C, gbl_DistMatrix M, gbl_BinaryOp accum, gbl_Matrix *T,
                  gbl_Descriptor desc, gbl_Info info) {
    gbl_Matrix block = NULL;
    gbl_Descriptor how = NULL;
    gbl_Type type = NULL;
    if (info || (info = gbl_Matrix_type(&type, *T))) goto done;
    if (type == C->type && writes_all(M, accum, desc)) {
        block = *T;
        *T = NULL;
        goto done;
    }
    if ((info = gb_descriptor(&how, desc, writing, WRITING)) || (info = gb_output(&block, C, true)))
        goto done;
    info = gbl_Matrix_assign(block, M ? M->block : NULL, accum, *T, GBL_ALL, 0, GBL_ALL, 0, how);
done:
    gbl_Matrix_free(T);
    gbl_Descriptor_free(&how);
    return gb_agree_block(C, info, block);
}

gbl_Info gb_write_vector(gbl_DistVector w, gbl_DistVector m, gbl_BinaryOp accum, gbl_Vector *t,
                         gbl_Descriptor desc, gbl_Info info) {
    gbl_Vector piece = NULL;
    gbl_Descriptor how = NULL;
    gbl_Type type = NULL;
    if (info || (info = gbl_Vector_type(&type, *t))) goto done;
    if (type == w->type && writes_all(m, accum, desc)) {
        piece = *t;
        *t = NULL;
        goto done;
    }
    if ((info = gb_descriptor(&how, desc, writing, WRITING)) ||
        (info = gb_output_piece(&piece, w, true)))
        goto done;
    info = gbl_Vector_assign(piece, m ? m->piece : NULL, accum, *t, GBL_ALL, 0, how);
done:
    gbl_Vector_free(t);
    gbl_Descriptor_free(&how);
    return gb_agree_piece(w, info, piece);
}

gbl_Info gb_operand(gbl_DistMatrix *operand, gbl_DistMatrix *made, gbl_DistMatrix A,
                    gbl_Descriptor desc, gbl_Desc_Field field) {
    gbl_Info info;
    *operand = A;
    if (!gb_asks(desc, field, GBL_TRAN)) return GBL_SUCCESS;
    if ((info = gbl_DistMatrix_new(made, A->type, A->ncols, A->nrows, A->grid)) ||
        (info = gbl_DistMatrix_transpose(*made, NULL, NULL, A, NULL)))
        return info;
    *operand = *made;
    return GBL_SUCCESS;
}
