/* SPDX-License-Identifier: Apache-2.0
 *
 * Vectors on the GPU: products by push and pull against the oracle, for every semiring that has
 * kernels and shapes across warps and blocks; what is written under masks; transfers, which are
 * counted; and what happens where memory is short. Steps that fail: test_cuda_written.
 */
#include "cuda/cuda_test.h"
#include "kernel_api/device.h"
#include "support/product.h"

#include <string.h>

#include "../examples/bfs.h"
#include "../examples/pagerank.h"

static gb_DeviceFacts moved(void) {
    gb_DeviceFacts facts;
    gb_device()->facts(&facts);
    return facts;
}

static unsigned vector_formats_of(gbl_Vector v) {
    gbl_Formats formats;
    OK(gbl_Vector_formats(&formats, v));
    return formats.present;
}

/* Both hold the same entries. */
static void expect_same(gbl_Vector u, gbl_Vector v, double tolerance) {
    gbl_Index n, nu, nv;
    OK(gbl_Vector_size(&n, u));
    OK(gbl_Vector_nvals(&nu, u));
    OK(gbl_Vector_nvals(&nv, v));
    CHECK_EQ(nu, nv);
    for (gbl_Index k = 0; k < n; k++) {
        double x = 0, y = 0;
        const gbl_Info info = gbl_Vector_extractElement_FP64(&x, u, k);
        CHECK_EQ(gbl_Vector_extractElement_FP64(&y, v, k), info);
        CHECK(x - y <= tolerance && y - x <= tolerance);
    }
}

/* -- products */

/* rows of a warp and one more, of a block and one more; short, shared and long ones */
static const t_Shape shapes[] = {
    {33, 20, 1, T_RANDOM, T_RANDOM, 0.2, 0.4, 0.4},
    {257, 40, 1, T_RANDOM, T_FULL, 0.1, 1, 0.3},
    {31, 70, 1, T_FULL_ROW, T_RANDOM, 0.1, 0.3, 0.5},
    {64, 300, 1, T_FULL_ROW, T_FULL, 0.05, 1, 0.5},
    {300, 64, 1, T_FULL_COLUMN, T_RANDOM, 0.05, 0.1, 0.2},
};

static t_ProductCase vector_case(t_Kind kind, const t_Ring *entry, const o_Ring *ring, unsigned f) {
    t_ProductCase of = {.kind = kind,
                        .name = entry->name,
                        .ring = ring,
                        .accum = t_some_accum(ring->add.z.code, 0),
                        .c = ring->add.z,
                        .a = ring->multiply.x,
                        .b = ring->multiply.y,
                        .mask = o_type(t_types[f % T_COUNT(t_types)]),
                        .shape = shapes[f % T_COUNT(shapes)],
                        .flags = t_flags(f * 7 % T_FLAGS_ALL)};
    of.flags.method = f % 2 ? GBL_METHOD_PUSH : GBL_METHOD_PULL;
    of.flags.tran0 = of.flags.tran0 && kind == T_MXV;
    of.flags.tran1 = of.flags.tran1 && kind == T_VXM;
    if (kind == T_MXV) return of;
    const t_Shape s = of.shape;
    const t_Pattern turned = s.a == T_FULL_ROW ? T_FULL_COLUMN : T_RANDOM;
    of.shape = (t_Shape){1, s.inner, s.rows, s.b, turned, s.db, s.da, s.dc};
    return of;
}

CUDA_TEST(cuda_vectors, every_semiring) {
    size_t kernels = 0, ran = 0; /* of products, on the device */
    for (size_t k = 0; k < t_ring_count; k++) {
        const o_Ring ring = t_ring(&t_rings[k]);
        if (!cuda_has_kernel(&t_rings[k])) continue;
        kernels++;
        for (unsigned f = 0; f < 4; f++) {
            const unsigned n = (unsigned)(5 * k) + f;
            t_ProductCase of = vector_case(f / 2 ? T_MXV : T_VXM, &t_rings[k], &ring, n);
            of.seed = n;
            of.iso = n % 5 == 0;
            of.wild = t_rings[k].type != GBL_FP32_CODE && t_rings[k].type != GBL_FP64_CODE;
            cuda_seed(n);
            const uint64_t before = moved().bytes_up;
            t_product(&of);
            ran += moved().bytes_up > before;
        }
    }
    CHECK(kernels >= 27);
    CHECK(t_samples() || ran > 2 * kernels); /* some masks let nothing through */
}

/* A row that gets a block, one that gets a warp, and one that a lane walks. */
CUDA_TEST(cuda_vectors, long_rows) {
    enum { LONG = 9000 };
    const gbl_Semiring rings[] = {GBL_PLUS_TIMES_SEMIRING_INT64, GBL_ANY_PAIR_SEMIRING_BOOL};
    const gbl_Type types[] = {GBL_INT64, GBL_BOOL};
    for (size_t k = 0; k < T_COUNT(rings); k++) {
        gbl_Matrix A = NULL;
        gbl_Vector u = NULL, w[2] = {NULL, NULL};
        OK(gbl_Matrix_new(&A, types[k], 40, LONG));
        OK(gbl_Vector_new(&u, types[k], LONG));
        for (gbl_Index j = 0; j < LONG; j++) {
            OK(gbl_Matrix_setElement_INT32(A, (int)(j % 5), 3, j));
            if (j % 7 == 0) OK(gbl_Matrix_setElement_INT32(A, 1, 39, j));
            if (j % 90 == 0) OK(gbl_Matrix_setElement_INT32(A, 2, 38, j));
            if (j % 1000 == 0) OK(gbl_Matrix_setElement_INT32(A, 2, 5 + j / 1000, j));
            if (j % 11 != 0) OK(gbl_Vector_setElement_INT32(u, 1 + (int)(j % 3), j));
        }
        for (int at = 0; at < 2; at++) {
            OK(gbl_Vector_new(&w[at], types[k], 40));
            set_place(at == 0 ? GBL_PLACE_CPU : GBL_PLACE_GPU);
            OK(gbl_mxv(w[at], NULL, NULL, rings[k], A, u, NULL));
        }
        CHECK_EQ(vector_formats_of(w[1]), GBL_HAS_DEVICE);
        expect_same(w[0], w[1], 0);
        for (int at = 0; at < 2; at++) OK(gbl_Vector_free(&w[at]));
        OK(gbl_Vector_free(&u));
        OK(gbl_Matrix_free(&A));
    }
}

/* -- searches */

/* A directed graph of n vertices with about `degree` edges each, and a hub of n / 8. */
static gbl_Matrix graph(gbl_Index n, unsigned degree, gbl_Type type) {
    gbl_Matrix A = NULL;
    t_Random r = t_random(n);
    OK(gbl_Matrix_new(&A, type, n, n));
    for (gbl_Index e = 0; e < degree * n; e++)
        OK(gbl_Matrix_setElement_INT32(A, 1, t_below(&r, n), t_below(&r, n)));
    for (gbl_Index k = 0; k < n; k += 8) OK(gbl_Matrix_setElement_INT32(A, 1, n / 2, k));
    OK(gbl_Matrix_wait(A, GBL_COMPLETE));
    return A;
}

/* What each step of a search has moved. */
typedef struct {
    gb_DeviceFacts before;
    int64_t steps;
    uint64_t up, down;
#ifndef GB_TEST_ON_GPU
    cuda_on_cpu_Counts counts;
#endif
} search;

/* What a step may ask of the device: two writes, facts, and a product. Numbers alone come home. */
static void check_budget(search *s, bool counted) {
#ifndef GB_TEST_ON_GPU
    const cuda_on_cpu_Counts now = cuda_on_cpu_counts();
    if (counted) {
        CHECK(now.launches - s->counts.launches <= 14);
        CHECK(now.synchronisations - s->counts.synchronisations <= 5 || s->up > 0);
        CHECK(now.bytes_home - s->counts.bytes_home <= 48);
    }
    s->counts = now;
#else
    (void)s, (void)counted;
#endif
}

static void note_step(void *context, int64_t depth, gbl_Index found, const gbl_Explanation *how) {
    search *s = context;
    const gb_DeviceFacts now = moved();
    (void)found;
    CHECK_EQ(strcmp(how->place, "gpu"), 0);
    if (depth > 1) {
        s->up += now.bytes_up - s->before.bytes_up;
        s->down += now.bytes_down - s->before.bytes_down;
    }
    check_budget(s, depth > 1);
    s->before = now;
    s->steps = depth;
}

/* The parents are edges from the level before. */
static void check_parents(gbl_Vector level, gbl_Vector parent, gbl_Matrix A) {
    gbl_Index n;
    OK(gbl_Vector_size(&n, level));
    for (gbl_Index k = 0; k < n; k++) {
        int32_t l, p, of_p, edge;
        if (gbl_Vector_extractElement_INT32(&l, level, k) != GBL_SUCCESS || l == 0) continue;
        OK(gbl_Vector_extractElement_INT32(&p, parent, k));
        OK(gbl_Vector_extractElement_INT32(&of_p, level, (gbl_Index)p));
        OK(gbl_Matrix_extractElement_INT32(&edge, A, (gbl_Index)p, k));
        CHECK_EQ(of_p, l - 1);
    }
}

/* Both ways, by the rule of the host: with and without a copy of the graph by columns. */
CUDA_TEST(cuda_vectors, search) {
    for (int both = 0; both < 2; both++) {
        gbl_Matrix A = graph(500, 2, GBL_BOOL);
        gbl_Vector level[2] = {NULL, NULL}, parent[2] = {NULL, NULL};
        search s = {.steps = 0};
        gbl_Index edges = 0;
        if (both) { /* somebody has read it by columns */
            gbl_Vector degrees = NULL;
            OK(gbl_Vector_new(&degrees, GBL_INT64, 500));
            OK(gbl_Matrix_reduce_Monoid(degrees, NULL, NULL, GBL_PLUS_MONOID_INT64, A,
                                        GBL_DESC_T0));
            OK(gbl_Vector_free(&degrees));
        }
        set_place(GBL_PLACE_CPU);
        OK(bfs(&level[0], &parent[0], A, 250, NULL, NULL));
        set_place(GBL_PLACE_GPU);
        OK(bfs(&level[1], &parent[1], A, 250, note_step, &s));
        CHECK(s.steps > 3);
        OK(gbl_Matrix_nvals(&edges, A));
        /* its columns, once they repay being made */
        CHECK(s.up == 0 || (!both && s.up == 8 * (500 + 1) + 4 * edges));
        CHECK_EQ(s.down, 0);
        CHECK_EQ(vector_formats_of(level[1]), GBL_HAS_DEVICE);
        CHECK_EQ(vector_formats_of(parent[1]), GBL_HAS_DEVICE);
        expect_same(level[0], level[1], 0);
        check_parents(level[1], parent[1], A);
        for (int k = 0; k < 2; k++) {
            OK(gbl_Vector_free(&level[k]));
            OK(gbl_Vector_free(&parent[k]));
        }
        OK(gbl_Matrix_free(&A));
    }
}

/* Ranks stay there: from the third step on nothing is moved, so that a longer run moves no more. */
CUDA_TEST(cuda_vectors, ranks) {
    gbl_Matrix A = graph(300, 3, GBL_BOOL);
    gbl_Vector rank[3] = {NULL, NULL, NULL};
    uint64_t up[3] = {0, 0, 0};
    for (int k = 0; k < 3; k++) {
        pagerank_options options = {.damping = 0.85, .tolerance = 0, .steps = k == 1 ? 6 : 12};
        set_place(k == 0 ? GBL_PLACE_CPU : GBL_PLACE_GPU);
        const gb_DeviceFacts before = moved();
        OK(pagerank(&rank[k], A, &options));
        up[k] = moved().bytes_up - before.bytes_up;
        CHECK_EQ(moved().bytes_down, before.bytes_down);
        if (k > 0) CHECK_EQ(vector_formats_of(rank[k]), GBL_HAS_DEVICE);
    }
    CHECK_EQ(up[0], 0);
    CHECK(up[1] > 0);
    CHECK(up[2] <= up[1]); /* the graph is there already */
    expect_same(rank[0], rank[2], 1e-12);
    for (int k = 0; k < 3; k++) OK(gbl_Vector_free(&rank[k]));
    OK(gbl_Matrix_free(&A));
}

/* -- what stays where */

/* A vector of n INT64, of which every third has none, on the device and nowhere else. */
static gbl_Vector left_there(gbl_Index n) {
    gbl_Vector u = NULL, w = NULL;
    OK(gbl_Vector_new(&u, GBL_INT64, n));
    OK(gbl_Vector_new(&w, GBL_INT64, n));
    for (gbl_Index k = 0; k < n; k++)
        if (k % 3) OK(gbl_Vector_setElement_INT64(u, (int64_t)k, k));
    OK(gbl_Vector_apply(w, NULL, NULL, GBL_IDENTITY_INT64, u, NULL));
    CHECK_EQ(vector_formats_of(w), GBL_HAS_DEVICE);
    OK(gbl_Vector_free(&u));
    return w;
}

static void check_left(gbl_Vector w, gbl_Index n) {
    for (gbl_Index k = 0; k < n; k++) {
        int64_t x = -1;
        const gbl_Info info = gbl_Vector_extractElement_INT64(&x, w, k);
        CHECK_EQ(info, k % 3 ? GBL_SUCCESS : GBL_NO_VALUE);
        CHECK(k % 3 == 0 || x == (int64_t)k);
    }
}

/* Sums, counts and copies do not move it; entries bring it home. */
CUDA_TEST(cuda_vectors, until_somebody_looks) {
    gbl_Vector w = left_there(100), copy = NULL;
    gbl_Index nvals = 0;
    int64_t sum = 0;
    const uint64_t down = moved().bytes_down;
    OK(gbl_Vector_nvals(&nvals, w));
    OK(gbl_Vector_reduce_INT64(&sum, NULL, GBL_PLUS_MONOID_INT64, w, NULL));
    OK(gbl_Vector_dup(&copy, w));
    OK(gbl_Vector_wait(w, GBL_COMPLETE));
    CHECK_EQ(nvals, 66);
    CHECK_EQ(sum, 99 * 100 / 2 - 3 * (33 * 34 / 2));
    CHECK_EQ(vector_formats_of(copy), GBL_HAS_DEVICE);
    CHECK_EQ(vector_formats_of(w), GBL_HAS_DEVICE);
    CHECK_EQ(moved().bytes_down, down);
    check_left(w, 100);
    CHECK_EQ(vector_formats_of(w), GBL_HAS_BITMAP);
    OK(gbl_Vector_wait(copy, GBL_MATERIALIZE));
    CHECK(vector_formats_of(copy) != GBL_HAS_DEVICE);
    check_left(copy, 100);
    OK(gbl_Vector_setElement_INT64(w, 3, 3));
    OK(gbl_Vector_removeElement(w, 3));
    check_left(w, 100);
    OK(gbl_Vector_clear(copy));
    OK(gbl_Vector_free(&copy));
    OK(gbl_Vector_free(&w));
}

/* Vectors that are nowhere else make room, and come back. */
CUDA_TEST(cuda_vectors, make_room) {
    enum { MANY = 5, N = 600 };
    gbl_Vector v[MANY], sum = NULL;
    int64_t peak = 0;
    v[0] = left_there(N);
    OK(gbl_Global_get_INT64(GBL_GLOBAL, &peak, GBL_DEVICE_BYTES_PEAK));
    OK(gbl_Global_set_INT64(GBL_GLOBAL, peak + peak / 2, GBL_DEVICE_MEMORY_LIMIT));
    const uint64_t down = moved().bytes_down;
    for (int k = 1; k < MANY; k++) v[k] = left_there(N);
    CHECK(moved().bytes_down > down);
    OK(gbl_Vector_new(&sum, GBL_INT64, N));
    OK(gbl_Vector_eWiseAdd_BinaryOp(sum, NULL, NULL, GBL_MIN_INT64, v[0], v[1], NULL));
    check_left(sum, N);
    for (int k = 0; k < MANY; k++) {
        CHECK_EQ(vector_formats_of(v[k]), GBL_HAS_DEVICE);
        check_left(v[k], N);
        OK(gbl_Vector_free(&v[k]));
    }
    OK(gbl_Vector_free(&sum));
    OK(gbl_Global_set_INT64(GBL_GLOBAL, 0, GBL_DEVICE_MEMORY_LIMIT));
}

/* What has no kernel brings content home, and says so, once. */
CUDA_TEST(cuda_vectors, without_a_kernel) {
    gbl_Vector u = left_there(50), w = NULL;
    gbl_Matrix A = graph(50, 2, GBL_INT64);
    gbl_Explanation why = GBL_EXPLANATION_INIT;
    OK(gbl_Vector_new(&w, GBL_INT64, 50));
    OK(gbl_mxv(w, NULL, NULL, GBL_MAX_FIRST_SEMIRING_INT64, A, u, NULL));
    OK(gbl_Vector_explain(&why, w));
    cr_assert_str_eq(why.place, "cpu");
    CHECK(strstr(why.place_reason, "no kernel") != NULL);
    CHECK(why.bytes_from_device > 0);
    CHECK(vector_formats_of(u) != GBL_HAS_DEVICE);
    OK(gbl_mxv(w, NULL, NULL, GBL_MAX_FIRST_SEMIRING_INT64, A, u, NULL));
    OK(gbl_Vector_explain(&why, w));
    CHECK_EQ(why.bytes_from_device, 0); /* it is at home */
    OK(gbl_mxv(w, NULL, NULL, GBL_PLUS_TIMES_SEMIRING_INT64, A, u, NULL));
    OK(gbl_Vector_explain(&why, w));
    cr_assert_str_eq(why.place, "gpu");
    cr_assert_str_eq(why.isa, "cuda");
    OK(gbl_Matrix_free(&A));
    OK(gbl_Vector_free(&u));
    OK(gbl_Vector_free(&w));
}

/* -- a walk over operations */

enum { VECTORS = 4, LENGTH = 75, STEPS = 60 };

/* The same vectors, at both places. */
typedef struct {
    gbl_Vector v[2][VECTORS];
    gbl_Matrix A;
    gbl_Type type;
    gbl_BinaryOp op[6];
    gbl_Semiring ring;
    gbl_UnaryOp unary;
    gbl_IndexUnaryOp select;
} walk;

#define WALK(N, RING, UNARY)                                                                       \
    {                                                                                              \
        .type = GBL_##N, .op = {GBL_PLUS_##N,   GBL_MIN_##N,   GBL_MAX_##N,                        \
                                GBL_SECOND_##N, GBL_FIRST_##N, GBL_MINUS_##N},                     \
        .ring = RING, .unary = UNARY, .select = GBL_VALUEGE_##N                                    \
    }

static gbl_Descriptor some_descriptor(t_Random *r) {
    const gbl_Descriptor all[] = {NULL,       GBL_DESC_S,  GBL_DESC_C,  GBL_DESC_SC,
                                  GBL_DESC_R, GBL_DESC_RS, GBL_DESC_RC, GBL_DESC_RSC};
    return all[t_below(r, T_COUNT(all))];
}

/* One operation with the arguments that r says; the same r makes the same call. */
static gbl_Info walk_step(walk *o, gbl_Vector *v, t_Random *r) {
    const gbl_Vector w = v[t_below(r, VECTORS)], u = v[t_below(r, VECTORS)];
    const gbl_Vector x = v[t_below(r, VECTORS)], m = t_below(r, 2) ? v[t_below(r, VECTORS)] : NULL;
    const gbl_Descriptor desc = some_descriptor(r);
    const gbl_BinaryOp accum = t_below(r, 3) ? NULL : o->op[t_below(r, 3)];
    const gbl_BinaryOp op = o->op[t_below(r, 6)];
    const int value = (int)t_below(r, 5);
    switch (t_below(r, 11)) {
    case 0:
        return gbl_Vector_assign_INT32(w, m, accum, value, GBL_ALL, LENGTH, desc);
    case 1:
        return gbl_Vector_assign(w, m, accum, u, GBL_ALL, LENGTH, desc);
    case 2:
        return gbl_Vector_eWiseAdd_BinaryOp(w, m, accum, op, u, x, desc);
    case 3:
        return gbl_Vector_eWiseMult_BinaryOp(w, m, accum, op, u, x, desc);
    case 4:
        return gbl_Vector_apply(w, m, accum, o->unary, u, desc);
    case 5:
        return gbl_Vector_apply_BinaryOp1st_INT32(w, m, accum, op, value, u, desc);
    case 6:
        return gbl_Vector_select_INT32(w, m, accum, o->select, u, value, desc);
    case 7:
        return gbl_vxm(w, m, accum, o->ring, u, o->A, desc);
    case 8:
        return gbl_mxv(w, m, accum, o->ring, o->A, u, desc);
    case 9:
        return gbl_Vector_setElement_INT32(w, value, t_below(r, LENGTH));
    default:
        return t_below(r, 4) ? GBL_SUCCESS : gbl_Vector_clear(w);
    }
}

static void walk_once(walk *o, uint64_t seed) {
    t_Random content = t_random(seed);
    o->A = graph(LENGTH, 4, o->type);
    for (int k = 0; k < VECTORS; k++) {
        OK(gbl_Vector_new(&o->v[0][k], o->type, LENGTH));
        for (int e = 0; e < k * k * 8; e++)
            OK(gbl_Vector_setElement_INT32(o->v[0][k], (int)t_below(&content, 5),
                                           t_below(&content, LENGTH)));
        OK(gbl_Vector_dup(&o->v[1][k], o->v[0][k]));
    }
    for (uint64_t step = 0; step < STEPS; step++) {
        gbl_Info info[2];
        for (int at = 0; at < 2; at++) {
            t_Random r = t_random(1000 * seed + step);
            t_case("seed %d, step %d, %s", (int)seed, (int)step, at ? "gpu" : "cpu");
            set_place(at == 0 ? GBL_PLACE_CPU : GBL_PLACE_GPU);
            cuda_seed(step);
            info[at] = walk_step(o, o->v[at], &r);
        }
        CHECK_EQ(info[0], info[1]);
        if (step % 4 != 3) continue; /* meanwhile contents stay where they are */
        for (int k = 0; k < VECTORS; k++) {
            gbl_Vector copy = NULL;
            OK(gbl_Vector_dup(&copy, o->v[1][k]));
            expect_same(o->v[0][k], step % 8 == 3 ? copy : o->v[1][k], 0);
            OK(gbl_Vector_free(&copy));
        }
    }
    for (int k = 0; k < VECTORS; k++) {
        OK(gbl_Vector_free(&o->v[0][k]));
        OK(gbl_Vector_free(&o->v[1][k]));
    }
    OK(gbl_Matrix_free(&o->A));
}

CUDA_TEST(cuda_vectors, walks) {
    walk all[] = {WALK(INT64, GBL_MIN_PLUS_SEMIRING_INT64, GBL_AINV_INT64),
                  WALK(FP64, GBL_MIN_PLUS_SEMIRING_FP64, GBL_ABS_FP64),
                  WALK(INT32, GBL_PLUS_TIMES_SEMIRING_INT32, GBL_BNOT_INT32),
                  WALK(BOOL, GBL_LOR_LAND_SEMIRING_BOOL, GBL_LNOT),
                  WALK(INT16, GBL_PLUS_TIMES_SEMIRING_INT16, GBL_AINV_INT16)}; /* comes home */
    for (size_t k = 0; k < T_COUNT(all); k++)
        for (uint64_t seed = 1; seed <= 3; seed++)
            if (!t_left_out()) walk_once(&all[k], seed);
}
