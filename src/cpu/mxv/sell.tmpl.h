/* SPDX-License-Identifier: Apache-2.0
 *
 * w = A * u by slices (core/forms.h) for one semiring; u is full, and neither it nor A, where its
 * values are used, has one value for all. w(i) = base(i) (+) A(i,:) . u where there is a base,
 * which is full. Included once per entry of semiring/foreach.h; those that add and read the vector
 * can have a kernel, and those that sell.c lists have one. The matrix is the left factor.
 *
 * Every w(i) is summed in the order of mxv.h, and then added to the base: the bits of a pull and an
 * accumulation. Cost: O(rows + entries), without a branch that depends on a single row.
 */
#define NAME(f) GB_CAT(f, SR_NAME)

/* The preprocessor adds too: only with + are 0 and 1, and 1 and 1, 1 and 2. */
#define ADDS 0
#if !defined(SR_GENERIC) && !SR_TRUTH && SR_USES_B
#if SR_ADD(0, 1) == 1 && SR_ADD(1, 1) == 2
#undef ADDS
#define ADDS 1
#endif
#endif

#if ADDS
/* No position matters here. */
#define COLUMN(e) (of.near ? ((const uint16_t *)of.column)[e] : ((const gb_Idx *)of.column)[e])
#define PRODUCT(op, l)                                                                             \
    op(&c[l], (const SR_T *)R->Ax + at + (l), (const SR_T *)of.b + COLUMN(at + (l)), (uint64_t)0,  \
       (uint64_t)0, (uint64_t)0)
/* Steps with so many lanes, a constant: sums stay in registers. */
#define STEPS(lanes)                                                                               \
    for (; step < slice->length[(lanes)-1]; step++, at += (lanes)) {                               \
        if ((lanes) == GB_SELL_ROWS) NAME(ask)(R, of, at);                                         \
        _Pragma("GCC unroll 8") for (unsigned l = 0; l < (lanes); l++) PRODUCT(SR_FMA, l);         \
    }

/* Entries that come: indices and values are two streams, of which slices end too soon. */
GB_OP void NAME(ask)(const gb_RingArgs *R, const gb_SellColumns of, gb_Off at) {
    const size_t size = of.near ? sizeof(uint16_t) : sizeof(gb_Idx);
    __builtin_prefetch((const char *)of.column + (at + GB_SELL_AHEAD) * size);
    if (SR_USES_A) __builtin_prefetch((const SR_T *)R->Ax + at + GB_SELL_AHEAD);
    (void)R;
}

/* The sums of a slice whose rows all have entries. */
GB_OP void NAME(sum_all)(const gb_RingArgs *R, const gb_SellColumns of, const gb_SellSlice *slice,
                         SR_T *sums) {
    SR_T c[GB_SELL_ROWS];
    gb_Off at = slice->at;
    gb_Idx step = 1;
    NAME(ask)(R, of, at);
    _Pragma("GCC unroll 8") for (unsigned l = 0; l < GB_SELL_ROWS; l++) PRODUCT(SR_SET, l);
    at += GB_SELL_ROWS;
    STEPS(8)
    STEPS(7)
    STEPS(6)
    STEPS(5)
    STEPS(4)
    STEPS(3)
    STEPS(2)
    STEPS(1)
    memcpy(sums, c, sizeof c);
    (void)R;
}

/* Those of a slice of which some have none. */
__attribute__((noinline, cold)) static void
NAME(sum_some)(const gb_RingArgs *R, const gb_SellColumns of, const gb_SellSlice *slice, SR_T *c) {
    gb_Off at = slice->at;
    gb_Idx step = 0;
    for (unsigned lanes = GB_SELL_ROWS - 1; lanes > 0; lanes--) {
        for (; step < slice->length[lanes - 1]; step++, at += lanes) {
            for (unsigned l = 0; l < lanes; l++)
                if (step == 0)
                    PRODUCT(SR_SET, l);
                else
                    PRODUCT(SR_FMA, l);
        }
    }
    (void)R;
}

/* What becomes of lanes of which some are empty, or not there at all. */
__attribute__((noinline, cold)) static void NAME(keep_some)(const gb_PullArgs *g,
                                                            const gb_SellSlice *slice,
                                                            uint64_t first, const SR_T *c,
                                                            gb_Dense *w) {
    const SR_T *base = g->base;
    for (unsigned l = 0; l < GB_SELL_ROWS; l++) {
        const uint64_t row = first + slice->row[l];
        const bool found = slice->length[l] > 0;
        if (row >= g->A.nmajor) continue;
        SR_T *to = SR_AT(w->x, row);
        if (base != NULL) {
            *to = base[row & g->base_mask];
            if (found) *to = SR_ADD(*to, c[l]);
        } else {
            *to = c[l];
        }
        if (w->b != NULL) w->b[row] = found;
    }
}

/* `near` is constant: columns of 2 bytes and of 4 have code of their own. */
GB_OP void NAME(slices_of)(const gb_PullArgs *g, const gb_RingArgs *R, gb_SellRange range,
                           const bool near) {
    const SR_T *base = g->base;
    gb_Dense out = *range.w;
    SR_T *restrict x = out.x;
    for (uint64_t s = range.from; s < range.to; s++) {
        const gb_SellSlice *slice = &g->sell.slice[s];
        const uint64_t window = s / GB_SELL_WINDOW_SLICES, first = window * GB_SELL_WINDOW;
        const gb_SellColumns of = {.near = near,
                                   .column = g->sell.column,
                                   .b = (const SR_T *)R->Bx + (near ? g->sell.base[window] : 0)};
        SR_T c[GB_SELL_ROWS];
        if (slice->length[GB_SELL_ROWS - 1] == 0) {
            for (unsigned l = 0; l < GB_SELL_ROWS; l++) c[l] = SR_ZERO;
            if (slice->length[0] > 0) NAME(sum_some)(R, of, slice, c);
            NAME(keep_some)(g, slice, first, c, &out);
            continue;
        }
        NAME(sum_all)(R, of, slice, c);
        SR_T *restrict to = x + first;
        for (unsigned l = 0; base != NULL && l < GB_SELL_ROWS; l++)
            c[l] = SR_ADD(g->base_mask == 0 ? *base : base[first + slice->row[l]], c[l]);
        for (unsigned l = 0; l < GB_SELL_ROWS; l++) to[slice->row[l]] = c[l];
        for (unsigned l = 0; out.b != NULL && l < GB_SELL_ROWS; l++)
            out.b[first + slice->row[l]] = 1;
    }
}

__attribute__((unused)) static void NAME(slices)(const gb_PullArgs *args, const gb_RingArgs *ring,
                                                 gb_SellRange range) {
    const gb_PullArgs g = *args; /* w's bytes could be theirs, for all we know */
    const gb_RingArgs R = *ring;
    if (g.sell.near)
        NAME(slices_of)(&g, &R, range, true);
    else
        NAME(slices_of)(&g, &R, range, false);
}
#undef COLUMN
#undef PRODUCT
#undef STEPS
#endif

#undef ADDS
#undef NAME
