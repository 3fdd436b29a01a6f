#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""LAGraph's drivers of the GAP benchmark on libgraphblas.so of SuiteSparse and of gblite, in turns.

    lagraph_drivers.py DRIVERS OURS THEIRS GRAPH.mtx... [--threads N] [--turns N] [--only WORD]...

DRIVERS has LAGraph's programs bc_demo, bfs_demo, ... (src/benchmark), built with SuiteSparse's
header; OURS and THEIRS are the folders of the libraries. A line a driver and graph: the least
seconds of each, and theirs over ours.
"""
import argparse
import os
import random
import re
import statistics
import subprocess
import tempfile

TIMES = {  # driver -> its lines of a time
    "bc": r"^BC time\s+\d+: ([\d.]+)",
    "bfs": r"^parent only  pushpull trial.* ([\d.]+) sec",
    "sssp": r"trial.*? ([\d.]+) sec",
    "cc": r"^SV6:.*trial.*time: ([\d.]+)",
    "gappagerank": r"^trial.*time: ([\d.]+)",
    "tc": r"^Avg: TC.*: ([\d.]+) sec",
}
EQUAL = ("cc", "gappagerank", "tc")  # whose trials all do the same
DELTA = "40"  # of sssp


def sources(graph, folder):
    """A file of 16 random vertices."""
    with open(graph) as lines:
        size = next(line for line in lines if not line.startswith("%"))
    chosen = random.Random(5)
    name = os.path.join(folder, os.path.basename(graph) + ".sources")
    with open(name, "w") as out:
        out.write("%%MatrixMarket matrix array integer general\n%%GraphBLAS type int64_t\n16 1\n")
        out.writelines(f"{chosen.randint(1, int(size.split()[0]))}\n" for _ in range(16))
    return name


def seconds(options, driver, library, graph, starts):
    """Of each trial."""
    folders = [library, os.path.dirname(os.path.abspath(library)),
               os.environ.get("LD_LIBRARY_PATH", "")]
    done = subprocess.run(
        [os.path.join(options.drivers, f"{driver}_demo"), graph, starts, DELTA],
        env={**os.environ, "OMP_NUM_THREADS": str(options.threads),
             "LD_LIBRARY_PATH": ":".join(folders)},
        capture_output=True, text=True)
    found = [float(x) for x in re.findall(TIMES[driver], done.stdout + done.stderr, re.M)]
    if done.returncode != 0 or not found:
        raise SystemExit(f"{driver} {graph} on {library}: {done.stdout[-300:]}{done.stderr[-300:]}")
    return [min(found)] if driver in EQUAL else found


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("drivers")
    parser.add_argument("ours")
    parser.add_argument("theirs")
    parser.add_argument("graphs", nargs="+")
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--turns", type=int, default=3)
    parser.add_argument("--only", action="append")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        for driver in options.only or TIMES:
            ratios = []
            for graph in options.graphs:
                starts, least = sources(graph, folder), {}
                for _ in range(options.turns):
                    for library in (options.ours, options.theirs):
                        found = seconds(options, driver, library, graph, starts)
                        before = least.get(library, found)
                        least[library] = [min(pair) for pair in zip(found, before)]
                ours, theirs = (sum(least[x]) for x in (options.ours, options.theirs))
                ratios.append(theirs / ours)
                print(f"{driver:12} {os.path.basename(graph):16} {ours:9.4f} s {theirs:9.4f} s "
                      f"{theirs / ours:6.2f}", flush=True)
            print(f"{driver:12} geometric mean {statistics.geometric_mean(ratios):32.2f}", flush=True)


if __name__ == "__main__":
    main()
