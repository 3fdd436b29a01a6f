/* SPDX-License-Identifier: Apache-2.0
 *
 * Explanations as text and as JSON: every field of the struct comes out of the JSON as it went in,
 * whatever was multiplied and how; texts hold what they must; buffers and strings of every kind.
 */
#include "explain_forms.h"

/* -- products ---------------------------------------------------------------------------------- */

static gbl_Matrix random_matrix(gbl_Index n, unsigned degree, uint64_t seed) {
    t_Random r = t_random(seed);
    gbl_Matrix A = t_new_matrix(GBL_FP64, n, n);
    for (gbl_Index i = 0; i < n; i++)
        for (unsigned k = 0; k < degree; k++)
            OK(gbl_Matrix_setElement_FP64(A, 1.0 + (double)t_below(&r, 9), i, t_below(&r, n)));
    OK(gbl_Matrix_wait(A, GBL_MATERIALIZE));
    return A;
}

/* Blocks of 16 x 16 on the diagonal, full. */
static gbl_Matrix blocks(gbl_Index n) {
    gbl_Matrix A = t_new_matrix(GBL_FP64, n, n);
    for (gbl_Index i = 0; i < n; i++)
        for (gbl_Index j = i / 16 * 16; j < i / 16 * 16 + 16 && j < n; j++)
            OK(gbl_Matrix_setElement_FP64(A, 1.0, i, j));
    return A;
}

typedef struct {
    gbl_Matrix A, M;
    gbl_BinaryOp accum;
    gbl_Semiring ring;
    gbl_Desc_Value method, workflow;
    bool complement;
    bool limited; /* with as little memory as it can do with */
} Job;

typedef struct {
    const Job *job;
    gbl_Matrix C;
    gbl_Descriptor desc;
} Product;

static gbl_Info multiply(void *context) {
    const Product *p = context;
    const Job *job = p->job;
    return gbl_mxm(p->C, job->M, job->accum, job->ring, job->A, job->A, p->desc);
}

/* Explains the product and its plan, and checks both; what the product was is left in *how. */
static void explain(gbl_Explanation *how, const Job *job) {
    gbl_Descriptor desc = NULL;
    gbl_Explanation plan = GBL_EXPLANATION_INIT;
    const gbl_Index n = t_nrows(job->A);
    gbl_Matrix C = t_new_matrix(GBL_FP64, n, n);
    OK(gbl_Descriptor_new(&desc));
    OK(gbl_Descriptor_set(desc, GBL_METHOD, job->method));
    OK(gbl_Descriptor_set(desc, GBL_WORKFLOW, job->workflow));
    OK(gbl_Descriptor_set(desc, GBL_MASK, job->complement ? GBL_COMP_STRUCTURE : GBL_STRUCTURE));
    Product p = {job, C, desc};
    const int64_t limit = job->limited ? t_with_least_memory(multiply, &p) : 0;
    if (job->limited) OK(gbl_Matrix_clear(C));
    OK(gbl_Global_set_INT64(GBL_GLOBAL, limit, GBL_MEMORY_LIMIT));
    OK(gbl_mxm_plan(&plan, C, job->M, job->accum, job->ring, job->A, job->A, desc));
    OK(multiply(&p));
    OK(gbl_Global_set_INT64(GBL_GLOBAL, 0, GBL_MEMORY_LIMIT));
    OK(gbl_Matrix_explain(how, C));
    CHECK(plan.seconds_kernel == 0.0);
    check(&plan);
    check(how);
    FREE(C, desc);
}

GB_TEST(explain, every_method_and_workflow) {
    static const struct {
        gbl_Desc_Value method, workflow;
        const char *name, *way;
    } cases[] = {
        {GBL_METHOD_ROWWISE, GBL_WORKFLOW_UPPER_BOUND, "rowwise", "upper bound"},
        {GBL_METHOD_ROWWISE, GBL_WORKFLOW_ESTIMATE, "rowwise", "estimate"},
        {GBL_METHOD_ROWWISE, GBL_WORKFLOW_SYMBOLIC, "rowwise", "symbolic"},
        {GBL_METHOD_OUTER, GBL_DEFAULT, "outer", "slices"},
        {GBL_METHOD_TILED, GBL_DEFAULT, "tiled", "tiles"},
        {GBL_METHOD_VECTOR, GBL_DEFAULT, "vector", "h-hash-256/256"},
        {GBL_METHOD_PANEL, GBL_WORKFLOW_AS_THEY_ARE, "panel", "rows"},
        {GBL_METHOD_PANEL, GBL_WORKFLOW_GROUPED, "panel", "grouped rows"},
        {GBL_METHOD_DOT, GBL_DEFAULT, "dot", "mask"},
    };
    gbl_Matrix A = random_matrix(600, 12, 1), M = random_matrix(600, 2, 2);
    for (size_t k = 0; k < T_COUNT(cases); k++) {
        gbl_Explanation how = GBL_EXPLANATION_INIT;
        const Job job = {.A = A,
                         .M = cases[k].method == GBL_METHOD_DOT ? M : NULL,
                         .ring = GBL_PLUS_TIMES_SEMIRING_FP64,
                         .method = cases[k].method,
                         .workflow = cases[k].workflow};
        explain(&how, &job);
        t_case("%s, %s", cases[k].name, cases[k].way);
        CHECK(strcmp(how.method, cases[k].name) == 0 && strcmp(how.workflow, cases[k].way) == 0);
        CHECK(how.forced && strstr(how.reason, "asked for") != NULL);
        char *text = written(gbl_Explanation_text, &how);
        CHECK(tells(text, &how.candidates[how.chosen], true));
        CHECK(has_line(text, "  (> chosen, as asked for;", ""));
        free(text);
    }
    FREE(A, M);
}

/* Facts of rows, counted here a second time. */
GB_TEST(explain, lengths_of_rows) {
    enum { N = 600 };
    gbl_Matrix A = random_matrix(N, 12, 3);
    gbl_Explanation how = GBL_EXPLANATION_INIT;
    explain(&how, &(Job){.A = A, .ring = GBL_PLUS_TIMES_SEMIRING_FP64});
    o_Matrix D = t_dense(A);
    uint64_t longest = 0, used = 0;
    double sum = 0.0, squares = 0.0;
    for (gbl_Index i = 0; i < N; i++) {
        uint64_t length = 0;
        for (gbl_Index j = 0; j < N; j++) length += D.x[i * N + j].has;
        longest = length > longest ? length : longest;
        used += length > 0;
        sum += (double)length;
        squares += (double)length * (double)length;
    }
    CHECK_EQ(how.longest_a, longest);
    CHECK_EQ(how.longest_b, longest);
    CHECK_EQ(how.rows_used_a, used);
    CHECK_EQ(how.rows_used_b, used);
    const double mean = sum / N, spread = sqrt(squares / N - mean * mean) / mean;
    CHECK(fabs(how.spread_a - spread) < 1e-9 && fabs(how.spread_b - spread) < 1e-9);
    FREE(D, A);
}

/* The reason why a candidate is not possible, or "". */
static const char *why_not(const gbl_Explanation *how, const char *method, const char *workflow) {
    for (int w = 0; w < how->ncandidates; w++)
        if (strcmp(how->candidates[w].method, method) == 0 &&
            strcmp(how->candidates[w].workflow, workflow) == 0)
            return how->candidates[w].why_not != NULL ? how->candidates[w].why_not : "";
    CHECK(false);
    return "";
}

static void plus(void *z, const void *x, const void *y) {
    *(double *)z = *(const double *)x + *(const double *)y;
}

static gbl_Semiring user_ring(gbl_BinaryOp *op, gbl_Monoid *add) {
    gbl_Semiring ring = NULL;
    OK(gbl_BinaryOp_new(op, plus, GBL_FP64, GBL_FP64, GBL_FP64));
    OK(gbl_Monoid_new_FP64(add, *op, 0.0));
    OK(gbl_Semiring_new(&ring, *add, GBL_TIMES_FP64));
    return ring;
}

GB_TEST(explain, every_reason_against_a_way) {
    gbl_Matrix A = random_matrix(600, 12, 4), M = random_matrix(600, 2, 5);
    gbl_BinaryOp op = NULL;
    gbl_Monoid add = NULL;
    gbl_Semiring user = user_ring(&op, &add), ring = GBL_PLUS_TIMES_SEMIRING_FP64;
    const struct {
        const char *method, *workflow, *why;
        Job job;
    } cases[] = {
        {"dot", "mask", "mask that is not complemented", {.A = A, .ring = ring}},
        {"dot", "mask", "not complemented", {.A = A, .M = M, .ring = ring, .complement = true}},
        {"spmm", "B full", "a full B", {.A = A, .ring = ring}},
        {"tiled", "tiles", "another method", {.A = A, .ring = ring, .method = GBL_METHOD_OUTER}},
        {"rowwise",
         "estimate",
         "another workflow",
         {.A = A, .ring = ring, .workflow = GBL_WORKFLOW_SYMBOLIC}},
        {"outer",
         "slices",
         "no workflows",
         {.A = A, .ring = ring, .workflow = GBL_WORKFLOW_SYMBOLIC}},
        {"outer", "slices", "mask spares rowwise", {.A = A, .M = M, .ring = ring}},
        {"tiled", "tiles", "mask spares rowwise and dot", {.A = A, .M = M, .ring = ring}},
        {"tiled", "tiles", "accumulate", {.A = A, .ring = ring, .accum = GBL_PLUS_FP64}},
        {"tiled", "tiles", "user-defined", {.A = A, .ring = user}},
        {"tiled", "tiles", "GBLITE_MEMORY_LIMIT", {.A = A, .ring = ring, .limited = true}},
        {"rowwise", "estimate", "nothing was sampled", {.A = A, .M = M, .ring = ring}},
    };
    for (size_t k = 0; k < T_COUNT(cases); k++) {
        gbl_Explanation how = GBL_EXPLANATION_INIT;
        explain(&how, &cases[k].job);
        t_case("%zu: %s: %s", k, cases[k].method, cases[k].why);
        CHECK(strstr(why_not(&how, cases[k].method, cases[k].workflow), cases[k].why) != NULL);
    }
    FREE(user, add, op, A, M);
}

GB_TEST(explain, tiles_that_stay_and_slices) {
    gbl_Matrix A = blocks(160);
    gbl_Explanation how = GBL_EXPLANATION_INIT;
    Job job = {.A = A, .ring = GBL_PLUS_TIMES_SEMIRING_FP64, .method = GBL_METHOD_TILED};
    explain(&how, &job);
    CHECK(fabs(how.fill_a - 256.0) < 1.0 && how.tile_pairs > 0.0);
    job.limited = true;
    explain(&how, &job);
    CHECK(how.slices > 1 && how.candidates[how.chosen].slices > 1);
    char *text = written(gbl_Explanation_text, &how);
    CHECK(has_line(text, "  slices ", ""));
    free(text);
    /* a factor that is held as tiles and nothing else: nothing is counted */
    gbl_Matrix T = t_new_matrix(GBL_FP64, 160, 160);
    gbl_Descriptor desc = NULL;
    OK(gbl_Descriptor_new(&desc));
    OK(gbl_Descriptor_set(desc, GBL_METHOD, GBL_METHOD_TILED));
    OK(gbl_mxm(T, NULL, NULL, job.ring, A, A, desc));
    explain(&how, &(Job){.A = T, .ring = job.ring, .method = GBL_METHOD_TILED});
    CHECK_EQ(how.formats_a, GBL_HAS_TILE16);
    text = written(gbl_Explanation_text, &how);
    CHECK(has_line(text, "  flops ", "not counted") && has_line(text, "  A ", "tiles"));
    free(text);
    FREE(desc, A, T);
}

/* The operation, its operands' counts, both forms; a vector that meets nothing has no candidates.
 */
GB_TEST(explain, vectors_and_empty_factors) {
    gbl_Matrix A = random_matrix(300, 6, 6), E = NULL;
    gbl_Explanation how = GBL_EXPLANATION_INIT;
    gbl_Vector u = t_new_vector(GBL_FP64, 300), w = t_new_vector(GBL_FP64, 300);
    OK(gbl_mxv(w, NULL, NULL, GBL_PLUS_TIMES_SEMIRING_FP64, A, u, NULL));
    OK(gbl_Vector_explain(&how, w));
    CHECK(how.ncandidates == 0 && strstr(how.reason, "empty") != NULL);
    check(&how);
    OK(gbl_Vector_setElement_FP64(u, 1.0, 7));
    OK(gbl_mxv(w, NULL, NULL, GBL_PLUS_TIMES_SEMIRING_FP64, A, u, NULL));
    OK(gbl_Vector_explain(&how, w));
    CHECK(how.ncandidates == 2 && how.nnz_b == 1 && how.nrows == 300 && how.ncols == 1);
    CHECK(strcmp(how.method, "pull") == 0 && strstr(why_not(&how, "push", "one pass"), "columns"));
    check(&how);
    OK(gbl_vxm(w, NULL, NULL, GBL_PLUS_TIMES_SEMIRING_FP64, u, A, NULL));
    OK(gbl_Vector_explain(&how, w));
    CHECK(how.nnz_a == 1 && how.nrows == 1 && how.ncols == 300 && strcmp(how.method, "push") == 0);
    CHECK(strstr(how.reason, "push: the fastest") != NULL);
    check(&how);
    OK(gbl_Matrix_new(&E, GBL_FP64, 300, 300));
    explain(&how, &(Job){.A = E, .ring = GBL_PLUS_TIMES_SEMIRING_FP64});
    CHECK(how.ncandidates == 0 && strstr(how.reason, "empty") != NULL);
    FREE(A, E, u, w);
}

/* Where it ran, or why not on a GPU, is told whether there is one or not. */
GB_TEST(explain, places) {
    static const int32_t places[] = {GBL_PLACE_CPU, GBL_PLACE_AUTO};
    gbl_Matrix A = random_matrix(50, 4, 9);
    for (size_t k = 0; k < T_COUNT(places); k++) {
        gbl_Explanation how = GBL_EXPLANATION_INIT;
        OK(gbl_Global_set_INT32(GBL_GLOBAL, places[k], GBL_PLACE));
        explain(&how, &(Job){.A = A, .ring = GBL_PLUS_TIMES_SEMIRING_FP64});
        char *text = written(gbl_Explanation_text, &how);
        t_case("place %zu: %s", k, text);
        CHECK(strcmp(how.place, "cpu") == 0 || (k > 0 && strcmp(how.place, "gpu") == 0));
        CHECK(how.place_reason[0] != '\0' && has_line(text, "  place ", how.place_reason));
        free(text);
    }
    OK(gbl_Global_set_INT32(GBL_GLOBAL, GBL_PLACE_DEFAULT, GBL_PLACE));
    OK(gbl_Matrix_free(&A));
}

/* -- what callers may pass --------------------------------------------------------------------- */

static void try_buffers(Form *form, const gbl_Explanation *how) {
    char *text = written(form, how);
    const size_t needed = strlen(text) + 1;
    char *buffer = malloc(needed);
    CHECK(buffer != NULL);
    const size_t rooms[] = {0, 1, needed / 2, needed - 1};
    for (size_t k = 0; k < T_COUNT(rooms); k++) {
        size_t size = rooms[k];
        memset(buffer, 'x', needed);
        CHECK_EQ(form(buffer, &size, how), GBL_INSUFFICIENT_SPACE);
        CHECK_EQ(size, needed);
        for (size_t b = 0; b < needed; b++) CHECK(buffer[b] == 'x');
    }
    size_t size = needed;
    OK(form(buffer, &size, how));
    CHECK(strcmp(buffer, text) == 0);
    gbl_Explanation bad = *how;
    CHECK_EQ(form(buffer, NULL, how), GBL_NULL_POINTER);
    CHECK_EQ(form(buffer, &size, NULL), GBL_NULL_POINTER);
    bad.ncandidates = GBL_CANDIDATES_MOST + 1;
    CHECK_EQ(form(buffer, &size, &bad), GBL_INVALID_VALUE);
    bad.ncandidates = 2, bad.chosen = 2;
    CHECK_EQ(form(buffer, &size, &bad), GBL_INVALID_VALUE);
    CHECK(size == needed && strcmp(buffer, text) == 0);
    free(text);
    free(buffer);
}

/* Products of few flops are made without a plan: what is told of them, and of those that are only
 * planned, is what was counted. */
GB_TEST(explain, few_flops) {
    enum { N = 9 };
    gbl_Matrix A = random_matrix(N, 3, 5), C = NULL;
    o_Matrix D = t_dense(A);
    uint64_t length[N] = {0}, flops = 0, most = 0;
    for (gbl_Index p = 0; p < N * N; p++) length[p / N] += D.x[p].has;
    for (gbl_Index i = 0; i < N; i++) {
        uint64_t row = 0;
        for (gbl_Index k = 0; k < N; k++) row += D.x[i * N + k].has ? length[k] : 0;
        flops += row;
        most = row > most ? row : most;
    }
    OK(gbl_Matrix_new(&C, GBL_FP64, N, N));
    for (int masked = 0; masked < 3; masked++) {
        const gbl_Matrix M = masked > 0 ? A : NULL;
        const gbl_Descriptor desc = masked == 2 ? GBL_DESC_RSC : masked == 1 ? GBL_DESC_RS : NULL;
        gbl_Explanation plan = GBL_EXPLANATION_INIT, how = GBL_EXPLANATION_INIT;
        t_case("mask %d", masked);
        OK(gbl_mxm_plan(&plan, C, M, NULL, GBL_PLUS_TIMES_SEMIRING_FP64, A, A, desc));
        OK(gbl_mxm(C, M, NULL, GBL_PLUS_TIMES_SEMIRING_FP64, A, A, desc));
        OK(gbl_Matrix_explain(&how, C));
        const gbl_Index nvals = t_nvals(C);
        check(&plan);
        check(&how);
        CHECK(how.flops == flops && how.flops_most == most && how.nvals == nvals);
        CHECK_EQ(plan.flops, flops);
        CHECK(plan.seconds_predicted == how.seconds_predicted && how.seconds_kernel > 0.0);
        CHECK(strcmp(how.method, "rowwise") == 0 && strcmp(plan.reason, how.reason) == 0);
        CHECK(strstr(why_not(&how, "outer", "slices"), "not compared") != NULL);
        /* settings of later do not change what is told */
        int32_t threads = 0;
        OK(gbl_Global_get_INT32(GBL_GLOBAL, &threads, GBL_NTHREADS));
        OK(gbl_Global_set_INT32(GBL_GLOBAL, threads + 5, GBL_NTHREADS));
        OK(gbl_Global_set_INT64(GBL_GLOBAL, 1, GBL_MEMORY_LIMIT));
        gbl_Explanation later = t_explain(C);
        OK(gbl_Global_set_INT64(GBL_GLOBAL, 0, GBL_MEMORY_LIMIT));
        OK(gbl_Global_set_INT32(GBL_GLOBAL, threads, GBL_NTHREADS));
        CHECK(memcmp(&later, &how, sizeof how) == 0);
    }
    FREE(D, A, C);
}

/* What counting takes is told where there is much to count, as part of the plan. */
GB_TEST(explain, counting) {
    t_Random r = t_random(3);
    const o_Type type = o_type(GBL_FP64_CODE);
    for (int large = 0; large < 2; large++) {
        const gbl_Index n = large ? 300 : 2;
        o_Matrix a = t_generate(&r, &(t_Content){type, n, n, T_RANDOM, 0.5, false, false});
        gbl_Matrix A = t_matrix(&a), C = NULL;
        t_case("%d rows", (int)n);
        OK(gbl_Matrix_new(&C, GBL_FP64, n, n));
        OK(gbl_mxm(C, NULL, NULL, GBL_PLUS_TIMES_SEMIRING_FP64, A, A, NULL));
        const gbl_Explanation how = t_explain(C);
        CHECK_EQ(how.seconds_count > 0.0, large);
        CHECK(how.seconds_count <= how.seconds_plan);
        FREE(A, C, a);
    }
}

GB_TEST(explain, buffers) {
    gbl_Matrix A = random_matrix(50, 4, 8);
    gbl_Explanation how = GBL_EXPLANATION_INIT;
    explain(&how, &(Job){.A = A, .ring = GBL_PLUS_TIMES_SEMIRING_FP64});
    try_buffers(gbl_Explanation_text, &how);
    try_buffers(gbl_Explanation_json, &how);
    OK(gbl_Matrix_free(&A));
}

/* A zeroed struct, a GPU's, strings and numbers that JSON has to write in another way. */
GB_TEST(explain, anything_is_written) {
    gbl_Explanation how = {.size = sizeof how, .chosen = -1};
    char *text = written(gbl_Explanation_text, &how);
    free(text);
    text = written(gbl_Explanation_json, &how);
    cJSON *json = cJSON_Parse(text);
    CHECK(json != NULL);
    same(json, &how);
    cJSON_Delete(json);
    free(text);

    how = (gbl_Explanation){.size = sizeof how,
                            .operation = "mxm",
                            .method = "rowwise",
                            .workflow =
                                "a \"quoted\\one\"\t\x01 \xc3\xa4 \xe2\x82\xac \xf0\x9f\x98\x80",
                            .isa = "cuda",
                            .place = "gpu",
                            .place_reason = "the GPU is asked for",
                            .reason = "rowwise, on a GPU",
                            .chosen = -1,
                            .flops = 1,
                            .nvals = UINT64_C(1) << 53,
                            .seconds_kernel = 5e-324,
                            .seconds_prepare = 0.1,
                            .seconds_finish = 1.0 / 3.0,
                            .bytes_to_device = 12,
                            .seconds_transfer = 1e300,
                            .fill_a = INFINITY,
                            .fill_b = NAN,
                            .formats_a = 31};
    check(&how);

    /* what is not UTF-8 becomes a replacement character each */
    snprintf(how.reason, sizeof how.reason,
             "a\xff"
             "b\xc3"
             "c\xed\xa0\x80"
             "d\xc0\xaf"
             "e\xe2\x82");
    text = written(gbl_Explanation_json, &how);
    CHECK(
        strstr(text, "\"a\\ufffdb\\ufffdc\\ufffd\\ufffd\\ufffdd\\ufffd\\ufffde\\ufffd\\ufffd\"") !=
        NULL);
    json = cJSON_Parse(text);
    CHECK(json != NULL);
    cJSON_Delete(json);
    free(text);
}
