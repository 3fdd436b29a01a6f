/* SPDX-License-Identifier: Apache-2.0
 *
 * Semirings that a program compiled for the GPU: products there have the bits of the same semiring
 * through function pointers on the CPU, for values of 1 to 64 bytes.
 */
#include "mxm/compiled_rings.h"

#include "cuda/cuda_test.h"

/* The last product ran there, by these kernels. */
static void check_there(gbl_Matrix C, const char *method) {
    gbl_Explanation how = GBL_EXPLANATION_INIT;
    OK(gbl_Matrix_explain(&how, C));
    CHECK(strcmp(how.place, "gpu") == 0);
    CHECK(strcmp(how.method, method) == 0);
    CHECK(strncmp(how.semiring, "compiled semiring", 17) == 0);
}

static void multiply(const Pair *p, gbl_Matrix A, gbl_Matrix B, gbl_Matrix M, gbl_Descriptor desc,
                     const char *method) {
    gbl_Matrix C, D;
    gbl_Index m, n;
    t_case("%s, %s, mask %d", p->of->name, method, M != NULL);
    OK(gbl_Matrix_nrows(&m, A));
    OK(gbl_Matrix_ncols(&n, B));
    OK(gbl_Matrix_new(&C, p->type, m, n));
    OK(gbl_Matrix_new(&D, p->type, m, n));
    OK(gbl_mxm(C, M, NULL, p->compiled, A, B, desc));
    check_there(C, method);
    set_place(GBL_PLACE_CPU);
    OK(gbl_mxm(D, M, NULL, p->pointers, A, B, desc));
    set_place(GBL_PLACE_GPU);
    same_matrices(p, C, D);
    FREE(C, D);
}

CUDA_TEST(cuda_compiled, products) {
    for (int which = 0; which < RINGS; which++) {
        Pair p = open_pair(which);
        t_Random r = t_random(7 + (uint64_t)which);
        gbl_Descriptor inside, outside, dot;
        OK(gbl_Descriptor_new(&inside));
        OK(gbl_Descriptor_set(inside, GBL_METHOD, GBL_METHOD_ROWWISE));
        OK(gbl_Descriptor_new(&outside));
        OK(gbl_Descriptor_set(outside, GBL_METHOD, GBL_METHOD_ROWWISE));
        OK(gbl_Descriptor_set(outside, GBL_MASK, GBL_COMP));
        OK(gbl_Descriptor_new(&dot));
        OK(gbl_Descriptor_set(dot, GBL_METHOD, GBL_METHOD_DOT));
        for (int dense = 0; dense < 2; dense++) {
            gbl_Matrix A = random_matrix(&r, &p, 60, 50, dense ? 0.3 : 0.04);
            gbl_Matrix B = random_matrix(&r, &p, 50, 70, dense ? 0.3 : 0.04);
            gbl_Matrix M = t_seeded_matrix(5, GBL_BOOL_CODE, 60, 70, 0.2);
            multiply(&p, A, B, NULL, inside, "rowwise");
            multiply(&p, A, B, M, inside, "rowwise");
            multiply(&p, A, B, M, outside, "rowwise");
            multiply(&p, A, B, M, dot, "dot");
            FREE(A, B, M);
        }
        FREE(inside, outside, dot);
        close_pair(&p);
    }
}

static gbl_Vector every_third(void) {
    gbl_Vector mask;
    OK(gbl_Vector_new(&mask, GBL_BOOL, 60));
    for (gbl_Index i = 0; i < 60; i++)
        if (i % 3 != 1) OK(gbl_Vector_setElement_BOOL(mask, i % 3 == 0, i));
    return mask;
}

static void with_vector(const Pair *p, gbl_Matrix A, gbl_Vector u, gbl_Vector mask, bool left) {
    gbl_Vector v, w;
    t_case("%s, vector %s, mask %d", p->of->name, left ? "left" : "right", mask != NULL);
    OK(gbl_Vector_new(&v, p->type, 60));
    OK(gbl_Vector_new(&w, p->type, 60));
    if (left)
        OK(gbl_vxm(v, mask, NULL, p->compiled, u, A, GBL_DESC_T1));
    else
        OK(gbl_mxv(v, mask, NULL, p->compiled, A, u, NULL));
    set_place(GBL_PLACE_CPU);
    if (left)
        OK(gbl_vxm(w, mask, NULL, p->pointers, u, A, GBL_DESC_T1));
    else
        OK(gbl_mxv(w, mask, NULL, p->pointers, A, u, NULL));
    set_place(GBL_PLACE_GPU);
    same_vectors(p, v, w);
    FREE(v, w);
}

CUDA_TEST(cuda_compiled, vectors) {
    for (int which = 0; which < RINGS; which++) {
        Pair p = open_pair(which);
        t_Random r = t_random(70 + (uint64_t)which);
        gbl_Matrix A = random_matrix(&r, &p, 60, 60, 0.2);
        for (int dense = 0; dense < 2; dense++) {
            gbl_Vector u = random_vector(&r, &p, 60, dense ? 0.9 : 0.1);
            gbl_Vector mask = every_third();
            const uint64_t before = cuda_on_cpu_counts().launches;
            with_vector(&p, A, u, NULL, false);
            with_vector(&p, A, u, mask, false);
            with_vector(&p, A, u, NULL, true);
            CHECK(cuda_on_cpu_counts().launches >= before + 3);
            FREE(u, mask);
        }
        FREE(A);
        close_pair(&p);
    }
}

/* A product that does not fit there comes in slices of rows. */
CUDA_TEST(cuda_compiled, slices) {
    Pair p = open_pair(3);
    t_Random r = t_random(3);
    gbl_Matrix A = random_matrix(&r, &p, 200, 200, 0.1), C, D;
    gbl_Explanation how = GBL_EXPLANATION_INIT;
    int64_t peak = 0;
    OK(gbl_Matrix_new(&C, p.type, 200, 200));
    OK(gbl_Matrix_new(&D, p.type, 200, 200));
    OK(gbl_mxm(C, NULL, NULL, p.compiled, A, A, NULL));
    OK(gbl_Global_get_INT64(GBL_GLOBAL, &peak, GBL_DEVICE_BYTES_PEAK));
    OK(gbl_Matrix_clear(C));
    OK(gbl_Global_set_INT64(GBL_GLOBAL, peak * 6 / 10, GBL_DEVICE_MEMORY_LIMIT));
    OK(gbl_mxm(C, NULL, NULL, p.compiled, A, A, NULL));
    OK(gbl_Matrix_explain(&how, C));
    CHECK(how.slices > 1);
    OK(gbl_Global_set_INT64(GBL_GLOBAL, 0, GBL_DEVICE_MEMORY_LIMIT));
    set_place(GBL_PLACE_CPU);
    OK(gbl_mxm(D, NULL, NULL, p.pointers, A, A, NULL));
    same_matrices(&p, C, D);
    FREE(A, C, D);
    close_pair(&p);
}

static void is_refused(const gbl_CompiledSemiring *of, gbl_Info code, const char *words) {
    gbl_Semiring ring;
    gbl_Matrix A = t_new_matrix(GBL_FP64, 3, 3), C = t_new_matrix(GBL_FP64, 3, 3);
    OK(gbl_Semiring_compiled(&ring, GBL_FP64, of));
    OK(gbl_Matrix_setElement_FP64(A, 1.0, 0, 0));
    OK(gbl_Matrix_setElement_FP64(C, 5.0, 2, 2));
    FAILS(code, gbl_mxm(C, NULL, NULL, ring, A, A, NULL));
    cr_assert(strstr(gbl_last_error(), words) != NULL, "'%s' is not in: %s", words,
              gbl_last_error());
    CHECK_EQ(t_nvals(C), 1);
    FREE(A, C, ring);
}

CUDA_TEST(cuda_compiled, refusals) {
    static const struct {
        const char *version; /* the first member of the table */
        char rest[128];
    } old = {"0.0.9", {0}};
    gbl_CompiledSemiring changed = numbers;
    changed.device = (const struct gb_DeviceSemiring *)&old;
    is_refused(&changed, GBL_NOT_IMPLEMENTED, "of another version (0.0.9)");
    changed.device = NULL;
    is_refused(&changed, GBL_INVALID_VALUE, "has no kernel for this semiring on the GPU");
}
