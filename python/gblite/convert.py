# SPDX-License-Identifier: Apache-2.0
"""Matrices of the library from what Python has: tuples, objects of scipy.sparse, dense arrays.

Each function returns (box, Type, arrays): a gbl_Matrix * that belongs to the caller, the type of
its values, and the numpy arrays that the library reads in place, to be kept as long as the matrix
is, or None. What is not inside the shape, or lies about lengths, is refused before C sees it.
"""
import numpy as np

from gblite import algebra
from gblite._library import IndexError_, ShapeError, ValueError_, check, ffi, lib, pointer, type_of
from gblite._object import whole

FORMATS = {"csr": lib.GBL_CSR_FORMAT, "csc": lib.GBL_CSC_FORMAT}
_PAST_UINT32 = 2**32


def _values(x, dtype):
    """Values as the library reads them: contiguous, of a type that it has."""
    x = np.asarray(x)
    type_of(x.dtype.newbyteorder("=") if dtype is None else dtype)
    return np.require(x, x.dtype.newbyteorder("=") if dtype is None else dtype, "CA")


def from_data(data, shape, dtype):
    """From tuples (values, (rows, columns)), an object of scipy.sparse, or a dense array, whose
    nonzero elements become entries; shape and dtype may be None."""
    if isinstance(data, tuple):
        values, (rows, columns) = data
        return _from_tuples(rows, columns, _values(values, dtype), shape)
    if hasattr(data, "tocoo"):
        return _from_scipy(data, dtype)
    dense = np.asarray(data)
    if dense.ndim != 2:
        raise ShapeError(f"a matrix is made of an array of two dimensions, not {dense.ndim}")
    if shape is not None and tuple(shape) != dense.shape:
        raise ShapeError(f"the shape is {tuple(shape)}, but that of the data {dense.shape}")
    rows, columns = np.nonzero(dense)
    return _from_tuples(rows, columns, _values(dense[rows, columns], dtype or dense.dtype),
                        dense.shape)


def _from_tuples(rows, columns, values, shape):
    i, j = whole(rows), whole(columns)
    if not (i.shape == j.shape == values.shape and i.ndim == 1):
        raise ShapeError(f"tuples need as many rows ({i.size}) as columns ({j.size}) and values "
                         f"({values.size}), in one dimension")
    if shape is None:
        shape = (int(i.max(initial=-1)) + 1, int(j.max(initial=-1)) + 1)
    type, box = type_of(values.dtype), ffi.new("gbl_Matrix *")
    check(lib.gbl_Matrix_new(box, type.handle, *shape))
    call = getattr(lib, f"gbl_Matrix_build_{type.name}")
    info = call(box[0], pointer(i, "gbl_Index *"), pointer(j, "gbl_Index *"),
                pointer(values, type.pointer), len(values), algebra.binary("plus", type)[0])
    if info != lib.GBL_SUCCESS:
        lib.gbl_Matrix_free(box)
    check(info)
    return box, type, None


def _from_scipy(data, dtype):
    if len(data.shape) != 2:
        raise ShapeError(f"a matrix is made of an array of two dimensions, not {len(data.shape)}")
    if data.format not in FORMATS or max(data.shape) >= _PAST_UINT32:
        data = data.tocoo()
        return _from_tuples(data.row, data.col, _values(data.data, dtype), data.shape)
    p, i = np.asarray(data.indptr), np.asarray(data.indices)
    _check_lengths(p, i, data)
    if i.dtype == np.int32:
        i = np.require(i, requirements="CA").view(np.uint32)
    else:
        minor = data.shape[1] if data.format == "csr" else data.shape[0]
        if i.size > 0 and (i.min() < 0 or i.max() >= minor):
            raise IndexError_(f"indices are {i.min()} to {i.max()}, but must be 0 to {minor - 1}")
        i = i.astype(np.uint32)
    try:
        return _lend(p.astype(np.uint64), i, _values(data.data, dtype), data.shape, data.format)
    except ValueError_:
        if data.has_canonical_format:  # something else is wrong
            raise
        data = data.copy()
        data.sum_duplicates()
        return _from_scipy(data, dtype)


def _check_lengths(p, i, data):
    """scipy's arrays are plain attributes: what C reads must be there."""
    major = data.shape[0] if data.format == "csr" else data.shape[1]
    if len(p) != major + 1 or p[0] != 0 or not 0 <= p[-1] <= min(len(i), len(data.data)):
        raise ValueError_(f"indptr has {len(p)} pointers up to {p[-1] if len(p) else None}, for "
                          f"{major} rows, {len(i)} indices and {len(data.data)} values")


def _lend(p, i, x, shape, format):
    """A matrix that reads these arrays where they are."""
    type, box = type_of(x.dtype), ffi.new("gbl_Matrix *")
    arrays = ffi.new("gbl_Arrays *", {"p": pointer(p, "uint64_t *"), "i": pointer(i, "uint32_t *"),
                                      "x": pointer(x, "void *"), "iso": False})
    check(lib.gbl_Matrix_lend(box, type.handle, *shape, FORMATS[format], arrays, ffi.NULL))
    return box, type, (p, i, x)
