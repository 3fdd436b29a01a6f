/* SPDX-License-Identifier: Apache-2.0
 *
 * Products with vectors from the plan to the kernel, for mxm/mxv*.c alone: the choice between push
 * and pull (mxv_plan.c), the product on the host (mxv_host.c) and on the device (mxv.c), and
 * what explanations are made of.
 */
#pragma once

#include "mxm/model/call.h"
#include "ops/finish.h"

typedef struct {
    gb_MxvCall call;
    gbl_Desc_Value method; /* as requested, or GBL_DEFAULT */
} gb_MxvAsked;

typedef struct {
    gbl_Desc_Value method; /* as requested, or GBL_DEFAULT */
    bool push;
    bool few;                      /* push: few products (GB_FEW) for positions of w ... */
    bool sorted;                   /* ... and sorted, since no scratch exists yet */
    bool listed;                   /* pull: iterates over a short sparse mask */
    bool pruned;                   /* push leaves out what does not improve on call->best */
    gb_Format by_rows, by_columns; /* formats of A that R can be read from by rows, by columns */
    gb_Format w_axis, u_axis;      /* dimensions of A: w's positions, u's */
    double products;               /* of push: counted, or guessed from a sample ... */
    bool counted;                  /* ... which of both */
    uint64_t allowed;              /* positions of w that the mask, taken as structural, leaves */
    double push_ns, pull_ns;
    const char *push_workflow, *pull_workflow;
    const char *no_push, *no_pull; /* why not, or NULL */
} gb_MxvPlan;

/* Precondition: A, u and the mask are assembled and have entries. Reads all entries of u only where
 * these are few, else a sample. Converts A only if A has no sparse form; allocates memory only to
 * find out, once, whether A is symmetric (matrix/matrix.h). */
gbl_Info gb_mxv_plan(gb_MxvPlan *plan, const gb_MxvCall *call, gbl_Desc_Value method);
/* The same in two parts, for callers that count otherwise: forms and expected products from means;
 * and the choice by plan->products and the mean length of rows that may be written. */
gbl_Info gb_mxv_plan_begin(gb_MxvPlan *plan, const gb_MxvCall *call, gbl_Desc_Value method);
gbl_Info gb_mxv_plan_choose(gb_MxvPlan *plan, const gb_MxvCall *call, double mean);

double gb_mxv_mean_row(const gb_MxvCall *call); /* all rows */

/* The types that values of A and of u must have, or NULL where the multiplication ignores them. */
const gb_Type *gb_mxv_matrix_type(const gb_MxvCall *call);
const gb_Type *gb_mxv_vector_type(const gb_MxvCall *call);

/* Semirings of integers that have no kernel of their own and run as those of INT64, to the bit:
 * least values of the vector, MIN with FIRST or SECOND, and least positions, SECONDI. Values are
 * compared and copied, never computed, so a wider type that holds them all gives the same ones;
 * they are cast by those who take and write vectors. u is assembled; of UINT64 it is read once. */
gbl_Info gb_mxv_widen(const gb_Semiring **ring, const gb_MxvCall *call);

/* Effects of the kernel on w, or on what follows, in addition to the product T. */
typedef struct {
    bool accumulated; /* T is what becomes of w: the accumulation is in it */
    bool fused;       /* T was assigned to the mask too (gb_FusedAssigns) */
    bool in_place;    /* sums were added where w stands, and T has none ... */
    uint64_t gained;  /* ... which got so many entries by that */
} gb_MxvOutcome;

/* T = the product by the plan, on the host. */
gbl_Info gb_mxv_multiply(gb_Result *T, gb_MxvOutcome *out, const gb_MxvCall *call,
                         gb_MxvPlan *plan);

/* Record from which an explanation is made on request: small, since every call leaves one. */
typedef struct {
    gb_MxvPlan plan;
    bool planned;  /* there was something to multiply */
    int32_t fused; /* calls that were deferred and made in one pass, or 0 */
    bool u_is_left, iso_a, iso_b;
    unsigned formats_a, formats_b;
    uint64_t positions; /* of w */
    gb_ReportedShape shape;
    uint64_t nnz_a, nnz_b, nnz_mask, nvals;
    double seconds_prepare, seconds_kernel, seconds_finish; /* 0 where products are few */
    gb_DeviceReport placed;
    char semiring[GB_SEMIRING_TEXT];
} gb_MxvNote;
void gb_mxv_note(gb_MxvNote *note, const gb_MxvCall *call);
/* *explanation, a gbl_Explanation, from a gb_MxvNote. */
void gb_mxv_report(void *explanation, const void *note);
