# SPDX-License-Identifier: Apache-2.0
import pathlib
import sys
import tempfile

import numpy as np
import pytest
import scipy.sparse

# gblite may come from a build: say what an installed one says, before networkx is imported.
_FOLDER = tempfile.TemporaryDirectory()
_INFO = pathlib.Path(_FOLDER.name, "gblite-0.dist-info")
_INFO.mkdir()
(_INFO / "METADATA").write_text("Metadata-Version: 2.1\nName: gblite\nVersion: 0\n")
(_INFO / "entry_points.txt").write_text("[networkx.backends]\ngblite = gblite.networkx:Backend\n")
sys.path.append(_FOLDER.name)

DTYPES = ["bool", "int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64",
          "float32", "float64"]  # fmt: skip


def random_sparse(rows, columns, density, dtype="float64", format="csr", seed=1):
    """A random scipy array whose values are not zero."""
    random = np.random.default_rng(seed)
    made = scipy.sparse.random(rows, columns, density, random_state=random, format="coo")
    values = random.integers(1, 100, len(made.data))
    if np.dtype(dtype).kind == "f":
        values = values / 7
    coo = (values.astype(dtype), (made.row, made.col))
    return scipy.sparse.coo_array(coo, shape=(rows, columns)).asformat(format)


def same(ours, theirs):
    """Pattern and values are the same, to the bit."""
    ours = ours.to_scipy() if hasattr(ours, "to_scipy") else ours.tocsr()
    theirs = scipy.sparse.csr_array(theirs)
    theirs.sort_indices()
    return (
        ours.shape == theirs.shape and ours.dtype == theirs.dtype
        and np.array_equal(ours.indptr, theirs.indptr)
        and np.array_equal(ours.indices, theirs.indices)
        and np.array_equal(ours.data, theirs.data)
    )  # fmt: skip


@pytest.fixture
def A():
    return random_sparse(60, 60, 0.1)
