/* SPDX-License-Identifier: Apache-2.0
 *
 * The walk: every operation of the C API with every kind of mask, accumulator, replace, transposes,
 * type, alias of its arguments and way in which they are held, against the oracle, and against
 * SuiteSparse:GraphBLAS where it is there and means the same.
 *
 * Cases are numbered; what the number does not fix is random, from the number as a seed. One of a
 * hundred cases runs, at random places. GBLITE_TEST_WALK=all in the environment runs all of them,
 * some 12 million in 5 minutes of a processor, GBLITE_TEST_WALK=/31 one of 31, and
 * GBLITE_TEST_WALK=17 the case 17 of each operation alone.
 */
#include "walk_operations.h"
#include "walk_states.h"

#include "matrix/check.h"

#include <stdio.h>

enum { STEP = 107, TYPES = 14, STATES = MATRIX_STATES + 1, ALIASES = 2 * 3 * 4 };
#define CASES ((uint64_t)T_FLAGS_ALL * TYPES * STATES * ALIASES) /* of each operation */

/* -- operators */

#define PICK(r, table, count, wanted)                                                              \
    do {                                                                                           \
        w->k = t_below(r, count);                                                                  \
        while ((table)[w->k].type != (wanted)) w->k = (w->k + 1) % (count);                        \
    } while (0)

static void pick_operator(Walk *w, gbl_Type_Code type) {
    t_Random *r = &w->random;
    w->type = o_type(type);
    switch (w->op->operators) {
    case RINGS:
        PICK(r, t_rings, t_ring_count, type);
        w->ring = t_ring(&t_rings[w->k]);
        break;
    case BINARIES:
        PICK(r, t_binaries, t_binary_count, type);
        w->binary = t_binary(&t_binaries[w->k]);
        break;
    case UNARIES:
        PICK(r, t_unaries, t_unary_count, type);
        w->unary = t_unary(&t_unaries[w->k]);
        break;
    case INDEXES:
        PICK(r, t_indexes, t_index_count, type);
        w->index = t_index(&t_indexes[w->k]);
        break;
    case MONOIDS:
        PICK(r, t_monoids, t_monoid_count, type);
        w->monoid = t_monoid(&t_monoids[w->k]);
        break;
    default:
        break;
    }
}

static bool selects(const Walk *w) {
    return w->op->oracle == oracle_select;
}

static void pick_user(Walk *w) {
    w->user = t_chance(&w->random, 0.5) ? t_user_path() : t_user_colour();
    w->type = w->user.type;
    w->ring = w->user.ring;
    w->binary = w->user.minus;
    w->unary = w->user.twist;
    w->index = selects(w) ? w->user.keep : w->user.place;
    w->monoid = w->user.monoid;
}

/* The operator looks at places, which are others in a huge object. */
static bool is_positional(const Walk *w) {
    if (w->op->operators == INDEXES) return w->is_user || w->index.op < O_VALUEEQ;
    return w->op->operators == RINGS && w->ring.multiply.op >= O_FIRSTI &&
           w->ring.multiply.op <= O_SECONDJ;
}

static bool assigns_value(const Walk *w) {
    return w->op->oracle == oracle_value || w->op->oracle == oracle_value_v;
}

/* A product of floats depends on the order of its factors. */
static bool rounds(const Walk *w) {
    return w->op->operators == MONOIDS && w->monoid.op.op == O_TIMES && t_is_float(w->type.code);
}

/* What C, A and B have without casts. */
static o_Type own_type(const Walk *w, int role) {
    const bool c = role == ROLE_C;
    if (w->op->oracle == oracle_degrees && c) return o_type(GBL_INT64_CODE);
    switch (w->op->operators) {
    case RINGS:
        return c ? w->ring.add.z : role == ROLE_A ? w->ring.multiply.x : w->ring.multiply.y;
    case BINARIES:
        return c ? w->binary.z : w->binary.x;
    case UNARIES:
        return c ? w->unary.z : w->unary.x;
    case INDEXES:
        return c && !selects(w) ? w->index.z : w->index.x;
    default:
        return w->type;
    }
}

/* -- dimensions */

static void make_list(Walk *w, t_List *list, gbl_Index *wide, int from, bool aliased) {
    const t_Scatter *whole = &w->axis[from];
    const bool value = (w->op->is & TAKES_VALUE) != 0;
    t_ListKind kind = (t_ListKind)t_below(&w->random, T_LISTS);
    if (kind == T_LIST_REPEATED && !(w->op->is & REPEATS)) kind = T_LIST_SHUFFLED;
    if (aliased) kind = T_LIST_ALL;
    if (whole->n != whole->small && value && kind == T_LIST_ALL) kind = T_LIST_SHUFFLED;
    *list = t_list(&w->random, kind, whole->small);
    if (whole->small == 0) list->kind = T_LIST_ALL;
    if (aliased && !w->huge && t_chance(&w->random, 0.5)) {
        list->kind = T_LIST_SHUFFLED; /* backwards */
        for (gbl_Index k = 0; k < list->n; k++) list->i[k] = list->n - 1 - k;
    }
    w->axis[from + 1] = list->kind == T_LIST_ALL ? *whole : t_same_places(list->n);
    for (gbl_Index k = 0; k < list->n; k++) wide[k] = whole->at[list->i[k]];
}

static t_Scatter some_axis(Walk *w) {
    static const gbl_Index lengths[] = {(gbl_Index)1 << 33, (gbl_Index)1 << 47, GBL_INDEX_MAX + 1};
    t_Random *r = &w->random;
    const bool product = w->op->is & STAYS_SMALL && w->op->operators == BINARIES;
    gbl_Index n = 1 + t_below(r, product ? 5 : t_chance(r, 0.1) ? 40 : 18);
    if (t_chance(r, 0.03) && !(w->op->is & TAKES_LINE)) n = 0;
    return w->huge && n > 0 && t_chance(r, 0.7) ? t_scatter(r, n, lengths[t_below(r, 3)])
                                                : t_same_places(n);
}

static void make_axes(Walk *w, bool aliased) {
    const unsigned is = w->op->is;
    for (int k = 0; k < 4; k++) w->axis[k] = aliased && k > 0 ? w->axis[0] : some_axis(w);
    if (is & TAKES_ROWS) make_list(w, &w->I, w->wide[0], 0, aliased);
    if (is & TAKES_COLUMNS) make_list(w, &w->J, w->wide[1], 2, aliased);
    for (int k = 0; k < 2; k++)
        if (w->op->oracle == oracle_kronecker)
            w->axis[4 + k] = t_same_places(w->axis[k].small * w->axis[2 + k].small);
    w->axis[6] = t_same_places(1);
    if (is & TAKES_LINE) {
        const t_Scatter *across = &w->axis[is & TAKES_ROWS ? 2 : 0];
        w->line = t_below(&w->random, across->small);
        w->wide_line = across->at[w->line];
    }
}

/* -- operands */

static bool is_turned(const Walk *w, int role) {
    const char *turns = w->op->turns;
    const size_t place = (size_t)(role - ROLE_A);
    if (role < ROLE_A || strlen(turns) <= place) return false;
    return (turns[place] == '0' && w->flags.tran0) || (turns[place] == '1' && w->flags.tran1);
}

static bool same_axis(const Walk *w, int a, int b) {
    const t_Scatter *x = &w->axis[a], *y = &w->axis[b];
    return x->small == y->small && x->n == y->n &&
           memcmp(x->at, y->at, x->small * sizeof *x->at) == 0;
}

/* Whether a role of this shape and type may be taken by an object that there is. */
static bool may_be(const Walk *w, const w_Object *other, const w_Object *o, int role) {
    if (other == NULL || other->is_matrix != o->is_matrix) return false;
    if (!same_axis(w, other->rows, o->rows)) return false;
    if (o->is_matrix && !same_axis(w, other->cols, o->cols)) return false;
    const bool user = other->D.type.code == GBL_UDT_CODE;
    const t_Mask mask = w->flags.mask;
    if (role == ROLE_M) return !user || mask == T_STRUCTURAL || mask == T_COMP_STRUCTURAL;
    return user == (o->D.type.code == GBL_UDT_CODE);
}

static o_Type type_of(Walk *w, int role, bool mixed) {
    t_Random *r = &w->random;
    if (role == ROLE_M) return o_type(t_types[t_below(r, T_COUNT(t_types))]);
    const o_Type own = own_type(w, role);
    if (!mixed || own.code == GBL_UDT_CODE) return own;
    return o_type(t_types[t_below(r, T_COUNT(t_types))]);
}

static void fill(Walk *w, w_Object *o, int role) {
    static const double densities[] = {0.05, 0.35, 0.35, 0.6, 0.95};
    t_Random *r = &w->random;
    const bool iso = !w->huge && o->state == (o->is_matrix ? MATRIX_ISO : VECTOR_ISO);
    const t_Content content = {
        o->D.type,
        w->axis[o->rows].small,
        o->is_matrix ? w->axis[o->cols].small : 1,
        role == ROLE_C || rounds(w) || t_chance(r, 0.4) ? T_RANDOM
                                                        : (t_Pattern)t_below(r, T_PATTERNS),
        rounds(w) ? 0.02 : densities[t_below(r, T_COUNT(densities))], /* nothing overflows */
        !t_is_float(w->type.code), /* sums of floats are to be exact */
        iso};
    o->D = t_generate(r, &content);
}

static void make_role(Walk *w, int role, int alias, bool mixed) {
    const char *spec = w->op->axes + 3 * role;
    if (spec[0] == '-' || (role == ROLE_M && !t_has_mask(w->flags.mask))) return;
    w_Object o = {.is_matrix = spec[1] != '.', .rows = spec[0] - '0', .cols = spec[1] - '0'};
    if (is_turned(w, role)) {
        const int rows = o.rows;
        o.rows = o.cols;
        o.cols = rows;
    }
    o.D.type = type_of(w, role, mixed);
    if (alias > 0 && may_be(w, w->role[alias - 1], &o, role)) {
        w->role[role] = w->role[alias - 1];
        return;
    }
    o.state = (unsigned)t_below(&w->random, o.is_matrix ? MATRIX_STATES : VECTOR_STATES);
    w->object[w->count] = o;
    w->role[role] = &w->object[w->count++];
}

static void make_object(Walk *w, w_Object *o) {
    t_Random *r = &w->random;
    if (w->huge)
        make_huge(o, &w->axis[o->rows], &w->axis[o->is_matrix ? o->cols : 6]);
    else if (o->is_matrix)
        o->A = matrix_states[o->state].make(&o->D, r);
    else
        o->v = vector_states[o->state].make(&o->D, r);
}

static void make_objects(Walk *w, unsigned state, unsigned alias) {
    const bool mixed = !w->is_user && !rounds(w) && t_chance(&w->random, 0.4);
    const int of[ROLES] = {0, (int)(alias % 2), (int)(alias / 2 % 3), (int)(alias / 6)};
    for (int role = 0; role < ROLES; role++) make_role(w, role, of[role], mixed);
    w_Object *first = w->role[ROLE_A] ? w->role[ROLE_A] : w->role[ROLE_C];
    if (!w->huge) first->state = state % (first->is_matrix ? MATRIX_STATES : VECTOR_STATES);
    for (int k = 0; k < w->count; k++) {
        int role = ROLE_C;
        while (w->role[role] != &w->object[k]) role++;
        fill(w, &w->object[k], role);
        make_object(w, &w->object[k]);
    }
}

/* -- a case */

static void make_flags(Walk *w, unsigned f) {
    static const gbl_Desc_Value methods[] = {GBL_METHOD_ROWWISE, GBL_METHOD_DOT,  GBL_METHOD_TILED,
                                             GBL_METHOD_OUTER,   GBL_METHOD_SPMM, GBL_METHOD_VECTOR,
                                             GBL_METHOD_PANEL};
    t_Random *r = &w->random;
    w->flags = t_flags(f);
    if (strchr(w->op->turns, '0') == NULL) w->flags.tran0 = false;
    if (strchr(w->op->turns, '1') == NULL) w->flags.tran1 = false;
    if (w->op->is & UNMASKED) {
        w->flags.mask = T_NO_MASK;
        w->flags.replace = false;
    }
    if (w->op->operators != RINGS || t_chance(r, 0.5)) return;
    if (w->op->oracle == oracle_mxm && w->op->run == run_mxm) {
        t_set_way(&w->flags, t_next(r) % T_WAYS);
        if (t_chance(r, 0.8)) w->flags.method = methods[t_below(r, T_COUNT(methods))];
    } else {
        w->flags.method = t_chance(r, 0.5) ? GBL_METHOD_PUSH : GBL_METHOD_PULL;
    }
}

static void make_value(Walk *w) {
    t_Random *r = &w->random;
    w->value_type = w->is_user ? w->type : o_type(t_types[t_below(r, T_COUNT(t_types))]);
    w->value = t_value(r, w->value_type);
    /* the standard has j - i + y, SuiteSparse 7.4 j - i - y */
    if (w->index.op == O_DIAGINDEX) memset(&w->value, 0, sizeof w->value);
    w->no_value = assigns_value(w) && t_chance(r, 0.1);
    w->scalar = t_scalar(w->value_type, w->no_value ? NULL : &w->value);
}

static void describe(const Walk *w) {
    char held[ROLES][40] = {"", "", "", ""}, value[64] = "-";
    if (w->op->is & TAKES_VALUE) o_text(value, w->value_type, &w->value);
    for (int role = 0; role < ROLES; role++) {
        const w_Object *o = w->role[role];
        if (o == NULL) continue;
        snprintf(held[role], sizeof held[role], "%c%d type %d %s; ", "CMAB"[role],
                 (int)(o - w->object), (int)o -> D.type.code,
                 w->huge        ? "huge"
                 : o->is_matrix ? matrix_states[o->state].name
                                : vector_states[o->state].name);
    }
    t_case("%s %llu, type %d operator %zu value %s (%d): %s%s%s%sI %s J %s, %s", w->op->name,
           (unsigned long long)w->seed, (int)w->type.code, w->k, value, (int)w->value_type.code,
           held[0], held[1], held[2], held[3], t_list_names[w->I.kind], t_list_names[w->J.kind],
           t_flags_text(&w->flags));
}

static void make(Walk *w, const w_Operation *op, uint64_t n) {
    const unsigned type = (unsigned)(n / T_FLAGS_ALL % TYPES);
    const unsigned state = (unsigned)(n / T_FLAGS_ALL / TYPES % STATES);
    const unsigned alias = (unsigned)(n / T_FLAGS_ALL / TYPES / STATES);
    *w = (Walk){.op = op, .seed = n, .random = t_random(n)};
    w->is_user = type == TYPES - 1 && !(op->is & BUILT_IN);
    make_flags(w, (unsigned)(n % T_FLAGS_ALL));
    t_case("%s %llu", op->name, (unsigned long long)n);
    if (w->is_user)
        pick_user(w);
    else
        pick_operator(w, t_types[type % T_COUNT(t_types)]);
    w->huge = state == MATRIX_STATES && !(op->is & STAYS_SMALL) && !is_positional(w);
    make_axes(w, alias > 0);
    make_objects(w, state, alias);
    const o_Type c = w->role[ROLE_C]->D.type;
    w->accum = c.code == GBL_UDT_CODE ? w->user.minus : t_some_accum(c.code, t_next(&w->random));
    if (op->is & TAKES_VALUE) make_value(w);
    OK(gbl_Global_set_INT32(GBL_GLOBAL, t_chance(&w->random, 0.2) ? 3 : 1, GBL_NTHREADS));
    w->desc = t_descriptor(&w->flags);
    w->rule = t_rule(&w->flags, w_dense(w, ROLE_M), &w->accum);
    describe(w);
}

static void run(Walk *w) {
    gbl_Info info = w->op->run(w);
    if (info == GBL_INVALID_VALUE && w->flags.method != GBL_DEFAULT) {
        OK(gbl_Descriptor_set(w->desc, GBL_METHOD, GBL_DEFAULT)); /* it was not possible */
        info = w->op->run(w);
    }
    OK(info);
}

/* -- both sides */

static void expect(const Walk *w, const char *what, const o_Matrix *D, const w_Object *o) {
    const double tolerance = rounds(w) ? 1e-5 : 0;
    if (w->huge)
        expect_huge(D, o, &w->axis[o->rows], &w->axis[o->is_matrix ? o->cols : 6], tolerance);
    else if (o->is_matrix)
        t_expect(what, D, o->A, tolerance);
    else
        t_expect_vector(what, D, o->v, tolerance);
}

/* Where all products are right, the oracle takes the library's. */
static o_Matrix found_in(const Walk *w) {
    const w_Object *o = w->role[ROLE_C];
    const t_Scatter *rows = &w->axis[o->rows], *cols = &w->axis[o->is_matrix ? o->cols : 6];
    if (!w->huge) return o->is_matrix ? t_dense(o->A) : t_dense_vector(o->v);
    o_Matrix D = o_new(o->D.type, o->D.nrows, o->D.ncols);
    for (gbl_Index p = 0; p < D.nrows * D.ncols; p++) {
        const gbl_Index i = rows->at[p / D.ncols], j = cols->at[p % D.ncols];
        const gbl_Info info = o->is_matrix ? t_get_matrix(&D.x[p].v, D.type, o->A, i, j)
                                           : t_get_vector(&D.x[p].v, D.type, o->v, i);
        D.x[p].has = info == GBL_SUCCESS;
    }
    return D;
}

static bool is_any(const Walk *w) {
    return (w->op->operators == RINGS && w->ring.add.op == O_ANY) ||
           (w->op->operators == MONOIDS && w->monoid.op.op == O_ANY);
}

#ifdef HAVE_SUITESPARSE
/* What SuiteSparse holds as one value. */
static bool is_of_one_value(const o_Matrix *D) {
    const o_Cell *first = NULL;
    for (gbl_Index p = 0; p < D->nrows * D->ncols; p++) {
        const o_Cell *cell = &D->x[p];
        if (cell->has && first != NULL && !o_same(D->type, &cell->v, &first->v)) return false;
        if (cell->has && first == NULL) first = cell;
    }
    return true;
}

/* Cases in which SuiteSparse 7.4.0 errs: a product by position, or eWiseAdd into a full C, with
 * operands of one value; an accumulator inside a mask, where it may crash (GB_subassign_08n); the
 * cast of a real number to BOOL for select, by way of an integer. */
static bool peer_errs(const Walk *w) {
    for (int k = 0; k < w->count; k++)
        if (is_of_one_value(&w->object[k].D)) return true; /* or without entries */
    if (w->op->operators == RINGS && is_positional(w)) return true;
    if (selects(w) && w->type.code == GBL_BOOL_CODE && t_is_float(w->value_type.code)) return true;
    return (w->flags.mask == T_VALUED || w->flags.mask == T_STRUCTURAL) && w->flags.accum;
}

/* SuiteSparse has no such operation, no user's types here, may take another entry (ANY), or rounds
 * products of floats in another order; complex numbers are not in its tables. It casts to the
 * operator's input when it transposes, but not when it does not, and that shows where only one of
 * two matrices has an entry. */
static bool has_peer(Walk *w) {
    if (w->op->peer == NULL || w->is_user || w->huge || w->no_value) return false;
    if (is_any(w) || peer_errs(w)) return false;
    if (rounds(w) || w->type.code >= GBL_FC32_CODE || w->value_type.code >= GBL_FC32_CODE)
        return false;
    for (int k = 0; k < w->count; k++)
        if (w->object[k].D.type.code >= GBL_FC32_CODE) return false;
    if (w->op->oracle == oracle_add && (w->flags.tran0 || w->flags.tran1)) return false;
    const bool no_rows = (w->op->is & TAKES_ROWS) && w->I.n == 0;
    return !no_rows && !((w->op->is & TAKES_COLUMNS) && w->J.n == 0);
}

static void compare_with_peer(Walk *w, const o_Matrix *expected) {
    if (!has_peer(w)) return;
    o_Matrix C = o_copy(&w->role[ROLE_C]->D);
    size_t accum = 0;
    while (t_binaries[accum].op != w->accum.op || t_binaries[accum].type != w->accum.x.code)
        accum++;
    const s_Lists lists = {{&C, w_dense(w, ROLE_M), w_dense(w, ROLE_A), w_dense(w, ROLE_B),
                            w->flags, accum, w->k, w->value_type, w->value},
                           w->I.kind == T_LIST_ALL ? NULL : w->I.i,
                           w->J.kind == T_LIST_ALL ? NULL : w->J.i,
                           w->I.n,
                           w->J.n,
                           w->line};
    w->op->peer(&lists);
    t_expect_dense("SuiteSparse's", expected, &C, 0);
    o_free(&C);
}
#endif

static void release(Walk *w) {
    for (int k = 0; k < w->count; k++) {
        FREE(w->object[k].A, w->object[k].v, w->object[k].D);
    }
    FREE(w->scalar, w->desc);
    if (w->is_user) t_user_free(&w->user);
}

static void walk(const w_Operation *op, uint64_t n) {
    Walk w;
    o_Matrix found;
    make(&w, op, n);
    run(&w);
    for (int k = 0; k < w.count; k++)
        OK(gb_matrix_check(w.object[k].is_matrix ? &w.object[k].A->m : &w.object[k].v->m));
    o_Matrix expected = o_copy(&w.role[ROLE_C]->D);
    if (is_any(&w)) {
        found = found_in(&w);
        w.found = &found;
    }
    /* which entry a reduction over ANY takes is not looked at */
    if (!is_any(&w) || op->operators == RINGS) {
        op->oracle(&w, &expected);
        expect(&w, "C", &expected, w.role[ROLE_C]);
    }
    for (int k = 0; k < w.count; k++)
        if (&w.object[k] != w.role[ROLE_C]) expect(&w, "input", &w.object[k].D, &w.object[k]);
#ifdef HAVE_SUITESPARSE
    compare_with_peer(&w, &expected);
#endif
    if (w.found != NULL) o_free(&found);
    o_free(&expected);
    release(&w);
}

/* -- tests; each takes every eighth operation, so that they run side by side */

enum { PARTS = 8 };

static void walk_part(size_t part) {
    const char *text = getenv("GBLITE_TEST_WALK");
    const bool one = text != NULL && text[0] >= '0' && text[0] <= '9';
    const uint64_t step = text == NULL ? STEP : text[0] == '/' ? strtoull(text + 1, NULL, 10) : 1;
    cr_assert(step > 0, "GBLITE_TEST_WALK=%s: one case of how many?", text);
    for (size_t k = part; k < T_COUNT(operations); k += PARTS) {
        t_Random r = t_random(k);
        if (one) walk(&operations[k], strtoull(text, NULL, 10));
        for (uint64_t n = 0; n + step <= CASES && !one; n += step)
            if (!t_left_out()) walk(&operations[k], n + t_below(&r, step));
    }
}

#ifdef HAVE_SUITESPARSE
#define WALK(k)                                                                                    \
    SS_TEST(walk, part_##k) {                                                                      \
        walk_part(k);                                                                              \
    }
#else
#define WALK(k)                                                                                    \
    GB_TEST(walk, part_##k) {                                                                      \
        walk_part(k);                                                                              \
    }
#endif
WALK(0)
WALK(1)
WALK(2)
WALK(3)
WALK(4)
WALK(5)
WALK(6)
WALK(7)
