/* SPDX-License-Identifier: Apache-2.0
 *
 * One row by all its contenders, in turns, and whether their results agree.
 */
#include "jobs/sides.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_ENTRANTS = 8 };

typedef struct {
    const side_entrant *of;
    side_work *work;
    int calls;
} runner;

static int run(void *context) {
    const runner *r = context;
    int status = r->of->library->run(r->work);
    for (int k = 1; k < r->calls && status == 0; k++) status = r->of->library->run(r->work);
    return status;
}

/* A run without what it writes to fails, and says so. */
static void renew(void *context) {
    const runner *r = context;
    r->of->library->renew(r->work);
}

static void free_result(side_result *r) {
    for (int k = 0; k < SIDE_PARTS; k++) side_tuples_free(&r->part[k]);
}

static bool do_agree(const side_entrant *x, const side_entrant *y, const side_result *mine,
                     const side_result *other) {
    return x->task.huge == y->task.huge ? x->row->agree(&y->task, mine, other)
                                        : side_same_values(mine, other);
}

/* Parts that results are compared in; -1 after saying why. Huge and compact indices are not cut at
 * the same rows. */
static int64_t slabs_for(const runner *runners, int count) {
    for (int k = 0; k < count; k++)
        if (runners[k].of->library->entries == NULL ||
            runners[k].of->task.huge != runners[0].of->task.huge)
            return 1;
    const int64_t entries = runners[0].of->library->entries(runners[0].work);
    if (entries < 0) return -1;
    return entries / SIDE_SLAB < SIDE_SLABS ? 1 + entries / SIDE_SLAB : SIDE_SLABS;
}

/* A part of all results is that of the first contender, which is left in *first. */
static int check_part(const runner *runners, int count, side_part part, side_result *first) {
    int status = runners[0].of->library->take(runners[0].work, part, first);
    for (int k = 1; k < count && status == 0; k++) {
        const side_entrant *e = runners[k].of;
        side_result other = {0};
        status = e->library->take(runners[k].work, part, &other);
        if (status == 0 && !do_agree(runners[0].of, e, first, &other)) {
            fprintf(stderr, "%s: the result of %s differs from that of %s\n", e->row->name, e->name,
                    runners[0].of->name);
            status = -1;
        }
        free_result(&other);
    }
    return status;
}

/* All results are those of the first contender. */
static int check(cJSON *object, const runner *runners, int count) {
    const int64_t slabs = slabs_for(runners, count);
    double entries = 0.0, triangles = 0.0;
    int status = slabs < 0 ? -1 : 0;
    for (int64_t k = 0; k < slabs && status == 0; k++) {
        side_result first = {0};
        const side_part part = {(gbl_Index)k, (gbl_Index)slabs};
        status = check_part(runners, count, part, &first);
        entries += (double)first.part[first.part[SIDE_C].I != NULL ? SIDE_C : SIDE_W].n;
        triangles = (double)first.count;
        free_result(&first);
    }
    cJSON_AddNumberToObject(object, triangles > 0.0 ? "triangles" : "result_entries",
                            triangles > 0.0 ? triangles : entries);
    return status;
}

/* Seconds of one call by name, the least of several of one name; which form that was. */
static void add_seconds(cJSON *object, const bench_contender *list, const side_entrant *entrants,
                        int count, int calls) {
    cJSON *seconds = cJSON_AddObjectToObject(object, "seconds");
    for (int k = 0; k < count; k++) {
        const side_row *row = entrants[k].row;
        const char *name = list[k].name;
        const double x = list[k].median / (calls > 0 ? calls : 1);
        const cJSON *before = cJSON_GetObjectItemCaseSensitive(seconds, name);
        if (before != NULL && before->valuedouble <= x) continue;
        cJSON_DeleteItemFromObject(seconds, name);
        cJSON_AddNumberToObject(seconds, name, x);
        if (row->forms == NULL || entrants[k].library->explain != NULL) continue;
        cJSON_DeleteItemFromObject(object, "form");
        cJSON_AddStringToObject(object, "form", row->forms[entrants[k].task.form]);
    }
}

static void explain(cJSON *object, const runner *r) {
    const gbl_Explanation how = r->of->library->explain(r->work);
    if (how.method == NULL || how.method[0] == '\0') return;
    cJSON_AddStringToObject(object, "method", how.method);
    cJSON_AddStringToObject(object, "workflow", how.workflow);
    cJSON_AddStringToObject(object, "isa", how.isa);
}

int side_race(cJSON *object, const side_entrant *list, int count, const side_setup *setup) {
    runner runners[MOST_ENTRANTS] = {{0}};
    bench_contender contenders[MOST_ENTRANTS];
    int status = count <= MOST_ENTRANTS ? 0 : -1;
    for (int k = 0; k < count && status == 0; k++) {
        const side_entrant *e = &list[k];
        runners[k] = (runner){e, e->library->open(e->row, &e->task), setup->calls};
        contenders[k] = (bench_contender){e->name, run, renew, &runners[k], 0, 0};
        if (runners[k].work == NULL) status = -1;
    }
    if (status == 0 && bench_take_turns_by(&setup->rules, contenders, count) < 0) status = -1;
    if (status == 0) add_seconds(object, contenders, list, count, setup->calls);
    if (status == 0 && setup->calls == 0) explain(object, &runners[0]);
    if (status == 0) status = check(object, runners, count);
    for (int k = 0; k < count; k++)
        if (runners[k].work != NULL) list[k].library->close(runners[k].work);
    return status;
}

/* Row k of both libraries. */
static int race_pair(cJSON *object, const side_group *g, int k) {
    const side_row *theirs = &g->other->rows[k];
    side_entrant list[MOST_ENTRANTS] = {{"gblite", &GBLITE_SIDE, &g->mine->rows[k], g->task}};
    int count = 1, form = 0;
    do {
        if (theirs->call == NULL) break;
        list[count] = (side_entrant){"suitesparse", &SUITESPARSE_SIDE, theirs, g->task};
        list[count++].task.form = form;
    } while (theirs->forms != NULL && theirs->forms[++form] != NULL);
    return side_race(object, list, count, &g->setup);
}

void side_race_group(bench_sink *to, const side_group *g) {
    for (int k = 0; k < g->mine->count; k++) {
        const char *name = g->mine->rows[k].name;
        if (!g->all && !bench_is_chosen(to->o, name)) continue;
        cJSON *row = bench_row(to, g->operation, name, g->input);
        if (g->fact != NULL) cJSON_AddNumberToObject(row, g->fact, (double)g->task.entries);
        bench_row_done(to, race_pair(row, g, k));
    }
}
