#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
#
# gblite under the name of mcl: test_cli_mcl.sh PROGRAM DATA. Options as pipelines give them, and
# matrices in the form of mcl.
set -eu
export LC_ALL=C

source "$(dirname "$0")/functions.sh"
ln -s "$(cd "$(dirname "$gblite")" && pwd)/$(basename "$gblite")" "$dir/mcl"
program=$(cd "$(dirname "$gblite")" && pwd)/$(basename "$gblite")
gblite=$dir/mcl
cd "$dir"

printf '%s\n' 'a b 1' 'b c 2' 'a c 1' 'd e 1' >s.abc
# comments, a column over two lines, a value left out
cat >s.mci <<'END'
# a graph
(mclheader
mcltype matrix
dimensions 5x5
)

(mclmatrix
begin

0    1:1
       2 $
1    0:1 2:2 $
2:7  0 1:2 $
3    4:1 $
4    3:1 $
)
END
printf '(mclheader\nmcltype matrix\ndimensions 5x2\n)\n(mclmatrix\nbegin\n0 0 1 2 $\n1 3 4 $\n)\n' >want
run 0 s.mci -I 1.5 -o got -te 2 -V all
check "clusters of a native matrix" cmp -s want got
check "muted" test ! -s "$out" -a ! -s "$err"
cp s.mci graph.txt # the name says edges, the first line says what it is
run 0 graph.txt -I 1.4 -q x -annot "a b"
check "the name that mcl gives" cmp -s want out.graph.txt.I14
check "tells where clusters are" grep -q 'output is in out.graph.txt.I14' "$err"
check "says nothing on stdout" test ! -s "$out"
run 0 s.abc --abc -I 1.5 -o got -te 4 -V all -scheme 7 -P 4000 -S 500 -R 600 -pct 90
printf 'a\tb\tc\nd\te\n' >want_labels
check "clusters by labels" cmp -s want_labels got
"$gblite" - --abc -o - -V all <s.abc >got
check "from stdin to stdout" cmp -s want_labels got
"$gblite" - -o - -V all <s.mci >got
check "a native matrix from stdin" cmp -s want got
run 0 s.abc --abc -abc-tf 'gq(1.5)' -o got -V all
check "edges of 1 are gone" grep -qx 'b	c' got
printf 'a b 1e-30\na b 1e-9\nb c 1e-200\nc d 0.5\nd e 1e-50\n' >blast.abc
run 0 blast.abc --abc --abc-neg-log10 -abc-tf 'gq(2), ceil(200)' -tf 'mul(2)' -o got -V all
printf 'a\tb\tc\nd\te\n' >want_labels
check "clusters by expectation values" cmp -s want_labels got
run 1 blast.abc --abc -abc-tf 'log(10)' -o got
check "says what to do" grep -q 'negative.*gq(0)' "$err"
run 1 blast.abc --abc -abc-tf 'foo(10)' -o got
check "says which there are" grep -q "foo(10).*ceil" "$err"
mkdir -p results
run 0 s.mci -I 1.4 -odir results -ap x. -aa .y -V all
check "the name of the parts" test -s results/x.out.s.mci.I14.y
cp s.mci results/t.mci
run 0 results/t.mci -I 1.4 --d --discard-loops=y --force-connected=n --check-connected=n -how-much-ram 100 -i 2 -V all
check "the folder of the file" test -s results/out.t.mci.I14

# graphs of mcxload: arcs lead from columns to rows; names are in a tab file, some indices left out
"$program" convert s.abc -o t.mci --write-tab t.tab >/dev/null 2>&1
printf '0\ta\n1\tb\n2\tc\n3\td\n4\te\n' >want
check "the names" cmp -s want t.tab
run 0 t.mci -I 1.5 -use-tab t.tab -o got -V all
check "clusters by a tab file" cmp -s want_labels got
printf '0\tfirst name\n4\tlast\n' >some.tab
run 0 t.mci -I 1.5 -use-tab some.tab -o got -V all
check "indices where there is no name" grep -qx 'first name	1	2' got
printf 'x\ty\n' >wrong.tab
run 1 t.mci -use-tab wrong.tab -o got
check "names the line" grep -q 'wrong.tab: line 1: ' "$err"
"$program" convert t.mci --tab t.tab -o back.tsv >/dev/null
check "arcs as they were" cmp -s <(tr ' ' '\t' <s.abc | sort) <(sort back.tsv)
cat >domain.mci <<'END'
(mclheader
mcltype matrix
dimensions 3x3
)
(mcldoms
2 30
400 $
)
(mclmatrix
begin
2 30:5 $
30 2 400:0.1 $
)
END
run 0 domain.mci -o got -V all
check "clusters of a part" grep -qx '0 2 30 400 [$]' got
check "the domain of its rows" grep -qx '2 30 400 [$]' got
"$program" bfs domain.mci --source 2 -o levels >/dev/null
check "vertices by their indices" grep -qx '400	2	30' levels
sed 's/^30 2/31 2/' domain.mci >wrong.mci
run 1 wrong.mci -o got
check "names the line" grep -q 'wrong.mci: line 12: an index is not in the domain' "$err"
sed 's/^400/40/' domain.mci | sed 's/^2 30$/2 300/' >wrong.mci
run 1 wrong.mci -o got
check "domains ascend" grep -q 'wrong.mci: line 7: ' "$err"
for wrong in "s.abc s.mci" "s.abc --sif" "s.abc --abc -o" "s.mci -overlap keep" "--abc" "s.mci -scheme 9"; do
    run 2 $wrong
    check "says which" grep -q '^gblite: gblite-mcl ' "$err"
done
run 0 --version
run 0 -h

line() { # NUMBER TEXT: that line of s.mci becomes the text, the run fails and names the line
    awk -v at="$1" -v text="$2" 'NR == at { print text; next } { print }' s.mci >wrong.mci
    run 1 wrong.mci -o got
    check "names the line" grep -q "wrong.mci: line $1: " "$err"
}
line 4 'dimensions 5'
line 7 '(mclother'
line 12 '1    0:1 5:2 $'
line 12 '1    0:1 2:-2 $'
line 12 '1    0:1 2:nan $'
line 12 '1    0:1 2: $'
line 12 '1    0:1 x $'
head -14 s.mci >wrong.mci
run 1 wrong.mci -o got
check "says what is missing" grep -q 'line 15: ' "$err"

echo "$failures checks failed"
test $failures = 0
