#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# bench_usage.sh FOLDER: the programs of bench/ and the scripts that make pages refuse wrong command
# lines before they measure anything, and say what is wrong. FOLDER has the programs.
# shellcheck disable=SC2086 # "$bench JOB" is two words
set -uo pipefail
folder=$1
scripts=$(cd "$(dirname "$0")/../../bench" && pwd)
failures=0

# refuses CODE PATTERN COMMAND...: exit code, and what stderr must say; stdout must stay empty.
refuses() {
    local want=$1 pattern=$2 code=0 out err
    shift 2
    err=$(mktemp)
    out=$("$@" 2>"$err" </dev/null) || code=$?
    if [ "$code" = "$want" ] && [ -z "$out" ] && grep -q -- "$pattern" "$err"; then
        echo "ok    $*"
    else
        echo "FAIL  $*: exit $code, want $want and '$pattern' on stderr alone"
        sed 's/^/      /' "$err"
        failures=$((failures + 1))
    fi
    rm -f "$err"
}

bench=$folder/bench
for program in "$bench compare" "$bench rowwise" "$bench tiled" "$bench outer" "$bench run" \
    "$bench chain" "$bench spmm" "$bench spamm" "$bench overhead" "$bench lists" "$bench hyper" \
    "$bench panel" "$bench vector" "$folder/graphs"; do
    for value in 0 -1 x 3x '' 10001; do
        refuses 64 "--repeats is '$value'" $program --repeats "$value"
    done
    refuses 64 "unrecognized option" $program --frobnicate
    refuses 64 "--threads is 'none'" $program --threads none
done
for program in "$bench compare" "$bench rowwise" "$bench tiled" "$bench outer" "$bench run" \
    "$bench chain" "$bench spmm" "$bench lists" "$bench vector" "$folder/graphs"; do
    refuses 64 "cannot open the suite" $program --suite /missing/suite.txt
done
for program in "$bench run" "$bench chain" "$bench spamm" "$bench overhead"; do
    refuses 64 "Too many arguments" $program er:4:2
done
refuses 64 "no job 'magic'" "$bench" magic
refuses 64 "usage: bench JOB" "$bench"
refuses 64 "nothing is called 'magic'; there are mxm, boolean" "$bench" compare --only magic
refuses 64 "nothing is called 'magic'; there are bfs, sssp" "$folder/graphs" --only magic
refuses 64 "--busy is '-1'" "$bench" compare --busy -1
refuses 64 "--busy is at most 1000" "$bench" compare --busy 1001
refuses 1 "is not ENTRIES:INDICES" "$bench" hyper --json 10:x
refuses 64 "--calls is '0'" "$bench" overhead --calls 0
refuses 64 "no contender 'magic'; there are suitesparse, mkl, auto" "$bench" run --contender magic
refuses 64 "--first is '0'" "$bench" run --first 0
refuses 1 "cannot open /missing.so" "$bench" run --tiny --suitesparse /missing.so
for value in 0 -1 x 3x ''; do
    refuses 2 "--repeats: '$value' is not a number from 1 on" \
        /usr/bin/python3 "$scripts/mcl/race.py" "--repeats=$value"
done
refuses 2 "unrecognized arguments" /usr/bin/python3 "$scripts/mcl/race.py" --frobnicate
refuses 2 "unrecognized arguments" /usr/bin/python3 "$scripts/mcl/race.py" er:4:2
refuses 2 "--threads: 'none' is not a number" /usr/bin/python3 "$scripts/mcl/race.py" --threads none
refuses 1 "/missing/suite.txt" /usr/bin/python3 "$scripts/mcl/race.py" \
    --build "$folder/.." --suite /missing/suite.txt
refuses 2 "not a number from 1 on" /usr/bin/python3 "$scripts/versus.py" . . --turns 0
refuses 1 "cannot write to the folder" "$bench" run --tiny --output /missing
# Pages but that of the benchmarks do not need matplotlib.
refuses 2 "not a number from 1 on" /usr/bin/python3 "$scripts/pages/make_page.py" chains --repeats 0
[ $failures -eq 0 ]
