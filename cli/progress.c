/* SPDX-License-Identifier: Apache-2.0
 *
 * A progress bar on stderr. The library reports the part done of one operation at a time; a new
 * name or a part that falls back starts a new bar. Calls that are no product ("call") show what the
 * command calls them; where nobody knows the part done, the seconds since it began, and no bar.
 * Nothing is drawn in the first half second, nor more often than ten times a second, nor when
 * stderr is not a terminal, or one that cannot erase a line.
 */
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "cli.h"

#define SHOW_AFTER 0.5 /* seconds */
#define REDRAW 0.1     /* seconds */
enum { BAR_WIDTH = 30, LINE_MAX_WIDTH = 200, USUAL_WIDTH = 80 };

typedef struct {
    double started;      /* the work */
    double step_started; /* the operation being reported */
    double drawn;        /* last time */
    double done;         /* last part reported */
    const char *what, *note;
    const char *call; /* what a "call" does */
    const char *only; /* the one operation that is shown; NULL: all */
    bool visible;
} Progress;

static Progress progress; /* one program, one bar; the library calls from one thread at a time */

static int terminal_width(void) {
    struct winsize size;
    const bool known = ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 1;
    return known ? size.ws_col : USUAL_WIDTH;
}

/* The bar of an operation whose part done is known, and the time left. */
static void write_bar(const Progress *p, double now, char *line, size_t size) {
    char bar[BAR_WIDTH + 1], left[32] = "";
    for (int k = 0; k < BAR_WIDTH; k++) bar[k] = k < (int)(p->done * BAR_WIDTH) ? '#' : '.';
    bar[BAR_WIDTH] = 0;
    const double seconds = (now - p->step_started) * (1 - p->done) / p->done;
    if (p->done > 0.01 && seconds < 100)
        snprintf(left, sizeof left, "  %.1f s left", seconds);
    else if (p->done > 0.01)
        snprintf(left, sizeof left, "  %.0f min left", seconds / 60);
    const char *what = strcmp(p->what, "call") == 0 ? p->call : p->what;
    snprintf(line, size, "%s [%s] %3.0f%%%s", what, bar, 100 * p->done, left);
}

static void draw(Progress *p, double now) {
    char text[LINE_MAX_WIDTH / 2], line[LINE_MAX_WIDTH + 1];
    if (strcmp(p->what, "call") == 0 && p->done == 0)
        snprintf(text, sizeof text, "%s, %.1f s", p->call, now - p->started);
    else
        write_bar(p, now, text, sizeof text);
    snprintf(line, sizeof line, "%s  %s", text, p->note ? p->note : "");
    /* a line that wraps could not be drawn over */
    fprintf(stderr, "\r%.*s\033[K", terminal_width() - 1, line);
    fflush(stderr);
    p->visible = true;
    p->drawn = now;
}

static bool update(void *context, const char *what, double done) {
    Progress *p = context;
    double now = cli_seconds();
    if (p->only && strcmp(what, p->only) != 0) return true;
    if (what != p->what || done < p->done) p->step_started = now;
    p->what = what;
    p->done = done < 0 ? 0 : done > 1 ? 1 : done;
    if (now - p->started >= SHOW_AFTER && now - p->drawn >= REDRAW) draw(p, now);
    return true;
}

static bool can_draw(void) {
    const char *terminal = getenv("TERM");
    return isatty(STDERR_FILENO) && !(terminal && strcmp(terminal, "dumb") == 0);
}

void cli_progress_start(void) {
    progress = (Progress){.started = cli_seconds(), .what = "", .call = "working"};
    if (can_draw()) gbl_set_progress(update, &progress);
}

/* From here on the bar is the command's; many small operations would each begin one. */
void cli_progress_part(const char *what, double done) {
    gbl_set_progress(NULL, NULL);
    if (can_draw()) update(&progress, what, done);
}

void cli_progress_written(const char *path, uint64_t k, uint64_t n) {
    enum { BETWEEN = 1 << 14 };
    if (k % BETWEEN == 0 && strcmp(path, "-") != 0)
        cli_progress_part("writing", (double)k / (double)n);
}

void cli_progress_note(const char *note) {
    progress.note = note;
}

void cli_progress_call(const char *name) {
    progress.call = name ? name : "working";
}

void cli_progress_only(const char *what) {
    progress.only = what;
}

void cli_progress_stop(void) {
    gbl_set_progress(NULL, NULL);
    if (progress.visible) fprintf(stderr, "\r\033[K");
    progress.visible = false;
}
