#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# gblite mxm --memory: what it writes whatever ends it, and within what memory.
set -u
. "$(dirname "$0")/functions.sh"

# A result may be there where the process was killed after that.
interrupted() {
    local k=0 killed=0 after
    until [ -e "$dir/C.gbl" ] || [ $k = 40 ]; do
        after=$((RANDOM % (took * k / 3 + 1) + 1)) # the first not far, the later ones further
        k=$((k + 1))
        timeout -s KILL $((after / 1000)).$(printf %03d $((after % 1000))) \
            "$gblite" mxm "$dir/A.gbl" --memory 1M --resume -o "$dir/C.gbl" >"$out" 2>"$err"
        [ $? = 137 ] && killed=$((killed + 1))
    done 2>/dev/null
    check "was killed" test $killed -gt 0
    check "the same to the byte" cmp "$dir/whole.gbl" "$dir/C.gbl"
}

# At first little space, then more.
full_disk() {
    local blocks=1 code=1
    rm -f "$dir/C.gbl"
    while [ $code != 0 ] && [ $blocks -lt 100000 ]; do
        (ulimit -f $blocks && trap '' XFSZ && "$gblite" mxm "$dir/A.gbl" --memory 1M --resume -o "$dir/C.gbl") \
            >"$out" 2>"$err"
        code=$?
        [ $code = 0 ] || check "says why" grep -q "File too large" "$err"
        [ -e "$dir/C.gbl.partial" ] && check "says how to go on" grep -q "rows: --resume goes on" "$err"
        blocks=$((3 * blocks))
    done
    check "the same to the byte" cmp "$dir/whole.gbl" "$dir/C.gbl"
}

forms() {
    local form
    run 0 gen rmat:10:8 -o "$dir/F.gbl"
    run 0 mxm "$dir/F.gbl" -o "$dir/whole_f.gbl"
    for form in mtx mtx.gz mtx.zst h5; do
        "$gblite" convert "$dir/whole_f.gbl" -o "$dir/whole.$form" >"$out" 2>"$err" || continue # not built
        run 0 mxm "$dir/F.gbl" --memory 512K --json -o "$dir/C.$form"
        one_json_object
        check "in slices" test "$(field slices)" -gt 1
        case $form in
        h5) run 0 convert "$dir/C.h5" -o "$dir/back.mtx" && check "$form" cmp "$dir/whole.mtx" "$dir/back.mtx" ;;
        *) check "$form" cmp "$dir/whole.$form" "$dir/C.$form" ;;
        esac
        check "one file" test -z "$(ls "$dir" | grep 'C\..*gbl$' | grep -v '^C.gbl$')"
    done
    run 2 mxm "$dir/A.gbl" --memory 1M -o "$dir/C.tsv"
    check "says which" grep -q "mtx.gz" "$err"
    run 2 mxm "$dir/A.gbl" --resume -o "$dir/C.gbl"
}

# The sums of rows and columns of a product that is never stored.
sums() {
    local what
    run 0 gen er:10:8 --type integer -o "$dir/S.mtx"
    run 0 mxm "$dir/S.mtx" -o "$dir/SS.mtx"
    run 0 convert "$dir/S.mtx" -o "$dir/S.gbl"
    for what in rows columns; do
        for fold in plus max; do
            run 0 mxm "$dir/S.gbl" --reduce $what --fold $fold --memory 300K --json -o "$dir/sums.mtx"
            one_json_object
            check "in slices" test "$(field slices)" -gt 1
            awk -v what=$what -v fold=$fold '/^%/ { next } !n { n = $1; next }
                { k = what == "rows" ? $1 : $2; s[k] = !(k in s) ? $3 : fold == "plus" ? s[k] + $3 : s[k] > $3 ? s[k] : $3 }
                END { for (k = 1; k <= n; k++) if (k in s) print k, 1, s[k] }' "$dir/SS.mtx" >"$dir/wanted"
            check "$fold of $what" cmp "$dir/wanted" <(sed '/^%/d' "$dir/sums.mtx" | tail -n +2)
        done
    done
    run 2 mxm "$dir/S.mtx" --reduce all
    run 2 mxm "$dir/S.mtx" --fold max
    run 2 mxm "$dir/S.mtx" --reduce rows --estimate
}

# Edges and Matrix Market to files, with the memory that the list takes several times, and without.
conversions() {
    local input
    run 0 gen er:15:40 -o "$dir/E.mtx"
    run 0 convert "$dir/E.mtx" -o "$dir/E.tsv"
    run 0 convert "$dir/E.tsv" -o "$dir/E.tsv.gz"
    for input in E.mtx E.tsv E.tsv.gz; do
        run 0 convert "$dir/$input" -o "$dir/memory.gbl"
        TMPDIR=$dir run 0 convert "$dir/$input" --memory 20M --json -o "$dir/files.gbl"
        check "$input" cmp "$dir/memory.gbl" "$dir/files.gbl"
    done
    run 0 convert "$dir/files.gbl" --memory 20M -o "$dir/back.mtx"
    run 0 convert "$dir/memory.gbl" -o "$dir/whole.mtx"
    check "back" cmp "$dir/whole.mtx" "$dir/back.mtx"
    run 0 convert "$dir/E.tsv" --write-tab "$dir/tab" -o "$dir/memory.gbl"
    TMPDIR=$dir run 0 convert "$dir/E.tsv" --memory 20M --write-tab "$dir/same" -o "$dir/files.gbl"
    check "labels" cmp "$dir/tab" "$dir/same"
    (ulimit -f 1000 && trap '' XFSZ && TMPDIR=$dir "$gblite" convert "$dir/E.tsv" --memory 20M -o "$dir/full.gbl") \
        >"$out" 2>"$err" && check "full" false
    check "says why" grep -q "File too large" "$err"
    check "no result" test ! -e "$dir/full.gbl"
    TMPDIR=/proc run 1 convert "$dir/E.tsv" --memory 20M -o "$dir/full.gbl"
    run 1 convert "$dir/E.tsv" --memory 20M -o /proc/full.gbl
    run 2 convert "$dir/E.tsv" --memory some -o "$dir/full.gbl"
}

# begins FILE OUTPUT: a product of FILE whose first slice is whole by then; sets $job.
begins() {
    local k=0
    "$gblite" mxm "$1" --memory 2M -o "$2" >"$out" 2>"$err" &
    job=$!
    until [ -s "$2.journal" ] || [ $k = 1000 ]; do sleep 0.01 && k=$((k + 1)); done
}

# $@: what happens to a file while it is mapped.
changed() {
    local code=0
    cp "$dir/B.gbl" "$dir/mapped.gbl" && rm -f "$dir"/lost.gbl*
    begins "$dir/mapped.gbl" "$dir/lost.gbl"
    "$@"
    wait $job || code=$?
    is "exit code" $code 1
    check "says what: $(tail -n 1 "$err")" grep -q "became shorter\|changed while it was read" "$err"
    check "no result" test ! -e "$dir/lost.gbl"
}

refused() {
    begins "$dir/B.gbl" "$dir/D.gbl"
    kill -KILL $job
    wait $job 2>/dev/null
    run 1 mxm "$dir/B.gbl" --memory 2M --semiring min_plus --resume -o "$dir/D.gbl"
    check "another product" grep -q "another product" "$err"
    run 1 mxm "$dir/A.gbl" --memory 1M -o /proc/C.gbl
    run 1 mxm "$dir/A.gbl" --memory 1M -o "$dir/none/C.gbl"
}

# All private memory: half as much again, and 16 MB for stacks of threads.
in_memory() {
    local code=0
    (ulimit -d $((40 * 1024)) && "$gblite" mxm "$dir/B.gbl" --threads 2 --memory 16M --json -o "$dir/C.gbl") \
        >"$out" 2>"$err" || code=$?
    is "exit code" $code 0
    check "result beyond the memory" test "$(field bytes)" -gt 60000000
}

run 0 gen rmat:12:8 -o "$dir/A.gbl"
run 0 gen rmat:13:16 -o "$dir/B.gbl"
started=$(date +%s%N)
run 0 mxm "$dir/A.gbl" --memory 1M --json -o "$dir/whole.gbl"
took=$((($(date +%s%N) - started) / 1000000))
check "in slices" test "$(field slices)" -gt 5
interrupted
full_disk
forms
sums
conversions
changed truncate -s 2000 "$dir/mapped.gbl"
changed truncate -s -100 "$dir/mapped.gbl"
refused
if [ -z "${GBLITE_SANITIZE:-}" ]; then in_memory; fi
exit $((failures > 0))
