# SPDX-License-Identifier: Apache-2.0
"""Arithmetic of matrices and vectors by Python's operators."""
import sys

import numpy as np

from gblite import algebra
from gblite._library import DomainError, NotSparse, ShapeError, promoted

# Where scipy's operators ask numpy what an operand is. What numpy makes no array of does the work
# itself.
_ASKING = {"_matmul_dispatch", "_mul_dispatch", "_multiply_2d_with_broadcasting", "multiply",
           "_divide", "_comparison", "_inequality"}
# Where scipy asks numpy for an array of blocks; each block is read later, by a constructor.
_STACKING = {"hstack", "vstack", "bmat", "_block"}
_FAST = {1: np.positive, 2: np.square, 0.5: np.sqrt}  # powers
_MOST_DENSE = 1 << 27  # bytes of the dense array that scipy's functions get of a matrix


def number_of(operand):
    """The number that an operand is, an array of no dimensions too, or None."""
    if isinstance(operand, np.ndarray) and operand.ndim == 0:
        return operand.item()
    return operand if np.isscalar(operand) and not isinstance(operand, (str, bytes)) else None


def operand_of_scipy(made):
    """An array without dimensions that holds the object, if numpy was called by an operator of
    scipy's arrays, which then leaves it to the object, or where blocks are stacked; else None.
    Large matrices are refused to what is left of scipy.sparse, which would make them dense."""
    frame = sys._getframe(1).f_back
    if frame is None or not frame.f_globals.get("__name__", "").startswith("scipy.sparse."):
        return None
    if frame.f_code.co_name in _STACKING:
        return _held(made)
    while frame.f_back is not None and frame.f_code.co_name in _ASKING:
        frame = frame.f_back
        if frame.f_code.co_name.startswith("__"):
            return _held(made)
    bytes = np.prod(made.shape, dtype=object) * made.dtype.itemsize
    if made.ndim == 2 and bytes > _MOST_DENSE:
        raise DomainError(f"scipy would make a dense array of {bytes} bytes of a gblite.Matrix: "
                          "give it A.tocsr() in place of A")
    return None


def _held(made):
    held = np.empty((), object)
    held[()] = made
    return held


def _multiplies_by_star(S):
    """Whether S is one of scipy's matrices, whose * is the product."""
    old = getattr(sys.modules.get("scipy.sparse"), "spmatrix", ())
    return isinstance(S, old) and not getattr(S, "_is_array", False) and S.ndim == 2


class Arithmetic:
    """+ and - on the union of the patterns, * and / on their intersection."""

    __slots__ = ()

    def __add__(self, other):
        number = number_of(other)
        if number is not None:
            return self._plus_number(number, "+")
        other = self._coerce(self._as_wide(other))
        found = self._merged(other, "+")
        return self.ewise_add(other) if found is None else found

    __radd__ = __add__

    def _plus_number(self, number, symbol):
        if number == 0:
            return self.copy()
        raise NotSparse(
            f"sparse {symbol} number would fill every position: use to_numpy() for that, or "
            f'apply("{algebra.SYMBOLS[symbol]}", right=number) for the entries alone')

    def __sub__(self, other):
        number = number_of(other)
        if number is not None:
            return self._plus_number(number, "-")
        other = self._coerce(self._as_wide(other))
        of = promoted(self.type, other.type)
        if of.name == "BOOL":
            raise DomainError("truth values have no difference; use ewise_add(other, '^'), astype")
        found = self._merged(other, "-")
        return self._union(other, "-") if found is None else found

    def __rsub__(self, other):
        number = number_of(other)
        if number is not None:
            return -self._plus_number(number, "-")
        return self._coerce(self._as_wide(other)) - self

    def __mul__(self, other):
        number = number_of(other)
        if number is not None:
            return self.apply("times", right=number)
        if isinstance(other, list):
            other = np.asarray(other)
        if isinstance(other, np.ndarray):
            return self._scaled(other, np.multiply)
        found = self._stretched(other)
        return self.ewise_mult(other) if found is None else found

    def __rmul__(self, other):
        number = number_of(other)
        if number is not None:
            return self.apply("times", left=number)
        return other @ self if _multiplies_by_star(other) else self * other

    def __truediv__(self, other):
        number = number_of(other)
        if number is None and isinstance(other, np.ndarray):
            return self._scaled(other, np.divide)
        source = self if self.type.is_float else self.astype("float64")
        if number is not None:
            return source.apply("div", right=number)
        return source.ewise_mult(other, "div")

    def __rtruediv__(self, other):
        if number_of(other) is not None:
            raise NotSparse("number / sparse would divide by 0 where nothing is stored: use "
                            'apply("div", left=number) for the entries alone')
        return self._coerce(other) / self

    def _as_wide(self, other):
        """What is added: an array of another shape is broadcast."""
        wide = isinstance(other, np.ndarray) and other.shape != self.shape
        return self._spread(other) if wide else other

    def _spread(self, array):
        """The array broadcast to this shape."""
        try:
            return np.broadcast_to(array, self.shape)
        except ValueError:
            raise ShapeError(f"an array of shape {array.shape} cannot be broadcast to "
                             f"{self.shape}") from None

    def _scaled(self, array, function):
        """The entries, with what an array has at their positions, through a function of numpy;
        the array is broadcast."""
        array = self._spread(array)
        *places, values = self.to_coo()
        return self._of_tuples(function(values, array[tuple(places)]), places)

    def __neg__(self):
        return self.apply("neg")

    def __abs__(self):
        return self.apply("abs")

    def __pow__(self, exponent):
        return self.power(exponent)

    def power(self, exponent):
        """Every value raised to an exponent above 0, as numpy does it."""
        if number_of(exponent) is None:
            raise DomainError(f"the exponent is {exponent!r}, but must be a number above 0")
        if not exponent > 0:
            raise NotSparse(f"the exponent is {exponent}, but must be above 0: powers of what is "
                            "not stored would fill every position")

        plain = {"f": (int, float), "i": (int,), "u": (int,)}.get(self.dtype.kind, ())
        if exponent == 2 and type(exponent) in plain:  # of which the dtype stays
            return self.ewise_mult(self)

        def raised(values, out=None):
            if out is None:
                return values**exponent
            fast = values.dtype == out.dtype and values.dtype.kind in "fc"  # as ** chooses it
            if fast and exponent in _FAST:
                return _FAST[exponent](values, out=out)
            whole = out.dtype.kind in "iu"  # numpy 1 squares truth values by 2.0 too
            number = int(exponent) if whole else exponent
            return np.power(values, number, out=out, dtype=out.dtype)

        return self._map(raised)

    def multiply(self, other):
        """self * other: with a number, or entry by entry."""
        return self * other

    def dot(self, other):
        """self @ other, or self times a number."""
        return self * other if number_of(other) is not None else self @ other
