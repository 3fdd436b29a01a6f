/* SPDX-License-Identifier: Apache-2.0
 *
 * A thread stands still in the middle of a deferred product, a conversion, a copy or a step of a
 * search: inside the allocator, which lets it go on when told to. Meanwhile
 *   - another thread reads the operands: it must not wait for the product;
 *   - the process forks, again and again. Each child multiplies, on threads of its own, idle
 * objects and those that the thread is at work on. All must work; what the step of the search was
 *     writing is lost, and calls on it say so. No child may hang.
 * Exits 1, with a line that says why, when something is wrong.
 */
#include "plain.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

/* The children have threads of their own. */
const char *__tsan_default_options(void);
const char *__tsan_default_options(void) {
    return "die_after_fork=0";
}

enum { SIDE = 60, FORKS = 30, SECONDS = 30 };
#ifdef __SANITIZE_THREAD__ /* which ends a child that starts threads */
enum { CHILD_THREADS = 1 };
#else
enum { CHILD_THREADS = 3 };
#endif

static gbl_Matrix A, M, C, idle;
static gbl_Vector front, seen, u;
static int64_t sum; /* of A * A */

/* -- the gate */

static _Thread_local bool stops;
static atomic_int inside, open_gate;

static void nap(void) {
    nanosleep(&(struct timespec){.tv_nsec = 1000000}, NULL);
}

static void *allocate(size_t bytes) {
    if (stops) {
        stops = false;
        atomic_store(&inside, 1);
        while (!atomic_load(&open_gate)) nap();
    }
    return malloc(bytes);
}

/* -- what the thread is at work on */

static bool multiply_deferred(void) {
    gbl_Index nvals = 0;
    return is_ok(gbl_Matrix_nvals(&nvals, C)) && nvals == SIDE * SIDE;
}

static bool convert(void) {
    static gbl_Index p[SIDE + 1], i[SIDE * SIDE];
    static int64_t x[SIDE * SIDE];
    gbl_Index np = SIDE + 1, ni = SIDE * SIDE, nx = SIDE * SIDE;
    return is_ok(gbl_Matrix_export_INT64(p, i, x, &np, &ni, &nx, GBL_CSC_FORMAT, A));
}

static bool copy(void) {
    gbl_Matrix same = NULL;
    return is_ok(gbl_Matrix_dup(&same, A)) && is_ok(gbl_Matrix_free(&same));
}

static bool search(void) {
    gbl_Index nvals = 0;
    return is_ok(gbl_Vector_nvals(&nvals, front)) && nvals == SIDE / 2;
}

typedef struct {
    const char *name;
    bool (*work)(void);
} Busy;
static const Busy busy[] = {{"a deferred product", multiply_deferred},
                            {"a conversion", convert},
                            {"a copy", copy},
                            {"a step of a search", search}};

static void *work(void *context) {
    const Busy *what = context;
    stops = true;
    check(what->work(), what->name);
    check(!stops, "the thread never stood still");
    atomic_store(&inside, 1);
    return NULL;
}

/* -- objects */

/* Half of them are in `seen`, a bitmap; the step goes from these to the others. */
static bool make_search(void) {
    bool good = is_ok(gbl_Vector_new(&seen, GBL_INT32, SIDE)) &&
                is_ok(gbl_Vector_new(&front, GBL_INT32, SIDE)) &&
                is_ok(gbl_Vector_set_String(front, "front of the search", GBL_NAME));
    good = good && is_ok(gbl_Vector_assign_INT32(seen, NULL, NULL, -1, GBL_ALL, SIDE, NULL)) &&
           is_ok(gbl_Vector_setElement_INT32(seen, -2, 0)) &&
           is_ok(gbl_Vector_wait(seen, GBL_MATERIALIZE));
    for (gbl_Index k = 0; good && k < SIDE; k++)
        good = k % 2 == 0 ? is_ok(gbl_Vector_setElement_INT32(front, 1, k))
                          : is_ok(gbl_Vector_removeElement(seen, k));
    return good && is_ok(gbl_Vector_wait(front, GBL_MATERIALIZE)) &&
           is_ok(gbl_Vector_wait(seen, GBL_MATERIALIZE)) &&
           is_ok(gbl_vxm(front, seen, NULL, GBL_ANY_SECONDI_SEMIRING_INT32, front, idle,
                         GBL_DESC_RSC));
}

static bool make(void) {
    bool good = is_ok(gbl_Matrix_new(&A, GBL_INT64, SIDE, SIDE)) &&
                is_ok(gbl_Matrix_new(&C, GBL_INT64, SIDE, SIDE)) &&
                is_ok(gbl_Vector_new(&u, GBL_INT64, SIDE)) &&
                is_ok(gbl_Vector_assign_INT64(u, NULL, NULL, 1, GBL_ALL, SIDE, NULL));
    for (gbl_Index i = 0; good && i < SIDE; i++)
        for (gbl_Index j = 0; good && j < SIDE; j++)
            good = is_ok(gbl_Matrix_setElement_INT64(A, (int64_t)(i + j), i, j));
    good = good && is_ok(gbl_Matrix_wait(A, GBL_MATERIALIZE)) && is_ok(gbl_Matrix_dup(&M, A)) &&
           is_ok(gbl_Matrix_dup(&idle, A)) && make_search() &&
           is_ok(gbl_mxm(C, M, NULL, GBL_PLUS_TIMES_SEMIRING_INT64, A, A, GBL_DESC_RS));
    sum = 0;
    for (int64_t i = 0; i < SIDE; i++)
        for (int64_t j = 0; j < SIDE; j++)
            for (int64_t k = 0; k < SIDE; k++) sum += (i + k) * (k + j);
    return good;
}

static void free_all(void) {
    check(is_ok(gbl_Matrix_free(&A)) && is_ok(gbl_Matrix_free(&M)) && is_ok(gbl_Matrix_free(&C)) &&
              is_ok(gbl_Matrix_free(&idle)) && is_ok(gbl_Vector_free(&front)) &&
              is_ok(gbl_Vector_free(&seen)) && is_ok(gbl_Vector_free(&u)),
          "objects are not freed");
}

/* -- what others do meanwhile */

static bool sums_to(gbl_Matrix X, int64_t expected) {
    int64_t found = -1;
    return is_ok(gbl_Matrix_reduce_INT64(&found, NULL, GBL_PLUS_MONOID_INT64, X, NULL)) &&
           found == expected;
}

static bool multiplies(gbl_Matrix X) {
    gbl_Matrix P = NULL;
    const bool good = is_ok(gbl_Matrix_new(&P, GBL_INT64, SIDE, SIDE)) &&
                      is_ok(gbl_mxm(P, NULL, NULL, GBL_PLUS_TIMES_SEMIRING_INT64, X, X, NULL)) &&
                      sums_to(P, sum);
    return is_ok(gbl_Matrix_free(&P)) && good;
}

/* Reads of A, of all kinds. */
static void read_input(void) {
    gbl_Index nvals = 0;
    int64_t x = 0;
    gbl_Vector w = NULL;
    gbl_Formats formats;
    check(is_ok(gbl_Matrix_nvals(&nvals, A)) && nvals == SIDE * SIDE, "nvals of an input");
    check(is_ok(gbl_Matrix_extractElement_INT64(&x, A, 3, 4)) && x == 7, "an element of an input");
    check(is_ok(gbl_Vector_new(&w, GBL_INT64, SIDE)) &&
              is_ok(gbl_mxv(w, NULL, NULL, GBL_PLUS_TIMES_SEMIRING_INT64, A, u, NULL)) &&
              is_ok(gbl_Vector_extractElement_INT64(&x, w, 0)) && x == SIDE * (SIDE - 1) / 2,
          "an input times a vector");
    check(multiplies(A), "an input times itself");
    check(sums_to(M, (int64_t)SIDE * SIDE * (SIDE - 1)), "the mask");
    check(is_ok(gbl_Matrix_formats(&formats, A)), "the formats of an input");
    check(is_ok(gbl_Vector_free(&w)), "a vector is not freed");
}

/* What thread `what` was writing is lost, and named. */
static void read_lost(void) {
    gbl_Index nvals;
    for (int k = 0; k < 2; k++)
        check(gbl_Vector_nvals(&nvals, front) == GBL_INVALID_OBJECT &&
                  strstr(gbl_last_error(), "front of the search") != NULL,
              "a lost object is not named");
}

static int child(const Busy *what) {
    gbl_Matrix same = NULL;
    alarm(SECONDS);
    check(is_ok(gbl_Global_set_INT32(GBL_GLOBAL, CHILD_THREADS, GBL_NTHREADS)), "no threads");
    check(multiplies(idle), "an idle object");
    read_input();
    check(is_ok(gbl_Matrix_dup(&same, A)) && multiplies(same), "a copy in the child");
    check(convert(), "a conversion in the child");
    check(sums_to(C, sum), "a deferred product in the child");
    if (what->work == search) read_lost();
    check(is_ok(gbl_Matrix_setElement_INT64(A, 5, 0, 0)) && multiplies(idle), "a new element");
    gbl_Matrix_free(&same);
    free_all();
    return atomic_load(&wrong) > 0 ? 1 : 0;
}

static bool forks(const Busy *what) {
    int status = 1;
    const pid_t made = fork();
    if (made == 0) _exit(child(what));
    return made > 0 && waitpid(made, &status, 0) == made && WIFEXITED(status) &&
           WEXITSTATUS(status) == 0;
}

static void run(const Busy *what) {
    pthread_t thread;
    bool good = check(make(), "no objects");
    atomic_store(&inside, 0);
    atomic_store(&open_gate, 0);
    good = good && pthread_create(&thread, NULL, work, (void *)(size_t)what) == 0;
    if (!check(good, "no thread")) return;
    while (!atomic_load(&inside)) nap();
    alarm(SECONDS);
    read_input();
    for (int k = 0; k < FORKS && good; k++) good = forks(what);
    alarm(0);
    check(good, what->name);
    atomic_store(&open_gate, 1);
    pthread_join(thread, NULL);
    check(sums_to(C, sum), "the product of the parent");
    free_all();
}

int main(void) {
    int64_t blocks = -1;
    if (!is_ok(gbl_init_with_allocator(GBL_NONBLOCKING, allocate, realloc, free))) return 1;
    for (size_t k = 0; k < sizeof busy / sizeof busy[0]; k++) run(&busy[k]);
    check(is_ok(gbl_Global_get_INT64(GBL_GLOBAL, &blocks, GBL_BLOCKS_IN_USE)) && blocks == 0,
          "blocks are left");
    check(is_ok(gbl_finalize()), "gbl_finalize failed");
    return atomic_load(&wrong) > 0 ? 1 : 0;
}
