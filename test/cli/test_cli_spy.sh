#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
#
# Pictures: test_cli_spy.sh PROGRAM DATA. Without --output on the terminal, or as half blocks where
# there is none; with one as PNG or SVG.
set -eu
export LC_ALL=C

gblite=$1
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
failures=0

check() { # check NAME COMMAND...
    local name=$1
    shift
    if "$@"; then echo "ok    $name"; else
        echo "FAIL  $name"
        failures=$((failures + 1))
    fi
}

cat >"$dir/m.mtx" <<'END'
%%MatrixMarket matrix coordinate pattern general
4 4 4
1 1
2 2
3 4
4 4
END
LC_ALL=C.UTF-8 "$gblite" spy "$dir/m.mtx" >"$dir/out"
printf '\342\226\200\342\226\204  \n   \342\226\210\n' >"$dir/want"
check "half blocks" cmp -n 14 "$dir/out" "$dir/want"
"$gblite" spy "$dir/m.mtx" >"$dir/out"
check "ASCII in the locale C" test "$(head -n 2 "$dir/out")" = "'.  
   :"
LC_ALL='' LC_CTYPE=en_US.ISO-8859-1 LANG=C.UTF-8 "$gblite" spy "$dir/m.mtx" >"$dir/out"
check "LC_CTYPE before LANG" test "$(head -c 2 "$dir/out")" = "'."
env -u LC_ALL -u LC_CTYPE -u LANG "$gblite" spy "$dir/m.mtx" >"$dir/out"
check "half blocks where no locale is set" cmp -n 14 "$dir/out" "$dir/want"
check "a report after the picture" grep -q '^most_per_pixel *1$' "$dir/out"

"$gblite" spy rmat:10:4 >"$dir/out"
check "lines that fit" test "$(grep -c "^[ '.:]*$" "$dir/out")" -le 36
check "and lines there are" test "$(grep -c "^[ '.:]*$" "$dir/out")" -ge 8

"$gblite" spy "$dir/m.mtx" -o "$dir/m.svg" --size 4 >/dev/null
check "SVG" grep -qF 'd="M0 0h1v1h-1zM1 1h1v1h-1zM3 2h1v1h-1zM3 3h1v1h-1z"' "$dir/m.svg"
"$gblite" spy "$dir/m.mtx" -o "$dir/m.PNG" >/dev/null
check "PNG" grep -q '^.PNG' "$dir/m.PNG"
check "other names are refused" \
    bash -c '! "$1" spy "$2" -o "$3" 2>"$3.err" && grep -q "give .png or .svg" "$3.err"' - \
    "$gblite" "$dir/m.mtx" "$dir/m.jpg"

# script(1) makes a terminal that answers nothing.
if command -v script >/dev/null; then
    TERM=xterm-kitty script -qec "'$gblite' spy $dir/m.mtx" /dev/null </dev/null >"$dir/out"
    check "kitty's protocol" grep -q 'Gf=100,a=T,m=0;iVBORw0KGgo' "$dir/out"
    LC_ALL=C.UTF-8 TERM=xterm COLORTERM=truecolor script -qec "'$gblite' spy $dir/m.mtx" /dev/null </dev/null >"$dir/out"
    check "true colours" grep -q '38;2;14;18;56m' "$dir/out"
    LC_ALL=C.UTF-8 TERM=xterm COLORTERM= script -qec "'$gblite' spy $dir/m.mtx" /dev/null </dev/null >"$dir/out"
    check "256 colours" grep -q '38;5;17m' "$dir/out"
    TERM=dumb script -qec "'$gblite' spy $dir/m.mtx" /dev/null </dev/null >"$dir/out"
    check "a dumb terminal is asked nothing" bash -c '! grep -q "$(printf "\033")" "$1"' - "$dir/out"
    LC_ALL=C.UTF-8 TERM=xterm NO_COLOR=1 script -qec "'$gblite' spy $dir/m.mtx" /dev/null </dev/null >"$dir/out"
    check "no colours" bash -c '! grep -q "38;" "$1"' - "$dir/out"
    printf '\033[?62;4;22c' >"$dir/answer"
    (sleep 0.3; cat "$dir/answer"; sleep 1) |
        TERM=xterm script -qec "sleep 0.2; '$gblite' spy $dir/m.mtx" /dev/null >"$dir/out"
    check "sixel" grep -q "$(printf '\033Pq"1;1;')" "$dir/out"
fi

echo "$failures checks failed"
test "$failures" = 0
