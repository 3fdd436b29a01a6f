#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# larger.sh [GBLITE] [FOLDER]: the tables of docs/larger.md. Products of generated matrices, from mapped files, whose
# results are several times the memory, written to FOLDER, and their sums; and lists of edges to files. SPECS, MEMORIES
# and EDGES choose others. Needs python3.
set -euo pipefail
gblite=${1:-build/gblite}
folder=$(mktemp -d "${2:-/tmp}/larger_XXXXXX")
trap 'rm -rf "$folder"' EXIT

# measure COMMAND...: the cells of a row.
measure() {
    python3 - "$@" <<'END'
import json, os, resource, subprocess, sys, time
started = time.time()
out = subprocess.run(sys.argv[1:] + ["--json"], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
peak = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024
if out.returncode:
    sys.exit(f"{sys.argv[1:]} failed")
r = json.loads(out.stdout)
if sys.argv[2] == "convert" or "--reduce" in sys.argv:
    print(f"{r.get('entries', 0) or r['entries_folded']:,} | {time.time() - started:.1f} | {peak:.0f}")
    sys.exit()
size = os.path.getsize(sys.argv[sys.argv.index("-o") + 1])
print(f"{r['entries']:,} | {size / 1e9:.2f} | {r.get('bytes_predicted', 0) / 1e9:.2f} | {r.get('slices', 1)} "
      f"| {r['seconds']:.1f} | {size / 1e6 / r['seconds']:.0f} | {peak:.0f}")
END
}

echo '| A A | `--memory` | entries | GB | predicted GB | slices | seconds | MB/s | peak resident MB |'
echo '|---|---|---|---|---|---|---|---|---|'
for spec in ${SPECS:-rmat:16:16 er:19:24}; do
    "$gblite" gen "$spec" -o "$folder/A.mtx" >/dev/null
    "$gblite" convert "$folder/A.mtx" -o "$folder/A.gbl" >/dev/null
    for memory in ${MEMORIES:-256M 512M 1G}; do
        row=$(measure "$gblite" mxm "$folder/A.gbl" --memory "$memory" -o "$folder/C.gbl")
        echo "| \`$spec\` | $memory | $row |"
    done
done
printf '\n| command | entries | seconds | peak resident MB |\n|---|---|---|---|\n'
for spec in ${SPECS:-rmat:16:16 er:19:24}; do
    "$gblite" gen "$spec" -o "$folder/A.gbl" >/dev/null
    for what in rows columns; do
        row=$(measure "$gblite" mxm "$folder/A.gbl" --reduce $what --memory 256M -o "$folder/sums.gbl")
        echo "| \`mxm\` of \`$spec\`, \`--reduce $what --memory 256M\` | $row |"
    done
done
rm -f "$folder"/*
for seed in 1 2; do # each within the memory
    "$gblite" gen "${EDGES:-er:22:12}:$seed" -o "$folder/part.tsv" >/dev/null
    cat "$folder/part.tsv" >>"$folder/edges.tsv"
    rm "$folder/part.tsv"
done
for memory in "" "--memory 500M" "--memory 1G"; do
    row=$(TMPDIR=$folder measure "$gblite" convert "$folder/edges.tsv" $memory -o "$folder/G.gbl")
    echo "| \`convert\` of $(wc -l <"$folder/edges.tsv") edges \`$memory\` | $row |"
    sum=$(sha256sum <"$folder/G.gbl")
    [ "${first:=$sum}" = "$sum" ] || { echo "the files differ" && exit 1; }
done
rm -f "$folder"/*
printf '\n`dd` writes %s to the same folder.\n' \
    "$(dd if=/dev/zero of="$folder/zero" bs=4M count=512 conv=fsync 2>&1 | sed -n 's/.*, \([0-9.,]* [kMG]B\/s\)$/\1/p')"
