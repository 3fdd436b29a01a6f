/* SPDX-License-Identifier: Apache-2.0
 *
 * A process forks only while no thread holds a lock of the library, which the child would wait for
 * without end. The handler below was registered before the library's, so it runs after them, when
 * locks are held by who forks: another thread that needs one must not get on then.
 * Exits 1, with a line that says why, when something is wrong.
 */
#include "gblite.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { SIDE = 40, LONG = 1000000 };

typedef enum { NOTHING, ALLOCATE, COMPLETE } Job;

static gbl_Matrix A, C;
static gbl_Vector v[2]; /* one for each: a thread may hold the lock of its own */
static atomic_int job, done;
static bool got_on;

static void nap(long milliseconds) {
    nanosleep(&(struct timespec){.tv_nsec = milliseconds * 1000000}, NULL);
}

/* A block that goes through the pool. */
static bool allocate(gbl_Vector own) {
    gbl_Vector made = NULL;
    const gbl_Info info = gbl_Vector_new(&made, GBL_FP64, LONG);
    return info == GBL_SUCCESS &&
           gbl_Vector_apply(made, NULL, NULL, GBL_AINV_FP64, own, NULL) == GBL_SUCCESS &&
           gbl_Vector_free(&made) == GBL_SUCCESS;
}

/* A product that is put off, and asked for. */
static bool complete(void) {
    gbl_Index nvals;
    return gbl_mxm(C, A, NULL, GBL_PLUS_TIMES_SEMIRING_INT64, A, A, GBL_DESC_RS) == GBL_SUCCESS &&
           gbl_Matrix_nvals(&nvals, C) == GBL_SUCCESS && nvals == SIDE * SIDE;
}

static bool work(Job what, gbl_Vector own) {
    return what == ALLOCATE ? allocate(own) : complete();
}

static void *other_thread(void *context) {
    while (atomic_load(&job) == NOTHING) nap(1);
    work((Job)atomic_load(&job), v[1]);
    atomic_store(&done, 1);
    return context;
}

static atomic_int wanted;

static void last_before_fork(void) {
    if (atomic_load(&wanted) == NOTHING) return;
    atomic_store(&job, atomic_load(&wanted));
    nap(100);
    got_on = atomic_load(&done) != 0;
}

/* True: the other thread waited, and the child can do the same. */
static bool forks_well(Job what) {
    pthread_t thread;
    int status = 1;
    atomic_store(&job, NOTHING);
    atomic_store(&done, 0);
    if (pthread_create(&thread, NULL, other_thread, NULL) != 0) return false;
    atomic_store(&wanted, (int)what);
    const pid_t child = fork();
    atomic_store(&wanted, NOTHING);
    if (child == 0) {
        alarm(20);
        _exit(work(what, v[0]) ? 0 : 1);
    }
    pthread_join(thread, NULL);
    const bool ended = child > 0 && waitpid(child, &status, 0) == child;
    return ended && WIFEXITED(status) && WEXITSTATUS(status) == 0 && !got_on;
}

static bool make(void) {
    bool good = gbl_Matrix_new(&A, GBL_INT64, SIDE, SIDE) == GBL_SUCCESS &&
                gbl_Matrix_new(&C, GBL_INT64, SIDE, SIDE) == GBL_SUCCESS &&
                gbl_Vector_new(&v[0], GBL_FP64, LONG) == GBL_SUCCESS;
    for (gbl_Index i = 0; good && i < SIDE; i++)
        for (gbl_Index j = 0; good && j < SIDE; j++)
            good = gbl_Matrix_setElement_INT64(A, (int64_t)(i + j), i, j) == GBL_SUCCESS;
    for (gbl_Index i = 0; good && i < LONG; i += 2)
        good = gbl_Vector_setElement_FP64(v[0], (double)i, i) == GBL_SUCCESS;
    return good && gbl_Matrix_wait(A, GBL_MATERIALIZE) == GBL_SUCCESS &&
           gbl_Vector_wait(v[0], GBL_MATERIALIZE) == GBL_SUCCESS &&
           gbl_Vector_dup(&v[1], v[0]) == GBL_SUCCESS;
}

int main(void) {
    bool good = pthread_atfork(last_before_fork, NULL, NULL) == 0 &&
                gbl_init(GBL_NONBLOCKING) == GBL_SUCCESS &&
                gbl_Global_set_INT32(GBL_GLOBAL, 1, GBL_NTHREADS) == GBL_SUCCESS && make();
    good = good && complete() && allocate(v[0]);
    if (!good) fprintf(stderr, "nothing to fork with (%s)\n", gbl_last_error());
    if (good && !forks_well(ALLOCATE)) {
        fprintf(stderr, "the lock of the pool may be held when a process forks\n");
        good = false;
    }
    if (good && !forks_well(COMPLETE)) {
        fprintf(stderr, "the lock of what was put off may be held when a process forks\n");
        good = false;
    }
    gbl_Vector_free(&v[0]);
    gbl_Vector_free(&v[1]);
    gbl_Matrix_free(&A);
    gbl_Matrix_free(&C);
    return gbl_finalize() == GBL_SUCCESS && good ? 0 : 1;
}
