# SPDX-License-Identifier: Apache-2.0
#
# The plots of docs/outer.md, made from the document of bench/outer.
from figure import AMBER, BLUE, GREEN, GREY, ORANGE, PINK, SKY, plt, save
from model import (compression, crossing_points, intensity, largest_taken, moved,
                         moved_by_paper, stream_rate)
from tables import by_compression

MARKERS = "osD^vP*X<>"
GROUPS = [BLUE, ORANGE, GREEN, PINK, AMBER, SKY]


BOUNDS = [("outer", "outer, 16 bytes", GREY), ("packets", "outer, packets", BLUE),
          ("column", "rows of B each time", AMBER), ("upper", "operands and C once", GREEN)]


def draw_roofline(results, docs):
    """Figure 3 of the paper: what the memory allows at each intensity, the bounds of the largest
    input that is hardly compressed, and where the methods are."""
    beta = stream_rate(results)
    inputs = by_compression(results["race"]["inputs"])[:5]
    largest = max(inputs, key=lambda i: i["flops"])
    figure, axes = plt.subplots(figsize=(8, 4.6))
    xs = [1 / 100, 1 / 10]
    axes.plot(xs, [beta * x / 1e9 for x in xs], color="black")
    axes.text(xs[0], beta * xs[0] / 1e9, f"STREAM, {beta / 1e9:.0f} GB/s", ha="left", va="bottom",
              rotation=16)
    for key, text, colour in BOUNDS:
        x = intensity(largest)[key]
        axes.plot([x, x], [1e-3, beta * x / 1e9], ":", color=colour,
                  label=f"bound: {text}, 1/{1 / x:.0f}")
    for i, marker in zip(inputs, MARKERS):
        ai = intensity(i)
        for key, x, colour in (("outer", ai["packets"], BLUE), ("rowwise", ai["rowwise"], ORANGE),
                               ("suitesparse", ai["rowwise"], PINK)):
            axes.plot(x, i["flops"] / i[key] / 1e9, marker, color=colour, markersize=6)
        axes.plot([], [], marker, color=GREY, linestyle="", label=i["name"])
    for label, colour in (("OUTER", BLUE), ("ROWWISE", ORANGE), ("SuiteSparse", PINK)):
        axes.plot([], [], "s", color=colour, linestyle="", label=label)
    axes.set(xscale="log", yscale="log", xlim=xs, ylim=(0.01, 200),
             xlabel=f"flops per byte; dotted: bounds of {largest['name']}",
             ylabel="billions of flops per second")
    ticks = [100, 80, 60, 50, 40, 30, 20, 10]
    axes.set_xticks([1 / t for t in ticks], [f"1/{t}" for t in ticks])
    axes.minorticks_off()
    axes.legend(fontsize=8, ncol=3, loc="upper left")
    save(figure, docs, "outer-roofline")


def draw_bandwidth(results, docs):
    """Figures 7b and 9b of the paper."""
    inputs = by_compression(results["phases"]["inputs"])
    figure, plots = plt.subplots(1, 2, figsize=(8, 0.32 * len(inputs) + 1.5), sharey=True)
    places = range(len(inputs))
    for axes, count, text in ((plots[0], moved, "bytes really moved"),
                              (plots[1], moved_by_paper, "16 bytes a product and an entry")):
        for shift, step, label, colour in ((-0.2, "expand", "expand", BLUE),
                                           (0.2, "sort", "sort and join", SKY)):
            axes.barh([-k - shift for k in places],
                      [count(i)[step] / i[step] / 1e9 for i in inputs], height=0.38, color=colour,
                      label=label)
        axes.plot([i["stream"] / 1e9 for i in inputs], [-k for k in places], "|", color="black",
                  markersize=14, label="STREAM at the time")
        axes.set_yticks([-k for k in places], [i["name"] for i in inputs])
        axes.set(xlabel=f"GB/s, {text}")
        axes.grid(False, axis="y")
    plots[0].legend(ncol=3, loc="lower left", bbox_to_anchor=(0, 1), fontsize=8)
    save(figure, docs, "outer-bandwidth")


def draw_bins(results, docs):
    """Figure 6 of the paper, its two halves for each input."""
    inputs = results["bins"]["inputs"]
    figure, plots = plt.subplots(2, len(inputs), figsize=(8, 5.2), squeeze=False)
    for i, (upper, lower) in zip(inputs, plots.T):
        sizes = [p for p in i["points"] if p["bin_bytes"] > 0]
        widths = [p for p in i["points"] if p["bin_lines"] > 0]
        for axes, points, xs in ((upper, sizes, [p["bins"] for p in sizes]),
                                 (lower, widths, [64 * p["bin_lines"] for p in widths])):
            for step, label, colour in (("symbolic", "symbolic", GREY), ("expand", "expand", BLUE),
                                        ("sort", "sort and join", SKY)):
                axes.plot(xs, [1e3 * p[step] for p in points], marker=".", color=colour,
                          label=label)
            axes.set(xscale="log", ylim=(0, None))
            axes.set_xticks(xs, [str(x) for x in xs], rotation=45, fontsize=7)
            axes.minorticks_off()
        upper.set(title=i["name"], xlabel="bins")
        lower.set(xlabel="bytes of a local bin flushed at once")
    for axes in plots[:, 0]:
        axes.set_ylabel("time (ms)")
    plots[0][0].legend(fontsize=8)
    save(figure, docs, "outer-bins")


def draw_crossing(results, docs):
    figure, (left, right) = plt.subplots(1, 2, figsize=(8, 3.8), sharey=True)
    left.set(xscale="log", xlabel="edges per vertex F, uniform", ylabel="time of ROWWISE / OUTER")
    for i, colour in zip(results["crossing"]["inputs"], GROUPS):
        if all("edges" in p for p in i["points"]):
            left.plot([p["edges"] for p in i["points"]],
                      [p["rowwise"] / p["total"] for p in i["points"]], marker=".", color=colour,
                      label=f"{i['name']}:F")
            left.set_xticks([p["edges"] for p in i["points"]],
                            [str(p["edges"]) for p in i["points"]])
    left.minorticks_off()
    groups = [i["name"] for i in results["crossing"]["inputs"]]
    for group, p in crossing_points(results):
        colour = GROUPS[groups.index(group)]
        right.plot(compression(p), p["rowwise"] / p["total"], "o", color=colour, markersize=5,
                   markerfacecolor=colour if p["auto_method"] == "outer" else "white")
    for group, colour in zip(groups, GROUPS):
        right.plot([], [], "o", color=colour, label=group)
    taken = largest_taken(results)
    if taken is not None:
        right.axvline(taken, color=GREY, linestyle="--", linewidth=1)
        right.text(taken, 0.98, f" AUTO: {taken:.2f}", fontsize=8, va="top",
                   transform=right.get_xaxis_transform())
    right.set(xlabel="compression ratio (filled: AUTO takes OUTER)")
    for axes in (left, right):
        axes.axhline(1, color="black", linewidth=0.8)
        axes.legend(fontsize=8)
    save(figure, docs, "outer-crossing")


def draw(results, docs):
    draw_roofline(results, docs)
    draw_bandwidth(results, docs)
    draw_bins(results, docs)
    draw_crossing(results, docs)
