#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# names.sh LIBGRAPHBLAS TABLE AWK-SCRIPT: the library exports each predefined object of the table,
# and nothing but SuiteSparse's kind of names; with SUITESPARSE_REAL set to a libgraphblas of
# SuiteSparse's, every public symbol of that one too.
set -eu
library=$1 table=$2 script=$3
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
nm -D --defined-only "$library" | awk '{ sub(/@.*/, "", $3); print $3 }' | sort -u >"$folder/ours"
awk -v want=names -f "$script" "$table" | sort -u >"$folder/table"
[ "$(wc -l <"$folder/table")" -eq 2634 ] || { echo "the table has $(wc -l <"$folder/table") names"; exit 1; }
missing() { comm -23 "$1" "$folder/ours" | tee "$folder/missing" | head -n 20; [ ! -s "$folder/missing" ]; }
missing "$folder/table"
if grep -vE '^(G[rx]B_|GB_(Vector_)?Iterator_)' "$folder/ours"; then echo "are no names of SuiteSparse's"; exit 1; fi
if [ -n "${SUITESPARSE_REAL:-}" ]; then
    nm -D --defined-only "$SUITESPARSE_REAL" | awk '{ sub(/@.*/, "", $3); print $3 }' |
        grep -E '^(G[rx]B_|GB_(Vector_)?Iterator_(attach|rc_|bitmap_seek))' | sort -u >"$folder/real"
    missing "$folder/real"
fi
