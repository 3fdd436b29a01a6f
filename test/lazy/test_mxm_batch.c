/* SPDX-License-Identifier: Apache-2.0
 *
 * Products of many matrices in one call: against the oracle, with masks, accumulators, transposes,
 * inputs that are outputs, and large products between small ones; then bits against a loop, and
 * failures, which name the product and leave everything as it was.
 */
#include "support/errors.h"
#include "support/gb_test.h"

#include <string.h>

enum { MOST = 40 };

typedef struct {
    gbl_Index n;
    o_Matrix dense[4][MOST];
    gbl_Matrix C[MOST], M[MOST], A[MOST], B[MOST];
} Batch;

/* Types come in runs, so that some groups end by them; some products are too large for a group. */
static void fill(Batch *b, uint64_t seed, const t_Flags *flags, gbl_Type_Code type) {
    static const gbl_Type_Code codes[] = {GBL_INT64_CODE, GBL_INT32_CODE, GBL_FP64_CODE};
    t_Random r = t_random(seed);
    for (gbl_Index k = 0; k < b->n; k++) {
        const gbl_Index most = k % 13 == 5 ? 120 : 25;
        const gbl_Index m = 1 + t_below(&r, most), n = 1 + t_below(&r, most),
                        inner = 1 + t_below(&r, most);
        const gbl_Index shape[4][2] = {{m, n},
                                       {m, n},
                                       {flags->tran0 ? inner : m, flags->tran0 ? m : inner},
                                       {flags->tran1 ? n : inner, flags->tran1 ? inner : n}};
        gbl_Matrix *const to[] = {b->C, b->M, b->A, b->B};
        for (int which = 0; which < 4; which++) {
            const gbl_Type_Code own = seed % 2 ? type : codes[(k / 9 + (unsigned)which) % 3];
            const t_Content content = {.type = o_type(which == 0   ? type
                                                      : which == 1 ? GBL_INT8_CODE
                                                                   : own),
                                       .nrows = shape[which][0],
                                       .ncols = shape[which][1],
                                       .pattern = (t_Pattern)t_below(&r, T_PATTERNS),
                                       .density = t_chance(&r, 0.5) ? 0.1 : 0.4,
                                       .iso = t_chance(&r, 0.2)};
            b->dense[which][k] = t_generate(&r, &content);
            to[which][k] =
                content.iso ? t_iso_matrix(&b->dense[which][k]) : t_matrix(&b->dense[which][k]);
        }
        if (t_chance(&r, 0.3)) OK(gbl_Matrix_wait(b->A[k], GBL_MATERIALIZE));
    }
}

static void empty(Batch *b) {
    for (gbl_Index k = 0; k < b->n; k++) {
        for (int which = 0; which < 4; which++) o_free(&b->dense[which][k]);
        FREE(b->C[k], b->M[k], b->A[k], b->B[k]);
    }
}

static void check(uint64_t seed, const t_Ring *entry) {
    const t_Flags flags = t_flags((unsigned)((seed * 37) % T_FLAGS_ALL));
    const o_Ring ring = t_ring(entry);
    const o_Binary accum = t_find_binary(O_PLUS, entry->type);
    static Batch b;
    b.n = seed % 7 == 0 ? 1 : MOST;
    fill(&b, seed, &flags, entry->type);
    t_Random r = t_random(seed + 1);
    bool masked[MOST];
    for (gbl_Index k = 0; k < b.n; k++) {
        masked[k] = t_has_mask(flags.mask) && t_chance(&r, 0.9);
        if (!masked[k]) OK(gbl_Matrix_free(&b.M[k]));
    }
    gbl_Descriptor desc = t_descriptor(&flags);
    OK(gbl_mxm_batch(b.C, t_has_mask(flags.mask) ? b.M : NULL, flags.accum ? accum.handle : NULL,
                     ring.handle, b.A, b.B, b.n, desc));
    for (gbl_Index k = 0; k < b.n; k++) {
        t_Flags own = flags;
        const bool complement = flags.mask == T_COMP || flags.mask == T_COMP_STRUCTURAL;
        if (t_has_mask(flags.mask) && !masked[k])
            own.mask = complement ? T_COMP_NO_MASK : T_NO_MASK;
        const o_Rule rule = t_rule(&own, &b.dense[1][k], &accum);
        t_case("seed %llu, product %d, %s", (unsigned long long)seed, (int)k, t_flags_text(&flags));
        o_mxm(&b.dense[0][k], &rule,
              &(o_Product){.ring = &ring, .A = &b.dense[2][k], .B = &b.dense[3][k]});
        t_expect("C", &b.dense[0][k], b.C[k], 0);
        t_expect("A", &b.dense[2][k], b.A[k], 0);
    }
    OK(gbl_Descriptor_free(&desc));
    empty(&b);
}

GB_TEST(mxm_batch, oracle) {
    static const struct {
        o_Opcode add, multiply;
        gbl_Type_Code type;
    } rings[] = {{O_PLUS, O_TIMES, GBL_INT64_CODE},
                 {O_MIN, O_PLUS, GBL_INT64_CODE},
                 {O_PLUS, O_FIRST, GBL_FP64_CODE},
                 {O_PLUS, O_ONEB, GBL_INT64_CODE}};
    for (uint64_t seed = 0; seed < 120; seed++) {
        if (t_left_out()) continue;
        OK(gbl_Global_set_INT32(GBL_GLOBAL, 1 + (int32_t)(seed % 3), GBL_NTHREADS));
        const size_t k = seed % T_COUNT(rings);
        check(seed, t_find_ring(rings[k].add, rings[k].multiply, rings[k].type));
    }
}

/* Sums of floats have the bits of gbl_mxm; multiplications by position know their own product. */
GB_TEST(mxm_batch, has_the_bits_of_a_loop) {
    const gbl_Semiring rings[] = {GBL_PLUS_TIMES_SEMIRING_FP64, GBL_MIN_SECONDI_SEMIRING_INT64};
    const t_Flags flags = {.mask = T_NO_MASK};
    for (size_t k = 0; k < T_COUNT(rings); k++) {
        static Batch b;
        b.n = MOST;
        fill(&b, 11 + 2 * k, &flags, k == 0 ? GBL_FP64_CODE : GBL_INT64_CODE);
        gbl_Matrix D[MOST];
        for (gbl_Index p = 0; p < b.n; p++) {
            OK(gbl_Matrix_dup(&D[p], b.C[p]));
            OK(gbl_mxm(D[p], NULL, NULL, rings[k], b.A[p], b.B[p], NULL));
        }
        OK(gbl_mxm_batch(b.C, NULL, NULL, rings[k], b.A, b.B, b.n, NULL));
        for (gbl_Index p = 0; p < b.n; p++) {
            o_Matrix right = t_dense(D[p]);
            t_case("ring %d, product %d", (int)k, (int)p);
            t_expect("C", &right, b.C[p], 0);
            FREE(right, D[p]);
        }
        empty(&b);
    }
}

/* All inputs are read first. */
GB_TEST(mxm_batch, inputs_may_be_outputs) {
    gbl_Matrix A = t_seeded_matrix(1, GBL_INT64_CODE, 9, 9, 0.3);
    gbl_Matrix B = t_seeded_matrix(2, GBL_INT64_CODE, 9, 9, 0.3), C = NULL, D = NULL;
    OK(gbl_Matrix_new(&C, GBL_INT64, 9, 9));
    OK(gbl_Matrix_new(&D, GBL_INT64, 9, 9));
    const gbl_Semiring ring = GBL_PLUS_TIMES_SEMIRING_INT64;
    OK(gbl_mxm(C, NULL, NULL, ring, A, B, NULL));
    OK(gbl_mxm(D, NULL, NULL, ring, B, A, NULL));
    o_Matrix ab = t_dense(C), ba = t_dense(D);
    OK(gbl_mxm_batch((gbl_Matrix[]){A, B}, NULL, NULL, ring, (gbl_Matrix[]){A, B},
                     (gbl_Matrix[]){B, A}, 2, NULL));
    t_expect("A B", &ab, A, 0);
    t_expect("B A", &ba, B, 0);
    OK(gbl_mxm_batch(NULL, NULL, NULL, ring, NULL, NULL, 0, NULL));
    FREE(A, B, C, D, ab, ba);
}

GB_TEST(mxm_batch, failures_name_the_product) {
    gbl_Matrix A = t_seeded_matrix(1, GBL_INT64_CODE, 9, 9, 0.3);
    gbl_Matrix wrong = t_seeded_matrix(2, GBL_INT64_CODE, 8, 9, 0.3), C = NULL, D = NULL;
    OK(gbl_Matrix_dup(&C, A));
    OK(gbl_Matrix_dup(&D, A));
    o_Matrix before = t_dense(C);
    const gbl_Semiring ring = GBL_PLUS_TIMES_SEMIRING_INT64;
    const gbl_Matrix out[] = {C, D}, left[] = {A, A}, right[] = {A, wrong}, none[] = {A, NULL};
    FAILS(GBL_DIMENSION_MISMATCH, gbl_mxm_batch(out, NULL, NULL, ring, left, right, 2, NULL));
    CHECK(strstr(gbl_last_error(), "product 1: ") != NULL);
    FAILS(GBL_NULL_POINTER, gbl_mxm_batch(out, NULL, NULL, ring, left, none, 2, NULL));
    CHECK(strstr(gbl_last_error(), "product 1: B") != NULL);
    FAILS(GBL_NULL_POINTER, gbl_mxm_batch(none, NULL, NULL, ring, left, left, 2, NULL));
    FAILS(GBL_NULL_POINTER, gbl_mxm_batch(NULL, NULL, NULL, ring, left, left, 2, NULL));
    FAILS(GBL_NULL_POINTER, gbl_mxm_batch(out, NULL, NULL, ring, NULL, left, 2, NULL));
    FAILS(GBL_NULL_POINTER, gbl_mxm_batch(out, NULL, NULL, ring, left, NULL, 2, NULL));
    FAILS(GBL_NULL_POINTER, gbl_mxm_batch(out, NULL, NULL, NULL, left, left, 2, NULL));
    t_expect("C", &before, C, 0);
    t_expect("D", &before, D, 0);
    FREE(A, wrong, C, D, before);
}

/* The n-th block is not to be had: all outputs are as they were, or right. */
BRUTAL(mxm_batch) {
    enum { COUNT = 12 };
    gbl_Matrix A[COUNT], C[COUNT];
    o_Matrix old[COUNT], made[COUNT];
    for (int k = 0; k < COUNT; k++) {
        A[k] = t_seeded_matrix((uint64_t)k, GBL_INT64_CODE, 9, 9, 0.3);
        gbl_Matrix D = t_seeded_matrix((uint64_t)k + 50, GBL_INT64_CODE, 9, 9, 0.3);
        old[k] = t_dense(D);
        OK(gbl_mxm(D, NULL, GBL_PLUS_INT64, GBL_PLUS_TIMES_SEMIRING_INT64, A[k], A[k], NULL));
        made[k] = t_dense(D);
        OK(gbl_Matrix_free(&D));
    }
    bool failed = true;
    for (int64_t n = 1; failed; n++) {
        if (t_left_out() && n > 1) continue;
        for (int k = 0; k < COUNT; k++) C[k] = t_matrix(&old[k]);
        t_case("allocation %lld fails", (long long)n);
        const gbl_Info info =
            FAIL_AT(n,
                    gbl_mxm_batch(C, NULL, GBL_PLUS_INT64, GBL_PLUS_TIMES_SEMIRING_INT64, A, A,
                                  COUNT, NULL),
                    &failed);
        for (int k = 0; k < COUNT; k++) {
            t_expect("C", info == GBL_SUCCESS ? &made[k] : &old[k], C[k], 0);
            OK(gbl_Matrix_free(&C[k]));
        }
    }
    for (int k = 0; k < COUNT; k++) FREE(A[k], old[k], made[k]);
}
