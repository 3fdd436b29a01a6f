/* SPDX-License-Identifier: Apache-2.0
 *
 * See dot_case.h.
 */
#include "support/dot_case.h"

void t_dot_begin(t_DotCase *of, bool iso) {
    of->gA = iso ? t_iso_matrix(&of->A) : t_matrix(&of->A);
    of->gB = iso ? t_iso_matrix(&of->B) : t_matrix(&of->B);
    of->gM = t_matrix(&of->M);
}

void t_dot_end(t_DotCase *of) {
    FREE(of->gA, of->gB, of->gM, of->A, of->B, of->M);
}

gbl_Matrix t_dot_product(const t_DotCase *of) {
    gbl_Descriptor desc = t_descriptor(&of->flags);
    const o_Rule rule = t_rule(&of->flags, &of->M, NULL);
    o_Matrix expected = o_new(of->ring.add.z, of->M.nrows, of->M.ncols);
    gbl_Matrix C = t_new_matrix(of->ring.add.z.handle, of->M.nrows, of->M.ncols);
    OK(gbl_mxm(C, of->gM, NULL, of->ring.handle, of->gA, of->gB, desc));
    o_Matrix found = t_dense(C);
    o_mxm(&expected, &rule, &(o_Product){&of->ring, &of->A, &of->B, &found});
    t_expect_dense("C", &expected, &found, 0);
    FREE(found, expected, desc);
    return C;
}
