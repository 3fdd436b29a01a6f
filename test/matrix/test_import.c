/* SPDX-License-Identifier: Apache-2.0
 *
 * import, export, moveIn, moveOut: there and back in every format and type, and arrays that lie.
 */
#include "support/gb_test.h"

#include <stdlib.h>
#include <string.h>

static const gbl_Format formats[] = {GBL_CSR_FORMAT, GBL_CSC_FORMAT, GBL_COO_FORMAT};

typedef struct {
    gbl_Index *p, *i, np, ni, nx;
    unsigned char *x;
    gbl_Format format;
} arrays;

static gbl_Info export_by_type(arrays *a, gbl_Matrix A, gbl_Type_Code code) {
#define CASE(N, T)                                                                                 \
    case GBL_##N##_CODE:                                                                           \
        return gbl_Matrix_export_##N(a->p, a->i, (T *)(void *)a->x, &a->np, &a->ni, &a->nx,        \
                                     a->format, A);
    switch (code) {
        GBL_FOREACH_TYPE(CASE)
        GBL_FOREACH_COMPLEX(CASE)
    default:
        return gbl_Matrix_export_UDT(a->p, a->i, a->x, &a->np, &a->ni, &a->nx, a->format, A);
    }
#undef CASE
}

static gbl_Info import_by_type(gbl_Matrix *A, const arrays *a, o_Type type, gbl_Index n,
                               gbl_Index m) {
#define CASE(N, T)                                                                                 \
    case GBL_##N##_CODE:                                                                           \
        return gbl_Matrix_import_##N(A, type.handle, n, m, a->p, a->i,                             \
                                     (const T *)(const void *)a->x, a->np, a->ni, a->nx,           \
                                     a->format);
    switch (type.code) {
        GBL_FOREACH_TYPE(CASE)
        GBL_FOREACH_COMPLEX(CASE)
    default:
        return gbl_Matrix_import_UDT(A, type.handle, n, m, a->p, a->i, a->x, a->np, a->ni, a->nx,
                                     a->format);
    }
#undef CASE
}

static arrays export_all(gbl_Matrix A, o_Type type, gbl_Format format) {
    arrays a = {.format = format};
    OK(gbl_Matrix_exportSize(&a.np, &a.ni, &a.nx, format, A));
    a.p = malloc((a.np + 1) * sizeof *a.p);
    a.i = malloc((a.ni + 1) * sizeof *a.i);
    a.x = malloc((a.nx + 1) * type.size);
    OK(export_by_type(&a, A, type.code));
    return a;
}

static void arrays_free(arrays *a) {
    free(a->p);
    free(a->i);
    free(a->x);
}

/* swaps entries inside each row (or column, or anywhere for COO), and their values with them */
static void shuffle(arrays *a, size_t size, t_Random *r) {
    const gbl_Index rows = a->format == GBL_COO_FORMAT ? 1 : a->np - 1;
    unsigned char keep[16];
    for (gbl_Index k = 0; k < rows; k++) {
        const gbl_Index first = a->format == GBL_COO_FORMAT ? 0 : a->p[k];
        const gbl_Index end = a->format == GBL_COO_FORMAT ? a->ni : a->p[k + 1];
        for (gbl_Index s = first; s + 1 < end; s++) {
            const gbl_Index t = s + t_below(r, end - s);
            gbl_Index index = a->i[s];
            a->i[s] = a->i[t];
            a->i[t] = index;
            if (a->format == GBL_COO_FORMAT) {
                index = a->p[s];
                a->p[s] = a->p[t];
                a->p[t] = index;
            }
            memcpy(keep, a->x + s * size, size);
            memmove(a->x + s * size, a->x + t * size, size);
            memcpy(a->x + t * size, keep, size);
        }
    }
}

static void there_and_back(o_Type type, uint64_t seed) {
    t_Random r = t_random(seed);
    for (size_t f = 0; f < T_COUNT(formats); f++) {
        t_case("type %d seed %llu format %d", (int)type.code, (unsigned long long)seed,
               (int)formats[f]);
        o_Matrix A = t_generate(
            &r, &(t_Content){type, t_below(&r, 30), t_below(&r, 30), T_RANDOM, 0.3, true, false});
        gbl_Matrix g = t_matrix(&A), h = NULL;
        arrays a = export_all(g, type, formats[f]);
        CHECK_EQ(a.ni, o_count(&A));
        if (seed % 2 == 1) shuffle(&a, type.size, &r);
        OK(import_by_type(&h, &a, type, A.nrows, A.ncols));
        t_expect("imported", &A, h, 0);
        /* one copy more, from the format that the first left behind */
        arrays b = export_all(h, type, formats[(f + 1) % 3]);
        OK(gbl_Matrix_free(&h));
        OK(import_by_type(&h, &b, type, A.nrows, A.ncols));
        t_expect("imported again", &A, h, 0);
        gbl_Format hint = GBL_COO_FORMAT;
        const gbl_Info info = gbl_Matrix_exportHint(&hint, h);
        CHECK(info == GBL_SUCCESS || info == GBL_NO_VALUE);
        arrays_free(&a);
        arrays_free(&b);
        FREE(g, h, A);
    }
}

GB_TEST(import, there_and_back) {
    for (size_t k = 0; k < 11; k++)
        for (uint64_t seed = 0; seed < 12; seed++) there_and_back(o_type(t_types[k]), seed);
}

GB_TEST(import, there_and_back_of_user_types) {
    t_User users[] = {t_user_path(), t_user_colour()};
    for (size_t u = 0; u < 2; u++) {
        for (uint64_t seed = 0; seed < 12; seed++) there_and_back(users[u].type, seed);
        t_user_free(&users[u]);
    }
}

/* an unsorted matrix is as good as a sorted one, in a product too */
GB_TEST(import, unsorted_operands) {
    const o_Type int32 = o_type(GBL_INT32_CODE);
    const o_Ring ring = {{O_PLUS, int32, int32, int32, NULL, NULL},
                         {O_TIMES, int32, int32, int32, NULL, NULL},
                         GBL_PLUS_TIMES_SEMIRING_INT32};
    for (uint64_t seed = 0; seed < 40; seed++) {
        t_Random r = t_random(seed + 3000);
        t_case("seed %llu", (unsigned long long)seed);
        o_Matrix A = t_generate(&r, &(t_Content){int32, 20, 20, T_RANDOM, 0.4, false, false});
        o_Matrix C = o_new(int32, 20, 20);
        gbl_Matrix g = t_matrix(&A), h = NULL, gC = t_matrix(&C);
        arrays a = export_all(g, int32, formats[seed % 2]);
        shuffle(&a, int32.size, &r);
        OK(import_by_type(&h, &a, int32, 20, 20));
        const t_Flags flags = {.tran0 = seed & 2, .tran1 = seed & 4};
        gbl_Descriptor desc = t_descriptor(&flags);
        OK(gbl_mxm(gC, NULL, NULL, ring.handle, h, h, desc));
        const o_Rule rule = t_rule(&flags, NULL, NULL);
        o_mxm(&C, &rule, &(o_Product){&ring, &A, &A, NULL});
        t_expect("C", &C, gC, 0);
        t_expect("A", &A, h, 0);
        FREE(desc, g, h, gC);
        arrays_free(&a);
        FREE(A, C);
    }
}

/* --------------------------------------------------------------------------- arrays that lie -- */

/* A good 3 x 4 CSR matrix; each case spoils one thing. */
static void import_bad(gbl_Info code, const gbl_Index *p, const gbl_Index *i, gbl_Index np,
                       gbl_Index ni, gbl_Index nx, gbl_Format format) {
    static const int32_t x[] = {1, 2, 3, 4, 5};
    gbl_Matrix A = NULL;
    const int64_t before = t_blocks();
    FAILS(code, gbl_Matrix_import_INT32(&A, GBL_INT32, 3, 4, p, i, x, np, ni, nx, format));
    CHECK(A == NULL);
    CHECK_EQ(t_blocks(), before);
}

GB_TEST(import, bad_arrays) {
    const gbl_Index p[] = {0, 2, 2, 5}, i[] = {0, 3, 1, 2, 0};
    gbl_Matrix A = NULL;
    const int32_t x[] = {1, 2, 3, 4, 5};
    OK(gbl_Matrix_import_INT32(&A, GBL_INT32, 3, 4, p, i, x, 4, 5, 5, GBL_CSR_FORMAT));
    OK(gbl_Matrix_free(&A));
    const gbl_Index first[] = {1, 2, 2, 5}, falls[] = {0, 3, 2, 5}, beyond[] = {0, 2, 2, 6};
    const gbl_Index huge[] = {0, 2, 2, UINT64_MAX}, wraps[] = {0, UINT64_MAX, 2, 5};
    t_case("first pointer");
    import_bad(GBL_INVALID_VALUE, first, i, 4, 5, 5, GBL_CSR_FORMAT);
    t_case("falling pointers");
    import_bad(GBL_INVALID_VALUE, falls, i, 4, 5, 5, GBL_CSR_FORMAT);
    import_bad(GBL_INVALID_VALUE, wraps, i, 4, 5, 5, GBL_CSR_FORMAT);
    t_case("last pointer");
    import_bad(GBL_INDEX_OUT_OF_BOUNDS, beyond, i, 4, 5, 5, GBL_CSR_FORMAT);
    import_bad(GBL_INDEX_OUT_OF_BOUNDS, huge, i, 4, 5, 5, GBL_CSR_FORMAT);
    t_case("column");
    const gbl_Index column[] = {0, 4, 1, 2, 0}, far[] = {0, 3, 1, UINT64_MAX, 0};
    import_bad(GBL_INDEX_OUT_OF_BOUNDS, p, column, 4, 5, 5, GBL_CSR_FORMAT);
    import_bad(GBL_INDEX_OUT_OF_BOUNDS, p, far, 4, 5, 5, GBL_CSR_FORMAT);
    t_case("duplicates");
    const gbl_Index twice[] = {0, 3, 2, 1, 2}, both[] = {3, 3, 1, 2, 0};
    import_bad(GBL_INVALID_VALUE, p, twice, 4, 5, 5, GBL_CSR_FORMAT);
    import_bad(GBL_INVALID_VALUE, p, both, 4, 5, 5, GBL_CSR_FORMAT);
    t_case("lengths");
    import_bad(GBL_INVALID_VALUE, p, i, 3, 5, 5, GBL_CSR_FORMAT);
    import_bad(GBL_INDEX_OUT_OF_BOUNDS, p, i, 4, 4, 5, GBL_CSR_FORMAT);
    import_bad(GBL_INDEX_OUT_OF_BOUNDS, p, i, 4, 5, 4, GBL_CSR_FORMAT);
    t_case("rows of CSC");
    const gbl_Index pc[] = {0, 2, 2, 5, 5}, ic[] = {0, 3, 1, 2, 0};
    import_bad(GBL_INDEX_OUT_OF_BOUNDS, pc, ic, 5, 5, 5, GBL_CSC_FORMAT);
    t_case("tuples");
    const gbl_Index rows[] = {0, 3, 1, 2, 0}, columns[] = {0, 1, 4, 2, 0}, good[] = {0, 1, 2, 2, 0};
    import_bad(GBL_INDEX_OUT_OF_BOUNDS, rows, good, 5, 5, 5, GBL_COO_FORMAT);
    import_bad(GBL_INDEX_OUT_OF_BOUNDS, good, columns, 5, 5, 5, GBL_COO_FORMAT);
    import_bad(GBL_INVALID_VALUE, good, good, 5, 5, 5, GBL_COO_FORMAT);
    CHECK(strstr(gbl_last_error(), "each pair may come once") != NULL);
    import_bad(GBL_INVALID_VALUE, good, good, 4, 5, 5, GBL_COO_FORMAT);
    import_bad(GBL_INVALID_VALUE, p, i, 4, 5, 5, (gbl_Format)77);
}

GB_TEST(import, export_wants_room) {
    gbl_Matrix A = t_new_matrix(GBL_INT32, 3, 4);
    OK(gbl_Matrix_setElement_INT32(A, 5, 1, 1));
    OK(gbl_Matrix_setElement_INT32(A, 6, 2, 3));
    gbl_Index p[5], i[5], np = 3, ni = 5, nx = 5;
    int32_t x[5];
    FAILS(GBL_INSUFFICIENT_SPACE,
          gbl_Matrix_export_INT32(p, i, x, &np, &ni, &nx, GBL_CSR_FORMAT, A));
    np = 4, ni = 1;
    FAILS(GBL_INSUFFICIENT_SPACE,
          gbl_Matrix_export_INT32(p, i, x, &np, &ni, &nx, GBL_CSR_FORMAT, A));
    ni = 5, nx = 1;
    FAILS(GBL_INSUFFICIENT_SPACE,
          gbl_Matrix_export_INT32(p, i, x, &np, &ni, &nx, GBL_CSR_FORMAT, A));
    nx = 5;
    OK(gbl_Matrix_export_INT32(p, i, x, &np, &ni, &nx, GBL_CSR_FORMAT, A));
    CHECK(np == 4 && ni == 2 && nx == 2);
    CHECK(p[0] == 0 && p[1] == 0 && p[2] == 1 && p[3] == 2 && i[0] == 1 && i[1] == 3);
    CHECK(x[0] == 5 && x[1] == 6);
    double wrong[5];
    FAILS(GBL_DOMAIN_MISMATCH,
          gbl_Matrix_export_FP64(p, i, wrong, &np, &ni, &nx, GBL_CSR_FORMAT, A));
    OK(gbl_Matrix_free(&A));
}

/* ------------------------------------------------------------------------------------ moving -- */

static gbl_Arrays make_arrays(bool iso) {
    gbl_Arrays a = {malloc(4 * sizeof(uint64_t)), malloc(5 * sizeof(uint32_t)),
                    malloc(5 * sizeof(double)), iso};
    memcpy(a.p, (uint64_t[]){0, 2, 2, 5}, 4 * sizeof(uint64_t));
    memcpy(a.i, (uint32_t[]){3, 0, 1, 2, 0}, 5 * sizeof(uint32_t));
    memcpy(a.x, (double[]){1.5, 2.5, 3.5, 4.5, 5.5}, 5 * sizeof(double));
    return a;
}

static o_Matrix expected_arrays(bool iso) {
    static const int at[][2] = {{0, 3}, {0, 0}, {2, 1}, {2, 2}, {2, 0}};
    o_Matrix D = o_new(o_type(GBL_FP64_CODE), 3, 4);
    for (int k = 0; k < 5; k++)
        D.x[at[k][0] * 4 + at[k][1]] = (o_Cell){true, {.f64 = iso ? 1.5 : 1.5 + k}};
    return D;
}

GB_TEST(import, move_in_and_out) {
    for (int iso = 0; iso < 2; iso++) {
        for (int format = 0; format < 2; format++) {
            t_case("iso %d out as %d", iso, format);
            gbl_Arrays a = make_arrays(iso), b = {NULL, NULL, NULL, false};
            gbl_Matrix A = NULL, B = NULL;
            OK(gbl_Matrix_moveIn(&A, GBL_FP64, 3, 4, GBL_CSR_FORMAT, &a));
            CHECK(a.p == NULL && a.i == NULL && a.x == NULL);
            o_Matrix D = expected_arrays(iso);
            t_expect("moved in", &D, A, 0);
            gbl_Arrays seen;
            OK(gbl_Matrix_view(&seen, A, (gbl_Format)format));
            CHECK_EQ(seen.iso, iso);
            t_expect("looked at", &D, A, 0);
            OK(gbl_Matrix_moveOut(A, (gbl_Format)format, &b));
            CHECK(seen.p == b.p && seen.i == b.i && seen.x == b.x);
            CHECK(b.p != NULL && b.i != NULL && b.x != NULL);
            CHECK_EQ(t_nvals(A), 0);
            OK(gbl_Matrix_moveIn(&B, GBL_FP64, 3, 4, (gbl_Format)format, &b));
            t_expect("moved in again", &D, B, 0);
            OK(gbl_Matrix_moveOut(B, GBL_CSR_FORMAT, &b));
            free(b.p);
            free(b.i);
            free(b.x);
            FREE(A, B, D);
        }
    }
}

/* a written matrix gives up the arrays it was given */
GB_TEST(import, moved_arrays_can_be_written) {
    gbl_Arrays a = make_arrays(false);
    gbl_Matrix A = NULL;
    OK(gbl_Matrix_moveIn(&A, GBL_FP64, 3, 4, GBL_CSR_FORMAT, &a));
    OK(gbl_Matrix_setElement_FP64(A, 9.5, 1, 1));
    OK(gbl_Matrix_removeElement(A, 0, 3));
    o_Matrix D = expected_arrays(false);
    D.x[5] = (o_Cell){true, {.f64 = 9.5}};
    D.x[3].has = false;
    t_expect("A", &D, A, 0);
    OK(gbl_Matrix_apply(A, NULL, NULL, GBL_AINV_FP64, A, NULL));
    for (int k = 0; k < 12; k++) D.x[k].v.f64 = -D.x[k].v.f64;
    t_expect("-A", &D, A, 0);
    FREE(A, D);
}

GB_TEST(import, move_in_checks) {
    static const struct {
        gbl_Info code;
        int p_at, i_at; /* what is spoilt, or -1 */
        uint64_t value;
    } cases[] = {{GBL_INVALID_VALUE, 0, -1, 1},       {GBL_INVALID_VALUE, 1, -1, 4},
                 {GBL_INDEX_OUT_OF_BOUNDS, -1, 1, 4}, {GBL_INDEX_OUT_OF_BOUNDS, -1, 0, UINT32_MAX},
                 {GBL_INVALID_VALUE, -1, 3, 1},       {GBL_INVALID_VALUE, -1, 1, 3}};
    for (size_t k = 0; k < T_COUNT(cases); k++) {
        t_case("case %zu", k);
        gbl_Arrays a = make_arrays(false);
        if (cases[k].p_at >= 0) a.p[cases[k].p_at] = cases[k].value;
        if (cases[k].i_at >= 0) a.i[cases[k].i_at] = (uint32_t)cases[k].value;
        gbl_Matrix A = NULL;
        FAILS(cases[k].code, gbl_Matrix_moveIn(&A, GBL_FP64, 3, 4, GBL_CSR_FORMAT, &a));
        CHECK(A == NULL && a.p != NULL && a.i != NULL && a.x != NULL); /* still the caller's */
        free(a.p);
        free(a.i);
        free(a.x);
    }
}

/* moving into a matrix with entries; what fails leaves it alone, and the arrays to the caller */
GB_TEST(import, move_into) {
    gbl_Matrix A = t_new_matrix(GBL_FP64, 3, 4);
    OK(gbl_Matrix_setElement_FP64(A, 9.5, 1, 1));
    gbl_Arrays a = make_arrays(true);
    a.i[0] = 4;
    FAILS(GBL_INDEX_OUT_OF_BOUNDS, gbl_Matrix_moveInto(A, GBL_CSR_FORMAT, &a));
    CHECK(a.p != NULL && t_nvals(A) == 1);
    a.i[0] = 3;
    OK(gbl_Matrix_moveInto(A, GBL_CSR_FORMAT, &a));
    CHECK(a.p == NULL && a.i == NULL && a.x == NULL);
    o_Matrix D = expected_arrays(true);
    t_expect("moved into", &D, A, 0);
    FREE(A, D);
}

GB_TEST(import, a_vector_moves_in_and_out) {
    gbl_Vector v = NULL;
    gbl_Arrays a = {malloc(2 * sizeof(uint64_t)), malloc(2 * sizeof(uint32_t)),
                    malloc(2 * sizeof(double)), false};
    memcpy(a.p, (uint64_t[]){0, 2}, 2 * sizeof(uint64_t));
    memcpy(a.i, (uint32_t[]){4, 5}, 2 * sizeof(uint32_t));
    memcpy(a.x, (double[]){1.5, 2.5}, 2 * sizeof(double));
    OK(gbl_Vector_new(&v, GBL_FP64, 5));
    OK(gbl_Vector_setElement_FP64(v, 9, 0));
    FAILS(GBL_INDEX_OUT_OF_BOUNDS, gbl_Vector_moveInto(v, &a));
    double x = 0;
    OK(gbl_Vector_extractElement_FP64(&x, v, 0));
    CHECK(x == 9 && a.i[1] == 5);
    a.i[1] = 0; /* not sorted */
    OK(gbl_Vector_moveInto(v, &a));
    CHECK(a.p == NULL && a.i == NULL && a.x == NULL);
    OK(gbl_Vector_extractElement_FP64(&x, v, 4));
    CHECK(x == 1.5);
    OK(gbl_Vector_moveOut(v, &a));
    CHECK(a.p[0] == 0 && a.p[1] == 2 && a.i[0] == 0 && a.i[1] == 4);
    CHECK(((double *)a.x)[0] == 2.5 && ((double *)a.x)[1] == 1.5);
    gbl_Index n = 9;
    OK(gbl_Vector_nvals(&n, v));
    CHECK_EQ(n, 0);
    FAILS(GBL_NULL_POINTER, gbl_Vector_moveInto(v, NULL));
    FAILS(GBL_NULL_POINTER, gbl_Vector_moveOut(NULL, &a));
    free(a.p);
    free(a.i);
    free(a.x);
    OK(gbl_Vector_free(&v));
}

/* moving out of a matrix without entries still gives pointers */
GB_TEST(import, move_out_of_nothing) {
    gbl_Matrix A = t_new_matrix(GBL_FP64, 3, 4);
    gbl_Arrays a = {NULL, NULL, NULL, false};
    OK(gbl_Matrix_moveOut(A, GBL_CSC_FORMAT, &a));
    CHECK(a.p != NULL);
    for (int k = 0; k < 5; k++) CHECK_EQ(a.p[k], 0);
    free(a.p);
    free(a.i);
    free(a.x);
    OK(gbl_Matrix_free(&A));
}
