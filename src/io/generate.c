/* SPDX-License-Identifier: Apache-2.0
 *
 * The public functions gbl_generate and gbl_load: specifications, and the values of what is
 * generated. The value at (i, j) is a function of the seed, i and j.
 */
#include "gblite_io.h"
#include "gen.h"
#include "text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define FORMS                                                                                      \
    "er:S:F, rmat:S:F, rmats:S:F, web:S:F (S up to 31), planted:K:S:I:O, grid:M:N, road:M:N, "     \
    "fem:G:D, cross:L:M:N, band:N:W, rect:M:N:F, tiles:N:T:F, decay:N:exp:L, decay:N:alg:L or "    \
    "decay:N:paper, with :SEED behind if wanted"

enum { NUMBERS = 4 };
typedef struct {
    const char *form;          /* begins with the name and a colon */
    gb_Limits limits[NUMBERS]; /* most is 0 where there is no such number */
    bool symmetric;            /* in its values too */
    gbl_Info (*make)(const gb_Spec *spec, gb_Shape *shape, gbl_Arrays *arrays); /* one of both */
    gbl_Info (*graph)(gb_EdgeGraph *graph, const gb_Spec *spec);
} gb_Generator;

#define ANY 1, GB_IO_DIMENSION_MAX
#define TILES 1, GB_IO_DIMENSION_MAX / 16
#define CLUSTERS 1, UINT32_C(1) << 31
#define LEVELS 0, 31
#define DEGREE 1, 1 << 30

static const gb_Generator generators[] = {
    {"er:S:F", {{LEVELS}, {DEGREE}}, .graph = gb_gen_er},
    {"rmat:S:F", {{LEVELS}, {DEGREE}}, .graph = gb_gen_rmat},
    {"rmats:S:F", {{LEVELS}, {DEGREE}}, .symmetric = true, .graph = gb_gen_rmats},
    {"web:S:F", {{LEVELS}, {DEGREE}}, .make = gb_gen_web},
    {"grid:M:N", {{ANY}, {ANY}}, .symmetric = true, .make = gb_gen_grid},
    {"road:M:N", {{ANY}, {ANY}}, .symmetric = true, .make = gb_gen_road},
    {"planted:K:S:I:O",
     {{CLUSTERS}, {CLUSTERS}, {0, 1 << 20}, {0, 1 << 20}},
     .symmetric = true,
     .graph = gb_gen_planted},
    {"fem:G:D", {{1, 1625}, {1, 65536}}, .make = gb_gen_fem},
    {"cross:L:M:N", {{ANY}, {ANY}, {ANY}}, .make = gb_gen_cross},
    {"band:N:W", {{ANY}, {0, GB_IO_DIMENSION_MAX}}, .make = gb_gen_band},
    {"rect:M:N:F", {{ANY}, {ANY}, {1, 1 << 30}}, .make = gb_gen_rect},
    {"tiles:N:T:F", {{TILES}, {TILES}, {1, 256}}, .make = gb_gen_tiles}};

/* The length of the name. */
static size_t name_length(const char *form) {
    return (size_t)(strchr(form, ':') - form);
}

/* The generator that the text names, up to its first colon, or NULL. */
static const gb_Generator *find_generator(const char *text) {
    for (size_t k = 0; k < sizeof generators / sizeof *generators; k++)
        if (strncmp(generators[k].form, text, name_length(generators[k].form) + 1) == 0)
            return &generators[k];
    return NULL;
}

bool gb_gen_read_number(const char **p, gb_Limits limits, uint64_t *number) {
    if (*(*p)++ != ':') return false;
    return gb_read_whole(p, number) && *number >= limits.least && *number <= limits.most;
}

/* "S in 0..31, F in 1..1073741824" */
static void print_limits(char *text, size_t size, const gb_Generator *generator) {
    const char *letter = generator->form + name_length(generator->form) + 1;
    const gb_Limits *limits = generator->limits;
    size_t used = 0;
    for (int k = 0; k < NUMBERS && limits[k].most > 0 && used < size; k++, letter += 2)
        used += (size_t)snprintf(text + used, size - used, "%s%c in %llu..%llu", k > 0 ? ", " : "",
                                 *letter, (unsigned long long)limits[k].least,
                                 (unsigned long long)limits[k].most);
}

/* Reads the numbers of a specification that names the generator. */
static gbl_Info read_spec(const char *text, const gb_Generator *found, gb_Spec *spec) {
    const char *p = text + name_length(text);
    *spec = (gb_Spec){.seed = 1};
    uint64_t *const number[NUMBERS] = {&spec->a, &spec->b, &spec->c, &spec->d};
    bool right = true;
    for (int k = 0; k < NUMBERS && found->limits[k].most > 0; k++)
        right = right && gb_gen_read_number(&p, found->limits[k], number[k]);
    if (right && *p == ':') right = gb_gen_read_number(&p, (gb_Limits){0, UINT64_MAX}, &spec->seed);
    if (!right || *p != '\0') {
        char limits[160] = "";
        print_limits(limits, sizeof limits, found);
        return gbl_fail(GBL_INVALID_VALUE, NULL, "'%.40s' should be %s or %s:SEED with %s", text,
                        found->form, found->form, limits);
    }
    return GBL_SUCCESS;
}

/* Uniform in (0, 1] with all the bits of the type, or in 1..9. */
static void store_random(void *x, uint64_t k, gbl_Type_Code code, uint64_t random) {
    if (code == GBL_FP64_CODE)
        ((double *)x)[k] = (double)((random >> 11) + 1) * 0x1p-53;
    else if (code == GBL_FP32_CODE)
        ((float *)x)[k] = (float)((random >> 40) + 1) * 0x1p-24F;
    else
        gb_io_store_integer(x, k, code, (gb_Integer){.magnitude = 1 + ((random >> 32) * 9 >> 32)});
}

typedef struct {
    gb_Shape shape;
    uint64_t key;
    bool symmetric;
    gbl_Type_Code code;
    gbl_Arrays *arrays;
} gb_Values;

/* The random number behind the value at (i, j). */
static uint64_t value_at(const gb_Values *values, uint64_t i, uint64_t j) {
    const uint64_t place = values->symmetric && j < i ? j << 32 | i : i << 32 | j;
    return gb_gen_mix(values->key + place * GB_GEN_STEP);
}

static gb_Values values_of(const gb_Generator *generator, const gb_Spec *spec,
                           const gb_Kind *kind) {
    return (gb_Values){.key = gb_gen_mix(spec->seed * GB_GEN_STEP + 2),
                       .symmetric = generator->symmetric,
                       .code = kind->code};
}

static void fill_row(void *context, gbl_Index i) {
    const gb_Values *const values = context;
    const gbl_Arrays *const arrays = values->arrays;
    for (uint64_t k = arrays->p[i]; k < arrays->p[i + 1]; k++)
        store_random(arrays->x, k, values->code, value_at(values, i, arrays->i[k]));
}

static gbl_Info add_values(gb_Values *values, const gb_Kind *kind, gbl_Arrays *arrays) {
    values->arrays = arrays;
    const uint64_t n = arrays->p[values->shape.nrows];
    arrays->iso = values->code == GBL_BOOL_CODE;
    const uint64_t count = arrays->iso ? 1 : n;
    const gbl_Info info = gb_io_claim(count * kind->size, "the values of the matrix");
    if (info != GBL_SUCCESS) return info;
    arrays->x = gb_io_alloc(count, kind->size);
    if (!arrays->x) return gb_io_no_memory("the values of the matrix");
    if (arrays->iso) {
        *(bool *)arrays->x = true;
        return GBL_SUCCESS;
    }
    gbl_parallel(values->shape.nrows, fill_row, values);
    return GBL_SUCCESS;
}

/* The structure alone. */
static gbl_Info make(const gb_Generator *generator, const gb_Spec *spec, gb_Shape *shape,
                     gbl_Arrays *arrays) {
    gb_EdgeGraph graph;
    if (generator->make) return generator->make(spec, shape, arrays);
    const gbl_Info info = generator->graph(&graph, spec);
    return info == GBL_SUCCESS ? gb_gen_graph(&graph, shape, arrays) : info;
}

static gbl_Info generate(gbl_Matrix *A, gbl_Type type, const char *spec) {
    if (gb_gen_is_decay(spec)) return gb_gen_decay(A, type, spec);
    const gb_Generator *const generator = find_generator(spec);
    if (!generator) {
        return gbl_fail(GBL_INVALID_VALUE, NULL, "'%.40s' names no generator; right are " FORMS,
                        spec);
    }
    gb_Spec numbers;
    gb_Kind kind;
    gbl_Arrays arrays = {0};
    gbl_Info info = read_spec(spec, generator, &numbers);
    if (info == GBL_SUCCESS) info = gb_io_kind(&kind, type ? type : GBL_FP64);
    if (info != GBL_SUCCESS) return info;
    gb_Values values = values_of(generator, &numbers, &kind);
    info = make(generator, &numbers, &values.shape, &arrays);
    if (info == GBL_SUCCESS) info = add_values(&values, &kind, &arrays);
    if (info != GBL_SUCCESS) {
        gb_io_free_arrays(&arrays);
        return info;
    }
    info = gb_io_move_in(A, &kind, values.shape, GBL_CSR_FORMAT, &arrays);
    return info == GBL_SUCCESS && values.symmetric ? gb_io_set_symmetric(A) : info;
}

gbl_Info gbl_generate(gbl_Matrix *A, gbl_Type type, const char *spec) {
    if (!A) return gbl_fail(GBL_NULL_POINTER, NULL, "gbl_generate: A is NULL");
    *A = NULL;
    if (!spec) return gbl_fail(GBL_NULL_POINTER, NULL, "gbl_generate: spec is NULL");
    gbl_call_begin();
    const gbl_Info info = generate(A, type, spec);
    gbl_call_end();
    return info;
}

gbl_Info gbl_generate_shape(gbl_Index *nvertices, gbl_Index *nedges, const char *spec) {
    gb_Spec numbers;
    gb_EdgeGraph graph = {0};
    if (!nvertices || !nedges || !spec)
        return gbl_fail(GBL_NULL_POINTER, NULL, "gbl_generate_shape: an argument is NULL");
    const gb_Generator *const generator = find_generator(spec);
    if (!generator && !gb_gen_is_decay(spec)) return GBL_NO_VALUE;
    if (generator && generator->graph) {
        gbl_Info info = read_spec(spec, generator, &numbers);
        if (info == GBL_SUCCESS) info = generator->graph(&graph, &numbers);
        if (info != GBL_SUCCESS) return info;
    }
    *nvertices = graph.n;
    *nedges = graph.edges;
    return GBL_SUCCESS;
}

static void put_edge(gbl_EdgePart *part, const gb_Values *values, gb_Edge edge) {
    part->I[part->n] = edge.i;
    part->J[part->n] = edge.j;
    if (part->X) store_random(part->X, part->n, values->code, value_at(values, edge.i, edge.j));
    part->n++;
}

gbl_Info gbl_generate_edges(gbl_EdgePart *part) {
    gb_Spec numbers;
    gb_Kind kind;
    gb_EdgeGraph graph;
    gbl_Info info;
    if (!part || !part->spec || !part->I || !part->J)
        return gbl_fail(GBL_NULL_POINTER, NULL, "gbl_generate_edges: an argument is NULL");
    const gb_Generator *const generator = find_generator(part->spec);
    if (!generator || !generator->graph)
        return gbl_fail(GBL_INVALID_VALUE, NULL,
                        "gbl_generate_edges: '%.40s' is not made of edges: er, rmat, rmats and "
                        "planted are",
                        part->spec);
    if ((info = read_spec(part->spec, generator, &numbers)) != GBL_SUCCESS ||
        (info = gb_io_kind(&kind, part->type ? part->type : GBL_FP64)) != GBL_SUCCESS ||
        (info = generator->graph(&graph, &numbers)) != GBL_SUCCESS)
        return info;
    if (part->first > graph.edges || part->count > graph.edges - part->first)
        return gbl_fail(GBL_INVALID_INDEX, NULL, "gbl_generate_edges: '%.40s' has %llu edges",
                        part->spec, (unsigned long long)graph.edges);
    const gb_Values values = values_of(generator, &numbers, &kind);
    part->n = 0;
    for (uint64_t k = part->first; k < part->first + part->count; k++) {
        const gb_Edge edge = graph.edge(&graph, k);
        if (graph.both && edge.i == edge.j) continue;
        put_edge(part, &values, edge);
        if (graph.both) put_edge(part, &values, (gb_Edge){edge.j, edge.i});
    }
    return GBL_SUCCESS;
}

gbl_Info gbl_load(gbl_Matrix *A, gbl_Type type, const char *operand) {
    if (operand && (find_generator(operand) || gb_gen_is_decay(operand)))
        return gbl_generate(A, type, operand);
    const bool own = operand && gb_io_ends_with(operand, ".gbl");
    const gbl_Info info =
        own ? gbl_file_map(A, type, operand, true) : gbl_mm_read(A, type, operand);
    if (info == GBL_IO_ERROR && operand && strchr(operand, ':')) {
        char text[256];
        snprintf(text, sizeof text, "%s", gbl_last_error());
        return gbl_fail(info, NULL, "%s; a generator would be " FORMS, text);
    }
    return info;
}
