/* SPDX-License-Identifier: Apache-2.0
 *
 * One case of the walk over all operations (test_walk.c): its operands, dense and in the library,
 * and how they are held.
 *
 * Roles are C, M, A and B. Dimensions are axes, so that an operation says which of them agree: the
 * string "02 02 01 12" is C m x n, M m x n, A m x k, B k x n of a product. "0." is a vector, "--"
 * nothing. The axes 1 and 3 of an operation with lists are the lists' lengths; 4 and 5 are the
 * products 0 * 2 and 1 * 3, 6 is of length 1.
 *
 * In a huge case an axis is longer than the dense operands are: small index k stands for place
 * at[k] of it, and all other places are empty.
 */
#pragma once

#include "matrix/matrix.h"
#include "support/huge.h"
#include "support/index_list.h"
#include "support/product.h"
#include "support/suitesparse.h"

enum { ROLE_C, ROLE_M, ROLE_A, ROLE_B, ROLES, AXES = 7 };
typedef enum { NO_OP, RINGS, BINARIES, UNARIES, INDEXES, MONOIDS } w_Operators;

typedef struct Walk Walk;

typedef struct {
    const char *name, *axes;
    w_Operators operators;
    const char *turns; /* "01": A by GBL_INP0, B by GBL_INP1; "1": A by GBL_INP1; "": none */
    unsigned is;       /* a set of the bits below */
    gbl_Info (*run)(const Walk *);
    void (*oracle)(const Walk *, o_Matrix *C);
    void (*peer)(const s_Lists *); /* SuiteSparse; NULL: it has no such thing */
} w_Operation;
enum {
    TAKES_VALUE = 1,
    TAKES_ROWS = 2,    /* a list of places of axis 0, as long as axis 1 */
    TAKES_COLUMNS = 4, /* a list of places of axis 2, as long as axis 3 */
    REPEATS = 8,       /* which may repeat itself */
    TAKES_LINE = 16,   /* one place of axis 0 or 2, whichever has no list */
    UNMASKED = 32,
    STAYS_SMALL = 64, /* it writes places that no operand has, or depends on them */
    BUILT_IN = 128    /* types of the user's have no order */
};

/* An operand of one or more roles. */
typedef struct {
    bool is_matrix;
    int rows, cols; /* axes */
    unsigned state; /* how it is held */
    o_Matrix D;
    gbl_Matrix A;
    gbl_Vector v;
} w_Object;

struct Walk {
    const w_Operation *op;
    uint64_t seed;
    t_Random random;
    t_Flags flags;
    bool huge, is_user, no_value; /* the scalar is empty */
    t_Scatter axis[AXES];
    int count; /* of objects */
    w_Object object[ROLES];
    w_Object *role[ROLES];                     /* NULL: there is none */
    t_List I, J;                               /* of small indices */
    gbl_Index line;                            /* small */
    gbl_Index wide[2][T_LIST_MOST], wide_line; /* as the library gets them */
    size_t k;                                  /* place in the table of operators */
    t_User user;
    o_Ring ring;
    o_Binary binary, accum;
    o_Unary unary;
    o_Index index;
    o_Monoid monoid;
    o_Type type; /* of the operator's arguments */
    o_Type value_type;
    o_Value value;
    gbl_Scalar scalar;
    gbl_Descriptor desc;
    o_Rule rule;
    o_Matrix *found; /* what the library has in C, for semirings over ANY */
};

/* What the library gets. */
static inline gbl_Matrix w_matrix(const Walk *w, int role) {
    return w->role[role] == NULL ? NULL : w->role[role]->A;
}
static inline gbl_Vector w_vector(const Walk *w, int role) {
    return w->role[role] == NULL ? NULL : w->role[role]->v;
}
static inline const o_Matrix *w_dense(const Walk *w, int role) {
    return w->role[role] == NULL ? NULL : &w->role[role]->D;
}
static inline gbl_BinaryOp w_accum(const Walk *w) {
    return w->flags.accum ? w->accum.handle : NULL;
}
static inline const gbl_Index *w_rows(const Walk *w) {
    return w->I.kind == T_LIST_ALL ? GBL_ALL : w->wide[0];
}
static inline const gbl_Index *w_columns(const Walk *w) {
    return w->J.kind == T_LIST_ALL ? GBL_ALL : w->wide[1];
}
