# SPDX-License-Identifier: Apache-2.0
"""Sparse products of torch on the CPU by gblite, with gradients; torch itself wants MKL for them.

    Y = gblite.torch.matmul(A, X)       # A: a sparse tensor, X: a tensor, or a sparse one

    A = gblite.torch.from_torch(A)      # a gblite.Matrix, for all operations; to_torch() comes back

spmm and spspmm have the arguments of torch_sparse's, so that programs for PyTorch Geometric need
only another import. Gradients are those of values and of dense factors. Tensors of values and dense
factors are read where they are; indices of 64 bits are copied to 32.
"""
import numpy as np
import torch

from gblite import _arrays
from gblite._library import DomainError, InvalidIndex, ShapeError
from gblite.matrix import Matrix


def from_torch(tensor, copy=True):
    """The gblite.Matrix of a sparse tensor (CSR, CSC, COO) or a dense one of two dimensions.
    copy=False reads its values, and indices of 32 bits, where they are: do not write to them while
    the matrix exists."""
    tensor = _on_cpu(tensor).detach()
    if tensor.layout is torch.sparse_csr:
        parts = tensor.values(), tensor.col_indices(), tensor.crow_indices()
        return Matrix(tuple(part.numpy() for part in parts), tuple(tensor.shape), copy=copy)
    if tensor.layout is torch.sparse_csc:
        parts = tensor.values(), tensor.row_indices(), tensor.ccol_indices()
        shape = tuple(tensor.shape[::-1])
        return Matrix(tuple(part.numpy() for part in parts), shape, copy=copy).T.copy()
    if tensor.layout is torch.sparse_coo:
        tensor = tensor.coalesce()
        return Matrix((tensor.values().numpy(), tensor.indices().numpy()), tuple(tensor.shape))
    return Matrix(tensor.numpy())


def to_torch(A):
    """A matrix as a CSR tensor, in memory of its own."""
    A = A if isinstance(A, Matrix) else Matrix(A)
    p, i, x = A._copied("csr")
    index = np.int32 if i.itemsize == p.itemsize else np.int64
    p, i = (part.astype(index, copy=False) for part in (p, i))
    return torch.sparse_csr_tensor(*map(torch.from_numpy, (p, i, x)), size=A.shape)


def matmul(A, B):
    """A @ B for a sparse tensor A (CSR, CSC, COO) or a gblite.Matrix. B is a dense tensor of one or
    two dimensions, and the result too; or it is sparse, and the result a CSR tensor. Gradients go
    to A, as tensors of its pattern, and to a dense B."""
    if isinstance(B, Matrix) or B.layout is not torch.strided:
        left, right = (M if isinstance(M, Matrix) else from_torch(M, None) for M in (A, B))
        if any(getattr(M, "requires_grad", False) for M in (A, B)):
            raise DomainError("a product of two sparse tensors has no gradient here: use spspmm(), "
                              "which takes indices and values")
        return to_torch(left @ right)
    _on_cpu(B)
    if isinstance(A, Matrix):
        pattern, values = A._view("csr"), None
        if pattern is None:
            raise ShapeError(f"{A!r} has too many rows without entries for that")
        values = torch.from_numpy(pattern.data.copy())
    else:
        pattern, values = _of_tensor(A)
    if B.dim() == 1:
        return _dense(pattern, values, B[:, None])[:, 0]
    return _dense(pattern, values, B)


def spmm(index, value, m, n, matrix):
    """torch_sparse.spmm: the product of the m x n matrix with `value` at index (2 x entries: rows,
    columns) and a dense one. Duplicates are summed."""
    pattern, values = _pattern(index, value, (m, n))
    matrix = _on_cpu(matrix)
    return _dense(pattern, values, matrix if matrix.dim() > 1 else matrix[:, None])


def spspmm(indexA, valueA, indexB, valueB, m, k, n):
    """torch_sparse.spspmm: (index, value) of the product of an m x k and a k x n matrix."""
    A, a = _pattern(indexA, valueA, (m, k))
    B, b = _pattern(indexB, valueB, (k, n))
    index, value = _Sparse.apply(a, b, A, B)
    return index, value


# -- patterns -------------------------------------------------------------------------------------


def _on_cpu(tensor):
    if tensor.device.type != "cpu":
        raise DomainError(f"the tensor is on {tensor.device}: use tensor.cpu()")
    return tensor


def _pattern(index, value, shape):
    """(Rows without values, values in their order) of a list of entries."""
    rows, columns = _on_cpu(index).numpy()
    _on_cpu(value)
    for name, at, size in (("row", rows, shape[0]), ("column", columns, shape[1])):
        if len(at) and not 0 <= at.min() <= at.max() < size:
            raise InvalidIndex(f"{name}s are {at.min()} to {at.max()}, but must be 0 to {size - 1}")
    if max(*shape, len(rows)) >= 2**31:
        raise ShapeError(f"a matrix of {shape} with {len(rows)} entries needs indices of 64 bits")
    key = rows * shape[1] + columns
    if not (key[1:] > key[:-1]).all():
        key, place = np.unique(key, return_inverse=True)
        value = value.new_zeros(len(key)).index_add(0, torch.from_numpy(place.ravel()), value)
        rows, columns = np.divmod(key, shape[1])
    p = np.zeros(shape[0] + 1, np.int32)
    np.cumsum(np.bincount(rows, minlength=shape[0]), out=p[1:])
    return _arrays.Rows(shape, p, columns.astype(np.int32), None, "csr"), value


def _of_tensor(A):
    """The same of a sparse tensor."""
    _on_cpu(A)
    if A.layout is torch.sparse_coo:
        A = A.coalesce()
        return _pattern(A.indices(), A.values(), tuple(A.shape))
    if A.layout is torch.sparse_csc:
        A = A.to_sparse_csr()
    if A.layout is not torch.sparse_csr:
        raise DomainError(f"{A.layout} is not sparse: use torch.matmul")
    p, i = (part.detach().numpy().astype(np.int32, copy=False)
            for part in (A.crow_indices(), A.col_indices()))
    return _arrays.Rows(tuple(A.shape), p, i, None, "csr"), _Values.apply(A)


class _Values(torch.autograd.Function):
    """The values of a CSR tensor, whose gradient is a tensor of its pattern."""

    @staticmethod
    def forward(ctx, A):
        ctx.pattern = A.crow_indices(), A.col_indices(), A.shape
        return A.values().detach().clone()

    @staticmethod
    def backward(ctx, gradient):
        p, i, shape = ctx.pattern
        return torch.sparse_csr_tensor(p, i, gradient, size=shape)


# -- products with gradients ----------------------------------------------------------------------


def _dense(pattern, values, X):
    if X.dim() != 2 or X.shape[0] != pattern.shape[1]:
        raise ShapeError(f"a matrix of {pattern.shape} times a tensor of {tuple(X.shape)}")
    of = torch.promote_types(values.dtype, X.dtype)
    if not _arrays.has_kernels(np.dtype(str(of).partition(".")[2])):
        raise DomainError(f"gblite has no products of {of}; convert with to(torch.float32)")
    return _Dense.apply(values.to(of), X.to(of), pattern)


def _array(tensor):
    return tensor.detach().contiguous().numpy()


class _Dense(torch.autograd.Function):
    """pattern with these values, times X."""

    @staticmethod
    def forward(ctx, values, X, pattern):
        ctx.save_for_backward(values, X)
        ctx.pattern = pattern
        A = pattern._replace(data=_array(values))
        return torch.from_numpy(_arrays.product(A, _array(X), A.data.dtype))

    @staticmethod
    def backward(ctx, gradient):
        values, X = ctx.saved_tensors
        G, pattern = _array(gradient), ctx.pattern
        of_values = of_X = None
        if ctx.needs_input_grad[0]:
            of_values = torch.from_numpy(_arrays.sampled(pattern, G, _array(X)))
        if ctx.needs_input_grad[1]:
            turned = _arrays.Rows(pattern.shape[::-1], pattern.indptr, pattern.indices,
                                  _array(values), "csc")
            of_X = torch.from_numpy(_arrays.product(turned, G, G.dtype))
        return of_values, of_X, None


def _matrix(pattern, values):
    return Matrix((values, pattern.indices, pattern.indptr), pattern.shape)


def _at(pattern, product):
    """The values of a product inside the pattern, 0 where it has no entry."""
    zeros = _matrix(pattern, np.zeros(len(pattern.indices), product.dtype))
    return torch.from_numpy(zeros.ewise_add(product)._copied("csr")[2])


class _Sparse(torch.autograd.Function):
    """(index, values) of the product of two patterns with values."""

    @staticmethod
    def forward(ctx, a, b, A, B):
        of = torch.promote_types(a.dtype, b.dtype)
        left, right = _matrix(A, _array(a.to(of))), _matrix(B, _array(b.to(of)))
        product = left @ right
        rows, columns, values = product.to_coo()
        ctx.factors, ctx.product = (A, B, left, right), (rows, columns)
        index = torch.from_numpy(np.stack([rows, columns]))
        ctx.mark_non_differentiable(index)
        return index, torch.from_numpy(values)

    @staticmethod
    def backward(ctx, _, gradient):
        A, B, left, right = ctx.factors
        G = Matrix((_array(gradient), ctx.product), (A.shape[0], B.shape[1]))
        inside = {"structure": True}
        return (_at(A, G.mxm(right.T, mask=left, **inside)),
                _at(B, left.T.mxm(G, mask=right, **inside)), None, None)
