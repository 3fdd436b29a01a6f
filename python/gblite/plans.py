# SPDX-License-Identifier: Apache-2.0
"""Products before they are made: how large they would be, and how they would be computed."""
from gblite import algebra
from gblite._library import check, ffi, lib
from gblite._object import _source, descriptor, explanation, product_type
from gblite.matrix import Matrix


def estimate(A, B, semiring="plus_times"):
    """What A @ B would be, without multiplying: a dict of flops, expected entries and their error,
    compression ratio, bytes of the result and of workspace."""
    A, B = Matrix._coerce(A), Matrix._coerce(B)
    facts = ffi.new("gbl_MxmEstimate *")
    facts.size = ffi.sizeof("gbl_MxmEstimate")
    ring, _, key = _product(A, B, semiring)
    check(lib.gbl_mxm_estimate(facts, ring, _source(A)[1]._handle, _source(B)[1]._handle,
                               descriptor(key)))
    return {name: getattr(facts, name) for name, _ in ffi.typeof("gbl_MxmEstimate").fields
            if name != "size"}


def plan(A, B, semiring="plus_times", mask=None):
    """How A @ B would be computed, and why, as text."""
    A, B = Matrix._coerce(A), Matrix._coerce(B)
    how = ffi.new("gbl_Explanation *")
    how.size = ffi.sizeof("gbl_Explanation")
    ring, result, key = _product(A, B, semiring)
    C = Matrix.new(result.dtype, A.shape[0], B.shape[1])
    check(lib.gbl_mxm_plan(how, C._handle, ffi.NULL if mask is None else mask._handle, ffi.NULL,
                           ring, _source(A)[1]._handle, _source(B)[1]._handle, descriptor(key)))
    return explanation(how, lib.gbl_Explanation_text)


def _product(A, B, semiring):
    ring, result = algebra.semiring(semiring, product_type(A.type, B.type, semiring, None))
    return ring, result, "T0" * _source(A)[0] + "T1" * _source(B)[0]
