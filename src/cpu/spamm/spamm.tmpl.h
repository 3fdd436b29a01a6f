/* SPDX-License-Identifier: Apache-2.0
 *
 * Sub-matrices of the approximate product (cuSpAMM, section 3.3) as values of SPAMM_T:
 * spamm.c includes this once per type, with SPAMM_NAME(f) for the names.
 *
 * An entry of C is summed from 0 in the order of the inner index, by products that are rounded
 * before they are added; the zeros that stand for entries that are not there change no sum that
 * begins with 0. So bits do not depend on the registers that a set has, nor on the side.
 */
typedef SPAMM_T SPAMM_NAME(SpammLanes) __attribute__((vector_size(GB_REGISTER)));

/* -- copies ------------------------------------------------------------------------------------ */

static void SPAMM_NAME(copy_rows)(const gb_SpammCopy *to, unsigned side, uint64_t I) {
    const gb_SpammFactor *X = to->X;
    const uint64_t first = I * side;
    const uint64_t height = X->nmajor - first < side ? X->nmajor - first : side;
    for (gb_Off t = X->p[I]; t < X->p[I + 1]; t++) {
        if (to->slot[t] == GB_SPAMM_NONE) continue;
        const uint64_t column = (uint64_t)X->i[t] * side;
        const uint64_t width = X->nminor - column < side ? X->nminor - column : side;
        SPAMM_T *x = (SPAMM_T *)to->x + (uint64_t)to->slot[t] * side * side;
        for (uint64_t r = 0; r < height; r++, x += side) {
            const SPAMM_T *from = (const SPAMM_T *)X->x;
            if (!X->iso) from += (first + r) * X->nminor + column;
            for (uint64_t c = 0; c < width; c++) x[c] = from[X->iso ? 0 : c];
        }
    }
}

static void SPAMM_NAME(copy_tiles)(const gb_SpammCopy *to, unsigned side, uint64_t I) {
    const gb_SpammFactor *X = to->X;
    const gb_TileView *T = &X->tiles;
    const unsigned across = side / GB_TILE;
    const uint64_t all = gb_tile_count(T->nmajor), first = I * across;
    for (uint64_t row = first; row < all && row < first + across; row++) {
        gb_Off at = X->p[I];
        for (gb_Off t = T->p[row]; t < T->p[row + 1]; t++) {
            while (X->i[at] < T->i[t] / across) at++;
            if (to->slot[at] == GB_SPAMM_NONE) continue;
            const unsigned below = (unsigned)(row - first) * GB_TILE;
            const unsigned right = T->i[t] % across * GB_TILE;
            SPAMM_T *x = (SPAMM_T *)to->x + (uint64_t)to->slot[at] * side * side;
            uint64_t *bits = to->bits + (uint64_t)to->slot[at] * side + below;
            for (unsigned r = 0; r < GB_TILE; r++)
                bits[r] |= (uint64_t)T->mask[t * GB_TILE + r] << right;
            x += below * side + right;
            for (gb_Off q = T->nnz[t]; q < T->nnz[t + 1]; q++)
                x[(T->rc[q] >> 4) * side + (T->rc[q] & 15u)] =
                    ((const SPAMM_T *)T->x)[T->iso ? 0 : q];
        }
    }
}

/* -- products ---------------------------------------------------------------------------------- */

/* SPAMM_ROWS x `registers` registers of C over n products: sums stay in registers. `side` and
 * `registers` are constants of the callers. */
GB_INLINE void SPAMM_NAME(panel)(SPAMM_T *c, const SPAMM_T *const *a, const SPAMM_T *const *b,
                                 uint64_t n, unsigned side, unsigned registers) {
    typedef SPAMM_NAME(SpammLanes) Lanes;
    const unsigned lanes = GB_REGISTER / sizeof(SPAMM_T);
    Lanes sum[SPAMM_ROWS][2];
    GB_UNROLL for (unsigned r = 0; r < SPAMM_ROWS; r++) {
        GB_UNROLL for (unsigned h = 0; h < registers; h++)
            memcpy(&sum[r][h], c + r * side + h * lanes, sizeof(Lanes));
    }
    for (uint64_t p = 0; p < n; p++)
        for (unsigned k = 0; k < side; k++) {
            Lanes right[2];
            GB_UNROLL for (unsigned h = 0; h < registers; h++)
                memcpy(&right[h], b[p] + k * side + h * lanes, sizeof(Lanes));
            GB_UNROLL for (unsigned r = 0; r < SPAMM_ROWS; r++) {
                const Lanes left = a[p][r * side + k] - (Lanes){0}; /* in all lanes */
                GB_UNROLL for (unsigned h = 0; h < registers; h++) sum[r][h] += left * right[h];
            }
        }
    GB_UNROLL for (unsigned r = 0; r < SPAMM_ROWS; r++) {
        GB_UNROLL for (unsigned h = 0; h < registers; h++)
            memcpy(c + r * side + h * lanes, &sum[r][h], sizeof(Lanes));
    }
}

GB_INLINE void SPAMM_NAME(products)(SPAMM_T *c, const SPAMM_T **a, const SPAMM_T **b, uint64_t n,
                                    unsigned side) {
    const unsigned lanes = GB_REGISTER / sizeof(SPAMM_T);
    const unsigned registers = 2 * lanes <= side ? 2 : 1;
    for (unsigned i = 0; i < side; i += SPAMM_ROWS) {
        for (unsigned j = 0; j < side; j += registers * lanes) {
            SPAMM_NAME(panel)(c + i * side + j, a, b, n, side, registers);
            for (uint64_t p = 0; p < n; p++) b[p] += registers * lanes;
        }
        for (uint64_t p = 0; p < n; p++) {
            a[p] += SPAMM_ROWS * side;
            b[p] -= side;
        }
    }
}

/* Entry by entry, those that are there: a zero that stands for none would make NaN of infinity. */
static void SPAMM_NAME(wild_product)(SPAMM_T *c, const gb_SpammRun *run, uint32_t a, uint32_t b) {
    const unsigned side = run->g->side;
    const SPAMM_T *x = (const SPAMM_T *)run->A.x + (uint64_t)a * side * side;
    const SPAMM_T *y = (const SPAMM_T *)run->B.x + (uint64_t)b * side * side;
    const uint64_t *xbits = run->A.bits + (uint64_t)a * side;
    const uint64_t *ybits = run->B.bits + (uint64_t)b * side;
    for (unsigned r = 0; r < side; r++)
        for (uint64_t inner = xbits[r]; inner != 0; inner &= inner - 1) {
            const unsigned k = (unsigned)__builtin_ctzll(inner);
            for (uint64_t there = ybits[k]; there != 0; there &= there - 1) {
                const unsigned j = (unsigned)__builtin_ctzll(there);
                const SPAMM_T product = x[r * side + k] * y[k * side + j];
                c[r * side + j] += product;
            }
        }
}

static void SPAMM_NAME(multiply)(void *c, const gb_SpammRun *run, const gb_SpammPair *pair,
                                 uint64_t n) {
    const unsigned side = run->g->side;
    const uint64_t cells = (uint64_t)side * side;
    const SPAMM_T *a[GB_SPAMM_AT_ONCE], *b[GB_SPAMM_AT_ONCE];
    for (uint64_t from = 0; from < n;) {
        uint64_t m = 0;
        for (; m < GB_SPAMM_AT_ONCE && from < n && (pair[from].b & GB_SPAMM_WILD) == 0; m++) {
            a[m] = (const SPAMM_T *)run->A.x + pair[from].a * cells;
            b[m] = (const SPAMM_T *)run->B.x + pair[from++].b * cells;
        }
        if (m == 0) {
            SPAMM_NAME(wild_product)(c, run, pair[from].a, pair[from].b & ~GB_SPAMM_WILD);
            from++;
        } else if (side == 16) {
            SPAMM_NAME(products)(c, a, b, m, 16);
        } else if (side == 32) {
            SPAMM_NAME(products)(c, a, b, m, 32);
        } else {
            SPAMM_NAME(products)(c, a, b, m, 64);
        }
    }
}

/* -- C ----------------------------------------------------------------------------------------- */

static void SPAMM_NAME(store_rows)(const gb_SpammRun *run, uint64_t I, uint64_t c, const void *x) {
    const unsigned side = run->g->side;
    const gb_Cs *C = run->cs;
    const uint64_t n = run->g->B.nminor, column = (uint64_t)run->i[c] * side;
    const uint64_t width = n - column < side ? n - column : side;
    const uint64_t end = (I + 1) * side < C->nmajor ? (I + 1) * side : C->nmajor;
    const SPAMM_T *from = x;
    for (uint64_t row = I * side; row < end; row++, from += side) {
        const gb_Off at = C->p[row] + (c - run->p[I]) * side;
        gb_Idx *i = C->i + at;
        memcpy((SPAMM_T *)C->x + at, from, width * sizeof *from);
        for (uint64_t k = 0; k < width; k++) i[k] = (gb_Idx)(column + k);
    }
}

static void SPAMM_NAME(store_tiles)(const gb_SpammRun *run, uint64_t c, const void *x) {
    const unsigned side = run->g->side, across = side / GB_TILE;
    const gb_Tiles *T = run->tiles;
    for (unsigned h = 0; h < across; h++) {
        const uint64_t *bits = run->bits + c * side + h * GB_TILE;
        gb_Off t = run->first[c * across + h];
        for (unsigned v = 0; v < across; v++) {
            if (!gb_spamm_has_tile(bits, v)) continue;
            const SPAMM_T *from = (const SPAMM_T *)x + h * GB_TILE * side + v * GB_TILE;
            SPAMM_T *to = (SPAMM_T *)T->x + T->nnz[t];
            uint8_t positions[GB_TILE_CELLS + GB_TILE];
            unsigned n = 0;
            for (unsigned r = 0; r < GB_TILE; r++, from += side) {
                const unsigned mask = gb_spamm_mask(bits, r, v);
                n += gb_set_bits(positions + n, mask, r << 4);
                to += sizeof(SPAMM_T) == 8 ? gb_pack64((void *)to, (const void *)from, mask)
                                           : gb_pack32((void *)to, (const void *)from, mask);
            }
            memcpy(T->rc + T->nnz[t++], positions, n);
        }
    }
}

static const gb_SpammKernel SPAMM_NAME(kernel) = {
    .size = sizeof(SPAMM_T),
    .copy_rows = SPAMM_NAME(copy_rows),
    .copy_tiles = SPAMM_NAME(copy_tiles),
    .multiply = SPAMM_NAME(multiply),
    .store_rows = SPAMM_NAME(store_rows),
    .store_tiles = SPAMM_NAME(store_tiles),
};
