/* SPDX-License-Identifier: Apache-2.0
 *
 * What a search found gets its values, for one semiring that keeps any product and does not look at
 * the matrix's values. Included once per entry of semiring/foreach.h.
 */
#define NAME(f) GB_CAT(f, SR_NAME)

#if SR_ANY && !SR_USES_A /* the matrix is A where the semiring looks at it */
/* keys: n positions << 32 | entries of u, in the order of the list. */
static inline void NAME(list_found)(const gb_MxvArgs *g, const gb_RingArgs *R, const bool left,
                                    const uint64_t *keys, gb_Cs *out) {
    const gb_Idx *restrict ui = g->u_list.i;
    const void *value = g->seen.value;
    SR_T *seen = g->seen.x, *x = out->x; /* `seen` may be of another type, as large */
    for (gb_Off e = 0; e < out->nvals; e++) {
        const uint64_t j = keys[e] >> 32, q = keys[e] & UINT32_MAX, k = ui[q];
        SR_T c;
        GB_MXV_PRODUCT(SR_SET, &c, 0, q, k, j);
        out->i[e] = (gb_Idx)j;
        x[e] = c;
        memcpy(&seen[j], value != NULL ? value : &c, sizeof c);
        if (j < g->A.nmajor) __builtin_prefetch(&g->A.p[j]); /* where a search goes on */
        (void)k;
    }
    (void)R;
}

static void NAME(found)(const gb_MxvArgs *g, const uint64_t *keys, gb_Cs *out) {
    if (GB_MXV_LEFT(g))
        NAME(list_found)(g, &g->args, true, keys, out);
    else
        NAME(list_found)(g, &g->args, false, keys, out);
}
#endif

#undef NAME
