#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Registers and spills of kernels, as ptxas reports them: scripts/cuda_registers.sh [SOURCE...]
# SOURCE: a file of src/cuda; the row-wise kernels of FP64 by default. ARCH=sm_90 in the environment.
# Prints, sorted by name: registers, bytes of spilled stores and loads, kernel.
set -euo pipefail
cd "$(dirname "$0")/.."
sources=("$@")
object=$(mktemp --suffix=.o)
trap 'rm -f "$object"' EXIT
[ $# -gt 0 ] || sources=(src/cuda/rowwise/numeric.typed.cu src/cuda/rowwise/classes.cu)
for source in "${sources[@]}"; do
    nvcc -O3 -std=c++17 -fmad=false -arch="${ARCH:-sm_90}" -Xptxas -v -DGB_TYPE=FP64 -Iinclude -Isrc \
        -x cu -c "$source" -o "$object" 2>&1
done | c++filt | awk '
    /Compiling entry function/ { name = $0; sub(/.*function .(void )?/, "", name); sub(/\(.*/, "", name) }
    /spill stores/ { spills = $5 "+" $9 }
    /Used [0-9]+ registers/ { for (k = 1; k < NF; k++) if ($k == "Used") print $(k + 1), spills, name }
' | sort -k3 -u
