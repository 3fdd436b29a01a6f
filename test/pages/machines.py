# SPDX-License-Identifier: Apache-2.0
"""Where type_pages.py types: this machine with a build installed, or a bare Debian; and the files
that pages name."""
import bz2
import gzip
import os
import re
import shutil
import signal
import subprocess

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
# What is not typed there, and why.
NOT_IN_BUILD = [(r"^(?:cmake|ctest|sha256sum) |^scripts/(?:setup|make_\w+)\.sh|"
                 r"^(?:python3 -m venv|sudo) |^(?:\S*/)?pip ", "installs: scripts/try_bare.sh")]
NOT_ON_ROOT = [(r"build/bench/|^bench/|--preset dev|^scripts/(?!setup|make_deb|make_wheel)|^ctest|"
                r"make_site|make_release|setup\.sh dist|DGBLITE_DIST|mpirun|gblite-dist",
                "of developers: docs_typed")]
# Parts and programs that are not there everywhere.
PROGRAM = re.compile(r"(?:\w+=\S+ )*(gblite-suitesparse|mpirun|mcl|mcxload|clm|nvcc)\b")
PROGRAM_OF_PAGES = ("PROGRAM", 'test -n "$LD_LIBRARY_PATH"')  # as gblite-suitesparse runs it
OWNER = []  # whose the files are, if not ours


def write(path, text):
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)
    if OWNER:
        os.chown(path, *OWNER)


def copy_sources(folder):
    """The files that git knows, or all but what builds have made."""
    listed = subprocess.run(["git", "-C", ROOT, "ls-files", "-z"], check=False, capture_output=True,
                            text=True)
    if listed.returncode:
        shutil.copytree(ROOT, folder, dirs_exist_ok=True,
                        ignore=shutil.ignore_patterns("build*", ".git"))
        return
    for name in filter(None, listed.stdout.split("\0")):
        if os.path.lexists(os.path.join(ROOT, name)):
            os.makedirs(os.path.dirname(os.path.join(folder, name)), exist_ok=True)
            shutil.copy2(os.path.join(ROOT, name), os.path.join(folder, name))


def lay_files(folder):
    """The sources, and what pages name without making it."""
    def at(name):
        return os.path.join(folder, name)

    copy_sources(folder)
    for name in os.listdir(at("examples")):
        if name.endswith((".c", ".h")):
            shutil.copy(at("examples/" + name), at(name))
    karate = at("examples/data/karate.mtx")
    write(at("graph.abc"), "a\tb\t2.5\nb\tc\t1\nd\te\t3\n")
    for name in "graph.mtx A.mtx B.mtx M.mtx G A B C proteins.mtx terms.mtx".split():
        shutil.copy(karate, at(name))
    for name in ("DIR", "FOLDER_OF_MTX_FILES"):
        os.makedirs(at(name))
        shutil.copy(karate, at(name))
    for name in ("OLD.json", "NEW.json"):
        shutil.copy(at("bench/results/run.json"), at(name))
    for name in ("roads.mtx", "web.mtx"):
        shutil.copy(at("examples/data/roads.mtx"), at(name))
    links = "from,to\nNew York,Boston\nBoston,Chicago\nChicago,New York\n"
    write(at("links.csv"), links)
    with bz2.open(at("links.csv.bz2"), "wt") as file:
        file.write(links)
    for name in ("proteins.abc", "proteins.tsv", "pairs.abc", "data.abc"):
        write(at(name), "a\tb\t2.5\nb\tc\t1\nd\te\t3\n")
    write(at("buyers.csv"), "ann,milk\nbob,milk\nbob,eggs\n")
    for name in ("graph.npz", "A.npz"):
        shutil.copy(at("test/files/scipy.npz"), at(name))
    shutil.copy(at("test/files/symmetric.rb"), at("A.rb"))
    for name, rows in (("one.mci", "0 0 1 $\n1 2 $\n"), ("two.mci", "0 0 $\n1 1 2 $\n"),
                       ("graph.txt", "0 1 2 $\n1 0 2 $\n2 0 1 $\n")):
        write(at(name), f"(mclheader\nmcltype matrix\ndimensions 3x{rows.count('$')}\n)\n"
                        f"(mclmatrix\nbegin\n{rows})\n")
    with gzip.open(at("links.tsv.gz"), "wt") as file:
        file.write("1\tx\t2\n2\tx\t3\n3\tx\t1\n")
    with gzip.open(at("web.txt.gz"), "wt") as file:
        file.write("1 2\n2 3\n3 1\n")
    write(at("lib/gblite-suitesparse/libgraphblas.so.9"), "")
    write(at("suitesparse_graphblas.libs/libgraphblas-0.so.9.4.5"), "")
    os.makedirs(at("build-demo"), exist_ok=True)


# -- typing ---------------------------------------------------------------------------------------


def finish(command, seconds, **how):
    """(exit status, or None: stopped after so many seconds; stdout; stderr)."""
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                          stdin=subprocess.PIPE, start_new_session=True, **how) as process:
        try:
            out, err = process.communicate("y\n" * 9, timeout=seconds)  # apt asks
            return process.returncode, out, err
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            return None, *process.communicate()


def sh(*command):
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)


# What a running machine has, and a root by debootstrap has not: processes, shared memory that
# anybody may use (tests of the packages do), terminals.
MOUNTS = [("proc", "proc"), ("tmpfs", "dev/shm", "-o", "mode=1777"),
          ("devpts", "dev/pts", "-o", "newinstance,ptmxmode=666,mode=620,gid=5")]

# Empties what an installation writes to, in a mount namespace that ends with the process.
MAKE_BARE = ("mount -t tmpfs none /mnt && mkdir /mnt/up /mnt/work && mount -t overlay overlay "
             "-o lowerdir=/etc,upperdir=/mnt/up,workdir=/mnt/work /etc && "
             "mount -t tmpfs none /usr/local")


class Here:
    """This machine, with BUILD installed."""

    python, left_out, what = "/usr/bin/python3", NOT_IN_BUILD, "a prefix"

    def __init__(self, build, place, bare):
        self.build, self.place = build, place
        self.folder = os.path.join(place, "folder")
        os.makedirs(self.folder)
        lay_files(self.folder)
        for name in ("build", "OLD_BUILD", "NEW_BUILD"):
            os.symlink(build, os.path.join(self.folder, name))
        os.symlink(os.path.join(build, "bench"), os.path.join(self.folder, "DIR/bench"))
        for name, does in (PROGRAM_OF_PAGES,
                           ("apt-get", "echo packages are missing >&2; exit 77")):
            write(os.path.join(place, "bin", name), f"#!/bin/sh\n{does}\n")
            os.chmod(os.path.join(place, "bin", name), 0o755)
        self.environment = self.install(bare)
        if bare:
            self.what = "a bare root"
        self.has_python = os.path.isdir(os.path.join(build, "python", "gblite"))

    def install(self, bare):
        """The environment of a reader's shell after it."""
        prefix = "/usr/local" if bare else os.path.join(self.place, "prefix")
        sh("cmake", "--install", self.build, "--prefix", prefix)
        environment = {"PATH": f"{self.place}/bin:{prefix}/bin:/usr/bin:/bin:/usr/sbin",
                       "HOME": self.place, "LC_ALL": "C.UTF-8", "OMP_NUM_THREADS": "2",
                       # four ranks on fewer processors, by root
                       "OMPI_MCA_rmaps_base_oversubscribe": "1", "OMPI_ALLOW_RUN_AS_ROOT": "1",
                       "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1"}
        package = os.path.join(self.build, "python", "gblite")
        version = subprocess.run(
            [self.python, "-c", "import sys; print('%d.%d' % sys.version_info[:2])"],
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

    def has(self, command):
        """Whether what the command runs is part of BUILD, or of the machine."""
        for name in re.findall(r"\bbuild/[\w./-]+", command):
            if not os.path.exists(os.path.join(self.folder, name)):
                return False
        wanted = PROGRAM.match(command)
        return not wanted or shutil.which(wanted[1], path=self.environment["PATH"]) is not None

    def type(self, command, seconds):
        return finish(["bash", "-c", "set -o pipefail; " + command], seconds, cwd=self.folder,
                      env=self.environment)


class Bare:
    """A copy of a root by debootstrap, in which an ordinary user has the sources."""

    python, left_out, what, has_python = "python3", NOT_ON_ROOT, "a bare Debian", True
    home = "home/reader/checkout"

    def __init__(self, root, place):
        self.root = os.path.join(place, "root")
        memory = os.path.join(place, "memory")
        for at in (self.root, memory):
            os.makedirs(at)
        sh("mount", "-t", "tmpfs", "none", memory)
        for at in ("up", "work"):
            os.makedirs(os.path.join(memory, at))
        sh("mount", "-t", "overlay", "overlay", "-o",
           f"lowerdir={root},upperdir={memory}/up,workdir={memory}/work", self.root)
        for kind, at, *how in MOUNTS:
            sh("mount", "-t", kind, *how, "none", os.path.join(self.root, at))
        for name in ("resolv.conf", "hosts", "pip.conf", "ssl/certs/ca-certificates.crt"):
            if os.path.exists("/etc/" + name):  # the way to the network
                shutil.copy("/etc/" + name, os.path.join(self.root, "etc", name))
        name, does = PROGRAM_OF_PAGES
        write(os.path.join(self.root, "usr/local/bin", name), f"#!/bin/sh\n{does}\n")
        os.chmod(os.path.join(self.root, "usr/local/bin", name), 0o755)
        sh("chroot", self.root, "useradd", "-m", "-s", "/bin/bash", "reader")
        write(os.path.join(self.root, "etc/sudoers.d/reader"), "reader ALL=(ALL) NOPASSWD: ALL\n")
        if "DEB_BUILD_OPTIONS" in os.environ:
            write(os.path.join(self.root, "home/reader/.variables"),
                  f"export DEB_BUILD_OPTIONS='{os.environ['DEB_BUILD_OPTIONS']}'\n")
        sh("chroot", self.root, "apt-get", "update", "-q")
        self.folder = os.path.join(self.root, self.home)
        lay_files(self.folder)
        self.needs("git")  # where the sources come from
        sh("chroot", self.root, "chown", "-R", "reader:", "/home/reader")
        OWNER[:] = os.stat(self.folder).st_uid, os.stat(self.folder).st_gid
        self.type("git init -q && git add -A && "
                  "git -c user.name=reader -c user.email=reader commit -qm sources", 60)

    def needs(self, *packages):
        """What a page says that it needs."""
        sh("chroot", self.root, "env", "DEBIAN_FRONTEND=noninteractive", "apt-get", "install", "-q",
           "-y", "--no-install-recommends", *packages)

    def has(self, command):
        wanted = PROGRAM.match(command)
        return not wanted or self.type("command -v " + wanted[1], 60)[0] == 0

    def type(self, command, seconds):
        """One shell after the other knows the variables of the last, as one terminal would."""
        return finish(["chroot", self.root, "su", "-", "reader", "-c",
                       "[ ! -e .variables ] || . ./.variables; cd checkout; set -o pipefail; "
                       f"{command}\ncode=$?; export -p >~/.variables; exit $code"], seconds)
