/* SPDX-License-Identifier: Apache-2.0
 *
 * Products whose three types have three sizes: the multiplication takes x and y and gives z, of 1,
 * 3, 8, 16 and 24 bytes in all combinations, held with a value for each entry and with one for all.
 * By every method, accumulator and workflow, with masks, and for vectors in both directions. With
 * blocks that end where no memory is, so that a step of the wrong size is noticed even where what
 * was read is not used; AddressSanitizer notices that by itself, and has the usual allocator.
 */
#include "support/product.h"

#include <string.h>

#include "matrix/matrix.h"

/* -------------------------------------------------------------------------------- operators -- */

static const size_t sizes[] = {1, 3, 8, 16, 24};

/* Of the operators in use: a user's function is told neither sizes nor anything of its own. */
static struct { size_t x, y, z, most; } bytes_of;

/* Every byte of x and of y has a part in z; they go round at different lengths. */
static void multiply(void *out, const void *left, const void *right) {
    const unsigned char *x = left, *x_end = x + bytes_of.x, *y = right, *y_end = y + bytes_of.y;
    unsigned char *z = out, *z_end = z + bytes_of.z;
    memset(z, 0, bytes_of.z);
    for (size_t b = 0; b < bytes_of.most; b++) {
        *z = (unsigned char)(5 * *z + *x * (2 * *y + 1));
        if (++x == x_end) x = left;
        if (++y == y_end) y = right;
        if (++z == z_end) z = out;
    }
}

/* Commutative and associative to the bit. */
static void add(void *out, const void *left, const void *right) {
    const unsigned char *x = left, *y = right;
    for (size_t b = 0; b < bytes_of.z; b++)
        ((unsigned char *)out)[b] = (unsigned char)(x[b] + y[b]);
}

typedef struct {
    o_Ring ring;
    gbl_Monoid monoid;
} algebra;

static algebra algebra_new(o_Type x, o_Type y, o_Type z) {
    const o_Value zero = {.raw = {0}};
    algebra s = {.ring = {{O_USER, z, z, z, add, NULL}, {O_USER, z, x, y, multiply, NULL}, NULL}};
    bytes_of.x = x.size;
    bytes_of.y = y.size;
    bytes_of.z = z.size;
    bytes_of.most = x.size > y.size ? x.size : y.size;
    if (z.size > bytes_of.most) bytes_of.most = z.size;
    OK(gbl_BinaryOp_new(&s.ring.add.handle, add, z.handle, z.handle, z.handle));
    OK(gbl_BinaryOp_new(&s.ring.multiply.handle, multiply, z.handle, x.handle, y.handle));
    OK(gbl_Monoid_new_UDT(&s.monoid, s.ring.add.handle, &zero));
    OK(gbl_Semiring_new(&s.ring.handle, s.monoid, s.ring.multiply.handle));
    return s;
}

static void algebra_free(algebra *s) {
    FREE(s->ring.handle, s->monoid, s->ring.add.handle, s->ring.multiply.handle);
}

/* ------------------------------------------------------------------------------------ cases -- */

static t_ProductCase case_of(const o_Ring *ring, uint64_t n) {
    return (t_ProductCase){.seed = n,
                           .name = "user's of three sizes",
                           .ring = ring,
                           .accum = {.op = O_USER},
                           .c = ring->add.z,
                           .a = ring->multiply.x,
                           .b = ring->multiply.y,
                           .mask = o_type(GBL_INT8_CODE),
                           .a_iso = n % 4 == 1 || n % 4 == 3,
                           .b_iso = n % 4 >= 2};
}

/* Rows of tens and of hundreds of products, and full tiles. */
static const t_Shape shapes[] = {{17, 33, 40, T_RANDOM, T_RANDOM, 0.3, 0.3, 0.4},
                                 {6, 40, 300, T_FULL_ROW, T_RANDOM, 0.1, 0.2, 0.1},
                                 {18, 20, 33, T_FULL_COLUMN, T_FULL, 0.5, 1, 0.3}};

static bool is_inside(t_Mask mask) {
    return mask == T_VALUED || mask == T_STRUCTURAL;
}

/* All masks, and all methods, every second pair of them: the others with the next sizes. A row-wise
 * product every time in another way. */
static void matrices(const o_Ring *ring, uint64_t n) {
    static const gbl_Desc_Value methods[] = {GBL_METHOD_ROWWISE, GBL_METHOD_OUTER,
                                             GBL_METHOD_TILED,   GBL_METHOD_DOT,
                                             GBL_METHOD_PANEL,   GBL_METHOD_VECTOR};
    const uint64_t turn = n % 2;
    for (t_Mask mask = 0; mask < T_MASKS; mask++)
        for (size_t m = 0; m < T_COUNT(methods); m++) {
            if ((mask + m) % 2 != turn || (methods[m] == GBL_METHOD_DOT && !is_inside(mask)))
                continue;
            t_ProductCase of = case_of(ring, n++);
            of.shape = shapes[n % T_COUNT(shapes)];
            of.flags.mask = mask;
            if (methods[m] == GBL_METHOD_ROWWISE) t_set_way(&of.flags, n / 4);
            of.flags.method = methods[m];
            t_product(&of);
        }
}

static void hold_tiles(gbl_Matrix A) {
    gb_TileView tiles;
    gbl_Index nvals = 0;
    OK(gbl_Matrix_nvals(&nvals, A));
    if (nvals == 0) return;
    OK(gb_acquire_tiles(&A->m, GB_CSR, &tiles));
    gb_matrix_keep_only(&A->m, gb_tiles_bit(GB_CSR));
}

/* The matrix exists by rows only, as lists or tiles; so w is pulled, or with a transpose pushed. */
static void vectors(const o_Ring *ring, uint64_t n) {
    for (unsigned f = 0; f < 16; f++) {
        t_ProductCase of = case_of(ring, n + f);
        const bool transposed = f & 1, mxv = f & 2, few = f & 4;
        const double density = few ? 0.1 : 1;
        of.kind = mxv ? T_MXV : T_VXM;
        of.shape = mxv ? (t_Shape){37, 50, 1, T_RANDOM, T_RANDOM, 0.3, density, 0.5}
                       : (t_Shape){1, 50, 37, T_RANDOM, T_RANDOM, density, 0.3, 0.5};
        of.flags.tran0 = mxv && transposed;
        of.flags.tran1 = !mxv && transposed;
        of.flags.mask = (t_Mask)((n + f) % T_MASKS);
        of.hold = f & 8 ? hold_tiles : NULL;
        t_product(&of);
    }
}

/* All y and z for some x, where seeds, ways and what is held differ from one to the next. */
static void products(size_t x) {
    o_Type type[T_COUNT(sizes)];
    for (size_t k = 0; k < T_COUNT(sizes); k++) {
        type[k] = (o_Type){GBL_UDT_CODE, sizes[k], NULL};
        OK(gbl_Type_new(&type[k].handle, sizes[k]));
    }
    for (size_t y = 0; y < T_COUNT(sizes); y++)
        for (size_t z = 0; z < T_COUNT(sizes); z++) {
            algebra s = algebra_new(type[x], type[y], type[z]);
            const uint64_t n = 1009 * ((x * T_COUNT(sizes) + y) * T_COUNT(sizes) + z);
            matrices(&s.ring, n);
            vectors(&s.ring, n);
            algebra_free(&s);
        }
    for (size_t k = 0; k < T_COUNT(sizes); k++) OK(gbl_Type_free(&type[k].handle));
}

#ifdef __SANITIZE_ADDRESS__
#define WATCHED GB_TEST
#else
#define WATCHED FENCED
#endif
#define X_OF_SIZE(name, x)                                                                         \
    WATCHED(mxm_sizes, name) {                                                                     \
        products(x);                                                                               \
    }
X_OF_SIZE(x_of_1_byte, 0)
X_OF_SIZE(x_of_3_bytes, 1)
X_OF_SIZE(x_of_8_bytes, 2)
X_OF_SIZE(x_of_16_bytes, 3)
X_OF_SIZE(x_of_24_bytes, 4)

/* A user's operator on built-in types, as it is met most often. */
static void scale(void *z, const void *x, const void *y) {
    const double scaled = *(const double *)x * *(const int8_t *)y;
    memcpy(z, &scaled, sizeof scaled);
}

FENCED(mxm_sizes, fp64_times_int8) {
    const o_Type fp64 = o_type(GBL_FP64_CODE), int8 = o_type(GBL_INT8_CODE);
    o_Ring ring = {
        t_find_binary(O_PLUS, GBL_FP64_CODE), {O_USER, fp64, fp64, int8, scale, NULL}, NULL};
    OK(gbl_BinaryOp_new(&ring.multiply.handle, scale, GBL_FP64, GBL_FP64, GBL_INT8));
    OK(gbl_Semiring_new(&ring.handle, GBL_PLUS_MONOID_FP64, ring.multiply.handle));
    for (uint64_t n = 0; n < 40; n++) {
        matrices(&ring, 5001 * n);
        vectors(&ring, 5001 * n);
    }
    FREE(ring.handle, ring.multiply.handle);
}
