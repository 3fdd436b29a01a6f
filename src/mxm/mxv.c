/* SPDX-License-Identifier: Apache-2.0
 *
 * w<m> accum= op(A) * u and u * op(A): the n x 1 case of the product, in two forms.
 *
 * Call R the matrix whose rows are the positions of w: op(A), or its transpose when u is on the
 * left. pull reads R by rows, for every position that may be written; push reads R by columns, for
 * every entry of u. The choice compares the entries each would look at; a semiring whose sums end
 * early (ANY, LOR) lets pull stop after the first hit. A is used as tiles where it is held as
 * nothing else; rows are faster where both are there (docs/tile_format.md). Both forms sum in the
 * same order (cpu/isa/mxv.h), so the choice cannot be seen in the result.
 *
 * Small frontiers: where push has few products (GB_FEW) beside positions of w, they are sorted
 * instead of scattered, and the mask is left to gb_finish, which looks up the few sums. Then
 * nothing in the call takes time or memory by the length of a vector.
 *
 * When the better form wants a representation that does not exist, the matrix remembers what having
 * it would have saved; once the sum of these savings would have paid for the conversion, it is
 * made. So a single product never waits for a conversion that it does not repay, and a graph that
 * is searched often gets its transpose: at most twice the time of the best choice in hindsight.
 */
#include "mxm/mxm.h"

#include <stdlib.h>
#include <string.h>

#include "core/bits.h"
#include "core/clock.h"
#include "core/context.h"
#include "core/tune.h"
#include "mxm/explain/explain.h"
#include "mxm/machine/cost_table.h"
#include "mxm/plan/plan.h"
#include "mxm/ring.h"
#include "ops/finish.h"

typedef struct {
    gbl_Desc_Value method; /* that was asked for, or GBL_DEFAULT */
    bool push, tiles;
    bool few;                      /* push: products are few, and sorted */
    gb_Format by_rows, by_columns; /* formats of A that are R by rows, by columns */
    double products;               /* of push: counted when they are few, else a guess */
    uint64_t allowed;              /* positions of w that the mask lets be written */
    gbl_Candidate ways[2];         /* push, pull */
} gb_MxvPlan;

static bool exists(const gb_Matrix *A, gb_Format format) {
    return (gb_has(A) & gb_has_bit(format)) != 0;
}

/* Rows or tiles: either serves. */
static bool is_held(const gb_Matrix *A, gb_Format format) {
    return (gb_has(A) & (gb_has_bit(format) | gb_tiles_bit(format))) != 0;
}

/* Tiles, and no rows. */
static bool by_tiles(const gb_Matrix *A, gb_Format format) {
    return !exists(A, format) && is_held(A, format);
}

/* Mean number of entries of R's columns that u meets, from up to GB_SAMPLES entries of u spread
 * evenly: frontiers of skewed graphs hold hubs, whose columns are far longer than the mean. Looks
 * only at what exists, else gives the mean over all columns. */
static double mean_column(const gb_MxvCall *call, const gb_MxvPlan *plan) {
    const double mean = (double)call->A->nvals / ((double)call->u->nrows + 1.0);
    const bool listed = exists(call->u, GB_CSC);
    const uint64_t places = listed ? call->u->nvals : call->u->nrows;
    const uint64_t step = places / GB_SAMPLES + 1;
    uint64_t seen = 0, entries = 0;
    gb_CsView A, list = {0};
    gb_DenseView dense = {0};
    if (!exists(call->A, plan->by_columns)) return mean;
    gbl_Info info = gb_need(call->A, plan->by_columns, &A);
    if (info == GBL_SUCCESS)
        info = listed ? gb_need(call->u, GB_CSC, &list) : gb_need_dense(call->u, &dense);
    for (uint64_t at = step / 2; info == GBL_SUCCESS && at < places; at += step) {
        if (!listed && dense.b != NULL && !dense.b[at]) continue;
        const uint64_t k = listed ? list.i[at] : at;
        entries += A.p[k + 1] - A.p[k];
        seen++;
    }
    return seen > 0 ? (double)entries / (double)seen : mean;
}

/* Whether push has few products beside positions; then plan->products is their number. Looks at the
 * entries of u only where these are few. */
static gbl_Info count_few(gb_MxvPlan *plan, const gb_MxvCall *call) {
    const uint64_t most = call->w->nrows / GB_FEW;
    gb_CsView A, u;
    if (plan->method == GBL_METHOD_PULL || !exists(call->A, plan->by_columns)) return GBL_SUCCESS;
    if (!exists(call->u, GB_CSC) || call->u->nvals > most) return GBL_SUCCESS;
    gbl_Info info = gb_need(call->A, plan->by_columns, &A);
    if (info == GBL_SUCCESS) info = gb_need(call->u, GB_CSC, &u);
    if (info != GBL_SUCCESS) return info;
    uint64_t products = 0;
    for (gb_Off q = 0; q < u.nvals && products <= most; q++)
        products += A.p[u.i[q] + 1] - A.p[u.i[q]];
    plan->few = products <= most;
    plan->products = (double)products;
    return GBL_SUCCESS;
}

/* Nanoseconds of each form, conversions apart. A random entry of R hits u with probability
 * products / nnz, so a sum that ends early looks at nnz / products entries. */
static double pull_ns(const gb_MxvCall *call, const gb_MxvPlan *plan) {
    const double rows = (double)call->w->nrows + 1.0;
    const double mean = (double)call->A->nvals / rows;
    const gb_Opcode add = call->ring->add->op->code;
    const double until_hit = (double)call->A->nvals / (plan->products + 1.0);
    const bool ends_early = (add == GB_ANY || add == GB_LOR) && until_hit < mean;
    return rows * GB_NS_SWEEP +
           (double)plan->allowed * (ends_early ? until_hit : mean) * GB_NS_PULL_ENTRY;
}

static double push_ns(const gb_MxvCall *call, const gb_MxvPlan *plan) {
    const double looked_at = (double)call->u->nvals + plan->products;
    if (plan->few) return looked_at * GB_NS_PUSH_SORTED;
    return (double)call->w->nrows * GB_NS_SWEEP + looked_at * GB_NS_PUSH_ENTRY;
}

/* Pointers of a representation are not worth making where they far outnumber what A has. */
static bool is_too_long(const gb_Matrix *A, gb_Format format) {
    const gb_Format other = format == GB_CSR ? GB_CSC : GB_CSR;
    return gb_nmajor(A, format) / GB_FEW > A->nvals + gb_nmajor(A, other);
}

/* Whether the representation exists, or is worth making for a saving of so many nanoseconds. */
static bool can_use(gb_Matrix *A, gb_Format format, double saving) {
    if (is_held(A, format)) return true;
    if (saving <= 0.0 || is_too_long(A, format)) return false;
    const uint64_t demand =
        __atomic_add_fetch(&A->demand[format], gb_to_u64(saving) + 1, __ATOMIC_RELAXED);
    return (double)demand >= (double)A->nvals * GB_NS_CONVERT;
}

static gbl_Candidate way(const char *method, const char *workflow, double ns, const char *why_not) {
    return (gbl_Candidate){.method = method,
                           .workflow = workflow,
                           .place = "cpu",
                           .legal = why_not == NULL,
                           .why_not = why_not,
                           .seconds = 1e-9 * ns,
                           .seconds_kernel = 1e-9 * ns,
                           .slices = 1};
}

static void choose(gb_MxvPlan *plan, const gb_MxvCall *call) {
    static const char *const other = "another method was asked for";
    const double pull = pull_ns(call, plan), push = push_ns(call, plan);
    const char *no_push = NULL, *no_pull = NULL;
    if (plan->method != GBL_DEFAULT) {
        plan->push = plan->method == GBL_METHOD_PUSH;
        if (plan->push)
            no_pull = other;
        else
            no_push = other;
    } else {
        const bool can_pull = can_use(call->A, plan->by_rows, push - pull);
        const bool can_push = can_use(call->A, plan->by_columns, pull - push);
        plan->push = can_push && (plan->few || push < pull || !can_pull);
        if (!can_push) no_push = "columns would not repay the conversion yet";
        if (!can_pull && can_push) no_pull = "rows would not repay the conversion yet";
    }
    plan->tiles = by_tiles(call->A, plan->push ? plan->by_columns : plan->by_rows);
    const char *push_workflow = plan->few ? "sorted" : "one pass";
    plan->ways[0] =
        way("push", by_tiles(call->A, plan->by_columns) ? "tiles" : push_workflow, push, no_push);
    plan->ways[1] =
        way("pull", by_tiles(call->A, plan->by_rows) ? "tiles" : "one pass", pull, no_pull);
}

static void explain_plan(gbl_Explanation *why, const gb_MxvPlan *plan, const gb_MxvCall *call) {
    const gb_Matrix *left = call->u_is_left ? call->u : call->A;
    const gb_Matrix *right = call->u_is_left ? call->A : call->u;
    memcpy(why->candidates, plan->ways, sizeof plan->ways);
    why->ncandidates = 2;
    why->chosen = plan->push ? 0 : 1;
    why->forced = plan->method != GBL_DEFAULT;
    why->method = plan->ways[why->chosen].method;
    why->workflow = plan->ways[why->chosen].workflow;
    why->seconds_predicted = plan->ways[why->chosen].seconds;
    why->nrows = call->u_is_left ? 1 : call->w->nrows;
    why->inner = call->u->nrows;
    why->ncols = call->u_is_left ? call->w->nrows : 1;
    why->nnz_a = left->nvals;
    why->nnz_b = right->nvals;
    why->nnz_mask = call->mask.M != NULL ? call->mask.M->nvals : 0;
    why->mask_density = (double)plan->allowed / (double)call->w->nrows;
    why->formats_a = gb_has(left) & ~(unsigned)GB_HAS_TILES_OF_COLUMNS;
    why->formats_b = gb_has(right) & ~(unsigned)GB_HAS_TILES_OF_COLUMNS;
    why->iso_a = left->iso;
    why->iso_b = right->iso;
    why->machine = "built in"; /* GB_NS_... are not calibrated */
}

typedef struct {
    gb_Operand A, u;
    gb_TileOperand tiles;
    gb_DenseOperand u_dense;
    bool u_is_list;  /* pull searches u instead of u_dense */
    int8_t *allowed; /* [length of w] or NULL */
    gbl_Explanation *why;
} gb_MxvHold;

static void release(gb_MxvHold *hold, const gb_MxvCall *call) {
    gb_operand_release(&hold->A);
    gb_operand_release(&hold->u);
    gb_tile_operand_release(&hold->tiles);
    gb_dense_operand_release(&hold->u_dense);
    gb_free(hold->allowed, call->w->nrows);
    gb_free(hold->why, sizeof *hold->why);
}

static gbl_Info check_shapes(const gb_MxvCall *call) {
    const uint64_t rows = call->transpose ? call->A->ncols : call->A->nrows;
    const uint64_t columns = call->transpose ? call->A->nrows : call->A->ncols;
    const uint64_t in = call->u_is_left ? rows : columns, out = call->u_is_left ? columns : rows;
    if (call->u->nrows != in)
        return gb_fail(GBL_DIMENSION_MISMATCH, call->w,
                       "u has %llu elements, but A%s has %llu %s; they must be equal",
                       (unsigned long long)call->u->nrows, call->transpose ? "'" : "",
                       (unsigned long long)in, call->u_is_left ? "rows" : "columns");
    if (call->w->nrows != out)
        return gb_fail(GBL_DIMENSION_MISMATCH, call->w,
                       "w has %llu elements, but the product has %llu",
                       (unsigned long long)call->w->nrows, (unsigned long long)out);
    return GBL_SUCCESS;
}

/* Whether pull searches a list u: its dense form would be far longer than what A has. */
static bool pulls_list(const gb_MxvCall *call, const gb_MxvPlan *plan) {
    const gb_Matrix *A = call->A, *u = call->u;
    if (plan->push || plan->tiles || gb_has(u) & (GBL_HAS_BITMAP | GBL_HAS_FULL)) return false;
    return u->nrows / GB_FEW > A->nvals + gb_nmajor(A, plan->by_rows);
}

/* The operands in the forms that the plan wants, in the order that sums have: sorted. */
static gbl_Info get_operands(const gb_MxvCall *call, const gb_MxvPlan *plan, gb_MxvHold *hold) {
    const gb_Type *left = gb_ring_left_type(call->ring), *right = gb_ring_right_type(call->ring);
    const gb_Type *utype = call->u_is_left ? left : right, *atype = call->u_is_left ? right : left;
    const gb_Format format = plan->push ? plan->by_columns : plan->by_rows;
    gb_CsView sorted;
    gbl_Info info = GBL_SUCCESS;
    if (plan->tiles) {
        info = gb_tile_operand_get(&hold->tiles, call->A, format, atype);
    } else {
        if (!plan->push) info = gb_need_sorted(call->A, format, &sorted);
        if (info == GBL_SUCCESS) info = gb_operand_get(&hold->A, call->A, format, atype);
    }
    if (info != GBL_SUCCESS) return info;
    if (!plan->push && !hold->u_is_list)
        return gb_dense_operand_get(&hold->u_dense, call->u, utype);
    info = gb_need_sorted(call->u, GB_CSC, &sorted);
    return info == GBL_SUCCESS ? gb_operand_get(&hold->u, call->u, GB_CSC, utype) : info;
}

static gbl_Info run(const gb_MxvCall *call, const gb_MxvPlan *plan, gb_MxvHold *hold,
                    gb_Result *T) {
    hold->u_is_list = pulls_list(call, plan);
    const gbl_Info info = get_operands(call, plan, hold);
    if (info != GBL_SUCCESS) return info;
    const bool listed = plan->push || hold->u_is_list;
    const void *ax = plan->tiles ? hold->tiles.view.x : hold->A.view.x;
    const bool a_iso = plan->tiles ? hold->tiles.view.iso : hold->A.view.iso;
    const void *ux = listed ? hold->u.view.x : hold->u_dense.view.x;
    const bool u_iso = listed ? hold->u.view.iso : hold->u_dense.view.iso;
    const gb_MxvArgs args = {
        .A = hold->A.view,
        .tiles = hold->tiles.view,
        .u_dense = hold->u_dense.view,
        .u_list = hold->u.view,
        .allowed = hold->allowed,
        .ring = call->ring->kernel,
        .args = call->u_is_left ? gb_ring_args(call->ring, ux, u_iso, ax, a_iso)
                                : gb_ring_args(call->ring, ax, a_iso, ux, u_iso),
        .u_is_left = call->u_is_left,
        .u_is_list = hold->u_is_list,
        .nthreads = gb_nthreads(),
    };
    const gb_Backend *backend = gb_backend();
    T->is_dense = plan->tiles || !plan->push;
    T->masked = call->mask.M != NULL && !plan->few;
    if (plan->tiles)
        return plan->push ? backend->mxv_push_tiles(&args, &T->dense)
                          : backend->mxv_pull_tiles(&args, &T->dense);
    if (!plan->push) return backend->mxv_pull(&args, &T->dense);
    return plan->few ? backend->mxv_push_sorted(&args, &T->cs) : backend->mxv_push(&args, &T->cs);
}

/* plan->allowed; as bytes too, unless few products will be looked up: then it is the number of
 * positions that a structural mask would allow. */
static gbl_Info get_mask(gb_MxvPlan *plan, const gb_MxvCall *call, gb_MxvHold *hold) {
    const gb_Mask *mask = &call->mask;
    const uint64_t n = call->w->nrows;
    plan->allowed = n;
    if (mask->M == NULL) return GBL_SUCCESS;
    if (plan->few) {
        plan->allowed = mask->complement ? n - mask->M->nvals : mask->M->nvals;
        return GBL_SUCCESS;
    }
    const gbl_Info info = gb_mask_bytes(&hold->allowed, mask, n);
    if (info != GBL_SUCCESS) return info;
    plan->allowed = 0;
    for (uint64_t k = 0; k < n; k++) plan->allowed += (uint64_t)hold->allowed[k];
    return GBL_SUCCESS;
}

/* Tiles are multiplied into arrays as long as the vectors. Where these far outnumber the entries of
 * A, it is used as lists, which tiles become at the cost of their entries. */
static gbl_Info leave_tiles(const gb_MxvCall *call) {
    const gb_Matrix *A = call->A;
    gb_CsView view;
    if (!gb_only_tiles(A) || (A->nrows + A->ncols) / GB_FEW <= A->nvals) return GBL_SUCCESS;
    return gb_need(call->A, gb_has(A) & gb_tiles_bit(GB_CSR) ? GB_CSR : GB_CSC, &view);
}

static gbl_Info multiply(const gb_MxvCall *call, gbl_Desc_Value method, gb_MxvHold *hold,
                         gb_Result *T) {
    const double start = gb_seconds();
    const bool by_rows = call->transpose == call->u_is_left;
    gb_MxvPlan plan = {.method = method,
                       .by_rows = by_rows ? GB_CSR : GB_CSC,
                       .by_columns = by_rows ? GB_CSC : GB_CSR};
    gbl_Info info = leave_tiles(call);
    if (info == GBL_SUCCESS && call->mask.M != NULL) info = gb_assemble(call->mask.M);
    if (info == GBL_SUCCESS) info = count_few(&plan, call);
    if (info == GBL_SUCCESS) info = get_mask(&plan, call, hold);
    if (info != GBL_SUCCESS) return info;
    if (!plan.few) plan.products = (double)call->u->nvals * mean_column(call, &plan);
    choose(&plan, call);
    explain_plan(hold->why, &plan, call);
    const double planned = gb_seconds();
    info = run(call, &plan, hold, T);
    if (info != GBL_SUCCESS) return info;
    gbl_Explanation *why = hold->why;
    why->nvals = T->is_dense ? T->dense.nvals : T->cs.nvals;
    why->seconds_prepare = planned - start;
    why->seconds_kernel = gb_seconds() - planned;
    return GBL_SUCCESS;
}

/* The form that is asked for: by the descriptor, where it is clear that it means this call, or else
 * by GBLITE_METHOD, whose methods of mxm leave vectors alone. */
static gbl_Info get_method(gbl_Desc_Value *method, const gb_MxvCall *call) {
    const gb_Choices *c = &call->choices;
    *method = c->method;
    if (c->method != GBL_DEFAULT && c->method != GBL_METHOD_PUSH && c->method != GBL_METHOD_PULL)
        return gb_fail(GBL_INVALID_VALUE, call->w,
                       "the descriptor's GBL_METHOD, %d, is for products of matrices; for vectors "
                       "it may be GBL_METHOD_PUSH, GBL_METHOD_PULL or GBL_DEFAULT",
                       (int)c->method);
    if (c->workflow != GBL_DEFAULT || c->accumulators != 0 || c->registers != 0 ||
        c->bin_bytes != 0 || c->bin_lines != 0)
        return gb_fail(GBL_INVALID_VALUE, call->w,
                       "the descriptor's GBL_%s is for products of matrices; leave it at "
                       "GBL_DEFAULT for vectors",
                       c->workflow != GBL_DEFAULT ? "WORKFLOW"
                       : c->accumulators != 0     ? "ACCUMULATORS"
                       : c->registers != 0        ? "REGISTERS"
                       : c->bin_bytes != 0        ? "BIN_BYTES"
                                                  : "BIN_LINES");
    if (*method != GBL_DEFAULT) return GBL_SUCCESS;
    const gbl_Info info = gb_plan_environment(method, call->w);
    if (*method != GBL_METHOD_PUSH && *method != GBL_METHOD_PULL) *method = GBL_DEFAULT;
    return info;
}

gbl_Info gb_mxv(const gb_MxvCall *call) {
    const gb_Type *ztype = call->ring->add->op->ztype;
    gb_MxvHold hold = {0};
    gb_Result T = {.type = ztype, .format = GB_CSC, .masked = call->mask.M != NULL};
    uint64_t nnz_a = 0, nnz_u = 0;
    gbl_Desc_Value method = GBL_DEFAULT;
    gbl_Info info = check_shapes(call);
    if (info == GBL_SUCCESS) info = get_method(&method, call);
    if (info == GBL_SUCCESS)
        info = call->u_is_left ? gb_ring_check(call->ring, call->w, call->u->type, call->A->type)
                               : gb_ring_check(call->ring, call->w, call->A->type, call->u->type);
    if (info == GBL_SUCCESS) info = gb_check_output(call->w, &call->mask, call->accum, ztype);
    if (info == GBL_SUCCESS) info = gb_matrix_nvals(call->A, &nnz_a);
    if (info == GBL_SUCCESS) info = gb_matrix_nvals(call->u, &nnz_u);
    if (info != GBL_SUCCESS) return info;

    hold.why = gb_malloc(sizeof *hold.why);
    if (hold.why == NULL) return gb_fail_memory(call->w, sizeof *hold.why);
    *hold.why = (gbl_Explanation){.operation = call->u_is_left ? "vxm" : "mxv",
                                  .method = "none",
                                  .workflow = "none",
                                  .isa = gb_backend()->name,
                                  .place = "cpu",
                                  .place_reason = "vectors are multiplied on the CPU",
                                  .reason = "a factor is empty",
                                  .chosen = -1};
    T.cs = (gb_Cs){.nmajor = 1, .sorted = true};
    const bool nothing = call->mask.M == NULL && call->mask.complement;
    if (nnz_a > 0 && nnz_u > 0 && !nothing) info = multiply(call, method, &hold, &T);
    if (info == GBL_SUCCESS) {
        const double start = gb_seconds();
        info = gb_finish(call->w, &call->mask, call->accum, &T);
        hold.why->seconds_finish = gb_seconds() - start;
    }
    if (info == GBL_SUCCESS && gb_tracing() != GB_TRACE_OFF) gb_trace(hold.why);
    if (info == GBL_SUCCESS) {
        gb_matrix_set_note(call->w, (gb_Note){hold.why, sizeof *hold.why});
        hold.why = NULL;
    }
    release(&hold, call);
    return info;
}
