/* SPDX-License-Identifier: Apache-2.0
 *
 * The extensions of GraphBLAS.h that are functions, as C and as C++; answers.c compares the objects
 * and what is computed with SuiteSparse:GraphBLAS. Exit status: the line of what failed, modulo
 * 251.
 */
#include <GraphBLAS.h>

#define CHECK(condition)                                                                           \
    do {                                                                                           \
        if (!(condition)) return __LINE__ % 251 + 1;                                               \
    } while (0)
#define OK(call) CHECK((call) == GrB_SUCCESS)

static void *zeros(size_t n, size_t size) {
    return calloc(n, size);
}

/* Whether the file has the text, and nothing else. */
static int says(FILE *f, const char *text) {
    char found[2000];
    size_t n;
    rewind(f);
    n = fread(found, 1, sizeof found - 1, f);
    found[n] = '\0';
    rewind(f);
    return strcmp(found, text) == 0;
}

static int print(GrB_Matrix A, GrB_Vector v, GrB_Scalar s) {
    FILE *f = tmpfile();
    CHECK(f != NULL);
    OK(GxB_Matrix_fprint(A, "A", GxB_SHORT, f));
    CHECK(says(f, "A: GrB_Matrix, double, 3 x 4, entries: 2\n    (0, 1) 0.5\n    (2, 3) -3\n"));
    fclose(f);
    f = tmpfile();
    CHECK(f != NULL);
    OK(GxB_Vector_fprint(v, NULL, GxB_COMPLETE, f));
    OK(GxB_Vector_fprint(v, "v", GxB_SUMMARY, f));
    OK(GxB_Vector_fprint(v, "v", GxB_SILENT, f));
    CHECK(says(f, "GrB_Vector, uint64_t, 5, entries: 1\n    (4) 18446744073709551615\n"
                  "v: GrB_Vector, uint64_t, 5, entries: 1\n"));
    fclose(f);
    f = tmpfile();
    CHECK(f != NULL);
#ifdef GxB_fprint
    OK(GxB_fprint(s, GxB_SHORT, f));
#else
    OK(GxB_Scalar_fprint(s, "s", GxB_SHORT, f));
#endif
    CHECK(says(f, "s: GrB_Scalar, int8_t, one entry\n    -7\n"));
    fclose(f);
    return 0;
}

static int ask(GrB_Matrix A, GrB_Vector v, GrB_Scalar s) {
    char name[GxB_MAX_NAME_LEN];
    bool iso = true;
    size_t bytes = 0;
    int32_t threads = 0;
    OK(GxB_Matrix_type_name(name, A));
    CHECK(strcmp(name, "double") == 0);
    OK(GxB_Vector_type_name(name, v));
    CHECK(strcmp(name, "uint64_t") == 0);
    OK(GxB_Scalar_type_name(name, s));
    CHECK(strcmp(name, "int8_t") == 0);
    CHECK(GxB_Matrix_type_name(NULL, A) == GrB_NULL_POINTER);
    OK(GrB_Matrix_wait(A, GrB_MATERIALIZE));
    OK(GxB_Matrix_iso(&iso, A));
    CHECK(!iso && GxB_Matrix_iso(NULL, A) == GrB_NULL_POINTER);
    OK(GrB_Vector_assign_UINT64(v, NULL, NULL, 3, GrB_ALL, 5, NULL));
    OK(GxB_Vector_iso(&iso, v));
    CHECK(iso && GxB_Vector_iso(&iso, NULL) == GrB_NULL_POINTER);
    OK(GxB_Matrix_memoryUsage(&bytes, A));
    CHECK(bytes >= 2 * sizeof(double));
    OK(GxB_Vector_memoryUsage(&bytes, v));
    CHECK(bytes >= sizeof(uint64_t));
    const GrB_Index two[] = {1, 2};
    GrB_Matrix B = NULL;
    OK(GrB_Matrix_new(&B, GrB_FP64, 1000, 1000));
    OK(GrB_Matrix_assign_FP64(B, NULL, NULL, 7, two, 2, two, 2, NULL));
    OK(GxB_Matrix_iso(&iso, B));
    CHECK(iso);
    OK(GrB_Matrix_setElement_FP64(B, 5, 9, 9)); /* waits */
    OK(GxB_Matrix_iso(&iso, B));
    CHECK(!iso);
    OK(GrB_Matrix_free(&B));
    OK(GxB_Global_Option_set(GxB_GLOBAL_NTHREADS, 1));
    OK(GxB_get(GxB_NTHREADS, &threads));
    CHECK(threads == 1);
    CHECK(GxB_Global_Option_set_INT32((GxB_Option_Field)1000, 1) == GrB_INVALID_VALUE);
    return 0;
}

/* Shortest ways by semirings that the standard lacks: levels of a path 0 - 1 - 2 - 3. */
static int levels(void) {
    const GrB_Index from[] = {0, 1, 2}, to[] = {1, 2, 3};
    const bool yes[] = {true, true, true};
    GrB_Matrix G = NULL;
    GrB_Vector front = NULL, seen = NULL;
    GrB_Index n = 1;
    int64_t parent = -1;
    OK(GrB_Matrix_new(&G, GrB_BOOL, 4, 4));
    OK(GrB_Matrix_build_BOOL(G, from, to, yes, 3, NULL));
    OK(GrB_Vector_new(&front, GrB_INT64, 4));
    OK(GrB_Vector_new(&seen, GrB_INT64, 4));
    OK(GrB_Vector_setElement_INT64(front, 0, 0));
    OK(GrB_Vector_setElement_INT64(seen, 0, 0));
    while (n > 0) {
        OK(GrB_vxm(front, seen, NULL, GxB_ANY_SECONDI_INT64, front, G, GrB_DESC_RSC));
        OK(GrB_Vector_assign(seen, front, NULL, front, GrB_ALL, 4, GrB_DESC_S));
        OK(GrB_Vector_nvals(&n, front));
    }
    OK(GrB_Vector_extractElement_INT64(&parent, seen, 3));
    CHECK(parent == 2);
    OK(GrB_Matrix_free(&G));
    OK(GrB_Vector_free(&front));
    OK(GrB_Vector_free(&seen));
    return 0;
}

int main(void) {
    GrB_Matrix A = NULL;
    GrB_Vector v = NULL;
    GxB_Scalar s = NULL;
    int failed;
    OK(GxB_init(GrB_NONBLOCKING, malloc, zeros, realloc, free));
    OK(GrB_Matrix_new(&A, GrB_FP64, 3, 4));
    OK(GrB_Matrix_setElement_FP64(A, 0.5, 0, 1));
    OK(GrB_Matrix_setElement_FP64(A, -3, 2, 3));
    OK(GrB_Vector_new(&v, GrB_UINT64, 5));
    OK(GrB_Vector_setElement_UINT64(v, UINT64_MAX, 4));
    OK(GxB_Scalar_new(&s, GrB_INT8));
    OK(GxB_Scalar_setElement_INT8(s, -7));
    failed = print(A, v, s);
    if (failed == 0) failed = ask(A, v, s);
    if (failed == 0) failed = levels();
    OK(GrB_Matrix_free(&A));
    OK(GrB_Vector_free(&v));
    OK(GxB_Scalar_free(&s));
    OK(GrB_finalize());
    return failed;
}
