/* SPDX-License-Identifier: Apache-2.0
 *
 * Products of many factors: checks, the cheapest order by dynamic programming over i..j, orders as
 * people read them, and the products; see chain.h.
 */
#include "mxm/chain/chain.h"

#include <stdio.h>

#include "core/clock.h"
#include "mxm/mxm.h"
#include "ops/finish.h"

/* -- order ------------------------------------------------------------------------------------- */

/* Where to cut i..j, the last product of it: i..m times m+1..j with m = cut[i][j]. */
typedef struct {
    uint8_t cut[GB_CHAIN_MOST][GB_CHAIN_MOST];
} gb_ChainOrder;

/* 0: the product's rows are fetched from the second cache, 1: from memory. */
static double distance_of(double entries) {
    const double near = log(GB_CHAIN_NEAR_BYTES), far = log(GB_CHAIN_FAR_BYTES);
    return fmin(1.0, fmax(0.0, (log(entries * GB_CHAIN_ENTRY_BYTES) - near) / (far - near)));
}

/* Seconds of one thread for i..m times m+1..j. The entries of the whole chain are not known, and
 * the same for every order. */
static double product_seconds(const gb_ChainSizes *s, int i, int m, int j) {
    const double far = distance_of(s->entries[m + 1][j]);
    const double product =
        GB_NS_CHAIN_PRODUCT + far * (GB_NS_CHAIN_PRODUCT_FAR - GB_NS_CHAIN_PRODUCT);
    const double left = GB_NS_CHAIN_LEFT + far * (GB_NS_CHAIN_LEFT_FAR - GB_NS_CHAIN_LEFT);
    return 1e-9 * (product * gb_chain_flops(s, i, m, j) + left * s->entries[i][m] +
                   GB_NS_CHAIN_ENTRY * s->entries[i][j]);
}

/* The cheapest of all orders, O(n^3). */
static void choose_order(gb_ChainOrder *order, const gb_ChainSizes *s) {
    double best[GB_CHAIN_MOST][GB_CHAIN_MOST];
    for (int f = 0; f < s->n; f++) best[f][f] = 0.0;
    for (int length = 2; length <= s->n; length++)
        for (int i = 0; i + length <= s->n; i++) {
            const int j = i + length - 1;
            best[i][j] = INFINITY;
            for (int m = i; m < j; m++) {
                const double seconds = best[i][m] + best[m + 1][j] + product_seconds(s, i, m, j);
                if (seconds >= best[i][j]) continue;
                best[i][j] = seconds;
                order->cut[i][j] = (uint8_t)m;
            }
        }
}

/* -- orders as a plan shows them */

typedef struct {
    const gb_ChainSizes *sizes;
    const gb_ChainOrder *order;
    gbl_ChainOrder *shown;
    size_t used; /* of its text */
    int steps;
} gb_Showing;

static void append(gb_Showing *w, const char *text) {
    const size_t size = sizeof w->shown->text;
    if (w->used < size)
        w->used += (size_t)snprintf(w->shown->text + w->used, size - w->used, "%s", text);
}

/* i..j, of which the first factor has index `at` among those left. */
static void show(gb_Showing *w, int i, int j, int at) {
    char name[16];
    if (i == j) {
        snprintf(name, sizeof name, "A%d", i + 1);
        append(w, name);
        return;
    }
    const int m = w->order->cut[i][j];
    const bool whole = i == 0 && j == w->sizes->n - 1;
    if (!whole) append(w, "(");
    show(w, i, m, at);
    append(w, " ");
    show(w, m + 1, j, at + 1);
    if (!whole) append(w, ")");
    w->shown->step[w->steps++] = (uint8_t)at;
    w->shown->flops += gb_chain_flops(w->sizes, i, m, j);
    w->shown->entries += whole ? 0.0 : w->sizes->entries[i][j];
    w->shown->seconds += product_seconds(w->sizes, i, m, j);
}

static void add_order(gbl_ChainPlan *plan, const gb_ChainOrder *order, const gb_ChainSizes *sizes) {
    gb_Showing w = {sizes, order, &plan->orders[plan->norders], 0, 0};
    *w.shown = (gbl_ChainOrder){.flops = 0.0};
    show(&w, 0, sizes->n - 1, 0);
    plan->norders++;
}

enum { ALL_SHOWN = 5 }; /* chains of which every order is shown */

/* Binary trees of so many leaves. */
static int tree_count(unsigned leaves) {
    static const int catalan[ALL_SHOWN + 1] = {0, 1, 1, 2, 5, 14};
    return catalan[leaves];
}

/* The tree of that number over i..j; numbers run from 0, left to right first. */
static void number_tree(gb_ChainOrder *order, unsigned i, unsigned j, int number) {
    if (i >= j || j >= ALL_SHOWN) return;
    for (unsigned m = j; m-- > i;) {
        const int right = tree_count(j - m), count = tree_count(m - i + 1) * right;
        if (number < count) {
            order->cut[i][j] = (uint8_t)m;
            number_tree(order, i, m, number / right);
            number_tree(order, m + 1, j, number % right);
            return;
        }
        number -= count;
    }
}

/* The plan that shows the order. */
static void explain_order(gbl_ChainPlan *plan, const gb_ChainOrder *best,
                          const gb_ChainSizes *sizes) {
    const int n = sizes->n;
    gb_ChainOrder order;
    plan->nfactors = n;
    plan->norders = 0;
    for (int k = 0; n <= ALL_SHOWN && k < tree_count((unsigned)n); k++) {
        number_tree(&order, 0, (unsigned)n - 1, k);
        add_order(plan, &order, sizes);
    }
    for (int right = 0; n > ALL_SHOWN && right < 2; right++) {
        for (int i = 0; i < n; i++)
            for (int j = i + 1; j < n; j++) order.cut[i][j] = (uint8_t)(right ? i : j - 1);
        add_order(plan, &order, sizes);
    }
    if (n > ALL_SHOWN) add_order(plan, best, sizes);
    gbl_ChainOrder wanted;
    gb_Showing w = {sizes, best, &wanted, 0, 0};
    wanted = (gbl_ChainOrder){.flops = 0.0};
    show(&w, 0, n - 1, 0);
    plan->chosen = 0;
    while (memcmp(plan->orders[plan->chosen].step, wanted.step, (size_t)n - 1) != 0) plan->chosen++;
}

static uint64_t rows_of(const gb_ChainCall *call, int f) {
    return gb_chain_transposed(call, f) ? call->A[f]->ncols : call->A[f]->nrows;
}

static uint64_t columns_of(const gb_ChainCall *call, int f) {
    return gb_chain_transposed(call, f) ? call->A[f]->nrows : call->A[f]->ncols;
}

static gbl_Info check_inner(const gb_ChainCall *call) {
    for (int f = 0; f + 1 < call->count; f++) {
        const uint64_t k = columns_of(call, f), rows = rows_of(call, f + 1);
        if (k == rows) continue;
        return gb_fail(GBL_DIMENSION_MISMATCH,
                       "A[%d]%s has %llu columns and A[%d]%s has %llu rows; they must be equal", f,
                       gb_chain_transposed(call, f) ? "'" : "", (unsigned long long)k, f + 1,
                       gb_chain_transposed(call, f + 1) ? "'" : "", (unsigned long long)rows);
    }
    return GBL_SUCCESS;
}

/* A product between may be either factor of the next one. */
static gbl_Info check_ring(const gb_ChainCall *call) {
    const gb_BinaryOp *multiply = call->ring->multiply;
    const gb_Type *type = call->ring->add->op->ztype;
    if (call->count > 2 && (multiply->xtype != type || multiply->ytype != type))
        return gb_fail(GBL_DOMAIN_MISMATCH,
                       "the semiring's multiplication must take the type that it makes, since a "
                       "product is a factor of the next one");
    for (int f = 0; f + 1 < call->count; f++) {
        const gbl_Info info = gb_ring_check(call->ring, call->A[f]->type, call->A[f + 1]->type);
        if (info != GBL_SUCCESS) return info;
    }
    return GBL_SUCCESS;
}

gbl_Info gb_chain_check(const gb_ChainCall *call) {
    const gb_Matrix *C = call->C;
    gbl_Info info = check_inner(call);
    if (info == GBL_SUCCESS) info = check_ring(call);
    if (info != GBL_SUCCESS || C == NULL) return info;
    const uint64_t m = rows_of(call, 0), n = columns_of(call, call->count - 1);
    if (C->nrows != m || C->ncols != n)
        return gb_fail(GBL_DIMENSION_MISMATCH, "C is %llu x %llu, but the product is %llu x %llu",
                       (unsigned long long)C->nrows, (unsigned long long)C->ncols,
                       (unsigned long long)m, (unsigned long long)n);
    return gb_check_output(C, &call->mask, call->accum, call->ring->add->op->ztype);
}

/* The order that follows from the sizes; `plan`, or NULL, explains it. */
static gbl_Info plan_chain(gb_ChainOrder *order, gbl_ChainPlan *plan, const gb_ChainCall *call) {
    const double start = gb_seconds();
    uint64_t nvals;
    gbl_Info info = GBL_SUCCESS;
    gb_ChainSizes *sizes = gb_calloc(sizeof *sizes);
    if (sizes == NULL) return gb_fail_memory(sizeof *sizes);
    for (int f = 0; f < call->count && info == GBL_SUCCESS; f++)
        info = gb_matrix_nvals(call->A[f], &nvals);
    if (info == GBL_SUCCESS) info = gb_chain_measure(sizes, call);
    if (info == GBL_SUCCESS) choose_order(order, sizes);
    if (info == GBL_SUCCESS && plan != NULL) {
        const double planned = gb_seconds();
        explain_order(plan, order, sizes);
        plan->seconds_plan = planned - start;
    }
    gb_chain_release(sizes);
    gb_free(sizes, sizeof *sizes);
    return info;
}

static gbl_Info multiply(const gb_ChainCall *call, const gb_ChainOrder *order, int i, int j,
                         gb_Matrix *C);

/* i..j: a factor, or a new matrix *made. */
static gbl_Info operand(const gb_ChainCall *call, const gb_ChainOrder *order, int i, int j,
                        gb_Matrix **made) {
    if (i == j) return GBL_SUCCESS;
    gb_Type *type = (gb_Type *)call->ring->add->op->ztype;
    gbl_Info info =
        gb_matrix_new(made, GB_MAGIC_MATRIX, type, rows_of(call, i), columns_of(call, j));
    return info == GBL_SUCCESS ? multiply(call, order, i, j, *made) : info;
}

/* i..j into C, which is the call's for the whole chain. */
static gbl_Info multiply(const gb_ChainCall *call, const gb_ChainOrder *order, int i, int j,
                         gb_Matrix *C) {
    const int m = order->cut[i][j];
    const bool whole = C == call->C;
    const uint64_t *told = call->told;
    const gb_ReportedShape shape = {told != NULL ? told[i] : 0, told != NULL ? told[m + 1] : 0,
                                    told != NULL ? told[j + 1] : 0};
    gb_Matrix *left = NULL, *right = NULL;
    gbl_Info info = operand(call, order, i, m, &left);
    if (info == GBL_SUCCESS) info = operand(call, order, m + 1, j, &right);
    if (info == GBL_SUCCESS)
        info = gb_mxm(&(gb_MxmCall){.C = C,
                                    .mask = whole ? call->mask : (gb_Mask){.M = NULL},
                                    .accum = whole ? call->accum : NULL,
                                    .ring = call->ring,
                                    .A = left != NULL ? left : call->A[i],
                                    .B = right != NULL ? right : call->A[j],
                                    .transpose_a = i == m && gb_chain_transposed(call, i),
                                    .transpose_b = m + 1 == j && gb_chain_transposed(call, j),
                                    .choices = call->choices,
                                    .told = told != NULL ? &shape : NULL});
    gb_matrix_free(left);
    gb_matrix_free(right);
    return info;
}

gbl_Info gb_mxm_chain(const gb_ChainCall *call) {
    gb_ChainOrder order;
    gbl_Info info = gb_chain_check(call);
    order.cut[0][1] = 0;
    if (info == GBL_SUCCESS && call->count > 2) info = plan_chain(&order, NULL, call);
    return info == GBL_SUCCESS ? multiply(call, &order, 0, call->count - 1, call->C) : info;
}

gbl_Info gb_mxm_chain_plan(gbl_ChainPlan *plan, const gb_ChainCall *call) {
    gb_ChainOrder order;
    const gbl_Info info = gb_chain_check(call);
    return info == GBL_SUCCESS ? plan_chain(&order, plan, call) : info;
}
