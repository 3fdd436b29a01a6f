/* SPDX-License-Identifier: Apache-2.0
 *
 * What all files of this folder use: the table of what SuiteSparse keeps with an object, types,
 * tuples of any type, formats as SuiteSparse would report them, ranges of indices.
 *
 * The hash table by handle has one lock, which survives fork. An object has an entry only once
 * something was set that gblite does not keep; until then nobody takes the lock (extra_count).
 */
#include "compat.h"

#include <pthread.h>
#include <stdlib.h>

/* ---------------------------------------------------------------------------------- extras -- */

typedef struct Node {
    struct Node *next;
    const void *object;
    compat_Extra extra;
} Node;
static Node **buckets; /* [1 << bits], chains; as many as there were extras or more */
static unsigned bits;
static size_t extra_count;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static Node **bucket_of(const void *object) {
    return &buckets[((uintptr_t)object * 0x9e3779b97f4a7c15u) >> (64 - bits)];
}

static void take_lock(void) {
    pthread_mutex_lock(&lock);
}
static void release_lock(void) {
    pthread_mutex_unlock(&lock);
}
__attribute__((constructor)) static void survive_fork(void) {
    pthread_atfork(take_lock, release_lock, release_lock);
}

/* Doubles the buckets; where memory is short chains only get longer, unless there were none. */
static bool grow(void) {
    Node **old = buckets, **more = calloc((size_t)2 << bits, sizeof(Node *));
    const size_t count = old != NULL ? (size_t)1 << bits : 0;
    if (more == NULL) return old != NULL;
    buckets = more;
    bits++;
    for (size_t k = 0; k < count; k++) {
        for (Node *node = old[k], *next; node != NULL; node = next) {
            Node **at = bucket_of(node->object);
            next = node->next;
            node->next = *at;
            *at = node;
        }
    }
    free(old);
    return true;
}

static Node *find(const void *object) {
    Node *node = buckets != NULL ? *bucket_of(object) : NULL;
    while (node != NULL && node->object != object) node = node->next;
    return node;
}

/* NULL where memory is short. */
static Node *make(const void *object) {
    if ((buckets == NULL || extra_count >> bits != 0) && !grow()) return NULL;
    Node *node = calloc(1, sizeof *node), **at = bucket_of(object);
    if (node == NULL) return NULL;
    *node = (Node){*at, object, {.sparsity = GxB_AUTO_SPARSITY}};
    node->extra.hyper_switch = node->extra.bitmap_switch = -1;
    *at = node;
    __atomic_add_fetch(&extra_count, 1, __ATOMIC_RELEASE);
    return node;
}

static compat_Extra *look_up(const void *object, bool wanted) {
    take_lock();
    Node *node = find(object);
    if (node == NULL && wanted) node = make(object);
    release_lock();
    return node != NULL ? &node->extra : NULL;
}

compat_Extra *compat_extra(const void *object) {
    return __atomic_load_n(&extra_count, __ATOMIC_ACQUIRE) == 0 ? NULL : look_up(object, false);
}

compat_Extra *compat_extra_made(const void *object) {
    return look_up(object, true);
}

static void free_first(Node **at) {
    Node *node = *at;
    *at = node->next;
    compat_lent_drop(node->extra.lent);
    for (int k = 0; k < COMPAT_TEXT_COUNT; k++) free(node->extra.text[k]);
    free(node->extra.theta);
    free(node);
}

void compat_extra_drop(const void *object) {
    if (object == NULL || __atomic_load_n(&extra_count, __ATOMIC_ACQUIRE) == 0) return;
    take_lock();
    for (Node **at = buckets != NULL ? bucket_of(object) : NULL; at != NULL && *at != NULL;
         at = &(*at)->next) {
        if ((*at)->object != object) continue;
        free_first(at);
        __atomic_sub_fetch(&extra_count, 1, __ATOMIC_RELEASE);
        break;
    }
    release_lock();
}

void compat_extras_end(void) {
    take_lock();
    for (size_t k = 0; buckets != NULL && k >> bits == 0; k++)
        while (buckets[k] != NULL) free_first(&buckets[k]);
    free(buckets);
    buckets = NULL;
    bits = 0;
    extra_count = 0;
    release_lock();
}

/* ----------------------------------------------------------------------------------- types -- */

int compat_type_code(gbl_Type type) {
    if (type->code == GBL_FC32_CODE) return GxB_FC32_CODE;
    if (type->code == GBL_FC64_CODE) return GxB_FC64_CODE;
    return type->code;
}

size_t compat_type_size(gbl_Type type) {
    return type->size;
}

gbl_Info compat_type_name(char *name, gbl_Type type) {
    static const char *const names[] = {
        "",         "bool",    "int8_t",   "uint8_t", "int16_t", "uint16_t",   "int32_t",
        "uint32_t", "int64_t", "uint64_t", "float",   "double",  "GxB_FC32_t", "GxB_FC64_t"};
    if (name == NULL || type == NULL) return GBL_NULL_POINTER;
    memset(name, 0, GxB_MAX_NAME_LEN);
    gbl_Type_Code code;
    COMPAT_TRY(gbl_Type_code(&code, type));
    if (code != GBL_UDT_CODE) {
        strcpy(name, names[code]);
        return GBL_SUCCESS;
    }
    const compat_Extra *extra = compat_extra(type);
    if (extra != NULL && extra->text[TEXT_C_NAME] != NULL)
        snprintf(name, GxB_MAX_NAME_LEN, "%s", extra->text[TEXT_C_NAME]);
    return GBL_SUCCESS;
}

/* ---------------------------------------------------------------------------------- tuples -- */

/* CALL(N, T) for the type of code. */
#define OF_TYPE(code, CALL)                                                                        \
    switch (code) {                                                                                \
        GBL_FOREACH_TYPE(CALL)                                                                     \
        GBL_FOREACH_COMPLEX(CALL)                                                                  \
    default:                                                                                       \
        break;                                                                                     \
    }

gbl_Info compat_matrix_tuples(gbl_Index *I, gbl_Index *J, void *X, gbl_Index *n, gbl_Matrix A) {
    gbl_Type type;
    COMPAT_TRY(gbl_Matrix_type(&type, A));
#define CALL(N, T)                                                                                 \
    case GBL_##N##_CODE:                                                                           \
        return gbl_Matrix_extractTuples_##N(I, J, X, n, A);
    OF_TYPE(type->code, CALL)
#undef CALL
    return gbl_Matrix_extractTuples_UDT(I, J, X, n, A);
}

gbl_Info compat_vector_tuples(gbl_Index *I, void *X, gbl_Index *n, gbl_Vector v) {
    gbl_Type type;
    COMPAT_TRY(gbl_Vector_type(&type, v));
#define CALL(N, T)                                                                                 \
    case GBL_##N##_CODE:                                                                           \
        return gbl_Vector_extractTuples_##N(I, X, n, v);
    OF_TYPE(type->code, CALL)
#undef CALL
    return gbl_Vector_extractTuples_UDT(I, X, n, v);
}

/* GxB_IGNORE_DUP keeps the last of several: SECOND of the type that the object has. */
gbl_Info compat_matrix_build(gbl_Matrix A, const gbl_Index *I, const gbl_Index *J, const void *X,
                             gbl_Index n, gbl_BinaryOp dup) {
    gbl_Type type;
    COMPAT_TRY(gbl_Matrix_type(&type, A));
#define CALL(N, T)                                                                                 \
    case GBL_##N##_CODE:                                                                           \
        return gbl_Matrix_build_##N(A, I, J, X, n, dup == GxB_IGNORE_DUP ? GBL_SECOND_##N : dup);
    OF_TYPE(type->code, CALL)
#undef CALL
    return gbl_Matrix_build_UDT(A, I, J, X, n, dup);
}

gbl_Info compat_vector_build(gbl_Vector v, const gbl_Index *I, const void *X, gbl_Index n,
                             gbl_BinaryOp dup) {
    gbl_Type type;
    COMPAT_TRY(gbl_Vector_type(&type, v));
#define CALL(N, T)                                                                                 \
    case GBL_##N##_CODE:                                                                           \
        return gbl_Vector_build_##N(v, I, X, n, dup == GxB_IGNORE_DUP ? GBL_SECOND_##N : dup);
    OF_TYPE(type->code, CALL)
#undef CALL
    return gbl_Vector_build_UDT(v, I, X, n, dup);
}

static gbl_Info set_scalar(gbl_Scalar s, gbl_Type type, const void *x) {
#define CALL(N, T)                                                                                 \
    case GBL_##N##_CODE:                                                                           \
        return gbl_Scalar_setElement_##N(s, *(const T *)x);
    OF_TYPE(type->code, CALL)
#undef CALL
    return gbl_Scalar_setElement_UDT(s, x);
}

gbl_Info compat_scalar(gbl_Scalar *s, gbl_Type type, const void *x) {
    COMPAT_TRY(gbl_Scalar_new(s, type));
    const gbl_Info info = set_scalar(*s, type, x);
    if (info != GBL_SUCCESS) gbl_Scalar_free(s);
    return info;
}

gbl_Info compat_scalar_value(void *x, gbl_Type type, gbl_Scalar s) {
#define CALL(N, T)                                                                                 \
    case GBL_##N##_CODE:                                                                           \
        return gbl_Scalar_extractElement_##N(x, s);
    OF_TYPE(type->code, CALL)
#undef CALL
    return gbl_Scalar_extractElement_UDT(x, s);
}

gbl_Info compat_number(double *x, gbl_Scalar s) {
    const gbl_Info info = gbl_Scalar_extractElement_FP64(x, s);
    return info == GBL_NO_VALUE ? GBL_EMPTY_OBJECT : info;
}

/* --------------------------------------------------------------------------------- formats -- */

/* The least share of entries that makes a bitmap, by the smaller dimension. */
static double bitmap_switch(gbl_Index vlen, gbl_Index vdim) {
    const gbl_Index least = vlen < vdim ? vlen : vdim;
    int k = 0;
    while (k < GxB_NBITMAP_SWITCH - 1 && least > (gbl_Index)1 << k) k++;
    return compat_library.bitmap_switch[k];
}

/* What SuiteSparse's rules make of nvals entries in vdim vectors of length vlen, nvec not empty. */
static int status_by_rule(const compat_Extra *extra, double vlen, double vdim, double nvals,
                          double nvec, double share) {
    const int allowed = extra != NULL ? extra->sparsity : GxB_AUTO_SPARSITY;
    const double hyper = extra != NULL && extra->hyper_switch != -1 ? extra->hyper_switch
                                                                    : compat_library.hyper_switch;
    if (extra != NULL && extra->bitmap_switch != -1) share = extra->bitmap_switch;
    const bool full = nvals >= vlen * vdim && vlen * vdim > 0;
    if (full && (allowed & GxB_FULL)) return GxB_FULL;
    const bool cs_allowed = (allowed & (GxB_SPARSE | GxB_HYPERSPARSE)) != 0;
    if ((allowed & GxB_BITMAP) && (!cs_allowed || nvals > share * vlen * vdim)) return GxB_BITMAP;
    if (!cs_allowed) return (allowed & GxB_FULL) ? GxB_BITMAP : GxB_SPARSE;
    if (!(allowed & GxB_HYPERSPARSE)) return GxB_SPARSE;
    if (!(allowed & GxB_SPARSE)) return GxB_HYPERSPARSE;
    return vdim > 1 && nvec <= 2 * vdim * hyper ? GxB_HYPERSPARSE : GxB_SPARSE;
}

double compat_bitmap_switch(const void *object, bool is_matrix) {
    gbl_Index nrows = 0, ncols = 1;
    if (is_matrix) {
        gbl_Matrix_nrows(&nrows, (gbl_Matrix)object);
        gbl_Matrix_ncols(&ncols, (gbl_Matrix)object);
    } else
        gbl_Vector_size(&nrows, (gbl_Vector)object);
    return bitmap_switch(nrows, ncols);
}

bool compat_by_column(gbl_Matrix A) {
    const compat_Extra *extra = compat_extra(A);
    if (extra != NULL && extra->by_column != 0) return extra->by_column == 1 + GxB_BY_COL;
    gbl_Index nrows = 0, ncols = 0;
    gbl_Matrix_nrows(&nrows, A);
    gbl_Matrix_ncols(&ncols, A);
    return ncols == 1 || (nrows != 1 && compat_library.format == GxB_BY_COL);
}

gbl_Info compat_transpose(gbl_Matrix *T, gbl_Matrix A) {
    gbl_Type type;
    gbl_Index nrows, ncols;
    COMPAT_TRY(gbl_Matrix_type(&type, A));
    COMPAT_TRY(gbl_Matrix_nrows(&nrows, A));
    COMPAT_TRY(gbl_Matrix_ncols(&ncols, A));
    COMPAT_TRY(gbl_Matrix_new(T, type, ncols, nrows));
    const gbl_Info info = gbl_transpose(*T, NULL, NULL, A, NULL);
    if (info != GBL_SUCCESS) gbl_Matrix_free(T);
    return info;
}

gbl_Info compat_tuples_along(bool by_col, gbl_Index *major, gbl_Index *minor, void *X, gbl_Index *n,
                             gbl_Matrix A) {
    gbl_Matrix T = NULL;
    gbl_Info info = by_col ? compat_transpose(&T, A) : GBL_SUCCESS;
    if (info == GBL_SUCCESS) info = compat_matrix_tuples(major, minor, X, n, by_col ? T : A);
    gbl_Matrix_free(&T);
    return info;
}

static gbl_Info count_vectors(gbl_Index *nvec, gbl_Matrix A, bool by_column, gbl_Index vdim) {
    gbl_Vector w = NULL;
    gbl_Descriptor desc = by_column ? GBL_DESC_T0 : NULL;
    COMPAT_TRY(gbl_Vector_new(&w, GBL_BOOL, vdim));
    gbl_Info info = gbl_Matrix_reduce_Monoid(w, NULL, NULL, GBL_LOR_MONOID_BOOL, A, desc);
    if (info == GBL_SUCCESS) info = gbl_Vector_nvals(nvec, w);
    if (info == GBL_DOMAIN_MISMATCH) { /* values of the user */
        *nvec = vdim;
        info = GBL_SUCCESS;
    }
    gbl_Vector_free(&w);
    return info;
}

/* The format, hypersparse only where the vectors that are not empty are counted. */
gbl_Info compat_matrix_status(int *status, gbl_Matrix A, bool counted) {
    gbl_Index nrows, ncols, nvals;
    COMPAT_TRY(gbl_Matrix_nvals(&nvals, A));
    const compat_Extra *extra = compat_extra(A);
    if (extra != NULL && extra->status != 0 && extra->nvals == nvals) {
        *status = extra->status;
        return GBL_SUCCESS;
    }
    COMPAT_TRY(gbl_Matrix_nrows(&nrows, A));
    COMPAT_TRY(gbl_Matrix_ncols(&ncols, A));
    const bool by_column = compat_by_column(A);
    const gbl_Index vlen = by_column ? nrows : ncols, vdim = by_column ? ncols : nrows;
    gbl_Index nvec = nvals > 0 ? vdim : 0;
    if (nvals > 0 && counted) COMPAT_TRY(count_vectors(&nvec, A, by_column, vdim));
    *status = status_by_rule(extra, (double)vlen, (double)vdim, (double)nvals, (double)nvec,
                             bitmap_switch(vlen, vdim));
    return GBL_SUCCESS;
}

gbl_Info compat_is_bitmap(bool *bitmap, gbl_Matrix A) {
    int status = 0;
    COMPAT_TRY(compat_matrix_status(&status, A, false));
    *bitmap = status == GxB_BITMAP;
    return GBL_SUCCESS;
}

gbl_Info compat_vector_status(int *status, gbl_Vector v) {
    gbl_Index size, nvals;
    COMPAT_TRY(gbl_Vector_nvals(&nvals, v));
    const compat_Extra *extra = compat_extra(v);
    if (extra != NULL && extra->status != 0 && extra->nvals == nvals) {
        *status = extra->status;
        return GBL_SUCCESS;
    }
    COMPAT_TRY(gbl_Vector_size(&size, v));
    *status = status_by_rule(extra, (double)size, 1, (double)nvals, 1, bitmap_switch(size, 1));
    return GBL_SUCCESS;
}

/* ----------------------------------------------------------------------------------- lists -- */

gbl_Info compat_list(compat_List *list, const gbl_Index *I, gbl_Index n) {
    *list = (compat_List){.list = I, .n = n};
    if (I == GBL_ALL || I == NULL || n < GxB_BACKWARDS) return GBL_SUCCESS;
    const gbl_Index begin = I[GxB_BEGIN], end = I[GxB_END], step = n == GxB_RANGE ? 1 : I[GxB_INC];
    const bool down = n == GxB_BACKWARDS;
    const gbl_Index low = down ? end : begin, high = down ? begin : end;
    list->n = low > high || step == 0 ? 0 : (high - low) / step + 1;
    if (list->n > SIZE_MAX / sizeof *list->own) return GBL_OUT_OF_MEMORY;
    list->list = list->own = gbl_Memory_malloc((list->n + 1) * sizeof *list->own);
    if (list->own == NULL) return GBL_OUT_OF_MEMORY;
    for (gbl_Index k = 0; k < list->n; k++)
        list->own[k] = down ? begin - k * step : begin + k * step;
    return GBL_SUCCESS;
}
