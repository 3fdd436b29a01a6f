#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# test_graphblas_names.sh GBLITE DATA: GraphBLAS.h is what scripts/graphblas_names.sh makes now; a
# program that includes nothing else can use every name, and SuiteSparse's that it has, as C11, C17 and
# C++17, with gcc and clang;
# constants have the standard's values, and every object and function is in the shared library beside
# the program. A library that was built with sanitizers (GBLITE_SANITIZE, by GBLITE_COMPILER_ID) is
# linked to programs of the same compiler and sanitizers alone; the other compiler checks the source.
set -euo pipefail
export LC_ALL=C
build=$(cd "$(dirname "$1")" && pwd)
cd "$(dirname "$0")/../.."
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT

scripts/graphblas_names.sh "$dir"
for header in "$dir"/grb_*.h; do
    diff -u "include/graphblas/${header##*/}" "$header" || {
        echo "run scripts/graphblas_names.sh"
        exit 1
    }
done
scripts/graphblas_names.sh --list >"$dir/names"
[ -z "$(sort "$dir/names" | uniq -d)" ] || { echo "a name is listed twice"; exit 1; }

list() { scripts/graphblas_names.sh --list "$@"; }
extensions() { scripts/graphblas_names.sh --extensions "$1" | sed 's/ .*//'; }
{
    echo '#include <complex.h>' # which defines I
    echo '#include <GraphBLAS.h>'
    echo 'typedef void (*function)(void);'
    echo 'static const function functions[] = {'
    list methods operations | sed 's/.*/(function)&,/'
    extensions functions | sed 's/.*/(function)&,/'
    echo '};'
    echo 'static const void *const objects[] = {'
    list operators algebra | sed 's/.*/(const void *)\&&,/'
    extensions objects | sed 's/.*/(const void *)\&&,/'
    echo '};'
    echo 'int main(void) {'
    list constants | sed 's/.*/(void)&;/'
    list polymorphic | sed 's/.*/#if !defined(__cplusplus) \&\& !defined(&)\n#error "&"\n#endif/'
    cat <<'END'
    for (size_t k = 0; k < sizeof functions / sizeof *functions; k++)
        if (functions[k] == NULL) return 1;
    for (size_t k = 0; k < sizeof objects / sizeof *objects; k++)
        if (*(void *const *)objects[k] == NULL) return 2;
    return 0;
}
END
} >"$dir/names.c"

# The options by which a compiler makes a program with the library.
options_of() { # options_of COMPILER
    local own=gcc
    [ "${GBLITE_COMPILER_ID:-GNU}" = GNU ] || own=clang
    if [ -n "${GBLITE_SANITIZE:-}" ] && [ "$1" != $own ]; then
        echo -fsyntax-only
    else
        echo ${GBLITE_SANITIZE:+-fsanitize=$GBLITE_SANITIZE} -o "$dir/program" \
            -Wl,-rpath,"$build" -x none "$build/libgblite.so"
    fi
}

tried=0
for compiler in gcc clang; do
    command -v $compiler >/dev/null || continue
    read -ra options < <(options_of $compiler)
    for standard in c11 c17 c++17; do
        language=c
        [ $standard != c++17 ] || language=c++
        for source in "$dir/names.c" test/graphblas/constants.c test/graphblas/extensions.c; do
            rm -f "$dir/program"
            $compiler -x $language -std=$standard -pedantic -Wall -Werror -Iinclude/graphblas \
                "$source" "${options[@]}"
            [ "${options[0]}" = -fsyntax-only ] || "$dir/program" || { echo "$source as $standard by $compiler: $?"; exit 1; }
        done
        tried=$((tried + 1))
    done
done
echo "GraphBLAS.h: $(wc -l <"$dir/names") names and $({ extensions objects; extensions functions; } | wc -l) extensions, $tried ways to compile"
