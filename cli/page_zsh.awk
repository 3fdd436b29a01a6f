# SPDX-License-Identifier: Apache-2.0
#
# The lines of cli/table.c as a completion for zsh.
BEGIN { FS = "\t" }

# Text between brackets of a specification of _arguments, and in single quotes.
function inside(text) {
    gsub(/\\/, "\\\\", text)
    gsub(/\[/, "\\[", text)
    gsub(/\]/, "\\]", text)
    gsub(/:/, "\\:", text)
    gsub(/'/, "'\\''", text)
    return text
}

# What the last option takes is known when its values have been read.
function end_of_option() {
    if (option == "") return
    if (values != "") option = option "(" values ")"
    specs[command] = specs[command] " \\\n            " option "'"
    option = values = ""
}

$1 == "value" {
    values = values (values == "" ? "" : " ") $3
    next
}

{ end_of_option() }
$1 == "command" {
    list = list "\n        '" $2 ":" inside($3) "'"
    if ($2 != "help") order[++commands] = $2
}
$1 == "use" { command = $2 }
$1 == "option" || $1 == "reading" || $1 == "common" {
    letter = $2 == "?" ? "\\?" : $2
    name = "--" $3 ($4 == "" ? "" : "=")
    if ($2 == "") option = "'" name
    else option = "'(-" $2 " --" $3 ")'{-" letter ($4 == "" ? "" : "+") "," name "}'"
    option = option "[" inside($5) "]"
    if ($4 == "FILE" || $4 == "M") option = option ":file:_files"
    else if ($4 != "") option = option ":" inside($4) ":"
}

END {
    end_of_option()
    print "#compdef " program
    print "# Completion of " program " for zsh; made by cli/pages.sh of its option table."
    print "local -a commands"
    print "local context state state_descr line"
    print "typeset -A opt_args"
    print "commands=(" list "\n)"
    print "_arguments -C '1:command:->command' '*::argument:->rest'"
    print "case $state in"
    print "command) _describe command commands ;;"
    print "rest)"
    print "    case $words[1] in"
    print "    help) _describe command commands ;;"
    for (k = 1; k <= commands; k++)
        print "    " order[k] ")\n        _arguments -s" specs[order[k]] \
            " \\\n            '*:matrix:_files'\n        ;;"
    print "    esac"
    print "    ;;"
    print "esac"
}
