/* SPDX-License-Identifier: Apache-2.0
 *
 * Codes, enums, handles and the lists of types that all other headers rest on; included by
 * gblite.h. Values of codes and enums are those of the standard, additions lie beyond them.
 */
#ifndef GBLITE_TYPES_H
#define GBLITE_TYPES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef uint64_t gbl_Index;
#define GBL_INDEX_MAX (((gbl_Index)1 << 60) - 1) /* largest index */

typedef enum {
    GBL_SUCCESS = 0,
    GBL_NO_VALUE = 1,
    /* API errors: the call was wrong and nothing happened */
    GBL_UNINITIALIZED_OBJECT = -1,
    GBL_NULL_POINTER = -2,
    GBL_INVALID_VALUE = -3,
    GBL_INVALID_INDEX = -4,
    GBL_DOMAIN_MISMATCH = -5,
    GBL_DIMENSION_MISMATCH = -6,
    GBL_OUTPUT_NOT_EMPTY = -7,
    GBL_NOT_IMPLEMENTED = -8,
    GBL_ALREADY_SET = -9,
    /* execution errors: the call was right but could not be done */
    GBL_PANIC = -101,
    GBL_OUT_OF_MEMORY = -102,
    GBL_INSUFFICIENT_SPACE = -103,
    GBL_INVALID_OBJECT = -104,
    GBL_INDEX_OUT_OF_BOUNDS = -105,
    GBL_EMPTY_OBJECT = -106,
    GBL_CANCELLED = -201, /* gblite addition: the progress callback said stop */
    GBL_IO_ERROR = -202   /* gblite addition: a file cannot be opened, read or written */
} gbl_Info;

typedef enum { GBL_NONBLOCKING = 0, GBL_BLOCKING = 1 } gbl_Mode;
typedef enum { GBL_COMPLETE = 0, GBL_MATERIALIZE = 1 } gbl_WaitMode;
typedef enum { GBL_CSR_FORMAT = 0, GBL_CSC_FORMAT = 1, GBL_COO_FORMAT = 2 } gbl_Format;

/* Fields of a descriptor and their values; GBL_DEFAULT is a value of each. Fields that only tune
 * are in gblite_tuning.h. */
typedef enum {
    GBL_OUTP = 0, /* GBL_REPLACE: entries of the output outside the mask are deleted */
    GBL_MASK = 1, /* GBL_STRUCTURE, GBL_COMP, GBL_COMP_STRUCTURE */
    GBL_INP0 = 2, /* GBL_TRAN: the first input is transposed */
    GBL_INP1 = 3, /* GBL_TRAN: the second one */
    /* gblite additions, for mxm */
    GBL_METHOD = 7000,    /* GBL_METHOD_...; the planner chooses by default */
    GBL_ROW_ORDER = 7040, /* GBL_ANY_ORDER: rows of the result may stay unsorted until needed; as a
                             left factor of ROWWISE its floats are summed in the order stored */
    /* approximate products, docs/spamm.md: set by gbl_Descriptor_set_FP64; one of the three */
    GBL_TAU = 7060,         /* products of sub-matrices of a lesser product of norms are left out */
    GBL_VALID_RATIO = 7061, /* so many of the products of sub-matrices are computed */
    GBL_ERROR_BOUND = 7062, /* the error of A * B is at most this, in the Frobenius norm: before
                               mask, accumulator and cast, an entry that is not there counting 0 */
    /* of the same in FP32: GBL_ROUND_...; factors are rounded before norms and products */
    GBL_ROUND_FACTORS = 7065
} gbl_Desc_Field;
typedef enum {
    GBL_DEFAULT = 0,
    GBL_REPLACE = 1,
    GBL_COMP = 2,
    GBL_TRAN = 3,
    GBL_STRUCTURE = 4,
    GBL_COMP_STRUCTURE = 6,
    /* gblite additions: values of GBL_METHOD */
    GBL_METHOD_ROWWISE = 7001, /* Gustavson 1978; workflows of Ocean, ICS '26: docs/rowwise.md */
    GBL_METHOD_DOT = 7002,     /* an inner product per entry of a mask that is not complemented */
    GBL_METHOD_TILED = 7003,   /* TileSpGEMM, PPoPP '22: docs/tiled.md */
    GBL_METHOD_OUTER = 7004,   /* PB-SpGEMM, IPDPS '20: docs/outer.md */
    GBL_METHOD_PUSH = 7005,    /* of mxv and vxm, which refuse the methods of mxm, ... */
    GBL_METHOD_PULL = 7006,    /* ... as mxm refuses these */
    GBL_METHOD_SPMM = 7007,    /* a factor that is full: docs/spmm.md */
    GBL_METHOD_VECTOR = 7008,  /* long-vector SpGEMM: docs/vector.md */
    GBL_METHOD_PANEL = 7009,   /* 8 or 16 neighbouring rows at a time: docs/panel.md */
    GBL_METHOD_SPAMM = 7063, /* cuSpAMM; approximate, and never chosen unless a descriptor asks for
                                it or for an approximation, or GBLITE_METHOD in the environment
                                does: docs/spamm.md */
    /* values of GBL_ROUND_FACTORS */
    GBL_ROUND_FP16 = 7066, /* 10 bits after the first, from 2^-24 to 65504 */
    GBL_ROUND_BF16 = 7067, /* 7 bits, the range of FP32 */
    GBL_ROUND_TF32 = 7068, /* 10 bits, the range of FP32 */
    GBL_ANY_ORDER = 7041   /* value of GBL_ROW_ORDER */
} gbl_Desc_Value;

typedef enum {
    GBL_UDT_CODE = 0,
    GBL_BOOL_CODE = 1,
    GBL_INT8_CODE = 2,
    GBL_UINT8_CODE = 3,
    GBL_INT16_CODE = 4,
    GBL_UINT16_CODE = 5,
    GBL_INT32_CODE = 6,
    GBL_UINT32_CODE = 7,
    GBL_INT64_CODE = 8,
    GBL_UINT64_CODE = 9,
    GBL_FP32_CODE = 10,
    GBL_FP64_CODE = 11,
    /* gblite additions */
    GBL_FC32_CODE = 12,
    GBL_FC64_CODE = 13
} gbl_Type_Code;

/* A hint: how an object will be gone through; see gblite_fields.h. */
typedef enum { GBL_ROWMAJOR = 0, GBL_COLMAJOR = 1, GBL_BOTH = 2, GBL_UNKNOWN = 3 } gbl_Orientation;

typedef struct gbl_Type_opaque *gbl_Type;
typedef struct gbl_UnaryOp_opaque *gbl_UnaryOp;
typedef struct gbl_BinaryOp_opaque *gbl_BinaryOp;
typedef struct gbl_IndexUnaryOp_opaque *gbl_IndexUnaryOp;
typedef struct gbl_Monoid_opaque *gbl_Monoid;
typedef struct gbl_Semiring_opaque *gbl_Semiring;
typedef struct gbl_CompiledSemiring gbl_CompiledSemiring; /* made by gblite_semiring.h */
/* What functions of a semiring begin with that is compiled for the GPU, too. */
#ifdef __CUDACC__
#define GBL_KERNEL_FUNCTION static __host__ __device__ inline
#else
#define GBL_KERNEL_FUNCTION static inline
#endif
typedef struct gbl_Scalar_opaque *gbl_Scalar;
typedef struct gbl_Vector_opaque *gbl_Vector;
typedef struct gbl_Matrix_opaque *gbl_Matrix;
typedef struct gbl_Descriptor_opaque *gbl_Descriptor;
typedef struct gbl_Global_opaque *gbl_Global;

/* Complex numbers, gblite additions. In C++ they are structs, which std::complex, its arrays too,
 * may be cast to and from. */
#if defined(__cplusplus) || defined(__STDC_NO_COMPLEX__)
typedef struct {
    float re, im;
} gbl_FC32;
typedef struct {
    double re, im;
} gbl_FC64;
#else
typedef float _Complex gbl_FC32;
typedef double _Complex gbl_FC64;
#endif

/* Every function that exists once per built-in type is declared through this list: name, C type. */
#define GBL_FOREACH_TYPE(X)                                                                        \
    X(BOOL, bool)                                                                                  \
    X(INT8, int8_t)                                                                                \
    X(INT16, int16_t)                                                                              \
    X(INT32, int32_t)                                                                              \
    X(INT64, int64_t)                                                                              \
    X(UINT8, uint8_t)                                                                              \
    X(UINT16, uint16_t)                                                                            \
    X(UINT32, uint32_t)                                                                            \
    X(UINT64, uint64_t)                                                                            \
    X(FP32, float)                                                                                 \
    X(FP64, double)
#define GBL_FOREACH_COMPLEX(X) X(FC32, gbl_FC32) X(FC64, gbl_FC64)
/* The same with complex and user-defined types: of these values are passed as const void *, arrays
 * as void. */
#define GBL_FOREACH_VALUE(X) GBL_FOREACH_TYPE(X) GBL_FOREACH_COMPLEX(X) X(UDT, const void *)
#define GBL_FOREACH_ARRAY(X) GBL_FOREACH_TYPE(X) GBL_FOREACH_COMPLEX(X) X(UDT, void)

#endif
