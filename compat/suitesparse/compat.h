/* SPDX-License-Identifier: Apache-2.0
 *
 * libgraphblas.so: SuiteSparse:GraphBLAS's symbols, with its enum values and struct sizes, on
 * gblite. Handles of the standard's objects are gblite's own pointers. Functions that only forward,
 * and predefined objects, are made from names.table by names.awk; what stands in the files of this
 * folder differs in more than its name. What SuiteSparse keeps with an object and gblite does not
 * (switches between formats, say) lies in a table by handle (extras.c).
 *
 * struct layouts of types, operators, monoids and semirings come from semiring/algebra.h: this
 * library and libgblite.so are built together. Only functions of the public headers are called.
 */
#pragma once

#include "semiring/algebra.h"

#include "gblite.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* -- facts of SuiteSparse's ABI: values that programs pass (names.table) */
#include "compat_values.h"
#ifndef GxB_MAX_NAME_LEN
#define GxB_MAX_NAME_LEN 128
#endif
#define GxB_RANGE ((gbl_Index)INT64_MAX)
#define GxB_STRIDE ((gbl_Index)(INT64_MAX - 1))
#define GxB_BACKWARDS ((gbl_Index)(INT64_MAX - 2))

/* -- predefined objects (names.awk) */
typedef struct {
    void (*function)(
        void); /* a gbl_unary_function, gbl_binary_function, gbl_index_unary_function */
    gbl_Type const *z, *x, *y;
} compat_Function;
typedef struct {
    const char *name;
    void **object;          /* the variable of that name */
    void *const *core;      /* gblite's, or NULL: made by GrB_init */
    void **add, **multiply; /* the parts of a semiring that is made */
    const compat_Function *made;
} compat_Object;
extern const compat_Object compat_objects[];
extern const size_t compat_object_count;
/* The name of a predefined object, or NULL. */
const char *compat_name_of(const void *object);

typedef struct compat_SelectOp {
    const char *name;
    compat_Select code;
} * GxB_SelectOp;

/* The program's arrays that an object reads until it is written (packed.c). */
typedef struct {
    void *b, *x;
    bool iso, keeps; /* keeps: the program does, or has got them back */
    bool read;       /* atomic */
    int holders;     /* atomic: the object and its extra */
} compat_Lent;
void compat_lent_drop(compat_Lent *lent);
/* Indices of 32 bits to 64, or the reverse. */
gbl_Info compat_change_width(void *to, const void *from, gbl_Index n, bool widen);

/* -- what SuiteSparse keeps with an object (extras.c) */
enum { TEXT_NAME, TEXT_C_NAME, TEXT_DEFINITION, COMPAT_TEXT_COUNT }; /* the first of types alone */
typedef struct {
    double hyper_switch, bitmap_switch;
    int sparsity;       /* GxB_SPARSITY_CONTROL */
    int status;         /* the format that pack and import gave it; 0: none ... */
    gbl_Index nvals;    /* ... while it has so many entries */
    gbl_Index bytes[5]; /* of the arrays that were packed: unpacked ones are no smaller */
    compat_Lent *lent;
    int by_column;                                 /* 1 + GxB_FORMAT, 0: not set */
    int desc[GxB_VALUE_LIST - GxB_AxB_METHOD + 1]; /* of descriptors */
    char *text[COMPAT_TEXT_COUNT];                 /* of types and operators */
    void *theta;                                   /* of operators; the arrays of an iterator */
} compat_Extra;
/* The entry of an object, or NULL; made where there was none, NULL without memory. */
compat_Extra *compat_extra(const void *object);
compat_Extra *compat_extra_made(const void *object);
void compat_extra_drop(const void *object);
void compat_extras_end(void);

/* -- the library (library.c) */
typedef struct {
    bool ready, finalized; /* finalized once, whatever came later */
    int major, mode, format, burble, one_based, jit_control, use_cmake;
    double hyper_switch, bitmap_switch[GxB_NBITMAP_SWITCH], chunk;
    int gpu_id;
    uint64_t serial; /* the last of the objects that are made when the library starts */
    int64_t pool[64];
    void *(*malloc_function)(size_t);
    void *(*calloc_function)(size_t, size_t);
    void *(*realloc_function)(void *, size_t);
    void (*free_function)(void *);
    void *print, *flush;
} compat_Library;
extern compat_Library compat_library;

/* -- helpers (extras.c) */
/* SuiteSparse's code of a type, and its name in C. */
int compat_type_code(gbl_Type type);
gbl_Info compat_type_name(char *name, gbl_Type type);
gbl_Info compat_word(char *word, const void *object); /* of an operator (print.c) */
gbl_Info compat_keep_text(const void *object, const char *value, int text); /* NULL: none */
size_t compat_type_size(gbl_Type type);
/* Tuples of an object with values of its own type; any array may be NULL. */
gbl_Info compat_matrix_tuples(gbl_Index *I, gbl_Index *J, void *X, gbl_Index *n, gbl_Matrix A);
gbl_Info compat_tuples_along(bool by_col, gbl_Index *major, gbl_Index *minor, void *X, gbl_Index *n,
                             gbl_Matrix A);
gbl_Info compat_vector_tuples(gbl_Index *I, void *X, gbl_Index *n, gbl_Vector v);
extern gbl_BinaryOp GxB_IGNORE_DUP;
gbl_Info compat_matrix_build(gbl_Matrix A, const gbl_Index *I, const gbl_Index *J, const void *X,
                             gbl_Index n, gbl_BinaryOp dup);
gbl_Info compat_vector_build(gbl_Vector v, const gbl_Index *I, const void *X, gbl_Index n,
                             gbl_BinaryOp dup);
/* A scalar of the type with this value. */
gbl_Info compat_scalar(gbl_Scalar *s, gbl_Type type, const void *x);
/* The value of a scalar as the type has it. */
gbl_Info compat_scalar_value(void *x, gbl_Type type, gbl_Scalar s);
gbl_Info compat_number(double *x, gbl_Scalar s);
/* The format that SuiteSparse would report; hypersparse only where rows are counted. */
gbl_Info compat_matrix_status(int *status, gbl_Matrix A, bool counted);
gbl_Info compat_is_bitmap(bool *bitmap, gbl_Matrix A); /* O(1) */
gbl_Info compat_vector_status(int *status, gbl_Vector v);
bool compat_by_column(gbl_Matrix A);
gbl_Info compat_transpose(gbl_Matrix *T, gbl_Matrix A);
/* How many bits indices and offsets should have: gblite chooses. */
static inline bool compat_is_hint(int field) {
    return field >= GxB_ROWINDEX_INTEGER_HINT && field < GxB_ROWINDEX_INTEGER_BITS && field != 7055;
}
gbl_Info compat_desc_get(gbl_Descriptor desc, int32_t *value, int field);
/* Whether the descriptor takes the mask by its structure, not complemented. */
bool compat_is_structural(gbl_Descriptor desc);
double compat_bitmap_switch(const void *object, bool is_matrix);

/* A list of indices that is one of SuiteSparse's ranges, written out; free with gbl_Memory_free. */
typedef struct {
    const gbl_Index *list;
    gbl_Index n;
    gbl_Index *own;
} compat_List;
gbl_Info compat_list(compat_List *list, const gbl_Index *I, gbl_Index n);
gbl_Info compat_vector_list(compat_List *list, gbl_Vector I, gbl_Descriptor desc, int field);
gbl_Info compat_no_arena(int header, int data);

/* A vector that is passed as a matrix, or the reverse (kinds.c). */
typedef struct {
    gbl_Matrix matrix;
    gbl_Vector vector;
    const void *of;
} compat_Copy;
bool compat_is_other(const void *object, char wanted);
bool compat_is_matrix(const void *object);
gbl_Matrix compat_matrix_copy(compat_Copy *copy, const void *vector);
gbl_Vector compat_vector_copy(compat_Copy *copy, const void *matrix);
gbl_Info compat_copy_back(compat_Copy *copy, gbl_Info info, bool is_output);
gbl_Info compat_wait(const void *object, char wanted, gbl_WaitMode mode);
gbl_Info compat_free(void **object, char wanted);
/* Of a matrix, vector or scalar that is assembled first; iso only where there is an entry. */
gbl_Info compat_formats(gbl_Formats *formats, const void *object);

#define COMPAT_TRY(call)                                                                           \
    do {                                                                                           \
        const gbl_Info try_info = (call);                                                          \
        if (try_info != GBL_SUCCESS) return try_info;                                              \
    } while (0)
/* Declares and begins a public function. */
#define COMPAT(name, ...)                                                                          \
    gbl_Info name(__VA_ARGS__);                                                                    \
    gbl_Info name(__VA_ARGS__)
/* One that only calls another. */
#define SAME_AS(type, name, parameters, call)                                                      \
    type name parameters;                                                                          \
    type name parameters {                                                                         \
        return call;                                                                               \
    }
#define SAME(name, parameters, call) SAME_AS(gbl_Info, name, parameters, call)
#define GIVE(to, value) (to == NULL ? GBL_NULL_POINTER : (*to = (value), GBL_SUCCESS))
