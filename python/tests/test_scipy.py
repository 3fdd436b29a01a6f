# SPDX-License-Identifier: Apache-2.0
"""gblite in scipy's place: over types and formats the results are scipy's own."""
import pickle

import numpy as np
import pytest
import scipy.sparse
from conftest import DTYPES, random_sparse

import gblite.scipy


def equal(ours, theirs):
    theirs.sort_indices()
    ours.sort_indices()
    assert type(ours) is type(theirs) and ours.shape == theirs.shape
    assert ours.dtype == theirs.dtype and ours.indices.dtype == theirs.indices.dtype
    assert np.array_equal(ours.indptr, theirs.indptr)
    assert np.array_equal(ours.indices, theirs.indices)
    if ours.dtype.kind == "f":
        assert np.allclose(ours.data, theirs.data, rtol=1e-6)
    else:
        assert np.array_equal(ours.data, theirs.data)


@pytest.mark.parametrize("left", DTYPES + ["complex128"])
@pytest.mark.parametrize("right", DTYPES)
def test_types(left, right):
    A, B = random_sparse(40, 50, 0.2, left), random_sparse(50, 30, 0.2, right, seed=2)
    equal(gblite.scipy.matmul(A, B), A @ B)
    with gblite.scipy.accelerate(least=0):
        ours = A @ B
    equal(ours, A @ B)


@pytest.mark.parametrize("left", ["csr", "csc", "coo", "lil", "bsr", "dia", "dok"])
@pytest.mark.parametrize("right", ["csr", "csc", "coo", "lil", "bsr", "dia", "dok"])
@pytest.mark.parametrize("kind", ["array", "matrix"])
def test_formats(left, right, kind):
    make = getattr(scipy.sparse, f"csr_{kind}")
    A = make(random_sparse(40, 50, 0.2)).asformat(left)
    B = make(random_sparse(50, 30, 0.2, seed=2)).asformat(right)
    with gblite.scipy.accelerate(least=0):
        ours = A @ B
    theirs = A @ B
    assert ours.format == theirs.format
    equal(ours.asformat("csr"), theirs.asformat("csr"))


def test_sums_that_cancel_are_as_in_scipy():
    A = scipy.sparse.csr_array(np.array([[1.0, 1.0], [0.0, 2.0]]))
    B = scipy.sparse.csr_array(np.array([[1.0, 2.0], [-1.0, 3.0]]))
    equal(gblite.scipy.matmul(A, B), A @ B)


def test_unsorted_factors_and_duplicates():
    A = random_sparse(60, 60, 0.2)
    for row in range(60):  # back to front
        part = slice(A.indptr[row], A.indptr[row + 1])
        A.indices[part], A.data[part] = A.indices[part][::-1].copy(), A.data[part][::-1].copy()
    A.has_sorted_indices = False
    equal(gblite.scipy.matmul(A, A), A @ A)
    D = scipy.sparse.csr_array(([1.0, 2.0, 4.0], [1, 1, 0], [0, 2, 3]), shape=(2, 2))
    equal(gblite.scipy.matmul(D, D), D @ D)


def test_what_is_left_to_scipy_is_told():
    told = []
    A = random_sparse(40, 40, 0.2, "longdouble")
    with gblite.scipy.accelerate(least=0, report=told.append):
        C = A @ A
    assert len(told) == 1 and str(A.dtype) in told[0]
    assert np.allclose(C.toarray(), (A @ A).toarray())
    with gblite.scipy.accelerate(report=told.append), pytest.raises(ValueError):
        A @ random_sparse(50, 50, 0.1)


def test_products_that_scipy_does_as_fast_are_left_to_it():
    told = []
    short, long = random_sparse(20_000, 20_000, 1e-4), random_sparse(300, 300, 0.3)
    short = scipy.sparse.csr_array(scipy.sparse.spdiags(  # near the diagonal
        [short.data[:20_000]] * 3, [-1, 0, 1], *short.shape))
    with gblite.threads(1), gblite.scipy.accelerate(report=told.append):
        near, far = short @ short, long @ long
        mixed = short.tocsc().T @ short.T
    assert len(told) == 2 and all("short" in text for text in told)
    equal(near, short @ short)
    equal(far, long @ long)
    assert (mixed.format, mixed.shape) == ("csr", short.shape)
    with gblite.threads(1), gblite.scipy.accelerate(least=0, report=told.append):
        equal(short @ short, near)
    assert len(told) == 2


def test_predictions_trust_no_array():
    A = random_sparse(300, 300, 0.3)
    A.indices = A.indices + np.int32(1 << 30)
    assert gblite.scipy._predicted.gain(A, A) < 1
    A.indptr = A.indptr[::-1].copy()
    assert gblite.scipy._predicted.gain(A, A) < 1


@pytest.mark.parametrize("formats", [("csr", "csc"), ("csc", "csr")])
def test_long_rows_of_two_formats(formats):
    A, B = (random_sparse(90, 90, 0.4, format=format) for format in formats)
    with gblite.scipy.accelerate(least=0):
        ours = A @ B
    assert ours.format == (A @ B).format
    equal(ours.tocsr(), (A @ B).tocsr())
    assert np.array_equal(A.dot(B).toarray(), gblite.csr_array(A).dot(B, explain=False).toarray())


def test_the_method_comes_back():
    def methods():
        return [gblite.scipy._PARENT.__dict__[name] for name in gblite.scipy._FAST]

    before = methods()
    with pytest.raises(ZeroDivisionError), gblite.scipy.accelerate():
        1 / 0
    assert methods() == before
    first, second = gblite.scipy.accelerate().start(), gblite.scipy.accelerate(least=0).start()
    first.stop()  # in any order
    assert methods() != before and gblite.scipy._open == [second]
    second.stop()
    assert methods() == before


def test_one_dimension_is_scipys():
    A = random_sparse(40, 50, 0.2, format="csc")
    try:
        v = scipy.sparse.coo_array(np.arange(50.0))
        expected = A @ v
    except ValueError:
        pytest.skip("this scipy has no sparse arrays of one dimension")
    if expected.ndim != 1:
        pytest.skip("this scipy has no sparse arrays of one dimension")
    with gblite.scipy.accelerate(least=0):
        assert np.allclose((A @ v).toarray(), expected.toarray())


@pytest.mark.parametrize("format", ["csr", "csc"])
@pytest.mark.parametrize("dtype", DTYPES)
def test_dense_factors(format, dtype):
    A = random_sparse(60, 50, 0.05, dtype, format)
    D = np.random.default_rng(1).integers(0, 9, (50, 21)).astype("int16")
    told = []
    with gblite.scipy.accelerate(least=0, report=told.append):
        ours, from_fortran = A @ D, A @ np.asfortranarray(D)
    assert not told
    assert np.allclose(ours, A @ D) and ours.dtype == (A @ D).dtype
    assert np.array_equal(ours, from_fortran)


@pytest.mark.parametrize("kind", [gblite.csr_array, gblite.csc_array])
@pytest.mark.parametrize("dtype", DTYPES + ["complex128"])
def test_conversions_and_extremes(kind, dtype):
    S = random_sparse(500, 300, 0.2, dtype, kind.__name__[:3])
    if np.dtype(dtype).kind in "if":
        S.data[::3] *= -1
    A, scipys = kind(S), getattr(scipy.sparse, kind.__name__)(S)
    for name in ("tocsr", "tocsc"):
        ours, theirs = getattr(A, name)(), getattr(scipys, name)()
        assert ours.format == theirs.format and ours.has_sorted_indices
        equal(ours, type(ours)(theirs))
    if dtype != "complex128":
        for axis in (0, 1, -1):
            for name in ("max", "min"):
                ours, theirs = getattr(A, name)(axis), getattr(scipys, name)(axis)
                assert type(ours) is type(theirs) and ours.dtype == theirs.dtype
                assert np.array_equal(ours.toarray(), theirs.toarray())


def test_extremes_meet_nan_full_columns_and_duplicates():
    S = random_sparse(500, 300, 0.2)
    S.data[5] = np.nan
    D = S.toarray() - 1.0  # no element is 0
    twice = scipy.sparse.csr_array((np.ones(60000), np.tile([3, 3, 7], 20000),
                                    np.arange(0, 60001, 3)), shape=(20000, 9))
    for S in (S, scipy.sparse.csr_array(D), twice):
        for name in ("max", "min"):
            ours = getattr(gblite.csr_array(S.copy()), name)(0).toarray()
            theirs = getattr(scipy.sparse.csr_array(S.copy()), name)(0).toarray()
            assert np.array_equal(ours, theirs, equal_nan=True)


def test_dense_products_are_scipys_to_the_bit():
    S = random_sparse(3000, 2000, 0.02)
    X = np.random.default_rng(1).random((2000, 37))
    assert np.array_equal(gblite.csr_array(S) @ X, S @ X)
    with gblite.threads(1):
        assert np.array_equal(gblite.csr_array(S) @ X, S @ X)


def test_factors_of_both_formats_and_triple_products():
    A = random_sparse(80, 50, 0.1)
    told = []
    with gblite.scipy.accelerate(least=0, report=told.append):
        ours, galerkin = A.T @ A, A.T @ random_sparse(80, 80, 0.1) @ A
    assert not told
    equal(ours, A.T @ A)
    assert np.allclose(galerkin.toarray(), (A.T @ random_sparse(80, 80, 0.1) @ A).toarray())


def same(ours, theirs):
    """To the bit, and in the order of entries."""
    assert type(ours) is type(theirs) and ours.dtype == theirs.dtype
    for name in ("indptr", "indices", "data"):
        left, right = getattr(ours, name), getattr(theirs, name)
        assert left.dtype == right.dtype and left.shape == right.shape
        assert np.array_equal(left, right, equal_nan=left.dtype.kind == "f")
    assert ours.has_canonical_format == theirs.has_canonical_format


ENTRY_BY_ENTRY = [lambda A, B: A + B, lambda A, B: A - B, lambda A, B: A.multiply(B),
                  lambda A, B: A < B, lambda A, B: A > B, lambda A, B: A != B]


@pytest.mark.parametrize("kind", ["csr_array", "csc_array", "csr_matrix", "csc_matrix"])
@pytest.mark.parametrize("types", [("float64", "float64"), ("float32", "int8"), ("int8", "int8"),
                                   ("uint16", "int64"), ("uint64", "uint8")])
def test_entry_by_entry(kind, types):
    A, B = (getattr(scipy.sparse, kind)(random_sparse(300, 200, 0.1, dtype, seed=seed))
            for seed, dtype in enumerate(types, 1))
    C, D = A.copy(), B.copy()
    C.data[:] = np.random.default_rng(3).integers(0, 120, C.nnz)  # cancel, wrap, store zeros
    D.data[: D.nnz // 2] = 0
    D.eliminate_zeros()  # rows without entries
    if types[0] == "float64":
        C.data[:3] = np.nan, np.inf, -0.0
    low, high = A.copy(), A.copy()  # no row of one reaches into a row of the other
    low.data[low.indices >= 100] = 0
    high.data[high.indices < 100] = 0
    for half in (low, high):
        half.eliminate_zeros()
    for threads in (1, 2):
        for left, right in [(A, B), (A, C), (C, A), (C, C), (A, D), (D, A), (low, high),
                            (high, low)]:
            for function in ENTRY_BY_ENTRY:
                told = []
                with gblite.threads(threads), gblite.scipy.accelerate(0, told.append):
                    ours = function(left, right)
                assert not told
                same(ours, function(left, right))


def test_entry_by_entry_leaves_to_scipy_what_is_not_sorted_or_does_not_pay():
    A, B = random_sparse(400, 300, 0.3), random_sparse(400, 300, 0.3, seed=2)
    wrong = A.copy()
    wrong.indices[:3] = wrong.indices[:3][::-1].copy()
    one = scipy.sparse.csr_array(scipy.sparse.eye(30000))
    told = []
    with gblite.scipy.accelerate(report=told.append):
        same(A + B, gblite.scipy._originals["_binopt"](A, B, "_plus_"))
        assert not told
        for left, right, why in ((wrong, B, "sorted"), (A[:20], B[:20], "fewer"),
                                 (one, one, "order"), (A, B.tocsc(), "formats"),
                                 (A > 1, B > 1, "bool")):
            ours = left + right
            assert why in told.pop() and not told
            same(ours, gblite.scipy._originals["_binopt"](left, right, "_plus_"))


def test_samples_of_rows_trust_no_array():
    A = random_sparse(400, 300, 0.3)
    B = A.copy()
    B.indptr[1:-1] = B.indptr[-1] + 7
    mixed, lent = gblite._arrays.lib.gblite_python_mixed, gblite._arrays._lent
    assert mixed(lent(A), lent(B)) < 0.5
    B.indptr[1:-1] = -7
    assert mixed(lent(B), lent(A)) < 0.5


@pytest.mark.parametrize("kind", [gblite.csr_array, gblite.csc_array])
def test_arrays_of_gblite_are_scipys(kind, monkeypatch):
    monkeypatch.setattr(gblite.scipy, "LEAST_ENTRIES", 0)
    monkeypatch.setattr(gblite.scipy._predicted, "gain", lambda A, B: 1)
    S = random_sparse(60, 60, 0.2)
    A = kind(S)
    assert isinstance(A, getattr(scipy.sparse, kind.__name__))
    for made in (A @ A, A + A, A.T, A[3:9], A[[1, 2]], A * 2, A.T @ A, A.copy(),
                 pickle.loads(pickle.dumps(A)), A.tocsr(), A.tocsc(), A.multiply(A),
                 abs(A), np.sqrt(A)):
        assert type(made) in (gblite.csr_array, gblite.csc_array)
    assert np.allclose((A @ A).toarray(), (S @ S).toarray())
    assert np.allclose(A @ np.ones((60, 9)), S @ np.ones((60, 9)))
    assert np.allclose((A.astype(complex) @ A).toarray(), (S @ S).toarray())


@pytest.mark.parametrize("kind", [gblite.csr_array, gblite.csc_array])
def test_semirings_masks_and_explanations(kind, capsys):
    S = random_sparse(60, 60, 0.2)
    A, M = kind(S), gblite.Matrix(S)
    assert np.array_equal(A.dot(A, "min_plus").toarray(), M.mxm(M, "min_plus").to_numpy())
    mask = random_sparse(60, 60, 0.3, seed=3)
    for to in ({}, {"structure": True}, {"complement": True}):
        expected = M.mxm(M, mask=mask, **to).to_numpy()
        assert np.allclose(A.dot(A, mask=mask, **to).toarray(), expected)
    assert np.array_equal(A.dot(M, "min_plus").toarray(), A.dot(A, "min_plus").toarray())
    expected = A.dot(A, mask=mask).toarray()
    assert np.array_equal(A.dot(A, mask=gblite.Matrix(mask)).toarray(), expected)
    A.dot(A, explain=True)
    assert "mxm of 60 x 60" in capsys.readouterr().out
    with pytest.raises(TypeError, match="complex"):
        A.astype(complex).dot(A, "min_plus")
    with pytest.raises(TypeError, match="sparse"):
        A.dot(np.ones(60), "min_plus")


@pytest.mark.parametrize("left", ["csr", "csc"])
@pytest.mark.parametrize("right", ["csr", "csc", "coo"])
def test_factors_keep_their_sides(left, right):
    S, T, mask = (random_sparse(*shape, 0.2, seed=seed) for seed, shape in enumerate(
        [(40, 50), (50, 30), (40, 30)]))
    A, B = getattr(gblite, f"{left}_array")(S), T.asformat(right)
    M, N = gblite.Matrix(S), gblite.Matrix(T)
    less = gblite.Semiring.functions("float64", "max", "minus", -np.inf)
    for semiring in ("min_first", "max_second", "plus_minus", "max_div", "any_pair", "min_plus",
                     less):
        ours = A.dot(B, semiring)
        assert ours.format == left and ours.has_sorted_indices
        assert np.allclose(ours.toarray(), M.mxm(N, semiring).to_numpy())
        outside = {"mask": mask, "complement": True}
        ours = A.dot(B, semiring, **outside)
        assert np.allclose(ours.toarray(), M.mxm(N, semiring, **outside).to_numpy())


def test_arrays_are_numpys_own():
    A = random_sparse(300, 300, 0.1)
    before = gblite.bytes_in_use()
    C = gblite.scipy.matmul(A, A)
    assert gblite.bytes_in_use() == before  # the product belongs to numpy
    assert C.data.sum() == pytest.approx((A @ A).sum())


@pytest.mark.parametrize("dtype", ["float64", "complex128"])
def test_solvers_of_scipy_take_matrices(dtype):
    linalg = pytest.importorskip("scipy.sparse.linalg")
    S = random_sparse(40, 30, 0.3, dtype)
    S.data = S.data * (1 if dtype == "float64" else 1 + 0.5j)
    for ours, theirs in ((gblite.Matrix(S), S), (gblite.Matrix(S).T, S.T)):
        found = linalg.svds(ours, k=3)[1]
        assert np.allclose(sorted(found), sorted(linalg.svds(theirs, k=3)[1]))
    square = S.conj().T @ S + scipy.sparse.csr_array(scipy.sparse.eye(30))
    assert linalg.cg(gblite.Matrix(square), np.ones(30))[1] == 0
