/* SPDX-License-Identifier: Apache-2.0
 *
 * Rows of jobs that two GraphBLAS libraries do: written once in jobs/both/, compiled with the
 * header of gblite and with that of SuiteSparse. Here is what both compilations and the jobs share;
 * no type of either library.
 *   both/both.c      objects of a row, results as tuples
 *   both/products.c  mxm, boolean, mxv, push, triangles
 *   both/search.c    breadth-first search
 *   both/calls.c     calls on tiny matrices; both/vectors.c on sparse vectors of a few entries
 *   both/indexed.c   extract and assign by lists of indices, Kronecker products
 *   both/huge.c      matrices of 2^50 x 2^50
 *   both/own.c       own semirings
 *   mkl.c            products by Intel MKL
 *   sides.c          one row by all its contenders, in turns; agree.c: whether results agree
 */
#pragma once

#include "jobs/job.h"
#include "peers/input.h"

/* A pattern with random values on compact indices and on huge ones, which lie far apart in the same
 * order (both/huge.c). list: ascending indices [most], of which an extract takes the first. */
typedef struct {
    gbl_Index n, *I, *J, *list;
} side_indices;
typedef struct {
    gbl_Index entries, most;
    side_indices compact, huge;
    double *X;
} side_pattern;

/* A variant of gblite's to compute a product (product_race.c). Found among the candidates of an
 * explanation by method and workflow. */
typedef struct {
    const char *name;
    gbl_Desc_Value method, workflow;
    const char *method_text, *workflow_text; /* "" where they do not matter */
    int with_mask;                           /* 1: only with, -1: only without, 0: either */
    bool extra;                              /* runs only where a job or --contender names it */
    bool warm;                               /* A keeps the forms that earlier products made */
    bool in_tiles;                           /* C may stay in tiles */
    gbl_Desc_Value vector;                   /* of VECTOR */
} product_variant;
extern const product_variant PRODUCT_VARIANTS[];
extern const int PRODUCT_VARIANT_COUNT; /* the first is the automatic choice */

/* What a row works on; members that it does not read are 0. */
typedef struct {
    const peer_input *in;
    uint64_t entries; /* of sparse vectors */
    const side_pattern *pattern;
    bool huge;       /* the pattern's huge indices */
    bool left;       /* the full factor is the left one, ... */
    gbl_Index count; /* ... of so many rows; else the right one, of so many columns */
    int form;        /* which of the row's forms; of an own semiring the way */
    bool masked;     /* C<L> = L*L' over plus-pair */
    const product_variant *variant;   /* of gblite's */
    const struct bench_semiring *own; /* with entries of its type; semiring.h */
    const struct bench_entries *typed;
} side_task;

/* Entries of a result in ascending order; J is NULL for a vector, I for what the row does not have.
 */
typedef struct {
    gbl_Index n, *I, *J;
    double *X;
} side_tuples;
/* Room for n entries of a matrix; false without memory. */
bool side_tuples_new(side_tuples *t, gbl_Index n);
void side_tuples_free(side_tuples *t);

enum { SIDE_C, SIDE_W, SIDE_F, SIDE_U, SIDE_PARTS };
typedef struct {
    side_tuples part[SIDE_PARTS]; /* C, w, f, u of the work */
    int64_t count;                /* of triangles; 0 elsewhere */
} side_result;

typedef struct side_work side_work; /* objects of one library: both/both.h */

/* One line of a table. Functions return GrB_Info. A contender's work is made by load; renew comes
 * before every call and is not timed; a call ends with its result in final form. */
typedef struct {
    const char *name;
    int (*load)(side_work *w);
    int (*renew)(side_work *w); /* NULL: nothing to renew */
    int (*call)(side_work *w);  /* NULL: this library has no such call */
    /* task: that of `other` */
    bool (*agree)(const side_task *task, const side_result *mine, const side_result *other);
    int of[3];                /* numbers that load and call read */
    const char *const *forms; /* of SuiteSparse's call, of which the fastest counts; or NULL */
} side_row;
typedef struct {
    const side_row *rows;
    int count;
} side_rows;

/* A part of a result: tuples take 24 bytes an entry for each library, so large products are
 * compared in parts of C's rows, at most SIDE_SLABS of at least about SIDE_SLAB entries. Vectors
 * and exported tuples come whole with every part. */
typedef struct {
    gbl_Index slab, slabs;
} side_part;
enum { SIDE_SLABS = 32, SIDE_SLAB = 4096 };

/* One library. open: NULL after saying why; the others return 0, or -1 after saying why. entries:
 * of C, 0 where the row has none; NULL: it gives results whole. */
typedef struct {
    const char *name;
    side_work *(*open)(const side_row *row, const side_task *task);
    int (*renew)(side_work *w);
    int (*run)(side_work *w);
    /* run() of a variant that may not be legal: 1 done, 0 not legal (after writing why), -1 failed
     */
    int (*attempt)(side_work *w, char *why_not, size_t size);
    int64_t (*entries)(side_work *w);
    int (*take)(side_work *w, side_part part, side_result *result);
    gbl_Explanation (*explain)(side_work *w); /* NULL: it does not explain */
    double (*peak)(side_work *w); /* bytes held by the last attempt, -1: not known; NULL: counted */
    void (*close)(side_work *w);
} side_library;
extern const side_library GBLITE_SIDE, SUITESPARSE_SIDE, MKL_SIDE, MKL_FULL_SIDE;

/* Rows of both, in the same order. */
#define SIDE_ROWS(NAME) extern const side_rows gblite_##NAME, suitesparse_##NAME
SIDE_ROWS(mxm);
SIDE_ROWS(boolean);
SIDE_ROWS(mxv);
SIDE_ROWS(push);
SIDE_ROWS(bfs);
SIDE_ROWS(triangles);
SIDE_ROWS(sorted_triangles);
SIDE_ROWS(calls);
SIDE_ROWS(vectors);
SIDE_ROWS(path);
SIDE_ROWS(indexed);
SIDE_ROWS(huge);
SIDE_ROWS(full);
SIDE_ROWS(updates);
SIDE_ROWS(own);
SIDE_ROWS(variant);

/* Bytes of malloc that so many square matrices with so many rows and entries take, finished; -1: it
 * fails. */
enum { SIDE_MANY = 3000, SIDE_MANY_ROWS = 14000000, SIDE_MANY_ENTRIES = 10 };
double gblite_bytes_of_many(void);
double suitesparse_bytes_of_many(void);

/* agree.c: whether both have the same positions, and values that are equal, or close. */
bool side_tuples_agree(const side_tuples *x, const side_tuples *y, bool equal);
/* The results of a row: the same entries; values equal, within 1e-12 of each other, or positions of
 * a row with an edge to that place. */
bool side_same(const side_task *task, const side_result *mine, const side_result *other);
bool side_close(const side_task *task, const side_result *mine, const side_result *other);
bool side_any_edge(const side_task *task, const side_result *mine, const side_result *other);
/* Of triangles: the count; of form 0 the product too. */
bool side_same_count(const side_task *task, const side_result *mine, const side_result *other);
/* As many entries. */
bool side_same_size(const side_task *task, const side_result *mine, const side_result *other);
/* Levels are equal; parents too, or any of the level above that an edge joins. */
bool side_same_tree(const side_task *task, const side_result *mine, const side_result *other);
bool side_any_tree(const side_task *task, const side_result *mine, const side_result *other);
/* Positions differ, values are the same. */
bool side_same_values(const side_result *mine, const side_result *other);

/* A contender of a row. */
typedef struct {
    const char *name; /* as the document calls it */
    const side_library *library;
    const side_row *row;
    side_task task;
} side_entrant;

/* What a job asks of a race. */
typedef struct {
    bench_rules rules;
    int calls; /* of one run; their mean counts. 0: one, and what it wrote is renewed before it */
} side_setup;

/* Races the entrants, the first of gblite, adds their medians and facts of the result to the
 * object; of several of one name the fastest counts. 0, or -1 after saying why, also where results
 * differ. */
int side_race(cJSON *object, const side_entrant *list, int count, const side_setup *setup);
/* Rows of both libraries that are raced with one task. */
typedef struct {
    const char *operation, *input; /* of the document's rows */
    const char *fact;              /* what task.entries is called there; NULL: it is not said */
    const side_rows *mine, *other;
    side_task task;
    side_setup setup;
    bool all; /* whatever --only says of their names */
} side_group;
void side_race_group(bench_sink *to, const side_group *group);
