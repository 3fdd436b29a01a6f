# SPDX-License-Identifier: Apache-2.0
"""Operators between gblite's objects and those of scipy and numpy, on either side."""
import operator

import numpy as np
import pytest
import scipy.sparse
from conftest import random_sparse

import gblite as gb

OPERATORS = {"+": operator.add, "-": operator.sub, "*": operator.mul, "==": operator.eq,
             "!=": operator.ne, "<": operator.lt, ">=": operator.ge}
VERSION = tuple(map(int, scipy.__version__.split(".")[:2]))
# What scipy itself does with operands that it does not know, without asking them, before 1.11.
NOT_ASKED = {"*", "==", "!=", "<", ">="} if VERSION < (1, 11) else set()


@pytest.fixture
def S():
    return random_sparse(30, 30, 0.2)


@pytest.mark.parametrize("format", ["csr", "csc", "coo", "lil", "dia", "bsr", "dok"])
@pytest.mark.parametrize("kind", ["array", "matrix"])
@pytest.mark.parametrize("transposed", [False, True])
def test_sparse_operands_of_scipy(S, format, kind, transposed):
    left = getattr(scipy.sparse, f"csr_{kind}")(random_sparse(30, 30, 0.2, seed=3)).asformat(format)
    right = gb.Matrix(S).T if transposed else gb.Matrix(S)
    a, b = left.toarray(), right.to_numpy()
    for made in (left @ right, left * right) if kind == "matrix" else (left @ right,):
        assert isinstance(made, gb.Matrix)
        assert np.allclose(made.to_numpy(), a @ b)
    for symbol, function in OPERATORS.items():
        if symbol not in NOT_ASKED and (symbol != "*" or kind == "array"):
            made = function(left, right)
            assert isinstance(made, gb.Matrix), symbol
            assert np.allclose(made.to_numpy(), function(a, b)), symbol
    ratio = left / right
    both = (a != 0) & (b != 0)
    assert np.allclose(ratio.to_numpy()[both], a[both] / b[both]) and ratio.nvals == both.sum()


def test_scipy_still_makes_arrays_of_matrices(S):
    A = gb.Matrix(S)
    for made in (scipy.sparse.csr_array(A), scipy.sparse.coo_array(A), np.asarray(A)):
        made = made if isinstance(made, np.ndarray) else made.toarray()
        assert np.array_equal(made, S.toarray())


def test_vectors(S):
    x = np.arange(30.0)
    v, A = gb.Vector(x), gb.Matrix(S)
    for made in (S @ v, A @ v):
        assert isinstance(made, gb.Vector) and np.allclose(made.to_numpy(), S @ x)
    assert np.allclose((v @ S).to_numpy(), x @ S)
    assert np.isclose(x @ v, x @ x) and np.isclose(v @ x, x @ x)
    dense = S.toarray()
    assert np.allclose(v @ dense, x @ dense) and np.allclose(dense @ v, dense @ x)
    assert np.allclose((x * v).to_numpy(), x * x) and np.allclose((v / (x + 1)).to_numpy(),
                                                                  x / (x + 1))


@pytest.mark.parametrize("dtype", ["bool", "int8", "int64", "float32", "float64", "complex128"])
def test_dense_arrays_scale_the_entries(dtype):
    S = random_sparse(30, 20, 0.3, dtype)
    A, dense = gb.Matrix(S), S.toarray()
    row, column = np.arange(20.0), np.arange(1.0, 31)[:, None]
    for array in (row, row[None, :], column, np.outer(column, row), np.float64(3), np.array(3.0)):
        turned = A.T * np.broadcast_to(array, A.shape).T
        for made in (A * array, array * A, A.multiply(array), turned.T):
            assert np.allclose(made.to_numpy(), dense * array)
    assert (A * row).nvals == A.nvals  # zeros are kept, as in scipy
    assert np.allclose((A / column).to_numpy(), dense / column)
    assert np.allclose((A / np.array(2)).to_numpy(), dense / 2)
    with pytest.raises(gb.ShapeError, match=r"shape \(7,\) cannot be broadcast"):
        A * np.ones(7)


def test_rows_of_sum_one(S):
    rows = gb.Matrix(abs(S)) / np.maximum(abs(S).sum(axis=1), 1e-9)[:, None]
    assert np.allclose(rows.sum(axis=1), (abs(S).sum(axis=1) > 0))


def test_zero_is_the_number_that_can_be_added(S):
    A, v = gb.Matrix(S), gb.Vector(np.arange(3.0))
    assert sum([A, A, A]).isequal(A * 3)
    assert (A - 0).isequal(A) and (0 - A).isequal(-A) and (v + np.float64(0)).isequal(v)
    for call in (lambda: A + 1, lambda: 1 - A, lambda: v + 2.0, lambda: np.array(1.0) + A):
        with pytest.raises(TypeError, match="fill every position"):
            call()
    with pytest.raises(TypeError, match="divide by 0"):
        2 / A
    for call in (lambda: 2.0 @ A, lambda: A @ 2.0):
        with pytest.raises(ValueError, match=r"\* does by 2.0"):
            call()


def test_methods_of_scipy_that_are_called_by_name_make_arrays(S):
    assert np.allclose(S.multiply(gb.Matrix(S)).toarray(), S.toarray() ** 2)
    assert np.allclose((S.dot(gb.Matrix(S))).to_numpy(), (S @ S).toarray())


def test_functions_of_numpy(S):
    A = gb.Matrix(S)
    assert np.isclose(np.sum(A), S.sum()) and np.max(A) == S.max() and np.min(A) == S.min()
    assert np.allclose(np.mean(A, axis=0), S.mean(axis=0))
    assert np.allclose(np.mean(A, axis=1, dtype="float32"), S.mean(axis=1))
    with pytest.raises(ValueError, match="out="):
        np.sum(A, out=np.zeros(1))


@pytest.mark.parametrize("function", ["max", "min"])
def test_extremes_of_nan_and_of_complex_numbers(S, function):
    S.data[[0, 7]] = np.nan
    for A, B in ((S, gb.Matrix(S)), (S.T, gb.Matrix(S).T), (S.T, gb.Matrix(S.T))):
        for axis in (0, 1):
            expected = getattr(A, function)(axis=axis)
            assert np.array_equal(getattr(B, function)(axis=axis), expected.toarray().ravel(),
                                  equal_nan=True)
    with pytest.raises(TypeError, match="no order"):
        getattr(gb.Matrix(S.astype(complex)), function)()
    with pytest.raises(TypeError, match="no order"):
        gb.Matrix(S.astype(complex)) < gb.Matrix(S)


def test_what_is_not_there_is_told():
    A = gb.Matrix(np.eye(3))
    with pytest.raises(AttributeError, match="'tolil'; gblite.csr_array has"):
        A.tolil()
    with pytest.raises(AttributeError, match="'nonsense'$"):
        A.nonsense
    with pytest.raises(ValueError, match="too many: use tocoo"):
        gb.Matrix((2**40, 2**40)).tocsr()
    with pytest.raises(ValueError, match="arrays of one dimension"):
        gb.Matrix((1, 2, 3))
    with pytest.raises(IndexError, match="select"):
        del A[A > 0]
    assert A[np.array(1), 1] == 1 and A[...].isequal(A) and np.isnan(gb.Matrix((0, 0)).mean())


def test_lists_and_sparse_arrays_of_one_dimension():
    S, x = random_sparse(4, 4, 0.5), [1.0, 2.0, 0.0, 4.0]
    A = gb.Matrix(S)
    assert np.allclose(A @ x, S @ x) and np.allclose(x @ A, x @ S)
    try:
        v = scipy.sparse.coo_array(np.array(x))
    except ValueError:
        pytest.skip("this scipy has no sparse arrays of one dimension")
    if v.ndim != 1:
        pytest.skip("this scipy has no sparse arrays of one dimension")
    w = gb.Vector(v)
    assert (w.size, w.nvals) == (4, 3) and np.array_equal(w.to_numpy(), x)
    for made in (A @ v, A.T.T @ v, S @ w):
        assert np.allclose(made.to_numpy(), S @ x)
    assert np.allclose((v @ A).to_numpy(), x @ S)
    with pytest.raises(ValueError, match="made of csr_array"):
        gb.Vector(S)


def test_masked_arrays_have_entries_where_they_are_not_masked():
    M = np.ma.masked_array([[1.0, 0.0], [3.0, 4.0]], [[True, False], [False, False]])
    A = gb.Matrix(M)
    assert A.nvals == 3 and A[0, 0] is None and A[0, 1] == 0
    assert np.array_equal(A.to_masked().mask, M.mask)


@pytest.mark.parametrize("call, error, text", [
    (lambda A: gb.Matrix.from_edges(["a"], ["b"]), IndexError, "labels=True"),
    (lambda A: gb.Matrix(([1.0], np.array([-1], np.int32), np.array([0, 1], np.int32)), (1, 2)),
     IndexError, "indices are -1 to -1"),
    (lambda A: A.apply("plus", left=1, right=2), ValueError, "one side"),
    (lambda A: gb.topn(A.astype(complex), A, 2), TypeError, "no order"),
    (lambda A: gb.memory_limit(-1).__enter__(), ValueError, "bytes are -1"),
    (lambda A: gb.threads(-1).__enter__(), ValueError, "threads are -1"),
])
def test_messages(call, error, text):
    with pytest.raises(error, match=text):
        call(gb.Matrix(np.eye(2)))


def test_thresholds_between_whole_numbers():
    A = gb.Matrix(np.array([[1, 2], [3, 0]]))
    for threshold in (-0.5, 0.5, 1.0, 1.5, 3.5):
        made = gb.topn(A, gb.Matrix(np.eye(2, dtype=int)), 2, threshold=threshold)
        assert made.nvals == (np.array([1, 2, 3]) > threshold).sum(), threshold
