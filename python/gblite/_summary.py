# SPDX-License-Identifier: Apache-2.0
"""Sums and extremes of matrices, and conversions, by the names that scipy gives them."""
import sys

import numpy as np

from gblite._library import DomainError, InvalidValue, ffi, lib, seen, taken
from gblite._object import _source

_FEW = 10_000  # entries that are summed before a vector of the library is made
_MANY = 1_000_000  # entries from which on threads sum faster than numpy


def _no_out(out):
    if out is not None:
        raise InvalidValue("out= is not there for sums and extremes: copy what they return")


class Summaries:
    """Methods of matrices, lazily transposed or not."""

    __slots__ = ()

    def sum(self, axis=None, dtype=None, out=None):
        """The sum of all entries, or a numpy array of those of each column (axis 0) or row (1)."""
        _no_out(out)
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
        if axis not in (0, 1, -1, -2):
            raise InvalidValue(f"axis is {axis}, but must be None, 0 or 1")
        return self if axis in (1, -1) else self.T

    def trace(self):
        """The sum of the main diagonal."""
        return self.select("diag").sum()

    def matvec(self, x):
        """self @ x, which scipy's solvers ask for."""
        return self @ x

    def rmatvec(self, x):
        """The conjugate transpose @ x."""
        return (self.T @ np.conj(x)).conj()

    def transpose(self):
        """The transposed matrix, lazily."""
        return self.T

    def toarray(self, fill=0):
        """to_numpy() as scipy calls it."""
        return self.to_numpy(fill)

    todense = toarray

    def tocsr(self):
        """A scipy.sparse.csr_array."""
        return self.to_scipy("csr")

    def tocsc(self):
        """A scipy.sparse.csc_array."""
        return self.to_scipy("csc")

    def tocoo(self):
        """A scipy.sparse.coo_array."""
        return self.to_scipy("coo")

    def __getattr__(self, name):
        known = getattr(sys.modules.get("scipy.sparse"), "csr_matrix", None)
        hint = ""
        if not name.startswith("_") and hasattr(known, name):
            hint = "; gblite.csr_array has all that scipy's has"
        raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}{hint}")
