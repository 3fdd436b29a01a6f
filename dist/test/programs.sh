#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# programs.sh MPIEXEC GBLITE_DIST GBLITE: the commands of gblite-dist give what those of gblite give.
set -uo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
dist() { # dist PROCESSES ARGUMENT...
    bash "$(dirname "$0")/run.sh" "$mpiexec" "$1" "$dist" "${@:2}" 2>"$folder/errors"
}
mpiexec=$1 dist=$2 gblite=$3
failed=0

fail() {
    echo "$*" >&2
    failed=1
}

# The facts of a report that any number of processes shares.
facts() {
    grep -E "^($1) " | sort
}

same() { # same FACTS ARGUMENT...
    local wanted got
    wanted=$("$gblite" "${@:2}" | facts "$1")
    [ -n "$wanted" ] || fail "gblite ${*:2}: nothing to compare"
    got=$(dist 4 "${@:2}" | facts "$1")
    [ "$got" = "$wanted" ] || fail "4 processes, ${*:2}: $got, wanted $wanted"
}

same triangles tc rmats:8:8
same triangles tc --undirected er:7:9
same 'source|reached|depth|levels' bfs -s 3 rmat:8:6
same 'rows|columns|entries' mxm er:7:5 rmat:7:4
same 'rows|columns|entries' mxm -s min_plus -m er:7:9:3 -c er:7:5
same 'rows|columns|entries|type|empty_rows|row_mean|row_max|empty_columns|column_max|diagonal|symmetric_pattern|square_flops' \
    info er:7:5
same 'clusters|sizes|attractors|overlap|steps' mcl -o "$folder/clusters" planted:8:20:9:1

"$gblite" mcl planted:8:20:9:1 >"$folder/wanted"
dist 1 mcl planted:8:20:9:1 >"$folder/got"
cmp "$folder/wanted" "$folder/got" || fail "mcl: other clusters"
dist 9 mcl -o "$folder/clusters" planted:8:20:9:1 >"$folder/report"
cmp "$folder/wanted" "$folder/clusters" || fail "mcl: other clusters on 9 processes"
GBLITE_MEMORY_LIMIT=200K dist 4 mcl -o "$folder/clusters" planted:8:20:9:1 >"$folder/report"
cmp "$folder/wanted" "$folder/clusters" || fail "mcl: other clusters within a memory limit"
grep -qE '^phases +([2-9]|[1-9][0-9])' "$folder/report" ||
    fail "mcl: no phases: $(cat "$folder/report" "$folder/errors")"
"$gblite" mxm -s plus_times_int64 rmat:7:4 -o "$folder/wanted.mtx" >"$folder/report"
dist 4 mxm -s plus_times_int64 rmat:7:4 -o "$folder/got.mtx" >"$folder/report"
cmp "$folder/wanted.mtx" "$folder/got.mtx" || fail "mxm: another product"
dist 4 bfs --json -o "$folder/levels" rmat:7:6 | python3 -m json.tool >"$folder/report" ||
    fail "bfs --json: $(cat "$folder/errors")"
[ "$(wc -l <"$folder/levels")" -gt 10 ] || fail "bfs: no levels written"

# Errors: one line of process 0, and its exit code.
if dist 4 tc "$folder/missing.mtx"; then fail "a missing file is no error"; fi
[ "$(grep -c '^gblite-dist: .*missing.mtx' "$folder/errors")" -eq 1 ] ||
    fail "a missing file: $(cat "$folder/errors")"
if dist 4 tc rmat:7:4; then fail "a directed graph is no error"; fi
grep -q -e --undirected "$folder/errors" || fail "a directed graph: $(cat "$folder/errors")"
dist 4 mxm
[ $? -eq 2 ] || fail "bad usage has another exit code"
GBLITE_MEMORY_LIMIT=100 dist 1 mxm er:7:5 && fail "no memory is no error"
grep -q GBL_MEMORY_LIMIT "$folder/errors" || fail "no memory: $(cat "$folder/errors")"
exit $failed
