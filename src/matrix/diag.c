/* SPDX-License-Identifier: Apache-2.0
 *
 * See diag.h.
 */
#include "matrix/diag.h"

#include <string.h>

#include "core/arrays.h"
#include "matrix/life.h"
#include "matrix/need.h"

static void place(gb_Cs *cs, const gb_CsView *v, uint64_t down, uint64_t right) {
    uint64_t row = 0;
    for (uint64_t e = 0; e < v->nvals; e++) {
        for (; row <= v->i[e] + down; row++) cs->p[row] = e;
        cs->i[e] = (gb_Idx)(v->i[e] + right);
    }
    for (; row <= cs->nmajor; row++) cs->p[row] = v->nvals;
}

gbl_Info gb_matrix_diag(gb_Matrix **C, gb_Matrix *v, int64_t k) {
    const uint64_t off = k < 0 ? 0 - (uint64_t)k : (uint64_t)k;
    if (off > GBL_INDEX_MAX - v->nrows) {
        return gb_fail(GBL_INVALID_VALUE,
                       "diagonal %lld of a vector of %llu elements needs a dimension above the "
                       "largest, %llu",
                       (long long)k, (unsigned long long)v->nrows,
                       (unsigned long long)GBL_INDEX_MAX);
    }
    const uint64_t n = v->nrows + off;
    gb_CsView list;
    gb_Matrix *made;
    gbl_Info info = gb_need_sorted(v, GB_CSC, &list);
    if (info == GBL_SUCCESS) info = gb_matrix_new(&made, GB_MAGIC_MATRIX, v->type, n, n);
    if (info != GBL_SUCCESS) return info;
    if (list.nvals > 0) {
        gb_Cs cs;
        const size_t xbytes = (list.iso ? 1 : list.nvals) * list.xsize;
        info = gb_cs_alloc(&cs, n, list.nvals, xbytes);
        if (info != GBL_SUCCESS) {
            gb_matrix_free(made);
            return info;
        }
        place(&cs, &list, k < 0 ? off : 0, k < 0 ? 0 : off);
        memcpy(cs.x, list.x, xbytes);
        cs.iso = list.iso;
        gb_matrix_set_cs(made, GB_CSR, &cs);
    }
    *C = made;
    return GBL_SUCCESS;
}
