/* SPDX-License-Identifier: Apache-2.0
 *
 * Sparse SUMMA (Buluc and Gilbert, SIAM J. Sci. Comput. 34 (2012), section 4.2): in stage k process
 * (I, k) sends its block of A along its line and (k, J) its block of B along its post; every
 * process multiplies what has come and adds it to its block of the product.
 *
 * Blocks travel as CombBLAS sends them, in DCSC: of pointers only those of rows with entries. Where
 * they arrive the arrays of indices and values are lent to gblite as they are; pointers, one for
 * each row, are made anew. A phase multiplies some rows of A, so that B is sent once a phase.
 *
 * Cost of a phase, for each process: q - 1 blocks of A's rows and of B received, each 4 bytes and
 * a value for an entry and 8 for a row that has some.
 */
#include "dist.h"

#include <string.h>

/* A block on its way from process `root` of comm. */
typedef struct {
    gb_Block block;
    MPI_Comm comm;
    int root;
    bool mine;             /* this process sends: arrays are those of source */
    gbl_DistMatrix source; /* whose block it is, in the process that sends */
    gb_Range rows;         /* of that block */
    gb_Kind kind;
    uint64_t head[3];  /* entries, rows with entries, whether one value stands for all */
    uint32_t *used;    /* [head[1]] rows with entries, */
    uint32_t *lengths; /* [head[1]] and how many */
    uint64_t *p;       /* of a slice */
} Panel;

static void free_panel(Panel *panel) {
    if (!panel->mine || panel->p) gbl_Matrix_free(&panel->block.matrix);
    if (!panel->mine) {
        gbl_Memory_free(panel->block.arrays.p);
        gbl_Memory_free(panel->block.arrays.i);
        gbl_Memory_free(panel->block.arrays.x);
    }
    gbl_Memory_free(panel->p);
    gbl_Memory_free(panel->used);
    gbl_Memory_free(panel->lengths);
}

/* What will come. */
static void announce(Panel *panel) {
    if (panel->mine) {
        const gbl_Arrays *a = &panel->source->arrays;
        const uint64_t *p = a->p + panel->rows.first;
        panel->head[0] = p[panel->rows.size] - p[0];
        for (gbl_Index k = 0; k < panel->rows.size; k++) panel->head[1] += p[k + 1] > p[k];
        panel->head[2] = a->iso && panel->head[0] > 0;
    }
    MPI_Bcast(panel->head, 3, MPI_UINT64_T, panel->root, panel->comm);
}

static gbl_Info prepare(Panel *panel) {
    gbl_Arrays *a = &panel->block.arrays;
    const uint64_t values = panel->head[2] ? 1 : panel->head[0];
    panel->used = gb_array(panel->head[1], sizeof *panel->used);
    panel->lengths = gb_array(panel->head[1], sizeof *panel->lengths);
    if (!panel->used || !panel->lengths) return gb_no_memory("a block of another process");
    if (panel->mine) {
        const uint64_t *p = panel->source->arrays.p + panel->rows.first;
        uint64_t n = 0;
        for (gbl_Index k = 0; k < panel->rows.size; k++) {
            if (p[k + 1] == p[k]) continue;
            panel->used[n] = (uint32_t)k;
            panel->lengths[n++] = (uint32_t)(p[k + 1] - p[k]);
        }
        *a = panel->source->arrays;
        return GBL_SUCCESS;
    }
    *a = (gbl_Arrays){.iso = panel->head[2] != 0};
    a->p = gb_array(panel->block.nrows + 1, sizeof *a->p);
    a->i = gb_array(panel->head[0], sizeof *a->i);
    a->x = gb_array(values, panel->kind.size);
    return a->p && a->i && a->x ? GBL_SUCCESS : gb_no_memory("a block of another process");
}

static void send(Panel *panel, gbl_DistCounters *counters) {
    gbl_Arrays *a = &panel->block.arrays;
    const uint64_t base = panel->mine ? a->p[panel->rows.first] : 0;
    const uint64_t values = panel->head[2] ? 1 : panel->head[0];
    void *x = (char *)a->x + (panel->head[2] ? 0 : base * panel->kind.size);
    int processes;
    MPI_Bcast(panel->used, (int)panel->head[1], MPI_UINT32_T, panel->root, panel->comm);
    MPI_Bcast(panel->lengths, (int)panel->head[1], MPI_UINT32_T, panel->root, panel->comm);
    MPI_Bcast(a->i + base, (int)panel->head[0], MPI_UINT32_T, panel->root, panel->comm);
    MPI_Bcast(x, (int)values, panel->kind.wire, panel->root, panel->comm);
    const uint64_t bytes =
        8 * panel->head[1] + 4 * panel->head[0] + values * panel->kind.size + sizeof panel->head;
    MPI_Comm_size(panel->comm, &processes);
    if (panel->mine)
        counters->bytes_sent += bytes * (uint64_t)(processes - 1);
    else
        counters->bytes_received += bytes;
}

/* Makes the matrix. */
static gbl_Info open_panel(Panel *panel) {
    gb_Block *b = &panel->block;
    if (panel->mine) {
        const bool whole = panel->rows.size == gb_rows(panel->source).size;
        b->arrays = panel->source->arrays;
        b->matrix = panel->source->block;
        if (whole) return GBL_SUCCESS;
        b->matrix = NULL;
        const gbl_Info info = gb_slice(&b->matrix, &panel->p, panel->source->type, b->ncols,
                                       &panel->source->arrays, panel->rows);
        if (info) return info;
        const uint64_t base = b->arrays.p[panel->rows.first];
        b->arrays.p = panel->p;
        b->arrays.i += base;
        if (!b->arrays.iso) b->arrays.x = (char *)b->arrays.x + base * panel->kind.size;
        return GBL_SUCCESS;
    }
    uint64_t *p = b->arrays.p;
    memset(p, 0, (b->nrows + 1) * sizeof *p);
    for (uint64_t k = 0; k < panel->head[1]; k++) p[panel->used[k] + 1] = panel->lengths[k];
    for (gbl_Index k = 0; k < b->nrows; k++) p[k + 1] += p[k];
    return gbl_Matrix_lend(&b->matrix, gb_type(panel->kind.code), b->nrows, b->ncols,
                           GBL_CSR_FORMAT, &b->arrays, NULL);
}

/* -- products */

gbl_Info gb_summa_multiply(gb_Summa *s, gbl_Matrix *T, gbl_Matrix mask, const gb_Block *a,
                           const gb_Block *b) {
    gbl_DistCounters *counters = &s->A->grid->counters;
    gbl_Matrix P = NULL;
    gbl_Index entries;
    gbl_Info info;
    const double start = MPI_Wtime();
    if ((info = gbl_Matrix_new(&P, s->type, a->nrows, b->ncols)) ||
        (info = gbl_mxm(P, mask, NULL, s->ring, a->matrix, b->matrix, s->desc)) ||
        (info = gbl_Matrix_wait(P, GBL_MATERIALIZE)) || (info = gbl_Matrix_nvals(&entries, P)))
        goto done;
    counters->entries += entries;
    const double multiplied = MPI_Wtime();
    counters->seconds_multiply += multiplied - start;
    if (*T) {
        info = gbl_Matrix_eWiseAdd_Semiring(*T, NULL, NULL, s->ring, *T, P, NULL);
    } else {
        *T = P;
        P = NULL;
    }
    counters->seconds_merge += MPI_Wtime() - multiplied;
done:
    gbl_Matrix_free(&P);
    return info;
}

static gbl_Info multiply_panels(gb_Summa *s, gbl_Matrix *T, gbl_Matrix mask, Panel panels[2]) {
    gbl_Info info;
    if (panels[0].head[0] == 0 || panels[1].head[0] == 0) return GBL_SUCCESS;
    if ((info = open_panel(&panels[0])) || (info = open_panel(&panels[1]))) return info;
    s->A->grid->counters.products++;
    return s->multiply(s, T, mask, &panels[0].block, &panels[1].block);
}

static void set_panels(Panel panels[2], gb_Summa *s, int stage, gb_Range rows) {
    const gbl_Grid grid = s->A->grid;
    const gb_Range inner = gb_part(s->A->ncols, grid->side, stage);
    panels[0] = (Panel){.comm = grid->line, .mine = grid->col == stage, .rows = rows};
    panels[1] = (Panel){.comm = grid->post, .mine = grid->row == stage, .rows = {0, inner.size}};
    panels[0].block = (gb_Block){.nrows = rows.size, .ncols = inner.size};
    panels[1].block = (gb_Block){.nrows = inner.size, .ncols = gb_cols(s->B).size};
    panels[0].source = s->A;
    panels[1].source = s->B;
    panels[0].root = panels[1].root = stage;
}

static void note_peak(gbl_DistCounters *counters, const Panel panels[2]) {
    uint64_t bytes = 0;
    for (int k = 0; k < 2; k++)
        if (!panels[k].mine)
            bytes += 8 * (panels[k].block.nrows + 1) + 8 * panels[k].head[1] +
                     panels[k].head[0] * (4 + panels[k].kind.size);
    if (bytes > counters->panels_peak) counters->panels_peak = bytes;
}

/* Brings the blocks of a stage. `info` is what the stage before gave here; the result is agreed on,
 * and if it is a failure nothing has been sent. */
static gbl_Info bring(gb_Summa *s, Panel panels[2], gbl_Info info) {
    gbl_DistCounters *counters = &s->A->grid->counters;
    const double start = MPI_Wtime();
    for (int k = 0; k < 2; k++) {
        const gbl_Info known = gb_kind(&panels[k].kind, panels[k].source->type);
        if (!info) info = known;
        announce(&panels[k]);
    }
    for (int k = 0; k < 2 && !info; k++) info = prepare(&panels[k]);
    if ((info = gb_agree(s->A->grid, info))) return info;
    note_peak(counters, panels);
    for (int k = 0; k < 2; k++) send(&panels[k], counters);
    counters->seconds_move += MPI_Wtime() - start;
    return GBL_SUCCESS;
}

/* All stages of a phase; the result is agreed on. */
static gbl_Info run_stages(gb_Summa *s, gbl_Matrix *T, gbl_Matrix mask, gb_Range rows,
                           gbl_Info info) {
    for (int stage = 0; stage < s->A->grid->side; stage++) {
        Panel panels[2];
        set_panels(panels, s, stage, rows);
        const gbl_Info brought = bring(s, panels, info);
        info = brought ? brought : multiply_panels(s, T, mask, panels);
        free_panel(&panels[0]);
        free_panel(&panels[1]);
        if (brought) return brought;
    }
    if (!info && s->comb) {
        const double start = MPI_Wtime();
        info = gb_combblas_merge(T, &s->comb);
        s->A->grid->counters.seconds_merge += MPI_Wtime() - start;
    }
    return gb_agree(s->A->grid, info);
}

static gbl_Info run_phase(gb_Summa *s, gb_Range rows) {
    gbl_Matrix T = NULL, mask = NULL;
    uint64_t *p = NULL;
    gbl_Info info = GBL_SUCCESS;
    const bool slice = s->mask && rows.size < gb_rows(s->A).size;
    if (slice)
        info = gb_slice(&mask, &p, s->mask->type, gb_cols(s->mask).size, &s->mask->arrays, rows);
    else if (s->mask)
        mask = s->mask->block;
    info = run_stages(s, &T, mask, rows, info);
    if (!info) info = s->finish(s, &T, rows);
    if (slice) gbl_Matrix_free(&mask);
    gbl_Memory_free(p);
    gbl_Matrix_free(&T);
    gb_combblas_drop(&s->comb);
    return info;
}

gbl_Info gb_summa(gb_Summa *s) {
    const gb_Range block = gb_rows(s->A);
    gbl_Info info = GBL_SUCCESS;
    for (int k = 0; k < s->phases && !info; k++)
        info = run_phase(s, gb_part(block.size, s->phases, k));
    return info;
}
