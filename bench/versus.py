#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Compares two results of `bench run` of one machine, or two builds in turns.

    bench/versus.py OLD.json NEW.json [--contender NAME] [--slower PERCENT]
    bench/versus.py OLD_BUILD NEW_BUILD [--input SPEC]... [--suite FILE] [--data DIR] [--turns N]
                    [--repeats N] [--threads N] [--output FILE] [--contender NAME] [--slower PERCENT]

A build is a folder with bench/bench of a Release build. Every input is run OLD NEW NEW OLD ... until
either had N turns (3), each a process of its own, so that what the machine does besides hits both; the
median of its turns counts. Inputs are those of the suite (bench/suite.txt) unless some are named.
Prints old and new seconds of every input that both have and new / old, marks what is slower by more
than PERCENT (5), and the geometric mean; --output keeps the seconds of all turns. Exit status 2 when
something is marked: noise marks too, so measure it again, in turns, before believing it.
"""
import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True
from shared import BENCH, load, positive, read_suite  # noqa: E402


def seconds_of(document, contender):
    """By input; those that the contender did not run are left out."""
    return {(i["operation"], i["name"]): c["seconds"] for i in document["inputs"]
            for c in i["contenders"] if c["name"] == contender and "seconds" in c}


def compare(old, new, slower):
    """Prints the table of two {input: seconds}; how many inputs are marked."""
    names = [name for name in old if name in new]
    if not names:
        raise ValueError("the two have no input in common")
    ratios = [new[name] / old[name] for name in names]
    marked = 0
    print(f"{'input':<28} {'old':>12} {'new':>12} {'new/old':>8}")
    for name, ratio in zip(names, ratios):
        mark = ratio > 1 + slower / 100
        marked += mark
        label = name[1] if name[0] == "mxm" else " ".join(name)
        print(f"{label:<28} {1e3 * old[name]:9.4f} ms {1e3 * new[name]:9.4f} ms {ratio:8.3f}"
              f"{'  slower' if mark else ''}")
    print(f"new / old: geometric mean {statistics.geometric_mean(ratios):.3f}, from {min(ratios):.3f} to {max(ratios):.3f}, "
          f"{marked} of {len(names)} inputs more than {slower:g}% slower")
    for one, other, which in ((old, new, "old"), (new, old, "new")):
        alone = [" ".join(name) for name in one if name not in other]
        if alone:
            print(f"only in the {which}: {', '.join(alone)}")
    return marked


def compare_files(options):
    old, new = load(options.old), load(options.new)
    for fact in ("machine", "threads"):
        if old[fact] != new[fact]:
            raise ValueError(f"{fact} is {old[fact]} in the old and {new[fact]} in the new; results "
                             "of different machines say nothing")
    return compare(seconds_of(old, options.contender), seconds_of(new, options.contender),
                   options.slower)


# -- builds in turns

class Build:
    def __init__(self, folder, options):
        self.command = [os.path.join(folder, "bench/bench"), "run", "--suite", options.suite, "--no-first",
                        "--repeats", str(options.repeats), "--contender", options.contender]
        self.command += ["--data", options.data] if options.data else []
        self.command += ["--threads", str(options.threads)] if options.threads else []
        self.contender = options.contender
        self.seconds = {}  # of every turn, by input

    def turn(self, operand, folder):
        ran = subprocess.run([*self.command, "--only", operand, "--output", folder,
                              "--name", "turn"], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE,
                             text=True, check=False)
        if ran.returncode != 0:
            raise ValueError(f"{self.command[0]} --only {operand}: {ran.stderr.strip()}")
        for name, seconds in seconds_of(load(os.path.join(folder, "turn.json")),
                                        self.contender).items():
            self.seconds.setdefault(name, []).append(seconds)

    def medians(self):
        return {name: statistics.median(turns) for name, turns in self.seconds.items()}


def compare_builds(options):
    builds = [Build(folder, options) for folder in (options.old, options.new)]
    operands = options.input or list(dict.fromkeys(
        operand for operation, operand in read_suite(options.suite, options.data)
        if operation in ("mxm", "triangles")))  # what `bench run` takes
    with tempfile.TemporaryDirectory() as folder:
        for at, operand in enumerate(operands):
            print(f"[{at + 1} of {len(operands)}] {operand}", file=sys.stderr, flush=True)
            for turn in range(options.turns):
                for build in builds if turn % 2 == 0 else builds[::-1]:
                    build.turn(operand, folder)
    if options.output:
        with open(options.output, "w", encoding="utf-8") as file:
            json.dump([{"build": name, "operation": key[0], "input": key[1], "seconds": turns}
                       for name, build in zip(("old", "new"), builds)
                       for key, turns in build.seconds.items()], file, indent=1)
    return compare(*(b.medians() for b in builds), options.slower)


def main():
    parser = argparse.ArgumentParser(description="Compares two results or two builds of bench run.")
    parser.add_argument("old", metavar="OLD")
    parser.add_argument("new", metavar="NEW")
    parser.add_argument("--contender", metavar="NAME", default="auto",
                        help="of the document (default: auto)")
    parser.add_argument("--slower", metavar="PERCENT", type=float, default=5.0,
                        help="from which on an input is marked (default: 5)")
    parser.add_argument("--input", metavar="SPEC", action="append",
                        help="this one instead of the suite; may be given several times")
    parser.add_argument("--suite", metavar="FILE", default=os.path.join(BENCH, "suite.txt"))
    parser.add_argument("--data", metavar="DIR", help="folder of the suite's files")
    parser.add_argument("--turns", metavar="N", type=positive, default=3,
                        help="of each build on each input (default 3)")
    parser.add_argument("--repeats", metavar="N", type=positive, default=3,
                        help="rounds within a turn (default 3)")
    parser.add_argument("--threads", metavar="N", type=positive)
    parser.add_argument("--output", metavar="FILE", help="JSON of all turns")
    options = parser.parse_args()
    files = options.old.endswith(".json")
    return 2 if (compare_files if files else compare_builds)(options) else 0


if __name__ == "__main__":
    try:
        sys.exit(main())
    except (OSError, ValueError, KeyError, subprocess.CalledProcessError) as error:
        sys.exit(f"versus: {type(error).__name__}: {error}")
