#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
#
# Measures the row-wise product and brings docs/rowwise.md up to date.
#
#   bench/rowwise/make_page.py [--data DIR] [--build DIR] [--repeats N] [--draw-only]
#
# Runs bench/rowwise, and bench/compare on the products of bench/suite.txt, of a Release build; keeps
# their JSON in bench/results; draws docs/rowwise-*.svg; writes the tables between the lines
# <!-- begin:NAME --> and <!-- end:NAME --> of docs/rowwise.md and leaves everything else there
# alone. --draw-only does all but the measuring. Needs matplotlib for the system's python3.
import json
import os
import re
import sys

sys.dont_write_bytecode = True
sys.path.append(os.path.join(os.path.dirname(os.path.abspath(__file__)), "../harness"))
import page  # noqa: E402
import plots  # noqa: E402
import tables  # noqa: E402


def measure(command):
    """By the row-wise method, whatever else the planner might choose."""
    return page.measure(command, GBLITE_METHOD="rowwise")


def without_folders(text):
    """Results name files, not the folder that they were read from."""
    document = json.loads(text)
    for row in document["rows"]:
        row["input"] = re.sub(r"\.mtx(\.gz)?$", "", os.path.basename(row["input"]))
    return json.dumps(document, indent=1) + "\n"


def main():
    options = page.parser("rowwise", 3, suite="bench/rowwise/suite.txt").parse_args()
    results = os.path.join(page.ROOT, "bench/results")
    os.makedirs(results, exist_ok=True)
    rowwise_path = os.path.join(results, "rowwise.json")
    compare_path = os.path.join(results, "compare_mxm.json")
    if not options.draw_only:
        programs = os.path.join(options.build, "bench")
        rounds = ["--json", "--repeats", str(options.repeats)]
        data = ["--data", options.data] if options.data else []
        page.save(rowwise_path, measure([os.path.join(programs, "rowwise"), *rounds, *data]))
        page.save(compare_path, without_folders(measure(
            [os.path.join(programs, "compare"), "-o", "mxm", *rounds, *data])))
    rowwise, compare = page.load(rowwise_path), page.load(compare_path)
    docs = os.path.join(page.ROOT, "docs")
    plots.draw(rowwise, compare, docs)
    page.write_tables(os.path.join(docs, "rowwise.md"), tables.TABLES, rowwise, compare)


if __name__ == "__main__":
    page.run("rowwise", main)
