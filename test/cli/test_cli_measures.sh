#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
#
# Cores, closeness, similarities, communities, paths and distances of clusterings by the program
# gblite: test_cli_measures.sh PROGRAM DATA. Results are checked against oracles in awk.
set -eu
export LC_ALL=C

source "$(dirname "$0")/functions.sh"

# near WANT GOT: lines of words and a number behind the last tab; the same words, numbers within 1e-9.
near() {
    awk -F '\t' '{ x = $NF; sub(/\t[^\t]*$/, "") }
        FILENAME == ARGV[1] { want[$0] = x; n++; next }
        { m++; d = x - want[$0]; if (d < 0) d = -d; bad += !($0 in want) || d > 1e-8 }
        END { exit bad || n != m || n == 0 }' "$1" "$2"
}

# edges FILE: "i j value" of a Matrix Market file; a pattern has ones.
edges() {
    awk '/^%/ { next } !n { n = $1; print "n", n; next } { print $1, $2, (NF > 2 ? $3 : 1) }' "$1"
}

cores() {
    run 0 kcore "$karate" --json -o "$dir/got"
    one_json_object
    is "degeneracy and innermost" "$(field degeneracy) $(field innermost)" "4 10"
    local spec
    for spec in rmats:7:3 rmats:8:9:5 road:6:7 er:5:2; do
        run 0 gen $spec --type pattern -o "$dir/g.mtx"
        run 0 kcore "$dir/g.mtx" --undirected -o "$dir/got"
        edges "$dir/g.mtx" | awk '$1 == "n" { n = $2; next }
            $1 != $2 { e[$1, $2] = e[$2, $1] = 1 }
            END {
                for (i = 1; i <= n; i++) left[i] = 1
                for (k = 1; ; k++) {
                    any = 0
                    do {
                        gone = 0
                        for (i in left) {
                            d = 0
                            for (j in left) d += (i, j) in e
                            if (d < k) { core[i] = k - 1; delete left[i]; gone = 1 }
                        }
                    } while (gone)
                    for (i in left) any = 1
                    if (!any) break
                }
                for (i = 1; i <= n; i++) print i "\t" core[i]
            }' >"$dir/want"
        check "cores of $spec" cmp -s "$dir/want" "$dir/got"
        run 0 kcore "$dir/g.mtx" --undirected -k 2 -o - --json
        check "the 2-core alone" cmp -s <(awk '$2 >= 2' "$dir/want") "$out"
        check "the report is on stderr" grep -q '"in_core":[0-9]' "$err"
    done
    run 1 kcore er:6:2
    check "says what to do" grep -q -- --undirected "$err"
}

close() {
    local spec threads
    for spec in rmat:7:2 er:8:1 road:5:8 band:150:1; do
        run 0 gen $spec --type pattern -o "$dir/g.mtx"
        edges "$dir/g.mtx" | awk -v want="$dir/want" -v harmonic="$dir/harmonic" '
            $1 == "n" { n = $2; next }
            { to[$1] = to[$1] " " $2 }
            END {
                for (s = 1; s <= n; s++) {
                    delete d
                    d[s] = 0
                    list[1] = s
                    for (k = found = 1; k <= found; k++) {
                        m = split(to[list[k]], near, " ")
                        for (i = 1; i <= m; i++) if (!(near[i] in d)) {
                            d[near[i]] = d[list[k]] + 1
                            list[++found] = near[i]
                        }
                    }
                    for (v in d) if (v != s) { r[v]++; sum[v] += d[v]; h[v] += 1 / d[v] }
                }
                for (v = 1; v <= n; v++) {
                    printf "%d\t%.12g\n", v, (r[v] ? r[v] / (n - 1) * r[v] / sum[v] : 0) >want
                    printf "%d\t%.12g\n", v, h[v] >harmonic
                }
            }'
        for threads in 1 2; do
            run 0 closeness "$dir/g.mtx" --threads $threads -o "$dir/got$threads"
            check "closeness of $spec" near "$dir/want" "$dir/got$threads"
        done
        check "the same to the bit" cmp -s "$dir/got1" "$dir/got2"
        run 0 closeness "$dir/g.mtx" --harmonic -o "$dir/got"
        check "harmonic closeness of $spec" near "$dir/harmonic" "$dir/got"
    done
    run 0 closeness "$karate" --json
    one_json_object
    is top "$(field top)" 1
}

# similar KIND TOP THRESHOLD <edges: lines "i j similarity", the best of each row first.
similar() {
    awk -v kind="$1" -v top="$2" -v least="$3" '
        $1 == "n" { n = $2; next }
        { a[$1, $2] = $3; size[$1] += kind == "cosine" ? $3 * $3 : 1; at[$1] = at[$1] " " $2 }
        END {
            for (i = 1; i <= n; i++) {
                delete x
                for (j = top ? 1 : i + 1; j <= n; j++) {
                    common = met = 0
                    m = split(at[i], k, " ")
                    for (c = 1; c <= m; c++) if ((j, k[c]) in a) {
                        met = 1
                        common += kind == "cosine" ? a[i, k[c]] * a[j, k[c]] : 1
                    }
                    if (!met || i == j) continue
                    s = kind == "cosine" ? common / sqrt(size[i] * size[j]) \
                                         : common / (size[i] + size[j] - common)
                    if (s >= least) x[j] = s
                }
                if (!top) { for (j = i + 1; j <= n; j++) if (j in x) printf "%d\t%d\t%.9g\n", i, j, x[j] }
                for (t = 0; t < top; t++) {
                    best = 0
                    for (j = 1; j <= n; j++) if ((j in x) && (!best || x[j] > x[best] + 1e-12)) best = j
                    if (!best) break
                    printf "%d\t%d\t%.9g\n", i, best, x[best]
                    delete x[best]
                }
            }
        }'
}

similarity() {
    run 0 gen rect:60:40:4 -o "$dir/g.mtx"
    local kind top least
    for kind in jaccard cosine; do
        for top in 0 3; do
            for least in 0 0.3; do
                edges "$dir/g.mtx" | similar $kind $top $least >"$dir/want"
                run 0 $kind "$dir/g.mtx" $([ $top = 0 ] || echo "--topn $top") --threshold $least --json -o "$dir/got"
                one_json_object
                check "$kind, the best $top of $least and more" near "$dir/want" "$dir/got"
                is pairs "$(field pairs)" "$(wc -l <"$dir/want" | tr -d ' ')"
            done
        done
    done
    printf 'ann milk\nann bread\nbob milk\nbob bread\nbob eggs\ncyd eggs\n' >"$dir/b.edges"
    run 0 jaccard "$dir/b.edges" -o -
    check "by names" cmp -s <(printf 'ann\tbob\t0.666666667\nbob\tcyd\t0.333333333\n') "$out"
    run 0 jaccard "$dir/b.edges" -o "$dir/m.mtx"
    check "as a matrix" grep -q '^6 6 2$' "$dir/m.mtx"
    run 0 mxm "$dir/g.mtx" --transpose-b --topn 2 -o "$dir/top.mtx"
    run 0 mxm "$dir/g.mtx" --transpose-b -o "$dir/all.mtx"
    awk '/^%/ || !n { n += !/^%/; next } { x[$1, $2] = $3; rows[$1] }
        END { for (i in rows) for (t = 0; t < 2; t++) {
                best = 0
                for (j = 1; j <= 60; j++) if (((i, j) in x) && (!best || x[i, j] > x[i, best])) best = j
                if (best) print i, best, x[i, best]
                if (best) delete x[i, best]
            } }' "$dir/all.mtx" | sort >"$dir/want"
    check "the two largest of each row" cmp -s "$dir/want" <(grep -v '^%' "$dir/top.mtx" | tail -n +2 | sort)
    run 0 mxm "$dir/b.edges" --transpose-b --semiring plus_pair -o -
    run 0 mxm "$dir/b.edges" --transpose-b --semiring plus_pair -o "$dir/p.tsv"
    check "products keep names" grep -qx 'ann	bob	2' "$dir/p.tsv"
}

# quality CLUSTERS <edges: the modularity of clusters, one a line.
quality() {
    awk -v file="$1" 'BEGIN { while ((getline line <file) > 0) {
            m = split(line, v, "\t")
            c++
            for (k = 1; k <= m; k++) of[v[k]] = c
        } }
        $1 == "n" { next }
        { x[$1, $2] = $3 }
        END {
            for (e in x) {
                split(e, v, SUBSEP)
                all += x[e]
                total[of[v[1]]] += x[e]
                if (of[v[1]] == of[v[2]]) inside += x[e]
            }
            q = inside / all
            for (k in total) q -= (total[k] / all) ^ 2
            printf "%.9f", q
        }'
}

community() {
    run 0 louvain "$karate" --json -o "$dir/got"
    one_json_object
    check "modularity of the karate club" awk -v q="$(field modularity)" 'BEGIN { exit q < .4 || q > .4198 }'
    local spec
    for spec in rmats:8:4 road:9:9 planted:6:30:12:2 rmats:7:20:3; do
        run 0 gen $spec -o "$dir/g.mtx"
        run 0 louvain "$dir/g.mtx" --json -o "$dir/got"
        check "each vertex once in $spec" test "$(tr '\t' '\n' <"$dir/got" | sort -un | wc -l)" = \
            "$(edges "$dir/g.mtx" | awk '$1 == "n" { print $2 }')"
        check "modularity of $spec" awk -v q="$(field modularity)" \
            -v want="$(edges "$dir/g.mtx" | quality "$dir/got")" \
            'BEGIN { exit q < want - 1e-6 || q > want + 1e-6 || q < .05 }'
        run 0 louvain "$dir/g.mtx" --threads 1
        check "with one thread" cmp -s "$dir/got" "$out"
    done
    run 0 louvain planted:6:30:12:2 --json
    is communities "$(field communities)" 6
    printf 'a b 2\nb c 2\nc a 2\nc d 0.1\nd e 2\ne f 2\nf d 2\nd d 0\n' >"$dir/w.edges"
    run 0 louvain "$dir/w.edges"
    check "by names" cmp -s <(printf 'a\tb\tc\nd\te\tf\n') "$out"
    run 0 louvain "$dir/w.edges" --by-vertex -o -
    check "by vertices" cmp -s <(printf 'a\ta\nb\ta\nc\ta\nd\td\ne\td\nf\td\n') "$out"
    cp "$out" "$dir/by_vertex"
    run 0 louvain "$dir/w.edges" --resolution 0
    is "communities without resistance" "$(wc -l <"$out" | tr -d ' ')" 1
    printf 'a b -1\n' >"$dir/wrong.edges"
    run 1 louvain "$dir/wrong.edges"
    printf '%%%%MatrixMarket matrix coordinate real general\n5 5 0\n' >"$dir/none.mtx"
    run 0 louvain "$dir/none.mtx" --json
    is "communities without edges" "$(field communities)" 5
}

labels() {
    local spec steps
    for spec in rmats:7:3 grid:5:7 planted:4:20:8:1 er:5:2; do
        run 0 gen $spec --type pattern -o "$dir/g.mtx"
        for steps in 1 10; do
            edges "$dir/g.mtx" | awk -v steps=$steps '$1 == "n" { n = $2; next }
                $1 != $2 { e[$1, $2] = e[$2, $1] = 1 }
                END {
                    for (i = 1; i <= n; i++) label[i] = i
                    for (; steps > 0; steps--) {
                        for (i = 1; i <= n; i++) {
                            split("", count)
                            next_label[i] = label[i]
                            most = 0
                            for (j = 1; j <= n; j++) if ((i, j) in e) count[label[j]]++
                            for (l = 1; l <= n; l++) if (count[l] > most) {
                                most = count[l]
                                next_label[i] = l
                            }
                        }
                        for (i = 1; i <= n; i++) label[i] = next_label[i]
                    }
                    for (i = n; i > 0; i--) first[label[i]] = i
                    for (i = 1; i <= n; i++) print i "\t" first[label[i]]
                }' >"$dir/want"
            run 0 cdlp "$dir/g.mtx" --undirected --steps $steps -o "$dir/got" --json
            one_json_object
            check "labels of $spec after $steps steps" cmp -s "$dir/want" "$dir/got"
            is "communities" "$(field communities)" "$(cut -f 2 "$dir/want" | sort -u | wc -l)"
        done
    done
    run 1 cdlp er:6:2
    run 2 cdlp "$karate" --steps 0
}

compare() {
    printf 'a\tb\tc\nd\te\tf\n' >"$dir/one"
    printf 'a\tb\nc\td\ne\tf\n' >"$dir/two"
    run 0 compare "$dir/one" "$dir/one" --json
    one_json_object
    is "of the same" "$(field rand) $(field adjusted_rand) $(field mutual) $(field variation) $(field mirkin)" "1 1 1 0 0"
    run 0 compare "$dir/one" "$dir/two" --json # N = 2 1 0; 0 1 2
    is "split and join" "$(field split) $(field join)" "2 1"
    is mirkin "$(field mirkin)" 10 # 18 + 12 - 2 * 10
    check "rand" awk -v x="$(field rand)" 'BEGIN { exit x < .66666 || x > .66667 }'
    check "adjusted" awk -v x="$(field adjusted_rand)" 'BEGIN { exit x < .24241 || x > .24243 }'
    check "variation" awk -v x="$(field variation)" 'BEGIN { exit x < 1.25162 || x > 1.25164 }'
    if command -v clm >/dev/null; then
        printf '(mclheader\nmcltype matrix\ndimensions 6x2\n)\n(mclmatrix\nbegin\n0 0 1 2 $\n1 3 4\n 5 $\n)\n' >"$dir/one.mci"
        printf '(mclheader\nmcltype matrix\ndimensions 6x3\n)\n(mclmatrix\nbegin\n0 0 1 $\n1 2 3 $\n2 4 5 $\n)\n' >"$dir/two.mci"
        clm dist -mode sj "$dir/one.mci" "$dir/two.mci" 2>/dev/null | awk '{ print $1 }' >"$dir/sj"
        run 0 compare "$dir/one.mci" "$dir/two.mci" --json
        check "as clm dist: $(cat "$dir/sj")" grep -q "d=*$(($(field split) + $(field join)))\b" "$dir/sj"
    fi
    run 0 compare "$dir/by_vertex" "$dir/by_vertex" --by-vertex --json
    is "of lines of vertices" "$(field first) $(field rand)" "2 1"
    printf 'a\tb\nc\td\ne\tx\n' >"$dir/other"
    run 1 compare "$dir/one" "$dir/other"
    check "names who is missing" grep -q "'f' is in .*one, but not in .*other" "$err"
    printf 'a\tb\tc\nd\te\ta\tf\n' >"$dir/other"
    run 1 compare "$dir/one" "$dir/other"
    check "names who is there twice" grep -q "'a' comes twice" "$err"
    run 2 compare "$dir/one"
    run 1 compare "$dir/one" "$dir/absent"
}

paths() {
    local spec
    for spec in road:8:9 rmat:8:4 er:7:2; do
        run 0 gen $spec -o "$dir/g.mtx"
        run 0 sssp "$dir/g.mtx" -o "$dir/plain"
        run 0 sssp "$dir/g.mtx" --paths -o "$dir/paths"
        check "the distances" cmp -s "$dir/plain" <(cut -f 1,2 "$dir/paths")
        check "paths of $spec lead to the source" awk '
            FILENAME == ARGV[1] { d[$1] = $2; from[$1] = $3; next }
            /^%/ { next } !n { n = 1; next } { x[$1, $2] = $3 }
            END {
                for (v in d) {
                    if (v != 1) bad += !((from[v], v) in x) || d[from[v]] + x[from[v], v] - d[v] > 1e-12 || \
                                       d[v] - d[from[v]] - x[from[v], v] > 1e-12
                    for (u = v; u != 1 && steps[v] < 1000; u = from[u]) steps[v]++
                    bad += u != 1
                }
                exit bad
            }' "$dir/paths" "$dir/g.mtx"
    done
    printf 'a b 0\nb c 0\nc a 0\nc d 2\na d 3\ne a 1\n' >"$dir/zero.edges"
    run 0 sssp "$dir/zero.edges" --source a --target d --json
    one_json_object
    is "path and distance" "$(field path), $(field target_distance)" "a b c d, 2"
    run 0 sssp "$dir/zero.edges" --source a --target a --json
    is "path to the source" "$(field path)" a
    run 0 sssp "$dir/zero.edges" --source a --target e --json
    is "no path" "$(field path), $(field target_distance)" ", null"
    run 1 sssp "$dir/zero.edges" --source a --target x
    check "names the vertex" grep -q -- '--target x: ' "$err"
}

strong() {
    run 0 cc rmat:7:2 --strong -o "$dir/want"
    run 0 scc rmat:7:2 --json -o "$dir/got"
    one_json_object
    check "scc is cc --strong" cmp -s "$dir/want" "$dir/got"
}

for part in cores close similarity community labels compare paths strong; do $part; done
echo "$failures checks failed"
test $failures = 0
