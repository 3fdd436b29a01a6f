/* SPDX-License-Identifier: Apache-2.0
 *
 * See sweeps.h. Seeds tell the cases of one sweep apart, and sweeps from each other.
 */
#include "support/sweeps.h"

void t_sweep_semirings(t_Make make, size_t first, size_t step) {
    for (size_t k = first; k < t_ring_count; k += step) {
        const o_Ring ring = t_ring(&t_rings[k]);
        for (unsigned n = 0; n < 2 * T_MASKS; n++) {
            const unsigned f = (unsigned)(25 * n + 6 * k) % T_FLAGS_ALL;
            t_ProductCase of = make(t_rings[k].name, &ring, 5 * k + n, f);
            of.seed = 100 * k + n;
            of.wild = !t_is_float(t_rings[k].type);
            of.a_iso = n % 4 == 1;
            of.b_iso = n % 4 == 3;
            of.iso = n % 4 == 2;
            t_product(&of);
        }
    }
}

void t_sweep_flags(t_Make make, const t_Ring *const *rings, size_t n, size_t stride) {
    for (unsigned f = 0; f < T_FLAGS_ALL; f++)
        for (size_t k = f % stride; k < n; k += stride) {
            const o_Ring ring = t_ring(rings[k]);
            t_ProductCase of = make(rings[k]->name, &ring, f / 6 + k, f);
            of.seed = 20000 + 10 * f + k;
            t_product(&of);
            of.shape.dc = f % 2 ? 1 : 0;
            t_product(&of);
        }
}

void t_sweep_casts(t_Make make, uint64_t seeds, t_Shape square) {
    for (uint64_t seed = 0; seed < seeds; seed++) {
        t_Random r = t_random(seed + 815);
        const t_Ring *entry = &t_rings[t_below(&r, t_ring_count)];
        const o_Ring ring = t_ring(entry);
        t_ProductCase of = make(entry->name, &ring, seed, (unsigned)t_next(&r) % T_FLAGS_ALL);
        of.seed = seed;
        t_mix_types(&of, &r, entry, square);
        t_product(&of);
    }
}

void t_sweep_user_types(t_Make make, unsigned step) {
    t_User users[] = {t_user_path(), t_user_colour()};
    for (size_t u = 0; u < T_COUNT(users); u++) {
        for (unsigned f = 0; f < T_FLAGS_ALL; f += step) {
            t_ProductCase of = make(u == 0 ? "path" : "colour", &users[u].ring, f + f / 13, f);
            of.seed = 60000 + f;
            of.accum = users[u].minus;
            t_product(&of);
        }
        t_user_free(&users[u]);
    }
}

void t_sample_rings(const t_Ring *rings[T_SAMPLE_RINGS]) {
    static const struct {
        o_Opcode add, multiply;
        gbl_Type_Code type;
    } sample[T_SAMPLE_RINGS] = {
        {O_PLUS, O_TIMES, GBL_FP64_CODE},   {O_PLUS, O_TIMES, GBL_FP32_CODE},
        {O_LOR, O_LAND, GBL_BOOL_CODE},     {O_MIN, O_PLUS, GBL_INT32_CODE},
        {O_MIN, O_FIRST, GBL_INT64_CODE},   {O_PLUS, O_SECOND, GBL_FP64_CODE},
        {O_PLUS, O_ONEB, GBL_INT32_CODE},   {O_ANY, O_SECONDI, GBL_INT64_CODE},
        {O_MIN, O_SECONDI, GBL_INT64_CODE}, {O_MIN, O_FIRSTJ, GBL_INT32_CODE},
        {O_PLUS, O_TIMES, GBL_UINT16_CODE}, {O_MAX, O_MIN, GBL_FP64_CODE},
    };
    for (size_t k = 0; k < T_SAMPLE_RINGS; k++)
        rings[k] = t_find_ring(sample[k].add, sample[k].multiply, sample[k].type);
}
