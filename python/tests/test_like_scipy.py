# SPDX-License-Identifier: Apache-2.0
"""Matrices do what arrays of scipy and numpy do when they are asked in the same words."""
import copy
import pickle

import numpy as np
import pytest
import scipy.sparse
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


@pytest.mark.parametrize("dtype", ["bool", "int8", "float64", "complex64"])
@pytest.mark.parametrize("turned", [False, True])
def test_entries_that_truth_values_choose(dtype, turned):
    S = random_sparse(40, 30, 0.3, "int8")
    big = S > 50
    S = S.astype(dtype)
    M = gb.Matrix(S.T.tocsr()).T if turned else gb.Matrix(S)
    D = S.toarray()
    everywhere = random_sparse(40, 30, 0.2, "bool", seed=9)
    for mask in (big, everywhere, scipy.sparse.csr_array(D.shape, dtype=bool)):
        at = mask.toarray()
        ours = gb.Matrix(mask)
        if mask.nnz > 0:
            ours[int(mask.nonzero()[0][0]), int(mask.nonzero()[1][0])] = False  # an entry
            at = ours.to_numpy()
        for key in (ours, gb.Matrix(ours.T.copy()).T, ours.to_scipy(), ours.to_scipy("coo"), at):
            assert M[key].dtype == dtype and np.array_equal(M[key], D[at])
            for value in (1, np.float64(0), np.array(1), np.arange(at.sum()) % 2, [1],
                          (np.arange(at.sum()) % 2).astype(dtype).tolist()):
                own, expected = M.copy(), D.copy()
                own[key] = value
                expected[at] = value
                assert np.array_equal(own.to_numpy(), expected) and own.dtype == dtype
                assert own.nvals == len(np.union1d(np.flatnonzero(D), np.flatnonzero(at)))
    own = M.copy()
    if dtype in ("int8", "float64"):
        own[own > 50] = 50
        assert np.array_equal(own.to_numpy(), np.minimum(D, 50))
    own[big] = own
    assert own.isequal(own.copy())
    for key in (S.astype("float32"), gb.Matrix((3, 3), dtype=bool), np.ones((4, 4), bool)):
        for call in (lambda: M[key], lambda: own.__setitem__(key, 1)):
            with pytest.raises(IndexError, match="truth values of the shape"):
                call()
    with pytest.raises(ValueError, match="positions are chosen"):
        own[big] = np.ones(3)


def test_entries_of_huge_matrices_that_truth_values_choose():
    M = gb.Matrix(([1.0, 7, 8], ([5, 2**40, 2**41], [0, 2**45, 7])), (2**50, 2**50))
    assert M[M > 5].tolist() == [7, 8] and M[M != 0].tolist() == [1, 7, 8]
    other = gb.Matrix(([True, True], ([5, 6], [0, 0])), M.shape)
    assert M[other].tolist() == [1, 0]
    M[M > 5] = 3
    M[other] = [5, 6]
    assert M.sum() == 17 and M[6, 0] == 6
    with pytest.raises(IndexError, match="by float64 of the shape"):
        M[M]


@pytest.mark.parametrize("dtype", ["int8", "float64"])
def test_axes_are_those_of_numpy(dtype):
    D = random_sparse(7, 5, 0.5, dtype).toarray()
    for M, of in ((gb.Matrix(D), D), (gb.Matrix(D).T, D.T)):
        for axis in (None, 0, 1, -1, -2, np.int8(1), (0,), (1,), (-1,), (0, 1), (1, -2)):
            for name in ("sum", "mean", "max", "min"):
                found, expected = getattr(M, name)(axis=axis), getattr(of, name)(axis=axis)
                assert np.allclose(found, expected) and np.shape(found) == np.shape(expected)
            assert np.array_equal(M.count_nonzero(axis), np.count_nonzero(of, axis))
        for axis in (2, -3, (0, 0), (1, -1), (0, 2), (), ((0, 1), 0)):
            for name in ("sum", "mean", "max", "min", "count_nonzero"):
                with pytest.raises(ValueError, match="axis is"):
                    getattr(M, name)(axis=axis)
        for axis in ("a", 0.5, [0], {}):
            with pytest.raises(TypeError, match="axis is"):
                M.sum(axis=axis)


@pytest.mark.parametrize("dtype", ["bool", "int16", "float64", "complex128"])
def test_dense_arrays_are_written_as_scipy_does(dtype):
    S = random_sparse(40, 30, 0.2, "int8").astype(dtype)
    D = S.toarray()
    huge = np.full((80, 60), 1, dtype)
    for M in (gb.Matrix(S), gb.Matrix(S.tocsc()), gb.Matrix(S.T.tocsr()).T):
        for order in (None, "C", "F"):
            found = M.toarray(order)
            assert np.array_equal(found, D)
            assert found.flags.f_contiguous if order == "F" else found.flags.c_contiguous
        for out in (np.ones(D.shape, dtype), np.ones(D.shape, dtype, order="F"), huge[::2, ::2],
                    huge[40:, 30:]):
            assert M.toarray(out=out) is out and np.array_equal(out, D)
        assert huge[1::2, :30].all() and huge[1:40:2].all()
        assert np.array_equal(M.toarray(fill=1), np.where(D == 0, np.ones((), dtype), D))
        for out in (np.ones((30, 40), dtype), np.ones(D.shape, "float32")):
            before = out.copy()
            with pytest.raises(ValueError, match="out is"):
                M.toarray(out=out)
            assert np.array_equal(out, before)
        out = np.ones(D.shape, dtype)
        out.flags.writeable = False
        with pytest.raises(ValueError):
            M.toarray(out=out)
        assert out.all()
        with pytest.raises(ValueError, match="order"):
            M.toarray("F", np.ones(D.shape, dtype))
        with pytest.raises(ValueError, match="order is 'X'"):
            M.todense(order="X")


@pytest.mark.parametrize("dtype", ["bool", "int8", "float64", "complex64"])
def test_sparse_rows_and_columns_are_stretched(dtype):
    S = random_sparse(12, 9, 0.4, "int8").astype(dtype)
    row, column, one = S[[3]], S[:, [2]], S[[3]][:, [int(S[[3]].indices[0])]]
    for M in (gb.Matrix(S), gb.Matrix(S.T.tocsr()).T):
        for other in (row, column, one, row.astype("float64"), S, one * 0):
            D, E = S.toarray(), other.toarray()
            expected = D * E
            for L, R in ((M, other), (M, gb.Matrix(other)), (gb.Matrix(other), M),
                         (M, gb.Matrix(other.T.tocsr()).T)):
                found = L.multiply(R)
                assert found.dtype == expected.dtype and np.array_equal(found.to_numpy(), expected)
            assert np.array_equal((M * other).to_numpy(), expected)
    outer = row.toarray() * column.toarray()
    for L, R in ((row, column), (column, row)):
        assert np.array_equal((gb.Matrix(L) * gb.Matrix(R)).to_numpy(), outer)
        assert (gb.Matrix(L) * gb.Matrix(R)).dtype == outer.dtype
    v = gb.Matrix(row)[0]
    assert np.array_equal((M * v).to_numpy(), D * row.toarray())
    assert np.array_equal((v * M).to_numpy(), D * row.toarray())
    assert np.array_equal((M * [2] * list(range(9))).to_numpy(), D * [2] * list(range(9)))
    for wrong in (S[[1, 2]], S[:, [1, 2]], v[[0, 1]], [1, 2]):
        with pytest.raises(ValueError):
            M * wrong


def test_arrays_that_are_added_are_broadcast():
    S = random_sparse(12, 9, 0.4)
    M, D, row = gb.Matrix(S), S.toarray(), np.arange(9.0)
    for array in (row, row[None, :], np.ones((12, 1)), np.ones((12, 9)), np.ones(1)):
        assert np.array_equal((M + array).to_numpy(), D + array)
        assert np.array_equal((array + M).to_numpy(), D + array)
        assert np.array_equal((M - array).to_numpy(), D - array)
        assert np.array_equal((array - M).to_numpy(), array - D)
    with pytest.raises(ValueError, match="broadcast"):
        M + np.ones(12)
    masked = np.ma.MaskedArray(D, D > 50)
    assert np.array_equal((M + masked).to_numpy(), D + np.where(D > 50, 0, D))


def test_errors_are_of_the_classes_that_scipy_raises():
    M = gb.Matrix(random_sparse(4, 3, 0.5))
    for call in (lambda: M + 1, lambda: 1 - M, lambda: M - 2.0, lambda: M**0, lambda: M ** -1,
                 lambda: np.cos(M), lambda: M.maximum(1), lambda: 1 / M):
        with pytest.raises(NotImplementedError):
            call()
        with pytest.raises(gb.NotSparse):
            call()
    for call in (lambda: M**"a", lambda: M**M, lambda: M @ "rmat:4:4", lambda: M + "rmat:4:4",
                 lambda: M.dot(b"a"), lambda: gb.Matrix(None), lambda: gb.Matrix({1: 2})):
        with pytest.raises(TypeError):
            call()
    for call in (lambda: M[[True]], lambda: M[9], lambda: M[0, -4]):
        with pytest.raises(IndexError):
            call()
    for call in (lambda: M[0.0, 1], lambda: gb.Matrix(([1], ([5], [0])), (2, 2)),
                 lambda: gb.Matrix(([1], ([0], [-1])), (2, 2)), lambda: gb.Matrix(5.0),
                 lambda: M < gb.Matrix((3, 4))):
        with pytest.raises(ValueError):
            call()


@pytest.mark.parametrize("dtype", ["bool", "int16", "float32", "complex128"])
def test_diagonals_of_every_kind(dtype):
    S = random_sparse(130, 90, 0.3, "int8").astype(dtype).tolil()
    S[5], S[70] = np.ones(90), np.zeros(90)
    S = S.tocsr()
    S.eliminate_zeros()
    one = gb.Matrix.from_edges(*S.nonzero(), n=130).astype(dtype)
    for M in (gb.Matrix(S), gb.Matrix(S.tocsc()), gb.Matrix(S.T.tocsr()).T, one, one.T):
        D = M.to_numpy()
        for k in (0, 1, -1, 5, -70, 89, -129, 129, 130, -130, 10**6):
            found, expected = M.diagonal(k), D.diagonal(k)
            assert found.dtype == dtype and np.array_equal(found.to_numpy(), expected)
            assert found.nvals == np.count_nonzero(expected)
    huge = gb.Matrix(([3, 4], ([2**40, 5], [2**40 + 1, 6])), (2**50, 2**50))
    assert huge.diagonal(1).nvals == 2 and huge.diagonal(1)[2**40] == 3
