/* SPDX-License-Identifier: Apache-2.0
 *
 * A progress callback may call the library: operations, on its own thread and on others that it
 * waits for, and gbl_set_progress. (What reports say, and cancelling: test_context.c.)
 */
#include "support/gb_test.h"

#include "../../examples/core_numbers.h"
#include "../../examples/label_propagation.h"
#include "../../examples/shortest_paths.h"
#include "../../examples/strong_components.h"
#include "core/call.h"
#include "core/context.h"
#include "gblite_io.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* A callback that waits for itself is ended by Criterion. */
#define PROGRESS_TEST(name) Test(progress, name, .init = t_setup, .fini = t_teardown, .timeout = 60)

enum { SIDE = 300 };

static gbl_Info square(gbl_Matrix C, gbl_Matrix A) {
    return gbl_mxm(C, NULL, NULL, GBL_PLUS_TIMES_SEMIRING_INT64, A, A, NULL);
}

typedef struct {
    gbl_Matrix A, C, inner; /* C = A * A; inside the callback inner = A * A */
    int calls, depth, deepest;
    gbl_Info info;
} Work;

static void work_new(Work *w) {
    *w = (Work){.A = t_seeded_matrix(1, GBL_INT64_CODE, SIDE, SIDE, 0.1)};
    OK(gbl_Matrix_new(&w->C, GBL_INT64, SIDE, SIDE));
    OK(gbl_Matrix_new(&w->inner, GBL_INT64, SIDE, SIDE));
    OK(gbl_Matrix_wait(w->A, GBL_MATERIALIZE));
}

static void work_free(Work *w) {
    FREE(w->A, w->C, w->inner);
}

static void check_products(Work *w) {
    o_Matrix expected = t_dense(w->C);
    OK(w->info);
    const gbl_Index nvals = t_nvals(w->C);
    CHECK(nvals > 0);
    t_expect("product inside the callback", &expected, w->inner, 0);
    o_free(&expected);
}

/* -- a product inside, which reports nothing */

static bool multiply_inside(void *context, const char *what, double done) {
    Work *w = context;
    (void)what, (void)done;
    w->calls++;
    w->depth++;
    if (w->depth > w->deepest) w->deepest = w->depth;
    if (w->calls == 1 && w->depth == 1) w->info = square(w->inner, w->A);
    w->depth--;
    return true;
}

PROGRESS_TEST(operation_inside) {
    for (int threads = 1; threads <= 4; threads += 3) {
        Work w;
        work_new(&w);
        t_case("%d threads", threads);
        OK(gbl_Global_set_INT32(GBL_GLOBAL, threads, GBL_NTHREADS));
        OK(gbl_set_progress(multiply_inside, &w));
        OK(square(w.C, w.A));
        OK(gbl_set_progress(NULL, NULL));
        CHECK(w.calls > 0);
        CHECK_EQ(w.deepest, 1);
        check_products(&w);
        work_free(&w);
    }
}

/* -- a product on another thread that the callback waits for */

static void *multiply_on_thread(void *context) {
    Work *w = context;
    w->info = square(w->inner, w->A);
    return NULL;
}

static bool wait_for_thread(void *context, const char *what, double done) {
    Work *w = context;
    pthread_t thread;
    (void)what, (void)done;
    if (w->calls++ > 0) return true;
    if (pthread_create(&thread, NULL, multiply_on_thread, w) != 0) return false;
    return pthread_join(thread, NULL) == 0;
}

PROGRESS_TEST(operation_on_another_thread) {
    Work w;
    work_new(&w);
    OK(gbl_set_progress(wait_for_thread, &w));
    OK(square(w.C, w.A));
    OK(gbl_set_progress(NULL, NULL));
    check_products(&w);
    work_free(&w);
}

/* -- gbl_set_progress inside */

static int second_calls;

static bool second(void *context, const char *what, double done) {
    (void)context, (void)what, (void)done;
    second_calls++;
    return true;
}

static bool pass_on(void *context, const char *what, double done) {
    Work *w = context;
    (void)what, (void)done;
    w->calls++;
    w->info = gbl_set_progress(second, NULL);
    return true;
}

static bool turn_off(void *context, const char *what, double done) {
    Work *w = context;
    (void)what, (void)done;
    w->calls++;
    w->info = gbl_set_progress(NULL, NULL);
    return true;
}

PROGRESS_TEST(set_inside) {
    Work w;
    work_new(&w);
    OK(gbl_set_progress(turn_off, &w));
    OK(square(w.C, w.A));
    OK(w.info);
    CHECK_EQ(w.calls, 1);
    OK(gbl_set_progress(pass_on, &w));
    OK(square(w.C, w.A));
    OK(w.info);
    CHECK_EQ(w.calls, 2);
    CHECK(second_calls > 0);
    OK(gbl_set_progress(NULL, NULL));
    work_free(&w);
}

/* -- cancelling by a callback that has multiplied */

static bool multiply_and_stop(void *context, const char *what, double done) {
    multiply_inside(context, what, done);
    return false;
}

PROGRESS_TEST(cancelled_after_an_operation_inside) {
    Work w;
    const char *text = NULL;
    work_new(&w);
    OK(gbl_set_progress(multiply_and_stop, &w));
    FAILS(GBL_CANCELLED, square(w.C, w.A));
    OK(gbl_Matrix_error(&text, w.C));
    CHECK(text[0] != '\0');
    OK(gbl_Matrix_error(&text, w.inner));
    CHECK(text[0] == '\0');
    OK(gbl_set_progress(NULL, NULL));
    OK(square(w.C, w.A));
    check_products(&w);
    work_free(&w);
}

/* -- the part done of a call that is made of others */

typedef struct {
    int calls, fallen; /* reports, and those below the one before */
    double done;       /* of the last one */
    bool go_on, known; /* a report said more than 0 */
} Parts;

static bool see_part(void *context, const char *what, double done) {
    Parts *p = context;
    CHECK(strcmp(what, "call") == 0 && done >= 0 && done <= 1);
    p->calls++;
    p->fallen += done < p->done;
    p->known = p->known || done > 0;
    p->done = done;
    return p->go_on;
}

/* Reports come now and then: says so until one comes. */
static gbl_Info say(Parts *p, double done) {
    gbl_Info info = GBL_SUCCESS;
    for (const int before = p->calls; info == GBL_SUCCESS && p->calls == before;)
        info = gbl_call_part(done);
    return info;
}

PROGRESS_TEST(parts_of_a_call) {
    Parts p = {.go_on = true};
    OK(gbl_set_progress(see_part, &p));
    gbl_call_begin();
    OK(say(&p, 0.25));
    CHECK(p.done == 0.25);
    OK(say(&p, 0.125)); /* another thread's, late */
    CHECK(p.done == 0.25);
    OK(say(&p, 1));
    CHECK(p.done == 1);
    gbl_call_end();
    gbl_call_begin(); /* a call of its own */
    OK(say(&p, 0.5));
    CHECK(p.done == 0.5 && p.fallen == 1);
    p.go_on = false;
    CHECK_EQ(say(&p, 0.75), GBL_CANCELLED);
    CHECK(strstr(gbl_last_error(), "progress") != NULL);
    gbl_call_end();
    OK(gbl_set_progress(NULL, NULL));
}

/* Lists of entries, sorting them, and files say how far they are. */
PROGRESS_TEST(parts_of_generators_and_files) {
    for (int text = 0; text < 2; text++) {
        Parts p = {.go_on = true};
        gbl_Matrix A = NULL, B = NULL;
        char path[] = "/tmp/gblite_parts_XXXXXX.mtx";
        const int file = mkstemps(path, 4);
        CHECK(file >= 0);
        if (text) OK(gbl_generate(&B, GBL_FP64, "er:12:64"));
        OK(gbl_set_progress(see_part, &p));
        gbl_call_begin(); /* one call, since each is done before a report is due */
        for (int k = 0; k < 10000 && !p.known; k++) {
            if (text) OK(gbl_mm_write(B, path));
            OK(text ? gbl_mm_read(&A, GBL_FP64, path) : gbl_generate(&A, GBL_FP64, "er:12:64"));
            FREE(A);
        }
        gbl_call_end();
        CHECK(p.known);
        CHECK_EQ(p.fallen, 0);
        OK(gbl_set_progress(NULL, NULL));
        FREE(B);
        close(file);
        unlink(path);
    }
}

/* Searches that know what is left say how far they are, and end where they are told to. */
PROGRESS_TEST(parts_of_searches) {
    for (int search = 0; search < 4; search++) {
        Parts p = {.go_on = true};
        gbl_Matrix A = NULL;
        OK(gbl_generate(&A, GBL_BOOL, search == 2 ? "rmats:10:8" : "grid:300:300"));
        OK(gbl_set_progress(see_part, &p));
        gbl_Info info = GBL_SUCCESS;
        gbl_call_begin();
        for (int k = 0; k < 10000 && info != GBL_CANCELLED; k++) {
            gbl_Vector v = NULL;
            int64_t steps = 10;
            const bool ends = !p.go_on;
            info = search == 0   ? core_numbers(&v, A)
                   : search == 1 ? strong_components(&v, A)
                   : search == 2 ? label_propagation(&v, A, &steps)
                                 : shortest_paths(&v, GBL_FP64, A, 0, 1);
            CHECK(info == GBL_SUCCESS || (ends && info == GBL_CANCELLED && v == NULL));
            FREE(v);
            if (p.known) p.go_on = false; /* the next report ends the search */
        }
        gbl_call_end();
        CHECK(p.known && info == GBL_CANCELLED);
        CHECK_EQ(p.fallen, 0);
        OK(gbl_set_progress(NULL, NULL));
        FREE(A);
    }
}

/* -- operations inside others */

typedef struct {
    double outer; /* the part last reported */
    int inner;    /* reports */
} Nested;

static bool note_nested(void *context, const char *what, double done) {
    Nested *seen = context;
    if (strcmp(what, "outer") == 0)
        seen->outer = done;
    else
        seen->inner++;
    return true;
}

/* Reports of the inner operations, which come at any time, put no report of the outer one off: not
 * even the one that the inner operation makes when its own interval is over. */
PROGRESS_TEST(an_operation_of_operations) {
    gb_Meter outer, inner;
    Nested seen = {.outer = -1};
    OK(gbl_set_progress(note_nested, &seen));
    gb_progress_begin(&outer, "outer", 4);
    CHECK(seen.outer == 0);
    for (int k = 1; k <= 3; k++) {
        const int before = seen.inner;
        gb_progress_begin(&inner, "inner", 1);
        while (seen.inner < before + 2) CHECK(gb_progress_add(&inner, 0));
        OK(gb_progress_end(&inner));
        CHECK(gb_progress_add(&outer, 1));
        CHECK(seen.outer == k / 4.0);
    }
    OK(gb_progress_end(&outer));
    OK(gbl_set_progress(NULL, NULL));
}
