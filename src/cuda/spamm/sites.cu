/* SPDX-License-Identifier: Apache-2.0
 *
 * The devices of an approximate product (cuSpAMM, section 3.4): which they are, their memory, and
 * what is sent to them. GBLITE_DEVICES names them, numbers with commas between; without it, and for
 * products of few rows, only the job's device is used.
 */
#include "core/clock.h"
#include "cuda/spamm/spamm.cuh"
#include "cuda/device/state.cuh"

#include <stdlib.h>

static gb_Site peers[GB_SITES_MOST]; /* [npeers] under the lock */
static unsigned npeers;

/* -- peers */

static void close_peer(gb_Site *peer) {
    cudaSetDevice(peer->device);
    for (int k = 0; k < 2; k++)
        if (peer->moved[k] != NULL) cudaEventDestroy(peer->moved[k]);
    if (peer->sent != NULL) cudaEventDestroy(peer->sent);
    if (peer->moves != NULL) cudaStreamDestroy(peer->moves);
    if (peer->works != NULL) cudaStreamDestroy(peer->works);
    if (peer->pool != NULL) cudaMemPoolDestroy(peer->pool);
    memset(peer, 0, sizeof *peer);
}

void gb_spamm_close_peers(void) {
    while (npeers > 0) close_peer(&peers[--npeers]);
}

static cudaError_t start_peer(gb_Site *peer) {
    cudaError_t error = cudaSetDevice(peer->device);
    if (error == cudaSuccess)
        error = cudaStreamCreateWithFlags(&peer->works, cudaStreamNonBlocking);
    if (error == cudaSuccess)
        error = cudaStreamCreateWithFlags(&peer->moves, cudaStreamNonBlocking);
    for (int k = 0; k < 2 && error == cudaSuccess; k++)
        error = cudaEventCreateWithFlags(&peer->moved[k], cudaEventDisableTiming);
    if (error == cudaSuccess) error = cudaEventCreateWithFlags(&peer->sent, cudaEventDisableTiming);
    return error == cudaSuccess ? gb_pool_create(&peer->pool, peer->device) : error;
}

/* The peer of this number, started when it is first wanted; NULL after an error. */
static gb_Site *find_peer(gb_Job *job, int device) {
    cudaDeviceProp properties;
    for (unsigned k = 0; k < npeers; k++)
        if (peers[k].device == device) return &peers[k];
    if (npeers == GB_SITES_MOST) return NULL; /* GBLITE_DEVICES has named others before */
    gb_job_check(job, cudaGetDeviceProperties(&properties, device), "the start of another one");
    if (job->info == GBL_SUCCESS && properties.major < 8)
        gb_job_fail(job, gb_fail(GBL_INVALID_VALUE,
                                 "GBLITE_DEVICES: GPU %d has compute capability %d.%d; 8.0 or "
                                 "newer is needed",
                                 device, properties.major, properties.minor));
    if (job->info != GBL_SUCCESS) return NULL;
    gb_Site *peer = &peers[npeers];
    peer->device = device;
    gb_job_check(job, start_peer(peer), "the start of another one");
    if (job->info == GBL_SUCCESS) {
        npeers++;
        return peer;
    }
    close_peer(peer);
    cudaSetDevice(gb_cuda.device);
    return NULL;
}

/* -- sites */

/* Another site, unless it is one already. */
static void add_site(gb_Sites *sites, int device) {
    for (unsigned k = 0; k < sites->n; k++)
        if (sites->at[k]->device == device) return;
    gb_Site *peer = sites->n < GB_SITES_MOST ? find_peer(sites->job, device) : NULL;
    if (peer != NULL) sites->at[sites->n++] = peer;
}

static void read_names(gb_Sites *sites, const char *names, uint64_t most) {
    int count = 0;
    gb_job_check(sites->job, cudaGetDeviceCount(&count), "counting devices");
    for (const char *name = names; sites->job->info == GBL_SUCCESS && *name != '\0';) {
        char *end;
        const long number = strtol(name, &end, 10);
        if (end == name || number < 0 || number >= count || (*end != ',' && *end != '\0')) {
            gb_job_fail(sites->job,
                        gb_fail(GBL_INVALID_VALUE,
                                "GBLITE_DEVICES is '%.40s'; it must be numbers below %d with "
                                "commas between",
                                names, count));
            return;
        }
        if (sites->n < most) add_site(sites, (int)number);
        name = *end == ',' ? end + 1 : end;
    }
}

void gb_sites_open(gb_Sites *sites, gb_Job *job, uint64_t rows) {
    const char *names = getenv("GBLITE_DEVICES");
    memset(sites, 0, sizeof *sites);
    sites->job = job;
    if (job->info != GBL_SUCCESS) return;
    gb_Site *main = &sites->main;
    main->device = gb_cuda.device;
    main->works = gb_cuda.stream;
    main->moves = gb_cuda.lane[0];
    main->moved[0] = gb_cuda.moved[0];
    main->moved[1] = gb_cuda.moved[1];
    main->sent = gb_cuda.forked;
    sites->at[sites->n++] = main;
    if (names != NULL) read_names(sites, names, rows);
    for (unsigned k = 0; k < sites->n; k++) {
        const uint64_t each = rows / sites->n, more = rows % sites->n;
        sites->at[k]->row = k * each + (k < more ? k : more);
        sites->at[k]->rows = each + (k < more);
    }
    gb_site_use(sites, main);
}

void gb_site_use(gb_Sites *sites, gb_Site *site) {
    gb_Job *job = sites->job;
    if (sites->n > 1) gb_job_check(job, cudaSetDevice(site->device), "its choice");
    job->stream = site->works;
    job->moved = site->moved;
}

void *gb_site_bytes(gb_Sites *sites, gb_Site *site, uint64_t count, size_t size) {
    gb_Job *job = sites->job;
    size_t bytes;
    void *block = NULL;
    if (site == &sites->main) return gb_job_bytes(job, count, size);
    if (job->info != GBL_SUCCESS) return NULL;
    if (!gb_size_mul(&bytes, count > 0 ? count : 1, size)) bytes = SIZE_MAX;
    gb_job_check(job, gb_pool_take(site->pool, &block, bytes, site->works),
                 "an array on another one");
    if (job->info != GBL_SUCCESS) return NULL;
    site->block[site->nblocks++] = block;
    return block;
}

/* Also after an error: what was begun may still read memory that is about to be freed. */
static void wait_for(gb_Sites *sites, gb_Site *site) {
    cudaError_t error = cudaStreamSynchronize(site->moves);
    if (error == cudaSuccess) error = cudaStreamSynchronize(site->works);
    gb_job_check(sites->job, error, "a kernel");
}

void gb_sites_wait(gb_Sites *sites) {
    for (unsigned k = 0; k < sites->n; k++) wait_for(sites, sites->at[k]);
}

void gb_sites_close(gb_Sites *sites) {
    if (sites->n == 0) return;
    gb_sites_wait(sites);
    for (unsigned k = 0; k < sites->n; k++) {
        gb_Site *site = sites->at[k];
        if (site->nblocks > 0) gb_site_use(sites, site);
        while (site->nblocks > 0)
            gb_pool_give(site->pool, site->block[--site->nblocks], site->works);
    }
    gb_site_use(sites, &sites->main);
}

/* -- sending */

/* Some columns of some rows. */
struct gb_Piece {
    uint64_t row, rows, column, columns;
};

static void pack(char *to, const gb_SpammSending &what, const gb_Piece &piece) {
    const size_t size = what.size, line = piece.columns * size;
    const char *x = (const char *)what.X->x;
    if (!what.X->iso) {
        x += (piece.row * what.X->nminor + piece.column) * size;
        memcpy(to, x, piece.rows * line); /* of several rows all columns */
        return;
    }
    for (uint64_t k = 0; k < piece.rows * piece.columns; k++) memcpy(to + k * size, x, size);
}

static void send_piece(gb_Sites *sites, gb_Site *const *to, unsigned n, const gb_SpammSending &what,
                       const gb_Piece &piece) {
    gb_Job *job = sites->job;
    const unsigned turn = sites->turn++ % 2;
    const size_t line = piece.columns * what.size, pitch = what.ld * what.size;
    const uint64_t at = (piece.row - what.first) * what.ld + piece.column;
    for (unsigned k = 0; k < sites->n; k++) /* whoever read this buffer last */
        gb_job_check(job, cudaEventSynchronize(sites->at[k]->moved[turn]), "moving data to it");
    if (job->info != GBL_SUCCESS) return;
    pack((char *)gb_cuda.staging[turn], what, piece);
    for (unsigned k = 0; k < n; k++) {
        gb_site_use(sites, to[k]);
        char *array = (char *)(what.is_a ? to[k]->A : to[k]->B);
        gb_job_check(job,
                     cudaMemcpy2DAsync(array + at * what.size, pitch, gb_cuda.staging[turn], line,
                                       line, piece.rows, cudaMemcpyHostToDevice, to[k]->moves),
                     "moving data to it");
        gb_job_check(job, cudaEventRecord(to[k]->moved[turn], to[k]->moves), "moving data to it");
        gb_cuda.bytes_up += piece.rows * line;
    }
}

void gb_sites_send(gb_Sites *sites, gb_Site *const *to, unsigned n, const gb_SpammSending &what) {
    gb_Job *job = sites->job;
    const double start = gb_seconds();
    const uint64_t columns = what.X->nminor, capacity = GB_CUDA_STAGING / what.size;
    const uint64_t rows = capacity / columns > 0 ? capacity / columns : 1;
    for (uint64_t row = what.row; row < what.end && job->info == GBL_SUCCESS; row += rows)
        for (uint64_t c = 0; c < columns && job->info == GBL_SUCCESS; c += capacity) {
            const uint64_t left = what.end - row, wide = columns - c;
            send_piece(
                sites, to, n, what,
                gb_Piece{row, left < rows ? left : rows, c, wide < capacity ? wide : capacity});
        }
    for (unsigned k = 0; k < n; k++) {
        gb_site_use(sites, to[k]);
        gb_job_check(job, cudaEventRecord(to[k]->sent, to[k]->moves), "moving data to it");
        gb_job_check(job, cudaStreamWaitEvent(to[k]->works, to[k]->sent, 0), "moving data to it");
    }
    gb_cuda.seconds_moving += gb_seconds() - start;
}
