/* SPDX-License-Identifier: Apache-2.0
 *
 * Products by a B that is larger than a slice, as one that lies in a mapped file may be: only the
 * rows that the slice of A has entries for are read, once and in order, into a matrix of their own.
 */
#define _GNU_SOURCE
#include <math.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "slices.h"

enum { BITS = 64, PARTS = 16, NEAR = 1 << 14 }; /* entries between two rows: one read for both */

typedef struct {
    gbl_Arrays from, to;
    uint64_t nvals; /* of B */
    size_t size;    /* of a value; 0: one stands for all */
    gbl_Index *rows, nrows;
} Copy;

/* B transposed has no rows to choose from; hypersparse matrices have no pointers to all. */
gbl_Info gb_product_gathers(gb_Product *c) {
    const gbl_Descriptor desc = c->how->desc;
    int32_t transposed = GBL_DEFAULT;
    gbl_Formats forms;
    gbl_Index nrows;
    gbl_Info info = gbl_Matrix_formats(&forms, c->B);
    if (info == GBL_SUCCESS) info = gbl_Matrix_nrows(&nrows, c->B);
    if (info == GBL_SUCCESS && desc) info = gbl_Descriptor_get_INT32(desc, &transposed, GBL_INP1);
    if (info != GBL_SUCCESS) return info;
    c->gathers = !c->placed && (forms.present & GBL_HAS_CSR) && transposed != GBL_TRAN &&
                 (double)forms.bytes > fmax(c->slice, 8.0 * (double)nrows);
    return GBL_SUCCESS;
}

/* The rows that indices ask for, ascending, at least one. */
static gbl_Info list_rows(Copy *c, const uint32_t *i, uint64_t n, gbl_Index nrows) {
    const uint64_t words = nrows / BITS + 1;
    uint64_t *const word = gb_io_alloc(words, sizeof *word);
    if (!word) return gb_io_no_memory("rows of a matrix");
    memset(word, 0, words * sizeof *word);
    for (uint64_t k = 0; k < n; k++) word[i[k] / BITS] |= (uint64_t)1 << i[k] % BITS;
    if (n == 0) word[0] = 1;
    for (uint64_t w = 0; w < words; w++) c->nrows += (uint64_t)__builtin_popcountll(word[w]);
    gbl_Index *row = c->rows = gb_io_alloc(c->nrows, sizeof *c->rows);
    for (uint64_t w = 0; row && w < words; w++)
        for (; word[w]; word[w] &= word[w] - 1)
            *row++ = w * BITS + (uint64_t)__builtin_ctzll(word[w]);
    gbl_Memory_free(word);
    return row ? GBL_SUCCESS : gb_io_no_memory("rows of a matrix");
}

/* How entries [from, to) of B are read where they lie in a file. */
static void advise(const Copy *c, uint64_t from, uint64_t to, int advice) {
    const uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE);
    const uintptr_t blocks[] = {(uintptr_t)c->from.i, (uintptr_t)c->from.x};
    const size_t sizes[] = {sizeof *c->from.i, c->size};
    for (int k = 0; k < 2; k++) {
        const uintptr_t first = (blocks[k] + from * sizes[k]) & ~(page - 1);
        (void)posix_madvise((void *)first, blocks[k] + to * sizes[k] - first, advice);
    }
}

static void copy_part(void *copy, gbl_Index part) {
    const Copy *const c = copy;
    const gbl_Arrays *const from = &c->from, *const to = &c->to;
    const gbl_Index first = c->nrows * part / PARTS, end = c->nrows * (part + 1) / PARTS;
    for (gbl_Index k = first, next = first; k < end; k = next) {
        uint64_t last = from->p[c->rows[k] + 1];
        while (++next < end && from->p[c->rows[next]] - last < NEAR)
            last = from->p[c->rows[next] + 1];
        advise(c, from->p[c->rows[k]], last, POSIX_MADV_WILLNEED);
    }
    for (gbl_Index k = first; k < end; k++) {
        const uint64_t at = from->p[c->rows[k]], q = to->p[k], n = to->p[k + 1] - q;
        memcpy(to->i + q, from->i + at, n * sizeof *from->i);
        memcpy((char *)to->x + q * c->size, (char *)from->x + at * c->size, n * c->size);
    }
}

static gbl_Info copy_rows(gbl_Matrix *B, Copy *c, const gb_Product *of, const gb_Kind *kind) {
    uint64_t n = 0;
    c->to.iso = c->from.iso;
    c->size = c->to.iso ? 0 : kind->size;
    c->to.p = gb_io_alloc(c->nrows + 1, sizeof *c->to.p);
    if (!c->to.p) return gb_io_no_memory("rows of a matrix");
    for (gbl_Index k = 0; k < c->nrows; k++) {
        c->to.p[k] = n;
        n += c->from.p[c->rows[k] + 1] - c->from.p[c->rows[k]];
    }
    c->to.p[c->nrows] = n;
    if (8.0 * (double)c->nrows + (double)n * (double)(4 + c->size) > of->slice) return GBL_SUCCESS;
    c->to.i = gb_io_alloc(n, sizeof *c->to.i);
    c->to.x = gb_io_alloc(c->to.iso ? 1 : n, kind->size);
    if (!c->to.i || !c->to.x) return gb_io_no_memory("rows of a matrix");
    if (c->to.iso) memcpy(c->to.x, c->from.x, kind->size);
    advise(c, 0, c->nvals, POSIX_MADV_RANDOM); /* or the system reads megabytes around each row */
    gbl_parallel(PARTS, copy_part, c);
    advise(c, 0, c->nvals, POSIX_MADV_NORMAL);
    return gb_io_move_in(B, kind, (gb_Shape){c->nrows, of->ncols}, GBL_CSR_FORMAT, &c->to);
}

gbl_Info gb_product_gather(gbl_Matrix *B, gbl_Matrix *S, const gb_Product *of, gbl_Index count) {
    Copy c = {0};
    gb_Kind kind = {0};
    gbl_Arrays wanted;
    gbl_Matrix T = NULL;
    gbl_Index nrows;
    gbl_Info info;
    if ((info = gbl_Matrix_view(&c.from, of->B, GBL_CSR_FORMAT)) ||
        (info = gbl_Matrix_nvals(&c.nvals, of->B)) || (info = gbl_Matrix_type(&kind.type, of->B)) ||
        (info = gbl_Type_size(&kind.size, kind.type)) || (info = gbl_Matrix_nrows(&nrows, of->B)) ||
        (info = gbl_Matrix_view(&wanted, *S, GBL_CSR_FORMAT)) ||
        (info = list_rows(&c, wanted.i, wanted.p[count], nrows)) ||
        (info = copy_rows(B, &c, of, &kind)) || !*B || (info = gbl_Matrix_type(&kind.type, *S)) ||
        (info = gbl_Matrix_new(&T, kind.type, count, c.nrows)) ||
        (info = gbl_Matrix_extract(T, NULL, NULL, *S, GBL_ALL, count, c.rows, c.nrows, NULL)))
        goto done;
    gbl_Matrix_free(S);
    *S = T;
    T = NULL;
done:
    gbl_Matrix_free(&T);
    gbl_Memory_free(c.rows);
    gb_io_free_arrays(&c.to);
    return info;
}
