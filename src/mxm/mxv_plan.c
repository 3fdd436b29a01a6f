/* SPDX-License-Identifier: Apache-2.0
 *
 * Facts and choice of products with vectors, and how explanations report them; see mxv.c for the
 * two forms.
 *
 * When the better form needs a representation that does not exist, the matrix accumulates the
 * seconds it would have saved; once these exceed the cost of the conversion, it is made. So a
 * single product never pays for a conversion that it does not repay, and a graph that is searched
 * often gets its transpose: at most twice the time of the best choice in hindsight.
 *
 * Where A's pattern is symmetric and its values do not matter (unused, or all equal), rows and
 * columns are the same arrays, and no others are made. Symmetry is checked when a conversion would
 * otherwise be made, and recorded with A.
 */
#include "mxm/mxv.h"

#include "mxm/machine/cost_table.h"

static bool exists(const gb_Matrix *A, gb_Format format) {
    return (gb_has(A) & gb_has_bit(format)) != 0;
}

/* -- products of push */

static double mean_column(const gb_MxvCall *call) {
    return (double)call->A->nvals / ((double)call->u->nrows + 1.0);
}

double gb_mxv_mean_row(const gb_MxvCall *call) {
    return (double)call->A->nvals / ((double)call->w->nrows + 1.0);
}

/* Mean number of entries of R's columns that entries of u select, from up to GB_SAMPLES entries of
 * u spread evenly: frontiers of skewed graphs have heavy vertices, whose columns are far longer
 * than the mean. */
static gbl_Info sample_columns(double *mean, const gb_MxvCall *call, const gb_CsView *A) {
    const bool listed = exists(call->u, GB_CSC);
    const uint64_t positions = listed ? call->u->nvals : call->u->nrows;
    const uint64_t step = positions / GB_SAMPLES + 1;
    uint64_t seen = 0, entries = 0;
    gb_CsView list = {0};
    gb_DenseView dense = {0};
    const gbl_Info info =
        listed ? gb_acquire(call->u, GB_CSC, &list) : gb_acquire_dense(call->u, &dense);
    for (uint64_t at = step / 2; info == GBL_SUCCESS && at < positions; at += step) {
        if (!listed && dense.b != NULL && !dense.b[at]) continue;
        const uint64_t k = listed ? list.i[at] : at;
        entries += A->p[k + 1] - A->p[k];
        seen++;
    }
    if (seen > 0) *mean = (double)entries / (double)seen;
    return info;
}

/* A full u selects every entry of A: sampling is worse where a few columns have most of them. Else
 * reads only forms that exist, or uses the mean over all columns, and reads every entry of u where
 * there are at most GB_COUNTED, or few (GB_FEW) compared with positions. */
static gbl_Info count_products(gb_MxvPlan *plan, const gb_MxvCall *call) {
    const uint64_t few = call->w->nrows / GB_FEW, nvals = call->u->nvals;
    double mean = mean_column(call);
    gb_CsView A, u;
    const bool held = exists(call->A, plan->by_columns);
    const bool lists = held && exists(call->u, GB_CSC);
    if (nvals == call->u->nrows) {
        plan->products = (double)call->A->nvals;
        plan->few = lists && nvals <= few && call->A->nvals <= few;
        return GBL_SUCCESS;
    }
    if (!held) return GBL_SUCCESS;
    gbl_Info info = gb_acquire(call->A, plan->by_columns, &A);
    if (info != GBL_SUCCESS) return info;
    if (lists && nvals <= (few > GB_COUNTED ? few : GB_COUNTED)) {
        uint64_t products = 0;
        info = gb_acquire(call->u, GB_CSC, &u);
        if (info != GBL_SUCCESS) return info;
        for (gb_Off q = 0; q < u.nvals; q++) products += A.p[u.i[q] + 1] - A.p[u.i[q]];
        plan->products = (double)products;
        plan->counted = true;
        plan->few = nvals <= few && products <= few;
    } else {
        info = sample_columns(&mean, call, &A);
        plan->products = (double)nvals * mean;
    }
    return info;
}

/* Sort few products until sorting has cost as much as scratch, whose bits must be cleared once;
 * sort always where positions far outnumber nnz(A). */
static bool must_sort(const gb_MxvPlan *plan, const gb_MxvCall *call) {
    gb_Matrix *A = call->A;
    if (!plan->few || plan->method == GBL_METHOD_PULL ||
        __atomic_load_n(&A->scratch[plan->w_axis], __ATOMIC_RELAXED) != NULL)
        return false;
    const uint64_t n = call->w->nrows, now = gb_to_u64(plan->products) + call->u->nvals;
    const uint64_t before = __atomic_fetch_add(&A->pushed, now + 1, __ATOMIC_RELAXED);
    return before + now < n / GB_SCRATCH_WORTH ||
           n / GB_FEW > A->nvals + gb_nmajor(A, plan->u_axis);
}

/* -- prices */

/* Nanoseconds of each form, conversions apart. A random entry of R hits u with probability
 * products / nnz, so a sum that ends early reads nnz / products entries; whether the next entry
 * hits is a branch that nobody predicts. */
static double pull_ns(const gb_MxvCall *call, const gb_MxvPlan *plan, double mean) {
    const double rows = (double)call->w->nrows + 1.0, allowed = (double)plan->allowed;
    const gb_Opcode add = call->ring->add->op->code;
    const double until_hit = (double)call->A->nvals / (plan->products + 1.0);
    const bool ends_early = (add == GB_ANY || add == GB_LOR) && until_hit < mean;
    const double hit = fmin(plan->products / ((double)call->A->nvals + 1.0), 1.0);
    const double turns = call->mask.M == NULL && !ends_early ? 2.0 * hit * (1.0 - hit) : 0.0;
    const double looks =
        allowed * (ends_early ? until_hit : mean) * (GB_NS_PULL_ENTRY + turns * GB_NS_PULL_TURN);
    if (call->mask.M == NULL) return rows * GB_NS_SWEEP + looks;
    const double marks = gb_has(call->u) & GBL_HAS_FULL ? 0.0 : (double)call->u->nvals;
    if (plan->listed) return marks + allowed * GB_NS_PULL_ROW + looks;
    return rows * GB_NS_PULL_SKIP + allowed * GB_NS_PULL_ROW + looks;
}

static double push_ns(const gb_MxvCall *call, const gb_MxvPlan *plan) {
    const double entries = (double)call->u->nvals;
    if (plan->sorted) return (entries + plan->products) * GB_NS_PUSH_SORTED;
    return entries * GB_NS_PUSH_ROW + plan->products * GB_NS_PUSH_ENTRY;
}

/* Mean length of rows that may be written: of the first such rows after each of up to GB_SAMPLES
 * positions, since rows that a search has not reached have few edges, or none. `mean` stays where
 * the mask is not a bitmap, or the sample has few such rows. */
static gbl_Info sample_open_rows(double *mean, const gb_MxvPlan *plan, const gb_MxvCall *call) {
    enum { LEAST = 16, NEAR = 64 };
    const gb_Mask *mask = &call->mask;
    const uint64_t n = call->w->nrows, step = n / GB_SAMPLES + 1;
    uint64_t seen = 0, entries = 0;
    gb_CsView A;
    gb_DenseView M;
    if (mask->M == NULL || !mask->structural || !(gb_has(mask->M) & GBL_HAS_BITMAP) ||
        !exists(call->A, plan->by_rows))
        return GBL_SUCCESS;
    gbl_Info info = gb_acquire(call->A, plan->by_rows, &A);
    if (info == GBL_SUCCESS) info = gb_acquire_dense(mask->M, &M);
    for (uint64_t at = 0; info == GBL_SUCCESS && at < n; at += step) {
        const uint64_t end = n - at < NEAR ? n : at + NEAR;
        uint64_t i = at;
        while (i < end && (M.b[i] != 0) == mask->complement) i++;
        if (i == end) continue;
        entries += A.p[i + 1] - A.p[i];
        seen++;
    }
    if (seen >= LEAST) *mean = (double)entries / (double)seen;
    return info;
}

/* -- representations */

/* Whether R by rows and by columns may be read from the same arrays: its pattern is symmetric. */
static bool may_share(const gb_MxvCall *call) {
    const gb_Matrix *A = call->A;
    const bool used = call->u_is_left ? gb_binary_uses_y(call->ring->multiply)
                                      : gb_binary_uses_x(call->ring->multiply);
    return A->nrows == A->ncols && (A->iso || !used);
}

/* Each form reads the arrays that exist. */
static void share_arrays(gb_MxvPlan *plan, const gb_Matrix *A) {
    if (!exists(A, plan->by_columns) && exists(A, plan->by_rows)) plan->by_columns = plan->by_rows;
    if (!exists(A, plan->by_rows) && exists(A, plan->by_columns)) plan->by_rows = plan->by_columns;
}

/* *can: the representation exists, or the arrays of the other form serve, or it is worth making for
 * a saving of so many nanoseconds. */
static gbl_Info can_use(bool *can, gb_MxvPlan *plan, const gb_MxvCall *call, gb_Format format,
                        double saving) {
    gb_Matrix *A = call->A;
    gbl_Info info = GBL_SUCCESS;
    const bool has = exists(A, format);
    *can = true;
    /* a product that was left on a device has rows */
    if (gb_has(A) == GBL_HAS_DEVICE && format == GB_CSR) return info;
    *can = gb_repays(A, format, saving);
    if (has || !*can || !may_share(call) || !exists(A, gb_other(format))) return info;
    if (gb_symmetry_of(A) == GB_SYMMETRY_UNKNOWN) info = gb_find_symmetry(A, gb_other(format));
    if (gb_symmetry_of(A) == GB_SYMMETRIC) share_arrays(plan, A);
    return info;
}

/* -- the choice */

gbl_Info gb_mxv_plan_choose(gb_MxvPlan *plan, const gb_MxvCall *call, double mean) {
    static const char *const other = "another method was asked for";
    bool can_pull = true, can_push = true;
    plan->push_ns = push_ns(call, plan);
    plan->pull_ns = pull_ns(call, plan, mean);
    if (plan->method != GBL_DEFAULT) {
        plan->push = plan->method == GBL_METHOD_PUSH;
        *(plan->push ? &plan->no_pull : &plan->no_push) = other;
        return GBL_SUCCESS;
    }
    /* nothing is saved where nothing may be written */
    const double saving = plan->allowed > 0 ? plan->push_ns - plan->pull_ns : 0.0;
    gbl_Info info = can_use(&can_pull, plan, call, plan->by_rows, saving);
    if (info == GBL_SUCCESS) info = can_use(&can_push, plan, call, plan->by_columns, -saving);
    plan->push = can_push && (saving < 0.0 || !can_pull);
    if (!can_push) plan->no_push = "columns would not repay the conversion yet";
    if (!can_pull && can_push) plan->no_pull = "rows would not repay the conversion yet";
    return info;
}

/* Whether push may compare with call->best: a minimum or maximum with a kernel, and values of one
 * type. */
static bool can_prune(const gb_MxvCall *call) {
    const gb_Matrix *best = call->best;
    const gb_BinaryOp *add = call->ring->add->op;
    return !best->iso && call->ring->kernel != GB_RING_GENERIC &&
           (add->code == GB_MIN || add->code == GB_MAX) && add->ztype->code == best->type->code;
}

/* A dense matrix is used by rows, tiles by the rows that they are tiles of: one conversion. */
static gbl_Info make_sparse(gb_Matrix *A) {
    gb_CsView view;
    if (gb_only_dense(A)) return gb_acquire(A, GB_CSR, &view);
    if (!gb_only_tiles(A)) return GBL_SUCCESS;
    return gb_acquire(A, gb_has(A) & gb_tiles_bit(GB_CSR) ? GB_CSR : GB_CSC, &view);
}

gbl_Info gb_mxv_plan_begin(gb_MxvPlan *plan, const gb_MxvCall *call, gbl_Desc_Value method) {
    const gb_Matrix *M = call->mask.M;
    const uint64_t n = call->w->nrows;
    const gb_Format rows = call->transpose == call->u_is_left ? GB_CSR : GB_CSC;
    const gbl_Info info = make_sparse(call->A);
    *plan = (gb_MxvPlan){.method = method,
                         .by_rows = rows,
                         .by_columns = gb_other(rows),
                         .w_axis = rows,
                         .u_axis = gb_other(rows)};
    if (gb_symmetry_of(call->A) == GB_SYMMETRIC && may_share(call)) share_arrays(plan, call->A);
    plan->allowed = M == NULL ? n : call->mask.complement ? n - M->nvals : M->nvals;
    plan->products = (double)call->u->nvals * mean_column(call);
    return info;
}

gbl_Info gb_mxv_plan(gb_MxvPlan *plan, const gb_MxvCall *call, gbl_Desc_Value method) {
    const gb_Matrix *M = call->mask.M;
    double mean = gb_mxv_mean_row(call);
    gbl_Info info = gb_mxv_plan_begin(plan, call, method);
    if (info == GBL_SUCCESS) info = count_products(plan, call);
    if (info != GBL_SUCCESS) return info;
    plan->sorted = must_sort(plan, call);
    /* the positions that may be written are so few listed ones that pull visits no others */
    plan->listed = M != NULL && call->mask.structural && !call->mask.complement &&
                   exists(M, GB_CSC) && !gb_is_dense(M) && M->nvals <= M->nrows / GB_FEW;
    if (push_ns(call, plan) > GB_NS_LOOK) info = sample_open_rows(&mean, plan, call);
    if (info == GBL_SUCCESS) info = gb_mxv_plan_choose(plan, call, mean);
    plan->listed = plan->listed && !plan->push;
    plan->pruned = plan->push && !plan->sorted && call->best != NULL && can_prune(call);
    plan->push_workflow = plan->sorted ? "sorted" : plan->pruned ? "one pass, pruned" : "one pass";
    plan->pull_workflow = "one pass";
    return info;
}

/* -- integers in the kernel of INT64 */

/* *below: no value of u, which are UINT64, has the highest bit. Values of absent elements are
 * looked at too: at worst the generic kernel does what this one could have done. */
static gbl_Info is_below_sign(bool *below, gb_Matrix *u) {
    gb_DenseView dense;
    gb_CsView list;
    const bool is_dense = gb_is_dense(u);
    const gbl_Info info = is_dense ? gb_acquire_dense(u, &dense) : gb_acquire(u, GB_CSC, &list);
    if (info != GBL_SUCCESS) return info;
    const uint64_t n = u->iso ? u->nvals > 0 : is_dense ? dense.n : list.nvals;
    const uint64_t *x = is_dense ? dense.x : list.x;
    uint64_t bits = 0;
    for (uint64_t k = 0; k < n; k++) bits |= x[k];
    *below = bits <= INT64_MAX;
    return info;
}

/* The values of products are u's, as they are. */
static bool selects_u(const gb_MxvCall *call) {
    const gb_BinaryOp *multiply = call->ring->multiply;
    return multiply->code == (call->u_is_left ? GB_FIRST : GB_SECOND) &&
           multiply->ztype->code == call->u->type->code && multiply->ztype == multiply->xtype &&
           multiply->ztype == multiply->ytype;
}

gbl_Info gb_mxv_widen(const gb_Semiring **ring, const gb_MxvCall *call) {
    const gb_Semiring *given = call->ring;
    bool fits = true;
    gbl_Info info = GBL_SUCCESS;
    *ring = given;
    /* entries of `best` are compared in the type of the requested semiring */
    if (call->best != NULL && call->best->type->code != given->add->op->ztype->code) return info;
    if (given->kernel != GB_RING_GENERIC || given->add->op->code != GB_MIN) return info;
    if (given->multiply->code == GB_SECONDI && !call->u_is_left && call->u->nrows <= INT32_MAX)
        *ring = GBL_MIN_SECONDI_SEMIRING_INT64;
    if (!selects_u(call)) return info;
    switch (call->u->type->code) {
    case GBL_INT8_CODE:
    case GBL_INT16_CODE:
    case GBL_INT32_CODE:
    case GBL_UINT8_CODE:
    case GBL_UINT16_CODE:
    case GBL_UINT32_CODE:
        break;
    case GBL_UINT64_CODE:
        info = is_below_sign(&fits, call->u);
        break;
    default:
        return info;
    }
    if (info == GBL_SUCCESS && fits)
        *ring = call->u_is_left ? GBL_MIN_FIRST_SEMIRING_INT64 : GBL_MIN_SECOND_SEMIRING_INT64;
    return info;
}

/* -- explanations */

void gb_mxv_note(gb_MxvNote *note, const gb_MxvCall *call) {
    const gb_Matrix *left = call->u_is_left ? call->u : call->A;
    const gb_Matrix *right = call->u_is_left ? call->A : call->u;
    *note = (gb_MxvNote){
        .u_is_left = call->u_is_left,
        .iso_a = left->iso,
        .iso_b = right->iso,
        .formats_a = gb_has(left) & ~(unsigned)GB_HAS_TILES_OF_COLUMNS,
        .formats_b = gb_has(right) & ~(unsigned)GB_HAS_TILES_OF_COLUMNS,
        .positions = call->w->nrows,
        .nnz_a = left->nvals,
        .nnz_b = right->nvals,
        .nnz_mask = call->mask.M != NULL ? call->mask.M->nvals : 0,
    };
    gb_ring_describe(note->semiring, call->ring);
    const uint64_t rows = call->w->nrows, inner = call->u->nrows;
    note->shape = call->told != NULL ? *call->told
                                     : (gb_ReportedShape){call->u_is_left ? 1 : rows, inner,
                                                          call->u_is_left ? rows : 1};
}

static const char *place_of(const gb_MxvNote *note) {
    return note->placed.on_device ? "gpu" : "cpu";
}

static gbl_Candidate candidate(const char *method, const char *workflow, double ns,
                               const char *why_not) {
    return (gbl_Candidate){.method = method,
                           .workflow = workflow,
                           .legal = why_not == NULL,
                           .why_not = why_not,
                           .seconds = 1e-9 * ns,
                           .seconds_kernel = 1e-9 * ns,
                           .slices = 1};
}

static void report_plan(gbl_Explanation *why, const gb_MxvNote *note) {
    const gb_MxvPlan *plan = &note->plan;
    why->candidates[0] = candidate("push", plan->push_workflow, plan->push_ns, plan->no_push);
    why->candidates[1] = candidate("pull", plan->pull_workflow, plan->pull_ns, plan->no_pull);
    why->ncandidates = 2;
    why->candidates[0].place = why->candidates[1].place = place_of(note);
    why->chosen = plan->push ? 0 : 1;
    why->forced = plan->method != GBL_DEFAULT;
    why->method = why->candidates[why->chosen].method;
    if (note->fused > 0) why->candidates[why->chosen].workflow = "one pass with the assign";
    why->workflow = why->candidates[why->chosen].workflow;
    why->seconds_predicted = why->candidates[why->chosen].seconds;
    why->nrows = note->shape.nrows;
    why->inner = note->shape.inner;
    why->ncols = note->shape.ncols;
    why->nnz_a = note->nnz_a;
    why->nnz_b = note->nnz_b;
    why->nnz_mask = note->nnz_mask;
    why->mask_density = (double)plan->allowed / (double)note->positions;
    why->formats_a = note->formats_a;
    why->formats_b = note->formats_b;
    why->iso_a = note->iso_a;
    why->iso_b = note->iso_b;
    why->machine = "built in"; /* GB_NS_... are not calibrated */
    why->nvals = note->nvals;
    why->fused = note->fused;
    why->seconds_prepare = note->seconds_prepare;
    why->seconds_kernel = note->seconds_kernel;
    why->seconds_finish = note->seconds_finish;
}

void gb_mxv_report(void *explanation, const void *block) {
    gbl_Explanation *why = explanation;
    const gb_MxvNote *note = block;
    *why = (gbl_Explanation){.operation = note->u_is_left ? "vxm" : "mxv",
                             .method = "none",
                             .workflow = "none",
                             .isa = note->placed.on_device ? "cuda" : gb_backend()->name,
                             .place = place_of(note),
                             .place_reason = "the GPU was not asked for",
                             .reason = "a factor is empty",
                             .chosen = -1,
                             .bytes_to_device = note->placed.bytes_up,
                             .bytes_from_device = note->placed.bytes_down,
                             .seconds_transfer = note->placed.seconds_moving};
    if (note->placed.reason[0] != '\0')
        memcpy(why->place_reason, note->placed.reason, sizeof note->placed.reason);
    memcpy(why->semiring, note->semiring, sizeof note->semiring);
    if (note->planned) report_plan(why, note);
}
