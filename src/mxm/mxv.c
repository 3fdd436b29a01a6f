/* SPDX-License-Identifier: Apache-2.0
 *
 * w<m> accum= op(A) * u and u * op(A): the n x 1 case of the product, in two forms.
 *
 * Call R the matrix whose rows are the positions of w: op(A), or its transpose when u is on the
 * left. pull reads R by rows, for every position that may be written; push reads R by columns, for
 * every entry of u. The choice compares the entries each would look at; a semiring whose sums end
 * early (ANY, LOR) lets pull stop after the first hit. A is used as tiles where it is held as
 * nothing else; rows are faster where both are there (docs/tile_format.md).
 *
 * When the better form wants a representation that does not exist, the matrix remembers what having
 * it would have saved; once the sum of these savings would have paid for the conversion, it is
 * made. So a single product never waits for a conversion that it does not repay, and a graph that
 * is searched often gets its transpose: at most twice the time of the best choice in hindsight.
 */
#include "mxm/explain/explain.h"

#include <stdlib.h>
#include <string.h>

#include "core/clock.h"
#include "core/context.h"
#include "core/tune.h"
#include "mxm/machine/cost_table.h"
#include "mxm/mxm.h"
#include "mxm/ring.h"
#include "ops/finish.h"

typedef struct {
    bool push, tiles;
    gb_Format by_rows, by_columns; /* formats of A that are R by rows, by columns */
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

/* Nanoseconds of each form, conversions apart; `edges` is the number of entries that push meets. A
 * random entry of R then hits u with probability edges / nnz, so a sum that ends early looks at
 * nnz / edges entries. */
static double pull_ns(const gb_MxvCall *call, uint64_t allowed, double edges) {
    const double rows = (double)call->w->nrows + 1.0;
    const double mean = (double)call->A->nvals / rows;
    const gb_Opcode add = call->ring->add->op->code;
    const double until_hit = (double)call->A->nvals / (edges + 1.0);
    const bool ends_early = (add == GB_ANY || add == GB_LOR) && until_hit < mean;
    return rows * GB_NS_SWEEP +
           (double)allowed * (ends_early ? until_hit : mean) * GB_NS_PULL_ENTRY;
}

static double push_ns(const gb_MxvCall *call, double edges) {
    return (double)call->w->nrows * GB_NS_SWEEP +
           ((double)call->u->nvals + edges) * GB_NS_PUSH_ENTRY;
}

/* Whether the representation exists, or is worth making for a saving of so many nanoseconds. */
static bool can_use(gb_Matrix *A, gb_Format format, double saving) {
    if (is_held(A, format)) return true;
    if (saving <= 0.0) return false;
    const uint64_t demand =
        __atomic_add_fetch(&A->demand[format], (uint64_t)saving + 1, __ATOMIC_RELAXED);
    return (double)demand >= (double)A->nvals * GB_NS_CONVERT;
}

static gbl_Candidate way(const char *method, bool tiles, double ns, const char *why_not) {
    return (gbl_Candidate){.method = method,
                           .workflow = tiles ? "tiles" : "one pass",
                           .place = "cpu",
                           .legal = why_not == NULL,
                           .why_not = why_not,
                           .seconds = 1e-9 * ns,
                           .seconds_kernel = 1e-9 * ns,
                           .slices = 1};
}

static void choose(gb_MxvPlan *plan, const gb_MxvCall *call, uint64_t allowed) {
    plan->by_rows = call->transpose == call->u_is_left ? GB_CSR : GB_CSC;
    plan->by_columns = plan->by_rows == GB_CSR ? GB_CSC : GB_CSR;
    const double edges = (double)call->u->nvals * mean_column(call, plan);
    const double pull = pull_ns(call, allowed, edges), push = push_ns(call, edges);
    const bool can_pull = can_use(call->A, plan->by_rows, push - pull);
    const bool can_push = can_use(call->A, plan->by_columns, pull - push);
    plan->push = can_push && (push < pull || !can_pull);
    const gb_Format format = plan->push ? plan->by_columns : plan->by_rows;
    plan->tiles = by_tiles(call->A, format);
    plan->ways[0] = way("push", by_tiles(call->A, plan->by_columns), push,
                        can_push ? NULL : "columns would not repay the conversion yet");
    plan->ways[1] = way("pull", by_tiles(call->A, plan->by_rows), pull,
                        can_pull ? NULL : "rows would not repay the conversion yet");
}

static void explain_plan(gbl_Explanation *why, const gb_MxvPlan *plan, const gb_MxvCall *call,
                         uint64_t allowed) {
    const gb_Matrix *left = call->u_is_left ? call->u : call->A;
    const gb_Matrix *right = call->u_is_left ? call->A : call->u;
    memcpy(why->candidates, plan->ways, sizeof plan->ways);
    why->ncandidates = 2;
    why->chosen = plan->push ? 0 : 1;
    why->method = plan->ways[why->chosen].method;
    why->workflow = plan->ways[why->chosen].workflow;
    why->seconds_predicted = plan->ways[why->chosen].seconds;
    why->nrows = call->u_is_left ? 1 : call->w->nrows;
    why->inner = call->u->nrows;
    why->ncols = call->u_is_left ? call->w->nrows : 1;
    why->nnz_a = left->nvals;
    why->nnz_b = right->nvals;
    why->nnz_mask = call->mask.M != NULL ? call->mask.M->nvals : 0;
    why->mask_density = (double)allowed / (double)call->w->nrows;
    why->formats_a = gb_has(left) & ~(unsigned)GB_HAS_TILES_OF_COLUMNS;
    why->formats_b = gb_has(right) & ~(unsigned)GB_HAS_TILES_OF_COLUMNS;
    why->iso_a = left->iso;
    why->iso_b = right->iso;
    why->machine = gb_machine()->source;
}

typedef struct {
    gb_Operand A, u;
    gb_TileOperand tiles;
    gb_DenseOperand u_dense;
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

static gbl_Info run(const gb_MxvCall *call, const gb_MxvPlan *plan, gb_MxvHold *hold,
                    gb_Result *T) {
    const gb_Type *left = gb_ring_left_type(call->ring);
    const gb_Type *right = gb_ring_right_type(call->ring);
    const gb_Type *utype = call->u_is_left ? left : right;
    const gb_Type *atype = call->u_is_left ? right : left;
    const gb_Format format = plan->push ? plan->by_columns : plan->by_rows;
    gbl_Info info = plan->tiles ? gb_tile_operand_get(&hold->tiles, call->A, format, atype)
                                : gb_operand_get(&hold->A, call->A, format, atype);
    if (info == GBL_SUCCESS)
        info = plan->push ? gb_operand_get(&hold->u, call->u, GB_CSC, utype)
                          : gb_dense_operand_get(&hold->u_dense, call->u, utype);
    if (info != GBL_SUCCESS) return info;
    const void *ax = plan->tiles ? hold->tiles.view.x : hold->A.view.x;
    const bool a_iso = plan->tiles ? hold->tiles.view.iso : hold->A.view.iso;
    const void *ux = plan->push ? hold->u.view.x : hold->u_dense.view.x;
    const bool u_iso = plan->push ? hold->u.view.iso : hold->u_dense.view.iso;
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
        .nthreads = gb_nthreads(),
    };
    const gb_Backend *backend = gb_backend();
    T->is_dense = plan->tiles || !plan->push;
    if (plan->tiles)
        return plan->push ? backend->mxv_push_tiles(&args, &T->dense)
                          : backend->mxv_pull_tiles(&args, &T->dense);
    return plan->push ? backend->mxv_push(&args, &T->cs) : backend->mxv_pull(&args, &T->dense);
}

static gbl_Info multiply(const gb_MxvCall *call, gb_MxvHold *hold, gb_Result *T) {
    const double start = gb_seconds();
    uint64_t allowed = call->w->nrows;
    gb_MxvPlan plan = {0};
    if (call->mask.M != NULL) {
        const gbl_Info info = gb_mask_bytes(&hold->allowed, &call->mask, call->w->nrows);
        if (info != GBL_SUCCESS) return info;
        allowed = 0;
        for (uint64_t k = 0; k < call->w->nrows; k++) allowed += (uint64_t)hold->allowed[k];
    }
    choose(&plan, call, allowed);
    explain_plan(hold->why, &plan, call, allowed);
    const double planned = gb_seconds();
    const gbl_Info info = run(call, &plan, hold, T);
    if (info != GBL_SUCCESS) return info;
    gbl_Explanation *why = hold->why;
    why->nvals = T->is_dense ? T->dense.nvals : T->cs.nvals;
    why->seconds_prepare = planned - start;
    why->seconds_kernel = gb_seconds() - planned;
    return GBL_SUCCESS;
}

gbl_Info gb_mxv(const gb_MxvCall *call) {
    const gb_Type *ztype = call->ring->add->op->ztype;
    gb_MxvHold hold = {0};
    gb_Result T = {.type = ztype, .format = GB_CSC, .masked = call->mask.M != NULL};
    uint64_t nnz_a = 0, nnz_u = 0;
    gbl_Info info = check_shapes(call);
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
    if (nnz_a > 0 && nnz_u > 0 && !nothing) info = multiply(call, &hold, &T);
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
