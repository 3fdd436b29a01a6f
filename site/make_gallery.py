#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
#
# make_gallery.py BUILD: draws the pictures of docs/gallery.md into docs/, with the program gblite
# and the Python package of BUILD. Random numbers have fixed seeds: pictures are always the same.
import os
import subprocess
import sys
import tempfile

import numpy as np

BUILD = os.path.abspath(sys.argv[1])
DOCS = os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "docs")
sys.path.insert(0, os.path.join(BUILD, "python"))
import gblite as gb  # noqa: E402

SIZE = 320
COLOURS = ["#1b9e77", "#d95f02", "#7570b3", "#e7298a"]
SHAPES = {"rmat": "rmat:10:12", "grid": "grid:16:16", "road": "road:14:14", "fem": "fem:7:2",
          "band": "band:320:9", "web": "web:10:8"}


def spy(operand, name):
    subprocess.run([os.path.join(BUILD, "gblite"), "spy", operand, "--size", str(SIZE),
                    "-o", os.path.join(DOCS, f"gallery-{name}.png")], check=True,
                   stdout=subprocess.DEVNULL)


def clusters():
    """A planted graph with its vertices shuffled, and in the order of the clusters found."""
    A = gb.Matrix("planted:8:40:24:2")
    shuffled = np.random.default_rng(1).permutation(A.shape[0])
    A = A[shuffled, shuffled]
    label = gb.markov_clustering(A).to_numpy()
    order = np.argsort(label, kind="stable")
    with tempfile.TemporaryDirectory() as folder:
        for name, matrix in (("shuffled", A), ("clustered", A[order, order])):
            path = os.path.join(folder, name + ".mtx")
            matrix.save(path)
            spy(path, name)
    return len(set(label))


def layout(A, steps=400):
    """Places of the vertices of a small graph: edges pull, all pairs push apart."""
    n = len(A)
    place = np.random.default_rng(3).normal(size=(n, 2))
    for step in range(steps):
        apart = place[:, None] - place[None]
        far = np.maximum((apart**2).sum(axis=2), 1e-3)[:, :, None]
        force = (apart / far).sum(axis=1) - 0.35 * (A[:, :, None] * apart * far**0.5).sum(axis=1)
        move = np.maximum(np.linalg.norm(force, axis=1, keepdims=True), 1e-9)
        place += force / move * np.minimum(move, 0.3 * (1 - step / steps))
    place -= place.min(axis=0)
    return place / place.max()


def karate():
    """Zachary's karate club, its vertices coloured by cluster."""
    graph = gb.Matrix(os.path.join(os.path.dirname(DOCS), "examples/data/karate.mtx"))
    A = (graph.to_numpy() != 0).astype(float)
    label = gb.markov_clustering(graph).to_numpy()
    colour = {c: COLOURS[k % len(COLOURS)] for k, c in enumerate(sorted(set(label)))}
    at = 20 + 440 * layout(A)
    height = at[:, 1].max() + 20
    lines = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 480 {height:.0f}">']
    for i, j in zip(*np.nonzero(np.triu(A))):
        lines.append('<line x1="%.0f" y1="%.0f" x2="%.0f" y2="%.0f" stroke="#999"/>'
                     % (*at[i], *at[j]))
    for v, (x, y) in enumerate(at):
        lines.append(f'<circle cx="{x:.0f}" cy="{y:.0f}" r="10" fill="{colour[label[v]]}"/>'
                     f'<text x="{x:.0f}" y="{y + 4:.0f}" font-size="11" fill="#fff" '
                     f'font-family="sans-serif" text-anchor="middle">{v + 1}</text>')
    with open(os.path.join(DOCS, "gallery-karate.svg"), "w", encoding="utf-8") as file:
        file.write("\n".join(lines) + "\n</svg>\n")


for shape, operand in SHAPES.items():
    spy(operand, shape)
print(clusters(), "clusters in the planted graph")
karate()
