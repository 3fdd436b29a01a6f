#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
#
# Measures Markov clustering and brings docs/graphs.md up to date.
#
#   bench/mcl/make_page.py [--build DIR] [--repeats N] [--draw-only]
#
# Runs bench/mcl of a Release build, keeps its JSON in bench/results/mcl.json, writes the tables of
# docs/graphs.md and leaves everything else there alone. --data names the folder of the graphs in
# files, which are left out without it.
import os
import sys

sys.dont_write_bytecode = True
sys.path.append(os.path.join(os.path.dirname(os.path.abspath(__file__)), "../harness"))
import page  # noqa: E402


def machine(results):
    return (f"{results['machine']}, {results['threads']} threads, gblite {results['gblite']}, "
            f"medians of {results['rounds']}.")


def contender(graph, name):
    return next((c for c in graph["contenders"] if c["name"] == name), None)


def clusters(results):
    rows = []
    for graph in results["graphs"]:
        for c in graph["contenders"]:
            counts = [c["clusters"], c.get("apart_from_mcl", ""), c.get("apart_from_planted", "")]
            rows.append([graph["graph"], graph["pruning"], c["name"], *map(str, counts)])
    return page.table(["graph", "pruning", "program", "clusters", "apart from mcl",
                       "apart from planted"], rows)


def race(results):
    rows = []
    for graph in (g for g in results["graphs"] if g["pruning"] == "usual"):
        peer = contender(graph, "mcl")
        for c in graph["contenders"]:
            ratio = f"{peer['seconds'] / c['seconds']:.2f}" if peer else ""
            rows.append([graph["graph"], page.count(graph["entries"] // 2), c["name"],
                         page.seconds(c["seconds"]), ratio, page.size(c["bytes"])])
    return page.table(["graph", "edges", "program", "wall", "mcl / it", "peak memory"], rows)


def main():
    options = page.parser("graphs", rounds=3, suite="bench/mcl/suite.txt").parse_args()
    path = os.path.join(page.ROOT, "bench/results/mcl.json")
    if not options.draw_only:
        command = [os.path.join(options.build, "bench/mcl"), "--repeats", str(options.repeats)]
        if options.data:
            command += ["--data", options.data]
        page.save(path, page.measure(command))
    tables = {"mcl_machine": machine, "mcl_clusters": clusters, "mcl_race": race}
    page.write_tables(os.path.join(page.ROOT, "docs/graphs.md"), tables, page.load(path),
                      others="gap_")


if __name__ == "__main__":
    page.run("mcl", main)
