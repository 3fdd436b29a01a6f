/* SPDX-License-Identifier: Apache-2.0
 *
 * The kernels on matrices: their arrays are read where they are (gbl_Matrix_view), and results are
 * matrices, or arrays of the caller's. A call costs a microsecond above its work. GBL_NO_VALUE: it
 * is left to the caller, because 32 bits do not hold the indices, rows without entries would fill
 * memory, or values have another type.
 */
#include "parts.h"

/* A'x by rows of A is one thread's work: from here on mxv, which cuts it, is faster */
enum {
    SERIAL = 50000,
    AHEAD = 8 /* rows, whose entries are prefetched */,
    LINE = 64,
    CHUNK = 16,
    FEW = 32
};

/* ------------------------------------------------------------------------------------- views -- */

typedef struct {
    Csr A; /* of the matrix, or of its transpose where it is read by columns */
    int64_t columns;
    gbl_Type_Code type;
    int32_t *p;
    void *x; /* of a matrix that holds one value, which is repeated */
} View;

/* The format, or the other one where that is all that A has. */
static gbl_Format held(gbl_Matrix A, gbl_Format format) {
    gbl_Formats have;
    if (gbl_Matrix_formats(&have, A) != GBL_SUCCESS) return format;
    const unsigned by_rows = have.present & GBL_HAS_CSR, by_columns = have.present & GBL_HAS_CSC;
    if (!by_rows == !by_columns) return format;
    return by_rows ? GBL_CSR_FORMAT : GBL_CSC_FORMAT;
}

static void forget(View *v) {
    free(v->p);
    free(v->x);
}

/* What A has, which is copied into no other form. */
typedef struct {
    gbl_Index rows, columns, n;
    gbl_Arrays arrays;
} Look;

static gbl_Info look(Look *l, gbl_Matrix A, gbl_Format format) {
    gbl_Index nrows, ncols;
    gbl_Info info = gbl_Matrix_nvals(&l->n, A);
    if (info == GBL_SUCCESS) info = gbl_Matrix_nrows(&nrows, A);
    if (info == GBL_SUCCESS) info = gbl_Matrix_ncols(&ncols, A);
    if (info != GBL_SUCCESS) return info;
    l->rows = format == GBL_CSR_FORMAT ? nrows : ncols;
    l->columns = nrows + ncols - l->rows;
    if ((nrows | ncols | l->n) >> 31 || has_many_rows(l->rows, l->n)) return GBL_NO_VALUE;
    return gbl_Matrix_view(&l->arrays, A, format);
}

/* Pointers go to p, if that is not NULL. */
static gbl_Info read_arrays(View *v, const Look *l, int32_t *p) {
    const gbl_Arrays *a = &l->arrays;
    const size_t bytes = size_of(v->type);
    if (!p) p = v->p = malloc((l->rows + 1) * sizeof *p);
    v->x = a->iso && l->n > 0 ? malloc(l->n * bytes) : NULL;
    if (!p || (a->iso && l->n > 0 && !v->x)) return fail_memory(l->n);
    for (gbl_Index r = 0; r <= l->rows; r++) p[r] = (int32_t)a->p[r];
    for (gbl_Index k = 0; v->x && k < l->n; k++) memcpy((char *)v->x + k * bytes, a->x, bytes);
    v->A = (Csr){(int64_t)l->rows, p, (const int32_t *)a->i, v->x ? v->x : a->x};
    return GBL_SUCCESS;
}

/* Without success there is nothing to forget. */
static gbl_Info see_into(View *v, gbl_Matrix A, gbl_Format format, int32_t *p) {
    Look l;
    int32_t code;
    gbl_Info info = look(&l, A, format);
    if (info == GBL_SUCCESS) info = gbl_Matrix_get_INT32(A, &code, GBL_EL_TYPE_CODE);
    if (info != GBL_SUCCESS) return info;
    *v = (View){.columns = (int64_t)l.columns, .type = (gbl_Type_Code)code};
    info = read_arrays(v, &l, p);
    if (info != GBL_SUCCESS) forget(v);
    return info;
}

static gbl_Info see(View *v, gbl_Matrix A, gbl_Format format) {
    return see_into(v, A, format, NULL);
}

/* ------------------------------------------------------------------------ out into arrays -- */

gbl_Info gblite_python_times(void *Y, gbl_Matrix A, bool transposed, const void *X, int64_t columns,
                             gbl_Type_Code type) {
    View v;
    const gbl_Format wanted = transposed ? GBL_CSC_FORMAT : GBL_CSR_FORMAT;
    const gbl_Format have = columns == 1 ? held(A, wanted) : wanted;
    gbl_Info info = see(&v, A, have);
    if (info != GBL_SUCCESS) return info;
    if (v.type != type || (have != wanted && v.p[v.A.rows] > SERIAL)) {
        info = GBL_NO_VALUE;
    } else if (have != wanted) {
        memset(Y, 0, (size_t)v.columns * size_of(type));
        gblite_python_add_turned(Y, &v.A, X, type);
    } else {
        gblite_python_matmat(Y, &v.A, X, columns, type);
    }
    forget(&v);
    return info;
}

gbl_Info gblite_python_fetch(const gblite_python_Made *to, int32_t *row_of, gbl_Matrix A,
                             gbl_Format format) {
    View v;
    const gbl_Format have = held(A, format);
    gbl_Info info = see_into(&v, A, have, have == format ? to->p : NULL);
    if (info != GBL_SUCCESS) return info;
    const size_t bytes = size_of(v.type);
    const int64_t rows = have == format ? v.A.rows : v.columns;
    if (have == format)
        gblite_python_copy(to->i, to->x, &v.A, bytes);
    else
        info = gblite_python_transpose(to, &v.A, v.columns, bytes);
    if (info == GBL_SUCCESS && row_of)
        gblite_python_name_rows(row_of, &(Csr){rows, to->p, NULL, NULL});
    forget(&v);
    return info;
}

gbl_Info gblite_python_fill(void *Y, gbl_Matrix A) {
    View v;
    const gbl_Info info = see(&v, A, GBL_CSR_FORMAT);
    if (info != GBL_SUCCESS) return info;
    gblite_python_spread_rows(Y, &v.A, v.columns, size_of(v.type));
    forget(&v);
    return GBL_SUCCESS;
}

gbl_Info gblite_python_held(gblite_python_Held *h, gbl_Matrix A) {
    gbl_Formats have;
    Look l;
    gbl_Info info = gbl_Matrix_formats(&have, A);
    if (info != GBL_SUCCESS) return info;
    if (!(have.present & (GBL_HAS_CSR | GBL_HAS_CSC)) || have.pending > 0) return GBL_NO_VALUE;
    info = look(&l, A, held(A, GBL_CSR_FORMAT));
    if (info != GBL_SUCCESS) return info;
    if (l.n == 0) return GBL_NO_VALUE;
    *h = (gblite_python_Held){l.arrays.x, l.arrays.iso ? 1 : l.n, l.n / l.rows < l.columns};
    return GBL_SUCCESS;
}

/* -------------------------------------------------------------------------- new matrices -- */

/* Blocks of bytes are cut into equal parts: pointers need not be right. */
typedef struct {
    char *to[2];
    const char *from[2];
    size_t bytes[2];
    gbl_Index parts;
} Copy;

static void copy_part(void *of, gbl_Index k) {
    const Copy *c = of;
    for (int b = 0; b < 2; b++) {
        const size_t begin = c->bytes[b] / c->parts * k;
        const size_t end = k + 1 == c->parts ? c->bytes[b] : c->bytes[b] / c->parts * (k + 1);
        if (end > begin) memcpy(c->to[b] + begin, c->from[b] + begin, end - begin);
    }
}

void gblite_python_copy(int32_t *i, void *x, const Csr *A, size_t bytes) {
    const size_t n = (size_t)A->p[A->rows];
    Copy c = {{(char *)i, x}, {(const char *)A->i, A->x}, {n * sizeof *i, n * bytes}, 1 + n / PART};
    gbl_parallel(c.parts, copy_part, &c);
}

typedef struct {
    int32_t *to;
    const int64_t *from;
    gbl_Index n, parts;
    bool wide; /* atomic: an index does not fit */
} Narrow;

static void narrow_part(void *of, gbl_Index k) {
    Narrow *c = of;
    const gbl_Index begin = c->n / c->parts * k;
    const gbl_Index end = k + 1 == c->parts ? c->n : c->n / c->parts * (k + 1);
    uint64_t all = 0;
    for (gbl_Index e = begin; e < end; e++) {
        all |= (uint64_t)c->from[e];
        c->to[e] = (int32_t)c->from[e];
    }
    if (all > INT32_MAX) __atomic_store_n(&c->wide, true, __ATOMIC_RELAXED);
}

bool gblite_python_narrow(int32_t *to, const int64_t *from, gbl_Index n) {
    Narrow c = {to, from, n, 1 + n / PART, false};
    gbl_parallel(c.parts, narrow_part, &c);
    return !c.wide;
}

gbl_Info gblite_python_import_wide(gbl_Matrix *made, gbl_Type type, const gblite_python_Wide *A,
                                   gbl_Index columns, gbl_Format format, size_t bytes) {
    const size_t n = (size_t)A->p[A->rows];
    Made to = {.rows = (gbl_Index)A->rows, .columns = columns, .format = format};
    gbl_Info info = allocate(&to, n, bytes);
    if (info == GBL_SUCCESS && !gblite_python_narrow((int32_t *)to.arrays.i, A->i, n))
        info = GBL_NO_VALUE;
    if (info == GBL_SUCCESS) {
        const size_t of_pointers = (to.rows + 1) * sizeof *to.arrays.p;
        Copy c = {{to.arrays.x, (char *)to.arrays.p},
                  {A->x, (const char *)A->p},
                  {n * bytes, of_pointers},
                  1 + n / PART};
        gbl_parallel(c.parts, copy_part, &c);
    }
    return finish(made, type, &to, info);
}

gbl_Info gblite_python_import(gbl_Matrix *made, gbl_Type type, const Csr *A, gbl_Index columns,
                              gbl_Format format, size_t bytes) {
    Made to = {.rows = (gbl_Index)A->rows, .columns = columns, .format = format};
    const gbl_Info info = allocate(&to, (size_t)A->p[A->rows], bytes);
    if (info == GBL_SUCCESS) {
        for (int64_t r = 0; r <= A->rows; r++) to.arrays.p[r] = (uint64_t)(int64_t)A->p[r];
        gblite_python_copy((int32_t *)to.arrays.i, to.arrays.x, A, bytes);
    }
    return finish(made, type, &to, info);
}

gbl_Info gblite_python_like(gbl_Matrix *made, gbl_Type type, gbl_Matrix A, void *x) {
    Look l;
    const gbl_Format format = held(A, GBL_CSR_FORMAT);
    gbl_Info info = look(&l, A, format);
    if (info != GBL_SUCCESS) {
        gbl_Memory_free(x);
        return info;
    }
    const size_t bytes[] = {(l.rows + 1) * sizeof *l.arrays.p, l.n * sizeof *l.arrays.i};
    Made to = {.rows = l.rows, .columns = l.columns, .format = format};
    to.arrays = (gbl_Arrays){
        .p = gbl_Memory_malloc(bytes[0]), .i = gbl_Memory_malloc(bytes[1] + 1), .x = x};
    if (to.arrays.p && to.arrays.i) {
        Copy c = {{(char *)to.arrays.p, (char *)to.arrays.i},
                  {(const char *)l.arrays.p, (const char *)l.arrays.i},
                  {bytes[0], bytes[1]},
                  1 + l.n / PART};
        gbl_parallel(c.parts, copy_part, &c);
    } else {
        info = fail_memory(l.n);
    }
    return finish(made, type, &to, info);
}

/* Listed rows of a matrix. */
typedef struct {
    const gbl_Arrays *from, *to;
    const gbl_Index *rows;
    gbl_Index count, parts;
    uint64_t n;   /* entries of `from` */
    size_t bytes; /* of a value; 0: one value stands for all */
} Pick;

/* CHUNK entries at a time, of which those behind the row are overwritten by the next row: how long
 * a row is cannot be predicted. */
static inline void pick_rows(const Pick *c, gbl_Index begin, gbl_Index end, size_t bytes) {
    const uint64_t *restrict p = c->from->p, *restrict at = c->to->p, last = at[end];
    const uint32_t *restrict i = c->from->i;
    const char *restrict x = c->from->x;
    uint32_t *restrict to = c->to->i;
    char *restrict values = c->to->x;
    for (gbl_Index k = begin; k < end; k++) {
        const uint64_t first = p[c->rows[k]], n = at[k + 1] - at[k], begins = at[k];
        if (k + AHEAD < end) {
            const uint64_t next = p[c->rows[k + AHEAD]];
            __builtin_prefetch(i + next);
            __builtin_prefetch(x + next * bytes);
            __builtin_prefetch(x + next * bytes + LINE);
        }
        uint64_t e = 0;
        for (; e < n && begins + e + CHUNK <= last && first + e + CHUNK <= c->n; e += CHUNK) {
            memcpy(to + begins + e, i + first + e, CHUNK * sizeof *i);
            memcpy(values + (begins + e) * bytes, x + (first + e) * bytes, CHUNK * bytes);
        }
        if (e < n) {
            memcpy(to + begins + e, i + first + e, (n - e) * sizeof *i);
            memcpy(values + (begins + e) * bytes, x + (first + e) * bytes, (n - e) * bytes);
        }
    }
}

static void pick_part(void *of, gbl_Index k) {
    const Pick *c = of;
    const gbl_Index begin = c->count / c->parts * k;
    const gbl_Index end = k + 1 == c->parts ? c->count : c->count / c->parts * (k + 1);
#define CALL(bytes) pick_rows(c, begin, end, bytes)
    WITH_BYTES(c->bytes, CALL)
#undef CALL
}

gbl_Info gblite_python_pick(gbl_Matrix *made, gbl_Type type, gbl_Matrix A, const gbl_Index *rows,
                            gbl_Index count) {
    Look l;
    int32_t code;
    if (held(A, GBL_CSR_FORMAT) != GBL_CSR_FORMAT) return GBL_NO_VALUE;
    gbl_Info info = look(&l, A, GBL_CSR_FORMAT);
    if (info == GBL_SUCCESS) info = gbl_Matrix_get_INT32(A, &code, GBL_EL_TYPE_CODE);
    if (info != GBL_SUCCESS) return info;
    const size_t bytes = size_of((gbl_Type_Code)code);
    const bool iso = l.arrays.iso;
    uint64_t n = 0;
    for (gbl_Index k = 0; k < count; k++) n += l.arrays.p[rows[k] + 1] - l.arrays.p[rows[k]];
    Made to = {.rows = count, .columns = l.columns, .format = GBL_CSR_FORMAT};
    info = allocate(&to, n, bytes);
    if (info == GBL_SUCCESS) {
        uint64_t *p = to.arrays.p;
        p[0] = 0;
        for (gbl_Index k = 0; k < count; k++)
            p[k + 1] = p[k] + l.arrays.p[rows[k] + 1] - l.arrays.p[rows[k]];
        if (iso && l.n > 0) memcpy(to.arrays.x, l.arrays.x, bytes);
        to.arrays.iso = iso;
        Pick c = {&l.arrays, &to.arrays, rows, count, 1 + n / PART, l.n, iso ? 0 : bytes};
        gbl_parallel(c.parts, pick_part, &c);
    }
    return finish(made, type, &to, info);
}

/* Where a column is, or would be, among ascending ones. Few are counted: no branch depends on
 * them. */
static uint64_t find(const uint32_t *i, uint64_t low, uint64_t high, uint32_t column) {
    while (high - low > FEW) {
        const uint64_t middle = low + (high - low) / 2;
        if (i[middle] < column)
            low = middle + 1;
        else
            high = middle;
    }
    uint64_t below = 0;
    for (uint64_t e = low; e < high; e++) below += i[e] < column;
    return low + below;
}

gbl_Info gblite_python_diagonal(gbl_Vector d, gbl_Matrix A, int64_t k) {
    Look l;
    int32_t code;
    const gbl_Format format = held(A, GBL_CSR_FORMAT);
    gbl_Info info = look(&l, A, format);
    if (info == GBL_SUCCESS) info = gbl_Matrix_get_INT32(A, &code, GBL_EL_TYPE_CODE);
    if (info != GBL_SUCCESS) return info;
    const size_t bytes = size_of((gbl_Type_Code)code);
    const int64_t up = format == GBL_CSR_FORMAT ? k : -k, first = up < 0 ? -up : 0;
    const int64_t rows = (int64_t)l.rows, columns = (int64_t)l.columns;
    const int64_t end = columns - up < rows ? columns - up : rows;
    Made to = {.rows = 1};
    info = allocate(&to, end > first ? (size_t)(end - first) : 0, bytes);
    if (info == GBL_SUCCESS) {
        const gbl_Arrays *a = &l.arrays;
        uint64_t n = 0;
        for (int64_t r = first; r < end; r++) {
            const uint64_t e = find(a->i, a->p[r], a->p[r + 1], (uint32_t)(r + up));
            if (e == a->p[r + 1] || a->i[e] != r + up) continue;
            to.arrays.i[n] = (uint32_t)(up < 0 ? r + up : r);
            copy_value(to.arrays.x, (int64_t)n++, a->x, a->iso ? 0 : (int64_t)e, bytes);
        }
        to.arrays.p[0] = 0;
        to.arrays.p[1] = n;
        info = gbl_Vector_moveInto(d, &to.arrays);
    }
    if (info == GBL_SUCCESS) return info;
    gbl_Memory_free(to.arrays.p);
    gbl_Memory_free(to.arrays.i);
    gbl_Memory_free(to.arrays.x);
    return info;
}

static gbl_Type type_of(gbl_Type_Code code) {
    switch (code) {
#define CASE(N, T, U)                                                                              \
    case GBL_##N##_CODE:                                                                           \
        return GBL_##N;
        FOREACH_VALUE(CASE)
#undef CASE
    default:
        return NULL;
    }
}

/* Merged, into arrays that are too large by what A and B share. */
static gbl_Info merge(gbl_Matrix *made, const View *a, const View *b, char op) {
    const int64_t rows = a->A.rows, most = (int64_t)a->A.p[rows] + b->A.p[rows];
    const bool same = op != '<' && op != '>' && op != '!';
    const size_t bytes = same ? size_of(a->type) : 1;
    Made to = {.rows = (gbl_Index)rows, .columns = (gbl_Index)a->columns, .format = GBL_CSR_FORMAT};
    gbl_Info info = allocate(&to, (size_t)most, bytes);
    int32_t *p = malloc((size_t)(rows + 1) * sizeof *p);
    if (!p && info == GBL_SUCCESS) info = fail_memory((size_t)most);
    if (info == GBL_SUCCESS) {
        gblite_python_union(&(gblite_python_Made){p, (int32_t *)to.arrays.i, to.arrays.x}, &a->A,
                            &b->A, op, a->type, bytes);
        for (int64_t r = 0; r <= rows; r++) to.arrays.p[r] = (uint64_t)p[r];
        shrink(&to, bytes);
    }
    free(p);
    return finish(made, same ? type_of(a->type) : GBL_BOOL, &to, info);
}

gbl_Info gblite_python_merge(gbl_Matrix *made, gbl_Matrix A, gbl_Matrix B, char op) {
    View a, b;
    gbl_Info info = see(&a, A, GBL_CSR_FORMAT);
    if (info != GBL_SUCCESS) return info;
    info = see(&b, B, GBL_CSR_FORMAT);
    if (info == GBL_SUCCESS) {
        const int64_t most = (int64_t)a.A.p[a.A.rows] + b.A.p[b.A.rows];
        const bool fits = a.type == b.type && a.type != GBL_BOOL_CODE && a.type != GBL_FC32_CODE &&
                          a.type != GBL_FC64_CODE && a.A.rows == b.A.rows &&
                          a.columns == b.columns && most <= INT32_MAX;
        info = fits ? merge(made, &a, &b, op) : GBL_NO_VALUE;
        forget(&b);
    }
    forget(&a);
    return info;
}
