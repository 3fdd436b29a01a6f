/* SPDX-License-Identifier: Apache-2.0
 *
 * Generators: the structure of a matrix from two to four numbers and a seed; values are added by
 * generate.c.
 *
 * Every random number is a function of the seed and of what it is for (the number of the edge, the
 * place of the entry), so the result depends neither on threads nor on the order of work.
 */
#pragma once

#include "io.h"

typedef struct {
    uint64_t a, b, c, d, seed; /* rect:a:b:c:seed, planted:a:b:c:d:seed */
} gb_Spec;

/* Make the shape and the p and i of arrays, with columns ascending in every row; x stays NULL. On
 * failure arrays may be filled in part. */
gbl_Info gb_gen_fem(const gb_Spec *spec, gb_Shape *shape, gbl_Arrays *arrays);
gbl_Info gb_gen_cross(const gb_Spec *spec, gb_Shape *shape, gbl_Arrays *arrays);
gbl_Info gb_gen_band(const gb_Spec *spec, gb_Shape *shape, gbl_Arrays *arrays);
gbl_Info gb_gen_rect(const gb_Spec *spec, gb_Shape *shape, gbl_Arrays *arrays);
gbl_Info gb_gen_grid(const gb_Spec *spec, gb_Shape *shape, gbl_Arrays *arrays);
gbl_Info gb_gen_road(const gb_Spec *spec, gb_Shape *shape, gbl_Arrays *arrays);
gbl_Info gb_gen_web(const gb_Spec *spec, gb_Shape *shape, gbl_Arrays *arrays);
gbl_Info gb_gen_tiles(const gb_Spec *spec, gb_Shape *shape, gbl_Arrays *arrays);

/* Graphs of numbered edges: an edge is a function of its number, so that any part can be made by
 * itself. Equal edges count once. */
typedef struct {
    uint32_t i, j;
} gb_Edge;
typedef struct gb_EdgeGraph gb_EdgeGraph;
struct gb_EdgeGraph {
    gbl_Index n;    /* vertices */
    uint64_t edges; /* numbers */
    bool both;      /* each edge in both directions, no self loops */
    gb_Edge (*edge)(const gb_EdgeGraph *graph, uint64_t number);
    uint64_t key;                   /* random numbers start from it */
    unsigned bits;                  /* of er, rmat, rmats: n = 2^bits */
    uint64_t clusters, size, inner; /* of planted: inner edges in each cluster */
};
gbl_Info gb_gen_er(gb_EdgeGraph *graph, const gb_Spec *spec);
gbl_Info gb_gen_rmat(gb_EdgeGraph *graph, const gb_Spec *spec);
gbl_Info gb_gen_rmats(gb_EdgeGraph *graph, const gb_Spec *spec);
gbl_Info gb_gen_planted(gb_EdgeGraph *graph, const gb_Spec *spec);
/* As the functions above, of all edges. */
gbl_Info gb_gen_graph(const gb_EdgeGraph *graph, gb_Shape *shape, gbl_Arrays *arrays);

typedef struct {
    uint64_t least, most;
} gb_Limits;

/* Reads ":digits" at *p; false where the number is not within the limits. */
bool gb_gen_read_number(const char **p, gb_Limits limits, uint64_t *number);

/* decay:...: whether the text is of that form, and the whole matrix. */
bool gb_gen_is_decay(const char *text);
gbl_Info gb_gen_decay(gbl_Matrix *A, gbl_Type type, const char *text);

/* A bijection of 64-bit numbers whose values look random (the finisher of splitmix64). */
static inline uint64_t gb_gen_mix(uint64_t x) {
    x = (x ^ x >> 30) * UINT64_C(0xBF58476D1CE4E5B9);
    x = (x ^ x >> 27) * UINT64_C(0x94D049BB133111EB);
    return x ^ x >> 31;
}

/* The step of splitmix64: mix(s + k * step), k = 1, 2, ... are random numbers. */
#define GB_GEN_STEP UINT64_C(0x9E3779B97F4A7C15)

/* A bijection of 0..2^bits - 1, bits at most 32: each step of a round is one. */
static inline uint32_t gb_gen_permute(uint32_t number, unsigned bits, uint64_t key) {
    const uint64_t mask = (UINT64_C(1) << bits) - 1;
    const unsigned half = (bits + 1) / 2;
    uint64_t x = number;
    for (int round = 0; round < 3; round++) {
        key = gb_gen_mix(key + GB_GEN_STEP);
        x = (x * (key | 1) + (key >> 32)) & mask;
        x ^= x >> half;
    }
    return (uint32_t)(x & mask);
}
