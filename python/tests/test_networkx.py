# SPDX-License-Identifier: Apache-2.0
"""The backend of networkx, where that is installed, through networkx's dispatch against networkx
itself. A call counts only if the function of the backend ran."""
import inspect
import math
from collections.abc import ValuesView
from random import Random

import pytest

nx = pytest.importorskip("networkx", minversion="3.5")
from networkx.utils.backends import _registered_algorithms  # noqa: E402

from gblite._networkx_graph import RULES  # noqa: E402
from gblite.networkx import Backend  # noqa: E402


@pytest.fixture
def ran(monkeypatch):
    """The names of the functions of the backend that ran, in order."""
    names = []

    def counted(name, function):
        def call(*args, **kwargs):
            names.append(name)
            return function(*args, **kwargs)
        return call

    for name, rule in RULES.items():
        monkeypatch.setattr(Backend, name, staticmethod(counted(name, rule.function)))
    return names


def _graph(directed, weights, seed=3, n=40, m=90):
    made = nx.gnm_random_graph(n, m, seed=seed, directed=directed)
    for k, (u, v, data) in enumerate(made.edges(data=True)):
        if weights and weights(k):  # some have none
            data["weight"] = weights(k)
    return nx.relabel_nodes(made, {node: f"v{node}" for node in made})


GRAPHS = {
    "undirected": _graph(False, None),
    "whole": _graph(False, lambda k: k % 7 and 1 + k % 5),
    "mixed": _graph(False, lambda k: k % 7 and 0.5 + k % 11 / 3),
    "real": _graph(False, lambda k: 0.5 + k % 11 / 3),
    "directed": _graph(True, None),
    "directed real": _graph(True, lambda k: 0.5 + k % 11 / 3),
    "connected": nx.relabel_nodes(nx.connected_watts_strogatz_graph(30, 4, 0.3, seed=1),
                                  {k: (k, "x") for k in range(30)}),
    "numbers": nx.gnm_random_graph(40, 90, seed=5),
    "dag": nx.DiGraph((u, v) for u, v in nx.gnm_random_graph(40, 90, seed=6).edges()),
    "strong": nx.compose(_graph(True, None, 8, 20, 30),
                         nx.cycle_graph([f"v{k}" for k in range(20)], nx.DiGraph)),
    "loops": nx.Graph([(0, 0), (0, 1), (1, 2), (2, 0), (2, 3), (3, 3), (4, 5)]),
    "none": nx.empty_graph(5),
    "one": nx.empty_graph(1),
    "null": nx.Graph(),
}


def _same(ours, theirs):
    """Equal, numbers to 6 digits or so; types and orders are the same."""
    if type(ours) is not type(theirs):
        return False
    if hasattr(theirs, "adj"):
        return ours.graph == theirs.graph and all(
            repr(list(getattr(ours, of)(data=True))) == repr(list(getattr(theirs, of)(data=True)))
            for of in ("nodes", "edges"))
    if isinstance(theirs, float):
        both_nan = theirs != theirs and ours != ours
        return both_nan or math.isclose(ours, theirs, rel_tol=1e-5, abs_tol=1e-6)
    if isinstance(theirs, dict):
        return list(ours) == list(theirs) and all(_same(ours[key], theirs[key]) for key in theirs)
    if isinstance(theirs, (list, tuple)):
        return len(ours) == len(theirs) and all(map(_same, ours, theirs))
    return ours == theirs


def _result(function, *args, **kwargs):
    try:
        found = function(*args, **kwargs)
        return list(found) if hasattr(found, "__next__") or isinstance(found, ValuesView) else found
    except Exception as error:
        return type(error), str(error)


def _public(name):
    """networkx's function as users call it, with all decorators."""
    return getattr(nx, name, None) or getattr(nx.community, name)


def _ends_of(G, k):
    nodes = list(G)
    return nodes[k % len(nodes)] if nodes else "nobody"


# The calls that are compared: of all functions without arguments, and these.
def _calls(name, G):
    a, b = _ends_of(G, 1), _ends_of(G, 7)
    some = list(G)[2:5]
    pairs = [(a, b), (b, a), *zip(list(G)[::2], list(G)[1::2])]
    of_source = [((a,), {}), (("nobody",), {})]
    weighted = [((a,), {"weight": None}), ((a,), {"cutoff": 2})]
    calls = {
        "node_connected_component": of_source, "descendants": of_source, "ancestors": of_source,
        "bfs_layers": [((a,), {}), (("nobody",), {}), (([a],), {})],
        "bfs_predecessors": [((a,), {}), ((a,), {"depth_limit": 1})],
        "common_neighbor_centrality": [((pairs,), {}), ((pairs, 1), {}), ((pairs, 0.2), {}),
                                       (([(a, a)],), {}), (([(a, "nobody")],), {})],
        "maximal_independent_set": [((), {"seed": 1}), (([a],), {"seed": 2}),
                                    ((some,), {"seed": 3}), ((["nobody"],), {})],
        "descendants_at_distance": [((a, 2), {}), ((a, 1.5), {}), ((a, -1), {}), ((a, 99), {}),
                                    (("nobody", 1), {})],
        "has_path": [((a, b), {}), ((a, "nobody"), {}), (("nobody", a), {})],
        "k_truss": [((k,), {}) for k in (2, 3, 4)],
        "modularity": [(([set(list(G)[:9]), set(list(G)[9:])],), {}), (([{a}],), {}),
                       (([set(G)],), {"weight": None, "resolution": 2})],
        "dijkstra_path": [((a, b), {}), ((a, "nobody"), {}), ((a, a), {}), (("nobody", a), {})],
        "bellman_ford_path_length": [((a, b), {}), ((a, a), {}), (("nobody", a), {})],
        "multi_source_dijkstra_path_length": [(({a, b},), {}), (([],), {})],
        "single_source_dijkstra": [((a,), {}), ((a, b), {}), ((a,), {"cutoff": 2})],
        "closeness_centrality": [((), {}), ((a,), {}), ((), {"wf_improved": False})],
        "harmonic_centrality": [((), {}), ((some,), {}), ((), {"sources": some}),
                                ((some, None, some[:1]), {})],
        "betweenness_centrality": [((), {}), ((4,), {"seed": 1}), ((None, False), {}),
                                   ((4, False, None, True, 2), {}), ((len(G),), {"seed": 1}),
                                   ((), {"endpoints": True}), ((1,), {"seed": 1})],
        "edge_betweenness_centrality": [((), {}), ((4,), {"seed": 1}), ((None, False), {})],
        "eccentricity": [((), {}), ((a,), {}), ((some,), {})],
        "katz_centrality": [((0.01,), {}), ((0.01,), {"beta": dict.fromkeys(G, 2.0)}),
                            ((0.01,), {"normalized": False, "weight": "weight"})],
        "pagerank": [((), {}), ((0.5,), {}), ((), {"personalization": {a: 1}, "weight": None}),
                     ((0.85, {a: 1, b: 2}), {"dangling": {b: 1}, "nstart": {a: 1}}),
                     ((), {"max_iter": 1})],
        "clustering": [((), {}), ((a,), {}), ((some,), {})],
        "average_clustering": [((), {}), ((some,), {}), ((), {"count_zeros": False})],
        "average_neighbor_degree": [((), {}), ((), {"source": "in"}), ((), {"nodes": some})],
        "shortest_path": [((), {}), ((a,), {}), ((), {"target": a}), ((a, b), {})],
        "shortest_path_length": [((), {}), ((a,), {}), ((), {"target": a}), ((a, b), {})],
    }
    for key in ("triangles", "square_clustering"):
        calls[key] = calls["clustering"]
    for key in ("dijkstra_path_length",):
        calls[key] = calls["dijkstra_path"]
    if "_source_" in name and "dijkstra" in name and "multi" not in name:
        return calls.get(name) or of_source + weighted
    if name.startswith("multi_source_dijkstra"):
        return calls["multi_source_dijkstra_path_length"]
    if name.startswith("single_"):
        return of_source + ([((a,), {"cutoff": 1})] if "bellman" not in name else [])
    if name.endswith(("_index", "_coefficient", "_attachment")) and "ebunch" in RULES[
            name].signature.parameters:
        many = pairs * 50  # by a product, where few are looked up one by one
        return [((pairs,), {}), ((many,), {}), (([(a, "nobody")],), {})]
    return calls.get(name, [((), {})])


def _independent(G, nodes):
    """Whether nobody of the set has a neighbour in it, nobody could join, and nobody is twice."""
    if not isinstance(nodes, list):
        return nodes  # an exception
    near = {v for u in nodes for v in G[u]} - {u for u in nodes if G.has_edge(u, u)}
    return len(nodes) == len(set(nodes)), near.isdisjoint(nodes), set(G) <= near | set(nodes)


@pytest.mark.parametrize("kind", GRAPHS)
@pytest.mark.parametrize("name", RULES)
def test_results_are_those_of_networkx(name, kind, ran):
    G = GRAPHS[kind].copy()
    wrapped = _public(name)
    for args, kwargs in _calls(name, G):
        if Backend.can_run(name, (G, *args), kwargs) is not True:
            continue
        theirs = _result(wrapped, G, *args, backend="networkx", **kwargs)
        before = len(ran)
        ours = _result(wrapped, G, *args, backend="gblite", **kwargs)
        if isinstance(theirs, tuple) and theirs and theirs[0] is nx.NetworkXNotImplemented:
            assert ours == theirs or len(ran) == before
            continue
        assert len(ran) > before, (name, ours)
        if isinstance(ours, tuple) and ours and ours[0] is NotImplementedError:
            assert (name == "hits" and G.number_of_edges() == 0
                    or kind == "mixed" and ("dijkstra" in name or "bellman" in name))
            continue
        if name == "maximal_independent_set":  # by other random numbers
            assert not isinstance(ours, list) or set(args[0] if args else ()) <= set(ours)
            ours, theirs = (_independent(G, x) for x in (ours, theirs))
        assert _same(ours, theirs), (args, kwargs, ours, theirs)


@pytest.mark.parametrize("name", RULES)
def test_signatures_are_those_of_networkx(name):
    theirs = inspect.signature(_registered_algorithms[name].orig_func)
    ours = RULES[name].signature
    assert [(p.name, p.default) for p in ours.parameters.values()] == [
        (p.name, p.default) for p in theirs.parameters.values()]


def test_there_are_many():
    assert len(RULES) >= 40


def test_positional_arguments_run_here(ran):
    G = GRAPHS["undirected"]
    nx.betweenness_centrality(G, None, True, None, False, backend="gblite")
    with nx.config(backend_priority=["gblite"]):
        nx.betweenness_centrality(G, 5, seed=1)
        nx.pagerank(G, 0.9)
    assert ran == ["betweenness_centrality", "betweenness_centrality", "pagerank"]


def test_converted_graphs_are_kept(ran):
    G = GRAPHS["whole"].copy()
    nx.pagerank(G, backend="gblite")
    kept = list(G.__networkx_cache__["backends"]["gblite"].values())
    nx.connected_components(G, backend="gblite")
    assert list(G.__networkx_cache__["backends"]["gblite"].values()) == kept
    nx.set_edge_attributes(G, 5, "weight")
    G.add_edge("new", "v1")
    assert "new" in nx.core_number(G, backend="gblite")
    B = Backend.convert_from_nx(G)
    assert nx.is_connected(B) == nx.is_connected(G)


def test_what_it_leaves_to_networkx_says_why():
    G = GRAPHS["whole"]
    assert "weight='weight'" in Backend.can_run("betweenness_centrality", (G,),
                                                {"weight": "weight"})
    assert "function" in Backend.can_run("dijkstra_path", (G, 1, 2), {"weight": len})
    assert "parallel" in Backend.can_run("pagerank", (nx.MultiGraph(),), {})
    assert "conversion" in Backend.should_run("is_connected", (G.copy(),), {})
    big = nx.path_graph(100)
    for name, args in (("clustering", (5,)), ("triangles", ([1, 2],)),
                       ("closeness_centrality", (5,)), ("harmonic_centrality", (5,)),
                       ("jaccard_coefficient", ([(0, 2)],)),
                       ("shortest_path_length", (0, 9))):
        assert "conversion" in Backend.should_run(name, (big, *args), {})
        assert Backend.should_run(name, (big,), {}) is True
    assert Backend.should_run("clustering", (big, list(range(50))), {}) is True
    pairs = tuple((k, k + 1) for k in range(50))
    big.add_node(pairs)  # a name that is a list of pairs too
    assert Backend.should_run("jaccard_coefficient", (big, pairs), {}) is True
    assert "conversion" in Backend.should_run("clustering", (big, pairs), {})
    heavy = nx.Graph([(0, 1, {"weight": "heavy"})])
    with pytest.raises(NotImplementedError) as refused:
        nx.pagerank(heavy, backend="gblite")
    assert "'heavy'" in str(refused.value.__cause__)
    with nx.config(backend_priority=["gblite"]), pytest.raises(Exception):
        nx.pagerank(heavy)


@pytest.mark.parametrize("directed", [False, True])
def test_harmonic_centrality_of_few_nodes(directed, ran):
    G = _graph(directed, None)
    for args in ((list(G)[:2],), (list(G)[0], None, list(G)[5:20])):
        ours, theirs = (nx.harmonic_centrality(G, *args, backend=b) for b in ("gblite", "networkx"))
        assert set(ours) == set(theirs) and ours == pytest.approx(theirs)
    assert ran == ["harmonic_centrality"] * 2


def test_negative_weights_are_refused_as_there(ran):
    G = nx.DiGraph([(0, 1, {"weight": 1}), (0, 2, {"weight": 2}), (2, 1, {"weight": -5})])
    for name in ("single_source_dijkstra_path_length", "single_source_bellman_ford_path_length"):
        found = [_result(getattr(nx, name), G, 0, backend=b) for b in ("gblite", "networkx")]
        assert found[0] == found[1]
    G.add_edge(1, 0, weight=1)
    with pytest.raises(nx.NetworkXUnbounded):
        nx.single_source_bellman_ford_path_length(G, 0, backend="gblite")


def test_zeros_and_types_are_those_of_networkx(ran):
    G = nx.Graph([(0, 1), (1, 2), (2, 3), (3, 3)])
    G.add_node("alone")
    pairs = [(0, 2), (0, 3), ("alone", "alone")]
    for name, args in (("clustering", ()), ("square_clustering", ()), ("harmonic_centrality", ()),
                       ("jaccard_coefficient", (pairs,)), ("adamic_adar_index", (pairs,)),
                       ("resource_allocation_index", (pairs[:2],))):
        found = [_result(getattr(nx, name), G, *args, backend=b) for b in ("gblite", "networkx")]
        assert repr(found[0]) == repr(found[1])
    nx.set_edge_attributes(G, 0.5, "weight")
    for distances in (nx.single_source_dijkstra_path_length(G, 0, backend="gblite"),
                      nx.single_source_bellman_ford_path_length(G, 0, backend="gblite")):
        assert repr(distances[0]) == "0" and distances[1] == 0.5
    assert nx.single_source_shortest_path_length(G, 0, 1e21, backend="gblite")[3] == 3
    assert "list" in Backend.can_run("jaccard_coefficient", (G, iter(pairs)), {})


def _same_by_both(name, *args, **kwargs):
    ours, theirs = (_result(_public(name), *args, backend=b, **kwargs)
                    for b in ("gblite", "networkx"))
    assert _same(ours, theirs), (name, args, kwargs, ours, theirs)


@pytest.mark.parametrize("seed", range(20))
def test_orders_are_those_of_networkx(seed, ran):
    random = Random(seed)
    G = nx.gnm_random_graph(14, 30, seed, directed=seed % 2 > 0)
    G = nx.relabel_nodes(G, {v: f"v{v}" for v in random.sample(range(14), 14)})
    weights = [-1, 0, 1, 2] if seed % 4 == 1 else [0.0, 0.5, 1.0] if seed % 4 == 2 else [0, 1, 2]
    for _, _, data in G.edges(data=True):
        data["weight"] = random.choice(weights)
    for name in ("all_pairs_bellman_ford_path_length", "all_pairs_dijkstra_path_length",
                 "all_pairs_dijkstra"):
        _same_by_both(name, G)
    if seed % 2 == 0:
        for name in ("minimum_spanning_tree", "maximum_spanning_tree", "k_core", "k_shell"):
            _same_by_both(name, G)
        G.add_edges_from((u, "hub") for u in list(G))
        for k in range(1, 7):  # networkx orders few nodes as a set has them
            for name in ("k_core", "k_shell", "k_crust"):
                _same_by_both(name, G, k)
    backward = nx.single_target_shortest_path if seed % 2 else nx.single_source_shortest_path
    assert (Backend.can_run(backward.__name__, (G, "v0"), {}) is True) == (seed % 2 == 0)


def test_absorbed_and_negative_sums_are_those_of_networkx(ran):
    G = nx.DiGraph()
    G.add_weighted_edges_from([(0, 1, 1e20), (1, 2, 1.0), (0, 3, 4.0), (3, 1, 1e20), (2, 4, -1e20)])
    _same_by_both("single_source_bellman_ford_path_length", G, 0)
    G.add_weighted_edges_from([(4, 1, -3e20)])
    G.add_weighted_edges_from([(4, 2, -3e20)])
    _same_by_both("single_source_bellman_ford_path_length", G, 0)
    for weight in (1e20, 1e200, 1e-300, -1.5):
        G = nx.cycle_graph(5)
        G.add_edge(0, 2)
        nx.set_edge_attributes(G, weight, "weight")
        if weight > 0:
            _same_by_both("eigenvector_centrality", G, weight="weight")
            _same_by_both("modularity", G, [{0, 1}, {2, 3, 4}])
        if weight == 1e20:
            _same_by_both("hits", G)


class _Kind(nx.Graph):
    pass


def test_graphs_are_of_the_class_of_the_argument(ran):
    _same_by_both("k_core", _Kind(nx.complete_graph(4)))
    assert len(ran) == 1


def test_what_cannot_be_the_same_is_left_to_networkx(ran):
    G = nx.DiGraph([(0, 1), (1, 2), (2, 3)])
    star, mixed = nx.star_graph(3), nx.path_graph(3)
    nx.set_edge_attributes(G, -1, "weight")
    mixed[0][1]["weight"] = 0.5
    for name, args in (
            ("multi_source_dijkstra", (star, [0, 0])), ("multi_source_dijkstra", (G, [0, 1])),
            ("multi_source_dijkstra_path_length", (star, iter([0]))),
            ("adamic_adar_index", (star, [(0, 0)])), ("all_pairs_dijkstra", (mixed,)),
            ("all_pairs_bellman_ford_path_length", (mixed,)),
            ("modularity", (G, [{0, 1, 2, 3}])), ("katz_centrality", (G, 0, 1, 9, 1, None, False)),
            ("eigenvector_centrality", (G, 9, 1, None, "weight"))):
        with pytest.raises(NotImplementedError):
            _public(name)(*args, backend="gblite")
    with nx.config(backend_priority=["gblite"]):
        assert repr(dict(nx.all_pairs_dijkstra(mixed))[1][0]) == "{1: 0, 0: 0.5, 2: 1}"
    for name, args in (("average_neighbor_degree", (G, "out", "out", 1)), ("k_core", (star, 2, {})),
                       ("hits", (G, 9, 1, {0: 1.0})), ("shortest_path", (G, None, 3))):
        assert "gblite" in Backend.can_run(name, args, {})


def test_hits_of_weights_of_very_different_size_are_left_to_networkx(ran):
    G = nx.DiGraph([(0, 1, {"weight": 1e20}), (1, 2, {"weight": 1.0}), (2, 0, {"weight": 3e20})])
    with nx.config(backend_priority=["gblite"]):
        hubs, authorities = nx.hits(G)
    assert min(hubs.values()) > -1e-9 and max(authorities.values()) < 1 + 1e-9
    with pytest.raises(NotImplementedError):
        nx.hits(G, backend="gblite")


@pytest.mark.parametrize("of", ["personalization", "nstart", "dangling"])
def test_pagerank_of_weights_on_no_node_fails_as_there(of, ran):
    G = GRAPHS["directed"]
    with pytest.raises((ZeroDivisionError, nx.PowerIterationFailedConvergence)) as theirs:
        nx.pagerank(G, **{of: {"nobody": 1}}, backend="networkx")
    with pytest.raises(theirs.type):
        nx.pagerank(G, **{of: {"nobody": 1}}, backend="gblite")
    assert ran == ["pagerank"]
