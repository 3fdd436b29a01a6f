# SPDX-License-Identifier: Apache-2.0
"""The largest entries of each row of a product, which is never stored whole.

>>> import numpy as np
>>> import gblite as gb
>>> A = gb.Matrix(np.array([[3.0, 0, 1], [0, 2, 2], [1, 1, 0]]))
>>> gb.topn(A, A.T, 1).to_numpy()  # the most similar rows
array([[10.,  0.,  0.],
       [ 0.,  8.,  0.],
       [ 3.,  0.,  0.]])
"""
import math
import operator
import os

from gblite import algebra, files
from gblite._library import DomainError, InvalidValue, check, ffi, lib
from gblite._object import Operations, Target, number, product_type
from gblite.matrix import Matrix


def topn(A, B, n, threshold=None, dense_output=False, semiring="plus_times", dtype=None, **to):
    """The n largest entries of each row of A @ B, those above threshold if one is given; of equal
    ones those of smaller columns. Entries that the product does not have do not count, negative
    ones do. Rows are filtered as they are summed, so memory is that of the result and of a few
    rows. The result is a Matrix where A is one, else a CSR array of scipy, or with dense_output
    a numpy array. mask=, out= (a matrix or a path) and other arguments: those of mxm."""
    try:
        most = operator.index(n)
    except TypeError:
        raise InvalidValue(f"n is {n!r}, but must be a whole number") from None
    if most < 1:
        raise InvalidValue(f"n is {most}, but must be 1 or more")
    left, right = Matrix._coerce(A), Matrix._coerce(B)
    of = product_type(left.type, right.type, semiring, dtype)
    ring, result = algebra.semiring(semiring, of)
    if result.is_complex:
        raise DomainError("complex numbers have no order, so none are the largest")
    if threshold is not None and not result.is_float and math.isfinite(threshold):
        threshold = math.floor(threshold)  # whole numbers are above it where they are above this
    # Rows are filtered by methods that read both factors by rows.
    left, right = (M.copy() if M._transposed else M for M in (left, right))
    keep = ffi.new("gbl_RowFilter *", {"size": ffi.sizeof("gbl_RowFilter"),
                                       "most": min(most, max(right.shape[1], 1))})
    scalar = ffi.new("gbl_Scalar *")
    try:
        if threshold is not None:
            keep.op, y = algebra.index_unary(">", result)
            check(lib.gbl_Scalar_new(scalar, y.handle))
            check(getattr(lib, f"gbl_Scalar_setElement_{y.name}")(scalar[0], number(threshold, y)))
            keep.y = scalar[0]
        if isinstance(to.get("out"), (str, os.PathLike)):
            return files.product(to.pop("out"), ring, (left, right), result, keep, **to)
        target = Target(left, result, (left.shape[0], right.shape[1]), to, "")
        check(lib.gbl_mxm_select(*target.arguments, ring, keep, left._handle, right._handle,
                                 target.descriptor))
    finally:
        lib.gbl_Scalar_free(scalar)
    if dense_output:
        return target.out.to_numpy()
    return target.out if isinstance(A, Operations) else target.out.to_scipy(copy=False)
