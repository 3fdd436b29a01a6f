#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# pages.sh PROGRAM FOLDER: writes gblite.1 and gblite-mcl.1 (man pages), gblite.bash and _gblite
# (completions of bash and zsh) into FOLDER, from the tables of options that PROGRAM prints (cli/table.c).
set -eu
program=$1 folder=$2
here=$(cd "$(dirname "$0")" && pwd)
mkdir -p "$folder"
tables=$(mktemp)
trap 'rm -f "$tables"' EXIT
"$program" --option-table >"$tables"
commands=$(awk -F '\t' '$1 == "command" && $2 != "help" {print $2}' "$tables")
for command in $commands; do
    "$program" "$command" --option-table >>"$tables"
done
awk -f "$here/page_man.awk" "$tables" >"$folder/gblite.1"
echo '.so man1/gblite.1' >"$folder/gblite-mcl.1"
awk -f "$here/page_bash.awk" "$tables" >"$folder/gblite.bash"
awk -f "$here/page_zsh.awk" "$tables" >"$folder/_gblite"
