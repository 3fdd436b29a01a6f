# SPDX-License-Identifier: Apache-2.0
"""Products of scipy.sparse arrays by gblite: the same result, sooner.

    A = gblite.csr_array(...)           # scipy's csr_array whose products gblite makes

    C = gblite.scipy.matmul(A, B)       # A @ B of scipy's own arrays

    with gblite.scipy.accelerate():
        ...                             # products of CSR and CSC arrays that are faster so, in here

Structure and types are those of scipy: its promotion of dtypes, its wrapping integers, its way with
sums that cancel to zero. Rows come out sorted, which scipy does not promise. What gblite does not
have (long doubles, dimensions beyond 2^32) is left to scipy; `report` tells what was. Factors
are read where they are, whatever their format: A.T @ A converts nothing beforehand.
"""
import threading

import numpy as np
import scipy.sparse
from scipy.sparse import _compressed

from gblite import _arrays, _predicted, convert
from gblite._arrays import Left
from gblite._library import TYPES, DomainError
from gblite._object import Operations
from gblite.matrix import Matrix

# Stored entries of both factors from which on gblite is considered: below, wrapping takes as long
# as the product (rmat:8:8 with 3000 entries: 1.0 of the time of scipy).
LEAST_ENTRIES = 5000

_PARENT = _compressed._cs_matrix


def _drops_zeros():
    row, column = np.array([[1.0, 1.0]]), np.array([[1.0], [-1.0]])
    return (scipy.sparse.csr_matrix(row) @ scipy.sparse.csr_matrix(column)).nnz == 0


_scipy_drops_zeros = _drops_zeros()


def _common_type(A, B):
    of = np.result_type(A.dtype, B.dtype)
    if of not in TYPES:
        raise Left(f"gblite has no values of dtype {of}")
    return of


def _matrix(S, of, transposed):
    """S or its transpose, read where it is."""
    shape, format = S.shape, S.format
    if transposed:
        shape, format = shape[::-1], "csc" if format == "csr" else "csr"
    made = convert.from_arrays(S.indptr, S.indices, S.data, shape, of, format, None)
    return Matrix._wrap_kept(*made)


def _array(C, format, factors):
    """What C holds by rows or columns, in the class, format and index type that scipy's product of
    the factors would have."""
    p, i, x = C._moved_out(format)
    like, shape = factors[0], (factors[0].shape[0], factors[1].shape[1])
    find = getattr(like, "_get_index_dtype", None) or _compressed.get_index_dtype
    index = find([part for S in factors for part in (S.indptr, S.indices)], maxval=len(x))
    i = i.view(np.int32) if index == np.int32 else i.astype(index)
    made = type(like)((x, i, p.astype(index)), shape=shape, copy=False)
    made.has_sorted_indices = made.has_canonical_format = True
    return made


# Entries to a row from which on factors of two formats are brought to one, whose rows can then be
# compared. Before and after, milliseconds of one thread: fem:16:2 63, 21; band:20000:8 16, 4.8; but
# rmat:12:8 5.0, 6.6.
LONG_ROWS = 12

# Multiplications that give the same with their arguments swapped.
_COMMUTING = {"times", "plus", "min", "max", "pair", "oneb", "land", "lor", "lxor", "eq", "ne"}


def _of_scipy(S):
    return S.to_scipy() if isinstance(S, Operations) else S


def _alike(A, B):
    """B in the format of A where its rows are long."""
    if A.format == B.format or B.nnz < LONG_ROWS * B.shape[B.format == "csc"]:
        return B
    try:
        return _arrays.Rows(B.shape, *_arrays.turned(B), A.format)
    except Left:
        return B


def _multiply(A, B, semiring="plus_times", mask=None, dtype=None, **to):
    """A @ B, in the class of A, which is CSR or CSC."""
    of = _common_type(A, B) if dtype is None else np.dtype(dtype)
    if B.format not in convert.FORMATS:
        B = type(A)(B)
    B = _alike(A, B)
    # (A B)' = B' A', and columns are the rows of transposed matrices: nothing is converted.
    commutes = isinstance(semiring, str) and semiring.lower().partition("_")[2] in _COMMUTING
    flip = A.format == "csc" and commutes
    left, right = (_matrix(S, of, flip) for S in ((B, A) if flip else (A, B)))
    if mask is not None:
        mask = _of_scipy(mask)
        mask = mask if mask.format in convert.FORMATS else mask.tocsr()
        to["mask"] = _matrix(mask, None, flip)
    C = left.mxm(right, semiring, dtype=of, **to)
    return _array(C, "csr" if flip else A.format, (A, B))


def _sparse_product(A, B, least=None):
    """scipy's _matmul_sparse."""
    entries = A.nnz + B.nnz
    if entries < (LEAST_ENTRIES if least is None else least):
        raise Left(f"{entries} entries are few")
    if least is None and B.format in convert.FORMATS and _predicted.gain(A, B) < 1:
        raise Left("rows are short, so scipy is as fast")
    if len(A.shape) != 2 or len(B.shape) != 2:
        raise Left("gblite.scipy multiplies arrays of two dimensions")
    if A.shape[1] != B.shape[0]:
        raise Left("the shapes do not fit")
    _common_type(A, B)
    if max(*A.shape, *B.shape) >= 2**32:
        raise Left("a dimension is 2^32 or more")
    made = _multiply(A, B)
    if _scipy_drops_zeros and made.data.size and not made.data.all():
        made.eliminate_zeros()
    return made


def _name(*names):
    return next(name for name in names if hasattr(_PARENT, name))


_FAST = {  # the methods of scipy's that gblite takes over, from how many entries on
    _name("_matmul_sparse", "_mul_sparse_matrix"): _sparse_product,
    _name("_matmul_multivector", "_mul_multivector"): _arrays.matmat,
    "_binopt": _arrays.union,
}


def matmul(A, B):
    """A @ B, or scipy's own where gblite cannot."""
    if not scipy.sparse.issparse(B) or len(A.shape) != 2 or len(B.shape) != 2:
        return A @ B
    if A.format not in ("csr", "csc"):
        A = A.tocsr()
    try:
        return _sparse_product(A, B, 0)
    except Left:
        return A @ B


# -- arrays ----------------------------------------------------------------------------------------


class _Fast:
    """What gblite does for scipy's CSR and CSC where it is faster; all else is inherited."""

    @property
    def _csr_container(self):
        return csr_array

    @property
    def _csc_container(self):
        return csc_array

    def dot(self, other, semiring="plus_times", mask=None, explain=False, **to):
        """self @ other. Of two sparse arrays over any semiring ("min_plus", "plus_pair" ...), and
        inside a mask, a sparse array: where it is not zero, structure=True: has an entry,
        complement=True: at all other positions. explain=True prints how it was computed, method=
        forces a method of gblite.METHODS."""
        if semiring == "plus_times" and mask is None and not explain and not to:
            return super().dot(other)
        other = _of_scipy(other)
        if not scipy.sparse.issparse(other):
            raise DomainError("semirings, masks and explanations are for products of sparse arrays")
        try:
            return _multiply(self, other, semiring, mask, explain=explain, **to)
        except Left as why:
            raise DomainError(f"{why}; convert with astype") from None

    def tocsc(self, copy=False):
        """scipy's."""
        return self._turned("csc", copy)

    def tocsr(self, copy=False):
        """scipy's."""
        return self._turned("csr", copy)

    def _turned(self, format, copy):
        if self.format != format:
            try:
                return _arrays.turn(self, getattr(self, f"_{format}_container"))
            except Left:
                pass
        return getattr(super(), f"to{format}")(copy=copy)

    def _min_or_max_axis(self, axis, function, explicit=False):
        if not explicit:
            try:
                return _arrays.extremes(self, axis, function)._min_or_max_axis(axis, function,
                                                                               *_EXPLICIT)
            except Left:
                pass
        return super()._min_or_max_axis(axis, function, *(explicit,) * len(_EXPLICIT))


# What scipy passes on since 1.15: whether what is not stored counts.
_EXPLICIT = (False,) * (_PARENT._min_or_max_axis.__code__.co_argcount - 3)


def _inherited(name, fast):
    def method(self, *operands):
        try:
            return fast(self, *operands)
        except Left:
            return getattr(super(_Fast, self), name)(*operands)

    method.__name__ = name
    return method


for _key, _fast in _FAST.items():
    setattr(_Fast, _key, _inherited(_key, _fast))


class csr_array(_Fast, scipy.sparse.csr_array):
    """scipy.sparse.csr_array whose products gblite makes; dot() takes semirings and masks.

    >>> A = csr_array([[0, 2], [3, 0]])
    >>> (A @ A).toarray()
    array([[6, 0],
           [0, 6]])
    >>> A.dot(A, "min_plus").toarray()
    array([[5, 0],
           [0, 5]])
    """


class csc_array(_Fast, scipy.sparse.csc_array):
    """scipy.sparse.csc_array whose products gblite makes."""


# -- scipy's own classes ---------------------------------------------------------------------------

_open = []  # blocks, the last one rules
_originals = {name: getattr(_PARENT, name) for name in _FAST}
_lock = threading.RLock()


def _replaced(name, fast):
    original = _originals[name]

    def method(self, *operands):
        block = _open[-1:]
        if block and self.format in convert.FORMATS:
            try:
                return fast(self, *operands, block[0].least)
            except Left as why:
                if block[0].report is not None:
                    block[0].report(f"{name} of {self.shape} and "
                                    f"{getattr(operands[0], 'shape', '')} by scipy: {why}")
        return original(self, *operands)

    return method


class accelerate:
    """Products of scipy's arrays run on gblite where that is faster: sparse by sparse where rows
    are long, scattered or shared out to several threads, by dense ones from 10,000 stored entries
    and 16 columns on; and so do sums, differences, multiply, <, > and != of 20,000 sorted entries
    that mix. least: from so many entries of both sparse factors on (five times as many by dense
    ones), whatever is predicted. In a with block, or for good by accelerate().start().
    report(text) is told why scipy did one. All threads see it; blocks of several threads may
    overlap."""

    def __init__(self, least=None, report=None):
        self.least, self.report = least, report

    def start(self):
        """Begins, until stop()."""
        with _lock:
            _open.append(self)
            for name, fast in _FAST.items():
                setattr(_PARENT, name, _replaced(name, fast))
        return self

    def stop(self):
        """Ends what start() began."""
        with _lock:
            _open.remove(self)
            if not _open:
                for name, original in _originals.items():
                    setattr(_PARENT, name, original)

    __enter__ = start

    def __exit__(self, *error):
        self.stop()
