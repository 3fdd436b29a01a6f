/* SPDX-License-Identifier: Apache-2.0
 *
 * Sparse matrices as scipy.sparse.save_npz writes them: a zip archive of arrays of numpy. "format"
 * is the name of the form; csr and csc have "indptr", "indices" and "data", coo has "row", "col"
 * and "data"; "shape" has the dimensions. Members are stored or deflated.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include "formats.h"

typedef struct {
    const unsigned char *bytes;
    size_t size;
    const char *path;
} Archive;

/* An array: its values where they lie in the archive, or in a block of their own. */
typedef struct {
    const unsigned char *x;
    unsigned char *own;
    char kind;    /* of numpy: b, i, u, f, c, S, U */
    size_t width; /* of a value */
    gbl_Index n;
} Array;

static gbl_Info wrong(const Archive *a, const char *what) {
    return gbl_fail(GBL_INVALID_VALUE, NULL, "%s: %s", a->path, what);
}

static uint64_t number(const unsigned char *x, int bytes) {
    uint64_t value = 0;
    while (bytes-- > 0) value = value << 8 | x[bytes];
    return value;
}

/* -- the archive */

typedef struct {
    uint64_t packed, size, at;
    unsigned method;
} Member;

/* Sizes that do not fit in 32 bits stand in an extra field, in this order. */
static void read_zip64(Member *m, const unsigned char *extra, size_t n) {
    while (n >= 4) {
        const size_t length = number(extra + 2, 2);
        if (length > n - 4) return;
        if (number(extra, 2) == 1) {
            const unsigned char *x = extra + 4, *const end = x + length;
            uint64_t *const fields[] = {&m->size, &m->packed, &m->at};
            for (int k = 0; k < 3 && end - x >= 8; k++) {
                if (*fields[k] != UINT32_MAX) continue;
                *fields[k] = number(x, 8);
                x += 8;
            }
        }
        extra += 4 + length;
        n -= 4 + length;
    }
}

/* Finds the member NAME.npy by the directory at the end of the archive. */
static gbl_Info find(const Archive *a, const char *name, Member *m) {
    enum { END = 22, ENTRY = 46, COMMENT_MOST = 65535 };
    const size_t length = strlen(name);
    size_t at = a->size;
    for (size_t k = END; k <= a->size && k <= END + COMMENT_MOST && at == a->size; k++)
        if (number(a->bytes + a->size - k, 4) == 0x06054b50) at = a->size - k;
    if (at == a->size) return wrong(a, "this is no zip archive, or it was cut short");
    uint64_t entry = number(a->bytes + at + 16, 4);
    for (uint64_t left = number(a->bytes + at + 10, 2); left > 0; left--) {
        if (entry > a->size || a->size - entry < ENTRY) break;
        const unsigned char *e = a->bytes + entry;
        const size_t named = number(e + 28, 2), extra = number(e + 30, 2);
        const size_t whole = ENTRY + named + extra + number(e + 32, 2);
        if (number(e, 4) != 0x02014b50 || a->size - entry < whole) break;
        *m = (Member){number(e + 20, 4), number(e + 24, 4), number(e + 42, 4),
                      (unsigned)number(e + 10, 2)};
        read_zip64(m, e + ENTRY + named, extra);
        if (named == length + 4 && !memcmp(e + ENTRY, name, length) &&
            !memcmp(e + ENTRY + length, ".npy", 4))
            return GBL_SUCCESS;
        entry += whole;
    }
    return gbl_fail(GBL_NO_VALUE, NULL,
                    "%s: there is no array '%s'; files of scipy.sparse.save_npz are read", a->path,
                    name);
}

static gbl_Info inflate_member(const Archive *a, const Member *m, const unsigned char *from,
                               unsigned char *to) {
    z_stream stream = {.next_in = (Bytef *)from, .next_out = to};
    uint64_t in = m->packed, out = m->size;
    int code = inflateInit2(&stream, -15);
    if (code != Z_OK) return gbl_fail(GBL_OUT_OF_MEMORY, NULL, "not enough memory");
    while (code == Z_OK) { /* zlib counts in unsigned int */
        const uInt most = 1 << 30;
        stream.avail_in = in < most ? (uInt)in : most;
        stream.avail_out = out < most ? (uInt)out : most;
        const uInt had_in = stream.avail_in, had_out = stream.avail_out;
        code = inflate(&stream, Z_NO_FLUSH);
        in -= had_in - stream.avail_in;
        out -= had_out - stream.avail_out;
        if (code == Z_OK && had_in == stream.avail_in && had_out == stream.avail_out)
            code = Z_BUF_ERROR;
    }
    inflateEnd(&stream);
    return code == Z_STREAM_END && out == 0 ? GBL_SUCCESS
                                            : wrong(a, "the compressed data are damaged");
}

/* -- arrays */

/* The header of an array is the text of a dictionary of Python's. */
static gbl_Info read_array_header(const Archive *a, Array *v, const unsigned char *x, size_t size) {
    char text[1024];
    if (size < 12 || memcmp(x, "\x93NUMPY", 6) != 0) return wrong(a, "a member is no array");
    const size_t head = x[6] == 1 ? 10 : 12, length = number(x + 8, x[6] == 1 ? 2 : 4);
    if (length > size - head || length >= sizeof text)
        return wrong(a, "the header of an array is damaged");
    memcpy(text, x + head, length);
    text[length] = '\0';
    const char *descr = strstr(text, "'descr':"), *shape = strstr(text, "'shape':");
    char order, kind;
    unsigned long long width, n = 1, second;
    if (!descr || sscanf(descr + 8, " '%c%c%llu'", &order, &kind, &width) != 3 || !shape)
        return wrong(a, "an array has values of a type that is not read");
    const int dimensions = sscanf(shape + 8, " (%llu,%llu", &n, &second);
    if (dimensions == 2 || !strchr("<|=", order) || width < 1 || width > 1024)
        return wrong(a, "an array has two dimensions, or numbers of another order of bytes");
    v->kind = kind;
    v->width = kind == 'U' ? 4 * width : width;
    v->n = n;
    v->x = x + head + length;
    if (n > (size - head - length) / v->width) return wrong(a, "an array is cut short");
    return GBL_SUCCESS;
}

static gbl_Info read_array(const Archive *a, const char *name, Array *v) {
    enum { LOCAL = 30 };
    Member m = {0};
    gbl_Info info = find(a, name, &m);
    if (info) return info;
    if (m.at > a->size || a->size - m.at < LOCAL) return wrong(a, "the archive is damaged");
    const unsigned char *local = a->bytes + m.at;
    const size_t start = m.at + LOCAL + number(local + 26, 2) + number(local + 28, 2);
    if (start > a->size || m.packed > a->size - start || (m.method != 0 && m.method != 8) ||
        m.size / 1032 > m.packed) /* deflate makes no more of a byte */
        return wrong(a, "the archive is damaged, or packed in a way that is not read");
    if (m.method == 0) return read_array_header(a, v, a->bytes + start, m.packed);
    v->own = malloc(m.size + 1);
    if (!v->own) return gbl_fail(GBL_OUT_OF_MEMORY, NULL, "not enough memory for %s", a->path);
    info = inflate_member(a, &m, a->bytes + start, v->own);
    return info ? info : read_array_header(a, v, v->own, m.size);
}

/* Whole numbers, not negative. */
static gbl_Info to_indices(const Archive *a, const Array *v, gbl_Index **out) {
    if ((v->kind != 'i' && v->kind != 'u') || v->width > 8)
        return wrong(a, "indices are no whole numbers");
    *out = malloc((v->n + 1) * sizeof **out);
    if (!*out) return gbl_fail(GBL_OUT_OF_MEMORY, NULL, "not enough memory for indices");
    for (gbl_Index k = 0; k < v->n; k++) {
        const uint64_t x = number(v->x + k * v->width, (int)v->width);
        if (v->kind == 'i' && x >> (8 * v->width - 1)) return wrong(a, "an index is negative");
        (*out)[k] = x;
    }
    return GBL_SUCCESS;
}

/* -- the matrix */

typedef struct {
    Array format, shape, start, major, minor, data;
    gbl_Index *dimension, *first, *i, *j;
    bool columns; /* csc */
} Parts;

static gbl_Info spread_pointers(const Archive *a, Parts *p) {
    const gbl_Index majors = p->dimension[p->columns], n = p->minor.n;
    if (p->start.n != majors + 1 || p->first[0] != 0 || p->first[majors] != n)
        return wrong(a, "indptr does not fit to shape and indices");
    gbl_Index *const to = p->i = malloc((n + 1) * sizeof *to);
    if (!to) return gbl_fail(GBL_OUT_OF_MEMORY, NULL, "not enough memory for indices");
    for (gbl_Index m = 0; m < majors; m++) {
        if (p->first[m + 1] < p->first[m] || p->first[m + 1] > n)
            return wrong(a, "indptr must not descend");
        for (gbl_Index k = p->first[m]; k < p->first[m + 1]; k++) to[k] = m;
    }
    return GBL_SUCCESS;
}

static gbl_Info read_parts(const Archive *a, Parts *p) {
    gbl_Info info;
    if ((info = read_array(a, "format", &p->format)) ||
        (info = read_array(a, "shape", &p->shape)) ||
        (info = to_indices(a, &p->shape, &p->dimension)))
        return info;
    const size_t step = p->format.kind == 'U' ? 4 : 1; /* text of numpy: a byte, or four */
    char form[4] = "";
    for (size_t k = 0; k < 3 && k < p->format.width / step && p->format.n == 1; k++)
        form[k] = (char)p->format.x[k * step];
    if (p->shape.n != 2) return wrong(a, "shape must have two dimensions");
    if (!strcmp(form, "coo")) {
        if ((info = read_array(a, "row", &p->major)) || (info = read_array(a, "col", &p->minor)) ||
            (info = to_indices(a, &p->major, &p->i)) || (info = to_indices(a, &p->minor, &p->j)))
            return info;
    } else if (!strcmp(form, "csr") || !strcmp(form, "csc")) {
        p->columns = form[2] == 'c';
        if ((info = read_array(a, "indptr", &p->start)) ||
            (info = read_array(a, "indices", &p->minor)) ||
            (info = to_indices(a, &p->start, &p->first)) ||
            (info = to_indices(a, &p->minor, &p->j)) || (info = spread_pointers(a, p)))
            return info;
    } else {
        return wrong(a, "the format is none of csr, csc and coo; save A.tocsr()");
    }
    if ((info = read_array(a, "data", &p->data))) return info;
    const bool same = p->minor.n == p->data.n && (form[1] == 's' || p->major.n == p->minor.n);
    return same ? GBL_SUCCESS : wrong(a, "the arrays have different lengths");
}

/* Sums of integers must fit into their type. */
static gbl_Info check_sums(gbl_Matrix A, const Array *d, format_Entries e, const char *path) {
    const bool sign = d->kind == 'i';
    const int bits = (int)(8 * d->width);
    if (!sign && d->kind != 'u') return GBL_SUCCESS;
    e.x = malloc(e.n * sizeof *e.x + 1);
    if (!e.x) return gbl_fail(GBL_OUT_OF_MEMORY, NULL, "not enough memory for values");
    for (gbl_Index k = 0; k < e.n; k++) {
        uint64_t x = 0;
        memcpy(&x, d->x + k * d->width, d->width);
        e.x[k].real = sign ? (double)((int64_t)(x << (64 - bits)) >> (64 - bits)) : (double)x;
    }
    const double end = ldexp(1, bits - sign);
    const gbl_Info info = format_check_sums(A, &e, sign ? -end : 0, end, path);
    free(e.x);
    return info;
}

static gbl_Info build(gbl_Matrix *A, gbl_Type type, const Archive *a, const Parts *p) {
    gbl_Index *const I = p->columns ? p->j : p->i, *const J = p->columns ? p->i : p->j;
    const Array *d = &p->data;
    const format_Entries e = {p->dimension[0], p->dimension[1], .n = d->n, .I = I, .J = J};
    gbl_Info info = GBL_DOMAIN_MISMATCH;
#define CASE(N, T, KIND, WIDTH, PLUS)                                                              \
    if (d->kind == KIND && d->width == (WIDTH)) {                                                  \
        void *x = malloc(d->n * sizeof(T) + 1);                                                    \
        if (!x) return gbl_fail(GBL_OUT_OF_MEMORY, NULL, "not enough memory for values");          \
        memcpy(x, d->x, d->n * sizeof(T)); /* aligned */                                           \
        info = gbl_Matrix_new(A, type ? type : GBL_##N, p->dimension[0], p->dimension[1]);         \
        if (!info) info = gbl_Matrix_build_##N(*A, I, J, x, d->n, PLUS);                           \
        free(x);                                                                                   \
        if (!info) info = check_sums(*A, d, e, a->path);                                           \
        if (info) gbl_Matrix_free(A);                                                              \
        return info;                                                                               \
    }
    CASE(BOOL, bool, 'b', 1, GBL_LOR)
    CASE(INT8, int8_t, 'i', 1, GBL_PLUS_INT8)
    CASE(INT16, int16_t, 'i', 2, GBL_PLUS_INT16)
    CASE(INT32, int32_t, 'i', 4, GBL_PLUS_INT32)
    CASE(INT64, int64_t, 'i', 8, GBL_PLUS_INT64)
    CASE(UINT8, uint8_t, 'u', 1, GBL_PLUS_UINT8)
    CASE(UINT16, uint16_t, 'u', 2, GBL_PLUS_UINT16)
    CASE(UINT32, uint32_t, 'u', 4, GBL_PLUS_UINT32)
    CASE(UINT64, uint64_t, 'u', 8, GBL_PLUS_UINT64)
    CASE(FP32, float, 'f', 4, GBL_PLUS_FP32)
    CASE(FP64, double, 'f', 8, GBL_PLUS_FP64)
    CASE(FC32, gbl_FC32, 'c', 8, GBL_PLUS_FC32)
    CASE(FC64, gbl_FC64, 'c', 16, GBL_PLUS_FC64)
#undef CASE
    return gbl_fail(info, NULL, "%s: values of the type %c%zu are not read", a->path, d->kind,
                    d->width);
}

gbl_Info format_read_npz(gbl_Matrix *A, gbl_Type type, const char *bytes, size_t size,
                         const char *path) {
    const Archive a = {(const unsigned char *)bytes, size, path};
    Parts p = {0};
    gbl_Info info = read_parts(&a, &p);
    if (info == GBL_NO_VALUE) info = GBL_INVALID_VALUE;
    for (gbl_Index k = 0; !info && p.data.kind == 'b' && k < p.data.n; k++)
        if (p.data.x[k] > 1) info = wrong(&a, "a truth value is neither 0 nor 1");
    if (!info) info = build(A, type, &a, &p);
    Array *const arrays[] = {&p.format, &p.shape, &p.start, &p.major, &p.minor, &p.data};
    for (size_t k = 0; k < sizeof arrays / sizeof *arrays; k++) free(arrays[k]->own);
    free(p.dimension);
    free(p.first);
    free(p.i);
    free(p.j);
    return info;
}

/* -- writing: members that are stored, and a directory of them */

typedef struct {
    const char *name;
    char head[160]; /* of the array */
    size_t head_size;
    const void *x;
    size_t size;
    uint32_t sum, at;
} Output;

static void put(unsigned char *to, uint64_t x, int bytes) {
    for (int k = 0; k < bytes; k++) to[k] = (unsigned char)(x >> (8 * k));
}

/* An array of n values, or where n is negative of one without a dimension. */
static Output describe(const char *name, const char *descr, const void *x, int64_t n,
                       size_t width) {
    Output o = {.name = name, .x = x, .size = width * (size_t)(n < 0 ? 1 : n)};
    char shape[32] = "()";
    if (n >= 0) snprintf(shape, sizeof shape, "(%lld,)", (long long)n);
    const int used =
        snprintf(o.head + 10, sizeof o.head - 10,
                 "{'descr': '%s', 'fortran_order': False, 'shape': %s, }", descr, shape);
    o.head_size = 128;
    memset(o.head + 10 + used, ' ', o.head_size - 11 - (size_t)used);
    o.head[o.head_size - 1] = '\n';
    memcpy(o.head, "\x93NUMPY\x01", 7);
    o.head[7] = 0;
    put((unsigned char *)o.head + 8, o.head_size - 10, 2);
    uLong sum = crc32(0, (const Bytef *)o.head, (uInt)o.head_size);
    for (size_t at = 0; at < o.size; at += 1 << 30)
        sum = crc32(sum, (const Bytef *)x + at,
                    (uInt)(o.size - at < 1 << 30 ? o.size - at : 1 << 30));
    o.sum = (uint32_t)sum;
    return o;
}

/* What a local header and an entry of the directory have in common, from the version on. */
static void write_facts(FILE *file, const Output *o) {
    unsigned char f[26] = {20};
    char name[32];
    const int length = snprintf(name, sizeof name, "%s.npy", o->name);
    put(f + 8, 0x21, 2); /* the first of January 1980 */
    put(f + 10, o->sum, 4);
    put(f + 14, o->head_size + o->size, 4);
    put(f + 18, o->head_size + o->size, 4);
    put(f + 22, (uint64_t)length, 2);
    fwrite(f, 1, sizeof f, file);
}

static void write_archive(FILE *file, Output *o, int n) {
    unsigned char end[22] = {'P', 'K', 5, 6};
    uint64_t at = 0, directory = 0;
    for (int k = 0; k < n; k++) {
        o[k].at = (uint32_t)at;
        fwrite("PK\3\4", 1, 4, file);
        write_facts(file, &o[k]);
        fprintf(file, "%s.npy", o[k].name);
        fwrite(o[k].head, 1, o[k].head_size, file);
        fwrite(o[k].x, 1, o[k].size, file);
        at += 30 + strlen(o[k].name) + 4 + o[k].head_size + o[k].size;
    }
    for (int k = 0; k < n; k++) {
        unsigned char rest[14] = {0};
        put(rest + 10, o[k].at, 4);
        fwrite("PK\1\2\24\0", 1, 6, file);
        write_facts(file, &o[k]);
        fwrite(rest, 1, sizeof rest, file);
        fprintf(file, "%s.npy", o[k].name);
        directory += 46 + strlen(o[k].name) + 4;
    }
    put(end + 8, (uint64_t)n, 2);
    put(end + 10, (uint64_t)n, 2);
    put(end + 12, directory, 4);
    put(end + 16, at, 4);
    fwrite(end, 1, sizeof end, file);
}

/* The word of numpy for a type, and the bytes of a value. */
static const char *word_of(gbl_Type type, size_t *width) {
    static const char *const words[] = {"",    "|b1", "|i1", "|u1", "<i2", "<u2", "<i4",
                                        "<u4", "<i8", "<u8", "<f4", "<f8", "<c8", "<c16"};
    gbl_Type_Code code = GBL_UDT_CODE;
    if (gbl_Type_code(&code, type) || code == GBL_UDT_CODE) return NULL;
    *width = strtoul(words[code] + 2, NULL, 10);
    return words[code];
}

/* One value stands for all in an iso matrix; the file has them all. */
static void *all_values(const gbl_Arrays *c, gbl_Index n, size_t width) {
    char *x = malloc(n * width + 1);
    for (gbl_Index k = 0; x && k < n; k++)
        memcpy(x + k * width, (const char *)c->x + (c->iso ? 0 : k * width), width);
    return x;
}

gbl_Info format_write_npz(gbl_Matrix A, const char *path) {
    gbl_Matrix B = NULL;
    gbl_Arrays c = {.p = NULL};
    gbl_Index shape[2], n;
    gbl_Type type;
    size_t width = 0;
    void *x = NULL;
    FILE *file = NULL;
    gbl_Info info;
    if ((info = gbl_Matrix_nrows(&shape[0], A)) || (info = gbl_Matrix_ncols(&shape[1], A)) ||
        (info = gbl_Matrix_nvals(&n, A)) || (info = gbl_Matrix_type(&type, A)))
        return info;
    const char *word = word_of(type, &width);
    if (!word || (double)n * (double)(width + 8) + 8 * (double)shape[0] > 4e9 ||
        shape[1] > (UINT64_C(1) << 31))
        return gbl_fail(GBL_NOT_IMPLEMENTED, NULL,
                        "cannot write %s: archives are written up to 4 GB and 2^31 columns; write "
                        "a .gbl or .h5 file",
                        path);
    if ((info = gbl_Matrix_dup(&B, A)) || (info = gbl_Matrix_moveOut(B, GBL_CSR_FORMAT, &c)))
        goto done;
    x = all_values(&c, n, width);
    if (!x) info = gbl_fail(GBL_OUT_OF_MEMORY, NULL, "not enough memory for the values");
    if (info || (info = cli_open(&file, path))) goto done;
    /* scipy wants pointers and indices of one type */
    int64_t *const wide = malloc((n + 1) * sizeof *wide);
    if (wide) {
        for (gbl_Index k = 0; k < n; k++) wide[k] = c.i[k];
        Output o[] = {describe("indices", "<i8", wide, (int64_t)n, 8),
                      describe("indptr", "<i8", c.p, (int64_t)shape[0] + 1, 8),
                      describe("format", "|S3", "csr", -1, 3),
                      describe("shape", "<i8", shape, 2, 8),
                      describe("data", word, x, (int64_t)n, width)};
        write_archive(file, o, sizeof o / sizeof *o);
    } else {
        info = gbl_fail(GBL_OUT_OF_MEMORY, NULL, "not enough memory for the indices");
    }
    free(wide);
    const gbl_Info closed = cli_close(&file, path);
    if (!info) info = closed;
done:
    gbl_Memory_free(c.p);
    gbl_Memory_free(c.i);
    gbl_Memory_free(c.x);
    free(x);
    gbl_Matrix_free(&B);
    return info;
}
