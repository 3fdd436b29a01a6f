# SPDX-License-Identifier: Apache-2.0
#
# How the plots of docs/ look. Colours are those of Okabe and Ito, which people with any colour
# vision tell apart.
import os

import matplotlib
matplotlib.use("svg")
import matplotlib.pyplot as plt  # noqa: E402

BLUE, ORANGE, GREEN, YELLOW = "#0072B2", "#D55E00", "#009E73", "#F0E442"
SKY, PINK, AMBER, GREY = "#56B4E9", "#CC79A7", "#E69F00", "#999999"

plt.rcParams.update({
    "svg.fonttype": "none", "svg.hashsalt": "gblite", "font.size": 9, "font.family": "sans-serif",
    "axes.spines.top": False, "axes.spines.right": False, "axes.grid": True,
    "axes.axisbelow": True, "grid.color": "#dddddd", "grid.linewidth": 0.6,
    "legend.frameon": False, "figure.facecolor": "white"})


def save(figure, docs, name):
    figure.tight_layout()
    figure.savefig(os.path.join(docs, f"{name}.svg"), metadata={"Date": None})
    plt.close(figure)


def stack(axes, names, parts):
    """Horizontal bars, the first name on top. parts: (label, colour, one value a name)."""
    before = [0.0] * len(names)
    for label, colour, values in parts:
        axes.barh(range(len(names)), values[::-1], left=before, color=colour, label=label,
                  height=0.75)
        before = [a + b for a, b in zip(before, values[::-1])]
    axes.set_yticks(range(len(names)), names[::-1])
    axes.set_ylim(-0.6, len(names) - 0.4)
    axes.grid(False, axis="y")
