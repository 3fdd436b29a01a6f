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

import numpy as np

from gblite import _library, algebra
from gblite._library import DomainError, FileError, InvalidValue, check, ffi, lib, type_of
from gblite._object import _source, descriptor, sum_type
from gblite.matrix import Matrix, _type_of_matrix
from gblite.vector import Vector


def open(path, check=True):
    """The matrix in a .gbl file, mapped: pages are read when they are first looked at, and changes
    stay in memory. check=True reads all of it once and refuses what is wrong; check=False takes
    microseconds for any size, for files that are trusted like programs. The file must not change
    while the matrix exists."""
    box = ffi.new("gbl_Matrix *")
    _library.check(lib.gbl_file_map(box, ffi.NULL, os.fsencode(path), check))
    return Matrix._wrap(box, _type_of_matrix(box[0]))


def read_edges(path, source=None, target=None, weight=None, dtype=None, out=None):
    """(matrix, names) of a file of edges, names[v] what vertex v is called there: a table of
    Parquet (.parquet) or Arrow (.arrow, .feather), by pyarrow, or text with separators, also
    compressed by gzip. Columns are named in tables, and counted from 1 in text; without them those
    are taken that are called source and target, or the like, else the first two. A third one of
    numbers has weights; weight=False reads none. Weights of equal edges are added. out="NAME.gbl"
    writes the matrix of a text to a file, which is mapped: edges need not fit in memory, but lie in
    temporary files in $TMPDIR."""
    suffix = os.path.splitext(os.fspath(path))[1]
    if suffix in (".parquet", ".arrow", ".feather"):
        if out is not None:
            raise DomainError(f"only edges of a text go into a file, not those of {suffix} files")
        return _read_table(path, suffix, source, target, weight, dtype)
    columns = source or 0, target or 0, -1 if weight is False else weight or 0
    if not all(isinstance(c, int) for c in columns):
        raise DomainError("columns of text are counted from 1: source=1, target=2, weight=3")
    handle = ffi.NULL if dtype is None else type_of(dtype).handle
    box, labels = ffi.new("gbl_Matrix *"), ffi.new("gbl_Labels *")
    name = ffi.new("char[]", os.fsencode(path))
    how = ffi.new("gbl_EdgeText *", {"path": name, "from": columns[0], "to": columns[1],
                                     "weight": columns[2]})
    try:
        if out is None:
            check(lib.gbl_edges_read(box, labels, handle, how))
            made = Matrix._wrap(box, _type_of_matrix(box[0]))
        else:
            check(lib.gbl_edges_to_file(os.fsencode(out), labels, handle, how))
            made = open(out, check=False)
        return made, _names(labels, made.shape[0])
    finally:
        lib.gbl_labels_free(labels)


def _names(labels, n):
    if labels.text != ffi.NULL:
        names = np.empty(n, object)
        names[:] = [ffi.string(labels.text + labels.start[v]).decode(errors="replace")
                    for v in range(n)]
        return names
    if labels.id == ffi.NULL:
        return np.arange(1, n + 1, dtype=np.uint64)
    return np.frombuffer(ffi.buffer(labels.id, 8 * n), np.uint64).copy()


_CALLED = (("source", "from", "src", "u"), ("target", "to", "dst", "v"),
           ("weight", "w", "value", "score"))


def _read_table(path, suffix, source, target, weight, dtype):
    _library.need("pyarrow", f"read_edges() of {suffix} files")
    import pyarrow as pa
    try:
        if suffix == ".parquet":
            import pyarrow.parquet
            table = pyarrow.parquet.read_table(path)
        else:
            with pa.memory_map(os.fspath(path)) as file:
                table = pa.ipc.open_file(file).read_all()
    except (OSError, pa.ArrowException) as error:
        raise FileError(f"{os.fspath(path)}: {error}") from None
    names = table.column_names
    found = [next((c for c in names if c.lower() in called), None) for called in _CALLED]
    if None in found[:2]:
        found = [*names[:3], None, None, None][:3]
    if found[2] is not None and not _is_number(table.schema.field(found[2]).type):
        found[2] = None
    ends = source or found[0], target or found[1]
    weight = None if weight is False else weight or found[2]
    for column in (*ends, weight):
        if column not in (None, *names) or (column is None and column is not weight):
            raise InvalidValue(f"{os.fspath(path)} has no column {column!r}; it has {names}")
    columns = [_column(table, c) for c in (*ends, weight) if c is not None]
    return Matrix.from_edges(*columns, dtype=dtype, labels=True)


def _is_number(type):
    from pyarrow import types
    return types.is_integer(type) or types.is_floating(type)


def _column(table, name):
    from pyarrow import types
    column = table[name]
    if types.is_dictionary(column.type):
        column = column.cast(column.type.value_type)
    if column.null_count:
        raise InvalidValue(f"column {name!r} has {column.null_count} nulls; leave such edges out")
    return column.to_numpy()


@ffi.callback("bool(void *, const gbl_FileProduct *)", onerror=_library._stop, error=False)
def _tell(context, so_far):
    total = so_far.nrows or 1
    return _library.tell("write", so_far.rows_done / total)


def _how(operands, type, keep, to):
    """(a gbl_FileProduct, both operands, of which the first is not transposed)"""
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
    return how, left, right, mask


def _refuse(to, known, what):
    wrong = set(to) - {"mask", "structure", "complement", "method", *known}
    if wrong:
        raise DomainError(f"a product {what} takes no {sorted(wrong)[0]}=")


def product(path, ring, operands, type, keep=ffi.NULL, **to):
    """The product of matrices over a gbl_Semiring, its rows filtered by keep, in a file, which is
    mapped. resume=True goes on with the slices that an interrupted call left beside it."""
    _refuse(to, {"resume"}, "into a file")
    how, left, right, _mask = _how(operands, type, keep, to)
    check(lib.gbl_mxm_to_file(os.fsencode(path), ring, left._handle, right._handle, how))
    return open(path, check=False)


def folded(ring, operands, type, reduce, fold="plus", **to):
    """A vector: the rows or columns of a product over a gbl_Semiring, each folded by a monoid."""
    _refuse(to, (), "that is folded")
    if reduce not in ("rows", "columns"):
        raise InvalidValue(f'reduce is "rows" or "columns", not {reduce!r}')
    how, left, right, _mask = _how(operands, type, ffi.NULL, to)
    of = sum_type(type) if algebra.is_sum(fold) else type
    size = operands[0].shape[0] if reduce == "rows" else operands[1].shape[1]
    out = Vector.new(of, size)
    check(lib.gbl_mxm_reduce_rows(out._handle, ffi.NULL, ffi.NULL, algebra.monoid(fold, of), ring,
                                  left._handle, right._handle, how,
                                  descriptor("T0" * (reduce == "columns"), None)))
    return out
