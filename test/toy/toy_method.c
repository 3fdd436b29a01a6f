/* SPDX-License-Identifier: Apache-2.0
 *
 * TOY: a complete method of mxm in one file, as docs/how_to_add.md describes it. One thread sums
 * each row of C in a dense array, through the functions of the semiring, and starts nothing that
 * would have to be paid for by a large product: so it is the cheapest for products of a few flops.
 *
 * Workspace: [2] scratch of the semiring and [n] values of a row, then [n] marks. A mark is 1 where
 * the row has an entry; all are 0 between rows.
 */
#include <string.h>

#include "core/arrays.h"
#include "mxm/model/method.h"
#include "mxm/model/call.h"
#include "semiring/generic.h"

typedef struct {
    const gb_CsView *A, *B;
    gb_RingArgs R;
    char *value; /* [n * zsize] */
    char *mark;  /* [n] */
    uint64_t n;
} Toy;

static const char *refuse(const gb_Method *m, const gb_Features *f) {
    (void)m;
    return f->mask == GB_MASK_NONE ? NULL : "it knows no masks";
}

static double workspace_bytes(const gb_Features *f) {
    return ((double)f->n + 2.0) * (double)(f->zsize + 1);
}

/* C's entries are counted before its arrays are made, so the limit has nothing to slice. */
static gb_Workspace workspace(const gb_Method *m, const gb_CostCase *s, const gb_Cut *cut) {
    (void)m, (void)cut;
    return (gb_Workspace){.size = 1.0,
                          .fixed = workspace_bytes(s->f),
                          .beside = workspace_bytes(s->f),
                          .slices = 1.0};
}

/* Both passes look at every flop, and at every column of every row. */
static void count(const gb_Method *m, gb_Counts *c, const gb_CostCase *s) {
    const gb_Features *f = s->f;
    (void)m;
    c->n[GB_RATE_ROW] += (double)f->m;
    c->n[GB_RATE_FETCH] += 2.0 * (double)f->A.nvals;
    c->n[GB_RATE_DENSE] += 2.0 * ((double)f->flops + (double)f->m * (double)f->n);
    c->n[GB_RATE_GENERIC] += (double)f->flops;
}

/* Marks the columns of row i; returns how many there are. */
static uint64_t mark_row(const Toy *t, uint64_t i) {
    uint64_t entries = 0;
    for (gb_Off p = t->A->p[i]; p < t->A->p[i + 1]; p++) {
        const gb_Idx k = t->A->i[p];
        for (gb_Off q = t->B->p[k]; q < t->B->p[k + 1]; q++) {
            entries += !t->mark[t->B->i[q]];
            t->mark[t->B->i[q]] = 1;
        }
    }
    return entries;
}

static uint64_t count_entries(const Toy *t) {
    uint64_t entries = 0;
    for (uint64_t i = 0; i < t->A->nmajor; i++) {
        entries += mark_row(t, i);
        memset(t->mark, 0, t->n);
    }
    return entries;
}

/* Values of row i, summed in the order of k. */
static void sum_row(const Toy *t, uint64_t i) {
    const gb_RingArgs *R = &t->R;
    for (gb_Off p = t->A->p[i]; p < t->A->p[i + 1]; p++) {
        const gb_Idx k = t->A->i[p];
        const void *a = (const char *)R->Ax + p * R->astride;
        for (gb_Off q = t->B->p[k]; q < t->B->p[k + 1]; q++) {
            const gb_Idx j = t->B->i[q];
            void *c = t->value + j * R->zsize;
            const void *b = (const char *)R->Bx + q * R->bstride;
            const gb_Triple at = {i, k, j};
            if (t->mark[j])
                gb_generic_fma(R, c, a, b, at);
            else
                gb_generic_set(R, c, a, b, at);
            t->mark[j] = 1;
        }
    }
}

static void fill(const Toy *t, gb_Cs *C) {
    gb_Off at = 0;
    for (uint64_t i = 0; i < C->nmajor; i++) {
        C->p[i] = at;
        sum_row(t, i);
        for (uint64_t j = 0; j < t->n; j++) {
            if (!t->mark[j]) continue;
            C->i[at] = (gb_Idx)j;
            memcpy((char *)C->x + at++ * t->R.zsize, t->value + j * t->R.zsize, t->R.zsize);
            t->mark[j] = 0;
        }
    }
    C->p[C->nmajor] = at;
}

static gbl_Info multiply(const Toy *t, const gb_Allowance *allow, gb_Cs *C) {
    const uint64_t entries = count_entries(t);
    size_t bytes;
    if (!gb_size_mul(&bytes, entries, t->R.zsize)) return gb_fail_memory(SIZE_MAX);
    gbl_Info info = gb_allow_result(allow, (double)bytes + (double)entries * sizeof(gb_Idx), 1.0);
    if (info == GBL_SUCCESS) info = gb_cs_alloc(C, t->A->nmajor, entries, bytes);
    if (info == GBL_SUCCESS) fill(t, C);
    return info;
}

static gbl_Info run(const gb_Method *m, gb_MxmRun *run, gb_Result *T) {
    const gb_CsView *A = &run->in->A.taken.view, *B = &run->in->B.taken.view;
    Toy t = {.A = A,
             .B = B,
             .R = gb_ring_args(run->call->ring, A->x, A->iso, B->x, B->iso),
             .n = run->f->n};
    size_t bytes;
    (void)m;
    if (!gb_size_mul(&bytes, t.n + 2, t.R.zsize + 1)) return gb_fail_memory(SIZE_MAX);
    t.R.scratch = gb_calloc(bytes);
    if (t.R.scratch == NULL) return gb_fail_memory(bytes);
    t.value = (char *)t.R.scratch + 2 * t.R.zsize;
    t.mark = t.value + t.n * t.R.zsize;
    const gbl_Info info = multiply(&t, &run->budget->allow, &T->cs);
    gb_free(t.R.scratch, bytes);
    return info;
}

/* A method of the library has a name for its value of GBL_METHOD in gblite_types.h. */
const gb_Method gb_method_toy = {
    .name = "toy",
    .variant = "counted",
    .place = GBL_PLACE_CPU,
    .about = "sums each row in a dense array, on one thread, through the semiring's functions",
    .method = (gbl_Desc_Value)7999,
    .a = GB_BY_ROWS,
    .b = GB_BY_ROWS,
    .suits_small = true,
    .refuse = refuse,
    .workspace = workspace,
    .count = count,
    .run = run,
};
