/* SPDX-License-Identifier: Apache-2.0
 *
 * Processors that nothing is known of; see core/arch.h.
 */
#pragma once

static inline void gb_relax(void) {
}

static inline uint64_t gb_ticks(void) {
    return 0;
}

#define GB_ARCH_NAME_LINE "model name"
#define GB_ARCH_FEATURES(F)
#define GB_ARCH_SETS(SET)

static inline unsigned gb_arch_features(void) {
    return 0;
}
