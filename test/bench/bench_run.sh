#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# bench_run.sh BUILD: what `bench run` writes beside the times, and the script that compares two runs.
# No time is judged: seconds of the comparisons are made up.
set -uo pipefail
build=$1
root=$(cd "$(dirname "$0")/../.." && pwd)
out=$build/bench_run
failures=0
rm -rf "$out"
mkdir -p "$out/data"

check() { # check WHAT COMMAND...: it must succeed
    local what=$1
    shift
    if "$@" >"$out/log" 2>&1; then
        echo "ok    $what"
    else
        echo "FAIL  $what: $*"
        sed 's/^/      /' "$out/log"
        failures=$((failures + 1))
    fi
}

says() { # says CODE PATTERN COMMAND...: exit code, and what it must print
    local code=0 want=$1 pattern=$2
    shift 2
    "$@" >"$out/said" 2>&1 || code=$?
    [ "$code" = "$want" ] && grep -qE -- "$pattern" "$out/said" && return
    cat "$out/said"
    return 1
}

holds() { # holds FILE EXPRESSION: of the document d, in Python
    /usr/bin/python3 -c 'import json, sys; d = json.load(open(sys.argv[1])); i = d["inputs"]
way = lambda name: next(c for c in i[0]["contenders"] if c["name"] == name)
assert eval(f"({sys.argv[2]})"), json.dumps(d, indent=1)' "$1" "$2"
}

run=("$build/bench/bench" run)
one=(--only fem:5:3 --repeats 1 --output "$out")
check "first calls run" "${run[@]}" "${one[@]}" --first 2 --name first
for name in auto suitesparse; do
    check "the first call of $name" holds "$out/first.json" \
        "(lambda f: f['samples'] == 2 and f['seconds'] > 0 and f['counted'] > 100000 and
          f['resident'] >= 0 and 'held' in f)(way('$name')['first'])"
done
check "forced ways have none" holds "$out/first.json" "'first' not in way('outer')"
check "no first call" "${run[@]}" "${one[@]}" --no-first --name none
check "is none" holds "$out/none.json" "'first' not in way('auto')"
check "one contender" "${run[@]}" "${one[@]}" --no-first --contender outer --name outer
check "alone runs" holds "$out/outer.json" \
    "[(c['name'], 'seconds' in c) for c in i[0]['contenders']] ==
     [('suitesparse', False), ('outer', True)]"

# A stranger, and a file that the suite names.
printf '%%%%MatrixMarket matrix coordinate pattern general\n3 3 4\n1 1\n2 1\n3 2\n1 3\n' |
    tee "$out/data/stranger.mtx" >"$out/data/4elt.mtx"
check "regret runs" "${run[@]}" --regret --data "$out/data" --only rmat:7:4 --repeats 1 --output "$out"
check "regret of files and specs" holds "$out/regret.json" \
    "{x['name']: x['held_out'] for x in i} == {'4elt': False, 'stranger': True, 'rmat:7:4': True}"
check "regret is a ratio of what was timed" holds "$out/regret.json" \
    "all(abs(x['regret'] * min(c['seconds'] for c in x['contenders'] if 'seconds' in c
         and c['name'] != 'auto') / next(c['seconds'] for c in x['contenders']
         if c['name'] == 'auto') - 1) < 1e-6 for x in i)"
check "its summary" holds "$out/regret.json" \
    "d['summary']['regret']['inputs'] == 3 and d['summary']['regret_held_out']['inputs'] == 2
     and d['summary']['regret']['most'] == max(x['regret'] for x in i)"
check "planning share" holds "$out/regret.json" \
    "[0 < c['plan_share'] < 1 for x in i if x['name'] == 'rmat:7:4' for c in x['contenders']
      if c['name'] == 'auto'] == [True]"
check "their tables" /usr/bin/python3 -c 'import json, sys
sys.path[:0] = [sys.argv[1] + "/bench/pages"]
import tables
run, regret = (json.load(open(f"{sys.argv[2]}/{name}.json")) for name in ("first", "regret"))
documents = {"run": run, "regret": regret}
for make in (tables.first_calls, tables.resident):
    head, line, row = make(documents).splitlines()
    assert head.count("|") == line.count("|") == row.count("|"), make(documents)
    assert row.startswith("| fem:5:3 |"), row
names = tables.strangers(documents)
assert "| stranger |" in names and "| rmat:7:4 |" in names and "4elt" not in names, names
' "$root" "$out"
check "a folder that is not there" says 1 "cannot read the folder" \
    "${run[@]}" --regret --data /missing --output "$out"

made_up() { # made_up MACHINE SECONDS...: a document of inputs a, b, ...
    local machine=$1 names=(a b c) k=0
    shift
    for seconds in "$@"; do
        printf '{"operation": "mxm", "name": "%s", "contenders": [{"name": "auto", "seconds": %s}]}\n' \
            "${names[k++]}" "$seconds"
    done | /usr/bin/python3 -c 'import json, sys
print(json.dumps({"machine": sys.argv[1], "threads": 2, "inputs": [json.loads(x) for x in sys.stdin]}))' \
        "$machine"
}
made_up here 1.0 2.0 4.0 >"$out/old.json"
made_up here 1.04 1.0 >"$out/quick.json"
made_up here 1.06 2.0 4.0 >"$out/slow.json"
made_up there 1.0 2.0 >"$out/there.json"
compare=$root/bench/versus.py
check "quicker" says 0 "geometric mean 0.721, from 0.500 to 1.040, 0 of 2" \
    "$compare" "$out/old.json" "$out/quick.json"
check "inputs of one run alone" says 0 "only in the old: mxm c" \
    "$compare" "$out/old.json" "$out/quick.json"
check "slower" says 2 "a .* 1.060  slower" "$compare" "$out/old.json" "$out/slow.json"
check "other machines" says 1 "different machines" "$compare" "$out/old.json" "$out/there.json"
check "nothing in common" says 1 "no input in common" \
    "$compare" --contender mkl "$out/old.json" "$out/slow.json"
check "turns" says 0 "er:5:3" bash -c '"$@" || [ $? -eq 2 ]' - \
    "$root/bench/versus.py" "$build" "$build" --input er:5:3 --turns 2 --repeats 1 \
    --output "$out/turns.json"
check "turns of both builds" /usr/bin/python3 -c 'import json, sys
assert [(t["build"], len(t["seconds"])) for t in json.load(open(sys.argv[1]))] == [
    ("old", 2), ("new", 2)]' "$out/turns.json"
[ $failures -eq 0 ]
