#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
#
# try.py META: what the filled recipe says, with stand-ins for conda's functions: complains of sections
# that conda-forge wants and it lacks, and prints the commands of its test, a line each.
# scripts/try_recipes.sh calls it.
import sys

import jinja2
import yaml

WANTED = {"package": ["name", "version"], "source": ["url", "sha256"], "build": ["number"],
          "requirements": ["build", "host", "run"], "test": ["imports", "commands"],
          "about": ["home", "summary", "license", "license_file"], "extra": ["recipe-maintainers"]}
FUNCTIONS = {"compiler": lambda language: language + "_compiler", "stdlib": lambda name: name + "_stdlib",
             "pin_subpackage": lambda name, **_: name}


def main():
    with open(sys.argv[1], encoding="utf-8") as file:
        text = jinja2.Template(file.read(), undefined=jinja2.StrictUndefined).render(**FUNCTIONS)
    recipe = yaml.safe_load(text)
    lacks = [f"{section}/{key}" for section, keys in WANTED.items() for key in keys
             if not recipe.get(section, {}).get(key) and recipe.get(section, {}).get(key) != 0]
    if lacks or "@" in str(recipe["source"]):
        sys.exit(f"{sys.argv[1]}: lacks {', '.join(lacks) or 'values of make_release.sh'}")
    for name in recipe["test"]["imports"]:
        print(f"python -c 'import {name}'")
    print("\n".join(recipe["test"]["commands"]))


main()
