#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
#
# Measures the method VECTOR, counts its vector instructions, and brings docs/vector.md up to date.
#
#   bench/vector/make_page.py [--build DIR] [--data DIR] [--repeats N] [--only PART] [--draw-only]
#
# Runs the parts of bench/vector of a Release build, keeps their JSON in bench/results/vector.json and
# writes the tables of docs/vector.md. Fails when results differed.
import os
import sys

sys.dont_write_bytecode = True
sys.path.append(os.path.join(os.path.dirname(os.path.abspath(__file__)), "../harness"))
import page  # noqa: E402

PARTS = ("race", "counts", "sweeps")
OTHERS = ("auto", "outer", "suitesparse")
VARIANTS = ("spa", "spars-16/64", "spars-40/40", "h-spa-16/64", "h-spa-40/40", "hash-32/256",
            "hash-256/256", "h-hash-32/256", "h-hash-256/256", "esc")


def machine(results):
    race = results["race"]
    return (f"{race['machine']}, {race['threads']} threads, gblite {race['gblite']}; the least of "
            f"{race['rounds']} rounds; other programs used "
            f"{page.percent(race['share_of_other_programs'], 0)} of the processors meanwhile.")


def race(results):
    rows = [[i["name"], page.seconds(i["processor"]["rowwise"])] +
            [f"{i['processor'][key] / i['processor']['rowwise']:.2f}" for key in OTHERS + VARIANTS]
            for i in results["race"]["inputs"]]
    return page.table(("A", "rowwise") + OTHERS + VARIANTS, rows)


def table1(results):
    rows = []
    for i in results["counts"]["inputs"]:
        cells = [f"{v['counted']:.2f} ({v['paper']:.2f})" for v in i["variants"][1:]]
        rows.append([i["name"] + (" \\*" if i["random"] else "")] + cells +
                    [f"{i['rank_correlation']:.2f}"])
    return page.table(("matrix",) + VARIANTS[1:] + ("ranks",), rows)


def means(results):
    inputs = results["counts"]["inputs"]

    def mean(values):
        values = list(values)
        return f"{sum(values) / len(values):.2f}"
    rows = []
    for k, name in enumerate(VARIANTS):
        found = [i["variants"][k] for i in inputs]
        rows.append([name, mean(v["counted"] for v in found), mean(v["paper"] for v in found),
                     page.percent(sum(v["active"] for v in found) / sum(v["lanes"] for v in found),
                                  0)] +
                    [page.count(sum(v[f"instructions_{n}"] for v in found))
                     for n in (8, 16, 64, 256)] +
                    [page.size(sum(v["bytes_gathered"] for v in found))])
    ranks = mean(i["rank_correlation"] for i in inputs)
    return page.table(("variant", "speed-up, counted", "paper", "lanes active", "instructions, VL 8",
                       "16", "64", "256", "gathered"), rows) + \
        f"\n\nRank correlation with the paper's ten variants, mean over matrices: {ranks}."


def blocks(results):
    rows = []
    for i in results["sweeps"]["inputs"]:
        if "entries_of_a_row" in i:
            for key in ("spars", "hash"):
                rows.append([f"{i['entries_of_a_row']:.0f}", key] +
                            [f"{p[key]:.2f}" for p in i["points"]])
            heads = [f"{p['block']:.0f}" for p in i["points"]]
    return page.table(["Z", "variant"] + heads, rows)


def hybrid(results):
    points = next(i for i in results["sweeps"]["inputs"] if i["name"] == "hybrid")["points"]
    rows = [[f"{p['below']:.0f}", f"{p['least']:.0f}", f"{p['most']:.0f}", f"{p['mean']:.2f}",
             f"{p['median']:.2f}"] for p in points]
    return page.table(("t", "b_min", "b_max", "mean", "median"), rows)


def main():
    tables = {"machine": machine, "race": race, "table1": table1, "means": means, "blocks": blocks,
              "hybrid": hybrid}
    page.update("vector", PARTS, lambda results, docs: None, tables)


if __name__ == "__main__":
    page.run("vector", main)
