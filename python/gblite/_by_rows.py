# SPDX-License-Identifier: Apache-2.0
"""What the kernels of the package do with matrices, whose arrays they read where they are."""
import numpy as np

from gblite import _arrays, convert, matrix, vector
from gblite._arrays import has_kernels
from gblite._library import (BOOL, check, ffi, lib, need, pointer, promoted, seen, taken,
                             type_of)
from gblite._object import _source, product_type

# Rows to an entry up to which pointers to all rows are made: 8 bytes each, an entry has 12.
_MOST_ROWS_PER_ENTRY = 8
_POINTER, _INDEX = np.dtype(np.uint64), np.dtype(np.int32)


_MERGED = {"max": "x", "min": "n"}  # as the kernel calls them


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
        """The product with an array, one too."""
        of = product_type(self.type, type_of(dense.dtype), "plus_times", None)
        transposed, base = _source(self)
        if dense.ndim in (1, 2) and dense.shape[0] == self.shape[1] and has_kernels(of.dtype):
            base = base if base.type is of else base.astype(of.dtype)
            found = _arrays.times(base, transposed, dense, of)
            if found is not None:
                return found
        if dense.ndim == 1:
            return self.mxv(vector.Vector(dense)).to_numpy()
        return self.mxm(full(dense)).to_numpy()

    def _merged(self, other, op):
        """self op other for + - < > != max min by a kernel, if it takes these operands."""
        if self._transposed or other._transposed or self.shape != other.shape:
            return None
        of, box = promoted(self.type, other.type), ffi.new("gbl_Matrix *")
        left, right = (M if M.type is of else M.astype(of.dtype) for M in (self, other))
        kind = _MERGED.get(op, op[0])
        if not taken(lib.gblite_python_merge(box, left._handle, right._handle, kind.encode())):
            return None
        return matrix.Matrix._wrap(box, BOOL if kind in "<>!" else of)

    def _map(self, function, array=None):
        """The same pattern with what a function of numpy makes of all values: function(values,
        out=None), as numpy's own are called; or function(values, elements, out=None), where an
        array of the same shape has these elements at the same positions."""
        M = self.copy() if self._transposed else self
        format = "csc" if M._has_only("csc") else "csr"
        found = M._seen(format) if max(M.shape) < 2**31 else None
        if found is not None:
            p, i, x, _ = found
            beside = () if array is None else (_elements(array, p, i, format),)
            of = type_of(function(x[:1], *(part[:1] for part in beside)).dtype)
            block = lib.gbl_Memory_malloc(max(len(i), 1) * of.dtype.itemsize)
            if block == ffi.NULL:
                raise MemoryError(f"no memory for {len(i)} entries of a result")
            try:
                function(x, *beside, out=seen(block, len(i), of.dtype))
            except BaseException:
                lib.gbl_Memory_free(block)
                raise
            box = ffi.new("gbl_Matrix *")
            if taken(lib.gblite_python_like(box, of.handle, M._handle, block)):
                return matrix.Matrix._wrap(box, of)
        rows, columns, values = self.to_coo()
        beside = () if array is None else (array[rows, columns],)
        return matrix.Matrix((function(values, *beside), (rows, columns)), self.shape)

    def _stretched(self, other):
        """self * a row, a column or a vector, which stands for a row, where that is not of the same
        shape: as numpy stretches them."""
        if isinstance(other, vector.Vector) or len(getattr(other, "shape", ())) == 1:
            line = vector.Vector._coerce(other)
            return self._by_diagonal(line, False) if line.size == self.shape[1] else None
        other = self._coerce(other)
        (m, n), (rows, columns) = self.shape, other.shape
        if self.shape == other.shape or not (m in (1, rows) or rows == 1) or not (
                n in (1, columns) or columns == 1):
            return None
        if (rows, columns) == (1, 1):
            return self * other.dtype.type(other.get(0, 0, 0))
        if (rows, columns) == (1, n):
            return self._by_diagonal(other[0], False)
        if (rows, columns) == (m, 1):
            return self._by_diagonal(other[:, 0], True)
        if {m, n} == {1} or m == rows or n == columns:
            return other._stretched(self)
        column, row = (self, other) if n == 1 else (other, self)
        return column.mxm(row, dtype=promoted(self.type, other.type).dtype)

    def _by_diagonal(self, line, on_left):
        """The rows, or the columns, scaled by a vector."""
        box = ffi.new("gbl_Matrix *")
        check(lib.gbl_Matrix_diag(box, line._handle, 0))
        diagonal, of = matrix.Matrix._wrap(box, line.type), promoted(self.type, line.type).dtype
        left, right = (diagonal, self) if on_left else (self, diagonal)
        return left.mxm(right, dtype=of)

    def _scaled(self, array, function):
        return self._map(function, self._spread(array))


def _elements(array, p, i, format):
    """The elements of an array at the entries of CSR or CSC arrays."""
    array = array if format == "csr" else array.T
    if len(i) == 0:
        return np.empty(0, array.dtype)
    if array.strides[0] == 0:  # its rows are one row
        return array[0][i]
    counts = np.diff(p).astype(np.int64)
    if array.strides[1] == 0:
        return np.repeat(array[:, 0], counts)
    return array[np.repeat(np.arange(len(counts)), counts), i]


class Viewed:
    """Of matrices."""

    __slots__ = ()

    def _has_only(self, format):
        """Whether it has this format of the two."""
        have = ffi.new("gbl_Formats *")
        check(lib.gbl_Matrix_formats(have, self._handle))
        one, other = ((lib.GBL_HAS_CSR, lib.GBL_HAS_CSC) if format == "csr" else
                      (lib.GBL_HAS_CSC, lib.GBL_HAS_CSR))
        return bool(have.present & one) and not have.present & other

    def _seen(self, format):
        """Its arrays (pointers, indices, values, iso) in one format, which is made if it is not
        there, to be read until the matrix is written; or None where rows without entries would fill
        memory."""
        n, major = self.nvals, self.shape[format == "csc"]
        if max(self.shape) >= 2**32 - 1 or major > _MOST_ROWS_PER_ENTRY * n + 1000:
            return None
        arrays = ffi.new("gbl_Arrays *")
        check(lib.gbl_Matrix_view(arrays, self._handle, convert.FORMATS[format]))
        iso = arrays.iso and n > 0
        return (seen(arrays.p, major + 1, _POINTER), seen(arrays.i, n, _INDEX),
                seen(arrays.x, 1 if iso else n, self.dtype), iso)

    def _view(self, format):
        """The same as arrays of scipy's are, or None where 32 bits do not hold its indices."""
        if max(*self.shape, self.nvals) >= 2**31:
            return None
        found = self._seen(format)
        if found is None:
            return None
        p, i, x, iso = found
        x = np.full(len(i), x[0]) if iso else x
        return _arrays.Rows(self.shape, p.astype(_INDEX), i, x, format)

    def rows(self, begin, end):
        """Rows begin .. end - 1 as a scipy.sparse.csr_array. Of a mapped file no other row is
        read."""
        begin, end, _ = slice(begin, end).indices(self.shape[0])
        found = self._seen("csr")
        if found is None:
            return self.extract(slice(begin, end)).to_scipy(copy=False)
        return _part(found, begin, max(begin, end), self.shape[1])

    def slices(self, entries=1 << 22):
        """Goes through all rows: (first row, a scipy.sparse.csr_array of some rows) with at most
        so many entries each, or one row."""
        nrows, begin = self.shape[0], 0
        while begin < nrows:
            found = self._seen("csr")
            if found is None:
                end = begin + entries * nrows // max(self.nvals, 1)
            else:
                most = found[0][begin] + np.uint64(entries)
                end = int(np.searchsorted(found[0], most, "right")) - 1
            end = min(max(end, begin + 1), nrows)
            yield begin, self.rows(begin, end)
            begin = end


def _part(found, begin, end, columns):
    scipy_sparse = need("scipy.sparse", "rows()")
    p, i, x, iso = found
    first, last = int(p[begin]), int(p[end])
    small = max(columns, last - first) < 2**31
    p = (p[begin : end + 1] - p[begin]).astype(np.int32 if small else np.int64)
    i = i[first:last].copy() if small else i[first:last].view(np.uint32).astype(np.int64)
    x = np.full(last - first, x[0]) if iso else x[first:last].copy()
    made = scipy_sparse.csr_array((x, i, p), (end - begin, columns), copy=False)
    made.has_sorted_indices = made.has_canonical_format = True
    return made
