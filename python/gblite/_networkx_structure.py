# SPDX-License-Identifier: Apache-2.0
"""Components, orders, cores, trees and links of networkx, each with networkx's own signature."""
import networkx as nx
import numpy as np

from gblite import algorithms
from gblite._library import ffi, pointer
from gblite._networkx_graph import call, few, room, runs, whole_unless_number, whole_zeros
from gblite._networkx_paths import search
from gblite.matrix import Matrix


def _labels(G):
    """The lowest vertex of the component of each vertex; directions do not matter."""
    return algorithms.labels(G.simple() if G.directed else G.matrix()).to_numpy()


def _sets(G, labels):
    """The sets of nodes with the same label, in the order in which networkx meets them."""
    order = np.argsort(labels, kind="stable")
    ends = np.flatnonzero(np.diff(labels[order])) + 1
    nodes = G.names(order)
    bounds = [0, *ends.tolist(), len(nodes)]
    return [set(nodes[a:b]) for a, b in zip(bounds, bounds[1:]) if a < b]


def _refuse_empty(G):
    if len(G) == 0:
        raise nx.NetworkXPointlessConcept("Connectivity is undefined for the null graph.")


@runs(multi=True, cheap=True)
def connected_components(G):
    yield from _sets(G, _labels(G))


@runs(multi=True, cheap=True)
def number_connected_components(G):
    return len(np.unique(_labels(G)))


@runs(multi=True, cheap=True)
def is_connected(G):
    _refuse_empty(G)
    return not _labels(G).any()


@runs(multi=True, cheap=True)
def node_connected_component(G, n):
    if n not in G:
        raise KeyError(n)
    return set(G.names(search(G, G.vertices([n]))[0]))


@runs(multi=True, cheap=True)
def weakly_connected_components(G):
    yield from _sets(G, _labels(G))


@runs(multi=True, cheap=True)
def number_weakly_connected_components(G):
    return len(np.unique(_labels(G)))


@runs(multi=True, cheap=True)
def is_weakly_connected(G):
    _refuse_empty(G)
    return not _labels(G).any()


def _strong(G):
    count, (label, to) = ffi.new("uint64_t *"), room(len(G), np.uint32)
    call("strong", count, to, G.lent())
    return count[0], label


@runs(multi=True)
def strongly_connected_components(G):
    yield from _sets(G, _strong(G)[1])


@runs(multi=True)
def number_strongly_connected_components(G):
    return _strong(G)[0]


@runs(multi=True, cheap=True)
def is_strongly_connected(G):
    _refuse_empty(G)
    return _strong(G)[0] == 1


@runs(multi=True)
def attracting_components(G):
    count, label = _strong(G)
    leaves = np.zeros(count, bool)
    out = label[G.rows] != label[G.indices]
    leaves[label[G.rows[out]]] = True
    for k, found in enumerate(_sets(G, label)):
        if not leaves[k]:
            yield found


# -- orders ---------------------------------------------------------------------------------------


def _generations(G):
    found, n = ffi.new("uint64_t *"), len(G)
    (order, a), (level, b) = room(n, np.uint32), room(n, np.uint32)
    call("generations", found, a, b, G.lent())
    return order[: found[0]], level


# networkx's topological_sort and topological_generations raise if the graph changes while somebody
# iterates over them, which a converted graph cannot know: they are left to networkx.
@runs(multi=True, cheap=True)
def is_directed_acyclic_graph(G):
    return G.directed and len(_generations(G)[0]) == len(G)


# -- cores and trusses ----------------------------------------------------------------------------


def _refuse_loops(G):
    if G.loops.any():
        raise nx.NetworkXNotImplemented(
            "Input graph has self loops which is not permitted; "
            "Consider using G.remove_edges_from(nx.selfloop_edges(G)).")


def _cores(G):
    _refuse_loops(G)
    core, to = room(len(G), np.uint32)
    call("cores", to, G.lent())
    return core.astype(np.int64)


def _directed(given):
    return "gblite: of undirected graphs only" if given["G"].is_directed() else None


@runs(unless=_directed)
def core_number(G):
    return G.named(_cores(G))


def _inside(G, inside):
    """The subgraph of the vertices of a mask."""
    nodes, edges = np.flatnonzero(inside), G.once
    edges = edges[inside[G.rows[edges]] & inside[G.indices[edges]]]
    if 2 * len(nodes) < len(G):  # networkx goes through its set of them
        nodes = G.vertices(list(set(G.names(nodes))))
        edges = np.flatnonzero(inside[G.rows] & inside[G.indices])
        rank = np.zeros(len(G), np.int64)
        rank[nodes] = np.arange(len(nodes))
        edges = edges[rank[G.rows[edges]] <= rank[G.indices[edges]]]
        edges = edges[np.argsort(rank[G.rows[edges]], kind="stable")]
    return G.to_networkx(edges, nodes)


def _largest(core):
    return max(core.tolist())  # of none: networkx's ValueError


@runs(unless=_directed, core_number=None)
def k_core(G, k=None, core_number=None):
    core = _cores(G)
    return _inside(G, core >= (_largest(core) if k is None else k))


@runs(unless=_directed, core_number=None)
def k_shell(G, k=None, core_number=None):
    core = _cores(G)
    return _inside(G, core == (_largest(core) if k is None else k))


@runs(unless=_directed, core_number=None)
def k_crust(G, k=None, core_number=None):
    core = _cores(G)
    return _inside(G, core <= (_largest(core) - 1 if k is None else k))


@runs()
def k_truss(G, k):
    _refuse_loops(G)
    if k > 2 and k == int(k):
        rows, columns, _ = algorithms.truss(G.matrix(), int(k)).to_coo()
    elif k > 2:
        raise NotImplementedError("gblite: k is a whole number")
    else:
        rows, columns = G.rows, G.indices
    n = len(G)
    left = np.asarray(rows).astype(np.int64) * n + np.asarray(columns)
    kept = np.isin(G.rows.astype(np.int64) * n + G.indices, left)
    return G.to_networkx(G.once[kept[G.once]], np.unique(G.rows[kept]))


# -- colours and communities ----------------------------------------------------------------------


def _colors(G):
    """(vertices of falling degree, the colour of each vertex when they choose in this order)"""
    order = np.argsort(-G.degrees, kind="stable").astype(np.uint32)
    color, to = room(len(G), np.uint32)
    call("colors", to, G.lent(), pointer(order, "uint32_t *"))
    return order, color


@runs(unless=_directed, strategy="largest_first", interchange=False)
def greedy_color(G, strategy="largest_first", interchange=False):
    order, color = _colors(G)
    return dict(zip(G.names(order), color[order].tolist()))


@runs()
def label_propagation_communities(G):
    order = np.argsort(_colors(G)[1], kind="stable").astype(np.uint32)
    label, to = room(len(G), np.uint32)
    call("propagate", to, G.lent(), pointer(order, "uint32_t *"))
    _, first, group = np.unique(label, return_index=True, return_inverse=True)
    return dict(enumerate(_sets(G, first[group]))).values()


@runs(multi=True)
def maximal_independent_set(G, nodes=None, seed=None):
    given = {seed.choice(list(G))} if not nodes else set(nodes)
    if not given.issubset(G.number):
        raise nx.NetworkXUnfeasible(f"{given} is not a subset of the nodes of G")
    chosen = G.vertices(list(given))
    out = np.zeros(len(G), np.uint8)
    out[chosen] = 2
    near = G.indices[out[G.rows] == 2]
    if (out[near] == 2).any():
        raise nx.NetworkXUnfeasible(f"{given} is not an independent set of G")
    out[near] = 1
    order = np.random.default_rng(int(seed.random() * 2**53)).permutation(len(G)).astype(np.uint32)
    found, (more, to) = ffi.new("uint64_t *"), room(len(G), np.uint32)
    call("independent", found, to, pointer(out, "uint8_t *"), G.lent(),
         pointer(order, "uint32_t *"))
    return list(given) + G.names(more[: found[0]])


# -- trees ----------------------------------------------------------------------------------------


def _spanning(G, weight, sign):
    """Where the edges of a spanning forest are, lightest first, as Kruskal's algorithm takes
    them."""
    edges = G.once
    edges = edges[np.argsort(sign * G.weights(weight)[0][edges], kind="stable")]
    u, v = np.ascontiguousarray(G.rows[edges]), np.ascontiguousarray(G.indices[edges])
    kept, to = room(len(edges), np.uint8)
    call("forest", to, len(G), pointer(u, "uint32_t *"), pointer(v, "uint32_t *"), len(edges))
    return edges[kept.astype(bool)]


@runs(unless=_directed, algorithm="kruskal", ignore_nan=False)
def minimum_spanning_tree(G, weight="weight", algorithm="kruskal", ignore_nan=False):
    return G.to_networkx(_spanning(G, weight, 1))


@runs(unless=_directed, algorithm="kruskal", ignore_nan=False)
def maximum_spanning_tree(G, weight="weight", algorithm="kruskal", ignore_nan=False):
    return G.to_networkx(_spanning(G, weight, -1))


def _edges(G, edges, data):
    u, v = G.names(G.rows[edges]), G.names(G.indices[edges])
    if data:
        return iter(list(zip(u, v, [G.edge_data[e] for e in edges.tolist()])))
    return iter(list(zip(u, v)))


@runs(unless=_directed, algorithm="kruskal", ignore_nan=False)
def minimum_spanning_edges(G, algorithm="kruskal", weight="weight", keys=True, data=True,
                           ignore_nan=False):
    return _edges(G, _spanning(G, weight, 1), data)


@runs(unless=_directed, algorithm="kruskal", ignore_nan=False)
def maximum_spanning_edges(G, algorithm="kruskal", weight="weight", keys=True, data=True,
                           ignore_nan=False):
    return _edges(G, _spanning(G, weight, -1), data)


# -- links ----------------------------------------------------------------------------------------


def _pairs(G, ebunch, score, shown=whole_zeros):
    """(u, v, score) of each pair; score takes arrays of vertices."""
    ebunch = list(ebunch)
    ends = [G.vertices([pair[k] for pair in ebunch], "Node {} not in G.") for k in (0, 1)]
    values = shown(score(*ends)) if ebunch else []
    return ((u, v, p) for (u, v), p in zip(ebunch, values))


# Neighbours that sets of Python intersect while a product is prepared, and what a pair takes in
# neighbours: 120 us, 2 us.
_BY_HAND, _PER_PAIR = 3000, 40


def _common_of_pair(G, u, v, weights, loops):
    around = [set(G.indices[int(G.indptr[w]) : int(G.indptr[w + 1])].tolist()) for w in (u, v)]
    if not loops:
        around[0].discard(u)
        around[1].discard(v)
    common = around[0] & around[1]
    return float(len(common)) if weights is None else weights[sorted(common)].sum().item()


def _common(G, u, v, weights=None, loops=False):
    """The number of common neighbours of each pair, or the sum of what `weights` has of them: a
    product that computes these pairs alone. loops: vertices may be their own neighbours."""
    n = len(G)
    if _PER_PAIR * len(u) + (G.out_degrees[u] + G.out_degrees[v]).sum() < _BY_HAND:
        return np.array([_common_of_pair(G, *pair, weights, loops)
                         for pair in zip(u.tolist(), v.tolist())])
    A = G.matrix() if loops or not G.loops.any() else G.simple()
    ones = np.ones(len(u))
    mask = Matrix((ones, (u.astype(np.int64), v.astype(np.int64))), (n, n))
    left = A
    if weights is not None:
        at = np.arange(n)
        left = A.mxm(Matrix((weights, (at, at)), (n, n)))
    ring = "plus_pair" if weights is None else "plus_first"
    rows, columns, values = left.mxm(A.T, ring, mask=mask, structure=True).to_coo()
    places = np.asarray(rows, np.int64) * n + np.asarray(columns, np.int64)
    order = np.argsort(places)
    wanted = u.astype(np.int64) * n + v
    at = np.searchsorted(places, wanted, sorter=order)
    found = np.zeros(len(u))
    hit = at < len(places)
    hit[hit] = places[order[at[hit]]] == wanted[hit]
    found[hit] = values[order[at[hit]]]
    return found


def _no_pairs(given):
    listed = hasattr(given["ebunch"], "__len__")  # networkx goes through the pairs twice
    return None if listed else "gblite: name the pairs (ebunch) in a list"


@runs(unless=_no_pairs, cheap=few("ebunch", 4, of_pairs=True))
def jaccard_coefficient(G, ebunch=None):
    def score(u, v):
        common, size = _common(G, u, v), G.out_degrees
        union = size[u] + size[v] - _common(G, u, v, loops=True)
        return np.divide(common, union, out=np.full(len(u), np.nan), where=union > 0)
    return _pairs(G, ebunch, score, whole_unless_number)


@runs(unless=_no_pairs, cheap=few("ebunch", 4, of_pairs=True))
def adamic_adar_index(G, ebunch=None):
    def score(u, v):
        d, both = G.degrees, u[u == v]
        if len(both) > 0 and (d[G.indices[np.isin(G.rows, both)]] == 1).any():
            raise NotImplementedError("gblite: networkx divides by log(1) of a node's neighbour")
        return _common(G, u, v, 1 / np.log(np.maximum(d, 2)))
    return _pairs(G, ebunch, score)


@runs(unless=_no_pairs, cheap=few("ebunch", 4, of_pairs=True))
def resource_allocation_index(G, ebunch=None):
    def score(u, v):
        return _common(G, u, v, 1 / np.maximum(G.degrees, 1))
    return _pairs(G, ebunch, score)


def _distances(G, u, v):
    """The number of edges between each pair; infinity where no path is."""
    found = np.empty(len(u))
    order = np.argsort(u, kind="stable")
    for at in np.split(order, np.flatnonzero(np.diff(u[order])) + 1):
        found[at] = search(G, u[at[:1]])[2][v[at]]
    found[found == np.iinfo(np.uint32).max] = np.inf
    return found


@runs(unless=_no_pairs)
def common_neighbor_centrality(G, ebunch=None, alpha=0.8):
    def score(u, v):
        if (u == v).any():
            raise nx.NetworkXAlgorithmError("Self loops are not supported")
        common = _common(G, u, v)
        if alpha == 1:
            return common.astype(np.int64)
        return alpha * common + (1 - alpha) * len(G) / _distances(G, u, v)
    return _pairs(G, ebunch, score, np.ndarray.tolist)


@runs(unless=_no_pairs, cheap=few("ebunch", 1, of_pairs=True))
def preferential_attachment(G, ebunch=None):
    return _pairs(G, ebunch, lambda u, v: G.degrees[u] * G.degrees[v])
