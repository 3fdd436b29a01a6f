/* SPDX-License-Identifier: Apache-2.0
 *
 * DOT where B is told apart by hubs: inner indices of all frequencies, those that are hubs spread
 * over the inner dimension; columns that have all hubs, few and none; rows of A with hubs alone,
 * without any, and empty ones. Counts are exact.
 */
#include "support/dot_case.h"

#include "matrix/derived.h"

enum { INNER = 2600, ROWS = 60, COLUMNS = 500, HUBS = 700 };

/* -- content ----------------------------------------------------------------------------------- */

/* Every third inner index or so is a hub. */
static bool is_hub(gbl_Index k) {
    return k * 7919 % INNER < HUBS;
}

/* A row of D with entries of hubs and of others, in percent. */
static void put_row(o_Matrix *D, t_Random *r, gbl_Index row, unsigned hubs, unsigned others) {
    for (gbl_Index k = 0; k < D->ncols; k++) {
        const unsigned percent = is_hub(k) ? hubs : others;
        if (t_below(r, 100) >= percent) continue;
        D->x[row * D->ncols + k] = (o_Cell){true, t_value(r, D->type)};
    }
}

/* op(B)' : its rows are the columns of op(B). */
static o_Matrix skewed(t_Random *r, o_Type type, gbl_Index rows) {
    static const unsigned kinds[][2] = {{40, 0}, {15, 1}, {2, 1}, {0, 1}, {0, 0}, {25, 0}, {1, 0}};
    o_Matrix D = o_new(type, rows, INNER);
    for (gbl_Index j = 0; j < rows; j++)
        put_row(&D, r, j, kinds[j % T_COUNT(kinds)][0], kinds[j % T_COUNT(kinds)][1]);
    return D;
}

static gb_HeavyRows hubs_of(gbl_Matrix B) {
    return gb_heavy_get(&B->m, GB_CSR, &(gb_HeavyUse){0, 0, 0});
}

/* -- a case ------------------------------------------------------------------------------------ */

static void begin(t_DotCase *of, o_Opcode add, gbl_Type_Code type, uint64_t seed) {
    t_Random r = t_random(seed);
    const t_Ring *entry = t_find_ring(add, O_ONEB, type);
    *of = (t_DotCase){.name = entry->name, .ring = t_ring(entry)};
    of->flags = (t_Flags){.mask = T_STRUCTURAL, .tran1 = true, .method = GBL_METHOD_DOT};
    of->A = skewed(&r, of->ring.multiply.x, ROWS);
    of->B = skewed(&r, of->ring.multiply.y, COLUMNS);
    of->M = t_generate(&r, &(t_Content){o_type(GBL_INT16_CODE), ROWS, COLUMNS, T_RANDOM,
                                        seed % 2 ? 1.0 : 0.6, false, false});
    t_dot_begin(of, false);
}

/* The product, and its sum where it is of INT64, are the oracle's. */
static void multiply(const t_DotCase *of) {
    gbl_Descriptor desc = t_descriptor(&of->flags);
    gbl_Matrix C = t_dot_product(of);
    if (of->ring.add.z.code == GBL_INT64_CODE) {
        int64_t stored = 0, folded = -1;
        OK(gbl_Matrix_reduce_INT64(&stored, NULL, GBL_PLUS_MONOID_INT64, C, NULL));
        OK(gbl_mxm_reduce_INT64(&folded, of->gM, NULL, GBL_PLUS_MONOID_INT64, of->ring.handle,
                                of->gA, of->gB, desc));
        CHECK(stored > 0);
        CHECK_EQ(folded, stored);
    }
    OK(gbl_Matrix_free(&C));
    OK(gbl_Descriptor_free(&desc));
}

/* -- tests ------------------------------------------------------------------------------------- */

static const struct {
    o_Opcode add;
    gbl_Type_Code type;
} rings[] = {{O_PLUS, GBL_INT64_CODE},
             {O_PLUS, GBL_INT32_CODE},
             {O_PLUS, GBL_FP64_CODE},
             {O_ANY, GBL_BOOL_CODE}};

/* Without hubs and with them. */
GB_TEST(mxm_hubs, rings) {
    static const t_Mask masks[] = {T_STRUCTURAL, T_VALUED, T_STRUCTURAL};
    const gb_HeavyUse use = {UINT32_MAX, 1000, 1000};
    for (size_t k = 0; k < T_COUNT(rings); k++)
        for (int32_t threads = 1; threads <= 3; threads++) {
            t_DotCase of;
            OK(gbl_Global_set_INT32(GBL_GLOBAL, threads, GBL_NTHREADS));
            begin(&of, rings[k].add, rings[k].type, 10 * k + (uint64_t)threads);
            CHECK_EQ(hubs_of(of.gB).blocks, 0);
            for (int round = 0; round < 3; round++) {
                of.flags.mask = masks[round];
                t_case("%s, %d threads, round %d", of.name, (int)threads, round);
                multiply(&of);
                if (round == 0) CHECK(gb_heavy_get(&of.gB->m, GB_CSR, &use).blocks > 0);
            }
            t_dot_end(&of);
        }
}

/* The sum of the product, stored. */
static int64_t stored_sum(gbl_Matrix L) {
    gbl_Matrix C = NULL;
    gbl_Index n;
    int64_t sum = -1;
    OK(gbl_Matrix_nrows(&n, L));
    OK(gbl_Matrix_new(&C, GBL_INT64, n, n));
    OK(gbl_mxm(C, L, NULL, GBL_PLUS_PAIR_SEMIRING_INT64, L, L, GBL_DESC_ST1));
    OK(gbl_Matrix_reduce_INT64(&sum, NULL, GBL_PLUS_MONOID_INT64, C, NULL));
    OK(gbl_Matrix_free(&C));
    return sum;
}

/* Triangles: A, B and the mask are one matrix, with rows of more entries than are counted at a
 * time; without hubs, and with them. */
GB_TEST(mxm_hubs, one_matrix) {
    enum { N = 400, ROUNDS = 40 };
    const gb_HeavyUse use = {UINT32_MAX, 1000, 1000};
    t_Random r = t_random(77);
    o_Matrix L = o_new(o_type(GBL_BOOL_CODE), N, N);
    for (gbl_Index i = 0; i < N; i++)
        for (gbl_Index j = 0; j < i; j++)
            if (t_below(&r, 100) < (j % 5 == 0 ? 60u : 2u) + (i % 7 == 0 ? 20u : 0u) || i == N - 1)
                L.x[i * N + j] = (o_Cell){true, {.b = true}};
    uint64_t expected = 0;
    for (gbl_Index i = 0; i < N; i++)
        for (gbl_Index j = 0; j < i; j++)
            for (gbl_Index k = 0; L.x[i * N + j].has && k < j; k++)
                expected += L.x[i * N + k].has && L.x[j * N + k].has;
    gbl_Matrix gL = t_matrix(&L);
    gbl_Descriptor desc =
        t_descriptor(&(t_Flags){.mask = T_STRUCTURAL, .tran1 = true, .method = GBL_METHOD_DOT});
    for (int round = 0; round < ROUNDS; round++) {
        int64_t found = -1;
        CHECK_EQ(hubs_of(gL).blocks > 0, round > ROUNDS / 2);
        OK(gbl_mxm_reduce_INT64(&found, gL, NULL, GBL_PLUS_MONOID_INT64,
                                GBL_PLUS_PAIR_SEMIRING_INT64, gL, gL, desc));
        CHECK_EQ(found, (int64_t)expected);
        if (round % 13 == 0) CHECK_EQ(stored_sum(gL), (int64_t)expected);
        if (round == ROUNDS / 2) CHECK(gb_heavy_get(&gL->m, GB_CSR, &use).blocks > 0);
    }
    OK(gbl_Matrix_free(&gL));
    OK(gbl_Descriptor_free(&desc));
    o_free(&L);
}

/* Whether row j of D is what is held. */
static void check_row(const gb_HeavyRows *hubs, const o_Matrix *D, gbl_Index j) {
    const gb_HeavyRow row = hubs->row[j];
    const uint32_t *list = hubs->content + row.at;
    const uint64_t *bits = (const uint64_t *)(const void *)list;
    for (gbl_Index k = 0; k < INNER; k++) {
        const uint32_t c = hubs->place[k], end = hubs->blocks * GB_BITS_BLOCK;
        bool held = false;
        if (c >= end) {
            const uint32_t *tail_p = hubs->tail_p + (c - end);
            for (uint32_t q = tail_p[0]; q < tail_p[1]; q++) {
                held = held || hubs->tail[q] == j;
                CHECK(q == tail_p[0] || hubs->tail[q - 1] < hubs->tail[q]);
            }
        } else if (row.blocks > 0) {
            held = c < row.blocks * GB_BITS_BLOCK && (bits[c / 64] >> c % 64 & 1) != 0;
        } else {
            for (unsigned e = 0; e < row.entries; e++) held = held || list[e] == c;
        }
        CHECK_EQ(held, D->x[j * INNER + k].has);
    }
}

/* What is held, by how many threads it is made, when, and that it goes when the matrix is written.
 */
GB_TEST(mxm_hubs, what_is_held) {
    const gb_HeavyUse use = {UINT32_MAX, 1000, 1000};
    t_Random r = t_random(9);
    o_Matrix D = skewed(&r, o_type(GBL_BOOL_CODE), COLUMNS);
    for (int32_t threads = 1; threads <= 3; threads++) {
        gbl_Matrix B = t_matrix(&D);
        OK(gbl_Global_set_INT32(GBL_GLOBAL, threads, GBL_NTHREADS));
        CHECK_EQ(hubs_of(B).blocks, 0);
        const gb_HeavyRows hubs = gb_heavy_get(&B->m, GB_CSR, &use);
        uint64_t by_bits = 0;
        CHECK_EQ(hubs.blocks, (HUBS + GB_BITS_BLOCK - 1) / GB_BITS_BLOCK);
        for (gbl_Index j = 0; j < COLUMNS; j++) {
            t_case("column %d, %d threads", (int)j, (int)threads);
            CHECK_EQ((uintptr_t)(hubs.content + hubs.row[j].at) % 64 == 0 || !hubs.row[j].blocks,
                     true);
            check_row(&hubs, &D, j);
            by_bits += hubs.row[j].blocks > 0;
        }
        CHECK_EQ(hubs.bit_rows, by_bits);
        CHECK(by_bits > 0 && by_bits < COLUMNS);
        OK(gbl_Matrix_setElement_BOOL(B, true, 0, 0));
        OK(gbl_Matrix_wait(B, GBL_MATERIALIZE));
        CHECK_EQ(hubs_of(B).blocks, 0);
        OK(gbl_Matrix_free(&B));
    }
    o_free(&D);
}

/* No hubs where all inner indices are alike, and where a product would not be spared anything. */
GB_TEST(mxm_hubs, none) {
    const gb_HeavyUse much = {UINT32_MAX, 1000, 1000}, little = {UINT32_MAX, UINT32_MAX / 2, 1000};
    t_Random r = t_random(11);
    o_Matrix flat = o_new(o_type(GBL_BOOL_CODE), 3000, 3000), D;
    for (gbl_Index j = 0; j < 3000; j++)
        for (gbl_Index k = 0; k < 3; k++)
            flat.x[j * 3000 + (j + 5 * k) % 3000] = (o_Cell){true, {.b = true}};
    gbl_Matrix B = t_matrix(&flat);
    CHECK_EQ(gb_heavy_get(&B->m, GB_CSR, &much).blocks, 0);
    OK(gbl_Matrix_free(&B));
    D = skewed(&r, o_type(GBL_BOOL_CODE), COLUMNS);
    B = t_matrix(&D);
    CHECK_EQ(gb_heavy_get(&B->m, GB_CSR, &little).blocks, 0);
    OK(gbl_Matrix_free(&B));
    o_free(&flat);
    o_free(&D);
}

static gbl_Info reduce(int64_t *sum, const t_DotCase *of) {
    return gbl_mxm_reduce_INT64(sum, of->gM, NULL, GBL_PLUS_MONOID_INT64, of->ring.handle, of->gA,
                                of->gB, GBL_DESC_ST1);
}

/* The next product makes the hubs. */
static void come_near(const t_DotCase *of, unsigned products) {
    int64_t sum = 0;
    for (unsigned k = 0; k < products; k++) OK(reduce(&sum, of));
    CHECK_EQ(hubs_of(of->gB).blocks, 0);
}

/* The product that makes the hubs, and the n-th block is not to be had: it fails and leaves the
 * value, or does without hubs, which *without counts. */
static bool attempt(int64_t n, int64_t right, unsigned products, int *without) {
    t_DotCase of;
    int64_t sum = 7;
    begin(&of, O_PLUS, GBL_INT64_CODE, 3);
    t_case("allocation %lld fails", (long long)n);
    come_near(&of, products);
    t_fail_at(n);
    const gbl_Info info = reduce(&sum, &of);
    const bool failed = t_failed();
    t_fail_at(0);
    CHECK(info == GBL_SUCCESS || (failed && info == GBL_OUT_OF_MEMORY));
    CHECK_EQ(sum, info == GBL_SUCCESS ? right : 7);
    const bool has_hubs = hubs_of(of.gB).blocks > 0;
    CHECK(failed || has_hubs);
    *without += info == GBL_SUCCESS && !has_hubs;
    t_dot_end(&of);
    CHECK_EQ(t_blocks(), 0);
    return failed;
}

BRUTAL(mxm_hubs) {
    enum { PRODUCTS_MOST = 12 };
    t_DotCase of;
    int64_t right = 0, n = 1;
    unsigned products = 0; /* before the one that makes the hubs */
    int without = 0;
    begin(&of, O_PLUS, GBL_INT64_CODE, 3);
    OK(reduce(&right, &of));
    CHECK(right > 0);
    while (hubs_of(of.gB).blocks == 0 && products < PRODUCTS_MOST) {
        OK(reduce(&right, &of));
        products++;
    }
    CHECK(products > 0 && products < PRODUCTS_MOST);
    t_dot_end(&of);
    while (n < 300 && attempt(n, right, products, &without)) n++;
    CHECK(n > 5 && n < 300);
    CHECK(without >= 3); /* counts, rows and content: each is done without */
}
