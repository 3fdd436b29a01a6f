# SPDX-License-Identifier: Apache-2.0
"""Operations against numpy and scipy; algorithms against facts."""
import operator

import numpy as np
import pytest
import scipy.sparse.csgraph
from conftest import DTYPES, random_sparse, same

import gblite as gb


@pytest.mark.parametrize("method", [None, "rowwise", "outer", "tiled"])
def test_products(A, method):
    M = gb.Matrix(A)
    assert same(M.mxm(M, method=method), A @ A)
    assert same(M.mxm(M.T, method=method), (A @ A.T).tocsr())
    assert same(M.T.mxm(M, method=method), (A.T @ A).tocsr())


def test_product_as_scipy_and_numpy_spell_it(A):
    M, x, D = gb.Matrix(A), np.arange(60.0), A.toarray()
    assert np.allclose(M @ x, A @ x) and np.allclose(x @ M, x @ A)
    assert np.allclose((M @ gb.Vector(x)).to_numpy(), A @ x)
    assert np.allclose((gb.Vector(x) @ M.T).to_numpy(), x @ A.T)
    assert np.allclose(M @ D, D @ D) and np.allclose(D @ M, D @ D)
    assert np.allclose(M.T @ D, D.T @ D) and isinstance(D @ M, np.ndarray)
    assert same(M @ A, A @ A) and gb.Vector(x) @ gb.Vector(x) == x @ x


def test_semirings(A):
    M = gb.Matrix(A)
    D = np.where(A.toarray() > 0, A.toarray(), np.inf)
    expected = (D[:, :, None] + D[None, :, :]).min(axis=1)
    assert np.array_equal(M.mxm(M, "min_plus").to_numpy(np.inf), expected)
    B = A.astype(bool)
    assert same(gb.Matrix(B).mxm(B, "lor_land"), B @ B)
    counts = M.mxm(M, "plus_pair").to_numpy()
    assert np.array_equal(counts, (B.astype(int) @ B.astype(int)).toarray())
    # one that the library does not predefine
    largest = M.mxm(M, "max_second").to_numpy()
    products = B.toarray()[:, :, None] * A.toarray()[None]
    assert np.array_equal(largest, np.where(counts > 0, products.max(axis=1), 0))


@pytest.mark.parametrize("complement", [False, True])
@pytest.mark.parametrize("structure", [False, True])
@pytest.mark.parametrize("accum", [None, "plus"])
@pytest.mark.parametrize("replace", [False, True])
def test_masks_and_accumulators(A, complement, structure, accum, replace):
    mask = random_sparse(60, 60, 0.3, "int8", seed=2)
    mask.data[::2] = 0  # explicit zeros
    allowed = np.zeros((60, 60), bool)
    allowed[mask.nonzero()] = True
    if structure:
        coo = mask.tocoo()
        allowed[coo.row, coo.col] = True
    allowed ^= complement
    old = random_sparse(60, 60, 0.2, seed=3)
    T, C = (A @ A).toarray(), old.toarray()
    Z = C + T if accum else T
    expected = np.where(allowed, Z, 0 if replace else C)
    M = gb.Matrix(A)
    got = M.mxm(M, out=gb.Matrix(old), mask=gb.Matrix(mask), complement=complement,
                structure=structure, accum=accum, replace=replace)
    assert np.allclose(got.to_numpy(), expected)


def test_entry_by_entry(A):
    B = random_sparse(60, 60, 0.2, seed=5)
    M, N = gb.Matrix(A), gb.Matrix(B)
    assert same(M + N, A + B) and same(M * N, A.multiply(B).tocsr())
    assert np.allclose((M - N).to_numpy(), (A - B).toarray())
    assert same(M.T + N, (A.T + B).tocsr()) and same(M.T * N.T, A.T.multiply(B.T).tocsr())
    assert same(M * 2, A * 2) and same(2 * M, 2 * A) and same(M / 2, A / 2) and same(-M, -A)
    assert same(abs(-M), A)
    small = gb.Matrix(A.astype("int8"))
    assert (small * 0.5).dtype == (small / 2).dtype == "float64" and (small * 2).dtype == "int8"
    assert (small * 1000).sum() == 1000 * small.sum()
    assert np.allclose(M.apply("plus", right=1).sum(), A.sum() + A.nnz)
    assert np.allclose(M.apply("minus", left=1).sum(), A.nnz - A.sum())
    both = (A.toarray() != 0) & (B.toarray() != 0)
    assert np.array_equal(M.ewise_mult(N, "max").to_numpy(),
                          np.where(both, np.maximum(A.toarray(), B.toarray()), 0))


@pytest.mark.parametrize("left", DTYPES)
@pytest.mark.parametrize("right", DTYPES)
def test_differences_and_inner_products_of_mixed_types(left, right):
    S, T = random_sparse(20, 20, 0.4, left), random_sparse(20, 20, 0.4, right, seed=2)
    M, N = gb.Matrix(S), gb.Matrix(T)
    if left == right == "bool":
        with pytest.raises(TypeError, match="difference"):
            M - N
        return
    of = np.result_type(S.dtype, T.dtype)
    assert np.array_equal((M - N).to_numpy(), S.toarray().astype(of) - T.toarray().astype(of))
    v, w = S.toarray()[0], T.toarray()[0]
    wide = "float64" if of.kind == "f" else "uint64" if of.kind == "u" else "int64"
    exact = np.dot(v.astype(wide), w.astype(wide))
    assert gb.Vector(v) @ gb.Vector(w) == pytest.approx(exact, rel=1e-5)


def test_numbers_that_do_not_fit_are_refused():
    M = gb.Matrix(np.array([[0, 3]]))
    M[0, 0] = 0
    for wrong in (0.5, np.float32(0.5)):
        with pytest.raises(TypeError, match="astype"):
            M.select("<", wrong)
        with pytest.raises(TypeError, match="astype"):
            M[0, 0] = wrong
    with pytest.raises(ValueError, match="uint8"):
        gb.Matrix.new("uint8", 2, 2)[0, 0] = -1
    assert M.select("<", 1.0).nvals == 1 and M.reduce("PLUS") == 3


def test_equality_is_exact():
    assert not gb.Vector([2**53 + 1]).isequal(gb.Vector([float(2**53)]))
    assert not gb.Vector([1]).isequal(gb.Vector([2])) and gb.Vector([1]).isequal(gb.Vector([1]))


def test_selections_and_indices(A):
    M, D = gb.Matrix(A), A.toarray()
    for k in (-3, 0, 2):
        assert np.array_equal(M.tril(k).to_numpy(), np.tril(D, k))
        assert np.array_equal(M.triu(k).to_numpy(), np.triu(D, k))
    assert np.array_equal(M.select(">", 7).to_numpy(), np.where(D > 7, D, 0))
    assert np.array_equal(M.select("colle", 9).to_numpy()[:, 10:], np.zeros((60, 50)))
    assert np.array_equal(M.diagonal().to_numpy(), np.diag(D))
    rows, columns, values = M.apply("colindex").to_coo()
    assert np.array_equal(columns, values)


@pytest.mark.parametrize("dtype", DTYPES)
def test_reductions(dtype):
    S = random_sparse(50, 40, 0.2, dtype)
    M = gb.Matrix(S)
    assert M.sum() == pytest.approx(S.toarray().sum())
    assert M.reduce("max") == S.max()
    for axis, reduce in ((1, M.reduce_rows), (0, M.reduce_columns)):
        expected = S.toarray().sum(axis=axis)
        assert np.allclose(reduce().to_numpy(), expected) and reduce().dtype == expected.dtype
        assert np.allclose(M.sum(axis), expected) and np.allclose(M.T.sum(1 - axis), expected)
        wrapped = S.toarray().sum(axis=axis, dtype=dtype)
        assert np.allclose(reduce(dtype=dtype).to_numpy(), wrapped)
        assert np.array_equal(M.max(axis), S.toarray().max(axis=axis))
        assert np.array_equal(M.min(axis), S.toarray().min(axis=axis))
        assert np.allclose(M.mean(axis), S.toarray().mean(axis=axis))
    assert M.max() == S.max() and M.min() == S.min() == 0
    assert np.isclose(M.trace(), np.trace(S.toarray()))
    assert np.array_equal(M.degrees().to_numpy(), np.diff(S.indptr))


def test_patterns_count():
    S = random_sparse(30, 30, 0.3, "bool")
    M, counts = gb.Matrix(S), S.toarray().astype(int)
    assert np.array_equal((M @ M).to_numpy(), counts @ counts) and (M @ M).dtype == "int64"
    assert np.array_equal(M @ np.ones(30, bool), counts.sum(axis=1))
    assert same(M.mxm(M, dtype=bool), S @ S) and M.mxm(M, "lor_land").dtype == bool
    assert gb.estimate(M, M)["flops"] > 0 and "method" in gb.plan(M, M)


COMPARISONS = [operator.eq, operator.ne, operator.lt, operator.le, operator.gt, operator.ge]


@pytest.mark.filterwarnings("ignore::scipy.sparse.SparseEfficiencyWarning")
@pytest.mark.parametrize("compare", COMPARISONS, ids=lambda compare: compare.__name__)
def test_comparisons_count_what_is_not_stored_as_0(A, compare):
    B = random_sparse(60, 60, 0.1, seed=4)
    B.data[::5] *= -1
    B.data[:3] = np.nan
    M, N, D, E = gb.Matrix(A), gb.Matrix(B), A.toarray(), B.toarray()
    found = compare(M, N)
    assert found.dtype == bool and found.nvals == found.sum()
    assert np.array_equal(found.to_numpy(), compare(D, E))
    assert np.array_equal(compare(M.T, N).to_numpy(), compare(D.T, E))
    assert np.array_equal(compare(M, E), compare(D, E))
    for number in (0, 5, -1, 2.5, np.nan):
        assert np.array_equal(compare(M, number).to_numpy(), compare(D, number))
        assert np.array_equal(compare(number, M).to_numpy(), compare(number, D))
    v = gb.Vector(([2, 3], [0, 2]), 4)
    assert np.array_equal(compare(v, 2).to_numpy(), compare(v.to_numpy(), 2))
    assert (M == None) is False and M != "text"  # noqa: E711


def test_names_of_scipy(A):
    M, D = gb.Matrix(A), A.toarray()
    assert np.array_equal(M.toarray(), D) and same(M.tocsr(), A) and same(M.tocsc(), A)
    assert same(M.tocoo(), A) and same(M.dot(M), A @ A) and same(M.multiply(M), A.multiply(A))
    assert np.allclose((M**2).to_numpy(), D**2) and np.allclose(M.T.power(0.5).to_numpy(), D.T**0.5)
    assert np.array_equal(M.transpose().todense(), D.T) and same(A + M, A + A)



def test_kronecker_and_casts(A):
    M, N = gb.Matrix(A), gb.Matrix(np.array([[1.0, 2.0]]))
    assert same(M.kron(N), scipy.sparse.kron(A, N.to_scipy(), "csr"))
    assert same(M.astype("int32"), A.astype("int32")) and M.astype("float64").isequal(M)


def test_plans_and_explanations(A):
    M = gb.Matrix(A)
    flops = int((np.diff(A.tocsr().indptr)[A.tocsr().indices]).sum())
    assert gb.estimate(M, M)["flops"] == flops
    assert "rowwise" in gb.plan(M, M)
    assert "outer" in M.mxm(M, method="outer").explain() and M.explain() is None


def test_explain_prints(A, capsys):
    gb.Matrix(A).mxm(A, explain=True)
    assert "rowwise" in capsys.readouterr().out


# -- algorithms -----------------------------------------------------------------------------------


@pytest.fixture
def graph():
    return gb.Matrix("rmats:9:4")


def test_triangles(graph):
    D = (graph.to_numpy() != 0).astype(int)
    assert gb.triangles(graph) == np.trace(D @ D @ D) // 6
    assert gb.k_truss(graph, 3).sum() == np.trace(D @ D @ D)


def test_searches(graph):
    S = graph.to_scipy()
    levels, parents = gb.bfs(graph, 1)
    hops = scipy.sparse.csgraph.shortest_path(S, indices=1, unweighted=True)
    assert np.array_equal(levels.to_numpy(-1), np.where(np.isinf(hops), -1, hops))
    places, above = parents.to_coo()
    assert all(levels[int(p)] == levels[int(v)] - 1 for v, p in zip(places, above) if v != 1)
    exact = scipy.sparse.csgraph.dijkstra(S, indices=1)
    for delta in (None, 0.1, 10):
        assert np.allclose(gb.shortest_paths(graph, 1, delta).to_numpy(np.inf), exact)


def test_components(graph):
    count, labels = scipy.sparse.csgraph.connected_components(graph.to_scipy(), directed=False)
    ours = gb.connected_components(graph).to_numpy()
    assert len(np.unique(ours)) == count
    assert len(np.unique(ours * count + labels)) == count


def test_ranks(graph):
    n, S = graph.shape[0], (graph.to_scipy() != 0).astype(float)
    degree = np.asarray(S.sum(axis=1)).ravel()
    rank = np.full(n, 1 / n)
    for _ in range(200):
        share = np.where(degree > 0, rank / np.maximum(degree, 1), 0)
        rank = 0.15 / n + 0.85 * (share @ S + rank[degree == 0].sum() / n)
    assert np.allclose(gb.pagerank(graph, tolerance=1e-12, steps=500).to_numpy(), rank)
    both = gb.Matrix(scipy.sparse.csr_matrix(S + S.T))
    plain, leaning = (gb.pagerank(both, tolerance=1e-12, steps=500, undirected=told).to_numpy()
                      for told in (False, True))
    assert np.allclose(leaning, plain)


def test_clusters_and_centrality():
    two = np.kron(np.eye(2), np.ones((5, 5)) - np.eye(5))
    two[0, 5] = two[5, 0] = 1
    cluster = gb.markov_clustering(two).to_numpy()
    assert len(set(cluster[:5])) == len(set(cluster[5:])) == 1 and cluster[0] != cluster[9]
    path = gb.Matrix.from_edges([0, 1, 1, 2], [1, 0, 2, 1])
    assert gb.betweenness(path).to_numpy().tolist() == [0, 2, 0]
    assert np.allclose(gb.clustering_coefficient(np.ones((4, 4)) - np.eye(4)).to_numpy(), 1)


@pytest.mark.parametrize("dtype", ["int8", "uint16", "int64", "float32", "float64"])
def test_large_operands_meet_as_in_scipy(dtype):
    """Many parts of rows, some of them empty, and one side with far more entries."""
    random = np.random.default_rng(4)
    A, B = (scipy.sparse.random(900, 700, d, "csr", random_state=s) for s, d in ((1, .1), (2, .02)))
    for S in (A, B):
        S.data = random.integers(-3, 4, S.nnz).astype(float)
        S.data[S.indptr[100]:S.indptr[300]] = 0
    A, B = (S.astype(dtype) for S in (A, B))
    M, N = gb.Matrix(A), gb.Matrix(B)
    for ours, theirs in ((M + N, A + B), (M - N, A - B), (N - M, B - A), (M < N, A < B),
                         (M > N, A > B), (M != N, A != B), (M + N.T.T, A + B)):
        assert ours.dtype == theirs.dtype and np.array_equal(ours.toarray(), theirs.toarray())
    assert same(M.tocoo(), A) and np.array_equal(M.T.toarray(), A.T.toarray())
    assert same(M.power(2), A.power(2)) and np.array_equal(M.diagonal().to_numpy(), A.diagonal())
    X = random.random((700, 13)).astype("float32")
    assert np.allclose(M @ X, A @ X) and (M @ X).dtype == (A @ X).dtype
    assert np.allclose(M.T @ X[:1].repeat(900, 0), A.T @ X[:1].repeat(900, 0))


@pytest.mark.parametrize("dtype", ["complex64", "complex128"])
def test_complex_numbers(dtype):
    random = np.random.default_rng(1)
    S = scipy.sparse.random(60, 60, 0.1, "csr", random_state=1).astype(dtype)
    S.data += (1j * random.random(S.nnz)).astype(dtype)
    A, x, X = gb.Matrix(S), random.random(60) + 1j, random.random((60, 5)) * 1j
    for ours, theirs in ((A @ A, S @ S), (A + A.T, S + S.T), (A - A, S - S), (abs(A), abs(S)),
                         (A * (2 + 1j), S * (2 + 1j)), (A != A.T, S != S.T), (A / 2, S / 2),
                         (A.multiply(A), S.multiply(S)), (A.apply("conj"), S.conj()),
                         (A.apply("cimag"), S.imag), (gb.csr_array(S) @ S, S @ S)):
        assert ours.dtype == theirs.dtype and np.allclose(ours.toarray(), theirs.toarray())
    assert np.allclose(A @ x, S @ x) and np.allclose(A @ X, S @ X) and np.allclose(X.T @ A, X.T @ S)
    assert np.isclose(A.sum(), S.sum()) and np.allclose(A.sum(0), S.sum(0))
    A[0, 0] = 3 - 1j
    A[1, 2] = 2
    assert A[0, 0] == 3 - 1j and A[1, 2] == 2 and (gb.Matrix(S.real) * 1j).dtype == dtype
    v = gb.Vector([1j, 2])
    assert v[0] == 1j and v.sum() == 2 + 1j
    with pytest.raises(TypeError):
        gb.Matrix(np.eye(2))[0, 0] = 1j
    with pytest.raises(TypeError, match="no order"):
        A < A


@pytest.mark.parametrize("dtype", ["bool", "int8", "uint16", "int64", "float32", "float64",
                                   "complex128"])
@pytest.mark.parametrize("format", ["csr", "csc"])
def test_dense_operands_on_either_side(dtype, format):
    S = random_sparse(70, 50, 0.1, dtype, format)
    A, random = gb.Matrix(S), np.random.default_rng(1)
    dense = S.toarray().astype(int if dtype == "bool" else dtype)
    for of in ("int16", "float64"):
        for width in (1, 2, 3, 5, 13):
            X, Y = (random.integers(0, 9, (n, width)).astype(of) for n in (50, 70))
            assert np.allclose(A @ X, dense @ X) and np.allclose(A.T @ Y, dense.T @ Y)
            assert np.allclose(X.T @ A.T, X.T @ dense.T) and np.allclose(Y.T @ A, Y.T @ dense)
            assert np.allclose(A.T.copy() @ np.asfortranarray(Y), dense.T @ Y)
        x, y = X[:, 0], Y[:, 0]
        assert np.allclose(A @ x, dense @ x) and np.allclose(y @ A, y @ dense)
    assert np.array_equal(A.T.astype("complex64").to_numpy(), S.T.toarray().astype("complex64"))


@pytest.mark.parametrize("spec", ["er:6:4", "rmat:12:8"])
def test_one_value_and_no_values(spec):
    one = gb.Matrix(spec, dtype=bool)
    x, X = (np.random.default_rng(1).random((one.shape[1], *more)) for more in ((), (3,)))
    S = one.tocsr().astype(float)
    assert np.allclose(one @ x, S @ x) and np.allclose(one.T @ X, S.T @ X)
    assert one.astype(float).power(2).isequal(one.astype(float)) and one.max() is True
    empty = gb.Matrix((4, 3))
    assert (empty @ np.ones(3)).tolist() == [0] * 4 and (empty.T @ np.ones((4, 2))).sum() == 0
    assert empty.tocsc().nnz == empty.tocoo().nnz == (empty + empty).nvals == 0
    assert empty.max() == 0 and empty.power(2).nvals == 0 and (empty < empty).nvals == 0


def test_extremes_are_numpys():
    for n in (1, 7, 8, 9, 100):
        for at in {0, n // 2, n - 1}:
            values = np.random.default_rng(n).random(n) + 1
            A = gb.Matrix(values[None])
            assert A.max() == values.max() and A.min() == values.min()
            values[at] = np.nan
            A = gb.Matrix(([*values], ([0] * n, range(n))), (1, n))
            assert np.isnan(A.max()) and np.isnan(A.min())


@pytest.mark.parametrize("dtype", DTYPES + ["complex64", "complex128"])
@pytest.mark.parametrize("index", ["int32", "int64", "uint16"])
def test_lists_of_entries_in_any_order(dtype, index):
    random = np.random.default_rng(7)
    n = 5000
    i, j = random.integers(0, 200, n).astype(index), random.integers(0, 90, n).astype(index)
    x = random.integers(0, 3, n).astype(dtype)
    expected = np.zeros((200, 90), dtype)
    np.add.at(expected, (i, j), x)
    present = np.zeros((200, 90), bool)
    present[i, j] = True
    M = gb.Matrix((x, (i, j)), (200, 90))
    assert M.nvals == present.sum() and np.array_equal(M.to_numpy(), expected)
    order = np.lexsort((j, i))
    assert gb.Matrix((x[order], (i[order], j[order])), (200, 90)).isequal(M)
    rows, columns, values = M.to_coo()  # in order, nothing twice
    assert gb.Matrix((values, (rows, columns)), (200, 90)).isequal(M)
    assert np.array_equal(gb.Matrix(expected).to_numpy(), expected)
    assert gb.Matrix(expected).nvals == np.count_nonzero(expected)


def test_floats_are_added_in_the_order_given():
    values = np.random.default_rng(1).random(999)
    M = gb.Matrix((values, (np.full(999, 2), np.full(999, 1))), (3, 3))
    total = 0.0
    for value in values:
        total += value
    assert M[2, 1] == total and M.nvals == 1


def test_lists_of_entries_that_are_refused():
    for i, j in (([0, 3], [0, 0]), ([0, -1], [0, 0]), ([0, 0], [0, 2])):
        with pytest.raises(IndexError):
            gb.Matrix(([1.0, 2.0], (i, j)), (3, 2))
    M = gb.Matrix(([1.0], ([2**31], [0])), (2**31 + 1, 3))
    assert M[2**31, 0] == 1.0
    assert gb.Matrix((np.empty(0), ([], [])), (3, 3)).nvals == 0
    assert gb.Matrix(np.zeros((0, 4))).shape == (0, 4)
    nan = np.array([[np.nan, -0.0], [0, 1]])
    assert gb.Matrix(nan).nvals == 2 and gb.Matrix(np.asfortranarray(nan)).nvals == 2
    assert gb.Matrix(np.array([[0.5, 0]]), dtype="int8").nvals == 1


def test_many_products_at_once():
    A = [gb.Matrix(np.arange(k * k, dtype=float).reshape(k, k) % 3) for k in range(1, 30)]
    B = [a.T for a in A]
    for C, a, b in zip(gb.mxm_batch(A, B), A, B):
        assert C.isequal(a @ b)
    M = [None if k % 2 else a for k, a in enumerate(A)]
    for C, a, m in zip(gb.mxm_batch(A, A, mask=M, structure=True), A, M):
        assert C.isequal(a @ a if m is None else a.mxm(a, mask=m, structure=True))
    assert gb.mxm_batch([], []) == []
    with pytest.raises(gb.ShapeError, match="product 1"):
        gb.mxm_batch(A[:2], [A[0], A[5]])
    with pytest.raises(gb.ShapeError):
        gb.mxm_batch(A[:2], A[:1])
    with pytest.raises(gb.DomainError):
        gb.mxm_batch(A[:2], [A[0], gb.Matrix(np.ones((2, 2), dtype=complex))])


@pytest.mark.parametrize("op", ["maximum", "minimum"])
def test_the_larger_and_the_smaller_of_two(op, A):
    B = random_sparse(60, 60, 0.2, seed=5)
    S, T = A - 7 * (A != 0), B - 5 * (B != 0)
    M, function = gb.Matrix(S), getattr(np, op)
    expected = function(S.toarray(), T.toarray())
    for found in (getattr(M, op)(gb.Matrix(T)), getattr(M, op)(T),
                  getattr(M.T, op)(gb.Matrix(T).T).T, getattr(M, op)(T.toarray())):
        assert np.array_equal(found.to_numpy(), expected)
    assert getattr(M, op)(T).nvals == np.count_nonzero(expected)
    for number in (0, -0.25 if op == "maximum" else 0.25):
        found = getattr(M, op)(number)
        assert np.array_equal(found.to_numpy(), function(S.toarray(), number))
        assert found.nvals == np.count_nonzero(function(S.toarray(), number))
    with pytest.raises(TypeError, match="fill every position"):
        getattr(M, op)(1 if op == "maximum" else -1)
    for left, right in ((M.astype("complex128"), M), (M, M.astype("complex64")), (M, 0j)):
        with pytest.raises(TypeError, match="no order"):
            getattr(left, op)(right)


@pytest.mark.parametrize("op", ["maximum", "minimum"])
def test_nan_is_larger_and_smaller_as_in_numpy(op):
    D, E = np.array([[np.nan, 2, 0], [0, np.nan, -3]]), np.array([[1, np.nan, np.nan], [0, 5, 4.0]])
    function = getattr(np, op)
    found = getattr(gb.Matrix(D), op)(gb.Matrix(E)).to_numpy()
    assert np.array_equal(found, function(D, E), equal_nan=True)
    found = getattr(gb.Matrix(D), op)(0).to_numpy()
    assert np.array_equal(found, function(D, 0), equal_nan=True)


@pytest.mark.parametrize("dtype", ["int32", "float64", "complex64"])
def test_parts_and_counts_are_those_of_numpy(dtype):
    D = random_sparse(7, 5, 0.5, "int32").toarray().astype(dtype)
    D = D * (1 - 2j) if dtype == "complex64" else D
    M = gb.Matrix(D)
    M[0, 0] = D[0, 0] = 0  # an entry
    for A, of in ((M, D), (M.T, D.T)):
        assert np.array_equal(A.conj().to_numpy(), of.conj()) and A.conj().dtype == dtype
        assert np.array_equal(A.real.to_numpy(), of.real) and A.real.dtype == of.real.dtype
        assert np.array_equal(A.imag.to_numpy(), of.imag) and A.imag.dtype == of.imag.dtype
        assert A.nvals > A.count_nonzero() == np.count_nonzero(of)
        for axis in (0, 1):
            assert A.count_nonzero(axis).tolist() == np.count_nonzero(of, axis).tolist()
        assert [part.tolist() for part in A.nonzero()] == [part.tolist() for part in of.nonzero()]
        for k in range(-8, 9):
            assert np.array_equal(A.diagonal(k).to_numpy(), of.diagonal(k))


@pytest.mark.parametrize("dtype", ["bool", "int8", "int64", "float32", "float64", "complex64"])
@pytest.mark.parametrize("exponent", [1, 2, 3, 0.5, 2.0, 2.5])
def test_powers_are_those_of_numpy(dtype, exponent):
    S = random_sparse(30, 20, 0.2, "int8").astype(dtype)
    expected = S.data ** exponent
    if expected.dtype == np.float16:  # of truth values
        with pytest.raises(TypeError, match="float16"):
            gb.Matrix(S) ** exponent
        return
    for M in (gb.Matrix(S), gb.Matrix(S.T.tocsr()).T, gb.Matrix(S.tocsc())):
        found = (M**exponent).to_scipy()
        assert found.dtype == expected.dtype and np.array_equal(found.data, expected)
        assert np.array_equal(found.indices, S.indices)
    one = gb.Matrix.from_edges([0, 0, 2], [1, 2, 0]).astype(dtype)  # a value for all
    assert np.array_equal((one**exponent).to_numpy(), one.to_numpy() ** exponent)
    none = gb.Matrix.new(dtype, 3, 4) ** exponent
    assert none.nvals == 0 and none.shape == (3, 4) and none.dtype == expected.dtype


def test_what_fails_in_numpy_leaves_nothing_behind():
    M = gb.Matrix(random_sparse(30, 20, 0.2))
    before = gb.bytes_in_use()

    def fails(values, out=None):
        if out is not None:
            raise RuntimeError("stop")
        return values

    with pytest.raises(RuntimeError, match="stop"):
        M._map(fails)
    assert gb.bytes_in_use() == before
