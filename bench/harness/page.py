# SPDX-License-Identifier: Apache-2.0
#
# What the scripts bench/*/make_page.py share: running a program, as a whole or part by part, keeping
# its results, and the tables of a page of docs/. A table goes between the lines
# <!-- begin:NAME --> and <!-- end:NAME --> of a page; everything else of it is left alone.
import argparse
import json
import os
import re
import subprocess
import sys

ROOT = os.path.abspath(os.path.join(os.path.dirname(__file__), "../.."))


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


def write_tables(path, tables, *documents, others=None):
    """tables: functions of the documents by NAME; others: how names begin that another script
    writes."""
    with open(path) as file:
        text = file.read()
    for name in re.findall(r"<!-- begin:(\S+) -->", text):
        if others and name.startswith(others):
            continue
        if name not in tables:
            raise ValueError(f"{path}: no table '{name}'; there are {', '.join(tables)}")
        pattern = rf"(<!-- begin:{name} -->\n).*?(<!-- end:{name} -->)"
        content = tables[name](*documents) + "\n"
        text, found = re.subn(pattern, lambda m: m[1] + content + m[2], text, flags=re.DOTALL)
        if found != 1:
            raise ValueError(f"{path}: '{name}' begins once but ends {found} times")
    save(path, text)


def positive(text):
    if not text.isdecimal() or int(text) < 1:
        raise argparse.ArgumentTypeError(f"'{text}' is not a number from 1 on")
    return int(text)


def parser(name, rounds=5, suite=None, parts=None):
    """suite: the file of inputs, when some are files; parts: what may be measured alone."""
    arguments = argparse.ArgumentParser(
        description=f"Measures and brings docs/{name}.md up to date.")
    arguments.add_argument("--build", metavar="DIR", default=os.path.join(ROOT, "build"),
                           help="folder of a Release build (default: build)")
    arguments.add_argument("--repeats", metavar="N", type=positive, default=rounds,
                           help=f"rounds; the median counts (default {rounds})")
    arguments.add_argument("--draw-only", action="store_true",
                           help="plots and tables from the results that are there")
    if suite:
        arguments.add_argument("--data", metavar="DIR", help="folder of the Matrix Market files "
                               f"that {suite} names; missing ones are skipped")
    if parts:
        arguments.add_argument("--only", metavar="PART", action="append", choices=parts,
                               help=f"one of {', '.join(parts)}; may be given several times")
    return arguments


def run(name, work):
    """main() of bench/NAME/make_page.py: a failure ends it with one line."""
    try:
        work()
    except (OSError, ValueError, KeyError, subprocess.CalledProcessError) as error:
        sys.exit(f"{name}: {type(error).__name__}: {error}")


def load(path):
    with open(path) as file:
        return json.load(file)


def update(name, parts, draw, tables):
    """Measures the parts of bench/NAME one by one, keeps each in bench/results/NAME.json, where the
    others stay as they were, and brings docs/NAME.md up to date once there are results of all."""
    arguments = parser(name, suite=f"bench/{name}/suite.txt", parts=parts)
    arguments.add_argument("--suite", metavar="FILE", help=f"instead of bench/{name}/suite.txt")
    arguments.add_argument("--output", metavar="DIR", default=ROOT, help="folder that has docs and "
                           "bench/results (default: that of the sources)")
    options = arguments.parse_args()
    path = os.path.join(options.output, f"bench/results/{name}.json")
    os.makedirs(os.path.dirname(path), exist_ok=True)
    results = load(path) if os.path.exists(path) else {}
    command = [os.path.join(options.build, "bench", name), "--repeats", str(options.repeats)]
    command += ["--data", options.data] if options.data else []
    command += ["--suite", options.suite] if options.suite else []
    for part in [] if options.draw_only else options.only or parts:
        results.update(json.loads(measure(command + ["--only", part])))
        save(path, json.dumps(results, indent=1) + "\n")
    missing = [part for part in parts if part not in results]
    if missing:
        print(f"{name}: not measured yet, so nothing is drawn:", ", ".join(missing))
        return
    docs = os.path.join(options.output, "docs")
    draw(results, docs)
    write_tables(os.path.join(docs, f"{name}.md"), tables, results)
