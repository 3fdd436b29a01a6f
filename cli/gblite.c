/* SPDX-License-Identifier: Apache-2.0
 *
 * The program gblite: picks the subcommand and hands it the rest of the command line.
 */
#include <stdlib.h>
#include <string.h>

#include "cli.h"

typedef struct {
    const char *name, *summary;
    int (*run)(int argc, char **argv);
} Command;

static const Command commands[] = {
    {"info", "facts about a matrix", cmd_info},
    {"gen", "write a generated matrix to a file", cmd_gen},
    {"convert", "write a matrix in another form of file", cmd_convert},
    {"mxm", "multiply two matrices over a semiring", cmd_mxm},
    {"chain", "multiply many matrices in the cheapest order", cmd_chain},
    {"tc", "count triangles", cmd_tc},
    {"bfs", "breadth-first search", cmd_bfs},
    {"sssp", "shortest paths from a vertex", cmd_sssp},
    {"cc", "connected components", cmd_cc},
    {"scc", "strongly connected components", cmd_scc},
    {"pagerank", "PageRank", cmd_pagerank},
    {"bc", "betweenness centrality", cmd_bc},
    {"closeness", "closeness centrality", cmd_closeness},
    {"kcore", "core numbers", cmd_kcore},
    {"truss", "the k-truss of a graph", cmd_truss},
    {"lcc", "local clustering coefficients", cmd_lcc},
    {"jaccard", "neighbours that vertices have in common", cmd_jaccard},
    {"cosine", "angles between the rows of a matrix", cmd_cosine},
    {"louvain", "communities by modularity", cmd_louvain},
    {"cdlp", "communities by label propagation", cmd_cdlp},
    {"mcl", "Markov clustering", cmd_mcl},
    {"compare", "the distance of two clusterings", cmd_compare},
    {"spy", "picture of the entries of a matrix", cmd_spy},
    {"calibrate", "measure the machine for the planner", cmd_calibrate},
    {"help", "this text, or that of a command", NULL},
};
enum { COMMANDS = sizeof commands / sizeof *commands };

static const Command *find_command(const char *name) {
    for (int k = 0; k < COMMANDS; k++)
        if (!strcmp(commands[k].name, name)) return &commands[k];
    return NULL;
}

/* Changes of single letters that make b of a. */
static int distance(const char *a, const char *b) {
    enum { LONGEST = 15 };
    const int na = (int)strlen(a), nb = (int)strlen(b);
    int row[LONGEST + 1]; /* of the first letters of a, and of the first j of b */
    if (na > LONGEST || nb > LONGEST) return LONGEST;
    for (int j = 0; j <= nb; j++) row[j] = j;
    for (int i = 0; i < na; i++) {
        int before = row[0];
        row[0] = i + 1;
        for (int j = 0; j < nb; j++) {
            int least = before + (a[i] != b[j]);
            if (least > row[j] + 1) least = row[j] + 1;
            before = row[j + 1];
            if (least > before + 1) least = before + 1;
            row[j + 1] = least;
        }
    }
    return row[nb];
}

/* The command whose name begins with `name`, or the first of least distance to it, at most 2 and
 * less than the letters of both; NULL: none. */
static const Command *nearest_command(const char *name) {
    const Command *nearest = NULL;
    int least = 3;
    for (int k = 0; k < COMMANDS; k++) {
        const char *const of = commands[k].name;
        const int d = strlen(name) > 2 && !strncmp(of, name, strlen(name)) ? 0 : distance(name, of);
        if (d < least && d < (int)strlen(of) && d < (int)strlen(name)) {
            nearest = &commands[k];
            least = d;
        }
    }
    return nearest;
}

#define ABOUT "Sparse linear algebra and graph algorithms."
static const char notes[] =
    "A matrix is a file (.mtx, .gbl, .h5, .npz, .rb, .graph, .mci; edges .tsv,\n"
    ".csv; text also .gz, .zst, .bz2), - for stdin, or made by a generator:\n"
    "er:S:F, rmat:S:F, rmats:S:F, web:S:F (2^S vertices, F edges each), grid:M:N,\n"
    "road:M:N, planted:K:S:I:O, fem:G:D, cross:L:M:N, band:N:W, rect:M:N:F (M x N,\n"
    "F a row), tiles:N:T:F, decay:N:exp:L; `gblite help gen' explains them.\n"
    "`gblite help COMMAND' lists the options of a command.";

static char *describe(int key, const char *text, void *input) {
    (void)input;
    if (key != ARGP_KEY_HELP_POST_DOC) return (char *)text;
    size_t size = 4096;
    char *list = malloc(size);
    if (!list) return NULL;
    size_t used = (size_t)snprintf(list, size, "Commands:\n");
    for (int k = 0; k < COMMANDS; k++)
        used += (size_t)snprintf(list + used, size - used, "  %-10s %s\n", commands[k].name,
                                 commands[k].summary);
    snprintf(list + used, size - used, "\n%s", notes);
    return list;
}

typedef struct {
    const Command *command;
    int first; /* index of the command's name in argv */
} Choice;

/* Sets the command that the argument `name` asks for. "help COMMAND" is "COMMAND --help". */
static void choose(Choice *choice, const char *name, struct argp_state *state) {
    choice->first = state->next - 1;
    choice->command = find_command(name);
    if (choice->command && !choice->command->run) {
        if (state->next < state->argc) name = state->argv[state->next];
        if (!strcmp(name, "help")) argp_state_help(state, stdout, ARGP_HELP_STD_HELP);
        choice->command = find_command(name);
        state->argv[state->next] = "--help";
    }
    if (choice->command && choice->command->run) return;
    const Command *const nearest = nearest_command(name);
    if (nearest)
        argp_error(state, "unknown command '%s'; did you mean '%s'? `gblite help' lists all", name,
                   nearest->name);
    argp_error(state, "unknown command '%s'; `gblite help' lists all", name);
}

static error_t parse(int key, char *text, struct argp_state *state) {
    Choice *choice = state->input;
    switch (key) {
    case ARGP_KEY_ARG:
        choose(choice, text, state);
        state->next = state->argc;
        return 0;
    case ARGP_KEY_NO_ARGS:
        argp_error(state, "no command given; `gblite help' lists them");
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

static void print_version(FILE *stream, struct argp_state *state) {
    (void)state;
    fprintf(stream, "gblite %d.%d.%d (GraphBLAS C API %d.%d)\n", GBLITE_VERSION_MAJOR,
            GBLITE_VERSION_MINOR, GBLITE_VERSION_PATCH, GBL_VERSION, GBL_SUBVERSION);
}

/* table.c says what the lines are. */
static int print_commands(void) {
    printf("version\t%d.%d.%d\n", GBLITE_VERSION_MAJOR, GBLITE_VERSION_MINOR, GBLITE_VERSION_PATCH);
    printf("program\t" ABOUT "\n");
    for (int k = 0; k < COMMANDS; k++)
        printf("command\t%s\t%s\n", commands[k].name, commands[k].summary);
    cli_print_lines("note", notes);
    return fflush(stdout) ? CLI_FAILED : CLI_OK;
}

int main(int argc, char **argv) {
    if (argc > 0 && cli_is_mcl(argv[0])) return cli_mcl_program(argc, argv);
    if (cli_wants_table(argc, argv)) return print_commands();
    const struct argp argp = {.parser = parse,
                              .args_doc = "COMMAND [ARGUMENT...]",
                              .doc = ABOUT "\v",
                              .help_filter = describe};
    Choice choice = {0};
    char name[64];

    argp_err_exit_status = CLI_BAD_USAGE;
    argp_program_version_hook = print_version;
    argp_parse(&argp, argc, argv, ARGP_IN_ORDER, NULL, &choice);

    /* argp prints argv[0] in front of its messages */
    snprintf(name, sizeof name, "gblite %s", choice.command->name);
    argv[choice.first] = name;
    int code = choice.command->run(argc - choice.first, argv + choice.first);
    if (fflush(stdout) || ferror(stdout)) {
        if (code == CLI_OK) perror("gblite: cannot write standard output");
        code = code == CLI_OK ? CLI_FAILED : code;
    }
    return code;
}
