# SPDX-License-Identifier: Apache-2.0
"""gblite: sparse linear algebra over semirings, after the GraphBLAS C API.

>>> import gblite as gb
>>> A = gb.Matrix("rmat:10:8")
>>> C = A @ A
>>> C.shape
(1024, 1024)
>>> gb.triangles(gb.Matrix("rmats:10:8")) > 0
True
"""
import difflib
import importlib
from typing import TYPE_CHECKING

from gblite import _library
from gblite._library import VERSION as __version__
from gblite._library import (Cancelled, DomainError, Error, FileError, InvalidIndex, InvalidValue,
                             NotSparse, OutOfMemory, ShapeError)
from gblite._object import METHODS
from gblite.algebra import semirings
from gblite.algorithms import (betweenness, bfs, closeness, clustering_coefficient,
                               connected_components, core_numbers, k_truss, label_propagation,
                               louvain, markov_clustering, pagerank, shortest_paths,
                               strong_components, triangles)
from gblite.files import open, read_edges
from gblite.filtered import topn
from gblite.matrix import Matrix
from gblite.plans import estimate, mxm_batch, plan
from gblite.semiring import Semiring
from gblite.settings import bytes_in_use, memory_limit, progress, threads, trim
from gblite.similarity import similar
from gblite.vector import Vector


if TYPE_CHECKING:
    from gblite.scipy import csc_array, csr_array


def __getattr__(name):
    # scipy is loaded when somebody asks for it.
    if name in ("scipy", "csr_array", "csc_array"):
        _library.need("scipy.sparse", f"gblite.{name}")
        module = importlib.import_module("gblite.scipy")
        return module if name == "scipy" else getattr(module, name)
    near = _COMMANDS.get(name) or next(iter(difflib.get_close_matches(name, __all__)), None)
    hint = f"; perhaps you mean {near}" if near else ""
    raise AttributeError(f"module 'gblite' has no attribute {name!r}{hint}")


def __dir__():
    return sorted([*__all__, "csc_array", "csr_array", "scipy"])


# What functions are called as commands of the program.
_COMMANDS = {"bc": "betweenness", "cc": "connected_components", "cdlp": "label_propagation",
             "kcore": "core_numbers", "lcc": "clustering_coefficient", "mcl": "markov_clustering",
             "scc": "strong_components", "sssp": "shortest_paths", "tc": "triangles",
             "truss": "k_truss"}


__all__ = [
    "Matrix", "Vector", "Semiring", "open", "read_edges", "topn", "similar", "estimate", "plan",
    "mxm_batch",
    "METHODS", "semirings",
    "triangles", "bfs", "pagerank", "connected_components", "shortest_paths", "betweenness",
    "clustering_coefficient", "k_truss", "markov_clustering", "strong_components", "closeness",
    "core_numbers", "louvain", "label_propagation",
    "threads", "memory_limit", "bytes_in_use", "trim", "progress",
    "Error", "ShapeError", "InvalidValue", "InvalidIndex", "DomainError", "NotSparse",
    "OutOfMemory", "Cancelled", "FileError", "__version__",
]  # fmt: skip
