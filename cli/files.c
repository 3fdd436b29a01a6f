/* SPDX-License-Identifier: Apache-2.0
 *
 * Kinds of files that commands read and write. The end of the name tells which, and where it says
 * nothing that is known, the first bytes.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>

#include "cli.h"
#include "formats/formats.h"

static const struct {
    const char *suffix;
    cli_Kind kind;
} suffixes[] = {
    {".mtx", CLI_MATRIX_MARKET}, {".mm", CLI_MATRIX_MARKET}, {".gbl", CLI_GBL},
    {".h5", CLI_BINSPARSE},      {".hdf5", CLI_BINSPARSE},   {".edges", CLI_EDGES},
    {".csv", CLI_EDGES},         {".tsv", CLI_EDGES},        {".txt", CLI_EDGES},
    {".el", CLI_EDGES},          {".edgelist", CLI_EDGES},   {".abc", CLI_EDGES},
    {".mci", CLI_MCL},           {".rb", CLI_RUTHERFORD},    {".hb", CLI_RUTHERFORD},
    {".rsa", CLI_RUTHERFORD},    {".rua", CLI_RUTHERFORD},   {".rra", CLI_RUTHERFORD},
    {".psa", CLI_RUTHERFORD},    {".pua", CLI_RUTHERFORD},   {".pra", CLI_RUTHERFORD},
    {".cua", CLI_RUTHERFORD},    {".csa", CLI_RUTHERFORD},   {".rza", CLI_RUTHERFORD},
    {".graph", CLI_METIS},       {".metis", CLI_METIS},      {".npz", CLI_NPZ},
};
enum { SUFFIXES = sizeof suffixes / sizeof *suffixes };

const char *const cli_suffixes =
    ".mtx, .gbl, .h5 (binsparse), .npz, .rb, .graph, .mci, .edges, .tsv, .csv, .txt, .abc";

bool cli_ends_in(const char *path, const char *suffix) {
    const size_t n = format_stem(path), m = strlen(suffix);
    return n > m && strncasecmp(path + n - m, suffix, m) == 0;
}

cli_Kind cli_kind_of(const char *path) {
    for (int k = 0; k < SUFFIXES; k++)
        if (cli_ends_in(path, suffixes[k].suffix)) return suffixes[k].kind;
    return CLI_UNKNOWN;
}

#ifdef GBLITE_HDF5
#define MODULE "libgblite_binsparse.so"
/* Beside libgblite.so, or where the dynamic linker looks. */
static void *open_module(void) {
    Dl_info library;
    char path[4096];
    const void *const inside = dlsym(RTLD_DEFAULT, "gbl_init");
    const bool found = inside && dladdr(inside, &library) != 0;
    const char *const slash = found ? strrchr(library.dli_fname, '/') : NULL;
    void *module = NULL;
    if (slash) {
        const char *const folder = library.dli_fname;
        snprintf(path, sizeof path, "%.*s/" MODULE, (int)(slash - folder), folder);
        module = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    }
    return module ? module : dlopen(MODULE, RTLD_NOW | RTLD_LOCAL);
}
#endif

/* HDF5 takes 7 MB of memory, so what calls it is a module, loaded for the first such file. */
static gbl_Info find_binsparse(void *function, const char *name, const char *path) {
#ifdef GBLITE_HDF5
    static void *module;
    if (!module) module = open_module();
    void *const found = module ? dlsym(module, name) : NULL;
    memcpy(function, &found, sizeof found);
    if (found) return GBL_SUCCESS;
    return gbl_fail(GBL_NOT_IMPLEMENTED, NULL, "%s: what reads and writes binsparse is missing: %s",
                    path, dlerror());
#else
    (void)function, (void)name;
    return gbl_fail(GBL_NOT_IMPLEMENTED, NULL,
                    "%s: this gblite was built without HDF5, which binsparse files need "
                    "(Debian: libhdf5-dev; configure with -DGBLITE_HDF5=ON)",
                    path);
#endif
}

static gbl_Info read_binsparse(gbl_Matrix *A, gbl_Type type, const char *path) {
    gbl_Info (*read)(gbl_Matrix *, gbl_Type, const char *) = NULL;
    const gbl_Info info = find_binsparse(&read, "bsp_read", path);
    return info == GBL_SUCCESS ? read(A, type, path) : info;
}

static gbl_Info write_binsparse(gbl_Matrix A, const char *path, const char *format) {
    gbl_Info (*write)(gbl_Matrix, const char *, const char *) = NULL;
    const gbl_Info info = find_binsparse(&write, "bsp_write", path);
    return info == GBL_SUCCESS ? write(A, path, format) : info;
}

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
    const gbl_Info info = reading->output
                              ? gbl_edges_to_file(reading->output, &reading->labels, type, &text)
                              : gbl_edges_read(A, &reading->labels, type, &text);
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
    const gbl_Info info = reading->output ? gbl_mm_to_file(reading->output, type, &text)
                                          : gbl_mm_read_mended(A, type, &text);
    if (info == GBL_SUCCESS) note(from->path, text.mended);
    if (info == GBL_SUCCESS || !strstr(text.mended, "no banner")) return info;
    char what[256];
    snprintf(what, sizeof what, "%s", gbl_last_error());
    return gbl_fail(info, NULL, "%s; there is no banner: --edges reads lists of edges", what);
}

static bool has_banner(const char *text) {
    text += strspn(text, "\xEF\xBB\xBF% \t\r\n");
    return strncasecmp(text, "MatrixMarket", 12) == 0;
}

static bool is_file(const char *path) {
    struct stat facts;
    return stat(path, &facts) == 0 && S_ISREG(facts.st_mode) && strcmp(path, "/dev/stdin") != 0;
}

/* Bytes by zstd or bzip2 make way for what was compressed. */
static gbl_Info decompress(Source *from) {
    char *bytes;
    size_t size;
    const gbl_Info info = format_decompress(&bytes, &size, from->path, from->bytes, from->size);
    if (info || !bytes) return info;
    gbl_Memory_free(from->bytes);
    from->bytes = bytes;
    from->size = size;
    return GBL_SUCCESS;
}

/* Whether the first member of a zip archive is an array of numpy. */
static bool has_array(const char *bytes, size_t size) {
    enum { HEAD = 30 };
    const unsigned char *const head = (const unsigned char *)bytes;
    if (size < HEAD) return false;
    const size_t end = HEAD + (size_t)(head[26] | head[27] << 8);
    return end <= size && end >= HEAD + 4 && memcmp(bytes + end - 4, ".npy", 4) == 0;
}

static gbl_Info tell_kind(cli_Kind *kind, const char *bytes, size_t size, const char *path) {
    enum { MARK = 257 }; /* of tar */
    const bool zip = size > 4 && memcmp(bytes, "PK\3\4", 4) == 0, array = has_array(bytes, size);
    const bool tar = (size > MARK + 5 && memcmp(bytes + MARK, "ustar", 5) == 0) ||
                     cli_ends_in(path, ".tar") || cli_ends_in(path, ".tgz");
    if (tar || (zip && !array))
        return gbl_fail(GBL_INVALID_VALUE, NULL,
                        "%s: is an archive of files; unpack it by `%s %s' and read the file with "
                        "the matrix",
                        path, zip ? "unzip" : "tar -xf", path);
    if (*kind == CLI_UNKNOWN && has_banner(bytes)) *kind = CLI_MATRIX_MARKET;
    if (*kind == CLI_UNKNOWN && zip) *kind = CLI_NPZ;
    if (strstr(bytes, "(mclheader")) *kind = CLI_MCL;
    return GBL_SUCCESS;
}

/* What the first bytes look like; a pipe is read as a whole, since it can be read but once. */
static gbl_Info look(cli_Kind *kind, Source *from) {
    enum { FIRST = 1 << 16 };
    const bool file = is_file(from->path);
    char *bytes;
    size_t size;
    gbl_Info info;
    if (!from->bytes && file) {
        if ((info = gbl_file_bytes(&bytes, &size, FIRST, from->path))) return info;
        info = tell_kind(kind, bytes, size, from->path);
        gbl_Memory_free(bytes);
    } else {
        if (!from->bytes &&
            ((info = gbl_file_bytes(&from->bytes, &from->size, SIZE_MAX / 2, from->path)) ||
             (info = decompress(from))))
            return info;
        info = tell_kind(kind, from->bytes, from->size, from->path);
    }
    if (info || *kind != CLI_UNKNOWN) return info;
    if (!file) *kind = CLI_EDGES;
    if (!file) return GBL_SUCCESS;
    return gbl_fail(GBL_INVALID_VALUE, NULL,
                    "%s: neither its name nor its first bytes say what it is. Names that are known "
                    "end in %s, also compressed (.gz, .zst, .bz2); --edges reads lists of edges",
                    from->path, cli_suffixes);
}

/* Of forms that are read from memory. */
static gbl_Info read_bytes(gbl_Matrix *A, gbl_Type type, cli_Kind kind, Source *from) {
    gbl_Info info = GBL_SUCCESS;
    if (!from->bytes) info = gbl_file_bytes(&from->bytes, &from->size, SIZE_MAX / 2, from->path);
    if (info) return info;
    return kind == CLI_RUTHERFORD ? format_read_rutherford(A, type, from->bytes, from->path)
           : kind == CLI_METIS    ? format_read_metis(A, type, from->bytes, from->path)
                                  : format_read_npz(A, type, from->bytes, from->size, from->path);
}

gbl_Info cli_read_file(gbl_Matrix *A, gbl_Type type, const char *path, cli_Reading *reading) {
    Source from = {.path = path};
    cli_Kind kind = reading->edges ? CLI_EDGES : cli_kind_of(path);
    const bool may_be_mcl = kind == CLI_EDGES && !reading->edges; /* OrthoFinder's end in .txt */
    gbl_Info info = is_file(path) ? decompress(&from) : GBL_SUCCESS;
    if (!info && (kind == CLI_UNKNOWN || may_be_mcl)) info = look(&kind, &from);
    if (info == GBL_SUCCESS && reading->tab && kind != CLI_MCL)
        info = gbl_fail(
            GBL_INVALID_VALUE, NULL,
            "--tab names the vertices of a matrix in the form of mcl (.mci); %s is none", path);
    if (info == GBL_SUCCESS)
        info = kind == CLI_EDGES       ? read_edges(A, type, &from, reading)
               : kind == CLI_MCL       ? cli_mcl_read(A, &reading->labels, type, path, from.bytes)
               : kind == CLI_GBL       ? gbl_load(A, type, path)
               : kind == CLI_BINSPARSE ? read_binsparse(A, type, path)
               : kind == CLI_MATRIX_MARKET ? read_text(A, type, &from, reading)
                                           : read_bytes(A, type, kind, &from);
    gbl_Memory_free(from.bytes);
    if (info == GBL_SUCCESS && reading->tab) info = cli_tab_read(&reading->labels, reading->tab);
    return info;
}

/* -- writing */

/* Devices and pipes take Matrix Market. */
static gbl_Info check_suffix(const char *path) {
    struct stat facts;
    const cli_Kind kind = cli_kind_of(path);
    if ((kind == CLI_GBL || kind == CLI_BINSPARSE || kind == CLI_NPZ) &&
        path[format_stem(path)] != '\0')
        return gbl_fail(GBL_INVALID_VALUE, NULL,
                        "cannot write %s: such files are not read compressed; leave %s out", path,
                        path + format_stem(path));
    if (kind != CLI_UNKNOWN || strcmp(path, "-") == 0) return GBL_SUCCESS;
    if (strncmp(path, "/dev/", 5) == 0) return GBL_SUCCESS; /* a file, where that is redirected */
    if (stat(path, &facts) == 0 && !S_ISREG(facts.st_mode)) return GBL_SUCCESS;
    return gbl_fail(GBL_INVALID_VALUE, NULL,
                    "cannot write %s: the end of the name says what to "
                    "write; give one of %s",
                    path, cli_suffixes);
}

/* To a path whose name says nothing. */
static gbl_Info save_as(gbl_Matrix A, cli_Kind kind, const char *path, const char *name,
                        const gbl_Labels *labels) {
    switch (kind) {
    case CLI_EDGES:
        return cli_write_edges(A, path, cli_ends_in(name, ".csv") ? ',' : '\t', labels);
    case CLI_MCL:
        return cli_mcl_write(A, path);
    case CLI_RUTHERFORD:
        return format_write_rutherford(A, path);
    case CLI_METIS:
        return format_write_metis(A, path);
    case CLI_NPZ:
        return format_write_npz(A, path);
    default:
        return gbl_save(A, strcmp(path, "-") == 0 ? "/dev/stdout" : path);
    }
}

/* Whether rows are called otherwise than by their numbers, from 1 or 0. */
static bool has_names(const gbl_Labels *labels, gbl_Matrix A) {
    gbl_Index n = 0;
    if (!labels || labels->n == 0 || gbl_Matrix_nrows(&n, A) || n != labels->n) return false;
    return labels->text || (labels->id && labels->id[n - 1] + 1 != n);
}

gbl_Info cli_save(gbl_Matrix A, const char *path, const char *format, const gbl_Labels *labels) {
    const cli_Kind kind = cli_kind_of(path);
    const char *const packed = path + format_stem(path);
    format_Pipe *pipe;
    gbl_Info info = check_suffix(path);
    if (info != GBL_SUCCESS) return info;
    if (kind == CLI_BINSPARSE) return write_binsparse(A, path, format);
    if (format != NULL)
        return gbl_fail(
            GBL_INVALID_VALUE, NULL,
            "--format is for binsparse files, whose names end in .h5 or .hdf5; %s is none", path);
    if (kind != CLI_EDGES && has_names(labels, A))
        fprintf(stderr,
                "gblite: note: %s: has no names of vertices, which are 1 to %llu there; `gblite "
                "convert --write-tab FILE' writes them\n",
                path, (unsigned long long)labels->n);
    cli_progress_call("writing");
    if (strcmp(path, "-") == 0) cli_progress_stop(); /* both may be on the terminal */
    /* the library compresses .mtx.gz by all threads */
    if (*packed == '\0' || (kind == CLI_MATRIX_MARKET && strcmp(packed, ".gz") == 0))
        return save_as(A, kind, path, path, labels);
    if ((info = format_pipe_open(&pipe, path)) != GBL_SUCCESS) return info;
    info = save_as(A, kind, format_pipe_path(pipe), path, labels);
    return format_pipe_close(&pipe, info);
}
