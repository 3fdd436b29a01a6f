/* SPDX-License-Identifier: Apache-2.0
 *
 * GBLITE_TRACE: a line per product to stderr, facts, choice, predicted and measured.
 */
#include "mxm/plan.h"

#include <stdio.h>

void gb_trace(const gbl_Explanation *why) {
    gbl_Explanation text = *why;
    gb_explain_reason(&text);
    fprintf(stderr,
            "gblite: %s %llu x %llu x %llu, %llu and %llu entries, %llu products, %llu entries: "
            "%s (%s), measured %.3g s, limit %llu bytes; %s\n",
            why->operation, (unsigned long long)why->nrows, (unsigned long long)why->inner,
            (unsigned long long)why->ncols, (unsigned long long)why->nnz_a,
            (unsigned long long)why->nnz_b, (unsigned long long)why->flops,
            (unsigned long long)why->nvals, why->method, why->workflow,
            why->seconds_prepare + why->seconds_kernel + why->seconds_finish,
            (unsigned long long)why->bytes_limit, text.reason);
}
