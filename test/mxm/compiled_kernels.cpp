/* SPDX-License-Identifier: Apache-2.0
 *
 * Kernels that a C++17 program makes of its semirings (gblite_semiring.h), for compiled_rings.h.
 */
#include <cstdint>

#define GBL_SEMIRING doubles
#define GBL_SEMIRING_TYPE double
#define GBL_SEMIRING_ADD(x, y) GBL_LANES_FMAX(x, y)
#define GBL_SEMIRING_MULTIPLY(a, b) ((a) + (b))
#define GBL_SEMIRING_IDENTITY (-1e300)
#define GBL_SEMIRING_LANES 1
#include <gblite_semiring.h>

namespace {

/* a x + b over whole numbers that wrap; one after the other does not commute. */
struct affine {
    uint32_t a, b;
    affine after(const affine &first) const {
        return {a * first.a, a * first.b + b};
    }
};

inline affine operator^(affine x, affine y) {
    return {x.a ^ y.a, x.b ^ y.b};
}

} // namespace

#define GBL_SEMIRING affines
#define GBL_SEMIRING_TYPE affine
#define GBL_SEMIRING_ADD(x, y) (x ^ y)
#define GBL_SEMIRING_MULTIPLY(x, y) (y.after(x))
#define GBL_SEMIRING_IDENTITY (affine{0, 0})
#define GBL_SEMIRING_TERMINAL(x) (false && x.a == 0)
#include <gblite_semiring.h>
