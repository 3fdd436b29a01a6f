#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# fuzz.sh [SECONDS]: feeds mutated Matrix Market text, lists of edges, forms of files of other
# programs, clusterings, and serialized matrices to their readers, each for so long, under AddressSanitizer and
# UndefinedBehaviorSanitizer. A failing input is left in build-fuzz as crash-*.
set -euo pipefail
cd "$(dirname "$0")/.."
seconds=${1:-60}
if ! [[ $seconds =~ ^[1-9][0-9]*$ ]]; then
    echo "fuzz: '$seconds' is not a number of seconds" >&2
    exit 64
fi
scripts/setup.sh test

build=build-fuzz
cmake -S . -B $build -G Ninja -DCMAKE_C_COMPILER=clang -DCMAKE_BUILD_TYPE=Debug \
    "-DCMAKE_C_FLAGS_DEBUG=-O1 -g1" -DGBLITE_FUZZ=ON -DGBLITE_SANITIZE=address,undefined \
    -DGBLITE_TESTS=ON -DGBLITE_CLI=ON -DGBLITE_HDF5=OFF >/dev/null
cmake --build $build --target fuzz_mmio fuzz_serial fuzz_edges fuzz_forms fuzz_clusters
mkdir -p $build/corpus $build/corpus_serial $build/corpus_edges $build/corpus_forms \
    $build/corpus_clusters
cd $build
options="-max_total_time=$seconds -timeout=10 -rss_limit_mb=4096 -print_final_stats=1"
test/fuzz_mmio $options -max_len=4096 corpus ../test/data/mm ../test/files
test/fuzz_serial $options -max_len=1024 corpus_serial
test/fuzz_edges $options -max_len=1024 corpus_edges ../test/files
test/fuzz_forms $options -max_len=2048 corpus_forms ../test/files
test/fuzz_clusters $options -max_len=512 corpus_clusters ../test/files
