#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Functions of networkx: networkx itself against gblite behind its dispatch, and igraph.

    python3 bench/python/networkx_race.py [--edges N]... [--limit SECONDS] [--write]

gblite runs twice: on a graph that networkx has kept converted; and by priority on a graph that is
not, where the backend leaves to networkx what takes less time than the conversion. A function that
networkx needs longer than --limit for is left out on larger graphs.
igraph, if installed, runs on a graph of its own. One run each, the best of three where it is short.
--write brings docs/python_tables.md up to date. Wants networkx and an importable gblite.
"""
import argparse
import gc
import os
import statistics
import sys

import networkx as nx

from gblite.networkx import Backend

try:
    import igraph
except ImportError:
    igraph = None

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
from shared import BENCH, fill, seconds, table  # noqa: E402

PAGE = os.path.join(BENCH, "../docs/python_tables.md")
ONE = 0  # the source of searches


def _pairs(G):
    return list(zip(range(0, 1000), range(500, 1500)))


# name: (arguments, whether edges are directed, what igraph has for it)
CALLS = {
    "connected_components": ((), False, lambda g: list(g.connected_components())),
    "strongly_connected_components": ((), True, lambda g: list(g.connected_components("strong"))),
    "single_source_shortest_path_length": ((ONE,), False, lambda g: g.distances(ONE)),
    "single_source_shortest_path": ((ONE,), False, lambda g: g.get_shortest_paths(ONE)),
    "single_source_dijkstra_path_length": (
        (ONE,), False, lambda g: g.distances(ONE, weights="weight")),
    "single_source_bellman_ford_path_length": ((ONE,), False, None),
    "pagerank": ((), False, lambda g: g.pagerank(weights="weight")),
    "hits": ((), True, lambda g: (g.hub_score(), g.authority_score())),
    "eigenvector_centrality": ((), False, lambda g: g.eigenvector_centrality()),
    "katz_centrality": ((0.005,), False, None),
    "core_number": ((), False, lambda g: g.coreness()),
    "k_truss": ((4,), False, None),
    "triangles": ((), False, None),
    "clustering": ((), False, lambda g: g.transitivity_local_undirected()),
    "transitivity": ((), False, lambda g: g.transitivity_undirected()),
    "square_clustering": ((), False, None),
    "minimum_spanning_tree": ((), False, lambda g: g.spanning_tree("weight")),
    "degree_assortativity_coefficient": ((), False, lambda g: g.assortativity_degree()),
    "average_neighbor_degree": ((), False, lambda g: g.knn()),
    "reciprocity": ((), True, lambda g: g.reciprocity()),
    "jaccard_coefficient": ((_pairs,), False, None),
    "betweenness_centrality": ((10,), False, None),
    "closeness_centrality": ((), False, lambda g: g.closeness()),
    "harmonic_centrality": ((), False, lambda g: g.harmonic_centrality()),
    "diameter": ((), False, lambda g: g.diameter()),
}


def graphs(edges):
    """(undirected, directed): small worlds, connected, weights of 1 to 15."""
    n = edges // 5
    made = nx.connected_watts_strogatz_graph(n, 10, 0.1, seed=1)
    for k, (_, _, data) in enumerate(made.edges(data=True)):
        data["weight"] = 1 + k * 7919 % 100 / 7
    directed = nx.DiGraph()
    directed.add_edges_from((u, v, d) if (u * 31 + v) % 3 else (v, u, d)
                            for u, v, d in made.edges(data=True))
    return made, directed


def best_seconds(function):
    """The best of three, or of fewer where it is long; of all that it yields."""
    best = float("inf")
    for _ in range(3):
        gc.collect()
        best = min(best, seconds(lambda: finished(function())))
        if best > 1:
            break
    return best


def finished(found):
    return list(found) if hasattr(found, "__next__") else found


def race(name, G, peer):
    arguments, _, other = CALLS[name]
    arguments = [a(G) if callable(a) else a for a in arguments]
    seed = {"seed": 1} if name == "betweenness_centrality" else {}
    function = getattr(nx, name)

    def cold():
        G.__networkx_cache__.clear()
        with nx.config(backend_priority=["gblite"]):
            return function(G, *arguments, **seed)

    theirs = best_seconds(lambda: function(G, *arguments, backend="networkx", **seed))
    converted = best_seconds(cold)
    function(G, *arguments, backend="gblite", **seed)
    warm = best_seconds(lambda: function(G, *arguments, backend="gblite", **seed))
    beside = best_seconds(lambda: other(peer)) if other and igraph else None
    return theirs, converted, warm, beside


def row(name, edges, times):
    theirs, converted, warm, beside = times
    return [name, str(edges),
            *("" if t is None else f"{1000 * t:.0f} ms" if t >= 1 else f"{1000 * t:.3g} ms"
              for t in (theirs, warm, converted, beside)),
            f"{theirs / warm:.0f}", f"{theirs / converted:.1f}"]


def main():
    arguments = argparse.ArgumentParser()
    arguments.add_argument("--edges", type=int, nargs="*", default=[10_000, 100_000, 1_000_000])
    arguments.add_argument("--limit", type=float, default=3)
    arguments.add_argument("--write", action="store_true")
    options = arguments.parse_args()
    nx.config.warnings_to_ignore.add("cache")
    lines, found, slow = [], [], set()
    for edges in options.edges:
        both = graphs(edges)
        peers = [igraph.Graph.from_networkx(G) if igraph else None for G in both]
        for name, (_, directed, _) in CALLS.items():
            if name in slow:
                continue
            times = race(name, both[directed], peers[directed])
            if times[0] > options.limit:
                slow.add(name)
            found.append(times)
            lines.append(row(name, edges, times))
            print(*lines[-1], flush=True)
    means = [statistics.geometric_mean(t[0] / t[k] for t in found) for k in (2, 1)]
    lines.append(["geometric mean", *[""] * 5, f"{means[0]:.0f}", f"{means[1]:.1f}"])
    text = (f"Small worlds of Watts and Strogatz with real weights; {os.cpu_count()} cores, shared "
            f"with other work; networkx {nx.__version__}"
            + (f", igraph {igraph.__version__}" if igraph else "")
            + ". Made by `python3 bench/python/networkx_race.py --write`.\n\n"
            + table(["function", "edges", "networkx", "gblite, converted", "with conversion",
                     "igraph", "ratio, converted", "with conversion"], lines))
    print(text)
    if options.write:
        fill(PAGE, "networkx", text)


assert Backend.can_run  # gblite is importable
main()
