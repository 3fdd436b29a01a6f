# SPDX-License-Identifier: Apache-2.0
"""Similar rows against all pairs by numpy."""
import numpy as np
import pytest
import scipy.sparse
from conftest import random_sparse
from test_topn import brute

import gblite as gb
from gblite import similarity


def dense(A, B, by):
    A, B = A.toarray().astype(float), B.toarray().astype(float)
    common = (A != 0).astype(float) @ (B != 0).T
    if by == "common":
        return common
    if by == "jaccard":
        either = np.add.outer((A != 0).sum(1), (B != 0).sum(1)) - common
        return common / np.maximum(either, 1)
    lengths = np.outer(np.linalg.norm(A, axis=1), np.linalg.norm(B, axis=1))
    return A @ B.T / np.where(lengths == 0, 1, lengths)


@pytest.mark.parametrize("by", ["cosine", "jaccard", "common"])
@pytest.mark.parametrize("dtype", ["bool", "int32", "float64"])
def test_all_pairs(by, dtype, monkeypatch):
    monkeypatch.setattr(similarity, "_PRODUCTS", 300)  # several parts
    A, B = random_sparse(60, 30, 0.1, dtype), random_sparse(50, 30, 0.1, dtype, "csc", seed=2)
    for n in (1, 4):
        found = gb.similar(A, n, by, B)
        assert scipy.sparse.issparse(found)
        every, found = dense(A, B, by), found.toarray()
        # Which of equal cosines stay depends on how they were rounded.
        assert np.allclose(np.sort(found), np.sort(brute(every, n)))
        assert np.allclose(found[found != 0], every[found != 0])
        assert by == "cosine" or np.array_equal(found, brute(every, n))
    own = dense(A, A, by)
    np.fill_diagonal(own, 0)
    found = gb.similar(gb.Matrix(A), 60, by, itself=False).to_numpy()
    assert np.allclose(found, own)
    found = gb.similar(gb.Matrix(A), 60, by, threshold=0.5 if by != "common" else 1).to_numpy()
    expected = dense(A, A, by)
    assert np.allclose(found, np.where(expected > (0.5 if by != "common" else 1), expected, 0))


def test_what_is_refused():
    A = gb.Matrix(np.eye(3))
    with pytest.raises(ValueError, match="cosine, jaccard, common"):
        gb.similar(A, 1, "euclid")
    with pytest.raises(ValueError, match="columns"):
        gb.similar(A, 1, B=gb.Matrix(np.eye(4)))
    with pytest.raises(ValueError, match="1 or more"):
        gb.similar(A, 0)
    assert gb.similar(gb.Matrix((0, 3)), 1, "jaccard").shape == (0, 0)
    assert gb.similar(gb.Matrix((2, 3)), 1).nvals == 0
