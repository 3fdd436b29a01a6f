#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
#
# Files as people have them: test_cli_files.sh PROGRAM DATA. Each line of test/files/expected.tsv is a
# file, a command line on it, the exit code, and what its output must have; no file is without one.
set -u
export LC_ALL=C

gblite=$(realpath "$1")
cd "$(dirname "$0")/../files" || exit 1
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
failures=0
checked=0

fail() {
    echo "FAIL  $*"
    failures=$((failures + 1))
}

while IFS=$'\t' read -r file arguments code pattern; do
    [ "${file:0:1}" != '#' ] || continue
    eval "set -- ${arguments//FILE/$file}"
    "$gblite" "$@" >"$dir/out" 2>"$dir/err" </dev/null
    got=$?
    checked=$((checked + 1))
    [ "$got" = "$code" ] || fail "$file: '$arguments' exits with $got, not $code: $(head -c 300 "$dir/err")"
    cat "$dir/out" "$dir/err" | grep -qP -- "$pattern" ||
        fail "$file: '$arguments' does not print '$pattern' but: $(head -c 400 "$dir/out" "$dir/err")"
done <expected.tsv

for file in *; do
    grep -q "^$file	" expected.tsv || [ "$file" = expected.tsv ] || fail "$file is not in expected.tsv"
done
for lines in $'1 2\n2 3' $'%%MatrixMarket matrix coordinate pattern general\n3 3 2\n1 2\n2 3'; do
    "$gblite" info - <<<"$lines" 2>/dev/null | grep -q '^entries *2$' || fail "stdin: $lines"
    gzip <<<"$lines" | "$gblite" info - 2>/dev/null | grep -q '^entries *2$' || fail "gzip: $lines"
done
for form in gbl mci h5; do # of which there is no file here
    "$gblite" convert scipy.npz -o "$dir/a.$form" >/dev/null 2>"$dir/err" || { grep -q HDF5 "$dir/err" && continue; }
    mv "$dir/a.$form" "$dir/a.data"
    "$gblite" info "$dir/a.data" 2>"$dir/err" | grep -q '^entries *2$' || fail "a.$form under another name"
    grep -q 'its name does not say what it is; read as a' "$dir/err" || fail "a.$form is read without a note"
done
echo "$checked runs, $failures failures"
[ "$checked" -ge 100 ] && [ "$failures" -eq 0 ]
