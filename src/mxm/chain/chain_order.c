/* SPDX-License-Identifier: Apache-2.0
 *
 * The cheapest order of a chain, by dynamic programming over i..j, and orders as people read them.
 * Pure functions of the sizes.
 */
#include "mxm/chain/chain.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "mxm/machine/cost_table.h"

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

void gb_chain_choose(gb_ChainOrder *order, const gb_ChainSizes *s) {
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

/* i..j, of which the first factor is at place `at` of those that are left. */
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

static bool same_order(const gbl_ChainOrder *a, const gbl_ChainOrder *b, int n) {
    return memcmp(a->step, b->step, (size_t)n - 1) == 0;
}

void gb_chain_explain(gbl_ChainPlan *plan, const gb_ChainOrder *best, const gb_ChainSizes *sizes) {
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
    while (!same_order(&plan->orders[plan->chosen], &wanted, n)) plan->chosen++;
}
