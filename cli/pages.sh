#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# pages.sh PROGRAM FOLDER: writes NAME.1 (a man page), NAME.bash and _NAME (completions of bash and
# zsh) of the program, gblite or gblite-dist, into FOLDER, from the tables of options that PROGRAM
# prints (cli/table.c), and for gblite gblite-mcl.1 from what gblite-mcl beside it prints.
set -eu
program=$1 folder=$2
name=$(basename "$program")
here=$(cd "$(dirname "$0")" && pwd)
mkdir -p "$folder"
tables=$(mktemp)
trap 'rm -f "$tables"' EXIT
"$program" --option-table >"$tables"
commands=$(awk -F '\t' '$1 == "command" && $2 != "help" {print $2}' "$tables")
for command in $commands; do
    "$program" "$command" --option-table >>"$tables"
done
awk -v program="$name" -f "$here/page_man.awk" "$tables" >"$folder/$name.1"
awk -v program="$name" -f "$here/page_bash.awk" "$tables" >"$folder/$name.bash"
awk -v program="$name" -f "$here/page_zsh.awk" "$tables" >"$folder/_$name"
[ "$name" = gblite ] || exit 0
version=$(awk -F '\t' '$1 == "version" {print $2}' "$tables")
"$program-mcl" -h | awk -v version="$version" -f "$here/page_mcl.awk" >"$folder/gblite-mcl.1"
