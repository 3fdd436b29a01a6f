#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# cross_wheels.sh [FOLDER] [PLATFORM...]: wheels of the Python package for other C libraries and
# processors than this machine's: manylinux_2_28 (glibc 2.28) and musllinux_1_2 (musl 1.2), x86_64
# and aarch64, all four unless some are named. The compiler is Zig's, which brings the headers of
# each C library (ziglang of PyPI, in FOLDER/tools); zlib, of Debian's sources, is compiled in. The
# wheels go to FOLDER (build-wheel). docs/how_to_install.md says what has been tried on them.
# OPTIONS are further ones of cmake, for example -DGBLITE_ISAS=portable.
set -euo pipefail
cd "$(dirname "$0")/.."
folder=${1:-build-wheel}
[ $# -eq 0 ] || shift
[ $# -gt 0 ] || set -- {manylinux_2_28,musllinux_1_2}_{x86_64,aarch64}
mkdir -p "$folder"
folder=$(cd "$folder" && pwd)
version=$(awk '/define GBLITE_VERSION_(MAJOR|MINOR|PATCH)/ {v = v dot $3; dot = "."} END {print v}' include/gblite.h)
tools=$folder/tools/bin
[ -x "$tools/python3" ] || python3 -m venv "$folder/tools"
"$tools/pip" install -q ziglang wheel 'cffi>=1.15' 'cmake>=3.25,<4' ninja

# The sources of zlib, asked for by lists of their own as in ports_sysroot.sh.
fetch_zlib() {
    local lists
    [ -e "$folder/zlib/zlib.h" ] && return
    lists=$(mktemp -d)
    mkdir -p "$lists/lists/partial" "$lists/cache/archives/partial"
    touch "$lists/status"
    echo "deb-src [signed-by=/usr/share/keyrings/debian-archive-keyring.gpg]" \
        "http://deb.debian.org/debian bookworm main" >"$lists/sources"
    local options=(-q -o "Dir::State=$lists" -o "Dir::State::status=$lists/status"
        -o "Dir::Cache=$lists/cache" -o "Dir::Etc::sourcelist=$lists/sources"
        -o Dir::Etc::sourceparts=/dev/null -o APT::Sandbox::User=root)
    apt-get "${options[@]}" update
    (cd "$lists" && apt-get "${options[@]}" source --download-only zlib)
    mkdir -p "$folder/zlib"
    tar -xf "$lists"/zlib_*.orig.tar.* -C "$folder/zlib" --strip-components=1
    rm -rf "$lists"
}

wheel_for() { # wheel_for PLATFORM
    local platform=$1 processor=${1#*_*_*_} libc=gnu.2.28 place=$folder/$1 flags
    case $platform in
    musllinux_1_2_*) libc=musl ;;
    manylinux_2_28_*) ;;
    *) echo "cross_wheels: no wheels for $platform are made here" >&2; exit 64 ;;
    esac
    rm -rf "$place/package" "$place/sysroot"
    mkdir -p "$place/package" "$place/sysroot"/{include,lib}
    # Zig checks for undefined behaviour by default, and names its linker's options itself.
    printf '#!/bin/sh\nexec %s/python3 -m ziglang cc -target %s-linux-%s -fno-sanitize=undefined "$@"\n' \
        "$tools" "$processor" "$libc" >"$place/cc"
    printf '#!/bin/sh\nexec %s/python3 -m ziglang ar "$@"\n' "$tools" >"$place/ar"
    printf '#!/bin/sh\nexec %s/python3 -m ziglang ranlib "$@"\n' "$tools" >"$place/ranlib"
    chmod +x "$place"/{cc,ar,ranlib}
    (cd "$place/sysroot/lib" && flags="-O2 -fPIC -DHAVE_UNISTD_H -D_LARGEFILE64_SOURCE=1" &&
        # shellcheck disable=SC2086
        "$place/cc" $flags -c "$folder"/zlib/{adler32,compress,crc32,deflate,infback,inffast,inflate,inftrees,trees,uncompr,zutil,gzclose,gzlib,gzread,gzwrite}.c &&
        "$place/ar" rcs libz.a ./*.o)
    cp "$folder"/zlib/z{lib,conf}.h "$place/sysroot/include"
    # shellcheck disable=SC2086
    PATH=$tools:$PATH cmake -S . -B "$place/build" -G Ninja -DCMAKE_BUILD_TYPE=Release \
        -DCMAKE_SYSTEM_NAME=Linux -DCMAKE_SYSTEM_PROCESSOR="$processor" \
        -DCMAKE_C_COMPILER="$place/cc" -DCMAKE_CXX_COMPILER=NOTFOUND -DCMAKE_AR="$place/ar" \
        -DCMAKE_RANLIB="$place/ranlib" -DZLIB_ROOT="$place/sysroot" -DPython3_EXECUTABLE="$tools/python3" \
        -DSKBUILD=ON -DGBLITE_PYTHON=ON -DGBLITE_{CLI,EXAMPLES,TESTS,BENCH,CUDA,DIST}=OFF ${OPTIONS:-}
    "$tools/cmake" --build "$place/build" --target python_package
    "$tools/cmake" --install "$place/build" --prefix "$place/package" --component python --strip
    "$tools/python3" python/make_info.py "$version" "$place/package/gblite-$version.dist-info"
    printf 'Wheel-Version: 1.0\nGenerator: cross_wheels.sh\nRoot-Is-Purelib: false\nTag: py3-none-%s\n' \
        "$platform" >"$place/package/gblite-$version.dist-info/WHEEL"
    "$tools/python3" -m wheel pack -d "$folder" "$place/package"
}

fetch_zlib
for platform in "$@"; do wheel_for "$platform"; done
ls -l "$folder"/*.whl
