# SPDX-License-Identifier: Apache-2.0
"""A graph of networkx as arrays, and the table of functions that run on it.

Edges out of vertex v are at indptr[v] to indptr[v + 1] - 1, in networkx's order: that is the order
in which its searches meet them. An undirected edge is there in both directions.
"""
import functools
import inspect
from itertools import chain

import networkx as nx
import numpy as np

from gblite._library import check, ffi, lib, pointer, type_of
from gblite.matrix import Matrix

NOBODY = 2**32 - 1
_FLOAT = type_of("float64")
_EXACT = 2**53  # whole numbers below are exact as float64


class Graph:
    """What networkx keeps as the converted graph; it answers what networkx's own code asks before
    it calls a backend."""

    __networkx_backend__ = "gblite"

    def __init__(self, graph, edge_attrs=None, edge_data=False, node_data=False):
        if type(graph).__getitem__ is not nx.Graph.__getitem__:
            raise NotImplementedError("gblite: this class of graphs has neighbours of its own")
        self.type, self.nodes = type(graph), list(graph)
        self.directed, self.multigraph = graph.is_directed(), graph.is_multigraph()
        self.graph = dict(graph.graph)
        self.node_data = [graph._node[v] for v in self.nodes] if node_data else None
        n = len(self.nodes)
        if n >= NOBODY:
            raise NotImplementedError(f"gblite: graphs of {n} nodes are too large")
        adjacency = graph._adj
        if list(adjacency) != self.nodes:
            adjacency = {v: adjacency[v] for v in self.nodes}
        rows = list(adjacency.values())
        if n > 0 and type(rows[0]) is not dict:  # a view
            rows = [dict(row.items()) for row in rows]
        self.indptr = np.zeros(n + 1, np.uint64)
        np.cumsum(np.fromiter(map(len, rows), np.uint64, n), out=self.indptr[1:])
        neighbours = chain.from_iterable(rows)
        self.plain = self.nodes == list(range(n)) and set(map(type, self.nodes)) <= {int}
        if not self.plain:
            neighbours = map(self.number.__getitem__, neighbours)
        self.indices = np.fromiter(neighbours, np.uint32, int(self.indptr[-1]))
        self.edge_data, self._weights, self._forms = None, {}, {}
        if edge_data:
            self.edge_data = list(chain.from_iterable(row.values() for row in rows))
        elif edge_attrs and not self.multigraph:
            for name, missing in edge_attrs.items():
                values = [data.get(name, missing) for row in rows for data in row.values()]
                self._weights[name] = self._numbers(name, values)

    # -- what networkx's code asks -----------------------------------------------------------------

    def is_directed(self):
        return self.directed

    def is_multigraph(self):
        return self.multigraph

    def __len__(self):
        return len(self.nodes)

    order = number_of_nodes = __len__

    def __iter__(self):
        return iter(self.nodes)

    def __contains__(self, node):
        try:
            return node in self.number
        except TypeError:  # not hashable
            return False

    def __str__(self):
        name = "Multi" * self.multigraph + "Di" * self.directed + "Graph"
        title = self.graph.get("name", "")
        return (f"{name}{f' named {title!r}' if title else ''} with {len(self)} nodes and "
                f"{len(self.once)} edges")

    def nbunch_iter(self, nbunch=None):
        """The nodes of a node, a container or None, as networkx has it."""
        return nx.Graph.nbunch_iter(self, nbunch)

    @property
    def adj(self):
        return self.number

    _adj = adj

    # -- numbers -----------------------------------------------------------------------------------

    @functools.cached_property
    def number(self):
        """{node: its vertex}"""
        return dict(zip(self.nodes, range(len(self.nodes))))

    def vertices(self, nodes, message="Source {} is not in G"):
        """The vertices behind nodes, as an array; networkx's exception for one that is missing."""
        found = np.empty(len(nodes), np.uint32)
        for k, node in enumerate(nodes):
            if node not in self:
                raise nx.NodeNotFound(message.format(node))
            found[k] = self.number[node]
        return found

    def named(self, values):
        """{node: value} of a dense array."""
        return dict(zip(self.nodes, values.tolist()))

    def chosen(self, values, nodes, shown=np.ndarray.tolist):
        """What functions with an argument `nodes` return: of all, of a list, or of one node."""
        if nodes is None:
            return dict(zip(self.nodes, shown(values)))
        if nodes in self:
            return shown(values[[self.number[nodes]]])[0]
        numbers = {node: self.number[node] for node in self.nbunch_iter(nodes)}
        return dict(zip(numbers, shown(values[list(numbers.values())])))

    def names(self, vertices):
        """The nodes of an array of vertices, as a list."""
        numbers = vertices.tolist()
        return numbers if self.plain else list(map(self.nodes.__getitem__, numbers))

    def of_nodes(self, mapping):
        """A dense array of {node: value}, 0 where there is none."""
        get = mapping.get
        return np.array([get(node, 0) for node in self.nodes], np.float64)

    # -- edges -------------------------------------------------------------------------------------

    def _numbers(self, name, values):
        """(array of float64, whether all are whole, None if some are): refuses what has no sum or
        order."""
        array = np.array(values) if values else np.empty(0, np.int64)
        found, types = set(map(type, values)), {int, float, bool}
        if array.dtype.kind not in "biuf" or not found <= types:
            wrong = next((x for x in values if type(x) not in types), values[0])
            raise NotImplementedError(f"gblite: attribute {name!r} of an edge is {wrong!r}, which "
                                      "is not a number of 64 bits")
        if not np.isfinite(array).all():
            raise NotImplementedError(f"gblite: attribute {name!r} of an edge is not finite")
        whole = float not in found or (None if len(found) > 1 else False)
        if whole is not False and np.abs(array.astype(np.float64)).sum() >= _EXACT:
            raise NotImplementedError(f"gblite: sums of {name!r} are not exact in float64")
        return array.astype(np.float64), whole

    def weights(self, name):
        """(weight of each edge, whether all are whole, None if some are) of an attribute; name
        None: ones."""
        if name is None:
            return self.kept("ones", lambda: (np.ones(len(self.indices)), True))
        if name not in self._weights:
            if self.edge_data is None:
                raise NotImplementedError(f"gblite: the graph was converted without {name!r}")
            self._weights[name] = self._numbers(name, [d.get(name, 1) for d in self.edge_data])
        return self._weights[name]

    def least(self, name):
        """The least weight, 0 of no edges."""
        return self.kept(("least", name), lambda: self.weights(name)[0].min(initial=0.0))

    def refuse_negative(self, name):
        if self.least(name) < 0:  # sums that cancel depend on their order
            raise NotImplementedError(f"gblite: negative weights {name!r} are networkx's")

    def kept(self, key, make):
        """What make() found when it was asked for first."""
        if key not in self._forms:
            self._forms[key] = make()
        return self._forms[key]

    @property
    def rows(self):
        """The vertex that each edge leaves."""
        return self.kept("rows", lambda: np.repeat(
            np.arange(len(self), dtype=np.uint32), np.diff(self.indptr).astype(np.int64)))

    @property
    def once(self):
        """Where each edge of networkx's `edges` is among ours, in its order."""
        return self.kept("once", lambda: np.arange(len(self.indices)) if self.directed
                          else np.flatnonzero(self.rows <= self.indices))

    @property
    def out_degrees(self):
        """How many neighbours each vertex has, a loop counted once."""
        return self.kept("degrees", lambda: np.diff(self.indptr).astype(np.int64))

    @property
    def in_degrees(self):
        return self.kept("into", lambda: np.bincount(self.indices, minlength=len(self)))

    @property
    def loops(self):
        """Whether each vertex has an edge to itself."""
        def make():
            found = np.zeros(len(self), bool)
            found[self.indices[self.rows == self.indices]] = True
            return found
        return self.kept("loops", make)

    @property
    def degrees(self):
        """networkx's degree: a loop counts twice, edges in and out both."""
        if self.directed:
            return self.out_degrees + self.in_degrees
        return self.out_degrees + self.loops

    def _turned(self):
        """Where each edge of the reversed graph is among ours; by the vertices that it enters."""
        return self.kept("turned", lambda: np.argsort(self.indices, kind="stable"))

    def arrays(self, weight, reverse, weighted):
        """indptr, indices and weights (None: no weights), of the reversed graph if told."""
        x = self.weights(weight)[0] if weighted else None
        if not (reverse and self.directed):
            return self.indptr, self.indices, x
        turned = self._turned()
        p = np.zeros(len(self) + 1, np.uint64)
        p[1:] = np.cumsum(self.in_degrees)
        return p, self.rows[turned], None if x is None else np.ascontiguousarray(x[turned])

    def lent(self, weight=None, reverse=False, weighted=False):
        """The graph for searches in C, a gblite_python_Graph *; it lives as long as this one.
        weighted: with weights, which are 1 without an attribute."""
        def make():
            p, i, x = self.arrays(weight, reverse, weighted)
            i = np.ascontiguousarray(i)
            c = ffi.new("gblite_python_Graph *", {
                "n": len(self), "p": pointer(p, "uint64_t *"), "i": pointer(i, "uint32_t *"),
                "x": ffi.NULL if x is None else pointer(x, "double *")})
            return c, (p, i, x)
        return self.kept(("c", weight, reverse, weighted), make)[0]

    def matrix(self, weight=None):
        """The adjacency matrix, of weights, or of ones without: reads our arrays in place."""
        def make():
            x = np.ones(1) if weight is None else self.weights(weight)[0]
            box, n = ffi.new("gbl_Matrix *"), len(self)
            lent = ffi.new("gbl_Arrays *", {
                "p": pointer(self.indptr, "uint64_t *"), "i": pointer(self.indices, "uint32_t *"),
                "x": pointer(x, "void *"), "iso": weight is None})
            check(lib.gbl_Matrix_lend(box, _FLOAT.handle, n, n, lib.GBL_CSR_FORMAT, lent, ffi.NULL))
            made = Matrix._wrap(box, _FLOAT)
            made._lent = (self.indptr, self.indices, x)
            return made
        return self.kept(("matrix", weight), make)

    def simple(self):
        """The adjacency matrix of ones, without loops, of edges in both directions."""
        def make():
            A = self.matrix().select("offdiag")
            return A.ewise_add(A.T, "pair") if self.directed else A
        return self.kept("simple", make)

    def to_networkx(self, edges=None, nodes=None):
        """A graph of networkx: of edges, by where they are among ours, and vertices, as ordered."""
        made = self.type()
        made.graph.update(self.graph)
        chosen = range(len(self)) if nodes is None else nodes.tolist()
        for v in chosen:
            made.add_node(self.nodes[v], **(self.node_data[v] if self.node_data else {}))
        edges = self.once if edges is None else edges
        u, v = self.names(self.rows[edges]), self.names(self.indices[edges])
        if self.edge_data is not None:
            made.add_edges_from(zip(u, v, [self.edge_data[e] for e in edges.tolist()]))
        elif self._weights:
            made.add_edges_from(zip(u, v, self._attributes(edges)))
        else:
            made.add_edges_from(zip(u, v))
        return made

    def _attributes(self, edges):
        columns = [(x[edges].astype(np.int64) if whole else x[edges]).tolist()
                   for x, whole in self._weights.values()]
        return [dict(zip(self._weights, values)) for values in zip(*columns)]


# -- the table ------------------------------------------------------------------------------------


class Rule:
    """A function that runs on gblite, and when. Its signature is networkx's."""

    def __init__(self, function, multi, cheap, unless, fixed):
        self.function, self.signature = function, inspect.signature(function)
        self.multi, self.cheap, self.unless, self.fixed = multi, cheap, unless, fixed

    def refusal(self, name, args, kwargs):
        """Why this call is left to networkx, or None."""
        try:
            bound = self.signature.bind(*args, **kwargs)
        except TypeError as error:
            return f"gblite: {name}: {error}"
        bound.apply_defaults()
        given = bound.arguments
        if not self.multi and given["G"].is_multigraph():
            return f"gblite: {name} is for graphs without parallel edges"
        for key, value in self.fixed.items():
            if given[key] is not value and given[key] != value:
                return f"gblite: {name} with {key}={given[key]!r} is networkx's"
        for key in ("weight", "distance"):
            if callable(given.get(key)):
                return f"gblite: {name} takes the name of an attribute as {key}, not a function"
        return self.unless(given) if self.unless else None

    def is_cheap(self, args, kwargs):
        """Whether networkx takes no longer for this call than a conversion does."""
        if not callable(self.cheap):
            return self.cheap
        try:
            bound = self.signature.bind(*args, **kwargs)
        except TypeError:
            return False
        bound.apply_defaults()
        return self.cheap(bound.arguments)


RULES = {}


def few(key, nodes, of_pairs=False):
    """Whether the argument `key` names one node, or so few nodes or pairs that there are `nodes`
    nodes of the graph to each: a condition for `cheap`. A list of pairs is never one node, though
    a tuple may be the name of one."""
    def condition(given):
        G, chosen = given["G"], given[key]
        if chosen is None:
            return False
        if not of_pairs and chosen in G:
            return True
        return hasattr(chosen, "__len__") and len(chosen) * nodes < len(G)
    return condition


def runs(multi=False, cheap=False, unless=None, **fixed):
    """Registers a function. multi: for multigraphs too; cheap: whether networkx takes no longer
    than a conversion does, or arguments -> whether; unless: arguments -> why not, or None; others:
    values that arguments must have."""
    def register(function):
        RULES[function.__name__] = Rule(function, multi, cheap, unless, fixed)
        return function
    return register


def call(name, *arguments):
    """A function of searches.c or all_pairs.c."""
    check(getattr(lib, f"gblite_python_{name}")(*arguments))


def whole_zeros(values):
    """A list of floats, of which those are the number 0 that networkx adds nothing to."""
    return [value or 0 for value in values.tolist()]


def whole_unless_number(values):
    """A list of floats, 0 instead of NaN: what networkx does not divide."""
    return [value if value == value else 0 for value in values.tolist()]


def room(n, dtype):
    """(an array for n results, a pointer to it)"""
    array = np.empty(n, dtype)
    name = {"u": "uint", "f": "double"}[array.dtype.kind]
    return array, pointer(array, "double *" if name == "double"
                          else f"{name}{8 * array.dtype.itemsize}_t *")
