#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
#
# type_pages.py BUILD [PAGE...]: installs BUILD as the pages tell and types what they tell a reader to
# type, in their order, in a clean folder: C is saved and compiled by the command that the page gives,
# and run; commands of the program run as they stand; so does Python, where BUILD has the package. The
# files that pages only name (graph.mtx, links.csv ...) lie there before. Where a page shows what is
# printed, it must be printed: of a command after "$ " the lines that follow, but for times; of C the
# blocks called `text`; of Python what follows >>>. A line that begins with a command, of any page, is
# typed or has its reason in LEFT_OUT.
#
# root types on a bare machine: a mount namespace with an empty /usr/local and home, an /etc of its own,
# and no variables of the environment; `cmake --install` and `ldconfig` are all that it has had. Others
# install below a prefix of their own, which takes LD_LIBRARY_PATH and PKG_CONFIG_PATH.
import bz2
import gzip
import os
import re
import shutil
import subprocess
import sys
import tempfile
import textwrap

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.path.insert(0, os.path.join(ROOT, "scripts"))
import check_docs  # noqa: E402

FIRST = ["README.md", "docs/index.md", "docs/how_to_install.md", "docs/tutorial.md"]
GENERATED = re.compile(r"docs/(api|python_reference|\w+_tables)\.md")  # the test `python` has their Python
COMMAND = re.compile(r"(?:GBLITE_\w+=\S+ )*(?:gblite|gblite-mcl|mcl|ln|cc|cat|tr|zcat|"
                     r"build/examples/\w+|\./\w+) ")
INLINE = re.compile(r"`((?:GBLITE_\w+=\S+ )*gblite [a-z]+[^`]*)`")
OPERAND = re.compile(r" (?:[\w./-]+\.\w+|\w+:\d\S*|[A-Z]|-)(?: |$)")
COMMANDS = ("gblite", "gblite-dist", "gblite-mcl", "gblite-suitesparse", "mcl", "mpirun", "pip")
# What is not typed here, and why.
LEFT_OUT = [(r"^gblite COMMAND|PROGRAM ARGUMENTS", "stands for any"),
            (r"^gblite calibrate", "takes a minute, and would be kept"),
            (r"^gblite-dist|mpirun", "wants MPI: the tests dist_*"),
            (r"^ln -sf .*libgraphblas", "wants a wheel of another project: the tests of compat"),
            (r"scripts/|^gpu/|^\.ci/", "builds or measures for minutes: CI runs them by themselves"),
            (r"^(?:cmake|ctest|python3 -m venv|pip|sudo) |ctest --test-dir",
             "installing: test/install, scripts/make_wheel.sh, and `install` below"),
            (r"^(?:\w+=\S+ )*(?:build/)?bench/|^build/gblite-dist", "measures for minutes: bench_*")]
LIMIT = 60  # seconds of a command


def write(path, text):
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)


def lay_files(folder, build):
    """What pages name without making it."""
    def at(name):
        return os.path.join(folder, name)

    shutil.copytree(os.path.join(ROOT, "examples"), at("examples"))
    for name in os.listdir(at("examples")):
        if name.endswith((".c", ".h")):
            shutil.copy(at("examples/" + name), at(name))
    karate = at("examples/data/karate.mtx")
    write(at("graph.abc"), "a\tb\t2.5\nb\tc\t1\nd\te\t3\n")
    for name in ("graph.mtx", "A.mtx", "B.mtx", "M.mtx", "G", "A", "B", "C", "proteins.mtx", "terms.mtx"):
        shutil.copy(karate, at(name))
    shutil.copy(at("examples/data/roads.mtx"), at("roads.mtx"))
    shutil.copy(at("examples/data/roads.mtx"), at("web.mtx"))
    links = "from,to\nNew York,Boston\nBoston,Chicago\nChicago,New York\n"
    write(at("links.csv"), links)
    with bz2.open(at("links.csv.bz2"), "wt") as file:
        file.write(links)
    for name in ("proteins.abc", "proteins.tsv", "pairs.abc", "data.abc"):
        write(at(name), "a\tb\t2.5\nb\tc\t1\nd\te\t3\n")
    write(at("buyers.csv"), "ann,milk\nbob,milk\nbob,eggs\n")
    for name in ("graph.npz", "A.npz"):
        shutil.copy(os.path.join(ROOT, "test/files/scipy.npz"), at(name))
    shutil.copy(os.path.join(ROOT, "test/files/symmetric.rb"), at("A.rb"))
    for name, rows in (("one.mci", "0 0 1 $\n1 2 $\n"), ("two.mci", "0 0 $\n1 1 2 $\n"),
                       ("graph.txt", "0 1 2 $\n1 0 2 $\n2 0 1 $\n")):
        write(at(name), f"(mclheader\nmcltype matrix\ndimensions 3x{rows.count('$')}\n)\n"
                        f"(mclmatrix\nbegin\n{rows})\n")
    with gzip.open(at("links.tsv.gz"), "wt") as file:
        file.write("1\tx\t2\n2\tx\t3\n3\tx\t1\n")
    with gzip.open(at("web.txt.gz"), "wt") as file:
        file.write("1 2\n2 3\n3 1\n")
    os.makedirs(at("build-demo"))
    os.symlink(os.path.abspath(build), at("build"))


def blocks_of(text):
    """Blocks of indented lines outside fences, with their lines."""
    found, fenced, before = [], False, ""
    for line in text.split("\n"):
        fenced ^= line.startswith("```")
        if not fenced and line.startswith("    "):
            if not before.startswith("    "):
                found.append([])
            found[-1].append(line)
        before = line
    return found


def is_command(line):
    """Whether a line of a block begins with what a shell would run."""
    word = re.match(r"(?:\w+=\S+ )*([\w./-]+)(?: (?![=(])|$)", line)
    if not word or word[1] in ("import", "time"):  # Python's; of tables
        return False
    if "/" in word[1]:
        return word[1].startswith(("build/", "gpu/", "./")) or os.path.exists(os.path.join(ROOT, word[1]))
    return word[1] in COMMANDS or shutil.which(word[1]) is not None


def commands_of(block):
    """(command, the lines that it prints or None) of a block; comments behind commands stay."""
    found, shown = [], None
    for line in block:
        prompt = re.match(r"( +)\$ (.*)", line)
        if prompt:
            found.append((prompt[2], []))
            shown = len(prompt[1])
        elif shown is not None and len(line) - len(line.lstrip()) >= shown:
            found[-1][1].append(line)
        elif COMMAND.match(line.strip()) or is_command(line.strip()):
            found.append((line.strip(), None))
            shown = None
        else:
            shown = None
    return found


def lines_of(text):
    """Lines that are the same each time: no times."""
    lines = [line.rstrip() for line in textwrap.dedent(text).strip("\n").split("\n")]
    return [line for line in lines if not line.lstrip().startswith("seconds ")]


PYTHON = "/usr/bin/python3"
RUNNER = """import doctest, sys
text = open(sys.argv[1], encoding="utf-8").read()
test = doctest.DocTestParser().get_doctest(text, {}, sys.argv[1], sys.argv[1], 0)
flags = doctest.ELLIPSIS | doctest.IGNORE_EXCEPTION_DETAIL
sys.exit(doctest.DocTestRunner(optionflags=flags).run(test).failed > 0)
"""


class Typist:
    """Types the commands of pages in a folder, and keeps what went wrong."""

    def __init__(self, folder, environment):
        self.folder, self.environment = folder, environment
        self.typed = self.compared = self.left_out = 0
        self.python = False
        self.complaints = []

    def run(self, page, command, shown=None):
        if any(re.search(pattern, command) for pattern, _ in LEFT_OUT):
            self.left_out += 1
            return
        if command.startswith("build/examples/") and not os.path.exists(
                os.path.join(self.folder, command.split()[0])):
            return  # a build without examples
        self.typed += 1
        try:
            done = subprocess.run(["bash", "-c", "set -o pipefail; " + command], cwd=self.folder,
                                  env=self.environment, capture_output=True, text=True,
                                  timeout=LIMIT, stdin=subprocess.DEVNULL)
        except subprocess.TimeoutExpired:
            self.complaints.append(f"{page}: takes more than {LIMIT} s: {command}")
            return
        if done.returncode:
            self.complaints.append(f"{page}: exit {done.returncode}: {command}\n{done.stderr}")
        elif shown is not None:
            self.compared += 1
            want, got = lines_of(shown), lines_of(done.stdout)
            if want != got:
                self.complaints.append(f"{page}: {command}\nprints\n" + "\n".join(got) +
                                       "\nand the page says\n" + "\n".join(want))

    def save(self, page, commands):
        """The page's C under the names that its commands compile; what the last program prints."""
        programs, prints = check_docs.programs(page)
        sources = [name for command, _ in commands if command.startswith("cc ")
                   for name in re.findall(r"\b(\w+\.c)\b", command)]
        named = {name for files in programs for name, _ in files if name}
        free = list(dict.fromkeys(name for name in sources if name not in named))
        shown = {}
        for files in programs:
            for name, text in files:
                if not name and not free:
                    self.complaints.append(f"{page}: no command compiles a program of it")
                    continue
                name = name or free.pop(0)
                write(os.path.join(self.folder, name), text)
            if files is programs[-1]:
                shown[name[:-2]] = prints
        return shown

    def type_python(self, page, text):
        """Blocks with >>> one after the other, others each by itself."""
        blocks = re.findall(r"^```python\n(.*?)^```$", text, re.M | re.S)
        shown = [block for block in blocks if ">>>" in block]
        for number, block in enumerate(block for block in blocks if block not in shown):
            write(os.path.join(self.folder, f"block{number}.py"), block)
            self.run(page, f"{PYTHON} block{number}.py")
        if shown:
            write(os.path.join(self.folder, "shown.txt"), "\n".join(shown))
            write(os.path.join(self.folder, "runner.py"), RUNNER)
            self.run(page, f"{PYTHON} runner.py shown.txt >&2")

    def type(self, page):
        text = check_docs.read(page)
        # pages that compile a program which they do not show
        shown, _ = check_docs.programs("README.md")
        standard = check_docs.read("test/install/standard.c")
        write(os.path.join(self.folder, "program.c"),
              standard if page == "docs/conformance.md" else shown[0][0][1])
        commands = [found for block in blocks_of(text) for found in commands_of(block)]
        shown = self.save(page, commands)
        for command, lines in commands:
            self.run(page, command, None if lines is None else "\n".join(lines))
            made = re.match(r"cc .*-o (\w+)", command)
            if made and made[1] in shown:
                self.run(page, "./" + made[1], shown[made[1]])
        for command in INLINE.findall(check_docs.FENCE.sub("", text)):
            command = " ".join(command.split())
            if OPERAND.search(command):
                self.run(page, command)
        if self.python:
            self.type_python(page, text)


def sh(*command):
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)


# Empties what an installation writes to, in a mount namespace that ends with the process.
MAKE_BARE = ("mount -t tmpfs none /mnt && mkdir /mnt/up /mnt/work && mount -t overlay overlay "
             "-o lowerdir=/etc,upperdir=/mnt/up,workdir=/mnt/work /etc && "
             "mount -t tmpfs none /usr/local")


def install(build, place, bare):
    """Installs BUILD; the environment of a reader's shell then."""
    prefix = "/usr/local" if bare else os.path.join(place, "prefix")
    sh("cmake", "--install", build, "--prefix", prefix)
    environment = {"PATH": f"{place}/bin:{prefix}/bin:/usr/bin:/bin:/usr/sbin", "HOME": place,
                   "LC_ALL": "C.UTF-8", "GBLITE_CONFIG": "off", "OMP_NUM_THREADS": "2"}
    package = os.path.join(build, "python", "gblite")
    version = subprocess.run([PYTHON, "-c", "import sys; print('%d.%d' % sys.version_info[:2])"],
                             check=True, capture_output=True, text=True).stdout.strip()
    packages = os.path.join(prefix, f"lib/python{version}/dist-packages")
    if os.path.isdir(package):  # as its wheel has it, where Debian's python3 looks
        shutil.copytree(package, os.path.join(packages, "gblite"))
        if not bare:
            environment["PYTHONPATH"] = packages
    if bare:
        sh("ldconfig")
        return environment
    lib = os.path.dirname(next(os.path.join(at, "libgblite.so") for at, _, files
                               in os.walk(prefix) if "libgblite.so" in files))
    return {**environment, "LD_LIBRARY_PATH": lib, "PKG_CONFIG_PATH": lib + "/pkgconfig"}


def main():
    build = os.path.abspath(sys.argv[1])
    names = sys.argv[2:] or FIRST + [page for page in check_docs.pages()
                                     if page not in FIRST and not GENERATED.fullmatch(page)]
    bare = os.environ.get("GBLITE_TYPED") == "bare"
    if not bare and os.geteuid() == 0 and shutil.which("unshare") and subprocess.run(
            ["unshare", "-m", "sh", "-c", MAKE_BARE + " && cmake --version && cc --version"],
            check=False, capture_output=True).returncode == 0:
        os.environ["GBLITE_TYPED"] = "bare"
        os.execvp("unshare", ["unshare", "-m", sys.executable, "-B", *sys.argv])
    with tempfile.TemporaryDirectory() as place:
        if bare:
            sh("sh", "-c", MAKE_BARE)
        environment = install(build, place, bare)
        folder = os.path.join(place, "folder")
        os.makedirs(folder)
        lay_files(folder, build)
        typist = Typist(folder, environment)
        typist.python = os.path.isdir(os.path.join(build, "python", "gblite"))
        for page in names:
            typist.type(page)
    for complaint in typist.complaints:
        print(complaint)
    print(f"pages: {typist.typed} commands of {len(names)} pages typed on "
          f"{'a bare root' if bare else 'a prefix'}, {typist.compared} outputs compared, "
          f"{typist.left_out} left out, "
          f"{len(typist.complaints)} complaints")
    sys.exit(1 if typist.complaints or not typist.compared else 0)


if __name__ == "__main__":
    main()
