#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# setup.sh build|test|dist|ports|pack|site [PACKAGE...]: installs what this part of packages.txt, its first
# part and the command line name and the system lacks. When nothing is missing it changes nothing and
# needs no network. --dist is dist.
set -euo pipefail
cd "$(dirname "$0")/.."

part=${1:-}
[ "$part" != --dist ] || part=dist
case $part in
build | test | dist | ports | pack | site) shift ;;
*)
    echo "usage: setup.sh build|test|dist|ports|pack|site [PACKAGE...]" >&2
    exit 64
    ;;
esac
mapfile -t wanted < <(sed 's/#.*//' packages.txt | awk -v part="$part" '
    /^\[/ {taken = $1 == "[build]" || $1 == "[" part "]"; next}
    NF && taken {print $1}')
wanted+=("$@")
if ! command -v dpkg-query >/dev/null || ! command -v apt-get >/dev/null; then
    echo "setup: no apt-get here; install the like of these by hand: ${wanted[*]}" >&2
    exit 0
fi
missing=()
for package in "${wanted[@]}"; do
    state=$(dpkg-query -W -f='${db:Status-Status}\n' "$package" 2>/dev/null | head -n 1 || true)
    [ "$state" = installed ] || missing+=("$package")
done
if [ ${#missing[@]} -eq 0 ]; then
    exit 0
fi
echo "setup: installing ${missing[*]}"
as_root=()
[ "$(id -u)" -eq 0 ] || as_root=(sudo)
"${as_root[@]}" apt-get update -q
"${as_root[@]}" env DEBIAN_FRONTEND=noninteractive \
    apt-get install -q -y --no-install-recommends "${missing[@]}"
