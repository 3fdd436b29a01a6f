# SPDX-License-Identifier: Apache-2.0
"""Centralities, distances and clustering of networkx, each with networkx's own signature."""
import math

import networkx as nx
import numpy as np

from gblite import algorithms
from gblite._library import ffi, pointer
from gblite._networkx_graph import call, few, room, runs, whole_unless_number, whole_zeros
from gblite._networkx_paths import search
from gblite.vector import Vector

# A search from one node takes as long as from so many of many nodes that are searched together
# (small world of 20,000 edges, microseconds of one thread: 70 and 15).
_SEARCHES = 5


def product(G, weight=None, into=True):
    """The function x -> x A, or A x, on dense arrays; A has the weights of an attribute."""
    if weight is not None:
        x = G.weights(weight)[0]
        weight = None if len(x) > 0 and (x == 1).all() else weight
    A = G.matrix(weight)
    A = A.T if into else A
    ring = "plus_second" if weight is None else "plus_times"
    return lambda x: A.mxv(Vector(x), ring).to_numpy()


def _norm(x):
    squares = np.dot(x, x).item()
    return math.sqrt(squares) if 1e-200 < squares < 1e200 else math.hypot(*x.tolist())


# -- power iterations -----------------------------------------------------------------------------


@runs()
def pagerank(G, alpha=0.85, personalization=None, max_iter=100, tol=1.0e-6, nstart=None,
             weight="weight", dangling=None):
    n = len(G)
    if n == 0:
        return {}
    sums = product(G, weight, into=False)(np.ones(n))
    ends = sums == 0
    factor = np.divide(1, sums, out=np.zeros(n), where=~ends)

    def shares(mapping, without=nx.PowerIterationFailedConvergence(max_iter)):
        if mapping is None:
            return np.full(n, 1 / n)
        values = G.of_nodes(mapping)
        if values.sum() == 0:
            raise without
        return values / values.sum()

    jump, x = shares(personalization, ZeroDivisionError), shares(nstart)
    leave = jump if dangling is None else shares(dangling)
    pull = product(G, weight)
    for _ in range(max_iter):
        last = x
        x = alpha * (pull(x * factor) + x[ends].sum() * leave) + (1 - alpha) * jump
        if np.abs(x - last).sum() < n * tol:
            return G.named(x)
    raise nx.PowerIterationFailedConvergence(max_iter)


_SPAN = 1e6  # of weights; squares of singular values lose digits above
_STEPS = 40  # of the power method; where it needs more, ARPACK is faster


def _authorities(along, back, n):
    """The first right singular vector by the power method, or None if it takes too many steps."""
    x = np.full(n, 1 / math.sqrt(n))
    for _ in range(_STEPS):
        last, x = x, back(along(x))
        x = x / (_norm(x) or 1)
        if _norm(x - last) < 1e-10:
            return x
    return None


def _singular_vector(along, back, n, **options):
    """The same as networkx finds it, by scipy."""
    from scipy.sparse.linalg import ArpackNoConvergence, LinearOperator, svds

    A = LinearOperator((n, n), lambda x: along(x.ravel()), lambda x: back(x.ravel()), dtype=float)
    try:
        return svds(A, k=1, **options)[2].ravel()
    except ArpackNoConvergence as error:
        raise nx.PowerIterationFailedConvergence(options["maxiter"]) from error


@runs(nstart=None)
def hits(G, max_iter=100, tol=1.0e-8, nstart=None, normalized=True):
    n = len(G)
    if n == 0:
        return {}, {}
    if max_iter <= 0:
        raise nx.PowerIterationFailedConvergence(max_iter)
    x = G.weights("weight")[0]
    if not (n > 1 and 1e-100 < x.max(initial=0) < 1e100 and x.min() >= 0
            and x.max() <= _SPAN * x[x > 0].min()):
        raise NotImplementedError("gblite: hubs of no or extreme weights are networkx's")
    along, back = product(G, "weight", into=False), product(G, "weight")
    a = _authorities(along, back, n) if max_iter >= _STEPS else None
    if a is None:
        a = _singular_vector(along, back, n, maxiter=max_iter, tol=tol)
    h = along(a)
    if normalized:
        h, a = h / h.sum(), a / a.sum()
    return G.named(h), G.named(a)


@runs()
def katz_centrality(G, alpha=0.1, beta=1.0, max_iter=1000, tol=1.0e-6, nstart=None,
                    normalized=True, weight=None):
    n = len(G)
    if n == 0:
        return {}
    if isinstance(alpha, int) and not normalized:
        raise NotImplementedError("gblite: values may be whole where alpha is")
    x = np.zeros(n) if nstart is None else np.array([nstart[node] for node in G], float)
    try:
        b = float(beta)
    except (TypeError, ValueError, AttributeError) as error:
        if set(beta) != set(G):
            raise nx.NetworkXError("beta dictionary must have a value for every node") from error
        b = G.of_nodes(beta)
    pull = product(G, weight)
    for _ in range(max_iter):
        last = x
        x = alpha * pull(x) + b
        if np.abs(x - last).sum() < n * tol:
            return G.named(x / (_norm(x) or 1) if normalized else x)
    raise nx.PowerIterationFailedConvergence(max_iter)


@runs()
def eigenvector_centrality(G, max_iter=100, tol=1.0e-6, nstart=None, weight=None):
    n = len(G)
    if n == 0:
        raise nx.NetworkXPointlessConcept("cannot compute centrality for the null graph")
    x = np.ones(n) if nstart is None else np.array([nstart[node] for node in G], float)
    if not x.any():
        raise nx.NetworkXError("initial vector cannot have all zero values")
    G.refuse_negative(weight or None)
    x = x / x.sum()
    pull = product(G, weight or None)
    for _ in range(max_iter):
        last = x
        x = x + pull(x)
        x = x / (_norm(x) or 1)
        if np.abs(x - last).sum() < n * tol:
            return G.named(x)
    raise nx.PowerIterationFailedConvergence(max_iter)


# -- distances ------------------------------------------------------------------------------------


def spread(G, sources=None):
    """(sums, far, reached): for each vertex how many sources reach it, the sum of their distances
    and of 1/distance; for each source how far it sees, and how many vertices."""
    n = len(G)
    sources = np.arange(n, dtype=np.uint32) if sources is None else sources
    sums, to = room(3 * n, float)
    (far, a), (reached, b) = room(len(sources), np.uint32), room(len(sources), np.uint64)
    call("spread", to, ffi.new("gblite_python_Spread *", {"far": a, "reached": b}), G.lent(),
         pointer(sources, "uint32_t *"), len(sources))
    return sums.reshape(n, 3).T, far, reached


@runs(multi=True, distance=None, cheap=lambda given: given["u"] is not None)
def closeness_centrality(G, u=None, distance=None, wf_improved=True):
    n = len(G)
    if u is None:
        count, total, _ = spread(G)[0]
    else:
        order, _, level = search(G, G.vertices([u]), reverse=True)
        count, total = np.array([len(order)]), level[order].sum(keepdims=True)
    value = np.divide(count - 1, total, out=np.zeros(len(count)), where=total > 0)
    if wf_improved and n > 1:
        value *= (count - 1) / (n - 1)
    return G.named(value) if u is None else value[0].item()


def _one(key):
    """Whether the argument names one node, from which networkx needs one search."""
    return lambda given: given[key] is not None and given[key] in given["G"]


def _harmonic(G, v, counted):
    """The sum of 1/distance from the counted vertices to v."""
    order, _, level = search(G, v, reverse=True)
    return (1 / level[order[1:][counted[order[1:]]]]).sum().item() or 0


@runs(multi=True, distance=None, cheap=_one("nbunch"))
def harmonic_centrality(G, nbunch=None, distance=None, sources=None):
    nodes = list(set(G.nbunch_iter(nbunch)))  # in networkx's order
    start = None if sources is None else G.vertices(list(dict.fromkeys(G.nbunch_iter(sources))))
    vertices = G.vertices(nodes)
    if _SEARCHES * len(nodes) < (len(G) if start is None else len(start)):
        counted = np.full(len(G), start is None)
        if start is not None:
            counted[start] = True
        return {node: _harmonic(G, vertices[k : k + 1], counted) for k, node in enumerate(nodes)}
    return dict(zip(nodes, whole_zeros(spread(G, start)[0][2][vertices])))


@runs(multi=True, sp=None, weight=None, cheap=_one("v"))
def eccentricity(G, v=None, sp=None, weight=None):
    nodes = list(G.nbunch_iter(v))
    _, far, reached = spread(G, G.vertices(nodes))
    if (reached != len(G)).any():
        raise nx.NetworkXError("Found infinite path length because the " + (
            "digraph is not strongly connected" if G.directed else "graph is not connected"))
    found = dict(zip(nodes, far.tolist()))
    return found[v] if v in G else found


@runs(multi=True, e=None, usebounds=False, weight=None)
def diameter(G, e=None, usebounds=False, weight=None):
    return max(eccentricity(G).values())


@runs(multi=True, e=None, usebounds=False, weight=None)
def radius(G, e=None, usebounds=False, weight=None):
    return min(eccentricity(G).values())


@runs(multi=True, e=None, usebounds=False, weight=None)
def periphery(G, e=None, usebounds=False, weight=None):
    found = eccentricity(G)
    most = max(found.values())
    return [v for v, far in found.items() if far == most]


@runs(multi=True, e=None, usebounds=False, weight=None)
def center(G, e=None, usebounds=False, weight=None):
    if len(G) == 0 and not G.directed:
        raise nx.NetworkXPointlessConcept("G has no nodes.")
    found = eccentricity(G)
    least = min(found.values())
    return [v for v, far in found.items() if far == least]


def _other_method(given):
    return None if given["method"] in (None, "unweighted") else "gblite: networkx has this method"


@runs(multi=True, weight=None, unless=_other_method)
def average_shortest_path_length(G, weight=None, method=None):
    n = len(G)
    if n == 0:
        raise nx.NetworkXPointlessConcept(
            "the null graph has no paths, thus there is no average shortest path length")
    if n == 1:
        return 0
    sums, _, reached = spread(G)
    if (reached != n).any():
        raise nx.NetworkXError("Graph is not " + "strongly " * G.directed + "connected.")
    return sums[1].sum().item() / (n * (n - 1))


@runs(multi=True, weight=None)
def wiener_index(G, weight=None):
    if len(G) == 0:
        raise nx.NetworkXPointlessConcept("Connectivity is undefined for the null graph.")
    sums, _, reached = spread(G)
    if (reached != len(G)).any():
        return math.inf
    return int(sums[1].sum()) if G.directed else sums[1].sum().item() / 2


@runs(multi=True)
def global_efficiency(G):
    n = len(G)
    return spread(G)[0][2].sum().item() / (n * (n - 1)) if n > 1 else 0


# -- betweenness ----------------------------------------------------------------------------------


def _sample(G, k, seed):
    """Vertices of k nodes as networkx draws them, or of all."""
    if k is None:
        return np.arange(len(G), dtype=np.uint32)
    return G.vertices(nx.utils.create_py_random_state(seed).sample(G.nodes, k))


def _rescaled(G, values, sources, normalized, all_pairs, ends):
    """values in proportion to how many pairs of a source and a target count. ends: paths count at
    their ends too. A source that is not its own target weighs more if sources are a sample."""
    n = len(G) - (not ends)
    if n < 2:
        return values
    pairs = 1 if G.directed else 2
    if all_pairs or ends:
        k = n if all_pairs else len(sources)
        return values * (1 / (k * (n - 1)) if normalized else n / (k * pairs))
    k, whole = len(sources), 1 / (n - 1) if normalized else n / pairs
    values[sources] *= k / (k - 1) if k > 1 else math.nan
    return values * (whole / k)


_SOURCES = 512


def _shares(G, sources, of_edges):
    """The shares of shortest paths that lead through each vertex, then along each edge."""
    size = len(G) + of_edges * len(G.indices)
    sums, (some, to) = np.zeros(size), room(size, float)
    for begin in range(0, len(sources), _SOURCES):  # Ctrl-C is noticed in between
        part = sources[begin : begin + _SOURCES]
        call("shares", to, G.lent(), pointer(part, "uint32_t *"), len(part), of_edges)
        sums += some
    return sums


@runs(multi=True, weight=None)
def betweenness_centrality(G, k=None, normalized=True, weight=None, endpoints=False, seed=None):
    all_pairs = k is None or k == len(G)
    sources = _sample(G, None if all_pairs else k, seed)
    values = _shares(G, sources, False)
    if endpoints:
        sums, _, reached = spread(G, sources)
        values = values + sums[0]
        values[sources] += reached.astype(float) - 2  # the source itself is among both
    return G.named(_rescaled(G, values, sources, normalized, all_pairs, endpoints))


@runs(weight=None)
def edge_betweenness_centrality(G, k=None, normalized=True, weight=None, seed=None):
    sources = _sample(G, k, seed)
    sums = _shares(G, sources, True)[len(G):]
    once = G.once
    u, v = G.rows[once].astype(np.int64), G.indices[once].astype(np.int64)
    values = sums[once]
    if not G.directed:
        n = len(G)
        keys = G.rows.astype(np.int64) * n + G.indices
        order = np.argsort(keys)
        values = values + sums[order[np.searchsorted(keys, v * n + u, sorter=order)]]
    values = _rescaled(G, values, sources, normalized, k is None, True)
    return dict(zip(zip(G.names(u), G.names(v)), values.tolist()))


# -- clustering -----------------------------------------------------------------------------------


def _undirected(given):
    return "gblite: networkx treats directed graphs" if given["G"].is_directed() else None


def _triangles(G):
    """(triangles of each vertex of an undirected graph, its degree without loops)"""
    degree = G.out_degrees - G.loops
    coefficient = _clustering(G)
    return np.rint(coefficient * degree * (degree - 1) / 2).astype(np.int64), degree


@runs(cheap=few("nodes", 16))
def triangles(G, nodes=None):
    return G.chosen(_triangles(G)[0], nodes)


def _clustering(G):
    return G.kept("clustering", lambda: _find_clustering(G))


def _find_clustering(G):
    if not G.directed:
        return algorithms.local_clustering(G.matrix()).to_numpy()
    A = G.matrix().select("offdiag")
    S = A.ewise_add(A.T)
    walks = S.mxm(S, mask=S, structure=True).ewise_mult(S).reduce_rows().to_numpy()
    total = S.reduce_rows().to_numpy()
    both = A.ewise_mult(A.T, "pair").degrees().to_numpy()
    return np.divide(walks, 2 * (total * (total - 1) - 2 * both), out=np.zeros(len(G)),
                     where=walks > 0)


@runs(weight=None, cheap=few("nodes", 16))
def clustering(G, nodes=None, weight=None):
    return G.chosen(_clustering(G), nodes, whole_zeros)


def _one_node(given):
    return "gblite: networkx refuses a single node" if given["nodes"] in given["G"] else None


@runs(weight=None, unless=_one_node, cheap=few("nodes", 16))
def average_clustering(G, nodes=None, weight=None, count_zeros=True):
    found = _clustering(G)
    if nodes is not None:
        found = found[G.vertices(list(G.nbunch_iter(nodes)))]
    found = found if count_zeros else found[found > 0]
    if len(found) == 0:
        raise ZeroDivisionError("division by zero")
    return found.sum().item() / len(found)


@runs(unless=_undirected)
def transitivity(G):
    count, degree = _triangles(G)
    closed = int(count.sum())
    return 2 * closed / int((degree * (degree - 1)).sum()) if closed else 0


@runs(unless=_undirected, cheap=few("nodes", 16))
def square_clustering(G, nodes=None):
    found = G.kept("squares", lambda: _square_clustering(G))
    return G.chosen(found, nodes, whole_unless_number)


def _square_clustering(G):
    A = G.simple()
    paths = A.mxm(A, "plus_pair").select("offdiag")
    squares = (paths.ewise_mult(paths).reduce_rows().to_numpy()
               - paths.reduce_rows().to_numpy()) / 2
    count, degree = _triangles(G)
    around = A.mxv(Vector(degree.astype(float))).to_numpy()
    potential = around * (degree - 1) - degree * (degree - 1) - 2 * count - squares
    return np.divide(squares, potential, out=np.full(len(G), np.nan), where=potential > 0)


# -- mixing ---------------------------------------------------------------------------------------


def _no_directions(given):
    return None if given["G"].is_directed() else "gblite: edges have no directions"


@runs(unless=_no_directions)
def overall_reciprocity(G):
    if len(G.indices) == 0:
        raise nx.NetworkXError("Not defined for empty graphs")
    A = G.matrix().select("offdiag")
    return A.ewise_mult(A.T, "pair").nvals / len(G.indices)


@runs(unless=_no_directions, nodes=None)
def reciprocity(G, nodes=None):
    return overall_reciprocity(G)


@runs(weight=None, nodes=None)
def degree_assortativity_coefficient(G, x="out", y="in", weight=None, nodes=None):
    kinds = {"out": G.out_degrees, "in": G.in_degrees} if G.directed else dict.fromkeys(
        ("in", "out"), G.degrees)
    a, b = kinds[x][G.rows].astype(float), kinds[y][G.indices].astype(float)
    a, b = a - a.mean(), b - b.mean()
    return float((a * b).sum() / np.sqrt((a * a).sum() * (b * b).sum()))


def _degrees(G, kind, what):
    kinds = {"in": G.in_degrees, "out": G.out_degrees, "in+out": G.degrees}
    if not G.directed and kind != "out":
        raise nx.NetworkXError(
            "source and target arguments are only supported for directed graphs")
    if kind not in kinds:
        raise nx.NetworkXError(f"{what} argument {kind} must be 'in', 'out' or 'in+out'")
    return kinds[kind] if G.directed else G.degrees


@runs(weight=None, unless=_one_node, cheap=few("nodes", 4))
def average_neighbor_degree(G, source="out", target="out", nodes=None, weight=None):
    own, theirs = _degrees(G, source, "source"), _degrees(G, target, "target").astype(float)
    total = np.zeros(len(G))
    if not G.directed or "out" in source:
        total += product(G, into=False)(theirs)
    if G.directed and "in" in source:
        total += product(G)(theirs)
    return G.chosen(np.divide(total, own, out=np.zeros(len(G)), where=own > 0), nodes)


@runs()
def modularity(G, communities, weight="weight", resolution=1):
    communities = list(communities)
    members = {node for community in communities for node in community if node in G}
    if not len(G) == len(members) == sum(map(len, communities)):
        raise nx.community.quality.NotAPartition(G, communities)
    label = np.empty(len(G), np.int64)
    for k, community in enumerate(communities):
        label[G.vertices(list(community))] = k
    G.refuse_negative(weight)
    (x, whole), k = G.weights(weight), len(communities)
    out = np.bincount(label[G.rows], x, k)
    into = np.bincount(label[G.indices], x, k)
    same = label[G.rows] == label[G.indices]
    inside = np.bincount(label[G.rows[same]], x[same], k)
    if not G.directed:
        loops = G.rows == G.indices
        own = np.bincount(label[G.rows[loops]], x[loops], k)
        out, inside = out + own, inside + own  # a loop counts twice
        into = out
    total = out.sum().item()
    norm = 1 / (int(total) if whole else total) ** 2  # fails as networkx's
    return float((inside / total - resolution * out * into * norm).sum())
