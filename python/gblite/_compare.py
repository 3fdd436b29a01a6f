# SPDX-License-Identifier: Apache-2.0
"""Comparisons of matrices and vectors, entry by entry."""
import numpy as np

from gblite._library import ShapeError


class Comparisons:
    """What is not stored counts as 0, as in scipy; the result has entries where it is True."""

    __slots__ = ()

    def __eq__(self, other):
        return self._compare(other, "==", np.equal)

    def __ne__(self, other):
        return self._compare(other, "!=", np.not_equal)

    def __lt__(self, other):
        return self._compare(other, "<", np.less)

    def __le__(self, other):
        return self._compare(other, "<=", np.less_equal)

    def __gt__(self, other):
        return self._compare(other, ">", np.greater)

    def __ge__(self, other):
        return self._compare(other, ">=", np.greater_equal)

    def _compare(self, other, op, function):
        """True where it holds, what is not stored counting as 0, as in scipy; no other entries."""
        if isinstance(other, np.ndarray) and other.ndim > 0:
            return function(self.to_numpy(), other)
        if np.isscalar(other) or isinstance(other, np.ndarray):
            other, found = other[()] if isinstance(other, np.ndarray) else other, self
            if isinstance(other, str):
                return NotImplemented
            found = self.apply(op, right=other)
        elif isinstance(other, (Comparisons, list)) or hasattr(other, "tocoo"):
            other = self._coerce(other)
            if self.shape != other.shape:
                raise ShapeError(f"shapes {self.shape} and {other.shape} are not the same")
            found = None if function(0, 0) else self._merged(other, op)
            if found is not None:
                return found
            found = self._union(other, op)
            other = 0
        else:
            return NotImplemented
        if function(0, other):  # so it does wherever nothing is stored
            absent = found.apply("one").assign(True, mask=found, structure=True, complement=True,
                                               replace=True)
            found = found.ewise_add(absent, "lor")
        return found.select("!=", 0)
