#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
#
# gblite under the name of mcl: test_cli_mcl.sh PROGRAM DATA. Options as pipelines give them, and
# matrices in the form of mcl.
set -eu
export LC_ALL=C

source "$(dirname "$0")/functions.sh"
ln -s "$(cd "$(dirname "$gblite")" && pwd)/$(basename "$gblite")" "$dir/mcl"
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
for wrong in "s.abc s.mci" "s.abc -tf gq(1)" "s.abc --abc -o" "s.mci -overlap keep" "--abc" "s.mci -scheme 9"; do
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
line 7 '(mclrows'
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
