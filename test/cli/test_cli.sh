#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
#
# The program gblite from outside: test_cli.sh PROGRAM DATA. Checks exit codes, where messages go,
# the form of the JSON, and results against an oracle in awk or facts about Zachary's karate club.
set -eu
export LC_ALL=C

source "$(dirname "$0")/functions.sh"

# product RING MASK TRANSPOSE_B A B M: C = A * B as sorted lines "row column value", by triple loops
# over integer files. MASK: none, inside, outside.
product() {
    awk -v ring="$1" -v mask="$2" -v transpose="$3" '
        FNR == 1 { file++; size = 0 }
        /^%/ { next }
        !size { size = $1; if (file == 1) m = $1; else if (file == 2) { n = transpose ? $1 : $2
                inner = transpose ? $2 : $1 } next }
        file == 1 { a[$1, $2] = $3 }
        file == 2 { if (transpose) b[$2, $1] = $3; else b[$1, $2] = $3 }
        file == 3 { allowed[$1, $2] = 1 }
        END {
            for (i = 1; i <= m; i++) for (j = 1; j <= n; j++) {
                if (mask == "inside" && !((i, j) in allowed)) continue
                if (mask == "outside" && ((i, j) in allowed)) continue
                found = 0
                for (k = 1; k <= inner; k++) if (((i, k) in a) && ((k, j) in b)) {
                    x = a[i, k]; y = b[k, j]
                    t = ring == "plus_times" ? x * y : ring == "min_plus" ? x + y : 1
                    if (!found) c = t
                    else if (ring == "min_plus") { if (t < c) c = t }
                    else if (ring != "lor_land") c += t
                    found = 1
                }
                if (found) print i, j, c
            }
        }' "$4" "$5" "$6" | sort -n -k1,1 -k2,2
}

# entries FILE: its entries as the oracle prints them; a pattern has ones.
entries() {
    awk '/^%/ { next } !size { size = 1; next } { print $1, $2, (NF > 2 ? $3 : 1) }' "$1" |
        sort -n -k1,1 -k2,2
}

converting() {
    run 0 convert rmat:8:4 -o "$dir/a.gbl" --json
    one_json_object
    run 0 convert "$dir/a.gbl" -o "$dir/a.mtx"
    run 0 gen rmat:8:4 -o "$dir/b.mtx"
    check "the same through both forms" cmp "$dir/a.mtx" "$dir/b.mtx"
    run 0 mxm "$dir/a.gbl" -o "$dir/c.gbl"
    run 0 info "$dir/c.gbl"
    printf 'x' | dd of="$dir/a.gbl" bs=1 seek=200 conv=notrunc 2>/dev/null
    run 1 info "$dir/a.gbl"
    check "names the file and the damage" grep -q '^gblite: .*a.gbl.*damaged' "$err"
    run 1 info "$dir/missing.gbl"
    run 1 info rmatt:3
    check "neither file nor generator" grep -q 'rmatt:3: cannot open.*no generator is so called' "$err"
    run 2 convert rmat:8:4
    run 1 info er:3
    check "the form of a generator" grep -q "'er:3' should be er:S:F or" "$err"
    run 2 gen
    check "no file where a generator is wanted" grep -q 'no generator given: name one' "$err"
    run 1 info "$dir/b.mtx" --tab "$dir/missing"
    check "names of what has none" grep -q -- '--tab names the vertices of .* mcl' "$err"
}

misspelling() {
    local pair
    for pair in mxn:mxm bsf:bfs page:pagerank infos:info convret:convert helo:help; do
        run 2 "${pair%:*}"
        check "a near command" grep -q "'${pair%:*}'; did you mean '${pair#*:}'?" "$err"
    done
    for pair in x ls multiplication ''; do
        run 2 "$pair"
        check "no command is near" grep -q "unknown command '$pair'; .gblite help' lists all" "$err"
    done
}

usage() {
    run 0 --version
    check "the version" grep -Eq '^gblite [0-9]+\.[0-9]+\.[0-9]+' "$out"
    run 0 --help
    for command in info gen convert mxm chain tc bfs sssp cc pagerank bc truss lcc mcl spy calibrate; do
        check "--help lists $command" grep -q "^  $command " "$out"
    done
    for command in info gen convert mxm chain tc bfs sssp cc pagerank bc truss lcc mcl spy calibrate; do
        run 0 $command --help
        check "usage of $command" grep -q "^Usage: gblite $command" "$out"
    done
    run 0 help
    run 0 help help
    run 0 --help
    check "help lists help" grep -q "^  help " "$out"
    run 0 help mxm
    check "help of a command" grep -q "^Usage: gblite mxm" "$out"
    run 2 help frobnicate
    check "names the command" grep -q frobnicate "$err"
    run 2
    check "names the way out" grep -q "gblite help" "$err"
    run 2 frobnicate
    check "names the command" grep -q frobnicate "$err"
    run 2 info
    run 2 info "$karate" "$karate"
    run 2 info --frobnicate "$karate"
    run 2 tc --threads none "$karate"
    run 2 tc --threads -1 "$karate"
    run 2 gen er:4:2
    run 1 spy "$karate" --json
    run 2 spy "$karate" -o "$dir/p.png" --size 0
    run 2 sssp "$karate" --delta 0
    run 2 pagerank "$karate" --damping 2
    run 2 bc "$karate" --samples -1
    run 2 truss "$karate" -k 2
    run 2 mcl "$karate" --inflation 1
    run 2 mcl "$karate" --inflation nan
    run 2 mxm "$karate" --complement
    run 2 mxm "$karate" --variant magic
    run 2 mxm "$karate" --variant spa
    check "names the method" grep -q -e "--method vector" "$err"
    run 2 mxm "$karate" --side 32
    run 2 mxm "$karate" --workflow magic
    run 2 mxm "$karate" --tau 1 --error 1
    run 2 mxm "$karate" --valid-ratio 1.1
    run 2 mxm "$karate" --error -1
    run 2 mxm "$karate" --estimate --mask "$karate"
    run 2 mxm "$karate" --method magic
    check "lists the methods" grep -q rowwise "$err"
    run 2 chain "$karate" "$karate" --semiring plus_magic
    check "lists the semirings" grep -q "plus_times.*min_plus.*lor_land" "$err"
    run 2 mxm "$karate" --semiring plus_magic
    check "lists the semirings" grep -q 'plus_times.*min_plus.*lor_land' "$err"
    check "nothing on stdout" test ! -s "$out"
}

failing() {
    for command in info tc bfs sssp cc pagerank bc truss lcc mcl mxm; do
        run 1 $command "$dir/missing.mtx"
        check "stderr starts with gblite:" grep -q '^gblite: .*missing.mtx' "$err"
        check "nothing on stdout" test ! -s "$out"
    done
    run 1 gen nonsense:1 -o "$dir/x.mtx"
    run 1 gen er:4:2 -o "$dir/no/such/folder.mtx"
    check "names the folder" grep -q "^gblite: .*folder $dir/no/such: No such file" "$err"
    run 1 mxm "$dir/missing.mtx" -o "$dir/no/such/folder.mtx"
    check "looks at the output first" grep -q "no/such/folder.mtx" "$err"
    run 1 spy "$karate" -o "$dir/no/such/folder.png"
    run 1 mxm er:4:2 er:5:2
    check "says why" grep -q '^gblite: .*[0-9]' "$err"
    run 1 bfs "$karate" --source 35
    run 1 bfs "$karate" --source 0
    check "says which there are" grep -q -- '--source 0: .* 34 are 1 to 34' "$err"
    run 1 sssp "$karate" --source 35
    for command in tc truss lcc; do
        run 1 $command rmat:6:4
        check "names the way out" grep -q -- --undirected "$err"
    done
    printf '%%%%MatrixMarket matrix coordinate real general\n2 2 1\n1 2 -1\n' >"$dir/debt.mtx"
    run 1 sssp "$dir/debt.mtx"
    check "names the weight" grep -q "line 3: the weight of an edge .*found '-1' in column 5" "$err"
    printf '%%%%MatrixMarket matrix coordinate pattern general\n2 3 1\n1 1\n' >"$dir/wide.mtx"
    for command in tc bfs sssp cc pagerank bc truss lcc mcl; do run 1 $command "$dir/wide.mtx"; done
    printf '%%%%MatrixMarket matrix coordinate pattern general\n2 2 1\n3 1\n' >"$dir/bad.mtx"
    run 1 info "$dir/bad.mtx"
    local code=0
    "$gblite" info "$karate" >/dev/full 2>"$err" || code=$?
    is "exit with a full device" $code 1
}

matrices() {
    run 0 info "$karate" --json
    one_json_object
    is rows "$(field rows)" 34
    is entries "$(field entries)" 156
    is symmetric "$(field symmetric_pattern)" true
    is "degree of vertex 34" "$(field row_max)" 17
    is "sum of squared degrees" "$(field square_flops)" 1212
    is "tiles of 34 x 34" "$(field tiles)" 9
    is "156 entries in 9 tiles" "$(field tile_fill | cut -c1-6)" 17.333
    is "bytes as tiles" "$(field bytes_tiles)" 737
    is "bytes by rows" "$(field bytes_rows)" 905
    run 0 info "$karate"
    check "text" grep -Eq '^entries +156$' "$out"

    run 0 gen er:6:4 -o "$dir/er.mtx.gz" --json
    one_json_object
    local made
    made=$(field entries)
    check "compressed" gzip -t "$dir/er.mtx.gz"
    run 0 info "$dir/er.mtx.gz" --json
    is "entries read back" "$(field entries)" "$made"
    run 0 info er:6:4 --json --threads 1
    is "entries of the generator" "$(field entries)" "$made"
    check "nothing to note" test ! -s "$err"
    run 0 info er:6:4 --edges
    check "--edges is for files" grep -q 'note: er:6:4: is made, not read: --edges' "$err"
    GBLITE_THREADS=two run 0 info er:6:4
    check "no number of threads" grep -q "note: GBLITE_THREADS is 'two', which is no number" "$err"
    GBLITE_THREADS=two run 0 info er:6:4 --threads 1
    check "which is not used" test ! -s "$err"
    GBLITE_THREADS=2 run 0 info er:6:4
    check "a number of threads" test ! -s "$err"
}

products() {
    local a=$dir/a.mtx b=$dir/b.mtx m=$dir/m.mtx
    run 0 gen er:5:3:1 --type integer -o "$a"
    run 0 gen er:5:4:2 --type integer -o "$b"
    run 0 gen er:5:6:3 --type pattern -o "$m"
    local transpose=0 # with every ring and every mask both ways
    for ring in plus_times min_plus plus_pair lor_land; do
        for mask in none inside outside; do
            set -- --semiring $ring
            [ $ring = lor_land ] || set -- --semiring ${ring}_int64
            [ $mask = none ] || set -- "$@" --mask "$m"
            [ $mask != outside ] || set -- "$@" --complement
            [ $transpose = 0 ] || set -- "$@" --transpose-b
            run 0 mxm "$a" "$b" "$@" -o "$dir/c.mtx"
            product $ring $mask $transpose "$a" "$b" "$m" >"$dir/want"
            entries "$dir/c.mtx" >"$dir/got"
            check "equals the oracle" cmp -s "$dir/want" "$dir/got"
            transpose=$((1 - transpose))
        done
    done
    run 0 mxm "$a" --json --explain
    one_json_object
    check "explains" grep -q '"seconds_kernel"' "$out"
    check "candidates" grep -q '"explanation":{.*"candidates":\[{"method":"rowwise"' "$out"
    run 0 mxm rmat:7:4 --explain
    is "what was taken" "$(grep -c '^> ' "$out")" 1
    check "what marks it" grep -q '^  (> chosen; - excluded' "$out"
    check "80 columns" bash -c '! grep -E "^[>-] |^  (factor|A|B|method|time) " "$1" | grep -q "^.\{81\}"' - "$out"
    check "why others were not" grep -Eq '^  dot mask: needs a mask|^  [0-9]+ others: not compared' "$out"
    check "measured beside predicted" grep -q '^  time  *predicted  *measured' "$out"
    run 0 mxm "$a" --json --estimate
    one_json_object
    check "estimates" grep -q '"entries_estimated"' "$out"
    printf '%%%%MatrixMarket matrix coordinate real general\n5 5 0\n' >"$dir/empty.mtx"
    run 0 mxm "$dir/empty.mtx" --estimate
    check "no ratio of nothing" grep -Eq '^compression_ratio +-$' "$out"
    run 0 mxm "$a" "$b" -o "$dir/auto.mtx"
    for variant in spa hash-32/256 hash-256/256 h-hash-32/256; do
        run 0 mxm "$a" "$b" --method vector --variant $variant --json -o "$dir/variant.mtx"
        check "variants agree" cmp -s "$dir/auto.mtx" "$dir/variant.mtx"
    done
    run 0 mxm rmat:11:8 -o "$dir/whole.gbl"
    run 0 mxm rmat:11:8 --memory 1M --json -o "$dir/slices.gbl"
    check "is written in slices" test "$(field slices)" -gt 1
    is "bytes" "$(field bytes)" "$(stat -c %s "$dir/slices.gbl")"
    check "tells what comes" grep -q 'about .* entries in .* GB and .* s; the disk has' "$err"
    run 0 convert "$dir/whole.gbl" -o "$dir/whole.mtx"
    run 0 convert "$dir/slices.gbl" -o "$dir/slices.mtx"
    check "slices agree" cmp -s "$dir/whole.mtx" "$dir/slices.mtx"
    run 2 mxm rmat:4:4 --memory 1M -o "$dir/slices.tsv"
    run 2 mxm rmat:4:4 --memory 1X -o "$dir/slices.gbl"
    for workflow in bound estimate symbolic; do
        run 0 mxm "$a" "$b" --workflow $workflow --json -o "$dir/workflow.mtx"
        check "workflows agree" cmp -s "$dir/auto.mtx" "$dir/workflow.mtx"
    done
    for method in rowwise dot tiled outer panel; do
        run 0 mxm "$a" "$b" --mask "$m" --method $method --semiring plus_times_int64 --json \
            -o "$dir/$method.mtx"
        is method "$(field method)" $method
    done
    check "methods agree" cmp -s "$dir/rowwise.mtx" "$dir/dot.mtx"
    check "methods agree" cmp -s "$dir/rowwise.mtx" "$dir/tiled.mtx"
    check "methods agree" cmp -s "$dir/rowwise.mtx" "$dir/outer.mtx"
    check "methods agree" cmp -s "$dir/rowwise.mtx" "$dir/panel.mtx"
    run 1 mxm "$a" --method dot
    check "says why" grep -q "^gblite: .*dot" "$err"
    run 0 mxm decay:100:exp:0.8:3 --error 1e-3 --side 16 --json
    check "approximate" python3 -c 'import json, sys; d = json.load(open(sys.argv[1]))
assert d["method"] == "spamm" and d["tau"] > 0 and d["valid_ratio"] < 1 and 0 < d["error_bound"] <= 1e-3' "$out"
    run 0 mxm decay:64:paper --tau 0 --json
    check "exact" grep -q '"error_bound": *0[,}]' "$out"
    run 0 mxm decay:64:paper --round bf16 --semiring plus_times_fp32 --explain
    check "rounded" grep -q 'since factors are bf16' "$out"
    run 1 mxm decay:64:paper --round bf16
    run 1 mxm decay:64:paper --tau 0 --semiring min_plus
    run 1 mxm decay:64:paper --tau 0 --method rowwise
    run 0 spy decay:64:exp:0.5 --norms -o "$dir/norms.png"
    run 0 mxm -V
    check "-V is the version" grep -q '^gblite ' "$out"
    run 0 gen decay:1000:paper -o "$dir/full.gbl"
    check "no lines, no note" test ! -s "$err"
    run 0 gen decay:1000:paper -o "$dir/full.mtx"
    check "a note on many lines" grep -q '1000000 lines' "$err"
    rm "$dir/full.gbl" "$dir/full.mtx"
    run 1 mxm decay:64:exp:2
}

chains() {
    local ring=plus_times_int64
    run 0 mxm er:5:4 er:5:3 --semiring $ring -o "$dir/ab.mtx"
    run 0 mxm "$dir/ab.mtx" er:5:2 --semiring $ring -o "$dir/abc.mtx"
    run 0 chain er:5:4 er:5:3 er:5:2 --semiring $ring --json -o "$dir/chain.mtx"
    one_json_object
    check "a chain is its products" cmp -s "$dir/abc.mtx" "$dir/chain.mtx"
    run 0 chain rect:32:9:2 er:5:3 rect:32:9:2 --transpose-first --plan
    check "the first order" grep -q '^order_1 *(A1 A2) A3: ' "$out"
    check "the second order" grep -q '^order_2 *A1 (A2 A3): ' "$out"
    run 1 chain er:5:4 er:5:4 er:6:4
    check "names the factors" grep -q 'A\[1\] has 32 columns and A\[2\] has 64 rows' "$err"
    run 2 chain er:5:4
}

# whole FILE FIRST: a matrix of integers, the first of which is FIRST.
whole() {
    printf '%%%%MatrixMarket matrix coordinate integer general\n2 2 3\n' >"$1"
    printf '1 1 %s\n2 2 3\n1 2 -2\n' "$2" >>"$1"
}

# Products of integers have all their digits, and what has too many is told.
integers() {
    local large='entries of the product'
    whole "$dir/whole.mtx" 94906267
    run 0 mxm "$dir/whole.mtx" -o "$dir/c.mtx"
    is "the square" "$(grep '^1 1 ' "$dir/c.mtx")" "1 1 9007199515875289"
    check "of integers" grep -q integer "$dir/c.mtx"
    run 0 chain "$dir/whole.mtx" "$dir/whole.mtx" -o "$dir/d.mtx"
    check "as a chain" cmp "$dir/c.mtx" "$dir/d.mtx"
    run 0 mxm "$dir/whole.mtx" --memory 1M -o "$dir/d.mtx"
    check "in slices" cmp "$dir/c.mtx" "$dir/d.mtx"
    run 0 mxm "$dir/whole.mtx" --semiring min_plus -o "$dir/c.mtx"
    is "shortest" "$(grep '^1 1 ' "$dir/c.mtx")" "1 1 189812534"
    printf '%%%%MatrixMarket matrix coordinate pattern general\n2 2 2\n1 1\n1 2\n' >"$dir/ones.mtx"
    run 0 mxm "$dir/ones.mtx" --transpose-b -o "$dir/c.mtx"
    check "counts are integers" grep -q integer "$dir/c.mtx"
    run 0 mxm "$dir/whole.mtx" --semiring plus_times_fp64 -o "$dir/c.mtx"
    check "floats where asked for" grep -q real "$dir/c.mtx"
    sed 's/integer/real/; s/-2/0.5/' "$dir/whole.mtx" >"$dir/real.mtx"
    run 0 mxm "$dir/whole.mtx" "$dir/real.mtx" -o "$dir/c.mtx"
    check "floats where one has some" grep -q real "$dir/c.mtx"
    # 3037000500^2 is above 2^63; 3037000499^2 is not, though the bound of two terms is
    whole "$dir/whole.mtx" 3037000499
    run 0 mxm "$dir/whole.mtx" -o "$dir/c.mtx"
    is "the largest square" "$(grep '^1 1 ' "$dir/c.mtx")" "1 1 9223372030926249001"
    run 1 mxm "$dir/whole.mtx" --topn 1
    check "may not fit" grep -q "^gblite: .*$large may not fit into INT64" "$err"
    whole "$dir/whole.mtx" 3037000500
    rm "$dir/c.mtx"
    run 1 mxm "$dir/whole.mtx" -o "$dir/c.mtx"
    check "does not fit" grep -q "^gblite: .*$large do not fit" "$err"
    check "no file" test ! -e "$dir/c.mtx"
    run 1 chain "$dir/whole.mtx" "$dir/whole.mtx"
    run 1 mxm "$dir/whole.mtx" --memory 1M -o "$dir/c.mtx"
    run 0 mxm "$dir/whole.mtx" --semiring plus_times_int64 -o "$dir/c.mtx"
    check "a note where asked for" grep -q "note: $large may not fit" "$err"
    run 0 mxm "$dir/whole.mtx" --semiring min_plus
    check "sums of two fit" test ! -s "$err"
    { for _ in 1 2; do "$gblite" mxm "$dir/ones.mtx" -o - 2>/dev/null; done; } >"$dir/twice"
    is "what is redirected is continued" "$(grep -c MatrixMarket "$dir/twice")" 2
}

# Dimensions of any size cost nothing.
huge() {
    local n
    for n in 1000000000 10000000000; do
        printf '%%%%MatrixMarket matrix coordinate integer general\n%s %s 4\n' $n $n >"$dir/h.mtx"
        printf '1 5 2\n5 %s 3\n%s 7 1\n%s 1 4\n' $n $n $((n - 1)) >>"$dir/h.mtx"
        run 0 info "$dir/h.mtx" --json
        is "rows of none" "$(field empty_rows)" $((n - 4))
        is flops "$(field square_flops)" 3
        run 0 spy "$dir/h.mtx" --norms -o "$dir/h.png"
        run 0 mxm "$dir/h.mtx"
        run 0 bfs "$dir/h.mtx" --source 5 -o "$dir/levels"
        is levels "$(cut -f 1,2 "$dir/levels" | tr '\t\n' ', ')" "5,0 7,2 $n,1 "
        check "a note of the others" grep -q "^gblite: note: .*h.mtx: 5 of the $n vertices" "$err"
        run 1 bfs "$dir/h.mtx" --source 6
        check "has no edges" grep -q -- '--source 6: the graph has no such vertex' "$err"
        for command in sssp cc scc pagerank closeness bc louvain mcl jaccard 'kcore --undirected'; do
            run 0 $command "$dir/h.mtx"
        done
        printf '%s %s 1\n1 %s 1\n1 %s 1\n' $((n - 1)) $n $n $((n - 1)) >>"$dir/h.mtx"
        sed -i "s/ 4\$/ 7/; 6s/ 7\$/ 4/" "$dir/h.mtx"
        run 0 truss "$dir/h.mtx" --undirected -o "$dir/truss.mtx"
        is "the triangle" "$(grep -c "^$n $((n - 1)) " "$dir/truss.mtx")" 1
        printf '%%%%MatrixMarket matrix coordinate integer general\n%s %s 0\n' $n $n >"$dir/h.mtx"
        run 0 info "$dir/h.mtx"
        run 0 spy "$dir/h.mtx" -o "$dir/h.png"
        run 0 cc "$dir/h.mtx"
    done
}

# bytes FILE OFFSET COUNT in hexadecimal
bytes() {
    od -An -v -tx1 -j "$2" -N "$3" "$1" | tr -d ' \n'
}

# picture FILE WIDTH HEIGHT: a PNG of that size from its signature to its last chunk
picture() {
    is signature "$(bytes "$1" 0 8)" 89504e470d0a1a0a
    is "width and height" "$(bytes "$1" 16 8)" "$(printf '%08x%08x' "$2" "$3")"
    is "last chunk" "$(tail -c 8 "$1" | bytes /dev/stdin 0 4)" 49454e44
}

pictures() {
    run 0 spy "$karate" -o "$dir/karate.png" --size 100 --json
    one_json_object
    is "most per pixel" "$(field most_per_pixel)" 1
    picture "$dir/karate.png" 100 100
    printf '%%%%MatrixMarket matrix coordinate pattern general\n10 40 2\n1 1\n10 40\n' \
        >"$dir/wide.mtx"
    run 0 spy "$dir/wide.mtx" -o "$dir/wide.png" --size 200
    picture "$dir/wide.png" 200 50
    run 0 spy rmat:10:8 -o "$dir/rmat.png" --size 64 --json
    picture "$dir/rmat.png" 64 64
    check "pixels hold several entries" test "$(field most_per_pixel)" -gt 1
    for wild in inf nan 0; do
        printf '%%%%MatrixMarket matrix coordinate real general\n9 9 2\n1 1 2\n5 7 %s\n' $wild \
            >"$dir/$wild.mtx"
        run 0 spy "$dir/$wild.mtx" --norms -o "$dir/$wild.png"
    done
    check "NaN is as dark as infinity" cmp -s "$dir/inf.png" "$dir/nan.png"
    check "0 is not" test "$(cmp "$dir/inf.png" "$dir/0.png" | wc -l)" = 1
}

# The machine table: one that is broken is told of and not used.
machine() {
    GBLITE_CONFIG=off run 0 calibrate --show --json
    one_json_object
    is table "$(field table)" "built in"
    is file "$(field file)" none
    echo 'format 4' >"$dir/machine"
    GBLITE_CONFIG="$dir/machine" run 0 calibrate --show --json
    is table "$(field table)" "built in"
    check "says why" grep -q '"refused":"no value' "$out"
    GBLITE_TRACE=1 GBLITE_CONFIG="$dir/machine" run 0 mxm "$karate"
    check "told when tracing" grep -q 'machine is not used: no value' "$err"
    is "lines of products" "$(grep -c '^mxm of .* entries in ' "$err")" 1
    is "and no more" "$(wc -l <"$err")" 2
    GBLITE_TRACE=2 GBLITE_CONFIG=off run 0 mxm "$karate"
    is "texts of products" "$(grep -c '^mxm of ' "$err")" 1
    check "with their candidates" grep -q '^> ' "$err"
    GBLITE_TRACE=json GBLITE_CONFIG=off run 0 mxm "$karate"
    is "lines of products" "$(grep -c '^{"operation":"mxm",.*}$' "$err")" 1
    GBLITE_TRACE=0 GBLITE_CONFIG=off run 0 mxm "$karate"
    check "not traced" test ! -s "$err"
    GBLITE_CONFIG="$dir/no" CUDA_VISIBLE_DEVICES='' run 1 calibrate --device
    check "says that there is no GPU" grep -q GPU "$err"
    printf 'format 1\ndevice Some GPU\n' >"$dir/no.devices"
    GBLITE_CONFIG="$dir/no" run 0 calibrate --show --json
    check "says why of GPUs" grep -q '"devices_refused":"no value' "$out"
    run 2 calibrate now
}

check "test data" test -d "$data"
for part in usage misspelling converting failing matrices products chains integers huge pictures machine; do $part; done
echo "$failures checks failed"
test $failures = 0
