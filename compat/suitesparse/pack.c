/* SPDX-License-Identifier: Apache-2.0
 *
 * GxB_*_pack_*, unpack, import and export, in all of SuiteSparse's formats.
 */
#include "packed.h"

#define OUT(pointer, value)                                                                        \
    if ((pointer) != NULL) *(pointer) = (value);

/* ----------------------------------------------------------- the functions, format by format -- */

#define DEFINE(NAME, BY_COL)                                                                       \
    COMPAT(GxB_Matrix_unpack_##NAME, gbl_Matrix A, gbl_Index **Ap, gbl_Index **Ai, void **Ax,      \
           gbl_Index *Ap_size, gbl_Index *Ai_size, gbl_Index *Ax_size, bool *iso, bool *jumbled,   \
           gbl_Descriptor desc) {                                                                  \
        compat_Packed a;                                                                           \
        (void)desc;                                                                                \
        COMPAT_TRY(compat_unpack_matrix(&a, A, FORM_CS, BY_COL, iso));                             \
        OUT(Ap, a.p)                                                                               \
        OUT(Ai, a.i)                                                                               \
        OUT(Ax, a.x)                                                                               \
        OUT(Ap_size, a.psize)                                                                      \
        OUT(Ai_size, a.isize)                                                                      \
        OUT(Ax_size, a.xsize) OUT(iso, a.iso) OUT(jumbled, false) return GBL_SUCCESS;              \
    }                                                                                              \
    COMPAT(GxB_Matrix_pack_##NAME, gbl_Matrix A, gbl_Index **Ap, gbl_Index **Ai, void **Ax,        \
           gbl_Index Ap_size, gbl_Index Ai_size, gbl_Index Ax_size, bool iso, bool jumbled,        \
           gbl_Descriptor desc) {                                                                  \
        (void)jumbled;                                                                             \
        (void)desc;                                                                                \
        if (Ap == NULL || Ai == NULL || Ax == NULL) return GBL_NULL_POINTER;                       \
        compat_Packed a = {.form = FORM_CS,                                                        \
                           .by_col = BY_COL,                                                       \
                           .iso = iso,                                                             \
                           .p = *Ap,                                                               \
                           .i = *Ai,                                                               \
                           .x = *Ax,                                                               \
                           .psize = Ap_size,                                                       \
                           .isize = Ai_size,                                                       \
                           .xsize = Ax_size};                                                      \
        COMPAT_TRY(compat_pack_matrix(A, &a));                                                     \
        *Ap = *Ai = *Ax = NULL;                                                                    \
        return GBL_SUCCESS;                                                                        \
    }                                                                                              \
    COMPAT(GxB_Matrix_unpack_Hyper##NAME, gbl_Matrix A, gbl_Index **Ap, gbl_Index **Ah,            \
           gbl_Index **Ai, void **Ax, gbl_Index *Ap_size, gbl_Index *Ah_size, gbl_Index *Ai_size,  \
           gbl_Index *Ax_size, bool *iso, gbl_Index *nvec, bool *jumbled, gbl_Descriptor desc) {   \
        compat_Packed a;                                                                           \
        (void)desc;                                                                                \
        COMPAT_TRY(compat_unpack_matrix(&a, A, FORM_HYPER, BY_COL, iso));                          \
        OUT(Ap, a.p)                                                                               \
        OUT(Ah, a.h)                                                                               \
        OUT(Ai, a.i)                                                                               \
        OUT(Ax, a.x)                                                                               \
        OUT(Ap_size, a.psize)                                                                      \
        OUT(Ah_size, a.hsize)                                                                      \
        OUT(Ai_size, a.isize)                                                                      \
        OUT(Ax_size, a.xsize)                                                                      \
        OUT(iso, a.iso) OUT(nvec, a.nvec) OUT(jumbled, false) return GBL_SUCCESS;                  \
    }                                                                                              \
    COMPAT(GxB_Matrix_pack_Hyper##NAME, gbl_Matrix A, gbl_Index **Ap, gbl_Index **Ah,              \
           gbl_Index **Ai, void **Ax, gbl_Index Ap_size, gbl_Index Ah_size, gbl_Index Ai_size,     \
           gbl_Index Ax_size, bool iso, gbl_Index nvec, bool jumbled, gbl_Descriptor desc) {       \
        (void)jumbled;                                                                             \
        (void)desc;                                                                                \
        if (Ap == NULL || Ah == NULL || Ai == NULL || Ax == NULL) return GBL_NULL_POINTER;         \
        compat_Packed a = {.form = FORM_HYPER,                                                     \
                           .by_col = BY_COL,                                                       \
                           .iso = iso,                                                             \
                           .p = *Ap,                                                               \
                           .h = *Ah,                                                               \
                           .i = *Ai,                                                               \
                           .x = *Ax,                                                               \
                           .nvec = nvec,                                                           \
                           .psize = Ap_size,                                                       \
                           .hsize = Ah_size,                                                       \
                           .isize = Ai_size,                                                       \
                           .xsize = Ax_size};                                                      \
        COMPAT_TRY(compat_pack_matrix(A, &a));                                                     \
        *Ap = *Ah = *Ai = *Ax = NULL;                                                              \
        return GBL_SUCCESS;                                                                        \
    }                                                                                              \
    COMPAT(GxB_Matrix_export_##NAME, gbl_Matrix *A, gbl_Type *type, gbl_Index *nrows,              \
           gbl_Index *ncols, gbl_Index **Ap, gbl_Index **Ai, void **Ax, gbl_Index *Ap_size,        \
           gbl_Index *Ai_size, gbl_Index *Ax_size, bool *iso, bool *jumbled,                       \
           gbl_Descriptor desc) {                                                                  \
        COMPAT_TRY(shape_of(A, type, nrows, ncols));                                               \
        COMPAT_TRY(GxB_Matrix_unpack_##NAME(*A, Ap, Ai, Ax, Ap_size, Ai_size, Ax_size, iso,        \
                                            jumbled, desc));                                       \
        return free_matrix(A);                                                                     \
    }                                                                                              \
    COMPAT(GxB_Matrix_import_##NAME, gbl_Matrix *A, gbl_Type type, gbl_Index nrows,                \
           gbl_Index ncols, gbl_Index **Ap, gbl_Index **Ai, void **Ax, gbl_Index Ap_size,          \
           gbl_Index Ai_size, gbl_Index Ax_size, bool iso, bool jumbled, gbl_Descriptor desc) {    \
        COMPAT_TRY(gbl_Matrix_new(A, type, nrows, ncols));                                         \
        return kept(A, GxB_Matrix_pack_##NAME(*A, Ap, Ai, Ax, Ap_size, Ai_size, Ax_size, iso,      \
                                              jumbled, desc));                                     \
    }                                                                                              \
    COMPAT(GxB_Matrix_export_Hyper##NAME, gbl_Matrix *A, gbl_Type *type, gbl_Index *nrows,         \
           gbl_Index *ncols, gbl_Index **Ap, gbl_Index **Ah, gbl_Index **Ai, void **Ax,            \
           gbl_Index *Ap_size, gbl_Index *Ah_size, gbl_Index *Ai_size, gbl_Index *Ax_size,         \
           bool *iso, gbl_Index *nvec, bool *jumbled, gbl_Descriptor desc) {                       \
        COMPAT_TRY(shape_of(A, type, nrows, ncols));                                               \
        COMPAT_TRY(GxB_Matrix_unpack_Hyper##NAME(*A, Ap, Ah, Ai, Ax, Ap_size, Ah_size, Ai_size,    \
                                                 Ax_size, iso, nvec, jumbled, desc));              \
        return free_matrix(A);                                                                     \
    }                                                                                              \
    COMPAT(GxB_Matrix_import_Hyper##NAME, gbl_Matrix *A, gbl_Type type, gbl_Index nrows,           \
           gbl_Index ncols, gbl_Index **Ap, gbl_Index **Ah, gbl_Index **Ai, void **Ax,             \
           gbl_Index Ap_size, gbl_Index Ah_size, gbl_Index Ai_size, gbl_Index Ax_size, bool iso,   \
           gbl_Index nvec, bool jumbled, gbl_Descriptor desc) {                                    \
        COMPAT_TRY(gbl_Matrix_new(A, type, nrows, ncols));                                         \
        return kept(A, GxB_Matrix_pack_Hyper##NAME(*A, Ap, Ah, Ai, Ax, Ap_size, Ah_size, Ai_size,  \
                                                   Ax_size, iso, nvec, jumbled, desc));            \
    }

static gbl_Info shape_of(gbl_Matrix *A, gbl_Type *type, gbl_Index *nrows, gbl_Index *ncols) {
    if (A == NULL || type == NULL || nrows == NULL || ncols == NULL) return GBL_NULL_POINTER;
    COMPAT_TRY(gbl_Matrix_type(type, *A));
    COMPAT_TRY(gbl_Matrix_nrows(nrows, *A));
    return gbl_Matrix_ncols(ncols, *A);
}

static gbl_Info free_matrix(gbl_Matrix *A) {
    compat_extra_drop(*A);
    return gbl_Matrix_free(A);
}

static gbl_Info kept(gbl_Matrix *A, gbl_Info info) {
    if (info != GBL_SUCCESS) free_matrix(A);
    return info;
}

DEFINE(CSR, false)
DEFINE(CSC, true)
#undef DEFINE

#define DEFINE(NAME, BY_COL)                                                                       \
    COMPAT(GxB_Matrix_unpack_Bitmap##NAME, gbl_Matrix A, int8_t **Ab, void **Ax,                   \
           gbl_Index *Ab_size, gbl_Index *Ax_size, bool *iso, gbl_Index *nvals,                    \
           gbl_Descriptor desc) {                                                                  \
        compat_Packed a;                                                                           \
        (void)desc;                                                                                \
        COMPAT_TRY(compat_unpack_matrix(&a, A, FORM_BITMAP, BY_COL, iso));                         \
        OUT(Ab, a.b)                                                                               \
        OUT(Ax, a.x)                                                                               \
        OUT(Ab_size, a.bsize)                                                                      \
        OUT(Ax_size, a.xsize) OUT(iso, a.iso) OUT(nvals, a.nvals) return GBL_SUCCESS;              \
    }                                                                                              \
    COMPAT(GxB_Matrix_pack_Bitmap##NAME, gbl_Matrix A, int8_t **Ab, void **Ax, gbl_Index Ab_size,  \
           gbl_Index Ax_size, bool iso, gbl_Index nvals, gbl_Descriptor desc) {                    \
        (void)nvals;                                                                               \
        (void)desc;                                                                                \
        if (Ab == NULL || Ax == NULL) return GBL_NULL_POINTER;                                     \
        compat_Packed a = {.form = FORM_BITMAP,                                                    \
                           .by_col = BY_COL,                                                       \
                           .iso = iso,                                                             \
                           .b = *Ab,                                                               \
                           .x = *Ax,                                                               \
                           .bsize = Ab_size,                                                       \
                           .xsize = Ax_size};                                                      \
        COMPAT_TRY(compat_pack_matrix(A, &a));                                                     \
        *Ab = *Ax = NULL;                                                                          \
        return GBL_SUCCESS;                                                                        \
    }                                                                                              \
    COMPAT(GxB_Matrix_unpack_Full##NAME, gbl_Matrix A, void **Ax, gbl_Index *Ax_size, bool *iso,   \
           gbl_Descriptor desc) {                                                                  \
        compat_Packed a;                                                                           \
        (void)desc;                                                                                \
        COMPAT_TRY(compat_unpack_matrix(&a, A, FORM_FULL, BY_COL, iso));                           \
        OUT(Ax, a.x) OUT(Ax_size, a.xsize) OUT(iso, a.iso) return GBL_SUCCESS;                     \
    }                                                                                              \
    COMPAT(GxB_Matrix_pack_Full##NAME, gbl_Matrix A, void **Ax, gbl_Index Ax_size, bool iso,       \
           gbl_Descriptor desc) {                                                                  \
        (void)desc;                                                                                \
        if (Ax == NULL) return GBL_NULL_POINTER;                                                   \
        compat_Packed a = {                                                                        \
            .form = FORM_FULL, .by_col = BY_COL, .iso = iso, .x = *Ax, .xsize = Ax_size};          \
        COMPAT_TRY(compat_pack_matrix(A, &a));                                                     \
        *Ax = NULL;                                                                                \
        return GBL_SUCCESS;                                                                        \
    }                                                                                              \
    COMPAT(GxB_Matrix_export_Bitmap##NAME, gbl_Matrix *A, gbl_Type *type, gbl_Index *nrows,        \
           gbl_Index *ncols, int8_t **Ab, void **Ax, gbl_Index *Ab_size, gbl_Index *Ax_size,       \
           bool *iso, gbl_Index *nvals, gbl_Descriptor desc) {                                     \
        COMPAT_TRY(shape_of(A, type, nrows, ncols));                                               \
        COMPAT_TRY(                                                                                \
            GxB_Matrix_unpack_Bitmap##NAME(*A, Ab, Ax, Ab_size, Ax_size, iso, nvals, desc));       \
        return free_matrix(A);                                                                     \
    }                                                                                              \
    COMPAT(GxB_Matrix_import_Bitmap##NAME, gbl_Matrix *A, gbl_Type type, gbl_Index nrows,          \
           gbl_Index ncols, int8_t **Ab, void **Ax, gbl_Index Ab_size, gbl_Index Ax_size,          \
           bool iso, gbl_Index nvals, gbl_Descriptor desc) {                                       \
        COMPAT_TRY(gbl_Matrix_new(A, type, nrows, ncols));                                         \
        return kept(A,                                                                             \
                    GxB_Matrix_pack_Bitmap##NAME(*A, Ab, Ax, Ab_size, Ax_size, iso, nvals, desc)); \
    }                                                                                              \
    COMPAT(GxB_Matrix_export_Full##NAME, gbl_Matrix *A, gbl_Type *type, gbl_Index *nrows,          \
           gbl_Index *ncols, void **Ax, gbl_Index *Ax_size, bool *iso, gbl_Descriptor desc) {      \
        COMPAT_TRY(shape_of(A, type, nrows, ncols));                                               \
        COMPAT_TRY(GxB_Matrix_unpack_Full##NAME(*A, Ax, Ax_size, iso, desc));                      \
        return free_matrix(A);                                                                     \
    }                                                                                              \
    COMPAT(GxB_Matrix_import_Full##NAME, gbl_Matrix *A, gbl_Type type, gbl_Index nrows,            \
           gbl_Index ncols, void **Ax, gbl_Index Ax_size, bool iso, gbl_Descriptor desc) {         \
        COMPAT_TRY(gbl_Matrix_new(A, type, nrows, ncols));                                         \
        return kept(A, GxB_Matrix_pack_Full##NAME(*A, Ax, Ax_size, iso, desc));                    \
    }
DEFINE(R, false)
DEFINE(C, true)
#undef DEFINE

/* -- vectors */

static gbl_Info size_of(gbl_Vector *v, gbl_Type *type, gbl_Index *n) {
    if (v == NULL || type == NULL || n == NULL) return GBL_NULL_POINTER;
    COMPAT_TRY(gbl_Vector_type(type, *v));
    return gbl_Vector_size(n, *v);
}
static gbl_Info free_vector(gbl_Vector *v) {
    compat_extra_drop(*v);
    return gbl_Vector_free(v);
}
static gbl_Info vector_kept(gbl_Vector *v, gbl_Info info) {
    if (info != GBL_SUCCESS) free_vector(v);
    return info;
}

COMPAT(GxB_Vector_unpack_CSC, gbl_Vector v, gbl_Index **vi, void **vx, gbl_Index *vi_size,
       gbl_Index *vx_size, bool *iso, gbl_Index *nvals, bool *jumbled, gbl_Descriptor desc) {
    compat_Packed a;
    (void)desc;
    COMPAT_TRY(compat_unpack_vector(&a, v, FORM_CS, iso));
    gbl_Memory_free(a.p);
    OUT(vi, a.i)
    OUT(vx, a.x)
    OUT(vi_size, a.isize)
    OUT(vx_size, a.xsize)
    OUT(iso, a.iso)
    OUT(nvals, a.nvals)
    OUT(jumbled, false)
    return GBL_SUCCESS;
}
COMPAT(GxB_Vector_pack_CSC, gbl_Vector v, gbl_Index **vi, void **vx, gbl_Index vi_size,
       gbl_Index vx_size, bool iso, gbl_Index nvals, bool jumbled, gbl_Descriptor desc) {
    (void)jumbled;
    (void)desc;
    if (vi == NULL || vx == NULL) return GBL_NULL_POINTER;
    gbl_Index *p = gbl_Memory_malloc(2 * sizeof *p);
    if (p == NULL) return GBL_OUT_OF_MEMORY;
    p[0] = 0;
    p[1] = nvals;
    compat_Packed a = {.form = FORM_CS,
                       .by_col = true,
                       .iso = iso,
                       .p = p,
                       .i = *vi,
                       .x = *vx,
                       .psize = 2 * sizeof *p,
                       .isize = vi_size,
                       .xsize = vx_size};
    const gbl_Info info = compat_pack_vector(v, &a);
    if (info != GBL_SUCCESS) gbl_Memory_free(p);
    if (info == GBL_SUCCESS) *vi = *vx = NULL;
    return info;
}
COMPAT(GxB_Vector_unpack_Bitmap, gbl_Vector v, int8_t **vb, void **vx, gbl_Index *vb_size,
       gbl_Index *vx_size, bool *iso, gbl_Index *nvals, gbl_Descriptor desc) {
    compat_Packed a;
    (void)desc;
    COMPAT_TRY(compat_unpack_vector(&a, v, FORM_BITMAP, iso));
    OUT(vb, a.b)
    OUT(vx, a.x)
    OUT(vb_size, a.bsize)
    OUT(vx_size, a.xsize)
    OUT(iso, a.iso)
    OUT(nvals, a.nvals)
    return GBL_SUCCESS;
}
COMPAT(GxB_Vector_pack_Bitmap, gbl_Vector v, int8_t **vb, void **vx, gbl_Index vb_size,
       gbl_Index vx_size, bool iso, gbl_Index nvals, gbl_Descriptor desc) {
    (void)nvals;
    (void)desc;
    if (vb == NULL || vx == NULL) return GBL_NULL_POINTER;
    compat_Packed a = {.form = FORM_BITMAP,
                       .by_col = true,
                       .iso = iso,
                       .b = *vb,
                       .x = *vx,
                       .bsize = vb_size,
                       .xsize = vx_size};
    COMPAT_TRY(compat_pack_vector(v, &a));
    *vb = *vx = NULL;
    return GBL_SUCCESS;
}
COMPAT(GxB_Vector_unpack_Full, gbl_Vector v, void **vx, gbl_Index *vx_size, bool *iso,
       gbl_Descriptor desc) {
    compat_Packed a;
    (void)desc;
    COMPAT_TRY(compat_unpack_vector(&a, v, FORM_FULL, iso));
    OUT(vx, a.x)
    OUT(vx_size, a.xsize)
    OUT(iso, a.iso)
    return GBL_SUCCESS;
}
COMPAT(GxB_Vector_pack_Full, gbl_Vector v, void **vx, gbl_Index vx_size, bool iso,
       gbl_Descriptor desc) {
    (void)desc;
    if (vx == NULL) return GBL_NULL_POINTER;
    compat_Packed a = {.form = FORM_FULL, .by_col = true, .iso = iso, .x = *vx, .xsize = vx_size};
    COMPAT_TRY(compat_pack_vector(v, &a));
    *vx = NULL;
    return GBL_SUCCESS;
}
COMPAT(GxB_Vector_export_CSC, gbl_Vector *v, gbl_Type *type, gbl_Index *n, gbl_Index **vi,
       void **vx, gbl_Index *vi_size, gbl_Index *vx_size, bool *iso, gbl_Index *nvals,
       bool *jumbled, gbl_Descriptor desc) {
    COMPAT_TRY(size_of(v, type, n));
    COMPAT_TRY(GxB_Vector_unpack_CSC(*v, vi, vx, vi_size, vx_size, iso, nvals, jumbled, desc));
    return free_vector(v);
}
COMPAT(GxB_Vector_import_CSC, gbl_Vector *v, gbl_Type type, gbl_Index n, gbl_Index **vi, void **vx,
       gbl_Index vi_size, gbl_Index vx_size, bool iso, gbl_Index nvals, bool jumbled,
       gbl_Descriptor desc) {
    COMPAT_TRY(gbl_Vector_new(v, type, n));
    return vector_kept(
        v, GxB_Vector_pack_CSC(*v, vi, vx, vi_size, vx_size, iso, nvals, jumbled, desc));
}
COMPAT(GxB_Vector_export_Bitmap, gbl_Vector *v, gbl_Type *type, gbl_Index *n, int8_t **vb,
       void **vx, gbl_Index *vb_size, gbl_Index *vx_size, bool *iso, gbl_Index *nvals,
       gbl_Descriptor desc) {
    COMPAT_TRY(size_of(v, type, n));
    COMPAT_TRY(GxB_Vector_unpack_Bitmap(*v, vb, vx, vb_size, vx_size, iso, nvals, desc));
    return free_vector(v);
}
COMPAT(GxB_Vector_import_Bitmap, gbl_Vector *v, gbl_Type type, gbl_Index n, int8_t **vb, void **vx,
       gbl_Index vb_size, gbl_Index vx_size, bool iso, gbl_Index nvals, gbl_Descriptor desc) {
    COMPAT_TRY(gbl_Vector_new(v, type, n));
    return vector_kept(v, GxB_Vector_pack_Bitmap(*v, vb, vx, vb_size, vx_size, iso, nvals, desc));
}
COMPAT(GxB_Vector_export_Full, gbl_Vector *v, gbl_Type *type, gbl_Index *n, void **vx,
       gbl_Index *vx_size, bool *iso, gbl_Descriptor desc) {
    COMPAT_TRY(size_of(v, type, n));
    COMPAT_TRY(GxB_Vector_unpack_Full(*v, vx, vx_size, iso, desc));
    return free_vector(v);
}
COMPAT(GxB_Vector_import_Full, gbl_Vector *v, gbl_Type type, gbl_Index n, void **vx,
       gbl_Index vx_size, bool iso, gbl_Descriptor desc) {
    COMPAT_TRY(gbl_Vector_new(v, type, n));
    return vector_kept(v, GxB_Vector_pack_Full(*v, vx, vx_size, iso, desc));
}

/* gblite keeps no hash of the vectors of a hypersparse matrix. */
COMPAT(GxB_unpack_HyperHash, gbl_Matrix A, gbl_Matrix *Y, gbl_Descriptor desc) {
    (void)desc;
    if (A == NULL || Y == NULL) return GBL_NULL_POINTER;
    *Y = NULL;
    return GBL_SUCCESS;
}
COMPAT(GxB_pack_HyperHash, gbl_Matrix A, gbl_Matrix *Y, gbl_Descriptor desc) {
    (void)desc;
    if (A == NULL || Y == NULL) return GBL_NULL_POINTER;
    return *Y != NULL ? gbl_Matrix_free(Y) : GBL_SUCCESS;
}
