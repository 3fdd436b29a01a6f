#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
#
# demo_plot.py RESULT.json PLOT.svg: times of gblite and SuiteSparse:GraphBLAS side by side, from what
# `bench/bench compare --json` printed.
import json
import sys

import matplotlib
matplotlib.use("svg")
import matplotlib.pyplot as plt  # noqa: E402

SIDES = (("SuiteSparse:GraphBLAS", "suitesparse", "#D55E00"),
         ("gblite", "gblite", "#0072B2"))


def main(source, target):
    with open(source, encoding="utf-8") as file:
        rows = json.load(file)["rows"]
    figure, axes = plt.subplots(figsize=(6, 3))
    for side, (label, key, colour) in enumerate(SIDES):
        places = [k + 0.4 * (side - 0.5) for k in range(len(rows))]
        heights = [1e3 * row["seconds"][key] for row in rows]
        axes.bar(places, heights, width=0.4, label=label, color=colour)
    axes.set_xticks(range(len(rows)), [row["case"] for row in rows])
    axes.set_yscale("log")
    axes.set_ylabel("milliseconds")
    axes.set_title(rows[0]["input"])
    axes.legend(frameon=False)
    figure.tight_layout()
    figure.savefig(target)
    print(f"  {target}")


if __name__ == "__main__":
    main(*sys.argv[1:])
