#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Products from Python: gblite against scipy.sparse and, where it is installed, python-graphblas.

    python3 bench/python/race.py [--repeats N] [--write] [INPUT]...

All take turns in one process on the same scipy arrays with random values; results are compared.
`scipy in, scipy out` begins and ends with scipy arrays, the others with objects of their own. Then
what a call costs above the C function, on matrices of 10 x 10. --write brings docs/python.md up to
date. Wants numpy, scipy and an importable gblite (build/python, or an installed wheel).
"""
import argparse
import os
import statistics
import sys
import time

import numpy as np

import gblite as gb
import gblite.scipy
from gblite._library import ffi, lib

try:
    import graphblas
except ImportError:
    graphblas = None

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
from shared import PYTHON_PAGE, fill  # noqa: E402

INPUTS = ["rmat:10:8", "rmat:12:16", "rmat:14:16", "er:16:8", "er:18:4", "fem:16:3", "fem:24:2",
          "band:100000:8", "grid:500:500"]  # fmt: skip


def seconds(function):
    start = time.perf_counter()
    function()
    return time.perf_counter() - start


def contenders(S):
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


def check(S, theirs):
    ours = gblite.scipy.matmul(S, S)
    theirs.sort_indices()
    if not (np.array_equal(ours.indices, theirs.indices) and np.allclose(ours.data, theirs.data)):
        raise SystemExit("results differ")


def race(spec, repeats):
    S = gb.Matrix(spec).to_scipy()
    S.data[:] = np.random.default_rng(1).random(S.nnz)
    ways = contenders(S)
    check(S, S @ S)
    times = {name: [] for name in ways}
    for function in ways.values():
        function()
    for _ in range(repeats):
        for name, function in ways.items():
            times[name].append(seconds(function))
    return {name: statistics.median(taken) for name, taken in times.items()}


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


def table(races):
    names = list(next(iter(races.values())))
    lines = ["| input | " + " | ".join(names) + " | scipy / scipy in, out | "
             + ("python-graphblas / gblite |" if graphblas else ""),
             "|---" * (len(names) + 2 + (graphblas is not None)) + "|"]
    drop_in, peer = [], []
    for spec, times in races.items():
        drop_in.append(times["scipy"] / times["scipy in, scipy out"])
        cells = [f"{1000 * times[name]:.2f} ms" for name in names] + [f"{drop_in[-1]:.1f}"]
        if graphblas:
            peer.append(times["python-graphblas"] / times["gblite"])
            cells.append(f"{peer[-1]:.1f}")
        lines.append(f"| {spec} | " + " | ".join(cells) + " |")
    mean = [f"{statistics.geometric_mean(ratios):.1f}" for ratios in (drop_in, peer) if ratios]
    lines.append("| geometric mean |" + " |" * len(names) + " " + " | ".join(mean) + " |")
    return lines


def main():
    arguments = argparse.ArgumentParser()
    arguments.add_argument("inputs", nargs="*", default=INPUTS)
    arguments.add_argument("--repeats", type=int, default=5)
    arguments.add_argument("--write", action="store_true")
    options = arguments.parse_args()
    races = {spec: race(spec, options.repeats) for spec in options.inputs}
    import scipy

    versions = [f"scipy {scipy.__version__}", f"numpy {np.__version__}"]
    if graphblas:
        versions.append(f"python-graphblas {graphblas.__version__}")
    threads = ffi.new("int32_t *")
    lib.gbl_Global_get_INT32(lib.GBL_GLOBAL, threads, lib.GBL_NTHREADS)
    lines = [f"S @ S, medians of {options.repeats} in turns, {threads[0]} threads (scipy has one); "
             + ", ".join(versions) + ". Made by `python3 bench/python/race.py --write`.", ""]
    lines += table(races)
    lines += ["", "Above the C function, on 10 x 10:", ""]
    lines += [f"- `{name}`: {call:.1f} us, of which {c:.1f} are a bare call by cffi"
              for name, (call, c) in overheads().items()]
    text = "\n".join(lines)
    print(text)
    if options.write:
        fill(PYTHON_PAGE, "python", text)


main()
