/* SPDX-License-Identifier: Apache-2.0
 *
 * The operators of compiled semirings (compiled_rings.h) outside of products: element-wise
 * operations, apply, reductions, accumulators and duplicates have the same bits as through function
 * pointers. Compiled once per instruction set.
 */
#include "mxm/compiled_rings.h"

/* The parts of a semiring. */
typedef struct {
    gbl_Semiring ring;
    gbl_Monoid monoid;
    gbl_BinaryOp add, multiply;
} Parts;

static Parts open_parts(gbl_Semiring ring) {
    Parts s = {.ring = ring};
    OK(gbl_Semiring_add(&s.monoid, ring));
    OK(gbl_Semiring_multiply(&s.multiply, ring));
    OK(gbl_Monoid_operator(&s.add, s.monoid));
    return s;
}

static void close_parts(Parts *s) {
    FREE(s->monoid, s->add, s->multiply);
}

/* -- matrices ---------------------------------------------------------------------------------- */

typedef struct {
    gbl_Matrix A, B, M;
    char x[MOST];
    gbl_Type type;
    uint32_t size;
} Matrices;

enum { EWISE_ADD, EWISE_RING, EWISE_MULT, FIRST, SECOND, ACCUMULATE, ASSIGN, BUILD, MATRIX_CALLS };

/* All entries of A and those of B. */
static gbl_Info build(gbl_Matrix C, const Matrices *m, gbl_BinaryOp dup) {
    gbl_Index na, nb, *at, *J;
    OK(gbl_Matrix_nvals(&na, m->A));
    OK(gbl_Matrix_nvals(&nb, m->B));
    const gbl_Index n = na + nb;
    at = malloc(2 * (n + 1) * sizeof *at);
    char *x = malloc((n + 1) * m->size);
    J = at + n;
    OK(gbl_Matrix_extractTuples_UDT(at, J, x, &na, m->A));
    OK(gbl_Matrix_extractTuples_UDT(at + na, J + na, x + na * m->size, &nb, m->B));
    const gbl_Info info = gbl_Matrix_build_UDT(C, at, J, x, n, dup);
    free(at);
    free(x);
    return info;
}

static gbl_Info call_matrices(int which, gbl_Matrix C, const Parts *s, const Matrices *m) {
    switch (which) {
    case EWISE_ADD: /* of one that does not commute */
        return gbl_Matrix_eWiseAdd_BinaryOp(C, m->M, NULL, s->multiply, m->A, m->B, GBL_DESC_S);
    case EWISE_RING:
        return gbl_Matrix_eWiseAdd_Semiring(C, NULL, NULL, s->ring, m->A, m->B, NULL);
    case EWISE_MULT:
        return gbl_Matrix_eWiseMult_BinaryOp(C, NULL, NULL, s->multiply, m->A, m->B, NULL);
    case FIRST:
        return gbl_Matrix_apply_BinaryOp1st_UDT(C, NULL, NULL, s->multiply, m->x, m->A, NULL);
    case SECOND:
        return gbl_Matrix_apply_BinaryOp2nd_UDT(C, NULL, NULL, s->multiply, m->A, m->x, NULL);
    case ACCUMULATE:
        OK(gbl_Matrix_assign(C, NULL, NULL, m->B, GBL_ALL, 0, GBL_ALL, 0, NULL));
        return gbl_mxm(C, NULL, s->add, s->ring, m->A, m->B, NULL);
    case ASSIGN:
        OK(gbl_Matrix_assign(C, NULL, NULL, m->B, GBL_ALL, 0, GBL_ALL, 0, NULL));
        return gbl_Matrix_assign(C, NULL, s->multiply, m->A, GBL_ALL, 0, GBL_ALL, 0, NULL);
    default:
        return build(C, m, s->add);
    }
}

GB_TEST(compiled_operations, matrices) {
    for (int which = 0; which < RINGS; which++) {
        Pair p = open_pair(which);
        Parts compiled = open_parts(p.compiled), pointers = open_parts(p.pointers);
        CHECK(compiled.add->batch == p.of->add_batch && compiled.monoid->reduce == p.of->reduce);
        CHECK(compiled.multiply->batch == p.of->multiply_batch);
        t_Random r = t_random(11 + (uint64_t)which);
        for (int dense = 0; dense < 2; dense++) {
            Matrices m = {.type = p.type, .size = p.of->size};
            m.A = random_matrix(&r, &p, 70, 70, dense ? 1 : 0.1);
            m.B = random_matrix(&r, &p, 70, 70, dense ? 0.6 : 0.1);
            m.M = random_matrix(&r, &p, 70, 70, 0.3);
            random_value(&r, &p, m.x);
            for (int call = 0; call < MATRIX_CALLS; call++) {
                gbl_Matrix C, D;
                t_case("%s, call %d, dense %d", p.of->name, call, dense);
                OK(gbl_Matrix_new(&C, p.type, 70, 70));
                OK(gbl_Matrix_new(&D, p.type, 70, 70));
                OK(call_matrices(call, C, &compiled, &m));
                OK(call_matrices(call, D, &pointers, &m));
                same_matrices(&p, C, D);
                FREE(C, D);
            }
            FREE(m.A, m.B, m.M);
        }
        close_parts(&compiled);
        close_parts(&pointers);
        close_pair(&p);
    }
}

/* -- vectors and reductions -------------------------------------------------------------------- */

enum { LENGTH = 3000 };
enum { UNION, INTERSECTION, BOUND, ROWS, PLUS_ROWS, VECTOR_CALLS };

static gbl_Info call_vectors(int which, gbl_Vector w, const Parts *s, gbl_Vector u, gbl_Vector v,
                             gbl_Matrix A, const char *x) {
    switch (which) {
    case UNION:
        return gbl_Vector_eWiseAdd_BinaryOp(w, NULL, NULL, s->add, u, v, NULL);
    case INTERSECTION:
        return gbl_Vector_eWiseMult_BinaryOp(w, NULL, NULL, s->multiply, u, v, NULL);
    case BOUND:
        return gbl_Vector_apply_BinaryOp1st_UDT(w, NULL, NULL, s->multiply, x, u, NULL);
    case ROWS:
        return gbl_Matrix_reduce_Monoid(w, NULL, NULL, s->monoid, A, NULL);
    default:
        OK(gbl_Vector_assign(w, NULL, NULL, u, GBL_ALL, 0, NULL));
        return gbl_Matrix_reduce_BinaryOp(w, NULL, s->add, s->add, A, NULL);
    }
}

static void reduce(const Pair *p, const Parts *compiled, const Parts *pointers, gbl_Vector u,
                   gbl_Matrix A, const char *x) {
    char a[MOST], b[MOST];
    for (int accumulates = 0; accumulates < 2; accumulates++) {
        memcpy(a, x, MOST);
        memcpy(b, x, MOST);
        OK(gbl_Vector_reduce_UDT(a, accumulates ? compiled->add : NULL, compiled->monoid, u, NULL));
        OK(gbl_Vector_reduce_UDT(b, accumulates ? pointers->add : NULL, pointers->monoid, u, NULL));
        CHECK(memcmp(a, b, p->of->size) == 0);
        OK(gbl_Matrix_reduce_UDT(a, accumulates ? compiled->add : NULL, compiled->monoid, A, NULL));
        OK(gbl_Matrix_reduce_UDT(b, accumulates ? pointers->add : NULL, pointers->monoid, A, NULL));
        CHECK(memcmp(a, b, p->of->size) == 0);
    }
}

GB_TEST(compiled_operations, vectors) {
    for (int which = 0; which < RINGS; which++) {
        Pair p = open_pair(which);
        Parts compiled = open_parts(p.compiled), pointers = open_parts(p.pointers);
        t_Random r = t_random(13 + (uint64_t)which);
        gbl_Matrix A = random_matrix(&r, &p, LENGTH, 40, 0.2);
        gbl_Vector v = random_vector(&r, &p, LENGTH, 0.5);
        char x[MOST];
        random_value(&r, &p, x);
        for (int dense = 0; dense < 2; dense++) {
            gbl_Vector u = random_vector(&r, &p, LENGTH, dense ? 1 : 0.02);
            for (int call = 0; call < VECTOR_CALLS; call++) {
                gbl_Vector w, z;
                t_case("%s, call %d, dense %d", p.of->name, call, dense);
                OK(gbl_Vector_new(&w, p.type, LENGTH));
                OK(gbl_Vector_new(&z, p.type, LENGTH));
                OK(call_vectors(call, w, &compiled, u, v, A, x));
                OK(call_vectors(call, z, &pointers, u, v, A, x));
                same_vectors(&p, w, z);
                FREE(w, z);
            }
            reduce(&p, &compiled, &pointers, u, A, x);
            FREE(u);
        }
        close_parts(&compiled);
        close_parts(&pointers);
        FREE(A, v);
        close_pair(&p);
    }
}

/* -- parts ------------------------------------------------------------------------------------- */

/* They outlive the semiring; predefined ones are the predefined objects. */
GB_TEST(compiled_operations, parts) {
    gbl_Monoid monoid;
    gbl_BinaryOp op;
    Pair p = open_pair(2);
    Parts s = open_parts(p.compiled);
    const double x[] = {3, 4};
    double sum = 0;
    gbl_Vector v;
    close_pair(&p);
    OK(gbl_Semiring_compiled(&p.compiled, GBL_FP64, &numbers));
    close_parts(&s);
    s = open_parts(p.compiled);
    FREE(p.compiled);
    OK(gbl_Vector_new(&v, GBL_FP64, 2));
    OK(gbl_Vector_build_FP64(v, (gbl_Index[]){0, 0}, x, 2, s.multiply));
    OK(gbl_Vector_reduce_FP64(&sum, s.add, s.monoid, v, NULL));
    CHECK(sum == 12);
    close_parts(&s);
    FREE(v);
    OK(gbl_Semiring_add(&monoid, GBL_MIN_PLUS_SEMIRING_FP64));
    CHECK(monoid == GBL_MIN_MONOID_FP64);
    OK(gbl_Monoid_operator(&op, monoid));
    CHECK(op == GBL_MIN_FP64);
    FREE(monoid, op);
    FAILS(GBL_NULL_POINTER, gbl_Semiring_add(NULL, GBL_MIN_PLUS_SEMIRING_FP64));
    FAILS(GBL_NULL_POINTER, gbl_Semiring_multiply(&op, NULL));
    CHECK(op == NULL);
    FAILS(GBL_NULL_POINTER, gbl_Monoid_operator(&op, NULL));
}

Test(compiled_operations, allocations, .init = t_brutal_setup, .fini = t_brutal_teardown) {
    bool failed = true;
    for (int64_t n = 1; failed; n++) {
        gbl_Semiring ring;
        const gbl_Info info = FAIL_AT(n, gbl_Semiring_compiled(&ring, GBL_FP64, &numbers), &failed);
        CHECK((ring == NULL) == (info != GBL_SUCCESS));
        FREE(ring);
    }
}
