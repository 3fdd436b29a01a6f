/* SPDX-License-Identifier: Apache-2.0
 *
 * gblite_io: matrices from and to files, and generated test matrices.
 *
 * Built on the functions of gblite.h only; link with -lgblite_io -lgblite. Call gbl_init() first.
 *
 * Rules that hold for every function here:
 *   - it returns a gbl_Info; on failure the code is negative, a matrix to be made is NULL, and
 *     gbl_last_error() says what was wrong: for a bad file its name, the line, and a piece of it;
 *   - the new matrix belongs to the caller (gbl_Matrix_free);
 *   - any number of threads may call at once; each call uses GBL_NTHREADS threads, and its result
 *     does not depend on that number;
 *   - a positive GBL_MEMORY_LIMIT bounds what one call allocates: GBL_INSUFFICIENT_SPACE above;
 *   - the types are the thirteen built-in ones; a user-defined type is GBL_DOMAIN_MISMATCH;
 *   - all arrays come from the allocator of the library (gblite_memory.h).
 */
#ifndef GBLITE_IO_H
#define GBLITE_IO_H

#include "gblite.h"

#pragma push_macro("I") /* of <complex.h> */
#undef I

#ifdef __cplusplus
extern "C" {
#endif

/* gbl_mm_read: Reads a Matrix Market file, plain or compressed by gzip.
 * The first bytes, not the name, tell compression.
 *
 * Understood: coordinate and array; real (also called double), integer, unsigned-integer, complex,
 * pattern; general, symmetric, skew-symmetric, hermitian, the last three stored in full, with
 * GBL_SYMMETRIC. Comments, blank lines, CR LF, a missing end of the last line, letters of either
 * case, and a plus sign in front of a number or an index are fine. type NULL: what a comment above
 * the sizes says, "%%GraphBLAS type int8_t" (the C name of a type), or else BOOL for a pattern,
 * INT64 for integer, UINT64 for unsigned-integer, FP64 for real, FC64 for complex; integers that it
 * does not hold are errors. Values are cast to a type that is given:
 * reals are rounded correctly to double, then to FP32, or cut towards zero and kept inside the
 * range of an integer type (NaN becomes 0); integers wrap as in C; BOOL means "not zero". A pattern
 * has the value 1 everywhere, stored once (iso). Explicit zeros are kept; array files give full
 * matrices.
 *
 * GBL_IO_ERROR: the file cannot be opened, read or decompressed. GBL_INVALID_VALUE: the text is not
 * Matrix Market, or an entry is given twice. GBL_INDEX_OUT_OF_BOUNDS: an index is outside the
 * matrix. GBL_OUT_OF_MEMORY, GBL_NULL_POINTER.
 * The text is read in slabs of 16 MiB: a line is at most that long, and comments and blank lines
 * together take at most 64 MiB; more is GBL_INVALID_VALUE. So a file that does not start with the
 * banner, never ends, or announces more than it has takes memory for what was read only. A matrix
 * with over 8 times as many rows as columns and entries is made by columns, which saves its
 * pointers to rows. Cost: linear in the size of the text; memory about twice the result. */
gbl_Info gbl_mm_read(gbl_Matrix *A, gbl_Type type, const char *path);

/* gbl_mm_read_memory: The same from text[bytes] in memory.
 * It may be compressed and need not end in a zero. */
gbl_Info gbl_mm_read_memory(gbl_Matrix *A, gbl_Type type, const char *text, size_t bytes);

/* gbl_mm_read_mended: Reads what is not quite Matrix Market, where its meaning is clear.
 * Unless `strict`: blanks and blank lines before the banner, a banner with one %, % behind an entry
 * or the banner, lines that end in CR alone, Fortran's exponents (1.5D+3), a coordinate file
 * without a size line (a square matrix of the largest index), an array with the size N for N x 1;
 * no banner but a line of rows, columns and entries (real, or a pattern where the next line has two
 * numbers), indices from 0 where one is 0 (not in a pipe), values of a pattern, which are left
 * unused, and integer files whose comment says float or double with any number.
 * `duplicates` says what becomes of an entry that is given more than once. By default it is an
 * error where strict, and in symmetric files with values, which may mean one or the sum; elsewhere
 * values are added; a sum that an integer type does not hold is an error. `mended` says what was
 * done, in words, "" if nothing. Bytes, if not NULL, are the text, and path is its name. Otherwise
 * as gbl_mm_read. */
typedef enum {
    GBL_DUPLICATES_USUAL,
    GBL_DUPLICATES_ERROR,
    GBL_DUPLICATES_SUM,
    GBL_DUPLICATES_MAX,
    GBL_DUPLICATES_FIRST,
    GBL_DUPLICATES_MIN
} gbl_Duplicates;
typedef struct {
    const char *path, *bytes;
    size_t size; /* of bytes */
    bool strict;
    bool weights; /* values that are negative, infinite or NaN are errors */
    gbl_Duplicates duplicates;
    char mended[384]; /* out */
} gbl_MmText;
gbl_Info gbl_mm_read_mended(gbl_Matrix *A, gbl_Type type, gbl_MmText *text);

/* gbl_edges_read: Reads a list of edges, one a line: two vertices and perhaps a weight.
 * Lines that begin with # are comments, and those with % unless `percent_labels`. What is 0 of the
 * form is guessed from the first lines: the separator (a tab, a comma, a semicolon, or a blank for
 * runs of blanks and tabs) and the columns, from 1 (weight -1: none), which a line of names above
 * (source, target, weight) may tell. A first line of sizes, the last of which is the number of the
 * other lines, is left out. The vertices of A are those that occur: numbers ascending,
 * names, if any vertex of the first lines is no number, in the order of their first appearance;
 * labels, to be freed also after a failure, say which is which. Type NULL: BOOL (iso) without
 * weights, INT64 or UINT64 where all are whole and it holds them, else FP64. Equal edges are merged
 * as `duplicates` says, by default weights are added, and a sum that does not fit is an error.
 * `found` says in words what was guessed or rounded. GBL_INVALID_VALUE names the line of what
 * cannot be read.
 * gbl_label: What a vertex is called: its label, or its number from 1 where there are none.
 * The text is that of the labels, or written to room[24].
 * gbl_label_find: The vertex that is called so; GBL_NO_VALUE, without an error text, if none is.
 * gbl_labels_free: Frees what labels own. */
typedef struct {
    gbl_Index n;     /* 0: vertices are called by their numbers, from 1 */
    uint64_t *id;    /* [n] numbers, ascending; NULL: there is text */
    char *text;      /* of all labels, each with a 0 behind */
    uint64_t *start; /* [n] of each in the text */
} gbl_Labels;
typedef struct {
    const char *path, *bytes;
    size_t size; /* of bytes */
    char separator;
    int from, to, weight;
    bool names;          /* vertices have names even where all are numbers */
    bool percent_labels; /* a line that begins with % is an edge */
    bool weights;        /* values that are negative, infinite or NaN are errors */
    gbl_Duplicates duplicates;
    char found[384]; /* out */
} gbl_EdgeText;
gbl_Info gbl_edges_read(gbl_Matrix *A, gbl_Labels *labels, gbl_Type type, gbl_EdgeText *text);
const char *gbl_label(const gbl_Labels *labels, gbl_Index vertex, char *room);
gbl_Info gbl_label_find(gbl_Index *vertex, const gbl_Labels *labels, const char *label);
void gbl_labels_free(gbl_Labels *labels);

/* gbl_metis_read: Reads a graph in the form of METIS.
 * From bytes[size], or the file where bytes is NULL, plain or compressed by gzip. Type NULL: INT64
 * with weights of edges, else BOOL (iso); values are cast as by gbl_mm_read, and those of equal
 * edges added. Weights and sizes of vertices are skipped. GBL_INVALID_VALUE names the line of what
 * cannot be read. Cost: linear in the size of the text, by all threads; memory 1.3 times the result
 * where lines ascend. */
gbl_Info gbl_metis_read(gbl_Matrix *A, gbl_Type type, const char *path, const char *bytes,
                        size_t size);

/* gbl_file_bytes: The first bytes of a file or pipe, decompressed, at most `most` of them.
 * A new block, with a 0 behind, to be freed by gbl_Memory_free. */
gbl_Info gbl_file_bytes(char **bytes, size_t *size, size_t most, const char *path);

/* gbl_mm_write: Writes A as a Matrix Market file, "coordinate general", by row, then column.
 * Compressed by gzip when the path ends in .gz. The field is pattern for BOOL whose entries are all
 * true, integer for the other BOOL and integer types, unsigned-integer where a value is above 2^63
 * - 1, complex for complex numbers, else real. Reals are printed with 15 digits (FP32: 6) or as
 * many more as reading them back exactly takes. A new file is written beside and then renamed, so
 * that a failure leaves the old one as it was. A path that names something other than a file (a
 * pipe, a device) is written to directly. GBL_IO_ERROR: the file cannot be created, written (disk
 * full) or renamed. Cost: linear in the entries. Memory: 32 bytes or less per entry.
 */
gbl_Info gbl_mm_write(gbl_Matrix A, const char *path);

/* gbl_generate: Makes a matrix from a specification. Numbers stand after colons: er:S:F 2^S
 * vertices, F * 2^S directed edges, ends uniform rmat:S:F 2^S vertices, F * 2^S directed edges,
 * R-MAT with a, b, c, d =.57,.19,.19,.05 rmats:S:F the same edges without direction: symmetric,
 * without self loops web:S:F 2^S pages, up to F links each, most of them copied from a page shortly
 * before grid:M:N M x N crossings, an edge to each neighbour in row and column: symmetric road:M:N
 * this grid without a quarter of its edges, the others with up to 3 vertices on them
 * planted:K:S:I:O K clusters of S vertices, v in cluster v mod K; a vertex is an end of about I
 * edges in its cluster and O in the whole graph; symmetric, without self loops fem:G:D 27-point
 * stencil on a grid of G^3 points, each coupling a full D x D block cross:L:M:N L x M x N points,
 * each with itself and its neighbours along the three axes: a 7-point stencil, a 5-point stencil
 * where one of the numbers is 1 band:N:W N x N, all entries with |i - j| <= W rect:M:N:F M x N, F
 * entries a row at random columns tiles:N:T:F 16 N x 16 N, T tiles of 16 x 16 in each of N rows of
 * tiles, F entries in each decay:N:exp:L, decay:N:alg:L, decay:N:paper N x N, full: at distance d =
 * |i - j| L^d, 1 / (d^L + 1), 0.1 / (d^0.1 + 1); with a seed times numbers between -1 and 1. FP64,
 * FP32 and BOOL; GBL_DOMAIN_MISMATCH for others. 12 bytes an entry in FP64 Duplicate edges and
 * positions are stored once. One more number is the seed, 1 when it is left out. The same
 * specification gives the same matrix on every machine and with every number of threads. type NULL:
 * FP64. Values are uniform in (0, 1] for FP types, in 1..9 for integer types, true for BOOL (iso);
 * those of rmats, planted, grid and road are symmetric, and GBL_SYMMETRIC is set.
 * GBL_INVALID_VALUE: the specification is wrong; the error text lists the right forms. */
gbl_Info gbl_generate(gbl_Matrix *A, gbl_Type type, const char *spec);

/* gbl_generate_shape: The vertices and edges of a graph that is made of numbered edges.
 * For programs that make it in parts: er, rmat, rmats and planted, where equal edges still count
 * more than once. Both are 0 for other generators; GBL_NO_VALUE, and nothing set, where the text
 * names no generator.
 * gbl_generate_edges: The entries of edges [first, first + count) of such a graph.
 * Written to I, J and, unless it is NULL, X, which has the type, FP64 if NULL; each has capacity 2
 * * count. n becomes their number: an edge of rmats or planted is two entries, or none if it is a
 * loop. gbl_generate is all of them, equal ones once. GBL_INVALID_INDEX where there are fewer
 * edges. Cost: 10 to 100 ns an edge, by one thread. */
typedef struct {
    const char *spec;
    gbl_Type type;
    gbl_Index first, count;
    gbl_Index *I, *J;
    void *X;
    gbl_Index n;
} gbl_EdgePart;
gbl_Info gbl_generate_shape(gbl_Index *nvertices, gbl_Index *nedges, const char *spec);
gbl_Info gbl_generate_edges(gbl_EdgePart *part);

/* gbl_file_write: Writes A as a file of gblite's own, by custom NAME.gbl.
 * gbl_file_map: A matrix that reads such a file where it lies, mapped into memory.
 * The file holds what gbl_Matrix_serialize writes (docs/serial_format.md). Mapping reads pages when
 * they are first looked at; a program that changes the matrix does not change the file. The file
 * must not change while the matrix exists: if another program truncates it, reading the missing
 * part kills this one. With `check` all of it is read once and validated; without, mapping takes
 * microseconds for any size, and the file must be trusted like a program. Values are cast, into a
 * copy, if type is neither NULL nor the file's. GBL_IO_ERROR: the file cannot be opened or mapped;
 * GBL_INVALID_OBJECT: it is no such file, or damaged; the common ones. */
gbl_Info gbl_file_write(gbl_Matrix A, const char *path);
gbl_Info gbl_file_map(gbl_Matrix *A, gbl_Type type, const char *path, bool check);

/* gbl_mxm_to_file: C<M> = A * B, written to a .gbl file as it is computed; C need not fit in
 * memory. C is computed in slices of rows. A slice, with its rows of A, is expected to take a
 * quarter of GBL_MEMORY_LIMIT, or of the workspace that products may use without a limit; the
 * workspace of its product is within that limit too. A slice that lacks memory is halved, down to
 * one row. A and B may be mapped files that are larger than the memory: of a B that is larger than
 * a slice, and is not transposed, a slice copies the rows that it multiplies, and is smaller where
 * these would take more than a slice may; one row of A that asks for more reads B where it lies.
 * The file can be mapped (gbl_file_map), and its rows are those of gbl_mxm, or of gbl_mxm_select
 * where `keep` is set, to the bit (but for ANY; see gbl_mxm). Under the name there is the old file,
 * or none, until all is on the disk. A failure, or the end of the process, after the first slice
 * leaves NAME.partial and NAME.journal; with `resume` the same call goes on after the last whole
 * slice of these, with any limit and number of threads, and the file is the same to the byte;
 * without, it writes them anew. Going on reads operands and slices once. how, which may be NULL,
 * says what else is wanted, and gets what was found. `progress` is called before anything is
 * written, when bytes and seconds are predicted, and after each slice; if it returns false, and
 * past GBL_DEADLINE, the call is GBL_CANCELLED. GBL_INSUFFICIENT_SPACE: the bytes that are
 * predicted are more than the disk has free, unless an operator filters, whose share is unknown.
 * GBL_IO_ERROR: the path names no file, the disk is full, a write failed, or another call writes
 * the file. GBL_INVALID_VALUE: GBL_INP0 transposes A, or what is to be gone on with is of another
 * product, or damaged. GBL_NOT_IMPLEMENTED: a dimension above 2^32 - 1 where C may be more than a
 * slice. Otherwise as gbl_mxm. Cost: gbl_mxm's, a copy of A's rows and, in each slice, of B's, an
 * estimate per slice; bytes are written once. */
typedef struct gbl_FileProduct {
    gbl_Type type; /* of C; NULL: that of the semiring */
    gbl_Matrix M;
    const gbl_RowFilter *keep;
    gbl_Descriptor desc;
    bool resume;
    bool (*progress)(void *context, const struct gbl_FileProduct *so_far);
    void *context;
    /* out */
    gbl_Index nrows, rows_done, nvals;
    gbl_Index rows_resumed; /* that were whole */
    uint64_t slices, bytes; /* of the file, so far */
    double bytes_predicted, bytes_free, nvals_predicted;
    double seconds_predicted; /* of gbl_mxm_to_file, none resumed; small products count nothing */
} gbl_FileProduct;
gbl_Info gbl_mxm_to_file(const char *path, gbl_Semiring ring, gbl_Matrix A, gbl_Matrix B,
                         gbl_FileProduct *how);

/* gbl_mxm_reduce_rows: w<m> accum= the rows of C<M> = A * B, each folded by a monoid.
 * C is not stored: it is made in slices of rows, as by gbl_mxm_to_file, each folded before the
 * next. With GBL_INP0 = GBL_TRAN in desc columns are folded instead. m, accum and desc are those of
 * gbl_Matrix_reduce_Monoid; how, which may be NULL, has the type of C, M, the filter and the
 * descriptor of the product, and progress; nvals becomes the entries that were folded. Rows are as
 * gbl_mxm and gbl_Matrix_reduce_Monoid fold them, to the bit, and so are columns, but for sums and
 * products of floats, whose last bits depend on the slices, and so on GBL_MEMORY_LIMIT. Every
 * product is made: A times the row sums of B is cheaper where the algebra allows it, and rounds
 * floats elsewhere. After a failure w is as it was. Errors: those of gbl_mxm_to_file, but for the
 * disk, and of gbl_Matrix_reduce_Monoid; GBL_DOMAIN_MISMATCH for a user-defined type. */
gbl_Info gbl_mxm_reduce_rows(gbl_Vector w, gbl_Vector m, gbl_BinaryOp accum, gbl_Monoid op,
                             gbl_Semiring ring, gbl_Matrix A, gbl_Matrix B, gbl_FileProduct *how,
                             gbl_Descriptor desc);

/* gbl_edges_to_file: What gbl_edges_read and gbl_file_write do, the same file to the byte, of lists
 * of edges that need not fit in memory.
 * gbl_mm_to_file: The same of gbl_mm_read_mended.
 * The list, and what sorts it by buckets of rows (a radix sort by their first digit), lie in mapped
 * temporary files without names, in $TMPDIR or else /tmp, which is to be on a disk. Each page is
 * given back as soon as it has been read or written; the system keeps it in memory that nobody
 * wants, and else on the disk: 16 bytes an edge, and with weights 32. GBL_MEMORY_LIMIT bounds the
 * rest, mainly 5 bytes for each number up to the largest of a vertex, or, where numbers are far
 * apart, 32 bytes an edge, or the names of vertices: GBL_INSUFFICIENT_SPACE. GBL_IO_ERROR: either
 * disk is full, at once where the temporary files do not fit. Arrays of Matrix Market, and matrices
 * that are hypersparse, are read into memory. Cost: that of reading, and of writing files thrice.
 */
gbl_Info gbl_edges_to_file(const char *path, gbl_Labels *labels, gbl_Type type, gbl_EdgeText *text);
gbl_Info gbl_mm_to_file(const char *path, gbl_Type type, gbl_MmText *text);

/* gbl_save: Writes A as the name of the file says.
 * A path that ends in .gbl is written by gbl_file_write, others by gbl_mm_write. */
gbl_Info gbl_save(gbl_Matrix A, const char *path);

/* gbl_load: Reads a file or generates a matrix, as a command line says.
 * The operand is a specification when it starts with the name of a generator and a colon, else the
 * path of a file: one that ends in .gbl is mapped and checked, others are Matrix Market. "./er:1"
 * is always a file. */
gbl_Info gbl_load(gbl_Matrix *A, gbl_Type type, const char *operand);

#ifdef __cplusplus
}
#endif

#pragma pop_macro("I")

#endif
