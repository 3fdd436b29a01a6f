# SPDX-License-Identifier: Apache-2.0
"""Binsparse files in HDF5, by h5py: what the program gblite reads and writes as NAME.h5."""
import json
import os

import numpy as np

from gblite._library import FileError, InvalidValue
from gblite.matrix import Matrix

_BY_COLUMNS = {"CSC", "DCSC", "COOC", "DMATC", "DMAT_COL"}


def read(path, dtype=None):
    """The matrix in a file, its values of that dtype if one is given."""
    try:
        import h5py
    except ImportError:
        raise ImportError(f"{os.fspath(path)}: files of HDF5 need h5py: pip install h5py") from None
    try:
        file = h5py.File(path, "r")
    except OSError as error:
        raise FileError(f"{os.fspath(path)}: {error}") from None
    with file:
        try:
            made = _matrix(file, json.loads(file.attrs["binsparse"])["binsparse"])
        except (KeyError, ValueError) as error:
            raise InvalidValue(f"{os.fspath(path)}: it is no binsparse file that can be read: "
                               f"{error}") from error
    return made if dtype is None else made.astype(dtype)


def _matrix(file, about):
    nrows, ncols = about["shape"]
    values, n = _values(file, about), about["number_of_stored_values"]
    format = about["format"]
    kind = format["custom"] if isinstance(format, dict) else format
    by_columns = kind in _BY_COLUMNS
    if "fill_value" in file and np.any(file["fill_value"][...] != 0):
        raise ValueError("fill_value is not 0")
    if kind.startswith(("DMAT", "DVEC")):
        major, minor = np.divmod(np.arange(n), (nrows if by_columns else ncols) or 1)
    elif "pointers_to_1" in file:
        lines = file["indices_0"][...] if "indices_0" in file else np.arange(
            ncols if by_columns else nrows)
        major = np.repeat(lines, np.diff(file["pointers_to_1"][...].astype(np.int64)))
        minor = file["indices_1"][...]
    else:
        major = file["indices_0"][...]
        minor = file["indices_1"][...] if "indices_1" in file else np.zeros(n, np.int64)
    rows, columns = (minor, major) if by_columns else (major, minor)
    rows, columns = rows.astype(np.int64), columns.astype(np.int64)
    if about.get("structure", "general") != "general":
        off = rows != columns
        other = -values[off] if "skew" in about["structure"] else values[off]
        rows, columns, values = (np.concatenate(pair) for pair in (
            (rows, columns[off]), (columns, rows[off]), (values, other)))
    return Matrix((values, (rows, columns)), (nrows, ncols))


def _values(file, about):
    kind, n = about["data_types"]["values"], about["number_of_stored_values"]
    iso = kind.startswith("iso[")
    kind = kind[4:-1] if iso else kind
    values = file["values"][...].astype(bool if kind in ("bint8", "bool") else kind)
    return np.repeat(values, n) if iso else values
