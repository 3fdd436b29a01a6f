#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
#
# The examples: test_examples.sh PROGRAM DATA, where the examples lie in the folder examples beside
# PROGRAM. Their results on Zachary's karate club and on a map of six towns are known.
set -eu
export LC_ALL=C

examples=$(dirname "$1")/examples
karate=$(cd "$(dirname "$0")/../.." && pwd)/examples/data/karate.mtx
roads=$(dirname "$karate")/roads.mtx
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
failures=0

if [ ! -d "$examples" ]; then
    echo "skipped: the examples are not built"
    exit 0
fi

# expect CODE PATTERN COMMAND...: the exit code, and a line of the output that matches.
expect() {
    local want=$1 pattern=$2 code=0
    shift 2
    "$examples/$1" "${@:2}" >"$dir/out" 2>&1 </dev/null || code=$?
    if [ $code = "$want" ] && grep -Eq "$pattern" "$dir/out"; then
        echo "ok    $* -> $pattern"
    else
        echo "FAIL  $*: exit $code, want $want and a line that matches '$pattern'"
        sed 's/^/      /' "$dir/out"
        failures=$((failures + 1))
    fi
}

mtx() {
    printf '%%%%MatrixMarket matrix coordinate real general\n%s\n' "$2" >"$dir/$1.mtx"
}

expect 0 ' has 45 triangles$' triangle_count "$karate"
expect 0 ' has [1-9][0-9]* triangles$' triangle_count
expect 0 ' has 161700 triangles$' triangle_count band:100:99
expect 0 '^A\^4: norm [0-9.e-]+, error at most [0-9.e-]+, [0-9.]+ % of the products' \
    decay_powers decay:200:exp:0.5:1 4 1e-6
expect 2 '^usage: decay_powers' decay_powers decay:20:paper 1
expect 1 '^decay_powers: ' decay_powers no_such_file
expect 0 '^trace 100\.0000[0-9]*: 100 eigenvalues below the level$' purification 200 1e-9
expect 2 '^usage: purification' purification 1
expect 0 '^100\.0 % of the products: error 0 ' convolution
expect 0 '^ 20\.[0-9] % of the products: error [0-9.e-]+ of the output' convolution
expect 0 ' has 0 triangles$' triangle_count band:100:1
expect 1 missing.mtx triangle_count "$dir/missing.mtx"

expect 0 '^ +1 +16 ' bfs "$karate" 1
expect 0 '^ +3 +8 ' bfs "$karate" 1
expect 0 'reaches 34 vertices' bfs "$karate" 1
expect 0 'reaches 100 vertices' bfs band:100:1 100
expect 0 '^ +99 +1 ' bfs band:100:1 100
expect 1 '^bfs: ' bfs "$karate" 35

expect 0 ' 2 clusters of 34 vertices$' markov_cluster "$karate" 2
expect 0 ' clusters of 1024 vertices$' markov_cluster
mtx islands '5 5 4
1 2 1
2 1 1
3 4 7
4 3 7'
expect 0 ' 3 clusters of 5 vertices$' markov_cluster "$dir/islands.mtx"

# To vertex 6 two roads are 7 long; the one with 2 edges wins over the one with 3.
expect 0 '^of [0-9]+ edges, vertex 1 reaches [0-9]+ vertices$' changing_graph rmats:8:8 1000
expect 0 '^ +1 +0 +0$' own_semiring
expect 0 '^ +1 +0 +0$' own_semiring "$roads"
expect 0 '^ +4 +5 +2$' own_semiring "$roads"
expect 0 '^ +5 +6 +2$' own_semiring "$roads"
expect 0 '^ +6 +7 +2$' own_semiring "$roads"
expect 0 '^ +34 +2 +2$' own_semiring "$karate" 1
mtx descent '3 3 3
1 2 5
2 3 -4
1 3 2'
expect 0 '^ +3 +1 +2$' own_semiring "$dir/descent.mtx"
mtx cycle '3 3 3
1 2 1
2 3 1
3 1 -3'
expect 1 'negative' own_semiring "$dir/cycle.mtx"

mtx links '4 4 4
1 2 0.5
2 4 0.5
1 3 0.75
3 4 0.5'
expect 0 '^ +4 +0.375 +3$' reliable_paths "$dir/links.mtx"
expect 0 '^ +1 +1 +0$' reliable_paths "$dir/links.mtx"
expect 0 '^ +2 +1 +0$' reliable_paths "$dir/links.mtx" 2

mtx ways '5 5 6
1 2 3
2 4 1
1 3 2
3 4 2
1 4 1
4 5 9'
expect 0 '^ +4  2$' semirings widest "$dir/ways.mtx"
expect 0 '^ +5  10 13$' semirings k_shortest "$dir/ways.mtx"
expect 0 '^ +5  63, derivative 63$' semirings dual "$dir/ways.mtx"
mtx pair '2 2 2
1 2 2
2 1 2'
expect 0 '^ +2  8, derivative 16$' semirings dual "$dir/pair.mtx"
expect 0 '^ +2  2 6 10 14$' semirings k_shortest "$dir/pair.mtx"
mtx words '4 4 4
1 2 1
2 3 2
3 4 4
2 4 2'
expect 0 '^ +4  "ab"$' semirings common_prefix "$dir/words.mtx"
expect 0 '^ +2  0-234567$' semirings small_sets "$dir/links.mtx"
expect 0 '^ +4  01234567$' semirings small_sets "$dir/links.mtx"
expect 1 'one of widest' semirings

echo "$failures checks failed"
test $failures = 0
