# SPDX-License-Identifier: Apache-2.0
"""scipy's own tests of CSR and CSC with gblite's arrays in the place of its own:

    pytest python/tests/scipy_base.py               gblite's arrays, products of any size by gblite
    GBLITE_JUDGE=scipy pytest ...                   scipy's csr_array and csc_array, to compare

The tests are those of the scipy that is installed, whose module is loaded and not copied.
"""
import os

import pytest
import scipy.sparse
from scipy.sparse.tests import test_base as base

import gblite.scipy

KINDS = scipy.sparse if os.environ.get("GBLITE_JUDGE") == "scipy" else gblite
csr, csc = KINDS.csr_array, KINDS.csc_array


@pytest.fixture(autouse=True)
def products_of_any_size(monkeypatch):
    monkeypatch.setattr(gblite.scipy, "LEAST_ENTRIES", 0)
    monkeypatch.setattr(gblite.scipy._predicted, "gain", lambda A, B: 1)


for name in ("matrix", "array"):
    setattr(base, f"csr_{name}", csr)
    setattr(base, f"csc_{name}", csc)  # so that the other factor of a test is one, too


def _judged(parent, kind):
    members = {"spcreator": kind, "spmatrix": kind, "csr_container": csr, "csc_container": csc}
    made = type(parent.__name__ + "Judged", (parent,), members)
    made.init_class()
    return made


TestCSR = _judged(base.TestCSR, csr)
TestCSC = _judged(base.TestCSC, csc)
TestCSRNonCanonical = _judged(base.TestCSRNonCanonical, csr)
TestCSCNonCanonical = _judged(base.TestCSCNonCanonical, csc)
