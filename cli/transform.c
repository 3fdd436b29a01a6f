/* SPDX-License-Identifier: Apache-2.0
 *
 * Transformations of weights, in the words of mcl: "gq(5),ceil(200)" keeps the weights of 5 and
 * more and makes 200 of what is larger. They apply from left to right.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "markov.h"

typedef struct {
    const char *name;
    const gbl_IndexUnaryOp *keep; /* which weights stay */
    const gbl_BinaryOp *op;       /* of the weight and the number; of POW for exp turned round */
} Function;

static const Function functions[] = {
    {"gq", &GBL_VALUEGE_FP64, NULL},  {"gt", &GBL_VALUEGT_FP64, NULL},
    {"lq", &GBL_VALUELE_FP64, NULL},  {"lt", &GBL_VALUELT_FP64, NULL},
    {"mul", NULL, &GBL_TIMES_FP64},   {"scale", NULL, &GBL_DIV_FP64},
    {"add", NULL, &GBL_PLUS_FP64},    {"ceil", NULL, &GBL_MIN_FP64},
    {"floor", NULL, &GBL_MAX_FP64},   {"pow", NULL, &GBL_POW_FP64},
    {"exp", NULL, &GBL_POW_FP64},     {"log", NULL, &GBL_TIMES_FP64},
    {"neglog", NULL, &GBL_TIMES_FP64}};
enum { FUNCTIONS = sizeof functions / sizeof *functions, NAME_MOST = 8 };

static gbl_Info apply(gbl_Matrix A, const Function *f, double x) {
    gbl_Info info;
    const double base = x > 0 ? x : exp(1);
    if (f->keep) return gbl_Matrix_select_FP64(A, NULL, NULL, *f->keep, A, x, NULL);
    if (!strcmp(f->name, "exp"))
        return gbl_Matrix_apply_BinaryOp1st_FP64(A, NULL, NULL, *f->op, base, A, NULL);
    if (strstr(f->name, "log")) {
        if ((info = gbl_Matrix_apply(A, NULL, NULL, GBL_LOG_FP64, A, NULL))) return info;
        x = (*f->name == 'n' ? -1 : 1) / log(base);
    }
    return gbl_Matrix_apply_BinaryOp2nd_FP64(A, NULL, NULL, *f->op, A, x, NULL);
}

/* The first function of the text, and its number, 0 if there is none; *used: its letters, or 0. */
static const Function *first(const char *text, double *x, size_t *used) {
    char name[NAME_MOST + 1], *end;
    const size_t n = strspn(text, "abcdefghijklmnopqrstuvwxyz"), gap = strspn(text + n, " ");
    *used = 0;
    if (n > NAME_MOST || text[n + gap] != '(') return NULL;
    *x = strtod(text + n + gap + 1, &end);
    end += strspn(end, " ");
    if (*end != ')') return NULL;
    memcpy(name, text, n);
    name[n] = '\0';
    *used = (size_t)(end + 1 - text);
    for (int k = 0; k < FUNCTIONS; k++)
        if (!strcmp(functions[k].name, name)) return &functions[k];
    return NULL;
}

bool cli_transform_falls(const char *spec) {
    double x;
    size_t used;
    const Function *f = first(spec + strspn(spec, " ,"), &x, &used);
    return f && (!strcmp(f->name, "neglog") || (!strcmp(f->name, "mul") && x < 0));
}

gbl_Info cli_transform(gbl_Matrix A, const char *spec) {
    gbl_Info info = GBL_SUCCESS;
    for (const char *text = spec + strspn(spec, " ,"); *text && !info; text += strspn(text, " ,")) {
        double x = 0;
        size_t used;
        const Function *f = first(text, &x, &used);
        if (!f)
            return gbl_fail(GBL_INVALID_VALUE, NULL,
                            "--transform: '%s' is no list of gq, gt, lq, lt, mul, scale, add, "
                            "ceil, floor, pow, exp, log or neglog, each with a number, as "
                            "gq(5),ceil(200)",
                            text);
        info = apply(A, f, x);
        text += used;
    }
    double least = 0, most = 0;
    if (info || (info = gbl_Matrix_reduce_FP64(&least, NULL, GBL_MIN_MONOID_FP64, A, NULL)) ||
        (info = gbl_Matrix_reduce_FP64(&most, NULL, GBL_MAX_MONOID_FP64, A, NULL)))
        return info;
    gbl_Index edges;
    if ((info = gbl_Matrix_nvals(&edges, A)) || edges == 0 || (least >= 0 && most < INFINITY))
        return info;
    return gbl_fail(GBL_INVALID_VALUE, NULL,
                    "--transform '%s' makes weights from %g to %g; they must not be negative or "
                    "infinite: end it by gq(0), or ceil(200)",
                    spec, least, most);
}
