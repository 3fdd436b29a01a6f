#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Measures what a page of docs/ is made of and brings its tables and plots up to date.

    bench/pages/make_page.py PAGE [--build DIR] [--data DIR] [--repeats N] [--only RESULT]...
                             [--draw-only]

Runs the programs of bench/ of a Release build, keeps what they print in bench/results/RESULT.json,
writes the tables between the lines <!-- begin:NAME --> and <!-- end:NAME --> of docs/PAGE.md and
docs/PAGE_tables.md and leaves everything else there alone; plots are of docs/benchmarks.md and need matplotlib for the
system's python3. Fails when a result was wrong. Intel MKL takes part once scripts/bench_peers.sh has
fetched it; --suitesparse FILE stands for the system's libgraphblas.so.
"""
import argparse
import json
import os
import re
import subprocess
import sys

sys.dont_write_bytecode = True
HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.abspath(os.path.join(HERE, "../.."))
sys.path[:0] = [HERE, os.path.join(HERE, ".."), os.path.join(HERE, "../graphs")]
import peers  # noqa: E402
import tables  # noqa: E402
from shared import fill, load, positive, save  # noqa: E402

# The jobs that write their own files: bench JOB OPTION...; {data} where there are files alone.
PRODUCTS = {"run": ["run"], "rowwise": ["rowwise"], "tiled": ["tiled"], "outer": ["outer"],
            "vector": ["vector"], "panel": ["panel"],
            "crossings": ["run", "--no-first", "--suite", f"{ROOT}/bench/suites/crossings.txt"],
            "regret": ["run", "--regret"],
            **{f"panel_{how}": ["panel", "--shuffle", how] for how in ("same", "apart")}}
# Those that print JSON, and whether they take --data.
PRINTED = {"overhead": (["overhead", "--json"], False), "updates": (["updates", "--json"], False),
           "spmm": (["spmm", "--json", "--threads", "2"], True),
           "spmm_1": (["spmm", "--json", "--threads", "1"], True), "chain": (["chain"], False)}
RESULTS = {"benchmarks": ["run", "crossings", "overhead", "regret"], "spmm": ["spmm_1", "spmm"],
           "chains": ["chain"], "graphs": ["graphs", "mcl"],
           "panel": ["panel", "panel_same", "panel_apart"],
           **{page: [page] for page in ("rowwise", "tiled", "outer", "vector", "updates")}}

def measure(options, name, path):
    if name == "graphs":
        found = peers.measure(options, load(path) if os.path.exists(path) else {})
        save(path, json.dumps(found, indent=1) + "\n")
        return
    takes_data = True
    if name == "mcl":
        command = [os.path.join(HERE, "../mcl/race.py"), "--build", options.build]
    elif name in PRODUCTS:
        command = [*PRODUCTS[name], "--name", name, "--output", os.path.dirname(path)]
        command += ["--suitesparse", options.suitesparse] if options.suitesparse else []
    else:
        command, takes_data = PRINTED[name]
    command = command if name == "mcl" else [os.path.join(options.build, "bench/bench"), *command]
    command += ["--data", options.data] if options.data and takes_data else []
    command += ["--repeats", str(options.repeats)] if options.repeats else []
    command += ["--suite", options.suite] if options.suite else []
    print(" ".join(command), flush=True)
    if name in PRODUCTS:
        subprocess.run(command, check=True)
    else:
        save(path, subprocess.run(command, stdout=subprocess.PIPE, check=True, text=True).stdout)

def write_tables(path, made, results):
    with open(path, encoding="utf-8") as file:
        names = re.findall(r"<!-- begin:(\S+) -->", file.read())
    for name in names:
        if name not in made:
            raise ValueError(f"{path}: no table '{name}'; there are {', '.join(made)}")
        fill(path, name, made[name](results))

def read_options():
    parser = argparse.ArgumentParser(
        description="Measures what a page of docs/ is made of and brings it up to date.")
    parser.add_argument("page", metavar="PAGE", choices=RESULTS, help=", ".join(RESULTS))
    parser.add_argument("--build", metavar="DIR", default=os.path.join(ROOT, "build"),
                        help="folder of a Release build (default: build)")
    parser.add_argument("--repeats", metavar="N", type=positive,
                        help="rounds; the median counts (default: those of the program)")
    parser.add_argument("--data", metavar="DIR", help="folder of the Matrix Market files that the "
                        "suites name; missing ones are skipped")
    parser.add_argument("--suite", metavar="FILE", help="instead of that of the job")
    parser.add_argument("--only", metavar="RESULT", action="append",
                        help="one of " + "; ".join(" ".join(r) for r in RESULTS.values()))
    parser.add_argument("--draw-only", action="store_true",
                        help="plots and tables from the results that are there")
    parser.add_argument("--output", metavar="DIR", default=ROOT,
                        help="folder that has docs and bench/results (default: the sources)")
    parser.add_argument("--suitesparse", metavar="FILE", help="another libgraphblas.so")
    peers.add_options(parser)
    return parser.parse_args()

def main():
    options = read_options()
    folder = os.path.join(options.output, "bench/results")
    os.makedirs(folder, exist_ok=True)
    paths = {name: os.path.join(folder, f"{name}.json") for name in RESULTS[options.page]}
    for name in [] if options.draw_only else options.only or paths:
        if name != "regret" or options.data:
            measure(options, name, paths[name])
    missing = [name for name, path in paths.items() if not os.path.exists(path)]
    if [name for name in missing if name != "regret"]:
        print("not measured yet, so nothing is drawn:", ", ".join(missing))
        return
    results = {name: None if name in missing else load(path) for name, path in paths.items()}
    docs = os.path.join(options.output, "docs")
    if options.page == "benchmarks":
        import plots  # noqa: PLC0415 -- needs matplotlib, which the other pages do not
        plots.draw(results["run"], results["crossings"], docs)
    for name in (f"{options.page}.md", f"{options.page}_tables.md"):
        if os.path.exists(os.path.join(docs, name)):
            write_tables(os.path.join(docs, name), tables.TABLES[options.page], results)

if __name__ == "__main__":
    try:
        main()
    except (OSError, ValueError, KeyError, subprocess.CalledProcessError) as error:
        sys.exit(f"make_page: {type(error).__name__}: {error}")
