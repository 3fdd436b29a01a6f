/* SPDX-License-Identifier: Apache-2.0
 *
 * One step of a search that goes on from few vertices: push over ANY outside of a bitmap which gets
 * what is found (gb_MxvArgs, seen). A position is marked there when it is first met, so that the
 * product of the smallest k is kept; what was met is sorted, and the list and the bitmap get their
 * values in one pass. One thread; a few ns for each product, and for each position found.
 */
#include "kernel_api/backend.h"
#include "core/arrays.h"
#include "core/tune.h"
#include "cpu/cpu.h"
#include "cpu/simd/simd.h"
#include "cpu/mxv/mxv.h"
#include "cpu/common/sort.h"
#include "semiring/ids.h"

#define SR_TEMPLATE "cpu/mxv/mxv_fused.tmpl.h"
#include "semiring/foreach.h"
#undef SR_TEMPLATE

typedef void (*gb_FoundKernel)(const gb_MxvArgs *g, const uint64_t *keys, gb_Cs *out);
#define ENTRY(name) [GB_RING_##name] = found_##name
static const gb_FoundKernel kernels[GB_RING_COUNT] = {ENTRY(ANY_PAIR_BOOL), ENTRY(ANY_SECOND_INT64),
                                                      ENTRY(ANY_SECONDI_INT64),
                                                      ENTRY(ANY_SECONDI_INT32)};
#undef ENTRY

bool gb_cpu_has_fused(int ring) {
    return kernels[ring] != NULL;
}

/* Positions not yet marked, and the entries of u that they are met from; how many.
 * Whether one is marked is a branch that nobody predicts in rows as different as a road's, and that
 * costs less than stores where rows are alike. */
GB_OP uint64_t meet(const gb_MxvArgs *g, const bool branches, uint64_t *restrict keys) {
    const gb_CsView A = g->A, u = g->u_list;
    int8_t *restrict b = g->seen.b;
    uint64_t n = 0;
    for (gb_Off q = 0; q < u.nvals; q++) {
        if (q + GB_FUSED_AHEAD < u.nvals) __builtin_prefetch(&A.i[A.p[u.i[q + GB_FUSED_AHEAD]]]);
        const gb_Off end = A.p[u.i[q] + 1];
        for (gb_Off p = A.p[u.i[q]]; p < end; p++) {
            const uint64_t j = A.i[p];
            const bool known = b[j] != 0;
            if (branches && known) continue;
            b[j] = 1;
            keys[n] = j << 32 | q;
            n += !known;
        }
    }
    return n;
}

gbl_Info gb_cpu_mxv_fused(const gb_MxvArgs *g, gb_Cs *out) {
    uint64_t *keys = g->seen.room;
    const bool branches = g->work > GB_PUSH_SHORT * g->u_list.nvals;
    const uint64_t n = branches ? meet(g, true, keys) : meet(g, false, keys);
    gb_sort64(keys, keys + g->work, n, 32, 32 + gb_key_bits(g->A.nminor));
    const gbl_Info info = gb_cs_alloc(out, 1, n, n * g->args.zsize);
    if (info != GBL_SUCCESS) {
        for (uint64_t e = 0; e < n; e++) g->seen.b[keys[e] >> 32] = 0;
        return info;
    }
    out->p[0] = 0;
    out->p[1] = n;
    kernels[g->ring](g, keys, out);
    return GBL_SUCCESS;
}
