/* SPDX-License-Identifier: Apache-2.0
 *
 * Rows of products over the semirings of one type of values.
 */
#include "cuda/rowwise/kernels.cuh"

template <class Ring> struct gb_RowsOf {
    static gb_RowsRun run(void) {
        return gb_run_rows<Ring>;
    }
};

gb_RowsRun GB_TYPED(gb_numeric)(int ring) {
    return gb_find_ring<gb_RowsOf, GB_TYPED(GB_OF), gb_RowsRun>(ring);
}
