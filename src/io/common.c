/* SPDX-License-Identifier: Apache-2.0
 *
 * Threads, memory, types and casts for the other files of gblite_io.
 */
#define _GNU_SOURCE
#include "io.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

enum { HUGE_FROM = 4 << 20 }; /* bytes: two huge pages */

int gb_io_threads(void) {
    int32_t n = 1;
    const gbl_Info info = gbl_Global_get_INT32(GBL_GLOBAL, &n, GBL_NTHREADS);
    return info == GBL_SUCCESS ? n : 1;
}

double gb_io_seconds(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

gbl_Info gb_io_claim(uint64_t bytes, const char *what) {
    int64_t limit = 0;
    const gbl_Info info = gbl_Global_get_INT64(GBL_GLOBAL, &limit, GBL_MEMORY_LIMIT);
    if (info != GBL_SUCCESS) return info;
    if (limit <= 0 || bytes <= (uint64_t)limit) return GBL_SUCCESS;
    return gbl_fail(GBL_INSUFFICIENT_SPACE, NULL,
                    "not enough memory for %s: it wants %llu bytes, and the limit is %llu; raise "
                    "it (GBL_MEMORY_LIMIT, in the environment GBLITE_MEMORY_LIMIT), or set it to 0 "
                    "for no limit",
                    what, (unsigned long long)bytes, (unsigned long long)limit);
}

/* Fresh small pages cost a quarter of the time to read a large file; huge ones nearly nothing. */
static void *advise_huge(void *block, size_t bytes) {
#ifdef MADV_HUGEPAGE
    const uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE), at = (uintptr_t)block;
    const uintptr_t first = at & ~(page - 1), end = (at + bytes + page - 1) & ~(page - 1);
    /* only advice: memory works as well without it; of all its pages, since the system moves none
     * of a block that is advised in part, and realloc copies it */
    if (block && bytes >= HUGE_FROM) (void)madvise((void *)first, end - first, MADV_HUGEPAGE);
#endif
    return block;
}

void gb_io_discard(void *block, uint64_t from, uint64_t to, size_t size) {
#ifdef MADV_DONTNEED
    const uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE);
    const uintptr_t first = ((uintptr_t)block + from * size + page - 1) & ~(page - 1);
    const uintptr_t end = ((uintptr_t)block + to * size) & ~(page - 1);
    if (block && first < end)
        (void)madvise((void *)first, end - first, MADV_DONTNEED); /* only advice */
#endif
}

void *gb_io_alloc(uint64_t count, size_t size) {
    size_t bytes;
    if (__builtin_mul_overflow(count, size, &bytes) || bytes > PTRDIFF_MAX) return NULL;
    return advise_huge(gbl_Memory_malloc(bytes ? bytes : 1), bytes);
}

void *gb_io_resize(void *block, uint64_t from, uint64_t to, size_t size) {
    size_t bytes;
    if (__builtin_mul_overflow(to, size, &bytes) || bytes > PTRDIFF_MAX) return NULL;
    if (!block) return gb_io_alloc(to, size);
    void *const resized = gbl_Memory_realloc(block, bytes ? bytes : 1);
    if (resized) return advise_huge(resized, bytes);
    /* an allocator without realloc */
    void *const copy = gb_io_alloc(to, size);
    if (!copy) return NULL;
    memcpy(copy, block, (from < to ? from : to) * size);
    gbl_Memory_free(block);
    return copy;
}

/* In the first page of a mapped block. */
typedef struct {
    int file;
    size_t bytes;
} Mapped;
enum { MAPPED_HEAD = 1 << 16 }; /* the largest page */

gbl_Info gb_io_map(void *block, uint64_t count, size_t size) {
    const char *const folder = getenv("TMPDIR") ? getenv("TMPDIR") : "/tmp";
    void **const at = block, *head = MAP_FAILED;
    Mapped *const old = *at ? (Mapped *)(void *)((char *)*at - MAPPED_HEAD) : NULL;
    Mapped made = {.file = old ? old->file : open(folder, O_TMPFILE | O_RDWR | O_CLOEXEC, 0600)};
    int error = made.file < 0 ? errno : 0;
    if (__builtin_mul_overflow(count, size, &made.bytes) || made.bytes > PTRDIFF_MAX - MAPPED_HEAD)
        error = ENOMEM;
    made.bytes += MAPPED_HEAD;
    while (!error && (error = posix_fallocate(made.file, 0, (off_t)made.bytes)) == EINTR) error = 0;
    if (!error)
        head = old ? mremap(old, old->bytes, made.bytes, MREMAP_MAYMOVE)
                   : mmap(NULL, made.bytes, PROT_READ | PROT_WRITE, MAP_SHARED, made.file, 0);
    if (head != MAP_FAILED) {
        memcpy(head, &made, sizeof made);
        *at = (char *)head + MAPPED_HEAD;
        return GBL_SUCCESS;
    }
    if (!error) error = errno;
    if (!old && made.file >= 0) close(made.file);
    return gbl_fail(GBL_IO_ERROR, NULL, "no temporary file of %llu bytes in TMPDIR, or /tmp: %s",
                    (unsigned long long)made.bytes, strerror(error));
}

void gb_io_unmap(void *block) {
    if (!block) return;
    Mapped *const head = (Mapped *)(void *)((char *)block - MAPPED_HEAD);
    close(head->file);
    munmap(head, head->bytes);
}

gbl_Info gb_io_no_memory(const char *what) {
    return gbl_fail(GBL_OUT_OF_MEMORY, NULL, "not enough memory for %s", what);
}

gbl_Info gb_io_fail_errno(const char *path, const char *verb, int error) {
    return gbl_fail(GBL_IO_ERROR, NULL, "%s: cannot %s the file: %s", path, verb, strerror(error));
}

bool gb_io_ends_with(const char *path, const char *end) {
    const size_t n = strlen(path), m = strlen(end);
    return n >= m && strcmp(path + n - m, end) == 0;
}

gbl_Info gb_io_kind(gb_Kind *kind, gbl_Type type) {
    kind->type = type;
    gbl_Info info = gbl_Type_code(&kind->code, type);
    if (info == GBL_SUCCESS) info = gbl_Type_size(&kind->size, type);
    if (info != GBL_SUCCESS) return info;
    if (kind->code == GBL_UDT_CODE) {
        return gbl_fail(GBL_DOMAIN_MISMATCH, NULL,
                        "user-defined types have no text form; use one of the built-in types");
    }
    return GBL_SUCCESS;
}

/* Cut towards zero and kept inside [least, most]; not a number gives 0. The bounds of 64-bit types
 * are compared as doubles, where `most` is one too large: hence >=. */
static int64_t cut_signed(double value, int64_t least, int64_t most) {
    if (value != value) return 0;
    if (value <= (double)least) return least;
    if (value >= (double)most) return most;
    return (int64_t)value;
}

static uint64_t cut_unsigned(double value, uint64_t most) {
    if (!(value > 0)) return 0;
    if (value >= (double)most) return most;
    return (uint64_t)value;
}

#define STORE(N, T, converted)                                                                     \
    case GBL_##N##_CODE:                                                                           \
        ((T *)x)[k] = (T)(converted);                                                              \
        break;
#define STORE_CUT(B)                                                                               \
    STORE(INT##B, int##B##_t, cut_signed(value, INT##B##_MIN, INT##B##_MAX))                       \
    STORE(UINT##B, uint##B##_t, cut_unsigned(value, UINT##B##_MAX))
#define STORE_BITS(B)                                                                              \
    STORE(INT##B, uint##B##_t, bits)                                                               \
    STORE(UINT##B, uint##B##_t, bits)

void gb_io_store_real(void *x, uint64_t k, gbl_Type_Code code, double value) {
    switch (code) {
        STORE(FP64, double, value)
        STORE(FP32, float, value)
        STORE(FC64, gbl_FC64, value)
        STORE(FC32, gbl_FC32, (float)value)
        STORE(BOOL, bool, value != 0)
        STORE_CUT(8)
        STORE_CUT(16)
        STORE_CUT(32)
        STORE_CUT(64)
    case GBL_UDT_CODE:
        break; /* gb_io_kind has refused it */
    }
}

void gb_io_store_complex(void *x, uint64_t k, gbl_Type_Code code, double re, double im) {
    if (code == GBL_FC64_CODE)
        ((gbl_FC64 *)x)[k] = __builtin_complex(re, im);
    else if (code == GBL_FC32_CODE)
        ((gbl_FC32 *)x)[k] = __builtin_complex((float)re, (float)im);
    else
        gb_io_store_real(x, k, code, code == GBL_BOOL_CODE ? re != 0 || im != 0 : re);
}

void gb_io_store_integer(void *x, uint64_t k, gbl_Type_Code code, gb_Integer value) {
    const uint64_t bits = value.negative ? 0 - value.magnitude : value.magnitude;
    const double real = (double)value.magnitude;
    switch (code) {
        STORE_BITS(8)
        STORE_BITS(16)
        STORE_BITS(32)
        STORE_BITS(64)
    default:
        gb_io_store_real(x, k, code, value.negative ? -real : real);
    }
}

void gb_io_free_arrays(gbl_Arrays *arrays) {
    gbl_Memory_free(arrays->p);
    gbl_Memory_free(arrays->i);
    gbl_Memory_free(arrays->x);
    *arrays = (gbl_Arrays){0};
}

gbl_Info gb_io_move_in(gbl_Matrix *A, const gb_Kind *kind, gb_Shape shape, gbl_Format format,
                       gbl_Arrays *arrays) {
    const gbl_Info info =
        gbl_Matrix_moveIn(A, kind->type, shape.nrows, shape.ncols, format, arrays);
    gb_io_free_arrays(arrays); /* what moved is NULL by now */
    return info;
}

gbl_Info gb_io_set_symmetric(gbl_Matrix *A) {
    const gbl_Info info = gbl_Matrix_set_INT32(*A, 1, GBL_SYMMETRIC);
    if (info != GBL_SUCCESS) gbl_Matrix_free(A);
    return info;
}
