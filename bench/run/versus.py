#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
#
# Measures two builds in turns, input by input, so that what the machine does besides hits both.
#
#   bench/run/versus.py OLD_BUILD NEW_BUILD [--input SPEC]... [--suite FILE] [--data DIR]
#                       [--turns N] [--repeats N] [--threads N] [--contender NAME] [--slower PERCENT]
#                       [--output FILE]
#
# A build is a folder with bench/run of a Release build. Every input is run OLD NEW NEW OLD ... until
# either had N turns (3), each a process of its own; the median of its turns counts. Inputs are those
# of the suite (bench/suite.txt) unless some are named. Prints the table of compare_runs.py; --output
# keeps the seconds of all turns. Exit status 2 when something is marked as slower, 1 when a run failed.
import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True
import compare_runs  # noqa: E402

SUITE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../suite.txt")


def positive(text):
    if not text.isdecimal() or int(text) < 1:
        raise argparse.ArgumentTypeError(f"'{text}' is not a number from 1 on")
    return int(text)


def read_suite(path, data):
    """Operands of the lines that bench/run takes; files that are not there are left out."""
    operands = []
    with open(path) as file:
        for line in file:
            words = line.split("#")[0].split()
            if len(words) < 2 or words[0] not in ("mxm", "triangles"):
                continue
            operand = words[1]
            if operand.startswith("?"):
                operand = os.path.join(data or "", operand[1:])
                if not data or not os.path.exists(operand):
                    continue
            operands.append(operand)
    return list(dict.fromkeys(operands))


class Build:
    """bench/run of one build, with what makes it quicker where it knows that."""

    def __init__(self, folder, options, knows):
        self.command = [program(folder), "--suite", options.suite,
                        "--repeats", str(options.repeats)]
        self.command += ["--data", options.data] if options.data else []
        self.command += ["--threads", str(options.threads)] if options.threads else []
        self.command += ["--no-first"] if "--no-first" in knows else []
        self.command += ["--contender", options.contender] if "--contender" in knows else []
        self.contender = options.contender
        self.seconds = {}  # of every turn, by input

    def turn(self, operand, folder):
        ran = subprocess.run([*self.command, "--only", operand, "--output", folder,
                              "--name", "turn"], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE,
                             text=True)
        if ran.returncode != 0:
            raise ValueError(f"{self.command[0]} --only {operand}: {ran.stderr.strip()}")
        document = compare_runs.load(os.path.join(folder, "turn.json"))
        for name, seconds in compare_runs.seconds_of(document, self.contender).items():
            self.seconds.setdefault(name, []).append(seconds)

    def medians(self):
        return {name: statistics.median(turns) for name, turns in self.seconds.items()}


def program(folder):
    return os.path.join(folder, "bench/run")


def options_of(folder):
    """What a build's program says of its options; one is used when both builds have it."""
    return subprocess.run([program(folder), "--help"], stdout=subprocess.PIPE, check=True,
                          text=True).stdout


def measure(builds, operands, turns):
    with tempfile.TemporaryDirectory() as folder:
        for at, operand in enumerate(operands):
            print(f"[{at + 1} of {len(operands)}] {operand}", file=sys.stderr, flush=True)
            for turn in range(turns):
                for build in builds if turn % 2 == 0 else builds[::-1]:
                    build.turn(operand, folder)


def main():
    parser = argparse.ArgumentParser(description="Measures two builds of bench/run in turns.")
    parser.add_argument("old", metavar="OLD_BUILD")
    parser.add_argument("new", metavar="NEW_BUILD")
    parser.add_argument("--input", metavar="SPEC", action="append",
                        help="this one instead of the suite; may be given several times")
    parser.add_argument("--suite", metavar="FILE", default=SUITE)
    parser.add_argument("--data", metavar="DIR", help="folder of the suite's files")
    parser.add_argument("--turns", metavar="N", type=positive, default=3,
                        help="of each build on each input (default 3)")
    parser.add_argument("--repeats", metavar="N", type=positive, default=3,
                        help="rounds within a turn (default 3)")
    parser.add_argument("--threads", metavar="N", type=positive)
    parser.add_argument("--output", metavar="FILE", help="JSON of all turns")
    compare_runs.add_options(parser)
    options = parser.parse_args()
    common = set(options_of(options.old).replace("=", " ").split()) & set(
        options_of(options.new).replace("=", " ").split())
    builds = [Build(folder, options, common) for folder in (options.old, options.new)]
    measure(builds, options.input or read_suite(options.suite, options.data), options.turns)
    if options.output:
        with open(options.output, "w") as file:
            json.dump([{"build": name, "operation": key[0], "input": key[1], "seconds": turns}
                       for name, build in zip(("old", "new"), builds)
                       for key, turns in build.seconds.items()], file, indent=1)
    return 2 if compare_runs.compare(*(b.medians() for b in builds), options.slower) else 0


if __name__ == "__main__":
    try:
        sys.exit(main())
    except (OSError, ValueError, KeyError, subprocess.CalledProcessError) as error:
        sys.exit(f"versus: {error}")
