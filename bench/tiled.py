#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
#
# tiled.py: measures the tiled product and brings docs/tiled.md up to date.
#
#   bench/tiled.py [--data DIR] [--build DIR] [--repeats N] [--only PART]... [--draw-only]
#
# Runs bench/tiled of a Release build part by part; keeps its JSON in bench/results/tiled.json,
# where parts that are not measured stay as they were; draws docs/tiled-*.svg; writes the tables of
# docs/tiled.md and leaves everything else there alone. Fails when a result was wrong. Needs
# matplotlib for the system's python3.
import argparse
import json
import os
import subprocess
import sys

sys.dont_write_bytecode = True
import page  # noqa: E402
import tiled_plots  # noqa: E402
import tiled_tables  # noqa: E402

PARTS = ["race", "steps", "sweep", "memory", "growth", "triangles", "galerkin", "cube"]


def parse():
    parser = argparse.ArgumentParser(description="Measures the tiled product and brings "
                                     "docs/tiled.md up to date.")
    parser.add_argument("--data", metavar="DIR", help="folder of the Matrix Market files that "
                        "bench/tiled_suite.txt names; missing ones are skipped")
    parser.add_argument("--build", metavar="DIR", default=os.path.join(page.ROOT, "build"),
                        help="folder of a Release build (default: build)")
    parser.add_argument("--repeats", metavar="N", type=int, default=5,
                        help="rounds; the median counts (default 5)")
    parser.add_argument("--only", metavar="PART", action="append", choices=PARTS,
                        help=f"one of {', '.join(PARTS)}; may be given several times")
    parser.add_argument("--draw-only", action="store_true",
                        help="plots and tables from the results that are there")
    return parser.parse_args()


def load(path):
    if not os.path.exists(path):
        return {}
    with open(path) as file:
        return json.load(file)


def main():
    options = parse()
    path = os.path.join(page.ROOT, "bench/results/tiled.json")
    os.makedirs(os.path.dirname(path), exist_ok=True)
    results = load(path)
    command = [os.path.join(options.build, "bench/tiled"), "--repeats", str(options.repeats)]
    command += ["--data", options.data] if options.data else []
    for part in [] if options.draw_only else options.only or PARTS:
        results.update(json.loads(page.measure(command + ["--only", part])))
        page.save(path, json.dumps(results, indent=1) + "\n")
    missing = [part for part in PARTS if part not in results]
    if missing:
        print("tiled.py: not measured yet, so nothing is drawn:", ", ".join(missing))
        return
    docs = os.path.join(page.ROOT, "docs")
    tiled_plots.draw(results, docs)
    page.write_tables(os.path.join(docs, "tiled.md"), tiled_tables.TABLES, results)


if __name__ == "__main__":
    try:
        main()
    except (OSError, ValueError, KeyError, subprocess.CalledProcessError) as error:
        sys.exit(f"tiled.py: {type(error).__name__}: {error}")
