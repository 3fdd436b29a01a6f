#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# test_api_page.sh GBLITE DATA: docs/api.md is what scripts/api_page.sh makes of the headers now, and
# its functions are those that the shared libraries beside the program export, no more and no fewer.
set -uo pipefail
export LC_ALL=C
build=$(cd "$(dirname "$1")" && pwd)
cd "$(dirname "$0")/../.." || exit 1
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT

scripts/api_page.sh - >"$dir/page" || exit 1
if ! diff -u docs/api.md "$dir/page"; then
    echo "docs/api.md is not what the headers say: run scripts/api_page.sh"
    exit 1
fi

# name_T of a line that lists types is one function for each of them.
sed -nE 's/^- `[^(]*\b(gbl_[A-Za-z0-9_]+)\([^`]*`(, T: ([^:]*))?:.*/\1 \3/p' docs/api.md |
    sed -E 's/numbers/BOOL INT8 INT16 INT32 INT64 UINT8 UINT16 UINT32 UINT64 FP32 FP64/; s/,//g' |
    awk 'NF == 1 {print $1} {for (k = 2; k <= NF; k++) {name = $1; sub(/_T$/, "_" $k, name); print name}}' |
    sort >"$dir/listed"
nm -D --defined-only "$build/libgblite.so" "$build/libgblite_io.so" |
    awk '$2 == "T" && $3 ~ /^gbl_/ {sub(/@.*/, "", $3); print $3}' | sort >"$dir/exported"
[ -s "$dir/exported" ] || { echo "nm finds no function in $build/libgblite.so"; exit 1; }
if ! diff "$dir/listed" "$dir/exported" >"$dir/differ"; then
    echo "functions on docs/api.md (<) and exported by the libraries (>) differ:"
    cat "$dir/differ"
    exit 1
fi
echo "api page: $(wc -l <"$dir/listed") functions"
