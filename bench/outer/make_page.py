#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
#
# Measures the outer product and brings docs/outer.md up to date.
#
#   bench/outer/make_page.py [--data DIR] [--build DIR] [--repeats N] [--only PART]... [--draw-only]
#
# Runs bench/outer of a Release build part by part; keeps its JSON in bench/results/outer.json,
# where parts that are not measured stay as they were; draws docs/outer-*.svg; writes the tables of
# docs/outer.md and leaves everything else there alone. Fails when a result was wrong. Needs
# matplotlib for the system's python3.
import os
import sys

sys.dont_write_bytecode = True
sys.path.append(os.path.join(os.path.dirname(os.path.abspath(__file__)), "../harness"))
import page  # noqa: E402
import plots  # noqa: E402
import tables  # noqa: E402

PARTS = ["stream", "race", "phases", "bins", "threads", "labels", "crossing"]

if __name__ == "__main__":
    page.run("outer", lambda: page.update("outer", PARTS, plots.draw, tables.TABLES))
