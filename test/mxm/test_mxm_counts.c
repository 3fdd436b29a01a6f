/* SPDX-License-Identifier: Apache-2.0
 *
 * Counted products by DOT inside a mask, of rows that are mostly short: rows of A and columns of B
 * from none to more than are compared as they stand; rows of the mask that are empty, that fill
 * batches of counts to the last entry, and that are longer than one; batches that count nothing.
 * Stored, they are the oracle's; reduced, their sum.
 */
#include "support/dot_case.h"

#include "core/tune.h"

enum { INNER = 48, ROWS = 72, COLUMNS = 640, BAND = 24 };

/* Rows of bands with an even number have even inner indices alone, and meet nothing in columns that
 * have odd ones. */
static bool is_even(gbl_Index row) {
    return row / BAND % 2 == 0;
}

static bool is_odd_column(gbl_Index j) {
    return j % 3 != 0;
}

static void put(o_Matrix *D, gbl_Index row, gbl_Index k, o_Value v) {
    D->x[row * D->ncols + k] = (o_Cell){true, v};
}

/* `entries` of a row, where they may lie: at any place, or at each second one from `first` on. */
static void put_row(o_Matrix *D, t_Random *r, gbl_Index row, gbl_Index entries, gbl_Index first,
                    gbl_Index step) {
    for (gbl_Index n = 0; n < entries; n++)
        put(D, row, first + step * t_below(r, (INNER - first + step - 1) / step),
            t_value(r, D->type));
}

/* Entries of row i of the mask: none, a few, just a batch, one more, all. */
static gbl_Index mask_length(t_Random *r, gbl_Index i) {
    static const gbl_Index lengths[] = {
        0, 3, 1, GB_DOT_BATCH - 4, 2, 0, GB_DOT_BATCH, 5, 3, GB_DOT_BATCH + 1, 1, 4};
    if (i % 29 == 28) return COLUMNS;
    return i % BAND < 12 ? lengths[i % 12] : t_below(r, 4);
}

static void begin(t_DotCase *of, uint64_t seed) {
    t_Random r = t_random(seed);
    of->A = o_new(of->ring.multiply.x, ROWS, INNER);
    of->B = o_new(of->ring.multiply.y, COLUMNS, INNER);
    of->M = o_new(o_type(GBL_BOOL_CODE), ROWS, COLUMNS);
    for (gbl_Index i = 0; i < ROWS; i++)
        put_row(&of->A, &r, i, i % 11 == 10 ? 30 : i % 10, 0, is_even(i) ? 2 : 1);
    for (gbl_Index j = 0; j < COLUMNS; j++)
        put_row(&of->B, &r, j, j % 17 == 16 ? 40 : j % 6, is_odd_column(j),
                is_odd_column(j) ? 2 : 1);
    for (gbl_Index i = 0; i < ROWS; i++) {
        const gbl_Index n = mask_length(&r, i), first = t_below(&r, COLUMNS - n + 1);
        for (gbl_Index j = first; j < first + n; j++)
            if (!is_even(i) || is_odd_column(j)) put(&of->M, i, j, (o_Value){.b = j % 5 != 0});
    }
    t_dot_begin(of, false);
}

static void check_sum(const t_DotCase *of, gbl_Matrix C) {
    int64_t stored = 0, reduced = 0;
    const gbl_Descriptor desc = of->flags.mask == T_STRUCTURAL ? GBL_DESC_ST1 : GBL_DESC_T1;
    OK(gbl_Matrix_reduce_INT64(&stored, NULL, GBL_PLUS_MONOID_INT64, C, NULL));
    OK(gbl_mxm_reduce_INT64(&reduced, of->gM, NULL, GBL_PLUS_MONOID_INT64, of->ring.handle, of->gA,
                            of->gB, desc));
    CHECK_EQ(reduced, stored);
    CHECK(stored > 0);
}

static void run_ring(o_Opcode add, gbl_Type_Code type, int32_t threads) {
    static const t_Mask masks[] = {T_STRUCTURAL, T_VALUED};
    const t_Ring *entry = t_find_ring(add, O_ONEB, type);
    t_DotCase of = {.name = entry->name,
                    .ring = t_ring(entry),
                    .flags = {.tran1 = true, .method = GBL_METHOD_DOT}};
    OK(gbl_Global_set_INT32(GBL_GLOBAL, threads, GBL_NTHREADS));
    begin(&of, 10 * (uint64_t)type + (uint64_t)threads);
    for (int round = 0; round < 4; round++) { /* bits are made once they pay */
        of.flags.mask = masks[round % 2];
        t_case("%s, %s mask, %d threads, round %d", of.name, t_mask_names[of.flags.mask],
               (int)threads, round);
        gbl_Matrix C = t_dot_product(&of);
        if (add == O_PLUS) check_sum(&of, C);
        OK(gbl_Matrix_free(&C));
    }
    t_dot_end(&of);
}

GB_TEST(mxm_counts, short_rows) {
    static const struct {
        o_Opcode add;
        gbl_Type_Code type;
    } rings[] = {{O_PLUS, GBL_INT64_CODE},
                 {O_PLUS, GBL_INT32_CODE},
                 {O_PLUS, GBL_UINT64_CODE},
                 {O_PLUS, GBL_FP64_CODE},
                 {O_ANY, GBL_BOOL_CODE}};
    for (size_t k = 0; k < T_COUNT(rings); k++)
        for (int32_t threads = 1; threads <= 4; threads++)
            if (!t_left_out()) run_ring(rings[k].add, rings[k].type, threads);
}

/* Nothing meets: no entry is stored, and no row begins behind another. */
GB_TEST(mxm_counts, nothing) {
    enum { N = 3000 };
    int64_t sum = 1;
    gbl_Matrix A = t_new_matrix(GBL_BOOL, N, N), B = t_new_matrix(GBL_BOOL, N, N);
    gbl_Matrix M = t_new_matrix(GBL_BOOL, N, N), C = t_new_matrix(GBL_INT64, N, N);
    for (gbl_Index i = 0; i + 2 < N; i++) {
        OK(gbl_Matrix_setElement_BOOL(A, true, i, i / 2 * 2));
        OK(gbl_Matrix_setElement_BOOL(B, true, i, i / 2 * 2 + 1));
        for (gbl_Index j = i; j < i + i % 3; j++) OK(gbl_Matrix_setElement_BOOL(M, true, i, j));
    }
    const gbl_Semiring ring = GBL_PLUS_PAIR_SEMIRING_INT64;
    OK(gbl_mxm(C, M, NULL, ring, A, B, GBL_DESC_ST1));
    CHECK_EQ(t_nvals(C), 0);
    OK(gbl_mxm_reduce_INT64(&sum, M, NULL, GBL_PLUS_MONOID_INT64, ring, A, B, GBL_DESC_ST1));
    CHECK_EQ(sum, 0);
    FREE(A, B, M, C);
}
