/* SPDX-License-Identifier: Apache-2.0
 *
 * Puts each row into the class that takes the fewest resources, holds it and has enough threads for
 * its products. At the same level dense comes before hash: it is faster. Rows that no table and no
 * window of values hold are bitmaps.
 *
 * The symbolic pass counts the entries of every row by the accumulators without values. Tables are
 * sized by the upper bound or, where rows were sampled, by products / compression (the paper's
 * assisted pass); rows that do not fit are counted again, window after window.
 */
#include "cuda/rowwise/kernels.cuh"

enum { THREADS = 256 };

/* The least level from `work` on with n <= capacity(bytes); -1: a short row; GB_CUDA_LEVELS: none.
 * Counts have levels 1, 3 and 4 only, since they launch all that there are. */
template <class Capacity>
static __device__ int fitting_level(double n, int work, bool counts, Capacity capacity) {
    int level = -1;
    if (n > capacity(gb_short_bytes()))
        for (level = 0; level < GB_CUDA_LEVELS && n > capacity(gb_level_bytes(level));) level++;
    if (level < work) level = work;
    return level + (counts && level >= 0 && level < GB_CUDA_LEVELS - 1 && level % 2 == 0);
}

/* The level whose teams have no more than GB_CUDA_SHARE products a thread: a row of few columns and
 * very many products would hold a warp long after all other rows are done. -1: a warp has. */
static __device__ int work_level(uint64_t products) {
    if (products <= (uint64_t)GB_CUDA_SHARE * GB_WARP) return -1;
    int level = 0;
    while (level < GB_CUDA_LEVELS - 1 &&
           products > (uint64_t)GB_CUDA_SHARE * gb_level_threads(level))
        level++;
    return level;
}

static __device__ int dense_class(int level) {
    return level < 0 ? GB_CLASS_DENSE_SHORT : GB_CLASS_DENSE + level;
}

static __device__ int class_of(const gb_ClassRules &rules, uint64_t products, gb_Idx width,
                               uint64_t size) {
    if (rules.esc && width < GB_ESC_WIDTH && products <= GB_ESC_ITEMS * GB_WARP)
        return products <= GB_ESC_ITEMS * GB_WARP / 2 ? GB_CLASS_ESC_4 : GB_CLASS_ESC_2;
    const double slots = (double)size * rules.table_factor;
    const auto hash_slots = [&](unsigned bytes) { return gb_hash_slots(bytes, rules.value_bytes); };
    const auto columns = [&](unsigned b) { return gb_window_columns(b, rules.value_bytes); };
    const int work = work_level(products), none = GB_CUDA_LEVELS;
    const bool counts = rules.value_bytes == 0;
    const int hash = rules.hash ? fitting_level(slots, work, counts, hash_slots) : none;
    const int dense = fitting_level(width, work, counts, columns);
    if (rules.dense && dense < GB_CUDA_LEVELS && dense <= hash) return dense_class(dense);
    if (hash < GB_CUDA_LEVELS) return hash < 0 ? GB_CLASS_HASH_SHORT : GB_CLASS_HASH + hash;
    if (dense < GB_CUDA_LEVELS) return dense_class(dense);
    const unsigned words = gb_bitmap_words(GB_CUDA_SHARED, rules.value_bytes > 0 ? 2 : 1);
    return width <= words * 32 ? GB_CLASS_BITMAP : GB_CLASS_BITMAP_LONG;
}

struct gb_Classified {
    uint8_t *row_class; /* [m] */
    uint64_t *capacity; /* [m] */
    unsigned *counts;   /* [GB_CLASSES] rows of each */
};

struct gb_ClassPositions {
    const unsigned *counts; /* [GB_CLASSES] */
    uint64_t *begin;        /* [GB_CLASSES + 1] */
    unsigned *next;         /* [GB_CLASSES] */
    gb_Idx *order;          /* [m] */
};

/* Of every row its class and capacity; of every class the number of rows. */
__global__ void gb_classify(gb_Factors F, gb_RowFacts facts, const uint64_t *size,
                            gb_ClassRules rules, gb_Classified out) {
    GB_SHARED_ARRAY(unsigned, mine, GB_CLASSES);
    if (threadIdx.x < GB_CLASSES) mine[threadIdx.x] = 0u;
    __syncthreads();
    GB_EACH_THREAD(i, F.m) {
        const uint64_t most = gb_upper_bound(F, facts, i);
        uint64_t expected = size != NULL ? size[i] : most;
        if (rules.compression > 1.0)
            expected = (uint64_t)ceil((double)facts.products[i] / rules.compression);
        if (expected > most) expected = most;
        int found = GB_CLASS_EMPTY;
        if (most > 0) found = class_of(rules, facts.products[i], facts.width[i], expected);
        const double wanted = ceil((double)expected * rules.capacity_factor);
        out.row_class[i] = (uint8_t)found;
        out.capacity[i] =
            rules.capacity_factor > 0.0 && wanted < (double)most ? (uint64_t)wanted : most;
        atomicAdd(&mine[found], 1u);
    }
    __syncthreads();
    if (threadIdx.x >= GB_CLASSES) return;
    const unsigned n = mine[threadIdx.x];
    if (n > 0) atomicAdd(&out.counts[threadIdx.x], n);
}

/* Blocks reserve positions in each class for their rows, so that neighbours stay near.
 * begin[GB_CLASSES + 1] from the counts; next[GB_CLASSES]: positions taken. */
__global__ void gb_order_rows(const uint8_t *row_class, uint64_t m, gb_ClassPositions positions) {
    GB_SHARED_ARRAY(unsigned, mine, GB_CLASSES);
    GB_SHARED_ARRAY(unsigned, start, GB_CLASSES);
    GB_SHARED_ARRAY(unsigned, begin, GB_CLASSES + 1);
    if (threadIdx.x == 0) {
        unsigned sum = 0;
        for (int c = 0; c < GB_CLASSES; c++) {
            begin[c] = sum;
            sum += positions.counts[c];
        }
        begin[GB_CLASSES] = sum;
    }
    __syncthreads();
    if (blockIdx.x == 0 && threadIdx.x <= GB_CLASSES)
        positions.begin[threadIdx.x] = begin[threadIdx.x];
    for (uint64_t base = (uint64_t)blockIdx.x * blockDim.x; base < m;
         base += (uint64_t)gridDim.x * blockDim.x) {
        const uint64_t i = base + threadIdx.x;
        unsigned place = 0;
        if (threadIdx.x < GB_CLASSES) mine[threadIdx.x] = 0u;
        __syncthreads();
        if (i < m) place = atomicAdd(&mine[row_class[i]], 1u);
        __syncthreads();
        if (threadIdx.x < GB_CLASSES) {
            const unsigned n = mine[threadIdx.x];
            start[threadIdx.x] = begin[threadIdx.x] + atomicAdd(&positions.next[threadIdx.x], n);
        }
        __syncthreads();
        if (i < m) positions.order[start[row_class[i]] + place] = (gb_Idx)i;
        __syncthreads();
    }
}

void gb_classes_make(gb_Job *job, gb_Classes *classes, const gb_Factors &F,
                     const gb_RowFacts &facts, const uint64_t *size, const gb_ClassRules &rules) {
    const unsigned grid = gb_grid(F.m, THREADS);
    memset(classes, 0, sizeof *classes);
    uint8_t *row_class = gb_job_scratch<uint8_t>(job, F.m);
    unsigned *counts = gb_job_zeros<unsigned>(job, 2 * GB_CLASSES);
    classes->m = F.m;
    classes->device_begin = gb_job_scratch<uint64_t>(job, GB_CLASSES + 1);
    classes->order = gb_job_scratch<gb_Idx>(job, F.m);
    classes->capacity = rules.keeps_capacity ? gb_job_new<uint64_t>(job, F.m + 1)
                                             : gb_job_scratch<uint64_t>(job, F.m + 1);
    GB_START(job, gb_classify, grid, THREADS, 0, F, facts, size, rules,
             (gb_Classified{row_class, classes->capacity, counts}));
    GB_START(
        job, gb_order_rows, grid, THREADS, 0, row_class, F.m,
        (gb_ClassPositions{counts, classes->device_begin, counts + GB_CLASSES, classes->order}));
    gb_device_scan(job, classes->capacity, classes->capacity, F.m);
    gb_job_drop(job, row_class);
    gb_job_drop(job, counts);
}

void gb_classes_read(gb_Job *job, gb_Classes *classes, const gb_Reading *also) {
    const gb_Reading list[] = {
        {classes->begin, classes->device_begin, sizeof classes->begin},
        {&classes->entries, classes->capacity + classes->m, sizeof classes->entries},
        also != NULL ? *also : gb_Reading{NULL, NULL, 0}};
    gb_job_read_all(job, list, also != NULL ? 3 : 2);
}

/* -- the symbolic pass */

/* Rows of one size, of which only the device knows how many there are: as many blocks as work side
 * by side. */
template <bool SHORT>
static void count_level(gb_Job *job, const gb_RowsCall &c, int hash, int dense, int level) {
    enum { TEAMS = gb_TeamOf<SHORT>::TEAMS };
    const gb_Classes *classes = c.classes;
    const unsigned all = gb_level_bytes(level);
    const unsigned threads = SHORT ? TEAMS * GB_WARP : gb_level_threads(level);
    const unsigned side = (unsigned)job->multiprocessors * (2 * GB_CUDA_THREADS / threads);
    const unsigned blocks = gb_grid(classes->m, TEAMS);
    const auto list = [&](int row_class) {
        return gb_ClassRows{classes->order, classes->m, classes->device_begin + row_class};
    };
    gb_job_allow_kernel(job, gb_count_level<SHORT>, SHORT ? 0 : GB_CUDA_SHARED);
    gb_job_next_lane(job);
    GB_START(job, gb_count_level<SHORT>, blocks < side ? blocks : side, threads, all, c.F, c.facts,
             list(hash), list(dense), c.out, all / TEAMS);
}

void gb_count_rows(gb_Job *job, const gb_Factors &F, const gb_RowFacts &facts,
                   const gb_ClassRules &rules, uint64_t *size) {
    gb_ClassRules counting = rules;
    gb_Classes classes;
    counting.value_bytes = 0;
    counting.esc = counting.keeps_capacity = false;
    gb_classes_make(job, &classes, F, facts, NULL, counting);
    gb_Idx *overflowed = gb_job_scratch<gb_Idx>(job, F.m);
    uint64_t *overflow = gb_job_zeros<uint64_t>(job, 2);
    gb_job_zero(job, size, F.m * sizeof *size);
    const gb_RowsOut out = {NULL, NULL, NULL, size, false, overflowed, overflow};
    const gb_RowsCall call = {F, facts, &classes, out, true};
    gb_job_fork(job);
    gb_run_long<gb_NoRing>(
        job, call, gb_ClassRows{classes.order, F.m, classes.device_begin + GB_CLASS_BITMAP_LONG},
        GB_CUDA_SHARED);
    for (int level = GB_CUDA_LEVELS - 1; level >= 0; level -= 1 + level % 2)
        count_level<false>(job, call, GB_CLASS_HASH + level, GB_CLASS_DENSE + level, level);
    count_level<true>(job, call, GB_CLASS_HASH_SHORT, GB_CLASS_DENSE_SHORT, 0);
    gb_job_join(job);
    if (rules.compression > 1.0) { /* else tables hold all products, and none has overflowed */
        gb_job_fork(job);
        gb_run_long<gb_NoRing>(job, call, gb_ClassRows{overflowed, F.m, overflow}, GB_CUDA_SHARED);
        gb_job_join(job);
    }
    void *const used[] = {classes.device_begin, classes.order, classes.capacity, overflowed,
                          overflow};
    for (void *block : used) gb_job_drop(job, block);
}
