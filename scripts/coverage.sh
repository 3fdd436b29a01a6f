#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Lines of the library that the tests execute, by folder, and the files least covered. The pages are
# in build-coverage/index.html.
set -euo pipefail
cd "$(dirname "$0")/.."
scripts/setup.sh gcovr

build=build-coverage
cmake -S . -B $build -G Ninja -DCMAKE_BUILD_TYPE=Debug -DCMAKE_C_FLAGS_DEBUG="-O1 -g1" \
    -DGBLITE_COVERAGE=ON -DGBLITE_CUDA=OFF -DGBLITE_BENCH=OFF >/dev/null
cmake --build $build
find $build -name '*.gcda' -delete
ctest --test-dir $build --output-on-failure -j 2
gcovr -r . --object-directory $build -f 'src/' -f 'cli/' --gcov-ignore-parse-errors \
    --csv $build/files.csv --html-details $build/index.html >/dev/null

printf '\n%-16s %8s %8s %7s\n' folder lines executed percent
awk -F, 'NR > 1 {
        n = split($1, part, "/")
        folder = part[1]
        for (i = 2; i < n; i++) folder = folder "/" part[i]
        lines[folder] += $2; hit[folder] += $3; lines["total"] += $2; hit["total"] += $3
    }
    END {
        for (f in lines)
            printf "%-16s %8d %8d %6.1f%%\n", f, lines[f], hit[f], 100 * hit[f] / lines[f]
    }' $build/files.csv | sort
printf '\nleast covered files\n'
awk -F, 'NR > 1 && $2 > 0 {printf "%6.1f%% of %4d  %s\n", 100 * $3 / $2, $2, $1}' \
    $build/files.csv | sort -n | head -n 10
