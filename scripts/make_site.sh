#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# make_site.sh [FOLDER]: makes the site of docs/ in FOLDER (build-site), and looks at its pages in a
# headless chromium where that is installed (site/check_pages.py), with axe-core, which it fetches to
# build-axe once. The pages need no network; searching wants a server, since browsers let no page read
# other files:
#     python3 -m http.server -d FOLDER
set -euo pipefail
cd "$(dirname "$0")/.."
folder=$(realpath -m "${1:-build-site}")
scripts/setup.sh site
python3 scripts/check_docs.py links
/usr/bin/mkdocs build -q --strict -f site/mkdocs.yml -d "$folder"
if [ ! -f build-axe/axe.min.js ]; then # in a wheel of PyPI, whose Python is not used
    if python3 -m venv build-axe && build-axe/bin/pip -q install --no-deps axe-playwright-python==0.1.8; then
        cp build-axe/lib/python3*/site-packages/axe_playwright_python/axe.min.js build-axe/
    else
        echo "make_site: axe-core cannot be fetched, it is left out"
    fi
fi
/usr/bin/python3 -B site/check_pages.py "$folder"
echo "$folder: $(find "$folder" -name '*.html' | wc -l) pages"
