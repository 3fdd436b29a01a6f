#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
#
# tiled.py: measures the tiled product and brings docs/tiled.md up to date.
#
#   bench/tiled.py [--data DIR] [--build DIR] [--repeats N] [--only PART]... [--draw-only]
#
# Runs bench/tiled of a Release build part by part; keeps its JSON in bench/results/tiled.json,
# where parts that are not measured stay as they were; draws docs/tiled-*.svg; writes the tables of
# docs/tiled.md and leaves everything else there alone. Fails when a result was wrong. Needs
# matplotlib for the system's python3.
import sys

sys.dont_write_bytecode = True
import page  # noqa: E402
import tiled_plots  # noqa: E402
import tiled_tables  # noqa: E402

PARTS = ["race", "steps", "sweep", "memory", "growth", "triangles", "galerkin", "cube"]

if __name__ == "__main__":
    page.run("tiled", lambda: page.update("tiled", PARTS, tiled_plots.draw, tiled_tables.TABLES))
