/* SPDX-License-Identifier: Apache-2.0
 *
 * The symbolic pass: the entries of every row, by the accumulators without values. Tables are sized
 * by the upper bound, or, where rows were sampled, by products / compression (the paper's assisted
 * pass); rows that do not fit are counted again, window after window.
 */
#include "cuda/rowwise/rowwise.cuh"
#include "cuda/rowwise/kernels.cuh"

enum { THREADS = 256 };

__global__ void gb_expect_entries(gb_Factors F, gb_RowFacts facts, double compression,
                                  uint64_t *size) {
    for (uint64_t i = (uint64_t)blockIdx.x * blockDim.x + threadIdx.x; i < F.m;
         i += (uint64_t)gridDim.x * blockDim.x) {
        const uint64_t most = gb_upper_bound(F, facts, i);
        const double expected = ceil((double)facts.products[i] / compression);
        size[i] = expected < (double)most ? (uint64_t)expected : most;
    }
}

uint64_t gb_count_rows(gb_Job *job, const gb_Factors &F, const gb_RowFacts &facts,
                       double compression, const gb_ClassRules &rules, uint64_t *size) {
    gb_ClassRules counting = rules;
    gb_Classes classes;
    unsigned again = 0;
    counting.value_bytes = 0;
    counting.esc = false;
    GB_START(job, gb_expect_entries, gb_grid(F.m, THREADS), THREADS, 0, F, facts, compression,
             size);
    counting.keeps_capacity = false;
    gb_classes_make(job, &classes, F, facts, size, counting);
    gb_classes_read(job, &classes, NULL);
    gb_Idx *overflowed = gb_job_scratch<gb_Idx>(job, F.m);
    unsigned *noverflowed = gb_job_zeros<unsigned>(job, 1);
    gb_job_zero(job, size, F.m * sizeof *size);
    const gb_RowsOut out = {NULL, NULL, NULL, size, false, overflowed, noverflowed};
    const gb_RowsCall call = {F, facts, &classes, out, out, true};
    gb_run_counts(job, call);
    gb_job_read(job, &again, noverflowed, sizeof again);
    const gb_RowList list = {overflowed, again};
    if (again > 0) gb_run_long<gb_NoRing>(job, call, list, out);
    gb_classes_drop(job, &classes);
    gb_job_drop(job, overflowed);
    gb_job_drop(job, noverflowed);
    return again;
}
