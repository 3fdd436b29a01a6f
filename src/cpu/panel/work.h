/* SPDX-License-Identifier: Apache-2.0
 *
 * Workspace of one thread of the product by panels: some neighbouring rows of A, one a lane.
 *
 * Encoding of a panel: lane l is row rows[l]. The inner indices k[0] < k[1] < ... of all its rows
 * together, count of them; bit l of holders[u] says that row l has k[u], a[u * lanes + l] is then
 * its value (meaningless where the bit is 0). A column of C that the panel may fill has a slot: its
 * distance from the first column (a window), or a number given at the first touch (hashed). Slot s
 * has the sums sum[s * lanes ...] and a bit in filled[s] for each row that has a product there.
 *
 * Between panels everything is clean: filled[s] = listed[s] = 0, seen[] = 0, key[] = GB_NO_KEY, and
 * every sum is at rest: it has the value that changes nothing that is added to it, not even -0. A
 * minimum or maximum of nothing but NaN is the NaN at rest, and loses their sign and payload.
 */
#pragma once

#include "cpu/common/compact.h"
#include "cpu/rowwise/rowwork.h"

enum {
    GB_PANEL_LANES = 16,              /* rows of a panel at most */
    GB_PANEL_PIECE = 1024,            /* entries of a row of B whose slots are found at a time */
    GB_PANEL_AT_ONCE = 4,             /* rows of B that are taken at once, at most */
    GB_PANEL_GROUP = GB_REGISTER / 16 /* ... with registers of this set: their sums stay there */
};

/* What is kept of the values of A. */
typedef enum {
    GB_PANEL_NO_VALUES, /* none, or the one of an iso A */
    GB_PANEL_VALUES,    /* a lane each */
    GB_PANEL_ENTRIES    /* the number of the entry, 8 bytes: for values of any size */
} gb_PanelValues;

/* Arrays that grow and stay allocated; each begins with a line of the cache. */
typedef enum {
    GB_ARRAY_K,
    GB_ARRAY_HOLDERS,
    GB_ARRAY_A,
    GB_ARRAY_SEEN,
    GB_ARRAY_RANK,
    GB_ARRAY_SUM,
    GB_ARRAY_FILLED,
    GB_ARRAY_LISTED,
    GB_ARRAY_COLUMN,
    GB_ARRAY_SLOT,
    GB_ARRAY_OPEN,
    GB_ARRAY_BITS,
    GB_ARRAY_KEY,
    GB_ARRAY_NUMBER,
    GB_ARRAY_POSITION,
    GB_ARRAY_LIST,
    GB_ARRAY_SORT,
    GB_ARRAYS
} gb_PanelArrayName;

typedef struct {
    gb_RingArgs args; /* the thread's copy, with its own scratch */
    unsigned lanes;   /* 8, or 16 for values of 4 bytes and of 1 */
    size_t stride;    /* bytes of the sums of a slot */
    gb_PanelValues values;
    char rest[64];        /* sums of a slot at rest; not used where `stays` */
    bool pattern;         /* all values of C are true, and there are no sums */
    bool stays;           /* sums begin with their first product and need no rest */
    const uint8_t *shift; /* [rows of B] see gb_panel_relate; all threads' */
    /* the panel of A */
    uint64_t at;                 /* position of lane 0 in the order of panels */
    unsigned height;             /* rows, at most as many as lanes */
    gb_Idx rows[GB_PANEL_LANES]; /* [height] of A and C */
    uint64_t count;              /* inner indices */
    gb_Idx *k;                   /* [count + 1], the last one twice */
    uint16_t *holders;           /* [count] */
    char *a;                     /* [count * lanes] */
    unsigned step;  /* values of `a` from one k to the next: lanes, or 0: one value for all */
    uint16_t *seen; /* [window] rows by k */
    uint32_t *rank; /* [window] the u of a k */
    /* columns of C */
    bool hashed;
    gb_Idx low, high;   /* columns that are wanted; low has slot 0 of a window */
    uint64_t span;      /* of these columns; 0: there is nothing to do */
    bool closed;        /* the table takes no more columns; those that it has not go to `nowhere` */
    uint32_t nowhere;   /* a slot */
    uint64_t columns;   /* filled; while hashed: so far */
    char *sum;          /* [slots * stride] */
    uint16_t *filled;   /* [slots + 64] */
    uint16_t *listed;   /* [slots + 64] rows for which the mask has the column, of those filled */
    gb_Idx *column;     /* [columns + 16] ascending */
    uint32_t *slot;     /* [columns + 16] theirs */
    uint16_t *open;     /* [columns + 16] filled and let through by the mask */
    uint16_t *bits;     /* [columns + 16] the same by rows: 16 rows for each 16 columns */
    gb_Idx *key;        /* [2^table_bits] of the table */
    uint32_t *number;   /* [2^table_bits] slots of its keys */
    uint32_t *position; /* [columns] of the key of a slot in the table */
    uint64_t *list, *sort;
    unsigned table_bits;
    uint32_t found[GB_PANEL_PIECE]; /* slots of entries of a row of B */
    gb_Grown array[GB_ARRAYS];
    gb_RowWork filter;        /* of which only the filter's arrays are used */
    uint64_t windows, tables; /* rows by the way slots were found */
    size_t wanted;            /* bytes that were requested in vain; 0: all is well */
} gb_PanelWork;

/* Entries of rows of B, those of the inner indices u to u + rows - 1, that have the same columns:
 * `count` entries of each, from[r] the first of row r. */
typedef struct {
    uint64_t u;
    unsigned rows; /* 1 to GB_PANEL_AT_ONCE */
    gb_Off from[GB_PANEL_AT_ONCE];
    uint64_t count;
    const uint32_t *slot; /* [count] slot[e] - base is the slot of the column of entry e */
    uint32_t base;
} gb_PanelPiece;
typedef void gb_PanelAdd(gb_PanelWork *w, const gb_MxmArgs *g, const gb_PanelPiece *piece);
/* The functions of one semiring; rest: sums at rest, GB_PANEL_REST bytes. */
typedef struct gb_PanelKernel {
    gb_PanelAdd *add;
    void (*rest)(char *rest);
} gb_PanelKernel;

/* work.c; false when memory is short, with w->wanted set. `values` is for a semiring that reads A's
 * values. */
gbl_Info GB_ISA_NAME(gb_panelwork_new)(gb_PanelWork *w, const gb_MxmArgs *g, bool values);
void GB_ISA_NAME(gb_panelwork_free)(gb_PanelWork *w);
/* The panel begins at that position of the order, and ends before position `to`. */
void GB_ISA_NAME(gb_panel_begin)(gb_PanelWork *w, const gb_MxmArgs *g, uint64_t at, uint64_t to);
/* Unites rows of the panel: those of the lanes `open`. */
bool GB_ISA_NAME(gb_panel_unite)(gb_PanelWork *w, const gb_MxmArgs *g, unsigned open);
/* Reserves the columns that the panel may have, and decides how they get slots. */
bool GB_ISA_NAME(gb_panel_frame)(gb_PanelWork *w, const gb_MxmArgs *g);

/* panel.c: slots of n <= GB_PANEL_PIECE columns to w->found. */
void GB_ISA_NAME(gb_panel_find)(gb_PanelWork *w, const gb_Idx *column, uint64_t n);

/* rows.c. Entries of n rows of A; low and high are moved to their first and last column where they
 * lie outside. */
uint64_t GB_ISA_NAME(gb_panel_reach)(const gb_CsView *A, const gb_Idx *rows, uint64_t n,
                                     gb_Idx *low, gb_Idx *high);
/* Slots for the mask's columns in the table, which is closed then. */
void GB_ISA_NAME(gb_panel_mask_keys)(gb_PanelWork *w, const gb_MxmArgs *g);
/* Drops columns of a piece below w->low and above w->high. */
void GB_ISA_NAME(gb_panel_clip)(const gb_PanelWork *w, const gb_MxmArgs *g, gb_PanelPiece *piece);
/* The rows of the finished panel; everything is clean afterwards. Returns entries. */
uint64_t GB_ISA_NAME(gb_panel_write)(gb_PanelWork *w, const gb_MxmArgs *g, gb_ChunkOut out);
