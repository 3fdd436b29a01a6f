/* SPDX-License-Identifier: Apache-2.0
 *
 * The oracle: every operation of the library once more, by the text of the GraphBLAS standard, over
 * dense arrays of cells. It knows nothing of the library but its public header, and nothing of
 * sparsity: what it computes is plain enough to be checked by reading.
 *
 * A vector is an n x 1 matrix. Cells are row-major, so the same cells are also the 1 x n matrix
 * that vxm wants. A value is a union; its type is kept beside it, once per matrix.
 */
#pragma once

#include "gblite.h"

/* -- values and types */

typedef union {
    bool b;
    int8_t i8;
    int16_t i16;
    int32_t i32;
    int64_t i64;
    uint8_t u8;
    uint16_t u16;
    uint32_t u32;
    uint64_t u64;
    float f32;
    double f64;
    gbl_FC32 c32;
    gbl_FC64 c64;
    unsigned char raw[24]; /* user-defined types, up to 24 bytes */
} o_Value;

typedef struct {
    gbl_Type_Code code;
    size_t size;
    gbl_Type handle; /* the library's object */
} o_Type;

typedef struct {
    bool has;
    o_Value v;
} o_Cell;

typedef struct {
    o_Type type;
    gbl_Index nrows, ncols;
    o_Cell *x; /* [nrows * ncols], row-major */
} o_Matrix;

o_Type o_type(gbl_Type_Code code);                            /* a built-in type */
bool o_same(o_Type type, const o_Value *a, const o_Value *b); /* NaN is the same as NaN */
bool o_truth(o_Type type, const o_Value *v);
bool o_is_float(gbl_Type_Code code); /* or complex */
/* |a - b| <= tolerance * max(1, |a|, |b|) for floats; o_same for the others */
bool o_close(o_Type type, const o_Value *a, const o_Value *b, double tolerance);
/* built-in types as C casts, except floats to integers: NaN gives 0, the rest saturates */
o_Value o_cast(o_Type to, o_Type from, o_Value v);
/* text of a value, for messages; `text` has room for 64 bytes */
const char *o_text(char *text, o_Type type, const o_Value *v);

/* -- operators; the built-in ones by what they compute */

typedef enum {
    O_USER,
    O_IDENTITY,
    O_ABS,
    O_AINV,
    O_MINV,
    O_LNOT,
    O_BNOT,
    O_ONE,
    O_FIRST,
    O_SECOND,
    O_ONEB,
    O_ANY,
    O_MIN,
    O_MAX,
    O_PLUS,
    O_MINUS,
    O_TIMES,
    O_DIV,
    O_EQ,
    O_NE,
    O_GT,
    O_LT,
    O_GE,
    O_LE,
    O_LOR,
    O_LAND,
    O_LXOR,
    O_LXNOR,
    O_BOR,
    O_BAND,
    O_BXOR,
    O_BXNOR,
    O_FIRSTI,
    O_FIRSTJ,
    O_SECONDI,
    O_SECONDJ,
    O_RMINUS, /* of complex numbers */
    O_RDIV,
    O_ISEQ,
    O_ISNE,
    O_CONJ,
    O_ROWINDEX,
    O_COLINDEX,
    O_DIAGINDEX,
    O_TRIL,
    O_TRIU,
    O_DIAG,
    O_OFFDIAG,
    O_COLLE,
    O_COLGT,
    O_ROWLE,
    O_ROWGT,
    O_VALUEEQ,
    O_VALUENE,
    O_VALUELT,
    O_VALUELE,
    O_VALUEGT,
    O_VALUEGE
} o_Opcode;

typedef struct {
    o_Opcode op;
    o_Type z, x;
    gbl_unary_function user;
    gbl_UnaryOp handle;
} o_Unary;

typedef struct {
    o_Opcode op;
    o_Type z, x, y;
    gbl_binary_function user;
    gbl_BinaryOp handle;
} o_Binary;

typedef struct {
    o_Opcode op;
    o_Type z, x, y;
    gbl_index_unary_function user;
    gbl_IndexUnaryOp handle;
} o_Index;

typedef struct {
    o_Binary op;
    o_Value identity;
    gbl_Monoid handle;
} o_Monoid;

typedef struct {
    o_Binary add, multiply;
    gbl_Semiring handle;
} o_Ring;

typedef struct {
    gbl_Index i, k, j; /* the product is A(i,k) * B(k,j) */
} o_Place;

o_Value o_unary(const o_Unary *op, o_Value x);
o_Value o_binary(const o_Binary *op, o_Value x, o_Value y, o_Place at);
o_Value o_index(const o_Index *op, o_Value x, gbl_Index i, gbl_Index j, o_Value y);
/* the same with arguments of other types: cast in, but not out */
o_Value o_binary_cast(const o_Binary *op, o_Type xt, o_Value x, o_Type yt, o_Value y);

/* -- operations: C<M, replace> accum= T. C may also be an input or the mask. */

typedef struct {
    const o_Matrix *mask; /* NULL: none */
    bool comp, structural, replace;
    const o_Binary *accum; /* NULL: none */
    bool tran0, tran1;
} o_Rule;

o_Matrix o_new(o_Type type, gbl_Index nrows, gbl_Index ncols);
o_Matrix o_copy(const o_Matrix *A);
void o_free(o_Matrix *A);
o_Matrix o_as_row(const o_Matrix *v); /* the same cells as 1 x n; not to be freed */
gbl_Index o_count(const o_Matrix *A);

/* Where the additive operator is ANY every product is right; `found` is the library's result, and
 * the oracle picks the product that agrees with it, if one does. Else `found` may be NULL. */
typedef struct {
    const o_Ring *ring;
    const o_Matrix *A, *B, *found;
} o_Product;
void o_mxm(o_Matrix *C, const o_Rule *rule, const o_Product *product);

typedef struct {
    const o_Matrix *A, *B;
    bool both; /* intersection of the patterns, else the union */
} o_Pair;
void o_ewise(o_Matrix *C, const o_Rule *rule, const o_Binary *op, const o_Pair *pair);

void o_apply(o_Matrix *C, const o_Rule *rule, const o_Unary *op, const o_Matrix *A);
/* op(x, A(i,j)) or op(A(i,j), x); x has the type xt */
typedef struct {
    const o_Binary *op;
    bool first;
    o_Type type;
    o_Value x;
} o_Bound;
void o_apply_bound(o_Matrix *C, const o_Rule *rule, const o_Bound *bound, const o_Matrix *A);
typedef struct {
    const o_Index *op;
    o_Type type;
    o_Value y;
} o_Indexed;
void o_apply_index(o_Matrix *C, const o_Rule *rule, const o_Indexed *op, const o_Matrix *A);
void o_select(o_Matrix *C, const o_Rule *rule, const o_Indexed *op, const o_Matrix *A);

void o_transpose(o_Matrix *C, const o_Rule *rule, const o_Matrix *A);
void o_assign(o_Matrix *C, const o_Rule *rule, const o_Matrix *A);
void o_assign_value(o_Matrix *C, const o_Rule *rule, o_Type type, o_Value x);
/* C<M>(I, J) accum= A: row a of A goes to row I[a] of C, column b to column J[b] */
typedef struct {
    const gbl_Index *I, *J; /* distinct */
    gbl_Index ni, nj;
} o_Region;
void o_assign_at(o_Matrix *C, const o_Rule *rule, const o_Region *region, const o_Matrix *A);
/* C<m>(I, j) accum= u, or C<m>(i, J) accum= u', by the rule of a vector: its mask and replace
 * concern the line alone; `list` has u's length */
typedef struct {
    bool is_row;
    gbl_Index line;
    const gbl_Index *list; /* distinct */
    gbl_Index n;
} o_Line;
void o_assign_line(o_Matrix *C, const o_Rule *rule, const o_Line *line, const o_Matrix *u);
/* C<M> accum= A(I, J); the lists may repeat themselves */
void o_extract(o_Matrix *C, const o_Rule *rule, const o_Region *region, const o_Matrix *A);
void o_kronecker(o_Matrix *C, const o_Rule *rule, const o_Binary *op, const o_Pair *pair);
/* w<m> accum= the sums of the rows of A */
void o_reduce_rows(o_Matrix *w, const o_Rule *rule, const o_Binary *op, const o_Matrix *A);
/* all entries of A joined by op; has is false when A has none */
o_Cell o_reduce(const o_Binary *op, const o_Matrix *A);
