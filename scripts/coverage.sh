#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Lines of the library that the tests execute, by folder, the files least covered, and functions
# that never ran; all lines that did not are in build-coverage/missing.txt. It takes more than ten
# minutes on two cores: counting is slow where threads share a line. Exit status 0 when all tests
# passed.
set -euo pipefail
cd "$(dirname "$0")/.."
scripts/setup.sh test

build=build-coverage
cmake -S . -B $build -G Ninja -DCMAKE_BUILD_TYPE=Debug -DCMAKE_C_FLAGS_DEBUG="-O1 -g1" \
    -DGBLITE_TESTS=ON -DGBLITE_EXAMPLES=ON -DGBLITE_COVERAGE=ON >/dev/null
cmake --build $build
find $build -name '*.gcda' -delete
status=0
ctest --test-dir $build --output-on-failure -j 2 || status=$?
scripts/coverage.py $build
exit $status
