# SPDX-License-Identifier: Apache-2.0
#
# Measures graph algorithms beside GAP and LAGraph, for pages/make_page.py.
#
# Runs bench/graphs and the peers on the graphs, by default those of suite.txt, job by job in turns,
# since the memory of a shared machine may be half as fast a minute later: seconds are medians over the
# turns, and ratios those of the ratios of a turn. Other graphs, and with --job other jobs, stay as they
# were in the results, so that long runs can be made in pieces. The peers are built by hand and given by
# their paths; without one, its figures stay what they were:
#   --gap      a folder with bfs, sssp, cc, pr, bc, tc and converter of the GAP benchmark suite
#   --lagraph  a program that is run as `PROGRAM FILE.mtx REPEATS JOB`, makes the graph undirected
#              without loops, and prints a line `JOB SECONDS`; jobs are named as in main.c
import json
import os
import re
import statistics
import subprocess
import sys
import tempfile

from shared import operand_name, positive, read_suite

# the job, how GAP calls it and with what, and its sources in a trial
GAP = {"bfs": ("bfs", ["-n", "16"], 1), "sssp": ("sssp", ["-n", "8", "-d", "64"], 1),
       "cc": ("cc", ["-n", "9"], 1), "pagerank": ("pr", ["-n", "5", "-i", "100", "-t", "1e-4"], 1),
       "bc": ("bc", ["-n", "3", "-i", "4"], 4), "tc": ("tc", ["-n", "3"], 1)}
PEERS = ("plain", "gap", "lagraph")
SUITE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "suite.txt")


def quietly(command, **environment):
    return subprocess.run(command, check=True, text=True, stdout=subprocess.PIPE,
                          stderr=subprocess.DEVNULL, env=dict(os.environ, **environment)).stdout


def weigh(graph, path):
    """Writes the graph with the weights of paths.c, whole numbers: GAP would read others as 0."""
    with open(graph, encoding="ascii") as lines, open(path, "w", encoding="ascii") as out:
        out.write(next(lines).replace("real", "integer").replace("pattern", "integer"))
        out.write(next(line for line in lines if not line.startswith("%")))
        for line in lines:
            u, v = (int(index) - 1 for index in line.split()[:2])
            key = (min(u, v) << 32 | max(u, v)) * 0x9E3779B97F4A7C15 % 2**64
            out.write(f"{u + 1} {v + 1} {1 + (key >> 40) % 255}\n")


class Race:
    """A graph, and files of it for the peers in a folder."""

    def __init__(self, graph, jobs, options, scratch):
        self.graph, self.options, self.scratch = graph, options, scratch
        self.file = self.path("g.mtx")
        if options.gap or options.lagraph:
            quietly([os.path.join(options.build, "gblite"), "convert", graph, "-o", self.file])
        if options.gap:
            converter = os.path.join(options.gap, "converter")
            quietly([converter, "-f", self.file, "-s", "-b", self.path("g.sg")])
            if "sssp" in jobs:
                whole = self.path("weighted.mtx")
                weigh(self.file, whole)
                quietly([converter, "-f", whole, "-s", "-w", "-b", self.path("g.wsg")])

    def path(self, name):
        return os.path.join(self.scratch, name)

    def gblite(self, job):
        """The document of bench/graphs, with code by hand."""
        command = [os.path.join(self.options.build, "bench/graphs"), "--json", "--only", job,
                   "--repeats", str(self.options.repeats or 3), self.graph]
        made = json.loads(quietly(command))
        made.pop("geometric_means", None)
        made["rows"] = [{"job": row["operation"], "graph": row["input"], **row["seconds"],
                         "vertices": row["vertices"], "entries": row["entries"]}
                        for row in made["rows"]]
        return made

    def gap(self, job, threads):
        """Seconds of one source: the median of GAP's trials."""
        name, arguments, sources = GAP[job]
        text = quietly([os.path.join(self.options.gap, name), "-f",
                        self.path("g.wsg" if job == "sssp" else "g.sg"), *arguments],
                       OMP_NUM_THREADS=str(threads))
        trials = [float(t) for t in re.findall(r"Trial Time:\s+([\d.]+)", text)]
        return statistics.median(trials) / sources

    def lagraph(self, job, threads):
        text = quietly([self.options.lagraph, self.file, str(self.options.repeats or 3), job],
                       OMP_NUM_THREADS=str(threads))
        return float(text.split()[1])

    def turn(self, job):
        """One turn of all sides: the document of gblite, whose row has the peers too."""
        made = self.gblite(job)
        if not made["rows"]:
            return made  # bench/graphs leaves this job out on this graph
        if self.options.gap:
            made["rows"][0]["gap"] = self.gap(job, made["threads"])
        if self.options.lagraph:
            made["rows"][0]["lagraph"] = self.lagraph(job, made["threads"])
        return made


def middle(rows):
    """One row of those of all turns."""
    row = dict(rows[0])
    for side in ["gblite", *PEERS]:
        if row.get(side):
            row[side] = statistics.median(each[side] for each in rows)
            if side in PEERS:
                row["over_" + side] = statistics.median(each[side] / each["gblite"]
                                                        for each in rows)
    return row


def suite(options):
    """(graph, jobs) of the graphs that are asked for, by default of those of the suite's file."""
    jobs = options.job or list(GAP)
    if options.graph:
        return [(graph, jobs) for graph in options.graph]
    return [(graph, [job for job in jobs if only in ("", job)])
            for only, graph in read_suite(SUITE, options.data)]


def measure(options, old):
    before = {(row["graph"], row["job"]): row for row in old.get("rows", [])}
    new = {}
    for graph, jobs in suite(options):
        with tempfile.TemporaryDirectory() as scratch:
            race_of = Race(graph, jobs, options, scratch)
            for job in jobs:
                turns = [race_of.turn(job) for _ in range(options.turns)]
                new = turns[-1]
                if not new["rows"]:
                    continue
                row = middle([turn["rows"][0] for turn in turns])
                row["graph"] = operand_name(row["graph"])
                row["turns"] = options.turns
                key = row["graph"], job
                before[key] = dict(before.get(key, {}), **row)
                print(row["graph"], job, row, file=sys.stderr, flush=True)
    return dict(new, rows=list(before.values()))


def add_options(parser):
    parser.add_argument("--gap", metavar="DIR", help="graphs: folder of the GAP benchmark's programs")
    parser.add_argument("--lagraph", metavar="PROGRAM", help="graphs: a program that times LAGraph")
    parser.add_argument("--turns", metavar="N", type=positive, default=3,
                        help="graphs: of all sides (default 3)")
    parser.add_argument("--job", metavar="JOB", choices=GAP, action="append",
                        help="graphs: one of " + ", ".join(GAP))
    parser.add_argument("--graph", metavar="GRAPH", action="append",
                        help="graphs: this one instead of the suite")
