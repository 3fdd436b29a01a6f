# SPDX-License-Identifier: Apache-2.0
#
# What the scripts of bench/ share: files, options, suites, the machine, tables within pages.
import argparse
import json
import os
import re
import time

BENCH = os.path.dirname(os.path.abspath(__file__))
PYTHON_PAGE = os.path.join(BENCH, "../docs/python.md")


def load(path):
    with open(path, encoding="utf-8") as file:
        return json.load(file)


def save(path, text):
    """The file is whole at any time."""
    with open(path + ".new", "w", encoding="utf-8") as file:
        file.write(text)
    os.replace(path + ".new", path)


def positive(text):
    """Of an option."""
    if not text.isdecimal() or int(text) < 1:
        raise argparse.ArgumentTypeError(f"'{text}' is not a number from 1 on")
    return int(text)


def read_suite(path, data):
    """(keyword, operand) of the lines, as bench/harness reads them: without files that are not there."""
    with open(path, encoding="ascii") as file:
        for words in (line.split("#")[0].split() for line in file):
            if not words:
                continue
            keyword, operand = (words[0], words[1]) if len(words) > 1 else ("", words[0])
            if operand.startswith("?"):
                operand = os.path.join(data or "", operand[1:])
                if not data or not os.path.exists(operand):
                    continue
            yield keyword, operand


def operand_name(operand):
    """Without folder and .mtx."""
    return os.path.basename(operand).split(".mtx")[0]


def processor():
    """Its name, family and model as the system reports them."""
    facts = {}
    with open("/proc/cpuinfo", encoding="utf-8") as file:
        for line in file:
            key, _, value = line.partition(":")
            facts.setdefault(key.strip(), value.strip())
    name = facts.get("model name", "unknown processor")
    if "cpu family" not in facts or "model" not in facts:
        return name
    return f"{name} (family {facts['cpu family']}, model {facts['model']})"


def seconds(function):
    start = time.perf_counter()
    function()
    return time.perf_counter() - start


def table(headings, rows):
    """Markdown; the first column to the left, the others to the right."""
    lines = ["| " + " | ".join(headings) + " |", "|---|" + "---:|" * (len(headings) - 1)]
    return "\n".join(lines + ["| " + " | ".join(row) + " |" for row in rows])


def fill(path, name, text):
    """Text between the lines <!-- begin:NAME --> and <!-- end:NAME --> of a page."""
    with open(path, encoding="utf-8") as file:
        page = file.read()
    page, found = re.subn(rf"(<!-- begin:{name} -->\n).*?(<!-- end:{name} -->)",
                          lambda mark: mark[1] + text + "\n" + mark[2], page, flags=re.DOTALL)
    if found != 1:
        raise ValueError(f"{path}: '{name}' begins once but ends {found} times")
    save(path, page)
