// SPDX-License-Identifier: Apache-2.0
//
// Device memory and its history; see global.h. Compiled without AddressSanitizer, whose functions
// it defines: it looks at the access and hands it on.
#include "global.h"

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <map>

#include <dlfcn.h>

#include "block.h"
#include "history.h"

namespace cuda_on_cpu {

namespace {

enum { GRANULE = 4, PAGE_BITS = 12, CACHED = 256 };
const uint32_t NO_BLOCK = 0xffffffffu; // of copies and clearings

struct Trace {
    uint32_t step, block, meeting;
    uint16_t thread;
    uint8_t stream;
    uint8_t bytes : 4; // which of the granule; none: there has been no access
    uint8_t atomic : 1;
};
struct Granule {
    Trace write, read;
};
struct Region {
    size_t bytes;
    Granule *granules;
};
typedef std::map<uintptr_t, Region> Regions;
struct Page {
    uintptr_t number; // 0: empty
    Regions::value_type *only;
    bool several;
};

} // namespace

uint64_t global_bytes[2];

namespace {

Regions regions;
Page pages[CACHED];
uintptr_t lowest, highest; // all regions lie between
Moment now;
bool busy; // AddressSanitizer's functions are called by this file, too

void forget_pages() {
    std::memset(pages, 0, sizeof pages);
    lowest = highest = 0;
    if (regions.empty()) return;
    lowest = regions.begin()->first;
    highest = regions.rbegin()->first + regions.rbegin()->second.bytes;
}

Regions::value_type *look_up(uintptr_t at) {
    auto next = regions.upper_bound(at);
    if (next == regions.begin()) return nullptr;
    --next;
    return at - next->first < next->second.bytes ? &*next : nullptr;
}

// The regions that have a part of the page.
void fill_page(Page *page, uintptr_t number) {
    const uintptr_t from = number << PAGE_BITS, to = (number + 1) << PAGE_BITS;
    *page = Page{number, nullptr, false};
    auto region = regions.upper_bound(from);
    if (region != regions.begin()) --region;
    for (; region != regions.end() && region->first < to; ++region) {
        if (region->first + region->second.bytes <= from) continue;
        page->several = page->only != nullptr;
        page->only = &*region;
        if (page->several) return;
    }
}

Regions::value_type *find(uintptr_t at) {
    const uintptr_t number = at >> PAGE_BITS;
    Page *page = &pages[number % CACHED];
    if (page->number != number) fill_page(page, number);
    if (page->several) return look_up(at);
    Regions::value_type *region = page->only;
    return region != nullptr && at - region->first < region->second.bytes ? region : nullptr;
}

bool comes_before(const Trace &t, const Trace &me) {
    if (t.step == me.step && t.thread == me.thread && t.block == me.block && t.stream == me.stream)
        return true;
    if (t.stream != me.stream || t.step != me.step)
        return t.stream < now.before.size() && t.step <= now.before[t.stream];
    return t.block == me.block && (t.block == NO_BLOCK || met_since(t.meeting, t.thread));
}

bool races(const Trace &t, const Trace &me) {
    return (t.bytes & me.bytes) != 0 && !(t.atomic && me.atomic) && !comes_before(t, me);
}

// The block has read (or written) the place in this launch, and had it in its L1 cache since.
bool is_known(const Trace &t, const Trace &me) {
    return t.bytes != 0 && t.step == me.step && t.stream == me.stream && t.block == me.block &&
           !me.atomic;
}

// Which access the new one races with; NULL: none.
const Trace *note(Granule *granule, const Trace &me, bool writes) {
    const bool by_write = races(granule->write, me);
    const Trace *with = by_write ? &granule->write : nullptr;
    if (me.block != NO_BLOCK && !is_known(writes ? granule->write : granule->read, me))
        global_bytes[writes] += GRANULE;
    if (writes && !by_write && races(granule->read, me)) with = &granule->read;
    if (with == nullptr) (writes ? granule->write : granule->read) = me;
    return with;
}

const char *describe(const Trace &t) {
    static char text[100];
    if (t.block == NO_BLOCK)
        snprintf(text, sizeof text, "step %u of stream %u", t.step, t.stream);
    else
        snprintf(text, sizeof text, "thread %u of block %u in step %u of stream %u", t.thread,
                 t.block, t.step, t.stream);
    return text;
}

// Of the access, the first that it races with.
const Trace *visit(const Regions::value_type *region, uintptr_t at, size_t bytes,
                   GlobalAccess access, Trace me) {
    const bool writes = access == GLOBAL_WRITE || access == GLOBAL_ATOMIC_WRITE;
    me.atomic = access == GLOBAL_ATOMIC_READ || access == GLOBAL_ATOMIC_WRITE;
    size_t from = at - region->first, to = from + bytes;
    if (to > region->second.bytes) to = region->second.bytes; // the rest is AddressSanitizer's
    const Trace *with = nullptr;
    if (from % GRANULE == 0 && to % GRANULE == 0) { // nearly always
        me.bytes = 15u;
        for (; from < to && with == nullptr; from += GRANULE)
            with = note(&region->second.granules[from / GRANULE], me, writes);
    }
    while (from < to && with == nullptr) {
        const size_t start = from % GRANULE, room = GRANULE - start;
        const size_t part = to - from < room ? to - from : room;
        me.bytes = static_cast<uint8_t>(((1u << part) - 1) << start) & 15u;
        with = note(&region->second.granules[from / GRANULE], me, writes);
        from += part;
    }
    return with;
}

// An access to what may be device memory by the thread that runs now.
__attribute__((noinline)) void examine(uintptr_t at, size_t bytes, GlobalAccess access) {
    const Regions::value_type *region = find(at);
    if (region == nullptr) return;
    busy = true;
    const Trace me = {now.step,
                      self.block.x,
                      meeting_now(),
                      static_cast<uint16_t>(current_thread()),
                      static_cast<uint8_t>(now.stream),
                      0,
                      0};
    const Trace *with = visit(region, at, bytes, access, me);
    busy = false;
    if (with == nullptr) return;
    const bool writes = access == GLOBAL_WRITE || access == GLOBAL_ATOMIC_WRITE;
    fail("%s device memory at byte %zu of its block: it races with %s", writes ? "writes" : "reads",
         static_cast<size_t>(at - region->first), describe(*with));
}

inline void watch(uintptr_t at, size_t bytes, GlobalAccess access) {
    if (at - lowest < highest - lowest && !busy && running && !on_stack(at))
        examine(at, bytes, access);
}

} // namespace

void clock_join(Clock &clock, const Clock &other) {
    if (clock.size() < other.size()) clock.resize(other.size(), 0);
    for (size_t s = 0; s < other.size(); s++)
        if (other[s] > clock[s]) clock[s] = other[s];
}

void global_begin(const Moment &moment) {
    now = moment;
}

void global_add(void *block, size_t bytes) {
    const size_t n = bytes / GRANULE + 1;
    auto *granules = static_cast<Granule *>(std::calloc(n, sizeof(Granule)));
    if (granules == nullptr) std::abort();
    regions[reinterpret_cast<uintptr_t>(block)] = Region{bytes, granules};
    forget_pages();
}

void global_remove(void *block) {
    const auto found = regions.find(reinterpret_cast<uintptr_t>(block));
    if (found == regions.end()) return;
    std::free(found->second.granules);
    regions.erase(found);
    forget_pages();
}

bool global_touch(const void *at, size_t bytes, GlobalAccess access) {
    const Trace me = {now.step, NO_BLOCK, 0, 0, static_cast<uint8_t>(now.stream), 0, 0};
    const uintptr_t first = reinterpret_cast<uintptr_t>(at);
    const Regions::value_type *region = find(first);
    const Trace *with = region != nullptr ? visit(region, first, bytes, access, me) : nullptr;
    if (with == nullptr) return true;
    set_failure("a copy or clearing of device memory races with %s", describe(*with));
    return false;
}

} // namespace cuda_on_cpu

// -- AddressSanitizer's checks of n bytes; most are of eight bytes that are all good, and end here

extern "C" void __asan_get_shadow_mapping(size_t *scale, size_t *offset);

namespace {
typedef void (*Check)(uintptr_t);
typedef void (*CheckN)(uintptr_t, size_t);

void *next(const char *name) {
    void *function = dlsym(RTLD_NEXT, name);
    if (function == nullptr) {
        fprintf(stderr, "AddressSanitizer has no %s\n", name);
        std::abort();
    }
    return function;
}

size_t shadow_scale, shadow_offset;

inline bool is_good(uintptr_t at, size_t n) {
    if (shadow_offset == 0) __asan_get_shadow_mapping(&shadow_scale, &shadow_offset);
    const uintptr_t unit = static_cast<uintptr_t>(1) << shadow_scale;
    return at % unit + n <= unit &&
           *reinterpret_cast<const int8_t *>((at >> shadow_scale) + shadow_offset) == 0;
}
} // namespace

#define WATCHED(name, n, access)                                                                   \
    extern "C" void cuda_on_cpu_##name##n(uintptr_t at) __asm__("__asan_" #name #n);               \
    void cuda_on_cpu_##name##n(uintptr_t at) {                                                     \
        static Check check;                                                                        \
        if (check == nullptr) check = reinterpret_cast<Check>(next("__asan_" #name #n));           \
        if (!is_good(at, n)) check(at);                                                            \
        cuda_on_cpu::watch(at, n, cuda_on_cpu::access);                                            \
    }
#define WATCHED_N(name, access)                                                                    \
    extern "C" void cuda_on_cpu_##name##N(uintptr_t at, size_t n) __asm__("__asan_" #name "N");    \
    void cuda_on_cpu_##name##N(uintptr_t at, size_t n) {                                           \
        static CheckN check;                                                                       \
        if (check == nullptr) check = reinterpret_cast<CheckN>(next("__asan_" #name "N"));         \
        check(at, n);                                                                              \
        cuda_on_cpu::watch(at, n, cuda_on_cpu::access);                                            \
    }
WATCHED(load, 1, GLOBAL_READ)
WATCHED(load, 2, GLOBAL_READ)
WATCHED(load, 4, GLOBAL_READ)
WATCHED(load, 8, GLOBAL_READ)
WATCHED(load, 16, GLOBAL_READ)
WATCHED_N(load, GLOBAL_READ)
WATCHED(store, 1, GLOBAL_WRITE)
WATCHED(store, 2, GLOBAL_WRITE)
WATCHED(store, 4, GLOBAL_WRITE)
WATCHED(store, 8, GLOBAL_WRITE)
WATCHED(store, 16, GLOBAL_WRITE)
WATCHED_N(store, GLOBAL_WRITE)

namespace cuda_on_cpu {

// Bounds are AddressSanitizer's matter here too.
static void check_bounds(const void *at, size_t bytes, bool writes) {
    static CheckN check[2];
    if (check[writes] == nullptr)
        check[writes] = reinterpret_cast<CheckN>(next(writes ? "__asan_storeN" : "__asan_loadN"));
    check[writes](reinterpret_cast<uintptr_t>(at), bytes);
}

void global_atomic_read(const void *at, void *value, size_t bytes) {
    check_bounds(at, bytes, false);
    watch(reinterpret_cast<uintptr_t>(at), bytes, GLOBAL_ATOMIC_READ);
    std::memcpy(value, at, bytes);
}

void global_atomic_write(void *at, const void *value, size_t bytes) {
    check_bounds(at, bytes, true);
    watch(reinterpret_cast<uintptr_t>(at), bytes, GLOBAL_ATOMIC_WRITE);
    std::memcpy(at, value, bytes);
}

} // namespace cuda_on_cpu
