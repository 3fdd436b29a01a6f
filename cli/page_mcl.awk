# SPDX-License-Identifier: Apache-2.0
#
# The help of gblite-mcl (cli/mcl_program.c) as a man page: a line of usage, then what it says.
function plain(text) {
    gsub(/\\/, "\\e", text)
    gsub(/-/, "\\-", text)
    gsub(/`/, "\\(oq", text)
    gsub(/'/, "\\(cq", text)
    return text ~ /^[.]/ ? "\\&" text : text
}

NR == 1 {
    sub(/^usage: /, "")
    print ".\\\" Made by cli/pages.sh of the program's help."
    print ".TH GBLITE\\-MCL 1 \"\" \"gblite " version "\" \"User Commands\""
    print ".SH NAME\ngblite\\-mcl \\- Markov clustering with the options of the program mcl"
    print ".SH SYNOPSIS\n" plain($0) "\n.SH DESCRIPTION\n.nf"
    next
}

{ print plain($0) }

END {
    print ".fi\n.SH EXIT STATUS\n0 when all went well, 1 when something failed, 2 when an option is not"
    print "known or its value is wrong."
    print ".SH EXAMPLES\n.nf"
    print plain("gblite-mcl pairs.abc --abc -I 1.4 -o clusters.txt")
    print plain("gblite convert pairs.abc -o pairs.mci --write-tab pairs.tab")
    print plain("gblite-mcl pairs.mci -I 1.4 -use-tab pairs.tab")
    print ".fi\n.SH SEE ALSO\n.BR gblite (1),\n.BR mcl (1)"
}
