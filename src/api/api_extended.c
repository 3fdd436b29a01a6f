/* SPDX-License-Identifier: Apache-2.0
 *
 * gblite_extended.h: eWiseUnion, subassign, diag, concat, split, reshape.
 */
#include "api/check.h"
#include "ops/operations.h"

/* -- eWiseUnion */

static gbl_Info unite(gb_Union *call, const char *letters, gbl_Scalar alpha, gbl_Scalar beta,
                      gbl_Descriptor desc) {
    const gb_BinaryOp *op = call->ewise.op;
    const gb_Value first = gb_value_in(alpha), last = gb_value_in(beta);
    gb_Builtin space[2];
    gbl_Info info = gb_begin_call(&gb_op_ewise_add, &call->ewise, letters, desc);
    if (info == GBL_SUCCESS) info = gb_check_binary(op, "op");
    if (info == GBL_SUCCESS)
        info = gb_value_bind(&call->alpha, &first, op->xtype, &space[0], "alpha");
    if (info == GBL_SUCCESS) info = gb_value_bind(&call->beta, &last, op->ytype, &space[1], "beta");
    return info == GBL_SUCCESS ? gb_run_union(call) : info;
}

#define GB_DEFINE(K, LETTERS)                                                                      \
    gbl_Info gbl_##K##_eWiseUnion(gbl_##K C, gbl_##K M, gbl_BinaryOp accum, gbl_BinaryOp op,       \
                                  gbl_##K A, gbl_Scalar alpha, gbl_##K B, gbl_Scalar beta,         \
                                  gbl_Descriptor desc) {                                           \
        gb_Union call = {.ewise = {.C = GB_OF(C),                                                  \
                                   .mask.M = GB_OF(M),                                             \
                                   .accum = accum,                                                 \
                                   .op = op,                                                       \
                                   .A = GB_OF(A),                                                  \
                                   .B = GB_OF(B),                                                  \
                                   .unite = true}};                                                \
        return gb_end(C, unite(&call, LETTERS, alpha, beta, desc));                                \
    }
GB_DEFINE(Vector, "wmuv")
GB_DEFINE(Matrix, "CMAB")
#undef GB_DEFINE

/* -- subassign: the part is taken out, written as a whole, and put back. Each step is a call of its
 * own, since the standard's operations are all that it takes. */

static gbl_Index length_of(const gbl_Index *list, gbl_Index n, gbl_Index dimension) {
    return list == GBL_ALL ? dimension : n;
}

/* WRITE writes `part`, a MAKE of the lists' lengths; TAKE and PUT move it out of C and back. */
#define GB_SUBASSIGN(K, O, C, MAKE, TAKE, WRITE, PUT)                                              \
    gbl_##K part = NULL;                                                                           \
    gbl_Info info = gb_check_init();                                                               \
    if (info == GBL_SUCCESS) info = GB_CHECK(O, C, "the output", OUTPUT);                          \
    if (info == GBL_SUCCESS) info = MAKE;                                                          \
    if (info == GBL_SUCCESS) info = TAKE;                                                          \
    if (info == GBL_SUCCESS) info = WRITE;                                                         \
    if (info == GBL_SUCCESS) info = PUT;                                                           \
    gb_matrix_free(GB_OF(part));                                                                   \
    return gb_end(C, info);

#define GB_PART_OF_VECTOR(WRITE)                                                                   \
    GB_SUBASSIGN(Vector, Vector, w,                                                                \
                 gbl_Vector_new(&part, w->m.type, length_of(I, ni, w->m.nrows)),                   \
                 gbl_Vector_extract(part, NULL, NULL, w, I, ni, NULL), WRITE,                      \
                 gbl_Vector_assign(w, NULL, NULL, part, I, ni, NULL))
#define GB_PART_OF_MATRIX(WRITE)                                                                   \
    GB_SUBASSIGN(Matrix, Matrix, C,                                                                \
                 gbl_Matrix_new(&part, C->m.type, length_of(I, ni, C->m.nrows),                    \
                                length_of(J, nj, C->m.ncols)),                                     \
                 gbl_Matrix_extract(part, NULL, NULL, C, I, ni, J, nj, NULL), WRITE,               \
                 gbl_Matrix_assign(C, NULL, NULL, part, I, ni, J, nj, NULL))

gbl_Info gbl_Vector_subassign(gbl_Vector w, gbl_Vector m, gbl_BinaryOp accum, gbl_Vector u,
                              const gbl_Index *I, gbl_Index ni, gbl_Descriptor desc){
    GB_PART_OF_VECTOR(gbl_Vector_assign(part, m, accum, u, GBL_ALL, 0, desc))}

gbl_Info gbl_Vector_subassign_Scalar(gbl_Vector w, gbl_Vector m, gbl_BinaryOp accum, gbl_Scalar x,
                                     const gbl_Index *I, gbl_Index ni, gbl_Descriptor desc){
    GB_PART_OF_VECTOR(gbl_Vector_assign_Scalar(part, m, accum, x, GBL_ALL, 0, desc))}

gbl_Info gbl_Matrix_subassign(gbl_Matrix C, gbl_Matrix M, gbl_BinaryOp accum, gbl_Matrix A,
                              const gbl_Index *I, gbl_Index ni, const gbl_Index *J, gbl_Index nj,
                              gbl_Descriptor desc){
    GB_PART_OF_MATRIX(gbl_Matrix_assign(part, M, accum, A, GBL_ALL, 0, GBL_ALL, 0, desc))}

gbl_Info gbl_Matrix_subassign_Scalar(gbl_Matrix C, gbl_Matrix M, gbl_BinaryOp accum, gbl_Scalar x,
                                     const gbl_Index *I, gbl_Index ni, const gbl_Index *J,
                                     gbl_Index nj, gbl_Descriptor desc){
    GB_PART_OF_MATRIX(gbl_Matrix_assign_Scalar(part, M, accum, x, GBL_ALL, 0, GBL_ALL, 0, desc))}

gbl_Info gbl_Row_subassign(gbl_Matrix C, gbl_Vector m, gbl_BinaryOp accum, gbl_Vector u,
                           gbl_Index i, const gbl_Index *J, gbl_Index nj, gbl_Descriptor desc){
    GB_SUBASSIGN(Vector, Matrix, C, gbl_Vector_new(&part, C->m.type, length_of(J, nj, C->m.ncols)),
                 gbl_Col_extract(part, NULL, NULL, C, J, nj, i, GBL_DESC_T0),
                 gbl_Vector_assign(part, m, accum, u, GBL_ALL, 0, desc),
                 gbl_Row_assign(C, NULL, NULL, part, i, J, nj, NULL))}

gbl_Info gbl_Col_subassign(gbl_Matrix C, gbl_Vector m, gbl_BinaryOp accum, gbl_Vector u,
                           const gbl_Index *I, gbl_Index ni, gbl_Index j, gbl_Descriptor desc){
    GB_SUBASSIGN(Vector, Matrix, C, gbl_Vector_new(&part, C->m.type, length_of(I, ni, C->m.nrows)),
                 gbl_Col_extract(part, NULL, NULL, C, I, ni, j, NULL),
                 gbl_Vector_assign(part, m, accum, u, GBL_ALL, 0, desc),
                 gbl_Col_assign(C, NULL, NULL, part, I, ni, j, NULL))}

/* -- diag, concat, split, reshape */

gbl_Info gbl_Vector_diag(gbl_Vector v, gbl_Matrix A, int64_t k, gbl_Descriptor desc) {
    gb_DiagonalOf call = {.v = GB_OF(v), .A = GB_OF(A), .k = k};
    const gbl_Info info = gb_begin_call(&gb_op_diagonal, &call, "vA", desc);
    return gb_end(v, info == GBL_SUCCESS ? gb_run(&gb_op_diagonal, &call) : info);
}

/* m * n handles, of which there is one at least. */
static gbl_Info check_grid(const gbl_Matrix *Tiles, gbl_Index m, gbl_Index n) {
    size_t bytes;
    const gbl_Info info = gb_check_pointer(Tiles, "Tiles");
    if (info != GBL_SUCCESS) return info;
    if (m == 0 || n == 0)
        return gb_fail(GBL_INVALID_VALUE, "m is %llu and n is %llu; a grid has at least one tile",
                       (unsigned long long)m, (unsigned long long)n);
    if (!gb_size_mul(&bytes, m, n) || !gb_size_mul(&bytes, bytes, sizeof *Tiles))
        return gb_fail_memory(SIZE_MAX);
    return GBL_SUCCESS;
}

gbl_Info gbl_Matrix_concat(gbl_Matrix C, const gbl_Matrix *Tiles, gbl_Index m, gbl_Index n,
                           gbl_Descriptor desc) {
    const gb_Concat call = {
        .C = GB_OF(C), .tiles = (gb_Matrix *const *)(const void *)Tiles, .m = m, .n = n};
    gbl_Info info = gb_begin_value(NULL, desc);
    if (info == GBL_SUCCESS) info = GB_CHECK(Matrix, C, "C", OUTPUT);
    if (info == GBL_SUCCESS) info = check_grid(Tiles, m, n);
    for (gbl_Index t = 0; info == GBL_SUCCESS && t < m * n; t++)
        info = GB_CHECK(Matrix, Tiles[t], "a tile", OUTPUT);
    return gb_end(C, info == GBL_SUCCESS ? gb_run(&gb_op_concat, &call) : info);
}

gbl_Info gbl_Matrix_split(gbl_Matrix *Tiles, gbl_Index m, gbl_Index n, const gbl_Index *nrows,
                          const gbl_Index *ncols, gbl_Matrix A, gbl_Descriptor desc) {
    gbl_Info info = gb_begin_value(NULL, desc);
    if (info == GBL_SUCCESS) info = check_grid(Tiles, m, n);
    if (info != GBL_SUCCESS) return info;
    for (gbl_Index t = 0; t < m * n; t++) Tiles[t] = NULL;
    info = GB_CHECK(Matrix, A, "A", OUTPUT);
    if (info == GBL_SUCCESS) info = gb_check_pointer(nrows, "nrows");
    if (info == GBL_SUCCESS) info = gb_check_pointer(ncols, "ncols");
    const gb_Split call = {.A = GB_OF(A),
                           .tiles = (gb_Matrix **)(void *)Tiles,
                           .m = m,
                           .n = n,
                           .nrows = nrows,
                           .ncols = ncols};
    return info == GBL_SUCCESS ? gb_split(&call) : info;
}

gbl_Info gbl_Matrix_reshape(gbl_Matrix A, bool by_column, gbl_Index nrows, gbl_Index ncols,
                            gbl_Descriptor desc) {
    const gb_Reshape call = {GB_OF(A), by_column, nrows, ncols};
    gbl_Info info = gb_begin_value(NULL, desc);
    if (info == GBL_SUCCESS) info = GB_CHECK(Matrix, A, "A", OUTPUT);
    if (info == GBL_SUCCESS && (nrows > GB_DIMENSION_MAX || ncols > GB_DIMENSION_MAX))
        info = gb_fail(GBL_INVALID_VALUE, "a dimension is above 2^60");
    return gb_end(A, info == GBL_SUCCESS ? gb_run(&gb_op_reshape, &call) : info);
}
