# SPDX-License-Identifier: Apache-2.0
"""Operations on scipy's CSR and CSC arrays where they are: no matrix is made of them.

matmat, turn and extremes have the arguments of methods of scipy's and raise Left, which says why,
for what scipy does as fast or has to do. Results are memory that gblite keeps for reuse: fresh
pages take as long as the work.
"""
import collections

import numpy as np

from gblite._library import TYPES, check, ffi, lib, own_array, pointer, taken

# Stored entries from which on an operation is taken from scipy: below, looking at the arguments
# takes what is gained. Time of scipy over that of one thread, er:11:8, er:14:8, er:16:8: A @ X of
# 32 columns 1.6, 1.6, 2.1, A.T @ X 1.0, 1.0, 1.1, of 4 columns 0.7; tocsc is scipy's loop. max(0)
# is faster from where columns do not fit in the cache. Products with a vector are scipy's loop.
LEAST = 10_000
LEAST_EXTREMES = 300_000
# A + B, one thread: rows of er 1.9, 1.6, 1.6, and of rmat with its transpose, 1.7; of fem:16:3 with
# its transpose, the same rows, 1.4; but short equal rows, or hardly any that both have, 0.6 to 1.1.
LEAST_OF_UNIONS = 20_000
_MIXED = 0.5
LEAST_COLUMNS = 16
_SMALL = 1 << 16  # bytes that numpy has at hand

_NUMBERS = {dtype: getattr(lib, f"GBL_{of.name}_CODE") for dtype, of in TYPES.items()
            if of.name != "BOOL" and not of.is_complex}


class Rows(collections.namedtuple("Rows", "shape indptr indices data format")):
    """What is read of an array of scipy's."""


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
    if count * dtype.itemsize < _SMALL:
        return np.empty(count, dtype)
    block = lib.gbl_Memory_malloc(max(count, 1) * dtype.itemsize)
    if block == ffi.NULL:
        raise MemoryError(f"no memory for {count} entries of a result")
    return own_array(block, count, dtype)


def _made(p, i, x):
    made = ffi.new("gblite_python_Made *")
    made.p, made.i, made.x = (pointer(part, to) for part, to in zip(
        (p, i, x), ("int32_t *", "int32_t *", "void *")))
    return made


def matmat(A, X, least=None):
    """scipy's _matmul_multivector."""
    _fits(A, LEAST if least is None else 5 * least)
    if X.ndim != 2 or A.shape[1] != X.shape[0]:
        raise Left("the shapes do not fit")
    columns = X.shape[1]
    if columns < LEAST_COLUMNS:
        raise Left(f"{columns} columns are fewer than {LEAST_COLUMNS}")
    of = np.result_type(A.dtype, X.dtype)
    if of not in _NUMBERS:
        raise Left(f"gblite has no numbers of dtype {of}")
    return product(A, X, of)


def fetched(M, format, row_of=None):
    """(pointers, indices, values) of a Matrix in this format, and the row of each entry into an
    array; or None where a kernel does not take it."""
    n, lines = M.nvals, M.shape[format == "csc"] + 1
    if max(*M.shape, n) >= 2**31:
        return None
    p, i, x = _empty(lines, np.int32), _empty(n, np.int32), _empty(n, M.dtype)
    if row_of is not None:
        row_of.append(_empty(n, np.int32))
    to = ffi.NULL if row_of is None else pointer(row_of[0], "int32_t *")
    kind = lib.GBL_CSR_FORMAT if format == "csr" else lib.GBL_CSC_FORMAT
    done = lib.gblite_python_fetch(_made(p, i, x), to, M._handle, kind)
    return (p, i, x) if taken(done) else None


def times(M, transposed, X, of):
    """M @ X, or M.T @ X, for a Matrix and an array of one type and one or two dimensions; or
    None."""
    X = np.ascontiguousarray(X, of.dtype)
    rows, columns = M.shape[transposed], 1 if X.ndim == 1 else X.shape[1]
    Y = _empty(rows * columns, of.dtype)
    done = lib.gblite_python_times(ffi.from_buffer(Y), M._handle, transposed, ffi.from_buffer(X),
                                   columns, _NUMBERS[of.dtype])
    if not taken(done):
        return None
    return Y if X.ndim == 1 else Y.reshape(rows, columns)


def has_kernels(dtype):
    """Whether kernels compute with values of this dtype."""
    return dtype in _NUMBERS


def product(A, X, of):
    """A @ X, dense, for an array X of two dimensions, whose values become `of` before."""
    A = Rows(A.shape, A.indptr, A.indices, np.ascontiguousarray(A.data, of), A.format)
    if A.format == "csc":  # the entries of a row keep their order, so sums are scipy's
        A = Rows(A.shape, *turned(A), "csr")
    X, columns = np.ascontiguousarray(X, of), X.shape[1]
    Y = _empty(A.shape[0] * columns, of).reshape(A.shape[0], columns)
    lib.gblite_python_matmat(pointer(Y, "void *"), _lent(A), pointer(X, "void *"), columns,
                             _NUMBERS[of])
    return Y


def sampled(A, L, R):
    """The elements of L @ R.T at the entries of a CSR array, for dense arrays of one dtype."""
    L, R = np.ascontiguousarray(L), np.ascontiguousarray(R)
    y = _empty(len(A.indices), L.dtype)
    lib.gblite_python_sampled(pointer(y, "void *"), _lent(A, y), pointer(L, "void *"),
                              pointer(R, "void *"), L.shape[1], _NUMBERS[L.dtype])
    return y


def imported(A, box, type):
    """A matrix of copies of the arrays, into a gbl_Matrix *; what the call returns. Indices and
    pointers have both 32 or both 64 bits."""
    by_rows = A.format == "csr"
    lent, call = _lent(A), lib.gblite_python_import
    if A.indices.dtype == np.int64:
        wide = ffi.new("gblite_python_Wide *", (lent.rows, *(
            pointer(part, "int64_t *") for part in (A.indptr, A.indices)), lent.x))
        lent, call = wide, lib.gblite_python_import_wide
    return call(box, type.handle, lent, A.shape[by_rows],
                lib.GBL_CSR_FORMAT if by_rows else lib.GBL_CSC_FORMAT, type.dtype.itemsize)


# scipy's names of operations on two arrays: the kernel's, and whether it makes truth values.
_UNIONS = {"_plus_": (b"P", False), "_minus_": (b"M", False), "_elmul_": (b"*", False),
           "_lt_": (b"<", True), "_gt_": (b">", True), "_ne_": (b"!", True)}


def union(A, B, op, least=None):
    """scipy's _binopt: A op B, entry by entry."""
    if op not in _UNIONS or not hasattr(B, "format"):
        raise Left("there is no kernel for it")
    _fits(A, LEAST_OF_UNIONS if least is None else least)
    _fits(B, 0)
    most = int(A.indptr[-1]) + int(B.indptr[-1])
    of = np.result_type(A.dtype, B.dtype)
    if A.shape != B.shape or A.format != B.format or most >= 2**31:
        raise Left("shapes, formats or sizes do not fit")
    if of not in _NUMBERS:
        raise Left(f"gblite has no numbers of dtype {of}")
    lent = [_lent(S) for S in (A, B)]
    if least is None and lib.gblite_python_mixed(*lent) < _MIXED:
        raise Left("entries come in an order that a processor predicts, so scipy is as fast")
    if not all(lib.gblite_python_ascends(each) for each in lent):
        raise Left("rows are not sorted")
    values = [np.ascontiguousarray(S.data, of) for S in (A, B)]
    lent = [_lent(S, x) for S, x in zip((A, B), values)]
    code, truth = _UNIONS[op]
    p, i = _empty(len(A.indptr), np.int32), _empty(most, np.int32)
    x = _empty(most, np.bool_ if truth else of)
    lib.gblite_python_union(_made(p, i, x), *lent, code, _NUMBERS[of], x.itemsize)
    made = type(A)((x, i, p), shape=A.shape, copy=False)
    made.prune()
    return made


def turn(A, kind, least=LEAST):
    """A in the other format, of class kind: scipy's tocsc of CSR, tocsr of CSC."""
    _fits(A, least)
    columns = A.shape[A.format == "csr"]
    if A.dtype not in TYPES and A.dtype.kind != "c" or 3 * len(A.indices) < columns:
        raise Left(f"{columns} columns are too many for {len(A.indices)} entries")
    p, i, x = turned(A)
    made = kind((x, i, p), shape=A.shape, copy=False)
    made.has_sorted_indices = True
    return made


def turned(A):
    """The arrays (pointers, indices, values) of A in the other format."""
    _fits(A, 0)
    lent, of = _lent(A), A.data.dtype
    columns, count = A.shape[A.format == "csr"], int(A.indptr[-1])
    p, i, x = (_empty(n, dtype) for n, dtype in (
        (columns + 1, np.int32), (count, np.int32), (count, of)))
    check(lib.gblite_python_transpose(_made(p, i, x), lent, columns, of.itemsize))
    return p, i, x


def extremes(A, axis, function):
    """A's largest or least element (function: numpy's maximum or minimum) of each column of CSR, or
    row of CSC, as an array of scipy's of one row, or column."""
    _fits(A, LEAST_EXTREMES)
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
