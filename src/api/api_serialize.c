/* SPDX-License-Identifier: Apache-2.0
 *
 * gbl_Matrix_{serializeSize,serialize,deserialize,map}.
 */
#include "api/check.h"
#include "matrix/serial.h"

static gbl_Info gb_begin(gbl_Matrix A, const gbl_Index *size) {
    gbl_Info info = gb_check_init();
    if (info == GBL_SUCCESS) info = gb_check_pointer(size, "size");
    return info == GBL_SUCCESS ? gb_check_matrix(A, "A") : info;
}

gbl_Info gbl_Matrix_serializeSize(gbl_Index *size, gbl_Matrix A) {
    const gbl_Info info = gb_begin(A, size);
    return info == GBL_SUCCESS ? gb_matrix_serial_size(&A->m, size) : info;
}

gbl_Info gbl_Matrix_serialize(void *data, gbl_Index *size, gbl_Matrix A) {
    gbl_Info info = gb_begin(A, size);
    if (info == GBL_SUCCESS) info = gb_check_pointer(data, "data");
    return info == GBL_SUCCESS ? gb_matrix_serialize(&A->m, data, size) : info;
}

/* What deserialize and map check alike. */
static gbl_Info gb_begin_reading(gbl_Matrix *A, gbl_Type type, const void *data) {
    gbl_Info info = gb_check_pointer(A, "A");
    if (info != GBL_SUCCESS) return info;
    *A = NULL;
    info = gb_check_init();
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

    const gbl_Lender nobody = {0};
    gb_Matrix *made = NULL;
    info = gb_matrix_map(&made, type,
                         &(gb_MappedBlock){data, size, check, lender != NULL ? lender : &nobody});
    *A = (gbl_Matrix)made;
    return info;
}
