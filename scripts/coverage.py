#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
#
# coverage.py BUILD: what gcov counted in a build with GBLITE_COVERAGE, of src/ and cli/. A line or
# a function of a template, or of a kernel that is compiled once per instruction set, was executed
# when any of its copies was. Prints lines by folder, the files least covered and the longest
# functions that never ran; BUILD/missing.txt lists every line that was not executed.
import collections
import concurrent.futures
import json
import os
import subprocess
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
SHOWN = 15


def add(before, function):
    """The same function once more; a name stands for all copies."""
    return (before[0] + function[0], *before[1:]) if before else function


def gcov(path):
    """Of one object: {(file, line): runs}, {(file, first line): (runs, lines, name)}."""
    text = subprocess.run(["gcov", "--json-format", "--stdout", path], check=True,
                          stdout=subprocess.PIPE, stderr=subprocess.DEVNULL).stdout
    lines, functions = collections.Counter(), {}
    for file in json.loads(text)["files"]:
        name = os.path.relpath(os.path.join(ROOT, file["file"]), ROOT)
        if not name.startswith(("src/", "cli/")):
            continue
        for line in file["lines"]:
            lines[name, line["line_number"]] += line["count"]
        for f in file["functions"]:
            key = name, f["start_line"]
            functions[key] = add(functions.get(key), (
                f["execution_count"], f["end_line"] - f["start_line"] + 1, f["name"]))
    return lines, functions


def objects(build):
    found = [os.path.join(folder, file) for folder, _, files in os.walk(os.path.abspath(build))
             for file in files if file.endswith(".gcda")]
    if not found:
        sys.exit(f"coverage.py: {build} has no counts: run its tests first")
    return found


def merge(build):
    lines, functions = collections.Counter(), {}
    with concurrent.futures.ProcessPoolExecutor() as pool:
        for some_lines, some_functions in pool.map(gcov, objects(build)):
            lines.update(some_lines)
            for key, function in some_functions.items():
                functions[key] = add(functions.get(key), function)
    return lines, functions


def shares(lines, group):
    """{group: [lines, executed]}"""
    sums = collections.defaultdict(lambda: [0, 0])
    for (file, _), runs in lines.items():
        sums[group(file)][0] += 1
        sums[group(file)][1] += runs > 0
    return sums


def write_missing(lines, path):
    missing = collections.defaultdict(list)
    for (file, line), runs in sorted(lines.items()):
        if runs == 0:
            missing[file].append(str(line))
    with open(path, "w") as out:
        for file, numbers in missing.items():
            out.write(f"{file}: {' '.join(numbers)}\n")


def main():
    if len(sys.argv) != 2:
        sys.exit("usage: coverage.py BUILD")
    lines, functions = merge(sys.argv[1])
    print(f"\n{'folder':<16} {'lines':>8} {'executed':>8} {'percent':>7}")
    folders = sorted(shares(lines, os.path.dirname).items())
    folders.append(("total", [sum(x[k] for _, x in folders) for k in (0, 1)]))
    for folder, (count, run) in folders:
        print(f"{folder:<16} {count:>8} {run:>8} {100 * run / count:>6.1f}%")
    print("\nleast covered files")
    files = sorted(shares(lines, lambda file: file).items(), key=lambda x: x[1][1] / x[1][0])
    for file, (count, run) in files[:SHOWN]:
        print(f"{100 * run / count:6.1f}% of {count:4}  {file}")
    print("\nlongest functions that never ran")
    never = sorted(((length, file, line, name) for (file, line), (runs, length, name)
                    in functions.items() if runs == 0), reverse=True)
    for length, file, line, name in never[:SHOWN]:
        print(f"{length:4} lines  {file}:{line} {name}")
    write_missing(lines, os.path.join(sys.argv[1], "missing.txt"))


if __name__ == "__main__":
    main()
