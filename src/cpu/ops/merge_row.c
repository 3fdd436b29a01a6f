/* SPDX-License-Identifier: Apache-2.0
 *
 * see merge.h. Linear loops have no branch that depends
 * on which side is smaller, since random patterns make such a branch wrong every other time; they
 * are compiled once per size of a value. Rows of very unequal lengths are searched instead.
 */
#include "cpu/ops/merge.h"

static bool is_much_longer(uint64_t n, uint64_t other) {
    return n / GB_GALLOP_RATIO > other;
}

static uint64_t count_searching(const gb_Idx *few, uint64_t nfew, const gb_Idx *many,
                                uint64_t nmany) {
    uint64_t n = 0, at = 0;
    for (uint64_t k = 0; k < nfew; k++) {
        at = gb_gallop(many, at, nmany, few[k]);
        if (at == nmany) break;
        n += many[at] == few[k];
    }
    return n;
}

uint64_t gb_merge_count(const gb_MergeJob *job, gb_RowPart part) {
    const gb_Idx *Xi = job->X.i + part.x, *Yi = job->Y.i + part.y;
    const uint64_t nx = part.xend - part.x, ny = part.yend - part.y;
    if (nx == 0 || ny == 0) return 0;
    if (is_much_longer(ny, nx)) return count_searching(Xi, nx, Yi, ny);
    if (is_much_longer(nx, ny)) return count_searching(Yi, ny, Xi, nx);
    uint64_t n = 0, x = 0, y = 0;
    while (x < nx && y < ny) {
        const gb_Idx i = Xi[x], j = Yi[y];
        n += i == j;
        x += i <= j;
        y += j <= i;
    }
    return n;
}

GB_INLINE void copy_value(char *Zx, uint64_t k, const gb_Column *from, uint64_t p, size_t size) {
    if (size > 0) memcpy(Zx + k * size, from->x + (p & from->mask) * size, size);
}

/* Entries [p, end) of one side to Z from k on. */
static void copy_run(const gb_MergeJob *job, uint64_t k, const gb_Idx *i, const gb_Column *from,
                     uint64_t p, uint64_t end) {
    const size_t size = job->zsize;
    if (p == end) return;
    memcpy(job->Zi + k, i + p, (end - p) * sizeof(gb_Idx));
    if (size == 0) return;
    if (from->mask == 0) {
        gb_fill(job->Zx + k * size, from->x, size, end - p);
    } else {
        memcpy(job->Zx + k * size, from->x + p * size, (end - p) * size);
    }
}

/* Positions in Z, X and Y. */
typedef struct {
    uint64_t z, x, y;
} Match;

GB_INLINE void add_match(const gb_MergeJob *job, gb_Matches *matches, Match at, bool is) {
    matches->z[matches->n] = at.z;
    matches->x[matches->n] = at.x;
    matches->y[matches->n] = at.y;
    matches->n += is;
    if (matches->n == job->batch) gb_merge_flush(job, matches);
}

/* One side has few entries: copy the runs of the other between them. */
static uint64_t unite_searching(const gb_MergeJob *job, gb_RowPart part, uint64_t k,
                                gb_Matches *matches) {
    const bool few_is_x = part.xend - part.x < part.yend - part.y;
    const gb_Idx *few = few_is_x ? job->X.i : job->Y.i, *many = few_is_x ? job->Y.i : job->X.i;
    const gb_Column *few_x = few_is_x ? &job->xlone : &job->ylone;
    const gb_Column *many_x = few_is_x ? &job->ylone : &job->xlone;
    uint64_t p = few_is_x ? part.x : part.y, q = few_is_x ? part.y : part.x;
    const uint64_t pend = few_is_x ? part.xend : part.yend, qend = few_is_x ? part.yend : part.xend;
    for (; p < pend; p++) {
        const uint64_t next = gb_gallop(many, q, qend, few[p]);
        copy_run(job, k, many, many_x, q, next);
        k += next - q;
        q = next;
        const bool match = q < qend && many[q] == few[p];
        const bool take_few = !match || !few_is_x; /* a match not combined takes Y's value */
        job->Zi[k] = few[p];
        copy_value(job->Zx, k, take_few ? few_x : many_x, take_few ? p : q, job->zsize);
        if (match && job->combine)
            add_match(job, matches, few_is_x ? (Match){k, p, q} : (Match){k, q, p}, true);
        q += match;
        k++;
    }
    copy_run(job, k, many, many_x, q, qend);
    return k + (qend - q);
}

GB_INLINE uint64_t unite(size_t size, const gb_MergeJob *job, gb_RowPart part, uint64_t k,
                         gb_Matches *matches) {
    const uint64_t nx = part.xend - part.x, ny = part.yend - part.y;
    if (is_much_longer(nx, ny) || is_much_longer(ny, nx))
        return unite_searching(job, part, k, matches);
    const gb_Idx *Xi = job->X.i, *Yi = job->Y.i;
    const gb_Column xlone = job->xlone, ylone = job->ylone;
    gb_Idx *Zi = job->Zi;
    char *Zx = job->Zx;
    const bool combine = job->combine;
    uint64_t x = part.x, y = part.y;
    while (x < part.xend && y < part.yend) {
        const gb_Idx i = Xi[x], j = Yi[y];
        const bool take_x = i < j;
        Zi[k] = take_x ? i : j;
        copy_value(Zx, k, take_x ? &xlone : &ylone, take_x ? x : y, size);
        if (combine) add_match(job, matches, (Match){k, x, y}, i == j);
        x += i <= j;
        y += j <= i;
        k++;
    }
    for (; x < part.xend; x++, k++) {
        Zi[k] = Xi[x];
        copy_value(Zx, k, &xlone, x, size);
    }
    for (; y < part.yend; y++, k++) {
        Zi[k] = Yi[y];
        copy_value(Zx, k, &ylone, y, size);
    }
    return k;
}

static uint64_t intersect_searching(const gb_MergeJob *job, gb_RowPart part, uint64_t k,
                                    gb_Matches *matches) {
    const bool few_is_x = part.xend - part.x < part.yend - part.y;
    const gb_Idx *few = few_is_x ? job->X.i : job->Y.i, *many = few_is_x ? job->Y.i : job->X.i;
    uint64_t p = few_is_x ? part.x : part.y, q = few_is_x ? part.y : part.x;
    const uint64_t pend = few_is_x ? part.xend : part.yend, qend = few_is_x ? part.yend : part.xend;
    for (; p < pend; p++) {
        q = gb_gallop(many, q, qend, few[p]);
        if (q == qend) break;
        if (many[q] != few[p]) continue;
        const uint64_t x = few_is_x ? p : q, y = few_is_x ? q : p;
        job->Zi[k] = few[p];
        if (job->combine) {
            add_match(job, matches, (Match){k, x, y}, true);
        } else {
            copy_value(job->Zx, k, &job->xlone, x, job->zsize);
        }
        k++;
    }
    return k;
}

GB_INLINE uint64_t intersect(size_t size, const gb_MergeJob *job, gb_RowPart part, uint64_t k,
                             uint64_t kend, gb_Matches *matches) {
    const uint64_t nx = part.xend - part.x, ny = part.yend - part.y;
    if (is_much_longer(nx, ny) || is_much_longer(ny, nx))
        return intersect_searching(job, part, k, matches);
    const gb_Idx *Xi = job->X.i, *Yi = job->Y.i;
    const gb_Column xlone = job->xlone;
    const bool combine = job->combine;
    uint64_t x = part.x, y = part.y;
    while (x < part.xend && y < part.yend && k < kend) {
        const gb_Idx i = Xi[x], j = Yi[y];
        job->Zi[k] = i;
        if (combine) {
            add_match(job, matches, (Match){k, x, y}, i == j);
        } else {
            copy_value(job->Zx, k, &xlone, x, size);
        }
        k += i == j;
        x += i <= j;
        y += j <= i;
    }
    return k;
}

static uint64_t outside_searching(const gb_MergeJob *job, gb_RowPart part, uint64_t k) {
    const gb_Idx *Xi = job->X.i, *Yi = job->Y.i;
    uint64_t x = part.x, y = part.y;
    if (part.xend - part.x > part.yend - part.y) { /* copy the runs between Y's entries */
        for (; y < part.yend; y++) {
            const uint64_t next = gb_gallop(Xi, x, part.xend, Yi[y]);
            copy_run(job, k, Xi, &job->xlone, x, next);
            k += next - x;
            x = next + (next < part.xend && Xi[next] == Yi[y]);
        }
        copy_run(job, k, Xi, &job->xlone, x, part.xend);
        return k + (part.xend - x);
    }
    for (; x < part.xend; x++) {
        y = gb_gallop(Yi, y, part.yend, Xi[x]);
        if (y < part.yend && Yi[y] == Xi[x]) continue;
        copy_run(job, k++, Xi, &job->xlone, x, x + 1);
    }
    return k;
}

GB_INLINE uint64_t outside(size_t size, const gb_MergeJob *job, gb_RowPart part, uint64_t k,
                           uint64_t kend) {
    const uint64_t nx = part.xend - part.x, ny = part.yend - part.y;
    if (is_much_longer(nx, ny) || is_much_longer(ny, nx)) return outside_searching(job, part, k);
    const gb_Idx *Xi = job->X.i, *Yi = job->Y.i;
    const gb_Column xlone = job->xlone;
    uint64_t x = part.x, y = part.y;
    while (x < part.xend && y < part.yend && k < kend) {
        const gb_Idx i = Xi[x], j = Yi[y];
        job->Zi[k] = i;
        copy_value(job->Zx, k, &xlone, x, size);
        k += i < j;
        x += i <= j;
        y += j <= i;
    }
    if (y < part.yend) return k; /* X is used up, or the slice is full */
    copy_run(job, k, Xi, &job->xlone, x, part.xend);
    return k + (part.xend - x);
}

uint64_t gb_merge_row(const gb_MergeJob *job, gb_RowPart part, uint64_t k, uint64_t kend,
                      gb_Matches *matches) {
    const size_t size = job->zsize;
    if (job->mode == GB_MERGE_UNITE)
        return size == 0 ? unite(0, job, part, k, matches)
                         : GB_BY_SIZE(unite, size, job, part, k, matches);
    if (job->mode == GB_MERGE_INTERSECT)
        return size == 0 ? intersect(0, job, part, k, kend, matches)
                         : GB_BY_SIZE(intersect, size, job, part, k, kend, matches);
    return size == 0 ? outside(0, job, part, k, kend)
                     : GB_BY_SIZE(outside, size, job, part, k, kend);
}
