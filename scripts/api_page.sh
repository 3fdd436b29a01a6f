#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Writes docs/api.md from the public headers: every function on one line, typed ones on one, with the sentence that
# begins its comment. `scripts/api_page.sh -` writes to stdout instead; test/sources/test_api_page.sh checks
# that the page is up to date. Needs gcc (or $CC) and awk.
set -euo pipefail
shopt -s inherit_errexit
cd "$(dirname "$0")/.."
headers=(include/gblite_{objects,operations,extended,chain,context,fields,memory,explain,io}.h)

page() {
    cat <<'END'
<!-- SPDX-License-Identifier: Apache-2.0 -->
# Functions

Made by `scripts/api_page.sh` from the headers, which say more: errors, costs, domains; do not edit. The rules common to all
functions stand at the top of [gblite.h](../include/gblite.h). Predefined types, operators, monoids, semirings and descriptors
are listed in [gblite_builtin.h](../include/gblite_builtin.h), descriptor fields that tune in
[gblite_tuning.h](../include/gblite_tuning.h). C11 programs may leave out the suffix of a type:
[gblite_generic.h](../include/gblite_generic.h). Functions that differ in the type of a value alone are one line, with T for the type:
"numbers" are `BOOL` (`bool`), `INT8` (`int8_t`) to `INT64`, `UINT8` to `UINT64`, `FP32` (`float`) and `FP64` (`double`); `UDT` is a user-defined
type, whose values are passed as `const void *`; `Scalar` is a `gbl_Scalar`.
END
    for header in "${headers[@]}"; do
        "${CC:-gcc}" -E -std=c11 -Iinclude "$header" |
            awk -f scripts/api_page.awk -v header="$header" "$header" -
    done
}

text=$(page)
if [ "${1:-}" = - ]; then
    printf '%s\n' "$text"
else
    printf '%s\n' "$text" >docs/api.md
fi
