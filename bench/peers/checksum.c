/* SPDX-License-Identifier: Apache-2.0
 *
 * Checksums of results; see device.h.
 */
#include "peers/device.h"

double gpu_weight(uint64_t row, uint32_t column) {
    const uint32_t place = (uint32_t)row * 0x85ebca6bu + column * 0x9e3779b1u;
    return 1.0 + place * 0x1p-32;
}

gpu_checksum gpu_check(uint64_t m, const uint64_t *p, const uint32_t *i, const double *x) {
    gpu_checksum check = {p[m], 0.0};
    for (uint64_t r = 0; r < m; r++)
        for (uint64_t q = p[r]; q < p[r + 1]; q++) check.sum += x[q] * gpu_weight(r, i[q]);
    return check;
}
