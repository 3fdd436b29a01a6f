/* SPDX-License-Identifier: Apache-2.0
 *
 * Rows become tiles. 16 lanes merge 16 rows: each has a cursor in its row, the least column of
 * tiles under any cursor is the next tile, and every lane takes its row of it. Long rows of tiles
 * are divided into chunks of columns, at the quantiles of the longest of the 16 rows, which bounds
 * the work of a team. A first pass counts the tiles of every chunk; the first entry of a chunk
 * follows from its cursors.
 *
 * Cost: columns read twice, values once, tiles written once; two scans of a number a chunk.
 */
#include "cuda/ops/entries.cuh"
#include "cuda/tiled/tiled.cuh"

/* TILE_BYTES: of a tile beside values, its nnz, words of rows and column. */
enum { THREADS = 256, TEAMS = THREADS / GB_TILE, TILE_BYTES = 8 + 4 * GB_TILE + 4 };

struct gb_TileSource {
    const gb_Off *p;
    const gb_Idx *i;
    const void *x;
    size_t xsize;
    uint64_t m, rows;            /* rows, and rows of tiles */
    const uint64_t *chunk_begin; /* [rows + 1] first chunk of each row of tiles */
};

GB_DEVICE gb_Off entries_before(const gb_TileSource &S, uint64_t I) {
    return S.p[I * GB_TILE < S.m ? I * GB_TILE : S.m];
}

__global__ void gb_tile_chunks(gb_TileSource S, uint64_t *chunks) {
    GB_EACH_THREAD(I, S.rows) {
        const uint64_t n = entries_before(S, I + 1) - entries_before(S, I);
        chunks[I] = n / GB_CUDA_TILE_CHUNK + (n % GB_CUDA_TILE_CHUNK != 0);
    }
}

/* The 16 lanes of a team, as a mask. */
GB_DEVICE unsigned team_mask(void) {
    return GB_TILE_MASK << (gb_lane() & GB_TILE);
}

GB_DEVICE unsigned team_rank(void) {
    return gb_lane() % GB_TILE;
}

template <class T> GB_DEVICE T team_sum(T value) {
    for (int with = GB_TILE / 2; with > 0; with /= 2)
        value += __shfl_xor_sync(team_mask(), value, with);
    return value;
}

/* A lane's part of a chunk: entries [q, end) of its row. */
struct gb_TileCursor {
    gb_Off q, end;
    gb_Off first; /* entries of the matrix before the chunk, in the order of tiles */
};

static __device__ gb_TileCursor cursor_of(const gb_TileSource &S, uint64_t chunk) {
    const uint64_t I = gb_interval_of(S.chunk_begin, 0, S.rows, chunk),
                   row = I * GB_TILE + team_rank();
    const uint64_t c = chunk - S.chunk_begin[I], parts = S.chunk_begin[I + 1] - S.chunk_begin[I];
    const gb_Off from = row < S.m ? S.p[row] : 0, to = row < S.m ? S.p[row + 1] : 0;
    const unsigned length = (unsigned)(to - from);
    const unsigned longest = __reduce_max_sync(team_mask(), length);
    const unsigned holders = __ballot_sync(team_mask(), length == longest);
    const gb_Off guide = __shfl_sync(team_mask(), from, __ffs((int)holders) - 1);
    gb_TileCursor cursor = {from, to, 0};
    if (c > 0)
        cursor.q =
            gb_lower_bound(S.i, from, to, S.i[guide + longest * c / parts] / GB_TILE * GB_TILE);
    if (c + 1 < parts)
        cursor.end = gb_lower_bound(S.i, from, to,
                                    S.i[guide + longest * (c + 1) / parts] / GB_TILE * GB_TILE);
    cursor.first = entries_before(S, I) + team_sum(cursor.q - from);
    return cursor;
}

/* Calls emit(J, mask, q) for every tile of a chunk: in column J of tiles the lane's row has the
 * columns of the mask, entries of the matrix from q on. */
template <class Emit>
GB_DEVICE void merge_rows(const gb_TileSource &S, gb_TileCursor cursor, Emit emit) {
    for (;;) {
        const gb_Idx mine = cursor.q < cursor.end ? S.i[cursor.q] / GB_TILE : GB_NO_TILE;
        const gb_Idx J = ~__reduce_max_sync(team_mask(), ~mine);
        if (J == GB_NO_TILE) return;
        const gb_Off from = cursor.q;
        unsigned mask = 0;
        for (; cursor.q < cursor.end && S.i[cursor.q] / GB_TILE == J; cursor.q++)
            mask |= 1u << S.i[cursor.q] % GB_TILE;
        emit(J, mask, from);
    }
}

/* tiles[c] = the tiles of chunk c; 0 behind the last one. */
__global__ void gb_count_tiles(gb_TileSource S, uint64_t bound, uint64_t *tiles) {
    const uint64_t chunks = S.chunk_begin[S.rows];
    GB_EACH_TEAM(c, bound, GB_TILE) {
        uint64_t n = 0;
        if (c < chunks) merge_rows(S, cursor_of(S, c), [&](gb_Idx, unsigned, gb_Off) { n++; });
        if (team_rank() == 0) tiles[c] = n;
    }
}

struct gb_TilesOut {
    gb_Off *p, *nnz;
    gb_Idx *i;
    uint32_t *row;
    void *x; /* NULL: none are wanted */
};

/* before[c]: tiles before chunk c. */
__global__ void gb_fill_tiles(gb_TileSource S, const uint64_t *before, gb_TilesOut out) {
    const uint64_t chunks = S.chunk_begin[S.rows];
    GB_EACH_TEAM(c, chunks, GB_TILE) {
        const gb_TileCursor cursor = cursor_of(S, c);
        gb_Off at = cursor.first;
        uint64_t t = before[c];
        merge_rows(S, cursor, [&](gb_Idx J, unsigned mask, gb_Off from) {
            const unsigned n = (unsigned)__popc(mask), rank = team_rank();
            unsigned sum = n;
            for (unsigned by = 1; by < GB_TILE; by *= 2) {
                const unsigned more = __shfl_up_sync(team_mask(), sum, by, GB_TILE);
                if (rank >= by) sum += more;
            }
            out.row[GB_TILE * t + rank] = mask | (sum - n) << GB_TILE_BEFORE;
            if (rank == 0) {
                out.i[t] = J;
                out.nnz[t] = at;
            }
            if (out.x != NULL)
                for (unsigned e = 0; e < n; e++)
                    gb_move_value(out.x, at + sum - n + e, S.x, from + e, S.xsize);
            at += __shfl_sync(team_mask(), sum, (int)(gb_lane() | (GB_TILE - 1)));
            t++;
        });
    }
}

/* p of tiles, from the tiles before every chunk. */
__global__ void gb_begin_tile_rows(gb_TileSource S, const uint64_t *before, gb_Off *p) {
    GB_EACH_THREAD(I, S.rows + 1) p[I] = before[S.chunk_begin[I]];
}

/* One block for all arrays, of the offsets first and the values last: each begins at a multiple of
 * its size. */
static gb_TilesOut new_tiles(gb_Job *job, gb_DeviceTiles *T, size_t xbytes) {
    gb_TilesOut out = {};
    const uint64_t fixed = (T->rows + 1) * sizeof(gb_Off) + T->n * TILE_BYTES;
    const uint64_t aligned = (fixed + 15) / 16 * 16;
    if (T->n >= GB_NO_TILE || fixed + 15 < fixed || aligned + xbytes < aligned)
        gb_job_fail(job, gb_fail(GBL_OUT_OF_MEMORY, "a matrix has too many tiles for the GPU"));
    char *block = (char *)gb_job_bytes(job, aligned + xbytes, 1);
    if (block == NULL) return out;
    out.p = (gb_Off *)block;
    out.nnz = out.p + T->rows + 1;
    out.row = (uint32_t *)(out.nnz + T->n);
    out.i = out.row + GB_TILE * T->n;
    out.x = xbytes > 0 ? block + aligned : NULL;
    T->block = block;
    return out;
}

static void make_tiles(gb_Job *job, const gb_DeviceCs *cs, gb_DeviceTiles *T, bool values) {
    const bool each = values && !cs->iso; /* else the copy's own value serves */
    uint64_t bound, n = 0;
    T->rows = gb_tile_count(cs->nmajor);
    T->columns = gb_tile_count(cs->nminor);
    bound = T->rows + cs->nvals / GB_CUDA_TILE_CHUNK;
    uint64_t *begin = gb_job_new<uint64_t>(job, T->rows + 1);
    uint64_t *before = gb_job_new<uint64_t>(job, bound + 1);
    const gb_TileSource S = {cs->p,   cs->i, each ? cs->x : NULL, cs->xsize, cs->nmajor,
                             T->rows, begin};
    GB_START_THREADS(job, T->rows, gb_tile_chunks, S, begin);
    gb_device_scan(job, begin, begin, T->rows);
    GB_START(job, gb_count_tiles, gb_grid(bound, TEAMS), THREADS, 0, S, bound, before);
    gb_device_scan(job, before, before, bound);
    gb_job_read(job, &n, before + bound, sizeof n);
    T->n = n;
    const gb_TilesOut out = new_tiles(job, T, each ? cs->nvals * cs->xsize : 0);
    GB_START_THREADS(job, T->rows + 1, gb_begin_tile_rows, S, before, out.p);
    GB_START(job, gb_fill_tiles, gb_grid(bound, TEAMS), THREADS, 0, S, before, out);
    T->p = out.p;
    T->i = out.i;
    T->nnz = out.nnz;
    T->row = out.row;
    T->x = out.x;
    T->has_values = values;
    gb_job_drop(job, begin);
    gb_job_drop(job, before);
}

static void list_columns(gb_Job *job, gb_DeviceTiles *T) {
    gb_Off *cp =
        (gb_Off *)gb_job_bytes(job, (T->columns + 1) * sizeof *cp + 2 * T->n * sizeof(gb_Idx), 1);
    gb_Idx *crow = (gb_Idx *)(cp + T->columns + 1), *ctile = crow + T->n;
    gb_list_columns(job, gb_Pattern{T->p, T->i, T->rows, T->n}, T->columns,
                    gb_Columns{cp, crow, ctile});
    if (job->info != GBL_SUCCESS) return;
    T->cp = cp;
    T->crow = crow;
    T->ctile = ctile;
    T->columns_block = cp;
    T->columns_bytes = gb_job_keep(job, cp);
}

void gb_tiles_acquire(gb_Job *job, const gb_DeviceCs *cs, bool values, bool by_columns) {
    gb_DeviceTiles *T = &cs->tiles;
    if (job->info != GBL_SUCCESS) return;
    if (T->block == NULL || (values && !T->has_values)) {
        gb_DeviceTiles made = {};
        gb_copies_drop_tiles(cs);
        make_tiles(job, cs, &made, values);
        if (job->info != GBL_SUCCESS) return;
        made.bytes = gb_job_keep(job, made.block);
        *T = made;
    }
    if (by_columns && T->columns_block == NULL) list_columns(job, T);
}

gb_TileFactor gb_tile_factor(const gb_DeviceCs *cs) {
    const gb_DeviceTiles *T = &cs->tiles;
    return gb_TileFactor{
        T->p,  T->i,    T->nnz,  T->row, cs->iso ? cs->x : T->x, cs->iso ? 0 : UINT64_MAX,
        T->cp, T->crow, T->ctile};
}
