#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# ports_sysroot.sh aarch64|riscv64 FOLDER: fills FOLDER with zlib and cJSON for that architecture, as
# Debian packages them, for cmake/ports. The packages are asked for by lists of their own and only
# unpacked: nothing is installed, and apt's own lists stay as they are. Debian 12 is not made for
# riscv64; these two libraries are Debian 13's, and run with the libc of Debian 12.
set -euo pipefail
if [ $# -ne 2 ] || ! [[ $1 =~ ^(aarch64|riscv64)$ ]]; then
    echo "usage: ports_sysroot.sh aarch64|riscv64 FOLDER" >&2
    exit 64
fi
declare -A debian=([aarch64]=arm64 [riscv64]=riscv64) suite=([aarch64]=bookworm [riscv64]=trixie)
architecture=${debian[$1]}
mkdir -p "$2"
folder=$(realpath "$2")
if [ -e "$folder/complete" ]; then exit 0; fi
lists=$(mktemp -d)
trap 'rm -rf "$lists"' EXIT
mkdir -p "$lists/lists/partial" "$lists/cache/archives/partial"
touch "$lists/status"
echo "deb [signed-by=/usr/share/keyrings/debian-archive-keyring.gpg]" \
    "http://deb.debian.org/debian ${suite[$1]} main" >"$lists/sources"
options=(-q -o "APT::Architecture=$architecture" -o "APT::Architectures=$architecture"
    -o "Dir::State=$lists" -o "Dir::State::status=$lists/status" -o "Dir::Cache=$lists/cache"
    -o "Dir::Etc::sourcelist=$lists/sources" -o Dir::Etc::sourceparts=/dev/null
    -o APT::Sandbox::User=root)
apt-get "${options[@]}" update
(cd "$lists" && apt-get "${options[@]}" download zlib1g zlib1g-dev libcjson1 libcjson-dev)
for package in "$lists"/*.deb; do dpkg-deb -x "$package" "$folder"; done
# One folder of libraries, as on the system itself.
if [ -d "$folder/lib" ]; then
    cp -a "$folder/lib/." "$folder/usr/lib/"
    rm -r "$folder/lib"
fi
ln -s usr/lib "$folder/lib"
# Links that begin at the root begin at the folder.
find "$folder" -type l -lname '/*' -printf '%p %l\n' | while read -r link target; do
    ln -sf "$folder$target" "$link"
done
touch "$folder/complete"
