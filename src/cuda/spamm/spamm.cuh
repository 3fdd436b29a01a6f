/* SPDX-License-Identifier: Apache-2.0
 *
 * The approximate product on GPUs (cuSpAMM): what its driver (spamm.cu), devices (sites.cu) and
 * kernels (norms.cu, product.cu) share.
 *
 * A site is a device that computes some rows of C's sub-matrices. It has those rows of A and all of
 * B, row-major, padded with zeros to whole sub-matrices. The main site is the job's device; its
 * peers have streams and a pool of their own until the device is closed.
 */
#ifndef GB_CUDA_SPAMM_CUH
#define GB_CUDA_SPAMM_CUH

#include "cuda/device/job.cuh"

/* A sub-matrix of C, of `row` of the site's and `column`: its first value is C[at], and a row of C
 * is `pitch` values below the one above. */
struct gb_SpammItem {
    uint64_t at;
    uint32_t pitch, row, column;
};

struct gb_Site {
    int device;
    cudaStream_t works, moves; /* kernels; copies to the device, which run ahead */
    cudaEvent_t moved[2];      /* the last copy through each pinned buffer is done */
    cudaEvent_t sent;          /* all copies begun so far have arrived */
    cudaMemPool_t pool;        /* of a peer */
    /* of one product */
    uint64_t row, rows; /* of sub-matrices of A and of C */
    void *A, *B, *C;
    double *anorm, *bnorm; /* [rows][inner], [inner][columns] */
    uint32_t *counts;      /* [rows][columns] products that are computed (the paper's V) */
    gb_SpammItem *items;
    void *block[8]; /* what a peer frees at the end */
    unsigned nblocks;
};

enum { GB_SITES_MOST = 16 };
struct gb_Sites {
    gb_Job *job;
    gb_Site *at[GB_SITES_MOST];
    unsigned n, turn; /* turn: of pinned buffers */
    gb_Site main;
};

/* -- spamm/sites.cu */
/* The sites over which `rows` rows of sub-matrices are divided; always pair with gb_sites_close,
 * which waits for all that was begun on them. */
void gb_sites_open(gb_Sites *sites, gb_Job *job, uint64_t rows);
void gb_sites_close(gb_Sites *sites);
/* The job's further steps run on this site. */
void gb_site_use(gb_Sites *sites, gb_Site *site);
/* Like gb_job_bytes, on the site; may be used once gb_sites_wait has returned. */
void *gb_site_bytes(gb_Sites *sites, gb_Site *site, uint64_t count, size_t size);
template <class T> T *gb_site_new(gb_Sites *sites, gb_Site *site, uint64_t count) {
    return static_cast<T *>(gb_site_bytes(sites, site, count, sizeof(T)));
}
void gb_sites_wait(gb_Sites *sites);

/* Rows [row, end) of a factor, on their way to some sites, to their A or their B, whose rows have
 * `ld` values and whose first row is the factor's row number `first`. */
struct gb_SpammSending {
    const gb_DeviceFull *X;
    size_t size; /* of a value */
    uint64_t row, end, first, ld;
    bool is_a;
};
/* To `n` sites at once: packed once, then copied by each site's `moves`; its `works` waits. */
void gb_sites_send(gb_Sites *sites, gb_Site *const *to, unsigned n, const gb_SpammSending &what);

/* -- spamm/norms.cu; on the job's stream */
/* norm[row - ...][column] of rows [from, to) of the sub-matrices at x, of `columns` each. */
struct gb_SpammNormed {
    const void *x;
    double *norm;
    uint64_t from, to, columns;
};
void gb_spamm_norms(gb_Job *job, const gb_SpammNormed &what, gb_SpammValues values, unsigned side);

/* A product by the norms of its factors. */
struct gb_SpammMap {
    const double *anorm, *bnorm; /* [rows][inner], [inner][columns] */
    uint64_t rows, inner, columns;
    double tau;
};
/* outcome[2 k] = products that tau keeps of column k of A with row k of B, outcome[2 k + 1] = the
 * norm of the products of norms that it skips. */
void gb_spamm_try_tau(gb_Job *job, const gb_SpammMap &map, double *outcome);
/* counts[row][column] = products that tau keeps of each sub-matrix of C. */
void gb_spamm_count(gb_Job *job, const gb_SpammMap &map, uint32_t *counts);

/* -- spamm/product.cu */
struct gb_SpammProduct {
    gb_SpammMap map;
    const void *A, *B;
    void *C;
    const gb_SpammItem *item;
    uint64_t n;             /* items */
    uint64_t height, width; /* rows and columns of C */
};
void gb_spamm_multiply(gb_Job *job, const gb_SpammProduct &product, gb_SpammValues values,
                       unsigned side);

/* Never where a norm is infinite. */
GB_DEVICE bool gb_is_skipped(double a, double b, double tau) {
    return a * b < tau;
}

GB_HOST_DEVICE size_t gb_spamm_value_bytes(gb_SpammValues values) {
    return values == GB_SPAMM_FP64 ? 8 : values == GB_SPAMM_FP32 || values == GB_SPAMM_TF32 ? 4 : 2;
}

#endif
