#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# make_site.sh [FOLDER]: makes the site of docs/ in FOLDER (build-site). The pages need no network;
# searching wants a server, since browsers let no page read other files: python3 -m http.server -d FOLDER.
set -euo pipefail
cd "$(dirname "$0")/.."
folder=$(realpath -m "${1:-build-site}")
scripts/setup.sh pack
python3 scripts/check_docs.py links
/usr/bin/mkdocs build -q --strict -f site/mkdocs.yml -d "$folder"
if grep -rlE '(src|href)="(https?:)?//[^"]*\.(js|css|woff2?)' "$folder" --include='*.html'; then
    echo "make_site: these pages load something from the network" >&2
    exit 1
fi
echo "$folder: $(find "$folder" -name '*.html' | wc -l) pages"
