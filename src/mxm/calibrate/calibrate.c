/* SPDX-License-Identifier: Apache-2.0
 *
 * A suite of synthetic products is multiplied by every method that has a chance, and conversions
 * are made; counts of what was done and the seconds it took go to the fit. See calibrate.h.
 *
 * On a GPU each shape is measured with growing matrices until a product takes long enough, since
 * its speed is unknown. Factors are uploaded first, which gives the time per byte; results stay
 * there.
 *
 * Memory: latency by a chain of dependent loads; bandwidth by sums over a block, each thread its
 * own part, since that is how products read.
 */
#include "mxm/calibrate/calibrate.h"

#include "core/clock.h"
#include "mxm/model/method.h"
#include "mxm/mxm.h"

/* -- memory ------------------------------------------------------------------------------------ */

enum { LINE = 8, STEPS = 1 << 20, ROUNDS = 3 }; /* words of a line; loads of a chain */

/* Visits every line once: a full period of a linear congruence modulo a power of two. */
static double walk(const uint64_t *word, uint64_t lines) {
    uint64_t at = 0;
    const double start = gb_seconds();
    for (uint64_t k = 0; k < STEPS; k++) at = word[at * LINE];
    const double seconds = gb_seconds() - start;
    return at < lines ? 1e9 * seconds / STEPS : 0.0; /* uses `at`, which is always a line */
}

typedef struct {
    const uint64_t *word;
    uint64_t sum; /* atomic */
} Reading;

static void read_range(void *context, uint64_t from, uint64_t to) {
    Reading *r = context;
    uint64_t sum = 0;
    for (uint64_t k = from; k < to; k++) sum += r->word[k];
    __atomic_add_fetch(&r->sum, sum, __ATOMIC_RELAXED);
}

static double read_all(const uint64_t *word, uint64_t words, int threads) {
    const double start = gb_seconds();
    gb_parallel_ranges(threads, words, read_range, &(Reading){.word = word});
    const double seconds = gb_seconds() - start;
    return (double)words * sizeof *word / (1e9 * seconds) / threads;
}

/* latency and bandwidth, with blocks of several times the third cache. */
static gbl_Info measure_memory(gb_MachineTable *machine) {
    const int threads = gb_nthreads();
    uint64_t lines = 1u << 20;
    while ((double)(lines * LINE * sizeof(uint64_t)) < 4.0 * machine->cache[2]) lines *= 2;
    const size_t bytes = lines * LINE * sizeof(uint64_t);
    uint64_t *word = gb_malloc(bytes);
    if (word == NULL) return gb_fail_memory(bytes);
    for (uint64_t l = 0; l < lines; l++)
        for (unsigned k = 0; k < LINE; k++)
            word[l * LINE + k] = (l * UINT64_C(0x5851F42D4C957F2D) + 1) & (lines - 1);
    machine->latency = machine->bandwidth = 0.0;
    for (int round = 0; round < ROUNDS; round++) {
        const double latency = walk(word, lines), speed = read_all(word, lines * LINE, threads);
        if (round == 0 || latency < machine->latency) machine->latency = latency;
        if (speed > machine->bandwidth) machine->bandwidth = speed;
    }
    gb_free(word, bytes);
    return GBL_SUCCESS;
}

/* A measurement is repeated until it has taken so long, but so often at least, after one that makes
 * conversions and fills the pool; all of it is done again later, since other programs may disturb
 * for seconds. */
#define GB_MEASURE_SECONDS 3e-3
enum { LEAST_ROUNDS = 3 };
/* What is expected to take longer is left out. */
#define GB_MEASURE_MOST 0.15
/* ... and tiles that have fewer entries. */
#define GB_FILL_LEAST 4.0
/* Other semirings and masks are measured on matrices with fewer entries. */
#define GB_OTHERS_MOST 300000u

/* A times B, A times A where B has no rows. */
typedef struct {
    gb_Synthetic A, B;
} gb_Input;

static const gb_Input inputs[] = {
    {{GB_UNIFORM, 16, 16, 3}, {0}},
    {{GB_UNIFORM, 128, 128, 4}, {0}},
    {{GB_UNIFORM, 1024, 1024, 4}, {0}},
    {{GB_UNIFORM, 4096, 4096, 4}, {0}},
    {{GB_UNIFORM, 4096, 4096, 16}, {0}},
    {{GB_UNIFORM, 16384, 16384, 2}, {0}},
    {{GB_UNIFORM, 16384, 16384, 5}, {0}},
    {{GB_UNIFORM, 16384, 16384, 12}, {0}},
    {{GB_UNIFORM, 16384, 16384, 28}, {0}},
    {{GB_UNIFORM, 65536, 65536, 3}, {0}},
    {{GB_UNIFORM, 65536, 65536, 7}, {0}},
    {{GB_UNIFORM, 65536, 65536, 14}, {0}},
    {{GB_UNIFORM, 262144, 262144, 2}, {0}},
    {{GB_UNIFORM, 262144, 262144, 5}, {0}},
    {{GB_UNIFORM, 1048576, 1048576, 2}, {0}},
    {{GB_UNIFORM, 1048576, 1048576, 3}, {0}},
    {{GB_UNIFORM, 65536, 65536, 1}, {0}},
    {{GB_UNIFORM, 2048, 65536, 24}, {GB_UNIFORM, 65536, 1048576, 24}},
    {{GB_UNIFORM, 512, 8192, 48}, {GB_UNIFORM, 8192, 2097152, 96}},
    {{GB_UNIFORM, 16384, 1024, 10}, {GB_UNIFORM, 1024, 1024, 10}},
    {{GB_UNIFORM, 65536, 2048, 4}, {GB_UNIFORM, 2048, 65536, 12}},
    {{GB_SKEWED, 1024, 1024, 6}, {0}},
    {{GB_SKEWED, 8192, 8192, 3}, {0}},
    {{GB_SKEWED, 16384, 16384, 5}, {0}},
    {{GB_SKEWED, 65536, 65536, 3}, {0}},
    {{GB_SKEWED, 65536, 65536, 5}, {0}},
    {{GB_BANDED, 800, 800, 1}, {0}},
    {{GB_BANDED, 30000, 30000, 1}, {0}},
    {{GB_BANDED, 20000, 20000, 3}, {0}},
    {{GB_BANDED, 150000, 150000, 2}, {0}},
    {{GB_BANDED, 40000, 40000, 7}, {0}},
    {{GB_BANDED, 12000, 12000, 24}, {0}},
    {{GB_BANDED, 3000, 3000, 120}, {0}},
    {{GB_BLOCKS, 900, 900, 1}, {0}},
    {{GB_BLOCKS, 90000, 90000, 1}, {0}},
    {{GB_BLOCKS, 20000, 20000, 2}, {0}},
    {{GB_BLOCKS, 30000, 30000, 3}, {0}},
    {{GB_BLOCKS, 2700, 2700, 3}, {0}},
    {{GB_BLOCKS, 20000, 20000, 5}, {0}},
    {{GB_BLOCKS, 10000, 10000, 8}, {0}},
    {{GB_BLOCKS, 4096, 4096, 16}, {0}},
    {{GB_UNIFORM, 65536, 65536, 6}, {GB_FILLED, 65536, 4, 0}},
    {{GB_UNIFORM, 32768, 32768, 12}, {GB_FILLED, 32768, 32, 0}},
    {{GB_SKEWED, 16384, 16384, 8}, {GB_FILLED, 16384, 100, 0}},
    {{GB_BANDED, 30000, 30000, 6}, {GB_FILLED, 30000, 16, 0}},
    {{GB_UNIFORM, 100000, 100000, 1}, {GB_FILLED, 100000, 2, 0}},
};
enum { INPUTS = sizeof inputs / sizeof inputs[0], PASSES = 2 };

typedef struct {
    gb_MachineTable *prior; /* rates that predict: the built-in ones; of a GPU, by its bandwidth */
    gb_Fit *fit;
    gb_Matrix *A, *B;
    const gb_Semiring *ring;
    gbl_Place place;
    bool masked; /* A * B' inside A's pattern, as triangles are counted */
} gb_Bench;

/* -- products ---------------------------------------------------------------------------------- */

static gb_MxmCall call_for(const gb_Bench *b, gb_Matrix *C, const gb_Method *m,
                           int32_t accumulators) {
    gb_MxmCall call = {.C = C, .ring = b->ring, .A = b->A, .B = b->B};
    if (m != NULL) call.choices.method = m->method;
    if (m != NULL) call.choices.workflow = m->workflow;
    call.choices.accumulators = accumulators;
    call.choices.place = b->place;
    if (b->masked) {
        call.mask = (gb_Mask){.M = b->A, .structural = true};
        call.transpose_b = true;
    }
    return call;
}

/* One product, up to sorted rows; on a device it stays there. */
static gbl_Info multiply(double *seconds, const gb_Bench *b, const gb_Method *m,
                         int32_t accumulators) {
    gb_Matrix *C = NULL;
    gb_CsView view;
    const double start = gb_seconds();
    gbl_Info info =
        gb_matrix_new(&C, GB_MAGIC_MATRIX, b->ring->add->op->ztype, b->A->nrows, b->B->ncols);
    if (info != GBL_SUCCESS) return info;
    const gb_MxmCall call = call_for(b, C, m, accumulators);
    info = gb_mxm(&call);
    if (info == GBL_SUCCESS && b->place == GBL_PLACE_CPU)
        info = gb_acquire_sorted(C, GB_CSR, &view);
    *seconds = gb_seconds() - start;
    gb_matrix_free(C);
    return info;
}

/* Bytes moved to and from the device so far. */
static double bytes_moved(void) {
    gb_DeviceFacts facts;
    gb_device()->facts(&facts);
    return (double)(facts.bytes_up + facts.bytes_down);
}

/* Measures one method, whose operands have its forms after the first round. Takes the minimum:
 * larger times include waits for other programs. */
static gbl_Info measure(const gb_Bench *b, const gb_Method *m, int32_t accumulators,
                        double *least) {
    const bool on_device = b->place == GBL_PLACE_GPU;
    double seconds = 0.0, sum = 0.0, before = 0.0;
    gb_Counts kernel, convert;
    gb_Features f;
    gb_CostCase s;
    gbl_Info info = multiply(&seconds, b, m, accumulators);
    *least = INFINITY;
    for (int n = 0; info == GBL_SUCCESS && (n < LEAST_ROUNDS || sum < GB_MEASURE_SECONDS); n++) {
        if (on_device) before = bytes_moved();
        info = multiply(&seconds, b, m, accumulators);
        *least = fmin(*least, seconds);
        sum += seconds;
    }
    const gb_MxmCall call = call_for(b, b->A, m, accumulators);
    const double moved = on_device ? bytes_moved() - before : 0.0;
    if (info == GBL_SUCCESS) info = gb_mxm_features(&f, &call);
    if (info != GBL_SUCCESS) return info;
    f.device_slower = 0.0; /* the prior rates are this GPU's already */
    gb_cost_case(&s, &f, b->prior);
    gb_price_counts(&kernel, &convert, m, &s);
    for (int r = 0; r < GB_RATES && !on_device; r++) kernel.n[r] += convert.n[r];
    kernel.n[GB_RATE_GPU_BYTE] = moved;
    gb_fit_add(b->fit, &kernel, *least);
    return GBL_SUCCESS;
}

/* Whether the method is worth measuring, by the rates known so far: nearly empty tiles take long,
 * and their time does not matter. */
static bool is_bearable(const gb_Bench *b, const gb_Features *f, const gb_Method *m) {
    gb_CostCase s;
    if (m->a == GB_AS_TILES && (f->A.fill < GB_FILL_LEAST || f->B.fill < GB_FILL_LEAST))
        return false;
    gb_cost_case(&s, f, b->prior);
    const gb_Budget budget = gb_budget(m, &s);
    return gb_price(&budget, m, &s).seconds < GB_MEASURE_MOST;
}

/* Every method that can learn from such products. */
static gbl_Info measure_methods(const gb_Bench *b, const gb_Features *f, unsigned lesson) {
    const int32_t kinds =
        lesson == GB_LEARN_HASHED ? GBL_ACCUMULATE_HASH | GBL_ACCUMULATE_ASSIST : 0;
    gbl_Info info = GBL_SUCCESS;
    double least;
    for (int k = 0; k < gb_nmethods && info == GBL_SUCCESS; k++) {
        const gb_Method *m = gb_methods[k];
        if ((m->learn & lesson) && (b->masked || is_bearable(b, f, m)))
            info = measure(b, m, kinds, &least);
    }
    return info;
}

/* -- conversions ------------------------------------------------------------------------------- */

typedef struct {
    gb_Rate entry, tile;
} gb_Conversion;

static void add_conversion(const gb_Bench *b, const gb_Conversion *rates, double tiles,
                           double seconds) {
    gb_Counts counts = {0};
    const double threads = (double)gb_nthreads();
    counts.n[rates->entry] = (double)b->A->nvals / threads;
    if (rates->tile != rates->entry) counts.n[rates->tile] = tiles / threads;
    gb_fit_add(b->fit, &counts, seconds);
}

/* A by columns, as tiles, and from these by rows again. */
static gbl_Info measure_conversions(const gb_Bench *b) {
    static const gb_Conversion rates[] = {{GB_RATE_CONVERT, GB_RATE_CONVERT},
                                          {GB_RATE_TILES_ENTRY, GB_RATE_TILES_TILE},
                                          {GB_RATE_ROWS_ENTRY, GB_RATE_ROWS_TILE}};
    gb_CsView view;
    gb_TileView tiles;
    double least[3] = {INFINITY, INFINITY, INFINITY};
    gbl_Info info = GBL_SUCCESS;
    for (int round = 0; round < LEAST_ROUNDS && info == GBL_SUCCESS; round++) {
        gb_matrix_keep_only(b->A, GBL_HAS_CSR);
        double at[4] = {gb_seconds()};
        info = gb_acquire(b->A, GB_CSC, &view);
        at[1] = gb_seconds();
        if (info == GBL_SUCCESS) info = gb_acquire_tiles(b->A, GB_CSR, &tiles);
        at[2] = gb_seconds();
        if (info == GBL_SUCCESS) gb_matrix_keep_only(b->A, GBL_HAS_TILE16);
        if (info == GBL_SUCCESS) info = gb_acquire(b->A, GB_CSR, &view);
        at[3] = gb_seconds();
        for (int k = 0; k < 3; k++) least[k] = fmin(least[k], at[k + 1] - at[k]);
    }
    for (int k = 0; k < 3 && info == GBL_SUCCESS; k++)
        add_conversion(b, &rates[k], (double)tiles.ntiles, least[k]);
    return info;
}

/* -- the suite --------------------------------------------------------------------------------- */

/* Other semirings, and masks, on the smaller inputs. */
static gbl_Info measure_others(gb_Bench *b, const gb_Features *f) {
    b->ring = GBL_PLUS_PAIR_SEMIRING_INT64;
    gbl_Info info = measure_methods(b, f, GB_LEARN_COUNTED);
    b->ring = GBL_PLUS_MIN_SEMIRING_FP64;
    if (info == GBL_SUCCESS && b->ring->kernel == GB_RING_GENERIC)
        info = measure_methods(b, f, GB_LEARN_GENERIC);
    b->ring = GBL_PLUS_PAIR_SEMIRING_INT64;
    b->masked = true;
    if (info == GBL_SUCCESS) info = measure_methods(b, f, GB_LEARN_MASKED);
    b->ring = GBL_PLUS_TIMES_SEMIRING_FP64;
    b->masked = false;
    return info;
}

static gbl_Info measure_input(gb_Bench *b, const gb_Input *input) {
    const bool square = input->B.nrows == 0;
    gb_Features f;
    gbl_Info info = gb_synthetic_new(&b->A, &input->A);
    b->B = b->A;
    if (info == GBL_SUCCESS && !square) info = gb_synthetic_new(&b->B, &input->B);
    if (info == GBL_SUCCESS) info = measure_conversions(b);
    if (info == GBL_SUCCESS) {
        const gb_MxmCall call = call_for(b, b->A, NULL, 0);
        info = gb_mxm_features(&f, &call);
    }
    const bool full = input->B.shape == GB_FILLED;
    if (info == GBL_SUCCESS) info = measure_methods(b, &f, full ? GB_LEARN_FULL : GB_LEARN_PLAIN);
    if (info == GBL_SUCCESS && !full) info = measure_methods(b, &f, GB_LEARN_HASHED);
    if (info == GBL_SUCCESS && square && f.A.nvals < GB_OTHERS_MOST) info = measure_others(b, &f);
    if (!square) gb_matrix_free(b->B);
    gb_matrix_free(b->A);
    b->A = b->B = NULL;
    return info;
}

gbl_Info gb_calibrate(gb_MachineTable *machine) {
    gb_MachineTable prior;
    gb_machine_builtin(&prior, gb_backend()->name);
    gb_Fit *fit = gb_malloc(sizeof *fit);
    if (fit == NULL) return gb_fail_memory(sizeof *fit);
    gb_Meter meter;
    gb_Bench bench = {
        .prior = &prior, .fit = fit, .ring = GBL_PLUS_TIMES_SEMIRING_FP64, .place = GBL_PLACE_CPU};
    gb_progress_begin(&meter, "calibrate", PASSES * INPUTS + 1);
    gbl_Info info = measure_memory(&prior);
    gb_fit_begin(fit, &prior);
    for (int k = 0; k < PASSES * INPUTS && info == GBL_SUCCESS; k++) {
        if (k % INPUTS == 0) gb_fit_again(fit);
        if (!gb_progress_add(&meter, 1)) break;
        info = measure_input(&bench, &inputs[k % INPUTS]);
    }
    if (info == GBL_SUCCESS) info = gb_progress_end(&meter);
    if (info == GBL_SUCCESS) {
        *machine = prior;
        gb_fit_solve(fit, machine->ns);
        machine->error = gb_fit_error(fit, machine->ns);
        machine->source = "calibrated";
    }
    gb_free(fit, sizeof *fit);
    return info;
}

/* -- a GPU ------------------------------------------------------------------------------------- */

/* Rows of the smallest matrix of a shape, how much more the next has, and of the largest. */
enum { FIRST_ROWS = 32, MORE_ROWS = 4, LAST_ROWS = 1 << 20 };

static const gb_Synthetic shapes[] = {
    {GB_UNIFORM, 0, 0, 4}, {GB_UNIFORM, 0, 0, 16}, {GB_SKEWED, 0, 0, 8},
    {GB_BANDED, 0, 0, 7},  {GB_BLOCKS, 0, 0, 3},   {GB_BLOCKS, 0, 0, 8},
};
enum { SHAPES = sizeof shapes / sizeof shapes[0] };

/* The first upload of the factor. */
static gbl_Info measure_transfer(const gb_Bench *b) {
    gb_DeviceCs *copy = NULL;
    gb_Counts counts = {0};
    const double before = bytes_moved(), start = gb_seconds();
    const gbl_Info info = gb_acquire_device(b->A, GB_CSR, true, &copy);
    const double seconds = gb_seconds() - start;
    if (info != GBL_SUCCESS) return info;
    gb_device()->unpin(copy);
    counts.n[GB_RATE_GPU_BYTE] = bytes_moved() - before;
    gb_fit_add(b->fit, &counts, seconds);
    return GBL_SUCCESS;
}

static gbl_Info measure_shape(gb_Bench *b, gb_Synthetic of, double most) {
    gbl_Info info = GBL_SUCCESS;
    bool grows = true;
    for (of.nrows = FIRST_ROWS; of.nrows <= LAST_ROWS && grows && info == GBL_SUCCESS;
         of.nrows *= MORE_ROWS) {
        double least;
        of.ncols = of.nrows;
        info = gb_synthetic_new(&b->A, &of);
        b->B = b->A;
        if (info == GBL_SUCCESS) info = measure_transfer(b);
        for (int k = 0; k < gb_nmethods && info == GBL_SUCCESS; k++) {
            if (!(gb_methods[k]->learn & GB_LEARN_DEVICE)) continue;
            info = measure(b, gb_methods[k], 0, &least);
            grows = grows && least < most;
        }
        gb_matrix_free(b->A);
    }
    return info;
}

/* All rates but those of calls and transfers scale with the bandwidth of its memory
 * (docs/cost_model.md). */
static void begin_device(gb_MachineTable *prior, const gb_DeviceFacts *facts) {
    const double slower = facts->bandwidth > 0.0 ? GB_DEVICE_BANDWIDTH / facts->bandwidth : 1.0;
    gb_machine_builtin(prior, gb_backend()->name);
    for (int r = GB_FIRST_DEVICE_RATE; r < GB_RATES; r++)
        if (r != GB_RATE_GPU_CALL && r != GB_RATE_GPU_BYTE) prior->ns[r] *= slower;
}

gbl_Info gb_calibrate_device(gb_DeviceRates *rates, double most) {
    gb_DeviceFacts facts;
    gb_MachineTable prior;
    gb_Meter meter;
    gbl_Info info = gb_device()->open();
    if (info != GBL_SUCCESS) return info;
    gb_device()->facts(&facts);
    gb_Fit *fit = gb_malloc(sizeof *fit);
    if (fit == NULL) return gb_fail_memory(sizeof *fit);
    gb_Bench bench = {
        .prior = &prior, .fit = fit, .ring = GBL_PLUS_TIMES_SEMIRING_FP64, .place = GBL_PLACE_GPU};
    begin_device(&prior, &facts);
    gb_fit_begin(fit, &prior);
    gb_progress_begin(&meter, "calibrate", SHAPES + 1);
    for (int k = 0; k < SHAPES && info == GBL_SUCCESS; k++) {
        if (!gb_progress_add(&meter, 1)) break;
        info = measure_shape(&bench, shapes[k], most);
    }
    if (info == GBL_SUCCESS) info = gb_progress_end(&meter);
    if (info == GBL_SUCCESS) {
        memset(rates, 0, sizeof *rates);
        memcpy(rates->name, facts.name, sizeof rates->name - 1);
        gb_fit_scale_prior(fit, &prior);
        gb_fit_solve(fit, rates->ns);
        rates->error = gb_fit_error(fit, rates->ns);
    }
    gb_free(fit, sizeof *fit);
    return info;
}
