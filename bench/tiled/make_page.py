#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
#
# Measures the tiled product and brings docs/tiled.md up to date.
#
#   bench/tiled/make_page.py [--data DIR] [--build DIR] [--repeats N] [--only PART]... [--draw-only]
#
# Runs bench/tiled of a Release build part by part; keeps its JSON in bench/results/tiled.json,
# where parts that are not measured stay as they were; draws docs/tiled-*.svg; writes the tables of
# docs/tiled.md and leaves everything else there alone. Fails when a result was wrong. Needs
# matplotlib for the system's python3.
import os
import sys

sys.dont_write_bytecode = True
sys.path.append(os.path.join(os.path.dirname(os.path.abspath(__file__)), "../harness"))
import page  # noqa: E402
import plots  # noqa: E402
import tables  # noqa: E402

PARTS = ["race", "steps", "sweep", "memory", "growth", "triangles", "galerkin", "cube"]

if __name__ == "__main__":
    page.run("tiled", lambda: page.update("tiled", PARTS, plots.draw, tables.TABLES))
