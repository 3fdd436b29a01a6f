/* SPDX-License-Identifier: Apache-2.0
 *
 * Rounding of factors; see spamm.h. Integer arithmetic only, so that all instruction sets give the
 * same bits (AVX-512's conversion to BF16 flushes subnormals); bound by memory bandwidth.
 *
 * The error: A B - A' B' = (A - A') B + A' (B - B'), and ||X Y|| <= ||X|| ||Y||.
 */
#include "mxm/methods/spamm.h"

/* -- one value --------------------------------------------------------------------------------- */

static uint32_t bits_of(float x) {
    uint32_t bits;
    memcpy(&bits, &x, sizeof bits);
    return bits;
}
static float of_bits(uint32_t bits) {
    float x;
    memcpy(&x, &bits, sizeof x);
    return x;
}

/* Without its last `drop` bits; NaN stays NaN. */
static uint32_t round_bits(uint32_t bits, unsigned drop) {
    const uint32_t half = (1u << (drop - 1)) - 1u + (bits >> drop & 1u);
    if ((bits & 0x7fffffffu) > 0x7f800000u) return (bits | 0x00400000u) >> drop << drop;
    return (bits + half) >> drop << drop;
}

/* Of FP16: 10 bits after the first, 2^-24 the least, below 65520. */
static float round_fp16(float x) {
    const uint32_t bits = bits_of(x), size = bits & 0x7fffffffu, sign = bits & 0x80000000u;
    if (size >= 0x477ff000u && size <= 0x7f800000u) return of_bits(sign | 0x7f800000u);
    if (size >= 0x38800000u) return of_bits(round_bits(bits, 13));
    const float magic = 0.75f; /* whose last bit is 2^-24: adding it rounds */
    return of_bits(sign | bits_of((of_bits(size) + magic) - magic));
}

/* 16 bits of a value that is rounded. */
static uint16_t pack_one(float x, gb_SpammValues values) {
    const uint32_t bits = bits_of(x), size = bits & 0x7fffffffu, sign = bits >> 16 & 0x8000u;
    if (values == GB_SPAMM_BF16) return (uint16_t)(bits >> 16);
    if (size >= 0x7f800000u) return (uint16_t)(sign | 0x7c00u | (size >> 13 & 0x3ffu));
    if (size >= 0x38800000u) return (uint16_t)(sign | ((size - 0x38000000u) >> 13));
    return (uint16_t)(sign | (uint32_t)(of_bits(size) * 0x1p24f));
}

/* -- a factor ---------------------------------------------------------------------------------- */

/* Sums of squares: of values, of rounded ones, of their differences. */
typedef struct {
    double before, after, lost;
} Squares;

typedef struct {
    const float *from;
    void *to;
    uint64_t n, each;
    gb_SpammValues values;
    bool pack;
    Squares *part;
} RoundJob;

static double square_of(double x) {
    return isfinite(x) ? x * x : HUGE_VAL;
}

static void round_part(void *context, uint64_t part) {
    const RoundJob *job = context;
    const uint64_t first = part * job->each;
    const uint64_t end = job->n - first < job->each ? job->n : first + job->each;
    Squares sum = {0.0, 0.0, 0.0};
    for (uint64_t k = first; k < end; k++) {
        const float x = job->from[k];
        const float y =
            job->values == GB_SPAMM_FP16
                ? round_fp16(x)
                : of_bits(round_bits(bits_of(x), job->values == GB_SPAMM_BF16 ? 16 : 13));
        if (job->pack)
            ((uint16_t *)job->to)[k] = pack_one(y, job->values);
        else
            ((float *)job->to)[k] = y;
        sum.before += square_of(x);
        sum.after += square_of(y);
        sum.lost += bits_of(x) == bits_of(y) ? 0.0 : square_of((double)x - (double)y);
    }
    job->part[part] = sum;
}

/* Parts do not depend on threads, nor does the order in which they are summed. `times`: one value
 * stands for so many. */
static gbl_Info round_values(RoundJob *job, double times, int nthreads, Squares *norms) {
    const uint64_t parts = job->n / job->each + (job->n % job->each != 0);
    Squares sum = {0.0, 0.0, 0.0};
    job->part = gb_malloc(parts * sizeof *job->part);
    if (job->part == NULL && parts > 0) return gb_fail_memory(parts * sizeof *job->part);
    gb_parallel_for(nthreads, parts, round_part, job);
    for (uint64_t k = 0; k < parts; k++) {
        sum.before += job->part[k].before;
        sum.after += job->part[k].after;
        sum.lost += job->part[k].lost;
    }
    gb_free(job->part, parts * sizeof *job->part);
    *norms = (Squares){sqrt(sum.before * times), sqrt(sum.after * times), sqrt(sum.lost * times)};
    return GBL_SUCCESS;
}

static gbl_Info round_factor(gb_SpammRounded *to, int which, bool pack, const gb_MxmRun *run,
                             Squares *norms) {
    gb_Factor *F = which == 0 ? &to->A : &to->B;
    const bool full = gb_spamm_is_full(F);
    const uint64_t nvals = full ? F->taken.view.nvals : F->tiles.view.nvals;
    const bool iso = full ? F->taken.view.iso : F->tiles.view.iso;
    const void **x = full ? &F->taken.view.x : &F->tiles.view.x;
    RoundJob job = {.from = *x,
                    .n = iso && nvals > 0 ? 1 : nvals,
                    .each = GB_SPAMM_ROUND,
                    .values = to->values,
                    .pack = pack};
    size_t *bytes = &to->own[which].bytes;
    *bytes = (size_t)job.n * (pack ? sizeof(uint16_t) : sizeof(float)); /* values are floats */
    const double held = run->f->memory.held + to->bytes + (double)*bytes;
    if (run->budget->limited && held > run->f->budget) {
        *bytes = 0;
        return gb_fail_limit(held + 1.0, run->f->budget);
    }
    job.to = to->own[which].x = gb_malloc(*bytes);
    if (job.to == NULL && *bytes > 0) return gb_fail_memory(*bytes);
    const int nthreads = gb_threads_for(job.n, GB_GRAIN, run->budget->cut.threads);
    *x = job.to;
    to->bytes += (double)*bytes;
    return round_values(&job, iso ? (double)nvals : 1.0, nthreads, norms);
}

/* -- both -------------------------------------------------------------------------------------- */

static double product_of(double x, double y) {
    return x == 0.0 || y == 0.0 ? 0.0 : x * y; /* nothing times what is infinite is nothing */
}

/* Arrays may be lent to two matrices, and of one more may belong to it. */
static bool are_the_same(const gb_MxmRun *run) {
    const gb_CsView *a = &run->in->A.taken.view, *b = &run->in->B.taken.view;
    const gb_TileView *s = &run->in->A.tiles.view, *t = &run->in->B.tiles.view;
    return a->x == b->x && a->nvals == b->nvals && a->iso == b->iso && s->x == t->x &&
           s->nvals == t->nvals && s->iso == t->iso;
}

static gbl_Info round_both(gb_SpammRounded *to, const gb_MxmRun *run, bool pack) {
    const bool same = are_the_same(run);
    Squares a, b;
    gbl_Info info = round_factor(to, 0, pack, run, &a);
    b = a;
    if (info == GBL_SUCCESS && !same) info = round_factor(to, 1, pack, run, &b);
    if (info != GBL_SUCCESS) return info;
    if (same) {
        to->B.taken.view.x = to->A.taken.view.x;
        to->B.tiles.view.x = to->A.tiles.view.x;
    }
    to->error = product_of(a.lost, b.before) + product_of(a.after, b.lost);
    to->error *= 1.0 + GB_SPAMM_ROUNDING;
    const gb_Choices *choices = &run->call->choices;
    if (choices->approximates == GBL_ERROR_BOUND && !(to->error <= choices->approximate))
        return gb_fail(GBL_INVALID_VALUE,
                       "rounding the factors to %s may err by %.6g, and GBL_ERROR_BOUND is %.6g; "
                       "allow more, or round less",
                       gb_spamm_rounding_name(choices->rounding), to->error, choices->approximate);
    return GBL_SUCCESS;
}

gbl_Info gb_spamm_round(gb_SpammRounded *to, const gb_MxmRun *run, bool for_device) {
    const gbl_Desc_Value rounding = run->call->choices.rounding;
    const bool single = run->call->ring->kernel == GB_RING_PLUS_TIMES_FP32;
    *to = (gb_SpammRounded){.A = run->in->A,
                            .B = run->in->B,
                            .values = single ? GB_SPAMM_FP32 : GB_SPAMM_FP64,
                            .rounded = rounding != GBL_DEFAULT};
    if (!to->rounded) return GBL_SUCCESS;
    to->values = rounding == GBL_ROUND_FP16   ? GB_SPAMM_FP16
                 : rounding == GBL_ROUND_BF16 ? GB_SPAMM_BF16
                                              : GB_SPAMM_TF32;
    const gbl_Info info = round_both(to, run, for_device && to->values != GB_SPAMM_TF32);
    if (info != GBL_SUCCESS) gb_spamm_round_free(to);
    return info;
}

void gb_spamm_round_free(gb_SpammRounded *rounded) {
    for (int k = 0; k < 2; k++) gb_free(rounded->own[k].x, rounded->own[k].bytes);
    *rounded = (gb_SpammRounded){.values = rounded->values};
}

gb_Choices gb_spamm_choices(const gb_SpammRounded *rounded, const gb_MxmRun *run) {
    gb_Choices choices = run->call->choices;
    if (choices.approximates == GBL_ERROR_BOUND &&
        rounded->error > 0.0) /* and their sum is no more */
        choices.approximate = (choices.approximate - rounded->error) * (1.0 - 0x1p-50);
    return choices;
}

const char *gb_spamm_rounding_name(int rounding) {
    return rounding == GBL_ROUND_FP16   ? "fp16"
           : rounding == GBL_ROUND_BF16 ? "bf16"
           : rounding == GBL_ROUND_TF32 ? "tf32"
                                        : NULL;
}
