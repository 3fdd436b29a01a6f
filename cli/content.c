/* SPDX-License-Identifier: Apache-2.0
 *
 * What the first bytes of a file say that it is.
 */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "content.h"

static bool starts_with(const char *bytes, size_t size, const char *mark) {
    const size_t n = strlen(mark);
    return size >= n && memcmp(bytes, mark, n) == 0;
}

static bool has_banner(const char *text) {
    text += strspn(text, "\xEF\xBB\xBF% \t\r\n");
    return strncasecmp(text, "MatrixMarket", 12) == 0;
}

/* Whether the first member of a zip archive is an array of numpy. */
static bool has_array(const char *bytes, size_t size) {
    enum { HEAD = 30 };
    const unsigned char *const head = (const unsigned char *)bytes;
    if (size < HEAD) return false;
    const size_t end = HEAD + (size_t)(head[26] | head[27] << 8);
    return end <= size && end >= HEAD + 4 && memcmp(bytes + end - 4, ".npy", 4) == 0;
}

static const char *next_line(const char *p) {
    p += strcspn(p, "\r\n");
    return p + strspn(p, "\r\n");
}

/* Whether line 3 begins with a type, as `rua`, and numbers of rows and columns; formats follow. */
static bool has_types(const char *text) {
    static const char *const letters[] = {"RPIC", "USRZH", "AE"};
    const char *const line = next_line(next_line(text));
    for (int k = 0; k < 3; k++)
        if (!line[k] || !strchr(letters[k], toupper((unsigned char)line[k]))) return false;
    const char *const rows = line + 3 + strspn(line + 3, " ");
    return rows > line + 3 && isdigit((unsigned char)*rows) && *next_line(line) == '(';
}

/* The whole numbers in the first columns of a line, at most three; *words: how many words it has.
 */
static int read_line(unsigned long long number[static 3], int *words, const char *p) {
    static const char gaps[] = " \t,;";
    int n = 0;
    for (*words = 0; *(p += strspn(p, gaps)) && *p != '\r' && *p != '\n'; ++*words) {
        char *end = NULL;
        if (n == *words && n < 3 && isdigit((unsigned char)*p)) number[n] = strtoull(p, &end, 10);
        p += strcspn(p, " \t,;\r\n");
        n += end == p;
    }
    return n;
}

bool content_is_list(const char *text) {
    unsigned long long size[3], number[3];
    unsigned long long lines = 0, total = 0;
    int words = 0, more;
    bool sizes = false, beyond = false, cut = false;
    if (!strncmp(text, "\xEF\xBB\xBF", 3)) text += 3;
    for (const char *p = text + strspn(text, "\r\n"), *next; *p; p = next) {
        next = next_line(p);
        p += strspn(p, " \t");
        cut = !*next && next[-1] != '\n' && lines > 1;
        if (strchr("#%\r\n", *p) || cut) continue;
        const bool first = lines++ == 0;
        const int n = read_line(first ? size : number, &more, p);
        if (first) sizes = n == 3 && more == 3;
        if (n < 2 || (lines > 2 && more != words)) return false;
        beyond |= !first && (number[0] > size[0] || number[1] > size[1]);
        words = more;
        total += first ? 0 : (unsigned)more;
    }
    if (lines == 0) return false;
    if (sizes) return beyond && (cut || size[2] != lines - 1);
    return cut || size[0] != lines - 1 || size[1] * 2 != total; /* as in a graph of METIS */
}

cli_Kind content_kind(const char *bytes, size_t size) {
    if (starts_with(bytes, size, "\x89HDF\r\n\x1a\n")) return CLI_BINSPARSE;
    if (starts_with(bytes, size, "gblite\r\n")) return CLI_GBL;
    if (starts_with(bytes, size, "PK\3\4") && has_array(bytes, size)) return CLI_NPZ;
    if (has_banner(bytes)) return CLI_MATRIX_MARKET;
    if (strstr(bytes, "(mclheader")) return CLI_MCL;
    return has_types(bytes) ? CLI_RUTHERFORD : CLI_UNKNOWN;
}

bool content_is_archive(const char *bytes, size_t size) {
    enum { MARK = 257 }; /* of tar */
    return (size > MARK && starts_with(bytes + MARK, size - MARK, "ustar")) ||
           (starts_with(bytes, size, "PK\3\4") && !has_array(bytes, size));
}
