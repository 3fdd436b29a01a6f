# SPDX-License-Identifier: Apache-2.0
#
# awk -f api_page.awk -v header=FILE FILE -: the functions of one header as Markdown, one a line.
# First reads the header itself: ruled comments are sections, and "name: sentence." in a comment is
# the meaning of the functions of that name. Then its preprocessed text on stdin, where line markers
# (# 12 "file") tell which declarations are the header's own and in what section they stand.
# In names K stands for Matrix or Vector, O for a kind of object, T for a type. A function without a
# meaning and a meaning without a function are errors.

function pattern_of(name) {
    gsub(/_K_/, "_(Matrix|Vector)_", name)
    sub(/^gbl_O_/, "gbl_" OBJECT "_", name)
    sub(/_O$/, "_" OBJECT, name)
    sub(/_T$/, "_" TYPE, name)
    return "^" name "$"
}

function fail(message) {
    print header ": " message >"/dev/stderr"
    failed = 1
}

# One line of a comment. A sentence may go on for several lines; it ends with a full stop.
function read_comment(text) {
    sub(/^ *\/?\*+ ?/, "", text)
    sub(/ *\*\/ *$/, "", text)
    if (match(text, /^gbl_[A-Za-z0-9_]+: /)) {
        documented = substr(text, 1, RLENGTH - 2)
        text = substr(text, RLENGTH + 1)
        sentence = ""
    }
    if (documented == "") return
    sentence = sentence (sentence == "" ? "" : " ") text
    if (!match(sentence, /\.( |$)/)) return
    pattern[++patterns] = pattern_of(documented)
    meaning[patterns] = substr(sentence, 1, RSTART)
    documented = ""
}

function start_section(line,   k, now) {
    for (k = 1; k <= sections && section_line[k] < line; k++) now = k
    if (now == shown && begun) return
    print now ? "\n**" section[now] "**\n" : ""
    shown = now
    begun = 1
}

function declare(text, line,   name, k) {
    gsub(/[ \t]+/, " ", text)
    gsub(/_Bool/, "bool", text)
    sub(/^ /, "", text)
    if (text ~ /^typedef/ || !match(text, /gbl_[A-Za-z0-9_]+\(/)) return
    name = substr(text, RSTART, RLENGTH - 1)
    for (k = 1; k <= patterns && name !~ pattern[k];) k++
    if (k > patterns) fail("no comment says what " name " does")
    used[k] = 1
    add(text, name, meaning[k], line)
}

# Functions that differ in the type of a value alone are one entry, of the name that ends in _T.
function add(text, name, says, line,   type, one) {
    one = text
    type = name
    sub(/.*_/, "", type)
    if (type in C_TYPE && name ~ "_" TYPE "$") {
        sub("_" type "\\(", "_T(", one)
        if (type == "UDT") {
            gsub(/const void \* /, "T ", one)
            gsub(/void \*/, "T *", one)
        }
        gsub(/\( /, "(", one)
        gsub("\\(" C_TYPE[type] " ", "(T ", one)
        gsub(", " C_TYPE[type] " ", ", T ", one)
        gsub("const " C_TYPE[type] " ", "const T ", one)
    }
    if (one == text) one = text " " line # alone
    if (one in entry) {
        types[entry[one]] = types[entry[one]] " " type
        return
    }
    entry[one] = ++entries
    folded[entries] = one
    alone[entries] = text
    types[entries] = type
    said[entries] = says
    at[entries] = line
}

function print_entries(   k, listed) {
    for (k = 1; k <= entries; k++) {
        start_section(at[k])
        listed = types[k]
        sub("^" NUMBERS, "numbers", listed)
        gsub(/ /, ", ", listed)
        if (types[k] ~ / /) print "- `" folded[k] "`, T: " listed ": " said[k]
        else print "- `" alone[k] "`: " said[k]
    }
}

BEGIN {
    OBJECT = "(Type|UnaryOp|BinaryOp|IndexUnaryOp|Monoid|Semiring|Descriptor|Scalar|Vector|Matrix|Global)"
    TYPE = "(BOOL|U?INT(8|16|32|64)|F[PC](32|64)|UDT|Scalar)"
    NUMBERS = "BOOL INT8 INT16 INT32 INT64 UINT8 UINT16 UINT32 UINT64 FP32 FP64"
    split("BOOL bool INT8 int8_t INT16 int16_t INT32 int32_t INT64 int64_t UINT8 uint8_t UINT16 uint16_t " \
          "UINT32 uint32_t UINT64 uint64_t FP32 float FP64 double UDT void Scalar gbl_Scalar " \
          "FC32 gbl_FC32 FC64 gbl_FC64", pairs, " ")
    for (k = 1; k in pairs; k += 2) C_TYPE[pairs[k]] = pairs[k + 1]
    title = header
    sub(/.*\//, "", title)
    print "\n## " title
}

FILENAME == header {
    if (/^\/\* -+ .* -- \*\/$/) {
        title = $0
        gsub(/^\/\* -+ | -- \*\/$/, "", title)
        section[++sections] = title
        section_line[sections] = FNR
        next
    }
    if (/^\/\*/) in_comment = 1
    if (in_comment) read_comment($0)
    if (/\*\//) in_comment = 0
    next
}

/^# [0-9]+ "/ {
    line = $2 - 1
    own = $3 == "\"" header "\""
    next
}

# Declarations end with a ; outside braces.
{
    line++
    rest = own ? $0 : ""
    while (match(rest, /[;{}]/)) {
        mark = substr(rest, RSTART, 1)
        text = text " " substr(rest, 1, RSTART - 1)
        rest = substr(rest, RSTART + 1)
        if (mark == "{") depth++
        if (mark == "}") depth--
        if (depth == 0 && mark == ";") {
            declare(text, line)
            text = ""
        }
    }
    if (own) text = text " " rest
}

END {
    print_entries()
    for (k = 1; k <= patterns; k++)
        if (!used[k]) fail("a comment tells of " pattern[k] ", which is no function")
    exit failed
}
