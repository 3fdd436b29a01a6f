# SPDX-License-Identifier: Apache-2.0
#
# The plots of docs/outer.md, made from the document of bench/outer.
from figure import AMBER, BLUE, GREEN, GREY, ORANGE, PINK, SKY, plt, save
from outer_model import (compression, crossing_points, fastest, intensity, moved, moved_by_paper,
                         stream_point, threshold)
from outer_tables import by_compression

MARKERS = "osD^vP*X<>"
GROUPS = [BLUE, ORANGE, GREEN, PINK, AMBER, SKY]


def least_compressed(results, n):
    return by_compression(results["race"]["inputs"])[:n]


def draw_roofline(results, docs):
    """Figure 3 of the paper: what the memory allows at each intensity, the bounds of the first
    input, and where the methods are."""
    beta = fastest(stream_point(results))
    inputs = least_compressed(results, 5)
    figure, axes = plt.subplots(figsize=(8, 4.6))
    xs = [1 / 160, 1 / 8]
    axes.plot(xs, [beta * x / 1e9 for x in xs], color="black")
    axes.text(xs[1], beta * xs[1] / 1e9, f"{beta / 1e9:.0f} GB/s ", ha="right", va="bottom")
    bounds = intensity(inputs[0])
    for key, text, colour in (("outer", "outer, 16 bytes", GREY), ("column", "by columns", AMBER),
                              ("packets", "outer, packets", BLUE),
                              ("upper", "operands and C once", GREEN)):
        x = bounds[key]
        axes.plot([x, x], [1e-3, beta * x / 1e9], ":", color=colour)
        axes.text(x, 0.012, f" {text}: 1/{1 / x:.0f}", rotation=90, ha="right", va="bottom",
                  fontsize=8, color=colour)
    for i, marker in zip(inputs, MARKERS):
        ai = intensity(i)
        for key, x, colour in (("outer", ai["packets"], BLUE), ("rowwise", ai["rowwise"], ORANGE),
                               ("suitesparse", ai["rowwise"], PINK)):
            axes.plot(x, i["products"] / i[key] / 1e9, marker, color=colour, markersize=6)
        axes.plot([], [], marker, color=GREY, linestyle="", label=i["name"])
    for label, colour in (("OUTER", BLUE), ("ROWWISE", ORANGE), ("SuiteSparse", PINK)):
        axes.plot([], [], "s", color=colour, linestyle="", label=label)
    axes.set(xscale="log", yscale="log", xlabel="products per byte (log)", ylim=(0.01, None),
             ylabel="billions of products per second")
    ticks = [160, 80, 40, 20, 10]
    axes.set_xticks([1 / t for t in ticks], [f"1/{t}" for t in ticks])
    axes.minorticks_off()
    axes.legend(fontsize=8, ncol=2, loc="upper left")
    save(figure, docs, "outer-roofline")


def draw_bandwidth(results, docs):
    """Figures 7b and 9b of the paper."""
    inputs = by_compression(results["phases"]["inputs"])
    figure, plots = plt.subplots(1, 2, figsize=(8, 0.32 * len(inputs) + 1.5), sharey=True)
    places = range(len(inputs))
    for axes, count, title in ((plots[0], moved, "bytes really moved"),
                               (plots[1], moved_by_paper, "16 bytes a product and an entry")):
        for shift, step, label, colour in ((-0.2, "expand", "expand", BLUE),
                                           (0.2, "sort", "sort and join", SKY)):
            axes.barh([-k - shift for k in places],
                      [count(i)[step] / i[step] / 1e9 for i in inputs], height=0.38, color=colour,
                      label=label)
        axes.plot([i["stream"] / 1e9 for i in inputs], [-k for k in places], "|", color="black",
                  markersize=14, label="STREAM at the time")
        axes.set_yticks([-k for k in places], [i["name"] for i in inputs])
        axes.set(xlabel="GB/s", title=title)
        axes.grid(False, axis="y")
    handles, texts = plots[0].get_legend_handles_labels()
    figure.legend(handles, texts, ncol=3, loc="lower center", fontsize=8)
    figure.subplots_adjust(bottom=0.25)
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
    for i, colour in zip(results["crossing"]["inputs"], GROUPS):
        if all("edges" in p for p in i["points"]):
            left.plot([p["edges"] for p in i["points"]],
                      [p["rowwise"] / p["total"] for p in i["points"]], marker=".", color=colour,
                      label=f"{i['name']}:F")
            left.set_xticks([p["edges"] for p in i["points"]],
                            [str(p["edges"]) for p in i["points"]])
    left.set(xlabel="edges per vertex F, uniform")
    left.minorticks_off()
    groups = [i["name"] for i in results["crossing"]["inputs"]]
    for group, p in crossing_points(results):
        taken = p["auto_method"] == "outer"
        colour = GROUPS[groups.index(group)]
        right.plot(compression(p), p["rowwise"] / p["total"], "o", color=colour, markersize=5,
                   markerfacecolor=colour if taken else "white")
    for group, colour in zip(groups, GROUPS):
        right.plot([], [], "o", color=colour, label=group)
    right.axvline(threshold(), color=GREY, linestyle="--", linewidth=1)
    right.text(threshold(), 0.98, f" planner: {threshold():g}", fontsize=8, va="top",
               transform=right.get_xaxis_transform())
    right.set(xlabel="products per entry of C (filled: AUTO takes OUTER)")
    left.set(xscale="log", ylabel="time of ROWWISE / OUTER")
    for axes in (left, right):
        axes.axhline(1, color="black", linewidth=0.8)
        axes.legend(fontsize=8)
    save(figure, docs, "outer-crossing")


def draw(results, docs):
    draw_roofline(results, docs)
    draw_bandwidth(results, docs)
    draw_bins(results, docs)
    draw_crossing(results, docs)
