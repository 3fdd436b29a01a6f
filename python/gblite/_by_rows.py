# SPDX-License-Identifier: Apache-2.0
"""What the kernels of the package do with matrices: they read copies by rows, as scipy's arrays."""
import numpy as np

from gblite import _arrays, matrix
from gblite._library import promoted, type_of
from gblite._object import product_type

# Rows to an entry up to which pointers to all rows are made: 8 bytes each, an entry has 12.
_MOST_ROWS_PER_ENTRY = 8


def full(dense):
    """A matrix with an entry at each position of an array, zeros among them."""
    if dense.ndim != 2:
        return matrix.Matrix(dense)
    m, n = dense.shape
    indices = np.tile(np.arange(n, dtype=np.int32), m)
    return matrix.Matrix((dense.ravel(), indices, n * np.arange(m + 1)), dense.shape, copy=None)


class ByRows:
    """Of matrices, lazily transposed or not."""

    __slots__ = ()

    def _times(self, dense):
        """The product with an array of two dimensions, one too."""
        rows = None if self._transposed or dense.ndim != 2 else self._rows()
        of = product_type(self.type, type_of(dense.dtype), "plus_times", None)
        if rows is None or dense.shape[0] != self.shape[1] or not _arrays.has_kernels(of.dtype):
            return self.mxm(full(dense)).to_numpy()
        return _arrays.product(rows, dense, of.dtype)

    def _rows(self):
        """A copy as arrays of scipy's, or None where rows without entries would fill memory."""
        n = self.nvals
        if max(*self.shape, n) >= 2**31 or self.shape[0] > _MOST_ROWS_PER_ENTRY * n + 1000:
            return None
        p, i, x = self.copy()._moved_out("csr")
        return _arrays.Rows(self.shape, p.astype(np.int32), i.view(np.int32), x)

    def _merged(self, other, op):
        rows = None if self._transposed or other._transposed else self._rows()
        others = other._rows() if rows is not None else None
        if others is None or self.shape != other.shape:
            return None
        made = _arrays.union(rows, others, op, promoted(self.type, other.type).dtype)
        if made is None:
            return None
        p, i, x = made
        return matrix.Matrix((x, i, p), self.shape, copy=None)

    def _map(self, function):
        """The same pattern with what a function of numpy makes of all values."""
        rows = self._rows()
        if rows is None:
            rows, columns, values = self.to_coo()
            return matrix.Matrix((function(values), (rows, columns)), self.shape)
        made = function(rows.data), rows.indices, rows.indptr
        return matrix.Matrix(made, self.shape, copy=None)
