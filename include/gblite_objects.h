/* SPDX-License-Identifier: Apache-2.0
 *
 * Tier 1, objects: types, operators, monoids, semirings, descriptors, scalars, vectors, matrices;
 * their elements, tuples and arrays; free, wait and error. Included by gblite.h, whose common rules
 * hold here.
 */
#ifndef GBLITE_OBJECTS_H
#define GBLITE_OBJECTS_H

#include "gblite_types.h"

#pragma push_macro("I") /* of <complex.h> */
#undef I

#ifdef __cplusplus
extern "C" {
#endif

/* ----------------------------------------------------- types, operators, monoids, semirings -- */

/* These objects never change, so any number of threads may use one. An object that is used by
 * others (a type by a matrix, a monoid by a semiring) lives until the last of them is freed. */

/* gbl_Type_new: A type of the user's: any block of `size` bytes that may be copied with memcpy.
 * GBL_INVALID_VALUE unless size is 1 to 65536. */
gbl_Info gbl_Type_new(gbl_Type *type, size_t size);
/* gbl_Type_size: Bytes of a value. gblite addition.
 * gbl_Type_code: Which built-in type it is, or GBL_UDT_CODE. gblite addition. */
gbl_Info gbl_Type_size(size_t *size, gbl_Type type);
gbl_Info gbl_Type_code(gbl_Type_Code *code, gbl_Type type);

typedef void (*gbl_unary_function)(void *z, const void *x);
typedef void (*gbl_binary_function)(void *z, const void *x, const void *y);
typedef void (*gbl_index_unary_function)(void *z, const void *x, gbl_Index i, gbl_Index j,
                                         const void *y);
typedef void (*gbl_index_binary_function)(void *z, const void *x, gbl_Index ix, gbl_Index jx,
                                          const void *y, gbl_Index iy, gbl_Index jy,
                                          const void *theta);
/* gbl_UnaryOp_new: An operator z = f(x) from a function of the user's.
 * gbl_BinaryOp_new: An operator z = f(x, y) from a function of the user's.
 * gbl_IndexUnaryOp_new: An operator z = f(x, i, j, y) on a value and its position; j = 0 in
 * vectors. The function must be thread safe; z never overlaps x or y. */
gbl_Info gbl_UnaryOp_new(gbl_UnaryOp *op, gbl_unary_function f, gbl_Type z, gbl_Type x);
gbl_Info gbl_BinaryOp_new(gbl_BinaryOp *op, gbl_binary_function f, gbl_Type z, gbl_Type x,
                          gbl_Type y);
gbl_Info gbl_IndexUnaryOp_new(gbl_IndexUnaryOp *op, gbl_index_unary_function f, gbl_Type z,
                              gbl_Type x, gbl_Type y);

/* gbl_BinaryOp_new_index: An operator z = f(x, ix, jx, y, iy, jy, theta) on two values and where
 * they stand. gblite addition. For products, eWise, kronecker, and apply, where the bound value
 * stands where the entry does; not for what combines values alone: accumulators, dup, monoids. The
 * column of a vector is 0, or its row in gbl_vxm. theta is copied; f gets it by a pointer.
 * GBL_EMPTY_OBJECT for a theta without a value. Cost of operations: that of operators of the user;
 * beyond products, and there for hypersparse operands, also copies of the operands with 16 bytes
 * more for each entry. */
gbl_Info gbl_BinaryOp_new_index(gbl_BinaryOp *op, gbl_index_binary_function f, gbl_Type z,
                                gbl_Type x, gbl_Type y, gbl_Scalar theta);

/* gbl_Monoid_new_T: A monoid from an associative and commutative operator and its identity.
 * GBL_DOMAIN_MISMATCH unless op is T x T -> T for the very T of the identity, which is not cast. */
#define GBL_DECLARE(N, T) gbl_Info gbl_Monoid_new_##N(gbl_Monoid *, gbl_BinaryOp, T identity);
GBL_FOREACH_VALUE(GBL_DECLARE)
#undef GBL_DECLARE
/* gbl_Monoid_new_terminal_T: The same with a terminal value, with which a sum cannot change any
 * more. gblite addition. Sums may stop there; which of its values a wrong one gives is undefined.
 */
#define GBL_DECLARE(N, T)                                                                          \
    gbl_Info gbl_Monoid_new_terminal_##N(gbl_Monoid *, gbl_BinaryOp, T identity, T terminal);
GBL_FOREACH_VALUE(GBL_DECLARE)
#undef GBL_DECLARE

/* gbl_Semiring_new: A semiring from an additive monoid and a multiplication.
 * GBL_DOMAIN_MISMATCH unless the multiplication gives the monoid's type. One of built-in parts runs
 * the same kernel as the predefined one of the same parts. */
gbl_Info gbl_Semiring_new(gbl_Semiring *semiring, gbl_Monoid add, gbl_BinaryOp multiply);
/* gbl_Semiring_compiled: A semiring over `type` whose kernels you compiled with gblite_semiring.h.
 * Products by ROWWISE, DOT and OUTER, mxv and vxm run at the speed of predefined semirings; methods
 * that compute on vectors take it with GBL_SEMIRING_LANES, others refuse it. `kernels` must outlive
 * the semiring and all results that are deferred. GBL_DOMAIN_MISMATCH where the type has another
 * size, GBL_NOT_IMPLEMENTED where they were compiled for another version of the library or for an
 * instruction set that processor or library lack. */
gbl_Info gbl_Semiring_compiled(gbl_Semiring *semiring, gbl_Type type,
                               const gbl_CompiledSemiring *kernels);
/* gbl_Semiring_add: The additive monoid of a semiring, which you free as one that you made.
 * gbl_Semiring_multiply: Its multiplication.
 * gbl_Monoid_operator: The operator of a monoid. gblite addition.
 * Parts of a compiled semiring are compiled too: reductions, element-wise operations, apply and
 * accumulators run them at the speed of predefined operators. */
gbl_Info gbl_Semiring_add(gbl_Monoid *part, gbl_Semiring whole);
gbl_Info gbl_Semiring_multiply(gbl_BinaryOp *part, gbl_Semiring whole);
gbl_Info gbl_Monoid_operator(gbl_BinaryOp *part, gbl_Monoid whole);

/* ------------------------------------------------------------------------------ descriptors -- */

/* gbl_Descriptor_new: A descriptor whose fields are all GBL_DEFAULT. */
gbl_Info gbl_Descriptor_new(gbl_Descriptor *desc);
/* gbl_Descriptor_set: Sets a field to one of its values.
 * GBL_COMP and GBL_STRUCTURE of GBL_MASK add up; GBL_DEFAULT takes both back. GBL_INVALID_VALUE for
 * what is no field, or no value of it; GBL_ALREADY_SET for a predefined descriptor.
 * gbl_Descriptor_set_INT32 and gbl_Descriptor_get_INT32 are in gblite_fields.h. */
gbl_Info gbl_Descriptor_set(gbl_Descriptor desc, gbl_Desc_Field field, gbl_Desc_Value value);

/* -------------------------------------------------------------- scalars, vectors, matrices -- */

/* gbl_Scalar_new: An empty scalar, which can hold one value.
 * gbl_Vector_new: A vector of `size` elements without entries.
 * gbl_Matrix_new: A matrix without entries.
 * GBL_INVALID_VALUE for a dimension above 2^60. Nothing of a dimension's length is
 * allocated. */
gbl_Info gbl_Scalar_new(gbl_Scalar *s, gbl_Type type);
gbl_Info gbl_Vector_new(gbl_Vector *v, gbl_Type type, gbl_Index size);
gbl_Info gbl_Matrix_new(gbl_Matrix *A, gbl_Type type, gbl_Index nrows, gbl_Index ncols);

/* gbl_O_dup: A copy with the same type, shape and entries, in one of the forms of the original.
 * Cost: O(n + m). */
gbl_Info gbl_Scalar_dup(gbl_Scalar *t, gbl_Scalar s);
gbl_Info gbl_Vector_dup(gbl_Vector *w, gbl_Vector u);
gbl_Info gbl_Matrix_dup(gbl_Matrix *C, gbl_Matrix A);

/* gbl_O_clear: Deletes all entries; type and shape stay. */
gbl_Info gbl_Scalar_clear(gbl_Scalar s);
gbl_Info gbl_Vector_clear(gbl_Vector v);
gbl_Info gbl_Matrix_clear(gbl_Matrix A);

/* gbl_K_resize: Changes the shape; entries outside the new one are deleted.
 * GBL_INVALID_VALUE for a dimension above 2^60. Cost: O(n + m), by one thread. */
gbl_Info gbl_Vector_resize(gbl_Vector v, gbl_Index size);
gbl_Info gbl_Matrix_resize(gbl_Matrix A, gbl_Index nrows, gbl_Index ncols);

/* gbl_Matrix_diag: A square matrix with v on its k-th diagonal, counted upwards from the main one.
 * Its dimension is v's size + |k|; GBL_INVALID_VALUE above 2^60. Cost: O(n + m). */
gbl_Info gbl_Matrix_diag(gbl_Matrix *C, gbl_Vector v, int64_t k);

/* gbl_Vector_size: The number of elements, entries or not.
 * gbl_Matrix_nrows: The number of rows.
 * gbl_Matrix_ncols: The number of columns.
 * gbl_O_nvals: The number of entries; assembles pending updates.
 * gbl_O_type: The type of the values. gblite addition. */
gbl_Info gbl_Vector_size(gbl_Index *size, gbl_Vector v);
gbl_Info gbl_Matrix_nrows(gbl_Index *nrows, gbl_Matrix A);
gbl_Info gbl_Matrix_ncols(gbl_Index *ncols, gbl_Matrix A);
gbl_Info gbl_Scalar_nvals(gbl_Index *nvals, gbl_Scalar s);
gbl_Info gbl_Vector_nvals(gbl_Index *nvals, gbl_Vector v);
gbl_Info gbl_Matrix_nvals(gbl_Index *nvals, gbl_Matrix A);
gbl_Info gbl_Scalar_type(gbl_Type *type, gbl_Scalar s);
gbl_Info gbl_Vector_type(gbl_Type *type, gbl_Vector v);
gbl_Info gbl_Matrix_type(gbl_Type *type, gbl_Matrix A);

/* --------------------------------------------------------------------- elements and tuples -- */

/* gbl_Scalar_setElement_T: s = x.
 * gbl_K_setElement_T: The entry at (i, j), or i of a vector, becomes x, if there was one or not.
 * gbl_K_removeElement: Deletes the entry at (i, j), or i of a vector, if there is one.
 * x is cast to the object's type; an empty gbl_Scalar x removes. GBL_INVALID_INDEX for a position
 * outside. Cost: an entry in sorted rows is found by bisection and changed in place; else the
 * update is appended to a list, in O(1) amortised, which the next reader assembles. */
#define GBL_DECLARE(N, T)                                                                          \
    gbl_Info gbl_Scalar_setElement_##N(gbl_Scalar s, T x);                                         \
    gbl_Info gbl_Vector_setElement_##N(gbl_Vector v, T x, gbl_Index i);                            \
    gbl_Info gbl_Matrix_setElement_##N(gbl_Matrix A, T x, gbl_Index i, gbl_Index j);
GBL_FOREACH_VALUE(GBL_DECLARE)
#undef GBL_DECLARE
gbl_Info gbl_Vector_setElement_Scalar(gbl_Vector v, gbl_Scalar x, gbl_Index i);
gbl_Info gbl_Matrix_setElement_Scalar(gbl_Matrix A, gbl_Scalar x, gbl_Index i, gbl_Index j);
gbl_Info gbl_Vector_removeElement(gbl_Vector v, gbl_Index i);
gbl_Info gbl_Matrix_removeElement(gbl_Matrix A, gbl_Index i, gbl_Index j);

/* gbl_O_extractElement_T: *x = the value of a scalar or of the entry at (i, j), or i of a vector.
 * The value is cast to T. Where there is none the result is GBL_NO_VALUE and *x is as it was; a
 * gbl_Scalar x becomes empty, and the result is GBL_SUCCESS. GBL_INVALID_INDEX for a position
 * outside. Cost: bisection in a row that is sorted, else a search through it.
 *
 * gbl_K_extractTuples_T: Lists all entries by row, then column; *n is the capacity, then the count.
 * Any of I, J and X may be NULL. Values are cast to T. GBL_INSUFFICIENT_SPACE if *n is less than
 * the number of entries: nothing is written. Cost: O(n + m).
 *
 * gbl_K_build_T: Fills an empty object from n tuples in any order.
 * Duplicates are folded by dup in the order given: values are cast to dup's type, results to the
 * object's. With dup = NULL they are GBL_INVALID_VALUE; a gbl_Scalar, whose value all entries get,
 * merges them. Arrays may be NULL when n is 0. GBL_OUTPUT_NOT_EMPTY, GBL_INDEX_OUT_OF_BOUNDS,
 * GBL_DOMAIN_MISMATCH for a dup that is not T x T -> T, GBL_EMPTY_OBJECT for a scalar without a
 * value. Cost: O(n + m), a radix sort with 16 bytes of workspace a tuple; tuples that come in order
 * are not sorted. */
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
gbl_Info gbl_Vector_build_Scalar(gbl_Vector v, const gbl_Index *I, gbl_Scalar x, gbl_Index n);
gbl_Info gbl_Matrix_build_Scalar(gbl_Matrix A, const gbl_Index *I, const gbl_Index *J, gbl_Scalar x,
                                 gbl_Index n);

/* ------------------------------------------------------------------------ import and export -- */

/* gbl_Matrix_import_T: A new matrix from copies of arrays in CSR, CSC or COO format.
 * CSR: Ap[nrows + 1] row pointers, Ai[n] columns; CSC: Ap[ncols + 1] column pointers, Ai[n] rows;
 * COO: Ap[n] rows, Ai[n] columns; Ax[n] values. Lengths are in elements and may be larger than what
 * is used (for COO those of Ap and Ai are the n tuples). Rows need not be sorted. All of it is
 * checked: GBL_INVALID_VALUE for lengths too small, pointers that decrease or do not begin at 0,
 * duplicates and dimensions; GBL_INDEX_OUT_OF_BOUNDS for indices, and for a last pointer beyond the
 * arrays; GBL_DOMAIN_MISMATCH unless `type` is T: nothing is cast. Cost: O(n + m); COO as build.
 *
 * gbl_Matrix_export_T: Copies the content of A to arrays in CSR, CSC or COO format, rows sorted.
 * The lengths are the capacity before and the length used after; GBL_INSUFFICIENT_SPACE when one is
 * too small. GBL_DOMAIN_MISMATCH unless A has the type T. Cost: O(n + m). */
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
/* gbl_Matrix_exportSize: The lengths that export needs.
 * gbl_Matrix_exportHint: A format that needs no conversion, CSR of several, COO if hypersparse. */
gbl_Info gbl_Matrix_exportSize(gbl_Index *Ap_len, gbl_Index *Ai_len, gbl_Index *Ax_len,
                               gbl_Format format, gbl_Matrix A);
gbl_Info gbl_Matrix_exportHint(gbl_Format *format, gbl_Matrix A);

/* gbl_Matrix_serializeSize: Bytes that gbl_Matrix_serialize writes for A.
 * gbl_Matrix_serialize: Writes A as a block of bytes; *size is the room, then the bytes written.
 * gbl_Matrix_deserialize: A new matrix from such a block.
 * The block, laid out in docs/serial_format.md, may be kept in a file and read on another machine
 * and by later versions of this library. It has a checksum, and all that it says is checked: no
 * block makes deserialize read beyond `size` bytes. A user-defined type must be given and have the
 * size and, if both have one, the GBL_NAME of the one that was written; for other types `type` may
 * be NULL. Errors: GBL_INSUFFICIENT_SPACE when the capacity is too small (nothing is written);
 * GBL_CANCELLED (data holds anything); GBL_INVALID_OBJECT for no such block, one that is damaged or
 * later; GBL_DOMAIN_MISMATCH for another type, or NULL for a user-defined one. Cost: O(n + m). */
gbl_Info gbl_Matrix_serializeSize(gbl_Index *size, gbl_Matrix A);
gbl_Info gbl_Matrix_serialize(void *data, gbl_Index *size, gbl_Matrix A);
gbl_Info gbl_Matrix_deserialize(gbl_Matrix *A, gbl_Type type, const void *data, gbl_Index size);

/* gbl_Matrix_moveIn: A new matrix that takes the caller's CSR or CSC arrays, without a copy.
 * gbl_Matrix_moveInto: The same into A, which keeps its type and shape and loses what it had.
 * gbl_Matrix_moveOut: Hands the CSR or CSC arrays of A to the caller and leaves A empty.
 * gbl_Matrix_lend: A new matrix that reads the caller's CSR or CSC arrays where they are.
 * gblite additions. The arrays come from gbl_Memory_malloc and belong to the
 * receiver. Moving in checks like import and on success sets the three pointers to NULL; a failure
 * leaves them to the caller. Moving out gives sorted rows, and pointers even if there is no entry.
 * i and x may be NULL when there is none. GBL_INVALID_VALUE for GBL_COO_FORMAT. Cost: moving in
 * reads p and i once; moving out O(1) for a sorted form that A has.
 * Arrays that are lent may be any memory, each aligned as its elements want, and stay the caller's,
 * who neither writes nor frees them until lender->release is called, once: by any thread that frees
 * the matrix, or uses it after it was written, or before lend returns where there is no entry;
 * lender NULL: until then. It may free memory (gbl_Memory_free), but call nothing else of the
 * library; a failure does not call it. The library never writes to lent arrays: what changes the
 * matrix, and moving out, copies them first. They are not counted in GBL_BYTES_IN_USE.
 *
 * gbl_Vector_moveInto: As gbl_Matrix_moveInto of one column: p[0] is 0, p[1] the number of entries.
 * gbl_Vector_moveOut: As gbl_Matrix_moveOut of one column.
 *
 * gbl_K_lendDense: K reads the caller's bitmap or full array where it is, and loses what it had.
 * gbl_K_moveOutDense: Hands a bitmap or full array of K to the caller and leaves K empty.
 * gblite additions, with the rules of lend and moveOut; arrays go row by row. GBL_NOT_IMPLEMENTED
 * above 2^32 - 1 positions, but for one value everywhere; GBL_INVALID_VALUE for a byte of b that is
 * neither 0 nor 1. Cost: lending reads b once; moving out is O(1) for a dense form that K has,
 * O(nrows * ncols) else.
 *
 * gbl_Matrix_view: The CSR or CSC arrays of A, to be read where they are.
 * gblite addition. Rows are sorted, and there are pointers even if there is no entry. The arrays
 * stay A's, as they are, until A is next written or freed; operations that only read A, on any
 * thread, leave them alone. Cost: O(1) for a sorted form that A has; one that it
 * lacks is made, and stays. */
typedef struct {
    uint64_t *p; /* [nrows + 1] for CSR, [ncols + 1] for CSC */
    uint32_t *i; /* [p[last]] column (CSR) or row (CSC) indices */
    void *x;     /* [p[last]] values, or one value when iso */
    bool iso;    /* one value stands for all entries */
} gbl_Arrays;
typedef struct {
    int8_t *b; /* [n] 1 where there is an entry, else 0; NULL: everywhere */
    void *x;   /* [n] values, or one value when iso */
    bool iso;
} gbl_Dense;
typedef struct {
    void (*release)(void *context); /* NULL: nobody wants to know */
    void *context;
} gbl_Lender;
gbl_Info gbl_Matrix_moveIn(gbl_Matrix *A, gbl_Type type, gbl_Index nrows, gbl_Index ncols,
                           gbl_Format format, gbl_Arrays *arrays);
gbl_Info gbl_Matrix_moveInto(gbl_Matrix A, gbl_Format format, gbl_Arrays *arrays);
gbl_Info gbl_Matrix_moveOut(gbl_Matrix A, gbl_Format format, gbl_Arrays *arrays);
gbl_Info gbl_Vector_moveInto(gbl_Vector v, gbl_Arrays *arrays);
gbl_Info gbl_Vector_moveOut(gbl_Vector v, gbl_Arrays *arrays);
gbl_Info gbl_Matrix_lendDense(gbl_Matrix A, const gbl_Dense *dense, const gbl_Lender *lender);
gbl_Info gbl_Vector_lendDense(gbl_Vector v, const gbl_Dense *dense, const gbl_Lender *lender);
gbl_Info gbl_Matrix_moveOutDense(gbl_Matrix A, gbl_Dense *dense);
gbl_Info gbl_Vector_moveOutDense(gbl_Vector v, gbl_Dense *dense);
gbl_Info gbl_Matrix_view(gbl_Arrays *arrays, gbl_Matrix A, gbl_Format format);
gbl_Info gbl_Matrix_lend(gbl_Matrix *A, gbl_Type type, gbl_Index nrows, gbl_Index ncols,
                         gbl_Format format, const gbl_Arrays *arrays, const gbl_Lender *lender);

/* gbl_Matrix_map: A matrix that reads a block of gbl_Matrix_serialize where it lies.
 * gblite addition. A file that is mapped into memory, say (gbl_file_map in gblite_io.h). The block
 * begins at a multiple of 8 and stays as it is until lender->release is called, as by
 * gbl_Matrix_lend. With `check` all of it is read once, and what is wrong found as by
 * gbl_Matrix_deserialize. Without, only the header is read, in a microsecond, and a corrupt block
 * is undefined behaviour: map only blocks that you trust like a program. Copied instead are
 * hypersparse blocks, blocks whose values are not aligned for their type, and with `check` blocks
 * whose BOOL values are not all 0 or 1. Errors: those of gbl_Matrix_deserialize; GBL_INVALID_VALUE
 * for an address that is no multiple of 8. A failure calls no release. */
gbl_Info gbl_Matrix_map(gbl_Matrix *A, gbl_Type type, const void *data, gbl_Index size, bool check,
                        const gbl_Lender *lender);

/* ------------------------------------------------------------------------- forms of content -- */

enum {
    GBL_HAS_CSR = 1,
    GBL_HAS_CSC = 2,
    GBL_HAS_TILE16 = 4,
    GBL_HAS_BITMAP = 8, /* of all elements, or all positions of a matrix in row-major order */
    GBL_HAS_FULL = 16,
    GBL_HAS_DEVICE = 32 /* left on the GPU; alone, until somebody needs it on the host */
};
/* gbl_K_formats: Which forms of the content exist, and what they take. gblite addition.
 * Nothing is assembled or converted. The struct does not grow. */
typedef struct {
    unsigned present;     /* a set of GBL_HAS_ bits */
    bool iso, sorted;     /* one value for all entries; all rows of all forms are sorted */
    uint64_t pending;     /* setElement calls not yet assembled */
    uint64_t conversions; /* between forms, since the object was made */
    uint64_t bytes;       /* of all forms; SELL slices and panels count in GBL_BYTES_IN_USE alone */
} gbl_Formats;
gbl_Info gbl_Matrix_formats(gbl_Formats *formats, gbl_Matrix A);
gbl_Info gbl_Vector_formats(gbl_Formats *formats, gbl_Vector v);

/* ---------------------------------------------------------------------- every kind of object -- */

/* gbl_O_free: Frees the object and sets the handle to NULL; NULL and predefined objects are fine.
 * gbl_O_wait: Finishes deferred work: GBL_COMPLETE updates and products, GBL_MATERIALIZE all.
 * The latter includes sorting the rows of a product, dropping tiles without entries, and copying a
 * product that was left on the GPU alone to the host as well; no other form is added.
 * GBL_INVALID_VALUE for another mode.
 * gbl_O_error: *text = what the last call that had the object as output says, from any thread.
 * It is "" when that call succeeded, and valid until the next such call. For predefined objects and
 * operators it is the calling thread's last such call. */
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

#ifdef __cplusplus
}
#endif

#pragma pop_macro("I")

#endif
