# SPDX-License-Identifier: Apache-2.0
"""Matrices in files that need not fit in memory: products are written as they are computed, and
read where they lie.

>>> import os, tempfile
>>> import gblite as gb
>>> A = gb.Matrix("rmat:8:8")
>>> path = os.path.join(tempfile.mkdtemp(), "c.gbl")
>>> C = A.mxm(A, out=path)  # mapped
>>> C.isequal(A @ A)
True
>>> sum(rows.nnz for _, rows in gb.open(path).slices(entries=1000)) == C.nvals
True
"""
import os

from gblite import _library
from gblite._library import DomainError, check, ffi, lib
from gblite._object import _source, descriptor
from gblite.matrix import Matrix, _type_of_matrix


def open(path, check=True):
    """The matrix in a .gbl file, mapped: pages are read when they are first looked at, and changes
    stay in memory. check=True reads all of it once and refuses what is wrong; check=False takes
    microseconds for any size, for files that are trusted like programs. The file must not change
    while the matrix exists."""
    box = ffi.new("gbl_Matrix *")
    _library.check(lib.gbl_file_map(box, ffi.NULL, os.fsencode(path), check))
    return Matrix._wrap(box, _type_of_matrix(box[0]))


@ffi.callback("bool(void *, const gbl_FileProduct *)", onerror=_library._stop, error=False)
def _tell(context, so_far):
    total = so_far.nrows or 1
    return _library.tell("write", so_far.rows_done / total)


def product(path, ring, operands, type, keep=ffi.NULL, **to):
    """The product of matrices over a gbl_Semiring, its rows filtered by keep, in a file, which is
    mapped. resume=True goes on with the slices that an interrupted call left beside it."""
    wrong = set(to) - {"mask", "structure", "complement", "method", "resume"}
    if wrong:
        raise DomainError(f"a product into a file takes no {sorted(wrong)[0]}=")
    left, right = operands
    left = left.copy() if left._transposed else left  # its rows are read in slices
    t1, right = _source(right)
    mask = to.get("mask")
    mask = mask if mask is None else Matrix._coerce(mask)
    mask = mask.copy() if mask is not None and mask._transposed else mask
    key = "S" * bool(to.get("structure")) + "C" * bool(to.get("complement")) + "T1" * t1
    how = ffi.new("gbl_FileProduct *", {
        "type": type.handle, "M": ffi.NULL if mask is None else mask._handle, "keep": keep,
        "desc": descriptor(key, to.get("method")), "resume": bool(to.get("resume")),
        "progress": _tell})
    check(lib.gbl_mxm_to_file(os.fsencode(path), ring, left._handle, right._handle, how))
    return open(path, check=False)
