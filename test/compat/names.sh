#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# names.sh LIBGRAPHBLAS TABLE AWK-SCRIPT PAGE: the library exports each predefined object of the
# table, and nothing but SuiteSparse's kind of names; the page lists what the table says is absent,
# and no more; with SUITESPARSE_REAL set to a libgraphblas of
# SuiteSparse's, every public symbol of that one too.
set -eu
library=$1 table=$2 script=$3 page=$4
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
nm -D --defined-only "$library" | awk '{ sub(/@.*/, "", $3); print $3 }' | sort -u >"$folder/ours"
awk -v want=names -f "$script" "$table" | sort -u >"$folder/table"
[ "$(wc -l <"$folder/table")" -eq 2634 ] || { echo "the table has $(wc -l <"$folder/table") names"; exit 1; }
missing() { comm -23 "$1" "$folder/ours" | tee "$folder/missing" | head -n 20; [ ! -s "$folder/missing" ]; }
missing "$folder/table"
if grep -vE '^(G[rx]B_|GB_(Vector_)?Iterator_|GB_Global_GrB_init_called_set$)' "$folder/ours"; then echo "are no names of SuiteSparse's"; exit 1; fi
awk '$1 == "absent" { for (k = 2; k <= NF; k++) print $k }' "$table" | sort >"$folder/absent"
missing "$folder/absent"
sed -n '/^Functions that answer/,/^`GxB_Type_new`/p' "$page" | grep -oE '`GxB_[A-Za-z]+_(get|set)_[A-Z][A-Za-z0-9]*`' |
    tr -d '`' | grep -vx GxB_Context_get_INT | sort >"$folder/page"
diff "$folder/absent" "$folder/page" || { echo "$page does not list what answers GrB_NOT_IMPLEMENTED"; exit 1; }
if [ -n "${SUITESPARSE_REAL:-}" ]; then
    nm -D --defined-only "$SUITESPARSE_REAL" | awk '{ sub(/@.*/, "", $3); print $3 }' |
        grep -E '^(G[rx]B_|GB_(Vector_)?Iterator_(attach|rc_|bitmap_seek))' | sort -u >"$folder/real"
    missing "$folder/real"
fi
