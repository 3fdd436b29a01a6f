# SPDX-License-Identifier: Apache-2.0
"""A page for each algorithm of docs/algorithms.md: its text, picture and reference; whole programs in
C, Python and the shell side by side, of the calls in its table; parameters from the header in
examples/, docs/python_reference.md and the options of the command; how it is computed from the head
of the header."""
import glob
import os
import re

from headers import NAME, text_of

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
# What a call in C wants beside A and new results.
GIVEN = {"pagerank": "    pagerank_options options = {\n"
                     "        .damping = .85, .tolerance = 1e-6, .steps = 100};\n",
         "betweenness": "    gbl_Index sources[34];\n"
                        "    for (gbl_Index v = 0; v < 34; v++) sources[v] = v;\n",
         "similarity": "    similarity_options options = {.top = 3};\n",
         "label_propagation": "    int64_t steps = 4;\n",
         "markov_cluster": "    markov_options options = MARKOV_USUAL;\n"}
SOURCES = {"jaccard": "similar"}  # of commands that share one
OPTION = re.compile(r'\{\s*"([\w-]+)", (\'.\'|\w+), ("[^"]*"|NULL), 0,\s*'
                    r'((?:"(?:[^"\\]|\\.)*"\s*)+), 0\s*\}')
FRAME = """#include <gblite_io.h>
#include <stdio.h>

#include "{header}"

int main(void) {{
    gbl_Matrix A;
{given}{declared}    gbl_init(GBL_NONBLOCKING);
    if (gbl_load(&A, NULL, "{graph}") ||
        {call}{more})
        puts(gbl_last_error());
    else
        printf("{format}\\n", {shown});
    return gbl_finalize();
}}
"""


def read(path):
    with open(os.path.join(ROOT, path), encoding="utf-8") as file:
        return file.read()


def code(text):
    """Text with the library's names as code, and nothing else that Markdown would read."""
    text = re.sub(r"([*<>|])", r"\\\1", text)
    return NAME.sub(r"`\g<0>`", text)


def slug(title):
    return title.lower().replace(" ", "-")


class Algorithm:
    """A section of docs/algorithms.md, and what belongs to it."""

    def __init__(self, text):
        self.title, rest = text.split("\n", 1)
        rows = dict(re.findall(r"^\| (C|Python|shell) \| `(.*?)`", rest, re.M))
        self.c, self.python, self.shell = rows["C"], rows.get("Python"), rows["shell"]
        self.prose, self.reference = re.split(r"\n(?:\|.*\n)+", rest)
        self.graph = re.search(r"examples/data/\w+\.mtx", self.shell)[0]
        self.function = re.match(r"\w+", self.c)[0]
        self.command = self.shell.split()[1]
        found = re.compile(r"/\*((?:(?!\*/).)*)\*/\nstatic inline gbl_Info " + self.function +
                           r"\(([^)]*)\)", re.S)
        for path in sorted(glob.glob(os.path.join(ROOT, "examples", "*.h"))):
            match = found.search(read(path))
            if match:
                self.header, self.source = os.path.basename(path), read(path)
                self.contract = text_of(("/*" + match[1] + "*/").split("\n"))
                self.parameters = match[2]
                return
        raise ValueError(f"docs/algorithms.md: no header of examples/ has {self.function}")

    def program(self):
        """The whole program in C."""
        made = {}
        kinds = re.findall(r"(\w+) \*?\w+(?:,|$)", self.parameters)
        for kind, given in zip(kinds, re.findall(r"[(,] ?(&?\w+)", self.c)):
            if given[0] == "&" and not re.search(rf" {given[1:]}\b", GIVEN.get(self.function, "")):
                made.setdefault(kind, []).append(given[1:])
        declared = "".join(f"    {kind} {', '.join(names)};\n" for kind, names in made.items())
        given, more, format_, shown = GIVEN.get(self.function, ""), "", "%g", "x"
        names = made.get("gbl_Vector")
        if "found" in self.c:
            given += "    gbl_Vector found[MARKOV_FOUND];\n"
            names = ["found[MARKOV_CLUSTER]"]
        if names:
            declared += "    double x;\n"
            more = f" ||\n        gbl_Vector_extractElement_FP64(&x, {names[0]}, 3)"
        elif "gbl_Matrix" in made:
            declared += "    gbl_Index edges;\n"
            more, format_, shown = (f" ||\n        gbl_Matrix_nvals(&edges, {made['gbl_Matrix'][0]})",
                                    "%llu", "(unsigned long long)edges")
        else:
            format_, shown = "%llu", "(unsigned long long)" + made["uint64_t"][0]
        return FRAME.format(header=self.header, given=given, declared=declared, graph=self.graph,
                            call=self.c, more=more, format=format_, shown=shown)

    def compiling(self):
        """What compiles program()."""
        return (f"cc -O2 -I examples {self.function}.c -o {self.function} "
                "$(pkg-config --cflags --libs gblite_io gblite) -lm")

    def python_program(self):
        name = self.python.split(" = ")[0].split(", ")[0]
        return (f'import gblite as gb\n\nA = gb.Matrix("{self.graph}")\n{self.python}\n'
                f"print({name})\n")

    def options(self):
        """Rows (option, what it does) of the command's own options."""
        path = f"cli/cmd_{SOURCES.get(self.command, self.command)}.c"
        if not os.path.exists(os.path.join(ROOT, path)):
            return []  # another name of a command with an option: scc
        table = re.search(r"argp_option options\[\] = \{(.*?)\n\};", read(path), re.S)
        table = table[1] if table else ""
        for shared in re.findall(r"CLI_MARKOV_OPTIONS", table):
            table = read("cli/markov.h").split(f"#define {shared}")[1].split("\n\n")[0] + table
        rows = []
        for name, key, value, text in OPTION.findall(table.replace("\\\n", "")):
            value = "" if value == "NULL" else " " + value.strip('"')
            short = f"-{key[1]}, " if key[0] == "'" else ""
            text = "".join(re.findall(r'"((?:[^"\\]|\\.)*)"', text))
            text = text.replace("|", "\\|").replace('\\"', '"')
            rows.append(f"| `{short}--{name}{value}` | {text} |")
        return rows

    def how(self):
        """The head of the header, formulas as they stand."""
        out = []
        for line in text_of(self.source.split("*/")[0].split("\n")).strip("\n").split("\n")[1:]:
            formula = line.startswith("  ")
            if out and out[-1] and formula != out[-1].startswith("    "):
                out.append("")
            out.append("  " + line if formula else code(line))
        return "\n".join(out).strip("\n")

    def page(self):
        out = [f"# {self.title}", self.up(self.prose.strip("\n")), "## In C, Python and the shell"]
        out.append(f"```c\n{self.program()}```")
        if self.python:
            out.append(f"```python\n{self.python_program()}```")
        out.append(f"```sh\n{self.shell}\n```")
        out.append("In a checkout, with C installed, for the program in "
                   f"`{self.function}.c`:\n\n    {self.compiling()}")
        out += ["## Parameters", f"**C**, [{self.header}](../../examples/{self.header}): "
                + code(self.contract)]
        if self.python:
            name = re.search(r"gb\.\w+", self.python)[0]
            entry = read("docs/python_reference.md").split(f"\n### {name}\n", 1)[1]
            anchor = name.replace(".", "")
            out.append(f"**Python**, [{name}](../python_reference.md#{anchor}): "
                       + entry.split("\n### ")[0].split("```")[0].strip("\n"))
        rows = self.options()
        if rows:
            out += [f"**Shell**, `gblite {self.command}`, beside [common options](../cli.md):",
                    "\n".join(["| option | meaning |", "|---|---|"] + rows)]
        out += ["## How it is computed", self.how(), "## Reference", self.reference.strip("\n")]
        return "\n\n".join(out) + "\n"

    @staticmethod
    def up(text):
        return re.sub(r"\]\((?!\w+:)([\w./#-]+)\)", r"](../\1)", text)


def all_of_them():
    return [Algorithm(text) for text in read("docs/algorithms.md").split("\n## ")[1:]]


def pages():
    """Markdown of all pages by their names."""
    return {f"algorithms/{slug(a.title)}.md": a.page() for a in all_of_them()}


SENTENCE = re.compile(r"[.;:] |, by ")


def index(text):
    """docs/algorithms.md without what has a page of its own."""
    head = text.split("\n## ")[0]
    rows = [f"| [{a.title}](algorithms/{slug(a.title)}.md) | {SENTENCE.split(a.prose.strip())[0]} | "
            f"`{a.function}` | {'`' + re.search(r'gb.[a-z_]+', a.python)[0] + '`' if a.python else ''}"
            f" | `{' '.join(a.shell.split()[:2])}` |" for a in all_of_them()]
    return "\n".join([head.rstrip("\n"), "", "| algorithm | what it computes | C | Python | shell |",
                      "|---|---|---|---|---|", *[" ".join(r.split()) for r in rows], ""])
