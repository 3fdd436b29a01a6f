#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
#
# Measures graph algorithms beside GAP and LAGraph and brings docs/graphs.md up to date.
#
#   bench/graphs/make_page.py [--gap DIR] [--lagraph PROGRAM] [--only JOB] [--draw-only] [GRAPH...]
#
# Runs bench/graphs of a Release build on the graphs, by default those of bench/graphs/suite.txt,
# keeps the medians in bench/results/graphs.json, where other graphs, and with --only other jobs,
# stay as they were, so that long runs can be made in pieces, and writes the tables gap_* of
# docs/graphs.md. The peers are built by hand and given by their paths:
#   --gap      a folder with bfs, sssp, cc, pr, bc, tc and converter of the GAP benchmark suite
#   --lagraph  a program that is run as `PROGRAM FILE.mtx REPEATS`, makes the graph undirected
#              without loops, and prints a line `JOB SECONDS` for each job, as main.c names them
# Without one, its figures stay what they were.
import json
import math
import os
import re
import statistics
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True
sys.path.append(os.path.join(os.path.dirname(os.path.abspath(__file__)), "../harness"))
import page  # noqa: E402

RESULTS = os.path.join(page.ROOT, "bench/results/graphs.json")
# the job, how GAP calls it and with what, and its sources in a trial
GAP = {"bfs": ("bfs", ["-n", "16"], 1), "sssp": ("sssp", ["-n", "8", "-d", "64"], 1),
       "cc": ("cc", ["-n", "9"], 1), "pagerank": ("pr", ["-n", "5", "-i", "100", "-t", "1e-4"], 1),
       "bc": ("bc", ["-n", "3", "-i", "4"], 4), "tc": ("tc", ["-n", "3"], 1)}
TITLES = {"bfs": "search", "sssp": "paths", "cc": "components", "pagerank": "PageRank",
          "bc": "betweenness", "tc": "triangles"}
PEERS = {"plain": "by hand", "gap": "GAP", "lagraph": "LAGraph"}


def quietly(command, **environment):
    return subprocess.run(command, check=True, text=True, stdout=subprocess.PIPE,
                          stderr=subprocess.DEVNULL, env=dict(os.environ, **environment)).stdout


def write_pattern(path, values):
    """The Matrix Market file without its values: GAP would take those as weights, cut to integers,
    which makes them 0; without, it draws weights from 1 to 255."""
    with open(values, encoding="ascii") as source, open(path, "w", encoding="ascii") as target:
        target.write(next(source).replace(" real ", " pattern ").replace(" integer ", " pattern "))
        lines = (line for line in source if not line.startswith("%"))
        target.write(next(lines))
        target.writelines(" ".join(line.split()[:2]) + "\n" for line in lines)


def run_gap(folder, graph, threads, scratch, jobs):
    """Seconds of one source by job: the median of GAP's trials."""
    plain, weighted = os.path.join(scratch, "g.sg"), os.path.join(scratch, "g.wsg")
    edges = os.path.join(scratch, "edges.mtx")
    write_pattern(edges, graph)
    for path, options in ((plain, []), (weighted, ["-w"] if "sssp" in jobs else None)):
        if options is not None:
            quietly([os.path.join(folder, "converter"), "-f", edges, "-s", *options, "-b", path])
    seconds = {}
    for job in jobs:
        name, arguments, sources = GAP[job]
        text = quietly([os.path.join(folder, name), "-f", weighted if job == "sssp" else plain,
                        *arguments], OMP_NUM_THREADS=str(threads))
        trials = [float(t) for t in re.findall(r"Trial Time:\s+([\d.]+)", text)]
        seconds[job] = statistics.median(trials) / sources
    return seconds


def run_lagraph(program, graph, repeats, threads):
    text = quietly([program, graph, str(repeats)], OMP_NUM_THREADS=str(threads))
    return {job: float(s) for job, s in (line.split() for line in text.splitlines())}


def add_peers(rows, graph, options, threads):
    """Figures of the peers go to the rows of the graph."""
    with tempfile.TemporaryDirectory() as scratch:
        path = os.path.join(scratch, "g.mtx")
        quietly([os.path.join(options.build, "gblite"), "convert", graph, "-o", path])
        found = {}
        if options.gap:
            found["gap"] = run_gap(options.gap, path, threads, scratch,
                                   [row["job"] for row in rows])
        if options.lagraph:
            found["lagraph"] = run_lagraph(options.lagraph, path, options.repeats, threads)
    for row in rows:
        row.update({peer: seconds[row["job"]] for peer, seconds in found.items()})


def measure(options, old):
    command = [os.path.join(options.build, "bench/graphs"), "--json", "--repeats",
               str(options.repeats)]
    if options.data:
        command += ["--data", options.data]
    if options.only:
        command += ["--only", options.only]
    new = json.loads(page.measure(command + options.graphs))
    before = {(row["graph"], row["job"]): row for row in old.get("rows", [])}
    for graph in dict.fromkeys(row["graph"] for row in new["rows"]):
        add_peers([row for row in new["rows"] if row["graph"] == graph], graph, options,
                  new["threads"])
    for row in new["rows"]:
        row["graph"] = os.path.basename(row["graph"]).removesuffix(".mtx")
        before[row["graph"], row["job"]] = dict(before.get((row["graph"], row["job"]), {}), **row)
    new["rows"] = list(before.values())
    return new


def machine(results):
    return (f"{results['machine']}, {results['threads']} threads, gblite {results['gblite']}, "
            f"medians of {results['rounds']}.")


def ratio(row, peer):
    return row[peer] / row["gblite"]


def cell(row):
    ratios = [f"{ratio(row, peer):.2f}" if row.get(peer) else "" for peer in PEERS]
    return f"{1e3 * row['gblite']:.2f}; " + ", ".join(ratios)


def race(results):
    rows = {(row["graph"], row["job"]): row for row in results["rows"]}
    graphs = dict.fromkeys(graph for graph, _ in rows)
    return page.table(["graph", *TITLES.values()],
                      [[graph] + [cell(rows[graph, job]) if (graph, job) in rows else ""
                                  for job in TITLES] for graph in graphs])


def means(results):
    lines = []
    for peer, name in PEERS.items():
        line = [name]
        for jobs in [[job] for job in TITLES] + [list(TITLES)]:
            found = [ratio(row, peer) for row in results["rows"]
                     if row["job"] in jobs and row.get(peer)]
            mean = math.exp(statistics.mean(map(math.log, found))) if found else 0
            line.append(f"{mean:.2f} ({min(found):.2f})" if found else "")
        lines.append(line)
    return page.table(["peer / gblite", *TITLES.values(), "all"], lines)


def main():
    arguments = page.parser("graphs", rounds=3, suite="bench/graphs/suite.txt")
    arguments.add_argument("--gap", metavar="DIR", help="folder of the GAP benchmark's programs")
    arguments.add_argument("--lagraph", metavar="PROGRAM", help="a program that times LAGraph")
    arguments.add_argument("--only", metavar="JOB", choices=GAP, help="one of " + ", ".join(GAP))
    arguments.add_argument("graphs", metavar="GRAPH", nargs="*", help="instead of the suite")
    options = arguments.parse_args()
    results = page.load(RESULTS) if os.path.exists(RESULTS) else {}
    if not options.draw_only:
        results = measure(options, results)
        page.save(RESULTS, json.dumps(results, indent=1) + "\n")
    tables = {"gap_machine": machine, "gap_race": race, "gap_means": means}
    page.write_tables(os.path.join(page.ROOT, "docs/graphs.md"), tables, results, others="mcl_")


if __name__ == "__main__":
    page.run("graphs", main)
