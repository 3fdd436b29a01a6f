#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What a product of R-MAT graphs moves and holds on many processes: the tables of docs/scale.md.

    bench/dist/model.py extrapolate
    bench/dist/model.py check MPIEXEC BUILD [SPEC...]

The model knows R-MAT alone. Of the 2^S vertices of rmat:S:F, C(S, k) have k ones in their number
before it is permuted; an edge begins, and ends, at one of these with probability .76^(S-k) .24^k.
So entries (distinct edges), rows of a block that have entries, and flops of A * A are sums over k.
Vertices are permuted, so blocks are alike.

`check` runs gblite-dist on 1, 4, 9 and 16 processes and compares the bytes that it has received, and
the most that blocks took, with the model. Bytes do not depend on the machine.
"""

import json
import math
import os
import subprocess
import sys

A, B, C, D = 0.57, 0.19, 0.19, 0.05
INDEX, VALUE, ROW, POINTER = 4, 8, 8, 8  # bytes: of an entry, of a row sent, of a row held
HEAD = 24  # bytes in front of a block


def choose(n, k):
    return math.exp(math.lgamma(n + 1) - math.lgamma(k + 1) - math.lgamma(n - k + 1))


class Rmat:
    def __init__(self, scale, factor):
        self.scale, self.n = scale, 2.0**scale
        self.edges = factor * self.n
        self.degrees = [
            (choose(scale, k), self.edges * (A + B) ** (scale - k) * (C + D) ** k)
            for k in range(scale + 1)
        ]

    def entries(self):
        """Distinct places of all edges: cells by how often each quarter was taken."""
        s, total = self.scale, 0.0
        for i in range(s + 1):
            for j in range(s - i + 1):
                for d in range(s - i - j + 1):
                    cells = choose(s, i) * choose(s - i, j) * choose(s - i - j, d)
                    p = A**i * B**j * D**d * C ** (s - i - j - d)
                    total -= cells * math.expm1(-self.edges * p)
        return total

    def rows_used(self, parts):
        """Rows of one of `parts` blocks of columns that have entries, of all rows."""
        return -sum(count * math.expm1(-edges / parts) for count, edges in self.degrees)

    def flops(self):
        """At most: of edges that are drawn twice both count."""
        return sum(count * edges * edges for count, edges in self.degrees)


def block_bytes(graph, entries, q):
    """Of one block on its way."""
    return entries / q**2 * (INDEX + VALUE) + graph.rows_used(q) / q * ROW + HEAD


def received_2d(graph, entries, q):
    """By one process: q - 1 blocks of A and of B."""
    return 2 * (q - 1) * block_bytes(graph, entries, q)


def held_2d(graph, entries, q):
    """Two blocks of other processes at once, with pointers to all rows and lists of those used."""
    if q == 1:
        return 0.0
    one = entries / q**2 * (INDEX + VALUE) + graph.rows_used(q) / q * ROW
    return 2 * (one + POINTER * (graph.n / q + 1))


def received_3d(graph, entries, q, layers, added):
    """Layers of q x q processes, each with a part of the inner index: q - 1 smaller blocks of both,
    then all layers but one of an entry's products. added: entries of products before they are
    added, of all processes."""
    blocks = 2 * (q - 1) * (
        entries / (q**2 * layers) * (INDEX + VALUE) + graph.rows_used(q) / (q * layers) * ROW
    )
    return blocks + added / (q**2 * layers) * (layers - 1) / layers * (INDEX + VALUE)


def gigabytes(x):
    return f"{x / 1e9:.3g}"


def extrapolate():
    print("| graph | entries | processes | received by one, 2D | blocks held, 2D | own blocks A, B "
          "| received, 3D, 4 layers | 3D, 16 layers |")
    print("|---|---:|---:|---:|---:|---:|---:|---:|")
    for scale in (26, 28, 30, 32, 34):
        graph = Rmat(scale, 16)
        entries = graph.entries()
        for q in (4, 16, 64):
            own = 2 * (entries / q**2 * (INDEX + VALUE) + POINTER * graph.n / q)
            cells = [
                f"rmat:{scale}:16",
                f"{entries:.3g}",
                str(q * q),
                gigabytes(received_2d(graph, entries, q)),
                gigabytes(held_2d(graph, entries, q)),
                gigabytes(own),
            ]
            for layers in (4, 16):
                side = int(q / math.sqrt(layers))
                cells.append(gigabytes(received_3d(graph, entries, side, layers, 0)))
            print("| " + " | ".join(cells) + " |")


def run(mpiexec, build, processes, spec):
    runner = os.path.join(os.path.dirname(__file__), "../../dist/test/run.sh")
    command = ["bash", runner, mpiexec, str(processes), f"{build}/gblite-dist", "mxm", "--json",
               "-t", "1", spec]
    return json.loads(subprocess.run(command, check=True, capture_output=True).stdout)


def check(mpiexec, build, specs):
    print("| graph | processes | received by all, MB | model | blocks held, MB | model "
          "| entries added / product |")
    print("|---|---:|---:|---:|---:|---:|---:|")
    for spec in specs:
        _, scale, factor = spec.split(":")
        graph = Rmat(int(scale), int(factor))
        entries = graph.entries()
        for q in (1, 2, 3, 4):
            found = run(mpiexec, build, q * q, spec)
            print(
                f"| {spec} | {q * q} | {found['bytes_received'] / 1e6:.3f} "
                f"| {q * q * received_2d(graph, entries, q) / 1e6:.3f} "
                f"| {found['bytes_blocks'] / 1e6:.3f} | {held_2d(graph, entries, q) / 1e6:.3f} "
                f"| {found['entries_added'] / found['entries']:.2f} |"
            )


def main():
    if sys.argv[1:2] == ["extrapolate"]:
        extrapolate()
    elif sys.argv[1:2] == ["check"] and len(sys.argv) >= 4:
        check(sys.argv[2], sys.argv[3], sys.argv[4:] or ["rmat:12:16", "rmat:14:16", "rmat:16:8"])
    else:
        sys.exit(__doc__)


if __name__ == "__main__":
    main()
