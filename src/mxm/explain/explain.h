/* SPDX-License-Identifier: Apache-2.0
 *
 * Explanations: what the planner knows and what was measured, as a struct, as text for people and
 * as JSON. Texts are made when they are asked for: one takes as long as a small product.
 */
#ifndef GB_MXM_EXPLAIN_H
#define GB_MXM_EXPLAIN_H

#include "core/text.h"
#include "mxm/plan/plan.h"

/* Candidates, choice and features into an explanation, beside what the product has reported; its
 * reason, for which there must be candidates. */
void gb_explain_plan(gbl_Explanation *why, const gb_Plan *plan, const gb_Features *f);
/* Flops and samples, which a device may replace by what it has counted itself. */
void gb_explain_flops(gbl_Explanation *why, const gb_Features *f);
void gb_explain_reason(gbl_Explanation *why);
/* How the product that last wrote A was computed, with its reason, or GBL_NO_VALUE. Assembles. */
gbl_Info gb_explain_get(gbl_Explanation *why, gb_Matrix *A);

/* GBL_HAS_ bits that explanations name. */
enum { GB_FORMAT_NAMES = 5 };
extern const struct gb_FormatName {
    unsigned bit;
    const char *name;
} gb_format_names[GB_FORMAT_NAMES];

/* explain_text.c: aligned lines; explain.c: one object, without an end of line. */
void gb_explain_text(gb_Text *text, const gbl_Explanation *how);
void gb_explain_json(gb_Text *text, const gbl_Explanation *how);
typedef void (*gb_ExplainForm)(gb_Text *text, const gbl_Explanation *how);

/* A finished product to stderr, in the form that GBLITE_TRACE asked for. */
void gb_trace(const gbl_Explanation *why);

#endif
