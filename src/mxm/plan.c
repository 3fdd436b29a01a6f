/* SPDX-License-Identifier: Apache-2.0
 *
 * The choice of a method: legal methods, predicted seconds of each, the least; or the one that the
 * descriptor or GBLITE_METHOD forces. A forced method that is not possible is an error that says
 * why, never a silent fallback.
 */
#include "mxm/mxm.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "mxm/cost_table.h"

gbl_Info gb_plan_forced(gbl_Desc_Value *method, const gb_MxmCall *call) {
    static const struct {
        const char *name;
        gbl_Desc_Value value;
    } names[] = {{"auto", GBL_DEFAULT},
                 {"rowwise", GBL_METHOD_ROWWISE},
                 {"dot", GBL_METHOD_DOT},
                 {"tiled", GBL_METHOD_TILED},
                 {"outer", GBL_METHOD_OUTER}};
    *method = call->choices.method;
    const char *wanted = getenv("GBLITE_METHOD");
    if (*method != GBL_DEFAULT || wanted == NULL || *wanted == '\0') return GBL_SUCCESS;
    for (size_t k = 0; k < sizeof names / sizeof names[0]; k++) {
        if (strcmp(wanted, names[k].name) != 0) continue;
        *method = names[k].value;
        return GBL_SUCCESS;
    }
    return gb_fail(GBL_INVALID_VALUE, call->C,
                   "GBLITE_METHOD is '%.20s'; it must be auto, rowwise, dot, tiled or outer",
                   wanted);
}

static double rowwise_seconds(const gb_Features *f) {
    const double convert = f->b_by_rows ? 0.0 : (double)f->nnz_b * GB_NS_CONVERT;
    return 1e-9 * (convert + (double)f->flops * GB_NS_MASKED_PRODUCT + (double)f->nnz_m);
}

static double dot_seconds(const gb_Features *f) {
    const double convert = f->b_by_columns ? 0.0 : (double)f->nnz_b * GB_NS_CONVERT;
    return 1e-9 * (convert + (double)f->dot_work * GB_NS_DOT_ENTRY + (double)f->nnz_m);
}

/* Skewed inputs have more products than the means say, never fewer by much. */
bool gb_plan_is_clear(const gb_Features *f) {
    return f->dot_work != UINT64_MAX && f->b_by_columns && dot_seconds(f) < rowwise_seconds(f);
}

static void explain_choice(gb_Plan *plan, bool can_dot, const gb_Features *f) {
    if (!can_dot) {
        snprintf(plan->reason, sizeof plan->reason, "rowwise: %s",
                 f->nnz_m > 0 ? "the mask is complemented, so dot would compute most of C"
                              : "no mask, so dot would compute all of C");
        return;
    }
    snprintf(plan->reason, sizeof plan->reason,
             "%s: predicted %.3g s against %.3g s for %s (%llu products%s, %llu entries scanned)",
             plan->name, plan->predicted,
             plan->method == GB_DOT ? rowwise_seconds(f) : dot_seconds(f),
             plan->method == GB_DOT ? "rowwise" : "dot", (unsigned long long)f->flops,
             f->flops_counted ? "" : " expected", (unsigned long long)f->dot_work);
}

gbl_Info gb_plan_choose(gb_Plan *plan, const gb_MxmCall *call, const gb_Features *f) {
    const bool can_dot = f->dot_work != UINT64_MAX;
    const gbl_Desc_Value forced = call->choices.method;
    if (forced == GBL_METHOD_DOT && !can_dot)
        return gb_fail(GBL_INVALID_VALUE, call->C,
                       "method dot needs a mask that is not complemented, since it computes one "
                       "inner product per entry of the mask; use rowwise or auto");
    const bool dot = forced == GBL_METHOD_DOT ||
                     (forced == GBL_DEFAULT && can_dot && dot_seconds(f) < rowwise_seconds(f));
    *plan =
        dot ? (gb_Plan){.method = GB_DOT, .name = "dot", .predicted = dot_seconds(f)}
            : (gb_Plan){.method = GB_ROWWISE, .name = "rowwise", .predicted = rowwise_seconds(f)};
    const bool tiled = forced == GBL_DEFAULT && f->fill_least > 0.0 && f->fill >= f->fill_least;
    if (tiled) *plan = (gb_Plan){.method = GB_TILED, .name = "tiled"};
    const bool outer = !tiled && f->compression > 0.0 && f->compression <= GB_OUTER_COMPRESSION;
    if (outer || forced == GBL_METHOD_OUTER) *plan = (gb_Plan){.method = GB_OUTER, .name = "outer"};
    if (tiled)
        snprintf(plan->reason, sizeof plan->reason,
                 "tiled: about %.3g entries per tile of 16 x 16, from %.3g on it is the faster way",
                 f->fill, f->fill_least);
    else if (outer)
        snprintf(plan->reason, sizeof plan->reason,
                 "outer: %.3g products per entry of the result, up to %.3g it is the faster way",
                 f->compression, GB_OUTER_COMPRESSION);
    else if (forced != GBL_DEFAULT)
        snprintf(plan->reason, sizeof plan->reason, "%s: asked for", plan->name);
    else
        explain_choice(plan, can_dot, f);
    return GBL_SUCCESS;
}
