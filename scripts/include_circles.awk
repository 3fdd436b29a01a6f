# SPDX-License-Identifier: Apache-2.0
#
# awk [-v folders=1] -f include_circles.awk FILE...: prints the circles of
# quoted includes among the files, and the includes that close each. A module is a path without its
# extension: X.c and X.h are one module, a template X.tmpl.h is a module of its own. With folders=1
# a module is a folder; a folder inside it is another one. Module X depends on Y when a file of X
# includes a header of Y; a strongly connected component of more than one module
# is a circle. Components are found by Tarjan's algorithm. The output has one line per circle, and
# indented lines that explain it.
BEGIN {
    nroots = split("src/ include/ bench/ test/", roots, " ")
    for (a = 1; a < ARGC; a++) known[ARGV[a]] = 1
}

function module_of(file) {
    if (folders) sub(/\/[^\/]*$/, "", file)
    else sub(/\.[^.\/]*$/, "", file)
    return file
}

# "a/b/../c" is "a/c".
function normal(path) {
    while (match(path, /[^\/]+\/\.\.\//))
        path = substr(path, 1, RSTART - 1) substr(path, RSTART + RLENGTH)
    return path
}

# The file that is included, of those given; "" for any other.
function resolve(from, header,    folder, r) {
    folder = from
    sub(/[^\/]*$/, "", folder)
    if (normal(folder header) in known) return normal(folder header)
    for (r = 1; r <= nroots; r++)
        if (normal(roots[r] header) in known) return normal(roots[r] header)
    return ""
}

/^[ \t]*#[ \t]*include[ \t]*"/ {
    split($0, quoted, "\"")
    target = resolve(FILENAME, quoted[2])
    if (target == "") next
    x = module_of(FILENAME)
    y = module_of(target)
    if (x == y) next
    edges++
    from[edges] = x
    to[edges] = y
    said[edges] = FILENAME ":" FNR " includes \"" quoted[2] "\""
    following[edges] = first[x]
    first[x] = edges
}

function visit(x,    e, y) {
    order[x] = low[x] = ++visited
    stack[++depth] = x
    waiting[x] = 1
    for (e = first[x]; e; e = following[e]) {
        y = to[e]
        if (!(y in order)) {
            visit(y)
            if (low[y] < low[x]) low[x] = low[y]
        } else if (waiting[y] && order[y] < low[x]) {
            low[x] = order[y]
        }
    }
    if (low[x] == order[x]) report(x)
}

# Takes the component whose root is x from the stack.
function report(x,    names, count, member, e) {
    do {
        member = stack[depth--]
        waiting[member] = 0
        component[member] = x
        names = names (count++ ? ", " : "") member
    } while (member != x)
    if (count == 1) return
    print "a circle of " (folders ? "folders: " : "includes: ") names
    for (e = 1; e <= edges; e++)
        if (component[from[e]] == x && component[to[e]] == x) print "    " said[e]
}

END {
    for (e = 1; e <= edges; e++)
        if (!(from[e] in order)) visit(from[e])
}
