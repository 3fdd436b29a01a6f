# SPDX-License-Identifier: Apache-2.0
#
# The lines of cli/table.c as a completion for bash: commands, their options, and what the argument
# of an option can be; where that is a file, and for everything else, names of files.
BEGIN { FS = "\t" }

function add(command, word) { words[command] = words[command] " " word }

$1 == "command" {
    add("", $2)
    if ($2 != "help") order[++commands] = $2
}
$1 == "use" { command = $2 }
$1 == "option" || $1 == "reading" || $1 == "common" {
    add(command, "--" $3)
    if ($2 != "") add(command, "-" $2)
    at = command " --" $3 ($2 == "" ? "" : "|" command " -" $2)
    if ($4 != "" && $4 != "FILE" && $4 != "M") { # a number, or one of the values that follow
        argument[++arguments] = at
        last[command, $3] = arguments
    }
}
$1 == "value" { values[last[command, $2]] = values[last[command, $2]] " " $3 }

END {
    print "# Completion of " program " for bash; made by cli/pages.sh of its option table."
    function_name = "_" program
    gsub(/-/, "_", function_name)
    print function_name "() {"
    print "    local current=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD - 1]}"
    print "    local command=${COMP_WORDS[1]} words=''"
    print "    COMPREPLY=()"
    print "    # bash has `=' as a word of its own"
    print "    if [ \"$current\" = '=' ]; then"
    print "        current=''"
    print "    elif [ \"$before\" = '=' ]; then"
    print "        before=${COMP_WORDS[COMP_CWORD - 2]}"
    print "    fi"
    print "    if [ \"$COMP_CWORD\" -eq 1 ] || [ \"$command\" = help ]; then"
    printf "        words='%s'\n", substr(words[""], 2)
    print "    else"
    print "        case \"$command $before\" in"
    for (k = 1; k <= arguments; k++) {
        at = argument[k]
        gsub(/ /, "\\ ", at)
        gsub(/[?]/, "\\?", at)
        printf "        %s) words='%s' ;;\n", at, values[k] == "" ? " " : substr(values[k], 2)
    }
    print "        esac"
    print "        case \"$command,$current\" in"
    for (k = 1; k <= commands; k++)
        printf "        %s,-*) words='%s' ;;\n", order[k], substr(words[order[k]], 2)
    print "        esac"
    print "    fi"
    print "    [ -n \"$words\" ] || return 0 # names of files"
    print "    compopt +o default 2>/dev/null"
    print "    mapfile -t COMPREPLY < <(compgen -W \"$words\" -- \"$current\")"
    print "}"
    print "complete -o default -F " function_name " " program
}
