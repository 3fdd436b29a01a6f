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
#include "content.h"
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
enum { SUFFIXES = sizeof suffixes / sizeof *suffixes, FIRST = 1 << 16 };

/* For messages. */
static const char *const kinds[] = {
    [CLI_MATRIX_MARKET] = "a Matrix Market file",
    [CLI_GBL] = "a file of gblite",
    [CLI_BINSPARSE] = "a Binsparse file",
    [CLI_EDGES] = "a list of edges",
    [CLI_MCL] = "a matrix of mcl",
    [CLI_RUTHERFORD] = "a Rutherford-Boeing file",
    [CLI_NPZ] = "a matrix of scipy",
};

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

/* By what is in it; where the name says something else, or nothing, a note tells. */
static gbl_Info take_kind(cli_Kind *kind, cli_Kind found, const Source *from, bool strict) {
    const char *const says =
        *kind == CLI_UNKNOWN ? "its name does not say what it is" : "it is not what its name says";
    *kind = found;
    if (strict)
        return gbl_fail(GBL_INVALID_VALUE, NULL, "%s: %s; without --strict it is read as %s",
                        from->path, says, kinds[found]);
    fprintf(stderr, "gblite: note: %s: %s; read as %s\n", from->path, says, kinds[found]);
    return GBL_SUCCESS;
}

static gbl_Info tell_kind(cli_Kind *kind, const char *bytes, size_t size, const Source *from,
                          bool strict) {
    const char *const path = from->path;
    const bool file = is_file(path), unknown = *kind == CLI_UNKNOWN;
    if (content_is_archive(bytes, size) || cli_ends_in(path, ".tar") || cli_ends_in(path, ".tgz"))
        return gbl_fail(GBL_INVALID_VALUE, NULL,
                        "%s: is an archive of files; unpack it by `%s %s' and read the file with "
                        "the matrix",
                        path, strncmp(bytes, "PK", 2) ? "tar -xf" : "unzip", path);
    cli_Kind found = content_kind(bytes, size);
    if (found == CLI_UNKNOWN && *kind != CLI_EDGES && content_is_list(bytes)) found = CLI_EDGES;
    if (found == CLI_UNKNOWN) found = unknown && !file ? CLI_EDGES : *kind;
    if (found == CLI_UNKNOWN)
        return gbl_fail(GBL_INVALID_VALUE, NULL,
                        "%s: neither its name nor its first bytes say what it is. Names that are "
                        "known end in %s, also compressed (.gz, .zst, .bz2); --edges reads lists "
                        "of edges",
                        path, cli_suffixes);
    const bool usual = found == CLI_MCL && *kind == CLI_EDGES; /* OrthoFinder's end in .txt */
    if (found != *kind && file && !usual) return take_kind(kind, found, from, strict);
    *kind = found;
    return GBL_SUCCESS;
}

/* What the first bytes look like; a pipe is read as a whole, since it can be read but once. */
static gbl_Info look(cli_Kind *kind, Source *from, bool strict) {
    char *bytes = from->bytes;
    size_t size = from->size;
    gbl_Info info = GBL_SUCCESS;
    if (!bytes && is_file(from->path)) {
        info = gbl_file_bytes(&bytes, &size, FIRST, from->path);
    } else if (!bytes) {
        info = gbl_file_bytes(&from->bytes, &from->size, SIZE_MAX / 2, from->path);
        if (!info) info = decompress(from);
        bytes = from->bytes;
        size = from->size;
    }
    if (!info) info = tell_kind(kind, bytes, size, from, strict);
    if (bytes != from->bytes) gbl_Memory_free(bytes);
    return info;
}

/* Of forms that are read from memory. */
static gbl_Info read_bytes(gbl_Matrix *A, gbl_Type type, cli_Kind kind, Source *from) {
    gbl_Info info = GBL_SUCCESS;
    if (!from->bytes) info = gbl_file_bytes(&from->bytes, &from->size, SIZE_MAX / 2, from->path);
    if (info) return info;
    return kind == CLI_RUTHERFORD ? format_read_rutherford(A, type, from->bytes, from->path)
                                  : format_read_npz(A, type, from->bytes, from->size, from->path);
}

static gbl_Info read_kind(gbl_Matrix *A, gbl_Type type, cli_Kind kind, Source *from,
                          cli_Reading *reading) {
    switch (kind) {
    case CLI_EDGES:
        return read_edges(A, type, from, reading);
    case CLI_MCL:
        return cli_mcl_read(A, &reading->labels, type, from->path, from->bytes);
    case CLI_GBL:
        return gbl_file_map(A, type, from->path, true);
    case CLI_BINSPARSE:
        return read_binsparse(A, type, from->path);
    case CLI_MATRIX_MARKET:
        return read_text(A, type, from, reading);
    case CLI_METIS:
        return gbl_metis_read(A, type, from->path, from->bytes, from->size);
    default:
        return read_bytes(A, type, kind, from);
    }
}

/* Of a file that is not the Matrix Market file that its name says, but something else; where it is
 * nothing else, what it failed by stays. */
static gbl_Info read_other(gbl_Matrix *A, gbl_Type type, Source *from, cli_Reading *reading,
                           gbl_Info failed) {
    cli_Kind kind = CLI_MATRIX_MARKET;
    char what[512];
    snprintf(what, sizeof what, "%s", gbl_last_error());
    if (look(&kind, from, false) == GBL_SUCCESS && kind != CLI_MATRIX_MARKET)
        return read_kind(A, type, kind, from, reading);
    return gbl_fail(failed, NULL, "%s", what);
}

gbl_Info cli_read_file(gbl_Matrix *A, gbl_Type type, const char *path, cli_Reading *reading) {
    Source from = {.path = path};
    const cli_Kind named = reading->edges ? CLI_EDGES : cli_kind_of(path);
    cli_Kind kind = named;
    gbl_Info info = is_file(path) ? decompress(&from) : GBL_SUCCESS;
    if (!info && !reading->edges && (kind == CLI_UNKNOWN || kind == CLI_EDGES))
        info = look(&kind, &from, reading->strict);
    if (info == GBL_SUCCESS && reading->tab && kind != CLI_MCL)
        info = gbl_fail(
            GBL_INVALID_VALUE, NULL,
            "--tab names the vertices of a matrix in the form of mcl (.mci); %s is none", path);
    else if (info == GBL_SUCCESS)
        info = read_kind(A, type, kind, &from, reading);
    if (info == GBL_INVALID_VALUE && named == CLI_MATRIX_MARKET && !reading->strict &&
        is_file(path))
        info = read_other(A, type, &from, reading, info);
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
