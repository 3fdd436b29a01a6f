# SPDX-License-Identifier: Apache-2.0
"""Graph algorithms on adjacency matrices: A[i, j] is an edge from i to j, its value the weight.

They are the headers of examples/, so reading one tells how it is written with the C API.
"""
import numpy as np

from gblite._library import INT64, check, ffi, lib, pointer, type_of
from gblite.matrix import Matrix
from gblite.vector import Vector


def _call(function, kind, type, *arguments):
    box = ffi.new(f"gbl_{kind} *")
    check(function(box, *arguments))
    return (Vector if kind == "Vector" else Matrix)._wrap(box, type)


def _own(A):
    return A if isinstance(A, Matrix) else Matrix(A)


def triangles(A):
    """The number of triangles of an undirected graph (a symmetric matrix); loops do not matter."""
    count, A = ffi.new("uint64_t *"), _own(A)
    check(lib.gblite_python_triangles(count, A._handle))
    return count[0]


def bfs(A, source):
    """(levels, parents): for each vertex that source reaches, the number of edges from it, and the
    vertex before on a shortest path; the source is its own parent."""
    level, parent, A = ffi.new("gbl_Vector *"), ffi.new("gbl_Vector *"), _own(A)
    check(lib.gblite_python_bfs(level, parent, A._handle, source))
    of = type_of("int32") if A.shape[0] < 2**31 else INT64
    return Vector._wrap(level, of), Vector._wrap(parent, of)


def pagerank(A, damping=0.85, tolerance=1e-6, steps=100, undirected=False):
    """The PageRank of each vertex; ranks sum to 1. undirected says that edges go both ways, which
    takes fewer steps and is not checked."""
    A, made = _own(A), ffi.new("int64_t *")
    return _call(lambda box, *rest: lib.gblite_python_pagerank(box, made, *rest), "Vector",
                 type_of("float64"), A._handle, damping, tolerance, steps, undirected)


def connected_components(A):
    """The lowest vertex of the component of each vertex of an undirected graph."""
    A = _own(A)
    return _call(lib.gblite_python_components, "Vector", type_of("uint32"), A._handle)


def shortest_paths(A, source, delta=None):
    """The distance from source to each vertex that it reaches; weights are not negative. delta is
    the width of a bucket of delta-stepping, by itself the mean weight."""
    A = _own(A)
    if delta is None:
        delta = A.sum() / A.nvals if A.nvals > 0 else 1.0
    return _call(lib.gblite_python_shortest_paths, "Vector", type_of("float64"), A._handle, source,
                 delta or 1.0)


def betweenness(A, sources=None):
    """The betweenness centrality of each vertex, from all sources or those listed."""
    A = _own(A)
    sources = np.arange(A.shape[0]) if sources is None else np.asarray(sources)
    sources = np.ascontiguousarray(sources, np.uint64)
    return _call(lib.gblite_python_betweenness, "Vector", type_of("float64"), A._handle,
                 pointer(sources, "gbl_Index *"), len(sources))


def clustering_coefficient(A):
    """The local clustering coefficient of each vertex of an undirected graph."""
    A = _own(A)
    return _call(lib.gblite_python_clustering_coefficient, "Vector", type_of("float64"), A._handle)


def k_truss(A, k):
    """The largest subgraph whose edges are in k - 2 triangles of it each; values count these."""
    A = _own(A)
    return _call(lib.gblite_python_k_truss, "Matrix", INT64, A._handle, k)


def markov_clustering(A, inflation=2.0, prune=1e-4, select=1100, steps=1000):
    """The cluster of each vertex, named by its first attractor; entries are positive weights."""
    A = _own(A)
    return _call(lib.gblite_python_markov_cluster, "Vector", INT64, A._handle, inflation, prune,
                 select, steps)
