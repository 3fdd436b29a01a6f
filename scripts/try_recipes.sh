#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# try_recipes.sh [CMAKE_ARGUMENT...]: builds, installs and tests by the recipes for conda and Homebrew as
# make_release.sh fills them, from its archive of the sources, without conda and Homebrew: a Python
# environment is conda's prefix, and packaging/*/try.* stand in for what these tools define. Wants
# ruby, and cmake_args of conda's build, as -DGBLITE_ISAS=best, come from the command line.
set -euo pipefail
cd "$(dirname "$0")/.."
scripts/setup.sh build python3-venv python3-jinja2 python3-yaml ruby
root=$PWD place=$PWD/build-recipes
scripts/make_release.sh "$place/release" >/dev/null
version=$(sed -n 's/^{% set version = "\(.*\)" %}/\1/p' "$place/release/recipes/conda/meta.yaml")
recipes=$place/release/recipes

unpack() { # unpack NAME: the sources alone, in a folder of this name
    rm -rf "${place:?}/$1"
    mkdir -p "$place/$1"
    tar -xzf "$place/release/gblite-$version.tar.gz" --strip-components=1 -C "$place/$1"
}

unpack conda
rm -rf "$place/prefix"
/usr/bin/python3 -m venv "$place/prefix"
"$place/prefix/bin/pip" -q install cffi numpy scipy 'scikit-build-core>=0.8' setuptools
(
    cd "$place/conda"
    PATH=$place/prefix/bin:$PATH PREFIX=$place/prefix PYTHON=$place/prefix/bin/python CMAKE_ARGS="$*" \
        SKBUILD_CMAKE_ARGS="$(IFS=';' && echo "$*")" bash "$recipes/conda/build.sh" >"$place/conda.log" 2>&1 ||
        { tail -n 30 "$place/conda.log"; exit 1; }
)
/usr/bin/python3 -B "$root/packaging/conda/try.py" "$recipes/conda/meta.yaml" >"$place/tests"
while read -r command; do
    (cd "$place" && PATH=$place/prefix/bin:$PATH PREFIX=$place/prefix LD_LIBRARY_PATH=$place/prefix/lib \
        bash -c "$command" >/dev/null) || { echo "conda: $command fails"; exit 1; }
done <"$place/tests"
echo "conda: installed, and $(wc -l <"$place/tests") commands of its test pass"

unpack homebrew
(cd "$place/homebrew" && ruby "$root/packaging/homebrew/try.rb" "$recipes/homebrew/gblite.rb" "$place/cellar")
