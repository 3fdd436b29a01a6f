#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""notebooks.py NOTEBOOK...: runs the cells of notebooks as Jupyter would and stores what they show.

Tests run them too, in the folder of the notebook, and compare. A notebook is JSON: nothing of
Jupyter is needed. What a cell shows is what it prints and the repr of its last expression.
"""
import ast
import contextlib
import io
import json
import os
import sys


def read(path):
    with open(path, encoding="utf-8") as file:
        return json.load(file)


def code_cells(notebook):
    """The cells that are run, in order."""
    return [cell for cell in notebook["cells"] if cell["cell_type"] == "code"]


def shown(cell):
    """(what a cell printed, the repr of its last expression), as it is stored."""
    texts = {"stdout": "", "text/plain": ""}
    for output in cell["outputs"]:
        if output["output_type"] == "stream":
            texts[output["name"]] += "".join(output["text"])
        else:
            texts["text/plain"] += "".join(output["data"]["text/plain"])
    return texts["stdout"], texts["text/plain"]


def run(cell, names):
    """The same, by running it on the names of the cells before."""
    body, printed, value = ast.parse("".join(cell["source"])), io.StringIO(), None
    last = body.body.pop() if body.body and isinstance(body.body[-1], ast.Expr) else None
    with contextlib.redirect_stdout(printed):
        exec(compile(body, "cell", "exec"), names)
        if last is not None:
            value = eval(compile(ast.Expression(last.value), "cell", "eval"), names)
    return printed.getvalue(), "" if value is None else repr(value)


def _lines(text):
    return text.splitlines(keepends=True)


def _store(path):
    notebook, names = read(path), {}
    for count, cell in enumerate(code_cells(notebook), 1):
        printed, value = run(cell, names)
        cell["execution_count"], cell["outputs"] = count, []
        if printed:
            cell["outputs"].append(
                {"name": "stdout", "output_type": "stream", "text": _lines(printed)})
        if value:
            cell["outputs"].append(
                {"data": {"text/plain": _lines(value)}, "execution_count": count, "metadata": {},
                 "output_type": "execute_result"})
    with open(path, "w", encoding="utf-8") as file:
        json.dump(notebook, file, indent=1, ensure_ascii=False)
        file.write("\n")


if __name__ == "__main__":
    home = os.getcwd()
    for argument in sys.argv[1:]:
        path = os.path.join(home, argument)
        os.chdir(os.path.dirname(path))
        _store(path)
