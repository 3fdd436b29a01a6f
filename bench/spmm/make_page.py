#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
#
# Measures sparse times full and brings docs/spmm.md up to date.
#
#   bench/spmm/make_page.py [--build DIR] [--repeats N] [--draw-only]
#
# Runs bench/spmm of a Release build with one thread and with two, keeps its JSON in
# bench/results/spmm.json, writes the tables of docs/spmm.md and leaves everything else there alone.
# Intel MKL takes part where scripts/bench_peers.sh has fetched it. Fails when results differed.
import json
import os
import sys

sys.dont_write_bytecode = True
sys.path.append(os.path.join(os.path.dirname(os.path.abspath(__file__)), "../harness"))
import page  # noqa: E402

THREADS = (1, 2)
PEERS = (("mkl", "MKL"), ("mkl_optimized", "MKL, optimized"), ("suitesparse", "SuiteSparse"),
         ("rowwise", "as if not full"))


def run_of(results, threads):
    return next(r for r in results["runs"] if r["threads"] == threads)


def products(run):
    return [p for i in run["inputs"] for p in i["products"]]


def machine(results):
    run = run_of(results, THREADS[-1])
    share = max(r["share_of_other_programs"] for r in results["runs"])
    mkl = run["mkl"].replace(" Product Build", ", build").split(" for ")[0]
    return (f"{run['machine']}, gblite {run['gblite']}, SuiteSparse:GraphBLAS "
            f"{run['suitesparse']}, {mkl or 'no MKL'}; medians of up to {run['rounds']} rounds; "
            f"other programs used up to {page.percent(share, 0)} of the processors meanwhile.")


def mean(values):
    product = 1.0
    for x in values:
        product *= x
    return product ** (1.0 / len(values))


def means(results):
    rows = []
    for threads in THREADS:
        found = products(run_of(results, threads))
        row = [f"{threads}"]
        for key, _ in PEERS:
            ratios = [p[key] / p["gblite"] for p in found if key in p]
            row.append(f"{mean(ratios):.2f} ({min(ratios):.2f} to {max(ratios):.2f})"
                       if ratios else "")
        rows.append(row)
    return page.table(["threads"] + [name for _, name in PEERS], rows)


def table_of(results, threads):
    rows = []
    for one in run_of(results, threads)["inputs"]:
        for p in one["products"]:
            rows.append([one["name"], f"{p['columns']:.0f}", page.seconds(p["gblite"]),
                         f"{2e-9 * p['flops'] / p['gblite']:.1f}"] +
                        [f"{p[key] / p['gblite']:.2f}" if key in p else "" for key, _ in PEERS] +
                        [page.seconds(p["first"]), page.size(p["peak_bytes"])])
    return page.table(["A", "columns", "gblite", "GFLOPS"] + [name for _, name in PEERS] +
                      ["first call", "peak"], rows)


def main():
    options = page.parser("spmm").parse_args()
    path = os.path.join(page.ROOT, "bench/results/spmm.json")
    if not options.draw_only:
        program = os.path.join(options.build, "bench/spmm")
        runs = [json.loads(page.measure([program, "--repeats", str(options.repeats),
                                         "--threads", str(threads)])) for threads in THREADS]
        page.save(path, json.dumps({"runs": runs}, indent=1) + "\n")
    tables = {"machine": machine, "means": means,
              "one": lambda results: table_of(results, 1),
              "two": lambda results: table_of(results, 2)}
    page.write_tables(os.path.join(page.ROOT, "docs/spmm.md"), tables, page.load(path))


if __name__ == "__main__":
    page.run("spmm", main)
