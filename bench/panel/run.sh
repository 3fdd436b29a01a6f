#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# run.sh DATA [OPTION]...: the table of docs/panel.md: bench/run on suite.txt as it is, and on
# shuffled.txt with rows and columns in a random order, one for both and one each. DATA: the folder of
# matrices; options go to bench/run. Compares with the newest SuiteSparse and MKL where
# scripts/bench_peers.sh has fetched them, else with the system's SuiteSparse. BUILD: the build (build).
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
root=$here/../..
build=${BUILD:-$root/build}
data=$1
shift
peer=$root/build-peers/suitesparse/libgraphblas.so
options=(--data "$data" --no-first --threads 2 --output "$build" --peers "$root/build-peers")
[ ! -e "$peer" ] || options+=(--suitesparse "$peer")
for way in auto upper_bound estimate panel panel_grouped suitesparse mkl; do
    options+=(--contender "$way")
done
"$build/bench/run" --suite "$here/suite.txt" --name panel --contender tiled "${options[@]}" "$@"
"$build/bench/run" --suite "$here/shuffled.txt" --name panel_same --shuffle same "${options[@]}" "$@"
"$build/bench/run" --suite "$here/shuffled.txt" --name panel_apart --shuffle apart "${options[@]}" "$@"
"$here/make_table.py" "$build"/panel{,_same,_apart}.json
