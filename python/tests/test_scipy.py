# SPDX-License-Identifier: Apache-2.0
"""gblite in scipy's place: over types and formats the results are scipy's own."""
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
    A = random_sparse(40, 40, 0.2, "complex128")
    with gblite.scipy.accelerate(least=0, report=told.append):
        C = A @ A
    assert len(told) == 1 and "complex128" in told[0]
    assert np.allclose(C.toarray(), (A @ A).toarray())
    with gblite.scipy.accelerate(report=told.append), pytest.raises(ValueError):
        A @ random_sparse(50, 50, 0.1)


def test_the_method_comes_back():
    before = gblite.scipy._PARENT.__dict__[gblite.scipy._NAME]
    with pytest.raises(ZeroDivisionError), gblite.scipy.accelerate():
        1 / 0
    assert gblite.scipy._PARENT.__dict__[gblite.scipy._NAME] is before


def test_arrays_are_numpys_own():
    A = random_sparse(300, 300, 0.1)
    before = gblite.bytes_in_use()
    C = gblite.scipy.matmul(A, A)
    assert gblite.bytes_in_use() == before  # the product belongs to numpy
    assert C.data.sum() == pytest.approx((A @ A).sum())
