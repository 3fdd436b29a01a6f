/* SPDX-License-Identifier: Apache-2.0
 *
 * The command line; see options.h.
 */
#define _GNU_SOURCE /* program_invocation_short_name */
#include "harness/options.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { MOST_OPTIONS = 24, OWN = 256 /* keys of own options */, GROUP = 1 /* behind them */ };

/* Defaults stay in `options` until all is read, so that the order of the options is free. */
typedef struct {
    const bench_command *command;
    bench_options *options;
    int rounds;        /* 0: not given */
    const char *suite; /* NULL: not given */
} reading;

static int positive(const char *text, const char *what, const struct argp_state *state) {
    char *end;
    errno = 0;
    long value = strtol(text, &end, 10);
    if (errno != 0 || *end != '\0' || end == text || value < 1 || value > BENCH_MOST_NUMBER)
        argp_error(state, "--%s is '%s'; give a number from 1 to %d", what, text,
                   BENCH_MOST_NUMBER);
    return (int)value;
}

void bench_take_flag(const bench_option *option, const char *text, struct argp_state *state) {
    (void)text, (void)state;
    *(bool *)option->to = true;
}

void bench_take_text(const bench_option *option, const char *text, struct argp_state *state) {
    (void)state;
    *(const char **)option->to = text;
}

void bench_take_number(const bench_option *option, const char *text, struct argp_state *state) {
    int *number = option->to;
    *number = positive(text, option->name, state);
    if (option->most > 0 && *number > option->most)
        argp_error(state, "--%s is at most %d", option->name, option->most);
}

int bench_take_next(const bench_option *option, const struct argp_state *state) {
    if (*option->count == option->most)
        argp_error(state, "--%s at most %d times", option->name, option->most);
    return (*option->count)++;
}

void bench_take_numbers(const bench_option *option, const char *text, struct argp_state *state) {
    ((int *)option->to)[bench_take_next(option, state)] = positive(text, option->name, state);
}

/* Ends the program when it is none of the names. */
static void add_only(const reading *r, const char *name, const struct argp_state *state) {
    char names[512] = "";
    bool known = r->command->names == NULL;
    for (int k = 0; r->command->names != NULL && r->command->names[k] != NULL; k++) {
        const size_t used = strlen(names);
        snprintf(names + used, sizeof names - used, "%s%s", k > 0 ? ", " : "",
                 r->command->names[k]);
        known = known || strcmp(name, r->command->names[k]) == 0;
    }
    if (!known) argp_error(state, "nothing is called '%s'; there are %s", name, names);
    if (r->options->only_count == BENCH_MOST_ONLY)
        argp_error(state, "--only at most %d times", BENCH_MOST_ONLY);
    r->options->only[r->options->only_count++] = name;
}

bool bench_is_chosen(const bench_options *options, const char *name) {
    for (int k = 0; k < options->only_count; k++) {
        const size_t length = strlen(options->only[k]);
        if (strncmp(name, options->only[k], length) == 0 && strchr(" ,", name[length]) != NULL)
            return true;
    }
    return options->only_count == 0;
}

static int key_of(const bench_option *own, int k) {
    return own[k].letter != 0 ? own[k].letter : OWN + k;
}

static error_t parse(int key, char *argument, struct argp_state *state) {
    reading *r = state->input;
    bench_options *o = r->options;
    const bench_option *own = r->command->own;
    for (int k = 0; own != NULL && own[k].name != NULL; k++)
        if (key == key_of(own, k)) return own[k].take(&own[k], argument, state), 0;
    switch (key) {
    case 'r':
        r->rounds = positive(argument, "repeats", state);
        return 0;
    case 't':
        o->threads = positive(argument, "threads", state);
        return 0;
    case 's':
        r->suite = argument;
        return 0;
    case 'd':
        o->data = argument;
        return 0;
    case 'o':
        add_only(r, argument, state);
        return 0;
    case 'j':
        o->json = true;
        return 0;
    case ARGP_KEY_ARG:
        if ((r->command->takes & BENCH_INPUTS) == 0) return ARGP_ERR_UNKNOWN;
        if (o->input_count == BENCH_MOST_INPUTS)
            argp_error(state, "at most %d inputs", BENCH_MOST_INPUTS);
        o->inputs[o->input_count++] = argument;
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

void bench_parse(int argc, char **argv, const bench_command *command, bench_options *options) {
    const bench_option *own = command->own;
    const bool inputs = (command->takes & BENCH_INPUTS) != 0;
    char repeats[64], lines[160];
    struct argp_option table[MOST_OPTIONS + 1] = {{0}};
    int count = 0;
    for (; own != NULL && own[count].name != NULL; count++)
        table[count] =
            (struct argp_option){own[count].name,     key_of(own, count),
                                 own[count].argument, own[count].help == NULL ? OPTION_HIDDEN : 0,
                                 own[count].help,     0};
    snprintf(repeats, sizeof repeats, "rounds; the median counts, 1 only tries (default %d)",
             options->rounds);
    table[count++] = (struct argp_option){"repeats", 'r', "N", 0, repeats, GROUP};
    if (command->takes & BENCH_THREADS)
        table[count++] = (struct argp_option){
            "threads", 't', "N", 0, "threads of all sides (default: all processors)", GROUP};
    if (command->takes & BENCH_ONLY)
        table[count++] = (struct argp_option){
            "only", 'o', "NAME", 0, "this one alone; may be given several times", GROUP};
    if (command->takes & BENCH_JSON)
        table[count++] =
            (struct argp_option){"json", 'j', NULL, 0, "print JSON instead of a table", GROUP};
    if (command->lines != NULL) {
        snprintf(lines, sizeof lines, "lines of %s%s", command->lines,
                 inputs ? " to run when no input is named" : "");
        table[count++] = (struct argp_option){"suite", 's', "FILE", 0, lines, GROUP};
    }
    if (command->takes & BENCH_DATA)
        table[count++] = (struct argp_option){
            "data", 'd', "DIR", 0, "folder of the suite's files (those that start with ?)", GROUP};

    const struct argp argp = {.options = table,
                              .parser = parse,
                              .args_doc = inputs ? "[INPUT...]" : "",
                              .doc = command->about};
    reading r = {.command = command, .options = options};
    argp_parse(&argp, argc, argv, 0, NULL, &r);
    if (r.rounds > 0) options->rounds = r.rounds;
    if (r.suite != NULL) options->suite = r.suite;
    if (options->threads == 0) options->threads = (int)sysconf(_SC_NPROCESSORS_ONLN);
    if (command->lines != NULL && options->input_count == 0 && access(options->suite, R_OK) != 0) {
        fprintf(stderr, "%s: cannot open the suite %s: %s\n", argv[0], options->suite,
                strerror(errno));
        exit(argp_err_exit_status);
    }
}
