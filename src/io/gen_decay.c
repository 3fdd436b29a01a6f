/* SPDX-License-Identifier: Apache-2.0
 *
 * Full matrices whose values decay away from the diagonal: decay:N:exp:L, decay:N:alg:L and
 * decay:N:paper, with :SEED behind if wanted. The value at distance d = |i - j| is L^d, 1 / (d^L +
 * 1) or 0.1 / (d^0.1 + 1); with a seed it is multiplied by a number between -1 and 1 that is a
 * function of seed, i and j. What would be subnormal is 0.
 */
#include "gen.h"
#include "number.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

enum { SIDE_MOST = 1 << 20 };

typedef struct {
    uint64_t n;
    enum { EXP, ALG, PAPER } kind;
    double lambda;
    bool random;
    uint64_t key;
    gbl_Type_Code code;
    const double *at; /* [n] value at each distance */
    gbl_Arrays *arrays;
} Decay;

bool gb_gen_is_decay(const char *text) {
    return strncmp(text, "decay:", 6) == 0;
}

static bool read_decay(Decay *to, const char *text) {
    static const char *const kinds[] = {":exp:", ":alg:", ":paper"};
    const char *p = text + strlen("decay");
    uint64_t seed = 0;
    *to = (Decay){.lambda = 0.1};
    if (!gb_gen_read_number(&p, (gb_Limits){1, SIDE_MOST}, &to->n)) return false;
    while (strncmp(p, kinds[to->kind], strlen(kinds[to->kind])) != 0)
        if (to->kind++ == PAPER) return false;
    p += strlen(kinds[to->kind]);
    if (to->kind != PAPER) {
        if (!gb_number_read(&p, &to->lambda)) return false;
        if (!(to->lambda > 0.0) || !isfinite(to->lambda)) return false;
        if (to->kind == EXP && to->lambda > 1.0) return false;
    }
    to->random = *p == ':';
    if (to->random && !gb_gen_read_number(&p, (gb_Limits){0, UINT64_MAX}, &seed)) return false;
    to->key = gb_gen_mix(seed * GB_GEN_STEP + 2);
    return *p == '\0';
}

static double value_at(const Decay *of, uint64_t distance) {
    const double d = (double)distance;
    if (of->kind == EXP) return pow(of->lambda, d);
    return (of->kind == ALG ? 1.0 : 0.1) / (pow(d, of->lambda) + 1.0);
}

static void fill_row(void *context, gbl_Index i) {
    const Decay *of = context;
    const double least = of->code == GBL_FP32_CODE ? (double)FLT_MIN : DBL_MIN;
    const uint64_t n = of->n;
    for (uint64_t j = 0; j < n; j++) {
        double x = of->at[j > i ? j - i : i - j];
        if (of->random) {
            const uint64_t place = i << 32 | j;
            const uint64_t random = gb_gen_mix(of->key + place * GB_GEN_STEP);
            x *= (double)(int64_t)random * 0x1p-63;
        }
        if (fabs(x) < least) x = 0.0;
        of->arrays->i[i * n + j] = (uint32_t)j;
        if (of->code == GBL_FP32_CODE) ((float *)of->arrays->x)[i * n + j] = (float)x;
        if (of->code == GBL_FP64_CODE) ((double *)of->arrays->x)[i * n + j] = x;
    }
    of->arrays->p[i + 1] = (i + 1) * n;
}

static gbl_Info make(Decay *of, const gb_Kind *kind, gbl_Arrays *arrays) {
    const uint64_t n = of->n, entries = n * n;
    double *at = NULL;
    arrays->iso = of->code == GBL_BOOL_CODE;
    gbl_Info info = gb_io_claim(entries * (kind->size + sizeof *arrays->i), "the decaying matrix");
    if (info != GBL_SUCCESS) return info;
    arrays->p = gb_io_alloc(n + 1, sizeof *arrays->p);
    arrays->i = gb_io_alloc(entries, sizeof *arrays->i);
    arrays->x = gb_io_alloc(arrays->iso ? 1 : entries, kind->size);
    at = gb_io_alloc(n, sizeof *at);
    if (!arrays->p || !arrays->i || !arrays->x || !at) {
        gb_io_free(at);
        return gb_io_no_memory("the decaying matrix");
    }
    for (uint64_t d = 0; d < n; d++) at[d] = value_at(of, d);
    of->at = at;
    of->arrays = arrays;
    arrays->p[0] = 0;
    if (arrays->iso) *(bool *)arrays->x = true;
    gbl_parallel(n, fill_row, of);
    gb_io_free(at);
    return GBL_SUCCESS;
}

gbl_Info gb_gen_decay(gbl_Matrix *A, gbl_Type type, const char *text) {
    Decay decay;
    gb_Kind kind;
    gbl_Arrays arrays = {0};
    gbl_Info info = gb_number_init();
    if (info != GBL_SUCCESS) return info;
    if (!read_decay(&decay, text))
        return gbl_fail(
            GBL_INVALID_VALUE, NULL,
            "'%.40s' should be decay:N:exp:L with L above 0 and at most 1, decay:N:alg:L "
            "with L above 0, or decay:N:paper, perhaps with :SEED, N in 1..%d",
            text, (int)SIDE_MOST);
    info = gb_io_kind(&kind, type ? type : GBL_FP64);
    if (info != GBL_SUCCESS) return info;
    decay.code = kind.code;
    if (kind.code != GBL_FP64_CODE && kind.code != GBL_FP32_CODE && kind.code != GBL_BOOL_CODE)
        return gbl_fail(
            GBL_DOMAIN_MISMATCH, NULL,
            "'%.40s' has values below 1, which integers cannot hold; make it FP64, FP32 "
            "or BOOL",
            text);
    info = make(&decay, &kind, &arrays);
    if (info != GBL_SUCCESS) {
        gb_io_free_arrays(&arrays);
        return info;
    }
    return gb_io_move_in(A, &kind, (gb_Shape){decay.n, decay.n}, GBL_CSR_FORMAT, &arrays);
}
