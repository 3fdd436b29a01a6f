/* SPDX-License-Identifier: Apache-2.0
 *
 * What --help prints, as lines for cli/pages.awk, which makes the man page and the completions of
 * shells of them: there is one table of options.
 *
 * `gblite --option-table` prints the commands, `gblite COMMAND --option-table` one of them; as the
 * only argument and in full, so that no abbreviation of an option means it. A line is a word and
 * what it says, with tabs between:
 *   version NUMBER                          of the program
 *   program TEXT                            what it is
 *   command NAME SUMMARY                    each command
 *   note TEXT                               a line that --help ends with
 *   use COMMAND ARGUMENTS                   starts a command
 *   about TEXT                              what it does
 *   option LETTER NAME ARGUMENT TEXT        LETTER and ARGUMENT are empty where there is none
 *   reading LETTER NAME ARGUMENT TEXT       the same, an option of all commands that read matrices
 *   common LETTER NAME ARGUMENT TEXT        the same, an option that all commands have
 *   value NAME VALUE                        one thing that the argument of an option can be
 *   more TEXT                               a line that the command's --help ends with
 */
#include <string.h>

#include "cli.h"

/* Those of argp itself. */
static const struct argp_option automatic[] = {
    {"help", '?', NULL, 0, "Give this help list", 1},
    {"usage", 0, NULL, 0, "Give a short usage message", 1},
    {"version", 'V', NULL, 0, "Print program version", 1},
    {0},
};

bool cli_wants_table(int argc, char **argv) {
    return argc == 2 && !strcmp(argv[1], "--option-table");
}

void cli_print_lines(const char *word, const char *text) {
    while (*text) {
        const size_t length = strcspn(text, "\n");
        printf("%s\t%.*s\n", word, (int)length, text);
        text += length + (text[length] == '\n');
    }
}

/* Options of a group of their own are those that all commands have. */
static void print_options(const struct argp_option *options) {
    for (const struct argp_option *o = options; o->name; o++) {
        const char *const word = o->group == 0                         ? "option"
                                 : options == cli_reading_argp.options ? "reading"
                                                                       : "common";
        const char letter[] = {o->key > ' ' && o->key <= '~' ? (char)o->key : '\0', '\0'};
        printf("%s\t%s\t%s\t%s\t%s\n", word, letter, o->name, o->arg ? o->arg : "", o->doc);
        if (o->arg) cli_print_values(o->name);
    }
}

void cli_print_table(const char *name, const cli_Usage *usage, const struct argp_option *shared) {
    const char *space = strrchr(name, ' ');
    const size_t length = strcspn(usage->about, "\v");
    printf("use\t%s\t%s\n", space ? space + 1 : name, usage->args ? usage->args : "");
    printf("about\t%.*s\n", (int)length, usage->about);
    if (usage->options) print_options(usage->options);
    if (usage->reads) print_options(cli_reading_argp.options);
    print_options(shared);
    print_options(automatic);
    if (usage->about[length]) cli_print_lines("more", usage->about + length + 1);
}
