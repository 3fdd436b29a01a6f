/* SPDX-License-Identifier: Apache-2.0
 *
 * EXTENSIONS: no part of the GraphBLAS C API. Objects as text, under SuiteSparse's names:
 * GxB_Matrix_fprint, GxB_Vector_fprint, GxB_Scalar_fprint, and for C11 GxB_fprint and GxB_print,
 * which print to a file (NULL: stdout) and to stdout. Errors: as gbl_K_extractTuples_T.
 * Cost: O(n + m), and a copy of the tuples. Included by grb_extensions.h.
 */
#ifndef GRB_PRINT_H
#define GRB_PRINT_H

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "../gblite.h"

/* Room for the name of a type, its final zero included. */
#define GxB_MAX_NAME_LEN 128

/* The C name of a type: "bool", "int32_t", "double"; of a user-defined type its GrB_NAME, cut. */
static inline gbl_Info gbl_grb_type_name(char *name, gbl_Type type) {
    static const char *const names[] = {
        "",         "bool",    "int8_t",   "uint8_t", "int16_t", "uint16_t",   "int32_t",
        "uint32_t", "int64_t", "uint64_t", "float",   "double",  "GxB_FC32_t", "GxB_FC64_t"};
    gbl_Type_Code code = GBL_UDT_CODE;
    size_t size = 0;
    char *own;
    gbl_Info info = gbl_Type_code(&code, type);
    if (info != GBL_SUCCESS) return info;
    if (code != GBL_UDT_CODE) {
        strcpy(name, names[code]);
        return info;
    }
    info = gbl_Type_get_SIZE(type, &size, GBL_NAME);
    name[0] = '\0';
    if (info != GBL_SUCCESS || size <= 1) return info; /* another thread may be giving it a name */
    own = (char *)gbl_Memory_malloc(size);
    if (own == NULL) return GBL_OUT_OF_MEMORY;
    info = gbl_Type_get_String(type, own, GBL_NAME);
    if (info == GBL_SUCCESS) snprintf(name, GxB_MAX_NAME_LEN, "%s", own);
    gbl_Memory_free(own);
    return info;
}

/* How much is printed: nothing, a line, the line and at most 30 entries, all entries. */
typedef enum {
    GxB_SILENT = 0,
    GxB_SUMMARY = 1,
    GxB_SHORT = 2,
    GxB_COMPLETE = 3,
    GxB_SHORT_VERBOSE = 4, /* floats with all their digits */
    GxB_COMPLETE_VERBOSE = 5
} GxB_Print_Level;

#define GBL_GRB_PRINTED 30
static inline void gbl_grb_print_value(gbl_Type_Code code, const double *x, const int64_t *k,
                                       int verbose, FILE *f) {
    if (code == GBL_UDT_CODE)
        fprintf(f, " (user-defined)\n");
    else if (code >= GBL_FC32_CODE)
        fprintf(f, verbose ? " %.17g %+.17gi\n" : " %g %+gi\n", x[0], x[1]);
    else if (code >= GBL_FP32_CODE)
        fprintf(f, verbose ? " %.17g\n" : " %g\n", *x);
    else if (code == GBL_UINT64_CODE)
        fprintf(f, " %" PRIu64 "\n", (uint64_t)*k);
    else
        fprintf(f, " %" PRId64 "\n", *k);
}

/* The entries of A, or of v where A is NULL. Integers come as INT64, other numbers as FC64. */
typedef struct {
    gbl_Matrix A;
    gbl_Vector v;
    gbl_Type_Code code;
    gbl_Index n;
    gbl_Index *rows, *columns;
    double *x; /* two for each entry */
    int64_t *k;
} gbl_grb_Tuples;

static inline gbl_Info gbl_grb_extract(gbl_grb_Tuples *t) {
    if (t->code == GBL_UDT_CODE)
        return t->A ? gbl_Matrix_extractTuples_UDT(t->rows, t->columns, NULL, &t->n, t->A)
                    : gbl_Vector_extractTuples_UDT(t->rows, NULL, &t->n, t->v);
    if (t->code >= GBL_FP32_CODE)
        return t->A ? gbl_Matrix_extractTuples_FC64(t->rows, t->columns, (gbl_FC64 *)(void *)t->x,
                                                    &t->n, t->A)
                    : gbl_Vector_extractTuples_FC64(t->rows, (gbl_FC64 *)(void *)t->x, &t->n, t->v);
    if (t->code == GBL_UINT64_CODE)
        return t->A ? gbl_Matrix_extractTuples_UINT64(t->rows, t->columns, (uint64_t *)t->k, &t->n,
                                                      t->A)
                    : gbl_Vector_extractTuples_UINT64(t->rows, (uint64_t *)t->k, &t->n, t->v);
    return t->A ? gbl_Matrix_extractTuples_INT64(t->rows, t->columns, t->k, &t->n, t->A)
                : gbl_Vector_extractTuples_INT64(t->rows, t->k, &t->n, t->v);
}

static inline gbl_Info gbl_grb_print_entries(gbl_grb_Tuples *t, int level, FILE *f) {
    const size_t room = t->n > 0 ? t->n : 1;
    const int verbose = level >= GxB_SHORT_VERBOSE;
    gbl_Info info = GBL_OUT_OF_MEMORY;
    gbl_Index entry, shown = t->n;
    t->rows = (gbl_Index *)gbl_Memory_malloc(room * sizeof *t->rows);
    t->columns = (gbl_Index *)gbl_Memory_malloc(room * sizeof *t->columns);
    t->x = (double *)gbl_Memory_malloc(2 * room * sizeof *t->x);
    t->k = (int64_t *)gbl_Memory_malloc(room * sizeof *t->k);
    if (t->rows != NULL && t->columns != NULL && t->x != NULL && t->k != NULL)
        info = gbl_grb_extract(t);
    if (info != GBL_SUCCESS) shown = 0;
    if (level % 2 == 0 && shown > GBL_GRB_PRINTED) shown = GBL_GRB_PRINTED;
    for (entry = 0; entry < shown; entry++) {
        fprintf(f, "    (%" PRIu64, t->rows[entry]);
        if (t->A != NULL) fprintf(f, ", %" PRIu64, t->columns[entry]);
        fprintf(f, ")");
        gbl_grb_print_value(t->code, t->x + 2 * entry, t->k + entry, verbose, f);
    }
    if (info == GBL_SUCCESS && shown < t->n) fprintf(f, "    ...\n");
    gbl_Memory_free(t->rows);
    gbl_Memory_free(t->columns);
    gbl_Memory_free(t->x);
    gbl_Memory_free(t->k);
    return info;
}

static inline gbl_Info gbl_grb_print_line(gbl_Type_Code *code, gbl_Type type, const char *what,
                                          const char *name_of, FILE *f) {
    char name[GxB_MAX_NAME_LEN];
    gbl_Info info = gbl_Type_code(code, type);
    if (info == GBL_SUCCESS) info = gbl_grb_type_name(name, type);
    if (info != GBL_SUCCESS) return info;
    if (name_of != NULL && name_of[0] != '\0') fprintf(f, "%s: ", name_of);
    fprintf(f, "%s, %s", what, name[0] != '\0' ? name : "user-defined type");
    return info;
}

static inline gbl_Info GxB_Matrix_fprint(gbl_Matrix A, const char *name, GxB_Print_Level level,
                                         FILE *f) {
    gbl_grb_Tuples t;
    gbl_Index nrows = 0, ncols = 0;
    gbl_Type type = NULL;
    gbl_Info info = gbl_Matrix_type(&type, A);
    memset(&t, 0, sizeof t);
    t.A = A;
    if (info == GBL_SUCCESS) info = gbl_Matrix_nrows(&nrows, A);
    if (info == GBL_SUCCESS) info = gbl_Matrix_ncols(&ncols, A);
    if (info == GBL_SUCCESS) info = gbl_Matrix_nvals(&t.n, A);
    if (info != GBL_SUCCESS || level <= GxB_SILENT) return info;
    if (f == NULL) f = stdout;
    info = gbl_grb_print_line(&t.code, type, "GrB_Matrix", name, f);
    if (info != GBL_SUCCESS) return info;
    fprintf(f, ", %" PRIu64 " x %" PRIu64 ", entries: %" PRIu64 "\n", nrows, ncols, t.n);
    return level >= GxB_SHORT ? gbl_grb_print_entries(&t, level, f) : GBL_SUCCESS;
}

static inline gbl_Info GxB_Vector_fprint(gbl_Vector v, const char *name, GxB_Print_Level level,
                                         FILE *f) {
    gbl_grb_Tuples t;
    gbl_Index size = 0;
    gbl_Type type = NULL;
    gbl_Info info = gbl_Vector_type(&type, v);
    memset(&t, 0, sizeof t);
    t.v = v;
    if (info == GBL_SUCCESS) info = gbl_Vector_size(&size, v);
    if (info == GBL_SUCCESS) info = gbl_Vector_nvals(&t.n, v);
    if (info != GBL_SUCCESS || level <= GxB_SILENT) return info;
    if (f == NULL) f = stdout;
    info = gbl_grb_print_line(&t.code, type, "GrB_Vector", name, f);
    if (info != GBL_SUCCESS) return info;
    fprintf(f, ", %" PRIu64 ", entries: %" PRIu64 "\n", size, t.n);
    return level >= GxB_SHORT ? gbl_grb_print_entries(&t, level, f) : GBL_SUCCESS;
}

static inline gbl_Info GxB_Scalar_fprint(gbl_Scalar s, const char *name, GxB_Print_Level level,
                                         FILE *f) {
    gbl_Type_Code code = GBL_UDT_CODE;
    gbl_Index nvals = 0;
    gbl_Type type = NULL;
    double x[2] = {0, 0};
    int64_t k = 0;
    gbl_Info info = gbl_Scalar_type(&type, s);
    if (info == GBL_SUCCESS) info = gbl_Scalar_nvals(&nvals, s);
    if (info != GBL_SUCCESS || level <= GxB_SILENT) return info;
    if (f == NULL) f = stdout;
    info = gbl_grb_print_line(&code, type, "GrB_Scalar", name, f);
    if (info != GBL_SUCCESS) return info;
    fprintf(f, nvals > 0 ? ", one entry\n" : ", empty\n");
    if (nvals == 0 || level < GxB_SHORT) return GBL_SUCCESS;
    if (code == GBL_UINT64_CODE)
        info = gbl_Scalar_extractElement_UINT64((uint64_t *)&k, s);
    else if (code != GBL_UDT_CODE)
        info = gbl_Scalar_extractElement_INT64(&k, s);
    if (info == GBL_SUCCESS && code != GBL_UDT_CODE)
        info = gbl_Scalar_extractElement_FC64((gbl_FC64 *)(void *)x, s);
    fprintf(f, "   ");
    gbl_grb_print_value(code, x, &k, level >= GxB_SHORT_VERBOSE, f);
    return info;
}

#ifdef GBL_HAS_GENERIC
#define GxB_fprint(object, level, f)                                                               \
    _Generic((object), gbl_Matrix                                                                  \
             : GxB_Matrix_fprint, gbl_Vector                                                       \
             : GxB_Vector_fprint, gbl_Scalar                                                       \
             : GxB_Scalar_fprint)(object, #object, (GxB_Print_Level)(level), f)
#define GxB_print(object, level) GxB_fprint(object, level, stdout)
#endif

#endif
