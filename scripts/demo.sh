#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# demo.sh [SCALE]: builds gblite in build-demo/, its kernels for this machine, and shows it at work on
# a random graph of 2^SCALE vertices (16): triangles, breadth-first search, Markov clustering. Then
# the same work by SuiteSparse:GraphBLAS, whose results must be equal, and a plot of both times, where
# that library and matplotlib are installed (scripts/setup.sh test installs them).
set -euo pipefail
cd "$(dirname "$0")/.."
scale=${1:-16}
if ! [[ $scale =~ ^[1-9][0-9]?$ ]]; then
    echo "demo: the scale is a number from 1 on, not '$scale'" >&2
    exit 64
fi
graph=rmats:$scale:16
build=build-demo
gblite=$build/gblite

heading() {
    printf '\n\033[1m%s\033[0m\n' "$1" | if [ -t 1 ]; then cat; else sed 's/\x1b\[[0-9]*m//g'; fi
}

show() { # show ARGUMENT...: the command and its output
    printf '  $ gblite %s\n' "$*"
    "$gblite" "$@" | sed 's/^/    /'
}

# A vertex from which at least half of all vertices are reached: one of the giant component.
giant_vertex() {
    local vertex reached
    for vertex in {1..50}; do
        reached=$("$gblite" bfs "$graph" --source "$vertex" | awk '$1 == "reached" {print $2}')
        if [ "$reached" -gt $((1 << (scale - 1))) ]; then
            echo "$vertex"
            return 0
        fi
    done
    echo "demo: none of the vertices 1 to 50 of $graph reaches half of it" >&2
    return 1
}

# build_visibly NAME: the last line of ninja's progress stays on a terminal; the rest goes to the log
build_visibly() {
    local line
    if [ -t 1 ] && [ "${TERM:-dumb}" != dumb ]; then # read, since mawk waits for 4 KB of lines
        NINJA_STATUS='  [%f/%t, %e s] ' cmake --build "$build" --target "$1" 2>&1 | tee "$log" |
            while IFS= read -r line; do
                [[ $line =~ ^\ *\[ ]] && printf '\r\033[K%s' "${line:0:78}"
            done
        set -- "${PIPESTATUS[0]}"
        echo
        return "$1"
    fi
    cmake --build "$build" --target "$1" >"$log" 2>&1
}

# make_target NAME OPTION...: configures with the options and builds one target
make_target() {
    local target=$1
    shift
    if ! { cmake -S . -B "$build" -G Ninja -DCMAKE_BUILD_TYPE=Release \
        -DGBLITE_ISAS=best "$@" >"$log" 2>&1 &&
        build_visibly "$target"; }; then
        tail -n 50 "$log"
        exit 1
    fi
}

scripts/setup.sh build
log=$(mktemp)
trap 'rm -f "$log"' EXIT
echo "building gblite (Release) in $build/, about a minute on two cores ..."
make_target gblite_cli -DGBLITE_BENCH=OFF

heading "1. Triangles of $graph: 2^$scale vertices, undirected"
show tc "$graph"

heading "2. Breadth-first search from a vertex of the giant component"
show bfs "$graph" --source "$(giant_vertex)"

heading "3. Communities of Zachary's karate club, by Markov clustering"
show mcl examples/data/karate.mtx --output "$build/clusters.txt"
printf "  $ tr '\\\\t' ' ' <%s\n" "$build/clusters.txt"
tr '\t' ' ' <"$build/clusters.txt" | sed 's/^/    /'

heading "4. The same work by SuiteSparse:GraphBLAS, results compared entry by entry"
if ! grep -q '^SUITESPARSE_LIBRARY:[A-Z]*=/' "$build/CMakeCache.txt"; then
    echo "  skipped: SuiteSparse:GraphBLAS is not installed; \`scripts/setup.sh test\` installs it"
    exit 0
fi
make_target bench -DGBLITE_BENCH=ON
"$build/bench/bench" compare --only triangles --only bfs "$graph"
echo
"$build/bench/bench" compare --only mxm rmat:14:16 fem:24:3

heading "5. A plot of such times"
if ! /usr/bin/python3 -c 'import matplotlib' 2>/dev/null; then
    echo "  skipped: python3-matplotlib is not installed; \`scripts/setup.sh test\` installs it"
    exit 0
fi
"$build/bench/bench" compare --json "$graph" >"$build/demo.json"
/usr/bin/python3 scripts/demo_plot.py "$build/demo.json" "$build/demo.svg"
