#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
#
# Algorithms on graphs by the program gblite: test_cli_graphs.sh PROGRAM DATA. Results are checked
# against an oracle in awk or facts about Zachary's karate club.
set -eu
export LC_ALL=C

source "$(dirname "$0")/functions.sh"

# triangles FILE: of the graph whose entries are edges in both directions.
triangles() {
    awk '/^%/ { next } !n { n = $1; next } $1 != $2 { e[$1, $2] = e[$2, $1] = 1 }
        END { for (i = 1; i <= n; i++) for (j = 1; j < i; j++) if ((i, j) in e)
                  for (k = 1; k < j; k++) t += ((i, k) in e) && ((j, k) in e)
              print t + 0 }' "$1"
}

graphs() {
    for threads in 1 2; do
        run 0 tc "$karate" --json --threads $threads
        one_json_object
        is triangles "$(field triangles)" 45
    done
    run 0 gen rmat:7:6 --type pattern -o "$dir/g.mtx"
    run 0 tc "$dir/g.mtx" --undirected --json
    is triangles "$(field triangles)" "$(triangles "$dir/g.mtx")"

    run 0 bfs "$karate" --source 1 --json -o "$dir/levels"
    one_json_object
    is reached "$(field reached)" 34
    is depth "$(field depth)" 3
    check "levels" grep -q '"levels":\[1,16,9,8\]' "$out"
    check "each parent is one level up and a neighbour" awk '
        FILENAME == ARGV[1] { level[$1] = $2; parent[$1] = $3; next }
        /^%/ { next }
        !size { size = 1; next }
        { edge[$1, $2] = edge[$2, $1] = 1 }
        END {
            bad = level[1] != 0 || parent[1] != 1
            for (v in level) {
                n++
                if (v != 1) bad += !((v, parent[v]) in edge) || level[v] != level[parent[v]] + 1
            }
            exit bad || n != 34
        }' "$dir/levels" "$karate"

    run 0 sssp "$karate" --source 1 --json -o "$dir/distances"
    one_json_object
    is reached "$(field reached)" 34
    is distance "$(field distance)" 3
    check "distances are levels" cmp -s "$dir/distances" <(cut -f 1,2 "$dir/levels")

    run 0 cc "$karate" --json
    one_json_object
    is components "$(field components)" 1
    run 0 cc road:6:5 --json -o "$dir/components"
    is largest "$(field largest)" \
        "$(cut -f 2 "$dir/components" | sort | uniq -c | sort -n | awk 'END { print $1 }')"
    is components "$(field components)" "$(cut -f 2 "$dir/components" | sort -u | wc -l)"

    run 0 pagerank "$karate" --tolerance 1e-9 --json -o "$dir/ranks"
    one_json_object
    is top "$(field top)" 34
    check "ranks sum to 1, the first is known" awk '{ sum += $2; rank[$1] = $2 }
        END { exit sum < .999999 || sum > 1.000001 || rank[34] < .1009 || rank[34] > .10095 }' \
        "$dir/ranks"

    run 0 bc "$karate" --json -o "$dir/between"
    one_json_object
    is sources "$(field sources)" 34
    is top "$(field top)" 1
    check "the first is known" awk '$1 == 1 { exit $2 < 462.142 || $2 > 462.143 }' "$dir/between"
    is exact "$(field exact)" true
    cp "$dir/between" "$dir/exact"
    run 0 bc "$karate" --samples 34 --seed 3 -o "$dir/between"
    check "all drawn is exact" cmp -s "$dir/exact" "$dir/between"
    : >"$dir/all"
    for seed in 1 2 3 4 5 6 7 8; do
        run 0 bc "$karate" --samples 17 --seed $seed --json -o "$dir/between"
        is exact "$(field exact)" false
        cat "$dir/between" >>"$dir/all"
    done
    check "estimates are in proportion" awk '
        FILENAME == ARGV[1] { exact += $2; next }
        { estimate += $2 / 8 }
        END { exit estimate < .9 * exact || estimate > 1.1 * exact || exact == 0 }' \
        "$dir/exact" "$dir/all"
    run 2 bc "$karate" --samples 0

    run 0 truss "$karate" -k 5 --json -o "$dir/truss.mtx"
    one_json_object
    is edges "$(field edges)" 14
    run 0 gen rmats:6:9 -o "$dir/s.mtx"
    run 0 truss "$dir/s.mtx" -k 3 --json
    check "steps" test "$(field steps)" -ge 1

    run 0 lcc "$karate" --json -o "$dir/lcc"
    one_json_object
    check "the mean is known" awk -v mean="$(field mean)" \
        'BEGIN { exit mean < .57063 || mean > .57065 }'
    check "vertex 1 has .15" awk '$1 == 1 { exit $2 != .15 }' "$dir/lcc"

    printf '%s\n' '3 9 10 15 16 19 21 23 24 25 26 27 28 29 30 31 32 33 34' \
        '1 2 4 5 6 7 8 11 12 13 14 17 18 20 22' | tr ' ' '\t' >"$dir/want"
    for threads in 1 2; do
        run 0 mcl "$karate" --inflation 2 --threads $threads
        check "the two clusters" cmp -s "$dir/want" "$out"
    done
    run 0 mcl "$karate" --inflation 2 --json -o "$dir/clusters"
    one_json_object
    is clusters "$(field clusters)" 2
    check "the file has them" cmp -s "$dir/want" "$dir/clusters"
    is "vertices in two clusters" "$(field overlap)" 0
    awk '/^%/ { next } !size { size = 1; next } { print "v" $1, "v" $2 "\t1" }' "$karate" >"$dir/karate.abc"
    printf 'v2 v1 0.5\nv1\tv2\n\n' >>"$dir/karate.abc" # lighter again, and without a weight
    for more in "" --float64 "-P 100000 -S 20 -R 30 --pct 80" "--dust 1e-6"; do
        run 0 mcl "$dir/karate.abc" --abc $more
        check "the two clusters by labels" cmp -s <(tr '\t' '\n' <"$dir/want" | sed 's/^/v/' | sort) \
            <(tr '\t' '\n' <"$out" | sort)
        is "lines" "$(wc -l <"$out" | tr -d ' ')" 2
        is "vertices of the first" "$(head -1 "$out" | tr '\t' '\n' | wc -l | tr -d ' ')" 19
    done
    run 0 mcl planted:10:12:60:0 --json
    is clusters "$(field clusters)" 10
    run 0 mcl planted:10:12:60:0 --trace --json
    check "a line per step" grep -Eq '^ +1 +[0-9.]+ +[0-9]+ +[0-9]+ +[0-9.]+$' "$err"
    is "lines of steps" "$(grep -Ec '^ +[0-9]+ ' "$err")" "$(field steps)"
    printf '%s\n' 'a b' 'b c' 'a c' 'd e' 'e f' 'd f' 'm a' 'm d' >"$dir/between.abc"
    run 0 mcl "$dir/between.abc" --abc --json
    is "m is in both triangles" "$(field clusters) $(field attractors) $(field overlap)" "2 2 1"
    for line in 'a b -1' 'a b nan' 'a b inf' 'a'; do
        printf 'x y 1\n# c d 1\n%s\n' "$line" >"$dir/wrong.abc"
        run 1 mcl "$dir/wrong.abc" --abc
        check "refuses '$line'" grep -q '^gblite: .*wrong.abc: line 3: ' "$err"
    done
    printf '%s\n' 'a b 1e-60' 'c d 1' 'e f 1e300' >"$dir/far.abc" # FP32 cannot hold them
    run 0 mcl "$dir/far.abc" --abc
    is "the pairs" "$(tr '\t\n' ' ,' <"$out")" "a b,c d,e f,"
    run 1 mcl er:8:200 --dust 0.01 # more neighbours than shares of 0.01
    check "lost flow" grep -q '^gblite: .* [1-9][0-9]* vertices have no flow; ' "$err"
    : >"$dir/empty.abc"
    run 1 mcl "$dir/empty.abc" --abc
    run 2 mcl "$karate" --pct 0
    run 2 mcl "$karate" --recover 0
    run 1 mcl "$karate" --steps 1
    check "not settled" grep -q '^gblite: .*settled.* chaos is 0[.]' "$err"
}

# strong FILE: lines "vertex component" of the strong components, by the transitive closure.
strong() {
    awk '/^%/ { next } !n { n = $1; next } { r[$1, $2] = 1 }
        END {
            for (i = 1; i <= n; i++) r[i, i] = 1
            for (k = 1; k <= n; k++) for (i = 1; i <= n; i++) if ((i, k) in r)
                for (j = 1; j <= n; j++) if ((k, j) in r) r[i, j] = 1
            for (i = 1; i <= n; i++) for (j = 1; j <= n; j++)
                if (((i, j) in r) && ((j, i) in r)) { print i "\t" j; break }
        }' "$1"
}

directed() {
    local spec
    for spec in er:6:1 er:6:2:5 rmat:6:2 rmat:6:3:9 web:6:2 band:9:2; do
        run 0 gen $spec --type pattern -o "$dir/g.mtx"
        strong "$dir/g.mtx" >"$dir/want"
        run 0 cc "$dir/g.mtx" --strong --json -o "$dir/got"
        check "strong components of $spec" cmp -s "$dir/want" "$dir/got"
        is components "$(field components)" "$(cut -f 2 "$dir/want" | sort -u | wc -l)"
        is largest "$(field largest)" \
            "$(cut -f 2 "$dir/want" | sort | uniq -c | sort -n | awk 'END { print $1 }')"
        awk '/^%/ { print; next } !n { n = 1; print $1, $2, 2 * $3; next }
            { print $1, $2; print $2, $1 }' "$dir/g.mtx" >"$dir/both.mtx"
        run 0 cc "$dir/g.mtx" -o "$dir/got"
        strong "$dir/both.mtx" 2>/dev/null >"$dir/want"
        check "weak components of $spec" cmp -s "$dir/want" "$dir/got"
    done
    awk 'BEGIN { for (i = 200000; i > 1; i--) print i, i - 1 }' >"$dir/path.edges"
    run 0 cc "$dir/path.edges" --strong --json
    is components "$(field components)" 200000
    is method "$(field method)" tarjan
    (cat "$dir/path.edges" && echo 1 200000) >"$dir/circle.edges"
    run 0 cc "$dir/circle.edges" --strong --json
    is components "$(field components)" 1
    run 0 cc "$dir/path.edges" --json
    is "components and whether directed" "$(field components) $(field directed)" "1 true"
    run 0 cc "$karate" --strong --json
    is "components and whether directed" "$(field components) $(field directed)" "1 false"
    run 2 cc "$karate" --strong --undirected
}

# ranks FILE DAMPING JUMP: PageRank of lines "from to weight" by 200 plain steps. JUMP: vertices
# between blanks, or all where it is empty.
ranks() {
    awk -v d="$2" -v jump="$3" '
        { v[$1]; v[$2]; e[$1, $2] = $3; out[$1] += $3 }
        END {
            k = split(jump, to, " ")
            for (i = 1; i <= k; i++) share[to[i]] += 1 / k
            for (i in v) { n++; if (!k) share[i] = 1 }
            for (i in v) { if (!k) share[i] /= n; r[i] = 1 / n }
            for (s = 0; s < 200; s++) {
                lost = 0
                for (i in v) if (!out[i]) lost += r[i]
                for (i in v) next_r[i] = (1 - d + d * lost) * share[i]
                for (edge in e) {
                    split(edge, pair, SUBSEP)
                    if (out[pair[1]]) next_r[pair[2]] += d * r[pair[1]] * e[edge] / out[pair[1]]
                }
                for (i in v) r[i] = next_r[i]
            }
            for (i in v) printf "%s\t%.15g\n", i, r[i]
        }' "$1"
}

# near WANT GOT: lines "vertex value" of the same vertices, values within 1e-9.
near() {
    awk 'FILENAME == ARGV[1] { want[$1] = $2; n++; next }
        { m++; x = $2 - want[$1]; if (x < 0) x = -x; bad += !($1 in want) || x > 1e-9 }
        END { exit bad || n != m || n == 0 }' "$1" "$2"
}

ranking() {
    # d has no edge out, e only one of weight 0
    printf '%s\n' 'a b 3' 'a c 1' 'b c 0.5' 'b a 2.5' 'c d 7' 'f a 1' 'f e 9' 'e a 0' >"$dir/w.edges"
    local jump more
    for jump in "" a "b e" "f f d"; do
        more=${jump:+--personalize ${jump// /,}}
        run 0 pagerank "$dir/w.edges" --tolerance 1e-12 --steps 1000 $more --json -o "$dir/ranks"
        ranks "$dir/w.edges" .85 "$jump" >"$dir/want"
        check "ranks by weights, jumps to '$jump'" near "$dir/want" "$dir/ranks"
        is converged "$(field converged)" true
        is weighted "$(field weighted)" true
    done
    awk '{ print $1, $2, 1 }' "$dir/w.edges" >"$dir/ones.edges"
    ranks "$dir/ones.edges" .5 "" >"$dir/want"
    run 0 pagerank "$dir/w.edges" --unweighted --damping .5 --tolerance 1e-12 --json -o "$dir/ranks"
    check "weights left aside" near "$dir/want" "$dir/ranks"
    run 0 pagerank "$dir/ones.edges" --damping .5 --tolerance 1e-12 --json -o "$dir/ranks"
    check "weights that are the same" near "$dir/want" "$dir/ranks"
    is weighted "$(field weighted)" false
    awk '{ print $1, $2, $3; if ($1 != "e") print $2, $1, $3 }' "$dir/w.edges" >"$dir/both.edges"
    run 0 pagerank "$dir/both.edges" --duplicates max --tolerance 1e-12 --undirected -o "$dir/leaning"
    run 0 pagerank "$dir/both.edges" --duplicates max --tolerance 1e-12 --steps 1000 -o "$dir/plain"
    check "fewer steps, the same ranks" near "$dir/plain" "$dir/leaning"

    run 3 pagerank "$dir/w.edges" --tolerance 1e-12 --steps 5 --json -o "$dir/ranks"
    one_json_object
    is converged "$(field converged)" false
    is steps "$(field steps)" 5
    is "lines of ranks" "$(wc -l <"$dir/ranks")" 6
    check "says what to do" grep -q '^gblite: .*not converged.*--steps' "$err"
    run 3 pagerank "$dir/w.edges" --damping 1 --steps 3
    printf '1 2\n2 1\n"a,b" 1\n' >"$dir/commas.edges"
    run 0 pagerank "$dir/commas.edges" --separator blank --personalize 1,2
    run 1 pagerank "$dir/w.edges" --personalize a,g
    check "names the vertex" grep -q -- '--personalize g: ' "$err"
    run 1 pagerank "$karate" --personalize 35
    run 1 pagerank "$karate" --personalize ''
    run 1 pagerank "$karate" --personalize ,
    printf 'a b 1\nb a -1\n' >"$dir/debt.edges"
    run 1 pagerank "$dir/debt.edges"
    check "names the weight" grep -q 'debt.edges: line 2: ' "$err"
    run 0 pagerank "$dir/debt.edges" --unweighted
    printf 'a b 1e308\nb a 1.7e308\n' >"$dir/large.edges"
    run 1 pagerank "$dir/large.edges"
    check "names the way out" grep -q -- --unweighted "$err"
}

for part in graphs directed ranking; do $part; done
echo "$failures checks failed"
test $failures = 0
