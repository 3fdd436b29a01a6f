/* SPDX-License-Identifier: Apache-2.0
 *
 * Products of integers stay integers: the type of a semiring whose name has none follows from the
 * operands, and sums that do not fit into it are told.
 */
#include <math.h>
#include <string.h>

#include "cli.h"

static const double BEYOND = 0x1p63; /* INT64 ends below it */

gbl_Info cli_ring_choose(cli_Ring *ring, const gbl_Matrix *operands, int n) {
    bool whole = true, complex = false, wide = true;
    if (!ring->usual) return GBL_SUCCESS;
    for (int k = 0; k < n; k++) {
        gbl_Type type;
        gbl_Type_Code code;
        gbl_Info info;
        if ((info = gbl_Matrix_type(&type, operands[k])) || (info = gbl_Type_code(&code, type)))
            return info;
        whole &= code <= GBL_UINT64_CODE;
        wide &= code == GBL_UINT64_CODE;
        complex |= code >= GBL_FC32_CODE;
    }
    if (complex)
        cli_ring_typed(ring, "fc64");
    else if (whole)
        cli_ring_typed(ring, wide ? "uint64" : "int64");
    return GBL_SUCCESS;
}

gbl_Type cli_ring_operand(const cli_Ring *ring) {
    return ring->usual ? NULL : ring->type;
}

/* The largest magnitude of A, and the most terms that a row, or column, adds to an entry. */
static gbl_Info measure(double *largest, double *terms, gbl_Matrix A, bool transposed) {
    gbl_Vector degree = NULL;
    double low = 0, high = 0;
    int64_t most = 0;
    gbl_Index nvals;
    gbl_Info info = gbl_Matrix_nvals(&nvals, A);
    *largest = *terms = 0;
    if (info || nvals == 0) return info;
    if ((info = gbl_Matrix_reduce_FP64(&low, NULL, GBL_MIN_MONOID_FP64, A, NULL)) ||
        (info = gbl_Matrix_reduce_FP64(&high, NULL, GBL_MAX_MONOID_FP64, A, NULL)) ||
        (info = cli_degrees(&degree, A, transposed)) ||
        (info = gbl_Vector_reduce_INT64(&most, NULL, GBL_MAX_MONOID_INT64, degree, NULL)))
        goto done;
    *largest = fmax(-low, high);
    *terms = (double)most;
done:
    gbl_Vector_free(&degree);
    return info;
}

gbl_Info cli_ring_bound(bool *fits, const cli_Ring *ring, const gbl_Matrix *operands, int n,
                        unsigned transposed) {
    const bool sums = strncmp(ring->name, "plus_", 5) == 0;
    const char *const second = strchr(ring->name, '_') + 1;
    const bool times = strncmp(second, "times", 5) == 0, plus = strncmp(second, "plus", 4) == 0;
    gbl_Type_Code code;
    double bound = 0, paths = 1, largest, terms;
    gbl_Info info = gbl_Type_code(&code, ring->type);
    *fits = true;
    if (info || (code != GBL_INT64_CODE && code != GBL_UINT64_CODE)) return info;
    for (int k = 0; k < n; k++) {
        if ((info = measure(&largest, &terms, operands[k], transposed >> k & 1))) return info;
        bound = k == 0  ? largest
                : times ? bound * largest
                : plus  ? bound + largest
                        : fmax(bound, largest);
        if (k + 1 < n && sums) paths *= terms;
    }
    *fits = bound * paths < (code == GBL_INT64_CODE ? BEYOND : 2 * BEYOND);
    return GBL_SUCCESS;
}

gbl_Info cli_ring_told(const cli_Ring *ring) {
    const char *const type = ring->type == GBL_INT64 ? "INT64" : "UINT64";
    if (ring->usual)
        return gbl_fail(GBL_INVALID_VALUE, NULL,
                        "the operands are integers, and entries of the product may not fit into "
                        "%s; --semiring %s_fp64 computes with floats, %s_int64 takes what is left "
                        "of sums modulo 2^64",
                        type, ring->name, ring->name);
    fprintf(stderr,
            "gblite: note: entries of the product may not fit into %s; what does not is taken "
            "modulo 2^64\n",
            type);
    return GBL_SUCCESS;
}

gbl_Info cli_ring_compare(gbl_Matrix C, gbl_Matrix floats, const cli_Ring *ring) {
    gbl_Matrix off = NULL;
    gbl_Index nrows, ncols;
    double low = 0, high = 0;
    gbl_Info info;
    if ((info = gbl_Matrix_nrows(&nrows, C)) || (info = gbl_Matrix_ncols(&ncols, C)) ||
        (info = gbl_Matrix_new(&off, GBL_FP64, nrows, ncols)) ||
        (info = gbl_Matrix_eWiseMult_BinaryOp(off, NULL, NULL, GBL_MINUS_FP64, C, floats, NULL)) ||
        (info = gbl_Matrix_reduce_FP64(&low, NULL, GBL_MIN_MONOID_FP64, off, NULL)) ||
        (info = gbl_Matrix_reduce_FP64(&high, NULL, GBL_MAX_MONOID_FP64, off, NULL)))
        goto done;
    /* what wrapped is off by 2^64 or more */
    if (fmax(high, -low) > BEYOND)
        info = gbl_fail(GBL_INVALID_VALUE, NULL,
                        "the operands are integers, and entries of the product do not fit into 64 "
                        "bits; --semiring %s_fp64 computes with floats",
                        ring->name);
done:
    gbl_Matrix_free(&off);
    return info;
}
