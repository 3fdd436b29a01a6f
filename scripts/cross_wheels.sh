#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# cross_wheels.sh [FOLDER [PLATFORM...]]: wheels of the Python package for glibc 2.28 and musl, on
# x86-64 and AArch64, into FOLDER (build-wheel). PLATFORM is the tag of one of them, e.g.
# musllinux_1_2_aarch64. The compiler is clang as PyPI's ziglang packs it, with the headers and
# symbols of each C library; zlib is made from Debian's source. The library in each wheel is then
# loaded by the C library that it is for, on AArch64 in qemu, and multiplies two matrices.
set -euo pipefail
cd "$(dirname "$0")/.."
folder=${1:-build-wheel}
[ $# -eq 0 ] || shift
[ $# -gt 0 ] || set -- {manylinux_2_28,musllinux_1_2}_{x86_64,aarch64}
scripts/setup.sh build qemu-user gcc-12-aarch64-linux-gnu libc6-dev-arm64-cross unzip
mkdir -p "$folder/tools"
folder=$(cd "$folder" && pwd)
python3 -m venv "$folder/tools"
"$folder/tools/bin/pip" install -q ziglang wheel
zig=$("$folder/tools/bin/python" -c 'import os, ziglang; print(os.path.dirname(ziglang.__file__))')/zig

# Gets a package of Debian with its own package lists; those of the system stay unchanged.
from_debian() { # from_debian FOLDER ARCHITECTURE source|download PACKAGE
    local state=$1/apt origin
    origin="[signed-by=/usr/share/keyrings/debian-archive-keyring.gpg] http://deb.debian.org/debian bookworm main"
    mkdir -p "$state/lists/partial" "$state/cache/archives/partial"
    touch "$state/status"
    printf '%s\n' "deb $origin" "deb-src $origin" >"$state/sources"
    local options=(-qq -o "APT::Architecture=$2" -o "APT::Architectures=$2" -o "Dir::State=$state"
        -o "Dir::State::status=$state/status" -o "Dir::Cache=$state/cache"
        -o "Dir::Etc::sourcelist=$state/sources" -o Dir::Etc::sourceparts=/dev/null
        -o APT::Sandbox::User=root)
    apt-get "${options[@]}" update
    (cd "$1" && apt-get "${options[@]}" "$3" "$4")
}

# A program of zig. CMake tells clang of SVE in words that zig has others for.
make_tool() { # make_tool FILE ZIG_ARGUMENT...
    local file=$1
    shift
    printf '#!/bin/bash\nexec %s %s "${@/#-march=armv8-a+sve/-mcpu=generic+sve}"\n' \
        "$zig" "$*" >"$file"
    chmod +x "$file"
}

make_zlib() { # make_zlib PLACE: PLACE/lib/libz.a
    from_debian "$1" amd64 source zlib
    (cd "$1"/zlib-*/ &&
        CC="$1/cc" AR="$1/ar" RANLIB="$1/ranlib" CFLAGS='-O2 -fPIC' ./configure --static \
            --prefix="$1" && make libz.a && make install) >"$1/zlib.log" 2>&1 ||
        { tail "$1/zlib.log"; exit 1; }
}

try() { # try PLACE PROCESSOR PLATFORM
    local run=()
    [ "$2" = "$(uname -m)" ] || run=("qemu-$2" -L "/usr/$2-linux-gnu")
    if [[ $3 = musllinux* ]]; then
        from_debian "$1" "${debian[$2]}" download musl
        dpkg-deb -x "$1"/musl_*.deb "$1/musl"
        run+=("$1/musl/lib/ld-musl-$2.so.1")
    fi
    (cd "$1" && unzip -q ./*.whl -d wheel)
    "$1/cc" -O2 -dynamic -Iinclude packaging/try_wheel.c -o "$1/try" -ldl
    "${run[@]}" "$1/try" "$1/wheel/gblite/libgblite_python.so"
}

declare -A debian=([x86_64]=amd64 [aarch64]=arm64)
for platform in "$@"; do
    processor=x86_64
    [[ $platform != *aarch64 ]] || processor=aarch64
    libc=gnu.2.28
    [[ $platform != musllinux* ]] || libc=musl
    place=$folder/$platform
    rm -rf "$place"
    mkdir -p "$place"
    for tool in cc c++; do make_tool "$place/$tool" $tool -target "$processor-linux-$libc"; done
    for tool in ar ranlib; do make_tool "$place/$tool" $tool; done
    make_zlib "$place"
    SKBUILD_CMAKE_ARGS="-DCMAKE_SYSTEM_NAME=Linux;-DCMAKE_SYSTEM_PROCESSOR=$processor;-DCMAKE_C_COMPILER=$place/cc;-DCMAKE_CXX_COMPILER=$place/c++;-DCMAKE_AR=$place/ar;-DCMAKE_RANLIB=$place/ranlib;-DZLIB_LIBRARY=$place/lib/libz.a;-DZLIB_INCLUDE_DIR=$place/include" \
        "$folder/tools/bin/pip" wheel -q --no-deps -w "$place" ./python
    "$folder/tools/bin/wheel" tags --remove --platform-tag "$platform" "$place"/*.whl
    try "$place" "$processor" "$platform"
    mv "$place"/*.whl "$folder"
done
ls -l "$folder"/*.whl
