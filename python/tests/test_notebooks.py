# SPDX-License-Identifier: Apache-2.0
"""Notebooks show what their cells give today; scripts/notebooks.py stores it anew."""
import re
import runpy
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
notebooks = runpy.run_path(str(ROOT / "scripts/notebooks.py"))
PATHS = sorted(ROOT.glob("examples/notebooks/*.ipynb"))


def test_there_are_notebooks():
    assert len(PATHS) >= 3


@pytest.mark.parametrize("path", PATHS, ids=lambda path: path.stem)
def test_cells_of(path, monkeypatch):
    monkeypatch.chdir(path.parent)
    notebook, names = notebooks["read"](path), {}
    cells = notebooks["code_cells"](notebook)
    text = "\n".join("".join(cell["source"]) for cell in cells)
    for module in re.findall(r"^import (\w+)", text, re.M):
        pytest.importorskip(module)
    for cell in cells:
        assert notebooks["run"](cell, names) == notebooks["shown"](cell), "".join(cell["source"])
