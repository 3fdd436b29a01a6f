#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""make_table.py RESULT.json...: the tables of docs/panel.md, from documents of bench/run: milliseconds
of PANEL on rows as they are and on grouped ones, and by how much others take longer than the faster
of the two."""
import json
import math
import sys

WAYS = [("rowwise", ("upper_bound", "estimate", "symbolic")), ("tiled", ("tiled",)),
        ("automatic", ("auto",)), ("SuiteSparse", ("suitesparse",)), ("MKL", ("mkl",))]
ORDERS = {"same": ", rows and columns shuffled alike", "apart": ", rows and columns shuffled apart"}


def least(times, names):
    found = [times[n] for n in names if n in times]
    return min(found) if found else None


def cell(seconds, unit=1.0):
    return f"{unit * seconds:.2f}" if seconds else "-"


def print_table(document):
    ratios = {name: [] for name, _ in WAYS}
    print(f"| A * A{ORDERS.get(document.get('shuffled'), '')} | PANEL, ms | grouped, ms | " +
          " | ".join(name for name, _ in WAYS) + " | chosen |")
    print("|---|---:|---:|" + "---:|" * len(WAYS) + "---|")
    for i in document["inputs"]:
        times = {c["name"]: c["seconds"] for c in i["contenders"] if c.get("seconds")}
        auto = next((c for c in i["contenders"] if c["name"] == "auto"), {})
        best = least(times, ("panel", "panel_grouped"))
        if best is None:
            continue
        cells = [cell(times.get("panel"), 1e3), cell(times.get("panel_grouped"), 1e3)]
        for name, names in WAYS:
            seconds = least(times, names)
            cells.append(cell(seconds, 1 / best))
            if seconds:
                ratios[name].append(seconds / best)
        chosen = f"{auto.get('method', '?')}, {auto.get('workflow', '?')}"
        print(f"| {i['name']} | {' | '.join(cells)} | {chosen} |")
    means = [cell(math.exp(sum(map(math.log, r)) / len(r)) if r else 0) for r in ratios.values()]
    print("| geometric mean | | | " + " | ".join(means) + " | |")
    print(f"\n{document['machine']}, {document['threads']} threads, "
          f"SuiteSparse:GraphBLAS {document['suitesparse']}, MKL {document['mkl']}\n")


def main():
    for name in sys.argv[1:]:
        with open(name) as file:
            print_table(json.load(file))


if __name__ == "__main__":
    main()
