#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# test_ports.sh [quick]: builds the library and its tests for AArch64 and RISC-V and runs them in
# qemu: all tests once, and some of kernels with every length of vector registers. `quick` builds
# the best set of kernels alone and runs the tests of vector operations, of long vectors and of
# bits; it installs no packages, and leaves an architecture out whose compiler or libraries are not
# there (those of AArch64 are fetched). Folders: build-ports. docs/ports.md has the results.
# Exit status 0 when all passed.
set -uo pipefail
cd "$(dirname "$0")/.." || exit 1
scope=${1:-all}
if [ $# -gt 1 ] || ! [[ $scope =~ ^(all|quick)$ ]]; then
    echo "usage: test_ports.sh [quick]" >&2
    exit 64
fi
if [ "$scope" = all ]; then
    scripts/setup.sh ports || exit 1
fi

failed=0
start=$SECONDS

record() { # record WHAT STATUS DETAILS
    printf '%-52s %-6s %s (at %d s)\n' "$1" "$([ "$2" -eq 0 ] && echo passed || echo FAILED)" \
        "$3" $((SECONDS - start))
    [ "$2" -eq 0 ] || failed=$((failed + 1))
}

# The build of a toolchain file, with the libraries of its architecture.
build() { # build NAME TARGET OPTION...
    local name=$1 target=$2 folder=build-ports/$1 sysroot=$PWD/build-ports/sysroot-${1%%-*} log status
    shift 2
    log=$(mktemp)
    scripts/ports_sysroot.sh "${name%%-*}" "$sysroot" >"$log" 2>&1 &&
        cmake -S . -B "$folder" -G Ninja --toolchain "cmake/ports/${name%-quick}.cmake" \
            -DGBLITE_SYSROOT="$sysroot" -DCMAKE_BUILD_TYPE=Debug -DGBLITE_WERROR=ON \
            -DGBLITE_TESTS=ON -DGBLITE_CLI=OFF \
            "$@" >>"$log" 2>&1 &&
        cmake --build "$folder" --target $target >>"$log" 2>&1
    status=$?
    [ $status -eq 0 ] || tail -n 40 "$log"
    rm -f "$log"
    record "$name: build" $status "$target"
    return $status
}

# Whether an architecture can be built for; its libraries may have to be fetched before.
can_build() { # can_build ARCHITECTURE TOOL...
    local architecture=$1 folder=build-ports/sysroot-$1 tool
    shift
    for tool in "$@"; do
        command -v "$tool" >/dev/null && continue
        echo "$architecture: skipped, since $tool is not here (scripts/setup.sh ports)"
        return 1
    done
    if [ ! -e "$folder/complete" ] && [ "$architecture" = aarch64 ]; then
        scripts/ports_sysroot.sh "$architecture" "$folder" >/dev/null 2>&1
    fi
    [ -e "$folder/complete" ] && return 0
    echo "$architecture: skipped, since $folder is not complete (scripts/test_ports.sh fills it)"
    return 1
}

run() { # run NAME WHAT PROCESSOR CTEST_OPTION...: PROCESSOR is what qemu plays
    local name=$1 what=$2 processor=$3 log status
    shift 3
    log=$(mktemp)
    QEMU_CPU=$processor ctest --test-dir "build-ports/$name" --output-on-failure \
        --no-tests=error -j "$(nproc)" "$@" >"$log" 2>&1
    status=$?
    [ $status -eq 0 ] || grep -vE '^ +[0-9]+/[0-9]+ Test .* Passed|^ +Start ' "$log" | head -n 100
    record "$name: $what" $status "$(grep -oE '[0-9]+ tests failed out of [0-9]+' "$log")"
    rm -f "$log"
}

sve() { # sve BITS
    echo "max,sve-default-vector-length=$(($1 / 8))"
}

rvv() { # rvv BITS
    echo "rv64,v=true,vlen=$1,vext_spec=v1.0"
}

# A compiler for the other order of bytes is refused when the build is configured.
expect_refusal() {
    local log status=1
    log=$(mktemp)
    rm -rf build-ports/big-endian
    cmake -S . -B build-ports/big-endian -G Ninja --toolchain cmake/ports/aarch64.cmake \
        -DGBLITE_SYSROOT="$PWD/build-ports/sysroot-aarch64" -DCMAKE_C_FLAGS=-mbig-endian \
        -DCMAKE_TRY_COMPILE_TARGET_TYPE=STATIC_LIBRARY -DGBLITE_CLI=OFF >"$log" 2>&1
    grep -q "stores the lowest byte first" "$log" && status=0
    [ $status -eq 0 ] || tail -n 20 "$log"
    record "big-endian: refused" $status "when configured"
    rm -f "$log"
}

options=("-DCMAKE_C_FLAGS_DEBUG=-O1 -g1" -DGBLITE_TEST_SAMPLE=31)
kernels='^test_(simd_|isa_|tiles\.|mxm_(bitwise|dot|oracle|rowwise|tiled|window|spamm|vector|panel)\.).*(sve|rvv)$'
quick='^test_(simd_(sve|rvv)|isa_bits\..*|processor|veclayer|mxm_(vector|bitwise)\.(sve|rvv))$'
plain='^test_(isa_.*|mxm_bitwise|mxm_oracle|tiles)\.portable$|^test_processor$'
quick_targets="test_isa_bits test_processor"
vectors="test_veclayer test_mxm_vector test_mxm_bitwise"
export RUNNER_SECONDS=240 # some tests take 20 times as long beneath qemu
# What qemu 7.2 cannot: a child that begins threads of its own; giving back pages; limits of address
# space and data.
export RUNNER_SKIP="team/a_child_has_workers_of_its_own pool/makes_way_for_large_blocks \
pool/finalize_makes_resident_memory_fall pool/time_makes_resident_memory_fall \
pool/calls_make_resident_memory_fall pool/trim_makes_resident_memory_fall \
system_memory/limits_of_resources"

if [ "$scope" = quick ]; then
    options=("-DCMAKE_C_FLAGS_DEBUG=-O0" -DGBLITE_TEST_SAMPLE=7)
    can_build aarch64 aarch64-linux-gnu-gcc-12 qemu-aarch64 &&
        build aarch64-quick "$quick_targets $vectors test_simd_sve" "${options[@]}" \
            -DGBLITE_ISAS=sve &&
        run aarch64-quick "SVE, 256 bits" "$(sve 256)" -R "$quick"
    can_build riscv64 clang-16 qemu-riscv64 riscv64-linux-gnu-gcc-12 &&
        build riscv64-quick "$quick_targets $vectors test_simd_rvv" "${options[@]}" \
            -DGBLITE_ISAS=rvv &&
        run riscv64-quick "RVV, 256 bits" "$(rvv 256)" -R "$quick"
else
    if build aarch64 all "${options[@]}"; then
        run aarch64 "all tests, NEON and SVE of 512 bits" "$(sve 512)"
        for bits in 128 256 2048; do
            run aarch64 "kernels, SVE of $bits bits" "$(sve $bits)" -R "$kernels"
        done
        run aarch64 "a processor without SVE" cortex-a72 -R "$plain"
        QEMU_PAGESIZE=65536 run aarch64 "pages of 64 KB" "$(sve 512)" \
            -R '^(plain_.*|test_(pool|io|team|memory|run_device|mxm_memory|mxm_oracle.sve))$'
    fi
    if build riscv64 all "${options[@]}"; then
        run riscv64 "all tests, RVV of 256 bits" "$(rvv 256)"
        for bits in 128 1024; do
            run riscv64 "kernels, RVV of $bits bits" "$(rvv $bits)" -R "$kernels"
        done
        run riscv64 "a processor without RVV" rv64 -R "$plain"
    fi
    build riscv64-gcc "$quick_targets test_simd test_simd_plain test_mxm_bitwise" "${options[@]}" &&
        run riscv64-gcc "gcc, portable kernels" rv64 \
            -R '^test_(simd|simd_plain|isa_bits.*|processor|mxm_bitwise.*)$'
    expect_refusal
fi
printf 'ports: %d failed, %d s\n' $failed $((SECONDS - start))
[ $failed -eq 0 ]
