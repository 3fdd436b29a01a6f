# SPDX-License-Identifier: Apache-2.0
"""numpy's functions of matrices and vectors, and numbers of numpy beside them."""
import numpy as np
import pytest
from conftest import random_sparse

import gblite as gb

UNARY = [np.sqrt, np.sin, np.tan, np.arctan, np.tanh, np.expm1, np.log1p, np.floor, np.ceil,
         np.rint, np.trunc, np.sign, np.square, np.deg2rad, np.negative, np.absolute,
         np.conjugate, np.fabs, np.isnan]
BINARY = [np.add, np.subtract, np.multiply, np.matmul, np.maximum, np.minimum, np.less,
          np.greater_equal, np.equal, np.not_equal]


@pytest.fixture
def S():
    return random_sparse(30, 30, 0.2)


@pytest.mark.parametrize("function", UNARY)
def test_of_one(S, function):
    dense, A = S.toarray(), gb.Matrix(S)
    for made, expected in ((function(A), function(dense)), (function(A.T), function(dense.T)),
                           (function(gb.Vector(dense[0])), function(dense[0]))):
        assert isinstance(made, (gb.Matrix, gb.Vector)) and made.dtype == expected.dtype
        assert np.allclose(made.to_numpy(), expected)


@pytest.mark.parametrize("function", BINARY)
@pytest.mark.parametrize("sides", ["both", "left", "right"])
def test_of_two(S, function, sides):
    a, b = S.toarray(), random_sparse(30, 30, 0.3, seed=4).toarray()
    left = a if sides == "right" else gb.Matrix(a)
    right = b if sides == "left" else gb.Matrix(b)
    made, expected = function(left, right), function(a, b)
    assert made.dtype == expected.dtype
    assert np.allclose(made.to_numpy() if isinstance(made, gb.Matrix) else made, expected)


def test_of_vectors_and_numbers(S):
    A, dense, x = gb.Matrix(S), S.toarray(), np.arange(30.0)
    assert np.allclose(np.matmul(A, x), dense @ x) and np.allclose(np.matmul(x, A), x @ dense)
    assert np.allclose(np.multiply(2, A).to_numpy(), 2 * dense)
    assert np.allclose(np.true_divide(A, 2).to_numpy(), dense / 2)
    assert np.allclose(np.power(A, 2).to_numpy(), dense**2)
    assert isinstance(np.add(x, gb.Vector(x)), gb.Vector)


def test_results_that_are_written_into_arrays(S):
    A, X = gb.Matrix(S), np.ones((30, 30))
    same = X
    X += A
    X -= 2 * A
    assert X is same and np.allclose(X, 1 - S.toarray())
    assert np.matmul(A, X, out=same) is same
    with pytest.raises(ValueError, match=r"out is \(2, 2\), but must be \(30, 30\)"):
        np.add(A, A, out=np.zeros((2, 2)))


def test_what_would_fill_every_position_is_refused(S):
    with pytest.raises(TypeError, match="exp of what is not stored is 1.0"):
        np.exp(gb.Matrix(S))
    for call in (lambda A: np.add.reduce(A), lambda A: np.logaddexp(A, A), lambda A: np.modf(A),
                 lambda A: np.sqrt(A, where=np.array(True)), lambda A: np.power(2, A)):
        with pytest.raises(TypeError):
            call(gb.Matrix(S))


def test_numbers_of_numpy_promote_as_in_numpy():
    values = np.array([[3, 0], [0, -2]])
    for dtype in ("int8", "int32", "uint16", "float32", "bool"):
        for number in (np.int64(2), np.int8(-1), np.float32(0.5), np.float64(2), np.True_, 2):
            dense = values.astype(dtype)
            made, expected = gb.Matrix(dense) * number, dense * number
            assert made.dtype == expected.dtype and np.allclose(made.to_numpy(), expected)
            assert np.array_equal((gb.Matrix(dense) > abs(number)).to_numpy(), dense > abs(number))


def test_signatures_of_numpy(S):
    A, dense = gb.Matrix(S), S.toarray()
    assert np.isclose(A.trace(2), dense.trace(2)) and np.isclose(A.T.trace(2), dense.T.trace(2))
    assert isinstance(A.transpose(copy=True), gb.Matrix) and np.transpose(A).shape == A.shape[::-1]
    with pytest.raises(ValueError, match="axes are"):
        A.transpose((0, 1))
    assert np.allclose(A.dot(2).to_numpy(), 2 * dense)
    assert np.array_equal(A[..., 1].to_numpy(), dense[:, 1]) and A[...].isequal(A)
    A[0], A[:, 2] = np.arange(30.0), list(range(30, 60))
    dense[0], dense[:, 2] = np.arange(30.0), range(30, 60)
    assert np.array_equal(A.to_numpy(), dense)
    A.resize((4, 5))
    assert np.array_equal(A.to_numpy(), dense[:4, :5])
    with pytest.raises(ValueError, match="shape"):
        A.resize(4)
    assert A.shape == (4, 5)
