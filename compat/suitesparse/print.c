/* SPDX-License-Identifier: Apache-2.0
 *
 * GxB_O_fprint: objects as text, in the layout of SuiteSparse's, which programs compare. What an
 * object takes in memory is gblite's; nothing is ever pending.
 */
#include "compat.h"

#include <ctype.h>
#include <math.h>

/* Levels: none, a summary, 29 entries, all; 4 and 5 the same two with more digits. */
enum { SUMMARY = 1, COMPLETE = 3, SHORT_VERBOSE = 4, SHOWN = 29 };

static void print_value(FILE *f, gbl_Type type, const void *x, int level) {
    const int digits = level >= SHORT_VERBOSE ? 15 : 6;
    gbl_Scalar s = NULL;
    double z[2] = {0};
    int64_t k = 0;
    if (type->code == GBL_UDT_CODE || compat_scalar(&s, type, x) != GBL_SUCCESS) {
        fprintf(f, " [user-defined value]");
        return;
    }
    gbl_Scalar_extractElement_FC64((gbl_FC64 *)(void *)z, s);
    gbl_Scalar_extractElement_INT64(&k, s);
    if (type->code == GBL_UINT64_CODE)
        fprintf(f, "   %llu", (unsigned long long)*(const uint64_t *)x);
    else if (type->code < GBL_FP32_CODE)
        fprintf(f, "   %lld", (long long)k);
    else
        fprintf(f, "    %.*g", digits, z[0]);
    if (type->code >= GBL_FC32_CODE)
        fprintf(f, " %c %.*gi", z[1] < 0 ? '-' : '+', digits, fabs(z[1]));
    gbl_Scalar_free(&s);
}

static const char *name_of_type(char *name, gbl_Type type) {
    if (type->code == GBL_FC32_CODE) return "float complex";
    if (type->code == GBL_FC64_CODE) return "double complex";
    return compat_type_name(name, type) == GBL_SUCCESS ? name : "";
}

static gbl_Info print_list(FILE *f, gbl_Matrix A, gbl_Type type, bool by_col, gbl_Index n,
                           int level) {
    const gbl_Index base = compat_library.one_based != 0;
    gbl_Index *I = gbl_Memory_malloc((n + 1) * sizeof *I), *J = gbl_Memory_malloc((n + 1) * 8);
    char *X = n < SIZE_MAX / type->size - 1 ? gbl_Memory_malloc((n + 1) * type->size) : NULL;
    gbl_Info info = I != NULL && J != NULL && X != NULL
                        ? compat_tuples_along(by_col, by_col ? J : I, by_col ? I : J, X, &n, A)
                        : GBL_OUT_OF_MEMORY;
    const gbl_Index shown = n > SHOWN && level % 2 == 0 ? SHOWN : n;
    for (gbl_Index k = 0; info == GBL_SUCCESS && k < shown; k++) {
        fprintf(f, "    (%llu,%llu)", (unsigned long long)(I[k] + base),
                (unsigned long long)(J[k] + base));
        print_value(f, type, X + k * type->size, level);
        fprintf(f, "\n");
    }
    if (info == GBL_SUCCESS && shown < n) fprintf(f, "    ...\n");
    gbl_Memory_free(I);
    gbl_Memory_free(J);
    gbl_Memory_free(X);
    return info;
}

static void print_bytes(FILE *f, double bytes) {
    static const char *const units[] = {"KB", "MB", "GB", "TB"};
    int k = -1;
    for (; bytes >= 1024 && k < 3; k++) bytes /= 1024;
    fprintf(f, k < 0 ? "%.0f bytes\n" : "%.1f %s\n", bytes, k < 0 ? "" : units[k]);
}

/* The formats that the program allows, where not all. */
static void print_control(FILE *f, gbl_Matrix A) {
    static const char names[][12] = {"hypersparse", "sparse", "bitmap", "full"};
    const compat_Extra *extra = compat_extra(A);
    const int allowed = extra != NULL ? extra->sparsity : GxB_AUTO_SPARSITY;
    if (allowed == GxB_AUTO_SPARSITY) return;
    const char *before = "  sparsity control: ";
    for (int k = 0; k < 4; k++)
        if (allowed & 1 << k) {
            fprintf(f, "%s%s", before, names[k]);
            before = "/";
        }
    fprintf(f, allowed & (allowed - 1) || allowed == GxB_FULL ? "\n" : " only\n");
}

/* A: the object, or a copy of one of another kind. */
static gbl_Info print_matrix(gbl_Matrix A, const char *kind, const char *name, int level, FILE *f,
                             int status) {
    gbl_Index nrows, ncols, n;
    gbl_Type type;
    gbl_Formats formats;
    gbl_Arrays arrays;
    char text[GxB_MAX_NAME_LEN];
    static const char forms[][12] = {"", "hypersparse", "sparse", "", "bitmap", "", "", "", "full"};
    COMPAT_TRY(gbl_Matrix_wait(A, GBL_MATERIALIZE));
    COMPAT_TRY(gbl_Matrix_nrows(&nrows, A));
    COMPAT_TRY(gbl_Matrix_ncols(&ncols, A));
    COMPAT_TRY(gbl_Matrix_nvals(&n, A));
    COMPAT_TRY(gbl_Matrix_type(&type, A));
    COMPAT_TRY(gbl_Matrix_formats(&formats, A));
    if (level < SUMMARY) return GBL_SUCCESS;
    if (f == NULL) f = stdout;
    const bool by_col = kind[0] != 'm' || compat_by_column(A);
    fprintf(f, "\n  %llux%llu GraphBLAS ", (unsigned long long)nrows, (unsigned long long)ncols);
    fprintf(f, name_of_type(text, type)[0] != '\0' ? "%s" : "%suser-defined (type size %zu bytes)",
            name_of_type(text, type), type->size);
    fprintf(f, " %s, %s by %s%s\n", kind, forms[status], by_col ? "col" : "row",
            compat_library.major >= 10 && status <= GxB_SPARSE ? ", ints: 32/32/32" : "");
    print_control(f, A);
    fprintf(f, name != NULL ? "  %s, " : "  ", name);
    fprintf(f, n == 0 ? "no entries" : n == 1 ? "1 entry" : "%llu entries", (unsigned long long)n);
    fprintf(f, ", memory: ");
    print_bytes(f, 256 + (double)formats.bytes);
    if ((formats.iso || kind[0] == 's') && n > 0) {
        COMPAT_TRY(gbl_Matrix_view(&arrays, A, GBL_CSR_FORMAT));
        fprintf(f, "  iso value:");
        print_value(f, type, arrays.x, level);
        fprintf(f, "\n");
    }
    if (n > 0 || status == GxB_SPARSE) fprintf(f, "\n");
    if (level > SUMMARY && n > 0)
        COMPAT_TRY(print_list(f, A, type, by_col && kind[0] == 'm', n, level));
    if (level > SUMMARY && level % 2 != 0 && kind[0] != 's' && status != GxB_FULL) fprintf(f, "\n");
    return GBL_SUCCESS;
}

COMPAT(GxB_Matrix_fprint, gbl_Matrix A, const char *name, int level, FILE *f) {
    int status;
    COMPAT_TRY(compat_matrix_status(&status, A, true));
    return print_matrix(A, "matrix", name, level, f, status);
}
static gbl_Info print_copy(const void *object, const char *kind, const char *name, int level,
                           FILE *f, int status) {
    compat_Copy copy = {0};
    gbl_Matrix A = compat_matrix_copy(&copy, object);
    const gbl_Info info =
        A != NULL ? print_matrix(A, kind, name, level, f, status) : GBL_OUT_OF_MEMORY;
    return compat_copy_back(&copy, info, false);
}
COMPAT(GxB_Vector_fprint, gbl_Vector v, const char *name, int level, FILE *f) {
    int status;
    COMPAT_TRY(compat_vector_status(&status, v));
    return print_copy(v, "vector", name, level, f, status);
}
COMPAT(GxB_Scalar_fprint, gbl_Scalar s, const char *name, int level, FILE *f) {
    gbl_Index n;
    COMPAT_TRY(gbl_Scalar_nvals(&n, s));
    return print_copy(s, "scalar", name, level, f, n > 0 ? GxB_FULL : GxB_SPARSE);
}

/* -- types and operators */

static gbl_Info print_type(FILE *f, const char *name, gbl_Type type) {
    char text[GxB_MAX_NAME_LEN];
    const compat_Extra *extra = compat_extra(type);
    const bool user = type->code == GBL_UDT_CODE;
    fprintf(f, "    GraphBLAS Type: %s %s%s%s size: %zu%s\n", name, user ? "user-defined: [" : "",
            name_of_type(text, type), user ? "]" : "", type->size,
            compat_library.major >= 10 ? " " : "");
    if (user && extra != NULL && extra->text[TEXT_DEFINITION])
        fprintf(f, "    %s\n", extra->text[TEXT_DEFINITION]);
    return GBL_SUCCESS;
}

/* The name in C: of built-in operators the word in the middle of theirs. */
gbl_Info compat_word(char *word, const void *object) {
    const char *known = compat_name_of(object);
    const compat_Extra *extra = compat_extra(object);
    if (known == NULL && (extra == NULL || extra->text[TEXT_C_NAME] == NULL)) return GBL_NO_VALUE;
    if (known != NULL)
        snprintf(word, GxB_MAX_NAME_LEN, "%.*s", (int)strcspn(known + 4, "_"), known + 4);
    else
        snprintf(word, GxB_MAX_NAME_LEN, "%s", extra->text[TEXT_C_NAME]);
    for (char *c = word; known != NULL && *c != '\0'; c++) *c = (char)tolower(*c);
    return GBL_SUCCESS;
}

static void print_given(FILE *f, const char *kind, const void *object) {
    const char *known = compat_name_of(object);
    if (known != NULL) fprintf(f, "    %s given name: [%s]\n", kind, known);
}
static void print_head(FILE *f, const char *kind, const char *name, const void *object,
                       const char *arguments) {
    const char *known = compat_name_of(object);
    char word[GxB_MAX_NAME_LEN];
    if (compat_word(word, object) != GBL_SUCCESS) strcpy(word, "f");
    fprintf(f, "    GraphBLAS %s: %s (%s):", kind, name, known ? "built-in" : "user-defined");
    if (arguments != NULL) fprintf(f, " z=%s(%s)", word, arguments);
    fprintf(f, "\n");
    if (arguments != NULL) print_given(f, kind, object);
}
static gbl_Info print_operator(FILE *f, const char *kind, const char *name, const void *op,
                               const char *arguments, gbl_Type const *types) {
    static const char *const names[] = {"ztype", "xtype", "ytype"};
    const compat_Extra *extra = compat_extra(op);
    print_head(f, kind, name, op, arguments);
    for (int k = 0; k < 3; k++)
        if (types[k] != NULL) print_type(f, names[k], types[k]);
    if (extra != NULL && extra->text[TEXT_DEFINITION] != NULL)
        fprintf(f, "%s\n", extra->text[TEXT_DEFINITION]);
    return GBL_SUCCESS;
}
static gbl_Info print_binary(FILE *f, const char *name, gbl_BinaryOp op) {
    const gbl_Type types[] = {op->ztype, op->xtype, op->ytype};
    return print_operator(f, "BinaryOp", name, op, "x,y", types);
}
static gbl_Info print_monoid(FILE *f, const char *name, gbl_Monoid monoid) {
    print_head(f, "Monoid", name, monoid, NULL);
    print_binary(f, "monoid->op", monoid->op);
    fprintf(f, "    identity: [");
    print_value(f, monoid->op->ztype, monoid->identity, SUMMARY);
    fprintf(f, " ] \n");
    print_given(f, "Monoid", monoid);
    return GBL_SUCCESS;
}
static gbl_Info print_semiring(FILE *f, const char *name, gbl_Semiring ring) {
    const bool known = compat_name_of(ring) != NULL;
    char add[GxB_MAX_NAME_LEN] = "", multiply[GxB_MAX_NAME_LEN] = "";
    compat_word(add, ring->add->op);
    compat_word(multiply, ring->multiply);
    fprintf(f, "    GraphBLAS Semiring: %s (%s): (%s%c%s)\n", name,
            known ? "built-in" : "user-defined", add, known ? ',' : '_', multiply);
    print_monoid(f, "semiring->add", ring->add);
    print_binary(f, "semiring->multiply", ring->multiply);
    print_given(f, "Semiring", ring);
    return GBL_SUCCESS;
}
static gbl_Info print_unary(FILE *f, const char *name, gbl_UnaryOp op) {
    return print_operator(f, "UnaryOp", name, op, "x",
                          (const gbl_Type[]){op->ztype, op->xtype, NULL});
}
static gbl_Info print_index(FILE *f, const char *name, gbl_IndexUnaryOp op) {
    return print_operator(f, "IndexUnaryOp", name, op, "x,i,j,y",
                          (const gbl_Type[]){op->ztype, op->xtype, op->ytype});
}
static gbl_Info print_other(FILE *f, const char *name, const void *object) {
    print_head(f, "object", name, object, NULL);
    print_given(f, "object", object);
    return GBL_SUCCESS;
}
#define DEFINE(O, TYPE, PRINT)                                                                     \
    COMPAT(GxB_##O##_fprint, TYPE object, const char *name, int level, FILE *f) {                  \
        if (object == NULL) return GBL_NULL_POINTER;                                               \
        if (level < SUMMARY) return GBL_SUCCESS;                                                   \
        if (f == NULL) f = stdout;                                                                 \
        fprintf(f, #O[0] == 'T' ? "" : "\n");                                                      \
        return PRINT(f, name != NULL ? name : "", object);                                         \
    }
DEFINE(Type, gbl_Type, print_type)
DEFINE(UnaryOp, gbl_UnaryOp, print_unary)
DEFINE(BinaryOp, gbl_BinaryOp, print_binary)
DEFINE(IndexUnaryOp, gbl_IndexUnaryOp, print_index)
DEFINE(Monoid, gbl_Monoid, print_monoid)
DEFINE(Semiring, gbl_Semiring, print_semiring)
DEFINE(SelectOp, GxB_SelectOp, print_other)
DEFINE(Descriptor, gbl_Descriptor, print_other)
DEFINE(IndexBinaryOp, void *, print_other)
