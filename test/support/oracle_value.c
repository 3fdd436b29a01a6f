/* SPDX-License-Identifier: Apache-2.0
 *
 * Values and operators of the oracle. A built-in value is widened to one of four kinds (signed,
 * unsigned, real, complex), the operator computes there, and the result is narrowed to its type.
 * That gives the bits of the narrow arithmetic: integers wrap, and a double rounded once to float
 * is the float sum, difference, product or quotient.
 */
#include "support/oracle.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

typedef enum { SIGNED, UNSIGNED, REAL, COMPLEX } kind;

typedef struct {
    kind kind;
    int64_t s;  /* SIGNED */
    uint64_t u; /* SIGNED and UNSIGNED: the bits */
    double d;   /* REAL, COMPLEX */
    double im;  /* COMPLEX */
} number;

o_Type o_type(gbl_Type_Code code) {
    switch (code) {
#define CASE(N, T)                                                                                 \
    case GBL_##N##_CODE:                                                                           \
        return (o_Type){code, sizeof(T), GBL_##N};
        GBL_FOREACH_TYPE(CASE)
        GBL_FOREACH_COMPLEX(CASE)
#undef CASE
    default:
        return (o_Type){GBL_UDT_CODE, 0, NULL};
    }
}

static number from_signed(int64_t s) {
    return (number){SIGNED, s, (uint64_t)s, 0, 0};
}

static number from_unsigned(uint64_t u) {
    return (number){UNSIGNED, 0, u, 0, 0};
}

static number from_real(double d) {
    return (number){REAL, 0, 0, d, 0};
}

static number from_complex(gbl_FC64 z) {
    return (number){COMPLEX, 0, 0, __real__ z, __imag__ z};
}

static number widen(o_Type type, o_Value v) {
    switch (type.code) {
    case GBL_BOOL_CODE:
        return from_unsigned(v.b);
    case GBL_INT8_CODE:
        return from_signed(v.i8);
    case GBL_INT16_CODE:
        return from_signed(v.i16);
    case GBL_INT32_CODE:
        return from_signed(v.i32);
    case GBL_INT64_CODE:
        return from_signed(v.i64);
    case GBL_UINT8_CODE:
        return from_unsigned(v.u8);
    case GBL_UINT16_CODE:
        return from_unsigned(v.u16);
    case GBL_UINT32_CODE:
        return from_unsigned(v.u32);
    case GBL_UINT64_CODE:
        return from_unsigned(v.u64);
    case GBL_FP32_CODE:
        return from_real(v.f32);
    case GBL_FC32_CODE:
        return from_complex(v.c32);
    case GBL_FC64_CODE:
        return from_complex(v.c64);
    default:
        return from_real(v.f64);
    }
}

static int64_t saturate_signed(double d, int bits) {
    const double limit = ldexp(1.0, bits - 1);
    if (isnan(d)) return 0;
    if (d <= -limit) return bits == 64 ? INT64_MIN : -(INT64_C(1) << (bits - 1));
    if (d >= limit) return bits == 64 ? INT64_MAX : (INT64_C(1) << (bits - 1)) - 1;
    return (int64_t)d;
}

static uint64_t saturate_unsigned(double d, int bits) {
    if (isnan(d) || d <= 0) return 0;
    if (d >= ldexp(1.0, bits)) return UINT64_MAX >> (64 - bits);
    return (uint64_t)d;
}

static double to_real(number n) {
    return n.kind >= REAL ? n.d : n.kind == SIGNED ? (double)n.s : (double)n.u;
}

/* straight from the integer: by way of double it would be rounded twice */
static float to_float(number n) {
    return n.kind >= REAL ? (float)n.d : n.kind == SIGNED ? (float)n.s : (float)n.u;
}

static int64_t to_signed(number n, int bits) {
    return n.kind >= REAL ? saturate_signed(n.d, bits) : (int64_t)n.u;
}

static uint64_t to_unsigned(number n, int bits) {
    return n.kind >= REAL ? saturate_unsigned(n.d, bits) : n.u;
}

static bool to_truth(number n) {
    return n.kind >= REAL ? n.d != 0 || n.im != 0 : n.u != 0;
}

static o_Value narrow(o_Type type, number n) {
    o_Value v;
    memset(&v, 0, sizeof v);
    switch (type.code) {
    case GBL_BOOL_CODE:
        v.b = to_truth(n);
        break;
    case GBL_INT8_CODE:
        v.i8 = (int8_t)to_signed(n, 8);
        break;
    case GBL_INT16_CODE:
        v.i16 = (int16_t)to_signed(n, 16);
        break;
    case GBL_INT32_CODE:
        v.i32 = (int32_t)to_signed(n, 32);
        break;
    case GBL_INT64_CODE:
        v.i64 = to_signed(n, 64);
        break;
    case GBL_UINT8_CODE:
        v.u8 = (uint8_t)to_unsigned(n, 8);
        break;
    case GBL_UINT16_CODE:
        v.u16 = (uint16_t)to_unsigned(n, 16);
        break;
    case GBL_UINT32_CODE:
        v.u32 = (uint32_t)to_unsigned(n, 32);
        break;
    case GBL_UINT64_CODE:
        v.u64 = to_unsigned(n, 64);
        break;
    case GBL_FP32_CODE:
        v.f32 = to_float(n);
        break;
    case GBL_FC32_CODE:
        v.c32 = __builtin_complex(to_float(n), (float)n.im);
        break;
    case GBL_FC64_CODE:
        v.c64 = __builtin_complex(to_real(n), n.im);
        break;
    default:
        v.f64 = to_real(n);
        break;
    }
    return v;
}

o_Value o_cast(o_Type to, o_Type from, o_Value v) {
    if (to.code == GBL_UDT_CODE || to.code == from.code) return v;
    return narrow(to, widen(from, v));
}

bool o_truth(o_Type type, const o_Value *v) {
    return to_truth(widen(type, *v));
}

bool o_same(o_Type type, const o_Value *a, const o_Value *b) {
    if (type.code == GBL_UDT_CODE) return memcmp(a->raw, b->raw, type.size) == 0;
    const number p = widen(type, *a), q = widen(type, *b);
    if (p.kind >= REAL)
        return (p.d == q.d || (isnan(p.d) && isnan(q.d))) &&
               (p.im == q.im || (isnan(p.im) && isnan(q.im)));
    return p.u == q.u;
}

bool o_is_float(gbl_Type_Code code) {
    return code >= GBL_FP32_CODE;
}

bool o_close(o_Type type, const o_Value *a, const o_Value *b, double tolerance) {
    if (o_same(type, a, b)) return true;
    if (!o_is_float(type.code)) return false;
    const number p = widen(type, *a), q = widen(type, *b);
    const double scale = fmax(1, fmax(hypot(p.d, p.im), hypot(q.d, q.im)));
    return hypot(p.d - q.d, p.im - q.im) <= tolerance * scale;
}

const char *o_text(char *text, o_Type type, const o_Value *v) {
    const size_t room = 64;
    if (type.code == GBL_UDT_CODE) {
        size_t used = 0;
        text[0] = '\0';
        for (size_t k = 0; k < type.size && used + 3 < room; k++)
            used += (size_t)snprintf(text + used, room - used, "%02x", v->raw[k]);
        return text;
    }
    const number n = widen(type, *v);
    if (n.kind == REAL) snprintf(text, room, "%.17g", n.d);
    if (n.kind == COMPLEX) snprintf(text, room, "%.17g%+.17gi", n.d, n.im);
    if (n.kind == SIGNED) snprintf(text, room, "%" PRId64, n.s);
    if (n.kind == UNSIGNED) snprintf(text, room, "%" PRIu64, n.u);
    return text;
}

/* --------------------------------------------------------------------------------- operators -- */

static int compare(number x, number y) {
    if (x.kind == REAL) return x.d < y.d ? -1 : x.d > y.d ? 1 : 0;
    if (x.kind == SIGNED) return x.s < y.s ? -1 : x.s > y.s ? 1 : 0;
    return x.u < y.u ? -1 : x.u > y.u ? 1 : 0;
}

/* Integer division: by zero gives 0 for 0 and else the largest or smallest value of the type. */
static number divide(o_Type type, number x, number y) {
    if (x.kind == REAL) return from_real(x.d / y.d);
    const int bits = (int)(8 * type.size);
    if (type.code == GBL_BOOL_CODE) return x;
    if (x.kind == UNSIGNED)
        return from_unsigned(y.u != 0 ? x.u / y.u : x.u == 0 ? 0 : UINT64_MAX >> (64 - bits));
    const int64_t most = (int64_t)(UINT64_MAX >> (65 - bits));
    if (y.s == 0) return from_signed(x.s == 0 ? 0 : x.s > 0 ? most : -most - 1);
    if (y.s == -1) return from_signed((int64_t)(0 - x.u));
    return from_signed(x.s / y.s);
}

/* One function for each type, since the steps of a product round to it. */
#define COMPLEX_ARITHMETIC(N, T, R)                                                                \
    static gbl_FC64 arithmetic_##N(o_Opcode op, T x, T y) {                                        \
        const R a = __real__ x, b = __imag__ x, c = __real__ y, d = __imag__ y;                    \
        const R re[2] = {a * c, b * d}, im[2] = {a * d, b * c};                                    \
        switch (op) {                                                                              \
        case O_PLUS:                                                                               \
            return __builtin_complex((R)(a + c), (R)(b + d));                                      \
        case O_MINUS:                                                                              \
            return __builtin_complex((R)(a - c), (R)(b - d));                                      \
        case O_RMINUS:                                                                             \
            return __builtin_complex((R)(c - a), (R)(d - b));                                      \
        case O_TIMES:                                                                              \
            return __builtin_complex((R)(re[0] - re[1]), (R)(im[0] + im[1]));                      \
        case O_DIV:                                                                                \
            return x / y;                                                                          \
        case O_RDIV:                                                                               \
            return y / x;                                                                          \
        case O_ISEQ:                                                                               \
            return a == c && b == d;                                                               \
        default:                                                                                   \
            return a != c || b != d; /* O_ISNE */                                                  \
        }                                                                                          \
    }
COMPLEX_ARITHMETIC(FC32, gbl_FC32, float)
COMPLEX_ARITHMETIC(FC64, gbl_FC64, double)

static number complex_arithmetic(const o_Binary *op, number x, number y) {
    const o_Value a = narrow(op->x, x), b = narrow(op->y, y);
    return from_complex(op->x.code == GBL_FC32_CODE ? arithmetic_FC32(op->op, a.c32, b.c32)
                                                    : arithmetic_FC64(op->op, a.c64, b.c64));
}

static number arithmetic(const o_Binary *op, number x, number y) {
    if (x.kind == COMPLEX) return complex_arithmetic(op, x, y);
    const bool real = x.kind == REAL;
    switch (op->op) {
    case O_PLUS:
        return real ? from_real(x.d + y.d) : from_signed((int64_t)(x.u + y.u));
    case O_MINUS:
        return real ? from_real(x.d - y.d) : from_signed((int64_t)(x.u - y.u));
    case O_TIMES:
        return real ? from_real(x.d * y.d) : from_signed((int64_t)(x.u * y.u));
    case O_DIV:
        return divide(op->x, x, y);
    case O_MIN:
        return real ? from_real(fmin(x.d, y.d)) : compare(x, y) <= 0 ? x : y;
    case O_MAX:
        return real ? from_real(fmax(x.d, y.d)) : compare(x, y) >= 0 ? x : y;
    case O_BOR:
        return from_unsigned(x.u | y.u);
    case O_BAND:
        return from_unsigned(x.u & y.u);
    case O_BXOR:
        return from_unsigned(x.u ^ y.u);
    default:
        return from_unsigned(~(x.u ^ y.u)); /* O_BXNOR */
    }
}

static bool comparison(o_Opcode op, number x, number y) {
    if (x.kind == COMPLEX) return (x.d == y.d && x.im == y.im) == (op == O_EQ);
    const bool unordered = x.kind == REAL && (isnan(x.d) || isnan(y.d));
    const int order = compare(x, y);
    switch (op) {
    case O_EQ:
        return !unordered && order == 0;
    case O_NE:
        return unordered || order != 0;
    case O_GT:
        return !unordered && order > 0;
    case O_LT:
        return !unordered && order < 0;
    case O_GE:
        return !unordered && order >= 0;
    case O_LE:
        return !unordered && order <= 0;
    case O_LOR:
        return to_truth(x) || to_truth(y);
    case O_LAND:
        return to_truth(x) && to_truth(y);
    case O_LXOR:
        return to_truth(x) != to_truth(y);
    default:
        return to_truth(x) == to_truth(y); /* O_LXNOR */
    }
}

o_Value o_binary(const o_Binary *op, o_Value x, o_Value y, o_Place at) {
    o_Value z;
    memset(&z, 0, sizeof z);
    switch (op->op) {
    case O_USER:
        op->user(&z, &x, &y);
        return z;
    case O_FIRST:
        return x;
    case O_SECOND:
    case O_ANY:
        return y;
    case O_ONEB:
        return narrow(op->z, from_signed(1));
    case O_FIRSTI:
        return narrow(op->z, from_unsigned(at.i));
    case O_FIRSTJ:
    case O_SECONDI:
        return narrow(op->z, from_unsigned(at.k));
    case O_SECONDJ:
        return narrow(op->z, from_unsigned(at.j));
    case O_EQ:
    case O_NE:
    case O_GT:
    case O_LT:
    case O_GE:
    case O_LE:
    case O_LOR:
    case O_LAND:
    case O_LXOR:
    case O_LXNOR:
        z.b = comparison(op->op, widen(op->x, x), widen(op->y, y));
        return z;
    default:
        return narrow(op->z, arithmetic(op, widen(op->x, x), widen(op->y, y)));
    }
}

o_Value o_binary_cast(const o_Binary *op, o_Type xt, o_Value x, o_Type yt, o_Value y) {
    return o_binary(op, o_cast(op->x, xt, x), o_cast(op->y, yt, y), (o_Place){0, 0, 0});
}

o_Value o_unary(const o_Unary *op, o_Value x) {
    o_Value z;
    memset(&z, 0, sizeof z);
    if (op->op == O_USER) {
        op->user(&z, &x);
        return z;
    }
    const number n = widen(op->x, x);
    const number one = n.kind >= REAL     ? from_real(1)
                       : n.kind == SIGNED ? from_signed(1)
                                          : from_unsigned(1);
    switch (op->op) {
    case O_IDENTITY:
        return x;
    case O_CONJ:
        return narrow(op->z, (number){COMPLEX, 0, 0, n.d, -n.im});
    case O_ABS:
        if (n.kind == REAL) return narrow(op->z, from_real(fabs(n.d)));
        return n.kind == SIGNED && n.s < 0 ? narrow(op->z, from_signed((int64_t)(0 - n.u))) : x;
    case O_AINV:
        if (op->x.code == GBL_BOOL_CODE) return x;
        if (n.kind == COMPLEX) return narrow(op->z, (number){COMPLEX, 0, 0, -n.d, -n.im});
        return narrow(op->z, n.kind == REAL ? from_real(-n.d) : from_signed((int64_t)(0 - n.u)));
    case O_MINV:
        if (op->x.code == GBL_BOOL_CODE) return narrow(op->z, one);
        return narrow(op->z, divide(op->x, one, n));
    case O_LNOT:
        z.b = !to_truth(n);
        return z;
    case O_BNOT:
        return narrow(op->z, from_unsigned(~n.u));
    default:
        return narrow(op->z, one); /* O_ONE */
    }
}

/* Positional operators compare i and j with y as signed 64-bit integers. */
o_Value o_index(const o_Index *op, o_Value x, gbl_Index i, gbl_Index j, o_Value y) {
    o_Value z;
    memset(&z, 0, sizeof z);
    if (op->op == O_USER) {
        op->user(&z, &x, i, j, &y);
        return z;
    }
    const int64_t r = (int64_t)i, c = (int64_t)j;
    if (op->op >= O_VALUEEQ) {
        static const o_Opcode as[] = {O_EQ, O_NE, O_LT, O_LE, O_GT, O_GE};
        z.b = comparison(as[op->op - O_VALUEEQ], widen(op->x, x), widen(op->y, y));
        return z;
    }
    const int64_t s = widen(op->y, y).s;
    switch (op->op) {
    case O_ROWINDEX:
        return narrow(op->z, from_unsigned((uint64_t)r + (uint64_t)s));
    case O_COLINDEX:
        return narrow(op->z, from_unsigned((uint64_t)c + (uint64_t)s));
    case O_DIAGINDEX:
        return narrow(op->z, from_unsigned((uint64_t)(c - r) + (uint64_t)s));
    case O_TRIL:
        z.b = c - r <= s;
        return z;
    case O_TRIU:
        z.b = c - r >= s;
        return z;
    case O_DIAG:
        z.b = c - r == s;
        return z;
    case O_OFFDIAG:
        z.b = c - r != s;
        return z;
    case O_COLLE:
        z.b = c <= s;
        return z;
    case O_COLGT:
        z.b = c > s;
        return z;
    case O_ROWLE:
        z.b = r <= s;
        return z;
    default:
        z.b = r > s;
        return z; /* O_ROWGT */
    }
}
