# SPDX-License-Identifier: Apache-2.0
"""Operators, monoids and semirings by name, for every type.

Wherever one is wanted a name does: ``A.mxm(B, semiring="min_plus")``, ``A.reduce("max")``,
``A.apply("abs")``, ``A.select("tril")``. The names are those of the C API in lower case; any monoid
and any multiplication make a semiring, ``"max_second"`` as well as ``"plus_times"``.

What is found is kept: looking up a name twice costs a tenth of a microsecond.
"""
import functools

from gblite._library import (INT64, TYPES, DomainError, InvalidValue, check, ffi, lib, type_of,
                             type_of_code)

_kept = functools.lru_cache(maxsize=None)

# Spellings of Python for binary operators and for comparisons with a value.
SYMBOLS = {"+": "plus", "-": "minus", "*": "times", "/": "div", "&": "land", "|": "lor",
           "^": "lxor", "==": "eq", "!=": "ne", "<": "lt", "<=": "le", ">": "gt",
           ">=": "ge"}  # fmt: skip
# The standard's operators that exist for one type alone, and other words for some.
_OF_BOOL = {"lor", "land", "lxor", "lxnor"}
_WORDS = {"pair": "oneb", "neg": "ainv", "inv": "minv", "not": "lnot", "or": "lor", "and": "land"}
_ORDERED = {"min", "max", "lt", "le", "gt", "ge"}
# What arithmetic is on truth values.
_WORDS_OF_BOOL = {"plus": "lor", "max": "lor", "times": "land", "min": "land"}
_POSITIONS = {"tril", "triu", "diag", "offdiag", "colle", "colgt", "rowle", "rowgt"}
_INDICES = {"rowindex", "colindex", "diagindex"}


def _find(*names):
    for name in names:
        try:
            return getattr(lib, name)
        except AttributeError:
            continue
    return None


def _no(kind, name, type, example):
    if type.is_complex and _word(name) in _ORDERED:
        return DomainError(f"{kind} {name!r}: complex numbers have no order; take abs() first")
    return InvalidValue(f"there is no {kind} {name!r} for {type.dtype}; try one like {example}")


def _word(name):
    name = SYMBOLS.get(name, str(name).lower())
    return _WORDS.get(name, name)


def _with_result(handle, kind):
    """(handle, the Type that it gives)"""
    code = ffi.new("int32_t *")
    check(getattr(lib, f"gbl_{kind}_get_INT32")(handle, code, lib.GBL_OUTP_TYPE_CODE))
    return handle, type_of_code(code[0])


def is_sum(name):
    """Whether a monoid adds or multiplies, so that whole numbers outgrow their type."""
    return _word(name) in ("plus", "times")


@_kept
def unary(name, type):
    """(gbl_UnaryOp, the Type it gives) of a name: identity, abs, ainv (neg), minv (inv), one, lnot,
    bnot."""
    word = _word(name).upper()
    found = _find(f"GBL_{word}_{type.name}", f"GBL_{word}")
    if found is None or ffi.typeof(found) is not ffi.typeof("gbl_UnaryOp"):
        raise _no("unary operator", name, type, "'abs', 'neg', 'inv', 'one'")
    return _with_result(found, "UnaryOp")


@_kept
def binary(name, type):
    """(gbl_BinaryOp, the Type it gives) of a name: plus, minus, times, div, min, max, first,
    second, pair, any, eq ... ge, lor, land, lxor, bor, band, bxor, or one of the symbols + - * /
    == != < <= > >=."""
    word = _word(name)
    if word in _OF_BOOL:
        return _with_result(getattr(lib, "GBL_" + word.upper()), "BinaryOp")
    found = _find(f"GBL_{word.upper()}_{type.name}")
    if found is None or ffi.typeof(found) is not ffi.typeof("gbl_BinaryOp"):
        raise _no("binary operator", name, type, "'plus', 'min', 'first', '<='")
    return _with_result(found, "BinaryOp")


@_kept
def monoid(name, type):
    """The gbl_Monoid of this name: plus, times, min, max, any, lor, land, lxor, bor, band, bxor."""
    word = _word(name)
    if word in _OF_BOOL:
        return getattr(lib, f"GBL_{word.upper()}_MONOID_BOOL")
    if type.name == "BOOL":
        word = _WORDS_OF_BOOL.get(word, word)
    found = _find(f"GBL_{word.upper()}_MONOID_{type.name}")
    if found is None:
        raise _no("monoid", name, type, "'plus', 'min', 'max', 'lor'")
    return found


def semiring(name, type):
    """(gbl_Semiring, the Type it gives) of a Semiring, or of a name MONOID_MULTIPLICATION:
    plus_times, min_plus, lor_land, plus_pair, any_secondi ..."""
    if not isinstance(name, str) and hasattr(name, "_handle"):
        return name._handle, name.type
    return _semiring(name, type)


def semirings(part=""):
    """A dict of the predefined semirings whose names have `part`, and the dtypes that each is for.
    Any other monoid and multiplication make one too: "max_second", "plus_min"."""
    found, dtypes = {}, {t.name: t.dtype.name for t in TYPES.values()}
    for constant in dir(lib):
        name, semiring, type = constant.removeprefix("GBL_").partition("_SEMIRING_")
        if semiring and part.lower() in name.lower():
            found.setdefault(name.lower(), []).append(dtypes[type])
    return found


def own_type(semiring, dtype):
    """The Type of dtype; that of a Semiring, of which no other can be asked for."""
    own = getattr(semiring, "type", None)
    if own is not None and dtype is not None and type_of(dtype) is not own:
        raise DomainError(f"{semiring!r} multiplies {semiring.dtype} alone; leave dtype out, and "
                          "convert arrays to gblite.Matrix")
    return type_of(dtype) if own is None else own


@_kept
def _semiring(name, type):
    add, _, multiply = str(name).lower().partition("_")
    if not multiply:
        raise _no("semiring", name, type, "'plus_times', 'min_plus', 'lor_land', 'plus_pair'")
    if type.name == "BOOL":
        add, multiply = _WORDS_OF_BOOL.get(add, add), _WORDS_OF_BOOL.get(multiply, multiply)
    word = f"{add}_{'pair' if multiply == 'oneb' else multiply}".upper()
    found = _find(f"GBL_{word}_SEMIRING_{type.name}")
    if found is None:  # never freed: kept like the predefined ones
        box = ffi.new("gbl_Semiring *")
        check(lib.gbl_Semiring_new(box, monoid(add, type), binary(multiply, type)[0]))
        found = box[0]
    return _with_result(found, "Semiring")


@_kept
def index_unary(name, type):
    """(gbl_IndexUnaryOp, the Type of its y): by position tril, triu, diag, offdiag, rowle, rowgt,
    colle, colgt, rowindex, colindex, diagindex; by value == != < <= > >=."""
    word = _word(name)
    if word in _POSITIONS:
        return getattr(lib, "GBL_" + word.upper()), INT64
    if word in _INDICES:
        return getattr(lib, f"GBL_{word.upper()}_INT64"), INT64
    word = word[5:] if word.startswith("value") else word
    found = _find(f"GBL_VALUE{word.upper()}_{type.name}")
    if found is None:
        raise _no("index-unary operator", name, type, "'tril', 'offdiag', '>', 'rowindex'")
    return found, type


@_kept
def zero(type):
    """A gbl_Scalar of this type, which is never freed."""
    box = ffi.new("gbl_Scalar *")
    check(lib.gbl_Scalar_new(box, type.handle))
    check(lib.gbl_Scalar_setElement_INT8(box[0], 0))
    return box[0]
