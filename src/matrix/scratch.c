/* SPDX-License-Identifier: Apache-2.0
 *
 * See matrix.h. Those not in use are a chain. Who exchanges its head for NULL owns all of it, so
 * no two threads ever read a link at once.
 */
#include "matrix/matrix.h"

void gb_scratch_free(gb_Scratch *chain) {
    while (chain != NULL) {
        gb_Scratch *s = chain;
        chain = s->next;
        gb_free(s->memory, s->bytes);
        gb_free(s->val, s->val_bytes);
        gb_free(s, sizeof *s);
    }
}

static gbl_Info grow_values(gb_Scratch *s, size_t bytes) {
    gb_free(s->val, s->val_bytes);
    s->val = bytes > 0 ? gb_malloc(bytes) : NULL;
    s->val_bytes = s->val != NULL ? bytes : 0;
    return s->val != NULL || bytes == 0 ? GBL_SUCCESS : gb_fail_memory(bytes);
}

/* A chain joins those that were given meanwhile, as many as there are threads. Of a long chain the
 * first alone keeps values, which need no clearing. */
void gb_scratch_give(gb_Matrix *A, gb_Format axis, gb_Scratch *chain) {
    gb_Scratch *none = NULL;
    while (chain != NULL && !__atomic_compare_exchange_n(&A->scratch[axis], &none, chain, false,
                                                         __ATOMIC_RELEASE, __ATOMIC_RELAXED)) {
        gb_Scratch *next, *s = __atomic_exchange_n(&A->scratch[axis], NULL, __ATOMIC_ACQUIRE);
        for (; s != NULL && chain->behind + 1 < gb_nthreads(); s = next) {
            next = s->next;
            s->next = chain;
            s->behind = chain->behind + 1;
            const uint64_t most = 8 * (A->nvals + gb_nmajor(A, axis)); /* about A's bytes */
            if ((uint64_t)chain->behind >= most / (chain->val_bytes + 1))
                (void)grow_values(chain, 0);
            chain = s;
        }
        gb_scratch_free(s);
        none = NULL;
    }
}

static gb_Scratch *new_scratch(uint64_t n) {
    gb_Scratch *s = gb_malloc(sizeof *s);
    if (s == NULL) return NULL;
    *s = (gb_Scratch){.bytes = gb_bitset_bytes(n)};
    s->memory = gb_calloc(s->bytes);
    if (s->memory == NULL) {
        gb_free(s, sizeof *s);
        return NULL;
    }
    s->set = gb_bitset_at(s->memory, n);
    return s;
}

gbl_Info gb_scratch_take(gb_Scratch **scratch, gb_Matrix *A, gb_Format axis, size_t val_bytes) {
    const uint64_t n = gb_nmajor(A, axis);
    gb_Scratch *s = __atomic_exchange_n(&A->scratch[axis], NULL, __ATOMIC_ACQUIRE);
    *scratch = NULL;
    if (s == NULL) s = new_scratch(n);
    if (s == NULL) return gb_fail_memory(gb_bitset_bytes(n));
    if (s->next != NULL) gb_scratch_give(A, axis, s->next);
    s->next = NULL;
    s->behind = 0;
    const gbl_Info info = s->val_bytes < val_bytes ? grow_values(s, val_bytes) : GBL_SUCCESS;
    if (info == GBL_SUCCESS)
        *scratch = s;
    else
        gb_scratch_give(A, axis, s);
    return info;
}

/* -- entries of a vector */

typedef struct {
    uint64_t *words;
    const gb_CsView *list;
} gb_Marking;

/* Words [from, to). */
static void mark_range(void *context, uint64_t from, uint64_t to) {
    const gb_Marking *m = context;
    const gb_CsView *list = m->list;
    const gb_Off end = gb_first_at_least(list->i, 0, list->nvals, 64 * to);
    for (gb_Off q = gb_first_at_least(list->i, 0, list->nvals, 64 * from); q < end; q++)
        m->words[list->i[q] / 64] |= (uint64_t)1 << (list->i[q] % 64);
}

void gb_scratch_mark(gb_Scratch *s, const gb_CsView *list) {
    gb_Marking m = {s->set.words, list};
    for (gb_Off q = 0; q < list->nvals && list->p == NULL; q++)
        m.words[list->i[q] / 64] |= (uint64_t)1 << (list->i[q] % 64);
    if (list->p == NULL) return;
    gb_parallel_ranges(gb_threads_for(list->nvals, 4 * GB_GRAIN, gb_nthreads()),
                       gb_words_for(s->set.n), mark_range, &m);
}

/* Bits of eight bytes 0 or 1. */
static uint64_t pack8(const int8_t *b) {
    uint64_t bytes;
    memcpy(&bytes, b, sizeof bytes);
    return bytes * UINT64_C(0x0102040810204080) >> 56;
}

void gb_scratch_mark_bytes(gb_Scratch *s, const gb_DenseView *bitmap) {
    uint64_t *words = s->set.words, k = 0;
    for (; k + 8 <= bitmap->n; k += 8) words[k / 64] |= pack8(bitmap->b + k) << (k % 64);
    for (; k < bitmap->n; k++) words[k / 64] |= (uint64_t)bitmap->b[k] << (k % 64);
}

void gb_scratch_unmark(gb_Scratch *s, const gb_CsView *list) {
    uint64_t *words = s->set.words;
    if (list->i == NULL || list->nvals > s->set.n / 64) {
        memset(words, 0, gb_words_for(s->set.n) * sizeof *words);
        return;
    }
    for (gb_Off q = 0; q < list->nvals; q++) words[list->i[q] / 64] = 0;
}

/* Sizes that are constants make each copy one instruction. */
static inline void spread_sized(char *val, const gb_CsView *list, size_t size) {
    for (gb_Off q = 0; q < list->nvals; q++)
        memcpy(val + list->i[q] * size, (const char *)list->x + q * size, size);
}

void gb_scratch_spread(gb_Scratch *s, const gb_CsView *list, size_t size) {
    if (size == 8)
        spread_sized(s->val, list, 8);
    else if (size == 4)
        spread_sized(s->val, list, 4);
    else
        spread_sized(s->val, list, size);
}
