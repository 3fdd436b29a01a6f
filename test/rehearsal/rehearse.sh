#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
#     rehearse.sh TESTS BENCH KERNELS FOLDER
#
# scripts/gpu_check.sh from its first line to its last, on the stand-in for a GPU: these programs and
# this library in a folder as it packs them, with small inputs and tools that only start what they are
# to watch. Then the bench alone, killed after its first input; and the script once more with kernels
# that do not start, and with too little time.
set -euo pipefail
tests=$1 bench=$2 kernels=$3 folder=$4
source=$(cd "$(dirname "$0")/../.." && pwd)
rm -rf "$folder"
mkdir -p "$folder/lib" "$folder/tools"
cp "$tests" "$folder/gpu_tests"
cp "$bench" "$folder/gpu"
cp "$kernels" "$folder/lib/libgblite_cuda.so"
cp "$kernels" "$folder/lib/libgblite_cuda_checked.so"
cp "$source/scripts/gpu_check.sh" "$source/bench/suites/gpu.txt" "$folder"
echo rehearsed >"$folder/commit"

tool() { # tool NAME: reads what it does
    { echo '#!/usr/bin/env bash'; cat; } >"$folder/tools/$1"
    chmod +x "$folder/tools/$1"
}
tool nvidia-smi <<'T'
echo "A rehearsal, 1"
T
for name in compute-sanitizer ncu; do
    tool "$name" <<'T'
echo "${0##*/} watches"
while [[ $1 == --* ]]; do
    case $1 in
    --tool | --print-limit | --error-exitcode | --clock-control | --section | --launch-count | \
        --print-summary) shift 2 ;;
    *) exit 64 ;;
    esac
done
exec "$@"
T
done
export PATH="$folder/tools:$PATH" GPU_CHECK_REHEARSAL=5 GBLITE_TEST_SAMPLE=1999
unset GBLITE_CUDA_LIBRARY GBLITE_CUDA
# CTest runs all of these tests by themselves; here are suites whose tests set what others read.
RUNNER_SKIP=$("$folder/gpu_tests" --list | grep -vE '^cuda_(left|tensor|dot/triangles)' | tr '\n' ' ')
export RUNNER_SKIP

fail() {
    echo "rehearse: $*" >&2
    exit 1
}
check() { # check OUT STATUS ARGUMENT...: the script's status, and its output files
    local out=$folder/$1 wanted=$2 status=0
    shift 2
    "$folder/gpu_check.sh" --out "$out" "$@" >"$folder/printed" 2>&1 || status=$?
    [ "$status" -eq "$wanted" ] || { cat "$folder/printed"; fail "status $status, not $wanted"; }
    [ "$(find "$out" -type f | wc -l)" -le 8 ] || fail "more than 8 files in $out"
    cmp -s "$folder/printed" "$out/check.log" || fail "check.log is not all that was printed"
    for file in "$out"/*.json; do
        [ ! -e "$file" ] || python3 -m json.tool "$file" >/dev/null || fail "$file is not JSON"
    done
}
has() { # has FILE TEXT...
    local file=$folder/$1 text
    shift
    for text in "$@"; do grep -qF -- "$text" "$file" || fail "'$text' is not in $file"; done
}

check whole 0
has whole/check.log "== smoke" "[PASS] cuda_spamm/rounded_factors" "73 tests, 0 failed" \
    "== memcheck" "== racecheck" "compute-sanitizer watches" "gpu_check: all passed"
has whole/mxm.json '"input":' er:6:3 fem:2:2 '"cusparse_alg1":' '"cub_esc":' '"speedup":'
has whole/sweep.json carveout=58,lanes=16 carveout=100,lanes=4 query=1
has whole/profiles.txt "ncu watches"
has whole/graphs.json '"triangles":' '"bfs":' '"pagerank":'
has whole/spamm.json '"type":' FP64 TF32 FP16

# Documents hold every line that is done: the bench is killed while it waits for its second input.
killed() { # killed NAME TEXT ARGUMENT...
    local name=$1 text=$2
    shift 2
    rm -f "$folder/late.mtx"
    mkfifo "$folder/late.mtx"
    GBLITE_CUDA_LIBRARY=$folder/lib/libgblite_cuda.so "$folder/gpu" --repeats 1 --warm-up 1 \
        --output "$folder/$name.json" "$@" "$folder/late.mtx" >"$folder/printed" 2>&1 &
    # shellcheck disable=SC2016 # by another bash
    timeout 100 bash -c 'exec 3>"$1"; kill -9 "$2"' _ "$folder/late.mtx" $! ||
        { cat "$folder/printed"; fail "$name: the second input was not reached"; }
    wait $! 2>/dev/null || true
    python3 -m json.tool "$folder/$name.json" >/dev/null || fail "$name.json is not JSON"
    has "$name.json" "$text"
}
killed killed_products '"cub_esc":' er:5:3
killed killed_graphs '"pagerank":' --graphs rmats:5:4
killed killed_spamm '"type":' --spamm decay:64:paper
killed killed_operations '"transpose":' --operations er:5:3

GBLITE_CUDA=lanes=99 check broken 1
has broken/check.log "FAILED: smoke" "== memcheck of the smoke"
[ ! -e "$folder/broken/mxm.json" ] || fail "it went on after the smoke"

check late 1 --seconds 3
has late/check.log "no time was left"
