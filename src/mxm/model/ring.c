/* SPDX-License-Identifier: Apache-2.0
 *
 * Semirings as kernels see them. The functions of the generic entry call operators one value at a
 * time; products go through the thread's scratch, since a user's function may not expect its output
 * to overlap an input.
 */
#include "mxm/model/ring.h"

#include <math.h>
#include <string.h>

#include "ops/operations.h"
#include "semiring/ids.h"

static void set_value(const gb_RingArgs *R, void *c, const void *a, const void *b, gb_Triple at) {
    (void)at;
    R->ring->multiply->scalar(c, a, b);
}

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

/* The same with operands swapped: a is of the right factor, and i is a column. */
static void set_value_mirrored(const gb_RingArgs *R, void *c, const void *a, const void *b,
                               gb_Triple at) {
    set_value(R, c, b, a, at);
}

static void set_position_mirrored(const gb_RingArgs *R, void *c, const void *a, const void *b,
                                  gb_Triple at) {
    set_position(R, c, b, a, (gb_Triple){at.j, at.k, at.i});
}

static void set_located_mirrored(const gb_RingArgs *R, void *c, const void *a, const void *b,
                                 gb_Triple at) {
    set_located(R, c, b, a, at);
}

/* ANY has no identity, so the latest value wins: then an accumulator at rest does no harm. */
static void join_any(const gb_RingArgs *R, void *c, const void *d) {
    memcpy(c, d, R->zsize);
}

static void join(const gb_RingArgs *R, void *c, const void *d) {
    void *sum = (char *)R->scratch + R->zsize;
    R->ring->add->op->scalar(sum, c, d);
    memcpy(c, sum, R->zsize);
}

static void multiply_add(const gb_RingArgs *R, void *c, const void *a, const void *b,
                         gb_Triple at) {
    R->set(R, R->scratch, a, b, at);
    R->join(R, c, R->scratch);
}

static int is_terminal(const gb_RingArgs *R, const void *c) {
    if (R->zsize == 8) return memcmp(c, R->terminal, 8) == 0; /* one comparison, and no call */
    if (R->zsize == 4) return memcmp(c, R->terminal, 4) == 0;
    return memcmp(c, R->terminal, R->zsize) == 0;
}

static int always(const gb_RingArgs *R, const void *c) {
    (void)R, (void)c;
    return 1;
}

/* Stands for the values of a factor that the multiplication ignores: operators may still load them.
 */
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
        .set = multiply->located != NULL           ? set_located
               : gb_binary_is_positional(multiply) ? set_position
                                                   : set_value,
        .fma = multiply_add,
        .join = add->op->code == GB_ANY ? join_any : join,
        .done = add->op->code == GB_ANY ? always
                : add->terminal != NULL ? is_terminal
                                        : NULL,
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
    R.set = args->set == set_position  ? set_position_mirrored
            : args->set == set_located ? set_located_mirrored
                                       : set_value_mirrored;
    return R;
}

const gb_Type *gb_ring_left_type(const gb_Semiring *ring) {
    return gb_binary_uses_x(ring->multiply) ? ring->multiply->xtype : NULL;
}

const gb_Type *gb_ring_right_type(const gb_Semiring *ring) {
    return gb_binary_uses_y(ring->multiply) ? ring->multiply->ytype : NULL;
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
