# SPDX-License-Identifier: Apache-2.0
"""The C library: loaded, initialised, its errors as exceptions, its types as numpy's.

Every call releases the GIL while it runs. Long products report progress now and then; that is when
Ctrl-C is noticed, and the product cancelled with its operands as they were.
"""
import atexit
import functools
import importlib
import operator
import os

import numpy as np

from gblite._ffi import ffi

lib = ffi.dlopen(
    os.environ.get("GBLITE_LIBRARY")
    or os.path.join(os.path.dirname(os.path.abspath(__file__)), "libgblite_python.so")
)


class Error(Exception):
    """A call failed; the text says which argument was wrong, and what would be right."""


class InvalidIndex(Error, IndexError, ValueError):
    """An index is not inside the object."""


class ShapeError(Error, ValueError):
    """Shapes of operands do not fit together."""


class DomainError(Error, TypeError):
    """An operator does not take values of this type."""


class InvalidValue(Error, ValueError):
    """An argument has a value that it cannot have."""


class NotSparse(DomainError, InvalidValue, NotImplementedError):
    """The result would have a value at every position."""


class OutOfMemory(Error, MemoryError):
    """The system, or the memory limit, does not grant the memory that a call needs."""


class Cancelled(Error):
    """The progress callback asked to stop; outputs and operands are as they were."""


class FileError(Error, OSError):
    """A file cannot be read or written, or is not what it should be."""


_EXCEPTIONS = {
    lib.GBL_INVALID_VALUE: InvalidValue,
    lib.GBL_INVALID_INDEX: InvalidIndex,
    lib.GBL_INDEX_OUT_OF_BOUNDS: InvalidIndex,
    lib.GBL_DIMENSION_MISMATCH: ShapeError,
    lib.GBL_DOMAIN_MISMATCH: DomainError,
    lib.GBL_OUT_OF_MEMORY: OutOfMemory,
    lib.GBL_CANCELLED: Cancelled,
    lib.GBL_IO_ERROR: FileError,
}
_SUCCESS, _NO_VALUE = lib.GBL_SUCCESS, lib.GBL_NO_VALUE
_interrupted = []


def check(info):
    """Raises the exception for what a call returned, unless it succeeded."""
    if info == _SUCCESS:
        return
    if info == lib.GBL_CANCELLED and _interrupted:
        raise _interrupted.pop()
    _interrupted.clear()  # of a call that failed otherwise
    text = ffi.string(lib.gbl_last_error()).decode("utf-8", "replace")
    raise _EXCEPTIONS.get(info, Error)(text)


# -- types ----------------------------------------------------------------------------------------

_NAMES = {
    "bool": "BOOL", "int8": "INT8", "int16": "INT16", "int32": "INT32", "int64": "INT64",
    "uint8": "UINT8", "uint16": "UINT16", "uint32": "UINT32", "uint64": "UINT64",
    "float32": "FP32", "float64": "FP64", "complex64": "FC32", "complex128": "FC64",
}  # fmt: skip
_C_NAMES = {
    "BOOL": "bool", "INT8": "int8_t", "INT16": "int16_t", "INT32": "int32_t", "INT64": "int64_t",
    "UINT8": "uint8_t", "UINT16": "uint16_t", "UINT32": "uint32_t", "UINT64": "uint64_t",
    "FP32": "float", "FP64": "double", "FC32": "gbl_FC32", "FC64": "gbl_FC64",
}  # fmt: skip


class Type:
    """A built-in type: numpy's dtype, the suffix of C functions, the handle, the C type."""

    def __init__(self, dtype, name):
        self.dtype = np.dtype(dtype)
        self.name = name
        self.handle = getattr(lib, "GBL_" + name)
        self.code = getattr(lib, f"GBL_{name}_CODE")
        self.c_name = _C_NAMES[name]
        self.pointer = ffi.typeof(self.c_name + " *")
        self.is_complex = name.startswith("FC")
        self.is_float = self.is_complex or name.startswith("FP")

    def __repr__(self):
        return f"gblite type {self.name} ({self.dtype})"


TYPES = {np.dtype(dtype): Type(dtype, name) for dtype, name in _NAMES.items()}
_BY_CODE = {t.code: t for t in TYPES.values()}
FP64, INT64, BOOL = (TYPES[np.dtype(d)] for d in ("float64", "int64", "bool"))


def type_of(dtype):
    """The Type of a numpy dtype (or of what numpy makes one of)."""
    dtype = np.dtype(dtype)
    found = TYPES.get(dtype)
    if found is None:
        known = ", ".join(_NAMES)
        raise DomainError(f"gblite has no values of dtype {dtype}; convert to one of {known}")
    return found


def value_of(box):
    """What a C pointer to one value points to, as a Python number."""
    x = box[0]
    return complex(x.re, x.im) if isinstance(x, ffi.CData) else x


def need(module, what):
    """A module that is not always installed, for what is called so."""
    try:
        return importlib.import_module(module)
    except ImportError as error:
        package = module.partition(".")[0]
        raise ImportError(f"{what} needs {package}: pip install {package}") from error


def dimension(n, least=0):
    """A size as C takes it."""
    try:
        n = operator.index(n)
    except TypeError:
        raise DomainError(f"a dimension is a whole number, not {n!r}") from None
    if not least <= n < 2**60:
        raise InvalidValue(f"a dimension is {n}, but must be {least} to 2^60 - 1")
    return n


@functools.lru_cache(maxsize=None)
def promoted(left, right):
    """The Type that numpy promotes two to."""
    return type_of(np.result_type(left.dtype, right.dtype))


def type_of_code(code):
    """The Type behind a gbl_Type_Code."""
    return _BY_CODE[code]


def pointer(array, c_type):
    """The data of a contiguous numpy array as a C pointer; the caller keeps the array alive."""
    return ffi.cast(c_type, ffi.from_buffer(array))


def taken(info):
    """Whether a kernel did it; False: it is left to the caller."""
    if info == _NO_VALUE:
        return False
    check(info)
    return True


def own_array(address, count, dtype):
    """A numpy array over a block that moved out of the library, which frees it at its end."""
    dtype = np.dtype(dtype)
    if count == 0 or address == ffi.NULL:
        if address != ffi.NULL:
            lib.gbl_Memory_free(address)
        return np.empty(0, dtype)
    block = ffi.gc(ffi.cast("char *", address), lib.gbl_Memory_free)
    return np.frombuffer(ffi.buffer(block, count * dtype.itemsize), dtype)


def seen(address, count, dtype):
    """A numpy array over memory of the library, valid as long as that is."""
    if count == 0:
        return np.empty(0, dtype)
    return np.frombuffer(ffi.buffer(ffi.cast("char *", address), count * dtype.itemsize), dtype)


# -- progress -------------------------------------------------------------------------------------

_report = None


def set_report(function):
    """What gets (what, done) now and then during products, and returns False to cancel; None: no
    one."""
    global _report
    previous, _report = _report, function
    return previous


def tell(what, done):
    """Reports; False cancels."""
    return _report is None or _report(what, done) is not False


def _stop(kind, value, trace):
    # KeyboardInterrupt, or what a report raised: the call that is cancelled raises it again.
    _interrupted.append(value)
    return False


@ffi.callback("bool(void *, char *, double)", onerror=_stop, error=False)
def _progress(context, what, done):
    return tell(ffi.string(what).decode(), done)


check(lib.gbl_init(lib.GBL_NONBLOCKING))
# glibc gives blocks back to the system at once, whose fresh pages then take longer than the work,
# until a program has freed a large one: as most programs with arrays do sooner or later.
lib.gbl_Memory_free(lib.gbl_Memory_malloc(31 << 20))
check(lib.gbl_set_progress(_progress, ffi.NULL))


def global_setting(field):
    """The value of a field of the library that is a number."""
    value = ffi.new("int64_t *")
    check(lib.gbl_Global_get_INT64(lib.GBL_GLOBAL, value, field))
    return value[0]


def whole(index):
    """Indices of tuples as an array of int64; fractions are refused."""
    index = np.asarray(index)
    if index.size > 0 and index.dtype.kind not in "iu":
        raise InvalidIndex(f"indices are whole numbers, not {index.dtype}")
    if index.size > 0 and index.dtype == np.uint64 and index.max() >= 2**63:
        raise InvalidIndex(f"index {index.max()} is not inside any object")
    return np.ascontiguousarray(index, np.int64)


def check_tuples(info, *indices):
    """check() of a build; names an index that is negative, which the library cannot see."""
    for of in indices if info == lib.GBL_INDEX_OUT_OF_BOUNDS else ():
        at = int(of.argmin()) if of.size > 0 else 0
        if of.size > 0 and of[at] < 0:
            raise InvalidIndex(f"tuple {at} has index {of[at]}; indices of tuples are 0 or more")
    check(info)


VERSION = ".".join(str(global_setting(getattr(lib, f"GBL_LIBRARY_VER_{part}")))
                   for part in ("MAJOR", "MINOR", "PATCH"))


@atexit.register
def _silence():
    # Calls that objects make while Python ends must not call back into it.
    lib.gbl_set_progress(ffi.NULL, ffi.NULL)
