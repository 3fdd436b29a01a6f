# SPDX-License-Identifier: Apache-2.0
"""Semirings of your own, compiled into kernels or made of functions.

>>> import numpy as np, tempfile
>>> import gblite as gb
>>> reliable = gb.Semiring.compile("float64", add="max(x, y)", multiply="a * b", identity=0.0,
...                                cache=tempfile.mkdtemp(), name="reliable")
>>> A = gb.Matrix(np.array([[0, 0.5, 0], [0, 0, 0.9], [0, 0, 0]]))
>>> A.mxm(A, reliable)[0, 2]
0.45
"""
import functools
import hashlib
import math
import os
import pathlib
import re
import shlex
import shutil
import subprocess
import tempfile
import warnings

from gblite import algebra
from gblite._library import Error, InvalidValue, check, ffi, lib, type_of
from gblite._object import number

_HERE = pathlib.Path(__file__).resolve().parent
_HEADERS = _HERE / "include", _HERE / "kernel"
# What the compiler is told for each set of the library's kernels, as by gblite_add_semiring.cmake.
_SETS = {"avx512": ["-march=x86-64-v4"], "avx2": ["-march=x86-64-v3"], "portable": []}
_FLAGS = ["-shared", "-fPIC", "-O3", "-ffp-contract=off", "-fvisibility=hidden",
          "-Wno-psabi", "-fmax-errors=3", "-Werror=implicit-function-declaration"]
_kept = []  # code that deferred products may call, for ever


class Semiring:
    """A semiring of your own, for semiring= of mxm, mxv, vxm, topn, estimate and plan; factors are
    cast to its type. Made by Semiring.compile or Semiring.functions."""

    __slots__ = ("type", "name", "_how", "_box", "_handle", "__weakref__")

    def __new__(cls, *_, **__):
        raise TypeError("make one by Semiring.compile or Semiring.functions; methods take names of "
                        "predefined semirings, such as 'min_plus'")

    @classmethod
    def _of(cls, type, name, how, make):
        made = object.__new__(cls)
        made.type, made.name, made._how = type, name, how
        made._box = ffi.new("gbl_Semiring *")
        check(make(made._box))
        made._handle = made._box[0]
        return made

    @classmethod
    def compile(cls, dtype, add, multiply, identity, terminal=None, *, cache, name="own",
                compiler=None, otherwise=None):
        """A semiring whose kernels the system's C compiler makes, as fast as the predefined ones.

        add        an expression of C in x and y: "max(x, y)", "x + y", "hypot(x, y)"
        multiply   one in a and b, of the left and the right factor
        identity   of add: a number
        terminal   optional: a number that no addition changes, or a condition on x: "x >= 1"
        cache      the folder that keeps what is compiled; nobody else may write it. A program
                   that finds its semirings there needs no compiler
        name       its name in explanations, an identifier of C
        compiler   else the environment variable CC, or cc
        otherwise  optional: (add, multiply) for Semiring.functions where there is no compiler;
                   a warning says so, and explanations

        Expressions call math.h, and min and max. Those of + - * & | ^ and min alone (max too, of
        floats), over types of 4 and 8 bytes, get kernels on vectors besides."""
        type = type_of(dtype)
        if not re.fullmatch(r"[A-Za-z]\w*", name, re.ASCII):
            raise InvalidValue(f"name is {name!r}, but must be an identifier of C")
        source = _source(type, name, add, multiply, identity, terminal)
        command = shlex.split(compiler or os.environ.get("CC") or "cc")
        folder = _private(cache)
        made = folder / f"{name}-{_key(source)}.so"
        if not made.exists():
            if shutil.which(command[0]) is None:
                why = f"there is no C compiler {command[0]!r}"
                if otherwise is None:
                    raise Error(f"{why} to compile {name!r}, and {cache} does not have it; install "
                                "one, or pass otherwise=(add, multiply) as functions")
                warnings.warn(f"{name!r} is called through pointers: {why}", RuntimeWarning, 2)
                bound = None if isinstance(terminal, str) else terminal
                return cls.functions(type.dtype, *otherwise, identity, bound,
                                     name=f"{name}, no compiler {command[0]!r}")
            _build(command, source, made, f"add {add!r}, multiply {multiply!r}")
        try:
            code = ffi.dlopen(str(made))
        except OSError as why:
            raise Error(f"{made} cannot be loaded: {why}") from None
        _kept.append(code)
        table = code.gblite_python_semiring()
        return cls._of(type, name, "compiled",
                       lambda box: lib.gbl_Semiring_compiled(box, type.handle, table))

    @classmethod
    def functions(cls, dtype, add, multiply, identity, terminal=None, name="own"):
        """A semiring of functions, called for each product: functions of two numbers that numba
        compiles, numba's cfunc of pointers (z, x, y), the addresses of such functions of C
        (gbl_binary_function), or names of operators."""
        type, made = type_of(dtype), []

        def make(box):
            plus, times = (_operator(f, type, made) for f in (add, multiply))
            monoid = ffi.new("gbl_Monoid *")
            kind = "new" if terminal is None else "new_terminal"
            values = [number(x, type) for x in (identity, terminal) if x is not None]
            check(getattr(lib, f"gbl_Monoid_{kind}_{type.name}")(monoid, plus, *values))
            made.append((lib.gbl_Monoid_free, monoid))
            return lib.gbl_Semiring_new(box, monoid[0], times)

        try:
            ring = cls._of(type, name, "functions", make)
            check(lib.gbl_Semiring_set_String(ring._handle, name.encode(), lib.GBL_NAME))
            return ring
        finally:  # the semiring holds its parts
            for free, box in reversed(made):
                free(box)

    def __del__(self):
        box = getattr(self, "_box", None)
        if box is not None:
            lib.gbl_Semiring_free(box)

    @property
    def dtype(self):
        """numpy's dtype of the values."""
        return self.type.dtype

    def __repr__(self):
        return f"<gblite.Semiring {self.name}, {self.dtype}, {self._how}>"


# -- kernels ---------------------------------------------------------------------------------------


def _literal(value, type):
    """A value of the type as a constant of C."""
    value = number(value, type)
    if type.is_complex:
        return f"__builtin_complex({_real(value['re'])}, {_real(value['im'])})"
    if type.is_float:
        return _real(float(value))
    return f"({int(value)}ull)" if value >= 0 else f"(-{-int(value) - 1}ll - 1)"


def _real(value):
    if math.isfinite(value):
        return f"({value.hex()})"
    return "NAN" if math.isnan(value) else "INFINITY" if value > 0 else "-INFINITY"


def _expression(text, type, what):
    """(the expression as C, whether it works on vectors of values too)"""
    if not isinstance(text, str) or not text.strip():
        raise InvalidValue(f"{what} is {text!r}, but must be an expression of C")
    if "#" in text or "\\" in text:
        raise InvalidValue(f"{what} is {text!r}, but must be one expression")
    text = " ".join(text.split())
    least = r"\bmin\s*\(" if not type.is_float else r"\b(?:min|max)\s*\("
    lanes = type.dtype.itemsize in (4, 8) and not type.is_complex
    lanes = lanes and re.fullmatch(r"[abxy(),\s+*&|^-]*", re.sub(least, "(", text)) is not None
    kind = "F" if type.is_float else "I"
    text = re.sub(r"\bmin\s*\(", f"GBL_LANES_{kind}MIN(", text)
    largest = "GBL_LANES_FMAX" if type.is_float else "gblite_larger"
    return re.sub(r"\bmax\s*\(", f"{largest}(", text), lanes


def _source(type, name, add, multiply, identity, terminal):
    """The file of C that gblite_semiring.h makes the kernels of."""
    plus, lanes = _expression(add, type, "add")
    times, more_lanes = _expression(multiply, type, "multiply")
    lines = ["#include <math.h>", "#include <gblite.h>",
             "#define gblite_larger(x, y) ((x) > (y) ? (x) : (y))",
             f"#define GBL_SEMIRING {name}",
             f"#define GBL_SEMIRING_TYPE {type.c_name}",
             f"#define GBL_SEMIRING_ADD(x, y) ({plus})",
             f"#define GBL_SEMIRING_MULTIPLY(a, b) ({times})",
             f"#define GBL_SEMIRING_IDENTITY {_literal(identity, type)}"]
    if isinstance(terminal, str):
        ends, _ = _expression(terminal, type, "terminal")
    elif terminal is not None:
        ends = f"(x) == ({type.c_name}){_literal(terminal, type)}"
    if terminal is not None:
        lines.append(f"#define GBL_SEMIRING_TERMINAL(x) ({ends})")
    if lanes and more_lanes:
        lines.append("#define GBL_SEMIRING_LANES 1")
    lines += ["#include <gblite_semiring.h>",
              '__attribute__((visibility("default")))',
              "const gbl_CompiledSemiring *gblite_python_semiring(void);",
              "const gbl_CompiledSemiring *gblite_python_semiring(void) {",
              f"    return &{name};", "}", ""]
    return "\n".join(lines)


def _flags():
    """Kernels for the set that the library uses here."""
    facts = ffi.new("gbl_MachineFacts *", {"size": ffi.sizeof("gbl_MachineFacts")})
    check(lib.gbl_machine(facts))
    return [*_FLAGS, *_SETS.get(ffi.string(facts.isa).decode(), ["-march=native"])]


@functools.lru_cache(maxsize=None)
def _headers():
    """A digest of all headers, which are the other half of every kernel."""
    digest = hashlib.sha256()
    for folder in _HEADERS:
        for path in sorted([*folder.rglob("*.h"), *folder.rglob("*.def")]):
            digest.update(path.read_bytes())
    return digest.hexdigest()


def _key(source):
    text = "\n".join([source, _headers(), *_flags()])
    return hashlib.sha256(text.encode()).hexdigest()[:20]


def _private(cache):
    """The folder, made where it is missing; code is loaded from it, so nobody else may write it."""
    folder = pathlib.Path(cache).expanduser()
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    status = folder.stat()
    if status.st_uid not in (os.getuid(), 0) or status.st_mode & 0o022:
        raise InvalidValue(f"cache is {str(cache)!r}, which others may write: name a folder of "
                           "your own")
    return folder


def _build(command, source, made, stated):
    """Compiles the source into `made`, as a whole or not at all; `stated`: what the user stated."""
    text = made.with_suffix(".c")
    descriptor, name = tempfile.mkstemp(".so", dir=made.parent)
    os.close(descriptor)
    try:
        text.write_text(source)
        folders = [f"-I{folder}" for folder in _HEADERS]
        run = subprocess.run([*command, *_flags(), *folders, str(text), "-o", name, "-lm"],
                             capture_output=True, text=True)
        if run.returncode != 0:
            raise Error(f"{shlex.join(command)} cannot compile the semiring of {stated}:\n"
                        f"{_complaint(run.stderr)}")
        os.replace(name, made)
    finally:
        if os.path.exists(name):
            os.remove(name)


def _complaint(text):
    """The compiler's first errors; where they stand in the headers is nothing to the user."""
    errors = [line for line in text.splitlines() if "error:" in line]
    return "\n".join(errors[:3] or text.splitlines()[:3])


# -- functions -------------------------------------------------------------------------------------


def _operator(f, type, made):
    """The gbl_BinaryOp of a function or of a name; what is to be freed goes to `made`."""
    if isinstance(f, str):
        handle, result = algebra.binary(f, type)
        if result is not type:
            raise InvalidValue(f"{f!r} of {type.dtype} gives {result.dtype}: no operator of a "
                               "semiring of one type")
        return handle
    box = ffi.new("gbl_BinaryOp *")
    call = ffi.cast("gbl_binary_function", _address(f, type))
    check(lib.gbl_BinaryOp_new(box, call, type.handle, type.handle, type.handle))
    made.append((lib.gbl_BinaryOp_free, box))
    return box[0]


def _address(f, type):
    if isinstance(f, int):
        return f
    if isinstance(f, ffi.CData):
        _kept.append(f)
        return int(ffi.cast("uintptr_t", f))
    if not callable(f):
        raise InvalidValue(f"{f!r} is no function, no address and no name of an operator")
    try:
        import numba
    except ImportError:
        raise InvalidValue(f"{f!r} needs numba, which is not installed; pass the address of a "
                           "function of C, or compile expressions by Semiring.compile") from None
    value = numba.types.CPointer(numba.from_dtype(type.dtype))
    signature = numba.types.void(value, value, value)
    own = getattr(f, "_sig", None)  # of a cfunc
    if own is None or own.return_type != numba.types.void or len(own.args) != 3:
        # a function of two numbers, jitted or not
        scalar = f if hasattr(f, "py_func") else numba.njit(getattr(f, "__wrapped__", f))

        def through_pointers(z, x, y):
            z[0] = scalar(x[0], y[0])

        f = numba.cfunc(signature)(through_pointers)
    _kept.append(f)
    return f.address
