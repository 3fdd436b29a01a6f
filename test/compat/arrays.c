/* SPDX-License-Identifier: Apache-2.0
 *
 * Content as arrays: pack and unpack, iterators, Containers and vectors that are loaded; in
 * threads beside each other and in a child of fork, as graph databases use them.
 */
#include "program.h"

/* Arrays with room for 100 entries come back with it; ones that are too short, or that have indices
 * out of range, do not go in. */
static void check_packed_room(void *A) {
    uint64_t *p = counted_malloc(32), *i = counted_malloc(800), psize = 32, isize = 800,
             xsize = 800;
    double *x = counted_malloc(800);
    memcpy(p, (uint64_t[]){0, 1, 1, 2}, 32);
    i[0] = 2, i[1] = 1, x[0] = 5, x[1] = 6;
    CHECK(CALL(GxB_Matrix_pack_CSR)(A, &p, &i, &x, psize, (uint64_t)8, xsize, (int)false,
                                    (int)false, NULL) == -3);
    i[0] = 3;
    CHECK(CALL(GxB_Matrix_pack_CSR)(A, &p, &i, &x, psize, isize, xsize, (int)false, (int)false,
                                    NULL) == -104);
    i[0] = 2;
    CHECK(CALL(GxB_Matrix_pack_CSR)(A, &p, &i, &x, psize, isize, xsize, (int)false, (int)false,
                                    NULL) == 0);
    CHECK(element(A, 0, 2) == 5 && element(A, 2, 1) == 6);
    CHECK(CALL(GxB_Matrix_unpack_CSR)(A, &p, &i, &x, &psize, &isize, &xsize, NULL, NULL, NULL) ==
          0);
    CHECK(psize == 32 && isize == 800 && xsize == 800);
    memset(i, 0, isize);
    counted_free(p);
    counted_free(i);
    counted_free(x);
}

static void check_pack(void) {
    void *A = new_matrix();
    uint64_t *p = NULL, *i = NULL, psize = 0, isize = 0, xsize = 0, nvals = 9;
    double *x = NULL;
    bool iso = true, jumbled = true;
    CHECK(CALL(GxB_Matrix_unpack_CSC)(A, &p, &i, &x, &psize, &isize, &xsize, &iso, &jumbled,
                                      NULL) == 0);
    CHECK(p[1] == 2 && p[2] == 3 && p[3] == 4 && i[0] == 0 && i[1] == 2 && x[1] == 4);
    CHECK(psize == 32 && isize == 32 && xsize == 32 && !iso && !jumbled);
    CHECK(CALL(GrB_Matrix_nvals)(&nvals, A) == 0 && nvals == 0);
    CHECK(CALL(GxB_Matrix_pack_CSC)(A, &p, &i, &x, psize, isize, xsize, (int)false, (int)false,
                                    NULL) == 0);
    CHECK(p == NULL && i == NULL && x == NULL && element(A, 2, 0) == 4);
    int32_t format = -1, status = -1;
    CHECK(CALL(GxB_Matrix_Option_get_INT32)(A, 7002, &format) == 0 && format == 1);
    CHECK(CALL(GxB_Matrix_Option_get_INT32)(A, 7034, &status) == 0 && status == 2);
    check_packed_room(A);
    CALL(GrB_Matrix_free)(&A);
}

/* Pointers and values go in and out where they are; rows need not be sorted, and all values may be
 * one. What is twice in a row, or decreases, does not go in. */
static void check_moved(void) {
    void *A = new_matrix();
    uint64_t *p = counted_malloc(32), *i = counted_malloc(24), psize = 0, isize = 0, xsize = 0;
    double *x = counted_malloc(8);
    bool iso = false, jumbled = true;
    memcpy(p, (uint64_t[]){0, 2, 2, 3}, 32);
    memcpy(i, (uint64_t[]){1, 1, 2}, 24);
    *x = 7;
    CHECK(CALL(GxB_Matrix_pack_CSR)(A, &p, &i, &x, (uint64_t)32, (uint64_t)24, (uint64_t)8,
                                    (int)true, (int)true, NULL) == -104);
    memcpy(i, (uint64_t[]){2, (uint64_t)1 << 32, 1}, 24);
    CHECK(CALL(GxB_Matrix_pack_CSR)(A, &p, &i, &x, (uint64_t)32, (uint64_t)24, (uint64_t)8,
                                    (int)true, (int)true, NULL) == -104);
    CHECK(p != NULL && element(A, 2, 0) == 4); /* as before */
    memcpy(i, (uint64_t[]){2, 0, 1}, 24);
    CHECK(CALL(GxB_Matrix_pack_CSR)(A, &p, &i, &x, (uint64_t)32, (uint64_t)24, (uint64_t)8,
                                    (int)true, (int)true, NULL) == 0);
    CHECK(p == NULL && element(A, 0, 2) == 7 && element(A, 0, 0) == 7 && element(A, 2, 1) == 7);
    CHECK(CALL(GxB_Matrix_unpack_CSR)(A, &p, &i, &x, &psize, &isize, &xsize, &iso, &jumbled,
                                      NULL) == 0);
    CHECK(iso && !jumbled && p[1] == 2 && p[3] == 3 && i[0] == 0 && i[1] == 2 && *x == 7);
    i[0] = 1; /* sorted: nothing need be written */
    const void *const before[] = {p, x};
    CHECK(CALL(GxB_Matrix_pack_CSR)(A, &p, &i, &x, psize, isize, xsize, (int)iso, (int)false,
                                    NULL) == 0);
    CHECK(CALL(GxB_Matrix_unpack_CSR)(A, &p, &i, &x, &psize, &isize, &xsize, &iso, NULL, NULL) ==
          0);
    CHECK(p == before[0] && x == before[1] && i[0] == 1);
    counted_free(p);
    counted_free(i);
    counted_free(x);
    CALL(GrB_Matrix_free)(&A);
}

static void check_iterators(void) {
    void *A = new_matrix(), *it = NULL;
    double (*value)(void *) = (double (*)(void *))look_up("GxB_Iterator_get_FP64");
    uint64_t (*column)(void *) = (uint64_t(*)(void *))look_up("GxB_rowIterator_getColIndex");
    double sum = 0;
    uint64_t columns = 0;
    CHECK(CALL(GxB_Iterator_new)(&it) == 0);
    CHECK(CALL(GxB_rowIterator_attach)(it, A, NULL) == 0);
    for (int info = CALL(GxB_rowIterator_seekRow)(it, (uint64_t)0); info != 7089;
         info = CALL(GxB_rowIterator_nextRow)(it))
        for (; info == 0; info = CALL(GxB_rowIterator_nextCol)(it)) {
            sum += value(it);
            columns += column(it);
        }
    CHECK(sum == 10 && columns == 3);
    /* an entry of an empty row, and entry by entry */
    uint64_t row = 9, column_of = 9;
    CHECK(CALL(GrB_Matrix_removeElement)(A, (uint64_t)1, (uint64_t)2) == 0);
    CHECK(CALL(GxB_rowIterator_attach)(it, A, NULL) == 0);
    int found = CALL(GxB_rowIterator_seekRow)(it, (uint64_t)1);
    CHECK(found == 1 || (found == 0 && CALL(GxB_rowIterator_getRowIndex)(it) == 2));
    CHECK(CALL(GxB_colIterator_attach)(it, A, NULL) == 0);
    CHECK(CALL(GxB_colIterator_seekCol)(it, (uint64_t)0) == 0 && value(it) == 1);
    CHECK(CALL(GxB_colIterator_nextRow)(it) == 0 && value(it) == 4);
    CHECK(CALL(GxB_Matrix_Iterator_attach)(it, A, NULL) == 0);
    CHECK(CALL(GxB_Matrix_Iterator_seek)(it, (uint64_t)0) == 0);
    CHECK(CALL(GxB_Matrix_Iterator_next)(it) == 0 && CALL(GxB_Matrix_Iterator_next)(it) == 0);
    CALL(GxB_Matrix_Iterator_getIndex)(it, &row, &column_of);
    CHECK(row == 2 && column_of == 0 && value(it) == 4);
    CHECK(CALL(GxB_Matrix_Iterator_next)(it) == 7089);
    CHECK(CALL(GxB_Iterator_free)(&it) == 0 && it == NULL);
    CALL(GrB_Matrix_free)(&A);
}

/* Rows of a matrix with 2^40 of them, and of one with one value for all entries. */
static void check_iterators_of_few(void) {
    static const uint64_t I[] = {5, (uint64_t)1 << 39}, J[] = {(uint64_t)1 << 38, 7};
    double (*value)(void *) = (double (*)(void *))look_up("GxB_Iterator_get_FP64");
    uint64_t (*at)(void *) = (uint64_t(*)(void *))look_up("GxB_rowIterator_getRowIndex");
    uint64_t (*column)(void *) = (uint64_t(*)(void *))look_up("GxB_rowIterator_getColIndex");
    void *A = NULL, *it = NULL;
    CHECK(CALL(GxB_Iterator_new)(&it) == 0);
    for (int huge = 0; huge < 2; huge++) {
        const uint64_t n = huge ? (uint64_t)1 << 40 : 3,
                       rows[] = {huge ? I[0] : 0, huge ? I[1] : 2},
                       columns[] = {huge ? J[0] : 2, huge ? J[1] : 1};
        CHECK(CALL(GrB_Matrix_new)(&A, OBJECT(GrB_FP64), n, n) == 0);
        CHECK(CALL(GrB_Matrix_build_FP64)(A, rows, columns, (double[]){3, 3}, (uint64_t)2, NULL) ==
              0);
        CHECK(CALL(GxB_rowIterator_attach)(it, A, NULL) == 0);
        int seen = 0;
        for (int info = CALL(GxB_rowIterator_seekRow)(it, (uint64_t)0); info != 7089;
             info = CALL(GxB_rowIterator_nextRow)(it))
            for (; info == 0; info = CALL(GxB_rowIterator_nextCol)(it), seen++)
                CHECK(seen < 2 && at(it) == rows[seen] && column(it) == columns[seen] &&
                      value(it) == 3);
        CHECK(seen == 2);
        CHECK(CALL(GxB_rowIterator_seekRow)(it, rows[1]) == 0 && column(it) == columns[1]);
        CALL(GrB_Matrix_free)(&A);
    }
    CALL(GxB_Iterator_free)(&it);
}

/* The sum of all values, by rows, as a graph database reads a matrix. */
static double sum_of_rows(void *A) {
    double (*value)(void *) = (double (*)(void *))look_up("GxB_Iterator_get_FP64");
    double sum = 0;
    void *it = NULL;
    CALL(GxB_Iterator_new)(&it);
    CALL(GxB_rowIterator_attach)(it, A, NULL);
    for (int info = CALL(GxB_rowIterator_seekRow)(it, (uint64_t)0); info != 7089;
         info = CALL(GxB_rowIterator_nextRow)(it))
        for (; info == 0; info = CALL(GxB_rowIterator_nextCol)(it)) sum += value(it);
    CALL(GxB_Iterator_free)(&it);
    return sum;
}

static void *read_often(void *A) {
    int wrong = 0;
    for (int k = 0; k < 200; k++) wrong += sum_of_rows(A) != 10;
    return (void *)(intptr_t)wrong;
}

/* Iterators while another thread reads, and in a child of fork. */
static void check_readers(void) {
    void *A = new_matrix(), *wrong = NULL;
    pthread_t reader;
    CHECK(CALL(GrB_Matrix_wait)(A, 1) == 0);
    CHECK(pthread_create(&reader, NULL, read_often, A) == 0);
    const pid_t child = fork();
    if (child == 0) _exit(read_often(A) != NULL);
    CHECK(read_often(A) == NULL);
    CHECK(pthread_join(reader, &wrong) == 0 && wrong == NULL);
    int status = 1;
    CHECK(child > 0 && waitpid(child, &status, 0) == child && status == 0);
    CALL(GrB_Matrix_free)(&A);
}

/* -- release 10 */

/* SuiteSparse's layout. */
struct container {
    uint64_t nrows, ncols;
    int64_t nrows_nonempty, ncols_nonempty;
    uint64_t nvals, u64_future[11];
    int32_t format, orientation, header_arena;
    uint32_t u32_future[13];
    void *part[5], *vector_future[11], *Y, *matrix_future[15];
    bool iso, jumbled, bool_future[30];
    void *void_future[16];
};

static void check_containers(void) {
    static const int controls[] = {1, 2, 4};
    struct container *c = NULL;
    CHECK(CALL(GxB_Container_new)(&c) == 0);
    for (int k = 0; k < 3; k++)
        for (int by_column = 0; by_column < 2; by_column++) {
            void *A = new_matrix(), *B = NULL, *expected = new_matrix();
            uint64_t nrows = 9;
            CHECK(CALL(GxB_Matrix_Option_set_INT32)(A, 7036, controls[k]) == 0);
            CHECK(CALL(GxB_Matrix_Option_set_INT32)(A, 7002, by_column) == 0);
            CHECK(CALL(GrB_Matrix_new)(&B, OBJECT(GrB_BOOL), (uint64_t)7, (uint64_t)1) == 0);
            CHECK(CALL(GxB_unload_Matrix_into_Container)(A, c, NULL) == 0);
            CHECK(c->nrows == 3 && c->ncols == 3 && c->nvals == 4 && c->format == controls[k] &&
                  c->orientation == by_column && !c->iso);
            CHECK(CALL(GrB_Matrix_nrows)(&nrows, A) == 0 && nrows == 0);
            CHECK(CALL(GxB_load_Matrix_from_Container)(B, c, NULL) == 0);
            CHECK(CALL(GxB_Matrix_Option_set_INT32)(expected, 7002, by_column) == 0);
            check_same(B, expected);
            CHECK(CALL(GrB_Vector_nvals)(&nrows, c->part[4]) == 0 && nrows == 0);
            CALL(GrB_Matrix_free)(&A);
            CALL(GrB_Matrix_free)(&B);
            CALL(GrB_Matrix_free)(&expected);
        }
    /* an index out of range, and a vector of two columns */
    void *A = new_matrix(), *B = NULL, *v = NULL;
    CHECK(CALL(GrB_Matrix_new)(&B, OBJECT(GrB_FP64), (uint64_t)3, (uint64_t)3) == 0);
    CHECK(CALL(GrB_Vector_new)(&v, OBJECT(GrB_FP64), (uint64_t)3) == 0);
    CHECK(CALL(GxB_Matrix_Option_set_INT32)(A, 7036, 2) == 0);
    CHECK(CALL(GxB_unload_Matrix_into_Container)(A, c, NULL) == 0);
    CHECK(CALL(GxB_load_Vector_from_Container)(v, c, NULL) == -3);
    c->ncols = c->nrows = 2;
    CHECK(CALL(GxB_load_Matrix_from_Container)(B, c, NULL) < 0);
    CALL(GrB_Matrix_free)(&A);
    CALL(GrB_Matrix_free)(&B);
    CALL(GrB_Vector_free)(&v);
    CHECK(CALL(GxB_Container_free)(&c) == 0 && c == NULL);
}

static void *array_of(void *v) {
    void *x = NULL, *type = NULL;
    uint64_t n = 0, bytes = 0;
    int handling = 0;
    CHECK(CALL(GxB_Vector_unload)(v, &x, &type, &n, &bytes, &handling, NULL) == 0);
    void *const array = x;
    CHECK(CALL(GxB_Vector_load)(v, &x, type, n, bytes, handling, NULL) == 0 && x == NULL);
    return array;
}

/* Arrays go through a matrix and come back as they are, or as what was written. */
static void check_no_copies(void) {
    struct container *c = NULL;
    CHECK(CALL(GxB_Container_new)(&c) == 0);
    for (int format = 2; format <= 8; format *= 2) {
        void *A = new_matrix(), *arrays[5] = {NULL};
        for (uint64_t k = 0; format == 8 && k < 9; k++)
            CHECK(((int (*)(void *, double, uint64_t, uint64_t))look_up(
                      "GrB_Matrix_setElement_FP64"))(A, 1 + (double)k, k / 3, k % 3) == 0);
        CHECK(CALL(GxB_Matrix_Option_set_INT32)(A, 7036, format) == 0);
        for (int turn = 0; turn < 2; turn++) {
            CHECK(CALL(GxB_unload_Matrix_into_Container)(A, c, NULL) == 0);
            for (int k = 0; k < 5; k++) {
                uint64_t n = 0;
                CHECK(CALL(GrB_Vector_size)(&n, c->part[k]) == 0);
                void *const array = n > 0 ? array_of(c->part[k]) : NULL;
                CHECK(turn == 0 || array == arrays[k]);
                arrays[k] = array;
            }
            CHECK(arrays[4] != NULL && (arrays[3] != NULL) == (format == 2));
            CHECK(CALL(GxB_load_Matrix_from_Container)(A, c, NULL) == 0);
            CHECK(c->nrows == 0 && c->nvals == 0 && c->format == 8);
            CHECK(element(A, 1, 2) == (format == 8 ? 6 : 3));
        }
        CHECK(((int (*)(void *, double, uint64_t, uint64_t))look_up("GrB_Matrix_setElement_FP64"))(
                  A, 7.5, 1, 1) == 0);
        CHECK(CALL(GxB_unload_Matrix_into_Container)(A, c, NULL) == 0);
        CHECK(CALL(GxB_load_Matrix_from_Container)(A, c, NULL) == 0);
        CHECK(element(A, 1, 1) == 7.5 && element(A, 0, 0) == 1);
        CALL(GrB_Matrix_free)(&A);
    }
    CHECK(CALL(GxB_Container_free)(&c) == 0);
}

/* Matrices of a thread's own go through Containers while others read A, and in a child of fork. */
static void *load_often(void *A) {
    int wrong = 0;
    struct container *c = NULL;
    wrong += CALL(GxB_Container_new)(&c) != 0;
    for (int k = 0; k < 50; k++) {
        void *B = NULL, *C = NULL;
        wrong += CALL(GrB_Matrix_dup)(&B, A) != 0;
        wrong += CALL(GrB_Matrix_new)(&C, OBJECT(GrB_FP64), (uint64_t)1, (uint64_t)1) != 0;
        wrong += CALL(GxB_unload_Matrix_into_Container)(B, c, NULL) != 0;
        wrong += CALL(GxB_load_Matrix_from_Container)(C, c, NULL) != 0;
        wrong += sum_of_rows(C) != 10;
        CALL(GrB_Matrix_free)(&B);
        CALL(GrB_Matrix_free)(&C);
    }
    CALL(GxB_Container_free)(&c);
    return (void *)(intptr_t)wrong;
}

static void check_loads_beside_readers(void) {
    void *A = new_matrix(), *(*const works[])(void *) = {read_often, load_often, load_often};
    pthread_t threads[3];
    CHECK(CALL(GrB_Matrix_wait)(A, 1) == 0);
    for (int k = 0; k < 3; k++) CHECK(pthread_create(&threads[k], NULL, works[k], A) == 0);
    const pid_t child = fork();
    if (child == 0) _exit(load_often(A) != NULL);
    for (int k = 0; k < 3; k++) {
        void *wrong = A;
        CHECK(pthread_join(threads[k], &wrong) == 0 && wrong == NULL);
    }
    int status = 1;
    CHECK(child > 0 && waitpid(child, &status, 0) == child && status == 0);
    CALL(GrB_Matrix_free)(&A);
}

static void check_loaded(void) {
    uint64_t n = 0, bytes = 0;
    int handling = -1, flag = 0;
    double *x = counted_malloc(3 * sizeof *x), kept[] = {5, 6}, value = 0;
    void *v = NULL, *type = NULL, *array = x;
    for (int k = 0; k < 3; k++) x[k] = k + 0.5;
    CHECK(CALL(GrB_Vector_new)(&v, OBJECT(GrB_BOOL), (uint64_t)1) == 0);
    CHECK(CALL(GxB_Vector_load)(v, &array, OBJECT(GrB_FP64), (uint64_t)4, (uint64_t)24, 0, NULL) ==
          -3);
    CHECK(CALL(GxB_Vector_load)(v, &array, OBJECT(GrB_FP64), (uint64_t)3, (uint64_t)24, 0, NULL) ==
          0);
    CHECK(array == NULL);
    CHECK(CALL(GrB_Vector_extractElement_FP64)(&value, v, (uint64_t)2) == 0 && value == 2.5);
    CHECK(CALL(GxB_Vector_unload)(v, &array, &type, &n, &bytes, &handling, NULL) == 0);
    CHECK(type == OBJECT(GrB_FP64) && n == 3 && bytes >= 24 && handling == 0);
    x = array;
    CHECK(x[0] == 0.5 && x[2] == 2.5);
    counted_free(x);
    /* an array that stays the program's comes back as it is */
    array = kept;
    CHECK(CALL(GxB_Vector_load)(v, &array, OBJECT(GrB_FP64), (uint64_t)2, (uint64_t)16, 7078,
                                NULL) == 0);
    CHECK(CALL(GxB_Vector_unload)(v, &array, &type, &n, &bytes, &handling, NULL) == 0);
    CHECK(array == kept && n == 2 && handling == 7078);
    CALL(GrB_Vector_free)(&v);
    CHECK(CALL(GxB_initialized)(&flag) == 0 && flag == 1);
    CHECK(CALL(GxB_Vector_new_arena)(&v, OBJECT(GrB_FP64), (uint64_t)3, 0, 0) == 0);
    CALL(GrB_Vector_free)(&v);
    CHECK(CALL(GxB_Vector_new_arena)(&v, OBJECT(GrB_FP64), (uint64_t)3, 0, 2) == -8);
}

void check_arrays(void) {
    check_pack();
    check_moved();
    check_iterators();
    check_iterators_of_few();
    check_readers();
    check_containers();
    check_no_copies();
    check_loads_beside_readers();
    check_loaded();
}
