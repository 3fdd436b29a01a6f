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
        k=$((k + 1))
        after=$((RANDOM % (took * k / 3 + 1) + 1)) # the later ones get further
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
changed truncate -s 2000 "$dir/mapped.gbl"
changed truncate -s -100 "$dir/mapped.gbl"
refused
if [ -z "${GBLITE_SANITIZE:-}" ]; then in_memory; fi
exit $((failures > 0))
