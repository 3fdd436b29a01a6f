/* SPDX-License-Identifier: Apache-2.0
 *
 * Vectors on their way along lines and posts of processes, as lists of entries.
 */
#include "dist.h"

#include <string.h>

/* Counts and places of the entries that go to, and come from, each process of a communicator. */
typedef struct {
    int side, rank;
    int *send, *sent_at, *take, *taken_at; /* [side] */
    uint64_t coming;
} Counts;

static gbl_Info new_counts(Counts *c, MPI_Comm comm) {
    MPI_Comm_size(comm, &c->side);
    MPI_Comm_rank(comm, &c->rank);
    c->coming = 0;
    c->send = gb_array(4 * (uint64_t)c->side, sizeof *c->send);
    if (!c->send) return gb_no_memory("a list of processes");
    memset(c->send, 0, 4 * (size_t)c->side * sizeof *c->send);
    c->sent_at = c->send + c->side;
    c->take = c->sent_at + c->side;
    c->taken_at = c->take + c->side;
    return GBL_SUCCESS;
}

static void exchange_counts(Counts *c, MPI_Comm comm) {
    MPI_Alltoall(c->send, 1, MPI_INT, c->take, 1, MPI_INT, comm);
    for (int k = 0; k < c->side; k++) {
        c->sent_at[k] = k ? c->sent_at[k - 1] + c->send[k - 1] : 0;
        c->taken_at[k] = (int)c->coming;
        c->coming += (uint64_t)c->take[k];
    }
}

static gbl_Info room_for(gb_Tuples *t, uint64_t n, size_t size) {
    *t = (gb_Tuples){.i = gb_array(n, sizeof *t->i), .x = gb_array(n, size), .n = n};
    if (n > INT32_MAX)
        return gbl_fail(GBL_NOT_IMPLEMENTED, NULL, "more than 2^31 - 1 entries come at once");
    return t->i && t->x ? GBL_SUCCESS : gb_no_memory("entries of a vector");
}

static void count_bytes(gbl_Grid grid, const Counts *c, size_t size) {
    for (int k = 0; k < c->side; k++) {
        if (k == c->rank) continue;
        grid->counters.bytes_sent += (uint64_t)c->send[k] * (sizeof(gbl_Index) + size);
        grid->counters.bytes_received += (uint64_t)c->take[k] * (sizeof(gbl_Index) + size);
    }
}

static void move(gb_Tuples *came, const gb_Tuples *t, const Counts *c, const gb_Kind *kind,
                 const gb_Exchange *exchange) {
    const double start = MPI_Wtime();
    MPI_Alltoallv(t->i, c->send, c->sent_at, MPI_UINT64_T, came->i, c->take, c->taken_at,
                  MPI_UINT64_T, exchange->comm);
    MPI_Alltoallv(t->x, c->send, c->sent_at, kind->wire, came->x, c->take, c->taken_at, kind->wire,
                  exchange->comm);
    count_bytes(exchange->grid, c, kind->size);
    exchange->grid->counters.seconds_move += MPI_Wtime() - start;
}

static gbl_Info add(gbl_Vector sum, gbl_Vector more, const gb_Exchange *e) {
    return e->ring ? gbl_Vector_eWiseAdd_Semiring(sum, NULL, NULL, e->ring, sum, more, NULL)
                   : gbl_Vector_eWiseAdd_Monoid(sum, NULL, NULL, e->monoid, sum, more, NULL);
}

/* The lists of all processes, added in their order; own is the part that they are of. */
static gbl_Info merge(gbl_Vector *merged, const gb_Tuples *came, const Counts *c, gb_Range own,
                      const gb_Exchange *exchange, gbl_Type type) {
    gb_Kind kind;
    gbl_Vector more = NULL;
    gbl_Info info = gb_kind(&kind, type);
    for (uint64_t k = 0; k < came->n; k++) came->i[k] -= own.first;
    for (int k = 0; k < c->side && !info; k++) {
        const gb_Tuples list = {came->i + c->taken_at[k], NULL,
                                (char *)came->x + (uint64_t)c->taken_at[k] * kind.size,
                                (uint64_t)c->take[k]};
        if (list.n == 0 && *merged) continue;
        info = gb_build_vector(*merged ? &more : merged, type, own.size, &list);
        if (!info && more) info = add(*merged, more, exchange);
        gbl_Vector_free(&more);
    }
    return info;
}

gbl_Info gb_send_parts(gbl_Vector *merged, const gb_Exchange *exchange, gbl_Vector v,
                       gbl_Info info) {
    gb_Tuples here = {0}, came = {0};
    Counts c = {0};
    gb_Kind kind = {0};
    gbl_Type type = NULL;
    gbl_Index size = 0;
    *merged = NULL;
    if (!info && !(info = gbl_Vector_type(&type, v)) && !(info = gbl_Vector_size(&size, v)) &&
        !(info = gb_kind(&kind, type)) && !(info = new_counts(&c, exchange->comm)))
        info = gb_tuples_of_vector(&here, v, type);
    if ((info = gb_agree(exchange->grid, info))) goto done;
    for (uint64_t k = 0; k < here.n; k++) c.send[gb_part_of(here.i[k], size, c.side)]++;
    exchange_counts(&c, exchange->comm);
    info = gb_agree(exchange->grid, room_for(&came, c.coming, kind.size));
    if (info) goto done;
    move(&came, &here, &c, &kind, exchange);
    info = merge(merged, &came, &c, gb_part(size, c.side, c.rank), exchange, type);
    info = gb_agree(exchange->grid, info);
done:
    gb_tuples_free(&here);
    gb_tuples_free(&came);
    gbl_Memory_free(c.send);
    if (info) gbl_Vector_free(merged);
    return info;
}

gbl_Info gb_join_parts(gbl_Vector *whole, const gb_Exchange *exchange, gbl_Vector part,
                       gbl_Index size) {
    gb_Tuples here = {0}, came = {0};
    Counts c = {0};
    gb_Kind kind = {0};
    gbl_Type type = NULL;
    gbl_Info info;
    *whole = NULL;
    if (!(info = gbl_Vector_type(&type, part)) && !(info = gb_kind(&kind, type)) &&
        !(info = new_counts(&c, exchange->comm)))
        info = gb_tuples_of_vector(&here, part, type);
    if ((info = gb_agree(exchange->grid, info))) goto done;
    const gb_Range own = gb_part(size, c.side, c.rank);
    for (uint64_t k = 0; k < here.n; k++) here.i[k] += own.first;
    for (int k = 0; k < c.side; k++) c.send[k] = (int)here.n;
    exchange_counts(&c, exchange->comm);
    memset(c.sent_at, 0, (size_t)c.side * sizeof *c.sent_at); /* all of it to everybody */
    info = gb_agree(exchange->grid, room_for(&came, c.coming, kind.size));
    if (info) goto done;
    move(&came, &here, &c, &kind, exchange);
    info = gb_agree(exchange->grid, gb_build_vector(whole, type, size, &came));
done:
    gb_tuples_free(&here);
    gb_tuples_free(&came);
    gbl_Memory_free(c.send);
    if (info) gbl_Vector_free(whole);
    return info;
}

gbl_Info gb_swap(gbl_Vector *got, gbl_Grid grid, gbl_Vector v, gbl_Index size) {
    gb_Tuples here = {0}, came = {0};
    const int partner = grid->row * grid->side + grid->col;
    gb_Kind kind = {0};
    gbl_Type type = NULL;
    uint64_t coming = 0;
    gbl_Info info;
    *got = NULL;
    if (!(info = gbl_Vector_type(&type, v)) && !(info = gb_kind(&kind, type)))
        info = gb_tuples_of_vector(&here, v, type);
    if ((info = gb_agree(grid, info))) goto done;
    MPI_Sendrecv(&here.n, 1, MPI_UINT64_T, partner, 0, &coming, 1, MPI_UINT64_T, partner, 0,
                 grid->all, MPI_STATUS_IGNORE);
    info = gb_agree(grid, room_for(&came, coming, kind.size));
    if (info) goto done;
    MPI_Sendrecv(here.i, (int)here.n, MPI_UINT64_T, partner, 0, came.i, (int)coming, MPI_UINT64_T,
                 partner, 0, grid->all, MPI_STATUS_IGNORE);
    MPI_Sendrecv(here.x, (int)here.n, kind.wire, partner, 0, came.x, (int)coming, kind.wire,
                 partner, 0, grid->all, MPI_STATUS_IGNORE);
    if (partner != grid->rank) {
        grid->counters.bytes_sent += here.n * (sizeof(gbl_Index) + kind.size);
        grid->counters.bytes_received += coming * (sizeof(gbl_Index) + kind.size);
    }
    info = gb_agree(grid, gb_build_vector(got, type, size, &came));
done:
    gb_tuples_free(&here);
    gb_tuples_free(&came);
    if (info) gbl_Vector_free(got);
    return info;
}
