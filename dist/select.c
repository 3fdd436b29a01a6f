/* SPDX-License-Identifier: Apache-2.0
 *
 * gbl_dist_mxm_select: a filter of whole rows needs them whole. The processes of a line share the
 * rows of a phase: each gets its share of all blocks, filters it with gbl_mxm_select (the unit
 * matrix times the rows) and sends back to every block what is left of its columns.
 *
 * Cost beside the product's: each entry of A * B moves once, and what is left once more; a phase
 * holds its rows twice.
 */
#include "dist.h"

#include <string.h>

/* Lengths of rows, and entries, on their way: [side] parts one behind the other. */
typedef struct {
    uint32_t *lengths, *i;
    void *x;
    int *rows_at, *nrows, *at, *n; /* [side] where parts begin, and how long they are */
} Parcel;

typedef struct {
    gbl_Semiring second; /* PLUS_SECOND of the type */
    const gbl_RowFilter *keep;
    gb_Kind kind;
    gb_Rows rows; /* of C */
    int side, rank;
    gbl_Index ncols;
} Filtering;

static gbl_Info new_parcel(Parcel *parcel, int side) {
    *parcel = (Parcel){.rows_at = gb_array(4 * (uint64_t)side, sizeof(int))};
    if (!parcel->rows_at) return gb_no_memory("a list of processes");
    memset(parcel->rows_at, 0, 4 * (size_t)side * sizeof(int));
    parcel->nrows = parcel->rows_at + side;
    parcel->at = parcel->nrows + side;
    parcel->n = parcel->at + side;
    return GBL_SUCCESS;
}

static void free_parcel(Parcel *parcel) {
    gbl_Memory_free(parcel->lengths);
    gbl_Memory_free(parcel->i);
    gbl_Memory_free(parcel->x);
    gbl_Memory_free(parcel->rows_at);
    *parcel = (Parcel){0};
}

static gbl_Info fill_room(Parcel *parcel, uint64_t nrows, uint64_t n, size_t size) {
    if (n > INT32_MAX)
        return gbl_fail(GBL_NOT_IMPLEMENTED, NULL,
                        "more than 2^31 - 1 entries of a phase: set GBL_MEMORY_LIMIT");
    if (!parcel->lengths) parcel->lengths = gb_array(nrows, sizeof *parcel->lengths);
    parcel->i = gb_array(n, sizeof *parcel->i);
    parcel->x = gb_array(n, size);
    return parcel->lengths && parcel->i && parcel->x ? GBL_SUCCESS : gb_no_memory("rows");
}

/* Where parts begin, of their lengths. */
static uint64_t add_up(int *at, const int *n, int side) {
    uint64_t sum = 0;
    for (int k = 0; k < side; k++) {
        at[k] = (int)sum;
        sum += (uint64_t)n[k];
    }
    return sum;
}

/* in gets what the others have in out for this process; its nrows say how many rows come. */
static gbl_Info exchange(Parcel *in, Parcel *out, gb_Summa *s, gbl_Info info) {
    Filtering *f = s->context;
    const gbl_Grid grid = s->A->grid;
    const uint64_t nrows = add_up(in->rows_at, in->nrows, f->side);
    if (!info && !(in->lengths = gb_array(nrows, sizeof *in->lengths)))
        info = gb_no_memory("lengths of rows");
    if ((info = gb_agree(grid, info))) return info;
    const double start = MPI_Wtime();
    MPI_Alltoallv(out->lengths, out->nrows, out->rows_at, MPI_UINT32_T, in->lengths, in->nrows,
                  in->rows_at, MPI_UINT32_T, grid->line);
    MPI_Alltoall(out->n, 1, MPI_INT, in->n, 1, MPI_INT, grid->line);
    const uint64_t n = add_up(in->at, in->n, f->side);
    if ((info = gb_agree(grid, fill_room(in, nrows, n, f->kind.size)))) return info;
    MPI_Alltoallv(out->i, out->n, out->at, MPI_UINT32_T, in->i, in->n, in->at, MPI_UINT32_T,
                  grid->line);
    MPI_Alltoallv(out->x, out->n, out->at, f->kind.wire, in->x, in->n, in->at, f->kind.wire,
                  grid->line);
    for (int k = 0; k < f->side; k++) {
        if (k == f->rank) continue;
        grid->counters.bytes_sent +=
            4 * (uint64_t)out->nrows[k] + (uint64_t)out->n[k] * (4 + f->kind.size);
        grid->counters.bytes_received +=
            4 * (uint64_t)in->nrows[k] + (uint64_t)in->n[k] * (4 + f->kind.size);
    }
    grid->counters.seconds_move += MPI_Wtime() - start;
    return GBL_SUCCESS;
}

/* Rows of T by the process that filters them: their arrays as they are. */
static gbl_Info pack_rows(Parcel *out, gbl_Matrix T, gb_Range rows, const Filtering *f) {
    gbl_Arrays a = {0};
    gbl_Info info;
    for (int k = 0; k < f->side; k++) {
        const gb_Range share = gb_part(rows.size, f->side, k);
        out->nrows[k] = (int)share.size;
        out->rows_at[k] = (int)share.first;
    }
    if (!(out->lengths = gb_array(rows.size, sizeof *out->lengths)))
        return gb_no_memory("lengths of rows");
    memset(out->lengths, 0, rows.size * sizeof *out->lengths);
    if (!T) return GBL_SUCCESS;
    if ((info = gbl_Matrix_moveOut(T, GBL_CSR_FORMAT, &a))) return info;
    const uint64_t n = a.p[rows.size];
    out->i = a.i; /* freed with the parcel */
    out->x = a.x;
    if (n > INT32_MAX) {
        gbl_Memory_free(a.p);
        return gbl_fail(GBL_NOT_IMPLEMENTED, NULL,
                        "a phase has more than 2^31 - 1 entries: set GBL_MEMORY_LIMIT");
    }
    for (gbl_Index r = 0; r < rows.size; r++) out->lengths[r] = (uint32_t)(a.p[r + 1] - a.p[r]);
    for (int k = 0; k < f->side; k++) {
        const gb_Range share = gb_part(rows.size, f->side, k);
        out->at[k] = (int)a.p[share.first];
        out->n[k] = (int)(a.p[share.first + share.size] - a.p[share.first]);
    }
    gbl_Memory_free(a.p);
    if (!a.iso || n <= 1) return GBL_SUCCESS;
    if (!(out->x = gb_array(n, f->kind.size))) {
        gbl_Memory_free(a.x);
        return gb_no_memory("values of rows");
    }
    for (uint64_t k = 0; k < n; k++) memcpy((char *)out->x + k * f->kind.size, a.x, f->kind.size);
    gbl_Memory_free(a.x);
    return GBL_SUCCESS;
}

/* The rows of this process's share, put together of all blocks. */
static gbl_Info join_rows(gbl_Matrix *F, const Parcel *in, gbl_Index nrows, const Filtering *f,
                          gbl_Type type) {
    uint64_t n = 0;
    const size_t size = f->kind.size;
    for (int k = 0; k < f->side; k++) n += (uint64_t)in->n[k];
    gbl_Arrays a = {gb_array(nrows + 1, 8), gb_array(n, 4), gb_array(n, size), false};
    uint64_t *from = gb_array((uint64_t)f->side, sizeof *from);
    gbl_Info info = GBL_OUT_OF_MEMORY;
    if (!a.p || !a.i || !a.x || !from) {
        gb_no_memory("rows of a product");
        goto done;
    }
    for (int k = 0; k < f->side; k++) from[k] = (uint64_t)in->at[k];
    n = 0;
    for (gbl_Index r = 0; r < nrows; r++) {
        a.p[r] = n;
        for (int k = 0; k < f->side; k++) {
            const uint32_t length = in->lengths[(gbl_Index)in->rows_at[k] + r];
            const uint32_t first = (uint32_t)gb_part(f->ncols, f->side, k).first;
            for (uint32_t e = 0; e < length; e++) a.i[n + e] = in->i[from[k] + e] + first;
            memcpy((char *)a.x + n * size, (char *)in->x + from[k] * size, length * size);
            from[k] += length;
            n += length;
        }
    }
    a.p[nrows] = n;
    info = gbl_Matrix_moveIn(F, type, nrows, f->ncols, GBL_CSR_FORMAT, &a);
done:
    gbl_Memory_free(a.p);
    gbl_Memory_free(a.i);
    gbl_Memory_free(a.x);
    gbl_Memory_free(from);
    return info;
}

static gbl_Info filter(gbl_Matrix *R, gbl_Matrix F, gbl_Index nrows, const Filtering *f,
                       gbl_Type type) {
    gbl_Vector ones = NULL;
    gbl_Matrix unit = NULL;
    gbl_Info info;
    if ((info = gbl_Vector_new(&ones, GBL_BOOL, nrows)) ||
        (info = gbl_Vector_assign_BOOL(ones, NULL, NULL, true, GBL_ALL, nrows, NULL)) ||
        (info = gbl_Matrix_diag(&unit, ones, 0)) ||
        (info = gbl_Matrix_new(R, type, nrows, f->ncols)))
        goto done;
    info = gbl_mxm_select(*R, NULL, NULL, f->second, f->keep, unit, F, NULL);
done:
    gbl_Vector_free(&ones);
    gbl_Matrix_free(&unit);
    return info;
}

/* What is left, by the process that has its columns. */
static gbl_Info pack_columns(Parcel *out, gbl_Matrix R, gbl_Index nrows, const Filtering *f) {
    gbl_Arrays a = {0};
    const size_t size = f->kind.size;
    uint64_t total = 0;
    uint64_t *next = gb_array(nrows, sizeof *next); /* of each row: rows are sorted */
    gbl_Info info = next ? GBL_SUCCESS : gb_no_memory("places in rows");
    if (info || (info = gbl_Matrix_moveOut(R, GBL_CSR_FORMAT, &a)) ||
        (info = fill_room(out, nrows * (uint64_t)f->side, a.p[nrows], size)))
        goto done;
    memcpy(next, a.p, nrows * sizeof *next);
    for (int k = 0; k < f->side; k++) {
        out->nrows[k] = (int)nrows;
        out->rows_at[k] = (int)((uint64_t)k * nrows);
    }
    for (int k = 0; k < f->side; k++) {
        const gb_Range part = gb_part(f->ncols, f->side, k);
        out->at[k] = (int)total;
        for (gbl_Index r = 0; r < nrows; r++) {
            uint32_t length = 0;
            for (; next[r] < a.p[r + 1] && a.i[next[r]] - part.first < part.size; next[r]++) {
                const uint64_t e = next[r];
                out->i[total] = (uint32_t)(a.i[e] - part.first);
                memcpy((char *)out->x + total * size, (char *)a.x + (a.iso ? 0 : e * size), size);
                total++;
                length++;
            }
            out->lengths[(gbl_Index)out->rows_at[k] + r] = length;
        }
        out->n[k] = (int)total - out->at[k];
    }
done:
    gbl_Memory_free(next);
    gbl_Memory_free(a.p);
    gbl_Memory_free(a.i);
    gbl_Memory_free(a.x);
    return info;
}

/* What came back: shares of rows in their order. */
static gbl_Info store(Filtering *f, const Parcel *in, gb_Range rows) {
    gb_Rows *c = &f->rows;
    const size_t size = f->kind.size;
    uint64_t n = 0;
    for (int k = 0; k < f->side; k++) n += (uint64_t)in->n[k];
    const gbl_Info info = gb_rows_reserve(c, n, size);
    if (info) return info;
    uint64_t *p = c->arrays.p + c->done;
    if (n > 0) memcpy(c->arrays.i + p[0], in->i, n * sizeof *in->i);
    if (n > 0) memcpy((char *)c->arrays.x + p[0] * size, in->x, n * size);
    for (gbl_Index r = 0; r < rows.size; r++) p[r + 1] = p[r] + in->lengths[r];
    c->done += rows.size;
    return GBL_SUCCESS;
}

/* From the rows that came to what goes back; each list is freed as soon as the next is there. */
static gbl_Info filter_share(Parcel *out, Parcel *came, gbl_Index nrows, const Filtering *f,
                             gbl_Type type) {
    gbl_Matrix F = NULL, R = NULL;
    gbl_Info info = join_rows(&F, came, nrows, f, type);
    free_parcel(came);
    if (!info) info = filter(&R, F, nrows, f, type);
    gbl_Matrix_free(&F);
    if (!info) info = pack_columns(out, R, nrows, f);
    gbl_Matrix_free(&R);
    return info;
}

static gbl_Info filter_phase(gb_Summa *s, gbl_Matrix *T, gb_Range rows) {
    Filtering *f = s->context;
    const gb_Range own = gb_part(rows.size, f->side, f->rank);
    Parcel there[2] = {{0}, {0}}, back[2] = {{0}, {0}}; /* out and in */
    gbl_Info info = GBL_SUCCESS;
    for (int k = 0; k < 2; k++)
        if (!info && !(info = new_parcel(&there[k], f->side))) info = new_parcel(&back[k], f->side);
    if (!info) info = pack_rows(&there[0], *T, rows, f);
    for (int k = 0; k < f->side && !info; k++) {
        there[1].nrows[k] = (int)own.size;
        back[1].nrows[k] = (int)gb_part(rows.size, f->side, k).size;
    }
    if ((info = gb_agree(s->A->grid, info)) || (info = exchange(&there[1], &there[0], s, info)))
        goto done;
    free_parcel(&there[0]);
    info = filter_share(&back[0], &there[1], own.size, f, s->type);
    if ((info = gb_agree(s->A->grid, info)) || (info = exchange(&back[1], &back[0], s, info)))
        goto done;
    info = gb_agree(s->A->grid, store(f, &back[1], rows));
done:
    for (int k = 0; k < 2; k++) {
        free_parcel(&there[k]);
        free_parcel(&back[k]);
    }
    return info;
}

static gbl_Semiring second_of(gbl_Type type) {
    if (type == GBL_FP64) return GBL_PLUS_SECOND_SEMIRING_FP64;
    if (type == GBL_FP32) return GBL_PLUS_SECOND_SEMIRING_FP32;
    if (type == GBL_INT64) return GBL_PLUS_SECOND_SEMIRING_INT64;
    if (type == GBL_INT32) return GBL_PLUS_SECOND_SEMIRING_INT32;
    return NULL;
}

static gbl_Info check(const gb_Summa *s, const Filtering *f, gbl_DistMatrix C) {
    gbl_Info info = gb_check_product(C, NULL, s->A, s->B);
    if (info) return info;
    if (!f->second || C->type != s->type)
        return gbl_fail(GBL_NOT_IMPLEMENTED, NULL,
                        "gbl_dist_mxm_select: the semiring and C are both of FP64, FP32, INT64 or "
                        "INT32");
    if (f->keep->op && !gb_looks_at_values(f->keep->op))
        return gbl_fail(GBL_NOT_IMPLEMENTED, NULL,
                        "gbl_dist_mxm_select: the filter takes predefined operators on values");
    if (C->ncols > UINT32_MAX)
        return gbl_fail(GBL_NOT_IMPLEMENTED, NULL, "gbl_dist_mxm_select: at most 2^32 - 1 columns");
    return GBL_SUCCESS;
}

/* One process has whole rows, and filters them as they are formed. */
static gbl_Info select_alone(gbl_DistMatrix C, gb_Summa *s, const gbl_RowFilter *keep) {
    gbl_Matrix T = NULL;
    gbl_Info info = gbl_Matrix_new(&T, s->type, C->nrows, C->ncols);
    if (!info) info = gbl_mxm_select(T, NULL, NULL, s->ring, keep, s->A->block, s->B->block, NULL);
    return gb_agree_block(C, info, T);
}

gbl_Info gbl_dist_mxm_select(gbl_DistMatrix C, gbl_Semiring ring, const gbl_RowFilter *keep,
                             gbl_DistMatrix A, gbl_DistMatrix B) {
    const gbl_DistMatrix objects[] = {A, B};
    Filtering f = {.keep = keep};
    gb_Summa s = {.A = A, .B = B, .ring = ring, .bounded = true};
    gbl_Matrix T = NULL;
    gbl_Info info;
    if (!C || !keep)
        return gbl_fail(GBL_NULL_POINTER, NULL, "gbl_dist_mxm_select: C or keep is NULL");
    if ((info = gb_on_grid(C->grid, objects, 2)) || (info = gb_ring_type(&s.type, ring)))
        return info;
    f.second = second_of(s.type);
    if ((info = check(&s, &f, C)) || (info = gb_kind(&f.kind, s.type))) return info;
    if (C->grid->side == 1) return select_alone(C, &s, keep);
    f.side = C->grid->side;
    f.rank = C->grid->col;
    f.ncols = C->ncols;
    if ((info = gb_plan_phases(&s)) ||
        (info = gb_agree(C->grid, gb_rows_new(&f.rows, gb_rows(A).size))))
        goto done;
    s.multiply = gb_summa_multiply;
    s.finish = filter_phase;
    s.context = &f;
    if ((info = gb_summa(&s))) goto done;
    info = gb_rows_to_matrix(&T, &f.rows, s.type, gb_cols(C).size);
    info = gb_agree_block(C, info, T);
done:
    gb_rows_free(&f.rows);
    return info;
}
