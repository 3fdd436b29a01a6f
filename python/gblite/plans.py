# SPDX-License-Identifier: Apache-2.0
"""Many products in one call; products before they are made: how large they would be, and how
they would be computed."""
from gblite import algebra
from gblite._library import DomainError, ShapeError, check, ffi, lib
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


def mxm_batch(A, B, semiring="plus_times", dtype=None, mask=None, structure=False,
              complement=False):
    """The products A[k] @ B[k] of two lists of matrices in one call, as a list: several times
    faster than one after the other where matrices have up to some hundred rows. mask: a list of
    matrices, or None for one; all products have one type. An error names the product."""
    left, right, masks = ([_plain(M) for M in many] for many in (A, B, mask or []))
    if len(left) != len(right) or (masks and len(masks) != len(left)):
        raise ShapeError(f"{len(left)} matrices A, {len(right)} B, {len(masks)} masks, but there "
                         "must be as many of each")
    types = {product_type(a.type, b.type, semiring, dtype) for a, b in zip(left, right)}
    if len(types) > 1:
        raise DomainError("products of one call must have one type; dtype= says which")
    if not left:
        return []
    ring, result = algebra.semiring(semiring, types.pop())
    made = [Matrix.new(result.dtype, a.shape[0], b.shape[1]) for a, b in zip(left, right)]
    check(lib.gbl_mxm_batch(_handles(made), _handles(masks) if masks else ffi.NULL, ffi.NULL, ring,
                            _handles(left), _handles(right), len(made),
                            descriptor("S" * structure + "C" * complement)))
    return made


def _plain(M):
    M = M if M is None else Matrix._coerce(M)
    return M.copy() if M is not None and M._transposed else M


def _handles(many):
    return ffi.new("gbl_Matrix[]", [ffi.NULL if M is None else M._handle for M in many])


def _product(A, B, semiring):
    ring, result = algebra.semiring(semiring, product_type(A.type, B.type, semiring, None))
    return ring, result, "T0" * _source(A)[0] + "T1" * _source(B)[0]
