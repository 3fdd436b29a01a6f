/* SPDX-License-Identifier: Apache-2.0
 *
 * Puts rows into classes: each into the one that takes the fewest resources, holds it and has
 * enough threads for its products. At the same level dense comes before hash, since it is faster
 * and its rows come out sorted; but the largest dense level does not come before the hybrid
 * accumulator for rows wider than its window.
 */
#include "cuda/rowwise/classes.cuh"

#include "cuda/prim/scan.cuh"

enum { THREADS = 256 };

/* -1: short; GB_CUDA_LEVELS: no level is large enough. */
static __device__ int hash_level(double slots, unsigned value_bytes) {
    if (slots <= gb_hash_slots(gb_short_bytes(), value_bytes)) return -1;
    int level = 0;
    while (level < GB_CUDA_LEVELS && slots > gb_hash_slots(gb_level_bytes(level), value_bytes))
        level++;
    return level;
}

static __device__ int dense_level(gb_Idx width, unsigned value_bytes) {
    if (width <= gb_window_columns(gb_short_bytes(), value_bytes)) return -1;
    int level = 0;
    while (level < GB_CUDA_LEVELS && width > gb_window_columns(gb_level_bytes(level), value_bytes))
        level++;
    return level;
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

/* The level that has room, or that of the work, where it has room too. */
static __device__ int level_for(int room, int work) {
    return room < work ? work : room;
}

static __device__ int dense_class(int level) {
    return level < 0 ? GB_CLASS_DENSE_SHORT : GB_CLASS_DENSE + level;
}

static __device__ int class_of(const gb_ClassRules &rules, uint64_t products, gb_Idx width,
                               uint64_t size) {
    if (rules.esc && width < GB_ESC_WIDTH && products <= GB_ESC_ITEMS * GB_WARP)
        return products <= GB_ESC_ITEMS * GB_WARP / 2 ? GB_CLASS_ESC_4 : GB_CLASS_ESC_2;
    const double slots = (double)size * rules.table_factor;
    const int work = work_level(products);
    const int hash =
        rules.hash ? level_for(hash_level(slots, rules.value_bytes), work) : GB_CUDA_LEVELS;
    const int dense = level_for(dense_level(width, rules.value_bytes), work);
    if (rules.dense && dense < GB_CUDA_LEVELS && dense <= hash) return dense_class(dense);
    if (hash < GB_CUDA_LEVELS) return hash < 0 ? GB_CLASS_HASH_SHORT : GB_CLASS_HASH + hash;
    if (rules.hybrid && rules.value_bytes > 0 && slots <= gb_hash_slots(GB_CUDA_SHARED, 0))
        return GB_CLASS_HYBRID;
    return dense < GB_CUDA_LEVELS ? dense_class(dense) : GB_CLASS_DENSE_LONG;
}

struct gb_Classified {
    uint8_t *row_class; /* [m] */
    uint64_t *capacity; /* [m] */
    unsigned *counts;   /* [GB_CLASSES] rows of each */
};

struct gb_ClassPlaces {
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
    for (uint64_t i = (uint64_t)blockIdx.x * blockDim.x + threadIdx.x; i < F.m;
         i += (uint64_t)gridDim.x * blockDim.x) {
        const uint64_t most = gb_upper_bound(F, facts, i);
        const uint64_t expected = size != NULL && size[i] < most ? size[i] : most;
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

/* Blocks take places in each class for their rows, so that neighbours stay near. begin[GB_CLASSES +
 * 1] from the counts; next[GB_CLASSES]: places taken. */
__global__ void gb_order_rows(const uint8_t *row_class, uint64_t m, gb_ClassPlaces places) {
    GB_SHARED_ARRAY(unsigned, mine, GB_CLASSES);
    GB_SHARED_ARRAY(unsigned, start, GB_CLASSES);
    GB_SHARED_ARRAY(unsigned, begin, GB_CLASSES + 1);
    if (threadIdx.x == 0) {
        unsigned sum = 0;
        for (int c = 0; c < GB_CLASSES; c++) {
            begin[c] = sum;
            sum += places.counts[c];
        }
        begin[GB_CLASSES] = sum;
    }
    __syncthreads();
    if (blockIdx.x == 0 && threadIdx.x <= GB_CLASSES)
        places.begin[threadIdx.x] = begin[threadIdx.x];
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
            start[threadIdx.x] = begin[threadIdx.x] + atomicAdd(&places.next[threadIdx.x], n);
        }
        __syncthreads();
        if (i < m) places.order[start[row_class[i]] + place] = (gb_Idx)i;
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
    GB_START(job, gb_order_rows, grid, THREADS, 0, row_class, F.m,
             (gb_ClassPlaces{counts, classes->device_begin, counts + GB_CLASSES, classes->order}));
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
    gb_job_drop(job, classes->device_begin);
}

void gb_classes_drop(gb_Job *job, gb_Classes *classes) {
    gb_job_drop(job, classes->order);
    gb_job_drop(job, classes->capacity);
}
