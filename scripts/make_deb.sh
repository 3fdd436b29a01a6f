#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# make_deb.sh [FOLDER]: builds the Debian packages of this tree, checks them with lintian, whose
# errors are failures, and compiles and runs the program of README.md against what they hold,
# unpacked. The packages go to FOLDER (build-deb). Tests of the library run too, unless
# DEB_BUILD_OPTIONS has nocheck; those of debian/tests want the packages installed (autopkgtest).
set -euo pipefail
cd "$(dirname "$0")/.."
folder=${1:-build-deb}
scripts/setup.sh pack
scripts/setup.sh dist
if [[ ${DEB_BUILD_OPTIONS:-} = *nocheck* ]]; then
    export DEB_BUILD_PROFILES=nocheck # what tests need may be missing
else
    scripts/setup.sh test
fi
mkdir -p "$folder"
folder=$(cd "$folder" && pwd)
rm -rf "$folder"/gblite "$folder"/root "$folder"/*.{deb,changes,buildinfo}
mkdir "$folder/gblite" "$folder/root"

# What git has or would add, as it is now; without git, as in an archive of the sources, all of it.
{ git ls-files -z --cached --others --exclude-standard 2>/dev/null ||
    find . -path './build*' -prune -o -type f -print0; } |
    tar -c --null -T - | tar -x -C "$folder/gblite"
cd "$folder/gblite"
dpkg-buildpackage -us -uc -b
cd ..
lintian --fail-on error --info ./*.changes

for package in libgblite*_*.deb gblite_*.deb gblite-dist_*.deb python3-gblite_*.deb; do
    dpkg-deb -x "$package" root
done
lib=$(dirname "$(find "$folder/root/usr/lib" -name libgblite.so)")
export LD_LIBRARY_PATH=$lib
export PKG_CONFIG_PATH=$lib/pkgconfig
mkdir root/tmp
export AUTOPKGTEST_TMP=$folder/root/tmp
(cd gblite && debian/tests/readme-program)
if /usr/bin/python3 -c 'import scipy' 2>/dev/null; then
    PATH=/usr/bin:/bin PYTHONPATH=$folder/root/usr/lib/python3/dist-packages \
        gblite/debian/tests/python
fi
root/usr/bin/gblite tc gblite/examples/data/karate.mtx
root/usr/bin/gblite-dist --option-table >/dev/null
ls -l ./*.deb
