#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# What a machine with many cores makes of gblite, in two minutes:
#
#     scripts/scaling_check.sh --pack FOLDER      where it can be built: the programs to FOLDER
#     FOLDER/scaling_check.sh [--out FOLDER]      where the cores are; nothing is built there
#     scripts/scaling_check.sh [--out FOLDER]     where both are
#
# Measured speed-ups with 1, 2, 4 ... threads, the same by the model, and products and triangles beside
# SuiteSparse:GraphBLAS with one thread and with all. Results go to the folder of --out
# (bench/results/scaling/PROCESSOR, or results/ beside a packed script). BUILD names the build folder
# (build-release).
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
usage() {
    sed -n '6,8s/^# \{0,1\}//p' "$0" >&2
    exit 64
}

pack=
out=
while [ $# -gt 0 ]; do
    [ $# -ge 2 ] || usage
    case $1 in
    --pack) pack=$(realpath -m "$2") ;;
    --out) out=$(realpath -m "$2") ;;
    *) usage ;;
    esac
    shift 2
done

if [ -e "$here/scaling_model" ]; then
    programs=$here
    export LD_LIBRARY_PATH=$here${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}
    out=${out:-$here/results}
else
    cd "$here/.."
    build=${BUILD:-build-release}
    cmake -S . -B "$build" -G Ninja -DCMAKE_BUILD_TYPE=Release -DGBLITE_BENCH=ON >/dev/null
    cmake --build "$build" --target scaling scaling_model bench >/dev/null
    programs=$build/bench
    name=$(sed -n 's/^model name[^:]*: //p' /proc/cpuinfo | head -n 1 | tr -c 'A-Za-z0-9\n' '_')
    out=${out:-bench/results/scaling/$name}
fi
if [ -n "$pack" ]; then
    mkdir -p "$pack"
    cp "$programs"/{scaling,scaling_model,bench} "$here/scaling_check.sh" "$pack"
    cp bench/scaling/suite.txt "$pack"
    # Libraries that a machine may lack.
    ldd "$programs/bench" | sed -n 's/.* => \(\/[^ ]*\).*/\1/p' |
        grep -E '/lib(gblite|graphblas|cjson|gomp)' | xargs -I{} cp -L {} "$pack"
    echo "scaling_check: run $pack/scaling_check.sh where the cores are"
    exit 0
fi

mkdir -p "$out"
suite=$programs/suite.txt
[ -e "$suite" ] || suite=bench/scaling/suite.txt
cores=$(nproc)
{
    sed -n 's/^model name[^:]*: //p' /proc/cpuinfo | head -n 1
    echo "$cores processors, $(date -u +%F)"
    echo
    echo "Measured"
    timeout 60 "$programs/scaling" --suite "$suite" --repeats 3
    echo
    echo "By the model"
    timeout 60 "$programs/scaling_model" --suite "$suite" --repeats 1 --threads "$cores"
    for threads in 1 "$cores"; do
        echo
        echo "Beside SuiteSparse:GraphBLAS, $threads threads"
        timeout 60 "$programs/bench" compare --threads "$threads" --repeats 3 \
            --only mxm --only triangles er:16:8 rmats:14:16 fem:20:3
    done
} | tee "$out/scaling.txt"
