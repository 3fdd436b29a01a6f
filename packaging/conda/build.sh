#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
set -euo pipefail
# shellcheck disable=SC2086 # CMAKE_ARGS of conda are several words
cmake -S . -B build-conda -G Ninja -DCMAKE_BUILD_TYPE=Release -DCMAKE_INSTALL_PREFIX="$PREFIX" \
    -DCMAKE_INSTALL_LIBDIR=lib -DGBLITE_HDF5=OFF ${CMAKE_ARGS:-}
cmake --build build-conda
cmake --install build-conda
"${PYTHON:-python3}" -m pip install ./python --no-deps --no-build-isolation -vv
