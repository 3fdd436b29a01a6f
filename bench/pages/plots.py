# SPDX-License-Identifier: Apache-2.0
#
# The plots of docs/benchmarks.md. Colours are those of Okabe and Ito, which people with any colour
# vision tell apart.
import os

import matplotlib
matplotlib.use("svg")
import matplotlib.pyplot as plt  # noqa: E402

from tables import (AUTO, NAMES, PEERS, best_forced, contenders, label,  # noqa: E402
                    prediction_errors, regret, speedup)

BLUE, ORANGE, GREEN, YELLOW = "#0072B2", "#D55E00", "#009E73", "#F0E442"
SKY, PINK, AMBER, GREY = "#56B4E9", "#CC79A7", "#E69F00", "#999999"
COLOURS = {"auto": BLUE, "upper_bound": AMBER, "estimate": GREEN, "symbolic": YELLOW, "tiled": SKY,
           "outer": PINK, "dot": "black", "panel": "brown",
           "panel_grouped": "olive", "suitesparse": ORANGE, "mkl": GREY}
RATIOS = [0.5, 1, 2, 4, 8, 16]

plt.rcParams.update({
    "svg.fonttype": "none", "svg.hashsalt": "gblite", "font.size": 9, "font.family": "sans-serif",
    "axes.spines.top": False, "axes.spines.right": False, "axes.grid": True,
    "axes.axisbelow": True, "grid.color": "#dddddd", "grid.linewidth": 0.6,
    "legend.frameon": False, "figure.facecolor": "white"})


def save(figure, docs, name):
    figure.tight_layout()
    figure.savefig(os.path.join(docs, f"{name}.svg"), metadata={"Date": None})
    plt.close(figure)


def rows_of(inputs, width=8):
    figure, axes = plt.subplots(figsize=(width, 0.17 * len(inputs) + 0.9))
    axes.set_yticks(range(len(inputs)), [label(i) for i in inputs][::-1], fontsize=7)
    axes.set_ylim(-0.7, len(inputs) - 0.3)
    axes.grid(False, axis="y")
    return figure, axes


def ratio_scale(axis, ticks):
    axis.set_ticks(ticks, [f"{t:g}" for t in ticks])
    axis.set_minor_locator(plt.NullLocator())


def draw_speedup(results, docs):
    inputs = results["inputs"]
    figure, axes = rows_of(inputs)
    for peer, marker in zip(PEERS, "os"):
        points = [(speedup(i, peer), len(inputs) - 1 - k) for k, i in enumerate(inputs)
                  if speedup(i, peer)]
        if points:
            axes.scatter(*zip(*points), s=16, marker=marker, color=COLOURS[peer],
                         label=f"{NAMES[peer]} / automatic")
    axes.axvline(1, color="black", linewidth=0.8)
    axes.set(xscale="log", xlabel="time of the peer / time of gblite")
    ratio_scale(axes.xaxis, RATIOS)
    axes.legend(fontsize=8)
    save(figure, docs, "benchmarks-speedup")


def draw_profile(results, docs):
    """Share of the inputs on which a contender takes at most x times as long as the quickest."""
    inputs = [i for i in results["inputs"] if i["operation"] == "mxm"]
    figure, axes = plt.subplots(figsize=(8, 3.6))
    for name, colour in COLOURS.items():
        slower = [contenders(i)[name]["seconds"] /
                  min(c["seconds"] for c in contenders(i).values())
                  for i in inputs if name in contenders(i)]
        if not slower:
            continue
        slower.sort()
        shares = [100 * (k + 1) / len(inputs) for k in range(len(slower))]
        axes.step([1] + slower + [100], [0] + shares + [shares[-1]], where="post", color=colour,
                  label=NAMES[name], linewidth=2.2 if name == AUTO else 1.2)
    axes.set(xscale="log", xlim=(1, 32), ylim=(0, 101), ylabel="inputs (%)",
             xlabel="time / time of the quickest contender, at most")
    ratio_scale(axes.xaxis, [1, 1.3, 2, 4, 8, 16, 32])
    axes.legend(fontsize=8, loc="center left", bbox_to_anchor=(1, 0.5))
    save(figure, docs, "benchmarks-profile")


def draw_predicted(results, docs):
    figure, axes = plt.subplots(figsize=(5.6, 4.6))
    measured = []
    for name, colour in COLOURS.items():
        points = [(c["seconds"], c["predicted"]) for i in results["inputs"]
                  for n, c in contenders(i).items()
                  if n == name and name != AUTO and c.get("predicted", 0) > 0]
        if points:
            axes.scatter(*zip(*points), s=10, color=colour, label=NAMES[name])
            measured += [x for x, _ in points]
    axes.set(xscale="log", yscale="log", xlabel="measured (s)", ylabel="predicted (s)")
    line = [min(measured), max(measured)]
    for factor, style in ((1, "-"), (2, ":"), (0.5, ":")):
        axes.plot(line, [factor * x for x in line], style, color="black", linewidth=0.8)
    axes.legend(fontsize=8)
    save(figure, docs, "benchmarks-predicted")


def draw_regret(results, docs):
    inputs = results["inputs"]
    figure, axes = rows_of(inputs)
    for k, i in enumerate(inputs):
        axes.barh(len(inputs) - 1 - k, regret(i) - 1, left=1, height=0.7,
                  color=ORANGE if i["held_out"] else BLUE)
        axes.text(max(1, regret(i)) + 0.01, len(inputs) - 1 - k, NAMES[best_forced(i)[0]],
                  fontsize=6, va="center")
    for limit in (1, 1.3):
        axes.axvline(limit, color="black", linewidth=0.8, linestyle="-" if limit == 1 else ":")
    axes.set(xlabel="time of the automatic choice / best forced (orange *: held out)")
    save(figure, docs, "benchmarks-regret")


def curve(axes, inputs, position, names):
    for name in names:
        points = sorted((position(i), contenders(i)[name]["seconds"]) for i in inputs
                        if name in contenders(i))
        axes.plot([x for x, _ in points], [1e3 * y for _, y in points], color=COLOURS[name],
                  label=NAMES[name], marker=".", linestyle="--" if name == AUTO else "-")
    axes.set(xscale="log", yscale="log")


def draw_crossings(crossings, docs):
    figure, (left, right) = plt.subplots(1, 2, figsize=(8, 3.4))
    flat = [i for i in crossings["inputs"] if i["name"].startswith("er:")]
    tiles = [i for i in crossings["inputs"] if i["name"].startswith("tiles:")]
    curve(left, flat, lambda i: int(i["name"].split(":")[2]),
          ["upper_bound", "outer", AUTO, "suitesparse"])
    curve(right, tiles, lambda i: i["fill"],
          ["upper_bound", "estimate", "tiled", AUTO, "suitesparse"])
    left.set(xlabel="edges per vertex of er:16", ylabel="time (ms)")
    ratio_scale(left.xaxis, [1, 2, 4, 8, 16, 32])
    right.set(xlabel="entries per tile, 8 tiles in a row of tiles")
    ratio_scale(right.xaxis, [1, 4, 16, 64, 256])
    for axes in (left, right):
        axes.legend(fontsize=7)
    save(figure, docs, "benchmarks-crossings")


def draw(results, crossings, docs):
    for plot in (draw_speedup, draw_profile, draw_regret):
        plot(results, docs)
    if prediction_errors(results["inputs"]):
        draw_predicted(results, docs)
    draw_crossings(crossings, docs)
