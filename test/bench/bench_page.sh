#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# bench_page.sh BUILD: bench/pages/make_page.py measures tiny suites and makes pages and plots of them,
# in a folder of the build. Fails when a table stays empty or a plot is missing.
set -euo pipefail
build=$1
root=$(cd "$(dirname "$0")/../.." && pwd)
out=$build/bench_page
suites=$root/bench/suites
make=("$root/bench/pages/make_page.py")
common=(--build "$build" --output "$out" --repeats 1)
failed=0

rm -rf "$out"
mkdir -p "$out/docs" "$out/bench/results"
# page PAGE TABLE...: one with these tables, all still empty
page() {
    local table
    for table in "${@:2}"; do printf '<!-- begin:%s -->\n<!-- end:%s -->\n' "$table" "$table"; done \
        >"$out/docs/$1.md"
}
# full PAGE: no table is empty
full() {
    if grep -A1 '<!-- begin:' "$out/docs/$1.md" | grep -q '<!-- end:'; then
        echo "a table of $1 is empty"
        failed=1
    fi
}

for name in rowwise tiled outer vector; do
    page $name machine race
    "${make[@]}" $name "${common[@]}" --suite "$suites/run_tiny.txt"
    full $name
done
page chains machine hits chains orders
"${make[@]}" chains "${common[@]}" --suite "$suites/chain_tiny.txt"
full chains
page spmm machine means one two
"${make[@]}" spmm "${common[@]}" --suite "$suites/spmm_tiny.txt"
full spmm
page updates machine race
"$build/bench/bench" updates --size 30 --repeats 1 --calls 2 --json >"$out/bench/results/updates.json"
"${make[@]}" updates "${common[@]}" --draw-only
full updates
page graphs mcl_machine mcl_clusters mcl_race gap_machine gap_race gap_means
"${make[@]}" graphs "${common[@]}" --only mcl --suite "$root/bench/mcl/tiny.txt"
"${make[@]}" graphs "${common[@]}" --only graphs --turns 1 --graph grid:30:20
full graphs

# Of benchmarks the crossings are drawn from the inputs that the page's suite names.
page benchmarks machine summary inputs predictions memory first resident strangers overheads lists \
    overhead_machine
printf 'mxm er:8:4\nmxm er:8:8\nmxm tiles:8:3:100\nmxm fem:5:3 held-out\n' >"$out/suite.txt"
"${make[@]}" benchmarks "${common[@]}" --only run --only crossings --suite "$out/suite.txt"
"$build/bench/bench" overhead --repeats 1 --calls 3 --json >"$out/bench/results/overhead.json"
"${make[@]}" benchmarks "${common[@]}" --draw-only
full benchmarks
for plot in speedup profile regret predicted crossings; do
    if [ ! -s "$out/docs/benchmarks-$plot.svg" ]; then
        echo "benchmarks-$plot.svg was not drawn"
        failed=1
    fi
done
exit $failed
