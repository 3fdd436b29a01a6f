# SPDX-License-Identifier: Apache-2.0
"""The types of *.pyi are those of the package: the same names with the same parameters."""
import ast
import inspect
import pathlib

import pytest

import gblite as gb
import gblite.scipy

FOLDER = pathlib.Path(gb.__file__).parent
STUBS = {"__init__": gb, "scipy": gblite.scipy}


def nodes(tree):
    return [node for node in tree.body if isinstance(node, (ast.FunctionDef, ast.ClassDef))]


def stub(name):
    return ast.parse((FOLDER / f"{name}.pyi").read_text(encoding="utf-8"))


def parameters(node):
    """Names in their order, with ** last; those that **to stands for left out."""
    names = [a.arg for a in node.args.posonlyargs + node.args.args]
    return names + ([f"**{node.args.kwarg.arg}"] if node.args.kwarg else [])


def actual(function):
    shown = inspect.signature(function).parameters.values()
    return [f"**{p.name}" if p.kind is p.VAR_KEYWORD else p.name for p in shown
            if p.kind in (p.POSITIONAL_OR_KEYWORD, p.POSITIONAL_ONLY, p.VAR_KEYWORD)]


def compare(node, found):
    if isinstance(found, (property, classmethod)) or not callable(found):
        return
    if node.name.startswith("__") or any("overload" in ast.unparse(d)
                                         for d in node.decorator_list):
        return
    assert parameters(node) == actual(found), node.name


def class_behind(name, module):
    return {"_Operations": gb.Matrix, "_MatrixOperations": gb.Matrix, "_Collection": gb.Matrix,
            "_Transposed": type(gb.Matrix((1, 1)).T)}.get(name) or getattr(module, name, None)


@pytest.mark.parametrize("name", STUBS)
def test_stubs_have_the_parameters_of_the_package(name):
    module, seen = STUBS[name], 0
    for node in nodes(stub(name)):
        if isinstance(node, ast.FunctionDef):
            compare(node, inspect.unwrap(getattr(module, node.name)))
            continue
        behind = class_behind(node.name, module)
        for method in nodes(node) if behind is not None else []:
            seen += 1
            compare(method, inspect.getattr_static(behind, method.name, None)
                    or getattr(behind, method.name))
    assert seen > 2


def test_stubs_of_torch_are_those_of_its_source():
    source = ast.parse((FOLDER / "torch.py").read_text(encoding="utf-8"))
    behind, shown = ({node.name: parameters(node) for node in nodes(tree)
                      if isinstance(node, ast.FunctionDef) and not node.name.startswith("_")}
                     for tree in (source, stub("torch")))
    assert shown == behind and "matmul" in shown


def test_nothing_public_is_without_types():
    tree = stub("__init__")
    classes = {n.name: n for n in nodes(tree) if isinstance(n, ast.ClassDef)}

    def names(cls):
        node = classes[cls]
        found = {n.name for n in nodes(node)}
        found |= {n.target.id for n in node.body if isinstance(n, ast.AnnAssign)}
        for base in node.bases:
            found |= names(base.id) if getattr(base, "id", None) in classes else set()
        return found

    for cls in ("Matrix", "Vector"):
        public = {n for n in dir(getattr(gb, cls)) if not n.startswith("_")}
        assert public - names(cls) - {"type"} == set()
    here = {n.name for n in nodes(tree)} | {
        n.target.id for n in tree.body if isinstance(n, ast.AnnAssign)}
    assert set(gb.__all__) - here == set()
