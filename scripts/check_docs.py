#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
#
# Checks the pages of docs/ and the README files; needs no network and nothing beside Python.
#
# check_docs.py links             links and pictures inside the repository exist, and headings that
#                                 are linked to; pictures have a text; rows of tables and code in
#                                 lists are such on the site too; cells hold one number; every page
#                                 and header is in site/mkdocs.yml; docs/semirings.md names every predefined object;
#                                 functions that pages name exist
# check_docs.py words             written pages have at most 50,000 words, and one of more than 2,500
#                                 says at its head why
# check_docs.py code BUILD CC     blocks of C compile against BUILD, and run where a page says what
#                                 they print
#
# What a page's C means: a block whose first line is a comment with the name of a file is that file.
# The others are taken in their order, as a reader would type them: each program ends with the block
# that closes its main. If the page has blocks called `text`, its last program prints these, one after
# the other, and is run. Nothing is added: neither includes nor a main.
import os
import re
import subprocess
import sys
import tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
sys.path.insert(0, os.path.join(ROOT, "site"))
import algorithms  # noqa: E402 -- their pages, of docs/algorithms.md
FENCE = re.compile(r"^```(\w*)[^\n]*\n(.*?)^```$", re.M | re.S)
NAMED = re.compile(r"/\* (\w+\.c) \*/\n")


def pages():
    """Paths of all pages, relative to ROOT."""
    found = ["README.md", "CONTRIBUTING.md", "bench/README.md", "python/README.md"]
    return found + sorted("docs/" + name for name in os.listdir(os.path.join(ROOT, "docs"))
                          if name.endswith(".md"))


def read(page):
    """The text of a page; those of algorithms are made."""
    made = re.fullmatch(r"docs/(algorithms/.*)", page)
    if made:
        return algorithms.pages()[made[1]]
    with open(os.path.join(ROOT, page), encoding="utf-8") as file:
        return file.read()


# -- links ----------------------------------------------------------------------------------------


def prose(text):
    """The text without code, in which brackets are no links."""
    text = FENCE.sub("", text)
    text = re.sub(r"^(    |\t).*$", "", text, flags=re.M)
    return re.sub(r"`[^`\n]*`", "", text)


def anchors(page):
    """What can follow # in a link to the page: its headings, as sites for Markdown name them."""
    found = set(re.findall(r'<a (?:id|name)="([^"]+)"', read(page)))
    for heading in re.findall(r"^#+ +(.*)$", FENCE.sub("", read(page)), re.M):
        plain = re.sub(r"\[([^]]*)\]\([^)]*\)", r"\1", heading).lower().replace("`", "")
        found.add(re.sub(r"[^\w\- ]", "", plain).strip().replace(" ", "-"))
    return found


def check_link(page, target):
    """What is wrong with a link, or None."""
    if re.match(r"[a-z]+:", target):
        return None  # of the network
    path, _, anchor = target.partition("#")
    to = os.path.normpath(os.path.join(os.path.dirname(page), path)) if path else page
    if not os.path.exists(os.path.join(ROOT, to)):
        return f"there is no {to}"
    if anchor and to.endswith(".md") and anchor not in anchors(to):
        return f"{to} has no heading {anchor}"
    return None


def check_builtins():
    """Predefined operators, monoids and semirings that docs/semirings.md does not name."""
    page, header = "docs/semirings.md", read("include/gblite_builtin.h")
    stems = set(re.findall(r"\bGBL_([A-Z0-9_]+?)(?:_MONOID|_SEMIRING)?(?:_##N|_BOOL)?\b",
                           re.sub(r"#define \w+|GBL_DESC_\S*|GBL_(?:FOREACH|DECLARE)\w*|/\*.*?\*/", "",
                                  header, flags=re.S)))
    named = set(re.findall(r"`([A-Z0-9_]+)`", read(page)))
    return [f"{page}: does not name {stem}" for stem in sorted(stems - named)]


def check_names():
    """Names of the library on written pages that no header or example has."""
    known = set()
    for folder in ("include", "include/graphblas", "dist/include", "examples", "examples/semirings"):
        for name in os.listdir(os.path.join(ROOT, folder)):
            if os.path.isfile(os.path.join(ROOT, folder, name)):
                known |= set(re.findall(r"\w+", read(os.path.join(folder, name))))
    known |= set(re.findall(r"\bgbl_\w+", read("docs/api.md")))  # with T for a type
    known |= {"gbl_x", "gbl_K_f", "gbl_X_error"}  # stand for any
    return [f"{page}: there is no {name}" for page in pages() if not GENERATED.fullmatch(page)
            for name in sorted(set(re.findall(r"\bgbl_\w+", read(page))) - known)
            if re.sub(r"_[A-Z0-9]+$", "_T", name) not in known]


NUMBER = re.compile(r"\d[\d.,]*(?:e[+-]?\d+)?(?: 10\^-?\d+|\^\d+)?(?<!,)")
BESIDE = re.compile(r"(?:[\s;:,()/+%-]|\b(?:to|up|or|of|less|more|at|least|most|[mun]?s|[KMG]B|GFLOPS)\b)*")


def numbers_of(cell):
    """How many numbers a cell of a table holds, if it holds nothing else than these and units."""
    found, rest = len(NUMBER.findall(cell)), NUMBER.sub("", cell)
    return found if BESIDE.fullmatch(rest) else 0


def check_forms(page):
    """Lines that Python-Markdown, which makes the site, takes for text: rows without a head; and what
    it takes out of a list. Cells of several numbers."""
    complaints, fenced, in_list = [], False, False
    lines = read(page).split("\n") + ["", ""]
    for number, line in enumerate(lines[:-2], 1):
        before, after = lines[number - 2], lines[number]
        fenced ^= line.startswith("```")
        if re.match(r"- |\d+\. ", line):
            in_list = True
        elif line and not line.startswith(" "):
            in_list = False
        if not fenced and line.startswith("|") and not before.startswith("|") and "---" not in after:
            complaints.append(f"{page}: line {number} is a row of no table")
        if not fenced and line.startswith("|"):
            complaints += [f"{page}: line {number} has several numbers in one cell: {cell.strip()}"
                           for cell in line.split("|") if numbers_of(cell) > 1]
        if not fenced and in_list and not before and re.match(r" {1,3}[^\s-]| {5,7}\S", line):
            complaints.append(f"{page}: line {number}, in a list, is indented by neither 4 nor 8")
    return complaints


def check_links():
    complaints, count = [], 0
    for page in pages():
        complaints += check_forms(page)
        text = prose(read(page))
        for mark, label, target in re.findall(r"(!?)\[([^]]*)\]\(([^)\s]+)[^)]*\)", text):
            count += 1
            wrong = check_link(page, target)
            if not wrong and mark and not label.strip():
                wrong = "the picture has no text for those who cannot see it"
            if wrong:
                complaints.append(f"{page}: ({target}): {wrong}")
    site = re.findall(r":\s+(\S+\.md)$|-\s+(\S+\.md)$", read("site/mkdocs.yml"), re.M)
    listed = ["docs/" + (a or b) for a, b in site]
    wanted = [page for page in pages() if page.startswith("docs/")]
    wanted += [f"docs/headers/{name[:-2]}.md" for name in os.listdir(os.path.join(ROOT, "include"))
               if name.endswith(".h")]  # site/hooks.py makes these
    wanted += ["docs/changelog.md", "docs/contributing.md"]  # and these
    wanted += ["docs/" + name for name in algorithms.pages()]  # and these
    for page in wanted:
        if listed.count(page) != 1:
            complaints.append(f"{page}: {listed.count(page)} times in site/mkdocs.yml, not once")
    complaints += [f"site/mkdocs.yml: there is no {page}" for page in set(listed) - set(wanted)]
    complaints += check_builtins() + check_names()
    return complaints, f"{count} links and pictures of {len(pages())} pages"


# -- words ----------------------------------------------------------------------------------------

GENERATED = re.compile(r"docs/(api|python_reference|\w+_tables)\.md")


def check_words():
    complaints, total = [], 0
    for page in pages():
        if not page.startswith("docs/") or GENERATED.fullmatch(page):
            continue
        words = len(read(page).split())
        total += words
        if words > 2500 and "2,500 words" not in read(page)[:1000]:
            complaints.append(f"{page}: {words} words, and it does not say why")
    if total > 50000:
        complaints.append(f"pages have {total} words, and may have 50,000")
    return complaints, f"{total} words"


# -- code -----------------------------------------------------------------------------------------


def programs(page):
    """A list of sources for each program that the page has, as (name of the file or None, text), and
    what the last of them prints, or None."""
    blocks = FENCE.findall(read(page))
    code = [text for language, text in blocks if language == "c"]
    named = [(NAMED.match(text)[1], text) for text in code if NAMED.match(text)]
    found = [named] if named else []
    now = ""
    for text in code:
        if NAMED.match(text):
            continue
        now += text
        if "main(" in now and now.count("{") == now.count("}"):
            found.append([(None, now)])
            now = ""
    if now:
        found.append([(None, now)])  # the compiler says what is missing
    prints = [text for language, text in blocks if language == "text"]
    return found, "".join(prints) if prints else None


def check_program(sources, prints, build, compiler, more=()):
    """What is wrong with the program, or None; prints is a text or a pattern."""
    include = os.path.join(ROOT, "include")
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "page")
        files = [os.path.join(folder, name or "page.c") for name, _ in sources]
        for file, (_, text) in zip(files, sources):
            with open(file, "w", encoding="utf-8") as out:
                out.write(text)
        done = subprocess.run(
            [compiler, "-std=gnu11", "-Wall", "-Wextra", "-Wno-unused-variable", "-Wno-psabi",
             "-Werror",
             "-I", include, "-I", include + "/graphblas", "-I", os.path.join(ROOT, "src"), *files,
             "-o", path, "-L", build, "-lgblite_io", "-lgblite",
             "-Wl,-rpath," + os.path.abspath(build), *more], capture_output=True, text=True)
        if done.returncode:
            return done.stderr
        if prints is None:
            return None
        done = subprocess.run([path], capture_output=True, text=True, timeout=60, cwd=ROOT)
        if done.returncode:
            return f"it fails: {done.stderr}"
        if not (done.stdout == prints if isinstance(prints, str) else prints.fullmatch(done.stdout)):
            return f"it prints\n{done.stdout}and the page says\n{prints}"
        return None


def check_algorithms(build, compiler):
    """Whether the programs of the pages of algorithms run, and print a number."""
    complaints = []
    for algorithm in algorithms.all_of_them():
        wrong = check_program([(None, algorithm.program())], re.compile(r"[\d.e-]+\n"), build,
                              compiler, ["-I", os.path.join(ROOT, "examples"), "-lm"])
        if wrong:
            complaints.append(f"{algorithm.title}: {wrong}")
    return complaints


def check_code(build, compiler):
    complaints = check_algorithms(build, compiler)
    count = ran = len(algorithms.all_of_them())
    for page in pages():
        found, prints = programs(page)
        for sources in found:
            shown = prints if sources is found[-1] else None
            count += 1
            ran += shown is not None
            wrong = check_program(sources, shown, build, compiler)
            if wrong:
                complaints.append(f"{page}: {wrong}")
    if ran <= len(algorithms.all_of_them()):
        complaints.append("no page says what its program prints")
    return complaints, f"{count} programs, {ran} of them run"


def main():
    if sys.argv[1:] == ["links"]:
        complaints, what = check_links()
    elif sys.argv[1:] == ["words"]:
        complaints, what = check_words()
    elif len(sys.argv) == 4 and sys.argv[1] == "code":
        complaints, what = check_code(*sys.argv[2:])
    else:
        sys.exit("usage: check_docs.py links | words | code BUILD CC")
    for complaint in complaints:
        print(complaint)
    print(f"docs: {what}, {len(complaints)} complaints")
    sys.exit(1 if complaints else 0)


if __name__ == "__main__":
    main()
