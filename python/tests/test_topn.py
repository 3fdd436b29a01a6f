# SPDX-License-Identifier: Apache-2.0
"""Top-n products against numpy, and against sparse_dot_topn where that is installed."""
import runpy
from pathlib import Path

import numpy as np
import pytest
import scipy.sparse
from conftest import DTYPES, random_sparse

import gblite as gb


def brute(P, n, threshold=None):
    """The n largest elements of each row that are not 0, smaller columns first among equals."""
    kept = np.zeros_like(P)
    for row in range(len(P)):
        found = [j for j in np.argsort(-P[row].astype(float), kind="stable") if P[row, j] != 0 and (
            threshold is None or P[row, j] > threshold)]
        kept[row, found[:n]] = P[row, found[:n]]
    return kept


@pytest.mark.parametrize("dtype", [dtype for dtype in DTYPES if dtype != "bool"])
@pytest.mark.parametrize("n", [1, 3, 10**9])
@pytest.mark.parametrize("threshold", [None, 2])
def test_largest_of_each_row(dtype, n, threshold):
    S, T = (random_sparse(50, 50, 0.1, seed=seed).sign() for seed in (1, 2))
    S, T = S.astype(dtype), T.astype(dtype)
    S.data[::3] = 3
    expected = brute((S @ T).toarray(), n, threshold)
    found = gb.topn(S, T, n, threshold)
    assert scipy.sparse.issparse(found) and found.dtype == dtype
    assert np.array_equal(found.toarray(), expected)
    assert np.array_equal(gb.topn(gb.Matrix(S), gb.Matrix(T), n, threshold).to_numpy(), expected)
    assert np.array_equal(gb.topn(S, T, n, threshold, dense_output=True), expected)
    assert np.array_equal(gb.topn(S, T.tocsc(), n, threshold).toarray(), expected)
    found.data[:] = 1  # the arrays are the caller's


def test_transposed_factors_and_patterns():
    M = gb.Matrix(random_sparse(40, 30, 0.2))
    assert np.allclose(gb.topn(M, M.T, 2).to_numpy(), brute((M @ M.T).to_numpy(), 2))
    P = gb.Matrix(random_sparse(40, 40, 0.2, "bool"))
    assert np.array_equal(gb.topn(P, P, 2).to_numpy(), brute((P @ P).to_numpy(), 2))


def test_memory_is_that_of_the_result():
    A = gb.Matrix("rmat:13:16")
    with gb.memory_limit(4 << 20):
        found = gb.topn(A, A, 5)
    assert found.degrees().to_numpy().max() == 5
    assert found.nvals < A.mxm(A).nvals / 20


@pytest.mark.parametrize("n", [0, -1, 2.5, None])
def test_numbers_that_are_refused(n):
    with pytest.raises(ValueError, match="whole number|1 or more"):
        gb.topn(gb.Matrix(np.eye(3)), gb.Matrix(np.eye(3)), n)
    with pytest.raises(ValueError):
        gb.topn(gb.Matrix(np.eye(3)), gb.Matrix(np.eye(4)), 1)


@pytest.mark.parametrize("threshold", [None, 0.8])
def test_results_are_those_of_sparse_dot_topn(threshold):
    theirs = pytest.importorskip("sparse_dot_topn")
    A, B = random_sparse(300, 200, 0.05), random_sparse(200, 400, 0.05, seed=2)
    A.data, B.data = (np.random.default_rng(k).random(len(S.data)) for k, S in enumerate((A, B)))
    A, B = scipy.sparse.csr_matrix(A), scipy.sparse.csr_matrix(B)
    expected = theirs.sp_matmul_topn(A, B, 7, threshold=threshold)
    assert np.allclose(gb.topn(A, B, 7, threshold).toarray(), expected.toarray())


def test_the_example_matches_names(capsys):
    example = Path(__file__).resolve().parents[2] / "examples/match_names.py"
    runpy.run_path(str(example))["main"](2000)
    assert "2000 of 2000" in capsys.readouterr().out
