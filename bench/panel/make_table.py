#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""make_table.py RESULT.json: the table of docs/panel.md, from a document of bench/run: milliseconds
of PANEL, and by how much others take longer."""
import json
import math
import sys

WAYS = [("rowwise", ("upper_bound", "estimate", "symbolic")), ("tiled", ("tiled",)),
        ("automatic", ("auto",)), ("SuiteSparse", ("suitesparse",)), ("MKL", ("mkl",))]


def least(contenders, names):
    found = [contenders[n] for n in names if n in contenders]
    return min(found) if found else None


def main():
    document = json.load(open(sys.argv[1]))
    ratios = {name: [] for name, _ in WAYS}
    print("| A * A | PANEL, ms | " + " | ".join(name for name, _ in WAYS) + " | chosen |")
    print("|---|---:|" + "---:|" * len(WAYS) + "---|")
    for i in document["inputs"]:
        times = {c["name"]: c["seconds"] for c in i["contenders"] if "seconds" in c}
        auto = next((c for c in i["contenders"] if c["name"] == "auto"), {})
        if "panel" not in times:
            continue
        cells = []
        for name, names in WAYS:
            seconds = least(times, names)
            cells.append(f"{seconds / times['panel']:.2f}" if seconds else "-")
            if seconds:
                ratios[name].append(seconds / times["panel"])
        print(f"| {i['name']} | {1e3 * times['panel']:.2f} | " + " | ".join(cells) +
              f" | {auto.get('method', '?')} |")
    means = [f"{math.exp(sum(map(math.log, r)) / len(r)):.2f}" if r else "-" for r in ratios.values()]
    print("| geometric mean | | " + " | ".join(means) + " | |")


if __name__ == "__main__":
    main()
