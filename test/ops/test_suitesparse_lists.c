/* SPDX-License-Identifier: Apache-2.0
 *
 * extract and assign by lists of rows and columns, and kronecker, against SuiteSparse:GraphBLAS:
 * random lists, types, masks and accumulators.
 */
#include "support/suitesparse.h"

#ifdef HAVE_SUITESPARSE

#include "support/frame.h"
#include "support/index_list.h"

typedef enum { EXTRACT, EXTRACT_COLUMN, ASSIGN, ASSIGN_VALUE, ROW, COLUMN, KRONECKER } operation;

/* One case: the operands that are no frame's, and the lists. */
typedef struct {
    operation what;
    uint64_t seed;
    o_Matrix C, A, B, M;
    t_List I, J;
    t_Flags flags;
    size_t accum, op;
    gbl_Index line;
    o_Type type; /* of x */
    o_Value x;
} list_case;

static bool is_line(operation what) {
    return what == ROW || what == COLUMN;
}

static size_t place_of(o_Opcode op, gbl_Type_Code type) {
    size_t k = 0;
    while (t_binaries[k].op != op || t_binaries[k].type != type) k++;
    return k;
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

static gbl_Info run_matrix(const list_case *c, gbl_Matrix C, gbl_Matrix M, gbl_Matrix A,
                           gbl_Matrix B, gbl_Descriptor desc) {
    const gbl_BinaryOp accum = c->flags.accum ? *t_binaries[c->accum].handle : NULL;
    const gbl_Index *I = t_listed(&c->I), *J = t_listed(&c->J);
    if (c->what == EXTRACT) return gbl_Matrix_extract(C, M, accum, A, I, c->I.n, J, c->J.n, desc);
    if (c->what == ASSIGN) return gbl_Matrix_assign(C, M, accum, A, I, c->I.n, J, c->J.n, desc);
    if (c->what == KRONECKER)
        return gbl_Matrix_kronecker_BinaryOp(C, M, accum, *t_binaries[c->op].handle, A, B, desc);
    gbl_Scalar s = t_scalar(c->type, &c->x);
    const gbl_Info info = gbl_Matrix_assign_Scalar(C, M, accum, s, I, c->I.n, J, c->J.n, desc);
    OK(gbl_Scalar_free(&s));
    return info;
}

static o_Matrix run_here(const list_case *c) {
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
        OK(run_matrix(c, C, M, A, B, desc));
        result = t_dense(C);
    }
    OK(gbl_Matrix_free(&A));
    OK(gbl_Matrix_free(&B));
    OK(gbl_Matrix_free(&C));
    OK(gbl_Matrix_free(&M));
    OK(gbl_Vector_free(&w));
    OK(gbl_Vector_free(&m));
    OK(gbl_Vector_free(&u));
    OK(gbl_Descriptor_free(&desc));
    return result;
}

/* C becomes the result. */
static void run_there(list_case *c) {
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

static void compare(operation what, uint64_t seed) {
    static const o_Opcode accums[] = {O_MINUS, O_SECOND, O_MIN, O_PLUS, O_FIRST};
    if (t_left_out()) return;
    t_Random r = t_random(seed + 4711);
    list_case c = {.what = what, .seed = seed, .flags = t_flags((unsigned)(seed % T_FLAGS_ALL))};
    const bool has_tran0 =
        what == EXTRACT || what == EXTRACT_COLUMN || what == ASSIGN || what == KRONECKER;
    c.flags.tran0 = c.flags.tran0 && has_tran0;
    c.flags.tran1 = c.flags.tran1 && what == KRONECKER;
    make_operands(&c, &r);
    c.accum = place_of(accums[t_below(&r, T_COUNT(accums))], c.C.type.code);
    c.op = t_below(&r, t_binary_count);
    if (what == ASSIGN_VALUE) {
        c.type = o_type(t_types[t_below(&r, 11)]);
        c.x = t_value(&r, c.type);
    }
    t_case("operation %d, seed %llu, rows %s, columns %s, line %llu, C %llu x %llu, %s", (int)what,
           (unsigned long long)seed, t_list_names[c.I.kind], t_list_names[c.J.kind],
           (unsigned long long)c.line, (unsigned long long)c.C.nrows, (unsigned long long)c.C.ncols,
           t_flags_text(&c.flags));
    o_Matrix here = run_here(&c);
    run_there(&c);
    t_expect_dense("result", &c.C, &here, 0);
    o_free(&here);
    o_free(&c.A);
    o_free(&c.B);
    o_free(&c.C);
    o_free(&c.M);
}

static void many(operation what, uint64_t count) {
    for (uint64_t seed = 0; seed < count; seed++) compare(what, seed);
}

SS_TEST(suitesparse_lists, extract) {
    many(EXTRACT, 3000);
}

SS_TEST(suitesparse_lists, extract_column) {
    many(EXTRACT_COLUMN, 2000);
}

SS_TEST(suitesparse_lists, assign) {
    many(ASSIGN, 3000);
    many(ASSIGN_VALUE, 2000);
}

SS_TEST(suitesparse_lists, assign_line) {
    many(ROW, 1500);
    many(COLUMN, 1500);
}

SS_TEST(suitesparse_lists, kronecker) {
    many(KRONECKER, 2000);
}

#endif
