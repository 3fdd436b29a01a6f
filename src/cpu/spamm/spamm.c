/* SPDX-License-Identifier: Apache-2.0
 *
 * Driver of the approximate product (cuSpAMM, sections 3.3 and 3.5.1): products of sub-matrices of
 * side x side whose norms say that they count.
 *   1  copies of the sub-matrices that take part in any product;
 *   2  which sub-matrices C has and, where factors are tiles, their patterns and C's tiles;
 *   3  values: for several rows of sub-matrices the products of each sub-matrix of C are listed
 *      (the paper's map_offset) and multiplied from the lists; tasks with most products first.
 *
 * The paper tests each of BDIM^3 pairs of norms. Here a row of B's sub-matrices comes by falling
 * norm, so that those which a sub-matrix of A is multiplied with are the first ones of the row: one
 * binary search finds them, and nothing that is skipped is looked at.
 *
 * Cost: O(valid products * side^3 + entries). Memory beside C: the copies, 8 bytes a product listed
 * of one task a thread, and 28 bytes a thread for each column of sub-matrices.
 */
#include <stdlib.h>

#include "core/arrays.h"
#include "core/clock.h"
#include "cpu/cpu.h"
#include "cpu/spamm/work.h"

/* Rows of C that are summed in registers at a time: two registers each, of 32 or 16. */
#define SPAMM_ROWS (GB_REGISTER == 64 ? 8 : 4)

#define SPAMM_T double
#define SPAMM_NAME(f) GB_CAT(f, fp64)
#include "cpu/spamm/spamm.tmpl.h"
#undef SPAMM_T
#undef SPAMM_NAME
#define SPAMM_T float
#define SPAMM_NAME(f) GB_CAT(f, fp32)
#include "cpu/spamm/spamm.tmpl.h"
#undef SPAMM_T
#undef SPAMM_NAME

/* -- copies ------------------------------------------------------------------------------------ */

/* The sub-matrices of both have one slot where the factors are the same. */
static bool is_square(const gb_SpammArgs *g) {
    const gb_SpammFactor *A = &g->A, *B = &g->B;
    return A->x == B->x && A->tiles.x == B->tiles.x && A->tiles.p == B->tiles.p &&
           A->iso == B->iso && A->n == B->n && A->nmajor == B->nmajor && A->nminor == B->nminor;
}

static void number_a(const gb_SpammArgs *g, gb_SpammCopy *A) {
    for (gb_Off a = 0; a < g->A.n; a++)
        A->slot[a] = gb_spamm_end(g, g->A.norm[a], g->A.i[a]) > g->B.p[g->A.i[a]]
                         ? (uint32_t)A->used++
                         : GB_SPAMM_NONE;
}

/* B's sub-matrices in row K come by rank, A's largest in column K is most[K]. Those that have a
 * slot of A keep it. */
static void number_b(const gb_SpammArgs *g, gb_SpammCopy *B) {
    for (uint64_t K = 0; K < gb_spamm_blocks(g->B.nmajor, g->side); K++)
        for (gb_Off q = g->B.p[K]; q < g->B.p[K + 1]; q++) {
            const bool used =
                g->most[K] >= 0.0 && !gb_spamm_skips(g->most[K], g->rank[q].norm, g->tau);
            uint32_t *slot = &B->slot[g->rank[q].at];
            if (used && *slot == GB_SPAMM_NONE) *slot = (uint32_t)B->used++;
        }
}

static void copy_free(gb_SpammCopy *copy, unsigned side) {
    if (!copy->owns) return;
    gb_free(copy->slot, copy->X->n * sizeof *copy->slot);
    gb_free(copy->memory, copy->bytes);
    gb_free(copy->bits, copy->used * side * sizeof *copy->bits);
}

typedef struct {
    const gb_SpammCopy *to;
    const gb_SpammKernel *kernel;
    unsigned side;
} CopyJob;

static void copy_row(void *context, uint64_t I) {
    const CopyJob *job = context;
    const gb_SpammCopy *to = job->to;
    const size_t cells = (size_t)job->side * job->side, size = job->kernel->size;
    for (gb_Off t = to->X->p[I]; t < to->X->p[I + 1]; t++) {
        if (to->slot[t] == GB_SPAMM_NONE) continue;
        memset((char *)to->x + to->slot[t] * cells * size, 0, cells * size);
        if (to->bits != NULL)
            memset(to->bits + (size_t)to->slot[t] * job->side, 0, job->side * sizeof *to->bits);
    }
    if (to->X->full)
        job->kernel->copy_rows(to, job->side, I);
    else
        job->kernel->copy_tiles(to, job->side, I);
}

/* The copies of the sub-matrices that have slots. */
static gbl_Info copy_make(gb_SpammCopy *copy, const gb_SpammArgs *g, const gb_SpammKernel *kernel) {
    const size_t line = GB_LINE_BYTES, cells = (size_t)g->side * g->side;
    if (copy->used == 0) return GBL_SUCCESS;
    if (!gb_size_mul(&copy->bytes, copy->used, cells * kernel->size) ||
        copy->bytes > SIZE_MAX - line) {
        copy->bytes = 0;
        return gb_fail_memory(SIZE_MAX);
    }
    copy->bytes += line;
    copy->memory = gb_malloc(copy->bytes);
    if (!copy->X->full) copy->bits = gb_malloc(copy->used * g->side * sizeof *copy->bits);
    if (copy->memory == NULL || (!copy->X->full && copy->bits == NULL))
        return gb_fail_memory(copy->bytes);
    copy->x = (void *)(((uintptr_t)copy->memory + line - 1) / line * line);
    gb_parallel_for(g->nthreads, gb_spamm_blocks(copy->X->nmajor, g->side), copy_row,
                    &(CopyJob){copy, kernel, g->side});
    return GBL_SUCCESS;
}

static gbl_Info copy_factors(gb_SpammRun *run, const gb_SpammKernel *kernel) {
    const gb_SpammArgs *g = run->g;
    const bool square = is_square(g);
    const double cell = (double)g->side * g->side * (double)kernel->size;
    run->A.slot = gb_malloc(g->A.n * sizeof *run->A.slot);
    if (!square) run->B.slot = gb_malloc(g->B.n * sizeof *run->B.slot);
    if (run->A.slot == NULL || (!square && run->B.slot == NULL))
        return gb_fail_memory((g->A.n + g->B.n) * sizeof *run->A.slot);
    number_a(g, &run->A);
    for (uint64_t k = 0; !square && k < g->B.n; k++) run->B.slot[k] = GB_SPAMM_NONE;
    number_b(g, square ? &run->A : &run->B);
    const double bytes = (double)(run->A.used + run->B.used) * cell;
    if (!g->limited && bytes > g->limit)
        return gb_fail(
            GBL_OUT_OF_MEMORY,
            "sub-matrices as full ones would take %.0f bytes, and %.0f can be spared: the "
            "matrix is too scattered for SPAMM; multiply exactly, or set GBL_SUBMATRIX "
            "to 16",
            bytes, g->limit);
    const double patterns = gb_spamm_pattern(&g->A, run->A.used, g->side) +
                            gb_spamm_pattern(&g->B, run->B.used, g->side);
    gbl_Info info = gb_spamm_allow(run, bytes + patterns);
    if (info == GBL_SUCCESS) info = copy_make(&run->A, g, kernel);
    if (info == GBL_SUCCESS && !square) info = copy_make(&run->B, g, kernel);
    if (info == GBL_SUCCESS && square) { /* B borrows A's */
        run->B = run->A;
        run->B.bytes = 0;
        run->B.owns = false;
    }
    return info;
}

/* -- values ------------------------------------------------------------------------------------ */

/* Of one thread. */
typedef struct {
    gb_Off *start; /* [GB_SPAMM_ROWS_MOST * columns + 1] where a list of products begins */
    gb_SpammPair *pair;
    gb_Grown pairs; /* what they are in */
    void *block;    /* a sub-matrix of C */
    size_t wanted;  /* bytes requested in vain; 0: all is well */
} Work;

/* Part of C: columns [from, to) of `rows` rows of sub-matrices. */
typedef struct {
    uint64_t row, rows, from, to;
    double products; /* expected */
} Task;

typedef struct {
    const gb_SpammRun *run;
    const gb_SpammKernel *kernel;
    Work *work; /* [nthreads] */
    const Task *task;
} Step;

/* What a pass over the products of a task does with each: count it, or list it. */
static void pass(const gb_SpammRun *run, Work *w, const Task *task, bool lists) {
    const gb_SpammArgs *g = run->g;
    const uint64_t width = task->to - task->from;
    gb_Off *next = w->start + (lists ? 1 : 2);
    for (uint64_t r = 0; r < task->rows; r++, next += width)
        for (gb_Off a = g->A.p[task->row + r]; a < g->A.p[task->row + r + 1]; a++) {
            const gb_Off end = gb_spamm_end(g, g->A.norm[a], g->A.i[a]);
            for (gb_Off q = g->B.p[g->A.i[a]]; q < end; q++) {
                const uint64_t J = g->rank[q].column;
                if (J < task->from || J >= task->to) continue;
                const gb_Off at = next[J - task->from]++;
                if (!lists) continue;
                const bool wild = !g->A.full && (isinf(g->A.norm[a]) || isinf(g->rank[q].norm));
                w->pair[at] = (gb_SpammPair){run->A.slot[a], run->B.slot[g->rank[q].at] |
                                                                 (wild ? GB_SPAMM_WILD : 0)};
            }
        }
}

/* Counts the products of the task: where their lists begin, behind one more word. */
static uint64_t count_products(const gb_SpammRun *run, Work *w, const Task *task) {
    const uint64_t lists = task->rows * (task->to - task->from);
    memset(w->start, 0, (lists + 2) * sizeof *w->start);
    pass(run, w, task, false);
    for (uint64_t k = 2; k < lists + 2; k++) w->start[k] += w->start[k - 1];
    return w->start[lists + 1];
}

/* From the lists: the products of column J of row r are pair[start[r * width + J]] and so on,
 * ascending by the inner index. Columns outside, rows inside: a column of B's sub-matrices serves
 * all rows of the task. */
static void compute(const gb_SpammRun *run, const gb_SpammKernel *kernel, Work *w,
                    const Task *task) {
    const unsigned side = run->g->side;
    const uint64_t width = task->to - task->from;
    gb_Off c[GB_SPAMM_ROWS_MOST];
    for (uint64_t r = 0; r < task->rows; r++) {
        c[r] = run->p[task->row + r];
        while (c[r] < run->p[task->row + r + 1] && run->i[c[r]] < task->from) c[r]++;
    }
    for (uint64_t J = 0; J < width; J++)
        for (uint64_t r = 0; r < task->rows; r++) {
            const gb_Off *list = w->start + r * width + J;
            if (list[0] == list[1]) continue;
            memset(w->block, 0, (size_t)side * side * kernel->size);
            kernel->multiply(w->block, run, w->pair + list[0], list[1] - list[0]);
            if (run->g->A.full)
                kernel->store_rows(run, task->row + r, c[r]++, w->block);
            else
                kernel->store_tiles(run, c[r]++, w->block);
        }
}

/* The task, in halves where its columns have more products than the memory limit reckons with. */
static void run_part(const Step *step, Work *w, const Task *task) {
    const uint64_t n = count_products(step->run, w, task), middle = (task->from + task->to) / 2;
    if ((double)n > gb_spamm_listed(step->run->g) && middle > task->from) {
        Task half = *task;
        half.to = middle;
        run_part(step, w, &half);
        half.from = middle;
        half.to = task->to;
        if (w->wanted == 0) run_part(step, w, &half);
        return;
    }
    const size_t bytes = n * sizeof *w->pair;
    if (w->pairs.usable < bytes)
        w->pair = (void *)gb_grow(&w->pairs, bytes + bytes / 4, &w->wanted);
    if (w->wanted > 0) return;
    pass(step->run, w, task, true);
    compute(step->run, step->kernel, w, task);
}

static void run_task(void *context, uint64_t k) {
    const Step *step = context;
    Work *w = &step->work[gb_thread_id()];
    if (w->wanted > 0 || !gb_progress_add(step->run->g->meter, 1)) return;
    run_part(step, w, &step->task[k]);
}

static int by_products(const void *x, const void *y) {
    const double a = ((const Task *)x)->products, b = ((const Task *)y)->products;
    return (a < b) - (a > b);
}

/* The products of rows [row, end) of sub-matrices. */
static double products_of(const gb_SpammArgs *g, uint64_t row, uint64_t end) {
    double products = 0.0;
    for (gb_Off a = g->A.p[row]; a < g->A.p[end]; a++)
        products += (double)(gb_spamm_end(g, g->A.norm[a], g->A.i[a]) - g->B.p[g->A.i[a]]);
    return products;
}

/* How many tasks the columns of a group of rows are cut into. */
static uint64_t parts_of(const gb_SpammRun *run, double groups, double products) {
    const double threads = run->g->nthreads, columns = (double)run->columns;
    const double busy = threads > 1 ? floor(GB_SPAMM_TASKS * threads / groups) + 1.0 : 1.0;
    return (uint64_t)fmin(fmax(busy, ceil(products / GB_SPAMM_PAIRS)), columns);
}

/* Cuts C into tasks, those with most products first; NULL without memory. */
static Task *make_tasks(const gb_SpammRun *run, uint64_t *n) {
    const gb_SpammArgs *g = run->g;
    const uint64_t rows = GB_SPAMM_ROWS / g->side, groups = (run->rows + rows - 1) / rows;
    Task *task = NULL;
    for (int filling = 0; filling < 2; filling++) {
        *n = 0;
        for (uint64_t row = 0; row < run->rows; row += rows) {
            const uint64_t end = run->rows - row < rows ? run->rows : row + rows;
            const double products = products_of(g, row, end);
            const uint64_t parts = parts_of(run, (double)groups, products);
            for (uint64_t part = 0; task != NULL && part < parts; part++)
                task[*n + part] = (Task){.row = row,
                                         .rows = end - row,
                                         .from = gb_part(run->columns, part, parts),
                                         .to = gb_part(run->columns, part + 1, parts),
                                         .products = products / (double)parts};
            *n += parts;
        }
        if (task == NULL) task = gb_malloc(*n * sizeof *task);
        if (task == NULL) return NULL;
    }
    qsort(task, *n, sizeof *task, by_products);
    return task;
}

static gbl_Info find_values(const gb_SpammRun *run, Work *work, const gb_SpammKernel *kernel) {
    const gb_SpammArgs *g = run->g;
    uint64_t n;
    Task *task = make_tasks(run, &n);
    if (task == NULL) return gb_fail_memory(n * sizeof *task);
    gb_progress_begin(g->meter, "mxm", n);
    gb_parallel_for(g->nthreads, n, run_task,
                    &(Step){.run = run, .kernel = kernel, .work = work, .task = task});
    gb_free(task, n * sizeof *task);
    for (int t = 0; t < g->nthreads; t++)
        if (work[t].wanted > 0) return gb_fail_memory(work[t].wanted);
    return gb_progress_end(g->meter);
}

/* -- all of it --------------------------------------------------------------------------------- */

static size_t start_bytes(const gb_SpammRun *run) {
    return (GB_SPAMM_ROWS / run->g->side * run->columns + 2) * sizeof(gb_Off);
}

static void work_free(const gb_SpammRun *run, Work *work, size_t size) {
    const size_t cells = (size_t)run->g->side * run->g->side;
    for (int t = 0; work != NULL && t < run->g->nthreads; t++) {
        gb_free(work[t].start, start_bytes(run));
        gb_grown_free(&work[t].pairs);
        gb_free(work[t].block, cells * size);
    }
    gb_free(work, (size_t)run->g->nthreads * sizeof *work);
}

static Work *work_new(const gb_SpammRun *run, size_t size) {
    const size_t cells = (size_t)run->g->side * run->g->side;
    Work *work = gb_calloc((size_t)run->g->nthreads * sizeof *work);
    bool ok = work != NULL;
    for (int t = 0; ok && t < run->g->nthreads; t++) {
        work[t].start = gb_malloc(start_bytes(run));
        work[t].block = gb_malloc(cells * size);
        ok = work[t].start != NULL && work[t].block != NULL;
    }
    if (ok) return work;
    work_free(run, work, size);
    return NULL;
}

static gbl_Info steps(gb_SpammRun *run, Work *work, gb_TileMarks *marks, gb_SpammStats *stats) {
    const gb_SpammKernel *kernel = run->g->single ? &kernel_fp32 : &kernel_fp64;
    double last = gb_seconds();
    gbl_Info info = copy_factors(run, kernel);
    if (info == GBL_SUCCESS) info = GB_ISA_NAME(gb_spamm_lay_out)(run, marks, kernel->size);
    stats->seconds_layout = gb_seconds() - last;
    last = gb_seconds();
    if (info == GBL_SUCCESS) info = find_values(run, work, kernel);
    stats->seconds_values = gb_seconds() - last;
    return info;
}

static void run_free(gb_SpammRun *run) {
    const unsigned side = run->g->side;
    const uint64_t n = run->p != NULL ? run->p[run->rows] : 0;
    copy_free(&run->A, side);
    copy_free(&run->B, side);
    gb_free(run->i, n * sizeof *run->i);
    gb_free(run->bits, n * side * sizeof *run->bits);
    gb_free(run->first, n * (side / GB_TILE) * sizeof *run->first);
    gb_free(run->p, (run->rows + 1) * sizeof *run->p);
}

gbl_Info GB_ISA_NAME(gb_mxm_spamm)(const gb_SpammArgs *g, gb_Cs *cs, gb_Tiles *tiles,
                                   gb_SpammStats *stats) {
    const gb_SpammKernel *kernel = g->single ? &kernel_fp32 : &kernel_fp64;
    gb_SpammRun run = {.g = g,
                       .rows = gb_spamm_blocks(g->A.nmajor, g->side),
                       .columns = gb_spamm_blocks(g->B.nminor, g->side),
                       .A = {.X = &g->A, .owns = true},
                       .B = {.X = &g->B, .owns = true},
                       .cs = cs,
                       .tiles = tiles};
    *cs = (gb_Cs){0};
    *tiles = (gb_Tiles){0};
    gb_TileMarks *marks = gb_tile_marks_new(g->nthreads, run.columns);
    Work *work = marks != NULL ? work_new(&run, kernel->size) : NULL;
    const gbl_Info info = work != NULL ? steps(&run, work, marks, stats)
                                       : gb_fail_memory(start_bytes(&run) + 24 * run.columns);
    if (info != GBL_SUCCESS) {
        gb_cs_free(cs);
        gb_tiles_free(tiles);
    }
    run_free(&run);
    work_free(&run, work, kernel->size);
    gb_tile_marks_free(marks, g->nthreads, run.columns);
    return info;
}
