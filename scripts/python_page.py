#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
#
# python_page.py [-]: writes docs/python_reference.md, or stdout with -: every public function, class
# and method of the Python package with its signature and text, from its sources, the type that it
# returns, from its stubs, and an example from python/examples.txt. Needs nothing but Python;
# python/tests/test_reference.py checks that the page is up to date, and the pages' doctests run its
# examples.
#
# python/examples.txt: a line "@ NAME" and the lines of a doctest; examples share their variables.
import ast
import os
import re
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
HEAD = """<!-- SPDX-License-Identifier: Apache-2.0 -->
# Python reference

Made by `scripts/python_page.py` from the package's texts and `python/examples.txt`; do not edit. An introduction: [Python](python.md).
Examples go on from each other. Behind `->` are the types that a call returns. `**to` stands for the arguments that all operations take: `out`,
the object that is written; `mask`, with `structure=True` for its pattern and `complement=True` for the positions elsewhere; `accum`, an operator
that combines old and new entries; `replace=True`, which deletes entries outside the mask; `method` of products. Names of operators and semirings:
[list](semirings.md).
Errors are exceptions of the [last section](#errors).
"""
# Heading, and where it comes from: a module's names, or a class with those that it inherits from.
SECTIONS = [
    ("Matrix", "matrix.Matrix", ["matrix._MatrixOperations", "_indexed.Indexed",
                                 "_object.Operations", "_arithmetic.Arithmetic", "_object.Collection",
                                 "_summary.Summaries", "_by_rows.Viewed"]),
    ("Vector", "vector.Vector", ["_object.Operations", "_arithmetic.Arithmetic",
                                 "_object.Collection"]),
    ("Graph algorithms", "algorithms", ["triangles", "bfs", "pagerank", "connected_components",
                                        "shortest_paths", "betweenness", "clustering_coefficient",
                                        "k_truss", "markov_clustering", "strong_components",
                                        "closeness", "core_numbers", "louvain", "label_propagation"]),
    ("Top-n products", "filtered", ["topn"]),
    ("Similar rows", "similarity", ["similar"]),
    ("Files", "files", ["open", "read_edges"]),
    ("torch", "torch", ["from_torch", "to_torch", "matmul", "spmm", "spspmm"]),
    ("Planning", "plans", ["estimate", "plan"]),
    ("Many small products", "plans", ["mxm_batch"]),
    ("Predefined semirings", "algebra", ["semirings"]),
    ("Your own semirings", "semiring.Semiring", []),
    ("scipy", "scipy", ["matmul", "accelerate", "csr_array", "csc_array"]),
    ("Settings", "settings", ["threads", "memory_limit", "bytes_in_use", "trim", "progress"]),
    ("Errors", "_library", ["Error", "ShapeError", "InvalidValue", "InvalidIndex", "DomainError",
                            "NotSparse", "OutOfMemory", "Cancelled", "FileError"]),
]


# Types of the stubs as the page names them.
TYPES = [(r"\b_Array\b", "array"), (r"\b_Transposed\b", "Matrix"),
         (r"np\.dtype\[Any\]", "numpy.dtype"), (r"np\.ma\.MaskedArray\[.*\]", "masked array"),
         (r"AbstractContextManager\[None\]", "context manager")]


def nodes_of(name):
    with open(os.path.join(ROOT, "python/gblite", name), encoding="utf-8") as file:
        return [node for node in ast.parse(file.read()).body
                if isinstance(node, (ast.FunctionDef, ast.ClassDef))]


def module(name):
    return {node.name: node for node in nodes_of(name + ".py")}


def returned(nodes, name):
    """The types that forms of a function or method return in a stub, by the name as on the page."""
    *owner, name = name.split(".")
    if owner:
        of = next((node for node in nodes if node.name == owner[0]), None)
        bases = [base.id for base in of.bases if isinstance(base, ast.Name)] if of else []
        found = returned(of.body if of else [], name)
        return found or next(filter(None, (returned(nodes, f"{b}.{name}") for b in bases)), [])
    return [ast.unparse(node.returns) for node in nodes
            if isinstance(node, ast.FunctionDef) and node.name == name and node.returns]


def arrow(stub, name):
    """" -> TYPE", or nothing where there is none to tell."""
    types = []
    for text in returned(nodes_of(stub + ".pyi"), name):
        text = re.sub(r"\bSelf\b", name.split(".")[0], text)
        for pattern, word in TYPES:
            text = re.sub(pattern, word, text)
        types += text.split(" | ")
    types = list(dict.fromkeys(types))
    return " -> " + " or ".join(types) if types and not {"Any", "None"} >= set(types) else ""


def examples():
    found, name = {}, None
    with open(os.path.join(ROOT, "python/examples.txt"), encoding="utf-8") as file:
        for line in file:
            if line.startswith("@ "):
                name = line[2:].strip()
                found[name] = ""
            elif name and line.strip():
                found[name] += line
    return found


def text_of(node):
    """The docstring as Markdown: lines that are indented or doctests are code."""
    out = []
    for part in (ast.get_docstring(node) or "").split("\n\n"):
        code = ">>>" in part or any(line.startswith(" ") or "   " in line
                                    for line in part.split("\n"))
        out.append("```text\n" + part + "\n```" if code else
                   part.replace("*", "\\*").replace("<", "\\<"))
    return "\n\n".join(out)


def is_property(node):
    return any(ast.unparse(d) == "property" for d in node.decorator_list)


def signature(name, node):
    """NAME(arguments) without self, or the name of a property."""
    if isinstance(node, ast.ClassDef):
        init = [m for m in node.body if isinstance(m, ast.FunctionDef) and m.name == "__init__"]
        return signature(name, init[0]) if init else name
    if is_property(node):
        return name
    arguments = ast.unparse(node.args)
    for first in ("self", "cls"):
        if arguments == first or arguments.startswith(first + ","):
            arguments = arguments[len(first):].lstrip(", ")
    return f"{name}({arguments})"


def entry(full, shown, node, of, stub="__init__"):
    name = full.removeprefix("gb.").removeprefix(stub + ".")
    lines = [f"### {full}", f"`{signature(shown, node)}{arrow(stub, name)}`", text_of(node)]
    if of.get(full):
        lines.append("```python\n" + of[full] + "```")
    return "\n\n".join(line for line in lines if line)


def methods(node):
    return {m.name: m for m in node.body
            if isinstance(m, ast.FunctionDef) and not m.name.startswith("_")}


def section(title, source, names, of):
    parts = [f"## {title}"]
    if "." in source:
        folder, name = source.split(".")
        node = module(folder)[name]
        parts.append(entry(name, f"gb.{name}", node, of))
        found = methods(node)
        for other in names:
            folder, base = other.split(".")
            for key, value in methods(module(folder)[base]).items():
                found.setdefault(key, value)
        parts += [entry(f"{name}.{key}", key, found[key], of) for key in sorted(found)]
        return parts
    nodes = module(source)
    prefix = f"gb.{source}." if source in ("scipy", "torch") else "gb."
    stub = source if source in ("scipy", "torch") else "__init__"
    return parts + [entry(prefix + name, prefix + name, nodes[name], of, stub) for name in names]


def page():
    of = examples()
    parts = [HEAD]
    for title, source, names in SECTIONS:
        parts += section(title, source, names, of)
    text = "\n\n".join(parts) + "\n"
    wrong = [name for name in of if f"### {name}\n" not in text]
    if wrong:
        sys.exit(f"python/examples.txt: nothing is called {', '.join(wrong)}")
    return text


if __name__ == "__main__":
    if sys.argv[1:] == ["-"]:
        sys.stdout.write(page())
    else:
        with open(os.path.join(ROOT, "docs/python_reference.md"), "w", encoding="utf-8") as out:
            out.write(page())
