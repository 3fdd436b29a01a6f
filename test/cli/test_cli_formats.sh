#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
#
# Forms of files of other programs, compressed or not, by gblite convert: test_cli_formats.sh PROGRAM
# DATA. Where scipy is it reads and writes them too.
set -eu
export LC_ALL=C

source "$(dirname "$0")/functions.sh"
gblite=$(cd "$(dirname "$gblite")" && pwd)/$(basename "$gblite")
cd "$dir"

# convert FROM TO: one file into another.
convert() {
    run 0 convert "$1" -o "$2"
}

# entries FILE: lines "i j value" of a Matrix Market file.
entries() {
    grep -v '^%' "$1" | tail -n +2
}

"$gblite" gen rect:30:20:5 -o real.mtx >/dev/null
"$gblite" gen rect:30:20:5 --type integer -o whole.mtx >/dev/null
"$gblite" gen rect:25:25:3 --type pattern -o pattern.mtx >/dev/null
awk '/^%/ { print; next } !n { n = 1; $3 = 0; print; next } { next }' whole.mtx >empty.mtx
for kind in rb npz gbl mci tsv; do
    for of in real whole pattern empty; do
        [ "$kind $of" != "tsv empty" ] || continue
        convert $of.mtx $of.$kind
        convert $of.$kind back.mtx
        if [ $kind = tsv ] || [ $kind = mci ]; then # have no types, edges no shapes
            check "$of by $kind" test "$(entries back.mtx | wc -l)" = "$(entries $of.mtx | wc -l)"
        else
            check "$of by $kind" cmp -s $of.mtx back.mtx
        fi
    done
done
"$gblite" gen planted:3:10:5:1 --type pattern -o g.mtx >/dev/null
"$gblite" gen planted:3:10:5:1 --type integer -o weights.mtx >/dev/null
for of in g weights; do
    convert $of.mtx $of.graph
    convert $of.graph back.mtx
    check "$of by METIS" cmp -s $of.mtx back.mtx
done
run 1 convert pattern.mtx -o wrong.graph
check "says what a graph is" grep -q 'both directions and no loops' "$err"
run 1 convert real.mtx -o wrong.graph

for packed in gz zst bz2; do
    for kind in mtx tsv rb mci; do
        convert real.mtx real.$kind.$packed
        convert real.$kind.$packed back.mtx
        convert real.mtx plain.$kind
        convert plain.$kind want.mtx
        check "compressed, .$kind.$packed" cmp -s want.mtx back.mtx
    done
    convert g.mtx g.graph.$packed
    convert g.graph.$packed back.mtx
    check "compressed, .graph.$packed" cmp -s g.mtx back.mtx
done
for tool in gz:gzip zst:zstd bz2:bzip2; do
    command -v ${tool#*:} >/dev/null || continue
    cp real.mtx own.mtx
    check "${tool#*:} reads it" cmp -s real.mtx <(${tool#*:} -dc real.mtx.${tool%:*})
    (${tool#*:} -c real.mtx && ${tool#*:} -c </dev/null) >two.mtx.${tool%:*}
    convert two.mtx.${tool%:*} back.mtx
    check "two parts" cmp -s real.mtx back.mtx
    "$gblite" info - <two.mtx.${tool%:*} >"$out"
    check "from stdin" grep -q "^entries *$(entries real.mtx | wc -l)$" "$out"
    head -c 100 real.mtx.${tool%:*} >cut.mtx.${tool%:*}
    run 1 info cut.mtx.${tool%:*}
    check "cut short" grep -q '^gblite: .*cut.mtx.*early' "$err"
done
run 1 convert real.mtx -o real.gbl.zst
check "says which are not" grep -q 'not read compressed' "$err"
run 1 convert real.mtx -o absent/real.tsv.zst

python=none
for name in python3 /usr/bin/python3; do
    [ $python != none ] || ! $name -c 'import scipy' 2>/dev/null || python=$name
done
if [ $python = none ]; then
    echo "scipy is missing (Debian: python3-scipy): its files are not tested"
else
    $python - <<'END'
import numpy as np
import scipy.sparse as sp
from scipy.io import mmread, mmwrite

want = mmread("real.mtx").tocsr()
got = sp.load_npz("real.npz")
assert got.dtype == np.float64 and abs(got - want).nnz == 0
assert sp.load_npz("whole.npz").dtype == np.int64
assert sp.load_npz("pattern.npz").dtype == np.bool_
for name, matrix in {
    "csr": want, "csc": want.tocsc(), "coo": want.tocoo(), "stored": want, "wide": want,
    "complex": want * (1 + 2j), "single": want.astype(np.float32), "bytes": (want * 100).astype(np.uint8),
}.items():
    if name == "wide":
        matrix.indices, matrix.indptr = matrix.indices.astype(np.int64), matrix.indptr.astype(np.int64)
    sp.save_npz(f"from_{name}.npz", matrix, compressed=name != "stored")
    digits = 9 if matrix.dtype == np.float32 else 17  # more than a type has end in other bytes
    mmwrite(f"from_{name}_want.mtx", matrix.tocoo(), precision=digits)
sp.save_npz("from_dia.npz", sp.eye(4).todia())
END
    for of in csr csc coo stored wide single bytes complex; do
        convert from_$of.npz got.mtx
        convert from_${of}_want.mtx want.mtx
        if [ $of = single ]; then
            check "scipy's $of" test "$(entries got.mtx | wc -l)" = "$(entries real.mtx | wc -l)"
        else
            check "scipy's $of" cmp -s <(entries want.mtx | sort) <(entries got.mtx | sort)
        fi
    done
    run 1 info from_dia.npz
    check "says what to save" grep -q 'tocsr' "$err"
    "$gblite" gen er:5:3 -o square.mtx >/dev/null
    convert square.mtx square.rb
    check "scipy reads it" $python -c 'from scipy.io import hb_read, mmread
assert abs(hb_read("square.rb") - mmread("square.mtx")).max() == 0'
fi

names=$(cd "$(dirname "$0")/../files" && pwd)/quoted_names.csv
"$gblite" convert "$names" -o names.csv >/dev/null 2>&1
for kind in csv tsv edges; do
    convert "$names" names.again.$kind
    check "edges keep names" test "$(grep -c 'has no names' "$err")" = 0
    convert names.again.$kind names.back.csv
    check "names through .$kind" cmp -s names.csv names.back.csv
done
convert "$names" names.mtx
check "a matrix has no names" grep -q 'note: names.mtx: has no names of vertices, which are 1 to 6' "$err"
run 0 convert "$names" -o names.mtx --write-tab names.tab
check "which are written beside" test "$(grep -c 'has no names' "$err") $(grep -c '#d' names.tab)" = "0 1"
printf 'a b 9007199254740993\nb c 18446744073709551615\n' >"$dir/large.edges"
run 0 convert "$dir/large.edges" -o "$dir/large.tsv"
check "whole weights of 64 bits" grep -qx 'b	c	18446744073709551615' "$dir/large.tsv"
check "the smaller one too" grep -qx 'a	b	9007199254740993' "$dir/large.tsv"

echo "$failures checks failed"
test $failures = 0
