# SPDX-License-Identifier: Apache-2.0
"""The backend of networkx, where that is installed, against networkx itself."""
import numpy as np
import pytest

nx = pytest.importorskip("networkx", minversion="3.2")
from gblite.networkx import Backend  # noqa: E402


@pytest.fixture
def graph():
    made = nx.gnm_random_graph(60, 90, seed=3)
    made.add_edge(1, 2, weight="heavy")
    return nx.relabel_nodes(made, {node: f"v{node}" for node in made})


def test_results_are_those_of_networkx(graph):
    G = Backend.convert_from_nx(graph)
    ours, theirs = (sorted(map(sorted, found)) for found in
                    (Backend.connected_components(G), nx.connected_components(graph)))
    assert ours == theirs
    assert Backend.number_connected_components(G) == nx.number_connected_components(graph)
    assert Backend.single_source_shortest_path_length(G, "v5") == dict(
        nx.single_source_shortest_path_length(graph, "v5"))
    ours, theirs = Backend.betweenness_centrality(G), nx.betweenness_centrality(graph)
    assert np.allclose([ours[v] for v in theirs], list(theirs.values()))
    with pytest.raises(nx.NodeNotFound):
        Backend.single_source_shortest_path_length(G, "nobody")


def test_what_it_leaves_to_networkx():
    assert Backend.can_run("connected_components", (None,), {})
    assert not Backend.can_run("betweenness_centrality", (None, 10), {})
    assert not Backend.can_run("betweenness_centrality", (None,), {"k": 10})
