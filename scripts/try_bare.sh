#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# try_bare.sh [RELEASE] [PAGE...]: types every command of the pages on a bare Debian 12, as an ordinary
# user who may use sudo: debootstrap makes it in build-bare/root, once, and each run works on a copy in
# memory. With the folder of a release (make_release.sh) its packages are installed instead of the
# sources. Wants root; packages come from Debian and PyPI. Twelve minutes on two cores.
set -euo pipefail
cd "$(dirname "$0")/.."
scripts/setup.sh build debootstrap python3
root=build-bare/root
if [ ! -e $root/.made ]; then
    rm -rf $root
    mkdir -p build-bare
    debootstrap --variant=minbase --include=ca-certificates,sudo bookworm $root >build-bare/log ||
        { tail -n 30 build-bare/log; exit 1; }
    touch $root/.made
fi
if [ -f "${1:-}/SHA256SUMS" ]; then set -- --release "$@"; fi
exec python3 -B test/pages/type_pages.py --root $root "$@"
