#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
#
# type_pages.py BUILD [PAGE...]            installs BUILD as the pages tell, and types
# type_pages.py --root FOLDER [PAGE...]    types all on a bare Debian (scripts/try_bare.sh makes it)
# type_pages.py --root FOLDER --release RELEASE [PAGE...]  installs packages of a release page there
#
# Types what pages tell a reader to type, in their order, in a copy of the sources: C is saved and
# compiled by the command that the page gives, and run; commands of the program run as they stand;
# so does Python. The files that pages only name (graph.mtx, links.csv ...) lie there before. Where
# a page shows what is printed, it must be printed: of a command after "$ " the lines that follow,
# but for times; of C the blocks called `text`; of Python what follows >>>. Commands of mcl and ours
# in one row of a table that write one file must write the same. A line that begins with a command,
# of any page, is typed, or its reason is counted: LEFT_OUT. What takes minutes (STARTED) is stopped
# after a second, and must not have failed until then.
#
# BUILD: root types in a mount namespace with an empty /usr/local and home, an /etc of its own, and
# no variables of the environment; `cmake --install` and `ldconfig` are all that it has had. Others
# install below a prefix of their own, which takes LD_LIBRARY_PATH and PKG_CONFIG_PATH. What
# installs is left out. --root: an ordinary user who may use sudo has a checkout, and types that
# too.
import collections
import os
import re
import shutil
import subprocess
import sys
import tempfile
import textwrap

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.path[:0] = [os.path.join(ROOT, "scripts"), os.path.join(ROOT, "site")]
import algorithms  # noqa: E402
import check_docs  # noqa: E402
import machines  # noqa: E402

FIRST = ["README.md", "docs/index.md", "docs/how_to_install.md", "docs/tutorial.md"]
INSTALLING = ["README.md", "docs/how_to_install.md"]  # whose commands in sentences are typed too
COMMAND = re.compile(r"(?:GBLITE_\w+=\S+ )*(?:gblite|gblite-mcl|mcl|ln|cc|cat|tr|zcat|"
                     r"build/examples/\w+|\./\w+) ")
INLINE = re.compile(r"`((?:GBLITE_\w+=\S+ )*(?:gblite [a-z]+|mcl |mcxload |clm )[^`]*)`")
INSTALL = re.compile(r"(?:scripts/(?:setup|make_\w+)\.sh|cmake -|python3 -m venv|(?:\S*/)?pip |"
                     r"sudo |sha256sum |\./[a-z0-9-]+[_-]\*)")
OPERAND = re.compile(r" (?:[\w./-]+\.\w+|\w+:\d\S*|[A-Z]|-)(?: |$)")
COMMANDS = ("gblite", "gblite-dist", "gblite-mcl", "gblite-suitesparse", "mcl", "mpirun", "pip")
STARTED = re.compile(r"^gblite calibrate(?: *#| *$)|build/bench/|^bench/|"
                     r"^scripts/(?:test|demo|coverage|fuzz|scaling_check)\.sh")
LEFT_OUT = [  # what is not typed, and why
    (r"\[[A-Z-]|\[[a-z]+ |COMMAND|JOB\b", "a synopsis"),
    (r"gpu_check|^gpu/|calibrate --device|-R cuda", "wants a GPU"),
    (r"^scripts/(?:bench_peers|ports_sysroot|test_ports)\.sh|setup\.sh ports|ports/|build-peers",
     "fetches other compilers and libraries; scripts/test_ports.sh, bench_peers.sh"),
    (r"/folder/on/", "wants a disk")]
LIMIT, LIMIT_INSTALL, START = 60, 3600, 1  # seconds of a command


# -- what a page tells to type --------------------------------------------------------------------


def blocks_of(text):
    """(line number, lines) of indented lines outside fences, and of fences called sh; \\ joins."""
    found, fenced, shell, before = [], False, False, ""
    for number, line in enumerate(text.split("\n")):
        fenced ^= line.startswith("```")
        shell = (shell or line == "```sh") and line != "```"
        if shell:
            line = "" if line == "```sh" else "    " + line
        if (shell or not fenced) and line.startswith("    "):
            if not before.startswith("    "):
                found.append((number, []))
            if before.endswith("\\") and found[-1][1]:
                found[-1][1][-1] = found[-1][1][-1][:-1] + line.lstrip()
            else:
                found[-1][1].append(line)
        before = line
    return found


def is_command(line):
    """Whether a line of a block begins with what a shell would run."""
    word = re.match(r"(?:\w+=\S+ )*([\w./-]+)(?: (?![=(])|$)", line)
    if not word or word[1] in ("import", "time", "join"):  # of Python, tables, formulas
        return False
    if "/" in word[1]:
        return (word[1].startswith(("build/", "gpu/", "./", "env/")) or
                os.path.exists(os.path.join(ROOT, word[1])))
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


def commands_of_page(page, text):
    """(line number, command, shown lines or None) of blocks, then those of sentences and tables;
    where these install, all in their order."""
    found = [(number, command, shown) for number, block in blocks_of(text)
             for command, shown in commands_of(block)]
    inline, fenced = [], check_docs.FENCE.sub(lambda m: "\n" * m[0].count("\n"), text)
    spans = re.finditer(r"`([^`]+)`", fenced) if page in INSTALLING else INLINE.finditer(fenced)
    for span in spans:
        command = " ".join(span[1].split()).replace("\\|", "|")
        installs = page in INSTALLING and INSTALL.match(command)
        if installs or INLINE.match(span[0]) and OPERAND.search(command):
            more = "sudo apt install " if command.startswith("./") else ""
            inline.append((fenced.count("\n", 0, span.start()), more + command, None))
    return sorted(found + inline, key=lambda of: of[0]) if page in INSTALLING else found + inline


def lines_of(text):
    """Lines that are the same each time: no times."""
    lines = [line.rstrip() for line in textwrap.dedent(text).strip("\n").split("\n")]
    return [line for line in lines if not line.lstrip().startswith("seconds ")]


# -- the typist -----------------------------------------------------------------------------------

RUNNER = """import contextlib, doctest, importlib.util, re, sys
text = open(sys.argv[1], encoding="utf-8").read()
missing = [name for name in ("torch", "matplotlib") if not importlib.util.find_spec(name)]
text = "\\n".join(part for part in text.split("\\n\\n\\n")
                 if not any(re.search(rf"\\b{name}\\b", part) for name in missing))
test = doctest.DocTestParser().get_doctest(text, {}, sys.argv[1], sys.argv[1], 0)
flags = doctest.ELLIPSIS | doctest.IGNORE_EXCEPTION_DETAIL
with contextlib.redirect_stdout(sys.stderr):
    failed = doctest.DocTestRunner(optionflags=flags).run(test).failed
print(sum(bool(example.want) for example in test.examples))
sys.exit(failed > 0)
"""


class Typist:
    """Types the commands of pages on a machine, and keeps what went wrong."""

    def __init__(self, machine):
        self.machine = machine
        self.typed = self.compared = self.started = 0
        self.reasons = collections.Counter()
        self.installed, self.complaints = set(), []
        self.row = (None, {})  # of a table: its line, and what mcl wrote

    def complain(self, text):
        self.complaints.append(text)
        print(text, flush=True)

    def reason(self, command):
        """Why it is not typed, or None."""
        for pattern, why in LEFT_OUT + self.machine.left_out:
            if re.search(pattern, command):
                return why
        return None if self.machine.has(command) else "not built, or not installed here"

    def run(self, page, command, shown=None):
        """What it prints, or None."""
        why = self.reason(command)
        if why:
            self.reasons[why] += 1
            return None
        installs = INSTALL.match(command)
        if installs and command in self.installed:
            return None  # what a reader does once
        self.installed.add(command if installs else None)
        seconds = START if STARTED.search(command) else LIMIT_INSTALL if installs else LIMIT
        status, out, err = self.machine.type(command, seconds)
        if status and re.search(r"packages are missing|\(Debian: lib", err):
            self.reasons["wants packages that are not here"] += 1
            return None
        self.typed += 1
        if status is None and seconds == START:
            self.started += 1
        elif status is None:
            self.complain(f"{page}: takes more than {seconds} s: {command}")
        elif status:
            self.complain(f"{page}: exit {status}: {command}\n{out[-2000:]}{err[-4000:]}")
        elif shown is not None:
            self.compared += 1
            want, got = lines_of(shown), lines_of(out)
            if want != got:
                self.complain(f"{page}: {command}\nprints\n" + "\n".join(got) +
                              "\nand the page says\n" + "\n".join(want))
        return out

    def compare_row(self, page, number, command):
        """mcl's command of a row of a table and ours write the same file."""
        if self.row[0] != number:
            self.row = (number, {})
        for name in re.findall(r" -o ([\w.]+)", command):
            with open(os.path.join(self.machine.folder, name), "rb") as file:
                content = file.read()
            if command.startswith("mcl "):
                self.row[1][name] = content
            elif name in self.row[1]:
                self.compared += 1
                if content != self.row[1][name]:
                    self.complain(f"{page}: {command}\nwrites {content}\nand mcl "
                                  f"{self.row[1][name]}")

    def save(self, page, commands):
        """The page's C under the names that its commands compile; what the last program prints."""
        programs, prints = check_docs.programs(page)
        sources = [name for _, command, _ in commands if command.startswith("cc ")
                   for name in re.findall(r"\b(\w+\.c)\b", command)]
        named = {name for files in programs for name, _ in files if name}
        free = list(dict.fromkeys(name for name in sources if name not in named))
        shown = {}
        for files in programs:
            for name, text in files:
                if not name and not free:
                    self.complain(f"{page}: no command compiles a program of it")
                    continue
                name = name or free.pop(0)
                machines.write(os.path.join(self.machine.folder, name), text)
            if files is programs[-1]:
                shown[name[:-2]] = prints
        return shown

    def type_python(self, page, text):
        """Blocks with >>> one after the other, others each by itself."""
        blocks = re.findall(r"^```python\n(.*?)^```$", text, re.M | re.S)
        shown = [block for block in blocks if ">>>" in block]
        for number, block in enumerate(block for block in blocks if block not in shown):
            machines.write(os.path.join(self.machine.folder, f"block{number}.py"), block)
            self.run(page, f"{self.machine.python} block{number}.py")
        if shown:
            machines.write(os.path.join(self.machine.folder, "shown.txt"), "\n\n\n".join(shown))
            machines.write(os.path.join(self.machine.folder, "runner.py"), RUNNER)
            count = self.run(page, f"{self.machine.python} runner.py shown.txt")
            self.compared += int(count or 0)

    def type(self, page, only=None):
        text = check_docs.read(page)
        mcl = os.path.join(self.machine.folder, "../bin/mcl")  # another page's link
        if os.path.islink(mcl):
            os.remove(mcl)
        # pages that compile a program which they do not show
        shown, _ = check_docs.programs("README.md")
        standard = check_docs.read("test/install/standard.c")
        machines.write(os.path.join(self.machine.folder, "program.c"),
              standard if page == "docs/conformance.md" else shown[0][0][1])
        commands = commands_of_page(page, text)
        shown = self.save(page, commands)
        for number, command, lines in commands:
            if only and not re.search(only, command):
                continue
            done = self.run(page, command, None if lines is None else "\n".join(lines))
            if done is not None and text.split("\n")[number].startswith("|"):
                self.compare_row(page, number, command)
            made = re.match(r"cc .*-o (\w+)", command)
            if made and made[1] in shown:
                self.run(page, "./" + made[1], shown[made[1]])
        if self.machine.has_python and not only:
            self.type_python(page, text)

    def end(self, pages):
        print(f"pages: {self.typed} commands of {pages} pages typed on {self.machine.what}, "
              f"{self.started} of them stopped after {START} s; {self.compared} outputs compared; "
              f"{sum(self.reasons.values())} left out; {len(self.complaints)} complaints")
        for reason, count in self.reasons.most_common():
            print(f"    {count} left out: {reason}")
        return bool(self.complaints or not self.compared)


def type_on_root(root, release, names, place):
    """All pages from a checkout; or from packages of a release, then Python of its wheel."""
    machine = machines.Bare(os.path.abspath(root), place)
    typist = Typist(machine)
    if release is None:
        machine.left_out = machine.left_out + [(FROM_RELEASE, "of a release: --release")]
        # what README.md names behind its commands; what pages speak of
        machine.needs(*re.search(r"\(needs ([\w.-]+), ([\w.-]+) and ([\w.-]+);",
                                 check_docs.read("README.md")).groups())
        for page in names:
            typist.type(page)
            if page == FIRST[0]:
                typist.run(page, "pip install -q scipy networkx")
        return typist.end(len(names))
    machine.needs("gcc", "libc6-dev", "pkg-config", "python3-venv")
    for name in os.listdir(release):
        if os.path.isfile(os.path.join(release, name)):
            shutil.copy(os.path.join(release, name), machine.folder)
    shutil.rmtree(os.path.join(machine.folder, "python"))  # `import gblite` is that of the packages
    machine.python = "/usr/bin/python3"
    typist.type(FIRST[2], r"^sha256sum|^sudo apt install")
    allowed, machine.left_out = machine.left_out, machine.left_out + [
        (INSTALL.pattern, "installs a checkout")]
    for page in names:
        typist.type(page)
    machine.left_out, machine.python = allowed, "python3"
    typist.run(FIRST[2], "python3 -m venv env && . env/bin/activate")
    typist.type(FIRST[2], r"^pip install \./gblite-")
    typist.type_python(FIRST[3], check_docs.read(FIRST[3]))
    return typist.end(len(names))


FROM_RELEASE = r"^sha256sum|^sudo apt install \./|^pip install \./gblite-"


def main():
    words = sys.argv[1:]
    root = release = None
    if words[0] == "--root":
        root, words = words[1], words[2:]
        if words[:1] == ["--release"]:
            release, words = words[1], words[2:]
    else:
        build, words = os.path.abspath(words[0]), words[1:]
    names = words or FIRST + [page for page in check_docs.pages() if page not in FIRST] + [
        "docs/" + page for page in algorithms.pages()]
    alone = os.environ.get("GBLITE_TYPED") == "alone"  # in a mount namespace
    make = machines.MAKE_BARE + " && cmake --version && cc --version" if root is None else "true"
    if not alone and os.geteuid() == 0 and shutil.which("unshare") and subprocess.run(
            ["unshare", "-m", "sh", "-c", make], check=False, capture_output=True).returncode == 0:
        os.environ["GBLITE_TYPED"] = "alone"
        os.execvp("unshare", ["unshare", "-m", sys.executable, "-B", *sys.argv])
    if root is not None and not alone:
        sys.exit("type_pages: --root wants root, and mount namespaces")
    with tempfile.TemporaryDirectory() as place:
        if root is not None:
            try:
                sys.exit(type_on_root(root, release, names, place))
            finally:
                for at in [f"root/{at}" for _, at, *_ in machines.MOUNTS] + ["root", "memory"]:
                    subprocess.run(["umount", "-l", os.path.join(place, at)], check=False)
        if alone:
            machines.sh("sh", "-c", machines.MAKE_BARE)
        typist = Typist(machines.Here(build, place, alone))
        for page in names:
            typist.type(page)
        sys.exit(typist.end(len(names)))


if __name__ == "__main__":
    main()
