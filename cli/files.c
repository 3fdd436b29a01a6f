/* SPDX-License-Identifier: Apache-2.0
 *
 * Kinds of files that commands read and write. The end of the name tells which, and where it says
 * nothing that is known, the first bytes.
 */
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>

#include "cli.h"
#ifdef GBLITE_HDF5
#include "binsparse/binsparse.h"
#endif

static const struct {
    const char *suffix;
    cli_Kind kind;
} suffixes[] = {
    {".mtx", CLI_MATRIX_MARKET}, {".mm", CLI_MATRIX_MARKET}, {".gbl", CLI_GBL},
    {".h5", CLI_BINSPARSE},      {".hdf5", CLI_BINSPARSE},   {".edges", CLI_EDGES},
    {".csv", CLI_EDGES},         {".tsv", CLI_EDGES},        {".txt", CLI_EDGES},
    {".el", CLI_EDGES},          {".edgelist", CLI_EDGES},   {".abc", CLI_EDGES},
    {".mci", CLI_MCL},
};
enum { SUFFIXES = sizeof suffixes / sizeof *suffixes };

const char *const cli_suffixes = ".mtx, .gbl, .h5 (binsparse), .edges, .tsv, .csv, .txt, .abc";

/* The length of the name before the .gz that a compressed file ends in. */
static size_t stem(const char *path) {
    const size_t n = strlen(path);
    return n > 3 && strcmp(path + n - 3, ".gz") == 0 ? n - 3 : n;
}

cli_Kind cli_kind_of(const char *path) {
    const size_t n = stem(path);
    for (int k = 0; k < SUFFIXES; k++) {
        const size_t m = strlen(suffixes[k].suffix);
        if (n > m && strncasecmp(path + n - m, suffixes[k].suffix, m) == 0) return suffixes[k].kind;
    }
    return CLI_UNKNOWN;
}

#ifdef GBLITE_HDF5
#define READ(A, type, path) bsp_read(A, type, path)
#define WRITE(A, path, format) bsp_write(A, path, format)
#else
static gbl_Info no_hdf5(const char *path) {
    return gbl_fail(GBL_NOT_IMPLEMENTED, NULL,
                    "%s: this gblite was built without HDF5, which binsparse files need "
                    "(Debian: libhdf5-dev; configure with -DGBLITE_HDF5=ON)",
                    path);
}
#define READ(A, type, path) no_hdf5(path)
#define WRITE(A, path, format) no_hdf5(path)
#endif

/* -- reading */

/* What is to be read: a file, or its bytes where it was read to see what it is. */
typedef struct {
    const char *path;
    char *bytes; /* NULL: the file */
    size_t size;
} Source;

static void note(const char *path, const char *text) {
    if (*text) fprintf(stderr, "gblite: note: %s: %s\n", path, text);
}

static gbl_Info read_edges(gbl_Matrix *A, gbl_Type type, const Source *from, cli_Reading *reading) {
    const bool max = reading->abc && reading->duplicates == GBL_DUPLICATES_USUAL;
    gbl_EdgeText text = {.path = from->path,
                         .bytes = from->bytes,
                         .size = from->size,
                         .separator = reading->separator,
                         .from = reading->from,
                         .to = reading->to,
                         .weight = reading->weight,
                         .percent_labels = reading->abc,
                         .names = reading->abc,
                         .weights = reading->weights,
                         .duplicates = max ? GBL_DUPLICATES_MAX : reading->duplicates};
    const gbl_Info info = gbl_edges_read(A, &reading->labels, type, &text);
    if (info == GBL_SUCCESS && !reading->abc) note(from->path, text.found);
    return info;
}

static gbl_Info read_text(gbl_Matrix *A, gbl_Type type, const Source *from, cli_Reading *reading) {
    gbl_MmText text = {.path = from->path,
                       .bytes = from->bytes,
                       .size = from->size,
                       .strict = reading->strict,
                       .weights = reading->weights,
                       .duplicates = reading->duplicates};
    const gbl_Info info = gbl_mm_read_mended(A, type, &text);
    if (info == GBL_SUCCESS) note(from->path, text.mended);
    return info;
}

static bool has_banner(const char *text) {
    text += strspn(text, "\xEF\xBB\xBF% \t\r\n");
    return strncasecmp(text, "MatrixMarket", 12) == 0;
}

/* What the first bytes look like; a pipe is read as a whole, since it can be read but once. */
static gbl_Info look(cli_Kind *kind, Source *from) {
    enum { FIRST = 1 << 16 };
    struct stat facts;
    const bool file = stat(from->path, &facts) == 0 && S_ISREG(facts.st_mode) &&
                      strcmp(from->path, "/dev/stdin") != 0;
    char *bytes;
    size_t size;
    const gbl_Info info = gbl_file_bytes(&bytes, &size, file ? FIRST : SIZE_MAX / 2, from->path);
    if (info != GBL_SUCCESS) return info;
    if (*kind == CLI_UNKNOWN && has_banner(bytes)) *kind = CLI_MATRIX_MARKET;
    if (strstr(bytes, "(mclheader")) *kind = CLI_MCL;
    if (file) {
        gbl_Memory_free(bytes);
    } else {
        from->bytes = bytes;
        from->size = size;
    }
    if (*kind != CLI_UNKNOWN) return GBL_SUCCESS;
    if (!file) *kind = CLI_EDGES;
    if (!file) return GBL_SUCCESS;
    return gbl_fail(GBL_INVALID_VALUE, NULL,
                    "%s: neither its name nor its first bytes say what it is. Names that are known "
                    "end in %s, also compressed by gzip; --edges reads lists of edges",
                    from->path, cli_suffixes);
}

gbl_Info cli_read_file(gbl_Matrix *A, gbl_Type type, const char *path, cli_Reading *reading) {
    Source from = {.path = path};
    cli_Kind kind = reading->edges ? CLI_EDGES : cli_kind_of(path);
    const bool may_be_mcl = kind == CLI_EDGES && !reading->edges; /* OrthoFinder's end in .txt */
    gbl_Info info = kind == CLI_UNKNOWN || may_be_mcl ? look(&kind, &from) : GBL_SUCCESS;
    if (info == GBL_SUCCESS)
        info = kind == CLI_EDGES       ? read_edges(A, type, &from, reading)
               : kind == CLI_MCL       ? cli_mcl_read(A, &reading->labels, type, path, from.bytes)
               : kind == CLI_GBL       ? gbl_load(A, type, path)
               : kind == CLI_BINSPARSE ? READ(A, type, path)
                                       : read_text(A, type, &from, reading);
    gbl_Memory_free(from.bytes);
    return info;
}

/* -- writing */

/* Devices and pipes take Matrix Market, which alone is written compressed. */
static gbl_Info check_suffix(const char *path) {
    struct stat facts;
    const cli_Kind kind = cli_kind_of(path);
    if (kind != CLI_UNKNOWN && kind != CLI_MATRIX_MARKET && path[stem(path)] != '\0')
        return gbl_fail(GBL_INVALID_VALUE, NULL,
                        "cannot write %s: only .mtx.gz is written compressed; leave .gz out and "
                        "compress the file, or write to - and through gzip",
                        path);
    if (kind != CLI_UNKNOWN || strcmp(path, "-") == 0) return GBL_SUCCESS;
    if (strncmp(path, "/dev/", 5) == 0) return GBL_SUCCESS; /* a file, where that is redirected */
    if (stat(path, &facts) == 0 && !S_ISREG(facts.st_mode)) return GBL_SUCCESS;
    return gbl_fail(GBL_INVALID_VALUE, NULL,
                    "cannot write %s: the end of the name says what to "
                    "write; give one of %s",
                    path, cli_suffixes);
}

gbl_Info cli_save(gbl_Matrix A, const char *path, const char *format, const gbl_Labels *labels) {
    const cli_Kind kind = cli_kind_of(path);
    gbl_Info info = check_suffix(path);
    if (info != GBL_SUCCESS) return info;
    if (kind == CLI_BINSPARSE) return WRITE(A, path, format);
    if (format != NULL)
        return gbl_fail(
            GBL_INVALID_VALUE, NULL,
            "--format is for binsparse files, whose names end in .h5 or .hdf5; %s is none", path);
    if (kind == CLI_EDGES) return cli_write_edges(A, path, labels);
    return gbl_save(A, strcmp(path, "-") == 0 ? "/dev/stdout" : path);
}
