/* SPDX-License-Identifier: Apache-2.0
 *
 * Everything but products against SuiteSparse:GraphBLAS: elementwise operations, apply, select,
 * assign, transpose, reduce, with all operators and random types, masks and accumulators (the
 * vector forms are compared with the same operation on n x 1 matrices); extract and assign by lists
 * of rows and columns, and kronecker.
 */
#include "support/suitesparse.h"

#ifdef HAVE_SUITESPARSE

#include "support/frame.h"
#include "support/index_list.h"

typedef enum {
    ADD,
    MULT,
    APPLY,
    APPLY_FIRST,
    APPLY_SECOND,
    APPLY_INDEX,
    SELECT,
    TRANSPOSE,
    ASSIGN,
    ASSIGN_VALUE,
    REDUCE_ROWS,
    OPERATIONS
} operation;

static size_t position_of(o_Opcode op, gbl_Type_Code type) {
    size_t k = 0;
    while (t_binaries[k].op != op || t_binaries[k].type != type) k++;
    return k;
}

/* ----------------------------------------------------------------------------- gblite's side -- */

static gbl_Info run_matrix(operation what, t_Frame *x, size_t k, gbl_Scalar s) {
    const gbl_Index n = x->of->nrows, m = x->of->ncols;
    switch (what) {
    case ADD:
        return gbl_Matrix_eWiseAdd_BinaryOp(x->gC, x->gM, x->accum, *t_binaries[k].handle, x->gA,
                                            x->gB, x->desc);
    case MULT:
        return gbl_Matrix_eWiseMult_BinaryOp(x->gC, x->gM, x->accum, *t_binaries[k].handle, x->gA,
                                             x->gB, x->desc);
    case APPLY:
        return gbl_Matrix_apply(x->gC, x->gM, x->accum, *t_unaries[k].handle, x->gA, x->desc);
    case APPLY_FIRST:
        return gbl_Matrix_apply_BinaryOp1st_Scalar(x->gC, x->gM, x->accum, *t_binaries[k].handle, s,
                                                   x->gA, x->desc);
    case APPLY_SECOND:
        return gbl_Matrix_apply_BinaryOp2nd_Scalar(x->gC, x->gM, x->accum, *t_binaries[k].handle,
                                                   x->gA, s, x->desc);
    case APPLY_INDEX:
        return gbl_Matrix_apply_IndexOp_Scalar(x->gC, x->gM, x->accum, *t_indexes[k].handle, x->gA,
                                               s, x->desc);
    case SELECT:
        return gbl_Matrix_select_Scalar(x->gC, x->gM, x->accum, *t_indexes[k].handle, x->gA, s,
                                        x->desc);
    case TRANSPOSE:
        return gbl_transpose(x->gC, x->gM, x->accum, x->gA, x->desc);
    case ASSIGN:
        return gbl_Matrix_assign(x->gC, x->gM, x->accum, x->gA, GBL_ALL, n, GBL_ALL, m, x->desc);
    case ASSIGN_VALUE:
        return gbl_Matrix_assign_Scalar(x->gC, x->gM, x->accum, s, GBL_ALL, n, GBL_ALL, m, x->desc);
    default:
        return gbl_Matrix_reduce_Monoid(x->w, x->v, x->accum, *t_monoids[k].handle, x->gA, x->desc);
    }
}

static gbl_Info run_vector(operation what, t_Frame *x, size_t k, gbl_Scalar s) {
    const gbl_Index n = x->of->nrows;
    switch (what) {
    case ADD:
        return gbl_Vector_eWiseAdd_BinaryOp(x->w, x->v, x->accum, *t_binaries[k].handle, x->u, x->t,
                                            x->desc);
    case MULT:
        return gbl_Vector_eWiseMult_BinaryOp(x->w, x->v, x->accum, *t_binaries[k].handle, x->u,
                                             x->t, x->desc);
    case APPLY:
        return gbl_Vector_apply(x->w, x->v, x->accum, *t_unaries[k].handle, x->u, x->desc);
    case APPLY_FIRST:
        return gbl_Vector_apply_BinaryOp1st_Scalar(x->w, x->v, x->accum, *t_binaries[k].handle, s,
                                                   x->u, x->desc);
    case APPLY_SECOND:
        return gbl_Vector_apply_BinaryOp2nd_Scalar(x->w, x->v, x->accum, *t_binaries[k].handle,
                                                   x->u, s, x->desc);
    case APPLY_INDEX:
        return gbl_Vector_apply_IndexOp_Scalar(x->w, x->v, x->accum, *t_indexes[k].handle, x->u, s,
                                               x->desc);
    case SELECT:
        return gbl_Vector_select_Scalar(x->w, x->v, x->accum, *t_indexes[k].handle, x->u, s,
                                        x->desc);
    case ASSIGN:
        return gbl_Vector_assign(x->w, x->v, x->accum, x->u, GBL_ALL, n, x->desc);
    default:
        return gbl_Vector_assign_Scalar(x->w, x->v, x->accum, s, GBL_ALL, n, x->desc);
    }
}

/* -------------------------------------------------------------------------------- both sides -- */

static void run_suitesparse(operation what, const s_Call *call) {
    static void (*const run[OPERATIONS])(const s_Call *) = {
        s_add,    s_mult,      s_apply,  s_apply_first,  s_apply_second, s_apply_index,
        s_select, s_transpose, s_assign, s_assign_value, s_reduce_rows};
    run[what](call);
}

static bool has_value(operation what) {
    return what == APPLY_FIRST || what == APPLY_SECOND || what == APPLY_INDEX || what == SELECT ||
           what == ASSIGN_VALUE;
}

static void compare(operation what, const t_FrameCase *of, size_t k, o_Opcode accum) {
    if (t_left_out()) return;
    t_Random r = t_random(of->seed + 11);
    const o_Type type = o_type(t_types[t_below(&r, 11)]);
    o_Value value = t_value(&r, type);
    /* the standard has j - i + y, SuiteSparse 7.4 j - i - y */
    if ((what == APPLY_INDEX || what == SELECT) && t_indexes[k].op == O_DIAGINDEX) value.u64 = 0;
    t_Frame x;
    t_begin(&x, of);
    gbl_Scalar s = t_scalar(type, &value);
    OK(of->vector ? run_vector(what, &x, k, s) : run_matrix(what, &x, k, s));
    OK(gbl_Scalar_free(&s));
    s_Call call = {
        &x.C, x.m, x.a, x.b, of->flags, position_of(accum, of->c.code), k, {GBL_UDT_CODE, 0, NULL},
        value};
    if (has_value(what)) call.type = type;
    run_suitesparse(what, &call);
    t_end(&x);
}

/* BinaryOp1st takes A as its second input; the frame makes A by the first flag, so both are equal.
 */
static void fit_transposes(operation what, t_FrameCase *of) {
    if (what == APPLY_FIRST) of->flags.tran1 = of->flags.tran0;
    if (what == TRANSPOSE && of->ncols != of->nrows) of->ncols = of->nrows;
    if (what == ASSIGN_VALUE) of->flags.tran0 = of->flags.tran1 = false;
    of->output_vector = what == REDUCE_ROWS;
    if (what == TRANSPOSE || what == REDUCE_ROWS) of->vector = false;
}

/* Entries before those of complex numbers, which SuiteSparse's tables lack. */
#define REAL_ENTRIES(n, table, count)                                                              \
    while ((n) < (count) && (table)[n].type <= GBL_FP64_CODE) (n)++

static size_t operators_of(operation what) {
    size_t n = 0;
    switch (what) {
    case ADD:
    case MULT:
    case APPLY_FIRST:
    case APPLY_SECOND:
        REAL_ENTRIES(n, t_binaries, t_binary_count);
        return n;
    case APPLY:
        REAL_ENTRIES(n, t_unaries, t_unary_count);
        return n;
    case APPLY_INDEX:
    case SELECT:
        REAL_ENTRIES(n, t_indexes, t_index_count);
        return n;
    case REDUCE_ROWS:
        REAL_ENTRIES(n, t_monoids, t_monoid_count);
        return n;
    default:
        return 60;
    }
}

static void every_operator(operation what) {
    static const o_Opcode accums[] = {O_PLUS, O_MINUS, O_FIRST, O_SECOND, O_MIN};
    for (size_t k = 0; k < operators_of(what); k++) {
        /* ANY may differ, and floats multiplied in another order round differently */
        if (what == REDUCE_ROWS && t_monoids[k].op == O_ANY) continue;
        for (unsigned n = 0; n < 12; n++) {
            const uint64_t seed = 100 * k + n;
            t_Random r = t_random(seed + 1000003 * (uint64_t)what);
            const o_Opcode accum = accums[t_below(&r, T_COUNT(accums))];
            t_FrameCase of = t_frame_case("against SuiteSparse", o_type(t_types[t_below(&r, 11)]),
                                          (unsigned)t_below(&r, T_FLAGS_ALL), t_chance(&r, 0.3));
            of.seed = seed;
            of.a = o_type(t_types[t_below(&r, 11)]);
            of.b = o_type(t_types[t_below(&r, 11)]);
            of.accum = t_find_binary(accum, of.c.code);
            of.wild = what != REDUCE_ROWS;
            of.iso = t_chance(&r, 0.1);
            of.density = t_chance(&r, 0.2) ? 0.9 : 0.35;
            of.tolerance = what == REDUCE_ROWS && t_monoids[k].op == O_TIMES ? 1e-5 : 0;
            /* SuiteSparse casts to the operator's input when it transposes, but not when it does
             * not, and that shows where only one of the two matrices has an entry */
            if (what == ADD && (of.flags.tran0 || of.flags.tran1))
                of.a = of.b = o_type(t_binaries[k].type);
            fit_transposes(what, &of);
            if (what == REDUCE_ROWS && of.tolerance > 0) of.c = o_type(GBL_FP64_CODE);
            if (what == REDUCE_ROWS) of.accum = t_find_binary(accum, of.c.code);
            compare(what, &of, k, accum);
        }
    }
}

SS_TEST(suitesparse, add) {
    every_operator(ADD);
}

SS_TEST(suitesparse, mult) {
    every_operator(MULT);
}

SS_TEST(suitesparse, apply) {
    every_operator(APPLY);
}

SS_TEST(suitesparse, apply_first) {
    every_operator(APPLY_FIRST);
}

SS_TEST(suitesparse, apply_second) {
    every_operator(APPLY_SECOND);
}

SS_TEST(suitesparse, apply_index) {
    every_operator(APPLY_INDEX);
}

SS_TEST(suitesparse, select) {
    every_operator(SELECT);
}

SS_TEST(suitesparse, transpose) {
    every_operator(TRANSPOSE);
}

SS_TEST(suitesparse, assign) {
    every_operator(ASSIGN);
    every_operator(ASSIGN_VALUE);
}

SS_TEST(suitesparse, reduce_rows) {
    every_operator(REDUCE_ROWS);
}

SS_TEST(suitesparse, reduce) {
    for (size_t k = 0; k < operators_of(REDUCE_ROWS); k++) {
        const t_Monoid *entry = &t_monoids[k];
        if (entry->op == O_ANY) continue;
        const o_Type type = o_type(entry->type);
        for (uint64_t seed = 0; seed < 8; seed++) {
            t_FrameCase of = t_frame_case(entry->name, type, 0, false);
            of.seed = 1000 * k + seed;
            of.pattern = seed == 3 ? T_EMPTY : T_RANDOM;
            of.density = entry->op == O_TIMES ? 0.05 : 0.5;
            t_Frame x;
            t_begin(&x, &of);
            o_Value found = {.u64 = 0};
            switch (type.code) {
#define CASE(N, T)                                                                                 \
    case GBL_##N##_CODE:                                                                           \
        OK(gbl_Matrix_reduce_##N((T *)(void *)&found, NULL, *entry->handle, x.gA, NULL));          \
        break;
                GBL_FOREACH_TYPE(CASE)
#undef CASE
            default:
                break;
            }
            const s_Call call = {.A = x.a, .op = k};
            o_Value expected = s_reduce(&call);
            CHECK(o_close(type, &expected, &found, type.code == GBL_FP32_CODE ? 1e-5 : 1e-12));
            t_end(&x);
        }
    }
}

/* --------------------------------------------------------------------------------- by lists -- */

typedef enum {
    EXTRACT,
    EXTRACT_COLUMN,
    ASSIGN_AT,
    ASSIGN_VALUE_AT,
    ROW,
    COLUMN,
    KRONECKER
} list_operation;

/* One case: the operands that are no frame's, and the lists. */
typedef struct {
    list_operation what;
    uint64_t seed;
    o_Matrix C, A, B, M;
    t_List I, J;
    t_Flags flags;
    size_t accum, op;
    gbl_Index line;
    o_Type type; /* of x */
    o_Value x;
} list_case;

static bool is_line(list_operation what) {
    return what == ROW || what == COLUMN;
}

static o_Matrix some(t_Random *r, gbl_Index m, gbl_Index n, bool wild) {
    return t_generate(r, &(t_Content){o_type(t_types[t_below(r, 11)]), m, n, T_RANDOM,
                                      t_chance(r, 0.3) ? 0.9 : 0.35, wild, t_chance(r, 0.1)});
}

static o_Matrix turned(t_Random *r, bool tran, gbl_Index m, gbl_Index n) {
    return some(r, tran ? n : m, tran ? m : n, true);
}

/* Lists of m rows and n columns; those of assign are distinct. */
static void make_lists(list_case *c, t_Random *r, gbl_Index m, gbl_Index n) {
    for (int k = 0; k < 2; k++) {
        t_ListKind kind = (t_ListKind)t_below(r, T_LISTS);
        const bool repeats = c->what == EXTRACT || c->what == EXTRACT_COLUMN;
        if (kind == T_LIST_REPEATED && !repeats) kind = T_LIST_SHUFFLED;
        *(k == 0 ? &c->I : &c->J) = t_list(r, kind, k == 0 ? m : n);
    }
}

/* C, A and B as the operation wants them. */
static void make_operands(list_case *c, t_Random *r) {
    const gbl_Index m = 1 + t_below(r, 20), n = 1 + t_below(r, 20);
    const bool t0 = c->flags.tran0, t1 = c->flags.tran1;
    make_lists(c, r, m, n);
    const gbl_Index ni = c->I.n, nj = c->J.n;
    c->B = some(r, 1, 1, false);
    switch (c->what) {
    case EXTRACT:
    case EXTRACT_COLUMN:
        c->A = turned(r, t0, m, n);
        c->line = t_below(r, n);
        c->C = some(r, ni, c->what == EXTRACT ? nj : 1, true);
        break;
    case KRONECKER:
        o_free(&c->B);
        c->A = turned(r, t0, 1 + m / 4, 1 + n / 4);
        c->B = turned(r, t1, 1 + n / 4, 1 + m / 4);
        c->C = some(r, (1 + m / 4) * (1 + n / 4), (1 + m / 4) * (1 + n / 4), true);
        break;
    case ROW:
    case COLUMN:
        o_free(&c->B);
        c->A = some(r, 1, 1, false);
        c->B = some(r, c->what == ROW ? nj : ni, 1, true);
        c->line = t_below(r, c->what == ROW ? m : n);
        c->C = some(r, m, n, true);
        break;
    default:
        c->A = turned(r, t0, ni, nj);
        c->C = some(r, m, n, true);
    }
    const gbl_Index length = c->what == ROW ? n : m;
    c->M = is_line(c->what) ? some(r, length, 1, false) : some(r, c->C.nrows, c->C.ncols, false);
}

/* -- both sides */

static gbl_Info run_list_matrix(const list_case *c, gbl_Matrix C, gbl_Matrix M, gbl_Matrix A,
                                gbl_Matrix B, gbl_Descriptor desc) {
    const gbl_BinaryOp accum = c->flags.accum ? *t_binaries[c->accum].handle : NULL;
    const gbl_Index *I = t_listed(&c->I), *J = t_listed(&c->J);
    if (c->what == EXTRACT) return gbl_Matrix_extract(C, M, accum, A, I, c->I.n, J, c->J.n, desc);
    if (c->what == ASSIGN_AT) return gbl_Matrix_assign(C, M, accum, A, I, c->I.n, J, c->J.n, desc);
    if (c->what == KRONECKER)
        return gbl_Matrix_kronecker_BinaryOp(C, M, accum, *t_binaries[c->op].handle, A, B, desc);
    gbl_Scalar s = t_scalar(c->type, &c->x);
    const gbl_Info info = gbl_Matrix_assign_Scalar(C, M, accum, s, I, c->I.n, J, c->J.n, desc);
    OK(gbl_Scalar_free(&s));
    return info;
}

static o_Matrix run_gblite(const list_case *c) {
    const bool masked = t_has_mask(c->flags.mask);
    const gbl_BinaryOp accum = c->flags.accum ? *t_binaries[c->accum].handle : NULL;
    gbl_Matrix A = t_matrix(&c->A), B = NULL, C = NULL, M = NULL;
    gbl_Vector w = NULL, m = NULL, u = NULL;
    gbl_Descriptor desc = t_descriptor(&c->flags);
    o_Matrix result;
    if (c->what == EXTRACT_COLUMN) {
        w = t_vector(&c->C);
        if (masked) m = t_vector(&c->M);
        OK(gbl_Col_extract(w, m, accum, A, t_listed(&c->I), c->I.n, c->line, desc));
        result = t_dense_vector(w);
    } else if (is_line(c->what)) {
        C = t_matrix(&c->C);
        u = t_vector(&c->B);
        if (masked) m = t_vector(&c->M);
        if (c->what == ROW)
            OK(gbl_Row_assign(C, m, accum, u, c->line, t_listed(&c->J), c->J.n, desc));
        else
            OK(gbl_Col_assign(C, m, accum, u, t_listed(&c->I), c->I.n, c->line, desc));
        result = t_dense(C);
    } else {
        C = t_matrix(&c->C);
        B = t_matrix(&c->B);
        if (masked) M = t_matrix(&c->M);
        OK(run_list_matrix(c, C, M, A, B, desc));
        result = t_dense(C);
    }
    FREE(A, B, C, M, w, m, u, desc);
    return result;
}

/* C becomes the result. */
static void run_suitesparse_lists(list_case *c) {
    static void (*const run[])(const s_Lists *) = {
        s_extract, s_extract_column, s_assign_at, s_assign_value_at, s_assign_row, s_assign_column};
    const bool all_i = c->I.kind == T_LIST_ALL, all_j = c->J.kind == T_LIST_ALL;
    s_Lists lists = {{&c->C, &c->M, &c->A, &c->B, c->flags, c->accum, c->op, c->type, c->x},
                     all_i ? NULL : c->I.i,
                     all_j ? NULL : c->J.i,
                     c->I.n,
                     c->J.n,
                     c->line};
    if (c->what == KRONECKER)
        s_kronecker(&lists.call);
    else
        run[c->what](&lists);
}

static void compare_lists(list_operation what, uint64_t seed) {
    static const o_Opcode accums[] = {O_MINUS, O_SECOND, O_MIN, O_PLUS, O_FIRST};
    if (t_left_out()) return;
    t_Random r = t_random(seed + 4711);
    list_case c = {.what = what, .seed = seed, .flags = t_flags((unsigned)(seed % T_FLAGS_ALL))};
    const bool has_tran0 =
        what == EXTRACT || what == EXTRACT_COLUMN || what == ASSIGN_AT || what == KRONECKER;
    c.flags.tran0 = c.flags.tran0 && has_tran0;
    c.flags.tran1 = c.flags.tran1 && what == KRONECKER;
    make_operands(&c, &r);
    c.accum = position_of(accums[t_below(&r, T_COUNT(accums))], c.C.type.code);
    c.op = t_below(&r, operators_of(ADD));
    if (what == ASSIGN_VALUE_AT) {
        c.type = o_type(t_types[t_below(&r, 11)]);
        c.x = t_value(&r, c.type);
    }
    t_case("operation %d, seed %llu, rows %s, columns %s, line %llu, C %llu x %llu, %s", (int)what,
           (unsigned long long)seed, t_list_names[c.I.kind], t_list_names[c.J.kind],
           (unsigned long long)c.line, (unsigned long long)c.C.nrows, (unsigned long long)c.C.ncols,
           t_flags_text(&c.flags));
    o_Matrix here = run_gblite(&c);
    run_suitesparse_lists(&c);
    t_expect_dense("result", &c.C, &here, 0);
    FREE(here, c.A, c.B, c.C, c.M);
}

static void many(list_operation what, uint64_t count) {
    for (uint64_t seed = 0; seed < count; seed++) compare_lists(what, seed);
}

SS_TEST(suitesparse_lists, extract) {
    many(EXTRACT, 3000);
}

SS_TEST(suitesparse_lists, extract_column) {
    many(EXTRACT_COLUMN, 2000);
}

SS_TEST(suitesparse_lists, assign) {
    many(ASSIGN_AT, 3000);
    many(ASSIGN_VALUE_AT, 2000);
}

SS_TEST(suitesparse_lists, assign_line) {
    many(ROW, 1500);
    many(COLUMN, 1500);
}

SS_TEST(suitesparse_lists, kronecker) {
    many(KRONECKER, 2000);
}

#endif
