#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# test_header_errors.sh: every error that a comment of the public headers names is a row of
# test/api/test_documented_errors.c, for one of the methods that the comment is about; and the tests
# that rows name have the code.
set -uo pipefail
export LC_ALL=C
cd "$(dirname "$0")/../.." || exit 1
rows=$(tr '\n\\' '  ' <test/api/test_documented_errors.c |
    grep -oE 'X\([A-Za-z0-9_]+, +[A-Z_]+, +["N]' | sed -E 's/^X\(//; s/, +/ /g')
# what one call cannot provoke, and the test that does
rows+="
mxm CANCELLED test_mxm_outer.c
mxm PANIC test_cuda_device.c
set_progress CANCELLED test_context.c
trim PANIC test_pool.c
call_state CANCELLED test_deadline.c
init_with_allocator NULL_POINTER test_documented_errors.c
finalize INVALID_VALUE test_errors_operators.c
cuda_allocator INVALID_VALUE test_cuda_given.c
cuda_allocator NULL_POINTER test_device_library.c
cuda_allocator PANIC test_device_library.c
calibrate CANCELLED test_machine.c
calibrate IO_ERROR test_machine.c
calibrate OUT_OF_MEMORY test_documented_errors.c
calibrate_device CANCELLED test_cuda_calibrate.c
calibrate_device IO_ERROR test_cuda_calibrate.c
calibrate_device OUT_OF_MEMORY test_cuda_calibrate.c
calibrate_device PANIC test_cuda_calibrate.c
generate INVALID_VALUE test_generate.c
generate DOMAIN_MISMATCH test_generate.c
generate_shape NO_VALUE test_generate_parts.c
generate_edges INVALID_INDEX test_generate_parts.c
mm_read IO_ERROR test_io.c
mm_read INVALID_VALUE test_io.c
mm_read INDEX_OUT_OF_BOUNDS test_io.c
mm_read NULL_POINTER test_io.c
mm_read OUT_OF_MEMORY test_io_memory.c
mm_write IO_ERROR test_io_write.c
edges_read INVALID_VALUE test_edges.c
metis_read INVALID_VALUE test_metis.c
edges_to_file IO_ERROR test_text_to_file.c
edges_to_file INSUFFICIENT_SPACE test_text_to_file.c
mxm_reduce_rows DOMAIN_MISMATCH test_mxm_reduce_rows.c
label_find NO_VALUE test_edges.c
Matrix_serialize CANCELLED test_deadline.c
Semiring_compiled DOMAIN_MISMATCH compiled_semiring.c
Semiring_compiled NOT_IMPLEMENTED compiled_semiring.c
file_map IO_ERROR test_io_write.c
mxm_to_file CANCELLED test_mxm_to_file.c
mxm_to_file INSUFFICIENT_SPACE test_mxm_to_file.c
mxm_to_file IO_ERROR test_mxm_to_file.c
mxm_to_file INVALID_VALUE test_mxm_to_file.c
mxm_to_file NOT_IMPLEMENTED test_mxm_to_file.c
file_map INVALID_OBJECT test_io_write.c"

# comments of the headers: "name name ... : CODE CODE ..."
comments() {
    awk '
        /\/\*/ { inside = 1; names = codes = "" }
        inside {
            line = $0
            if (match(line, /gbl_[A-Za-z0-9_]+: [A-Za-z*]/))
                names = names " " substr(line, RSTART + 4, RLENGTH - 7)
            while (match(line, /GBL_[A-Z_]+/)) {
                codes = codes " " substr(line, RSTART + 4, RLENGTH - 4)
                line = substr(line, RSTART + RLENGTH)
            }
        }
        /\*\// { if (inside && names != "") print names ":" codes; inside = 0 }
    ' include/gblite_*.h | sed -E 's/w<m>//g'
}
errors=" $(grep -oE 'GBL_[A-Z_]+ = -[0-9]+|GBL_NO_VALUE' include/gblite_types.h |
    sed 's/GBL_//; s/ .*//' | tr '\n' ' ')"
missing=0 pairs=0
while IFS=: read -r names codes; do
    for code in $codes; do
        [[ $errors == *" $code "* ]] || continue
        pairs=$((pairs + 1)) found=0
        for name in $names; do
            grep -q "^$name $code " <<<"$rows " && found=1
        done
        ((found)) || { echo "no row for $code of$names"; missing=1; }
    done
done < <(comments)
while read -r name code file; do
    [[ $file == *test_*.c ]] || continue
    grep -q "GBL_$code" test/*/"$file" || { echo "$file has no GBL_$code ($name)"; missing=1; }
done <<<"$rows"
((pairs > 50)) || { echo "only $pairs errors were found in the headers"; missing=1; }
((missing)) || echo "documented errors: $pairs, $(wc -l <<<"$rows") rows"
exit $missing
