/* SPDX-License-Identifier: Apache-2.0
 *
 * What release 10 adds: full vectors loaded from an array and unloaded into one, Containers, which
 * hold the arrays of a matrix or vector as such vectors, vectors as lists of tuples, arenas. Arrays
 * move, as packed.h says: indices of rows or columns are UINT32 in a Container, pointers UINT64,
 * and what comes with other types is cast. After a failure a Container has the arrays that it had.
 */
#include "packed.h"

/* The layout is SuiteSparse's. */
typedef struct {
    uint64_t nrows, ncols;
    int64_t nrows_nonempty, ncols_nonempty;
    uint64_t nvals, u64_future[11];
    int32_t format, orientation, header_arena;
    uint32_t u32_future[13];
    gbl_Vector part[5], vector_future[11];
    gbl_Matrix Y, matrix_future[15];
    bool iso, jumbled, bool_future[30];
    void *void_future[16];
} * GxB_Container;

enum { PART_P, PART_H, PART_B, PART_I, PART_X, PARTS };

/* -- full vectors */

static gbl_Info load(gbl_Vector v, void *x, gbl_Type type, gbl_Index n, gbl_Index bytes,
                     bool keeps) {
    compat_Packed a = {.form = FORM_FULL, .x = x, .xsize = bytes, .borrowed = keeps};
    COMPAT_TRY(gbl_Vector_renew(v, type, n));
    compat_extra_drop(v);
    return compat_pack(NULL, v, &a);
}

COMPAT(GxB_Vector_load, gbl_Vector v, void **X, gbl_Type type, uint64_t n, uint64_t bytes,
       int handling, gbl_Descriptor desc) {
    (void)desc;
    if (X == NULL || type == NULL) return GBL_NULL_POINTER;
    const bool keeps = handling == GxB_IS_READONLY;
    if (n > SIZE_MAX / compat_type_size(type) || bytes < n * compat_type_size(type))
        return gbl_fail(GBL_INVALID_VALUE, v, "the array is smaller than %llu values",
                        (unsigned long long)n);
    COMPAT_TRY(load(v, *X, type, n, bytes, keeps));
    if (!keeps) *X = NULL;
    return GBL_SUCCESS;
}

COMPAT(GxB_Vector_unload, gbl_Vector v, void **X, gbl_Type *type, uint64_t *n, uint64_t *bytes,
       int *handling, gbl_Descriptor desc) {
    (void)desc;
    if (!X || !type || !n || !bytes || !handling) return GBL_NULL_POINTER;
    compat_Packed a = {.form = FORM_FULL, .by_col = true};
    COMPAT_TRY(gbl_Vector_wait(v, GBL_MATERIALIZE));
    const compat_Lent *lent = compat_lent(v);
    *handling = lent != NULL && lent->keeps ? GxB_IS_READONLY : GBL_DEFAULT;
    COMPAT_TRY(gbl_Vector_type(type, v));
    COMPAT_TRY(gbl_Vector_size(n, v));
    if (*handling == GxB_IS_READONLY) {
        a.x = lent->x;
        a.xsize = compat_extra(v)->bytes[PART_X];
    } else
        COMPAT_TRY(compat_unpack(&a, NULL, v, false));
    if (*n == 0 && *handling == GBL_DEFAULT) {
        gbl_Memory_free(a.x);
        a.x = NULL;
    }
    *X = a.x;
    *bytes = a.xsize;
    compat_extra_drop(v);
    return gbl_Vector_renew(v, *type, 0);
}

/* -- Containers */

COMPAT(GxB_Container_free, GxB_Container *object) {
    if (object == NULL || *object == NULL) return GBL_SUCCESS;
    for (int k = 0; k < PARTS; k++) {
        compat_extra_drop((*object)->part[k]);
        gbl_Vector_free(&(*object)->part[k]);
    }
    gbl_Matrix_free(&(*object)->Y);
    gbl_Memory_free(*object);
    *object = NULL;
    return GBL_SUCCESS;
}

static void describe(GxB_Container c, const compat_Packed *a, int format) {
    c->nrows = a->by_col ? a->vlen : a->vdim;
    c->ncols = a->by_col ? a->vdim : a->vlen;
    c->nrows_nonempty = c->ncols_nonempty = -1;
    c->nvals = a->nvals;
    c->format = format;
    c->orientation = a->by_col;
    c->iso = a->iso;
    c->jumbled = false;
}

COMPAT(GxB_Container_new, GxB_Container *object) {
    if (object == NULL) return GBL_NULL_POINTER;
    const gbl_Type types[PARTS] = {GBL_UINT64, GBL_UINT64, GBL_INT8, GBL_UINT64, GBL_BOOL};
    *object = gbl_Memory_malloc(sizeof **object);
    if (*object == NULL) return GBL_OUT_OF_MEMORY;
    memset(*object, 0, sizeof **object);
    describe(*object, &(compat_Packed){0}, GxB_FULL);
    gbl_Info info = GBL_SUCCESS;
    for (int k = 0; k < PARTS && info == GBL_SUCCESS; k++)
        info = gbl_Vector_new(&(*object)->part[k], types[k], 0);
    if (info != GBL_SUCCESS) GxB_Container_free(object);
    return info;
}

/* The values of the entries, cast, in an array of their own. */
static gbl_Info values_of(void *array, gbl_Index *n, gbl_Vector v, gbl_Type type) {
    gbl_Vector cast = NULL;
    gbl_Index size = 0;
    COMPAT_TRY(gbl_Vector_nvals(n, v));
    COMPAT_TRY(gbl_Vector_size(&size, v));
    void *x = *n < SIZE_MAX / type->size ? gbl_Memory_malloc((*n + 1) * type->size) : NULL;
    gbl_Info info = x != NULL ? gbl_Vector_new(&cast, type, size) : GBL_OUT_OF_MEMORY;
    if (info == GBL_SUCCESS) info = gbl_Vector_assign(cast, NULL, NULL, v, GBL_ALL, size, NULL);
    if (info == GBL_SUCCESS) info = compat_vector_tuples(NULL, x, n, cast);
    gbl_Vector_free(&cast);
    if (info != GBL_SUCCESS) gbl_Memory_free(x);
    if (info == GBL_SUCCESS) memcpy(array, &x, sizeof x);
    return info;
}

/* Casts the vector to the type, in an array that can be taken from it: *array, of *n values. */
static gbl_Info lend_part(void *array, gbl_Index *n, gbl_Vector v, gbl_Type type) {
    gbl_Type own;
    compat_Packed a = {.form = FORM_FULL, .by_col = true};
    COMPAT_TRY(compat_vector_shape(&v, &own, n));
    COMPAT_TRY(gbl_Vector_wait(v, GBL_MATERIALIZE));
    const compat_Lent *lent = own == type ? compat_lent(v) : NULL;
    if (lent == NULL || lent->keeps || (lent->iso && *n > 1)) {
        gbl_Info info =
            own == type ? compat_unpack(&a, NULL, v, false) : values_of(&a.x, n, v, type);
        if (info == GBL_SUCCESS) info = load(v, a.x, type, *n, *n * type->size, false);
        if (info != GBL_SUCCESS) {
            gbl_Memory_free(a.x);
            return info;
        }
    }
    memcpy(array, *n > 0 ? &compat_lent(v)->x : &(void *){NULL}, sizeof(void *));
    return GBL_SUCCESS;
}

/* The arrays of a Container, which its vectors read. */
static gbl_Info read_parts(compat_Packed *a, GxB_Container from) {
    gbl_Index n[PARTS] = {0};
    gbl_Type itype;
    *a = (compat_Packed){.by_col = from->orientation != 0, .iso = from->iso};
    COMPAT_TRY(compat_form(&a->form, from->format));
    COMPAT_TRY(gbl_Vector_type(&a->type, from->part[PART_X]));
    COMPAT_TRY(gbl_Vector_type(&itype, from->part[PART_I]));
    const bool sparse = a->form == FORM_CS || a->form == FORM_HYPER;
    a->narrow = a->form == FORM_CS && itype == GBL_UINT32 && from->nrows <= UINT32_MAX &&
                from->ncols <= UINT32_MAX;
    if (!a->narrow) itype = GBL_UINT64;
    if (sparse) COMPAT_TRY(lend_part(&a->p, &n[PART_P], from->part[PART_P], GBL_UINT64));
    if (a->form == FORM_HYPER)
        COMPAT_TRY(lend_part(&a->h, &n[PART_H], from->part[PART_H], GBL_UINT64));
    if (a->form == FORM_BITMAP)
        COMPAT_TRY(lend_part(&a->b, &n[PART_B], from->part[PART_B], GBL_INT8));
    if (sparse) COMPAT_TRY(lend_part(&a->i, &n[PART_I], from->part[PART_I], itype));
    COMPAT_TRY(lend_part(&a->x, &n[PART_X], from->part[PART_X], a->type));
    a->nvec = n[PART_H];
    a->psize = n[PART_P] * sizeof *a->p;
    a->hsize = n[PART_H] * sizeof *a->h;
    a->bsize = n[PART_B];
    a->isize = n[PART_I] * compat_type_size(itype);
    a->xsize = n[PART_X] * compat_type_size(a->type);
    a->nvals = a->form == FORM_CS ? n[PART_I] : 0;
    return GBL_SUCCESS;
}

/* The arrays that K has got are no longer the Container's. */
static gbl_Info empty_parts(GxB_Container c, const compat_Packed *a) {
    const void *const arrays[PARTS] = {a->p, a->h, a->b, a->i, a->x};
    for (int k = 0; k < PARTS; k++) {
        compat_Lent *lent = compat_lent(c->part[k]);
        if (lent != NULL && arrays[k] == lent->x) lent->keeps = true;
    }
    for (int k = 0; k < PARTS; k++) {
        gbl_Type type;
        COMPAT_TRY(gbl_Vector_type(&type, c->part[k]));
        COMPAT_TRY(gbl_Vector_renew(c->part[k], type, 0));
        compat_extra_drop(c->part[k]);
    }
    describe(c, &(compat_Packed){0}, GxB_FULL);
    return GBL_SUCCESS;
}

/* The arrays become a Container's; they are lost after a failure. */
static gbl_Info write_parts(GxB_Container to, compat_Packed *a, int format) {
    const gbl_Type itype = a->narrow ? GBL_UINT32 : GBL_UINT64;
    const gbl_Type types[PARTS] = {GBL_UINT64, GBL_UINT64, GBL_INT8, itype, a->type};
    void *const arrays[PARTS] = {a->p, a->h, a->b, a->i, a->x};
    const gbl_Index bytes[PARTS] = {a->psize, a->hsize, a->bsize, a->isize, a->xsize};
    gbl_Info info = GBL_SUCCESS;
    for (int k = 0; k < PARTS; k++) {
        const gbl_Index n = arrays[k] != NULL ? bytes[k] / compat_type_size(types[k]) : 0;
        if (info == GBL_SUCCESS) info = load(to->part[k], arrays[k], types[k], n, bytes[k], false);
        if (info != GBL_SUCCESS) gbl_Memory_free(arrays[k]);
    }
    describe(to, a, format);
    return info;
}

/* load_K_from_Container, unload_K_into_Container; the Container's sizes are K's. */
#define DEFINE(K, STATUS, RENEW, BY_COLUMN, CHECK_SHAPE, BOTH)                                     \
    COMPAT(GxB_load_##K##_from_Container, gbl_##K A, GxB_Container from, gbl_Descriptor desc) {    \
        compat_Packed a = {0};                                                                     \
        (void)desc;                                                                                \
        if (A == NULL || from == NULL) return GBL_NULL_POINTER;                                    \
        if (CHECK_SHAPE) return gbl_fail(GBL_INVALID_VALUE, A, "a vector has one column");         \
        COMPAT_TRY(read_parts(&a, from));                                                          \
        const compat_Packed arrays = a;                                                            \
        COMPAT_TRY(RENEW(A, a.type, from->nrows, from->ncols));                                    \
        COMPAT_TRY(compat_pack(BOTH, &a));                                                         \
        return empty_parts(from, &arrays);                                                         \
    }                                                                                              \
    COMPAT(GxB_unload_##K##_into_Container, gbl_##K A, GxB_Container to, gbl_Descriptor desc) {    \
        compat_Packed a = {.narrow = true, .by_col = BY_COLUMN};                                   \
        int format;                                                                                \
        (void)desc;                                                                                \
        if (to == NULL) return GBL_NULL_POINTER;                                                   \
        COMPAT_TRY(STATUS);                                                                        \
        COMPAT_TRY(compat_form(&a.form, format));                                                  \
        COMPAT_TRY(compat_unpack(&a, BOTH, true));                                                 \
        COMPAT_TRY(RENEW(A, a.type, 0, 0));                                                        \
        compat_extra_drop(A);                                                                      \
        return write_parts(to, &a, format);                                                        \
    }
#define RENEW_VECTOR(v, type, n, one) gbl_Vector_renew(v, type, n)
#define COMMA ,
DEFINE(Matrix, compat_matrix_status(&format, A, true), gbl_Matrix_renew, compat_by_column(A), false,
       A COMMA NULL)
DEFINE(Vector, compat_vector_status(&format, A), RENEW_VECTOR, true, from->ncols != 1, NULL COMMA A)
#undef DEFINE

/* -- vectors as lists */

/* The values or the indices of I's entries, or the stride that its three values say. */
gbl_Info compat_vector_list(compat_List *list, gbl_Vector I, gbl_Descriptor desc, int field) {
    int32_t use = 0;
    *list = (compat_List){.list = GBL_ALL};
    if (I == NULL) return GBL_SUCCESS;
    if (desc != NULL) COMPAT_TRY(compat_desc_get(desc, &use, field));
    COMPAT_TRY(gbl_Vector_nvals(&list->n, I));
    if (list->n > SIZE_MAX / sizeof *list->own - 1) return GBL_OUT_OF_MEMORY;
    list->list = list->own = gbl_Memory_malloc((list->n + 1) * sizeof *list->own);
    if (list->own == NULL) return GBL_OUT_OF_MEMORY;
    gbl_Index *const indices = use == GxB_USE_INDICES ? list->own : NULL;
    gbl_Index *const values = use == GxB_USE_INDICES ? NULL : list->own;
    COMPAT_TRY(gbl_Vector_extractTuples_UINT64(indices, values, &list->n, I));
    if (use != GxB_IS_STRIDE) return GBL_SUCCESS;
    if (list->n != 3) return gbl_fail(GBL_INVALID_VALUE, I, "a stride is three values");
    gbl_Index stride[3], *const own = list->own;
    const bool down = (int64_t)own[2] < 0;
    stride[GxB_BEGIN] = own[0];
    stride[GxB_END] = own[1];
    stride[GxB_INC] = down ? -own[2] : own[2];
    gbl_Memory_free(own);
    return compat_list(list, stride, down ? GxB_BACKWARDS : GxB_STRIDE);
}

/* The lists of a call of build; X, of K's type, where the values are in a vector. */
typedef struct {
    void *X;
    compat_List I, J;
} Lists;

static void free_lists(Lists *lists) {
    gbl_Memory_free(lists->I.own);
    gbl_Memory_free(lists->J.own);
    gbl_Memory_free(lists->X);
}
static gbl_Info get_lists(Lists *lists, gbl_Vector I, const gbl_Vector *J, gbl_Vector X,
                          gbl_Type type, gbl_Descriptor desc) {
    gbl_Index n = 0;
    int32_t use = 0;
    if (I == NULL || (J != NULL && *J == NULL)) return GBL_NULL_POINTER;
    if (desc != NULL) COMPAT_TRY(compat_desc_get(desc, &use, GxB_VALUE_LIST));
    if (use != 0 && X != NULL)
        return gbl_fail(GBL_NOT_IMPLEMENTED, X, "values are those of the vector's entries");
    COMPAT_TRY(compat_vector_list(&lists->I, I, desc, GxB_ROWINDEX_LIST));
    if (J != NULL) COMPAT_TRY(compat_vector_list(&lists->J, *J, desc, GxB_COLINDEX_LIST));
    if (X != NULL) COMPAT_TRY(values_of(&lists->X, &n, X, type));
    if ((J == NULL || lists->I.n == lists->J.n) && (X == NULL || lists->I.n == n))
        return GBL_SUCCESS;
    return gbl_fail(GBL_INVALID_VALUE, I, "the lists are not of one length");
}

#define BUILD(K, J, X, CALL)                                                                       \
    Lists lists = {0};                                                                             \
    gbl_Type type;                                                                                 \
    COMPAT_TRY(gbl_##K##_type(&type, C));                                                          \
    gbl_Info info = get_lists(&lists, I, J, X, type, desc);                                        \
    if (info == GBL_SUCCESS) info = CALL;                                                          \
    free_lists(&lists);                                                                            \
    return info;
COMPAT(GxB_Matrix_build_Vector, gbl_Matrix C, gbl_Vector I, gbl_Vector J, gbl_Vector X,
       gbl_BinaryOp dup, gbl_Descriptor desc) {
    if (X == NULL) return GBL_NULL_POINTER;
    BUILD(Matrix, &J, X,
          compat_matrix_build(C, lists.I.list, lists.J.list, lists.X, lists.I.n, dup))
}
COMPAT(GxB_Vector_build_Vector, gbl_Vector C, gbl_Vector I, gbl_Vector X, gbl_BinaryOp dup,
       gbl_Descriptor desc) {
    if (X == NULL) return GBL_NULL_POINTER;
    BUILD(Vector, NULL, X, compat_vector_build(C, lists.I.list, lists.X, lists.I.n, dup))
}
COMPAT(GxB_Matrix_build_Scalar_Vector, gbl_Matrix C, gbl_Vector I, gbl_Vector J, gbl_Scalar s,
       gbl_Descriptor desc){
    BUILD(Matrix, &J, NULL,
          gbl_Matrix_build_Scalar(C, lists.I.list, lists.J.list, s,
                                  lists.I.n))} COMPAT(GxB_Vector_build_Scalar_Vector, gbl_Vector C,
                                                      gbl_Vector I, gbl_Scalar s,
                                                      gbl_Descriptor desc) {
    BUILD(Vector, NULL, NULL, gbl_Vector_build_Scalar(C, lists.I.list, s, lists.I.n))
}
#undef BUILD

/* Any of the vectors may be NULL; I and J get UINT64, X the type of the values. */
static gbl_Info give_tuples(gbl_Vector *out, compat_Packed *a) {
    void *const arrays[] = {a->h, a->i, a->x};
    const gbl_Type types[] = {GBL_UINT64, GBL_UINT64, a->type};
    gbl_Info info = GBL_SUCCESS;
    for (int k = 0; k < 3; k++) {
        const gbl_Index bytes = a->nvals * compat_type_size(types[k]);
        const bool given = out[k] != NULL && info == GBL_SUCCESS;
        if (given) info = load(out[k], arrays[k], types[k], a->nvals, bytes, false);
        if (!given || info != GBL_SUCCESS) gbl_Memory_free(arrays[k]);
    }
    return info;
}
static gbl_Info new_tuples(compat_Packed *a, gbl_Index n) {
    a->nvals = n;
    if (n > SIZE_MAX / compat_type_size(a->type) - 1 || n > SIZE_MAX / sizeof *a->i - 1)
        return GBL_OUT_OF_MEMORY;
    a->h = gbl_Memory_malloc((n + 1) * sizeof *a->h);
    a->i = gbl_Memory_malloc((n + 1) * sizeof *a->i);
    a->x = gbl_Memory_malloc((n + 1) * compat_type_size(a->type));
    return a->h != NULL && a->i != NULL && a->x != NULL ? GBL_SUCCESS : GBL_OUT_OF_MEMORY;
}
#define TUPLES(K, V, OUT, CALL)                                                                    \
    compat_Packed a = {0};                                                                         \
    gbl_Index n;                                                                                   \
    (void)desc;                                                                                    \
    COMPAT_TRY(gbl_##K##_type(&a.type, V));                                                        \
    COMPAT_TRY(gbl_##K##_nvals(&n, V));                                                            \
    gbl_Info info = new_tuples(&a, n);                                                             \
    if (info == GBL_SUCCESS) info = CALL;                                                          \
    if (info == GBL_SUCCESS) return give_tuples(OUT, &a);                                          \
    compat_free_packed(&a);                                                                        \
    return info;
COMPAT(GxB_Matrix_extractTuples_Vector, gbl_Vector I, gbl_Vector J, gbl_Vector X, gbl_Matrix A,
       gbl_Descriptor desc) {
    gbl_Vector out[] = {I, J, X};
    TUPLES(Matrix, A, out, compat_matrix_tuples(a.h, a.i, a.x, &a.nvals, A))
}
COMPAT(GxB_Vector_extractTuples_Vector, gbl_Vector I, gbl_Vector X, gbl_Vector v,
       gbl_Descriptor desc) {
    gbl_Vector out[] = {NULL, I, X};
    TUPLES(Vector, v, out, compat_vector_tuples(a.i, a.x, &a.nvals, v))
}
#undef TUPLES

/* -- arenas: gblite has one allocator, that of GxB_init; its locks survive fork by themselves */

gbl_Info compat_no_arena(int header, int data) {
    if (header == 0 && data == 0) return GBL_SUCCESS;
    return gbl_fail(GBL_NOT_IMPLEMENTED, NULL, "arena 0 alone is there: the allocator of GxB_init");
}
SAME(GxB_arena_init,
     (int arena, void *(*user_malloc)(size_t), void *(*user_calloc)(size_t, size_t),
      void *(*user_realloc)(void *, size_t), void (*user_free)(void *)),
     ((void)user_malloc, (void)user_calloc, (void)user_realloc, (void)user_free,
      compat_no_arena(arena == 0 ? -1 : arena, 0)))
SAME(GxB_arena_initialized, (int *flag, int arena), GIVE(flag, arena == 0 && compat_library.ready))
#define DEFINE(K)                                                                                  \
    SAME(GxB_##K##_set_arenas, (gbl_##K * object, int header, int data),                           \
         object == NULL ? GBL_NULL_POINTER : compat_no_arena(header, data))
DEFINE(Matrix)
DEFINE(Vector)
DEFINE(Scalar)
#undef DEFINE
SAME(GxB_initialized, (int *flag), GxB_arena_initialized(flag, 0))
SAME(GxB_finalized, (int *flag), GIVE(flag, compat_library.finalized))
SAME_AS(void, GxB_atfork_prepare, (void), (void)0)
SAME_AS(void, GxB_atfork_parent, (void), (void)0)
SAME_AS(void, GxB_atfork_child, (void), (void)0)
