#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
#
# Man page and completions: test_cli_pages.sh PROGRAM DATA. Every option that --help of a command
# lists is in that command's part of each of the three, with what it says; the files are made anew
# from the program. bash completes with its own for real, zsh and groff read theirs where they are
# installed.
set -eu
export LC_ALL=C

gblite=$1
here=$(cd "$(dirname "$0")/../.." && pwd)
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
failures=0
checked=0

fail() {
    echo "FAIL  $*"
    failures=$((failures + 1))
}

"$here/cli/pages.sh" "$gblite" "$dir"
commands=$("$gblite" --help | sed -n '/^Commands:/,/^$/s/^  \([a-z]*\) .*/\1/p')
[ "$(wc -w <<<"$commands")" -ge 17 ] || fail "--help lists $commands"

# The part of a command: lines from its head to the next one's.
man_part() {
    sed -n "/^\.SS gblite $1 /,/^\.S[SH]/p; /^\.SH OPTIONS OF/,/^\.SH ENV/p" "$dir/gblite.1"
}
bash_part() { grep -F " $1,-*)" "$dir/gblite.bash"; }
zsh_part() { sed -n "/^    $1)/,/;;/p" "$dir/_gblite"; }

for command in $commands; do
    for page in gblite.bash _gblite gblite.1; do
        grep -qE "(^|[^a-z])$command([^a-z]|$)" "$dir/$page" || fail "no command $command in $page"
    done
    [ "$command" != help ] || continue
    man_part "$command" | sed 's/\\fB//g; s/\\fI//g; s/\\fR//g; s/\\-/-/g' >"$dir/man"
    bash_part "$command" | tr "' " '\n\n' >"$dir/bash"
    zsh_part "$command" >"$dir/zsh"
    # "  -s, --semiring=NAME  text", "      --tau=T  text"
    "$gblite" "$command" --help |
        sed -nE 's/^ +(-(.), +)?--([a-z0-9-]+)(=([^ ]+))?  .*/\2 \3 \5/p' >"$dir/options"
    [ "$(wc -l <"$dir/options")" -ge 5 ] || fail "$command --help lists few options"
    while IFS=' ' read -r letter name argument; do
        # read takes the name for the letter where there is none
        if [ ${#letter} -gt 1 ]; then argument=$name name=$letter letter=; fi
        checked=$((checked + 1))
        head="--$name${argument:+=$argument}"
        [ -z "$letter" ] || head="-$letter, $head"
        grep -qxF -e "$head" "$dir/man" || fail "no line $head for $command in the man page"
        grep -qxF -e "--$name" "$dir/bash" || fail "no --$name for $command in bash"
        [ -z "$letter" ] || grep -qxF -e "-$letter" "$dir/bash" || fail "no -$letter in bash"
        grep -qE -e "--$name(=|\[|\})" "$dir/zsh" || fail "no --$name for $command in zsh"
    done <"$dir/options"
done
[ "$checked" -ge 120 ] || fail "only $checked options found"

# complete WORD...: what bash offers for the last word.
complete() {
    bash --norc -c 'source "$1"; shift
        COMP_WORDS=(gblite "$@") COMP_CWORD=$#
        _gblite
        echo "${COMPREPLY[*]}"' - "$dir/gblite.bash" "$@"
}
offers() {
    local wanted=$1 got
    shift
    got=$(complete "$@")
    [ "$got" = "$wanted" ] || fail "bash offers '$got' for '$*', not '$wanted'"
}
offers "mxm mcl" m
offers "info" help inf
offers "--method" mxm --met
offers "rowwise" mxm --method row
offers "symbolic" mxm -w sym
offers "symbolic" mxm --workflow = sym
offers "auto bound estimate symbolic as-they-are grouped" mxm --workflow =
offers "" mxm --mask x
offers "" mxm --tau 1
offers "" mcl --method row
offers "--undirected --usage" tc --u

# Values of an option are those that its error message lists.
for option in semiring method workflow variant; do
    "$gblite" mxm --$option nonsense er:4:2 2>"$dir/err" && fail "--$option nonsense is taken"
    known=$(sed -nE '1s/.*: ([a-z_0-9/, -]+)$/\1/p' "$dir/err" | tr -d ,)
    [ -n "$known" ] || fail "no values in: $(head -n 1 "$dir/err")"
    offers "$known" mxm --$option ""
    grep -qF "One of $(sed 's/ /, /g; s/-/\\-/g' <<<"$known")." "$dir/gblite.1" ||
        fail "values of --$option are not in the man page"
done

# Variables that the man page names are read by the library.
for name in $(grep -oE '\\fB(GBLITE|OMP)_[A-Z_]+' "$dir/gblite.1" | cut -c4-); do
    grep -rqF "\"$name\"" "$here/src" || fail "nobody reads $name, which the man page names"
done

# As the program prints it, no abbreviation.
"$gblite" mxm --option-tabl >"$dir/out" 2>&1 && fail "an abbreviation prints the table"
"$gblite" mxm er:4:2 --option-table >"$dir/out" 2>&1 && fail "more arguments print the table"

# The page of gblite-mcl has every line of its help; both have the usual sections.
sed 's/\\-/-/g; s/\\(oq/`/; s/\\(cq/'"'/g" "$dir/gblite-mcl.1" >"$dir/man"
while IFS= read -r line; do
    grep -qxF -e "${line#usage: }" "$dir/man" || fail "not in gblite-mcl.1: $line"
done < <("$gblite-mcl" -h)
for section in NAME SYNOPSIS DESCRIPTION "EXIT STATUS" EXAMPLES "SEE ALSO"; do
    for page in gblite gblite-mcl; do
        grep -qxF ".SH $section" "$dir/$page.1" || fail "no $section in $page.1"
    done
done
for section in ENVIRONMENT FILES; do
    grep -qxF ".SH $section" "$dir/gblite.1" || fail "no $section in gblite.1"
done

if command -v groff >/dev/null; then
    for page in gblite gblite-mcl; do
        groff -man -Tutf8 -ww -z "$dir/$page.1" 2>"$dir/err" || fail "groff fails at $page.1"
        [ ! -s "$dir/err" ] || fail "groff: $(head -n 3 "$dir/err")"
    done
fi
if command -v zsh >/dev/null; then
    zsh -n "$dir/_gblite" || fail "zsh cannot read its completion"
fi

echo "$checked options, $failures failures"
[ "$failures" -eq 0 ]
