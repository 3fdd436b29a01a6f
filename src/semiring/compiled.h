/* SPDX-License-Identifier: Apache-2.0
 *
 * The contract between the library and kernels that users compile (include/gblite_semiring.h): a
 * table of the functions of one semiring, made of the same bodies as the library's own, and the
 * library's functions that these bodies call. Both sides state a version and a sum over the sizes
 * of the structs that they share (cpu/compiled/layout.h). The library refuses kernels whose numbers
 * differ from its own, so neither reads what the other did not write, and kernels for an
 * instruction set that the processor lacks.
 */
#pragma once

#include "semiring/algebra.h"

/* Changes with the meaning of a shared struct or function, and of what follows. */
enum { GB_KERNEL_CONTRACT = 3 };

/* What kernels call of the library, for one instruction set. */
typedef struct {
    uint64_t layout;
    const struct gb_RowHelpers *rows;
} gb_KernelHelpers;

struct gbl_CompiledSemiring {
    uint32_t contract; /* GB_KERNEL_CONTRACT */
    uint32_t size;     /* bytes of a value */
    uint64_t layout;   /* GB_KERNEL_LAYOUT */
    const char *name, *set;
    const void *identity; /* of the addition */
    gbl_binary_function add, multiply;
    gb_binary_batch add_batch, multiply_batch;
    gb_reduce_batch reduce;
    const gb_KernelHelpers **helpers; /* the library sets what it points to */
    const struct gb_RowKernel *rowwise;
    const struct gb_DotKernel *dot;
    const struct gb_PushKernel *push;
    const struct gb_PullKernel *pull;
    const struct gb_OuterKernel *outer;
    const struct gb_PanelKernel *panel; /* and spmm: NULL where lanes of vectors do not suit it */
    const struct gb_SpmmKernel *spmm;
    /* The same semiring for other sets, the best first, GB_KERNEL_OTHERS of them or NULL each. */
    const gbl_CompiledSemiring *const *others;
    const struct gb_DeviceSemiring *device; /* for GPUs; NULL: none */
};
enum { GB_KERNEL_OTHERS = 2 };
