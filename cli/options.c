/* SPDX-License-Identifier: Apache-2.0
 *
 * Options that every command has, and parsing of numbers with messages that name the option.
 */
#include <errno.h>
#include <math.h>
#include <stdlib.h>

#include "cli.h"

enum { THREADS_MAX = 4096 };

static const struct argp_option options[] = {
    {"json", 'j', NULL, 0, "Print one JSON object", 10},
    {"threads", 't', "N", 0, "Use N threads; 0, the default, means all processors", 10},
    {0},
};

static error_t parse(int key, char *text, struct argp_state *state) {
    cli_Common *common = state->input;
    switch (key) {
    case 'j':
        common->json = true;
        return 0;
    case 't':
        common->threads = (int32_t)cli_parse_count(state, "--threads", text, 0, THREADS_MAX);
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

static const struct argp common_argp = {.options = options, .parser = parse};

const struct argp_child cli_common_child[] = {{&common_argp, 0, NULL, 0}, {0}};

uint64_t cli_parse_count(struct argp_state *state, const char *option, const char *text,
                         uint64_t low, uint64_t high) {
    char *end;
    errno = 0;
    unsigned long long value = strtoull(text, &end, 10);
    bool starts_with_digit = *text >= '0' && *text <= '9';
    if (!starts_with_digit || *end || errno || value < low || value > high)
        argp_error(state, "%s wants a whole number from %llu to %llu, not '%s'", option,
                   (unsigned long long)low, (unsigned long long)high, text);
    return value;
}

double cli_parse_real(struct argp_state *state, const char *option, const char *text, double low,
                      double high) {
    char *end;
    double value = strtod(text, &end);
    if (end == text || *end || !(value >= low && value <= high))
        argp_error(state, "%s wants a number from %g to %g, not '%s'", option, low, high, text);
    return value;
}

error_t cli_parse_operand(int key, char *text, struct argp_state *state, const char **operand,
                          const char *what) {
    switch (key) {
    case ARGP_KEY_ARG:
        if (state->arg_num > 0) argp_error(state, "one %s is enough; '%s' is one more", what, text);
        *operand = text;
        return 0;
    case ARGP_KEY_NO_ARGS:
        argp_error(state, "no %s given", what);
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}
