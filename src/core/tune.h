/* SPDX-License-Identifier: Apache-2.0
 *
 * Sizes other than the choice of a method (mxm/machine/cost_table.h).
 */
#pragma once

/* A size, and what it is in GB_TINY builds, so that small tests cross every threshold. */
#ifdef GB_TINY
#define GB_TUNED(usual, tiny) tiny
#else
#define GB_TUNED(usual, tiny) usual
#endif

/* -- hypersparse objects (src/ops/hyper.c, src/matrix/compact.c). A direct map of renumbered
 * indices has so many numbers per entry; beyond, each is searched: as long as filling 16. */
#define GB_MAP_WORTH GB_TUNED(16u, 1u)
/* Row lists with so many indices per entry lose empty rows: a pass takes 1 ns each, making 10. */
#define GB_ROW_LIST_SLACK GB_TUNED(8u, 1u)
/* A matrix whose longer dimension is above the first is hypersparse where it has fewer entries than
 * that over the second: pointers along it take 512 bytes per entry, and a pass over them is far
 * longer than one over entries. Below the first a pass over pointers takes less than 10 us. Few
 * rows have few pointers, and no lists up to so many columns as the third: a frontier of 4 rows in
 * a road network of 160,000 vertices is 10 times as fast by rows. */
#define GB_HYPER_LEAST GB_TUNED(((uint64_t)1 << 14), 1024u)
#define GB_HYPER_FEW GB_TUNED(64u, 8u)
#define GB_HYPER_LONG GB_TUNED(((uint64_t)1 << 25), 65536u)
/* Products and selections of a full iso matrix of at least so many positions are made without
 * listing them; below, the kernels take microseconds. */
#define GB_FULL_ISO_LEAST GB_TUNED(((uint64_t)1 << 16), 16u)
/* Updates are read beside the content (matrix/delta.c) where it has at least so many entries and
 * rows, and a share of them as updates at most; else they are folded into it. Folding takes 1 to 3
 * ns for each entry and row, an update that is indexed 60 ns, and a lookup that goes by the index
 * 40 ns more than one in sorted rows: the same share of lookups pays for folding. */
#define GB_DELTA_LEAST GB_TUNED(2048u, 8u)
#define GB_DELTA_SHARE GB_TUNED(16u, 1u)
/* Columns are searched in rows so much longer than their list. */
#define GB_GATHER_SEARCHED GB_TUNED(8u, 1u)
/* Blocks of at least this many bytes go to the pool; below, malloc's free lists are as fast. */
#define GB_POOL_MIN_BLOCK GB_TUNED((256u << 10), 4096u)
/* Shrinking blocks of the pool are copied up to this size: products whose arrays are cut to size
 * took 110 (cage8) to 1100 (wiki-Vote) page faults and take 2 to 370. */
#define GB_SHRINK_COPIED GB_TUNED((32u << 20), 65536u)
/* A smaller demand than this does not shorten epochs of the pool. */
#define GB_POOL_DEMAND_LEAST GB_TUNED(((uint64_t)64 << 20), ((uint64_t)1 << 20))
/* Entries per additional thread: a parallel region costs about 5 us, an entry about 1 ns. */
#define GB_GRAIN GB_TUNED(8192u, 8u)
/* Entries and rows per additional thread when flops are counted: each takes 0.4 ns. */
#define GB_COUNT_GRAIN GB_TUNED(32768u, 8u)
/* Values gathered into a buffer for one batch call: 256 * 3 arrays of 8 bytes stay in L1. */
#define GB_BATCH GB_TUNED(256u, 5u)
/* Values per partial sum of a reduction; fixed, so that the result does not depend on threads.
 * GB_GRAIN values pay for a thread: 65536 left one of two threads almost none of 73312. */
#define GB_REDUCE_BLOCK GB_TUNED(8192u, 16u)
/* Blocks of at least this many bytes are advised to use huge pages: 1.2 to 1.5 times faster
 * products with 800 MB results; smaller blocks pay more for zeroing than they gain. */
#define GB_HUGE_MIN GB_TUNED((4u << 20), 65536u)

/* -- products (src/cpu); measured on 2 cores of an AMD EPYC (Zen 4, AVX-512, 1 MB L2 per core,
 * 32 MB L3), gcc 12 -O3, November 2026, by bench/compare. */
/* Rows of at most so many flops are expanded and sorted; at most 64, since a key holds the
 * number of the product in 6 bits. */
#define GB_SORT_MAX GB_TUNED(64u, 8u)
/* Dense accumulator when its values and marks fit in this many bytes per thread: 2.3 MB (rmat:18:4)
 * take 0.81 s dense and 1.01 s hashed, 9.4 MB (er:20:8) 1.41 s dense and 0.93 s hashed ... */
#define GB_DENSE_BYTES GB_TUNED((4u << 20), 256u)
/* ... or when a row has more flops than n / GB_DENSE_FILL. */
#define GB_DENSE_FILL GB_TUNED(64u, 4u)
/* Products per chunk of rows: enough to hide the cost of dispatching a chunk (about 1 us), few
 * enough that the chunk's result stays in L2 until it is copied to C. */
#define GB_CHUNK_FLOPS GB_TUNED(32768u, 64u)
/* Products of at most so many flops and rows are one chunk without chunk bookkeeping and buffers:
 * of 10 x 10 matrices and 82 products these took 0.3 of 0.75 us. */
#define GB_ONE_CHUNK_FLOPS GB_TUNED(512u, 32u)
/* The same for masked inner products, in entries of the mask. */
#define GB_CHUNK_ENTRIES GB_TUNED(4096u, 16u)
/* Entries that the capacity of every hashed row exceeds its estimate by. */
#define GB_ROOM_LEAST GB_TUNED(16u, 1u)
/* Results whose values take more bytes are written with non-temporal stores: their first lines
 * would leave the caches before they are read. */
#define GB_STREAM_MIN GB_TUNED((16u << 20), 512u)
/* A product whose rows of a full B mostly hit L2 uses ordinary stores up to this share of L3. Intel
 * Xeon, 300 MB of L3, 2 threads, 28 November 2026, least of 3 medians of 15, ms, non-temporal and
 * not, 64 and 128 columns: band:60000:8 6.0, 10.4 and 4.5, 8.2, fem:34:1 5.1, 9.6 and 4.5, 8.4.
 * Where B exceeds L2, er:17:4, 17.0, 32.0 and 17.2, 36.1. The 32 MB of a Zen 4 change nothing. */
#define GB_STREAM_SHARE GB_TUNED(4u, (1u << 20))
/* Bytes of marks from which the symbolic pass counts short rows in a hash set instead. */
#define GB_COUNT_BYTES GB_TUNED((1u << 20), 256u)
/* Bytes of marks from which it never uses any. */
#define GB_MARKS_MOST GB_TUNED((256u << 20), 4096u)
/* Products of floats per 64 columns of a row, in the mean, from which the dense accumulator has no
 * marks: with 240 of them (20000 columns, 2 threads of a 2.5 GHz Cascade Lake) a product takes 2.6
 * s instead of 3.9 in FP32, 3.0 instead of 4.3 in FP64. */
#define GB_UNMARKED_FLOPS GB_TUNED(16u, 2u)
/* Bytes of buffers of whole rows, per thread, after which the filtered rows of a product are
 * compacted: each compaction costs a barrier, and the capacity for the remaining rows is known from
 * then on. Later rows that do not fit wait in buffers, so the first compaction comes early. Not
 * varied. */
#define GB_FILTER_FIRST GB_TUNED((1u << 20), 512u)
#define GB_FILTER_BUFFERS GB_TUNED((8u << 20), 2048u)
/* An L2 cache larger than this is shared by cores. */
#define GB_CACHE_MOST GB_TUNED((4u << 20), 4096u)
/* Rows of a bin of the outer product; their counters take a quarter of L2. */
#define GB_BIN_ROWS GB_TUNED(65536u, 8u)
/* Products of a packet: its columns fill one line of the cache. */
#define GB_PACKET GB_TUNED(16u, 3u)
/* Column ranges of a heavy row: more would cost more than summing beyond L2. */
#define GB_RANGES_MOST GB_TUNED(1024u, 64u)
/* Products of rows that are sorted together: their keys and values take 24 KB. */
#define GB_WINDOW GB_TUNED(2048u, 64u)
/* Keys that a network of the outer product sorts, at most 64 and at least 16. */
#define GB_RUN_MOST GB_TUNED(64u, 20u)
/* Products of the longest row that is cut into runs for networks, with AVX-512; longer ones are
 * sorted by radix passes. 4 million flops in rows of 100, 200, 400, 800, 1600 on one thread: cut
 * 27, 30, 33, 35, 37 ms, by radix 34, 30, 29, 28, 25. Without AVX-512 no row is cut: 56, 60, 66,
 * 67, 74 ms against 36, 31, 31, 29, 26. */
#define GB_CUT_MOST GB_TUNED(192u, 40u)
/* Local bins of one thread take at most this many times L2; more bins make slices, and each slice
 * passes over A and B again. er:20:8, 1665 bins: 312 ms in one slice, 343 in two of half of L2, 387
 * in four of a quarter. */
#define GB_LOCAL_CACHES GB_TUNED(1u, 16u)
/* See GB_CLOSURE_LOOK. */
#define GB_CLOSURE_GRAIN GB_TUNED(16384u, 8u)
#define GB_CLOSURE_BUCKETS GB_TUNED(256, 3)
/* select scans rows of at most so many entries for a column and searches longer ones. */
#define GB_SELECT_SHORT GB_TUNED(16u, 2u)
/* permute sorts rows of at most so many entries by counting the lesser ones for each; it prefetches
 * rows so many ahead. With both, and longer rows sorted by radix, the renumbered triangles of
 * rmats:15:13, 16:16 and 17:10 take 2.3, 5.7 and 9.3 ms instead of 4.2, 9.9 and 15.1 (one thread of
 * a Zen 5); not varied separately. */
#define GB_RANKED GB_TUNED(24u, 4u)
#define GB_PERMUTE_AHEAD GB_TUNED(8u, 2u)
/* join prefetches the first entries of rows so many rows ahead, where all are read and have more
 * than 16 on average: two of each row of rmats:18:16 4.6 instead of 6.9 ms, but er:16:16, with 32 a
 * row, 0.58 instead of 0.52, one thread of an AMD EPYC (family 25). Other numbers were not
 * tried. */
#define GB_JOIN_AHEAD GB_TUNED(16u, 2u)
/* Entries (of a sparse vector, of a matrix, or flops) are few when there are this many times more
 * positions: then they are sorted and searched, and no array is as long as a dimension. Push
 * without scratch, one thread: er:18:4, 1 entry in 1000 (250 positions a product) 80 us scattered,
 * 26 sorted; er:20:4, 10 entries 121 and 2.5. */
#define GB_FEW GB_TUNED(64u, 2u)
/* Assigning a row or column so many times shorter than the matrix records deferred updates.
 * er:16:8, 16 lines of a 9th, 12th, 20th of it in a loop: 1.8, 1.6, 1.2 ms a line; at once 4.9,
 * 4.1, 2.4 ms. */
#define GB_UPDATE_COST GB_TUNED(8u, 2u)
/* Writing so many times fewer positions than C has entries and rows makes edits of elements, 60 to
 * 100 ns each, where a pass over C takes 1 to 3 ns an entry. Operations other than assign compute T
 * as an object of its own for that, about 1 us: of smaller C the pass is as fast. */
#define GB_FEW_EDITS GB_TUNED(32u, 1u)
#define GB_FEW_LEAST GB_TUNED(4096u, 1u)
/* Products of a chunk of sparse times full: about 10 us. */
#define GB_SPMM_CHUNK GB_TUNED(65536u, 256u)
/* Bytes of rows of C that are summed in L1 before non-temporal stores. */
#define GB_SPMM_BUFFER GB_TUNED((8u << 10), 256u)
/* Products per chunk of rows of the method VECTOR: what a chunk prefetches stays in L2. Not
 * varied. */
#define GB_VECTOR_CHUNK GB_TUNED(6144u, 64u)
/* Bytes of a thread for the hash tables of a block of rows, beyond which a block has fewer: a part
 * of L2. Not varied. */
#define GB_VECTOR_HASH_BYTES GB_TUNED((1u << 20), 2048u)
/* Slots of a window of the method PANEL: sums of 4 MB, of which a panel touches few lines, and
 * mostly those of the panel before. */
#define GB_PANEL_WINDOW GB_TUNED(65536u, 96u)
/* Slots of a window per mark, at most: skipping 16 takes 1 ns. */
#define GB_PANEL_SPARSE GB_TUNED(16u, 4u)
/* Products of a chunk of panels. Not varied. */
#define GB_PANEL_CHUNK GB_TUNED(65536u, 256u)
/* Columns that rows of B share to be loaded at once, where not all their columns are equal. */
#define GB_PANEL_SHARED GB_TUNED(16u, 3u)
/* Rows that each row is compared with on either side in a sorted list of sketches. Not varied. */
#define GB_GROUP_LOOKS GB_TUNED(48u, 2u)
/* Such sorted lists; each sorts all rows once. Not varied. */
#define GB_GROUP_LISTS GB_TUNED(4u, 4u)
/* Products of sub-matrices per task, about: 4 MB. */
#define GB_SPAMM_PAIRS GB_TUNED(524288.0, 64.0)
/* Products summed in registers before C's sub-matrix is stored to L1. decay:2048:paper at a ratio
 * of 0.3, one thread, AVX-512: FP64 64 to 75 ms with 2, 63 to 67 with 4, 68 with 8, 68 to 72 with
 * 16; FP32 34 to 36, 31 to 37, 35 to 38, 36 to 38. */
#define GB_SPAMM_AT_ONCE GB_TUNED(4, 3)
/* Calls on at least so many values are deferred and fused with the next ones: one to four calls
 * mostly gain, up to 1.9 times (docs/graphs.md, Fusion). */
#define GB_VALUES_LEAST 4096u
/* Capacity for the filtered rows that remain, as a multiple of the estimate from those computed:
 * without it every second product would grow once more at its end. */
#define GB_GROWN_MARGIN 1.05
/* The method VECTOR sums rows of at least so many products alone and does not order them by size:
 * its order of rows has 32 bits for products. */
#define GB_VECTOR_FLOPS_MOST UINT32_MAX
/* Slots of an accumulator of the method VECTOR: gathers read indices as signed 32 bits. */
#define GB_VECTOR_SLOTS_MOST ((uint64_t)1 << 31)
/* Sparse times full prefetches so many registers of B ahead, but at most so many entries. Two
 * threads of a Cascade Lake, er:16:8, ms with 4, 8, 16, 32 entries ahead: 8 columns (one register)
 * 3.8, 4.5, 4.4, 3.7; 32 columns (four) 14.6, 13.0, 11.9, 11.3; 128 (eight) 63, 55, 60, 84. */
#define GB_SPMM_REGISTERS_AHEAD 64u
#define GB_SPMM_AHEAD 32u
/* Rows of A sampled to find whether rows of B mostly hit L2 although B exceeds it: then they are
 * not prefetched. Not varied; band:60000:8 with 8, 16 and 32 columns, 2 threads of an Intel Xeon:
 * 731, 1051, 1803 us prefetched and 646, 938, 1531 not. */
#define GB_SPMM_LOOKS 32u
/* extract: a range of columns in a row of at most so many entries is found by comparing all of them
 * without branches, faster than by two searches; rows are prefetched so many ahead; rows are
 * counted first where I or J lists less than one of so many columns, since capacity for all entries
 * would be mostly unused. Least times on er:17:6, rmat:16:8, fem:34:1 and er:14:40, one thread of a
 * Zen 5, relative to 32, 8 and 8. Ranges, up to 16 entries: fem:34:1 (27 a row) 0.6 to 0.76, others
 * 0.96 to 1.09; up to 64: er:14:40 0.9 to 2.2. Rows ahead, means of 44 cases: 4 1.07, 16 1.00.
 * Counting took half of the time down to a 96th of the columns; capacity takes memory. */
#define GB_EXTRACT_SHORT 16u
#define GB_EXTRACT_AHEAD 8u
#define GB_EXTRACT_ROOM 64u
/* Columns of a dense matrix that are transposed together, each an unfinished line of the result;
 * the second number where lines are multiples of 4096 bytes apart, so that one set of L1 holds them
 * all. One thread of a Zen 5, 8 bytes, ns a value: 1024 x 1024 0.54 with 8 columns, 2.35 with 16;
 * 4100 x 4100 2.0 and 1.3. Bytes, by blocks of 8 x 8: 16 columns take 0.16 to 0.26 ns, 0.40 for
 * 4096 x 4096; 64 columns take 0.16 to 0.29, and 0.99. */
#define GB_TURN_COLUMNS 16u
#define GB_TURN_ALIASED 8u
#define GB_TURN_APART 4096u
/* Bytes of a cache line; large blocks are aligned to it. */
#define GB_LINE_BYTES 64u

/* -- outer product (src/cpu/common/bins.c) */
/* The packets of a bin take this part of L2, in addition to the packets being read. er:20:4: 83 ms
 * with 2, 87 with 4, 111 with 8 (whose bins made two slices). */
#define GB_BIN_SHARE 2u
/* Lines of a local bin that are flushed at once: expanding er:20:4 takes 31 ms with 2, 28 with 3,
 * 27 with 6; with more than 3 fewer bins fit, and er:20:8 takes 92 instead of 73. */
#define GB_LOCAL_LINES 3u
/* Values and marks of one range of columns of a heavy row take this part of L2. */
#define GB_RANGE_SHARE 2u
/* Prefetch distance of packets in bytes. */
#define GB_PACKETS_AHEAD 1024u
/* Prefetch distance in packets when rows are compacted. */
#define GB_PACKETS_NEXT 16u
/* Parts of A's columns per thread, so that idle threads can take over parts of others. */
#define GB_PARTS 4u

/* No more chunks than this: their bookkeeping takes 40 bytes each. */
#define GB_CHUNKS_MOST 1048576u
/* Arrays of C are allocated for this many times the estimated entries: estimates of all rows
 * together were off by at most 10% (docs/rowwise.md), and untouched pages cost nothing. */
#define GB_ESTIMATE_MARGIN 1.25
/* From this compression ratio on a mark is read before it is written (Ocean, ICS '26, section 4.3).
 */
#define GB_QUERY_COMPRESSION 2.0
/* Tiles of A and B with at least so many entries are multiplied 16 lanes at a time. With AVX-512
 * and + and * a tile of A with fewer is too, up to GB_SPREAD_LEAST entries, expanding its rows of
 * B on demand instead of all beforehand. 2 threads, fem:12:6 / fem:24:3: B 24 as below 28 / 72 ms,
 * 8 and 4 25 / 57. */
#define GB_SPREAD_A 8u
#define GB_SPREAD_B 8u
#define GB_SPREAD_LEAST 24u
/* A tile of A with at most so many entries unites masks entry by entry, others 16 rows at once. */
#define GB_UNITE_FEW 4u
/* A tile of C with at least so many entries is summed in a dense array of 256, else packed at its
 * position in C (TileSpGEMM says 192, for a GPU): fem:24:3 takes 72 ms with 48, 57 with 24, 12 and
 * 8; rmat:14:16 610, 565 and 550 with 24, 12 and 8. */
#define GB_TILE_DENSE_LEAST 12u
/* Overhead of a row in flops. */
#define GB_ROW_COST 4u
/* Where columns of B are consecutive, GB_RUN are loaded at once; 8 doubles are one register. */
#define GB_RUN 8u
/* B has runs when more than 1 of this many entries is in one of GB_RUN. Testing for runs slows the
 * others by a third: mcl-proteins, where every second column follows its neighbour and few do seven
 * times. */
#define GB_RUN_SHARE 3u
/* Entries of B sampled for runs, and their windows: about 1 us (8192 entries: 8). */
#define GB_RUN_ENTRIES 1024u
#define GB_RUN_WINDOWS 16u
/* Rows of tiles sampled for the fill of tiles: so many of small matrices, one more for each so many
 * entries, and so many at most; columns of tiles remembered of each. Not varied. */
#define GB_FILL_SAMPLES_LEAST 4u
#define GB_FILL_ENTRIES 32768u
#define GB_FILL_SAMPLES 16u
#define GB_FILL_LIST 1024u
/* The result keeps the arrays of the upper bound if that wastes at most this factor of memory. */
#define GB_SLACK_MAX 2.0
/* The approximate product (docs/spamm.md). Rows of C per task, a multiple of 64: a sub-matrix of B
 * is loaded once for all of them (256 take as long). Most rows of sub-matrices in a task. Tasks per
 * thread, at least. */
#define GB_SPAMM_ROWS 128u
#define GB_SPAMM_ROWS_MOST (GB_SPAMM_ROWS / 16u)
#define GB_SPAMM_TASKS 8.0
/* Default side of sub-matrices: with it the taus of cuSpAMM's table 1 give the paper's ratios. */
#define GB_SPAMM_SIDE_UNASKED 32u
/* Tolerance of a requested valid ratio, relative to it. */
#define GB_SPAMM_RATIO_ERROR 1e-3
/* Values rounded per thread. */
#define GB_SPAMM_ROUND 16384u
/* Prefetch distance of rows of B in entries. */
#define GB_PREFETCH 16u

/* Nanoseconds to convert an entry of a matrix between CSR and CSC, to search a row for one of few
 * columns that are extracted, and to look at an entry for one column of all rows: 2 cores of an AMD
 * EPYC, gcc 12 -O3; the last on one Xeon. */
#define GB_NS_CONVERT 6.0
#define GB_NS_EXTRACT_ROW 30.0
#define GB_NS_EXTRACT_ENTRY 0.4

/* Sorted arrays whose lengths differ by this factor are intersected by galloping search: a search
 * step costs about as much as 4 steps of a linear merge, and a search takes 2 log2(ratio). */
#define GB_GALLOP_RATIO 32u
/* Element-wise operations convert a sparse vector with more than 1 / GB_DENSE_ABOVE of its entries
 * to a bitmap, which needs no search. A new bitmap with less than 1 / GB_LIST_BELOW becomes sparse:
 * a pass over n bytes then costs more than the sparse vector does. */
#define GB_DENSE_ABOVE 16u
#define GB_LIST_BELOW 64u
/* Two dense vectors are intersected at the positions of a sparse mask when it has less than 1 /
 * GB_LISTED_BELOW of all positions: a gather takes about 4 times a sequential read (estimated). */
#define GB_LISTED_BELOW 4u
/* Bytes of a dense matrix up to which 1/16 of the entries suffices; above, half must be present. */
#define GB_DENSE_MATRIX_BYTES ((uint64_t)64 << 20)

/* -- paths (src/graph/closure.c). Edges of a bucket per additional thread, twice GB_GRAIN; open
 * buckets; vertices between two tests of whether a bucket has as many; vertices of a part; prefetch
 * distance of rows in vertices. Not varied. */
#define GB_CLOSURE_LOOK 256u
#define GB_CLOSURE_PART 64u
#define GB_CLOSURE_AHEAD 16u

/* -- masked inner products; bits, heavy rows and the degree-ordered triangle of a matrix
 * (matrix/derived.h) */
/* A column this many times longer than the row is searched instead of scanned; long columns mostly
 * have bits. Triangles as generated, rmats:15:13, 16:16 and 17:10, reduced without being stored:
 * 21, 59 and 87 ms with 16, 15, 48 and 79 with 128; in degree order 4% slower at most. */
#define GB_DOT_SEARCH GB_TUNED(128u, 4u)
/* A column of at most so many entries is compared directly with a row of up to 8 where products are
 * only counted: marking and unmarking the row takes longer. ms of a fused count on one thread of a
 * Zen 5, entry by entry and by lanes: grid:400:400 2.15 and 0.74, road:150:150 1.04 and 0.37. */
#define GB_DOT_SHORT GB_TUNED(16u, 2u)
/* Of triangles, a list of at most so many entries is looked up in marks one by one, a longer one by
 * gathers. One thread of a Zen 4, all one by one and by gathers (a separate program): rmats:17:10
 * in degree order 13.6 and 14.8 ms, as generated, where lists are long, 95 and 98. */
#define GB_DOT_LOOKED GB_TUNED(32u, 3u)
/* Entries of the mask that are counted before any of them is packed. ms of a stored count on one
 * thread of a Zen 5, row by row and so: grid:400:400 2.26 and 0.79, road:150:150 0.91 and 0.47;
 * batches of 64 and of 1024 take as long. */
#define GB_DOT_BATCH GB_TUNED(256u, 5u)
/* A row is held as bits too when it has so many entries ... */
#define GB_BITS_LEAST GB_TUNED(16u, 3u)
/* ... and one for each of so many columns of its span. Triangles, the AND of a block of 512 columns
 * taking as long as 6 to 8 scanned entries: rmats:15:13 in degree order 9.6, 7.1, 5.2, 5.2 and 4.6
 * ms with 16, 32, 64, 128 and 256, as generated 25, 29, 24, 14 and 19 (2 threads of a 2.5 GHz
 * Cascade Lake, counting alone). */
#define GB_BITS_SPAN 128u
/* Cost of the AND of a block in scanned entries: 0.9 and 1.8 ns of one thread of a Zen 4, from
 * rmats:16:16 and rmats:17:10 as generated. With 6, graphs in degree order were intersected by
 * heavy rows after many products: least ms of a fused count of rmats:16:16 and rmats:17:10 14.4 and
 * 25.9, by bits 13.2 and 21.3. */
#define GB_BITS_COST 2u
/* Cost of uniting a block with a row in entries whose bits are set: 1.3 ns. */
#define GB_BITS_UNION 1u
/* Prefetch distance of rows of B that are united, in entries of A. */
#define GB_BITS_AHEAD 3u
/* A pattern row of C too long to be sorted is read off bits where it has a product for each of so
 * many columns: testing 4096 columns takes about 1 ns. Not varied. */
#define GB_BITS_SWEEP 16384u
/* With fewer than one product for so many columns, words are read two bits at a time, else 16 by
 * vectors. One thread of a Zen 4 with all by vectors, 16, and 2: rmat:15:7 52, 44 and 49 ms,
 * er:15:8 17.1, 12.6 and 12.7, email-Enron 59, 48 and 51, rmat:14:16 29, 28 and 32; er:13:20,
 * rmat:12:64 and wiki-Vote take as long. */
#define GB_BITS_SPARSE 16u
/* An inner index is heavy when at least sqrt(nvals) / GB_HEAVY_SHARE rows have it: a light one in f
 * rows costs a product f^2 steps, a heavy one costs each entry of the mask 1 / 512 of the AND of a
 * block. Triangles, least ms as generated / by degree, with 16, 32 and 64 (one thread of a Zen 5):
 * rmats:15:13 8.1 / 3.0, 7.0 / 2.8, 7.1 / 2.8, rmats:16:16 26 / 9.2, 22 / 9.0, 24 / 8.1,
 * rmats:17:10 41 / 18, 39 / 17, 37 / 14. And so many times the mean: where frequencies are uniform
 * none is heavy. */
#define GB_HEAVY_SKEW 2.0
#define GB_HEAVY_SHARE 32.0
#define GB_HEAVY_MOST 32768u
/* Parts that count inner indices, each with a counter for every one: 32 bytes per index at most. */
#define GB_HEAVY_PARTS 8
/* The heavy indices of a row are stored as indices where a block has fewer of them, else as bits,
 * which take at most 32 bytes an entry; rmats:16:16 as generated and by degree takes 34 and 17 ms
 * with 1, 34 and 18 with 4. */
#define GB_HEAVY_LIST 2u
/* Cost in scanned entries of an entry of the mask with heavy rows, and of one entry of a tail. */
#define GB_HEAVY_STEPS 4u
#define GB_HEAVY_TAIL 2.0
/* Prefetch distance of columns in entries of the mask. */
#define GB_HEAVY_AHEAD 6u
/* Cost of making them in scanned entries, per entry of the matrix: 16 ms for 0.9 million entries,
 * when 100 million scanned take 60. */
#define GB_HEAVY_WORTH 24u
/* A row with fewer entries than this many times the blocks to AND is intersected word by word:
 * looking up 8 words takes about as long as 8 blocks (estimated, not varied). */
#define GB_BITS_FEW 1u
/* Of a degree-ordered lower triangle (core/forms.h): cost of the AND of a block in scanned
 * entries (not varied), and lines of bits, so many and one for so many edges. */
#define GB_DEGREE_LOWER_COST 3.0
#define GB_DEGREE_LOWER_LEAST 1024u
#define GB_DEGREE_LOWER_SHARE 4u
/* The first count of a triangle makes it where sum(length^2) * rows / nvals^2 is at least this;
 * uniform rows of a triangle have 1.3. ms of one count on one thread of a Zen 5, by heavy rows and
 * so: rmats:15:13 11.4 and 5.2, rmats:17:10 58 and 27, in degree order (3.3 and 4.2) 4.2 and 3.2,
 * 21 and 15; er:16:16 (1.4) 6.1 and 12.0, er:12:256 (1.3) 5.3 and 6.2. */
#define GB_DEGREE_LOWER_SKEW 2.0
/* Prefetch distance of dot's columns in entries of the mask. Not varied. */
#define GB_DOT_PREFETCH 8u

/* -- products with vectors, and the forms of vectors that they read and write */
/* Steps that the two rows of a pull with a full vector take between two looks at whether a sum is
 * final; A is prefetched once in so many, the 64 bytes of 8 values of 8 bytes. */
#define GB_MXV_STEPS GB_TUNED(8u, 3u)
/* Rows of at most so many entries go alone: the processor overlaps them by itself. */
#define GB_MXV_SHORT GB_TUNED(16u, 2u)
/* Push of ANY under a mask looks at GB_PUSH_STEP entries of a row at once, without branches, where
 * rows have GB_PUSH_SHORT entries or fewer in the mean; GB_PUSH_BATCH products at a time stay in
 * the first cache. Searches for parents on a Zen 4: road:150:150 (2.3 entries) 2.21 ms as rows
 * come, 1.83 ms so; grid:400:400 (4, in a pattern) 1.1 times as long. */
#define GB_PUSH_STEP GB_TUNED(4u, 2u)
#define GB_PUSH_SHORT GB_TUNED(3u, 3u)
#define GB_PUSH_BATCH GB_TUNED(256u, 5u)
/* Rows, at most 256, that a pull with a full vector takes by their lengths, where one in
 * GB_ROW_CHANGES is not as long as the one before it. After a window of similar rows only every
 * GB_ROW_TRUST-th window is classified. PageRank, user cycles on one thread of a Zen 5:
 * p2p-Gnutella31 60 M as rows come, 33 M by length; grid:200:200 of similar rows 4.5 M when
 * every window is classified, 3.9 M so. */
#define GB_ROW_WINDOW GB_TUNED(256u, 16u)
#define GB_ROW_TRUST GB_TUNED(8u, 2u)
/* Rows sorted by length for SELL slices at a time; a matrix of a quarter has slices. Least ms
 * with 256, 1024, 4096, 16384: web:16:8 both ways .43, .44, .47, .48; rmats:16:16 1.6, 1.1, .96,
 * 1.1; rmat:18:4 2.8, 2.1, 2.0, 1.6 (in the library as with 4096); road:150:150 .08 with each. */
#define GB_SELL_WINDOW GB_TUNED(4096u, 16u)
/* The last column of a window of slices is so far from the first at most, where 2 bytes do. */
#define GB_SELL_NEAR GB_TUNED(UINT16_MAX, 255u)
/* Rows that a product under a mask of bytes takes one by one, as vectors: each costs a call more,
 * some 0.3 us, but no table. */
#define GB_SMALL_ROWS GB_TUNED(16u, 5u)
/* What PANEL and DOT take for such rows, which read parts of B that no row before left in a cache,
 * of what they are predicted. Betweenness of 4 sources over 65536 vertices, two threads of a Zen 5,
 * s with 1, 4, 8: symmetric rmat .174, .108, .107; uniform .171, .139, .123. */
#define GB_SMALL_ROWS_COST 8.0
/* Scratch of a push (matrix/matrix.h) is made once as many products as one for this many positions
 * have been sorted for want of it: clearing its bits takes 0.01 ns a position, sorting 20 ns for
 * each product. */
#define GB_SCRATCH_WORTH GB_TUNED(2048u, 8u)
/* A list vector becomes a bitmap once as many entries as one for this many positions have been
 * merged into it: a merged entry takes about 3 ns, a position of a new bitmap 0.2. */
#define GB_MERGES_WORTH GB_TUNED(16u, 4u)
/* A mask that is a list becomes a bitmap once as many positions as one for this many have been
 * looked up in it, a call counting for some more, if it has at least an entry for GB_SOUGHT_FULL
 * positions. A position looked up takes 60 ns, a call that does so 1.2 us, a position of a bitmap
 * of doubles 2.8 ns (pushes under masks of 2^16 and 10^6 positions, one thread of a Xeon). */
#define GB_SOUGHT_WORTH GB_TUNED(16u, 4u)
#define GB_SOUGHT_CALL GB_TUNED(24u, 1u)
#define GB_SOUGHT_FULL GB_TUNED(4u, 4u)
/* Push goes without the branch whether a position has a sum where it has at least one product for
 * so many positions: nobody predicts that branch where many have one, and where few have, to know
 * the sum's old value is to wait for it. Lists over 65536 positions, two threads of an Intel Xeon,
 * plus-times in FP64, least of 10 processes in turns, us with the branch and without: er:16:8, one
 * product for 12 positions 65, 83; for 1.25 positions 465, 357 (with the search of gb_walk_row).
 * From GB_PUSH_KNOWN products a position on most have one, and the branch spares stores that the
 * next product waits for: one thread of a Zen 5, er:14:64, 16 for each, .69 ms with it and .89. */
#define GB_PUSH_CROWDED 4u
#define GB_PUSH_KNOWN 4u
/* Rows ahead whose entries a step of a search prefetches: grid:400:400 on a Zen 4, least ms of a
 * search, 4 rows 4.6, 12 rows 3.9 (other work beside). */
#define GB_FUSED_AHEAD 12u
/* See GB_ROW_WINDOW. */
#define GB_ROW_CHANGES 8u
/* Entries that a merge into a list counts for beside its own: a call takes some 0.3 us (estimated).
 */
#define GB_MERGE_LEAST 128u
/* Threads that scatter into a full vector, or one alone: each reads all positions and folds its
 * own, and reading takes about as long as folding, so that two would gain nothing. Not measured by
 * itself. */
#define GB_PLACED_THREADS 3
/* Entries ahead of which a pull with a full vector prefetches either row: the hardware follows one
 * row well, but not several. ns an entry of er:18:4 on one thread of a 2.5 GHz Cascade Lake: 6.0,
 * and 7.8 when rows that go alone are not prefetched. */
#define GB_MXV_AHEAD 512u
/* The product that makes slices, for what 2 to 4 products save by them (grid:400:400 11); entries
 * ahead of which they are prefetched: rmats:16:16 2.8, 2.1, 1.9 ms with 0, 128, 512; er:16:8 .43,
 * .39, .43. */
#define GB_SELL_WORTH 5u
/* The same where rows of so many entries in the mean take so many bytes with their values: they
 * come no faster than memory gives them, and slices save what 8 to 115 products do
 * (a program that was not kept). */
#define GB_SELL_WORTH_LONG 40u
#define GB_SELL_LONG 32u
#define GB_SELL_LARGE (10u << 20)
#define GB_SELL_AHEAD 128u
