# SPDX-License-Identifier: Apache-2.0
"""Parts of matrices."""
import numpy as np

from gblite import matrix
from gblite._library import InvalidIndex, ShapeError, check, ffi, lib, taken, value_of
from gblite._object import Operations, Places, Target, _source, descriptor, is_number, pair, place
from gblite.vector import Vector


class Indexed:
    """Of matrices, lazily transposed or not."""

    __slots__ = ()

    def extract(self, rows=slice(None), columns=slice(None), **to):
        """The matrix of the listed rows and columns, in that order, repeated ones repeated."""
        t0, source = _source(self)
        i, j = Places(rows, self.shape[0]), Places(columns, self.shape[1])
        if j.array is None and i.array is not None and not t0 and not to:
            box = ffi.new("gbl_Matrix *")
            done = lib.gblite_python_pick(box, self.type.handle, self._handle, i.pointer, i.count)
            if taken(done):
                return matrix.Matrix._wrap(box, self.type)
        target = Target(self, self.type, (i.length, j.length), to, "T0" * t0)
        check(lib.gbl_Matrix_extract(*target.arguments, source._handle, i.pointer, i.count,
                                     j.pointer, j.count, target.descriptor))
        return target.out

    def _line(self, places, at, across):
        """Column `at` of the matrix behind, or its row when `across`, at the listed places."""
        out = Vector.new(self.type.dtype, places.length)
        check(lib.gbl_Col_extract(out._handle, ffi.NULL, ffi.NULL, _source(self)[1]._handle,
                                  places.pointer, places.count, at,
                                  descriptor("T0" if across else "")))
        return out

    def _mask(self, key):
        """A matrix that is True where an index of truth values is, or None of other indices."""
        if not (isinstance(key, Operations) or hasattr(key, "tocoo")
                or isinstance(key, np.ndarray) and key.ndim == 2):
            return None
        if key.dtype != bool or key.shape != self.shape:
            raise InvalidIndex(f"entries are chosen by truth values of the shape {self.shape}, "
                               f"A[A > x], not by {key.dtype} of the shape {key.shape}")
        mask = self._coerce(key)
        return mask if mask.count_nonzero() == mask.nvals else mask.select("!=", 0)

    def _chosen(self, mask):
        """The values where a mask is, by rows, 0 where there is no entry."""
        found = self.apply("identity", mask=mask, structure=True)
        if found.nvals < mask.nvals:
            def zeros(values, out=None):
                if out is None:
                    return np.zeros(len(values), self.dtype)
                out[:] = 0

            found = mask._map(zeros) + found
        return found._values()

    def _choose(self, mask, value):
        """self[mask] = a number, or an array of the values by rows."""
        if np.ndim(value) > 0 and not isinstance(value, Operations):
            places, values = mask.nonzero(), np.asarray(value)
            if values.shape not in ((1,), places[0].shape):
                raise ShapeError(f"{len(places[0])} positions are chosen, but there are values of "
                                 f"the shape {values.shape}")
            values = np.broadcast_to(values, places[0].shape)
            value = matrix.Matrix((values, places), self.shape)
        value = value.item() if isinstance(value, np.ndarray) else value
        self.assign(value, mask=mask, structure=True)

    def _values(self):
        own = self.copy() if self._transposed else self
        found = own._seen("csr")
        if found is None:
            return own.to_coo()[2]
        _, i, x, iso = found
        return np.full(len(i), x[0]) if iso else x.copy()

    def __getitem__(self, key):
        mask = self._mask(key)
        if mask is not None:
            return self._chosen(mask)
        rows, columns = pair(key)
        one_row, one_column = is_number(rows), is_number(columns)
        if one_row and one_column:
            return self.get(rows, columns)
        transposed = _source(self)[0]
        if one_row:
            at = place(rows, self.shape[0])
            return self._line(Places(columns, self.shape[1]), at, not transposed)
        if one_column:
            at = place(columns, self.shape[1])
            return self._line(Places(rows, self.shape[0]), at, transposed)
        return self.extract(rows, columns)

    def get(self, row, column, default=None):
        """The value of the entry at (row, column), or default where there is none."""
        nrows, ncols = self.shape
        i, j = place(row, nrows), place(column, ncols)
        transposed, source = _source(self)
        x = ffi.new(self.type.c_name + " *")
        call = getattr(lib, f"gbl_Matrix_extractElement_{self.type.name}")
        info = call(x, source._handle, *((j, i) if transposed else (i, j)))
        if info == lib.GBL_NO_VALUE:
            return default
        check(info)
        return value_of(x)
