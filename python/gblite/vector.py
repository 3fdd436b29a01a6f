# SPDX-License-Identifier: Apache-2.0
"""Sparse vectors."""
import numpy as np

from gblite import algebra
from gblite._library import (ShapeError, check, check_tuples, dimension, ffi, lib, pointer,
                             promoted, type_of, value_of, whole)
from gblite._object import (Collection, Places, Target, _source, filled, number, place,
                            product_type, sum_type)


class Vector(Collection):
    """A sparse vector.

    Vector(array)                   every element of a numpy array becomes an entry
    Vector((values, indices), size)  from tuples, duplicates summed
    Vector.new(dtype, size)         without entries

    >>> v = Vector(([5, 7], [0, 3]), 4)
    >>> v
    <gblite.Vector 4, 2 entries, int64>
    >>> v.to_numpy()
    array([5, 0, 0, 7])
    """

    __slots__ = ()
    _kind = "Vector"

    def __init__(self, data, size=None, dtype=None):
        if isinstance(data, Vector):
            made = data.copy() if dtype is None else data.astype(dtype)
        else:
            made = _from(data, size, dtype)
        Collection.__init__(self, made._box, made.type)
        made._box = None

    @classmethod
    def new(cls, dtype, size):
        """A vector without entries."""
        type, box = type_of(dtype), ffi.new("gbl_Vector *")
        check(lib.gbl_Vector_new(box, type.handle, dimension(size)))
        return cls._wrap(box, type)

    @staticmethod
    def _empty(type, shape):
        return Vector.new(type.dtype, *shape)

    @staticmethod
    def _coerce(other):
        return other if isinstance(other, Vector) else Vector(other)

    @property
    def size(self):
        """The number of elements, entries or not."""
        return self.shape[0]

    @property
    def shape(self):
        """(size,)"""
        if self._shape is None:
            size = ffi.new("gbl_Index *")
            check(lib.gbl_Vector_size(size, self._handle))
            self._shape = (size[0],)
        return self._shape

    def __len__(self):
        return self.size

    ndim = 1

    def sum(self, dtype=None):
        """The sum of all entries."""
        return self.reduce("plus", dtype)

    def toarray(self, fill=0):
        """to_numpy() as scipy calls it."""
        return self.to_numpy(fill)

    def _map(self, function):
        """The same pattern with what a function of numpy makes of all values."""
        indices, values = self.to_coo()
        return Vector((function(values), indices), self.size)

    def _of_tuples(self, values, places):
        return Vector((values, *places), self.size)

    def vxm(self, matrix, semiring="plus_times", dtype=None, **to):
        """The product of this vector, as a row, with a matrix over a semiring; patterns count."""
        t1, right = _source(matrix)
        of = product_type(self.type, right.type, semiring, dtype)
        ring, result = algebra.semiring(semiring, of)
        target = Target(self, result, matrix.shape[1:], to, "T1" * t1)
        check(lib.gbl_vxm(*target.arguments, ring, self._handle, right._handle, target.descriptor))
        return target.out

    def __matmul__(self, other):
        other = dense_or_sparse(other)
        if isinstance(other, np.ndarray) and other.ndim == 2:
            return self.to_numpy() @ other
        if isinstance(other, (Vector, np.ndarray)):
            of = sum_type(promoted(self.type, self._coerce(other).type))
            return self.astype(of.dtype).ewise_mult(self._coerce(other).astype(of.dtype)).sum()
        return self.vxm(_matrix(other))

    def __rmatmul__(self, other):
        other = dense_or_sparse(other)
        if isinstance(other, np.ndarray):
            return self @ other if other.ndim == 1 else other @ self.to_numpy()
        return _matrix(other).mxv(self)

    def extract(self, indices=slice(None), **to):
        """The vector of the listed elements, in that order."""
        i = Places(indices, self.size)
        target = Target(self, self.type, (i.length,), to, "")
        check(lib.gbl_Vector_extract(*target.arguments, self._handle, i.pointer, i.count,
                                     target.descriptor))
        return target.out

    def assign(self, value, indices=slice(None), **to):
        """self[indices] = a number at every place, or a vector of that size."""
        i = Places(indices, self.size)
        target = Target(self, self.type, self.shape, dict(to, out=self), "")
        if np.isscalar(value):
            call = getattr(lib, f"gbl_Vector_assign_{self.type.name}")
            value = number(value, self.type)
        else:
            call, source = lib.gbl_Vector_assign, self._coerce(value)
            value = source._handle
        check(call(*target.arguments, value, i.pointer, i.count, target.descriptor))
        return self

    def get(self, index, default=None):
        """The value of the entry at index, or default where there is none."""
        x = ffi.new(self.type.c_name + " *")
        call = getattr(lib, f"gbl_Vector_extractElement_{self.type.name}")
        info = call(x, self._handle, place(index, self.size))
        if info == lib.GBL_NO_VALUE:
            return default
        check(info)
        return value_of(x)

    def __getitem__(self, index):
        if isinstance(index, (int, np.integer)):
            return self.get(index)
        return self.extract(index)

    def __setitem__(self, index, value):
        if isinstance(index, (int, np.integer)) and np.isscalar(value):
            call = getattr(lib, f"gbl_Vector_setElement_{self.type.name}")
            check(call(self._handle, number(value, self.type), place(index, self.size)))
        else:
            self.assign(value, index)

    def __delitem__(self, index):
        check(lib.gbl_Vector_removeElement(self._handle, place(index, self.size)))

    def resize(self, size):
        """Changes the size; entries outside the new one are deleted."""
        check(lib.gbl_Vector_resize(self._handle, dimension(size)))
        self._shape = None

    def to_coo(self):
        """(indices, values), indices ascending."""
        n = self.nvals
        indices, values = np.empty(n, np.uint64), np.empty(n, self.dtype)
        count = ffi.new("gbl_Index *", n)
        call = getattr(lib, f"gbl_Vector_extractTuples_{self.type.name}")
        check(call(pointer(indices, "gbl_Index *"), pointer(values, self.type.pointer), count,
                   self._handle))
        return indices.view(np.int64), values

    def to_numpy(self, fill=0):
        """A dense numpy array, `fill` where there is no entry."""
        n = self.nvals
        if n == self.size:
            values, count = np.empty(n, self.dtype), ffi.new("gbl_Index *", n)
            call = getattr(lib, f"gbl_Vector_extractTuples_{self.type.name}")
            check(call(ffi.NULL, pointer(values, self.type.pointer), count, self._handle))
            return values
        indices, values = self.to_coo()
        dense = filled(self.size, fill, self.dtype)
        dense[indices] = values
        return dense

    def __reduce__(self):
        indices, values = self.to_coo()
        return Vector, ((values, indices), self.size)

    def __repr__(self):
        return f"<gblite.Vector {self.size}, {self.nvals} entries, {self.dtype}>"


_indices = np.arange(1024)  # grows by need


def dense_or_sparse(operand):
    """An operand of @: lists become arrays, scipy's sparse arrays of one dimension vectors."""
    if isinstance(operand, (list, tuple)):
        return np.asarray(operand)
    one = hasattr(operand, "tocoo") and len(operand.shape) == 1
    return Vector(operand) if one else operand


def _matrix(operand):
    from gblite.matrix import Matrix

    return Matrix._coerce(operand)


def _first_indices(n):
    global _indices
    if n > 2**20:
        return np.arange(n, dtype=np.int64)
    if n > len(_indices):
        _indices = np.arange(1 << (n - 1).bit_length(), dtype=np.int64)
    return _indices[:n]


def _from(data, size, dtype):
    if hasattr(data, "tocoo") and len(data.shape) == 1:  # a sparse array of scipy's
        data, size = data.tocoo(), data.shape[0] if size is None else size
        data = (data.data, data.coords[0])
    if isinstance(data, tuple):
        values, indices = np.asarray(data[0], dtype), whole(data[1])
    else:
        values = np.asarray(data, dtype)
        if values.ndim != 1:
            what = type(data).__name__ if hasattr(data, "tocoo") else f"{data!r}"
            what = what if values.ndim == 0 else f"an array of {values.ndim} dimensions"
            raise ShapeError(f"a vector cannot be made of {what}: give an array of one dimension "
                             "or (values, indices); Vector.new(dtype, size) has no entries")
        indices = _first_indices(len(values))
    if values.shape != indices.shape or values.ndim != 1:
        raise ShapeError(f"tuples need as many indices ({indices.size}) as values ({values.size}), "
                         "in one dimension")
    if size is None:
        size = len(values) if not isinstance(data, tuple) else int(indices.max(initial=-1)) + 1
    values = np.ascontiguousarray(values, values.dtype.newbyteorder("="))
    made = Vector.new(values.dtype, size)
    call = getattr(lib, f"gbl_Vector_build_{made.type.name}")
    info = call(made._handle, pointer(indices, "gbl_Index *"), pointer(values, made.type.pointer),
                len(values), algebra.binary("plus", made.type)[0])
    check_tuples(info, indices)
    return made
