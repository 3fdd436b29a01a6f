#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# larger_kills.sh [GBLITE] [FOLDER] [KILLS]: ends products that are written to FOLDER at random moments, by kill -9 and by
# disks that are full, and resumes them. There is never a result that is not whole, and every result is the same to the byte.
set -euo pipefail
gblite=$(realpath "${1:-build/gblite}")
folder=$(mktemp -d "${2:-/tmp}/kills_XXXXXX")
kills=${3:-200}
trap 'rm -rf "$folder"' EXIT
cd "$folder"

fail() {
    echo "FAIL: $*" >&2
    exit 1
}

# product OUTPUT [OPTION...]: within $memory.
product() {
    local output=$1
    shift
    "$gblite" mxm A.gbl --memory "$memory" -o "$output" "$@" >out 2>err
}

# same OUTPUT: as without interruptions.
same() {
    cmp "$1" "whole.${1#C.}" || fail "$1 is not the same"
    rm "$1"
}

memory=4M
"$gblite" gen "${SPEC:-rmat:13:16}" -o A.gbl >/dev/null
started=$(date +%s%N)
product whole.gbl
took=$((($(date +%s%N) - started) / 1000000))
"$gblite" convert whole.gbl -o whole.mtx.gz >/dev/null
killed=0 results=0
for output in C.gbl C.mtx.gz; do
    least=$((killed + kills / 2))
    while [ $killed -lt $least ]; do
        after=$((RANDOM % (2 * took) + 1))
        code=0
        memory=$((RANDOM % 4 + 3))M
        [ $output = C.gbl ] || after=$((2 * after))
        "$gblite" mxm A.gbl --memory $memory --resume -o $output >out 2>err &
        sleep $((after / 1000)).$(printf %03d $((after % 1000)))
        kill -KILL $! 2>/dev/null || true
        wait $! || code=$?
        [ $code = 0 ] || [ $code = 137 ] || fail "$(cat err)"
        [ $code = 0 ] || killed=$((killed + 1))
        if [ -e $output ]; then same $output && results=$((results + 1)); fi # then it is whole
    done
    until product $output --resume; do :; done
    same $output
done
echo "$killed times killed, $((results + 2)) results, all the same"

full=0 results=0 memory=4M
for round in $(seq 20); do
    code=1
    blocks=1
    while [ $code != 0 ]; do
        blocks=$((blocks + RANDOM % 40000 + 1))
        code=0
        (ulimit -f $blocks && trap '' XFSZ && product C.gbl --resume) || code=$?
        [ $code = 0 ] || { full=$((full + 1)) && grep -q "File too large" err || fail "$(cat err)"; }
        [ $code = 0 ] || [ ! -e C.gbl ] || fail "full, and a result"
    done
    same C.gbl
    results=$((results + 1))
done
echo "$full times too large a file, $results results, all the same"

# A disk of its own, where this user may have one.
space=$(($(stat -c %s whole.gbl) * 3 / 4))
unshare -rm bash -s "$gblite" "$PWD" "$space" <<'END' || fail "disk full"
mkdir "$2/disk" && mount -t tmpfs -o size=$3 none "$2/disk" || { echo "no disk of its own here" && exit 0; }
"$1" mxm "$2/A.gbl" --memory 4M -o "$2/disk/C.gbl" 2>"$2/err" >/dev/null && exit 1
grep -q "No space left\|bytes free" "$2/err" && [ ! -e "$2/disk/C.gbl" ] || exit 1
mount -o remount,size=$((4 * $3)) "$2/disk"
"$1" mxm "$2/A.gbl" --memory 4M --resume -o "$2/disk/C.gbl" 2>"$2/err" >/dev/null || exit 1
"$1" convert "$2/disk/C.gbl" -o "$2/C.mtx.gz" >/dev/null && cmp "$2/C.mtx.gz" "$2/whole.mtx.gz" || exit 1
mount -o remount,ro "$2/disk"
"$1" mxm "$2/A.gbl" --memory 4M -o "$2/disk/D.gbl" 2>"$2/err" >/dev/null && exit 1
grep -q "Read-only" "$2/err" || exit 1
echo "a full disk that grew: resumed; a disk that can only be read: refused"
END
