/* SPDX-License-Identifier: Apache-2.0
 *
 * What the first lines of a list of edges tell about the others; see edges.h.
 */
#include <stdio.h>
#include <strings.h>

#include "edges.h"

enum { SAMPLE = 1000 }; /* lines */

bool gb_edges_number(gb_Word word, double *value) {
    const char *p = word.begin;
    if (p == word.end || !gb_number_read(&p, value)) return false;
    /* a sign alone before the exponent may be that of a date */
    return p == word.end ||
           (*p != '+' && *p != '-' && gb_number_read_fortran(word.begin, p, word.end, value));
}

/* Without blanks around it, and without quotes. */
static gb_Word trim(const char *begin, const char *end) {
    while (begin < end && (*begin == ' ' || *begin == '\t')) begin++;
    while (begin < end && (end[-1] == ' ' || end[-1] == '\t' || end[-1] == '\r')) end--;
    if (end - begin >= 2 && *begin == '"' && end[-1] == '"') begin++, end--;
    return (gb_Word){begin, end};
}

/* Behind the quotes that the word at p begins with, where `""` is none; p where there are none, or
 * they do not end on the line. */
static const char *skip_quoted(const char *p) {
    const char *end = p;
    while (*end == '"') {
        end += 1 + strcspn(end + 1, "\"\n");
        if (*end++ == '\n') return p;
    }
    return end;
}

int gb_edges_split(gb_Word *words, int most, const char *p, char separator) {
    int n = 0;
    if (separator == ' ') {
        for (p = gb_skip_blank(p); *p != '\n' && n < most; p = gb_skip_blank(p)) {
            const char *const begin = p;
            for (p = skip_quoted(p); *p != '\n' && gb_skip_blank(p) == p;) p++;
            words[n++] = trim(begin, p);
        }
        return n;
    }
    for (; n < most; p++) {
        while (*p == ' ') p++;
        const char *const begin = p;
        for (p = skip_quoted(p); *p != '\n' && *p != separator;) p++;
        words[n++] = trim(begin, p);
        if (*p == '\n') break;
    }
    /* nothing behind the last separator is no word */
    return n > 0 && words[n - 1].begin == words[n - 1].end ? n - 1 : n;
}

/* The first lines that are edges. */
typedef struct {
    const char *line[SAMPLE];
    int n;
} Sample;

static Sample take_sample(const gb_EdgeForm *form, gb_Lines lines) {
    Sample sample = {.n = 0};
    for (const char *p = lines.begin; p < lines.end && sample.n < SAMPLE;
         p = gb_next_line(p, lines.end))
        if (!gb_is_comment(form->marks, *gb_skip_blank(p))) sample.line[sample.n++] = p;
    return sample;
}

/* The words of a line, most or fewest. */
static int words_of(const Sample *sample, char separator, bool most) {
    gb_Word words[GB_EDGE_COLUMNS];
    int found = most ? 0 : GB_EDGE_COLUMNS;
    for (int k = 0; k < sample->n; k++) {
        const int n = gb_edges_split(words, GB_EDGE_COLUMNS, sample->line[k], separator);
        if (most ? n > found : n < found) found = n;
    }
    return found;
}

/* -- what words look like */

/* A vertex by its number; with a 0 before it, it is a name. */
static bool is_vertex(gb_Word word) {
    uint64_t whole;
    return gb_edges_whole(word, &whole) && (*word.begin != '0' || whole == 0);
}

static bool is_number(gb_Word word) {
    double value;
    return gb_edges_number(word, &value);
}

/* 1,5 or 1,234,567.8, which may mean this or that. */
static bool has_commas(gb_Word word) {
    const char *p = word.begin + (*word.begin == '-' || *word.begin == '+');
    bool commas = false;
    for (; p < word.end && ((*p >= '0' && *p <= '9') || *p == ',' || *p == '.'); p++)
        commas |= *p == ',' && p > word.begin;
    return commas && p == word.end;
}

/* How many lines from the first on have such a word in the column; 0 where a line has none. */
static int count_lines(const Sample *sample, char separator, int column, int first,
                       bool (*is)(gb_Word)) {
    gb_Word words[GB_EDGE_COLUMNS];
    int lines = 0;
    for (int k = first; k < sample->n; k++) {
        const int n = gb_edges_split(words, GB_EDGE_COLUMNS, sample->line[k], separator);
        if (column >= n) return 0;
        lines += is(words[column]);
    }
    return lines;
}

/* A tab, comma or semicolon that is on each line, else blanks; but blanks too where a tab stands
 * between the third word and the others, and no commas that are in all weights. */
static char guess_separator(const Sample *sample) {
    static const char some[] = "\t,;";
    const int first = 1 < sample->n, lines = sample->n - first;
    for (const char *s = some; *s; s++) {
        const int n = words_of(sample, *s, false);
        if (n < 2) continue;
        const bool blanks = words_of(sample, ' ', false) == 3 && words_of(sample, ' ', true) == 3;
        if (*s == '\t' && n == 2 && blanks) return ' ';
        for (const char *other = "; "; *s == ',' && *other; other++)
            if (count_lines(sample, *other, 2, first, has_commas) == lines) return *other;
        return *s;
    }
    return ' ';
}

/* names: each with a blank behind. */
static bool is_one_of(gb_Word word, const char *names) {
    const size_t n = (size_t)(word.end - word.begin);
    for (; *names; names += strcspn(names, " ") + 1)
        if (strcspn(names, " ") == n && strncasecmp(names, word.begin, n) == 0) return true;
    return false;
}

/* Looks for columns by their names in the first line. */
static void read_head(gb_EdgeForm *form, const char *line) {
    static const char froms[] =
        "source from src node1 fromnodeid gene1 u node_1 id1 head protein1 ";
    static const char tos[] = "target to dst node2 tonodeid dest gene2 v node_2 id2 tail protein2 ";
    static const char weights[] = "weight w value score combined_score ";
    gb_Word words[GB_EDGE_COLUMNS];
    const int n = gb_edges_split(words, GB_EDGE_COLUMNS, line, form->separator);
    int from = -1, to = -1, weight = -1;
    for (int k = n - 1; k >= 0; k--) {
        if (is_one_of(words[k], froms)) from = k;
        if (is_one_of(words[k], tos)) to = k;
        if (is_one_of(words[k], weights)) weight = k;
    }
    if (from < 0 || to < 0) return;
    form->head = true;
    form->from = from;
    form->to = to;
    form->weight = weight;
}

static bool all_whole(const Sample *sample, const gb_EdgeForm *form, int first) {
    const int lines = sample->n - first;
    return count_lines(sample, form->separator, form->from, first, is_vertex) == lines &&
           count_lines(sample, form->separator, form->to, first, is_vertex) == lines;
}

/* Whether the first line may name columns: there are others, and it has no numbers as vertices. */
static bool may_be_head(const Sample *sample, const gb_EdgeForm *form) {
    gb_Word words[GB_EDGE_COLUMNS];
    if (sample->n < 2) return false;
    const int n = gb_edges_split(words, GB_EDGE_COLUMNS, sample->line[0], form->separator);
    return form->from < n && form->to < n && !is_number(words[form->from]) &&
           !is_number(words[form->to]);
}

/* The columns, from what the first line says or what stands in the others. */
static void guess_columns(gb_EdgeForm *form, const gbl_EdgeText *how, const Sample *sample) {
    form->from = 0;
    form->to = 1;
    form->weight = -1;
    if (sample->n > 0) read_head(form, sample->line[0]);
    if (how->from > 0) form->from = how->from - 1;
    if (how->to > 0) form->to = how->to - 1;
    if (how->weight != 0) form->weight = how->weight > 0 ? how->weight - 1 : -1;
    const bool head = may_be_head(sample, form);
    if (!form->head) form->head = head && all_whole(sample, form, 1);
    if (how->weight != 0 || form->weight >= 0 || form->from > 1 || form->to > 1) return;
    const int first = 1 < sample->n, lines = sample->n - first;
    const int numbers = count_lines(sample, form->separator, 2, first, is_number);
    if (numbers == 0 || 2 * numbers < lines) return; /* that half are says that all should be */
    form->weight = 2;
    form->head |= head && count_lines(sample, form->separator, 2, 0, is_number) == numbers;
}

/* Whether the first line may give sizes: it has two or three words, which are whole numbers. */
static void read_sizes(gb_EdgeForm *form, const Sample *sample) {
    gb_Word words[4];
    if (form->names || form->head || form->from > 1 || form->to > 1 || sample->n < 2) return;
    const int n = gb_edges_split(words, 4, sample->line[0], form->separator);
    for (int k = 0; k < n && n < 4; k++)
        if (!gb_edges_whole(words[k], &form->size[k])) return;
    form->sizes = n < 4 ? n : 0;
}

static void describe(gbl_EdgeText *how, const gb_EdgeForm *form, int columns) {
    const char *const by = form->separator == '\t'  ? "tabs"
                           : form->separator == ' ' ? "blanks"
                           : form->separator == ',' ? "commas"
                                                    : "semicolons";
    char weight[64] = "no weights";
    if (form->weight >= 0)
        snprintf(weight, sizeof weight, "weights in column %d", form->weight + 1);
    snprintf(
        how->found, sizeof how->found, "read %s between columns; %s in columns %d and %d, %s%s%s",
        by, form->names ? "names" : "numbers of vertices", form->from + 1, form->to + 1, weight,
        form->head ? "; the first line names columns" : "",
        columns > 3 || (columns == 3 && form->weight < 0) ? "; other columns are not used" : "");
}

gbl_Info gb_edges_guess(gb_EdgeForm *form, gbl_EdgeText *how, gb_Lines lines) {
    *form =
        (gb_EdgeForm){.separator = how->separator, .marks = {'#', how->percent_labels ? '#' : '%'}};
    const Sample sample = take_sample(form, lines);
    if (!form->separator) form->separator = guess_separator(&sample);
    guess_columns(form, how, &sample);
    const int column = form->weight >= 0 ? form->weight : form->from > 1 || form->to > 1 ? -1 : 2;
    if (how->weight == 0 && column >= 0 &&
        count_lines(&sample, form->separator, column, 0, has_commas) > 0)
        return gbl_fail(GBL_INVALID_VALUE, NULL,
                        "%s: numbers in column %d have commas; write 1.5 for 1,5 and 1234 for "
                        "1,234, or state columns without weights",
                        how->path, column + 1);
    form->names = how->names || !all_whole(&sample, form, form->head);
    read_sizes(form, &sample);
    form->columns = 1 + (form->from > form->to ? form->from : form->to);
    if (form->weight >= form->columns) form->columns = form->weight + 1;
    if (form->columns > GB_EDGE_COLUMNS)
        return gbl_fail(GBL_INVALID_VALUE, NULL, "%s: only columns 1 to %d can be read", how->path,
                        (int)GB_EDGE_COLUMNS);
    describe(how, form, words_of(&sample, form->separator, false));
    return GBL_SUCCESS;
}
