/* SPDX-License-Identifier: Apache-2.0
 *
 * Operations of the oracle. Each computes T, a dense matrix of the operator's type, and hands it to
 * o_write, the only place where mask, accumulator and replace are known.
 */
#include "support/oracle.h"

#include <stdlib.h>
#include <string.h>

o_Matrix o_new(o_Type type, gbl_Index nrows, gbl_Index ncols) {
    const size_t cells = (size_t)(nrows * ncols);
    return (o_Matrix){type, nrows, ncols, calloc(cells > 0 ? cells : 1, sizeof(o_Cell))};
}

o_Matrix o_copy(const o_Matrix *A) {
    o_Matrix C = o_new(A->type, A->nrows, A->ncols);
    memcpy(C.x, A->x, (size_t)(A->nrows * A->ncols) * sizeof(o_Cell));
    return C;
}

void o_free(o_Matrix *A) {
    free(A->x);
    A->x = NULL;
}

o_Matrix o_as_row(const o_Matrix *v) {
    return (o_Matrix){v->type, v->ncols, v->nrows, v->x};
}

gbl_Index o_count(const o_Matrix *A) {
    gbl_Index n = 0;
    for (gbl_Index p = 0; p < A->nrows * A->ncols; p++) n += A->x[p].has;
    return n;
}

/* -------------------------------------------------------------------- C<M, replace> accum= T -- */

/* Z = C accum T: both present, the accumulator; one present, that one; each in C's type. */
static o_Cell accumulate(const o_Rule *rule, o_Type ct, o_Cell c, o_Type tt, o_Cell t) {
    if (rule->accum == NULL || !c.has) {
        o_Cell z = {t.has, t.v};
        if (t.has) z.v = o_cast(ct, tt, t.v);
        return z;
    }
    if (!t.has) return c;
    o_Cell z = {true, o_binary_cast(rule->accum, ct, c.v, tt, t.v)};
    z.v = o_cast(ct, rule->accum->z, z.v);
    return z;
}

static bool allowed(const o_Rule *rule, gbl_Index p) {
    bool m = true;
    if (rule->mask != NULL) {
        const o_Cell *cell = &rule->mask->x[p];
        m = cell->has && (rule->structural || o_truth(rule->mask->type, &cell->v));
    }
    return rule->comp ? !m : m;
}

static o_Cell write_cell(const o_Rule *rule, const o_Matrix *C, gbl_Index p, o_Type tt, o_Cell t) {
    if (allowed(rule, p)) return accumulate(rule, C->type, C->x[p], tt, t);
    if (!rule->replace) return C->x[p];
    o_Cell none;
    memset(&none, 0, sizeof none);
    return none;
}

static void write_all(o_Matrix *C, const o_Rule *rule, const o_Matrix *T) {
    for (gbl_Index p = 0; p < C->nrows * C->ncols; p++)
        C->x[p] = write_cell(rule, C, p, T->type, T->x[p]);
}

/* ---------------------------------------------------------------------------------- products -- */

static const o_Cell *at(const o_Matrix *A, bool transposed, gbl_Index i, gbl_Index j) {
    return transposed ? &A->x[j * A->ncols + i] : &A->x[i * A->ncols + j];
}

static gbl_Index rows(const o_Matrix *A, bool transposed) {
    return transposed ? A->ncols : A->nrows;
}

static o_Value product(const o_Product *of, const o_Cell *a, const o_Cell *b, o_Place place) {
    const o_Binary *op = &of->ring->multiply;
    if (op->op >= O_FIRSTI && op->op <= O_SECONDJ) return o_binary(op, a->v, b->v, place);
    return o_binary(op, o_cast(op->x, of->A->type, a->v), o_cast(op->y, of->B->type, b->v), place);
}

/* Does t, written to cell p of C, give what the library has there? */
static bool explains(const o_Matrix *C, const o_Rule *rule, const o_Matrix *found, gbl_Index p,
                     o_Type tt, o_Value t) {
    const o_Cell z = write_cell(rule, C, p, tt, (o_Cell){true, t});
    return z.has == found->x[p].has && (!z.has || o_same(C->type, &z.v, &found->x[p].v));
}

static void multiply_row(const o_Matrix *C, o_Matrix *T, const o_Rule *rule, const o_Product *of,
                         gbl_Index i) {
    const gbl_Index inner = rows(of->A, !rule->tran0);
    const o_Binary *add = &of->ring->add;
    for (gbl_Index k = 0; k < inner; k++) {
        const o_Cell *a = at(of->A, rule->tran0, i, k);
        if (!a->has) continue;
        for (gbl_Index j = 0; j < T->ncols; j++) {
            const o_Cell *b = at(of->B, rule->tran1, k, j);
            if (!b->has) continue;
            const gbl_Index p = i * T->ncols + j;
            const o_Value z = product(of, a, b, (o_Place){i, k, j});
            o_Cell *t = &T->x[p];
            if (!t->has)
                *t = (o_Cell){true, z};
            else if (add->op != O_ANY)
                t->v = o_binary(add, t->v, z, (o_Place){0, 0, 0});
            else if (of->found != NULL && explains(C, rule, of->found, p, add->z, z))
                t->v = z;
        }
    }
}

void o_mxm(o_Matrix *C, const o_Rule *rule, const o_Product *product_of) {
    o_Matrix T = o_new(product_of->ring->add.z, rows(product_of->A, rule->tran0),
                       rows(product_of->B, !rule->tran1));
    for (gbl_Index i = 0; i < T.nrows; i++) multiply_row(C, &T, rule, product_of, i);
    write_all(C, rule, &T);
    o_free(&T);
}

/* ---------------------------------------------------------------------------- entry by entry -- */

void o_ewise(o_Matrix *C, const o_Rule *rule, const o_Binary *op, const o_Pair *pair) {
    o_Matrix T = o_new(op->z, C->nrows, C->ncols);
    for (gbl_Index i = 0; i < T.nrows; i++) {
        for (gbl_Index j = 0; j < T.ncols; j++) {
            const o_Cell *a = at(pair->A, rule->tran0, i, j), *b = at(pair->B, rule->tran1, i, j);
            o_Cell *t = &T.x[i * T.ncols + j];
            if (a->has && b->has) {
                *t = (o_Cell){true, o_binary_cast(op, pair->A->type, a->v, pair->B->type, b->v)};
            } else if (!pair->both && (a->has || b->has)) {
                const o_Matrix *from = a->has ? pair->A : pair->B;
                *t = (o_Cell){true, o_cast(op->z, from->type, a->has ? a->v : b->v)};
            }
        }
    }
    write_all(C, rule, &T);
    o_free(&T);
}

void o_apply(o_Matrix *C, const o_Rule *rule, const o_Unary *op, const o_Matrix *A) {
    o_Matrix T = o_new(op->z, C->nrows, C->ncols);
    for (gbl_Index i = 0; i < T.nrows; i++) {
        for (gbl_Index j = 0; j < T.ncols; j++) {
            const o_Cell *a = at(A, rule->tran0, i, j);
            if (!a->has) continue;
            T.x[i * T.ncols + j] = (o_Cell){true, o_unary(op, o_cast(op->x, A->type, a->v))};
        }
    }
    write_all(C, rule, &T);
    o_free(&T);
}

void o_apply_bound(o_Matrix *C, const o_Rule *rule, const o_Bound *bound, const o_Matrix *A) {
    const o_Binary *op = bound->op;
    const bool tran = bound->first ? rule->tran1 : rule->tran0;
    o_Matrix T = o_new(op->z, C->nrows, C->ncols);
    for (gbl_Index i = 0; i < T.nrows; i++) {
        for (gbl_Index j = 0; j < T.ncols; j++) {
            const o_Cell *a = at(A, tran, i, j);
            if (!a->has) continue;
            T.x[i * T.ncols + j] = (o_Cell){
                true, bound->first ? o_binary_cast(op, bound->type, bound->x, A->type, a->v)
                                   : o_binary_cast(op, A->type, a->v, bound->type, bound->x)};
        }
    }
    write_all(C, rule, &T);
    o_free(&T);
}

/* positional operators do not look at the value, so it is not cast for them */
static o_Value indexed(const o_Indexed *by, const o_Matrix *A, const o_Cell *a, o_Place place) {
    const o_Index *op = by->op;
    const bool looks = op->op == O_USER || op->op >= O_VALUEEQ;
    const o_Value x = looks ? o_cast(op->x, A->type, a->v) : a->v;
    return o_index(op, x, place.i, place.j, o_cast(op->y, by->type, by->y));
}

void o_apply_index(o_Matrix *C, const o_Rule *rule, const o_Indexed *op, const o_Matrix *A) {
    o_Matrix T = o_new(op->op->z, C->nrows, C->ncols);
    for (gbl_Index i = 0; i < T.nrows; i++) {
        for (gbl_Index j = 0; j < T.ncols; j++) {
            const o_Cell *a = at(A, rule->tran0, i, j);
            if (!a->has) continue;
            T.x[i * T.ncols + j] = (o_Cell){true, indexed(op, A, a, (o_Place){i, 0, j})};
        }
    }
    write_all(C, rule, &T);
    o_free(&T);
}

void o_select(o_Matrix *C, const o_Rule *rule, const o_Indexed *op, const o_Matrix *A) {
    o_Matrix T = o_new(A->type, C->nrows, C->ncols);
    for (gbl_Index i = 0; i < T.nrows; i++) {
        for (gbl_Index j = 0; j < T.ncols; j++) {
            const o_Cell *a = at(A, rule->tran0, i, j);
            if (!a->has) continue;
            const o_Value keep = indexed(op, A, a, (o_Place){i, 0, j});
            if (o_truth(op->op->z, &keep)) T.x[i * T.ncols + j] = *a;
        }
    }
    write_all(C, rule, &T);
    o_free(&T);
}

/* ---------------------------------------------------------------------------- the whole of A -- */

void o_transpose(o_Matrix *C, const o_Rule *rule, const o_Matrix *A) {
    o_Matrix T = o_new(A->type, C->nrows, C->ncols);
    for (gbl_Index i = 0; i < T.nrows; i++)
        for (gbl_Index j = 0; j < T.ncols; j++) T.x[i * T.ncols + j] = *at(A, !rule->tran0, i, j);
    write_all(C, rule, &T);
    o_free(&T);
}

void o_assign(o_Matrix *C, const o_Rule *rule, const o_Matrix *A) {
    o_Matrix T = o_new(A->type, C->nrows, C->ncols);
    for (gbl_Index i = 0; i < T.nrows; i++)
        for (gbl_Index j = 0; j < T.ncols; j++) T.x[i * T.ncols + j] = *at(A, rule->tran0, i, j);
    write_all(C, rule, &T);
    o_free(&T);
}

void o_assign_value(o_Matrix *C, const o_Rule *rule, o_Type type, o_Value x) {
    o_Matrix T = o_new(type, C->nrows, C->ncols);
    for (gbl_Index p = 0; p < T.nrows * T.ncols; p++) T.x[p] = (o_Cell){true, x};
    write_all(C, rule, &T);
    o_free(&T);
}

/* Accumulates inside the region first; then the whole of C is written through the mask. */
void o_assign_at(o_Matrix *C, const o_Rule *rule, const o_Region *region, const o_Matrix *A) {
    o_Matrix Z = o_copy(C);
    for (gbl_Index a = 0; a < region->ni; a++) {
        for (gbl_Index b = 0; b < region->nj; b++) {
            const gbl_Index p = region->I[a] * C->ncols + region->J[b];
            Z.x[p] = accumulate(rule, C->type, C->x[p], A->type, *at(A, rule->tran0, a, b));
        }
    }
    o_Rule whole = *rule;
    whole.accum = NULL;
    write_all(C, &whole, &Z);
    o_free(&Z);
}

void o_assign_line(o_Matrix *C, const o_Rule *rule, const o_Line *line, const o_Matrix *u) {
    const gbl_Index length = line->is_row ? C->ncols : C->nrows;
    const gbl_Index first = line->is_row ? line->line * C->ncols : line->line;
    const gbl_Index step = line->is_row ? 1 : C->ncols, zero = 0;
    const o_Region region = {line->list, &zero, line->n, 1};
    o_Matrix w = o_new(C->type, length, 1);
    for (gbl_Index k = 0; k < length; k++) w.x[k] = C->x[first + k * step];
    o_assign_at(&w, rule, &region, u);
    for (gbl_Index k = 0; k < length; k++) C->x[first + k * step] = w.x[k];
    o_free(&w);
}

void o_extract(o_Matrix *C, const o_Rule *rule, const o_Region *region, const o_Matrix *A) {
    o_Matrix T = o_new(A->type, C->nrows, C->ncols);
    for (gbl_Index i = 0; i < T.nrows; i++)
        for (gbl_Index j = 0; j < T.ncols; j++)
            T.x[i * T.ncols + j] = *at(A, rule->tran0, region->I[i], region->J[j]);
    write_all(C, rule, &T);
    o_free(&T);
}

void o_kronecker(o_Matrix *C, const o_Rule *rule, const o_Binary *op, const o_Pair *pair) {
    const o_Matrix *A = pair->A, *B = pair->B;
    const gbl_Index m = rows(B, rule->tran1), n = rows(B, !rule->tran1);
    o_Matrix T = o_new(op->z, C->nrows, C->ncols);
    for (gbl_Index i = 0; i < T.nrows; i++) {
        for (gbl_Index j = 0; j < T.ncols; j++) {
            const o_Cell *a = at(A, rule->tran0, i / m, j / n);
            const o_Cell *b = at(B, rule->tran1, i % m, j % n);
            if (!a->has || !b->has) continue;
            T.x[i * T.ncols + j] = (o_Cell){true, o_binary_cast(op, A->type, a->v, B->type, b->v)};
        }
    }
    write_all(C, rule, &T);
    o_free(&T);
}

static void join(const o_Binary *op, o_Cell *sum, o_Type type, const o_Cell *a) {
    if (!a->has) return;
    const o_Value v = o_cast(op->z, type, a->v);
    *sum = (o_Cell){true, sum->has ? o_binary(op, sum->v, v, (o_Place){0, 0, 0}) : v};
}

void o_reduce_rows(o_Matrix *w, const o_Rule *rule, const o_Binary *op, const o_Matrix *A) {
    o_Matrix T = o_new(op->z, w->nrows, 1);
    for (gbl_Index i = 0; i < T.nrows; i++)
        for (gbl_Index j = 0; j < rows(A, !rule->tran0); j++)
            join(op, &T.x[i], A->type, at(A, rule->tran0, i, j));
    write_all(w, rule, &T);
    o_free(&T);
}

o_Cell o_reduce(const o_Binary *op, const o_Matrix *A) {
    o_Cell sum;
    memset(&sum, 0, sizeof sum);
    for (gbl_Index p = 0; p < A->nrows * A->ncols; p++) join(op, &sum, A->type, &A->x[p]);
    return sum;
}
