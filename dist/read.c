/* SPDX-License-Identifier: Apache-2.0
 *
 * Matrix Market files that all processes read, each a range of bytes.
 *
 * Process 0 finds the line of sizes. The lines that begin in a process's range, behind a header
 * that announces as many entries as they are, make a text of their own, which gblite_io reads; so
 * all that it checks is checked here. Entries then go to where they belong.
 *
 * What cannot be cut is left to gbl_load in process 0: compressed files, pipes, arrays, and what
 * has no proper header, for whose error it finds the words.
 */
#define _GNU_SOURCE
#include "load.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <unistd.h>

enum { HEADER_MOST = 1 << 20, PIECE = 1 << 20 }; /* bytes */

/* What process 0 has found; sent as it is. */
typedef struct {
    uint64_t can_be_cut;
    uint64_t file, header, sizes; /* bytes of the file, up to the body, up to the line of sizes */
    uint64_t nrows, ncols, entries, pattern;
} Layout;

/* A file that is open, and its name for messages. */
typedef struct {
    int file;
    const char *path;
} Source;

static gbl_Info cannot_read(const char *path) {
    return gbl_fail(GBL_IO_ERROR, NULL, "cannot read %s: %s", path,
                    errno ? strerror(errno) : "it has become shorter");
}

static gbl_Info read_bytes(Source source, char *to, uint64_t from, uint64_t n) {
    for (uint64_t done = 0; done < n;) {
        errno = 0;
        const ssize_t got = pread(source.file, to + done, n - done, (off_t)(from + done));
        if (got < 0 && errno == EINTR) continue;
        if (got <= 0) return cannot_read(source.path);
        done += (uint64_t)got;
    }
    return GBL_SUCCESS;
}

/* Fills layout where text[n], the beginning of a file, has a header that can be cut off. */
static void find_sizes(Layout *layout, const char *text, size_t n) {
    static const char mark[] = "%%MatrixMarket";
    const char *const end = text + n;
    const char *line = text, *next;
    unsigned long long m, k, e;
    int used = 0;
    if (n < sizeof mark || memcmp(text, mark, sizeof mark - 1) != 0) return;
    next = memchr(text, '\n', n);
    if (!next) return;
    char banner[256];
    snprintf(banner, sizeof banner, "%.*s", (int)(next - text), text);
    if (!strcasestr(banner, "coordinate")) return;
    layout->pattern = strcasestr(banner, "pattern") != NULL;
    for (line = next + 1; line < end; line = next + 1) {
        next = memchr(line, '\n', (size_t)(end - line));
        if (!next) return;
        const char *first = line + strspn(line, " \t\r");
        if (*first != '%' && *first != '\n') break;
    }
    if (line >= end) return;
    char sizes[128];
    snprintf(sizes, sizeof sizes, "%.*s", (int)(next - line), line);
    if (sscanf(sizes, "%llu %llu %llu %n", &m, &k, &e, &used) < 3 || sizes[used] != '\0') return;
    layout->nrows = m;
    layout->ncols = k;
    layout->entries = e;
    layout->sizes = (uint64_t)(line - text);
    layout->header = (uint64_t)(next + 1 - text);
    layout->can_be_cut = 1;
}

/* In process 0. A file that is not there is left to gbl_load, and so is a pipe, which is opened
 * once. */
static gbl_Info look_at(Layout *layout, const char *path) {
    struct stat facts;
    gbl_Info info = GBL_SUCCESS;
    char *text = gb_array(HEADER_MOST + 1, 1);
    const bool regular = stat(path, &facts) == 0 && S_ISREG(facts.st_mode);
    const int file = regular ? open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK) : -1;
    if (!text) info = gb_no_memory("the header of a file");
    if (!info && file >= 0 && fstat(file, &facts) == 0 && S_ISREG(facts.st_mode)) {
        layout->file = (uint64_t)facts.st_size;
        const uint64_t n = layout->file < HEADER_MOST ? layout->file : HEADER_MOST;
        if (!(info = read_bytes((Source){file, path}, text, 0, n))) {
            text[n] = '\0';
            find_sizes(layout, text, n);
        }
    }
    if (file >= 0) close(file);
    gbl_Memory_free(text);
    return info;
}

/* The first byte behind a line end at or after `from`: where the line begins that the range owns
 * first. */
static gbl_Info next_line(uint64_t *at, Source source, uint64_t from, const Layout *layout) {
    char *piece = gb_array(PIECE, 1);
    gbl_Info info = piece ? GBL_SUCCESS : gb_no_memory("a piece of a file");
    *at = layout->file;
    for (uint64_t k = from; k < layout->file && !info; k += PIECE) {
        const uint64_t n = layout->file - k < PIECE ? layout->file - k : PIECE;
        if ((info = read_bytes(source, piece, k, n))) break;
        const char *found = memchr(piece, '\n', n);
        if (!found) continue;
        *at = k + (uint64_t)(found - piece) + 1;
        break;
    }
    gbl_Memory_free(piece);
    return info;
}

/* Lines with an entry: neither blank nor comments. */
static uint64_t count_lines(const char *text, const char *end) {
    uint64_t n = 0;
    while (text < end) {
        while (text < end && (*text == ' ' || *text == '\t' || *text == '\r')) text++;
        if (text < end && *text != '\n' && *text != '%') n++;
        const char *next = memchr(text, '\n', (size_t)(end - text));
        text = next ? next + 1 : end;
    }
    return n;
}

/* The lines of [from, to), behind a header, as a matrix. */
static gbl_Info read_lines(gbl_Matrix *A, uint64_t *entries, gbl_Type type, Source source,
                           const Layout *layout, gb_Range bytes) {
    enum { SIZES = 80 };
    char error[400];
    const uint64_t room = layout->sizes + SIZES + bytes.size;
    char *text = gb_array(room, 1);
    gbl_Info info;
    if (!text) return gb_no_memory("a range of a file");
    char *const body = text + layout->sizes + SIZES;
    if ((info = read_bytes(source, text, 0, layout->sizes)) ||
        (info = read_bytes(source, body, bytes.first, bytes.size)))
        goto done;
    *entries = count_lines(body, body + bytes.size);
    /* blanks in front of the numbers fill the line */
    char sizes[SIZES + 1];
    const int length =
        snprintf(sizes, sizeof sizes, "%llu %llu %llu\n", (unsigned long long)layout->nrows,
                 (unsigned long long)layout->ncols, (unsigned long long)*entries);
    memset(body - SIZES, ' ', SIZES);
    memcpy(body - length, sizes, (size_t)length);
    info = gbl_mm_read_memory(A, type, text, room);
    if (info) {
        snprintf(error, sizeof error, "%s", gbl_last_error());
        info = gbl_fail(info, NULL, "%s, counting from the header over byte %llu: %s", source.path,
                        (unsigned long long)bytes.first, error);
    }
done:
    gbl_Memory_free(text);
    return info;
}

static gbl_Info read_range(gbl_Matrix *A, uint64_t *entries, gbl_Type type, const Layout *layout,
                           gbl_Grid grid, const char *path) {
    const int processes = grid->side * grid->side;
    const gb_Range own = gb_part(layout->file - layout->header, processes, grid->rank);
    const uint64_t from = layout->header + own.first;
    gb_Range bytes = {layout->header, 0};
    uint64_t end = layout->file;
    gbl_Info info = GBL_SUCCESS;
    const Source source = {open(path, O_RDONLY | O_CLOEXEC), path};
    if (source.file < 0) return cannot_read(path);
    if (grid->rank > 0) info = next_line(&bytes.first, source, from - 1, layout);
    if (!info && grid->rank + 1 < processes)
        info = next_line(&end, source, from + own.size - 1, layout);
    bytes.size = end > bytes.first ? end - bytes.first : 0;
    if (!info) info = read_lines(A, entries, type, source, layout, bytes);
    close(source.file);
    return info;
}

/* All ranges together must have what the header says. */
static gbl_Info check_entries(uint64_t here, const Layout *layout, gbl_Grid grid,
                              const char *path) {
    uint64_t all = 0;
    MPI_Allreduce(&here, &all, 1, MPI_UINT64_T, MPI_SUM, grid->all);
    if (all == layout->entries) return GBL_SUCCESS;
    return gbl_fail(GBL_INVALID_VALUE, NULL, "%s announces %llu entries and has %llu", path,
                    (unsigned long long)layout->entries, (unsigned long long)all);
}

gbl_Info gb_read(gbl_DistMatrix *A, bool *cut, gbl_Type type, const char *path, gbl_Grid grid) {
    Layout layout = {0};
    gb_Tuples tuples = {0};
    gbl_Matrix lines = NULL;
    uint64_t entries = 0;
    gbl_Type found = NULL;
    gbl_Info info = gb_agree(grid, grid->rank == 0 ? look_at(&layout, path) : GBL_SUCCESS);
    if (info) return info;
    MPI_Bcast(&layout, sizeof layout / 8, MPI_UINT64_T, 0, grid->all);
    *cut = layout.can_be_cut != 0;
    if (!*cut) return GBL_SUCCESS;
    info = gb_agree(grid, read_range(&lines, &entries, type, &layout, grid, path));
    if (info || (info = check_entries(entries, &layout, grid, path))) goto done;
    if ((info = gb_agree(grid, gbl_Matrix_type(&found, lines)))) goto done;
    info = gb_tuples_of(&tuples, lines, found);
    gbl_Matrix_free(&lines);
    if (layout.pattern && found == GBL_BOOL) {
        gbl_Memory_free(tuples.x);
        tuples.x = NULL;
    }
    if ((info = gb_agree(grid, info)) ||
        (info = gbl_DistMatrix_new(A, found, layout.nrows, layout.ncols, grid)))
        goto done;
    info = gb_take_tuples(*A, &tuples, NULL);
    if (info == GBL_INVALID_VALUE) info = gbl_fail(info, NULL, "%s: an entry is given twice", path);
    if (info) gbl_DistMatrix_free(A);
done:
    gbl_Matrix_free(&lines);
    gb_tuples_free(&tuples);
    return info;
}
