# SPDX-License-Identifier: Apache-2.0
"""networkx runs these functions on gblite: nx.pagerank(G, backend="gblite").

networkx finds this module by its entry point. Results are what networkx itself returns: types,
order, exceptions. What gblite does not take is left to networkx by `can_run`, which says why.
"""
from gblite import _networkx_measures, _networkx_paths, _networkx_structure  # noqa: F401
from gblite._networkx_graph import RULES, Graph


class Backend:
    """What networkx calls."""

    @staticmethod
    def convert_from_nx(graph, edge_attrs=None, preserve_edge_attrs=False,
                        preserve_node_attrs=False, **_):
        """A graph of gblite. Keep it, or let networkx keep it with the graph (its cache)."""
        if isinstance(graph, Graph):
            return graph
        return Graph(graph, edge_attrs, preserve_edge_attrs, preserve_node_attrs)

    @staticmethod
    def convert_to_nx(result, **_):
        if isinstance(result, Graph):
            if result.multigraph:
                raise NotImplementedError("gblite: parallel edges were not kept")
            return result.to_networkx()
        return result

    @staticmethod
    def can_run(name, args, kwargs):
        """True, or why networkx has to run this call."""
        return RULES[name].refusal(name, args, kwargs) or True

    @staticmethod
    def should_run(name, args, kwargs):
        """True, or why networkx is faster: converting takes longer than what is asked for."""
        graph = args[0] if args else kwargs.get("G")
        cache = getattr(graph, "__networkx_cache__", None) or {}
        if not isinstance(graph, Graph) and not cache.get("backends", {}).get("gblite") and (
                RULES[name].is_cheap(args, kwargs)):
            return f"{name} takes less time than the conversion of a graph"
        return True


for _name, _rule in RULES.items():
    setattr(Backend, _name, staticmethod(_rule.function))
