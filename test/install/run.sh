#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# run.sh pkgconfig|cmake BUILD CC VERSION: installs BUILD under a fresh prefix, moves the tree once
# (an installed tree must not remember where it was made), then builds user.c against it and runs it.
# A user who wants a GPU is told that libgblite_cuda.so is missing; once there is one beside the
# library or the program it is loaded. The one that is put there is planted and refuses.
set -euo pipefail
way=$1 build=$2 cc=$3 version=$4
unset GBLITE_CUDA_LIBRARY
here=$(cd "$(dirname "$0")" && pwd)
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT

exec 9>>"$build/install_manifest.txt" # as an installation by root has left it
cmake --install "$build" --prefix "$dir/first" >"$dir/log" || { cat "$dir/log"; exit 1; }
if [ "$build/install_manifest.txt" -ef /dev/fd/9 ]; then
    echo "install_manifest.txt is written to, and fails after an installation by root"
    exit 1
fi
exec 9>&-
prefix=$dir/moved
mv "$dir/first" "$prefix"
lib=$(dirname "$(find "$prefix" -name libgblite.so -print -quit)")

# expect_refusal TEXT PROGRAM: run for the GPU the program fails, and says this
expect_refusal() {
    local text=$1 said
    shift
    said=$(GBLITE_PLACE=gpu "$@" 2>&1) && { echo "runs on a GPU: $*"; exit 1; }
    [[ $said = *"$text"* ]] || { printf 'no "%s" in:\n%s\n' "$text" "$said"; exit 1; }
}

# expect_loading FOLDER PROGRAM: the device's library is found there
expect_loading() {
    local kernels=$1/libgblite_cuda.so
    shift
    rm -f "$kernels" # the real one, where CUDA is built
    expect_refusal "libgblite_cuda.so is not installed" "$@"
    cp "$build/test/cuda_library/right.so" "$kernels"
    expect_refusal "the planted device does nothing" "$@"
}

# compile_strictly FLAG...: kernels for each instruction set, by every compiler, without a warning
compile_strictly() {
    local levels=("") level compiler rest
    [ "$(uname -m)" != x86_64 ] || levels+=(x86-64-v3 x86-64-v4)
    while read -r compiler rest; do
        command -v "$compiler" >/dev/null || continue
        for level in "${levels[@]}"; do
            # shellcheck disable=SC2086 # words
            "$compiler" -x $rest -pedantic -Wall -Wextra -Wshadow -Werror -O2 "$@" \
                ${level:+-DGBL_KERNEL_SET -march=$level} -c "$here/strict.c" -o "$dir/strict.o"
        done
    done <<'EOF'
gcc c -std=c11
clang c -std=c11
g++ c++ -std=c++17
clang++ c++ -std=c++17
g++ c++ -std=c++20 -fsyntax-only
clang++ c++ -std=c++20 -fsyntax-only
EOF
}

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
    read -ra standard < <(pkg-config --cflags --libs gblite_graphblas)
    "$cc" -Wall -Wextra -Werror "$here/standard.c" -o "$dir/standard" "${standard[@]}"
    LD_LIBRARY_PATH=$lib "$dir/standard"
    read -ra own < <(pkg-config --cflags gblite_semiring)
    "$cc" -Wall -Wextra -Werror -O2 -c "${own[@]}" "$here/semiring.c" -o "$dir/semiring.o"
    "$cc" -Wall -Wextra -Werror "${flags[@]}" "$here/semiring_user.c" "$dir/semiring.o" \
        -o "$dir/semiring_user" "${libs[@]}"
    LD_LIBRARY_PATH=$lib "$dir/semiring_user"
    if command -v c++ >/dev/null; then # the same program and kernels in C++17
        c++ -std=c++17 -Wall -Wextra -Werror -O2 -c "${own[@]}" -x c++ "$here/semiring.c" \
            -o "$dir/semiring.o"
        c++ -std=c++17 -Wall -Wextra -Werror "${flags[@]}" -x c++ "$here/semiring_user.c" -x none \
            "$dir/semiring.o" -o "$dir/semiring_user_cpp" "${libs[@]}"
        LD_LIBRARY_PATH=$lib "$dir/semiring_user_cpp"
    fi
    compile_strictly "${own[@]}"
    if command -v nvcc >/dev/null; then # kernels for a GPU, of installed headers alone
        read -ra folders < <(pkg-config --cflags-only-I gblite_semiring)
        nvcc -x cu -std=c++17 -O3 -fmad=false -arch=sm_90 "${folders[@]}" -c "$here/semiring.c" \
            -o "$dir/semiring_gpu.o"
        nm "$dir/semiring_gpu.o" | grep -q ' D reliable_cuda$'
    fi
    if command -v meson >/dev/null; then
        CC=$cc meson setup "$dir/meson" "$here" >"$dir/log" || { cat "$dir/log"; exit 1; }
        meson compile -C "$dir/meson" >"$dir/log" || { cat "$dir/log"; exit 1; }
        LD_LIBRARY_PATH=$lib "$dir/meson/semiring_user"
    fi
    expect_loading "$lib" env LD_LIBRARY_PATH="$lib" "$dir/user"
    if pkg-config --exists gblite_dist; then # where MPI is
        read -ra many < <(pkg-config --cflags --libs gblite_dist)
        OMPI_CC=$cc mpicc -Wall -Wextra -Werror "$here/dist.c" -o "$dir/dist" "${many[@]}"
        LD_LIBRARY_PATH=$lib "$dir/dist"
    fi
    rm "$lib"/*.so*
    "$cc" "${flags[@]}" "$here/user.c" -o "$dir/user_static" "${static[@]}"
    "$dir/user_static"
    "$cc" "${flags[@]}" "$here/semiring_user.c" "$dir/semiring.o" -o "$dir/semiring_static" \
        "${static[@]}"
    timeout 60 "$dir/semiring_static"
    ;;
cmake)
    cmake -S "$here" -B "$dir/build" -DCMAKE_PREFIX_PATH="$prefix" -DCMAKE_C_COMPILER="$cc" \
        -Dwanted_version="$version"
    cmake --build "$dir/build"
    "$dir/build/user"
    "$dir/build/user_static"
    "$dir/build/standard"
    "$dir/build/semiring_user"
    expect_loading "$dir/build" "$dir/build/user_static"
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
