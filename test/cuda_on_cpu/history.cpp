// SPDX-License-Identifier: Apache-2.0
//
// Shared memory and its history: see history.h and block.h. Every meeting of threads has a number;
// an access is ordered before the thread that runs now when they have met since. Of several readers
// the last is remembered, so a race with an earlier one may be missed in one order of threads and
// found in another.
#include "history.h"

#include <cstdint>
#include <cstring>
#include <utility>
#include <vector>

#include "block.h"

namespace cuda_on_cpu {

namespace {

enum { WARPS = 32, NOBODY = 0xffff };

struct Touch {
    uint32_t when;
    uint16_t thread;
    bool atomic;
};
struct Byte {
    Touch write, read;
};

alignas(16) unsigned char bytes[SHARED_BYTES];
Byte history[SHARED_BYTES];
// Accesses of `width` bytes, aligned, are all that a unit of eight has seen: then the history of
// the first byte of each is that of all. 0: nothing has been, and no history; 1: each byte has its
// own.
enum { UNIT = 8 };
uint8_t width[SHARED_BYTES / UNIT];
size_t used, dynamic_size;
std::vector<std::pair<const void *, size_t>> statics;
uint32_t meeting, block_met, warp_met[WARPS];
uint32_t pair_met[WARPS * WARP][WARP];
bool some_pairs; // have met alone: pair_met has more than zeros

inline bool met(uint32_t when, unsigned thread, unsigned me) {
    if (thread == me || when < block_met) return true;
    if (thread / WARP != me / WARP) return false;
    return when < warp_met[me / WARP] || when < pair_met[me][thread % WARP];
}

bool ordered(const Touch &t, unsigned me) {
    return t.thread == NOBODY || met(t.when, t.thread, me);
}

void forget(size_t from, size_t to) {
    std::memset(bytes + from, 0xA5, to - from);
    std::memset(width + from / UNIT, 0, (to - from + UNIT - 1) / UNIT);
}

} // namespace

void history_begin(size_t dynamic) {
    forget(0, used);
    const size_t rounded = (dynamic + 15) / 16 * 16;
    dynamic_size = dynamic;
    forget(0, rounded);
    used = rounded;
    statics.clear();
    meeting = block_met = 1;
    std::memset(warp_met, 0, sizeof warp_met);
    if (some_pairs) std::memset(pair_met, 0, sizeof pair_met);
    some_pairs = false;
}

void history_barrier() {
    block_met = ++meeting;
}

void history_warp(unsigned warp, unsigned mask) {
    meeting++;
    if (mask == 0xffffffffu) {
        warp_met[warp / WARP] = meeting;
        return;
    }
    some_pairs = true;
    for (unsigned a = 0; a < WARP; a++)
        for (unsigned b = 0; b < WARP && (mask >> a & 1); b++)
            if (mask >> b & 1) pair_met[warp + a][b] = meeting;
}

uint32_t meeting_now() {
    return meeting;
}

bool met_since(uint32_t when, unsigned thread) {
    return met(when, thread, current_thread());
}

unsigned char *arena(size_t offset) {
    return bytes + offset;
}

size_t place_static(const void *id, size_t size) {
    for (const auto &known : statics)
        if (known.first == id) return known.second;
    const size_t at = used;
    if (at + size > SHARED_BYTES) fail("more than %d bytes of shared memory", SHARED_BYTES);
    used += (size + 15) / 16 * 16;
    forget(at, used);
    statics.emplace_back(id, at);
    return at;
}

size_t dynamic_bytes() {
    return dynamic_size;
}

namespace {

void touch_byte(size_t b, Access access, const Touch &now) {
    Byte &byte = history[b];
    if (access != WRITE && byte.write.thread == NOBODY)
        fail("reads shared memory at byte %zu that nobody has written", b);
    if (!ordered(byte.write, now.thread) && !(byte.write.atomic && access == ATOMIC))
        fail("%s shared memory at byte %zu that thread %u has written, with no barrier between",
             access == READ ? "reads" : "writes", b, byte.write.thread);
    if (access == READ) {
        byte.read = now;
        return;
    }
    if (!ordered(byte.read, now.thread))
        fail("writes shared memory at byte %zu that thread %u has read, with no barrier between", b,
             byte.read.thread);
    byte.write = now;
}

// The first access to a unit is one of so many bytes.
void start(size_t unit, size_t size) {
    const Touch nobody = {0, NOBODY, false};
    for (size_t b = unit * UNIT; b < (unit + 1) * UNIT; b += size)
        history[b] = Byte{nobody, nobody};
    width[unit] = static_cast<uint8_t>(size);
}

// From now on every byte of the unit has its own history.
void spread(size_t unit) {
    const size_t each = width[unit];
    for (size_t b = unit * UNIT; b < (unit + 1) * UNIT; b++) history[b] = history[b / each * each];
    width[unit] = 1;
}

} // namespace

void touch(size_t offset, size_t size, Access access) {
    const Touch now = {meeting, static_cast<uint16_t>(current_thread()), access == ATOMIC};
    const size_t unit = offset / UNIT;
    if ((size == 4 || size == UNIT) && offset % size == 0) {
        if (width[unit] == 0) start(unit, size);
        if (width[unit] == size) {
            touch_byte(offset, access, now);
            return;
        }
    }
    for (size_t b = offset; b < offset + size; b++) {
        if (width[b / UNIT] == 0) start(b / UNIT, 1);
        if (width[b / UNIT] != 1) spread(b / UNIT);
        touch_byte(b, access, now);
    }
}

void out_of_bounds(long long index, size_t length) {
    fail("index %lld of an array of %zu in shared memory", index, length);
}

} // namespace cuda_on_cpu
