# SPDX-License-Identifier: Apache-2.0
"""Products of scipy.sparse arrays by gblite: the same result, sooner.

    C = gblite.scipy.matmul(A, B)

    with gblite.scipy.accelerate():
        ...                             # every A @ B of CSR and CSC arrays in here

Structure and types are those of scipy: its promotion of dtypes, its wrapping integers, its way with
sums that cancel to zero. Rows come out sorted, which scipy does not promise. What gblite does not
have (complex numbers, dimensions beyond 2^32) is left to scipy; `report` tells what was.
"""
import contextlib

import numpy as np
import scipy.sparse
from scipy.sparse import _compressed
from scipy.sparse._sputils import get_index_dtype as _index_dtype

from gblite._library import TYPES
from gblite.matrix import Matrix

# Stored entries of both factors from which on gblite is used: below, wrapping takes as long as the
# product (rmat:8:4 with 1600 entries: 1.0 of the time of scipy).
LEAST_ENTRIES = 2000

_PARENT = _compressed._cs_matrix
_NAME = "_matmul_sparse" if hasattr(_PARENT, "_matmul_sparse") else "_mul_sparse_matrix"
_original = getattr(_PARENT, _NAME)


def _drops_zeros():
    row, column = np.array([[1.0, 1.0]]), np.array([[1.0], [-1.0]])
    return (scipy.sparse.csr_matrix(row) @ scipy.sparse.csr_matrix(column)).nnz == 0


_scipy_drops_zeros = _drops_zeros()


def _why_not(A, B, least):
    """Why scipy has to do it, or None."""
    if len(A.shape) != 2 or len(B.shape) != 2:
        return "gblite.scipy multiplies arrays of two dimensions"
    of = np.result_type(A.dtype, B.dtype)
    if of not in TYPES:
        return f"gblite has no values of dtype {of}"
    if max(*A.shape, *B.shape) >= 2**32:
        return "a dimension is 2^32 or more"
    if A.nnz + B.nnz < least:
        return f"{A.nnz + B.nnz} entries are fewer than {least}"
    return None


def _multiply(A, B):
    """A @ B for factors of one format, CSR or CSC, as the class of A."""
    of = np.result_type(A.dtype, B.dtype)
    if A.format == "csc":  # (A B)' = B' A', and columns are the rows of transposed matrices
        C = Matrix(B.T, dtype=of, copy=None).mxm(Matrix(A.T, dtype=of, copy=None), dtype=of)
    else:
        C = Matrix(A, dtype=of, copy=None).mxm(Matrix(B, dtype=of, copy=None), dtype=of)
    p, i, x = C._moved_out("csr")
    index = _index_dtype((A.indptr, A.indices, B.indptr, B.indices), maxval=len(x))
    i = i.view(np.int32) if index == np.int32 else i.astype(index)
    made = type(A)((x, i, p.astype(index)), shape=(A.shape[0], B.shape[1]), copy=False)
    made.has_sorted_indices = made.has_canonical_format = True
    if _scipy_drops_zeros and x.size and not x.all():
        made.eliminate_zeros()
    return made


def matmul(A, B):
    """A @ B, or scipy's own where gblite cannot."""
    if not scipy.sparse.issparse(B) or len(A.shape) != 2 or len(B.shape) != 2:
        return A @ B
    if A.format not in ("csr", "csc"):
        A = A.tocsr()
    B = type(A)(B)
    if A.shape[1] != B.shape[0] or _why_not(A, B, 0) is not None:
        return A @ B
    return _multiply(A, B)


@contextlib.contextmanager
def accelerate(least=LEAST_ENTRIES, report=None):
    """Inside the block products of sparse arrays run on gblite from `least` stored entries of both
    factors on. report(text) is told why scipy had to do one. Not for several threads at once: the
    block changes a method of scipy's classes."""

    def product(self, other):
        other = self.__class__(other)
        why = _why_not(self, other, least)
        if why is None:
            return _multiply(self, other)
        if report is not None:
            report(f"{self.shape} @ {other.shape} by scipy: {why}")
        return _original(self, other)

    before = getattr(_PARENT, _NAME)
    setattr(_PARENT, _NAME, product)
    try:
        yield
    finally:
        setattr(_PARENT, _NAME, before)
