#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
#
# Compares results of bench/run, of one machine, before and after a change.
#
#   bench/run/compare_runs.py OLD.json NEW.json [--contender NAME] [--slower PERCENT]
#
# Prints old and new seconds of every input that both have and new / old, marks what is slower by
# more than PERCENT (5), and the geometric mean. Exit status 2 when something is marked: noise marks
# too, so measure it again, in turns (bench/run/versus.py), before believing it.
import argparse
import json
import math
import sys


def load(path):
    with open(path) as file:
        return json.load(file)


def seconds_of(document, contender):
    """By input; those that the contender did not run are left out."""
    return {(i["operation"], i["name"]): c["seconds"] for i in document["inputs"]
            for c in i["contenders"] if c["name"] == contender and "seconds" in c}


def show(x):
    return f"{1e6 * x:9.1f} us" if x < 1e-3 else f"{1e3 * x:9.2f} ms" if x < 1 else f"{x:9.3f} s "


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
        print(f"{label:<28} {show(old[name])} {show(new[name])} {ratio:8.3f}"
              f"{'  slower' if mark else ''}")
    mean = math.exp(sum(map(math.log, ratios)) / len(ratios))
    print(f"new / old: geometric mean {mean:.3f}, from {min(ratios):.3f} to {max(ratios):.3f}, "
          f"{marked} of {len(names)} inputs more than {slower:g}% slower")
    for one, other, which in ((old, new, "old"), (new, old, "new")):
        alone = [" ".join(name) for name in one if name not in other]
        if alone:
            print(f"only in the {which}: {', '.join(alone)}")
    return marked


def add_options(parser):
    parser.add_argument("--contender", metavar="NAME", default="auto",
                        help="of the document (default: auto)")
    parser.add_argument("--slower", metavar="PERCENT", type=float, default=5.0,
                        help="from which on an input is marked (default: 5)")


def main():
    parser = argparse.ArgumentParser(description="Compares two results of bench/run.")
    parser.add_argument("old", metavar="OLD.json")
    parser.add_argument("new", metavar="NEW.json")
    add_options(parser)
    options = parser.parse_args()
    old, new = load(options.old), load(options.new)
    for fact in ("machine", "threads"):
        if old[fact] != new[fact]:
            raise ValueError(f"{fact} is {old[fact]} in the old and {new[fact]} in the new; results "
                             "of different machines say nothing")
    return 2 if compare(seconds_of(old, options.contender), seconds_of(new, options.contender),
                        options.slower) else 0


if __name__ == "__main__":
    try:
        sys.exit(main())
    except (OSError, ValueError, KeyError) as error:
        sys.exit(f"compare_runs: {type(error).__name__}: {error}")
