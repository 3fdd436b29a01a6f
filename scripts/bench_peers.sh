#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# bench_peers.sh: fetches Intel MKL for bench/run into build-peers/, from the wheel `mkl` of the
# Python package index (220 MB). bench/run finds it there; without it, it leaves MKL out. Nothing is
# installed; remove the folder to undo. MKL is under Intel's Simplified Software License.
set -euo pipefail
cd "$(dirname "$0")/.."
folder=build-peers
if [ -e $folder/libmkl_rt.so ]; then
    echo "bench_peers: $folder/libmkl_rt.so is there already"
    exit 0
fi
scripts/setup.sh test python3-pip
mkdir -p $folder
wheels=$(mktemp -d)
trap 'rm -rf "$wheels"' EXIT
/usr/bin/python3 -m pip download --quiet --no-deps --dest "$wheels" mkl
/usr/bin/python3 - "$wheels" $folder <<'PYTHON'
import os
import re
import sys
import zipfile

wheels, folder = sys.argv[1:]
wanted = re.compile(r"/lib/(libmkl_(rt|core|gnu_thread|intel_lp64|def|avx\w*|mc3)\.so)\.\d+$")
for wheel in os.listdir(wheels):
    with zipfile.ZipFile(os.path.join(wheels, wheel)) as archive:
        for name in archive.namelist():
            if wanted.search(name):
                path = os.path.join(folder, os.path.basename(name))
                with archive.open(name) as source, open(path, "wb") as target:
                    while block := source.read(1 << 20):
                        target.write(block)
PYTHON
rt=$(find $folder -name 'libmkl_rt.so.*' | head -n 1)
if [ -z "$rt" ]; then
    echo "bench_peers: the wheel has no libmkl_rt.so; its layout may have changed" >&2
    exit 1
fi
ln -s "$(basename "$rt")" $folder/libmkl_rt.so
echo "bench_peers: $rt"
