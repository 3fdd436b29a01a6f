# SPDX-License-Identifier: Apache-2.0
"""Python on the pages: blocks with >>> are doctests, those of a page one after the other; others
are run each by itself. Examples of packages that are not installed are left out."""
import doctest
import importlib.util
import pathlib
import re

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]
BLOCK = re.compile(r"^```python\n(.*?)^```$", re.M | re.S)
MISSING = [name for name in ("torch", "matplotlib") if not importlib.util.find_spec(name)]
PAGES = [page for page in [ROOT / "README.md", ROOT / "python/README.md",
                           *sorted(ROOT.glob("docs/*.md"))]
         if BLOCK.search(page.read_text(encoding="utf-8"))]


def test_there_are_pages():
    assert {"README.md", "python.md", "tutorial.md"} <= {page.name for page in PAGES}


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_code_of(page, capsys):
    blocks = [block for block in BLOCK.findall(page.read_text(encoding="utf-8"))
              if not any(re.search(rf"\b{name}\b", block) for name in MISSING)]
    shown = [block for block in blocks if ">>>" in block]
    for block in blocks:
        if block not in shown:
            exec(compile(block, str(page), "exec"), {})
    capsys.readouterr()
    test = doctest.DocTestParser().get_doctest("\n".join(shown), {}, page.name, str(page), 0)
    flags = doctest.ELLIPSIS | doctest.IGNORE_EXCEPTION_DETAIL
    failures, tried = doctest.DocTestRunner(optionflags=flags).run(test)
    assert failures == 0, capsys.readouterr().out
    assert tried > 0 or not shown
