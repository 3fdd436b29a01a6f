#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
#
# Measures everything and brings docs/benchmarks.md up to date.
#
#   bench/run/make_page.py [--data DIR] [--build DIR] [--repeats N] [--only PART]... [--draw-only]
#                         [--suitesparse FILE]
#
# Parts: run (the suite), crossings (sweeps of one property), overhead (calls on tiny objects), regret
# (the files of DIR that the suite does not name). Runs bench/run and bench/overhead of a Release
# build; they keep their results in bench/results/. Draws docs/benchmarks-*.svg; writes the tables of
# docs/benchmarks.md and leaves everything else there alone. Fails when a result was wrong.
# --suitesparse FILE stands for the system's libgraphblas.so. Needs matplotlib for the system's
# python3; MKL takes part once scripts/bench_peers.sh has fetched it.
import os
import subprocess
import sys

sys.dont_write_bytecode = True
sys.path.append(os.path.join(os.path.dirname(os.path.abspath(__file__)), "../harness"))
import plots  # noqa: E402
import tables  # noqa: E402
import page  # noqa: E402

RESULTS = os.path.join(page.ROOT, "bench/results")
PARTS = ["run", "crossings", "overhead", "regret"]


def measure(options, part):
    program = os.path.join(options.build, "bench")
    if part == "overhead":
        page.save(os.path.join(RESULTS, "overhead.json"), page.measure([program + "/overhead"]))
        return
    command = [program + "/run", "--repeats", str(options.repeats), "--name", part,
               "--output", RESULTS]
    command += ["--data", options.data] if options.data else []
    command += ["--suitesparse", options.suitesparse] if options.suitesparse else []
    if part == "crossings":
        command += ["--suite", os.path.join(page.ROOT, "bench/run/crossings.txt"), "--no-first"]
    if part == "regret":
        command += ["--regret"]
    print(" ".join(command), flush=True)
    subprocess.run(command, check=True)


def load(part):
    """Regret is measured only where there are files."""
    path = os.path.join(RESULTS, f"{part}.json")
    return page.load(path) if part != "regret" or os.path.exists(path) else None


def main():
    arguments = page.parser("benchmarks", suite="bench/suite.txt", parts=PARTS)
    arguments.add_argument("--suitesparse", metavar="FILE", help="another libgraphblas.so")
    options = arguments.parse_args()
    os.makedirs(RESULTS, exist_ok=True)
    for part in [] if options.draw_only else options.only or PARTS:
        if part != "regret" or options.data:
            measure(options, part)
    documents = {part: load(part) for part in PARTS}
    docs = os.path.join(page.ROOT, "docs")
    plots.draw(documents["run"], documents["crossings"], docs)
    page.write_tables(os.path.join(docs, "benchmarks.md"), tables.TABLES, documents)


if __name__ == "__main__":
    page.run("benchmarks", main)
