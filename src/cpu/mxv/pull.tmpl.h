/* SPDX-License-Identifier: Apache-2.0
 *
 * w(i) = A(i,:) . u for one semiring; included once per entry of semiring/foreach.h. A row ends
 * when its sum can no longer change; rows that may not be computed are skipped. Reads at most all
 * of A; no conflict between threads. Three bodies:
 *   - pull_full: no mask, and u is full: rows by their lengths, long ones in pairs;
 *   - pull_dense: no mask, or u is sparse: row_sum for every row;
 *   - pull_open and pull_few: row_sum for the rows that a mask allows, 64 at a time, of which those
 *     that it does not cost nothing, or for a list of few rows.
 *
 * The vector is the right factor, or where that is not the same the left one; `left` picks which of
 * R's A and B it is.
 */
#define NAME(f) GB_CAT(f, SR_NAME)

#ifdef SR_GENERIC
#define SUM(name, slot) SR_T *name = (slot)
#define KEEP(slot, name)
/* The sum alternates between its slot c and the thread's scratch: an addition waits for the one
 * before it, and for no copy. */
#define ADD(sum, c, p, q, k, i)                                                                    \
    do {                                                                                           \
        SR_T *const next = sum == c ? (SR_T *)R->scratch + R->zsize : c;                           \
        GB_MXV_PRODUCT(SR_SET, R->scratch, p, q, k, i);                                            \
        gb_generic_add(R, next, sum, R->scratch);                                                  \
        sum = next;                                                                                \
    } while (0)
#else
#define ADD(sum, c, p, q, k, i) GB_MXV_PRODUCT(SR_FMA, sum, p, q, k, i)
/* A sum in a register, stored once: the slot may overlap the inputs for all the compiler knows. */
#define SUM(name, slot)                                                                            \
    SR_T name##_value = SR_ZERO;                                                                   \
    SR_T *name = &name##_value
#define KEEP(slot, name) SR_COPY(slot, name)

/* A row times a full vector: entries [p, end) are still to be added to the sum. */
typedef struct {
    gb_Off p, end;
    uint64_t i;
    SR_T sum;
} NAME(Row);

/* Always inlined, as gb_prefetch_rows. */
GB_OP void NAME(prefetch)(const gb_PullArgs *g, const gb_RingArgs *R, const bool left, gb_Off p) {
    __builtin_prefetch(g->A.i + p + GB_MXV_AHEAD);
    if (left && SR_USES_B) __builtin_prefetch(SR_B(p + GB_MXV_AHEAD));
    if (!left && SR_USES_A) __builtin_prefetch(SR_A(p + GB_MXV_AHEAD));
    (void)R, (void)left;
}

/* Two rows in lockstep until one of them is done: an addition waits for the one before it in its
 * row only. */
static inline void NAME(both)(const gb_PullArgs *g, const gb_RingArgs *R, const bool left,
                              NAME(Row) * a, NAME(Row) * b) {
    const gb_Idx *restrict Ai = g->A.i;
    SR_T a_sum = a->sum, b_sum = b->sum;
    gb_Off p = a->p, q = b->p;
    while (p < a->end && q < b->end && !SR_DONE(&a_sum) && !SR_DONE(&b_sum)) {
        gb_Off steps = a->end - p < b->end - q ? a->end - p : b->end - q;
        if (steps > GB_MXV_STEPS) steps = GB_MXV_STEPS;
        NAME(prefetch)(g, R, left, p);
        NAME(prefetch)(g, R, left, q);
        for (gb_Off s = 0; s < steps; s++) {
            GB_MXV_PRODUCT(SR_FMA, &a_sum, p + s, Ai[p + s], Ai[p + s], a->i);
            GB_MXV_PRODUCT(SR_FMA, &b_sum, q + s, Ai[q + s], Ai[q + s], b->i);
        }
        p += steps;
        q += steps;
    }
    a->p = p;
    b->p = q;
    a->sum = a_sum;
    b->sum = b_sum;
    (void)R, (void)Ai;
}

/* The rest of a row, alone. */
static inline void NAME(finish)(const gb_PullArgs *g, const gb_RingArgs *R, const bool left,
                                NAME(Row) row, void *x) {
    const gb_Idx *restrict Ai = g->A.i;
    SR_T c = row.sum;
    NAME(prefetch)(g, R, left, row.p);
    for (gb_Off p = row.p; p < row.end && !SR_DONE(&c); p++)
        GB_MXV_PRODUCT(SR_FMA, &c, p, Ai[p], Ai[p], row.i);
    SR_COPY(SR_AT(x, row.i), &c);
    (void)R, (void)Ai;
}

/* Row i of `entries` entries, at least 1 and at most GB_MXV_SHORT. */
static inline void NAME(alone)(const gb_PullArgs *g, const gb_RingArgs *R, const bool left,
                               uint64_t i, gb_Off entries, void *x) {
    const gb_Off p = g->A.p[i];
    NAME(Row) row = {.p = p + 1, .end = p + entries, .i = i};
    GB_MXV_PRODUCT(SR_SET, &row.sum, p, g->A.i[p], g->A.i[p], i);
    NAME(finish)(g, R, left, row, x);
    (void)R;
}

/* Long rows go in pairs: what is left of the longer one waits for the next long row, unless it is
 * short by now. */
typedef struct {
    NAME(Row) row;
    bool waits;
} NAME(Waiting);

/* A row of more than GB_MXV_SHORT entries. */
GB_OP void NAME(pair_sided)(const gb_PullArgs *g, const gb_RingArgs *R, const bool left, uint64_t i,
                            NAME(Waiting) * waiting, void *x) {
    NAME(Row) row = {.p = g->A.p[i], .end = g->A.p[i + 1], .i = i};
    GB_MXV_PRODUCT(SR_SET, &row.sum, row.p, g->A.i[row.p], g->A.i[row.p], i);
    row.p++;
    if (!SR_DONE(&row.sum) && waiting->waits) {
        NAME(both)(g, R, left, &waiting->row, &row);
        if (row.end - row.p < waiting->row.end - waiting->row.p) {
            const NAME(Row) shorter = row;
            row = waiting->row;
            waiting->row = shorter;
        }
        NAME(finish)(g, R, left, waiting->row, x);
        waiting->waits = false;
    }
    if (row.end - row.p >= GB_MXV_SHORT && !SR_DONE(&row.sum)) {
        waiting->row = row;
        waiting->waits = true;
    } else {
        NAME(finish)(g, R, left, row, x);
    }
    (void)R;
}

/* Never inlined: short rows have the registers. No product asks which side the vector has, nor
 * where the one value of all is. */
__attribute__((noinline, unused)) static void NAME(pair)(const gb_PullArgs *g, const gb_RingArgs *R,
                                                         const bool left, uint64_t i,
                                                         NAME(Waiting) * waiting, void *x) {
    gb_RingArgs each = *R;
    if ((R->amask & R->bmask) != UINT64_MAX) {
        NAME(pair_sided)(g, R, left, i, waiting, x);
        return;
    }
    each.amask = each.bmask = UINT64_MAX;
    if (SR_SIDED && left)
        NAME(pair_sided)(g, &each, true, i, waiting, x);
    else
        NAME(pair_sided)(g, &each, false, i, waiting, x);
}

/* A window of rows as they come. Returns how many have entries. */
static inline uint64_t NAME(in_order)(const gb_PullArgs *g, const gb_RingArgs *R, const bool left,
                                      uint64_t base, unsigned n, NAME(Waiting) * waiting,
                                      const gb_Dense *w) {
    uint64_t total = n;
    memset(w->b + base, 1, n);
    for (uint64_t i = base; i < base + n; i++) {
        const gb_Off entries = g->A.p[i + 1] - g->A.p[i];
        if (entries > GB_MXV_SHORT)
            NAME(pair)(g, R, left, i, waiting, w->x);
        else if (entries > 0)
            NAME(alone)(g, R, left, i, entries, w->x);
        else {
            SR_CLEAR(SR_AT(w->x, i));
            w->b[i] = 0;
            total--;
        }
    }
    return total;
}

/* A window of rows by their lengths. */
static inline uint64_t NAME(by_length)(const gb_PullArgs *g, const gb_RingArgs *R, const bool left,
                                       uint64_t base, const gb_RowClasses *rows,
                                       NAME(Waiting) * waiting, const gb_Dense *w) {
    const unsigned n = rows->start[GB_ROW_CLASSES];
    void *x = w->x;
    memset(w->b + base, 1, n);
    for (unsigned r = 0; r < rows->start[1]; r++) {
        w->b[base + rows->row[r]] = 0;
        SR_CLEAR(SR_AT(x, base + rows->row[r]));
    }
    for (gb_Off entries = 1; entries <= GB_MXV_SHORT; entries++)
        for (unsigned r = rows->start[entries]; r < rows->start[entries + 1]; r++)
            NAME(alone)(g, R, left, base + rows->row[r], entries, x);
    for (unsigned r = rows->start[GB_MXV_SHORT + 1]; r < n; r++)
        NAME(pair)(g, R, left, base + rows->row[r], waiting, x);
    return n - rows->start[1];
}

/* The arguments are copied: for all the compiler knows, the bytes of w could be theirs. */
static inline uint64_t NAME(pull_full)(const gb_PullArgs *args, const gb_RingArgs *ring,
                                       const bool left, gb_RowSpan rows, const gb_Dense *w) {
    const gb_PullArgs copy = *args, *g = &copy;
    const gb_RingArgs own = *ring, *R = &own;
    const gb_Dense out = *w;
    NAME(Waiting) waiting = {.waits = false};
    uint64_t total = 0, trusted = rows.from; /* rows before that one are taken to be similar */
    for (uint64_t base = rows.from; base < rows.to; base += GB_ROW_WINDOW) {
        const uint64_t behind = rows.to - base;
        const unsigned n = behind < GB_ROW_WINDOW ? (unsigned)behind : GB_ROW_WINDOW;
        gb_RowClasses classes;
        if (base >= trusted && gb_class_rows(&classes, g->A.p + base, n)) {
            total += NAME(by_length)(g, R, left, base, &classes, &waiting, &out);
            continue;
        }
        if (base >= trusted) trusted = base + GB_ROW_TRUST * GB_ROW_WINDOW;
        total += NAME(in_order)(g, R, left, base, n, &waiting, &out);
    }
    if (waiting.waits) NAME(finish)(g, R, left, waiting.row, w->x);
    (void)R;
    return total;
}
#endif

/* The sum of row i into *c; false: it has no product. Always inlined, as the body of loops. */
GB_OP bool NAME(row_sum)(const gb_PullArgs *g, const gb_RingArgs *R, const bool left,
                         const gb_PullForm form, uint64_t i, SR_T *c) {
    const gb_Idx *restrict Ai = g->A.i;
    const gb_Off end = g->A.p[i + 1];
    gb_Off p = g->A.p[i];
    SR_T *sum = c;
    while (p < end && !gb_has_entry(g, form, Ai[p])) p++;
    if (p == end) return false;
    GB_MXV_PRODUCT(SR_SET, c, p, Ai[p], Ai[p], i);
    for (p++; p < end && !SR_DONE(sum); p++)
        if (gb_has_entry(g, form, Ai[p])) ADD(sum, c, p, Ai[p], Ai[p], i);
    if (sum != c) SR_COPY(c, sum);
    (void)R, (void)Ai;
    return true;
}

static inline uint64_t NAME(pull_dense)(const gb_PullArgs *args, const gb_RingArgs *R,
                                        const bool left, const gb_PullForm form, gb_RowSpan rows,
                                        const gb_Dense *w) {
    const gb_PullArgs g = *args; /* w's bytes could be theirs, for all the compiler knows */
    const gb_Dense out = *w;
    uint64_t total = 0;
    for (uint64_t i = rows.from; i < rows.to; i++) {
        SUM(c, SR_AT(out.x, i));
        const bool found = NAME(row_sum)(&g, R, left, form, i, c);
        if (!found) SR_CLEAR(c);
        KEEP(SR_AT(out.x, i), c);
        out.b[i] = found;
        total += found;
    }
    return total;
}

/* Rows that may be computed; rows.from is a multiple of 64. Returns how many sums they give: bits
 * of to.found, and values. */
static inline uint64_t NAME(pull_open)(const gb_PullArgs *args, const gb_RingArgs *R,
                                       const bool left, gb_RowSpan rows) {
    const gb_PullArgs g = *args;
    const uint64_t to = rows.to;
    uint64_t total = 0, next = rows.from < to ? gb_open_rows(&args->to, rows.from, to) : 0;
    for (uint64_t base = rows.from; base < to; base += 64) {
        uint64_t found = 0, open = next;
        next = base + 64 < to ? gb_open_rows(&args->to, base + 64, to) : 0;
        gb_prefetch_open(&g.A, base + 64, next);
        for (; open != 0; open &= open - 1) {
            const uint64_t i = base + (uint64_t)__builtin_ctzll(open);
            SUM(c, SR_AT(g.to.val, i));
            if (!NAME(row_sum)(&g, R, left, GB_PULL_BITS, i, c)) continue;
            KEEP(SR_AT(g.to.val, i), c);
            found |= open & -open;
        }
        g.to.found.words[base / 64] = found;
        total += (uint64_t)__builtin_popcountll(found);
    }
    return total;
}

#if !defined(SR_GENERIC) && !SR_ANY
/* The sum c is added where w has position i; 1 where nothing was. */
GB_OP uint64_t NAME(add_in_place)(const gb_PullArgs *g, uint64_t i, const SR_T *c) {
    SR_T *slot = SR_AT(g->into.x, i);
    if (g->into.b == NULL || g->into.b[i]) {
        SR_JOIN(slot, c);
        return 0;
    }
    SR_COPY(slot, c);
    g->into.b[i] = 1;
    return 1;
}
#endif

/* Rows which.from to which.to of the list, to `out` from which.from on, or into g->into; returns
 * how many have a sum. */
static inline uint64_t NAME(pull_few)(const gb_PullArgs *args, const gb_RingArgs *R,
                                      const bool left, gb_RowSpan which, gb_Cs *out) {
    const gb_PullArgs g = *args;
    const gb_Idx *restrict rows = g.rows.i;
    const gb_Off last = g.rows.nvals - 1;
    gb_Idx *const out_i = out->i;
    void *const out_x = out->x;
    uint64_t gained = 0;
    gb_Off at = which.from;
    for (gb_Off q = which.from; q < which.to; q++) {
        const uint64_t i = rows[q];
        if (q + 2 * GB_PREFETCH <= last) __builtin_prefetch(&g.A.p[rows[q + 2 * GB_PREFETCH]]);
        if (q + GB_PREFETCH <= last) __builtin_prefetch(&g.A.i[g.A.p[rows[q + GB_PREFETCH]]]);
        SUM(c, SR_AT(out_x, at));
        if (!NAME(row_sum)(&g, R, left, GB_PULL_BITS, i, c)) continue;
#if !defined(SR_GENERIC) && !SR_ANY
        if (g.into.x != NULL) {
            gained += NAME(add_in_place)(&g, i, c);
            at++;
            continue;
        }
#endif
        KEEP(SR_AT(out_x, at), c);
        out_i[at++] = (gb_Idx)i;
    }
    if (gained > 0) __atomic_add_fetch(g.into.gained, gained, __ATOMIC_RELAXED);
    return at - which.from;
}

/* Some rows to `out`: dense, or NULL; returns how many have a sum. */
static uint64_t NAME(pull)(const gb_PullArgs *g, const gb_RingArgs *R, gb_RowSpan rows,
                           const gb_Dense *w, gb_Cs *out) {
    if (g->rows.i != NULL) return GB_MXV_SIDED(pull_few, rows, out);
    if (w == NULL) return GB_MXV_SIDED(pull_open, rows);
#ifndef SR_GENERIC
    if (g->u.b == NULL) return GB_MXV_SIDED(pull_full, rows, w);
#endif
    return GB_MXV_SIDED(pull_dense, GB_PULL_BYTES, rows, w);
}

#undef SUM
#undef KEEP
#undef ADD
#undef NAME
