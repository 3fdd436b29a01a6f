#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# make_release.sh FOLDER [URL]: what a release page holds, in FOLDER: the sources of the current commit,
# the packages that make_deb.sh and make_wheel.sh have made (build-deb, build-wheel), the recipes of
# packaging/ with version, URL (where the files will be) and checksum, and SHA256SUMS.
set -euo pipefail
cd "$(dirname "$0")/.."
if [ $# -lt 1 ] || [ $# -gt 2 ]; then
    echo "usage: make_release.sh FOLDER [URL]" >&2
    exit 64
fi
folder=$1 url=${2:-file://$(realpath -m "$1")}
version=$(awk '/define GBLITE_VERSION_(MAJOR|MINOR|PATCH)/ {v = v dot $3; dot = "."} END {print v}' include/gblite.h)
rm -rf "$folder"
mkdir -p "$folder"/recipes/{conda,homebrew}
name=gblite-$version
git archive --prefix="$name/" HEAD | gzip -n -9 >"$folder/$name.tar.gz"
sum=$(sha256sum "$folder/$name.tar.gz" | cut -d ' ' -f 1)
for recipe in conda/meta.yaml conda/build.sh homebrew/gblite.rb; do
    sed "s|@VERSION@|$version|g; s|@URL@|$url|g; s|@SHA256@|$sum|g" "packaging/$recipe" \
        >"$folder/recipes/$recipe"
done
shopt -s nullglob
packages=(build-deb/*.deb build-wheel/*.whl)
[ ${#packages[@]} -eq 0 ] || cp "${packages[@]}" "$folder"
(cd "$folder" && sha256sum -- *.tar.gz *.deb *.whl >SHA256SUMS && sha256sum --quiet -c SHA256SUMS)
echo "release $version: $(wc -l <"$folder/SHA256SUMS") files in $folder"
