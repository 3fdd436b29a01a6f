/* SPDX-License-Identifier: Apache-2.0
 *
 * What was put off is asked for by many threads at once: some read it, some sum it, one changes an
 * input and one frees another. All must see what the inputs give as they were. One gives the output
 * another product meanwhile. Searches of all go on in one graph.
 * Meant for ThreadSanitizer; exits 1, with a line that says why, when something is wrong.
 */
#include "plain.h"

#include <pthread.h>

enum { SIDE = 40, THREADS = 6, ROUNDS = 30 };

static gbl_Matrix A, B, M, C;
static int64_t sum; /* of C */
static gbl_Index nvals;
static pthread_barrier_t barrier;

/* All 1 where M is, which has every place but the diagonal. */
static void make(void) {
    bool good = is_ok(gbl_Matrix_new(&A, GBL_INT64, SIDE, SIDE)) &&
                is_ok(gbl_Matrix_new(&B, GBL_INT64, SIDE, SIDE)) &&
                is_ok(gbl_Matrix_new(&M, GBL_BOOL, SIDE, SIDE)) &&
                is_ok(gbl_Matrix_new(&C, GBL_INT64, SIDE, SIDE));
    for (gbl_Index i = 0; good && i < SIDE; i++)
        for (gbl_Index j = 0; good && j < SIDE; j++)
            good = (i == j || is_ok(gbl_Matrix_setElement_BOOL(M, true, i, j))) &&
                   is_ok(gbl_Matrix_setElement_INT64(A, (int64_t)i, i, j)) &&
                   is_ok(gbl_Matrix_setElement_INT64(B, (int64_t)j, i, j));
    sum = 0; /* C(i,j) = SIDE * i * j */
    nvals = SIDE * (SIDE - 1);
    for (int64_t i = 0; i < SIDE; i++)
        for (int64_t j = 0; j < SIDE; j++) sum += i == j ? 0 : SIDE * i * j;
    good = good && is_ok(gbl_Matrix_wait(M, GBL_MATERIALIZE)) &&
           is_ok(gbl_mxm(C, M, NULL, GBL_PLUS_TIMES_SEMIRING_INT64, A, B, GBL_DESC_S));
    check(good, "no product was put off");
}

static void ask_sum(void) {
    int64_t found = -1;
    check(is_ok(gbl_Matrix_reduce_INT64(&found, NULL, GBL_PLUS_MONOID_INT64, C, NULL)) &&
              found == sum,
          "the sum is wrong");
}

static void ask_nvals(void) {
    gbl_Index found = 0;
    check(is_ok(gbl_Matrix_nvals(&found, C)) && found == nvals, "the number of entries is wrong");
}

static void ask_element(void) {
    int64_t x = -1;
    check(is_ok(gbl_Matrix_extractElement_INT64(&x, C, 3, 7)) && x == SIDE * 21,
          "an entry is wrong");
}

static void ask_explanation(void) {
    gbl_Explanation how = GBL_EXPLANATION_INIT;
    check(is_ok(gbl_Matrix_explain(&how, C)), "there is no explanation");
}

static void change_input(void) {
    check(is_ok(gbl_Matrix_setElement_INT64(A, 1000, 3, 3)), "A was not changed");
}

static void free_input(void) {
    check(is_ok(gbl_Matrix_free(&B)), "B was not freed");
}

static void (*const jobs[THREADS])(void) = {ask_sum,         ask_nvals,    ask_element,
                                            ask_explanation, change_input, free_input};

static void *work(void *context) {
    void (*const job)(void) = jobs[(size_t)context];
    for (int round = 0; round < ROUNDS; round++) {
        if (context == NULL) make();
        pthread_barrier_wait(&barrier);
        job();
        pthread_barrier_wait(&barrier);
        if (context != NULL) continue;
        ask_sum();
        gbl_Matrix_free(&A);
        gbl_Matrix_free(&M);
        gbl_Matrix_free(&C);
    }
    return NULL;
}

/* Each thread has its product of matrices that all share; of these one at a time is put off. */
static void *count(void *context) {
    (void)context;
    for (int round = 0; round < ROUNDS; round++) {
        gbl_Matrix D = NULL;
        int64_t found = -1;
        check(is_ok(gbl_Matrix_new(&D, GBL_INT64, SIDE, SIDE)) &&
                  is_ok(gbl_mxm(D, M, NULL, GBL_PLUS_TIMES_SEMIRING_INT64, A, B, GBL_DESC_S)) &&
                  is_ok(gbl_Matrix_reduce_INT64(&found, NULL, GBL_PLUS_MONOID_INT64, D, NULL)) &&
                  found == sum,
              "a sum of a thread's own product is wrong");
        gbl_Matrix_free(&D);
    }
    return NULL;
}

/* One thread gives C another product, inside another mask, while others ask for the one before. */
static void *replace(void *context) {
    static gbl_Matrix wider;
    for (int round = 0; round < ROUNDS; round++) {
        gbl_Index found = 0;
        if (context == NULL) {
            make();
            check(is_ok(gbl_Matrix_dup(&wider, M)) &&
                      is_ok(gbl_Matrix_setElement_BOOL(wider, true, 0, 0)) &&
                      is_ok(gbl_Matrix_removeElement(wider, 0, 1)) &&
                      is_ok(gbl_Matrix_wait(wider, GBL_MATERIALIZE)),
                  "no second mask");
        }
        pthread_barrier_wait(&barrier);
        if (context == NULL)
            check(is_ok(gbl_mxm(C, wider, NULL, GBL_PLUS_TIMES_SEMIRING_INT64, A, B, GBL_DESC_S)),
                  "no second product");
        else
            check(is_ok(gbl_Matrix_nvals(&found, context == (void *)1 ? A : B)), "no input");
        pthread_barrier_wait(&barrier);
        if (context != NULL) continue;
        /* what lies outside the second mask is that of the first, and its value is 0 */
        check(is_ok(gbl_Matrix_nvals(&found, C)) && found == nvals + 1, "entries were lost");
        gbl_Matrix_free(&A);
        gbl_Matrix_free(&B);
        gbl_Matrix_free(&M);
        gbl_Matrix_free(&C);
        gbl_Matrix_free(&wider);
    }
    return NULL;
}

/* C = C where C >= SIDE, and -C, joined the product; some read it, one changes A and one frees B.
 */
static void *end(void *context) {
    for (int round = 0; round < ROUNDS; round++) {
        int64_t found = -1;
        if (context == NULL) {
            make();
            check(is_ok(gbl_Matrix_select_INT64(C, NULL, NULL, GBL_VALUEGE_INT64, C, SIDE, NULL)) &&
                      is_ok(gbl_Matrix_apply(C, NULL, NULL, GBL_AINV_INT64, C, NULL)),
                  "C was not changed");
        }
        pthread_barrier_wait(&barrier);
        if (context == (void *)4)
            change_input();
        else if (context == (void *)5)
            free_input();
        else /* what is dropped is 0 */
            check(is_ok(gbl_Matrix_reduce_INT64(&found, NULL, GBL_PLUS_MONOID_INT64, C, NULL)) &&
                      found == -sum,
                  "the sum of what was left is wrong");
        pthread_barrier_wait(&barrier);
        if (context != NULL) continue;
        gbl_Matrix_free(&A);
        gbl_Matrix_free(&M);
        gbl_Matrix_free(&C);
    }
    return NULL;
}

enum { LONG = 100000 }; /* values: a pass over them is worth putting off */

/* Of vectors that all share one changes and one is read: all see w = -(w + u) of the values before.
 */
static void *read_values(void *context) {
    static gbl_Vector w, u, v;
    for (int round = 0; round < ROUNDS; round++) {
        double x = -1, total = -1;
        if (context == NULL)
            check(is_ok(gbl_Vector_new(&w, GBL_FP64, LONG)) &&
                      is_ok(gbl_Vector_new(&u, GBL_FP64, LONG)) &&
                      is_ok(gbl_Vector_new(&v, GBL_FP64, LONG)) &&
                      is_ok(gbl_Vector_assign_FP64(u, NULL, NULL, 3, GBL_ALL, LONG, NULL)) &&
                      is_ok(gbl_Vector_setElement_FP64(u, 5, 7)) &&
                      is_ok(gbl_Vector_assign(w, NULL, NULL, u, GBL_ALL, LONG, NULL)) &&
                      is_ok(gbl_Vector_assign(v, NULL, NULL, u, GBL_ALL, LONG, NULL)) &&
                      is_ok(gbl_Vector_assign(w, NULL, GBL_PLUS_FP64, u, GBL_ALL, LONG, NULL)) &&
                      is_ok(gbl_Vector_apply(w, NULL, NULL, GBL_AINV_FP64, w, NULL)),
                  "no vectors");
        pthread_barrier_wait(&barrier);
        if (context == (void *)1)
            check(is_ok(gbl_Vector_reduce_FP64(&total, NULL, GBL_PLUS_MONOID_FP64, w, NULL)) &&
                      total == -6.0 * LONG - 4.0,
                  "the sum of values is wrong");
        else if (context == (void *)2)
            check(is_ok(gbl_Vector_extractElement_FP64(&x, w, 7)) && x == -10.0,
                  "a value is wrong");
        else if (context == (void *)3)
            check(is_ok(gbl_Vector_eWiseAdd_BinaryOp(v, NULL, NULL, GBL_TIMES_FP64, v, u, NULL)),
                  "v was not changed");
        else
            check(is_ok(gbl_Vector_extractElement_FP64(&x, u, 7)) && x == 5.0, "u is wrong");
        pthread_barrier_wait(&barrier);
        if (context != NULL) continue;
        check(is_ok(gbl_Vector_extractElement_FP64(&x, v, 7)) && x == 25.0, "v is wrong");
        gbl_Vector_free(&u);
        gbl_Vector_free(&w);
        gbl_Vector_free(&v);
    }
    return NULL;
}

enum { VERTICES = 500 };

static gbl_Matrix path; /* k -> k + 1 */
static gbl_Vector front, parent, level;

/* A bitmap with entries for the even vertices (from 1), or for those before `from`. */
static bool make_seen(gbl_Vector *v, gbl_Index from) {
    bool good = is_ok(gbl_Vector_new(v, GBL_INT32, VERTICES)) &&
                is_ok(gbl_Vector_assign_INT32(*v, NULL, NULL, -1, GBL_ALL, VERTICES, NULL)) &&
                is_ok(gbl_Vector_setElement_INT32(*v, -2, 0)) &&
                is_ok(gbl_Vector_wait(*v, GBL_MATERIALIZE));
    for (gbl_Index k = from; good && k < VERTICES; k += from == 1 ? 2 : 1)
        good = is_ok(gbl_Vector_removeElement(*v, k));
    return good && is_ok(gbl_Vector_wait(*v, GBL_MATERIALIZE));
}

static bool make_path(void) {
    bool good = is_ok(gbl_Matrix_new(&path, GBL_BOOL, VERTICES, VERTICES));
    for (gbl_Index k = 0; good && k + 1 < VERTICES; k++)
        good = is_ok(gbl_Matrix_setElement_BOOL(path, true, k, k + 1));
    return good && is_ok(gbl_Matrix_wait(path, GBL_MATERIALIZE));
}

/* From all even vertices to the odd ones. */
static bool make_step(void) {
    bool good = make_path() && make_seen(&parent, 1) && make_seen(&level, 1) &&
                is_ok(gbl_Vector_new(&front, GBL_INT32, VERTICES));
    for (gbl_Index k = 0; good && k < VERTICES; k += 2)
        good = is_ok(gbl_Vector_setElement_INT32(front, 1, k));
    return good && is_ok(gbl_Vector_wait(front, GBL_MATERIALIZE)) &&
           is_ok(gbl_vxm(front, parent, NULL, GBL_ANY_SECONDI_SEMIRING_INT32, front, path,
                         GBL_DESC_RSC)) &&
           is_ok(gbl_Vector_assign(parent, front, NULL, front, GBL_ALL, VERTICES, GBL_DESC_S)) &&
           is_ok(gbl_Vector_assign_INT32(level, front, NULL, 5, GBL_ALL, VERTICES, GBL_DESC_S));
}

/* Some read what a step of a search writes, one changes the graph and one frees the levels. */
static void *step(void *context) {
    for (int round = 0; round < ROUNDS; round++) {
        int32_t x = -1;
        gbl_Index found = 0;
        gbl_Explanation how = GBL_EXPLANATION_INIT;
        if (context == NULL) check(make_step(), "no step");
        pthread_barrier_wait(&barrier);
        if (context == (void *)1)
            check(is_ok(gbl_Vector_extractElement_INT32(&x, parent, 7)) && x == 6,
                  "a parent is wrong");
        else if (context == (void *)2)
            check(is_ok(gbl_Vector_explain(&how, front)) && how.fused == 3, "it was not fused");
        else if (context == (void *)3)
            check(is_ok(gbl_Matrix_setElement_BOOL(path, true, 9, 0)), "no edge");
        else if (context == (void *)4)
            check(is_ok(gbl_Vector_free(&level)), "levels were not freed");
        else
            check(is_ok(gbl_Vector_nvals(&found, context == NULL ? front : parent)) &&
                      found == (context == NULL ? VERTICES / 2 : VERTICES),
                  "vertices were not found");
        pthread_barrier_wait(&barrier);
        if (context != NULL) continue;
        gbl_Vector_free(&front);
        gbl_Vector_free(&parent);
        gbl_Matrix_free(&path);
    }
    return NULL;
}

/* Each thread searches the path on its own. */
static void *search(void *context) {
    gbl_Vector q = NULL, p = NULL;
    gbl_Index found = 1, steps = 0, all = 0;
    bool good = make_seen(&p, 1 + (context != NULL)) &&
                is_ok(gbl_Vector_new(&q, GBL_INT32, VERTICES)) &&
                is_ok(gbl_Vector_setElement_INT32(q, 0, context != NULL));
    for (; good && found > 0; steps++)
        good = is_ok(gbl_vxm(q, p, NULL, GBL_ANY_SECONDI_SEMIRING_INT32, q, path, GBL_DESC_RSC)) &&
               is_ok(gbl_Vector_assign(p, q, NULL, q, GBL_ALL, VERTICES, GBL_DESC_S)) &&
               is_ok(gbl_Vector_nvals(&found, q));
    good = good && is_ok(gbl_Vector_nvals(&all, p));
    check(good && all == (context != NULL ? VERTICES : VERTICES / 2 + 1), "a search is wrong");
    gbl_Vector_free(&q);
    gbl_Vector_free(&p);
    return NULL;
}

static void run(void *(*body)(void *)) {
    pthread_t threads[THREADS];
    for (size_t k = 0; k < THREADS; k++)
        if (pthread_create(&threads[k], NULL, body, (void *)k) != 0) check(false, "no thread");
    for (int k = 0; k < THREADS; k++) pthread_join(threads[k], NULL);
}

int main(void) {
    int64_t blocks = -1;
    if (gbl_init(GBL_NONBLOCKING) != GBL_SUCCESS) return 1;
    pthread_barrier_init(&barrier, NULL, THREADS);
    run(work);
    make();
    run(count);
    gbl_Matrix_free(&A);
    gbl_Matrix_free(&B);
    gbl_Matrix_free(&M);
    gbl_Matrix_free(&C);
    run(end);
    run(replace);
    run(read_values);
    run(step);
    check(make_path(), "no path");
    run(search);
    gbl_Matrix_free(&path);
    check(is_ok(gbl_Global_get_INT64(GBL_GLOBAL, &blocks, GBL_BLOCKS_IN_USE)) && blocks == 0,
          "blocks are left");
    check(gbl_finalize() == GBL_SUCCESS, "gbl_finalize failed");
    pthread_barrier_destroy(&barrier);
    return atomic_load(&wrong) > 0 ? 1 : 0;
}
