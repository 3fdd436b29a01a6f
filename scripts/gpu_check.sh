#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Everything that wants a GPU, in 8 minutes and without network:
#
#     scripts/gpu_check.sh --pack FOLDER      where the library can be built: the programs, and the
#                                             shared libraries that a GPU machine may lack, to FOLDER
#     FOLDER/gpu_check.sh [--data DIR] [--out FILE]
#                                             where the GPU is; nothing is built there
#     scripts/gpu_check.sh [--data DIR] [--out FILE]
#                                             where both are
#
# The environment variable BUILD names the build folder (build-gpu). Groups, each under its own time
# limit so that one that hangs does not lose the rest: the tests of the kernels, each in a process and
# under a limit of its own; memcheck and racecheck of compute-sanitizer on a small part of them; the
# bench against cuSPARSE, whose JSON goes to FILE (bench/results/gpu/DEVICE.json, or DEVICE.json beside
# a packed script), and those of approximate products against cuBLAS and of
# triangles against the CPU, which go beside it. Exit status 0 when all passed, 1 when something failed
# or could not be done.
set -uo pipefail
here=$(cd "$(dirname "$0")" && pwd)

usage() {
    sed -n '5,13s/^# \{0,1\}//p' "$0"
    exit 64
}

pack=
data=
out=
while [ $# -gt 0 ]; do
    [ $# -ge 2 ] || usage
    case $1 in
    --pack) pack=$(realpath -m "$2") ;;
    --data) data=$(realpath "$2") || exit 1 ;;
    --out) out=$(realpath -m "$2") ;;
    *) usage ;;
    esac
    shift 2
done

toolkit=${CUDA_HOME:-/usr/local/cuda}
export PATH="$PATH:$toolkit/bin"
build=${BUILD:-build-gpu}
programs=(test/gpu_tests bench/gpu)
kernels=libgblite_cuda.so # which the programs load
checked=libgblite_cuda_checked.so # the same for compute-sanitizer

build() {
    cmake -S . -B "$build" -DCMAKE_BUILD_TYPE=Release -DGBLITE_CUDA=ON -DGBLITE_CLI=OFF \
        -DGBLITE_GPU_CHECK=ON \
        >/dev/null &&
        cmake --build "$build" --parallel "$(nproc)" \
            --target "${programs[@]##*/}" gblite_cuda gblite_cuda_checked
}

# Libraries that programs load and that are no part of the system, of the driver or, being large, of
# CUDA's toolkit.
libraries() {
    ldd "${programs[@]/#/$build/}" "$build/$kernels" | awk '$2 == "=>" && $3 ~ /^\// {print $3}' | sort -u |
        grep -vE '/lib(c|m|dl|rt|pthread|stdc\+\+|gcc_s|cuda|cusparse|nvJitLink)\.so'
}

collect() { # collect FOLDER
    mkdir -p "$1/lib" && cp "${programs[@]/#/$build/}" scripts/gpu_check.sh bench/suite.txt "$1/" ||
        return 1
    git rev-parse HEAD >"$1/commit" 2>/dev/null || echo unknown >"$1/commit"
    { echo "$build/$kernels"; echo "$build/$checked"; libraries; } | xargs cp -L -t "$1/lib" &&
        strip "$1"/gpu "$1"/gpu_tests "$1/lib/$kernels" "$1/lib/$checked"
}

if [ -x "$here/gpu_tests" ]; then # a packed folder
    from=$here
else
    cd "$here/.." || exit 1
    from=${pack:-$build/packed}
    build && collect "$from" || exit 1
fi
if [ -n "$pack" ]; then
    du -sh "$pack"
    exit 0
fi
nvidia-smi --query-gpu=name,driver_version,memory.total --format=csv,noheader 2>&1 ||
    { echo "gpu_check: there is no GPU here" >&2; exit 1; }
from=$(cd "$from" && pwd)

# The packed libraries are for the packed programs alone. cuSPARSE is the toolkit's, or that of one of
# Python's packages (nvidia-cusparse).
places=("$toolkit/lib64" /usr/lib /usr/local/lib "$HOME/.local/lib" ${VIRTUAL_ENV:+"$VIRTUAL_ENV/lib"})
cusparse=$(find "${places[@]}" -name 'libcusparse.so.[0-9]*' 2>/dev/null |
    head -n 1)
jitlink=$(find "${places[@]}" -name 'libnvJitLink.so.[0-9]*' 2>/dev/null |
    head -n 1)
path=$from/lib:$toolkit/lib64
[ -n "$cusparse" ] && path=$path:$(dirname "$cusparse")
[ -n "$jitlink" ] && path=$path:$(dirname "$jitlink")
ours=(env "LD_LIBRARY_PATH=$path${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}" GBLITE_CONFIG=off)
failed=()

group() { # group NAME SECONDS COMMAND...
    local name=$1 limit=$2 status
    shift 2
    printf '\n== %s (at most %d s)\n' "$name" "$limit"
    timeout --kill-after=5 "$limit" "$@"
    status=$?
    [ $status -eq 0 ] && return
    failed+=("$name (status $status$([ $status -eq 124 ] && echo ', ran out of time'))")
}

group "tests" 150 "${ours[@]}" "$from/gpu_tests"
if command -v compute-sanitizer >/dev/null; then
    for tool in memcheck racecheck; do
        group "$tool" 60 "${ours[@]}" "GBLITE_CUDA_LIBRARY=$from/lib/$checked" \
            compute-sanitizer --tool "$tool" --error-exitcode 9 \
            "$from/gpu_tests" cuda_rows/that_overflow cuda_rows/choose_a_workflow \
            cuda_tiled/of_masks cuda_tensor/iso cuda_dot/triangles \
            cuda_spamm/rounded_factors
    done
else
    failed+=("memcheck and racecheck: there is no compute-sanitizer in $toolkit/bin or on the path")
fi

device=$(nvidia-smi --query-gpu=name --format=csv,noheader | head -n 1 | tr -cs 'A-Za-z0-9\n' '-')
driver=$(nvidia-smi --query-gpu=driver_version --format=csv,noheader | head -n 1)
if [ -z "$out" ]; then
    [ "$from" = "$here" ] && out=$here/$device.json || out=$PWD/bench/results/gpu/$device.json
fi
mkdir -p "$(dirname "$out")"
# The document is written anew after every input, so that one that hangs does not lose the others.
group "bench against cuSPARSE and CUB" 100 "${ours[@]}" "$from/gpu" --limit 70 --suite "$from/suite.txt" \
    --commit "$(cat "$from/commit")" --driver "$driver" --output "$out" ${data:+--data "$data"}
spamm=${out%.json}-spamm.json
group "bench of approximate products, against cuBLAS" 40 "${ours[@]}" "$from/gpu" --spamm --limit 25 \
    --repeats 5 --commit "$(cat "$from/commit")" --driver "$driver" --output "$spamm"
# Where the second graph is not begun by then, the document says so.
triangles=${out%.json}-triangles.json
group "triangles, against the CPU" 50 "${ours[@]}" "$from/gpu" --triangles --limit 15 --repeats 3 \
    --commit "$(cat "$from/commit")" --driver "$driver" --output "$triangles"
graphs=${out%.json}-graphs.json
group "bench of searches and PageRank, against the CPU" 40 "${ours[@]}" "$from/gpu" --graphs --limit 15 \
    --repeats 3 --commit "$(cat "$from/commit")" --driver "$driver" --output "$graphs"
operations=${out%.json}-operations.json
group "bench of operations, against the CPU" 30 "${ours[@]}" "$from/gpu" --operations --limit 10 \
    --repeats 3 --commit "$(cat "$from/commit")" --driver "$driver" --output "$operations"
for file in "$out" "$spamm" "$triangles" "$graphs" "$operations"; do
    [ -s "$file" ] && echo "gpu_check: $file"
done

for name in "${failed[@]}"; do echo "FAILED: $name"; done
[ ${#failed[@]} -eq 0 ] && echo "gpu_check: all passed"
[ ${#failed[@]} -eq 0 ]
