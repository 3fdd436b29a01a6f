/* SPDX-License-Identifier: Apache-2.0
 *
 * The command line of a command: its own options beside those that all have, and numbers with
 * messages that name the option.
 */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cli.h"

const char *const cli_operand_hint =
    "name a file (.mtx, .edges; - for stdin) or a generator (rmat:10:8)";

enum { THREADS_MAX = 1024, LAST_GROUP = 10 }; /* threads: what GBL_NTHREADS can be */

typedef struct {
    const cli_Usage *usage;
    cli_Common *common;
    void *own;
} Parsing;

static error_t parse(int key, char *text, struct argp_state *state) {
    const Parsing *p = state->input;
    switch (key) {
    case ARGP_KEY_INIT:
        if (p->usage->parse) state->child_inputs[0] = p->own;
        if (p->usage->reads) state->child_inputs[p->usage->parse != NULL] = &p->common->reading;
        return 0;
    case 'j':
        p->common->json = true;
        return 0;
    case 't':
        p->common->threads = (int32_t)cli_parse_count(state, "--threads", text, 0, THREADS_MAX);
        return 0;
    case 'o':
        p->common->output = text;
        return 0;
    case 'u':
        p->common->undirected = true;
        return 0;
    case ARGP_KEY_ARG:
        if (!p->usage->operand) return ARGP_ERR_UNKNOWN;
        if (state->arg_num > 0)
            argp_error(state, "only one %s can be given; '%s' is one more", p->usage->operand,
                       text);
        p->common->operand = text;
        return 0;
    case ARGP_KEY_NO_ARGS:
        if (p->usage->operand)
            argp_error(state, "no %s given: %s", p->usage->operand,
                       p->usage->reads ? cli_operand_hint
                                       : "name one, such as rmat:10:8; --help lists them");
        return 0;
    case ARGP_KEY_SUCCESS:
        if (p->usage->needs_output && !p->common->output)
            argp_error(state, "no output file: give -o FILE");
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

void cli_parse(int argc, char **argv, const cli_Usage *usage, cli_Common *common, void *own) {
    struct argp_option options[5] = {
        {"json", 'j', NULL, 0, "Print one JSON object", LAST_GROUP},
        {"threads", 't', "N", 0, "Use N threads; 0, the default, means all that there are",
         LAST_GROUP},
    };
    int n = 2;
    if (usage->output)
        options[n++] = (struct argp_option){"output", 'o', "FILE", 0, usage->output, 0};
    if (usage->undirected)
        options[n++] =
            (struct argp_option){"undirected",
                                 'u',
                                 NULL,
                                 0,
                                 "Take every edge of a directed graph in both directions",
                                 0};
    if (cli_wants_table(argc, argv)) {
        cli_print_table(argv[0], usage, options);
        exit(fflush(stdout) ? CLI_FAILED : CLI_OK);
    }
    const struct argp own_argp = {.options = usage->options, .parser = usage->parse};
    struct argp_child children[3] = {{0}};
    int child = 0;
    if (usage->parse) children[child++].argp = &own_argp;
    if (usage->reads) children[child++].argp = &cli_reading_argp;
    const struct argp argp = {.options = options,
                              .parser = parse,
                              .args_doc = usage->args,
                              .doc = usage->about,
                              .children = children};
    Parsing parsing = {usage, common, own};
    argp_parse(&argp, argc, argv, 0, NULL, &parsing);
}

uint64_t cli_parse_count(struct argp_state *state, const char *option, const char *text,
                         uint64_t low, uint64_t high) {
    char *end;
    errno = 0;
    unsigned long long value = strtoull(text, &end, 10);
    bool starts_with_digit = *text >= '0' && *text <= '9';
    if (!starts_with_digit || *end || errno || value < low || value > high)
        argp_error(state, "%s must be a whole number from %llu to %llu, not '%s'", option,
                   (unsigned long long)low, (unsigned long long)high, text);
    return value;
}

double cli_parse_real(struct argp_state *state, const char *option, const char *text, double low,
                      double high) {
    char *end;
    double value = strtod(text, &end);
    if (end == text || *end || !(value >= low && value <= high))
        argp_error(state, "%s must be a number from %g to %g, not '%s'", option, low, high, text);
    return value;
}

/* Bytes, or a number followed by K, M or G. */
int64_t cli_parse_size(struct argp_state *state, const char *text) {
    static const char units[] = "kKmMgG";
    char digits[24];
    const size_t n = strspn(text, "0123456789");
    const char *const unit = n > 0 && text[n] ? strchr(units, text[n]) : NULL;
    if (n == 0 || n >= sizeof digits || text[n + (unit != NULL)])
        argp_error(state, "--memory is a number of bytes, or of K, M or G, not '%s'", text);
    memcpy(digits, text, n);
    digits[n] = 0;
    const unsigned shift = unit ? 10u * (unsigned)((unit - units) / 2 + 1) : 0;
    return (int64_t)(cli_parse_count(state, "--memory", digits, 1, (uint64_t)INT64_MAX >> shift)
                     << shift);
}

/* Of the memory a fifth is for what the limit does not bound: slices, the text of files, and freed
 * blocks. */
gbl_Info cli_set_memory(int64_t bytes) {
    if (bytes == 0) return GBL_SUCCESS;
    const gbl_Info info = gbl_Global_set_INT64(GBL_GLOBAL, bytes / 16, GBL_POOL_LIMIT);
    return info ? info : gbl_Global_set_INT64(GBL_GLOBAL, bytes / 5 * 4, GBL_MEMORY_LIMIT);
}
