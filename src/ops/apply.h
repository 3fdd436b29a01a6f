/* SPDX-License-Identifier: Apache-2.0
 *
 * C<M> accum= f(A): an operator applied to every entry; and A where an index operator is true.
 */
#ifndef GB_OPS_APPLY_H
#define GB_OPS_APPLY_H

#include "kernel_api/backend.h"
#include "kernel_api/device.h"
#include "ops/finish.h"

/* f(A), or f(A') when `transpose`; index operators see the positions of A'. Of select map.index is
 * the operator and map.bound its y, and entries keep the type and values of A. */
typedef struct {
    gb_Matrix *C;
    gb_Mask mask;
    const gb_BinaryOp *accum;
    gb_Map map;
    gb_Matrix *A;
    bool transpose;
} gb_Apply;
extern const gb_Op gb_op_apply, gb_op_select;
/* Its `full_iso`; full_iso.c. */
gbl_Info gb_apply_full_iso(const gb_Op *op, const void *call, bool *done);
gbl_Info gb_select_full_iso(const gb_Op *op, const void *call, bool *done);

/* Converts an index operator that selects among values of a type to a map of the device; returns
 * why there is no kernel, else NULL. */
const char *gb_device_test(gb_DeviceMap *device, const gb_Map *map, const gb_Type *type);

/* -- shared with transpose and extract */

/* A or A' as it exists: the dense form of a vector or matrix, or rows in `format`, which counts the
 * transposition: the CSR arrays of A are the CSC arrays of A'. Nothing is made for an empty A,
 * since row pointers may be larger than memory. */
typedef struct {
    bool is_empty, is_dense;
    gb_Format format;
    gb_CsView cs;
    gb_DenseView dense;
    uint64_t width;  /* columns of `dense` */
    gb_Dense turned; /* what `dense` views where A had to be transposed */
} gb_MapSource;
gbl_Info gb_map_source(gb_MapSource *source, gb_Matrix *A, bool transpose);
/* The same, or the array of a matrix that has only the dense form. Under a mask of few entries A
 * becomes rows, cut to the mask. After a success they release the source, or keep `turned`. */
gbl_Info gb_map_source_or_cells(gb_MapSource *source, gb_Matrix *A, const gb_Mask *mask,
                                bool transpose);
void gb_map_source_release(gb_MapSource *source);

/* z = the map of the value at x, of args->xtype. */
void gb_map_one(const gb_MapArgs *args, const void *x, void *z);
gb_MapArgs gb_map_args(const gb_Map *map, const gb_Matrix *A, const gb_MapSource *source);

#endif
