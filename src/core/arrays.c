/* SPDX-License-Identifier: Apache-2.0
 *
 * Owning arrays: allocation all or nothing, and views of them.
 */
#include "core/arrays.h"

/* For the text of an error: sums that no allocation could have are said as the largest number. */
static size_t sum_of(size_t a, size_t b) {
    return a <= SIZE_MAX - b ? a + b : SIZE_MAX;
}

gbl_Info gb_cs_alloc(gb_Cs *cs, uint64_t nmajor, uint64_t nvals, size_t xbytes) {
    const size_t pbytes = gb_size_of(nmajor + 1, sizeof(gb_Off));
    const size_t ibytes = gb_size_of(nvals, sizeof(gb_Idx));
    gb_Block blocks[3] = {{.bytes = pbytes}, {.bytes = ibytes}, {.bytes = xbytes}};
    *cs = (gb_Cs){.nmajor = nmajor, .nvals = nvals, .icap = nvals, .xcap = xbytes, .sorted = true};
    if (!gb_malloc_all(blocks, 3)) {
        *cs = (gb_Cs){0};
        return gb_fail_memory(sum_of(sum_of(pbytes, ibytes), xbytes));
    }
    cs->p = blocks[0].at;
    cs->i = blocks[1].at;
    cs->x = blocks[2].at;
    return GBL_SUCCESS;
}

/* Whether the arrays are now to be freed. */
static bool leave(gb_Lender *lender) {
    if (lender == NULL) return true;
    const bool users = gb_is_the_users(lender);
    if (!users && __atomic_sub_fetch(&lender->holders, 1, __ATOMIC_ACQ_REL) > 0) return false;
    if (users && lender->release != NULL) lender->release(lender->context);
    gb_free(lender, sizeof *lender);
    return !users;
}

static gbl_Info join(gb_Lender **lender) {
    if (*lender == NULL) {
        gb_Lender *made = gb_malloc(sizeof *made);
        if (made == NULL) return gb_fail_memory(sizeof *made);
        *made = (gb_Lender){.holders = 1};
        *lender = made;
    }
    __atomic_add_fetch(&(*lender)->holders, 1, __ATOMIC_RELAXED);
    return GBL_SUCCESS;
}

gbl_Info gb_cs_share(gb_Cs *copy, gb_Cs *cs) {
    const gbl_Info info = join(&cs->lender);
    if (info == GBL_SUCCESS) *copy = *cs;
    return info;
}

gbl_Info gb_dense_share(gb_Dense *copy, gb_Dense *dense) {
    const gbl_Info info = join(&dense->lender);
    if (info == GBL_SUCCESS) *copy = *dense;
    return info;
}

void gb_cs_free(gb_Cs *cs) {
    const gb_Block blocks[3] = {{cs->p, (cs->nmajor + 1 + cs->pspare) * sizeof(gb_Off)},
                                {cs->i, cs->icap * sizeof(gb_Idx)},
                                {cs->x, cs->xcap}};
    if (!leave(cs->lender)) {
        *cs = (gb_Cs){0};
        return;
    }
    if (cs->foreign) {
        for (int k = 0; k < 3; k++) gb_free_foreign(blocks[k].at, blocks[k].bytes);
    } else {
        gb_free_all(blocks, 3);
    }
    *cs = (gb_Cs){0};
}

gbl_Info gb_cs_copy(gb_Cs *to, const gb_Cs *cs, uint64_t capacity, size_t xsize) {
    gb_Cs copy;
    const size_t xbytes = gb_size_of(cs->iso ? 1 : capacity, xsize);
    const gbl_Info info = gb_cs_alloc(&copy, cs->nmajor, capacity, xbytes);
    if (info != GBL_SUCCESS) return info;
    copy.nvals = cs->nvals;
    copy.iso = cs->iso;
    copy.sorted = cs->sorted;
    memcpy(copy.p, cs->p, (cs->nmajor + 1) * sizeof(gb_Off));
    memcpy(copy.i, cs->i, cs->nvals * sizeof(gb_Idx));
    memcpy(copy.x, cs->x, (cs->iso ? 1 : cs->nvals) * xsize);
    if (to == cs) gb_cs_free(to);
    *to = copy;
    return GBL_SUCCESS;
}

gbl_Info gb_cs_resize(gb_Cs *cs, uint64_t capacity, uint64_t kept, size_t xsize) {
    const size_t ibytes = gb_size_of(capacity, sizeof *cs->i);
    const size_t xbytes = gb_size_of(cs->iso ? 1 : capacity, xsize);
    gb_Idx *i = gb_resize(cs->i, cs->icap * sizeof *i, ibytes, kept * sizeof *i);
    if (i == NULL && ibytes > 0) return gb_fail_memory(ibytes);
    cs->i = i;
    cs->icap = capacity;
    if (xbytes == cs->xcap) return GBL_SUCCESS;
    const uint64_t values = cs->x == NULL ? 0 : cs->iso ? 1 : kept;
    void *x = gb_resize(cs->x, cs->xcap, xbytes, values * xsize);
    if (x == NULL && xbytes > 0) return gb_fail_memory(xbytes);
    cs->x = x;
    cs->xcap = xbytes;
    return GBL_SUCCESS;
}

void gb_cs_trim(gb_Cs *T, size_t xsize) {
    if (T->nvals == 0 || T->nvals > T->icap / 2) return;
    if (gb_cs_resize(T, T->nvals, T->nvals, xsize) != GBL_SUCCESS) gb_error_begin();
}

gbl_Info gb_dense_alloc(gb_Dense *dense, uint64_t n, size_t xbytes, bool bitmap) {
    *dense = (gb_Dense){.n = n, .xcap = xbytes};
    /* No value is ever indeterminate, and a byte, which may be a truth value, is 0 or 1. */
    dense->x = !bitmap       ? gb_malloc(xbytes)
               : xbytes <= n ? gb_calloc(xbytes)
                             : gb_malloc_set(xbytes);
    dense->b = bitmap ? gb_malloc(n) : NULL;
    if ((dense->x != NULL || xbytes == 0) && (dense->b != NULL || !bitmap || n == 0))
        return GBL_SUCCESS;
    gb_dense_free(dense);
    return gb_fail_memory(sum_of(xbytes, bitmap ? n : 0));
}

gbl_Info gb_cs_empty(gb_Cs *cs, uint64_t nmajor) {
    const gbl_Info info = gb_cs_alloc(cs, nmajor, 0, 0);
    if (info == GBL_SUCCESS) memset(cs->p, 0, (nmajor + 1) * sizeof *cs->p);
    return info;
}

gbl_Info gb_dense_copy(gb_Dense *to, const gb_Dense *dense, size_t xsize) {
    gb_Dense copy;
    const size_t xbytes = (dense->iso ? 1 : dense->n) * xsize;
    const gbl_Info info = gb_dense_alloc(&copy, dense->n, xbytes, dense->b != NULL);
    if (info != GBL_SUCCESS) return info;
    if (dense->b != NULL) memcpy(copy.b, dense->b, dense->n);
    memcpy(copy.x, dense->x, xbytes);
    copy.nvals = dense->nvals;
    copy.iso = dense->iso;
    if (to == dense) gb_dense_free(to);
    *to = copy;
    return GBL_SUCCESS;
}

gbl_Info gb_dense_of_cs(gb_Dense *dense, const gb_Cs *cs, gb_Strides step, size_t size,
                        bool bitmap) {
    const uint64_t n = dense->n;
    const size_t xbytes = gb_size_of(cs->iso ? 1 : n, size);
    const gbl_Info info = gb_dense_alloc(dense, n, xbytes, bitmap);
    if (info != GBL_SUCCESS) return info;
    dense->nvals = cs->nvals;
    dense->iso = cs->iso;
    if (bitmap && n > 0) memset(dense->b, 0, n);
    if (cs->iso && cs->nvals > 0) memcpy(dense->x, cs->x, size);
    if (!bitmap && cs->sorted && step.by_minor == 1) { /* all are there, in this order */
        if (!cs->iso && n > 0) memcpy(dense->x, cs->x, n * size);
        return GBL_SUCCESS;
    }
    for (uint64_t major = 0; major < cs->nmajor && cs->nvals > 0; major++)
        for (gb_Off q = cs->p[major]; q < cs->p[major + 1]; q++) {
            const uint64_t k = major * step.by_major + cs->i[q] * step.by_minor;
            if (bitmap) dense->b[k] = 1;
            if (!cs->iso)
                gb_copy_value((char *)dense->x + k * size, (char *)cs->x + q * size, size);
        }
    return GBL_SUCCESS;
}

void gb_dense_free(gb_Dense *dense) {
    if (leave(dense->lender)) {
        gb_free(dense->b, dense->n + dense->spare);
        gb_free(dense->x, dense->xcap);
    }
    *dense = (gb_Dense){0};
}

void gb_dense_fill(gb_Dense *dense) {
    if (dense->b == NULL || dense->nvals < dense->n || dense->spare > 0) return;
    gb_free(dense->b, dense->n);
    dense->b = NULL;
}

/* -- growing: one more row or element is O(1), amortised */

enum { SPARE_LEAST = 16, SPARE_SHARE = 8 };

gbl_Info gb_cs_reserve_rows(gb_Cs *cs, uint64_t nmajor) {
    const uint64_t held = cs->nmajor + cs->pspare;
    if (nmajor <= held) return GBL_SUCCESS;
    const uint64_t wanted = nmajor + nmajor / SPARE_SHARE + SPARE_LEAST;
    const size_t bytes = gb_size_of(wanted + 1, sizeof *cs->p);
    gb_Off *p = gb_resize(cs->p, (held + 1) * sizeof *p, bytes, (cs->nmajor + 1) * sizeof *p);
    if (p == NULL) return gb_fail_memory(bytes);
    cs->p = p;
    cs->pspare = wanted - cs->nmajor;
    return GBL_SUCCESS;
}

void gb_cs_add_rows(gb_Cs *cs, uint64_t nmajor) {
    for (uint64_t k = cs->nmajor + 1; k <= nmajor; k++) cs->p[k] = cs->nvals;
    cs->pspare -= nmajor - cs->nmajor;
    cs->nmajor = nmajor;
}

gbl_Info gb_dense_reserve(gb_Dense *dense, uint64_t n, size_t size) {
    const uint64_t held = dense->n + dense->spare;
    const uint64_t wanted = n + n / SPARE_SHARE + SPARE_LEAST;
    const size_t used = dense->n * size;
    size_t bytes;
    if (!dense->iso && dense->xcap / size < n) {
        bytes = gb_size_of(wanted, size);
        void *x = gb_resize(dense->x, dense->xcap, bytes, used);
        if (x == NULL) return gb_fail_memory(bytes);
        dense->x = x;
        dense->xcap = bytes;
    }
    if (dense->b != NULL && n <= held) return GBL_SUCCESS;
    int8_t *b = dense->b != NULL ? gb_resize(dense->b, held, wanted, dense->n) : gb_malloc(wanted);
    if (b == NULL) return gb_fail_memory(wanted);
    if (dense->b == NULL) memset(b, 1, dense->n);
    dense->b = b;
    dense->spare = wanted - dense->n;
    return GBL_SUCCESS;
}

void gb_dense_add(gb_Dense *dense, uint64_t n, size_t size) {
    memset(dense->b + dense->n, 0, n - dense->n);
    if (!dense->iso) memset((char *)dense->x + dense->n * size, 0, (n - dense->n) * size);
    dense->spare -= n - dense->n;
    dense->n = n;
}

gb_CsView gb_cs_view(const gb_Cs *cs, uint64_t nminor, size_t xsize) {
    return (gb_CsView){.nmajor = cs->nmajor,
                       .nminor = nminor,
                       .nvals = cs->nvals,
                       .p = cs->p,
                       .i = cs->i,
                       .x = cs->x,
                       .xsize = xsize,
                       .iso = cs->iso,
                       .sorted = cs->sorted};
}

/* -- tiles ---------------------------------------------------------------------------------- */

gbl_Info gb_tiles_alloc(gb_Tiles *tiles, uint64_t nmajor, uint64_t nminor, uint64_t ntiles) {
    *tiles = (gb_Tiles){.nmajor = nmajor, .nminor = nminor, .ntiles = ntiles};
    const size_t bytes = gb_size_of(ntiles, GB_TILE * sizeof *tiles->mask + 32);
    if (bytes == SIZE_MAX) return gb_fail_memory(bytes);
    tiles->p = gb_malloc((gb_tile_count(nmajor) + 1) * sizeof *tiles->p);
    tiles->i = gb_malloc(ntiles * sizeof *tiles->i);
    tiles->nnz = gb_malloc((ntiles + 1) * sizeof *tiles->nnz);
    tiles->row = gb_malloc(ntiles * GB_TILE);
    tiles->mask = gb_malloc(ntiles * GB_TILE * sizeof *tiles->mask);
    const bool none = ntiles == 0;
    if (tiles->p != NULL && tiles->nnz != NULL &&
        (none || (tiles->i != NULL && tiles->row != NULL && tiles->mask != NULL)))
        return GBL_SUCCESS;
    gb_tiles_free(tiles);
    return gb_fail_memory(bytes);
}

gbl_Info gb_tiles_alloc_entries(gb_Tiles *tiles, uint64_t nvals, size_t xbytes) {
    uint8_t *rc = gb_malloc(nvals);
    void *x = gb_malloc(xbytes);
    if ((rc == NULL && nvals > 0) || (x == NULL && xbytes > 0)) {
        gb_free(rc, nvals);
        gb_free(x, xbytes);
        return gb_fail_memory(nvals + xbytes);
    }
    tiles->rc = rc;
    tiles->x = x;
    tiles->nvals = nvals;
    tiles->xcap = xbytes;
    return GBL_SUCCESS;
}

void gb_tiles_free(gb_Tiles *tiles) {
    gb_free(tiles->p, (gb_tile_count(tiles->nmajor) + 1) * sizeof *tiles->p);
    gb_free(tiles->i, tiles->ntiles * sizeof *tiles->i);
    gb_free(tiles->nnz, (tiles->ntiles + 1) * sizeof *tiles->nnz);
    gb_free(tiles->row, tiles->ntiles * GB_TILE);
    gb_free(tiles->mask, tiles->ntiles * GB_TILE * sizeof *tiles->mask);
    gb_free(tiles->rc, tiles->nvals);
    gb_free(tiles->x, tiles->xcap);
    *tiles = (gb_Tiles){0};
}

gb_TileView gb_tiles_view(const gb_Tiles *tiles, size_t xsize) {
    return (gb_TileView){.nmajor = tiles->nmajor,
                         .nminor = tiles->nminor,
                         .nvals = tiles->nvals,
                         .ntiles = tiles->ntiles,
                         .p = tiles->p,
                         .i = tiles->i,
                         .nnz = tiles->nnz,
                         .row = tiles->row,
                         .mask = tiles->mask,
                         .rc = tiles->rc,
                         .x = tiles->x,
                         .xsize = xsize,
                         .iso = tiles->iso};
}

uint64_t gb_tiles_bytes(const gb_Tiles *tiles) {
    return (gb_tile_count(tiles->nmajor) + 1) * sizeof *tiles->p +
           tiles->ntiles * (sizeof *tiles->i + GB_TILE * (1 + sizeof *tiles->mask)) +
           (tiles->ntiles + 1) * sizeof *tiles->nnz + tiles->nvals + tiles->xcap;
}
