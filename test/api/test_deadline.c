/* SPDX-License-Identifier: Apache-2.0
 *
 * GBL_DEADLINE, of the library and of descriptors. Deadlines grow from nothing until the call gets
 * done, so that they pass at its start, in its middle and at its end. A call that returns
 * GBL_CANCELLED leaves its output and its inputs as they were, and the same call without a deadline
 * gives what it gives anywhere. (Products and the progress callback: test_context.c.)
 */
#include "support/gb_test.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "gblite_io.h"

#define DEADLINE_TEST(name) Test(deadline, name, .init = t_setup, .fini = t_teardown)

enum { SIDE = 60 };

typedef struct {
    gbl_Matrix A, B, C, big; /* C has entries of its own; big: SIDE^2 x SIDE^2 */
    gbl_Vector u, w;
} World;

static World world_new(void) {
    World x = {.A = t_seeded_matrix(1, GBL_INT64_CODE, SIDE, SIDE, 0.3),
               .B = t_seeded_matrix(2, GBL_INT64_CODE, SIDE, SIDE, 0.3),
               .C = t_seeded_matrix(3, GBL_INT64_CODE, SIDE, SIDE, 0.3)};
    OK(gbl_Matrix_new(&x.big, GBL_INT64, SIDE * SIDE, SIDE * SIDE));
    OK(gbl_Vector_new(&x.u, GBL_INT64, SIDE));
    OK(gbl_Vector_new(&x.w, GBL_INT64, SIDE));
    for (gbl_Index k = 0; k < SIDE; k += 2) {
        OK(gbl_Vector_setElement_INT64(x.u, (int64_t)k, k));
        OK(gbl_Vector_setElement_INT64(x.w, 7, SIDE - 1 - k));
    }
    return x;
}

static void world_free(World *x) {
    FREE(x->A, x->B, x->C, x->big, x->u, x->w);
}

#define PLUS_TIMES GBL_PLUS_TIMES_SEMIRING_INT64

static gbl_Info multiply(World *x, gbl_Descriptor d) {
    return gbl_mxm(x->C, NULL, NULL, PLUS_TIMES, x->A, x->B, d);
}

static gbl_Info multiply_inside(World *x, gbl_Descriptor d) {
    return gbl_mxm(x->C, x->B, GBL_PLUS_INT64, PLUS_TIMES, x->A, x->A, d);
}

static gbl_Info multiply_by_vector(World *x, gbl_Descriptor d) {
    return gbl_mxv(x->w, NULL, GBL_PLUS_INT64, PLUS_TIMES, x->A, x->u, d);
}

static gbl_Info multiply_vector(World *x, gbl_Descriptor d) {
    return gbl_vxm(x->w, NULL, NULL, PLUS_TIMES, x->u, x->A, d);
}

static gbl_Info add(World *x, gbl_Descriptor d) {
    return gbl_Matrix_eWiseAdd_BinaryOp(x->C, NULL, NULL, GBL_PLUS_INT64, x->A, x->B, d);
}

static gbl_Info intersect(World *x, gbl_Descriptor d) {
    return gbl_Matrix_eWiseMult_BinaryOp(x->C, x->A, GBL_PLUS_INT64, GBL_TIMES_INT64, x->A, x->B,
                                         d);
}

static gbl_Info apply(World *x, gbl_Descriptor d) {
    return gbl_Matrix_apply(x->C, NULL, GBL_PLUS_INT64, GBL_AINV_INT64, x->A, d);
}

static gbl_Info select_some(World *x, gbl_Descriptor d) {
    return gbl_Matrix_select_INT64(x->C, NULL, NULL, GBL_TRIL, x->A, 0, d);
}

static gbl_Info transpose(World *x, gbl_Descriptor d) {
    return gbl_transpose(x->C, NULL, NULL, x->A, d);
}

static gbl_Info extract(World *x, gbl_Descriptor d) {
    gbl_Index I[SIDE];
    for (gbl_Index k = 0; k < SIDE; k++) I[k] = SIDE - 1 - k;
    return gbl_Matrix_extract(x->C, NULL, NULL, x->A, I, SIDE, I, SIDE, d);
}

static gbl_Info assign(World *x, gbl_Descriptor d) {
    return gbl_Matrix_assign(x->C, x->B, GBL_PLUS_INT64, x->A, GBL_ALL, SIDE, GBL_ALL, SIDE, d);
}

static gbl_Info kronecker(World *x, gbl_Descriptor d) {
    return gbl_Matrix_kronecker_BinaryOp(x->big, NULL, NULL, GBL_TIMES_INT64, x->A, x->B, d);
}

static gbl_Info reduce(World *x, gbl_Descriptor d) {
    return gbl_Matrix_reduce_Monoid(x->w, NULL, NULL, GBL_PLUS_MONOID_INT64, x->A, d);
}

static gbl_Info sort_rows(World *x, gbl_Descriptor d) {
    return gbl_Matrix_sort(x->C, NULL, GBL_LT_INT64, x->A, d);
}

static gbl_Info sort_vector(World *x, gbl_Descriptor d) {
    return gbl_Vector_sort(x->w, NULL, GBL_LT_INT64, x->u, d);
}

typedef struct {
    const char *name;
    gbl_Info (*run)(World *x, gbl_Descriptor d);
} Operation;
static const Operation operations[] = {{"mxm", multiply},
                                       {"mxm inside a mask", multiply_inside},
                                       {"mxv", multiply_by_vector},
                                       {"vxm", multiply_vector},
                                       {"eWiseAdd", add},
                                       {"eWiseMult", intersect},
                                       {"apply", apply},
                                       {"select", select_some},
                                       {"transpose", transpose},
                                       {"extract", extract},
                                       {"assign", assign},
                                       {"kronecker", kronecker},
                                       {"reduce", reduce},
                                       {"sort of rows", sort_rows},
                                       {"sort", sort_vector}};

/* That x and y, made alike, hold the same. */
static void check_same(const char *what, World *x, World *y) {
    gbl_Matrix const own[] = {x->A, x->B, x->C, x->big}, other[] = {y->A, y->B, y->C, y->big};
    for (size_t k = 0; k < T_COUNT(own); k++) {
        if (t_nvals(own[k]) == 0 && t_nvals(other[k]) == 0) continue;
        if (k == 3) {
            CHECK(t_nvals(own[k]) == t_nvals(other[k]));
            continue;
        }
        o_Matrix expected = t_dense(other[k]);
        t_expect(what, &expected, own[k], 0);
        o_free(&expected);
    }
    o_Matrix expected = t_dense_vector(y->w);
    t_expect_vector(what, &expected, x->w, 0);
    o_free(&expected);
}

static void set_global(double seconds) {
    OK(gbl_Global_set_FP64(GBL_GLOBAL, seconds, GBL_DEADLINE));
}

/* -- what has no descriptor: only the deadline of the library */

enum { TUPLES = 20000 };

static gbl_Info build(World *x, gbl_Descriptor d) {
    gbl_Index *I = malloc(2 * TUPLES * sizeof *I), *J = I + TUPLES;
    int64_t *X = calloc(TUPLES, sizeof *X);
    t_Random r = t_random(9);
    (void)d;
    for (int k = 0; k < TUPLES; k++) I[k] = t_below(&r, SIDE * SIDE);
    for (int k = 0; k < TUPLES; k++) J[k] = t_below(&r, SIDE * SIDE);
    const gbl_Info info = gbl_Matrix_build_INT64(x->big, I, J, X, TUPLES, GBL_PLUS_INT64);
    free(I);
    free(X);
    return info;
}

static gbl_Info convert(World *x, gbl_Descriptor d) {
    gbl_Index *P = malloc((SIDE + 1 + SIDE * SIDE) * sizeof *P), *I = P + SIDE + 1;
    int64_t *X = malloc(SIDE * SIDE * sizeof *X);
    gbl_Index n[] = {SIDE + 1, SIDE * SIDE, SIDE * SIDE};
    (void)d;
    const gbl_Info info =
        gbl_Matrix_export_INT64(P, I, X, &n[0], &n[1], &n[2], GBL_CSC_FORMAT, x->A);
    free(P);
    free(X);
    return info;
}

static gbl_Info shrink(World *x, gbl_Descriptor d) {
    (void)d;
    return gbl_Matrix_resize(x->C, SIDE / 2, SIDE / 2);
}

static gbl_Info copy_bytes(World *x, gbl_Descriptor d) {
    gbl_Index size = 0;
    gbl_Matrix copy = NULL;
    gbl_Info info = gbl_Matrix_serializeSize(&size, x->A);
    (void)d;
    if (info != GBL_SUCCESS) return info;
    void *bytes = malloc(size);
    info = gbl_Matrix_serialize(bytes, &size, x->A);
    if (info == GBL_SUCCESS) info = gbl_Matrix_deserialize(&copy, GBL_INT64, bytes, size);
    free(bytes);
    if (info == GBL_SUCCESS) FREE(copy);
    return info;
}

/* A file that a cancelled call leaves would be read as what it was before. */
static gbl_Info write_file(World *x, const char *name) {
    char path[64];
    gbl_Matrix back = NULL;
    snprintf(path, sizeof path, "/tmp/test_deadline_%ld.%s", (long)getpid(), name);
    const gbl_Info info = gbl_save(x->A, path);
    set_global(0.0);
    if (info == GBL_SUCCESS) OK(gbl_load(&back, GBL_INT64, path));
    if (info == GBL_SUCCESS) CHECK(t_nvals(back) == t_nvals(x->A));
    CHECK((info == GBL_SUCCESS) == (unlink(path) == 0));
    if (info == GBL_SUCCESS) FREE(back);
    return info;
}

static gbl_Info write_text(World *x, gbl_Descriptor d) {
    (void)d;
    return write_file(x, "mtx");
}

static gbl_Info write_own(World *x, gbl_Descriptor d) {
    (void)d;
    return write_file(x, "gbl");
}

static const Operation plain[] = {{"build", build},     {"conversion", convert},
                                  {"resize", shrink},   {"serialize", copy_bytes},
                                  {"text", write_text}, {"file", write_own}};

/* by_descriptor, or that of the library. The number of calls that were cancelled. */
static int run_late(const Operation *op, bool by_descriptor) {
    World x = world_new(), untouched = world_new(), done = world_new();
    gbl_Descriptor late = NULL;
    int cancelled = 0;
    OK(gbl_Descriptor_new(&late));
    OK(op->run(&done, NULL));
    gbl_Info info = GBL_CANCELLED;
    for (double seconds = 1e-9; info == GBL_CANCELLED && seconds < 100; seconds *= 1.7) {
        t_case("%s within %g s, by %s", op->name, seconds, by_descriptor ? "descriptor" : "global");
        if (by_descriptor)
            OK(gbl_Descriptor_set_FP64(late, seconds, GBL_DEADLINE));
        else
            set_global(seconds);
        info = op->run(&x, by_descriptor ? late : NULL);
        set_global(0.0);
        CHECK(info == GBL_CANCELLED || info == GBL_SUCCESS);
        if (info != GBL_CANCELLED) break;
        cancelled++;
        check_same("what a cancelled call leaves", &x, &untouched);
    }
    check_same("what a call in time gives", &x, &done);
    OK(gbl_Descriptor_free(&late));
    world_free(&x);
    world_free(&untouched);
    world_free(&done);
    return cancelled;
}

DEADLINE_TEST(operations) {
    for (size_t k = 0; k < T_COUNT(operations); k++)
        for (int by_descriptor = 0; by_descriptor < 2; by_descriptor++)
            CHECK(run_late(&operations[k], by_descriptor) > 0);
}

DEADLINE_TEST(what_has_no_descriptor) {
    for (size_t k = 0; k < T_COUNT(plain); k++) CHECK(run_late(&plain[k], false) > 0);
}

DEADLINE_TEST(objects_and_tuples) {
    World x = world_new(), untouched = world_new();
    gbl_Matrix copy = NULL, made = NULL;
    gbl_Index I[] = {5, 1, 3}, J[] = {2, 2, 2};
    const int64_t X[] = {1, 2, 3};
    OK(gbl_Matrix_new(&made, GBL_INT64, SIDE, SIDE));
    set_global(1e-9);
    CHECK(gbl_Matrix_dup(&copy, x.A) == GBL_CANCELLED && copy == NULL);
    CHECK(gbl_Matrix_build_INT64(made, I, J, X, 3, NULL) == GBL_CANCELLED);
    set_global(0.0);
    CHECK(t_nvals(made) == 0);
    OK(gbl_Matrix_build_INT64(made, I, J, X, 3, NULL));
    CHECK(t_nvals(made) == 3);
    OK(gbl_Matrix_dup(&copy, x.A));
    check_same("what cancelled calls leave", &x, &untouched);
    FREE(copy, made);
    world_free(&x);
    world_free(&untouched);
}

DEADLINE_TEST(fields) {
    double seconds = -1;
    gbl_Descriptor desc = NULL;
    OK(gbl_Descriptor_new(&desc));
    OK(gbl_Global_get_FP64(GBL_GLOBAL, &seconds, GBL_DEADLINE));
    CHECK(seconds == 0.0);
    set_global(2.5);
    OK(gbl_Global_get_FP64(GBL_GLOBAL, &seconds, GBL_DEADLINE));
    CHECK(seconds == 2.5);
    CHECK(gbl_Global_set_FP64(GBL_GLOBAL, -1.0, GBL_DEADLINE) == GBL_INVALID_VALUE);
    CHECK(gbl_Global_set_FP64(GBL_GLOBAL, 1.0, GBL_NTHREADS) == GBL_INVALID_VALUE);
    CHECK(gbl_Global_get_FP64(GBL_GLOBAL, &seconds, GBL_NTHREADS) == GBL_INVALID_VALUE);
    set_global(0.0);
    OK(gbl_Descriptor_set_FP64(desc, 1.5, GBL_DEADLINE));
    OK(gbl_Descriptor_get_FP64(desc, &seconds, GBL_DEADLINE));
    CHECK(seconds == 1.5);
    CHECK(gbl_Descriptor_set_FP64(desc, -1.5, GBL_DEADLINE) == GBL_INVALID_VALUE);
    OK(gbl_Descriptor_free(&desc));
}

static bool refuse(void *context, const char *what, double done) {
    (void)context, (void)what, (void)done;
    return false;
}

DEADLINE_TEST(callback) {
    World x = world_new(), untouched = world_new();
    OK(gbl_set_progress(refuse, NULL));
    CHECK(multiply(&x, NULL) == GBL_CANCELLED);
    OK(gbl_set_progress(NULL, NULL));
    check_same("what a cancelled call leaves", &x, &untouched);
    OK(multiply(&x, NULL));
    world_free(&x);
    world_free(&untouched);
}

DEADLINE_TEST(calls_that_are_one) {
    World x = world_new(), untouched = world_new();
    set_global(1e-9);
    gbl_call_begin();
    CHECK(gbl_call_state() == GBL_CANCELLED);
    CHECK(multiply(&x, NULL) == GBL_CANCELLED);
    gbl_call_end();
    set_global(100.0);
    gbl_call_begin();
    OK(gbl_call_state());
    set_global(1e-9); /* of the next */
    OK(multiply(&x, NULL));
    OK(multiply(&untouched, NULL));
    gbl_call_end();
    CHECK(multiply(&x, NULL) == GBL_CANCELLED);
    set_global(0.0);
    check_same("what the calls leave", &x, &untouched);
    world_free(&x);
    world_free(&untouched);
}
