/* SPDX-License-Identifier: Apache-2.0
 *
 * What was put off, as the deferred*.c share it: objects, references and locks (deferred.c), and
 * the calls of one kind (deferred_product.c, deferred_values.c, deferred_visit.c).
 *
 * Two kinds of locks: gb_deferred_lock guards the `deferred` of all objects, parts and references,
 * and is held for a few instructions; the lock of a note is held while its calls are made, or one
 * is added. The objects of a note hold one reference together, each thread at work on it another.
 */
#ifndef GB_LAZY_QUEUE_NOTE_H
#define GB_LAZY_QUEUE_NOTE_H

#include "gblite_explain.h"
#include "mxm/call.h"
#include "ops/reduce.h"

enum { GB_STEPS_MOST = 6, GB_PARTS_MOST = 1 + 2 * GB_STEPS_MOST, GB_FUSED_CALLS_MOST = 4 };

typedef struct {
    gbl_Info (*make)(gb_Deferred *d); /* part[0] becomes what it is to be */
    void (*leave)(gb_Deferred *d);    /* nobody wants that any more; NULL: nothing to do */
    void (*release)(gb_Deferred *d);  /* what the note holds; NULL: nothing */
    /* under its lock, as gb_deferred_fold; NULL: it is made, and its result is folded */
    gbl_Info (*fold)(gb_Deferred *d, void *z, const gb_Fold *fold, bool *folded);
} gb_DeferredKind;

/* One call of a sequence on values, with the objects that its operands come from, or one that ends
 * a product. */
typedef struct {
    const gb_UnaryOp *unary;
    const gb_BinaryOp *binary;
    const gb_IndexUnaryOp *index; /* select */
    const gb_Matrix *x, *y;       /* NULL: what the call before gave, or the bound value */
    int bound;                    /* 0, or 1 or 2: the argument that `value` stands for */
    uint64_t value;
} gb_ValueStep;

/* An assign through what a product with a vector gives: into<w> = w, or a value of into's type. */
typedef struct {
    gb_Matrix *into;
    bool is_value;
    uint64_t value;
} gb_FusedAssign;

struct gb_Deferred {
    const gb_DeferredKind *kind;
    gb_Matrix *part[GB_PARTS_MOST]; /* those not written are only compared */
    int parts;
    unsigned written;                 /* bit k: part[k] is written; [0] is */
    gb_Matrix *orphan[GB_PARTS_MOST]; /* inputs that the user has freed */
    int orphans;
    int references;
    bool done; /* part[0] is complete, or nobody wants it */
    pthread_mutex_t lock;
    /* products */
    gb_MxmCall call;      /* holds a reference to its ring */
    bool folded;          /* the sum has been formed, and C is not stored */
    bool multiplied;      /* the product is stored in C, but not all steps are made */
    int made;             /* steps */
    gbl_Explanation *how; /* steps: of the product, for C once they are made ... */
    bool told;            /* ... if there is one */
    /* sequences, and what ends a product */
    gb_ValueStep step[GB_STEPS_MOST];
    int steps;
    /* products with vectors; `multiplied`, `made` and `steps` count for these too */
    gb_MxvCall mxv; /* holds a reference to its ring */
    gbl_Desc_Value method;
    gb_FusedAssign assign[GB_FUSED_CALLS_MOST];
};

extern const gb_DeferredKind gb_deferred_product, gb_deferred_values, gb_deferred_fused_assign;

/* Whether arrays of X are somebody else's, who may take them back when the user frees it. */
bool gb_deferred_is_lent(gb_Matrix *X);

/* NULL without memory. No object points to it. */
gb_Deferred *gb_deferred_new(const gb_DeferredKind *kind);
void gb_deferred_destroy(gb_Deferred *d);

void gb_deferred_lock(void);
void gb_deferred_unlock(void);
/* Under gb_deferred_lock: X is a part, and is written or not. */
void gb_deferred_add(gb_Deferred *d, gb_Matrix *X, bool written);
/* Under gb_deferred_lock: all parts point to `to`. */
void gb_deferred_point(const gb_Deferred *d, gb_Deferred *to);

/* The note that X is part of, locked; as_output: that X is written by. NULL where there is none, or
 * this thread is making it. */
gb_Deferred *gb_deferred_acquire(const gb_Matrix *X, bool as_output);
void gb_deferred_release(gb_Deferred *d);
/* Under its lock: the objects are free of it. */
void gb_deferred_end(gb_Deferred *d);
/* Under its lock. */
gbl_Info gb_deferred_complete(gb_Deferred *d);
/* Tells gb_deferred_acquire that this thread makes d; returns what it made before, to be set again
 * afterwards. */
const gb_Deferred *gb_deferred_at_work(const gb_Deferred *d);

#endif
