# SPDX-License-Identifier: Apache-2.0
#
# names.awk: predefined objects and forwarding functions of libgraphblas, from names.table.
#
#   awk -v want=names   -f names.awk names.table                      the objects' names
#   awk -v want=values  -f names.awk names.table                      C: constants
#   awk -v want=objects -f names.awk names.table PRE                  C: objects and where they point
#   awk -v want=calls   -f names.awk names.table PRE FILES...         C: functions that forward
#
# PRE is gblite.h after the preprocessor; FILES are the headers of include/graphblas, which pair
# names, and the sources of this folder, whose functions COMPAT(...) have arenas too. What gblite
# has is set when the library is loaded; GrB_init makes what it lacks, semirings of their monoid and
# multiplication, operators of NAME_function (algebra.c).

BEGIN {
    split("B BOOL;I INT8 INT16 INT32 INT64;U UINT8 UINT16 UINT32 UINT64;F FP32 FP64;C FC32 FC64;P INT32 INT64", sets, ";")
    for (s in sets) types[substr(sets[s], 1, 1)] = substr(sets[s], 3)
    ctype["type"] = "Type"; ctype["unary"] = "UnaryOp"; ctype["binary"] = "BinaryOp"
    ctype["index"] = "IndexUnaryOp"; ctype["monoid"] = "Monoid"; ctype["ring"] = "Semiring"
    ctype["desc"] = "Descriptor"
    header = "/* Made by names.awk; do not edit. */\n#include \"compat.h\"\n"
}

FNR == 1 { file++ }
/^#/ && file == 1 || NF == 0 { next }

# -- names.table

function join_name(name, type) { return type == "" ? name : name "_" type }

function add_object(kind, name, core, parts) {
    objects[++count] = name; kind_of[name] = kind; core_of[name] = core; parts_of[name] = parts
}

function add_plain(kind, prefix, name, type,    symbol, core) {
    symbol = prefix "_" (name == "=" ? type : join_name(name, type))
    core = name == "PAIR" ? "ONEB" : name
    if (name == "=") core = type
    else if (type == "BOOL" && core ~ /^(LOR|LAND|LXOR|LXNOR|LNOT)$/) type = type # GBL_LOR has none
    else core = join_name(core, type)
    core = "GBL_" core
    if (type == "BOOL" && name ~ /^(LOR|LAND|LXOR|LXNOR|LNOT)$/) core = "GBL_" name
    add_object(kind, symbol, core, "")
    if (kind == "binary" && !((name, type) in multiply)) multiply[name, type] = symbol
    if (kind == "binary" && type == "" && name ~ /^(LOR|LAND|LXOR|LXNOR)$/) multiply[name, "BOOL"] = symbol
}

function add_monoid(prefix, name, type,    symbol) {
    symbol = prefix == "GrB" ? "GrB_" name "_MONOID_" type : "GxB_" name "_" type "_MONOID"
    add_object("monoid", symbol, "GBL_" (name == "EQ" ? "LXNOR" : name) "_MONOID_" type, "")
    if (!((name, type) in monoid)) monoid[name, type] = symbol
}

function add_ring(prefix, add, times, type,    symbol, sum) {
    sum = times ~ /^(EQ|NE|GT|LT|GE|LE)$/ ? "BOOL" : type
    symbol = prefix == "GrB" ? "GrB_" add "_" times "_SEMIRING_" type : "GxB_" add "_" times "_" type
    add_object("ring", symbol, "GBL_" (add == "EQ" ? "LXNOR" : add) "_" times "_SEMIRING_" type,
               monoid[add, sum] " " multiply[times, type])
}

function each_type(letters, list,    k, text, part, n, i) {
    delete list
    n = 0
    for (k = 1; k <= length(letters); k++) {
        text = types[substr(letters, k, 1)]
        m = split(text, part, " ")
        for (i = 1; i <= m; i++) list[++n] = part[i]
    }
    if (n == 0) list[++n] = ""
    return n
}

file == 1 && $1 == "value" { for (k = 3; k <= NF; k++) values = values "    " $k " = " $2 + k - 3 ",\n"; next }
file == 1 && $1 ~ /^(text|number|kept|pointer)$/ { at = index($0, $2) + length($2); rows[$1] = rows[$1] " {" $2 "," substr($0, at) "}," ; next }
file == 1 && $1 == "arena" { for (k = 3; k <= NF; k++) arenas[++arena_count] = $2 " " $k; next }
file == 1 && $1 == "pack" { packs[++pack_count] = $0; next }
file == 1 && $1 == "vectors" { for (k = 2; k <= NF; k++) by_vectors[++vectors_count] = $k; next }
file == 1 && $1 == "made" { for (k = 2; k <= NF; k++) made[$k] = 1; next }
file == 1 && $1 == "absent" { for (k = 2; k <= NF; k++) absent[$k] = 1; next }
file == 1 && $1 == "own" { for (k = 2; k <= NF; k++) own[pattern($k)] = 1; next }
file == 1 && $1 == "forward" { extra[pattern($2)] = $2 " " $3; next }
file == 1 && $1 == "ring" {
    n = each_type($3, list)
    for (star = 4; $star != "*"; star++) continue
    for (a = 4; a < star; a++)
        for (b = star + 1; b <= NF; b++)
            for (k = 1; k <= n; k++) add_ring($2, $a, $b, list[k])
    next
}
file == 1 {
    n = each_type($3, list)
    for (a = 4; a <= NF; a++)
        for (k = 1; k <= n; k++)
            if ($1 == "monoid") add_monoid($2, $a, list[k])
            else add_plain($1, $2, $a, list[k])
    next
}

# -- gblite.h after the preprocessor: text up to each semicolon

function pattern(text) { gsub(/\*/, ".*", text); return "^" text "$" }

file == 2 { text = text " " $0; while ((at = index(text, ";")) > 0) { statement(substr(text, 1, at - 1)); text = substr(text, at + 1) } next }

function statement(s,    n, part, k) {
    gsub(/[ \t]+/, " ", s)
    if (match(s, /extern gbl_[A-Za-z]+ const /)) {
        n = split(substr(s, RSTART + RLENGTH), part, ",")
        for (k = 1; k <= n; k++) { gsub(/ /, "", part[k]); has[part[k]] = 1 }
    } else if (match(s, /gbl_Info gbl_[A-Za-z0-9_]+\(/)) {
        s = substr(s, RSTART + 9)
        n = index(s, "(")
        prototype[substr(s, 1, n - 1)] = substr(s, n + 1, length(s) - n - 1)
        order[++prototypes] = substr(s, 1, n - 1)
    }
}

# -- COMPAT(NAME, PARAMETERS) { of a source

/^COMPAT\(/ && FILENAME ~ /\.c$/ { reading = 1; text = "" }
reading { text = text " " $0 }
reading && /{$/ {
    reading = 0
    gsub(/^ *COMPAT\(|\) *{$/, "", text); gsub(/[ \t]+/, " ", text)
    at = index(text, ", ")
    prototype[substr(text, 1, at - 1)] = substr(text, at + 2)
}

# -- include/graphblas: #define GrB_X gbl_X

file > 2 && $1 == "#define" && NF == 3 && $3 ~ /^gbl_/ { public_name[$3] = $2 }

# -- output

function print_objects(    k, name, kind, part) {
    print header
    for (k = 1; k <= count; k++) {
        name = objects[k]; kind = kind_of[name]
        if (kind == "select") {
            print "static struct compat_SelectOp op_" name " = {\"" name "\", SELECT_" substr(name, 5) "};"
            print "GxB_SelectOp " name " = &op_" name ";"
            continue
        }
        print "gbl_" ctype[kind] " " name ";"
        if (!(core_of[name] in has) && name in made)
            print "extern const compat_Function " name "_function;"
    }
    print "\nconst compat_Object compat_objects[] = {"
    for (k = 1; k <= count; k++) {
        name = objects[k]; kind = kind_of[name]
        if (kind == "select") continue
        printf "    {\"%s\", (void **)&%s, ", name, name
        if (core_of[name] in has) print "(void *const *)&" core_of[name] ", NULL, NULL, NULL},"
        else if (kind == "ring") {
            split(parts_of[name], part, " ")
            print "NULL, (void **)&" part[1] ", (void **)&" part[2] ", NULL},"
        } else if (name in made) print "NULL, NULL, NULL, &" name "_function},"
        else print "NULL, NULL, NULL, NULL}, /* gblite has none */"
    }
    print "};\nconst size_t compat_object_count = sizeof compat_objects / sizeof *compat_objects;"
}

# The types of a function's parameters; their names go to `named` where they have one.
function parameters(target, part, named,    n, k) {
    n = split(prototype[target], part, ",")
    for (k = 1; k <= n; k++) {
        sub(/^ /, "", part[k]); sub(/ $/, "", part[k])
        named[k] = part[k]
        if (part[k] !~ /^(const )?[a-zA-Z_0-9]+ ?\**$/) sub(/[A-Za-z_0-9]+$/, "", part[k])
        named[k] = substr(named[k], length(part[k]) + 1)
    }
    return n
}

function define(name, out) { print "gbl_Info " name "(" out ");\ngbl_Info " name "(" out ") {" }

# A function with the arenas of the header, the data or both (h, d, hd) before its descriptor.
function print_arena(which, name, target,    n, part, named, k, out, use, own, plain) {
    n = parameters(target, part, named)
    own = which == "h" ? "int h" : which == "d" ? "int d" : "int h, int d"
    for (k = 1; k <= n; k++) {
        if (k == n && part[k] ~ /^gbl_Descriptor ?$/) { out = out ", " own; own = "" }
        gsub(/GxB_[A-Za-z]+/, "void *", part[k]) # of other sources
        plain = plain (k > 1 ? ", " : "") part[k]
        out = out (k > 1 ? ", " : "") part[k] " a" k
        use = use (k > 1 ? ", " : "") "a" k
    }
    if (own != "") out = out ", " own
    if (target !~ /^gbl_/) print "gbl_Info " target "(" plain ");"
    define(name, out)
    print "    const gbl_Info info = compat_no_arena(" (which ~ /h/ ? "h" : "0") ", " (which ~ /d/ ? "d" : "0") ");"
    print "    return info == GBL_SUCCESS ? " target "(" use ") : info;\n}"
}

function print_arenas(    a, pair, target, name) {
    for (a = 1; a <= arena_count; a++) {
        split(arenas[a], pair, " ")
        for (target in prototype)
            if (target ~ pattern(pair[2])) {
                name = target
                sub(/^gbl_/, "GxB_", name)
                if (name ~ /^GxB_Monoid_new_terminal_/) sub(/new_terminal_/, "terminal_new_arena_", name)
                else if (name ~ /^GxB_Monoid_/) sub(/new_/, "new_arena_", name)
                else name = name "_arena"
                print_arena(pair[1], name, target)
            }
    }
}

# A function whose lists of indices are vectors: the values or the indices of their entries.
function print_vectors(base,    target, n, part, named, k, out, use, made, got, freed) {
    target = base
    sub(/^G[rx]B_/, "gbl_", target)
    n = parameters(target, part, named)
    for (k = 1; k <= n; k++)
        if (part[k] ~ /const gbl_Index \*/) {
            out = out ", gbl_Vector a" k
            use = use ", l" k ".list, l" k ".n"
            made = made "    compat_List l" k " = {0};\n"
            got = got "    if (info == GBL_SUCCESS) info = compat_vector_list(&l" k ", a" k ", a" n ", GxB_" (named[k] == "J" ? "COL" : "ROW") "INDEX_LIST);\n"
            freed = freed "    gbl_Memory_free(l" k ".own);\n"
            k++
        } else { out = out ", " part[k] " a" k; use = use ", a" k }
    define("GxB" substr(base, 4) "_Vector", substr(out, 3))
    print made "    gbl_Info info = GBL_SUCCESS;\n" got "    if (info == GBL_SUCCESS) info = " base "(" substr(use, 3) ");\n" freed "    return info;\n}"
}

function print_call(name, target,    n, part, named, k, out, use) {
    n = parameters(target, part, named)
    for (k = 1; k <= n && part[k] != "void"; k++) {
        out = out (k > 1 ? ", " : "") part[k] " a" k
        use = use (k > 1 ? ", " : "") "a" k
    }
    if (out == "") out = "void"
    if (name ~ /_(assign|subassign|extract)(_|$)/) {
        print "static gbl_Info lists_" name "(" out ") {"
        print_lists(target, part, n, use)
        print "}"
        target = "lists_" name
    }
    define(name, out)
    if (name ~ /_Matrix_extractTuples_/) print_by_column(target)
    if (name ~ /^GrB_Matrix_import_/) print_import(target, use)
    else if (out ~ /gbl_(Matrix|Vector)  ?a/) print_kinds(target, part, n, use)
    else print "    return " target "(" use ");"
    print "}"
    done[name] = 1
}

# A vector may be cast to a matrix of one column, and back: SuiteSparse has one struct for both. A
# call that finds another kind of object is made again on copies; the output is copied back.
function print_kinds(target, part, n, use,    k, kinds, made, freed, what) {
    for (k = 1; k <= n; k++)
        if (part[k] ~ /^gbl_(Matrix|Vector) ?$/) {
            what = part[k] ~ /Matrix/ ? "matrix" : "vector"
            kinds = kinds ", k" k " = {0}"
            made = made "    if (compat_is_other(a" k ", \"" substr(what, 1, 1) "\"[0])) a" k " = compat_" what "_copy(&k" k ", a" k ");\n"
            freed = "    info = compat_copy_back(&k" k ", info, " (k == 1 ? "true" : "false") ");\n" freed
        }
    print "    gbl_Info info = " target "(" use ");\n    if (info != GBL_UNINITIALIZED_OBJECT) return info;"
    print "    compat_Copy " substr(kinds, 3) ";\n" made "    info = " target "(" use ");\n" freed "    return info;"
}

# Arrays that are too short are an invalid value, indices out of range an invalid object; triples are
# built, where they are out of bounds.
function print_import(target, use) {
    print "    const gbl_Info info = " target "(" use ");"
    print "    if (info != GBL_INDEX_OUT_OF_BOUNDS || a11 == GBL_COO_FORMAT) return info;"
    print "    return a8 > 0 && a5[a8 - 1] > a9 ? GBL_INVALID_VALUE : GBL_INVALID_OBJECT;"
}

# A matrix that is held by column gives its entries in that order, which programs rely on.
function print_by_column(target) {
    print "    gbl_Matrix t = NULL;"
    print "    if (compat_by_column(a5) && compat_transpose(&t, a5) == GBL_SUCCESS) {"
    print "        const gbl_Info tuples = " target "(a2, a1, a3, a4, t);"
    print "        gbl_Matrix_free(&t);\n        return tuples;\n    }"
}

# A value for the entries that C has, C<C,struct> = x: C keeps it once, as there.
function print_own_entries(target, n,    type, kind) {
    kind = target ~ /Matrix/ ? "Matrix" : "Vector"
    type = substr(target, length("gbl_Matrix_assign_") + 1)
    if (type !~ /^(BOOL|U?INT(8|16|32|64)|F[PC](32|64))$/) return
    print "    if (a2 == a1 && a3 == NULL && a5 == GBL_ALL" (kind == "Matrix" ? " && a7 == GBL_ALL" : "") " && compat_is_structural(a" n ") &&"
    print "        gbl_" kind "_apply_BinaryOp2nd_" type "(a1, NULL, NULL, GBL_SECOND_" type ", a1, a4, NULL) == GBL_SUCCESS)"
    print "        return GBL_SUCCESS;"
}

# Lists of indices may be SuiteSparse's ranges, which their length tells.
function print_lists(target, part, n, use,    k, test, made, freed) {
    for (k = 1; k < n; k++)
        if (part[k] ~ /const gbl_Index \*/) {
            test = test (test == "" ? "" : " && ") "a" k + 1 " < GxB_BACKWARDS"
            made = made "    compat_List l" k " = {0};\n"
            freed = freed "    gbl_Memory_free(l" k ".own);\n"
            list_calls = list_calls "    if (info == GBL_SUCCESS) info = compat_list(&l" k ", a" k ", a" k + 1 ");\n"
            sub("a" k ", a" k + 1, "l" k ".list, l" k ".n", use)
        }
    if (target ~ /^gbl_(Matrix|Vector)_assign_/) print_own_entries(target, n)
    if (test != "") {
        plain = ""
        for (k = 1; k <= n; k++) plain = plain (k > 1 ? ", " : "") "a" k
        print "    if (" test ") return " target "(" plain ");"
        print made "    gbl_Info info = GBL_SUCCESS;\n" list_calls "    if (info == GBL_SUCCESS) info = " target "(" use ");\n" freed "    return info;"
        list_calls = ""
    } else print "    return " target "(" use ");"
}

# The four functions of a format.
function print_pack(line,    f, n, k, c, kind, low, both, out, in_, given, use, set, init, missing, shape, dims, old, unused) {
    n = split(line, f, " ")
    kind = f[2]; low = tolower(kind); both = kind == "Matrix" ? "A, NULL" : "NULL, A"
    for (k = 1; k <= length(f[6]); k++) {
        c = substr(f[6], k, 1)
        out = out ", " (c == "x" ? "void" : c == "b" ? "int8_t" : "gbl_Index") " **" c
        use = use ", " c
        set = set "    if (" c " != NULL) *" c " = a." c ";\n    if (" c "size != NULL) *" c "size = a." c "size;\n"
        init = init ", ." c " = *" c ", ." c "size = " c "size"
        missing = missing (k > 1 ? " || " : "") c " == NULL"
        old = old "*" c " = "
        given = given ", gbl_Index *" c "size"
        in_ = in_ ", gbl_Index " c "size"
        shape = shape ", " c "size"
    }
    given = given ", bool *iso"; in_ = in_ ", bool iso"; shape = shape ", iso"
    set = set "    if (iso != NULL) *iso = a.iso;\n"
    for (k = 7; k <= n; k++) {
        c = f[k] == "jumbled" ? "bool" : "gbl_Index"
        given = given ", " c " *" f[k]; in_ = in_ ", " c " " f[k]; shape = shape ", " f[k]
        set = set "    if (" f[k] " != NULL) *" f[k] " = " (f[k] == "jumbled" ? "false" : "a." f[k]) ";\n"
        if (f[k] == "jumbled") unused = "    (void)jumbled;\n"
        else init = init ", ." f[k] " = " f[k]
    }
    given = given ", gbl_Descriptor desc"; in_ = in_ ", gbl_Descriptor desc"; shape = shape ", desc"
    define("GxB_" kind "_unpack_" f[3], "gbl_" kind " A" out given)
    print "    compat_Packed a = {.form = " f[4] ", .by_col = " f[5] "};\n    (void)desc;\n    COMPAT_TRY(compat_unpack(&a, " both ", iso != NULL));"
    if (f[6] !~ /p/) print "    gbl_Memory_free(a.p);"
    print set "    return GBL_SUCCESS;\n}"
    define("GxB_" kind "_pack_" f[3], "gbl_" kind " A" out in_)
    print unused "    (void)desc;\n    if (" missing ") return GBL_NULL_POINTER;"
    print "    compat_Packed a = {.form = " f[4] ", .by_col = " f[5] ", .iso = iso" init "};"
    print "    COMPAT_TRY(compat_pack(" both ", &a));\n    " old "NULL;\n    return GBL_SUCCESS;\n}"
    dims = kind == "Matrix" ? "gbl_Index *nrows, gbl_Index *ncols" : "gbl_Index *nrows"
    define("GxB_" kind "_export_" f[3], "gbl_" kind " *A, gbl_Type *type, " dims out given)
    print "    COMPAT_TRY(compat_" low "_shape(A, type, nrows" (kind == "Matrix" ? ", ncols" : "") "));"
    print "    COMPAT_TRY(GxB_" kind "_unpack_" f[3] "(*A" use shape "));\n    return GrB_" kind "_free(A);\n}"
    gsub(/\*/, "", dims)
    define("GxB_" kind "_import_" f[3], "gbl_" kind " *A, gbl_Type type, " dims out in_)
    print "    COMPAT_TRY(gbl_" kind "_new(A, type, nrows" (kind == "Matrix" ? ", ncols" : "") "));"
    print "    const gbl_Info info = GxB_" kind "_pack_" f[3] "(*A" use shape ");"
    print "    if (info != GBL_SUCCESS) GrB_" kind "_free(A);\n    return info;\n}"
}

function print_calls(    k, name, target, e, skip, pair, own_name) {
    print header
    for (k = 1; k <= prototypes; k++) {
        target = order[k]
        if (target in public_name) {
            name = public_name[target]
            skip = 0
            for (own_name in own) if (name ~ own_name) skip = 1
            if (!skip && name ~ /^G[rx]B_/) print_call(name, target)
        }
        for (e in extra) {
            split(extra[e], pair, " ")
            name = target; sub(/^gbl_/, "GxB_", name)
            if (pair[1] !~ /\*/) { if (pair[2] == target && !(pair[1] in done)) print_call(pair[1], target) }
            else if (name ~ e && !(name in done)) print_call(name, target)
        }
    }
}

# What is not there answers so; SuiteSparse's programs load all the same.
function print_absent(    name) {
    for (name in absent)
        if (!(name in done))
            print "gbl_Info " name "(void);\ngbl_Info " name "(void) {\n    return gbl_fail(GBL_NOT_IMPLEMENTED, NULL, \"" name " is not implemented\");\n}"
}

END {
    if (want == "names") for (k = 1; k <= count; k++) print objects[k]
    for (k = 1; k <= count; k++) if (kind_of[objects[k]] == "select") selects = selects " SELECT_" substr(objects[k], 5) ","
    if (want == "values")
        printf "/* Made by names.awk; do not edit. */\nenum {\n%s};\n#define COMPAT_TEXTS%s\n#define COMPAT_NUMBERS%s\n#define COMPAT_KEPT%s\n#define COMPAT_POINTERS%s\ntypedef enum {%s } compat_Select;\n", values, rows["text"], rows["number"], rows["kept"], rows["pointer"], selects
    if (want == "objects") print_objects()
    if (want == "calls") {
        print_calls(); print_absent(); print_arenas()
        for (k = 1; k <= vectors_count; k++) print_vectors(by_vectors[k])
        print "#include \"packed.h\"\ngbl_Info GrB_Matrix_free(gbl_Matrix *);\ngbl_Info GrB_Vector_free(gbl_Vector *);"
        for (k = 1; k <= pack_count; k++) print_pack(packs[k])
    }
}
