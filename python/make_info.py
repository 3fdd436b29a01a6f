#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
#
# make_info.py VERSION FOLDER: writes METADATA and entry_points.txt into FOLDER, a .dist-info, of
# what pyproject.toml says: for installations without pip, as those of distributions are.
# Needs Python 3.11.
import os
import sys
import tomllib


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


def main():
    version, folder = sys.argv[1:]
    here = os.path.dirname(os.path.abspath(__file__))
    with open(os.path.join(here, "pyproject.toml"), "rb") as file:
        project = tomllib.load(file)["project"]
    with open(os.path.join(here, project["readme"]), encoding="utf-8") as file:
        readme = file.read()
    os.makedirs(folder, exist_ok=True)
    for name, text in (("METADATA", metadata(project, version, readme)),
                       ("entry_points.txt", entry_points(project))):
        with open(os.path.join(folder, name), "w", encoding="utf-8") as file:
            file.write(text)


main()
