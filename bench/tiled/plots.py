# SPDX-License-Identifier: Apache-2.0
#
# The plots of docs/tiled.md, made from the document of bench/tiled.
from figure import AMBER, BLUE, GREEN, GREY, ORANGE, PINK, SKY, plt, save, stack
from tables import RINGS, by_fill, crossing, fill

STEPS = [("which tiles", "layout", ORANGE), ("masks", "masks", GREEN), ("values", "values", SKY),
         ("rest", "rest", GREY)]
WAYS = [("TILED", "tiled", BLUE), ("ROWWISE, upper bound", "upper_bound", AMBER),
        ("ROWWISE, estimate", "estimate", GREEN)]


def named(part):
    return [f"{i['name']} ({fill(i['fill'])})" for i in by_fill(part)]


def draw_sweep(results, docs):
    figure, axes = plt.subplots(2, 2, figsize=(8, 6), sharex=True)
    for i, plot in zip(results["sweep"]["inputs"], axes.flat):
        fills = [p["fill"] for p in i["points"]]
        for label, key, colour, style in (("ROWWISE", "rowwise", ORANGE, "-"),
                                          ("TILED, C stays in tiles", "tiles", BLUE, "-"),
                                          ("TILED, C by rows", "by_rows", SKY, "--")):
            plot.plot(fills, [1e3 * p[key] for p in i["points"]], style, color=colour, label=label,
                      marker=".")
        for key, colour, place in (("tiles", BLUE, 0.97), ("by_rows", SKY, 0.88)):
            at = crossing(i["points"], key)
            if at:
                plot.axvline(at, color=colour, linestyle=":", linewidth=1)
                plot.text(at, place, f" {fill(at)}", color=colour, fontsize=8, va="top",
                          transform=plot.get_xaxis_transform())
        plot.set(xscale="log", yscale="log", title=RINGS[i["name"]])
        plot.set_xticks([1, 4, 16, 64, 256], ["1", "4", "16", "64", "256"])
    for plot in axes[1]:
        plot.set_xlabel("entries per tile")
    for plot in axes[:, 0]:
        plot.set_ylabel("time (ms)")
    axes[0][0].legend(fontsize=8)
    save(figure, docs, "tiled-sweep")


def draw_steps(results, docs):
    inputs, names = by_fill(results["steps"]), named(results["steps"])
    figure, (left, right) = plt.subplots(1, 2, figsize=(8, 0.26 * len(names) + 1.3))
    stack(left, names, [(label, colour, [100 * max(0, i[key]) / i["total"] for i in inputs])
                        for label, key, colour in STEPS])
    left.set(xlim=(0, 100), xlabel="share of the product's time (%)")
    left.legend(ncol=4, loc="lower center", bbox_to_anchor=(0.4, 1), fontsize=8, columnspacing=1,
                handlelength=1)
    stack(right, [""] * len(names),
          [("A to tiles", PINK, [i["convert"] / i["total"] for i in inputs]),
           ("C to rows", AMBER, [i["to_rows"] / i["total"] for i in inputs])])
    right.axvline(1, color="black", linewidth=0.8)
    right.set(xlabel="time / time of one product")
    right.legend(ncol=2, loc="lower center", bbox_to_anchor=(0.5, 1), fontsize=8)
    save(figure, docs, "tiled-steps")


def draw_sizes(results, docs):
    inputs, names = by_fill(results["steps"]), named(results["steps"])
    figure, axes = plt.subplots(figsize=(8, 0.3 * len(names) + 1.1))
    for shift, matrix, prefix, colour in ((-0.2, "A", "", BLUE), (0.2, "C", "result_", SKY)):
        axes.barh([len(names) - 1 - k - shift for k in range(len(names))],
                  [i[prefix + "tiles_bytes"] / i[prefix + "rows_bytes"] for i in inputs],
                  height=0.38, color=colour, label=matrix)
    axes.axvline(1, color="black", linewidth=0.8)
    axes.set_yticks(range(len(names)), names[::-1])
    axes.set(xlabel="bytes as tiles / bytes by rows")
    axes.grid(False, axis="y")
    axes.legend()
    save(figure, docs, "tiled-bytes")


def draw_memory(results, docs):
    figure, (left, right) = plt.subplots(1, 2, figsize=(8, 3.2))
    inputs = by_fill(results["memory"])
    for label, way, colour in WAYS:
        left.scatter([i["flops"] for i in inputs], [i[way]["asked"] / 1e6 for i in inputs], s=18,
                     color=colour, label=label)
        for i in results["growth"]["inputs"]:
            right.plot([p["flops"] / 1e6 for p in i["points"]],
                       [max(1e-3, (p[way]["asked"] - p[way]["result"]) / 1e6) for p in i["points"]],
                       color=colour, marker="o", markersize=4, label=label)
    left.set(xscale="log", yscale="log", xlabel="flops", ylabel="asked for at most (MB)")
    right.set(xscale="log", yscale="log", xlabel="flops (millions), C the same",
              ylabel="asked for beside C (MB)")
    ticks = [p["flops"] / 1e6 for p in results["growth"]["inputs"][0]["points"]]
    right.set_xticks(ticks, [f"{t:.0f}" for t in ticks])
    right.minorticks_off()
    left.legend(fontsize=8)
    save(figure, docs, "tiled-memory")


def draw(results, docs):
    draw_sweep(results, docs)
    draw_steps(results, docs)
    draw_sizes(results, docs)
    draw_memory(results, docs)
