/* SPDX-License-Identifier: Apache-2.0
 *
 * Reading and writing tables; see text_table.h.
 */
#include "mxm/machine/text_table.h"

#include <errno.h>
#include <locale.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/status.h"

enum { LINE_MOST = 256, PATH_MOST = 4096 };

/* Numbers are written with a point, whatever the program's language is. */
static locale_t plain_numbers(locale_t *before) {
    const locale_t plain = newlocale(LC_ALL_MASK, "C", (locale_t)0);
    *before = plain != (locale_t)0 ? uselocale(plain) : (locale_t)0;
    return plain;
}

static void usual_numbers(locale_t plain, locale_t before) {
    if (plain == (locale_t)0) return;
    uselocale(before);
    freelocale(plain);
}

/* -- reading */

bool gb_text_refuse(gb_TextReader *r, const char *what, const char *value) {
    snprintf(r->why, GB_TABLE_WHY, "line %d: %s '%.40s'", r->line, what, value);
    return false;
}

bool gb_text_number(gb_TextReader *r, const char *value, const double limits[2], double *x) {
    char *end;
    const double found = strtod(value, &end);
    const bool sound = end != value && *end == '\0' && isfinite(found);
    if (!sound || found < limits[0] || found > limits[1])
        return gb_text_refuse(r, "not a sensible number,", value);
    *x = found;
    return true;
}

static bool take_line(gb_TextReader *r, char *line, gb_TextTake take, void *to) {
    line[strcspn(line, "#\n")] = '\0';
    char *name = line + strspn(line, " \t\r");
    if (*name == '\0') return true;
    char *value = name + strcspn(name, " \t");
    if (*value != '\0') *value++ = '\0';
    value += strspn(value, " \t");
    for (size_t n = strlen(value); n > 0 && strchr(" \t\r", value[n - 1]) != NULL;)
        value[--n] = '\0';
    if (*value == '\0') return gb_text_refuse(r, "no value for", name);
    return take(to, r, name, value);
}

gbl_Info gb_text_read(const char *path, char why[GB_TABLE_WHY], gb_TextTake take, void *to) {
    gb_TextReader r = {.why = why};
    char line[LINE_MOST];
    FILE *file = fopen(path, "r");
    why[0] = '\0';
    if (file == NULL && errno == ENOENT) return GBL_NO_VALUE;
    if (file == NULL) {
        snprintf(why, GB_TABLE_WHY, "cannot be read: %s", strerror(errno));
        return GBL_IO_ERROR;
    }
    bool good = true;
    locale_t before;
    const locale_t plain = plain_numbers(&before);
    while (good && fgets(line, sizeof line, file) != NULL) {
        r.line++;
        good = strchr(line, '\n') != NULL || feof(file) || gb_text_refuse(&r, "too long,", line);
        good = good && take_line(&r, line, take, to);
    }
    const int reason = errno;
    const bool lost = ferror(file) != 0;
    usual_numbers(plain, before);
    if (lost) snprintf(why, GB_TABLE_WHY, "cannot be read: %s", strerror(reason));
    fclose(file);
    return lost ? GBL_IO_ERROR : good ? GBL_SUCCESS : GBL_INVALID_VALUE;
}

/* -- writing */

/* The folders that hold the file. */
static void make_folders(const char *path) {
    char folder[PATH_MOST];
    snprintf(folder, sizeof folder, "%s", path);
    for (char *slash = strchr(folder + (folder[0] == '/'), '/'); slash != NULL;
         slash = strchr(slash + 1, '/')) {
        *slash = '\0';
        mkdir(folder, 0755); /* what fails here fails again when the file is opened */
        *slash = '/';
    }
}

gbl_Info gb_text_write(const char *path, void (*print)(FILE *file, const void *what),
                       const void *what) {
    char beside[PATH_MOST + 16];
    make_folders(path);
    snprintf(beside, sizeof beside, "%s.%ld", path, (long)getpid());
    FILE *file = fopen(beside, "w");
    if (file == NULL)
        return gb_fail(GBL_IO_ERROR, "cannot create %.200s: %s", beside, strerror(errno));
    locale_t before;
    const locale_t plain = plain_numbers(&before);
    print(file, what);
    usual_numbers(plain, before);
    const bool lost = ferror(file) != 0;
    const bool failed = fclose(file) != 0 || lost;
    if (!failed && rename(beside, path) == 0) return GBL_SUCCESS;
    const int reason = errno;
    remove(beside);
    return gb_fail(GBL_IO_ERROR, "cannot write %.200s: %s", path, strerror(reason));
}
