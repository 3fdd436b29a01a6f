/* SPDX-License-Identifier: Apache-2.0
 *
 * The loops of closure.c for distances of one type: PATHS_NAME, the type PATHS_T, its bits
 * PATHS_U and those of the largest distance, PATHS_MOST; PATHS_IS_FLOAT.
 */
#define NAME(f) GB_CAT(f, PATHS_NAME)

static const PATHS_U NAME(far) = (PATHS_U)-1;

static inline PATHS_T NAME(value)(PATHS_U bits) {
    PATHS_T x;
    memcpy(&x, &bits, sizeof x);
    return x;
}

/* Integer sums wrap around at no less than twice the largest value. */
static inline PATHS_U NAME(sum)(PATHS_U distance, PATHS_T weight) {
#ifdef PATHS_IS_FLOAT
    const PATHS_T sum = NAME(value)(distance) + weight;
    memcpy(&distance, &sum, sizeof sum);
    return distance;
#else
    return distance + (PATHS_U)weight;
#endif
}

static void NAME(check)(void *paths, uint64_t from, uint64_t to) {
    Paths *s = paths;
    const PATHS_T *x = s->A.x;
    bool unfit = false;
    for (uint64_t k = from; k < to; k++) unfit |= !(x[k] >= 0);
    if (unfit) set_flag(&s->unfit);
}

static void NAME(start)(Paths *s, const gb_CsView *w) {
    const PATHS_T *x = w->x;
    PATHS_U *distance = s->distance;
    for (uint64_t k = 0; k < w->nvals; k++) {
        PATHS_U bits;
        memcpy(&bits, &x[w->iso ? 0 : k], sizeof bits);
        s->unfit |= bits > PATHS_MOST;
        distance[w->i[k]] = bits;
        push(s, &s->buckets[0].at[LATER], w->i[k]);
    }
}

/* Lowers v's distance to `to`; whether that is less. */
static inline bool NAME(lower)(PATHS_U *v, PATHS_U to, const bool alone) {
    if (alone) {
        if (to >= *v) return false;
        *v = to;
        return true;
    }
    PATHS_U old = __atomic_load_n(v, __ATOMIC_RELAXED);
    while (to < old)
        if (__atomic_compare_exchange_n(v, &old, to, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED))
            return true;
    return false;
}

/* Relaxes the edges of u, unless its distance became final in an earlier bucket. */
static inline void NAME(relax)(Paths *s, Buckets *own, gb_Idx u, const bool alone) {
    PATHS_U *distance = s->distance;
    const PATHS_U from = __atomic_load_n(&distance[u], __ATOMIC_RELAXED);
    if (bucket_of(s, (double)NAME(value)(from)) < s->present) return;
    const size_t stride = s->A.iso ? 0 : 1;
    const gb_Off end = s->A.p[u + 1];
    const gb_Idx *i = s->A.i;
    const PATHS_T *x = s->A.x;
    for (gb_Off e = s->A.p[u]; e < end; e++) {
        const PATHS_U to = NAME(sum)(from, x[e * stride]);
        if (!NAME(lower)(&distance[i[e]], to, alone) || to > PATHS_MOST) continue;
        push(s, open_bucket(s, own, (double)NAME(value)(to)), i[e]);
    }
}

/* Prefetches what relaxing vertices after v[0] will read. */
static inline void NAME(look_ahead)(const Paths *s, const gb_Idx *v) {
    const gb_Idx next = v[GB_CLOSURE_AHEAD / 2];
    const gb_Off first = s->A.p[next];
    __builtin_prefetch(&s->A.p[v[GB_CLOSURE_AHEAD]]);
    __builtin_prefetch((const PATHS_U *)s->distance + next);
    __builtin_prefetch(s->A.i + first);
    if (!s->A.iso) __builtin_prefetch((const PATHS_T *)s->A.x + first);
}

/* In order of arrival, until none are left or enough for several threads. */
static void NAME(relax_alone)(Paths *s, Bucket *b) {
    Buckets *own = &s->buckets[0];
    uint64_t k = 0;
    for (; k < b->n; k++) {
        if (k % GB_CLOSURE_LOOK == 0 && threads_for(s, b->n - k) > 1) break;
        if (b->n - k > GB_CLOSURE_AHEAD) NAME(look_ahead)(s, b->v + k);
        NAME(relax)(s, own, b->v[k], true);
    }
    b->n -= k;
    memmove(b->v, b->v + k, b->n * sizeof *b->v);
}

static void NAME(relax_part)(void *paths, uint64_t t) {
    Paths *s = paths;
    Buckets *own = &s->buckets[gb_thread_id()];
    const gb_Idx *v = s->shared.v;
    const uint64_t end = gb_part(s->shared.n, t + 1, s->parts);
    for (uint64_t k = gb_part(s->shared.n, t, s->parts); k < end; k++) {
        if (end - k > GB_CLOSURE_AHEAD) NAME(look_ahead)(s, v + k);
        NAME(relax)(s, own, v[k], false);
    }
}

/* Reports which part of some vertices have their distance; ends the call where it is to end. */
static void NAME(report)(Paths *s) {
    enum { SOME = 1024 };
    const PATHS_U *distance = s->distance;
    uint64_t final = 0;
    for (uint64_t k = 0; k < SOME; k++)
        final += bucket_of(s, (double)NAME(value)(distance[k * s->n / SOME])) < s->present;
    gb_call_part((double) final / SOME);
    if (gb_call_stops()) set_flag(&s->no_memory);
    s->unreported = 0;
}

static void NAME(settle_bucket)(Paths *s, uint64_t at) {
    Bucket *b;
    while ((b = gather(s, at))->n > 0 && !s->no_memory) {
        const int threads = threads_for(s, b->n);
        s->unreported += b->n;
        if (s->unreported > GB_CALL_ENTRIES && gb_call_is_watched()) NAME(report)(s);
        if (threads == 1) {
            NAME(relax_alone)(s, b);
            continue;
        }
        const Bucket emptied = {.v = s->shared.v, .capacity = s->shared.capacity};
        s->shared = *b;
        *b = emptied;
        s->parts = s->shared.n / GB_CLOSURE_PART + 1;
        gb_parallel_for(threads, s->parts, NAME(relax_part), s);
        s->shared.n = 0;
    }
}

/* Opens buckets from the nearest distance that is not final; vertices that wait later go to theirs.
 * False: none waits. */
static bool NAME(open_buckets)(Paths *s) {
    const PATHS_U *distance = s->distance;
    Bucket *later = gather(s, LATER);
    PATHS_U least = NAME(far);
    uint64_t kept = 0, near, n = 0;
    for (uint64_t k = 0; k < later->n; k++) {
        const PATHS_U d = distance[later->v[k]];
        if (bucket_of(s, (double)NAME(value)(d)) < s->present) continue;
        if (d < least) least = d;
        later->v[kept++] = later->v[k];
    }
    later->n = kept;
    if (kept == 0) return false;
    for (;; s->inverse /= 8) {
        near = 0;
        s->base = s->present = bucket_of(s, (double)NAME(value)(least));
        for (uint64_t k = 0; k < kept; k++) {
            const PATHS_U d = distance[later->v[k]];
            near += d >= PATHS_MOST || /* no width brings the largest, infinity, nearer */
                    bucket_of(s, (double)NAME(value)(d)) - s->base < BUCKETS;
        }
        if (near >= kept / 8 || s->inverse == 0) break;
    }
    for (uint64_t k = 0; k < kept; k++) {
        const gb_Idx v = later->v[k];
        Bucket *to = open_bucket(s, &s->buckets[0], (double)NAME(value)(distance[v]));
        if (to == later)
            later->v[n++] = v;
        else
            push(s, to, v);
    }
    later->n = n;
    return !s->no_memory;
}

static void NAME(settle)(Paths *s) {
    while (NAME(open_buckets)(s)) {
        const uint64_t end = s->base + BUCKETS;
        for (; s->present < end && !s->no_memory; s->present++)
            NAME(settle_bucket)(s, s->present - s->base);
    }
}

static void NAME(mark)(void *marking, uint64_t from, uint64_t to) {
    const Marking *t = marking;
    const PATHS_U *distance = t->s->distance;
    uint64_t reached = 0;
    bool overflows = false;
    for (uint64_t k = from; k < to; k++) {
        t->b[k] = distance[k] != NAME(far);
        reached += (uint64_t)t->b[k];
        overflows |= distance[k] != NAME(far) && distance[k] > PATHS_MOST;
    }
    __atomic_fetch_add(&t->s->reached, reached, __ATOMIC_RELAXED);
    if (overflows) set_flag(&t->s->overflows);
}

#undef NAME
#undef PATHS_NAME
#undef PATHS_T
#undef PATHS_U
#undef PATHS_MOST
