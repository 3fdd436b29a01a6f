/* SPDX-License-Identifier: Apache-2.0
 *
 * A layer of a convolutional network as a product (im2col), and what leaving out small products
 * does to its output: convolution, for valid ratios from 1 to 0.2.
 *
 * An image of SIZE x SIZE points with CHANNELS channels goes through FILTERS filters of 3 x 3: the
 * weights, FILTERS x (9 CHANNELS), times the columns, (9 CHANNELS) x (SIZE^2), of which each has
 * the neighbourhood of a point. Activations are what a rectifier leaves, a blob of light in noise
 * below 0; many weights are small, as after pruning. Prints the relative error of the output and
 * how many points have another strongest filter than they should.
 */
#include <stdio.h>
#include <math.h>

#include "gblite.h"

enum { SIZE = 32, CHANNELS = 32, FILTERS = 64, INNER = 9 * CHANNELS, POINTS = SIZE * SIZE };

static double uniform(uint64_t *state) {
    *state = *state * 6364136223846793005u + 1442695040888963407u;
    return (double)(*state >> 11) * 0x1p-53;
}

/* The rectified activation of a channel at a point; 0 outside of the image. */
static double light(const double *image, int channel, int y, int x) {
    if (y < 0 || x < 0 || y >= SIZE || x >= SIZE) return 0.0;
    return image[(channel * SIZE + y) * SIZE + x];
}

static gbl_Info make_columns(gbl_Matrix *B, uint64_t *state) {
    static double image[CHANNELS * POINTS];
    for (int c = 0; c < CHANNELS; c++)
        for (int p = 0; p < POINTS; p++) {
            const double dy = p / SIZE - 8.0 - c / 2, dx = p % SIZE - 20.0 + c / 3;
            const double x = 3.0 * exp(-(dx * dx + dy * dy) / 60.0) + uniform(state) - 0.95;
            image[c * POINTS + p] = x > 0.0 ? x : 0.0;
        }
    gbl_Info info = gbl_Matrix_new(B, GBL_FP64, INNER, POINTS);
    for (int k = 0; k < INNER && !info; k++)
        for (int p = 0; p < POINTS && !info; p++) {
            const double x = light(image, k / 9, p / SIZE + k % 9 / 3 - 1, p % SIZE + k % 3 - 1);
            info = gbl_Matrix_setElement_FP64(*B, x, (gbl_Index)k, (gbl_Index)p);
        }
    return info;
}

/* A filter looks at few channels; what it has of the others is small. */
static gbl_Info make_weights(gbl_Matrix *A, uint64_t *state) {
    gbl_Info info = gbl_Matrix_new(A, GBL_FP64, FILTERS, INNER);
    for (int f = 0; f < FILTERS && !info; f++)
        for (int k = 0; k < INNER && !info; k++) {
            const double apart = fabs(k / 9 - f * (double)CHANNELS / FILTERS);
            const double x = (2.0 * uniform(state) - 1.0) * exp(-apart / 3.0);
            info = gbl_Matrix_setElement_FP64(*A, x, (gbl_Index)f, (gbl_Index)k);
        }
    return info;
}

/* C as an array; what is not there becomes 0. */
static gbl_Info values_of(double *x, gbl_Matrix C) {
    gbl_Index n = FILTERS * POINTS;
    const gbl_Info info = gbl_Matrix_assign_FP64(C, NULL, GBL_PLUS_FP64, 0.0, GBL_ALL, FILTERS,
                                                 GBL_ALL, POINTS, NULL);
    return info ? info : gbl_Matrix_extractTuples_FP64(NULL, NULL, x, &n, C);
}

static int strongest(const double *x, int point) {
    int best = 0;
    for (int f = 1; f < FILTERS; f++)
        if (x[f * POINTS + point] > x[best * POINTS + point]) best = f;
    return best;
}

static void compare(const double *exact, const double *x, const gbl_Explanation *how) {
    double difference = 0.0, norm = 0.0;
    int changed = 0;
    for (int k = 0; k < FILTERS * POINTS; k++) {
        difference += (x[k] - exact[k]) * (x[k] - exact[k]);
        norm += exact[k] * exact[k];
    }
    for (int p = 0; p < POINTS; p++) changed += strongest(exact, p) != strongest(x, p);
    printf("%5.1f %% of the products: error %.3g of the output (bound %.3g), %d of %d points have "
           "another strongest filter\n",
           100.0 * how->valid_ratio, sqrt(difference / norm), how->error_bound / sqrt(norm),
           changed, (int)POINTS);
}

int main(void) {
    static double exact[FILTERS * POINTS], x[FILTERS * POINTS];
    static const double ratios[] = {1.0, 0.9, 0.75, 0.6, 0.4, 0.2};
    gbl_Matrix A = NULL, B = NULL, C = NULL;
    gbl_Descriptor desc = NULL;
    uint64_t state = 1;
    gbl_Info info;

    if ((info = gbl_init(GBL_NONBLOCKING)) || (info = make_weights(&A, &state)) ||
        (info = make_columns(&B, &state)) ||
        (info = gbl_Matrix_new(&C, GBL_FP64, FILTERS, POINTS)) ||
        (info = gbl_Descriptor_new(&desc)) ||
        (info = gbl_Descriptor_set_INT32(desc, 16, GBL_SUBMATRIX)))
        goto done;
    for (size_t k = 0; k < sizeof ratios / sizeof *ratios; k++) {
        gbl_Explanation how = GBL_EXPLANATION_INIT;
        if ((info = gbl_Descriptor_set_FP64(desc, ratios[k], GBL_VALID_RATIO)) ||
            (info = gbl_mxm(C, NULL, NULL, GBL_PLUS_TIMES_SEMIRING_FP64, A, B, desc)) ||
            (info = gbl_Matrix_explain(&how, C)) || (info = values_of(k == 0 ? exact : x, C)))
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
