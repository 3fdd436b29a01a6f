/* SPDX-License-Identifier: Apache-2.0
 *
 * Random lists of indices, of every kind that the library treats in a way of its own.
 */
#pragma once

#include "support/gb_test.h"

typedef enum {
    T_LIST_ALL, /* told by GBL_ALL; i has them all the same */
    T_LIST_RANGE,
    T_LIST_ASCENDING,
    T_LIST_SHUFFLED, /* distinct */
    T_LIST_REPEATED, /* shuffled, with repetitions */
    T_LIST_SINGLE,
    T_LIST_EMPTY,
    T_LISTS
} t_ListKind;
extern const char *const t_list_names[T_LISTS];

enum { T_LIST_MOST = 96 };
typedef struct {
    t_ListKind kind;
    gbl_Index n, i[T_LIST_MOST];
} t_List;

/* A list of indices below n <= T_LIST_MOST / 2; empty where there are none. */
t_List t_list(t_Random *r, t_ListKind kind, gbl_Index n);
/* What the library gets. */
const gbl_Index *t_listed(const t_List *list);
