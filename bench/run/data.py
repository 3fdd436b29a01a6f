# SPDX-License-Identifier: Apache-2.0
#
# What tables and plots of docs/benchmarks.md are made of: the documents of bench/run.
import math

AUTO, PEERS = "auto", ("suitesparse", "mkl")
PEER_NAMES = {"suitesparse": "SuiteSparse", "mkl": "MKL"}
WAY_NAMES = {"auto": "automatic", "upper_bound": "ROWWISE, upper bound",
             "estimate": "ROWWISE, estimate", "symbolic": "ROWWISE, symbolic", "tiled": "TILED",
             "outer": "OUTER", "dot": "DOT", "panel": "PANEL",
             "panel_grouped": "PANEL, grouped rows"}


def contenders(i):
    """Those that ran, by name."""
    return {c["name"]: c for c in i["contenders"] if "seconds" in c}


def seconds(i, name):
    c = contenders(i).get(name)
    return c["seconds"] if c else None


def forced(i):
    return {name: c for name, c in contenders(i).items() if name not in (AUTO, *PEERS)}


def best_forced(i):
    """(name, seconds) of the quickest way that was forced."""
    return min(((name, c["seconds"]) for name, c in forced(i).items()), key=lambda x: x[1])


def regret(i):
    return seconds(i, AUTO) / best_forced(i)[1]


def speedup(i, peer):
    """How many times the automatic choice is faster than a peer; None where it did not run."""
    theirs = seconds(i, peer)
    return theirs / seconds(i, AUTO) if theirs else None


def speedups(inputs, peer):
    return [s for s in (speedup(i, peer) for i in inputs) if s]


def first(i, name):
    """The first call in a fresh process; None where it was not measured."""
    return contenders(i).get(name, {}).get("first")


def first_speedup(i, peer):
    theirs, mine = first(i, peer), first(i, AUTO)
    return theirs["seconds"] / mine["seconds"] if theirs and mine else None


def first_speedups(inputs, peer):
    return [s for s in (first_speedup(i, peer) for i in inputs) if s]


def prediction_errors(inputs):
    """log2(predicted / measured) of the ways that the automatic plan chose."""
    autos = (contenders(i)[AUTO] for i in inputs)
    return [math.log2(c["predicted"] / c["seconds"]) for c in autos if c.get("predicted", 0) > 0]


def geometric_mean(values):
    return math.exp(sum(map(math.log, values)) / len(values))


def median(values):
    values, n = sorted(values), len(values)
    return values[n // 2] if n % 2 else (values[n // 2 - 1] + values[n // 2]) / 2


def label(i):
    name = i["name"] if i["operation"] == "mxm" else f"L*L' {i['name']}"
    return name + (" *" if i["held_out"] else "")
