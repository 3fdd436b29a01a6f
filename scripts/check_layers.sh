#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Checks the rules of the source tree that no compiler checks, and prints every breach:
#   - an #include points only downwards (levels below), and the user side sees only include/
#     (files in test/ itself may look inside, to test one module; the oracle in test/support not)
#   - own C files have at most 500 lines of at most 100 columns, and no left-overs
#   - every public header compiles alone, as C11 and as C++
# Exit status 0 when there is none.
set -uo pipefail
cd "$(dirname "$0")/.."
breaches=0

breach() {
    printf '%s\n' "$*"
    breaches=$((breaches + 1))
}

level() {
    case $1 in
    api) echo 5 ;;
    mxm | ops) echo 4 ;;
    matrix) echo 3 ;;
    backend) echo 2 ;;
    cpu | cuda) echo 1 ;;
    semiring | core) echo 0 ;;
    *) echo unknown ;;
    esac
}

# The two includes that go against the numbers by design: kernels implement the backend interface,
# and the registry alone names the kernel tables. Within a level a folder may also see its
# neighbour, except that the kernels of one backend never see another's and ops never see mxm.
allowed() {
    local file=$1 from=$2 to=$3 header=$4
    case $from-$to in
    cpu-backend | cuda-backend) [ "$header" = backend/backend.h ] ;;
    backend-cpu | backend-cuda) [[ $file = src/backend/registry.* ]] ;;
    cpu-cuda | cuda-cpu | ops-mxm) false ;;
    mxm-cpu | mxm-cuda | ops-cpu | ops-cuda | api-cpu | api-cuda) false ;;
    *) [ "$(level "$to")" -le "$(level "$from")" ] ;;
    esac
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
user=({src/io,cli,bench,examples,test}/**/*.[ch] test/**/*.cpp)
own=("${library[@]}" "${user[@]}" include/*.h)

while read -r file line header; do
    from=$(cut -d/ -f2 <<<"$file")
    to=$(cut -d/ -f1 <<<"$header")
    if [ -f "include/$header" ] || [ -f "$(dirname "$file")/$header" ]; then continue; fi
    if [ "$(level "$to")" = unknown ]; then
        breach "$file:$line: \"$header\" is in no folder of the level table"
    elif ! allowed "$file" "$from" "$to" "$header"; then
        breach "$file:$line: $from (level $(level "$from")) must not include \"$header\"" \
            "(level $(level "$to"))"
    fi
done < <(includes_of "${library[@]}")

while read -r file line header; do
    top=$(cut -d/ -f1 <<<"$file")
    if [ -f "include/$header" ] || [ -f "$(dirname "$file")/$header" ] ||
        [ -f "$top/$header" ]; then continue; fi
    if [[ $file != */*/* && $file = test/* ]] && [ -f "src/$header" ]; then continue; fi
    breach "$file:$line: \"$header\": the user side includes only include/*.h"
done < <(includes_of "${user[@]}")

while read -r found; do
    breach "$found"
done < <(
    wc -l "${own[@]}" | awk '$2 != "total" && $1 > 500 {print $2 ": " $1 " lines, at most 500"}'
    awk 'length > 100 {print FILENAME ":" FNR ": " length " columns, at most 100"}' "${own[@]}"
    grep -nE '^[[:space:]]*#[[:space:]]*if[[:space:]]+0|\b(TODO|FIXME|XXX)\b' "${own[@]}"
)
for file in "${own[@]}"; do
    head -n 1 "$file" | grep -q 'SPDX-License-Identifier: Apache-2.0' ||
        breach "$file:1: no SPDX line"
done

for header in include/*.h; do
    for language in c c++; do
        standard=c11
        compiler=gcc
        [ $language = c ] || { standard=c++11; compiler=g++; }
        output=$("$compiler" -x "$language" -std=$standard -Wall -Wextra -Werror -Iinclude \
            -fsyntax-only -include "$header" /dev/null 2>&1) ||
            breach "$header does not compile alone as $standard: $output"
    done
done

echo "layers: ${#own[@]} files, $breaches breaches"
[ "$breaches" -eq 0 ]
