# SPDX-License-Identifier: Apache-2.0
"""Matrices and vectors: made, read, written, shown, copied, kept."""
import gc
import json
import os
import pickle

import numpy as np
import pytest
import scipy.sparse
from conftest import DTYPES, random_sparse, same

import gblite as gb


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("format", ["csr", "csc", "coo", "lil", "dia", "bsr", "dok"])
def test_scipy_there_and_back(dtype, format):
    S = random_sparse(40, 30, 0.15, dtype)
    A = gb.Matrix(S.asformat(format))
    assert A.dtype == dtype and A.shape == (40, 30)
    for back in ("csr", "csc", "coo"):
        assert same(A.to_scipy(back), S)
    assert np.array_equal(A.to_numpy(), S.toarray())


@pytest.mark.parametrize("format", ["csr", "csc"])
def test_arrays_of_scipy_are_read_in_place(format):
    S = random_sparse(500, 400, 0.1, format=format)
    gc.collect()  # of what tests before have left
    before = gb.bytes_in_use()
    A, B = gb.Matrix(S, copy=False), gb.Matrix(S, copy=False)
    assert gb.bytes_in_use() - before < 4096
    kept, largest = A.sum(), S.data.max()
    for write in (lambda: S.data.fill(0), S.eliminate_zeros, lambda: S.indices.fill(7)):
        with pytest.raises(ValueError):
            write()
    A[0, 0] = 500  # copied before it is written
    assert S.data.max() == largest and A[0, 0] == 500 and B.sum() == kept
    del A
    gc.collect()
    with pytest.raises(ValueError):  # B reads them still
        S.data[0] = 1
    del B
    gc.collect()
    S.data[0] = 1
    assert gb.bytes_in_use() == before


@pytest.mark.parametrize("format", ["csr", "csc"])
def test_what_scipy_does_later_does_not_matter(format):
    S = random_sparse(50, 40, 0.3, format=format)
    A, expected = gb.Matrix(S), S.toarray()
    S.data[::2] = 0
    S.eliminate_zeros()
    S.indices[:] = 2**31 - 1
    assert np.array_equal(A.to_numpy(), expected)


def test_results_are_given_away_without_a_copy():
    A = gb.Matrix("er:10:8")
    C = A @ A
    copied = C.to_scipy()
    C.wait()
    kept = C.to_scipy(copy=False)
    assert same(gb.Matrix(kept), copied)
    with pytest.raises(ValueError, match="read-only"):  # the matrix reads what scipy has now
        kept.data[:] = 2
    assert C.sum() == pytest.approx(copied.sum())
    del C
    kept.data[:] = 2
    assert kept.data.sum() == 2 * kept.nnz


def test_unsorted_and_duplicate_entries():
    indptr, indices, data = [0, 3, 4], [2, 0, 2, 1], [1.0, 2.0, 3.0, 4.0]
    S = scipy.sparse.csr_array((data, indices, indptr), shape=(2, 3))
    assert gb.Matrix(S).to_numpy().tolist() == [[2, 0, 4], [0, 4, 0]]
    assert S.nnz == 4  # left as it was


def test_indices_of_64_bits():
    S = random_sparse(50, 50, 0.1)
    S.indices, S.indptr = S.indices.astype(np.int64), S.indptr.astype(np.int64)
    assert same(gb.Matrix(S), random_sparse(50, 50, 0.1))


@pytest.mark.parametrize("index", [2**32 + 1, -1, 10])
def test_indices_that_are_not_inside(index):
    S = scipy.sparse.csr_array((1, 10))
    S.indptr, S.indices, S.data = np.array([0, 1]), np.array([index]), np.array([1.0])
    with pytest.raises(IndexError):
        gb.Matrix(S)


@pytest.mark.parametrize("indptr", [[0, 0, 0, 40], [0, 0], [1, 1, 1, 1], [0, 0, 0, -1]])
def test_pointers_that_lie(indptr):
    S = scipy.sparse.csr_array((3, 100))
    S.indptr = np.array(indptr)
    with pytest.raises(ValueError, match="pointers"):
        gb.Matrix(S)


def test_dimensions_beyond_32_bits():
    for n in (2**32 - 1, 2**32, 2**40):
        S = scipy.sparse.csr_array((2, n))
        assert gb.Matrix(S).shape == (2, n)
    A = gb.Matrix(([1.0, 2.0], ([0, 2**59 - 1], [5, 2**59 - 1])), (2**59, 2**59))
    assert A.nvals == 2 and A[2**59 - 1, -1] == 2 and (A @ A).nvals == 1
    assert 'x="47" y="47"' in A._repr_html_()


def test_arrays_that_are_not_aligned():
    S = random_sparse(20, 20, 0.3)
    expected = S.toarray()
    room = np.empty(8 * S.nnz + 1, np.uint8)[1:].view(np.uint8)
    moved = np.frombuffer(room, np.float64, S.nnz) if room.ctypes.data % 8 == 0 else np.ndarray(
        S.nnz, np.float64, room)
    moved[:] = S.data
    S.data = moved
    assert np.array_equal(gb.Matrix(S).to_numpy(), expected)


def test_forms_are_named():
    full = gb.Matrix.new("float64", 20, 20).assign(1.0)
    assert full.nvals == 400 and full.formats and "nothing" not in full._repr_html_()


def test_other_sources():
    dense = np.array([[0, 1.5], [2.5, 0]])
    assert np.array_equal(gb.Matrix(dense).to_numpy(), dense)
    A = gb.Matrix(([1, 2, 3], ([0, 0, 1], [1, 1, 0])))
    assert A.shape == (2, 2) and A[0, 1] == 3 and A.dtype == np.int64
    assert gb.Matrix.from_edges([0, 1, 1], [1, 2, 2]).nvals == 2
    assert gb.Matrix.from_edges([0, 1], [1, 2], [0.5, 2.0], n=9).shape == (9, 9)
    swapped = random_sparse(9, 9, 0.5)
    expected = swapped.toarray()
    swapped.data = swapped.data.astype(">f8")
    assert np.array_equal(gb.Matrix(swapped).to_numpy(), expected)


def test_constructors_of_scipy():
    empty = gb.Matrix((3, 4))
    assert empty.shape == (3, 4) and empty.nvals == 0 and empty.dtype == "float64"
    assert gb.Matrix((3, 4), dtype="int8").dtype == "int8"
    A = gb.Matrix(([1, 2, 3], [2, 0, 0], [0, 1, 3]), (2, 3))
    assert A.to_numpy().tolist() == [[0, 0, 1], [5, 0, 0]]
    assert gb.Matrix(([1], [2], [0, 1])).shape == (1, 3) and A.ndim == 2 and bool(A[:1, 2:])
    assert gb.__version__.count(".") == 2 and gb.InvalidValue.__name__ == "InvalidValue"


def test_what_numpy_asks_for():
    A = gb.Matrix(np.array([[0, 2], [3, 0]], "int8"))
    assert np.asarray(A).tolist() == [[0, 2], [3, 0]] and np.array(A, float).dtype == float
    assert np.asarray(gb.Vector([1, 2])).tolist() == [1, 2]
    assert np.from_dlpack(A).tolist() == [[0, 2], [3, 0]]
    assert A.to_numpy(np.inf).tolist() == [[np.inf, 2], [3, np.inf]]
    assert A.to_numpy(-1).dtype == "int8" and gb.Vector(([7], [1]), 2).to_numpy(-1.5)[0] == -1.5
    masked = gb.Vector(([0], [1]), 3).to_masked()
    assert masked.count() == 1 and masked[1] == 0 and A.to_masked().mask.sum() == 2


def test_binsparse(tmp_path):
    h5py = pytest.importorskip("h5py")
    S = random_sparse(6, 5, 0.4, "int32")

    def write(format, shape, arrays, structure=None, kind="int32"):
        about = {"format": format, "shape": shape, "data_types": {"values": kind},
                 "number_of_stored_values": len(arrays["indices_1"])}
        about.update({"structure": structure} if structure else {})
        with h5py.File(tmp_path / "A.h5", "w") as file:
            file.attrs["binsparse"] = json.dumps({"binsparse": about})
            for name, array in arrays.items():
                file[name] = array
        return gb.Matrix(tmp_path / "A.h5")

    csr = {"pointers_to_1": S.indptr, "indices_1": S.indices, "values": S.data}
    assert same(write("CSR", [6, 5], csr), S)
    assert same(write("CSC", [5, 6], csr), S.T.tocsr())
    assert (write("CSR", [6, 5], dict(csr, values=[4]), kind="iso[int32]")).sum() == 4 * S.nnz
    coo = {"indices_0": [1, 2, 2], "indices_1": [0, 0, 2], "values": [1, 2, 5]}
    assert write("COO", [3, 3], coo, "symmetric_lower").to_numpy().tolist() == [
        [0, 1, 2], [1, 0, 0], [2, 0, 5]]
    (tmp_path / "B.h5").write_text("nothing")
    with pytest.raises(gb.FileError, match="B.h5"):
        gb.Matrix(tmp_path / "B.h5")
    with pytest.raises(gb.InvalidValue, match="A.h5"):
        write("CSR", [6, 5], {"indices_1": [0]})


def test_files_of_integers_stay_integers(tmp_path):
    path = tmp_path / "k.mtx"
    path.write_text("%%MatrixMarket matrix coordinate integer general\n1 1 1\n1 1 94906267\n")
    K = gb.Matrix(path)
    assert K.dtype == "int64" and (K @ K)[0, 0] == 94906267**2


def test_files(tmp_path):
    A = gb.Matrix("rmat:6:4")
    for name in ("A.mtx", "A.mtx.gz", "A.gbl"):
        A.save(tmp_path / name)
        assert gb.Matrix(tmp_path / name).isequal(A)
    with pytest.raises(gb.InvalidValue, match="gbl.*not.*A.npz"):
        A.save(tmp_path / "A.npz")
    os.mkfifo(tmp_path / "pipe.gbl")
    with pytest.raises(gb.Error, match="pipe"):
        gb.Matrix(tmp_path / "pipe.gbl")
    with pytest.raises(gb.FileError, match="missing.mtx"):
        gb.Matrix.load(tmp_path / "missing.mtx")


def test_elements_and_indices(A):
    M, D = gb.Matrix(A), A.toarray()
    assert [M.get(i, j, 0) for i in range(5) for j in range(60)] == D[:5].ravel().tolist()
    assert np.array_equal(M[3, :].to_numpy(), D[3]) and np.array_equal(M[:, 4].to_numpy(), D[:, 4])
    assert np.array_equal(M.T[3, :].to_numpy(), D[:, 3])
    for rows, columns in [(slice(5), slice(None)), ([3, 1, 1, -1], [0, 2]), (slice(9, 2, -2), [5]),
                          (D[0] > 0, D[:, 1] > 0)]:
        expected = D[rows][:, columns]
        assert np.array_equal(M[rows, columns].to_numpy(), expected)
        assert np.array_equal(M.T[columns, rows].to_numpy(), expected.T)
    M[7, 7], D[7, 7] = 3.5, 3.5
    M[[1, 2], 3:5] = 1
    D[1:3, 3:5] = 1
    M[:2, :2] = gb.Matrix(np.eye(2))
    D[:2, :2] = np.eye(2)
    del M[7, 7]
    D[7, 7] = 0
    assert np.array_equal(M.to_numpy(), D)
    assert M[7, 7] is None
    assert np.array_equal(M[2].to_numpy(), D[2]) and np.array_equal(M[1:9].to_numpy(), D[1:9])
    for wrong in [(60, 0), (0, -61), ([0, 60], [0]), (0,), (0, 0, 0), "x"]:
        with pytest.raises((IndexError, TypeError)):
            M[wrong]


def test_vectors():
    v = gb.Vector(np.array([1.0, 0.0, 3.0]))
    assert v.nvals == 3 and len(v) == 3 and v[2] == 3
    w = gb.Vector(([5, 7], [0, 3]), 6)
    w[1] = 2
    w[[4, 5]] = 9
    del w[0]
    assert w.to_numpy(-1).tolist() == [-1, 2, -1, 7, 9, 9] and w[0] is None
    assert w[[3, 3, 1]].to_numpy().tolist() == [7, 7, 2]
    assert (w + w).isequal(w * 2) and (-w).sum() == -w.sum()


@pytest.mark.parametrize("make", [lambda: gb.Matrix("rmat:8:4"), lambda: gb.Vector([1.5, 2.5]),
                                  lambda: gb.Matrix.new("int8", 3, 4)])
def test_pickles_and_copies(make):
    X = make()
    for Y in (pickle.loads(pickle.dumps(X)), X.copy()):
        assert Y.isequal(X) and Y.dtype == X.dtype
        Y.clear()
        assert X.isequal(make())


def test_hostile_bytes():
    block = bytearray(gb.Matrix("rmat:6:4").serialize())
    block[len(block) // 2] ^= 1
    with pytest.raises(gb.Error):
        gb.Matrix.deserialize(bytes(block))


def test_pictures(A):
    html = gb.Matrix(A)._repr_html_()
    assert html.count("<rect") > 100 and "60 x 60" in html and 'aria-label="' in html
    assert "0 entries" in repr(gb.Matrix.new("bool", 2, 2))
    assert gb.Matrix.new("bool", 0, 0)._repr_html_()
    matplotlib = pytest.importorskip("matplotlib")
    matplotlib.use("Agg")
    assert "entries" in gb.Matrix(A).spy().get_title()


@pytest.mark.parametrize("call, error", [
    (lambda: gb.Matrix(np.eye(3)) @ gb.Matrix(np.eye(4)), ValueError),
    (lambda: gb.Matrix(np.eye(3, dtype=np.longdouble)), TypeError),
    (lambda: gb.Matrix(np.eye(3)).mxm(np.eye(3), semiring="plus_nothing"), ValueError),
    (lambda: gb.Matrix(np.eye(3)).mxm(np.eye(3), method="nothing"), ValueError),
    (lambda: gb.Matrix(np.eye(3)).mxm(np.eye(3), musk=1), TypeError),
    (lambda: gb.Matrix(np.zeros(3)), ValueError),
    (lambda: gb.Matrix(([1], ([0, 1], [0]))), ValueError),
    (lambda: gb.Matrix(([1], ([5], [0])), (2, 2)), IndexError),
    (lambda: gb.Matrix(([1], ([0.5], [0])), (2, 2)), IndexError),
    (lambda: gb.Matrix(np.eye(3), (5, 5)), ValueError),
    (lambda: gb.Matrix(np.eye(3))[np.array([2**64 - 1], np.uint64), :], IndexError),
    (lambda: gb.Matrix(np.eye(3)) + 1, TypeError),
    (lambda: 1 - gb.Matrix(np.eye(3)), TypeError),
    (lambda: gb.Matrix(np.eye(3)) ** 0, ValueError),
    (lambda: gb.Matrix(5, 5), ValueError),
    (lambda: gb.Matrix((5, -5)), ValueError),
    (lambda: gb.Matrix((2**70, 5)), ValueError),
    (lambda: gb.Matrix((1, 2, 3, 4)), TypeError),
    (lambda: gb.Matrix.new("int8", 2.5, 3), TypeError),
    (lambda: gb.Vector.new("int8", -1), ValueError),
    (lambda: bool(gb.Matrix(np.eye(3))), ValueError),
    (lambda: gb.Matrix(np.eye(3)) == gb.Matrix(np.eye(4)), ValueError),
    (lambda: gb.Matrix((0, 3)).max(), ValueError),
])  # fmt: skip
def test_errors_are_exceptions_with_a_text(call, error):
    with pytest.raises(error, match=".{20}"):
        call()


@pytest.mark.parametrize("make", [list, np.array, "pandas", "polars"])
def test_edges_with_labels(make):
    sources, targets = ["ann", "bob", "cat", "ann"], ["bob", "dan", "ann", "bob"]
    if isinstance(make, str):
        columns = {"s": sources, "t": targets, "w": [1.5, 2, 3, 4]}
        frame = pytest.importorskip(make).DataFrame(columns)
        sources, targets, weights = frame["s"], frame["t"], frame["w"]
    else:
        sources, targets, weights = make(sources), make(targets), [1.5, 2, 3, 4]
    A, names = gb.Matrix.from_edges(sources, targets, weights, labels=True)
    assert list(names) == ["ann", "bob", "dan", "cat"] and A.shape == (4, 4)
    assert A[0, 1] == 5.5 and A[1, 2] == 2 and A[3, 0] == 3
    A, names = gb.Matrix.from_edges([30, 10], [10, 20], labels=True)
    assert list(names) == [10, 20, 30] and A[2, 0] and A[0, 1] and A.nvals == 2
    A, names = gb.Matrix.from_edges([], [], labels=True)
    assert A.shape == (0, 0) and len(names) == 0
    with pytest.raises(gb.ShapeError):
        gb.Matrix.from_edges(["a"], ["b", "c"], labels=True)


def test_array_interface_and_dlpack(A):
    M = gb.Matrix(A)
    assert np.array_equal(np.from_dlpack(M), A.toarray())
    dense = A.toarray()

    class Lent:
        __array_interface__ = dense.__array_interface__

    assert gb.Matrix(Lent()).isequal(M)


def test_messages_say_what_to_give():
    for make, words in ((lambda: gb.Vector(3), r"cannot be made of 3: give an array"),
                        (lambda: gb.Vector(np.ones((2, 2))), "an array of 2 dimensions"),
                        (lambda: gb.Vector(([1.0], [-2]), 4), "tuple 0 has index -2"),
                        (lambda: gb.Matrix(([1.0, 2.0], ([0, -3], [0, 1])), (2, 2)),
                         "tuple 1 has index -3")):
        with pytest.raises((gb.ShapeError, gb.InvalidIndex), match=words):
            make()
    with pytest.raises(AttributeError, match="perhaps you mean shortest_paths"):
        gb.sssp
    with pytest.raises(AttributeError, match="perhaps you mean pagerank"):
        gb.page_rank
    assert {"csr_array", "Matrix"} <= set(dir(gb)) and "importlib" not in dir(gb)


def test_stacks_of_scipy_take_matrices():
    S = random_sparse(4, 5, 0.5)
    M = gb.Matrix(S)
    assert same(scipy.sparse.hstack([M, M]), scipy.sparse.hstack([S, S]))
    assert same(scipy.sparse.vstack([M, S]), scipy.sparse.vstack([S, S]))
    assert same(scipy.sparse.bmat([[M, None], [None, M.T]]),
                scipy.sparse.bmat([[S, None], [None, S.T]]))


def test_scipy_does_not_make_large_matrices_dense():
    M = gb.Matrix(([1.0], ([5], [7])), (10**6, 10**6))
    for make in (lambda: scipy.sparse.hstack([M, M]), lambda: scipy.sparse.coo_array(M),
                 lambda: scipy.sparse.vstack([M.tocsr(), M])):
        with pytest.raises((TypeError, ValueError)) as caught:
            make()
        causes = [caught.value, caught.value.__cause__]
        assert any("tocsr()" in str(why) for why in causes)
    assert scipy.sparse.hstack([M.tocsr(), M.tocsr()]).shape == (10**6, 2 * 10**6)


def test_what_scipy_users_type():
    S = random_sparse(6, 8, 0.5)
    M, rows, columns = gb.Matrix(S), [4, 0, 4], [7, 2]
    assert np.array_equal(M[np.ix_(rows, columns)].to_numpy(), S.toarray()[np.ix_(rows, columns)])
    assert np.array_equal(M.T[np.ix_(columns, [1])].to_numpy(), S.toarray().T[np.ix_(columns, [1])])
    M[np.ix_([1, 2], [3])] = 7
    assert M[1, 3] == M[2, 3] == 7
    for copy in (False, True):
        for X in (M, M.T):
            made = [X.tocsr(copy=copy), X.tocsc(copy=copy), X.tocoo(copy=copy)]
            made[0].data[:] = 0
            assert [Y.format for Y in made] == ["csr", "csc", "coo"] and X.count_nonzero() > 0
    for name in ("data", "indices", "indptr", "argmax", "size"):
        with pytest.raises(AttributeError, match="gblite.csr_array has"):
            getattr(M, name)
