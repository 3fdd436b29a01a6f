/* SPDX-License-Identifier: Apache-2.0
 *
 * gbl_mxm_select against the oracle's product and a filter of dense rows that is plain enough to be
 * checked by reading: every operator, types, masks, accumulators, ways of a row-wise product and
 * numbers of threads; ties, NaN and the ends of types; what is refused; and that the unfiltered
 * product is never held, with a memory limit and without.
 */
#include "support/gb_test.h"
#include "support/product.h"

#include <gblite_io.h>
#include <math.h>
#include <string.h>

#include "support/tuples.h"

/* ------------------------------------------------------------------------------ plain filter -- */

typedef struct {
    const o_Index *op; /* NULL: none */
    o_Value y;
    gbl_Index most, recover;
    double share;
} filter;

/* a < b, NaN first */
static bool less(o_Type type, const o_Value *a, const o_Value *b) {
    const o_Type real = o_type(GBL_FP64_CODE), wide = o_type(GBL_INT64_CODE);
    if (type.code == GBL_UINT64_CODE) return a->u64 < b->u64;
    if (type.code != GBL_FP64_CODE && type.code != GBL_FP32_CODE)
        return o_cast(wide, type, *a).i64 < o_cast(wide, type, *b).i64;
    const double x = o_cast(real, type, *a).f64, y = o_cast(real, type, *b).f64;
    return isnan(x) ? !isnan(y) : x < y;
}

/* The largest cell of the row that is there and marked `from`; the first of equal ones. */
static gbl_Index largest(const o_Matrix *T, gbl_Index i, const bool *kept, bool from) {
    gbl_Index best = T->ncols;
    for (gbl_Index j = 0; j < T->ncols; j++) {
        const o_Cell *cell = &T->x[i * T->ncols + j];
        if (!cell->has || kept[j] != from) continue;
        if (best == T->ncols || less(T->type, &T->x[i * T->ncols + best].v, &cell->v)) best = j;
    }
    return best;
}

typedef struct {
    double all, kept;
    gbl_Index n, there;
} sums;

static sums sum_row(const o_Matrix *T, gbl_Index i, const bool *kept) {
    sums s = {0};
    for (gbl_Index j = 0; j < T->ncols; j++) {
        const o_Cell *cell = &T->x[i * T->ncols + j];
        if (!cell->has) continue;
        const double x = o_cast(o_type(GBL_FP64_CODE), T->type, cell->v).f64;
        s.all += x;
        if (kept[j]) s.kept += x;
        s.n += kept[j];
        s.there++;
    }
    return s;
}

/* Too little is left, and there is room for more. */
static bool is_poor(const sums *s, const filter *f) {
    return f->share > 0 && s->n < f->recover && s->n < s->there && s->kept < f->share * s->all;
}

static void recover(const o_Matrix *T, gbl_Index i, bool *kept, gbl_Index wanted) {
    for (gbl_Index n = sum_row(T, i, kept).n; n < wanted; n++) {
        const gbl_Index j = largest(T, i, kept, false);
        if (j == T->ncols) return;
        kept[j] = true;
    }
}

static void filter_row(o_Matrix *T, gbl_Index i, const filter *f) {
    bool kept[512] = {0}, chosen[512] = {0};
    for (gbl_Index j = 0; j < T->ncols; j++) {
        const o_Cell *cell = &T->x[i * T->ncols + j];
        kept[j] = cell->has;
        if (!cell->has || f->op == NULL) continue;
        const o_Value x = f->op->op == O_USER ? cell->v : o_cast(f->op->x, T->type, cell->v);
        const o_Value z = o_index(f->op, x, i, j, f->y);
        kept[j] = o_truth(f->op->z, &z);
    }
    sums s = sum_row(T, i, kept);
    if (is_poor(&s, f)) {
        recover(T, i, kept, f->recover);
    } else if (f->most > 0 && s.n > f->most) {
        for (gbl_Index n = 0; n < f->most; n++) {
            const gbl_Index j = largest(T, i, kept, true);
            chosen[j] = true;
            kept[j] = false;
        }
        memcpy(kept, chosen, sizeof kept);
        s = sum_row(T, i, kept);
        if (is_poor(&s, f)) recover(T, i, kept, f->recover);
    }
    for (gbl_Index j = 0; j < T->ncols; j++) T->x[i * T->ncols + j].has &= kept[j];
}

/* ------------------------------------------------------------------------------------- cases -- */

typedef struct {
    uint64_t seed;
    o_Ring ring;
    filter filter;
    o_Type c;
    o_Binary accum;
    t_Flags flags;
    gbl_Index rows, inner, columns;
    double density;
    int32_t threads;
} select_case;

static o_Matrix random_matrix(t_Random *r, o_Type type, gbl_Index nrows, gbl_Index ncols,
                              double density) {
    return t_generate(r, &(t_Content){.type = type,
                                      .nrows = nrows,
                                      .ncols = ncols,
                                      .pattern = (t_Pattern)t_below(r, T_PATTERNS),
                                      .density = density});
}

/* C = filter of A * B in the mask, by the oracle. */
static void expect_result(o_Matrix *C, const select_case *of, const o_Rule *rule, const o_Matrix *A,
                          const o_Matrix *B) {
    o_Matrix T = o_new(of->ring.add.z, C->nrows, C->ncols);
    o_Rule masked = *rule;
    masked.accum = NULL;
    o_mxm(&T, &masked, &(o_Product){&of->ring, A, B, NULL});
    for (gbl_Index i = 0; i < T.nrows; i++) filter_row(&T, i, &of->filter);
    o_Rule write = *rule;
    write.tran0 = write.tran1 = false;
    o_assign(C, &write, &T);
    o_free(&T);
}

static void run(const select_case *of) {
    t_Random r = t_random(of->seed);
    const bool t0 = of->flags.tran0, t1 = of->flags.tran1;
    o_Matrix A = random_matrix(&r, of->ring.multiply.x, t0 ? of->inner : of->rows,
                               t0 ? of->rows : of->inner, of->density);
    o_Matrix B = random_matrix(&r, of->ring.multiply.y, t1 ? of->columns : of->inner,
                               t1 ? of->inner : of->columns, of->density);
    o_Matrix C = random_matrix(&r, of->c, of->rows, of->columns, 0.2);
    o_Matrix M = random_matrix(&r, o_type(GBL_INT16_CODE), of->rows, of->columns, 0.4);
    gbl_Matrix gA = t_matrix(&A), gB = t_matrix(&B), gC = t_matrix(&C);
    gbl_Matrix gM = t_has_mask(of->flags.mask) ? t_matrix(&M) : NULL;
    gbl_Descriptor desc = t_descriptor(&of->flags);
    gbl_RowFilter keep = GBL_ROW_FILTER_INIT;
    const o_Binary *accum = of->flags.accum ? &of->accum : NULL;
    const o_Rule rule = t_rule(&of->flags, &M, accum);
    if (of->filter.op != NULL) {
        keep.op = of->filter.op->handle;
        keep.y = t_scalar(of->filter.op->y, &of->filter.y);
    }
    keep.most = of->filter.most;
    keep.recover = of->filter.recover;
    keep.share = of->filter.share;
    OK(gbl_Global_set_INT32(GBL_GLOBAL, of->threads, GBL_NTHREADS));
    OK(gbl_mxm_select(gC, gM, accum != NULL ? accum->handle : NULL, of->ring.handle, &keep, gA, gB,
                      desc));
    expect_result(&C, of, &rule, &A, &B);
    t_expect("C", &C, gC, 1e-5);
    if (keep.y != NULL) OK(gbl_Scalar_free(&keep.y));
    FREE(desc, gA, gB, gC, gM, A, B);
    FREE(C, M);
}

static const struct {
    o_Opcode add, multiply;
} sample[] = {{O_PLUS, O_TIMES}, {O_MAX, O_PLUS}, {O_MIN, O_SECOND}, {O_LOR, O_LAND}};

/* The n-th semiring of the sample over some type that has an order. */
static o_Ring some_ring(t_Random *r) {
    for (;;) {
        const t_Ring *entry = &t_rings[t_below(r, t_ring_count)];
        for (size_t k = 0; k < T_COUNT(sample) && entry->type <= GBL_FP64_CODE; k++)
            if (entry->add == sample[k].add && entry->multiply == sample[k].multiply)
                return t_ring(entry);
    }
}

static bool is_inside(t_Mask mask) {
    return mask == T_VALUED || mask == T_STRUCTURAL;
}

static select_case some_case(uint64_t seed, t_Random *r, o_Index *op) {
    static const gbl_Index counts[] = {0, 1, 2, 5, 17, 400};
    static const double shares[] = {0, 0.25, 0.5, 0.9, 1};
    select_case of = {.seed = seed, .ring = some_ring(r)};
    *op = t_index(&t_indexes[t_below(r, t_index_count)]);
    const o_Type type = of.ring.add.z;
    if (t_chance(r, 0.6)) { /* what it is for */
        const gbl_Type_Code code = type.code;
        for (size_t k = 0; k < t_index_count; k++)
            if (t_indexes[k].op == O_VALUEGE && t_indexes[k].type == code)
                *op = t_index(&t_indexes[k]);
    }
    of.filter = (filter){.op = t_chance(r, 0.8) ? op : NULL,
                         .y = t_value(r, op->y),
                         .most = counts[t_below(r, T_COUNT(counts))],
                         .recover = counts[t_below(r, T_COUNT(counts))],
                         .share = shares[t_below(r, T_COUNT(shares))]};
    if (type.code == GBL_FC32_CODE || type.code == GBL_FC64_CODE) /* without an order */
        of.filter.most = of.filter.recover = 0, of.filter.share = 0;
    of.c = t_chance(r, 0.8) ? type : o_type(t_types[t_below(r, T_COUNT(t_types))]);
    of.accum = t_some_accum(of.c.code, t_next(r));
    of.flags = t_flags((unsigned)t_below(r, T_FLAGS_ALL));
    if (is_inside(of.flags.mask) && t_chance(r, 0.5)) {
        of.flags.method = GBL_METHOD_DOT;
    } else if (t_chance(r, 0.5)) {
        t_set_way(&of.flags, t_below(r, T_WAYS));
    } else if (t_chance(r, 0.6)) {
        of.flags.method = GBL_METHOD_PANEL;
        of.flags.workflow = t_chance(r, 0.5) ? GBL_WORKFLOW_GROUPED : GBL_DEFAULT;
    }
    of.rows = t_below(r, 30);
    of.inner = t_below(r, 30);
    of.columns = t_below(r, 10) == 0 ? 300 : t_below(r, 60);
    of.density = t_chance(r, 0.5) ? 0.15 : 0.5;
    of.threads = 1 + (int32_t)t_below(r, 4);
    return of;
}

static void run_many(uint64_t from, uint64_t to) {
    for (uint64_t seed = from; seed < to; seed++) {
        t_Random r = t_random(seed + 9000);
        o_Index op;
        const select_case of = some_case(seed, &r, &op);
        t_case("seed %llu: %s, op %d, most %llu, recover %llu, share %g, %d threads",
               (unsigned long long)seed, t_flags_text(&of.flags),
               of.filter.op != NULL ? (int)op.op : -1, (unsigned long long)of.filter.most,
               (unsigned long long)of.filter.recover, of.filter.share, (int)of.threads);
        run(&of);
    }
}

GB_TEST(mxm_select, random_cases_0) {
    run_many(0, 1500);
}

GB_TEST(mxm_select, random_cases_1) {
    run_many(1500, 3000);
}

/* A user's type has no order, but its own operators drop entries of it. */
GB_TEST(mxm_select, user_types) {
    t_User users[] = {t_user_path(), t_user_colour()};
    for (size_t u = 0; u < T_COUNT(users); u++) {
        for (uint64_t seed = 0; seed < 60; seed++) {
            t_Random r = t_random(seed);
            select_case of = {.seed = seed, .ring = users[u].ring, .c = users[u].type};
            t_case("user type %zu, seed %llu", u, (unsigned long long)seed);
            of.filter = (filter){.op = &users[u].keep, .y = t_value(&r, users[u].keep.y)};
            of.flags = t_flags((unsigned)t_below(&r, T_FLAGS_ALL));
            of.flags.method = seed % 2 == 0 ? GBL_DEFAULT : GBL_METHOD_PANEL;
            of.accum = users[u].minus;
            of.rows = of.inner = 12;
            of.columns = 40;
            of.density = 0.4;
            of.threads = 2;
            run(&of);
        }
    }
    t_user_free(&users[0]);
    t_user_free(&users[1]);
}

static void times(void *z, const void *x, const void *y) {
    *(double *)z = *(const double *)x * *(const double *)y;
}

/* The multiplication is the user's, the type is not. */
GB_TEST(mxm_select, user_semirings) {
    const o_Type real = o_type(GBL_FP64_CODE);
    o_Binary multiply = {O_USER, real, real, real, times, NULL};
    OK(gbl_BinaryOp_new(&multiply.handle, times, GBL_FP64, GBL_FP64, GBL_FP64));
    o_Ring ring = {t_find_binary(O_PLUS, GBL_FP64_CODE), multiply, NULL};
    OK(gbl_Semiring_new(&ring.handle, GBL_PLUS_MONOID_FP64, multiply.handle));
    for (uint64_t seed = 0; seed < 100; seed++) {
        t_Random r = t_random(seed);
        o_Index op;
        select_case of = some_case(seed, &r, &op);
        t_case("seed %llu", (unsigned long long)seed);
        of.ring = ring;
        run(&of);
    }
    FREE(ring.handle, multiply.handle);
}

/* ------------------------------------------------------------------ ties, ends, NaN, shapes -- */

/* One row of values is kept whole but for the filter: the product with the unit matrix. */
static void expect_kept(const double *row, gbl_Index n, const gbl_RowFilter *keep,
                        const char *expected) {
    gbl_Matrix A = t_new_matrix(GBL_FP64, 1, n), E = t_new_matrix(GBL_FP64, n, n);
    gbl_Matrix C = t_new_matrix(GBL_FP64, 1, n);
    for (gbl_Index j = 0; j < n; j++) {
        OK(gbl_Matrix_setElement_FP64(A, row[j], 0, j));
        OK(gbl_Matrix_setElement_FP64(E, 1, j, j));
    }
    OK(gbl_mxm_select(C, NULL, NULL, GBL_PLUS_TIMES_SEMIRING_FP64, keep, A, E, NULL));
    for (gbl_Index j = 0; j < n; j++) {
        double x;
        const gbl_Info info = gbl_Matrix_extractElement_FP64(&x, C, 0, j);
        cr_assert((info == GBL_SUCCESS) == (expected[j] == 'x'), "column %d of %s: %s", (int)j,
                  expected, t_case_text());
    }
    FREE(A, E, C);
}

GB_TEST(mxm_select, ties_and_nan) {
    const double ties[] = {2, 3, 2, 3, 2, 3, 1, -0.0, 0.0};
    const double odd[] = {NAN, -INFINITY, 1, INFINITY, -1, NAN, 0x1p-1060, -0x1p-1060, 0};
    gbl_RowFilter keep = GBL_ROW_FILTER_INIT;
    keep.most = 4;
    expect_kept(ties, 9, &keep, "xx.x.x...");
    keep.most = 8;
    expect_kept(ties, 9, &keep, "xxxxxxxx.");
    keep.most = 1;
    expect_kept(odd, 9, &keep, "...x.....");
    keep.most = 4;
    expect_kept(odd, 9, &keep, "..xx..x.x");
    keep.most = 7;
    expect_kept(odd, 9, &keep, ".xxxx.xxx");
    keep.most = 8;
    expect_kept(odd, 9, &keep, "xxxxx.xxx");
}

GB_TEST(mxm_select, recovery) {
    const double row[] = {0.4, 0.05, 0.3, 0.05, 0.1, 0.1};
    gbl_RowFilter keep = GBL_ROW_FILTER_INIT;
    keep.op = GBL_VALUEGE_FP64;
    OK(gbl_Scalar_new(&keep.y, GBL_FP64));
    OK(gbl_Scalar_setElement_FP64(keep.y, 0.2));
    keep.share = 0.75; /* of which 0.7 are left */
    expect_kept(row, 6, &keep, "x.x...");
    keep.recover = 3;
    expect_kept(row, 6, &keep, "x.x.x.");
    keep.recover = 5;
    expect_kept(row, 6, &keep, "xxx.xx");
    keep.recover = 50;
    expect_kept(row, 6, &keep, "xxxxxx");
    keep.share = 0.65;
    expect_kept(row, 6, &keep, "x.x...");
    keep.most = 1; /* leaves 0.4 */
    keep.recover = 3;
    expect_kept(row, 6, &keep, "x.x.x.");
    keep.share = 0.4;
    expect_kept(row, 6, &keep, "x.....");
    OK(gbl_Scalar_setElement_FP64(keep.y, 9)); /* drops all */
    keep.recover = 1;
    expect_kept(row, 6, &keep, "x.....");
    OK(gbl_Scalar_free(&keep.y));
}

/* ----------------------------------------------------------------------------------- refused -- */

GB_TEST(mxm_select, wrong_arguments) {
    t_User user = t_user_colour();
    gbl_Scalar empty = NULL;
    gbl_Descriptor desc = NULL;
    gbl_RowFilter keep = GBL_ROW_FILTER_INIT;
    const gbl_Semiring ring = GBL_PLUS_TIMES_SEMIRING_FP64;
    gbl_Matrix A = t_new_matrix(GBL_FP64, 4, 4), U = t_new_matrix(user.type.handle, 4, 4);
    OK(gbl_Matrix_setElement_FP64(A, 1, 2, 3));
    OK(gbl_Scalar_new(&empty, GBL_FP64));
    OK(gbl_Descriptor_new(&desc));
    t_case("wrong filters");
    FAILS(GBL_NULL_POINTER, gbl_mxm_select(A, NULL, NULL, ring, NULL, A, A, NULL));
    FAILS(GBL_NULL_POINTER, gbl_mxm_select(A, NULL, NULL, ring, &keep, NULL, A, NULL));
    keep.size = 0;
    FAILS(GBL_INVALID_VALUE, gbl_mxm_select(A, NULL, NULL, ring, &keep, A, A, NULL));
    keep.size = sizeof keep;
    keep.op = GBL_VALUEGE_FP64;
    FAILS(GBL_NULL_POINTER, gbl_mxm_select(A, NULL, NULL, ring, &keep, A, A, NULL));
    keep.y = empty;
    FAILS(GBL_EMPTY_OBJECT, gbl_mxm_select(A, NULL, NULL, ring, &keep, A, A, NULL));
    OK(gbl_Scalar_setElement_FP64(empty, 0.5));
    keep.share = 1.5;
    FAILS(GBL_INVALID_VALUE, gbl_mxm_select(A, NULL, NULL, ring, &keep, A, A, NULL));
    keep.share = NAN;
    FAILS(GBL_INVALID_VALUE, gbl_mxm_select(A, NULL, NULL, ring, &keep, A, A, NULL));
    keep.share = 0;
    FAILS(GBL_DOMAIN_MISMATCH, gbl_mxm_select(U, NULL, NULL, user.ring.handle, &keep, U, U, NULL));
    keep.op = NULL;
    keep.most = 3;
    FAILS(GBL_DOMAIN_MISMATCH, gbl_mxm_select(U, NULL, NULL, user.ring.handle, &keep, U, U, NULL));
    keep.most = 0;
    keep.power = -1;
    FAILS(GBL_INVALID_VALUE, gbl_mxm_select(A, NULL, NULL, ring, &keep, A, A, NULL));
    keep.power = NAN;
    FAILS(GBL_INVALID_VALUE, gbl_mxm_select(A, NULL, NULL, ring, &keep, A, A, NULL));
    keep.power = 2;
    const gbl_Semiring whole = GBL_PLUS_TIMES_SEMIRING_INT64;
    FAILS(GBL_DOMAIN_MISMATCH, gbl_mxm_select(A, NULL, NULL, whole, &keep, A, A, NULL));
    keep.power = 0;
    keep.scale = true;
    FAILS(GBL_DOMAIN_MISMATCH, gbl_mxm_select(U, NULL, NULL, user.ring.handle, &keep, U, U, NULL));
    keep.scale = false;
    static const gbl_Desc_Value others[] = {GBL_METHOD_TILED, GBL_METHOD_OUTER, GBL_METHOD_DOT,
                                            GBL_METHOD_VECTOR};
    for (size_t k = 0; k < T_COUNT(others); k++) {
        t_case("method %d", (int)others[k]);
        OK(gbl_Descriptor_set_INT32(desc, (int32_t)others[k], GBL_METHOD));
        FAILS(GBL_INVALID_VALUE, gbl_mxm_select(A, NULL, NULL, ring, &keep, A, A, desc));
    }
    CHECK_EQ(t_nvals(A), 1);
    FREE(A, U, empty, desc);
    t_user_free(&user);
}

/* ------------------------------------------------------------------------------------ memory -- */

/* The product would have 40 times the entries that are kept, and 4 times the bytes of the limit,
 * or twice where tiny chunks need more memory each. */
GB_TEST(mxm_select, memory_limit) {
#ifdef GB_TINY
    const int64_t limit = 5 << 20;
#else
    const int64_t limit = 2 << 20;
#endif
    gbl_Matrix A = NULL;
    gbl_RowFilter keep = GBL_ROW_FILTER_INIT;
    keep.most = 20;
    OK(gbl_generate(&A, GBL_FP32, "er:11:32"));
    const gbl_Index n = t_nrows(A);
    gbl_Matrix C = t_new_matrix(GBL_FP32, n, n), D = t_new_matrix(GBL_FP32, n, n);
    OK(gbl_mxm_select(C, NULL, NULL, GBL_PLUS_TIMES_SEMIRING_FP32, &keep, A, A, NULL));
    OK(gbl_Global_set_INT64(GBL_GLOBAL, limit, GBL_MEMORY_LIMIT));
    OK(gbl_mxm_select(D, NULL, NULL, GBL_PLUS_TIMES_SEMIRING_FP32, &keep, A, A, NULL));
    const gbl_Explanation how = t_explain(D);
    CHECK(how.slices > 1);
    OK(gbl_Global_set_INT64(GBL_GLOBAL, 0, GBL_MEMORY_LIMIT));
    t_Tuples expected = t_tuples_of(C);
    t_expect_tuples(&expected, D);
    CHECK_EQ(expected.n, 20 * n);
    t_tuples_free(&expected);
    FREE(A, C, D);
}
