/* SPDX-License-Identifier: Apache-2.0
 *
 * Filtering a row; see rowwork.h. Each entry has a byte in w->keep: GB_DROPPED, GB_KEPT or, while
 * the largest are looked for, GB_CHOSEN. Values are compared by ranks, numbers of 64 bits in the
 * same order; the smallest rank that is still among the largest is found by its digits, the highest
 * first, which takes at most 8 passes over fewer and fewer ranks whatever the values are. Sums are
 * taken in 32 lanes by the number of the entry, so that they are the same on every processor. What
 * is left is raised to a power and scaled last, so all that is compared are values of the product.
 */
#include "cpu/rowwise/rowwork.h"

enum { GB_DROPPED = 0, GB_KEPT = 1, GB_CHOSEN = 2 };
enum { DIGIT_BITS = 8, DIGITS = 1 << DIGIT_BITS, BLOCK = 64 }; /* BLOCK: values looked at */

/* A row while it is filtered. */
typedef struct {
    const gb_RowFilter *filter;
    const gb_Type *type; /* of the values */
    uint64_t row, n;
    gb_Idx *i;
    char *x;
    uint8_t *keep;  /* [n + 64], the last 64 are 0 */
    uint64_t *rank; /* [n] */
} Row;

/* -- the operator ------------------------------------------------------------------------------ */

/* Sets keep[e] to GB_KEPT or GB_DROPPED. */
static void evaluate(const Row *r) {
    const gb_IndexUnaryOp *op = r->filter->op;
    const gb_Type *truth = gb_type_of(GBL_BOOL_CODE);
    const gb_Idx row = (gb_Idx)r->row;
    gb_Builtin x[GB_BATCH], z[GB_BATCH];
    const bool casts = op->xtype != NULL && op->xtype->code != r->type->code;
    const bool direct = op->ztype->code == GBL_BOOL_CODE;
    for (uint64_t e = 0; e < r->n; e += GB_BATCH) {
        const size_t n = r->n - e < GB_BATCH ? r->n - e : GB_BATCH;
        const gb_Positions at = {&row, r->i + e, 0, 1};
        const void *values = r->x + e * r->type->size;
        if (casts) {
            gb_cast(op->xtype, x, r->type, values, 1, n);
            values = x;
        }
        op->batch(op, n, direct ? (void *)(r->keep + e) : z, values, 1, at, r->filter->y);
        if (!direct) gb_cast(truth, r->keep + e, op->ztype, z, 1, n);
    }
}

/* Entries that are not dropped. */
static uint64_t count(const Row *r) {
    uint64_t n = 0;
    for (uint64_t e = 0; e < r->n; e += 64)
        n += (uint64_t)__builtin_popcountll(gb_nonzero_bytes(r->keep + e));
    return n;
}

/* -- sums -------------------------------------------------------------------------------------- */

enum { LANES = 32 };

static double join(const double *lane) {
    double sum[8];
    for (size_t l = 0; l < 8; l++) sum[l] = (lane[l] + lane[l + 8]) + (lane[l + 16] + lane[l + 24]);
    return ((sum[0] + sum[1]) + (sum[2] + sum[3])) + ((sum[4] + sum[5]) + (sum[6] + sum[7]));
}

/* Each value joins the lane of its number. */
#define DEFINE_ADD(NAME, T)                                                                        \
    static void NAME(double *lane, const T *x, uint64_t n) {                                       \
        uint64_t e = 0;                                                                            \
        for (; e + LANES <= n; e += LANES)                                                         \
            for (size_t l = 0; l < LANES; l++) lane[l] += (double)x[e + l];                        \
        for (; e < n; e++) lane[e % LANES] += (double)x[e];                                        \
    }
DEFINE_ADD(add_floats, float)
DEFINE_ADD(add_doubles, double)

static double sum_all(const Row *r) {
    double lane[LANES] = {0}, x[LANES];
    if (r->type->code == GBL_FP32_CODE) {
        add_floats(lane, (const float *)(const void *)r->x, r->n);
    } else {
        for (uint64_t e = 0; e < r->n; e += LANES) {
            const size_t n = r->n - e < LANES ? r->n - e : LANES;
            gb_cast(gb_type_of(GBL_FP64_CODE), x, r->type, r->x + e * r->type->size, 1, n);
            add_doubles(lane, x, n);
        }
    }
    return join(lane);
}

static inline double value_of(const Row *r, uint64_t e) {
    const char *x = r->x + e * r->type->size;
    double value;
    if (r->type->code == GBL_FP32_CODE) return (double)*(const float *)(const void *)x;
    gb_cast(gb_type_of(GBL_FP64_CODE), &value, r->type, x, 1, 1);
    return value;
}

/* The same of the entries that are not dropped. */
static double sum_kept(const Row *r) {
    double lane[LANES] = {0};
    for (uint64_t from = 0; from < r->n; from += 64) {
        for (uint64_t bits = gb_nonzero_bytes(r->keep + from); bits != 0; bits &= bits - 1) {
            const uint64_t e = from + (uint64_t)__builtin_ctzll(bits);
            lane[e % LANES] += value_of(r, e);
        }
    }
    return join(lane);
}

/* Whether the entries kept sum to less than the filter's share of the row. */
static bool is_poor(const Row *r) {
    return sum_kept(r) < r->filter->share * sum_all(r);
}

/* -- the largest ------------------------------------------------------------------------------- */

/* Numbers in the order of the values, equal for equal values; NaN comes before all others. */
static void rank_values(const gb_Type *type, const void *values, size_t n, uint64_t *rank) {
    const uint64_t top = (uint64_t)1 << 63;
    double x[BLOCK];
    if (type->code == GBL_FP32_CODE || type->code == GBL_FP64_CODE) {
        gb_cast(gb_type_of(GBL_FP64_CODE), x, type, values, 1, n);
        for (size_t k = 0; k < n; k++) {
            const double positive_zero = x[k] + 0.0;
            uint64_t bits;
            memcpy(&bits, &positive_zero, sizeof bits);
            rank[k] = x[k] != x[k] ? 0 : bits & top ? ~bits : bits | top;
        }
    } else if (type->code == GBL_UINT64_CODE) {
        memcpy(rank, values, n * sizeof *rank);
    } else {
        gb_cast(gb_type_of(GBL_INT64_CODE), rank, type, values, 1, n);
        for (size_t k = 0; k < n; k++) rank[k] ^= top;
    }
}

/* The largest of some ranks: those above `least`, and the first `ties` of those equal to it. */
typedef struct {
    uint64_t least, ties;
} Cut;

/* Where the `wanted` largest of n ranks are, 0 < wanted <= n. Destroys the ranks. */
static Cut find_cut(uint64_t *rank, uint64_t n, uint64_t wanted) {
    for (int shift = 64 - DIGIT_BITS; shift >= 0; shift -= DIGIT_BITS) {
        uint64_t size[DIGITS] = {0}, digit = DIGITS - 1, left = 0;
        for (uint64_t e = 0; e < n; e++) size[rank[e] >> shift & (DIGITS - 1)]++;
        while (size[digit] < wanted) wanted -= size[digit--];
        if (size[digit] == n) continue;
        for (uint64_t e = 0; e < n; e++) {
            rank[left] = rank[e];
            left += (rank[e] >> shift & (DIGITS - 1)) == digit;
        }
        n = left;
    }
    return (Cut){rank[0], wanted}; /* all that are left are equal */
}

/* Leaves the `wanted` largest of n ranks; there is room for as many more behind them. Returns the
 * rank that another one, if it comes later, must have at least to be among the largest. */
static uint64_t prune(uint64_t *rank, uint64_t n, uint64_t wanted) {
    uint64_t left = 0;
    memcpy(rank + n, rank, n * sizeof *rank);
    const Cut cut = find_cut(rank + n, n, wanted);
    for (uint64_t k = 0; k < n; k++) {
        rank[left] = rank[k];
        left += rank[k] > cut.least;
    }
    while (left < wanted) rank[left++] = cut.least;
    return cut.least + (cut.least < UINT64_MAX);
}

/* Whether some of n floats may be bound or more, compared as whole numbers in their order, which
 * compilers do with whole registers. */
#define DEFINE_REACH(NAME, T, I, MOST)                                                             \
    static bool NAME(const char *x, size_t n, double bound) {                                      \
        const T least = (T)bound == (T)0 ? -(T)0 : (T)bound;                                       \
        I key, value, any = 0;                                                                     \
        memcpy(&key, &least, sizeof key);                                                          \
        key ^= key < 0 ? MOST : 0;                                                                 \
        for (size_t k = 0; k < n; k++) {                                                           \
            memcpy(&value, x + k * sizeof value, sizeof value);                                    \
            value ^= value < 0 ? MOST : 0;                                                         \
            any |= value >= key;                                                                   \
        }                                                                                          \
        return any != 0;                                                                           \
    }
DEFINE_REACH(floats_reach, float, int32_t, INT32_MAX)
DEFINE_REACH(doubles_reach, double, int64_t, INT64_MAX)

/* Whether some of n values from e on rank `least` or more; then rank has their ranks. */
static bool ranks_reach(const Row *r, uint64_t e, size_t n, uint64_t *rank, uint64_t least) {
    const char *x = r->x + e * r->type->size;
    const uint64_t bits = least >> 63 ? least ^ (uint64_t)1 << 63 : ~least;
    uint64_t any = 0;
    double at; /* NaN: all reach it, or it is beyond all numbers */
    memcpy(&at, &bits, sizeof at);
    if (r->type->code == GBL_FP32_CODE && at == at && !floats_reach(x, n, at)) return false;
    if (r->type->code == GBL_FP64_CODE && at == at && !doubles_reach(x, n, at)) return false;
    rank_values(r->type, x, n, rank);
    for (size_t k = 0; k < n; k++) any |= (uint64_t)(rank[k] >= least);
    return any != 0;
}

/* The cut of the `wanted` largest among the entries marked so; 0, and how many, if there are no
 * more. Ranks that cannot be among them are soon left out, so few are sorted. */
static Cut cut_largest(const Row *r, uint8_t among, uint64_t wanted) {
    uint64_t rank[BLOCK], found = 0, least = 0;
    for (uint64_t e = 0; e < r->n; e += BLOCK) {
        const size_t n = r->n - e < BLOCK ? r->n - e : BLOCK;
        if (!ranks_reach(r, e, n, rank, least)) continue;
        for (size_t k = 0; k < n; k++) {
            r->rank[found] = rank[k];
            found += (r->keep[e + k] == among) & (rank[k] >= least);
        }
        if (found < 2 * wanted + BLOCK || 2 * found > r->n) continue;
        least = prune(r->rank, found, wanted);
        found = wanted;
    }
    return wanted <= found ? find_cut(r->rank, found, wanted) : (Cut){0, found};
}

/* Of the entries that are marked `among`, the `wanted` largest become GB_CHOSEN, of equal ones
 * those in smaller columns; all where there are no more. */
static void choose(const Row *r, uint8_t among, uint64_t wanted) {
    uint64_t rank[BLOCK];
    Cut cut = cut_largest(r, among, wanted);
    for (uint64_t e = 0; e < r->n; e += BLOCK) {
        const size_t n = r->n - e < BLOCK ? r->n - e : BLOCK;
        if (!ranks_reach(r, e, n, rank, cut.least)) continue;
        for (size_t k = 0; k < n; k++) {
            const bool is_tie = rank[k] == cut.least && cut.ties > 0;
            if (r->keep[e + k] != among || (rank[k] <= cut.least && !is_tie)) continue;
            r->keep[e + k] = GB_CHOSEN;
            cut.ties -= is_tie;
        }
    }
}

/* -- all of it --------------------------------------------------------------------------------- */

/* Moves the entries that are not dropped to the front. */
GB_INLINE uint64_t compact(size_t size, const Row *r) {
    uint64_t kept = 0;
    for (uint64_t from = 0; from < r->n; from += 64) {
        for (uint64_t bits = gb_nonzero_bytes(r->keep + from); bits != 0; bits &= bits - 1) {
            const uint64_t e = from + (uint64_t)__builtin_ctzll(bits);
            r->i[kept] = r->i[e];
            if (kept != e) memcpy(r->x + kept * size, r->x + e * size, size);
            kept++;
        }
    }
    return kept;
}

/* The greatest magnitude; infinity or NaN where there are any. Bits are compared, which compilers
 * do with whole registers. */
static double greatest(const double *value, uint64_t n) {
    uint64_t most = 0;
    double x;
    for (uint64_t e = 0; e < n; e++) {
        uint64_t bits;
        memcpy(&bits, &value[e], sizeof bits);
        bits &= UINT64_MAX >> 1;
        most = bits > most ? bits : most;
    }
    memcpy(&x, &most, sizeof x);
    return x;
}

/* What values are divided by before they are raised and divided by their sum, which then neither
 * vanishes nor overflows: a power of two, which rounds nothing, where it takes no more, else the
 * greatest value. Powers below 1 stay in range by themselves. */
static double unit_of(const double *value, uint64_t n, double power) {
    const double most = greatest(value, n);
    if (power < 1.0 || most == 0.0 || !isfinite(most)) return 1.0;
    return power == 1.0 || power == 2.0 ? ldexp(1.0, ilogb(most)) : most;
}

/* Raises the n values at x to the filter's power and divides them by their sum, in double precision
 * until they are stored. value[n] is workspace. */
static void reshape(const gb_RowFilter *f, const gb_Type *type, void *x, uint64_t n,
                    double *value) {
    const gb_Type *real = gb_type_of(GBL_FP64_CODE);
    double lane[LANES] = {0};
    gb_cast(real, value, type, x, 1, n);
    if (f->scale) {
        const double unit = unit_of(value, n, f->power);
        for (uint64_t e = 0; e < n; e++) value[e] /= unit;
    }
    if (f->power == 2.0) {
        for (uint64_t e = 0; e < n; e++) value[e] *= value[e];
    } else if (f->power != 1.0) {
        for (uint64_t e = 0; e < n; e++) value[e] = pow(value[e], f->power);
    }
    if (f->scale) {
        add_doubles(lane, value, n);
        const double sum = join(lane);
        for (uint64_t e = 0; e < n; e++) value[e] /= sum;
    }
    gb_cast(type, x, real, value, 1, n);
}

/* What is left of the row, as it was. */
static uint64_t drop(const gb_MxmArgs *g, gb_RowWork *w, uint64_t i, gb_Idx *Ci, void *Cx,
                     uint64_t n) {
    const gb_RowFilter *f = g->filter;
    if (n == 0 || !GB_ISA_NAME(gb_reserve_filter)(w, n)) return 0;
    const Row r = {f, g->args.ring->add->op->ztype, i, n, Ci, Cx, w->keep, w->rank};
    memset(r.keep, GB_KEPT, n);
    memset(r.keep + n, GB_DROPPED, 64);
    if (f->op != NULL) evaluate(&r);
    uint64_t kept = count(&r);
    bool poor = kept < n && kept < f->recover && is_poor(&r);
    if (!poor && kept > f->most) {
        choose(&r, GB_KEPT, f->most);
        for (uint64_t e = 0; e < n; e++) r.keep[e] = r.keep[e] == GB_CHOSEN;
        kept = f->most;
        poor = kept < f->recover && is_poor(&r);
    }
    if (poor) choose(&r, GB_DROPPED, f->recover - kept);
    return kept == n ? n : GB_BY_SIZE(compact, r.type->size, &r);
}

uint64_t GB_ISA_NAME(gb_filter_row)(const gb_MxmArgs *g, gb_RowWork *w, uint64_t i, gb_Idx *Ci,
                                    void *Cx, uint64_t n) {
    const gb_RowFilter *f = g->filter;
    const uint64_t kept = drop(g, w, i, Ci, Cx, n);
    if (kept > 0 && (f->power != 1.0 || f->scale))
        reshape(f, g->args.ring->add->op->ztype, Cx, kept, (double *)(void *)w->rank);
    return kept;
}
