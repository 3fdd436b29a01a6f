/* SPDX-License-Identifier: Apache-2.0
 *
 * Compiled semirings (compiled_rings.h): products have the same bits as the same semiring through
 * function pointers, by every method that takes both. Compiled once per instruction set.
 */
#include "mxm/compiled_rings.h"

/* -- products ---------------------------------------------------------------------------------- */

typedef struct {
    gbl_Desc_Value method;
    int accumulators; /* 0: any */
    bool masked, outside, transposed;
} Way;

static bool is_refused(const Pair *p, const Way *way) {
    return way->method == GBL_METHOD_OUTER && p->of->size > 16;
}

/* The explanation says which semiring it was. */
static void check_named(const Pair *p, gbl_Matrix C) {
    gbl_Explanation how = GBL_EXPLANATION_INIT;
    char expected[sizeof how.semiring];
    OK(gbl_Matrix_explain(&how, C));
    snprintf(expected, sizeof expected, "compiled semiring: %s", p->of->name);
    CHECK(strcmp(how.semiring, expected) == 0);
}

static void multiply(const Pair *p, gbl_Matrix A, gbl_Matrix B, gbl_Matrix M, const Way *way) {
    gbl_Matrix C, D;
    gbl_Descriptor desc;
    gbl_Index m, n;
    t_case("%s, method %d, accumulators %d, mask %d, outside %d, transposed %d", p->of->name,
           (int)way->method, way->accumulators, way->masked, way->outside, way->transposed);
    OK(gbl_Matrix_nrows(&m, A));
    OK(gbl_Matrix_ncols(&n, B));
    OK(gbl_Descriptor_new(&desc));
    OK(gbl_Descriptor_set(desc, GBL_METHOD, way->method));
    if (way->accumulators != 0)
        OK(gbl_Descriptor_set_INT32(desc, way->accumulators, GBL_ACCUMULATORS));
    if (way->masked) OK(gbl_Descriptor_set(desc, GBL_MASK, GBL_STRUCTURE));
    if (way->outside) OK(gbl_Descriptor_set(desc, GBL_MASK, GBL_COMP));
    if (way->transposed) OK(gbl_Descriptor_set(desc, GBL_INP1, GBL_TRAN));
    OK(gbl_Matrix_new(&C, p->type, m, n));
    OK(gbl_Matrix_new(&D, p->type, m, n));
    if (is_refused(p, way)) {
        FAILS(GBL_INVALID_VALUE, gbl_mxm(C, way->masked ? M : NULL, NULL, p->compiled, A, B, desc));
        FREE(C, D, desc);
        return;
    }
    OK(gbl_mxm(C, way->masked ? M : NULL, NULL, p->compiled, A, B, desc));
    check_named(p, C);
    OK(gbl_mxm(D, way->masked ? M : NULL, NULL, p->pointers, A, B, desc));
    same_matrices(p, C, D);
    FREE(C, D, desc);
}

GB_TEST(compiled_semiring, products) {
    static const Way ways[] = {
        {GBL_DEFAULT, 0, false, false, false},
        {GBL_DEFAULT, 0, true, false, false},
        {GBL_DEFAULT, 0, true, true, true},
        {GBL_METHOD_ROWWISE, GBL_ACCUMULATE_SORT | GBL_ACCUMULATE_HASH, false, false, false},
        {GBL_METHOD_ROWWISE, GBL_ACCUMULATE_HASH, false, false, true},
        {GBL_METHOD_ROWWISE, GBL_ACCUMULATE_DENSE, false, false, false},
        {GBL_METHOD_ROWWISE, GBL_ACCUMULATE_HASH, true, false, false},
        {GBL_METHOD_ROWWISE, GBL_ACCUMULATE_DENSE, true, false, false},
        {GBL_METHOD_ROWWISE, GBL_ACCUMULATE_HASH, true, true, false},
        {GBL_METHOD_ROWWISE, GBL_ACCUMULATE_DENSE, true, true, false},
        {GBL_METHOD_OUTER, 0, false, false, false},
        {GBL_METHOD_OUTER, 0, true, true, false},
        {GBL_METHOD_DOT, 0, true, false, false},
        {GBL_METHOD_DOT, 0, true, false, true}};
    for (int which = 0; which < RINGS; which++) {
        Pair p = open_pair(which);
        t_Random r = t_random(7 + (uint64_t)which);
        for (int dense = 0; dense < 2; dense++) {
            const double density = dense ? 0.3 : 0.03;
            gbl_Matrix A = random_matrix(&r, &p, 90, 90, density);
            gbl_Matrix B = random_matrix(&r, &p, 90, 90, density);
            gbl_Matrix M = random_matrix(&r, &p, 90, 90, 0.2);
            for (size_t k = 0; k < T_COUNT(ways); k++) multiply(&p, A, B, M, &ways[k]);
            FREE(A, B, M);
        }
        close_pair(&p);
    }
}

/* Panels and full factors take semirings on lanes alone. */
GB_TEST(compiled_semiring, lanes) {
    for (int which = 0; which < RINGS; which++) {
        Pair p = open_pair(which);
        t_Random r = t_random(70 + (uint64_t)which);
        gbl_Matrix A = random_matrix(&r, &p, 70, 50, 0.2), B = random_matrix(&r, &p, 50, 60, 0.25);
        gbl_Matrix F = random_matrix(&r, &p, 50, 60, 1), C;
        const Way panel = {.method = GBL_METHOD_PANEL}, spmm = {.method = GBL_METHOD_SPMM};
        if (p.of->panel != NULL) {
            multiply(&p, A, B, NULL, &panel);
            multiply(&p, A, F, NULL, &spmm);
        } else {
            gbl_Descriptor desc;
            OK(gbl_Descriptor_new(&desc));
            OK(gbl_Descriptor_set(desc, GBL_METHOD, GBL_METHOD_PANEL));
            OK(gbl_Matrix_new(&C, p.type, 70, 60));
            FAILS(GBL_INVALID_VALUE, gbl_mxm(C, NULL, NULL, p.compiled, A, B, desc));
            FREE(C, desc);
        }
        FREE(A, B, F);
        close_pair(&p);
    }
}

/* -- products with vectors --------------------------------------------------------------------- */

static void with_vector(const Pair *p, gbl_Matrix A, gbl_Vector u, gbl_Vector mask, bool left,
                        gbl_Desc_Value method) {
    gbl_Vector v, w;
    gbl_Descriptor desc;
    gbl_Index n;
    t_case("%s, vector %s, method %d, mask %d", p->of->name, left ? "left" : "right", (int)method,
           mask != NULL);
    OK(gbl_Matrix_nrows(&n, A));
    OK(gbl_Descriptor_new(&desc));
    OK(gbl_Descriptor_set(desc, GBL_METHOD, method));
    if (mask != NULL) OK(gbl_Descriptor_set(desc, GBL_MASK, GBL_STRUCTURE));
    OK(gbl_Vector_new(&v, p->type, n));
    OK(gbl_Vector_new(&w, p->type, n));
    if (left) {
        OK(gbl_vxm(v, mask, NULL, p->compiled, u, A, desc));
        OK(gbl_vxm(w, mask, NULL, p->pointers, u, A, desc));
    } else {
        OK(gbl_mxv(v, mask, NULL, p->compiled, A, u, desc));
        OK(gbl_mxv(w, mask, NULL, p->pointers, A, u, desc));
    }
    same_vectors(p, v, w);
    FREE(v, w, desc);
}

GB_TEST(compiled_semiring, vectors) {
    static const gbl_Desc_Value methods[] = {GBL_DEFAULT, GBL_METHOD_PUSH, GBL_METHOD_PULL};
    static const double densities[] = {0.02, 0.4, 1};
    for (int which = 0; which < RINGS; which++) {
        Pair p = open_pair(which);
        t_Random r = t_random(700 + (uint64_t)which);
        gbl_Matrix A = random_matrix(&r, &p, 150, 150, 0.08);
        gbl_Vector mask = random_vector(&r, &p, 150, 0.3);
        for (size_t d = 0; d < T_COUNT(densities); d++) {
            gbl_Vector u = random_vector(&r, &p, 150, densities[d]);
            for (size_t k = 0; k < 4 * T_COUNT(methods); k++)
                with_vector(&p, A, u, k & 1 ? mask : NULL, (k & 2) != 0, methods[k / 4]);
            FREE(u);
        }
        FREE(A, mask);
        close_pair(&p);
    }
}

/* -- the contract ------------------------------------------------------------------------------ */

GB_TEST(compiled_semiring, refusals) {
    gbl_Semiring ring;
    gbl_CompiledSemiring wrong = numbers;
    wrong.contract++;
    FAILS(GBL_NOT_IMPLEMENTED, gbl_Semiring_compiled(&ring, GBL_FP64, &wrong));
    CHECK(ring == NULL && strstr(gbl_last_error(), "compile them with the headers") != NULL);
    wrong = numbers;
    wrong.layout++;
    FAILS(GBL_NOT_IMPLEMENTED, gbl_Semiring_compiled(&ring, GBL_FP64, &wrong));
    wrong = numbers;
    wrong.set = "vax";
    FAILS(GBL_NOT_IMPLEMENTED, gbl_Semiring_compiled(&ring, GBL_FP64, &wrong));
    CHECK(strstr(gbl_last_error(), "compiled for vax") != NULL);
    FAILS(GBL_DOMAIN_MISMATCH, gbl_Semiring_compiled(&ring, GBL_FP32, &numbers));
    FAILS(GBL_NULL_POINTER, gbl_Semiring_compiled(&ring, GBL_FP64, NULL));
    FAILS(GBL_NULL_POINTER, gbl_Semiring_compiled(NULL, GBL_FP64, &numbers));
}

/* Whichever allocation fails, the call says so, or does without. */
static void fail_each(const Pair *p, gbl_Matrix A, gbl_Matrix right, gbl_Desc_Value method) {
    gbl_Matrix C;
    gbl_Descriptor desc;
    bool failed = true;
    OK(gbl_Descriptor_new(&desc));
    OK(gbl_Descriptor_set(desc, GBL_METHOD, method));
    for (int64_t n = 1; failed; n++) {
        t_case("%s, method %d: allocation %d fails", p->of->name, (int)method, (int)n);
        OK(gbl_Matrix_new(&C, p->type, 60, 60));
        const gbl_Info info = FAIL_AT(n, gbl_mxm(C, NULL, NULL, p->compiled, A, A, desc), &failed);
        if (info == GBL_SUCCESS) same_matrices(p, C, right);
        FREE(C);
    }
    FREE(desc);
}

Test(compiled_semiring, allocations, .init = t_brutal_setup, .fini = t_brutal_teardown) {
    for (int which = 0; which < RINGS; which += 3) {
        Pair p = open_pair(which);
        t_Random r = t_random(90 + (uint64_t)which);
        gbl_Matrix A = random_matrix(&r, &p, 60, 60, 0.1), right;
        OK(gbl_Matrix_new(&right, p.type, 60, 60));
        OK(gbl_mxm(right, NULL, NULL, p.pointers, A, A, NULL));
        fail_each(&p, A, right, GBL_METHOD_ROWWISE);
        if (p.of->size <= 16) fail_each(&p, A, right, GBL_METHOD_OUTER);
        FREE(A, right);
        close_pair(&p);
    }
}

/* A memory limit that nothing fits in is an error too. */
GB_TEST(compiled_semiring, no_memory) {
    Pair p = open_pair(3);
    t_Random r = t_random(9);
    gbl_Matrix A = random_matrix(&r, &p, 60, 60, 0.2), C, D;
    OK(gbl_Matrix_new(&C, p.type, 60, 60));
    OK(gbl_Matrix_new(&D, p.type, 60, 60));
    OK(gbl_mxm(D, NULL, NULL, p.pointers, A, A, NULL));
    OK(gbl_Global_set_INT64(GBL_GLOBAL, 1, GBL_MEMORY_LIMIT));
    FAILS(GBL_OUT_OF_MEMORY, gbl_mxm(C, NULL, NULL, p.compiled, A, A, NULL));
    OK(gbl_Global_set_INT64(GBL_GLOBAL, 0, GBL_MEMORY_LIMIT));
    OK(gbl_mxm(C, NULL, NULL, p.compiled, A, A, NULL));
    same_matrices(&p, C, D);
    FREE(A, C, D);
    close_pair(&p);
}
