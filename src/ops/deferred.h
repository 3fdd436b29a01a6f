/* SPDX-License-Identifier: Apache-2.0
 *
 * Deferred calls, in non-blocking mode only. A record (gb_Deferred) stands for one or more of them:
 * its kind knows how to execute its calls, and it points to its parts, the objects that these write
 * or read. `deferred` of an object is the record that it is part of, at most one.
 *   - A writer of an object first executes the record that the object is part of, a reader the one
 *     that writes the object (gb_complete). Any number of threads may: the first executes it, the
 *     others wait.
 *   - A record whose first part is freed or overwritten unread is never executed.
 *   - Errors of arguments belong to the deferred call. A record that runs out of memory stays
 *     deferred: the call that triggered it fails, and the next one tries again.
 *
 * Kinds: sequences on values, below; products (lazy/product.c); products with vectors that grow a
 * search (lazy/fused_assign.c).
 *
 * Two kinds of locks: gb_deferred_lock guards the `deferred` of all objects, parts and references,
 * and is held for a few instructions; the lock of a record is held while its calls are executed, or
 * one is added. The objects of a record hold one reference together, each thread at work on it
 * another.
 *
 * In a child of fork(), a record whose lock is stale was at work in a thread that is gone. What it
 * reads is whole; what it writes is begun anew by `again`, or lost where the kind has none.
 */
#pragma once

#include "matrix/object.h"
#include "semiring/fold.h"

enum { GB_STEPS_MOST = 6, GB_PARTS_MOST = 1 + 2 * GB_STEPS_MOST };
enum { GB_NOTE_BYTES = 1536 }; /* the largest note of those that take no memory */

/* -- for those who complete notes */

static inline bool gb_is_deferred(const gb_Matrix *X) {
    return __atomic_load_n(&X->deferred, __ATOMIC_ACQUIRE) != NULL;
}
/* What an object is wanted for: a handle need not be complete; an input is complete, and may be
 * read, also while a deferred call that reads it is executed; an output is complete, and so is what
 * is deferred and reads it; idle is the same, except that an object that is only read stays part of
 * a record that a thread is at work on. */
typedef enum { GB_WANTS_HANDLE, GB_WANTS_INPUT, GB_WANTS_OUTPUT, GB_WANTS_IDLE } gb_Wanted;
gbl_Info gb_complete_deferred(gb_Matrix *X, gb_Wanted wanted);
static inline gbl_Info gb_complete(gb_Matrix *X, gb_Wanted wanted) {
    return gb_is_deferred(X) ? gb_complete_deferred(X, wanted) : GBL_SUCCESS;
}

/* *folded: *z is the sum of C, or nothing (GBL_NO_VALUE) where C will have no entries. Else C is
 * complete. */
gbl_Info gb_deferred_fold(void *z, const gb_Fold *fold, gb_Matrix *C, bool *folded);
/* Before X is freed. False: a note that cannot be made for want of memory keeps X, and frees it. */
bool gb_deferred_leave(gb_Matrix *X);

/* Whether a call, checked, was added to the record that X is part of. A map, C = f(C) in place, is
 * added to that of X = C; an assign to that of its mask. */
typedef enum { GB_FOLLOWS_MAP, GB_FOLLOWS_ASSIGN } gb_Follows;
bool gb_deferred_join(gb_Matrix *X, gb_Follows what, const void *call);

/* -- for kinds */

typedef struct {
    gbl_Info (*make)(gb_Deferred *d); /* part[0] becomes what it is to be */
    void (*leave)(gb_Deferred *d);    /* nobody wants that any more; NULL: nothing to do */
    void (*release)(gb_Deferred *d);  /* what the note holds; NULL: nothing */
    void (*again)(gb_Deferred *d);    /* nothing of it has been made; NULL: its outputs are lost */
    /* under its lock, as gb_deferred_fold; NULL: it is made, and its result is folded */
    gbl_Info (*fold)(gb_Deferred *d, void *z, const gb_Fold *fold, bool *folded);
    /* as gb_deferred_join, without a lock; NULL: nothing joins */
    bool (*join)(gb_Matrix *X, gb_Follows what, const void *call);
    size_t bytes; /* of a note, which begins with a gb_Deferred */
} gb_DeferredKind;

struct gb_Deferred {
    const gb_DeferredKind *kind;
    gb_Matrix *part[GB_PARTS_MOST]; /* those not written are only compared */
    int parts;
    unsigned written;                 /* bit k: part[k] is written; [0] is */
    gb_Matrix *orphan[GB_PARTS_MOST]; /* inputs that the user has freed */
    int orphans;
    int references;
    bool done;       /* part[0] is complete, or nobody wants it */
    bool multiplied; /* the product is stored in part[0], but not all steps are made */
    int steps, made; /* calls after the product, or of the sequence; those that are made */
    gb_Lock lock;
};

/* Cleared. NULL without memory. No object points to it. */
gb_Deferred *gb_deferred_new(const gb_DeferredKind *kind);
void gb_deferred_destroy(gb_Deferred *d);

void gb_deferred_lock(void);
void gb_deferred_unlock(void);
/* Under gb_deferred_lock: X is a part, and is written or not. */
void gb_deferred_add(gb_Deferred *d, gb_Matrix *X, bool written);
/* Under gb_deferred_lock: all parts point to `to`. */
void gb_deferred_point(const gb_Deferred *d, gb_Deferred *to);

/* The record that X is part of, locked; as_output: that writes X. NULL where there is none, or this
 * thread is executing it. */
gb_Deferred *gb_deferred_acquire(const gb_Matrix *X, bool as_output);
void gb_deferred_release(gb_Deferred *d);
/* Under its lock: the objects are free of it. */
void gb_deferred_end(gb_Deferred *d);
/* Under its lock. */
gbl_Info gb_deferred_complete(gb_Deferred *d);
/* Registers d as the record that this thread executes, for gb_deferred_acquire; returns the
 * previous one, to be restored afterwards. */
const gb_Deferred *gb_deferred_at_work(const gb_Deferred *d);

/* Whether arrays of X are somebody else's, who may take them back when the user frees it. */
bool gb_deferred_is_lent(gb_Matrix *X);

/* -- sequences on values: values.c */

/* w = unary(x), binary(x, y), or binary of x and a bound value; checked, without mask, accumulator
 * or transpose. */
typedef struct {
    gb_Matrix *w, *x, *y; /* y NULL: unary, or the bound value */
    const gb_UnaryOp *unary;
    const gb_BinaryOp *binary;
    const void *bound; /* of the operator's type */
    bool bound_first;
} gb_ValueCall;
/* Whether the call was deferred. No object need be complete. */
bool gb_values_defer(const gb_ValueCall *call);
