/* SPDX-License-Identifier: Apache-2.0
 *
 * A stable parallel radix sort of (key, load) records, which build and the assembly of pending
 * updates share. A key is a position: major index in the upper bits, minor index in the lower.
 * The input is read through a function in short blocks, so that the caller's arrays need not be
 * rewritten as records first.
 */
#pragma once

#include "core/bits.h"
#include "gblite.h"

typedef struct {
    uint64_t key;
    uint64_t load; /* whatever travels with the key */
} gb_Record;

/* keys[k], loads[k] = record first + k of the input, k < count; loads NULL: keys only. */
typedef void (*gb_RecordReader)(const void *input, uint64_t first, size_t count, uint64_t *keys,
                                uint64_t *loads);

typedef struct {
    gb_RecordReader read;
    const void *input;
    uint64_t n; /* records */
    int bits;   /* every key is below 2^bits */
} gb_RecordInput;

enum { GB_RECORD_BLOCK = 256 }; /* records read at a time; callers' buffers have this size */

/* A reader whose input is an array of gb_Record. */
void gb_record_read(const void *input, uint64_t first, size_t count, uint64_t *keys,
                    uint64_t *loads);

/* Whether the keys ascend already; equal ones may follow each other. */
bool gb_records_ascend(const gb_RecordInput *in, int nthreads);

/* r[n] = the records in ascending order of their keys, equal keys in the order of the input. O(n)
 * time; the result does not depend on nthreads. After a failure the content of r is unspecified. */
gbl_Info gb_records_sort(gb_Record *r, const gb_RecordInput *in, int nthreads);
