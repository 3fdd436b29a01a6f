#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# bench_page.sh NAME BUILD: bench/NAME/make_page.py measures its tiny suite and makes a page and plots of it,
# in a folder of the build. Fails when a table stays empty or a plot is missing.
set -euo pipefail
name=$1 build=$2
root=$(cd "$(dirname "$0")/../.." && pwd)
out=$build/bench_page/$name
page=$out/docs/$name.md

rm -rf "$out"
mkdir -p "$out/docs"
sed '/<!-- begin:/,/<!-- end:/{/<!--/!d}' "$root/docs/$name.md" >"$page"
"$root/bench/$name/make_page.py" --build "$build" --output "$out" --repeats 1 \
    --suite "$root/bench/$name/tiny.txt"

failed=0
if grep -A1 '<!-- begin:' "$page" | grep -q '<!-- end:'; then
    echo "a table of $page is empty"
    failed=1
fi
for plot in $(grep -oE '\(([a-z-]+\.svg)\)' "$page" | tr -d '()'); do
    if [ ! -s "$out/docs/$plot" ]; then
        echo "$page names $plot, which was not drawn"
        failed=1
    fi
done
exit $failed
