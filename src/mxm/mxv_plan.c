/* SPDX-License-Identifier: Apache-2.0
 *
 * Facts and choice of products with vectors; see mxv.c for the two forms.
 *
 * Where the pattern of A is its own transpose and its values do not matter (they are not used, or
 * all equal), rows and columns are the same list, and no other is made. Whether it is symmetric is
 * found when a conversion would otherwise be made, and remembered with A.
 */
#include "mxm/mxv_plan.h"

#include <math.h>

#include "core/bits.h"
#include "core/tune.h"
#include "mxm/machine/cost_table.h"
#include "semiring/ids.h"

static bool exists(const gb_Matrix *A, gb_Format format) {
    return (gb_has(A) & gb_has_bit(format)) != 0;
}

/* Or rows of a product that was left on a device. */
static bool is_held(const gb_Matrix *A, gb_Format format) {
    return gb_has(A) == GBL_HAS_DEVICE ? format == GB_CSR : exists(A, format);
}

static gb_Format other_of(gb_Format format) {
    return format == GB_CSR ? GB_CSC : GB_CSR;
}

/* -- products */

static double mean_column(const gb_MxvCall *call) {
    return (double)call->A->nvals / ((double)call->u->nrows + 1.0);
}

double gb_mxv_mean_row(const gb_MxvCall *call) {
    return (double)call->A->nvals / ((double)call->w->nrows + 1.0);
}

/* Mean number of entries of R's columns that u meets, from up to GB_SAMPLES entries of u spread
 * evenly: frontiers of skewed graphs hold hubs, whose columns are far longer than the mean. */
static gbl_Info sample_columns(double *mean, const gb_MxvCall *call, const gb_CsView *A) {
    const bool listed = exists(call->u, GB_CSC);
    const uint64_t places = listed ? call->u->nvals : call->u->nrows;
    const uint64_t step = places / GB_SAMPLES + 1;
    uint64_t seen = 0, entries = 0;
    gb_CsView list = {0};
    gb_DenseView dense = {0};
    const gbl_Info info =
        listed ? gb_acquire(call->u, GB_CSC, &list) : gb_acquire_dense(call->u, &dense);
    for (uint64_t at = step / 2; info == GBL_SUCCESS && at < places; at += step) {
        if (!listed && dense.b != NULL && !dense.b[at]) continue;
        const uint64_t k = listed ? list.i[at] : at;
        entries += A->p[k + 1] - A->p[k];
        seen++;
    }
    if (seen > 0) *mean = (double)entries / (double)seen;
    return info;
}

/* A full u meets every entry of A: no sample is as good where a few columns have most of them. Else
 * looks only at what exists, or takes the mean over all columns. Every entry of u is looked at
 * where there are at most GB_COUNTED, or few beside positions. */
static gbl_Info count_products(gb_MxvPlan *plan, const gb_MxvCall *call) {
    const uint64_t few = call->w->nrows / GB_FEW, nvals = call->u->nvals;
    double mean = mean_column(call);
    gb_CsView A, u;
    const bool lists = exists(call->A, plan->by_columns) && exists(call->u, GB_CSC);
    if (nvals == call->u->nrows) {
        plan->products = (double)call->A->nvals;
        plan->few = lists && nvals <= few && call->A->nvals <= few;
        return GBL_SUCCESS;
    }
    if (!exists(call->A, plan->by_columns)) return GBL_SUCCESS;
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

/* Few products are sorted until sorting has cost what scratch does, whose bits must be cleared
 * once; and always where positions far outnumber what A has. */
static bool must_sort(const gb_MxvPlan *plan, const gb_MxvCall *call) {
    gb_Matrix *A = call->A;
    if (!plan->few || plan->method == GBL_METHOD_PULL || gb_has_scratch(A, plan->w_axis))
        return false;
    const uint64_t n = call->w->nrows, now = gb_to_u64(plan->products) + call->u->nvals;
    const uint64_t before = __atomic_fetch_add(&A->pushed, now + 1, __ATOMIC_RELAXED);
    return before + now < n / GB_SCRATCH_WORTH ||
           n / GB_FEW > A->nvals + gb_nmajor(A, plan->u_axis);
}

/* -- prices */

/* Nanoseconds of each form, conversions apart. A random entry of R hits u with probability
 * products / nnz, so a sum that ends early looks at nnz / products entries; whether the next entry
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

/* The positions that may be written are the entries of a list, and so few that pull passes over
 * nothing else. */
static bool lists_positions(const gb_MxvCall *call) {
    const gb_Matrix *M = call->mask.M;
    return M != NULL && call->mask.structural && !call->mask.complement && exists(M, GB_CSC) &&
           !(gb_has(M) & (GBL_HAS_BITMAP | GBL_HAS_FULL)) && M->nvals <= M->nrows / GB_FEW;
}

static double push_ns(const gb_MxvCall *call, const gb_MxvPlan *plan) {
    const double entries = (double)call->u->nvals;
    if (plan->sorted) return (entries + plan->products) * GB_NS_PUSH_SORTED;
    return entries * GB_NS_PUSH_ROW + plan->products * GB_NS_PUSH_ENTRY;
}

/* Mean number of entries of rows that may be written, from the first ones behind up to GB_SAMPLES
 * places: what a search has not yet reached has few edges, or none. `mean` stays where the mask is
 * not a bitmap, or few such rows are met. */
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

/* Whether R by rows and by columns may be read from the same list, once its pattern is symmetric.
 */
static bool may_share(const gb_MxvCall *call) {
    const gb_Matrix *A = call->A;
    const bool used = call->u_is_left ? gb_binary_uses_y(call->ring->multiply)
                                      : gb_binary_uses_x(call->ring->multiply);
    return A->nrows == A->ncols && (A->iso || !used);
}

/* Each form reads the list that there is. */
static void share_list(gb_MxvPlan *plan, const gb_Matrix *A) {
    if (!exists(A, plan->by_columns) && exists(A, plan->by_rows)) plan->by_columns = plan->by_rows;
    if (!exists(A, plan->by_rows) && exists(A, plan->by_columns)) plan->by_rows = plan->by_columns;
}

/* Pointers of a representation are not worth making where they far outnumber what A has. */
static bool is_too_long(const gb_Matrix *A, gb_Format format) {
    return gb_nmajor(A, format) / GB_FEW > A->nvals + gb_nmajor(A, other_of(format));
}

/* *can: the representation exists, or the list of the other form serves, or it is worth making for
 * a saving of so many nanoseconds. */
static gbl_Info can_use(bool *can, gb_MxvPlan *plan, const gb_MxvCall *call, gb_Format format,
                        double saving) {
    gb_Matrix *A = call->A;
    gbl_Info info = GBL_SUCCESS;
    *can = is_held(A, format);
    if (*can || saving <= 0.0 || is_too_long(A, format)) return info;
    const uint64_t demand =
        __atomic_add_fetch(&A->demand[format], gb_to_u64(saving) + 1, __ATOMIC_RELAXED);
    *can = (double)demand >= (double)A->nvals * GB_NS_CONVERT;
    if (!*can || !may_share(call) || !exists(A, other_of(format))) return info;
    if (gb_symmetry_of(A) == GB_SYMMETRY_UNKNOWN) info = gb_find_symmetry(A, other_of(format));
    if (gb_symmetry_of(A) == GB_SYMMETRIC) share_list(plan, A);
    return info;
}

/* -- the choice */

static gbl_Info choose(gb_MxvPlan *plan, const gb_MxvCall *call) {
    static const char *const other = "another method was asked for";
    bool can_pull = true, can_push = true;
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

/* Whether push may look at call->best: a minimum or maximum with a kernel, and values of one type.
 */
static bool can_prune(const gb_MxvCall *call) {
    const gb_Matrix *best = call->best;
    const gb_BinaryOp *add = call->ring->add->op;
    if (best == NULL || best->iso || call->ring->kernel == GB_RING_GENERIC) return false;
    return (add->code == GB_MIN || add->code == GB_MAX) && add->ztype->code == best->type->code;
}

void gb_mxv_plan_begin(gb_MxvPlan *plan, const gb_MxvCall *call, gbl_Desc_Value method) {
    const gb_Matrix *M = call->mask.M;
    const uint64_t n = call->w->nrows;
    const gb_Format rows = call->transpose == call->u_is_left ? GB_CSR : GB_CSC;
    *plan = (gb_MxvPlan){.method = method,
                         .by_rows = rows,
                         .by_columns = other_of(rows),
                         .w_axis = rows,
                         .u_axis = other_of(rows)};
    if (gb_symmetry_of(call->A) == GB_SYMMETRIC && may_share(call)) share_list(plan, call->A);
    plan->allowed = M == NULL ? n : call->mask.complement ? n - M->nvals : M->nvals;
    plan->products = (double)call->u->nvals * mean_column(call);
}

gbl_Info gb_mxv_plan_choose(gb_MxvPlan *plan, const gb_MxvCall *call, double mean) {
    plan->push_ns = push_ns(call, plan);
    plan->pull_ns = pull_ns(call, plan, mean);
    return choose(plan, call);
}

gbl_Info gb_mxv_plan(gb_MxvPlan *plan, const gb_MxvCall *call, gbl_Desc_Value method) {
    double mean = gb_mxv_mean_row(call);
    gb_mxv_plan_begin(plan, call, method);
    gbl_Info info = count_products(plan, call);
    if (info != GBL_SUCCESS) return info;
    plan->sorted = must_sort(plan, call);
    plan->listed = lists_positions(call);
    if (push_ns(call, plan) > GB_NS_LOOK) info = sample_open_rows(&mean, plan, call);
    if (info == GBL_SUCCESS) info = gb_mxv_plan_choose(plan, call, mean);
    plan->listed = plan->listed && !plan->push;
    plan->pruned = plan->push && !plan->sorted && can_prune(call);
    plan->push_workflow = plan->sorted ? "sorted" : plan->pruned ? "one pass, pruned" : "one pass";
    plan->pull_workflow = "one pass";
    return info;
}
