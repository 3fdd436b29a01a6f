#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
#
# Binsparse files: test_cli_binsparse.sh PROGRAM DATA. Round trips in all formats; where Python has
# h5py, files that others write and read (binsparse_files.py). A program without HDF5 must say so.
set -u
export LC_ALL=C

gblite=$1
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
failures=0

fail() {
    echo "FAIL  $*"
    failures=$((failures + 1))
}

if ! "$gblite" convert er:4:2 -o "$dir/a.h5" >/dev/null 2>"$dir/err"; then
    grep -q "built without HDF5" "$dir/err" || { cat "$dir/err"; fail "no reason is given"; }
    "$gblite" info "$dir/none.h5" 2>&1 | grep -q "built without HDF5" || fail "info of a .h5 file"
    exit $((failures > 0))
fi

# trip OPERAND FORMAT: written, read, and written as text, the matrix is what it was.
trip() {
    [ "$1" = "${before:-}" ] || "$gblite" convert "$1" -o "$dir/before.mtx" >/dev/null
    before=$1
    "$gblite" convert "$1" --format "$2" -o "$dir/$2.h5" >/dev/null &&
        "$gblite" convert "$dir/$2.h5" -o "$dir/after.mtx" >/dev/null &&
        cmp "$dir/before.mtx" "$dir/after.mtx" || fail "$1 as $2"
}
for operand in er:7:4 rect:30:9:2; do
    for format in CSR CSC DCSR DCSC COOR COO COOC; do trip $operand $format; done
done
for format in DMATR DMAT DMATC; do trip decay:9:paper $format; done
trip rect:1:1:1 DVEC
"$gblite" convert er:5:4 --format CVEC -o "$dir/c.h5" 2>&1 | grep -q "CVEC is a vector" ||
    fail "a matrix as a vector"
"$gblite" convert er:5:4 --format DMATR -o "$dir/c.h5" 2>&1 | grep -q "value at every place" ||
    fail "a sparse matrix as a dense one"
"$gblite" convert er:5:4 --format CRS -o "$dir/c.h5" 2>&1 | grep -q "no format 'CRS'" ||
    fail "a format that is none"
"$gblite" convert er:5:4 --format CSR -o "$dir/c.mtx" 2>&1 | grep -q "names end in .h5" ||
    fail "--format of a text"
"$gblite" tc rmats:6:4 --json | sed 's/"seconds.*//' >"$dir/tc"
"$gblite" convert rmats:6:4 -o "$dir/g.h5" >/dev/null
"$gblite" tc "$dir/g.h5" --json | sed 's/"seconds.*//' | sed "s,$dir/g.h5,rmats:6:4," |
    cmp - "$dir/tc" || fail "a command on a binsparse file"

for python in python3 /usr/bin/python3; do
    "$python" -c 'import h5py' 2>/dev/null || continue
    "$python" "$(dirname "$0")/binsparse_files.py" "$gblite" "$dir" || fail "$python"
    break
done
exit $((failures > 0))
