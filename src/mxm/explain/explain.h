/* SPDX-License-Identifier: Apache-2.0
 *
 * Explanations: the planner's facts and the measurements, as a struct, as text and as JSON. Texts
 * are made on request: one takes as long as a small product.
 */
#pragma once

#include "mxm/plan/plan.h"

/* Adds candidates, choice and features to an explanation of what the product has reported; and its
 * reason, for which candidates are required. */
void gb_explain_plan(gbl_Explanation *why, const gb_Plan *plan, const gb_Features *f);
/* Flops and samples, which a device may replace by its own counts. */
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
void gb_explain_line(gb_Text *text, const gbl_Explanation *how); /* without its newline */
void gb_explain_json(gb_Text *text, const gbl_Explanation *how);
typedef void (*gb_ExplainForm)(gb_Text *text, const gbl_Explanation *how);

/* A finished product to stderr, in the form that GBLITE_TRACE requests. */
void gb_trace(const gbl_Explanation *why);
