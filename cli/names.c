/* SPDX-License-Identifier: Apache-2.0
 *
 * Names of semirings and methods on the command line. A semiring is called as in gblite.h, in small
 * letters: plus_times_fp64 is GBL_PLUS_TIMES_SEMIRING_FP64. Without a type the first entry of that
 * name in the table below is meant, so each name's usual type comes first; where that is FP64,
 * integers.c chooses another for operands that are integers.
 */
#include <string.h>
#include <strings.h>

#include "cli.h"

typedef struct {
    const char *name, *type_name;
    const gbl_Semiring *ring;
    const gbl_Type *type;
} Ring;

#define RING(NAME, BIG, T) {#NAME, #T, &GBL_##BIG##_SEMIRING_##T, &GBL_##T},
#define RING_SMALL(NAME, BIG)                                                                      \
    RING(NAME, BIG, INT32)                                                                         \
    RING(NAME, BIG, INT16)                                                                         \
    RING(NAME, BIG, INT8)                                                                          \
    RING(NAME, BIG, UINT64)                                                                        \
    RING(NAME, BIG, UINT32)                                                                        \
    RING(NAME, BIG, UINT16)                                                                        \
    RING(NAME, BIG, UINT8)                                                                         \
    RING(NAME, BIG, FP32)
#define RING_REAL(NAME, BIG) RING(NAME, BIG, FP64) RING(NAME, BIG, INT64) RING_SMALL(NAME, BIG)
#define RING_COUNT(NAME, BIG) RING(NAME, BIG, INT64) RING(NAME, BIG, FP64) RING_SMALL(NAME, BIG)
#define RING_COMPLEX(NAME, BIG) RING(NAME, BIG, FC64) RING(NAME, BIG, FC32)
#define RING_BOOL(NAME, BIG) RING(NAME, BIG, BOOL)
#define RING_INDEX(NAME, BIG) RING(NAME, BIG, INT64) RING(NAME, BIG, INT32)

static const Ring rings[] = {
    /* clang-format off */
    RING_REAL(plus_times, PLUS_TIMES)
    RING_COMPLEX(plus_times, PLUS_TIMES)
    RING_COUNT(plus_pair, PLUS_PAIR)
    RING_REAL(plus_first, PLUS_FIRST)
    RING_COMPLEX(plus_first, PLUS_FIRST)
    RING_REAL(plus_second, PLUS_SECOND)
    RING_COMPLEX(plus_second, PLUS_SECOND)
    RING_REAL(plus_min, PLUS_MIN)
    RING_REAL(min_plus, MIN_PLUS)
    RING_REAL(min_times, MIN_TIMES)
    RING_REAL(min_max, MIN_MAX)
    RING_REAL(min_first, MIN_FIRST)
    RING_REAL(min_second, MIN_SECOND)
    RING_REAL(max_plus, MAX_PLUS)
    RING_REAL(max_times, MAX_TIMES)
    RING_REAL(max_min, MAX_MIN)
    RING_REAL(max_first, MAX_FIRST)
    RING_REAL(max_second, MAX_SECOND)
    RING_BOOL(lor_land, LOR_LAND)
    RING_BOOL(land_lor, LAND_LOR)
    RING_BOOL(lxor_land, LXOR_LAND)
    RING_BOOL(lxnor_lor, LXNOR_LOR)
    RING_BOOL(any_pair, ANY_PAIR)
    RING_REAL(any_pair, ANY_PAIR)
    RING_REAL(any_first, ANY_FIRST)
    RING_BOOL(any_first, ANY_FIRST)
    RING_REAL(any_second, ANY_SECOND)
    RING_BOOL(any_second, ANY_SECOND)
    RING_INDEX(any_firsti, ANY_FIRSTI)
    RING_INDEX(any_firstj, ANY_FIRSTJ)
    RING_INDEX(any_secondi, ANY_SECONDI)
    RING_INDEX(any_secondj, ANY_SECONDJ)
    RING_INDEX(min_firsti, MIN_FIRSTI)
    RING_INDEX(min_firstj, MIN_FIRSTJ)
    RING_INDEX(min_secondi, MIN_SECONDI)
    RING_INDEX(min_secondj, MIN_SECONDJ)
    RING_INDEX(max_firsti, MAX_FIRSTI)
    RING_INDEX(max_firstj, MAX_FIRSTJ)
    RING_INDEX(max_secondi, MAX_SECONDI)
    RING_INDEX(max_secondj, MAX_SECONDJ)
    /* clang-format on */
};
enum { RINGS = sizeof rings / sizeof *rings };

typedef struct {
    const char *name;
    gbl_Desc_Value value;
} Choice;

static bool find_ring(cli_Ring *ring, const char *name) {
    for (int k = 0; k < RINGS; k++) {
        size_t length = strlen(rings[k].name);
        if (strncmp(name, rings[k].name, length)) continue;
        const char *suffix = name + length;
        if (*suffix && (*suffix != '_' || strcasecmp(suffix + 1, rings[k].type_name))) continue;
        *ring = (cli_Ring){*rings[k].ring, *rings[k].type, rings[k].name,
                           !*suffix && *rings[k].type == GBL_FP64};
        return true;
    }
    return false;
}

void cli_ring_typed(cli_Ring *ring, const char *type_name) {
    for (int k = 0; k < RINGS; k++) {
        if (strcmp(ring->name, rings[k].name) || strcasecmp(type_name, rings[k].type_name))
            continue;
        ring->ring = *rings[k].ring;
        ring->type = *rings[k].type;
    }
}

static size_t append(char *text, size_t size, size_t used, const char *name) {
    if (used >= size) return used;
    int more = snprintf(text + used, size - used, "%s%s", used ? ", " : "", name);
    return more < 0 ? used : used + (size_t)more;
}

/* The table has all types of a name in a row. */
static bool is_one_more_type(int k) {
    return k > 0 && !strcmp(rings[k].name, rings[k - 1].name);
}

cli_Ring cli_parse_ring(struct argp_state *state, const char *text) {
    char known[1024];
    cli_Ring ring = {0};
    size_t used = 0;
    if (find_ring(&ring, text)) return ring;
    for (int k = 0; k < RINGS; k++)
        if (!is_one_more_type(k)) used = append(known, sizeof known, used, rings[k].name);
    argp_error(state,
               "unknown semiring '%s'. Known, each also with a type such as _fp64, _fp32, "
               "_int64: %s",
               text, known);
    return ring;
}

cli_Ring cli_default_ring(void) {
    cli_Ring ring;
    find_ring(&ring, "plus_times");
    return ring;
}

/* The value of a name; else bad usage. what: method or workflow. */
static gbl_Desc_Value parse_choice(struct argp_state *state, const char *what, const char *text,
                                   const Choice *choices) {
    char known[256];
    size_t used = 0;
    for (const Choice *c = choices; c->name; c++) {
        if (!strcmp(text, c->name)) return c->value;
        used = append(known, sizeof known, used, c->name);
    }
    argp_error(state, "unknown %s '%s'. Known: %s", what, text, known);
    return GBL_DEFAULT;
}

static const Choice WORKFLOWS[] = {{"auto", GBL_DEFAULT},
                                   {"bound", GBL_WORKFLOW_UPPER_BOUND},
                                   {"estimate", GBL_WORKFLOW_ESTIMATE},
                                   {"symbolic", GBL_WORKFLOW_SYMBOLIC},
                                   {"as-they-are", GBL_WORKFLOW_AS_THEY_ARE},
                                   {"grouped", GBL_WORKFLOW_GROUPED},
                                   {0}};

static const Choice ROUNDINGS[] = {{"none", GBL_DEFAULT},
                                   {"fp16", GBL_ROUND_FP16},
                                   {"bf16", GBL_ROUND_BF16},
                                   {"tf32", GBL_ROUND_TF32},
                                   {NULL, GBL_DEFAULT}};
static const Choice VARIANTS[] = {{"auto", GBL_DEFAULT},
                                  {"spa", GBL_VECTOR_SPA},
                                  {"hash-32/256", GBL_VECTOR_HASH_32_256},
                                  {"hash-256/256", GBL_VECTOR_HASH_256_256},
                                  {"h-hash-32/256", GBL_VECTOR_H_HASH_32_256},
                                  {"h-hash-256/256", GBL_VECTOR_H_HASH_256_256},
                                  {0}};

/* Those that the library knows, and an empty one last. */
static void list_methods(Choice methods[static GBL_CANDIDATES_MOST + 2]) {
    memset(methods, 0, (GBL_CANDIDATES_MOST + 2) * sizeof *methods);
    methods[0] = (Choice){"auto", GBL_DEFAULT};
    for (int32_t k = 0; k < GBL_CANDIDATES_MOST; k++)
        if (gbl_mxm_method(&methods[k + 1].name, &methods[k + 1].value, k)) break;
}

gbl_Desc_Value cli_parse_method(struct argp_state *state, const char *text) {
    Choice methods[GBL_CANDIDATES_MOST + 2];
    list_methods(methods);
    return parse_choice(state, "method", text, methods);
}

gbl_Desc_Value cli_parse_workflow(struct argp_state *state, const char *text) {
    return parse_choice(state, "workflow", text, WORKFLOWS);
}

gbl_Desc_Value cli_parse_variant(struct argp_state *state, const char *text) {
    return parse_choice(state, "variant", text, VARIANTS);
}

gbl_Desc_Value cli_parse_rounding(struct argp_state *state, const char *text) {
    return parse_choice(state, "rounding", text, ROUNDINGS);
}

void cli_print_values(const char *option) {
    Choice methods[GBL_CANDIDATES_MOST + 2];
    list_methods(methods);
    const Choice *choices = NULL;
    if (!strcmp(option, "semiring")) {
        for (int k = 0; k < RINGS; k++)
            if (!is_one_more_type(k)) printf("value\t%s\t%s\n", option, rings[k].name);
    } else if (!strcmp(option, "method")) {
        choices = methods;
    } else if (!strcmp(option, "workflow")) {
        choices = WORKFLOWS;
    } else if (!strcmp(option, "variant")) {
        choices = VARIANTS;
    } else if (!strcmp(option, "round")) {
        choices = ROUNDINGS;
    }
    for (; choices && choices->name; choices++) printf("value\t%s\t%s\n", option, choices->name);
}
