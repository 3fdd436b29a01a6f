# SPDX-License-Identifier: Apache-2.0
"""Operations on scipy's CSR and CSC arrays where they are: no matrix is made of them.

matmat, turn and extremes have the arguments of methods of scipy's and raise Left, which says why,
for what scipy does as fast or has to do. Results are memory that gblite keeps for reuse: fresh
pages take as long as the work.
"""
import collections

import numpy as np

from gblite._library import TYPES, check, ffi, lib, own_array, pointer

# Stored entries from which on an operation is taken from scipy: below, looking at the arguments
# takes what is gained. CPU time of scipy over that of one thread, er:14:8, er:17:8, rmat:16:16:
# tocsc 1.0, 1.7, 1.2; max(0) 1.9, 4.3, 3.1; A @ X of 32 columns 1.3, 1.1, 1.1, of 4 columns 0.7.
# Merging two arrays takes twice scipy's time, which counts nothing beforehand, and products with a
# vector are its loop: both stay there.
LEAST = 10_000
LEAST_COLUMNS = 16

_NUMBERS = {dtype: getattr(lib, f"GBL_{of.name}_CODE") for dtype, of in TYPES.items()
            if of.name != "BOOL" and not of.is_complex}


class Rows(collections.namedtuple("Rows", "shape indptr indices data")):
    """What is read of a CSR array of scipy's."""

    format = "csr"


class Left(Exception):
    """Why scipy has to do it."""


def _fits(S, least):
    if len(S.shape) != 2 or S.format not in ("csr", "csc"):
        raise Left("arrays of CSR and CSC are read")
    if len(S.indices) < least:
        raise Left(f"{len(S.indices)} entries are fewer than {least}")
    if S.indices.dtype != np.int32 or S.indptr.dtype != np.int32:
        raise Left("indices are not of 32 bits")
    if not all(part.flags.c_contiguous for part in (S.indptr, S.indices, S.data)):
        raise Left("the arrays are not contiguous")


def _lent(S, values=None):
    """A gblite_python_Csr * of S, or of the transposed one of CSC."""
    values = S.data if values is None else values
    rows, p = S.shape[S.format == "csc"], S.indptr
    if len(p) != rows + 1 or p[0] != 0 or not 0 <= p[-1] <= min(len(S.indices), len(values)):
        raise Left("the arrays do not fit together")
    made = ffi.new("gblite_python_Csr *")
    made.rows, made.p, made.i = rows, pointer(p, "int32_t *"), pointer(S.indices, "int32_t *")
    made.x = pointer(values, "void *")
    return made


def _empty(count, dtype):
    dtype = np.dtype(dtype)
    block = lib.gbl_Memory_malloc(max(count, 1) * dtype.itemsize)
    if block == ffi.NULL:
        raise MemoryError(f"no memory for {count} entries of a result")
    return own_array(block, count, dtype)


def _made(p, i, x):
    made = ffi.new("gblite_python_Made *")
    made.p, made.i, made.x = (pointer(part, to) for part, to in zip(
        (p, i, x), ("int32_t *", "int32_t *", "void *")))
    return made


def matmat(A, X, scale=1):
    """scipy's _matmul_multivector."""
    _fits(A, LEAST * scale)
    if A.format != "csr" or X.ndim != 2 or A.shape[1] != X.shape[0]:
        raise Left("products with dense arrays are made by rows")
    columns = X.shape[1]
    if columns < LEAST_COLUMNS:
        raise Left(f"{columns} columns are fewer than {LEAST_COLUMNS}")
    of = np.result_type(A.dtype, X.dtype)
    if of not in _NUMBERS:
        raise Left(f"gblite has no numbers of dtype {of}")
    return product(A, X, of)


def has_kernels(dtype):
    """Whether kernels compute with values of this dtype."""
    return dtype in _NUMBERS


def product(A, X, of):
    """A @ X, dense, for a CSR array A and an array X of two dimensions, whose values become `of`
    before."""
    values, X = np.ascontiguousarray(A.data, of), np.ascontiguousarray(X, of)
    lent, columns = _lent(A, values), X.shape[1]
    Y = _empty(A.shape[0] * columns, of).reshape(A.shape[0], columns)
    lib.gblite_python_matmat(pointer(Y, "void *"), lent, pointer(X, "void *"), columns,
                             _NUMBERS[of])
    return Y


def spread(A, dense):
    """Writes the values of a CSR array to its positions in a dense one, which it returns."""
    lib.gblite_python_spread_rows(pointer(dense, "void *"), _lent(A), A.shape[1],
                                  dense.dtype.itemsize)
    return dense


def row_indices(A):
    """The row of each entry of a CSR array."""
    rows = _empty(len(A.indices), np.int32)
    lib.gblite_python_name_rows(pointer(rows, "int32_t *"), _lent(A))
    return rows


def union(A, B, op, of):
    """A op B for CSR arrays with sorted rows, op of + - < > !=, values of dtype `of`: (pointers,
    indices, values), or None where there are no such kernels or too many entries for them."""
    most = int(A.indptr[-1]) + int(B.indptr[-1])
    if of not in _NUMBERS or most >= 2**31:
        return None
    left, right = (np.ascontiguousarray(S.data, of) for S in (A, B))
    result = np.dtype(of if op in "+-" else bool)
    p, i, x = (_empty(n, t) for n, t in ((A.shape[0] + 1, np.int32), (most, np.int32),
                                         (most, result)))
    lib.gblite_python_union(_made(p, i, x), _lent(A, left), _lent(B, right), op[0].encode(),
                            _NUMBERS[of], result.itemsize)
    return p, i[:p[-1]], x[:p[-1]]


def turn(A, kind, scale=1):
    """A in the other format, of class kind: scipy's tocsc of CSR, tocsr of CSC."""
    _fits(A, LEAST * scale)
    rows, columns = A.shape if A.format == "csr" else A.shape[::-1]
    if A.dtype not in TYPES and A.dtype.kind != "c" or 3 * len(A.indices) < columns:
        raise Left(f"{columns} columns are too many for {len(A.indices)} entries")
    lent, count = _lent(A), int(A.indptr[-1])
    p, i, x = (_empty(n, of) for n, of in (
        (columns + 1, np.int32), (count, np.int32), (count, A.dtype)))
    check(lib.gblite_python_transpose(_made(p, i, x), lent, columns, A.dtype.itemsize))
    made = kind((x, i, p), shape=A.shape, copy=False)
    made.has_sorted_indices = True
    return made


def extremes(A, axis, function, scale=1):
    """A's largest or least element (function: numpy's maximum or minimum) of each column of CSR, or
    row of CSC, as an array of scipy's of one row, or column."""
    _fits(A, LEAST * scale)
    if axis != (A.format == "csc") or A.dtype not in _NUMBERS or 0 in A.shape:
        raise Left("it is along the format")
    major, minor = A.shape if A.format == "csr" else A.shape[::-1]
    best, count = np.zeros(minor, A.dtype), np.zeros(minor, np.int32)
    if not lib.gblite_python_extremes(pointer(best, "void *"), pointer(count, "int32_t *"),
                                      _lent(A), function is np.maximum, _NUMBERS[A.dtype]):
        raise Left("rows are not sorted")
    best = np.where(count < major, function(best, A.dtype.type(0)), best)
    import scipy.sparse

    of_format = scipy.sparse.csc_array if axis == 0 else scipy.sparse.csr_array
    return of_format(best.reshape(1, minor) if axis == 0 else best.reshape(minor, 1))
