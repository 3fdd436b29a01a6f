# SPDX-License-Identifier: Apache-2.0
#
# What tests of the program gblite share: called as TEST PROGRAM DATA, they source this file.
gblite=$1
data=$2
karate=$(cd "$(dirname "$0")/../.." && pwd)/examples/data/karate.mtx
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
out=$dir/out err=$dir/err
failures=0

# check NAME COMMAND...: the command must succeed.
check() {
    local name=$1
    shift
    if "$@"; then
        echo "ok    $name"
    else
        echo "FAIL  $name"
        failures=$((failures + 1))
    fi
}

# run CODE ARGUMENTS...: the program must exit with CODE; leaves its output in $out and $err.
run() {
    local want=$1 code=0
    shift
    "$gblite" "$@" >"$out" 2>"$err" </dev/null || code=$?
    check "exit $want: gblite $*" test "$code" = "$want"
    if [ "$code" != "$want" ]; then sed 's/^/      /' "$out" "$err"; fi
}

# field NAME: the value of a number or word in the JSON object of the last run.
field() {
    sed -n "s/.*\"$1\":\"\{0,1\}\([^,\"}]*\).*/\1/p" "$out"
}

is() {
    check "$1 is $3" test "$2" = "$3"
}

one_json_object() {
    check "one line" test "$(wc -l <"$out")" = 1
    if command -v python3 >/dev/null; then
        check "valid JSON" python3 -c 'import json, sys
sys.exit(not isinstance(json.load(open(sys.argv[1])), dict))' "$out"
    else
        check "looks like JSON" grep -q '^{".*}$' "$out"
    fi
    check "has seconds" grep -q '"seconds":[0-9]' "$out"
    check "has method" grep -q '"method":"[a-z]' "$out"
}

