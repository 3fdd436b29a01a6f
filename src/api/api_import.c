/* SPDX-License-Identifier: Apache-2.0
 *
 * gbl_Matrix_{import,export,exportSize,exportHint,moveIn,moveInto,lend,view,moveOut}, those of
 * vectors, gbl_K_{lendDense,moveOutDense} and gbl_Matrix_{serializeSize,serialize,deserialize,map}.
 */
#include "api/check.h"

static gbl_Info gb_check_format(gbl_Format format, bool coo_too) {
    if (format == GBL_CSR_FORMAT || format == GBL_CSC_FORMAT) return GBL_SUCCESS;
    if (format == GBL_COO_FORMAT && coo_too) return GBL_SUCCESS;
    return gb_fail(GBL_INVALID_VALUE, "format is %d, but must be GBL_CSR_FORMAT%s", (int)format,
                   coo_too ? ", GBL_CSC_FORMAT or GBL_COO_FORMAT" : " or GBL_CSC_FORMAT");
}

/* Arrays without elements may be NULL. */
static gbl_Info gb_check_array(const void *array, gbl_Index length, const char *name) {
    return length == 0 ? GBL_SUCCESS : gb_check_pointer(array, name);
}

static gb_Format gb_internal_format(gbl_Format format) {
    return format == GBL_CSR_FORMAT ? GB_CSR : GB_CSC;
}

/* -- import */

static gbl_Info gb_import(gbl_Matrix *A, gbl_Type type, const gb_Import *in, gbl_Type_Code code) {
    gbl_Info info = gb_begin_new(A, "A");
    if (info == GBL_SUCCESS) info = gb_check_type(type, "type");
    if (info == GBL_SUCCESS) info = gb_passed_same(code, type);
    if (info == GBL_SUCCESS) info = gb_check_format(in->format, true);
    if (info == GBL_SUCCESS) info = gb_check_array(in->Ap, in->plen, "Ap");
    if (info == GBL_SUCCESS) info = gb_check_array(in->Ai, in->ilen, "Ai");
    if (info == GBL_SUCCESS) info = gb_check_array(in->Ax, in->xlen, "Ax");
    if (info != GBL_SUCCESS) return info;
    gb_Matrix *made = NULL;
    info = gb_matrix_import(&made, type, in);
    *A = (gbl_Matrix)made;
    return info;
}

#define GB_DEFINE(N, T)                                                                            \
    gbl_Info gbl_Matrix_import_##N(gbl_Matrix *A, gbl_Type type, gbl_Index nrows, gbl_Index ncols, \
                                   const gbl_Index *Ap, const gbl_Index *Ai, const T *Ax,          \
                                   gbl_Index Ap_len, gbl_Index Ai_len, gbl_Index Ax_len,           \
                                   gbl_Format format) {                                            \
        const gb_Import in = {nrows, ncols, format, Ap, Ai, Ax, Ap_len, Ai_len, Ax_len};           \
        return gb_import(A, type, &in, GBL_##N##_CODE);                                            \
    }
GBL_FOREACH_ARRAY(GB_DEFINE)
#undef GB_DEFINE

/* -- export */

static gbl_Info gb_export(gbl_Matrix A, const gb_Export *out, gbl_Type_Code code) {
    gbl_Info info = GB_BEGIN(Matrix, A, INPUT);
    if (info == GBL_SUCCESS) info = gb_check_pointer(out->plen, "Ap_len");
    if (info == GBL_SUCCESS) info = gb_check_pointer(out->ilen, "Ai_len");
    if (info == GBL_SUCCESS) info = gb_check_pointer(out->xlen, "Ax_len");
    if (info == GBL_SUCCESS) info = gb_passed_same(code, A->m.type);
    if (info == GBL_SUCCESS) info = gb_check_format(out->format, true);
    if (info == GBL_SUCCESS) info = gb_check_array(out->Ap, *out->plen, "Ap");
    if (info == GBL_SUCCESS) info = gb_check_array(out->Ai, *out->ilen, "Ai");
    if (info == GBL_SUCCESS) info = gb_check_array(out->Ax, *out->xlen, "Ax");
    return info == GBL_SUCCESS ? gb_matrix_export(&A->m, out) : info;
}

#define GB_DEFINE(N, T)                                                                            \
    gbl_Info gbl_Matrix_export_##N(gbl_Index *Ap, gbl_Index *Ai, T *Ax, gbl_Index *Ap_len,         \
                                   gbl_Index *Ai_len, gbl_Index *Ax_len, gbl_Format format,        \
                                   gbl_Matrix A) {                                                 \
        const gb_Export out = {Ap, Ai, Ax, Ap_len, Ai_len, Ax_len, format};                        \
        return gb_export(A, &out, GBL_##N##_CODE);                                                 \
    }
GBL_FOREACH_ARRAY(GB_DEFINE)
#undef GB_DEFINE

gbl_Info gbl_Matrix_exportSize(gbl_Index *Ap_len, gbl_Index *Ai_len, gbl_Index *Ax_len,
                               gbl_Format format, gbl_Matrix A) {
    gbl_Info info = GB_BEGIN(Matrix, A, INPUT);
    if (info == GBL_SUCCESS) info = gb_check_pointer(Ap_len, "Ap_len");
    if (info == GBL_SUCCESS) info = gb_check_pointer(Ai_len, "Ai_len");
    if (info == GBL_SUCCESS) info = gb_check_pointer(Ax_len, "Ax_len");
    if (info == GBL_SUCCESS) info = gb_check_format(format, true);
    if (info == GBL_SUCCESS) info = gb_matrix_export_size(&A->m, format, Ap_len, Ai_len);
    if (info == GBL_SUCCESS) *Ax_len = *Ai_len;
    return info;
}

gbl_Info gbl_Matrix_exportHint(gbl_Format *format, gbl_Matrix A) {
    gb_Format exists = GB_CSR;
    gbl_Info info = GB_BEGIN(Matrix, A, INPUT);
    if (info == GBL_SUCCESS) info = gb_check_pointer(format, "format");
    if (info == GBL_SUCCESS && !gb_is_hyper(&A->m)) info = gb_any_format(&A->m, GB_CSR, &exists);
    if (info != GBL_SUCCESS) return info;
    *format = exists == GB_CSR ? GBL_CSR_FORMAT : GBL_CSC_FORMAT;
    if (gb_is_hyper(&A->m)) *format = GBL_COO_FORMAT;
    return GBL_SUCCESS;
}

/* -- arrays that move */

static gbl_Info gb_make_of(gb_Matrix **made, gb_Type *type, gb_MoveIn *in, gbl_Format format) {
    gbl_Info info = gb_check_format(format, false);
    if (info == GBL_SUCCESS) info = gb_check_pointer(in->arrays, "arrays");
    if (info == GBL_SUCCESS) info = gb_check_pointer(in->arrays->p, "arrays.p");
    if (info != GBL_SUCCESS) return info;
    in->format = gb_internal_format(format);
    return gb_matrix_move_in(made, type, in);
}

static gbl_Info gb_move_in(gbl_Matrix *A, gbl_Type type, gb_MoveIn *in, gbl_Format format) {
    gb_Matrix *made = NULL;
    gbl_Info info = gb_begin_new(A, "A");
    if (info == GBL_SUCCESS) info = gb_check_type(type, "type");
    if (info == GBL_SUCCESS) info = gb_make_of(&made, type, in, format);
    if (info == GBL_SUCCESS) *A = (gbl_Matrix)made;
    return info;
}

gbl_Info gbl_Matrix_moveIn(gbl_Matrix *A, gbl_Type type, gbl_Index nrows, gbl_Index ncols,
                           gbl_Format format, gbl_Arrays *arrays) {
    gb_MoveIn in = {.nrows = nrows, .ncols = ncols, .arrays = arrays};
    const gbl_Info info = gb_move_in(A, type, &in, format);
    if (info == GBL_SUCCESS) *arrays = (gbl_Arrays){.iso = arrays->iso};
    return info;
}

/* Vectors are a column. */
static gbl_Info gb_move_into(gb_Matrix *A, gbl_Format format, gbl_Arrays *arrays) {
    gb_Matrix *made = NULL;
    gb_MoveIn in = {.nrows = A->nrows, .ncols = A->ncols, .arrays = arrays};
    const gbl_Info info = gb_make_of(&made, A->type, &in, format);
    if (info != GBL_SUCCESS) return info;
    gb_matrix_move(A, made);
    *arrays = (gbl_Arrays){.iso = arrays->iso};
    gb_matrix_free(made);
    return info;
}

static gbl_Info gb_check_aligned(const void *array, size_t alignment, const char *name) {
    if ((uintptr_t)array % alignment == 0) return GBL_SUCCESS;
    return gb_fail(GBL_INVALID_VALUE, "%s must begin at a multiple of %zu bytes; copy it", name,
                   alignment);
}

static const gbl_Lender gb_nobody;

gbl_Info gbl_Matrix_lend(gbl_Matrix *A, gbl_Type type, gbl_Index nrows, gbl_Index ncols,
                         gbl_Format format, const gbl_Arrays *arrays, const gbl_Lender *lender) {
    if (A != NULL && type != NULL && arrays != NULL) {
        *A = NULL;
        gbl_Info info = gb_check_type(type, "type");
        if (info == GBL_SUCCESS) info = gb_check_aligned(arrays->p, sizeof(uint64_t), "arrays.p");
        if (info == GBL_SUCCESS) info = gb_check_aligned(arrays->i, sizeof(uint32_t), "arrays.i");
        if (info == GBL_SUCCESS)
            info = gb_check_aligned(arrays->x, gb_alignment_of(type->size), "arrays.x");
        if (info != GBL_SUCCESS) return info;
    }
    gb_MoveIn in = {.nrows = nrows, .ncols = ncols, .arrays = arrays};
    in.lender = lender != NULL ? lender : &gb_nobody;
    return gb_move_in(A, type, &in, format);
}

gbl_Info gbl_Matrix_view(gbl_Arrays *arrays, gbl_Matrix A, gbl_Format format) {
    gbl_Info info = GB_BEGIN(Matrix, A, INPUT);
    if (info == GBL_SUCCESS) info = gb_check_format(format, false);
    if (info == GBL_SUCCESS) info = gb_check_pointer(arrays, "arrays");
    return info == GBL_SUCCESS ? gb_matrix_view(&A->m, gb_internal_format(format), arrays) : info;
}

static gbl_Info gb_move_out(gb_Matrix *A, gbl_Format format, gbl_Arrays *arrays) {
    gbl_Info info = gb_check_format(format, false);
    if (info == GBL_SUCCESS) info = gb_check_pointer(arrays, "arrays");
    return info == GBL_SUCCESS ? gb_matrix_move_out(A, gb_internal_format(format), arrays) : info;
}

static gbl_Info gb_lend_dense(gb_Matrix *A, const gbl_Dense *dense, const gbl_Lender *lender) {
    gbl_Info info = gb_check_pointer(dense, "dense");
    if (info == GBL_SUCCESS)
        info = gb_check_aligned(dense->x, gb_alignment_of(A->type->size), "dense.x");
    if (info != GBL_SUCCESS) return info;
    return gb_matrix_lend_dense(A, dense, lender != NULL ? lender : &gb_nobody);
}

#define GB_DEFINE(NAME, K, PARAMETERS, CALL)                                                       \
    gbl_Info gbl_##K##_##NAME PARAMETERS {                                                         \
        const gbl_Info info = GB_BEGIN(K, A, OUTPUT);                                              \
        return gb_end(A, info == GBL_SUCCESS ? CALL : info);                                       \
    }
#define GB_DENSE(K)                                                                                \
    GB_DEFINE(lendDense, K, (gbl_##K A, const gbl_Dense *dense, const gbl_Lender *lender),         \
              gb_lend_dense(&A->m, dense, lender))                                                 \
    GB_DEFINE(moveOutDense, K, (gbl_##K A, gbl_Dense * dense),                                     \
              dense == NULL ? gb_check_pointer(dense, "dense")                                     \
                            : gb_matrix_move_out_dense(&A->m, dense))
GB_DENSE(Matrix)
GB_DENSE(Vector)
GB_DEFINE(moveInto, Matrix, (gbl_Matrix A, gbl_Format format, gbl_Arrays *arrays),
          gb_move_into(&A->m, format, arrays))
GB_DEFINE(moveOut, Matrix, (gbl_Matrix A, gbl_Format format, gbl_Arrays *arrays),
          gb_move_out(&A->m, format, arrays))
GB_DEFINE(moveInto, Vector, (gbl_Vector A, gbl_Arrays *arrays),
          gb_move_into(&A->m, GBL_CSC_FORMAT, arrays))
GB_DEFINE(moveOut, Vector, (gbl_Vector A, gbl_Arrays *arrays),
          gb_move_out(&A->m, GBL_CSC_FORMAT, arrays))
#undef GB_DENSE
#undef GB_DEFINE

/* -- serialize */

static gbl_Info gb_begin_serial(gbl_Matrix A, const gbl_Index *size) {
    gbl_Info info = gb_check_init();
    if (info == GBL_SUCCESS) info = gb_check_pointer(size, "size");
    return info == GBL_SUCCESS ? GB_CHECK(Matrix, A, "A", INPUT) : info;
}

gbl_Info gbl_Matrix_serializeSize(gbl_Index *size, gbl_Matrix A) {
    const gbl_Info info = gb_begin_serial(A, size);
    return info == GBL_SUCCESS ? gb_matrix_serial_size(&A->m, size) : info;
}

gbl_Info gbl_Matrix_serialize(void *data, gbl_Index *size, gbl_Matrix A) {
    gbl_Info info = gb_begin_serial(A, size);
    if (info == GBL_SUCCESS) info = gb_check_pointer(data, "data");
    return info == GBL_SUCCESS ? gb_matrix_serialize(&A->m, data, size) : info;
}

/* Checks common to deserialize and map. */
static gbl_Info gb_begin_reading(gbl_Matrix *A, gbl_Type type, const void *data) {
    gbl_Info info = gb_begin_new(A, "A");
    if (info == GBL_SUCCESS) info = gb_check_pointer(data, "data");
    if (info == GBL_SUCCESS && type != NULL) info = gb_check_type(type, "type");
    return info;
}

gbl_Info gbl_Matrix_deserialize(gbl_Matrix *A, gbl_Type type, const void *data, gbl_Index size) {
    gbl_Info info = gb_begin_reading(A, type, data);
    if (info != GBL_SUCCESS) return info;
    gb_Matrix *made = NULL;
    info = gb_matrix_deserialize(&made, type, data, size);
    *A = (gbl_Matrix)made;
    return info;
}

gbl_Info gbl_Matrix_map(gbl_Matrix *A, gbl_Type type, const void *data, gbl_Index size, bool check,
                        const gbl_Lender *lender) {
    gbl_Info info = gb_begin_reading(A, type, data);
    if (info == GBL_SUCCESS && (uintptr_t)data % 8 != 0)
        info = gb_fail(GBL_INVALID_VALUE,
                       "data begins %u bytes behind a multiple of 8; align it, or use "
                       "gbl_Matrix_deserialize",
                       (unsigned)((uintptr_t)data % 8));
    if (info != GBL_SUCCESS) return info;
    gb_Matrix *made = NULL;
    const gb_MappedBlock block = {data, size, check, lender != NULL ? lender : &gb_nobody};
    info = gb_matrix_map(&made, type, &block);
    *A = (gbl_Matrix)made;
    return info;
}
