#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Checks scripts/check_layers.sh: a small tree that keeps every rule has no breach, and each rule
# that is then broken is found, alone. Exit status 0 when all is right.
set -uo pipefail
scripts=$(cd "$(dirname "$0")/../../scripts" && pwd)
tree=$(mktemp -d)
trap 'rm -rf "$tree"' EXIT
bad=0

put() { # put FILE LINE...: after the SPDX line
    local file=$tree/$1
    shift
    mkdir -p "$(dirname "$file")"
    printf '%s\n' '/* SPDX-License-Identifier: Apache-2.0 */' "$@" >"$file"
}

fresh() {
    local file line
    rm -rf "${tree:?}"/*
    mkdir "$tree/scripts"
    cp "$scripts"/{check_layers.sh,include_circles.awk} "$tree/scripts/"
    while read -r file line; do put "$file" "$line"; done <<'END'
include/gblite.h typedef int gbl_Info;
src/core/low.h
src/core/low.c #include "core/low.h"
src/mxm/mxm.h #include "mxm/plan/plan.h"
src/mxm/mxm.c #include "mxm/mxm.h"
src/mxm/plan/plan.h #include "core/low.h"
src/mxm/plan/cost.h #include "mxm/plan/plan.h"
src/mxm/plan/plan.c #include "mxm/plan/walk.tmpl.h"
src/mxm/plan/walk.tmpl.h #include "core/low.h"
bench/harness/timing.h
bench/page/page.c #include "harness/timing.h"
bench/page/page_inside.c #include "mxm/mxm.h"
test/support/oracle.c #include "gblite.h"
test/test_mxm.c #include "mxm/mxm.h"
END
}

expect() { # expect WHAT BREACHES TEXT
    local output
    output=$("$tree/scripts/check_layers.sh" 2>&1)
    if [[ $output = *"$3"* && $output = *", $2 breaches" ]]; then return; fi
    printf 'layers, %s: expected %d breaches and "%s", but\n%s\n' "$1" "$2" "$3" "$output" >&2
    bad=1
}

broken() { # broken WHAT TEXT FILE LINE: the tree with this file has this one breach
    local file=$3
    fresh
    put "$file" "$4"
    expect "$1" 1 "$2"
}

fresh
expect "nothing broken" 0 ", 0 breaches"
broken "an include that points upwards" 'matrix (level 3) must not include "mxm/mxm.h"' \
    src/matrix/up.c '#include "mxm/mxm.h"'
broken "a folder without level" 'is in no folder of the level table' \
    src/core/lost.c '#include "nowhere/x.h"'
broken "the user side inside" 'the user side includes only include/*.h' \
    bench/page/other.c '#include "mxm/mxm.h"'
broken "the oracle inside" 'the user side includes only include/*.h' \
    test/support/rules.c '#include "mxm/mxm.h"'
broken "a circle of two modules" 'circle of includes: src/mxm/plan/cost, src/mxm/plan/plan' \
    src/mxm/plan/plan.c '#include "mxm/plan/cost.h"'
broken "a circle through a template" 'src/mxm/plan/walk.tmpl.h:2 includes "mxm/plan/cost.h"' \
    src/mxm/plan/walk.tmpl.h '#include "mxm/plan/cost.h"'
broken "a circle of two folders" 'circle of folders: src/mxm/plan, src/mxm' \
    src/mxm/plan/walk.c '#include "mxm/mxm.h"'
broken "a long line" 'src/core/low.c:2: 101 columns' src/core/low.c "/*$(printf '%097d' 0)*/"
broken "a long file" 'src/core/low.c: 502 lines' src/core/low.c "$(seq -f '/* %g */' 501)"
broken "a long file of Python" 'python/gblite/low.py: 502 lines' \
    python/gblite/low.py "$(seq -f '# %g' 501)"
broken "a left-over" 'src/core/low.c:2:#if 0' src/core/low.c '#if 0'
broken "a header that C++ refuses" 'include/gblite.h does not compile alone as c++11' \
    include/gblite.h 'extern int class;'
fresh
sed -i 1d "$tree/src/core/low.c"
expect "no SPDX line" 1 'src/core/low.c:1: no SPDX line'
exit $bad
