# SPDX-License-Identifier: Apache-2.0
"""Arithmetic of matrices and vectors by Python's operators."""
import numpy as np

from gblite import algebra
from gblite._library import DomainError, InvalidValue, promoted


class Arithmetic:
    """+ and - on the union of the patterns, * and / on their intersection."""

    __slots__ = ()

    def __add__(self, other):
        if np.isscalar(other):
            raise self._no_number("+")
        other = self._coerce(other)
        found = self._merged(other, "+")
        return self.ewise_add(other) if found is None else found

    __radd__ = __add__

    def _no_number(self, symbol):
        return DomainError(
            f"sparse {symbol} number would fill every position: use to_numpy() for that, or "
            f'apply("{algebra.SYMBOLS[symbol]}", right=number) for the entries alone')

    def __sub__(self, other):
        if np.isscalar(other):
            raise self._no_number("-")
        other = self._coerce(other)
        of = promoted(self.type, other.type)
        if of.name == "BOOL":
            raise DomainError("truth values have no difference; use ewise_add(other, '^'), astype")
        found = self._merged(other, "-")
        return self._union(other, "-") if found is None else found

    def __rsub__(self, other):
        if np.isscalar(other):
            raise self._no_number("-")
        return self._coerce(other) - self

    def __mul__(self, other):
        if np.isscalar(other):
            return self.apply("times", right=other)
        return self.ewise_mult(other)

    def __rmul__(self, other):
        return self.apply("times", left=other)

    def __truediv__(self, other):
        source = self if self.type.is_float else self.astype("float64")
        if np.isscalar(other):
            return source.apply("div", right=other)
        return source.ewise_mult(other, "div")

    def __neg__(self):
        return self.apply("neg")

    def __abs__(self):
        return self.apply("abs")

    def __pow__(self, exponent):
        return self.power(exponent)

    def power(self, exponent):
        """Every value raised to an exponent above 0, as numpy does it."""
        if not np.isscalar(exponent) or not exponent > 0:
            raise InvalidValue(f"the exponent is {exponent}, but must be a number above 0: powers "
                               "of what is not stored would fill every position")
        return self._map(lambda values: values**exponent)

    def multiply(self, other):
        """self * other: with a number, or entry by entry."""
        return self * other

    def dot(self, other):
        """self @ other."""
        return self @ other
