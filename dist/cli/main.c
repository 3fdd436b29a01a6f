/* SPDX-License-Identifier: Apache-2.0
 *
 * The program gblite-dist: picks the subcommand, which all processes run.
 */
#include <mpi.h>
#include <stdlib.h>
#include <string.h>

#include "dist_cli.h"

static const struct {
    const char *name, *summary;
    int (*run)(int argc, char **argv);
} commands[] = {
    {"info", "facts about a matrix", dc_info},
    {"mxm", "multiply two matrices over a semiring", dc_mxm},
    {"tc", "count triangles", dc_tc},
    {"bfs", "breadth-first search", dc_bfs},
    {"mcl", "Markov clustering", dc_mcl},
};
enum { COMMANDS = sizeof commands / sizeof *commands };

#define ABOUT "Sparse linear algebra over 1, 4, 9, 16, ... processes."

static void print_help(FILE *to) {
    fprintf(to, "Usage: mpirun -n PROCESSES gblite-dist COMMAND [ARGUMENT...]\n" ABOUT
                "\n\nCommands:\n");
    for (int k = 0; k < COMMANDS; k++)
        fprintf(to, "  %-9s %s\n", commands[k].name, commands[k].summary);
    fprintf(to, "\n`gblite-dist COMMAND --help' lists the options of a command.\n");
}

/* cli/table.c says what the lines are. */
static int print_commands(void) {
    printf("version\t%d.%d.%d\nprogram\t" ABOUT "\n", GBLITE_VERSION_MAJOR, GBLITE_VERSION_MINOR,
           GBLITE_VERSION_PATCH);
    for (int k = 0; k < COMMANDS; k++)
        printf("command\t%s\t%s\n", commands[k].name, commands[k].summary);
    printf("note\tRun it by mpirun -n PROCESSES. Matrix Market files are read; generators are "
           "those of gblite(1).\n");
    return fflush(stdout) ? CLI_FAILED : CLI_OK;
}

static void finish(void) {
    MPI_Finalize();
}

/* Whatever all processes print, process 0 does. */
static void be_silent(void) {
    int rank;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank > 0 && (!freopen("/dev/null", "w", stdout) || !freopen("/dev/null", "w", stderr)))
        MPI_Abort(MPI_COMM_WORLD, CLI_FAILED);
}

static void begin(int *argc, char ***argv) {
    int level;
    MPI_Init_thread(argc, argv, MPI_THREAD_FUNNELED, &level);
    atexit(finish);
    be_silent();
}

int main(int argc, char **argv) {
    char name[64];
    argp_err_exit_status = CLI_BAD_USAGE;
    if (cli_wants_table(argc, argv)) return print_commands();
    /* tables of options are printed where the program is built, perhaps without MPI's daemons */
    if (argc < 2 || !cli_wants_table(argc - 1, argv + 1)) begin(&argc, &argv);
    if (argc < 2 || !strcmp(argv[1], "--help") || !strcmp(argv[1], "help")) {
        print_help(argc < 2 ? stderr : stdout);
        return argc < 2 ? CLI_BAD_USAGE : CLI_OK;
    }
    for (int k = 0; k < COMMANDS; k++) {
        if (strcmp(argv[1], commands[k].name) != 0) continue;
        snprintf(name, sizeof name, "gblite-dist %s", commands[k].name);
        argv[1] = name; /* argp prints it in front of its messages */
        return commands[k].run(argc - 1, argv + 1);
    }
    fprintf(stderr, "gblite-dist: unknown command '%s'; `gblite-dist help' lists them\n", argv[1]);
    return CLI_BAD_USAGE;
}
