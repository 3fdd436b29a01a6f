/* SPDX-License-Identifier: Apache-2.0
 *
 * Semirings of values of 1 to 64 bytes, with multiplications that do not commute and with terminal
 * values, for the CPU (compiled_rings.h) and for the GPU (cuda/compiled_kinds.cpp).
 */
#include <math.h>
#include <stdbool.h>
#include <stdint.h>

#include "gblite.h"

#define GBL_SEMIRING bytes
#define GBL_SEMIRING_TYPE uint8_t
#define GBL_SEMIRING_ADD(x, y) ((x) > (y) ? (x) : (y))
#define GBL_SEMIRING_MULTIPLY(a, b) ((a) < (b) ? (a) : (b))
#define GBL_SEMIRING_IDENTITY 0
#define GBL_SEMIRING_TERMINAL(x) ((x) == 255)
#include <gblite_semiring.h>

#define GBL_SEMIRING lengths
#define GBL_SEMIRING_TYPE int32_t
#define GBL_SEMIRING_ADD(x, y) GBL_LANES_IMIN(x, y)
#define GBL_SEMIRING_MULTIPLY(a, b) ((a) + (b))
#define GBL_SEMIRING_IDENTITY INT32_MAX
#define GBL_SEMIRING_LANES 1
#include <gblite_semiring.h>

#define GBL_SEMIRING numbers
#define GBL_SEMIRING_TYPE double
#define GBL_SEMIRING_ADD(x, y) ((x) + (y))
#define GBL_SEMIRING_MULTIPLY(a, b) ((a) * (b))
#define GBL_SEMIRING_IDENTITY 0.0
#define GBL_SEMIRING_LANES 1
#include <gblite_semiring.h>

typedef struct {
    double length;
    int64_t hops;
} path;

GBL_KERNEL_FUNCTION path better(path x, path y) {
    const bool first = x.length < y.length || (x.length == y.length && x.hops <= y.hops);
    return first ? x : y;
}

GBL_KERNEL_FUNCTION path follow(path a, path b) {
    return (path){a.length + b.length, a.hops + b.hops};
}

#define GBL_SEMIRING paths
#define GBL_SEMIRING_TYPE path
#define GBL_SEMIRING_ADD(x, y) better(x, y)
#define GBL_SEMIRING_MULTIPLY(a, b) follow(a, b)
#define GBL_SEMIRING_IDENTITY ((path){INFINITY, 0})
#include <gblite_semiring.h>

/* A matrix [x y; z w] of numbers that wrap; it does not commute. */
typedef struct {
    uint32_t x, y, z, w;
} block;

GBL_KERNEL_FUNCTION block sum(block a, block b) {
    return (block){a.x + b.x, a.y + b.y, a.z + b.z, a.w + b.w};
}

GBL_KERNEL_FUNCTION block product(block a, block b) {
    return (block){a.x * b.x + a.y * b.z, a.x * b.y + a.y * b.w, a.z * b.x + a.w * b.z,
                   a.z * b.y + a.w * b.w};
}

#define GBL_SEMIRING blocks
#define GBL_SEMIRING_TYPE block
#define GBL_SEMIRING_ADD(x, y) sum(x, y)
#define GBL_SEMIRING_MULTIPLY(a, b) product(a, b)
#define GBL_SEMIRING_IDENTITY ((block){0, 0, 0, 0})
#include <gblite_semiring.h>

/* Sizes that no number has: colours of 3 bytes and vectors of 24, whose products do not commute. */
typedef struct {
    uint8_t r, g, b;
} colour;

GBL_KERNEL_FUNCTION colour mix(colour x, colour y) {
    x.r ^= y.r;
    x.g ^= y.g;
    x.b ^= y.b;
    return x;
}

GBL_KERNEL_FUNCTION colour filter(colour a, colour b) {
    a.r &= b.g;
    a.g &= b.b;
    a.b &= b.r;
    return a;
}

#define GBL_SEMIRING colours
#define GBL_SEMIRING_TYPE colour
#define GBL_SEMIRING_ADD(x, y) mix(x, y)
#define GBL_SEMIRING_MULTIPLY(a, b) filter(a, b)
#define GBL_SEMIRING_IDENTITY ((colour){0, 0, 0})
#include <gblite_semiring.h>

#define GBL_SEMIRING shorts
#define GBL_SEMIRING_TYPE uint16_t
#define GBL_SEMIRING_ADD(x, y) (uint16_t)((x) + (y))
#define GBL_SEMIRING_MULTIPLY(a, b) (uint16_t)((unsigned)(a) * (b))
#define GBL_SEMIRING_IDENTITY 0
#include <gblite_semiring.h>

typedef struct {
    double x, y, z;
} vector;

GBL_KERNEL_FUNCTION vector vector_sum(vector a, vector b) {
    return (vector){a.x + b.x, a.y + b.y, a.z + b.z};
}

GBL_KERNEL_FUNCTION vector cross(vector a, vector b) {
    return (vector){a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

#define GBL_SEMIRING vectors
#define GBL_SEMIRING_TYPE vector
#define GBL_SEMIRING_ADD(x, y) vector_sum(x, y)
#define GBL_SEMIRING_MULTIPLY(a, b) cross(a, b)
#define GBL_SEMIRING_IDENTITY ((vector){0, 0, 0})
#include <gblite_semiring.h>

typedef struct {
    uint64_t word[8];
} set;

GBL_KERNEL_FUNCTION set either(set a, set b) {
    for (int k = 0; k < 8; k++) a.word[k] |= b.word[k];
    return a;
}

GBL_KERNEL_FUNCTION set both(set a, set b) {
    for (int k = 0; k < 8; k++) a.word[k] &= b.word[k];
    return a;
}

#define GBL_SEMIRING sets
#define GBL_SEMIRING_TYPE set
#define GBL_SEMIRING_ADD(x, y) either(x, y)
#define GBL_SEMIRING_MULTIPLY(a, b) both(a, b)
#define GBL_SEMIRING_IDENTITY ((set){{0}})
#include <gblite_semiring.h>
