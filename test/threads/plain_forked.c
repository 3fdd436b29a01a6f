/* SPDX-License-Identifier: Apache-2.0
 *
 * Threads multiply, update and copy without pause while the process forks, wherever they are. Each
 * child reads, copies and multiplies what the threads only read: it works. What they were writing
 * works too, or fails with an error that names it. No child may hang or crash.
 * Exits 1, with a line that says why, when something is wrong.
 */
#include "plain.h"

#include <pthread.h>
#include <signal.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

/* The children have threads of their own. */
const char *__tsan_default_options(void);
const char *__tsan_default_options(void) {
    return "die_after_fork=0";
}

/* ThreadSanitizer's allocator stays locked in a child of a thread that is inside, which then hangs;
 * builds without it tell of locks of ours. */
#ifdef __SANITIZE_THREAD__
enum { SECONDS = 5, MAY_HANG = 4 };
#else
enum { SECONDS = 60, MAY_HANG = 0 };
#endif
enum { SIDE = 120, FORKS = 30 };

static gbl_Matrix A, changing, product; /* what is read; written by a thread each */
static gbl_Vector front;                /* written by the thread that multiplies */
static atomic_int stop;

static bool name(gbl_Matrix X, const char *text) {
    return is_ok(gbl_Matrix_set_String(X, text, GBL_NAME));
}

static bool make(void) {
    bool good = is_ok(gbl_Matrix_new(&A, GBL_INT64, SIDE, SIDE)) &&
                is_ok(gbl_Matrix_new(&changing, GBL_INT64, SIDE, SIDE)) &&
                is_ok(gbl_Matrix_new(&product, GBL_INT64, SIDE, SIDE)) &&
                is_ok(gbl_Vector_new(&front, GBL_INT64, SIDE)) && name(changing, "changing") &&
                name(product, "product") && is_ok(gbl_Vector_set_String(front, "front", GBL_NAME));
    for (gbl_Index i = 0; good && i < SIDE; i++)
        for (gbl_Index j = i % 3; good && j < SIDE; j += 3)
            good = is_ok(gbl_Matrix_setElement_INT64(A, 1, i, j));
    return good && is_ok(gbl_Matrix_wait(A, GBL_MATERIALIZE));
}

/* -- the threads */

static void *multiply(void *unused) {
    gbl_Index nvals;
    while (!atomic_load(&stop)) {
        check(is_ok(gbl_mxm(product, A, NULL, GBL_PLUS_TIMES_SEMIRING_INT64, A, A, GBL_DESC_RS)) &&
                  is_ok(gbl_Matrix_nvals(&nvals, product)) && nvals > 0,
              "a deferred product");
        check(is_ok(gbl_Vector_setElement_INT64(front, 1, 0)) &&
                  is_ok(gbl_vxm(front, NULL, NULL, GBL_PLUS_TIMES_SEMIRING_INT64, front, A, NULL)),
              "a step of a search");
    }
    return unused;
}

static void *update(void *unused) {
    for (gbl_Index k = 0; !atomic_load(&stop); k++) {
        gbl_Matrix copy = NULL;
        gbl_Index nvals;
        const gbl_Index i = k * 7 % SIDE, j = k * 11 % SIDE;
        check(is_ok(gbl_Matrix_setElement_INT64(changing, (int64_t)k, i, j)) &&
                  is_ok(gbl_Matrix_nvals(&nvals, changing)),
              "an update");
        if (k % 5 == 0) check(is_ok(gbl_Matrix_removeElement(changing, j, i)), "a deletion");
        check(is_ok(gbl_Matrix_dup(&copy, k % 2 ? A : changing)) && is_ok(gbl_Matrix_free(&copy)),
              "a copy");
    }
    return unused;
}

/* -- the children */

static bool counts(gbl_Matrix X, int64_t expected) {
    int64_t sum = -1;
    return is_ok(gbl_Matrix_reduce_INT64(&sum, NULL, GBL_PLUS_MONOID_INT64, X, NULL)) &&
           sum == expected;
}

/* It works, or the error names it. */
static bool is_fine(gbl_Info info, const char *text) {
    return is_ok(info) || info == GBL_NO_VALUE ||
           (info == GBL_INVALID_OBJECT && strstr(gbl_last_error(), text) != NULL);
}

static void read_written(void) {
    gbl_Index nvals;
    int64_t x;
    gbl_Matrix C = NULL;
    check(is_fine(gbl_Matrix_nvals(&nvals, product), "product"), "a product");
    check(is_fine(gbl_Vector_nvals(&nvals, front), "front"), "a vector");
    check(is_fine(gbl_Matrix_extractElement_INT64(&x, changing, 7, 11), "changing"), "an element");
    check(is_ok(gbl_Matrix_new(&C, GBL_INT64, SIDE, SIDE)), "no matrix");
    const gbl_Info info = gbl_mxm(C, NULL, NULL, GBL_PLUS_TIMES_SEMIRING_INT64, changing, A, NULL);
    check(is_ok(info) || info == GBL_INVALID_OBJECT, "a product of what was changing");
    check(is_ok(gbl_Matrix_free(&C)), "a matrix is not freed");
}

static int child(int64_t triangles) {
    gbl_Matrix copy = NULL, C = NULL;
    alarm(SECONDS);
    check(is_ok(gbl_Matrix_dup(&copy, A)) && is_ok(gbl_Matrix_new(&C, GBL_INT64, SIDE, SIDE)) &&
              is_ok(gbl_mxm(C, A, NULL, GBL_PLUS_TIMES_SEMIRING_INT64, A, copy, GBL_DESC_S)) &&
              counts(C, triangles),
          "a product in the child");
    check(is_ok(gbl_Matrix_setElement_INT64(copy, 5, 0, 0)), "an update in the child");
    read_written();
    check(is_ok(gbl_Matrix_free(&copy)) && is_ok(gbl_Matrix_free(&C)) &&
              is_ok(gbl_Matrix_free(&product)) && is_ok(gbl_Matrix_free(&changing)) &&
              is_ok(gbl_Vector_free(&front)) && is_ok(gbl_Matrix_free(&A)),
          "objects are not freed in the child");
    return atomic_load(&wrong) > 0 ? 1 : 0;
}

static bool forks(int64_t triangles) {
    static int hung;
    int status = 1;
    const pid_t made = fork();
    if (made == 0) _exit(child(triangles));
    if (made <= 0 || waitpid(made, &status, 0) != made) return false;
    if (WIFSIGNALED(status)) return WTERMSIG(status) == SIGALRM && hung++ < MAY_HANG;
    return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

int main(void) {
    void *(*const work[])(void *) = {multiply, update};
    pthread_t thread[2];
    gbl_Matrix C = NULL;
    int64_t triangles = 0;
    bool good = is_ok(gbl_init(GBL_NONBLOCKING)) && make() &&
                is_ok(gbl_Matrix_new(&C, GBL_INT64, SIDE, SIDE)) &&
                is_ok(gbl_mxm(C, A, NULL, GBL_PLUS_TIMES_SEMIRING_INT64, A, A, GBL_DESC_S)) &&
                is_ok(gbl_Matrix_reduce_INT64(&triangles, NULL, GBL_PLUS_MONOID_INT64, C, NULL));
    if (!check(good, "nothing to fork with")) return 1;
    for (int k = 0; k < 2; k++)
        if (!check(pthread_create(&thread[k], NULL, work[k], NULL) == 0, "no thread")) return 1;
    for (int k = 0; k < FORKS; k++) {
        nanosleep(&(struct timespec){.tv_nsec = 1000000 + 137000 * k}, NULL);
        check(forks(triangles), "a child fails");
    }
    atomic_store(&stop, 1);
    for (int k = 0; k < 2; k++) pthread_join(thread[k], NULL);
    check(is_ok(gbl_Matrix_free(&C)) && is_ok(gbl_Matrix_free(&product)) &&
              is_ok(gbl_Matrix_free(&changing)) && is_ok(gbl_Vector_free(&front)) &&
              is_ok(gbl_Matrix_free(&A)) && is_ok(gbl_finalize()),
          "objects are not freed");
    return atomic_load(&wrong) > 0 ? 1 : 0;
}
