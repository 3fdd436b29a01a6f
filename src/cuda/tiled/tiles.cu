/* SPDX-License-Identifier: Apache-2.0
 *
 * Rows become tiles on the device. 16 lanes merge 16 rows: each has a cursor in its row, the least
 * column of tiles under any cursor is the next tile, and every lane takes its row of it. Rows of
 * tiles with many entries are divided into chunks of columns, cut where the longest of the 16 rows
 * has its quantiles, so that no team walks for long. A first pass counts the tiles of every chunk;
 * where a chunk's entries begin follows from its cursors.
 *
 * Cost: columns read twice, values once, tiles written once; two scans of a number per chunk.
 */
#include "cuda/prim/scan.cuh"
#include "cuda/ops/columns.cuh"
#include "cuda/tiled/tiles.cuh"

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

static __device__ __forceinline__ gb_Off entries_before(const gb_TileSource &S, uint64_t I) {
    return S.p[I * GB_TILE < S.m ? I * GB_TILE : S.m];
}

__global__ void gb_tile_chunks(gb_TileSource S, uint64_t *chunks) {
    for (uint64_t I = (uint64_t)blockIdx.x * blockDim.x + threadIdx.x; I < S.rows;
         I += (uint64_t)gridDim.x * blockDim.x) {
        const uint64_t n = entries_before(S, I + 1) - entries_before(S, I);
        chunks[I] = n / GB_CUDA_TILE_CHUNK + (n % GB_CUDA_TILE_CHUNK != 0);
    }
}

/* The 16 lanes of a team, as a mask. */
static __device__ __forceinline__ unsigned team_mask(void) {
    return GB_TILE_MASK << (gb_lane() & GB_TILE);
}

static __device__ __forceinline__ unsigned team_rank(void) {
    return gb_lane() % GB_TILE;
}

template <class T> static __device__ __forceinline__ T team_sum(T value) {
    for (int with = GB_TILE / 2; with > 0; with /= 2)
        value += __shfl_xor_sync(team_mask(), value, with);
    return value;
}

/* A lane's part of a chunk: entries [q, end) of its row. */
struct gb_TileCursor {
    gb_Off q, end;
    gb_Off first; /* entries of the matrix before the chunk, in the order of tiles */
};

/* The row of tiles that a chunk belongs to. */
static __device__ __forceinline__ uint64_t row_of_chunk(const gb_TileSource &S, uint64_t chunk) {
    uint64_t low = 0, high = S.rows;
    while (high - low > 1) {
        const uint64_t mid = low + (high - low) / 2;
        if (S.chunk_begin[mid] <= chunk)
            low = mid;
        else
            high = mid;
    }
    return low;
}

static __device__ gb_TileCursor cursor_of(const gb_TileSource &S, uint64_t chunk) {
    const uint64_t I = row_of_chunk(S, chunk), row = I * GB_TILE + team_rank();
    const uint64_t c = chunk - S.chunk_begin[I], parts = S.chunk_begin[I + 1] - S.chunk_begin[I];
    const gb_Off from = row < S.m ? S.p[row] : 0, to = row < S.m ? S.p[row + 1] : 0;
    const unsigned length = (unsigned)(to - from);
    const unsigned longest = __reduce_max_sync(team_mask(), length);
    const unsigned holders = __ballot_sync(team_mask(), length == longest);
    const gb_Off guide = __shfl_sync(team_mask(), from, __ffs((int)holders) - 1);
    gb_TileCursor cursor = {from, to, 0};
    if (c > 0)
        cursor.q =
            gb_tile_search(S.i, from, to, S.i[guide + longest * c / parts] / GB_TILE * GB_TILE);
    if (c + 1 < parts)
        cursor.end = gb_tile_search(S.i, from, to,
                                    S.i[guide + longest * (c + 1) / parts] / GB_TILE * GB_TILE);
    cursor.first = entries_before(S, I) + team_sum(cursor.q - from);
    return cursor;
}

/* Calls emit(J, mask, q) for every tile of a chunk: in column J of tiles the lane's row has the
 * columns of the mask, entries of the matrix from q on. */
template <class Emit>
static __device__ __forceinline__ void merge_rows(const gb_TileSource &S, gb_TileCursor cursor,
                                                  Emit emit) {
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
    for (uint64_t c = (uint64_t)blockIdx.x * TEAMS + threadIdx.x / GB_TILE; c < bound;
         c += (uint64_t)gridDim.x * TEAMS) {
        uint64_t n = 0;
        if (c < chunks) merge_rows(S, cursor_of(S, c), [&](gb_Idx, unsigned, gb_Off) { n++; });
        if (team_rank() == 0) tiles[c] = n;
    }
}

static __device__ __forceinline__ void move_value(void *to, uint64_t at, const gb_TileSource &S,
                                                  uint64_t from) {
    if (S.xsize == 8)
        static_cast<uint64_t *>(to)[at] = static_cast<const uint64_t *>(S.x)[from];
    else if (S.xsize == 4)
        static_cast<uint32_t *>(to)[at] = static_cast<const uint32_t *>(S.x)[from];
    else
        static_cast<uint8_t *>(to)[at] = static_cast<const uint8_t *>(S.x)[from];
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
    for (uint64_t c = (uint64_t)blockIdx.x * TEAMS + threadIdx.x / GB_TILE; c < chunks;
         c += (uint64_t)gridDim.x * TEAMS) {
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
                for (unsigned e = 0; e < n; e++) move_value(out.x, at + sum - n + e, S, from + e);
            at += __shfl_sync(team_mask(), sum, (int)(gb_lane() | (GB_TILE - 1)));
            t++;
        });
    }
}

/* p of tiles, from the tiles before every chunk. */
__global__ void gb_begin_tile_rows(gb_TileSource S, const uint64_t *before, gb_Off *p) {
    for (uint64_t I = (uint64_t)blockIdx.x * blockDim.x + threadIdx.x; I <= S.rows;
         I += (uint64_t)gridDim.x * blockDim.x)
        p[I] = before[S.chunk_begin[I]];
}

/* A warp a row of tiles. */
__global__ void gb_number_tiles(const gb_Off *p, uint64_t rows, gb_Idx *row_of) {
    const unsigned warps = blockDim.x / GB_WARP;
    for (uint64_t I = (uint64_t)blockIdx.x * warps + threadIdx.x / GB_WARP; I < rows;
         I += (uint64_t)gridDim.x * warps)
        for (gb_Off t = p[I] + gb_lane(); t < p[I + 1]; t += GB_WARP) row_of[t] = (gb_Idx)I;
}

void gb_tile_rows(gb_Job *job, const gb_Off *p, uint64_t rows, gb_Idx *row_of) {
    GB_START(job, gb_number_tiles, gb_grid(rows, THREADS / GB_WARP), THREADS, 0, p, rows, row_of);
}

/* One block for all arrays, of the offsets first and the values last: each begins at a multiple of
 * its size. */
static gb_TilesOut new_tiles(gb_Job *job, gb_DeviceTiles *T, size_t xbytes) {
    gb_TilesOut out;
    memset(&out, 0, sizeof out);
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
    GB_START(job, gb_tile_chunks, gb_grid(T->rows, THREADS), THREADS, 0, S, begin);
    gb_device_scan(job, begin, begin, T->rows);
    GB_START(job, gb_count_tiles, gb_grid(bound, TEAMS), THREADS, 0, S, bound, before);
    gb_device_scan(job, before, before, bound);
    gb_job_read(job, &n, before + bound, sizeof n);
    T->n = n;
    const gb_TilesOut out = new_tiles(job, T, each ? cs->nvals * cs->xsize : 0);
    GB_START(job, gb_begin_tile_rows, gb_grid(T->rows + 1, THREADS), THREADS, 0, S, before, out.p);
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

void gb_tiles_need(gb_Job *job, const gb_DeviceCs *cs, bool values, bool by_columns) {
    gb_DeviceTiles *T = &cs->tiles;
    if (job->info != GBL_SUCCESS) return;
    if (T->block == NULL || (values && !T->has_values)) {
        gb_DeviceTiles made;
        memset(&made, 0, sizeof made);
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
