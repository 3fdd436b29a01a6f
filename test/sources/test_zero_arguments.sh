#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# test_zero_arguments.sh GBLITE DATA: every function of docs/api.md that returns a gbl_Info, called
# with nothing but zeros: GBL_PANIC before gbl_init, GBL_NULL_POINTER after it, and a text. (What
# makes an object looks first where it is to go.) A program is made of the page, compiled, and
# linked to the shared libraries beside the program gblite, with the compiler and the sanitizers
# that they were built with (GBLITE_COMPILER_ID, GBLITE_SANITIZE).
set -euo pipefail
export LC_ALL=C
build=$(cd "$(dirname "$1")" && pwd)
cd "$(dirname "$0")/../.."
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
compiler=gcc
[ "${GBLITE_COMPILER_ID:-GNU}" = GNU ] || compiler=clang

# what has no argument that may not be zero, or needs no gbl_init
others='cuda_allocator|init|init_with_allocator|finalize|getVersion|set_progress|trim|calibrate|calibrate_device|fail|mxm_method|call_state|call_part'
# what looks only at types, operators and descriptors, or at the arguments, may not ask for gbl_init
unasked='_(free|error)$|^gbl_(Type|UnaryOp|BinaryOp|IndexUnaryOp|Monoid|Semiring|Descriptor)_'
unasked+='|^gbl_Explanation_(text|json)$'
makers='^gbl_Scalar_dup$|_(new|deserialize|moveIn|lend|map)$|_import_'
makers+='|^gbl_(mm|metis|file|edges|label)_|^gbl_mxm_to_file$|^gbl_(generate(_shape|_edges)?|save|load)$'

# "name zeros"; a line of name_T is a function for each type that it lists
numbers='BOOL INT8 INT16 INT32 INT64 UINT8 UINT16 UINT32 UINT64 FP32 FP64'
calls() {
    sed -nE 's/^- `gbl_Info (gbl_[A-Za-z0-9_]+)\((.*)\)`(, T: ([^:]*))?: .*/\1|\4|\2/p' docs/api.md |
        awk -F'|' -v numbers="$numbers" '{
            zeros = "0"
            for (k = gsub(/,/, ",", $3); k > 0; k--) zeros = zeros ", 0"
            sub(/numbers/, numbers, $2)
            gsub(/,/, "", $2)
            n = split($2, types, " ")
            for (k = 1; k <= n; k++) {
                name = $1
                sub(/_T$/, "_" types[k], name)
                print name, zeros
            }
            if (n == 0) print $1, zeros }' |
        grep -vE "^gbl_($others) "
}
{
    echo '#include "gblite.h"'
    echo '#include "gblite_io.h"'
    echo '#include <stdio.h>'
    echo 'static int failures;'
    echo 'static void expect(const char *name, gbl_Info found, gbl_Info wanted) {'
    echo '    if (found == wanted && gbl_last_error()[0] != 0) return;'
    echo '    printf("%s(0 ...) gave %d, not %d: %s\n", name, found, wanted, gbl_last_error());'
    echo '    failures++;'
    echo '}'
    echo 'int main(void) {'
    calls | awk -v unasked="$unasked" -v makers="$makers" '$1 !~ unasked {
        wanted = $1 ~ makers ? "GBL_NULL_POINTER" : "GBL_PANIC"
        print "    expect(\"" $1 "\", " $1 "(" substr($0, length($1) + 2) "), " wanted ");" }'
    echo '    if (gbl_init(GBL_NONBLOCKING) != GBL_SUCCESS) return 2;'
    calls | awk '{ wanted = $1 ~ /^gbl_Global_/ ? "GBL_INVALID_OBJECT" : "GBL_NULL_POINTER"
        print "    expect(\"" $1 "\", " $1 "(" substr($0, length($1) + 2) "), " wanted ");" }'
    echo '    return gbl_finalize() != GBL_SUCCESS || failures > 0;'
    echo '}'
} >"$dir/zero.c"
count=$(calls | wc -l)
((count > 500)) || { echo "only $count functions were found in docs/api.md"; exit 1; }
$compiler -std=gnu11 -O0 -w -Iinclude ${GBLITE_SANITIZE:+-fsanitize=$GBLITE_SANITIZE} \
    "$dir/zero.c" -o "$dir/zero" -Wl,-rpath,"$build" "$build/libgblite_io.so" "$build/libgblite.so"
"$dir/zero"
echo "zero arguments: $count functions"
