/* SPDX-License-Identifier: Apache-2.0
 *
 * Copies of matrices and vectors on the device, and which of them are evicted when memory is short.
 * gb_cuda.copies lists every gb_DeviceCs that has arrays. One that is not pinned may lose them at
 * any time, so users pin it first. A copy whose content is nowhere else (`only`: the result of an
 * operation) moves to the host then, to `on_host` or `dense_on_host`, and back when it is pinned.
 */
#include "cuda/device/state.cuh"

extern "C" {
#include "core/arrays.h"
}

void gb_copies_add(gb_Job *job, gb_DeviceCs *cs) {
    cs->pbytes = gb_job_keep(job, cs->p);
    cs->ibytes = gb_job_keep(job, cs->i);
    cs->xbytes = gb_job_keep(job, cs->x);
    cs->bits_bytes = gb_job_keep(job, cs->bits);
    cs->pins = 1;
    cs->used = ++gb_cuda.clock;
    cs->next = gb_cuda.copies;
    cs->at = &gb_cuda.copies;
    if (cs->next != NULL) cs->next->at = &cs->next;
    gb_cuda.copies = cs;
}

void gb_copies_keep(gb_Job *job, const gb_DeviceCs *C, gb_DeviceCs **T) {
    if (job->info != GBL_SUCCESS) return;
    gb_DeviceCs *made = (gb_DeviceCs *)gb_malloc(sizeof *made);
    if (made == NULL) {
        gb_job_fail(job, gb_fail_memory(sizeof *made));
        return;
    }
    *made = *C;
    made->only = true;
    gb_copies_add(job, made);
    *T = made;
}

void gb_copies_drop_tiles(const gb_DeviceCs *cs) {
    gb_cuda_free(cs->tiles.block, cs->tiles.bytes);
    gb_cuda_free(cs->tiles.columns_block, cs->tiles.columns_bytes);
    memset(&cs->tiles, 0, sizeof cs->tiles);
}

static void drop_arrays(gb_DeviceCs *cs) {
    gb_copies_drop_tiles(cs);
    gb_cuda_free(cs->p, cs->pbytes);
    gb_cuda_free(cs->i, cs->ibytes);
    gb_cuda_free(cs->x, cs->xbytes);
    gb_cuda_free(cs->bits, cs->bits_bytes);
    cs->p = NULL;
    cs->i = NULL;
    cs->x = NULL;
    cs->bits = NULL;
    *cs->at = cs->next;
    if (cs->next != NULL) cs->next->at = cs->at;
}

static uint64_t bytes_of(const gb_DeviceCs *cs) {
    const uint64_t tiles = cs->tiles.bytes + cs->tiles.columns_bytes;
    return cs->pbytes + cs->ibytes + cs->xbytes + cs->bits_bytes + tiles;
}

uint64_t gb_copies_idle_bytes(void) {
    uint64_t sum = 0;
    for (const gb_DeviceCs *cs = gb_cuda.copies; cs != NULL; cs = cs->next)
        if (cs->pins == 0) sum += bytes_of(cs);
    return sum;
}

/* Copies that need no download are evicted first. */
static bool goes_before(const gb_DeviceCs *cs, const gb_DeviceCs *other) {
    return cs->only != other->only ? other->only : cs->used < other->used;
}

static gbl_Info move_to_host(gb_Job *job, gb_DeviceCs *cs) {
    return cs->bits != NULL ? gb_job_download_dense(job, cs, &cs->dense_on_host)
                            : gb_job_download_cs(job, cs, &cs->on_host);
}

/* From the host again. */
static void upload_again(gb_Job *job, gb_DeviceCs *cs) {
    if (cs->dense_on_host.x != NULL) {
        const gb_Dense *host = &cs->dense_on_host;
        const gb_DenseView values = {host->n, host->nvals, host->b, host->x, cs->xsize, false};
        gb_job_upload_dense(job, cs, &values);
        if (job->info == GBL_SUCCESS) gb_dense_free(&cs->dense_on_host);
    } else {
        const gb_CsView rows = gb_cs_view(&cs->on_host, cs->nminor, cs->xsize);
        gb_job_upload_cs(job, cs, &rows);
        if (job->info == GBL_SUCCESS) gb_cs_free(&cs->on_host);
    }
}

bool gb_copies_drop_one(gb_Job *job) {
    gb_DeviceCs *oldest = NULL;
    for (gb_DeviceCs *cs = gb_cuda.copies; cs != NULL; cs = cs->next)
        if (cs->pins == 0 && (oldest == NULL || goes_before(cs, oldest))) oldest = cs;
    if (oldest == NULL) return false;
    if (oldest->only && move_to_host(job, oldest) != GBL_SUCCESS) return false;
    drop_arrays(oldest);
    return true;
}

void gb_copies_forget(void) {
    while (gb_cuda.copies != NULL) drop_arrays(gb_cuda.copies);
}

gbl_Info gb_copies_lost(void) {
    return gb_fail(GBL_PANIC,
                   "the content of a product was left on the GPU, which has been closed since");
}

gbl_Info gb_cuda_pin(gb_DeviceCs *cs) {
    gb_Job job;
    gb_job_begin(&job);
    if (gb_copies_has(cs)) {
        cs->pins++;
        cs->used = ++gb_cuda.clock;
    } else if (cs->on_host.p != NULL || cs->dense_on_host.x != NULL) {
        upload_again(&job, cs);
    } else {
        gb_job_fail(&job, cs->only ? gb_copies_lost() : GBL_NO_VALUE);
    }
    return gb_job_end(&job);
}

void gb_cuda_unpin(gb_DeviceCs *cs) {
    pthread_mutex_lock(&gb_cuda_lock);
    if (cs->pins > 0) cs->pins--;
    pthread_mutex_unlock(&gb_cuda_lock);
}

void gb_cuda_release(gb_DeviceCs *cs) {
    if (cs == NULL) return;
    pthread_mutex_lock(&gb_cuda_lock);
    if (gb_cuda.stream != NULL) cudaSetDevice(gb_cuda.device); /* a setting per thread */
    if (gb_copies_has(cs)) drop_arrays(cs);
    gb_cs_free(&cs->on_host);
    gb_dense_free(&cs->dense_on_host);
    gb_free(cs, sizeof *cs);
    pthread_mutex_unlock(&gb_cuda_lock);
}
