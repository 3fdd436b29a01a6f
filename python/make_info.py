#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
#
# make_info.py VERSION FOLDER: writes METADATA and entry_points.txt into FOLDER, a .dist-info, of
# what pyproject.toml says: for installations without pip, as those of distributions are.
# Needs Python 3.11, or tomli.
import os
import sys

try:
    import tomllib
except ImportError:  # before Python 3.11
    import tomli as tomllib


def metadata(project, version, readme):
    lines = ["Metadata-Version: 2.1", f"Name: {project['name']}", f"Version: {version}",
             f"Summary: {project['description']}", f"License: {project['license']['text']}",
             f"Requires-Python: {project['requires-python']}",
             "Description-Content-Type: text/markdown"]
    lines += [f"Requires-Dist: {need}" for need in project["dependencies"]]
    for extra, needs in project["optional-dependencies"].items():
        lines.append(f"Provides-Extra: {extra}")
        lines += [f'Requires-Dist: {need}; extra == "{extra}"' for need in needs]
    return "\n".join(lines) + "\n\n" + readme


def entry_points(project):
    groups = []
    for group, entries in project["entry-points"].items():
        groups.append(f"[{group}]\n" + "".join(f"{k} = {v}\n" for k, v in entries.items()))
    return "\n".join(groups)


HERE = os.path.dirname(os.path.abspath(__file__))


def project():
    """What pyproject.toml says of the package."""
    with open(os.path.join(HERE, "pyproject.toml"), "rb") as file:
        return tomllib.load(file)["project"]


def main():
    version, folder = sys.argv[1:]
    about = project()
    with open(os.path.join(HERE, about["readme"]), encoding="utf-8") as file:
        readme = file.read()
    os.makedirs(folder, exist_ok=True)
    for name, text in (("METADATA", metadata(about, version, readme)),
                       ("entry_points.txt", entry_points(about))):
        with open(os.path.join(folder, name), "w", encoding="utf-8") as file:
            file.write(text)


if __name__ == "__main__":
    main()
