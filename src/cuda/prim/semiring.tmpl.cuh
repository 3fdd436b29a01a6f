/* SPDX-License-Identifier: Apache-2.0
 *
 * A semiring as a struct; included once per entry of semiring/foreach.h. The generic entry, which
 * goes through functions of the host, has none.
 */
#ifndef SR_GENERIC
#define GB_RING_STRUCT_(name) gb_ring_##name
#define GB_RING_STRUCT(name) GB_RING_STRUCT_(name)
struct GB_RING_STRUCT(SR_NAME) {
    typedef SR_T Value;
    enum { USES_A = SR_USES_A, USES_B = SR_USES_B, ANY = SR_ANY, PAIR = SR_PAIR, TRUTH = SR_TRUTH };

    enum { ENDS = SR_ANY || SR_TRUTH }; /* whether it is worth asking: */

    /* Nothing can change a sum of x any more. */
    GB_DEVICE bool ends(Value x) {
        (void)x;
        return SR_ANY || SR_TERMINAL(x);
    }
    GB_DEVICE Value zero() {
        return SR_ZERO;
    }
    GB_DEVICE Value add(Value x, Value y) {
        (void)x, (void)y;
        return SR_ADD(x, y);
    }
    GB_DEVICE Value multiply(Value a, Value b, uint64_t k) {
        (void)a, (void)b, (void)k;
        return (Value)SR_MUL(a, b, 0, k, 0);
    }
};
#undef GB_RING_STRUCT
#undef GB_RING_STRUCT_
#endif
