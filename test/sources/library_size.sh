#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# library_size.sh LIBRARY MOST: fails when the shared library, stripped of local names as packages
# install it, has more bytes than that. Templates are instantiated per semiring and instruction set,
# so a helper that is inlined too often shows here first.
set -euo pipefail
library=$1
most=$2
stripped=$(mktemp)
trap 'rm -f "$stripped"' EXIT
strip --strip-unneeded -o "$stripped" "$library"
bytes=$(stat -c %s "$stripped")
if [ "$bytes" -gt "$most" ]; then
    echo "$library has $bytes bytes, more than $most" >&2
    echo "what is large: nm -S --size-sort on the objects of src/cpu" >&2
    exit 1
fi
echo "$bytes bytes of at most $most"
