/* SPDX-License-Identifier: Apache-2.0
 *
 * See matrix.h. The block is a header and sections in the order of Layout, each of a multiple of 8
 * bytes; a reader computes from the header where they must be, and compares with the size that it
 * was given, before it looks at any of them.
 */
#include "matrix/matrix.h"

#include "matrix/hyper.h"
#include "semiring/objects.h"

static const char magic[8] = {'g', 'b', 'l', 'i', 't', 'e', '\r', '\n'};
enum { VERSION = 1, ISO = 1, BY_COLUMNS = 2, LISTED = 4, STREAMED = 8, ALL_FLAGS = 15 };
enum { STEP = 1 << 20 }; /* bytes between looks at the clock */

/* As it stands in the block; little-endian, without padding. "Rows" are columns if BY_COLUMNS. */
typedef struct {
    char magic[8];
    uint32_t version, flags;
    uint32_t type_code, name_length; /* of the type; bytes of its name, without a final zero */
    uint64_t type_size, nrows, ncols, nvals;
    uint64_t nlisted; /* rows with pointers: those listed, or all */
    uint32_t pointer_bytes, index_bytes;
    uint64_t size;     /* of the block */
    uint64_t checksum; /* of everything else */
} Header;
_Static_assert(sizeof(Header) == 88, "the header has no padding");

/* Where sections begin. */
typedef struct {
    uint64_t name, rows, p, i, x, end;
} Layout;

static uint64_t major_of(const Header *h) {
    return h->flags & BY_COLUMNS ? h->ncols : h->nrows;
}

/* *at += count * bytes, rounded up to 8; false when that overflows. */
static bool advance(uint64_t *at, uint64_t count, uint64_t bytes) {
    uint64_t length;
    return !__builtin_mul_overflow(count, bytes, &length) &&
           !__builtin_add_overflow(length, 7, &length) &&
           !__builtin_add_overflow(*at, length & ~(uint64_t)7, at);
}

/* The values of a streamed block are its end; what lies before them is a gap. */
static bool lay_out(const Header *h, Layout *out) {
    uint64_t at = sizeof(Header);
    out->name = at;
    if (!advance(&at, h->name_length, 1)) return false;
    out->rows = at;
    if (!advance(&at, h->flags & LISTED ? h->nlisted : 0, h->index_bytes)) return false;
    out->p = at;
    if (h->nvals > 0 && !advance(&at, h->nlisted + 1, h->pointer_bytes)) return false;
    out->i = at;
    if (!advance(&at, h->nvals, h->index_bytes)) return false;
    out->x = at;
    if (!advance(&at, h->flags & ISO ? h->nvals > 0 : h->nvals, h->type_size)) return false;
    if (h->flags & STREAMED && h->size > at) {
        out->x += (h->size - at) & ~(uint64_t)7;
        at = h->size;
    }
    out->end = at;
    return true;
}

/* -- the checksum: four sums of every fourth word, each changed by any change of its words */

static uint64_t mix(uint64_t sum, uint64_t word) {
    const uint64_t mixed = (sum ^ word) * 0x9E3779B97F4A7C15u;
    return mixed << 29 | mixed >> 35;
}

static void sum_words(uint64_t sums[4], const void *bytes, uint64_t size) {
    for (uint64_t k = 0; k < size / 8; k++) {
        uint64_t word;
        if (k % (STEP / 8) == 0 && gb_call_stops()) return;
        memcpy(&word, (const char *)bytes + 8 * k, 8);
        sums[k % 4] = mix(sums[k % 4], word);
    }
}

static uint64_t combine(const uint64_t sums[4]) {
    return mix(mix(mix(sums[0], sums[1]), sums[2]), sums[3]);
}

static uint64_t sum_section(const void *bytes, uint64_t size) {
    uint64_t sums[4] = {1, 2, 3, 4};
    sum_words(sums, bytes, size);
    return combine(sums);
}

/* Each part by itself, since a writer of slices knows the header last. */
static uint64_t checksum_streamed(const Header *h, const Layout *layout,
                                  const unsigned char *data) {
    const uint64_t indices = (h->nvals * h->index_bytes + 7) & ~(uint64_t)7;
    uint64_t sum = sum_section(h, sizeof(Header) - 8);
    sum = mix(sum, sum_section(data + layout->p, layout->i - layout->p));
    sum = mix(sum, sum_section(data + layout->i, indices));
    return mix(sum, sum_section(data + layout->x, layout->end - layout->x));
}

/* Of the header without its last field, and of the sections. */
static uint64_t checksum(const Header *h, const Layout *layout, const unsigned char *data) {
    uint64_t sums[4] = {1, 2, 3, 4};
    if (h->flags & STREAMED) return checksum_streamed(h, layout, data);
    sum_words(sums, h, sizeof(Header) - 8);
    sum_words(sums, data + sizeof(Header), h->size - sizeof(Header));
    return combine(sums);
}

/* Copies all, unless the call is to end. */
static void copy(void *to, const void *from, size_t bytes) {
    for (size_t k = 0; k < bytes && !gb_call_stops(); k += STEP)
        memcpy((char *)to + k, (const char *)from + k, bytes - k < STEP ? bytes - k : STEP);
}

/* -- writing */

static uint64_t count_used(const gb_CsView *view) {
    uint64_t used = 0;
    for (uint64_t r = 0; r < view->nmajor; r++) used += view->p[r] != view->p[r + 1];
    return used;
}

/* What is written: rows (or columns), which stand for indices on row lists where the matrix is
 * hypersparse. */
typedef struct {
    gb_CsView view;
    const gb_RowList *major, *minor; /* or NULL */
} Source;

/* Nothing is made for an empty matrix. */
static gbl_Info open_source(Source *source, gb_Format *format, gb_Matrix *A) {
    *source = (Source){.major = NULL};
    gbl_Info info = gb_assemble(A);
    gb_Matrix *const held = info == GBL_SUCCESS && A->hyper != NULL ? A->hyper->core : A;
    if (info == GBL_SUCCESS) info = gb_any_format(held, GB_CSR, format);
    if (info == GBL_SUCCESS && A->nvals > 0) info = gb_acquire_sorted(held, *format, &source->view);
    if (info != GBL_SUCCESS || A->nvals == 0 || held == A) return info;
    source->major = *format == GB_CSR ? A->hyper->rows : A->hyper->cols;
    source->minor = *format == GB_CSR ? A->hyper->cols : A->hyper->rows;
    return info;
}

/* The header but for its checksum, and the content. */
static gbl_Info describe(gb_Matrix *A, Header *h, Layout *layout, Source *source) {
    gb_Format format;
    char text[GB_NAME_ROOM];
    const gbl_Info info = open_source(source, &format, A);
    if (info != GBL_SUCCESS) return info;
    const gb_CsView *view = &source->view;
    const bool wide = source->major != NULL;
    const bool is_user = A->type->code == GBL_UDT_CODE;
    const uint64_t used = count_used(view);
    const bool listed = wide || A->nvals == 0 || used < view->nmajor / 2;
    *h = (Header){.version = VERSION,
                  .flags = (view->iso ? ISO : 0) | (format == GB_CSC ? BY_COLUMNS : 0) |
                           (listed ? LISTED : 0),
                  .type_code = A->type->code,
                  .name_length = is_user ? (uint32_t)strlen(gb_name_of(A->type, text)) : 0,
                  .type_size = A->type->size,
                  .nrows = A->nrows,
                  .ncols = A->ncols,
                  .nvals = A->nvals,
                  .nlisted = listed ? used : view->nmajor,
                  .pointer_bytes = sizeof(gb_Off),
                  .index_bytes = wide ? sizeof(uint64_t) : sizeof(gb_Idx)};
    memcpy(h->magic, magic, sizeof magic);
    if (!lay_out(h, layout)) return gb_fail_memory(SIZE_MAX);
    h->size = layout->end;
    return GBL_SUCCESS;
}

gbl_Info gb_matrix_serial_size(gb_Matrix *A, gbl_Index *size) {
    Header h;
    Layout layout;
    Source source;
    const gbl_Info info = describe(A, &h, &layout, &source);
    if (info == GBL_SUCCESS) *size = h.size;
    return info;
}

/* Copies `length` bytes of a section and zeros up to the next one. */
static void put(unsigned char *data, uint64_t at, uint64_t next, const void *from, size_t length) {
    copy(data + at, from, length);
    memset(data + at + length, 0, next - at - length);
}

/* Index k of a section. */
static void put_index(unsigned char *section, uint64_t k, uint64_t index, bool wide) {
    const gb_Idx narrow = (gb_Idx)index;
    if (wide)
        memcpy(section + k * sizeof index, &index, sizeof index);
    else
        memcpy(section + k * sizeof narrow, &narrow, sizeof narrow);
}

/* The rows that have entries, and where each begins. */
static void put_listed(unsigned char *data, const Header *h, const Layout *layout,
                       const Source *source) {
    const gb_CsView *view = &source->view;
    const bool wide = source->major != NULL;
    uint64_t at = 0;
    for (uint64_t r = 0; r < view->nmajor; r++) {
        if (view->p[r] == view->p[r + 1]) continue;
        put_index(data + layout->rows, at, wide ? source->major->index[r] : r, wide);
        memcpy(data + layout->p + at * sizeof(gb_Off), &view->p[r], sizeof(gb_Off));
        at++;
    }
    put(data, layout->rows + at * h->index_bytes, layout->p, NULL, 0);
    if (at > 0) memcpy(data + layout->p + at * sizeof(gb_Off), &view->nvals, sizeof(gb_Off));
}

static void put_indices(unsigned char *data, const Layout *layout, const Source *source) {
    const gb_CsView *view = &source->view;
    if (source->minor == NULL) {
        put(data, layout->i, layout->x, view->i, view->nvals * sizeof(gb_Idx));
        return;
    }
    for (uint64_t e = 0; e < view->nvals && (e % STEP != 0 || !gb_call_stops()); e++)
        put_index(data + layout->i, e, source->minor->index[view->i[e]], true);
}

gbl_Info gb_matrix_serialize(gb_Matrix *A, void *to, gbl_Index *size) {
    Header h;
    Layout layout;
    Source source;
    char text[GB_NAME_ROOM];
    unsigned char *const data = to;
    gbl_Info info = describe(A, &h, &layout, &source);
    const gb_CsView *view = &source.view;
    if (info != GBL_SUCCESS) return info;
    if (*size < h.size)
        return gb_fail(GBL_INSUFFICIENT_SPACE,
                       "there is space for %llu bytes, but %llu are "
                       "needed; gbl_Matrix_serializeSize tells",
                       (unsigned long long)*size, (unsigned long long)h.size);
    put(data, layout.name, layout.rows, gb_name_of(A->type, text), h.name_length);
    if (h.flags & LISTED)
        put_listed(data, &h, &layout, &source);
    else
        copy(data + layout.p, view->p, layout.i - layout.p);
    put_indices(data, &layout, &source);
    put(data, layout.x, layout.end, view->x,
        (h.flags & ISO ? h.nvals > 0 : h.nvals) * A->type->size);
    h.checksum = checksum(&h, &layout, data);
    info = gb_call_end();
    if (info == GBL_SUCCESS) memcpy(data, &h, sizeof h);
    if (info == GBL_SUCCESS) *size = h.size;
    return info;
}

/* -- reading */

static gbl_Info invalid(const char *why) {
    return gb_fail(GBL_INVALID_OBJECT, "data is no serialized matrix that can be read: %s", why);
}

/* All that can be known without looking at a section. */
static gbl_Info read_header(Header *h, Layout *layout, const unsigned char *data, uint64_t size) {
    if (size < sizeof *h) return invalid("it is too short");
    memcpy(h, data, sizeof *h);
    if (memcmp(h->magic, magic, sizeof magic) != 0) return invalid("it begins otherwise");
    if (h->version != VERSION) return invalid("it is of a later version, or another byte order");
    const bool wide = h->index_bytes == sizeof(uint64_t);
    if (h->pointer_bytes != sizeof(gb_Off) || (h->index_bytes != sizeof(gb_Idx) && !wide) ||
        (h->flags & ~(uint32_t)ALL_FLAGS) != 0 || (wide && !(h->flags & LISTED)) ||
        (h->flags & STREAMED && (h->flags & (LISTED | BY_COLUMNS) || h->name_length > 0)))
        return invalid("it has a form that this version does not know");
    if (!wide && h->nvals > 0 && (h->nrows > GB_COMPACT_MAX || h->ncols > GB_COMPACT_MAX))
        return invalid("its indices are too short for the dimensions");
    if (h->nrows > GB_DIMENSION_MAX || h->ncols > GB_DIMENSION_MAX)
        return invalid("a dimension is too large");
    const gb_Type *const builtin = gb_type_of((gbl_Type_Code)h->type_code);
    if (builtin == NULL && h->type_code != GBL_UDT_CODE) return invalid("the type is unknown");
    if (h->type_size == 0 || h->type_size > GB_TYPE_SIZE_MAX ||
        (builtin != NULL && (h->type_size != builtin->size || h->name_length > 0)))
        return invalid("the type has another size or name");
    if (h->nvals > (unsigned __int128)h->nrows * h->ncols)
        return invalid("there are more entries than positions");
    if (h->flags & LISTED ? h->nlisted > major_of(h) || h->nlisted > h->nvals
                          : h->nlisted != major_of(h) || h->nvals == 0)
        return invalid("the number of rows is wrong");
    if (!lay_out(h, layout) || layout->end != h->size || h->size > size)
        return invalid("its size is wrong");
    return GBL_SUCCESS;
}

static gbl_Info check_sum(const Header *h, const Layout *layout, const unsigned char *data) {
    if (checksum(h, layout, data) == h->checksum || gb_call_has_stopped()) return gb_call_end();
    return invalid("the checksum differs: it is damaged");
}

/* The type of the matrix to be. */
static gbl_Info check_type(gb_Type **type, const Header *h, const unsigned char *name) {
    if (*type == NULL) *type = gb_type_of((gbl_Type_Code)h->type_code);
    if (*type == NULL)
        return gb_fail(GBL_DOMAIN_MISMATCH,
                       "the matrix is of a user-defined type of %llu bytes; pass that type",
                       (unsigned long long)h->type_size);
    char text[GB_NAME_ROOM];
    const char *const own = gb_name_of(*type, text);
    const bool is_named = h->name_length > 0 && own[0] != '\0';
    if ((uint32_t)(*type)->code != h->type_code || (*type)->size != h->type_size ||
        (is_named && (strlen(own) != h->name_length || memcmp(own, name, h->name_length) != 0)))
        return gb_fail(GBL_DOMAIN_MISMATCH,
                       "type is not the one of the serialized matrix, of code %u and %llu bytes",
                       (unsigned)h->type_code, (unsigned long long)h->type_size);
    return GBL_SUCCESS;
}

/* Pointers of all rows from those listed. */
static gbl_Info expand(gb_Off *p, const Header *h, const Layout *layout,
                       const unsigned char *data) {
    uint64_t next = 0, begin = 0; /* the first row that is not written, and where it begins */
    for (uint64_t k = 0; k < h->nlisted; k++) {
        gb_Idx row;
        memcpy(&row, data + layout->rows + k * sizeof row, sizeof row);
        if (row >= major_of(h) || row < next) return invalid("rows are not in order");
        memcpy(&begin, data + layout->p + k * sizeof begin, sizeof begin);
        while (next <= row) p[next++] = begin;
    }
    memcpy(&begin, data + layout->p + h->nlisted * sizeof begin, sizeof begin);
    while (next <= major_of(h)) p[next++] = begin;
    return GBL_SUCCESS;
}

/* A bool that is neither 0 nor 1 has no meaning in C. */
static void clean_bools(const gb_Cs *cs, const Header *h) {
    unsigned char *const x = cs->x;
    if (h->type_code == GBL_BOOL_CODE)
        for (size_t k = 0; k < cs->xcap; k++) x[k] = x[k] != 0;
}

static gbl_Info read_sections(gb_Cs *cs, const Header *h, const Layout *layout,
                              const unsigned char *data) {
    copy(cs->i, data + layout->i, h->nvals * sizeof(gb_Idx));
    copy(cs->x, data + layout->x, cs->xcap);
    if (!(h->flags & LISTED)) copy(cs->p, data + layout->p, (h->nlisted + 1) * sizeof(gb_Off));
    const gbl_Info info = gb_call_end();
    if (info != GBL_SUCCESS) return info;
    clean_bools(cs, h);
    return h->flags & LISTED ? expand(cs->p, h, layout, data) : info;
}

/* A block whose header is right; the arrays may still say anything. */
static gbl_Info read_arrays(gb_Matrix **A, gb_Type *type, const Header *h, const Layout *layout,
                            const unsigned char *data) {
    gb_Cs cs;
    const uint64_t values = h->flags & ISO ? 1 : h->nvals;
    gbl_Info info = gb_cs_alloc(&cs, major_of(h), h->nvals, values * h->type_size);
    if (info != GBL_SUCCESS) return info;
    cs.iso = (h->flags & ISO) != 0;
    const gb_Format format = h->flags & BY_COLUMNS ? GB_CSC : GB_CSR;
    info = read_sections(&cs, h, layout, data);
    if (info == GBL_SUCCESS) info = gb_matrix_take(A, type, h->nrows, h->ncols, format, &cs);
    if (info == GBL_SUCCESS) return info;
    gb_cs_free(&cs);
    const bool other = info == GBL_OUT_OF_MEMORY || info == GBL_CANCELLED;
    return other || info == GBL_INVALID_OBJECT ? info : invalid(gb_error_last());
}

/* Index k of a section. */
static uint64_t index_at(const unsigned char *data, uint64_t section, uint64_t k, const Header *h) {
    uint64_t index = 0; /* little-endian, as the block */
    memcpy(&index, data + section + k * h->index_bytes, h->index_bytes);
    return index;
}

static uint64_t word_at(const unsigned char *data, uint64_t section, uint64_t k) {
    uint64_t word;
    memcpy(&word, data + section + k * sizeof word, sizeof word);
    return word;
}

/* I[e] = the row of each entry. */
static gbl_Info read_rows(gbl_Index *I, const Header *h, const Layout *layout,
                          const unsigned char *data) {
    uint64_t begin = word_at(data, layout->p, 0);
    if (begin != 0) return invalid("rows are not in order");
    for (uint64_t k = 0; k < h->nlisted; k++) {
        const uint64_t row = index_at(data, layout->rows, k, h);
        const uint64_t end = word_at(data, layout->p, k + 1);
        const bool ascends = k == 0 || row > index_at(data, layout->rows, k - 1, h);
        if (!ascends || row >= major_of(h) || end <= begin || end > h->nvals)
            return invalid("rows are not in order");
        while (begin < end) I[begin++] = row;
    }
    return begin == h->nvals ? GBL_SUCCESS : invalid("rows are not in order");
}

/* A block with few rows, whose header is right, becomes tuples, and these the matrix. */
static gbl_Info read_tuples(gb_Matrix **A, gb_Type *type, const Header *h, const Layout *layout,
                            const unsigned char *data) {
    gb_Matrix *made = NULL;
    gb_Cs cs = {.xcap = layout->end - layout->x};
    const size_t list_bytes = 2 * h->nvals * sizeof(gbl_Index); /* those of the block, and rows */
    gbl_Index *J = gb_malloc(list_bytes), *I = NULL;
    cs.x = gb_malloc(cs.xcap);
    gbl_Info info = J == NULL || cs.x == NULL ? gb_fail_memory(list_bytes + cs.xcap) : GBL_SUCCESS;
    if (info == GBL_SUCCESS) I = J + h->nvals;
    if (info == GBL_SUCCESS) info = read_rows(I, h, layout, data);
    if (info == GBL_SUCCESS) info = gb_matrix_new(&made, GB_MAGIC_MATRIX, type, h->nrows, h->ncols);
    if (info == GBL_SUCCESS) {
        for (uint64_t k = 0; k < h->nvals; k++) J[k] = index_at(data, layout->i, k, h);
        memcpy(cs.x, data + layout->x, cs.xcap);
        clean_bools(&cs, h);
        const bool by_columns = (h->flags & BY_COLUMNS) != 0;
        const gb_Values values = {.type = type, .x = cs.x, .sx = h->flags & ISO ? 0 : 1};
        info =
            gb_matrix_build(made, by_columns ? J : I, by_columns ? I : J, &values, h->nvals, NULL);
        const bool same = info == GBL_SUCCESS && made->nvals == h->nvals;
        if (!same && info != GBL_OUT_OF_MEMORY && info != GBL_CANCELLED)
            info = invalid("its arrays contradict each other");
    }
    gb_free(J, list_bytes);
    gb_free(cs.x, cs.xcap);
    return gb_matrix_give(A, made, info);
}

gbl_Info gb_matrix_deserialize(gb_Matrix **A, gb_Type *type, const void *from, uint64_t size) {
    Header h;
    Layout layout;
    const unsigned char *const data = from;
    gbl_Info info = read_header(&h, &layout, data, size);
    if (info != GBL_SUCCESS) return info;
    info = check_sum(&h, &layout, data);
    if (info == GBL_SUCCESS) info = check_type(&type, &h, data + layout.name);
    if (info != GBL_SUCCESS) return info;
    if (h.nvals == 0) return gb_matrix_new(A, GB_MAGIC_MATRIX, type, h.nrows, h.ncols);
    const gb_Matrix shape = {.magic = GB_MAGIC_MATRIX, .nrows = h.nrows, .ncols = h.ncols};
    const bool few = (h.flags & LISTED) != 0 && gb_suits_hyper(&shape, h.nvals);
    return h.index_bytes == sizeof(gb_Idx) && !few /* for pointers to all rows */
               ? read_arrays(A, type, &h, &layout, data)
               : read_tuples(A, type, &h, &layout, data);
}

/* -- a block that stays where it lies */

static bool all_truth(const unsigned char *x, uint64_t n) {
    unsigned char any = 0;
    for (uint64_t k = 0; k < n; k++) any |= x[k];
    return any <= 1;
}

/* The arrays of a block whose header is right, as they lie there. */
static gbl_Info lend_arrays(gb_Matrix **A, gb_Type *type, const Header *h, const Layout *layout,
                            const gb_MappedBlock *block) {
    unsigned char *const data = (unsigned char *)block->data; /* nobody writes to what is lent */
    const gbl_Arrays arrays = {.p = (uint64_t *)(data + layout->p),
                               .i = (uint32_t *)(data + layout->i),
                               .x = data + layout->x,
                               .iso = (h->flags & ISO) != 0};
    const gb_MoveIn in = {.nrows = h->nrows,
                          .ncols = h->ncols,
                          .format = h->flags & BY_COLUMNS ? GB_CSC : GB_CSR,
                          .arrays = &arrays,
                          .lender = block->lender,
                          .trusted = !block->check};
    if (arrays.p[h->nlisted] != h->nvals) return invalid("its arrays contradict each other");
    const gbl_Info info = gb_matrix_move_in(A, type, &in);
    if (info == GBL_SUCCESS || info == GBL_OUT_OF_MEMORY || info == GBL_CANCELLED) return info;
    return invalid("its arrays contradict each other");
}

gbl_Info gb_matrix_map(gb_Matrix **A, gb_Type *type, const gb_MappedBlock *block) {
    Header h;
    Layout layout;
    const unsigned char *const data = block->data;
    gbl_Info info = read_header(&h, &layout, data, block->size);
    if (info != GBL_SUCCESS) return info;
    const bool copied = h.nvals == 0 || (h.flags & LISTED) != 0 ||
                        h.index_bytes != sizeof(gb_Idx) ||
                        (uintptr_t)(data + layout.x) % gb_alignment_of(h.type_size) != 0 ||
                        (block->check && h.type_code == GBL_BOOL_CODE &&
                         !all_truth(data + layout.x, h.flags & ISO ? 1 : h.nvals));
    if (copied) {
        info = gb_matrix_deserialize(A, type, data, block->size);
        if (info == GBL_SUCCESS && block->lender->release != NULL)
            block->lender->release(block->lender->context);
        return info;
    }
    if (block->check) info = check_sum(&h, &layout, data);
    if (info == GBL_SUCCESS) info = check_type(&type, &h, data + layout.name);
    return info == GBL_SUCCESS ? lend_arrays(A, type, &h, &layout, block) : info;
}
