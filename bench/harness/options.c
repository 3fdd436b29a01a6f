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

enum { MOST_OPTIONS = 24, OWN = 256 /* keys of options without a letter */ };

typedef struct {
    const bench_command *command;
    bench_options *options;
    bench_option list[MOST_OPTIONS]; /* own ones, then those that several programs have */
    int own, count;
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

void bench_check_name(const char *what, const char *name, const char *const *names,
                      const struct argp_state *state) {
    char text[512] = "";
    for (int k = 0; names[k] != NULL; k++) {
        const size_t used = strlen(text);
        if (strcmp(name, names[k]) == 0) return;
        snprintf(text + used, sizeof text - used, "%s%s", k > 0 ? ", " : "", names[k]);
    }
    argp_error(state, "%s '%s'; there are %s", what, name, text);
}

static void take_only(const bench_option *option, const char *name, struct argp_state *state) {
    const reading *r = state->input;
    if (r->command->names != NULL)
        bench_check_name("nothing is called", name, r->command->names, state);
    r->options->only[bench_take_next(option, state)] = name;
}

bool bench_is_chosen(const bench_options *options, const char *name) {
    for (int k = 0; k < options->only_count; k++) {
        const size_t length = strlen(options->only[k]);
        if (strncmp(name, options->only[k], length) == 0 && strchr(" ,", name[length]) != NULL)
            return true;
    }
    return options->only_count == 0;
}

static int key_of(const reading *r, int k) {
    return r->list[k].letter != 0 ? r->list[k].letter : OWN + k;
}

static error_t parse(int key, char *argument, struct argp_state *state) {
    const reading *r = state->input;
    bench_options *o = r->options;
    for (int k = 0; k < r->count; k++)
        if (key == key_of(r, k)) return r->list[k].take(&r->list[k], argument, state), 0;
    if (key != ARGP_KEY_ARG || (r->command->takes & BENCH_INPUTS) == 0) return ARGP_ERR_UNKNOWN;
    if (o->input_count == BENCH_MOST_INPUTS)
        argp_error(state, "at most %d inputs", BENCH_MOST_INPUTS);
    o->inputs[o->input_count++] = argument;
    return 0;
}

/* Runs argp with the options of the list. */
static void read_all(int argc, char **argv, reading *r) {
    struct argp_option table[MOST_OPTIONS + 1] = {{0}};
    for (int k = 0; k < r->count; k++) {
        const bench_option *o = &r->list[k];
        table[k] = (struct argp_option){
            o->name, key_of(r, k),      o->argument, o->help == NULL ? OPTION_HIDDEN : 0,
            o->help, k < r->own ? 0 : 1 /* the group, behind the own ones */};
    }
    const struct argp argp = {.options = table,
                              .parser = parse,
                              .args_doc = r->command->takes & BENCH_INPUTS ? "[INPUT...]" : "",
                              .doc = r->command->about};
    argp_parse(&argp, argc, argv, 0, NULL, r);
}

/* Defaults stay in `options` until all is read, so that the order of the options is free. */
void bench_parse(int argc, char **argv, const bench_command *command, bench_options *options) {
    const bool has_suite = command->lines != NULL;
    const unsigned takes = command->takes;
    int rounds = 0;
    const char *suite = NULL;
    char repeats[64], lines[160];
    const struct {
        bool is_there;
        bench_option option;
    } shared[] = {{true, {"repeats", 'r', "N", repeats, bench_take_number, &rounds, 0, NULL}},
                  {takes & BENCH_THREADS,
                   {"threads", 't', "N", "threads of all sides (default: all processors)",
                    bench_take_number, &options->threads, 0, NULL}},
                  {takes & BENCH_ONLY,
                   {"only", 'o', "NAME", "this one alone; may be given several times", take_only,
                    NULL, BENCH_MOST_ONLY, &options->only_count}},
                  {takes & BENCH_JSON,
                   {"json", 'j', NULL, "print JSON instead of a table", bench_take_flag,
                    &options->json, 0, NULL}},
                  {has_suite, {"suite", 's', "FILE", lines, bench_take_text, &suite, 0, NULL}},
                  {takes & BENCH_DATA,
                   {"data", 'd', "DIR", "folder of the suite's files (those that start with ?)",
                    bench_take_text, &options->data, 0, NULL}}};
    reading r = {.command = command, .options = options};
    snprintf(repeats, sizeof repeats, "rounds; the median counts, 1 only tries (default %d)",
             options->rounds);
    snprintf(lines, sizeof lines, "lines of %s%s", has_suite ? command->lines : "",
             takes & BENCH_INPUTS ? " to run when no input is named" : "");
    for (const bench_option *own = command->own; own != NULL && own->name != NULL; own++)
        r.list[r.own++] = *own;
    r.count = r.own;
    for (size_t k = 0; k < sizeof shared / sizeof *shared; k++)
        if (shared[k].is_there) r.list[r.count++] = shared[k].option;
    read_all(argc, argv, &r);
    if (rounds > 0) options->rounds = rounds;
    if (suite != NULL) options->suite = suite;
    if (options->threads == 0) options->threads = (int)sysconf(_SC_NPROCESSORS_ONLN);
    if (has_suite && options->input_count == 0 && access(options->suite, R_OK) != 0) {
        fprintf(stderr, "%s: cannot open the suite %s: %s\n", argv[0], options->suite,
                strerror(errno));
        exit(argp_err_exit_status);
    }
}
