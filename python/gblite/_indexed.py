# SPDX-License-Identifier: Apache-2.0
"""Parts of matrices."""
from gblite import matrix
from gblite._library import check, ffi, lib, taken, value_of
from gblite._object import Places, Target, _source, descriptor, is_number, pair, place
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

    def __getitem__(self, key):
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
