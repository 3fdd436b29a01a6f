#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# ends.sh MPIEXEC TEST_DIST: a process that dies ends the others, and a number of processes that
# makes no grid is an error that says so.
set -uo pipefail
run=(bash "$(dirname "$0")/run.sh" "$1")

timeout 30 "${run[@]}" 4 "$2" die >/dev/null 2>&1
code=$?
if [ $code -eq 0 ] || [ $code -eq 124 ]; then
    echo "a process died: the program ended with $code" >&2
    exit 1
fi
"${run[@]}" 3 "$2" grid
