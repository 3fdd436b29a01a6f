# SPDX-License-Identifier: Apache-2.0
"""networkx runs these algorithms on gblite when it is asked to: nx.pagerank(G, backend="gblite").

networkx finds this module by its entry point; results are what networkx itself would return.
"""
import numpy as np

from gblite import algorithms
from gblite.matrix import Matrix


class Graph:
    """A graph of networkx as an adjacency matrix, and what its vertices are called."""

    __networkx_backend__ = "gblite"

    def __init__(self, nodes, place, A, directed):
        self.nodes = nodes
        self.place = place  # of each node among them
        self.A = A
        self.directed = directed

    def is_directed(self):
        return self.directed

    def is_multigraph(self):
        return False

    def number(self, node):
        """The vertex behind a node."""
        if node not in self.place:
            import networkx

            raise networkx.NodeNotFound(f"Source {node} is not in G")
        return self.place[node]

    def named(self, values):
        """{node: value} of a dense vector."""
        return dict(zip(self.nodes, values.tolist()))


class Backend:
    """What networkx calls."""

    @staticmethod
    def convert_from_nx(graph, edge_attrs=None, **_):
        if isinstance(graph, Graph):
            return graph
        nodes = list(graph)
        place = {node: k for k, node in enumerate(nodes)}
        if edge_attrs:
            attribute, missing = next(iter(edge_attrs.items()))
            missing = 1 if missing is None else missing
            edges = [(place[u], place[v], weight)
                     for u, v, weight in graph.edges(data=attribute, default=missing)]
        else:
            edges = [(place[u], place[v], 1) for u, v in graph.edges()]
        i, j, x = (np.array(part) for part in zip(*edges)) if edges else ([], [], [])
        i, j = np.asarray(i, np.int64), np.asarray(j, np.int64)
        x = np.asarray(x, np.float64)
        if not graph.is_directed():
            loops = i == j
            i, j = np.concatenate([i, j[~loops]]), np.concatenate([j, i[~loops]])
            x = np.concatenate([x, x[~loops]])
        A = Matrix((x, (i, j)), (len(nodes), len(nodes)))
        return Graph(nodes, place, A, graph.is_directed())

    @staticmethod
    def convert_to_nx(result, **_):
        return result

    @staticmethod
    def connected_components(G):
        label = algorithms.connected_components(G.A).to_numpy()
        sets = {}
        for node, root in zip(G.nodes, label.tolist()):
            sets.setdefault(root, set()).add(node)
        return iter(sets.values())

    @staticmethod
    def number_connected_components(G):
        return len(np.unique(algorithms.connected_components(G.A).to_numpy()))

    @staticmethod
    def single_source_shortest_path_length(G, source, cutoff=None):
        indices, levels = algorithms.bfs(G.A, G.number(source))[0].to_coo()
        order = np.argsort(levels, kind="stable")
        return {G.nodes[k]: d for k, d in zip(indices[order].tolist(), levels[order].tolist())
                if cutoff is None or d <= cutoff}

    @staticmethod
    def betweenness_centrality(G, k=None, normalized=True, weight=None, endpoints=False, seed=None):
        n = len(G.nodes)
        values = algorithms.betweenness(G.A).to_numpy()
        if normalized:
            values = values / ((n - 1) * (n - 2)) if n > 2 else values
        elif not G.directed:
            values = values / 2
        return G.named(values)

    @staticmethod
    def can_run(name, args, kwargs):
        if name != "betweenness_centrality":
            return True
        return len(args) < 2 and not any(kwargs.get(key) for key in ("k", "weight", "endpoints"))
