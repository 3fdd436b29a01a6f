/* SPDX-License-Identifier: Apache-2.0
 *
 * SPMM: a sparse factor times a full one, whose values are read without their indices. Kernel:
 * cpu/spmm/spmm.c; measurements: docs/spmm.md.
 *
 * B full: rows of A times B. A full: C' = B' * A', so columns of B times A by columns, and C is by
 * columns; the operands of the multiplication are swapped. A mask is then applied at the end.
 */
#include "mxm/model/method.h"

enum { B_FULL, A_FULL }; /* kinds */

/* The product as the kernel sees it: a sparse matrix of so many rows times a full one. */
typedef struct {
    double rows, inner, width; /* inner x width: of the full one */
    const gb_FactorFacts *sparse, *full;
} Roles;

static Roles roles(const gb_Method *m, const gb_Features *f) {
    const double rows = (double)f->m, inner = (double)f->k, columns = (double)f->n;
    return m->kind == B_FULL ? (Roles){rows, inner, columns, &f->A, &f->B}
                             : (Roles){columns, inner, rows, &f->B, &f->A};
}

/* -- workspace --------------------------------------------------------------------------------- */

/* A row of C and scratch per thread; C's arrays are made as long as they will be. */
static gb_Workspace workspace(const gb_Method *m, const gb_CostCase *s, const gb_Cut *cut) {
    const gb_Features *f = s->f;
    const double z = (double)f->zsize, row = roles(m, f).width * z;
    const double buffer = fmax(row, GB_SPMM_BUFFER);
    const double work = (double)cut->threads * (buffer + 2.0 * z) + buffer / z * sizeof(gb_Idx);
    /* all of C, of which the mask then takes its part */
    const bool cuts = m->kind == A_FULL && f->mask != GB_MASK_NONE;
    const double all = cuts ? (double)f->m * (double)f->n * gb_entry_bytes(f) : 0.0;
    return (gb_Workspace){.size = 1.0, .fixed = work + all, .beside = work + all, .slices = 1.0};
}

/* -- cost -------------------------------------------------------------------------------------- */

/* Bytes of columns that a mask computes or leaves out together. */
#define BLOCK_BYTES 512.0

/* The share of the products that the mask allows. */
static double computed_share(const gb_Method *m, const gb_Features *f) {
    if (f->mask != GB_MASK_INSIDE || m->kind == A_FULL) return 1.0;
    const double blocks = ceil((double)f->n * (double)f->zsize / BLOCK_BYTES);
    return gb_expect_distinct((double)f->nnz_m / (double)f->m, blocks) / blocks;
}

static void count(const gb_Method *m, gb_Counts *c, const gb_CostCase *s) {
    const gb_Features *f = s->f;
    const Roles r = roles(m, f);
    const double *cache = s->machine->cache;
    const double entries = (double)r.sparse->nvals * computed_share(m, f);
    const double row = r.width * (double)f->zsize, lines = entries * ceil(row / GB_LINE_BYTES);
    const double bytes = r.full->iso ? 0.0 : r.inner * row;
    const double far =
        0.25 * gb_share_outside(bytes, cache[1]) + 0.75 * gb_share_outside(bytes, cache[2]);
    c->n[GB_RATE_SPMM_ROW] += r.rows;
    c->n[GB_RATE_SPMM_ENTRY] += entries;
    c->n[GB_RATE_SPMM_LINE] += lines;
    c->n[GB_RATE_SPMM_FAR] += GB_LINE_BYTES * lines * far / s->machine->bandwidth;
    if (f->mask != GB_MASK_NONE) c->n[GB_RATE_MASK_ENTRY] += (double)f->nnz_m;
    if (f->mask != GB_MASK_NONE && m->kind == A_FULL)
        c->n[GB_RATE_PLACE] += (double)f->m * (double)f->n * gb_entry_bytes(f) / 12.0;
    if (f->values == GB_VALUES_GENERIC) c->n[GB_RATE_GENERIC] += entries * r.width;
    if (m->kind == A_FULL) /* rows of C, which somebody will want */
        c->n[GB_RATE_CONVERT_FULL] += (double)f->m * (double)f->n;
    gb_count_streaming(c, s);
    gb_cost_scale(c, 1.0 / gb_threads_for(f->flops + r.sparse->nvals, GB_GRAIN, f->threads));
    c->n[GB_RATE_CALL] = 1.0;
}

/* -- run --------------------------------------------------------------------------------------- */

/* C' = B' * A'. */
static void mirror(gb_MxmArgs *args, gb_Result *T) {
    const gb_CsView A = args->A;
    args->A = args->B;
    args->B = A;
    args->args = gb_ring_mirror(&args->args);
    args->ring = gb_ring_mirrored(args->ring);
    args->mask_kind = GB_MASK_NONE;
    args->full = NULL; /* dense results go by rows */
    T->format = GB_CSC;
    T->masked = false;
}

static gbl_Info run(const gb_Method *m, gb_MxmRun *run, gb_Result *T) {
    gb_MxmArgs args = gb_sparse_args(run, run->f->flops);
    if (gb_may_be_dense(run->call->C)) args.full = &T->dense;
    if (m->kind == A_FULL) mirror(&args, T);
    const gbl_Info info =
        gb_run_kernel(gb_backend()->mxm_spmm, &args, run, args.A.nvals * args.B.nminor, &T->cs);
    T->is_dense = T->dense.n > 0;
    return info;
}

const gb_Method gb_method_spmm = {
    .name = "spmm",
    .variant = "B full",
    .place = GBL_PLACE_CPU,
    .about = "adds rows of a full B in registers, for each row of A",
    .method = GBL_METHOD_SPMM,
    .kind = B_FULL,
    .a = GB_BY_ROWS,
    .b = GB_FULL_BY_ROWS,
    .sorted_a = true,
    .reads_mask = true,
    .learn = GB_LEARN_FULL,
    .needs = GB_IF_B_FULL | GB_IF_LANES,
    .workspace = workspace,
    .count = count,
    .run = run,
};

const gb_Method gb_method_spmm_left = {
    .name = "spmm",
    .variant = "A full",
    .place = GBL_PLACE_CPU,
    .about = "adds columns of a full A in registers, for each column of B",
    .method = GBL_METHOD_SPMM,
    .kind = A_FULL,
    .a = GB_FULL_BY_COLUMNS,
    .b = GB_BY_COLUMNS,
    .sorted_b = true,
    .repays_columns = true,
    .needs = GB_IF_A_FULL | GB_IF_NOT_COMPILED,
    .workspace = workspace,
    .count = count,
    .run = run,
};
