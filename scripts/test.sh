#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# test.sh: builds and runs everything. Layer check; Release build and all tests; AddressSanitizer +
# UndefinedBehaviorSanitizer on a build with tiny tuning sizes, so that small tests cross every
# threshold; ThreadSanitizer on the plain programs; warnings of clang. CUDA sources are compiled by
# nvcc in the Release build, where there is nvcc, to PTX of the oldest architecture without
# optimisation, since nothing runs it: that takes a third of the time (scripts/gpu_check.sh and
# packages assemble code for all, and say what ptxas says). Their kernels run on the CPU in the
# Release and the sanitized build. A few tests run on other architectures in an emulator
# (scripts/test_ports.sh quick).
# Every step runs, also after a failure; exit status 0 when all passed.
#
# The Release build has the kernels of all instruction sets, and runs their tests with each. Others
# have those that differ most, portable and best, and run most tests with the best; ThreadSanitizer
# looks at what threads share, which is the same code in all sets, and has the portable kernels,
# whose every access it sees. Largest cross products (test/support/checks.c) run in full once, in the
# Release build with the best set; everything else runs samples of them.
#
# test.sh quick: for the inner loop. Layer check; a build without optimisation of the libraries, with
# the kernels of the best instruction set alone, and of the fast tests, which run once.
set -uo pipefail
cd "$(dirname "$0")/.." || exit 1
scope=${1:-all}
if [ $# -gt 1 ] || ! [[ $scope =~ ^(all|quick)$ ]]; then
    echo "usage: test.sh [quick]" >&2
    exit 64
fi
scripts/setup.sh test || exit 1

passed=0
failed=0
broken=()
start=$SECONDS
ptx_alone=(-DCMAKE_CUDA_ARCHITECTURES=80-virtual "-DCMAKE_CUDA_FLAGS=-Xcicc -O0")
small=(-DCMAKE_BUILD_TYPE=Debug "-DCMAKE_C_FLAGS_DEBUG=-O0 -g1" -DGBLITE_CUDA=OFF
    "-DGBLITE_ISAS=portable;best")

record() { # record NAME STATUS
    if [ "$2" -eq 0 ]; then passed=$((passed + 1)); else
        failed=$((failed + 1))
        broken+=("$1")
    fi
}

heading() {
    printf '\n== %s (at %d s)\n' "$1" $((SECONDS - start))
}

# What a build says beyond progress and command lines.
complaints() {
    grep -vE '^\[[0-9]+/[0-9]+\] |^: && |^[^ ]*/(cc|gcc|c\+\+|g\+\+|clang|clang\+\+) ' "$1" |
        head -n 100
}

build() { # build NAME FOLDER TARGET OPTION...
    local name=$1 folder=$2 target=$3 status=0 log
    shift 3
    log=$(mktemp)
    heading "build: $name"
    cmake -S . -B "$folder" -G Ninja -DGBLITE_DEV=ON -DGBLITE_WERROR=ON "$@" >"$log" 2>&1 ||
        { cat "$log"; status=1; }
    if [ $status -eq 0 ]; then
        cmake --build "$folder" --target "$target" >"$log" 2>&1 ||
            { complaints "$log"; status=1; }
    fi
    rm -f "$log"
    record "build $name" $status
    return $status
}

run_tests() { # run_tests NAME FOLDER CTEST_OPTION...
    local name=$1 folder=$2 total bad log
    shift 2
    heading "tests: $name"
    log=$(mktemp)
    ctest --test-dir "$folder" --output-on-failure --no-tests=error -j 2 "$@" | tee "$log"
    read -r bad total < <(sed -nE \
        's/.*, ([0-9]+) tests failed out of ([0-9]+).*/\1 \2/p' "$log") || true
    rm -f "$log"
    if [ -z "${total:-}" ]; then record "tests $name" 1; return; fi
    passed=$((passed + total - bad))
    failed=$((failed + bad))
    [ "$bad" -eq 0 ] || broken+=("tests $name")
}

# <immintrin.h>, which is most of what clang reads of most kernels, is read once for each set.
precompile_intrinsics() { # precompile_intrinsics COMMANDS: a file of them, one a line
    local isa command
    for isa in avx2 avx512; do
        command=$(grep -m 1 -- "-DGB_ISA=$isa " "$1") || continue
        echo '#include <immintrin.h>' >"build-clang/$isa.h"
        (cd build-clang && bash -c "${command/-fsyntax-only */-x c-header $isa.h -o $isa.pch}") &&
            sed -i "/-DGB_ISA=$isa /s/ -fsyntax-only / -include-pch $isa.pch&/" "$1" || return 1
    done
}

# The warnings of clang, which needs no code for them. Commands are those that ninja would run,
# without a cache of compilations, whose precompiled headers may be those of another folder.
check_with_clang() {
    local log status
    log=$(mktemp)
    heading "clang, no warnings"
    cmake -S . -B build-clang -G Ninja -DGBLITE_DEV=ON -DGBLITE_WERROR=ON -DCMAKE_C_COMPILER=clang \
        -DCMAKE_CXX_COMPILER=clang++ -DCMAKE_BUILD_TYPE=Debug -DCMAKE_C_FLAGS_DEBUG=-O0 \
        -DCMAKE_C_COMPILER_LAUNCHER= -DCMAKE_CXX_COMPILER_LAUNCHER= -DGBLITE_CUDA=OFF \
        >"$log" 2>&1 &&
        ninja -C build-clang compat/objects.c compat/calls.c >>"$log" 2>&1 &&
        ninja -C build-clang -t commands all >"$log.all" 2>>"$log" &&
        sed -nE 's/ -MD -MT [^ ]+ -MF [^ ]+ -o [^ ]+ -c / -fsyntax-only /p' "$log.all" >"$log.sources" &&
        [ -s "$log.sources" ] &&
        precompile_intrinsics "$log.sources" >>"$log" 2>&1 &&
        (cd build-clang && xargs -d '\n' -P "$(nproc)" -n 1 bash -c <"$log.sources") >>"$log" 2>&1
    status=$?
    [ $status -eq 0 ] && echo "$(wc -l <"$log.sources") sources" || head -n 100 "$log"
    rm -f "$log" "$log.all" "$log.sources"
    record "clang" $status
}

# Other architectures in an emulator, as far as compilers for them are installed; scripts/test_ports.sh
# without `quick` runs all tests there.
check_ports() {
    local tool missing=()
    heading "ports: AArch64 and RISC-V in qemu"
    for tool in aarch64-linux-gnu-gcc-12 qemu-aarch64; do
        command -v "$tool" >/dev/null || missing+=("$tool")
    done
    if [ ${#missing[@]} -gt 0 ]; then
        echo "skipped, since these are not here: ${missing[*]} (scripts/setup.sh ports)"
        return
    fi
    scripts/test_ports.sh quick
    record ports $?
}

check_layers() {
    heading "layers"
    scripts/check_layers.sh
    record layers $?
}

quick_scope() {
    check_layers
    if build "gcc, fast tests" build-quick quick_tests "${small[@]}" -DGBLITE_ISAS=best \
        -DGBLITE_TEST_SAMPLE=7; then
        run_tests "fast ones" build-quick -LE '^(slow|other_isa)$'
    fi
}

full_scope() {
    check_layers
    if build "gcc, Release" build-release all "${ptx_alone[@]}"; then
        run_tests "gcc, Release" build-release
    fi
    if build "sanitizers, tiny sizes" build-asan all "${small[@]}" -DGBLITE_TINY=ON \
        -DGBLITE_SANITIZE=address,undefined -DGBLITE_BENCH=OFF; then
        run_tests "sanitizers, tiny sizes" build-asan -LE '^(full|sources)$'
    fi
    if build "thread sanitizer" build-tsan plain_tests "${small[@]}" -DGBLITE_ISAS=portable \
        -DGBLITE_SANITIZE=thread -DGBLITE_CLI=OFF -DGBLITE_BENCH=OFF -DGBLITE_EXAMPLES=OFF; then
        run_tests "thread sanitizer" build-tsan -R '^plain_'
    fi
    check_with_clang
    check_ports
}

if [ "$scope" = quick ]; then quick_scope; else full_scope; fi

printf '\n== all done in %d s\n' $((SECONDS - start))
for step in "${broken[@]}"; do echo "FAILED: $step"; done
printf '%d passed, %d failed\n' $passed $failed
[ $failed -eq 0 ]
