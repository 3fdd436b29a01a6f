/* SPDX-License-Identifier: Apache-2.0
 *
 * Entries as lists: out of objects, into objects, and to the processes that hold them.
 */
#include "dist.h"

#include <string.h>

enum { ROUND = 1 << 22 }; /* tuples that a process sends at once: counts of MPI are int */

void gb_tuples_free(gb_Tuples *t) {
    gbl_Memory_free(t->i);
    gbl_Memory_free(t->j);
    gbl_Memory_free(t->x);
    *t = (gb_Tuples){0};
}

static gbl_Info reserve(gb_Tuples *t, uint64_t n, bool matrix, size_t size) {
    *t = (gb_Tuples){.n = n};
    t->i = gb_array(n, sizeof *t->i);
    t->j = matrix ? gb_array(n, sizeof *t->j) : NULL;
    t->x = size > 0 ? gb_array(n, size) : NULL;
    return t->i && (t->j || !matrix) && (t->x || size == 0) ? GBL_SUCCESS
                                                            : gb_no_memory("a list of entries");
}

gbl_Info gb_tuples_of(gb_Tuples *t, gbl_Matrix A, gbl_Type type) {
    gb_Kind kind;
    gbl_Index n;
    gbl_Info info;
    *t = (gb_Tuples){0};
    if ((info = gb_kind(&kind, type)) || (info = gbl_Matrix_nvals(&n, A)) ||
        (info = reserve(t, n, true, kind.size)))
        return info;
    switch (kind.code) {
#define CASE(N, T)                                                                                 \
    case GBL_##N##_CODE:                                                                           \
        return gbl_Matrix_extractTuples_##N(t->i, t->j, t->x, &n, A);
        GBL_FOREACH_TYPE(CASE)
#undef CASE
    default:
        return GBL_DOMAIN_MISMATCH;
    }
}

gbl_Info gb_tuples_of_vector(gb_Tuples *t, gbl_Vector v, gbl_Type type) {
    gb_Kind kind;
    gbl_Index n;
    gbl_Info info;
    *t = (gb_Tuples){0};
    if ((info = gb_kind(&kind, type)) || (info = gbl_Vector_nvals(&n, v)) ||
        (info = reserve(t, n, false, kind.size)))
        return info;
    switch (kind.code) {
#define CASE(N, T)                                                                                 \
    case GBL_##N##_CODE:                                                                           \
        return gbl_Vector_extractTuples_##N(t->i, t->x, &n, v);
        GBL_FOREACH_TYPE(CASE)
#undef CASE
    default:
        return GBL_DOMAIN_MISMATCH;
    }
}

/* All values are true: one for all. */
static gbl_Info build_pattern(gbl_Matrix A, const gb_Tuples *t) {
    gbl_Scalar one = NULL;
    gbl_Info info;
    if ((info = gbl_Scalar_new(&one, GBL_BOOL)) || (info = gbl_Scalar_setElement_BOOL(one, true)))
        goto done;
    info = gbl_Matrix_build_Scalar(A, t->i, t->j, one, t->n);
done:
    gbl_Scalar_free(&one);
    return info;
}

gbl_Info gb_build(gbl_Matrix *A, gbl_Type type, gbl_Index nrows, gbl_Index ncols,
                  const gb_Tuples *t, gbl_BinaryOp dup) {
    gb_Kind kind;
    gbl_Info info;
    *A = NULL;
    if ((info = gb_kind(&kind, type)) || (info = gbl_Matrix_new(A, type, nrows, ncols)))
        return info;
    if (!t->x) {
        gbl_Index nvals = 0;
        info = build_pattern(*A, t); /* equal entries become one */
        if (!info && !dup && !(info = gbl_Matrix_nvals(&nvals, *A)) && nvals < t->n)
            info = gbl_fail(GBL_INVALID_VALUE, NULL, "an entry is given twice");
    } else
        switch (kind.code) {
#define CASE(N, T)                                                                                 \
    case GBL_##N##_CODE:                                                                           \
        info = gbl_Matrix_build_##N(*A, t->i, t->j, t->x, t->n, dup);                              \
        break;
            GBL_FOREACH_TYPE(CASE)
#undef CASE
        default:
            info = GBL_DOMAIN_MISMATCH;
        }
    if (info) gbl_Matrix_free(A);
    return info;
}

gbl_Info gb_build_vector(gbl_Vector *v, gbl_Type type, gbl_Index size, const gb_Tuples *t) {
    gb_Kind kind;
    gbl_Info info;
    *v = NULL;
    if ((info = gb_kind(&kind, type)) || (info = gbl_Vector_new(v, type, size))) return info;
    switch (kind.code) {
#define CASE(N, T)                                                                                 \
    case GBL_##N##_CODE:                                                                           \
        info = gbl_Vector_build_##N(*v, t->i, t->x, t->n, NULL);                                   \
        break;
        GBL_FOREACH_TYPE(CASE)
#undef CASE
    default:
        info = GBL_DOMAIN_MISMATCH;
    }
    if (info) gbl_Vector_free(v);
    return info;
}

/* -- to the processes that hold them */

typedef struct {
    gbl_DistMatrix A;
    gb_Kind kind;
    int processes;
    int *send, *sent_at, *take, *taken_at; /* [processes] counts and places */
    gb_Tuples out;                         /* of one round, by process */
    uint64_t room;                         /* of what has come */
} Routing;

static int holder(gbl_DistMatrix A, gbl_Index i, gbl_Index j) {
    const int side = A->grid->side;
    return gb_part_of(j, A->ncols, side) * side + gb_part_of(i, A->nrows, side);
}

static gbl_Info start(Routing *r, gbl_DistMatrix A, const gb_Tuples *tuples) {
    gbl_Info info;
    *r = (Routing){.A = A, .processes = A->grid->side * A->grid->side};
    if ((info = gb_kind(&r->kind, A->type))) return info;
    if (!tuples->x) r->kind.size = 0;
    if (!(r->send = gb_array(4 * (uint64_t)r->processes, sizeof *r->send)))
        return gb_no_memory("a list of processes");
    r->sent_at = r->send + r->processes;
    r->take = r->sent_at + r->processes;
    r->taken_at = r->take + r->processes;
    const uint64_t most = tuples->n < ROUND ? tuples->n : ROUND;
    if ((info = reserve(&r->out, most, true, r->kind.size))) return info;
    for (uint64_t k = 0; k < tuples->n; k++)
        if (tuples->i[k] >= A->nrows || tuples->j[k] >= A->ncols)
            return gbl_fail(GBL_INDEX_OUT_OF_BOUNDS, NULL,
                            "entry (%llu, %llu) is outside of %llu x %llu",
                            (unsigned long long)tuples->i[k], (unsigned long long)tuples->j[k],
                            (unsigned long long)A->nrows, (unsigned long long)A->ncols);
    return GBL_SUCCESS;
}

static void add_up(int *at, const int *count, int n) {
    at[0] = 0;
    for (int k = 1; k < n; k++) at[k] = at[k - 1] + count[k - 1];
}

/* Tuples [from, to) by process, with indices inside blocks. */
static void pack(Routing *r, const gb_Tuples *t, uint64_t from, uint64_t to) {
    const int side = r->A->grid->side;
    const gbl_Index rows = r->A->nrows, cols = r->A->ncols;
    memset(r->send, 0, (size_t)r->processes * sizeof *r->send);
    for (uint64_t k = from; k < to; k++) r->send[holder(r->A, t->i[k], t->j[k])]++;
    add_up(r->sent_at, r->send, r->processes);
    for (uint64_t k = from; k < to; k++) {
        const int to_process = holder(r->A, t->i[k], t->j[k]);
        const uint64_t at = (uint64_t)r->sent_at[to_process]++;
        r->out.i[at] = t->i[k] - gb_part(rows, side, to_process % side).first;
        r->out.j[at] = t->j[k] - gb_part(cols, side, to_process / side).first;
        if (r->kind.size > 0)
            memcpy((char *)r->out.x + at * r->kind.size, (char *)t->x + k * r->kind.size,
                   r->kind.size);
    }
    add_up(r->sent_at, r->send, r->processes);
}

static gbl_Info make_room(Routing *r, gb_Tuples *here, uint64_t more) {
    const uint64_t wanted = here->n + more, room = wanted + wanted / 2;
    if (wanted <= r->room && here->i) return GBL_SUCCESS;
    gb_Tuples grown;
    const gbl_Info info = reserve(&grown, room, true, r->kind.size);
    if (info) {
        gb_tuples_free(&grown);
        return info;
    }
    grown.n = here->n;
    if (here->n > 0) {
        memcpy(grown.i, here->i, here->n * sizeof *here->i);
        memcpy(grown.j, here->j, here->n * sizeof *here->j);
        if (r->kind.size > 0) memcpy(grown.x, here->x, here->n * r->kind.size);
    }
    gb_tuples_free(here);
    *here = grown;
    r->room = room;
    return GBL_SUCCESS;
}

static void exchange(Routing *r, gb_Tuples *here) {
    MPI_Comm all = r->A->grid->all;
    const uint64_t n = here->n;
    MPI_Alltoallv(r->out.i, r->send, r->sent_at, MPI_UINT64_T, here->i + n, r->take, r->taken_at,
                  MPI_UINT64_T, all);
    MPI_Alltoallv(r->out.j, r->send, r->sent_at, MPI_UINT64_T, here->j + n, r->take, r->taken_at,
                  MPI_UINT64_T, all);
    if (r->kind.size > 0)
        MPI_Alltoallv(r->out.x, r->send, r->sent_at, r->kind.wire,
                      (char *)here->x + n * r->kind.size, r->take, r->taken_at, r->kind.wire, all);
    for (int k = 0; k < r->processes; k++) {
        const uint64_t bytes = 2 * sizeof(gbl_Index) + r->kind.size;
        here->n += (uint64_t)r->take[k];
        if (k == r->A->grid->rank) continue;
        r->A->grid->counters.bytes_sent += (uint64_t)r->send[k] * bytes;
        r->A->grid->counters.bytes_received += (uint64_t)r->take[k] * bytes;
    }
}

gbl_Info gb_route(gb_Tuples *here, const gb_Tuples *tuples, gbl_DistMatrix A, gbl_Info info) {
    Routing r = {0};
    uint64_t rounds, most;
    *here = (gb_Tuples){0};
    if (!info) info = start(&r, A, tuples);
    if ((info = gb_agree(A->grid, info))) goto done;
    rounds = (tuples->n + ROUND - 1) / ROUND;
    MPI_Allreduce(&rounds, &most, 1, MPI_UINT64_T, MPI_MAX, A->grid->all);
    if (most == 0) {
        info = gb_agree(A->grid, make_room(&r, here, 0));
        goto done;
    }
    for (uint64_t k = 0; k < most; k++) {
        const uint64_t from = k * ROUND < tuples->n ? k * ROUND : tuples->n;
        const uint64_t to = tuples->n - from < ROUND ? tuples->n : from + ROUND;
        uint64_t coming = 0;
        pack(&r, tuples, from, to);
        MPI_Alltoall(r.send, 1, MPI_INT, r.take, 1, MPI_INT, A->grid->all);
        add_up(r.taken_at, r.take, r.processes);
        for (int p = 0; p < r.processes; p++) coming += (uint64_t)r.take[p];
        info = coming > INT32_MAX ? gbl_fail(GBL_NOT_IMPLEMENTED, NULL,
                                             "more than 2^31 - 1 entries come to a process at once")
                                  : make_room(&r, here, coming);
        if ((info = gb_agree(A->grid, info))) goto done;
        exchange(&r, here);
    }
done:
    gb_tuples_free(&r.out);
    gbl_Memory_free(r.send);
    if (info) gb_tuples_free(here);
    return info;
}
