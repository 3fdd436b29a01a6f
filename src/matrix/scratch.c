/* SPDX-License-Identifier: Apache-2.0
 *
 * See scratch.h.
 */
#include "matrix/scratch.h"

#include "core/memory.h"

void gb_scratch_free(gb_Scratch *s) {
    if (s == NULL) return;
    gb_free(s->memory, s->bytes);
    gb_free(s->val, s->val_bytes);
    gb_free(s, sizeof *s);
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
    if (s->val_bytes < val_bytes) {
        gb_free(s->val, s->val_bytes);
        s->val = gb_malloc(val_bytes);
        s->val_bytes = s->val != NULL ? val_bytes : 0;
        if (s->val == NULL) {
            gb_scratch_give(A, axis, s);
            return gb_fail_memory(val_bytes);
        }
    }
    *scratch = s;
    return GBL_SUCCESS;
}

void gb_scratch_give(gb_Matrix *A, gb_Format axis, gb_Scratch *s) {
    gb_Scratch *nothing = NULL;
    if (s == NULL) return;
    if (!__atomic_compare_exchange_n(&A->scratch[axis], &nothing, s, false, __ATOMIC_RELEASE,
                                     __ATOMIC_RELAXED))
        gb_scratch_free(s);
}
