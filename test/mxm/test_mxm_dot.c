/* SPDX-License-Identifier: Apache-2.0
 *
 * Products by DOT. Where B is held as bits, spans at the borders of words and blocks, columns just
 * at and just below the density that counts, first and last columns, and rows of A of all lengths;
 * and ROWWISE, where rows of B are united and rows of C are read off bits. Counts of rows that are
 * mostly short: rows of A and columns of B from none to more than are compared as they stand; rows
 * of the mask that are empty, that fill batches of counts to the last entry, and that are longer;
 * batches that count nothing. Sums are exact; reduced, they are those of what is stored.
 */
#include "support/dot_case.h"

#include "core/tune.h"
#include "matrix/derived.h"

#include <stdlib.h>
#include <string.h>

enum { INNER = 5000, ROWS = 24, KINDS = 12, COLUMNS = 4 * KINDS };

/* -- content ----------------------------------------------------------------------------------- */

static void put(o_Matrix *D, t_Random *r, gbl_Index row, gbl_Index k) {
    o_Cell *cell = &D->x[row * D->ncols + k];
    if (!cell->has) cell->v = t_value(r, D->type);
    cell->has = true;
}

/* `entries` of them in [from, to), the ends among them. */
static void put_span(o_Matrix *D, t_Random *r, gbl_Index row, gbl_Index from, gbl_Index to,
                     gbl_Index entries) {
    put(D, r, row, from);
    put(D, r, row, to - 1);
    for (gbl_Index n = from + 1 == to ? 1 : 2; n < entries;) {
        const gbl_Index k = from + t_below(r, to - from);
        n += !D->x[row * D->ncols + k].has;
        put(D, r, row, k);
    }
}

/* A row of D, of a kind; in order: empty, one entry, a short list, spans at word and block borders,
 * long ones from the first column and up to the last, at the density and below it. */
static void put_kind(o_Matrix *D, t_Random *r, gbl_Index row, gbl_Index kind) {
    const gbl_Index block = GB_BITS_BLOCK, least = 8 * block / GB_BITS_SPAN;
    switch (kind % KINDS) {
    case 0:
        return;
    case 1:
        put(D, r, row, t_below(r, INNER));
        return;
    case 2:
        put_span(D, r, row, 10, INNER - 10, 9);
        return;
    case 3:
        put_span(D, r, row, 64, 128, 40);
        return;
    case 4:
        put_span(D, r, row, 63, 129, 30);
        return;
    case 5:
        put_span(D, r, row, block, 2 * block, 200);
        return;
    case 6:
        put_span(D, r, row, block - 1, 2 * block + 1, 100);
        return;
    case 7:
        put_span(D, r, row, 0, INNER, INNER / 3);
        return;
    case 8:
        put_span(D, r, row, 0, INNER, INNER / 20);
        return;
    case 9:
        put_span(D, r, row, INNER - 700, INNER, 600);
        return;
    case 10:
        put_span(D, r, row, block, 9 * block, least);
        return; /* just as bits */
    default:
        put_span(D, r, row, block, 9 * block, least - 1);
        return; /* just not */
    }
}

/* op(B)' : the columns of op(B) are its rows. */
static o_Matrix columns_of(t_Random *r, o_Type type) {
    o_Matrix D = o_new(type, COLUMNS, INNER);
    for (gbl_Index j = 0; j < COLUMNS; j++) put_kind(&D, r, j, j);
    return D;
}

static o_Matrix rows_of(t_Random *r, o_Type type) {
    o_Matrix D = o_new(type, ROWS, INNER);
    for (gbl_Index i = 0; i < ROWS; i++) put_kind(&D, r, i, 7 * i + 5);
    return D;
}

static void all_one(o_Matrix *D, o_Value x) {
    for (gbl_Index k = 0; k < D->nrows * D->ncols; k++) D->x[k].v = x;
}

/* -- a case ------------------------------------------------------------------------------------ */

static void begin(t_DotCase *of, uint64_t seed, bool iso) {
    t_Random r = t_random(seed);
    of->A = rows_of(&r, of->ring.multiply.x);
    of->B = columns_of(&r, of->ring.multiply.y);
    of->M = t_generate(&r, &(t_Content){o_type(GBL_INT16_CODE), ROWS, COLUMNS, T_RANDOM,
                                        seed % 2 ? 1.0 : 0.4, false, false});
    if (iso) all_one(&of->A, of->A.x[0].v = t_value(&r, of->A.type));
    if (iso) all_one(&of->B, of->B.x[0].v = t_value(&r, of->B.type));
    t_dot_begin(of, iso);
}

/* The sum of C without C, of counts. */
static void check_sum(const t_DotCase *of, gbl_Matrix C) {
    gbl_Descriptor desc = t_descriptor(&of->flags);
    int64_t stored = 0, folded = -1;
    OK(gbl_Matrix_reduce_INT64(&stored, NULL, GBL_PLUS_MONOID_INT64, C, NULL));
    OK(gbl_mxm_reduce_INT64(&folded, of->gM, NULL, GBL_PLUS_MONOID_INT64, of->ring.handle, of->gA,
                            of->gB, desc));
    CHECK(stored > 0);
    CHECK_EQ(folded, stored);
    OK(gbl_Descriptor_free(&desc));
}

/* How the product, which is the oracle's, was computed. */
static gbl_Explanation multiply(const t_DotCase *of) {
    gbl_Matrix C = t_dot_product(of);
    if (of->ring.handle == GBL_PLUS_PAIR_SEMIRING_INT64) check_sum(of, C);
    const gbl_Explanation how = t_explain(C);
    OK(gbl_Matrix_free(&C));
    return how;
}

/* -- tests ------------------------------------------------------------------------------------- */

static const struct {
    o_Opcode add, multiply;
    gbl_Type_Code type;
    bool by_bits;
} rings[] = {
    {O_PLUS, O_ONEB, GBL_INT64_CODE, true},    {O_PLUS, O_ONEB, GBL_INT32_CODE, true},
    {O_PLUS, O_ONEB, GBL_UINT64_CODE, true},   {O_PLUS, O_ONEB, GBL_FP64_CODE, true},
    {O_ANY, O_ONEB, GBL_BOOL_CODE, true},      {O_ANY, O_SECONDI, GBL_INT64_CODE, true},
    {O_PLUS, O_TIMES, GBL_INT32_CODE, false},  {O_PLUS, O_TIMES, GBL_FP64_CODE, false},
    {O_MIN, O_PLUS, GBL_FP32_CODE, false},     {O_LOR, O_LAND, GBL_BOOL_CODE, false},
    {O_MIN, O_SECONDI, GBL_INT64_CODE, false}, {O_ANY, O_SECONDI, GBL_INT32_CODE, true},
};

static o_Ring ring_of(size_t k, const char **name) {
    const t_Ring *entry = t_find_ring(rings[k].add, rings[k].multiply, rings[k].type);
    *name = entry->name;
    return t_ring(entry);
}

static void run_ring(size_t k, bool iso) {
    static const t_Mask masks[] = {T_STRUCTURAL, T_VALUED};
    t_DotCase of = {.flags = {.tran1 = true, .method = GBL_METHOD_DOT}};
    of.ring = ring_of(k, &of.name);
    for (int32_t threads = 1; threads <= 4; threads++) {
        OK(gbl_Global_set_INT32(GBL_GLOBAL, threads, GBL_NTHREADS));
        begin(&of, 100 * k + (uint64_t)threads, iso);
        bool met = false;
        for (int round = 0; round < 4; round++) { /* bits are made once they pay */
            of.flags.mask = masks[round % 2];
            t_case("%s, %s mask, %d threads, round %d%s", of.name, t_mask_names[of.flags.mask],
                   (int)threads, round, iso ? ", iso" : "");
            met = multiply(&of).hubs_bits > 0;
        }
        CHECK_EQ(met, rings[k].by_bits || (iso && rings[k].type == GBL_BOOL_CODE));
        t_dot_end(&of);
    }
}

GB_TEST(mxm_dot, rings) {
    for (size_t k = 0; k < T_COUNT(rings); k++) run_ring(k, false);
}

GB_TEST(mxm_dot, one_value) {
    for (size_t k = 0; k < T_COUNT(rings); k++) run_ring(k, true);
}

/* An OR of ANDs of values that are all there and all true looks at none; one that is false, in
 * either factor, is seen. */
GB_TEST(mxm_dot, all_true) {
    const t_Ring *entry = t_find_ring(O_LOR, O_LAND, GBL_BOOL_CODE);
    const o_Value yes = {.b = true}, no = {.b = false};
    for (int wrong = 0; wrong < 3; wrong++) { /* in none, in A, in B */
        t_DotCase of = {.name = entry->name,
                        .ring = t_ring(entry),
                        .flags = {.mask = T_STRUCTURAL, .tran1 = true, .method = GBL_METHOD_DOT}};
        t_Random r = t_random(40);
        of.A = rows_of(&r, of.ring.multiply.x);
        of.B = columns_of(&r, of.ring.multiply.y);
        of.M = t_generate(&r, &(t_Content){of.ring.add.z, ROWS, COLUMNS, T_FULL, 1, false, true});
        all_one(&of.A, yes);
        all_one(&of.B, yes);
        o_Matrix *changed = wrong == 1 ? &of.A : &of.B;
        gbl_Index cell = changed->nrows * INNER;
        while (wrong > 0 && !changed->x[--cell].has) continue; /* the last entry */
        if (wrong > 0) changed->x[cell].v = no;
        t_dot_begin(&of, false);
        gbl_Matrix held = wrong == 1 ? of.gA : of.gB;
        for (int round = 0; round < 8; round++) {
            const bool is_true = wrong == 0 || round >= 4; /* it is mended half-way */
            if (wrong > 0 && round == 4) {
                changed->x[cell].v = yes;
                OK(gbl_Matrix_setElement_BOOL(held, true, cell / INNER, cell % INNER));
            }
            t_case("false: %d, round %d", wrong, round);
            const bool met = multiply(&of).hubs_bits > 0;
            CHECK(!met || is_true);
            CHECK(met || round % 4 < 3 || !is_true); /* bits are made once they pay */
        }
        t_dot_end(&of);
    }
}

/* Patterns alone: rows of B of all kinds are united, C is read off bits, but inside a mask. */
static void run_pattern(size_t k, bool iso, t_Mask mask) {
    t_DotCase of = {.flags = {.mask = mask, .method = GBL_METHOD_ROWWISE}};
    const o_Ring ring = ring_of(k, &of.name);
    const bool fit = INNER / 8 <= GB_DENSE_BYTES; /* not in builds of tiny sizes */
    const bool bits = fit && mask != T_STRUCTURAL && (iso || rings[k].add == O_ANY);
    t_Random r = t_random(70 + k);
    o_Matrix A = t_generate(
        &r, &(t_Content){ring.multiply.x, ROWS, COLUMNS, T_EMPTY_ROWS, 0.5, false, false});
    o_Matrix B = columns_of(&r, ring.multiply.y), M = o_new(o_type(GBL_BOOL_CODE), ROWS, INNER);
    if (iso) all_one(&A, (o_Value){.b = true});
    if (iso) all_one(&B, (o_Value){.b = true});
    for (gbl_Index c = 0; c < ROWS * INNER; c += 3) M.x[c] = (o_Cell){true, {.b = true}};
    gbl_Matrix gA = iso ? t_iso_matrix(&A) : t_matrix(&A), gM = t_matrix(&M), C = NULL;
    gbl_Matrix gB = iso ? t_iso_matrix(&B) : t_matrix(&B);
    for (int32_t threads = 1; threads <= 4; threads++) {
        gbl_Descriptor desc = t_descriptor(&of.flags);
        const o_Rule rule = t_rule(&of.flags, &M, NULL);
        o_Matrix expected = o_new(ring.add.z, ROWS, INNER);
        t_case("%s%s, %d threads, mask %s", of.name, iso ? ", iso" : "", (int)threads,
               t_mask_names[mask]);
        OK(gbl_Global_set_INT32(GBL_GLOBAL, threads, GBL_NTHREADS));
        OK(gbl_Matrix_new(&C, ring.add.z.handle, ROWS, INNER));
        OK(gbl_mxm(C, t_has_mask(mask) ? gM : NULL, NULL, ring.handle, gA, gB, desc));
        const gbl_Explanation how = t_explain(C);
        CHECK_EQ(how.rows_bits > 0, bits);
        CHECK_EQ(how.hubs_bits > 0, bits);
        o_Matrix found = t_dense(C);
        o_mxm(&expected, &rule, &(o_Product){&ring, &A, &B, &found});
        t_expect_dense("C", &expected, &found, 0);
        FREE(found, expected, C, desc);
    }
    FREE(gA, gB, gM, A, B, M);
}

GB_TEST(mxm_dot, patterns) {
    static const t_Mask masks[] = {T_NO_MASK, T_STRUCTURAL, T_COMP_STRUCTURAL};
    for (size_t k = 0; k < T_COUNT(rings); k++)
        for (size_t m = 0; m < T_COUNT(masks) && rings[k].type == GBL_BOOL_CODE; m++) {
            run_pattern(k, false, masks[m]);
            run_pattern(k, true, masks[m]);
        }
}

/* Which rows are bits, and that they are gone when the matrix is written. */
GB_TEST(mxm_dot, which_are_bits) {
    t_Random r = t_random(9);
    o_Matrix D = columns_of(&r, o_type(GBL_BOOL_CODE));
    gbl_Matrix B = t_matrix(&D);
    CHECK_EQ(gb_bits_get(&B->m, GB_CSR, 0).rows, 0);
    const gb_BitRows bits = gb_bits_get(&B->m, GB_CSR, UINT32_MAX);
    uint64_t held = 0;
    for (gbl_Index j = 0; j < COLUMNS; j++) {
        const bool is = j % KINDS >= 3 && j % KINDS <= 10;
        t_case("column %d", (int)j);
        CHECK_EQ(bits.row[j].blocks > 0, is);
        held += is;
        if (!is) continue;
        const gb_BitRow *row = &bits.row[j];
        CHECK(row->block >= bits.first && row->block + row->blocks <= bits.end);
        for (gbl_Index k = 0; k < INNER; k++) {
            const uint64_t block = k / GB_BITS_BLOCK;
            const bool inside = block >= row->block && block < row->block + row->blocks;
            if (!inside) {
                CHECK(!D.x[j * INNER + k].has);
                continue;
            }
            const uint64_t *words = bits.bits + GB_BITS_WORDS * (row->at + block - row->block);
            CHECK_EQ(words[k / 64 % GB_BITS_WORDS] >> k % 64 & 1, D.x[j * INNER + k].has);
        }
    }
    CHECK_EQ(bits.rows, held);
    OK(gbl_Matrix_setElement_BOOL(B, true, 0, 0));
    OK(gbl_Matrix_wait(B, GBL_MATERIALIZE));
    CHECK_EQ(gb_bits_get(&B->m, GB_CSR, 0).rows, 0);
    FREE(B, D);
}

/* Columns up to the last there can be: nothing is as long as the dimension. The same numbers, close
 * to 0, are multiplied by the oracle. */
GB_TEST(mxm_dot, wide) {
    const gbl_Index inner = T_COMPACT_MAX, shift = inner - INNER;
    const char *name;
    const o_Ring ring = ring_of(0, &name);
    t_Random r = t_random(5);
    o_Matrix D[2] = {rows_of(&r, o_type(GBL_BOOL_CODE)), columns_of(&r, o_type(GBL_BOOL_CODE))};
    gbl_Matrix wide[2] = {NULL, NULL}, near[2], C = NULL, E = NULL, M = NULL;
    for (int f = 0; f < 2; f++) {
        near[f] = t_matrix(&D[f]);
        OK(gbl_Matrix_new(&wide[f], GBL_BOOL, D[f].nrows, inner));
        for (gbl_Index k = 0; k < D[f].nrows * INNER; k++)
            if (D[f].x[k].has)
                OK(gbl_Matrix_setElement_BOOL(wide[f], true, k / INNER, shift + k % INNER));
    }
    o_Matrix all =
        t_generate(&r, &(t_Content){o_type(GBL_BOOL_CODE), ROWS, COLUMNS, T_FULL, 1, false, true});
    M = t_matrix(&all);
    OK(gbl_Matrix_new(&C, GBL_INT64, ROWS, COLUMNS));
    OK(gbl_Matrix_new(&E, GBL_INT64, ROWS, COLUMNS));
    gbl_Descriptor desc =
        t_descriptor(&(t_Flags){.mask = T_STRUCTURAL, .tran1 = true, .method = GBL_METHOD_DOT});
    for (int round = 0; round < 3; round++) {
        OK(gbl_mxm(C, M, NULL, ring.handle, wide[0], wide[1], desc));
        OK(gbl_mxm(E, M, NULL, ring.handle, near[0], near[1], desc));
        o_Matrix expected = t_dense(E);
        t_expect("C", &expected, C, 0);
        o_free(&expected);
    }
    OK(gbl_Descriptor_free(&desc));
    for (int f = 0; f < 2; f++) {
        FREE(near[f], wide[f], D[f]);
    }
    FREE(C, E, M, all);
}

/* The n-th block is not to be had: the call fails and leaves the value, or does without it. */
static bool attempt(const o_Ring *ring, int64_t n, int64_t right) {
    t_DotCase of = {.name = "brutal", .ring = *ring};
    int64_t sum = 7;
    begin(&of, 3, false);
    t_case("allocation %lld fails", (long long)n);
    bool failed;
    const gbl_Info info = FAIL_AT(n,
                                  gbl_mxm_reduce_INT64(&sum, of.gM, NULL, GBL_PLUS_MONOID_INT64,
                                                       ring->handle, of.gA, of.gB, GBL_DESC_ST1),
                                  &failed);
    CHECK_EQ(sum, info == GBL_SUCCESS ? right : 7);
    OK(gbl_mxm_reduce_INT64(&sum, of.gM, NULL, GBL_PLUS_MONOID_INT64, ring->handle, of.gA, of.gB,
                            GBL_DESC_ST1));
    CHECK_EQ(sum, right);
    t_dot_end(&of);
    CHECK_EQ(t_blocks(), 0);
    return failed;
}

BRUTAL(mxm_dot_bits) {
    const char *name;
    const o_Ring ring = ring_of(0, &name);
    t_DotCase of = {.ring = ring};
    int64_t right = 0, n = 1;
    begin(&of, 3, false);
    gbl_Matrix C = t_new_matrix(GBL_INT64, ROWS, COLUMNS);
    OK(gbl_mxm(C, of.gM, NULL, ring.handle, of.gA, of.gB, GBL_DESC_ST1));
    OK(gbl_Matrix_reduce_INT64(&right, NULL, GBL_PLUS_MONOID_INT64, C, NULL));
    OK(gbl_Matrix_free(&C));
    t_dot_end(&of);
    CHECK(right > 0);
    while (n < 300 && attempt(&ring, n, right)) n++;
    CHECK(n > 5 && n < 300);
}

/* ---------------------------------------------------------------------- counts of short rows -- */

enum { SHORT_INNER = 48, SHORT_ROWS = 72, SHORT_COLUMNS = 640, BAND = 24 };

/* Rows of bands with an even number have even inner indices alone, and meet nothing in columns that
 * have odd ones. */
static bool is_even(gbl_Index row) {
    return row / BAND % 2 == 0;
}

static bool is_odd_column(gbl_Index j) {
    return j % 3 != 0;
}

static void put_value(o_Matrix *D, gbl_Index row, gbl_Index k, o_Value v) {
    D->x[row * D->ncols + k] = (o_Cell){true, v};
}

/* `entries` of a row, where they may lie: at any place, or at each second one from `first` on. */
static void put_row(o_Matrix *D, t_Random *r, gbl_Index row, gbl_Index entries, gbl_Index first,
                    gbl_Index step) {
    for (gbl_Index n = 0; n < entries; n++)
        put_value(D, row, first + step * t_below(r, (SHORT_INNER - first + step - 1) / step),
                  t_value(r, D->type));
}

/* Entries of row i of the mask: none, a few, just a batch, one more, all. */
static gbl_Index mask_length(t_Random *r, gbl_Index i) {
    static const gbl_Index lengths[] = {
        0, 3, 1, GB_DOT_BATCH - 4, 2, 0, GB_DOT_BATCH, 5, 3, GB_DOT_BATCH + 1, 1, 4};
    if (i % 29 == 28) return SHORT_COLUMNS;
    return i % BAND < 12 ? lengths[i % 12] : t_below(r, 4);
}

static void begin_short(t_DotCase *of, uint64_t seed) {
    t_Random r = t_random(seed);
    of->A = o_new(of->ring.multiply.x, SHORT_ROWS, SHORT_INNER);
    of->B = o_new(of->ring.multiply.y, SHORT_COLUMNS, SHORT_INNER);
    of->M = o_new(o_type(GBL_BOOL_CODE), SHORT_ROWS, SHORT_COLUMNS);
    for (gbl_Index i = 0; i < SHORT_ROWS; i++)
        put_row(&of->A, &r, i, i % 11 == 10 ? 30 : i % 10, 0, is_even(i) ? 2 : 1);
    for (gbl_Index j = 0; j < SHORT_COLUMNS; j++)
        put_row(&of->B, &r, j, j % 17 == 16 ? 40 : j % 6, is_odd_column(j),
                is_odd_column(j) ? 2 : 1);
    for (gbl_Index i = 0; i < SHORT_ROWS; i++) {
        const gbl_Index n = mask_length(&r, i), first = t_below(&r, SHORT_COLUMNS - n + 1);
        for (gbl_Index j = first; j < first + n; j++)
            if (!is_even(i) || is_odd_column(j))
                put_value(&of->M, i, j, (o_Value){.b = j % 5 != 0});
    }
    t_dot_begin(of, false);
}

static void check_short_sum(const t_DotCase *of, gbl_Matrix C) {
    int64_t stored = 0, reduced = 0;
    const gbl_Descriptor desc = of->flags.mask == T_STRUCTURAL ? GBL_DESC_ST1 : GBL_DESC_T1;
    OK(gbl_Matrix_reduce_INT64(&stored, NULL, GBL_PLUS_MONOID_INT64, C, NULL));
    OK(gbl_mxm_reduce_INT64(&reduced, of->gM, NULL, GBL_PLUS_MONOID_INT64, of->ring.handle, of->gA,
                            of->gB, desc));
    CHECK_EQ(reduced, stored);
    CHECK(stored > 0);
}

static void run_short_ring(o_Opcode add, gbl_Type_Code type, int32_t threads) {
    static const t_Mask masks[] = {T_STRUCTURAL, T_VALUED};
    const t_Ring *entry = t_find_ring(add, O_ONEB, type);
    t_DotCase of = {.name = entry->name,
                    .ring = t_ring(entry),
                    .flags = {.tran1 = true, .method = GBL_METHOD_DOT}};
    OK(gbl_Global_set_INT32(GBL_GLOBAL, threads, GBL_NTHREADS));
    begin_short(&of, 10 * (uint64_t)type + (uint64_t)threads);
    for (int round = 0; round < 4; round++) { /* bits are made once they pay */
        of.flags.mask = masks[round % 2];
        t_case("%s, %s mask, %d threads, round %d", of.name, t_mask_names[of.flags.mask],
               (int)threads, round);
        gbl_Matrix C = t_dot_product(&of);
        if (add == O_PLUS) check_short_sum(&of, C);
        OK(gbl_Matrix_free(&C));
    }
    t_dot_end(&of);
}

GB_TEST(mxm_counts, short_rows) {
    static const struct {
        o_Opcode add;
        gbl_Type_Code type;
    } counted[] = {{O_PLUS, GBL_INT64_CODE},
                   {O_PLUS, GBL_INT32_CODE},
                   {O_PLUS, GBL_UINT64_CODE},
                   {O_PLUS, GBL_FP64_CODE},
                   {O_ANY, GBL_BOOL_CODE}};
    for (size_t k = 0; k < T_COUNT(counted); k++)
        for (int32_t threads = 1; threads <= 4; threads++)
            if (!t_left_out()) run_short_ring(counted[k].add, counted[k].type, threads);
}

/* The intersection is empty: no entry is stored, and all row pointers are 0. */
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
