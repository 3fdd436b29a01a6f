/* SPDX-License-Identifier: Apache-2.0
 *
 * Operations whose operands lie block upon block, piece upon piece: gblite's, in every process.
 * Operators by position see positions in the whole: their argument y is moved by where a block
 * begins, which is all that predefined ones need.
 */
#include "dist.h"

/* What gblite's function of one block is given; desc has no transpositions left. */
typedef struct {
    gbl_BinaryOp accum, binary;
    gbl_UnaryOp unary;
    gbl_IndexUnaryOp index;
    gbl_Scalar y;
    gbl_Descriptor desc;
} Local;

/* Operators by position, and how y moves for a block that begins at (row, col). */
static const struct {
    const gbl_IndexUnaryOp *op;
    int row, col;
} positions[] = {
    {&GBL_TRIL, 1, -1},
    {&GBL_TRIU, 1, -1},
    {&GBL_DIAG, 1, -1},
    {&GBL_OFFDIAG, 1, -1},
    {&GBL_ROWLE, -1, 0},
    {&GBL_ROWGT, -1, 0},
    {&GBL_COLLE, 0, -1},
    {&GBL_COLGT, 0, -1},
    {&GBL_ROWINDEX_INT32, 1, 0},
    {&GBL_ROWINDEX_INT64, 1, 0},
    {&GBL_COLINDEX_INT32, 0, 1},
    {&GBL_COLINDEX_INT64, 0, 1},
    {&GBL_DIAGINDEX_INT32, -1, 1},
    {&GBL_DIAGINDEX_INT64, -1, 1},
};

bool gb_looks_at_values(gbl_IndexUnaryOp op) {
    int32_t by_position = 1;
    return gbl_IndexUnaryOp_get_INT32(op, &by_position, GBL_BY_POSITION) == GBL_SUCCESS &&
           !by_position;
}

/* *moved is a new scalar: y as the block at (row, col) must see it. */
static gbl_Info move_scalar(gbl_Scalar *moved, gbl_IndexUnaryOp op, gbl_Scalar y, gbl_Index row,
                            gbl_Index col) {
    int64_t value = 0;
    gbl_Info info;
    if (gb_looks_at_values(op)) return gbl_Scalar_dup(moved, y);
    for (size_t k = 0; k < sizeof positions / sizeof *positions; k++) {
        if (*positions[k].op != op) continue;
        if ((info = gbl_Scalar_extractElement_INT64(&value, y)) ||
            (info = gbl_Scalar_new(moved, GBL_INT64)))
            return info < 0 ? info : gbl_fail(GBL_EMPTY_OBJECT, NULL, "y has no value");
        value += positions[k].row * (int64_t)row + positions[k].col * (int64_t)col;
        return gbl_Scalar_setElement_INT64(*moved, value);
    }
    return gbl_fail(GBL_NOT_IMPLEMENTED, NULL,
                    "over many processes index operators are the predefined ones");
}

/* -- matrices */

typedef gbl_Info (*OnBlocks)(gbl_Matrix C, gbl_Matrix M, gbl_Matrix A, gbl_Matrix B,
                             const Local *local);

typedef struct {
    gbl_DistMatrix C, M, A, B; /* M and B may be NULL */
    OnBlocks function;
    Local local;
} MatrixCall;

static gbl_Info check_matrices(const MatrixCall *c) {
    const gbl_DistMatrix objects[] = {c->C, c->A, c->M ? c->M : c->C, c->B ? c->B : c->C};
    if (!c->C) return gbl_fail(GBL_NULL_POINTER, NULL, "the output is NULL");
    return gb_on_grid(c->C->grid, objects, 4);
}

static gbl_Info same_shape(gbl_DistMatrix C, gbl_DistMatrix A) {
    if (!A || (C->nrows == A->nrows && C->ncols == A->ncols)) return GBL_SUCCESS;
    return gbl_fail(GBL_DIMENSION_MISMATCH, NULL,
                    "an operand is %llu x %llu, the output %llu x %llu",
                    (unsigned long long)A->nrows, (unsigned long long)A->ncols,
                    (unsigned long long)C->nrows, (unsigned long long)C->ncols);
}

static const gbl_Desc_Field writing[] = {GBL_OUTP, GBL_MASK};

static gbl_Info on_blocks(const MatrixCall *c, gbl_Descriptor desc) {
    gbl_DistMatrix A = NULL, B = NULL, a = NULL, b = NULL;
    gbl_Matrix T = NULL;
    Local local = c->local;
    gbl_Info info;
    local.y = NULL;
    local.desc = NULL;
    if ((info = check_matrices(c)) || (info = gb_operand(&A, &a, c->A, desc, GBL_INP0)) ||
        (c->B && (info = gb_operand(&B, &b, c->B, desc, GBL_INP1))) ||
        (info = same_shape(c->C, A)) || (info = same_shape(c->C, B)) ||
        (info = same_shape(c->C, c->M)))
        goto done;
    info = gb_descriptor(&local.desc, desc, writing, 2);
    if (!info && c->local.index)
        info = move_scalar(&local.y, local.index, c->local.y, gb_rows(A).first, gb_cols(A).first);
    if (!info && !(info = gb_output(&T, c->C, c->M || local.accum)))
        info = c->function(T, c->M ? c->M->block : NULL, A->block, B ? B->block : NULL, &local);
    info = gb_agree_block(c->C, info, T);
done:
    gbl_DistMatrix_free(&a);
    gbl_DistMatrix_free(&b);
    gbl_Scalar_free(&local.y);
    gbl_Descriptor_free(&local.desc);
    return info;
}

/* -- vectors */

typedef gbl_Info (*OnPieces)(gbl_Vector w, gbl_Vector m, gbl_Vector u, gbl_Vector v,
                             const Local *local);

typedef struct {
    gbl_DistVector C, M, A, B;
    OnPieces function;
    Local local;
} VectorCall;

static gbl_Info check_vectors(const VectorCall *c) {
    const gbl_DistVector objects[] = {c->A, c->M ? c->M : c->C, c->B ? c->B : c->C};
    if (!c->C) return gbl_fail(GBL_NULL_POINTER, NULL, "the output is NULL");
    for (int k = 0; k < 3; k++) {
        if (!objects[k]) return gbl_fail(GBL_NULL_POINTER, NULL, "a distributed vector is NULL");
        if (objects[k]->grid != c->C->grid)
            return gbl_fail(GBL_INVALID_VALUE, NULL, "operands are on different grids");
        if (objects[k]->size != c->C->size)
            return gbl_fail(GBL_DIMENSION_MISMATCH, NULL,
                            "an operand has %llu elements, the output %llu",
                            (unsigned long long)objects[k]->size, (unsigned long long)c->C->size);
    }
    return GBL_SUCCESS;
}

static gbl_Info on_pieces(const VectorCall *c, gbl_Descriptor desc) {
    gbl_Vector t = NULL;
    Local local = c->local;
    gbl_Info info = check_vectors(c);
    if (info) return info;
    local.y = NULL;
    local.desc = NULL;
    info = gb_descriptor(&local.desc, desc, writing, 2);
    if (!info && c->local.index)
        info = move_scalar(&local.y, local.index, c->local.y, gb_piece(c->A).first, 0);
    if (!info && !(info = gb_output_piece(&t, c->C, c->M || local.accum)))
        info = c->function(t, c->M ? c->M->piece : NULL, c->A->piece, c->B ? c->B->piece : NULL,
                           &local);
    info = gb_agree_piece(c->C, info, t);
    gbl_Scalar_free(&local.y);
    gbl_Descriptor_free(&local.desc);
    return info;
}

/* -- the functions, of matrices and vectors alike */

#define PART_Matrix gbl_Matrix
#define PART_Vector gbl_Vector
#define RUN_Matrix on_blocks
#define RUN_Vector on_pieces
#define LOCAL(K, name)                                                                             \
    static gbl_Info name##_##K(PART_##K C, PART_##K M, PART_##K A, PART_##K B, const Local *l)
#define DEFINE(K)                                                                                  \
    LOCAL(K, add) {                                                                                \
        return gbl_##K##_eWiseAdd_BinaryOp(C, M, l->accum, l->binary, A, B, l->desc);              \
    }                                                                                              \
    LOCAL(K, mult) {                                                                               \
        return gbl_##K##_eWiseMult_BinaryOp(C, M, l->accum, l->binary, A, B, l->desc);             \
    }                                                                                              \
    LOCAL(K, apply) {                                                                              \
        (void)B;                                                                                   \
        return gbl_##K##_apply(C, M, l->accum, l->unary, A, l->desc);                              \
    }                                                                                              \
    LOCAL(K, at) {                                                                                 \
        (void)B;                                                                                   \
        return gbl_##K##_apply_IndexOp_Scalar(C, M, l->accum, l->index, A, l->y, l->desc);         \
    }                                                                                              \
    LOCAL(K, select) {                                                                             \
        (void)B;                                                                                   \
        return gbl_##K##_select_Scalar(C, M, l->accum, l->index, A, l->y, l->desc);                \
    }                                                                                              \
    gbl_Info gbl_Dist##K##_eWiseAdd(gbl_Dist##K C, gbl_Dist##K M, gbl_BinaryOp accum,              \
                                    gbl_BinaryOp op, gbl_Dist##K A, gbl_Dist##K B,                 \
                                    gbl_Descriptor desc) {                                         \
        if (!B) return gbl_fail(GBL_NULL_POINTER, NULL, "gbl_Dist" #K "_eWiseAdd: B is NULL");     \
        const K##Call c = {C, M, A, B, add_##K, {.accum = accum, .binary = op}};                   \
        return RUN_##K(&c, desc);                                                                  \
    }                                                                                              \
    gbl_Info gbl_Dist##K##_eWiseMult(gbl_Dist##K C, gbl_Dist##K M, gbl_BinaryOp accum,             \
                                     gbl_BinaryOp op, gbl_Dist##K A, gbl_Dist##K B,                \
                                     gbl_Descriptor desc) {                                        \
        if (!B) return gbl_fail(GBL_NULL_POINTER, NULL, "gbl_Dist" #K "_eWiseMult: B is NULL");    \
        const K##Call c = {C, M, A, B, mult_##K, {.accum = accum, .binary = op}};                  \
        return RUN_##K(&c, desc);                                                                  \
    }                                                                                              \
    gbl_Info gbl_Dist##K##_apply(gbl_Dist##K C, gbl_Dist##K M, gbl_BinaryOp accum, gbl_UnaryOp op, \
                                 gbl_Dist##K A, gbl_Descriptor desc) {                             \
        const K##Call c = {C, M, A, NULL, apply_##K, {.accum = accum, .unary = op}};               \
        return RUN_##K(&c, desc);                                                                  \
    }                                                                                              \
    gbl_Info gbl_Dist##K##_apply_IndexOp(gbl_Dist##K C, gbl_Dist##K M, gbl_BinaryOp accum,         \
                                         gbl_IndexUnaryOp op, gbl_Dist##K A, gbl_Scalar y,         \
                                         gbl_Descriptor desc) {                                    \
        const K##Call c = {C, M, A, NULL, at_##K, {.accum = accum, .index = op, .y = y}};          \
        return RUN_##K(&c, desc);                                                                  \
    }                                                                                              \
    gbl_Info gbl_Dist##K##_select(gbl_Dist##K C, gbl_Dist##K M, gbl_BinaryOp accum,                \
                                  gbl_IndexUnaryOp op, gbl_Dist##K A, gbl_Scalar y,                \
                                  gbl_Descriptor desc) {                                           \
        const K##Call c = {C, M, A, NULL, select_##K, {.accum = accum, .index = op, .y = y}};      \
        return RUN_##K(&c, desc);                                                                  \
    }
DEFINE(Matrix)
DEFINE(Vector)
#undef DEFINE
#undef LOCAL
