# SPDX-License-Identifier: Apache-2.0
"""What matrices look like: spy plots by matplotlib, and small pictures in notebooks without it."""
import numpy as np

_CELLS = 48  # cells of the longer side of a small picture


def _density(A, cells):
    """Entries in each cell of a grid over the matrix."""
    rows, columns, _ = A.to_coo()
    nrows, ncols = A.shape
    longest = max(nrows, ncols, 1)
    high = max(1, min(cells * nrows // longest, nrows))
    wide = max(1, min(cells * ncols // longest, ncols))
    grid = np.zeros((high, wide), np.int64)
    r = np.minimum((rows * (high / max(nrows, 1))).astype(np.int64), high - 1)
    c = np.minimum((columns * (wide / max(ncols, 1))).astype(np.int64), wide - 1)
    np.add.at(grid, (r, c), 1)
    return grid


def spy(A, axes=None, cells=400, **options):
    """Draws how many entries there are where, darker for more."""
    import matplotlib.pyplot as plt

    if axes is None:
        axes = plt.gca()
    grid = _density(A, cells)
    options = {"cmap": "Blues", "interpolation": "nearest", "aspect": "equal", **options}
    axes.imshow(np.log1p(grid), extent=(0, A.shape[1], A.shape[0], 0), **options)
    axes.set_title(f"{A.shape[0]} x {A.shape[1]}, {A.nvals} entries")
    return axes


def html(A):
    """A table of facts and a picture of the pattern, as notebooks show it."""
    nrows, ncols = A.shape
    facts = [("shape", f"{nrows} x {ncols}"), ("entries", f"{A.nvals:,}"), ("dtype", A.dtype),
             ("held by", ", ".join(A.formats) or "nothing")]
    table = "".join(f"<tr><th>{name}</th><td>{value}</td></tr>" for name, value in facts)
    return (f'<div style="display:flex;gap:1em;align-items:center">{_svg(A)}'
            f"<table>{table}</table></div>")


def _svg(A):
    grid = _density(A, _CELLS)
    shade = np.log1p(grid) / max(np.log1p(grid.max(initial=0)), 1)
    high, wide = grid.shape
    cells = "".join(
        f'<rect x="{c}" y="{r}" width="1" height="1" fill-opacity="{shade[r, c]:.2f}"/>'
        for r, c in zip(*np.nonzero(grid)))
    return (f'<svg viewBox="0 0 {wide} {high}" width="{3 * wide}" height="{3 * high}" role="img" '
            f'aria-label="pattern of the matrix" style="border:1px solid #888" fill="#08519c" '
            f'shape-rendering="crispEdges">{cells}</svg>')
