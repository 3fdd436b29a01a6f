/* SPDX-License-Identifier: Apache-2.0
 *
 * bench/tiled: what the tiled product gains, where its time and memory go. Random values. The
 * parts:
 *   main.c       its parts and ways, and what is said of a matrix in tiles
 *   race.c       A*A against SuiteSparse and the row-wise product
 *   steps.c      steps, conversions and bytes of A*A
 *   sweep.c      from which fill of the tiles on they pay
 *   memory.c     peak memory, and how it grows with the number of products
 *   triangles.c  masks: triangles of a graph
 *   chains.c     products of products
 *
 * Every part makes one JSON object of an input. Times are seconds, medians over the rounds of
 * contenders that take turns. A result that is not that of the other contenders fails the program.
 */
#ifndef TILED_H
#define TILED_H

#include "harness/parts.h"
#include "harness/product.h"

extern const bench_way TILED_AS_TILES, TILED_BY_ROWS, TILED_COLD, TILED_ROWWISE;

/* Adds name, rows, entries, tile_count, fill, and bytes as tiles and by rows. */
gbl_Info tiled_describe(cJSON *object, const char *operand, gbl_Matrix A);

/* Starts the library for the parts memory and growth, which count what is asked for. */
gbl_Info tiled_start_counted(void);

/* Parts: the members of an input's object; 0, or -1 after saying why. */
int tiled_race(cJSON *object, const char *operand, const bench_setup *setup);
int tiled_steps(cJSON *object, const char *operand, const bench_setup *setup);
int tiled_sweep(cJSON *object, const char *operand, const bench_setup *setup);
int tiled_memory(cJSON *object, const char *operand, const bench_setup *setup);
int tiled_growth(cJSON *object, const char *operand, const bench_setup *setup);
int tiled_triangles(cJSON *object, const char *operand, const bench_setup *setup);
int tiled_galerkin(cJSON *object, const char *operand, const bench_setup *setup);
int tiled_cube(cJSON *object, const char *operand, const bench_setup *setup);

#endif
