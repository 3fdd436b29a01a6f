/* SPDX-License-Identifier: Apache-2.0
 *
 * gbl_K_lendDense and gbl_K_moveOutDense: bitmap and full arrays of the caller's, in pages that
 * cannot be written, so that a write would crash. What each way of changing the object makes of it
 * is compared with an object that was filled element by element.
 */
#include "support/gb_test.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "gblite_memory.h"

enum { N = 12, COLUMNS = 3, PAGE = 1 << 16 };

typedef struct {
    gbl_Dense dense;
    int released;
    void *pages;
} Lent;

static void count_release(void *context) {
    ++*(int *)context;
}

static bool is_there(bool bitmap, int k) {
    return !bitmap || k % 5 != 3;
}
static double value(bool iso, int k) {
    return iso ? 1.5 : 1.5 + k;
}

static Lent arrays(bool bitmap, bool iso) {
    char *pages = mmap(NULL, PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    CHECK(pages != MAP_FAILED);
    double *x = (double *)pages;
    int8_t *b = (int8_t *)pages + 4096;
    for (int k = 0; k < N; k++) b[k] = is_there(bitmap, k);
    for (int k = 0; k < (iso ? 1 : N); k++) x[k] = value(iso, k);
    CHECK(mprotect(pages, PAGE, PROT_READ) == 0);
    return (Lent){{bitmap ? b : NULL, x, iso}, 0, pages};
}

/* One of the two is NULL. */
typedef struct {
    gbl_Matrix A;
    gbl_Vector v;
} Either;

static Either new_one(bool matrix) {
    Either e = {NULL, NULL};
    if (matrix)
        OK(gbl_Matrix_new(&e.A, GBL_FP64, N / COLUMNS, COLUMNS));
    else
        OK(gbl_Vector_new(&e.v, GBL_FP64, N));
    return e;
}
static void set(Either e, double x, int k) {
    if (e.A != NULL)
        OK(gbl_Matrix_setElement_FP64(e.A, x, (gbl_Index)k / COLUMNS, (gbl_Index)k % COLUMNS));
    else
        OK(gbl_Vector_setElement_FP64(e.v, x, (gbl_Index)k));
}

enum { SET, SET_NEW, REMOVE, APPLY, ADD, ASSIGN, MASKED, ACCUMULATE, SELECT, GROW, CLEAR, WAYS };

static void change_matrix(int way, gbl_Matrix A) {
    switch (way) {
    case SET:
        OK(gbl_Matrix_setElement_FP64(A, -1, 0, 1));
        break;
    case SET_NEW:
        OK(gbl_Matrix_setElement_FP64(A, -1, 1, 0));
        break;
    case REMOVE:
        OK(gbl_Matrix_removeElement(A, 2, 1));
        break;
    case APPLY:
        OK(gbl_Matrix_apply(A, NULL, NULL, GBL_AINV_FP64, A, NULL));
        break;
    case ADD:
        OK(gbl_Matrix_eWiseAdd_BinaryOp(A, NULL, NULL, GBL_PLUS_FP64, A, A, NULL));
        break;
    case ASSIGN:
        OK(gbl_Matrix_assign_FP64(A, NULL, NULL, 7, GBL_ALL, 0, GBL_ALL, 0, NULL));
        break;
    case MASKED:
        OK(gbl_Matrix_assign_FP64(A, A, NULL, 7, GBL_ALL, 0, GBL_ALL, 0, NULL));
        break;
    case ACCUMULATE:
        OK(gbl_Matrix_assign_FP64(A, NULL, GBL_PLUS_FP64, 7, GBL_ALL, 0, GBL_ALL, 0, NULL));
        break;
    case SELECT:
        OK(gbl_Matrix_select_FP64(A, NULL, NULL, GBL_VALUEGT_FP64, A, 4, NULL));
        break;
    case GROW:
        OK(gbl_Matrix_resize(A, N / COLUMNS + 2, COLUMNS));
        OK(gbl_Matrix_setElement_FP64(A, 3, N / COLUMNS + 1, 0));
        break;
    default:
        OK(gbl_Matrix_clear(A));
    }
}
static void change_vector(int way, gbl_Vector v) {
    switch (way) {
    case SET:
        OK(gbl_Vector_setElement_FP64(v, -1, 1));
        break;
    case SET_NEW:
        OK(gbl_Vector_setElement_FP64(v, -1, 3));
        break;
    case REMOVE:
        OK(gbl_Vector_removeElement(v, 7));
        break;
    case APPLY:
        OK(gbl_Vector_apply(v, NULL, NULL, GBL_AINV_FP64, v, NULL));
        break;
    case ADD:
        OK(gbl_Vector_eWiseAdd_BinaryOp(v, NULL, NULL, GBL_PLUS_FP64, v, v, NULL));
        break;
    case ASSIGN:
        OK(gbl_Vector_assign_FP64(v, NULL, NULL, 7, GBL_ALL, 0, NULL));
        break;
    case MASKED:
        OK(gbl_Vector_assign_FP64(v, v, NULL, 7, GBL_ALL, 0, NULL));
        break;
    case ACCUMULATE:
        OK(gbl_Vector_assign_FP64(v, NULL, GBL_PLUS_FP64, 7, (gbl_Index[]){1, 3, 5}, 3, NULL));
        break;
    case SELECT:
        OK(gbl_Vector_select_FP64(v, NULL, NULL, GBL_VALUEGT_FP64, v, 4, NULL));
        break;
    case GROW:
        OK(gbl_Vector_resize(v, N + 3));
        OK(gbl_Vector_setElement_FP64(v, 3, N + 1));
        break;
    default:
        OK(gbl_Vector_clear(v));
    }
}

static gbl_Index tuples(Either e, gbl_Index *I, gbl_Index *J, double *X) {
    gbl_Index n = 2 * N;
    if (e.A != NULL)
        OK(gbl_Matrix_extractTuples_FP64(I, J, X, &n, e.A));
    else
        OK(gbl_Vector_extractTuples_FP64(I, X, &n, e.v));
    return n;
}
static void expect_same(Either a, Either b) {
    gbl_Index I[2][2 * N], J[2][2 * N] = {{0}};
    double X[2][2 * N];
    const gbl_Index n = tuples(a, I[0], J[0], X[0]);
    CHECK_EQ(n, tuples(b, I[1], J[1], X[1]));
    for (gbl_Index k = 0; k < n; k++)
        CHECK(I[0][k] == I[1][k] && (a.A == NULL || J[0][k] == J[1][k]) && X[0][k] == X[1][k]);
}
static void free_one(Either *e) {
    OK(gbl_Matrix_free(&e->A));
    OK(gbl_Vector_free(&e->v));
}

GB_TEST(lend_dense, writers_copy_first) {
    for (int way = 0; way < WAYS; way++) {
        for (int kind = 0; kind < 16; kind++) {
            const bool matrix = kind & 1, bitmap = kind & 2, iso = kind & 4, copied = kind & 8;
            t_case("way %d, matrix %d, bitmap %d, iso %d, dup %d", way, matrix, bitmap, iso,
                   copied);
            Either a = new_one(matrix), b = new_one(matrix), copy = {NULL, NULL};
            Lent lent = arrays(bitmap, iso);
            const gbl_Lender lender = {count_release, &lent.released};
            set(a, 9, 0); /* is lost */
            OK(matrix ? gbl_Matrix_lendDense(a.A, &lent.dense, &lender)
                      : gbl_Vector_lendDense(a.v, &lent.dense, &lender));
            for (int k = 0; k < N; k++)
                if (is_there(bitmap, k)) set(b, value(iso, k), k);
            expect_same(a, b);
            CHECK_EQ(lent.released, 0);
            if (copied) OK(matrix ? gbl_Matrix_dup(&copy.A, a.A) : gbl_Vector_dup(&copy.v, a.v));
            Either changed = copied ? copy : a;
            if (matrix) {
                change_matrix(way, changed.A);
                if (copied) expect_same(a, b);
                change_matrix(way, b.A);
            } else {
                change_vector(way, changed.v);
                if (copied) expect_same(a, b);
                change_vector(way, b.v);
            }
            expect_same(changed, b);
            free_one(&copy);
            free_one(&a);
            free_one(&b);
            CHECK_EQ(lent.released, 1);
            munmap(lent.pages, PAGE);
        }
    }
}

GB_TEST(lend_dense, products_read_in_place) {
    Lent lent = arrays(false, false);
    const gbl_Lender lender = {count_release, &lent.released};
    Either u = new_one(false), A = new_one(true);
    gbl_Vector w = NULL;
    double sum = 0;
    OK(gbl_Vector_lendDense(u.v, &lent.dense, &lender));
    OK(gbl_Matrix_lendDense(A.A, &lent.dense, &lender));
    OK(gbl_Vector_reduce_FP64(&sum, NULL, GBL_PLUS_MONOID_FP64, u.v, NULL));
    CHECK(sum == 1.5 * N + N * (N - 1) / 2);
    OK(gbl_Vector_resize(u.v, COLUMNS));
    OK(gbl_Vector_new(&w, GBL_FP64, N / COLUMNS));
    OK(gbl_mxv(w, NULL, NULL, GBL_PLUS_TIMES_SEMIRING_FP64, A.A, u.v, NULL));
    OK(gbl_Vector_extractElement_FP64(&sum, w, 0));
    CHECK(sum == 1.5 * 1.5 + 2.5 * 2.5 + 3.5 * 3.5);
    OK(gbl_Vector_free(&w));
    free_one(&u);
    free_one(&A);
    CHECK_EQ(lent.released, 2);
    munmap(lent.pages, PAGE);
}

GB_TEST(lend_dense, arrays_move_out) {
    for (int kind = 0; kind < 8; kind++) {
        const bool matrix = kind & 1, bitmap = kind & 2, iso = kind & 4;
        Either e = new_one(matrix);
        Lent lent = arrays(bitmap, iso);
        const gbl_Lender lender = {count_release, &lent.released};
        OK(matrix ? gbl_Matrix_lendDense(e.A, &lent.dense, &lender)
                  : gbl_Vector_lendDense(e.v, &lent.dense, &lender));
        gbl_Dense out = {0};
        OK(matrix ? gbl_Matrix_moveOutDense(e.A, &out) : gbl_Vector_moveOutDense(e.v, &out));
        CHECK_EQ(lent.released, 1);
        CHECK(out.x != lent.dense.x && (out.b != NULL) == bitmap);
        for (int k = 0; k < N; k++) {
            CHECK(!bitmap || out.b[k] == is_there(true, k));
            if (is_there(bitmap, k)) CHECK(((double *)out.x)[out.iso ? 0 : k] == value(iso, k));
        }
        gbl_Memory_free(out.b);
        gbl_Memory_free(out.x);
        free_one(&e);
        munmap(lent.pages, PAGE);
    }
}

GB_TEST(lend_dense, one_value_in_any_dimension) {
    gbl_Vector v = NULL;
    gbl_Index n = 0;
    double x = 2.5, y = 0;
    int released = 0;
    gbl_Dense dense = {NULL, &x, true}, out = {0};
    OK(gbl_Vector_new(&v, GBL_FP64, (gbl_Index)1 << 50));
    OK(gbl_Vector_lendDense(v, &dense, &(gbl_Lender){count_release, &released}));
    OK(gbl_Vector_nvals(&n, v));
    CHECK_EQ(n, (gbl_Index)1 << 50);
    OK(gbl_Vector_extractElement_FP64(&y, v, 12345678901));
    CHECK(y == 2.5);
    OK(gbl_Vector_moveOutDense(v, &out));
    CHECK(out.iso && out.b == NULL && *(double *)out.x == 2.5 && released == 1);
    gbl_Memory_free(out.x);
    dense.iso = false;
    FAILS(GBL_NOT_IMPLEMENTED, gbl_Vector_lendDense(v, &dense, NULL));
    OK(gbl_Vector_setElement_FP64(v, 1, 7));
    FAILS(GBL_NOT_IMPLEMENTED, gbl_Vector_moveOutDense(v, &out));
    OK(gbl_Vector_free(&v));
}

GB_TEST(lend_dense, refusals_leave_the_object) {
    gbl_Vector v = NULL;
    double x[3] = {1, 2, 3}, y = 0;
    int8_t b[3] = {0, 1, 2};
    gbl_Dense dense = {b, x, false};
    OK(gbl_Vector_new(&v, GBL_FP64, 3));
    OK(gbl_Vector_setElement_FP64(v, 8, 2));
    FAILS(GBL_NULL_POINTER, gbl_Vector_lendDense(v, NULL, NULL));
    FAILS(GBL_NULL_POINTER, gbl_Vector_lendDense(NULL, &dense, NULL));
    FAILS(GBL_NULL_POINTER, gbl_Vector_moveOutDense(v, NULL));
    FAILS(GBL_NULL_POINTER, gbl_Matrix_moveOutDense(NULL, &dense));
    FAILS(GBL_NULL_POINTER, gbl_Matrix_lendDense(NULL, &dense, NULL));
    FAILS(GBL_INVALID_VALUE, gbl_Vector_lendDense(v, &dense, NULL));
    dense = (gbl_Dense){NULL, (char *)x + 1, false};
    FAILS(GBL_INVALID_VALUE, gbl_Vector_lendDense(v, &dense, NULL));
    dense.x = NULL;
    FAILS(GBL_NULL_POINTER, gbl_Vector_lendDense(v, &dense, NULL));
    OK(gbl_Vector_extractElement_FP64(&y, v, 2));
    CHECK(y == 8);
    int released = 0; /* no entry: given back at once */
    memset(b, 0, sizeof b);
    dense = (gbl_Dense){b, x, false};
    OK(gbl_Vector_lendDense(v, &dense, &(gbl_Lender){count_release, &released}));
    CHECK_EQ(released, 1);
    OK(gbl_Vector_free(&v));
}
