#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
#
# make_gallery.py BUILD: draws the pictures of docs/gallery.md and docs/algorithms.md into docs/, with
# the program gblite and the Python package of BUILD. Random numbers have fixed seeds: pictures are
# always the same.
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
    place /= place.max()
    for _ in range(60):  # no vertex covers another
        apart = place[:, None] - place[None] + np.eye(n)[:, :, None]
        far = np.linalg.norm(apart, axis=2, keepdims=True)
        place += (apart / far * np.maximum(0.09 - far, 0)).sum(axis=1) / 4
    place -= place.min(axis=0)
    return place / place.max()


def shade(share):
    """A colour from light (0) to dark (1), and one for text on it."""
    light, dark = (0xdc, 0xef, 0xeb), (0x00, 0x4d, 0x45)
    rgb = [round(a + share * (b - a)) for a, b in zip(light, dark)]
    return "#%02x%02x%02x" % tuple(rgb), "#fff" if share > 0.45 else "#12332f"


class Drawing:
    """A small graph: its vertices numbered from 1, edges of `strong` dark."""

    def __init__(self, file, seen=None, directed=False):
        self.directed = directed
        self.graph = gb.Matrix(os.path.join(os.path.dirname(DOCS), "examples/data", file))
        self.A = self.graph.to_numpy()
        self.at = 24 + 432 * layout(((self.A + self.A.T) != 0).astype(float))
        self.seen = np.ones(len(self.A), bool) if seen is None else seen

    def save(self, name, fill, radius=None, text=None, strong=None, weights=False):
        lines = [f'<svg xmlns="http://www.w3.org/2000/svg" '
                 f'viewBox="0 0 480 {self.at[:, 1].max() + 24:.0f}" font-family="sans-serif" '
                 'font-size="11" text-anchor="middle">']
        if self.directed:
            lines.append('<marker id="a" viewBox="0 0 8 8" refX="22" refY="4" markerWidth="8" '
                         'markerHeight="8" orient="auto"><path d="M0 0L8 4L0 8z" fill="#777"/>'
                         '</marker>')
        words = []
        edges = self.A if self.directed else np.triu(self.A + self.A.T)
        for i, j in zip(*np.nonzero(edges)):
            if not self.seen[i] or not self.seen[j]:
                continue
            dark = strong is not None and strong[i, j]
            stroke = "#222" if dark else "#999" if strong is None else "#ccc"
            lines.append('<line x1="%.0f" y1="%.0f" x2="%.0f" y2="%.0f" stroke="%s"%s/>'
                         % (*self.at[i], *self.at[j], stroke, ' stroke-width="2"' * bool(dark)
                            + ' marker-end="url(#a)"' * self.directed))
            if weights:
                x, y = (self.at[i] + self.at[j]) / 2
                words.append(f'<text x="{x:.0f}" y="{y:.0f}" fill="#333" stroke="#fff" '
                             f'stroke-width="4" paint-order="stroke">{self.A[i, j]:g}</text>')
        for v, (x, y) in enumerate(self.at):
            if self.seen[v]:
                colour, ink = fill[v] if isinstance(fill[v], tuple) else (fill[v], "#fff")
                r = 11 if radius is None else radius[v]
                lines.append(f'<circle cx="{x:.0f}" cy="{y:.0f}" r="{r:.0f}" fill="{colour}"/>'
                             f'<text x="{x:.0f}" y="{y + 4:.0f}" fill="{ink}">'
                             f'{v + 1 if text is None else text[v]}</text>')
        with open(os.path.join(DOCS, name + ".svg"), "w", encoding="utf-8") as file:
            file.write("\n".join(lines + words) + "\n</svg>\n")


def by_label(label):
    names = sorted(set(label), key=lambda c: (-np.count_nonzero(label == c), c))
    return [COLOURS[min(names.index(c), len(COLOURS) - 1)] for c in label]


def algorithms():
    """What each algorithm finds in the karate club, and shortest paths in roads."""
    club = Drawing("karate.mtx")
    G, plain = club.graph, [shade(0.2)] * len(club.A)
    club.save("gallery-karate", by_label(gb.markov_clustering(G).to_numpy()))
    level = gb.bfs(G, 0)[0].to_numpy()
    club.save("algorithm-bfs", [shade(1 - x / level.max()) for x in level])
    for name, value in (("pagerank", gb.pagerank(G)), ("bc", gb.betweenness(G))):
        share = value.to_numpy() / value.to_numpy().max()
        club.save("algorithm-" + name, [shade(x) for x in share], radius=8 + 14 * share)
    club.save("algorithm-lcc", [shade(x) for x in gb.clustering_coefficient(G).to_numpy()])
    common = G.mxm(G, "plus_pair", mask=G, structure=True)
    club.save("algorithm-tc", plain, strong=common.to_numpy() > 0)
    club.save("algorithm-truss", plain, strong=gb.k_truss(G, 4).to_numpy() > 0)
    rest = Drawing("karate.mtx", np.array([v not in (0, 33) for v in range(len(club.A))]))
    keep = np.flatnonzero(rest.seen)
    label = np.full(len(rest.A), -1)
    label[keep] = keep[gb.connected_components(G[keep, keep]).to_numpy()]
    rest.save("algorithm-cc", by_label(label))
    club.save("algorithm-kcore", [shade(x / 4) for x in gb.core_numbers(G).to_numpy()])
    share = gb.closeness(G).to_numpy()
    share = (share - share.min()) / (share.max() - share.min())
    club.save("algorithm-closeness", [shade(x) for x in share], radius=8 + 14 * share)
    degree, common = club.A.sum(axis=1), club.A.astype(float) @ club.A
    share = common / (degree + degree[:, None] - common) - np.eye(len(degree))
    best = np.zeros_like(share)
    best[np.arange(len(degree)), share.argmax(axis=1)] = 1
    club.A = np.maximum(club.A, best)  # the most similar may be no friend
    club.save("algorithm-similarity", plain, strong=best + best.T > 0)
    club.A = G.to_numpy()
    club.save("algorithm-louvain", by_label(gb.louvain(G)[0].to_numpy()))
    club.save("algorithm-cdlp", by_label(gb.label_propagation(G, 4).to_numpy()))
    streets = Drawing("one_way.mtx", directed=True)
    streets.save("algorithm-scc", by_label(gb.strong_components(streets.graph).to_numpy()))
    towns = Drawing("roads.mtx")
    distance = gb.shortest_paths(towns.graph, 0).to_numpy()
    towns.save("algorithm-sssp", [shade(1 - x / distance.max()) for x in distance], weights=True,
               radius=[16] * len(towns.A), text=[f"{x:g}" for x in distance])


for shape, operand in SHAPES.items():
    spy(operand, shape)
print(clusters(), "clusters in the planted graph")
algorithms()
