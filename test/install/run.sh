#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# run.sh pkgconfig|cmake BUILD CC VERSION: installs BUILD under a fresh prefix, moves the tree once
# (an installed tree must not remember where it was made), then builds user.c against it and runs it.
set -euo pipefail
way=$1 build=$2 cc=$3 version=$4
here=$(cd "$(dirname "$0")" && pwd)
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT

cmake --install "$build" --prefix "$dir/first" >"$dir/log" || { cat "$dir/log"; exit 1; }
prefix=$dir/moved
mv "$dir/first" "$prefix"
lib=$(dirname "$(find "$prefix" -name libgblite.so -print -quit)")

case $way in
pkgconfig)
    export PKG_CONFIG_PATH=$lib/pkgconfig
    found=$(pkg-config --modversion gblite_io)
    [ "$found" = "$version" ] || { echo "gblite_io.pc says $found, not $version"; exit 1; }
    read -ra flags < <(pkg-config --cflags gblite_io)
    read -ra libs < <(pkg-config --libs gblite_io)
    read -ra static < <(pkg-config --static --libs gblite_io)
    "$cc" -Wall -Wextra -Werror "${flags[@]}" "$here/user.c" -o "$dir/user" "${libs[@]}"
    LD_LIBRARY_PATH=$lib "$dir/user"
    rm "$lib"/*.so*
    "$cc" "${flags[@]}" "$here/user.c" -o "$dir/user_static" "${static[@]}"
    "$dir/user_static"
    ;;
cmake)
    cmake -S "$here" -B "$dir/build" -DCMAKE_PREFIX_PATH="$prefix" -DCMAKE_C_COMPILER="$cc" \
        -Dwanted_version="$version"
    cmake --build "$dir/build"
    "$dir/build/user"
    "$dir/build/user_static"
    ;;
*)
    echo "run.sh: first argument is pkgconfig or cmake, not '$way'"
    exit 2
    ;;
esac
if [ -x "$prefix/bin/gblite" ] && [ "$way" = cmake ]; then
    "$prefix/bin/gblite" --version
fi
echo "install, $way: a user's program builds and runs"
