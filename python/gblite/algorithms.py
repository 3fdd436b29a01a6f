# SPDX-License-Identifier: Apache-2.0
"""Graph algorithms on adjacency matrices: A[i, j] is an edge from i to j, its value the weight.

They are the headers of examples/, so reading one tells how it is written with the C API. What they
do not take is refused with an error that names the fault: matrices that are not square, edges
in one direction where a graph has to be undirected (undirected=True takes each in both), weights
that are below 0 or NaN, sources outside the graph.
"""
import operator

import numpy as np

from gblite._library import (INT64, InvalidIndex, InvalidValue, ShapeError, check, ffi, lib,
                             pointer, type_of, whole)
from gblite.matrix import Matrix
from gblite.vector import Vector


def _call(function, kind, type, *arguments):
    box = ffi.new(f"gbl_{kind} *")
    check(function(box, *arguments))
    return (Vector if kind == "Vector" else Matrix)._wrap(box, type)


# -- what arguments must be -----------------------------------------------------------------------


def _own(A):
    A = A if isinstance(A, Matrix) else Matrix(A, copy=None)
    if A.shape[0] != A.shape[1]:
        raise ShapeError(f"the matrix of a graph is square, not {A.shape[0]} x {A.shape[1]}")
    return A


def _both_ways(A, undirected):
    """A graph whose edges go both ways: A, or with undirected=True A and its transposed."""
    A = _own(A)
    if A.ewise_mult(A.T, "pair").nvals == A.nvals:
        return A
    if undirected:
        return A.ewise_add(A.T, "max")
    rows, columns, _ = A.ewise_mult(A, "first", mask=A.T, structure=True, complement=True).to_coo()
    i, j = int(rows[0]), int(columns[0])
    raise InvalidValue(f"the graph has to be undirected, but there is an edge ({i}, {j}) and none "
                      f"({j}, {i}); undirected=True takes edges in both directions")


def _weights(A, what):
    """Refuses weights below 0 and NaN, naming the first."""
    if A.nvals == 0 or A.dtype.kind in "bu" or (A.reduce("min") >= 0 and A.sum() >= 0):
        return
    rows, columns, values = A.to_coo()
    wrong = np.flatnonzero(~(values >= 0))
    if len(wrong) > 0:
        k = wrong[0]
        raise InvalidValue(f"the weight of edge ({rows[k]}, {columns[k]}) is {values[k]}, but "
                          f"{what} wants weights of 0 or more")


def _finite(A, what):
    """Refuses weights whose sum is infinite, too."""
    _weights(A, what)
    if A.sum() == np.inf:
        raise InvalidValue(f"weights add up to infinity; {what} wants finite ones")


def _real(name, value, low, high):
    value = float(value)
    if not low <= value <= high:  # NaN is neither
        raise InvalidValue(f"{name} is {value}, but must be {low} to {high}")
    return value


def _count(name, value, low):
    value = operator.index(value)
    if value < low:
        raise InvalidValue(f"{name} is {value}, but must be at least {low}")
    return value


def _sources(A, sources):
    """Vertices as C takes them; there is none below 0."""
    found, n = whole(np.atleast_1d(sources)), A.shape[0]
    wrong = (found < 0) | (found >= n)
    if wrong.any():
        raise InvalidIndex(f"source {found[wrong][0]}: the graph has vertices 0 to {n - 1}")
    return found.astype(np.uint64)


# -- the algorithms -------------------------------------------------------------------------------


def triangles(A, undirected=False):
    """The number of triangles of an undirected graph (a symmetric matrix); loops do not matter."""
    count, A = ffi.new("uint64_t *"), _both_ways(A, undirected)
    check(lib.gblite_python_triangles(count, A._handle))
    return count[0]


def bfs(A, source):
    """(levels, parents): for each vertex that source reaches, the number of edges from it, and the
    vertex before on a shortest path; the source is its own parent."""
    level, parent, A = ffi.new("gbl_Vector *"), ffi.new("gbl_Vector *"), _own(A)
    source = operator.index(source)
    check(lib.gblite_python_bfs(level, parent, A._handle, _sources(A, source)[0]))
    of = type_of("int32") if A.shape[0] < 2**31 else INT64
    return Vector._wrap(level, of), Vector._wrap(parent, of)


def pagerank(A, damping=0.85, tolerance=1e-6, steps=100, undirected=False):
    """The PageRank of each vertex; ranks sum to 1. undirected takes edges in both directions, which
    takes fewer steps."""
    A, made = _both_ways(A, True) if undirected else _own(A), ffi.new("int64_t *")
    damping = _real("damping", damping, 0, 1)
    tolerance, steps = _real("tolerance", tolerance, 0, 1), _count("steps", steps, 1)
    return _call(lambda box, *rest: lib.gblite_python_pagerank(box, made, *rest), "Vector",
                 type_of("float64"), A._handle, damping, tolerance, steps, undirected)


def connected_components(A, undirected=False):
    """The lowest vertex of the component of each vertex of an undirected graph; undirected=True:
    the weak components of a directed one."""
    return labels(_both_ways(A, undirected))


def labels(A):
    """connected_components of a matrix that is known to be symmetric."""
    return _call(lib.gblite_python_components, "Vector", type_of("uint32"), A._handle)


def shortest_paths(A, source, delta=None):
    """The distance from source to each vertex that it reaches; weights are not negative. delta is
    the width of a bucket of delta-stepping, by itself the mean weight."""
    A, source = _own(A), operator.index(source)
    source = _sources(A, source)[0]
    _weights(A, "a shortest path")
    if delta is None:
        mean = A.sum() / A.nvals if A.nvals > 0 else 1.0
        delta = mean if 0 < mean < np.inf else 1.0
    return distances(A, source, _real("delta", delta, 1e-300, 1e300))


def distances(A, source, delta):
    """shortest_paths of a matrix whose weights are known to be 0 or more."""
    return _call(lib.gblite_python_shortest_paths, "Vector", type_of("float64"), A._handle, source,
                 delta)


def betweenness(A, sources=None):
    """The betweenness centrality of each vertex, from all sources or those listed."""
    A = _own(A)
    sources = np.arange(A.shape[0]) if sources is None else sources
    sources = _sources(A, sources)
    return _call(lib.gblite_python_betweenness, "Vector", type_of("float64"), A._handle,
                 pointer(sources, "gbl_Index *"), len(sources))


def clustering_coefficient(A, undirected=False):
    """The local clustering coefficient of each vertex of an undirected graph."""
    return local_clustering(_both_ways(A, undirected))


def local_clustering(A):
    """clustering_coefficient of a matrix that is known to be symmetric."""
    return _call(lib.gblite_python_clustering_coefficient, "Vector", type_of("float64"), A._handle)


def k_truss(A, k, undirected=False):
    """The largest subgraph whose edges are in k - 2 triangles of it each; values count these."""
    return truss(_both_ways(A, undirected), _count("k", k, 3))


def truss(A, k):
    """k_truss of a matrix that is known to be symmetric."""
    return _call(lib.gblite_python_k_truss, "Matrix", INT64, A._handle, k)


def markov_clustering(A, inflation=2.0, prune=1e-4, select=1100, steps=1000):
    """The cluster of each vertex, named by its first attractor. Entries are weights; those of 0 are
    no edges."""
    A = _own(A)
    _finite(A, "clustering")
    inflation, prune = _real("inflation", inflation, 1, 100), _real("prune", prune, 0, 1)
    select, steps = _count("select", select, 1), _count("steps", steps, 1)
    A = A.select("!=", 0)
    return _call(lib.gblite_python_markov_cluster, "Vector", INT64, A._handle, inflation, prune,
                 select, steps)


def strong_components(A):
    """The lowest vertex of the strong component of each vertex: two are in one if each reaches the
    other along the directions of edges."""
    A = _own(A)
    return _call(lib.gblite_python_strong_components, "Vector", type_of("uint32"), A._handle)


def closeness(A, harmonic=False):
    """The closeness centrality of each vertex, by distances in edges from all others: as networkx
    has it, or with harmonic=True the sum of 1 / distance."""
    A = _own(A)
    return _call(lib.gblite_python_closeness, "Vector", type_of("float64"), A._handle,
                 bool(harmonic))


def core_numbers(A, undirected=False):
    """The largest k for which each vertex of an undirected graph is in the k-core: the largest
    subgraph whose vertices have k neighbours in it."""
    A = _both_ways(A, undirected)
    return _call(lib.gblite_python_core_numbers, "Vector", type_of("uint32"), A._handle)


def louvain(A, resolution=1.0, undirected=False):
    """(communities, modularity) of an undirected graph by the method of Louvain: the lowest vertex
    of the community of each vertex. Values are weights of 0 or more, of two directions the larger
    counts."""
    A, quality = _both_ways(A, undirected), ffi.new("double *")
    _finite(A, "modularity")
    A = A.ewise_add(A.T, "max")
    found = _call(lambda box, *rest: lib.gblite_python_louvain(box, quality, *rest), "Vector",
                  type_of("uint32"), A._handle, _real("resolution", resolution, 0, 1e9))
    return found, quality[0]


def label_propagation(A, steps=10, undirected=False):
    """The lowest vertex of the community of each vertex of an undirected graph: in a step each
    vertex takes the label that most of its neighbours have, of several the least."""
    A = _both_ways(A, undirected)
    return _call(lib.gblite_python_label_propagation, "Vector", type_of("uint32"), A._handle,
                 _count("steps", steps, 1))
