/* SPDX-License-Identifier: Apache-2.0
 *
 * What every check does: says where it stands, what it found and in which case. And which cases
 * run.
 */
#include "support/gb_test.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

/* -- the case that runs ------------------------------------------------------------------------ */

static char case_text[512] = "-";

void t_case(const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(case_text, sizeof case_text, format, arguments);
    va_end(arguments);
}

const char *t_case_text(void) {
    return case_text;
}

static uint64_t sample_of(void) {
    const char *text = getenv("GBLITE_TEST_SAMPLE");
    const uint64_t every = text == NULL ? 1 : strtoull(text, NULL, 10);
    cr_assert(every > 0, "GBLITE_TEST_SAMPLE=%s: one case of how many is to run?", text);
    return every;
}

bool t_samples(void) {
    return sample_of() > 1;
}

bool t_left_out(void) {
    static uint64_t every, cases, chosen; /* the chosen one of the cases in a row, from 0 on */
    if (every == 0) every = sample_of();
    const uint64_t place = cases++ % every;
    if (place == 0 && cases > 1) { /* the first case of all always runs */
        t_Random r = t_random(cases);
        chosen = t_below(&r, every);
    }
    return place != chosen;
}

/* -- checks ------------------------------------------------------------------------------------ */

void t_check_ok(const t_Check *check, gbl_Info info) {
    cr_assert(info == GBL_SUCCESS, "%s:%d: %s gave %d: %s\n  case: %s", check->file, check->line,
              check->text, (int)info, gbl_last_error(), case_text);
}

void t_check_fails(const t_Check *check, gbl_Info info, gbl_Info expected) {
    cr_assert(info == expected, "%s:%d: %s gave %d instead of %d: %s\n  case: %s", check->file,
              check->line, check->text, (int)info, (int)expected, gbl_last_error(), case_text);
    cr_assert(gbl_last_error()[0] != '\0', "%s:%d: %s left no text", check->file, check->line,
              check->text);
}

void t_check_holds(const t_Check *check, bool holds) {
    cr_assert(holds, "%s:%d: %s does not hold\n  case: %s", check->file, check->line, check->text,
              case_text);
}

void t_check_equal(const t_Check *check, long long found, long long expected) {
    cr_assert(found == expected, "%s:%d: %s is %lld, not %lld\n  case: %s", check->file,
              check->line, check->text, found, expected, case_text);
}

/* -- the end ----------------------------------------------------------------------------------- */

static bool end_is_expected;

static void check_end(void) {
    if (!end_is_expected) return;
    fprintf(stderr, "the test was not put away as it should be\n");
    abort();
}

void t_expect_end(void) {
    static bool watched;
    end_is_expected = true;
    if (!watched) atexit(check_end);
    watched = true;
}

void t_end_reached(void) {
    end_is_expected = false;
}
