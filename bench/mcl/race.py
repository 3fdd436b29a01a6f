#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""The program `mcl` of S. van Dongen and `gblite mcl` on the same label files; prints JSON.

    bench/mcl/race.py [--build DIR] [--suite FILE] [--data DIR] [--repeats N] [--threads N]

Every run is a process of its own: seconds from start to end, the most memory that was resident, and
whether they find the same clusters. A line of the suite is PRUNING GRAPH: `fine` or `usual`, and the
inflation behind @ where it is not 2. Edges of planted graphs weigh 1. Where the program mcl is missing
the others run without it.
"""
import argparse
import heapq
import json
import os
import shutil
import statistics
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
sys.dont_write_bytecode = True
sys.path.insert(0, os.path.join(HERE, ".."))
from shared import operand_name, positive, processor, read_suite  # noqa: E402

# What gblite is given beside; None: the program mcl.
CONTENDERS = {"mcl": None, "gblite": [], "gblite float64": ["--float64"],
              "gblite dust 1e-5": ["--dust", "1e-5"]}
FINE = ["-P", "1000000000", "-S", "1000000", "-R", "1000000"]  # drops next to nothing


def printed_by(*command):
    return subprocess.run(command, check=True, text=True, stdout=subprocess.PIPE).stdout


def write_labels(operand, options, folder):
    """The label file, vertices, and entries; every vertex has a loop, so that none is missing."""
    edges, labels = (os.path.join(folder, name) for name in ("edges.tsv", "graph.abc"))
    facts = json.loads(printed_by(f"{options.build}/gblite", "convert", operand, "-o", edges, "--json"))
    weighs = not operand.startswith("planted:")

    def triples(lines):
        for words in (line.split() for line in lines):
            if words[0] != words[1]:
                weight = float(words[2]) if weighs and len(words) > 2 else 1.0
                yield int(words[0]), int(words[1]), weight

    loops = ((v, v, 1.0) for v in range(1, facts["rows"] + 1))
    with open(edges, encoding="ascii") as lines, open(labels, "w", encoding="ascii") as out:
        for u, v, weight in heapq.merge(triples(lines), loops):
            out.write(f"{u}\t{v}\t{weight:.9g}\n")
    return labels, facts["rows"], facts["entries"]


def read_clusters(path, n):
    """A cluster on each line, with each vertex once."""
    with open(path, encoding="ascii") as lines:
        clusters = [frozenset(map(int, line.split())) for line in lines]
    if sum(map(len, clusters)) != n or set().union(*clusters) != set(range(1, n + 1)):
        raise ValueError(f"{path} has not each of {n} vertices once")
    return clusters


def apart(clusters, others):
    """Vertices in clusters that the others do not have."""
    known = set(others)
    return sum(len(cluster) for cluster in clusters if cluster not in known)


def run_graph(line, operand, options, folder):
    pruning, _, inflation = line.partition("@")
    inflation = inflation or "2"
    labels, n, entries = write_labels(operand, options, folder)
    taken, outputs = {}, {}
    present = [name for name in CONTENDERS if name != "mcl" or shutil.which("mcl")]
    for turn in range(options.repeats):
        for name in present[turn % len(present):] + present[:turn % len(present)]:
            more, outputs[name] = CONTENDERS[name], os.path.join(folder, name.replace(" ", "_"))
            command = ["mcl"] if more is None else [f"{options.build}/gblite", "mcl"]
            command += [labels, "--abc", "-I", inflation, "-o", outputs[name],
                        "-te" if more is None else "--threads", str(options.threads), *(more or []),
                        *(FINE if pruning == "fine" else [])]
            took = printed_by(f"{options.build}/bench/taken", *command).split()
            taken.setdefault(name, []).append([float(x) for x in took])
    clusters = {name: read_clusters(outputs[name], n) for name in present}
    planted = operand.startswith("planted:") and int(operand.split(":")[1])
    rows = []
    for name in present:
        seconds, bytes_ = zip(*taken[name])
        row = {"name": name, "seconds": statistics.median(seconds), "bytes": max(bytes_),
               "clusters": len(clusters[name])}
        if "mcl" in present:
            row["apart_from_mcl"] = apart(clusters[name], clusters["mcl"])
        if planted:
            row["apart_from_planted"] = apart(clusters[name], [
                frozenset(range(1 + k, n + 1, planted)) for k in range(planted)])
        rows.append(row)
    return {"graph": operand_name(operand), "pruning": pruning, "inflation": inflation,
            "vertices": n, "entries": entries, "contenders": rows}


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("--build", metavar="DIR", default=os.path.join(HERE, "../../build"))
    parser.add_argument("--suite", metavar="FILE", default=os.path.join(HERE, "suite.txt"))
    parser.add_argument("--data", metavar="DIR", help="folder of the suite's files")
    parser.add_argument("--repeats", metavar="N", type=positive, default=3)
    parser.add_argument("--threads", metavar="N", type=positive, default=os.cpu_count())
    options = parser.parse_args()
    version = printed_by(f"{options.build}/gblite", "--version").split()[1]
    graphs = []
    with tempfile.TemporaryDirectory(prefix="gblite-mcl-") as folder:
        for line, operand in read_suite(options.suite, options.data):
            print(f"mcl: {operand_name(operand)}", file=sys.stderr, flush=True)
            graphs.append(run_graph(line, operand, options, folder))
    print(json.dumps({"machine": processor(), "threads": options.threads, "gblite": version,
                      "rounds": options.repeats, "graphs": graphs}, indent=1))


if __name__ == "__main__":
    try:
        main()
    except (OSError, ValueError, subprocess.CalledProcessError) as error:
        sys.exit(f"mcl: {type(error).__name__}: {error}")
