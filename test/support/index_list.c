/* SPDX-License-Identifier: Apache-2.0
 *
 * See index_list.h.
 */
#include "support/index_list.h"

const char *const t_list_names[T_LISTS] = {"all",      "range",  "ascending", "shuffled",
                                           "repeated", "single", "empty"};

static void shuffle(t_Random *r, t_List *list) {
    for (gbl_Index k = 0; k + 1 < list->n; k++) {
        const gbl_Index swap = k + t_below(r, list->n - k), keep = list->i[k];
        list->i[k] = list->i[swap];
        list->i[swap] = keep;
    }
}

static void repeat(t_Random *r, t_List *list, gbl_Index n) {
    list->n = 1 + t_below(r, 2 * n);
    for (gbl_Index k = 0; k < list->n; k++) list->i[k] = t_below(r, n);
}

t_List t_list(t_Random *r, t_ListKind kind, gbl_Index n) {
    t_List list = {.kind = kind};
    const gbl_Index first = n > 0 ? t_below(r, n) : 0;
    if (kind == T_LIST_EMPTY || n == 0) return list;
    if (kind == T_LIST_SINGLE) {
        list.i[list.n++] = first;
        return list;
    }
    if (kind == T_LIST_REPEATED) {
        repeat(r, &list, n);
        return list;
    }
    for (gbl_Index k = kind == T_LIST_RANGE ? first : 0; k < n; k++)
        if (kind == T_LIST_ALL || kind == T_LIST_RANGE || t_chance(r, 0.6)) list.i[list.n++] = k;
    if (kind == T_LIST_RANGE) list.n = 1 + t_below(r, list.n);
    if (kind == T_LIST_SHUFFLED) shuffle(r, &list);
    return list;
}

const gbl_Index *t_listed(const t_List *list) {
    return list->kind == T_LIST_ALL ? GBL_ALL : list->i;
}
