/* SPDX-License-Identifier: Apache-2.0
 *
 * Derived forms: what calls compute from the rows of a representation and may use again.
 *
 * Invariants:
 *   - An object has one list of them, read and changed under its lock, with at most one node for a
 *     key; forms are made under `making`. gb_derived_drop, which every writer calls, frees all of
 * it.
 *   - A form that was made neither moves nor changes until then: readers use its view without the
 *     lock, also while other forms are made.
 *   - Ski rental: a form is made by the call with which the credit of all calls, what they would
 *     have saved with the form, reaches the cost of making it.
 *   - Where memory is short no form is made and calls do without, except where gbl_Info is
 * returned.
 */
#pragma once

#include "kernel_api/backend.h"
#include "matrix/object.h"

/* -- the list ---------------------------------------------------------------------------------- */

typedef enum {
    GB_DERIVED_SKETCH, /* variant: registers */
    GB_DERIVED_GROUPS,
    GB_DERIVED_PANELS, /* variant: lanes, grouped, with values */
    GB_DERIVED_SELL,   /* variant: with values */
    GB_DERIVED_BITS,
    GB_DERIVED_HEAVY,
    GB_DERIVED_DEGREE_LOWER,
    GB_DERIVED_NORMS /* variant: tiles */
} gb_DerivedKind;

typedef struct {
    gb_DerivedKind kind;
    gb_Format format;
    uint64_t variant;
} gb_DerivedKey;

enum { GB_DERIVED_BLOCKS = 3 };

struct gb_Derived {
    gb_Derived *next;
    gb_DerivedKey key;
    bool made, rejected; /* rejected: it is of no use to calls that may do without */
    double credit;       /* what calls would have saved, in the unit of the cost */
    gb_Block block[GB_DERIVED_BLOCKS];
    union { /* zero until it is made */
        const uint8_t *sketch;
        const gb_Idx *order;
        const double *norm;
        gb_PanelView panels;
        gb_SellView sell;
        gb_BitRows bits;
        gb_HeavyRows heavy;
        gb_DegreeLower degree_lower;
    } view;
};

#define GB_DERIVED_NOW (-1.0)
typedef struct {
    gb_DerivedKey key;
    double credit; /* what this call would save */
    double cost;   /* of making it; GB_DERIVED_NOW: make it, even where it was rejected */
    /* Sets block, view and `made`; or `rejected`; or leaves the form for another call to make. With
     * `making` held. */
    void (*make)(gb_Derived *form, const void *context);
    const void *context;
} gb_DerivedRequest;

/* The form after the request; it is made while others read A. A must not be locked. */
gb_Derived gb_derived_get(gb_Matrix *A, const gb_DerivedRequest *request);
/* The form as it is; zero where nobody has requested it. */
gb_Derived gb_derived_at_hand(gb_Matrix *A, gb_DerivedKey key);
void gb_derived_drop(gb_Matrix *A);

/* -- made by a kernel ------------------------------------------------------------ */

/* HyperLogLog sketches (core/hll.h) of the rows of cs[format], `registers` bytes a row. They depend
 * on the pattern alone, not on the order of a row's entries. */
gbl_Info gb_sketch_get(const uint8_t **sketch, gb_Matrix *A, gb_Format format, unsigned registers);
const uint8_t *gb_sketch_at_hand(gb_Matrix *A, gb_Format format, unsigned registers);

/* An order of the rows in which each eight have many columns in common, 4 bytes a row; products by
 * panels read rows in it (docs/panel.md). It depends on the pattern alone. `credit` is in seconds;
 * `rejected` says that no rows are similar. */
gb_Derived gb_groups_at_hand(gb_Matrix *A, gb_Format format);
/* O(entries) and a sort of rows; 190 bytes a row meanwhile. */
gbl_Info gb_groups_get(const gb_Idx **order, gb_Matrix *A, gb_Format format);
void gb_groups_credit(gb_Matrix *A, gb_Format format, double seconds);
void gb_groups_give_up(gb_Matrix *A, gb_Format format);

/* Rows united by panels (core/forms.h) of 8 or 16 rows, neighbours or in the order of groups: 6
 * bytes and a value an entry, 12 bytes a panel. The second product that could use them makes them,
 * with values where it reads values; such panels serve products that read none as well. */
typedef struct {
    unsigned lanes;
    bool grouped, values;
} gb_PanelKind;
/* Those with values, else, where they serve, those without. */
gb_Derived gb_panels_at_hand(gb_Matrix *A, gb_Format format, gb_PanelKind kind);
/* The panels of cs[format] that the product reads, in g->order; g->A and g->args are its own
 * arrays. `values`: they are wanted with A's values, and have been cast to no other type. */
gb_PanelView gb_panels_get(gb_Matrix *A, gb_Format format, const gb_MxmArgs *g, bool values);

/* Rows as SELL slices (core/forms.h): 2 or 4 bytes an entry and 7 a row, and values in a block of
 * their own. Product number GB_SELL_WORTH that reads values, or does not, makes them; number
 * GB_SELL_WORTH_LONG makes values of long rows beyond the caches. A is a sorted view of cs[format]
 * of X, with values of 4 or 8 bytes. */
gb_SellView gb_sell_get(gb_Matrix *X, gb_Format format, const gb_CsView *A, bool values);

/* -- bits (bit_rows.c) ------------------------------------------------------------------------- */

/* The rows of cs[format] with GB_BITS_LEAST entries and one per GB_BITS_SPAN columns of their span,
 * as bits (core/forms.h): at most 16 bytes an entry of such a row, and 12 a row. `saved`: entries
 * that this call need not look at with them; making them costs at most all entries. None where rows
 * are not sorted. */
gb_BitRows gb_bits_get(gb_Matrix *A, gb_Format format, uint64_t saved);
/* Whether a sorted row with these entries is such a row; blocks of its span. */
bool gb_bits_suit(const gb_Idx *i, uint64_t entries, uint32_t *blocks);

/* count[t * nminor + k]: entries of part t of `parts` of the rows (gb_first_row) at k; facts.c */
void gb_count_minors(const gb_CsView *A, int parts, uint32_t *count);
/* The rows of cs[format] split by heavy inner indices (core/forms.h). An inner index is
 * heavy when at least sqrt(entries) / GB_HEAVY_SHARE rows have it, and twice that where as many are
 * not yet GB_HEAVY_SKEW times the mean. At most 32 bytes an entry, and 8 a row or an inner index;
 * meanwhile 4 more for each of up to GB_HEAVY_PARTS counts of an inner index. Making them costs
 * GB_HEAVY_WORTH steps an entry. */
typedef struct {
    uint64_t steps, mask,
        others; /* entries scanned without them, of the mask, of the other factor */
} gb_HeavyUse;
gb_HeavyRows gb_heavy_get(gb_Matrix *A, gb_Format format, const gb_HeavyUse *use);

/* -- the degree-ordered lower triangle (degree_lower.c) ---------------------------------------- */

/* The graph of a pattern that is known to be symmetric or strictly triangular (matrix.h), each edge
 * held once (core/forms.h), loops left out: 4 bytes an edge, 8 a vertex, and bits, at most a
 * line of the cache for GB_DEGREE_LOWER_SHARE edges and GB_DEGREE_LOWER_LEAST more; meanwhile 12
 * bytes a vertex, and 4 more for each of up to GB_HEAVY_PARTS parts. A is held sorted as
 * cs[format]. The second call makes it, or the first with `now`. None, without arrays, where it is
 * not worth while yet, is too large, or would exceed the limit of workspace. */
gb_DegreeLower gb_degree_lower_get(gb_Matrix *A, gb_Format format, bool now);
