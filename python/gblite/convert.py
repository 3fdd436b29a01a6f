# SPDX-License-Identifier: Apache-2.0
"""Matrices of the library from what Python has: tuples, objects of scipy.sparse, dense arrays.

Each function returns (box, Type, kept): a gbl_Matrix * that belongs to the caller, the type of its
values, and what keeps the numpy arrays that the library reads in place, to be held as long as the
matrix is, or None. What is not inside the shape, or lies about lengths, is refused before C sees
it.
"""
import operator
import threading
from contextlib import suppress

import numpy as np

from gblite import _arrays, algebra
from gblite._library import (TYPES, DomainError, InvalidIndex, InvalidValue, ShapeError, check,
                             check_tuples, dimension, ffi, lib, pointer, taken, type_of, whole)

FORMATS = {"csr": lib.GBL_CSR_FORMAT, "csc": lib.GBL_CSC_FORMAT}
_PAST_INT32, _PAST_UINT32 = 2**31, 2**32


class Loan:
    """Holds arrays that a matrix reads where they are. Nobody can write to them meanwhile: numpy
    refuses it until the last matrix that reads them is gone or has copied them."""

    _lent = {}  # id of an array: [the array, its loans]
    _lock = threading.RLock()  # a collection of garbage may end a loan inside of another's

    def __init__(self, arrays, kept=()):
        self.kept = (arrays, kept)
        self.protected = []
        with self._lock:
            for array in arrays:
                entry = self._lent.get(id(array))
                if entry is None and array.flags.writeable:
                    array.flags.writeable = False
                    entry = self._lent[id(array)] = [array, 0]
                if entry is not None:
                    entry[1] += 1
                    self.protected.append(entry)

    def __del__(self):
        with self._lock:
            for entry in self.protected:
                entry[1] -= 1
                if entry[1] == 0:
                    del self._lent[id(entry[0])]
                    with suppress(ValueError):  # what owns the memory may be read-only by now
                        entry[0].flags.writeable = True


def values_of(x, dtype):
    """Values as the library reads them: contiguous, of a type that it has."""
    x = np.asarray(x)
    if x.dtype in TYPES and (dtype is None or x.dtype == dtype) and x.flags.carray:
        return x
    type_of(x.dtype.newbyteorder("=") if dtype is None else dtype)
    return np.require(x, x.dtype.newbyteorder("=") if dtype is None else dtype, "CA")


def _plain(array):
    """Contiguous and aligned."""
    return array if array.flags.carray else np.require(array, requirements="CA")


def from_data(data, shape, dtype, copy):
    """From a shape, tuples (values, (rows, columns)), arrays (values, indices, indptr), an object
    of scipy.sparse, or a dense array, whose nonzero elements become entries; shape and dtype may be
    None."""
    if isinstance(data, tuple):
        return _from_tuple(data, shape, dtype, copy)
    if hasattr(data, "tocoo"):
        _agree(shape, data.shape)
        return from_scipy(data, dtype, copy)
    if isinstance(data, np.ma.MaskedArray) and data.ndim == 2:
        rows, columns = np.nonzero(~np.ma.getmaskarray(data))
        _agree(shape, data.shape)
        return _from_tuples(rows, columns, values_of(data.data[rows, columns], dtype), data.shape)
    dense = np.asarray(data)
    if dense.ndim != 2:
        what = f"{data!r}" if dense.ndim == 0 else f"an array of {dense.ndim} dimensions"
        wrong = DomainError if dense.ndim == 0 and dense.dtype == object else ShapeError
        raise wrong(f"a matrix cannot be made of {what}: give an array of two dimensions, "
                    "(values, (rows, columns)), a scipy array, or a shape (m, n)")
    _agree(shape, dense.shape)
    if dtype not in (None, dense.dtype) or max(dense.shape) >= _PAST_INT32:
        rows, columns = np.nonzero(dense)
        return _from_tuples(rows, columns, values_of(dense[rows, columns], dtype), dense.shape)
    dense = values_of(dense, None)
    type, box = type_of(dense.dtype), ffi.new("gbl_Matrix *")
    check(lib.gblite_python_nonzeros(box, type.handle, type.code, pointer(dense, "void *"),
                                     *dense.shape))
    return box, type, None


def _agree(shape, own):
    if shape is not None and as_shape(shape) != tuple(own):
        raise ShapeError(f"the shape is {as_shape(shape)}, but that of the data {tuple(own)}")


def as_shape(shape):
    """(m, n) of numbers, checked."""
    try:
        nrows, ncols = shape
    except (TypeError, ValueError):
        raise ShapeError(f"a shape is (rows, columns), not {shape!r}") from None
    return dimension(nrows), dimension(ncols)


def _is_shape(data):
    try:
        return len(data) == 2 and [operator.index(n) for n in data] is not None
    except TypeError:
        return False


def _from_tuple(data, shape, dtype, copy):
    if _is_shape(data):
        _agree(shape, as_shape(data))
        type, box = type_of(dtype or "float64"), ffi.new("gbl_Matrix *")
        check(lib.gbl_Matrix_new(box, type.handle, *as_shape(data)))
        return box, type, None
    if len(data) == 3:
        x, i, p = (np.asarray(part) for part in data)
        if not x.ndim == i.ndim == p.ndim == 1:
            raise ShapeError("values, indices and indptr must be arrays of one dimension")
        shape = (len(p) - 1, int(i.max(initial=-1)) + 1) if shape is None else as_shape(shape)
        return from_arrays(p, i, x, shape, dtype, "csr", copy)
    try:
        values, (rows, columns) = data
    except (TypeError, ValueError):
        raise DomainError("tuples are (rows, columns), (values, (rows, columns)) or (values, "
                          "indices, indptr)") from None
    return _from_tuples(rows, columns, values_of(values, dtype), shape)


def _from_tuples(rows, columns, values, shape):
    i, j = np.asarray(rows), np.asarray(columns)
    if not i.dtype == j.dtype == np.int32:
        i, j = whole(i), whole(j)
    i, j = (_plain(part) for part in (i, j))
    if not (i.shape == j.shape == values.shape and i.ndim == 1):
        raise ShapeError(f"tuples need as many rows ({i.size}) as columns ({j.size}) and values "
                         f"({values.size}), in one dimension")
    if shape is None:
        shape = (int(i.max(initial=-1)) + 1, int(j.max(initial=-1)) + 1)
    type, box, shape = type_of(values.dtype), ffi.new("gbl_Matrix *"), as_shape(shape)
    if max(*shape, len(values)) < _PAST_INT32:
        tuples = ffi.new("gblite_python_Tuples *", (*shape, len(values), *(
            pointer(part, "void *") for part in (i, j, values)), i.dtype == np.int64))
        if taken(lib.gblite_python_tuples(box, type.handle, type.code, tuples)):
            return box, type, None
    i, j = whole(i), whole(j)
    check(lib.gbl_Matrix_new(box, type.handle, *shape))
    call = getattr(lib, f"gbl_Matrix_build_{type.name}")
    info = call(box[0], pointer(i, "gbl_Index *"), pointer(j, "gbl_Index *"),
                pointer(values, type.pointer), len(values), algebra.binary("plus", type)[0])
    if info != lib.GBL_SUCCESS:
        lib.gbl_Matrix_free(box)
    check_tuples(info, i, j)
    return box, type, None


def numbered(sources, targets):
    """(names, sources, targets): the ends of edges by numbers; names are those of the vertices."""
    if sources.ndim != 1 or sources.shape != targets.shape:
        raise ShapeError(f"edges need as many sources ({sources.size}) as targets ({targets.size})")
    ends = np.stack([sources, targets], axis=1).ravel()
    if ends.dtype.kind in "biuf":
        names, found = np.unique(ends, return_inverse=True)
    else:
        number = {}
        found = np.fromiter((number.setdefault(end, len(number)) for end in ends.tolist()),
                            np.int64, len(ends))
        names = np.empty(len(number), object)
        names[:] = list(number)
    found = found.reshape(-1, 2)
    return names, found[:, 0], found[:, 1]


def from_scipy(data, dtype, copy):
    """From an object of scipy.sparse; copy: False marks its arrays as lent, None only reads them
    where they are, for a call that ends before anybody can write."""
    if len(data.shape) != 2:
        raise ShapeError(f"a matrix is made of an array of two dimensions, not {len(data.shape)}")
    if data.format not in FORMATS or max(data.shape) >= _PAST_UINT32:
        data = data.tocoo()
        return _from_tuples(data.row, data.col, values_of(data.data, dtype), data.shape)
    return from_arrays(data.indptr, data.indices, data.data, data.shape, dtype, data.format, copy)


def from_arrays(p, i, x, shape, dtype, format, copy):
    """From the arrays of scipy's CSR or CSC; unsorted rows and duplicates are fine."""
    _check_lengths(p, i, x, shape[0] if format == "csr" else shape[1])
    values = values_of(x, dtype)
    if max(shape) >= _PAST_UINT32:
        return _of_rows(_arrays.Rows(shape, p, i, values, format))
    if i.dtype == np.int64 and p.dtype == np.int32:
        p = p.astype(np.int64)
    if copy and p.dtype == i.dtype and p.dtype in (np.int32, np.int64):
        rows = _arrays.Rows(shape, _plain(p), _plain(i), values, format)
        type, box = type_of(values.dtype), ffi.new("gbl_Matrix *")
        try:
            if taken(_arrays.imported(rows, box, type)):
                return box, type, None
        except InvalidValue as why:
            return _of_rows(rows, why)
        except InvalidIndex:
            _check_indices(rows.indices, shape[format == "csr"])
            raise
    return _in_place(p, i, x, values, (shape, format, copy))


def _of_rows(rows, why=None):
    """Through tuples, which sums duplicates; raises why if there are none."""
    counts = np.diff(rows.indptr.astype(np.int64))
    if np.any(counts < 0):
        raise why or InvalidValue("indptr descends")
    major = np.repeat(np.arange(len(counts)), counts)
    minor = whole(rows.indices[: len(major)])
    if why is not None and len(np.unique(np.stack([major, minor]), axis=1).T) == len(major):
        raise why
    places = (major, minor) if rows.format == "csr" else (minor, major)
    return _from_tuples(*places, rows.data[: len(major)], rows.shape)


def _in_place(p, i, x, values, how):
    shape, format, copy = how
    minor = shape[1] if format == "csr" else shape[0]
    if i.dtype == np.int32:
        indices = _plain(i).view(np.uint32)
    else:
        i = whole(i)
        indices = np.empty(len(i), np.uint32)
        if not lib.gblite_python_narrow(pointer(indices, "int32_t *"), pointer(i, "int64_t *"),
                                        len(i)):
            _check_indices(i, minor)
            indices = i.astype(np.uint32)
    pointers = p.astype(np.uint64)
    if copy:  # of what is not one already
        indices = indices.copy() if np.may_share_memory(indices, i) else indices
        values = values.copy() if np.may_share_memory(values, x) else values
    try:
        box, type, arrays = lent(pointers, indices, values, shape, format)
    except InvalidValue as why:
        return _of_rows(_arrays.Rows(shape, p, i, values, format), why)
    except InvalidIndex:
        _check_indices(i, minor)
        raise
    if copy is not False:
        return box, type, arrays
    return box, type, Loan([array for array in (i, x) if any(
        np.may_share_memory(array, ours) for ours in arrays)], arrays)


def _check_indices(i, minor):
    if i.size > 0 and (i.min() < 0 or i.max() >= minor):
        raise InvalidIndex(f"indices are {i.min()} to {i.max()}, but must be 0 to {minor - 1}")


def _check_lengths(p, i, x, major):
    """scipy's arrays are plain attributes: what C reads must be there."""
    if p.ndim != 1 or i.ndim != 1 or x.ndim != 1:
        raise ShapeError("values, indices and indptr must be arrays of one dimension")
    if len(p) != major + 1 or p[0] != 0 or not 0 <= p[-1] <= min(len(i), len(x)):
        raise InvalidValue(f"indptr has {len(p)} pointers up to {p[-1] if len(p) else None}, for "
                           f"{major} rows, {len(i)} indices and {len(x)} values")


def lent(p, i, x, shape, format):
    """A matrix that reads these arrays where they are."""
    type, box = type_of(x.dtype), ffi.new("gbl_Matrix *")
    arrays = ffi.new("gbl_Arrays *", {"p": pointer(p, "uint64_t *"), "i": pointer(i, "uint32_t *"),
                                      "x": pointer(x, "void *"), "iso": False})
    check(lib.gbl_Matrix_lend(box, type.handle, *shape, FORMATS[format], arrays, ffi.NULL))
    return box, type, (p, i, x)
