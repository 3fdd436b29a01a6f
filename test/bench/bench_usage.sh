#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# bench_usage.sh FOLDER: the programs of bench/ and the scripts that make pages refuse wrong command
# lines before they measure anything, and say what is wrong. FOLDER has the programs.
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

for program in compare rowwise tiled outer run chain mcl spmm spamm overhead graphs; do
    for value in 0 -1 x 3x '' 10001; do
        refuses 64 "--repeats is '$value'" "$folder/$program" --repeats "$value"
    done
    refuses 64 "unrecognized option" "$folder/$program" --frobnicate
done
for program in compare rowwise tiled outer run chain mcl spmm graphs vector; do
    refuses 64 "--threads is 'none'" "$folder/$program" --threads none
    refuses 64 "cannot open the suite" "$folder/$program" --suite /missing/suite.txt
done
for program in run chain mcl spmm spamm overhead; do
    refuses 64 "Too many arguments" "$folder/$program" er:4:2
done
refuses 64 "no operation 'magic'" "$folder/compare" --only magic
refuses 64 "no job 'magic'" "$folder/graphs" --only magic
refuses 64 "--busy is '-1'" "$folder/compare" --busy -1
refuses 64 "--busy is at most 1000" "$folder/compare" --busy 1001
refuses 64 "no part 'magic'" "$folder/tiled" --only magic
refuses 64 "--calls is '0'" "$folder/overhead" --calls 0
refuses 64 "no contender 'magic'; there are suitesparse, mkl, auto" "$folder/run" --contender magic
refuses 64 "--first is '0'" "$folder/run" --first 0
refuses 1 "cannot open /missing.so" "$folder/run" --tiny --suitesparse /missing.so
refuses 2 "not a number from 1 on" /usr/bin/python3 "$scripts/run/versus.py" . . --turns 0
refuses 1 "cannot write to the folder" "$folder/run" --tiny --output /missing
# This page's script reads its command line as all of them do, and does not need matplotlib.
refuses 2 "not a number from 1 on" /usr/bin/python3 "$scripts/chain/make_page.py" --repeats 0
[ $failures -eq 0 ]
