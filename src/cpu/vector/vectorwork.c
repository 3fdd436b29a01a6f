/* SPDX-License-Identifier: Apache-2.0
 *
 * Workspace of the method VECTOR: made when the first row asks for it, by the thread that uses it.
 */
#include "cpu/vector/vectorwork.h"

#include "core/arrays.h"
#include "cpu/rowwise/probe.h"

static void rows_free(gb_VectorWork *w) {
    gb_free(w->order, w->rows * sizeof *w->order);
    gb_free(w->order_tmp, w->rows * sizeof *w->order_tmp);
    gb_free(w->count, w->rows * sizeof *w->count);
    w->order = w->order_tmp = w->count = NULL;
    w->rows = 0;
}

static void table_free(gb_VectorWork *w) {
    const uint64_t entries = w->slots > 0 ? w->slots + 64 : 0;
    gb_free(w->table, w->slots * sizeof *w->table);
    gb_free(w->table_val, w->slots * w->args.zsize);
    gb_free(w->list, entries * sizeof *w->list);
    gb_free(w->column, entries * sizeof *w->column);
    w->table = w->list = w->column = NULL;
    w->table_val = NULL;
    w->slots = 0;
}

static void keys_free(gb_VectorWork *w) {
    const uint64_t numbers = w->keys > 0 ? w->keys + 16 : 0;
    gb_free(w->key, w->keys * sizeof *w->key);
    gb_free(w->key_tmp, w->keys * sizeof *w->key_tmp);
    gb_free(w->number, numbers * sizeof *w->number);
    gb_free(w->number_tmp, numbers * sizeof *w->number_tmp);
    w->key = w->key_tmp = NULL;
    w->number = w->number_tmp = NULL;
    w->keys = 0;
}

bool GB_ISA_NAME(gb_vector_reserve_rows)(gb_VectorWork *w, uint64_t rows) {
    if (w->rows >= rows) return true;
    rows_free(w);
    w->rows = rows + rows / 4;
    w->order = gb_malloc(w->rows * sizeof *w->order);
    w->order_tmp = gb_malloc(w->rows * sizeof *w->order_tmp);
    w->count = gb_malloc(w->rows * sizeof *w->count);
    if (w->order != NULL && w->order_tmp != NULL && w->count != NULL) return true;
    w->wanted = 3 * w->rows * sizeof *w->order;
    rows_free(w);
    return false;
}

bool GB_ISA_NAME(gb_vector_reserve_dense)(gb_VectorWork *w) {
    const uint64_t n = w->g->B.nminor;
    size_t bytes;
    if (w->val != NULL) return true;
    if (!gb_size_mul(&bytes, n, w->args.zsize) || n >= GB_VECTOR_SLOTS_MOST) {
        w->wanted = SIZE_MAX;
        return false;
    }
    w->columns = n;
    w->flag = gb_calloc(n * sizeof *w->flag);
    w->val = gb_malloc(bytes);
    if (w->flag != NULL && w->val != NULL) return true;
    gb_free(w->val, bytes);
    w->val = NULL;
    gb_free(w->flag, n * sizeof *w->flag);
    w->flag = NULL;
    w->wanted = n * (sizeof *w->flag + w->args.zsize);
    return false;
}

bool GB_ISA_NAME(gb_vector_reserve_table)(gb_VectorWork *w, uint64_t slots) {
    size_t bytes;
    if (w->slots >= slots) return true;
    table_free(w);
    if (slots >= GB_VECTOR_SLOTS_MOST || !gb_size_mul(&bytes, slots, w->args.zsize)) {
        w->wanted = SIZE_MAX;
        return false;
    }
    w->slots = slots;
    w->table = gb_calloc(slots * sizeof *w->table);
    w->table_val = gb_malloc(bytes);
    w->list = gb_calloc((slots + 64) * sizeof *w->list); /* gaps are read */
    w->column = gb_malloc((slots + 64) * sizeof *w->column);
    if (w->table != NULL && w->table_val != NULL && w->list != NULL && w->column != NULL)
        return true;
    w->wanted = slots * (3 * sizeof *w->table + w->args.zsize);
    table_free(w);
    return false;
}

bool GB_ISA_NAME(gb_vector_reserve_keys)(gb_VectorWork *w, uint64_t keys) {
    if (w->keys >= keys) return true;
    keys_free(w);
    if (keys >= GB_VECTOR_SLOTS_MOST) {
        w->wanted = SIZE_MAX;
        return false;
    }
    w->keys = keys;
    w->key = gb_malloc(keys * sizeof *w->key);
    w->key_tmp = gb_malloc(keys * sizeof *w->key_tmp);
    w->number = gb_malloc((keys + 16) * sizeof *w->number);
    w->number_tmp = gb_malloc((keys + 16) * sizeof *w->number_tmp);
    if (w->key != NULL && w->key_tmp != NULL && w->number != NULL && w->number_tmp != NULL)
        return true;
    w->wanted = keys * 2 * (sizeof *w->key + sizeof *w->number);
    keys_free(w);
    return false;
}

bool GB_ISA_NAME(gb_vector_reserve_products)(gb_VectorWork *w, uint64_t products) {
    const size_t buckets = ((size_t)GB_VL_MOST << GB_VECTOR_DIGIT) * sizeof *w->bucket;
    size_t bytes;
    if (!GB_ISA_NAME(gb_vector_reserve_keys)(w, products)) return false;
    if (w->bucket == NULL) w->bucket = gb_malloc(buckets);
    if (w->products < products) {
        gb_free(w->prod, w->products * w->args.zsize);
        w->products = 0;
        w->prod = gb_size_mul(&bytes, products, w->args.zsize) ? gb_malloc(bytes) : NULL;
        if (w->prod != NULL) w->products = products;
    }
    if (w->bucket != NULL && w->prod != NULL) return true;
    w->wanted = products * w->args.zsize + buckets;
    return false;
}

gbl_Info GB_ISA_NAME(gb_vectorwork_new)(gb_VectorWork *w, const gb_MxmArgs *g) {
    *w = (gb_VectorWork){.g = g, .args = g->args};
    w->args.scratch = gb_malloc(2 * g->args.zsize);
    w->lanes = gb_calloc(sizeof *w->lanes);
    if (w->args.scratch == NULL || w->lanes == NULL)
        return gb_fail_memory(2 * g->args.zsize + sizeof *w->lanes);
    gb_v_set(w->lanes->one, 1, GB_VL_MOST);
    return GBL_SUCCESS;
}

void GB_ISA_NAME(gb_vectorwork_free)(gb_VectorWork *w) {
    rows_free(w);
    table_free(w);
    keys_free(w);
    gb_free(w->flag, w->columns * sizeof *w->flag);
    gb_free(w->val, w->columns * w->args.zsize);
    gb_free(w->prod, w->products * w->args.zsize);
    gb_free(w->bucket, ((size_t)GB_VL_MOST << GB_VECTOR_DIGIT) * sizeof *w->bucket);
    gb_free(w->args.scratch, 2 * w->args.zsize);
    gb_free(w->lanes, sizeof *w->lanes);
}
