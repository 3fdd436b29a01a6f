#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Checks the rules of the source tree that no compiler checks, and prints every breach:
#   - an #include points only downwards (levels below), and the user side sees only include/,
#     its own folder and the headers of examples/; dist/ also dist/include, dist/cli also cli/
#     (tests and any *_inside.c below bench/ may look inside, to test or measure one module; the
#     oracle in test/support not)
#   - no circles of includes between modules, nor between folders of src
#     (scripts/include_circles.awk)
#   - own C files, and those of python/, have at most 500 lines of at most 100 columns, and no
#     left-overs
#   - every public header compiles alone, as C11 and as C++
# Exit status 0 when there is none.
set -uo pipefail
cd "$(dirname "$0")/.." || exit 1
breaches=0

breach() {
    printf '%s\n' "$*"
    breaches=$((breaches + 1))
}

declare -A level=([api]=6 [graph]=5 [lazy]=5 [mxm]=4 [ops]=4 [matrix]=3 [cpu]=2 [cuda]=2
    [kernel_api]=1 [semiring]=0 [core]=0)

# Within a level a folder may also see its neighbour, except that the kernels of one backend never
# see another's and ops never see mxm.
allowed() {
    local file=$1 from=$2 to=$3 header=$4
    case $from-$to in
    cpu-cuda | cuda-cpu | ops-mxm) false ;;
    *-cpu | *-cuda) [ "$from" = "$to" ] ;;
    *) [ "${level[$to]}" -le "${level[$from]}" ] ;;
    esac
}

# A public header, or one of the file's own folder.
is_near() {
    [[ $2 != *..* ]] && { [ -f "include/$2" ] || [ -f "${1%/*}/$2" ]; }
}

# In bench/ a program sees its own folder, peers/ and harness/; peers/ sees harness/.
is_room() {
    local room=${1#bench/} to=${2%%/*}
    room=${room%%/*}
    [[ $2 != *..* && -f bench/$2 ]] || return 1
    [[ $to = "$room" || $to = harness || ($to = peers && $room != harness) ]]
}

includes_of() {
    grep -HnoE '^[[:space:]]*#[[:space:]]*include[[:space:]]+"[^"]+"' "$@" /dev/null |
        sed -E 's/^([^:]+):([0-9]+):.*"([^"]+)"/\1 \2 \3/'
}

shopt -s globstar nullglob
library=()
for file in src/**/*.[ch] src/**/*.cu src/**/*.cuh; do
    [[ $file = src/io/* ]] || library+=("$file")
done
user=({src/io,cli,bench,examples,test,dist}/**/*.[ch] test/**/*.cpp dist/*.cpp)
own=("${library[@]}" "${user[@]}" include/*.h include/graphblas/*.h)
sized=("${own[@]}" python/**/*.py)

while read -r file line header; do
    from=${file#src/} from=${from%%/*} to=${header%%/*}
    if is_near "$file" "$header"; then continue; fi
    if [ -z "${level[$to]:-}" ]; then
        breach "$file:$line: \"$header\" is in no folder of the level table"
    elif ! allowed "$file" "$from" "$to" "$header"; then
        breach "$file:$line: $from (level ${level[$from]}) must not include \"$header\"" \
            "(level ${level[$to]})"
    fi
done < <(includes_of "${library[@]}")

while read -r file line header; do
    if is_near "$file" "$header"; then continue; fi
    if [[ $header =~ ^(\.\./){1,2}examples/([a-z_]+/)?[a-z_]+\.h$ ]]; then continue; fi
    if [[ $file = test/* && $header != *..* ]] && [ -f "test/$header" ]; then continue; fi
    if [[ $file = bench/* ]] && is_room "$file" "$header"; then continue; fi
    if [[ $file = *dist/* && $header != *..* && -f dist/include/$header ]]; then continue; fi
    if [[ $file = dist/cli/* && $header != *..* ]] && [ -f "cli/$header" ]; then continue; fi
    if [[ $file = @(cli/*|test/fuzz)/* && $header != *..* ]] && [ -f "cli/$header" ]; then continue; fi
    if [[ $file = bench/*/*_inside.c || $file = test/* ]] && [[ $file != test/support/* ]] &&
        { [ -f "src/$header" ] || [[ $header = ../../bench/peers/* ]]; }; then
        continue
    fi
    breach "$file:$line: \"$header\": the user side includes only include/*.h"
done < <(includes_of "${user[@]}")

modules=("${library[@]}" {src/io,cli,bench,test/support,dist}/**/*.[ch])
while IFS= read -r found; do
    if [[ $found = ' '* ]]; then printf '%s\n' "$found"; else breach "$found"; fi
done < <(
    awk -f scripts/include_circles.awk "${modules[@]}"
    awk -v folders=1 -f scripts/include_circles.awk "${library[@]}"
)

while read -r found; do
    breach "$found"
done < <(
    wc -l "${sized[@]}" | awk '$2 != "total" && $1 > 500 {print $2 ": " $1 " lines, at most 500"}'
    awk 'FNR == 1 && !/SPDX-License-Identifier: Apache-2.0/ {print FILENAME ":1: no SPDX line"}' \
        "${own[@]}"
    awk 'length > 100 {print FILENAME ":" FNR ": " length " columns, at most 100"}' "${sized[@]}"
    grep -nE '^[[:space:]]*#[[:space:]]*if[[:space:]]+0|\b(T[O]DO|F[I]XME|X[X]X)\b' "${sized[@]}"
)
for header in include/*.h include/graphblas/*.h; do
    [[ $header != */gblite_semiring.h ]] || continue # wants a semiring; test/install compiles it
    for language in c c++; do
        standard=c11
        compiler=gcc
        [ $language = c ] || { standard=c++11; compiler=g++; }
        output=$("$compiler" -x "$language" -std=$standard -Wall -Wextra -Werror -Iinclude \
            -fsyntax-only -include "$header" /dev/null 2>&1) ||
            breach "$header does not compile alone as $standard: $(grep -m 1 error <<<"$output")"
    done
done

echo "layers: ${#own[@]} files, $breaches breaches"
[ "$breaches" -eq 0 ]
