/* SPDX-License-Identifier: Apache-2.0
 *
 * Joining the products of equal columns in sorted short rows (shortkeys.h). Part of the templates
 * that use it.
 */
#include "cpu/rowwise/shortkeys.h"
#include "cpu/simd/template.h"

/* Emits the sorted row of lane l, whose f products are at w->prod + 64 * l; of a pattern only
 * columns are looked at. */
static inline uint64_t NAME(compress)(const gb_RowWork *w, const gb_ShortKeys *keys, unsigned l,
                                      unsigned f, gb_Idx *Ci, void *Cx) {
    const gb_RingArgs *R = &w->args;
    const void *prod = SR_AT(w->prod, 64 * l);
    uint64_t n = 0;
    gb_Idx last = GB_NO_KEY;
    if (SR_ANY && SR_PAIR) {
        n = gb_short_emit_distinct(keys, l, f, Ci);
        memset(Cx, 1, n);
        return n;
    }
    for (unsigned s = 0; s < f;) {
        const unsigned emitted =
            gb_short_emit16(keys, s, l, f, last, prod, SR_SIZE, Ci + n, SR_AT(Cx, n));
        const unsigned end = s + 16 < f ? s + 16 : f;
        n += emitted;
        if (emitted > 0) {
            last = Ci[n - 1];
            s = end;
        }
        for (; s < end; s++) {
            unsigned number;
            const gb_Idx j = gb_short_key(keys, s, l, &number);
            const SR_T *v = SR_AT(prod, number);
            if (j != last) {
                last = Ci[n] = j;
                SR_COPY(SR_AT(Cx, n), v);
                n++;
            } else {
                SR_JOIN(SR_AT(Cx, n - 1), v);
            }
        }
    }
    (void)R;
    return n;
}
