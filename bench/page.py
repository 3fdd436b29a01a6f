# SPDX-License-Identifier: Apache-2.0
#
# What the scripts of this folder share that measure and bring a page of docs/ up to date: running a
# program, keeping its results, and tables. A table goes between the lines <!-- begin:NAME --> and
# <!-- end:NAME --> of a page; everything else of it is left alone.
import os
import re
import subprocess

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))


def measure(command, **environment):
    """What the command prints; it fails when a result was wrong."""
    print(" ".join(command), flush=True)
    return subprocess.run(command, stdout=subprocess.PIPE, check=True, text=True,
                          env=dict(os.environ, **environment)).stdout


def save(path, text):
    with open(path + ".new", "w") as file:
        file.write(text)
    os.replace(path + ".new", path)


def table(headings, rows):
    """Markdown; the first column to the left, the others to the right."""
    lines = ["| " + " | ".join(headings) + " |",
             "|---|" + "---:|" * (len(headings) - 1)]
    lines += ["| " + " | ".join(row) + " |" for row in rows]
    return "\n".join(lines)


def percent(x, digits=1):
    return f"{100 * x:.{digits}f}%"


def seconds(x):
    return f"{1e6 * x:.0f} us" if x < 1e-3 else f"{1e3 * x:.2f} ms" if x < 1 else f"{x:.3f} s"


def count(x):
    return f"{x:.0f}" if x < 1e4 else f"{x / 1e3:.0f} k" if x < 1e7 else f"{x / 1e6:.0f} M"


def size(x):
    return f"{x / 1e3:.0f} kB" if x < 1e6 else f"{x / 1e6:.{1 if x < 1e8 else 0}f} MB"


def write_tables(path, tables, *documents):
    """tables: functions of the documents by NAME."""
    with open(path) as file:
        text = file.read()
    for name in re.findall(r"<!-- begin:(\S+) -->", text):
        if name not in tables:
            raise ValueError(f"{path}: no table '{name}'; there are {', '.join(tables)}")
        pattern = rf"(<!-- begin:{name} -->\n).*?(<!-- end:{name} -->)"
        content = tables[name](*documents) + "\n"
        text, found = re.subn(pattern, lambda m: m[1] + content + m[2], text, flags=re.DOTALL)
        if found != 1:
            raise ValueError(f"{path}: '{name}' begins once but ends {found} times")
    save(path, text)
