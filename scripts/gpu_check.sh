#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Everything that wants a GPU, in 8 minutes and without network:
#
#     scripts/gpu_check.sh --pack FOLDER [--arch 90-real]
#                                             where the library can be built: the programs, and the
#                                             shared libraries that a GPU machine may lack, to
#                                             FOLDER; for these chips alone
#     FOLDER/gpu_check.sh [--out FOLDER] [--seconds 480]
#                                             where the GPU is; nothing is built there
#     scripts/gpu_check.sh [--out FOLDER] [--seconds 480] [--arch 90-real]
#                                             where both are
#
# Groups, each under a time limit of its own and all under 480 s: nine tests, one of each kind of
# kernel, without which nothing else is run; the other tests; products against cuSPARSE; the same
# under settings of GBLITE_CUDA; Nsight Compute on three products; graphs against the CPU;
# approximate products against cuBLAS; memcheck and racecheck. Results go to the folder of --out
# (results/ beside a packed script, bench/results/gpu/DEVICE), at most 8 files: check.log, which has
# all that was printed, and documents that are saved after every line. BUILD names the build folder
# (build-gpu). Exit status 0 when all passed, 1 when something failed or could not be done.
# test/rehearsal runs this script on a machine without GPU: GPU_CHECK_REHEARSAL=5 shrinks the inputs
# and stretches limits.
set -uo pipefail
here=$(cd "$(dirname "$0")" && pwd)
started=$SECONDS

usage() {
    sed -n '5,14s/^# \{0,1\}//p' "$0"
    exit 64
}

pack=
out=
arch=
stretch=${GPU_CHECK_REHEARSAL:-1} # of all limits
most=$((480 * stretch))           # seconds of all groups together
while [ $# -gt 0 ]; do
    [ $# -ge 2 ] || usage
    case $1 in
    --pack) pack=$(realpath -m "$2") ;;
    --out) out=$(realpath -m "$2") ;;
    --arch) arch=$2 ;;
    --seconds) most=$2 ;;
    *) usage ;;
    esac
    shift 2
done

toolkit=${CUDA_HOME:-/usr/local/cuda}
export PATH="$PATH:$toolkit/bin"

# -- building and packing

build=${BUILD:-build-gpu}
programs=(test/gpu_tests bench/gpu)
kernels=libgblite_cuda.so         # which the programs load
checked=libgblite_cuda_checked.so # the same for compute-sanitizer
pack_most=$((64 << 20))           # bytes that travel to a lent machine, tracked files included

build() {
    cmake -S . -B "$build" -DCMAKE_BUILD_TYPE=Release -DGBLITE_CUDA=ON -DGBLITE_CLI=OFF \
        -DGBLITE_GPU_CHECK=ON ${arch:+"-DCMAKE_CUDA_ARCHITECTURES=$arch"} >/dev/null &&
        cmake --build "$build" --parallel "$(nproc)" \
            --target "${programs[@]##*/}" gblite_cuda gblite_cuda_checked
}

# Libraries that programs load and that are no part of the system, of the driver or, being large, of
# CUDA's toolkit.
libraries() {
    ldd "${programs[@]/#/$build/}" "$build/$kernels" |
        awk '$2 == "=>" && $3 ~ /^\// {print $3}' | sort -u |
        grep -vE '/lib(c|m|dl|rt|pthread|stdc\+\+|gcc_s|cuda|cusparse|nvJitLink)\.so'
}

collect() { # collect FOLDER
    mkdir -p "$1/lib" &&
        cp "${programs[@]/#/$build/}" scripts/gpu_check.sh bench/suites/gpu.txt "$1/" || return 1
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
    from=$(cd "$from" && pwd)
fi
if [ -n "$pack" ]; then
    bytes=$(($(du -sb "$pack" | cut -f 1) + $(git ls-files -z 2>/dev/null | du -cb --files0-from=- 2>/dev/null | tail -n 1 | cut -f 1)))
    echo "gpu_check: $pack and the tracked files have $((bytes >> 20)) MiB"
    [ "$bytes" -le "$pack_most" ] && exit 0
    echo "gpu_check: more than $((pack_most >> 20)) MiB; pack for one chip: --arch 90-real" >&2
    exit 1
fi

# -- this machine

device=$(nvidia-smi --query-gpu=name --format=csv,noheader | head -n 1 | tr -cs 'A-Za-z0-9\n' '-')
[ -n "$device" ] || { echo "gpu_check: there is no GPU here" >&2; exit 1; }
driver=$(nvidia-smi --query-gpu=driver_version --format=csv,noheader | head -n 1)
if [ -z "$out" ]; then
    [ "$from" = "$here" ] && out=$here/results || out=$PWD/bench/results/gpu/$device
fi
mkdir -p "$out" || exit 1
work=$(mktemp -d) || exit 1
exec > >(tee "$out/check.log") 2>&1
log=$!
trap 'rm -rf "$work"; exec >&- 2>&-; wait "$log"' EXIT
nvidia-smi --query-gpu=name,driver_version,memory.total,memory.used --format=csv,noheader
nvcc --version 2>/dev/null | tail -n 1
echo "commit $(cat "$from/commit"), $(nproc) CPUs, $(uname -sr)"

# The folder of a library of CUDA: the toolkit's, or that of one of Python's packages. Many of these
# folders are links.
find_library() { # find_library NAME
    local found places
    for places in "$toolkit/lib64 $toolkit/targets/x86_64-linux/lib" "$(python3 -c \
        'import sys; print(" ".join(p + "/nvidia" for p in sys.path if p))' 2>/dev/null)" \
        "/usr/lib /usr/local/lib $HOME/.local/lib ${VIRTUAL_ENV:+$VIRTUAL_ENV/lib} /opt"; do
        # shellcheck disable=SC2086 # several folders
        found=$(timeout 5 find -L $places -name "$1.so.[0-9]*" -print -quit 2>/dev/null)
        [ -n "$found" ] && dirname "$found" && return
    done
}
path=$from/lib # the packed libraries are for the packed programs alone
for library in libcusparse libcublas libnvJitLink; do
    found=$(find_library $library)
    echo "$library: ${found:-none}"
    [ -n "$found" ] && path=$path:$found
done
ours=(env "LD_LIBRARY_PATH=$path${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}" GBLITE_CONFIG=off)
settings=${GBLITE_CUDA:+$GBLITE_CUDA,}
watched=("${ours[@]}" "GBLITE_CUDA_LIBRARY=$from/lib/$checked" "GBLITE_CUDA=${settings}arena=0")

# -- groups

failed=()
group() { # group NAME SECONDS COMMAND...
    local name=$1 limit=$(($2 * stretch)) left=$((most - SECONDS + started)) from_here=$SECONDS status
    shift 2
    [ "$left" -lt "$limit" ] && limit=$left
    if [ "$limit" -lt 5 ]; then
        failed+=("$name (no time was left)")
        return 1
    fi
    printf '\n== %s (at most %d s)\n' "$name" "$limit"
    timeout --kill-after=5 "$limit" "$@"
    status=$?
    echo "-- $name: $((SECONDS - from_here)) s, status $status"
    [ $status -eq 0 ] && return
    failed+=("$name (status $status$([ $status -eq 124 ] && echo ', ran out of time'))")
    return 1
}

# A group of the bench, which begins nothing after the limit and is killed 10 s later.
bench() { # bench NAME SECONDS DOCUMENT ARGUMENT...
    local name=$1 limit=$2 document=$3
    shift 3
    group "$name" $((limit + 10)) "${ours[@]}" "$from/gpu" --limit "$limit" \
        --commit "$(cat "$from/commit")" --driver "$driver" --output "$document" "$@"
}

finish() {
    echo
    for name in "${failed[@]}"; do echo "FAILED: $name"; done
    ls -l "$out"
    [ ${#failed[@]} -eq 0 ] && echo "gpu_check: all passed in $((SECONDS - started)) s"
    exit $((${#failed[@]} > 0))
}

if [ -n "${GPU_CHECK_REHEARSAL:-}" ]; then
    suite=(er:6:3 fem:2:2)
    swept=(er:6:3)
    profiled=(er:6:3 fem:2:2)
    graphs=(rmats:5:4)
    decay=decay:64:paper
else
    suite=(--suite "$from/gpu.txt")
    swept=(er:20:4 rmat:16:8 fem:24:3)
    profiled=(er:20:4 rmat:16:8 fem:24:3)
    graphs=(rmats:20:16)
    decay=decay:4096:paper
fi

# Memory; rows by sorting, hashing and windows; tiles by lanes and by tensor cores; inner products;
# vectors; entries; sub-matrices.
smoke=(cuda_mxm/casts cuda_rows/that_overflow cuda_rows/choose_a_workflow cuda_tiled/of_masks
    cuda_tensor/iso cuda_dot/triangles cuda_vectors/ranks cuda_filter/rules
    cuda_spamm/rounded_factors)
if ! group "smoke" 15 "${ours[@]}" RUNNER_REPORTS=1 "$from/gpu_tests" "${smoke[@]}"; then
    ours+=("GBLITE_CUDA=${settings}pool=0") # some virtual machines have no pools
    watched+=("GBLITE_CUDA=${settings}pool=0,arena=0")
    if ! group "smoke without pools of memory" 15 "${ours[@]}" RUNNER_REPORTS=1 \
        "$from/gpu_tests" "${smoke[@]}"; then
        group "memcheck of the smoke" 60 "${watched[@]}" RUNNER_REPORTS=1 \
            compute-sanitizer --tool memcheck --print-limit 20 --error-exitcode 9 \
            "$from/gpu_tests" "${smoke[@]}"
        finish
    fi
fi
group "tests" 60 "${ours[@]}" RUNNER_JOBS=4 RUNNER_SECONDS=$((30 * stretch)) "$from/gpu_tests"
bench "products" 100 "$out/mxm.json" --repeats 5 --warm-up 50 --only gblite --only gblite_tiled \
    --only cusparse_alg1 --only cub_esc "${suite[@]}"

# Settings, a document each, which become one.
# shellcheck disable=SC2317 # by another bash
sweep() {
    local setting
    for setting in carveout=72,lanes=16 carveout=100,lanes=16 carveout=58,lanes=16 \
        carveout=72,lanes=4 carveout=100,lanes=4 query=0 query=1; do
        GBLITE_CUDA=${GBLITE_CUDA:+$GBLITE_CUDA,}$setting "$from/gpu" --limit 5 --repeats 5 --warm-up 50 --only gblite \
            --output "$work/$setting.json" "${swept[@]}" || return
    done
}
export -f sweep
export from work
group "sweep of settings" 40 "${ours[@]}" bash -c "swept=(${swept[*]}); sweep"
{
    printf '['
    between=
    for file in "$work"/*.json; do
        [ -s "$file" ] && printf '%s' "$between" && cat "$file" && between=,
    done
    printf ']\n'
} >"$out/sweep.json"

# shellcheck disable=SC2317
profile() {
    local input
    for input in "${profiled[@]}"; do
        ncu --clock-control none --section SpeedOfLight --section MemoryWorkloadAnalysis \
            --section Occupancy --section LaunchStats --launch-count 40 --print-summary per-kernel \
            "$from/gpu" --once --only gblite "$input" || return
    done
}
export -f profile
if command -v ncu >/dev/null; then
    group "profiles" 60 "${ours[@]}" bash -c \
        "profiled=(${profiled[*]}); profile >'$out/profiles.txt' 2>&1"
else
    failed+=("profiles: there is no ncu in $toolkit/bin or on the path")
fi
bench "graphs, against the CPU" 50 "$out/graphs.json" --graphs --repeats 3 "${graphs[@]}"
bench "approximate products, against cuBLAS" 35 "$out/spamm.json" --spamm --repeats 3 \
    --only FP64 --only TF32 --only FP16 "$decay"
if command -v compute-sanitizer >/dev/null; then
    for tool in memcheck racecheck; do
        group "$tool" 40 "${watched[@]}" RUNNER_REPORTS=1 \
            compute-sanitizer --tool "$tool" --print-limit 20 --error-exitcode 9 \
            "$from/gpu_tests" "${smoke[@]}"
    done
else
    failed+=("memcheck and racecheck: there is no compute-sanitizer in $toolkit/bin or on the path")
fi
finish
