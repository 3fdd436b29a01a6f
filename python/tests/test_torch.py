# SPDX-License-Identifier: Apache-2.0
"""gblite.torch against dense products of torch, values and gradients."""
import numpy as np
import pytest
from conftest import random_sparse

import gblite as gb

torch = pytest.importorskip("torch")
gt = pytest.importorskip("gblite.torch")

LAYOUTS = ["csr", "csc", "coo"]


def tensor(layout="csr", dtype=torch.float64, shape=(30, 20), index=torch.int64, seed=1):
    S = random_sparse(*shape, 0.2, seed=seed)
    values = torch.from_numpy(S.data).to(dtype)
    p, i = torch.from_numpy(S.indptr).to(index), torch.from_numpy(S.indices).to(index)
    made = torch.sparse_csr_tensor(p, i, values, size=shape)
    if layout == "coo":
        coo = S.tocoo()
        return torch.sparse_coo_tensor(np.stack([coo.row, coo.col]), values, shape)
    return made.to_sparse_csc() if layout == "csc" else made


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("dtype", [torch.float32, torch.float64, torch.int64, torch.complex128])
def test_there_and_back(layout, dtype):
    T = tensor(layout, dtype)
    A = gt.from_torch(T)
    assert np.array_equal(A.to_numpy(), T.to_dense().numpy())
    back = gt.to_torch(A)
    assert back.layout is torch.sparse_csr and torch.equal(back.to_dense(), T.to_dense())
    assert np.array_equal(gt.from_torch(T.to_dense()).to_numpy(), A.to_numpy())


def test_values_are_read_where_they_are():
    T = tensor(index=torch.int32)
    A = gt.from_torch(T, copy=False)
    T.values()[0] = 1000  # torch does not know
    assert A.to_coo()[2][0] == 1000


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("columns", [None, 1, 7, 33])
def test_products_with_dense_tensors(layout, columns):
    T = tensor(layout)
    X = torch.rand(20) if columns is None else torch.rand(20, columns)
    X = X.to(torch.float64)
    for A in (T, gt.from_torch(T)):
        assert torch.allclose(gt.matmul(A, X), T.to_dense() @ X)


def test_products_of_sparse_tensors():
    A, B = tensor(), tensor("coo", shape=(20, 25), seed=2)
    for left in (A, gt.from_torch(A)):
        assert torch.allclose(gt.matmul(left, B).to_dense(), A.to_dense() @ B.to_dense())


def test_gradients_of_dense_products():
    T = tensor()
    X = torch.rand(20, 5, dtype=torch.float64, requires_grad=True)
    D = T.to_dense().requires_grad_()
    weights = torch.rand(30, 5, dtype=torch.float64)
    (weights * (D @ X)).sum().backward()
    wanted_X, wanted_A = X.grad.clone(), D.grad
    X.grad = None
    (weights * gt.matmul(gt.from_torch(T), X)).sum().backward()
    assert torch.allclose(X.grad, wanted_X)
    coo = T.to_dense().to_sparse().coalesce()
    value = coo.values().clone().requires_grad_()
    X.grad = None
    (weights * gt.spmm(coo.indices(), value, 30, 20, X)).sum().backward()
    assert torch.allclose(X.grad, wanted_X)
    rows, columns = coo.indices()
    assert torch.allclose(value.grad, wanted_A[rows, columns])


def test_gradients_of_a_sparse_tensor():
    T = tensor().requires_grad_()
    X = torch.rand(20, 5, dtype=torch.float64)
    gt.matmul(T, X).sum().backward()
    inside = T.detach().to_dense() != 0
    assert torch.allclose(T.grad.to_dense()[inside],
                          (torch.ones(30, 5, dtype=torch.float64) @ X.T)[inside])


def test_duplicates_in_any_order():
    index = torch.tensor([[2, 0, 2, 1, 2], [1, 3, 1, 0, 0]])
    value = torch.tensor([1.0, 2, 4, 8, 16], requires_grad=True)
    X = torch.rand(4, 3)
    found = gt.spmm(index, value, 3, 4, X)
    dense = torch.zeros(3, 4).index_put(tuple(index), value, accumulate=True)
    assert torch.allclose(found, dense @ X)
    found.sum().backward()
    assert torch.allclose(value.grad, X.sum(1)[index[1]])
    with pytest.raises(IndexError):
        gt.spmm(index, value, 2, 4, X)


def test_gradients_of_sparse_products():
    A, B = (tensor("coo", shape=shape, seed=seed).coalesce()
            for seed, shape in ((1, (30, 20)), (2, (20, 25))))
    a, b = A.values().clone().requires_grad_(), B.values().clone().requires_grad_()
    index, value = gt.spspmm(A.indices(), a, B.indices(), b, 30, 20, 25)
    D, E = A.to_dense().requires_grad_(), B.to_dense().requires_grad_()
    assert torch.allclose(torch.sparse_coo_tensor(index, value, (30, 25)).to_dense(), D @ E)
    weights = torch.rand(30, 25, dtype=torch.float64)
    (weights * (D @ E)).sum().backward()
    (weights[tuple(index)] * value).sum().backward()
    assert torch.allclose(a.grad, D.grad[tuple(A.indices())])
    assert torch.allclose(b.grad, E.grad[tuple(B.indices())])


def test_gradcheck():
    T = tensor("coo", shape=(6, 5)).coalesce()
    X = torch.rand(5, 3, dtype=torch.float64, requires_grad=True)
    value = T.values().clone().requires_grad_()
    assert torch.autograd.gradcheck(lambda v, x: gt.spmm(T.indices(), v, 6, 5, x), (value, X))


def test_what_is_refused():
    T = tensor()
    with pytest.raises(gb.ShapeError):
        gt.matmul(T, torch.rand(3, 3))
    with pytest.raises(gb.DomainError, match="float32"):
        gt.matmul(T.to_dense().to(torch.bool).to_sparse(), torch.ones(20, 2, dtype=torch.bool))
    with pytest.raises(gb.DomainError, match="spspmm"):
        gt.matmul(tensor().requires_grad_(), tensor(shape=(20, 5)))
