# SPDX-License-Identifier: Apache-2.0
"""Shortest paths and searches of networkx, each with networkx's own signature."""
import math

import networkx as nx
import numpy as np

from gblite import algorithms
from gblite._library import InvalidValue, ffi, pointer
from gblite._networkx_graph import NOBODY, call, room, runs


def search(G, sources, cutoff=None, reverse=False):
    """(order, parent, level) of a breadth-first search from an array of vertices."""
    if cutoff is None or cutoff == math.inf:
        cutoff = 2**64 - 1
    else:
        cutoff = min(max(0, math.ceil(cutoff)), 2**64 - 1)
    n, found = len(G), ffi.new("uint64_t *")
    (order, a), (parent, b), (level, c) = (room(n, np.uint32) for _ in range(3))
    call("search", found, a, b, c, G.lent(reverse=reverse), pointer(sources, "uint32_t *"),
         len(sources), cutoff)
    return order[: found[0]], parent, level


def _lengths(G, source, cutoff, reverse=False):
    order, _, level = search(G, source, cutoff, reverse)
    return dict(zip(G.names(order), level[order].tolist()))


def _paths(G, order, parent, turned=False):
    """{node: path to it}, or from it, by the parents of a search."""
    nodes, paths = G.nodes, {}
    for v, p in zip(order.tolist(), parent[order].tolist()):
        own = [nodes[v]]
        paths[v] = own if p == NOBODY else own + paths[p] if turned else paths[p] + own
    return dict(zip(G.names(order), paths.values()))


def _back(G, parent, v):
    """The path to vertex v."""
    path = []
    while v != NOBODY:
        path.append(G.nodes[v])
        v = int(parent[v])
    return path[::-1]


@runs(multi=True, cheap=True)
def single_source_shortest_path_length(G, source, cutoff=None):
    return _lengths(G, G.vertices([source]), cutoff)


def _backward(given):
    if given["G"].is_directed() and given["target"] is not None and given.get("source") is None:
        return "gblite: edges into a node have an order of their own"
    return None


@runs(multi=True, unless=_backward, cheap=True)
def single_target_shortest_path_length(G, target, cutoff=None):
    return _lengths(G, G.vertices([target], "Target {} is not in G"), cutoff, reverse=True)


@runs(multi=True)
def all_pairs_shortest_path_length(G, cutoff=None):
    for node in G:
        yield node, _lengths(G, G.vertices([node]), cutoff)


@runs(multi=True, cheap=True)
def single_source_shortest_path(G, source, cutoff=None):
    order, parent, _ = search(G, G.vertices([source], "Source {} not in G"), cutoff)
    return _paths(G, order, parent)


@runs(multi=True, unless=_backward, cheap=True)
def single_target_shortest_path(G, target, cutoff=None):
    order, parent, _ = search(G, G.vertices([target], "Target {} not in G"), cutoff, reverse=True)
    return _paths(G, order, parent, turned=True)


@runs(multi=True)
def all_pairs_shortest_path(G, cutoff=None):
    for node in G:
        yield node, single_source_shortest_path(G, node, cutoff)


@runs(multi=True, cheap=True)
def has_path(G, source, target):
    s = G.vertices([source])
    t = G.vertices([target], "Target {} is not in G")
    return search(G, s)[2][t[0]].item() != NOBODY


@runs(multi=True, cheap=True)
def bfs_layers(G, sources):
    sources = [sources] if sources in G else list(set(sources))
    for source in sources:
        if source not in G:
            raise nx.NetworkXError(f"The node {source} is not in the graph.")
    order, _, level = search(G, G.vertices(sources))
    yield from _split(G, order, level)


def _split(G, order, level):
    """Lists of the nodes of each level."""
    ends = np.flatnonzero(np.diff(level[order])) + 1
    nodes = G.names(order)
    bounds = [0, *ends.tolist(), len(nodes)]
    return [nodes[a:b] for a, b in zip(bounds, bounds[1:]) if a < b]


@runs(multi=True, cheap=True)
def descendants_at_distance(G, source, distance):
    if source not in G:
        raise nx.NetworkXError(f"The node {source} is not in the graph.")
    cutoff = distance if isinstance(distance, int) else None
    order, _, level = search(G, G.vertices([source]), cutoff)
    return set(G.names(order[level[order] == distance]))


def _beyond(G, source, reverse):
    if source not in G:
        raise nx.NetworkXError(f"The node {source} is not in the {'di' * G.directed}graph.")
    return set(G.names(search(G, G.vertices([source]), reverse=reverse)[0][1:]))


@runs(multi=True, cheap=True)
def descendants(G, source):
    return _beyond(G, source, False)


@runs(multi=True, cheap=True)
def ancestors(G, source):
    return _beyond(G, source, True)


@runs(multi=True, sort_neighbors=None)
def bfs_predecessors(G, source, depth_limit=None, sort_neighbors=None):
    if source not in G:
        raise nx.NetworkXError(f"The node {source} is not in the {'di' * G.directed}graph.")
    order, parent, _ = search(G, G.vertices([source]), depth_limit)
    yield from zip(G.names(order[1:]), G.names(parent[order[1:]]))


# -- with weights ---------------------------------------------------------------------------------


def dijkstra(G, sources, weight, cutoff=None, target=None):
    """(order, parent, distance) from nodes; order ends with target where it is reached. Distances
    are whole where all weights are."""
    n, found = len(G), ffi.new("uint64_t *")
    vertices = _vertices(G, sources, weight)
    end = G.number[target] if target in G else n
    (order, a), (parent, b), (distance, c) = (room(n, t) for t in (np.uint32, np.uint32, float))
    start = ffi.new("gblite_python_Dijkstra *", {
        "sources": pointer(vertices, "uint32_t *"), "count": len(vertices), "target": end,
        "cutoff": math.inf if cutoff is None else cutoff})
    try:
        call("dijkstra", found, a, b, c, G.lent(weight, weighted=True), start)
    except InvalidValue as error:
        raise ValueError("Contradictory paths found:", "negative weights?") from error
    order = order[: found[0]]
    return order, parent, _exact(G, distance, weight)


def _refuse_mixed(G, weight):
    if G.weights(weight)[1] is None:
        raise NotImplementedError("gblite: sums of whole and other weights are networkx's")


def _exact(G, distance, weight):
    _refuse_mixed(G, weight)
    if not G.weights(weight)[1]:
        return distance
    distance[~np.isfinite(distance)] = 0
    return distance.astype(np.int64)


def _from_sources(G, vertices, distances, sources):
    """{node: distance}, whole for the sources."""
    found = dict(zip(G.names(vertices), distances.tolist()))
    found.update((source, 0) for source in sources if found.get(source) == 0)
    return found


def _vertices(G, sources, weight):
    if not hasattr(sources, "__len__"):  # networkx goes through them twice
        raise NotImplementedError("gblite: name the sources in a list")
    if not sources:
        raise ValueError("sources must not be empty")
    found = G.vertices(sources, "Node {} not found in graph")
    if len(found) > 1 and (G.least(weight) < 0 or len(np.unique(found)) < len(found)):
        raise NotImplementedError("gblite: sources named twice, or below 0, are networkx's")
    return found


def _by_buckets(G, source, weight):
    """Lengths of the shortest paths from one node, by gblite's delta-stepping, nearest first; None
    if some are equal."""
    x = G.weights(weight)[0]
    mean = x.mean().item() if len(x) > 0 else 0.0
    start = int(G.vertices([source], "Node {} not found in graph")[0])
    indices, distance = algorithms.distances(G.matrix(weight), start, mean or 1.0).to_coo()
    nearest = np.argsort(distance, kind="stable")
    distance = distance[nearest]
    if (distance[1:] == distance[:-1]).any():
        return None
    return _from_sources(G, indices[nearest], distance, [source])


@runs()
def multi_source_dijkstra_path_length(G, sources, cutoff=None, weight="weight"):
    vertices = _vertices(G, sources, weight)
    if len(vertices) == 1 and G.least(weight) >= 0 and cutoff is None and (
            G.weights(weight)[1] is False):  # sums of whole weights are often equal
        found = _by_buckets(G, next(iter(sources)), weight)
        if found is not None:
            return found
    order, _, distance = dijkstra(G, sources, weight, cutoff)
    return _from_sources(G, order, distance[order], sources)


@runs()
def multi_source_dijkstra(G, sources, target=None, cutoff=None, weight="weight"):
    _vertices(G, sources, weight)
    if target in sources:
        return (0, [target])
    order, parent, distance = dijkstra(G, sources, weight, cutoff, target)
    if target is None:
        lengths = _from_sources(G, order, distance[order], sources)
        return lengths, _paths(G, order, parent)
    if target not in G or len(order) == 0 or order[-1] != G.number[target]:
        raise nx.NetworkXNoPath(f"No path to {target}.")
    end = G.number[target]
    return distance[end].item(), _back(G, parent, end)


@runs()
def multi_source_dijkstra_path(G, sources, cutoff=None, weight="weight"):
    return multi_source_dijkstra(G, sources, None, cutoff, weight)[1]


@runs()
def single_source_dijkstra(G, source, target=None, cutoff=None, weight="weight"):
    return multi_source_dijkstra(G, [source], target, cutoff, weight)


@runs()
def single_source_dijkstra_path(G, source, cutoff=None, weight="weight"):
    return multi_source_dijkstra(G, [source], None, cutoff, weight)[1]


@runs()
def single_source_dijkstra_path_length(G, source, cutoff=None, weight="weight"):
    return multi_source_dijkstra_path_length(G, [source], cutoff, weight)


@runs()
def dijkstra_path(G, source, target, weight="weight"):
    return multi_source_dijkstra(G, [source], target, None, weight)[1]


@runs()
def dijkstra_path_length(G, source, target, weight="weight"):
    G.vertices([source], "Node {} not found in graph")
    try:
        return multi_source_dijkstra(G, [source], target, None, weight)[0]
    except nx.NetworkXNoPath as error:
        raise nx.NetworkXNoPath(f"Node {target} not reachable from {source}") from error


@runs()
def all_pairs_dijkstra(G, cutoff=None, weight="weight"):
    _refuse_mixed(G, weight)  # now: networkx cannot take over within an iterator
    return ((node, multi_source_dijkstra(G, [node], None, cutoff, weight)) for node in G)


@runs()
def all_pairs_dijkstra_path(G, cutoff=None, weight="weight"):
    return ((node, paths) for node, (_, paths) in all_pairs_dijkstra(G, cutoff, weight))


@runs()
def all_pairs_dijkstra_path_length(G, cutoff=None, weight="weight"):
    _refuse_mixed(G, weight)
    return ((node, multi_source_dijkstra_path_length(G, [node], cutoff, weight)) for node in G)


@runs()
def single_source_bellman_ford_path_length(G, source, weight="weight"):
    start, found = int(G.vertices([source], "Source {} not in G")[0]), ffi.new("uint64_t *")
    (order, a), (distance, b) = room(len(G), np.uint32), room(len(G), float)
    try:
        call("bellman_ford", found, a, b, G.lent(weight, weighted=True),
             pointer(G.rows, "uint32_t *"), start)
    except InvalidValue as error:
        raise nx.NetworkXUnbounded("Negative cycle detected.") from error
    order = order[: found[0]]
    return _from_sources(G, order, _exact(G, distance, weight)[order], [source])


@runs()
def bellman_ford_path_length(G, source, target, weight="weight"):
    G.vertices([source], "Node {} not found in graph" if source == target else "Source {} not in G")
    if source == target:
        return 0
    lengths = single_source_bellman_ford_path_length(G, source, weight)
    if target not in lengths:
        raise nx.NetworkXNoPath(f"node {target} not reachable from {source}")
    return lengths[target]


@runs()
def all_pairs_bellman_ford_path_length(G, weight="weight"):
    _refuse_mixed(G, weight)
    return ((node, single_source_bellman_ford_path_length(G, node, weight)) for node in G)


def _has_ends(given):
    return given["source"] is not None or given["target"] is not None


@runs(weight=None, unless=_backward, cheap=_has_ends)
def shortest_path_length(G, source=None, target=None, weight=None, method="dijkstra"):
    if method not in ("dijkstra", "bellman-ford"):
        raise ValueError(f"method not supported: {method}")
    if source is None and target is None:
        return all_pairs_shortest_path_length(G)
    if source is None:
        return _lengths(G, G.vertices([target]), None, reverse=True)
    if target is None:
        return single_source_shortest_path_length(G, source)
    s = G.vertices([source])
    t = G.vertices([target], "Target {} is not in G")[0]
    length = search(G, s)[2][t].item()
    if length == NOBODY:
        raise nx.NetworkXNoPath(f"No path between {source} and {target}.")
    return length


def _not_one_pair(given):
    if given["source"] is not None and given["target"] is not None:
        return "gblite: networkx looks for one path from both ends, which is faster"
    return _backward(given)


@runs(weight=None, unless=_not_one_pair, cheap=_has_ends)
def shortest_path(G, source=None, target=None, weight=None, method="dijkstra"):
    if method not in ("dijkstra", "bellman-ford"):
        raise ValueError(f"method not supported: {method}")
    if source is None and target is None:
        return all_pairs_shortest_path(G)
    if source is None:
        order, parent, _ = search(G, G.vertices([target], "Source {} not in G"), reverse=True)
        return _paths(G, order, parent, turned=True)
    return single_source_shortest_path(G, source)
