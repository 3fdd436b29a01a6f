# SPDX-License-Identifier: Apache-2.0
"""Semirings of the user: compiled, made of functions, or refused by a clear error."""
import math
import os
import shutil
import stat

import numpy as np
import pytest
from conftest import random_sparse

import gblite as gb

needs_compiler = pytest.mark.skipif(shutil.which(os.environ.get("CC", "cc").split()[0]) is None,
                                    reason="no C compiler")


@pytest.fixture(scope="module")
def cache(tmp_path_factory):
    folder = tmp_path_factory.mktemp("kernels")
    folder.chmod(0o700)
    return folder


@pytest.fixture(scope="module")
def reliable(cache):
    return gb.Semiring.compile("float64", add="max(x, y)", multiply="a * b", identity=0.0,
                               terminal="x >= 1e9", cache=cache, name="reliable")


def same(ours, theirs):
    """The same entries, to the bit."""
    return all(np.array_equal(a, b) for a, b in zip(ours.to_coo(), theirs.to_coo()))


@needs_compiler
@pytest.mark.parametrize("dtype, name, add, multiply, identity", [
    ("float64", "plus_times", "x + y", "a * b", 0),
    ("int32", "min_plus", "min(x, y)", "a + b", 2**31 - 1),
    ("uint8", "max_min", "max(x, y)", "a < b ? a : b", 0),
    ("float32", "max_min", "x > y ? x : y", "fminf(a, b)", -math.inf),
    ("complex128", "plus_times", "x + y", "a * b", 0),
    ("bool", "lor_land", "x || y", "a && b", False),
])  # fmt: skip
def test_compiled_is_the_predefined_one(cache, dtype, name, add, multiply, identity):
    ring = gb.Semiring.compile(dtype, add, multiply, identity, cache=cache, name=f"own_{name}")
    A = gb.Matrix(random_sparse(80, 80, 0.1, "float64")).apply("floor").astype(dtype)
    u = gb.Vector(np.arange(80) % 5).astype(dtype)
    assert ring.dtype == dtype and repr(ring) == f"<gblite.Semiring own_{name}, {dtype}, compiled>"
    for to in ({}, {"mask": A, "structure": True}):
        assert same(A.mxm(A, ring, **to), A.mxm(A, name, **to))
    assert same(A.mxv(u, ring), A.mxv(u, name))
    assert same(u.vxm(A.T, ring), u.vxm(A.T, name))


@needs_compiler
def test_factors_in_their_order(cache):
    ring = gb.Semiring.compile("int64", "x > y ? x : y", "2 * a - b", -2**63, cache=cache)
    A = gb.Matrix(([5, 7], ([0, 1], [1, 0])), (2, 2))
    assert A.mxm(A, ring).to_numpy().tolist() == [[3, 0], [0, 9]]
    assert A.mxv(gb.Vector([1, 2]), ring).to_numpy().tolist() == [8, 13]
    assert gb.Vector([1, 2]).vxm(A, ring).to_numpy().tolist() == [-3, -3]


@needs_compiler
def test_factors_are_cast_and_explained(reliable):
    A = gb.Matrix(random_sparse(40, 40, 0.2, "int32"))
    C = A.mxm(A, reliable)
    X = A.astype("float64")
    assert C.dtype == "float64" and same(C, X.mxm(X, "max_times"))
    with pytest.raises(gb.DomainError, match="leave dtype out"):
        A.mxm(A, reliable, dtype="float32")
    assert gb.topn(A, A, 1, semiring=reliable).nvals == 40
    assert "reliable" in gb.plan(A, A, reliable)
    assert "compiled semiring: reliable" in C.explain()


@needs_compiler
def test_cached_kernels_need_no_compiler(cache, reliable, monkeypatch):
    again = ("float64", "max(x, y)", "a * b", 0.0, "x >= 1e9")
    monkeypatch.setenv("PATH", "")
    monkeypatch.delenv("CC", raising=False)
    ring = gb.Semiring.compile(*again, cache=cache, name="reliable")
    A = gb.Matrix(np.eye(3) / 2)
    assert A.mxm(A, ring)[0, 0] == 0.25
    assert sorted(stat.S_IMODE(path.stat().st_mode) & 0o022 for path in cache.iterdir())[-1] == 0


def test_without_a_compiler(tmp_path):
    what = ("float64", "max(x, y)", "a * b", 0.0)
    folder = tmp_path / "made"
    with pytest.raises(gb.Error, match="no C compiler 'no-such-cc'.*otherwise="):
        gb.Semiring.compile(*what, cache=folder, compiler="no-such-cc")
    with pytest.warns(RuntimeWarning, match="called through pointers: there is no C compiler"):
        ring = gb.Semiring.compile(*what, cache=folder, compiler="no-such-cc", name="mine",
                                   otherwise=("max", "times"))
    A = gb.Matrix(random_sparse(40, 40, 0.2))
    C = A.mxm(A, ring)
    assert same(C, A.mxm(A, "max_times"))
    assert "through pointers: mine, no compiler 'no-such-cc'" in C.explain()


@needs_compiler
def test_what_does_not_compile(cache):
    for add in ("x +", "x # y", "nobody(x, y)", "", None):
        with pytest.raises(gb.Error):
            gb.Semiring.compile("float64", add, "a * b", 0, cache=cache)
    with pytest.raises(gb.Error, match="(?s)semiring of add .*, multiply .*error"):
        gb.Semiring.compile("float64", "x +", "a * b", 0, cache=cache)
    with pytest.raises(TypeError, match="Semiring.compile"):
        gb.Semiring("min_plus")
    with pytest.raises(gb.InvalidValue, match="identifier"):
        gb.Semiring.compile("float64", "x + y", "a * b", 0, cache=cache, name="a-b")
    with pytest.raises(gb.DomainError):
        gb.Semiring.compile("int8", "x + y", "a * b", 0.5, cache=cache)
    assert not [path for path in cache.iterdir() if path.name.startswith("tmp")]


def test_folders_of_others(tmp_path):
    tmp_path.chmod(0o777)
    with pytest.raises(gb.InvalidValue, match="others may write"):
        gb.Semiring.compile("float64", "x + y", "a * b", 0, cache=tmp_path)


def test_functions_by_name():
    ring = gb.Semiring.functions("int64", "min", "plus", 2**63 - 1, terminal=-2**63)
    A = gb.Matrix(random_sparse(60, 60, 0.1, "int64"))
    assert same(A.mxm(A, ring), A.mxm(A, "min_plus"))
    with pytest.raises(gb.InvalidValue, match="gives bool"):
        gb.Semiring.functions("int64", "min", "<", 0)
    with pytest.raises(gb.InvalidValue, match="no function"):
        gb.Semiring.functions("int64", 0.5, "plus", 0)


def test_functions_of_numba():
    numba = pytest.importorskip("numba")

    def larger(x, y):
        return x if x > y else y

    value = numba.types.CPointer(numba.types.float64)

    @numba.cfunc(numba.types.void(value, value, value))
    def times(z, x, y):
        z[0] = x[0] * y[0]

    A = gb.Matrix(random_sparse(60, 60, 0.1))
    u = gb.Vector(np.arange(60.0))
    for add, multiply in ((larger, times), (numba.njit(larger), lambda a, b: a * b),
                          ("max", times.address)):
        ring = gb.Semiring.functions("float64", add, multiply, -math.inf)
        assert same(A.mxm(A, ring), A.mxm(A, "max_times"))
        assert same(A.mxv(u, ring), A.mxv(u, "max_times"))


def test_functions_want_numba(monkeypatch):
    monkeypatch.setitem(__import__("sys").modules, "numba", None)
    with pytest.raises(gb.InvalidValue, match="needs numba"):
        gb.Semiring.functions("float64", lambda x, y: x, "times", 0)
