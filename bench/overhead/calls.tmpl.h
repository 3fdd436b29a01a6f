/* SPDX-License-Identifier: Apache-2.0
 *
 * The calls of one library. LIB(x) and CONSTANT(x) name its functions and constants, FUNCTION(x)
 * the function made here, OBJECTS the struct it works on. Nothing lazy is left behind: results are
 * waited for.
 */

static LIB(Info) FUNCTION(finish)(LIB(Matrix) C) {
    return LIB(Matrix_wait)(C, CONSTANT(MATERIALIZE));
}

/* The three diagonals; entries of I and J, X. Returns how many. */
static LIB(Index) FUNCTION(entries)(LIB(Index) * I, LIB(Index) * J, double *X) {
    LIB(Index) n = 0;
    for (LIB(Index) i = 0; i < OVERHEAD_N; i++)
        for (LIB(Index) j = i > 0 ? i - 1 : 0; j <= i + 1 && j < OVERHEAD_N; j++, n++) {
            I[n] = i;
            J[n] = j;
            X[n] = 1.0 / (double)(1 + i + j);
        }
    return n;
}

static LIB(Info) FUNCTION(fill)(LIB(Matrix) A) {
    LIB(Index) I[3 * OVERHEAD_N], J[3 * OVERHEAD_N];
    double X[3 * OVERHEAD_N];
    const LIB(Index) n = FUNCTION(entries)(I, J, X);
    const LIB(Info) info = LIB(Matrix_build_FP64)(A, I, J, X, n, CONSTANT(PLUS_FP64));
    return info == CONSTANT(SUCCESS) ? FUNCTION(finish)(A) : info;
}

static LIB(Info) FUNCTION(new)(OBJECTS *o, uint64_t entries) {
    (void)entries;
    LIB(Info) info = LIB(Matrix_new)(&o->A, CONSTANT(FP64), OVERHEAD_N, OVERHEAD_N);
    if (info == CONSTANT(SUCCESS)) info = FUNCTION(fill)(o->A);
    if (info == CONSTANT(SUCCESS)) info = LIB(Matrix_dup)(&o->M, o->A);
    if (info == CONSTANT(SUCCESS))
        info = LIB(Matrix_new)(&o->C, CONSTANT(FP64), OVERHEAD_N, OVERHEAD_N);
    if (info == CONSTANT(SUCCESS)) info = LIB(Vector_new)(&o->u, CONSTANT(FP64), OVERHEAD_N);
    if (info == CONSTANT(SUCCESS)) info = LIB(Vector_new)(&o->w, CONSTANT(FP64), OVERHEAD_N);
    for (LIB(Index) i = 0; i < OVERHEAD_N && info == CONSTANT(SUCCESS); i++)
        info = LIB(Vector_setElement_FP64)(o->u, 1.0, i);
    return info == CONSTANT(SUCCESS) ? LIB(Vector_wait)(o->u, CONSTANT(MATERIALIZE)) : info;
}

static LIB(Info) FUNCTION(mxm)(OBJECTS *o) {
    const LIB(Info) info = LIB(mxm)(o->C, NULL, NULL, SEMIRING, o->A, o->A, NULL);
    return info == CONSTANT(SUCCESS) ? FUNCTION(finish)(o->C) : info;
}

static LIB(Info) FUNCTION(mxm_masked)(OBJECTS *o) {
    const LIB(Info) info = LIB(mxm)(o->C, o->M, NULL, SEMIRING, o->A, o->A, CONSTANT(DESC_RS));
    return info == CONSTANT(SUCCESS) ? FUNCTION(finish)(o->C) : info;
}

static LIB(Info) FUNCTION(mxv)(OBJECTS *o) {
    const LIB(Info) info = LIB(mxv)(o->w, NULL, NULL, SEMIRING, o->A, o->u, NULL);
    return info == CONSTANT(SUCCESS) ? LIB(Vector_wait)(o->w, CONSTANT(MATERIALIZE)) : info;
}

static LIB(Info) FUNCTION(vxm)(OBJECTS *o) {
    const LIB(Info) info = LIB(vxm)(o->w, NULL, NULL, SEMIRING, o->u, o->A, NULL);
    return info == CONSTANT(SUCCESS) ? LIB(Vector_wait)(o->w, CONSTANT(MATERIALIZE)) : info;
}

static LIB(Info) FUNCTION(add)(OBJECTS *o) {
    const LIB(Info) info =
        LIB(Matrix_eWiseAdd_BinaryOp)(o->C, NULL, NULL, CONSTANT(PLUS_FP64), o->A, o->M, NULL);
    return info == CONSTANT(SUCCESS) ? FUNCTION(finish)(o->C) : info;
}

static LIB(Info) FUNCTION(multiply)(OBJECTS *o) {
    const LIB(Info) info =
        LIB(Matrix_eWiseMult_BinaryOp)(o->C, NULL, NULL, CONSTANT(TIMES_FP64), o->A, o->M, NULL);
    return info == CONSTANT(SUCCESS) ? FUNCTION(finish)(o->C) : info;
}

static LIB(Info) FUNCTION(apply)(OBJECTS *o) {
    const LIB(Info) info = LIB(Matrix_apply)(o->C, NULL, NULL, CONSTANT(AINV_FP64), o->A, NULL);
    return info == CONSTANT(SUCCESS) ? FUNCTION(finish)(o->C) : info;
}

static LIB(Info) FUNCTION(select)(OBJECTS *o) {
    const LIB(Info) info =
        LIB(Matrix_select_INT64)(o->C, NULL, NULL, CONSTANT(TRIL), o->A, 0, NULL);
    return info == CONSTANT(SUCCESS) ? FUNCTION(finish)(o->C) : info;
}

static LIB(Info) FUNCTION(transpose)(OBJECTS *o) {
    const LIB(Info) info = LIB(transpose)(o->C, NULL, NULL, o->A, NULL);
    return info == CONSTANT(SUCCESS) ? FUNCTION(finish)(o->C) : info;
}

static LIB(Info) FUNCTION(reduce)(OBJECTS *o) {
    double sum = 0;
    return LIB(Matrix_reduce_FP64)(&sum, NULL, MONOID, o->A, NULL);
}

static LIB(Info) FUNCTION(reduce_rows)(OBJECTS *o) {
    const LIB(Info) info = LIB(Matrix_reduce_Monoid)(o->w, NULL, NULL, MONOID, o->A, NULL);
    return info == CONSTANT(SUCCESS) ? LIB(Vector_wait)(o->w, CONSTANT(MATERIALIZE)) : info;
}

static LIB(Info) FUNCTION(matrix)(OBJECTS *o) {
    LIB(Matrix) fresh = NULL;
    const LIB(Info) info = LIB(Matrix_new)(&fresh, CONSTANT(FP64), OVERHEAD_N, OVERHEAD_N);
    LIB(Matrix_free)(&fresh);
    (void)o;
    return info;
}

static LIB(Info) FUNCTION(vector)(OBJECTS *o) {
    LIB(Vector) fresh = NULL;
    const LIB(Info) info = LIB(Vector_new)(&fresh, CONSTANT(FP64), OVERHEAD_N);
    LIB(Vector_free)(&fresh);
    (void)o;
    return info;
}

static LIB(Info) FUNCTION(dup)(OBJECTS *o) {
    LIB(Matrix) fresh = NULL;
    const LIB(Info) info = LIB(Matrix_dup)(&fresh, o->A);
    LIB(Matrix_free)(&fresh);
    return info;
}

static LIB(Info) FUNCTION(build)(OBJECTS *o) {
    LIB(Matrix) fresh = NULL;
    LIB(Info) info = LIB(Matrix_new)(&fresh, CONSTANT(FP64), OVERHEAD_N, OVERHEAD_N);
    if (info == CONSTANT(SUCCESS)) info = FUNCTION(fill)(fresh);
    LIB(Matrix_free)(&fresh);
    (void)o;
    return info;
}

static LIB(Info) FUNCTION(nvals)(OBJECTS *o) {
    LIB(Index) n;
    return LIB(Matrix_nvals)(&n, o->A);
}

static LIB(Info) FUNCTION(extract_element)(OBJECTS *o) {
    double x;
    return LIB(Matrix_extractElement_FP64)(&x, o->A, 5, 5);
}

static LIB(Info) FUNCTION(set_element)(OBJECTS *o) {
    const LIB(Info) info = LIB(Matrix_setElement_FP64)(o->M, 2.0, 5, 5);
    return info == CONSTANT(SUCCESS) ? FUNCTION(finish)(o->M) : info;
}

static LIB(Info) FUNCTION(set_elements)(OBJECTS *o) {
    LIB(Index) I[3 * OVERHEAD_N], J[3 * OVERHEAD_N];
    double X[3 * OVERHEAD_N];
    const LIB(Index) n = FUNCTION(entries)(I, J, X);
    LIB(Info) info = LIB(Matrix_clear)(o->C);
    for (LIB(Index) k = 0; k < n && info == CONSTANT(SUCCESS); k++)
        info = LIB(Matrix_setElement_FP64)(o->C, X[k], I[k], J[k]);
    return info == CONSTANT(SUCCESS) ? FUNCTION(finish)(o->C) : info;
}

static LIB(Info) FUNCTION(tuples)(OBJECTS *o) {
    LIB(Index) I[3 * OVERHEAD_N], J[3 * OVERHEAD_N], n = 3 * OVERHEAD_N;
    double X[3 * OVERHEAD_N];
    return LIB(Matrix_extractTuples_FP64)(I, J, X, &n, o->A);
}
