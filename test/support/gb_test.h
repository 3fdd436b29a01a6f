/* SPDX-License-Identifier: Apache-2.0
 *
 * What every test of the core needs: checks that print the case, random content, and the way
 * between the library's objects and the oracle's dense matrices.
 *
 * t_case() describes the case that runs; every failing check prints it, so that a failure inside a
 * generated table can be repeated alone.
 */
#pragma once

#include "support/oracle.h"

#include <criterion/criterion.h>

#if defined(__GNUC__)
#define T_PRINTF(a, b) __attribute__((format(printf, a, b)))
#else
#define T_PRINTF(a, b)
#endif

/* the largest dimension of ordinary objects; beyond they are hypersparse */
#define T_COMPACT_MAX ((gbl_Index)UINT32_MAX)

#define T_COUNT(array) (sizeof(array) / sizeof((array)[0]))

/* -- checks; functions, since the code of cr_assert at every call takes longer to compile than the
 * library does */

void t_case(const char *format, ...) T_PRINTF(1, 2);
const char *t_case_text(void);

/* Where a check stands, and what it looks at. */
typedef struct {
    const char *text, *file;
    int line;
} t_Check;
#define T_HERE(text) (&(t_Check){text, __FILE__, __LINE__})
void t_check_ok(const t_Check *check, gbl_Info info);
void t_check_fails(const t_Check *check, gbl_Info info, gbl_Info expected);
void t_check_holds(const t_Check *check, bool holds);
void t_check_equal(const t_Check *check, long long found, long long expected);

#define OK(call) t_check_ok(T_HERE(#call), call)
/* the call fails with this code and leaves a text that a reader can use */
#define FAILS(code, call) t_check_fails(T_HERE(#call), call, code)
#define CHECK(condition) t_check_holds(T_HERE(#condition), condition)
#define CHECK_EQ(a, b) t_check_equal(T_HERE(#a), (long long)(a), (long long)(b))

/* clang-format off */
/* Frees up to eight objects of any kinds, the oracle's too, in this order. */
#define FREE(...) \
    T_NINTH(__VA_ARGS__, T_FREE8, T_FREE7, T_FREE6, T_FREE5, T_FREE4, T_FREE3, T_FREE2, T_FREE1, ) \
    (__VA_ARGS__)
#define T_NINTH(a, b, c, d, e, f, g, h, ninth, ...) ninth
#define T_FREE1(x) t_check_ok(T_HERE("free " #x), _Generic((x), \
    gbl_Matrix: gbl_Matrix_free, gbl_Vector: gbl_Vector_free, gbl_Scalar: gbl_Scalar_free, \
    gbl_Descriptor: gbl_Descriptor_free, gbl_Type: gbl_Type_free, gbl_UnaryOp: gbl_UnaryOp_free, \
    gbl_BinaryOp: gbl_BinaryOp_free, gbl_IndexUnaryOp: gbl_IndexUnaryOp_free, \
    gbl_Monoid: gbl_Monoid_free, gbl_Semiring: gbl_Semiring_free, o_Matrix: t_free_dense)(&(x)))
#define T_FREE2(x, ...) T_FREE1(x), T_FREE1(__VA_ARGS__)
#define T_FREE3(x, ...) T_FREE1(x), T_FREE2(__VA_ARGS__)
#define T_FREE4(x, ...) T_FREE1(x), T_FREE3(__VA_ARGS__)
#define T_FREE5(x, ...) T_FREE1(x), T_FREE4(__VA_ARGS__)
#define T_FREE6(x, ...) T_FREE1(x), T_FREE5(__VA_ARGS__)
#define T_FREE7(x, ...) T_FREE1(x), T_FREE6(__VA_ARGS__)
#define T_FREE8(x, ...) T_FREE1(x), T_FREE7(__VA_ARGS__)
/* clang-format on */
gbl_Info t_free_dense(o_Matrix *A); /* o_free, for FREE */

/* Whether a case of a cross product is passed over. With GBLITE_TEST_SAMPLE=k in the environment,
 * as for sanitized and tiny builds, one of every k cases in a row runs; which one of them is
 * random, so that no dimension of the product is in step with it. Every test counts its own cases.
 */
bool t_left_out(void);
/* Whether any is. */
bool t_samples(void);

/* Criterion takes no notice of assertions that fail in .fini. So .init says that an end is
 * expected, .fini says last that it is reached, and a test that ends without that has crashed. */
void t_expect_end(void);
void t_end_reached(void);

/* gbl_init and gbl_finalize around each test; what a test leaves behind is a failure */
void t_setup(void);
void t_teardown(void);
#define GB_TEST(suite, name) Test(suite, name, .init = t_setup, .fini = t_teardown)

int64_t t_global(gbl_Field field); /* what has 64 bits */
int64_t t_blocks(void);            /* GBL_BLOCKS_IN_USE */

/* The call with the least GBL_MEMORY_LIMIT that its own messages ask for, beginning with one byte;
 * returns that limit, and leaves none. */
int64_t t_with_least_memory(gbl_Info (*call)(void *context), void *context);

/* -- random content; every stream is a function of its seed alone */

typedef struct {
    uint64_t state;
} t_Random;
t_Random t_random(uint64_t seed);
uint64_t t_next(t_Random *r);
uint64_t t_below(t_Random *r, uint64_t n); /* n > 0 */
bool t_chance(t_Random *r, double p);

/* Small values: sums and products of thousands of them are exact in every type but the 8- and
 * 16-bit ones, where they wrap. Zeros occur (masks want them) but seldom. */
o_Value t_value(t_Random *r, o_Type type);
/* any bits for integers; for floats the same as t_value */
o_Value t_wild(t_Random *r, o_Type type);

typedef enum {
    T_RANDOM,     /* every cell with the given density */
    T_EMPTY_ROWS, /* two of three rows are empty */
    T_FULL_ROW,   /* one full row, the others at the density */
    T_FULL_COLUMN,
    T_ONE_ROW, /* all entries in one row */
    T_FULL,
    T_EMPTY,
    T_DIAGONAL,
    T_PATTERNS
} t_Pattern;
extern const char *const t_pattern_names[T_PATTERNS];
typedef struct {
    o_Type type;
    gbl_Index nrows, ncols;
    t_Pattern pattern;
    double density;
    bool wild;
    bool iso; /* all values equal */
} t_Content;
o_Matrix t_generate(t_Random *r, const t_Content *content);

/* -- the library's objects from and to dense matrices; all abort the test on failure */

gbl_Matrix t_matrix(const o_Matrix *A);
gbl_Vector t_vector(const o_Matrix *v);
/* the same held with one value for all entries, that of the first */
gbl_Matrix t_iso_matrix(const o_Matrix *A);
gbl_Vector t_iso_vector(const o_Matrix *v);
o_Matrix t_dense(gbl_Matrix A);
o_Matrix t_dense_vector(gbl_Vector v);
gbl_Scalar t_scalar(o_Type type, const o_Value *x);                       /* x NULL: empty */
gbl_Matrix t_new_matrix(gbl_Type type, gbl_Index nrows, gbl_Index ncols); /* without entries */
gbl_Vector t_new_vector(gbl_Type type, gbl_Index size);
gbl_Matrix t_random_matrix(t_Random *r, const t_Content *content); /* of t_generate's entries */
/* T_RANDOM, and a random stream of its own */
gbl_Matrix t_seeded_matrix(uint64_t seed, gbl_Type_Code code, gbl_Index nrows, gbl_Index ncols,
                           double density);
gbl_Index t_nrows(gbl_Matrix A);
gbl_Index t_ncols(gbl_Matrix A);
gbl_Index t_nvals(gbl_Matrix A);
gbl_Index t_nvals_vector(gbl_Vector v);
gbl_Formats t_formats(gbl_Matrix A);
gbl_Explanation t_explain(gbl_Matrix C); /* of the last product that wrote C */
/* the same entries and values (floats within the tolerance); the message shows the first cell that
 * differs */
void t_expect(const char *what, const o_Matrix *expected, gbl_Matrix actual, double tolerance);
void t_expect_vector(const char *what, const o_Matrix *expected, gbl_Vector actual,
                     double tolerance);
void t_expect_dense(const char *what, const o_Matrix *expected, const o_Matrix *actual,
                    double tolerance);

/* one value by the type's code; for T values behind pointers */
gbl_Info t_set_matrix(gbl_Matrix A, o_Type type, const o_Value *x, gbl_Index i, gbl_Index j);
gbl_Info t_set_vector(gbl_Vector v, o_Type type, const o_Value *x, gbl_Index i);
gbl_Info t_get_matrix(o_Value *x, o_Type type, gbl_Matrix A, gbl_Index i, gbl_Index j);
gbl_Info t_get_vector(o_Value *x, o_Type type, gbl_Vector v, gbl_Index i);

/* -- rules: mask, accumulator, replace, transposes, method, for oracle and library at once */

typedef enum {
    T_NO_MASK,
    T_VALUED,
    T_STRUCTURAL,
    T_COMP,
    T_COMP_STRUCTURAL,
    T_COMP_NO_MASK, /* nothing may be written */
    T_MASKS
} t_Mask;
extern const char *const t_mask_names[T_MASKS];

typedef struct {
    t_Mask mask;
    bool accum, replace, tran0, tran1;
    gbl_Desc_Value method; /* GBL_DEFAULT or GBL_METHOD_... */
    /* of a row-wise product; 0 everywhere: the planner's choice */
    gbl_Desc_Value workflow;
    int32_t accumulators, registers;
    bool any_order;
    gbl_Desc_Value variant; /* of the method VECTOR */
} t_Flags;
#define T_FLAGS_ALL (T_MASKS * 2 * 2 * 4)
t_Flags t_flags(unsigned n); /* the n-th of all combinations, n < T_FLAGS_ALL; default method */
/* The n-th way of a row-wise product, n < T_WAYS: workflow, accumulators, registers, order. */
extern const gbl_Desc_Value t_workflows[4]; /* default, then the three */
extern const int32_t t_accumulators[8];     /* default, then sets of them */
#define T_WAYS (4 * 8 * 4 * 2)
void t_set_way(t_Flags *flags, uint64_t n);
const char *t_flags_text(const t_Flags *flags);
gbl_Descriptor t_descriptor(const t_Flags *flags);
o_Rule t_rule(const t_Flags *flags, const o_Matrix *mask, const o_Binary *accum);
bool t_has_mask(t_Mask mask);

/* -- tables of everything built in (tables.c) */

extern const gbl_Type_Code t_types[13];
static inline bool t_is_float(gbl_Type_Code code) {
    return o_is_float(code);
}
typedef struct {
    const char *name;
    const gbl_Semiring *handle;
    o_Opcode add, multiply;
    gbl_Type_Code type; /* of the multiplication's arguments */
} t_Ring;
extern const t_Ring t_rings[];
extern const size_t t_ring_count;
o_Ring t_ring(const t_Ring *entry);
/* aborts if there is none */
const t_Ring *t_find_ring(o_Opcode add, o_Opcode multiply, gbl_Type_Code type);

typedef struct {
    const char *name;
    const gbl_BinaryOp *handle;
    o_Opcode op;
    gbl_Type_Code type;
} t_Binary;
extern const t_Binary t_binaries[];
extern const size_t t_binary_count;
o_Binary t_binary(const t_Binary *entry);
o_Binary t_find_binary(o_Opcode op, gbl_Type_Code type); /* aborts if there is none */

typedef struct {
    const char *name;
    const gbl_UnaryOp *handle;
    o_Opcode op;
    gbl_Type_Code type;
} t_Unary;
extern const t_Unary t_unaries[];
extern const size_t t_unary_count;
o_Unary t_unary(const t_Unary *entry);

typedef struct {
    const char *name;
    const gbl_IndexUnaryOp *handle;
    o_Opcode op;
    gbl_Type_Code type; /* of y, and of x where x is looked at */
} t_Index;
extern const t_Index t_indexes[];
extern const size_t t_index_count;
o_Index t_index(const t_Index *entry);

typedef struct {
    const char *name;
    const gbl_Monoid *handle;
    o_Opcode op;
    gbl_Type_Code type;
} t_Monoid;
extern const t_Monoid t_monoids[];
extern const size_t t_monoid_count;
o_Monoid t_monoid(const t_Monoid *entry);

/* -- user-defined types and operators (userdef.c) */

/* 12 bytes: shortest paths with their number: (+) keeps the smaller key and adds the counts of
 * equal ones, (x) adds keys and multiplies counts. `tag` is joined by exclusive or in both. */
typedef struct {
    int32_t key;
    uint32_t count, tag;
} t_Path;
/* 3 bytes, aligned to 1: three residues modulo 256 */
typedef struct {
    uint8_t r, g, b;
} t_Colour;

typedef struct {
    o_Type type;
    o_Ring ring;
    o_Monoid monoid;
    o_Binary minus; /* neither commutative nor associative */
    o_Unary twist;
    o_Index place; /* mixes i, j and y in */
    o_Index keep;  /* for select; z is BOOL */
} t_User;
t_User t_user_path(void);
t_User t_user_colour(void);
void t_user_free(t_User *user);

/* -- brutal: an allocator that fails on command, and counts (brutal.c) */

void *t_malloc(size_t bytes);
void *t_realloc(void *block, size_t bytes);
void t_free(void *block);
void t_fail_at(int64_t n);         /* the n-th call from now on fails, and only that; 0: none */
void t_refuse_above(size_t bytes); /* larger requests fail; 0: none does */
bool t_failed(void);               /* whether it has come to that */
/* The call, whose n-th allocation fails, if it has so many (*failed); it succeeds or, where it has,
 * says GBL_OUT_OF_MEMORY. */
#define FAIL_AT(n, call, failed) (t_fail_at(n), t_ended(T_HERE(#call), call, failed))
gbl_Info t_ended(const t_Check *check, gbl_Info info, bool *failed);
int64_t t_live(void);                /* blocks that are allocated now */
int64_t t_requests(void);            /* calls that asked for memory */
int64_t t_requested(void);           /* bytes, of all of them */
void t_counted_setup(gbl_Mode mode); /* that allocator */
void t_brutal_setup(void);           /* that allocator, no pool, one thread */
void t_brutal_teardown(void);        /* no block may be left */
#define BRUTAL(name) Test(brutal, name, .init = t_brutal_setup, .fini = t_brutal_teardown)

/* -- fenced: an allocator whose blocks end, up to 15 bytes, where no memory is (fence.c). What
 * reads or writes behind a block ends the test, in every build. */

void t_fence_setup(void); /* that allocator, no pool */
#define FENCED(suite, name) Test(suite, name, .init = t_fence_setup, .fini = t_teardown)
