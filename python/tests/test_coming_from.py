# SPDX-License-Identifier: Apache-2.0
"""docs/coming_from.md: what one types there and here is typed, there only where that is installed,
and gives the same. (What one types in a shell: test/pages/type_pages.py.)"""
import pathlib
import re

import numpy as np
import pytest
import scipy.io
import scipy.sparse as sp
from scipy.sparse import csgraph

import gblite as gb

PAGE = pathlib.Path(__file__).resolve().parents[2] / "docs/coming_from.md"
SECTIONS = dict(re.findall(r"^## (.*?)\n(.*?)(?=^## |\Z)", PAGE.read_text(encoding="utf-8"),
                           re.M | re.S))
# Spans that are parts of a call, and the call.
PARTS = {
    "copy=False": "gb.Matrix(S, copy=False)",
    "*": "A * B",
    "structure=True": "A.mxm(B, mask=M, structure=True)",
    "complement=True": "A.mxm(B, mask=M, complement=True)",
    'out=C, mask=M, complement=True, accum="plus"':
        'A.mxm(B, "plus_times", out=C, mask=M, complement=True, accum="plus")',
    "C(~M.V, accum=binary.plus) << ...":
        "C(~M.V, accum=binary.plus) << A.mxm(B, semiring.plus_times)",
    "Matrix": "gb.Matrix",
    "None": "None",
    ".new()": "A.T.new()",
}
IN_A_SHELL = ("gblite ", "hb_read", "sparse_dot_topn.")


def rows_of(section):
    """Cells of each row, as lists of their code, with their text."""
    rows = [re.split(r"\s*(?<!\\)\|\s*", row)[1:-1] for row in
            re.findall(r"^\| (?!---).*\|$", SECTIONS[section], re.M)[1:]]
    return [[(re.findall(r"`([^`]+)`", cell), cell) for cell in row] for row in rows]


def plain(value):
    """Numbers, to compare."""
    if isinstance(value, gb.Matrix):
        value = value.to_scipy()
    if isinstance(value, gb.Vector):
        return value.to_numpy()
    if sp.issparse(value):
        return value.toarray()
    return value


def typed(code, names):
    """What a span gives; statements give None."""
    code = PARTS.get(code, code)
    try:
        tree = compile(code, code, "eval")
    except SyntaxError:
        exec(compile(code, code, "exec"), names)
        return None
    try:
        return eval(tree, names)
    except NotImplementedError:  # of scipy 1.10
        return None


def same(there, here, code):
    there, here = plain(there), plain(here)
    if isinstance(there, tuple) and isinstance(here, np.ndarray):  # their number, labels
        _, numbered = np.unique(here, return_inverse=True)
        pairs = set(zip(there[1].tolist(), numbered.tolist()))
        assert there[0] == len(pairs) == len(set(numbered.tolist())), code
    elif isinstance(there, tuple):  # a shape, arrays
        assert len(there) == len(here), code
        for a, b in zip(there, here):
            same(a, b, code)
    elif isinstance(there, (int, float, np.ndarray, np.generic)):
        here = 0.0 if here is None else here  # no entry
        assert np.allclose(np.asarray(there, float).ravel(), np.asarray(here, float).ravel()), code


@pytest.fixture
def names(tmp_path, monkeypatch):
    random = np.random.default_rng(7)
    S, T = (sp.csr_array(sp.random(20, 20, 0.2, "csr", random_state=random)) for _ in range(2))
    monkeypatch.chdir(tmp_path)
    scipy.io.mmwrite("A.mtx", S)
    rows, columns = np.array([3, 1, 4]), np.array([5, 9])
    return {"gb": gb, "np": np, "sp": sp, "scipy": scipy, "csgraph": csgraph,
            "csr_array": sp.csr_array, "S": S, "T": T, "A": gb.Matrix(S), "B": gb.Matrix(T),
            "M": gb.Matrix(abs(S) > 0.5), "C": gb.Matrix.new("float64", 20, 20), "n": 20,
            "x": random.random(20), "i": 2, "j": 3, "rows": rows, "columns": columns,
            "I": [0, 1], "J": [1, 2], "X": [1.5, 2.0]}


def test_scipy(names):
    compared = 0
    for (there, _), (here, text) in rows_of("From scipy"):
        if text.startswith("the same"):
            own = {**names, "S": names["A"], "T": names["B"]}
            here, extra = [(code, own) for code in there], [(code, names) for code in here]
        else:
            parts = [code for code in here if code in PARTS]
            here = [(code, names) for code in here if code not in parts]
            extra = [(code, names) for code in parts]
        there = [None if code.startswith(IN_A_SHELL) else typed(code, names) for code in there]
        here = [None if code.startswith(IN_A_SHELL) else typed(code, space)
                for code, space in here + extra]
        for a, b in zip(there, here):
            if a is not None and not isinstance(a, np.dtype):
                same(a, b, text)
                compared += 1
    assert compared > 20


def test_networkx():
    nx = pytest.importorskip("networkx", minversion="3.5")
    names = {"gb": gb, "nx": nx}
    block = re.search(r"(?:^    .*\n)+", SECTIONS["From networkx"], re.M)[0]
    *lines, last = [line.strip() for line in block.splitlines()]
    for line in lines:
        typed(line, names)
    code, _, printed = last.partition("#")
    assert str(typed(code.strip(), names)) == printed.strip()
    for (there, _), (dispatch, _), (here, _) in rows_of("From networkx"):
        for code in here:
            typed(code, names)
        if not there:
            before = list(nx.config.backend_priority.algos)
            for code in dispatch:
                typed(code, names)
            assert nx.config.backend_priority.algos == ["gblite"]
            nx.config.backend_priority = before
        for code in there:
            want = typed(code, names)
            got = typed(code[:-1] + ', backend="gblite")', names)
            if isinstance(want, dict):
                assert got == pytest.approx(want), code
            elif isinstance(want, nx.Graph):
                assert nx.utils.graphs_equal(nx.Graph(got), nx.Graph(want)), code
            else:
                assert list(got) == list(want), code


def test_python_graphblas(names):
    rows = rows_of("From SuiteSparse and python-graphblas")
    for (_, _), (here, _) in rows:
        for code in here:
            typed(code, names)
    theirs = pytest.importorskip("graphblas")
    own = {**names, "gb": theirs, **{name: getattr(theirs, name) for name in
                                     ("semiring", "binary", "unary", "monoid")}}
    for name, dtype in (("A", "FP64"), ("B", "FP64"), ("M", "BOOL"), ("C", "FP64")):
        i, j, x = names[name].to_coo() if names[name].nvals else ([], [], [])
        own[name] = theirs.Matrix.from_coo(i, j, x, nrows=20, ncols=20, dtype=dtype)
    for (there, _), (here, _) in rows:
        for code in there:
            typed(code, own)
