# SPDX-License-Identifier: Apache-2.0
"""Sums and extremes of matrices, and conversions, by the names that scipy gives them."""
import sys

import numpy as np

from gblite import _arrays
from gblite._arithmetic import number_of
from gblite._library import DomainError, InvalidValue, NotSparse, check, ffi, lib, seen, taken
from gblite._object import _source, is_number
from gblite.vector import Vector

_FEW = 10_000  # entries that are summed before a vector of the library is made
_MANY = 1_000_000  # entries from which on threads sum faster than numpy
_OF_OBJECTS = {"data", "indices", "indptr", "size"}  # not of the classes of scipy, or not of all


def _folded(axis):
    """0 or 1, or None for both axes, which may be given as a tuple, as in scipy."""
    if isinstance(axis, tuple) and axis:
        axes = [_folded(one) for one in axis]
        if len(set(axes)) < len(axes) or None in axes:
            raise InvalidValue(f"axis is {axis}, which names one twice")
        return axes[0] if len(axes) == 1 else None
    if axis is None or not isinstance(axis, (str, tuple)) and axis in (0, 1, -1, -2):
        return axis if axis is None else int(axis) % 2
    wrong = InvalidValue if is_number(axis) or isinstance(axis, tuple) else DomainError
    raise wrong(f"axis is {axis!r}, but must be None, 0 or 1, or a tuple of these")


def _no_out(out):
    if out is not None:
        raise InvalidValue("out= is not there for sums and extremes: copy what they return")


class Summaries:
    """Methods of matrices, lazily transposed or not."""

    __slots__ = ()

    def sum(self, axis=None, dtype=None, out=None):
        """The sum of all entries, or a numpy array of those of each column (axis 0) or row (1)."""
        _no_out(out)
        axis = _folded(axis)
        if axis is None:
            if self.type.is_float and dtype is None and _FEW < self.nvals < _MANY:
                values, _ = self._held()
                if values is not None and len(values) > 1:
                    return values.sum().item()
            return self.reduce("plus", dtype)
        lines = self._lines(axis)
        if dtype is None and lines.type.is_float and self.nvals < _FEW:
            return lines._times(np.ones(lines.shape[1], lines.dtype))
        return lines.reduce_rows("plus", dtype).to_numpy()

    def mean(self, axis=None, dtype=None, out=None):
        """The mean over all positions, those without an entry counting as 0."""
        _no_out(out)
        axis = _folded(axis)
        count = self.shape[0] * self.shape[1] if axis is None else self._lines(axis).shape[1]
        return np.divide(self.sum(axis), count, dtype=dtype)[()]

    def max(self, axis=None, out=None):
        """The largest value, of a column (axis 0) or row (1); no entry counts as 0, as in scipy."""
        _no_out(out)
        return self._extreme("max", np.maximum, axis)

    def min(self, axis=None, out=None):
        """The smallest value, of a column (axis 0) or row (1); no entry counts as 0."""
        _no_out(out)
        return self._extreme("min", np.minimum, axis)

    def _extreme(self, op, function, axis):
        axis = _folded(axis)
        if 0 in self.shape:
            raise InvalidValue(f"{op} of a matrix without positions")
        if self.type.is_complex:
            raise DomainError(f"complex numbers have no order; take {op} of abs(), or of a part by "
                              'apply("creal")')
        if axis is None:
            values, partial = self._held()
            if values is not None:
                # by numpy, where one NaN makes the result NaN
                found = function.reduce(values).item()
                zero = type(found)()
                better = found > zero if op == "max" else found < zero
                return found if better or found != found or not partial else zero
            n = self.nvals
            found = self.reduce(op) if n > 0 else 0
            whole = n == self.shape[0] * self.shape[1]
            return found if whole else function(found, self.dtype.type(0)).item()
        lines = self._lines(axis)
        found = lines.reduce_rows(op).to_numpy()
        partial = lines.degrees().to_numpy() < lines.shape[1]
        found[partial] = function(found[partial], 0)
        if self.type.is_float and self._has_nan():
            rows, _, values = lines.to_coo()
            found[rows[np.isnan(values)]] = np.nan
        return found

    def _has_nan(self):
        values, _ = self._held()
        return bool(np.isnan(self.to_coo()[2] if values is None else values).any())

    def _held(self):
        """(the values of all entries, one where all are the same; whether there are positions
        without), or (None, False) where no array holds them."""
        held = ffi.new("gblite_python_Held *")
        if not taken(lib.gblite_python_held(held, _source(self)[1]._handle)):
            return None, False
        return seen(held.x, held.count, self.dtype), held.partial

    def _lines(self, axis):
        """The matrix whose rows are folded when an axis is."""
        return self if axis == 1 else self.T

    def maximum(self, other):
        """The larger of the values at each position, of another matrix, or of a number of at most
        0; no entry counts as 0, and zeros are left out."""
        return self._extreme_with(other, "max", np.maximum)

    def minimum(self, other):
        """The smaller of the values at each position, of another matrix, or of a number of at least
        0; no entry counts as 0, and zeros are left out."""
        return self._extreme_with(other, "min", np.minimum)

    def _extreme_with(self, other, op, function):
        number = number_of(other)
        other = self._coerce(other) if number is None else None
        if np.iscomplexobj(number) or any(
                M.type.is_complex for M in (self, other) if M is not None):
            raise DomainError(f"complex numbers have no order; take {op}imum of abs() or real")
        if number is not None:
            if function(number, 0) != 0:
                raise NotSparse(f"{op}imum of sparse and {number!r} would fill every position: "
                                "use to_numpy() for that")
            found = self._map(lambda values, out=None: function(values, number, out=out))
            return found.select("!=", 0)
        found = self._merged(other, op)
        if found is not None:
            return found
        found = self._union(other, op)
        for of in (self, other):
            if of.type.is_float and of._has_nan():  # the operator prefers numbers
                found.assign(np.nan, mask=of._map(np.isnan))
        return found.select("!=", 0)

    def conj(self):
        """The conjugate values."""
        return self.apply("conj") if self.type.is_complex else self.copy()

    conjugate = conj

    @property
    def real(self):
        """The real parts; the matrix itself unless it is complex."""
        return self.apply("creal") if self.type.is_complex else self

    @property
    def imag(self):
        """The imaginary parts; without entries unless the matrix is complex."""
        return self.apply("cimag") if self.type.is_complex else self._empty(self.type, self.shape)

    def count_nonzero(self, axis=None):
        """The number of entries that are not 0, or a numpy array of those of each column (axis 0)
        or row (1)."""
        axis, (values, _) = _folded(axis), self._held()
        whole = values is not None and np.count_nonzero(values) == len(values)
        if axis is None and values is not None:
            return self.nvals if whole else int(np.count_nonzero(values))
        found = self if whole else self.select("!=", 0)
        return found.nvals if axis is None else found._lines(axis).degrees().to_numpy()

    def nonzero(self):
        """(rows, columns) of the entries that are not 0."""
        rows, own = [], self.copy() if self._transposed else self
        found = _arrays.fetched(own, "csr", rows)
        if found is None:
            *places, values = self.to_coo()
        else:
            places, values = (rows[0], found[1]), found[2]
        return tuple(places) if values.all() else tuple(part[values != 0] for part in places)

    def diagonal(self, k=0):
        """A vector of the entries on the k-th diagonal, above the main one where k is above 0."""
        transposed, source = _source(self)
        nrows, ncols = self.shape
        out = Vector.new(self.dtype, max(min(nrows, ncols - k) if k >= 0 else min(nrows + k, ncols),
                                         0))
        k = -k if transposed else k
        if out.size > 0 and not taken(lib.gblite_python_diagonal(out._handle, source._handle, k)):
            check(lib.gbl_Vector_diag(out._handle, source._handle, k, ffi.NULL))
        return out

    def trace(self, offset=0):
        """The sum of a diagonal, as numpy counts them."""
        return self.select("diag", offset).sum()

    def matvec(self, x):
        """self @ x, which scipy's solvers ask for."""
        return self @ x

    def rmatvec(self, x):
        """The conjugate transpose @ x."""
        return (self.T @ np.conj(x)).conj()

    def transpose(self, axes=None, copy=False):
        """The transposed matrix, lazily; with copy=True as one of its own."""
        if axes not in (None, (1, 0), (-1, -2)):
            raise InvalidValue(f"axes are {axes}, but must be None or (1, 0)")
        return self.T.copy() if copy else self.T

    def toarray(self, order=None, out=None, fill=0):
        """to_numpy() as scipy calls it: by columns with order="F"; into the array out, whose shape
        and dtype are the matrix's."""
        if order not in (None, "C", "F"):
            raise InvalidValue(f'order is {order!r}, but must be "C" or "F"')
        if out is None:
            return np.asarray(self.to_numpy(fill), order=order)
        if order is not None:
            raise InvalidValue("order cannot be given with out, which has one")
        if out.shape != self.shape or out.dtype != self.dtype:
            raise InvalidValue(f"out is {out.dtype} of the shape {out.shape}, but must be "
                               f"{self.dtype} of the shape {self.shape}")
        out[...] = fill
        self._write(out)
        return out

    todense = toarray

    def tocsr(self, copy=True):
        """A scipy.sparse.csr_array of its own arrays, whatever copy says."""
        return self.to_scipy("csr")

    def tocsc(self, copy=True):
        """A scipy.sparse.csc_array of its own arrays, whatever copy says."""
        return self.to_scipy("csc")

    def tocoo(self, copy=True):
        """A scipy.sparse.coo_array of its own arrays, whatever copy says."""
        return self.to_scipy("coo")

    def __getattr__(self, name):
        known = getattr(sys.modules.get("scipy.sparse"), "csr_matrix", None)
        hint = ""
        if name in _OF_OBJECTS or not name.startswith("_") and hasattr(known, name):
            hint = "; gblite.csr_array has all that scipy's has"
        elif name == "ravel":  # as scipy's block_diag takes blocks that are not its own
            hint = "; give scipy A.tocsr() in place of A, numpy A.to_numpy()"
        raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}{hint}")
