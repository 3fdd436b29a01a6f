/* SPDX-License-Identifier: Apache-2.0
 *
 * GBLITE_TRACE: every product to stderr. One write for each, so that threads do not mix theirs.
 */
#include "mxm/explain/explain.h"

#include <stdio.h>

#include "core/memory.h"
#include "core/clock.h"

void gb_trace(const gbl_Explanation *why) {
    const gb_ExplainForm form = gb_tracing() == GB_TRACE_JSON ? gb_explain_json : gb_explain_text;
    gbl_Explanation how = *why;
    gb_Text text = {0};
    gb_explain_reason(&how);
    form(&text, &how);
    text.capacity = text.length + 2;
    text.to = gb_malloc(text.capacity);
    if (text.to == NULL) {
        fprintf(stderr, "gblite: no memory to tell of a product\n");
        return;
    }
    text.length = 0;
    form(&text, &how);
    gb_text_add(&text, "\n");
    fwrite(text.to, 1, text.length, stderr);
    gb_free(text.to, text.capacity);
}
