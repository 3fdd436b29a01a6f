/* SPDX-License-Identifier: Apache-2.0
 *
 * Two GraphBLAS libraries in one program: the same source, compiled with the header of each, gives
 * the same answers, entry by entry and code by code.
 */
#include "answers.h"

#include <stdio.h>

enum { ROOM = 200000 };
static double ours[ROOM], theirs[ROOM];

int main(void) {
    const size_t n = answers_of_gblite(ours, ROOM), m = answers_of_suitesparse(theirs, ROOM);
    size_t k = 0;
    while (k < n && k < m && k < ROOM && ours[k] == theirs[k]) k++;
    if (n == m && k == n && n > 1000) {
        printf("%zu answers of both libraries agree\n", n);
        return 0;
    }
    printf("%zu and %zu answers; the first that differs is %zu: %g and %g\n", n, m, k, ours[k],
           theirs[k]);
    return 1;
}
