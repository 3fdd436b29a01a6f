/* SPDX-License-Identifier: Apache-2.0
 *
 * Semirings: predefined and user-defined.
 *
 * The kernel of a predefined semiring must be a constant expression, yet only ids.h may list the
 * kernels. So each name in ids.h gets a tag type, and _Generic on the tag of a semiring's name
 * gives the kernel of that name, or GB_RING_GENERIC when there is none. Semirings that share the
 * kernel of another (unsigned integers, FIRSTJ) use its tag. test_semiring.c checks all of them
 * against gb_ring_lookup.
 */

#include "core/memory.h"
#include "core/call.h"
#include "semiring/compiled.h"
#include "semiring/objects.h"

#define GB_TAG(name, add, multiply, type) struct gb_ring_##name;
GB_FOREACH_ANY_RING(GB_TAG)
#undef GB_TAG
#define GB_CHOICE(name, add, multiply, type) struct gb_ring_##name * : GB_RING_##name,
#define GB_RING_NAMED(name)                                                                        \
    _Generic((struct gb_ring_##name *)0, GB_FOREACH_ANY_RING(GB_CHOICE) default : GB_RING_GENERIC)

/* GBL_<add>_<name>_SEMIRING_<N> of the operators add and multiply, with the kernel of that name */
#define GB_DEFINE_SEMIRING(add, name, N, multiply, kernel)                                         \
    static const gb_Semiring gb_semiring_##add##_##name##_##N = {                                  \
        GB_MAGIC_SEMIRING,     0,    NULL, GB_STATIC, GB_MONOID(add, N), GB_BINARY(multiply, N),   \
        GB_RING_NAMED(kernel), NULL, NULL};                                                        \
    gbl_Semiring const GBL_##add##_##name##_SEMIRING_##N =                                         \
        (gb_Semiring *)&gb_semiring_##add##_##name##_##N;

/* kernels of type N */
#define GB_DEFINE(N, T)                                                                            \
    GB_DEFINE_SEMIRING(MIN, PLUS, N, PLUS, MIN_PLUS_##N)                                           \
    GB_DEFINE_SEMIRING(MAX, PLUS, N, PLUS, MAX_PLUS_##N)                                           \
    GB_DEFINE_SEMIRING(MIN, TIMES, N, TIMES, MIN_TIMES_##N)                                        \
    GB_DEFINE_SEMIRING(MIN, MAX, N, MAX, MIN_MAX_##N)                                              \
    GB_DEFINE_SEMIRING(MAX, MIN, N, MIN, MAX_MIN_##N)                                              \
    GB_DEFINE_SEMIRING(MAX, TIMES, N, TIMES, MAX_TIMES_##N)                                        \
    GB_DEFINE_SEMIRING(PLUS, MIN, N, MIN, PLUS_MIN_##N)                                            \
    GB_DEFINE_SEMIRING(MIN, FIRST, N, FIRST, MIN_FIRST_##N)                                        \
    GB_DEFINE_SEMIRING(MIN, SECOND, N, SECOND, MIN_SECOND_##N)                                     \
    GB_DEFINE_SEMIRING(MAX, FIRST, N, FIRST, MAX_FIRST_##N)                                        \
    GB_DEFINE_SEMIRING(MAX, SECOND, N, SECOND, MAX_SECOND_##N)
GBL_FOREACH_NUMERIC(GB_DEFINE)
#undef GB_DEFINE

/* kernels of type S, the signed type for an unsigned N */
#define GB_DEFINE_ANY(N, S)                                                                        \
    GB_DEFINE_SEMIRING(ANY, PAIR, N, ONEB, ANY_PAIR_##S)                                           \
    GB_DEFINE_SEMIRING(ANY, FIRST, N, FIRST, ANY_FIRST_##S)                                        \
    GB_DEFINE_SEMIRING(ANY, SECOND, N, SECOND, ANY_SECOND_##S)
#define GB_DEFINE(N, S)                                                                            \
    GB_DEFINE_SEMIRING(PLUS, TIMES, N, TIMES, PLUS_TIMES_##S)                                      \
    GB_DEFINE_SEMIRING(PLUS, PAIR, N, ONEB, PLUS_PAIR_##S)                                         \
    GB_DEFINE_SEMIRING(PLUS, FIRST, N, FIRST, PLUS_FIRST_##S)                                      \
    GB_DEFINE_SEMIRING(PLUS, SECOND, N, SECOND, PLUS_SECOND_##S)                                   \
    GB_DEFINE_ANY(N, S)
GB_DEFINE(INT8, INT8)
GB_DEFINE(INT16, INT16)
GB_DEFINE(INT32, INT32)
GB_DEFINE(INT64, INT64)
GB_DEFINE(UINT8, INT8)
GB_DEFINE(UINT16, INT16)
GB_DEFINE(UINT32, INT32)
GB_DEFINE(UINT64, INT64)
GB_DEFINE(FP32, FP32)
GB_DEFINE(FP64, FP64)
#undef GB_DEFINE
GB_DEFINE_ANY(BOOL, BOOL)

#define GB_DEFINE_ON(add, N)                                                                       \
    GB_DEFINE_SEMIRING(add, TIMES, N, TIMES, add##_TIMES_##N)                                      \
    GB_DEFINE_SEMIRING(add, FIRST, N, FIRST, add##_FIRST_##N)                                      \
    GB_DEFINE_SEMIRING(add, SECOND, N, SECOND, add##_SECOND_##N)                                   \
    GB_DEFINE_SEMIRING(add, PAIR, N, ONEB, add##_PAIR_##N)                                         \
    GB_DEFINE_SEMIRING(add, PLUS, N, PLUS, add##_PLUS_##N)                                         \
    GB_DEFINE_SEMIRING(add, MINUS, N, MINUS, add##_MINUS_##N)                                      \
    GB_DEFINE_SEMIRING(add, RMINUS, N, RMINUS, add##_RMINUS_##N)                                   \
    GB_DEFINE_SEMIRING(add, DIV, N, DIV, add##_DIV_##N)                                            \
    GB_DEFINE_SEMIRING(add, RDIV, N, RDIV, add##_RDIV_##N)
#define GB_DEFINE(N, T) GB_DEFINE_ON(PLUS, N) GB_DEFINE_ON(TIMES, N) GB_DEFINE_ON(ANY, N)
GBL_FOREACH_COMPLEX(GB_DEFINE)
#undef GB_DEFINE

GB_DEFINE_SEMIRING(LOR, LAND, BOOL, LAND, LOR_LAND_BOOL)
GB_DEFINE_SEMIRING(LAND, LOR, BOOL, LOR, LAND_LOR_BOOL)
GB_DEFINE_SEMIRING(LXOR, LAND, BOOL, LAND, LXOR_LAND_BOOL)
GB_DEFINE_SEMIRING(LXNOR, LOR, BOOL, LOR, LXNOR_LOR_BOOL)

#define GB_DEFINE(add, N)                                                                          \
    GB_DEFINE_SEMIRING(add, FIRSTI, N, FIRSTI, add##_FIRSTI_##N)                                   \
    GB_DEFINE_SEMIRING(add, FIRSTJ, N, FIRSTJ, add##_SECONDI_##N)                                  \
    GB_DEFINE_SEMIRING(add, SECONDI, N, SECONDI, add##_SECONDI_##N)                                \
    GB_DEFINE_SEMIRING(add, SECONDJ, N, SECONDJ, add##_SECONDJ_##N)
GB_DEFINE(MIN, INT32)
GB_DEFINE(MIN, INT64)
GB_DEFINE(MAX, INT32)
GB_DEFINE(MAX, INT64)
GB_DEFINE(ANY, INT32)
GB_DEFINE(ANY, INT64)
#undef GB_DEFINE

gb_Semiring *gb_semiring_make(gb_Monoid *add, gb_BinaryOp *multiply) {
    gb_Semiring *ring = gb_algebra_make(GB_MAGIC_SEMIRING, sizeof(gb_Semiring));
    if (ring == NULL) return NULL;
    ring->add = gb_retain(add);
    ring->multiply = gb_retain(multiply);
    ring->kernel = gb_ring_lookup(add, multiply);
    return ring;
}

gb_Semiring *gb_semiring_make_compiled(gb_Type *type, const gbl_CompiledSemiring *compiled) {
    gb_BinaryOp *add = gb_binary_make(compiled->add, type, type, type), *multiply = NULL;
    if (add != NULL) multiply = gb_binary_make(compiled->multiply, type, type, type);
    gb_Monoid *monoid = multiply != NULL ? gb_monoid_make(add, compiled->identity, NULL) : NULL;
    gb_Semiring *ring = monoid != NULL ? gb_semiring_make(monoid, multiply) : NULL;
    if (ring != NULL) {
        ring->kernel = GB_RING_COMPILED;
        ring->compiled = compiled;
        add->batch = compiled->add_batch;
        multiply->batch = compiled->multiply_batch;
        monoid->reduce = compiled->reduce;
    }
    if (monoid != NULL) gb_release(monoid);
    if (multiply != NULL) gb_release(multiply);
    if (add != NULL) gb_release(add);
    return ring;
}

/* -- the specialised kernel of a semiring, found from its parts */

static const struct {
    gb_Opcode add, multiply;
    gbl_Type_Code type;
} gb_rings[GB_RING_GENERIC] = {
#define GB_ENTRY(name, add, multiply, type) {GB_##add, GB_##multiply, GBL_##type##_CODE},
    GB_FOREACH_ANY_RING(GB_ENTRY)
#undef GB_ENTRY
};

/* in two's complement the same bits come out, whether signed or not */
static bool gb_ignores_sign(gb_Opcode code) {
    return code == GB_PLUS || code == GB_TIMES || code == GB_FIRST || code == GB_SECOND ||
           code == GB_ONEB || code == GB_ANY;
}

/* The standard numbers an unsigned type behind the signed one. */
static gbl_Type_Code gb_signed_code(gbl_Type_Code type) {
    const bool sized = type >= GBL_INT8_CODE && type <= GBL_UINT64_CODE;
    return sized && (type - GBL_INT8_CODE) % 2 != 0 ? (gbl_Type_Code)(type - 1) : type;
}

/* GB_RING_GENERIC: there is none. */
static int find_ring(gb_Opcode add, gb_Opcode multiply, gbl_Type_Code type) {
    int ring = 0;
    while (ring < GB_RING_GENERIC &&
           !(gb_rings[ring].add == add && gb_rings[ring].multiply == multiply &&
             gb_rings[ring].type == type))
        ring++;
    return ring;
}

int gb_ring_lookup(const gb_Monoid *add, const gb_BinaryOp *multiply) {
    const gb_Monoid *const like = gb_monoid_predefined(add->op);
    const gb_Type *const type = add->op->ztype;
    if (like == NULL || memcmp(add->identity, like->identity, type->size) != 0 ||
        multiply->ztype != type || (gb_binary_uses_x(multiply) && multiply->xtype != type) ||
        (gb_binary_uses_y(multiply) && multiply->ytype != type))
        return GB_RING_GENERIC;

    const gb_Opcode plus = like->op->code;
    const gb_Opcode times = gb_opcode_canonical(multiply->code, multiply->xtype->code);
    const gbl_Type_Code code =
        gb_ignores_sign(plus) && gb_ignores_sign(times) ? gb_signed_code(type->code) : type->code;
    return find_ring(plus, times, code);
}

/* MIN and MAX as multiplications stay out: of 0 and -0 they may take either. */
static gb_Opcode mirrored_multiply(gb_Opcode code) {
    if (code == GB_MIN || code == GB_MAX) return GB_USER;
    return code == GB_FIRST ? GB_SECOND : code == GB_SECOND ? GB_FIRST : code;
}

int gb_ring_mirrored(int ring) {
    if (ring < 0 || ring >= GB_RING_GENERIC) return GB_RING_GENERIC;
    return find_ring(gb_rings[ring].add, mirrored_multiply(gb_rings[ring].multiply),
                     gb_rings[ring].type);
}
