/* SPDX-License-Identifier: Apache-2.0
 *
 * A layer of a convolutional network as a product (im2col), and what leaving out small products
 * does to its output: convolution, for valid ratios from 1 to 0.2.
 *
 * An image of SIZE x SIZE points with CHANNELS channels goes through FILTERS filters of 3 x 3: the
 * weights, FILTERS x (9 CHANNELS), times the columns, (9 CHANNELS) x (SIZE^2), of which each has
 * the neighbourhood of a point. Prints the relative error of the output and how many points have
 * another strongest filter than they should.
 */
#include <stdio.h>
#include <math.h>

#include "gblite.h"

enum { SIZE = 32, CHANNELS = 32, FILTERS = 64, INNER = 9 * CHANNELS, POINTS = SIZE * SIZE };

/* Number k of a random sequence in 0 .. 1. */
static double noise(int k) {
    uint64_t z = (uint64_t)(k + 1) * 0x9e3779b97f4a7c15u;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
    return (double)(z >> 11) * 0x1p-53;
}

/* A filter looks at few channels; what it has of the others is small, as after pruning. */
static double weight(int filter, int k) {
    const double apart = fabs(k / 9 - filter * (double)CHANNELS / FILTERS);
    return (2.0 * noise(filter * INNER + k) - 1.0) * exp(-apart / 3.0);
}

/* What a rectifier leaves of a blob of light in noise below 0: neighbour k % 9 of a point, in
 * channel k / 9; nothing outside of the image. */
static double neighbour(int k, int point) {
    const int c = k / 9, y = point / SIZE + k % 9 / 3 - 1, x = point % SIZE + k % 3 - 1;
    const double dy = y - 8.0 - c / 2, dx = x - 20.0 + c / 3;
    if (y < 0 || x < 0 || y >= SIZE || x >= SIZE) return 0.0;
    return fmax(0.0, 3.0 * exp(-(dx * dx + dy * dy) / 60.0) + noise(~(c * POINTS + point)) - 0.95);
}

static gbl_Info make(gbl_Matrix *A, int nrows, int ncols, double (*at)(int, int)) {
    gbl_Info info = gbl_Matrix_new(A, GBL_FP64, (gbl_Index)nrows, (gbl_Index)ncols);
    for (int i = 0; i < nrows; i++)
        for (int j = 0; j < ncols && !info; j++)
            info = gbl_Matrix_setElement_FP64(*A, at(i, j), (gbl_Index)i, (gbl_Index)j);
    return info;
}

static void compare(const double *exact, const double *x, const gbl_Explanation *how) {
    double difference = 0.0, norm = 0.0;
    int changed = 0;
    for (int p = 0; p < POINTS; p++) {
        int strongest = p, now = p;
        for (int k = p; k < FILTERS * POINTS; k += POINTS) {
            difference += (x[k] - exact[k]) * (x[k] - exact[k]);
            norm += exact[k] * exact[k];
            if (exact[k] > exact[strongest]) strongest = k;
            if (x[k] > x[now]) now = k;
        }
        changed += now != strongest;
    }
    printf("%5.1f %% of the products: error %.3g of the output (bound %.3g), %d of %d points have "
           "another strongest filter\n",
           100.0 * how->valid_ratio, sqrt(difference / norm), how->error_bound / sqrt(norm),
           changed, (int)POINTS);
}

int main(void) {
    static double exact[FILTERS * POINTS], x[FILTERS * POINTS];
    static const double ratios[] = {1.0, 0.9, 0.75, 0.6, 0.4, 0.2};
    const gbl_Semiring ring = GBL_PLUS_TIMES_SEMIRING_FP64;
    gbl_Matrix A = NULL, B = NULL, C = NULL;
    gbl_Descriptor desc = NULL;
    gbl_Index n = FILTERS * POINTS;
    gbl_Info info;

    if ((info = gbl_init(GBL_NONBLOCKING)) || (info = make(&A, FILTERS, INNER, weight)) ||
        (info = make(&B, INNER, POINTS, neighbour)) ||
        (info = gbl_Matrix_new(&C, GBL_FP64, FILTERS, POINTS)) ||
        (info = gbl_Descriptor_new(&desc)) ||
        (info = gbl_Descriptor_set_INT32(desc, 16, GBL_SUBMATRIX)))
        goto done;
    for (int k = 0; k < 6; k++) {
        gbl_Explanation how = GBL_EXPLANATION_INIT;
        if ((info = gbl_Descriptor_set_FP64(desc, ratios[k], GBL_VALID_RATIO)) ||
            (info = gbl_mxm(C, NULL, NULL, ring, A, B, desc)) ||
            (info = gbl_Matrix_explain(&how, C)) ||
            (info = gbl_Matrix_assign_FP64(C, NULL, GBL_PLUS_FP64, 0.0, GBL_ALL, n, GBL_ALL, n,
                                           NULL)) || /* what is not there is 0 */
            (info = gbl_Matrix_extractTuples_FP64(NULL, NULL, k == 0 ? exact : x, &n, C)))
            goto done;
        compare(exact, k == 0 ? exact : x, &how);
    }
done:
    if (info) fprintf(stderr, "convolution: %s\n", gbl_last_error());
    gbl_Matrix_free(&A);
    gbl_Matrix_free(&B);
    gbl_Matrix_free(&C);
    gbl_Descriptor_free(&desc);
    gbl_finalize();
    return info ? 1 : 0;
}
