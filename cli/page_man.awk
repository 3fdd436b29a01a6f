# SPDX-License-Identifier: Apache-2.0
#
# The lines of cli/table.c as a man page. Options that all commands have are described once, after
# the commands.
BEGIN { FS = "\t" }

# Text as roff shows it, character by character.
function plain(text) {
    gsub(/\\/, "\\e", text)
    gsub(/-/, "\\-", text)
    gsub(/\^/, "\\(ha", text)
    gsub(/~/, "\\(ti", text)
    while (match(text, /`[^`']*'/)) # a pair of quotes
        text = substr(text, 1, RSTART - 1) "\\(oq" substr(text, RSTART + 1, RLENGTH - 2) "\\(cq" \
            substr(text, RSTART + RLENGTH)
    gsub(/'/, "\\(aq", text)
    return text ~ /^[.]/ ? "\\&" text : text
}

# An argument's name, or several of them as on a command line: A [B].
function names(text) {
    text = plain(text)
    gsub(/[A-Z]+/, "\\fI&\\fR", text)
    return text
}

function paragraph(letter, name, argument, text, head) {
    head = "\\fB\\-\\-" plain(name) "\\fR"
    if (letter != "") head = "\\fB\\-" plain(letter) "\\fR, " head
    if (argument != "") head = head "=" names(argument)
    return ".TP\n" head "\n" plain(text)
}

function example(text, command) { print ".TP\n" plain(text) ":\n.nf\n" plain(command) "\n.fi" }

function variable(name, text) { print ".TP\n\\fB" name "\\fR\n" plain(text) "." }

# What follows the last line of a kind: values of an option, its full stop, the end of a list.
function end_of_lines() {
    if (values != "") body = body ". One of " values
    if (in_option) body = body ".\n"
    if (in_text) body = body ".fi\n"
    values = ""
    in_option = in_text = 0
}

$1 == "value" {
    values = values (values == "" ? "" : ", ") plain($3)
    next
}
$1 == "more" && in_text && $2 ~ /^ / {
    body = body plain($2) "\n"
    next
}

{ end_of_lines() }
$1 == "version" { version = $2 }
$1 == "program" { purpose = $2 }
$1 == "command" { summary[$2] = $3 }
$1 == "note" { notes = notes plain($2) "\n" }
$1 == "use" {
    body = body ".SS " plain(program) " " $2 " [\\fIOPTION\\fR...] " names($3) "\n"
}
$1 == "about" { body = body plain($2) "\n" }
$1 == "option" {
    body = body paragraph($2, $3, $4, $5)
    in_option = 1
}
$1 == "common" && !($3 in common) {
    common[$3] = paragraph($2, $3, $4, $5) ".\n"
    last_section = last_section common[$3]
}
$1 == "reading" && !($3 in common) {
    common[$3] = paragraph($2, $3, $4, $5) ".\n"
    reading_section = reading_section common[$3]
}
$1 == "more" && $2 ~ /^ / { # lists of the help text stay as they are
    body = body ".PP\n.nf\n" plain($2) "\n"
    in_text = 1
}
$1 == "more" && $2 !~ /^ / { body = body ".PP\n" plain($2) "\n" }

END {
    end_of_lines()
    distributed = program ~ /dist/
    print ".\\\" Made by cli/pages.sh of the program's option table."
    print ".TH " plain(toupper(program)) " 1 \"\" \"gblite " version "\" \"User Commands\""
    print ".SH NAME\n" plain(program) " \\- sparse linear algebra and graph algorithms" \
        (distributed ? " on many processes" : "")
    print ".SH SYNOPSIS\n" (distributed ? ".B mpirun \\-n\n.I PROCESSES\n" : "") ".B " plain(program) "\n.I COMMAND\n[\\fIARGUMENT\\fR...]"
    print ".SH DESCRIPTION\n" plain(purpose) "\n.PP\n.nf\n" notes ".fi"
    printf ".SH COMMANDS\n%s", body
    if ("help" in summary) print ".SS gblite help [\\fICOMMAND\\fR]\n" plain(summary["help"]) "."
    if (reading_section != "") printf ".SH OPTIONS OF COMMANDS THAT READ MATRICES\n%s", reading_section
    printf ".SH OPTIONS OF EVERY COMMAND\n%s", last_section
    print ".SH ENVIRONMENT\nThese hold for every program that uses the library."
    variable("GBLITE_METHOD", "The method of products that do not ask for one, as for --method")
    variable("GBLITE_MEMORY_LIMIT", "Bytes that a product may take beside its result, e.g. 64M")
    variable("GBLITE_TRACE", "1 prints a line for each product to standard error; 2 its explanation; json an object")
    variable("GBLITE_CONFIG", "The file of the calibration, or off for none")
    variable("GBLITE_ISA", "The instruction set of the kernels, if it is not to be the best one")
    variable("GBLITE_PLACE", "Where products run: cpu, gpu or auto")
    variable("GBLITE_THREADS", "Threads where --threads does not say how many")
    variable("OMP_NUM_THREADS", "The same, where GBLITE_THREADS is not set")
    print ".SH EXIT STATUS\n0 when all went well; 1 when something failed, which a line on standard"
    print "error tells that starts with \\(lqgblite:\\(rq; 2 when the command line was wrong" \
        ("pagerank" in summary ? "; 3 when pagerank did not converge." : ".")
    print ".SH FILES"
    variable("~/.config/gblite/machine", "What gblite calibrate measured; below $XDG_CONFIG_HOME where that is set")
    variable("~/.config/gblite/machine.devices", "The same of GPUs")
}

END {
    if (distributed) {
        print ".SH EXAMPLES"
        example("Triangles of a graph of 2^20 vertices by nine processes", "mpirun -n 9 gblite-dist tc rmats:20:16")
        example("Clusters of a graph in a file", "mpirun -n 4 gblite-dist mcl graph.mtx --inflation 1.4 -o clusters.txt")
        print ".SH SEE ALSO\n.BR gblite (1),\n.BR mpirun (1)"
        exit
    }
    print ".SH EXAMPLES"
    example("A product, and why its method was chosen", "gblite mxm A.mtx B.mtx --explain -o C.mtx")
    example("Triangles of a random graph of 2^16 vertices", "gblite tc rmats:16:16")
    example("Distances from a vertex that a list of edges names", "gblite bfs links.csv --source Paris -o -")
    example("Clusters of a file of mcl's", "gblite mcl proteins.abc --abc --inflation 1.4 -o clusters.txt")
    example("A picture of the entries on the terminal, and in a file", "gblite spy A.mtx\ngblite spy A.mtx -o A.png")
    example("A matrix in the form that is mapped, not read", "gblite convert A.mtx -o A.gbl")
    print ".SH SEE ALSO"
    print ".BR gblite\\-mcl (1),\n.BR mcl (1)"
    print ".PP\nThe pages of gblite: tutorial, algorithms, files and generators, choice of methods."
}
