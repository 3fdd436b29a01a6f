/* SPDX-License-Identifier: Apache-2.0
 *
 * Part "errors": estimates of rows against the rows of C, for each number of registers, as section
 * 5.3 of Ocean (ICS '26) measures them. Empty rows of C do not count.
 */
#include "rowwise/rowwise.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

const int ROWWISE_REGISTERS[ROWWISE_REGISTER_COUNTS] = {32, 64, 128};

/* Ocean: room is 1.5 times the estimate, rounded up to the size of an accumulator (here: a power of
 * two), of which a hash table may use four fifths. */
static const double OCEAN_ROOM = 1.5, OCEAN_FILL = 0.8;

/* The pipeline's own room for a row, relative to its estimate. */
static double room_factor(int registers) {
    return registers == 32 ? 2.0 : 1.5;
}

typedef struct {
    uint64_t rows; /* not empty */
    double bias, mean, deviation;
    double overflow, overflow_ocean; /* shares of the rows */
    uint64_t bins[ROWWISE_BINS];     /* of size / actual - 1 from -1 to 1; beyond: the last */
} row_errors;

static void measure(row_errors *e, const rowwise_input *in, const float *size, double factor) {
    double sum = 0, squares = 0, magnitudes = 0;
    uint64_t over = 0, over_ocean = 0;
    *e = (row_errors){0};
    for (gbl_Index i = 0; i < in->nrows; i++) {
        const double actual = (double)(in->Cp[i + 1] - in->Cp[i]);
        if (actual == 0) continue;
        const double estimate = (double)size[i], error = estimate / actual - 1;
        const double table = exp2(ceil(log2(fmax(1, OCEAN_ROOM * estimate))));
        const int bin = (int)floor((error + 1) * ROWWISE_BINS / 2);
        e->rows++;
        sum += error;
        squares += error * error;
        magnitudes += fabs(error);
        over += actual > factor * estimate;
        over_ocean += actual > OCEAN_FILL * table;
        e->bins[bin < 0 ? 0 : bin < ROWWISE_BINS ? bin : ROWWISE_BINS - 1]++;
    }
    if (e->rows == 0) return;
    const double rows = (double)e->rows;
    e->bias = sum / rows;
    e->mean = magnitudes / rows;
    e->deviation = sqrt(fmax(0, squares / rows - e->bias * e->bias));
    e->overflow = (double)over / rows;
    e->overflow_ocean = (double)over_ocean / rows;
}

/* What gbl_mxm_estimate says about the whole product. */
static gbl_Info add_sampled(cJSON *object, const rowwise_input *in, int registers) {
    gbl_Descriptor desc = NULL;
    gbl_MxmEstimate estimate = GBL_MXM_ESTIMATE_INIT;
    gbl_Info info = rowwise_descriptor(&desc, in, &(rowwise_variant){"auto", 0, 0, 0});
    if (info == GBL_SUCCESS) info = gbl_Descriptor_set_INT32(desc, registers, GBL_REGISTERS);
    if (info == GBL_SUCCESS)
        info = gbl_mxm_estimate(&estimate, GBL_PLUS_TIMES_SEMIRING_FP64, in->A, in->A, desc);
    gbl_Descriptor_free(&desc);
    if (info != GBL_SUCCESS) return info;
    /* the stated error is that of the entries, so both errors are taken of entries */
    const double actual = (double)in->nvals;
    const double ratio = (double)in->how.flops / actual;
    const double nvals_error = fabs(estimate.nvals / actual - 1);
    cJSON_AddNumberToObject(object, "rows_sampled", (double)estimate.rows_sampled);
    cJSON_AddNumberToObject(object, "compression_ratio", estimate.compression_ratio);
    cJSON_AddNumberToObject(object, "compression_error",
                            fabs(estimate.compression_ratio / ratio - 1));
    cJSON_AddNumberToObject(object, "nvals_error", nvals_error);
    cJSON_AddNumberToObject(object, "stated_error", estimate.nvals_error);
    cJSON_AddBoolToObject(object, "within_stated", nvals_error <= estimate.nvals_error + 1e-12);
    return GBL_SUCCESS;
}

static void add_rows(cJSON *object, const row_errors *e) {
    cJSON_AddNumberToObject(object, "rows", (double)e->rows);
    cJSON_AddNumberToObject(object, "bias", e->bias);
    cJSON_AddNumberToObject(object, "mean_error", e->mean);
    cJSON_AddNumberToObject(object, "deviation", e->deviation);
    cJSON_AddNumberToObject(object, "overflow", e->overflow);
    cJSON_AddNumberToObject(object, "overflow_ocean", e->overflow_ocean);
    cJSON *bins = cJSON_AddArrayToObject(object, "histogram");
    for (int b = 0; b < ROWWISE_BINS; b++)
        cJSON_AddItemToArray(bins, cJSON_CreateNumber((double)e->bins[b]));
}

cJSON *rowwise_errors(const rowwise_input *in) {
    cJSON *list = cJSON_CreateArray();
    float *size = malloc((in->nrows + 1) * sizeof *size);
    row_errors *clamped = malloc(sizeof *clamped), *plain = malloc(sizeof *plain);
    gbl_Info info = GBL_SUCCESS;
    if (size == NULL || clamped == NULL || plain == NULL)
        info = gbl_fail(GBL_OUT_OF_MEMORY, NULL, "no memory for the estimates of %s", in->name);
    for (int k = 0; k < ROWWISE_REGISTER_COUNTS && info == GBL_SUCCESS && in->nvals > 0; k++) {
        const int registers = ROWWISE_REGISTERS[k];
        cJSON *object = cJSON_CreateObject();
        cJSON_AddItemToArray(list, object);
        cJSON_AddNumberToObject(object, "registers", registers);
        info = rowwise_estimates(size, in, (unsigned)registers, false);
        if (info == GBL_SUCCESS) measure(plain, in, size, room_factor(registers));
        if (info == GBL_SUCCESS) info = rowwise_estimates(size, in, (unsigned)registers, true);
        if (info == GBL_SUCCESS) {
            measure(clamped, in, size, room_factor(registers));
            add_rows(object, clamped);
            cJSON_AddNumberToObject(object, "mean_error_unclamped", plain->mean);
            info = add_sampled(object, in, registers);
        }
    }
    free(size);
    free(clamped);
    free(plain);
    if (!bench_failed(info, "errors")) return list;
    cJSON_Delete(list);
    return NULL;
}
