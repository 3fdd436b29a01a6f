/* SPDX-License-Identifier: Apache-2.0
 *
 * Tuples of a matrix; see tuples.h.
 */
#include "support/tuples.h"

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

void t_expect_tuples(const t_Tuples *expected, gbl_Matrix A) {
    t_Tuples t = t_tuples_of(A);
    CHECK_EQ(t.n, expected->n);
    CHECK(memcmp(t.I, expected->I, t.n * sizeof *t.I) == 0);
    CHECK(memcmp(t.J, expected->J, t.n * sizeof *t.J) == 0);
    CHECK(memcmp(t.X, expected->X, t.n * sizeof *t.X) == 0);
    t_tuples_free(&t);
}
