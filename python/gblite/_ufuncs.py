# SPDX-License-Identifier: Apache-2.0
"""numpy's functions of matrices and vectors: np.sqrt(A), np.add(A, B), array @ A, array += A."""
import numpy as np

from gblite._library import NotSparse

# function: the method for an operand on the left, and for one on the right of something else.
_OPERATORS = {np.add: "add", np.subtract: "sub", np.multiply: "mul", np.true_divide: "truediv",
              np.matmul: "matmul"}
_METHODS = {function: (f"__{name}__", f"__r{name}__") for function, name in _OPERATORS.items()}
_METHODS.update({
    np.less: ("__lt__", "__gt__"), np.less_equal: ("__le__", "__ge__"),
    np.greater: ("__gt__", "__lt__"), np.greater_equal: ("__ge__", "__le__"),
    np.equal: ("__eq__", "__eq__"), np.not_equal: ("__ne__", "__ne__"),
    np.maximum: ("maximum", "maximum"), np.minimum: ("minimum", "minimum"),
    np.power: ("power", "none"),
})
_UNARY = {np.negative: "__neg__", np.absolute: "__abs__", np.conjugate: "conj"}


class Ufuncs:
    """What numpy asks before it makes arrays of operands."""

    __slots__ = ()

    def __array_ufunc__(self, function, method, *operands, out=None, **options):
        if method != "__call__" or options:
            return NotImplemented
        found = self._unary(function) if len(operands) == 1 else self._binary(function, operands)
        if found is NotImplemented or out is None:
            return found
        if len(out) != 1 or not isinstance(out[0], np.ndarray):
            return NotImplemented
        found = found.to_numpy() if isinstance(found, Ufuncs) else found
        if found.shape != out[0].shape:
            raise ValueError(f"out is {out[0].shape}, but must be {found.shape}")
        np.copyto(out[0], found, "same_kind")
        return out[0]

    def _unary(self, function):
        if function in _UNARY and hasattr(self, _UNARY[function]):
            return getattr(self, _UNARY[function])()
        if function.nin != 1 or function.nout != 1 or function.signature is not None:
            return NotImplemented
        with np.errstate(all="ignore"):
            of_zero = function(self.dtype.type(0))
        if of_zero != 0:
            raise NotSparse(f"{function.__name__} of what is not stored is {of_zero} and would "
                            "fill every position: use to_numpy() for that")
        return self._map(lambda values, out=None: function(values, out=out))

    def _binary(self, function, operands):
        left, right = operands
        on_left = isinstance(left, Ufuncs)
        name = _METHODS.get(function, ("none", "none"))[not on_left]
        call = getattr(left if on_left else right, name, None)
        return NotImplemented if call is None else call(right if on_left else left)
