/* SPDX-License-Identifier: Apache-2.0
 *
 * An operation is one constant descriptor, gb_Op, and a call is one struct of its arguments. gb_run
 * does what all of them have in common, in this order: check the call, defer it where that may pay,
 * complete what is deferred of its operands, bring hypersparse operands to common row lists, choose
 * the device, run, and report.
 *
 * A call begins with its output; a descriptor names its other operands by their offsets. Operands
 * lie along the dimensions of the call, of which hypersparse dispatch (hyper.c) makes row lists:
 * along each dimension the row lists of all operands are united, operands become compact matrices
 * on these, the operation runs on them, and its output gets the row lists. Operations with
 * `follows` list what contributes only, and gather it from operands that have more. Time and memory
 * are O(entries + row lists), never O(dimension). Indices without entries in any operand are
 * dropped: neither inner indices without a partner nor those that only a complemented mask allows
 * contribute.
 */
#pragma once

#include "matrix/hyper.h"
#include "matrix/matrix.h"
#include "semiring/objects.h"

/* The dimensions of a call: rows and columns of the output, and the one that is summed over.
 * GB_DIM_ONE is that of a vector's one column. */
typedef enum { GB_DIM_ROWS, GB_DIM_COLS, GB_DIM_INNER, GB_DIMENSIONS, GB_DIM_ONE } gb_Dimension;
#define GB_MEETS(DIM) (1u << GB_DIM_##DIM)
typedef enum { GB_OF_C, GB_OF_M, GB_OF_A, GB_OF_B, GB_OPERANDS } gb_OperandOf;

/* An input: where a call has it, where the flag that it is transposed (0: it never is), and the
 * dimensions that it lies along where it is not. */
typedef struct {
    uint16_t at, transposed;
    uint8_t rows, cols; /* gb_Dimension; a vector's one column is along none */
} gb_OpInput;
#define GB_INPUT(CALL, A, ROWS, COLS)                                                              \
    { offsetof(CALL, A), 0, GB_DIM_##ROWS, GB_DIM_##COLS }
#define GB_INPUT_TRANSPOSED(CALL, A, FLAG, ROWS, COLS)                                             \
    { offsetof(CALL, A), offsetof(CALL, FLAG), GB_DIM_##ROWS, GB_DIM_##COLS }

typedef struct gb_HyperCall gb_HyperCall;
enum { GB_CALL_MOST = 1024 }; /* bytes of a call */

typedef struct gb_Op gb_Op;
struct gb_Op {
    const char *name;
    uint16_t bytes;       /* of a call, at most GB_CALL_MOST */
    uint16_t mask, accum; /* offsets of its gb_Mask and its accumulator; 0: it has none */
    gb_OpInput A, B;      /* at 0: none */
    /* Entries of the result stand where A or B has some along each dimension, or, along those of
     * GB_MEETS bits, where both have: hypersparse dispatch reads only these of large operands. */
    bool follows;
    uint8_t meets;
    bool output_counts;                  /* C's content may be where it runs, as that of inputs */
    gbl_Info (*check)(const void *call); /* domains and shapes; NULL: the caller, or `host`, does */
    /* *deferred: the call is; no operand need be complete. NULL: it never is. */
    gbl_Info (*defer)(const void *call, bool *deferred);
    /* An operand is full iso: *done, the call was made without listing its positions. It has its
     * mask where that is not full iso. NULL: never. */
    gbl_Info (*full_iso)(const gb_Op *op, const void *call, bool *done);
    bool (*needs_mask)(const void *call); /* full iso masks too; NULL: it does not */
    /* *done: few positions of C were written, by elements, whatever forms the operands have; NULL:
     * it never tries. few.c */
    gbl_Info (*few)(const gb_Op *op, const void *call, bool *done);
    /* Replaces gb_run_compact where an operand is hypersparse or C will be; or NULL. */
    gbl_Info (*hyper)(const void *call);
    /* Replaces gb_execute, on compact operands; or NULL. */
    gbl_Info (*compact)(const gb_HyperCall *hyper, void *call);
    gbl_Info (*host)(const void *call);
    gbl_Info (*device)(const void *call);    /* NULL: no kernel */
    const char *(*refuse)(const void *call); /* why the device has none for this call, or NULL */
};

/* The fields that most descriptors begin with. */
#define GB_OP(NAME, CALL)                                                                          \
    .name = NAME, .bytes = sizeof(CALL), .mask = offsetof(CALL, mask),                             \
    .accum = offsetof(CALL, accum)

gbl_Info gb_run(const gb_Op *op, const void *call);
/* The same of a call that was checked, and is not deferred: it may have operands that are freed
 * afterwards. */
gbl_Info gb_run_now(const gb_Op *op, const void *call);

/* The part of gb_run after operands are complete, where one is full iso (full_iso.c): a mask that
 * is allows all or nothing, so the call goes on without it. */
gbl_Info gb_run_full_iso(const gb_Op *op, const void *call);
gbl_Info gb_run_complete(const gb_Op *op, const void *call); /* where none is */
void gb_read_operands(gb_Matrix *X[GB_OPERANDS], const gb_Op *op, const void *call);

/* Where a call ran, as explanations of C report it; a gb_Note's block. */
typedef struct {
    const char *operation;
    bool on_device;
    char reason[96]; /* why; empty: the device was not requested */
    uint64_t nvals, bytes_up, bytes_down;
    double seconds, seconds_moving; /* of all the call; of that, transfers of operands and C */
} gb_DeviceReport;

/* C's explanation says that the operation wrote it, in one way. */
void gb_explain_operation(gb_Matrix *C, const gb_Op *op);

/* `few` of operations that write few positions where the mask has few entries, or, with accum,
 * where the inputs have: T is computed as an object of its own, and assigned. */
gbl_Info gb_run_few(const gb_Op *op, const void *call, bool *done);
/* That, whatever the entries, unless accum wants values of another type than C's (!*done). */
gbl_Info gb_run_beside(const gb_Op *op, const void *call, bool *done);

/* The last part of gb_run, for calls whose operands are complete and ordinary. Runs on the GPU on
 * request (GBL_PLACE, GBLITE_PLACE), or where the content of an operand is on the device only;
 * never in blocking mode, whose calls leave nothing behind, nor for operands without entries. The
 * result stays on the device. Without a kernel or device memory the call runs on the host; C's
 * explanation (gbl_Matrix_explain) and GBLITE_TRACE say so. After an error C is unchanged. report:
 * NULL, or gets the explanation instead of C. */
gbl_Info gb_execute(const gb_Op *op, const void *call, gb_DeviceReport *report);

/* For `defer` of calls that become values of C: these are all of C, and worth deferring. */
bool gb_may_defer_values(const gb_Matrix *C, const gb_Mask *mask);

/* -- hypersparse dispatch: hyper.c */

/* Whether bringing X to row lists costs about as little as its entries do. An input is assembled,
 * as the operation would; if that fails the operation says why. */
bool gb_is_few(gb_Matrix *X);
/* Whether the call runs on compact forms: a dimension is huge; or all operands have few entries
 * compared with their dimensions and one is hypersparse, or C, which is empty, will be. Where one
 * has more, hypersparse operands get ordinary forms instead. Each may be NULL. */
bool gb_any_hyper(gb_Matrix *C, gb_Matrix *M, gb_Matrix *A, gb_Matrix *B);
/* Whether C, which is empty, will be; hyper.c. */
bool gb_begins_hyper(const gb_Matrix *C, gb_Matrix *A, gb_Matrix *B);
/* Whether a dimension of any is beyond what ordinary operations take. */
bool gb_any_huge(const gb_Matrix *C, const gb_Matrix *M, const gb_Matrix *A, const gb_Matrix *B);
/* So many entries that row lists would take more memory than pointers to all rows. */
static inline bool gb_is_filled(const gb_Matrix *v) {
    return v->nvals > v->nrows / GB_HYPER_FEW;
}

/* Whether the call wants the GPU, whose kernels read operands as they are. */
bool gb_wants_gpu(void);
/* Whether an operation with `follows` runs on row lists although an operand has many entries: a
 * hypersparse one, or (by_mask) the mask, limits what contributes; *stays: and a large C stays. */
bool gb_follows_few(const gb_Op *op, const void *call, bool by_mask, bool *stays);

gbl_Info gb_run_compact(const gb_Op *op, const void *call);

/* The steps of gb_run_compact, for calls that want more of it. */
typedef struct {
    gb_Matrix *object; /* NULL: none */
    gb_Dimension rows, cols;
    bool large; /* an input that is gathered from, where the call follows its operands */
} gb_HyperOperand;
struct gb_HyperCall {
    const gb_Op *op;
    const void *call;
    gb_HyperOperand operand[GB_OPERANDS];
    gb_Mask mask; /* its M is operand[GB_OF_M] */
    const gb_BinaryOp *accum;
    bool keeps;                      /* C's content counts, whatever mask and accum */
    gb_RowList *more[GB_DIMENSIONS]; /* NULL, or indices that are wanted besides */
    /* made by gb_hyper_open */
    gb_RowList *list[GB_DIMENSIONS];
    gb_Compact compact[GB_OPERANDS];
    bool follows;  /* row lists have what contributes only; NULL: all of a dimension */
    bool in_place; /* C's own compact matrix is written */
};
/* Operands, mask and accumulator of the call. */
void gb_hyper_begin(gb_HyperCall *hyper, const gb_Op *op, const void *call);
void gb_hyper_operand(gb_HyperCall *hyper, gb_OperandOf which, gb_Matrix *A, gb_Dimension rows,
                      gb_Dimension cols);
/* Afterwards every operand has its compact form. */
gbl_Info gb_hyper_open(gb_HyperCall *hyper);
static inline gb_Matrix *gb_core(const gb_HyperCall *hyper, gb_OperandOf which) {
    return hyper->compact[which].m;
}
/* *call, of at least op->bytes, is the same on compact operands. */
void gb_hyper_core_call(const gb_HyperCall *hyper, void *call);
/* info: what the operation on the compact forms gave. The output becomes C's content after a
 * success; all is released. */
gbl_Info gb_hyper_close(gb_HyperCall *hyper, gbl_Info info);
/* Open, run, close. */
gbl_Info gb_hyper_run(gb_HyperCall *hyper);

/* -- operators by position must see the indices that rows and columns of compact matrices stand
 * for, which are wider than those of kernels */

/* Whether the operator looks at positions. */
static inline bool gb_sees_positions(const gb_IndexUnaryOp *op) {
    return op->code < GB_VALUEEQ;
}

/* Replaces the operator in kernels; maps to the indices of the row lists, which must outlive it;
 * where that is NULL, as for the column of vectors, the position is the index. */
typedef struct {
    gb_IndexUnaryOp op; /* the first member, since its batch function gets its address */
    const gb_IndexUnaryOp *own;
    const gb_RowList *rows, *cols;
} gb_PositionOp;
gb_PositionOp gb_position_op(const gb_IndexUnaryOp *op, const gb_RowList *rows,
                             const gb_RowList *cols);

/* -- checks of shapes and types, with the texts of their failures */

/* GBL_DIMENSION_MISMATCH unless A, transposed on request, is nrows x ncols (or has nrows elements,
 * for a vector). */
gbl_Info gb_check_shape(const gb_Matrix *A, bool transposed, uint64_t nrows, uint64_t ncols,
                        const char *name);
/* GBL_DIMENSION_MISMATCH unless w has an element for each row of A, or of A'. */
gbl_Info gb_check_per_row(const gb_Matrix *w, const gb_Matrix *A, bool transposed);
/* GBL_DOMAIN_MISMATCH unless values of `from` can be cast to `to`; what: "A into op's input". */
gbl_Info gb_check_cast(const gb_Type *to, const gb_Type *from, const char *what);
/* C's type can hold type, the mask has C's shape and a built-in type (or is structural), accum's
 * types fit. */
gbl_Info gb_check_output(const gb_Matrix *C, const gb_Mask *mask, const gb_BinaryOp *accum,
                         const gb_Type *type);
/* GBL_NULL_POINTER, or GBL_INDEX_OUT_OF_BOUNDS for an index that is not below the dimension. */
gbl_Info gb_indices_check(const gb_Indices *indices, uint64_t dimension, const char *name);
/* "INT32", "a user type of 24 bytes": for messages; space holds at least GB_TYPE_TEXT bytes. */
enum { GB_TYPE_TEXT = 48 };
const char *gb_type_text(const gb_Type *type, char *space);
