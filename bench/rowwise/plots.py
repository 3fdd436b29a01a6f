# SPDX-License-Identifier: Apache-2.0
#
# The plots of docs/rowwise.md, made from the documents of bench/rowwise and bench/compare.
from figure import AMBER, BLUE, GREEN, GREY, ORANGE, PINK, SKY, YELLOW, plt, save, stack

REGISTERS = {32: (ORANGE, ":"), 64: (BLUE, "-"), 128: (GREEN, "--")}
TIMES = {"analysis": YELLOW, "sketch": AMBER, "estimate": ORANGE, "symbolic": PINK,
         "numeric": SKY, "compact": BLUE, "sort": GREEN, "rest": GREY}
WORKFLOWS = {"upper bound": GREEN, "estimate": ORANGE, "symbolic": BLUE}

def error_shares(inputs, registers):
    """Share of the rows whose error is at most k bins, k = 1, 2, ...; inputs count the same."""
    sums, count = None, 0
    for errors in (e for i in inputs for e in i["errors"] if e["registers"] == registers):
        bins, half = errors["histogram"], len(errors["histogram"]) // 2
        total, running, shares = sum(bins), 0, []
        for k in range(half):
            running += bins[half + k] + bins[half - 1 - k]
            shares.append(running / total)
        sums = shares if sums is None else [a + b for a, b in zip(sums, shares)]
        count += 1
    return [s / count for s in sums]


def draw_errors(rowwise, docs):
    figure, (left, right) = plt.subplots(1, 2, figsize=(8, 3.2))
    for registers, (colour, style) in REGISTERS.items():
        shares = error_shares(rowwise["inputs"], registers)
        bins = len(shares)
        left.plot([100 * k / bins for k in range(bins + 1)], [0] + [100 * s for s in shares],
                  color=colour, linestyle=style, label=f"{registers} registers")
        overflows = sorted(100 * e["overflow_ocean"] for i in rowwise["inputs"]
                           for e in i["errors"] if e["registers"] == registers)
        places = [100 * (k + 1) / len(overflows) for k in range(len(overflows))]
        right.step([0] + overflows, [0] + places, where="post", color=colour, linestyle=style,
                   label=f"{registers} registers")
    left.set(xlim=(0, 50), ylim=(0, 100), xlabel="relative error of a row, at most (%)",
             ylabel="rows (%), inputs weighted equally")
    right.set(xlim=(0, None), ylim=(0, 100), ylabel="inputs (%)",
              xlabel="rows that overflow by Ocean's rule, at most (%)")
    left.legend(loc="lower right")
    right.legend(loc="lower right")
    save(figure, docs, "rowwise-errors")


def draw_split(rowwise, docs):
    inputs = [i for i in rowwise["inputs"] if "times" in i]
    figure, axes = plt.subplots(figsize=(8, 0.24 * len(inputs) + 1.1))
    stack(axes, [f"{i['name']} ({i['workflow']})" for i in inputs],
          [(key, colour, [100 * max(0.0, i["times"][key]) / i["times"]["total"] for i in inputs])
           for key, colour in TIMES.items()])
    axes.set(xlim=(0, 100), xlabel="share of the time (%)")
    axes.legend(ncol=len(TIMES), loc="lower center", bbox_to_anchor=(0.4, 1), fontsize=8,
                columnspacing=1, handlelength=1)
    save(figure, docs, "rowwise-split")


def draw_speedup(compare, docs):
    rows = compare["rows"][::-1]
    figure, axes = plt.subplots(figsize=(8, 0.24 * len(rows) + 1.1))
    seen = set()
    for k, row in enumerate(rows):
        label = row["workflow"] or row["method"]
        axes.barh(k, row["ratio"], height=0.75, color=WORKFLOWS.get(label, GREY),
                  label=None if label in seen else label)
        axes.text(row["ratio"], k, f" {row['ratio']:.2f}", va="center", fontsize=8)
        seen.add(label)
    axes.axvline(1, color="black", linewidth=0.8)
    axes.set_yticks(range(len(rows)), [row["input"] for row in rows])
    axes.set(ylim=(-0.6, len(rows) - 0.4), xlabel="SuiteSparse time / gblite time")
    axes.grid(False, axis="y")
    axes.legend(ncol=3, loc="lower center", bbox_to_anchor=(0.5, 1))
    save(figure, docs, "rowwise-speedup")


def draw(rowwise, compare, docs):
    draw_errors(rowwise, docs)
    draw_split(rowwise, docs)
    draw_speedup(compare, docs)
