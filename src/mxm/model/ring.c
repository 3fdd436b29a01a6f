/* SPDX-License-Identifier: Apache-2.0
 *
 * Semirings as kernels see them.
 */
#include "mxm/model/call.h"

#include <stdio.h>

#include "ops/operations.h"

/* The multiplication sees the positions of A(i,k) and B(k,j). */
static void set_position(const gb_RingArgs *R, void *c, const void *a, const void *b,
                         gb_Triple at) {
    const gb_BinaryOp *op = R->ring->multiply;
    op->index(c, a, at.i, at.k, b, at.k, at.j, op->theta);
}

/* The values bring their positions. */
static void set_located(const gb_RingArgs *R, void *c, const void *a, const void *b, gb_Triple at) {
    (void)at;
    gb_apply_located(R->ring->multiply->located, c, a, b);
}

/* Stands for the values of a factor that the multiplication ignores; operators may load it. */
static const uint64_t ignored[2];

/* Initial value of an accumulator; see SR_ZERO in semiring/foreach.h. */
static const void *start_value(const gb_Monoid *add) {
    static const double nan64 = NAN;
    static const float nan32 = NAN;
    const bool ordered = add->op->code == GB_MIN || add->op->code == GB_MAX;
    if (ordered && add->op->ztype->code == GBL_FP64_CODE) return &nan64;
    if (ordered && add->op->ztype->code == GBL_FP32_CODE) return &nan32;
    return add->identity;
}

gb_RingArgs gb_ring_args(const gb_Semiring *ring, const void *Ax, bool a_iso, const void *Bx,
                         bool b_iso) {
    const gb_BinaryOp *multiply = ring->multiply;
    const gb_Monoid *add = ring->add;
    return (gb_RingArgs){
        .Ax = Ax != NULL ? Ax : ignored,
        .Bx = Bx != NULL ? Bx : ignored,
        .amask = a_iso || Ax == NULL ? 0 : UINT64_MAX,
        .bmask = b_iso || Bx == NULL ? 0 : UINT64_MAX,
        .astride = a_iso || Ax == NULL ? 0 : multiply->xtype->size,
        .bstride = b_iso || Bx == NULL ? 0 : multiply->ytype->size,
        .zsize = add->op->ztype->size,
        .identity = start_value(add),
        .terminal = add->terminal,
        .ring = ring,
        .compiled = ring->compiled,
        .multiply = multiply->located == NULL && !gb_binary_is_positional(multiply)
                        ? multiply->scalar
                        : NULL,
        .add = add->op->code != GB_ANY ? add->op->scalar : NULL,
        .set = multiply->located != NULL ? set_located : set_position,
    };
}

gb_RingArgs gb_ring_mirror(const gb_RingArgs *args) {
    gb_RingArgs R = *args;
    R.Ax = args->Bx;
    R.Bx = args->Ax;
    R.amask = args->bmask;
    R.bmask = args->amask;
    R.astride = args->bstride;
    R.bstride = args->astride;
    R.swapped = true;
    return R;
}

const gb_Type *gb_ring_left_type(const gb_Semiring *ring) {
    return gb_binary_uses_x(ring->multiply) ? ring->multiply->xtype : NULL;
}

const gb_Type *gb_ring_right_type(const gb_Semiring *ring) {
    return gb_binary_uses_y(ring->multiply) ? ring->multiply->ytype : NULL;
}

void gb_ring_describe(char *to, const gb_Semiring *ring) {
    if (ring->kernel < GB_RING_GENERIC) return;
    char room[GB_NAME_ROOM];
    const bool compiled = ring->compiled != NULL;
    const char *name =
        ring->name == NULL && compiled ? ring->compiled->name : gb_name_of(ring, room);
    snprintf(to, GB_SEMIRING_TEXT, "%s%s%s", compiled ? "compiled semiring" : "through pointers",
             *name != '\0' ? ": " : "", name);
}

bool gb_ring_has_norms(const gb_Semiring *ring) {
    return ring->kernel == GB_RING_PLUS_TIMES_FP64 || ring->kernel == GB_RING_PLUS_TIMES_FP32;
}

gbl_Info gb_ring_check(const gb_Semiring *ring, const gb_Type *left, const gb_Type *right) {
    const gb_Type *x = gb_ring_left_type(ring), *y = gb_ring_right_type(ring);
    if (x != NULL && !gb_type_castable(x, left))
        return gb_fail(GBL_DOMAIN_MISMATCH,
                       "the semiring's multiplication cannot take the left factor's type; use a "
                       "multiplication over that type");
    if (y != NULL && !gb_type_castable(y, right))
        return gb_fail(GBL_DOMAIN_MISMATCH,
                       "the semiring's multiplication cannot take the right factor's type; use a "
                       "multiplication over that type");
    return GBL_SUCCESS;
}

gbl_Info gb_check_inner(const gb_MxmCall *call) {
    const uint64_t k = gb_nminor(call->A, gb_rows_of_a(call));
    const uint64_t rows = gb_nmajor(call->B, gb_rows_of_b(call));
    if (k == rows) return GBL_SUCCESS;
    return gb_fail(GBL_DIMENSION_MISMATCH,
                   "A%s has %llu columns and B%s has %llu rows; they must be equal",
                   call->transpose_a ? "'" : "", (unsigned long long)k,
                   call->transpose_b ? "'" : "", (unsigned long long)rows);
}

gb_MxvRing gb_mxv_ring(const gb_Semiring *ring, bool u_is_left, const gb_CsView *A, const void *ux,
                       bool u_iso) {
    const int mirrored = gb_ring_mirrored(ring->kernel);
    if (!u_is_left)
        return (gb_MxvRing){.id = ring->kernel,
                            .args = gb_ring_args(ring, A->x, A->iso, ux, u_iso)};
    const gb_RingArgs args = gb_ring_args(ring, ux, u_iso, A->x, A->iso);
    if (mirrored == GB_RING_GENERIC && ring->kernel != GB_RING_GENERIC)
        return (gb_MxvRing){.id = ring->kernel, .args = args, .u_is_left = true};
    return (gb_MxvRing){.id = mirrored, .args = gb_ring_mirror(&args)};
}
