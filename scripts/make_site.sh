#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# make_site.sh [FOLDER]: makes the site of docs/ in FOLDER (build-site), and looks at its pages in a
# headless chromium where that is installed (site/check_pages.py). The pages need no network;
# searching wants a server, since browsers let no page read other files:
#     python3 -m http.server -d FOLDER
set -euo pipefail
cd "$(dirname "$0")/.."
folder=$(realpath -m "${1:-build-site}")
scripts/setup.sh pack
python3 scripts/check_docs.py links
/usr/bin/mkdocs build -q --strict -f site/mkdocs.yml -d "$folder"
python3 site/check_pages.py "$folder"
echo "$folder: $(find "$folder" -name '*.html' | wc -l) pages"
