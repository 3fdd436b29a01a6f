/* SPDX-License-Identifier: Apache-2.0
 *
 * How many phases a product takes, so that every process stays below its memory limit; as in HipMCL
 * (Azad et al., NAR 2018), but of rows of A.
 *
 * A phase holds a block of B, its rows of a block of A, its product twice while the next stage's is
 * added, and workspace. What products of blocks need is estimated by gbl_mxm_estimate, stage by
 * stage, in which A travels in slices that fit beside B. Estimates have an error of some percent,
 * and rows of equal number need not have products of equal size: a quarter of the room stays free.
 */
#include "dist.h"

#include <math.h>

#define FREE 0.25
/* What phases take that nobody limits, of products that are filtered: so many times the blocks of A
 * and B, which have been filtered once, and some bytes, since a phase has its messages. */
#define USUAL 4
#define USUAL_LEAST ((int64_t)32 << 20)

typedef struct {
    double product; /* bytes of the products of all stages */
    double work;    /* workspace: the most of any */
} Needs;

static gbl_Info estimate(gb_Summa *s, gbl_Matrix *T, gbl_Matrix mask, const gb_Block *a,
                         const gb_Block *b) {
    (void)T;
    (void)mask;
    Needs *needs = s->context;
    gbl_MxmEstimate e = GBL_MXM_ESTIMATE_INIT;
    const gbl_Info info = gbl_mxm_estimate(&e, s->ring, a->matrix, b->matrix, NULL);
    if (info) return info;
    needs->product += e.bytes;
    needs->work = fmax(needs->work, e.bytes_workspace);
    return GBL_SUCCESS;
}

static gbl_Info ignore(gb_Summa *s, gbl_Matrix *T, gb_Range rows) {
    (void)s;
    (void)T;
    (void)rows;
    return GBL_SUCCESS;
}

static gbl_Info bytes_of(double *bytes, gbl_DistMatrix A) {
    gbl_Index n = 0;
    gb_Kind kind;
    gbl_Info info;
    if ((info = gb_kind(&kind, A->type)) || (info = gbl_Matrix_nvals(&n, A->block))) return info;
    *bytes = 16.0 * (double)gb_rows(A).size + (double)n * (4.0 + (double)kind.size);
    return GBL_SUCCESS;
}

/* bytes / room, rounded up, at most the rows that there are. */
static int parts_of(double bytes, double room, gbl_Index rows) {
    const double parts = ceil(bytes / room);
    const double most = rows < INT32_MAX ? (double)rows : (double)INT32_MAX;
    return parts < 1 ? 1 : (int)fmin(parts, fmax(most, 1));
}

/* Bytes that a phase may take in the process that has least; INT64_MAX: any. Collective. */
static int64_t bytes_allowed(const gb_Summa *s, int64_t limit, const double largest[2]) {
    int64_t least;
    if (limit <= 0) limit = INT64_MAX;
    MPI_Allreduce(&limit, &least, 1, MPI_INT64_T, MPI_MIN, s->A->grid->all);
    if (least < INT64_MAX || !s->bounded) return least;
    return (int64_t)(USUAL * (largest[0] + largest[1])) + USUAL_LEAST;
}

static gbl_Info plan(gb_Summa *s) {
    const gbl_Grid grid = s->A->grid;
    int64_t limit = 0;
    double blocks[2] = {0}, largest[2], needs[2], most[2];
    Needs found = {0};
    gbl_Info info;
    s->phases = 1;
    if (!(info = gbl_Global_get_INT64(GBL_GLOBAL, &limit, GBL_MEMORY_LIMIT)) &&
        !(info = bytes_of(&blocks[0], s->A)))
        info = bytes_of(&blocks[1], s->B);
    if ((info = gb_agree(grid, info))) return info;
    MPI_Allreduce(blocks, largest, 2, MPI_DOUBLE, MPI_MAX, grid->all);
    const int64_t allowed = bytes_allowed(s, limit, largest);
    if (allowed == INT64_MAX) return GBL_SUCCESS;
    const double room = (1 - FREE) * ((double)allowed - largest[1]);
    if (room <= 0)
        return gbl_fail(GBL_OUT_OF_MEMORY, NULL,
                        "a block of B takes %.0f bytes and GBL_MEMORY_LIMIT is %lld: raise it or "
                        "start more processes",
                        largest[1], (long long)allowed);
    gb_Summa measure = *s;
    measure.multiply = estimate;
    measure.finish = ignore;
    measure.context = &found;
    measure.mask = NULL;
    measure.phases = parts_of(largest[0], room, s->A->nrows / (gbl_Index)grid->side + 1);
    if ((info = gb_summa(&measure))) return info;
    needs[0] = found.product;
    needs[1] = found.work;
    MPI_Allreduce(needs, most, 2, MPI_DOUBLE, MPI_MAX, grid->all);
    s->phases =
        parts_of(largest[0] + 2 * most[0] + most[1], room, s->A->nrows / (gbl_Index)grid->side + 1);
    return GBL_SUCCESS;
}

gbl_Info gb_plan_phases(gb_Summa *s) {
    gbl_DistCounters *counters = &s->A->grid->counters;
    const gbl_Info info = plan(s);
    if (!info && (uint64_t)s->phases > counters->phases) counters->phases = (uint64_t)s->phases;
    return info;
}
