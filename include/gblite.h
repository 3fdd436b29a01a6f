/* SPDX-License-Identifier: Apache-2.0
 *
 * gblite: sparse linear algebra over semirings, after the GraphBLAS C API 2.1.
 *
 * Names follow the standard one to one: GrB_X is gbl_X for functions and types, GBL_X for constants
 * and predefined objects. What the standard lacks is marked "gblite addition".
 *
 * Rules that hold for every function:
 *   - it returns a gbl_Info; GBL_SUCCESS is 0, GBL_NO_VALUE is 1, every error is negative;
 *   - after an error the outputs are as they were, and gbl_error() says what was wrong;
 *   - inputs may be read by any number of threads at once; an object being written belongs to one;
 *   - an output may also be an input or the mask of the same call;
 *   - dimensions go up to 2^32 - 1; results do not depend on the number of threads.
 *
 * The file has three tiers: 1. objects, 2. operations, 3. settings. The names of the predefined
 * types, operators, monoids and semirings are in gblite_builtin.h; what the library tells of its
 * products and of tiles is in gblite_explain.h, products of many factors are in gblite_chain.h.
 */
#ifndef GBLITE_H
#define GBLITE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define GBL_VERSION 2 /* of the C API that the names follow */
#define GBL_SUBVERSION 1
#define GBLITE_VERSION_MAJOR 0 /* of this library */
#define GBLITE_VERSION_MINOR 1
#define GBLITE_VERSION_PATCH 0

/* ------------------------------------------------------------------ 0. basic types and codes -- */

typedef uint64_t gbl_Index;
#define GBL_INDEX_MAX ((gbl_Index)0xFFFFFFFF) /* largest dimension */

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

typedef enum {
    GBL_OUTP = 0,
    GBL_MASK = 1,
    GBL_INP0 = 2,
    GBL_INP1 = 3,
    /* gblite additions, for mxm; GBL_DEFAULT everywhere lets the planner choose */
    GBL_METHOD = 7000,       /* GBL_METHOD_... */
    GBL_WORKFLOW = 7010,     /* of the row-wise method: GBL_WORKFLOW_... */
    GBL_ACCUMULATORS = 7020, /* of the row-wise method: a sum of GBL_ACCUMULATE_... */
    GBL_REGISTERS = 7030,    /* of a row's HyperLogLog sketch: 32, 64 or 128 */
    GBL_BIN_BYTES = 7050,    /* of the outer product: products of a bin, 1024 or more */
    GBL_BIN_LINES = 7051,    /* of the outer product: cache lines flushed at once, 1 to 64 */
    GBL_ROW_ORDER = 7040 /* GBL_ANY_ORDER: rows of the result may stay unsorted until needed; used
                            as a left factor so, its floats are summed in the order stored */
} gbl_Desc_Field;
typedef enum {
    GBL_DEFAULT = 0,
    GBL_REPLACE = 1,
    GBL_COMP = 2,
    GBL_TRAN = 3,
    GBL_STRUCTURE = 4,
    GBL_COMP_STRUCTURE = 6,
    /* values of GBL_METHOD (gblite addition); GBL_DEFAULT lets the planner choose */
    GBL_METHOD_ROWWISE = 7001,
    GBL_METHOD_DOT = 7002,
    GBL_METHOD_TILED = 7003,
    GBL_METHOD_OUTER = 7004,
    /* values of GBL_WORKFLOW: where the room for a row of the result comes from */
    GBL_WORKFLOW_UPPER_BOUND = 7011, /* its number of multiplications */
    GBL_WORKFLOW_ESTIMATE = 7012,    /* an estimate from sketches of B's rows */
    GBL_WORKFLOW_SYMBOLIC = 7013,    /* a count of its entries, made first */
    /* parts of GBL_ACCUMULATORS: ways to sum a row that may be used */
    GBL_ACCUMULATE_SORT = 1,   /* expand, sort, compress; short rows only */
    GBL_ACCUMULATE_HASH = 2,   /* a hash table */
    GBL_ACCUMULATE_DENSE = 4,  /* an array of all columns */
    GBL_ACCUMULATE_ASSIST = 8, /* let the sampled compression ratio size and steer them */
    GBL_ANY_ORDER = 7041       /* value of GBL_ROW_ORDER */
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
    GBL_FP64_CODE = 11
} gbl_Type_Code;

typedef struct gbl_Type_opaque *gbl_Type;
typedef struct gbl_UnaryOp_opaque *gbl_UnaryOp;
typedef struct gbl_BinaryOp_opaque *gbl_BinaryOp;
typedef struct gbl_IndexUnaryOp_opaque *gbl_IndexUnaryOp;
typedef struct gbl_Monoid_opaque *gbl_Monoid;
typedef struct gbl_Semiring_opaque *gbl_Semiring;
typedef struct gbl_Scalar_opaque *gbl_Scalar;
typedef struct gbl_Vector_opaque *gbl_Vector;
typedef struct gbl_Matrix_opaque *gbl_Matrix;
typedef struct gbl_Descriptor_opaque *gbl_Descriptor;
typedef struct gbl_Global_opaque *gbl_Global;

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
/* The same with user-defined types: values passed as const void *, arrays as void. */
#define GBL_FOREACH_VALUE(X) GBL_FOREACH_TYPE(X) X(UDT, const void *)
#define GBL_FOREACH_ARRAY(X) GBL_FOREACH_TYPE(X) X(UDT, void)

/* ------------------------------------------------------------------------------ 1. objects -- */

/* -- context. gbl_init may be called again after gbl_finalize. */
gbl_Info gbl_init(gbl_Mode mode);
gbl_Info gbl_finalize(void);
gbl_Info gbl_getVersion(unsigned int *version, unsigned int *subversion);
/* gblite addition: use these instead of the C library's; they must be thread safe. Without a
 * realloc (NULL) arrays grow by copies, which may exceed GBL_MEMORY_LIMIT. */
gbl_Info gbl_init_with_allocator(gbl_Mode mode, void *(*user_malloc)(size_t),
                                 void *(*user_realloc)(void *, size_t), void (*user_free)(void *));

/* -- types. A user type is any block of `size` bytes that may be copied with memcpy. */
gbl_Info gbl_Type_new(gbl_Type *type, size_t size);
gbl_Info gbl_Type_size(size_t *size, gbl_Type type);        /* gblite addition */
gbl_Info gbl_Type_code(gbl_Type_Code *code, gbl_Type type); /* gblite addition */

/* -- operators. User functions must be thread safe; z never overlaps x or y. */
typedef void (*gbl_unary_function)(void *z, const void *x);
typedef void (*gbl_binary_function)(void *z, const void *x, const void *y);
typedef void (*gbl_index_unary_function)(void *z, const void *x, gbl_Index i, gbl_Index j,
                                         const void *y);
gbl_Info gbl_UnaryOp_new(gbl_UnaryOp *op, gbl_unary_function f, gbl_Type z, gbl_Type x);
gbl_Info gbl_BinaryOp_new(gbl_BinaryOp *op, gbl_binary_function f, gbl_Type z, gbl_Type x,
                          gbl_Type y);
gbl_Info gbl_IndexUnaryOp_new(gbl_IndexUnaryOp *op, gbl_index_unary_function f, gbl_Type z,
                              gbl_Type x, gbl_Type y);

/* -- monoids and semirings. gbl_Monoid_new_T(&monoid, op, identity): op must be T x T -> T. */
#define GBL_DECLARE(N, T) gbl_Info gbl_Monoid_new_##N(gbl_Monoid *, gbl_BinaryOp, T identity);
GBL_FOREACH_VALUE(GBL_DECLARE)
#undef GBL_DECLARE
/* A semiring of built-in parts runs the same kernel as the predefined one of the same parts. */
gbl_Info gbl_Semiring_new(gbl_Semiring *semiring, gbl_Monoid add, gbl_BinaryOp multiply);

/* -- descriptors */
gbl_Info gbl_Descriptor_new(gbl_Descriptor *desc);
gbl_Info gbl_Descriptor_set(gbl_Descriptor desc, gbl_Desc_Field field, gbl_Desc_Value value);
gbl_Info gbl_Descriptor_set_INT32(gbl_Descriptor desc, int32_t value, gbl_Desc_Field field);
gbl_Info gbl_Descriptor_get_INT32(gbl_Descriptor desc, int32_t *value, gbl_Desc_Field field);

/* -- scalars: zero or one value */
gbl_Info gbl_Scalar_new(gbl_Scalar *s, gbl_Type type);
gbl_Info gbl_Scalar_dup(gbl_Scalar *t, gbl_Scalar s);
gbl_Info gbl_Scalar_clear(gbl_Scalar s);
gbl_Info gbl_Scalar_nvals(gbl_Index *nvals, gbl_Scalar s);
gbl_Info gbl_Scalar_type(gbl_Type *type, gbl_Scalar s); /* gblite addition */

/* -- vectors */
gbl_Info gbl_Vector_new(gbl_Vector *v, gbl_Type type, gbl_Index size);
gbl_Info gbl_Vector_dup(gbl_Vector *w, gbl_Vector u);
gbl_Info gbl_Vector_clear(gbl_Vector v);
gbl_Info gbl_Vector_resize(gbl_Vector v, gbl_Index size);
gbl_Info gbl_Vector_size(gbl_Index *size, gbl_Vector v);
gbl_Info gbl_Vector_nvals(gbl_Index *nvals, gbl_Vector v);
gbl_Info gbl_Vector_type(gbl_Type *type, gbl_Vector v); /* gblite addition */
gbl_Info gbl_Vector_removeElement(gbl_Vector v, gbl_Index i);

/* -- matrices */
gbl_Info gbl_Matrix_new(gbl_Matrix *A, gbl_Type type, gbl_Index nrows, gbl_Index ncols);
gbl_Info gbl_Matrix_dup(gbl_Matrix *C, gbl_Matrix A);
gbl_Info gbl_Matrix_clear(gbl_Matrix A);
gbl_Info gbl_Matrix_resize(gbl_Matrix A, gbl_Index nrows, gbl_Index ncols);
gbl_Info gbl_Matrix_nrows(gbl_Index *nrows, gbl_Matrix A);
gbl_Info gbl_Matrix_ncols(gbl_Index *ncols, gbl_Matrix A);
gbl_Info gbl_Matrix_nvals(gbl_Index *nvals, gbl_Matrix A);
gbl_Info gbl_Matrix_type(gbl_Type *type, gbl_Matrix A); /* gblite addition */
gbl_Info gbl_Matrix_diag(gbl_Matrix *C, gbl_Vector v, int64_t k);
gbl_Info gbl_Matrix_removeElement(gbl_Matrix A, gbl_Index i, gbl_Index j);

/* Elements and tuples. setElement is O(1): it appends to a list that the next reader assembles.
 * extractElement returns GBL_NO_VALUE where there is no entry. extractTuples wants *n >= nvals,
 * sets *n to nvals, and lists entries by row then column; any of I, J, X may be NULL. build wants
 * an empty output; duplicates are combined with dup in the order given, or with dup = NULL rejected
 * with GBL_INVALID_VALUE. I and J of any range are checked: GBL_INDEX_OUT_OF_BOUNDS. */
#define GBL_DECLARE(N, T)                                                                          \
    gbl_Info gbl_Scalar_setElement_##N(gbl_Scalar s, T x);                                         \
    gbl_Info gbl_Vector_setElement_##N(gbl_Vector v, T x, gbl_Index i);                            \
    gbl_Info gbl_Matrix_setElement_##N(gbl_Matrix A, T x, gbl_Index i, gbl_Index j);
GBL_FOREACH_VALUE(GBL_DECLARE)
#undef GBL_DECLARE
gbl_Info gbl_Vector_setElement_Scalar(gbl_Vector v, gbl_Scalar x, gbl_Index i);
gbl_Info gbl_Matrix_setElement_Scalar(gbl_Matrix A, gbl_Scalar x, gbl_Index i, gbl_Index j);

#define GBL_DECLARE(N, T)                                                                          \
    gbl_Info gbl_Scalar_extractElement_##N(T *x, gbl_Scalar s);                                    \
    gbl_Info gbl_Vector_extractElement_##N(T *x, gbl_Vector v, gbl_Index i);                       \
    gbl_Info gbl_Matrix_extractElement_##N(T *x, gbl_Matrix A, gbl_Index i, gbl_Index j);          \
    gbl_Info gbl_Vector_extractTuples_##N(gbl_Index *I, T *X, gbl_Index *n, gbl_Vector v);         \
    gbl_Info gbl_Matrix_extractTuples_##N(gbl_Index *I, gbl_Index *J, T *X, gbl_Index *n,          \
                                          gbl_Matrix A);                                           \
    gbl_Info gbl_Vector_build_##N(gbl_Vector v, const gbl_Index *I, const T *X, gbl_Index n,       \
                                  gbl_BinaryOp dup);                                               \
    gbl_Info gbl_Matrix_build_##N(gbl_Matrix A, const gbl_Index *I, const gbl_Index *J,            \
                                  const T *X, gbl_Index n, gbl_BinaryOp dup);
GBL_FOREACH_ARRAY(GBL_DECLARE)
#undef GBL_DECLARE
gbl_Info gbl_Vector_extractElement_Scalar(gbl_Scalar x, gbl_Vector v, gbl_Index i);
gbl_Info gbl_Matrix_extractElement_Scalar(gbl_Scalar x, gbl_Matrix A, gbl_Index i, gbl_Index j);
/* all entries get the value of the scalar; duplicates are merged */
gbl_Info gbl_Vector_build_Scalar(gbl_Vector v, const gbl_Index *I, gbl_Scalar x, gbl_Index n);
gbl_Info gbl_Matrix_build_Scalar(gbl_Matrix A, const gbl_Index *I, const gbl_Index *J, gbl_Scalar x,
                                 gbl_Index n);

/* Import and export copy. CSR: Ap[nrows + 1], Ai[nvals] columns; CSC: Ap[ncols + 1], Ai[nvals]
 * rows; COO: Ap[nvals] rows, Ai[nvals] columns. Lengths are in elements. What is imported is
 * checked: monotone pointers, indices in range, no duplicates; rows need not be sorted. */
#define GBL_DECLARE(N, T)                                                                          \
    gbl_Info gbl_Matrix_import_##N(gbl_Matrix *A, gbl_Type type, gbl_Index nrows, gbl_Index ncols, \
                                   const gbl_Index *Ap, const gbl_Index *Ai, const T *Ax,          \
                                   gbl_Index Ap_len, gbl_Index Ai_len, gbl_Index Ax_len,           \
                                   gbl_Format format);                                             \
    gbl_Info gbl_Matrix_export_##N(gbl_Index *Ap, gbl_Index *Ai, T *Ax, gbl_Index *Ap_len,         \
                                   gbl_Index *Ai_len, gbl_Index *Ax_len, gbl_Format format,        \
                                   gbl_Matrix A);
GBL_FOREACH_ARRAY(GBL_DECLARE)
#undef GBL_DECLARE
gbl_Info gbl_Matrix_exportSize(gbl_Index *Ap_len, gbl_Index *Ai_len, gbl_Index *Ax_len,
                               gbl_Format format, gbl_Matrix A);
gbl_Info gbl_Matrix_exportHint(gbl_Format *format, gbl_Matrix A);

/* gblite addition: the arrays of a CSR or CSC matrix move between the caller and the library
 * without a copy. They come from malloc (or the allocator given at init) and belong to the
 * receiver. p[nmajor + 1], i[nvals], x[nvals], or x[1] when iso: one value for all entries. Moving
 * in checks as import does and on success sets the three pointers to NULL; moving out leaves A
 * empty. */
typedef struct {
    uint64_t *p; /* [nrows + 1] for CSR, [ncols + 1] for CSC */
    uint32_t *i; /* [p[last]] column (CSR) or row (CSC) indices */
    void *x;     /* [p[last]] values, or one value when iso */
    bool iso;
} gbl_Arrays;
gbl_Info gbl_Matrix_moveIn(gbl_Matrix *A, gbl_Type type, gbl_Index nrows, gbl_Index ncols,
                           gbl_Format format, gbl_Arrays *arrays);
gbl_Info gbl_Matrix_moveOut(gbl_Matrix A, gbl_Format format, gbl_Arrays *arrays);

/* gblite addition: which representations of A exist (a set of GBL_HAS_ bits), whether all entries
 * share one value, and how many conversions between representations A has seen. */
enum {
    GBL_HAS_CSR = 1,
    GBL_HAS_CSC = 2,
    GBL_HAS_TILE16 = 4,
    GBL_HAS_BITMAP = 8,
    GBL_HAS_FULL = 16,
    GBL_HAS_DEVICE = 32 /* left on the GPU, by rows; alone, until somebody needs it on the host */
};
typedef struct {
    unsigned present;
    bool iso, sorted;
    uint64_t pending; /* setElement calls not yet assembled */
    uint64_t conversions;
    uint64_t bytes; /* of all representations */
} gbl_Formats;
gbl_Info gbl_Matrix_formats(gbl_Formats *formats, gbl_Matrix A);
gbl_Info gbl_Vector_formats(gbl_Formats *formats, gbl_Vector v);

/* free, wait and error exist for every object; free sets the handle to NULL.
 *
 * Waiting with GBL_MATERIALIZE also finishes what was put off until somebody needs it: rows of the
 * result of a product are sorted, tiles that got no entry are dropped, a product that was left on
 * the GPU alone is copied to the host. Otherwise it adds no representation.
 *
 * After gbl_init(GBL_BLOCKING) every call finishes its work: setElement and removeElement write the
 * arrays of the object, and a product that ran on the GPU is on the host too. The value of an entry
 * that exists, and any element of a dense vector, are written in O(log n); a new or a removed entry
 * of rows moves all entries and row pointers behind it, O(nvals + nrows), so a matrix is better
 * made by build, or with GBL_NONBLOCKING.
 *
 * error gives the text of the last call that had the object as output, from any thread: "" when it
 * succeeded, valid until the next such call. For predefined objects and operators it is the calling
 * thread's last such call. */
#define GBL_FOREACH_OBJECT(X)                                                                      \
    X(Type)                                                                                        \
    X(UnaryOp)                                                                                     \
    X(BinaryOp) X(IndexUnaryOp) X(Monoid) X(Semiring) X(Scalar) X(Vector) X(Matrix) X(Descriptor)
#define GBL_DECLARE(O)                                                                             \
    gbl_Info gbl_##O##_free(gbl_##O *object);                                                      \
    gbl_Info gbl_##O##_wait(gbl_##O object, gbl_WaitMode mode);                                    \
    gbl_Info gbl_##O##_error(const char **text, gbl_##O object);
GBL_FOREACH_OBJECT(GBL_DECLARE)
#undef GBL_DECLARE
/* gblite addition: the text of the last error of the calling thread, whatever the object; never
 * NULL, valid until the thread's next error. */
const char *gbl_last_error(void);
/* gblite addition, for libraries built on gblite: sets that text and returns code. */
gbl_Info gbl_fail(gbl_Info code, const void *object, const char *format, ...);

/* --------------------------------------------------------------------------- 2. operations -- */
/* Each writes C<M> accum= T: T is the operation's result, accum NULL means =, mask NULL means all,
 * desc NULL means defaults. */

gbl_Info gbl_mxm(gbl_Matrix C, gbl_Matrix M, gbl_BinaryOp accum, gbl_Semiring ring, gbl_Matrix A,
                 gbl_Matrix B, gbl_Descriptor desc);
gbl_Info gbl_mxv(gbl_Vector w, gbl_Vector m, gbl_BinaryOp accum, gbl_Semiring ring, gbl_Matrix A,
                 gbl_Vector u, gbl_Descriptor desc);
gbl_Info gbl_vxm(gbl_Vector w, gbl_Vector m, gbl_BinaryOp accum, gbl_Semiring ring, gbl_Vector u,
                 gbl_Matrix A, gbl_Descriptor desc);
gbl_Info gbl_transpose(gbl_Matrix C, gbl_Matrix M, gbl_BinaryOp accum, gbl_Matrix A,
                       gbl_Descriptor desc);

#define GBL_DECLARE(K, O)                                                                          \
    gbl_Info gbl_##K##_eWiseAdd_##O(gbl_##K C, gbl_##K M, gbl_BinaryOp accum, gbl_##O op,          \
                                    gbl_##K A, gbl_##K B, gbl_Descriptor desc);                    \
    gbl_Info gbl_##K##_eWiseMult_##O(gbl_##K C, gbl_##K M, gbl_BinaryOp accum, gbl_##O op,         \
                                     gbl_##K A, gbl_##K B, gbl_Descriptor desc);
GBL_DECLARE(Vector, BinaryOp)
GBL_DECLARE(Vector, Monoid)
GBL_DECLARE(Vector, Semiring)
GBL_DECLARE(Matrix, BinaryOp)
GBL_DECLARE(Matrix, Monoid)
GBL_DECLARE(Matrix, Semiring)
#undef GBL_DECLARE

gbl_Info gbl_Vector_apply(gbl_Vector w, gbl_Vector m, gbl_BinaryOp accum, gbl_UnaryOp op,
                          gbl_Vector u, gbl_Descriptor desc);
gbl_Info gbl_Matrix_apply(gbl_Matrix C, gbl_Matrix M, gbl_BinaryOp accum, gbl_UnaryOp op,
                          gbl_Matrix A, gbl_Descriptor desc);

/* apply with one argument bound, with an index operator; select keeps entries where op is true;
 * assign to the rows I and the columns J, GBL_ALL for all of them. N is a type, UDT, or Scalar (an
 * empty scalar is GBL_EMPTY_OBJECT in apply and select; in assign it stands for "no entry"). */
#define GBL_DECLARE_FOR(K, N, T)                                                                   \
    gbl_Info gbl_##K##_apply_BinaryOp1st_##N(gbl_##K C, gbl_##K M, gbl_BinaryOp accum,             \
                                             gbl_BinaryOp op, T x, gbl_##K A,                      \
                                             gbl_Descriptor desc);                                 \
    gbl_Info gbl_##K##_apply_BinaryOp2nd_##N(gbl_##K C, gbl_##K M, gbl_BinaryOp accum,             \
                                             gbl_BinaryOp op, gbl_##K A, T y,                      \
                                             gbl_Descriptor desc);                                 \
    gbl_Info gbl_##K##_apply_IndexOp_##N(gbl_##K C, gbl_##K M, gbl_BinaryOp accum,                 \
                                         gbl_IndexUnaryOp op, gbl_##K A, T y,                      \
                                         gbl_Descriptor desc);                                     \
    gbl_Info gbl_##K##_select_##N(gbl_##K C, gbl_##K M, gbl_BinaryOp accum, gbl_IndexUnaryOp op,   \
                                  gbl_##K A, T y, gbl_Descriptor desc);
#define GBL_DECLARE(N, T)                                                                          \
    GBL_DECLARE_FOR(Vector, N, T)                                                                  \
    GBL_DECLARE_FOR(Matrix, N, T)                                                                  \
    gbl_Info gbl_Vector_assign_##N(gbl_Vector w, gbl_Vector m, gbl_BinaryOp accum, T x,            \
                                   const gbl_Index *I, gbl_Index ni, gbl_Descriptor desc);         \
    gbl_Info gbl_Matrix_assign_##N(gbl_Matrix C, gbl_Matrix M, gbl_BinaryOp accum, T x,            \
                                   const gbl_Index *I, gbl_Index ni, const gbl_Index *J,           \
                                   gbl_Index nj, gbl_Descriptor desc);
GBL_FOREACH_VALUE(GBL_DECLARE)
GBL_DECLARE(Scalar, gbl_Scalar)
#undef GBL_DECLARE
#undef GBL_DECLARE_FOR

extern const gbl_Index *const GBL_ALL; /* all indices, in order */
gbl_Info gbl_Vector_assign(gbl_Vector w, gbl_Vector m, gbl_BinaryOp accum, gbl_Vector u,
                           const gbl_Index *I, gbl_Index ni, gbl_Descriptor desc);
gbl_Info gbl_Matrix_assign(gbl_Matrix C, gbl_Matrix M, gbl_BinaryOp accum, gbl_Matrix A,
                           const gbl_Index *I, gbl_Index ni, const gbl_Index *J, gbl_Index nj,
                           gbl_Descriptor desc);

/* reduce: rows to a vector; everything to a C value (the identity when there is no entry) or to a
 * scalar (empty when there is no entry). Floats are summed in blocks of fixed size, so the result
 * depends neither on threads nor on the representation. */
gbl_Info gbl_Matrix_reduce_Monoid(gbl_Vector w, gbl_Vector m, gbl_BinaryOp accum, gbl_Monoid op,
                                  gbl_Matrix A, gbl_Descriptor desc);
gbl_Info gbl_Matrix_reduce_BinaryOp(gbl_Vector w, gbl_Vector m, gbl_BinaryOp accum, gbl_BinaryOp op,
                                    gbl_Matrix A, gbl_Descriptor desc);
gbl_Info gbl_Vector_reduce_Monoid_Scalar(gbl_Scalar s, gbl_BinaryOp accum, gbl_Monoid op,
                                         gbl_Vector u, gbl_Descriptor desc);
gbl_Info gbl_Matrix_reduce_Monoid_Scalar(gbl_Scalar s, gbl_BinaryOp accum, gbl_Monoid op,
                                         gbl_Matrix A, gbl_Descriptor desc);
gbl_Info gbl_Vector_reduce_BinaryOp_Scalar(gbl_Scalar s, gbl_BinaryOp accum, gbl_BinaryOp op,
                                           gbl_Vector u, gbl_Descriptor desc);
gbl_Info gbl_Matrix_reduce_BinaryOp_Scalar(gbl_Scalar s, gbl_BinaryOp accum, gbl_BinaryOp op,
                                           gbl_Matrix A, gbl_Descriptor desc);
#define GBL_DECLARE(N, T)                                                                          \
    gbl_Info gbl_Vector_reduce_##N(T *x, gbl_BinaryOp accum, gbl_Monoid op, gbl_Vector u,          \
                                   gbl_Descriptor desc);                                           \
    gbl_Info gbl_Matrix_reduce_##N(T *x, gbl_BinaryOp accum, gbl_Monoid op, gbl_Matrix A,          \
                                   gbl_Descriptor desc);
GBL_FOREACH_ARRAY(GBL_DECLARE)
#undef GBL_DECLARE

/* ----------------------------------------------------------------------------- 3. settings -- */

typedef enum {
    GBL_NAME = 10,                  /* get, string */
    GBL_LIBRARY_VER_MAJOR = 11,     /* get */
    GBL_LIBRARY_VER_MINOR = 12,     /* get */
    GBL_LIBRARY_VER_PATCH = 13,     /* get */
    GBL_API_VER_MAJOR = 14,         /* get */
    GBL_API_VER_MINOR = 15,         /* get */
    GBL_API_VER_PATCH = 16,         /* get */
    GBL_BLOCKING_MODE = 17,         /* get */
    GBL_NTHREADS = 7100,            /* gblite addition: threads of one call; 0 = all processors */
    GBL_MEMORY_LIMIT = 7101,        /* gblite addition: bytes beside a product's result; 0 = none */
    GBL_POOL_LIMIT = 7102,          /* gblite addition: bytes of freed blocks kept for reuse */
    GBL_BYTES_IN_USE = 7103,        /* gblite addition: get; bytes held by objects and workspace */
    GBL_BLOCKS_IN_USE = 7104,       /* gblite addition: get; blocks held by objects and workspace */
    GBL_PLACE = 7105,               /* gblite addition: where gbl_mxm runs, a gbl_Place */
    GBL_DEVICE_MEMORY_LIMIT = 7106, /* gblite addition: bytes on the GPU; 0 = what it has */
    GBL_DEVICE_BYTES_IN_USE = 7107, /* gblite addition: get */
    GBL_DEVICE_BYTES_PEAK = 7108    /* gblite addition: the most in use since it was set, to 0 */
} gbl_Field;
/* gblite addition. A place that is asked for and not possible is an error that says why; AUTO takes
 * the CPU then. DEFAULT is what the environment variable GBLITE_PLACE (cpu, gpu, auto) says, or CPU
 * without it. */
typedef enum {
    GBL_PLACE_DEFAULT = 0,
    GBL_PLACE_CPU = 1,
    GBL_PLACE_GPU = 2,
    GBL_PLACE_AUTO = 3
} gbl_Place;
extern gbl_Global const GBL_GLOBAL;
gbl_Info gbl_Global_set_INT32(gbl_Global g, int32_t value, gbl_Field field);
gbl_Info gbl_Global_get_INT32(gbl_Global g, int32_t *value, gbl_Field field);
gbl_Info gbl_Global_set_INT64(gbl_Global g, int64_t value, gbl_Field field);  /* gblite addition */
gbl_Info gbl_Global_get_INT64(gbl_Global g, int64_t *value, gbl_Field field); /* gblite addition */
gbl_Info gbl_Global_get_SIZE(gbl_Global g, size_t *size, gbl_Field field);
gbl_Info gbl_Global_get_String(gbl_Global g, char *value, gbl_Field field);

/* gblite addition: called now and then during long operations, with the part done in [0, 1]; return
 * false to cancel: the operation then returns GBL_CANCELLED. One caller at a time: a report that
 * comes while another thread's is being made is left out. NULL turns off. The callback may call the
 * library: operations inside it report nothing, gbl_set_progress holds from the next report on.
 * Outside of the callback gbl_set_progress waits for the end of one that is running. */
typedef bool (*gbl_Progress)(void *context, const char *what, double done);
gbl_Info gbl_set_progress(gbl_Progress callback, void *context);

#ifdef __cplusplus
}
#endif

#include "gblite_builtin.h"
#include "gblite_explain.h"
#include "gblite_chain.h"
#ifndef __cplusplus
#include "gblite_generic.h"
#endif

#endif
