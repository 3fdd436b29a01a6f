# SPDX-License-Identifier: Apache-2.0
"""Whether a product of scipy's arrays is faster here, from samples of the factors: 4 us."""
import numpy as np

from gblite._library import ffi, global_setting, lib

_LEAST_FLOPS = 40_000  # 0.1 ms of scipy
_FLOPS_PER_THREAD = 50_000
_PER_THREAD = 0.6  # what each thread after the first adds to the speed
# Where rows are short and entries few, scipy is as fast, and looking takes a part of its time.
_SHORT, _FEW = 6, 100_000

# scipy's time over that of one thread, on products of er, rmat, grid, band and fem, and on R A P of
# pyamg, of 10^4 to 10^6 entries: where an entry of A meets a row of _LONG entries or more, 1.3 to
# 5.4; else, where rows of B reach over less than _LOCAL of the columns, 0.3 to 0.9; where they are
# scattered 0.73 to 1.0, but 1.0 to 2.2 if products are few or accumulators leave the cache.
_LONG = 20
_LOCAL = 0.25
_FEW_PRODUCTS = 20  # in a row
_MANY_COLUMNS = 1 << 16


def gain(A, B):
    """How many times faster than in scipy A @ B is."""
    if A.format == B.format == "csc":  # rows of transposed factors
        A, B = B, A
    p, i = B.indptr, B.indices
    entries, of_B = len(A.indices), len(i)
    if not entries or not of_B or (of_B < _SHORT * len(p) and entries + of_B < _FEW):
        return 0
    if not p.dtype == i.dtype == A.indices.dtype == np.int32:
        return 1
    at = _pointer(A.indices) if A.format == B.format else ffi.NULL
    seen = lib.gblite_python_sample(at, entries, _pointer(p), len(p) - 1, _pointer(i), of_B)
    flops, lines, columns = seen.length * entries, len(A.indptr) - 1, B.shape[B.format == "csr"]
    if flops < _LEAST_FLOPS:
        return 0
    if seen.length >= _LONG:
        one = 2
    elif seen.span < _LOCAL * columns:
        one = 0.4
    else:
        one = 1.1 if flops < _FEW_PRODUCTS * lines or columns >= _MANY_COLUMNS else 0.75
    threads = min(global_setting(lib.GBL_NTHREADS), 1 + flops // _FLOPS_PER_THREAD)
    return one * (1 + _PER_THREAD * (threads - 1))


def _pointer(array):
    return ffi.from_buffer("int32_t[]", array)
