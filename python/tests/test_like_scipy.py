# SPDX-License-Identifier: Apache-2.0
"""Matrices do what arrays of scipy and numpy do when they are asked in the same words."""
import copy
import pickle

import numpy as np
import pytest
from conftest import DTYPES, random_sparse, same

import gblite as gb


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("op", ["maximum", "minimum"])
def test_the_larger_and_the_smaller_of_every_type(op, dtype):
    D, E = (random_sparse(40, 50, 0.2, dtype, seed=seed).toarray() for seed in (1, 2))
    if D.dtype.kind in "if":
        D, E = (X - 50 * (X != 0).astype(dtype) for X in (D, E))
    found = getattr(gb.Matrix(D), op)(gb.Matrix(E))
    expected = getattr(np, op)(D, E)
    assert found.dtype == dtype and np.array_equal(found.to_numpy(), expected)
    assert found.nvals == np.count_nonzero(expected)
    found = getattr(gb.Matrix(D), op)(gb.Matrix(E).astype("float64"))
    assert found.dtype == np.result_type(dtype, float)
    assert np.array_equal(found.to_numpy(), expected)


@pytest.mark.parametrize("dtype", [np.float32, np.int8, np.uint8, np.int64])
def test_squares_have_the_dtype_that_numpy_gives_them(dtype):
    S = random_sparse(30, 20, 0.2, dtype)
    for exponent in (2, 2.0, np.float64(2), np.int64(2), np.float32(2)):
        expected = S.data**exponent
        for M in (gb.Matrix(S), gb.Matrix(S.T.tocsr()).T):
            found = (M**exponent).to_scipy()
            assert found.dtype == expected.dtype and np.array_equal(found.data, expected)


@pytest.mark.parametrize("shape", [(30, 20), (1, 20), (30, 1), (0, 4), (4, 0)])
def test_arrays_of_every_shape_scale_the_entries(shape):
    S = random_sparse(*shape, 0.3)
    dense, random = S.toarray(), np.random.default_rng(1)
    arrays = [random.random(shape), random.random((1, shape[1])), random.random((shape[0], 1)),
              random.random(shape[::-1]).T, np.float32(3) * np.ones((1, 1), "float32")]
    for M in (gb.Matrix(S), gb.Matrix(S.tocsc()), gb.Matrix(S.T.tocsr()).T):
        for array in arrays:
            found = M * array
            assert found.nvals == S.nnz and found.dtype == np.result_type(S, array)
            assert np.array_equal(found.to_numpy(), dense * array)
            assert np.array_equal((M / array).to_numpy(), dense / array)


@pytest.mark.parametrize("copy", [True, False, None])
@pytest.mark.parametrize("of_pointers, of_indices", [
    ("int32", "int64"), ("int64", "int32"), ("int64", "int64"), ("uint64", "uint32"),
    ("uint16", "int16")])
def test_arrays_with_indices_of_any_type(of_pointers, of_indices, copy):
    S = random_sparse(300, 200, 0.3)
    p, i = S.indptr.astype(of_pointers), S.indices.astype(of_indices)
    M = gb.Matrix((S.data, i, p), S.shape, copy=copy)
    assert same(M, S) and same(gb.Matrix((S.data, i, p), S.shape, "float32", copy),
                               S.astype("float32"))
    swapped = i.copy()
    first = int(np.flatnonzero(np.diff(S.indptr) > 1)[0])
    k = S.indptr[first]
    swapped[k], swapped[k + 1] = i[k + 1], i[k]
    unsorted = S.data.copy()
    unsorted[k], unsorted[k + 1] = S.data[k + 1], S.data[k]
    assert same(gb.Matrix((unsorted, swapped, p), S.shape, copy=copy), S)
    for wrong in (200, 2**14, *((-1,) if of_indices[0] == "i" else ()),
                  *((2**40, -2**40) if of_indices == "int64" else ())):
        swapped[k] = wrong
        with pytest.raises(IndexError, match="200|199"):
            gb.Matrix((S.data, swapped, p), S.shape, copy=copy)
    p[first] = 20000
    with pytest.raises(ValueError):
        gb.Matrix((S.data, i, p), S.shape, copy=copy)


def test_arrays_of_very_wide_matrices():
    for column in (2**31, 2**32 - 1, 2**33 + 7):
        for copy in (True, False):
            M = gb.Matrix(([2.0], np.array([column]), np.array([0, 0, 1])), (2, 2**40), copy=copy)
            assert M[1, column] == 2 and M.nvals == 1


@pytest.mark.parametrize("make", [
    lambda: gb.Matrix("rmat:8:4"), lambda: gb.Matrix(random_sparse(40, 30, 0.2)),
    lambda: gb.Matrix(random_sparse(40, 30, 0.2).tocsc()), lambda: gb.Matrix("er:9:20") * 2.5,
    lambda: gb.Matrix(random_sparse(300, 200, 0.2)), lambda: gb.Vector([1.5, 2.5]),
    lambda: gb.Matrix.new("int8", 3, 4), lambda: gb.Matrix.new("bool", 3, 2**50),
    lambda: gb.Matrix(([1.0, 1], ([2**40, 0], [0, 2**50])), (2**50, 2**51))])
def test_copies_and_pickles_are_of_their_own(make):
    X = make()
    for Y in (copy.copy(X), copy.deepcopy(X), pickle.loads(pickle.dumps(X))):
        assert Y.isequal(X) and Y.dtype == X.dtype and Y.shape == X.shape
        Y.clear()
        assert X.isequal(make())


@pytest.mark.parametrize("dtype", [*DTYPES, "complex64"])
def test_pickles_keep_the_type(dtype):
    M = gb.Matrix(random_sparse(200, 300, 0.2, "int8").astype(dtype))
    assert pickle.loads(pickle.dumps(M)).isequal(M)


def test_entries_that_are_zero_are_not_counted():
    S = random_sparse(40, 30, 0.2)
    S.data[::3] = 0
    dense = S.toarray()
    for M in (gb.Matrix(S), gb.Matrix(S.tocsc()), gb.Matrix(S.T.tocsr()).T,
              gb.Matrix(S[:, :0]), gb.Matrix.from_edges([0, 2], [1, 0])):
        expected = M.to_numpy()
        assert M.count_nonzero() == np.count_nonzero(expected)
        for axis in (0, 1, -1):
            assert np.array_equal(M.count_nonzero(axis), np.count_nonzero(expected, axis))
        for ours, theirs in zip(M.nonzero(), np.nonzero(expected)):
            assert np.array_equal(ours, theirs)
    assert gb.Matrix(S).count_nonzero() == np.count_nonzero(dense) < S.nnz


def test_extremes_and_sums_of_huge_shapes():
    for shape in ((2**50, 2**51), (2**40, 3), (5, 2**45), (10**7, 10**7)):
        M = gb.Matrix(([2.0, -3.0], ([4, 2], [0, 2])), shape)
        assert (M.max(), M.min(), M.sum(), M.count_nonzero()) == (2, -3, -1, 2)
        assert [part.tolist() for part in M.nonzero()] == [[2, 4], [2, 0]]
        assert M.maximum(gb.Matrix(-M)).sum() == 5


@pytest.mark.parametrize("dtype", ["bool", "int16", "float32", "float64", "complex128"])
def test_rows_that_are_picked(dtype):
    random = np.random.default_rng(3)
    S = random_sparse(300, 200, 0.03, "int8").astype(dtype).tolil()
    S[7] = S[299] = np.ones(200)
    S[8] = S[0] = np.zeros(200)
    S = S.tocsr()
    S.eliminate_zeros()
    M, one = gb.Matrix(S), gb.Matrix.from_edges(*S.nonzero(), n=300).astype(dtype)
    ones = one.to_numpy()
    for rows in (slice(3, 250), slice(None, None, -1), slice(290, 3, -7), slice(5, 5), [], [299],
                 [-1, 0, 7, 7, 299, 8], random.integers(0, 300, 2000), random.random(300) < 0.4):
        for found, expected in ((M[rows], S[rows].toarray()), (one[rows], ones[rows]),
                                (M.T.copy()[:, rows].T, S[rows].toarray())):
            assert found.shape == expected.shape and found.dtype == dtype
            assert np.array_equal(found.to_numpy(), expected)
            assert found.nvals == np.count_nonzero(expected)
    M[4, 5] = 1  # an update that waits
    assert M[[4, 4]].to_numpy().tolist() == [M.to_numpy()[4].tolist()] * 2
    with pytest.raises(IndexError):
        M[[0, 300]]
    huge = gb.Matrix(([1, 2], ([5, 2**40], [0, 2**45])), (2**50, 2**50))
    assert huge[[2**40, 5, 7]].nvals == 2
