/* SPDX-License-Identifier: Apache-2.0
 *
 * Tuples of a matrix; see tuples.h.
 */
#include "support/tuples.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

t_Tuples t_tuples_of(gbl_Matrix A) {
    t_Tuples t;
    OK(gbl_Matrix_nvals(&t.n, A));
    t.I = malloc((t.n + 1) * sizeof *t.I);
    t.J = malloc((t.n + 1) * sizeof *t.J);
    t.X = malloc((t.n + 1) * sizeof *t.X);
    cr_assert(t.I != NULL && t.J != NULL && t.X != NULL);
    OK(gbl_Matrix_extractTuples_FP64(t.I, t.J, t.X, &t.n, A));
    return t;
}

void t_tuples_free(t_Tuples *t) {
    free(t->I);
    free(t->J);
    free(t->X);
}

void t_same_tuples(const t_Tuples *expected, const t_Tuples *found, bool any_nan) {
    CHECK_EQ(found->n, expected->n);
    CHECK(memcmp(found->I, expected->I, found->n * sizeof *found->I) == 0);
    CHECK(memcmp(found->J, expected->J, found->n * sizeof *found->J) == 0);
    for (gbl_Index e = 0; e < found->n; e++) {
        const double *x = &expected->X[e], *y = &found->X[e];
        if (memcmp(x, y, sizeof *x) != 0) CHECK(any_nan && isnan(*x) && isnan(*y));
    }
}

void t_expect_tuples(const t_Tuples *expected, gbl_Matrix A) {
    t_Tuples found = t_tuples_of(A);
    t_same_tuples(expected, &found, false);
    t_tuples_free(&found);
}
