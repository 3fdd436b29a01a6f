/* SPDX-License-Identifier: Apache-2.0
 *
 * Coordinate bodies: the list of entries, in any order, becomes sorted rows, or columns where that
 * saves pointers: a matrix of 10^8 x 1 with few entries has 800 MB of pointers to rows.
 */
#include "edges.h"
#include "mm.h"

#include <stdio.h>

/* A matrix is made by columns when it has so many times more rows than columns and entries. With
 * fewer, its pointers to rows take no more than about this many times the memory of the rest, and
 * rows are what most operations want. */
enum { BY_COLUMNS_FROM = 8 };

static bool prefers_columns(const gb_MmBody *body) {
    const gb_MmHeader *const header = &body->header;
    return header->nrows / BY_COLUMNS_FROM > header->ncols + body->list.n;
}

/* Looks for the lines that give the same entry; *second stays 0 when they are not found. */
static gbl_Info find_lines(gb_MmBody *body, gb_Place place, uint64_t *first, uint64_t *second) {
    const gb_MmHeader *const header = &body->header;
    const bool symmetric = header->symmetry != GB_MM_GENERAL;
    gb_Text *const text = body->text;
    gb_Lines lines;
    gbl_Info info = gb_text_rewind(text);
    if (info == GBL_SUCCESS) info = gb_mm_read_header(body, &lines);
    while (info == GBL_SUCCESS) { /* nothing of the body need stand behind the header */
        const char *p = lines.begin;
        gb_Place at;
        gb_Problem problem = {0};
        for (; gb_mm_next_entry(&p, lines.end, &text->line); text->line++) {
            if (!gb_mm_read_indices(header, &p, &at, &problem)) return GBL_SUCCESS; /* changed */
            const bool same = at.i == place.i && at.j == place.j;
            const bool mirrored = symmetric && at.i == place.j && at.j == place.i;
            if (same || mirrored) *(*first ? second : first) = text->line;
            if (*second) return GBL_SUCCESS;
            while (*p++ != '\n') continue;
        }
        info = gb_text_next(text, &lines);
        if (info == GBL_SUCCESS && lines.begin == lines.end) break;
    }
    return info;
}

/* Names the entry, and where none may be repeated the two lines, which are looked up in the text
 * once more, unless it came from a pipe. */
static gbl_Info fail_repeated(gb_MmBody *body, gb_Place place) {
    const char *const name = body->text->input.name;
    const unsigned first_index = !body->header.from_0;
    const unsigned long long i = (unsigned long long)place.i + first_index;
    const unsigned long long j = (unsigned long long)place.j + first_index;
    uint64_t first = 0, second = 0;
    if (body->list.duplicates == GBL_DUPLICATES_SUM) {
        char entry[64];
        snprintf(entry, sizeof entry, "the entry (%llu, %llu)", i, j);
        return gb_coo_fail_sum(name, entry);
    }
    const char *const side = body->strict || body->duplicates != GBL_DUPLICATES_USUAL ||
                                     body->header.symmetry == GB_MM_GENERAL
                                 ? ""
                                 : "; a symmetric file that has both sides may mean one or the sum";
    const gbl_Info info = find_lines(body, place, &first, &second);
    if (info < GBL_SUCCESS) return info;
    if (second == 0)
        return gbl_fail(GBL_INVALID_VALUE, NULL, "%s: the entry (%llu, %llu) is given twice%s",
                        name, i, j, side);
    return gbl_fail(GBL_INVALID_VALUE, NULL,
                    "%s: line %llu: the entry (%llu, %llu) was given before, in line %llu%s", name,
                    (unsigned long long)second, i, j, (unsigned long long)first, side);
}

/* What becomes of duplicates: an error where the text says that there are none, or where both
 * sides of a symmetric matrix may be meant as one. */
static gbl_Duplicates rule_of(const gb_MmBody *body) {
    const gb_MmHeader *const header = &body->header;
    if (body->duplicates != GBL_DUPLICATES_USUAL) return body->duplicates;
    return body->strict || (header->symmetry != GB_MM_GENERAL && header->field != GB_MM_PATTERN)
               ? GBL_DUPLICATES_ERROR
               : GBL_DUPLICATES_SUM;
}

/* -- wide lists */

/* Slots without an entry go. */
static void squeeze(gb_Coo *list) {
    uint64_t kept = 0;
    for (uint64_t k = 0; k < list->n; k++) {
        if (list->wi[k] == GB_COO_WIDE_NONE) continue;
        list->wi[kept] = list->wi[k];
        list->wj[kept] = list->wj[k];
        gb_io_copy_value(list->x, kept, list->x, k, list->size);
        kept++;
    }
    list->n = kept;
}

static gbl_Info build_values(gbl_Matrix A, const gb_Coo *list, gbl_Type_Code code,
                             gbl_Duplicates rule) {
    switch (code) {
#define GB_BUILD(N, MAX, MIN)                                                                      \
    case GBL_##N##_CODE:                                                                           \
        return gbl_Matrix_build_##N(A, list->wi, list->wj, list->x, list->n,                       \
                                    rule == GBL_DUPLICATES_SUM     ? GBL_PLUS_##N                  \
                                    : rule == GBL_DUPLICATES_MAX   ? MAX                           \
                                    : rule == GBL_DUPLICATES_MIN   ? MIN                           \
                                    : rule == GBL_DUPLICATES_FIRST ? GBL_FIRST_##N                 \
                                                                   : NULL);
#define GB_REAL(N, T) GB_BUILD(N, GBL_MAX_##N, GBL_MIN_##N)
#define GB_COMPLEX(N, T) GB_BUILD(N, NULL, NULL)
        GBL_FOREACH_TYPE(GB_REAL)
        GBL_FOREACH_COMPLEX(GB_COMPLEX)
    default:
        return GBL_INVALID_VALUE; /* files have no other types */
    }
}

/* Every entry is the one value of a pattern; of repeated ones, one stays. */
static gbl_Info build_pattern(gbl_Matrix A, const gb_Coo *list) {
    gbl_Scalar one = NULL;
    gbl_Type type;
    gbl_Info info = gbl_Matrix_type(&type, A);
    if (info == GBL_SUCCESS) info = gbl_Scalar_new(&one, type);
    if (info == GBL_SUCCESS) info = gbl_Scalar_setElement_BOOL(one, true);
    if (info == GBL_SUCCESS) info = gbl_Matrix_build_Scalar(A, list->wi, list->wj, one, list->n);
    gbl_Scalar_free(&one);
    return info;
}

/* The dimensions of a matrix that no size line announces. */
static void find_dimensions(gb_MmHeader *header, const gb_Coo *list) {
    gbl_Index most = 0;
    for (uint64_t k = 0; k < list->n; k++) {
        if (list->wi[k] + 1 > most) most = list->wi[k] + 1;
        if (list->wj[k] + 1 > most) most = list->wj[k] + 1;
    }
    header->nrows = header->ncols = most;
}

/* Looks for what gb_coo_to_rows refuses in such a list, which is used up. */
static gbl_Info check_wide(gb_MmBody *body) {
    gb_Coo *const list = &body->list;
    gbl_Labels labels = {0};
    gbl_Arrays arrays = {0};
    gb_Place at;
    gbl_Info info = gb_labels_rank(&labels, list, UINT64_MAX, &list->nrows);
    list->ncols = list->nrows;
    if (info == GBL_SUCCESS) info = gb_coo_to_rows(list, rule_of(body), &arrays, &at);
    if (info == GBL_NO_VALUE) {
        at.i = labels.id ? labels.id[at.i] : at.i + 1; /* none: they are 1, 2, ... */
        at.j = labels.id ? labels.id[at.j] : at.j + 1;
        info = fail_repeated(body, at);
    }
    gb_io_free_arrays(&arrays);
    gbl_labels_free(&labels);
    return info;
}

static gbl_Info make_wide(gbl_Matrix *A, gb_MmBody *body) {
    gb_MmHeader *const header = &body->header;
    gb_Coo *const list = &body->list;
    gbl_Index nvals = 0;
    const gbl_Duplicates rule = rule_of(body);
    gbl_Info failed = GBL_SUCCESS;
    squeeze(list);
    if (header->sizeless) find_dimensions(header, list);
    gbl_Info info = gbl_Matrix_new(A, body->kind.type, header->nrows, header->ncols);
    if (info == GBL_SUCCESS)
        info = header->field == GB_MM_PATTERN ? build_pattern(*A, list)
                                              : build_values(*A, list, body->kind.code, rule);
    if (info == GBL_SUCCESS) info = gbl_Matrix_nvals(&nvals, *A);
    body->merged = list->n - nvals;
    const bool sums = rule == GBL_DUPLICATES_SUM && body->kind.code < GBL_FP32_CODE;
    if (info == GBL_INVALID_VALUE ||
        (info == GBL_SUCCESS && body->merged > 0 && (sums || rule == GBL_DUPLICATES_ERROR)))
        failed = check_wide(body);
    if (failed != GBL_SUCCESS) info = failed;
    gb_coo_free(list);
    if (info != GBL_SUCCESS) gbl_Matrix_free(A);
    return info;
}

gbl_Info gb_mm_make_coordinate(gbl_Matrix *A, gb_MmBody *body) {
    if (body->list.wide) return make_wide(A, body);
    const bool by_columns = prefers_columns(body);
    gbl_Arrays arrays = {0};
    gb_Place repeated;
    if (by_columns) gb_coo_transpose(&body->list);
    gbl_Info info = gb_coo_to_rows(&body->list, rule_of(body), &arrays, &repeated);
    body->merged = body->list.merged;
    if (info == GBL_NO_VALUE) {
        if (by_columns) repeated = (gb_Place){.i = repeated.j, .j = repeated.i};
        return fail_repeated(body, repeated);
    }
    if (info != GBL_SUCCESS) return info;
    return gb_coo_deliver(A, &body->list, &body->kind, by_columns ? GBL_CSC_FORMAT : GBL_CSR_FORMAT,
                          &arrays);
}
