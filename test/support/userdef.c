/* SPDX-License-Identifier: Apache-2.0
 *
 * Two user-defined types with a semiring each. Both additions are commutative and associative to
 * the bit, so that the order in which a kernel adds cannot show. The functions reach values by
 * memcpy: the library promises no alignment for types of odd size.
 */
#include "support/gb_test.h"

#include <string.h>

/* ---------------------------------------------------------------------------------- 12 bytes -- */

static t_Path path(const void *x) {
    t_Path p;
    memcpy(&p, x, sizeof p);
    return p;
}

static int32_t wrap_add(int32_t a, int32_t b) {
    return (int32_t)((uint32_t)a + (uint32_t)b);
}

static void path_add(void *z, const void *x, const void *y) {
    const t_Path a = path(x), b = path(y);
    t_Path c = a.key < b.key ? a : b;
    if (a.key == b.key) c.count = a.count + b.count;
    c.tag = a.tag ^ b.tag;
    memcpy(z, &c, sizeof c);
}

static void path_multiply(void *z, const void *x, const void *y) {
    const t_Path a = path(x), b = path(y);
    const t_Path c = {wrap_add(a.key, b.key), a.count * b.count, a.tag ^ (b.tag << 1)};
    memcpy(z, &c, sizeof c);
}

static void path_minus(void *z, const void *x, const void *y) {
    const t_Path a = path(x), b = path(y);
    const t_Path c = {wrap_add(a.key, -(b.key / 2)), a.count - b.count, a.tag - 3 * b.tag};
    memcpy(z, &c, sizeof c);
}

static void path_twist(void *z, const void *x) {
    const t_Path a = path(x);
    const t_Path c = {(int32_t)a.tag, (uint32_t)a.key, a.count};
    memcpy(z, &c, sizeof c);
}

static void path_place(void *z, const void *x, gbl_Index i, gbl_Index j, const void *y) {
    const t_Path a = path(x), b = path(y);
    const t_Path c = {(int32_t)i, a.count + (uint32_t)j, a.tag ^ b.tag};
    memcpy(z, &c, sizeof c);
}

static void path_keep(void *z, const void *x, gbl_Index i, gbl_Index j, const void *y) {
    const bool keep = ((path(x).tag ^ path(y).tag ^ i ^ j) & 1) != 0;
    memcpy(z, &keep, sizeof keep);
}

/* ----------------------------------------------------------------------------------- 3 bytes -- */

static t_Colour colour(const void *x) {
    t_Colour c;
    memcpy(&c, x, sizeof c);
    return c;
}

static void colour_add(void *z, const void *x, const void *y) {
    const t_Colour a = colour(x), b = colour(y);
    const t_Colour c = {(uint8_t)(a.r + b.r), (uint8_t)(a.g ^ b.g), a.b > b.b ? a.b : b.b};
    memcpy(z, &c, sizeof c);
}

static void colour_multiply(void *z, const void *x, const void *y) {
    const t_Colour a = colour(x), b = colour(y);
    const t_Colour c = {(uint8_t)(a.r * b.r), (uint8_t)(a.g & b.b), (uint8_t)(a.b - b.g)};
    memcpy(z, &c, sizeof c);
}

static void colour_minus(void *z, const void *x, const void *y) {
    const t_Colour a = colour(x), b = colour(y);
    const t_Colour c = {(uint8_t)(a.r - b.r), (uint8_t)(a.g - b.b), (uint8_t)(a.b * b.g)};
    memcpy(z, &c, sizeof c);
}

static void colour_twist(void *z, const void *x) {
    const t_Colour a = colour(x);
    const t_Colour c = {a.b, a.r, (uint8_t)~a.g};
    memcpy(z, &c, sizeof c);
}

static void colour_place(void *z, const void *x, gbl_Index i, gbl_Index j, const void *y) {
    const t_Colour a = colour(x), b = colour(y);
    const t_Colour c = {(uint8_t)(a.r + i), (uint8_t)(b.g + j), (uint8_t)(a.b ^ b.b)};
    memcpy(z, &c, sizeof c);
}

static void colour_keep(void *z, const void *x, gbl_Index i, gbl_Index j, const void *y) {
    const bool keep = ((uint64_t)colour(x).r + colour(y).g + i + 2 * j) % 3 != 0;
    memcpy(z, &keep, sizeof keep);
}

/* ----------------------------------------------------------------------------------- objects -- */

typedef struct {
    size_t size;
    gbl_binary_function add, multiply, minus;
    gbl_unary_function twist;
    gbl_index_unary_function place, keep;
    o_Value identity;
} recipe;

static o_Binary user_binary(o_Type type, gbl_binary_function f) {
    o_Binary op = {O_USER, type, type, type, f, NULL};
    OK(gbl_BinaryOp_new(&op.handle, f, type.handle, type.handle, type.handle));
    return op;
}

static o_Index user_index(o_Type z, o_Type type, gbl_index_unary_function f) {
    o_Index op = {O_USER, z, type, type, f, NULL};
    OK(gbl_IndexUnaryOp_new(&op.handle, f, z.handle, type.handle, type.handle));
    return op;
}

static t_User user_new(const recipe *r) {
    t_User u;
    memset(&u, 0, sizeof u);
    u.type = (o_Type){GBL_UDT_CODE, r->size, NULL};
    OK(gbl_Type_new(&u.type.handle, r->size));
    u.monoid.op = user_binary(u.type, r->add);
    u.monoid.identity = r->identity;
    OK(gbl_Monoid_new_UDT(&u.monoid.handle, u.monoid.op.handle, &r->identity));
    u.ring.add = u.monoid.op;
    u.ring.multiply = user_binary(u.type, r->multiply);
    OK(gbl_Semiring_new(&u.ring.handle, u.monoid.handle, u.ring.multiply.handle));
    u.minus = user_binary(u.type, r->minus);
    u.twist = (o_Unary){O_USER, u.type, u.type, r->twist, NULL};
    OK(gbl_UnaryOp_new(&u.twist.handle, r->twist, u.type.handle, u.type.handle));
    u.place = user_index(u.type, u.type, r->place);
    u.keep = user_index(o_type(GBL_BOOL_CODE), u.type, r->keep);
    return u;
}

t_User t_user_path(void) {
    recipe r = {sizeof(t_Path), path_add,   path_multiply, path_minus,
                path_twist,     path_place, path_keep,     {.raw = {0}}};
    const t_Path identity = {INT32_MAX, 0, 0};
    memcpy(r.identity.raw, &identity, sizeof identity);
    return user_new(&r);
}

t_User t_user_colour(void) {
    const recipe r = {sizeof(t_Colour), colour_add,   colour_multiply, colour_minus,
                      colour_twist,     colour_place, colour_keep,     {.raw = {0}}};
    return user_new(&r);
}

void t_user_free(t_User *u) {
    FREE(u->ring.handle, u->monoid.handle, u->monoid.op.handle, u->ring.multiply.handle);
    FREE(u->minus.handle, u->twist.handle, u->place.handle, u->keep.handle, u->type.handle);
}
