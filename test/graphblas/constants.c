/* SPDX-License-Identifier: Apache-2.0
 *
 * The values that the GraphBLAS C API 2.1 fixes, and its types; nothing but GraphBLAS.h is
 * included. test/sources/test_graphblas_names.sh compiles it as C11, C17 and C++17.
 */
#include <GraphBLAS.h>

#ifdef __cplusplus
#define IS(name, value) static_assert((int)(name) == (value), #name);
#define SAME(a, b) static_assert(sizeof(a) == sizeof(b), #a);
#else
#define IS(name, value) _Static_assert((int)(name) == (value), #name);
#define SAME(a, b) _Static_assert(_Generic((a)0, b : 1, default : 0), #a);
#endif

IS(GRB_VERSION, 2)
IS(GRB_SUBVERSION, 1)

IS(GrB_SUCCESS, 0)
IS(GrB_NO_VALUE, 1)
IS(GrB_UNINITIALIZED_OBJECT, -1)
IS(GrB_NULL_POINTER, -2)
IS(GrB_INVALID_VALUE, -3)
IS(GrB_INVALID_INDEX, -4)
IS(GrB_DOMAIN_MISMATCH, -5)
IS(GrB_DIMENSION_MISMATCH, -6)
IS(GrB_OUTPUT_NOT_EMPTY, -7)
IS(GrB_NOT_IMPLEMENTED, -8)
IS(GrB_ALREADY_SET, -9)
IS(GrB_PANIC, -101)
IS(GrB_OUT_OF_MEMORY, -102)
IS(GrB_INSUFFICIENT_SPACE, -103)
IS(GrB_INVALID_OBJECT, -104)
IS(GrB_INDEX_OUT_OF_BOUNDS, -105)
IS(GrB_EMPTY_OBJECT, -106)

IS(GrB_NONBLOCKING, 0)
IS(GrB_BLOCKING, 1)
IS(GrB_COMPLETE, 0)
IS(GrB_MATERIALIZE, 1)
IS(GrB_CSR_FORMAT, 0)
IS(GrB_CSC_FORMAT, 1)
IS(GrB_COO_FORMAT, 2)

IS(GrB_OUTP, 0)
IS(GrB_MASK, 1)
IS(GrB_INP0, 2)
IS(GrB_INP1, 3)
IS(GrB_DEFAULT, 0)
IS(GrB_REPLACE, 1)
IS(GrB_COMP, 2)
IS(GrB_TRAN, 3)
IS(GrB_STRUCTURE, 4)
IS(GrB_COMP_STRUCTURE, 6)

IS(GrB_OUTP_FIELD, 0)
IS(GrB_MASK_FIELD, 1)
IS(GrB_INP0_FIELD, 2)
IS(GrB_INP1_FIELD, 3)
IS(GrB_NAME, 10)
IS(GrB_LIBRARY_VER_MAJOR, 11)
IS(GrB_LIBRARY_VER_MINOR, 12)
IS(GrB_LIBRARY_VER_PATCH, 13)
IS(GrB_API_VER_MAJOR, 14)
IS(GrB_API_VER_MINOR, 15)
IS(GrB_API_VER_PATCH, 16)
IS(GrB_BLOCKING_MODE, 17)
IS(GrB_STORAGE_ORIENTATION_HINT, 100)
IS(GrB_EL_TYPE_CODE, 102)
IS(GrB_INP0_TYPE_CODE, 103)
IS(GrB_INP1_TYPE_CODE, 104)
IS(GrB_OUTP_TYPE_CODE, 105)
IS(GrB_EL_TYPE_STRING, 106)
IS(GrB_INP0_TYPE_STRING, 107)
IS(GrB_INP1_TYPE_STRING, 108)
IS(GrB_OUTP_TYPE_STRING, 109)
IS(GrB_SIZE, 110)
IS(GrB_ROWMAJOR, 0)
IS(GrB_COLMAJOR, 1)
IS(GrB_BOTH, 2)
IS(GrB_UNKNOWN, 3)

IS(GrB_UDT_CODE, 0)
IS(GrB_BOOL_CODE, 1)
IS(GrB_INT8_CODE, 2)
IS(GrB_UINT8_CODE, 3)
IS(GrB_INT16_CODE, 4)
IS(GrB_UINT16_CODE, 5)
IS(GrB_INT32_CODE, 6)
IS(GrB_UINT32_CODE, 7)
IS(GrB_INT64_CODE, 8)
IS(GrB_UINT64_CODE, 9)
IS(GrB_FP32_CODE, 10)
IS(GrB_FP64_CODE, 11)

SAME(GrB_Index, uint64_t)
SAME(GrB_Info, gbl_Info)
SAME(GrB_Mode, gbl_Mode)
SAME(GrB_WaitMode, gbl_WaitMode)
SAME(GrB_Format, gbl_Format)
SAME(GrB_Desc_Field, gbl_Desc_Field)
SAME(GrB_Desc_Value, gbl_Desc_Value)
SAME(GrB_Field, gbl_Field)
SAME(GrB_Orientation, gbl_Orientation)
SAME(GrB_Type_Code, gbl_Type_Code)
SAME(GrB_Type, gbl_Type)
SAME(GrB_UnaryOp, gbl_UnaryOp)
SAME(GrB_BinaryOp, gbl_BinaryOp)
SAME(GrB_IndexUnaryOp, gbl_IndexUnaryOp)
SAME(GrB_Monoid, gbl_Monoid)
SAME(GrB_Semiring, gbl_Semiring)
SAME(GrB_Scalar, gbl_Scalar)
SAME(GrB_Vector, gbl_Vector)
SAME(GrB_Matrix, gbl_Matrix)
SAME(GrB_Descriptor, gbl_Descriptor)
SAME(GrB_Global, gbl_Global)

int main(void) {
    return GrB_NULL == GrB_INVALID_HANDLE && GrB_ALL != GrB_NULL && GrB_INDEX_MAX > 0 ? 0 : 1;
}
