/* SPDX-License-Identifier: Apache-2.0
 *
 * Data of the kernels of the row-wise product: factors, mask, rows and output; and the loop over
 * the products of a row.
 *
 * Rows are put into classes (gb_RowClass) by their known or estimated size; a kernel gets the row
 * indices of one class. Level l of an accumulator has GB_CUDA_SHARED >> (GB_CUDA_LEVELS - 1 - l)
 * bytes of shared memory and the same fraction of GB_CUDA_THREADS threads.
 */
#ifndef GB_CUDA_ROWS_CUH
#define GB_CUDA_ROWS_CUH

#include "cuda/prim/arrays.cuh"
#include "cuda/prim/semirings.cuh"

struct gb_Factors {
    const gb_Off *Ap, *Bp;
    const gb_Idx *Ai, *Bi;
    const void *Ax, *Bx;
    uint64_t amask, bmask; /* all ones, or 0 when iso */
    uint64_t m, n;         /* rows and columns of C */
    const gb_Off *Mp;      /* when mask_kind is not NONE */
    const gb_Idx *Mi;
    gb_MaskKind mask_kind;
};

enum gb_RowClass {
    GB_CLASS_EMPTY,
    GB_CLASS_ESC_4,      /* 16 lanes a row, four rows in a block of 64 */
    GB_CLASS_ESC_2,      /* 32 lanes a row, two rows */
    GB_CLASS_HASH_SHORT, /* a warp a row */
    GB_CLASS_DENSE_SHORT,
    GB_CLASS_HASH,                                     /* + level: a block a row */
    GB_CLASS_DENSE = GB_CLASS_HASH + GB_CUDA_LEVELS,   /* + level */
    GB_CLASS_BITMAP = GB_CLASS_DENSE + GB_CUDA_LEVELS, /* columns of one window */
    GB_CLASS_BITMAP_LONG,                              /* window after window */
    GB_CLASSES
};

/* Expand, sort, compress: bits of the number of a product, products per lane, and the width that a
 * row must not reach, so that a column and a number fit in 32 bits. */
enum { GB_ESC_BITS = 6, GB_ESC_ITEMS = 2 };
#define GB_ESC_WIDTH (1u << (32 - GB_ESC_BITS))

GB_HOST_DEVICE unsigned gb_level_bytes(int level) {
    return GB_CUDA_SHARED >> (GB_CUDA_LEVELS - 1 - level);
}
GB_HOST_DEVICE unsigned gb_level_threads(int level) {
    const unsigned threads = GB_CUDA_THREADS >> (GB_CUDA_LEVELS - 1 - level);
    return threads < 2 * GB_WARP ? 2 * GB_WARP : threads;
}
/* Of a short row: one of the warps of a block of level 0. */
GB_HOST_DEVICE unsigned gb_short_bytes(void) {
    return gb_level_bytes(0) / GB_CUDA_SHORT_ROWS;
}

/* Slots of a hash table, and columns of a dense window, in so many bytes; value_bytes is 0 where
 * only columns are counted. A window has a bit a column, and with values a counter for each word.
 */
GB_HOST_DEVICE unsigned gb_hash_slots(unsigned bytes, unsigned value_bytes) {
    return bytes / (value_bytes + (unsigned)sizeof(gb_Idx));
}
GB_HOST_DEVICE unsigned gb_window_columns(unsigned bytes, unsigned value_bytes) {
    return bytes / (value_bytes > 0 ? 32 * value_bytes + 8 : 4) * 32;
}
/* Words of each of so many arrays of bits and counters of a bitmap. */
GB_HOST_DEVICE unsigned gb_bitmap_words(unsigned bytes, unsigned arrays) {
    return bytes / (4 * arrays);
}
GB_HOST_DEVICE unsigned gb_hash_limit(unsigned slots) {
    return (unsigned)((uint64_t)slots * GB_CUDA_LOAD_PERCENT / 100);
}

struct gb_RowFacts {           /* [m] each */
    const uint64_t *products;  /* before masking */
    const gb_Idx *low, *width; /* columns of C's row are in [low, low + width) */
};

struct gb_ClassRows {
    const gb_Idx *row; /* [n] */
    uint64_t n;
    const uint64_t *bounds; /* NULL, or on the device: the rows are row[bounds[0]] .. [bounds[1]) */
};
/* The list, once its bounds are known. */
GB_DEVICE gb_ClassRows gb_known_rows(const gb_ClassRows &list) {
    if (list.bounds == NULL) return list;
    return gb_ClassRows{list.row + list.bounds[0], list.bounds[1] - list.bounds[0], NULL};
}

/* Output positions of rows. Row number r of a class begins at at[row], or at[r] when by_list, and
 * has capacity up to the next one's begin. */
struct gb_RowsOut {
    const uint64_t *at;
    gb_Idx *i;
    void *x;         /* NULL: rows are only counted */
    uint64_t *count; /* entries, [m] or [list] */
    bool by_list;
    gb_Idx *overflowed; /* rows that did not fit; their count is 0 */
    uint64_t *overflow; /* [2] of that list: 0, and its end */
};

/* One row of a class. */
struct gb_RowTask {
    gb_Idx row;
    uint64_t index;    /* in the arrays of gb_RowsOut */
    uint64_t products; /* before masking */
    gb_Idx low, width; /* its entries are in [low, low + width) */
};
GB_DEVICE gb_RowTask gb_row_task(const gb_RowFacts &facts, const gb_RowsOut &out,
                                 const gb_ClassRows &list, uint64_t r) {
    const gb_Idx row = list.row[r];
    return gb_RowTask{row, out.by_list ? r : row, facts.products[row], facts.low[row],
                      facts.width[row]};
}

GB_DEVICE void gb_out_overflow(const gb_RowsOut &out, const gb_RowTask &task) {
    out.overflowed[atomicAdd(reinterpret_cast<unsigned long long *>(out.overflow + 1), 1ull)] =
        task.row;
    out.count[task.index] = 0;
}

/* Whether the mask lets (row, j) be written: a search in the mask's row. */
GB_DEVICE bool gb_allowed(const gb_Factors &F, gb_Idx row, gb_Idx j) {
    if (F.mask_kind == GB_MASK_NONE) return true;
    const gb_Off end = F.Mp[row + (uint64_t)1], low = gb_lower_bound(F.Mi, F.Mp[row], end, j);
    const bool listed = low < end && F.Mi[low] == j;
    return listed == (F.mask_kind == GB_MASK_INSIDE);
}

/* Threads that read one row of B side by side: about its mean length, but no fewer than leave every
 * thread of the team something to do. A power of two. */
GB_DEVICE unsigned gb_lanes(uint64_t products, uint64_t entries, unsigned team) {
    unsigned lanes = 1;
    while (lanes < team && ((uint64_t)lanes * entries * 2 <= products || lanes * entries < team))
        lanes *= 2;
    return lanes;
}

/* Entries of a row of B: from `at` on, before `end`, with columns up to `last`. */
struct gb_Span {
    gb_Off at, end;
    gb_Idx last;
};

/* Calls visit(b, j) for every step-th of them that the mask allows in the row of C. */
template <class Values, class Visit>
GB_DEVICE void gb_fused_row(const gb_Factors &F, gb_Idx row, gb_Span span, unsigned step,
                            const Values &values, Visit visit) {
    gb_Off q = span.at;
    if (q >= span.end) return;
    gb_Idx j = F.Bi[q];
    typename Values::Right b = values.right(F, q);
    while (j <= span.last) {
        const gb_Off next = q + step;
        const bool more = next < span.end;
        gb_Idx j2 = 0;
        typename Values::Right b2 = b;
        if (more) {
            j2 = F.Bi[next];
            b2 = values.right(F, next);
        }
        if (gb_allowed(F, row, j)) visit(b, j);
        if (!more) break;
        q = next;
        j = j2;
        b = b2;
    }
}

/* Calls visit(a, b, k, j) for every product A(row,k) B(k,j) that the mask allows, a and b being its
 * factors as `values` loads them: a once for a row of B, and b together with j, one step before
 * they are used, so that no load waits for a probe. Ends early when go_on() is false. */
template <class Team, class Values, class Visit, class GoOn>
GB_DEVICE void gb_each_product(const gb_Factors &F, const Team &team, const gb_RowTask &task,
                               const Values &values, Visit visit, GoOn go_on) {
    const gb_Off from = F.Ap[task.row], to = F.Ap[task.row + (uint64_t)1];
    const unsigned lanes = gb_lanes(task.products, to - from, team.size());
    const unsigned lane = team.rank() % lanes, groups = team.size() / lanes;
    for (gb_Off p = from + team.rank() / lanes; p < to && go_on(); p += groups) {
        const gb_Idx k = F.Ai[p];
        const typename Values::Left a = values.left(F, p);
        gb_fused_row(F, task.row, gb_Span{F.Bp[k] + lane, F.Bp[k + (uint64_t)1], GB_LAST_COLUMN},
                     lanes, values, [&](typename Values::Right b, gb_Idx j) { visit(a, b, k, j); });
    }
}

/* The same for columns of a window only: [first, last]. Rows of B are sorted. */
template <class Team, class Values, class Visit>
GB_DEVICE void gb_each_in_window(const gb_Factors &F, const Team &team, const gb_RowTask &task,
                                 const gb_Idx window[2], const Values &values, Visit visit) {
    const gb_Off from = F.Ap[task.row], to = F.Ap[task.row + (uint64_t)1];
    const unsigned lanes = gb_lanes(task.products, to - from, team.size());
    const unsigned lane = team.rank() % lanes, groups = team.size() / lanes;
    for (gb_Off p = from + team.rank() / lanes; p < to; p += groups) {
        const gb_Idx k = F.Ai[p];
        const gb_Off end = F.Bp[k + (uint64_t)1];
        const gb_Off low = gb_lower_bound(F.Bi, F.Bp[k], end, window[0]);
        const typename Values::Left a = values.left(F, p);
        gb_fused_row(F, task.row, gb_Span{low + lane, end, window[1]}, lanes, values,
                     [&](typename Values::Right b, gb_Idx j) { visit(a, b, k, j); });
    }
}

/* -- values of products ------------------------------------------------------------------------ */

/* What an accumulator does with them: it sums them over a semiring, or, where rows are only counted
 * (gb_NoRing), ignores them. */

/* P: gb_shared<Type> or, for values in global memory, Type *. */
template <class Ring, class P> struct gb_RingValues {
    typedef typename Ring::Value Value;
    typedef gb_Store<Ring> Store;
    typedef typename Store::Type Type;
    P at;

    GB_MEMBER void clear(unsigned slot) const {
        at[slot] = Store::pack(Ring::zero());
    }
    typedef Value Left;
    typedef Value Right;
    GB_MEMBER Left left(const gb_Factors &F, gb_Off p) const {
        return gb_left<Ring>(F.Ax, p & F.amask);
    }
    GB_MEMBER Right right(const gb_Factors &F, gb_Off q) const {
        return gb_right<Ring>(F.Bx, q & F.bmask);
    }
    GB_MEMBER void add(unsigned slot, Left a, Right b, gb_Idx k) const {
        gb_join<Ring>(&at[slot], Store::pack(Ring::multiply(a, b, k)));
    }
    GB_MEMBER void emit(void *x, uint64_t place, unsigned slot) const {
        static_cast<Value *>(x)[place] = Store::unpack(at[slot]);
    }
};

struct gb_NoValues {
    GB_MEMBER void clear(unsigned) const {
    }
    struct Nothing {};
    typedef Nothing Left;
    typedef Nothing Right;
    GB_MEMBER Left left(const gb_Factors &, gb_Off) const {
        return Nothing();
    }
    GB_MEMBER Right right(const gb_Factors &, gb_Off) const {
        return Nothing();
    }
    GB_MEMBER void add(unsigned, Left, Right, gb_Idx) const {
    }
    GB_MEMBER void emit(void *, uint64_t, unsigned) const {
    }
};

/* Stands for a semiring where rows are only counted. */
struct gb_NoRing {};

template <class Ring> struct gb_ValuesOf {
    typedef typename gb_Store<Ring>::Type Type;
    typedef gb_RingValues<Ring, gb_shared<Type>> Shared;
    typedef gb_RingValues<Ring, Type *> Global;
    enum { BYTES = sizeof(Type), TRUTH = sizeof(typename Ring::Value) == 1 };
    enum { BITMAPS = TRUTH ? 3 : 2 };                    /* see gb_BitmapWindow */
    enum { SLOTS = (64 + 4 + BYTES - 1) / (4 + BYTES) }; /* of a table, per thread at most */
    GB_DEVICE Shared carve(size_t byte, unsigned n) {
        return Shared{gb_shared_carve<Type>(byte, n)};
    }
};
template <> struct gb_ValuesOf<gb_NoRing> {
    typedef gb_NoValues Shared;
    enum { BYTES = 0, TRUTH = 0, BITMAPS = 1, SLOTS = 0 };
    GB_DEVICE Shared carve(size_t, unsigned) {
        return Shared{};
    }
};

/* -- bits of columns --------------------------------------------------------------------------- */

/* In shared memory, and what they say in order: how many columns there are, and how many before
 * each. Windows of dense rows, rows whose values lie in C, and hash tables rank their columns by
 * them. O(words / threads) and O(1) a column. */

struct gb_Bits {
    gb_shared<unsigned> word;   /* [words] */
    gb_shared<unsigned> before; /* [words] bits before each word, once they have been counted */
    unsigned words;

    GB_MEMBER unsigned columns() const {
        return words * 32;
    }
    template <class Team> GB_MEMBER void clear(const Team &team) const {
        GB_ROLLED
        for (unsigned c = team.rank(); c < words; c += team.size()) word[c] = 0u;
    }
    GB_MEMBER void set(unsigned c) const {
        atomicOr(&word[c / 32], 1u << c % 32);
    }
    /* Looks first: fewer writes where most are set. */
    GB_MEMBER void find_or_set(unsigned c) const {
        if (!(gb_peek(&word[c / 32]) >> c % 32 & 1)) set(c);
    }
    GB_MEMBER bool has(unsigned c) const {
        return ((unsigned)word[c / 32] >> c % 32 & 1) != 0;
    }
    /* Columns before c, which is in the bits. */
    GB_MEMBER unsigned rank(unsigned c) const {
        return (unsigned)before[c / 32] +
               (unsigned)__popc((unsigned)word[c / 32] & ((1u << c % 32) - 1));
    }
    /* All bits; every thread gets the number. They do not change any more. An odd number of words
     * a thread keeps the threads of a warp in different banks. */
    template <class Team> GB_MEMBER unsigned count(const Team &team, bool remember) const {
        const unsigned each = ((words + team.size() - 1) / team.size()) | 1;
        const unsigned from = team.rank() * each, to = from + each < words ? from + each : words;
        unsigned mine = 0, total;
        GB_ROLLED
        for (unsigned c = from; c < to; c++) mine += (unsigned)__popc((unsigned)word[c]);
        unsigned sum = team.scan(mine, &total);
        GB_ROLLED
        for (unsigned c = from; remember && c < to; c++) {
            before[c] = sum;
            sum += (unsigned)__popc((unsigned)word[c]);
        }
        team.sync();
        return total;
    }
};

#endif
