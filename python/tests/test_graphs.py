# SPDX-License-Identifier: Apache-2.0
"""What graph algorithms refuse, with the entry at fault, and what undirected=True makes of it."""
import numpy as np
import pytest

import gblite as gb

UPPER = np.triu(np.ones((4, 4)), 1)
STAR = np.zeros((6, 6))
STAR[0, 1:] = 1


@pytest.mark.parametrize("run", [gb.triangles, gb.connected_components, gb.clustering_coefficient,
                                 lambda A, **to: gb.k_truss(A, 3, **to)])
def test_one_way_edges(run):
    with pytest.raises(ValueError, match=r"an edge \(0, 1\) and none \(1, 0\)"):
        run(UPPER)
    both, whole = run(UPPER, undirected=True), run(UPPER + UPPER.T)
    assert both == whole if isinstance(both, int) else both.isequal(whole)


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
])
def test_arguments(call, error, text):
    with pytest.raises(error, match=text):
        call()


@pytest.mark.parametrize("wrong", [np.nan, -1.0])
def test_weights(wrong):
    A = UPPER.copy()
    A[0, 2] = wrong
    for run in (lambda: gb.shortest_paths(A, 0), lambda: gb.markov_clustering(A)):
        with pytest.raises(ValueError, match=r"\(0, 2\)"):
            run()


def test_weights_of_zero_are_no_edges_to_clustering():
    A = gb.Matrix(([1.0, 1, 0, 0, 1, 1], ([0, 1, 1, 2, 2, 3], [1, 0, 2, 1, 3, 2])), (4, 4))
    assert gb.markov_clustering(A).to_numpy().tolist() == [0, 0, 2, 2]
