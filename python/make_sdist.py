#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""make_sdist.py FOLDER: the source distribution of the Python package, gblite-VERSION.tar.gz.

It has the parts of the repository that the package is built of, so that pip needs nothing else than
a C compiler and zlib's headers: cmake and ninja come from PyPI where they are missing. The same
sources give the same bytes.
"""
import gzip
import io
import os
import re
import sys
import tarfile

import make_info

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
PARTS = ["CHANGELOG.md", "CMakeLists.txt", "LICENSE", "README.md", "cmake", "examples", "include",
         "python", "src"]  # fmt: skip
# pyproject.toml is read in the folder above the one where it is kept.
MOVED = [('backend-path = ["."]', 'backend-path = ["python"]'),
         ('readme = "README.md"', 'readme = "python/README.md"'),
         ('cmake.source-dir = ".."', 'cmake.source-dir = "."'),
         ('metadata.version.input = "../include/', 'metadata.version.input = "include/')]


def read(*path):
    with open(os.path.join(ROOT, *path), encoding="utf-8") as file:
        return file.read()


def version():
    header = read("include", "gblite.h")
    return ".".join(re.search(rf"VERSION_{part} (\d+)", header)[1]
                    for part in ("MAJOR", "MINOR", "PATCH"))


def files():
    """Paths below the root, sorted."""
    found = []
    for part in PARTS:
        whole = os.path.join(ROOT, part)
        if os.path.isfile(whole):
            found.append(part)
        for folder, inside, names in os.walk(whole):
            inside[:] = [name for name in inside if name != "__pycache__"]
            found += [os.path.relpath(os.path.join(folder, name), ROOT) for name in names
                      if not name.endswith((".pyc", ".so"))]
    return sorted(found)


def pyproject():
    text = read("python", "pyproject.toml")
    for old, new in MOVED:
        assert text.count(old) == 1, old
        text = text.replace(old, new)
    return text


def make(folder):
    """Writes the archive; returns its name."""
    name = f"gblite-{version()}"
    about = make_info.metadata(make_info.project(), version(), read("python", "README.md"))
    added = {"pyproject.toml": pyproject(), "PKG-INFO": about}
    path = os.path.join(folder, name + ".tar.gz")
    with open(path, "wb") as raw, gzip.GzipFile("", "wb", mtime=0, fileobj=raw) as packed:
        with tarfile.open(fileobj=packed, mode="w", format=tarfile.PAX_FORMAT) as archive:
            for source in files():
                with open(os.path.join(ROOT, source), "rb") as file:
                    _add(archive, f"{name}/{source}", file.read())
            for target, text in added.items():
                _add(archive, f"{name}/{target}", text.encode())
    return os.path.basename(path)


def _add(archive, name, content):
    entry = tarfile.TarInfo(name)
    entry.size, entry.mode = len(content), 0o644
    archive.addfile(entry, io.BytesIO(content))


if __name__ == "__main__":
    print(make(sys.argv[1]))
