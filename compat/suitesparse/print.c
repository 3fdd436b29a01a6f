/* SPDX-License-Identifier: Apache-2.0
 *
 * GxB_O_fprint: an object as text, in gblite's wording; matrices, vectors and scalars with their
 * entries (grb_print.h).
 */
#include "compat.h"

#define GxB_Print_Level compat_Level
#define GxB_SILENT PRINT_SILENT
#define GxB_SUMMARY PRINT_SUMMARY
#define GxB_SHORT PRINT_SHORT
#define GxB_COMPLETE PRINT_COMPLETE
#define GxB_SHORT_VERBOSE PRINT_SHORT_VERBOSE
#define GxB_COMPLETE_VERBOSE PRINT_COMPLETE_VERBOSE
#define GxB_Matrix_fprint print_matrix
#define GxB_Vector_fprint print_vector
#define GxB_Scalar_fprint print_scalar
#include "graphblas/grb_print.h"
#undef GxB_Matrix_fprint
#undef GxB_Vector_fprint
#undef GxB_Scalar_fprint

#define DEFINE(K, PRINT)                                                                           \
    COMPAT(GxB_##K##_fprint, gbl_##K object, const char *name, int level, FILE *f) {               \
        return PRINT(object, name, (compat_Level)level, f);                                        \
    }
DEFINE(Matrix, print_matrix)
DEFINE(Vector, print_vector)
DEFINE(Scalar, print_scalar)
#undef DEFINE

static gbl_Info print_line(const void *object, const char *kind, const char *name, int level,
                           FILE *f) {
    if (object == NULL) return GBL_NULL_POINTER;
    if (level <= PRINT_SILENT) return GBL_SUCCESS;
    const char *known = compat_name_of(object);
    const compat_Extra *extra = compat_extra(object);
    if (known == NULL && extra != NULL) known = extra->c_name;
    fprintf(f != NULL ? f : stdout, "%s: %s %s\n", name != NULL ? name : "", kind,
            known != NULL ? known : "(user-defined)");
    return GBL_SUCCESS;
}
#define DEFINE(O, TYPE)                                                                            \
    COMPAT(GxB_##O##_fprint, TYPE object, const char *name, int level, FILE *f) {                  \
        return print_line(object, #O, name, level, f);                                             \
    }
DEFINE(Type, gbl_Type)
DEFINE(UnaryOp, gbl_UnaryOp)
DEFINE(BinaryOp, gbl_BinaryOp)
DEFINE(IndexUnaryOp, gbl_IndexUnaryOp)
DEFINE(Monoid, gbl_Monoid)
DEFINE(Semiring, gbl_Semiring)
DEFINE(Descriptor, gbl_Descriptor)
DEFINE(SelectOp, GxB_SelectOp)
DEFINE(Context, void *)
DEFINE(IndexBinaryOp, void *)
