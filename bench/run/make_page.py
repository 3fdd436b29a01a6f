#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
#
# Measures everything and brings docs/benchmarks.md up to date.
#
#   bench/run/make_page.py [--data DIR] [--build DIR] [--repeats N] [--only PART]... [--draw-only]
#
# Parts: run (the suite), crossings (sweeps of one property), overhead (calls on tiny objects). Runs
# bench/run and bench/overhead of a Release build; they keep their results in bench/results/. Draws
# docs/benchmarks-*.svg; writes the tables of docs/benchmarks.md and leaves everything else there
# alone. Fails when a result was wrong. Needs matplotlib for the system's python3; MKL takes part once
# scripts/bench_peers.sh has fetched it.
import os
import subprocess
import sys

sys.dont_write_bytecode = True
sys.path.append(os.path.join(os.path.dirname(os.path.abspath(__file__)), "../harness"))
import plots  # noqa: E402
import tables  # noqa: E402
import page  # noqa: E402

RESULTS = os.path.join(page.ROOT, "bench/results")
PARTS = ["run", "crossings", "overhead"]


def measure(options, part):
    program = os.path.join(options.build, "bench")
    if part == "overhead":
        page.save(os.path.join(RESULTS, "overhead.json"), page.measure([program + "/overhead"]))
        return
    command = [program + "/run", "--repeats", str(options.repeats), "--name", part,
               "--output", RESULTS]
    command += ["--data", options.data] if options.data else []
    if part == "crossings":
        command += ["--suite", os.path.join(page.ROOT, "bench/run/crossings.txt")]
    print(" ".join(command), flush=True)
    subprocess.run(command, check=True)


def main():
    options = page.parser("benchmarks", suite="bench/suite.txt", parts=PARTS).parse_args()
    os.makedirs(RESULTS, exist_ok=True)
    for part in [] if options.draw_only else options.only or PARTS:
        measure(options, part)
    results, crossings, overhead = (
        page.load(os.path.join(RESULTS, f"{part}.json")) for part in PARTS)
    docs = os.path.join(page.ROOT, "docs")
    plots.draw(results, crossings, docs)
    page.write_tables(os.path.join(docs, "benchmarks.md"), tables.TABLES, results,
                      crossings, overhead)


if __name__ == "__main__":
    page.run("benchmarks", main)
