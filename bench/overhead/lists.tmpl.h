/* SPDX-License-Identifier: Apache-2.0
 *
 * Calls of one library on lists of long vectors. LIB(x) and CONSTANT(x) name its functions and
 * constants, FUNCTION(x) the function made here, OBJECTS the struct it works on. Nothing lazy is
 * left behind: results are waited for.
 */

static LIB(Info) FUNCTION(settle)(LIB(Vector) v) {
    return LIB(Vector_wait)(v, CONSTANT(MATERIALIZE));
}

/* Random values at as many positions, evenly apart. */
static LIB(Info) FUNCTION(spread)(LIB(Vector) * v, uint64_t entries) {
    uint64_t state = entries;
    LIB(Info) info = LIB(Vector_new)(v, CONSTANT(FP64), OVERHEAD_LONG);
    for (uint64_t k = 0; k < entries && info == CONSTANT(SUCCESS); k++)
        info = LIB(Vector_setElement_FP64)(*v, value(&state), k * OVERHEAD_LONG / entries);
    return info == CONSTANT(SUCCESS) ? FUNCTION(settle)(*v) : info;
}

/* Of each vertex an edge to the next one and two to some others. */
static LIB(Info) FUNCTION(edges)(LIB(Matrix) A) {
    enum { EDGES = 3 * OVERHEAD_LONG };
    LIB(Index) *I = malloc(EDGES * sizeof *I), *J = malloc(EDGES * sizeof *J);
    double *X = malloc(EDGES * sizeof *X);
    LIB(Info) info = CONSTANT(OUT_OF_MEMORY);
    uint64_t state = 1;
    for (LIB(Index) e = 0; I && J && X && e < EDGES; e++) {
        I[e] = e / 3;
        J[e] = (e % 3 == 0 ? I[e] + 1 : draw(&state)) % OVERHEAD_LONG;
        X[e] = value(&state);
    }
    if (I && J && X) info = LIB(Matrix_build_FP64)(A, I, J, X, EDGES, CONSTANT(MIN_FP64));
    free(I);
    free(J);
    free(X);
    return info == CONSTANT(SUCCESS) ? LIB(Matrix_wait)(A, CONSTANT(MATERIALIZE)) : info;
}

static LIB(Info) FUNCTION(new)(OBJECTS *o, uint64_t entries) {
    LIB(Info) info = LIB(Matrix_new)(&o->A, CONSTANT(FP64), OVERHEAD_LONG, OVERHEAD_LONG);
    if (info == CONSTANT(SUCCESS)) info = FUNCTION(edges)(o->A);
    if (info == CONSTANT(SUCCESS)) info = FUNCTION(spread)(&o->u, entries);
    if (info == CONSTANT(SUCCESS)) info = FUNCTION(spread)(&o->m, OVERHEAD_LONG / 2);
    if (info == CONSTANT(SUCCESS)) info = FUNCTION(spread)(&o->f, OVERHEAD_LONG);
    if (info == CONSTANT(SUCCESS)) info = LIB(Vector_new)(&o->w, CONSTANT(FP64), OVERHEAD_LONG);
    return info;
}

static LIB(Info) FUNCTION(vxm)(OBJECTS *o) {
    const LIB(Info) info =
        LIB(vxm)(o->w, NULL, NULL, CONSTANT(MIN_PLUS_SEMIRING_FP64), o->u, o->A, NULL);
    return info == CONSTANT(SUCCESS) ? FUNCTION(settle)(o->w) : info;
}

static LIB(Info) FUNCTION(vxm_outside)(OBJECTS *o) {
    const LIB(Info) info = LIB(vxm)(o->w, o->m, NULL, CONSTANT(MIN_PLUS_SEMIRING_FP64), o->u, o->A,
                                    CONSTANT(DESC_RSC));
    return info == CONSTANT(SUCCESS) ? FUNCTION(settle)(o->w) : info;
}

static LIB(Info) FUNCTION(assign)(OBJECTS *o) {
    const LIB(Info) info = LIB(Vector_assign_FP64)(o->f, o->u, NULL, .25, CONSTANT(ALL),
                                                   OVERHEAD_LONG, CONSTANT(DESC_S));
    return info == CONSTANT(SUCCESS) ? FUNCTION(settle)(o->f) : info;
}

static LIB(Info) FUNCTION(select)(OBJECTS *o) {
    const LIB(Info) info =
        LIB(Vector_select_FP64)(o->w, NULL, NULL, CONSTANT(VALUEGT_FP64), o->u, .5, NULL);
    return info == CONSTANT(SUCCESS) ? FUNCTION(settle)(o->w) : info;
}

static LIB(Info) FUNCTION(reduce)(OBJECTS *o) {
    double sum = 0;
    return LIB(Vector_reduce_FP64)(&sum, NULL, CONSTANT(PLUS_MONOID_FP64), o->u, NULL);
}

static LIB(Info) FUNCTION(apply)(OBJECTS *o) {
    const LIB(Info) info = LIB(Vector_apply)(o->w, NULL, NULL, CONSTANT(AINV_FP64), o->u, NULL);
    return info == CONSTANT(SUCCESS) ? FUNCTION(settle)(o->w) : info;
}

static LIB(Info) FUNCTION(multiply)(OBJECTS *o) {
    const LIB(Info) info =
        LIB(Vector_eWiseMult_BinaryOp)(o->w, NULL, NULL, CONSTANT(TIMES_FP64), o->u, o->f, NULL);
    return info == CONSTANT(SUCCESS) ? FUNCTION(settle)(o->w) : info;
}

static LIB(Info) FUNCTION(add_full)(OBJECTS *o) {
    const LIB(Info) info =
        LIB(Vector_eWiseAdd_BinaryOp)(o->f, NULL, NULL, CONSTANT(MIN_FP64), o->f, o->u, NULL);
    return info == CONSTANT(SUCCESS) ? FUNCTION(settle)(o->f) : info;
}

static LIB(Info) FUNCTION(accumulate)(OBJECTS *o) {
    const LIB(Info) info =
        LIB(Vector_apply)(o->f, NULL, CONSTANT(MIN_FP64), CONSTANT(IDENTITY_FP64), o->u, NULL);
    return info == CONSTANT(SUCCESS) ? FUNCTION(settle)(o->f) : info;
}

static LIB(Info) FUNCTION(apply_outside)(OBJECTS *o) {
    const LIB(Info) info =
        LIB(Vector_apply)(o->w, o->m, NULL, CONSTANT(AINV_FP64), o->u, CONSTANT(DESC_RSC));
    return info == CONSTANT(SUCCESS) ? FUNCTION(settle)(o->w) : info;
}

static LIB(Info) FUNCTION(add)(OBJECTS *o) {
    const LIB(Info) info =
        LIB(Vector_eWiseAdd_BinaryOp)(o->w, NULL, NULL, CONSTANT(PLUS_FP64), o->u, o->u, NULL);
    return info == CONSTANT(SUCCESS) ? FUNCTION(settle)(o->w) : info;
}

static LIB(Info) FUNCTION(assign_list)(OBJECTS *o) {
    const LIB(Info) info =
        LIB(Vector_assign)(o->f, o->u, NULL, o->u, CONSTANT(ALL), OVERHEAD_LONG, CONSTANT(DESC_S));
    return info == CONSTANT(SUCCESS) ? FUNCTION(settle)(o->f) : info;
}

static LIB(Info) FUNCTION(extract_inside)(OBJECTS *o) {
    const LIB(Info) info = LIB(Vector_extract)(o->w, o->u, NULL, o->f, CONSTANT(ALL), OVERHEAD_LONG,
                                               CONSTANT(DESC_RS));
    return info == CONSTANT(SUCCESS) ? FUNCTION(settle)(o->w) : info;
}

static LIB(Info) FUNCTION(index)(OBJECTS *o) {
    const LIB(Info) info =
        LIB(Vector_apply_IndexOp_INT64)(o->w, NULL, NULL, CONSTANT(ROWINDEX_INT64), o->u, 1, NULL);
    return info == CONSTANT(SUCCESS) ? FUNCTION(settle)(o->w) : info;
}

static LIB(Info) FUNCTION(copy)(OBJECTS *o) {
    LIB(Vector) fresh = NULL;
    const LIB(Info) info = LIB(Vector_dup)(&fresh, o->u);
    LIB(Vector_free)(&fresh);
    return info;
}

static LIB(Info) FUNCTION(mxv)(OBJECTS *o) {
    const LIB(Info) info =
        LIB(mxv)(o->w, o->u, NULL, CONSTANT(MIN_PLUS_SEMIRING_FP64), o->A, o->f, CONSTANT(DESC_RS));
    return info == CONSTANT(SUCCESS) ? FUNCTION(settle)(o->w) : info;
}

static LIB(Info) FUNCTION(tuples)(OBJECTS *o) {
    LIB(Index) I[100], n = 100;
    double X[100];
    return LIB(Vector_extractTuples_FP64)(I, X, &n, o->u);
}

/* -- a search along a path: u is the frontier, w has the parents of what was seen */

static LIB(Info) FUNCTION(new_search)(OBJECTS *o, uint64_t entries) {
    LIB(Info) info = LIB(Matrix_new)(&o->A, CONSTANT(BOOL), OVERHEAD_PATH, OVERHEAD_PATH);
    for (LIB(Index) v = 0; v + 1 < OVERHEAD_PATH && info == CONSTANT(SUCCESS); v++)
        info = LIB(Matrix_setElement_BOOL)(o->A, true, v, v + 1);
    if (info == CONSTANT(SUCCESS)) info = LIB(Matrix_wait)(o->A, CONSTANT(MATERIALIZE));
    if (info == CONSTANT(SUCCESS)) info = LIB(Vector_new)(&o->u, CONSTANT(INT64), OVERHEAD_PATH);
    if (info == CONSTANT(SUCCESS)) info = LIB(Vector_new)(&o->w, CONSTANT(INT64), OVERHEAD_PATH);
    for (LIB(Index) v = 0; v < entries && info == CONSTANT(SUCCESS); v++) {
        info = LIB(Vector_setElement_INT64)(o->u, (int64_t)v, v);
        if (info == CONSTANT(SUCCESS)) info = LIB(Vector_setElement_INT64)(o->w, (int64_t)v, v);
    }
    return info == CONSTANT(SUCCESS) ? FUNCTION(settle)(o->w) : info;
}

static LIB(Info) FUNCTION(level)(OBJECTS *o) {
    LIB(Index) found;
    LIB(Info) info = LIB(vxm)(o->u, o->w, NULL, ANY_SECONDI, o->u, o->A, CONSTANT(DESC_RSC));
    if (info == CONSTANT(SUCCESS))
        info = LIB(Vector_assign)(o->w, o->u, NULL, o->u, CONSTANT(ALL), OVERHEAD_PATH,
                                  CONSTANT(DESC_S));
    return info == CONSTANT(SUCCESS) ? LIB(Vector_nvals)(&found, o->u) : info;
}
