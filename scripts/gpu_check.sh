#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Everything that wants a GPU, in 8 minutes and without network:
#
#     scripts/gpu_check.sh --pack FOLDER      where the library can be built: the programs, and the
#                                             shared libraries that a GPU machine may lack, to FOLDER
#     scripts/gpu_check.sh [--from FOLDER] [--data DIR] [--out FILE]
#                                             where the GPU is: from FOLDER, or from a fresh build
#
# The environment variable BUILD names the build folder (build-gpu). Groups, each under its own time
# limit so that one that hangs does not lose the rest: the tests of the kernels; memcheck and
# racecheck of compute-sanitizer on a small part of them; the bench against cuSPARSE, whose JSON goes
# to FILE (bench/results/gpu/DEVICE.json). Exit status 0 when all passed.
set -uo pipefail
cd "$(dirname "$0")/.."

from=
pack=
build=${BUILD:-build-gpu}
data=
out=
while [ $# -gt 0 ]; do
    case $1 in
    --from) from=$2; shift ;;
    --pack) pack=$2; shift ;;
    --data) data=$2; shift ;;
    --out) out=$2; shift ;;
    *) sed -n '3,16s/^# \{0,1\}//p' "$0"; exit 64 ;;
    esac
    shift
done

programs=(test/gpu_test_cuda_mxm test/gpu_test_cuda_rows bench/gpu)
failed=()

build() {
    cmake -S . -B "$build" -G Ninja -DCMAKE_BUILD_TYPE=Release -DGBLITE_CUDA=ON \
        -DGBLITE_EXAMPLES=OFF >/dev/null &&
        cmake --build "$build" --target "${programs[@]##*/}"
}

# Libraries that programs load and that are no part of the system or of the driver. CUDA's own are
# large: a machine for GPUs has cuSPARSE.
pack_libraries() {
    ldd "${programs[@]/#/$build/}" | awk '$2 == "=>" && $3 ~ /^\// {print $3}' | sort -u |
        grep -vE '/lib(c|m|dl|rt|pthread|stdc\+\+|gcc_s|cuda|cusparse|nvJitLink)\.so' |
        grep -v '/ld-linux'
}

collect() { # collect FOLDER
    mkdir -p "$1/lib"
    cp "${programs[@]/#/$build/}" "$1/" && cp bench/suite.txt "$1/" || return 1
    git rev-parse HEAD >"$1/commit" 2>/dev/null || echo unknown >"$1/commit"
    pack_libraries | xargs -r cp -L -t "$1/lib"
}

if [ -n "$pack" ]; then
    build && collect "$pack" || exit 1
    strip "$pack"/gpu "$pack"/gpu_test_*
    du -sh "$pack"
    exit 0
fi
nvidia-smi --query-gpu=name,driver_version,memory.total --format=csv,noheader 2>&1 ||
    { echo "gpu_check: there is no GPU here" >&2; exit 1; }
if [ -z "$from" ]; then
    from=$build/packed
    build && collect "$from" || exit 1
fi
from=$(cd "$from" && pwd)
toolkit=/usr/local/cuda
export PATH="$PATH:$toolkit/bin"
# The packed libraries are for the packed programs alone.
ours=(env "LD_LIBRARY_PATH=$from/lib:$toolkit/lib64${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}")

group() { # group NAME SECONDS COMMAND...
    local name=$1 limit=$2 status
    shift 2
    printf '\n== %s (at most %d s)\n' "$name" "$limit"
    timeout --kill-after=5 "$limit" "$@"
    status=$?
    [ $status -eq 0 ] && return
    failed+=("$name (status $status$([ $status -eq 124 ] && echo ', ran out of time'))")
}

group "tests of products" 90 "${ours[@]}" "$from/gpu_test_cuda_mxm" --jobs 1
group "tests of rows" 60 "${ours[@]}" "$from/gpu_test_cuda_rows" --jobs 1
if command -v compute-sanitizer >/dev/null; then
    for tool in memcheck racecheck; do
        group "$tool" 60 "${ours[@]}" compute-sanitizer --tool "$tool" --error-exitcode 9 \
            --target-processes all "$from/gpu_test_cuda_rows" --jobs 1 \
            --filter 'cuda_rows/that_overflow'
    done
else
    echo "gpu_check: no compute-sanitizer here, memcheck and racecheck are left out" >&2
    failed+=("compute-sanitizer is missing")
fi

device=$(nvidia-smi --query-gpu=name --format=csv,noheader | head -n 1 | tr -cs 'A-Za-z0-9\n' '-')
out=${out:-bench/results/gpu/$device.json}
mkdir -p "$(dirname "$out")"
bench() {
    "$from/gpu" --limit 160 --suite "$from/suite.txt" ${data:+--data "$data"} >"$out.new" || return 1
    # the commit, as the first member of the document
    sed "0,/{/s/{/{\n\t\"commit\": \"$(cat "$from/commit")\",/" "$out.new" >"$out" &&
        rm "$out.new" && echo "gpu_check: $out"
}
export -f bench
export from data out
group "bench against cuSPARSE" 200 "${ours[@]}" bash -c bench

for name in "${failed[@]}"; do echo "FAILED: $name"; done
[ ${#failed[@]} -eq 0 ] && echo "gpu_check: all passed"
[ ${#failed[@]} -eq 0 ]
