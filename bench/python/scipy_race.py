#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""What users of scipy type: scipy's csr_array against gblite's, or against
gblite.Matrix, operation by operation.

    python3 bench/python/scipy_race.py [--matrix] [--entries N]... [--only WORD]... [--write]
    python3 bench/python/scipy_race.py --products [--repeats N] [--input SPEC]... [--write]

Both take turns in one process on the same values, the best of several; results are compared before.
--products: S @ S, medians, with python-graphblas where it is installed. `scipy in, scipy out`
begins and ends with scipy arrays, the others with objects of their own. Then what a call costs
above the C function, on matrices of 10 x 10. --write brings docs/python.md up to date. Wants numpy,
scipy and an importable gblite.
"""
import argparse
import os
import statistics
import sys

import numpy as np
import scipy
import scipy.sparse as sp

import gblite as gb
import gblite.scipy
from gblite._library import ffi, lib

try:
    import graphblas
except ImportError:
    graphblas = None

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
from shared import PYTHON_PAGE, fill, seconds, table  # noqa: E402

LEAST_SECONDS = 0.2  # of scipy, for one operation
MOST_OF_DENSE = 20_000  # entries of arrays that are made dense

OPERATIONS = {
    "K(arrays)": lambda A, B, x: type(A)(_parts["csr"], shape=A.shape, copy=True),
    "K(tuples)": lambda A, B, x: type(A)(_parts["coo"], shape=A.shape),
    "K(mixed tuples)": lambda A, B, x: type(A)(_parts["mixed"], shape=A.shape),
    "K(dense)": lambda A, B, x: type(A)(_parts["dense"]),
    "A + B": lambda A, B, x: A + B,
    "A - B": lambda A, B, x: A - B,
    "A.multiply(B)": lambda A, B, x: A.multiply(B),
    "A.maximum(B)": lambda A, B, x: A.maximum(B),
    "A < B": lambda A, B, x: A < B,
    "A * 2.0": lambda A, B, x: A * 2.0,
    "A.power(2)": lambda A, B, x: A.power(2),
    "A @ x": lambda A, B, x: A @ _column(x),
    "A.T @ x": lambda A, B, x: A.T @ _column(x),
    "x @ A": lambda A, B, x: _column(x) @ A,
    "A @ X (4 columns)": lambda A, B, x: A @ x[:, :4],
    "A @ X (32 columns)": lambda A, B, x: A @ x,
    "A.T @ X (32 columns)": lambda A, B, x: A.T @ x,
    "A @ B": lambda A, B, x: A @ B,
    "A.T @ A": lambda A, B, x: A.T @ A,
    "A.toarray()": lambda A, B, x: A.toarray(),
    "A.T": lambda A, B, x: A.T,
    "A.tocoo()": lambda A, B, x: A.tocoo(),
    "A.tocsc()": lambda A, B, x: A.tocsc(),
    "A.T.tocsr()": lambda A, B, x: A.T.tocsr(),
    "A.sum(0)": lambda A, B, x: A.sum(0),
    "A.sum(1)": lambda A, B, x: A.sum(1),
    "A.sum()": lambda A, B, x: A.sum(),
    "A.max()": lambda A, B, x: A.max(),
    "A.max(0)": lambda A, B, x: A.max(0),
    "A.max(1)": lambda A, B, x: A.max(1),
    "A[rows]": lambda A, B, x: A[_half(A.shape[0])],
    "A[a:b]": lambda A, B, x: A[A.shape[0] // 4: A.shape[0] // 2],
    "A[:, columns]": lambda A, B, x: A[:, _half(A.shape[1])],
    "A[:, a:b]": lambda A, B, x: A[:, A.shape[1] // 4: A.shape[1] // 2],
    "A[i, j]": lambda A, B, x: A[A.shape[0] // 3, A.shape[1] // 2],
    "abs(A)": lambda A, B, x: abs(A),
}  # fmt: skip
OURS = (gb.Matrix, type(gb.Matrix((1, 1)).T))
DENSE = ("K(dense)", "A.toarray()")
_halves, _parts = {}, {}


def _half(n):
    if n not in _halves:
        _halves[n] = np.random.default_rng(3).permutation(n)[: n // 2]
    return _halves[n]


def _column(x):
    return _parts.setdefault(id(x), x[:, 0].copy())


def operands(kind, entries):
    """Two of about so many entries: uniform (er) or skewed (rmat), 8 or 16 in a row."""
    degree = {"er": 8, "rmat": 16}[kind]
    scale = max(int(np.log2(entries / degree) + 0.5), 3)
    made = []
    for seed in (1, 2):
        S = gb.Matrix(f"{kind}:{scale}:{degree}" + (f":{seed}" if kind == "er" else "")).to_scipy()
        S = S if seed == 1 else sp.csr_array(S[np.random.default_rng(9).permutation(S.shape[0])])
        S.data = np.random.default_rng(seed).random(S.nnz)
        made.append(S)
    return made


def race(operation, theirs, ours):
    """(seconds of scipy, of gblite)"""
    def compared(made):
        made = made.tocsr() if isinstance(made, OURS) else made
        made = made.to_numpy() if isinstance(made, gb.Vector) else made
        if not sp.issparse(made):
            return 0.0 if made is None else made
        return made.toarray().ravel() if len(made.shape) == 1 or 1 in made.shape else made.sum()

    first = seconds(lambda: operation(*theirs))
    if not np.allclose(compared(operation(*theirs)), compared(operation(*ours))):
        raise SystemExit("results differ")
    turns = max(5, min(300, int(LEAST_SECONDS / (first + 1e-9))))
    times = [[seconds(lambda: operation(*operands_)) for operands_ in (theirs, ours)]
             for _ in range(turns)]
    return tuple(min(side) for side in zip(*times))


def operations(options):
    """The name of the page's table, and its lines."""
    kind_of, mark = (gb.Matrix, "matrix") if options.matrix else (gb.csr_array, "csr_array")
    names = [name for name in OPERATIONS if name in options.only or not options.only]
    ratios = {name: [] for name in names}
    heads = []
    for entries in options.entries:
        for kind in ("er", "rmat"):
            A, B = operands(kind, entries)
            x = np.random.default_rng(5).random((A.shape[1], 32))
            theirs, ours = (A, B, x), (kind_of(A), kind_of(B), x)
            rows, columns = (part.copy() for part in A.tocoo().coords)
            _parts.clear()
            mixed = np.random.default_rng(7).permutation(A.nnz)
            _parts.update(csr=(A.data, A.indices, A.indptr), coo=(A.data, (rows, columns)),
                          mixed=(A.data[mixed], (rows[mixed], columns[mixed])))
            if entries <= MOST_OF_DENSE:
                _parts["dense"] = A.toarray()
            heads.append(f"{kind} {A.nnz:.0e}".replace("e+0", "e"))
            for name in names:
                huge = name in ("A @ B", "A.T @ A") and entries > 2 * 10**6
                if huge or (name in DENSE and entries > MOST_OF_DENSE):
                    ratios[name].append(None)  # tens of seconds, or gigabytes
                    continue
                theirs_took, ours_took = race(OPERATIONS[name], theirs, ours)
                ratios[name].append(theirs_took / ours_took)
                print(f"{heads[-1]:10} {name:22} {1000 * theirs_took:10.3f} ms "
                      f"{1000 * ours_took:10.3f} ms {ratios[name][-1]:6.2f}", flush=True)
    rows = [[f"`{name}`"] + ["" if r is None else f"{r:.1f}" if r >= 1.95 else f"{r:.2f}"
                             for r in row]
            for name, row in ratios.items()
            if not all(r is None or not options.matrix and .9 <= r <= 1.1 for r in row)]
    every = [r for row in ratios.values() for r in row if r is not None]
    left_out = "" if options.matrix else " Rows between 0.90 and 1.10, scipy's own, are left out."
    return f"scipy_{mark}", [
        f"scipy / gblite.{kind_of.__name__}; {os.cpu_count()} cores, shared; scipy "
        f"{scipy.__version__}, numpy {np.__version__}. Made by `python3 "
        f"bench/python/scipy_race.py {' '.join(sys.argv[1:])}`.", "",
        table(["", *heads], rows), "",
        f"Geometric mean {statistics.geometric_mean(every):.2f}, least {min(every):.2f}."
        + left_out]


# -- products

INPUTS = ["rmat:10:8", "rmat:12:16", "rmat:14:16", "er:16:8", "er:18:4", "fem:16:3", "fem:24:2",
          "band:100000:8", "grid:500:500"]  # fmt: skip


def ways_of(S):
    """{name: a function that makes S @ S, finished}"""
    A = gb.Matrix(S)
    ways = {
        "scipy": lambda: S @ S,
        "scipy in, scipy out": lambda: gblite.scipy.matmul(S, S),
        "gblite": lambda: A @ A,
    }
    if graphblas is not None:
        G = graphblas.io.from_scipy_sparse(S)

        def product():
            made = G.mxm(G, graphblas.semiring.plus_times).new()
            made.wait("materialize")
            return made

        ways["python-graphblas"] = product
    return ways


def race_products(spec, repeats):
    S = gb.Matrix(spec).to_scipy()
    S.data[:] = np.random.default_rng(1).random(S.nnz)
    ways, theirs, ours = ways_of(S), S @ S, gblite.scipy.matmul(S, S)
    theirs.sort_indices()
    if not (np.array_equal(ours.indices, theirs.indices) and np.allclose(ours.data, theirs.data)):
        raise SystemExit("results differ")
    for function in ways.values():
        function()
    turns = [[seconds(function) for function in ways.values()] for _ in range(repeats)]
    return {name: statistics.median(taken) for name, taken in zip(ways, zip(*turns))}


def overheads():
    """Microseconds of a call, and of the C function that it calls."""
    A, out = gb.Matrix(np.eye(10)), gb.Matrix.new("float64", 10, 10)
    v, w = gb.Vector(np.ones(10)), gb.Vector.new("float64", 10)
    ring, no = lib.GBL_PLUS_TIMES_SEMIRING_FP64, ffi.NULL
    matrix = (out._handle, no, no, ring, A._handle, A._handle, no)
    vector = (w._handle, no, no, ring, A._handle, v._handle, no)
    pairs = {
        "A.mxm(A, out=C)": (lambda: A.mxm(A, out=out), lambda: lib.gbl_mxm(*matrix)),
        "A.mxv(v, out=w)": (lambda: A.mxv(v, out=w), lambda: lib.gbl_mxv(*vector)),
    }
    found = {}
    for name, functions in pairs.items():
        best = []
        for function in functions:
            for _ in range(500):
                function()
            rounds = [seconds(lambda: [function() for _ in range(2000)]) for _ in range(9)]
            best.append(statistics.median(rounds) / 2000 * 1e6)
        found[name] = best
    return found


def products(options):
    """The name of the page's table, and its lines."""
    races = {spec: race_products(spec, options.repeats) for spec in options.input or INPUTS}
    ratios = {"scipy / scipy in, out": ("scipy", "scipy in, scipy out")}
    if graphblas is not None:
        ratios["python-graphblas / gblite"] = ("python-graphblas", "gblite")
    found = [[times[a] / times[b] for a, b in ratios.values()] for times in races.values()]
    names = list(next(iter(races.values())))
    rows = [[spec, *(f"{1000 * times[name]:.2f} ms" for name in names),
             *(f"{x:.1f}" for x in of)]
            for (spec, times), of in zip(races.items(), found)]
    rows.append(["geometric mean", *[""] * len(names),
                 *(f"{statistics.geometric_mean(of):.1f}" for of in zip(*found))])
    versions = [f"{name} {module.__version__}" for name, module in
                (("scipy", scipy), ("numpy", np), ("python-graphblas", graphblas)) if module]
    threads = ffi.new("int32_t *")
    lib.gbl_Global_get_INT32(lib.GBL_GLOBAL, threads, lib.GBL_NTHREADS)
    return "python", [
        f"S @ S, medians of {options.repeats} in turns, {threads[0]} threads (scipy has one); "
        f"{', '.join(versions)}. Made by `python3 bench/python/scipy_race.py --products --write`.",
        "",
        table(["input", *names, *ratios], rows), "", "Above the C function, on 10 x 10:", "",
        *(f"- `{name}`: {call:.1f} us, of which {c:.1f} are a bare call by cffi"
          for name, (call, c) in overheads().items())]


def main():
    arguments = argparse.ArgumentParser()
    arguments.add_argument("--entries", type=int, nargs="*", default=[10**3, 10**4, 10**5, 10**6])
    arguments.add_argument("--only", nargs="*", default=[])
    arguments.add_argument("--write", action="store_true")
    arguments.add_argument("--matrix", action="store_true")
    arguments.add_argument("--products", action="store_true")
    arguments.add_argument("--repeats", type=int, default=5)
    arguments.add_argument("--input", action="append")
    options = arguments.parse_args()
    name, lines = products(options) if options.products else operations(options)
    print("\n".join(lines))
    if options.write:
        fill(PYTHON_PAGE, name, "\n".join(lines))


main()
