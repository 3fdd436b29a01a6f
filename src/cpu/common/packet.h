/* SPDX-License-Identifier: Apache-2.0
 *
 * Products of an outer product on their way from expanding to sorting. The entry A(i,k) and a few
 * neighbours of row k of B make a packet:
 *
 *   uint32_t row << GB_PACKET_BITS | products    row of C within the bin
 *   uint32_t column[products]
 *   values[products]                             from the next multiple of 8 bytes on, or none
 *
 * rounded up to 8 bytes. So a product takes 4 bytes beside its value, whatever the shapes are, and
 * a packet is written and moved by a few vector instructions. (The paper keeps row, column and
 * value of every product, 16 bytes.)
 */
#ifndef GB_CPU_COMMON_PACKET_H
#define GB_CPU_COMMON_PACKET_H

#include <string.h>

#include "core/tune.h"
#include "core/view.h"

/* Vectors read up to GB_PACKETS_PAD bytes behind the last packet. */
enum { GB_PACKET_BITS = 5, GB_LINE = 64, GB_PACKETS_PAD = 5 * GB_LINE };

typedef struct {
    size_t value;  /* bytes of a value; 0: every product is one, so none is carried */
    unsigned most; /* products of a packet, at most GB_PACKET */
    size_t flush;  /* bytes of a local bin that are written out together */
    size_t stride; /* bytes of a local bin, a power of two: what stays, the largest packet, vectors
                      that overrun */
} gb_PacketShape;

static inline size_t gb_packet_values(unsigned products) {
    return (4 + 4 * (size_t)products + 7) & ~(size_t)7;
}

static inline size_t gb_packet_bytes(size_t value, unsigned products) {
    return gb_packet_values(products) + ((products * value + 7) & ~(size_t)7);
}

typedef struct {
    unsigned products;
    const char *columns, *values;
} gb_PacketView;

static inline gb_PacketView gb_packet_view(const char *packet) {
    uint32_t head;
    memcpy(&head, packet, sizeof head);
    const unsigned n = head & ((1u << GB_PACKET_BITS) - 1);
    return (gb_PacketView){n, packet + 4, packet + gb_packet_values(n)};
}

static inline gb_Idx gb_packet_column(const gb_PacketView *p, unsigned e) {
    gb_Idx j;
    memcpy(&j, p->columns + e * sizeof j, sizeof j);
    return j;
}

/* Values of user-defined types may be large; then fewer make a packet. */
static inline gb_PacketShape gb_packet_shape(size_t value, unsigned flush_lines) {
    const size_t lines = 2 * GB_LINE;
    const size_t fit = value * GB_PACKET <= lines ? GB_PACKET : value <= lines ? lines / value : 1;
    const unsigned most = (unsigned)fit;
    const size_t flush = flush_lines * (size_t)GB_LINE;
    const size_t least = flush + gb_packet_bytes(value, most) + GB_LINE;
    size_t stride = GB_LINE;
    while (stride < least) stride *= 2;
    return (gb_PacketShape){value, most, flush, stride};
}

/* Bytes of the packets of so many products of one entry of A. */
static inline uint64_t gb_packets_bytes(const gb_PacketShape *s, uint64_t products) {
    if (products <= s->most)
        return products > 0 ? gb_packet_bytes(s->value, (unsigned)products) : 0;
    const unsigned rest = (unsigned)(products % s->most);
    return products / s->most * gb_packet_bytes(s->value, s->most) +
           (rest > 0 ? gb_packet_bytes(s->value, rest) : 0);
}

#endif
