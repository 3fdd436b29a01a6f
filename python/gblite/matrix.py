# SPDX-License-Identifier: Apache-2.0
"""Sparse matrices."""
import os

import numpy as np

from gblite import _arrays, _picture, algebra, convert
from gblite._arithmetic import number_of
from gblite._by_rows import ByRows, Viewed, full
from gblite._indexed import Indexed
from gblite._library import (INT64, DomainError, InvalidIndex, InvalidValue, ShapeError, check,
                             dimension, ffi, lib, need, own_array, pointer, promoted, taken,
                             type_of, type_of_code)
from gblite._object import (Collection, Operations, Places, Target, _source, filled,
                            is_number, number, pair, place, product_type, sum_type)
from gblite._summary import Summaries
from gblite.vector import Vector, dense_or_sparse

_PAST_POINTERS = 2**32 - 1
_FEW = 5_000  # entries that are pickled as bytes
_VECTOR = Vector.new("bool", 0)  # what makes vectors for results


class _MatrixOperations(Indexed, ByRows, Summaries, Operations):
    """Operations of matrices, lazily transposed or not."""

    __slots__ = ()
    _kind = "Matrix"

    @staticmethod
    def _empty(type, shape):
        return Matrix.new(type.dtype, *shape)

    @staticmethod
    def _coerce(other):
        # What a call makes lives no longer than the call, so arrays are read where they are.
        if isinstance(other, _MatrixOperations):
            return other
        if isinstance(other, (str, bytes, os.PathLike)):
            raise DomainError(f"{other!r} is no operand; gblite.Matrix(name) is what is in a file")
        return Matrix(other, copy=None)

    ndim = 2
    format = "csr"

    def mxm(self, other, semiring="plus_times", explain=False, dtype=None, **to):
        """The product with another matrix over a semiring; method= forces "rowwise", "outer",
        "tiled", "dot" ... (gblite.METHODS). explain=True prints how it was computed. Products of
        patterns count over "plus_times", unless dtype=bool. out="NAME.gbl" writes a file slice by
        slice and returns what is in it, mapped: the product need not fit in memory; resume=True
        goes on where the same call was interrupted. reduce="rows" or "columns" returns a vector,
        each of these folded by the monoid fold= ("plus"), of a product that is never stored."""
        t0, left = _source(self)
        t1, right = _source(self._coerce(other))
        of = product_type(left.type, right.type, semiring, dtype)
        ring, result = algebra.semiring(semiring, of)
        if "reduce" in to:
            from gblite import files

            return files.folded(ring, (self, self._coerce(other)), result, **to)
        if isinstance(to.get("out"), (str, os.PathLike)):
            from gblite import files

            return files.product(to.pop("out"), ring, (self, self._coerce(other)), result, **to)
        shape = (self.shape[0], (right.shape[0] if t1 else right.shape[1]))
        target = Target(self, result, shape, to, "T0" * t0 + "T1" * t1)
        check(lib.gbl_mxm(*target.arguments, ring, left._handle, right._handle, target.descriptor))
        if explain:
            print(target.out.explain(), end="")
        return target.out

    def mxv(self, vector, semiring="plus_times", dtype=None, **to):
        """The product with a vector over a semiring; patterns count, as in mxm."""
        t0, left = _source(self)
        vector = Vector._coerce(vector)
        of = product_type(left.type, vector.type, semiring, dtype)
        ring, result = algebra.semiring(semiring, of)
        target = Target(vector, result, self.shape[:1], to, "T0" * t0)
        check(lib.gbl_mxv(*target.arguments, ring, left._handle, vector._handle, target.descriptor))
        return target.out

    def __matmul__(self, other):
        other = dense_or_sparse(other)
        if number_of(other) is not None:
            raise ShapeError(f"@ multiplies by matrices and vectors; * does by {other!r}")
        if isinstance(other, Vector):
            return self.mxv(other)
        return self._times(other) if isinstance(other, np.ndarray) else self.mxm(other)

    def __rmatmul__(self, other):
        other = dense_or_sparse(other)
        if number_of(other) is not None:
            return self @ other
        if isinstance(other, Vector):
            return other.vxm(self)
        if isinstance(other, np.ndarray) and other.ndim in (1, 2):
            return np.ascontiguousarray(self.T._times(other.T).T)
        return self._coerce(other).mxm(self)

    def _of_tuples(self, values, places):
        return Matrix((values, places), self.shape)

    def kron(self, other, op="times", **to):
        """The Kronecker product."""
        t0, left = _source(self)
        t1, right = _source(self._coerce(other))
        handle, result = algebra.binary(op, promoted(left.type, right.type))
        rows, columns = self._coerce(other).shape
        shape = (self.shape[0] * rows, self.shape[1] * columns)
        target = Target(self, result, shape, to, "T0" * t0 + "T1" * t1)
        call = lib.gbl_Matrix_kronecker_BinaryOp
        check(call(*target.arguments, handle, left._handle, right._handle, target.descriptor))
        return target.out

    def reduce_rows(self, op="plus", dtype=None, **to):
        """A vector: each row folded by a monoid; no entry where a row has none. Sums of whole
        numbers get 64 bits, and count where values are True, unless dtype= says otherwise."""
        t0, source = _source(self)
        of = self.type if dtype is None else type_of(dtype)
        if dtype is None and algebra.is_sum(op):
            of = sum_type(of)
        target = Target(_VECTOR, of, self.shape[:1], to, "T0" * t0)
        check(lib.gbl_Matrix_reduce_Monoid(*target.arguments, algebra.monoid(op, of),
                                           source._handle, target.descriptor))
        return target.out

    def reduce_columns(self, op="plus", **to):
        """A vector: each column folded by a monoid."""
        return self.T.reduce_rows(op, **to)

    def degrees(self, **to):
        """A vector: how many entries each row has, 0 among them."""
        t0, source = _source(self)
        target = Target(_VECTOR, INT64, self.shape[:1], to, "T0" * t0)
        check(lib.gbl_Matrix_degrees(*target.arguments, source._handle, target.descriptor))
        return target.out

    def tril(self, k=0, **to):
        """The entries on and below the k-th diagonal."""
        return self.select("tril", k, **to)

    def triu(self, k=0, **to):
        """The entries on and above the k-th diagonal."""
        return self.select("triu", k, **to)

    def to_coo(self):
        """(rows, columns, values), by row and then column."""
        source = self.copy() if _source(self)[0] else self
        n = source.nvals
        rows, columns = np.empty(n, np.uint64), np.empty(n, np.uint64)
        values = np.empty(n, self.dtype)
        count = ffi.new("gbl_Index *", n)
        call = getattr(lib, f"gbl_Matrix_extractTuples_{self.type.name}")
        check(call(pointer(rows, "gbl_Index *"), pointer(columns, "gbl_Index *"),
                   pointer(values, self.type.pointer), count, source._handle))
        return rows.view(np.int64), columns.view(np.int64), values

    def to_numpy(self, fill=0):
        """A dense numpy array, `fill` where there is no entry."""
        if self._transposed:
            return np.ascontiguousarray(self.base.to_numpy(fill).T)
        dense = filled(self.shape, fill, self.dtype)
        self._write(dense)
        return dense

    def _write(self, dense):
        """Writes the values to their positions in an array."""
        if self._transposed:
            self.base._write(dense.T)
        elif not (dense.dtype == self.dtype and dense.flags.c_contiguous and dense.flags.writeable
                  and taken(lib.gblite_python_fill(ffi.from_buffer(dense), self._handle))):
            rows, columns, values = self.to_coo()
            dense[rows, columns] = values

    def spy(self, axes=None, **options):
        """A picture of the pattern by matplotlib; returns its axes."""
        return _picture.spy(self, axes, **options)


class Transposed(_MatrixOperations):
    """The transposed matrix as an operand: nothing is computed until an operation reads it."""

    __slots__ = ("base",)
    _transposed = True

    def __init__(self, base):
        self.base = base

    type = property(lambda self: self.base.type)
    dtype = property(lambda self: self.base.dtype)
    nvals = property(lambda self: self.base.nvals)
    nnz = nvals
    shape = property(lambda self: self.base.shape[::-1])
    T = property(lambda self: self.base)

    def copy(self):
        """The transposed matrix as one of its own."""
        out = self._empty(self.type, self.shape)
        check(lib.gbl_transpose(out._handle, ffi.NULL, ffi.NULL, self.base._handle, ffi.NULL))
        return out

    def to_scipy(self, format="csr"):
        """A scipy.sparse array."""
        if format == "coo":
            return self.to_scipy().tocoo(copy=False)
        made = self.base.to_scipy({"csr": "csc", "csc": "csr"}.get(format, format)).T
        made.has_sorted_indices = made.has_canonical_format = True
        return made

    def __repr__(self):
        return f"<transposed of {self.base!r}>"


class Matrix(Collection, Viewed, _MatrixOperations):
    """A sparse matrix.

    Matrix(data)                   from a scipy.sparse array or matrix, a dense array (its nonzero
                                   elements become entries), or another matrix
    Matrix((values, (i, j)), shape)  from tuples, duplicates summed, as in scipy
    Matrix((values, indices, indptr), shape)  from the arrays of CSR
    Matrix((m, n), dtype=bool)     without entries
    Matrix("rmat:14:16")           from a generator (gbl_generate) or a file: .mtx, .mtx.gz, .gbl,
                                   and binsparse in HDF5 (.h5) where h5py is installed

    Arrays are copied. copy=False reads index and value arrays of CSR and CSC where they are, and
    marks them read-only as long as the matrix reads them; pointers (8 bytes a row) are copied, and
    indices that are not int32.

    >>> A = Matrix(([1.0, 2.0, 3.0], ([0, 1, 2], [1, 2, 0])), (3, 3))
    >>> A
    <gblite.Matrix 3 x 3, 3 entries, float64>
    >>> (A @ A).to_numpy()
    array([[0., 0., 2.],
           [6., 0., 0.],
           [0., 3., 0.]])
    """

    __slots__ = ()

    def __init__(self, data, shape=None, dtype=None, copy=True):
        dtype = None if dtype is None else type_of(dtype).dtype
        if isinstance(data, _MatrixOperations):
            self._adopt(data.copy() if dtype is None else data.astype(dtype))
        elif isinstance(data, (str, os.PathLike)):
            self._adopt(Matrix.load(data, dtype))
        else:
            box, type, kept = convert.from_data(data, shape, dtype, copy)
            Collection.__init__(self, box, type)
            self._lent = kept

    def _adopt(self, made):
        """Becomes what `made` was, which is used up."""
        self._lent = None
        if getattr(self, "_box", None) is not None:
            lib.gbl_Matrix_free(self._box)
        Collection.__init__(self, made._box, made.type)
        made._box = None

    @classmethod
    def new(cls, dtype, nrows, ncols):
        """A matrix without entries."""
        type, box = type_of(dtype), ffi.new("gbl_Matrix *")
        check(lib.gbl_Matrix_new(box, type.handle, dimension(nrows), dimension(ncols)))
        return cls._wrap(box, type)

    @classmethod
    def load(cls, operand, dtype=None):
        """A file (.mtx, .mtx.gz, .gbl, .h5) by its path, or a generator: "rmat:14:16",
        "grid:9:9"."""
        if os.fspath(operand).endswith((".h5", ".hdf5")):
            from gblite import binsparse

            return binsparse.read(operand, dtype)
        box = ffi.new("gbl_Matrix *")
        handle = ffi.NULL if dtype is None else type_of(dtype).handle
        check(lib.gbl_load(box, handle, os.fsencode(operand)))
        return cls._wrap(box, _type_of_matrix(box[0]))

    @classmethod
    def from_edges(cls, sources, targets, weights=None, n=None, dtype=None, labels=False):
        """The adjacency matrix of a list of edges (columns of pandas and polars work too); without
        weights every entry is True. Duplicate edges are summed, or united without weights.
        labels=True: the ends are names or any numbers, and the result is (matrix, names), names[v]
        that of vertex v: numbers ascending, others in the order in which they appear."""
        i, j = np.asarray(sources), np.asarray(targets)
        if labels:
            names, i, j = convert.numbered(i, j)
        elif {i.dtype.kind, j.dtype.kind} & set("OUS"):
            raise InvalidIndex("ends of edges that are names need labels=True")
        if n is None:
            n = len(names) if labels else int(max(i.max(initial=-1), j.max(initial=-1))) + 1
        values = np.ones(len(i), bool) if weights is None else np.asarray(weights)
        made = cls((values, (i, j)), (n, n), dtype)
        return (made, names) if labels else made

    @property
    def shape(self):
        """(rows, columns)"""
        if self._shape is None:
            nrows, ncols = ffi.new("gbl_Index *"), ffi.new("gbl_Index *")
            check(lib.gbl_Matrix_nrows(nrows, self._handle))
            check(lib.gbl_Matrix_ncols(ncols, self._handle))
            self._shape = nrows[0], ncols[0]
        return self._shape

    @property
    def T(self):
        """The transposed matrix, lazily."""
        return Transposed(self)

    @property
    def formats(self):
        """The forms in which the content is held: "rows", "columns", "tiles", "bitmap", "full"."""
        formats = ffi.new("gbl_Formats *")
        check(lib.gbl_Matrix_formats(formats, self._handle))
        names = {lib.GBL_HAS_CSR: "rows", lib.GBL_HAS_CSC: "columns", lib.GBL_HAS_TILE16: "tiles",
                 lib.GBL_HAS_BITMAP: "bitmap", lib.GBL_HAS_FULL: "full", lib.GBL_HAS_DEVICE: "gpu"}
        return [name for bit, name in names.items() if formats.present & bit]

    def save(self, path):
        """Writes a file: gblite's own if its name ends in .gbl, which is mapped into memory when it
        is loaded, else Matrix Market, compressed if it ends in .gz."""
        if os.path.splitext(os.fspath(path))[1] not in (".gbl", ".mtx", ".mm", ".gz", ""):
            raise InvalidValue(f"save writes to names in .gbl, .mtx or .mtx.gz, not {str(path)!r}; "
                               "`gblite convert` writes other forms")
        check(lib.gbl_save(self._handle, os.fsencode(path)))

    def to_scipy(self, format="csr", copy=True):
        """A scipy.sparse array in "csr", "csc" or "coo" format. copy=False: the arrays go to scipy,
        and this matrix reads them there from now on."""
        scipy_sparse = need("scipy.sparse", "to_scipy()")
        if format == "coo":
            rows = []
            found = _arrays.fetched(self, "csr", rows)
            if found is not None:
                made = scipy_sparse.coo_array((found[2], (rows[0], found[1])), self.shape)
                made.has_canonical_format = True
                return made
            rows, columns, values = self.to_coo()
            return scipy_sparse.coo_array((values, (rows, columns)), self.shape)
        if format not in ("csr", "csc"):
            raise InvalidValue(f"format is {format!r}, but must be 'csr', 'csc' or 'coo'")
        shape = self.shape
        p, i, x = self._copied(format) if copy else self._shared(format)
        if max(*shape, len(x)) < 2**31:
            p, i = p.astype(np.int32, copy=False), i.view(np.int32)
        else:
            p, i = p.astype(np.int64), i.astype(np.int64)
        kind = scipy_sparse.csr_array if format == "csr" else scipy_sparse.csc_array
        made = kind((x, i, p), shape, copy=False)
        made.has_sorted_indices = made.has_canonical_format = True
        if not copy:
            self._lent = convert.Loan([made.indices, made.data], self._lent)
        return made

    def _copied(self, format):
        """p, i, x as numpy arrays of their own."""
        found = _arrays.fetched(self, format)
        if found is None and self.shape[format == "csc"] >= _PAST_POINTERS:
            raise InvalidValue(f"{self.shape[format == 'csc']} pointers are too many: use tocoo()")
        return self.copy()._moved_out(format) if found is None else found

    def _moved_out(self, format):
        """p, i, x as numpy arrays that own the blocks of the library; the matrix is left empty."""
        lines = self.shape[0 if format == "csr" else 1] + 1
        arrays = ffi.new("gbl_Arrays *")
        check(lib.gbl_Matrix_moveOut(self._handle, convert.FORMATS[format], arrays))
        p = own_array(arrays.p, lines, np.uint64)
        n = int(p[-1])
        i = own_array(arrays.i, n, np.uint32)
        x = own_array(arrays.x, 1 if arrays.iso and n > 0 else n, self.dtype)
        return p, i, np.full(n, x[0]) if arrays.iso and n > 0 else x

    def _shared(self, format):
        """p, i, x as numpy arrays that own the blocks of the library, which reads them from now
        on. After a failure the matrix is as it was."""
        nrows, ncols = self.shape
        arrays, kept = ffi.new("gbl_Arrays *"), ffi.new("gbl_Arrays *")
        box, kind = ffi.new("gbl_Matrix *"), convert.FORMATS[format]
        check(lib.gbl_Matrix_moveOut(self._handle, kind, arrays))
        kept[0] = arrays[0]
        info = lib.gbl_Matrix_lend(box, self.type.handle, nrows, ncols, kind, arrays, ffi.NULL)
        if info != lib.GBL_SUCCESS:
            check(lib.gbl_Matrix_moveIn(box, self.type.handle, nrows, ncols, kind, arrays))
        lines = (nrows if format == "csr" else ncols) + 1
        self._adopt(self._wrap(box, self.type))
        check(info)
        p = own_array(kept.p, lines, np.uint64)
        n = int(p[-1])
        i = own_array(kept.i, n, np.uint32)
        x = own_array(kept.x, 1 if kept.iso and n > 0 else n, self.dtype)
        self._lent = (p, i, x)
        return p, i, np.full(n, x[0]) if kept.iso and n > 0 else x

    def __setitem__(self, key, value):
        mask = self._mask(key)
        if mask is not None:
            self._choose(mask, value)
            return
        rows, columns = pair(key)
        if is_number(rows) and is_number(columns) and np.isscalar(value):
            nrows, ncols = self.shape
            i, j = place(rows, nrows), place(columns, ncols)
            call = getattr(lib, f"gbl_Matrix_setElement_{self.type.name}")
            check(call(self._handle, number(value, self.type), i, j))
            return
        if isinstance(value, (list, np.ndarray, Vector)) and np.ndim(value) == 1 and (
                is_number(rows) or is_number(columns)):  # of one row or column
            value = np.asarray(value)
            value = value[None, :] if is_number(rows) else value[:, None]
        self.assign(value, rows, columns)

    def assign(self, value, rows=slice(None), columns=slice(None), **to):
        """self[rows, columns] = a number at every position, or a matrix of that shape."""
        i, j = Places(rows, self.shape[0]), Places(columns, self.shape[1])
        places = (i.pointer, i.count, j.pointer, j.count)
        if np.isscalar(value):
            target = Target(self, self.type, self.shape, dict(to, out=self), "")
            call = getattr(lib, f"gbl_Matrix_assign_{self.type.name}")
            check(call(*target.arguments, number(value, self.type), *places, target.descriptor))
            return self
        t0, source = _source(self._coerce(value))
        target = Target(self, self.type, self.shape, dict(to, out=self), "T0" * t0)
        check(lib.gbl_Matrix_assign(*target.arguments, source._handle, *places, target.descriptor))
        return self

    def __delitem__(self, key):
        rows, columns = pair(key)
        nrows, ncols = self.shape
        check(lib.gbl_Matrix_removeElement(self._handle, place(rows, nrows), place(columns, ncols)))

    def resize(self, nrows, ncols=None):
        """Changes the shape, two numbers or one tuple; entries outside the new one are deleted."""
        nrows, ncols = convert.as_shape(nrows if ncols is None else (nrows, ncols))
        check(lib.gbl_Matrix_resize(self._handle, nrows, ncols))
        self._shape = None

    def serialize(self):
        """The matrix as bytes, checksummed, readable on other machines and by later versions."""
        size = ffi.new("gbl_Index *")
        check(lib.gbl_Matrix_serializeSize(size, self._handle))
        block = bytearray(size[0])
        check(lib.gbl_Matrix_serialize(ffi.from_buffer(block), size, self._handle))
        return bytes(memoryview(block)[: size[0]])

    @classmethod
    def deserialize(cls, block):
        """The matrix behind such bytes; they are checked."""
        box = ffi.new("gbl_Matrix *")
        block = memoryview(block).cast("B")
        check(lib.gbl_Matrix_deserialize(box, ffi.NULL, ffi.from_buffer(block), block.nbytes))
        return cls._wrap(box, _type_of_matrix(box[0]))

    def __reduce__(self):
        values, _ = self._held()
        if values is not None and len(values) > _FEW:  # twice as fast as bytes with a checksum
            found = _arrays.fetched(self, "csr")
            if found is not None:
                return Matrix, (found[::-1], self.shape)
        return Matrix.deserialize, (self.serialize(),)

    def __repr__(self):
        nrows, ncols = self.shape
        return f"<gblite.Matrix {nrows} x {ncols}, {self.nvals} entries, {self.dtype}>"

    def _repr_html_(self):
        return _picture.html(self)


def _type_of_matrix(handle):
    code = ffi.new("int32_t *")
    check(lib.gbl_Matrix_get_INT32(handle, code, lib.GBL_EL_TYPE_CODE))
    return type_of_code(code[0])
