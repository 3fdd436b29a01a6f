/* SPDX-License-Identifier: Apache-2.0
 *
 * Every predefined operator of every type against plain arithmetic, on all pairs of edge and random
 * values, in all strides; and the casts.
 */
#include "semiring_values.h"

/* all pairs of these values */
static void fill_pairs(gbl_Type_Code code, char *x, char *y) {
    const size_t size = gb_type_of(code)->size;
    char values[NVALUES * BYTES];
    fill_values(code, values);
    for (size_t k = 0; k < NPAIRS; k++) {
        memcpy(x + k * size, values + k / NVALUES * size, size);
        memcpy(y + k * size, values + k % NVALUES * size, size);
    }
}

/* ------------------------------------------------------------------------ binary operators -- */

static wide divide(gbl_Type_Code code, wide x, wide y) {
    if (y != 0) return x / y;
    return x == 0 ? 0 : x < 0 ? lowest(code).i : highest(code).i;
}

static value reference_integer(gb_Opcode op, gbl_Type_Code code, wide x, wide y) {
    switch (op) {
    case GB_MIN:
        return (value){.i = x < y ? x : y};
    case GB_MAX:
        return (value){.i = x > y ? x : y};
    case GB_PLUS:
        return (value){.i = x + y};
    case GB_MINUS:
        return (value){.i = x - y};
    case GB_TIMES:
        return (value){.i = (wide)((uwide)x * (uwide)y)};
    case GB_DIV:
        return (value){.i = divide(code, x, y)};
    case GB_BOR:
        return (value){.i = x | y};
    case GB_BAND:
        return (value){.i = x & y};
    case GB_BXOR:
        return (value){.i = x ^ y};
    case GB_BXNOR:
        return (value){.i = ~(x ^ y)};
    case GB_ABSDIFF:
        return (value){.i = x > y ? x - y : y - x};
    case GB_EQ:
        return (value){.i = x == y};
    case GB_NE:
        return (value){.i = x != y};
    case GB_GT:
        return (value){.i = x > y};
    case GB_LT:
        return (value){.i = x < y};
    case GB_GE:
        return (value){.i = x >= y};
    default:
        return (value){.i = x <= y};
    }
}

static value reference_bool(gb_Opcode op, bool x, bool y) {
    switch (op) {
    case GB_PLUS:
    case GB_MAX:
    case GB_LOR:
        return (value){.i = x || y};
    case GB_TIMES:
    case GB_MIN:
    case GB_LAND:
        return (value){.i = x && y};
    case GB_MINUS:
    case GB_ABSDIFF:
    case GB_LXOR:
        return (value){.i = x != y};
    case GB_LXNOR:
        return (value){.i = x == y};
    case GB_DIV:
        return (value){.i = x};
    default:
        return reference_integer(op, GBL_BOOL_CODE, x, y);
    }
}

static value reference_float(gb_Opcode op, double x, double y) {
    switch (op) {
    case GB_MIN:
        return (value){.d = fmin(x, y)};
    case GB_MAX:
        return (value){.d = fmax(x, y)};
    case GB_PLUS:
        return (value){.d = x + y};
    case GB_MINUS:
        return (value){.d = x - y};
    case GB_TIMES:
        return (value){.d = x * y};
    case GB_DIV:
        return (value){.d = x / y};
    case GB_ABSDIFF:
        return (value){.d = fabs(x - y)};
    case GB_EQ:
        return (value){.i = x == y};
    case GB_NE:
        return (value){.i = x != y};
    case GB_GT:
        return (value){.i = x > y};
    case GB_LT:
        return (value){.i = x < y};
    case GB_GE:
        return (value){.i = x >= y};
    default:
        return (value){.i = x <= y};
    }
}

static value reference(gb_Opcode op, gbl_Type_Code code, value x, value y) {
    switch (op) {
    case GB_FIRST:
    case GB_ANY:
        return x;
    case GB_SECOND:
        return y;
    case GB_ONEB:
        return (value){.i = 1, .d = 1};
    default:
        break;
    }
    if (is_float(code)) return reference_float(op, x.d, y.d);
    if (code == GBL_BOOL_CODE) return reference_bool(op, x.i, y.i);
    return reference_integer(op, code, x.i, y.i);
}

static void check_binary(gb_BinaryOp *op, gb_Opcode opcode, gb_Type *z, gb_Type *x,
                         const char *name) {
    static _Alignas(16) char X[NPAIRS * BYTES], Y[NPAIRS * BYTES], Z[NPAIRS * BYTES];
    t_case("GBL_%s", name);
    CHECK(op->code == opcode && op->ztype == z && op->xtype == x && op->ytype == x);
    fill_pairs(x->code, X, Y);
    for (int strides = 0; strides < 4; strides++) {
        const int sx = strides & 1, sy = strides >> 1;
        size_t wrong = 0;
        for (size_t start = 0; start < NPAIRS; start += 101) { /* other first values, odd lengths */
            const size_t n = NPAIRS - start < 101 ? NPAIRS - start : 101;
            const char *a = X + start * x->size, *b = Y + start * x->size;
            op->batch(op, n, Z, a, sx, b, sy);
            for (size_t k = 0; k < n; k++) {
                char expected[BYTES];
                store(z->code, expected,
                      reference(opcode, x->code, load(x->code, a + (sx ? k : 0) * x->size),
                                load(x->code, b + (sy ? k : 0) * x->size)));
                wrong += !same(z->code, Z + k * z->size, expected);
                char one[BYTES];
                op->scalar(one, a + (sx ? k : 0) * x->size, b + (sy ? k : 0) * x->size);
                wrong += !same(z->code, one, expected);
            }
        }
        CHECK_EQ(wrong, 0);
    }
}

GB_TEST(semiring, binary_operators) {
#define SAME_TYPE(op, N) check_binary(GBL_##op##_##N, GB_##op, GBL_##N, GBL_##N, #op "_" #N);
#define TO_BOOL(op, N) check_binary(GBL_##op##_##N, GB_##op, GBL_BOOL, GBL_##N, #op "_" #N);
#define EACH(N, T)                                                                                 \
    SAME_TYPE(FIRST, N)                                                                            \
    SAME_TYPE(SECOND, N)                                                                           \
    SAME_TYPE(ONEB, N)                                                                             \
    SAME_TYPE(ANY, N)                                                                              \
    SAME_TYPE(MIN, N)                                                                              \
    SAME_TYPE(MAX, N)                                                                              \
    SAME_TYPE(PLUS, N)                                                                             \
    SAME_TYPE(MINUS, N)                                                                            \
    SAME_TYPE(TIMES, N)                                                                            \
    SAME_TYPE(DIV, N)                                                                              \
    SAME_TYPE(ABSDIFF, N)                                                                          \
    TO_BOOL(EQ, N)                                                                                 \
    TO_BOOL(NE, N)                                                                                 \
    TO_BOOL(GT, N)                                                                                 \
    TO_BOOL(LT, N)                                                                                 \
    TO_BOOL(GE, N)                                                                                 \
    TO_BOOL(LE, N)
    GBL_FOREACH_TYPE(EACH)
#undef EACH
#define EACH(N, T)                                                                                 \
    SAME_TYPE(BOR, N)                                                                              \
    SAME_TYPE(BAND, N)                                                                             \
    SAME_TYPE(BXOR, N)                                                                             \
    SAME_TYPE(BXNOR, N)
    GBL_FOREACH_INTEGER(EACH)
#undef EACH
    check_binary(GBL_LOR, GB_LOR, GBL_BOOL, GBL_BOOL, "LOR");
    check_binary(GBL_LAND, GB_LAND, GBL_BOOL, GBL_BOOL, "LAND");
    check_binary(GBL_LXOR, GB_LXOR, GBL_BOOL, GBL_BOOL, "LXOR");
    check_binary(GBL_LXNOR, GB_LXNOR, GBL_BOOL, GBL_BOOL, "LXNOR");
}

GB_TEST(semiring, which_operands_are_used) {
    CHECK(gb_binary_uses_x(GBL_PLUS_INT8) && gb_binary_uses_y(GBL_PLUS_INT8));
    CHECK(gb_binary_uses_x(GBL_FIRST_FP64) && !gb_binary_uses_y(GBL_FIRST_FP64));
    CHECK(!gb_binary_uses_x(GBL_SECOND_FP64) && gb_binary_uses_y(GBL_SECOND_FP64));
    CHECK(!gb_binary_uses_x(GBL_ONEB_BOOL) && !gb_binary_uses_y(GBL_ONEB_BOOL));
    CHECK(gb_binary_uses_y(GBL_DIV_INT8) && !gb_binary_uses_y(GBL_DIV_BOOL));
    CHECK(!gb_binary_uses_x(GBL_SECONDJ_INT32) && !gb_binary_uses_y(GBL_SECONDJ_INT32));
    CHECK(gb_binary_is_positional(GBL_FIRSTI_INT64) && !gb_binary_is_positional(GBL_FIRST_INT64));
    CHECK(GBL_FIRSTJ_INT32->batch == NULL);
}

/* ------------------------------------------------------------------------- unary operators -- */

static value reference_unary(gb_Opcode op, gbl_Type_Code code, value x) {
    const bool is_bool = code == GBL_BOOL_CODE;
    switch (op) {
    case GB_ABS:
        return (value){.i = x.i < 0 ? -x.i : x.i, .d = fabs(x.d)};
    case GB_AINV:
        return is_bool ? x : (value){.i = -x.i, .d = -x.d};
    case GB_MINV:
        return (value){.i = is_bool ? 1 : divide(code, 1, x.i), .d = 1 / x.d};
    case GB_ONE:
        return (value){.i = 1, .d = 1};
    case GB_LNOT:
        return (value){.i = !x.i};
    case GB_BNOT:
        return (value){.i = ~x.i};
    default:
        return x;
    }
}

static void check_unary(gb_UnaryOp *op, gb_Opcode opcode, gb_Type *type, const char *name) {
    _Alignas(16) char X[NVALUES * BYTES], Z[NVALUES * BYTES];
    t_case("GBL_%s", name);
    CHECK(op->code == opcode && op->ztype == type && op->xtype == type);
    fill_values(type->code, X);
    size_t wrong = 0;
    for (size_t first = 0; first < NVALUES; first++)
        for (int sx = 0; sx < 2; sx++) {
            const size_t n = NVALUES - first;
            op->batch(op, n, Z, X + first * type->size, sx);
            for (size_t k = 0; k < n; k++) {
                char expected[BYTES];
                const value x = load(type->code, X + (first + (sx ? k : 0)) * type->size);
                store(type->code, expected, reference_unary(opcode, type->code, x));
                wrong += !same(type->code, Z + k * type->size, expected);
            }
        }
    CHECK_EQ(wrong, 0);
}

GB_TEST(semiring, unary_operators) {
#define EACH_OP(op, N) check_unary(GBL_##op##_##N, GB_##op, GBL_##N, #op "_" #N);
#define EACH(N, T)                                                                                 \
    EACH_OP(IDENTITY, N)                                                                           \
    EACH_OP(ABS, N)                                                                                \
    EACH_OP(AINV, N)                                                                               \
    EACH_OP(MINV, N)                                                                               \
    EACH_OP(ONE, N)
    GBL_FOREACH_TYPE(EACH)
#undef EACH
#define EACH(N, T) EACH_OP(BNOT, N)
    GBL_FOREACH_INTEGER(EACH)
#undef EACH
#undef EACH_OP
    check_unary(GBL_LNOT, GB_LNOT, GBL_BOOL, "LNOT");
}

/* ------------------------------------------------------------------- index-unary operators -- */

static wide reference_position(gb_Opcode op, wide i, wide j, wide y) {
    switch (op) {
    case GB_ROWINDEX:
        return i + y;
    case GB_COLINDEX:
        return j + y;
    case GB_DIAGINDEX:
        return j - i + y;
    case GB_TRIL:
        return j <= i + y;
    case GB_TRIU:
        return j >= i + y;
    case GB_DIAG:
        return j == i + y;
    case GB_OFFDIAG:
        return j != i + y;
    case GB_COLLE:
        return j <= y;
    case GB_COLGT:
        return j > y;
    case GB_ROWLE:
        return i <= y;
    default:
        return i > y;
    }
}

static void check_position(gb_IndexUnaryOp *op, gb_Opcode opcode, gb_Type *z, gb_Type *y,
                           const char *name) {
    enum { N = 64 };
    static const wide bounds[] = {INT64_MIN, -5, -1, 0, 1, 7, 4000000000, INT64_MAX};
    gb_Idx i[N], j[N];
    _Alignas(16) char Z[N * BYTES];
    t_Random random = t_random(7);
    for (size_t k = 0; k < N; k++) {
        i[k] = (gb_Idx)(k % 3 == 0 ? t_next(&random) : t_below(&random, 9));
        j[k] = (gb_Idx)(k % 5 == 0 ? UINT32_MAX - k : t_below(&random, 9));
    }
    t_case("GBL_%s", name);
    CHECK(op->code == opcode && op->ztype == z && op->xtype == NULL && op->ytype == y);
    size_t wrong = 0;
    for (size_t b = 0; b < T_COUNT(bounds); b++)
        for (int strides = 0; strides < 4; strides++) {
            const int si = strides & 1, sj = strides >> 1;
            char bound[BYTES];
            store(y->code, bound, (value){.i = bounds[b]});
            op->batch(op, N, Z, NULL, 1, (gb_Positions){i, j, si, sj}, bound);
            for (size_t k = 0; k < N; k++) {
                char expected[BYTES];
                store(z->code, expected,
                      (value){.i = reference_position(opcode, i[si ? k : 0], j[sj ? k : 0],
                                                      load(y->code, bound).i)});
                wrong += !same(z->code, Z + k * z->size, expected);
            }
        }
    CHECK_EQ(wrong, 0);
}

GB_TEST(semiring, position_operators) {
#define EACH(op, N) check_position(GBL_##op##_##N, GB_##op, GBL_##N, GBL_##N, #op "_" #N);
    EACH(ROWINDEX, INT32)
    EACH(COLINDEX, INT32)
    EACH(DIAGINDEX, INT32)
    EACH(ROWINDEX, INT64)
    EACH(COLINDEX, INT64)
    EACH(DIAGINDEX, INT64)
#undef EACH
#define EACH(op) check_position(GBL_##op, GB_##op, GBL_BOOL, GBL_INT64, #op);
    EACH(TRIL)
    EACH(TRIU)
    EACH(DIAG)
    EACH(OFFDIAG)
    EACH(COLLE)
    EACH(COLGT)
    EACH(ROWLE)
    EACH(ROWGT)
#undef EACH
}

static void check_value_operator(gb_IndexUnaryOp *op, gb_BinaryOp *like, const char *name) {
    static _Alignas(16) char X[NPAIRS * BYTES], Y[NPAIRS * BYTES];
    bool Z[NPAIRS], expected[NPAIRS];
    t_case("GBL_VALUE%s", name);
    CHECK(op->ztype == GBL_BOOL && op->xtype == like->xtype && op->ytype == like->xtype);
    fill_pairs(like->xtype->code, X, Y);
    for (size_t b = 0; b < NVALUES; b++) {
        const char *y = Y + b * like->xtype->size;
        op->batch(op, NPAIRS, Z, X, 1, (gb_Positions){NULL, NULL, 0, 0}, y);
        for (size_t k = 0; k < NPAIRS; k++)
            like->scalar(&expected[k], X + k * like->xtype->size, y);
        CHECK(memcmp(Z, expected, sizeof Z) == 0);
    }
}

GB_TEST(semiring, value_operators) {
#define EACH_OP(op, N)                                                                             \
    CHECK(GBL_VALUE##op##_##N->code == GB_VALUE##op);                                              \
    check_value_operator(GBL_VALUE##op##_##N, GBL_##op##_##N, #op "_" #N);
#define EACH(N, T)                                                                                 \
    EACH_OP(EQ, N)                                                                                 \
    EACH_OP(NE, N)                                                                                 \
    EACH_OP(LT, N)                                                                                 \
    EACH_OP(LE, N)                                                                                 \
    EACH_OP(GT, N)                                                                                 \
    EACH_OP(GE, N)
    GBL_FOREACH_TYPE(EACH)
#undef EACH
#undef EACH_OP
}

/* ---------------------------------------------------------------------- -------------- casts -- */

static value reference_cast(gbl_Type_Code to, gbl_Type_Code from, value x) {
    if (to == GBL_BOOL_CODE) return (value){.i = is_float(from) ? x.d != 0 : x.i != 0};
    if (!is_float(from)) return (value){.i = x.i, .d = is_float(to) ? (double)x.i : 0};
    if (is_float(to)) return x;
    if (isnan(x.d)) return (value){.i = 0};
    if (x.d <= (double)lowest(to).i) return lowest(to);
    if (x.d >= (double)highest(to).i) return highest(to);
    return (value){.i = (wide)x.d};
}

static const gbl_Type_Code all_codes[] = {
#define CODE(N, T) GBL_##N##_CODE,
    GBL_FOREACH_TYPE(CODE)
#undef CODE
};

GB_TEST(semiring, casts) {
    for (size_t f = 0; f < T_COUNT(all_codes); f++)
        for (size_t t = 0; t < T_COUNT(all_codes); t++) {
            gb_Type *const from = gb_type_of(all_codes[f]), *const to = gb_type_of(all_codes[t]);
            _Alignas(16) char X[NVALUES * BYTES], Z[NVALUES * BYTES], expected[BYTES];
            t_case("type %d from %d", (int)to->code, (int)from->code);
            CHECK(gb_type_castable(to, from));
            fill_values(from->code, X);
            for (size_t first = 0; first < NVALUES; first++)
                for (int sx = 0; sx < 2; sx++) {
                    const size_t n = NVALUES - first;
                    gb_cast(to, Z, from, X + first * from->size, sx, n);
                    size_t wrong = 0;
                    for (size_t k = 0; k < n; k++) {
                        const value x = load(from->code, X + (first + (sx ? k : 0)) * from->size);
                        if (to->code == GBL_FP32_CODE && !is_float(from->code))
                            memcpy(expected, &(float){(float)x.i}, sizeof(float));
                        else
                            store(to->code, expected, reference_cast(to->code, from->code, x));
                        wrong += !same(to->code, Z + k * to->size, expected);
                    }
                    CHECK_EQ(wrong, 0);
                }
        }
    CHECK(gb_type_of(GBL_UDT_CODE) == NULL);
}
