/* SPDX-License-Identifier: Apache-2.0
 *
 * bench/tiled: what the tiled product gains, where its time and memory go. Random values. The
 * parts: tiled.c            options, the suite, the document tiled_product.c    one way to
 * multiply, matrices and results of it tiled_race.c       A*A against SuiteSparse and the row-wise
 * product tiled_steps.c      steps, conversions and bytes of A*A tiled_sweep.c      from which fill
 * of the tiles on they pay tiled_memory.c     peak memory, and how it grows with the number of
 * products tiled_triangles.c  masks: triangles of a graph tiled_chains.c     products of products
 *
 * Every part makes one JSON object of an input. Times are seconds, medians over the rounds of
 * contenders that take turns. A result that is not that of the other contenders fails the program.
 */
#ifndef TILED_H
#define TILED_H

#include "compare.h"
#include "program.h"

typedef struct {
    int rounds, threads;
} tiled_setup;

/* One way to compute a product, and the form that its result is wanted in. */
typedef struct {
    const char *name; /* as the document calls it */
    gbl_Desc_Value method, workflow;
    unsigned form; /* GBL_HAS_CSR or GBL_HAS_TILE16 */
    bool cold;     /* A has no tiles yet; the product is A*A */
} tiled_way;
extern const tiled_way TILED_AS_TILES, TILED_BY_ROWS, TILED_COLD, TILED_ROWWISE;

/* C<M> = A * B, or A * B' with a mask of which the pattern counts. */
typedef struct {
    tiled_way way;
    gbl_Matrix A, B, M; /* M NULL: no mask, B is not transposed */
    gbl_Semiring ring;
    gbl_Type type; /* of C */
    gbl_Descriptor desc;
    gbl_Matrix fresh, C;
} tiled_product;

/* Contender of bench_take_turns around a product. C is in its final form when the time stops: what
 * of it has to be converted has been. */
int tiled_run(void *product);
void tiled_reset(void *product);
gbl_Info tiled_multiply(tiled_product *p);
gbl_Info tiled_look(gbl_Matrix C); /* makes the rows of C */
void tiled_free(tiled_product *p); /* not A, B, M */

enum { TILED_MOST_PRODUCTS = 4 };
/* Runs products in turns, adds the median of each to the object under the name of its way, and
 * checks that their results are the same. */
int tiled_race_products(cJSON *object, tiled_product *products, int count,
                        const tiled_setup *setup);
/* Whether all entries of C and D are the same, bit by bit. Takes the content of both. */
gbl_Info tiled_same(bool *same, gbl_Matrix C, gbl_Matrix D);

/* A square matrix with random values. */
gbl_Info tiled_load(gbl_Matrix *A, const char *operand);
/* Adds name, rows, entries, tile_count, fill, and bytes as tiles and by rows. */
gbl_Info tiled_describe(cJSON *object, const char *operand, gbl_Matrix A);

/* The allocator that the parts memory and growth run under: it counts what is asked for. */
void *tiled_counted_malloc(size_t size);
void *tiled_counted_realloc(void *block, size_t size);
void tiled_counted_free(void *block);

/* Parts: the members of an input's object; 0, or -1 after saying why. */
int tiled_race(cJSON *object, const char *operand, const tiled_setup *setup);
int tiled_steps(cJSON *object, const char *operand, const tiled_setup *setup);
int tiled_sweep(cJSON *object, const char *operand, const tiled_setup *setup);
int tiled_memory(cJSON *object, const char *operand, const tiled_setup *setup);
int tiled_growth(cJSON *object, const char *operand, const tiled_setup *setup);
int tiled_triangles(cJSON *object, const char *operand, const tiled_setup *setup);
int tiled_galerkin(cJSON *object, const char *operand, const tiled_setup *setup);
int tiled_cube(cJSON *object, const char *operand, const tiled_setup *setup);

#endif
