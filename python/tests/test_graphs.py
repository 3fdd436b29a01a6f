# SPDX-License-Identifier: Apache-2.0
"""What graph algorithms refuse, with the entry at fault, and what undirected=True makes of it."""
import numpy as np
import pytest

import gblite as gb

UPPER = np.triu(np.ones((4, 4)), 1)
STAR = np.zeros((6, 6))
STAR[0, 1:] = 1


def equal(one, other):
    if isinstance(one, tuple):
        return all(map(equal, one, other))
    return one.isequal(other) if hasattr(one, "isequal") else one == other


@pytest.mark.parametrize("run", [gb.triangles, gb.connected_components, gb.clustering_coefficient,
                                 gb.core_numbers, gb.louvain, gb.label_propagation,
                                 lambda A, **to: gb.k_truss(A, 3, **to)])
def test_one_way_edges(run):
    with pytest.raises(ValueError, match=r"an edge \(0, 1\) and none \(1, 0\)"):
        run(UPPER)
    both, whole = run(UPPER, undirected=True), run(UPPER + UPPER.T)
    assert equal(both, whole)


def test_weak_components():
    assert gb.connected_components(STAR, undirected=True).to_numpy().tolist() == [0] * 6


@pytest.mark.parametrize("call, error, text", [
    (lambda: gb.pagerank(UPPER, damping=2), ValueError, "damping is 2"),
    (lambda: gb.pagerank(UPPER, damping=np.nan), ValueError, "damping is nan"),
    (lambda: gb.bfs(UPPER, -1), IndexError, "source -1"),
    (lambda: gb.shortest_paths(UPPER, 4), IndexError, "0 to 3"),
    (lambda: gb.betweenness(UPPER, [0, -2]), IndexError, "source -2"),
    (lambda: gb.k_truss(UPPER, 2), ValueError, "undirected"),
    (lambda: gb.triangles(np.ones((2, 3))), ValueError, "not 2 x 3"),
    (lambda: gb.strong_components(np.ones((2, 3))), ValueError, "not 2 x 3"),
    (lambda: gb.label_propagation(STAR + STAR.T, 0), ValueError, "steps is 0"),
    (lambda: gb.louvain(STAR + STAR.T, -1), ValueError, "resolution is -1"),
])
def test_arguments(call, error, text):
    with pytest.raises(error, match=text):
        call()


@pytest.mark.parametrize("wrong", [np.nan, -1.0])
def test_weights(wrong):
    A = UPPER.copy()
    A[0, 2] = wrong
    for run in (lambda: gb.shortest_paths(A, 0), lambda: gb.markov_clustering(A),
                lambda: gb.louvain(A, undirected=True)):
        with pytest.raises(ValueError, match=r"\(0, 2\)"):
            run()


def test_weights_of_zero_are_no_edges_to_clustering():
    A = gb.Matrix(([1.0, 1, 0, 0, 1, 1], ([0, 1, 1, 2, 2, 3], [1, 0, 2, 1, 3, 2])), (4, 4))
    assert gb.markov_clustering(A).to_numpy().tolist() == [0, 0, 2, 2]


def test_strong_components():
    A = gb.Matrix.from_edges([0, 1, 2, 2, 3, 4], [1, 2, 0, 3, 4, 3], n=6)
    assert gb.strong_components(A).to_numpy().tolist() == [0, 0, 0, 3, 3, 5]


def test_closeness():
    both = STAR + STAR.T  # the centre is 1 from all, the others 2 from each other
    assert np.allclose(gb.closeness(both).to_numpy(), [1] + [5 / 9] * 5)
    assert np.allclose(gb.closeness(both, harmonic=True).to_numpy(), [5] + [3] * 5)


def test_core_numbers():
    A = np.zeros((6, 6))
    A[:4, :4] = 1  # loops do not count
    A[4, 0] = A[0, 4] = 1
    assert gb.core_numbers(A).to_numpy().tolist() == [3, 3, 3, 3, 1, 0]


def test_communities():
    ring = np.kron(np.eye(3), np.ones((4, 4)) - np.eye(4))
    for a, b in ((3, 4), (7, 8), (11, 0)):
        ring[a, b] = ring[b, a] = 1
    found, modularity = gb.louvain(ring)
    assert found.to_numpy().tolist() == [0] * 4 + [4] * 4 + [8] * 4
    assert np.isclose(modularity, 36 / 42 - 3 / 9)
    assert gb.louvain(ring, resolution=0)[0].to_numpy().tolist() == [0] * 12
    swap = gb.label_propagation(np.array([[0.0, 1], [1, 0]]), steps=3)
    assert swap.to_numpy().tolist() == [0, 1]  # labels change sides for ever
