# SPDX-License-Identifier: Apache-2.0
"""The most similar rows, by products whose rows are filtered as they are summed.

>>> import numpy as np
>>> import gblite as gb
>>> baskets = gb.Matrix(np.array([[1, 1, 0, 0], [1, 1, 1, 0], [0, 0, 1, 1]]))
>>> gb.similar(baskets, 1, "jaccard", itself=False).to_numpy().round(2)
array([[0.  , 0.67, 0.  ],
       [0.67, 0.  , 0.  ],
       [0.  , 0.25, 0.  ]])
"""
import numpy as np

from gblite._library import InvalidValue, ShapeError
from gblite._object import Operations
from gblite.filtered import topn
from gblite.matrix import Matrix

_PRODUCTS = 1 << 23  # of pairs that share a column, which are held at a time: 128 MB


def similar(A, n, by="cosine", B=None, threshold=None, itself=True):
    """For each row of A the n most similar rows of B, or of A without one: a matrix of what is
    similar above 0, or threshold; of equal ones the first. by is

    "cosine"   the cosine of the angle between the rows
    "jaccard"  how many columns both have an entry in, over how many either has one in
    "common"   how many columns both have an entry in

    itself=False leaves out row i for row i. Memory is that of the result and of a few rows. A
    Matrix where A is one, else a CSR array of scipy."""
    if by not in _MEASURES:
        raise InvalidValue(f"by is {by!r}, but must be one of {', '.join(_MEASURES)}")
    left = _rows(A)
    right = left if B is None else _rows(B)
    if left.shape[1] != right.shape[1]:
        raise ShapeError(f"rows of {left.shape[1]} and of {right.shape[1]} columns have no angle, "
                         "and nothing in common")
    found = _MEASURES[by](left, right, n, 0 if threshold is None else threshold, itself)
    return found if isinstance(A, Operations) else found.to_scipy(copy=False)


def _rows(A):
    M = Matrix._coerce(A)
    return M.copy() if M._transposed else M


def _diagonal(left, right):
    """A mask with an entry at each pair of a row and itself."""
    shape, each = (left.shape[0], right.shape[0]), np.arange(min(left.shape[0], right.shape[0]))
    return Matrix((np.ones(len(each), bool), (each, each)), shape)


def _outside(left, right, itself):
    return {} if itself else {"mask": _diagonal(left, right), "structure": True,
                              "complement": True}


def _of_length_1(M):
    M = M if M.type.is_float else M.astype(np.float64)
    i, j, x = M.to_coo()
    lengths = np.sqrt(np.bincount(i, abs(x) ** 2, M.shape[0]))
    lengths[lengths == 0] = 1
    return Matrix((x / lengths.astype(M.dtype)[i], (i, j)), M.shape)


def _cosine(left, right, n, threshold, itself):
    outside = _outside(left, right, itself)
    unit = _of_length_1(left)
    other = unit if right is left else _of_length_1(right)
    return topn(unit, other.T, n, threshold, **outside)


def _common(left, right, n, threshold, itself):
    return topn(left, right.T, n, threshold, semiring="plus_pair", dtype=np.int64,
                **_outside(left, right, itself))


def _jaccard(left, right, n, threshold, itself):
    """Which rows have most in common does not tell which are most similar: the products of some
    rows are made, become similarities, and are filtered."""
    own, others = (M.degrees().to_numpy() for M in (left, right))
    columns = right.T.copy()
    pairs = left.mxv(columns.degrees(), "plus_second").to_numpy()
    each = np.arange(right.shape[0])
    identity = Matrix((np.ones(len(each)), (each, each)), (len(each), len(each)))
    ends = np.cumsum(pairs)
    begin, parts = 0, []
    while begin < left.shape[0]:
        most = (ends[begin - 1] if begin else 0) + _PRODUCTS
        end = max(begin + 1, int(np.searchsorted(ends, most, "right")))
        common = left[begin:end].mxm(columns, "plus_pair", dtype=np.float64)
        common = common if itself else common.select("offdiag", begin)
        i, j, x = common.to_coo()
        x /= own[begin + i] + others[j] - x
        scored = Matrix((x, (i, j)), common.shape)
        i, j, x = topn(scored, identity, n, threshold, semiring="plus_first").to_coo()
        parts.append((begin + i, j, x))
        begin = end
    i, j, x = (np.concatenate(part) for part in zip(*parts)) if parts else ([], [], np.empty(0))
    return Matrix((x, (i, j)), (left.shape[0], right.shape[0]))


_MEASURES = {"cosine": _cosine, "jaccard": _jaccard, "common": _common}
