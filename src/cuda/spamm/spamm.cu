/* SPDX-License-Identifier: Apache-2.0
 *
 * Driver of the approximate product on one GPU or several (cuSpAMM, section 3.4, algorithm 4):
 *   1  upload B to all devices in batches, rows of A to the one that computes with them; norms of a
 *      batch are computed during the next upload;
 *   2  search tau on the host; the first device counts what a tau keeps (section 3.5.2);
 *   3  count the products of each sub-matrix of C, which gives C's rows;
 *   4  multiply the sub-matrices of C, those with most products first, at equal strides (section
 *      3.5.1), while the host writes their columns.
 * The result does not depend on the number of devices. Device memory: A, B and C; 8 bytes a
 * sub-matrix of A and of B, 28 of C.
 */
#include "cuda/spamm/spamm.cuh"
#include "core/clock.h"
#include "cuda/device/state.cuh"

#include <stdlib.h>

extern "C" {
#include "core/arrays.h"
}

enum { BATCHES = 8 }; /* of a factor, at most */

struct gb_Spamm {
    gb_Job job;
    gb_Sites sites;
    const gb_DeviceSpammArgs *args;
    gb_DeviceSpammStats *stats;
    size_t size, csize;            /* of values of factors and of C */
    uint64_t rows, inner, columns; /* of sub-matrices */
    double *anorm;                 /* [rows][inner] on the main site */
    double *outcome;               /* [inner][2] */
    /* on the host */
    double *host_norm, *host_outcome; /* [rows][inner] of A; [inner][2] */
    uint32_t *counts;                 /* [rows][columns] */
    gb_SpammItem *items;              /* [rows * columns], those of a site together */
    uint64_t nitems[GB_SITES_MOST];
    double tau;
};

static uint64_t blocks_of(uint64_t n, unsigned side) {
    return n / side + (n % side != 0);
}

/* -- memory */

template <class T> static T *host_new(gb_Spamm *P, uint64_t count) {
    size_t bytes;
    if (P->job.info != GBL_SUCCESS) return NULL;
    void *made = gb_size_mul(&bytes, count, sizeof(T)) ? gb_malloc(bytes) : NULL;
    if (made == NULL && count > 0) gb_job_fail(&P->job, gb_fail_memory((size_t)count * sizeof(T)));
    return static_cast<T *>(made);
}

static void make_host(gb_Spamm *P) {
    const uint64_t n = P->rows * P->columns;
    P->host_norm = host_new<double>(P, P->rows * P->inner);
    P->host_outcome = host_new<double>(P, 2 * P->inner);
    P->counts = host_new<uint32_t>(P, n);
    P->items = host_new<gb_SpammItem>(P, n);
}

static void free_host(gb_Spamm *P) {
    const uint64_t n = P->rows * P->columns;
    gb_free(P->host_norm, P->rows * P->inner * sizeof(double));
    gb_free(P->host_outcome, 2 * P->inner * sizeof(double));
    gb_free(P->counts, n * sizeof(uint32_t));
    gb_free(P->items, n * sizeof(gb_SpammItem));
}

static void make_site(gb_Spamm *P, gb_Site *site) {
    gb_Sites *S = &P->sites;
    const uint64_t area = (uint64_t)P->args->side * P->args->side;
    gb_site_use(S, site);
    site->A = gb_site_bytes(S, site, site->rows * P->inner, area * P->size);
    site->B = gb_site_bytes(S, site, P->inner * P->columns, area * P->size);
    site->anorm = gb_site_new<double>(S, site, site->rows * P->inner);
    site->bnorm = gb_site_new<double>(S, site, P->inner * P->columns);
    site->counts = gb_site_new<uint32_t>(S, site, site->rows * P->columns);
    gb_job_zero(&P->job, site->A, site->rows * P->inner * area * P->size);
    gb_job_zero(&P->job, site->B, P->inner * P->columns * area * P->size);
}

static void make_sites(gb_Spamm *P) {
    for (unsigned k = 0; k < P->sites.n; k++) make_site(P, P->sites.at[k]);
    gb_site_use(&P->sites, &P->sites.main);
    P->anorm = P->sites.main.anorm;
    if (P->sites.n > 1) P->anorm = gb_job_new<double>(&P->job, P->rows * P->inner);
    P->outcome = gb_job_new<double>(&P->job, 2 * P->inner);
    gb_sites_wait(&P->sites);
}

/* -- 1: norms */

/* Rows of sub-matrices of a batch (the paper's P batches): what a pinned buffer holds, or more. */
static uint64_t batch_of(const gb_Spamm *P, uint64_t rows, uint64_t columns) {
    const uint64_t bytes = columns * P->size * P->args->side;
    const uint64_t least = GB_CUDA_STAGING / bytes, each = (rows + BATCHES - 1) / BATCHES;
    return each > least ? each : least;
}

/* What the main site does from here on is timed; GB_STAGE_COMPACT is the time in between. */
static void begin_stage(gb_Spamm *P, const gb_Site *site, gb_Stage stage) {
    if (site == &P->sites.main) gb_job_stage(&P->job, stage);
}

/* Rows [row, end) of sub-matrices of a factor to some sites, which compute their norms. */
static void send_and_measure(gb_Spamm *P, gb_Site *const *to, unsigned n, bool is_a, uint64_t row,
                             uint64_t end) {
    const gb_DeviceFull *X = is_a ? &P->args->A : &P->args->B;
    const unsigned side = P->args->side;
    const uint64_t first = is_a ? to[0]->row : 0, columns = is_a ? P->inner : P->columns;
    const uint64_t last = end * side < X->nmajor ? end * side : X->nmajor;
    gb_sites_send(
        &P->sites, to, n,
        gb_SpammSending{X, P->size, row * side, last, first * side, columns * side, is_a});
    for (unsigned k = 0; k < n; k++) {
        gb_Site *site = to[k];
        gb_site_use(&P->sites, site);
        begin_stage(P, site, GB_STAGE_ANALYSIS);
        gb_spamm_norms(&P->job,
                       gb_SpammNormed{is_a ? site->A : site->B, is_a ? site->anorm : site->bnorm,
                                      row - first, end - first, columns},
                       P->args->values, side);
        begin_stage(P, site, GB_STAGE_COMPACT);
    }
}

static void measure(gb_Spamm *P) {
    gb_Sites *S = &P->sites;
    const uint64_t of_b = batch_of(P, P->inner, P->args->B.nminor);
    const uint64_t of_a = batch_of(P, P->sites.main.rows, P->args->A.nminor);
    for (uint64_t k = 0; k < P->inner; k += of_b)
        send_and_measure(P, S->at, S->n, false, k, P->inner - k < of_b ? P->inner : k + of_b);
    for (unsigned k = 0; k < S->n; k++) {
        const uint64_t end = S->at[k]->row + S->at[k]->rows;
        for (uint64_t row = S->at[k]->row; row < end; row += of_a)
            send_and_measure(P, &S->at[k], 1, true, row, end - row < of_a ? end : row + of_a);
    }
    gb_sites_wait(S);
}

/* All of A's norms to the main site, by way of the host. */
static void gather_norms(gb_Spamm *P) {
    gb_Sites *S = &P->sites;
    if (S->n == 1) return;
    for (unsigned k = 0; k < S->n; k++) {
        const gb_Site *site = S->at[k];
        gb_site_use(S, S->at[k]);
        gb_job_download(&P->job, P->host_norm + site->row * P->inner, site->anorm,
                        site->rows * P->inner * sizeof(double));
    }
    gb_site_use(S, &S->main);
    gb_job_upload(&P->job, P->anorm, P->host_norm, P->rows * P->inner * sizeof(double));
}

/* -- 2: tau */

static gb_SpammOutcome outcome(void *context, double tau) {
    gb_Spamm *P = static_cast<gb_Spamm *>(context);
    gb_SpammOutcome found = {0.0, 0.0};
    gb_spamm_try_tau(&P->job,
                     gb_SpammMap{P->anorm, P->sites.main.bnorm, P->rows, P->inner, P->columns, tau},
                     P->outcome);
    gb_job_download(&P->job, P->host_outcome, P->outcome, 2 * P->inner * sizeof(double));
    if (P->job.info != GBL_SUCCESS) return found;
    for (uint64_t k = 0; k < P->inner; k++) {
        found.valid += P->host_outcome[2 * k];
        found.bound += P->host_outcome[2 * k + 1];
    }
    found.bound *= 1.0 + GB_SPAMM_ROUNDING;
    return found;
}

static void search(gb_Spamm *P) {
    gb_DeviceSpammStats *stats = P->stats;
    const double triples = (double)P->rows * (double)P->inner * (double)P->columns;
    const gb_SpammAsk ask = {outcome, P, triples};
    gb_site_use(&P->sites, &P->sites.main);
    P->tau = P->args->find_tau(P->args->context, &ask);
    const gb_SpammOutcome found = outcome(P, P->tau);
    stats->tau = P->tau;
    stats->valid = found.valid;
    stats->bound = found.bound;
    stats->triples = triples;
}

/* -- 3: C's rows */

static gb_SpammMap map_of(const gb_Spamm *P, const gb_Site *site) {
    return gb_SpammMap{site->anorm, site->bnorm, site->rows, P->inner, P->columns, P->tau};
}

static void count(gb_Spamm *P) {
    for (unsigned k = 0; k < P->sites.n; k++) {
        gb_site_use(&P->sites, P->sites.at[k]);
        begin_stage(P, P->sites.at[k], GB_STAGE_SYMBOLIC);
        gb_spamm_count(&P->job, map_of(P, P->sites.at[k]), P->sites.at[k]->counts);
        begin_stage(P, P->sites.at[k], GB_STAGE_COMPACT);
    }
    for (unsigned k = 0; k < P->sites.n; k++) {
        const gb_Site *site = P->sites.at[k];
        gb_site_use(&P->sites, P->sites.at[k]);
        gb_job_download(&P->job, P->counts + site->row * P->columns, site->counts,
                        site->rows * P->columns * sizeof(uint32_t));
    }
}

/* Values in a row of C, of row I of its sub-matrices. */
static uint32_t width_of(const gb_Spamm *P, uint64_t I) {
    const uint64_t side = P->args->side, n = P->args->B.nminor;
    uint64_t width = 0;
    for (uint64_t J = 0; J < P->columns; J++)
        if (P->counts[I * P->columns + J] > 0) width += n - J * side < side ? n - J * side : side;
    return (uint32_t)width;
}

static void make_rows(gb_Spamm *P, gb_Cs *C) {
    const uint64_t side = P->args->side, m = P->args->A.nmajor;
    uint64_t nvals = 0;
    if (P->job.info != GBL_SUCCESS) return;
    for (uint64_t I = 0; I < P->rows; I++)
        nvals += width_of(P, I) * (m - I * side < side ? m - I * side : side);
    size_t bytes;
    if (!gb_size_mul(&bytes, nvals, P->csize)) bytes = SIZE_MAX;
    gb_job_fail(&P->job, gb_cs_alloc(C, m, nvals, bytes));
    if (P->job.info != GBL_SUCCESS) return;
    uint64_t at = 0;
    for (uint64_t I = 0; I < P->rows; I++) {
        const uint32_t width = width_of(P, I);
        for (uint64_t row = I * side; row < m && row < (I + 1) * side; row++, at += width)
            C->p[row] = at;
    }
    C->p[m] = at;
}

/* -- 4: values */

/* The sub-matrices of C of a site, those with most products first: counted into place. */
static uint64_t list_items(gb_Spamm *P, const gb_Site *site, const gb_Cs *C, uint64_t *begin) {
    const uint64_t side = P->args->side, first = C->p[site->row * side];
    gb_SpammItem *items = P->items + site->row * P->columns;
    const uint32_t *counts = P->counts + site->row * P->columns;
    const uint64_t n = site->rows * P->columns;
    uint64_t sum = 0;
    memset(begin, 0, (P->inner + 1) * sizeof *begin);
    for (uint64_t c = 0; c < n; c++) begin[counts[c]]++;
    for (uint64_t v = P->inner; v > 0; v--) { /* begin[0], of those without, is not used */
        const uint64_t many = begin[v];
        begin[v] = sum;
        sum += many;
    }
    for (uint64_t I = 0; I < site->rows; I++) {
        const uint64_t row = (site->row + I) * side;
        const uint32_t pitch = width_of(P, site->row + I);
        uint64_t at = C->p[row] - first;
        for (uint64_t J = 0; J < P->columns; J++) {
            if (counts[I * P->columns + J] == 0) continue;
            items[begin[counts[I * P->columns + J]]++] =
                gb_SpammItem{at, pitch, (uint32_t)I, (uint32_t)J};
            at += side;
        }
    }
    return sum;
}

/* Begins the products of a site. */
static void start_site(gb_Spamm *P, gb_Site *site, const gb_Cs *C, uint64_t n) {
    const uint64_t side = P->args->side, m = P->args->A.nmajor, row = site->row * side;
    const uint64_t end = row + site->rows * side < m ? row + site->rows * side : m;
    if (n == 0) return;
    gb_site_use(&P->sites, site);
    site->C = gb_site_bytes(&P->sites, site, C->p[end] - C->p[row], P->csize);
    site->items = gb_site_new<gb_SpammItem>(&P->sites, site, n);
    gb_job_upload(&P->job, site->items, P->items + site->row * P->columns, n * sizeof *P->items);
    begin_stage(P, site, GB_STAGE_NUMERIC);
    gb_spamm_multiply(&P->job,
                      gb_SpammProduct{map_of(P, site), site->A, site->B, site->C, site->items, n,
                                      end - row, P->args->B.nminor},
                      P->args->values, P->args->side);
    begin_stage(P, site, GB_STAGE_COMPACT);
}

/* While the devices multiply. */
static void write_columns(const gb_Spamm *P, gb_Cs *C) {
    const uint64_t side = P->args->side, n = P->args->B.nminor;
    for (uint64_t row = 0; row < C->nmajor; row++) {
        const uint32_t *counts = P->counts + row / side * P->columns;
        gb_Idx *i = C->i + C->p[row];
        for (uint64_t J = 0; J < P->columns; J++) {
            if (counts[J] == 0) continue;
            for (uint64_t c = J * side; c < n && c < (J + 1) * side; c++) *i++ = (gb_Idx)c;
        }
    }
}

static void multiply(gb_Spamm *P, gb_Cs *C) {
    gb_Sites *S = &P->sites;
    uint64_t *begin = host_new<uint64_t>(P, P->inner + 1);
    for (unsigned k = 0; k < S->n && P->job.info == GBL_SUCCESS; k++)
        P->nitems[k] = list_items(P, S->at[k], C, begin);
    gb_free(begin, (P->inner + 1) * sizeof *begin);
    for (unsigned k = 0; k < S->n && P->job.info == GBL_SUCCESS; k++)
        start_site(P, S->at[k], C, P->nitems[k]);
    if (P->job.info == GBL_SUCCESS) write_columns(P, C);
    for (unsigned k = 0; k < S->n && P->job.info == GBL_SUCCESS; k++) {
        const uint64_t row = S->at[k]->row * P->args->side;
        const uint64_t end = row + S->at[k]->rows * P->args->side;
        const uint64_t from = C->p[row], to = C->p[end < C->nmajor ? end : C->nmajor];
        gb_site_use(S, S->at[k]);
        gb_job_download(&P->job, (char *)C->x + from * P->csize, S->at[k]->C,
                        (to - from) * P->csize);
    }
}

/* -- all of it */

static void steps(gb_Spamm *P, gb_Cs *C) {
    gb_DeviceSpammStats *stats = P->stats;
    make_host(P);
    make_sites(P);
    measure(P);
    gather_norms(P);
    const double start = gb_seconds();
    if (P->job.info == GBL_SUCCESS) search(P);
    stats->seconds_search = gb_seconds() - start;
    count(P);
    make_rows(P, C);
    if (P->job.info == GBL_SUCCESS) multiply(P, C);
    double seconds[GB_STAGES];
    gb_site_use(&P->sites, &P->sites.main);
    gb_job_seconds(&P->job, seconds, NULL, 0);
    stats->devices = (int)P->sites.n;
    stats->seconds_norms = seconds[GB_STAGE_ANALYSIS];
    stats->seconds_products = seconds[GB_STAGE_SYMBOLIC] + seconds[GB_STAGE_NUMERIC];
}

gbl_Info gb_cuda_mxm_spamm(const gb_DeviceSpammArgs *args, gb_Cs *C, gb_DeviceSpammStats *stats) {
    gb_Spamm P = {};
    memset(C, 0, sizeof *C);
    memset(stats, 0, sizeof *stats);
    P.args = args;
    P.stats = stats;
    P.size = gb_spamm_value_bytes(args->values);
    P.csize = args->values == GB_SPAMM_FP64 ? 8 : 4;
    P.rows = blocks_of(args->A.nmajor, args->side);
    P.inner = blocks_of(args->A.nminor, args->side);
    P.columns = blocks_of(args->B.nminor, args->side);
    gb_job_begin(&P.job);
    gb_sites_open(&P.sites, &P.job, P.rows);
    if (P.job.info == GBL_SUCCESS) steps(&P, C);
    gb_sites_close(&P.sites);
    free_host(&P);
    if (P.job.info != GBL_SUCCESS) gb_cs_free(C);
    return gb_job_end(&P.job);
}
