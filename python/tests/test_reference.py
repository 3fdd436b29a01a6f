# SPDX-License-Identifier: Apache-2.0
"""docs/python_reference.md is what scripts/python_page.py makes of the package's sources, and
everything on it has an example (which test_docs.py runs)."""
import pathlib
import re
import subprocess
import sys

import gblite

ROOT = pathlib.Path(__file__).resolve().parents[2]


def test_page_is_up_to_date():
    made = subprocess.run([sys.executable, ROOT / "scripts/python_page.py", "-"],
                          capture_output=True, text=True, check=True).stdout
    page = (ROOT / "docs/python_reference.md").read_text(encoding="utf-8")
    assert page == made, "run scripts/python_page.py"


def test_everything_is_there():
    page = (ROOT / "docs/python_reference.md").read_text(encoding="utf-8")
    missing = [name for name in gblite.__all__ if name not in ("METHODS", "__version__") and
               f"\n### gb.{name}\n" not in page and f"\n### {name}\n" not in page]
    assert not missing, f"scripts/python_page.py leaves out {missing}"


def test_types_are_those_of_the_stubs():
    page = (ROOT / "docs/python_reference.md").read_text(encoding="utf-8")
    for line in ("`gb.bfs(A, source) -> tuple[Vector, Vector]`", "`astype(dtype) -> Vector`",
                 "`nvals -> int`", "`gb.trim()`"):
        assert line in page, line


def test_examples():
    page = (ROOT / "docs/python_reference.md").read_text(encoding="utf-8")
    parts = re.split(r"^### ", page, flags=re.M)[1:]
    bare = [part.split("\n")[0] for part in parts if "```python" not in part]
    assert len(parts) > 100 and not bare, f"no example of {bare}"
