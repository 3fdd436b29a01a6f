#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# bench_peers.sh [mkl|suitesparse]...: fetches the peers of `bench run` into build-peers/ from the Python
# package index; both unless one is named:
#   mkl          Intel MKL (220 MB), under Intel's Simplified Software License. `bench run` finds it
#                there; without it, it leaves MKL out
#   suitesparse  the newest SuiteSparse:GraphBLAS (23 MB), under Apache-2.0, for
#                build/bench/bench run --suitesparse build-peers/suitesparse/libgraphblas.so
# Nothing is installed but python3-pip; remove the folder to undo.
set -euo pipefail
cd "$(dirname "$0")/.."
folder=build-peers
wheels=$(mktemp -d)
trap 'rm -rf "$wheels"' EXIT

# extract PACKAGE FOLDER PATTERN: the files of the package's wheel whose paths match, without folders
extract() {
    scripts/setup.sh test python3-pip
    mkdir -p "$2"
    /usr/bin/python3 -m pip download --quiet --no-deps --only-binary=:all: --dest "$wheels/$1" "$1"
    /usr/bin/python3 - "$wheels/$1" "$2" "$3" <<'PYTHON'
import os
import re
import sys
import zipfile

wheels, folder, pattern = sys.argv[1:]
for wheel in os.listdir(wheels):
    with zipfile.ZipFile(os.path.join(wheels, wheel)) as archive:
        for name in archive.namelist():
            if re.search(pattern, name):
                path = os.path.join(folder, os.path.basename(name))
                with archive.open(name) as source, open(path, "wb") as target:
                    while block := source.read(1 << 20):
                        target.write(block)
PYTHON
}

# peer PACKAGE FOLDER LIBRARY PATTERN: FOLDER/LIBRARY.so leads to the library
peer() {
    local found
    if [ -e "$2/$3.so" ]; then
        echo "bench_peers: $2/$3.so is there already"
        return
    fi
    extract "$1" "$2" "$4"
    found=$(find "$2" -name "$3[-.]*so*" | head -n 1)
    if [ -z "$found" ]; then
        echo "bench_peers: the wheel of $1 has no $3.so; its layout may have changed" >&2
        exit 1
    fi
    ln -s "$(basename "$found")" "$2/$3.so"
    echo "bench_peers: $found"
}

[ $# -gt 0 ] || set -- mkl suitesparse
for name in "$@"; do
    case $name in
    mkl)
        peer mkl $folder libmkl_rt '/lib/libmkl_(rt|core|gnu_thread|intel_lp64|def|avx\w*|mc3)\.so\.\d+$'
        ;;
    suitesparse)
        # Its OpenMP runtime lies beside it; preloaded, it is the one of the whole process.
        peer suitesparse-graphblas $folder/suitesparse libgraphblas '\.libs/lib(graphblas|gomp)-'
        ;;
    *)
        echo "bench_peers: no peer '$name'; there are mkl and suitesparse" >&2
        exit 64
        ;;
    esac
done
