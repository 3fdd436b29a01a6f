/* SPDX-License-Identifier: Apache-2.0
 *
 * Where an operation runs. On the GPU it runs where that is asked for (GBL_PLACE, GBLITE_PLACE), or
 * where the content of an operand is there and nowhere else; in blocking mode, whose calls leave
 * nothing behind, and for operands without entries never. Its result stays there. What has no
 * kernel, or finds no room there, runs on the host, to which content comes home; C's explanation
 * says so (gbl_Matrix_explain), and so does GBLITE_TRACE.
 */
#ifndef GB_OPS_RUN_DEVICE_H
#define GB_OPS_RUN_DEVICE_H

#include "ops/result.h"

enum { GB_PLACED_MOST = 4 };

/* What explanations tell of C; a gb_Note's block. */
typedef struct {
    const char *operation;
    bool there;
    char reason[96]; /* why; empty: it was not asked */
    uint64_t nvals, bytes_up, bytes_down;
    double seconds, seconds_moving; /* of all the call; of that, what moved operands and C */
} gb_PlacedNote;

/* An operation with both of its ways. */
typedef struct {
    const char *name; /* of the operation, for explanations; static */
    gb_Matrix *C;
    gb_Matrix *in[GB_PLACED_MOST]; /* operands and mask; NULL: none */
    const void *call;              /* the argument of what follows */
    gbl_Info (*here)(const void *call);
    gbl_Info (*there)(const void *call);
    const char *(*refuse)(const void *call); /* why there is no kernel; NULL: there is */
    gb_PlacedNote *told; /* gets the note in place of C, which has one of its own; or NULL */
} gb_Placed;

/* Runs it at its place. Handles, shapes and domains were checked; after an error C is as it was. */
gbl_Info gb_run_placed(const gb_Placed *operation);

/* An operand on the device: the object's own copy, or one with values cast for this call. */
typedef struct {
    gb_DeviceCs *copy; /* pinned */
    bool owned;
} gb_DeviceOperand;
/* With values of the type, a built-in one or A's, which gb_refuse_cast has let through; NULL: the
 * pattern of a matrix will do. */
gbl_Info gb_device_operand(gb_DeviceOperand *operand, gb_Matrix *A, gb_Format format,
                           const gb_Type *type);
void gb_device_operand_release(const gb_DeviceOperand *operand);

/* For `there`: T, which holds `made`, the rows of a matrix or a vector, is to be finished as C. */
void gb_result_adopt(gb_Result *T, const gb_Matrix *C, gb_DeviceCs *made);

/* Why an operand does not go there, else NULL: it has no entries, or values of a type of the user.
 */
const char *gb_refuse_operand(const gb_Matrix *A);
/* Why values of A cannot be had there as others of a built-in type; NULL: they can. */
const char *gb_refuse_cast(const gb_Matrix *A, const gb_Type *type);
/* Why the device has no kernel for the operator (a gb_Opcode) and values of the type, else NULL. */
const char *gb_refuse_operator(int op, const gb_Type *type);

#endif
