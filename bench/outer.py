#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
#
# outer.py: measures the outer product and brings docs/outer.md up to date.
#
#   bench/outer.py [--data DIR] [--build DIR] [--repeats N] [--only PART]... [--draw-only]
#
# Runs bench/outer of a Release build part by part; keeps its JSON in bench/results/outer.json,
# where parts that are not measured stay as they were; draws docs/outer-*.svg; writes the tables of
# docs/outer.md and leaves everything else there alone. Fails when a result was wrong. Needs
# matplotlib for the system's python3.
import sys

sys.dont_write_bytecode = True
import page  # noqa: E402
import outer_plots  # noqa: E402
import outer_tables  # noqa: E402

PARTS = ["stream", "race", "phases", "bins", "threads", "labels", "crossing"]

if __name__ == "__main__":
    page.run("outer", lambda: page.update("outer", PARTS, outer_plots.draw, outer_tables.TABLES))
