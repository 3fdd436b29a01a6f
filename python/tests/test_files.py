# SPDX-License-Identifier: Apache-2.0
"""Products into files, and mapped matrices read part by part."""
import os
import signal
import threading
import time

import numpy as np
import pytest
import scipy.sparse
from conftest import random_sparse, same

import gblite as gb


@pytest.fixture
def path(tmp_path):
    return tmp_path / "c.gbl"


def test_products_go_into_files(path):
    A, B = gb.Matrix("rmat:9:8"), gb.Matrix(random_sparse(512, 300, 0.02))
    C = A.mxm(B, out=path)
    assert C.isequal(A @ B) and C.formats == ["rows"]
    assert gb.open(path).isequal(C) and gb.open(str(path), check=False).isequal(C)
    assert A.T.mxm(A.T, "min_plus", out=path).isequal(A.T.mxm(A.T, "min_plus"))
    inside = A.mxm(A, "plus_pair", mask=A, structure=True, out=path)
    assert inside.isequal(A.mxm(A, "plus_pair", mask=A, structure=True))
    outside = A.mxm(A, mask=A, structure=True, complement=True, out=path)
    assert outside.isequal(A.mxm(A, mask=A, structure=True, complement=True))
    assert gb.topn(A, B, 3, threshold=2, out=path).isequal(gb.topn(A, B, 3, threshold=2))


@pytest.mark.parametrize("semiring", ["plus_times", "min_plus", "plus_pair"])
@pytest.mark.parametrize("fold", ["plus", "max"])
def test_products_are_folded_and_not_stored(semiring, fold):
    A, B = gb.Matrix("rmat:9:8"), gb.Matrix(random_sparse(512, 300, 0.02))
    C, told = A.mxm(B, semiring), []
    with gb.memory_limit(300 << 10), gb.progress(lambda what, done: told.append(done)):
        rows = A.mxm(B, semiring, reduce="rows", fold=fold)
    assert rows.isequal(C.reduce_rows(fold)) and len(told) > 2
    columns = A.mxm(B, semiring, reduce="columns", fold=fold)
    assert np.allclose(columns.to_numpy(), C.reduce_columns(fold).to_numpy())
    inside = A.T.mxm(A, semiring, mask=A, structure=True, reduce="rows", fold=fold)
    assert inside.isequal(A.T.mxm(A, semiring, mask=A, structure=True).reduce_rows(fold))
    with pytest.raises(ValueError, match="rows"):
        A.mxm(B, reduce="all")
    with pytest.raises(TypeError, match="accum"):
        A.mxm(B, reduce="rows", accum="plus")


def test_results_larger_than_the_limit_are_written_in_slices(path):
    A, told = gb.Matrix("rmat:13:16"), []
    with gb.memory_limit(16 << 20), gb.progress(lambda what, done: told.append((what, done))):
        C = A.mxm(A, out=path)
    assert os.path.getsize(path) > 16 << 20
    written = [done for what, done in told if what == "write"]
    assert len(written) > 2 and written == sorted(written) and written[-1] == 1
    assert C.isequal(A @ A)


def test_an_interrupted_product_is_resumed(path):
    A, parts = gb.Matrix("rmat:13:16"), []

    def stop(what, done):
        parts.append(done)
        return what != "write" or done < 0.3

    with gb.memory_limit(16 << 20), gb.progress(stop), pytest.raises(gb.Cancelled):
        A.mxm(A, out=path)
    assert not path.exists() and path.with_suffix(".gbl.partial").exists()
    with gb.memory_limit(16 << 20):
        with pytest.raises(ValueError, match="another product"):
            A.mxm(A, "min_plus", out=path, resume=True)
        C = A.mxm(A, out=path, resume=True)
    assert C.isequal(A @ A) and os.listdir(path.parent) == [path.name]


def test_what_fails_leaves_the_old_file(path):
    A = gb.Matrix("rmat:10:8")
    kept = A.mxm(A, out=path)
    before = path.read_bytes()
    with gb.progress(lambda what, done: False), pytest.raises(gb.Cancelled):
        A.mxm(A, out=path)
    with pytest.raises(TypeError, match="accum"):
        A.mxm(A, out=path, accum="plus")
    with pytest.raises(gb.ShapeError):
        A.mxm(gb.Matrix((3, 3)), out=path)
    with pytest.raises(OSError):
        A.mxm(A, out=path / "no folder")
    assert path.read_bytes() == before and os.listdir(path.parent) == [path.name]
    assert kept.isequal(A @ A)
    path.write_bytes(before[:100])
    with pytest.raises(gb.Error):
        gb.open(path)
    with pytest.raises(OSError):
        gb.open(path.parent / "none.gbl")


@pytest.mark.parametrize("make", [lambda S, path: gb.Matrix(S),
                                  lambda S, path: gb.Matrix(S.tocsc()),
                                  lambda S, path: gb.Matrix(S).save(path) or gb.open(path)])
def test_rows_and_slices_are_arrays_of_scipy(make, path):
    S = random_sparse(200, 90, 0.1)
    A = make(S, path)
    assert same(A.rows(10, 20), S[10:20]) and same(A.rows(0, 200), S)
    assert A.rows(5, 5).shape == (0, 90) and same(A.rows(-3, 500), S[-3:])
    parts = list(A.slices(entries=100))
    assert len(parts) > 10 and all(rows.nnz <= 100 for _, rows in parts)
    assert [first for first, _ in parts] == [0, *np.cumsum([r.shape[0] for _, r in parts])[:-1]]
    assert same(scipy.sparse.vstack([rows for _, rows in parts], format="csr"), S)
    assert [rows.shape[0] for _, rows in A.slices(entries=0)] == [1] * 200
    rows = A.rows(0, 5)
    rows.data[:] = 0  # memory of its own
    assert same(A, S)


def test_one_value_many_rows_and_none():
    one = gb.Matrix("er:6:4", dtype=bool)
    assert same(one.rows(1, 9), one.tocsr()[1:9])
    A = gb.Matrix(([1.0, 2.0], ([5, 10**7 - 1], [1, 2])), (10**7, 3))
    assert A.rows(0, 10).nnz == 1 and sum(rows.nnz for _, rows in A.slices()) == 2
    assert list(gb.Matrix((0, 3)).slices()) == []


def test_ctrl_c_stops_a_product_into_a_file(path):
    A = gb.Matrix("rmat:15:16")

    def send():
        time.sleep(0.2)
        os.kill(os.getpid(), signal.SIGINT)

    with pytest.raises(KeyboardInterrupt), gb.threads(1), gb.memory_limit(64 << 20):
        threading.Thread(target=send).start()
        while True:
            A.mxm(A, out=path)
    assert all(".tmp" not in name for name in os.listdir(path.parent))


TEXT = "who,to,price\nann,bob,2\nbob,cid,3\nann,bob,4\n"


def test_edges_of_text(tmp_path):
    file = tmp_path / "edges.csv"
    file.write_text(TEXT.replace("who", "source").replace("to", "target", 1))
    A, names = gb.read_edges(file)
    assert names.tolist() == ["ann", "bob", "cid"]
    assert sorted(zip(*(x.tolist() for x in A.to_coo()))) == [(0, 1, 6), (1, 2, 3)]
    assert gb.read_edges(file, weight=3, dtype=float)[0].dtype == float
    assert gb.read_edges(file, weight=False)[0].dtype == bool
    file.write_text("10 20\n20 30\n")
    A, names = gb.read_edges(str(file), 2, 1)
    assert names.tolist() == [10, 20, 30] and A.to_coo()[0].tolist() == [1, 2]
    file.write_text("1 2\n2 3\n")
    assert gb.read_edges(file)[1].tolist() == [1, 2, 3]
    with pytest.raises(gb.DomainError, match="counted from 1"):
        gb.read_edges(file, "source", "target")
    with pytest.raises(gb.FileError):
        gb.read_edges(tmp_path / "missing.csv")


def test_edges_go_into_a_file(tmp_path, monkeypatch):
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    file, out = tmp_path / "edges.csv", tmp_path / "edges.gbl"
    for text in (TEXT, "10 20\n20 30\n10 20\n", "1 2 0.5\n2 3 1.5\n"):
        file.write_text(text)
        A, names = gb.read_edges(file)
        B, same = gb.read_edges(file, out=out)
        assert B.isequal(A) and B.dtype == A.dtype and same.tolist() == names.tolist()
        assert gb.open(out).isequal(A) and sorted(os.listdir(tmp_path)) == [file.name, out.name]
    with pytest.raises(gb.FileError):
        gb.read_edges(tmp_path / "missing.csv", out=out)
    with pytest.raises(gb.DomainError, match="text"):
        gb.read_edges(tmp_path / "a.parquet", out=out)


def test_edges_of_tables(tmp_path):
    pa = pytest.importorskip("pyarrow")
    import pyarrow.parquet
    named = pa.table({"day": [1, 2, 3], "from": ["ann", "bob", "ann"], "to": ["bob", "cid", "bob"],
                      "weight": [2.0, 3.0, 4.0]})
    pa.parquet.write_table(named, tmp_path / "a.parquet")
    A, names = gb.read_edges(tmp_path / "a.parquet")
    assert names.tolist() == ["ann", "bob", "cid"] and A[0, 1] == 6 and A[1, 2] == 3
    assert gb.read_edges(tmp_path / "a.parquet", weight="day")[0][0, 1] == 4
    assert gb.read_edges(tmp_path / "a.parquet", weight=False)[0].dtype == bool
    numbers = pa.table({"a": pa.array([7, 9]), "b": pa.array([9, 11]), "c": ["x", "y"]})
    with pa.OSFile(str(tmp_path / "b.arrow"), "wb") as out:
        with pa.ipc.new_file(out, numbers.schema) as to:
            to.write_table(numbers)
    A, names = gb.read_edges(tmp_path / "b.arrow")
    assert names.tolist() == [7, 9, 11] and A.dtype == bool and A.nvals == 2
    with pytest.raises(gb.InvalidValue, match="no column 'when'"):
        gb.read_edges(tmp_path / "a.parquet", weight="when")
    (tmp_path / "c.parquet").write_text("no table")
    with pytest.raises(gb.FileError):
        gb.read_edges(tmp_path / "c.parquet")
    holes = pa.table({"source": [1, None], "target": [2, 3]})
    pa.parquet.write_table(holes, tmp_path / "d.parquet")
    with pytest.raises(gb.InvalidValue, match="1 nulls"):
        gb.read_edges(tmp_path / "d.parquet")
